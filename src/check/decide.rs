//! Claims in, verdicts out.

use std::collections::BTreeMap;

use super::proof::{Examined, examine};
use super::prover::Panel;
use super::run::re_execute;
use super::verdict::{Verdict, Violation};
use super::wellformed::Examiner;
use ult_core::formula::Terms;
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::guard::guarded;
use ult_core::reason::Reason;

/// What somebody says about an unreduced graph.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// For error locations: a run that ends there.
    pub runs: BTreeMap<LocationId, Run>,
    /// Invariants that exclude all error locations but those exempt.
    pub invariants: Option<Invariants>,
    /// Error locations left undecided, and why. Used only where nothing else is confirmed.
    pub undecided: BTreeMap<LocationId, Reason>,
}

/// See [`Checker::decide`](super::Checker::decide). The plain panel assumes nothing, the other one
/// the axioms of the graph.
pub(super) fn confirmed(
    terms: &Terms,
    graph: &ProgramGraph,
    claims: &Claims,
    plain: &mut Panel,
    panel: &mut Panel,
) -> BTreeMap<LocationId, Verdict> {
    let unchecked = guarded(|| {
        Examiner::new(terms, graph)
            .graph()
            .map_err(Reason::Internal)
    });
    if let Err(reason) = unchecked {
        return graph
            .errors()
            .map(|error| (error, Verdict::Unknown(reason.clone())))
            .collect();
    }
    let runs = confirmed_runs(terms, graph, claims, plain);
    let proof = claims
        .invariants
        .as_ref()
        .map(|claim| guarded(|| examine(terms, graph, claim, panel)));
    combine(graph, claims, runs, proof)
}

pub(super) type Runs = BTreeMap<LocationId, Result<Violation, Reason>>;

fn confirmed_runs(terms: &Terms, graph: &ProgramGraph, claims: &Claims, panel: &mut Panel) -> Runs {
    let mut runs = Runs::new();
    for (&location, run) in &claims.runs {
        let confirmed = guarded(|| re_execute(terms, graph, run, panel)).and_then(|found| {
            if found.location() == location {
                Ok(found)
            } else {
                Err(Reason::RunRejected(
                    "the run ends at another error location".into(),
                ))
            }
        });
        runs.insert(location, confirmed);
    }
    runs
}

/// One verdict for each error location.
pub(super) fn combine(
    graph: &ProgramGraph,
    claims: &Claims,
    mut runs: Runs,
    proof: Option<Result<Examined, Reason>>,
) -> BTreeMap<LocationId, Verdict> {
    let (proof, doubtful, rejection) = match proof {
        Some(Ok(examined)) => (Some(examined.proof), examined.doubtful, None),
        Some(Err(reason)) => (None, BTreeMap::new(), Some(reason)),
        None => (None, BTreeMap::new(), None),
    };
    let contradicted = proof.as_ref().and_then(|proof| {
        let reached = |location: &LocationId| matches!(runs.get(location), Some(Ok(_)));
        proof.excluded().iter().copied().find(reached)
    });
    let contradiction = contradicted.map(|location| {
        Reason::Internal(format!(
            "`{}` was proved unreachable and reached",
            graph.graph[location].name
        ))
    });
    let mut verdict = |location: LocationId| {
        let run = runs.remove(&location);
        let excluded = proof
            .as_ref()
            .filter(|proof| proof.excluded().contains(&location));
        match (run, excluded, &contradiction) {
            (_, Some(_), Some(reason)) => Verdict::Unknown(reason.clone()),
            (Some(Ok(found)), None, _) => Verdict::Unsafe(found),
            // A run and a proof are a contradiction: handled above.
            (_, Some(proof), None) => Verdict::Safe(proof.clone()),
            (Some(Err(reason)), None, _) => Verdict::Unknown(reason),
            (None, None, _) => Verdict::Unknown(
                claims
                    .undecided
                    .get(&location)
                    .or_else(|| doubtful.get(&location))
                    .or(rejection.as_ref())
                    .cloned()
                    .unwrap_or_else(|| Reason::Internal("nothing was claimed about it".into())),
            ),
        }
    };
    let errors: Vec<LocationId> = graph.errors().collect();
    errors.into_iter().map(|e| (e, verdict(e))).collect()
}
