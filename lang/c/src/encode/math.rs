//! The functions of math.h and fenv.h that are the solver's own (C11 7.6, 7.12).
//!
//! What gcc and glibc fix beyond the standard is taken from them: classifying functions return 1, and the macros of fenv.h
//! have the values for x86. What is left open (the sign of NaN, which zero is the smaller one) is arbitrary.

use num_bigint::BigInt;
use num_traits::Zero as _;

use super::body::{Body, Value};
use super::float::{infinity, literal, nan};
use super::number::Number;
use crate::functions::plain;
use crate::ir::{CompareOp, Expr, ExprKind, Function, Place};
use crate::types::{FloatType, IntType, Type};
use ult_lang::build::Term;
use ult_lang::hir::{RoundingMode, Type as Sort};

/// The global variable with the rounding mode, in programs that change it.
pub const ROUNDING: &str = "rounding~mode";

/// The values of `FE_TONEAREST` and so on.
const MODES: [(i64, RoundingMode); 4] = [
    (0, RoundingMode::NearestTiesToEven),
    (0x400, RoundingMode::TowardNegative),
    (0x800, RoundingMode::TowardPositive),
    (0xc00, RoundingMode::TowardZero),
];

/// Whether the program can change the rounding mode.
pub fn changes_rounding<'a>(mut functions: impl Iterator<Item = &'a Function>) -> bool {
    functions.any(|function| function.name == "fesetround" && function.body.is_none())
}

/// Whether the function makes integers of floating-point numbers.
pub fn makes_integers(function: &Function) -> bool {
    let name = plain(&function.name);
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    function.body.is_none() && matches!(base, "lrint" | "llrint" | "lround" | "llround")
}

/// Translates the call if the function is one of these; tells whether it is.
pub fn call(
    body: &mut Body<'_, '_>,
    function: &Function,
    args: &[Expr],
    result: Option<&Place>,
) -> bool {
    let name = plain(&function.name);
    let value = match name {
        "fegetround" if args.is_empty() => Some(Value::Number(rounding(body))),
        "fesetround" => match args {
            [mode] if mode.ty.is_integer() => Some(Value::Number(set_rounding(body, mode))),
            _ => None,
        },
        _ => named(body, name, function, args)
            .or_else(|| super::transcendental::value(body, function, args)),
    };
    let Some(value) = value else { return false };
    let Some(place) = result else { return true };
    let value = match (value, place.ty.integer()) {
        (Value::Number(number), Some(ty)) => Value::Number(body.converted(&number, ty)),
        (value @ Value::Float(..), None) => value,
        _ => return false,
    };
    if let Some(at) = body.locate(place) {
        body.write(&at, &place.ty, None, value);
    }
    true
}

fn named(body: &mut Body<'_, '_>, name: &str, function: &Function, args: &[Expr]) -> Option<Value> {
    if let Some(value) = classified(body, name, args) {
        return Some(value);
    }
    let (base, float) = base(name, known)?;
    // A function of the program may have the name and another type.
    if !matches!(function.ty.result, Type::Float(of) if of == float) && !is_integer(base) {
        return None;
    }
    if base == "nan" {
        let [
            payload @ Expr {
                ty: Type::Pointer(_),
                ..
            },
        ] = args
        else {
            return None;
        };
        body.evaluate(payload);
        return Some(Value::Float(float, nan(float)));
    }
    let fits = |arg: &Expr| arg.ty == Type::Float(float);
    if !args.iter().all(fits) {
        return None;
    }
    let wanted = match base {
        "inf" | "huge_val" => 0,
        "fmin" | "fmax" | "fdim" | "fmod" | "remainder" | "copysign" => 2,
        "fma" => 3,
        _ => 1,
    };
    if args.len() != wanted {
        return None;
    }
    let terms = operands(body, args)?;
    // Errors of domain and range (C11 7.12.1): EDOM or ERANGE, if they are told by `errno`.
    match (base, &terms[..]) {
        ("sqrt", [a]) => {
            let zero = literal(float, Some(&BigInt::zero().into()))?;
            let negative = body.float_compare(float, CompareOp::Less, a, &zero);
            body.forget_errno_if(&negative);
        }
        ("fma" | "fdim" | "fmod" | "remainder", _) => body.forget_errno(),
        _ if is_integer(base) => body.forget_errno(),
        _ => {}
    }
    let term = match (base, &terms[..]) {
        ("inf" | "huge_val", []) => infinity(float, false),
        ("fabs", [a]) => body.float_plain(float, "fabs", "fp.abs", &[a]),
        ("sqrt", [a]) => body.float_rounded(float, "fsqrt", "fp.sqrt", &[a]),
        ("fma", [a, b, c]) => body.float_rounded(float, "ffma", "fp.fma", &[a, b, c]),
        ("rint" | "nearbyint", [a]) => {
            body.float_rounded(float, "frint", "fp.roundToIntegral", &[a])
        }
        ("floor" | "ceil" | "trunc" | "round" | "roundeven", [a]) => {
            body.float_integral(float, direction(base), a)
        }
        ("lrint" | "llrint", [a]) => {
            let whole = body.float_rounded(float, "frint", "fp.roundToIntegral", &[a]);
            return Some(Value::Number(integer(body, float, &whole, function)?));
        }
        ("lround" | "llround", [a]) => {
            let whole = body.float_integral(float, "RNA", a);
            return Some(Value::Number(integer(body, float, &whole, function)?));
        }
        ("fmin", [a, b]) => extreme(body, float, CompareOp::Less, a, b),
        ("fmax", [a, b]) => extreme(body, float, CompareOp::Greater, a, b),
        ("fdim", [a, b]) => {
            let less = body.float_compare(float, CompareOp::LessEqual, a, b);
            let difference = body.float_rounded(float, "fsub", "fp.sub", &[a, b]);
            let zero = literal(float, Some(&BigInt::zero().into()))?;
            // With NaN nothing is less or equal, and the difference is NaN.
            less.choose(&zero, &difference)
        }
        ("remainder", [a, b]) => body.float_plain(float, "frem", "fp.rem", &[a, b]),
        ("fmod", [a, b]) => remainder(body, float, a, b)?,
        ("copysign", [a, b]) => {
            let negative = sign(body, float, b);
            with_sign(body, float, a, &negative)
        }
        _ => return None,
    };
    Some(Value::Float(float, term))
}

