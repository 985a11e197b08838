//! Re-executing runs on the unreduced graph, with exact values.

use std::time::Instant;

use super::instantiate::Structure;
use super::prover::{Doubt, Options, Panel};
use super::verdict::Violation;
use super::wellformed::{Examiner, brief, has_sort, have_sorts};
use ult_core::control::Control;
use ult_core::formula::Interpretation as _;
use ult_core::formula::{Sort, Term, Terms, Value, Version, eval};
use ult_core::graph::evidence::{Run, State, Step, Valuation};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Re-executes a claimed run.
///
/// The steps must be connected edges from the initial location to an error location. Every state
/// gives every program variable a value of its sort, and nothing else; variables that an edge
/// does not change keep their values; every edge formula is true of the states before and after
/// and of the given auxiliaries; the axioms are true. Formulas are evaluated; where evaluation
/// has no answer, the formula with all values put in must be valid according to the solvers.
///
/// The reason of a failure is [`Reason::RunRejected`], or [`Reason::Internal`] if the graph is
/// malformed, or that of `control`.
pub fn confirm_run(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: &Run,
    control: &Control,
    options: &Options,
    stats: &mut Statistics,
) -> Result<Violation, Reason> {
    let start = Instant::now();
    let mut panel = Panel::of_solvers(terms, &[], control, options);
    let result = Examiner::new(terms, graph)
        .graph()
        .map_err(Reason::Internal)
        .and_then(|()| re_execute(terms, graph, claim, &mut panel));
    panel.finish(start, stats);
    result
}

/// Like [`confirm_run`], on a well-formed graph. The panel must not assume the axioms: whether
/// they are true of the symbols' claimed meaning is one of the questions.
pub(super) fn re_execute(
    terms: &Terms,
    graph: &ProgramGraph,
    claim: &Run,
    panel: &mut Panel,
) -> Result<Violation, Reason> {
    let end = end_of(graph, claim).map_err(Reason::RunRejected)?;
    require_values(terms, graph, claim).map_err(Reason::RunRejected)?;
    let mut execution = Execution {
        terms,
        graph,
        claim,
        structure: Structure::of_run(terms, claim),
        panel,
    };
    execution.axioms()?;
    let mut before = &claim.start;
    for (number, step) in claim.steps.iter().enumerate() {
        execution.step(before, step, number)?;
        before = &step.state;
    }
    Ok(Violation::new(end, claim.clone()))
}

/// The steps are connected edges from the initial location, and the last one enters an error
/// location.
fn end_of(graph: &ProgramGraph, claim: &Run) -> Result<LocationId, String> {
    let mut location = graph.initial;
    for (number, step) in claim.steps.iter().enumerate() {
        match graph.graph.edge_endpoints(step.edge) {
            None => return Err(format!("step {number} takes an edge that does not exist")),
            Some((source, _)) if source != location => {
                return Err(format!(
                    "step {number} leaves `{}`, but the run is at `{}`",
                    graph.graph[source].name, graph.graph[location].name
                ));
            }
            Some((_, target)) => location = target,
        }
    }
    if graph.graph[location].error.is_none() {
        return Err(format!(
            "the run ends at `{}`, which is no error location",
            graph.graph[location].name
        ));
    }
    Ok(location)
}

/// All values of the run belong to their sorts.
fn require_values(terms: &Terms, graph: &ProgramGraph, claim: &Run) -> Result<(), String> {
    require_state(graph, &claim.start).map_err(|e| format!("at the start, {e}"))?;
    for (number, step) in claim.steps.iter().enumerate() {
        require_state(graph, &step.state).map_err(|e| format!("after step {number}, {e}"))?;
        let formula = graph.graph[step.edge].transition.formula;
        for term in terms.free_vars(&[formula]) {
            if let Some(var) = terms.as_var(term)
                && let Version::Aux(aux) = var.version
                && let Some(value) = step.aux.get(&aux)
                && !has_sort(value, terms.sort(term))
            {
                return Err(format!(
                    "in step {number}, {}",
                    ill_sorted(&var.name, value, terms.sort(term))
                ));
            }
        }
    }
    for function in &graph.functions {
        let Some(table) = claim.rigid.functions.get(&function.name) else {
            continue;
        };
        let fits = has_sort(&table.default, &function.result)
            && table.entries.iter().all(|(arguments, value)| {
                have_sorts(arguments, &function.params) && has_sort(value, &function.result)
            });
        if !fits {
            return Err(format!(
                "the table of `{}` has values of wrong sorts",
                function.name
            ));
        }
    }
    Ok(())
}

