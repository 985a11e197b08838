//! Warnings about proofs that say less than they seem to.
//!
//! A proof from contradictory assumptions is a proof of anything, and an assertion that no run
//! gets to is never violated. Both are reported, neither changes a verdict. Nothing is said
//! unless the solvers say `unsat`.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::cut::Cuts;
use super::prover::Provers;
use super::region::{Copies, Region, Regions};
use super::verdict::Proof;
use ult_core::control::Control;
use ult_core::formula::{Term, Terms, Value, Version};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session, Split};

/// So many locations are asked about one by one.
const FEW: usize = 4;

/// Assumptions that no state satisfies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The axioms have no model.
    Axioms,
    /// The axioms and the assumptions on these edges, the first ones that every run takes.
    Assumptions(Vec<EdgeId>),
}

/// See [`Checker::contradictory_assumptions`](super::Checker::contradictory_assumptions).
pub(super) fn contradiction(
    terms: &Terms,
    graph: &ProgramGraph,
    provers: &mut Provers,
) -> Option<Contradiction> {
    if !graph.axioms.is_empty() && provers.refute(&graph.axioms).is_ok() {
        return Some(Contradiction::Axioms);
    }
    let edges = first_assumptions(graph);
    let mut copies = Copies::new(terms);
    let formulas: Vec<Term> = edges
        .iter()
        .map(|&edge| {
            // Program variables are the same on all these edges, auxiliaries are not.
            let formula = graph.graph[edge].transition.formula;
            let own: HashMap<Term, Term> = terms
                .free_vars(&[formula])
                .into_iter()
                .filter_map(|term| {
                    let var = terms.as_var(term)?;
                    matches!(var.version, Version::Aux(_))
                        .then(|| (term, copies.fresh(&var.name, terms.sort(term))))
                })
                .collect();
            terms.substitute(formula, &own)
        })
        .collect();
    if edges.is_empty() || provers.refute(&formulas).is_err() {
        return None;
    }
    // Name only the edges up to the first contradiction: what follows adds nothing.
    let (mut fine, mut length) = (0, edges.len());
    while length - fine > 1 {
        let middle = fine + (length - fine) / 2;
        match provers.refute(&formulas[..middle]) {
            Ok(()) => length = middle,
            Err(_) => fine = middle,
        }
    }
    Some(Contradiction::Assumptions(edges[..length].to_vec()))
}

fn first_assumptions(graph: &ProgramGraph) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut seen = BTreeSet::from([graph.initial]);
    let mut location = graph.initial;
    loop {
        let mut leaving = graph.graph.edges_directed(location, Direction::Outgoing);
        match (leaving.next(), leaving.next()) {
            // What leads to an error location is no assumption: it is what must not be.
            (Some(edge), None)
                if edge.weight().transition.changed.is_empty()
                    && graph.graph[edge.target()].error.is_none()
                    && seen.insert(edge.target()) =>
            {
                edges.push(edge.id());
                location = edge.target();
            }
            _ => return edges,
        }
    }
}

/// Somebody who finds runs, with a session that is made when the first one is looked for.
pub(super) struct Hints<'h> {
    terms: &'h Terms,
    axioms: &'h [Term],
    control: &'h Control,
    session: OnceCell<Session<'h>>,
}

impl<'h> Hints<'h> {
    pub(super) fn new(terms: &'h Terms, axioms: &'h [Term], control: &'h Control) -> Hints<'h> {
        Hints {
            terms,
            axioms,
            control,
            session: OnceCell::new(),
        }
    }

    fn session(&self) -> &Session<'h> {
        self.session.get_or_init(|| {
            Session::new(self.terms, self.axioms, self.control).by_triggers(Split::Goal)
        })
    }

    /// Moves the counters of the questions asked into the statistics.
    pub(super) fn take_calls(&self, stats: &mut Statistics) {
        if let Some(session) = self.session.get() {
            session.take_calls(stats);
        }
    }
}

/// See [`Checker::unreachable_assertions`](super::Checker::unreachable_assertions). `hints` finds
/// runs, so that not every location needs a question of its own; what it calls unreachable, the
/// panel must.
pub(super) fn unreachable(
    terms: &Terms,
    graph: &ProgramGraph,
    proof: &Proof,
    hints: &Hints,
    provers: &mut Provers,
) -> Vec<LocationId> {
    let claim = Invariants {
        at: proof.invariants().clone(),
        ..Invariants::default()
    };
    match Cuts::new(terms, graph, &claim) {
        Ok(cuts) => find_unreachable(terms, graph, proof, &cuts, hints, provers),
        Err(_) => Vec::new(),
    }
}

/// For every error location the sources of its edges, minus those shown unreachable.
fn find_unreachable(
    terms: &Terms,
    graph: &ProgramGraph,
    proof: &Proof,
    cuts: &Cuts,
    hints: &Hints,
    provers: &mut Provers,
) -> Vec<LocationId> {
    // Where traces were followed to their ends there is no invariant that says where they come to.
    let excluded = graph
        .errors()
        .filter(|e| proof.excluded().contains(e) && !proof.is_explored(*e));
    let candidates = excluded.map(|error| {
        let sources = graph
            .graph
            .neighbors_directed(error, Direction::Incoming)
            .collect();
        (error, sources)
    });
    groups_unreached(terms, graph, candidates.collect(), cuts, hints, provers)
}

