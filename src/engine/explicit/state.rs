//! What is known at a location: a value for each variable, as a term over *symbols*.
//!
//! A symbol stands for something unknown: an input, or the value of a variable about which nothing
//! is known. That two variables hold the same unknown value, or values that differ by two, is known
//! so. Of a symbol that stands for an integer, a range and some exceptions are known.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::elements::{Elements, is_number};
use super::symbols::Symbols;
use crate::interval::Interval;
use fixedbitset::FixedBitSet;
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_core::graph::ProgramGraph;
use ult_core::persistent::Set;

/// So many single values are excluded of a symbol.
const MOST_EXCEPTIONS: usize = 24;

/// What integers a symbol may stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub within: Interval,
    /// Within the interval, and none of its ends; sorted.
    except: Vec<i128>,
}

impl Range {
    /// All integers.
    pub(super) const ALL: Range = Range {
        within: Interval::ALL,
        except: Vec::new(),
    };

    pub(super) fn contains(&self, value: i128) -> bool {
        self.within.contains(value) && self.except.binary_search(&value).is_err()
    }

    /// What is also in an interval; `None` if there is nothing.
    pub(super) fn meet(&self, interval: Interval) -> Option<Range> {
        let mut within = self.within.meet(interval)?;
        while let Some(low) = within.low.filter(|low| self.except.contains(low)) {
            within.low = Some(low + 1);
        }
        while let Some(high) = within.high.filter(|high| self.except.contains(high)) {
            within.high = Some(high - 1);
        }
        if let (Some(low), Some(high)) = (within.low, within.high)
            && low > high
        {
            return None;
        }
        let mut except = self.except.clone();
        except.retain(|&value| {
            within.contains(value) && within.low != Some(value) && within.high != Some(value)
        });
        Some(Range { within, except })
    }

    /// Without a value; `None` if there is nothing else. The other part of the answer is whether the
    /// value is really left out.
    pub(super) fn without(&self, value: i128) -> (Option<Range>, bool) {
        if !self.contains(value) {
            return (Some(self.clone()), true);
        }
        let mut range = self.clone();
        match range.except.binary_search(&value) {
            Err(place) if range.except.len() < MOST_EXCEPTIONS || self.is_end(value) => {
                range.except.insert(place, value);
                (range.meet(Interval::ALL), true)
            }
            _ => (Some(range), false),
        }
    }

    fn is_end(&self, value: i128) -> bool {
        self.within.low == Some(value) || self.within.high == Some(value)
    }

    /// The range of what is larger by `by`; what does not fit is not said.
    fn shifted(&self, by: i128) -> Range {
        let except = self.except.iter().filter_map(|value| value.checked_add(by));
        let except = except.collect();
        let within = self.within.add(Interval::only(by));
        let all = Range {
            within: Interval::ALL,
            except,
        };
        all.meet(within).unwrap_or(Range::ALL)
    }

    /// What a range says about a term.
    pub(super) fn formula(&self, terms: &Terms, of: Term) -> Term {
        let low = self.within.low.map(|low| terms.le(terms.int(low), of));
        let high = self.within.high.map(|high| terms.le(of, terms.int(high)));
        let except = self.except.iter();
        let except = except.map(|&value| terms.neq(of, terms.int(value)));
        terms.and(low.into_iter().chain(high).chain(except))
    }
}

/// What is known at a location, in one form: symbols are numbered in the order of the variables, and
/// each is the value of some variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// For each variable that is live there, in order; `None` is no knowledge.
    values: Box<[Option<Term>]>,
    /// Of symbols of which something is known.
    ranges: Box<[(Term, Range)]>,
    /// Other conditions about symbols; sorted.
    conditions: Box<[Term]>,
}

impl State {
    /// How many values are held.
    pub(super) fn len(&self) -> usize {
        self.values.len() + self.conditions.len()
    }

