//! Error locations that are excluded by looking at several segments in a row.
//!
//! A segment is a part of a run from one cut location to the next. Some segments in a row are
//! written as an acyclic program graph of their own: a copy of every location for each number of
//! segments before it, an edge that assumes the confirmed formula where a walk comes to a cut
//! location, and an error location for whatever must not happen. That graph gets the verification
//! condition of any acyclic graph (`region`), so nothing about formulas is new here.
//!
//! The arguments, for a run that reaches the error location in `n` segments, where the formulas at
//! the cut locations were confirmed already:
//!
//! * [`Argument::Inductive`] with `k`: if `n < k`, it is one of the walks from the initial
//!   location that were refuted. Else its last `k` segments start at a reachable cut location that
//!   runs leave, with a formula that holds, and they were refuted for all of those.
//! * [`Argument::Bounded`] with `k`: if `n <= k`, it is one of the walks from the initial location
//!   that were refuted. Else it is, after `k` segments, at a cut location with a way to the error
//!   location, and all walks to those were refuted.
//!
//! [`Argument::Explored`] is about all segments of all runs; how it is judged is in `explored`.

use std::collections::{BTreeMap, BTreeSet};

use super::cut::Cuts;
use super::explored;
use super::proof::examine;
use super::prover::Provers;
use crate::limits::Far;
use ult_core::formula::{Term, Terms};
use ult_core::graph::evidence::{Argument, Invariants};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;

/// A claim that may need more copies of edges than this is refused: they take a gigabyte, and time in
/// which what is known besides is not told.
const MOST_EDGES: usize = 300_000;

/// The error locations among those with the given arguments that are not shown to be excluded, and
/// why. The cuts are those of a claim whose formulas were confirmed. Those that are shown to be excluded are `told`
/// when that is known.
pub(super) fn not_excluded(
    terms: &Terms,
    graph: &ProgramGraph,
    cuts: &Cuts,
    arguments: &BTreeMap<LocationId, Argument>,
    provers: &mut Provers,
    told: &mut dyn FnMut(BTreeSet<LocationId>, &Provers),
) -> Result<BTreeMap<LocationId, Reason>, Reason> {
    let mut same: BTreeMap<Argument, BTreeSet<LocationId>> = BTreeMap::new();
    for (&error, &argument) in arguments {
        same.entry(argument).or_default().insert(error);
    }
    let mut doubtful = BTreeMap::new();
    for (argument, errors) in same {
        let walks = match argument {
            Argument::Inductive(k) => vec![
                Walks {
                    entries: vec![graph.initial],
                    segments: k.get() - 1,
                    ends: Ends::Anywhere,
                },
                Walks {
                    entries: cuts.entries().collect(),
                    segments: k.get(),
                    ends: Ends::Last,
                },
            ],
            Argument::Bounded(k) => vec![Walks {
                entries: vec![graph.initial],
                segments: k.get(),
                ends: Ends::AnywhereOrFurther,
            }],
            Argument::Explored => {
                doubtful.extend(explored::not_excluded(
                    terms,
                    graph,
                    cuts,
                    &errors,
                    Far::TO_THE_END,
                    provers,
                )?);
                Vec::new()
            }
        };
        for walks in walks {
            let unrolled = Unrolled::new(terms, graph, cuts, &walks, &errors, provers)?;
            let claim = Invariants::default();
            let examined = examine(terms, &unrolled.graph, &claim, provers, &mut |_| ())?;
            for (end, reason) in examined.doubtful {
                for &error in unrolled.ends.get(&end).into_iter().flatten() {
                    doubtful.entry(error).or_insert_with(|| {
                        let way = match walks.ends {
                            Ends::Last => "from some location with its invariant",
                            Ends::Anywhere | Ends::AnywhereOrFurther => "from the start",
                        };
                        explained(reason.clone(), way, walks.segments)
                    });
                }
            }
        }
        told(&errors - &doubtful.keys().copied().collect(), provers);
    }
    Ok(doubtful)
}

/// Says what was asked.
fn explained(reason: Reason, way: &str, segments: u32) -> Reason {
    match reason {
        Reason::ProofRejected(_) => {
            Reason::ProofRejected(format!("{segments} segments {way} are not excluded"))
        }
        other => other,
    }
}

/// Which walks are to be refuted.
struct Walks {
    /// Where they start, under the formulas there.
    entries: Vec<LocationId>,
    /// How many segments they have.
    segments: u32,
    ends: Ends,
}

/// What they must not do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// End in the error locations with the last segment.
    Last,
    /// End in the error locations with any segment.
    Anywhere,
    /// End in the error locations with any segment, or with the last one where there is a way to
    /// them.
    AnywhereOrFurther,
}

/// A copy of a location: after so many segments; for a cut location, before or after its formula
/// is assumed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Copy {
    location: LocationId,
    segments: u32,
    arriving: bool,
}

