//! Clauses to a program graph.
//!
//! Each predicate is a location, and the state variables hold its arguments. A clause with a
//! conclusion is an edge to the conclusion's location, from the location of its first premise or, for a
//! fact, from the initial location. The other predicates among its premises are premises of the edge.
//! A clause without a conclusion leads to an error location. A run to an error location is a derivation
//! of `false`; invariants that exclude it are predicates that satisfy the clauses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::clauses::Clause;
use super::interpretation::Arguments;
use super::names::Predicate;
use super::slots::{Hints, Slots};
use super::solve::solved;
use super::unspecified::{Unspecified, is_wrong_field};
use ult_core::formula::{Function, Term, Terms, Version};
use ult_core::graph::{Edge, Location, LocationId, Origin, Premise, ProgramGraph, Transition};
use ult_lang::span::Span;
use ult_lower::names::Names;
use ult_lower::origin::{FrameId, Origins, Step};
use ult_lower::unit::{
    Abstraction, Displayed, LoweredUnit, Obligation, ObligationKind, Unsupported,
};

/// What the unit is called.
const NAME: &str = "clauses";

/// The one frame.
const FRAME: FrameId = FrameId(0);

/// The graph of clauses.
pub(super) fn graph(
    terms: &Terms,
    predicates: &[Predicate],
    clauses: Vec<Clause>,
    zero_division: &[Arc<Function>],
    mut names: Names,
) -> LoweredUnit {
    let mut hints = Hints::default();
    let clauses: Vec<(Clause, Vec<Term>)> = clauses
        .into_iter()
        .map(|mut clause| {
            // The first premise is where the edge starts: one that says more than others.
            clause
                .body
                .sort_by_key(|atom| std::cmp::Reverse(atom.args.len()));
            called(terms, &clause, &mut hints);
            let (clause, inputs) = solved(terms, clause);
            handed_on(&clause, &inputs, &mut hints);
            (clause, inputs)
        })
        .collect();
    let slots = Slots::new(predicates, &hints, &mut names);
    let mut builder = Builder::new(terms, predicates, &slots, zero_division);
    for (clause, inputs) in &clauses {
        builder.clause(clause, inputs);
    }
    builder.finish()
}

/// The variables that hold the arguments of each predicate, by the predicate's location; empty for
/// units that are made of something else than clauses.
pub fn predicates(unit: &LoweredUnit) -> Arguments {
    let graph = &unit.graph.graph;
    let arguments = |location: LocationId| {
        let info = unit.origins.get(graph[location].origin?)?;
        match &info.step {
            Step::Derive { arguments, .. } => Some(arguments.iter().cloned().collect()),
            _ => None,
        }
    };
    graph
        .node_indices()
        .filter_map(|location| Some((location, arguments(location)?)))
        .collect()
}

/// How a clause calls the arguments of its premise.
fn called(terms: &Terms, clause: &Clause, hints: &mut Hints) {
    if let Some(body) = clause.body.first() {
        for (i, &arg) in body.args.iter().enumerate() {
            if let Some(var) = terms.as_var(arg) {
                hints.name((body.predicate, i), &var.name);
            }
        }
    }
}

/// Which arguments of its premise a clause hands on unchanged.
fn handed_on(clause: &Clause, inputs: &[Term], hints: &mut Hints) {
    let (Some(body), Some(head)) = (clause.body.first(), &clause.head) else {
        return;
    };
    let positions: HashMap<Term, usize> = inputs.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    for (j, arg) in head.args.iter().enumerate() {
        if let Some(&i) = positions.get(arg) {
            hints.flow((body.predicate, i), (head.predicate, j));
        }
    }
}

struct Builder<'a> {
    terms: &'a Terms,
    predicates: &'a [Predicate],
    slots: &'a Slots,
    unspecified: Unspecified,
    graph: ProgramGraph,
    locations: Vec<LocationId>,
    names: Names,
    origins: Origins,
    obligations: BTreeMap<LocationId, Obligation>,
    abstracted: BTreeMap<ult_core::graph::EdgeId, Abstraction>,
    unsupported: Vec<Unsupported>,
}

