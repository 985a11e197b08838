//! Runs through formulas that are not evaluated: quantifiers, lambdas, uninterpreted sorts.

use super::*;
use ult_core::formula::{BinderKind, FunctionValue, MapValue};

fn element(number: u32) -> Value {
    Value::Element("T".into(), number)
}

fn sort_t() -> Sort {
    Sort::Uninterpreted("T".into())
}

fn int_map(default: i64, entries: &[(i64, i64)]) -> Value {
    Value::Map(Arc::new(MapValue {
        domain: vec![Sort::Int],
        default: Value::int(default),
        entries: entries
            .iter()
            .map(|&(k, v)| (vec![Value::int(k)], Value::int(v)))
            .collect(),
    }))
}

/// One edge to the error, with this condition, tried on one state.
fn passes(
    s: &mut Scene,
    condition: Term,
    state: State,
    tables: &[(&str, FunctionValue)],
) -> Result<Violation, Reason> {
    let edge = s.assume("start", condition, "err");
    let mut claim = run(state.clone(), vec![step(edge, state)]);
    for (name, table) in tables {
        claim
            .rigid
            .functions
            .insert(Arc::from(*name), table.clone());
    }
    s.replay(&claim)
}

#[test]
fn a_quantified_guard_about_a_map() {
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut s = Scene::new(&[("m", sort), ("n", Sort::Int)]);
    let t = &s.terms;
    let i = t.fresh_bound("i", Sort::Int);
    let within = t.and2(t.le(t.int(0), i), t.lt(i, s.v("n")));
    let all = |body| {
        t.bind(
            BinderKind::Forall,
            &[i],
            t.implies(within, body),
            &[vec![t.select(s.v("m"), &[i])]],
        )
    };
    let positive = all(t.gt(t.select(s.v("m"), &[i]), t.int(0)));
    let values = |m: Value, n: i64| state(&[("m", m), ("n", Value::int(n))]);
    let entries = [(0, 5), (1, 6), (2, 7)];
    passes(&mut s, positive, values(int_map(-1, &entries), 3), &[]).unwrap();
    assert_run_rejected(
        passes(&mut s, positive, values(int_map(-1, &entries), 4), &[]),
        "",
    );
    let negated = s.terms.not(positive);
    passes(&mut s, negated, values(int_map(-1, &entries), 4), &[]).unwrap();
    assert_run_rejected(
        passes(&mut s, negated, values(int_map(-1, &entries), 3), &[]),
        "",
    );
}

#[test]
fn a_lambda_assigned_to_a_map() {
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut s = Scene::new(&[("m", sort)]);
    let i = s.terms.fresh_bound("i", Sort::Int);
    let one_at_three = s.terms.ite(s.terms.eq(i, s.int(3)), s.int(1), s.int(0));
    let lambda = s.terms.bind(BinderKind::Lambda, &[i], one_at_three, &[]);
    let edge = s.assign("start", "m", lambda, "err");
    let go = |m: Value| {
        let before = state(&[("m", int_map(9, &[]))]);
        s.replay(&run(before, vec![step(edge, state(&[("m", m)]))]))
    };
    go(int_map(0, &[(3, 1)])).unwrap();
    assert_run_rejected(go(int_map(0, &[(4, 1)])), "");
    assert_run_rejected(go(int_map(1, &[(3, 1)])), "");
}

#[test]
fn a_quantified_axiom_constrains_the_table() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let f = s.function("f", &[Sort::Int], Sort::Int);
    let i = s.terms.fresh_bound("i", Sort::Int);
    let body = s.terms.ge(s.terms.apply(&f, &[i]), s.int(0));
    let axiom = s.terms.bind(
        BinderKind::Forall,
        &[i],
        body,
        &[vec![s.terms.apply(&f, &[i])]],
    );
    s.graph.axioms.push(axiom);
    let guard = s.terms.eq(s.terms.apply(&f, &[s.v("x")]), s.int(7));
    let table = |default: i64, entries: &[(i64, i64)]| FunctionValue {
        default: Value::int(default),
        entries: entries
            .iter()
            .map(|&(k, v)| (vec![Value::int(k)], Value::int(v)))
            .collect(),
    };
    let x = ints(&[("x", 3)]);
    passes(&mut s, guard, x.clone(), &[("f", table(0, &[(3, 7)]))]).unwrap();
    assert_run_rejected(
        passes(&mut s, guard, x.clone(), &[("f", table(-1, &[(3, 7)]))]),
        "an axiom",
    );
    assert_run_rejected(
        passes(
            &mut s,
            guard,
            x.clone(),
            &[("f", table(0, &[(3, 7), (4, -1)]))],
        ),
        "an axiom",
    );
    // Without a table the axiom says that there is such a function, and the step would have to be one for every function: the
    // axiom must not be assumed.
    assert_run_rejected(passes(&mut s, guard, x, &[]), "step 0");
}

