//! Functions of math.h whose values no solver computes (C11 7.12.4 to 7.12.8, F.10): what is known of them are ranges, and where
//! they give NaN.
//!
//! The value is any one with these properties. That counts for proofs, but no trace through it does.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::body::{Body, Value};
use super::float::{literal, sort};
use super::math;
use crate::functions::plain;
use crate::ir::{CompareOp, Expr, Function};
use crate::types::{FloatType, Type};
use ult_lang::build::Term;

/// Numerator and denominator.
type Fraction = (i64, i64);

/// The least and the largest value, where there are some.
type Bounds = (Option<Fraction>, Option<Fraction>);

/// The number next to pi that all formats have and that is larger: `float` has no closer one.
const PI: Fraction = (13_176_795, 1 << 22);
const HALF_PI: Fraction = (13_176_795, 1 << 23);
const ONE: Fraction = (1, 1);
const MINUS_ONE: Fraction = (-1, 1);
const ZERO: Fraction = (0, 1);

/// What is known of a function with one argument.
struct Known {
    /// Outside of these bounds of the argument, the value is NaN.
    domain: Bounds,
    /// Whether it is NaN for infinite arguments.
    finite: bool,
    /// The bounds of other values.
    range: Bounds,
}

fn negated((numerator, denominator): Fraction) -> Fraction {
    (-numerator, denominator)
}

fn known(base: &str) -> Option<Known> {
    let everywhere = |range| Known {
        domain: (None, None),
        finite: false,
        range,
    };
    Some(match base {
        "sin" | "cos" => Known {
            finite: true,
            ..everywhere((Some(MINUS_ONE), Some(ONE)))
        },
        "tan" => Known {
            finite: true,
            ..everywhere((None, None))
        },
        "asin" => Known {
            domain: (Some(MINUS_ONE), Some(ONE)),
            ..everywhere((Some(negated(HALF_PI)), Some(HALF_PI)))
        },
        "acos" => Known {
            domain: (Some(MINUS_ONE), Some(ONE)),
            ..everywhere((Some(ZERO), Some(PI)))
        },
        "atan" => everywhere((Some(negated(HALF_PI)), Some(HALF_PI))),
        "sinh" | "asinh" | "cbrt" => everywhere((None, None)),
        "cosh" => everywhere((Some(ONE), None)),
        "tanh" | "erf" => everywhere((Some(MINUS_ONE), Some(ONE))),
        "erfc" => everywhere((Some(ZERO), Some((2, 1)))),
        "exp" | "exp2" => everywhere((Some(ZERO), None)),
        "expm1" => everywhere((Some(MINUS_ONE), None)),
        "log" | "log2" | "log10" => Known {
            domain: (Some(ZERO), None),
            ..everywhere((None, None))
        },
        "log1p" => Known {
            domain: (Some(MINUS_ONE), None),
            ..everywhere((None, None))
        },
        "acosh" => Known {
            domain: (Some(ONE), None),
            ..everywhere((Some(ZERO), None))
        },
        "atanh" => Known {
            domain: (Some(MINUS_ONE), Some(ONE)),
            ..everywhere((None, None))
        },
        _ => return None,
    })
}

/// The value of a call, if the function is one of these.
pub(super) fn value(body: &mut Body<'_, '_>, function: &Function, args: &[Expr]) -> Option<Value> {
    let name = plain(&function.name);
    let is_known = |base: &str| known(base).is_some() || matches!(base, "atan2" | "hypot" | "pow");
    let (base, float) = math::base(name, is_known)?;
    let is_float = |ty: &Type| *ty == Type::Float(float);
    let count = if known(base).is_some() { 1 } else { 2 };
    let fits = is_float(&function.ty.result)
        && args.len() == count
        && args.iter().all(|arg| is_float(&arg.ty));
    if !fits {
        return None;
    }
    let terms = math::operands(body, args)?;
    body.approximated(
        &Term::truth(true),
        "what a function of math.h gives",
        |_| {},
    );
    // Errors of domain and range (7.12.1).
    body.forget_errno();
    let result = body.fresh(sort(float));
    let mut facts = Facts {
        body,
        float,
        result: &result,
    };
    match (&terms[..], known(base)) {
        ([a], Some(known)) => facts.of_one(a, &known)?,
        ([a, b], None) => facts.of_two(base, a, b)?,
        _ => return None,
    }
    Some(Value::Float(float, result))
}

