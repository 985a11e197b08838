//! From the texts of literal tokens to values. Everything is exact; what exceeds a limit is refused with a reason.

use crate::ast::{Decimal, FloatFormat, FloatLiteral, FloatValue, RoundingMode};
use crate::parse::{MAX_DIGITS, MAX_EXPONENT, MAX_WIDTH};
use num_bigint::BigUint;
use num_traits::Zero;

/// Why a literal has no value, in the words of a diagnostic's label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// It has none in any implementation.
    Invalid(String),
    /// It exceeds a limit of this one.
    Limit(String),
}

/// The value of a numeral.
pub(crate) fn parse_int(text: &str) -> Result<BigUint, Reason> {
    parse_digits(text, 10)
}

fn parse_digits(text: &str, radix: u32) -> Result<BigUint, Reason> {
    if text.len() > MAX_DIGITS {
        return Err(Reason::Limit(format!("more than {MAX_DIGITS} digits")));
    }
    BigUint::parse_bytes(text.as_bytes(), radix)
        .ok_or_else(|| Reason::Invalid("not a number".to_owned()))
}

/// A width or bit position.
pub(crate) fn parse_size(text: &str) -> Result<u32, Reason> {
    match text.parse() {
        Ok(size) if size <= MAX_WIDTH => Ok(size),
        _ => Err(Reason::Limit(format!("more than {MAX_WIDTH} bits"))),
    }
}

fn parse_exponent(text: &str) -> Result<i32, Reason> {
    match text.parse::<i32>() {
        Ok(exponent) if exponent.abs() <= MAX_EXPONENT => Ok(exponent),
        _ => Err(Reason::Limit(format!(
            "the exponent is not between -{MAX_EXPONENT} and {MAX_EXPONENT}"
        ))),
    }
}

/// `1.5e-3`: digits, point and digits or not, exponent or not.
pub(crate) fn parse_real(text: &str) -> Result<Decimal, Reason> {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = parse_digits(&format!("{whole}{fraction}"), 10)?;
    // At most MAX_DIGITS digits stand behind the point, so this does not overflow.
    let exponent = exponent - fraction.len() as i32;
    if exponent.abs() > MAX_EXPONENT {
        return Err(Reason::Limit(format!(
            "more than {MAX_EXPONENT} digits after the point"
        )));
    }
    Ok(Decimal { mantissa, exponent })
}

/// `5bv8`: value and width.
pub(crate) fn parse_bit_vector(text: &str) -> Result<(BigUint, u32), Reason> {
    let (value, width) = text.split_once("bv").unwrap_or((text, "0"));
    Ok((parse_digits(value, 10)?, parse_size(width)?))
}

/// The text of a floating-point literal.
pub(crate) fn parse_float(text: &str) -> Result<FloatLiteral, Reason> {
    for (prefix, value) in [
        ("0NaN", FloatValue::NaN),
        ("0nan", FloatValue::NaN),
        ("0+oo", FloatValue::Infinity { negative: false }),
        ("0-oo", FloatValue::Infinity { negative: true }),
    ] {
        if let Some(format) = text.strip_prefix(prefix) {
            return Ok(FloatLiteral {
                value,
                format: parse_format(format)?,
            });
        }
    }
    // 0x<hex>.<hex>e<exponent>f<format>. The digits may be `e` and `f` as well: the format has the last two letters,
    // the exponent the `e` before them.
    let wrong = || Reason::Invalid("not a floating-point literal".to_owned());
    let (rest, format) = text.rsplit_once('f').ok_or_else(wrong)?;
    let (digits, exponent) = rest.rsplit_once('e').ok_or_else(wrong)?;
    let (whole, fraction) = digits
        .strip_prefix("0x")
        .and_then(|d| d.split_once('.'))
        .ok_or_else(wrong)?;
    let format = parse_format(format)?;
    let exponent = parse_exponent(exponent)?;
    let mantissa = parse_digits(&format!("{whole}{fraction}"), 16)?;
    let fraction_digits = fraction.len() as u32;
    check_representable(
        &mantissa,
        4 * (i64::from(exponent) - i64::from(fraction_digits)),
        format,
    )?;
    Ok(FloatLiteral {
        value: FloatValue::Hex {
            mantissa,
            fraction_digits,
            exponent,
        },
        format,
    })
}

/// `24e8`
pub(crate) fn parse_format(text: &str) -> Result<FloatFormat, Reason> {
    let (significand, exponent) = text
        .split_once('e')
        .ok_or_else(|| Reason::Invalid("not a format of floating-point numbers".to_owned()))?;
    let format = FloatFormat {
        significand: parse_size(significand)?,
        exponent: parse_size(exponent)?,
    };
    if format.significand < 2 || format.exponent < 2 {
        return Err(Reason::Invalid(
            "significand and exponent need at least 2 bits each".to_owned(),
        ));
    }
    Ok(format)
}

