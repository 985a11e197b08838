//! Formulas beside what is shown of them, and the law for random ones: the solver says that both are the same.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use ult_core::control::Control;
use ult_core::formula::Var;
use ult_core::formula::print::{Printer, plain_name};
use ult_smt::{Answer, Session};

fn shown(t: &Terms, formula: Term) -> String {
    let formula = pretty(t, formula, None);
    let free = t.free_vars(&[formula]);
    let free = free.iter().filter_map(|&var| t.as_var(var));
    let taken = free.map(plain_name).collect();
    let bound = bound_names(t, formula, &taken);
    let name = |var: &Var| match var.version {
        Version::Bound(number) => bound.get(&number).cloned().unwrap_or("?".into()),
        _ => plain_name(var),
    };
    Printer::new(t, &name).print(formula)
}

#[test]
fn negated_quantifiers_are_turned_around_and_bound_names_are_nobody_elses() {
    let t = Terms::new();
    let int = |name: &str| t.current(name, Sort::Int);
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let a = t.current("a", map);
    let (i, m) = (int("i"), int("m"));
    let n = t.fresh_bound("n", Sort::Int);
    let k = t.fresh_bound("i", Sort::Int);
    let one = t.int(1);
    // !(exists n :: n <= i && !(forall i :: 0 <= i && i + 1 <= n ==> a[i] <= m))
    let guard = t.and([t.le(t.int(0), k), t.le(t.add(&[k, one]), n)]);
    let all = t.implies(guard, t.le(t.select(a, &[k]), m));
    let all = t.bind(BinderKind::Forall, &[k], all, &[]);
    let some = t.and([t.le(n, i), t.not(all)]);
    let formula = t.not(t.bind(BinderKind::Exists, &[n], some, &[]));
    assert_eq!(
        shown(&t, formula),
        "(forall k: int :: 0 <= k && k < i ==> a[k] <= m)"
    );
}

#[test]
fn truth_values_are_implied_and_not_chosen() {
    let t = Terms::new();
    let bool = |name: &str| t.current(name, Sort::Bool);
    let (p, q, r) = (bool("p"), bool("q"), bool("r"));
    assert_eq!(shown(&t, t.ite(p, t.and([p, q]), q)), "q");
    assert_eq!(shown(&t, t.ite(p, q, r)), "(p ==> q) && (p || r)");
    let both = t.and([t.implies(p, q), r, t.implies(p, bool("s"))]);
    assert_eq!(shown(&t, both), "(p ==> q && s) && r");
    assert_eq!(shown(&t, t.or([t.not(p), t.not(q)])), "!p || !q");
}

#[test]
fn integers_are_compared_as_people_write_it() {
    let t = Terms::new();
    let int = |name: &str| t.current(name, Sort::Int);
    let next = t.add(&[int("i"), t.int(1)]);
    assert_eq!(shown(&t, t.le(next, int("n"))), "i < n");
    assert_eq!(shown(&t, t.le(t.int(1), int("n"))), "1 <= n");
    assert_eq!(
        shown(&t, t.le(t.add(&[int("i"), t.int(2)]), int("n"))),
        "i + 2 <= n"
    );
}

#[test]
fn what_products_share_stands_in_front() {
    let t = Terms::new();
    let int = |name: &str| t.current(name, Sort::Int);
    let (i, n, s) = (int("i"), int("n"), int("s"));
    let twice = t.mul(&[t.int(2), s]);
    let square = t.mul(&[i, i]);
    let form = |formula| shown(&t, formula);
    assert_eq!(
        form(t.eq(square, t.add(&[i, twice]))),
        "2 * s == i * (i - 1)"
    );
    assert_eq!(
        form(t.eq(twice, t.add(&[i, square]))),
        "2 * s == i * (i + 1)"
    );
    // As short as it can be, and nothing that all share.
    let plain = t.eq(s, t.mul(&[i, n]));
    assert_eq!(form(plain), "s == i * n");
    let rest = t.eq(s, t.add(&[t.mul(&[i, n]), int("j")]));
    assert_eq!(form(rest), "s == i * n + j");
    // It stands elsewhere, too.
    let twice = t.eq(t.mul(&[s, s]), t.add(&[s, square, i]));
    assert!(!form(twice).contains('('), "{}", form(twice));
}

