//! Verification conditions: the acyclic part of the graph behind one cut location as formulas.
//!
//! Every location of the region gets a boolean "a run gets here" and terms for the values of the
//! program variables there. A run that leaves the entry and gets to some location must have come
//! over one of the edges into it:
//!
//! `here(l) ==> OR over edges (k, phi, l):  here(k) && phi[values at k, values at l] && frame`
//!
//! Since the region is acyclic, a model in which `here(l)` is true contains a whole run from the
//! entry to `l`; and a run gives a model. A value gets a new name only where it may differ: at
//! the target of an edge that changes it, and where edges meet that bring different ones. So the
//! size is linear in that of the region, up to the number of variables that meet at joins.
//! Where the only edge into a location says `x' == e`, with a small `e` over values before, the
//! value of `x` there is `e` and needs no name: every run over the edge has that value.
//!
//! Where an edge has premises, the invariants at their locations, about the states there, are conjuncts of its formula.
//!
//! Of a value that nothing reads any more, nothing is said where edges meet: that allows more runs,
//! so it can only make a proof fail.
//!
//! Large-block encoding composes edges pairwise into single formulas. Nothing like that happens
//! here, and no code is shared.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use indexmap::IndexMap;

use super::cut::Cuts;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{EdgeId, LocationId, Premise, ProgramGraph};
use ult_core::persistent::{Set, Vector};

/// A term for each program variable, in the order of declaration.
type Values = Vector<Term>;

/// Gives out variables that occur nowhere else in the same question.
///
/// All of them have the version [`Version::At`], which occurs in no formula of a graph or claim,
/// with a position that is used once. So no two are equal, whatever their names.
pub(super) struct Copies<'a> {
    terms: &'a Terms,
    next: u32,
}

impl<'a> Copies<'a> {
    pub(super) fn new(terms: &'a Terms) -> Copies<'a> {
        Copies { terms, next: 0 }
    }

    pub(super) fn fresh(&mut self, name: &str, sort: &Sort) -> Term {
        let position = self.next;
        self.next += 1;
        self.terms.var(name, Version::At(position), sort.clone())
    }
}

/// The formulas of one region.
pub(super) struct Region {
    /// The conjuncts of the entry's invariant, about the values there.
    pub(super) assumed: Vec<Term>,
    /// What holds of every run through the region, whatever it starts with.
    pub(super) assertions: Vec<Term>,
    /// The inner locations, each after all its predecessors among them.
    pub(super) order: Vec<LocationId>,
    /// For each location of the region other than the entry: a run gets here. Includes exits.
    pub(super) here: BTreeMap<LocationId, Term>,
    /// The values of the program variables at the exits, in the order of declaration.
    values: BTreeMap<LocationId, Values>,
}

impl Region {
    /// All that holds of every run through the region that starts under the entry's invariant.
    pub(super) fn premises(&self) -> Vec<Term> {
        [&self.assumed[..], &self.assertions].concat()
    }

    /// The exits, in order.
    pub(super) fn exits(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.values.keys().copied()
    }

    /// A state formula at an exit.
    pub(super) fn at_exit(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        exit: LocationId,
        formula: Term,
    ) -> Option<Term> {
        Some(state_formula_at(
            terms,
            graph,
            formula,
            self.values.get(&exit)?,
        ))
    }
}

/// A state formula (or term) with given terms for the program variables.
pub(super) fn state_formula_at(
    terms: &Terms,
    graph: &ProgramGraph,
    formula: Term,
    values: &Values,
) -> Term {
    let map: HashMap<Term, Term> = terms
        .free_vars(&[formula])
        .into_iter()
        .filter_map(|term| {
            let var = terms.as_var(term)?;
            let index = graph.variables.get_index_of(&var.name)?;
            (var.version == Version::Current).then(|| (term, values.get(index)))
        })
        .collect();
    terms.substitute(formula, &map)
}

/// Whether a term, written out, has few nodes.
fn is_small(terms: &Terms, term: Term) -> bool {
    const LIMIT: usize = 24;
    let mut count = 0;
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        count += 1;
        if count > LIMIT {
            return false;
        }
        stack.extend(terms.args(term));
    }
    true
}

