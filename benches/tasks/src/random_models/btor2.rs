//! Random circuits in BTOR2, with words of few bits and arrays of few elements.
//!
//! The truth is a search through all values of the states, with all values of the inputs in each of them. A state without a
//! first value starts with any, and one without a next value has any in each step. The constraints have to hold in every
//! step up to the bad one, and there as well.

mod operators;
mod writer;

use std::collections::{BTreeSet, VecDeque};

use super::Model;
use super::chance::Chance;
use operators::{OPERATORS, Operator};

/// So many combinations of states, inputs and free states are looked at.
const MOST_STEPS: u64 = 1 << 17;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Word(u32),
    /// The widths of indices and of elements.
    Array(u32, u32),
}

impl Sort {
    /// The bits of a value; the elements of an array stand behind each other.
    fn bits(self) -> u32 {
        match self {
            Sort::Word(width) => width,
            Sort::Array(index, element) => element << index,
        }
    }
}

/// A node, or what has all its bits inverted.
#[derive(Clone, Copy, Debug)]
struct Arg {
    node: usize,
    is_inverted: bool,
}

fn plain(node: usize) -> Arg {
    Arg {
        node,
        is_inverted: false,
    }
}

#[derive(Clone, Debug)]
enum Def {
    Constant(u64),
    State {
        first: Option<usize>,
        next: Option<Arg>,
    },
    Input,
    Apply(Operator, Vec<Arg>, Vec<u32>),
}

#[derive(Clone, Debug)]
struct Node {
    sort: Sort,
    def: Def,
}

/// Nodes stand behind those that they depend on, but for next values.
#[derive(Clone, Debug, Default)]
struct Circuit {
    nodes: Vec<Node>,
    bad: Vec<Arg>,
    constraints: Vec<Arg>,
}

/// What the search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Nothing bad, and so many states.
    Never(usize),
    /// Something bad after so many steps.
    After(u32),
}

/// Takes bits off a number.
fn take(bits: &mut u64, width: u32) -> u64 {
    let value = *bits & ((1 << width) - 1);
    *bits >>= width;
    value
}

impl Circuit {
    fn value(&self, values: &[u64], arg: Arg) -> u64 {
        let node = &self.nodes[arg.node];
        match arg.is_inverted {
            true => !values[arg.node] & ((1 << node.sort.bits()) - 1),
            false => values[arg.node],
        }
    }

    /// The value of an operator, from those of nodes before it.
    fn applied(&self, values: &[u64], node: &Node) -> u64 {
        match &node.def {
            Def::Apply(operator, args, numbers) => {
                let args: Vec<(u64, Sort)> = args
                    .iter()
                    .map(|arg| (self.value(values, *arg), self.nodes[arg.node].sort))
                    .collect();
                operator.value(&args, numbers)
            }
            Def::Constant(value) => *value,
            Def::State { .. } | Def::Input => 0,
        }
    }

    /// The values of all nodes: states have the bits of the first number, inputs those of the second.
    fn values(&self, mut states: u64, mut inputs: u64) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node.def {
                Def::State { .. } => take(&mut states, node.sort.bits()),
                Def::Input => take(&mut inputs, node.sort.bits()),
                _ => self.applied(&values, node),
            };
            values.push(value);
        }
        values
    }

    /// The bits of all nodes of a form together.
    fn bits(&self, is_meant: impl Fn(&Def) -> bool) -> u32 {
        self.nodes
            .iter()
            .filter(|node| is_meant(&node.def))
            .map(|node| node.sort.bits())
            .sum()
    }

    /// All first values of the states.
    fn first(&self) -> BTreeSet<u64> {
        let free = self.bits(|def| matches!(def, Def::State { first: None, .. }));
        let mut all = BTreeSet::new();
        for mut choice in 0..1u64 << free {
            let mut values: Vec<u64> = Vec::with_capacity(self.nodes.len());
            let (mut states, mut at) = (0, 0);
            for node in &self.nodes {
                let value = match node.def {
                    Def::State { first, .. } => {
                        let value = match first {
                            None => take(&mut choice, node.sort.bits()),
                            Some(first) => filled(values[first], self.nodes[first].sort, node.sort),
                        };
                        states |= value << at;
                        at += node.sort.bits();
                        value
                    }
                    // First values do not depend on inputs.
                    Def::Input => 0,
                    _ => self.applied(&values, node),
                };
                values.push(value);
            }
            all.insert(states);
        }
        all
    }

    /// The states after a step; those without a next value have the bits of a choice.
    fn next(&self, values: &[u64], mut choice: u64) -> u64 {
        let (mut states, mut at) = (0, 0);
        for node in &self.nodes {
            if let Def::State { next, .. } = node.def {
                let value = match next {
                    Some(next) => self.value(values, next),
                    None => take(&mut choice, node.sort.bits()),
                };
                states |= value << at;
                at += node.sort.bits();
            }
        }
        states
    }

    /// Nothing if there is too much to look at.
    fn search(&self) -> Option<Found> {
        let states = self.bits(|def| matches!(def, Def::State { .. }));
        let inputs = self.bits(|def| matches!(def, Def::Input));
        let free = self.bits(|def| matches!(def, Def::State { next: None, .. }));
        if states + inputs + free > 62 || 1 << (states + inputs + free) > MOST_STEPS {
            return None;
        }
        let mut seen = self.first();
        let mut waiting: VecDeque<(u64, u32)> = seen.iter().map(|state| (*state, 0)).collect();
        while let Some((state, steps)) = waiting.pop_front() {
            for input in 0..1u64 << inputs {
                let values = self.values(state, input);
                let is_set = |arg: &Arg| self.value(&values, *arg) == 1;
                if !self.constraints.iter().all(is_set) {
                    continue;
                }
                if self.bad.iter().any(is_set) {
                    return Some(Found::After(steps));
                }
                for choice in 0..1u64 << free {
                    let next = self.next(&values, choice);
                    if seen.insert(next) {
                        waiting.push_back((next, steps + 1));
                    }
                }
            }
        }
        Some(Found::Never(seen.len()))
    }
}

