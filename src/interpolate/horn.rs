//! The Horn chain: one query to Spacer for all cuts at once.

use std::time::Duration;

use super::{Chain, Interpolator, NoInterpolants};
use ult_core::formula::Term;
use ult_smt::{HornAnswer, Session, horn_chain};

/// Strategy `horn`. One predicate per cut over its live variables; the whole chain is one query,
/// so the answers are inductive from cut to cut.
pub(crate) struct HornChain;

impl Interpolator for HornChain {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        // Nothing needs to be known at the start of the path.
        let mut live = vec![Vec::new()];
        live.extend(chain.cuts.iter().map(|cut| cut.live.clone()));
        match horn_chain(session, &chain.steps, &live, limit) {
            HornAnswer::Interpolants(interpolants) => Ok(interpolants),
            HornAnswer::Feasible => Err(NoInterpolants::Feasible),
            HornAnswer::GaveUp(failure) => Err(failure.into()),
        }
    }
}
