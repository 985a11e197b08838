//! Maps as cells: random transitions mean the same before and after.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::{Cells, Elsewhere, Reads, cells};
use crate::tests::Builder;
use ult_core::control::Control;
use ult_core::formula::{
    BinderKind, Entries, Function, Interpretation, MapSort, MapValue, Op, Sort, Term, Terms, Value,
    Var, Version, eval,
};
use ult_core::graph::evidence::State;
use ult_core::graph::{ProgramGraph, Transition};

/// Decisions, read from a list.
struct Tape(Vec<u8>, usize);

impl Tape {
    fn below(&mut self, bound: usize) -> usize {
        self.1 += 1;
        let next = self.0.get(self.1 - 1).copied().unwrap_or(0);
        usize::from(next) % bound
    }
}

/// The values that indices have, by the variables' ranges.
const RANGE: i64 = 2;

fn ints() -> Sort {
    Sort::map(vec![Sort::Int], Sort::Int)
}

fn pairs() -> Sort {
    Sort::map(vec![Sort::Int, Sort::Bool], Sort::Int)
}

fn nested() -> Sort {
    Sort::map(vec![Sort::Int], ints())
}

type SortOf = fn() -> Sort;

const VARIABLES: [(&str, SortOf); 8] = [
    ("i", || Sort::Int),
    ("j", || Sort::Int),
    ("p", || Sort::Bool),
    ("a", ints),
    ("b", ints),
    ("c", pairs),
    ("m", nested),
    ("n", nested),
];

struct Maker<'t> {
    terms: &'t Terms,
    tape: Tape,
}

