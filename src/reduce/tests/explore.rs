//! Explicit exploration of graphs over a small domain: an independent judge of the reductions.
//!
//! Integers range over 0, 1, 2. The graphs in these tests compute no other values.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::formula::{Sort, Term, Terms, Value, Version, eval};
use ult_core::graph::analysis::reach;
use ult_core::graph::evidence::{Invariants, RigidMeaning, Run, State, Step, Valuation};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

pub(super) struct Explorer<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    states: Vec<State>,
    numbers: HashMap<Vec<Value>, usize>,
    memo: HashMap<(EdgeId, usize), Vec<Successor>>,
}

type Place = (LocationId, usize);

/// The number of a state, and values for the auxiliaries of the edge that leads there.
type Successor = (usize, BTreeMap<u32, Value>);

fn domain(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (0..3).map(Value::int).collect(),
    }
}

fn literal(terms: &Terms, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        other => panic!("{other}"),
    }
}

fn key(state: &State) -> Vec<Value> {
    state.values().cloned().collect()
}

impl<'a> Explorer<'a> {
    pub(super) fn new(terms: &'a Terms, graph: &'a ProgramGraph) -> Explorer<'a> {
        let mut states = vec![State::new()];
        for (name, sort) in &graph.variables {
            let extend = |state: &State| {
                let values = domain(sort).into_iter();
                let extended = values.map(|value| {
                    let mut state = state.clone();
                    state.insert(name.clone(), value);
                    state
                });
                extended.collect::<Vec<_>>()
            };
            states = states.iter().flat_map(extend).collect();
        }
        let numbered = states.iter().enumerate();
        Explorer {
            terms,
            graph,
            numbers: numbered
                .map(|(number, state)| (key(state), number))
                .collect(),
            states,
            memo: HashMap::new(),
        }
    }

    /// The states an edge leads to from a state, each with values for the auxiliaries.
    fn successors(&mut self, edge: EdgeId, before: usize) -> Vec<Successor> {
        if let Some(known) = self.memo.get(&(edge, before)) {
            return known.clone();
        }
        let label = &self.graph.graph[edge].transition;
        let term = |name: &Arc<str>, version| {
            let variable = self.graph.variable(self.terms, name, version);
            variable.expect("the states have the variables of the graph")
        };
        // What is known, and then what to search for, changed variables before auxiliaries.
        let (mut known, mut unknown) = (HashMap::new(), Vec::new());
        for (name, value) in &self.states[before] {
            let value = literal(self.terms, value);
            known.insert(term(name, Version::Current), value);
            if label.changed.contains(name) {
                unknown.push(term(name, Version::Next));
            }
        }
        let mut search = Search {
            terms: self.terms,
            unknown,
            found: Vec::new(),
        };
        let formula = self.terms.substitute(label.formula, &known);
        search.all(formula, &mut Vec::new());
        let mut found = Vec::new();
        for (values, aux) in search.found {
            let mut after = self.states[before].clone();
            let changed = after
                .iter_mut()
                .filter(|(name, _)| label.changed.contains(*name));
            for ((_, slot), value) in changed.zip(values) {
                *slot = value;
            }
            found.push((self.numbers[&key(&after)], aux));
        }
        found.sort_by_key(|(number, _)| *number);
        self.memo.insert((edge, before), found.clone());
        found
    }

    /// All places that can be reached, with the step that reached them first.
    fn reach(&mut self) -> BTreeMap<Place, Option<(Place, Step)>> {
        let starts = (0..self.states.len()).map(|state| (self.graph.initial, state));
        let mut reached: BTreeMap<Place, _> = starts.clone().map(|place| (place, None)).collect();
        let mut waiting: VecDeque<Place> = starts.collect();
        while let Some((location, before)) = waiting.pop_front() {
            for edge in self.graph.graph.edges(location) {
                for (after, aux) in self.successors(edge.id(), before) {
                    let place = (edge.target(), after);
                    reached.entry(place).or_insert_with(|| {
                        waiting.push_back(place);
                        let step = Step::new(edge.id(), aux, self.states[after].clone());
                        Some(((location, before), step))
                    });
                }
            }
        }
        reached
    }

    /// A shortest run to each error location that can be reached.
    pub(super) fn runs(&mut self) -> BTreeMap<LocationId, Run> {
        let reached = self.reach();
        let mut runs = BTreeMap::new();
        for &(location, state) in reached.keys() {
            if self.graph.graph[location].error.is_none() {
                continue;
            }
            let (mut at, mut steps) = ((location, state), Vec::new());
            while let Some((before, step)) = &reached[&at] {
                steps.push(step.clone());
                at = *before;
            }
            steps.reverse();
            let run = Run::new(self.states[at.1].clone(), steps, RigidMeaning::default());
            runs.entry(location).or_insert(run);
        }
        runs
    }

    /// The strongest invariants at all locations but the initial one.
    pub(super) fn invariants(&mut self) -> Invariants {
        let reached = self.reach();
        let mut invariants = Invariants::default();
        for location in self.graph.graph.node_indices() {
            let mut states = Vec::new();
            for (number, state) in self.states.iter().enumerate() {
                if reached.contains_key(&(location, number)) {
                    states.push(self.terms.and(state.iter().map(|(name, value)| {
                        let variable = self.graph.variable(self.terms, name, Version::Current);
                        self.terms.eq(variable.unwrap(), literal(self.terms, value))
                    })));
                }
            }
            if self.graph.graph[location].error.is_some() && !states.is_empty() {
                invariants.exempt.insert(location);
            }
            if location != self.graph.initial {
                invariants.at.insert(location, self.terms.or(states));
            }
        }
        invariants
    }

    fn holds(&self, formula: Term, state: usize) -> bool {
        let valuation = Valuation {
            before: &self.states[state],
            after: None,
            aux: None,
            rigid: &RigidMeaning::default(),
        };
        eval(self.terms, formula, &valuation) == Ok(Value::Bool(true))
    }

    /// Whether invariants prove themselves from cut point to cut point.
    pub(super) fn check_invariants(&mut self, invariants: &Invariants) -> Result<(), String> {
        let graph = self.graph;
        let mut at = invariants.at.clone();
        if let Some(&formula) = at.get(&graph.initial)
            && (0..self.states.len()).any(|state| !self.holds(formula, state))
        {
            return Err("the invariant of the start is not true".into());
        }
        at.insert(graph.initial, self.terms.tt());
        for error in graph.errors() {
            if !invariants.exempt.contains(&error) && error != graph.initial {
                at.insert(error, self.terms.ff());
            }
        }
        // Without the cut points no cycle is left of what can be reached.
        let reached = reach(graph, [graph.initial], Direction::Outgoing, |_| true);
        let uncut = graph.graph.filter_map(
            |location, _| (reached[location.index()] && !at.contains_key(&location)).then_some(()),
            |_, _| Some(()),
        );
        if petgraph::algo::is_cyclic_directed(&uncut) {
            let at: Vec<_> = at.keys().map(|l| &graph.graph[*l].name).collect();
            return Err(format!("{at:?} do not cut all cycles"));
        }
        for (&cut, &formula) in &at {
            let states = 0..self.states.len();
            let mut waiting: Vec<Place> = states
                .filter(|&state| self.holds(formula, state))
                .map(|state| (cut, state))
                .collect();
            let mut seen = BTreeSet::new();
            while let Some((location, before)) = waiting.pop() {
                for edge in graph.graph.edges(location) {
                    for (after, _) in self.successors(edge.id(), before) {
                        match at.get(&edge.target()) {
                            Some(&formula) if !self.holds(formula, after) => {
                                return Err(format!(
                                    "`{}` does not hold at {}, coming from {}",
                                    self.terms.display(formula),
                                    graph.graph[edge.target()].name,
                                    graph.graph[cut].name
                                ));
                            }
                            Some(_) => {}
                            None => {
                                if seen.insert((edge.target(), after)) {
                                    waiting.push((edge.target(), after));
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The search for values that satisfy a formula.
struct Search<'a> {
    terms: &'a Terms,
    /// The variables to find all values of.
    unknown: Vec<Term>,
    found: Vec<(Vec<Value>, BTreeMap<u32, Value>)>,
}

impl Search<'_> {
    /// All values for the unknown variables, beginning with `values`, with some values for the
    /// auxiliaries.
    fn all(&mut self, formula: Term, values: &mut Vec<Value>) {
        if formula == self.terms.ff() {
            return;
        }
        let Some(&variable) = self.unknown.get(values.len()) else {
            let mut aux = BTreeMap::new();
            if solve(self.terms, formula, &mut aux) {
                self.found.push((values.clone(), aux));
            }
            return;
        };
        for value in domain(self.terms.sort(variable)) {
            let map = HashMap::from([(variable, literal(self.terms, &value))]);
            values.push(value);
            self.all(self.terms.substitute(formula, &map), values);
            values.pop();
        }
    }
}

/// Values for the auxiliaries of a formula that has no other variables.
fn solve(terms: &Terms, formula: Term, aux: &mut BTreeMap<u32, Value>) -> bool {
    if formula == terms.tt() || formula == terms.ff() {
        return formula == terms.tt();
    }
    // The oldest auxiliary first: younger ones are defined by it.
    let variables = terms.free_vars(&[formula]).into_iter();
    let numbered = variables.filter_map(|variable| match terms.as_var(variable)?.version {
        Version::Aux(number) => Some((number, variable)),
        _ => None,
    });
    let (number, variable) = numbered.min().expect("only auxiliaries are left");
    for value in domain(terms.sort(variable)) {
        let map = HashMap::from([(variable, literal(terms, &value))]);
        aux.insert(number, value);
        if solve(terms, terms.substitute(formula, &map), aux) {
            return true;
        }
    }
    aux.remove(&number);
    false
}

/// Whether a run is one of the graph and ends in a location.
pub(super) fn check_run(
    terms: &Terms,
    graph: &ProgramGraph,
    run: &Run,
    end: LocationId,
) -> Result<(), String> {
    let (mut at, mut state) = (graph.initial, run.start.clone());
    for step in &run.steps {
        let (source, target) = graph
            .graph
            .edge_endpoints(step.edge)
            .ok_or("no such edge")?;
        let name = || {
            format!(
                "{} -> {}",
                graph.graph[source].name, graph.graph[target].name
            )
        };
        if source != at {
            return Err(format!("{}: starts elsewhere", name()));
        }
        let label = &graph.graph[step.edge].transition;
        let mut after = state.clone();
        for (name, value) in step.values() {
            after.insert(name.clone(), value.clone());
        }
        let valuation = Valuation {
            before: &state,
            after: Some(&after),
            aux: Some(step.aux()),
            rigid: &run.rigid,
        };
        if eval(terms, label.formula, &valuation) != Ok(Value::Bool(true)) {
            return Err(format!("{}: {state:?} to {after:?}", name()));
        }
        for name in graph.variables.keys() {
            if !label.changed.contains(name) && state[name] != after[name] {
                return Err(format!("`{name}` must not change"));
            }
        }
        (at, state) = (target, after);
    }
    (at == end).then_some(()).ok_or("ends elsewhere".into())
}
