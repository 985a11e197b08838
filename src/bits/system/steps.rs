//! The steps: from each location, the edges to where a step may end, with the values behind them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::{
    Builder, Case, LARGEST_CIRCUIT, Landing, Passed, Region, Settings, Stepping, too_large,
};
use crate::aig::{Aig, Lit};
use crate::blast::{Bits, Blaster, Environment};
use crate::words::Word;
use ult_core::control::Control;
use ult_core::formula::{Sort, Var, Version};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;

impl Builder<'_> {
    /// The locations, sources of edges before their targets, but for edges that lead to landmarks.
    pub(super) fn order(&self) -> HashMap<LocationId, usize> {
        let graph = &self.graph.graph;
        let mut rest = petgraph::graph::DiGraph::<(), (), u32>::new();
        for _ in graph.node_indices() {
            rest.add_node(());
        }
        for edge in graph.edge_references() {
            if !self.landmarks.contains(&edge.target()) {
                rest.add_edge(edge.source(), edge.target(), ());
            }
        }
        // Parts that no run gets to may have cycles: they get no number, and no step goes there.
        let order = match petgraph::algo::toposort(&rest, None) {
            Ok(order) => order,
            Err(_) => {
                let mut order = Vec::new();
                let mut seen = petgraph::visit::DfsPostOrder::new(&rest, self.graph.initial);
                for &landmark in &self.landmarks {
                    seen.move_to(landmark);
                    while let Some(location) = seen.next(&rest) {
                        order.push(location);
                    }
                }
                order.reverse();
                order
            }
        };
        order
            .into_iter()
            .enumerate()
            .map(|(number, place)| (place, number))
            .collect()
    }

    /// The circuit of all steps from a location.
    pub(super) fn region(
        &mut self,
        number: usize,
        from: LocationId,
        order: &HashMap<LocationId, usize>,
        landings: &mut Vec<Landing>,
        control: &Control,
    ) -> Result<Region, Reason> {
        let mut passed = Vec::new();
        // What arrives at a location: conditions and values.
        let mut arrived: BTreeMap<(usize, LocationId), Vec<Case>> = BTreeMap::new();
        let place = |location: LocationId| (order.get(&location).copied().unwrap_or(0), location);
        let start: Rc<[Bits]> = self.start.clone().into();
        arrived.insert(place(from), vec![(Lit::TRUE, start)]);
        while let Some(((_, location), cases)) = arrived.pop_first() {
            control.check()?;
            if self.aig.len() > LARGEST_CIRCUIT {
                return Err(too_large());
            }
            let conditions: Vec<Lit> = cases.iter().map(|(condition, _)| *condition).collect();
            let reached = self.aig.any(&conditions);
            if reached == Lit::FALSE {
                continue;
            }
            let values = self.merge_all(&cases);
            for edge in self.edges(location, reached, &values) {
                let Taken {
                    passed: edge,
                    after,
                } = edge;
                let (target, taken) = (edge.target, edge.taken);
                passed.push(edge);
                if taken == Lit::FALSE {
                    continue;
                }
                let is_error = self.graph.graph[target].error.is_some();
                if is_error || self.landmarks.contains(&target) {
                    landings.push(Landing {
                        from: number,
                        condition: taken,
                        target,
                        values: after,
                    });
                } else {
                    arrived
                        .entry(place(target))
                        .or_default()
                        .push((taken, after));
                }
            }
        }
        Ok(Region { passed })
    }

    fn merge_all(&mut self, cases: &[Case]) -> Rc<[Bits]> {
        if let [(_, values)] = cases {
            return values.clone();
        }
        let count = self.graph.variables.len();
        (0..count)
            .map(|number| {
                let values: Vec<(Lit, &Bits)> = cases
                    .iter()
                    .map(|(condition, values)| (*condition, &values[number]))
                    .collect();
                merged(&mut self.aig, &values)
            })
            .collect()
    }

    /// The edges that leave a location. The conditions under which they are taken exclude each other.
    fn edges(&mut self, location: LocationId, reached: Lit, values: &Rc<[Bits]>) -> Vec<Taken> {
        let mut found = Vec::new();
        let mut open = Open::default();
        for edge in self.graph.graph.edges(location) {
            if self.useful[edge.target().index()] {
                open.used.clear();
                found.push(self.edge(edge.id(), edge.target(), values, &mut open));
            }
        }
        // petgraph tells the newest edge first.
        found.reverse();
        let guards: Vec<Lit> = found.iter().map(|edge| edge.passed.taken).collect();
        let mut is_exclusive = true;
        for (position, &a) in guards.iter().enumerate() {
            for &b in &guards[position + 1..] {
                is_exclusive &= self.aig.and(a, b) == Lit::FALSE;
            }
        }
        let count = found.len();
        let mut choice = Word::new();
        if !is_exclusive {
            let bits = usize::BITS - (count - 1).leading_zeros();
            choice = (0..bits).map(|_| self.aig.leaf()).collect();
            self.inputs.extend(&choice);
        }
        for (number, edge) in found.iter_mut().enumerate() {
            let mut taken = self.aig.and(reached, edge.passed.taken);
            if !is_exclusive {
                let code: Word = (choice.iter().enumerate())
                    .map(|(bit, &lit)| lit.invert_if(number >> bit & 1 == 0))
                    .collect();
                let chosen = self.aig.all(&code);
                taken = self.aig.and(taken, chosen);
            }
            edge.passed.taken = taken;
        }
        found
    }

    /// An edge, if it is reached: its guard and what is the case behind it.
    fn edge(
        &mut self,
        id: EdgeId,
        target: LocationId,
        values: &Rc<[Bits]>,
        open: &mut Open,
    ) -> Taken {
        let graph = self.graph;
        let transition = &graph.graph[id].transition;
        let (definitions, rest) = transition.definitions(self.terms);
        let mut surroundings = Surroundings {
            graph,
            before: values,
            after: BTreeMap::new(),
            aux: HashMap::new(),
            symbols: &self.meanings,
            settings: &self.settings,
            open,
            inputs: &mut self.inputs,
            opaque: &mut self.opaque,
            limited: &mut self.limited,
        };
        let defined: BTreeSet<&Arc<str>> = definitions.iter().map(|d| &d.variable).collect();
        let mut chosen = Vec::new();
        for name in &transition.changed {
            let Some((number, _, sort)) = graph.variables.get_full(name) else {
                continue;
            };
            if !defined.contains(name) {
                let word = surroundings.anything(&mut self.aig, sort, name);
                surroundings.after.insert(number, word.clone());
                chosen.push((number, word));
            }
        }
        let mut blaster = Blaster::new(self.terms, &mut self.aig, &mut surroundings);
        let mut after = Vec::new();
        for definition in &definitions {
            let value = blaster.bits(definition.value);
            if let Some(number) = graph.variables.get_index_of(&definition.variable) {
                after.push((number, value));
            }
        }
        // Values after the step are there before the conditions that speak of them.
        let mut blaster = Blaster::new(self.terms, &mut self.aig, &mut surroundings);
        blaster.environment.after.extend(after);
        let guards: Vec<Lit> = rest.iter().map(|&conjunct| blaster.lit(conjunct)).collect();
        let guard = self.aig.all(&guards);
        let mut behind = values.to_vec();
        for (&number, value) in &surroundings.after {
            behind[number] = value.clone();
        }
        let mut aux: Vec<(u32, Sort, Bits)> = (surroundings.aux.into_iter())
            .map(|(number, (sort, bits))| (number, sort, bits))
            .collect();
        aux.sort_by_key(|(number, ..)| *number);
        Taken {
            passed: Passed {
                edge: id,
                target,
                taken: guard,
                chosen,
                aux,
            },
            after: behind.into(),
        }
    }
}