impl Maker<'_> {
    fn variable(&self, name: &str, version: Version) -> Term {
        let (_, sort) = VARIABLES.iter().find(|(other, _)| *other == name).unwrap();
        self.terms.var(name, version, sort())
    }

    fn current(&self, name: &str) -> Term {
        self.variable(name, Version::Current)
    }

    /// Between 0 and [`RANGE`].
    fn index(&mut self, depth: usize) -> Term {
        let terms = self.terms;
        match self.tape.below(if depth == 0 { 3 } else { 4 }) {
            0 => terms.int(self.tape.below(RANGE as usize + 1)),
            1 => self.current("i"),
            2 => self.current("j"),
            _ => {
                let condition = self.truth(depth - 1);
                let (a, b) = (self.index(0), self.index(0));
                terms.ite(condition, a, b)
            }
        }
    }

    fn number(&mut self, depth: usize) -> Term {
        let terms = self.terms;
        if depth == 0 {
            return self.index(0);
        }
        match self.tape.below(5) {
            0 => self.index(depth),
            1 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                terms.add(&[a, b])
            }
            2 => {
                let (map, index) = (self.map(depth - 1), self.index(depth - 1));
                terms.select(map, &[index])
            }
            3 => {
                let index = self.index(depth - 1);
                let flag = self.truth(depth - 1);
                terms.select(self.current("c"), &[index, flag])
            }
            _ => {
                let (map, index) = (self.matrix(depth - 1), self.index(depth - 1));
                let row = terms.select(map, &[index]);
                let index = self.index(depth - 1);
                terms.select(row, &[index])
            }
        }
    }

    fn map(&mut self, depth: usize) -> Term {
        let terms = self.terms;
        if depth == 0 {
            let name = ["a", "b"][self.tape.below(2)];
            return self.current(name);
        }
        match self.tape.below(6) {
            0 | 1 => {
                let (map, index) = (self.map(depth - 1), self.index(depth - 1));
                let value = self.number(depth - 1);
                terms.store(map, &[index], value)
            }
            2 => {
                let condition = self.truth(depth - 1);
                let (a, b) = (self.map(depth - 1), self.map(depth - 1));
                terms.ite(condition, a, b)
            }
            3 => {
                let (map, index) = (self.matrix(depth - 1), self.index(depth - 1));
                terms.select(map, &[index])
            }
            4 => {
                let value = self.number(depth - 1);
                terms.const_map(ints(), value)
            }
            _ => {
                let bound = terms.fresh_bound("k", Sort::Int);
                let body = terms.add(&[bound, terms.int(1)]);
                terms.bind(BinderKind::Lambda, &[bound], body, &[])
            }
        }
    }

    fn matrix(&mut self, depth: usize) -> Term {
        let terms = self.terms;
        if depth == 0 {
            let name = ["m", "n"][self.tape.below(2)];
            return self.current(name);
        }
        match self.tape.below(3) {
            0 => {
                let (map, index) = (self.matrix(depth - 1), self.index(depth - 1));
                let value = self.map(depth - 1);
                terms.store(map, &[index], value)
            }
            1 => {
                let value = self.map(depth - 1);
                terms.const_map(nested(), value)
            }
            _ => self.matrix(0),
        }
    }

    fn truth(&mut self, depth: usize) -> Term {
        let terms = self.terms;
        if depth == 0 {
            return self.current("p");
        }
        match self.tape.below(5) {
            0 => self.current("p"),
            1 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                terms.le(a, b)
            }
            2 => {
                let (a, b) = (self.map(depth - 1), self.map(depth - 1));
                terms.eq(a, b)
            }
            3 => {
                let (a, b) = (self.matrix(depth - 1), self.matrix(depth - 1));
                terms.eq(a, b)
            }
            _ => terms.not(self.truth(depth - 1)),
        }
    }

    fn transition(&mut self) -> Transition {
        let terms = self.terms;
        let mut conjuncts = Vec::new();
        let mut changed = std::collections::BTreeSet::new();
        for name in ["i", "j", "p", "a", "b", "c", "m", "n"] {
            let what = self.tape.below(4);
            if what == 0 {
                continue;
            }
            changed.insert(Arc::from(name));
            let next = self.variable(name, Version::Next);
            let value = match name {
                "i" | "j" => self.index(2),
                "p" => self.truth(2),
                "a" | "b" => self.map(3),
                "c" => {
                    let (index, flag) = (self.index(1), self.truth(1));
                    let value = self.number(2);
                    terms.store(self.current("c"), &[index, flag], value)
                }
                _ => self.matrix(2),
            };
            if what > 1 {
                conjuncts.push(terms.eq(next, value));
            }
        }
        conjuncts.push(self.truth(3));
        if changed.contains("a") && self.tape.below(2) == 0 {
            let read = terms.select(self.variable("a", Version::Next), &[self.current("i")]);
            conjuncts.push(terms.le(read, terms.int(3)));
        }
        Transition {
            formula: terms.and(conjuncts),
            changed,
        }
    }

    /// A value that maps have elsewhere what the sort's first one has.
    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.tape.below(2) == 0),
            Sort::Map(map) => {
                let mut entries = Entries::default();
                for index in 0..=RANGE {
                    let mut indices = vec![vec![Value::int(index)]];
                    if map.domain.len() == 2 {
                        let both =
                            [false, true].map(|flag| vec![Value::int(index), Value::Bool(flag)]);
                        indices = both.to_vec();
                    }
                    for index in indices {
                        entries.insert_mut(index, self.value(&map.range));
                    }
                }
                map_value(map, entries)
            }
            _ => Value::int(self.tape.below(RANGE as usize + 1)),
        }
    }
}

fn map_value(map: &MapSort, entries: Entries) -> Value {
    Value::Map(Arc::new(MapValue {
        domain: map.domain.clone(),
        default: Value::any_of(&map.range).unwrap(),
        entries,
    }))
}

/// The map with another value in a cell.
fn changed(map: &Value, path: &[&[Value]], value: Value) -> Value {
    let (Value::Map(map), Some((index, rest))) = (map, path.split_first()) else {
        return value;
    };
    let inner = changed(map.get(index), rest, value);
    Value::Map(Arc::new(MapValue {
        entries: map.entries.insert(index.to_vec(), inner),
        ..(**map).clone()
    }))
}

