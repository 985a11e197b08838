//! Loops whose unrollings are chains of large blocks: infeasible paths as an engine meets them.
//!
//! Each family is a loop with an initial condition, a body that is one large block, an error
//! condition, and an inductive invariant that excludes the error. With [`Loop::justify`] the
//! invariant is proved, so all unrollings are known to be unsatisfiable. Used by the tests of
//! interpolation and by the benchmark in `benches/interpolation`, each of which uses a part.
#![allow(dead_code)]

mod arrays;
mod bit_vectors;
pub mod block;
mod functions;
mod integers;
mod reals;

use std::collections::HashMap;
use std::time::Duration;

use block::{Builder, E, Stmt};
use ult_core::formula::{Op, Term, Terms, Version};
use ult_core::graph::{Edge, EdgeId, Location, ProgramGraph, Transition};
use ult_interpolate::Chain;
use ult_smt::{Answer, Session};

/// A loop that can be built in any store.
pub struct Family {
    /// A short name, unique.
    pub name: &'static str,
    /// Which theory it is about.
    pub group: Group,
    /// Builds the loop.
    pub build: fn(&Terms) -> Loop<'_>,
}

/// The theories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Linear integer arithmetic, some with Booleans.
    Integers,
    /// Linear real arithmetic.
    Reals,
    /// Uninterpreted functions, some with integers.
    Functions,
    /// Maps from integers to integers.
    Arrays,
    /// Bit-vectors.
    BitVectors,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 5] = [
        Group::Integers,
        Group::Reals,
        Group::Functions,
        Group::Arrays,
        Group::BitVectors,
    ];
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Group::Integers => "integers",
            Group::Reals => "reals",
            Group::Functions => "functions",
            Group::Arrays => "arrays",
            Group::BitVectors => "bit-vectors",
        })
    }
}

/// All families.
pub fn families() -> Vec<Family> {
    [
        integers::FAMILIES,
        reals::FAMILIES,
        functions::FAMILIES,
        arrays::FAMILIES,
        bit_vectors::FAMILIES,
    ]
    .into_iter()
    .flat_map(|(group, families)| {
        families
            .iter()
            .map(move |&(name, build)| Family { name, group, build })
    })
    .collect()
}

/// The families of one module, by name.
type Families = (Group, &'static [(&'static str, fn(&Terms) -> Loop<'_>)]);

/// A loop: three edges, `start -> head`, `head -> head` and `head -> error`.
pub struct Loop<'t> {
    /// The store.
    pub terms: &'t Terms,
    /// The program.
    pub graph: ProgramGraph,
    init: EdgeId,
    body: EdgeId,
    error: EdgeId,
    /// A state formula that holds at the head, inductively, and excludes the error.
    pub invariant: Term,
}

impl<'t> Builder<'t> {
    /// A loop with everything it has.
    fn into_loop(self, init: E<'t>, body: &[Stmt<'t>], error: E<'t>, invariant: E<'t>) -> Loop<'t> {
        let body = self.transition(body);
        let mut graph = self.graph;
        let head = graph.graph.add_node(Location::named("head"));
        let bad = graph.graph.add_node(Location {
            error: Some("violated".into()),
            ..Location::named("error")
        });
        let start = graph.initial;
        let mut edge = |from, to, transition| {
            let origin = None;
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin))
        };
        Loop {
            terms: self.terms,
            init: edge(start, head, Transition::assume(init.term)),
            body: edge(head, head, body),
            error: edge(head, bad, Transition::assume(error.term)),
            graph,
            invariant: invariant.term,
        }
    }
}

impl Loop<'_> {
    /// The path through the loop `unrollings` times and into the error.
    pub fn chain(&self, unrollings: usize) -> Chain {
        let mut edges = vec![self.init];
        edges.extend(std::iter::repeat_n(self.body, unrollings));
        edges.push(self.error);
        let labels = vec![self.terms.tt(); edges.len() + 1];
        Chain::new(self.terms, &self.graph, &edges, &labels)
    }

    /// Whether a state formula holds at the head, inductively, and excludes the error; with the
    /// part that it fails. `limit` is for one question.
    pub fn is_invariant(
        &self,
        session: &Session<'_>,
        formula: Term,
        limit: Duration,
    ) -> Result<(), String> {
        let terms = self.terms;
        let parts = [
            ("the start", self.init, terms.tt(), Some(formula)),
            ("the body", self.body, formula, Some(formula)),
            ("the error", self.error, formula, None),
        ];
        for (what, edge, before, after) in parts {
            let step = &self.graph.graph[edge].transition;
            let after = after.map_or(terms.ff(), |formula| step.after(terms, formula));
            let question = [before, step.formula, terms.not(after)];
            match session.solver().check(&question, Some(limit)) {
                Answer::Unsat => {}
                // Sums of many bits in many cases are too much at once.
                Answer::Unknown(_) if self.cases(session, question, limit) => {}
                answer => return Err(format!("{what}: {answer:?}")),
            }
        }
        Ok(())
    }

    /// Whether the conjunction of `before`, the formula of a step and `other` is unsatisfiable,
    /// by cases: one for each way through the disjunctions of the step. The variables that a case
    /// defines are replaced, so that the solver sees what is equal by form.
    fn cases(
        &self,
        session: &Session<'_>,
        [before, step, other]: [Term; 3],
        limit: Duration,
    ) -> bool {
        let terms = self.terms;
        let mut cases = vec![Vec::new()];
        for part in terms.conjuncts(step) {
            let ways = terms.disjuncts(part);
            if cases.len() * ways.len() > 64 {
                return false;
            }
            cases = cases
                .iter()
                .flat_map(|case: &Vec<Term>| {
                    ways.iter()
                        .map(move |&way| [&case[..], &terms.conjuncts(way)].concat())
                })
                .collect();
        }
        cases.into_iter().all(|case| {
            let mut formula = terms.and([before, other].into_iter().chain(case));
            // Each replacement removes a variable, so this ends.
            while let Some(definition) = self.definition(formula) {
                formula = terms.substitute(formula, &HashMap::from([definition]));
            }
            session.solver().check(&[formula], Some(limit)) == Answer::Unsat
        })
    }

    /// A conjunct of the form `v == e` with an auxiliary or primed variable that is not in `e`.
    fn definition(&self, formula: Term) -> Option<(Term, Term)> {
        let terms = self.terms;
        terms.conjuncts(formula).into_iter().find_map(|part| {
            let (Op::Eq, &[a, b]) = (terms.op(part), terms.args(part)) else {
                return None;
            };
            [(a, b), (b, a)].into_iter().find(|&(var, value)| {
                terms
                    .as_var(var)
                    .is_some_and(|v| v.version != Version::Current)
                    && !terms.free_vars(&[value]).contains(&var)
            })
        })
    }

    /// Proves that all unrollings are infeasible.
    pub fn justify(&self, session: &Session<'_>) -> Result<(), String> {
        self.graph.check(self.terms)?;
        self.is_invariant(session, self.invariant, Duration::from_secs(5))
    }
}
