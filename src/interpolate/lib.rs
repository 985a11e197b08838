//! Interpolation: why an infeasible path is infeasible, cut by cut.
//!
//! Given an unsatisfiable chain `step_0, ..., step_n`, an *inductive sequence of interpolants*
//! (Ermis et al., Definition 3) is a sequence `I_1, ..., I_n` of state formulas such that
//! `step_0 && !I_1'`, `I_i && step_i && !I_{i+1}'` and `I_n && step_n` are all unsatisfiable.
//! Z3 has no interpolation of its own, so several strategies compete behind one trait; whatever a
//! strategy returns is a claim that [`sequence`] re-proves before anybody sees it.
//!
//! | strategy | how | good at |
//! |---|---|---|
//! | `proof` | a resolution proof over certified lemmas; one walk serves all cuts | numbers, functions, maps on short paths |
//! | `horn` | one Horn query to Spacer for all cuts | long paths of numbers, maps |
//! | `cubes` | model-based projection from right to left, generalized by unsatisfiable cores | all that has models |
//! | `forward`, `backward` | strongest postconditions, weakest preconditions, guided by unsatisfiable cores | the last resort |
//! | `integers` | bit-vectors as bounded integers, another strategy there, and back | counters in bit-vectors |
//! | `external:CMD` | an interpolating solver in a process of its own, over SMT-LIB text | users who have one |
//!
//! `auto` tries several of them in an order that `strategy.rs` says, each within a limit. After many paths the first four take
//! turns: one strategy may explain path after path and never find what the paths have in common.
//!
//! A result is tidied without a solver (`tidy.rs`), confirmed, and simplified by a few questions (`simplify.rs`). Small labels
//! keep every later question small.

mod bits;
pub mod chain;
mod cubes;
pub mod external;
mod horn;
mod limits;
mod newton;
pub mod proof_based;
#[cfg(test)]
mod samples;
pub mod simplify;
mod strategy;
mod tidy;

use std::cell::OnceCell;
use std::time::{Duration, Instant};

pub use chain::{Chain, Cut};
pub use strategy::Strategy;

use ult_core::formula::Term;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Failure, Session};

/// Why a strategy has no interpolants.
#[derive(Debug)]
pub enum NoInterpolants {
    /// The strategy found that the chain is satisfiable after all.
    Feasible,
    /// The solver gave up, or the strategy's own limit was reached.
    Failed(Failure),
    /// The result was not an inductive sequence over the allowed variables.
    Refused(String),
}

impl From<Failure> for NoInterpolants {
    fn from(failure: Failure) -> NoInterpolants {
        NoInterpolants::Failed(failure)
    }
}

impl std::fmt::Display for NoInterpolants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoInterpolants::Feasible => f.write_str("the path seems feasible"),
            NoInterpolants::Failed(failure) => write!(f, "{failure}"),
            NoInterpolants::Refused(why) => write!(f, "refused: {why}"),
        }
    }
}

/// A way to compute interpolants.
pub trait Interpolator {
    /// The name, as in `-Z interpolation=NAME` and in the statistics.
    fn name(&self) -> &'static str;

    /// Whether it is worth to leave out first what an unsatisfiable core does not need. A proof
    /// leaves it out by itself.
    fn wants_relevant_chain(&self) -> bool {
        true
    }

    /// One formula per cut of the chain, over the live variables of that cut.
    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants>;
}

