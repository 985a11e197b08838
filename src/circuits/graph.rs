//! The program graph of a circuit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, Origin, ProgramGraph, Transition};
use ult_lang::span::Span;
use ult_lower::LoweredUnit;
use ult_lower::origin::{FrameId, Origins, Step};
use ult_lower::unit::{Displayed, Obligation, ObligationKind};

use super::Form;
use super::model::Model;

/// What the unit is called.
const NAME: &str = "circuit";

/// How a program graph hangs together with the circuit that it was made of.
#[derive(Debug)]
pub struct Interface {
    /// The format of the circuit.
    pub form: Form,
    /// Where the circuit is before each step.
    pub head: LocationId,
    pub(super) model: Model,
    /// For each edge, which input an auxiliary is, by numbers.
    pub(super) inputs: BTreeMap<EdgeId, BTreeMap<u32, usize>>,
    /// The properties, by their error locations.
    pub(super) bads: BTreeMap<LocationId, usize>,
}

/// The graph: `start` leads to `step`, where the states have their first values; from there lead an
/// edge back, and one to each error location.
pub(super) fn graph(terms: &Terms, model: Model, form: Form) -> (LoweredUnit, Interface) {
    let mut graph = ProgramGraph::new(NAME);
    let states = model.states.iter();
    (graph.variables).extend(states.map(|state| (state.name.clone(), state.sort.clone())));
    let mut origins = Origins::default();
    let frame = origins.add_frame(None, NAME.into(), None);
    let mut builder = Builder {
        terms,
        model: &model,
        graph,
        origins,
        frame,
        inputs: BTreeMap::new(),
    };
    let head = builder.graph.graph.add_node(Location::named("step"));
    builder.graph.graph[head].loop_head = true;
    let origin = builder.origin(model.span, Step::Edge);
    builder.graph.graph[head].origin = Some(origin);
    let initial = builder.graph.initial;
    builder.edge(initial, head, builder.start(), model.span);
    builder.edge(head, head, builder.step(), model.span);
    let mut obligations = BTreeMap::new();
    let mut bads = BTreeMap::new();
    for (number, bad) in model.bads.iter().enumerate() {
        let mut location = Location::named(format!("bad{number}"));
        location.error = Some(bad.text.clone());
        let error = builder.graph.graph.add_node(location);
        let conditions = model.always.iter().copied().chain([bad.condition]);
        let condition = Transition::assume(terms.and(conditions));
        builder.edge(head, error, condition, bad.span);
        let origin = builder.origin(bad.span, Step::Violated);
        let obligation = Obligation {
            kind: ObligationKind::Location,
            origin,
            clause: None,
            text: bad.text.clone(),
        };
        obligations.insert(error, obligation);
        bads.insert(error, number);
    }
    let Builder {
        mut graph,
        origins,
        inputs,
        ..
    } = builder;
    graph.functions = ult_lower::functions_of(terms, &graph);
    let displayed = graph.variables.keys().map(|name| {
        let shown = Displayed {
            name: name.clone(),
            procedure: None,
            old: false,
        };
        (name.clone(), shown)
    });
    let unit = LoweredUnit {
        returned: None,
        plan: None,
        obligations,
        origins,
        displayed: displayed.collect(),
        abstracted: BTreeMap::new(),
        relies_on: BTreeSet::new(),
        axioms_dropped: Vec::new(),
        approximated: Vec::new(),
        unsupported: Vec::new(),
        graph,
    };
    let interface = Interface {
        form,
        head,
        model,
        inputs,
        bads,
    };
    (unit, interface)
}

struct Builder<'a> {
    terms: &'a Terms,
    model: &'a Model,
    graph: ProgramGraph,
    origins: Origins,
    frame: FrameId,
    inputs: BTreeMap<EdgeId, BTreeMap<u32, usize>>,
}

impl Builder<'_> {
    fn origin(&mut self, span: Span, step: Step) -> Origin {
        self.origins.add(span, step, self.frame)
    }

    /// The states get their first values.
    fn start(&self) -> Transition {
        let terms = self.terms;
        let mut changed: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut conjuncts = Vec::new();
        for state in &self.model.states {
            if let Some(init) = state.init {
                conjuncts.push(terms.eq(state.after(terms), init));
                changed.insert(state.name.clone());
            }
        }
        for term in terms.free_vars(&self.model.start) {
            changed.extend(terms.as_var(term).map(|var| var.name.clone()));
        }
        conjuncts.extend(&self.model.start);
        Transition {
            formula: terms.and(conjuncts),
            changed,
        }
    }

    fn step(&self) -> Transition {
        let terms = self.terms;
        let mut changed: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut conjuncts = Vec::new();
        // Of a state that stays as it is, what follows the step may be spoken of nevertheless.
        let mentioned: HashSet<Term> = terms.free_vars(&self.model.step).into_iter().collect();
        for state in &self.model.states {
            let stays = state.next == Some(state.current(terms));
            if stays && !mentioned.contains(&state.after(terms)) {
                continue;
            }
            changed.insert(state.name.clone());
            let next = state.next.map(|next| terms.eq(state.after(terms), next));
            conjuncts.extend(next);
        }
        conjuncts.extend(self.model.always.iter().chain(&self.model.step));
        Transition {
            formula: terms.and(conjuncts),
            changed,
        }
    }

    /// An edge; its inputs are auxiliaries of its own.
    fn edge(&mut self, from: LocationId, to: LocationId, transition: Transition, span: Span) {
        let terms = self.terms;
        let numbers: HashMap<Term, usize> = (self.model.inputs.iter().enumerate())
            .map(|(number, input)| (input.term, number))
            .collect();
        let (mut map, mut inputs) = (HashMap::new(), BTreeMap::new());
        for term in terms.free_vars(&[transition.formula]) {
            let (Some(&number), Some(var)) = (numbers.get(&term), terms.as_var(term)) else {
                continue;
            };
            let own = terms.fresh_aux(var.name.clone(), terms.sort(term).clone());
            map.insert(term, own);
            if let Some(var) = terms.as_var(own)
                && let Version::Aux(aux) = var.version
            {
                inputs.insert(aux, number);
            }
        }
        let transition = Transition {
            formula: terms.substitute(transition.formula, &map),
            ..transition
        };
        let origin = Some(self.origin(span, Step::Edge));
        let edge = Edge::new(transition, origin);
        let edge = self.graph.graph.add_edge(from, to, edge);
        self.inputs.insert(edge, inputs);
    }
}