#[test]
fn contradictory_axioms_have_no_run() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let f = s.function("f", &[Sort::Int], Sort::Int);
    for sign in [0, 1] {
        let i = s.terms.fresh_bound("i", Sort::Int);
        let body = s.terms.eq(s.terms.apply(&f, &[i]), s.int(sign));
        let axiom = s.terms.bind(BinderKind::Forall, &[i], body, &[]);
        s.graph.axioms.push(axiom);
    }
    let yes = s.terms.tt();
    let x = ints(&[("x", 3)]);
    assert_run_rejected(passes(&mut s, yes, x.clone(), &[]), "says nothing of");
    let table = FunctionValue {
        default: Value::int(0),
        entries: Default::default(),
    };
    assert_run_rejected(passes(&mut s, yes, x, &[("f", table)]), "an axiom");
}

#[test]
fn elements_with_different_numbers_differ() {
    let mut s = Scene::new(&[("a", sort_t()), ("b", sort_t())]);
    let same = s.terms.eq(s.v("a"), s.v("b"));
    let differ = s.terms.not(same);
    let values = |a, b| state(&[("a", element(a)), ("b", element(b))]);
    passes(&mut s, same, values(4, 4), &[]).unwrap();
    passes(&mut s, differ, values(4, 5), &[]).unwrap();
    assert_run_rejected(passes(&mut s, same, values(4, 5), &[]), "false");
    assert_run_rejected(passes(&mut s, differ, values(4, 4), &[]), "false");
}

#[test]
fn the_universe_is_the_elements_of_the_run() {
    let mut s = Scene::new(&[("a", sort_t()), ("b", sort_t())]);
    let values = |a, b| state(&[("a", element(a)), ("b", element(b))]);
    let t = &s.terms;
    let (x, y, z) = (
        t.fresh_bound("x", sort_t()),
        t.fresh_bound("y", sort_t()),
        t.fresh_bound("z", sort_t()),
    );
    let at_most_two = t.bind(
        BinderKind::Forall,
        &[x, y, z],
        t.or([t.eq(x, y), t.eq(y, z), t.eq(x, z)]),
        &[],
    );
    let one = t.bind(BinderKind::Forall, &[x, y], t.eq(x, y), &[]);
    let another = t.bind(BinderKind::Exists, &[x], t.neq(x, s.v("a")), &[]);
    let no_other = t.not(another);
    let third = t.bind(
        BinderKind::Exists,
        &[x],
        t.and2(t.neq(x, s.v("a")), t.neq(x, s.v("b"))),
        &[],
    );
    passes(&mut s, at_most_two, values(0, 1), &[]).unwrap();
    passes(&mut s, one, values(3, 3), &[]).unwrap();
    passes(&mut s, another, values(0, 1), &[]).unwrap();
    passes(&mut s, no_other, values(2, 2), &[]).unwrap();
    assert_run_rejected(passes(&mut s, one, values(0, 1), &[]), "");
    assert_run_rejected(passes(&mut s, third, values(0, 1), &[]), "");
    assert_run_rejected(passes(&mut s, another, values(2, 2), &[]), "");
    // One universe for the whole run: two formulas that need different ones do not both hold.
    let both = s.terms.and2(one, another);
    for (a, b) in [(0, 0), (0, 1)] {
        assert_run_rejected(passes(&mut s, both, values(a, b), &[]), "");
    }
}

#[test]
fn axioms_may_need_more_elements_than_there_are() {
    // f is injective and misses an element: no finite universe will do.
    let mut s = Scene::new(&[("a", sort_t())]);
    let f = s.function("f", &[sort_t()], sort_t());
    let t = &s.terms;
    let (x, y) = (t.fresh_bound("x", sort_t()), t.fresh_bound("y", sort_t()));
    let apply = |v| t.apply(&f, &[v]);
    let injective = t.bind(
        BinderKind::Forall,
        &[x, y],
        t.implies(t.eq(apply(x), apply(y)), t.eq(x, y)),
        &[],
    );
    let misses = t.bind(
        BinderKind::Exists,
        &[y],
        t.bind(BinderKind::Forall, &[x], t.neq(apply(x), y), &[]),
        &[],
    );
    let yes = t.tt();
    s.graph.axioms.push(injective);
    let identity = FunctionValue {
        default: element(0),
        entries: [0, 1, 2].map(|n| (vec![element(n)], element(n))).into(),
    };
    let a = state(&[("a", element(0))]);
    passes(&mut s, yes, a.clone(), &[("f", identity.clone())]).unwrap();
    s.graph.axioms.push(misses);
    assert_run_rejected(passes(&mut s, yes, a, &[("f", identity)]), "an axiom");
}

