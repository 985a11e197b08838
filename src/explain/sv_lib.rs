//! What witnesses in SV-LIB say of traces and invariants.

use std::collections::BTreeSet;
use std::sync::Arc;

use ult_core::formula::{Interpretation, Term, Terms};
use ult_core::graph::evidence::Walk;
use ult_core::graph::{EdgeId, LocationId};
use ult_lower::origin::{FrameId, OriginInfo, Step};
use ult_lower::unit::LoweredUnit;
use ult_svlib::witness::text;
use ult_svlib::witness::write::{Choice, Chosen, Role};

/// The conjuncts of an invariant that are about global variables and those of the procedure that the location is in.
pub(crate) fn conjuncts(
    terms: &Terms,
    unit: &LoweredUnit,
    location: LocationId,
    formula: Term,
) -> Vec<String> {
    let graph = &unit.graph.graph;
    let origin = graph[location].origin.and_then(|at| unit.origins.get(at));
    let Some(info) = origin else {
        return Vec::new();
    };
    let own = variables_of(unit, info.frame);
    let name = |variable: &str| {
        let displayed = unit.displayed.get(variable)?;
        let is_own = displayed.procedure.is_none() || own.contains(variable);
        (is_own && !displayed.old).then(|| displayed.name.to_string())
    };
    let all = terms.conjuncts(formula).into_iter();
    all.filter_map(|conjunct| text::formula(terms, conjunct, &name))
        .collect()
}

/// The variables of one activation of a procedure. They are those that its call makes arbitrary; those of the unit itself are
/// what is left.
fn variables_of(unit: &LoweredUnit, frame: FrameId) -> BTreeSet<Arc<str>> {
    let call = unit.origins.frame(frame).and_then(|frame| frame.call);
    let calls = unit.graph.graph.edge_weights().filter(|edge| {
        let info = edge.origin.and_then(|origin| unit.origins.get(origin));
        info.is_some_and(|info| matches!(info.step, Step::Call(_)))
    });
    match call {
        Some(_) => {
            let own = calls.filter(|edge| edge.origin == call);
            own.flat_map(|edge| edge.transition.changed.clone())
                .collect()
        }
        None => {
            let others: BTreeSet<Arc<str>> = calls
                .flat_map(|edge| edge.transition.changed.clone())
                .collect();
            let all = unit.graph.variables.keys().cloned();
            all.filter(|name| !others.contains(name)).collect()
        }
    }
}

/// What a run chooses at a step.
pub(crate) fn chosen(
    unit: &LoweredUnit,
    edge: EdgeId,
    info: &OriginInfo,
    walk: &Walk<'_, '_>,
) -> Option<Choice> {
    let changed = &unit.graph.graph.edge_weight(edge)?.transition.changed;
    let named = |name: &Arc<str>, role: Role| {
        let displayed = unit.displayed.get(name)?;
        let sort = unit.graph.variables.get(name)?;
        (!displayed.old).then_some(())?;
        Some(Chosen {
            name: displayed.name.to_string(),
            role,
            value: text::value(walk.now(name)?, sort)?,
        })
    };
    let role = |name: &Arc<str>| {
        let displayed = unit.displayed.get(name);
        match displayed.is_some_and(|displayed| displayed.procedure.is_none()) {
            true => Role::Global,
            false => Role::Local,
        }
    };
    Some(match &info.step {
        Step::Branch { taken, free: true } => Choice::Way(*taken),
        Step::Havoc => {
            let values = changed.iter();
            Choice::Values(values.filter_map(|name| named(name, role(name))).collect())
        }
        Step::Call(_) => {
            let locals = changed.iter();
            let mut all: Vec<Chosen> = locals.filter_map(|name| named(name, Role::Local)).collect();
            // The first call is the one that the run is about.
            let is_first = unit.origins.frame(info.frame)?.call.is_none();
            if is_first {
                let globals = unit.graph.variables.keys();
                let globals = globals.filter(|name| role(name) == Role::Global);
                all.extend(globals.filter_map(|name| named(name, Role::Global)));
                for function in unit.graph.functions.iter().filter(|f| f.params.is_empty()) {
                    let value = walk.function(function, &[]);
                    let value = value.and_then(|value| text::value(&value, &function.result));
                    all.extend(value.map(|value| Chosen {
                        name: function.name.to_string(),
                        role: Role::Constant,
                        value,
                    }));
                }
            }
            Choice::Start(all)
        }
        _ => return None,
    })
}
