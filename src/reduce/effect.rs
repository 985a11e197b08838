//! What an edge does: assignments, arbitrary values, and conditions, read off its formula.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{ProgramGraph, Transition};

/// The program variables of a graph by number.
pub(crate) struct Vars {
    names: Vec<Arc<str>>,
    current: Vec<Term>,
    next: Vec<Term>,
    numbers: HashMap<Term, Use>,
    by_name: HashMap<Arc<str>, usize>,
}

/// Which variable a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// The value before the step, of the variable with this number.
    Current(usize),
    /// The value after the step, of the variable with this number.
    Next(usize),
    /// The auxiliary with this number.
    Aux(u32),
}

impl Vars {
    /// Numbers the variables in the order of their declaration.
    pub(crate) fn of(terms: &Terms, graph: &ProgramGraph) -> Vars {
        let mut vars = Vars {
            names: Vec::new(),
            current: Vec::new(),
            next: Vec::new(),
            numbers: HashMap::new(),
            by_name: HashMap::new(),
        };
        for (number, (name, sort)) in graph.variables.iter().enumerate() {
            let current = terms.current(name.clone(), sort.clone());
            let next = terms.next(name.clone(), sort.clone());
            vars.names.push(name.clone());
            vars.by_name.insert(name.clone(), number);
            vars.current.push(current);
            vars.next.push(next);
            vars.numbers.insert(current, Use::Current(number));
            vars.numbers.insert(next, Use::Next(number));
        }
        vars
    }

    /// The name of a variable.
    pub(crate) fn name(&self, number: usize) -> &Arc<str> {
        &self.names[number]
    }

    /// The number of a variable.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The term for the value before a step.
    pub(crate) fn current(&self, number: usize) -> Term {
        self.current[number]
    }

    /// The terms for the values before a step.
    pub(crate) fn all_current(&self) -> &[Term] {
        &self.current
    }

    /// The term for the value after a step.
    pub(crate) fn next(&self, number: usize) -> Term {
        self.next[number]
    }

    /// Which variable or auxiliary a term is, if any.
    pub(crate) fn which(&self, terms: &Terms, term: Term) -> Option<Use> {
        match terms.as_var(term)?.version {
            Version::Aux(number) => Some(Use::Aux(number)),
            _ => self.numbers.get(&term).copied(),
        }
    }

    /// The variables and auxiliaries that occur in a term.
    pub(crate) fn uses(&self, terms: &Terms, term: Term) -> Vec<Use> {
        let vars = terms.free_vars(&[term]).into_iter();
        vars.filter_map(|t| self.which(terms, t)).collect()
    }
}

/// The effect of an edge. The formula of the edge is equivalent to `x' == value` for all
/// `assigned`, and all `rest`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    /// Variables with a value that the state before determines.
    pub assigned: Vec<Assigned>,
    /// The other variables that may change: arbitrary, or constrained by `rest`.
    pub free: Vec<usize>,
    /// The other conjuncts.
    pub rest: Vec<Term>,
    /// The numbers of the variables whose values before the step the `rest` and pinned
    /// assignments mention, in order.
    pub reads: Vec<usize>,
    /// The numbers of the variables whose values after the step the `rest` mentions, in order.
    pub constrained: Vec<usize>,
    /// The auxiliaries of the formula, in order.
    pub aux: Vec<Term>,
}

/// `x' == value`
#[derive(Clone, Debug)]
pub(crate) struct Assigned {
    /// The number of the variable.
    pub var: usize,
    /// The value: a term over values before the step, and auxiliaries.
    pub value: Term,
    /// The numbers of the variables that the value mentions.
    pub reads: Vec<usize>,
    /// The value takes part in the rest of the formula (through `x'` or an auxiliary), so the
    /// assignment restricts the step even if nobody reads `x` afterwards.
    pub pinned: bool,
}

impl Effect {
    /// Reads an effect off a transition.
    pub(crate) fn of(terms: &Terms, vars: &Vars, transition: &Transition) -> Effect {
        let mut effect = Effect::default();
        let mut taken = HashSet::new();
        let mut constrained = BTreeSet::new();
        let mut reads = BTreeSet::new();
        for conjunct in terms.conjuncts(transition.formula) {
            if let Some(assigned) = as_assignment(terms, vars, conjunct)
                && taken.insert(assigned.var)
            {
                effect.assigned.push(assigned);
                continue;
            }
            for used in vars.uses(terms, conjunct) {
                match used {
                    Use::Next(var) => {
                        constrained.insert(var);
                    }
                    Use::Current(var) => {
                        reads.insert(var);
                    }
                    Use::Aux(_) => {}
                }
            }
            effect.rest.push(conjunct);
        }
        for assigned in &mut effect.assigned {
            assigned.pinned |= constrained.contains(&assigned.var);
            if assigned.pinned {
                reads.extend(assigned.reads.iter().copied());
            }
        }
        effect.free = transition
            .changed
            .iter()
            .filter_map(|name| vars.number(name))
            .filter(|var| !taken.contains(var))
            .collect();
        effect.reads = reads.into_iter().collect();
        effect.constrained = constrained.into_iter().collect();
        let free_vars = terms.free_vars(&[transition.formula]).into_iter();
        effect.aux = free_vars
            .filter(|&t| matches!(vars.which(terms, t), Some(Use::Aux(_))))
            .collect();
        effect
    }

