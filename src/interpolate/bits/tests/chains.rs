//! Interpolants for unrolled loops over bit-vectors.

use std::sync::Arc;

use crate::{Chain, Strategy, sequence};
use ult_core::control::Control;
use ult_core::formula::{BvOp, Function, Sort, Term, Terms};
use ult_core::graph::{Edge, Location, ProgramGraph, Transition};
use ult_core::stats::Statistics;
use ult_smt::Session;

/// A loop: initial values, a round, and what may not be after it.
struct Loop {
    name: &'static str,
    variables: Vec<(Arc<str>, Sort)>,
    start: Term,
    round: Term,
    error: Term,
}

/// Builds loops over bit-vectors of one width.
struct Maker<'t> {
    t: &'t Terms,
    width: u32,
}

impl Maker<'_> {
    fn bits(&self, value: i64) -> Term {
        let value = if value < 0 {
            (1u128 << self.width) - u128::from(value.unsigned_abs())
        } else {
            u128::from(value.unsigned_abs())
        };
        self.t.bitvec(value.into(), self.width)
    }

    fn now(&self, name: &str) -> Term {
        self.t.current(name, Sort::BitVec(self.width))
    }

    fn next(&self, name: &str) -> Term {
        self.t.next(name, Sort::BitVec(self.width))
    }

    fn op(&self, op: BvOp, a: Term, b: Term) -> Term {
        self.t.bv(op, &[a, b])
    }

    fn make(
        &self,
        name: &'static str,
        names: &[&str],
        start: Term,
        round: Term,
        error: Term,
    ) -> Loop {
        Loop {
            name,
            variables: names
                .iter()
                .map(|&n| (n.into(), Sort::BitVec(self.width)))
                .collect(),
            start,
            round,
            error,
        }
    }

    fn all(&self) -> Vec<Loop> {
        let t = self.t;
        let [x, y, n] = ["x", "y", "n"].map(|v| self.now(v));
        let [x2, y2, n2] = ["x", "y", "n"].map(|v| self.next(v));
        let number = |value| self.bits(value);
        let add = |a, b| self.op(BvOp::Add, a, b);
        let sub = |a, b| self.op(BvOp::Sub, a, b);
        let and = |a, b| self.op(BvOp::And, a, b);
        let or = |a, b| self.op(BvOp::Or, a, b);
        let below = |a, b| self.op(BvOp::Ult, a, b);
        let at_most = |a, b| self.op(BvOp::Ule, a, b);
        let below_signed = |a, b| self.op(BvOp::Slt, a, b);
        let keep = t.eq(n2, n);
        let one = number(1);
        let zero = number(0);
        let up = t.eq(x2, add(x, one));
        let down = t.eq(x2, sub(x, one));
        vec![
            self.make(
                "count to a constant",
                &["x"],
                t.eq(x2, zero),
                t.and2(below(x, number(100)), up),
                below(number(100), x),
            ),
            self.make(
                "count to a variable",
                &["x", "n"],
                t.eq(x2, zero),
                t.and([below(x, n), up, keep]),
                below(n, x),
            ),
            self.make(
                "count until equal",
                &["x", "n"],
                t.and2(t.eq(x2, zero), below(number(20), n2)),
                t.and([t.neq(x, n), up, keep]),
                below(n, x),
            ),
            self.make(
                "count down",
                &["x", "n"],
                t.eq(x2, n2),
                t.and([below(zero, x), down, keep]),
                below(n, x),
            ),
            self.make(
                "even with wrap-around",
                &["x"],
                t.eq(x2, number(-4)),
                t.eq(x2, add(x, number(2))),
                t.eq(t.extract(x, 1, 0), t.bitvec(1u32.into(), 1)),
            ),
            self.make(
                "wraps once",
                &["x", "y"],
                t.and2(t.eq(x2, number(-1)), t.eq(y2, zero)),
                t.and2(up, t.eq(y2, add(y, one))),
                t.neq(x, sub(y, one)),
            ),
            self.make(
                "flags in a mask",
                &["x"],
                t.eq(x2, zero),
                t.or([
                    t.eq(x2, and(or(x, one), number(!2))),
                    t.eq(x2, or(x, number(4))),
                ]),
                t.neq(and(x, number(2)), zero),
            ),
            self.make(
                "lock bit",
                &["x", "y"],
                t.and2(t.eq(and(x2, number(8)), zero), t.eq(y2, zero)),
                t.or([
                    t.and([
                        t.eq(and(x, number(8)), zero),
                        t.eq(x2, or(x, number(8))),
                        t.eq(y2, one),
                    ]),
                    t.and([
                        t.neq(and(x, number(8)), zero),
                        t.eq(x2, and(x, number(!8))),
                        t.eq(y2, zero),
                    ]),
                ]),
                t.and2(t.neq(and(x, number(8)), zero), t.eq(y, zero)),
            ),
            self.make(
                "mask of a variable",
                &["x", "y", "n"],
                t.and2(t.eq(x2, and(y2, n2)), t.tt()),
                t.and([t.eq(x2, and(x, y)), t.eq(y2, y), keep]),
                below(n, x),
            ),
            self.make(
                "two counters in step",
                &["x", "y"],
                t.and2(t.eq(x2, zero), t.eq(y2, zero)),
                t.and2(up, t.eq(y2, add(y, one))),
                t.neq(x, y),
            ),
            self.make(
                "from one to the other",
                &["x", "y", "n"],
                t.and2(t.eq(x2, n2), t.eq(y2, zero)),
                t.and([t.neq(x, zero), down, t.eq(y2, add(y, one)), keep]),
                t.and2(t.eq(x, zero), t.neq(y, n)),
            ),
            self.make(
                "saturating",
                &["x"],
                t.eq(x2, number(5)),
                t.eq(
                    x2,
                    t.ite(below(number(-11), x), number(-1), add(x, number(10))),
                ),
                below(x, number(5)),
            ),
            self.make(
                "signed up",
                &["x"],
                t.eq(x2, number(-5)),
                t.and2(below_signed(x, number(10)), up),
                t.and2(t.not(below_signed(x, number(10))), t.neq(x, number(10))),
            ),
            self.make(
                "signed down",
                &["x", "n"],
                t.and2(t.eq(x2, n2), t.not(below_signed(n2, zero))),
                t.and([below_signed(zero, x), down, keep]),
                t.or2(below_signed(x, zero), below_signed(n, x)),
            ),
            self.make(
                "halving",
                &["x", "n"],
                t.eq(x2, n2),
                t.and([t.eq(x2, self.op(BvOp::Lshr, x, one)), keep]),
                below(n, x),
            ),
            self.make(
                "sum",
                &["x", "y", "n"],
                t.and([t.eq(x2, zero), t.eq(y2, zero), at_most(n2, number(9))]),
                t.and([below(x, n), up, t.eq(y2, add(y, number(2))), keep]),
                below(number(18), y),
            ),
            self.make(
                "remainders",
                &["x", "y"],
                t.and2(t.eq(x2, zero), t.eq(y2, zero)),
                t.and([
                    t.eq(x2, self.op(BvOp::Urem, add(x, one), number(5))),
                    t.eq(y2, add(y, one)),
                ]),
                below(number(4), x),
            ),
        ]
    }
}

