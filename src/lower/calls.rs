//! Calls: inlined, or through the contract. For bodies that are in the graph once, see [`shared_bodies`](super::shared_bodies).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use ult_lang::hir::{
    Callee, Expr, GlobalId, ImplementationId, LocalId, Meaning, Procedure, ProcedureId, Reading,
    VarRef, Variable,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::activation::{Activation, Call};
use super::builder::{Builder, NewObligation, assumption, goal, message};
use super::expr::ExprLowering;
use super::frame::{ContractScope, Frame, Slot, slot_term};
use super::options::CallPolicy;
use super::origin::{FrameId, Step};
use super::plan;
use super::quantified_types::{self, Goal};
use super::sorts::TypeEnv;
use super::summaries::CallValues;
use super::unit::{Abstraction, Displayed, ObligationKind};
use super::unsupported::UnsupportedExpr;
use ult_core::formula::{Term, Version};
use ult_core::graph::{EdgeId, Origin, Transition};

impl<'a> Builder<'_, 'a> {
    /// A call statement.
    pub fn call(&mut self, frame: &Frame, call: &Call<'_>) {
        let program = self.lowering.program;
        let Some(callee) = program.procedures.get(call.callee.index()) else {
            return;
        };
        let mut types = TypeEnv::new();
        for (param, arg) in callee.type_params.iter().zip(call.type_args) {
            // One without a sort stays unknown, and what mentions it is unsupported.
            if let Ok(sort) = self.lowering.symbols.sort(arg, &frame.types) {
                types.insert(param.id, sort);
            }
        }
        if self.inlines(call.callee, callee) {
            let before = self.graph.graph.edge_count();
            let is_outermost = self.before_call.is_none();
            self.before_call.get_or_insert(before);
            ensure_stack(|| match self.is_shared(call.callee, callee) {
                true => self.call_shared(frame, call, callee, types),
                false => self.inline(frame, call, callee, types),
            });
            if is_outermost {
                self.before_call = None;
                self.brought += self.graph.graph.edge_count() - before;
            }
        } else {
            self.through_contract(frame, call, callee, &types);
        }
    }

    fn inlines(&self, id: ProcedureId, callee: &Procedure) -> bool {
        let options = &self.lowering.options;
        if callee.implementations.is_empty() {
            return false;
        }
        // The unit itself is as large as the user made it.
        let all = self.graph.graph.edge_count();
        let here = self.before_call.map_or(0, |before| all - before);
        let small_enough = self.brought + here < options.inline_limit;
        if options.modular {
            // Beyond the depth Boogie assumes that there is no call; here the contract stands for it.
            let depth = plan::inline_depth(self.lowering.program, callee);
            let active = self.chain[1..].iter().filter(|&&p| p == id).count();
            return small_enough && depth.is_some_and(|depth| active < depth as usize);
        }
        let allowed = match options.calls {
            CallPolicy::Contract => false,
            CallPolicy::Auto => small_enough,
            CallPolicy::Inline | CallPolicy::Once | CallPolicy::Stack => true,
        };
        if !self.lowering.is_recursive(id) || self.is_shared(id, callee) {
            return allowed;
        }
        // The unit itself is no inlined activation. The number of activations can grow with the
        // power of the depth, so the limit on the size holds under every policy.
        let active = self.chain[1..].iter().filter(|&&p| p == id).count();
        allowed && small_enough && active < options.recursion_depth as usize
    }

    // --- frames -------------------------------------------------------------------------------

    /// Declares the parameters of a procedure and opens a frame for it.
    pub fn open_frame(
        &mut self,
        id: ProcedureId,
        frame: FrameId,
        prefix: String,
        types: TypeEnv,
        checked: bool,
    ) -> Frame {
        let program = self.lowering.program;
        let procedure = &program.procedures[id.index()];
        let name: Arc<str> = (&*procedure.name).into();
        // Parameters are called as in the body, if there is just one.
        let (ins, outs) = match procedure.implementations[..] {
            [only] => {
                let implementation = &program.implementations[only.index()];
                (&implementation.ins, &implementation.outs)
            }
            _ => (&procedure.ins, &procedure.outs),
        };
        let mut locals = Vec::new();
        for variable in ins.iter().chain(outs) {
            locals.push(self.declare_local(variable, &prefix, &name, &types));
        }
        let changeable: Vec<GlobalId> = if self.lowering.overview.unknown_effects {
            (0..program.globals.len()).map(GlobalId::new).collect()
        } else {
            procedure.modifies.clone()
        };
        let olds = changeable
            .into_iter()
            .map(|global| (global, self.old_slot(global, &prefix)))
            .collect();
        Frame {
            id: frame,
            procedure: id,
            implementation: None,
            name,
            prefix,
            types,
            locals,
            olds,
            olds_used: Rc::new(RefCell::default()),
            checked,
        }
    }

    fn old_slot(&mut self, global: GlobalId, prefix: &str) -> Slot {
        match &self.globals[global.index()] {
            Ok((name, sort)) => {
                let wish = format!("{prefix}old.{name}");
                Ok((self.names.fresh(&wish), sort.clone()))
            }
            Err(what) => Err(what.clone()),
        }
    }

    fn declare_local(
        &mut self,
        variable: &Variable,
        prefix: &str,
        procedure: &Arc<str>,
        types: &TypeEnv,
    ) -> Slot {
        let sort = self.lowering.symbols.sort(&variable.ty, types)?;
        let displayed = Displayed {
            name: (&*variable.name).into(),
            procedure: Some(procedure.clone()),
            old: false,
        };
        let wish = format!("{prefix}{}", variable.name);
        Ok((self.declare(&wish, sort.clone(), displayed), sort))
    }

    /// The frame with the locals of one of the procedure's bodies.
    pub fn frame_of_body(&mut self, frame: &Frame, id: ImplementationId) -> Frame {
        let implementation = &self.lowering.program.implementations[id.index()];
        let mut frame = frame.clone();
        frame.implementation = Some(id);
        for variable in &implementation.locals {
            let slot = self.declare_local(variable, &frame.prefix, &frame.name, &frame.types);
            frame.locals.push(slot);
        }
        frame
    }

    /// Lets the edge on which a frame was entered remember the values of the globals that `old`
    /// turned out to need.
    pub fn remember_olds(&mut self, frame: &Frame, entry: EdgeId) {
        let t = self.terms();
        let used: Vec<GlobalId> = frame.olds_used.borrow().iter().copied().collect();
        let mut equations = Vec::new();
        for id in used {
            let (Some(Ok((old, sort))), Ok((name, _))) =
                (frame.olds.get(&id), &self.globals[id.index()])
            else {
                continue;
            };
            let displayed = Displayed {
                name: (&*self.lowering.program.globals[id.index()].name).into(),
                procedure: Some(frame.name.clone()),
                old: true,
            };
            equations.push(t.eq(
                t.next(old.clone(), sort.clone()),
                t.current(name.clone(), sort.clone()),
            ));
            let (old, sort) = (old.clone(), sort.clone());
            self.declare_as(old.clone(), sort, displayed);
            self.graph.graph[entry].transition.changed.insert(old);
        }
        let formula = self.graph.graph[entry].transition.formula;
        equations.insert(0, formula);
        self.graph.graph[entry].transition.formula = t.and(equations);
    }

    /// The bodies of a frame's procedure, chosen freely, with their `where` clauses.
    pub fn bodies(&mut self, frames: Vec<(Frame, ImplementationId)>, span: Span) {
        let program = self.lowering.program;
        let here = self.here();
        let join = (frames.len() > 1).then(|| self.numbered_location("join"));
        for (frame, id) in frames {
            let implementation = &program.implementations[id.index()];
            self.go_on_at(here);
            if join.is_some() {
                let origin = self
                    .origins
                    .add(implementation.span, Step::Choose, frame.id);
                self.step(Transition::assume(self.terms().tt()), origin);
            }
            let parameters = implementation.ins.len() + implementation.outs.len();
            for (i, variable) in implementation.locals.iter().enumerate() {
                if let Some(clause) =
                    self.where_clause(&frame, VarRef::Local(LocalId::new(parameters + i)))
                {
                    self.assume_expr(&frame, clause, variable.span, Step::Where);
                }
            }
            let locals = parameters..parameters + implementation.locals.len();
            self.assumptions_hold(&frame, locals, implementation.span);
            let frame_id = frame.id;
            self.body(frame, implementation);
            if let Some(join) = join {
                let origin = self.origins.add(span, Step::Skip, frame_id);
                self.jump(join, origin);
            }
        }
        if let Some(join) = join {
            self.go_on_at(join);
        }
    }

    /// Assumes the `where` clauses of parameters.
    pub fn assume_parameters(&mut self, frame: &Frame, from: usize, variables: &'a [Variable]) {
        for (i, variable) in variables.iter().enumerate() {
            let id = VarRef::Local(LocalId::new(from + i));
            if let Some(clause) = self.where_clause(frame, id) {
                self.assume_expr(frame, clause, variable.span, Step::Where);
            }
        }
    }

    // --- inlining -----------------------------------------------------------------------------

    fn inline(&mut self, caller: &Frame, call: &Call<'_>, callee: &'a Procedure, types: TypeEnv) {
        let origin = self.call_origin(caller, call, callee);
        let activation = self.activation(caller, call, callee, types, origin);
        let entry = self.enter(caller, call, &activation, origin);
        self.execute(&activation, call);
        let (results, origin) = self.results(caller, call, &activation);
        self.step(results, origin);
        self.remember_olds(&activation.frame, entry);
    }

    /// Where a call of a body comes from.
    pub fn call_origin(&mut self, caller: &Frame, call: &Call<'_>, callee: &Procedure) -> Origin {
        let step = Step::Call((&*callee.name).into());
        self.origins.add(call.span, step, caller.id)
    }

    /// A new copy of the callee's variables.
    pub fn activation(
        &mut self,
        caller: &Frame,
        call: &Call<'_>,
        callee: &'a Procedure,
        types: TypeEnv,
        origin: Origin,
    ) -> Activation<'a> {
        let number = self.instances.entry(call.callee).or_insert(0);
        *number += 1;
        let prefix = format!("{}#{number}.", callee.name);
        let name: Arc<str> = (&*callee.name).into();
        let id = self
            .origins
            .add_frame(Some(call.callee), name, Some(origin));
        let checked = self.is_checked(caller, call);
        let frame = self.open_frame(call.callee, id, prefix, types, checked);
        let bodies: Vec<(Frame, ImplementationId)> = callee
            .implementations
            .iter()
            .map(|&i| (self.frame_of_body(&frame, i), i))
            .collect();
        self.inlined
            .extend(bodies.iter().map(|(frame, _)| frame.clone()));
        Activation {
            callee,
            frame,
            bodies,
        }
    }

    /// Whether the obligations in the body are to be proved for this call: what the caller's own verification covers, the
    /// call is part of.
    pub fn is_checked(&self, caller: &Frame, call: &Call<'_>) -> bool {
        caller.checked && !self.is_known(call)
    }

    /// Whether the callee's own verification says that its obligations hold in this call.
    fn is_known(&self, call: &Call<'_>) -> bool {
        self.lowering.is_verified_for_all_calls(call.callee) && !call.free
    }

    /// Parameters get their values, and the precondition is seen to. The edge is the one on which the callee is entered.
    pub fn enter(
        &mut self,
        caller: &Frame,
        call: &Call<'_>,
        entered: &Activation<'a>,
        origin: Origin,
    ) -> EdgeId {
        let t = self.terms();
        let Activation {
            callee,
            frame,
            bodies,
        } = entered;
        if self.is_known(call) {
            self.relies_on.insert(call.callee);
        }
        // All that is no parameter becomes arbitrary.
        let mut changed = BTreeSet::new();
        for slot in bodies.iter().flat_map(|(f, _)| &f.locals).flatten() {
            changed.insert(slot.0.clone());
        }
        let mut equations = Vec::new();
        let mut why = None;
        for (slot, arg) in frame.locals.iter().zip(call.args) {
            let Ok((name, sort)) = slot else { continue };
            match self.expr(caller, arg) {
                Ok(term) if t.sort(term) == sort => {
                    equations.push(t.eq(t.next(name.clone(), sort.clone()), term));
                }
                Ok(_) => {
                    let unsupported = UnsupportedExpr::new("an argument of another type", arg.span);
                    why = Some(self.note(&unsupported, caller.id));
                }
                Err(unsupported) => why = Some(self.note(&unsupported, caller.id)),
            }
        }
        let transition = Transition {
            formula: t.and(equations),
            changed,
        };
        let entry = self.step(transition, origin);
        if let Some(why) = why {
            self.abstracted.insert(entry, why);
        }

        // The precondition is the caller's duty.
        let reading = self.lowering.options.reading();
        for clause in &callee.requires {
            match clause.before_call(reading, Callee::Body, call.free) {
                Meaning::Nothing => {}
                Meaning::Assumed => {
                    self.assume_expr(frame, &clause.expr, clause.span, Step::Precondition);
                }
                Meaning::Owed => {
                    let mut condition = self.goal(frame, &clause.expr);
                    // Where Boogie inlines, the attributes of the call are not those of the precondition.
                    if reading != Reading::Modular {
                        condition = self.under(caller, call.attributes, condition);
                    }
                    let obligation = NewObligation {
                        kind: ObligationKind::Requires {
                            callee: frame.name.clone(),
                        },
                        span: call.span,
                        clause: Some(clause.span),
                        message: message(&clause.attributes),
                    };
                    self.oblige(caller, condition, obligation);
                }
            }
        }
        if reading.assumes_arguments(Callee::Body) {
            self.assume_parameters(frame, 0, &callee.ins);
        }
        self.assume_parameters(frame, callee.ins.len(), &callee.outs);
        entry
    }

    /// The callee's bodies and its postcondition.
    pub fn execute(&mut self, entered: &Activation<'a>, call: &Call<'_>) {
        let Activation {
            callee,
            frame,
            bodies,
        } = entered;
        self.chain.push(call.callee);
        self.bodies(bodies.clone(), call.span);
        self.chain.pop();
        let reading = self.lowering.options.reading();
        for clause in &callee.ensures {
            match clause.after_call(reading, Callee::Body) {
                // Elsewhere the callee's own verification covers it, and a trace of the modular reading does not break it.
                Meaning::Owed if frame.checked || reading != Reading::Whole => {
                    self.oblige_clause(frame, clause, ObligationKind::Ensures, clause.span);
                }
                Meaning::Assumed => {
                    self.assume_expr(frame, &clause.expr, clause.span, Step::Postcondition);
                }
                Meaning::Owed | Meaning::Nothing => {}
            }
        }
        if reading.assumes_results(Callee::Body) {
            self.assume_parameters(frame, callee.ins.len(), &callee.outs);
            for &global in &callee.modifies {
                if let Some(clause) = self.where_clause(frame, VarRef::Global(global)) {
                    self.assume_expr(frame, clause, clause.span, Step::Where);
                }
            }
        }
    }

    /// The step that hands the results over, all at once.
    pub fn results(
        &mut self,
        caller: &Frame,
        call: &Call<'_>,
        entered: &Activation<'a>,
    ) -> (Transition, Origin) {
        let t = self.terms();
        let frame = &entered.frame;
        let step = Step::Return(frame.name.clone());
        let origin = self.origins.add(call.span, step, caller.id);
        let mut changed = BTreeSet::new();
        let mut equations = Vec::new();
        let outs = &frame.locals[entered.callee.ins.len()..];
        for (&result, slot) in call.results.iter().zip(outs) {
            let Some(Ok((to, sort))) = self.slot(caller, result) else {
                continue;
            };
            changed.insert(to.clone());
            if let Ok((from, from_sort)) = slot
                && from_sort == sort
            {
                equations.push(t.eq(
                    t.next(to.clone(), sort.clone()),
                    t.current(from.clone(), sort.clone()),
                ));
            }
        }
        let transition = Transition {
            formula: t.and(equations),
            changed,
        };
        (transition, origin)
    }

    // --- contracts ----------------------------------------------------------------------------

    /// Checks the precondition, then makes everything arbitrary that the callee may change, under
    /// its postcondition: one transition.
    fn through_contract(
        &mut self,
        caller: &Frame,
        call: &Call<'_>,
        callee: &'a Procedure,
        types: &TypeEnv,
    ) {
        let t = self.terms();
        let name: Arc<str> = (&*callee.name).into();
        let has_body = !callee.implementations.is_empty();
        let reading = self.lowering.options.reading();
        let kind = match has_body {
            true => Callee::Contract,
            false => Callee::Declared,
        };
        let mut args: Vec<Result<Term, String>> = Vec::new();
        for arg in call.args {
            args.push(self.expr(caller, arg).map_err(|u| u.what));
        }
        let mut before: Vec<Result<Term, String>> = Vec::new();
        for slot in &self.globals {
            before.push(slot_term(t, Some(slot), Version::Current));
        }

        // Before the call.
        let outside: Vec<_> = callee
            .outs
            .iter()
            .map(|_| Err("an out-parameter before the call".to_owned()))
            .collect();
        let parameters: Vec<_> = args.iter().cloned().chain(outside).collect();
        let scope = ContractScope {
            parameters: &parameters,
            before: &before,
            after: &before,
        };
        let symbols = &self.lowering.symbols;
        let required = |e: &Expr| goal(&mut ExprLowering::new(symbols, &scope, types), e);
        let mut unchecked: Vec<&Expr> = Vec::new();
        for clause in &callee.requires {
            match clause.before_call(reading, kind, call.free) {
                Meaning::Nothing => unchecked.push(&clause.expr),
                Meaning::Assumed => {
                    let assumed = required(&clause.expr).map(|goal| goal.assumed);
                    self.assume(assumed, clause.span, Step::Precondition, caller.id);
                }
                Meaning::Owed => {
                    let condition = self.under(caller, call.attributes, required(&clause.expr));
                    let obligation = NewObligation {
                        kind: ObligationKind::Requires {
                            callee: name.clone(),
                        },
                        span: call.span,
                        clause: Some(clause.span),
                        message: message(&clause.attributes),
                    };
                    self.oblige(caller, condition, obligation);
                }
            }
        }
        let values = CallValues {
            before: &before,
            after: &before,
            parameters: &parameters,
        };
        if let Some(condition) = self.demanded(call.callee, &values, call.span) {
            let obligation = NewObligation {
                kind: ObligationKind::Inferred {
                    callee: name.clone(),
                },
                span: call.span,
                clause: None,
                message: None,
            };
            self.oblige(caller, condition.map(Goal::from), obligation);
        }
        if let Some(failing) = self.failing_call(call.callee, &values) {
            let origin = self.origins.add(call.span, Step::Violated, caller.id);
            let error = self.numbered_location("error");
            self.graph.graph[error].error = Some(format!("in {name}").into());
            let condition = self.failed().into_iter().chain([failing]);
            self.edge_to(error, Transition::assume(t.and(condition)), origin);
        }
        if has_body && reading != Reading::Modular {
            // The callee is verified under its `where` clauses and free preconditions, so they must hold here; that this
            // is no duty of the caller's makes a failure a matter of missing precision.
            let mut clauses = unchecked;
            for variable in &callee.ins {
                clauses.extend(&variable.where_clause);
            }
            for global in &self.lowering.program.globals {
                clauses.extend(&global.where_clause);
            }
            for clause in clauses {
                let condition = required(clause);
                let what = "what is not checked at a call through a contract";
                let obligation = NewObligation {
                    kind: ObligationKind::Unsupported { what: what.into() },
                    span: call.span,
                    clause: Some(clause.span),
                    message: None,
                };
                self.oblige(caller, condition, obligation);
            }
        }

        // Behind it.
        let mut changed = BTreeSet::new();
        let mut after = before.clone();
        let results: BTreeMap<VarRef, usize> = call
            .results
            .iter()
            .enumerate()
            .map(|(i, &r)| (r, i))
            .collect();
        for &global in &callee.modifies {
            let Ok((name, sort)) = &self.globals[global.index()] else {
                continue;
            };
            changed.insert(name.clone());
            after[global.index()] = Ok(if results.contains_key(&VarRef::Global(global)) {
                // The result overwrites what the callee left there.
                t.fresh_aux(name.clone(), sort.clone())
            } else {
                t.next(name.clone(), sort.clone())
            });
        }
        let mut parameters = args;
        for (i, out) in callee.outs.iter().enumerate() {
            let slot = call.results.get(i).and_then(|&r| self.slot(caller, r));
            let sort = symbols.sort(&out.ty, types);
            parameters.push(match (slot, sort) {
                (Some(Ok((name, sort))), Ok(own)) if *sort == own => {
                    changed.insert(name.clone());
                    Ok(t.next(name.clone(), own))
                }
                (Some(Ok((name, _))), _) => {
                    changed.insert(name.clone());
                    Err("a result of another type".into())
                }
                (_, Ok(own)) => Ok(t.fresh_aux(&*out.name, own)),
                (_, Err(what)) => Err(what),
            });
        }
        let scope = ContractScope {
            parameters: &parameters,
            before: &before,
            after: &after,
        };
        let ensures = callee.ensures.iter();
        let ensures = ensures.filter(|c| c.after_call(reading, kind) == Meaning::Assumed);
        let mut clauses: Vec<&Expr> = ensures.map(|c| &c.expr).collect();
        if reading.assumes_results(kind) {
            clauses.extend(callee.outs.iter().filter_map(|v| v.where_clause.as_ref()));
            for &global in &callee.modifies {
                clauses.extend(&self.lowering.program.globals[global.index()].where_clause);
            }
        }
        let lowered: Vec<Result<(Term, bool), UnsupportedExpr>> = clauses
            .into_iter()
            .map(|e| assumption(&mut ExprLowering::new(symbols, &scope, types), e))
            .collect();
        let mut conditions = Vec::new();
        let mut why = has_body.then(|| Abstraction::Contract {
            callee: name.clone(),
        });
        let values = CallValues {
            before: &before,
            after: &after,
            parameters: &parameters,
        };
        conditions.extend(self.summary(call.callee, &values));
        for condition in lowered {
            match condition {
                Ok((condition, exact)) => {
                    conditions.push(condition);
                    if !exact {
                        let what = quantified_types::WHAT.into();
                        why = why.or(Some(Abstraction::Weakened { what }));
                    }
                }
                Err(unsupported) => why = Some(self.note(&unsupported, caller.id)),
            }
        }
        if has_body {
            self.relies_on.insert(call.callee);
        }
        let origin = self.origins.add(call.span, Step::Contract(name), caller.id);
        let transition = Transition {
            formula: t.and(conditions),
            changed,
        };
        let edge = self.step(transition, origin);
        if let Some(why) = why {
            self.abstracted.insert(edge, why);
        }
    }
}
