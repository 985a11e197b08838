//! Auxiliary invariants.
//!
//! Some are cheap and found before an engine starts: the best linear equations ([`affine`]),
//! remainders ([`congruence`]), and whatever survives of a list of candidates ([`candidates`]).
//! Others come from a thread of their own while an engine works ([`generator`]): intervals, bounds
//! of linear forms ([`intervals`], [`steady`]), and disjunctions of all of those ([`partition`]). The engines for
//! arrays and heaps have their own, about all cells or objects between two bounds ([`quantified`]).
//!
//! Each generator ends in a set of state formulas that is inductive together with what those
//! before it found. They hold in every reachable state, so an engine may assume them; like all
//! evidence they are part of the claim that the checker re-proves.

pub mod affine;
pub mod candidates;
pub mod congruence;
mod fixpoint;
pub mod generator;
pub mod intervals;
pub mod partition;
pub mod quantified;
mod refine;
mod steady;
pub(crate) mod templates;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::limits;
use crate::task::Task;
use ult_core::stats::Statistics;

pub use crate::facts::{Cursor, Facts, Lemmas};

/// Which auxiliary invariants an engine starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Auxiliary {
    /// Linear equations, remainders, and comparisons from the program that hold in every execution
    #[default]
    Auto,
    /// Nothing: the algorithm of the paper alone
    None,
}

/// What an engine starts with: what is on the task's pool. If nobody has looked for auxiliary
/// invariants of this graph yet, the generators run first, and what they find is published.
pub fn known(
    task: &Task<'_>,
    blocks: &mut Blocks<'_, '_>,
    which: Auxiliary,
    stats: &mut Statistics,
) -> Lemmas {
    if which == Auxiliary::None {
        return Lemmas::new();
    }
    if !task.facts.begin() {
        let start = Instant::now();
        let found = generate(blocks, limits::AT_START);
        task.facts.publish(task.terms, &found);
        stats.auxiliary_time += start.elapsed();
    }
    task.facts.since(task.terms, &mut Cursor::default())
}

/// How long the next question may take; `None` if the time is over.
fn time_for_question(budget: Budget) -> Option<Duration> {
    Some(budget.left()?.min(limits::DOMAIN_QUESTION))
}

/// The auxiliary invariants of the graph behind `blocks`; empty where the generators run out of
/// their limit.
fn generate(blocks: &mut Blocks<'_, '_>, limit: Duration) -> Lemmas {
    let budget = Budget::new(limit);
    let mut known = Lemmas::new();
    let generators = [
        fixpoint::unreached,
        affine::equations,
        congruence::remainders,
        candidates::surviving,
    ];
    let ff = blocks.session.terms().ff();
    for generator in generators {
        for (location, formulas) in generator(blocks, &known, budget).unwrap_or_default() {
            let known = known.entry(location).or_default();
            // Where nothing is reached, nothing more is to be said.
            if !known.contains(&ff) {
                known.extend(formulas);
            }
        }
    }
    known
}
