//! How a unit was decided, for people: its graphs, and each step of the engines in plain words.
//!
//! A [`Story`] is plain data without terms, so it can be printed, drawn, or sent to another program
//! long after the work is over. Formulas are written with the names that the user gave.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;
use ult_lang::span::Span;

use super::narrate::qualified;
use super::source::Source;
use crate::engine::EngineKind;
use crate::engine::record::{self, AbstractEdge, AbstractState, Record, Why};
use crate::formula::print::{Printer, plain_name};
use crate::formula::{Term, Terms, Var, Version};
use crate::graph::drawing::cut;
use crate::graph::{EdgeId, LocationId, ProgramGraph, Transition};
use crate::lower::OriginStep;
use crate::lower::unit::LoweredUnit;
use crate::verify::{Heard, Seen};

/// How a unit was decided.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// The program graph as it was read.
    pub source: Graph,
    /// The program graph as the engines got it; `None` if there was nothing to decide.
    pub reduced: Option<Graph>,
    /// The engines, in the order in which they had an answer.
    pub engines: Vec<Told>,
}

/// A program graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its locations.
    pub places: Vec<Place>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A location of a graph, or an abstract state.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: PlaceKind,
    /// For an error location: what is violated there.
    pub error: Option<String>,
    /// What holds there; nothing for a plain location.
    pub formula: Formula,
    /// Where it is in the source.
    pub spans: Vec<Span>,
}

/// What a location is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Nothing special.
    Plain,
    /// Where runs start.
    Initial,
    /// Where a loop starts.
    LoopHead,
    /// Where runs must not come.
    Error,
}

/// An edge of a graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Index of the location before.
    pub from: usize,
    /// Index of the location after.
    pub to: usize,
    /// Which steps it allows.
    pub formula: Formula,
    /// Where it is in the source: one place for a statement, several for a block.
    pub spans: Vec<Span>,
    /// For a block, the edges of the graph before the reductions that it was made of.
    pub parts: Vec<usize>,
}

/// A formula as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Its conjuncts, each cut to a short line, and not more than a few.
    pub lines: Vec<String>,
    /// All of it, cut at a few thousand characters.
    pub text: String,
}

/// What one engine did.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its name.
    pub engine: EngineKind,
    /// How many obligations its claim decided.
    pub decided: u64,
    /// Its searches: one, or a second one over a graph with split loops. Engines that refine nothing
    /// have none.
    pub searches: Vec<Search>,
}

/// A search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Whether it was made over the graph with its loops split into phases.
    pub in_phases: bool,
    /// The steps.
    pub steps: Vec<Step>,
    /// How many more steps there were that were not recorded.
    pub left_out: u64,
}

/// A step of a search.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name that the papers give it: `split`, `slice`, `cover`.
    pub action: &'static str,
    /// What happens, in a sentence.
    pub text: String,
    /// What there is to say about single abstract states, or positions of a path.
    pub rows: Vec<Row>,
    /// How the graph of abstract states changes.
    pub changes: Vec<Change>,
    /// What to look at in it.
    pub marks: Vec<(Mark, Element)>,
    /// The locations of the reduced graph that the step is about.
    pub places: Vec<usize>,
    /// The edges of the reduced graph that the step is about.
    pub edges: Vec<usize>,
}

/// A line of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub about: String,
    /// The formula, or words.
    pub text: String,
}

/// A state or an edge between states, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// An abstract state.
    State(u32),
    /// An edge.
    Edge(u32),
}

/// Why to look at something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It lies on the path.
    Path,
    /// It is new.
    New,
    /// Its formula is another one now.
    Changed,
    /// It goes, and is not there in the next step.
    Gone,
    /// It is covered now, or not any more.
    Covered,
    /// It covers another one.
    Covers,
}

/// A change of the graph of abstract states.
#[derive(Clone, Debug)]
pub enum Change {
    /// Everything goes.
    Clear,
    /// A new state.
    State(u32, Place),
    /// A new edge: its number, from, to, formula.
    Edge(u32, u32, u32, Formula),
    /// Another formula of a state.
    Formula(u32, Formula),
    /// Something goes.
    Remove(Element),
    /// A state is covered by another one, or not any more.
    Cover(u32, Option<u32>),
}

/// Lines of formulas are cut to so many characters.
const LINE: usize = 44;

/// Formulas have so many lines at most.
const LINES: usize = 5;

/// Full formulas are cut to so many characters.
const TEXT: usize = 2000;

