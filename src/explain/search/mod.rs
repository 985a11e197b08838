//! How a unit was decided, for people: its graphs, and each step of the engines in plain words.
//!
//! A [`Explanation`] is plain data without terms, so it can be printed, drawn, or sent to another program
//! long after the work is over. Formulas are written with the names that the user gave.
//!
//! | file | idea |
//! |---|---|
//! | `renderer` | formulas and graphs with the user's names |
//! | `steps` | recorded steps in words |
//! | `blocks` | which statements a block is made of |

pub(crate) mod blocks;
pub(crate) mod renderer;
pub(crate) mod steps;

use std::collections::BTreeSet;

use ult_lang::span::Span;

use self::blocks::Blocks;
use self::renderer::Renderer;
use super::source::Source;
use ult_core::formula::Terms;
use ult_core::graph::EdgeId;
use ult_engine::EngineKind;
use ult_engine::verify::VerificationLog;
use ult_lower::unit::LoweredUnit;

/// How a unit was decided.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The program graph as it was read.
    pub source: Graph,
    /// The program graph as the engines got it; `None` if there was nothing to decide.
    pub reduced: Option<Graph>,
    /// The engines, in the order in which they had an answer.
    pub engines: Vec<EngineReport>,
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
    /// What stands there in the source, with its line: `loop at line 7`, `line 9: assert i == n;`.
    pub construct: Option<String>,
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
pub struct EngineReport {
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

/// Makes the explanation of a unit.
pub fn tell(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    log: VerificationLog<'_>,
) -> Explanation {
    let renderer = Renderer {
        terms,
        unit,
        source,
    };
    let statement = |edge: EdgeId| {
        let span = renderer.span_of(&unit.graph, edge);
        (span.into_iter().collect(), Vec::new())
    };
    let reduced = log.reduced.as_ref();
    let blocks = reduced.map(|reduced| {
        let back = |location| reduced.back.location(location);
        let blocks = Blocks::new(&unit.graph, &reduced.graph, &back);
        renderer.graph(&reduced.graph, |edge| {
            let edges = blocks.statements(edge);
            let spans = edges.iter();
            let spans = spans.filter_map(|&edge| renderer.span_of(&unit.graph, edge));
            let spans: BTreeSet<Span> = spans.collect();
            let parts = edges.iter().map(|edge| edge.index()).collect();
            (spans.into_iter().collect(), parts)
        })
    });
    // What intervals decide alone needs no reduction.
    let searched = reduced.map_or(&unit.graph, |reduced| &reduced.graph);
    let results = log.results.into_iter();
    let engines = results
        .map(|result| renderer.engine_report(searched, result))
        .collect();
    Explanation {
        source: renderer.graph(&unit.graph, statement),
        reduced: blocks,
        engines,
    }
}