    /// The state as the conjuncts of a formula.
    pub(super) fn formula(&self, terms: &Terms, graph: &ProgramGraph, live: &Set) -> Vec<Term> {
        let mut variables: HashMap<Term, Term> = HashMap::new();
        let mut equations = Vec::new();
        for (number, value) in live.ones().zip(&self.values) {
            let (Some(value), Some((name, sort))) = (value, graph.variables.get_index(number))
            else {
                continue;
            };
            let variable = terms.current(name.clone(), sort.clone());
            if !Symbols::is_symbol(terms, *value) || variables.contains_key(value) {
                equations.push((variable, *value));
            } else {
                variables.insert(*value, variable);
            }
        }
        let ranges = self.ranges.iter().filter_map(|(symbol, range)| {
            let variable = variables.get(symbol)?;
            Some(range.formula(terms, *variable))
        });
        let conditions = self.conditions.iter();
        let conditions = conditions.map(|&condition| terms.substitute(condition, &variables));
        let ranges: Vec<Term> = ranges.chain(conditions).collect();
        let mut all = ranges;
        for (variable, value) in equations {
            let value = terms.substitute(value, &variables);
            match Elements::of(terms, value) {
                Some(elements) => elements.equations(terms, variable, &mut all),
                None => all.push(terms.eq(variable, value)),
            }
        }
        all
    }
}

/// A state on the way from one location to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// By number of the variable; `None` until somebody asks.
    values: Vec<Option<Term>>,
    /// What is known of symbols.
    pub ranges: BTreeMap<Term, Range>,
    /// What else is known of symbols, and not forgotten.
    pub conditions: BTreeSet<Term>,
    /// How many symbols there were so far.
    fresh: u32,
}

impl Work {
    /// Nothing is known.
    pub(super) fn anything(graph: &ProgramGraph) -> Work {
        Work {
            values: vec![None; graph.variables.len()],
            ..Work::default()
        }
    }

    /// A state, to go on from.
    pub(super) fn of(state: &State, graph: &ProgramGraph, live: &Set) -> Work {
        let mut work = Work::anything(graph);
        for (number, value) in live.ones().zip(&state.values) {
            work.values[number] = *value;
        }
        work.ranges = state.ranges.iter().cloned().collect();
        work.conditions = state.conditions.iter().copied().collect();
        // More than there can be.
        work.fresh = u32::try_from(state.values.len()).unwrap_or(u32::MAX);
        work
    }

    /// A new symbol.
    pub(super) fn symbol(&mut self, terms: &Terms, sort: &Sort) -> Term {
        let number = self.fresh;
        self.fresh += 1;
        Symbols::symbol(terms, number, sort)
    }

    /// The value of a variable, if one was asked for or given.
    pub(super) fn known(&self, variable: usize) -> Option<Term> {
        self.values[variable]
    }

    /// The value of a variable.
    pub(super) fn value(&mut self, terms: &Terms, variable: usize, sort: &Sort) -> Term {
        match self.values[variable] {
            Some(value) => value,
            None => {
                let symbol = self.symbol(terms, sort);
                self.values[variable] = Some(symbol);
                symbol
            }
        }
    }

    /// What integers a symbol may stand for.
    pub(super) fn range(&self, symbol: Term) -> Range {
        self.ranges.get(&symbol).cloned().unwrap_or(Range::ALL)
    }

    /// Gives a variable a value.
    pub(super) fn set(&mut self, variable: usize, value: Option<Term>) {
        self.values[variable] = value;
    }

    /// Puts a term in the place of a symbol, in all values.
    pub(super) fn put(&mut self, terms: &Terms, symbols: &Symbols, symbol: Term, term: Term) {
        let map = HashMap::from([(symbol, term)]);
        for value in self.values.iter_mut().flatten() {
            if symbols.of(terms, *value).contains(&symbol) {
                *value = terms.substitute(*value, &map);
            }
        }
    }

