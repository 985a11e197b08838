//! The steps of a trace, where they are taken.

use std::collections::BTreeSet;

use ult_lang::hir::{self, Expr, GlobalId, Type, VarRef};
use ult_lang::span::Span;

use super::{Body, implies, int, var};
use crate::operators::{equal, nary, not};
use crate::program::{Procedure, Property};
use crate::trace::Step;

impl<'c> Body<'c> {
    pub(super) fn at_step(&self, counter: GlobalId, number: usize, span: Span) -> Expr {
        let counter = var(VarRef::Global(counter), &Type::Int, span);
        equal(counter, int(number, span), span)
    }

    pub(super) fn any_of(&self, counter: GlobalId, numbers: &[usize], span: Span) -> Expr {
        let here = numbers.iter().map(|&n| self.at_step(counter, n, span));
        nary(hir::NaryOp::Or, here.collect(), Type::Bool, span)
    }

    pub(super) fn advance(&mut self, counter: GlobalId, span: Span) {
        let variable = VarRef::Global(counter);
        let now = var(variable, &Type::Int, span);
        let next = nary(hir::NaryOp::Add, vec![now, int(1, span)], Type::Int, span);
        self.assign(vec![(variable, next)], span);
    }

    /// The next step is one of these, and variables have the values that it says.
    pub(super) fn take(&mut self, steps: &[(usize, Vec<(VarRef, Expr)>)], span: Span) {
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

    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, &'c Step)> + use<'c> {
        let trace = self.context.reader.trace.as_ref();
        trace.into_iter().flat_map(|t| t.steps.iter().enumerate())
    }

    /// At the start of a procedure.
    pub(super) fn start_step(&mut self, procedure: &Procedure) {
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
    pub(super) fn resolved(
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

    pub(super) fn havoc_step(&mut self, variables: &[VarRef], span: Span) {
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

    pub(super) fn choice_step(&mut self, chosen: usize, span: Span) {
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
    pub(super) fn leap(
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
