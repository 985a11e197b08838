//! The units of a program one after the other: which comes when, with how much time, and how often.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::hir;
use ult_lower::plan::EntryError;
use ult_lower::pools::with_pools;
use ult_lower::unit::UnitPlan;
use ult_lower::{CallPolicy, Lowering, Overview, graph::lower_graphs};

use super::attempt::{Attempt, attempt};
use super::attempts::Attempts;
use super::bounded_datatypes::Readings;
#[cfg(feature = "circuits")]
use super::certificate;
use super::context::Context;
use super::language::Language;
use super::progress::Activity;
use super::result::Report;
use super::settings::Settings;
use super::{order, stack, summaries};

/// How many activations of a recursive procedure are inlined inside each other, attempt by
/// attempt. The last ones are for procedures that call themselves once; others reach the limit on the
/// size of a graph before ([`Options::inline_limit`](ult_lower::Options::inline_limit)).
pub const DEPTHS: [u32; 14] = [0, 1, 2, 3, 4, 6, 8, 12, 18, 28, 44, 70, 130, 260];

/// No attempt gets less time than this, if there is as much.
pub(crate) const LEAST_SHARE: Duration = Duration::from_secs(1);

/// Verifies a program.
pub(crate) fn programs(
    report: &mut Report,
    program: &hir::Program,
    context: Context<'_>,
) -> Result<(), EntryError> {
    let reading = &context.settings.reading;
    let program = &*match reading.modular {
        true => with_pools(program),
        false => Cow::Borrowed(program),
    };
    let overview = &Arc::new(Overview::new(program, reading)?);
    let whole = Whole { program, overview };
    let deepens = reading.calls != CallPolicy::Contract && !reading.modular;
    let depths: &[u32] = if deepens { &DEPTHS } else { &[] };
    let mut run = Run::new(report, context, depths);
    run.first_round(whole);
    if deepens {
        run.inferred_round(program);
    }
    run.later_rounds(whole);
    run.finish();
    Ok(())
}

/// A program, and what there is to know about it as a whole.
#[derive(Clone, Copy)]
struct Whole<'p> {
    program: &'p hir::Program,
    overview: &'p Arc<Overview>,
}

/// The work on one file.
pub(crate) struct Run<'r> {
    context: Context<'r>,
    report: &'r mut Report,
    attempts: Attempts,
    start: Instant,
    /// The circuit, if its verdict is to come with a certificate.
    #[cfg(feature = "circuits")]
    pub(crate) interface: Option<ult_circuits::Interface>,
}

