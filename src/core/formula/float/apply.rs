//! SMT-LIB's functions on floating-point numbers, by name.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Signed as _};

use super::{Float, Format, Mode};
use crate::formula::eval::{EvalError, signed};
use crate::formula::sort::Sort;
use crate::formula::term::Builtin;
use crate::formula::value::Value;

/// The value of a function known to SMT-LIB by name: those on floating-point numbers and those
/// between integers and bit-vectors. `None` for other functions, and for formats without values.
pub(crate) fn apply(builtin: &Builtin, args: &[Value]) -> Option<Result<Value, EvalError>> {
    let name = &*builtin.name;
    let open = || {
        let text = format!("`{name}` on arguments for which it is not defined");
        Some(Err(EvalError::Unsupported(text)))
    };
    let value = match args {
        [] => constant(builtin)?,
        [Value::Float(a)] => unary(name, a).or_else(|| match a.to_rational() {
            Some(value) if name == "fp.to_real" => Some(Value::Real(value)),
            _ => None,
        })?,
        [Value::Float(a), Value::Float(b)] if a.format() == b.format() => match name {
            "fp.min" | "fp.max" => {
                let chosen = if name == "fp.min" {
                    a.minimum(b)
                } else {
                    a.maximum(b)
                };
                match chosen {
                    Some(float) => Value::Float(float),
                    None => return open(),
                }
            }
            _ => binary(name, a, b)?,
        },
        [Value::Rounding(mode), rest @ ..] => match rounded(builtin, *mode, rest) {
            Some(value) => value,
            None if matches!(name, "fp.to_ubv" | "fp.to_sbv") => return open(),
            None => return None,
        },
        [Value::BitVec(bits, width)] => match name {
            "to_fp" => {
                let format = result_format(builtin)?;
                if format.width() != *width {
                    return None;
                }
                Value::Float(Float::from_bits(format, bits))
            }
            "bv2int" | "bv2nat" | "ubv_to_int" => Value::Int(BigInt::from(bits.clone())),
            "sbv_to_int" => Value::Int(signed(bits, *width)),
            _ => return None,
        },
        [Value::Int(value)] if matches!(name, "int2bv" | "nat2bv" | "int_to_bv") => {
            let Sort::BitVec(width) = builtin.result else {
                return None;
            };
            let modulus = BigInt::one() << width;
            let wrapped = num_integer::Integer::mod_floor(value, &modulus);
            Value::BitVec(wrapped.to_biguint()?, width)
        }
        [
            Value::BitVec(sign, 1),
            Value::BitVec(exponent, e),
            Value::BitVec(significand, s),
        ] if name == "fp" => {
            let format = result_format(builtin)?;
            if format.exponent() != *e || format.significand() != s.checked_add(1)? {
                return None;
            }
            let bits: BigUint = (((sign << *e) | exponent) << *s) | significand;
            Value::Float(Float::from_bits(format, &bits))
        }
        _ => return None,
    };
    Some(Ok(value))
}

fn result_format(builtin: &Builtin) -> Option<Format> {
    match builtin.result {
        Sort::Float(e, s) if builtin.indices.is_empty() || builtin.indices == [e, s] => {
            Format::new(e, s)
        }
        _ => None,
    }
}

fn constant(builtin: &Builtin) -> Option<Value> {
    let name = &*builtin.name;
    if let Some(mode) = Mode::named(name) {
        return (builtin.result == Sort::RoundingMode).then_some(Value::Rounding(mode));
    }
    let format = result_format(builtin)?;
    Some(Value::Float(match name {
        "+oo" => Float::infinity(format, false),
        "-oo" => Float::infinity(format, true),
        "+zero" => Float::zero(format, false),
        "-zero" => Float::zero(format, true),
        "NaN" => Float::nan(format),
        _ => return None,
    }))
}

fn unary(name: &str, a: &Float) -> Option<Value> {
    let subnormal = |a: &Float| !(a.is_normal() || a.is_zero() || a.is_infinite() || a.is_nan());
    Some(match name {
        "fp.abs" => Value::Float(a.abs()),
        "fp.neg" => Value::Float(a.neg()),
        "fp.isNormal" => Value::Bool(a.is_normal()),
        "fp.isSubnormal" => Value::Bool(subnormal(a)),
        "fp.isZero" => Value::Bool(a.is_zero()),
        "fp.isInfinite" => Value::Bool(a.is_infinite()),
        "fp.isNaN" => Value::Bool(a.is_nan()),
        "fp.isNegative" => Value::Bool(!a.is_nan() && a.is_negative()),
        "fp.isPositive" => Value::Bool(!a.is_nan() && !a.is_negative()),
        _ => return None,
    })
}

fn binary(name: &str, a: &Float, b: &Float) -> Option<Value> {
    let order = a.compare(b);
    Some(Value::Bool(match name {
        "fp.rem" => return Some(Value::Float(a.rem(b))),
        "fp.eq" => order == Some(Ordering::Equal),
        "fp.lt" => order == Some(Ordering::Less),
        "fp.gt" => order == Some(Ordering::Greater),
        "fp.leq" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "fp.geq" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    }))
}

/// Functions with a rounding mode.
fn rounded(builtin: &Builtin, mode: Mode, args: &[Value]) -> Option<Value> {
    Some(Value::Float(match (&*builtin.name, args) {
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", [Value::Float(a), Value::Float(b)])
            if a.format() == b.format() =>
        {
            match &*builtin.name {
                "fp.add" => a.add(mode, b),
                "fp.sub" => a.sub(mode, b),
                "fp.mul" => a.mul(mode, b),
                _ => a.div(mode, b),
            }
        }
        ("fp.fma", [Value::Float(a), Value::Float(b), Value::Float(c)])
            if a.format() == b.format() && a.format() == c.format() =>
        {
            a.fma(mode, b, c)
        }
        ("fp.sqrt", [Value::Float(a)]) => a.sqrt(mode),
        ("fp.roundToIntegral", [Value::Float(a)]) => a.round_to_integral(mode),
        ("to_fp", [Value::Float(a)]) => a.convert(mode, result_format(builtin)?),
        ("to_fp", [Value::Real(value)]) => {
            Float::from_rational(value, mode, result_format(builtin)?)
        }
        ("to_fp", [Value::BitVec(value, width)]) => {
            Float::from_integer(&signed(value, *width), mode, result_format(builtin)?)
        }
        ("to_fp_unsigned", [Value::BitVec(value, _)]) => {
            let value = BigInt::from(value.clone());
            Float::from_integer(&value, mode, result_format(builtin)?)
        }
        ("fp.to_ubv" | "fp.to_sbv", [Value::Float(a)]) => return to_bits(builtin, mode, a),
        _ => return None,
    }))
}

/// An integer in a bit-vector; `None` for what does not fit.
fn to_bits(builtin: &Builtin, mode: Mode, a: &Float) -> Option<Value> {
    let Sort::BitVec(width) = builtin.result else {
        return None;
    };
    if builtin.indices != [width] {
        return None;
    }
    let value = a.to_integer(mode)?;
    let fits = match &*builtin.name {
        "fp.to_ubv" => !value.is_negative() && value.bits() <= u64::from(width),
        _ => {
            let half = BigInt::one() << width.checked_sub(1)?;
            -&half <= value && value < half
        }
    };
    let wrapped = num_integer::Integer::mod_floor(&value, &(BigInt::one() << width));
    fits.then_some(Value::BitVec(wrapped.to_biguint()?, width))
}