struct Facts<'b, 'e, 'p> {
    body: &'b mut Body<'e, 'p>,
    float: FloatType,
    result: &'b Term,
}

impl Facts<'_, '_, '_> {
    fn number(&self, (numerator, denominator): Fraction) -> Option<Term> {
        let value = BigRational::new(BigInt::from(numerator), BigInt::from(denominator));
        literal(self.float, Some(&value))
    }

    fn compare(&mut self, op: CompareOp, a: &Term, b: &Term) -> Term {
        self.body.float_compare(self.float, op, a, b)
    }

    fn is_nan(&mut self, a: &Term) -> Term {
        self.body.float_test(self.float, "fnan", "fp.isNaN", a)
    }

    fn is_infinite(&mut self, a: &Term) -> Term {
        self.body.float_test(self.float, "finf", "fp.isInfinite", a)
    }

    /// The value is NaN exactly where this holds, and else within bounds.
    fn assume(&mut self, is_nan: &Term, (low, high): Bounds) -> Option<()> {
        let result = self.result.clone();
        let given = self.is_nan(&result);
        let same = given.implies(is_nan).and(&is_nan.implies(&given));
        self.body.assume(&same);
        for (bound, op) in [(low, CompareOp::GreaterEqual), (high, CompareOp::LessEqual)] {
            let Some(bound) = bound else { continue };
            let bound = self.number(bound)?;
            let fits = self.compare(op, &result, &bound);
            self.body.assume(&is_nan.or(&fits));
        }
        Some(())
    }

    fn of_one(&mut self, a: &Term, known: &Known) -> Option<()> {
        let mut undefined = self.is_nan(a);
        let (low, high) = known.domain;
        for (bound, op) in [(low, CompareOp::Less), (high, CompareOp::Greater)] {
            let Some(bound) = bound else { continue };
            let bound = self.number(bound)?;
            undefined = undefined.or(&self.compare(op, a, &bound));
        }
        if known.finite {
            undefined = undefined.or(&self.is_infinite(a));
        }
        self.assume(&undefined, known.range)
    }

    fn of_two(&mut self, base: &str, a: &Term, b: &Term) -> Option<()> {
        let result = self.result.clone();
        let missing = self.is_nan(a).or(&self.is_nan(b));
        match base {
            "atan2" => self.assume(&missing, (Some(negated(PI)), Some(PI))),
            // It is infinite if one of both is, even if the other one is NaN (F.10.4.3).
            "hypot" => {
                let infinite = self.is_infinite(a).or(&self.is_infinite(b));
                let undefined = missing.and(&infinite.not());
                self.assume(&undefined, (Some(ZERO), None))
            }
            // F.10.4.4: 1 to any power and any number to the power of zero is 1. The power of a positive number is no NaN and
            // not negative.
            "pow" => {
                let (zero, one) = (self.number(ZERO)?, self.number(ONE)?);
                let is_one = self.compare(CompareOp::Equal, a, &one).or(&self.compare(
                    CompareOp::Equal,
                    b,
                    &zero,
                ));
                let gives_one = self.compare(CompareOp::Equal, &result, &one);
                self.body.assume(&is_one.implies(&gives_one));
                // Zeros have signs, and infinite powers with them.
                let positive = self
                    .compare(CompareOp::Greater, a, &zero)
                    .and(&missing.not());
                let at_least = self.compare(CompareOp::GreaterEqual, &result, &zero);
                self.body.assume(&positive.implies(&at_least));
                Some(())
            }
            _ => None,
        }
    }
}
