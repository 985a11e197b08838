//! Whether one state formula implies another, at a location.

use std::collections::HashMap;

use crate::limits;
use ult_core::control::Stop;
use ult_core::formula::Term;
use ult_core::graph::LocationId;
use ult_smt::{Answer, Session, Solver};

/// One long-lived solver, and what it was asked.
pub(super) struct Entailments<'s, 't> {
    session: &'s Session<'t>,
    solver: Solver<'s, 't>,
    answers: HashMap<(LocationId, Term, Term), bool>,
}

impl<'s, 't> Entailments<'s, 't> {
    /// No questions yet.
    pub(super) fn new(session: &'s Session<'t>) -> Self {
        Entailments {
            session,
            solver: session.solver(),
            answers: HashMap::new(),
        }
    }

    /// Whether `premise` implies `conclusion` at a location, where `known` holds anyway.
    pub(super) fn implies(
        &mut self,
        location: LocationId,
        known: &[Term],
        premise: Term,
        conclusion: Term,
    ) -> Result<bool, Stop> {
        let terms = self.session.terms();
        if conclusion == terms.tt() || premise == conclusion {
            return Ok(true);
        }
        if let Some(&answer) = self.answers.get(&(location, premise, conclusion)) {
            return Ok(answer);
        }
        let mut assumptions = terms.conjuncts(premise);
        if terms
            .conjuncts(conclusion)
            .iter()
            .all(|part| assumptions.contains(part))
        {
            return Ok(true);
        }
        assumptions.extend(known);
        assumptions.push(terms.not(conclusion));
        let answer = match self.solver.check(&assumptions, Some(limits::COVERING)) {
            Answer::Unsat => true,
            Answer::Sat => false,
            Answer::Unknown(_) => {
                self.session.control().check()?;
                false
            }
        };
        self.answers.insert((location, premise, conclusion), answer);
        Ok(answer)
    }
}