/// The name without its suffix, and the floating type that this stands for.
pub(super) fn base(name: &str, known: impl Fn(&str) -> bool) -> Option<(&str, FloatType)> {
    match (name.strip_suffix('f'), name.strip_suffix('l')) {
        (Some(base), _) if known(base) => Some((base, FloatType::Single)),
        (_, Some(base)) if known(base) => Some((base, FloatType::Extended)),
        _ if known(name) => Some((name, FloatType::Double)),
        _ => None,
    }
}

/// The values of arguments, which are floating-point numbers.
pub(super) fn operands(body: &mut Body<'_, '_>, args: &[Expr]) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    for arg in args {
        let Value::Float(_, term) = body.value(arg) else {
            return None;
        };
        terms.push(body.named(term));
    }
    Some(terms)
}

fn is_integer(base: &str) -> bool {
    matches!(base, "lrint" | "llrint" | "lround" | "llround")
}

fn known(base: &str) -> bool {
    is_integer(base)
        || matches!(
            base,
            "fabs"
                | "sqrt"
                | "fma"
                | "rint"
                | "nearbyint"
                | "floor"
                | "ceil"
                | "trunc"
                | "round"
                | "roundeven"
                | "fmin"
                | "fmax"
                | "fdim"
                | "fmod"
                | "remainder"
                | "copysign"
                | "nan"
                | "inf"
                | "huge_val"
        )
}

/// The rounding mode of a function that rounds to an integer in one way always.
fn direction(base: &str) -> &'static str {
    match base {
        "floor" => "RTN",
        "ceil" => "RTP",
        "trunc" => "RTZ",
        "round" => "RNA",
        _ => "RNE",
    }
}

/// A floating-point number that is whole, in the integer type that the function returns. What does not fit is unspecified (C11
/// 7.12.9.5).
fn integer(
    body: &mut Body<'_, '_>,
    float: FloatType,
    whole: &Term,
    function: &Function,
) -> Option<Number> {
    let ty = function.ty.result.integer()?;
    Some(body.number_of_float(float, whole, ty))
}

/// `fmin` and `fmax`: NaN counts as missing (C11 7.12.12). Which of two different zeros it is, nobody knows.
fn extreme(body: &mut Body<'_, '_>, float: FloatType, op: CompareOp, a: &Term, b: &Term) -> Term {
    let before = body.float_compare(float, op, a, b);
    let equal = body.float_compare(float, CompareOp::Equal, a, b);
    let no_a = is_nan(body, float, a);
    let no_b = is_nan(body, float, b);
    let first = body.fresh(Sort::Bool).and(&equal);
    // Equal numbers are the same but for zeros.
    before.or(&first).or(&no_b).and(&no_a.not()).choose(a, b)
}