impl<'r> Run<'r> {
    /// Nothing is done yet. Recursive calls may be inlined as deep as `depths` say.
    pub(crate) fn new(
        report: &'r mut Report,
        context: Context<'r>,
        depths: &'static [u32],
    ) -> Run<'r> {
        Run {
            context,
            report,
            attempts: Attempts::new(depths, context.settings),
            start: Instant::now(),
            #[cfg(feature = "circuits")]
            interface: None,
        }
    }

    /// Every unit once, as the contracts stand.
    fn first_round(&mut self, whole: Whole<'_>) {
        let (program, mut queue) = (whole.program, whole.overview.queue());
        // What has to be known even if nothing is decided: which units there are.
        let mut number = 0;
        let mut waiting: VecDeque<(usize, UnitPlan)> = queue.by_ref().enumerate().collect();
        for (_, plan) in &waiting {
            self.attempts.expect(name_of(program, *plan), *plan);
        }
        self.publish();
        if self.context.control.remaining().is_some() {
            waiting
                .make_contiguous()
                .sort_by_cached_key(|(_, plan)| order::difficulty(program, *plan));
        }
        while let Some((index, plan)) = waiting.pop_front() {
            let left = waiting.len() + 1;
            number += 1;
            let share = self.share(left);
            let name = name_of(program, plan);
            let given = self.context.settings.reading.recursion_depth;
            let (attempt, unit) =
                self.limited(share, &name, number, number - 1 + left, |run, control| {
                    run.first_attempt(whole, index, plan, control)
                });
            if let Some(unit) = unit {
                queue.add(&unit);
                let known = self.attempts.len();
                for plan in queue.by_ref() {
                    waiting.push_back((self.attempts.len(), plan));
                    self.attempts.expect(name_of(program, plan), plan);
                }
                self.update(known..self.attempts.len());
            }
            self.settle(index, attempt, given, share);
        }
    }

    /// All units with contracts that are inferred, if the user's say too little.
    fn inferred_round(&mut self, program: &hir::Program) {
        if !self.attempts.has_weak_units() || self.context.control.check().is_err() {
            return;
        }
        // The rest is for deeper inlining, which finds violations.
        let share = self.context.control.remaining().map(|left| left * 3 / 4);
        let control = self.context.control.within(share);
        let mut statistics = Statistics::default();
        let mut notices = Vec::new();
        let inferred = guarded(|| {
            Ok(summaries::infer(
                program,
                self.context.settings,
                &self.report.source,
                &control,
                &mut statistics,
                &mut notices,
            ))
        });
        self.report.statistics.add(&statistics);
        self.notice(notices);
        let mut changed = BTreeSet::new();
        for (plan, mut attempt) in inferred.unwrap_or_default() {
            self.notice(std::mem::take(&mut attempt.notices));
            changed.append(&mut self.attempts.confirm(plan, attempt));
        }
        self.update(changed);
    }

    /// Again and again what may still be decided: with more time, or with deeper inlining.
    fn later_rounds(&mut self, whole: Whole<'_>) {
        loop {
            let again = self.attempts.improvable();
            if again.is_empty() {
                return;
            }
            let mut improved = false;
            for (i, &(index, depth)) in again.iter().enumerate() {
                if self.context.control.check().is_err() {
                    return;
                }
                let share = self.share(again.len() - i);
                let Some((name, plan)) = self.attempts.retry(index, depth, share) else {
                    continue;
                };
                improved = true;
                let units = self.attempts.len();
                let (attempt, _) = self.limited(share, &name, index + 1, units, |run, control| {
                    run.boogie_attempt(whole, index, plan, depth, control)
                });
                self.settle(index, attempt, depth, share);
            }
            if !improved {
                return;
            }
        }
    }

    /// Program graphs, as they were written.
    pub(crate) fn graphs(&mut self, terms: &Terms, program: &hir::GraphProgram) {
        let start = Instant::now();
        let lowered = guarded(|| Ok(lower_graphs(terms, program)));
        self.report.statistics.lower_time += start.elapsed();
        let units = match lowered {
            Ok(units) => units,
            Err(reason) => {
                self.report.stopped = Some(reason);
                return;
            }
        };
        self.units(terms, &units);
    }

    /// Program graphs, one after the other.
    pub(crate) fn units(&mut self, terms: &Terms, units: &[ult_lower::LoweredUnit]) {
        for unit in units {
            self.attempts.expect_graph(unit.graph.name.clone());
        }
        self.publish();
        let mut order: Vec<(usize, &ult_lower::LoweredUnit)> = units.iter().enumerate().collect();
        if self.context.control.remaining().is_some() {
            order.sort_by_key(|(_, unit)| unit.graph.graph.edge_count());
        }
        for (number, (index, unit)) in order.into_iter().enumerate() {
            let share = self.share(units.len() - number);
            let name = unit.graph.name.clone();
            let (result, ()) =
                self.limited(share, &name, number + 1, units.len(), |run, control| {
                    let source = &run.report.source;
                    let settings = run.context.settings;
                    let begun = (Instant::now(), control);
                    let mut tell = |partial| run.tell(index, partial, 0, begun);
                    let result = attempt(terms, unit, source, settings, control, &mut tell);
                    (result, ())
                });
            #[cfg(feature = "circuits")]
            if let Some(interface) = &self.interface {
                let verdicts = &result.verdicts;
                let options = &self.context.settings.verify.check;
                let made = guarded(|| {
                    let made = certificate::certificate(
                        terms,
                        unit,
                        interface,
                        verdicts,
                        options,
                        self.context.control,
                    );
                    Ok(made)
                });
                let made = made.unwrap_or_else(|bug| Err(bug.to_string()));
                self.report.certificate = Some(made);
            }
            self.settle(index, result, 0, share);
        }
    }

    /// The traces of a recursive unit are followed first. If that leaves something open, only the violations that it found count.
    fn first_attempt(
        &self,
        whole: Whole<'_>,
        index: usize,
        plan: UnitPlan,
        control: &Control,
    ) -> (Attempt, Option<ult_lower::LoweredUnit>) {
        let settings = self.context.settings;
        let mut violations = Attempt::default();
        if let Some(settings) = stack::settings(whole.overview, plan, settings) {
            // The rest is for those who look for contracts.
            let control = control.within(control.remaining().map(|left| left / 2));
            let followed = self.attempt_under(&settings, whole, index, plan, &control);
            if followed.0.decides_all() {
                return followed;
            }
            violations = followed.0;
        }
        let given = settings.reading.recursion_depth;
        let (mut attempt, unit) = self.boogie_attempt(whole, index, plan, given, control);
        attempt.add_violations(violations);
        (attempt, unit)
    }

    /// Lowers and verifies a unit, with recursive calls inlined so deep.
    fn boogie_attempt(
        &self,
        whole: Whole<'_>,
        index: usize,
        plan: UnitPlan,
        depth: u32,
        control: &Control,
    ) -> (Attempt, Option<ult_lower::LoweredUnit>) {
        let mut settings = self.context.settings.clone();
        settings.reading.recursion_depth = depth;
        self.attempt_under(&settings, whole, index, plan, control)
    }

    /// Lowers and verifies a unit, in a store of terms of its own.
    fn attempt_under(
        &self,
        settings: &Settings,
        Whole { program, overview }: Whole<'_>,
        index: usize,
        plan: UnitPlan,
        control: &Control,
    ) -> (Attempt, Option<ult_lower::LoweredUnit>) {
        let reading = settings.reading.clone();
        let depth = reading.recursion_depth;
        // A page about it wants its graph in any case.
        let is_wanted = reading.modular || settings.verify.common.record;
        if !is_wanted && overview.owes_nothing(plan) {
            return (Attempt::default(), None);
        }
        let terms = Terms::new();
        let start = Instant::now();
        let lowered = guarded(|| {
            let lowering = Lowering::of(&terms, program, reading, overview.clone());
            Ok(lowering.lower(plan))
        });
        let lower_time = start.elapsed();
        match lowered {
            Ok(unit) => {
                // The contract of a procedure without a body is no claim but an assumption.
                let relies: BTreeSet<_> = unit
                    .relies_on
                    .iter()
                    .filter_map(|id| program.procedures.get(id.index()))
                    .map(|procedure| &*procedure.name)
                    .collect();
                let claims = |mut attempt: Attempt| {
                    attempt.contracts.retain(|name| relies.contains(&**name));
                    attempt
                };
                let readings = Readings {
                    terms: &terms,
                    source: &self.report.source,
                    settings,
                    control,
                };
                let again = |reading| {
                    let lowering = Lowering::of(&terms, program, reading, overview.clone());
                    lowering.lower(plan)
                };
                let begun = (start, control);
                let tell = &mut |partial| self.tell(index, claims(partial), depth, begun);
                let mut result = claims(readings.attempt(&unit, again, tell));
                result.statistics.lower_time += lower_time;
                (result, Some(unit))
            }
            Err(reason) => (
                Attempt {
                    failure: Some(reason),
                    ..Attempt::default()
                },
                None,
            ),
        }
    }

    /// The time for the next of `open` pieces of work.
    fn share(&self, left: usize) -> Option<Duration> {
        let limit = self.context.settings.unit_limit;
        let Some(remaining) = self.context.control.remaining() else {
            return limit;
        };
        let left = u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        let share = (remaining / left).max(LEAST_SHARE).min(remaining);
        Some(limit.map_or(share, |limit| limit.min(share)))
    }

    /// Does a piece of work under a limit of its own.
    fn limited<T>(
        &self,
        share: Option<Duration>,
        name: &Arc<str>,
        number: usize,
        units: usize,
        work: impl FnOnce(&Self, &Control) -> (Attempt, T),
    ) -> (Attempt, T) {
        // It may be hastened.
        let control = self.context.control.within(share).branch();
        self.context.progress.begin(Activity {
            unit: name.clone(),
            number,
            units,
            since: Instant::now(),
        });
        work(self, &control)
    }

    fn settle(&mut self, index: usize, mut attempt: Attempt, depth: u32, share: Option<Duration>) {
        self.report.statistics.add(&attempt.statistics);
        self.notice(std::mem::take(&mut attempt.notices));
        let changed = self.attempts.enter(index, attempt, depth, share);
        self.update(changed);
    }

    /// Shows what an attempt has decided while it goes on. It is not entered before it is over, and after a violation that is soon.
    fn tell(&self, index: usize, partial: Attempt, depth: u32, begun: (Instant, &Control)) {
        if let Some(unit) = self.attempts.entry_during(index, partial, depth) {
            let (since, control) = begun;
            if unit.has_violation()
                && let Some(patience) = self.context.settings.patience_after(since.elapsed())
            {
                control.hasten(patience);
            }
            let seconds = self.start.elapsed().as_secs_f64();
            let statistics = &self.report.statistics;
            self.context
                .progress
                .update(&[(index, unit)], statistics, seconds);
        }
    }

    /// Adds messages about what is kept.
    fn notice(&mut self, notices: Vec<Diagnostic>) {
        for notice in notices {
            if !self.report.diagnostics.contains(&notice) {
                self.report.diagnostics.push(notice);
            }
        }
    }

    /// Shows all units, about which nothing is known yet.
    fn publish(&mut self) {
        let all = 0..self.attempts.len();
        self.report.units = all.filter_map(|index| self.attempts.entry(index)).collect();
        let mut report = self.report.clone();
        report.seconds = self.start.elapsed().as_secs_f64();
        self.context.progress.publish(report);
    }

    /// Shows what is known by now about some units.
    fn update(&mut self, units: impl IntoIterator<Item = usize>) {
        let entry = |index| Some((index, self.attempts.entry(index)?));
        let changed: Vec<_> = units.into_iter().filter_map(entry).collect();
        for (index, unit) in &changed {
            // The report is what remains if the work ends by a bug.
            match self.report.units.get_mut(*index) {
                Some(place) => *place = unit.clone(),
                None => self.report.units.push(unit.clone()),
            }
        }
        let seconds = self.start.elapsed().as_secs_f64();
        self.context
            .progress
            .update(&changed, &self.report.statistics, seconds);
    }

    /// What is open becomes UNKNOWN for good.
    pub(crate) fn finish(&mut self) {
        let stop = self.context.control.check().err().map(Reason::from);
        let entries = self.attempts.entries(stop.as_ref());
        self.report.units = entries.iter().map(|entry| entry.unit.clone()).collect();
        for diagnostic in entries.into_iter().flat_map(|entry| entry.diagnostics) {
            if !self.report.diagnostics.contains(&diagnostic) {
                self.report.diagnostics.push(diagnostic);
            }
        }
        // Horn clauses without a query have a model.
        if self.report.is_trivial() && self.report.language != Language::Horn {
            self.report.diagnostics.push(Diagnostic {
                id: Id::NOTHING_TO_CHECK,
                severity: Severity::Warning,
                message: "there is nothing to check".into(),
                labels: Vec::new(),
                help: Some("no unit contains an assertion or has a contract to keep".into()),
            });
        }
    }
}

fn name_of(program: &hir::Program, plan: UnitPlan) -> Arc<str> {
    match program.procedures.get(plan.procedure.index()) {
        Some(procedure) => (&*procedure.name).into(),
        None => "?".into(),
    }
}
