//! A flat reading of a C program, for accesses that walk out of their array.
//!
//! That none does is a claim of the translation ([`ult_c::Members`]), proved with the rest. Where it is not proved, the program is
//! translated once more, with each object in one piece: then what walks out of one member reaches the next one.

use std::time::Instant;

use super::context::Context;
use super::load::Loaded;
use super::overapprox;
use super::result::{ObligationReport, Report};
use super::translations::{UNLIMITED, again, take_verdicts};
use ult_c::{LEAVES, Members};
use ult_core::formula::Terms;
use ult_lower::plan::EntryError;
use ult_lower::unit::ObligationKind;

/// Verifies a text. What is open of claims that accesses stay in their arrays is verified in a flat translation.
///
/// # Errors
/// As for every check.
pub(super) fn decided(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    context: Context<'_>,
) -> Result<(), EntryError> {
    let Context {
        settings, control, ..
    } = context;
    let is_wanted =
        loaded.has_claims && settings.c.members == Members::Apart && !settings.reading.modular;
    if !is_wanted {
        return overapprox::decided(report, terms, loaded, context);
    }
    let start = Instant::now();
    // What is left is for the flat translation.
    let share = control.remaining().map_or(UNLIMITED, |left| left / 4 * 3);
    let first = control.within(Some(share));
    overapprox::decided(report, terms, loaded, context.under(&first))?;
    if !report.obligations().any(is_open_claim) || control.check().is_err() {
        return Ok(());
    }
    let mut flat = settings.clone();
    flat.kept = None;
    flat.c.members = Members::Flat;
    let patience = settings.patience_with(report, start);
    if let Some(found) = again(report, &flat, &control.within(patience))? {
        report.statistics.add(&found.statistics);
        take_verdicts(report, &found);
    }
    Ok(())
}

/// Whether it is open that an access stays in its array.
fn is_open_claim(obligation: &ObligationReport) -> bool {
    let is_claim = |what: &str| what == LEAVES;
    matches!(&obligation.kind, ObligationKind::Unsupported { what } if is_claim(what))
        && !obligation.verdict.is_safe()
}
