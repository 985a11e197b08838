//! Horn clauses, solved by Spacer, Z3's solver for them.
//! (Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", 2014.)
//!
//! | file | idea |
//! |---|---|
//! | `chain` | interpolants for a whole path |
//! | `system` | any set of clauses |
//! | `open` | rigid symbols as arguments, and back |
//! | `answer` | Spacer's definitions of the predicates |
//! | `complete` | definitions that are missing |
//! | `derivation` | Spacer's derivations of falsity |

mod answer;
mod chain;
mod complete;
mod derivation;
mod open;
mod system;

use std::time::Duration;

pub use chain::{HornAnswer, horn_chain};
pub use derivation::Fact;
pub use system::{Atom, Clause, Clauses, Predicate, Solved, Tuning};

use super::Session;
use super::answer::{Failure, classify};
use super::raw::{self, Truth};
use super::threads::try_thread;

/// Parts of global guidance that, on sets of clauses, end in assertions of Z3's own that fail,
/// with a message on stderr. The last one finds summaries that nothing else finds.
const FRAGILE: [&str; 2] = ["spacer.gg.concretize", "spacer.gg.subsume"];

/// Spacer with the parameters that give the shortest interpolants on chains of large blocks:
/// without the transformations that remove predicates, unless it `inlines`, and with global guidance, but for the
/// parts in `without`.
fn tuned(
    context: &raw::Context,
    limit: Option<Duration>,
    without: &[&str],
    inlines: bool,
    seed: u32,
) -> Result<raw::Fixedpoint, Failure> {
    let fixedpoint = context.fixedpoint()?;
    let params = context.params()?;
    params.set_symbol("engine", "spacer")?;
    params.set_bool("xform.inline_eager", inlines)?;
    params.set_bool("xform.inline_linear", inlines)?;
    params.set_bool("xform.slice", false)?;
    params.set_number("spacer.iuc", 0)?;
    params.set_bool("spacer.global", true)?;
    for part in without {
        params.set_bool(part, false)?;
    }
    params.set_number("spacer.random_seed", seed)?;
    limited(&params, limit)?;
    fixedpoint.set(&params)?;
    Ok(fixedpoint)
}

/// Spacer without global guidance; where clauses are inlined, there are fewer predicates.
fn local(
    context: &raw::Context,
    limit: Option<Duration>,
    inlines: bool,
    seed: u32,
) -> Result<raw::Fixedpoint, Failure> {
    let fixedpoint = context.fixedpoint()?;
    let params = context.params()?;
    params.set_symbol("engine", "spacer")?;
    params.set_bool("xform.inline_eager", inlines)?;
    params.set_bool("xform.inline_linear", inlines)?;
    params.set_bool("xform.slice", false)?;
    params.set_bool("spacer.global", false)?;
    params.set_number("spacer.random_seed", seed)?;
    limited(&params, limit)?;
    fixedpoint.set(&params)?;
    Ok(fixedpoint)
}

/// Whether the query can be derived; `limit` says whether it was given one.
fn ask(
    session: &Session<'_>,
    fixedpoint: &raw::Fixedpoint,
    query: &raw::Ast,
    limit: Option<Duration>,
) -> Result<Truth, Failure> {
    if limit.is_some() {
        try_thread()?;
    }
    session.interruptible(|_| match fixedpoint.query(query)? {
        Truth::Unknown => Err(classify(&fixedpoint.reason_unknown())),
        answer => Ok(answer),
    })
}

fn limited(params: &raw::Params, limit: Option<Duration>) -> Result<(), Failure> {
    if let Some(limit) = limit {
        let millis = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX - 1);
        params.set_number("timeout", millis.max(1))?;
    }
    Ok(())
}
