//! Questions about few floating-point numbers, decided by cutting their ranges into pieces.
//!
//! Bits express multiplications and divisions badly: polynomials in one variable take the SAT
//! solver hours. Here every sub-term has a set of possible values (an interval, or a constant); what
//! the formulas say about sets is propagated up and down until nothing changes, and where that
//! does not decide, one variable's range is cut in two. If every piece is refuted there is no
//! model. If a piece shrinks to a point where all formulas are true, that point is proposed; the
//! SAT solver makes a model of it.
//!
//! The work is limited by counting, so that the answer depends on the question only.

mod interval;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use interval::Interval;
use ult_core::control::Control;
use ult_core::formula::eval::apply_op;
use ult_core::formula::{Float, Format, Mode, Node, Op, Sort, Term, Terms, Value};

/// So many sub-terms are looked at.
const WORK: usize = 1_500_000;

/// Longer formulas are left to others.
const LARGEST: usize = 3000;

/// So many rounds of propagation for one piece.
const ROUNDS: usize = 8;

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// There is no model.
    Refuted,
    /// Values of variables with which all formulas are true.
    Point(Vec<(Term, Float)>),
    /// Nothing.
    Open,
}

/// The possible values of a sub-term.
#[derive(Clone, Debug, PartialEq)]
enum Set {
    Anything,
    One(Value),
    Interval(Interval),
    Nothing,
}

/// Decides whether the formulas can be true together, if that is easy.
pub(super) fn decide(terms: &Terms, formulas: &[Term], control: &Control) -> Outcome {
    let order = terms.post_order(formulas);
    if order.len() > LARGEST {
        return Outcome::Open;
    }
    let index: HashMap<Term, usize> = order.iter().copied().zip(0..).collect();
    let mut search = Search {
        nodes: order.iter().map(|&term| terms.node(term)).collect(),
        args: order
            .iter()
            .map(|&term| terms.args(term).iter().map(|arg| index[arg]).collect())
            .collect(),
        terms: &order,
        work: WORK,
    };
    let formulas: Vec<usize> = formulas.iter().map(|formula| index[formula]).collect();
    let mut start: Vec<Set> = search.nodes.iter().map(|node| initial(node)).collect();
    for &formula in &formulas {
        narrow(&mut start, formula, &Set::truth(true));
    }
    let inputs = search.inputs();
    if inputs.is_empty() {
        return Outcome::Open;
    }
    let mut pieces = vec![(start, 0_usize)];
    while let Some((mut sets, depth)) = pieces.pop() {
        if search.work == 0 || control.check().is_err() {
            return Outcome::Open;
        }
        if !search.propagate(&mut sets) {
            continue;
        }
        if depth % 4 == 0
            && let Some(point) = search.sample(&sets, &inputs, &formulas)
        {
            return Outcome::Point(point);
        }
        let open: Vec<(usize, Interval)> = inputs
            .iter()
            .filter_map(|&input| match &sets[input] {
                Set::Interval(interval) if interval.as_point().is_none() => {
                    Some((input, interval.clone()))
                }
                _ => None,
            })
            .collect();
        if open.is_empty() {
            // What is open then is not about these numbers.
            return match search.sample(&sets, &inputs, &formulas) {
                Some(point) => Outcome::Point(point),
                None => Outcome::Open,
            };
        }
        // One of several possibilities, now and then.
        if depth % 2 == 0
            && let Some(choice) = search.choice(&sets)
        {
            for truth in [false, true] {
                let mut sets = sets.clone();
                sets[choice] = Set::truth(truth);
                pieces.push((sets, depth + 1));
            }
            continue;
        }
        let (input, interval) = &open[depth % open.len()];
        let (left, right) = interval.halves((depth / open.len()) % 3 != 2);
        for half in [right, left] {
            let mut sets = sets.clone();
            sets[*input] = Set::Interval(half);
            pieces.push((sets, depth + 1));
        }
    }
    Outcome::Refuted
}