/// If there are more pairs of edges than this, blocks are not traced back to statements.
const MOST_PAIRS: usize = 1_000_000;

/// A step has so many rows at most: paths may be thousands of edges long.
const MOST_ROWS: usize = 100;

/// Makes the story of a unit.
pub(super) fn tell(terms: &Terms, unit: &LoweredUnit, source: &Source, seen: Seen) -> Story {
    let teller = Teller {
        terms,
        unit,
        source,
    };
    let statement = |edge: EdgeId| {
        let span = teller.span_of(&unit.graph, edge);
        (span.into_iter().collect(), Vec::new())
    };
    let reduced = seen.reduced.as_ref();
    let blocks = reduced.map(|reduced| {
        let back = |location| reduced.back.location(location);
        let blocks = Blocks::new(&unit.graph, &reduced.graph, &back);
        teller.graph(&reduced.graph, |edge| {
            let edges = blocks.statements(edge);
            let spans = edges.iter();
            let spans = spans.filter_map(|&edge| teller.span_of(&unit.graph, edge));
            let spans: BTreeSet<Span> = spans.collect();
            let parts = edges.iter().map(|edge| edge.index()).collect();
            (spans.into_iter().collect(), parts)
        })
    });
    let engines = match reduced {
        Some(reduced) => {
            let told = seen
                .heard
                .into_iter()
                .map(|heard| teller.told(&reduced.graph, heard));
            told.collect()
        }
        None => Vec::new(),
    };
    Story {
        source: teller.graph(&unit.graph, statement),
        reduced: blocks,
        engines,
    }
}

struct Teller<'a> {
    terms: &'a Terms,
    unit: &'a LoweredUnit,
    source: &'a Source,
}

impl Teller<'_> {
    /// A variable as the user knows it.
    fn name(&self, var: &Var) -> String {
        let Some(displayed) = self.unit.displayed.get(&var.name) else {
            return plain_name(var);
        };
        let mut name = qualified(displayed, &self.unit.graph.name);
        if self.source.is_translated
            && let Some(end) = name.find('#')
        {
            // Variables of the same name are told apart by a number.
            let behind = name[end + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
            name = format!("{}{behind}", &name[..end]);
        }
        plain_name(&Var {
            name: name.into(),
            version: var.version,
        })
    }

    fn print(&self, term: Term, limit: usize) -> String {
        let name = |var: &Var| self.name(var);
        Printer::new(self.terms, &name).print_at_most(term, limit)
    }

    fn formula(&self, term: Term) -> Formula {
        let conjuncts = self.terms.conjuncts(term);
        let shown = match conjuncts.len() {
            count if count > LINES => LINES - 1,
            count => count,
        };
        let lines = conjuncts[..shown].iter();
        let mut lines: Vec<String> = lines
            .map(|&conjunct| cut(&self.print(conjunct, 4 * LINE), LINE))
            .collect();
        if shown < conjuncts.len() {
            lines.push(format!("… {} more", conjuncts.len() - shown));
        }
        Formula {
            lines,
            text: self.print(term, TEXT),
        }
    }

    fn transition(&self, transition: &Transition) -> Formula {
        let mut formula = self.formula(transition.formula);
        let primed = self.terms.names_of(&[transition.formula], Version::Next);
        let free = transition.changed.iter();
        let free: Vec<String> = free
            .filter(|name| !primed.contains_key(*name))
            // The translator's own variables are nobody's business.
            .filter(|name| !self.source.is_translated || !name.contains('~'))
            .map(|name| {
                self.name(&Var {
                    name: name.clone(),
                    version: Version::Current,
                })
            })
            .collect();
        if !free.is_empty() {
            let havoc = format!("havoc {}", free.join(", "));
            formula.text = match formula.lines.is_empty() {
                true => cut(&havoc, TEXT),
                false => format!("{}; {}", cut(&havoc, TEXT), formula.text),
            };
            formula.lines.insert(0, cut(&havoc, LINE));
        }
        formula
    }

    fn span_of(&self, graph: &ProgramGraph, edge: EdgeId) -> Option<Span> {
        let origin = graph.graph.edge_weight(edge)?.origin?;
        let info = self.unit.origins.get(origin)?;
        match &info.step {
            // Jumps: their place is all that they lead into.
            OriginStep::Start
            | OriginStep::Loop
            | OriginStep::Goto
            | OriginStep::Skip
            | OriginStep::Choose
            | OriginStep::Declaration => None,
            _ => Some(info.span),
        }
    }

    fn place(&self, graph: &ProgramGraph, id: LocationId) -> Place {
        let location = &graph.graph[id];
        let kind = match &location.error {
            Some(_) => PlaceKind::Error,
            None if id == graph.initial => PlaceKind::Initial,
            None if location.loop_head => PlaceKind::LoopHead,
            None => PlaceKind::Plain,
        };
        let origin = location.origin.and_then(|o| self.unit.origins.get(o));
        Place {
            name: location.name.to_string(),
            kind,
            error: location.error.as_ref().map(ToString::to_string),
            formula: Formula::default(),
            spans: origin.map(|info| info.span).into_iter().collect(),
        }
    }

    /// A graph; `trace` says where its edges are in the source, and what they are made of.
    fn graph(
        &self,
        graph: &ProgramGraph,
        trace: impl Fn(EdgeId) -> (Vec<Span>, Vec<usize>),
    ) -> Graph {
        let places = graph.graph.node_indices();
        let edges = graph.graph.edge_references();
        Graph {
            places: places.map(|id| self.place(graph, id)).collect(),
            edges: edges
                .map(|edge| {
                    let (spans, parts) = trace(edge.id());
                    Edge {
                        from: edge.source().index(),
                        to: edge.target().index(),
                        formula: self.transition(&edge.weight().transition),
                        spans,
                        parts,
                    }
                })
                .collect(),
        }
    }

    fn told(&self, reduced: &ProgramGraph, heard: Heard) -> Told {
        let searches = heard.records.into_iter().map(|record| {
            let searched = record.phases.as_ref().map(|phases| &phases.graph);
            let mut narrator = Narrator {
                teller: self,
                graph: searched.unwrap_or(reduced),
                record: &record,
                is_tree: heard.kind != EngineKind::Slicing,
                copies: BTreeMap::new(),
                states: BTreeMap::new(),
                edges: BTreeMap::new(),
                blocks: BTreeMap::new(),
            };
            Search {
                in_phases: record.phases.is_some(),
                steps: record.steps.iter().map(|s| narrator.step(s)).collect(),
                left_out: record.left_out,
            }
        });
        Told {
            engine: heard.kind,
            decided: heard.decided,
            searches: searches.collect(),
        }
    }
}