fn require_state(graph: &ProgramGraph, state: &State) -> Result<(), String> {
    for (name, sort) in &graph.variables {
        match state.get(name) {
            None => return Err(format!("`{name}` has no value")),
            Some(value) if !has_sort(value, sort) => return Err(ill_sorted(name, value, sort)),
            Some(_) => {}
        }
    }
    match state
        .keys()
        .find(|name| !graph.variables.contains_key(*name))
    {
        Some(name) => Err(format!("there is no variable `{name}`")),
        None => Ok(()),
    }
}

fn ill_sorted(name: &str, value: &Value, sort: &Sort) -> String {
    format!("`{name}` has the value {value}, which is not of sort {sort}")
}

struct Execution<'a, 'p> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    claim: &'a Run,
    structure: Structure<'a>,
    panel: &'a mut Panel<'p>,
}

impl Execution<'_, '_> {
    fn axioms(&mut self) -> Result<(), Reason> {
        let nowhere = State::new();
        for &axiom in &self.graph.axioms {
            let valuation = Valuation {
                before: &nowhere,
                after: None,
                aux: None,
                rigid: &self.claim.rigid,
            };
            self.require(axiom, &valuation, || "an axiom".into())?;
        }
        Ok(())
    }

    fn step(&mut self, before: &State, step: &Step, number: usize) -> Result<(), Reason> {
        self.panel.stopped()?;
        let transition = &self.graph.graph[step.edge].transition;
        for name in self.graph.variables.keys() {
            if transition.changed.contains(name) {
                continue;
            }
            // Both states have the variable: `require_state`.
            let kept = match (before.get(name), step.state.get(name)) {
                (Some(before), Some(after)) => before.same(after),
                _ => None,
            };
            if kept != Some(true) {
                return Err(Reason::RunRejected(format!(
                    "step {number} must keep the value of `{name}`"
                )));
            }
        }
        let valuation = Valuation {
            before,
            after: Some(&step.state),
            aux: Some(&step.aux),
            rigid: &self.claim.rigid,
        };
        self.require(transition.formula, &valuation, || {
            format!("the formula of step {number}")
        })
    }

    /// Succeeds only if the formula is true.
    fn require(
        &mut self,
        formula: Term,
        valuation: &Valuation,
        what: impl Fn() -> String,
    ) -> Result<(), Reason> {
        if let Ok(Value::Bool(true)) = eval(self.terms, formula, valuation) {
            return Ok(());
        }
        for conjunct in self.terms.conjuncts(formula) {
            self.panel.stopped()?;
            let rejected = |text: String| {
                Reason::RunRejected(format!(
                    "{}: {text} in {}",
                    what(),
                    brief(self.terms, conjunct)
                ))
            };
            match eval(self.terms, conjunct, valuation) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(rejected("it is false".into())),
                Err(error) => {
                    let question = self
                        .structure
                        .refutation_of(conjunct, |var| {
                            // The sort does not matter to a valuation by name.
                            valuation.variable(var, &Sort::Bool)
                        })
                        .ok_or_else(|| rejected("a value of the wrong sort".into()))?;
                    self.panel.refute(&question).map_err(|doubt| match doubt {
                        Doubt::Satisfiable => rejected(error.to_string()),
                        Doubt::Unclear(reason) => rejected(format!("{error}; {reason}")),
                    })?;
                    // The facts about elements are consistent. If the solvers refute them
                    // alone, they were misunderstood, and the answer means nothing.
                    if question.len() > 1 && self.panel.refute(&question[1..]).is_ok() {
                        return Err(rejected("contradictory elements".into()));
                    }
                }
            }
        }
        Ok(())
    }
}
