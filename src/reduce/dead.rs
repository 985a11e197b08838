//! Dead assignments: values that are never read are not computed.

use super::effect::{Effect, Vars};
use super::liveness::Liveness;
use super::replay::Replay;
use super::{Reduced, WayBack};
use ult_core::formula::Terms;
use ult_core::graph::analysis::{Adjacency, Order, target};
use ult_core::graph::evidence::{Invariants, Run, State, Step};
use ult_core::graph::{LocationId, ProgramGraph};

/// Makes variables arbitrary where they are assigned a value that no path to anywhere reads
/// (see [`Liveness`]). Only assignments whose value can be computed from the state before are
/// dropped (see [`Effect`]), so that the way back can do it.
pub fn dead(terms: &Terms, graph: &ProgramGraph) -> Reduced {
    let adjacency = Adjacency::of(graph);
    let order = Order::of(graph, &adjacency);
    let vars = Vars::of(terms, graph);
    let mut effects: Vec<Effect> = graph
        .graph
        .edge_weights()
        .map(|edge| Effect::of(terms, &vars, &edge.transition))
        .collect();
    let liveness = Liveness::of(graph, &adjacency, &order, &effects);
    let mut smaller = graph.clone();
    for edge in graph.graph.edge_indices() {
        let effect = &mut effects[edge.index()];
        let end = target(graph, edge);
        let (dropped, kept): (Vec<_>, Vec<_>) = effect
            .assigned
            .drain(..)
            .partition(|assigned| !assigned.pinned && !liveness.is_live(end, assigned.var));
        if !dropped.is_empty() {
            let equations = kept
                .iter()
                .map(|assigned| terms.eq(vars.next(assigned.var), assigned.value));
            smaller.graph[edge].transition.formula =
                terms.and(equations.chain(effect.rest.iter().copied()));
        }
        // What remains assigned is what has to be computed on the way back; all other changes are
        // taken from the run.
        effect.free.extend(kept.iter().map(|assigned| assigned.var));
        effect.assigned = dropped;
    }
    Reduced {
        back: Box::new(Back {
            replay: Replay::new(graph, vars, effects),
        }),
        graph: smaller,
    }
}

/// The way back: locations and edges are the same, and so are invariants, since the smaller graph
/// has more runs.
struct Back {
    replay: Replay,
}

impl WayBack for Back {
    fn location(&self, reduced: LocationId) -> LocationId {
        reduced
    }

    fn invariants(&self, _terms: &Terms, reduced: &Invariants) -> Invariants {
        reduced.clone()
    }

    /// Computes the dropped values. The other values stay, as nothing reads the dropped ones.
    fn run(&self, terms: &Terms, mut run: Run) -> Result<Run, String> {
        let mut state: State = run.start.clone();
        for step in &mut run.steps {
            // Where nothing changes nothing was dropped: the step is one of the smaller graph.
            if !self.replay.changes_nothing(step.edge) {
                *step = self.replay.step(terms, &mut state, step, &mut run.rigid)?;
            } else if !step.values().is_empty() {
                *step = Step::new(step.edge, step.aux().clone(), State::default());
            }
        }
        Ok(run)
    }
}