/// New values for all program variables.
pub(super) fn fresh_values(graph: &ProgramGraph, copies: &mut Copies) -> Values {
    let variables = graph.variables.iter();
    let fresh: Vec<Term> = variables
        .map(|(name, sort)| copies.fresh(name, sort))
        .collect();
    Values::from_slice(&fresh, copies.terms.tt())
}

/// An edge of the region, ready to be written as a formula.
struct Incoming {
    edge: EdgeId,
    here: Term,
    before: Values,
}

struct Builder<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    cuts: &'a Cuts<'a>,
    copies: Copies<'a>,
    read_behind: BTreeMap<LocationId, Set>,
}

/// For each location of a region and each exit: the variables, by number, whose values there an
/// edge of the region or an invariant at an exit may read.
fn read_behind(
    terms: &Terms,
    graph: &ProgramGraph,
    cuts: &Cuts,
    order: &[LocationId],
) -> BTreeMap<LocationId, Set> {
    let none = || Set::new(graph.variables.len());
    let reads = |formula: Term, set: &mut Set| {
        for name in terms.names_of(&[formula], Version::Current).into_keys() {
            if let Some(index) = graph.variables.get_index_of(&name) {
                set.insert(index);
            }
        }
    };
    let mut behind: BTreeMap<LocationId, Set> = BTreeMap::new();
    for &location in order.iter().rev() {
        let mut here: Option<Set> = None;
        for (edge, target) in cuts.steps_from(location) {
            let mut after = behind
                .entry(target)
                .or_insert_with(|| {
                    // An exit: inner locations come later in the order.
                    let mut set = none();
                    if let Some(invariant) = cuts.invariant(target) {
                        reads(invariant, &mut set);
                    }
                    set
                })
                .clone();
            let edge = &graph.graph[edge];
            for name in &edge.transition.changed {
                if let Some(index) = graph.variables.get_index_of(name) {
                    after.remove(index);
                }
            }
            for term in edge.terms() {
                reads(term, &mut after);
            }
            match &mut here {
                None => here = Some(after),
                Some(here) => {
                    here.unite(&after);
                }
            }
        }
        behind.insert(location, here.unwrap_or_else(none));
    }
    behind
}

/// The regions of a claim.
///
/// Each region is a question of its own, so all may use the same names for the values at their
/// entries: with many variables and many small regions, making these names would be most of the work.
pub(super) struct Regions<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    cuts: &'a Cuts<'a>,
    /// The values at an entry.
    start: Values,
    /// How many names these are.
    named: u32,
}

impl<'a> Regions<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        graph: &'a ProgramGraph,
        cuts: &'a Cuts<'a>,
    ) -> Regions<'a> {
        let mut copies = Copies::new(terms);
        let start = fresh_values(graph, &mut copies);
        Regions {
            terms,
            graph,
            cuts,
            start,
            named: copies.next,
        }
    }

    /// The inner locations of the region behind `entry`. Fails on a cycle that no cut location is on.
    pub(super) fn inside(&self, entry: LocationId) -> Result<Vec<LocationId>, String> {
        topological(self.graph, self.cuts, entry)
    }

    /// The region behind `entry`. Fails on a cycle that no cut location is on.
    pub(super) fn of(&self, entry: LocationId) -> Result<Region, String> {
        let copies = Copies {
            terms: self.terms,
            next: self.named,
        };
        region(
            self.terms,
            self.graph,
            self.cuts,
            entry,
            copies,
            self.start.clone(),
        )
    }
}

/// The region behind `entry`, with the values there; names come from `copies`.
fn region(
    terms: &Terms,
    graph: &ProgramGraph,
    cuts: &Cuts<'_>,
    entry: LocationId,
    copies: Copies<'_>,
    start: Values,
) -> Result<Region, String> {
    let order = topological(graph, cuts, entry)?;
    let mut builder = Builder {
        terms,
        graph,
        cuts,
        copies,
        read_behind: read_behind(terms, graph, cuts, &order),
    };
    let mut region = Region {
        order,
        assumed: Vec::new(),
        assertions: Vec::new(),
        here: BTreeMap::new(),
        values: BTreeMap::new(),
    };
    if let Some(invariant) = cuts.invariant(entry) {
        let here = state_formula_at(terms, graph, invariant, &start);
        region.assumed = terms.conjuncts(here);
    }
    // Edges whose source was done and whose target was not. The values at a location live in
    // the edges that leave it, so only the frontier of the walk is held.
    let mut pending: BTreeMap<LocationId, Vec<Incoming>> = BTreeMap::new();
    leave(cuts, &mut pending, entry, terms.tt(), start);
    for number in 0..region.order.len() {
        let location = region.order[number];
        let incoming = pending.remove(&location).unwrap_or_default();
        let (here, values) = builder.arrive(location, incoming, &mut region);
        leave(cuts, &mut pending, location, here, values);
    }
    for (exit, incoming) in pending {
        let (_, values) = builder.arrive(exit, incoming, &mut region);
        region.values.insert(exit, values);
    }
    Ok(region)
}

