//! Maps of which only few cells matter, as a variable for each cell.
//!
//! An array of six elements is a map over all integers in a formula; engines that have no notion of
//! maps see nothing of it. Here each cell gets a variable of its own; a read is a choice between
//! the cells, a write a change of each cell under a condition (Ivančić, Yang, Ganai, Gupta, Ashar:
//! "Efficient SAT-based bounded model checking for software verification", TCS 2008, section 3.2).
//!
//! With [`Reads::Shadowed`] what a pointer points to has a variable of its own ([`shadows`]).
//!
//! Which cells there are is found by looking at all indices ([`classes`]). Where an index may be
//! another, the read blocks the edge or may be anything ([`Elsewhere`]): the new graph allows less
//! or more than the given one then, and says so ([`Cells::exact`]). The way back makes claims about
//! the given graph of what is found, and the checker judges these.

mod classes;
mod expand;
mod shadows;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::WayBack;
use classes::Classes;
use expand::Expansion;
use shadows::Shadows;
use ult_core::control::Control;
use ult_core::formula::{Entries, MapSort, MapValue, Sort, Term, Terms, Value, Version};
use ult_core::graph::evidence::{Invariants, Plans, Run, State, Step, Walk};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;

/// So many values an index may have, or its map stays a map.
const MOST_INDICES: usize = 128;

/// So many cells a variable may have, or it stays a map.
const MOST_CELLS: usize = 1024;

/// So many cells may be read and written in all formulas together: about a second's work.
const MOST_WORK: usize = 4_000_000;

/// What a map holds at an index that has no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// A step that reads it is not taken: for those who look for runs.
    Blocks,
    /// A step that reads it ends in an error location of its own, [`ELSEWHERE`]: for those who hand the graph on. If that is
    /// not reached, the new graph means what the given one means; and no run of it to another error location passes such a
    /// step.
    Fails,
    /// Anything, whenever it is read: for those who look for proofs. What the new graph does not
    /// reach, the given one does not reach.
    Anything,
}

/// What is violated where [`Elsewhere::Fails`] says so.
pub const ELSEWHERE: &str = "an index without a cell";

/// How a read at an index that is a variable is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reads {
    /// As a choice among the cells.
    #[default]
    Chosen,
    /// As a variable that follows what is read ([`shadows`]).
    Shadowed,
}

/// Between which numbers integer variables stay.
pub type Ranges = BTreeMap<Arc<str>, (BigInt, BigInt)>;

/// How the cells of a value lie in a row.
#[derive(Debug, PartialEq, Eq)]
enum Layout {
    /// It is no map, or a map that stays one.
    Whole(Sort),
    /// The cells at these indices, one after the other.
    Cells {
        sort: Arc<MapSort>,
        indices: Vec<Vec<Value>>,
        element: Rc<Layout>,
        /// Whether there may be other indices, as far as is known.
        open: bool,
    },
}

impl Layout {
    /// How many variables there are in the row.
    fn len(&self) -> usize {
        match self {
            Layout::Whole(_) => 1,
            Layout::Cells {
                indices, element, ..
            } => indices.len() * element.len(),
        }
    }

    /// The sort of all of them.
    fn sort(&self) -> &Sort {
        match self {
            Layout::Whole(sort) => sort,
            Layout::Cells { element, .. } => element.sort(),
        }
    }

    /// Where each of them lies in a value: the indices, the outermost first.
    fn paths(&self) -> Vec<Vec<&[Value]>> {
        let Layout::Cells {
            indices, element, ..
        } = self
        else {
            return vec![Vec::new()];
        };
        let inner = element.paths();
        let each = indices.iter().flat_map(|index| {
            inner.iter().map(move |path| {
                let index: &[Value] = index;
                [&[index], path.as_slice()].concat()
            })
        });
        each.collect()
    }

    /// The value with these cells; what lies elsewhere may be anything.
    fn value(&self, cells: &[Value]) -> Option<Value> {
        let Layout::Cells {
            sort,
            indices,
            element,
            ..
        } = self
        else {
            return cells.first().cloned();
        };
        let mut entries = Entries::default();
        for (index, cells) in indices.iter().zip(cells.chunks(element.len())) {
            entries.insert_mut(index.clone(), element.value(cells)?);
        }
        Some(Value::Map(Arc::new(MapValue {
            domain: sort.domain.clone(),
            default: Value::any_of(&sort.range)?,
            entries,
        })))
    }
}

/// A map with its cells.
#[derive(Debug)]
struct Row<Cell> {
    layout: Rc<Layout>,
    cells: Vec<Cell>,
}

