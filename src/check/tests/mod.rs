//! Tests of the checker: that it confirms what is right, and above all that it refuses the rest.

mod accelerated;
mod deduction;
mod deep;
mod finite;
mod instances;
mod lattice;
mod proofs;
mod random;
mod runs;
mod second_solver;
mod segments;
mod trees;
mod verdicts;
mod warnings;

use std::sync::Arc;

use super::Options;
use super::verdict::{Proof, Violation};
use ult_core::control::Control;
use ult_core::formula::{Function, Sort, Term, Terms, Value, Version};
use ult_core::graph::evidence::{Invariants, Run, State, Step};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// A graph under construction. The initial location is called `start`.
struct Scene {
    terms: Terms,
    graph: ProgramGraph,
}

impl Scene {
    fn new(variables: &[(&str, Sort)]) -> Scene {
        let mut graph = ProgramGraph::new("test");
        for (name, sort) in variables {
            graph.variables.insert(Arc::from(*name), sort.clone());
        }
        Scene {
            terms: Terms::new(),
            graph,
        }
    }

    fn find(&self, name: &str) -> Option<LocationId> {
        let locations = &self.graph.graph;
        locations
            .node_indices()
            .find(|&l| &*locations[l].name == name)
    }

    /// The location of that name, made if it is new; names with `err` are error locations.
    fn at(&mut self, name: &str) -> LocationId {
        self.find(name).unwrap_or_else(|| {
            let mut location = Location::named(name);
            location.error = name.contains("err").then(|| Arc::from("the assertion"));
            self.graph.graph.add_node(location)
        })
    }

    fn edge(&mut self, from: &str, transition: Transition, to: &str) -> EdgeId {
        let (from, to) = (self.at(from), self.at(to));
        self.graph
            .graph
            .add_edge(from, to, Edge::new(transition, None))
    }

    fn assume(&mut self, from: &str, condition: Term, to: &str) -> EdgeId {
        self.edge(from, Transition::assume(condition), to)
    }

    fn assign(&mut self, from: &str, name: &str, value: Term, to: &str) -> EdgeId {
        let transition = Transition::assign(&self.terms, &Arc::from(name), value);
        self.edge(from, transition, to)
    }

    fn v(&self, name: &str) -> Term {
        self.graph
            .variable(&self.terms, name, Version::Current)
            .expect("a variable of the test")
    }

    fn next(&self, name: &str) -> Term {
        self.terms.primed(self.v(name))
    }

    fn int(&self, value: i64) -> Term {
        self.terms.int(value)
    }

    fn plus(&self, name: &str, by: i64) -> Term {
        self.terms.add(&[self.v(name), self.int(by)])
    }

    fn function(&mut self, name: &str, params: &[Sort], result: Sort) -> Arc<Function> {
        let function = Arc::new(Function {
            name: Arc::from(name),
            params: params.to_vec(),
            result,
        });
        self.graph.functions.push(function.clone());
        function
    }

    fn claim(&self, at: &[(&str, Term)]) -> Invariants {
        let location = |name: &str| self.find(name).expect("a location of the test");
        Invariants {
            at: at.iter().map(|(name, f)| (location(name), *f)).collect(),
            ..Invariants::default()
        }
    }

    fn confirm(&self, claim: &Invariants) -> Result<Proof, Reason> {
        super::confirm_invariants(
            &self.terms,
            &self.graph,
            claim,
            &Control::unlimited(),
            &Options::default(),
            &mut Statistics::default(),
        )
    }

    fn replay(&self, run: &Run) -> Result<Violation, Reason> {
        super::confirm_run(
            &self.terms,
            &self.graph,
            run,
            &Control::unlimited(),
            &Options::default(),
            &mut Statistics::default(),
        )
    }
}

/// Figure 1 of "Slicing Abstraction using Path Formulas", statement by statement, with the
/// assertion `n == y + z + off`.
fn program_p(off: i64) -> Scene {
    let mut s = Scene::new(&["x", "y", "z", "n"].map(|name| (name, Sort::Int)));
    let zero = s.int(0);
    let (x, y, z, n) = (s.v("x"), s.v("y"), s.v("z"), s.v("n"));
    let t = &s.terms;
    let start = t.and([t.eq(n, x), t.eq(y, zero), t.eq(z, zero)]);
    let (go, stop) = (t.neq(x, zero), t.eq(x, zero));
    let holds = t.eq(n, t.add(&[y, z, t.int(off)]));
    let (yes, fails) = (t.tt(), t.not(holds));
    s.assume("start", start, "head");
    s.assume("head", go, "if1");
    s.assume("head", stop, "exit");
    for (here, up, down, after) in [
        ("if1", "x", "y", "if2"),
        ("if2", "y", "z", "if3"),
        ("if3", "z", "x", "head"),
    ] {
        let middle = format!("{here}+");
        s.assign(here, up, s.plus(up, 1), &middle);
        s.assign(&middle, down, s.plus(down, -1), after);
        s.assume(here, yes, after);
    }
    s.assume("exit", fails, "err");
    s.assume("exit", holds, "end");
    s
}

/// `n == x + y + z`
fn sum(s: &Scene) -> Term {
    s.terms
        .eq(s.v("n"), s.terms.add(&[s.v("x"), s.v("y"), s.v("z")]))
}

fn state(values: &[(&str, Value)]) -> State {
    values
        .iter()
        .map(|(name, value)| (Arc::from(*name), value.clone()))
        .collect()
}

fn ints(values: &[(&str, i64)]) -> State {
    values
        .iter()
        .map(|(name, value)| (Arc::from(*name), Value::int(*value)))
        .collect()
}

fn step(edge: EdgeId, state: State) -> Step {
    Step::new(edge, Default::default(), state)
}

fn run(start: State, steps: Vec<Step>) -> Run {
    Run::new(start, steps, Default::default())
}

#[track_caller]
fn assert_proof_rejected<T: std::fmt::Debug>(result: Result<T, Reason>, text: &str) {
    match &result {
        Err(Reason::ProofRejected(found)) if found.contains(text) => {}
        other => panic!("expected a rejected proof with `{text}`, got {other:?}"),
    }
}

#[track_caller]
fn assert_run_rejected<T: std::fmt::Debug>(result: Result<T, Reason>, text: &str) {
    match &result {
        Err(Reason::RunRejected(found)) if found.contains(text) => {}
        other => panic!("expected a rejected run with `{text}`, got {other:?}"),
    }
}
