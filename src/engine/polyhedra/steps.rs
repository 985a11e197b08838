//! What steps make of states: conditions and assignments that are linear are taken into the polyhedra, all others into the
//! intervals only.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::polyhedron::{Linear, Polyhedron};
use super::state::State;
use crate::abstract_interpretation::Domain;
use crate::intervals::Steps;
use crate::limits;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{ProgramGraph, Transition};

/// So many conditions that are not known are tried both ways in one step.
const CHOICES: usize = 5;

/// Of a disjunction with more parts, only intervals are known.
const PARTS: usize = 8;

/// Formulas are looked into so deep.
const DEPTH: u32 = 40;

/// So many nodes of formulas are looked at for one step: formulas share parts, and may be exponentially large when written out.
const FUEL: u32 = 4000;

/// Polyhedra and intervals, as a domain.
pub(super) struct Relations<'g> {
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    intervals: Steps<'g>,
    /// What the program compares, as forms that are at least 0 on one side.
    landmarks: Vec<Linear>,
    /// Transition formulas taken apart.
    parts: RefCell<HashMap<Term, Rc<Parts>>>,
    /// So many nodes may still be looked at.
    fuel: Cell<u32>,
}

/// A step as conditions before it, assignments in an order in which none reads what one before it writes, and conditions after it.
struct Parts {
    before: Vec<Term>,
    assignments: Vec<(u32, Option<Term>)>,
    after: Vec<Term>,
    /// The variables that it is about or changes.
    met: Vec<u32>,
}

/// Conditions taken to be true or false.
type Choices = Vec<(Term, bool)>;

/// What a term is.
enum Value {
    Linear(Linear),
    /// That depends on a condition.
    Depends(Term),
    Other,
}