/// What a sub-term can be without knowing anything.
fn initial(node: &Node) -> Set {
    match node.sort {
        Sort::Float(exponent, significand) => Format::new(exponent, significand)
            .and_then(Interval::all)
            .map_or(Set::Anything, Set::Interval),
        _ => Set::Anything,
    }
}

impl Set {
    fn truth(value: bool) -> Set {
        Set::One(Value::Bool(value))
    }

    fn of(value: Value) -> Set {
        match &value {
            Value::Float(number) => Interval::point(number).map_or(Set::Anything, Set::Interval),
            Value::Bool(_) | Value::BitVec(..) | Value::Rounding(_) => Set::One(value),
            // The same map can be written in several ways.
            _ => Set::Anything,
        }
    }

    fn as_truth(&self) -> Option<bool> {
        match self {
            Set::One(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    fn as_value(&self) -> Option<Value> {
        match self {
            Set::One(value) => Some(value.clone()),
            Set::Interval(interval) => interval.as_point().map(Value::Float),
            _ => None,
        }
    }

    fn interval(interval: Interval) -> Set {
        match interval.is_empty() {
            true => Set::Nothing,
            false => Set::Interval(interval),
        }
    }

    /// What is in both.
    fn and(&self, other: &Set) -> Set {
        match (self, other) {
            (Set::Nothing, _) | (_, Set::Nothing) => Set::Nothing,
            (Set::Anything, set) | (set, Set::Anything) => set.clone(),
            (Set::One(a), Set::One(b)) if a == b => Set::One(a.clone()),
            (Set::Interval(a), Set::Interval(b)) => Set::interval(a.and(b)),
            _ => Set::Nothing,
        }
    }

    /// At least what is in one of them.
    fn or(&self, other: &Set) -> Set {
        match (self, other) {
            (Set::Nothing, set) | (set, Set::Nothing) => set.clone(),
            (Set::Interval(a), Set::Interval(b)) => Set::Interval(a.or(b)),
            (Set::One(a), Set::One(b)) if a == b => Set::One(a.clone()),
            _ => Set::Anything,
        }
    }
}

struct Search<'a> {
    nodes: Vec<&'a Node>,
    args: Vec<Vec<usize>>,
    terms: &'a [Term],
    work: usize,
}

impl Search<'_> {
    /// The variables whose ranges are cut: floating-point numbers that no equation defines.
    fn inputs(&self) -> Vec<usize> {
        let mut defined = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let (Op::Eq, [a, b]) = (&node.op, &self.args[index][..]) {
                for (symbol, other) in [(*a, *b), (*b, *a)] {
                    defined[symbol] |= self.is_symbol(symbol) && !self.args[other].is_empty();
                }
            }
        }
        (0..self.nodes.len())
            .filter(|&index| self.is_symbol(index) && !defined[index])
            .filter(|&index| matches!(initial(self.nodes[index]), Set::Interval(_)))
            .collect()
    }

    /// Narrows the sets until nothing changes; false if one becomes empty.
    fn propagate(&mut self, sets: &mut [Set]) -> bool {
        for _ in 0..ROUNDS {
            let mut changed = false;
            self.work = self.work.saturating_sub(self.nodes.len());
            for index in 0..self.nodes.len() {
                let set = self.computed(sets, index);
                changed |= narrow(sets, index, &set);
            }
            for index in (0..self.nodes.len()).rev() {
                changed |= self.imply(sets, index);
            }
            if sets.contains(&Set::Nothing) {
                return false;
            }
            if !changed {
                break;
            }
        }
        true
    }

    /// A sub-formula that may be true or false and of which the truth of another one depends.
    fn choice(&self, sets: &[Set]) -> Option<usize> {
        let open = |arg: &&usize| sets[**arg] == Set::Anything;
        (0..self.nodes.len()).rev().find_map(|index| {
            let args = &self.args[index];
            match (&self.nodes[index].op, sets[index].as_truth()) {
                (Op::Or, Some(true)) if !self.has(sets, args, true) => args.iter().find(open),
                (Op::And, Some(false)) if !self.has(sets, args, false) => args.iter().find(open),
                (Op::Ite, _) => args.first().filter(|arg| open(arg)),
                _ => None,
            }
            .copied()
        })
    }