/// An edge with the values behind it.
struct Taken {
    passed: Passed,
    after: Rc<[Bits]>,
}

/// Words that may be anything, for the edges that leave one location. Only one of these is taken, so what one edge
/// leaves open is the same word as what another one does, and what they compute from it is there once.
#[derive(Default)]
struct Open {
    /// By the name of what is open, how many of that name there are before it, and the width.
    words: HashMap<(Arc<str>, usize, usize), Word>,
    /// How many of a name the edge has so far.
    used: HashMap<Arc<str>, usize>,
}

impl Open {
    fn word(&mut self, aig: &mut Aig, name: &str, width: usize) -> &Word {
        let name: Arc<str> = name.into();
        let used = self.used.entry(name.clone()).or_default();
        let key = (name, *used, width);
        *used += 1;
        (self.words.entry(key)).or_insert_with(|| (0..width).map(|_| aig.leaf()).collect())
    }
}

/// What is known within one location: values before an edge, after it, of its auxiliaries.
struct Surroundings<'a> {
    graph: &'a ProgramGraph,
    before: &'a [Bits],
    after: BTreeMap<usize, Bits>,
    aux: HashMap<u32, (Sort, Bits)>,
    symbols: &'a HashMap<Arc<str>, Bits>,
    settings: &'a Settings,
    open: &'a mut Open,
    inputs: &'a mut Vec<Lit>,
    opaque: &'a mut HashMap<usize, Rc<str>>,
    limited: &'a mut HashMap<usize, Arc<str>>,
}

