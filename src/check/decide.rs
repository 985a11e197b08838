//! Claims in, what is known out.

use std::collections::BTreeMap;

use super::lattice::{Knowledge, Known};
use super::proof::{Examined, examine};
use super::prover::Panel;
use super::run::re_execute;
use super::verdict::{Proof, Violation};
use super::wellformed::Examiner;
use ult_core::formula::Terms;
use ult_core::graph::evidence::{Invariants, Plans, Run};
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
    /// Error locations left undecided, and why. Used only where nothing is confirmed.
    pub undecided: BTreeMap<LocationId, Reason>,
}

/// Who is told of what is confirmed while other claims are still being looked at: some error locations, and what is
/// known about each.
pub type Tell<'t> = dyn FnMut(Vec<(LocationId, Known<Proof, Violation>)>) + 't;

/// See [`Checker::learn`](super::Checker::learn). The plain panel assumes nothing, the other one
/// the axioms of the graph.
pub(super) fn confirmed<'g>(
    terms: &Terms,
    graph: &'g ProgramGraph,
    claims: &Claims,
    plain: &mut Panel,
    panel: &mut Panel,
    tell: &mut Tell<'_>,
) -> Knowledge<'g> {
    let unchecked = guarded(|| {
        Examiner::new(terms, graph)
            .graph()
            .map_err(Reason::Internal)
    });
    if let Err(reason) = unchecked {
        return Knowledge::open(graph, &reason);
    }
    let runs = confirmed_runs(terms, graph, claims, plain, tell);
    let proof = claims
        .invariants
        .as_ref()
        .map(|claim| guarded(|| examine(terms, graph, claim, panel, tell)));
    combine(graph, claims, runs, proof)
}

pub(super) type Runs = BTreeMap<LocationId, Result<Violation, Reason>>;

fn confirmed_runs(
    terms: &Terms,
    graph: &ProgramGraph,
    claims: &Claims,
    panel: &mut Panel,
    tell: &mut Tell<'_>,
) -> Runs {
    let mut runs = Runs::new();
    let mut plans = Plans::new(terms, graph);
    for (&location, run) in &claims.runs {
        let confirmed =
            guarded(|| re_execute(terms, graph, run, &mut plans, panel)).and_then(|found| {
                if found.location() == location {
                    Ok(found)
                } else {
                    Err(Reason::RunRejected(
                        "the run ends at another error location".into(),
                    ))
                }
            });
        if let Ok(violation) = &confirmed {
            tell(vec![(location, Known::Unsafe(violation.clone()))]);
        }
        runs.insert(location, confirmed);
    }
    runs
}

/// All that was said about each error location, and why nothing was where that is so.
pub(super) fn combine<'g>(
    graph: &'g ProgramGraph,
    claims: &Claims,
    runs: Runs,
    proof: Option<Result<Examined, Reason>>,
) -> Knowledge<'g> {
    let mut knowledge = Knowledge::new(graph);
    let mut rejection = None;
    for (location, run) in runs {
        knowledge.add(location, run.map_or_else(Known::Open, Known::Unsafe));
    }
    for (&location, reason) in &claims.undecided {
        knowledge.add(location, Known::Open(reason.clone()));
    }
    match proof {
        Some(Ok(examined)) => {
            for &location in examined.proof.excluded() {
                knowledge.add(location, Known::Safe(examined.proof.clone()));
            }
            for (location, reason) in examined.doubtful {
                knowledge.add(location, Known::Open(reason));
            }
        }
        Some(Err(reason)) => rejection = Some(reason),
        None => {}
    }
    // The proof may have been about other locations: it explains what nothing else does.
    let silence =
        rejection.unwrap_or_else(|| Reason::Internal("nothing was claimed about it".into()));
    let decided = knowledge.decided();
    for error in graph.errors() {
        if knowledge.about(error).is_none() {
            let reason = match decided.contains(&error) {
                true => Reason::Incomplete("its obligation is violated elsewhere".into()),
                false => silence.clone(),
            };
            knowledge.add(error, Known::Open(reason));
        }
    }
    knowledge
}