    /// Whether the formula relates the value of `var` after the step to anything but the value
    /// assigned to it.
    pub(crate) fn is_constrained(&self, var: usize) -> bool {
        self.constrained.binary_search(&var).is_ok()
    }

    /// The numbers of all variables that may change.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> + '_ {
        let assigned = self.assigned.iter().map(|assigned| assigned.var);
        assigned.chain(self.free.iter().copied())
    }
}

/// A conjunct as an assignment: `x' == e`, `e == x'`, `b'` or `!b'`, where `e` mentions no value
/// after the step and can be computed. (If it cannot, the way back relies on the value that a run
/// claims, as for any other condition.)
fn as_assignment(terms: &Terms, vars: &Vars, conjunct: Term) -> Option<Assigned> {
    let next = |term: Term| match vars.which(terms, term) {
        Some(Use::Next(var)) => Some(var),
        _ => None,
    };
    let candidates = match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::Var(_), _) => vec![(conjunct, terms.tt())],
        (Op::Not, [inner]) => vec![(*inner, terms.ff())],
        (Op::Eq, [left, right]) => vec![(*left, *right), (*right, *left)],
        _ => return None,
    };
    candidates.into_iter().find_map(|(variable, value)| {
        let var = next(variable)?;
        if !is_computable(terms, value) {
            return None;
        }
        let mut assigned = Assigned {
            var,
            value,
            reads: Vec::new(),
            pinned: false,
        };
        for used in vars.uses(terms, value) {
            match used {
                Use::Current(read) => assigned.reads.push(read),
                Use::Aux(_) => assigned.pinned = true,
                Use::Next(_) => return None,
            }
        }
        Some(assigned)
    })
}

/// Whether the evaluator has a rule for everything in a term.
fn is_computable(terms: &Terms, term: Term) -> bool {
    let is_map = |term: &Term| matches!(terms.sort(*term), Sort::Map(_));
    let parts = terms.post_order(&[term]);
    parts.into_iter().all(|part| match terms.op(part) {
        Op::Bind(_) | Op::Builtin(_) => false,
        Op::Apply(_) => !terms.args(part).iter().any(is_map),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_conditions_and_arbitrary_values_are_told_apart() {
        let terms = Terms::new();
        let mut graph = ProgramGraph::new("p");
        for name in ["x", "y", "z", "u"] {
            graph.variables.insert(name.into(), Sort::Int);
        }
        graph.variables.insert("b".into(), Sort::Bool);
        let vars = Vars::of(&terms, &graph);
        let x_next_is_y_plus_1 =
            terms.eq(vars.next(0), terms.add(&[vars.current(1), terms.int(1)]));
        // x' == y + 1 && y' == x' && z' > u && !b', and u arbitrary
        let transition = Transition {
            formula: terms.and([
                x_next_is_y_plus_1,
                terms.eq(vars.next(1), vars.next(0)),
                terms.gt(vars.next(2), vars.current(3)),
                terms.not(vars.next(4)),
            ]),
            changed: ["x", "y", "z", "u", "b"].map(Into::into).into(),
        };
        let effect = Effect::of(&terms, &vars, &transition);
        let assigned: Vec<_> = effect
            .assigned
            .iter()
            .map(|a| (a.var, terms.display(a.value), a.pinned))
            .collect();
        // `y' == x'` speaks about x', so it is a condition, and x is pinned by it.
        assert_eq!(
            assigned,
            [(0, "y + 1".into(), true), (4, "false".into(), false)]
        );
        assert_eq!(effect.free, [3, 1, 2]);
        assert_eq!(effect.rest.len(), 2);
        assert_eq!(effect.reads, [1, 3]);
    }

    #[test]
    fn a_second_value_for_a_variable_is_a_condition() {
        let terms = Terms::new();
        let mut graph = ProgramGraph::new("p");
        graph.variables.insert("x".into(), Sort::Int);
        let vars = Vars::of(&terms, &graph);
        let formula = terms.and([
            terms.eq(vars.next(0), terms.int(1)),
            terms.eq(vars.next(0), vars.current(0)),
        ]);
        let transition = Transition {
            formula,
            changed: ["x".into()].into(),
        };
        let effect = Effect::of(&terms, &vars, &transition);
        assert_eq!((effect.assigned.len(), effect.rest.len()), (1, 1));
        assert!(effect.assigned[0].pinned);
    }
}
