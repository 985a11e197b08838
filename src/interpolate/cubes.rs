//! Backward cubes: model-based projection, generalised by unsatisfiable cores.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::{Chain, Interpolator, NoInterpolants};
use ult_core::formula::Term;
use ult_smt::{Answer, Failure, Session};

/// Strategy `cubes`. Works for every theory that the solver has models for.
///
/// From the last cut to the first: as long as some state at the cut can take the step to the
/// right and violate the interpolant there, project that step onto the cut (a cube of bad
/// states), keep of the cube only the literals that contradict the path up to the cut, and add
/// the negation as a clause of the interpolant.
pub(crate) struct Cubes;

/// More clauses than this at one cut are no explanation.
const MOST_CLAUSES: usize = 200;

impl Interpolator for Cubes {
    fn name(&self) -> &'static str {
        "cubes"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let terms = session.terms();
        let deadline = Instant::now() + limit;
        let left = || {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                Err(Failure::Timeout)
            } else {
                Ok(Some(left))
            }
        };
        let mut interpolants = vec![terms.ff(); chain.cuts.len()];
        for i in (0..chain.cuts.len()).rev() {
            let violated = interpolants
                .get(i + 1)
                .map_or(terms.tt(), |&next| terms.not(next));
            let right = terms.and2(chain.steps[i + 1], violated);
            let live: HashSet<Term> = chain.cuts[i].live.iter().copied().collect();
            let eliminate: Vec<Term> = terms
                .free_vars(&[right])
                .into_iter()
                .filter(|v| !live.contains(v))
                .collect();
            let mut step = session.brief_solver();
            step.assert(right)?;
            let mut path = session.brief_solver();
            for &before in &chain.steps[..=i] {
                path.assert(before)?;
            }
            let mut clauses = Vec::new();
            loop {
                match step.check(&[], left()?) {
                    Answer::Unsat => break,
                    Answer::Unknown(failure) => return Err(failure.into()),
                    Answer::Sat => {}
                }
                if clauses.len() == MOST_CLAUSES {
                    return Err(NoInterpolants::Refused("too many clauses".into()));
                }
                let cube = step.model()?.project(right, &eliminate)?;
                let literals = terms.conjuncts(cube);
                match path.check(&literals, left()?) {
                    Answer::Unsat => {}
                    Answer::Sat => return Err(NoInterpolants::Feasible),
                    Answer::Unknown(failure) => return Err(failure.into()),
                }
                let core = path.core();
                let core = path.minimise_core(core, left()?);
                let clause = terms.or(core.into_iter().map(|literal| terms.not(literal)));
                step.assert(clause)?;
                clauses.push(clause);
            }
            interpolants[i] = terms.and(clauses);
        }
        Ok(interpolants)
    }
}