/// `fmod`: the rest with the sign of the dividend; exact (C11 F.10.7.1).
fn remainder(body: &mut Body<'_, '_>, float: FloatType, a: &Term, b: &Term) -> Option<Term> {
    let dividend = body.float_plain(float, "fabs", "fp.abs", &[a]);
    let divisor = body.float_plain(float, "fabs", "fp.abs", &[b]);
    // Of the nearest multiple; it may be below.
    let rest = body.float_plain(float, "frem", "fp.rem", &[&dividend, &divisor]);
    let rest = body.named(rest);
    let zero = literal(float, Some(&BigInt::zero().into()))?;
    let below = body.float_compare(float, CompareOp::Less, &rest, &zero);
    let above = body.float_exact(float, "faddRNE", "fp.add", &[&rest, &divisor]);
    let magnitude = below.choose(&above, &rest);
    let negative = body.float_test(float, "fnegative", "fp.isNegative", a);
    Some(with_sign(body, float, &magnitude, &negative))
}

/// A number with the sign that a condition says.
fn with_sign(body: &mut Body<'_, '_>, float: FloatType, a: &Term, negative: &Term) -> Term {
    let magnitude = body.float_plain(float, "fabs", "fp.abs", &[a]);
    let negated = body.float_negated(float, &magnitude);
    negative.choose(&negated, &magnitude)
}

fn is_nan(body: &mut Body<'_, '_>, float: FloatType, a: &Term) -> Term {
    body.float_test(float, "fnan", "fp.isNaN", a)
}

/// Whether the sign is set; of NaN, nobody knows.
fn sign(body: &mut Body<'_, '_>, float: FloatType, a: &Term) -> Term {
    let nan = is_nan(body, float, a);
    let negative = body.float_test(float, "fnegative", "fp.isNegative", a);
    let some = body.fresh(Sort::Bool);
    negative.or(&nan.and(&some))
}

/// Functions for every floating type that tell what kind of number it is, or how two compare.
fn classified(body: &mut Body<'_, '_>, name: &str, args: &[Expr]) -> Option<Value> {
    let name = name.strip_prefix("__").unwrap_or(name);
    let base = match name.strip_suffix(['f', 'l']) {
        Some(base) if is_class(base) => base,
        _ if is_class(name) || is_comparison(name) || name == "fpclassify" => name,
        _ => return None,
    };
    let mut floats = Vec::new();
    for arg in args {
        match arg.ty {
            Type::Float(float) => floats.push(float),
            _ if base == "fpclassify" => {}
            _ => return None,
        }
    }
    let float = floats.into_iter().max()?;
    if let (true, [left, right]) = (is_comparison(base), args) {
        let (a, b) = (operand(body, left, float)?, operand(body, right, float)?);
        let truth = comparison(body, base, float, &a, &b)?;
        return Some(Value::Number(body.number_of_truth(truth)));
    }
    if base == "fpclassify" {
        return class(body, float, args).map(Value::Number);
    }
    let [arg] = args else { return None };
    let a = operand(body, arg, float)?;
    let truth = match base {
        "isnan" => is_nan(body, float, &a),
        "isnormal" => body.float_test(float, "fnormal", "fp.isNormal", &a),
        "isfinite" | "finite" => {
            let infinite = body.float_test(float, "finf", "fp.isInfinite", &a);
            let nan = is_nan(body, float, &a);
            infinite.or(&nan).not()
        }
        "isinf" | "isinf_sign" => {
            // With the sign, as gcc and glibc have it.
            let infinite = body.float_test(float, "finf", "fp.isInfinite", &a);
            let negative = body.float_test(float, "fnegative", "fp.isNegative", &a);
            let number = |body: &Body<'_, '_>, value: i32| {
                body.constant(&BigInt::from(value), IntType::INT).term
            };
            let (minus, zero, one) = (number(body, -1), number(body, 0), number(body, 1));
            let term = infinite.choose(&negative.choose(&minus, &one), &zero);
            return Some(Value::Number(Number {
                low: BigInt::from(-1),
                high: BigInt::from(1),
                ..Number::new(term, IntType::INT)
            }));
        }
        "signbit" => {
            let negative = sign(body, float, &a);
            return Some(Value::Number(nonzero_if(body, &negative)));
        }
        _ => return None,
    };
    Some(Value::Number(body.number_of_truth(truth)))
}

/// An arbitrary number that is zero exactly unless a condition holds.
fn nonzero_if(body: &mut Body<'_, '_>, condition: &Term) -> Number {
    let number = Number::new(body.anything(IntType::INT), IntType::INT);
    let truth = body.truth_of_number(&number);
    // `==` of truth values.
    let same = truth.implies(condition).and(&condition.implies(&truth));
    body.assume(&same);
    number
}

fn is_class(base: &str) -> bool {
    matches!(
        base,
        "isnan" | "isinf" | "isinf_sign" | "isfinite" | "finite" | "isnormal" | "signbit"
    )
}

fn is_comparison(base: &str) -> bool {
    matches!(
        base,
        "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered"
    )
}

