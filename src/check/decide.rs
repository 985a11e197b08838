//! Claims in, what is known out.

use std::collections::{BTreeMap, BTreeSet};

use super::lattice::{Knowledge, Status};
use super::proof::{Examined, examine};
use super::prover::Provers;
use super::run::Replay;
use super::verdict::{Proof, Violation};
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
    /// Error locations left undecided, and why. Used only where nothing is confirmed; about one that the invariants are
    /// claimed to exclude, it says why that claim may be refused.
    pub undecided: BTreeMap<LocationId, Reason>,
}

/// Who is told of what is confirmed while other claims are still being looked at: some error locations, and what is
/// known about each.
pub type Tell<'t> = dyn FnMut(Vec<(LocationId, Status<Proof, Violation>)>) + 't;

/// See [`Checker::learn`](super::Checker::learn), about a well-formed graph. The plain panel assumes nothing, the other one
/// the axioms of the graph.
pub(super) fn confirmed<'g>(
    terms: &Terms,
    graph: &'g ProgramGraph,
    claims: &Claims,
    (replay, plain): (&mut Replay<'_>, &mut Provers<'_>),
    provers: &mut Provers,
    tell: &mut Tell<'_>,
) -> Knowledge<'g> {
    let runs = confirmed_runs(claims.runs.clone(), replay, plain, tell);
    // Where every error location is exempt or violated, there is nothing left to prove.
    let is_open = |at: &LocationId| !matches!(runs.get(at), Some(Ok(_)));
    let proof = claims
        .invariants
        .as_ref()
        .filter(|claim| {
            let mut errors = graph.errors();
            errors.any(|at| is_open(&at) && !claim.exempt.contains(&at))
        })
        .map(|claim| guarded(|| examine(terms, graph, claim, provers, tell)));
    combine(graph, claims, runs, proof)
}

pub(super) type Runs = BTreeMap<LocationId, Result<Violation, Reason>>;

/// What becomes of runs that were claimed to end at error locations.
pub(super) fn confirmed_runs(
    claims: BTreeMap<LocationId, Run>,
    replay: &mut Replay<'_>,
    provers: &mut Provers,
    tell: &mut Tell<'_>,
) -> Runs {
    let mut runs = Runs::new();
    for (location, run) in claims {
        let confirmed = guarded(|| replay.re_execute(run, provers)).and_then(|found| {
            if found.location() == location {
                Ok(found)
            } else {
                Err(Reason::RunRejected(
                    "the trace ends at another error location".into(),
                ))
            }
        });
        if let Ok(violation) = &confirmed {
            tell(vec![(location, Status::Unsafe(violation.clone()))]);
        }
        runs.insert(location, confirmed);
    }
    runs
}

/// What is known by runs, and why other error locations are undecided, as far as somebody says so.
pub(super) fn known_by_runs<'g>(
    graph: &'g ProgramGraph,
    runs: Runs,
    undecided: &BTreeMap<LocationId, Reason>,
) -> Knowledge<'g> {
    let runs = runs.into_iter();
    let runs = runs.map(|(at, run)| (at, run.map_or_else(Status::Open, Status::Unsafe)));
    let undecided = undecided.iter();
    let undecided = undecided.map(|(&at, reason)| (at, Status::Open(reason.clone())));
    Knowledge::of(graph, runs.chain(undecided))
}

/// All that was said about each error location, and why nothing was where that is so.
pub(super) fn combine<'g>(
    graph: &'g ProgramGraph,
    claims: &Claims,
    runs: Runs,
    proof: Option<Result<Examined, Reason>>,
) -> Knowledge<'g> {
    let mut knowledge = known_by_runs(graph, runs, &claims.undecided);
    let mut rejection = None;
    match proof {
        Some(Ok(examined)) => {
            let excluded = examined.proof.excluded().iter();
            let excluded = excluded.map(|&at| (at, Status::Safe(examined.proof.clone())));
            // Whoever expected a refusal knows more about the reason.
            let is_expected = |at: &LocationId, reason: &Reason| {
                matches!(reason, Reason::ProofRejected(_)) && claims.undecided.contains_key(at)
            };
            let doubtful = examined.doubtful.into_iter();
            let doubtful = doubtful.filter(|(at, reason)| !is_expected(at, reason));
            let doubtful = doubtful.map(|(at, reason)| (at, Status::Open(reason)));
            knowledge.add_all(excluded.chain(doubtful));
        }
        Some(Err(reason)) => rejection = Some(reason),
        None => {}
    }
    // The proof may have been about other locations: it explains what nothing else does.
    let silence =
        rejection.unwrap_or_else(|| Reason::Internal("nothing was claimed about it".into()));
    let decided: BTreeSet<LocationId> = knowledge.decided().into_iter().collect();
    let silent = graph
        .errors()
        .filter(|&error| knowledge.about(error).is_none());
    let silent: Vec<_> = silent
        .map(|error| {
            let reason = match decided.contains(&error) {
                true => Reason::Incomplete("its obligation is violated elsewhere".into()),
                false => silence.clone(),
            };
            (error, Status::Open(reason))
        })
        .collect();
    knowledge.add_all(silent);
    knowledge
}
