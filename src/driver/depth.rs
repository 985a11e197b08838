//! How deep recursive calls are inlined at first.
//!
//! A program that needs no input goes one way only. Where that leads through recursive calls, nothing is decided before all of
//! them are inlined, and to look for contracts that say enough would be a waste of time. So the deterministic run says
//! how deep: it is followed in one graph after the other, for as long as it gets farther in each.

use std::sync::Arc;

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_engine::execute::{self, Extent};
use ult_lang::hir::Program;
use ult_lower::unit::{Role, UnitPlan};
use ult_lower::{Lowering, Options, Overview};

/// In graphs that are larger than this nothing is followed: they are expensive to make, and so are those that are deeper.
const MOST_EDGES: usize = 20_000;

/// The first of these depths, in ascending order, at which the deterministic run goes to its end; that of the options
/// if there is none, or nothing is recursive.
pub(crate) fn first(
    program: &Program,
    overview: &Arc<Overview>,
    plan: UnitPlan,
    reading: &Options,
    depths: &[u32],
    control: &Control,
) -> u32 {
    let given = reading.recursion_depth;
    if plan.role != Role::Entry || !overview.has_recursion() {
        return given;
    }
    let mut before: Option<usize> = None;
    let deeper = depths.iter().copied().filter(|&depth| depth > given);
    for depth in std::iter::once(given).chain(deeper) {
        let Some(extent) = extent(program, overview, plan, reading, depth, control) else {
            break;
        };
        if extent.is_deterministic {
            return depth;
        }
        if before.is_some_and(|steps| extent.steps <= steps) {
            break;
        }
        before = Some(extent.steps);
    }
    given
}

/// How far the run gets at a depth. Nothing if that is not known.
fn extent(
    program: &Program,
    overview: &Arc<Overview>,
    plan: UnitPlan,
    reading: &Options,
    recursion_depth: u32,
    control: &Control,
) -> Option<Extent> {
    control.check().ok()?;
    let reading = Options {
        recursion_depth,
        ..reading.clone()
    };
    let terms = Terms::new();
    let extent = guarded(|| {
        let lowering = Lowering::of(&terms, program, reading, overview.clone());
        let graph = lowering.lower(plan).graph;
        let is_small = graph.graph.edge_count() <= MOST_EDGES;
        Ok(is_small.then(|| execute::extent(&terms, &graph, control)))
    });
    extent.ok().flatten()
}