fn unrolled(t: &Terms, example: &Loop, rounds: usize) -> Chain {
    let mut graph = ProgramGraph::new("loop");
    graph.variables.extend(example.variables.iter().cloned());
    let all = example.variables.iter().map(|(name, _)| name.clone());
    let changed: std::collections::BTreeSet<Arc<str>> = all.collect();
    let head = graph.graph.add_node(Location::named("head"));
    let error = graph.graph.add_node(Location::named("error"));
    let mut edge = |from, to, formula, changed| {
        let transition = Transition { formula, changed };
        graph.graph.add_edge(from, to, Edge::new(transition, None))
    };
    let start = edge(
        ult_core::graph::LocationId::new(0),
        head,
        example.start,
        changed.clone(),
    );
    let round = edge(head, head, example.round, changed);
    let end = edge(head, error, example.error, Default::default());
    let mut edges = vec![start];
    edges.extend(std::iter::repeat_n(round, rounds));
    edges.push(end);
    let labels = vec![t.tt(); edges.len() + 1];
    Chain::new(t, &graph, &edges, &labels)
}

/// The interpolants that [`sequence`] confirmed; it panics without.
fn interpolated(t: &Terms, example: &Loop, rounds: usize) -> Vec<Term> {
    let session = Session::new(t, &[], &Control::unlimited());
    let chain = unrolled(t, example, rounds);
    let mut stats = Statistics::default();
    match sequence(&Strategy::Integers, &session, &chain, &mut stats) {
        Ok(found) => found,
        Err(reason) => panic!("{}, {rounds} rounds: {reason:?}", example.name),
    }
}

