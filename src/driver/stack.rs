//! Recursive programs with few traces.
//!
//! Where a program needs little input, the search for contracts that say enough is a waste of time: its traces are followed, through
//! all activations of recursive procedures, in the graph that keeps these on a stack ([`CallPolicy::Stack`]).

use ult_engine::EngineKind;
use ult_engine::verify::Method;
use ult_lower::unit::{Role, UnitPlan};
use ult_lower::{CallPolicy, Overview};

use super::settings::Settings;

/// The settings with which the traces of a unit are followed, if it is recursive.
pub(crate) fn settings(
    overview: &Overview,
    plan: UnitPlan,
    settings: &Settings,
) -> Option<Settings> {
    let kind = EngineKind::Execution;
    let is_wanted = match settings.verify.method {
        Method::Portfolio => !settings.verify.without.contains(&kind),
        Method::Engine(engine) => engine == kind,
        Method::Traces | Method::Kept => true,
    };
    let inlines = settings.reading.calls != CallPolicy::Contract && !settings.reading.modular;
    if !is_wanted || !inlines || plan.role != Role::Entry || !overview.has_recursion() {
        return None;
    }
    let mut settings = settings.clone();
    settings.reading.calls = CallPolicy::Stack;
    settings.verify.search_by(Method::Traces);
    Some(settings)
}
