//! Verdicts on circuits in a form that other tools can check.

use std::collections::BTreeMap;

use ult_check::{Options, Proof, Verdict, confirm_invariants};
use ult_circuits::{Interface, certificate};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::LocationId;
use ult_core::graph::evidence::Invariants;
use ult_core::stats::Statistics;
use ult_lower::LoweredUnit;

/// The certificate of a circuit's verdict: a run, if a property is violated; an invariant, if none is.
///
/// # Errors
/// In words, why there is none.
pub(crate) fn certificate(
    terms: &Terms,
    unit: &LoweredUnit,
    interface: &Interface,
    verdicts: &BTreeMap<LocationId, Verdict>,
    options: &Options,
    control: &Control,
) -> Result<String, String> {
    let graph = &unit.graph;
    let violated = verdicts
        .iter()
        .find_map(|(&location, verdict)| match verdict {
            Verdict::Unsafe(violation) => Some((location, violation)),
            Verdict::Safe(_) | Verdict::Unknown(_) => None,
        });
    if let Some((location, violation)) = violated {
        return certificate::violation(terms, graph, interface, location, violation.run());
    }
    let proofs = unit
        .obligations
        .keys()
        .map(|location| match verdicts.get(location) {
            Some(Verdict::Safe(proof)) => Some(proof),
            _ => None,
        });
    let proofs: Option<Vec<&Proof>> = proofs.collect();
    let proofs = proofs.ok_or("the verdict is UNKNOWN")?;
    let invariants = proofs
        .iter()
        .map(|proof| proof.invariants().get(&interface.head));
    let invariants: Option<Vec<_>> = invariants.map(Option::<&_>::copied).collect();
    let invariants = invariants.ok_or("the proof has no invariant of the circuit's steps")?;
    let invariant = terms.and(invariants);
    // It must exclude what is bad by itself, without an argument over several steps.
    let claim = Invariants {
        at: BTreeMap::from([(interface.head, invariant)]),
        ..Invariants::default()
    };
    let mut stats = Statistics::default();
    confirm_invariants(terms, graph, &claim, control, options, &mut stats).map_err(|why| {
        format!("the proof is no invariant that is inductive by itself, which `--engine ic3` finds: {why}")
    })?;
    certificate::invariant(terms, interface, invariant)
}
