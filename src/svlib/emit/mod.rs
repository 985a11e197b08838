//! From programs in SV-LIB to typed programs.
//!
//! What somebody annotated is a part of the specification: an invariant has to be inductive, and a contract to hold for
//! each call that it allows. So loops with invariants and calls of procedures with contracts are known by these alone,
//! and a run may `leap` over them, as the standard says (sections 6.2, 6.3 and 7.3). All else is as it is executed.

mod calls;
mod statements;
mod steps;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use ult_lang::hir::visit::mutable::{VisitMut, walk_expr};
use ult_lang::hir::{
    self, Attribute, AttributeArgument, BinaryOp, BlockId, Expr, ExprKind, Global, GlobalId,
    Implementation, ImplementationId, Label, LabelId, LocalId, ProcedureId, Program, Stmt,
    StmtKind, Type, VarRef,
};
use ult_lang::span::Span;

use crate::flow;
use crate::operators::{all, equal};
use crate::program::{Moment, Part, Procedure, Property, PropertyKind, Statement, StatementKind};
use crate::reader::Reader;

/// A typed program, and where it starts.
pub(crate) struct Emitted {
    pub program: Program,
    pub entries: Vec<String>,
}

/// What does not change from procedure to procedure.
struct Context<'a> {
    reader: &'a Reader<'a>,
    effects: Vec<BTreeSet<GlobalId>>,
    /// Counts the steps of the trace, if the verification is restricted to one.
    counter: Option<GlobalId>,
}

/// The typed program of what was read.
pub(crate) fn emit(reader: &Reader<'_>) -> Emitted {
    let mut program = Program {
        background: reader.names.background.clone(),
        globals: reader.names.globals.clone(),
        ..Program::default()
    };
    let counter = reader.trace.as_ref().map(|trace| {
        program.background.axioms.extend(trace.model.clone());
        let taken = |name: &str| program.globals.iter().any(|g| g.name == name);
        let mut name = "step".to_owned();
        while taken(&name) {
            name.push('~');
        }
        program.globals.push(Global {
            name,
            ty: Type::Int,
            where_clause: None,
            attributes: Vec::new(),
            span: trace.span,
        });
        GlobalId::new(program.globals.len() - 1)
    });
    let context = Context {
        reader,
        effects: flow::effects(&reader.procedures),
        counter,
    };
    let mut wanted = BTreeSet::new();
    let mut with_contract = BTreeSet::new();
    for call in &reader.calls {
        for index in reader.reachable(call.procedure) {
            wanted.insert(index);
            let Some(body) = reader.procedures.get(index).and_then(|p| p.body.as_ref()) else {
                continue;
            };
            body.visit(&mut |statement| {
                if let StatementKind::Call { callee, .. } = &statement.kind
                    && counter.is_none()
                    && reader
                        .procedures
                        .get(*callee)
                        .is_some_and(Procedure::has_contract)
                {
                    with_contract.insert(*callee);
                }
            });
        }
    }
    let mut entries = Vec::new();
    for (index, procedure) in reader.procedures.iter().enumerate() {
        let signature = context.signature(index, procedure);
        let id = ProcedureId::new(program.procedures.len());
        program.procedures.push(signature);
        if wanted.contains(&index) {
            let body = Body::new(&context, index).procedure();
            implement(&mut program, id, body, procedure.end);
        }
        if with_contract.contains(&index) {
            entries.push(procedure.name.clone());
        }
    }
    for (number, call) in reader.calls.iter().enumerate() {
        let Some(procedure) = reader.procedures.get(call.procedure) else {
            continue;
        };
        let mut name = format!("verify-call {}", procedure.name);
        while program.procedures.iter().any(|p| p.name == name) {
            name = format!("{name} {}", number + 1);
        }
        let mut signature = context.signature(call.procedure, procedure);
        signature.name.clone_from(&name);
        signature.span = call.span;
        signature.ins.clear();
        signature.outs.clear();
        let id = ProcedureId::new(program.procedures.len());
        program.procedures.push(signature);
        let body = Body::new(&context, call.procedure).verify_call(number);
        implement(&mut program, id, body, call.span);
        entries.insert(0, name);
    }
    Emitted { program, entries }
}

