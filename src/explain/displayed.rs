//! Which proof is shown.
//!
//! What an engine found is often long. Where somebody wants to see it, a proof in few words is looked for
//! ([`ult_engine::minimize`]), and the checker confirms it as it does with all others. Whichever is shorter is shown; the
//! verdict is not touched.

use ult_check::{Options, Proof, confirm_invariants};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::stats::Statistics;
use ult_engine::minimize::minimize;
use ult_lower::unit::LoweredUnit;
use ult_smt::Session;

use super::invariants::{self, InvariantReport, is_too_large};
use super::pretty::pretty;
use super::source::Source;

/// An invariant that is longer than this is not read at one glance, in characters.
const GLANCE: usize = 100;

/// What is not shown at all is longer than all that is.
const UNSHOWN: usize = 1_000_000;

/// How the invariants of a unit are shown.
pub struct Display<'a> {
    /// The store of the unit's terms.
    pub terms: &'a Terms,
    /// The unit.
    pub unit: &'a LoweredUnit,
    /// The text.
    pub source: &'a Source,
    /// How another proof is checked.
    pub options: &'a Options,
    /// Whether a proof in few words is looked for where what was found is long.
    pub minimize: bool,
    /// Whether the conjuncts are told for a witness in SV-LIB, too.
    pub is_exact: bool,
}

impl Display<'_> {
    /// The invariants of the proof that was found, or of another one.
    pub fn invariants(
        &self,
        proof: &Proof,
        control: &Control,
        stats: &mut Statistics,
    ) -> Vec<InvariantReport> {
        let own = self.report(proof, control);
        if !self.minimize || own.iter().all(|told| length(told) <= GLANCE) {
            return own;
        }
        let other = guarded(|| Ok(self.other(proof, control, stats)));
        let other = other
            .ok()
            .flatten()
            .map(|proof| self.report(&proof, control));
        let all = |told: &[InvariantReport]| told.iter().map(length).sum::<usize>();
        match other {
            Some(other) if other.len() == own.len() && all(&other) < all(&own) => other,
            _ => own,
        }
    }

    fn report(&self, proof: &Proof, control: &Control) -> Vec<InvariantReport> {
        let Display {
            terms,
            unit,
            source,
            is_exact,
            ..
        } = *self;
        guarded(|| {
            Ok(invariants::invariants(
                terms, unit, source, proof, control, is_exact,
            ))
        })
        .unwrap_or_default()
    }

    /// Another proof that excludes the same error locations.
    fn other(&self, proof: &Proof, control: &Control, stats: &mut Statistics) -> Option<Proof> {
        let (terms, graph) = (self.terms, &self.unit.graph);
        let mut found = proof.claim(graph);
        let session = Session::new(terms, &[], control);
        for formula in found.at.values_mut() {
            *formula = pretty(terms, *formula, Some(&session));
        }
        let claim = minimize(terms, graph, &found, control, stats)?;
        let other = confirm_invariants(terms, graph, &claim, control, self.options, stats).ok()?;
        proof
            .excluded()
            .is_subset(other.excluded())
            .then_some(other)
    }
}

/// How much there is to read.
fn length(told: &InvariantReport) -> usize {
    match is_too_large(&told.formula) {
        true => UNSHOWN,
        false => told.formula.chars().count(),
    }
}
