//! Formulas with their tidy form, and the law for random ones: same meaning, not larger.

use proptest::prelude::*;

use super::*;
use ult_core::formula::{Interpretation, Sort, Value, Var, eval};

struct Vars<'t> {
    t: &'t Terms,
}

impl Vars<'_> {
    fn int(&self, name: &str) -> Term {
        self.t.current(name, Sort::Int)
    }

    fn bool(&self, name: &str) -> Term {
        self.t.current(name, Sort::Bool)
    }

    fn le(&self, name: &str, limit: i64) -> Term {
        self.t.le(self.int(name), self.t.int(limit))
    }

    fn ge(&self, name: &str, limit: i64) -> Term {
        self.t.ge(self.int(name), self.t.int(limit))
    }

    fn eq(&self, name: &str, limit: i64) -> Term {
        self.t.eq(self.int(name), self.t.int(limit))
    }
}

/// A formula, and how its tidy form is shown.
type Case<'a> = (&'a dyn Fn(&Vars<'_>) -> Term, &'a str);

/// Checks the tidy form of formulas.
fn expect(cases: &[Case<'_>]) {
    let t = Terms::new();
    let v = Vars { t: &t };
    for (formula, expected) in cases {
        let formula = formula(&v);
        let tidy = tidied(&t, formula);
        assert_eq!(t.display(tidy), *expected, "{}", t.display(formula));
        assert_eq!(tidied(&t, tidy), tidy, "{expected}");
    }
}

#[test]
fn bounds_of_one_form() {
    expect(&[
        (&|v| v.t.and([v.le("x", 3), v.le("x", 5)]), "x <= 3"),
        (&|v| v.t.or([v.le("x", 3), v.le("x", 5)]), "x <= 5"),
        (&|v| v.t.and([v.le("x", 3), v.ge("x", 3)]), "x == 3"),
        (&|v| v.t.or([v.le("x", 2), v.ge("x", 4)]), "x != 3"),
        (&|v| v.t.or([v.le("x", 3), v.ge("x", 4)]), "true"),
        (&|v| v.t.and([v.le("x", 3), v.ge("x", 4)]), "false"),
        (
            &|v| v.t.and([v.le("x", 3), v.t.not(v.eq("x", 3))]),
            "x <= 2",
        ),
        (&|v| v.t.or([v.le("x", 3), v.eq("x", 4)]), "x <= 4"),
        (
            &|v| v.t.and([v.ge("x", 3), v.t.not(v.eq("x", 1))]),
            "3 <= x",
        ),
        // Between different ways of writing one form, and with other things around.
        (
            &|v| {
                let (x, y) = (v.int("x"), v.int("y"));
                let twice = v.t.mul(&[v.t.int(2), v.t.sub(x, y)]);
                v.t.and([
                    v.t.le(twice, v.t.int(7)),
                    v.bool("p"),
                    v.t.lt(x, v.t.add(&[y, v.t.int(9)])),
                ])
            },
            "x <= y + 3 && p",
        ),
    ]);
    let t = Terms::new();
    let r = t.current("r", Sort::Real);
    let one = t.real(num_rational::BigRational::from_integer(1.into()));
    let strict = t.and([t.le(r, one), t.neq(r, one)]);
    assert_eq!(t.display(tidied(&t, strict)), "r < 1.0");
    let all = t.or([t.le(r, one), t.neq(r, one)]);
    assert_eq!(tidied(&t, all), t.tt());
}

#[test]
fn what_is_known_inside() {
    expect(&[
        (
            &|v| {
                v.t.and([
                    v.bool("a"),
                    v.t.or([v.t.not(v.bool("a")), v.bool("b")]),
                    v.t.or([v.t.not(v.bool("b")), v.le("x", 1)]),
                ])
            },
            "a && b && x <= 1",
        ),
        (
            &|v| v.t.or([v.bool("a"), v.t.and([v.bool("a"), v.bool("b")])]),
            "a",
        ),
        (
            &|v| v.t.and([v.le("x", 3), v.t.or([v.le("x", 5), v.bool("b")])]),
            "x <= 3",
        ),
        (
            &|v| v.t.and([v.le("x", 3), v.t.or([v.ge("x", 5), v.bool("b")])]),
            "x <= 3 && b",
        ),
        (
            &|v| v.t.or([v.le("x", 3), v.t.and([v.ge("x", 3), v.bool("b")])]),
            "x <= 3 || b",
        ),
        // Negated junctions are opened.
        (
            &|v| {
                let both = v.t.and([v.bool("a"), v.le("x", 1)]);
                v.t.and([v.bool("a"), v.t.not(both)])
            },
            "a && 2 <= x",
        ),
        // Two levels further in.
        (
            &|v| {
                let inner = v.t.or([v.t.not(v.bool("a")), v.le("x", 4)]);
                let middle = v.t.and([v.bool("b"), inner]);
                v.t.and([v.bool("a"), v.t.or([v.bool("c"), middle])])
            },
            "a && (c || (b && x <= 4))",
        ),
    ]);
}

#[test]
fn operands_that_say_nearly_the_same() {
    expect(&[
        (
            &|v| {
                let not = v.t.not(v.bool("b"));
                v.t.or([
                    v.t.and([v.bool("a"), v.bool("b")]),
                    v.t.and([v.bool("a"), not]),
                ])
            },
            "a",
        ),
        (
            &|v| {
                v.t.or([
                    v.t.and([v.bool("a"), v.le("x", 3)]),
                    v.t.and([v.le("x", 5), v.bool("a")]),
                ])
            },
            "x <= 5 && a",
        ),
        (
            &|v| {
                v.t.and([
                    v.t.or([v.bool("a"), v.le("x", 3)]),
                    v.t.or([v.ge("x", 3), v.bool("a")]),
                ])
            },
            "a || x == 3",
        ),
        // Implied, with more parts.
        (
            &|v| {
                v.t.or([
                    v.t.and([v.bool("a"), v.le("x", 3), v.bool("b")]),
                    v.t.and([v.le("x", 5), v.bool("a")]),
                ])
            },
            "x <= 5 && a",
        ),
        // Common factors.
        (
            &|v| {
                v.t.or([
                    v.t.and([v.bool("a"), v.bool("b")]),
                    v.t.and([v.bool("a"), v.bool("c")]),
                    v.t.and([v.bool("d"), v.bool("a"), v.bool("e")]),
                ])
            },
            "a && (b || c || (d && e))",
        ),
        (
            &|v| {
                v.t.and([
                    v.t.or([v.bool("a"), v.bool("b")]),
                    v.t.or([v.bool("c"), v.bool("a")]),
                ])
            },
            "a || (b && c)",
        ),
        // Each case of a split, joined again.
        (
            &|v| {
                v.t.or([
                    v.t.and([v.bool("a"), v.le("x", 0)]),
                    v.t.and([v.bool("a"), v.eq("x", 1)]),
                    v.t.and([v.bool("a"), v.ge("x", 2)]),
                ])
            },
            "a",
        ),
    ]);
}

#[test]
fn large_formulas_take_no_long_time() {
    let t = Terms::new();
    let v = Vars { t: &t };
    // Wide: many exceptions of one form.
    let wide = t.and((0..4_000).map(|i| t.not(v.eq("x", 2 * i))));
    assert_eq!(tidied(&t, wide), t.normalised(wide));
    let bounded = t.and2(wide, v.ge("x", 1_000_000));
    assert_eq!(t.display(tidied(&t, bounded)), "1000000 <= x");
    // Deep, and with exponentially many paths through shared parts.
    let mut deep = v.bool("p");
    for i in 0..1_000 {
        let (low, high) = (v.le("x", i), v.ge("y", i));
        deep = t.and2(t.or2(deep, low), t.or2(t.not(deep), high));
    }
    let tidy = tidied(&t, deep);
    assert!(weight(&t, tidy) <= weight(&t, t.normalised(deep)));
}

/// A valuation of the variables by name.
struct Point<'a>(&'a [i64]);