    /// What of it is worth knowing at a location: values of variables that are live, and tracked.
    pub(super) fn state(
        &self,
        terms: &Terms,
        symbols: &Symbols,
        live: &Set,
        tracked: &FixedBitSet,
    ) -> State {
        let value = |number: usize| self.values[number].filter(|_| tracked.contains(number));
        let mut values: Vec<Option<Term>> = live.ones().map(value).collect();
        let is_known = |value: &Option<Term>| value.is_none_or(|value| is_number(terms, value));
        if values.iter().all(is_known) {
            return State {
                values: values.into(),
                ranges: Box::default(),
                conditions: Box::default(),
            };
        }
        // The first variable whose value is the symbol, or differs from it by a number, is the one
        // that the symbol is said by; with the difference.
        let mut said: HashMap<Term, (usize, Option<Term>)> = HashMap::new();
        let mut counts: HashMap<Term, usize> = HashMap::new();
        for (place, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            if let Some((symbol, difference)) = shifted(terms, value) {
                said.entry(symbol).or_insert((place, difference));
            }
        }
        let mut numbers = 0..;
        for value in &mut values {
            let Some(term) = *value else { continue };
            let is_said = |symbol: &Term| said.contains_key(symbol);
            let own = symbols.of(terms, term);
            if !own.iter().all(is_said) {
                let known = |term: Term| symbols.of(terms, term).iter().all(is_said);
                let elements = Elements::of(terms, term).filter(|e| !said.contains_key(&e.base));
                let over = elements.and_then(|elements| {
                    // A symbol that nobody else has; a variable may still hold one of the state before.
                    let base = |number| Symbols::map_of(terms, number, terms.sort(term));
                    let base = numbers.by_ref().map(base).find(|base| !is_said(base))?;
                    Some(elements.over(terms, base, &known)).filter(|over| *over != base)
                });
                *value = over;
            }
            let own = value.map(|value| symbols.of(terms, value));
            for &symbol in own.iter().flat_map(|own| own.iter()) {
                *counts.entry(symbol).or_default() += 1;
            }
        }
        // A condition about a value that no variable has is forgotten.
        let is_said = |symbol: &Term| counts.contains_key(symbol) && said.contains_key(symbol);
        let kept: Vec<Term> = (self.conditions.iter().copied())
            .filter(|&condition| symbols.of(terms, condition).iter().all(is_said))
            .collect();
        for &condition in &kept {
            for &symbol in symbols.of(terms, condition).iter() {
                *counts.entry(symbol).or_default() += 1;
            }
        }
        let mut ranges = Vec::new();
        let mut map: HashMap<Term, Term> = HashMap::new();
        let mut number = 0;
        for (place, value) in values.iter_mut().enumerate() {
            let Some(term) = *value else { continue };
            let own = symbols.of(terms, term);
            for &symbol in own.iter() {
                if map.contains_key(&symbol) {
                    continue;
                }
                let Some(&(first, difference)) = said.get(&symbol) else {
                    // The rest of a map.
                    map.insert(symbol, symbol);
                    continue;
                };
                let by = difference.map_or(Some(0), |d| as_small(terms, d));
                let range = self.ranges.get(&symbol);
                let range = range.and_then(|range| Some(range.shifted(by?)));
                let range = range.filter(|range| *range != Range::ALL);
                if first == place && counts[&symbol] == 1 && range.is_none() {
                    // Only this variable has it: that says nothing.
                    continue;
                }
                let new = Symbols::symbol(terms, number, terms.sort(symbol));
                number += 1;
                let instead = match difference {
                    Some(difference) => terms.sub(new, difference),
                    None => new,
                };
                map.insert(symbol, instead);
                ranges.extend(range.map(|range| (new, range)));
            }
            *value = match own.iter().all(|symbol| map.contains_key(symbol)) {
                true => Some(terms.substitute(term, &map)),
                false => None,
            };
        }
        let conditions = kept.into_iter();
        let mut conditions: Vec<Term> = conditions
            .map(|condition| terms.substitute(condition, &map))
            .collect();
        conditions.sort_unstable();
        State {
            values: values.into(),
            ranges: ranges.into(),
            conditions: conditions.into(),
        }
    }
}

/// A value as a symbol plus a number.
fn shifted(terms: &Terms, value: Term) -> Option<(Term, Option<Term>)> {
    if Symbols::is_symbol(terms, value) {
        return Some((value, None));
    }
    match (terms.op(value), terms.args(value)) {
        (Op::Add, &[symbol, number])
            if Symbols::is_symbol(terms, symbol) && terms.as_number(number).is_some() =>
        {
            Some((symbol, Some(number)))
        }
        _ => None,
    }
}

/// The integer that a term is, if it is of moderate size.
pub(super) fn as_small(terms: &Terms, term: Term) -> Option<i128> {
    use num_traits::ToPrimitive as _;
    match terms.op(term) {
        Op::Int(value) => value.to_i128(),
        _ => None,
    }
}
