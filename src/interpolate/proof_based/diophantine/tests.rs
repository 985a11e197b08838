use super::*;

use proptest::prelude::*;

fn equation(factors: &[i64], constant: i64) -> Equation<usize> {
    let terms = factors.iter().enumerate();
    Equation {
        terms: terms.map(|(v, n)| (v, Rational::from(*n))).collect(),
        constant: Rational::from(constant),
    }
}

/// The verified multipliers, printed; empty if there are none.
fn refutation(equations: &[Equation<usize>]) -> String {
    let Some(multipliers) = refute(equations, &mut { u64::MAX }) else {
        return String::new();
    };
    assert!(holds(equations, &multipliers), "{multipliers:?}");
    let parts = multipliers
        .iter()
        .map(|(place, by)| format!("{by}*e{place}"));
    parts.collect::<Vec<String>>().join(" + ")
}

#[test]
fn parity_is_a_contradiction_modulo_two() {
    // x = 2 y and x = 2 z + 1
    let equations = [equation(&[1, -2, 0], 0), equation(&[1, 0, -2], 1)];
    assert_eq!(refutation(&equations), "1/2*e0 + 1/2*e1");
}

#[test]
fn one_equation_whose_divisor_does_not_divide_the_constant() {
    assert_eq!(refutation(&[equation(&[6, -9], 4)]), "1/3*e0");
    assert_eq!(refutation(&[equation(&[6, -9], 3)]), "");
    let half = Equation {
        terms: vec![(0, Rational::from(2)), (1, Rational::new(2, 3))],
        constant: Rational::new(1, 2),
    };
    assert_eq!(refutation(&[half]), "3/2*e0");
}

#[test]
fn rational_contradictions_are_found_too() {
    let equations = [
        equation(&[1, 1], 1),
        equation(&[1, -1], 1),
        equation(&[5, 1], 3),
    ];
    assert_eq!(refutation(&equations), "-3*e0 + -2*e1 + 1*e2");
    assert_eq!(refutation(&[equation(&[], 5)]), "1*e0");
    assert_eq!(refutation(&[equation(&[0, 0], 0)]), "");
}

#[test]
fn equations_that_contribute_integers_only_are_left_out() {
    // The second says z = 3 u, which has nothing to do with the parity of x.
    let equations = [
        equation(&[1, -2, 0, 0, 0], 0),
        equation(&[0, 0, 1, -3, 0], 0),
        equation(&[1, 0, 2, 0, -2], 1),
    ];
    assert_eq!(refutation(&equations), "1/2*e0 + 1/2*e2");
}

#[test]
fn a_composite_modulus_becomes_a_prime_one() {
    // x = 6 y and x = 6 z + 3: they differ modulo 2.
    let equations = [equation(&[1, -6, 0], 0), equation(&[1, 0, -6], 3)];
    assert_eq!(refutation(&equations), "1/2*e0 + 1/2*e1");
    // Modulo 6 and 4 they differ by 1, and have the factor 2 in common.
    let equations = [equation(&[1, -6, 0], 0), equation(&[1, 0, -4], 1)];
    assert_eq!(refutation(&equations), "1/2*e0 + 1/2*e1");
}

#[test]
fn without_budget_nothing_is_found() {
    let equations = [equation(&[1, -2, 0], 0), equation(&[1, 0, -2], 1)];
    let mut spent = 0;
    for budget in 0..100 {
        match refute(&equations, &mut { budget }) {
            None => spent += 1,
            Some(multipliers) => assert!(holds(&equations, &multipliers)),
        }
    }
    assert!(0 < spent && spent < 50, "{spent}");
}

#[test]
fn wrong_multipliers_do_not_hold() {
    let equations = [equation(&[1, -2, 0], 0), equation(&[1, 0, -2], 1)];
    let half = Rational::new(1, 2);
    let claim = |multipliers: &[(usize, Rational)]| holds(&equations, multipliers);
    assert!(claim(&[(0, half.clone()), (1, half.clone())]));
    assert!(!claim(&[(0, half.clone()), (1, Rational::ONE)]));
    assert!(!claim(&[(0, Rational::ONE), (1, Rational::ONE)]));
    assert!(!claim(&[(1, half.clone())]));
    assert!(!claim(&[]));
    assert!(!claim(&[(2, half)]));
}

