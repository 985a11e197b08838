//! Abstract interpretation (Cousot, Cousot: "Abstract interpretation: a unified lattice model for
//! static analysis of programs", POPL 1977), for any domain.
//!
//! It works on a graph in small steps, whose effect on a state is read off their formulas without a
//! question to the solver. States are held where edges meet; loop heads are widened, and what that
//! loses is looked for again by narrowing. What a domain finds is a claim: the checker proves it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use petgraph::visit::EdgeRef as _;

use crate::limits;
use crate::live::Live;
use crate::task::{Claims, Outcome};
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::analysis::{is_kept, reverse_postorder};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;

/// So often the state at a loop head grows as it may, before it is widened.
pub(crate) const PATIENCE: u32 = 3;

/// So often what widening has lost is looked for again.
const NARROWINGS: usize = 2;

/// An abstract domain: which states there are, and what a step makes of them.
pub(crate) trait Domain {
    /// An element: a set of states of the program. The default is all of them.
    type State: Clone + Default;

    /// The states after a step; `None` if there are none.
    fn after(&self, before: Self::State, transition: &Transition) -> Option<Self::State>;

    /// Nothing is known of a variable (by number) any more.
    fn forget(&self, state: &mut Self::State, variable: usize);

    /// Takes in another state; returns whether that says anything new. At a loop head that has
    /// `grown` so often, and [`PATIENCE`] times or more, it is widened: such a sequence becomes
    /// stationary.
    fn include(&self, known: &mut Self::State, more: &Self::State, grown: u32) -> bool;

    /// An element as a formula about one state.
    fn formula(&self, state: &Self::State) -> Term;
}

/// The analysis of one graph. States are held at some locations only ([`kept`]); between them they
/// are handed on.
pub(crate) struct Analysis<'g, D: Domain> {
    pub(crate) graph: &'g ProgramGraph,
    control: &'g Control,
    pub(crate) domain: D,
    pub(crate) live: Live,
    /// The locations with states of their own, in the order of their places ([`kept`]).
    pub(crate) kept: IndexSet<LocationId>,
    /// The place of each location in a reverse postorder.
    places: BTreeMap<LocationId, usize>,
    pub(crate) heads: BTreeSet<LocationId>,
    pub(crate) states: BTreeMap<LocationId, D::State>,
    /// How many steps are still taken.
    budget: Cell<u64>,
}