/// Turns recorded steps into words. It follows the graph of abstract states as far as it needs.
struct Narrator<'a> {
    teller: &'a Teller<'a>,
    graph: &'a ProgramGraph,
    record: &'a Record,
    is_tree: bool,
    /// How many states of each location there were.
    copies: BTreeMap<LocationId, u32>,
    states: BTreeMap<u32, Known>,
    edges: BTreeMap<u32, AbstractEdge>,
    /// Formulas of edges of the graph that were printed before.
    blocks: BTreeMap<EdgeId, Formula>,
}

struct Known {
    name: String,
    location: LocationId,
}

impl Narrator<'_> {
    fn print(&self, term: Term) -> String {
        self.teller.print(term, TEXT)
    }

    fn name(&self, state: u32) -> String {
        match self.states.get(&state) {
            Some(known) => known.name.clone(),
            None => format!("n{state}"),
        }
    }

    /// The index in the reduced graph of the location of a state.
    fn place_of(&self, state: u32) -> Option<usize> {
        let location = self.states.get(&state)?.location;
        let whole = match &self.record.phases {
            Some(phases) => *phases.locations.get(&location)?,
            None => location,
        };
        Some(whole.index())
    }

    /// The index in the reduced graph of an edge.
    fn block_of(&self, block: EdgeId) -> Option<usize> {
        let whole = match &self.record.phases {
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
        let mut place = self.teller.place(self.graph, state.location);
        if self.is_tree {
            place.name = format!("n{} {}", state.number, place.name);
        } else {
            let copy = self.copies.entry(state.location).or_default();
            *copy += 1;
            if *copy > 1 {
                place.name = format!("{}_{copy}", place.name);
            }
        }
        place.formula = self.teller.formula(state.formula);
        self.states.insert(
            state.number,
            Known {
                name: place.name.clone(),
                location: state.location,
            },
        );
        Change::State(state.number, place)
    }

    fn add_edge(&mut self, edge: &AbstractEdge) -> Change {
        self.edges.insert(edge.number, *edge);
        Change::Edge(edge.number, edge.from, edge.to, self.block(edge.block))
    }

    /// The formula of an edge of the graph.
    fn block(&mut self, block: EdgeId) -> Formula {
        if let Some(known) = self.blocks.get(&block) {
            return known.clone();
        }
        let edge = self.graph.graph.edge_weight(block);
        let formula = edge.map(|edge| self.teller.transition(&edge.transition));
        let formula = formula.unwrap_or_default();
        self.blocks.insert(block, formula.clone());
        formula
    }

    /// `a -> b`
    fn arrow(&self, edge: u32) -> String {
        match self.edges.get(&edge) {
            Some(edge) => format!("{} -> {}", self.name(edge.from), self.name(edge.to)),
            None => "an edge".into(),
        }
    }

    /// The edge of the graph of abstract states between two of them, along a block.
    fn edge_between(&self, from: u32, to: u32, block: EdgeId) -> Option<u32> {
        let mut edges = self.edges.values();
        let found = edges.find(|e| e.from == from && e.to == to && e.block == block);
        found.map(|edge| edge.number)
    }

    /// A state and all that hangs from it.
    fn subtree(&self, state: u32) -> Vec<u32> {
        let mut found = vec![state];
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            let below = self.edges.values().filter(|edge| edge.from == parent);
            found.extend(below.map(|edge| edge.to));
            next += 1;
        }
        found
    }

    fn step(&mut self, step: &record::Step) -> Step {
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
                    let location = self.states.get(&state).map(|known| known.location);
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
                let formula = self.teller.formula(*formula);
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
                    "the path formula has a model: a run that reaches {}",
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
        match &self.record.phases {
            Some(phases) => phases.locations.get(&location).map(|l| l.index()),
            None => Some(location.index()),
        }
    }

    fn begin(&mut self, told: &mut Step, states: &[AbstractState], edges: &[AbstractEdge]) {
        let again = !self.states.is_empty();
        told.action = "start";
        told.text = match (self.is_tree, again) {
            (false, _) => "one abstract state for each location, with what is known about it \
                           beforehand"
                .into(),
            (true, false) => "a tree that consists of its root".into(),
            (true, true) => "the tree is built anew with all predicates".into(),
        };
        self.copies.clear();
        self.states.clear();
        self.edges.clear();
        told.changes.push(Change::Clear);
        for state in states {
            let change = self.add_state(state);
            told.changes.push(change);
            if *self.teller.terms.op(state.formula) != crate::formula::Op::Bool(true) {
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
        let now = self.teller.formula(formula);
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
            if let Some(gone) = self.edges.remove(&edge) {
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
            if self.edges.remove(&number).is_some() {
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

/// Which edges of the unreduced graph an edge of the reduced one is made of: those on the ways
/// between its ends that pass no other location of the reduced graph.
struct Blocks<'a> {
    graph: &'a ProgramGraph,
    ends: Vec<(LocationId, LocationId)>,
    kept: BTreeSet<LocationId>,
}

impl<'a> Blocks<'a> {
    fn new(
        graph: &'a ProgramGraph,
        reduced: &ProgramGraph,
        back: &dyn Fn(LocationId) -> LocationId,
    ) -> Blocks<'a> {
        let pairs = graph.graph.edge_count() * reduced.graph.edge_count();
        let ends = reduced.graph.edge_references();
        Blocks {
            graph,
            ends: match pairs {
                pairs if pairs > MOST_PAIRS => Vec::new(),
                _ => ends.map(|e| (back(e.source()), back(e.target()))).collect(),
            },
            kept: reduced.graph.node_indices().map(back).collect(),
        }
    }

    fn statements(&self, block: EdgeId) -> Vec<EdgeId> {
        let mut found = Vec::new();
        if let Some(&(from, to)) = self.ends.get(block.index()) {
            let ahead = self.reached(from, Direction::Outgoing);
            let behind = self.reached(to, Direction::Incoming);
            for edge in self.graph.graph.edge_references() {
                if ahead.contains(&edge.source()) && behind.contains(&edge.target()) {
                    found.push(edge.id());
                }
            }
        }
        found
    }

    /// What can be reached without passing a kept location.
    fn reached(&self, from: LocationId, direction: Direction) -> BTreeSet<LocationId> {
        let mut found = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(location) = stack.pop() {
            for next in self.graph.graph.neighbors_directed(location, direction) {
                if !self.kept.contains(&next) && found.insert(next) {
                    stack.push(next);
                }
            }
        }
        found
    }
}
