//! Along a run, from state to state.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::accelerated_path::{self, Steps};
use super::evidence::{AcceleratedPath, RigidMeaning, Run, State, Step, Taken};
use super::{EdgeId, ProgramGraph};
use crate::formula::{
    Compiled, EvalError, Evaluated, Function, Interpretation, Op, Sort, Term, Terms, Value, Var,
    Version, eval,
};

/// Goes along a run and knows the state before and after the step taken last.
///
/// It computes what steps leave out, and judges nothing: whether the formulas of the edges hold is
/// told by [`Walk::conjuncts`] for whoever wants to know.
pub struct Walk<'w, 't> {
    plans: &'w mut Plans<'t>,
    rigid: &'w RigidMeaning,
    /// The edge taken last, and whether some variable that it defines was given a value.
    last: Option<(EdgeId, bool)>,
    /// The values of all variables before the step, in order; those after the step of the
    /// variables that it may change; those of its auxiliaries.
    slots: Vec<Evaluated>,
}

/// What there is to know about the edges that were walked along so far.
///
/// It is the same for all runs. Where a graph has many runs, they share it: to find out costs much more than to take the step.
pub struct Plans<'t> {
    pub(super) terms: &'t Terms,
    pub(super) graph: &'t ProgramGraph,
    /// By the number of the edge.
    edges: Vec<Option<Box<Plan<'t>>>>,
}

impl<'t> Plans<'t> {
    /// Nothing is known about any edge.
    pub fn new(terms: &'t Terms, graph: &'t ProgramGraph) -> Plans<'t> {
        Plans {
            terms,
            graph,
            edges: Vec::new(),
        }
    }

    /// What there is to know about an edge of the graph.
    pub(super) fn of(&mut self, edge: EdgeId) -> &mut Plan<'t> {
        let (terms, graph) = (self.terms, self.graph);
        if self.edges.len() <= edge.index() {
            self.edges.resize_with(edge.index() + 1, || None);
        }
        let plan = &mut self.edges[edge.index()];
        plan.get_or_insert_with(|| Box::new(Plan::of(terms, graph, edge)))
    }

    /// What is known about an edge that was walked along.
    fn known(&self, edge: EdgeId) -> Option<&Plan<'t>> {
        self.edges.get(edge.index())?.as_deref()
    }
}

/// What there is to know about an edge.
pub(super) struct Plan<'a> {
    /// The numbers of the variables that may change, each with the number of its definition.
    pub(super) changed: Vec<(usize, Option<usize>)>,
    /// The numbers of the auxiliaries, in the order of their slots.
    pub(super) aux: Vec<u32>,
    /// The values of the definitions.
    pub(super) values: Compiled<'a>,
    /// The conjuncts that are no definitions.
    pub(super) rest: Conjuncts<'a>,
    /// All conjuncts; wanted only when a defined variable is given a value.
    all: Option<Conjuncts<'a>>,
    /// Whether the edge changes nothing and is taken in any state.
    is_idle: bool,
}

pub(super) struct Conjuncts<'a> {
    pub(super) list: Vec<Term>,
    pub(super) code: Compiled<'a>,
}

/// The meaning of symbols; variables have slots.
struct Symbols<'a>(&'a RigidMeaning);

impl Interpretation for Symbols<'_> {
    fn variable(&self, _: &Var, _: &Sort) -> Option<Value> {
        None
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.0.apply(&function.name, args)
    }
}

impl Interpretation for Walk<'_, '_> {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        self.value(var).cloned()
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.rigid.apply(&function.name, args)
    }
}

/// A conjunct of an edge's formula with its value.
pub(super) type Judged<'w> = (Term, &'w Evaluated);

impl<'w, 't> Walk<'w, 't> {
    /// At the start of a run of the graph that the plans are about.
    pub fn new(plans: &'w mut Plans<'t>, run: &'w Run) -> Walk<'w, 't> {
        Walk::from(plans, &run.start, &run.rigid)
    }

    /// At the initial location, in this state.
    pub fn from(plans: &'w mut Plans<'t>, start: &State, rigid: &'w RigidMeaning) -> Walk<'w, 't> {
        let variables = plans.graph.variables.keys();
        Walk {
            slots: variables.map(|name| found(start.get(name), name)).collect(),
            plans,
            rigid,
            last: None,
        }
    }

    /// Takes a step, and the accelerated path before it if there is one. Values of variables that the edge does not change are not
    /// looked at.
    ///
    /// # Errors
    /// If an edge does not exist, or a variable that it may change is neither given a value nor
    /// defined. The walk ends there.
    pub fn step(&mut self, step: &Step) -> Result<(), String> {
        if let Some(accelerated) = step.accelerated() {
            self.follow(accelerated, &mut |walk, taken| walk.take(taken))?;
        }
        self.edge(step)
    }

    /// Takes what there is in an accelerated path: `take` takes one part ([`Walk::take`]), for every state in which it matters. It must not
    /// depend on anything but the values of the variables that the edges' formulas mention.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn follow<E>(
        &mut self,
        accelerated: &AcceleratedPath,
        take: &mut dyn FnMut(&mut Self, Taken<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.settle();
        let (terms, graph) = (self.plans.terms, self.plans.graph);
        accelerated_path::follow(
            terms,
            graph,
            accelerated,
            &mut Following { walk: self, take },
        )
    }

