//! Recursive programs that go one way only.
//!
//! Where a program needs no input, the search for contracts that say enough is a waste of time: its one trace is followed, through
//! all activations of recursive procedures, in the graph that keeps these on a stack ([`CallPolicy::Stack`]).

use std::sync::Arc;

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_engine::verify::Method;
use ult_engine::{EngineKind, execute};
use ult_lang::hir::Program;
use ult_lower::unit::{Role, UnitPlan};
use ult_lower::{CallPolicy, Lowering, Options, Overview};

use super::settings::Settings;

/// Larger graphs are not followed: they are expensive to make.
const MOST_EDGES: usize = 20_000;

/// The settings with which a unit is followed, if it is recursive and goes one way.
pub(crate) fn settings(
    program: &Program,
    overview: &Arc<Overview>,
    plan: UnitPlan,
    settings: &Settings,
    control: &Control,
) -> Option<Settings> {
    let kind = EngineKind::Execution;
    let is_wanted = match settings.verify.method {
        Method::Portfolio => !settings.verify.without.contains(&kind),
        Method::Engine(engine) => engine == kind,
    };
    let inlines = settings.reading.calls != CallPolicy::Contract && !settings.reading.modular;
    if !is_wanted || !inlines || plan.role != Role::Entry || !overview.has_recursion() {
        return None;
    }
    let mut settings = settings.clone();
    settings.reading.calls = CallPolicy::Stack;
    settings.verify.method = Method::Engine(kind);
    goes_one_way(program, overview, plan, &settings.reading, control).then_some(settings)
}

fn goes_one_way(
    program: &Program,
    overview: &Arc<Overview>,
    plan: UnitPlan,
    reading: &Options,
    control: &Control,
) -> bool {
    let terms = Terms::new();
    let goes_one_way = guarded(|| {
        let lowering = Lowering::of(&terms, program, reading.clone(), overview.clone());
        let graph = lowering.lower(plan).graph;
        let is_small = graph.graph.edge_count() <= MOST_EDGES;
        Ok(is_small && execute::goes_one_way(&terms, &graph, control))
    });
    goes_one_way.unwrap_or(false)
}
