//! Re-executing runs on the unreduced graph, with exact values.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::defined::without_definitions;
use super::growing::growing;
use super::instantiate::Structure;
use super::prover::{Doubt, Options, Provers};
use super::verdict::Violation;
use super::wellformed::{Examiner, brief, has_sort, have_sorts};
use ult_core::control::Control;
use ult_core::formula::{
    Evaluated, Function, Interpretation, Op, Sort, Term, Terms, Value, Var, Version, eval,
};
use ult_core::graph::evidence::{
    AcceleratedPath, Iterations, Plans, Run, State, Step, Taken, Valuation, Walk,
};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Re-executes a claimed run.
///
/// The steps must be connected edges from the initial location to an error location. Every state
/// gives every program variable a value of its sort, and nothing else; variables that an edge
/// does not change keep their values; every edge formula is true of the states before and after
/// and of the given auxiliaries; the axioms are true, or can be made true by symbols that the run says nothing of.
/// Formulas are evaluated; where evaluation
/// has no answer, the formula with all values put in must be valid according to the solvers.
///
/// What a step does not say is computed ([`Walk`]): a value that the formula of the edge defines,
/// by the evaluator, so that the equation that defines it holds.
///
/// Of an accelerated path, every edge is executed in the same way, but for those of a rule that was executed before with the same values
/// of all variables that its edges mention: what became of it then becomes of it again. Of iterations that grow numbers, the last one is
/// executed, and one formula about all others must be valid ([`Iterations`]).
///
/// Branches are executed in their order, before the steps of the run itself. A step whose edge has premises must name a branch for
/// each that was executed before: it ends at the premise's location, in a state with the values that the premise says.
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
    let mut provers = Provers::of_solvers(terms, &[], control, options);
    let result = Examiner::new(terms, graph)
        .graph()
        .map_err(Reason::Internal)
        .and_then(|()| Replay::new(terms, graph).re_execute(claim.clone(), &mut provers));
    provers.finish(start, stats);
    result
}

/// Re-executes runs of one graph, one after the other, and finds out once what is the same for all of them.
pub(super) struct Replay<'g> {
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    plans: Plans<'g>,
    /// For axioms that runs said nothing of: what is left of them without definitions.
    without_definitions: HashMap<Vec<Term>, Vec<Term>>,
}

impl<'g> Replay<'g> {
    /// Nothing is known about the graph, which must be well-formed.
    pub(super) fn new(terms: &'g Terms, graph: &'g ProgramGraph) -> Replay<'g> {
        Replay {
            terms,
            graph,
            plans: Plans::new(terms, graph),
            without_definitions: HashMap::new(),
        }
    }

    /// As [`confirm_run`]. The panel must not assume the axioms: whether they are true of the symbols' claimed meaning is one of
    /// the questions.
    pub(super) fn re_execute(
        &mut self,
        claim: Run,
        provers: &mut Provers,
    ) -> Result<Violation, Reason> {
        let (terms, graph) = (self.terms, self.graph);
        let end = end_of(graph, &claim.steps).map_err(Reason::RunRejected)?;
        if graph.graph[end].error.is_none() {
            return Err(Reason::RunRejected(format!(
                "the trace ends at `{}`, which is not an error location",
                graph.graph[end].name
            )));
        }
        require_values(terms, graph, &claim).map_err(Reason::RunRejected)?;
        let mut execution = Execution {
            terms,
            graph,
            structure: Structure::of_run(terms, &claim),
            reached: Vec::with_capacity(claim.branches.len()),
            provers,
        };
        execution.axioms(&claim, &mut self.without_definitions)?;
        for branch in &claim.branches {
            let end = end_of(graph, &branch.steps).map_err(Reason::RunRejected)?;
            let mut walk = Walk::from(&mut self.plans, &branch.start, &claim.rigid);
            execution.steps(&mut walk, &branch.steps)?;
            execution.reached.push((end, walk.state()));
        }
        let mut walk = Walk::new(&mut self.plans, &claim);
        execution.steps(&mut walk, &claim.steps)?;
        Ok(Violation::new(end, claim))
    }
}