impl<'a> Builder<'a> {
    fn new(
        terms: &'a Terms,
        predicates: &'a [Predicate],
        slots: &'a Slots,
        zero_division: &[Arc<Function>],
    ) -> Builder<'a> {
        // Terms are ordered by their age, and equations read better as `x' == e`.
        for (name, sort) in &slots.variables {
            terms.next(name.clone(), sort.clone());
        }
        let mut graph = ProgramGraph::new(NAME);
        graph.variables.extend(slots.variables.iter().cloned());
        let mut names = Names::default();
        names.reserve("start");
        let locations = predicates
            .iter()
            .map(|predicate| {
                let name = names.fresh(&predicate.name);
                graph.graph.add_node(Location::named(name))
            })
            .collect();
        let mut origins = Origins::default();
        origins.add_frame(None, NAME.into(), None);
        Builder {
            terms,
            predicates,
            slots,
            unspecified: Unspecified::new(zero_division),
            graph,
            locations,
            names,
            origins,
            obligations: BTreeMap::new(),
            abstracted: BTreeMap::new(),
            unsupported: Vec::new(),
        }
    }

    fn clause(&mut self, clause: &Clause, inputs: &[Term]) {
        if clause.constraint.contains(&self.terms.ff()) {
            return;
        }
        let span = Span::from(clause.place.clone());
        let source = match clause.body.first() {
            Some(atom) => self.locations[atom.predicate],
            None => self.graph.initial,
        };
        let (target, step) = match &clause.head {
            Some(atom) => {
                let step = Step::Derive {
                    predicate: (&*self.predicates[atom.predicate].name).into(),
                    arguments: self.slots.of[atom.predicate]
                        .iter()
                        .map(|&slot| self.slots.variables[slot].0.clone())
                        .collect(),
                };
                (self.locations[atom.predicate], step)
            }
            None => {
                let name = self.names.numbered("query");
                let mut location = Location::named(name);
                location.error = Some("query".into());
                let location = self.graph.graph.add_node(location);
                let origin = self.origins.add(span, Step::Violated, FRAME);
                self.obligations.insert(
                    location,
                    Obligation {
                        kind: ObligationKind::Query,
                        origin,
                        clause: None,
                        text: "query".into(),
                    },
                );
                (location, Step::Violated)
            }
        };
        let origin = self.origins.add(span, step, FRAME);
        let edge = self.label(clause, inputs, origin);
        let terms = self.terms;
        let formula = edge.transition.formula;
        let premises = edge.premises.iter();
        let values = premises.flat_map(|premise| premise.state.values().copied());
        let values: Vec<Term> = values.collect();
        let settled = self.unspecified.settled(terms, formula, &values);
        if settled == formula {
            self.edge(source, target, edge, None);
            return;
        }
        let (mut usual, mut other) = (edge.clone(), edge);
        usual.transition.formula = settled;
        other.transition.formula = terms.and2(formula, terms.not(settled));
        self.edge(source, target, usual, None);
        let why = "a division by zero, or a field that another constructor has";
        self.edge(source, target, self.renamed(other), Some(why));
    }

    fn edge(&mut self, source: LocationId, target: LocationId, edge: Edge, why: Option<&str>) {
        if edge.transition.formula == self.terms.ff() {
            return;
        }
        let origin = edge.origin;
        let edge = self.graph.graph.add_edge(source, target, edge);
        if let (Some(why), Some(origin)) = (why, origin) {
            let what: Arc<str> = why.into();
            self.abstracted
                .insert(edge, Abstraction::Unsupported { what: what.clone() });
            self.unsupported.push(Unsupported { what, origin });
        }
    }

    /// What a clause says about the state before, with the arguments of its first premise, and the state after, with those of its
    /// conclusion; and its other premises.
    fn label(&self, clause: &Clause, inputs: &[Term], origin: Origin) -> Edge {
        let terms = self.terms;
        let variable = |slot: usize, version| {
            let (name, sort) = &self.slots.variables[slot];
            terms.var(name.clone(), version, sort.clone())
        };
        let mut map: HashMap<Term, Term> = HashMap::new();
        if let Some(body) = clause.body.first() {
            let slots = &self.slots.of[body.predicate];
            for (&input, &slot) in inputs.iter().zip(slots) {
                map.insert(input, variable(slot, Version::Current));
            }
        }
        let mut conjuncts = clause.constraint.clone();
        let mut changed = BTreeSet::new();
        if let Some(head) = &clause.head {
            let slots = &self.slots.of[head.predicate];
            let mut equations = Vec::new();
            for (&arg, &slot) in head.args.iter().zip(slots) {
                if map.get(&arg) == Some(&variable(slot, Version::Current)) {
                    continue;
                }
                changed.insert(self.slots.variables[slot].0.clone());
                let next = variable(slot, Version::Next);
                let is_free = terms.as_var(arg).is_some() && !is_wrong_field(terms, arg);
                if is_free && !map.contains_key(&arg) {
                    map.insert(arg, next);
                } else {
                    equations.push(terms.eq(next, arg));
                }
            }
            conjuncts.splice(0..0, equations);
        }
        let others = clause.body.iter().skip(1).map(|atom| {
            let slots = self.slots.of[atom.predicate].iter();
            let values = atom.args.iter().map(|&arg| terms.substitute(arg, &map));
            Premise {
                location: self.locations[atom.predicate],
                state: slots
                    .map(|&slot| self.slots.variables[slot].0.clone())
                    .zip(values)
                    .collect(),
            }
        });
        let premises = others.collect();
        let transition = Transition {
            formula: terms.substitute(terms.and(conjuncts), &map),
            changed,
        };
        Edge {
            premises,
            ..Edge::new(transition, Some(origin))
        }
    }

    /// An edge with other auxiliaries.
    fn renamed(&self, mut edge: Edge) -> Edge {
        let terms = self.terms;
        let mut map = HashMap::new();
        for term in terms.free_vars(&edge.terms()) {
            if let Some(var) = terms.as_var(term)
                && matches!(var.version, Version::Aux(_))
            {
                let fresh = terms.fresh_aux(var.name.clone(), terms.sort(term).clone());
                map.insert(term, fresh);
            }
        }
        edge.transition.formula = terms.substitute(edge.transition.formula, &map);
        for premise in &mut edge.premises {
            for value in premise.state.values_mut() {
                *value = terms.substitute(*value, &map);
            }
        }
        edge
    }

    fn finish(mut self) -> LoweredUnit {
        ult_lower::cut::mark_loop_heads(&mut self.graph);
        for (id, predicate) in self.predicates.iter().enumerate() {
            let step = Step::Derive {
                predicate: (&*predicate.name).into(),
                arguments: self.slots.of[id]
                    .iter()
                    .map(|&slot| self.slots.variables[slot].0.clone())
                    .collect(),
            };
            let origin = self
                .origins
                .add(Span::from(predicate.place.clone()), step, FRAME);
            let location = &mut self.graph.graph[self.locations[id]];
            location.origin = Some(origin);
            // The meaning of every predicate is worth showing.
            location.loop_head = true;
        }
        self.graph.functions = ult_lower::functions_of(self.terms, &self.graph);
        let displayed = self
            .slots
            .variables
            .iter()
            .map(|(name, _)| {
                let shown = Displayed {
                    name: name.clone(),
                    procedure: None,
                    old: false,
                };
                (name.clone(), shown)
            })
            .collect();
        LoweredUnit {
            returned: None,
            plan: None,
            graph: self.graph,
            obligations: self.obligations,
            origins: self.origins,
            displayed,
            abstracted: self.abstracted,
            relies_on: BTreeSet::new(),
            axioms_dropped: Vec::new(),
            approximated: Vec::new(),
            unsupported: self.unsupported,
        }
    }
}
