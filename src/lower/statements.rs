//! Statements as locations and edges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ult_lang::hir::{BlockId, Condition, Expr, Implementation, LabelId, Stmt, StmtKind, VarRef};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::activation::Call;
use super::builder::{Builder, NewObligation, message};
use super::checking;
use super::frame::{Frame, Slot};
use super::origin::Step;
use super::sorts::string_argument;
use super::unit::{Abstraction, ObligationKind};
use super::unsupported::UnsupportedExpr;
use ult_core::formula::Version;
use ult_core::graph::{LocationId, Transition};

/// A body being lowered.
pub struct Body<'p> {
    /// Where its names lead.
    pub frame: Frame,
    /// The text.
    pub implementation: &'p Implementation,
    /// Where `return` leads.
    exit: LocationId,
    labels: BTreeMap<LabelId, LocationId>,
    breaks: BTreeMap<BlockId, LocationId>,
}

impl<'a> Builder<'_, 'a> {
    /// The statements of a body from here on; control is then at its exit.
    pub fn body(&mut self, frame: Frame, implementation: &'a Implementation) {
        let exit = self.location(&format!("{}exit", frame.prefix));
        let mut body = Body {
            frame,
            implementation,
            exit,
            labels: BTreeMap::new(),
            breaks: BTreeMap::new(),
        };
        self.statements(&mut body, &implementation.body);
        if self.is_live() {
            self.returns(&body, implementation.end);
        }
        self.go_on_at(exit);
    }

    /// Control leaves the body. In the modular reading the postconditions are obligations of each place where the
    /// unit's own procedure returns, as for Boogie; else they are behind the body, once.
    fn returns(&mut self, body: &Body<'a>, span: Span) {
        let program = self.lowering.program;
        if self.lowering.options.modular
            && self.chain.len() == 1
            && let Some(procedure) = program.procedures.get(body.frame.procedure.index())
        {
            for clause in &procedure.ensures {
                self.at_end(&body.frame, clause, span);
            }
        }
        let origin = self.origins.add(span, Step::ReturnStatement, body.frame.id);
        self.jump(body.exit, origin);
    }

    fn statements(&mut self, body: &mut Body<'a>, statements: &'a [Stmt]) {
        for statement in statements {
            ensure_stack(|| self.statement(body, statement));
        }
    }

    fn statement(&mut self, body: &mut Body<'a>, statement: &'a Stmt) {
        let span = statement.span;
        let frame = body.frame.id;
        match &statement.kind {
            StmtKind::Assert {
                condition,
                attributes,
            } => {
                let goal = self.goal(&body.frame, condition);
                let goal = self.under(&body.frame, attributes, goal);
                // A translator to Boogie could not express something: where the condition fails,
                // nobody knows.
                let kind = if let Some(what) = string_argument(attributes, "unsupported") {
                    ObligationKind::Unsupported { what: what.into() }
                } else if let Some(property) = string_argument(attributes, "undefined") {
                    let property = property.into();
                    ObligationKind::Condition { property }
                } else {
                    ObligationKind::Assert
                };
                let obligation = NewObligation {
                    kind,
                    span,
                    clause: None,
                    message: message(attributes),
                };
                self.oblige(&body.frame, goal, obligation);
            }
            StmtKind::Assume {
                condition,
                attributes,
            } => match string_argument(attributes, "approximated") {
                Some(what) => self.approximated(&body.frame, condition, &what, span),
                None => {
                    let step = match string_argument(attributes, "undefined") {
                        Some(property) => Step::Defined(property.into()),
                        None => Step::Assume,
                    };
                    self.assume_expr(&body.frame, condition, span, step);
                    if attributes.iter().any(|a| a.name == checking::START) {
                        self.start_checking();
                    }
                }
            },
            StmtKind::Havoc(variables) => self.havoc(&body.frame, variables, span),
            StmtKind::Assign { pairs } => self.assign(&body.frame, pairs, span),
            StmtKind::Call {
                callee,
                type_args,
                args,
                results,
                free,
                attributes,
            } => {
                let call = Call {
                    callee: *callee,
                    type_args,
                    args,
                    results,
                    free: *free,
                    attributes,
                    span,
                };
                self.call(&body.frame, &call);
            }
            StmtKind::CallForall { .. } => {
                // It only adds an assumption: leaving it out allows more.
                let unsupported = UnsupportedExpr::new("`call forall`", span);
                self.assume(Err(unsupported), span, Step::Unsupported, frame);
            }
            StmtKind::If {
                id,
                condition,
                then,
                otherwise,
            } => {
                let end = self.numbered_location("join");
                body.breaks.insert(*id, end);
                let (yes, no) = self.branch(&body.frame, condition.as_ref(), span);
                for (start, statements) in [(yes, then), (no, otherwise)] {
                    self.go_on_at(start);
                    self.statements(body, statements);
                    if self.is_live() {
                        let origin = self.origins.add(span, Step::Skip, frame);
                        self.jump(end, origin);
                    }
                }
                self.go_on_at(end);
            }
            StmtKind::While {
                id,
                condition,
                invariants,
                body: statements,
            } => self.while_loop(body, *id, condition.as_ref(), invariants, statements, span),
            StmtKind::Break(id) => match body.breaks.get(id).copied() {
                Some(target) => {
                    let origin = self.origins.add(span, Step::Goto, frame);
                    self.jump(target, origin);
                }
                None => self.anything(&body.frame, "a `break` out of nothing", span),
            },
            StmtKind::Goto(targets) => {
                self.here();
                for &target in targets {
                    let target = self.label(body, target);
                    let origin = self.origins.add(span, Step::Goto, frame);
                    let skip = Transition::assume(self.terms().tt());
                    self.edge_to(target, skip, origin);
                }
                self.gone();
            }
            StmtKind::Label(label) => {
                let target = self.label(body, *label);
                if self.is_live() {
                    let origin = self.origins.add(span, Step::Skip, frame);
                    self.jump(target, origin);
                }
                self.go_on_at(target);
            }
            StmtKind::Return => self.returns(body, span),
            StmtKind::Unsupported { what } => self.anything(&body.frame, what, span),
        }
    }

    fn label(&mut self, body: &mut Body<'a>, label: LabelId) -> LocationId {
        if let Some(&location) = body.labels.get(&label) {
            return location;
        }
        let name = body.implementation.labels.get(label.index());
        let name = name.map_or("label", |l| &*l.name);
        let location = self.location(&format!("{}{name}", body.frame.prefix));
        body.labels.insert(label, location);
        location
    }

    /// Where the two outcomes of a condition lead.
    fn branch(
        &mut self,
        frame: &Frame,
        condition: Option<&Expr>,
        span: Span,
    ) -> (LocationId, LocationId) {
        let t = self.terms();
        let lowered = condition.map(|e| self.expr(frame, e));
        let span = condition.map_or(span, |e| e.span);
        let (formulas, why) = match lowered {
            None => ([t.tt(), t.tt()], None),
            Some(Ok(condition)) => ([condition, t.not(condition)], None),
            Some(Err(unsupported)) => ([t.tt(), t.tt()], Some(self.note(&unsupported, frame.id))),
        };
        let here = self.here();
        let mut targets = Vec::new();
        for (formula, taken) in formulas.into_iter().zip([true, false]) {
            self.go_on_at(here);
            let free = condition.is_none();
            let origin = self
                .origins
                .add(span, Step::Branch { taken, free }, frame.id);
            let edge = self.step(Transition::assume(formula), origin);
            if let Some(why) = &why {
                self.abstracted.insert(edge, why.clone());
            }
            targets.push(self.here());
        }
        (targets[0], targets[1])
    }

    /// A loop. In the whole-program reading the given invariants are checked where the loop is
    /// entered and after each round, and may then be assumed at its head. In the modular reading
    /// they become assertions at the head, and [`super::cut`] takes the loop apart later.
    fn while_loop(
        &mut self,
        body: &mut Body<'a>,
        id: BlockId,
        condition: Option<&Expr>,
        invariants: &'a [Condition],
        statements: &'a [Stmt],
        span: Span,
    ) {
        let modular = self.lowering.options.modular;
        let head = self.numbered_location(&format!("{}loop", body.frame.prefix));
        let end = self.numbered_location("join");
        body.breaks.insert(id, end);
        if !modular {
            self.check_invariants(&body.frame, invariants, false);
        }
        let origin = self.origins.add(span, Step::Loop, body.frame.id);
        self.jump(head, origin);
        self.go_on_at(head);
        self.graph.graph[head].loop_head = true;
        self.graph.graph[head].origin = Some(origin);
        for invariant in invariants {
            if modular && !invariant.free {
                let kind = ObligationKind::InvariantInitiation;
                self.oblige_clause(&body.frame, invariant, kind, invariant.span);
            } else {
                self.assume_expr(
                    &body.frame,
                    &invariant.expr,
                    invariant.span,
                    Step::Invariant,
                );
            }
        }
        let (inside, outside) = self.branch(&body.frame, condition, span);
        self.go_on_at(inside);
        self.statements(body, statements);
        if self.is_live() {
            if !modular {
                self.check_invariants(&body.frame, invariants, true);
            }
            let origin = self.origins.add(span, Step::Loop, body.frame.id);
            self.jump(head, origin);
        }
        self.go_on_at(outside);
        let origin = self.origins.add(span, Step::Skip, body.frame.id);
        self.jump(end, origin);
        self.go_on_at(end);
    }

    fn check_invariants(&mut self, frame: &Frame, invariants: &[Condition], again: bool) {
        for invariant in invariants.iter().filter(|i| !i.free) {
            let kind = if again {
                ObligationKind::InvariantConsecution
            } else {
                ObligationKind::InvariantInitiation
            };
            self.oblige_clause(frame, invariant, kind, invariant.span);
        }
    }

    /// The graph's variable for a variable that is written.
    pub fn slot<'b>(&'b self, frame: &'b Frame, variable: VarRef) -> Option<&'b Slot> {
        match variable {
            VarRef::Global(id) => self.globals.get(id.index()),
            VarRef::Local(id) => frame.locals.get(id.index()),
            _ => None,
        }
    }

    /// `havoc`; a variable whose type has no sort is not in the graph and needs no havoc.
    fn havoc(&mut self, frame: &Frame, variables: &[VarRef], span: Span) {
        let names: Vec<Arc<str>> = variables
            .iter()
            .filter_map(|&v| Some(self.slot(frame, v)?.as_ref().ok()?.0.clone()))
            .collect();
        let origin = self.origins.add(span, Step::Havoc, frame.id);
        let mut havoc = Transition::havoc(self.terms(), names);
        havoc.formula = self.assumptions_stay(frame, variables, havoc.formula);
        self.step(havoc, origin);
        for &variable in variables {
            if let Some(clause) = self.where_clause(frame, variable) {
                self.assume_expr(frame, clause, span, Step::Where);
            }
        }
    }

    /// Whether a variable has the attribute.
    pub(super) fn has_attribute(&self, frame: &Frame, variable: VarRef, name: &str) -> bool {
        let program = self.lowering.program;
        let attributes = match variable {
            VarRef::Global(id) => program.globals.get(id.index()).map(|g| &g.attributes),
            VarRef::Local(id) => frame
                .implementation
                .and_then(|implementation| program.implementations.get(implementation.index()))
                .and_then(|implementation| implementation.variable(id))
                .map(|variable| &variable.attributes),
            _ => None,
        };
        attributes.is_some_and(|attributes| attributes.iter().any(|a| a.name == name))
    }

    /// The `where` clause of a variable.
    pub fn where_clause(&self, frame: &Frame, variable: VarRef) -> Option<&'a Expr> {
        let program = self.lowering.program;
        match variable {
            VarRef::Global(id) => program.globals.get(id.index())?.where_clause.as_ref(),
            VarRef::Local(id) => {
                let procedure = program.procedures.get(frame.procedure.index())?;
                if let Some(parameter) = procedure.parameter(id) {
                    return parameter.where_clause.as_ref();
                }
                let implementation = frame.implementation?;
                program
                    .implementations
                    .get(implementation.index())?
                    .variable(id)?
                    .where_clause
                    .as_ref()
            }
            _ => None,
        }
    }

    /// A parallel assignment, as one transition. A value that cannot be expressed may be any.
    fn assign(&mut self, frame: &Frame, pairs: &[(VarRef, Expr)], span: Span) {
        let t = self.terms();
        let mut changed = BTreeSet::new();
        let mut equations = Vec::new();
        let mut why: Option<Abstraction> = None;
        for (variable, value) in pairs {
            let Some(Ok((name, sort))) = self.slot(frame, *variable).cloned() else {
                continue;
            };
            changed.insert(name.clone());
            match self.expr(frame, value) {
                Ok(term) if *t.sort(term) == sort => {
                    equations.push(t.eq(t.var(name, Version::Next, sort), term));
                }
                Ok(_) => {
                    let unsupported =
                        UnsupportedExpr::new("an assignment between types", value.span);
                    why = Some(self.note(&unsupported, frame.id));
                }
                Err(unsupported) => why = Some(self.note(&unsupported, frame.id)),
            }
        }
        let origin = self.origins.add(span, Step::Assign, frame.id);
        let transition = Transition {
            formula: t.and(equations),
            changed,
        };
        let edge = self.step(transition, origin);
        if let Some(why) = why {
            self.abstracted.insert(edge, why);
        }
    }

    /// An assumption with which a translator to Boogie says that from here on the program may do more
    /// than what it was translated from: proofs count, runs that pass do not.
    fn approximated(&mut self, frame: &Frame, condition: &Expr, what: &str, span: Span) {
        let why = self.note(&UnsupportedExpr::new(what, span), frame.id);
        let Ok(condition) = self.expr(frame, condition) else {
            self.assume_expr(frame, condition, span, Step::Assume);
            return;
        };
        let origin = self.origins.add(span, Step::Assume, frame.id);
        let edge = self.step(Transition::assume(condition), origin);
        self.abstracted.insert(edge, why);
    }

    /// A statement whose effect is unknown: reaching it is not decided, and afterwards all
    /// variables may have changed.
    fn anything(&mut self, frame: &Frame, what: &str, span: Span) {
        let unsupported = UnsupportedExpr::new(what, span);
        let obligation = NewObligation {
            kind: ObligationKind::Assert,
            span,
            clause: None,
            message: None,
        };
        let why = Abstraction::Unsupported { what: what.into() };
        let checked = Frame {
            checked: true,
            ..frame.clone()
        };
        self.oblige(&checked, Err(unsupported), obligation);
        let names: Vec<Arc<str>> = self
            .globals
            .iter()
            .chain(&frame.locals)
            .filter_map(|slot| Some(slot.as_ref().ok()?.0.clone()))
            .collect();
        let origin = self.origins.add(span, Step::Unsupported, frame.id);
        let edge = self.step(Transition::havoc(self.terms(), names), origin);
        self.abstracted.insert(edge, why);
    }
}