/// Interpolants for an unsatisfiable chain: one state formula per cut, over the program variables
/// ([`ult_core::formula::Version::Current`]) and rigid symbols.
///
/// The attempts of the strategy are made one after the other, each within its limit, until one
/// succeeds; successes and failures are counted in `stats`.
/// Each strategy's result is checked (vocabulary, every step inductive) and simplified: of the
/// conjuncts of an interpolant only those stay that the step to its right needs, and then each
/// becomes as small as [`simplify::small_sequence`] can make it.
pub fn sequence(
    strategy: &Strategy,
    session: &Session<'_>,
    chain: &Chain,
    stats: &mut Statistics,
) -> Result<Vec<Term>, Reason> {
    let start = Instant::now();
    let relevant = OnceCell::new();
    let mut why = Vec::new();
    let mut found = None;
    let explained = stats.interpolations.values().sum();
    let attempts = strategy.attempts(session, chain, explained);
    let alone = attempts.len() == 1;
    for (interpolator, limit) in attempts {
        if let Err(stop) = session.control().check() {
            return Err(stop.into());
        }
        let name = interpolator.name().to_string();
        // What failed on earlier paths of the run is not waited for as long, if there are others.
        let failures = stats.interpolation_failures.get(&name).copied();
        let limit = match failures {
            Some(failures) if !alone => limit / 2u32.pow(failures.min(4) as u32),
            _ => limit,
        };
        let reduced = if interpolator.wants_relevant_chain() {
            relevant.get_or_init(|| chain.relevant(session))
        } else {
            chain
        };
        let result = interpolator
            .interpolate(session, reduced, limit)
            .and_then(|claim| {
                // Small formulas are confirmed faster.
                let terms = session.terms();
                let tidy = claim.into_iter().map(|i| simplify::tidied(terms, i));
                confirm(session, chain, tidy.collect())
            });
        match result {
            Ok(interpolants) => {
                *stats.interpolations.entry(name).or_default() += 1;
                found = Some(interpolants);
                break;
            }
            Err(failure) => {
                why.push(format!("{name}: {failure}"));
                *stats.interpolation_failures.entry(name).or_default() += 1;
            }
        }
    }
    let small = found.map(|interpolants| {
        let states = chain.to_states(session.terms(), &interpolants);
        simplify::small_sequence(session, states)
    });
    stats.interpolation_time += start.elapsed();
    match small {
        Some(interpolants) => Ok(interpolants),
        None => match session.control().check() {
            Err(stop) => Err(stop.into()),
            Ok(()) => Err(Reason::Interpolation(why.join("; "))),
        },
    }
}

/// Re-proves a claimed sequence from right to left, and keeps of each interpolant the conjuncts
/// that the step to its right needs. (A weaker `I_i` is still implied by what is left of it.)
fn confirm(
    session: &Session<'_>,
    chain: &Chain,
    mut claim: Vec<Term>,
) -> Result<Vec<Term>, NoInterpolants> {
    let terms = session.terms();
    let limit = Some(limits::CONFIRM);
    if claim.len() != chain.cuts.len() {
        return Err(NoInterpolants::Refused("wrong number".into()));
    }
    for (cut, &interpolant) in chain.cuts.iter().zip(&claim) {
        if let Some(&stray) = terms
            .free_vars(&[interpolant])
            .iter()
            .find(|v| !cut.state.contains_key(v))
        {
            return Err(NoInterpolants::Refused(format!(
                "`{}` does not belong to the cut",
                terms.display(stray)
            )));
        }
    }
    // One solver for all steps: making one costs as much as several of these questions.
    let mut solver = session.brief_solver();
    for step in (0..chain.steps.len()).rev() {
        let before = if step == 0 {
            Vec::new()
        } else {
            terms.conjuncts(claim[step - 1])
        };
        let after = claim.get(step).map_or(terms.ff(), |&i| i);
        solver.push();
        solver.assert(chain.steps[step])?;
        solver.assert(terms.not(after))?;
        match solver.check(&before, limit) {
            Answer::Unsat => {
                if step > 0 {
                    let core = solver.core();
                    let core = solver.minimise_core(core, limit);
                    claim[step - 1] = terms.and(before.into_iter().filter(|c| core.contains(c)));
                }
            }
            Answer::Sat => {
                return Err(NoInterpolants::Refused(format!(
                    "step {step} is not inductive"
                )));
            }
            Answer::Unknown(failure) => return Err(failure.into()),
        }
        solver.pop();
    }
    Ok(claim)
}