    /// Takes a part of an accelerated path.
    ///
    /// # Errors
    /// As those of [`Walk::step`]; or if what is to grow is no integer.
    pub fn take(&mut self, taken: Taken<'_>) -> Result<(), String> {
        match taken {
            Taken::Edge(edge) => self.edge(&Step::determined(edge)),
            Taken::AllButTheLast(iterations) => {
                self.settle();
                let grown = iterations.before_the_last(|name| self.before(name).cloned())?;
                for (name, value) in grown {
                    let variable = self.plans.graph.variables.get_index_of(&name);
                    let variable = variable.ok_or_else(|| format!("there is no `{name}`"))?;
                    self.slots[variable] = Ok(value);
                }
                Ok(())
            }
        }
    }

    /// Takes the edge of a step, and not the accelerated path before it. As [`Walk::step`] else.
    ///
    /// # Errors
    /// As those of [`Walk::step`].
    pub fn edge(&mut self, step: &Step) -> Result<(), String> {
        if step.says_nothing() && self.pass(step.edge) {
            return Ok(());
        }
        self.settle();
        let graph = self.plans.graph;
        let count = graph.variables.len();
        if graph.graph.edge_weight(step.edge).is_none() {
            return Err("the trace takes an edge that does not exist".into());
        }
        let plan = self.plans.of(step.edge);
        let size = 2 * count + plan.aux.len();
        if self.slots.len() < size {
            self.slots
                .resize(size, Err(EvalError::Unbound("it".into())));
        }
        for (slot, number) in (2 * count..).zip(&plan.aux) {
            let name = || format!("auxiliary {number}");
            let value = step.aux().get(number).cloned();
            self.slots[slot] = value.ok_or_else(|| EvalError::Unbound(name()));
        }
        let (mut given, mut computed) = (false, false);
        for &(variable, definition) in &plan.changed {
            let name = name_of(graph, variable);
            match (step.value(name), definition) {
                (Some(value), definition) => {
                    self.slots[count + variable] = Ok(value.clone());
                    given |= definition.is_some();
                }
                (None, Some(_)) => computed = true,
                (None, None) => return Err(format!("`{name}` has no value")),
            }
        }
        if computed {
            plan.values.evaluate(&self.slots, &Symbols(self.rigid));
            for &(variable, definition) in &plan.changed {
                let Some(definition) = definition else {
                    continue;
                };
                let name = name_of(graph, variable);
                if step.value(name).is_some() {
                    continue;
                }
                let value = plan.values.root(definition, &self.slots).clone();
                if let Err(error) = &value {
                    return Err(format!("`{name}` has no value: {error}"));
                }
                self.slots[count + variable] = value;
            }
        }
        self.last = Some((step.edge, given));
        Ok(())
    }

    /// Takes an edge that changes nothing and can be taken in any state, and tells whether it is one. No other is taken.
    pub fn pass(&mut self, edge: EdgeId) -> bool {
        let is_idle = (self.plans.known(edge)).is_some_and(|plan| plan.is_idle);
        if is_idle {
            self.settle();
        }
        is_idle
    }

    /// What came after the last step is what is before the next one.
    fn settle(&mut self) {
        let count = self.plans.graph.variables.len();
        let Some((edge, _)) = self.last.take() else {
            return;
        };
        let plan = self.plans.known(edge);
        for &(variable, _) in plan.iter().flat_map(|plan| &plan.changed) {
            self.slots.swap(variable, count + variable);
        }
    }

