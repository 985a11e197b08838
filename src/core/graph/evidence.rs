//! Evidence about a program graph: invariants and runs.
//!
//! Evidence is a claim. Engines make it, reductions carry it back, and only the checker
//! (`ult_check`) turns it into a verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

pub use super::accelerated_path::{AcceleratedPath, DEEPEST, Footprint, Symbol, Taken};
pub use super::iterations::Iterations;
pub use super::walk::{Plans, Walk};
use super::{EdgeId, LocationId};
use crate::formula::{Function, FunctionValue, Interpretation, Sort, Term, Value, Var, Version};

/// Claimed invariants: state formulas (over [`Version::Current`] and rigid symbols) at some
/// locations.
///
/// The claim: at every location in `at`, the formula holds whenever a run is there; no error
/// location outside `exempt` is reachable. The locations in `at` must cut every cycle that a run
/// can reach. The initial location counts as `true` unless given.
///
/// The formulas are inductive by themselves: each follows from those at the cut locations before,
/// within one *segment*, which is a part of a run from a cut location (one in `at`, the initial
/// one, or an error location) to the next one. How an error location is excluded may take more
/// than one segment; see [`Argument`].
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// The formulas.
    pub at: BTreeMap<LocationId, Term>,
    /// Error locations that the claim does not cover (known or believed to be reachable).
    pub exempt: BTreeSet<LocationId>,
    /// For error locations outside `exempt`, why they are not reached, if not because no segment
    /// from a location whose formula holds ends there.
    pub arguments: BTreeMap<LocationId, Argument>,
}

impl Invariants {
    /// Whether the claim is that one segment is enough to see that `error` is not reached.
    pub fn excludes_directly(&self, error: LocationId) -> bool {
        !self.exempt.contains(&error) && !self.arguments.contains_key(&error)
    }
}

/// Why no run reaches an error location, where one segment is not enough to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// k-induction relative to the formulas: no `k` segments in a row, from any cut location whose
    /// formula holds, end there; and it is not reached from the initial location in fewer. With
    /// `k = 1` this is what is claimed without an argument.
    Inductive(NonZeroU32),
    /// The forward condition of bounded model checking: it is not reached in this number of
    /// segments or fewer, and no run gets that far and to a location with a way to it.
    Bounded(NonZeroU32),
    /// Explicit-state exploration: whoever follows all runs from what is known at the start, by evaluation
    /// ([`partial`](super::partial)), comes to an end and not past it. The formulas play no part.
    Explored,
}

/// A state: a value for every program variable.
pub type State = IndexMap<Arc<str>, Value>;

/// The meaning of the rigid symbols in a run.
#[derive(Clone, Debug, Default)]
pub struct RigidMeaning {
    /// Tables by name of the symbol; constants have one entry-less table.
    pub functions: BTreeMap<Arc<str>, FunctionValue>,
}

/// A claimed run from the initial location.
///
/// Runs may have millions of steps, so a step says no more than it has to; [`Walk`] goes along a
/// run and knows the states.
#[derive(Clone, Debug)]
pub struct Run {
    /// The state at the initial location.
    pub start: State,
    /// The steps, in order; the last one enters an error location.
    pub steps: Vec<Step>,
    /// Traces to the premises of steps ([`Premise`](super::Premise)). A step refers to them by number, and a branch only to
    /// branches before it: together they are a tree of traces, with shared parts written once.
    pub branches: Vec<Branch>,
    /// The meaning of the rigid symbols, the same in all states.
    pub rigid: RigidMeaning,
}

/// A trace from the initial location to the location of a premise.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The state at the initial location.
    pub start: State,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Run {
    /// A run without branches: no step that it takes has premises.
    pub fn new(start: State, steps: Vec<Step>, rigid: RigidMeaning) -> Run {
        Run {
            start,
            steps,
            branches: Vec::new(),
            rigid,
        }
    }

    /// The steps of all branches and its own.
    fn all_steps(&self) -> impl Iterator<Item = &Step> {
        let branches = self.branches.iter().flat_map(|branch| &branch.steps);
        branches.chain(&self.steps)
    }

    /// The edges that it takes, most of them several times; those of its branches too.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> {
        self.all_steps().flat_map(|step| {
            let before = step.accelerated().map(AcceleratedPath::edges);
            before.into_iter().flatten().chain([step.edge])
        })
    }

    /// Whether it is written step by step, without an accelerated path.
    pub fn is_plain(&self) -> bool {
        self.all_steps().all(|step| step.accelerated().is_none())
    }
}

/// One step of a run, or an accelerated path and the step behind it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The edge taken; if there is an accelerated path, the one behind it.
    pub edge: EdgeId,
    /// What is said about it, if anything.
    said: Option<Box<Said>>,
}

