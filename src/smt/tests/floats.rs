//! Floating point: our own arithmetic and the solver's agree, and terms survive the way there and
//! back.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;
use num_traits::One as _;
use proptest::prelude::*;

use super::models::{InModel, evaluates_to_true};
use crate::decode::Decoder;
use crate::encode::Maps;
use crate::{Answer, Session};
use ult_core::control::Control;
use ult_core::formula::{Builtin, Float, Format, Mode, Sort, Term, Terms, Value, eval};

fn call(t: &Terms, name: &str, indices: &[u32], result: &Sort, args: &[Term]) -> Term {
    let builtin = Builtin {
        name: name.into(),
        indices: indices.to_vec(),
        result: result.clone(),
    };
    t.builtin(&Arc::new(builtin), args)
}

fn sort_of(format: Format) -> Sort {
    Sort::Float(format.exponent(), format.significand())
}

/// The variables of a test, and the terms made of them.
struct Pool<'t> {
    t: &'t Terms,
    format: Format,
    other: Format,
    mode: Term,
    floats: [Term; 3],
    bits: Term,
}

impl<'t> Pool<'t> {
    fn new(t: &'t Terms, format: Format, other: Format) -> Pool<'t> {
        Pool {
            t,
            format,
            other,
            mode: t.current("mode", Sort::RoundingMode),
            floats: ["x", "y", "z"].map(|name| t.current(name, sort_of(format))),
            bits: t.current("v", Sort::BitVec(format.width())),
        }
    }

    /// Every function once.
    fn all(&self) -> Vec<Term> {
        let t = self.t;
        let (mode, [x, y, z], v) = (self.mode, self.floats, self.bits);
        let (sort, other) = (sort_of(self.format), sort_of(self.other));
        let indices = |format: Format| [format.exponent(), format.significand()];
        let mut all = Vec::new();
        for name in ["fp.add", "fp.sub", "fp.mul", "fp.div"] {
            all.push(call(t, name, &[], &sort, &[mode, x, y]));
        }
        for name in ["fp.sqrt", "fp.roundToIntegral"] {
            all.push(call(t, name, &[], &sort, &[mode, x]));
        }
        for name in ["fp.rem", "fp.min", "fp.max"] {
            all.push(call(t, name, &[], &sort, &[x, y]));
        }
        for name in ["fp.neg", "fp.abs"] {
            all.push(call(t, name, &[], &sort, &[x]));
        }
        for name in ["fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq"] {
            all.push(call(t, name, &[], &Sort::Bool, &[x, y]));
        }
        for name in [
            "fp.isNormal",
            "fp.isSubnormal",
            "fp.isZero",
            "fp.isInfinite",
            "fp.isNaN",
            "fp.isNegative",
            "fp.isPositive",
        ] {
            all.push(call(t, name, &[], &Sort::Bool, &[x]));
        }
        all.push(call(t, "fp.fma", &[], &sort, &[mode, x, y, z]));
        all.push(call(t, "to_fp", &indices(self.other), &other, &[mode, x]));
        all.push(call(t, "to_fp", &indices(self.format), &sort, &[v]));
        for name in ["to_fp", "to_fp_unsigned"] {
            all.push(call(t, name, &indices(self.other), &other, &[mode, v]));
        }
        for name in ["fp.to_ubv", "fp.to_sbv"] {
            all.push(call(t, name, &[5], &Sort::BitVec(5), &[mode, x]));
        }
        all.push(call(t, "fp.to_real", &[], &Sort::Real, &[x]));
        all.push(t.eq(x, y));
        all
    }
}

fn formats() -> impl Strategy<Value = Format> {
    let formats = [(2, 3), (3, 4), (3, 8), (4, 3), (5, 11), (8, 24), (11, 53)];
    prop::sample::select(formats.to_vec()).prop_map(|(e, s)| Format::new(e, s).unwrap())
}

/// Any number, and often one of those where something happens.
fn number(format: Format, seed: u64) -> Float {
    let width = format.width();
    let bits = BigUint::from(seed >> 4) % (BigUint::one() << width);
    match seed % 16 {
        0 => Float::zero(format, seed & 16 != 0),
        1 => Float::infinity(format, seed & 16 != 0),
        2 => Float::nan(format),
        // A small integer.
        3..=5 => {
            let value = (seed >> 8) as i8;
            Float::from_integer(&value.into(), Mode::NearestEven, format)
        }
        // No hidden bit.
        6 => Float::from_bits(format, &(bits >> (format.exponent() + 1))),
        // Few digits.
        7 | 8 => Float::from_bits(format, &(bits >> (width / 2) << (width / 2))),
        _ => Float::from_bits(format, &bits),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_function_is_the_solvers(
        format in formats(),
        other in formats(),
        seeds in any::<[u64; 4]>(),
        mode in prop::sample::select(Mode::ALL.to_vec()),
    ) {
        let t = Terms::new();
        let pool = Pool::new(&t, format, other);
        let session = Session::new(&t, &[], &Control::unlimited());
        let mut solver = session.solver();
        for (&variable, seed) in pool.floats.iter().zip(seeds) {
            solver.assert(t.eq(variable, t.float(&number(format, seed)))).unwrap();
        }
        solver.assert(t.eq(pool.mode, t.rounding(mode))).unwrap();
        let bits = t.bitvec(seeds[3].into(), format.width());
        solver.assert(t.eq(pool.bits, bits)).unwrap();
        prop_assert_eq!(solver.check(&[], None), Answer::Sat);
        let model = solver.model().unwrap();
        for (&variable, seed) in pool.floats.iter().zip(seeds) {
            prop_assert_eq!(model.value(variable), Ok(Value::Float(number(format, seed))));
        }
        prop_assert_eq!(model.value(pool.mode), Ok(Value::Rounding(mode)));
        let interpretation = InModel { terms: &t, model: &model };
        let mut decided = 0;
        for term in pool.all() {
            let Ok(ours) = eval(&t, term, &interpretation) else { continue };
            decided += 1;
            let theirs = model.value(term);
            let inputs: Vec<String> =
                pool.floats.iter().map(|&f| model.value(f).unwrap().to_string()).collect();
            prop_assert_eq!(
                theirs.clone(), Ok(ours.clone()),
                "{} by {} in {:?}: Z3 {:?}, ours {}",
                t.display(term), mode.name(), inputs, theirs, ours
            );
        }
        // Open are only minimum and maximum of zeros, and integers for what is none.
        prop_assert!(decided + 5 >= pool.all().len());
    }

    #[test]
    fn terms_come_back(format in formats(), other in formats()) {
        let t = Terms::new();
        let pool = Pool::new(&t, format, other);
        let session = Session::new(&t, &[], &Control::unlimited());
        for term in pool.all() {
            let ast = session.encode_with(Maps::Direct, term).unwrap();
            let back = Decoder::new(&session, Maps::Direct, &[]).decode(&ast).unwrap();
            prop_assert_eq!(back, term, "{} {}", t.display(term), ast);
        }
    }

    #[test]
    fn literals_come_back(format in formats(), seed in any::<u64>()) {
        let t = Terms::new();
        let session = Session::new(&t, &[], &Control::unlimited());
        let literal = t.float(&number(format, seed));
        prop_assert_eq!(t.as_float(literal), Some(number(format, seed)));
        let ast = session.encode_with(Maps::Direct, literal).unwrap();
        let back = Decoder::new(&session, Maps::Direct, &[]).decode(&ast).unwrap();
        // `fp` of three literals stays what it is: the same number.
        prop_assert_eq!(t.eq(back, literal), t.tt());
    }
}

#[test]
fn functions_of_literals_are_literals() {
    let t = Terms::new();
    let format = Format::new(8, 24).unwrap();
    let sort = sort_of(format);
    let number = |n: i32| t.float(&Float::from_integer(&n.into(), Mode::NearestEven, format));
    let mode = t.rounding(Mode::NearestEven);
    let sum = call(&t, "fp.add", &[], &sort, &[mode, number(2), number(3)]);
    assert_eq!(sum, number(5));
    let less = call(&t, "fp.lt", &[], &Sort::Bool, &[number(2), number(3)]);
    assert_eq!(less, t.tt());
    let zero = call(&t, "+zero", &[8, 24], &sort, &[]);
    assert_eq!(zero, number(0));
    let minus = call(&t, "fp.neg", &[], &sort, &[zero]);
    assert_ne!(minus, zero);
    assert_eq!(t.eq(minus, zero), t.ff());
    let equal = call(&t, "fp.eq", &[], &Sort::Bool, &[minus, zero]);
    assert_eq!(equal, t.tt());
    // What SMT-LIB leaves open stays a function.
    let open = call(&t, "fp.min", &[], &sort, &[minus, zero]);
    assert_eq!(t.as_float(open), None);
    let nan = call(&t, "fp.div", &[], &sort, &[mode, zero, zero]);
    assert_eq!(t.as_float(nan), Some(Float::nan(format)));
    let integer = call(&t, "fp.to_sbv", &[8], &Sort::BitVec(8), &[mode, nan]);
    assert_eq!(t.as_value(integer), None);
}

#[test]
fn models_of_formulas_are_believed() {
    let t = Terms::new();
    let format = Format::new(5, 11).unwrap();
    let sort = sort_of(format);
    let pool = Pool::new(&t, format, Format::new(3, 4).unwrap());
    let [x, y, _] = pool.floats;
    let mode = t.rounding(Mode::NearestEven);
    let product = call(&t, "fp.mul", &[], &sort, &[mode, x, x]);
    let sum = call(&t, "fp.add", &[], &sort, &[mode, product, y]);
    let nan = |a| call(&t, "fp.isNaN", &[], &Sort::Bool, &[a]);
    let less = |a, b| call(&t, "fp.lt", &[], &Sort::Bool, &[a, b]);
    let one = t.float(&Float::from_integer(&1.into(), Mode::NearestEven, format));
    evaluates_to_true(&t, t.and([less(one, x), t.eq(sum, x), t.not(nan(y))]));
    evaluates_to_true(&t, t.and([nan(sum), t.not(nan(x)), t.not(nan(y))]));
    // Maps of numbers are tables of them.
    let map = t.current("m", Sort::map(vec![sort.clone()], sort.clone()));
    let element = t.select(map, &[x]);
    evaluates_to_true(&t, t.and([less(one, element), less(element, x)]));
}

#[test]
fn a_projection_fixes_what_it_cannot_express() {
    let t = Terms::new();
    let format = Format::new(5, 11).unwrap();
    let pool = Pool::new(&t, format, format);
    let [x, y, _] = pool.floats;
    let less = |a, b| call(&t, "fp.lt", &[], &Sort::Bool, &[a, b]);
    let formula = less(x, y);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(formula).unwrap();
    let limit = Some(Duration::from_secs(20));
    assert_eq!(solver.check(&[], limit), Answer::Sat);
    let model = solver.model().unwrap();
    let projected = model.project(formula, &[y]).unwrap();
    assert!(
        !t.post_order(&[projected]).contains(&y),
        "{}",
        t.display(projected)
    );
    assert_eq!(model.value(projected), Ok(Value::Bool(true)));
}

#[test]
fn variables_are_the_same_in_all_formulas_of_a_question() {
    let t = Terms::new();
    let format = Format::new(8, 24).unwrap();
    let sort = sort_of(format);
    let pool = Pool::new(&t, format, format);
    let [x, y, z] = pool.floats;
    let less = |a, b| call(&t, "fp.lt", &[], &Sort::Bool, &[a, b]);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(less(x, y)).unwrap();
    solver.assert(less(y, z)).unwrap();
    assert_eq!(solver.check(&[less(z, x)], None), Answer::Unsat);
    assert_eq!(solver.core(), [less(z, x)]);
    let sum = call(&t, "fp.add", &[], &sort, &[pool.mode, x, y]);
    assert_eq!(solver.check(&[t.eq(sum, z)], None), Answer::Sat);
    let model = solver.model().unwrap();
    for formula in [less(x, y), less(y, z), t.eq(sum, z)] {
        let interpretation = InModel {
            terms: &t,
            model: &model,
        };
        assert_eq!(model.value(formula), Ok(Value::Bool(true)));
        assert_eq!(eval(&t, formula, &interpretation), Ok(Value::Bool(true)));
    }
    // With an integer, another solver takes over and is told everything.
    let n = t.current("n", Sort::Int);
    solver.assert(t.lt(n, t.int(0))).unwrap();
    assert_eq!(solver.check(&[less(z, x)], None), Answer::Unsat);
    assert_eq!(solver.check(&[less(x, z)], None), Answer::Sat);
    assert_eq!(
        solver.model().unwrap().value(less(x, y)),
        Ok(Value::Bool(true))
    );
}

#[test]
fn what_is_left_open_is_not_decided() {
    let t = Terms::new();
    let format = Format::new(5, 11).unwrap();
    let pool = Pool::new(&t, format, format);
    let nan = t.float(&Float::nan(format));
    let mode = t.rounding(Mode::TowardZero);
    let integer = call(
        &t,
        "fp.to_sbv",
        &[8],
        &Sort::BitVec(8),
        &[mode, pool.floats[0]],
    );
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(t.eq(pool.floats[0], nan)).unwrap();
    for value in [0u32, 1, 255] {
        let is = t.eq(integer, t.bitvec(value.into(), 8));
        assert_ne!(solver.check(&[is], None), Answer::Unsat, "{value}");
    }
    // One value it is, in one formula at least.
    assert_eq!(
        solver.check(&[t.neq(integer, integer)], None),
        Answer::Unsat
    );
}
