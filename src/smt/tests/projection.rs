//! Model-based projection.

use std::sync::Arc;

use crate::{Answer, Failure, Session};
use ult_core::control::Control;
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms};

/// Projects and checks all that a projection promises: nothing eliminated is left, it is true in
/// the model, and it implies that the eliminated symbols have values.
fn check(t: &Terms, formula: Term, eliminate: &[Term], witness: &[(Term, Term)]) -> Term {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut solver = session.solver();
    assert_eq!(solver.check(&[formula], None), Answer::Sat);
    let model = solver.model().unwrap();
    let result = model.project(formula, eliminate).unwrap();
    let left = t.post_order(&[result]);
    assert!(
        eliminate.iter().all(|e| !left.contains(e)),
        "{}",
        t.display(result)
    );
    // A witness for the eliminated symbols makes the formula true wherever the result is.
    let map = witness.iter().copied().collect();
    let witnessed = t.substitute(formula, &map);
    if !witness.is_empty() {
        assert_eq!(
            solver.check(&[result, t.not(witnessed)], None),
            Answer::Unsat,
            "{} does not imply {}",
            t.display(result),
            t.display(witnessed)
        );
    }
    result
}

#[test]
fn integers() {
    let t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|n| t.current(n, Sort::Int));
    let between = t.and([t.le(x, y), t.le(y, z)]);
    let result = check(&t, between, &[y], &[(y, x)]);
    assert_eq!(t.free_vars(&[result]), [x, z]);
    let defined = t.and([t.eq(y, t.add(&[x, t.int(1)])), t.lt(t.int(3), y)]);
    check(&t, defined, &[y], &[(y, t.add(&[x, t.int(1)]))]);
    // An even number between.
    let even = t.and([between, t.eq(t.modulo(y, t.int(2)), t.int(0))]);
    check(&t, even, &[y], &[]);
}

#[test]
fn several_sorts() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let b = t.current("b", Sort::Bool);
    let r = t.current("r", Sort::Real);
    let v = t.current("v", Sort::BitVec(8));
    let w = t.current("w", Sort::BitVec(8));
    let formula = t.and([
        t.eq(b, t.lt(t.int(0), x)),
        t.lt(t.to_real(x), r),
        t.bv(ult_core::formula::BvOp::Ult, &[v, w]),
    ]);
    for symbol in [x, b, r, v] {
        check(&t, formula, &[symbol], &[]);
    }
    let result = check(&t, formula, &[x, b, r, v, w], &[]);
    assert_eq!(result, t.tt());
}

#[test]
fn maps_and_rigid_symbols() {
    let t = Terms::new();
    for indices in [1, 2] {
        let sort = Sort::map(vec![Sort::Int; indices], Sort::Int);
        let (m, n) = (t.current("m", sort.clone()), t.next("m", sort));
        let i = t.current("i", Sort::Int);
        let at = vec![i; indices];
        let formula = t.and([
            t.eq(n, t.store(m, &at, t.int(3))),
            t.lt(t.int(0), t.select(n, &vec![t.int(8); indices])),
        ]);
        check(&t, formula, &[n], &[(n, t.store(m, &at, t.int(3)))]);
        check(&t, formula, &[i, n], &[]);
        let inner = t.lt(t.select(m, &at), t.select(m, &vec![t.int(8); indices]));
        check(&t, inner, &[i], &[]);
    }
    let f = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let [x, y] = ["x", "y"].map(|n| t.current(n, Sort::Int));
    let formula = t.and([t.eq(y, t.apply(&f, &[x])), t.lt(x, t.int(9))]);
    check(&t, formula, &[y], &[(y, t.apply(&f, &[x]))]);
    check(&t, formula, &[x], &[]);
    let k = Arc::new(Function {
        name: "k".into(),
        params: vec![],
        result: Sort::Int,
    });
    let k = t.apply(&k, &[]);
    check(&t, t.lt(x, k), &[k], &[(k, t.add(&[x, t.int(1)]))]);
}

#[test]
fn only_symbols_can_be_eliminated() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let formula = t.lt(x, t.int(3));
    assert_eq!(solver.check(&[formula], None), Answer::Sat);
    let model = solver.model().unwrap();
    assert!(model.project(formula, &[t.add(&[x, t.int(1)])]).is_err());
}

#[test]
fn quantifiers_are_refused_before_z3_walks_into_them() {
    let t = Terms::new();
    let (x, a) = (
        t.current("x", Sort::Int),
        t.current("a", Sort::map(vec![Sort::Int], Sort::Int)),
    );
    let k = t.fresh_bound("k", Sort::Int);
    let body = t.implies(t.lt(k, x), t.eq(t.select(a, &[k]), t.int(1)));
    let formula = t.and2(
        t.bind(BinderKind::Forall, &[k], body, &[]),
        t.lt(x, t.int(3)),
    );
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    assert_eq!(solver.check(&[formula], None), Answer::Sat);
    let model = solver.model().unwrap();
    assert!(matches!(
        model.project(formula, &[a]),
        Err(Failure::Unsupported(_))
    ));
}
