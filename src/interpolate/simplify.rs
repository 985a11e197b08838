//! Makes state formulas smaller without changing their meaning.

use std::time::Duration;

use crate::formula::{Op, Term};
use crate::solver::{Answer, Session, Solver};

/// The solver gets this long for one question; unanswered, the part stays.
const LIMIT: Duration = Duration::from_millis(100);

/// An equivalent formula without redundant conjuncts and disjuncts, down to a nesting depth of
/// three. At most `budget` solver questions are asked.
pub fn simplified(session: &Session<'_>, formula: Term, budget: &mut u32) -> Term {
    let terms = session.terms();
    let mut questions = Questions {
        solver: session.brief_solver(),
        budget,
    };
    let smaller = questions.under(terms.tt(), terms.normalised(formula), 3);
    terms.normalised(smaller)
}

/// The solver questions about one formula. All are put to one solver: making one costs as much as
/// several questions of this size.
struct Questions<'s, 't, 'b> {
    solver: Solver<'s, 't>,
    budget: &'b mut u32,
}

impl Questions<'_, '_, '_> {
    /// `formula`, equivalent to it wherever `context` holds.
    fn under(&mut self, context: Term, formula: Term, depth: u32) -> Term {
        let terms = self.solver.session().terms();
        let conjunction = match terms.op(formula) {
            Op::And => true,
            Op::Or => false,
            _ => return formula,
        };
        let mut parts = if conjunction {
            terms.conjuncts(formula)
        } else {
            terms.disjuncts(formula)
        };
        let junction = |parts: &[Term]| {
            if conjunction {
                terms.and(parts.iter().copied())
            } else {
                terms.or(parts.iter().copied())
            }
        };
        // Larger parts are the ones worth losing.
        let mut order: Vec<Term> = parts.clone();
        order.sort_by_key(|&part| (std::cmp::Reverse(terms.size(part)), part));
        for part in order {
            let rest: Vec<Term> = parts.iter().copied().filter(|&p| p != part).collect();
            if rest.is_empty() {
                break;
            }
            let others = junction(&rest);
            // A conjunct is redundant if the others imply it, a disjunct if it implies the others.
            let (premise, conclusion) = if conjunction {
                (others, part)
            } else {
                (part, others)
            };
            if self.implies(terms.and2(context, premise), conclusion) {
                parts = rest;
            }
        }
        if depth > 0 && *self.budget > 0 {
            for i in 0..parts.len() {
                let rest: Vec<Term> = (0..parts.len())
                    .filter(|&j| j != i)
                    .map(|j| parts[j])
                    .collect();
                // Where the other conjuncts fail, or another disjunct holds, this part is
                // irrelevant.
                let here = if conjunction {
                    terms.and(rest)
                } else {
                    terms.not(terms.or(rest))
                };
                parts[i] = self.under(terms.and2(context, here), parts[i], depth - 1);
            }
        }
        junction(&parts)
    }

    fn implies(&mut self, premise: Term, conclusion: Term) -> bool {
        if *self.budget == 0 {
            return false;
        }
        *self.budget -= 1;
        let terms = self.solver.session().terms();
        self.solver.push();
        let asserted = self
            .solver
            .assert(terms.and2(premise, terms.not(conclusion)))
            .is_ok();
        let implied = asserted && self.solver.check(&[], Some(LIMIT)) == Answer::Unsat;
        self.solver.pop();
        implied
    }
}