/// A first value: a word that is the one of an array is that of all its elements.
fn filled(value: u64, of: Sort, wanted: Sort) -> u64 {
    match (of, wanted) {
        (Sort::Word(width), Sort::Array(index, _)) => {
            (0..1u64 << index).fold(0, |all, at| all | value << (at * u64::from(width)))
        }
        _ => value,
    }
}

struct Generator<'a> {
    chance: &'a mut Chance,
    circuit: Circuit,
}

impl Generator<'_> {
    fn push(&mut self, sort: Sort, def: Def) -> usize {
        self.circuit.nodes.push(Node { sort, def });
        self.circuit.nodes.len() - 1
    }

    /// Some node of a sort; later ones are preferred.
    fn of_sort(&mut self, is_meant: impl Fn(Sort) -> bool) -> Option<usize> {
        let all: Vec<usize> = self
            .circuit
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| is_meant(node.sort))
            .map(|(index, _)| index)
            .collect();
        let late = all.len() - all.len().min(4);
        match self.chance.percent(40) {
            true => self.chance.maybe(&all[late..]),
            false => self.chance.maybe(&all),
        }
    }

    fn arg(&mut self, is_meant: impl Fn(Sort) -> bool) -> Option<Arg> {
        let node = self.of_sort(is_meant)?;
        let is_word = matches!(self.circuit.nodes[node].sort, Sort::Word(_));
        Some(Arg {
            node,
            is_inverted: is_word && self.chance.percent(15),
        })
    }

    fn constant(&mut self, width: u32) -> usize {
        let value = self.chance.between(0, (1 << width) - 1);
        self.push(Sort::Word(width), Def::Constant(u64::from(value)))
    }

    /// An operator with some arguments, if one fits.
    fn apply(&mut self) -> Option<usize> {
        let operator = self.chance.pick(OPERATORS);
        let first = self.arg(|sort| operator.takes(0, &[], sort))?;
        let mut args = vec![first];
        let mut sorts = vec![self.circuit.nodes[first.node].sort];
        for position in 1..operator.arity() {
            let so_far = sorts.clone();
            let arg = self.arg(|sort| operator.takes(position, &so_far, sort))?;
            args.push(arg);
            sorts.push(self.circuit.nodes[arg.node].sort);
        }
        let numbers = operator.numbers(&sorts, self.chance);
        let sort = operator.sort(&sorts, &numbers)?;
        Some(self.push(sort, Def::Apply(operator, args, numbers)))
    }

    fn sort(&mut self) -> Sort {
        match self.chance.percent(15) {
            true => Sort::Array(self.chance.between(1, 2), self.chance.pick(&[1, 1, 1, 2])),
            false => Sort::Word(self.chance.pick(&[1, 1, 2, 2, 3])),
        }
    }

    fn states(&mut self) {
        for _ in 0..self.chance.between(1, 4) {
            let sort = self.sort();
            if self.chance.percent(15) {
                let _ = self.apply();
            }
            let first = match self.chance.percent(75) {
                true => self.of_sort(|of| {
                    of == sort || matches!((of, sort), (Sort::Word(a), Sort::Array(_, b)) if a == b)
                }),
                false => None,
            };
            self.push(sort, Def::State { first, next: None });
        }
    }

    fn next(&mut self) {
        for index in 0..self.circuit.nodes.len() {
            let sort = self.circuit.nodes[index].sort;
            if !matches!(self.circuit.nodes[index].def, Def::State { .. }) {
                continue;
            }
            let value = match self.chance.below(20) {
                0 | 1 => None,
                2..5 => Some(plain(index)),
                _ => {
                    // Not itself, and no constant, if that can be.
                    let mut found = None;
                    for _ in 0..4 {
                        found = self.arg(|of| of == sort).or(found);
                        if found.is_some_and(|arg| {
                            arg.node != index
                                && matches!(self.circuit.nodes[arg.node].def, Def::Apply(..))
                        }) {
                            break;
                        }
                    }
                    found
                }
            };
            if let Def::State { next, .. } = &mut self.circuit.nodes[index].def {
                *next = value;
            }
        }
    }

    /// A truth value; often that a word has a value.
    fn truth(&mut self) -> Option<Arg> {
        if self.chance.percent(35) {
            return self.arg(|sort| sort == Sort::Word(1));
        }
        let mut all: Option<usize> = None;
        for _ in 0..self.chance.between(1, 2) {
            let word = self.arg(|sort| matches!(sort, Sort::Word(_)))?;
            let Sort::Word(width) = self.circuit.nodes[word.node].sort else {
                return None;
            };
            let value = self.constant(width);
            let args = vec![word, plain(value)];
            let operator = self
                .chance
                .pick(&[Operator::Eq, Operator::Eq, Operator::Ugt]);
            let next = self.push(Sort::Word(1), Def::Apply(operator, args, Vec::new()));
            all = Some(match all {
                None => next,
                Some(before) => {
                    let args = vec![plain(before), plain(next)];
                    self.push(Sort::Word(1), Def::Apply(Operator::And, args, Vec::new()))
                }
            });
        }
        all.map(plain)
    }

    fn circuit(mut self) -> Option<Circuit> {
        for _ in 0..self.chance.between(2, 4) {
            let width = self.chance.between(1, 3);
            self.constant(width);
        }
        self.states();
        for _ in 0..self.chance.between(0, 2) {
            let sort = match self.chance.percent(10) {
                true => self.sort(),
                false => Sort::Word(self.chance.pick(&[1, 1, 2, 3])),
            };
            self.push(sort, Def::Input);
        }
        for _ in 0..self.chance.between(3, 14) {
            let _ = self.apply();
        }
        self.next();
        for _ in 0..self.chance.pick(&[1, 1, 1, 2]) {
            let bad = self.truth()?;
            self.circuit.bad.push(bad);
        }
        if self.chance.percent(30) {
            let mut constraint = self.truth()?;
            constraint.is_inverted ^= self.chance.percent(70);
            self.circuit.constraints.push(constraint);
        }
        Some(self.circuit)
    }
}