impl<'g> Relations<'g> {
    /// Besides what the program compares, some pairs of numbers have to do with each other.
    pub(super) fn new(
        terms: &'g Terms,
        graph: &'g ProgramGraph,
        related: &[(Term, Term)],
    ) -> Relations<'g> {
        let mut relations = Relations {
            terms,
            graph,
            intervals: Steps::new(terms, graph),
            landmarks: Vec::new(),
            parts: RefCell::default(),
            fuel: Cell::new(u32::MAX),
        };
        relations.landmarks = relations.landmarks(related);
        relations
    }

    /// What the program compares: where it holds, where it does not, and one step past both, which is where loops end.
    fn landmarks(&self, related: &[(Term, Term)]) -> Vec<Linear> {
        let terms = self.terms;
        let formulas = self
            .graph
            .graph
            .edge_weights()
            .map(|edge| edge.transition.formula);
        let compared = terms.post_order(&formulas.collect::<Vec<_>>());
        let compared =
            compared
                .into_iter()
                .filter_map(|term| match (terms.op(term), terms.args(term)) {
                    (Op::Le | Op::Lt, &[a, b]) => Some((a, b)),
                    _ => None,
                });
        let (nothing, none) = (State::default(), Choices::new());
        let mut found: Vec<Linear> = Vec::new();
        for (a, b) in related.iter().copied().chain(compared) {
            let sides = [a, b].map(|side| self.value(&nothing, side, &none, 0));
            let [Value::Linear(a), Value::Linear(b)] = sides else {
                continue;
            };
            let Some(difference) = b.plus(-1, &a).filter(|form| form.factors.len() > 1) else {
                continue;
            };
            for (sign, past) in [(1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1)] {
                let form = Linear::constant(past).plus(sign, &difference);
                found.extend(form.filter(|form| !found.contains(form)));
            }
            if found.len() >= limits::LANDMARKS {
                break;
            }
        }
        found
    }

    /// Whether a formula at this depth may be looked at.
    fn may_look(&self, depth: u32) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0 && depth < DEPTH
    }

    fn number(&self, name: &str) -> Option<u32> {
        u32::try_from(self.graph.variables.get_index_of(name)?).ok()
    }

    fn parts(&self, transition: &Transition) -> Rc<Parts> {
        if let Some(known) = self.parts.borrow().get(&transition.formula) {
            return known.clone();
        }
        let parts = Rc::new(self.take_apart(transition));
        self.parts
            .borrow_mut()
            .insert(transition.formula, parts.clone());
        parts
    }

    fn take_apart(&self, transition: &Transition) -> Parts {
        let terms = self.terms;
        let (definitions, rest) = transition.definitions(terms);
        let names = |term: Term, version| terms.names_of(&[term], version);
        let is_changed = |name: &Arc<str>| transition.changed.contains(name);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for conjunct in rest {
            let (old, new) = (
                names(conjunct, Version::Current),
                names(conjunct, Version::Next),
            );
            if new.is_empty() {
                before.push(conjunct);
            } else if !old.keys().any(is_changed) {
                // About the state after the step alone.
                after.push(terms.with_versions(conjunct, |var| match var.version {
                    Version::Next => Version::Current,
                    other => other,
                }));
            }
        }
        let mut waiting: Vec<(&Arc<str>, Option<Term>)> = transition
            .changed
            .iter()
            .map(|name| {
                let definition = definitions.iter().find(|found| found.variable == *name);
                let value = definition.map(|found| found.value);
                // The value after the step of another variable is not known yet.
                (
                    name,
                    value.filter(|&value| names(value, Version::Next).is_empty()),
                )
            })
            .collect();
        let mut assignments = Vec::new();
        while !waiting.is_empty() {
            let reads = |&(_, value): &(&Arc<str>, Option<Term>), name: &Arc<str>| {
                value.is_some_and(|value| names(value, Version::Current).contains_key(name))
            };
            let is_free = |at: &usize| {
                let mut others = waiting.iter().enumerate().filter(|(other, _)| other != at);
                !others.any(|(_, other)| reads(other, waiting[*at].0))
            };
            let next = (0..waiting.len()).find(is_free);
            let (name, value) = waiting.remove(next.unwrap_or(0));
            let value = value.filter(|_| next.is_some());
            assignments.extend(self.number(name).map(|number| (number, value)));
        }
        let mut met = names(transition.formula, Version::Current);
        met.extend(names(transition.formula, Version::Next));
        let met = met.keys().chain(&transition.changed);
        let mut met: Vec<u32> = met.filter_map(|name| self.number(name)).collect();
        met.sort_unstable();
        met.dedup();
        Parts {
            before,
            assignments,
            after,
            met,
        }
    }

    /// The union of states, if there are any.
    fn union(&self, states: impl Iterator<Item = State>) -> Option<State> {
        states.reduce(|mut all, more| {
            self.include(&mut all, &more, 0);
            all
        })
    }

    /// A state where a condition is true, or false.
    fn require(&self, state: State, formula: Term, is_true: bool, depth: u32) -> Option<State> {
        let terms = self.terms;
        let node = terms.node(formula);
        if !self.may_look(depth) {
            return self.require_by_intervals(state, formula, is_true);
        }
        let next = depth + 1;
        match (&node.op, &*node.args, is_true) {
            (Op::Not, &[arg], _) => self.require(state, arg, !is_true, next),
            (Op::And, args, true) | (Op::Or, args, false) => args
                .iter()
                .try_fold(state, |state, &arg| self.require(state, arg, is_true, next)),
            (Op::Or, args, true) | (Op::And, args, false) if args.len() <= PARTS => {
                let states = args
                    .iter()
                    .filter_map(|&arg| self.require(state.clone(), arg, is_true, next));
                self.union(states)
            }
            (Op::Le | Op::Lt | Op::Eq, &[a, b], _) if *terms.sort(a) == Sort::Int => {
                self.compare(state, (formula, a, b), is_true, &mut Choices::new())
            }
            _ => self.require_by_intervals(state, formula, is_true),
        }
    }

    fn require_by_intervals(
        &self,
        mut state: State,
        formula: Term,
        is_true: bool,
    ) -> Option<State> {
        let formula = match is_true {
            true => formula,
            false => self.terms.not(formula),
        };
        let condition = Transition::assume(formula);
        state.intervals = self.intervals.after(state.intervals, &condition)?;
        Some(state)
    }

    /// The same for a comparison of numbers.
    fn compare(
        &self,
        mut state: State,
        (formula, a, b): (Term, Term, Term),
        is_true: bool,
        choices: &mut Choices,
    ) -> Option<State> {
        let difference = match (
            self.value(&state, a, choices, 0),
            self.value(&state, b, choices, 0),
        ) {
            (Value::Depends(condition), _) | (_, Value::Depends(condition)) => {
                return self.either_way(state, condition, choices, &mut |state, choices| {
                    self.compare(state, (formula, a, b), is_true, choices)
                });
            }
            (Value::Linear(a), Value::Linear(b)) => b.plus(-1, &a),
            _ => None,
        };
        let Some(difference) = difference else {
            return self.require_by_intervals(state, formula, is_true);
        };
        let strict = Linear::constant(1);
        let opposite = || Linear::default().plus(-1, &difference);
        let (form, is_equation) = match (self.terms.op(formula), is_true) {
            (Op::Eq, true) => (Some(difference), true),
            (Op::Le, true) => (Some(difference), false),
            (Op::Lt, true) => (difference.plus(-1, &strict), false),
            (Op::Le, false) => (opposite().and_then(|form| form.plus(-1, &strict)), false),
            (Op::Lt, false) => (opposite(), false),
            _ => {
                let bounds = state.bounds(&difference);
                match (bounds.low, bounds.high) {
                    (Some(0), Some(0)) => return None,
                    (Some(0), _) => (difference.plus(-1, &strict), false),
                    (_, Some(0)) => (opposite().and_then(|form| form.plus(-1, &strict)), false),
                    _ => (None, false),
                }
            }
        };
        // What intervals know already, polyhedra would not look at.
        if let Some(form) = form {
            state.meet(&form, is_equation).ok()?;
        }
        self.require_by_intervals(state, formula, is_true)
    }

    /// What comes out where a condition is true, and where it is not.
    fn either_way(
        &self,
        state: State,
        condition: Term,
        choices: &mut Choices,
        go_on: &mut dyn FnMut(State, &mut Choices) -> Option<State>,
    ) -> Option<State> {
        let mut states = Vec::new();
        for is_true in [true, false] {
            if let Some(state) = self.require(state.clone(), condition, is_true, 0) {
                choices.push((condition, is_true));
                states.extend(go_on(state, choices));
                choices.pop();
            }
        }
        self.union(states.into_iter())
    }

    /// Whether a condition is true in all of a state, or false; as one of the choices or by what is known.
    fn truth(&self, state: &State, condition: Term, choices: &Choices) -> Option<bool> {
        if let Some((_, is_true)) = choices.iter().find(|(known, _)| *known == condition) {
            return Some(*is_true);
        }
        let terms = self.terms;
        let node = terms.node(condition);
        match (&node.op, &*node.args) {
            (Op::Not, &[arg]) => self.truth(state, arg, choices).map(|is_true| !is_true),
            (Op::Le | Op::Lt | Op::Eq, &[a, b]) if *terms.sort(a) == Sort::Int => {
                let a = self.value(state, a, choices, 0);
                let (Value::Linear(a), Value::Linear(b)) = (a, self.value(state, b, choices, 0))
                else {
                    return None;
                };
                let bounds = state.bounds(&b.plus(-1, &a)?);
                let strict = i128::from(node.op == Op::Lt);
                match node.op {
                    Op::Eq if bounds.value() == Some(0) => Some(true),
                    Op::Eq if !bounds.contains(0) => Some(false),
                    Op::Eq => None,
                    _ if bounds.low.is_some_and(|low| low >= strict) => Some(true),
                    _ if bounds.high.is_some_and(|high| high < strict) => Some(false),
                    _ => None,
                }
            }
            _ => match self.intervals.value(&state.intervals, condition).value() {
                Some(0) => Some(false),
                Some(_) => Some(true),
                None => None,
            },
        }
    }

    /// What a number or a truth value is.
    fn value(&self, state: &State, term: Term, choices: &Choices, depth: u32) -> Value {
        let terms = self.terms;
        let node = terms.node(term);
        if !self.may_look(depth) {
            return Value::Other;
        }
        let depth = depth + 1;
        let of = |term: Term| self.value(state, term, choices, depth);
        match (&node.op, &*node.args) {
            (Op::Var(var), _) if var.version == Version::Current => {
                match self
                    .number(&var.name)
                    .filter(|_| self.intervals.is_known(term))
                {
                    Some(number) => Value::Linear(Linear::variable(number)),
                    None => Value::Other,
                }
            }
            (Op::Int(value), _) => match value.to_i128() {
                Some(value) => Value::Linear(Linear::constant(value)),
                None => Value::Other,
            },
            (Op::Bool(value), _) => Value::Linear(Linear::constant(i128::from(*value))),
            (Op::Add, args) => {
                let mut sum = Linear::default();
                for &arg in args {
                    match of(arg) {
                        Value::Linear(one) => match sum.plus(1, &one) {
                            Some(more) => sum = more,
                            None => return Value::Other,
                        },
                        other => return other,
                    }
                }
                Value::Linear(sum)
            }
            (Op::Mul, &[a, b]) => {
                let (a, b) = match (of(a), of(b)) {
                    (Value::Linear(a), Value::Linear(b)) => (a, b),
                    (Value::Depends(condition), _) | (_, Value::Depends(condition)) => {
                        return Value::Depends(condition);
                    }
                    _ => return Value::Other,
                };
                let product = match (state.bounds(&a).value(), state.bounds(&b).value()) {
                    (Some(factor), _) => Linear::default().plus(factor, &b),
                    (None, Some(factor)) => Linear::default().plus(factor, &a),
                    (None, None) => None,
                };
                product.map_or(Value::Other, Value::Linear)
            }
            (Op::Mod | Op::Div, &[dividend, divisor]) => {
                let divisor = self.intervals.value(&state.intervals, divisor).value();
                let Some(divisor) = divisor.filter(|divisor| *divisor > 0) else {
                    return Value::Other;
                };
                let dividend = match of(dividend) {
                    Value::Linear(dividend) => dividend,
                    other => return other,
                };
                // Where all of it has one quotient, or all of it the same remainder.
                let quotient = state.bounds(&dividend).div(divisor).value();
                let value = match (quotient, &node.op) {
                    (Some(quotient), Op::Div) => Some(Linear::constant(quotient)),
                    (Some(quotient), _) => quotient
                        .checked_mul(divisor)
                        .and_then(|whole| dividend.plus(-1, &Linear::constant(whole))),
                    (None, Op::Mod) => state.remainder(&dividend, divisor).map(Linear::constant),
                    (None, _) => None,
                };
                value.map_or(Value::Other, Value::Linear)
            }
            (Op::Ite, &[condition, yes, no]) => match self.truth(state, condition, choices) {
                Some(true) => of(yes),
                Some(false) => of(no),
                None if choices.len() < CHOICES => Value::Depends(condition),
                None => Value::Other,
            },
            (Op::Not | Op::And | Op::Or | Op::Le | Op::Lt | Op::Eq, _) => {
                match self.truth(state, term, choices) {
                    Some(is_true) => Value::Linear(Linear::constant(i128::from(is_true))),
                    None if choices.len() < CHOICES => Value::Depends(term),
                    None => Value::Other,
                }
            }
            _ => Value::Other,
        }
    }

    /// What assignments make of a state, from one on.
    fn assign(
        &self,
        mut state: State,
        assignments: &[(u32, Option<Term>)],
        choices: &mut Choices,
    ) -> Option<State> {
        for (number, (variable, value)) in assignments.iter().enumerate() {
            let Some(value) = *value else {
                state.forget(*variable);
                continue;
            };
            match self.value(&state, value, choices, 0) {
                Value::Linear(form) => {
                    let interval = state.bounds(&form);
                    let other = self.intervals.value(&state.intervals, value);
                    let interval = interval.meet(other).unwrap_or(interval);
                    state.assign(*variable, &form, interval).ok()?;
                }
                Value::Depends(condition) => {
                    let rest = &assignments[number..];
                    return self.either_way(state, condition, choices, &mut |state, choices| {
                        self.assign(state, rest, choices)
                    });
                }
                Value::Other => {
                    let interval = self.intervals.value(&state.intervals, value);
                    state.forget(*variable);
                    state.intervals.set(*variable, interval);
                }
            }
        }
        Some(state)
    }
}

