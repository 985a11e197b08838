//! What an edge does: assignments, arbitrary values, and conditions, read off its formula.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
        let conjuncts = terms.conjuncts(transition.formula);
        let parts = Parts::of(terms, vars, &conjuncts);
        for conjunct in conjuncts {
            if let Some(assigned) = as_assignment(terms, vars, &parts, conjunct)
                && taken.insert(assigned.var)
            {
                effect.assigned.push(assigned);
                continue;
            }
            for &used in parts.uses(conjunct) {
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

    /// Whether the edge changes nothing and asks for nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.assigned.is_empty() && self.free.is_empty() && self.rest.is_empty()
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
fn as_assignment(terms: &Terms, vars: &Vars, parts: &Parts, conjunct: Term) -> Option<Assigned> {
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
        if !parts.is_computable(value) {
            return None;
        }
        let mut assigned = Assigned {
            var,
            value,
            reads: Vec::new(),
            pinned: false,
        };
        for used in parts.uses(value) {
            match *used {
                Use::Current(read) => assigned.reads.push(read),
                Use::Aux(_) => assigned.pinned = true,
                Use::Next(_) => return None,
            }
        }
        Some(assigned)
    })
}

/// What occurs in the conjuncts of a formula, and in the two sides of equations among them.
///
/// The values of a step may share most of what they are made of (the latches of a circuit its gates). So
/// each part is looked at once for every 64 variables, and not once for each value that it is in.
struct Parts {
    /// The variables and auxiliaries of each.
    uses: BTreeMap<Term, Vec<Use>>,
    /// Those for whose parts the evaluator has no rule.
    not_computable: HashSet<Term>,
}

impl Parts {
    fn of(terms: &Terms, vars: &Vars, conjuncts: &[Term]) -> Parts {
        let sides = conjuncts.iter().filter(|&&c| *terms.op(c) == Op::Eq);
        let sides = sides.flat_map(|&c| terms.args(c).iter().copied());
        let roots: Vec<Term> = conjuncts.iter().copied().chain(sides).collect();
        let order = terms.post_order(&roots);
        let position: HashMap<Term, usize> = (order.iter().copied())
            .enumerate()
            .map(|(position, term)| (term, position))
            .collect();
        let arguments: Vec<Vec<usize>> = (order.iter())
            .map(|&term| terms.args(term).iter().map(|arg| position[arg]).collect())
            .collect();
        let mut found: Vec<(Term, Use)> = (order.iter())
            .filter_map(|&term| Some((term, vars.which(terms, term)?)))
            .collect();
        found.sort_unstable_by_key(|(term, _)| *term);
        let mut uses: BTreeMap<Term, Vec<Use>> =
            roots.iter().map(|&root| (root, Vec::new())).collect();
        for some in found.chunks(u64::BITS as usize) {
            let mut occurs = vec![0u64; order.len()];
            for (bit, (term, _)) in some.iter().enumerate() {
                occurs[position[term]] = 1 << bit;
            }
            for (place, arguments) in arguments.iter().enumerate() {
                occurs[place] |= arguments.iter().fold(0, |all, &arg| all | occurs[arg]);
            }
            for (root, uses) in &mut uses {
                let occurs = occurs[position[root]];
                let bits = (0..some.len()).filter(|bit| occurs >> bit & 1 == 1);
                uses.extend(bits.map(|bit| some[bit].1));
            }
        }
        let mut not_computable = HashSet::new();
        for (&term, arguments) in order.iter().zip(&arguments) {
            let is_part = |&arg: &usize| not_computable.contains(&order[arg]);
            if !has_rule(terms, term) || arguments.iter().any(is_part) {
                not_computable.insert(term);
            }
        }
        Parts {
            uses,
            not_computable,
        }
    }

    /// The variables and auxiliaries that occur, in the order of their terms.
    fn uses(&self, term: Term) -> &[Use] {
        self.uses.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Whether the evaluator has a rule for everything.
    fn is_computable(&self, term: Term) -> bool {
        !self.not_computable.contains(&term)
    }
}

/// Whether the evaluator has a rule for a term, once it has the values of its arguments.
fn has_rule(terms: &Terms, term: Term) -> bool {
    let is_map = |term: &Term| matches!(terms.sort(*term), Sort::Map(_));
    match terms.op(term) {
        Op::Bind(_) | Op::Builtin(_) => false,
        Op::Apply(_) => !terms.args(term).iter().any(is_map),
        _ => true,
    }
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