/// Where connected edges from the initial location end.
fn end_of(graph: &ProgramGraph, steps: &[Step]) -> Result<LocationId, String> {
    let mut location = graph.initial;
    for (number, step) in steps.iter().enumerate() {
        if let Some(accelerated) = step.accelerated() {
            let (source, target) = (accelerated.ends(graph))
                .map_err(|why| format!("in the accelerated path before step {number}, {why}"))?;
            if source != location {
                return Err(format!(
                    "the accelerated path before step {number} leaves `{}`, but the trace is at `{}`",
                    graph.graph[source].name, graph.graph[location].name
                ));
            }
            location = target;
        }
        match graph.graph.edge_endpoints(step.edge) {
            None => return Err(format!("step {number} takes an edge that does not exist")),
            Some((source, _)) if source != location => {
                return Err(format!(
                    "step {number} leaves `{}`, but the trace is at `{}`",
                    graph.graph[source].name, graph.graph[location].name
                ));
            }
            Some((_, target)) => location = target,
        }
    }
    Ok(location)
}

/// All values that the run says belong to their sorts, and the starts say all.
fn require_values(terms: &Terms, graph: &ProgramGraph, claim: &Run) -> Result<(), String> {
    for branch in &claim.branches {
        require_trace_values(terms, graph, &branch.start, &branch.steps)?;
    }
    require_trace_values(terms, graph, &claim.start, &claim.steps)?;
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

fn require_trace_values(
    terms: &Terms,
    graph: &ProgramGraph,
    start: &State,
    steps: &[Step],
) -> Result<(), String> {
    if let Some(name) = (graph.variables.keys()).find(|name| !start.contains_key(*name)) {
        return Err(format!("at the start, `{name}` has no value"));
    }
    require_sorts(graph, start).map_err(|e| format!("at the start, {e}"))?;
    for (number, step) in steps.iter().enumerate() {
        require_sorts(graph, step.values()).map_err(|e| format!("after step {number}, {e}"))?;
        if step.aux().is_empty() {
            continue;
        }
        let edge = graph.graph.edge_weight(step.edge);
        let edge =
            edge.ok_or_else(|| format!("step {number} takes an edge that does not exist"))?;
        for term in terms.free_vars(&edge.terms()) {
            if let Some(var) = terms.as_var(term)
                && let Version::Aux(aux) = var.version
                && let Some(value) = step.aux().get(&aux)
                && !has_sort(value, terms.sort(term))
            {
                return Err(format!(
                    "in step {number}, {}",
                    ill_sorted(&var.name, value, terms.sort(term))
                ));
            }
        }
    }
    Ok(())
}

fn require_sorts(graph: &ProgramGraph, values: &State) -> Result<(), String> {
    for (name, value) in values {
        match graph.variables.get(name) {
            None => return Err(format!("there is no variable `{name}`")),
            Some(sort) if !has_sort(value, sort) => return Err(ill_sorted(name, value, sort)),
            Some(_) => {}
        }
    }
    Ok(())
}

fn ill_sorted(name: &str, value: &Value, sort: &Sort) -> String {
    format!("`{name}` has the value {value}, which is not of sort {sort}")
}

struct Execution<'a, 'p> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    structure: Structure<'a>,
    /// For each branch that was executed, the location and the state that it ends in.
    reached: Vec<(LocationId, State)>,
    provers: &'a mut Provers<'p>,
}

/// What the terms of a premise are about: the states before and after a step, and what the step says of auxiliaries.
struct Beside<'a, 'w, 't> {
    walk: &'a Walk<'w, 't>,
    step: &'a Step,
}

impl Interpretation for Beside<'_, '_, '_> {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        match var.version {
            Version::Aux(number) => self.step.aux().get(&number).cloned(),
            _ => self.walk.value(var).cloned(),
        }
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.walk.function(function, args)
    }
}

/// So many steps are executed between two questions whether to go on.
const STRIDE: usize = 256;

impl Execution<'_, '_> {
    fn axioms(
        &mut self,
        claim: &Run,
        known: &mut HashMap<Vec<Term>, Vec<Term>>,
    ) -> Result<(), Reason> {
        let nowhere = State::new();
        let valuation = Valuation {
            before: &nowhere,
            after: None,
            aux: None,
            rigid: &claim.rigid,
        };
        let mut silent = Vec::new();
        for &axiom in &self.graph.axioms {
            for conjunct in self.terms.conjuncts(axiom) {
                if self.is_silent(conjunct, claim) {
                    silent.push(conjunct);
                    continue;
                }
                let value = eval(self.terms, conjunct, &valuation);
                self.require(conjunct, &value, |_| None, || "an axiom".into())?;
            }
        }
        self.possible(silent, known)
    }

    /// Whether a formula is about symbols, and the run says nothing of any of them.
    fn is_silent(&self, formula: Term, claim: &Run) -> bool {
        let mut symbols = self.terms.post_order(&[formula]).into_iter();
        let mut any = false;
        symbols.all(|term| match self.terms.op(term) {
            Op::Apply(function) => {
                any = true;
                !claim.rigid.functions.contains_key(&function.name)
            }
            _ => true,
        }) && any
    }