/// Two states.
struct Two<'a>(&'a State, &'a State);

/// What auxiliaries are, by number.
type Auxiliaries = BTreeMap<u32, Value>;

impl Interpretation for Two<'_> {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        let state = match var.version {
            Version::Current => self.0,
            _ => self.1,
        };
        state.get(&var.name).cloned()
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

/// Two states, and auxiliaries.
struct Step<'a>(Two<'a>, &'a Auxiliaries);

impl Interpretation for Step<'_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        match var.version {
            Version::Aux(number) => self.1.get(&number).cloned(),
            _ => self.0.variable(var, sort),
        }
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

/// Whether a step is one of the transition; `None` if the evaluator does not know.
fn allows(
    terms: &Terms,
    graph: &ProgramGraph,
    transition: &Transition,
    before: &State,
    after: &State,
) -> Option<bool> {
    let kept = graph.variables.keys();
    let mut kept = kept.filter(|name| !transition.changed.contains(*name));
    if !kept.all(|name| before[name] == after[name]) {
        return Some(false);
    }
    match eval(terms, transition.formula, &Two(before, after)) {
        Ok(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// The state's cells.
fn projected(terms: &Terms, cells: &Cells, state: &State) -> State {
    let meanings = cells.meanings(terms);
    let names = cells.graph.variables.iter();
    names
        .map(|(name, sort)| {
            let variable = terms.current(name.clone(), sort.clone());
            let meaning = meanings.get(&variable).copied().unwrap_or(variable);
            let value = eval(terms, meaning, &Two(state, state)).expect("a cell's value");
            (name.clone(), value)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn transitions_mean_the_same(tape in prop::collection::vec(0u8..12, 200), reads in reads()) {
        let terms = Terms::new();
        let mut builder = Builder::ints(&terms, &[]);
        for (name, sort) in VARIABLES {
            builder.graph.variables.insert(name.into(), sort());
        }
        let mut maker = Maker { terms: &terms, tape: Tape(tape, 0) };
        let transition = maker.transition();
        // Behind the first step shadows are what they stand for.
        builder.edge("middle", "end", transition.clone());
        builder.skip("start", "middle");
        let graph = builder.graph;
        graph.check(&terms).expect("a well-formed graph");
        let range = (BigInt::ZERO, BigInt::from(RANGE));
        let ranges = BTreeMap::from([("i".into(), range.clone()), ("j".into(), range)]);
        let control = Control::unlimited();
        let cells = cells(&terms, &graph, &ranges, Elsewhere::Blocks, reads, &control).unwrap();
        // All maps may be unused.
        let Some(cells) = cells else { return Ok(()) };
        cells.graph.check(&terms).expect("a well-formed graph");
        let edge = graph.graph.edge_indices().next().unwrap();
        for _ in 0..4 {
            let mut before = State::default();
            for (name, sort) in VARIABLES {
                before.insert(name.into(), maker.value(&sort()));
            }
            // What the step defines, and with luck what it says otherwise.
            let mut after = before.clone();
            for definition in transition.definitions(&terms).0 {
                if let Ok(value) = eval(&terms, definition.value, &Two(&before, &before)) {
                    after.insert(definition.variable, value);
                }
            }
            if maker.tape.below(3) == 0 {
                let (name, sort) = VARIABLES[maker.tape.below(VARIABLES.len())];
                let value = match cells.variables.get(name) {
                    // Elsewhere it stays what it is.
                    Some(row) => {
                        let paths = row.layout.paths();
                        let path = &paths[maker.tape.below(paths.len())];
                        changed(&after[name], path, maker.value(row.layout.sort()))
                    }
                    None => maker.value(&sort()),
                };
                after.insert(name.into(), value);
            }
            let given = allows(&terms, &graph, &transition, &before, &after);
            let (before, after) = (
                projected(&terms, &cells, &before),
                projected(&terms, &cells, &after),
            );
            let replaced = &cells.graph.graph[edge].transition;
            let found = allows(&terms, &cells.graph, replaced, &before, &after);
            if let (Some(given), Some(found)) = (given, found) {
                // Maps that are compared may differ elsewhere only.
                if cells.exact && !fills(&terms, &transition) {
                    prop_assert_eq!(
                        given,
                        found,
                        "{} as {}",
                        terms.display(transition.formula),
                        terms.display(replaced.formula)
                    );
                }
            }
        }
    }
}

fn reads() -> impl Strategy<Value = Reads> {
    prop_oneof![Just(Reads::Chosen), Just(Reads::Shadowed)]
}

/// Whether it speaks of maps that have something else elsewhere than those of the states.
fn fills(terms: &Terms, transition: &Transition) -> bool {
    let all = terms.post_order(&[transition.formula]);
    let mut all = all.into_iter();
    all.any(|term| matches!(terms.op(term), Op::ConstMap | Op::Bind(_)))
}

/// The auxiliaries of a formula with the values that they may have: those of the terms of another one.
fn candidates(
    terms: &Terms,
    formula: Term,
    given: Term,
    before: &State,
    after: &State,
) -> Vec<(u32, Vec<Value>)> {
    let all = terms.post_order(&[given]).into_iter();
    let values = all.filter_map(|term| eval(terms, term, &Two(before, after)).ok());
    let values: Vec<Value> = values.flat_map(|value| parts(&value)).collect();
    let free = terms.free_vars(&[formula]).into_iter();
    let free = free.filter_map(|term| match terms.as_var(term)?.version {
        Version::Aux(number) => {
            let mut own: Vec<Value> = Vec::new();
            for value in &values {
                if is_of(value, terms.sort(term)) && !own.contains(value) {
                    own.push(value.clone());
                }
            }
            Some((number, own))
        }
        _ => None,
    });
    free.collect()
}

/// A value, and what a map has, here and there.
fn parts(value: &Value) -> Vec<Value> {
    let mut found = vec![value.clone()];
    if let Value::Map(map) = value {
        let entries = map.entries.iter().map(|(_, value)| value);
        found.extend(entries.chain([&map.default]).flat_map(parts));
    }
    found
}

fn is_of(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (Value::Int(_), Sort::Int) | (Value::Bool(_), Sort::Bool) => true,
        (Value::Map(value), Sort::Map(map)) => {
            value.domain == map.domain && is_of(&value.default, &map.range)
        }
        _ => false,
    }
}

/// Whether a formula is true for some values of its auxiliaries; `None` if the evaluator does not
/// know, or there are too many.
fn some_hold(
    terms: &Terms,
    formula: Term,
    candidates: &[(u32, Vec<Value>)],
    before: &State,
    after: &State,
) -> Option<bool> {
    let mut count = candidates.iter().map(|(_, values)| values.len());
    let count = count
        .try_fold(1usize, usize::checked_mul)
        .filter(|&count| count <= 4000)?;
    for mut number in 0..count {
        let mut auxiliaries = Auxiliaries::new();
        for (aux, values) in candidates {
            auxiliaries.insert(*aux, values[number % values.len()].clone());
            number /= values.len();
        }
        match eval(terms, formula, &Step(Two(before, after), &auxiliaries)) {
            Ok(Value::Bool(true)) => return Some(true),
            Ok(Value::Bool(false)) => {}
            _ => return None,
        }
    }
    Some(false)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_possible_stays_so_if_anything_is_read_elsewhere(
        tape in prop::collection::vec(0u8..12, 200),
        reads in reads(),
    ) {
        let terms = Terms::new();
        let mut builder = Builder::ints(&terms, &[]);
        for (name, sort) in VARIABLES {
            builder.graph.variables.insert(name.into(), sort());
        }
        let mut maker = Maker { terms: &terms, tape: Tape(tape, 0) };
        let transition = maker.transition();
        // Behind the first step shadows are what they stand for.
        builder.edge("middle", "end", transition.clone());
        builder.skip("start", "middle");
        let graph = builder.graph;
        let control = Control::unlimited();
        let cells = cells(&terms, &graph, &BTreeMap::new(), Elsewhere::Anything, reads, &control).unwrap();
        let Some(cells) = cells else { return Ok(()) };
        cells.graph.check(&terms).expect("a well-formed graph");
        let edge = graph.graph.edge_indices().next().unwrap();
        let replaced = &cells.graph.graph[edge].transition;
        for _ in 0..6 {
            let mut before = State::default();
            for (name, sort) in VARIABLES {
                before.insert(name.into(), maker.value(&sort()));
            }
            for name in ["i", "j"] {
                let elsewhere = [-1, 11, 20];
                if let Some(&index) = elsewhere.get(maker.tape.below(6)) {
                    before.insert(name.into(), Value::int(index));
                }
            }
            let mut after = before.clone();
            for definition in transition.definitions(&terms).0 {
                if let Ok(value) = eval(&terms, definition.value, &Two(&before, &before)) {
                    after.insert(definition.variable, value);
                }
            }
            if allows(&terms, &graph, &transition, &before, &after) != Some(true) {
                continue;
            }
            let candidates = candidates(&terms, replaced.formula, transition.formula, &before, &after);
            let (before, after) = (
                projected(&terms, &cells, &before),
                projected(&terms, &cells, &after),
            );
            let unchanged = cells.graph.variables.keys().filter(|name| !replaced.changed.contains(*name));
            for name in unchanged {
                prop_assert_eq!(&before[name], &after[name]);
            }
            if let Some(found) = some_hold(&terms, replaced.formula, &candidates, &before, &after) {
                prop_assert!(
                    found,
                    "{} as {}",
                    terms.display(transition.formula),
                    terms.display(replaced.formula)
                );
            }
        }
    }
}

/// `p` and `q` point to cells of `a`. The assignments are the paper's: implied ones, and those due to aliasing.
#[test]
fn shadows_follow_pointers_and_what_is_written_through_others() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["p", "q", "x"]);
    b.graph.variables.insert("a".into(), ints());
    let (p, q, a) = (b.var("p"), b.var("q"), b.var("a"));
    let read = |index| terms.select(a, &[index]);
    b.assign("start", "one", "p", terms.int(1));
    b.assign("one", "two", "q", terms.int(0));
    b.assign("two", "three", "a", terms.store(a, &[q], terms.int(7)));
    b.assign("three", "four", "p", q);
    b.assign("four", "five", "x", terms.add(&[read(p), read(q)]));
    b.assume("five", "error", terms.neq(b.var("x"), terms.int(14)));
    let range = (BigInt::ZERO, BigInt::from(1));
    let ranges = BTreeMap::from([("p".into(), range.clone()), ("q".into(), range)]);
    let control = Control::unlimited();
    let shadowed = cells(
        &terms,
        &b.graph,
        &ranges,
        Elsewhere::Blocks,
        Reads::Shadowed,
        &control,
    );
    let shadowed = shadowed.unwrap().unwrap();
    assert!(shadowed.exact);
    assert_eq!(
        crate::tests::show(&terms, &shadowed.graph),
        "\
start -> one: p' == 1 && a[1] == a[p]' && (if q == 0 then a[0] else a[1]) == a[q]' changes {a[p], a[q], p}
one -> two: q' == 0 && a[0] == a[q]' changes {a[q], q}
two -> three: (if q == 0 then 7 else a[0]) == a[0]' && (if q == 1 then 7 else a[1]) == a[1]' && \
a[p]' == (if p == q then 7 else a[p]) && a[q]' == 7 changes {a[0], a[1], a[p], a[q]}
three -> four: q == p' && a[q] == a[p]' changes {a[p], p}
four -> five: x' == a[p] + a[q] && (p == 0 || p == 1) && (q == 0 || q == 1) changes {x}
five -> error: x != 14 changes {}"
    );
}