impl Interpretation for Point<'_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        let number = |names: &[&str]| names.iter().position(|name| **name == *var.name);
        match sort {
            Sort::Int => Some(Value::int(self.0[number(&["x", "y"])?])),
            Sort::Real => {
                let half = num_rational::BigRational::new(self.0[2].into(), 2.into());
                Some(Value::Real(half))
            }
            Sort::Bool => Some(Value::Bool(self.0[3 + number(&["p", "q"])?] > 0)),
            _ => None,
        }
    }

    fn function(
        &self,
        _: &std::sync::Arc<ult_core::formula::Function>,
        _: &[Value],
    ) -> Option<Value> {
        None
    }
}

/// A formula by a recipe: literals, and junctions of what was made before.
fn formula(t: &Terms, recipe: &[(u8, u8, u8, u8)]) -> Term {
    let v = Vars { t };
    let r = t.current("r", Sort::Real);
    let mut made: Vec<Term> = vec![v.bool("p")];
    for &(op, a, b, c) in recipe {
        let at = |i: u8| made[i as usize % made.len()];
        let limit = i64::from(a % 5) - 2;
        let ints = match b % 4 {
            0 => v.int("x"),
            1 => v.int("y"),
            2 => t.sub(v.int("x"), v.int("y")),
            _ => t.mul(&[t.int(2), t.sub(v.int("y"), v.int("x"))]),
        };
        let half = t.real(num_rational::BigRational::new(limit.into(), 2.into()));
        let next = match op % 12 {
            0 => t.le(ints, t.int(limit)),
            1 => t.lt(t.int(limit), ints),
            2 => t.eq(ints, t.int(limit)),
            3 => t.neq(ints, t.int(limit)),
            4 => t.lt(r, half),
            5 => t.le(half, r),
            6 => t.neq(r, half),
            7 => v.bool(if a % 2 == 0 { "p" } else { "q" }),
            8 => t.not(at(a)),
            9 => t.ite(at(a), at(b), at(c)),
            10 => t.and([at(a), at(b), at(c)]),
            _ => t.or([at(a), at(b), at(c)]),
        };
        made.push(next);
    }
    // All of the last ones, so that little is wasted.
    let last = made.len().saturating_sub(6);
    let parts = made[last..].to_vec();
    if recipe.len().is_multiple_of(2) {
        t.and(parts)
    } else {
        t.or(parts)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_meaning_stays_and_the_size_never_grows(
        recipe in proptest::collection::vec(any::<(u8, u8, u8, u8)>(), 1..40),
        points in proptest::collection::vec(proptest::collection::vec(-4i64..=4, 5), 24),
    ) {
        let t = Terms::new();
        let formula = formula(&t, &recipe);
        let tidy = tidied(&t, formula);
        prop_assert!(weight(&t, tidy) <= weight(&t, t.normalised(formula)));
        for point in &points {
            prop_assert_eq!(
                eval(&t, formula, &Point(point)),
                eval(&t, tidy, &Point(point)),
                "{} became {} at {:?}", t.display(formula), t.display(tidy), point
            );
        }
    }
}
