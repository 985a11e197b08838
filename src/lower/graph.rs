//! Program-graph texts as graphs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ult_lang::hir;
use ult_lang::hir::{EdgeLetId, EdgeLocalId, GraphProgram, GraphVariableId, VarRef};
use ult_lang::span::Span;

use super::expr::{ExprLowering, Scope};
use super::frame::{Slot, slot_term};
use super::origin::{FrameId, Origins, Step};
use super::sorts::TypeEnv;
use super::symbols::Symbols;
use super::unit::{Abstraction, Displayed, LoweredUnit, Obligation, ObligationKind, Unsupported};
use super::unsupported::UnsupportedExpr;
use super::{functions_of, walk};
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

/// The graphs of a program-graph text. Nobody may draw a verdict from a text with error
/// diagnostics.
pub fn lower_graphs(terms: &Terms, program: &GraphProgram) -> Vec<LoweredUnit> {
    let variables = program.graphs.iter().flat_map(|g| &g.variables);
    let symbols = Symbols::new(
        terms,
        &program.background,
        variables.map(|v| &*v.name),
        super::polymaps::of_graphs(program),
        None,
    );
    program
        .graphs
        .iter()
        .map(|graph| GraphLowering::new(&symbols, graph).lower())
        .collect()
}

struct GraphLowering<'l, 'a> {
    symbols: &'l Symbols<'a>,
    source: &'l hir::Graph,
    slots: Vec<Slot>,
    graph: ProgramGraph,
    origins: Origins,
    abstracted: BTreeMap<ult_core::graph::EdgeId, Abstraction>,
    unsupported: Vec<Unsupported>,
}

/// The one frame of a graph.
const FRAME: FrameId = FrameId(0);

/// The scope of an edge's formula.
struct EdgeScope<'e> {
    terms: &'e Terms,
    slots: &'e [Slot],
    locals: &'e [Result<Term, String>],
    lets: &'e RefCell<Vec<Result<Term, String>>>,
}

impl Scope for EdgeScope<'_> {
    fn variable(&self, variable: VarRef, _: bool) -> Result<Term, String> {
        let slot = |id: GraphVariableId, version| {
            slot_term(self.terms, self.slots.get(id.index()), version)
        };
        let unknown = || Err("an unknown name".to_owned());
        match variable {
            VarRef::Unprimed(id) => slot(id, Version::Current),
            VarRef::Primed(id) => slot(id, Version::Next),
            VarRef::EdgeLocal(EdgeLocalId(id)) => self
                .locals
                .get(id as usize)
                .cloned()
                .unwrap_or_else(unknown),
            VarRef::EdgeLet(EdgeLetId(id)) => {
                let lets = self.lets.borrow();
                lets.get(id as usize).cloned().unwrap_or_else(unknown)
            }
            _ => unknown(),
        }
    }
}

impl<'l, 'a> GraphLowering<'l, 'a> {
    fn new(symbols: &'l Symbols<'a>, source: &'l hir::Graph) -> Self {
        let mut origins = Origins::default();
        origins.add_frame(None, (&*source.name).into(), None);
        GraphLowering {
            symbols,
            source,
            slots: Vec::new(),
            graph: ProgramGraph {
                graph: petgraph::graph::DiGraph::new(),
                ..ProgramGraph::new(&*source.name)
            },
            origins,
            abstracted: BTreeMap::new(),
            unsupported: Vec::new(),
        }
    }

    fn lower(mut self) -> LoweredUnit {
        let mut displayed = BTreeMap::new();
        for variable in &self.source.variables {
            let name: Arc<str> = (&*variable.name).into();
            let slot = self.symbols.sort(&variable.ty, &TypeEnv::new());
            if let Ok(sort) = &slot {
                self.graph.variables.insert(name.clone(), sort.clone());
                let shown = Displayed {
                    name: name.clone(),
                    procedure: None,
                    old: false,
                };
                displayed.insert(name.clone(), shown);
            }
            self.slots.push(slot.map(|sort| (name, sort)));
        }
        let obligations = self.locations();
        for edge in &self.source.edges {
            self.edge(edge, &obligations);
        }
        super::cut::mark_loop_heads(&mut self.graph);
        self.symbols.instantiate();
        let axioms_dropped = self
            .symbols
            .dropped()
            .into_iter()
            .map(|unsupported| Unsupported {
                origin: self.origins.add(unsupported.span, Step::Declaration, FRAME),
                what: unsupported.what.into(),
            })
            .collect();
        let approximated = self
            .symbols
            .approximated()
            .into_iter()
            .map(|what| Unsupported {
                origin: self.origins.add(what.span, Step::Declaration, FRAME),
                what: what.what.into(),
            });
        let approximated = approximated.collect();
        self.graph.axioms = self.symbols.axioms().into_iter().map(|(a, _)| a).collect();
        self.graph.functions = functions_of(self.symbols.terms, &self.graph);
        LoweredUnit {
            returned: None,
            plan: None,
            graph: self.graph,
            obligations,
            origins: self.origins,
            displayed,
            abstracted: self.abstracted,
            relies_on: BTreeSet::new(),
            axioms_dropped,
            approximated,
            unsupported: self.unsupported,
        }
    }