/// A random circuit.
pub(super) fn model(chance: &mut Chance) -> Option<Model> {
    let generator = Generator {
        chance,
        circuit: Circuit::default(),
    };
    let circuit = generator.circuit()?;
    let found = circuit.search()?;
    Some(Model {
        text: writer::text(&circuit, chance),
        is_safe: matches!(found, Found::Never(_)),
        is_dull: matches!(found, Found::Never(0 | 1) | Found::After(0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(sort: Sort, def: Def) -> Node {
        Node { sort, def }
    }

    fn apply(sort: Sort, operator: Operator, args: &[usize]) -> Node {
        let args = args.iter().map(|arg| plain(*arg)).collect();
        node(sort, Def::Apply(operator, args, Vec::new()))
    }

    /// A counter of two bits that starts with 0; it is bad with 3.
    fn counter(next: Option<Arg>) -> Circuit {
        let word = Sort::Word(2);
        let state = Def::State {
            first: Some(0),
            next,
        };
        Circuit {
            nodes: vec![
                node(word, Def::Constant(0)),
                node(word, state),
                apply(word, Operator::Inc, &[1]),
                node(word, Def::Constant(3)),
                apply(Sort::Word(1), Operator::Eq, &[1, 3]),
            ],
            bad: vec![plain(4)],
            constraints: Vec::new(),
        }
    }

    #[test]
    fn a_counter_needs_three_steps() {
        assert_eq!(counter(Some(plain(2))).search(), Some(Found::After(3)));
        assert_eq!(counter(Some(plain(1))).search(), Some(Found::Never(1)));
        // Without a next value it is anything after one step.
        assert_eq!(counter(None).search(), Some(Found::After(1)));
        let mut any = counter(Some(plain(1)));
        any.nodes[1].def = Def::State {
            first: None,
            next: Some(plain(1)),
        };
        assert_eq!(any.search(), Some(Found::After(0)));
    }

    #[test]
    fn constraints_hold_in_the_bad_step_as_well() {
        let mut circuit = counter(Some(plain(2)));
        circuit.constraints = vec![Arg {
            node: 4,
            is_inverted: true,
        }];
        assert_eq!(circuit.search(), Some(Found::Never(4)));
    }

    #[test]
    fn arrays_start_with_one_word_everywhere() {
        // An array of two bits, all 1; a zero is written where an input says; bad if both are 0.
        let array = Sort::Array(1, 1);
        let bit = Sort::Word(1);
        let circuit = Circuit {
            nodes: vec![
                node(bit, Def::Constant(1)),
                node(
                    array,
                    Def::State {
                        first: Some(0),
                        next: Some(plain(4)),
                    },
                ),
                node(bit, Def::Input),
                node(bit, Def::Constant(0)),
                apply(array, Operator::Write, &[1, 2, 3]),
                apply(bit, Operator::Read, &[1, 0]),
                apply(bit, Operator::Read, &[1, 3]),
                apply(bit, Operator::Nor, &[5, 6]),
            ],
            bad: vec![plain(7)],
            constraints: Vec::new(),
        };
        assert_eq!(circuit.search(), Some(Found::After(2)));
    }
}
