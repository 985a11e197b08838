//! Re-proving invariants on the unreduced graph.
//!
//! The argument, by induction over the length of a run, with the lengths of its branches: what a step needs besides its source is
//! reached by a shorter run. A run starts at the initial location, whose claimed invariant (if any) is valid. Whenever a run is at a cut location whose invariant
//! holds, it continues through the acyclic region behind it until it meets the next cut location;
//! the verification condition of the region says that the invariant claimed there holds, and
//! that the location is not an excluded error location. Since every reachable cycle is cut, every
//! run is such a sequence of segments. An error location whose exclusion takes several segments
//! ([`Argument`]) is not looked at in a single one, but afterwards (`segments`).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

use super::cut::Cuts;
use super::decide::Tell;
use super::lattice::Status;
use super::prover::{Doubt, Options, Provers};
use super::region::{Copies, Region, Regions, fresh_values, require_cut_cycles, state_formula_at};
use super::relevant::relevant;
use super::segments::not_excluded;
use super::verdict::Proof;
use super::wellformed::{Examiner, brief};
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::evidence::{Argument, Invariants};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Re-proves a claim about the unreduced graph, all of it.
///
/// `claim` must cut every reachable cycle, and its formulas speak about unprimed program
/// variables and rigid symbols only. The reason of a failure is [`Reason::ProofRejected`] if the
/// claim is wrong or malformed, [`Reason::Internal`] if the graph itself is malformed, and else
/// that of the solver or of `control`.
pub fn confirm_invariants(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: &Invariants,
    control: &Control,
    options: &Options,
    stats: &mut Statistics,
) -> Result<Proof, Reason> {
    let start = Instant::now();
    let mut provers = Provers::of_solvers(terms, &graph.axioms, control, options);
    let examined = Examiner::new(terms, graph)
        .graph()
        .map_err(Reason::Internal)
        .and_then(|()| examine(terms, graph, claim, &mut provers, &mut |_| ()));
    provers.finish(start, stats);
    let examined = examined?;
    match examined.doubtful.into_values().next() {
        Some(reason) => Err(reason),
        None => Ok(examined.proof),
    }
}

/// Invariants that were confirmed, and what they do not exclude.
#[derive(Debug)]
pub(super) struct Examined {
    /// The invariants are inductive; the error locations in [`Proof::excluded`] are excluded.
    pub(super) proof: Proof,
    /// Error locations that the claim should have excluded but was not shown to.
    pub(super) doubtful: BTreeMap<LocationId, Reason>,
}

/// Like [`confirm_invariants`], but an error location that is not excluded does not spoil the
/// others: the invariants do not depend on it, since runs end there. The graph is well-formed.
///
/// What is excluded is told as soon as that is confirmed, before it is known whether the rest is.
pub(super) fn examine(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: &Invariants,
    provers: &mut Provers,
    tell: &mut Tell<'_>,
) -> Result<Examined, Reason> {
    let rejected = |text: String| Reason::ProofRejected(text);
    let mut examiner = Examiner::new(terms, graph);
    let cuts = Cuts::new(terms, graph, claim).map_err(rejected)?;
    let arguments: BTreeMap<LocationId, Argument> = claim
        .arguments
        .iter()
        .filter(|(error, _)| !claim.exempt.contains(error))
        .map(|(&error, &argument)| (error, argument))
        .collect();
    require_cut_cycles(graph, &cuts).map_err(rejected)?;
    for (&location, &formula) in &claim.at {
        examiner
            .state_formula(formula)
            .map_err(|e| rejected(format!("at `{}`: {e}", graph.graph[location].name)))?;
    }
    let mut doubtful = BTreeMap::new();
    let initial = graph.initial;
    if cuts.is_error(initial) && !claim.exempt.contains(&initial) {
        let text = "the initial location is an error location";
        doubtful.insert(initial, rejected(text.into()));
    }
    if let Some(invariant) = cuts.invariant(initial) {
        let values = fresh_values(graph, &mut Copies::new(terms));
        let fails = terms.not(state_formula_at(terms, graph, invariant, &values));
        if fails != terms.ff() {
            provers.refute(&[fails]).map_err(|doubt| match doubt {
                Doubt::Satisfiable => rejected(format!(
                    "`{}` does not hold in every state at the initial location",
                    brief(terms, invariant)
                )),
                Doubt::Unclear(reason) => reason,
            })?;
        }
    }
    let regions = Regions::new(terms, graph, &cuts);
    let mut invariants = claim.at.clone();
    let mut told =
        |at: &BTreeMap<LocationId, Term>, errors: BTreeSet<LocationId>, provers: &Provers| {
            let proof = Proof::new(at.clone(), errors, arguments.clone(), provers.names());
            let known = |&error: &LocationId| (error, Status::Safe(proof.clone()));
            tell(proof.excluded().iter().map(known).collect());
        };
    // Nothing has to be confirmed besides that no way leads to an error location, where all ways are of one region.
    let alone = claim.at.is_empty() && cuts.entries().eq([initial]);
    for entry in cuts.entries() {
        provers.stopped()?;
        let region = regions.of(entry).map_err(rejected)?;
        let goals = goals(terms, graph, claim, &cuts, &region);
        let mut refuted = |errors: BTreeSet<LocationId>, provers: &Provers| {
            if alone {
                told(&claim.at, errors, provers);
            }
        };
        refute_goals(
            (terms, graph),
            entry,
            &region,
            &goals,
            provers,
            &mut doubtful,
            &mut refuted,
        )?;
    }
    invariants.retain(|location, _| !doubtful.contains_key(location));
    if !arguments.is_empty() {
        let directly = graph
            .errors()
            .filter(|e| claim.excludes_directly(*e) && !doubtful.contains_key(e));
        told(&invariants, directly.collect(), provers);
    }
    // Only now, when the formulas are confirmed.
    let found = not_excluded(
        terms,
        graph,
        &cuts,
        &arguments,
        provers,
        &mut |errors, provers| told(&invariants, errors, provers),
    )?;
    for (error, reason) in found {
        doubtful.entry(error).or_insert(reason);
    }
    let excluded: BTreeSet<LocationId> = graph
        .errors()
        .filter(|e| !claim.exempt.contains(e) && !doubtful.contains_key(e))
        .collect();
    invariants.retain(|location, _| !doubtful.contains_key(location));
    Ok(Examined {
        proof: Proof::new(invariants, excluded, arguments.clone(), provers.names()),
        doubtful,
    })
}