/// See [`Checker::never_passed`](super::Checker::never_passed).
pub(super) fn never_passed(
    terms: &Terms,
    graph: &ProgramGraph,
    proof: &Proof,
    places: &[Vec<EdgeId>],
    hints: &Hints,
    provers: &mut Provers,
) -> Vec<usize> {
    let claim = Invariants {
        at: proof.invariants().clone(),
        ..Invariants::default()
    };
    let Ok(cuts) = Cuts::new(terms, graph, &claim) else {
        return Vec::new();
    };
    let mut unreached = BTreeSet::new();
    let mut open = Vec::new();
    for (number, edges) in places.iter().enumerate() {
        let all = edges
            .iter()
            .filter_map(|&edge| graph.graph.edge_endpoints(edge));
        let (before, after): (BTreeSet<LocationId>, BTreeSet<LocationId>) = all.unzip();
        for (end, mut locations) in [(End::Before, before), (End::After, after)] {
            // That no trace gets there was proved.
            locations.retain(|&location| !cuts.is_dead(location));
            match locations.is_empty() {
                true => _ = unreached.insert((number, end)),
                false => open.push(((number, end), locations)),
            }
        }
    }
    unreached.extend(groups_unreached(terms, graph, open, &cuts, hints, provers));
    // What comes after the first such place is not reached either, and says nothing new.
    let is_stuck = |number: &usize| {
        unreached.contains(&(*number, End::After)) && !unreached.contains(&(*number, End::Before))
    };
    (0..places.len()).filter(is_stuck).collect()
}

/// The ends of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Before,
    After,
}

/// Those whose locations are all shown unreachable.
fn groups_unreached<K: Copy>(
    terms: &Terms,
    graph: &ProgramGraph,
    mut candidates: Vec<(K, BTreeSet<LocationId>)>,
    cuts: &Cuts,
    hints: &Hints,
    provers: &mut Provers,
) -> Vec<K> {
    // A cut location is left alone: whether it is reachable depends on more than its region.
    candidates.retain(|(_, sources)| {
        !sources.is_empty() && sources.iter().all(|&source| !cuts.is_cut(source))
    });
    // Which of them each source belongs to: most regions have few of them.
    let mut of_source: HashMap<LocationId, Vec<usize>> = HashMap::new();
    for (number, (_, sources)) in candidates.iter().enumerate() {
        for &source in sources {
            of_source.entry(source).or_default().push(number);
        }
    }
    let mut reached = vec![false; candidates.len()];
    let regions = Regions::new(terms, graph, cuts);
    for entry in cuts.entries() {
        let Ok(inside) = regions.inside(entry) else {
            return Vec::new();
        };
        let numbers = inside.iter().filter_map(|location| of_source.get(location));
        let mut here: BTreeSet<usize> = numbers.flatten().copied().collect();
        here.retain(|&number| !reached[number]);
        if here.is_empty() {
            continue;
        }
        let Ok(region) = regions.of(entry) else {
            return Vec::new();
        };
        let wanted = here.iter().flat_map(|&number| &candidates[number].1);
        let unreached = unreached(&region, wanted.copied().collect(), hints, provers);
        for number in here {
            let (_, sources) = &candidates[number];
            let is_unreached = |source| match region.here.get(source) {
                None => true,
                Some(&here) => {
                    unreached.contains(source) && {
                        let mut question = region.premises();
                        question.push(here);
                        provers.refute(&question).is_ok()
                    }
                }
            };
            reached[number] = !sources.iter().all(is_unreached);
        }
    }
    let unreached = candidates.into_iter().zip(reached);
    unreached
        .filter_map(|((of, _), reached)| (!reached).then_some(of))
        .collect()
}

/// Those of the wanted locations that no run through the region gets to, as far as the hints say.
///
/// In a model, every "a run gets here" that is true stands for a run. So it is asked for a run to
/// the location that comes last, and what it passes needs no question any more.
fn unreached(
    region: &Region,
    mut wanted: BTreeSet<LocationId>,
    hints: &Hints,
    provers: &Provers,
) -> BTreeSet<LocationId> {
    // A session of its own costs more than a few questions.
    if wanted.len() <= FEW {
        return wanted;
    }
    let mut unreached = BTreeSet::new();
    let mut solver = hints.session().solver();
    for assertion in region.premises() {
        if solver.assert(assertion).is_err() {
            return unreached;
        }
    }
    for location in region.order.iter().rev() {
        let Some(&here) = region.here.get(location) else {
            continue;
        };
        if !wanted.remove(location) {
            continue;
        }
        let Ok(limit) = provers.allowance() else {
            break;
        };
        match solver.check(&[here], limit) {
            Answer::Unsat => {
                unreached.insert(*location);
            }
            Answer::Sat => {
                let Ok(model) = solver.model() else { continue };
                let is_reached = |other: &LocationId| {
                    let here = region.here.get(other);
                    here.is_some_and(|&here| model.value(here) == Ok(Value::Bool(true)))
                };
                wanted.retain(|other| !is_reached(other));
            }
            Answer::Unknown(_) => {}
        }
    }
    unreached
}
