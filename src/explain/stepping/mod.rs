//! A search that somebody follows step by step, and may take part in: what the laboratory is made of.
//!
//! While an engine refines, each of its steps is told to an [`Observer`], and the search waits until that returns. When a path
//! is infeasible, the observer is asked for interpolants ([`Question`]) and may give some of its own. They are judged here, so
//! that the observer learns what is wrong with them; whatever becomes of them, the verdict is the checker's.
//!
//! | file | idea |
//! |---|---|
//! | `reading` | a formula that somebody typed |
//! | `question` | why is a path infeasible? |

mod question;
mod reading;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ult_core::formula::{Term, Terms};
use ult_core::graph::EdgeId;
use ult_core::reason::Reason;
use ult_engine::path::{Adviser, Path};
use ult_engine::record::{self, Scene, Watcher};
use ult_lang::span::Span;
use ult_lower::unit::LoweredUnit;

use crate::search::blocks::Blocks;
use crate::search::renderer::Renderer;
use crate::search::steps::{Memory, StepExplainer};
use crate::search::{Change, Step};
use crate::source::Source;
pub use question::{Comparison, Judgement, Moment, Position, Question};

/// Somebody who follows a search.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Is told of a step of the search for the unit. The search goes on when this returns.
    fn step(&self, unit: &str, step: ObservedStep);

    /// Is asked why a path is infeasible, whose step was told last. The search goes on when this returns, with what was
    /// accepted last ([`Question::judge`]), or with the engine's own interpolants.
    fn explain(&self, question: &mut Question<'_, '_, '_>);
}

/// A step of the search, as an observer sees it.
#[derive(Clone, Debug)]
pub struct ObservedStep {
    /// The step.
    pub step: Step,
    /// The lines of the source that it is about.
    pub lines: Vec<u32>,
}

/// Relays the search for one unit to an observer.
pub struct Relay {
    unit: LoweredUnit,
    source: Source,
    /// Whether the engine makes a tree of abstract states.
    is_tree: bool,
    observer: Arc<dyn Observer>,
    so_far: Mutex<SoFar>,
}

/// What was told so far.
#[derive(Default)]
struct SoFar {
    memory: Memory,
    /// Where the edges of the searched graph are in the source.
    spans: Vec<Vec<Span>>,
    /// The names of the abstract states of the last path.
    path: Vec<String>,
    /// Where their locations are in the source.
    places: Vec<Vec<u32>>,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").finish_non_exhaustive()
    }
}

impl Relay {
    /// Relays the search for a unit.
    pub fn new(
        unit: &LoweredUnit,
        source: &Source,
        is_tree: bool,
        observer: Arc<dyn Observer>,
    ) -> Relay {
        Relay {
            unit: unit.clone(),
            source: source.clone(),
            is_tree,
            observer,
            so_far: Mutex::default(),
        }
    }

    fn renderer<'a>(&'a self, terms: &'a Terms) -> Renderer<'a> {
        Renderer {
            terms,
            unit: &self.unit,
            source: &self.source,
        }
    }

    fn so_far(&self) -> MutexGuard<'_, SoFar> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines of places in the source, in order and once each.
    fn lines<'s>(&self, spans: impl IntoIterator<Item = &'s Span>) -> Vec<u32> {
        let lines = spans.into_iter().map(|&span| self.source.start(span).line);
        let lines: std::collections::BTreeSet<u32> = lines.collect();
        lines.into_iter().collect()
    }

    /// Where the edges of the graph are in the source.
    fn spans(&self, scene: Scene<'_>) -> Vec<Vec<Span>> {
        let renderer = self.renderer(scene.terms);
        let back = |location| scene.places.get(&location).copied().unwrap_or(location);
        let blocks = Blocks::new(&self.unit.graph, scene.graph, &back);
        let edges = scene.graph.graph.edge_indices();
        let of = |edge: EdgeId| {
            let statements = blocks.statements(edge);
            let spans = statements.iter();
            spans
                .filter_map(|&statement| renderer.span_of(&self.unit.graph, statement))
                .collect()
        };
        edges.map(of).collect()
    }

    /// The step in words.
    fn observed_step(&self, scene: Scene<'_>, step: &record::Step) -> ObservedStep {
        let mut so_far = self.so_far();
        if matches!(step, record::Step::Begin { .. }) && so_far.spans.is_empty() {
            so_far.spans = self.spans(scene);
        }
        let renderer = self.renderer(scene.terms);
        let mut explainer = StepExplainer::new(&renderer, scene.graph, None, self.is_tree)
            .remembering(std::mem::take(&mut so_far.memory));
        let told = explainer.step(step);
        if let record::Step::Path { states, .. } = step {
            so_far.path = states.iter().map(|&state| explainer.name(state)).collect();
            let places = states.iter().map(|&state| {
                let location = explainer.location(state)?;
                let place = renderer.place(scene.graph, location);
                Some(self.lines(&place.spans))
            });
            so_far.places = places.map(Option::unwrap_or_default).collect();
        }
        so_far.memory = explainer.into_memory();
        let states = told.changes.iter().filter_map(|change| match change {
            Change::State(_, place) => Some(&place.spans),
            _ => None,
        });
        let edges = told.edges.iter();
        let edges = edges.filter_map(|&edge| so_far.spans.get(edge));
        let lines = match step {
            // All of it.
            record::Step::Begin { .. } => Vec::new(),
            _ => self.lines(states.chain(edges).flatten()),
        };
        ObservedStep { step: told, lines }
    }
}

impl Watcher for Relay {
    fn step(&self, scene: Scene<'_>, step: &record::Step) {
        let told = self.observed_step(scene, step);
        self.observer.step(&self.unit.graph.name, told);
    }
}

impl Adviser for Relay {
    fn explain(
        &self,
        path: &Path<'_, '_>,
        own: Result<Vec<Term>, Reason>,
    ) -> Result<Vec<Term>, Reason> {
        let mut question = Question::new(self, path, own);
        self.observer.explain(&mut question);
        question.finish()
    }
}
