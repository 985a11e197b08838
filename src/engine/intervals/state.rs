//! What is known of the variables at a location, and what a step makes of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_traits::ToPrimitive as _;

use crate::abstract_interpretation::{Domain, PATIENCE};
use crate::interval::Interval;
use crate::limits;
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_core::graph::{ProgramGraph, Transition};
use ult_core::persistent::Map;

/// How many nodes of its formula are looked at for one step: formulas share parts, and may be
/// exponentially large when written out.
const FUEL: u32 = 4000;

/// How deep formulas are looked into.
const DEPTH: u32 = 100;

/// The intervals of variables, by number. Those about which nothing is known are left out. Copies share what they have in
/// common, as there is one at each location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State(Map<Interval>);

impl State {
    pub(crate) fn get(&self, number: u32) -> Interval {
        self.0.get(number as usize).unwrap_or(Interval::ALL)
    }

    pub(crate) fn set(&mut self, number: u32, interval: Interval) {
        match interval {
            Interval::ALL => self.0.remove(number as usize),
            known => self.0.insert(number as usize, known),
        }
    }

    /// What is known of some variables.
    pub(super) fn of(&self, numbers: impl Iterator<Item = usize>) -> State {
        let known = numbers.filter_map(|number| Some((number, self.0.get(number)?)));
        State(known.collect())
    }

    /// Of how many variables something is known.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The variables about which something is known.
    pub(crate) fn known(&self) -> impl Iterator<Item = (usize, Interval)> + '_ {
        self.0.iter()
    }
}

/// Where a variable of a formula is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Current(u32),
    Next(u32),
}

/// The variables of a graph that have intervals, and how its steps are taken.
pub(crate) struct Steps<'g> {
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    slots: HashMap<Term, Slot>,
    /// For each variable whether it is a truth value, a number (`false`), or neither.
    kinds: Vec<Option<bool>>,
    /// The numbers that bounds stop at when they are widened.
    landmarks: Vec<i128>,
}

impl<'g> Steps<'g> {
    pub(crate) fn new(terms: &'g Terms, graph: &'g ProgramGraph) -> Steps<'g> {
        let mut slots = HashMap::new();
        let mut kinds = Vec::new();
        for (number, (name, sort)) in (0u32..).zip(&graph.variables) {
            let kind = match sort {
                Sort::Bool => Some(true),
                Sort::Int => Some(false),
                _ => None,
            };
            if kind.is_some() {
                let current = terms.current(name.clone(), sort.clone());
                slots.insert(current, Slot::Current(number));
                slots.insert(terms.next(name.clone(), sort.clone()), Slot::Next(number));
            }
            kinds.push(kind);
        }
        Steps {
            terms,
            graph,
            slots,
            kinds,
            landmarks: landmarks(terms, graph),
        }
    }

    /// The interval of a number, or of a truth value as a number.
    pub(crate) fn value(&self, state: &State, term: Term) -> Interval {
        let mut step = Step {
            steps: self,
            before: &mut state.clone(),
            after: BTreeMap::new(),
            trail: Vec::new(),
            fuel: FUEL,
        };
        step.value(term, 0)
    }

    /// Whether a term is a variable that has an interval.
    pub(crate) fn is_known(&self, term: Term) -> bool {
        self.slots.contains_key(&term)
    }
}