/// What a step says besides its edge.
#[derive(Clone, Debug, Default)]
struct Said {
    values: State,
    aux: BTreeMap<u32, Value>,
    premises: Vec<usize>,
    accelerated: Option<Arc<AcceleratedPath>>,
}

impl Step {
    /// A step that says values of variables after it, and of auxiliaries of the edge's formula by
    /// number; the latter may be partial.
    ///
    /// A variable that is not among the values keeps its value if the edge does not change it. If
    /// the edge does, its formula must define the new value ([`Definition`](super::Definition)).
    pub fn new(edge: EdgeId, aux: BTreeMap<u32, Value>, values: State) -> Step {
        // Of a run's steps most have nothing to say, and there may be millions.
        let is_said = !(aux.is_empty() && values.is_empty());
        Step {
            edge,
            said: is_said.then(|| {
                Box::new(Said {
                    values,
                    aux,
                    ..Said::default()
                })
            }),
        }
    }

    /// A step that says nothing: all is determined by the state before it.
    pub fn determined(edge: EdgeId) -> Step {
        Step { edge, said: None }
    }

    /// Whether it is only an edge.
    pub fn says_nothing(&self) -> bool {
        self.said.is_none()
    }

    /// The same step behind an accelerated path. What it says about values after it is about the step itself.
    pub fn behind(mut self, accelerated: Arc<AcceleratedPath>) -> Step {
        self.said.get_or_insert_default().accelerated = Some(accelerated);
        self
    }

    /// What is taken before the edge, if it is not only the edge.
    pub fn accelerated(&self) -> Option<&AcceleratedPath> {
        self.said.as_ref()?.accelerated.as_deref()
    }

    /// The same step after the branches with these numbers, one for each premise of its edge.
    pub fn after(mut self, branches: Vec<usize>) -> Step {
        self.said.get_or_insert_default().premises = branches;
        self
    }

    /// The numbers of the branches that lead to the premises of its edge, in their order.
    pub fn premises(&self) -> &[usize] {
        self.said.as_ref().map_or(&[], |said| &said.premises)
    }

    /// The values said, of variables after the step.
    pub fn values(&self) -> &State {
        static NONE: LazyLock<State> = LazyLock::new(State::default);
        self.said.as_ref().map_or(&NONE, |said| &said.values)
    }

    /// The value of a variable after the step, if it is said.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.said.as_ref()?.values.get(name)
    }

    /// The values said, to be changed.
    pub fn values_mut(&mut self) -> &mut State {
        &mut self.said.get_or_insert_default().values
    }

    /// Values for auxiliaries of the edge's formula, by number.
    pub fn aux(&self) -> &BTreeMap<u32, Value> {
        static NONE: BTreeMap<u32, Value> = BTreeMap::new();
        self.said.as_ref().map_or(&NONE, |said| &said.aux)
    }

    /// The values for auxiliaries, to be changed.
    pub fn aux_mut(&mut self) -> &mut BTreeMap<u32, Value> {
        &mut self.said.get_or_insert_default().aux
    }
}

/// Interprets terms by up to two states and tables: [`Version::Current`] by `before`,
/// [`Version::Next`] by `after`, auxiliaries by `aux`.
pub struct Valuation<'a> {
    /// The state for unprimed variables.
    pub before: &'a State,
    /// The state for primed variables.
    pub after: Option<&'a State>,
    /// Values of auxiliaries by number.
    pub aux: Option<&'a BTreeMap<u32, Value>>,
    /// The rigid symbols.
    pub rigid: &'a RigidMeaning,
}

impl Interpretation for Valuation<'_> {
    fn variable(&self, var: &Var, _sort: &Sort) -> Option<Value> {
        match var.version {
            Version::Current => self.before.get(&var.name).cloned(),
            Version::Next => self.after?.get(&var.name).cloned(),
            Version::Aux(number) => self.aux?.get(&number).cloned(),
            Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => None,
        }
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.rigid.apply(&function.name, args)
    }
}

impl RigidMeaning {
    /// The value of a symbol at arguments. Arguments that are maps have no unique table entry and
    /// get no answer.
    pub fn apply(&self, name: &str, args: &[Value]) -> Option<Value> {
        let table = self.functions.get(name)?;
        if args.iter().any(|a| matches!(a, Value::Map(_))) {
            return None;
        }
        Some(table.entries.get(args).unwrap_or(&table.default).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_says_nothing_takes_no_room() {
        let mut step = Step::new(EdgeId::new(7), BTreeMap::new(), State::new());
        assert!(step.said.is_none());
        assert!(step.values().is_empty() && step.aux().is_empty());
        step.values_mut().insert("x".into(), Value::Bool(true));
        assert_eq!(step.value("x"), Some(&Value::Bool(true)));
    }
}