fn all_examples(width: u32, rounds: usize) {
    let t = Terms::new();
    for example in (Maker { t: &t, width }).all() {
        let found = interpolated(&t, &example, rounds);
        assert_eq!(found.len(), rounds + 1, "{}", example.name);
    }
}

#[test]
fn one_round() {
    for width in [8, 32] {
        all_examples(width, 1);
    }
}

#[test]
fn two_rounds() {
    all_examples(16, 2);
}

#[test]
fn three_rounds() {
    all_examples(32, 3);
}

#[test]
fn five_rounds() {
    all_examples(8, 5);
}

/// The interpolants say what people would say, so they can become invariants.
#[test]
fn invariants_are_found() {
    let t = Terms::new();
    let maker = Maker { t: &t, width: 32 };
    let examples = maker.all();
    for (name, rounds, invariant) in [
        ("count to a constant", 8, "bvule(x, 100bv32)"),
        ("count to a variable", 8, "bvule(x, n)"),
        ("even with wrap-around", 3, "x[1:0] == 0bv1"),
        ("flags in a mask", 8, "x[2:1] != 1bv1"),
        ("mask of a variable", 3, "bvule(x, n)"),
        ("two counters in step", 3, "x == y"),
        ("remainders", 3, "bvule(x, 4bv32)"),
    ] {
        let example = examples.iter().find(|example| example.name == name);
        let found = interpolated(&t, example.unwrap(), rounds);
        let texts: Vec<String> = found.iter().map(|&i| t.display(i)).collect();
        assert!(
            texts.iter().any(|text| text == invariant),
            "{name}: {texts:#?}"
        );
    }
}

/// What is feasible has no interpolants, by whatever way.
#[test]
fn feasible_chains_are_refused() {
    let t = Terms::new();
    let maker = Maker { t: &t, width: 8 };
    let x = maker.now("x");
    let up = t.eq(maker.next("x"), maker.op(BvOp::Add, x, maker.bits(100)));
    let example = maker.make(
        "wraps",
        &["x"],
        t.eq(maker.next("x"), maker.bits(100)),
        up,
        maker.op(BvOp::Ult, x, maker.bits(100)),
    );
    let session = Session::new(&t, &[], &Control::unlimited());
    for (rounds, feasible) in [(1, false), (2, true), (3, false)] {
        let chain = unrolled(&t, &example, rounds);
        let mut stats = Statistics::default();
        let result = sequence(&Strategy::Integers, &session, &chain, &mut stats);
        assert_eq!(result.is_err(), feasible, "{rounds} rounds: {result:?}");
    }
}

/// Maps and rigid symbols over bit-vectors come back with their own sorts.
#[test]
fn maps_and_rigid_symbols() {
    let t = Terms::new();
    let maker = Maker { t: &t, width: 32 };
    let sort = Sort::map(vec![Sort::BitVec(32)], Sort::BitVec(8));
    let limit = Arc::new(Function {
        name: "limit".into(),
        params: vec![],
        result: Sort::BitVec(32),
    });
    let limit = t.apply(&limit, &[]);
    let (m, m2) = (t.current("m", sort.clone()), t.next("m", sort.clone()));
    let (x, x2) = (maker.now("x"), maker.next("x"));
    let seven = t.bitvec(7u32.into(), 8);
    let example = Loop {
        name: "fill",
        variables: vec![("m".into(), sort), ("x".into(), Sort::BitVec(32))],
        start: t.and2(
            t.eq(x2, maker.bits(0)),
            t.eq(t.select(m2, &[maker.bits(0)]), seven),
        ),
        round: t.and([
            maker.op(BvOp::Ult, x, limit),
            t.eq(x2, maker.op(BvOp::Add, x, maker.bits(1))),
            t.eq(m2, t.store(m, &[x2], seven)),
        ]),
        error: t.or2(
            maker.op(BvOp::Ult, limit, x),
            t.neq(t.select(m, &[x]), seven),
        ),
    };
    // A fact about the rigid symbol is used where it is needed.
    let small = maker.op(BvOp::Ult, limit, maker.bits(10));
    let session = Session::new(&t, &[small], &Control::unlimited());
    let chain = unrolled(&t, &example, 2);
    let mut stats = Statistics::default();
    let found = sequence(&Strategy::Integers, &session, &chain, &mut stats).unwrap();
    let sorts = t.post_order(&found).into_iter().map(|term| t.sort(term));
    assert!(sorts.into_iter().all(|sort| *sort != Sort::Int));
}