    /// The conjuncts of the formula of the step taken last, each with its value. A definition by
    /// which a new value was computed holds by that, and is left out.
    pub fn conjuncts(&mut self) -> impl Iterator<Item = Judged<'_>> {
        let Walk {
            plans,
            last,
            slots,
            rigid,
        } = self;
        let Plans {
            terms,
            graph,
            ref mut edges,
        } = **plans;
        let conjuncts = last.and_then(|(edge, given)| {
            let plan = edges.get_mut(edge.index())?.as_mut()?;
            let conjuncts = match given {
                false => &mut plan.rest,
                true => plan.all.get_or_insert_with(|| {
                    let formula = graph.graph[edge].transition.formula;
                    Conjuncts::of(terms, graph, edge, &plan.aux, terms.conjuncts(formula))
                }),
            };
            conjuncts.code.evaluate(slots, &Symbols(rigid));
            Some(&*conjuncts)
        });
        let slots: &[Evaluated] = slots;
        conjuncts
            .into_iter()
            .flat_map(move |Conjuncts { list, code }| {
                let all = list.iter().enumerate();
                all.map(move |(number, &conjunct)| (conjunct, code.root(number, slots)))
            })
    }

    /// The value of a free variable of the edge's formula, in the states before and after the step
    /// taken last.
    pub fn value(&self, var: &Var) -> Option<&Value> {
        let count = self.plans.graph.variables.len();
        let slot = match (var.version, self.last) {
            (Version::Current, _) => self.plans.graph.variables.get_index_of(&var.name)?,
            (Version::Next, _) => self.slot_after(&var.name)?,
            (Version::Aux(number), Some((edge, _))) => {
                let aux = &self.plans.known(edge)?.aux;
                2 * count + aux.iter().position(|&other| other == number)?
            }
            _ => return None,
        };
        self.slots[slot].as_ref().ok()
    }

    /// The value of a term over the states before and after the step taken last.
    pub fn evaluate(&self, term: Term) -> Evaluated {
        eval(self.plans.terms, term, self)
    }

    /// The value of a variable before the step taken last.
    pub fn before(&self, name: &str) -> Option<&Value> {
        let slot = self.plans.graph.variables.get_index_of(name)?;
        self.slots[slot].as_ref().ok()
    }

    /// The value of a variable now.
    pub fn now(&self, name: &str) -> Option<&Value> {
        self.slots[self.slot_after(name)?].as_ref().ok()
    }

    /// The state now. This copies it.
    pub fn state(&self) -> State {
        let names = self.plans.graph.variables.keys();
        names
            .filter_map(|name| Some((name.clone(), self.now(name)?.clone())))
            .collect()
    }

    fn slot_after(&self, name: &str) -> Option<usize> {
        let variable = self.plans.graph.variables.get_index_of(name)?;
        let last = self.last.and_then(|(edge, _)| self.plans.known(edge));
        let changed = last.is_some_and(|plan| {
            let changed = &plan.changed;
            changed.iter().any(|&(other, _)| other == variable)
        });
        Some(match changed {
            true => self.plans.graph.variables.len() + variable,
            false => variable,
        })
    }
}

/// A walk along an accelerated path.
struct Following<'f, 'w, 't, E> {
    walk: &'f mut Walk<'w, 't>,
    take: &'f mut dyn FnMut(&mut Walk<'w, 't>, Taken<'_>) -> Result<(), E>,
}

impl<E> Steps<E> for Following<'_, '_, '_, E> {
    fn take(&mut self, taken: Taken<'_>) -> Result<(), E> {
        (self.take)(self.walk, taken)?;
        self.walk.settle();
        Ok(())
    }

    fn value(&self, variable: usize) -> Option<&Value> {
        self.walk.slots[variable].as_ref().ok()
    }

    fn set(&mut self, variable: usize, value: Value) {
        self.walk.slots[variable] = Ok(value);
    }
}

fn name_of(graph: &ProgramGraph, variable: usize) -> &Arc<str> {
    let (name, _) = graph.variables.get_index(variable).expect("numbered by it");
    name
}

fn found(value: Option<&Value>, name: &str) -> Evaluated {
    value
        .cloned()
        .ok_or_else(|| EvalError::Unbound(name.to_owned()))
}

impl<'a> Plan<'a> {
    fn of(terms: &'a Terms, graph: &'a ProgramGraph, edge: EdgeId) -> Plan<'a> {
        let transition = &graph.graph[edge].transition;
        let mut aux: Vec<u32> = Vec::new();
        for term in terms.free_vars(&[transition.formula]) {
            if let Some(Version::Aux(number)) = terms.as_var(term).map(|var| var.version) {
                aux.push(number);
            }
        }
        let (definitions, rest) = transition.definitions(terms);
        let numbers: BTreeMap<&Arc<str>, usize> = (definitions.iter().zip(0..))
            .map(|(definition, number)| (&definition.variable, number))
            .collect();
        let changed = transition.changed.iter().filter_map(|name| {
            let variable = graph.variables.get_index_of(name)?;
            Some((variable, numbers.get(name).copied()))
        });
        let changed: Vec<_> = changed.collect();
        let values: Vec<Term> = definitions.iter().map(|d| d.value).collect();
        Plan {
            is_idle: transition.changed.is_empty()
                && *terms.op(transition.formula) == Op::Bool(true),
            changed,
            values: compiled(terms, graph, edge, &aux, &values),
            rest: Conjuncts::of(terms, graph, edge, &aux, rest),
            all: None,
            aux,
        }
    }
}

impl<'a> Conjuncts<'a> {
    fn of(
        terms: &'a Terms,
        graph: &ProgramGraph,
        edge: EdgeId,
        aux: &[u32],
        list: Vec<Term>,
    ) -> Self {
        Conjuncts {
            code: compiled(terms, graph, edge, aux, &list),
            list,
        }
    }
}

fn compiled<'a>(
    terms: &'a Terms,
    graph: &ProgramGraph,
    edge: EdgeId,
    aux: &[u32],
    roots: &[Term],
) -> Compiled<'a> {
    let count = graph.variables.len();
    let changed = &graph.graph[edge].transition.changed;
    Compiled::new(terms, roots, |var| match var.version {
        Version::Current => graph.variables.get_index_of(&var.name),
        Version::Next => {
            let variable = graph.variables.get_index_of(&var.name)?;
            let is_kept = !changed.contains(&var.name);
            Some(if is_kept { variable } else { count + variable })
        }
        Version::Aux(number) => Some(2 * count + aux.iter().position(|&other| other == number)?),
        Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => None,
    })
}
