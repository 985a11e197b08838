//! Runs: right ones, and tampered ones.

use std::collections::BTreeSet;

use num_rational::BigRational;

use super::*;
use ult_core::formula::{BinderKind, FunctionValue, MapValue};

impl Scene {
    /// The only edge between two locations, or the first one.
    fn between(&self, from: &str, to: &str) -> EdgeId {
        let (from, to) = (self.find(from).unwrap(), self.find(to).unwrap());
        self.graph
            .graph
            .edge_indices()
            .find(|&e| self.graph.graph.edge_endpoints(e) == Some((from, to)))
            .expect("an edge of the test")
    }
}

fn p_state(x: i64, y: i64, z: i64, n: i64) -> State {
    ints(&[("x", x), ("y", y), ("z", z), ("n", n)])
}

/// A violation of `n == y + z + 1` after one turn of the loop in which `x` moves to `z`.
fn one_turn(s: &Scene) -> Run {
    let path = [
        ("start", "head", p_state(1, 0, 0, 1)),
        ("head", "if1", p_state(1, 0, 0, 1)),
        ("if1", "if2", p_state(1, 0, 0, 1)),
        ("if2", "if3", p_state(1, 0, 0, 1)),
        ("if3", "if3+", p_state(1, 0, 1, 1)),
        ("if3+", "head", p_state(0, 0, 1, 1)),
        ("head", "exit", p_state(0, 0, 1, 1)),
        ("exit", "err", p_state(0, 0, 1, 1)),
    ];
    run(
        p_state(1, 0, 0, 1),
        path.into_iter()
            .map(|(from, to, state)| step(s.between(from, to), state))
            .collect(),
    )
}

#[test]
fn a_violation_of_the_wrong_program_p() {
    let s = program_p(1);
    let claim = one_turn(&s);
    let violation = s.replay(&claim).unwrap();
    assert_eq!(Some(violation.location()), s.find("err"));
    assert_eq!(violation.run().steps.len(), 8);
    // The right program has no such run.
    assert_run_rejected(program_p(0).replay(&claim), "false");
}

#[test]
fn a_changed_value_is_refused() {
    let s = program_p(1);
    for number in 0..8 {
        for name in ["x", "y", "z", "n"] {
            let mut claim = one_turn(&s);
            *claim.steps[number].values_mut().get_mut(name).unwrap() = Value::int(17);
            assert_run_rejected(s.replay(&claim), "step");
        }
    }
    for name in ["x", "y", "z", "n"] {
        let mut claim = one_turn(&s);
        *claim.start.get_mut(name).unwrap() = Value::int(17);
        assert_run_rejected(s.replay(&claim), "step 0");
    }
}

#[test]
fn a_skipped_or_repeated_step_is_refused() {
    let s = program_p(1);
    for number in 0..8 {
        let mut claim = one_turn(&s);
        claim.steps.remove(number);
        assert_run_rejected(s.replay(&claim), "");
        let mut claim = one_turn(&s);
        let again = claim.steps[number].clone();
        claim.steps.insert(number, again);
        assert_run_rejected(s.replay(&claim), "");
    }
}

#[test]
fn wrong_edges_are_refused() {
    let s = program_p(1);
    let edges: Vec<EdgeId> = s.graph.graph.edge_indices().collect();
    for number in 0..8 {
        for &edge in &edges {
            let mut claim = one_turn(&s);
            if claim.steps[number].edge != edge {
                claim.steps[number].edge = edge;
                assert_run_rejected(s.replay(&claim), "");
            }
        }
        let mut claim = one_turn(&s);
        claim.steps[number].edge = EdgeId::new(999);
        assert_run_rejected(s.replay(&claim), "does not exist");
    }
}

#[test]
fn a_run_starts_at_the_start_and_ends_in_an_error() {
    let s = program_p(1);
    let mut claim = one_turn(&s);
    claim.steps.remove(0);
    assert_run_rejected(
        s.replay(&claim),
        "leaves `head`, but the trace is at `start`",
    );
    let mut claim = one_turn(&s);
    claim.steps.pop();
    assert_run_rejected(s.replay(&claim), "ends at `exit`");
    assert_run_rejected(
        s.replay(&run(p_state(0, 0, 0, 0), Vec::new())),
        "ends at `start`",
    );
    let mut claim = one_turn(&s);
    claim.steps[7].edge = s.between("exit", "end");
    assert_run_rejected(s.replay(&claim), "not an error location");
}

