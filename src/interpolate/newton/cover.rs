//! The projection of a formula as a disjunction of cubes, found one after the other.

use std::collections::HashSet;

use super::super::NoInterpolants;
use super::budget::Budget;
use super::generalise::generalised;
use super::implicant::Implicant;
use super::rest::Rest;
use super::solve::Scope;
use ult_core::formula::{Op, Term};
use ult_smt::{Answer, Failure, Model, Session};

/// More cubes than this at one cut are no explanation.
const MOST_CUBES: usize = 100;

/// Cubes without the variables `dead` that together hold wherever `parts` hold, and that all
/// contradict `rest`. Those of `known` are among them; they must contradict `rest`.
///
/// In a model of what is not covered so far, the literals that make `parts` true are projected
/// exactly where possible; then the cube is generalised.
pub(super) fn cover(
    session: &Session<'_>,
    parts: &[Term],
    dead: &HashSet<Term>,
    known: &[Term],
    rest: &mut Rest<'_, '_, '_>,
    budget: &Budget<'_>,
) -> Result<Vec<Term>, NoInterpolants> {
    let terms = session.terms();
    let mut open = session.solver();
    for &part in parts {
        open.assert(part)?;
    }
    let mut cubes = Vec::new();
    for &cube in known {
        open.assert(terms.not(cube))?;
        cubes.push(cube);
    }
    loop {
        match open.check(&[], budget.left()?) {
            Answer::Unsat => return Ok(cubes),
            Answer::Unknown(failure) => return Err(failure.into()),
            Answer::Sat => {}
        }
        if cubes.len() == MOST_CUBES {
            return Err(NoInterpolants::Refused("too many cubes".into()));
        }
        let mut scope = Scope::new(terms, dead.iter().copied());
        let model = open.model()?;
        let parts = around(&model, &mut scope, parts, budget)?;
        let cube = match without_dead(session, &mut scope, &parts, rest, budget)? {
            Some(cube) => cube,
            None => projected(session, &mut scope, &parts, &cubes, rest, budget)?,
        };
        let cube = terms.and(cube);
        open.assert(terms.not(cube))?;
        cubes.push(cube);
    }
}

/// Literals true in the model that imply the parts, with as many variables eliminated as can be.
fn around<'t>(
    model: &Model<'_, 't>,
    scope: &mut Scope<'t>,
    parts: &[Term],
    budget: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let mut implicant = Implicant::new(model);
    let mut parts = parts.to_vec();
    loop {
        let literals = implicant.literals(scope, &parts)?;
        let mut fewer = scope.eliminated(literals, budget)?;
        if fewer == parts {
            // Only now: an equation that a variable to be eliminated is replaced by may decide.
            let mut changed = false;
            for part in &mut fewer {
                if let Some(ordered) = implicant.ordered(scope, *part)? {
                    *part = ordered;
                    changed = true;
                }
            }
            if !changed {
                return Ok(fewer);
            }
        }
        parts = fewer;
    }
}

/// The parts that mention no variable to be eliminated, generalised, if they contradict `rest`.
fn without_dead(
    session: &Session<'_>,
    scope: &mut Scope<'_>,
    parts: &[Term],
    rest: &mut Rest<'_, '_, '_>,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Term>>, NoInterpolants> {
    let free: Vec<Term> = parts
        .iter()
        .copied()
        .filter(|&p| !scope.mentions_dead(p))
        .collect();
    if let [only] = free[..]
        && *session.terms().op(only) == Op::Bool(false)
    {
        let wrong = "a model of a formula whose projection is empty";
        return Err(Failure::UnexpectedOutput(wrong.into()).into());
    }
    let complete = free.len() == parts.len();
    match generalised(rest, &free, complete, budget)? {
        None if complete => Err(NoInterpolants::Refused(
            "what a step leads to is possible in the rest of the path".into(),
        )),
        other => Ok(other),
    }
}

/// The parts with the remaining variables eliminated by the solver, or else with a quantifier.
fn projected(
    session: &Session<'_>,
    scope: &mut Scope<'_>,
    parts: &[Term],
    cubes: &[Term],
    rest: &mut Rest<'_, '_, '_>,
    budget: &Budget<'_>,
) -> Result<Vec<Term>, NoInterpolants> {
    let terms = session.terms();
    let (stuck, free): (Vec<Term>, Vec<Term>) =
        parts.iter().partition(|&&p| scope.mentions_dead(p));
    let whole = terms.and(stuck.iter().copied());
    // A model of its own, since the first one does not know variables made meanwhile.
    let mut solver = session.solver();
    for &part in parts {
        solver.assert(part)?;
    }
    for &cube in cubes {
        solver.assert(terms.not(cube))?;
    }
    match solver.check(&[], budget.left()?) {
        Answer::Sat => {}
        Answer::Unsat => {
            let wrong = "an elimination that lost the model";
            return Err(Failure::UnexpectedOutput(wrong.into()).into());
        }
        Answer::Unknown(failure) => return Err(failure.into()),
    }
    let dead = scope.dead_in(whole);
    let mut cube = free;
    match solver.model()?.project(whole, &dead) {
        Ok(projection) => cube.extend(terms.conjuncts(projection)),
        Err(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop).into()),
        Err(failure) => cube.push(scope.quantified(&stuck).ok_or(failure)?),
    }
    match generalised(rest, &cube, true, budget)? {
        Some(cube) => Ok(cube),
        None => Err(NoInterpolants::Refused(
            "a projection is possible in the rest of the path".into(),
        )),
    }
}
