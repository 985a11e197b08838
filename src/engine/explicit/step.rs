//! A step along an edge: new values, and what its conditions say about symbols.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use num_traits::{Signed as _, ToPrimitive as _};

use super::elements::is_number;
use super::plan::{From, Plan};
use super::simple::Simple;
use super::state::{Range, Work, as_small};
use super::symbols::Symbols;
use crate::interval::Interval;
use crate::limits;
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_core::graph::{EdgeId, ProgramGraph};

/// A step is looked at in so many cases, where what it does depends on what is not known.
const MOST_CASES: usize = 24;

/// Takes steps.
pub(super) struct Steps<'g> {
    pub terms: &'g Terms,
    pub graph: &'g ProgramGraph,
    pub symbols: Symbols,
    /// What came of steps from known values, by edge and the values that it reads.
    known: RefCell<HashMap<StepKey, Seen>>,
}

/// An edge, and the values that it reads.
type StepKey = (EdgeId, Box<[Term]>);

/// What came of a step from known values.
enum Seen {
    /// Its conditions do not hold.
    Never,
    /// They do, and these are the new values, in the order of the plan.
    Values(Box<[Term]>),
    /// Something is not known.
    Other,
}

/// What comes of a step at a glance.
pub(super) enum Glance {
    /// Its conditions do not hold.
    Never,
    /// It was taken.
    Taken(Work),
    /// One has to look closer.
    Open,
}

/// A step in the middle.
#[derive(Clone)]
pub(super) struct Case {
    pub before: Work,
    /// The choices of the step, by number of the auxiliary.
    pub choices: BTreeMap<u32, Term>,
    /// New values of variables, by number.
    pub after: Vec<(usize, Option<Term>)>,
    /// What is still to be assumed.
    pub conditions: Vec<Term>,
    /// What was kept, and may say more now.
    again: Vec<Term>,
}

impl Case {
    /// The next condition, and whether to keep it.
    fn next_condition(&mut self, keeps: bool) -> Option<(Term, bool)> {
        let again = self.again.pop().map(|condition| (condition, true));
        again.or_else(|| Some((self.conditions.pop()?, keeps)))
    }
}

/// What came of a condition.
enum Said {
    /// It is the case, or all of it is known now.
    Done,
    /// It is never the case.
    Never,
    /// It is one of these.
    Either(Vec<Term>),
    /// This has to be known in its place.
    Instead(Vec<Term>),
    /// It says more than can be kept.
    Lost,
}

