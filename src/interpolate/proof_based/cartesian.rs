//! An inductive sequence out of the predicates of a few lemmas.
//!
//! On a long chain of large blocks the refutations of its single paths are very many, but they
//! often resemble each other: what refutes one of them holds on all. So before the proof is
//! complete, the interpolants of the lemmas found so far are tried as predicates at all cuts:
//! from the first cut to the last, those are kept that what was kept before implies (Cartesian
//! predicate abstraction along the chain, Ball, Podelski, Rajamani, TACAS 2001). If the last step
//! is infeasible then, the sequence is one of interpolants, after as many questions as there are
//! predicates and steps instead of paths.

use std::collections::HashMap;
use std::time::Instant;

use indexmap::IndexSet;

use crate::Chain;
use ult_core::formula::{Op, Term, Value};
use ult_smt::{Answer, Failure, Session};

/// Predicates met so far, as state formulas.
#[derive(Default)]
pub(super) struct Predicates {
    states: IndexSet<Term>,
    /// How many there were at the last attempt.
    tried: usize,
}

/// More predicates than this are not tried.
const MOST: usize = 40;

/// Larger formulas are no good predicates.
const LARGEST: usize = 40;

impl Predicates {
    /// Adds the conjuncts of formulas, one for each cut of the chain.
    pub(super) fn add(&mut self, session: &Session<'_>, chain: &Chain, interpolants: &[Term]) {
        let terms = session.terms();
        for state in chain.to_states(terms, interpolants) {
            for part in terms.conjuncts(terms.normalised(state)) {
                let trivial = matches!(terms.op(part), Op::Bool(_));
                if !trivial && self.states.len() < MOST && terms.size(part) <= LARGEST {
                    self.states.insert(part);
                }
            }
        }
    }

    /// Whether there are predicates that were not tried yet.
    pub(super) fn are_new(&self) -> bool {
        self.states.len() > self.tried
    }

    /// A sequence of interpolants, each a conjunction of predicates, if there is one.
    pub(super) fn sequence(
        &mut self,
        session: &Session<'_>,
        chain: &Chain,
        deadline: Instant,
    ) -> Result<Option<Vec<Term>>, Failure> {
        self.tried = self.states.len();
        let terms = session.terms();
        let limit = || Some(deadline.saturating_duration_since(Instant::now()));
        let mut solver = session.brief_solver();
        let mut known = terms.tt();
        let mut sequence = Vec::with_capacity(chain.cuts.len());
        for (i, &step) in chain.steps.iter().enumerate() {
            solver.push();
            solver.assert(known)?;
            solver.assert(step)?;
            let Some(cut) = chain.cuts.get(i) else {
                let end = solver.check(&[], limit());
                return match end {
                    Answer::Unsat => Ok(Some(sequence)),
                    Answer::Sat => Ok(None),
                    Answer::Unknown(failure) => Err(failure),
                };
            };
            let instances: HashMap<Term, Term> = cut
                .state
                .iter()
                .map(|(&live, &state)| (state, live))
                .collect();
            let mut candidates: Vec<Term> = self
                .states
                .iter()
                .filter(|&&state| {
                    terms
                        .free_vars(&[state])
                        .iter()
                        .all(|var| instances.contains_key(var))
                })
                .map(|&state| terms.substitute(state, &instances))
                .collect();
            // All at once, as long as some model violates one of them.
            loop {
                let negation = terms.not(terms.and(candidates.iter().copied()));
                match solver.check(&[negation], limit()) {
                    Answer::Unsat => break,
                    Answer::Unknown(failure) => return Err(failure),
                    Answer::Sat => {
                        let model = solver.model()?;
                        let before = candidates.len();
                        candidates.retain(|&p| matches!(model.value(p), Ok(Value::Bool(true))));
                        if candidates.len() == before {
                            // The model cannot be read.
                            candidates.clear();
                        }
                    }
                }
            }
            solver.pop();
            known = terms.and(candidates);
            sequence.push(known);
        }
        Ok(None)
    }
}