/// Whether `mantissa * 2^power` is a number of the format: normal, subnormal or zero. Nothing is rounded.
fn check_representable(mantissa: &BigUint, power: i64, format: FloatFormat) -> Result<(), Reason> {
    if mantissa.is_zero() {
        return Ok(());
    }
    let trailing = mantissa.trailing_zeros().unwrap_or(0) as i64;
    let bits = mantissa.bits() as i64 - trailing;
    // mantissa * 2^power = odd * 2^lowest with `bits` significant bits, whose highest is 2^highest
    let lowest = power + trailing;
    let highest = lowest + bits - 1;
    if bits > i64::from(format.significand) {
        return Err(Reason::Invalid(format!(
            "needs {bits} significant bits, the format has {}",
            format.significand
        )));
    }
    // With 40 or more bits for the exponent, every exponent within the limits fits.
    if format.exponent < 40 {
        let max = (1i64 << (format.exponent - 1)) - 1;
        let min_subnormal = 1 - max - (i64::from(format.significand) - 1);
        if highest > max {
            return Err(Reason::Invalid("too large for the format".to_owned()));
        }
        if lowest < min_subnormal {
            return Err(Reason::Invalid(
                "needs smaller fractions than the format has".to_owned(),
            ));
        }
    }
    Ok(())
}

/// The rounding mode with this name.
pub(crate) fn rounding_mode(text: &str) -> Option<RoundingMode> {
    match text {
        "RNE" | "roundNearestTiesToEven" => Some(RoundingMode::NearestTiesToEven),
        "RNA" | "roundNearestTiesToAway" => Some(RoundingMode::NearestTiesToAway),
        "RTP" | "roundTowardPositive" => Some(RoundingMode::TowardPositive),
        "RTN" | "roundTowardNegative" => Some(RoundingMode::TowardNegative),
        "RTZ" | "roundTowardZero" => Some(RoundingMode::TowardZero),
        _ => None,
    }
}

/// The text of a string between its quotes, escapes replaced. A backslash before any other character stands for itself.
pub(crate) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            result.push(c);
            continue;
        }
        let mut ahead = chars.clone();
        match ahead.next() {
            Some(escaped @ ('"' | '\\')) => {
                result.push(escaped);
                chars = ahead;
            }
            _ => result.push('\\'),
        }
    }
    result
}

/// The name between backticks, in which a backtick is written twice.
pub(crate) fn unescape_backticks(text: &str) -> String {
    text.replace("``", "`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        assert_eq!(
            parse_real("1.50e-3").unwrap(),
            Decimal {
                mantissa: 150u32.into(),
                exponent: -5
            }
        );
        assert_eq!(
            parse_real("1e5").unwrap(),
            Decimal {
                mantissa: 1u32.into(),
                exponent: 5
            }
        );
        assert_eq!(parse_bit_vector("5bv8").unwrap(), (5u32.into(), 8));
        assert!(parse_real("1e10001").is_err());
        assert!(parse_bit_vector("5bv99999999999999999999").is_err());
        assert!(parse_int(&"9".repeat(MAX_DIGITS + 1)).is_err());
    }

    #[test]
    fn floats_are_representable_or_refused() {
        let literal = parse_float("0x1.8e-2f24e8").unwrap();
        assert_eq!(
            literal.format,
            FloatFormat {
                significand: 24,
                exponent: 8
            }
        );
        assert_eq!(
            literal.value,
            FloatValue::Hex {
                mantissa: 24u32.into(),
                fraction_digits: 1,
                exponent: -2
            }
        );
        assert_eq!(
            parse_float("0-oo53e11").unwrap().value,
            FloatValue::Infinity { negative: true }
        );
        // The largest, the smallest normal and the smallest subnormal number of binary16, and their neighbours.
        assert!(parse_float("0xffe0.0e0f11e5").is_ok());
        assert!(parse_float("0x10000.0e0f11e5").is_err());
        assert!(parse_float("0x0.0004e0f11e5").is_ok());
        assert!(parse_float("0x0.000001e0f11e5").is_ok());
        assert!(parse_float("0x0.0000008e0f11e5").is_err());
        // Twelve significant bits do not fit into eleven, however small the number.
        assert!(parse_float("0x8.01e0f11e5").is_err());
        assert!(parse_float("0x1.0e0f1e5").is_err());
        assert!(parse_float("0x1.0e0f11e1").is_err());
    }

    #[test]
    fn strings_keep_unknown_escapes() {
        assert_eq!(unescape(r#"a\"b\\c\d"#), r#"a"b\c\d"#);
        assert_eq!(unescape_backticks("a``b"), "a`b");
    }
}