impl Domain for Steps<'_> {
    type State = State;

    fn after(&self, mut before: State, transition: &Transition) -> Option<State> {
        let mut step = Step {
            steps: self,
            before: &mut before,
            after: BTreeMap::new(),
            trail: Vec::new(),
            fuel: FUEL,
        };
        for name in &transition.changed {
            if let Some(number) = self.graph.variables.get_index_of(name)
                && self.kinds[number] == Some(true)
            {
                step.after.insert(number as u32, Interval::TRUTH);
            }
        }
        let conjuncts = self.terms.conjuncts(transition.formula);
        // What a later conjunct says may matter to an earlier one.
        for _ in 0..conjuncts.len().min(2) {
            for &conjunct in &conjuncts {
                step.require(conjunct, true, 0)?;
            }
        }
        let after = step.after;
        for name in &transition.changed {
            if let Some(number) = self.graph.variables.get_index_of(name) {
                let interval = after.get(&(number as u32)).copied();
                before.set(number as u32, interval.unwrap_or(Interval::ALL));
            }
        }
        Some(before)
    }

    fn forget(&self, state: &mut State, variable: usize) {
        state.0.remove(variable);
    }

    fn include(&self, known: &mut State, more: &State, grown: u32) -> bool {
        known.0.meet(&more.0, |known, more| {
            let joined = match grown < PATIENCE {
                true => known.join(more),
                false => known.widen(more, &self.landmarks),
            };
            (joined != Interval::ALL).then_some(joined)
        })
    }

    fn formula(&self, state: &State) -> Term {
        let terms = self.terms;
        terms.and(state.known().flat_map(|(number, interval)| {
            let Some((name, sort)) = self.graph.variables.get_index(number) else {
                return Vec::new();
            };
            let variable = terms.current(name.clone(), sort.clone());
            match (self.kinds[number], interval.value()) {
                (Some(true), Some(0)) => vec![terms.not(variable)],
                (Some(true), Some(1)) => vec![variable],
                (Some(true), _) => Vec::new(),
                (_, Some(value)) => vec![terms.eq(variable, terms.int(value))],
                _ => {
                    let low = interval.low.map(|low| terms.le(terms.int(low), variable));
                    let high = interval
                        .high
                        .map(|high| terms.le(variable, terms.int(high)));
                    low.into_iter().chain(high).collect()
                }
            }
        }))
    }
}

/// One step being taken.
struct Step<'s, 'g> {
    steps: &'s Steps<'g>,
    before: &'s mut State,
    /// Of the few variables that the step changes.
    after: BTreeMap<u32, Interval>,
    /// What was known before something was learnt, in the order in which it was learnt.
    trail: Vec<(Slot, Interval)>,
    fuel: u32,
}

impl Step<'_, '_> {
    fn known(&self, slot: Slot) -> Interval {
        match slot {
            Slot::Current(number) => self.before.get(number),
            Slot::Next(number) => self.after.get(&number).copied().unwrap_or(Interval::ALL),
        }
    }

    fn set(&mut self, slot: Slot, interval: Interval) {
        match slot {
            Slot::Current(number) => self.before.set(number, interval),
            Slot::Next(number) => {
                self.after.insert(number, interval);
            }
        }
    }

    fn learn(&mut self, slot: Slot, interval: Interval) {
        let known = self.known(slot);
        if known != interval {
            self.trail.push((slot, known));
            self.set(slot, interval);
        }
    }

    /// What `look` finds where it may suppose something: what it learns is forgotten.
    fn supposing<R>(&mut self, look: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let mark = self.trail.len();
        let found = look(self);
        while self.trail.len() > mark {
            if let Some((slot, known)) = self.trail.pop() {
                self.set(slot, known);
            }
        }
        found
    }

