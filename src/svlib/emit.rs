//! From programs in SV-LIB to typed programs.
//!
//! What somebody annotated is a part of the specification: an invariant has to be inductive, and a contract to hold for
//! each call that it allows. So loops with invariants and calls of procedures with contracts are known by these alone,
//! and a run may `leap` over them, as the standard says (sections 6.2, 6.3 and 7.3). All else is as it is executed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use ult_lang::hir::visit::mutable::{VisitMut, walk_expr};
use ult_lang::hir::{
    self, Attribute, AttributeArgument, BinaryOp, BlockId, Expr, ExprKind, Global, GlobalId,
    Implementation, ImplementationId, Label, LabelId, LocalId, ProcedureId, Program, Stmt,
    StmtKind, Type, VarRef,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::flow;
use crate::operators::{all, nary, not};
use crate::program::{Moment, Part, Procedure, Property, PropertyKind, Statement, StatementKind};
use crate::reader::Reader;
use crate::trace::{Step, equal};

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

    /// What cannot be verified: if runs get here, nobody knows. They go on all the same.
    fn unsupported(&mut self, what: &'static str, span: Span) {
        let kind = ExprKind::Unsupported { what };
        let condition = Expr::new(kind, Type::Bool, span);
        self.branch(
            None,
            span,
            |body| body.assert(condition, what, span),
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
    fn checks(&mut self, statement: &Statement, is_body: bool) {
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
                PropertyKind::Requires | PropertyKind::Ensures if is_body => {}
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

    // --- statements ---------------------------------------------------------------------------

    fn statement(&mut self, statement: &Statement, is_body: bool) {
        ensure_stack(|| self.contract(statement, is_body));
    }

    /// A statement with its own contract, if it has one.
    fn contract(&mut self, statement: &Statement, is_body: bool) {
        let of = |kind: PropertyKind| -> Vec<&Property> {
            let properties = statement.properties.iter();
            properties
                .filter(|property| property.kind == kind)
                .collect()
        };
        let requires = of(PropertyKind::Requires);
        let ensures = of(PropertyKind::Ensures);
        if is_body || requires.is_empty() && ensures.is_empty() {
            return self.plain(statement, is_body);
        }
        let span = statement.span;
        for tag in &statement.tags {
            self.remember(&Moment::Tag(tag.clone()), span);
        }
        for property in &requires {
            self.check(property, ":requires");
        }
        let jumps = flow::has_jumps(statement);
        if jumps || self.context.counter.is_some() {
            if jumps && self.context.counter.is_none() {
                self.unsupported(
                    "a contract of a statement that is jumped into or out of",
                    span,
                );
            }
            self.plain(statement, false);
            for property in &ensures {
                self.check(property, ":ensures");
            }
            return;
        }
        let modified = self.modified(statement);
        let any = modified.clone();
        self.branch(
            None,
            span,
            |body| {
                body.havoc(any, span);
                body.assume(Self::conjunction(&requires, span), span);
                body.plain(statement, false);
                for property in &ensures {
                    body.check(property, ":ensures");
                }
                body.dead(span);
            },
            |_| (),
        );
        self.havoc(modified, span);
        self.assume(Self::conjunction(&ensures, span), span);
    }

    fn plain(&mut self, statement: &Statement, is_body: bool) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::While { condition, body } => {
                return self.while_loop(statement, condition, body, is_body);
            }
            StatementKind::Label(name) => return self.labelled(statement, name, is_body),
            _ => self.checks(statement, is_body),
        }
        match &statement.kind {
            StatementKind::Assume(condition) => self.assume(condition.clone(), span),
            StatementKind::Assign(pairs) => self.assign(pairs.clone(), span),
            StatementKind::Sequence(parts) => {
                for part in parts {
                    self.statement(part, false);
                }
            }
            StatementKind::Call {
                callee,
                args,
                results,
            } => self.call(*callee, args, results, span),
            StatementKind::Return => match self.exit {
                Some(exit) => self.push(StmtKind::Goto(vec![exit]), span),
                None => self.push(StmtKind::Return, span),
            },
            StatementKind::Goto(name) => {
                let label = self.label(name, span);
                self.push(StmtKind::Goto(vec![label]), span);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(
                Some(condition.clone()),
                condition.span,
                |body| body.statement(then, false),
                |body| {
                    if let Some(otherwise) = otherwise {
                        body.statement(otherwise, false);
                    }
                },
            ),
            StatementKind::Break => {
                if let Some(around) = self.loops.last() {
                    let leave = around.leave;
                    self.push(StmtKind::Break(leave), span);
                }
            }
            StatementKind::Continue => {
                if let Some(around) = self.loops.last() {
                    let next = around.next;
                    self.push(StmtKind::Goto(vec![next]), span);
                }
            }
            StatementKind::Havoc(variables) => {
                self.havoc(variables.iter().copied(), span);
                self.havoc_step(variables, span);
            }
            StatementKind::Choice(parts) => self.choice(parts, 0),
            StatementKind::While { .. } | StatementKind::Label(_) => {}
        }
    }

    fn choice(&mut self, parts: &[Statement], number: usize) {
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        let work = |body: &mut Self| {
            body.choice_step(number, first.span);
            body.statement(first, false);
        };
        match rest.is_empty() {
            true => work(self),
            false => ensure_stack(|| {
                self.branch(None, first.span, work, |body| body.choice(rest, number + 1));
            }),
        }
    }

    fn labelled(&mut self, statement: &Statement, name: &str, is_body: bool) {
        let span = statement.span;
        let label = self.label(name, span);
        self.push(StmtKind::Label(label), span);
        let invariants = Self::invariants(statement);
        for tag in &statement.tags {
            self.remember(&Moment::Tag(tag.clone()), span);
        }
        for property in &invariants {
            self.check(property, ":invariant");
        }
        if !invariants.is_empty() {
            let changed = self.circles.get(name).cloned();
            match self.context.counter {
                Some(_) => {
                    let changed = changed.unwrap_or_default();
                    self.leap(&statement.tags, &changed, &invariants, span);
                }
                None => {
                    if let Some(changed) = changed {
                        if self.remembers_inside() {
                            let what = "an invariant of a label beside `at`";
                            self.unsupported(what, span);
                        }
                        self.havoc(changed, span);
                        self.assume(Self::conjunction(&invariants, span), span);
                    }
                }
            }
        }
        self.checks(statement, is_body);
    }

    fn while_loop(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        inside: &Statement,
        is_body: bool,
    ) {
        let span = statement.span;
        let invariants = Self::invariants(statement);
        let whole = self.procedure.and_then(|procedure| procedure.body.as_ref());
        let entered = whole.is_some_and(|whole| flow::is_entered(whole, statement));
        if entered && !invariants.is_empty() && self.context.counter.is_none() {
            self.unsupported("an invariant of a loop that is jumped into", span);
        }
        let leave = self.block();
        let next = self.fresh_label("next", span);
        self.loops.push(Loop { leave, next });
        let continues = flow::continues(inside);
        let round = |body: &mut Self| {
            body.statement(inside, false);
            if continues {
                body.push(StmtKind::Label(next), span);
            }
        };
        if invariants.is_empty() || entered || self.context.counter.is_some() {
            let changed = self.modified(statement);
            let head = |body: &mut Self| {
                for property in &invariants {
                    body.check(property, ":invariant");
                }
                body.leap(&statement.tags, &changed, &invariants, span);
                body.checks(statement, is_body);
            };
            head(self);
            let inner = self.apart(|body| {
                round(body);
                head(body);
            });
            let kind = StmtKind::While {
                id: leave,
                condition: Some(condition.clone()),
                invariants: Vec::new(),
                body: inner,
            };
            self.push(kind, condition.span);
        } else {
            for property in &invariants {
                self.check(property, ":invariant when the loop is entered");
            }
            let changed = self.modified(statement);
            self.havoc(changed, span);
            self.assume(Self::conjunction(&invariants, span), span);
            self.checks(statement, is_body);
            self.branch_as(
                leave,
                Some(condition.clone()),
                condition.span,
                |body| {
                    round(body);
                    for property in &invariants {
                        body.check(property, ":invariant after a round");
                    }
                    body.dead(span);
                },
                |_| (),
            );
        }
        self.loops.pop();
    }

    fn call(&mut self, callee: usize, args: &[Expr], results: &[VarRef], span: Span) {
        let reader = self.context.reader;
        let Some(target) = reader.procedures.get(callee) else {
            return;
        };
        if !target.has_contract() || self.context.counter.is_some() {
            let kind = StmtKind::Call {
                callee: ProcedureId::new(callee),
                type_args: Vec::new(),
                args: args.to_vec(),
                results: results.to_vec(),
                free: false,
                attributes: Vec::new(),
            };
            return self.push(kind, span);
        }
        let mut values = BTreeMap::new();
        let mut given = Vec::new();
        for (index, (arg, param)) in args.iter().zip(&target.ins).enumerate() {
            let name = format!("{}.{}", target.name, param.name);
            let temporary = self.temporary(&name, &param.ty, span);
            given.push((temporary, arg.clone()));
            let value = var(temporary, &param.ty, span);
            values.insert(VarRef::Local(LocalId::new(index)), value);
        }
        self.assign(given, span);
        let mut given = Vec::new();
        for (index, out) in target.outs.iter().enumerate() {
            let name = format!("{}.{}", target.name, out.name);
            let temporary = self.temporary(&name, &out.ty, span);
            given.push(temporary);
            let id = LocalId::new(target.ins.len() + index);
            values.insert(VarRef::Local(id), var(temporary, &out.ty, span));
        }
        // What global variables were before the call.
        let first = target.variables().count();
        let mut before = Vec::new();
        let mut known = vec![Part::In, Part::Out];
        let mut all_known = true;
        for (index, snapshot) in target.snapshots.iter().enumerate() {
            let at_start = match &snapshot.moment {
                Moment::Entry => true,
                Moment::Tag(tag) => target.is_start(tag),
            };
            if at_start && matches!(snapshot.variable, VarRef::Global(_)) {
                let temporary = self.temporary(&snapshot.name, &snapshot.ty, span);
                before.push((temporary, var(snapshot.variable, &snapshot.ty, span)));
                let value = var(temporary, &snapshot.ty, span);
                values.insert(VarRef::Local(LocalId::new(first + index)), value);
            } else {
                all_known = false;
            }
        }
        if all_known {
            known.push(Part::Snapshot);
        }
        for property in target.contract() {
            let Some(condition) = &property.condition else {
                continue;
            };
            let parts = match property.kind {
                PropertyKind::Requires => &[Part::In][..],
                _ => &known[..],
            };
            if !self.is_about(condition, target, parts) {
                self.unsupported(
                    "a contract that mentions what callers do not know",
                    property.span,
                );
                // All that is left is to execute it.
                let kind = StmtKind::Unsupported {
                    what: "a contract that mentions what callers do not know",
                };
                return self.push(kind, span);
            }
        }
        let said = |property: &Property| {
            let mut condition = property.condition.clone();
            if let Some(condition) = &mut condition {
                Substitute(&values).visit_expr(condition);
            }
            condition
        };
        for property in target.contract() {
            if property.kind == PropertyKind::Requires
                && let Some(condition) = said(property)
            {
                let what = format!(":requires of `{}`", target.name);
                self.assert(condition, &what, span);
            }
        }
        self.assign(before, span);
        let globals = self.context.effects.get(callee).into_iter().flatten();
        let globals: Vec<VarRef> = globals.map(|&id| VarRef::Global(id)).collect();
        self.havoc(given.iter().copied().chain(globals), span);
        for property in target.contract() {
            if property.kind == PropertyKind::Ensures
                && let Some(condition) = said(property)
            {
                self.assume(condition, span);
            }
        }
        let pairs = results.iter().zip(given).map(|(&result, given)| {
            let ty = self.type_of(given);
            (result, var(given, &ty, span))
        });
        let pairs = pairs.collect();
        self.assign(pairs, span);
    }

    // --- traces -------------------------------------------------------------------------------

    fn at_step(&self, counter: GlobalId, number: usize, span: Span) -> Expr {
        let counter = var(VarRef::Global(counter), &Type::Int, span);
        equal(counter, int(number, span), span)
    }

    fn any_of(&self, counter: GlobalId, numbers: &[usize], span: Span) -> Expr {
        let here = numbers.iter().map(|&n| self.at_step(counter, n, span));
        nary(hir::NaryOp::Or, here.collect(), Type::Bool, span)
    }

    fn advance(&mut self, counter: GlobalId, span: Span) {
        let variable = VarRef::Global(counter);
        let now = var(variable, &Type::Int, span);
        let next = nary(hir::NaryOp::Add, vec![now, int(1, span)], Type::Int, span);
        self.assign(vec![(variable, next)], span);
    }

    /// The next step is one of these, and variables have the values that it says.
    fn take(&mut self, steps: &[(usize, Vec<(VarRef, Expr)>)], span: Span) {
        let Some(counter) = self.context.counter else {
            return;
        };
        let numbers: Vec<usize> = steps.iter().map(|(number, _)| *number).collect();
        let here = self.any_of(counter, &numbers, span);
        self.assume(here, span);
        for (number, values) in steps {
            for (variable, value) in values {
                let is = equal(var(*variable, &value.ty, span), value.clone(), span);
                let here = self.at_step(counter, *number, span);
                self.assume(implies(here, is), span);
            }
        }
        self.advance(counter, span);
    }

    fn steps(&self) -> impl Iterator<Item = (usize, &'c Step)> + use<'c> {
        let trace = self.context.reader.trace.as_ref();
        trace.into_iter().flat_map(|t| t.steps.iter().enumerate())
    }

    /// At the start of a procedure.
    fn start_step(&mut self, procedure: &Procedure) {
        let Some(counter) = self.context.counter else {
            return;
        };
        let span = procedure.span;
        let mut own = Vec::new();
        let mut others = Vec::new();
        for (number, step) in self.steps() {
            if let Step::Start {
                procedure: index,
                values,
            } = step
            {
                let named = self.context.reader.procedures.get(*index);
                if named.is_some_and(|p| p.name == procedure.name) {
                    let values = values.iter().cloned();
                    let values = values.map(|(id, value)| (VarRef::Local(id), value));
                    own.push((number, values.collect()));
                } else {
                    others.push(number);
                }
            }
        }
        let numbers: Vec<usize> = own.iter().map(|(number, _)| *number).collect();
        let here = self.any_of(counter, &numbers, span);
        let wrong = self.any_of(counter, &others, span);
        self.branch(
            Some(here),
            span,
            |body| body.take(&own, span),
            // The standard wants traces refused where another procedure is named.
            |body| body.assume(not(wrong, span), span),
        );
    }

    /// Values with the variables that a statement may give them to; `None` if one of them is no such variable.
    fn resolved(
        &self,
        values: &[(String, Expr)],
        allowed: &[VarRef],
    ) -> Option<Vec<(VarRef, Expr)>> {
        let procedure = self.procedure?;
        let mut found = Vec::new();
        for (name, value) in values {
            let variable = match procedure.find(name) {
                Some((id, _)) => VarRef::Local(id),
                None => {
                    let globals = &self.context.reader.names.globals;
                    VarRef::Global(GlobalId::new(globals.iter().position(|g| g.name == *name)?))
                }
            };
            let ty = self.type_of(variable);
            if !allowed.contains(&variable) || value.ty != ty {
                return None;
            }
            found.push((variable, value.clone()));
        }
        Some(found)
    }

    fn havoc_step(&mut self, variables: &[VarRef], span: Span) {
        if self.context.counter.is_none() {
            return;
        }
        let mut steps = Vec::new();
        for (number, step) in self.steps() {
            if let Step::Havoc(values) = step
                && let Some(values) = self.resolved(values, variables)
            {
                steps.push((number, values));
            }
        }
        self.take(&steps, span);
    }

    fn choice_step(&mut self, chosen: usize, span: Span) {
        if self.context.counter.is_none() {
            return;
        }
        let steps = self.steps().filter_map(|(number, step)| match step {
            Step::Choice(choice) if *choice == chosen => Some((number, Vec::new())),
            _ => None,
        });
        let steps: Vec<_> = steps.collect();
        self.take(&steps, span);
    }

    /// At a loop head: the run may go on in another state that the invariants allow.
    fn leap(
        &mut self,
        tags: &[String],
        changed: &BTreeSet<VarRef>,
        invariants: &[&Property],
        span: Span,
    ) {
        let Some(counter) = self.context.counter else {
            return;
        };
        let allowed: Vec<VarRef> = changed.iter().copied().collect();
        let mut steps = Vec::new();
        for (number, step) in self.steps() {
            if let Step::Leap { tag, values } = step
                && tags.contains(tag)
                && !invariants.is_empty()
                && let Some(values) = self.resolved(values, &allowed)
            {
                steps.push((number, values));
            }
        }
        if steps.is_empty() {
            return;
        }
        let numbers: Vec<usize> = steps.iter().map(|(number, _)| *number).collect();
        let here = self.any_of(counter, &numbers, span);
        let holds = Self::conjunction(invariants, span);
        self.branch(
            Some(here),
            span,
            |body| {
                body.havoc(allowed, span);
                body.take(&steps, span);
                body.assume(holds, span);
            },
            |_| (),
        );
    }
}
