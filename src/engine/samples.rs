//! Small graphs for the tests of engines, built by hand in reduced form.

use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};
use ult_core::stats::Statistics;

/// The formula of a claim at a location, and the error locations that it excludes. The checker excludes the same.
pub(crate) fn excluded(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: Invariants,
    at: LocationId,
) -> (String, Vec<String>) {
    let control = Control::unlimited();
    let formula = terms.display(claim.at[&at]);
    let names = |l: LocationId| graph.graph[l].name.to_string();
    let is_excluded = |error: &LocationId| !claim.exempt.contains(error);
    let claimed: Vec<String> = graph.errors().filter(is_excluded).map(names).collect();
    let options = ult_check::Options::default();
    let mut checker = ult_check::Checker::new(terms, graph, &control, &options);
    let claims = ult_check::Claims {
        invariants: Some(claim),
        ..ult_check::Claims::default()
    };
    let verdicts = checker.decide(&claims, &mut Statistics::default());
    let safe = verdicts.into_iter().filter(|(_, v)| v.is_safe());
    let confirmed: Vec<String> = safe.map(|(l, _)| names(l)).collect();
    assert_eq!(claimed, confirmed, "{formula}");
    (formula, confirmed)
}

/// A graph under construction.
pub(crate) struct Build<'t> {
    pub t: &'t Terms,
    pub graph: ProgramGraph,
}

impl<'t> Build<'t> {
    /// With integer variables.
    pub(crate) fn new(t: &'t Terms, variables: &[&str]) -> Build<'t> {
        let mut graph = ProgramGraph::new("test");
        for &name in variables {
            graph.variables.insert(name.into(), Sort::Int);
        }
        Build { t, graph }
    }

    pub(crate) fn location(&mut self, name: &str) -> LocationId {
        self.graph.graph.add_node(Location::named(name))
    }

    pub(crate) fn error(&mut self, name: &str) -> LocationId {
        let error = Some("violated".into());
        self.graph.graph.add_node(Location {
            error,
            ..Location::named(name)
        })
    }

    pub(crate) fn x(&self, name: &str) -> Term {
        self.t.current(name, Sort::Int)
    }

    pub(crate) fn next(&self, name: &str) -> Term {
        self.t.next(name, Sort::Int)
    }

    /// An edge that changes the variables that its formula mentions primed.
    pub(crate) fn edge(&mut self, from: LocationId, to: LocationId, formula: Term) {
        self.step(from, to, formula, &[]);
    }

    /// An edge that changes those variables, and others as well.
    pub(crate) fn step(
        &mut self,
        from: LocationId,
        to: LocationId,
        formula: Term,
        others: &[&str],
    ) {
        let written = self.t.names_of(&[formula], Version::Next).into_keys();
        let changed = written.chain(others.iter().map(|&name| name.into()));
        let transition = Transition {
            formula,
            changed: changed.collect(),
        };
        let origin = None;
        self.graph
            .graph
            .add_edge(from, to, Edge::new(transition, origin));
    }

    /// `name := value`
    pub(crate) fn assign(&mut self, from: LocationId, to: LocationId, name: &str, value: Term) {
        let formula = self.t.eq(self.next(name), value);
        self.edge(from, to, formula);
    }

    /// `havoc name`
    pub(crate) fn havoc(&mut self, from: LocationId, to: LocationId, name: &str) {
        self.step(from, to, self.t.tt(), &[name]);
    }

    pub(crate) fn done(self) -> ProgramGraph {
        self.graph.check(self.t).expect("well formed");
        self.graph
    }
}
