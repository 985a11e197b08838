//! Recorded steps in words.

use std::collections::BTreeMap;

use super::renderer::{Renderer, TEXT};
use super::{Change, Element, Formula, Mark, Row, Step};
use ult_core::formula::Term;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_engine::record::{self, AbstractEdge, AbstractState, SplitGraph, Why};

/// A step has so many rows at most: paths may be thousands of edges long.
const MOST_ROWS: usize = 100;

/// Turns recorded steps into words. It follows the graph of abstract states as far as it needs.
pub(crate) struct StepExplainer<'a> {
    renderer: &'a Renderer<'a>,
    graph: &'a ProgramGraph,
    phases: Option<&'a SplitGraph>,
    is_tree: bool,
    memory: Memory,
}

/// What the steps so far have said.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// How many states of each location there were.
    copies: BTreeMap<LocationId, u32>,
    states: BTreeMap<u32, NamedState>,
    edges: BTreeMap<u32, AbstractEdge>,
    /// Formulas of edges of the graph that were printed before.
    blocks: BTreeMap<EdgeId, Formula>,
}

#[derive(Debug)]
struct NamedState {
    name: String,
    location: LocationId,
}

impl<'a> StepExplainer<'a> {
    /// One that has told nothing yet of a search over a graph.
    pub(crate) fn new(
        renderer: &'a Renderer<'a>,
        graph: &'a ProgramGraph,
        phases: Option<&'a SplitGraph>,
        is_tree: bool,
    ) -> StepExplainer<'a> {
        StepExplainer {
            renderer,
            graph,
            phases,
            is_tree,
            memory: Memory::default(),
        }
    }

    /// One that goes on where another one stopped.
    pub(crate) fn remembering(self, memory: Memory) -> StepExplainer<'a> {
        StepExplainer { memory, ..self }
    }

    /// What is needed to go on.
    pub(crate) fn into_memory(self) -> Memory {
        self.memory
    }

    fn print(&self, term: Term) -> String {
        self.renderer.print(term, TEXT)
    }

    /// The location of a state in the searched graph.
    pub(crate) fn location(&self, state: u32) -> Option<LocationId> {
        Some(self.memory.states.get(&state)?.location)
    }

    /// What a state is called.
    pub(crate) fn name(&self, state: u32) -> String {
        match self.memory.states.get(&state) {
            Some(known) => known.name.clone(),
            None => format!("n{state}"),
        }
    }

    /// The index in the reduced graph of the location of a state.
    fn place_of(&self, state: u32) -> Option<usize> {
        let location = self.memory.states.get(&state)?.location;
        let whole = match self.phases {
            Some(phases) => *phases.locations.get(&location)?,
            None => location,
        };
        Some(whole.index())
    }

    /// The index in the reduced graph of an edge.
    fn block_of(&self, block: EdgeId) -> Option<usize> {
        let whole = match self.phases {
            Some(phases) => *phases.edges.get(&block)?,
            None => block,
        };
        Some(whole.index())
    }

    fn location_name(&self, location: LocationId) -> String {
        let location = self.graph.graph.node_weight(location);
        location.map_or_else(|| "?".into(), |location| location.name.to_string())
    }

    fn add_state(&mut self, state: &AbstractState) -> Change {
        let mut place = self.renderer.place(self.graph, state.location);
        if self.is_tree {
            place.name = format!("n{} {}", state.number, place.name);
        } else {
            let copy = self.memory.copies.entry(state.location).or_default();
            *copy += 1;
            if *copy > 1 {
                place.name = format!("{}_{copy}", place.name);
            }
        }
        place.formula = self.renderer.formula(state.formula);
        self.memory.states.insert(
            state.number,
            NamedState {
                name: place.name.clone(),
                location: state.location,
            },
        );
        Change::State(state.number, place)
    }

    fn add_edge(&mut self, edge: &AbstractEdge) -> Change {
        self.memory.edges.insert(edge.number, *edge);
        Change::Edge(edge.number, edge.from, edge.to, self.block(edge.block))
    }

    /// The formula of an edge of the graph.
    fn block(&mut self, block: EdgeId) -> Formula {
        if let Some(known) = self.memory.blocks.get(&block) {
            return known.clone();
        }
        let edge = self.graph.graph.edge_weight(block);
        let formula = edge.map(|edge| self.renderer.transition(&edge.transition));
        let formula = formula.unwrap_or_default();
        self.memory.blocks.insert(block, formula.clone());
        formula
    }

    /// `a -> b`
    fn arrow(&self, edge: u32) -> String {
        match self.memory.edges.get(&edge) {
            Some(edge) => format!("{} -> {}", self.name(edge.from), self.name(edge.to)),
            None => "an edge".into(),
        }
    }

    /// The edge of the graph of abstract states between two of them, along a block.
    fn edge_between(&self, from: u32, to: u32, block: EdgeId) -> Option<u32> {
        let mut edges = self.memory.edges.values();
        let found = edges.find(|e| e.from == from && e.to == to && e.block == block);
        found.map(|edge| edge.number)
    }

    /// A state and all that hangs from it.
    fn subtree(&self, state: u32) -> Vec<u32> {
        let mut found = vec![state];
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            let below = self
                .memory
                .edges
                .values()
                .filter(|edge| edge.from == parent);
            found.extend(below.map(|edge| edge.to));
            next += 1;
        }
        found
    }

    /// The next step.
    pub(crate) fn step(&mut self, step: &record::Step) -> Step {
        let mut told = Step {
            action: "",
            text: String::new(),
            rows: Vec::new(),
            changes: Vec::new(),
            marks: Vec::new(),
            places: Vec::new(),
            edges: Vec::new(),
        };
        match step {
            record::Step::Begin { states, edges } => self.begin(&mut told, states, edges),
            record::Step::Path { states, blocks } => self.path(&mut told, states, blocks),
            record::Step::Interpolants { at } => self.interpolants(&mut told, at),
            record::Step::Split {
                state,
                by,
                formula,
                other,
                edges,
            } => self.split(&mut told, *state, *by, *formula, other, edges),
            record::Step::Slice { edges, why } => self.slice(&mut told, edges, *why),
            record::Step::Expand { state, children } => self.expand(&mut told, *state, children),
            record::Step::Remove { state, why } => self.remove(&mut told, *state, *why),
            record::Step::Predicates { found } => {
                told.action = "predicates";
                told.text = "new predicates, taken from the interpolants".into();
                for &(state, predicate) in found {
                    let location = self.memory.states.get(&state).map(|known| known.location);
                    let about = location.map(|location| self.location_name(location));
                    told.rows.push(Row {
                        about: about.unwrap_or_else(|| self.name(state)),
                        text: self.print(predicate),
                    });
                    told.marks.push((Mark::Changed, Element::State(state)));
                    told.places.extend(self.place_of(state));
                }
            }
            record::Step::Strengthen { state, by, formula } => {
                told.action = "strengthen";
                told.text = format!("{} also says: {}", self.name(*state), self.print(*by));
                told.rows.push(Row {
                    about: self.name(*state),
                    text: self.print(*formula),
                });
                let formula = self.renderer.formula(*formula);
                told.changes.push(Change::Formula(*state, formula));
                told.marks.push((Mark::Changed, Element::State(*state)));
                told.places.extend(self.place_of(*state));
            }
            record::Step::Cover { state, by } => {
                told.action = "cover";
                told.text = format!(
                    "{} is covered: what it says implies what {} says",
                    self.name(*state),
                    self.name(*by)
                );
                told.changes.push(Change::Cover(*state, Some(*by)));
                told.marks.push((Mark::Covered, Element::State(*state)));
                told.marks.push((Mark::Covers, Element::State(*by)));
                told.places.extend(self.place_of(*state));
            }
            record::Step::ForceCover { state, by, from } => {
                told.action = "force_cover";
                told.text = format!(
                    "after all steps from {} to {}, what {} says holds; so the states on the way \
                     are strengthened until it covers",
                    self.name(*from),
                    self.name(*state),
                    self.name(*by)
                );
                for state in [state, by, from] {
                    told.marks.push((Mark::Path, Element::State(*state)));
                    told.places.extend(self.place_of(*state));
                }
            }
            record::Step::Uncover { state } => {
                told.action = "uncover";
                told.text = format!("{} is covered no longer", self.name(*state));
                told.changes.push(Change::Cover(*state, None));
                told.marks.push((Mark::Covered, Element::State(*state)));
                told.places.extend(self.place_of(*state));
            }
            record::Step::Run { error } => {
                told.action = "run";
                told.text = format!(
                    "the path formula has a model: a trace that reaches {}",
                    self.location_name(*error)
                );
                told.places.extend(self.whole(*error));
            }
            record::Step::GiveUp { error, reason } => {
                told.action = "given up";
                told.text = format!("{} is left open: {reason}", self.location_name(*error));
                told.places.extend(self.whole(*error));
            }
            record::Step::SecondLook { decided } => {
                told.action = "second look";
                told.text = match decided {
                    true => "after many refinements, a second look at the graph with its loops \
                             split into phases; it decided everything, and follows below"
                        .into(),
                    false => "after many refinements, a second look at the graph with its loops \
                              split into phases, which did not decide everything"
                        .into(),
                };
            }
            record::Step::Finished => {
                told.action = "finished";
                told.text = "no error path is left to look at".into();
            }
            record::Step::Stopped { reason } => {
                told.action = "stopped";
                told.text = format!("the search ends: {reason}");
            }
        }
        told
    }

    fn whole(&self, location: LocationId) -> Option<usize> {
        match self.phases {
            Some(phases) => phases.locations.get(&location).map(|l| l.index()),
            None => Some(location.index()),
        }
    }

    fn begin(&mut self, told: &mut Step, states: &[AbstractState], edges: &[AbstractEdge]) {
        let again = !self.memory.states.is_empty();
        told.action = "start";
        told.text = match (self.is_tree, again) {
            (false, _) => "one abstract state for each location, with what is known about it \
                           beforehand"
                .into(),
            (true, false) => "a tree that consists of its root".into(),
            (true, true) => "the tree is built anew with all predicates".into(),
        };
        self.memory.copies.clear();
        self.memory.states.clear();
        self.memory.edges.clear();
        told.changes.push(Change::Clear);
        for state in states {
            let change = self.add_state(state);
            told.changes.push(change);
            if *self.renderer.terms.op(state.formula) != ult_core::formula::Op::Bool(true) {
                told.rows.push(Row {
                    about: self.name(state.number),
                    text: self.print(state.formula),
                });
            }
        }
        for edge in edges {
            let change = self.add_edge(edge);
            told.changes.push(change);
        }
    }

    fn path(&mut self, told: &mut Step, states: &[u32], blocks: &[EdgeId]) {
        told.action = "error path";
        let names: Vec<String> = states.iter().map(|&state| self.name(state)).collect();
        told.text = shortened(&names, " -> ");
        for &state in states {
            told.marks.push((Mark::Path, Element::State(state)));
            told.places.extend(self.place_of(state));
        }
        for (pair, &block) in states.windows(2).zip(blocks) {
            let edge = self.edge_between(pair[0], pair[1], block);
            told.marks
                .extend(edge.map(|edge| (Mark::Path, Element::Edge(edge))));
            told.edges.extend(self.block_of(block));
            if told.rows.len() < MOST_ROWS {
                told.rows.push(Row {
                    about: format!("{} -> {}", self.name(pair[0]), self.name(pair[1])),
                    text: self.block(block).text,
                });
            }
        }
        told.rows.extend(more(blocks.len()));
    }

    fn interpolants(&mut self, told: &mut Step, at: &[(u32, Term)]) {
        told.action = "interpolants";
        told.text = match at {
            [] => "the path is infeasible: its formula has no model".into(),
            _ => "the path is infeasible: its formula has no model, and the interpolants say why"
                .into(),
        };
        for &(state, interpolant) in at {
            if told.rows.len() < MOST_ROWS {
                told.rows.push(Row {
                    about: self.name(state),
                    text: self.print(interpolant),
                });
            }
            told.marks.push((Mark::Path, Element::State(state)));
            told.places.extend(self.place_of(state));
        }
        told.rows.extend(more(at.len()));
    }

    fn split(
        &mut self,
        told: &mut Step,
        state: u32,
        by: Term,
        formula: Term,
        other: &AbstractState,
        edges: &[AbstractEdge],
    ) {
        told.action = "split";
        let change = self.add_state(other);
        told.changes.push(change);
        let now = self.renderer.formula(formula);
        told.changes.push(Change::Formula(state, now));
        let mut next = Vec::new();
        for edge in edges {
            next.push(self.add_edge(edge));
        }
        told.changes.append(&mut next);
        let (one, two) = (self.name(state), self.name(other.number));
        told.text = format!(
            "{one} is split by {}: {one} keeps the states where it holds, {two} gets the others",
            self.print(by)
        );
        for (about, formula) in [(one, formula), (two, other.formula)] {
            told.rows.push(Row {
                about,
                text: self.print(formula),
            });
        }
        told.marks.push((Mark::Changed, Element::State(state)));
        told.marks.push((Mark::New, Element::State(other.number)));
        for edge in edges {
            told.marks.push((Mark::New, Element::Edge(edge.number)));
        }
        told.places.extend(self.place_of(state));
    }

    fn slice(&mut self, told: &mut Step, edges: &[u32], why: Why) {
        told.action = "slice";
        let arrows: Vec<String> = edges.iter().map(|&edge| self.arrow(edge)).collect();
        told.text = format!("{}: {}", shortened(&arrows, ", "), reason(why));
        for &edge in edges {
            told.marks.push((Mark::Gone, Element::Edge(edge)));
            told.changes.push(Change::Remove(Element::Edge(edge)));
            if let Some(gone) = self.memory.edges.remove(&edge) {
                told.edges.extend(self.block_of(gone.block));
            }
        }
    }

    fn expand(&mut self, told: &mut Step, state: u32, children: &[(AbstractState, AbstractEdge)]) {
        told.action = "expand";
        let name = self.name(state);
        told.places.extend(self.place_of(state));
        told.marks.push((Mark::Path, Element::State(state)));
        for (child, edge) in children {
            let change = self.add_state(child);
            told.changes.push(change);
            let change = self.add_edge(edge);
            told.changes.push(change);
            told.rows.push(Row {
                about: self.name(child.number),
                text: self.print(child.formula),
            });
            told.marks.push((Mark::New, Element::State(child.number)));
            told.marks.push((Mark::New, Element::Edge(edge.number)));
            told.places.extend(self.place_of(child.number));
            told.edges.extend(self.block_of(edge.block));
        }
        told.text = match children {
            [] => format!("{name} gets no new successor"),
            _ => {
                let names: Vec<String> =
                    children.iter().map(|(s, _)| self.name(s.number)).collect();
                format!("{name} gets the successors {}", shortened(&names, ", "))
            }
        };
    }

    fn remove(&mut self, told: &mut Step, state: u32, why: Why) {
        told.action = "remove";
        let gone = self.subtree(state);
        told.text = match gone.len() - 1 {
            0 => format!("{}: {}", self.name(state), reason(why)),
            below => format!(
                "{}, and {below} more below it: {}",
                self.name(state),
                reason(why)
            ),
        };
        told.places.extend(self.place_of(state));
        for number in gone {
            told.marks.push((Mark::Gone, Element::State(number)));
            told.changes.push(Change::Remove(Element::State(number)));
            // The edge to a state of a tree has the number of the state.
            if self.memory.edges.remove(&number).is_some() {
                told.marks.push((Mark::Gone, Element::Edge(number)));
                told.changes.push(Change::Remove(Element::Edge(number)));
            }
        }
    }
}

/// A row that says how many there would be more, if there are too many.
fn more(rows: usize) -> Option<Row> {
    let more = rows.checked_sub(MOST_ROWS).filter(|&more| more > 0)?;
    Some(Row {
        about: "...".into(),
        text: format!("{more} more"),
    })
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::NoStep => "no step leads there",
        Why::Interpolants => "the interpolants exclude it",
        Why::Contradiction => "no program state is there",
        Why::MadeAgain => "it is made again, with the new predicates",
        Why::Closed => "nothing more is to be found out about this error location",
        Why::Covered => "a state before it is covered meanwhile",
    }
}

/// A list in one line, without its middle if it is long.
fn shortened(parts: &[String], between: &str) -> String {
    const MOST: usize = 12;
    if parts.len() <= MOST {
        return parts.join(between);
    }
    let (first, last) = (&parts[..MOST / 2], &parts[parts.len() - MOST / 2..]);
    format!(
        "{}{between}... {} more ...{between}{}",
        first.join(between),
        parts.len() - MOST,
        last.join(between)
    )
}
