//! Makes state formulas smaller without changing their meaning.

use crate::limits;
use ult_core::formula::{Op, Term};
use ult_smt::{Answer, Session, Solver};

/// Of the interpolants of one path, those of at most this weight stay as they are: that they carry
/// something needless is unlikely, and questions take time.
const SMALL: usize = 100;

/// So many questions are asked about the interpolants of one path.
const QUESTIONS: u32 = 30;

pub use super::tidy::{tidied, weight};

/// An equivalent formula without redundant conjuncts and disjuncts, down to a nesting depth of
/// three. At most `budget` solver questions are asked.
pub fn simplified(session: &Session<'_>, formula: Term, budget: &mut u32) -> Term {
    let terms = session.terms();
    let mut questions = Questions {
        solver: session.brief_solver(),
        budget,
    };
    questions.simplified(tidied(terms, formula))
}

/// The interpolants of one path, as small as a look at them and a few questions can make them.
/// Each one is equivalent to what it was, so the sequence stays inductive.
///
/// The budget is a number of questions and not a time, so that the result does not depend on the
/// speed of the machine.
pub fn small_sequence(session: &Session<'_>, interpolants: Vec<Term>) -> Vec<Term> {
    let terms = session.terms();
    let mut tidy: Vec<Term> = interpolants.iter().map(|&i| tidied(terms, i)).collect();
    if tidy.iter().all(|&i| weight(terms, i) <= SMALL) {
        return tidy;
    }
    let mut budget = QUESTIONS;
    let mut questions = Questions {
        solver: session.solver(),
        budget: &mut budget,
    };
    for interpolant in &mut tidy {
        if weight(terms, *interpolant) > SMALL {
            *interpolant = questions.simplified(*interpolant);
        }
    }
    tidy
}

/// The solver questions about some formulas. All are put to one solver: making one costs as much as
/// several questions of this size.
struct Questions<'s, 't, 'b> {
    solver: Solver<'s, 't>,
    budget: &'b mut u32,
}

impl Questions<'_, '_, '_> {
    /// A tidy formula made smaller.
    fn simplified(&mut self, formula: Term) -> Term {
        let terms = self.solver.session().terms();
        let smaller = self.under(terms.tt(), formula, 3);
        if smaller == formula {
            return formula;
        }
        tidied(terms, smaller)
    }

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
        let implied = asserted && self.solver.check(&[], Some(limits::SIMPLIFY)) == Answer::Unsat;
        self.solver.pop();
        implied
    }
}
