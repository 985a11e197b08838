//! Makes state formulas smaller without changing their meaning.

use std::time::Duration;

use crate::formula::{Op, Term};
use crate::solver::{Answer, Session};

/// The solver gets this long for one question; unanswered, the part stays.
const LIMIT: Duration = Duration::from_millis(100);

/// An equivalent formula without redundant conjuncts and disjuncts, down to a nesting depth of
/// three. At most `budget` solver questions are asked.
pub fn simplified(session: &Session<'_>, formula: Term, budget: &mut u32) -> Term {
    let terms = session.terms();
    let context = terms.tt();
    let smaller = under(session, context, terms.normalised(formula), 3, budget);
    terms.normalised(smaller)
}

/// `formula`, equivalent to it wherever `context` holds.
fn under(
    session: &Session<'_>,
    context: Term,
    formula: Term,
    depth: u32,
    budget: &mut u32,
) -> Term {
    let terms = session.terms();
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
        if implies(session, terms.and2(context, premise), conclusion, budget) {
            parts = rest;
        }
    }
    if depth > 0 && *budget > 0 {
        for i in 0..parts.len() {
            let rest: Vec<Term> = (0..parts.len())
                .filter(|&j| j != i)
                .map(|j| parts[j])
                .collect();
            // Where the other conjuncts fail, or another disjunct holds, this part is irrelevant.
            let here = if conjunction {
                terms.and(rest)
            } else {
                terms.not(terms.or(rest))
            };
            parts[i] = under(
                session,
                terms.and2(context, here),
                parts[i],
                depth - 1,
                budget,
            );
        }
    }
    junction(&parts)
}

fn implies(session: &Session<'_>, premise: Term, conclusion: Term, budget: &mut u32) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let terms = session.terms();
    let mut solver = session.solver();
    solver
        .assert(terms.and2(premise, terms.not(conclusion)))
        .is_ok()
        && matches!(solver.check(&[], Some(LIMIT)), Answer::Unsat)
}
