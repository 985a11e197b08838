//! A way to an error location, followed with nothing forgotten.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::Plan;
use super::precision::Condition;
use super::state::Work;
use super::step::Steps;
use crate::limits;
use ult_core::formula::{Term, Value};
use ult_core::graph::EdgeId;
use ult_core::graph::evidence::{RigidMeaning, Run, State, Step};
use ult_core::reason::Reason;
use ult_smt::{Answer, Failure, Session};

/// Cores with more conditions are taken as they come.
const MOST_MINIMISED: usize = 30;

/// What came of it.
pub(super) enum Followed {
    /// A run.
    Run(Run),
    /// No run takes this way: these conditions contradict each other.
    Nowhere(Vec<Condition>),
    /// That was not found out.
    Unknown,
    /// The whole search was stopped.
    Stopped(Reason),
}

/// What a step chooses: auxiliaries, and variables with new values by number.
struct Chosen {
    aux: Vec<(u32, Term)>,
    variables: Vec<(usize, Term)>,
}

/// Follows a path, edge by edge with its plan, from any state.
pub(super) fn follow(
    steps: &Steps<'_>,
    session: &Session<'_>,
    path: &[EdgeId],
    plans: &[&Plan],
) -> Followed {
    let (terms, graph) = (steps.terms, steps.graph);
    let mut work = Work::anything(graph);
    let sorts: Vec<_> = graph.variables.values().collect();
    let start: Vec<Term> = (sorts.iter().enumerate())
        .map(|(variable, sort)| work.value(terms, variable, sort))
        .collect();
    let mut conditions: Vec<(Term, Condition)> = Vec::new();
    let mut chosen = Vec::with_capacity(path.len());
    for (number, plan) in plans.iter().enumerate() {
        let mut case = steps.case(work, BTreeMap::new(), plan);
        let mut said = Chosen {
            aux: case.choices.into_iter().collect(),
            variables: Vec::new(),
        };
        for (variable, value) in case.after {
            let value = value.unwrap_or_else(|| case.before.symbol(terms, sorts[variable]));
            if plan.chooses(variable) {
                said.variables.push((variable, value));
            }
            case.before.set(variable, Some(value));
        }
        let places = plan.conditions.iter().rev();
        for (&place, condition) in places.zip(case.conditions) {
            conditions.push((condition, (number, plan.nodes[place].term)));
        }
        chosen.push(said);
        work = case.before;
    }
    conditions.retain(|(condition, _)| *condition != terms.tt());
    if let Some(&(_, never)) = conditions
        .iter()
        .find(|(condition, _)| *condition == terms.ff())
    {
        return Followed::Nowhere(vec![never]);
    }
    let formula = terms.and(conditions.iter().map(|(condition, _)| *condition));
    let mut solver = session.brief_solver();
    if solver.assert(formula).is_err() {
        return Followed::Unknown;
    }
    match solver.check(&[], Some(limits::EXPLICIT_PATH)) {
        Answer::Sat => {}
        Answer::Unknown(Failure::Stopped(stop)) => return Followed::Stopped(stop.into()),
        Answer::Unknown(_) => return Followed::Unknown,
        Answer::Unsat => {
            drop(solver);
            return Followed::Nowhere(core(session, &conditions));
        }
    }
    let run = || -> Option<Run> {
        let model = solver.model().ok()?;
        let asked: BTreeSet<Term> = terms.free_vars(&[formula]).into_iter().collect();
        let value = |symbol: Term| match asked.contains(&symbol) {
            true => model.value(symbol).ok(),
            false => Value::any_of(terms.sort(symbol)),
        };
        let named = |variable: usize, value: Value| -> Option<(_, Value)> {
            let (name, _) = graph.variables.get_index(variable)?;
            Some((name.clone(), value))
        };
        let mut rigid = RigidMeaning::default();
        for function in &graph.functions {
            let meaning = model.function(function).ok()?;
            rigid.functions.insert(function.name.clone(), meaning);
        }
        let begin: Option<State> = (start.iter().enumerate())
            .map(|(variable, &symbol)| named(variable, value(symbol)?))
            .collect();
        let taken = path.iter().zip(&chosen).map(|(&edge, said)| {
            if said.aux.is_empty() && said.variables.is_empty() {
                return Some(Step::determined(edge));
            }
            let aux = said.aux.iter();
            let aux: Option<BTreeMap<u32, Value>> = aux
                .map(|&(number, symbol)| Some((number, value(symbol)?)))
                .collect();
            let values = said.variables.iter();
            let values: Option<State> = values
                .map(|&(variable, symbol)| named(variable, value(symbol)?))
                .collect();
            Some(Step::new(edge, aux?, values?))
        });
        Some(Run::new(
            begin?,
            taken.collect::<Option<Vec<Step>>>()?,
            rigid,
        ))
    };
    run().map_or(Followed::Unknown, Followed::Run)
}

/// Of conditions that contradict each other, those that do; all of them if that is not found out.
fn core(session: &Session<'_>, conditions: &[(Term, Condition)]) -> Vec<Condition> {
    let mut solver = session.brief_solver();
    let mut assumptions: Vec<Term> = conditions.iter().map(|(condition, _)| *condition).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    if solver.check(&assumptions, Some(limits::EXPLICIT_PATH)) == Answer::Unsat {
        let core = solver.core();
        let limit = Some(limits::EXPLICIT_CORE);
        assumptions = match core.len() <= MOST_MINIMISED {
            true => solver.minimise_core(core, limit),
            false => core,
        };
    }
    let in_core = conditions
        .iter()
        .filter(|(condition, _)| assumptions.contains(condition));
    in_core.map(|&(_, condition)| condition).collect()
}