fn comparison(
    body: &mut Body<'_, '_>,
    name: &str,
    float: FloatType,
    a: &Term,
    b: &Term,
) -> Option<Term> {
    let op = match name {
        "isgreater" => CompareOp::Greater,
        "isgreaterequal" => CompareOp::GreaterEqual,
        "isless" => CompareOp::Less,
        "islessequal" => CompareOp::LessEqual,
        "islessgreater" => {
            let less = body.float_compare(float, CompareOp::Less, a, b);
            return Some(less.or(&body.float_compare(float, CompareOp::Greater, a, b)));
        }
        "isunordered" => {
            let nan = is_nan(body, float, a);
            return Some(nan.or(&is_nan(body, float, b)));
        }
        _ => return None,
    };
    Some(body.float_compare(float, op, a, b))
}

/// The kind of a number: `fpclassify(nan, infinite, normal, subnormal, zero, x)` of gcc's, or glibc's `__fpclassify(x)`.
fn class(body: &mut Body<'_, '_>, float: FloatType, args: &[Expr]) -> Option<Number> {
    // glibc's FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL and FP_ZERO.
    let glibc = [0, 1, 4, 3, 2];
    let (kinds, arg) = match args {
        [arg] => (glibc.map(BigInt::from).to_vec(), arg),
        [kinds @ .., arg] if kinds.len() == 5 => {
            let kinds: Option<Vec<BigInt>> = kinds
                .iter()
                .map(|kind| match kind.kind {
                    ExprKind::Int(value) => Some(BigInt::from(value)),
                    _ => None,
                })
                .collect();
            (kinds?, arg)
        }
        _ => return None,
    };
    let a = operand(body, arg, float)?;
    let number =
        |body: &Body<'_, '_>, index: usize| body.constant(&kinds[index], IntType::INT).term;
    let mut term = number(body, 3);
    for (index, name, builtin) in [
        (2, "fnormal", "fp.isNormal"),
        (4, "fzero", "fp.isZero"),
        (1, "finf", "fp.isInfinite"),
        (0, "fnan", "fp.isNaN"),
    ] {
        let is = body.float_test(float, name, builtin, &a);
        let kind = number(body, index);
        term = is.choose(&kind, &term);
    }
    let term = body.named(term);
    Some(Number {
        low: kinds.iter().min()?.clone(),
        high: kinds.iter().max()?.clone(),
        ..Number::new(term, IntType::INT)
    })
}

/// A floating operand, in a type that is as wide at least.
fn operand(body: &mut Body<'_, '_>, arg: &Expr, float: FloatType) -> Option<Term> {
    let Value::Float(from, term) = body.value(arg) else {
        return None;
    };
    let term = body.float_of_float(float, from, &term);
    Some(body.named(term))
}

/// `fegetround()`
fn rounding(body: &mut Body<'_, '_>) -> Number {
    let mut result: Option<Term> = None;
    for (value, mode) in MODES {
        let value = body.constant(&BigInt::from(value), IntType::INT).term;
        result = Some(match (result, body.enc.rounding) {
            (None, _) => value,
            (Some(other), false) => other,
            (Some(other), true) => {
                let is = body.var(ROUNDING).equals(&Term::rounding_mode(mode));
                is.choose(&value, &other)
            }
        });
    }
    let term = result.unwrap_or_else(|| Term::int(0));
    let term = body.named(term);
    Number {
        low: BigInt::zero(),
        high: BigInt::from(MODES[3].0),
        ..Number::new(term, IntType::INT)
    }
}

/// `fesetround(mode)`: 0, or something else where there is no such mode (C11 7.6.3.2).
fn set_rounding(body: &mut Body<'_, '_>, mode: &Expr) -> Number {
    let mode = body.number(mode);
    let mode = Number {
        term: body.named(mode.term.clone()),
        ..mode
    };
    let mut fails = Term::truth(true);
    let mut next = body.var(ROUNDING);
    for (value, name) in MODES {
        let value = body.constant(&BigInt::from(value), mode.ty);
        let is = body.compare_numbers(CompareOp::Equal, &mode, &value);
        next = is.choose(&Term::rounding_mode(name), &next);
        fails = fails.and(&is.not());
    }
    body.out.assign(&body.var(ROUNDING), &next);
    nonzero_if(body, &fails)
}

/// Whether an expression computes with floating-point numbers: the solver does that with their bits, and much faster if there
/// is nothing else.
pub fn computes(expr: &Expr) -> bool {
    let float = |operand: &Expr| {
        let constant = matches!(operand.kind, ExprKind::Int(_) | ExprKind::Float(_));
        matches!(operand.ty, Type::Float(_)) && !constant
    };
    match &expr.kind {
        ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
            float(left) || float(right)
        }
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) => float(operand),
        ExprKind::Convert(operand) => {
            float(operand)
                || matches!(expr.ty, Type::Float(_)) && !matches!(operand.kind, ExprKind::Int(_))
        }
        _ => false,
    }
}