    /// Succeeds only if symbols that the run says nothing of can have a meaning with which all these axioms
    /// are true, with the elements that there are in the run. All other formulas are shown for
    /// any meaning of such symbols, so also for that one.
    fn possible(
        &mut self,
        axioms: Vec<Term>,
        known: &mut HashMap<Vec<Term>, Vec<Term>>,
    ) -> Result<(), Reason> {
        if axioms.is_empty() {
            return Ok(());
        }
        self.provers.stopped()?;
        let rejected = |why: &str| {
            Err(Reason::RunRejected(format!(
                "axioms that it says nothing of: {why}"
            )))
        };
        let axioms = match known.get(&axioms) {
            Some(left) => left,
            None => {
                let left = without_definitions(self.terms, &axioms, self.provers);
                // What there was no time for says nothing about other runs.
                self.provers.stopped()?;
                known.entry(axioms).or_insert(left)
            }
        };
        if axioms.is_empty() {
            return Ok(());
        }
        let all = self.terms.and(axioms.iter().copied());
        let grown = growing(self.terms, all);
        for formula in [Some(all), grown].into_iter().flatten() {
            let opposite = self.terms.not(formula);
            let Some(question) = self.structure.refutation_of(opposite, |_| None) else {
                return rejected("a value of the wrong sort");
            };
            if self.provers.has_model(&question)? {
                return Ok(());
            }
        }
        rejected("no model was found")
    }

    /// Executes the edges of the accelerated path before a step, those of a rule once for the same values of all that they mention.
    fn accelerated(
        &mut self,
        walk: &mut Walk<'_, '_>,
        accelerated: &AcceleratedPath,
        number: usize,
    ) -> Result<(), Reason> {
        let mut taken = 0_usize;
        walk.follow(accelerated, &mut |walk, part| {
            taken = taken.wrapping_add(1);
            if taken.is_multiple_of(STRIDE) {
                self.provers.stopped()?;
            }
            match part {
                Taken::Edge(edge) => self.edge(walk, &Step::determined(edge), number),
                Taken::AllButTheLast(iterations) => {
                    self.iterations(walk, iterations, number)?;
                    let rejected = |why| Reason::RunRejected(format!("after step {number}, {why}"));
                    walk.take(part).map_err(rejected)
                }
            }
        })
    }

    /// Succeeds only if all of some iterations but the last one can be taken, and lead to the state that the last one begins in.
    fn iterations(
        &mut self,
        walk: &Walk<'_, '_>,
        iterations: &Iterations,
        number: usize,
    ) -> Result<(), Reason> {
        let terms = self.terms;
        let rejected =
            |why: &str| Reason::RunRejected(format!("the iterations before step {number}: {why}"));
        if iterations.count == 0 {
            return Err(rejected("there is none"));
        }
        let iteration = terms.fresh_aux("iteration", Sort::Int);
        let value_of = |name: &str| walk.now(name).cloned();
        let holds = (iterations.condition(terms, self.graph, value_of, iteration))
            .map_err(|why| rejected(&why))?;
        let is_there = terms.and2(
            terms.le(terms.int(0), iteration),
            terms.lt(iteration, terms.int(iterations.count - 1)),
        );
        let fails = terms.not(holds);
        self.provers
            .refute(&[is_there, fails])
            .map_err(|doubt| match doubt {
                Doubt::Satisfiable => rejected("not all of them can be taken"),
                Doubt::Unclear(reason) => rejected(&reason.to_string()),
            })?;
        // As for the conjuncts of one step: who refutes both is not believed.
        if iterations.count > 1 && self.provers.refute(&[is_there, holds]).is_ok() {
            return Err(rejected("contradictory answers of the solver"));
        }
        Ok(())
    }

    fn steps(&mut self, walk: &mut Walk<'_, '_>, steps: &[Step]) -> Result<(), Reason> {
        for (number, step) in steps.iter().enumerate() {
            if let Some(accelerated) = step.accelerated() {
                self.accelerated(walk, accelerated, number)?;
            }
            if number.is_multiple_of(STRIDE) {
                self.provers.stopped()?;
            }
            self.edge(walk, step, number)?;
        }
        Ok(())
    }

    fn has_premises(&self, step: &Step) -> bool {
        let edge = self.graph.graph.edge_weight(step.edge);
        edge.is_some_and(|edge| !edge.premises.is_empty())
    }

