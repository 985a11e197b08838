//! Statements.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use ult_lang::hir;
use ult_lang::hir::{
    Attribute, AttributeArgument, BlockId, Callee, Condition, ExprKind, LabelId, Meaning,
    ProcedureId, Reading, Stmt, StmtKind, Type, VarRef,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::look;
use super::scope::Scope;
use super::{Compiler, named};
use crate::code::{Body, Expr, Havoc, Instr, Obligation, Variable, Write};

/// A place to jump to, before it is known where it is.
#[derive(Clone, Copy)]
pub(crate) struct Target(usize);

/// A body in the making. Jumps lead to numbers of targets until it is finished.
pub(crate) struct BodyBuilder<'c> {
    compiler: &'c Compiler<'c>,
    procedure: ProcedureId,
    implementation: Option<&'c hir::Implementation>,
    /// Where its expressions stand.
    pub scope: Scope,
    instrs: Vec<Instr>,
    spans: Vec<Span>,
    targets: Vec<usize>,
    labels: FxHashMap<LabelId, Target>,
    breaks: FxHashMap<BlockId, Target>,
    free_start: usize,
}

impl<'c> BodyBuilder<'c> {
    /// An empty body of a procedure.
    pub(crate) fn new(
        compiler: &'c Compiler<'c>,
        procedure: ProcedureId,
        implementation: Option<&'c hir::Implementation>,
    ) -> Self {
        let declared = &compiler.program.procedures[procedure.index()];
        let locals = declared.ins.len()
            + declared.outs.len()
            + implementation.map_or(0, |implementation| implementation.locals.len());
        BodyBuilder {
            compiler,
            procedure,
            implementation,
            scope: compiler.scope(locals),
            instrs: Vec::new(),
            spans: Vec::new(),
            targets: Vec::new(),
            labels: FxHashMap::default(),
            breaks: FxHashMap::default(),
            free_start: 0,
        }
    }

    /// Adds an instruction.
    pub(crate) fn push(&mut self, instr: Instr, span: Span) {
        self.instrs.push(instr);
        self.spans.push(span);
    }

    /// A new target.
    pub(crate) fn label(&mut self) -> Target {
        self.targets.push(usize::MAX);
        Target(self.targets.len() - 1)
    }

    /// The target is here.
    pub(crate) fn place(&mut self, target: Target) {
        self.targets[target.0] = self.instrs.len();
    }

    /// The body.
    pub(crate) fn finish(mut self, name: &str, procedure: &hir::Procedure) -> Body {
        let targets = &self.targets;
        for instr in &mut self.instrs {
            match instr {
                Instr::Jump(to) | Instr::Unless(_, to) => *to = targets[*to],
                Instr::Choose(all) => all.iter_mut().for_each(|to| *to = targets[*to]),
                _ => {}
            }
        }
        look::ahead(&mut self.instrs);
        let mut variables = Vec::new();
        match self.implementation {
            Some(implementation) => {
                let all = implementation
                    .ins
                    .iter()
                    .chain(&implementation.outs)
                    .chain(&implementation.locals);
                variables.extend(all.map(|variable| named(&variable.name, &variable.ty)));
            }
            None => {
                let all = procedure.ins.iter().chain(&procedure.outs);
                variables.extend(all.map(|variable| named(&variable.name, &variable.ty)));
            }
        }
        Body {
            name: name.into(),
            ins: procedure.ins.len(),
            outs: procedure.outs.len(),
            variables,
            locals: self.scope.locals(),
            olds: self.scope.olds.iter().map(|(g, l)| (*g, *l)).collect(),
            instrs: self.instrs,
            spans: self.spans,
            free_start: self.free_start,
        }
    }

    /// An expression.
    pub(crate) fn expr(&mut self, e: &hir::Expr) -> Expr {
        self.compiler.expressions.expr(&mut self.scope, e)
    }

    /// `assume`
    pub(crate) fn assume(&mut self, condition: &hir::Expr, span: Span) {
        let condition = self.expr(condition);
        self.push(Instr::Assume(condition), span);
    }

    /// An axiom.
    pub(crate) fn axiom(&mut self, condition: &hir::Expr, span: Span) {
        let condition = self.expr(condition);
        self.push(Instr::Axiom(condition), span);
    }

    /// An obligation.
    pub(crate) fn assert(
        &mut self,
        condition: &hir::Expr,
        obligation: Obligation,
        message: Option<Rc<str>>,
        span: Span,
    ) {
        let condition = self.expr(condition);
        self.push(
            Instr::Assert {
                condition,
                obligation,
                message,
            },
            span,
        );
    }

    /// A variable gets a value.
    pub(crate) fn write(&mut self, variable: Variable, value: Expr, span: Span) {
        let write = Write {
            variable,
            path: Box::new([]),
            value,
        };
        self.push(Instr::Write(write), span);
    }