impl Surroundings<'_> {
    /// A word that may be anything.
    fn anything(&mut self, aig: &mut Aig, sort: &Sort, name: &str) -> Bits {
        let Some(width) = self.settings.width(sort) else {
            return Bits::Opaque(format!("`{name}`, of sort {sort}").into());
        };
        let leaves = aig.leaves().len();
        let word = self.open.word(aig, name, width).clone();
        if aig.leaves().len() > leaves {
            self.inputs.extend(&word);
        }
        if *sort == Sort::Int {
            let limited = word.iter().map(|lit| (lit.node(), name.into()));
            self.limited.extend(limited);
        }
        Bits::word(word)
    }
}

impl Environment for &mut Surroundings<'_> {
    fn variable(&mut self, aig: &mut Aig, var: &Var, sort: &Sort) -> Bits {
        let number = || self.graph.variables.get_index_of(&var.name);
        let known = match var.version {
            Version::Current => number().map(|number| self.before[number].clone()),
            Version::Next => number().and_then(|number| self.after.get(&number).cloned()),
            Version::Aux(aux) => {
                if !self.aux.contains_key(&aux) {
                    let word = self.anything(aig, sort, &var.name);
                    self.aux.insert(aux, (sort.clone(), word));
                }
                Some(self.aux[&aux].1.clone())
            }
            Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => None,
        };
        known.unwrap_or_else(|| Bits::Opaque(format!("`{}`", var.name).into()))
    }

    fn symbol(&mut self, name: &str, sort: &Sort) -> Bits {
        let known = self.symbols.get(name).cloned();
        known.unwrap_or_else(|| Bits::Opaque(format!("`{name}`, of sort {sort}").into()))
    }

    fn opaque(&mut self, aig: &mut Aig, why: &Rc<str>) -> Lit {
        let lit = aig.leaf();
        self.opaque.insert(lit.node(), why.clone());
        self.inputs.push(lit);
        lit
    }
}

/// Where steps begin and end.
pub(super) fn landmarks(
    graph: &ProgramGraph,
    useful: &[bool],
    stepping: Stepping,
) -> BTreeSet<LocationId> {
    let degree = |location, direction| graph.graph.edges_directed(location, direction).count();
    let mut found: BTreeSet<LocationId> = match stepping {
        Stepping::Loops => loop_heads(graph),
        Stepping::Blocks => {
            let parts_or_meets = |&location: &LocationId| {
                degree(location, Direction::Incoming) > 1
                    || degree(location, Direction::Outgoing) > 1
            };
            let mut found: BTreeSet<_> =
                graph.graph.node_indices().filter(parts_or_meets).collect();
            // A cycle that nothing leads into is no cycle of a run; one that something does, meets.
            found.extend(loop_heads(graph));
            found
        }
        Stepping::Statements => graph.graph.node_indices().collect(),
    };
    found.retain(|location| useful[location.index()] && graph.graph[*location].error.is_none());
    found.insert(graph.initial);
    found
}

/// The locations that an edge leads back to in a depth-first search: every cycle has one.
fn loop_heads(graph: &ProgramGraph) -> BTreeSet<LocationId> {
    let mut heads = BTreeSet::new();
    petgraph::visit::depth_first_search(&graph.graph, [graph.initial], |event| {
        if let petgraph::visit::DfsEvent::BackEdge(_, head) = event {
            heads.insert(head);
        }
    });
    heads
}

/// The locations with a way to an error location, by index.
pub(super) fn with_a_way_to_an_error(graph: &ProgramGraph) -> Vec<bool> {
    let mut found = vec![false; graph.graph.node_count()];
    let mut waiting: Vec<LocationId> = graph.errors().collect();
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut found[location.index()], true) {
            waiting.extend(
                graph
                    .graph
                    .neighbors_directed(location, Direction::Incoming),
            );
        }
    }
    found
}

/// Several values, each under a condition; the conditions exclude each other.
pub(super) fn merged(aig: &mut Aig, values: &[(Lit, &Bits)]) -> Bits {
    let Some(((_, last), rest)) = values.split_last() else {
        return Bits::Opaque("a value that is not given".into());
    };
    if rest.iter().all(|(_, value)| value == last) {
        return (*last).clone();
    }
    let opaque = values.iter().find_map(|(_, value)| match value {
        Bits::Opaque(_) => Some((*value).clone()),
        Bits::Word(_) => None,
    });
    if let Some(opaque) = opaque {
        return opaque;
    }
    let word = |bits: &Bits| match bits {
        Bits::Word(word) => word.to_vec(),
        Bits::Opaque(_) => Vec::new(),
    };
    // Integers have words of several widths; what is not an integer has words of one width.
    let mut all = word(last);
    for (condition, value) in rest.iter().rev() {
        let (a, b) = Aig::aligned(&word(value), &all);
        all = aig.choose(*condition, &a, &b);
    }
    Bits::word(all)
}