#[test]
fn what_follows_from_the_rest_is_left_out() {
    let t = Terms::new();
    let int = |name: &str| t.current(name, Sort::Int);
    let part = t.div(int("i"), t.int(1024));
    let all = t.and([
        t.neq(part, t.int(-1)),
        t.le(t.int(0), int("i")),
        t.le(int("i"), int("n")),
    ]);
    let session = Session::new(&t, &[], &Control::unlimited());
    let shown = pretty(&t, all, Some(&session));
    assert_eq!(t.display(shown), "0 <= i && i <= n");
}

#[test]
fn variables_of_two_quantifiers_are_not_mixed_up() {
    // The same quantifier twice, about different things: (exists x :: x < y) && !(forall x :: x < y).
    let t = Terms::new();
    let y = t.current("y", Sort::Int);
    let x = t.fresh_bound("x", Sort::Int);
    let z = t.fresh_bound("z", Sort::Int);
    let less = t.lt(x, y);
    let some = t.bind(BinderKind::Exists, &[x], less, &[]);
    let not_all = t.not(t.bind(BinderKind::Forall, &[x], less, &[]));
    let formula = t.bind(
        BinderKind::Exists,
        &[z],
        t.and([some, not_all, t.eq(z, y)]),
        &[],
    );
    assert_eq!(pretty(&t, formula, None), t.tt());
}

/// A random formula about integers, with quantifiers.
#[derive(Clone, Debug)]
enum Shape {
    /// Whether `a * x + b * y <= c`, by numbers of variables.
    Le(i8, u8, i8, u8, i8),
    Eq(u8, u8, i8),
    Flag(u8),
    Not(Box<Shape>),
    And(Vec<Shape>),
    Or(Vec<Shape>),
    Ite(Box<Shape>, Box<Shape>, Box<Shape>),
    /// Over the variable with this number.
    Bind(bool, u8, Box<Shape>),
}

fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        (-2..3i8, 0..4u8, -1..2i8, 0..4u8, -2..3i8)
            .prop_map(|(a, x, b, y, c)| Shape::Le(a, x, b, y, c)),
        (0..4u8, 0..4u8, -2..3i8).prop_map(|(x, y, c)| Shape::Eq(x, y, c)),
        (0..2u8).prop_map(Shape::Flag),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|part| Shape::Not(part.into())),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Shape::And),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Shape::Or),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Shape::Ite(
                c.into(),
                a.into(),
                b.into()
            )),
            (any::<bool>(), 2..4u8, inner).prop_map(|(all, var, body)| Shape::Bind(
                all,
                var,
                body.into()
            )),
        ]
    })
}

/// The formula, where numbers stand for these variables.
fn formula(t: &Terms, shape: &Shape, vars: &[Term; 4]) -> Term {
    let var = |number: u8| vars[usize::from(number)];
    let times = |factor: i8, number: u8| t.mul(&[t.int(factor), var(number)]);
    let all = |parts: &[Shape]| -> Vec<Term> {
        parts.iter().map(|part| formula(t, part, vars)).collect()
    };
    match shape {
        Shape::Le(a, x, b, y, c) => t.le(t.add(&[times(*a, *x), times(*b, *y)]), t.int(*c)),
        Shape::Eq(x, y, c) => t.eq(var(*x), t.add(&[var(*y), t.int(*c)])),
        Shape::Flag(number) => t.current(format!("p{number}"), Sort::Bool),
        Shape::Not(part) => t.not(formula(t, part, vars)),
        Shape::And(parts) => t.and(all(parts)),
        Shape::Or(parts) => t.or(all(parts)),
        Shape::Ite(c, a, b) => t.ite(
            formula(t, c, vars),
            formula(t, a, vars),
            formula(t, b, vars),
        ),
        Shape::Bind(universal, number, body) => {
            let own = t.fresh_bound("b", Sort::Int);
            let mut vars = *vars;
            vars[usize::from(*number)] = own;
            let kind = match universal {
                true => BinderKind::Forall,
                false => BinderKind::Exists,
            };
            t.bind(kind, &[own], formula(t, body, &vars), &[])
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_shown_is_equivalent(shape in shapes(), asks in any::<bool>()) {
        let t = Terms::new();
        let vars = ["x", "y", "z", "w"].map(|name| t.current(name, Sort::Int));
        let original = formula(&t, &shape, &vars);
        let session = Session::new(&t, &[], &Control::unlimited());
        let shown = pretty(&t, original, asks.then_some(&session));
        let mut solver = session.solver();
        solver.assert(t.not(t.eq(original, shown))).unwrap();
        let answer = solver.check(&[], Some(Duration::from_secs(2)));
        // It may be too hard; it must not be wrong.
        prop_assert!(!matches!(answer, Answer::Sat), "{} and {}", t.display(original), t.display(shown));
    }
}