/// Puts the edges that leave a location into the frontier.
fn leave(
    cuts: &Cuts,
    pending: &mut BTreeMap<LocationId, Vec<Incoming>>,
    location: LocationId,
    here: Term,
    values: Values,
) {
    for (edge, target) in cuts.steps_from(location) {
        pending.entry(target).or_default().push(Incoming {
            edge,
            here,
            before: values.clone(),
        });
    }
}

impl Builder<'_> {
    /// Writes the edges into a location; returns "a run gets here" and the values here.
    fn arrive(
        &mut self,
        location: LocationId,
        incoming: Vec<Incoming>,
        region: &mut Region,
    ) -> (Term, Values) {
        let name = format!("here {}", self.graph.graph[location].name);
        let here = self.copies.fresh(&name, &Sort::Bool);
        let mut after = self.values_at_target(&incoming);
        if let [only] = &incoming[..] {
            self.use_definitions(only, &mut after);
        }
        let mut ways = Vec::with_capacity(incoming.len());
        let read = self.read_behind.get(&location).cloned();
        for step in &incoming {
            ways.push(self.step(step, &after, read.as_ref()));
        }
        let ways = self.terms.or(ways);
        region.assertions.push(self.terms.implies(here, ways));
        region.here.insert(location, here);
        (here, after)
    }

    /// The value of a variable keeps its name if every incoming edge brings the same one.
    fn values_at_target(&mut self, incoming: &[Incoming]) -> Values {
        let Some((first, others)) = incoming.split_first() else {
            return fresh_values(self.graph, &mut self.copies);
        };
        let mut values = first.before.clone();
        let mut differs: BTreeSet<usize> = BTreeSet::new();
        for step in others {
            differs.extend(values.differences(&step.before));
        }
        for step in incoming {
            let changed = &self.graph.graph[step.edge].transition.changed;
            differs.extend(
                changed
                    .iter()
                    .filter_map(|x| self.graph.variables.get_index_of(x)),
            );
        }
        for i in differs {
            if let Some((name, sort)) = self.graph.variables.get_index(i) {
                values.set(i, self.copies.fresh(name, sort));
            }
        }
        values
    }

    /// Takes `e` for the value of `x` after the only edge into a location, where a conjunct of
    /// its formula is `x' == e`, and `e` speaks about the state before alone.
    fn use_definitions(&self, only: &Incoming, after: &mut Values) {
        let (terms, graph) = (self.terms, self.graph);
        let transition = &graph.graph[only.edge].transition;
        if transition.changed.is_empty() {
            return;
        }
        for conjunct in terms.conjuncts(transition.formula) {
            let (Op::Eq, &[left, right]) = (terms.op(conjunct), terms.args(conjunct)) else {
                continue;
            };
            for (defined, definition) in [(left, right), (right, left)] {
                let index = match terms.as_var(defined) {
                    Some(var) if var.version == Version::Next => {
                        graph.variables.get_index_of(&var.name)
                    }
                    _ => None,
                };
                let (Some(index), true) = (index, is_small(terms, definition)) else {
                    continue;
                };
                let before_only = terms.free_vars(&[definition]).into_iter().all(|term| {
                    terms
                        .as_var(term)
                        .is_some_and(|var| var.version == Version::Current)
                });
                if before_only {
                    let value = state_formula_at(terms, graph, definition, &only.before);
                    if is_small(terms, value) {
                        after.set(index, value);
                    }
                }
            }
        }
    }

    /// One edge: its source is reached, its formula holds, and what it does not change is kept, as
    /// far as it is read.
    fn step(&mut self, step: &Incoming, after: &Values, read: Option<&Set>) -> Term {
        let (terms, graph) = (self.terms, self.graph);
        let edge = &graph.graph[step.edge];
        let transition = &edge.transition;
        let mut map: HashMap<Term, Term> = HashMap::new();
        for var in terms.free_vars(&edge.terms()) {
            let Some(v) = terms.as_var(var) else { continue };
            let index = graph.variables.get_index_of(&v.name);
            let copy = match (v.version, index) {
                (Version::Current, Some(i)) => step.before.get(i),
                (Version::Next, Some(i)) => after.get(i),
                // Auxiliaries are existential in each edge formula: each edge has its own.
                _ => self.copies.fresh(&v.name, terms.sort(var)),
            };
            map.insert(var, copy);
        }
        let formula = terms.substitute(transition.formula, &map);
        let premises: Vec<Term> = (edge.premises.iter())
            .filter_map(|premise| self.premise(premise, &map))
            .collect();
        let kept = step.before.differences(after).filter(|&i| {
            read.is_none_or(|read| read.contains(i))
                && graph
                    .variables
                    .get_index(i)
                    .is_none_or(|(name, _)| !transition.changed.contains(name))
        });
        let frame: Vec<Term> = kept
            .map(|i| terms.eq(after.get(i), step.before.get(i)))
            .collect();
        terms.and(
            [step.here, formula]
                .into_iter()
                .chain(premises)
                .chain(frame),
        )
    }

    /// What the claim says of the state at a premise, where the terms that describe it mean what `map` says.
    ///
    /// The trace to a premise is shorter than the tree that it is a part of. So it may be taken for granted that the invariant
    /// holds at its end, as it may be at the entry of the region.
    fn premise(&mut self, premise: &Premise, map: &HashMap<Term, Term>) -> Option<Term> {
        let (terms, graph) = (self.terms, self.graph);
        let invariant = self.cuts.invariant(premise.location)?;
        let mut there = HashMap::new();
        for term in terms.free_vars(&[invariant]) {
            let Some(var) = terms.as_var(term) else {
                continue;
            };
            if var.version != Version::Current || !graph.variables.contains_key(&var.name) {
                continue;
            }
            let value = match premise.state.get(&var.name) {
                Some(&value) => terms.substitute(value, map),
                None => self.copies.fresh(&var.name, terms.sort(term)),
            };
            there.insert(term, value);
        }
        Some(terms.substitute(invariant, &there))
    }
}