#[test]
fn an_initial_error_location_is_reached_at_once() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let initial = s.graph.initial;
    s.graph.graph[initial].error = Some("at once".into());
    s.replay(&run(ints(&[("x", 3)]), Vec::new())).unwrap();
    s.graph.axioms.push(s.terms.ff());
    assert_run_rejected(s.replay(&run(ints(&[("x", 3)]), Vec::new())), "axiom");
}

#[test]
fn states_have_exactly_the_declared_variables() {
    let s = program_p(1);
    // The step keeps `y`: it need not be said.
    let mut claim = one_turn(&s);
    claim.steps[3].values_mut().shift_remove("y");
    s.replay(&claim).unwrap();
    let mut claim = one_turn(&s);
    claim.start.shift_remove("n");
    assert_run_rejected(s.replay(&claim), "`n` has no value");
    let mut claim = one_turn(&s);
    claim.steps[3]
        .values_mut()
        .insert("w".into(), Value::int(0));
    assert_run_rejected(s.replay(&claim), "no variable `w`");
    let mut claim = one_turn(&s);
    claim.steps[3]
        .values_mut()
        .insert("y".into(), Value::Bool(false));
    assert_run_rejected(s.replay(&claim), "not of sort int");
    let mut claim = one_turn(&s);
    let zero = BigRational::from_integer(0.into());
    claim.steps[3]
        .values_mut()
        .insert("y".into(), Value::Real(zero));
    assert_run_rejected(s.replay(&claim), "not of sort int");
}

#[test]
fn sorts_are_checked_to_the_bottom() {
    let map = |range| Sort::map(vec![Sort::Int], range);
    let table = |domain: Vec<Sort>, default, entries: Vec<(Value, Value)>| {
        Value::Map(Arc::new(MapValue {
            domain,
            default,
            entries: entries.into_iter().map(|(k, v)| (vec![k], v)).collect(),
        }))
    };
    let cases = [
        (Sort::BitVec(4), Value::BitVec(15u32.into(), 4), true),
        (Sort::BitVec(4), Value::BitVec(16u32.into(), 4), false),
        (Sort::BitVec(4), Value::BitVec(15u32.into(), 5), false),
        (
            Sort::Uninterpreted("T".into()),
            Value::Element("T".into(), 7),
            true,
        ),
        (
            Sort::Uninterpreted("T".into()),
            Value::Element("U".into(), 7),
            false,
        ),
        (
            map(Sort::Bool),
            table(vec![Sort::Int], Value::Bool(true), vec![]),
            true,
        ),
        (
            map(Sort::Bool),
            table(vec![Sort::Int], Value::int(1), vec![]),
            false,
        ),
        (
            map(Sort::Bool),
            table(vec![Sort::Bool], Value::Bool(true), vec![]),
            false,
        ),
        (
            map(Sort::Bool),
            table(
                vec![Sort::Int],
                Value::Bool(true),
                vec![(Value::Bool(true), Value::Bool(true))],
            ),
            false,
        ),
        (
            map(Sort::Bool),
            table(
                vec![Sort::Int],
                Value::Bool(true),
                vec![(Value::int(1), Value::int(1))],
            ),
            false,
        ),
        (
            map(map(Sort::Int)),
            table(
                vec![Sort::Int],
                table(vec![Sort::Int], Value::Bool(true), vec![]),
                vec![],
            ),
            false,
        ),
        (Sort::Float(8, 24), Value::BitVec(0u32.into(), 32), false),
    ];
    for (sort, value, fine) in cases {
        let mut s = Scene::new(&[("x", sort)]);
        let yes = s.terms.tt();
        let edge = s.assume("start", yes, "err");
        let states = state(&[("x", value.clone())]);
        let result = s.replay(&run(states.clone(), vec![step(edge, states)]));
        if fine {
            result.unwrap();
        } else {
            assert_run_rejected(result, "which is not of sort");
        }
    }
}

#[test]
fn an_edge_keeps_what_it_does_not_change() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let edge = s.assign("start", "x", s.plus("y", 1), "err");
    let good = run(
        ints(&[("x", 5), ("y", 2)]),
        vec![step(edge, ints(&[("x", 3), ("y", 2)]))],
    );
    s.replay(&good).unwrap();
    let frame = run(
        ints(&[("x", 5), ("y", 2)]),
        vec![step(edge, ints(&[("x", 3), ("y", 4)]))],
    );
    assert_run_rejected(s.replay(&frame), "must keep the value of `y`");
    // A variable may change without being constrained.
    let edge = s.edge(
        "start",
        Transition::havoc(&s.terms, [Arc::from("y")]),
        "err",
    );
    let good = run(
        ints(&[("x", 5), ("y", 2)]),
        vec![step(edge, ints(&[("x", 5), ("y", 9)]))],
    );
    s.replay(&good).unwrap();
}

