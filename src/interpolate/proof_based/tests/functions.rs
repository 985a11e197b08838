//! Uninterpreted functions and sorts.

use std::sync::Arc;

use super::*;
use ult_core::formula::Function;

fn function(name: &str, params: &[Sort], result: Sort) -> Arc<Function> {
    Arc::new(Function {
        name: name.into(),
        params: params.to_vec(),
        result,
    })
}

fn set(t: &Terms, name: &str, value: Term) -> Term {
    t.eq(t.next(name, t.sort(value).clone()), value)
}

#[test]
fn functions_of_equal_numbers_are_equal() {
    let t = Terms::new();
    let f = function("f", &[Sort::Int], Sort::Int);
    let (x, y) = (now(&t, "x"), now(&t, "y"));
    for length in [1, 2, 3, 5, 8] {
        let both = t.and2(
            set(&t, "x", t.apply(&f, &[x])),
            set(&t, "y", t.apply(&f, &[y])),
        );
        let mut path = vec![t.eq(x, y)];
        path.extend(std::iter::repeat_n(both, length));
        path.push(t.neq(x, y));
        for proof_based in ALL {
            let states = alone(proof_based, &t, &path);
            if proof_based == ProofBased::default() {
                assert!(states.iter().all(|s| s == "x == y"), "{states:?}");
            }
        }
    }
}

#[test]
fn functions_of_two_numbers_and_of_functions() {
    let t = Terms::new();
    let f = function("f", &[Sort::Int, Sort::Int], Sort::Int);
    let g = function("g", &[Sort::Int], Sort::Int);
    let (x, y, z) = (now(&t, "x"), now(&t, "y"), now(&t, "z"));
    let step = |a: Term| t.apply(&f, &[t.apply(&g, &[t.apply(&g, &[a])]), z]);
    let path = [
        t.eq(plus(&t, x, 1), y),
        t.and2(set(&t, "x", step(plus(&t, x, 1))), set(&t, "y", step(y))),
        t.and2(set(&t, "x", step(x)), set(&t, "y", step(y))),
        t.lt(x, y),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &path);
    }
}

#[test]
fn an_equality_of_arguments_may_follow_from_inequalities() {
    let t = Terms::new();
    let f = function("f", &[Sort::Int], Sort::Int);
    let (x, y, z) = (now(&t, "x"), now(&t, "y"), now(&t, "z"));
    let path = [
        t.and2(t.le(x, y), set(&t, "z", t.apply(&f, &[x]))),
        t.and2(set(&t, "x", plus(&t, x, 2)), set(&t, "y", plus(&t, y, 1))),
        t.and2(t.lt(y, x), t.neq(z, t.apply(&f, &[plus(&t, y, -1)]))),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &path);
    }
}

#[test]
fn arguments_without_a_common_step_meet_between() {
    let t = Terms::new();
    let f = function("f", &[Sort::Int], Sort::Int);
    let (x, m, z, a) = (now(&t, "x"), now(&t, "m"), now(&t, "z"), now(&t, "a"));
    let exact = [
        t.and([t.eq(x, m), set(&t, "a", t.apply(&f, &[x]))]),
        t.tt(),
        t.and([t.eq(z, m), t.neq(a, t.apply(&f, &[z]))]),
    ];
    // Only a sum is shared, and only inequalities say so.
    let n = now(&t, "n");
    let sum = t.add(&[m, n]);
    let between = [
        t.and([t.le(x, sum), t.ge(x, sum), set(&t, "a", t.apply(&f, &[x]))]),
        t.tt(),
        t.and([t.le(z, sum), t.ge(z, sum), t.neq(a, t.apply(&f, &[z]))]),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &exact);
        alone(proof_based, &t, &between);
    }
}

#[test]
fn values_of_uninterpreted_sorts() {
    let t = Terms::new();
    let sort = Sort::Uninterpreted("T".into());
    let f = function("f", std::slice::from_ref(&sort), sort.clone());
    let p = function("p", std::slice::from_ref(&sort), Sort::Bool);
    let var = |name: &str| t.current(name, sort.clone());
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let both = t.and2(
        set(&t, "x", t.apply(&f, &[x])),
        set(&t, "y", t.apply(&f, &[y])),
    );
    for length in [0, 1, 2, 5] {
        let mut path = vec![t.and2(t.eq(x, z), t.eq(z, y))];
        path.extend(std::iter::repeat_n(both, length));
        let mut other = path.clone();
        path.push(t.neq(x, y));
        other.push(t.and2(t.apply(&p, &[x]), t.not(t.apply(&p, &[y]))));
        for proof_based in ALL {
            alone(proof_based, &t, &path);
            alone(proof_based, &t, &other);
        }
    }
}

#[test]
fn a_chain_of_equalities_through_several_steps() {
    let t = Terms::new();
    let sort = Sort::Uninterpreted("T".into());
    let var = |name: &str| t.current(name, sort.clone());
    let (a, b, c, d) = (var("a"), var("b"), var("c"), var("d"));
    let path = [
        t.and2(t.eq(a, b), t.or2(t.eq(c, d), t.eq(b, c))),
        t.or2(t.eq(b, c), t.eq(a, d)),
        t.and2(t.eq(c, d), t.neq(b, d)),
        t.neq(a, d),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &path);
    }
}

/// What a random chain does with `x`, `y` and `z`.
fn random(t: &Terms, sort: &Sort, recipe: &[(u8, u8, u8)]) -> Vec<Term> {
    let f = function("f", std::slice::from_ref(sort), sort.clone());
    let g = function("g", &[sort.clone(), sort.clone()], sort.clone());
    let name = |n: u8| ["x", "y", "z"][n as usize % 3];
    let var = |n: u8| t.current(name(n), sort.clone());
    recipe
        .iter()
        .map(|&(kind, a, b)| match kind % 6 {
            0 => set(t, name(a), t.apply(&f, &[var(b)])),
            1 => set(t, name(a), t.apply(&g, &[var(a), var(b)])),
            2 => t.eq(var(a), t.apply(&f, &[var(b)])),
            3 => t.or2(t.eq(var(a), var(b)), t.eq(var(b), var(b / 3))),
            4 => t.eq(t.apply(&f, &[var(a)]), t.apply(&g, &[var(b), var(a)])),
            _ => t.neq(var(a), t.apply(&f, &[t.apply(&f, &[var(b)])])),
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_chains_of_functions(
        recipe in prop::collection::vec((0u8..6, 0u8..9, 0u8..9), 3..9),
        numbers in any::<bool>(),
        system in 0usize..6,
    ) {
        let t = Terms::new();
        let sort = if numbers { Sort::Int } else { Sort::Uninterpreted("T".into()) };
        let path = random(&t, &sort, &recipe);
        let session = Session::new(&t, &[], &Control::unlimited());
        let chain = chain(&t, &path);
        let answer = session.solver().check(&chain.steps, Some(LIMIT));
        match ALL[system].interpolate(&session, &chain, QUICK) {
            Ok(claim) => assert_interpolants(&session, &chain, &claim),
            Err(NoInterpolants::Feasible) => prop_assert_eq!(answer, Answer::Sat),
            // Now and then a chain is too hard; saying so is no mistake.
            Err(NoInterpolants::Failed(Failure::Timeout)) => {}
            Err(why) => prop_assert!(false, "{}: {}", answer == Answer::Unsat, why),
        }
    }
}
