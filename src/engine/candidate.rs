//! What nearly was an invariant.
//!
//! An error location is left that no engine excluded. What has to hold at the last loop before it, so that it is not reached
//! from there, suffices for its obligation, and holds in all runs that were seen: one that breaks it goes on to the
//! error. It is no invariant only because it is not inductive, and a state says why: it is fine there, and after one more
//! round it is not. Such a state is the beginning of what Hoare's rule and IC3 go on with; here it is for people, who may see
//! at once what else holds and excludes that state.
//!
//! Nothing here is evidence of anything, and no verdict depends on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::blocks::Blocks;
use crate::facts::{Facts, Lemmas};
use crate::invariants::{self, Auxiliary};
use crate::limits;
use crate::task::Task;
use petgraph::Direction;
use petgraph::visit::EdgeRef as _;
use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms, Value, Version};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{EdgeId, LocationId};
use ult_core::stats::Statistics;
use ult_reduce::Reduced;
use ult_smt::{Answer, Session};

/// Larger formulas are nothing for people.
const LARGEST: usize = 1000;

/// What would suffice if it were inductive, about the graph before the reductions.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The loop head.
    pub location: LocationId,
    /// What holds there whenever a run comes by that was seen.
    pub formula: Term,
    /// A state at the head in which it holds, and does not hold when a run comes by again.
    pub state: BTreeMap<Arc<str>, Value>,
}

/// Looks for candidates in a reduced graph.
pub struct Candidates<'a> {
    terms: &'a Terms,
    reduced: &'a Reduced,
    session: Session<'a>,
    known: Lemmas,
}

impl<'a> Candidates<'a> {
    /// What is proved at once of the graph excludes states that nobody needs to think about.
    pub fn new(terms: &'a Terms, reduced: &'a Reduced, control: &Control) -> Candidates<'a> {
        let session = Session::new(terms, &reduced.graph.axioms, control).without_nlsat();
        let (graph, facts) = (&reduced.graph, Facts::default());
        let task = Task::of_graph(terms, graph, control, &facts);
        let known = invariants::known(
            &task,
            &mut Blocks::new(&session, graph),
            Auxiliary::Auto,
            &mut Statistics::default(),
        );
        Candidates {
            terms,
            reduced,
            session,
            known,
        }
    }

    /// A candidate for an error location of the graph before the reductions, if there is one loop right before it.
    pub fn of(&self, error: LocationId) -> Option<Candidate> {
        let graph = &self.reduced.graph;
        let is_it = |location: &LocationId| self.reduced.back.location(*location) == error;
        let error = graph.errors().find(is_it)?;
        let (head, formula) = self.demanded(error)?;
        let state = self.broken(head, formula)?;
        let all = graph.graph.node_indices();
        let at = all.map(|location| match location == head {
            true => (location, formula),
            false => (location, self.terms.tt()),
        });
        let claim = Invariants {
            at: at.collect(),
            ..Invariants::default()
        };
        let location = self.reduced.back.location(head);
        let before = self.reduced.back.invariants(self.terms, &claim);
        Some(Candidate {
            location,
            formula: *before.at.get(&location)?,
            state,
        })
    }

    /// What has to hold at the loop head from which the error location is entered.
    fn demanded(&self, error: LocationId) -> Option<(LocationId, Term)> {
        let graph = &self.reduced.graph.graph;
        let mut head = None;
        let mut demands = Vec::new();
        for edge in graph.edges_directed(error, Direction::Incoming) {
            let source = edge.source();
            if source == self.reduced.graph.initial {
                // There is no round on that way.
                continue;
            }
            if !self.is_loop(source) || *head.get_or_insert(source) != source {
                return None;
            }
            let formula = before(self.terms, edge.weight().transition.formula)?;
            demands.push(self.terms.not(formula));
        }
        Some((head?, self.terms.and(demands)))
    }

    fn is_loop(&self, location: LocationId) -> bool {
        self.reduced.graph.graph.contains_edge(location, location)
    }

    /// A state from which a round leads to where the formula does not hold. `None` if it does not hold from the start, or
    /// that is not known.
    fn broken(&self, head: LocationId, formula: Term) -> Option<BTreeMap<Arc<str>, Value>> {
        let graph = &self.reduced.graph;
        let incoming = || graph.graph.edges_directed(head, Direction::Incoming);
        for edge in incoming().filter(|edge| edge.source() == graph.initial) {
            let answer = self.step(edge.id(), edge.source(), self.terms.tt(), formula, |_| ());
            if !matches!(answer, Err(Answer::Unsat)) {
                return None;
            }
        }
        incoming()
            .filter(|edge| edge.source() == head)
            .find_map(|edge| {
                let read = |model: &ult_smt::Model<'_, '_>| self.state(model, formula);
                self.step(edge.id(), head, formula, formula, read).ok()
            })
            .filter(|state| !state.is_empty())
    }

    /// A model of a step from a state with `before` to one without `after`, or the answer that says that there is none.
    fn step<T>(
        &self,
        edge: EdgeId,
        source: LocationId,
        before: Term,
        after: Term,
        read: impl FnOnce(&ult_smt::Model<'_, '_>) -> T,
    ) -> Result<T, Answer> {
        let transition = &self.reduced.graph.graph[edge].transition;
        let known = self.known.get(&source).into_iter().flatten().copied();
        let mut all: Vec<Term> = known.collect();
        all.extend([before, transition.formula]);
        all.push(self.terms.not(transition.after(self.terms, after)));
        let mut solver = self.session.brief_solver();
        for formula in all {
            solver.assert(formula).map_err(Answer::Unknown)?;
        }
        match solver.check(&[], Some(limits::CANDIDATE)) {
            Answer::Sat => match solver.model() {
                Ok(model) => Ok(read(&model)),
                Err(failure) => Err(Answer::Unknown(failure)),
            },
            answer => Err(answer),
        }
    }

    /// The values in a model of the variables that the loop and the formula speak of.
    fn state(&self, model: &ult_smt::Model<'_, '_>, formula: Term) -> BTreeMap<Arc<str>, Value> {
        let names: BTreeSet<Arc<str>> = self
            .terms
            .names_of(&[formula], Version::Current)
            .into_keys()
            .collect();
        let graph = &self.reduced.graph;
        let values = names.into_iter().filter_map(|name| {
            let sort = graph.variables.get(&name)?.clone();
            let value = model.value(self.terms.current(name.clone(), sort)).ok()?;
            Some((name, value))
        });
        values.collect()
    }
}