impl<'g> Steps<'g> {
    /// Of a graph.
    pub(super) fn new(terms: &'g Terms, graph: &'g ProgramGraph) -> Steps<'g> {
        Steps {
            terms,
            graph,
            symbols: Symbols::default(),
            known: RefCell::default(),
        }
    }

    /// Takes a step for which all values that it reads are known: it is remembered what came of it.
    pub(super) fn glance(&self, work: &Work, edge: EdgeId, plan: &Plan) -> Glance {
        let Some(reads) = &plan.reads else {
            return Glance::Open;
        };
        let value = |&variable: &usize| work.known(variable).filter(|v| is_number(self.terms, *v));
        let Some(values) = reads.iter().map(value).collect::<Option<Box<[Term]>>>() else {
            return Glance::Open;
        };
        let mut known = self.known.borrow_mut();
        if known.len() >= limits::EXPLICIT_MEMORY {
            known.clear();
        }
        let seen = known.entry((edge, values)).or_insert_with(|| {
            let case = self.case(work.clone(), BTreeMap::new(), plan);
            if case.conditions.contains(&self.terms.ff()) {
                return Seen::Never;
            }
            let values = case.after.iter().map(|(_, value)| *value);
            let simple = Simple(self, &work.ranges);
            let is_kept = |v: &Term| is_number(self.terms, *v) && simple.is_light(*v);
            let values = values.map(|value| value.filter(is_kept));
            let holds = case.conditions.iter().all(|c| *c == self.terms.tt());
            match values.collect::<Option<Box<[Term]>>>() {
                Some(values) if holds => Seen::Values(values),
                _ => Seen::Other,
            }
        });
        match seen {
            Seen::Never => Glance::Never,
            Seen::Other => Glance::Open,
            Seen::Values(values) => {
                let mut work = work.clone();
                for (&(variable, _), &mut value) in plan.changed.iter().zip(values) {
                    work.set(variable, Some(value));
                }
                Glance::Taken(work)
            }
        }
    }

    /// All that may come behind a step. Conditions that say more than what a symbol is, or in which
    /// range, are kept as they are, or else forgotten.
    pub(super) fn after(&self, before: Work, plan: &Plan, keeps: bool) -> Vec<Work> {
        let mut done = Vec::new();
        let mut starts = vec![(before, BTreeMap::new())];
        let mut cases = 0;
        while let Some((before, choices)) = starts.pop() {
            cases += 1;
            let may_split = cases < MOST_CASES;
            let mut case = self.case(before, choices, plan);
            if let Some(condition) = self.undecided(&case.after).filter(|_| may_split) {
                // The same step twice, once for each.
                for condition in [condition, self.terms.not(condition)] {
                    let mut half = case.clone();
                    half.after.clear();
                    half.conditions = vec![condition];
                    let mut again = |case: Case| starts.push((case.before, case.choices));
                    self.assume(half, false, &mut again, &mut cases);
                }
                continue;
            }
            case.after = self.light(&mut case.before, std::mem::take(&mut case.after));
            let mut arrive = |case: Case| {
                let mut work = case.before;
                for (variable, value) in case.after {
                    work.set(variable, value);
                }
                done.push(work);
            };
            self.assume(case, keeps, &mut arrive, &mut cases);
        }
        done
    }

    /// The step as it is evaluated in a state.
    pub(super) fn case(
        &self,
        mut before: Work,
        mut choices: BTreeMap<u32, Term>,
        plan: &Plan,
    ) -> Case {
        let mut values: Vec<Term> = Vec::with_capacity(plan.nodes.len());
        let mut after: Vec<(usize, Option<Term>)> = Vec::new();
        for (place, node) in plan.nodes.iter().enumerate() {
            if place == plan.for_values {
                after = new_values(plan, &values);
            }
            let value = match &node.from {
                From::Itself => node.term,
                From::Current(variable) => self.read(&mut before, *variable),
                From::Next(variable) => {
                    match after.iter_mut().find(|(other, _)| other == variable) {
                        None => self.read(&mut before, *variable),
                        Some((_, Some(value))) => *value,
                        Some((_, open)) => {
                            let symbol = before.symbol(self.terms, self.sort(*variable));
                            *open.insert(symbol)
                        }
                    }
                }
                From::Aux(number) => *choices
                    .entry(*number)
                    .or_insert_with(|| before.symbol(self.terms, self.terms.sort(node.term))),
                From::Nodes(places) => {
                    let arguments = self.terms.args(node.term);
                    let is_same = places.iter().zip(arguments).all(|(&p, &a)| values[p] == a);
                    match is_same {
                        true => node.term,
                        false => {
                            let arguments: Vec<Term> = places.iter().map(|&p| values[p]).collect();
                            Simple(self, &before.ranges).rebuilt(node.term, &arguments)
                        }
                    }
                }
            };
            values.push(value);
        }
        if plan.for_values == plan.nodes.len() {
            after = new_values(plan, &values);
        }
        Case {
            before,
            choices,
            after,
            conditions: plan.conditions.iter().rev().map(|&p| values[p]).collect(),
            again: Vec::new(),
        }
    }

    fn sort(&self, variable: usize) -> &Sort {
        let (_, sort) = self
            .graph
            .variables
            .get_index(variable)
            .unwrap_or_else(|| unreachable!("plans are made for the variables of the graph"));
        sort
    }

    fn read(&self, work: &mut Work, variable: usize) -> Term {
        match work.known(variable) {
            Some(value) => value,
            None => work.value(self.terms, variable, self.sort(variable)),
        }
    }

    /// The first condition that a new value depends on.
    fn undecided(&self, after: &[(usize, Option<Term>)]) -> Option<Term> {
        let value = |value: &Option<Term>| match (self.terms.op((*value)?), *value) {
            (Op::Ite, Some(value)) => Some(self.terms.args(value)[0]),
            // A truth value that is computed.
            (Op::Not | Op::And | Op::Or | Op::Eq | Op::Le | Op::Lt, Some(value)) => Some(value),
            _ => None,
        };
        let mut all = after.iter().filter_map(|(_, after)| value(after));
        all.find(|&condition| self.is_telling(condition, 3))
    }

    /// Forgets values that are too large to work with.
    fn light(
        &self,
        before: &mut Work,
        after: Vec<(usize, Option<Term>)>,
    ) -> Vec<(usize, Option<Term>)> {
        let light = after.into_iter().map(|(variable, value)| match value {
            Some(value) if !Simple(self, &before.ranges).is_light(value) => (variable, None),
            value => (variable, value),
        });
        light.collect()
    }

    /// Takes in the conditions of a case, in all the ways there are.
    fn assume(&self, case: Case, keeps: bool, arrive: &mut dyn FnMut(Case), cases: &mut usize) {
        let mut waiting = vec![case];
        'cases: while let Some(mut case) = waiting.pop() {
            while let Some((condition, keeps)) = case.next_condition(keeps) {
                match self.learn(&mut case, condition) {
                    Said::Done => {}
                    Said::Lost if keeps => {
                        if case.before.conditions.contains(&self.terms.not(condition)) {
                            continue 'cases;
                        }
                        case.before.conditions.insert(condition);
                    }
                    Said::Lost => {}
                    Said::Never => continue 'cases,
                    Said::Instead(parts) => case.conditions.extend(parts),
                    Said::Either(parts) => {
                        if *cases + parts.len() <= MOST_CASES {
                            *cases += parts.len() - 1;
                            for part in parts {
                                let mut one = case.clone();
                                one.conditions.push(part);
                                waiting.push(one);
                            }
                            continue 'cases;
                        }
                        if keeps {
                            case.before.conditions.insert(condition);
                        }
                    }
                }
            }
            arrive(case);
        }
    }

    /// Takes in a condition.
    fn learn(&self, case: &mut Case, condition: Term) -> Said {
        let terms = self.terms;
        let (op, args) = (terms.op(condition), terms.args(condition));
        match (op, args) {
            (Op::Bool(true), _) => Said::Done,
            (Op::Bool(false), _) => Said::Never,
            (Op::And, parts) => Said::Instead(parts.to_vec()),
            (Op::Or, parts) => match parts.iter().all(|&part| self.is_telling(part, 3)) {
                true => Said::Either(parts.to_vec()),
                false => Said::Lost,
            },
            (Op::Ite, &[test, then, other]) => {
                let no = terms.not(test);
                let parts = [terms.and2(test, then), terms.and2(no, other)];
                match parts.iter().all(|&part| self.is_telling(part, 3)) {
                    true => Said::Either(parts.into()),
                    false => Said::Lost,
                }
            }
            (Op::Not, &[inner]) => self.learn_not(case, inner),
            (Op::Eq, &[left, right]) => self.learn_equal(case, left, right),
            (Op::Le, &[left, right]) => self.learn_order(case, left, right, false),
            (Op::Lt, &[left, right]) => self.learn_order(case, left, right, true),
            (Op::Var(_), _) => self.put(case, condition, terms.tt()),
            (Op::Select, _) => self.put_element(case, condition, terms.tt()),
            _ => Said::Lost,
        }
    }

    /// Whether something can be learned from a condition; `depth` bounds the effort.
    fn is_telling(&self, condition: Term, depth: u32) -> bool {
        let terms = self.terms;
        if depth == 0 {
            return false;
        }
        match (terms.op(condition), terms.args(condition)) {
            (Op::And, parts) => parts.iter().any(|&part| self.is_telling(part, depth - 1)),
            (Op::Or, parts) => parts.iter().all(|&part| self.is_telling(part, depth - 1)),
            (Op::Not, &[inner]) => match (terms.op(inner), terms.args(inner)) {
                (Op::And, parts) => parts.iter().all(|&part| self.is_telling(part, depth - 1)),
                (Op::Or, parts) => parts.iter().any(|&part| self.is_telling(part, depth - 1)),
                _ => self.is_telling(inner, depth - 1),
            },
            (Op::Eq | Op::Le | Op::Lt, &[left, right]) => [left, right]
                .into_iter()
                .any(|side| self.symbols.none(terms, side)),
            (Op::Var(_) | Op::Select | Op::Bool(_), _) => true,
            _ => false,
        }
    }

    fn learn_not(&self, case: &mut Case, inner: Term) -> Said {
        let terms = self.terms;
        match (terms.op(inner), terms.args(inner)) {
            (Op::Not, &[condition]) => Said::Instead(vec![condition]),
            (Op::Or, parts) => Said::Instead(parts.iter().map(|&part| terms.not(part)).collect()),
            (Op::And, parts) => {
                let parts: Vec<Term> = parts.iter().map(|&part| terms.not(part)).collect();
                match parts.iter().all(|&part| self.is_telling(part, 3)) {
                    true => Said::Either(parts),
                    false => Said::Lost,
                }
            }
            (Op::Ite, &[test, then, other]) => {
                Said::Instead(vec![terms.ite(test, terms.not(then), terms.not(other))])
            }
            (Op::Eq, &[left, right]) if *terms.sort(left) == Sort::Bool => {
                Said::Instead(vec![terms.eq(left, terms.not(right))])
            }
            (Op::Eq, &[left, right]) => self.learn_different(case, left, right),
            (Op::Var(_), _) => self.put(case, inner, terms.ff()),
            (Op::Select, _) => self.put_element(case, inner, terms.ff()),
            _ => Said::Lost,
        }
    }

    fn learn_equal(&self, case: &mut Case, left: Term, right: Term) -> Said {
        let terms = self.terms;
        if *terms.sort(left) == Sort::Int {
            let difference = terms.sub(left, right);
            return self.learn_zero(case, difference);
        }
        for (one, other) in [(left, right), (right, left)] {
            if Symbols::is_symbol(terms, one) && !self.symbols.has(terms, other, one) {
                return self.put(case, one, other);
            }
        }
        for (one, other) in [(left, right), (right, left)] {
            if *terms.op(one) == Op::Select && self.symbols.none(terms, other) {
                return self.put_element(case, one, other);
            }
        }
        if *terms.sort(left) == Sort::Bool && self.is_telling(left, 2) && self.is_telling(right, 2)
        {
            let both = terms.and2(left, right);
            let none = terms.and2(terms.not(left), terms.not(right));
            return Said::Either(vec![both, none]);
        }
        Said::Lost
    }

    /// Takes in that a sum is zero.
    fn learn_zero(&self, case: &mut Case, sum: Term) -> Said {
        let terms = self.terms;
        let range = Simple(self, &case.before.ranges).interval(sum);
        if !range.contains(0) {
            return Said::Never;
        }
        let (parts, constant) = terms.linear(sum);
        if parts.is_empty() {
            return Said::Done;
        }
        if let [(base, factor)] = &parts[..] {
            let value = -constant / factor;
            if !value.is_integer() {
                return Said::Never;
            }
            let value = terms.int(value.to_integer());
            return match terms.op(*base) {
                Op::Var(_) => self.put(case, *base, value),
                Op::Select => self.put_element(case, *base, value),
                _ => Said::Lost,
            };
        }
        // One that can be computed of the others.
        let solved = parts.iter().find(|(base, factor)| {
            let alone = || {
                let others = parts.iter().filter(|(other, _)| other != base);
                others
                    .clone()
                    .all(|(other, _)| !self.symbols.has(terms, *other, *base))
            };
            let is_one = factor.abs().is_integer() && factor.abs().to_integer() == 1.into();
            is_one && Symbols::is_symbol(terms, *base) && alone()
        });
        match solved {
            Some((base, factor)) => {
                let own = match factor.is_positive() {
                    true => *base,
                    false => terms.neg(*base),
                };
                let rest = terms.sub(sum, own);
                let value = match factor.is_positive() {
                    true => terms.neg(rest),
                    false => rest,
                };
                self.put(case, *base, value)
            }
            None => Said::Lost,
        }
    }

    fn learn_different(&self, case: &mut Case, left: Term, right: Term) -> Said {
        let terms = self.terms;
        if *terms.sort(left) != Sort::Int {
            return Said::Lost;
        }
        let difference = terms.sub(left, right);
        if !Simple(self, &case.before.ranges)
            .interval(difference)
            .contains(0)
        {
            return Said::Done;
        }
        let (parts, constant) = terms.linear(difference);
        match &parts[..] {
            [] => Said::Never,
            [(base, factor)] => {
                let value = -constant / factor;
                let value = match value.is_integer() {
                    true => value.to_integer().to_i128(),
                    false => return Said::Done,
                };
                let Some(value) = value.filter(|_| Symbols::is_symbol(terms, *base)) else {
                    return Said::Lost;
                };
                let (range, is_out) = case.before.range(*base).without(value);
                match (self.narrow(case, *base, range), is_out) {
                    (Said::Done, false) => Said::Lost,
                    (said, _) => said,
                }
            }
            _ => Said::Lost,
        }
    }

    fn learn_order(&self, case: &mut Case, left: Term, right: Term, strict: bool) -> Said {
        let terms = self.terms;
        if *terms.sort(left) != Sort::Int {
            return Said::Lost;
        }
        // At most zero.
        let difference = match strict {
            true => terms.add(&[left, terms.neg(right), terms.int(1)]),
            false => terms.sub(left, right),
        };
        let range = Simple(self, &case.before.ranges).interval(difference);
        if range.high.is_some_and(|high| high <= 0) {
            return Said::Done;
        }
        if range.low.is_some_and(|low| low > 0) {
            return Said::Never;
        }
        let (parts, constant) = terms.linear(difference);
        match &parts[..] {
            [] => match constant.is_positive() {
                true => Said::Never,
                false => Said::Done,
            },
            [(base, factor)] if Symbols::is_symbol(terms, *base) => {
                let bound = -constant / factor;
                let interval = match factor.is_positive() {
                    true => Interval::at_most(bound.floor().to_integer().to_i128()),
                    false => Interval::at_least(bound.ceil().to_integer().to_i128()),
                };
                let range = case.before.range(*base).meet(interval);
                self.narrow(case, *base, range)
            }
            _ => Said::Lost,
        }
    }

    /// Gives a symbol a new range.
    fn narrow(&self, case: &mut Case, symbol: Term, range: Option<Range>) -> Said {
        match range {
            None => Said::Never,
            Some(range) => match range.within.value() {
                Some(value) => self.put(case, symbol, self.terms.int(value)),
                None => {
                    case.before.ranges.insert(symbol, range);
                    Said::Done
                }
            },
        }
    }

    /// Puts a term, in which the symbol does not occur, in its place everywhere.
    fn put(&self, case: &mut Case, symbol: Term, term: Term) -> Said {
        let terms = self.terms;
        if !Symbols::is_symbol(terms, symbol) {
            return Said::Lost;
        }
        let mut instead = Vec::new();
        if let Some(range) = case.before.ranges.remove(&symbol) {
            match as_small(terms, term) {
                Some(value) if !range.contains(value) => return Said::Never,
                Some(_) => {}
                None => {
                    let low = range.within.low.map(|low| terms.le(terms.int(low), term));
                    let high = range
                        .within
                        .high
                        .map(|high| terms.le(term, terms.int(high)));
                    instead.extend(low.into_iter().chain(high));
                }
            }
        }
        case.before.put(terms, &self.symbols, symbol, term);
        // What was kept may say more now.
        let about = |condition: &Term| self.symbols.has(terms, *condition, symbol);
        let again: Vec<Term> = case
            .before
            .conditions
            .iter()
            .copied()
            .filter(about)
            .collect();
        for condition in again {
            case.before.conditions.remove(&condition);
            case.again.push(condition);
        }
        let map = HashMap::from([(symbol, term)]);
        let after = case.after.iter_mut();
        let after = after.filter_map(|(_, value)| value.as_mut());
        let choices = case.choices.values_mut();
        let conditions = case.conditions.iter_mut().chain(&mut case.again);
        for value in after.chain(choices).chain(conditions) {
            if self.symbols.has(terms, *value, symbol) {
                *value = terms.substitute(*value, &map);
            }
        }
        Said::Instead(instead)
    }

    /// Takes in the value, which is known, of an element of a map.
    fn put_element(&self, case: &mut Case, element: Term, value: Term) -> Said {
        let terms = self.terms;
        // From the element outwards to the map that is a symbol.
        let mut path: Vec<&[Term]> = Vec::new();
        let mut map = element;
        while let (Op::Select, [inner, indices @ ..]) = (terms.op(map), terms.args(map)) {
            path.push(indices);
            map = *inner;
        }
        let is_number = |index: &Term| is_number(terms, *index);
        if !Symbols::is_symbol(terms, map) || !path.iter().copied().flatten().all(is_number) {
            return Said::Lost;
        }
        let rest = case.before.symbol(terms, terms.sort(map));
        let mut maps = vec![rest];
        for indices in path.iter().skip(1).rev() {
            maps.push(terms.select(maps[maps.len() - 1], indices));
        }
        let with = (path.iter().zip(maps.into_iter().rev()))
            .fold(value, |value, (indices, map)| {
                terms.store(map, indices, value)
            });
        self.put(case, map, with)
    }
}

/// The new values, where they are computed.
fn new_values(plan: &Plan, values: &[Term]) -> Vec<(usize, Option<Term>)> {
    let changed = plan.changed.iter();
    changed
        .map(|&(variable, place)| (variable, place.map(|place| values[place])))
        .collect()
}
