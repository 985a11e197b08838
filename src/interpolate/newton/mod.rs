//! Strongest postconditions and weakest preconditions, guided by unsatisfiable cores.
//!
//! Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in software model checking"
//! (FSE 2017): the path formula is weakened to what its infeasibility needs, and along the
//! weakened path the states after each step are computed, forwards, or the states that can still
//! fail, backwards. Both are the same computation: from one end of the path to the other, the
//! *image* of what was carried so far under the next step, which is that conjunction without the
//! variables that are not live at the cut. The image may be larger than exact as long as it
//! contradicts the rest of the path, and is made so where that is simpler.
//!
//! Variables are eliminated by equations and bounds ([`eliminate`]), and where that is not enough
//! by cubes around models ([`cover`]). Nothing here depends on a theory: what cannot be eliminated
//! otherwise is projected by the solver.

mod bits;
mod budget;
mod cover;
mod eliminate;
mod generalise;
mod implicant;
mod rest;
mod solve;
mod sums;
mod weaken;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::time::Duration;

use self::budget::Budget;
use self::generalise::generalised;
use self::rest::{Rest, placed};
use self::solve::Scope;
use self::sums::joined;
use self::weaken::{Guards, minimal};
use super::simplify::simplified;
use super::{Chain, Cut, Interpolator, NoInterpolants};
use ult_core::formula::{Op, Term, Terms};
use ult_smt::{Answer, Failure, Session};

/// Strategy `forward`: strongest postconditions.
pub(crate) struct Forward;

/// Strategy `backward`: negated, the states from which the path can be followed to its end; that
/// is, weakest preconditions of `false`.
pub(crate) struct Backward;

/// Parts of the path that are tried to be left out, at most.
const MOST_GUARDS: usize = 2000;

/// An image up to this size is good enough as it is; a larger one competes with cubes.
const SMALL: usize = 24;

/// Of an image with up to this many disjuncts, each is generalised.
const FEW_CUBES: usize = 8;

/// Questions for simplifying one interpolant.
const QUESTIONS: u32 = 16;

impl Interpolator for Forward {
    fn name(&self) -> &'static str {
        "forward"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let cuts: Vec<usize> = (0..chain.cuts.len()).collect();
        images(session, chain, &cuts, false, limit)
    }
}

impl Interpolator for Backward {
    fn name(&self) -> &'static str {
        "backward"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let terms = session.terms();
        let cuts: Vec<usize> = (0..chain.cuts.len()).rev().collect();
        let bad = images(session, chain, &cuts, true, limit)?;
        Ok(bad.into_iter().map(|bad| terms.not(bad)).collect())
    }
}

/// For each cut, a formula that holds after all that comes before it (in the order of `order`)
/// and contradicts all that comes after it.
fn images(
    session: &Session<'_>,
    chain: &Chain,
    order: &[usize],
    backwards: bool,
    limit: Duration,
) -> Result<Vec<Term>, NoInterpolants> {
    let terms = session.terms();
    let budget = Budget::new(session.control(), limit);
    let (weaker, hard) = match needed(session, chain, &budget)? {
        Some(weaker) => (weaker, false),
        None => (chain.clone(), true),
    };
    let passed = |cut: usize| weaker.steps[if backwards { cut + 1 } else { cut }];
    let mut rest = Rest::new(session, chain, &weaker, order, backwards)?;
    if hard {
        rest.too_hard();
    }
    let mut images = vec![terms.tt(); order.len()];
    let mut carried = terms.tt();
    let mut states = Vec::new();
    for (place, &cut) in order.iter().enumerate() {
        if place > 0 {
            rest.advance();
        }
        let mut image = Image {
            session,
            rest: &mut rest,
            // Later cuts have what this one leaves of its share.
            budget: budget.share(u32::try_from(order.len() - place).unwrap_or(u32::MAX)),
            whole: &budget,
        };
        let here = &weaker.cuts[cut];
        let known: Vec<Term> = states
            .iter()
            .filter_map(|&state| placed(terms, here, state))
            .collect();
        carried = image.under(terms.and2(carried, passed(cut)), here, &known)?;
        images[cut] = carried;
        if place + 1 == order.len() {
            break;
        }
        if let Some(later) = rest.holds_on(carried, &budget)? {
            for (&cut, image) in order[place + 1..].iter().zip(later) {
                images[cut] = image;
            }
            break;
        }
        states = terms
            .disjuncts(carried)
            .into_iter()
            .map(|d| terms.substitute(d, &here.state))
            .collect();
    }
    Ok(images)
}