/// A transition formula as a condition on the state before the step: values after the step, and those in between, are
/// replaced by what defines them. `None` if some are chosen freely; that would need a quantifier.
fn before(terms: &Terms, formula: Term) -> Option<Term> {
    let is_bound = |term: Term| {
        let var = terms.as_var(term);
        var.is_some_and(|var| matches!(var.version, Version::Next | Version::Aux(_)))
    };
    let mut formula = formula;
    while terms.size(formula) <= LARGEST {
        if !terms.free_vars(&[formula]).into_iter().any(is_bound) {
            return Some(formula);
        }
        let conjuncts = terms.conjuncts(formula);
        let defined = conjuncts
            .iter()
            .enumerate()
            .find_map(|(number, &conjunct)| {
                let sides = match (terms.op(conjunct), terms.args(conjunct)) {
                    (Op::Var(_), _) => vec![(conjunct, terms.tt())],
                    (Op::Not, [inner]) => vec![(*inner, terms.ff())],
                    (Op::Eq, [left, right]) => vec![(*left, *right), (*right, *left)],
                    _ => return None,
                };
                let is_definition = |&(variable, value): &(Term, Term)| {
                    is_bound(variable) && !terms.free_vars(&[value]).contains(&variable)
                };
                Some((number, sides.into_iter().find(is_definition)?))
            });
        let (number, (variable, value)) = defined?;
        let rest = conjuncts.into_iter().enumerate();
        let rest = rest.filter(|(other, _)| *other != number);
        let rest = terms.and(rest.map(|(_, conjunct)| conjunct));
        formula = terms.substitute(rest, &HashMap::from([(variable, value)]));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use ult_core::formula::Sort;
    use ult_core::graph::{Edge, Location, ProgramGraph, Transition};
    use ult_reduce::{ReduceOptions, reduce};

    /// `x := start; while (*) { x := x + by; } assert x != 7;`
    fn loop_by(terms: &Terms, start: i64, by: i64) -> (ProgramGraph, LocationId) {
        let mut graph = ProgramGraph::new("loop");
        graph.variables.insert("x".into(), Sort::Int);
        let (name, x) = ("x".into(), terms.current("x", Sort::Int));
        let head = graph.graph.add_node(Location {
            loop_head: true,
            ..Location::named("head")
        });
        let bad = graph.graph.add_node(Location {
            error: Some("violated".into()),
            ..Location::named("bad")
        });
        let next = terms.add(&[x, terms.int(by)]);
        let steps = [
            (
                graph.initial,
                head,
                Transition::assign(terms, &name, terms.int(start)),
            ),
            (head, head, Transition::assign(terms, &name, next)),
            (head, bad, Transition::assume(terms.eq(x, terms.int(7)))),
        ];
        for (from, to, transition) in steps {
            graph.graph.add_edge(from, to, Edge::new(transition, None));
        }
        (graph, bad)
    }

    fn found(start: i64, by: i64) -> Option<Candidate> {
        let terms = Terms::new();
        let (graph, bad) = loop_by(&terms, start, by);
        let reduced = reduce(&terms, &graph, &ReduceOptions::default());
        let control = Control::unlimited();
        let mut candidates = Candidates::new(&terms, &reduced, &control);
        // Whether something is excluded by what is proved is another matter.
        candidates.known = Lemmas::new();
        let found = candidates.of(bad);
        if let Some(candidate) = &found {
            let text = terms.display(candidate.formula);
            assert!(text.contains('7'), "{text}");
            assert_eq!(graph.graph[candidate.location].name.as_ref(), "head");
        }
        found
    }

    #[test]
    fn what_suffices_and_is_not_inductive_is_a_candidate_with_the_state_that_breaks_it() {
        let candidate = found(0, 2).expect("a candidate");
        let state: Vec<_> = candidate.state.into_iter().collect();
        assert_eq!(state, [("x".into(), Value::Int(BigInt::from(5)))]);
    }

    #[test]
    fn what_defines_values_after_the_step_takes_their_place() {
        let terms = Terms::new();
        let int = |name: &str| terms.current(name, Sort::Int);
        let next = |name: &str| terms.next(name, Sort::Int);
        let step = terms.eq(next("x"), terms.add(&[int("x"), int("y")]));
        let bad = terms.eq(next("x"), terms.int(7));
        let expected = terms.eq(terms.add(&[int("x"), int("y")]), terms.int(7));
        assert_eq!(before(&terms, terms.and([step, bad])), Some(expected));
        // Nothing says what it is.
        assert_eq!(before(&terms, bad), Some(terms.tt()));
        let open = terms.lt(next("x"), terms.int(7));
        assert_eq!(before(&terms, open), None);
    }

    #[test]
    fn what_is_inductive_or_does_not_hold_at_first_is_none() {
        assert!(found(0, 0).is_none());
        assert!(found(7, 2).is_none());
    }
}
