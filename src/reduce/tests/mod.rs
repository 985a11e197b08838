//! Tests of the reductions: readable examples, sizes, and random graphs explored state by state.

mod blocks;
mod explore;
mod passes;
mod random;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

/// Builds graphs by names of locations.
pub(crate) struct Builder<'t> {
    pub terms: &'t Terms,
    pub graph: ProgramGraph,
    locations: HashMap<String, LocationId>,
}

impl<'t> Builder<'t> {
    /// A graph over integer variables, with the initial location `start`.
    pub(crate) fn ints(terms: &'t Terms, names: &[&str]) -> Builder<'t> {
        let mut graph = ProgramGraph::new("test");
        for &name in names {
            graph.variables.insert(name.into(), Sort::Int);
        }
        let locations = HashMap::from([("start".to_string(), graph.initial)]);
        Builder {
            terms,
            graph,
            locations,
        }
    }

    /// The location of a name, made when it is first asked for; names that start with `error` are
    /// error locations.
    pub(crate) fn at(&mut self, name: &str) -> LocationId {
        let graph = &mut self.graph.graph;
        *self.locations.entry(name.into()).or_insert_with(|| {
            let mut location = Location::named(name);
            location.error = name.starts_with("error").then(|| "wrong".into());
            graph.add_node(location)
        })
    }

    pub(crate) fn edge(&mut self, from: &str, to: &str, transition: Transition) {
        let (from, to) = (self.at(from), self.at(to));
        let origin = None;
        self.graph
            .graph
            .add_edge(from, to, Edge::new(transition, origin));
    }

    pub(crate) fn assume(&mut self, from: &str, to: &str, condition: Term) {
        self.edge(from, to, Transition::assume(condition));
    }

    pub(crate) fn skip(&mut self, from: &str, to: &str) {
        self.assume(from, to, self.terms.tt());
    }

    pub(crate) fn assign(&mut self, from: &str, to: &str, name: &str, value: Term) {
        let transition = Transition::assign(self.terms, &name.into(), value);
        self.edge(from, to, transition);
    }

    pub(crate) fn havoc(&mut self, from: &str, to: &str, names: &[&str]) {
        let names = names.iter().map(|&name| Arc::from(name));
        self.edge(from, to, Transition::havoc(self.terms, names));
    }

    pub(crate) fn var(&self, name: &str) -> Term {
        self.terms.current(name, self.graph.variables[name].clone())
    }

    /// `variable + constant`
    pub(crate) fn plus(&self, name: &str, constant: i32) -> Term {
        self.terms.add(&[self.var(name), self.terms.int(constant)])
    }
}

/// A graph as text, auxiliaries numbered from 1 in each edge.
pub(crate) fn show(terms: &Terms, graph: &ProgramGraph) -> String {
    assert_eq!(graph.check(terms), Ok(()));
    let mut lines = Vec::new();
    for edge in graph.graph.edge_indices() {
        let (source, target) = graph.graph.edge_endpoints(edge).unwrap();
        let transition = &graph.graph[edge].transition;
        let mut formula = terms.display(transition.formula).to_string();
        let order = terms.post_order(&[transition.formula]);
        let aux = order
            .into_iter()
            .map(|t| terms.display(t).to_string())
            .filter(|text| text.contains('#') && !text.contains(' '));
        let mut seen = BTreeSet::new();
        for (number, text) in aux.filter(|text| seen.insert(text.clone())).enumerate() {
            let name = text.split('#').next().unwrap();
            formula = formula.replace(&text, &format!("{name}~{}", number + 1));
        }
        lines.push(format!(
            "{} -> {}: {formula} changes {{{}}}",
            graph.graph[source].name,
            graph.graph[target].name,
            transition
                .changed
                .iter()
                .cloned()
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    lines.join("\n")
}