/// A graph in which maps are replaced by their cells, and the way back.
pub struct Cells {
    /// The graph: the same locations and edges, but for what [`Elsewhere::Fails`] adds.
    pub graph: ProgramGraph,
    /// Whether it allows what the given graph allows; otherwise less or more ([`Elsewhere`]).
    pub exact: bool,
    given: ProgramGraph,
    variables: IndexMap<Arc<str>, Row<Arc<str>>>,
    /// What shadows stand for.
    shadows: HashMap<Term, Term>,
    /// Auxiliaries, by number.
    aux: HashMap<u32, Row<u32>>,
}

/// The graph with variables for the cells of maps; `None` if there is nothing to replace, or too much.
/// `ranges` says within which numbers integer variables stay wherever they matter.
///
/// # Errors
/// If `control` says stop.
pub fn cells(
    terms: &Terms,
    graph: &ProgramGraph,
    ranges: &Ranges,
    elsewhere: Elsewhere,
    reads: Reads,
    control: &Control,
) -> Result<Option<Cells>, Reason> {
    let has_maps = (graph.variables.values()).any(|sort| matches!(sort, Sort::Map(_)));
    if !has_maps {
        return Ok(None);
    }
    let classes = Classes::of(terms, graph, ranges, control)?;
    let mut variables = IndexMap::new();
    let mut replaced = graph.without_locations();
    replaced.variables.clear();
    for (name, sort) in &graph.variables {
        let layout = classes.of_variable(name, sort);
        if let Layout::Whole(sort) = &*layout {
            replaced.variables.insert(name.clone(), sort.clone());
            continue;
        }
        let cells: Vec<Arc<str>> = (layout.paths().iter())
            .map(|path| name_of(name, path, graph))
            .collect();
        for cell in &cells {
            (replaced.variables).insert(cell.clone(), layout.sort().clone());
        }
        variables.insert(name.clone(), Row { layout, cells });
    }
    if variables.is_empty() {
        return Ok(None);
    }
    replaced.graph = graph.graph.clone();
    replaced.initial = graph.initial;
    let shadows = match reads {
        Reads::Chosen => Shadows::default(),
        Reads::Shadowed => Shadows::of(terms, graph, &classes, &replaced.variables),
    };
    for (name, shadow) in &shadows.all {
        (replaced.variables).insert(name.clone(), shadow.sort.clone());
    }
    let mut expansion = Expansion::new(terms, &classes, &variables, &shadows, elsewhere);
    let mut failing = Vec::new();
    for edge in graph.graph.edge_indices() {
        control.check()?;
        let transition = &graph.graph[edge].transition;
        let ends = graph.graph.edge_endpoints(edge);
        let is_start = ends.is_some_and(|(source, _)| source == graph.initial);
        let Some(expanded) = expansion.transition(transition, is_start) else {
            return Ok(None);
        };
        replaced.graph[edge].transition = expanded.transition;
        failing.extend(expanded.elsewhere.map(|failing| (edge, failing)));
    }
    add_failing(&mut replaced, failing);
    let known = !classes.open || elsewhere == Elsewhere::Fails;
    Ok(Some(Cells {
        graph: replaced,
        exact: expansion.exact && known,
        given: graph.clone(),
        aux: expansion.aux,
        shadows: (shadows.all.into_iter())
            .map(|(name, shadow)| (terms.current(name, shadow.sort), shadow.read))
            .collect(),
        variables,
    }))
}

/// Adds an error location with the edges to it, each beside another one.
fn add_failing(graph: &mut ProgramGraph, failing: Vec<(EdgeId, Transition)>) {
    if failing.is_empty() {
        return;
    }
    let mut name = String::from("elsewhere");
    while graph.graph.node_weights().any(|at| *at.name == *name) {
        name.push('~');
    }
    let target = graph.graph.add_node(Location {
        error: Some(ELSEWHERE.into()),
        ..Location::named(name)
    });
    for (beside, transition) in failing {
        if let Some((source, _)) = graph.graph.edge_endpoints(beside) {
            let origin = graph.graph[beside].origin;
            graph
                .graph
                .add_edge(source, target, Edge::new(transition, origin));
        }
    }
}

/// The name of a cell: `a[3]`, `b[1, 2]`, `c[1][2]`.
fn name_of(map: &str, path: &[&[Value]], graph: &ProgramGraph) -> Arc<str> {
    let mut name = String::from(map);
    for indices in path {
        let indices: Vec<String> = indices.iter().map(Value::to_string).collect();
        name += &format!("[{}]", indices.join(", "));
    }
    while graph.variables.contains_key(name.as_str()) {
        name.push('~');
    }
    name.into()
}