/// Some segments in a row.
struct Unrolled {
    graph: ProgramGraph,
    /// For each error location of it: those of the graph that are not excluded if it is reached.
    ends: BTreeMap<LocationId, BTreeSet<LocationId>>,
}

impl Unrolled {
    fn new(
        terms: &Terms,
        graph: &ProgramGraph,
        cuts: &Cuts,
        walks: &Walks,
        errors: &BTreeSet<LocationId>,
        provers: &Provers,
    ) -> Result<Unrolled, Reason> {
        let edges = graph.graph.edge_count().max(1);
        if walks.segments as usize > MOST_EDGES / edges {
            let text = "too many segments in a row to be checked";
            return Err(Reason::ProofRejected(text.into()));
        }
        let mut small = graph.without_locations();
        let mut ends: BTreeMap<LocationId, BTreeSet<LocationId>> = BTreeMap::new();
        small.initial = small.graph.add_node(Location::named("start"));
        let formula = |location| cuts.invariant(location).unwrap_or(terms.tt());
        let assume = |formula: Term| Edge::new(Transition::assume(formula), None);
        let mut copies: BTreeMap<Copy, LocationId> = BTreeMap::new();
        let mut work: Vec<Copy> = Vec::new();
        if walks.segments > 0 {
            for &location in &walks.entries {
                let copy = Copy {
                    location,
                    segments: 0,
                    arriving: false,
                };
                let node = small.graph.add_node(location_of_copy(graph, copy));
                copies.insert(copy, node);
                let edge = assume(formula(location));
                small.graph.add_edge(small.initial, node, edge);
                work.push(copy);
            }
        }
        let ways = Ways::new(graph, cuts, errors);
        while let Some(from) = work.pop() {
            provers.stopped()?;
            let source = copies[&from];
            if from.arriving {
                let copy = Copy {
                    arriving: false,
                    ..from
                };
                let node = small.graph.add_node(location_of_copy(graph, copy));
                copies.insert(copy, node);
                let edge = assume(formula(from.location));
                small.graph.add_edge(source, node, edge);
                work.push(copy);
                continue;
            }
            for (edge, target) in cuts.steps_from(from.location) {
                let cut = cuts.is_cut(target);
                let copy = Copy {
                    location: target,
                    segments: from.segments + u32::from(cut),
                    arriving: cut,
                };
                let last = copy.segments == walks.segments;
                let is_end = cut
                    && match walks.ends {
                        Ends::Last => last && errors.contains(&target),
                        Ends::Anywhere => errors.contains(&target),
                        Ends::AnywhereOrFurther => {
                            errors.contains(&target) || last && ways.lead_from(target)
                        }
                    };
                if !is_end && cut && (last || cuts.is_error(target)) {
                    continue;
                }
                let node = *copies.entry(copy).or_insert_with(|| {
                    let mut location = location_of_copy(graph, copy);
                    location.error = is_end.then(|| "must not be reached".into());
                    let node = small.graph.add_node(location);
                    if is_end {
                        ends.insert(node, ways.errors_from(target));
                    } else {
                        work.push(copy);
                    }
                    node
                });
                // Premises are about locations of the whole graph. Without them more walks have to be refuted.
                let Edge {
                    transition, origin, ..
                } = graph.graph[edge].clone();
                small
                    .graph
                    .add_edge(source, node, Edge::new(transition, origin));
            }
        }
        Ok(Unrolled { graph: small, ends })
    }
}

fn location_of_copy(graph: &ProgramGraph, copy: Copy) -> Location {
    let name = &graph.graph[copy.location].name;
    let arriving = if copy.arriving { "before " } else { "" };
    Location::named(format!("{arriving}{name} {}", copy.segments))
}

/// From which locations steps lead to which of some error locations.
struct Ways {
    to: BTreeMap<LocationId, BTreeSet<LocationId>>,
}

impl Ways {
    fn new(graph: &ProgramGraph, cuts: &Cuts, errors: &BTreeSet<LocationId>) -> Ways {
        let mut sources: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
        for source in graph.graph.node_indices() {
            for (_, target) in cuts.steps_from(source).filter(|_| !cuts.is_dead(source)) {
                sources.entry(target).or_default().push(source);
            }
        }
        let to = errors.iter().map(|&error| {
            let mut from = BTreeSet::from([error]);
            let mut work = vec![error];
            while let Some(location) = work.pop() {
                for &source in sources.get(&location).into_iter().flatten() {
                    if from.insert(source) {
                        work.push(source);
                    }
                }
            }
            (error, from)
        });
        Ways { to: to.collect() }
    }

    fn lead_from(&self, location: LocationId) -> bool {
        self.to.values().any(|from| from.contains(&location))
    }

    fn errors_from(&self, location: LocationId) -> BTreeSet<LocationId> {
        let to = self.to.iter();
        to.filter(|(_, from)| from.contains(&location))
            .map(|(&error, _)| error)
            .collect()
    }
}