/// One way to contradict the claim: a run leaves the region at `exit` where it must not.
struct Goal {
    exit: LocationId,
    /// The error location is reached; otherwise the exit's invariant does not hold.
    error: bool,
    formula: Term,
}

fn goals(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: &Invariants,
    cuts: &Cuts,
    region: &Region,
) -> Vec<Goal> {
    let mut goals = Vec::new();
    // What is said of a value that the region does not change holds behind it as well.
    let assumed: HashSet<Term> = region.assumed.iter().copied().collect();
    for exit in region.exits() {
        let here = region.here[&exit];
        if cuts.is_error(exit) && claim.excludes_directly(exit) {
            goals.push(Goal {
                exit,
                error: true,
                formula: here,
            });
        } else if let Some(invariant) = cuts.invariant(exit)
            && let Some(holds) = region.at_exit(terms, graph, exit, invariant)
        {
            let mut news = terms.conjuncts(holds);
            news.retain(|conjunct| !assumed.contains(conjunct));
            goals.push(Goal {
                exit,
                error: false,
                formula: terms.and2(here, terms.not(terms.and(news))),
            });
        }
    }
    goals.retain(|goal| goal.formula != terms.ff());
    goals
}

/// Asks for all goals at once; where that does not refute them all, for each half of them, and so on
/// down to single ones, and of those once more with all that is assumed at the entry, if that is more than what is about
/// the same variables. The error locations of those that are refuted on the way are told.
fn refute_goals(
    (terms, graph): (&Terms, &ProgramGraph),
    entry: LocationId,
    region: &Region,
    goals: &[Goal],
    provers: &mut Provers,
    doubtful: &mut BTreeMap<LocationId, Reason>,
    told: &mut dyn FnMut(BTreeSet<LocationId>, &Provers),
) -> Result<(), Reason> {
    let formulas = goals.iter().map(|goal| goal.formula);
    let about: Vec<Term> = region.assertions.iter().copied().chain(formulas).collect();
    let assumed = relevant(terms, &region.assumed, &about);
    let mut question = [&assumed[..], &region.assertions].concat();
    let mut waiting = vec![goals];
    let all = goals.len();
    while let Some(goals) = waiting.pop() {
        let Some(goal) = goals.first() else { continue };
        let goal_of_all = terms.or(goals.iter().map(|goal| goal.formula));
        question.push(goal_of_all);
        let mut refuted = match goals.len() {
            1 => provers.refute(&question),
            _ => provers.refute_whole(&question),
        };
        question.pop();
        if refuted.is_err() && goals.len() == 1 && assumed.len() < region.assumed.len() {
            let all = [&region.premises()[..], &[goal_of_all]].concat();
            refuted = provers.refute(&all);
        }
        let Err(doubt) = refuted else {
            if goals.len() < all {
                let errors = goals.iter().filter(|goal| goal.error);
                let errors = errors.filter(|goal| !doubtful.contains_key(&goal.exit));
                told(errors.map(|goal| goal.exit).collect(), provers);
            }
            continue;
        };
        if goals.len() > 1 {
            let (first, second) = goals.split_at(goals.len() / 2);
            waiting.extend([second, first]);
            continue;
        }
        let place = format!(
            "from `{}` to `{}`",
            graph.graph[entry].name, graph.graph[goal.exit].name
        );
        let reason = match doubt {
            Doubt::Unclear(reason) => at_place(reason, &place),
            Doubt::Satisfiable if goal.error => {
                Reason::ProofRejected(format!("the invariants do not exclude a segment {place}"))
            }
            Doubt::Satisfiable => Reason::ProofRejected(format!(
                "a segment {place} does not establish the invariant there"
            )),
        };
        if !goal.error {
            return Err(reason);
        }
        doubtful.entry(goal.exit).or_insert(reason);
    }
    Ok(())
}

/// Says where the solver failed.
fn at_place(reason: Reason, place: &str) -> Reason {
    match reason {
        Reason::SolverUnknown(text) => {
            Reason::SolverUnknown(format!("{text} (on a segment {place})"))
        }
        Reason::SolverFailed(text) => {
            Reason::SolverFailed(format!("{text} (on a segment {place})"))
        }
        other => other,
    }
}