#[test]
fn auxiliaries_do_not_lie() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let t = &s.terms;
    let aux = t.fresh_aux("k", Sort::Int);
    let Version::Aux(number) = t.as_var(aux).unwrap().version else {
        panic!("an auxiliary")
    };
    // x' == 2 * k && k > 2, or x' == 0
    let twice = t.and([
        t.eq(s.next("x"), t.mul(&[t.int(2), aux])),
        t.gt(aux, t.int(2)),
    ]);
    let formula = t.or2(t.eq(s.next("x"), t.int(0)), twice);
    let edge = s.edge(
        "start",
        Transition {
            formula,
            changed: BTreeSet::from([Arc::from("x")]),
        },
        "err",
    );
    let to = |x: i64, k: Option<Value>| {
        let mut claim = run(ints(&[("x", 1)]), vec![step(edge, ints(&[("x", x)]))]);
        claim.steps[0].aux_mut().extend(k.map(|k| (number, k)));
        s.replay(&claim)
    };
    to(8, Some(Value::int(4))).unwrap();
    assert_run_rejected(to(8, Some(Value::int(3))), "false");
    assert_run_rejected(to(4, Some(Value::int(2))), "false");
    assert_run_rejected(to(7, Some(Value::int(4))), "false");
    assert_run_rejected(to(8, Some(Value::Bool(true))), "not of sort int");
    // No value: fine only where it does not matter.
    to(0, None).unwrap();
    assert_run_rejected(to(8, None), "no value");
}

#[test]
fn rigid_symbols_keep_their_meaning_and_satisfy_the_axioms() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let f = s.function("f", &[Sort::Int], Sort::Int);
    let c = s.function("c", &[], Sort::Int);
    let t = &s.terms;
    let c = t.apply(&c, &[]);
    let axiom = t.gt(c, t.int(10));
    let (fc, fx) = (t.apply(&f, &[c]), t.apply(&f, &[s.v("x")]));
    s.graph.axioms.push(axiom);
    let first = s.assign("start", "x", fc, "a");
    let below = s.terms.lt(fx, s.int(0));
    let second = s.assume("a", below, "err");
    let claim = |c: i64, at_c: i64, at_x: i64, x: i64| {
        let mut claim = run(
            ints(&[("x", 0)]),
            vec![
                step(first, ints(&[("x", x)])),
                step(second, ints(&[("x", x)])),
            ],
        );
        let table = |default: i64, entries: &[(i64, i64)]| FunctionValue {
            default: Value::int(default),
            entries: entries
                .iter()
                .map(|&(k, v)| (vec![Value::int(k)], Value::int(v)))
                .collect(),
        };
        claim.rigid.functions.insert("c".into(), table(c, &[]));
        claim
            .rigid
            .functions
            .insert("f".into(), table(0, &[(c, at_c), (x, at_x)]));
        claim
    };
    s.replay(&claim(11, 4, -1, 4)).unwrap();
    assert_run_rejected(s.replay(&claim(10, 4, -1, 4)), "an axiom");
    assert_run_rejected(s.replay(&claim(11, 5, -1, 4)), "step 0");
    assert_run_rejected(s.replay(&claim(11, 4, 0, 4)), "step 1");
    let mut missing = claim(11, 4, -1, 4);
    missing.rigid.functions.remove("f");
    assert_run_rejected(s.replay(&missing), "no meaning");
    let mut missing = claim(11, 4, -1, 4);
    missing.rigid.functions.remove("c");
    assert_run_rejected(s.replay(&missing), "step 0");
    let mut ill_sorted = claim(11, 4, -1, 4);
    ill_sorted.rigid.functions.get_mut("c").unwrap().default = Value::Bool(true);
    assert_run_rejected(s.replay(&ill_sorted), "wrong sorts");
    let mut ill_sorted = claim(11, 4, -1, 4);
    let table = ill_sorted.rigid.functions.get_mut("f").unwrap();
    table
        .entries
        .insert(vec![Value::int(1), Value::int(2)], Value::int(3));
    assert_run_rejected(s.replay(&ill_sorted), "wrong sorts");
}