    /// Succeeds only if branches that were executed end where the premises of the step taken last say.
    fn premises(&self, walk: &Walk<'_, '_>, step: &Step) -> Result<(), String> {
        let premises = &self.graph.graph[step.edge].premises;
        if premises.len() != step.premises().len() {
            return Err(format!(
                "{} of {} premises are shown",
                step.premises().len(),
                premises.len()
            ));
        }
        let values = Beside { walk, step };
        for (premise, &branch) in premises.iter().zip(step.premises()) {
            let name = &self.graph.graph[premise.location].name;
            let Some((location, state)) = self.reached.get(branch) else {
                return Err(format!("the premise `{name}` is shown only later"));
            };
            if *location != premise.location {
                return Err(format!("another location is shown instead of `{name}`"));
            }
            for (variable, &term) in &premise.state {
                let wanted = eval(self.terms, term, &values).map_err(|e| e.to_string())?;
                let same = state.get(variable).and_then(|there| there.same(&wanted));
                if same != Some(true) {
                    return Err(format!("`{variable}` has another value at `{name}`"));
                }
            }
        }
        Ok(())
    }

    /// Takes the edge of a step. What becomes of it depends on the values that its formula mentions, and on nothing else.
    fn edge(&mut self, walk: &mut Walk<'_, '_>, step: &Step, number: usize) -> Result<(), Reason> {
        let rejected = |why: String| Err(Reason::RunRejected(why));
        // A step that says nothing says nothing of premises either.
        if step.says_nothing() && !self.has_premises(step) && walk.pass(step.edge) {
            return Ok(());
        }
        if let Err(why) = walk.edge(step) {
            return rejected(format!("after step {number}, {why}"));
        }
        self.premises(walk, step)
            .or_else(|why| rejected(format!("in step {number}, {why}")))?;
        let changed = &self.graph.graph[step.edge].transition.changed;
        for (name, value) in step.values() {
            if changed.contains(name) {
                continue;
            }
            let kept = walk.before(name).and_then(|before| before.same(value));
            if kept != Some(true) {
                return rejected(format!("step {number} must keep the value of `{name}`"));
            }
        }
        for name in changed {
            if step.value(name).is_some() {
                continue;
            }
            // A computed value: the graph is well-sorted, and so was the state before. What is left
            // is what values from outside must fulfil besides, a table without two names for a place.
            let sort = &self.graph.variables[name];
            if sort.is_indexed_by_maps()
                && !walk.now(name).is_some_and(|value| has_sort(value, sort))
            {
                return rejected(format!("after step {number}, `{name}` has no plain value"));
            }
        }
        let mut open = Vec::new();
        for (conjunct, value) in walk.conjuncts() {
            if !matches!(value, Ok(Value::Bool(true))) {
                open.push((conjunct, value.clone()));
            }
        }
        for (conjunct, value) in open {
            let what = || format!("the formula of step {number}");
            self.require(conjunct, &value, |var| walk.value(var).cloned(), what)?;
        }
        Ok(())
    }

    /// Succeeds only if the formula, which has been evaluated, is true.
    fn require(
        &mut self,
        formula: Term,
        value: &Evaluated,
        value_of: impl Fn(&Var) -> Option<Value>,
        what: impl Fn() -> String,
    ) -> Result<(), Reason> {
        self.provers.stopped()?;
        let rejected = |text: String| {
            let formula = brief(self.terms, formula);
            Reason::RunRejected(format!("{}: {text} in {formula}", what()))
        };
        let error = match value {
            Ok(Value::Bool(true)) => return Ok(()),
            Ok(_) => return Err(rejected("it is false".into())),
            Err(error) => error,
        };
        let question = self
            .structure
            .refutation_of(formula, value_of)
            .ok_or_else(|| rejected("a value of the wrong sort".into()))?;
        self.provers
            .refute(&question)
            .map_err(|doubt| match doubt {
                Doubt::Satisfiable => rejected(error.to_string()),
                Doubt::Unclear(reason) => rejected(format!("{error}; {reason}")),
            })?;
        // The formula is consistent with the facts about elements, if it holds. If the solvers refute
        // that as well, they were misunderstood or are wrong, and their answer means nothing. (Z3 has
        // been seen to refute that a map is equal to a lambda, and that it is not.)
        let mut opposite = question;
        opposite[0] = self.terms.not(opposite[0]);
        if self.provers.refute(&opposite).is_ok() {
            return Err(rejected("contradictory answers of the solver".into()));
        }
        Ok(())
    }
}