    /// Whether a formula at this depth may be looked at.
    fn may_look(&mut self, depth: u32) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0 && depth < DEPTH
    }

    /// The interval of a number, or of a truth value as a number.
    fn value(&mut self, term: Term, depth: u32) -> Interval {
        let terms = self.steps.terms;
        let node = terms.node(term);
        let anything = match node.sort {
            Sort::Bool => Interval::TRUTH,
            _ => Interval::ALL,
        };
        if let Some(slot) = self.steps.slots.get(&term) {
            return self.known(*slot).meet(anything).unwrap_or(anything);
        }
        if !matches!(node.sort, Sort::Bool | Sort::Int) || !self.may_look(depth) {
            return anything;
        }
        let depth = depth + 1;
        match (&node.op, &*node.args) {
            (Op::Bool(value), _) => Interval::truth(*value),
            (Op::Int(value), _) => value.to_i128().map_or(anything, Interval::only),
            (Op::Add, args) => {
                let mut sum = Interval::only(0);
                for &arg in args {
                    sum = sum.add(self.value(arg, depth));
                }
                sum
            }
            (Op::Mul, args) => {
                let mut product = Interval::only(1);
                for &arg in args {
                    product = product.mul(self.value(arg, depth));
                }
                product
            }
            (Op::Div | Op::Mod, &[dividend, divisor]) => {
                match (self.value(divisor, depth).value(), &node.op) {
                    (Some(divisor @ 1..), Op::Div) => self.value(dividend, depth).div(divisor),
                    (Some(divisor @ 1..), _) => self.value(dividend, depth).modulo(divisor),
                    _ => anything,
                }
            }
            (Op::Ite, &[condition, yes, no]) => match self.value(condition, depth).value() {
                Some(0) => self.value(no, depth),
                Some(_) => self.value(yes, depth),
                None => {
                    let yes = self.value_if(condition, true, yes, depth);
                    let no = self.value_if(condition, false, no, depth);
                    match (yes, no) {
                        (Some(yes), Some(no)) => yes.join(no),
                        (Some(only), None) | (None, Some(only)) => only,
                        (None, None) => anything,
                    }
                }
            },
            (Op::Not, &[arg]) => Interval::only(1).sub(self.value(arg, depth)),
            (Op::And, args) => {
                let mut least = Interval::truth(true);
                for &arg in args {
                    let value = self.value(arg, depth);
                    match value.value() {
                        Some(0) => return Interval::truth(false),
                        Some(_) => {}
                        None => least = Interval::TRUTH,
                    }
                }
                least
            }
            (Op::Or, args) => {
                let mut most = Interval::truth(false);
                for &arg in args {
                    let value = self.value(arg, depth);
                    match value.value() {
                        Some(0) => {}
                        Some(_) => return Interval::truth(true),
                        None => most = Interval::TRUTH,
                    }
                }
                most
            }
            (Op::Le | Op::Lt | Op::Eq, &[a, b]) if self.is_plain(a) => {
                let difference = self.value(b, depth).sub(self.value(a, depth));
                let (low, high) = (difference.low, difference.high);
                let strict = i128::from(node.op == Op::Lt);
                match node.op {
                    Op::Eq if difference.value() == Some(0) => Interval::truth(true),
                    Op::Eq if !difference.contains(0) => Interval::truth(false),
                    Op::Eq => anything,
                    _ if low.is_some_and(|low| low >= strict) => Interval::truth(true),
                    _ if high.is_some_and(|high| high < strict) => Interval::truth(false),
                    _ => anything,
                }
            }
            _ => anything,
        }
    }

    /// The interval of a term where a condition (or its negation) is true. `None` if it cannot be.
    fn value_if(
        &mut self,
        condition: Term,
        is_true: bool,
        term: Term,
        depth: u32,
    ) -> Option<Interval> {
        self.supposing(|step| {
            step.require(condition, is_true, depth)?;
            Some(step.value(term, depth))
        })
    }

    /// Whether a term is a number or a truth value.
    fn is_plain(&self, term: Term) -> bool {
        matches!(self.steps.terms.sort(term), Sort::Bool | Sort::Int)
    }

    /// Takes a formula (or its negation) for true. `None` if it cannot be.
    fn require(&mut self, formula: Term, is_true: bool, depth: u32) -> Option<()> {
        let terms = self.steps.terms;
        let node = terms.node(formula);
        if !self.may_look(depth) {
            return Some(());
        }
        let depth = depth + 1;
        match (&node.op, &*node.args, is_true) {
            (Op::Not, &[arg], _) => self.require(arg, !is_true, depth),
            (Op::And, args, true) | (Op::Or, args, false) => args
                .iter()
                .try_for_each(|&arg| self.require(arg, is_true, depth)),
            (Op::Or, args, true) | (Op::And, args, false) => self.require_one(args, is_true, depth),
            (Op::Le, &[a, b], true) | (Op::Lt, &[b, a], false) if self.is_plain(a) => {
                self.require_order(a, b, 0, depth)
            }
            (Op::Lt, &[a, b], true) | (Op::Le, &[b, a], false) if self.is_plain(a) => {
                self.require_order(a, b, 1, depth)
            }
            (Op::Eq, &[a, b], true) if self.is_plain(a) => {
                let value = self.value(b, depth);
                self.within(a, value, depth)?;
                let value = self.value(a, depth);
                self.within(b, value, depth)
            }
            (Op::Eq, &[a, b], false) if self.is_plain(a) => {
                self.differ(a, b, depth)?;
                self.differ(b, a, depth)
            }
            _ => self.within(formula, Interval::truth(is_true), depth),
        }
    }

    /// One of several formulas (or of their negations) is true: what is known is what all that can
    /// be have in common.
    fn require_one(&mut self, formulas: &[Term], is_true: bool, depth: u32) -> Option<()> {
        let mark = self.trail.len();
        let mut joined: Option<BTreeMap<Slot, Interval>> = None;
        for &formula in formulas {
            let learnt = self.supposing(|step| {
                step.require(formula, is_true, depth)?;
                let slots = step.trail[mark..].iter();
                Some(slots.map(|&(slot, _)| (slot, step.known(slot))).collect())
            });
            let Some(learnt): Option<BTreeMap<Slot, Interval>> = learnt else {
                continue;
            };
            match &mut joined {
                None => joined = Some(learnt),
                Some(joined) => joined.retain(|slot, interval| {
                    let other = learnt.get(slot);
                    other.is_some_and(|&other| {
                        *interval = interval.join(other);
                        true
                    })
                }),
            }
        }
        for (slot, interval) in joined? {
            self.learn(slot, interval);
        }
        Some(())
    }

    /// `a + distance <= b`
    fn require_order(&mut self, a: Term, b: Term, distance: i128, depth: u32) -> Option<()> {
        let distance = Interval::only(distance);
        let above = self.value(a, depth).add(distance);
        self.within(b, Interval::at_least(above.low), depth)?;
        let below = self.value(b, depth).sub(distance);
        self.within(a, Interval::at_most(below.high), depth)
    }

    /// `a != b`: if `b` has one value, `a` has another.
    fn differ(&mut self, a: Term, b: Term, depth: u32) -> Option<()> {
        let Some(excluded) = self.value(b, depth).value() else {
            return Some(());
        };
        let mut value = self.value(a, depth);
        if value.value() == Some(excluded) {
            return None;
        }
        if value.low == Some(excluded) {
            value.low = excluded.checked_add(1);
        }
        if value.high == Some(excluded) {
            value.high = excluded.checked_sub(1);
        }
        self.within(a, value, depth)
    }

    /// Takes a term for one of these values. `None` if it cannot be.
    fn within(&mut self, term: Term, values: Interval, depth: u32) -> Option<()> {
        if values == Interval::ALL {
            return Some(());
        }
        let terms = self.steps.terms;
        let values = self.value(term, depth).meet(values)?;
        if let Some(slot) = self.steps.slots.get(&term) {
            self.learn(*slot, values);
            return Some(());
        }
        if !self.may_look(depth) {
            return Some(());
        }
        let depth = depth + 1;
        let node = terms.node(term);
        match (&node.op, &*node.args) {
            (Op::Not, &[arg]) => self.within(arg, Interval::only(1).sub(values), depth),
            (Op::Add, args) if args.len() <= 8 => {
                for (number, &arg) in args.iter().enumerate() {
                    let mut others = Interval::only(0);
                    for (other, &arg) in args.iter().enumerate() {
                        if other != number {
                            others = others.add(self.value(arg, depth));
                        }
                    }
                    self.within(arg, values.sub(others), depth)?;
                }
                Some(())
            }
            (Op::Mul, &[a, b]) => {
                let (first, second) = (self.value(a, depth).value(), self.value(b, depth).value());
                match (first, second) {
                    (Some(factor), None) if factor != 0 => {
                        self.within(b, values.divided_exactly(factor)?, depth)
                    }
                    (None, Some(factor)) if factor != 0 => {
                        self.within(a, values.divided_exactly(factor)?, depth)
                    }
                    _ => Some(()),
                }
            }
            (Op::Ite, &[condition, yes, no]) => {
                let (of_yes, of_no) = (self.value(yes, depth), self.value(no, depth));
                match (of_yes.meet(values), of_no.meet(values)) {
                    (None, None) => None,
                    (Some(_), None) => {
                        self.require(condition, true, depth)?;
                        self.within(yes, values, depth)
                    }
                    (None, Some(_)) => {
                        self.require(condition, false, depth)?;
                        self.within(no, values, depth)
                    }
                    (Some(_), Some(_)) => Some(()),
                }
            }
            (Op::And | Op::Or | Op::Le | Op::Lt | Op::Eq, &[first, ..]) if self.is_plain(first) => {
                match values.value() {
                    Some(value) => self.require(term, value != 0, depth),
                    None => Some(()),
                }
            }
            _ => Some(()),
        }
    }
}

/// The numbers that the program mentions, with their neighbours.
fn landmarks(terms: &Terms, graph: &ProgramGraph) -> Vec<i128> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let mut landmarks: BTreeSet<i128> = BTreeSet::from([0, 1]);
    for term in terms.post_order(&formulas) {
        if let Op::Int(value) = terms.op(term)
            && let Some(value) = value.to_i128()
        {
            landmarks.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    }
    // With very many of them, a bound would move very often.
    match landmarks.len() > limits::LANDMARKS {
        true => vec![0],
        false => landmarks.into_iter().collect(),
    }
}