impl<'g, D: Domain> Analysis<'g, D> {
    /// The fixpoint, in so many steps at most. It is not time that is counted, so that the answer is
    /// always the same.
    ///
    /// # Errors
    /// If it takes too long.
    pub(crate) fn of(
        domain: D,
        terms: &Terms,
        graph: &'g ProgramGraph,
        control: &'g Control,
        most_steps: u64,
    ) -> Result<Analysis<'g, D>, Reason> {
        let mut analysis = Analysis::new(domain, terms, graph, control, most_steps);
        analysis.fixpoint()?;
        for _ in 0..NARROWINGS {
            analysis.narrow()?;
        }
        Ok(analysis)
    }

    fn new(
        domain: D,
        terms: &Terms,
        graph: &'g ProgramGraph,
        control: &'g Control,
        most_steps: u64,
    ) -> Analysis<'g, D> {
        let (order, heads) = reverse_postorder(graph);
        let places: BTreeMap<LocationId, usize> =
            order.iter().enumerate().map(|(n, &l)| (l, n)).collect();
        Analysis {
            graph,
            control,
            domain,
            live: Live::new(terms, graph),
            kept: kept(graph, &order),
            places,
            heads,
            states: BTreeMap::new(),
            budget: Cell::new(most_steps),
        }
    }

    /// What is known at all kept locations, as a claim.
    ///
    /// # Errors
    /// If it takes too long.
    pub(crate) fn claim(&self, terms: &Terms) -> Result<Invariants, Reason> {
        let at = self.kept.iter().map(|&location| {
            let state = self.states.get(&location);
            let formula = state.map_or(terms.ff(), |state| self.domain.formula(state));
            (location, formula)
        });
        Ok(Invariants {
            at: at.collect(),
            exempt: self.reached_errors()?,
            ..Invariants::default()
        })
    }

    /// Counts a step.
    fn count(&self) -> Result<(), Reason> {
        let left = self.budget.get();
        if left == 0 {
            return Err(Reason::Incomplete(
                "abstract interpretation takes too many steps".into(),
            ));
        }
        self.budget.set(left - 1);
        match left % 128 {
            0 => self.control.check().map_err(Reason::from),
            _ => Ok(()),
        }
    }

    /// Lets states grow until no step leads out of them.
    fn fixpoint(&mut self) -> Result<(), Reason> {
        let initial = self.graph.initial;
        self.states.insert(initial, D::State::default());
        let mut waiting = BTreeSet::from([(self.places[&initial], initial)]);
        let mut grown: BTreeMap<LocationId, u32> = BTreeMap::new();
        while let Some((_, location)) = waiting.pop_first() {
            let Some(state) = self.states.get(&location).cloned() else {
                continue;
            };
            let mut arrived = Vec::new();
            self.walk(location, state, &mut |_, _, _| {}, &mut |target, state| {
                arrived.push((target, state))
            })?;
            for (target, state) in arrived {
                let is_new = match self.states.get_mut(&target) {
                    None => {
                        self.states.insert(target, state);
                        true
                    }
                    Some(known) => {
                        let times = grown.entry(target).or_default();
                        let is_head = self.heads.contains(&target);
                        let so_far = if is_head { *times } else { 0 };
                        let changed = self.domain.include(known, &state, so_far);
                        *times += u32::from(changed);
                        changed
                    }
                };
                if is_new {
                    waiting.insert((self.places[&target], target));
                }
            }
        }
        Ok(())
    }

    /// Takes all steps once more: what comes out is no larger, and still no step leads out of it.
    fn narrow(&mut self) -> Result<(), Reason> {
        let mut smaller: BTreeMap<LocationId, D::State> = BTreeMap::new();
        smaller.insert(self.graph.initial, D::State::default());
        for &location in &self.kept {
            let Some(state) = self.states.get(&location).cloned() else {
                continue;
            };
            self.walk(
                location,
                state,
                &mut |_, _, _| {},
                &mut |target, state| match smaller.get_mut(&target) {
                    None => {
                        smaller.insert(target, state);
                    }
                    Some(known) => {
                        self.domain.include(known, &state, 0);
                    }
                },
            )?;
        }
        self.states = smaller;
        Ok(())
    }

    /// The error locations that some step leads to.
    ///
    /// # Errors
    /// If it takes too long.
    pub(crate) fn reached_errors(&self) -> Result<BTreeSet<LocationId>, Reason> {
        let mut reached = BTreeSet::new();
        if self.graph.graph[self.graph.initial].error.is_some() {
            reached.insert(self.graph.initial);
        }
        for &location in &self.kept {
            if let Some(state) = self.states.get(&location).cloned() {
                self.walk(location, state, &mut |_, _, _| {}, &mut |target, _| {
                    reached.insert(target);
                })?;
            }
        }
        reached.retain(|&location| self.graph.graph[location].error.is_some());
        Ok(reached)
    }

    /// Takes all steps from a kept location up to the next kept locations, and hands over what is
    /// known there. Runs end in error locations.
    ///
    /// # Errors
    /// If it takes too long.
    pub(crate) fn walk(
        &self,
        from: LocationId,
        state: D::State,
        on_the_way: OnTheWay<'_, D::State>,
        arrive: &mut dyn FnMut(LocationId, D::State),
    ) -> Result<(), Reason> {
        if self.graph.graph[from].error.is_some() {
            return Ok(());
        }
        let mut work = vec![(from, state)];
        while let Some((location, state)) = work.pop() {
            let mut edges = self.graph.graph.edges(location).peekable();
            let mut state = Some(state);
            while let Some(edge) = edges.next() {
                let before = match edges.peek() {
                    Some(_) => state.clone(),
                    None => state.take(),
                };
                let Some(before) = before else { break };
                self.count()?;
                let Some(mut after) = self.domain.after(before, &edge.weight().transition) else {
                    continue;
                };
                let target = edge.target();
                on_the_way(edge.id(), target, &after);
                if self.graph.graph[target].error.is_some() {
                    // Nothing matters there: there would be much to forget.
                    after = D::State::default();
                } else {
                    for number in self.live.dying(edge.id(), location, target) {
                        self.domain.forget(&mut after, number);
                    }
                }
                match self.kept.contains(&target) {
                    true => arrive(target, after),
                    false => work.push((target, after)),
                }
            }
        }
        Ok(())
    }
}

/// What an engine answers that claims what holds in a graph, or why it claims nothing. Of error locations that the claim does not
/// exclude it says `why` not.
pub(crate) fn outcome(
    graph: &ProgramGraph,
    claim: Result<Invariants, Reason>,
    why: &str,
) -> Outcome {
    let (invariants, reason) = match claim {
        Ok(claim) => (Some(claim), Reason::Incomplete(why.into())),
        Err(reason) => (None, reason),
    };
    let is_excluded = |error| {
        let claim = invariants.as_ref();
        claim.is_some_and(|claim| !claim.exempt.contains(&error))
    };
    let open = graph.errors().filter(|&error| !is_excluded(error));
    let undecided = open.map(|error| (error, reason.clone())).collect();
    Outcome {
        original: Claims {
            invariants,
            undecided,
            ..Claims::default()
        },
        ..Outcome::default()
    }
}

/// The locations with states of their own among those in `order`, a reverse postorder: those where edges meet, and every
/// [`limits::STRAIGHT`] steps in between, so that no part of the claim is large.
fn kept(graph: &ProgramGraph, order: &[LocationId]) -> IndexSet<LocationId> {
    let mut steps: BTreeMap<LocationId, u32> = BTreeMap::new();
    let mut kept = IndexSet::new();
    for &location in order {
        let before = steps.get(&location).copied().unwrap_or_default();
        let here = match is_kept(graph, location) || before >= limits::STRAIGHT {
            true => {
                kept.insert(location);
                0
            }
            false => before,
        };
        for target in graph.graph.neighbors(location) {
            steps.insert(target, here + 1);
        }
    }
    kept
}

/// What a walk does at each step: with the edge, where it leads, and what is known there.
pub(crate) type OnTheWay<'a, S> = &'a mut dyn FnMut(EdgeId, LocationId, &S);