    fn has(&self, sets: &[Set], args: &[usize], truth: bool) -> bool {
        args.iter().any(|&arg| sets[arg].as_truth() == Some(truth))
    }

    /// A point of a piece at which all formulas are true.
    fn sample(
        &mut self,
        sets: &[Set],
        inputs: &[usize],
        formulas: &[usize],
    ) -> Option<Vec<(Term, Float)>> {
        let mut sets = sets.to_vec();
        let mut point = Vec::new();
        for &input in inputs {
            let Set::Interval(interval) = &sets[input] else {
                return None;
            };
            let number = match interval.as_point() {
                Some(number) => number,
                None => interval.at(interval.middle(true)),
            };
            sets[input] = Set::of(Value::Float(number.clone()));
            point.push((self.terms[input], number));
            if !self.propagate(&mut sets) {
                return None;
            }
        }
        // Once more from the symbols alone: the other sets were narrowed by what was to be shown.
        let mut computed: Vec<Set> = Vec::with_capacity(sets.len());
        for (index, set) in sets.iter().enumerate() {
            let set = match self.is_symbol(index) {
                true => set.clone(),
                false => self.computed(&computed, index),
            };
            computed.push(set);
        }
        let holds = |&formula: &usize| computed[formula] == Set::truth(true);
        formulas.iter().all(holds).then_some(point)
    }

    fn is_symbol(&self, index: usize) -> bool {
        let symbol = matches!(self.nodes[index].op, Op::Var(_) | Op::Apply(_));
        symbol && self.args[index].is_empty()
    }

    /// The possible values by those of the arguments.
    fn computed(&self, sets: &[Set], index: usize) -> Set {
        let node = self.nodes[index];
        let args = &self.args[index];
        let arg = |number: usize| &sets[args[number]];
        match (&node.op, args.len()) {
            (Op::Var(_) | Op::Apply(_) | Op::Bind(_), _) => return Set::Anything,
            (Op::And | Op::Or, _) => {
                let absorbing = node.op == Op::Or;
                let truths: Vec<Option<bool>> =
                    args.iter().map(|&arg| sets[arg].as_truth()).collect();
                return if truths.contains(&Some(absorbing)) {
                    Set::truth(absorbing)
                } else if truths.iter().all(Option::is_some) {
                    Set::truth(!absorbing)
                } else {
                    Set::Anything
                };
            }
            (Op::Ite, 3) => {
                return match arg(0).as_truth() {
                    Some(true) => arg(1).clone(),
                    Some(false) => arg(2).clone(),
                    None => arg(1).or(arg(2)),
                };
            }
            (Op::Eq, 2) => {
                if let (Set::Interval(a), Set::Interval(b)) = (arg(0), arg(1))
                    && a.and(b).is_empty()
                {
                    return Set::truth(false);
                }
            }
            _ => {}
        }
        // Constants.
        let values: Option<Vec<Value>> = args.iter().map(|&arg| sets[arg].as_value()).collect();
        if let Some(values) = values {
            return apply_op(node, &values).map_or(Set::Anything, Set::of);
        }
        match &node.op {
            Op::Builtin(builtin) => self.float(sets, index, &builtin.name),
            _ => Set::Anything,
        }
    }