impl Domain for Relations<'_> {
    type State = State;

    fn after(&self, before: State, transition: &Transition) -> Option<State> {
        self.fuel.set(FUEL);
        let known = self.intervals.after(before.intervals.clone(), transition)?;
        let parts = self.parts(transition);
        let mut state = before;
        for &condition in &parts.before {
            state = self.require(state, condition, true, 0)?;
        }
        state = self.assign(state, &parts.assignments, &mut Choices::new())?;
        for &condition in &parts.after {
            state = self.require(state, condition, true, 0)?;
        }
        for &variable in &parts.met {
            let met = state.intervals.get(variable).meet(known.get(variable))?;
            state.intervals.set(variable, met);
        }
        Some(state)
    }

    fn forget(&self, state: &mut State, variable: usize) {
        // There are fewer variables than that.
        state.forget(variable as u32);
    }

    fn include(&self, known: &mut State, more: &State, grown: u32) -> bool {
        known.include(more, &self.landmarks, grown, |known, more| {
            self.intervals.include(known, more, grown)
        })
    }

    fn formula(&self, state: &State) -> Term {
        let terms = self.terms;
        let blocks = state.blocks().flat_map(|block| self.constraints(block));
        let intervals = self.intervals.formula(&state.intervals);
        terms.and([intervals].into_iter().chain(blocks))
    }
}

