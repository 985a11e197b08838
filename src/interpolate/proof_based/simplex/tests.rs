use super::*;

use proptest::prelude::*;

fn number(n: i64) -> Rational {
    Rational::from(n)
}

fn sum(terms: &[(Column, i64)]) -> Vec<(Column, Rational)> {
    terms.iter().map(|(c, n)| (*c, number(*n))).collect()
}

fn at(n: i64) -> Delta {
    Delta::from(number(n))
}

/// Checks without a limit.
fn check(simplex: &mut Simplex) -> Outcome {
    simplex.check(&mut { u64::MAX })
}

/// The reasons of a certificate, which must hold.
fn reasons(simplex: &Simplex, certificate: &Certificate) -> Vec<Reason> {
    assert!(certificate.holds(simplex), "{certificate:?}");
    let mut reasons: Vec<Reason> = certificate.parts.iter().map(|part| part.reason).collect();
    reasons.sort_unstable();
    reasons
}

#[test]
fn opposite_bounds_conflict_at_once() {
    let mut simplex = Simplex::new();
    let x = simplex.variable(true);
    simplex.assert_bound(x, Side::Upper, at(3), 7).unwrap();
    let conflict = simplex.assert_bound(x, Side::Lower, at(4), 8).unwrap_err();
    assert_eq!(reasons(&simplex, &conflict), [7, 8]);
    // The contradicting bound was not asserted.
    assert_eq!(simplex.bounds(x), (None, Some((&at(3), 7))));
    simplex.assert_bound(x, Side::Lower, at(3), 9).unwrap();
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    // x <= 3 and x < 3 differ by the infinitesimal.
    let conflict = simplex
        .assert_bound(x, Side::Upper, Delta::below(number(3)), 10)
        .unwrap_err();
    assert_eq!(reasons(&simplex, &conflict), [9, 10]);
}

#[test]
fn weaker_bounds_are_ignored_and_undoing_restores_the_former() {
    let mut simplex = Simplex::new();
    let x = simplex.variable(false);
    let start = simplex.mark();
    simplex.assert_bound(x, Side::Upper, at(3), 1).unwrap();
    let mark = simplex.mark();
    simplex.assert_bound(x, Side::Upper, at(5), 2).unwrap();
    simplex.assert_bound(x, Side::Upper, at(3), 3).unwrap();
    assert_eq!(simplex.bounds(x).1, Some((&at(3), 1)));
    assert_eq!(simplex.mark(), mark);
    simplex.assert_bound(x, Side::Upper, at(2), 4).unwrap();
    assert_eq!(simplex.bounds(x).1, Some((&at(2), 4)));
    simplex.undo_to(mark);
    assert_eq!(simplex.bounds(x).1, Some((&at(3), 1)));
    simplex.undo_to(start);
    assert_eq!(simplex.bounds(x), (None, None));
}

#[test]
fn equal_combinations_share_a_column() {
    let mut simplex = Simplex::new();
    let (x, y) = (simplex.variable(true), simplex.variable(true));
    let r = simplex.variable(false);
    let form = simplex.form(&sum(&[(x, 1), (y, -2)]));
    assert_eq!(simplex.form(&sum(&[(y, -1), (x, 1), (y, -1)])), form);
    assert_eq!(simplex.form(&sum(&[(x, 1), (y, 0)])), x);
    assert_ne!(simplex.form(&sum(&[(x, 2)])), x);
    // Forms of forms are forms of their variables.
    assert_eq!(simplex.form(&sum(&[(form, 1), (y, 2)])), x);
    assert_eq!(simplex.combination(form), sum(&[(x, 1), (y, -2)]));
    assert!(simplex.is_integer(form));
    let mixed = simplex.form(&sum(&[(x, 1), (r, 1)]));
    assert!(!simplex.is_integer(mixed));
    let half = simplex.form(&[(x, Rational::new(1, 2))]);
    assert!(!simplex.is_integer(half));
}

#[test]
fn the_empty_form_is_zero() {
    let mut simplex = Simplex::new();
    let x = simplex.variable(true);
    let zero = simplex.form(&sum(&[(x, 1), (x, -1)]));
    simplex.assert_bound(zero, Side::Upper, at(0), 1).unwrap();
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    simplex
        .assert_bound(zero, Side::Upper, Delta::below(number(0)), 2)
        .unwrap();
    let Outcome::Infeasible(certificate) = check(&mut simplex) else {
        panic!("0 < 0 is infeasible");
    };
    assert_eq!(reasons(&simplex, &certificate), [2]);
}