impl Cells {
    /// What cells stand for, as terms over the maps.
    fn meanings(&self, terms: &Terms) -> HashMap<Term, Term> {
        let mut meanings = self.shadows.clone();
        for (name, row) in &self.variables {
            let Some(map) = self.given.variable(terms, name, Version::Current) else {
                continue;
            };
            for (cell, path) in row.cells.iter().zip(row.layout.paths()) {
                let selected = path.iter().fold(map, |map, indices| {
                    let indices: Vec<Term> = (indices.iter())
                        .filter_map(|index| literal(terms, index))
                        .collect();
                    terms.select(map, &indices)
                });
                let variable = terms.current(cell.clone(), row.layout.sort().clone());
                meanings.insert(variable, selected);
            }
        }
        meanings
    }

    /// The value of a variable of the given graph where a walk through the new one is.
    fn value(&self, name: &str, walk: &Walk<'_, '_>) -> Option<Value> {
        let Some(row) = self.variables.get(name) else {
            return walk.now(name).cloned();
        };
        let cells = row.cells.iter().map(|cell| walk.now(cell).cloned());
        row.layout.value(&cells.collect::<Option<Vec<_>>>()?)
    }

    /// Executes a run of the given graph, and fails where a step cannot be taken: the new graph may allow more.
    fn follow(&self, terms: &Terms, run: &Run) -> Result<(), String> {
        let mut plans = Plans::new(terms, &self.given);
        let mut walk = Walk::new(&mut plans, run);
        for step in &run.steps {
            walk.step(step)?;
            // What cannot be evaluated here is left to the checker.
            if (walk.conjuncts()).any(|(_, value)| *value == Ok(Value::Bool(false))) {
                let why = "the trace found depends on what a map holds where it has no cell";
                return Err(why.into());
            }
        }
        Ok(())
    }

    fn aux_value(&self, number: u32, step: &Step) -> Option<Value> {
        let Some(row) = self.aux.get(&number) else {
            return step.aux().get(&number).cloned();
        };
        let cells = row.cells.iter().map(|cell| {
            let said = step.aux().get(cell).cloned();
            said.or_else(|| Value::any_of(row.layout.sort()))
        });
        row.layout.value(&cells.collect::<Option<Vec<_>>>()?)
    }
}

impl WayBack for Cells {
    fn location(&self, reduced: LocationId) -> LocationId {
        reduced
    }

    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants {
        let meanings = self.meanings(terms);
        let at = reduced.at.iter();
        Invariants {
            at: at
                .map(|(&location, &claim)| (location, terms.substitute(claim, &meanings)))
                .collect(),
            exempt: reduced.exempt.clone(),
            arguments: reduced.arguments.clone(),
        }
    }

    /// The steps may leave out what is determined.
    fn run(&self, terms: &Terms, reduced: Run) -> Result<Run, String> {
        let mut plans = Plans::new(terms, &self.graph);
        let mut walk = Walk::new(&mut plans, &reduced);
        let missing = |name: &str| format!("`{name}` has no value");
        let mut start = State::default();
        for name in self.given.variables.keys() {
            let value = self.value(name, &walk).ok_or_else(|| missing(name))?;
            start.insert(name.clone(), value);
        }
        let mut steps = Vec::new();
        for step in &reduced.steps {
            walk.step(step)?;
            let transition = &self.given.graph[step.edge].transition;
            let (definitions, _) = transition.definitions(terms);
            let mut values = State::default();
            for name in &transition.changed {
                if definitions.iter().all(|d| d.variable != *name) {
                    let value = self.value(name, &walk).ok_or_else(|| missing(name))?;
                    values.insert(name.clone(), value);
                }
            }
            let free = terms.free_vars(&[transition.formula]).into_iter();
            let aux = free.filter_map(|term| match terms.as_var(term)?.version {
                Version::Aux(number) => Some((number, self.aux_value(number, step)?)),
                _ => None,
            });
            steps.push(Step::new(step.edge, aux.collect(), values));
        }
        let run = Run::new(start, steps, reduced.rigid);
        if !self.exact {
            self.follow(terms, &run)?;
        }
        Ok(run)
    }
}

/// A value as a term, of the sorts that indices of cells have.
fn literal(terms: &Terms, value: &Value) -> Option<Term> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::BitVec(value, width) => terms.bitvec(value.clone(), *width),
        _ => return None,
    })
}