impl Relations<'_> {
    /// The constraints of a polyhedron as formulas.
    fn constraints(&self, block: &Polyhedron) -> Vec<Term> {
        let terms = self.terms;
        let variable = |number: u32| {
            let (name, sort) = self.graph.variables.get_index(number as usize)?;
            let variable = terms.current(name.clone(), sort.clone());
            Some(match sort {
                Sort::Bool => terms.ite(variable, terms.int(1), terms.int(0)),
                _ => variable,
            })
        };
        // The parts of a sum that have this sign, without it.
        let side = |row: &[i128], sign: i128| {
            let mut parts: Vec<Term> = Vec::new();
            for (&number, &factor) in block.variables.iter().zip(&row[1..]) {
                if factor.signum() == sign
                    && let Some(variable) = variable(number)
                {
                    parts.push(terms.mul(&[terms.int(sign * factor), variable]));
                }
            }
            if row[0].signum() == sign || parts.is_empty() {
                parts.push(terms.int((sign * row[0]).max(0)));
            }
            terms.add(&parts)
        };
        let equations = block.equations.iter();
        let equations = equations.map(|row| terms.eq(side(row, 1), side(row, -1)));
        let inequalities = block.inequalities.iter();
        let inequalities = inequalities.map(|row| terms.le(side(row, -1), side(row, 1)));
        equations.chain(inequalities).collect()
    }
}