#[test]
fn the_certificate_has_the_multipliers_of_the_refutation() {
    // x + y <= 1, x - y <= 0, x >= 1: the first two and twice the third.
    let mut simplex = Simplex::new();
    let (x, y) = (simplex.variable(false), simplex.variable(false));
    let plus = simplex.form(&sum(&[(x, 1), (y, 1)]));
    let minus = simplex.form(&sum(&[(x, 1), (y, -1)]));
    simplex.assert_bound(plus, Side::Upper, at(1), 1).unwrap();
    simplex.assert_bound(minus, Side::Upper, at(0), 2).unwrap();
    simplex.assert_bound(y, Side::Lower, at(-9), 3).unwrap();
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    simplex.assert_bound(x, Side::Lower, at(1), 4).unwrap();
    let Outcome::Infeasible(certificate) = check(&mut simplex) else {
        panic!("infeasible");
    };
    assert_eq!(reasons(&simplex, &certificate), [1, 2, 4]);
    let factor = |reason| {
        let mut parts = certificate.parts.iter();
        &parts.find(|part| part.reason == reason).unwrap().factor
    };
    assert_eq!(factor(1), factor(2));
    assert_eq!(factor(4), &(factor(1) * number(2)));
}

#[test]
fn a_certificate_that_is_no_contradiction_does_not_hold() {
    let mut simplex = Simplex::new();
    let (x, y) = (simplex.variable(false), simplex.variable(false));
    let form = simplex.form(&sum(&[(x, 1), (y, 1)]));
    let part = |column, side, bound, factor| Part {
        reason: 0,
        column,
        side,
        bound: at(bound),
        factor: number(factor),
    };
    let parts = vec![
        part(form, Side::Upper, 1, 1),
        part(x, Side::Lower, 1, 1),
        part(y, Side::Lower, 1, 1),
    ];
    let certificate = Certificate { parts };
    assert!(certificate.holds(&simplex));
    let changed = |change: &dyn Fn(&mut Vec<Part>)| {
        let mut certificate = certificate.clone();
        change(&mut certificate.parts);
        certificate.holds(&simplex)
    };
    assert!(!changed(&|parts| parts[0].bound = at(2)));
    assert!(!changed(&|parts| parts[1].factor = number(2)));
    assert!(!changed(&|parts| parts[1].side = Side::Upper));
    assert!(!changed(&|parts| parts.truncate(2)));
    assert!(!changed(&|parts| parts.clear()));
    assert!(!changed(&|parts| {
        for part in parts {
            part.factor = -&part.factor;
        }
    }));
}