#[test]
fn division_by_zero_proves_nothing() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let quotient = s.terms.div(s.v("x"), s.v("y"));
    let edge = s.assume("start", s.terms.eq(quotient, s.int(3)), "err");
    let at = |x, y| {
        let state = ints(&[("x", x), ("y", y)]);
        s.replay(&run(state.clone(), vec![step(edge, state)]))
    };
    at(7, 2).unwrap();
    at(-5, -2).unwrap();
    assert_run_rejected(at(-7, 2), "false");
    assert_run_rejected(at(7, 0), "division by zero");
    assert_run_rejected(at(0, 0), "division by zero");
}

#[test]
fn huge_numbers_are_exact() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let square = s.terms.mul(&[s.v("x"), s.v("x")]);
    let edge = s.assign("start", "x", square, "err");
    let x: num_bigint::BigInt = num_bigint::BigInt::from(10).pow(60) + 1;
    let go = |after: num_bigint::BigInt| {
        let before = state(&[("x", Value::Int(x.clone()))]);
        s.replay(&run(
            before,
            vec![step(edge, state(&[("x", Value::Int(after))]))],
        ))
    };
    go(&x * &x).unwrap();
    assert_run_rejected(go(&x * &x + 1), "false");
}

/// `x := 0; y arbitrary; then x := x + y again and again, with y kept; violated when x == 3 * rounds`,
/// as a run that says no more than it has to.
fn long_run(rounds: i64) -> (Scene, Run) {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int), ("z", Sort::Int)]);
    let first = s.assign("start", "x", s.int(0), "chosen");
    let anything = Transition::havoc(&s.terms, [Arc::from("y")]);
    let chosen = s.edge("chosen", anything, "head");
    let sum = s.terms.add(&[s.v("x"), s.v("y")]);
    let round = s.assign("head", "x", sum, "head");
    let reached = s.terms.eq(s.v("x"), s.int(3 * rounds));
    let last = s.assume("head", reached, "err");
    let mut steps = vec![Step::determined(first)];
    steps.push(step(chosen, ints(&[("y", 3)])));
    steps.extend((0..rounds).map(|_| Step::determined(round)));
    steps.push(Step::determined(last));
    (s, run(ints(&[("x", 9), ("y", 9), ("z", 9)]), steps))
}

#[test]
fn a_long_run_says_only_what_is_open() {
    let (s, claim) = long_run(200_000);
    let violation = s.replay(&claim).unwrap();
    assert_eq!(violation.run().steps.len(), 200_003);
}

#[test]
fn a_tampered_long_run_is_refused() {
    let (s, claim) = long_run(1000);
    s.replay(&claim).unwrap();
    // One step too few, one too many.
    let mut short = claim.clone();
    short.steps.remove(500);
    assert_run_rejected(s.replay(&short), "it is false");
    let mut long = claim.clone();
    long.steps.insert(500, claim.steps[500].clone());
    assert_run_rejected(s.replay(&long), "it is false");
    // Nothing is said about what is open.
    let mut silent = claim.clone();
    silent.steps[1] = Step::determined(claim.steps[1].edge);
    assert_run_rejected(s.replay(&silent), "after step 1, `y` has no value");
    // Another value than the defined one, for what is kept, of another sort, and of nothing.
    for (number, name, value, why) in [
        (500, "x", Value::int(7), "the formula of step 500"),
        (
            500,
            "y",
            Value::int(4),
            "step 500 must keep the value of `y`",
        ),
        (
            500,
            "z",
            Value::int(0),
            "step 500 must keep the value of `z`",
        ),
        (500, "x", Value::Bool(true), "not of sort int"),
        (500, "w", Value::int(0), "there is no variable `w`"),
        (1, "y", Value::int(4), "it is false"),
    ] {
        let mut bad = claim.clone();
        bad.steps[number].values_mut().insert(name.into(), value);
        assert_run_rejected(s.replay(&bad), why);
    }
    // The right value may be said.
    let mut loud = claim.clone();
    loud.steps[500]
        .values_mut()
        .insert("x".into(), Value::int(3 * 499));
    s.replay(&loud).unwrap();
    // A start that does not say everything.
    let mut partial = claim.clone();
    partial.start.shift_remove("z");
    assert_run_rejected(s.replay(&partial), "at the start, `z` has no value");
}