    /// The locations, in the order of the text, and a fresh initial one unless there is exactly
    /// one, which is no error location.
    fn locations(&mut self) -> BTreeMap<LocationId, Obligation> {
        let mut obligations = BTreeMap::new();
        let mut names = super::names::Names::default();
        for location in &self.source.locations {
            names.reserve(&location.name);
            let origin = self.origins.add(location.span, Step::Edge, FRAME);
            self.graph.graph.add_node(Location {
                origin: Some(origin),
                ..Location::named(&*location.name)
            });
        }
        for &error in &self.source.errors {
            let id = LocationId::new(error.index());
            let Some(location) = self.source.locations.get(error.index()) else {
                continue;
            };
            let text: Arc<str> = match &location.description {
                Some(description) => (&**description).into(),
                None => format!("error location `{}`", location.name).into(),
            };
            self.graph.graph[id].error = Some(text.clone());
            let origin = self.origins.add(location.span, Step::Violated, FRAME);
            obligations.insert(
                id,
                Obligation {
                    kind: ObligationKind::Location,
                    origin,
                    clause: None,
                    text,
                },
            );
        }
        match self.source.initial[..] {
            [only] if !self.source.errors.contains(&only) => {
                self.graph.initial = LocationId::new(only.index());
            }
            _ => {
                let start = Location::named(names.fresh("start"));
                self.graph.initial = self.graph.graph.add_node(start);
                let origin = self.origins.add(self.source.span, Step::Start, FRAME);
                for initial in &self.source.initial {
                    let edge = Edge::new(Transition::assume(self.symbols.terms.tt()), Some(origin));
                    let target = LocationId::new(initial.index());
                    self.graph.graph.add_edge(self.graph.initial, target, edge);
                }
            }
        }
        obligations
    }

    fn edge(&mut self, edge: &hir::Edge, errors: &BTreeMap<LocationId, Obligation>) {
        let terms = self.symbols.terms;
        let source = LocationId::new(edge.source.index());
        let target = LocationId::new(edge.target.index());
        if errors.contains_key(&source) {
            // What happens behind an error does not matter.
            return;
        }
        let types = TypeEnv::new();
        let locals: Vec<Result<Term, String>> = edge
            .locals
            .iter()
            .map(|local| {
                let sort = self.symbols.sort(&local.ty, &types)?;
                Ok(terms.fresh_aux(&*local.name, sort))
            })
            .collect();
        let lets = RefCell::new(Vec::new());
        let scope = EdgeScope {
            terms,
            slots: &self.slots,
            locals: &locals,
            lets: &lets,
        };
        let lower = |e: &hir::Expr| ExprLowering::new(self.symbols, &scope, &types).lower(e);
        for binding in &edge.lets {
            let value = lower(&binding.value).map_err(|unsupported| unsupported.what);
            lets.borrow_mut().push(value);
        }
        let formula = lower(&edge.formula);
        // What is primed in the text may change, even if simplification made the term vanish.
        let roots = edge.lets.iter().map(|l| &l.value).chain([&edge.formula]);
        let changed = walk::primed(roots)
            .into_iter()
            .chain(edge.havoc.iter().copied())
            .filter_map(|id| Some(self.slots.get(id.index())?.as_ref().ok()?.0.clone()))
            .collect();
        let (formula, why) = match formula {
            Ok(formula) => (formula, None),
            Err(unsupported) => (terms.tt(), Some(self.note(&unsupported))),
        };
        let origin = self.origins.add(edge.span, Step::Edge, FRAME);
        let id = self.graph.graph.add_edge(
            source,
            target,
            Edge::new(Transition { formula, changed }, Some(origin)),
        );
        if let Some(why) = why {
            self.abstracted.insert(id, why);
        }
    }

    fn note(&mut self, unsupported: &UnsupportedExpr) -> Abstraction {
        let what: Arc<str> = (&*unsupported.what).into();
        let span: Span = unsupported.span;
        let origin = self.origins.add(span, Step::Unsupported, FRAME);
        self.unsupported.push(Unsupported {
            what: what.clone(),
            origin,
        });
        Abstraction::Unsupported { what }
    }
}