    /// The possible values of a function on floating-point numbers.
    fn float(&self, sets: &[Set], index: usize, name: &str) -> Set {
        let node = self.nodes[index];
        let args = &self.args[index];
        let interval = |number: usize| match args.get(number).map(|&arg| &sets[arg]) {
            Some(Set::Interval(interval)) => Some(interval),
            _ => None,
        };
        let mode = || match args.first().map(|&arg| &sets[arg]) {
            Some(Set::One(Value::Rounding(mode))) => Some(*mode),
            _ => None,
        };
        let format = || match node.sort {
            Sort::Float(exponent, significand) => Format::new(exponent, significand),
            _ => None,
        };
        let truth = |known: Option<bool>| known.map(Set::truth);
        let result = || -> Option<Set> {
            Some(match name {
                "fp.neg" => Set::Interval(interval(0)?.neg()),
                "fp.abs" => Set::Interval(interval(0)?.abs()),
                "fp.add" => Set::Interval(interval(1)?.add(mode()?, interval(2)?)),
                "fp.sub" => Set::Interval(interval(1)?.add(mode()?, &interval(2)?.neg())),
                "fp.mul" if args[1] == args[2] => {
                    // A square.
                    let (mode, base) = (mode()?, interval(1)?.abs());
                    Set::Interval(base.mul(mode, &base))
                }
                "fp.mul" => Set::Interval(interval(1)?.mul(mode()?, interval(2)?)),
                "fp.div" => Set::Interval(interval(1)?.div(mode()?, interval(2)?)),
                "fp.sqrt" => Set::Interval(interval(1)?.sqrt(mode()?)),
                "fp.roundToIntegral" => {
                    let mode = mode()?;
                    Set::Interval(interval(1)?.map(format()?, |x| x.round_to_integral(mode)))
                }
                "to_fp" if args.len() == 2 => {
                    let (mode, format) = (mode()?, format()?);
                    match (interval(1), &self.nodes[args[1]].sort) {
                        (Some(from), _) => {
                            Set::Interval(from.map(format, |x| x.convert(mode, format)))
                        }
                        (None, Sort::BitVec(width)) => integers(*width, true, mode, format)?,
                        _ => return None,
                    }
                }
                "to_fp_unsigned" => match self.nodes[args[1]].sort {
                    Sort::BitVec(width) => integers(width, false, mode()?, format()?)?,
                    _ => return None,
                },
                "fp.lt" => truth(interval(0)?.less(interval(1)?, false))?,
                "fp.leq" => truth(interval(0)?.less(interval(1)?, true))?,
                "fp.gt" => truth(interval(1)?.less(interval(0)?, false))?,
                "fp.geq" => truth(interval(1)?.less(interval(0)?, true))?,
                "fp.eq" => truth(interval(0)?.equal(interval(1)?))?,
                "fp.isNaN" => {
                    let set = interval(0)?;
                    if set.clone().without_nan().is_empty() {
                        Set::truth(true)
                    } else if !set.nan {
                        Set::truth(false)
                    } else {
                        return None;
                    }
                }
                "fp.isInfinite" if interval(0)?.clone().finite() == *interval(0)? => {
                    Set::truth(false)
                }
                _ => return None,
            })
        };
        result().unwrap_or_else(|| initial(node))
    }