#[test]
fn a_value_that_cannot_be_computed_has_to_be_said() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let quotient = s.terms.div(s.v("x"), s.v("y"));
    let divide = s.assign("start", "x", quotient, "a");
    let yes = s.terms.tt();
    let last = s.assume("a", yes, "err");
    let claim = |y: i64| {
        let steps = vec![Step::determined(divide), Step::determined(last)];
        run(ints(&[("x", 6), ("y", y)]), steps)
    };
    s.replay(&claim(2)).unwrap();
    assert_run_rejected(s.replay(&claim(0)), "`x` has no value: division by zero");
}

#[test]
fn a_condition_on_the_next_value_of_what_is_kept_is_no_assignment() {
    // `x` is 5 and stays 5; the edge demands `x' == 3`.
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let first = s.assign("start", "x", s.int(5), "middle");
    let condition = s.terms.eq(s.next("x"), s.int(3));
    let second = s.assume("middle", condition, "err");
    let steps = vec![Step::determined(first), Step::determined(second)];
    let result = s.replay(&run(ints(&[("x", 3)]), steps));
    let text = format!("{result:?}");
    assert!(result.is_err() && text.contains("stray variable"), "{text}");
}

#[test]
fn who_refutes_a_formula_and_its_negation_is_not_believed() {
    // Z3 has refuted both of these about one element and a map.
    let sort = Sort::Uninterpreted("X".into());
    let map = Sort::map(vec![sort.clone()], Sort::Int);
    let mut s = Scene::new(&[("x", sort.clone()), ("m", map.clone())]);
    let i = s.terms.fresh_bound("i", sort.clone());
    let stored = s.terms.store(s.v("m"), &[s.v("x")], s.int(1));
    let element = s.terms.select(stored, &[i]);
    let again = s.terms.bind(BinderKind::Lambda, &[i], element, &[]);
    let differ = s.terms.not(s.terms.eq(stored, again));
    let last = s.assume("start", differ, "err");
    let zero = Value::any_of(&map).unwrap();
    for number in 0..4 {
        let x = Value::Element("X".into(), number);
        let start = State::from_iter([("x".into(), x), ("m".into(), zero.clone())]);
        let claim = run(start, vec![Step::determined(last)]);
        assert_run_rejected(s.replay(&claim), "");
    }
}

/// A run that says nothing of symbols which only axioms are about.
fn silent(axioms: impl Fn(&mut Scene) -> Vec<Term>) -> Result<Violation, Reason> {
    let mut s = Scene::new(&[("x", Sort::Int), ("e", element())]);
    s.graph.axioms = axioms(&mut s);
    let yes = s.terms.tt();
    let edge = s.assume("start", yes, "err");
    let element = Value::Element("T".into(), 0);
    let state: State = [("x".into(), Value::int(3)), ("e".into(), element)].into();
    s.replay(&run(state.clone(), vec![step(edge, state)]))
}

fn element() -> Sort {
    Sort::Uninterpreted("T".into())
}

#[test]
fn symbols_that_a_run_says_nothing_of_must_have_a_meaning() {
    let all = |s: &Scene, function: &Arc<Function>, body: &dyn Fn(Term, Term) -> Term| {
        let x = s.terms.fresh_bound("x", function.params[0].clone());
        let body = body(x, s.terms.apply(function, &[x]));
        s.terms.bind(BinderKind::Forall, &[x], body, &[])
    };
    let grows = silent(|s| {
        let g = s.function("g", &[Sort::Int], Sort::Int);
        vec![all(s, &g, &|x, gx| s.terms.gt(gx, x))]
    });
    grows.unwrap();
    // Each alone would do.
    for (above, below) in [(false, true), (true, false), (true, true)] {
        let bounded = silent(|s| {
            let g = s.function("g", &[Sort::Int], Sort::Int);
            let no_more = all(s, &g, &|_, gx| s.terms.le(gx, s.int(3)));
            let more = all(s, &g, &|_, gx| s.terms.gt(gx, s.int(3)));
            let axioms = [(below, no_more), (above, more)].into_iter();
            axioms
                .filter_map(|(is_there, axiom)| is_there.then_some(axiom))
                .collect()
        });
        match above && below {
            true => assert_run_rejected(bounded, "says nothing of"),
            false => drop(bounded.unwrap()),
        }
    }
    // The elements of a sort are those of the run: one is not enough for the second.
    for (different, fits) in [(false, true), (true, false)] {
        let elements = silent(|s| {
            let h = s.function("h", &[Sort::Int], element());
            let [one, other] = [0, 1].map(|i| s.terms.apply(&h, &[s.int(i)]));
            let same = s.terms.eq(one, other);
            vec![if different { s.terms.not(same) } else { same }]
        });
        match fits {
            true => drop(elements.unwrap()),
            false => assert_run_rejected(elements, "says nothing of"),
        }
    }
}

