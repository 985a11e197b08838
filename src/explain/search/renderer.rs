//! Formulas and graphs as plain data, with the names that the user gave.

use petgraph::visit::EdgeRef as _;
use ult_lang::span::Span;

use super::steps::StepExplainer;
use super::{Edge, EngineReport, Formula, Graph, Place, PlaceKind, Search};
use crate::names::qualified;
use crate::source::Source;
use ult_core::formula::print::{Printer, cut, plain_name};
use ult_core::formula::{Term, Terms, Var, Version};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Transition};
use ult_engine::EngineKind;
use ult_engine::verify::EngineResult;
use ult_lower::OriginStep;
use ult_lower::unit::LoweredUnit;

/// Lines of formulas are cut to so many characters.
const LINE: usize = 44;

/// What stands at a location in the source is cut to so many characters.
const LONGEST_CONSTRUCT: usize = 80;

/// Formulas have so many lines at most.
const LINES: usize = 5;

/// Full formulas are cut to so many characters.
pub(crate) const TEXT: usize = 2000;

/// Tells about one unit.
pub(crate) struct Renderer<'a> {
    /// The store of its terms.
    pub terms: &'a Terms,
    /// The unit.
    pub unit: &'a LoweredUnit,
    /// The text that it was made of.
    pub source: &'a Source,
}

impl Renderer<'_> {
    /// A variable as the user knows it.
    pub(crate) fn name(&self, var: &Var) -> String {
        let Some(displayed) = self.unit.displayed.get(&var.name) else {
            return plain_name(var);
        };
        let name = qualified(displayed, &self.unit.graph.name);
        let name = self.source.users_name(&name);
        plain_name(&Var {
            name: name.into(),
            version: var.version,
        })
    }

    /// A formula as text.
    pub(crate) fn print(&self, term: Term, limit: usize) -> String {
        let name = |var: &Var| self.name(var);
        Printer::new(self.terms, &name).print_at_most(term, limit)
    }

    /// A formula.
    pub(super) fn formula(&self, term: Term) -> Formula {
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

    /// What an edge does.
    pub(crate) fn transition(&self, transition: &Transition) -> Formula {
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

    /// Where an edge is in the source; jumps are nowhere.
    pub(crate) fn span_of(&self, graph: &ProgramGraph, edge: EdgeId) -> Option<Span> {
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

    /// A location.
    pub(crate) fn place(&self, graph: &ProgramGraph, id: LocationId) -> Place {
        let location = &graph.graph[id];
        let kind = match &location.error {
            Some(_) => PlaceKind::Error,
            None if id == graph.initial => PlaceKind::Initial,
            None if location.loop_head => PlaceKind::LoopHead,
            None => PlaceKind::Plain,
        };
        let origin = location.origin.and_then(|o| self.unit.origins.get(o));
        let construct = origin.map(|info| {
            let line = self.source.start(info.span).line;
            match kind {
                PlaceKind::LoopHead => format!("loop at line {line}"),
                _ => {
                    let excerpt = self.source.excerpt(info.span, LONGEST_CONSTRUCT);
                    format!("line {line}: {excerpt}")
                }
            }
        });
        Place {
            name: location.name.to_string(),
            construct,
            kind,
            error: location.error.as_ref().map(ToString::to_string),
            formula: Formula::default(),
            spans: origin.map(|info| info.span).into_iter().collect(),
        }
    }

    /// A graph; `trace` says where its edges are in the source, and what they are made of.
    pub(super) fn graph(
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

    /// What an engine did.
    pub(super) fn engine_report(
        &self,
        reduced: &ProgramGraph,
        heard: EngineResult,
    ) -> EngineReport {
        let searches = heard.records.into_iter().map(|record| {
            let searched = record.phases.as_ref().map(|phases| &phases.graph);
            let graph = searched.unwrap_or(reduced);
            let is_tree = heard.kind != EngineKind::Slicing;
            let mut explainer = StepExplainer::new(self, graph, record.phases.as_ref(), is_tree);
            Search {
                in_phases: record.phases.is_some(),
                steps: record.steps.iter().map(|s| explainer.step(s)).collect(),
                left_out: record.left_out,
            }
        });
        EngineReport {
            engine: heard.kind,
            decided: heard.decided,
            searches: searches.collect(),
        }
    }
}
