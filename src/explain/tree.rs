//! Traces with branches: a derivation, fact by fact.

use std::collections::HashSet;

use ult_core::graph::evidence::{Run, Step, Walk};
use ult_lang::span::Span;

use super::trace::{BackTranslation, RunStep};

/// Of a larger derivation, so many facts at its beginning and at its end are told.
const SHOWN_AT_ENDS: usize = 1000;

/// The facts told so far.
#[derive(Default)]
struct Facts {
    steps: Vec<RunStep>,
    told: HashSet<(Span, String)>,
    /// What each branch derives.
    ends: Vec<Option<String>>,
}

impl BackTranslation<'_> {
    /// The facts of a derivation, each told once, after those that it follows from. The violation is the last one.
    pub(super) fn tree(&self, run: &Run) -> Vec<RunStep> {
        let mut facts = Facts {
            steps: vec![self.start(run)],
            ..Facts::default()
        };
        let mut plans = self.plans.borrow_mut();
        for branch in &run.branches {
            let mut walk = Walk::from(&mut plans, &branch.start, &run.rigid);
            let mut end = None;
            for step in &branch.steps {
                end = self.fact(step, end, &mut walk, &mut facts);
            }
            facts.ends.push(end);
        }
        let mut walk = Walk::new(&mut plans, run);
        let decisive = self.decisive(run);
        let (mut end, mut cause) = (None, None);
        for (number, step) in run.steps.iter().enumerate() {
            end = self.fact(step, end, &mut walk, &mut facts);
            if Some(number) == decisive {
                cause = self.cause(step.edge, &walk);
            }
        }
        let mut steps = facts.steps;
        if let Some(last) = steps.last_mut() {
            last.violation = true;
            last.cause = cause;
        }
        let last = steps.len().saturating_sub(SHOWN_AT_ENDS);
        if last > SHOWN_AT_ENDS {
            let left_out = steps.drain(SHOWN_AT_ENDS..last).count();
            steps[SHOWN_AT_ENDS].left_out = left_out as u64;
        }
        steps
    }

    /// Takes a step after `before`, and tells what it derives.
    fn fact(
        &self,
        step: &Step,
        before: Option<String>,
        walk: &mut Walk<'_, '_>,
        facts: &mut Facts,
    ) -> Option<String> {
        // It was confirmed.
        walk.step(step).ok()?;
        let mut told = self.step(step.edge, walk)?;
        let branches = step.premises().iter();
        let others = branches.filter_map(|&branch| facts.ends.get(branch)?.as_deref());
        let from: Vec<&str> = before.as_deref().into_iter().chain(others).collect();
        if !from.is_empty() {
            let from = format!("from {}", from.join(", "));
            told.remark = Some(match told.remark.take() {
                Some(remark) => format!("{remark}, {from}"),
                None => from,
            });
        }
        let fact = told.statement.clone();
        if told.violation || facts.told.insert((told.span, fact.clone())) {
            facts.steps.push(told);
        }
        Some(fact)
    }
}
