//! Maps.

use super::*;

fn set(t: &Terms, name: &str, value: Term) -> Term {
    t.eq(t.next(name, t.sort(value).clone()), value)
}

fn ints() -> Sort {
    Sort::map(vec![Sort::Int], Sort::Int)
}

#[test]
fn what_was_stored_is_read() {
    let t = Terms::new();
    let (m, i, j) = (t.current("m", ints()), now(&t, "i"), now(&t, "j"));
    let seven = t.int(7);
    let direct = [
        set(&t, "m", t.store(m, &[i], seven)),
        t.tt(),
        t.neq(t.select(m, &[i]), seven),
    ];
    let over_another = [
        set(&t, "m", t.store(m, &[i], seven)),
        t.and2(t.lt(i, j), set(&t, "m", t.store(m, &[j], t.int(8)))),
        t.neq(t.select(m, &[i]), seven),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &direct);
        alone(proof_based, &t, &over_another);
    }
}

#[test]
fn one_of_many_elements_is_read() {
    let t = Terms::new();
    let (m, i, j) = (t.current("m", ints()), now(&t, "i"), now(&t, "j"));
    let zero = t.int(0);
    let body = t.and2(
        set(&t, "m", t.store(m, &[i], zero)),
        set(&t, "i", plus(&t, i, 1)),
    );
    for length in [1, 2, 4, 8] {
        let mut path = vec![t.eq(i, zero)];
        path.extend(std::iter::repeat_n(body, length));
        // The index is known from the start.
        let mut pinned = path.clone();
        pinned.push(t.and([t.le(zero, j), t.lt(j, i), t.neq(t.select(m, &[j]), zero)]));
        pinned[0] = t.and2(pinned[0], t.le(zero, j));
        // The index is one of the last state only.
        path.push(t.neq(t.select(m, &[plus(&t, i, -(length as i64))]), zero));
        for proof_based in ALL {
            alone(proof_based, &t, &pinned);
            alone(proof_based, &t, &path);
        }
        let states = alone(ProofBased::default(), &t, &pinned);
        // What was written, and nothing about stores.
        assert!(!states.iter().any(|s| s.contains(":=")), "{states:#?}");
    }
}

#[test]
fn maps_are_copied_and_elements_swapped() {
    let t = Terms::new();
    let (a, b) = (t.current("a", ints()), t.current("b", ints()));
    let (i, j, x) = (now(&t, "i"), now(&t, "j"), now(&t, "x"));
    let copied = [
        t.eq(t.select(a, &[i]), x),
        set(&t, "b", a),
        set(&t, "a", t.store(a, &[i], plus(&t, x, 1))),
        t.neq(t.select(b, &[i]), x),
    ];
    let y = now(&t, "y");
    let swapped = [
        t.and2(t.eq(t.select(a, &[i]), x), t.eq(t.select(a, &[j]), y)),
        set(
            &t,
            "a",
            t.store(t.store(a, &[i], t.select(a, &[j])), &[j], t.select(a, &[i])),
        ),
        t.or2(t.neq(t.select(a, &[i]), y), t.neq(t.select(a, &[j]), x)),
    ];
    let element = [
        set(&t, "b", t.store(b, &[i], t.select(a, &[i]))),
        set(&t, "i", plus(&t, i, 1)),
        t.neq(
            t.select(a, &[plus(&t, i, -1)]),
            t.select(b, &[plus(&t, i, -1)]),
        ),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &copied);
        alone(proof_based, &t, &swapped);
        alone(proof_based, &t, &element);
    }
}

