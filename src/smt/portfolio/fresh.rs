//! A question for a solver that is asked once, and its model back.

use super::helper::{self, Helper};
use crate::answer::Failure;
use crate::features::Profile;
use crate::incremental::Solver;
use crate::raw::{self, Apart, Ast};
use crate::session::Session;
use ult_core::formula::Term;

/// Has a helper work on what was asserted and the assumptions. Also returns what it was told, in
/// the session's context.
pub(super) fn start(
    solver: &Solver<'_, '_>,
    assumptions: &[Term],
) -> Result<(Helper, Vec<Ast>), Failure> {
    if helper::is_crowded() {
        let why = "solvers that were stopped are still at work";
        return Err(Failure::Incomplete(why.into()));
    }
    let session = solver.session();
    let profile = solver.profile();
    let formulas = solver.formulas(assumptions);
    let told: Vec<Ast> = formulas
        .into_iter()
        .map(|formula| session.encode_for(profile, formula))
        .collect::<Result<_, _>>()?;
    let apart = Apart::new(&told, logic(profile), session.control().seed())?;
    Ok((Helper::start(apart)?, told))
}

/// The logic whose solver suits the formulas, if there is one; else Z3 looks at them itself.
fn logic(profile: Profile) -> Option<&'static str> {
    match profile {
        // Everything is finite: equations are solved, the rest goes to the SAT solver.
        Profile::Bits | Profile::Floats => Some("QF_BV"),
        Profile::Linear | Profile::General | Profile::Triggers => None,
    }
}

/// The model found, in the session's context. One in which a formula is not true, or of which that
/// cannot be said, is refused.
pub(super) fn model(
    session: &Session<'_>,
    apart: &Apart,
    told: &[Ast],
) -> Result<raw::Model, Failure> {
    session.stoppable(|context| {
        let model = apart.model(context)?;
        for formula in told {
            if !model.eval(formula)?.is_true() {
                let what = "a model in which not all formulas are true";
                return Err(Failure::UnexpectedOutput(what.into()));
            }
        }
        Ok(model)
    })
}