    /// The preconditions of a procedure, at its beginning: `free call` goes on after them.
    pub(crate) fn requires(&mut self, procedure: &hir::Procedure, callee: Callee) {
        for clause in &procedure.requires {
            let meaning = clause.before_call(Reading::Whole, callee, false);
            self.clause(clause, meaning, Obligation::Requires);
        }
        self.free_start = self.instrs.len();
    }

    /// The postconditions of a procedure, at its end.
    pub(crate) fn ensures(&mut self, procedure: &hir::Procedure, callee: Callee) {
        for clause in &procedure.ensures {
            let meaning = clause.after_call(Reading::Whole, callee);
            self.clause(clause, meaning, Obligation::Ensures);
        }
    }

    fn clause(&mut self, clause: &Condition, meaning: Meaning, obligation: Obligation) {
        match meaning {
            Meaning::Owed => self.assert(&clause.expr, obligation, None, clause.span),
            Meaning::Assumed => self.assume(&clause.expr, clause.span),
            Meaning::Nothing => {}
        }
    }

    /// Variables get any values that their `where` clauses allow.
    pub(crate) fn havoc(&mut self, variables: &[VarRef], span: Span, input: bool) {
        let mut all = Vec::new();
        for variable in variables {
            if let (Some(place), Some(ty)) =
                (self.scope.resolve(*variable), self.type_of(*variable))
            {
                all.push((place, Rc::new(ty.clone())));
            }
        }
        self.havoc_variables(all, span, input);
        for variable in variables {
            if let Some(clause) = self.where_clause(*variable) {
                self.assume(clause, span);
            }
        }
    }

    /// Variables get any values.
    pub(crate) fn havoc_variables(
        &mut self,
        variables: Vec<(Variable, Rc<Type>)>,
        span: Span,
        input: bool,
    ) {
        if variables.is_empty() {
            return;
        }
        let havoc = Havoc {
            variables,
            hints: Vec::new(),
            look: 0,
            input,
        };
        self.push(Instr::Havoc(Box::new(havoc)), span);
    }

