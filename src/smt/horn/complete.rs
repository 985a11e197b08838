//! Definitions of predicates that Spacer did not give, since it works without these predicates.

use std::collections::HashMap;
use std::time::Duration;

use super::system::{Atom, Clause, Clauses, Solved, Tuning};
use crate::answer::Answer;
use crate::session::Session;
use ult_core::formula::Term;

/// So many cases a projection may have.
const MOST_CASES: usize = 32;

impl Clauses {
    /// A solution with nothing missing.
    ///
    /// What depends on nothing that is missing gets the strongest definition, where projection finds one. What is missing then is
    /// solved for again, with the other predicates as they are. Predicates from which falsity does not follow anyway are not
    /// solved for either: Z3 defines them by their clauses. They become `true`, and so do others as far as that makes it
    /// necessary. `None` if that does not lead to a solution.
    pub fn complete(
        &self,
        session: &Session<'_>,
        mut solution: Vec<Option<Term>>,
        limit: Option<Duration>,
    ) -> Option<Vec<Term>> {
        self.strengthen(session, &mut solution, limit);
        let solution = if solution.iter().all(Option::is_some) {
            solution
        } else {
            match self
                .given(session, &solution)
                .solve(session, Tuning::Plain, limit)
            {
                Solved::Solution(rest) => solution
                    .into_iter()
                    .zip(rest)
                    .map(|(known, new)| known.or(new))
                    .collect(),
                Solved::Derivable { .. } | Solved::GaveUp(_) => return None,
            }
        };
        if solution.iter().all(Option::is_some) {
            return solution.into_iter().collect();
        }
        let tt = session.terms().tt();
        let solution = solution.into_iter().map(|known| known.unwrap_or(tt));
        self.weakened(session, solution.collect(), limit)
    }

    /// The atom by the formula for its predicate.
    fn instance(&self, session: &Session<'_>, formula: Term, atom: &Atom) -> Term {
        let params = self.predicates[atom.predicate].params.iter().copied();
        let map = params.zip(atom.args.iter().copied()).collect();
        session.terms().substitute(formula, &map)
    }

    /// The clauses with formulas in place of the predicates that are known. (These predicates are
    /// still there, but in no clause.)
    fn given(&self, session: &Session<'_>, known: &[Option<Term>]) -> Clauses {
        let terms = session.terms();
        let clauses = self.clauses.iter().map(|clause| {
            let mut new = clause.clone();
            new.body.retain(|atom| match known[atom.predicate] {
                Some(formula) => {
                    let instance = self.instance(session, formula, atom);
                    new.condition = terms.and2(new.condition, instance);
                    false
                }
                None => true,
            });
            if let Some(atom) = &clause.head
                && let Some(formula) = known[atom.predicate]
            {
                let instance = self.instance(session, formula, atom);
                new.condition = terms.and2(new.condition, terms.not(instance));
                new.head = None;
            }
            new
        });
        Clauses {
            predicates: self.predicates.clone(),
            clauses: clauses.collect(),
        }
    }

    /// A solution that the candidate implies, by making predicates `true` where clauses fail.
    fn weakened(
        &self,
        session: &Session<'_>,
        mut formulas: Vec<Term>,
        limit: Option<Duration>,
    ) -> Option<Vec<Term>> {
        let terms = session.terms();
        let mut solver = session.solver();
        let mut waiting: Vec<&Clause> = self.clauses.iter().collect();
        while let Some(clause) = waiting.pop() {
            session.control().check().ok()?;
            let mut parts: Vec<Term> = clause
                .body
                .iter()
                .map(|atom| self.instance(session, formulas[atom.predicate], atom))
                .collect();
            parts.push(clause.condition);
            if let Some(head) = &clause.head {
                if formulas[head.predicate] == terms.tt() {
                    continue;
                }
                parts.push(terms.not(self.instance(session, formulas[head.predicate], head)));
            }
            if solver.check(&parts, limit) == Answer::Unsat {
                continue;
            }
            let weak = clause.head.as_ref()?.predicate;
            formulas[weak] = terms.tt();
            let uses = |clause: &&Clause| clause.body.iter().any(|atom| atom.predicate == weak);
            waiting.extend(self.clauses.iter().filter(uses));
        }
        Some(formulas)
    }

    /// Gives predicates the strongest definition, if those that their clauses use have one.
    fn strengthen(
        &self,
        session: &Session<'_>,
        known: &mut [Option<Term>],
        limit: Option<Duration>,
    ) {
        let mut concluding: Vec<Vec<&Clause>> = vec![Vec::new(); known.len()];
        for clause in &self.clauses {
            if let Some(head) = &clause.head {
                concluding[head.predicate].push(clause);
            }
        }
        let mut failed = vec![false; known.len()];
        loop {
            let is_ready = |&number: &usize| {
                let mut atoms = concluding[number].iter().flat_map(|clause| &clause.body);
                known[number].is_none()
                    && !failed[number]
                    && atoms.all(|atom| known[atom.predicate].is_some())
            };
            let Some(number) = (0..known.len()).find(is_ready) else {
                return;
            };
            if session.control().check().is_err() {
                return;
            }
            known[number] = self.strongest(session, number, &concluding[number], known, limit);
            failed[number] = known[number].is_none();
        }
    }

    /// What the clauses that conclude something about a predicate derive from the others.
    fn strongest(
        &self,
        session: &Session<'_>,
        predicate: usize,
        concluding: &[&Clause],
        known: &[Option<Term>],
        limit: Option<Duration>,
    ) -> Option<Term> {
        let terms = session.terms();
        let params = &self.predicates[predicate].params;
        // The variables of a clause may be called as the parameters.
        let fresh: Vec<Term> = (params.iter())
            .map(|&param| terms.fresh_aux("param", terms.sort(param).clone()))
            .collect();
        let mut cases = Vec::new();
        for clause in concluding {
            let mut parts = vec![clause.condition];
            for atom in &clause.body {
                parts.push(self.instance(session, known[atom.predicate]?, atom));
            }
            let args = clause.head.iter().flat_map(|head| &head.args);
            parts.extend(args.zip(&fresh).map(|(&arg, &param)| terms.eq(param, arg)));
            let formula = terms.and(parts);
            let mut inner: Vec<Term> = terms.free_vars(&[formula]).into_iter().collect();
            inner.retain(|var| !fresh.contains(var));
            cases.push(projected(session, formula, &inner, limit)?);
        }
        let back: HashMap<Term, Term> = fresh.into_iter().zip(params.iter().copied()).collect();
        Some(terms.substitute(terms.or(cases), &back))
    }
}

/// `exists inner. formula`, by one projection after the other; `None` if there would be too many.
fn projected(
    session: &Session<'_>,
    formula: Term,
    inner: &[Term],
    limit: Option<Duration>,
) -> Option<Term> {
    let terms = session.terms();
    let mut solver = session.solver();
    solver.assert(formula).ok()?;
    let mut cases = Vec::new();
    while cases.len() < MOST_CASES {
        match solver.check(&[], limit) {
            Answer::Sat => {
                let case = solver.model().ok()?.project(formula, inner).ok()?;
                solver.assert(terms.not(case)).ok()?;
                cases.push(case);
            }
            Answer::Unsat => return Some(terms.or(cases)),
            Answer::Unknown(_) => return None,
        }
    }
    None
}