/// The chain without all that a core of it does not need, inside of disjuncts, too; nothing if
/// a core is not found in a moderate time.
fn needed(
    session: &Session<'_>,
    chain: &Chain,
    budget: &Budget<'_>,
) -> Result<Option<Chain>, NoInterpolants> {
    let terms = session.terms();
    let mut guards = Guards::new(terms, MOST_GUARDS, false);
    let guarded: Vec<Term> = chain.steps.iter().map(|&s| guards.guarded(s)).collect();
    let mut solver = session.solver();
    for &step in &guarded {
        solver.assert(step)?;
    }
    let enough = match solver.check(guards.all(), budget.modest()?) {
        Answer::Unsat => minimal(&mut solver, budget)?,
        Answer::Sat => return Err(NoInterpolants::Feasible),
        // The whole path is more than any part of it.
        Answer::Unknown(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop).into()),
        Answer::Unknown(_) => return Ok(None),
    };
    let steps = guarded.iter().map(|&s| guards.kept(s, &enough)).collect();
    Ok(Some(chain.with_steps(terms, steps)))
}

/// Whether no case distinction hides in terms.
fn is_simple(terms: &Terms, formula: Term) -> bool {
    let order = terms.post_order(&[formula]);
    !order
        .into_iter()
        .any(|t| matches!(terms.op(t), Op::Ite | Op::Store))
}

/// The computation of one image.
struct Image<'x, 'r, 's, 't, 'c> {
    session: &'x Session<'t>,
    /// What comes after the cut.
    rest: &'x mut Rest<'s, 't, 'c>,
    /// The time for this cut, and for all.
    budget: Budget<'r>,
    whole: &'x Budget<'r>,
}

