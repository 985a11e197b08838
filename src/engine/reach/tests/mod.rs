//! The thesis' checklists (abstraction, precision, covering, refinement, order) on small graphs. Whatever is claimed
//! goes through the checker.

mod engines;
mod graphs;
mod parts;
mod trees;

use std::collections::BTreeMap;

use super::settings::{
    Abstracting, Abstraction, Choice, ForcedCovering, Order, Predicates, Refinement, Restart,
    Scope, Settings, StateForm,
};
use crate::invariants::{Auxiliary, Facts};
use crate::phases::SecondLook;
use crate::{Engine as _, Outcome, Task};
use ult_check::{Checker, Claims, Options, Verdict};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::ProgramGraph;
use ult_core::stats::Statistics;

/// What the checker says, by the names of the error locations.
type Verdicts = BTreeMap<String, &'static str>;

/// Lets the checker judge an outcome.
fn judged(terms: &Terms, graph: &ProgramGraph, outcome: Outcome) -> Verdicts {
    let claims = Claims {
        runs: outcome.runs,
        invariants: outcome.invariants,
        undecided: outcome.undecided,
    };
    let mut stats = Statistics::default();
    let control = Control::unlimited();
    let verdicts = Checker::new(terms, graph, &control, &Options::default());
    let verdicts = { verdicts }.decide(&claims, &mut stats);
    verdicts
        .into_iter()
        .map(|(location, verdict)| {
            let verdict = match verdict {
                Verdict::Safe(_) => "safe",
                Verdict::Unsafe(_) => "unsafe",
                Verdict::Unknown(_) => "unknown",
            };
            (graph.graph[location].name.to_string(), verdict)
        })
        .collect()
}

/// Runs the core as an engine.
fn run(settings: &Settings, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
    SecondLook(settings.clone()).run(task, stats)
}

/// Runs the core and has its claims judged.
fn verdicts(terms: &Terms, graph: &ProgramGraph, settings: &Settings) -> (Verdicts, Statistics) {
    let mut stats = Statistics::default();
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    let outcome = run(settings, &task, &mut stats);
    (judged(terms, graph, outcome), stats)
}

/// The settings without auxiliary invariants: the core has to find everything itself.
fn alone(settings: Settings) -> Settings {
    Settings {
        auxiliary: Auxiliary::None,
        ..settings
    }
}

/// All combinations of settings.
fn all_settings() -> Vec<Settings> {
    let mut refinements = vec![Refinement::Impact];
    for &(abstraction, ..) in Abstraction::ALL {
        for &(scope, ..) in Scope::ALL {
            for &(predicates, ..) in Predicates::ALL {
                let abstracting = Abstracting {
                    abstraction,
                    scope,
                    predicates,
                };
                refinements.push(Refinement::Both(abstracting));
                for &(restart, ..) in Restart::ALL {
                    refinements.push(Refinement::Predicate(abstracting, restart));
                }
            }
        }
    }
    let mut all = Vec::new();
    for &refinement in &refinements {
        for &(state, ..) in StateForm::ALL {
            for &(forced_covering, ..) in ForcedCovering::ALL {
                for &(order, ..) in Order::ALL {
                    all.push(Settings {
                        refinement,
                        state,
                        forced_covering,
                        order,
                        ..alone(Settings::impact())
                    });
                }
            }
        }
    }
    all
}

/// Every `n`-th combination. If `n` is coprime to the number of values of each choice, any two
/// values of two choices meet sooner or later.
fn some_settings(n: usize) -> impl Iterator<Item = Settings> {
    all_settings().into_iter().step_by(n)
}
