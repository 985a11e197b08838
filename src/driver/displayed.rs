//! Which proof is shown.
//!
//! What an engine found is often long. Where somebody wants to see it, a proof in few words is looked for
//! ([`ult_engine::minimize`]), and the checker confirms it as it does with all others. Whichever is shorter is shown; the
//! verdict is not touched.

use ult_check::{Proof, confirm_invariants};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::stats::Statistics;
use ult_engine::minimize::minimize;
use ult_lower::unit::LoweredUnit;
use ult_smt::Session;

use super::Settings;
use super::backtranslation::{self, is_too_large};
use super::pretty::pretty;
use super::result::InvariantReport;
use super::source::Source;

/// An invariant that is longer than this is not read at one glance, in characters.
const GLANCE: usize = 100;

/// What is not shown at all is longer than all that is.
const UNSHOWN: usize = 1_000_000;

/// The invariants of a unit, of the proof that was found or of another one.
pub(super) fn invariants(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    proof: &Proof,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> Vec<InvariantReport> {
    let is_exact = settings.certificate && !source.is_translated;
    let told = |proof: &Proof| {
        guarded(|| {
            Ok(backtranslation::invariants(
                terms, unit, source, proof, control, is_exact,
            ))
        })
        .unwrap_or_default()
    };
    let own = told(proof);
    if !settings.minimize || own.iter().all(|told| length(told) <= GLANCE) {
        return own;
    }
    let other = guarded(|| Ok(other(terms, unit, proof, settings, control, stats)));
    let other = other.ok().flatten().map(|proof| told(&proof));
    let all = |told: &[InvariantReport]| told.iter().map(length).sum::<usize>();
    match other {
        Some(other) if other.len() == own.len() && all(&other) < all(&own) => other,
        _ => own,
    }
}

/// How much there is to read.
fn length(told: &InvariantReport) -> usize {
    match is_too_large(&told.formula) {
        true => UNSHOWN,
        false => told.formula.chars().count(),
    }
}

/// Another proof that excludes the same error locations.
fn other(
    terms: &Terms,
    unit: &LoweredUnit,
    proof: &Proof,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> Option<Proof> {
    let mut found = proof.claim(&unit.graph);
    let session = Session::new(terms, &[], control);
    for formula in found.at.values_mut() {
        *formula = pretty(terms, *formula, Some(&session));
    }
    let claim = minimize(terms, &unit.graph, &found, control, stats)?;
    let options = &settings.verify.check;
    let other = confirm_invariants(terms, &unit.graph, &claim, control, options, stats).ok()?;
    proof
        .excluded()
        .is_subset(other.excluded())
        .then_some(other)
}