#[test]
fn long_chains_stay_cheap() {
    // x[i+1] = x[i] + 2 y[i], x[0] = 0, x[n] = 2 z + 1
    let n = 400;
    let mut equations = vec![Equation {
        terms: vec![(0, Rational::ONE)],
        constant: Rational::ZERO,
    }];
    let term = |v: usize, factor: i64| (v, Rational::from(factor));
    for i in 0..n {
        equations.push(Equation {
            terms: vec![term(i + 1, 1), term(i, -1), term(n + 1 + i, -2)],
            constant: Rational::ZERO,
        });
    }
    equations.push(Equation {
        terms: vec![term(n, 1), term(2 * n + 1, -2)],
        constant: Rational::ONE,
    });
    let multipliers = refute(&equations, &mut 2_000_000).expect("within the budget");
    assert!(holds(&equations, &multipliers));
    assert_eq!(multipliers.len(), n + 2);
}

/// The divisor of all `size` by `size` minors of a matrix.
fn minors(rows: &[Vec<i64>], size: usize) -> i64 {
    fn choices(n: usize, size: usize) -> Vec<Vec<usize>> {
        let sets = (0..1u32 << n).filter(|set| set.count_ones() as usize == size);
        sets.map(|set| (0..n).filter(|i| set >> i & 1 == 1).collect())
            .collect()
    }
    fn determinant(rows: &[Vec<i64>], r: &[usize], c: &[usize]) -> i64 {
        let Some((first, rest)) = r.split_first() else {
            return 1;
        };
        let mut sum = 0;
        for (i, column) in c.iter().enumerate() {
            let others: Vec<usize> = c.iter().copied().filter(|o| o != column).collect();
            let sign = if i % 2 == 0 { 1 } else { -1 };
            sum += sign * rows[*first][*column] * determinant(rows, rest, &others);
        }
        sum
    }
    let mut divisor = 0;
    for r in choices(rows.len(), size) {
        for c in choices(rows[0].len(), size) {
            divisor = num_integer::gcd(divisor, determinant(rows, &r, &c));
        }
    }
    divisor
}

/// A system is solvable over the integers exactly if the matrix and the one extended by the
/// constants have the same rank r and the same divisor of their r by r minors (Heger, 1856).
fn solvable(factors: &[Vec<i64>], constants: &[i64]) -> bool {
    let extended: Vec<Vec<i64>> = factors
        .iter()
        .zip(constants)
        .map(|(row, constant)| row.iter().copied().chain([*constant]).collect())
        .collect();
    let ranks = (1..=factors.len()).rev();
    for size in ranks {
        let (without, with) = (minors(factors, size), minors(&extended, size));
        if without != 0 || with != 0 {
            return without == with;
        }
    }
    true
}

fn system(factor: i64) -> impl Strategy<Value = (Vec<Vec<i64>>, Vec<i64>)> {
    (1..=4usize, 1..=4usize).prop_flat_map(move |(equations, variables)| {
        let entry = prop_oneof![1 => Just(0), 2 => -factor..=factor];
        let row = proptest::collection::vec(entry, variables);
        (
            proptest::collection::vec(row, equations),
            proptest::collection::vec(-9..=9i64, equations),
        )
    })
}

fn equations(factors: &[Vec<i64>], constants: &[i64], scales: &[i64]) -> Vec<Equation<usize>> {
    let mut equations = Vec::new();
    for ((row, constant), scale) in factors.iter().zip(constants).zip(scales) {
        let mut equation = equation(row, *constant);
        for (_, factor) in &mut equation.terms {
            *factor /= Rational::from(*scale);
        }
        equation.constant /= Rational::from(*scale);
        equations.push(equation);
    }
    equations
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refuted_exactly_if_not_solvable(
        (factors, constants) in system(5),
        scales in proptest::collection::vec(prop_oneof![Just(1), Just(-1), 2..=6i64], 4),
    ) {
        let equations = equations(&factors, &constants, &scales);
        let multipliers = refute(&equations, &mut { u64::MAX });
        prop_assert_eq!(multipliers.is_none(), solvable(&factors, &constants));
        if let Some(multipliers) = multipliers {
            prop_assert!(holds(&equations, &multipliers), "{:?}", multipliers);
            prop_assert!(multipliers.iter().all(|(_, by)| !by.is_zero()));
            prop_assert!(multipliers.is_sorted_by_key(|(place, _)| *place));
        }
    }

    #[test]
    fn systems_made_from_a_solution_are_not_refuted(
        (factors, _) in system(1 << 40),
        solution in proptest::collection::vec(-1000..=1000i64, 4),
        scales in proptest::collection::vec(prop_oneof![Just(1), Just(-1), 2..=6i64], 4),
    ) {
        let value = |row: &Vec<i64>| row.iter().zip(&solution).map(|(a, x)| a * x).sum();
        let constants: Vec<i64> = factors.iter().map(value).collect();
        let equations = equations(&factors, &constants, &scales);
        prop_assert_eq!(refute(&equations, &mut { u64::MAX }), None);
    }
}