impl Image<'_, '_, '_, '_, '_> {
    /// A formula over the cut that `formula` implies and that contradicts the rest; made of
    /// `known` formulas, if possible.
    fn under(&mut self, formula: Term, cut: &Cut, known: &[Term]) -> Result<Term, NoInterpolants> {
        let terms = self.session.terms();
        let mut step = self.session.solver();
        step.assert(formula)?;
        match step.check(&[], self.whole.left()?) {
            Answer::Unsat => return Ok(terms.ff()),
            Answer::Unknown(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop).into()),
            _ => {}
        }
        let mut useful = Vec::new();
        for &known in known {
            if self.rest.contradicts(&[known], &self.budget)? {
                useful.push(known);
            }
        }
        if !useful.is_empty() {
            let outside: Vec<Term> = useful.iter().map(|&u| terms.not(u)).collect();
            if step.check(&outside, self.budget.short()) == Answer::Unsat {
                let needed = minimal(&mut step, &self.budget)?;
                return Ok(terms.or(needed.into_iter().map(|n| terms.not(n))));
            }
        }
        drop(step);
        let live: HashSet<Term> = cut.live.iter().copied().collect();
        let dead = terms.free_vars(&[formula]).into_iter();
        let mut scope = Scope::new(terms, dead.filter(|v| !live.contains(v)));
        let parts = scope.eliminated(terms.conjuncts(formula), self.whole)?;
        let plain = self.plain(&mut scope, &parts)?;
        if let Some(plain) = plain
            && terms.size(plain) <= SMALL
            && is_simple(terms, plain)
        {
            return Ok(plain);
        }
        match self.cubes(&mut scope, &parts, &useful, plain.is_some()) {
            Ok(cubes) => Ok(match plain {
                Some(plain) if is_simple(terms, plain) || !is_simple(terms, cubes) => {
                    std::cmp::min_by_key(plain, cubes, |&image| terms.size(image))
                }
                _ => cubes,
            }),
            Err(NoInterpolants::Failed(failure @ Failure::Stopped(_))) => Err(failure.into()),
            Err(other) => plain.ok_or(other),
        }
    }

    /// What no variable to be eliminated occurs in, weakened, if that is enough.
    fn plain(
        &mut self,
        scope: &mut Scope<'_>,
        parts: &[Term],
    ) -> Result<Option<Term>, NoInterpolants> {
        let terms = self.session.terms();
        let free: Vec<Term> = parts
            .iter()
            .copied()
            .filter(|&p| !scope.mentions_dead(p))
            .collect();
        let complete = free.len() == parts.len();
        let mut guards = Guards::new(terms, MOST_GUARDS, true);
        let guarded = guards.guarded(terms.and(free));
        let budget = if complete { self.whole } else { &self.budget };
        self.rest.solver().push();
        let added = self.rest.solver().assert(guarded);
        let enough = added.and_then(|()| self.rest.core(guards.all(), budget));
        self.rest.solver().pop();
        let enough = match enough {
            Err(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop).into()),
            // Exact, and so right, as far as the whole path is infeasible.
            Err(_) if complete => Ok(Some(guards.all().to_vec())),
            other => other,
        };
        match enough {
            Ok(Some(enough)) => {
                let mut weaker = terms.normalised(guards.kept(guarded, &enough));
                let cubes = terms.disjuncts(weaker);
                if cubes.len() <= FEW_CUBES {
                    let mut weakened = Vec::with_capacity(cubes.len());
                    for cube in cubes {
                        let literals = terms.conjuncts(cube);
                        match generalised(self.rest, &literals, complete, budget) {
                            Ok(Some(literals)) => weakened.push(terms.and(literals)),
                            Err(Failure::Stopped(stop)) => {
                                return Err(Failure::Stopped(stop).into());
                            }
                            _ => weakened.push(cube),
                        }
                    }
                    weaker = terms.or(weakened);
                }
                let mut questions = QUESTIONS;
                Ok(Some(simplified(self.session, weaker, &mut questions)))
            }
            Ok(None) if complete => Err(NoInterpolants::Refused(
                "what a step leads to is possible in the rest of the path".into(),
            )),
            Ok(None) => Ok(None),
            Err(_) => Ok(None),
        }
    }

    /// The image as a disjunction of cubes.
    fn cubes(
        &mut self,
        scope: &mut Scope<'_>,
        parts: &[Term],
        known: &[Term],
        optional: bool,
    ) -> Result<Term, NoInterpolants> {
        let terms = self.session.terms();
        let whole = terms.and(parts.iter().copied());
        let dead: HashSet<Term> = scope.dead_in(whole).iter().copied().collect();
        // If there is nothing else, all the time that is left.
        let budget = if optional { &self.budget } else { self.whole };
        let cubes = cover::cover(self.session, parts, &dead, known, self.rest, budget)?;
        // Of those known before, and of the first ones, some may not be needed any more.
        let outside: Vec<Term> = cubes.iter().map(|&cube| terms.not(cube)).collect();
        let mut step = self.session.solver();
        step.assert(whole)?;
        let needed = match step.check(&outside, budget.short()) {
            Answer::Unsat => minimal(&mut step, budget)?,
            _ => outside,
        };
        let needed = needed.into_iter().map(|n| terms.normalised(terms.not(n)));
        let image = terms.or(joined(terms, needed.collect()));
        let mut questions = QUESTIONS;
        Ok(simplified(self.session, image, &mut questions))
    }
}
