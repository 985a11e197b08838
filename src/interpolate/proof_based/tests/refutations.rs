//! Refutations as texts: they are found, and `ult-proof` accepts them.

use std::sync::Arc;

use super::*;
use ult_core::formula::lines::Lines;
use ult_core::formula::{BinderKind, BvOp, Function, MapSort};

/// A proof that the assertions contradict each other, which was checked. None if none is found.
fn proof(t: &Terms, assertions: &[Term]) -> Option<String> {
    let mut lines = Lines::new(t);
    let numbers: Vec<usize> = assertions.iter().map(|&a| lines.number(a)).collect();
    let mut question = lines.take();
    for number in numbers {
        question += &format!("assert {number}\n");
    }
    let session = Session::new(t, &[], &Control::unlimited());
    let proof = refutation(&session, &mut lines, assertions, LIMIT)?;
    let checked = ult_proof::check(&question, &proof);
    assert_eq!(checked, Ok(()), "{question}proof\n{proof}");
    Some(proof)
}

fn var(t: &Terms, name: &str, sort: Sort) -> Term {
    t.var(name, Version::Current, sort)
}

#[test]
fn instances_at_arguments() {
    let t = &Terms::new();
    let f = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let f = |x: Term| t.apply(&f, &[x]);
    let plus = |x: Term, by: i64| t.add(&[x, t.int(by)]);
    let n = var(t, "n", Sort::Int);
    let x = t.var("x", Version::Bound(t.fresh_number()), Sort::Int);
    let grows = t.lt(f(x), f(plus(x, 1)));
    let all = t.bind(BinderKind::Forall, &[x], grows, &[]);
    assert!(proof(t, &[all, t.le(f(plus(n, 2)), f(n))]).is_some());
    assert!(proof(t, &[all, t.le(f(n), f(plus(n, 2)))]).is_none());
    let none = t.bind(BinderKind::Exists, &[x], t.not(grows), &[]);
    assert!(proof(t, &[t.not(none), t.le(f(plus(n, 2)), f(n))]).is_some());
}

#[test]
fn witnesses() {
    let t = &Terms::new();
    let map = Sort::Map(Arc::new(MapSort {
        domain: vec![Sort::Int],
        range: Sort::Int,
    }));
    let (a, n) = (var(t, "a", map.clone()), var(t, "n", Sort::Int));
    let x = t.var("x", Version::Bound(t.fresh_number()), Sort::Int);
    let y = t.var("y", Version::Bound(t.fresh_number()), Sort::Int);
    let zero = |map: Term, index: Term| t.eq(t.select(map, &[index]), t.int(0));
    let below = |x: Term, bound: Term| t.or2(t.not(t.lt(x, bound)), zero(a, x));
    let upto = t.bind(BinderKind::Forall, &[x], below(x, n), &[]);
    let next = t.add(&[n, t.int(1)]);
    let more = t.bind(BinderKind::Forall, &[y], below(y, next), &[]);
    assert!(proof(t, &[upto, zero(a, n), t.not(more)]).is_some());
    assert!(proof(t, &[upto, t.not(more)]).is_none());
    // Maps that have the same elements.
    let b = var(t, "b", map);
    let stored = t.store(b, &[n], t.select(a, &[n]));
    let same = t.eq(t.select(a, &[x]), t.select(b, &[x]));
    let same = t.bind(BinderKind::Forall, &[x], same, &[]);
    assert!(proof(t, &[same, t.neq(a, b)]).is_some());
    assert!(proof(t, &[same, t.neq(a, stored)]).is_some());
    assert!(proof(t, &[t.neq(b, stored), t.eq(a, b)]).is_some());
}

#[test]
fn products_of_sums() {
    let t = &Terms::new();
    let (x, y) = (var(t, "x", Sort::Int), var(t, "y", Sort::Int));
    let one = t.int(1);
    let next = t.add(&[x, one]);
    let square = |x: Term| t.mul(&[x, x]);
    // The square of the next number is 2x + 1 more.
    let more = t.add(&[y, t.mul(&[t.int(2), x]), one]);
    let is_square = t.eq(y, square(x));
    assert!(proof(t, &[is_square, t.neq(more, square(next))]).is_some());
    assert!(proof(t, &[is_square, t.neq(y, square(next))]).is_none());
    let zero = t.int(0);
    let product = t.mul(&[x, y]);
    assert!(proof(t, &[t.le(zero, x), t.le(zero, y), t.lt(product, zero)]).is_some());
    assert!(proof(t, &[t.le(zero, x), t.le(zero, y), t.le(product, zero)]).is_none());
    let less = t.add(&[y, t.int(-1)]);
    let product = t.mul(&[t.add(&[x, y]), less]);
    let other = t.add(&[t.mul(&[less, x]), t.mul(&[y, less])]);
    assert!(proof(t, &[t.lt(product, other)]).is_some());
}

/// A word of some operators on two variables.
fn word(t: &Terms, shape: &[u8], width: u32) -> Term {
    let vars = [
        var(t, "x", Sort::BitVec(width)),
        var(t, "y", Sort::BitVec(width)),
    ];
    let mut stack = vec![vars[0], vars[1]];
    for &code in shape {
        let second = stack.pop().unwrap_or(vars[1]);
        let first = stack.pop().unwrap_or(vars[0]);
        let op = BvOp::FUNCTIONS[usize::from(code) % BvOp::FUNCTIONS.len()];
        let made = match op {
            BvOp::Not | BvOp::Neg => t.bv(op, &[second]),
            BvOp::Smod => t.ite(t.bv(BvOp::Slt, &[first, second]), first, second),
            _ => t.bv(op, &[first, second]),
        };
        stack.push(first);
        stack.push(if code < 40 {
            t.bitvec(code.into(), width)
        } else {
            made
        });
    }
    stack.pop().unwrap_or(vars[0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Words of three bits: what the solver refutes is proved, and nothing else.
    #[test]
    fn bits_are_decided(
        left in prop::collection::vec(0u8..250, 0..4),
        right in prop::collection::vec(0u8..250, 0..4),
        kind in 0usize..5,
        is_positive in any::<bool>(),
    ) {
        let t = &Terms::new();
        let (a, b) = (word(t, &left, 3), word(t, &right, 3));
        let claim = match kind {
            0 => t.eq(a, b),
            _ => t.bv(BvOp::COMPARISONS[kind - 1], &[a, b]),
        };
        let claim = if is_positive { claim } else { t.not(claim) };
        let x = var(t, "x", Sort::BitVec(3));
        let small = t.bv(BvOp::Ult, &[x, t.bitvec(3u32.into(), 3)]);
        let assertions = [claim, small];
        let session = Session::new(t, &[], &Control::unlimited());
        let answer = session.solver().check(&assertions, Some(LIMIT));
        let is_refuted = matches!(answer, Answer::Unsat);
        prop_assert_eq!(proof(t, &assertions).is_some(), is_refuted);
    }
}