/// Fails if a reachable cycle has no cut location on it.
///
/// Every reachable location that is no cut lies in the region of some entry, and so does a whole
/// cycle of them.
pub(super) fn require_cut_cycles(graph: &ProgramGraph, cuts: &Cuts) -> Result<(), String> {
    cuts.entries()
        .try_for_each(|entry| topological(graph, cuts, entry).map(|_| ()))
}

/// The inner locations of a region, each after all its predecessors in it.
fn topological(
    graph: &ProgramGraph,
    cuts: &Cuts,
    entry: LocationId,
) -> Result<Vec<LocationId>, String> {
    let inner_steps = |location| {
        cuts.steps_from(location)
            .map(|(_, target)| target)
            .filter(|&target| !cuts.is_cut(target))
    };
    let mut waiting: IndexMap<LocationId, usize> = IndexMap::new();
    let mut work = vec![entry];
    while let Some(location) = work.pop() {
        for target in inner_steps(location) {
            let count = waiting.entry(target).or_insert(0);
            *count += 1;
            if *count == 1 {
                work.push(target);
            }
        }
    }
    let mut order = Vec::with_capacity(waiting.len());
    work.push(entry);
    while let Some(location) = work.pop() {
        for target in inner_steps(location) {
            if let Some(count) = waiting.get_mut(&target) {
                *count -= 1;
                if *count == 0 {
                    order.push(target);
                    work.push(target);
                }
            }
        }
    }
    match waiting.iter().find(|(_, count)| **count > 0) {
        None => Ok(order),
        Some((&location, _)) => Err(format!(
            "a cycle at or before `{}` has no invariant",
            graph.graph[location].name
        )),
    }
}
