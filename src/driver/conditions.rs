//! What C leaves to the programmer: conditions without which behavior is undefined.
//!
//! A C program that is checked without a named property is verified twice. First come its assertions, under the assumption that
//! the conditions hold: that is the easier question, and the one that was asked. Then come the conditions themselves, in a
//! translation that checks each of them. A proof of the assertions counts as SAFE together with proofs of all conditions; alone
//! it is CONDITIONAL.

use std::sync::Arc;

use super::context::Context;
use super::language::Language;
use super::result::{Conclusion, ObligationReport, Report, UnitReport};
use super::settings::Settings;
use super::translations::{is_complete, is_same, join, take_pictures};
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_lang::diagnostic::{Diagnostic, Id};

/// What is said of a program without assertions.
const INSTEAD: &str = "that no behavior is undefined, since the program contains no assertion";

/// Whether the conditions are to be checked after the assertions.
fn are_wanted(report: &Report, settings: &Settings) -> bool {
    report.language == Language::C && settings.c.conditions.is_some() && !report.is_rejected()
}

/// The time for the assertions: half of it, where the conditions are to be checked, too.
pub(super) fn for_assertions(language: Language, context: Context<'_>) -> Control {
    let Context {
        settings, control, ..
    } = context;
    match settings.c.conditions {
        Some(_) if language == Language::C => {
            control.within(control.remaining().map(|left| left / 2))
        }
        _ => control.clone(),
    }
}

/// What is to be verified after the assertions.
pub(super) struct Next {
    /// About nothing yet.
    pub(super) report: Report,
    /// With the conditions as properties.
    pub(super) settings: Settings,
    /// Whether it takes the place of the first report: the program has no assertions.
    pub(super) is_instead: bool,
}

/// The conditions of a program whose assertions were verified, if they are to be looked at.
pub(super) fn next(report: &mut Report, context: Context<'_>) -> Option<Next> {
    if !are_wanted(report, context.settings) {
        return None;
    }
    if let Err(stop) = context.control.check() {
        report.unchecked = Some(stop.into());
        return None;
    }
    let mut settings = context.settings.clone();
    if let Some(conditions) = settings.c.conditions.take() {
        settings.c.properties = settings.c.properties.or(&conditions);
    }
    let is_instead = report.is_trivial();
    let mut all = Report::new(report.source.clone(), Language::C);
    if is_instead {
        all.statistics = report.statistics.clone();
    } else {
        // Whoever cannot wait gets what is known, and that this is not all.
        report.unchecked = Some(Reason::Timeout);
        context.progress.publish(report.clone());
    }
    Some(Next {
        report: all,
        settings,
        is_instead,
    })
}

/// Adds what was found about the conditions, or takes it instead.
pub(super) fn add(report: &mut Report, all: Report, is_instead: bool) {
    if is_instead {
        *report = instead(all);
        return;
    }
    report.statistics.add(&all.statistics);
    add_all(report, all);
}

/// A program without assertions: its conditions are all that there is to verify.
fn instead(mut all: Report) -> Report {
    if !all.is_rejected() {
        all.basis.checked = Some(INSTEAD.into());
    }
    // There was: the whole program.
    let is_news = |found: &Diagnostic| found.id != Id::NOTHING_TO_CHECK;
    all.diagnostics.retain(is_news);
    all
}

/// Adds what was found about the conditions: what the second look has and the first one has not.
fn add_all(report: &mut Report, all: Report) {
    let mut units = all.units.iter().filter(|unit| !is_complete(unit));
    let open = units.next().map(|unit| {
        let reason = unit.stopped.clone();
        reason.unwrap_or(Reason::Timeout)
    });
    report.unchecked = match all.is_rejected() {
        true => Some(Reason::Internal("another reading is rejected".into())),
        false => all.stopped.clone().or(open),
    };
    if report.unchecked.is_none() {
        report.basis.assumptions.clone_from(&all.basis.assumptions);
    }
    for found in all.units {
        match report.units.iter_mut().find(|unit| unit.name == found.name) {
            Some(unit) if !is_complete(unit) && is_complete(&found) => *unit = found,
            Some(unit) => add_to_unit(Arc::make_mut(unit), &found),
            None => report.units.push(found),
        }
    }
    for diagnostic in all.diagnostics {
        if !report.diagnostics.contains(&diagnostic) {
            report.diagnostics.push(diagnostic);
        }
    }
    // Then there is a trace that shows it.
    if report.obligations().any(is_violated_condition) {
        report.diagnostics.retain(|found| found.id != Id::UNDEFINED);
    }
}

fn is_violated_condition(obligation: &ObligationReport) -> bool {
    obligation.is_condition && obligation.verdict.is_unsafe()
}

fn add_to_unit(unit: &mut UnitReport, found: &UnitReport) {
    for other in &found.obligations {
        match unit.obligations.iter_mut().find(|own| is_same(own, other)) {
            // The trace is undefined before it gets there.
            Some(own) if own.verdict.is_unsafe() && other.verdict.is_safe() => *own = other.clone(),
            Some(own) => join(own, other),
            None => unit.obligations.push(ObligationReport {
                is_condition: true,
                ..other.clone()
            }),
        }
    }
    unit.obligations.sort_by_key(|obligation| obligation.span);
    if unit.conclusion() != Conclusion::Unsafe && unit.invariants.is_empty() {
        take_pictures(unit, found);
    }
}
