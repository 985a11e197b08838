//! What is refuted has no model, by the solver's word and by trying.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Outcome, decide};
use ult_core::control::Control;
use ult_core::formula::{
    Builtin, EvalError, Float, Format, Function, Interpretation, Mode, Sort, Term, Terms, Value,
    Var, eval,
};

fn call(t: &Terms, name: &str, result: &Sort, args: &[Term]) -> Term {
    let indices = match (name, result) {
        ("to_fp", Sort::Float(e, s)) => vec![*e, *s],
        _ => Vec::new(),
    };
    let builtin = Builtin {
        name: name.into(),
        indices,
        result: result.clone(),
    };
    t.builtin(&Arc::new(builtin), args)
}

/// Values for variables by name.
struct Assignment(Vec<(&'static str, Value)>);

impl Interpretation for Assignment {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        let found = self.0.iter().find(|(name, _)| *name == &*var.name);
        found.map(|(_, value)| value.clone())
    }
    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

type Step = (u8, u8, u8, u8);

/// Random formulas over two numbers of a tiny format and a truth value.
fn grown(t: &Terms, steps: &[Step]) -> Vec<Term> {
    let (tiny, small) = (Sort::Float(2, 3), Sort::Float(3, 4));
    let number = |n: i64, d: i64| {
        let value = num_rational::BigRational::new(n.into(), d.into());
        let format = Format::new(2, 3).unwrap();
        t.float(&Float::from_rational(&value, Mode::NearestEven, format))
    };
    let mut floats = vec![
        t.current("x", tiny.clone()),
        t.current("y", tiny.clone()),
        number(1, 1),
        number(-3, 2),
        number(0, 1),
    ];
    let mut bools = vec![t.current("p", Sort::Bool)];
    for &(op, a, b, c) in steps {
        let float = |i: u8| floats[i as usize % floats.len()];
        let bool = |i: u8| bools[i as usize % bools.len()];
        let mode = t.rounding(Mode::ALL[c as usize % 5]);
        let pair = [float(a), float(b)];
        match op % 20 {
            0..=3 => {
                let name = ["fp.add", "fp.sub", "fp.mul", "fp.div"][op as usize % 4];
                floats.push(call(t, name, &tiny, &[mode, pair[0], pair[1]]));
            }
            4 => floats.push(call(t, "fp.sqrt", &tiny, &[mode, pair[0]])),
            5 => floats.push(call(t, "fp.roundToIntegral", &tiny, &[mode, pair[0]])),
            6 => floats.push(call(t, "fp.neg", &tiny, &pair[..1])),
            7 => floats.push(call(t, "fp.abs", &tiny, &pair[..1])),
            8 => {
                let wide = call(t, "to_fp", &small, &[mode, pair[0]]);
                floats.push(call(t, "to_fp", &tiny, &[mode, wide]));
            }
            9 => floats.push(t.ite(bool(c), pair[0], pair[1])),
            10..=14 => {
                let name = ["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq"][op as usize % 5];
                bools.push(call(t, name, &Sort::Bool, &pair));
            }
            15 => bools.push(t.eq(pair[0], pair[1])),
            16 => {
                let name = ["fp.isNaN", "fp.isInfinite", "fp.isZero"][c as usize % 3];
                bools.push(call(t, name, &Sort::Bool, &pair[..1]));
            }
            17 => bools.push(t.not(bool(a))),
            18 => bools.push(t.and2(bool(a), bool(b))),
            _ => bools.push(t.or2(bool(a), t.eq(bool(b), bool(c)))),
        }
    }
    let first = bools.len().saturating_sub(3);
    bools.split_off(first)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_right(steps in proptest::collection::vec(any::<Step>(), 1..25)) {
        let t = Terms::new();
        let formulas = grown(&t, &steps);
        let outcome = decide(&t, &formulas, &Control::unlimited());
        if outcome == Outcome::Open {
            return Ok(());
        }
        let format = Format::new(2, 3).unwrap();
        let all: Vec<Float> = (0u32..32).map(|bits| Float::from_bits(format, &bits.into())).collect();
        let holds = |x: &Float, y: &Float, p: bool| {
            let assignment = Assignment(vec![
                ("x", Value::Float(x.clone())), ("y", Value::Float(y.clone())), ("p", Value::Bool(p)),
            ]);
            formulas.iter().all(|&formula| {
                let value: Result<Value, EvalError> = eval(&t, formula, &assignment);
                value == Ok(Value::Bool(true))
            })
        };
        match outcome {
            Outcome::Refuted => {
                for x in &all {
                    for y in &all {
                        let text = || formulas.iter().map(|&f| t.display(f)).collect::<Vec<_>>().join("; ");
                        prop_assert!(!holds(x, y, true) && !holds(x, y, false), "{}: {} {}", text(), x, y);
                    }
                }
            }
            Outcome::Point(point) => {
                let value = |name: &str| {
                    point.iter().find(|(term, _)| t.as_var(*term).is_some_and(|var| &*var.name == name))
                        .map_or(Float::zero(format, false), |(_, value)| value.clone())
                };
                let found = [true, false].iter().any(|&p| {
                    // Only numbers that are no input are left to choose.
                    let known = |name: &str| point.iter().any(|(term, _)| t.as_var(*term).is_some_and(|v| &*v.name == name));
                    let xs = if known("x") { vec![value("x")] } else { all.clone() };
                    let ys = if known("y") { vec![value("y")] } else { all.clone() };
                    xs.iter().any(|x| ys.iter().any(|y| holds(x, y, p)))
                });
                prop_assert!(found);
            }
            Outcome::Open => {}
        }
    }
}

#[test]
fn polynomials_over_a_range_are_decided() {
    let t = Terms::new();
    let format = Format::new(8, 24).unwrap();
    let sort = Sort::Float(8, 24);
    let x = t.current("x", sort.clone());
    let mode = t.rounding(Mode::NearestEven);
    let number = |n: i64, d: i64| {
        let value = num_rational::BigRational::new(n.into(), d.into());
        t.float(&Float::from_rational(&value, Mode::NearestEven, format))
    };
    let op = |name: &str, a: Term, b: Term| call(&t, name, &sort, &[mode, a, b]);
    let less = |a: Term, b: Term| call(&t, "fp.lt", &Sort::Bool, &[a, b]);
    // x - x³/6, between -1 and 1.
    let cube = op("fp.mul", op("fp.mul", x, x), x);
    let sine = op("fp.sub", x, op("fp.div", cube, number(6, 1)));
    let y = t.current("y", sort.clone());
    let start = [less(number(-1, 1), x), less(x, number(1, 1)), t.eq(y, sine)];
    let decided = |bound: Term| {
        let formulas: Vec<Term> = start.iter().copied().chain([bound]).collect();
        decide(&t, &formulas, &Control::unlimited())
    };
    assert_eq!(decided(less(number(9, 10), y)), Outcome::Refuted);
    let Outcome::Point(point) = decided(less(number(4, 5), y)) else {
        panic!("no point found");
    };
    assert_eq!(point.len(), 1);
    assert_eq!(point[0].0, x);
}

#[test]
fn a_stop_is_obeyed() {
    let t = Terms::new();
    let x = t.current("x", Sort::Float(8, 24));
    let control = Control::unlimited();
    control.stop(ult_core::control::Stop::Cancelled);
    let nan = call(&t, "fp.isNaN", &Sort::Bool, &[x]);
    assert_eq!(decide(&t, &[nan, t.not(nan)], &control), Outcome::Open);
}