/// The place where the alternative at `part` of a `choice` is chosen. No other statement has it.
pub(crate) fn alternative(choice: Span, part: Span) -> Span {
    Span::new(choice.start, part.end)
}

/// A body that is done: its locals, labels and statements.
type Done = (Vec<hir::Variable>, Vec<Label>, Vec<Stmt>);

fn implement(program: &mut Program, id: ProcedureId, (locals, labels, body): Done, end: Span) {
    let implementation = ImplementationId::new(program.implementations.len());
    let Some(procedure) = program.procedures.get_mut(id.index()) else {
        return;
    };
    procedure.implementations.push(implementation);
    let (ins, outs) = (procedure.ins.clone(), procedure.outs.clone());
    let span = procedure.span;
    program.implementations.push(Implementation {
        procedure: id,
        ins,
        outs,
        locals,
        labels,
        body,
        attributes: Vec::new(),
        span,
        end,
    });
}

fn variable(name: &str, ty: &Type, span: Span) -> hir::Variable {
    hir::Variable {
        name: name.to_owned(),
        ty: ty.clone(),
        where_clause: None,
        attributes: Vec::new(),
        span,
    }
}

fn var(variable: VarRef, ty: &Type, span: Span) -> Expr {
    Expr::new(ExprKind::Var(variable), ty.clone(), span)
}

fn int(value: usize, span: Span) -> Expr {
    Expr::new(ExprKind::Int(BigInt::from(value)), Type::Int, span)
}

fn implies(a: Expr, b: Expr) -> Expr {
    let span = b.span;
    let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(a), Box::new(b));
    Expr::new(kind, Type::Bool, span)
}

/// Replaces variables.
struct Substitute<'m>(&'m BTreeMap<VarRef, Expr>);

impl VisitMut for Substitute<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        match &expr.kind {
            ExprKind::Var(variable) => {
                if let Some(value) = self.0.get(variable) {
                    *expr = value.clone();
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}

impl Context<'_> {
    fn signature(&self, index: usize, procedure: &Procedure) -> hir::Procedure {
        let effects = self.effects.get(index).into_iter().flatten().copied();
        let modifies: Vec<GlobalId> = effects.chain(self.counter).collect();
        let variables = |all: &[crate::program::Variable]| {
            all.iter()
                .map(|v| variable(&v.name, &v.ty, v.span))
                .collect()
        };
        hir::Procedure {
            name: procedure.name.clone(),
            type_params: Vec::new(),
            ins: variables(&procedure.ins),
            outs: variables(&procedure.outs),
            requires: Vec::new(),
            ensures: Vec::new(),
            declared_modifies: modifies.clone(),
            modifies,
            attributes: Vec::new(),
            implementations: Vec::new(),
            span: procedure.span,
        }
    }

    fn global(&self, id: GlobalId) -> Type {
        let global = self.reader.names.globals.get(id.index());
        global.map_or(Type::Int, |global| global.ty.clone())
    }
}

/// Where `break` and `continue` lead.
struct Loop {
    leave: BlockId,
    next: LabelId,
}

/// A body on its way.
struct Body<'c> {
    context: &'c Context<'c>,
    procedure: Option<&'c Procedure>,
    /// Parameters come before them.
    parameters: usize,
    locals: Vec<hir::Variable>,
    labels: Vec<Label>,
    names: HashMap<String, LabelId>,
    blocks: u32,
    loops: Vec<Loop>,
    /// Where `return` leads, if something is to be checked there.
    exit: Option<LabelId>,
    circles: HashMap<String, BTreeSet<VarRef>>,
    out: Vec<Stmt>,
}