#[test]
fn without_budget_nothing_is_claimed_and_more_budget_goes_on() {
    let mut simplex = Simplex::new();
    let columns: Vec<Column> = (0..6).map(|_| simplex.variable(false)).collect();
    // x0 < x1 < ... < x5 < x0
    for (index, column) in columns.iter().enumerate() {
        let next = columns[(index + 1) % columns.len()];
        let form = simplex.form(&sum(&[(*column, 1), (next, -1)]));
        simplex
            .assert_bound(form, Side::Upper, Delta::below(number(0)), index as u32)
            .unwrap();
    }
    let mut checks = 0;
    let certificate = loop {
        match simplex.check(&mut 1) {
            Outcome::OutOfBudget => checks += 1,
            Outcome::Infeasible(certificate) => break certificate,
            Outcome::Feasible => panic!("a cycle is infeasible"),
        }
    };
    assert!(checks > 1);
    assert_eq!(reasons(&simplex, &certificate), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn an_infinitesimal_is_room_enough() {
    let mut simplex = Simplex::new();
    let (x, y) = (simplex.variable(false), simplex.variable(false));
    let form = simplex.form(&sum(&[(x, 1), (y, 1)]));
    simplex.assert_bound(x, Side::Upper, at(3), 1).unwrap();
    simplex.assert_bound(y, Side::Upper, at(0), 2).unwrap();
    let mark = simplex.mark();
    simplex.assert_bound(x, Side::Lower, at(3), 3).unwrap();
    simplex.undo_to(mark);
    let below = Delta::below(number(3));
    simplex
        .assert_bound(x, Side::Upper, below.clone(), 4)
        .unwrap();
    simplex.undo_to(mark);
    // x is just below its bound, and has to go all the way to it.
    assert_eq!(simplex.value(x), &below);
    simplex.assert_bound(form, Side::Lower, at(3), 5).unwrap();
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    assert_eq!(simplex.value(x), &at(3));
}

#[test]
fn fractional_finds_the_first_integer_variable_off_the_integers() {
    let mut simplex = Simplex::new();
    let r = simplex.variable(false);
    let (x, y) = (simplex.variable(true), simplex.variable(true));
    let twice = simplex.form(&sum(&[(y, 2)]));
    let half = |simplex: &mut Simplex, column: Column| {
        let half = Delta::from(Rational::new(1, 2));
        simplex.assert_bound(column, Side::Lower, half, 0).unwrap();
    };
    half(&mut simplex, r);
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    assert_eq!(simplex.fractional(), None);
    simplex.assert_bound(twice, Side::Lower, at(1), 0).unwrap();
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    assert_eq!(simplex.fractional(), Some(y));
    half(&mut simplex, x);
    assert_eq!(check(&mut simplex), Outcome::Feasible);
    assert_eq!(simplex.fractional(), Some(x));
}

// An independent decision: Fourier-Motzkin elimination.

/// `sum of coefficients * variables <= constant`, or `<` if strict.
#[derive(Clone, Debug, PartialEq)]
struct Inequality {
    coefficients: Vec<Rational>,
    constant: Rational,
    strict: bool,
}

impl Inequality {
    fn combine(&self, other: &Inequality, variable: usize) -> Inequality {
        let (k, l) = (
            other.coefficients[variable].abs(),
            self.coefficients[variable].abs(),
        );
        let mix = |a: &Rational, b: &Rational| a * &k + b * &l;
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        Inequality {
            coefficients: pairs.map(|(a, b)| mix(a, b)).collect(),
            constant: mix(&self.constant, &other.constant),
            strict: self.strict || other.strict,
        }
    }
}

fn satisfiable(mut inequalities: Vec<Inequality>, variables: usize) -> bool {
    for variable in 0..variables {
        let (with, mut rest): (Vec<Inequality>, Vec<Inequality>) = inequalities
            .into_iter()
            .partition(|i| !i.coefficients[variable].is_zero());
        let (above, below): (Vec<Inequality>, Vec<Inequality>) = with
            .into_iter()
            .partition(|i| i.coefficients[variable].is_positive());
        for upper in &above {
            for lower in &below {
                rest.push(upper.combine(lower, variable));
            }
        }
        for inequality in &mut rest {
            let scale = Rational::gcd_of(&inequality.coefficients);
            if !scale.is_zero() {
                for number in &mut inequality.coefficients {
                    *number /= &scale;
                }
                inequality.constant /= &scale;
            }
        }
        // Of two that differ in the constant only, the stronger.
        let mut kept: Vec<Inequality> = Vec::new();
        for inequality in rest {
            match kept
                .iter_mut()
                .find(|k| k.coefficients == inequality.coefficients)
            {
                None => kept.push(inequality),
                Some(present) => {
                    let key = |i: &Inequality| (i.constant.clone(), !i.strict);
                    if key(&inequality) < key(present) {
                        *present = inequality;
                    }
                }
            }
        }
        inequalities = kept;
    }
    inequalities
        .iter()
        .all(|i| i.constant.is_positive() || i.constant.is_zero() && !i.strict)
}

// Random sequences of calls, with a list of the asserted bounds to compare with.

#[derive(Clone, Debug)]
enum Step {
    Form(Vec<i64>),
    Bound {
        column: usize,
        upper: bool,
        bound: i64,
        strict: bool,
    },
    Equal(usize, i64),
    Push,
    Pop,
    Check,
}

fn step(variables: usize, size: i64) -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => proptest::collection::vec(prop_oneof![2 => Just(0), 3 => -size..=size], variables)
            .prop_map(Step::Form),
        6 => (any::<usize>(), any::<bool>(), -4..=4i64, any::<bool>())
            .prop_map(|(column, upper, bound, strict)| Step::Bound { column, upper, bound, strict }),
        1 => (any::<usize>(), -3..=3i64).prop_map(|(column, bound)| Step::Equal(column, bound)),
        2 => Just(Step::Push),
        2 => Just(Step::Pop),
        3 => Just(Step::Check),
    ]
}

struct Run {
    simplex: Simplex,
    variables: Vec<Column>,
    columns: Vec<Column>,
    asserted: Vec<(Column, Side, Delta)>,
    marks: Vec<(Mark, usize)>,
    /// How many pivots may be greedy.
    greedy: usize,
    eliminate: bool,
}

impl Run {
    fn new(variables: usize, greedy: usize, eliminate: bool) -> Run {
        let mut simplex = Simplex::new();
        let variables: Vec<Column> = (0..variables).map(|_| simplex.variable(true)).collect();
        Run {
            columns: variables.clone(),
            simplex,
            variables,
            asserted: Vec::new(),
            marks: Vec::new(),
            greedy,
            eliminate,
        }
    }

    /// The reason of a bound is its place in the list of those asserted.
    fn certified(&self, certificate: &Certificate) -> Result<(), TestCaseError> {
        prop_assert!(certificate.holds(&self.simplex), "{:?}", certificate);
        for part in &certificate.parts {
            let asserted = self.asserted.get(part.reason as usize);
            prop_assert_eq!(
                asserted,
                Some(&(part.column, part.side, part.bound.clone()))
            );
        }
        Ok(())
    }