#[test]
fn a_sort_without_values_has_one_element() {
    let mut s = Scene::new(&[("n", Sort::Int)]);
    let (x, y) = (
        s.terms.fresh_bound("x", sort_t()),
        s.terms.fresh_bound("y", sort_t()),
    );
    let something = s.terms.bind(
        BinderKind::Exists,
        &[x],
        s.terms.eq(s.v("n"), s.int(1)),
        &[],
    );
    let two = s
        .terms
        .bind(BinderKind::Exists, &[x, y], s.terms.neq(x, y), &[]);
    passes(&mut s, something, ints(&[("n", 1)]), &[]).unwrap();
    assert_run_rejected(passes(&mut s, something, ints(&[("n", 2)]), &[]), "");
    assert_run_rejected(passes(&mut s, two, ints(&[("n", 1)]), &[]), "");
}

#[test]
fn an_auxiliary_without_a_value_must_not_matter() {
    let mut s = Scene::new(&[("n", Sort::Int)]);
    let aux = s.terms.fresh_aux("k", Sort::Int);
    let i = s.terms.fresh_bound("i", Sort::Int);
    let t = &s.terms;
    // True for every k: the solver sees it although k has no value.
    let always = t.bind(
        BinderKind::Forall,
        &[i],
        t.or2(t.le(i, aux), t.lt(aux, i)),
        &[],
    );
    let sometimes = t.bind(
        BinderKind::Forall,
        &[i],
        t.implies(t.gt(i, aux), t.gt(i, s.v("n"))),
        &[],
    );
    passes(&mut s, always, ints(&[("n", 1)]), &[]).unwrap();
    assert_run_rejected(passes(&mut s, sometimes, ints(&[("n", 1)]), &[]), "");
}

#[test]
fn maps_over_a_sort_of_unknown_size() {
    // The defaults differ, and every element of the run is listed.
    let sort = Sort::map(vec![sort_t()], Sort::Int);
    let mut s = Scene::new(&[("a", sort.clone()), ("b", sort)]);
    let map = |default: i64| {
        Value::Map(Arc::new(MapValue {
            domain: vec![sort_t()],
            default: Value::int(default),
            entries: [(vec![element(0)], Value::int(7))].into_iter().collect(),
        }))
    };
    let values = || state(&[("a", map(1)), ("b", map(2))]);
    let same = s.terms.eq(s.v("a"), s.v("b"));
    let differ = s.terms.not(same);
    // The evaluator does not know; in the universe of the run, {T!0}, they are equal.
    passes(&mut s, same, values(), &[]).unwrap();
    assert_run_rejected(passes(&mut s, differ, values(), &[]), "");
}

#[test]
fn maps_indexed_by_maps_are_not_trusted() {
    let inner = Sort::map(vec![Sort::Int], Sort::Int);
    let outer = Sort::map(vec![inner.clone()], Sort::Int);
    let table = |key: Value| {
        Value::Map(Arc::new(MapValue {
            domain: vec![inner.clone()],
            default: Value::int(0),
            entries: [(vec![key], Value::int(1))].into_iter().collect(),
        }))
    };
    // The same map twice, written differently.
    let (plain, padded) = (int_map(0, &[]), int_map(0, &[(5, 0)]));
    assert_eq!(table(plain.clone()).same(&table(padded.clone())), None);
    assert_eq!(table(plain.clone()).same(&table(plain.clone())), Some(true));
    let mut s = Scene::new(&[("m", outer)]);
    let yes = s.terms.tt();
    let listed = state(&[("m", table(plain))]);
    assert_run_rejected(passes(&mut s, yes, listed, &[]), "not of sort");
    let mut s = Scene::new(&[("k", inner.clone()), ("l", inner.clone())]);
    let base = s
        .terms
        .const_map(Sort::map(vec![inner], Sort::Int), s.int(0));
    let store = |k| s.terms.store(base, &[k], s.int(1));
    let differ = s.terms.neq(store(s.v("k")), store(s.v("l")));
    let values = state(&[("k", int_map(0, &[])), ("l", padded)]);
    assert_run_rejected(passes(&mut s, differ, values, &[]), "");
}

#[test]
fn frames_of_maps_compare_maps_and_not_tables() {
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut s = Scene::new(&[("m", sort)]);
    let yes = s.terms.tt();
    let edge = s.assume("start", yes, "err");
    let go = |before: Value, after: Value| {
        s.replay(&run(
            state(&[("m", before)]),
            vec![step(edge, state(&[("m", after)]))],
        ))
    };
    go(int_map(0, &[(1, 0)]), int_map(0, &[])).unwrap();
    assert_run_rejected(go(int_map(0, &[(1, 2)]), int_map(0, &[])), "keep");
    assert_run_rejected(go(int_map(0, &[]), int_map(1, &[])), "keep");
}