    /// Narrows the arguments by what is known of the whole; whether that changed anything.
    fn imply(&self, sets: &mut [Set], index: usize) -> bool {
        let node = self.nodes[index];
        let args = &self.args[index];
        match (&node.op, sets[index].as_truth()) {
            (Op::Not, Some(value)) => narrow(sets, args[0], &Set::truth(!value)),
            (Op::And | Op::Or, Some(value)) => {
                let absorbing = node.op == Op::Or;
                if value != absorbing {
                    let mut changed = false;
                    for &arg in args {
                        changed |= narrow(sets, arg, &Set::truth(value));
                    }
                    return changed;
                }
                // One of them has to be it.
                let mut open = args
                    .iter()
                    .filter(|&&arg| sets[arg].as_truth() != Some(!absorbing));
                match (open.next(), open.next()) {
                    (Some(&last), None) => narrow(sets, last, &Set::truth(absorbing)),
                    (None, _) => narrow(sets, index, &Set::Nothing),
                    _ => false,
                }
            }
            (Op::Eq, Some(true)) => {
                let both = sets[args[0]].and(&sets[args[1]]);
                narrow(sets, args[0], &both) | narrow(sets, args[1], &both)
            }
            (Op::Eq, Some(false)) => {
                // Of truth values.
                let mut changed = false;
                for (one, other) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(value) = sets[one].as_truth() {
                        changed |= narrow(sets, other, &Set::truth(!value));
                    }
                }
                changed
            }
            (Op::Ite, _) => {
                let whole = sets[index].clone();
                match sets[args[0]].as_truth() {
                    Some(true) => narrow(sets, args[1], &whole),
                    Some(false) => narrow(sets, args[2], &whole),
                    None if whole.and(&sets[args[1]]) == Set::Nothing => {
                        narrow(sets, args[0], &Set::truth(false))
                    }
                    None if whole.and(&sets[args[2]]) == Set::Nothing => {
                        narrow(sets, args[0], &Set::truth(true))
                    }
                    None => false,
                }
            }
            (Op::Builtin(builtin), Some(value)) => {
                self.imply_float(sets, args, &builtin.name, value)
            }
            _ => false,
        }
    }

    fn imply_float(&self, sets: &mut [Set], args: &[usize], name: &str, value: bool) -> bool {
        let interval = |sets: &[Set], number: usize| match args.get(number).map(|&arg| &sets[arg]) {
            Some(Set::Interval(interval)) => Some(interval.clone()),
            _ => None,
        };
        let Some(first) = interval(sets, 0) else {
            return false;
        };
        match (name, interval(sets, 1)) {
            ("fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", Some(second)) => {
                let numbers = !first.nan && !second.nan;
                let swapped = matches!(name, "fp.gt" | "fp.geq");
                let or_equal = matches!(name, "fp.leq" | "fp.geq");
                // What is not less is greater or equal, unless it is NaN.
                let (swapped, or_equal) = match value {
                    true => (swapped, or_equal),
                    false if numbers => (!swapped, !or_equal),
                    false => return false,
                };
                let (mut small, mut large) = match swapped {
                    false => (first, second),
                    true => (second, first),
                };
                small.keep_less(&mut large, or_equal);
                let (small_at, large_at) = match swapped {
                    false => (args[0], args[1]),
                    true => (args[1], args[0]),
                };
                narrow(sets, small_at, &Set::interval(small))
                    | narrow(sets, large_at, &Set::interval(large))
            }
            ("fp.eq", Some(second)) if value => {
                let (mut a, mut b) = (first, second);
                a.keep_less(&mut b, true);
                b.keep_less(&mut a, true);
                narrow(sets, args[0], &Set::interval(a)) | narrow(sets, args[1], &Set::interval(b))
            }
            ("fp.isNaN", None) => {
                let set = match value {
                    true => first.only_nan(),
                    false => first.without_nan(),
                };
                narrow(sets, args[0], &Set::interval(set))
            }
            ("fp.isInfinite", None) if !value => {
                let mut set = first.clone().finite();
                set.nan = first.nan;
                narrow(sets, args[0], &Set::interval(set))
            }
            _ => false,
        }
    }
}

/// Makes a set smaller; whether that changed it.
fn narrow(sets: &mut [Set], place: usize, by: &Set) -> bool {
    let set = sets[place].and(by);
    let changed = set != sets[place];
    sets[place] = set;
    changed
}

/// All integers of a width, as floating-point numbers.
fn integers(width: u32, is_signed: bool, mode: Mode, format: Format) -> Option<Set> {
    let one = num_bigint::BigInt::from(1);
    let (least, greatest) = match is_signed {
        true => (-(&one << (width - 1)), (&one << (width - 1)) - &one),
        false => (num_bigint::BigInt::from(0), (&one << width) - &one),
    };
    let bound = |value| Interval::point(&Float::from_integer(value, mode, format));
    Some(Set::Interval(bound(&least)?.or(&bound(&greatest)?)))
}