    fn declared(&self, id: hir::LocalId) -> Option<&'c hir::Variable> {
        let procedure = &self.compiler.program.procedures[self.procedure.index()];
        procedure
            .parameter(id)
            .or_else(|| self.implementation?.variable(id))
    }

    fn type_of(&self, variable: VarRef) -> Option<&'c Type> {
        match variable {
            VarRef::Global(id) => Some(&self.compiler.program.globals.get(id.index())?.ty),
            VarRef::Local(id) => Some(&self.declared(id)?.ty),
            _ => None,
        }
    }

    pub(crate) fn where_clause(&self, variable: VarRef) -> Option<&'c hir::Expr> {
        match variable {
            VarRef::Global(id) => {
                let global = self.compiler.program.globals.get(id.index())?;
                global.where_clause.as_ref()
            }
            VarRef::Local(id) => self.declared(id)?.where_clause.as_ref(),
            _ => None,
        }
    }

    fn target(&mut self, label: LabelId) -> Target {
        if let Some(target) = self.labels.get(&label) {
            return *target;
        }
        let target = self.label();
        self.labels.insert(label, target);
        target
    }

    /// Go on at a target.
    pub(crate) fn jump(&mut self, target: Target, span: Span) {
        self.push(Instr::Jump(target.0), span);
    }

    /// Go on at any of several targets.
    pub(crate) fn choose(&mut self, targets: &[Target], span: Span) {
        let instr = match targets {
            [only] => Instr::Jump(only.0),
            _ => Instr::Choose(targets.iter().map(|target| target.0).collect()),
        };
        self.push(instr, span);
    }

    /// Statements; `return` leads to `end`.
    pub(crate) fn statements(&mut self, statements: &[Stmt], end: Target) {
        for statement in statements {
            ensure_stack(|| self.statement(statement, end));
        }
    }

    fn statement(&mut self, statement: &Stmt, end: Target) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assert {
                condition,
                attributes,
            } => match text(attributes, "unsupported") {
                Some(what) => {
                    let condition = self.expr(condition);
                    self.push(Instr::Supported { condition, what }, span);
                }
                None => self.assert(condition, Obligation::Assert, text(attributes, "msg"), span),
            },
            StmtKind::Assume {
                condition,
                attributes,
            } => {
                self.assume(condition, span);
                if let Some(what) = text(attributes, "approximated") {
                    self.push(Instr::Unsupported(what), span);
                }
            }
            StmtKind::Havoc(variables) => {
                let input = (self.compiler.is_input)(span);
                self.havoc(variables, span, input);
            }
            StmtKind::Assign { pairs } => {
                let mut writes: Vec<Write> = pairs
                    .iter()
                    .filter_map(|(variable, value)| self.assignment(*variable, value))
                    .collect();
                let instr = match writes.len() {
                    1 => writes.pop().map(Instr::Write),
                    _ => Some(Instr::Writes(writes.into_boxed_slice())),
                };
                if let Some(instr) = instr {
                    self.push(instr, span);
                }
            }
            StmtKind::Call {
                callee,
                args,
                results,
                free,
                ..
            } => {
                let call = Instr::Call {
                    bodies: self.compiler.bodies[callee.index()].clone(),
                    args: args.iter().map(|arg| self.expr(arg)).collect(),
                    results: results
                        .iter()
                        .filter_map(|result| self.scope.resolve(*result))
                        .collect(),
                    free: *free,
                };
                self.push(call, span);
            }
            // It only says that something holds.
            StmtKind::CallForall { .. } => {}
            StmtKind::If {
                id,
                condition,
                then,
                otherwise,
            } => {
                let (behind, other) = (self.label(), self.label());
                self.breaks.insert(*id, behind);
                self.branch(condition.as_ref(), other, span);
                self.statements(then, end);
                self.jump(behind, span);
                self.place(other);
                self.statements(otherwise, end);
                self.place(behind);
            }
            StmtKind::While {
                id,
                condition,
                invariants,
                body,
            } => {
                let (head, behind) = (self.label(), self.label());
                self.breaks.insert(*id, behind);
                self.place(head);
                for invariant in invariants {
                    if invariant.free {
                        self.assume(&invariant.expr, invariant.span);
                    } else {
                        self.assert(&invariant.expr, Obligation::Invariant, None, invariant.span);
                    }
                }
                self.branch(condition.as_ref(), behind, span);
                self.statements(body, end);
                self.jump(head, span);
                self.place(behind);
            }
            StmtKind::Break(id) => match self.breaks.get(id).copied() {
                Some(target) => self.jump(target, span),
                None => self.push(Instr::Unsupported("a `break` out of nothing".into()), span),
            },
            StmtKind::Goto(labels) => {
                let targets: Vec<Target> = labels.iter().map(|label| self.target(*label)).collect();
                self.choose(&targets, span);
            }
            StmtKind::Label(label) => {
                let target = self.target(*label);
                self.place(target);
            }
            StmtKind::Return => self.jump(end, span),
            StmtKind::Unsupported { what } => {
                self.push(Instr::Unsupported((*what).into()), span);
            }
        }
    }

    /// Goes on here if the condition holds, else at `other`.
    fn branch(&mut self, condition: Option<&hir::Expr>, other: Target, span: Span) {
        match condition {
            Some(condition) if matches!(condition.kind, ExprKind::Bool(true)) => {}
            Some(condition) => {
                let span = condition.span;
                let condition = self.expr(condition);
                self.push(Instr::Unless(condition, other.0), span);
            }
            None => {
                let here = self.label();
                self.push(Instr::Choose(Box::new([other.0, here.0])), span);
                self.place(here);
            }
        }
    }

    /// An assignment; to a part of a map if the value is the map with another element.
    fn assignment(&mut self, variable: VarRef, value: &hir::Expr) -> Option<Write> {
        let place = self.scope.resolve(variable)?;
        let mut path: Vec<&[hir::Expr]> = Vec::new();
        let mut value = value;
        while let ExprKind::Store {
            map,
            type_args,
            indices,
            value: element,
        } = &value.kind
            && type_args.is_empty()
            && is_part(map, variable, &path)
        {
            path.push(indices);
            value = element;
        }
        let path = path
            .into_iter()
            .map(|indices| indices.iter().map(|index| self.expr(index)).collect())
            .collect();
        Some(Write {
            variable: place,
            path,
            value: self.expr(value),
        })
    }
}

/// Whether an expression is the element at `path` of a variable.
fn is_part(e: &hir::Expr, variable: VarRef, path: &[&[hir::Expr]]) -> bool {
    match (path.split_last(), &e.kind) {
        (None, ExprKind::Var(found)) => *found == variable,
        (Some((last, rest)), ExprKind::Select { map, indices, .. }) => {
            indices == last && is_part(map, variable, rest)
        }
        _ => false,
    }
}

/// The text of an attribute.
fn text(attributes: &[Attribute], name: &str) -> Option<Rc<str>> {
    let attribute = attributes.iter().find(|attribute| attribute.name == name)?;
    match attribute.args.first() {
        Some(AttributeArgument::String(text)) => Some(text.as_str().into()),
        Some(AttributeArgument::Expr(hir::Expr {
            kind: ExprKind::String(text),
            ..
        })) => Some(text.as_str().into()),
        _ => None,
    }
}
