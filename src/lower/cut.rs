//! Loops: where they start, and the modular reading that knows only what their invariants say.
//!
//! The modular reading follows Boogie's transformation of a control flow graph into one without
//! loops: the assertions at a loop head are its invariants. They are checked where the loop is
//! entered and where a round ends; in between, all variables that the loop changes are arbitrary
//! under the invariants. A loop with several entries is copied first (node splitting): each entry but one leads into
//! a copy from which there is no way back, but into the loop at the one entry that is left. Where copies would
//! be too large, it gets the same treatment at all entries: from an entry, any of them may be the next one
//! reached, in any state that the loop could produce.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use ult_lang::hir::{Expr, GlobalId, LocalId, VarRef};
use ult_lang::span::Span;

use super::builder::Builder;
use super::frame::Frame;
use super::origin::{FrameId, Step};
use super::quantified_types;
use super::unit::{Abstraction, Obligation, ObligationKind};
use super::unsupported::UnsupportedExpr;
use ult_core::formula::Term;
use ult_core::graph::{Edge, Location, LocationId, Origin, ProgramGraph, Transition};

/// Marks the locations at which a depth-first search from the initial location closes a cycle.
pub fn mark_loop_heads(graph: &mut ProgramGraph) {
    for head in graph.cycle_heads() {
        graph.graph[head].loop_head = true;
    }
}

/// Loops with several entries are copied as long as the graph has no more locations than this.
const MOST_LOCATIONS: usize = 10_000;

/// An edge outside of the graph, where it can be removed without renumbering the others.
struct FreeEdge {
    source: LocationId,
    target: LocationId,
    edge: Edge,
    why: Option<Abstraction>,
}

/// An assertion at the beginning of a loop head.
struct Leading {
    /// The edge to the error location.
    violated: usize,
    /// The edge on which it holds.
    passed: usize,
}

/// A `where` clause of a variable of the graph.
struct Where {
    condition: Result<(Term, bool), UnsupportedExpr>,
    span: Span,
}

/// What is left to do with a component.
enum Work {
    /// There may be loops among these locations.
    Again(BTreeSet<LocationId>),
    /// Nothing.
    Done,
}

struct Cutter<'c, 'l, 'a> {
    b: &'c mut Builder<'l, 'a>,
    edges: Vec<FreeEdge>,
    wheres: BTreeMap<Arc<str>, Where>,
}

/// Replaces every loop by what its invariants say; `bodies` are the frames of the unit.
pub fn cut_loops(b: &mut Builder<'_, '_>, bodies: &[Frame]) {
    mark_loop_heads(&mut b.graph);
    let wheres = collect_wheres(b, bodies);
    let mut abstracted = std::mem::take(&mut b.abstracted);
    let edges = b
        .graph
        .graph
        .edge_references()
        .map(|e| FreeEdge {
            source: e.source(),
            target: e.target(),
            edge: e.weight().clone(),
            why: abstracted.remove(&e.id()),
        })
        .collect();
    b.graph.graph.clear_edges();
    let mut cutter = Cutter { b, edges, wheres };
    let all: BTreeSet<LocationId> = cutter.b.graph.graph.node_indices().collect();
    let mut work = vec![all];
    while let Some(set) = work.pop() {
        for component in cutter.components(&set) {
            if let Work::Again(set) = cutter.cut(&component) {
                work.push(set);
            }
        }
    }
    for free in std::mem::take(&mut cutter.edges) {
        let graph = &mut cutter.b.graph.graph;
        let id = graph.add_edge(free.source, free.target, free.edge);
        if let Some(why) = free.why {
            cutter.b.abstracted.insert(id, why);
        }
    }
}