/// What a function is at an argument, where it may be asked for again.
type Body = dyn Fn(&Terms, Term, &dyn Fn(Term) -> Term) -> Term;

/// A run that says nothing of a function for which `f(n) == body` holds, where the body may ask for `f` of something. There
/// may be a law besides, about `f(3)`.
fn recursive(
    result: Sort,
    body: impl Fn(&Terms, Term, &dyn Fn(Term) -> Term) -> Term,
    has_law: bool,
) -> Result<Violation, Reason> {
    silent(|s| {
        let f = s.function("f", &[Sort::Int], result.clone());
        let n = s.terms.fresh_bound("n", Sort::Int);
        let apply = |argument: Term| s.terms.apply(&f, &[argument]);
        let equation = s.terms.eq(apply(n), body(&s.terms, n, &apply));
        let definition = s.terms.bind(BinderKind::Forall, &[n], equation, &[]);
        let law = has_law.then(|| s.terms.eq(apply(s.int(3)), s.int(7)));
        [definition].into_iter().chain(law).collect()
    })
}

#[test]
fn definitions_by_recursion_need_no_model() {
    let less = |t: &Terms, n: Term, by: i64| t.sub(n, t.int(by));
    let sum = |t: &Terms, n: Term, f: &dyn Fn(Term) -> Term| {
        let more = t.add(&[f(less(t, n, 1)), f(less(t, n, 2)), t.mul(&[n, n])]);
        t.ite(t.lt(n, t.int(2)), n, more)
    };
    drop(recursive(Sort::Int, sum, false).unwrap());
    // Up to a bound, and in a part of a conjunction.
    drop(
        recursive(
            Sort::Bool,
            |t, n, f| t.and2(t.not(f(t.add(&[n, t.int(1)]))), t.lt(n, t.int(50))),
            false,
        )
        .unwrap(),
    );
    // Of all smaller ones.
    drop(
        recursive(
            Sort::Bool,
            |t, n, f| {
                let k = t.fresh_bound("k", Sort::Int);
                let within = t.and2(t.le(t.int(0), k), t.lt(k, n));
                let body = t.implies(within, t.not(f(k)));
                t.bind(BinderKind::Forall, &[k], body, &[])
            },
            false,
        )
        .unwrap(),
    );
}

#[test]
fn what_is_no_definition_by_recursion_needs_a_model() {
    let refused = |result: Sort, body: &Body| {
        assert_run_rejected(recursive(result, body, false), "says nothing of");
    };
    // No such function: for negative numbers, and by a condition that depends on the function.
    refused(Sort::Int, &|t, n, f| {
        let one_more = |at| t.add(&[f(at), t.int(1)]);
        let down = t.ite(t.eq(n, t.int(0)), n, one_more(t.sub(n, t.int(1))));
        t.ite(t.le(t.int(0), n), down, one_more(n))
    });
    refused(Sort::Int, &|t, n, f| {
        let positive = t.gt(f(t.sub(n, t.int(1))), t.int(0));
        let condition = t.and2(t.gt(n, t.int(0)), positive);
        let more = t.add(&[f(t.add(&[n, t.int(1)])), t.int(1)]);
        t.ite(condition, more, t.int(1))
    });
    // Of a bound variable that is not smaller.
    refused(Sort::Bool, &|t, n, f| {
        let k = t.fresh_bound("k", Sort::Int);
        let body = t.implies(t.le(k, n), t.not(f(k)));
        t.bind(BinderKind::Forall, &[k], body, &[])
    });
    // One that there is, but not with what else is said of it: the sum of squares up to 3 is 14.
    let squares = |t: &Terms, n: Term, f: &dyn Fn(Term) -> Term| {
        let more = t.add(&[f(t.sub(n, t.int(1))), t.mul(&[n, n])]);
        t.ite(t.le(n, t.int(0)), t.int(0), more)
    };
    drop(recursive(Sort::Int, squares, false).unwrap());
    assert_run_rejected(recursive(Sort::Int, squares, true), "says nothing of");
}