impl<'c> Body<'c> {
    fn new(context: &'c Context<'c>, procedure: usize) -> Body<'c> {
        Body {
            context,
            procedure: context.reader.procedures.get(procedure),
            parameters: 0,
            locals: Vec::new(),
            labels: Vec::new(),
            names: HashMap::new(),
            blocks: 0,
            loops: Vec::new(),
            exit: None,
            circles: HashMap::new(),
            out: Vec::new(),
        }
    }

    // --- pieces -------------------------------------------------------------------------------

    fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt::new(kind, span));
    }

    fn assume(&mut self, condition: Expr, span: Span) {
        let attributes = Vec::new();
        self.push(
            StmtKind::Assume {
                condition,
                attributes,
            },
            span,
        );
    }

    fn assert(&mut self, condition: Expr, what: &str, span: Span) {
        let attributes = vec![Attribute {
            name: "msg".to_owned(),
            args: vec![AttributeArgument::String(what.to_owned())],
            span,
        }];
        self.push(
            StmtKind::Assert {
                condition,
                attributes,
            },
            span,
        );
    }

    fn dead(&mut self, span: Span) {
        self.assume(Expr::new(ExprKind::Bool(false), Type::Bool, span), span);
    }

    fn havoc(&mut self, variables: impl IntoIterator<Item = VarRef>, span: Span) {
        let variables: Vec<VarRef> = variables.into_iter().collect();
        if !variables.is_empty() {
            self.push(StmtKind::Havoc(variables), span);
        }
    }

    fn assign(&mut self, pairs: Vec<(VarRef, Expr)>, span: Span) {
        if !pairs.is_empty() {
            self.push(StmtKind::Assign { pairs }, span);
        }
    }

    /// What cannot be verified: if runs get here, nobody knows. They go on all the same, and not by way of what nobody knows.
    fn unsupported(&mut self, what: &'static str, span: Span) {
        let kind = ExprKind::Unsupported { what };
        let condition = Expr::new(kind, Type::Bool, span);
        self.branch(
            None,
            span,
            |body| {
                body.assert(condition, what, span);
                body.dead(span);
            },
            |_| (),
        );
    }

    /// The statements that `work` makes, apart.
    fn apart(&mut self, work: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let before = std::mem::take(&mut self.out);
        work(self);
        std::mem::replace(&mut self.out, before)
    }

    fn block(&mut self) -> BlockId {
        self.blocks += 1;
        BlockId(self.blocks - 1)
    }

    fn branch(
        &mut self,
        condition: Option<Expr>,
        span: Span,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let id = self.block();
        self.branch_as(id, condition, span, then, otherwise);
    }

    fn branch_as(
        &mut self,
        id: BlockId,
        condition: Option<Expr>,
        span: Span,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let then = self.apart(then);
        let otherwise = self.apart(otherwise);
        let kind = StmtKind::If {
            id,
            condition,
            then,
            otherwise,
        };
        self.push(kind, span);
    }

    fn label(&mut self, name: &str, span: Span) -> LabelId {
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = LabelId::new(self.labels.len());
        self.labels.push(Label {
            name: name.to_owned(),
            span,
        });
        self.names.insert(name.to_owned(), id);
        id
    }

    /// A label of our own: no name in the text begins so.
    fn fresh_label(&mut self, wish: &str, span: Span) -> LabelId {
        let name = format!("#{wish}{}", self.labels.len());
        self.label(&name, span)
    }

    fn temporary(&mut self, name: &str, ty: &Type, span: Span) -> VarRef {
        let id = LocalId::new(self.parameters + self.locals.len());
        let clash = |known: &hir::Variable| known.name == name;
        let name = match self.locals.iter().any(clash) {
            true => format!("{name}~{}", id.index()),
            false => name.to_owned(),
        };
        self.locals.push(variable(&name, ty, span));
        VarRef::Local(id)
    }

    fn type_of(&self, of: VarRef) -> Type {
        match of {
            VarRef::Global(id) => self.context.global(id),
            VarRef::Local(id) => {
                let local = id.index().checked_sub(self.parameters);
                let local = local.and_then(|index| self.locals.get(index));
                let parameter = self.procedure.and_then(|p| p.variables().nth(id.index()));
                match (local, parameter) {
                    (Some(local), _) => local.ty.clone(),
                    (None, Some(parameter)) => parameter.ty.clone(),
                    (None, None) => Type::Error,
                }
            }
            _ => Type::Error,
        }
    }

    // --- whole bodies -------------------------------------------------------------------------

    fn procedure(mut self) -> Done {
        let Some(procedure) = self.procedure else {
            return (self.locals, self.labels, self.out);
        };
        self.parameters = procedure.ins.len() + procedure.outs.len();
        for local in &procedure.locals {
            self.locals
                .push(variable(&local.name, &local.ty, local.span));
        }
        for snapshot in &procedure.snapshots {
            self.locals
                .push(variable(&snapshot.name, &snapshot.ty, procedure.span));
        }
        let Some(body) = &procedure.body else {
            return (self.locals, self.labels, self.out);
        };
        self.circles = flow::circles(body, &self.context.effects);
        self.remember(&Moment::Entry, body.span);
        self.start_step(procedure);
        let has_ensures = procedure
            .contract()
            .any(|p| p.kind == PropertyKind::Ensures);
        if has_ensures {
            self.exit = Some(self.fresh_label("return", procedure.end));
        }
        for tag in &body.tags {
            self.remember(&Moment::Tag(tag.clone()), body.span);
        }
        for property in procedure.contract() {
            if property.kind == PropertyKind::Requires
                && let Some(condition) = &property.condition
            {
                match self.context.counter {
                    Some(_) => self.check(property, ":requires"),
                    None => self.assume(condition.clone(), property.span),
                }
            }
        }
        self.statement(body, true);
        if let Some(exit) = self.exit {
            self.push(StmtKind::Label(exit), procedure.end);
            for property in procedure.contract() {
                if property.kind == PropertyKind::Ensures {
                    self.check(property, ":ensures");
                }
            }
        }
        (self.locals, self.labels, self.out)
    }

    fn verify_call(mut self, number: usize) -> Done {
        let reader = self.context.reader;
        let (Some(procedure), Some(call)) = (self.procedure.take(), reader.calls.get(number))
        else {
            return (self.locals, self.labels, self.out);
        };
        let span = call.span;
        for &(what, place) in &reader.unsupported {
            self.unsupported(what, place);
        }
        if let (Some(counter), Some(trace)) = (self.context.counter, &reader.trace) {
            // A proof about one run is none about the program.
            self.unsupported(crate::witness::LEFT_OUT, trace.span);
            self.assign(vec![(VarRef::Global(counter), int(0, span))], trace.span);
            for (global, value) in &trace.globals {
                let variable = var(VarRef::Global(*global), &value.ty, value.span);
                self.assume(equal(variable, value.clone(), value.span), value.span);
            }
            if trace.entry != call.procedure {
                self.dead(trace.span);
            }
        }
        // The values that the contract is about stay, whatever the call does to global variables.
        let mut values = BTreeMap::new();
        for (index, arg) in call.args.iter().enumerate() {
            values.insert(VarRef::Local(LocalId::new(index)), arg.clone());
        }
        for property in procedure.contract() {
            if property.kind == PropertyKind::Requires
                && let Some(mut condition) = property.condition.clone()
                && self.is_about(&condition, procedure, &[Part::In])
            {
                Substitute(&values).visit_expr(&mut condition);
                self.assume(condition, property.span);
            }
        }
        let results: Vec<VarRef> = procedure
            .outs
            .iter()
            .map(|out| self.temporary(&out.name, &out.ty, out.span))
            .collect();
        self.push(
            StmtKind::Call {
                callee: ProcedureId::new(call.procedure),
                type_args: Vec::new(),
                args: call.args.clone(),
                results,
                free: false,
                attributes: Vec::new(),
            },
            span,
        );
        (self.locals, self.labels, self.out)
    }

    /// Whether a formula mentions only such variables of a procedure, and global ones.
    fn is_about(&self, formula: &Expr, procedure: &Procedure, parts: &[Part]) -> bool {
        let mut fits = true;
        formula.visit(&mut |expr| {
            if let ExprKind::Var(VarRef::Local(id)) = expr.kind {
                fits &= parts.contains(&procedure.part(id));
            }
        });
        fits
    }

    // --- what is remembered and checked -------------------------------------------------------

    fn remember(&mut self, moment: &Moment, span: Span) {
        let Some(procedure) = self.procedure else {
            return;
        };
        let first = procedure.variables().count();
        let mut pairs = Vec::new();
        for (index, snapshot) in procedure.snapshots.iter().enumerate() {
            if snapshot.moment == *moment {
                let value = var(snapshot.variable, &snapshot.ty, span);
                pairs.push((VarRef::Local(LocalId::new(first + index)), value));
            }
        }
        self.assign(pairs, span);
    }

    /// A property has to hold here. Where the verification is restricted to a trace, only what it is about counts.
    fn check(&mut self, property: &Property, what: &str) {
        let Some(condition) = &property.condition else {
            return;
        };
        match (self.context.counter, &self.context.reader.trace) {
            (Some(counter), Some(trace)) => {
                if trace.violated.contains(&property.span) {
                    let span = property.span;
                    let done = self.at_step(counter, trace.steps.len(), span);
                    self.assert(implies(done, condition.clone()), what, span);
                }
            }
            _ => self.assert(condition.clone(), what, property.span),
        }
    }

    /// What is annotated to the start of a statement.
    fn checks(&mut self, statement: &Statement) {
        for tag in &statement.tags {
            self.remember(&Moment::Tag(tag.clone()), statement.span);
        }
        let is_head = matches!(
            statement.kind,
            StatementKind::While { .. } | StatementKind::Label(_)
        );
        for property in &statement.properties {
            match property.kind {
                PropertyKind::CheckTrue => self.check(property, ":check-true"),
                PropertyKind::Invariant if !is_head => {
                    self.unsupported(
                        "an `:invariant` of what is no loop and no label",
                        property.span,
                    );
                }
                PropertyKind::Invariant => {}
                PropertyKind::Requires | PropertyKind::Ensures => {}
                kind => {
                    if let (Some(what), None) = (kind.liveness(), self.context.counter) {
                        self.unsupported(what, property.span);
                    }
                }
            }
        }
    }

    /// Whether something is remembered elsewhere than at the start of the procedure.
    fn remembers_inside(&self) -> bool {
        let Some(procedure) = self.procedure else {
            return false;
        };
        procedure
            .snapshots
            .iter()
            .any(|snapshot| match &snapshot.moment {
                Moment::Entry => false,
                Moment::Tag(tag) => !procedure.is_start(tag),
            })
    }

    /// What a statement changes: variables, and what is remembered of them inside.
    fn modified(&self, statement: &Statement) -> BTreeSet<VarRef> {
        let mut changed = flow::modified(statement, &self.context.effects);
        let Some(procedure) = self.procedure else {
            return changed;
        };
        let mut tags = BTreeSet::new();
        statement.visit(&mut |inside| tags.extend(&inside.tags));
        let first = procedure.variables().count();
        for (index, snapshot) in procedure.snapshots.iter().enumerate() {
            if let Moment::Tag(tag) = &snapshot.moment
                && tags.contains(tag)
            {
                changed.insert(VarRef::Local(LocalId::new(first + index)));
            }
        }
        changed
    }

    fn invariants(statement: &Statement) -> Vec<&Property> {
        let properties = statement.properties.iter();
        properties
            .filter(|property| property.kind == PropertyKind::Invariant)
            .collect()
    }

    fn conjunction(properties: &[&Property], span: Span) -> Expr {
        let conditions = properties.iter().filter_map(|p| p.condition.clone());
        all(conditions.collect(), span)
    }
}