fn collect_wheres(b: &Builder<'_, '_>, bodies: &[Frame]) -> BTreeMap<Arc<str>, Where> {
    let mut wheres = BTreeMap::new();
    let mut add = |frame: &Frame, variable: VarRef, clause: &Expr| {
        if let Some(Ok((name, _))) = b.slot(frame, variable) {
            let condition = b.assumption(frame, clause);
            let span = clause.span;
            wheres
                .entry(name.clone())
                .or_insert(Where { condition, span });
        }
    };
    for frame in bodies {
        let globals = (0..b.globals.len()).map(|i| VarRef::Global(GlobalId::new(i)));
        let locals = (0..frame.locals.len()).map(|i| VarRef::Local(LocalId::new(i)));
        for variable in globals.chain(locals) {
            if let Some(clause) = b.where_clause(frame, variable) {
                add(frame, variable, clause);
            }
        }
    }
    wheres
}

impl Cutter<'_, '_, '_> {
    /// The strongly connected components within a set of locations that contain a cycle.
    fn components(&self, set: &BTreeSet<LocationId>) -> Vec<BTreeSet<LocationId>> {
        let members: Vec<LocationId> = set.iter().copied().collect();
        let number: BTreeMap<LocationId, NodeIndex> = members
            .iter()
            .enumerate()
            .map(|(i, &l)| (l, NodeIndex::new(i)))
            .collect();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in &members {
            graph.add_node(());
        }
        let mut loops = BTreeSet::new();
        for free in &self.edges {
            if let (Some(&from), Some(&to)) = (number.get(&free.source), number.get(&free.target)) {
                graph.add_edge(from, to, ());
                if from == to {
                    loops.insert(from);
                }
            }
        }
        let mut found: Vec<BTreeSet<LocationId>> = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .filter(|c| c.len() > 1 || loops.contains(&c[0]))
            .map(|c| c.into_iter().map(|n| members[n.index()]).collect())
            .collect();
        found.sort();
        found
    }

    /// Cuts the edges of a component that lead to its entry, or makes a component with one entry of it. A
    /// component that cannot be reached has no entry and stays as it is.
    fn cut(&mut self, component: &BTreeSet<LocationId>) -> Work {
        let mut entries = BTreeSet::new();
        let mut targets = BTreeSet::new();
        for free in &self.edges {
            if !component.contains(&free.target) {
                continue;
            }
            if component.contains(&free.source) {
                targets.extend(free.edge.transition.changed.iter().cloned());
            } else {
                entries.insert(free.target);
            }
        }
        if component.contains(&self.b.graph.initial) {
            // The initial location is entered by no edge, but runs are there.
            entries.insert(self.b.graph.initial);
        }
        let Some(&first) = entries.first() else {
            return Work::Done;
        };
        let size = self.b.graph.graph.node_count() + component.len();
        if entries.len() > 1 && size <= MOST_LOCATIONS {
            return Work::Again(self.split(component, &entries));
        }
        let name = self.b.graph.graph[first].name.clone();
        let forgotten = self.b.location(&format!("{name}.any"));
        for &entry in &entries {
            self.cut_entry(component, entry, forgotten);
        }
        self.forget(forgotten, &entries, &targets);
        Work::Again(component.clone())
    }

    /// Copies a component but for one of its entries; all other entries lead into the copy. Returns all of it.
    fn split(
        &mut self,
        component: &BTreeSet<LocationId>,
        entries: &BTreeSet<LocationId>,
    ) -> BTreeSet<LocationId> {
        let initial = self.b.graph.initial;
        // An entry with invariants is one that was meant to be the loop's head, and so is one to which the loop often
        // comes back.
        let merit = |entry: LocationId| {
            let is_round =
                |edge: &&FreeEdge| edge.target == entry && component.contains(&edge.source);
            let rounds = self.edges.iter().filter(is_round).count();
            (entry == initial, !self.leading(entry).is_empty(), rounds)
        };
        let mut head = initial;
        let mut best = None;
        for &entry in entries {
            let merit = Some(merit(entry));
            if merit > best {
                (head, best) = (entry, merit);
            }
        }
        let mut all = component.clone();
        let mut copies = BTreeMap::new();
        for &location in component.iter().filter(|&&location| location != head) {
            let copy = self.copied(location);
            copies.insert(location, copy);
            all.insert(copy);
        }
        for i in 0..self.edges.len() {
            let FreeEdge { source, target, .. } = self.edges[i];
            if let Some(&from) = copies.get(&source) {
                let to = match copies.get(&target) {
                    Some(&copy) => copy,
                    None if self.b.obligations.contains_key(&target) => self.copied(target),
                    None => target,
                };
                let FreeEdge { edge, why, .. } = &self.edges[i];
                let (edge, why) = (edge.clone(), why.clone());
                self.connect(from, to, edge.transition, edge.origin, why);
            } else if let Some(&copy) = copies.get(&target)
                && !component.contains(&source)
            {
                self.edges[i].target = copy;
            }
        }
        all
    }

    /// A location like this one, with the same obligation if it has one.
    fn copied(&mut self, location: LocationId) -> LocationId {
        let original = self.b.graph.graph[location].clone();
        let copy = self.b.location(&format!("{}.copy", original.name));
        let name = self.b.graph.graph[copy].name.clone();
        self.b.graph.graph[copy] = Location { name, ..original };
        if let Some(obligation) = self.b.obligations.get(&location) {
            self.b.obligations.insert(copy, obligation.clone());
        }
        copy
    }

    /// Leads the edges into `entry` elsewhere: those from outside through a check of the invariants
    /// to `forgotten`, those from inside through a check to a dead end.
    fn cut_entry(
        &mut self,
        component: &BTreeSet<LocationId>,
        entry: LocationId,
        forgotten: LocationId,
    ) {
        let leading = self.leading(entry);
        let name = self.b.graph.graph[entry].name.clone();
        self.b.graph.graph[entry].loop_head = true;
        let first = self.b.location(&format!("{name}.first"));
        let again = self.b.location(&format!("{name}.again"));
        for free in &mut self.edges {
            if free.target == entry {
                free.target = if component.contains(&free.source) {
                    again
                } else {
                    first
                };
            }
        }
        if self.b.graph.initial == entry {
            self.b.graph.initial = first;
        }
        let mut round_at = again;
        let mut entry_at = first;
        for leading in &leading {
            let after = self.b.location(&format!("{name}.again"));
            self.check_again(leading, round_at, after);
            round_at = after;
            let after = self.b.location(&format!("{name}.first"));
            self.check_first(leading, entry_at, after);
            entry_at = after;
        }
        let (span, frame) = self.place(entry);
        let origin = self.b.origins.add(span, Step::Loop, frame);
        let skip = Transition::assume(self.b.terms().tt());
        self.connect(entry_at, forgotten, skip, Some(origin), None);
    }

    /// The assertions with which a location begins; assumptions between them are passed over.
    fn leading(&self, entry: LocationId) -> Vec<Leading> {
        let mut found = Vec::new();
        let mut at = entry;
        let mut seen = BTreeSet::new();
        while seen.insert(at) {
            let out: Vec<usize> = (0..self.edges.len())
                .filter(|&i| self.edges[i].source == at)
                .collect();
            let is_check = |i: usize| self.b.obligations.contains_key(&self.edges[i].target);
            let next = match out[..] {
                [violated, passed]
                    if is_check(violated) && self.step(passed) == Some(&Step::Passed) =>
                {
                    found.push(Leading { violated, passed });
                    passed
                }
                [only]
                    if matches!(
                        self.step(only),
                        Some(Step::Assume | Step::Defined(_) | Step::Invariant)
                    ) =>
                {
                    only
                }
                _ => break,
            };
            at = self.edges[next].target;
            if self.edges.iter().filter(|e| e.target == at).count() != 1 {
                break;
            }
        }
        found
    }

    fn step(&self, edge: usize) -> Option<&Step> {
        let origin = self.edges[edge].edge.origin?;
        self.b.origins.get(origin).map(|info| &info.step)
    }

    /// The check at the end of a round: a copy of the assertion.
    fn check_again(&mut self, leading: &Leading, from: LocationId, to: LocationId) {
        let error = self.b.numbered_location("error");
        let original = self.edges[leading.violated].target;
        if let Some(obligation) = self.b.obligations.get(&original) {
            let kind = match &obligation.kind {
                kind @ ObligationKind::Unsupported { .. } => kind.clone(),
                _ => ObligationKind::InvariantConsecution,
            };
            let copy = Obligation {
                text: words(obligation, &kind),
                kind,
                ..obligation.clone()
            };
            self.b.graph.graph[error].error = Some(copy.text.clone());
            self.b.graph.graph[error].origin = Some(copy.origin);
            self.b.obligations.insert(error, copy);
        }
        for (edge, target) in [(leading.violated, error), (leading.passed, to)] {
            let FreeEdge { edge, why, .. } = &self.edges[edge];
            let (edge, why) = (edge.clone(), why.clone());
            self.connect(from, target, edge.transition, edge.origin, why);
        }
    }

    /// The check before the first round: the assertion itself, moved here.
    fn check_first(&mut self, leading: &Leading, from: LocationId, to: LocationId) {
        self.edges[leading.violated].source = from;
        let error = self.edges[leading.violated].target;
        if let Some(obligation) = self.b.obligations.get_mut(&error)
            && !matches!(obligation.kind, ObligationKind::Unsupported { .. })
        {
            let kind = ObligationKind::InvariantInitiation;
            obligation.text = words(obligation, &kind);
            obligation.kind = kind;
            self.b.graph.graph[error].error = Some(obligation.text.clone());
        }
        let FreeEdge { edge, why, .. } = &self.edges[leading.passed];
        let (edge, why) = (edge.clone(), why.clone());
        self.connect(from, to, edge.transition, edge.origin, why);
    }

    /// Any number of rounds: the variables that the loop changes become arbitrary.
    fn forget(
        &mut self,
        from: LocationId,
        entries: &BTreeSet<LocationId>,
        targets: &BTreeSet<Arc<str>>,
    ) {
        let Some(&first) = entries.first() else {
            return;
        };
        let (span, frame) = self.place(first);
        let origin = self.b.origins.add(span, Step::ForgetLoop, frame);
        let name = self.b.graph.graph[first].name.clone();
        let mut at = self.b.location(&format!("{name}.any"));
        let havoc = Transition::havoc(self.b.terms(), targets.iter().cloned());
        self.connect(from, at, havoc, Some(origin), None);
        for target in targets {
            let Some(Where { condition, span }) = self.wheres.get(target) else {
                continue;
            };
            let (condition, span) = (condition.clone(), *span);
            let after = self.b.location(&format!("{name}.any"));
            let (formula, why) = match condition {
                Ok((formula, true)) => (formula, None),
                Ok((formula, false)) => {
                    let what = quantified_types::WHAT.into();
                    (formula, Some(Abstraction::Weakened { what }))
                }
                Err(unsupported) => (self.b.terms().tt(), Some(self.b.note(&unsupported, frame))),
            };
            let origin = self.b.origins.add(span, Step::Where, frame);
            self.connect(at, after, Transition::assume(formula), Some(origin), why);
            at = after;
        }
        for &entry in entries {
            let skip = Transition::assume(self.b.terms().tt());
            self.connect(at, entry, skip, Some(origin), None);
        }
    }

    fn place(&self, location: LocationId) -> (Span, FrameId) {
        let origin = self.b.graph.graph[location].origin;
        let info = origin.and_then(|o| self.b.origins.get(o));
        info.map_or((Span::default(), FrameId(0)), |i| (i.span, i.frame))
    }

    fn connect(
        &mut self,
        source: LocationId,
        target: LocationId,
        transition: Transition,
        origin: Option<Origin>,
        why: Option<Abstraction>,
    ) {
        self.edges.push(FreeEdge {
            source,
            target,
            edge: Edge::new(transition, origin),
            why,
        });
    }
}

/// What an obligation is called as one of this kind: what the program says, if it says something.
fn words(obligation: &Obligation, kind: &ObligationKind) -> Arc<str> {
    match *obligation.text == *obligation.kind.to_string() {
        true => kind.to_string().into(),
        false => obligation.text.clone(),
    }
}