#[test]
fn maps_to_truth_values_and_to_maps() {
    let t = Terms::new();
    let flags = t.current("flags", Sort::map(vec![Sort::Int], Sort::Bool));
    let (i, j) = (now(&t, "i"), now(&t, "j"));
    let visited = [
        set(&t, "flags", t.store(flags, &[i], t.tt())),
        set(&t, "flags", t.store(flags, &[j], t.lt(i, j))),
        t.and2(t.neq(i, j), t.not(t.select(flags, &[i]))),
    ];
    let matrix = t.current("matrix", Sort::map(vec![Sort::Int], ints()));
    let row = t.select(matrix, &[i]);
    let nested = [
        set(
            &t,
            "matrix",
            t.store(matrix, &[i], t.store(row, &[j], t.int(3))),
        ),
        t.tt(),
        t.neq(t.select(t.select(matrix, &[i]), &[j]), t.int(3)),
    ];
    let plane = t.current("plane", Sort::map(vec![Sort::Int, Sort::Int], Sort::Int));
    let two = [
        set(&t, "plane", t.store(plane, &[i, j], t.int(1))),
        set(&t, "plane", t.store(plane, &[i, plus(&t, j, 1)], t.int(2))),
        t.neq(t.select(plane, &[i, j]), t.int(1)),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &visited);
        alone(proof_based, &t, &nested);
        alone(proof_based, &t, &two);
    }
}

#[test]
fn maps_that_are_compared() {
    let t = Terms::new();
    let (a, b) = (t.current("a", ints()), t.current("b", ints()));
    let (i, j) = (now(&t, "i"), now(&t, "j"));
    let both = t.and2(
        set(&t, "a", t.store(a, &[i], j)),
        set(&t, "b", t.store(b, &[i], j)),
    );
    let same = [t.eq(a, b), both, both, t.neq(a, b)];
    let one = |first: Term, second: Term| {
        let inner = t.store(a, &[first], t.int(1));
        t.store(inner, &[second], t.int(2))
    };
    let other = t.store(t.store(a, &[j], t.int(2)), &[i], t.int(1));
    let commuting = [t.lt(i, j), t.neq(one(i, j), other)];
    let chosen = [
        set(&t, "b", t.ite(t.lt(i, j), t.store(a, &[i], j), a)),
        t.and2(t.lt(i, j), t.neq(t.select(b, &[i]), j)),
    ];
    let constant = [
        t.and2(set(&t, "a", t.const_map(ints(), t.int(5))), t.lt(i, j)),
        set(&t, "a", t.store(a, &[i], t.int(6))),
        t.neq(t.select(a, &[j]), t.int(5)),
    ];
    for proof_based in ALL {
        alone(proof_based, &t, &same);
        alone(proof_based, &t, &commuting);
        alone(proof_based, &t, &chosen);
        alone(proof_based, &t, &constant);
    }
}

/// What a random chain does with the maps `a` and `b` and the numbers `x`, `y`, `z`.
fn random(t: &Terms, recipe: &[(u8, u8, u8)]) -> Vec<Term> {
    let name = |n: u8| ["x", "y", "z"][n as usize % 3];
    let var = |n: u8| now(t, name(n));
    let map_name = |n: u8| ["a", "b"][n as usize % 2];
    let map = |n: u8| t.current(map_name(n), ints());
    recipe
        .iter()
        .map(|&(kind, a, b)| match kind % 7 {
            0 => set(t, map_name(a), t.store(map(b), &[var(a)], var(b))),
            1 => set(t, name(a), t.select(map(b), &[var(b)])),
            2 => t.neq(t.select(map(a), &[var(a)]), t.select(map(b), &[var(b)])),
            3 => t.eq(t.select(map(a), &[var(b)]), var(a / 3)),
            4 => t.lt(var(a), var(b)),
            5 => t.eq(var(a), plus(t, var(b), 1)),
            _ => t.eq(map(a), map(a + 1)),
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_chains_of_maps(
        recipe in prop::collection::vec((0u8..7, 0u8..9, 0u8..9), 3..9),
        system in 0usize..6,
    ) {
        let t = Terms::new();
        let path = random(&t, &recipe);
        let session = Session::new(&t, &[], &Control::unlimited());
        let chain = chain(&t, &path);
        let answer = session.solver().check(&chain.steps, Some(LIMIT));
        match ALL[system].interpolate(&session, &chain, QUICK) {
            Ok(claim) => assert_interpolants(&session, &chain, &claim),
            Err(NoInterpolants::Feasible) => prop_assert_eq!(answer, Answer::Sat),
            // Maps that are equal as a whole have many consequences: now and then too many.
            Err(NoInterpolants::Failed(Failure::Timeout)) => {}
            Err(NoInterpolants::Refused(why)) if why == "too many clauses" => {}
            Err(why) => prop_assert!(false, "{}: {}", answer == Answer::Unsat, why),
        }
    }
}