    fn bound(&mut self, column: usize, side: Side, bound: Delta) -> Result<(), TestCaseError> {
        let column = self.columns[column % self.columns.len()];
        let reason = self.asserted.len() as u32;
        self.asserted.push((column, side, bound.clone()));
        if let Err(conflict) = self.simplex.assert_bound(column, side, bound, reason) {
            self.certified(&conflict)?;
            // Not asserted.
            self.asserted.pop();
        }
        prop_assert!(self.simplex.is_consistent());
        Ok(())
    }

    fn inequalities(&self) -> Vec<Inequality> {
        let inequality = |(column, side, bound): &(Column, Side, Delta)| {
            let sign = number(if *side == Side::Upper { 1 } else { -1 });
            let mut coefficients = vec![Rational::ZERO; self.variables.len()];
            for (column, factor) in self.simplex.combination(*column) {
                coefficients[column.index()] = factor * &sign;
            }
            Inequality {
                coefficients,
                constant: &bound.real * sign,
                strict: !bound.delta.is_zero(),
            }
        };
        self.asserted.iter().map(inequality).collect()
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::Form(factors) => {
                let numbers = factors.iter().map(|n| number(*n));
                let combination: Vec<_> = self.variables.iter().copied().zip(numbers).collect();
                let column = self.simplex.form(&combination);
                self.columns.push(column);
                prop_assert!(self.simplex.is_consistent());
            }
            Step::Bound {
                column,
                upper,
                bound,
                strict,
            } => {
                let (side, inwards) = if *upper {
                    (Side::Upper, -1)
                } else {
                    (Side::Lower, 1)
                };
                let inwards = if *strict { inwards } else { 0 };
                self.bound(*column, side, Delta::new(number(*bound), number(inwards)))?;
            }
            Step::Equal(column, bound) => {
                self.bound(*column, Side::Upper, at(*bound))?;
                self.bound(*column, Side::Lower, at(*bound))?;
            }
            Step::Push => {
                let mark = self.simplex.mark();
                self.marks.push((mark, self.asserted.len()));
            }
            Step::Pop => {
                if let Some((mark, length)) = self.marks.pop() {
                    self.simplex.undo_to(mark);
                    self.asserted.truncate(length);
                    prop_assert!(self.simplex.is_consistent());
                }
            }
            Step::Check => self.check()?,
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let outcome = self.simplex.check_from(self.greedy, &mut { u64::MAX });
        prop_assert!(self.simplex.is_consistent());
        match &outcome {
            Outcome::Infeasible(certificate) => self.certified(certificate)?,
            Outcome::OutOfBudget => prop_assert!(false, "there was budget"),
            Outcome::Feasible => {
                for (column, side, bound) in &self.asserted {
                    let mut value = Delta::ZERO;
                    for (variable, factor) in self.simplex.combination(*column) {
                        value.add_scaled(factor, self.simplex.value(*variable));
                    }
                    prop_assert_eq!(&value, self.simplex.value(*column));
                    prop_assert!(!side.excludes(bound, &value));
                }
            }
        }
        if self.eliminate {
            let expected = satisfiable(self.inequalities(), self.variables.len());
            prop_assert_eq!(outcome == Outcome::Feasible, expected);
        }
        // A fresh solver with the same bounds agrees.
        let mut fresh = Simplex::new();
        let variables: Vec<Column> = self
            .variables
            .iter()
            .map(|_| fresh.variable(true))
            .collect();
        let mut conflict = false;
        for (reason, (column, side, bound)) in self.asserted.iter().enumerate() {
            let combination = self.simplex.combination(*column).iter();
            let combination: Vec<_> = combination
                .map(|(column, factor)| (variables[column.index()], factor.clone()))
                .collect();
            let column = fresh.form(&combination);
            conflict |= fresh
                .assert_bound(column, *side, bound.clone(), reason as u32)
                .is_err();
        }
        let feasible = !conflict && check(&mut fresh) == Outcome::Feasible;
        prop_assert_eq!(outcome == Outcome::Feasible, feasible);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_systems_agree_with_elimination(
        steps in proptest::collection::vec(step(3, 3), 1..40),
        greedy in prop_oneof![Just(0), Just(2), Just(1000)],
    ) {
        let mut run = Run::new(3, greedy, true);
        for step in &steps {
            run.step(step)?;
        }
        run.check()?;
    }

    #[test]
    fn larger_systems_agree_with_a_fresh_solver(
        steps in proptest::collection::vec(step(8, 1), 30..120),
        greedy in prop_oneof![Just(0), Just(5), Just(1000)],
    ) {
        let mut run = Run::new(8, greedy, false);
        for step in &steps {
            run.step(step)?;
        }
        run.check()?;
    }
}
