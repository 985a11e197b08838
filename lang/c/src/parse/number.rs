//! Numbers from preprocessing numbers (C11 6.4.4.1, 6.4.4.2).

use crate::syntax::{
    Constant, FixedFloat, Float, FloatFormat, Integer, IntegerBase, IntegerSize, IntegerSuffix,
};

/// The constant that a preprocessing number is; `None` if it is none.
pub(super) fn number(text: &str) -> Option<Constant> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        let whole = leading(digits, |c| c.is_ascii_hexdigit());
        return match digits.as_bytes().get(whole) {
            Some(b'.' | b'p') => float(digits, true),
            _ => integer(IntegerBase::Hexadecimal, digits, whole),
        };
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        let whole = leading(digits, |c| matches!(c, '0' | '1'));
        return integer(IntegerBase::Binary, digits, whole);
    }
    let whole = leading(&lower, |c| c.is_ascii_digit());
    if matches!(lower.as_bytes().get(whole), Some(b'.' | b'e')) {
        return float(&lower, false);
    }
    match lower.strip_prefix('0') {
        Some(digits) if whole > 1 => {
            let whole = leading(digits, |c| matches!(c, '0'..='7'));
            integer(IntegerBase::Octal, digits, whole)
        }
        _ => integer(IntegerBase::Decimal, &lower, whole),
    }
}

/// How many bytes at the beginning are such digits.
fn leading(text: &str, is_digit: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_digit(c)).unwrap_or(text.len())
}

fn integer(base: IntegerBase, text: &str, digits: usize) -> Option<Constant> {
    let (number, suffix) = text.split_at(digits);
    let missing = number.is_empty() && base != IntegerBase::Octal;
    let suffix = integer_suffix(suffix).filter(|_| !missing)?;
    Some(Constant::Integer(Integer {
        base,
        number: number.into(),
        suffix,
    }))
}

fn integer_suffix(mut text: &str) -> Option<IntegerSuffix> {
    let mut suffix = IntegerSuffix {
        size: IntegerSize::Int,
        unsigned: false,
        imaginary: false,
    };
    while let Some(first) = text.chars().next() {
        let (length, is_new) = match first {
            'l' if text.starts_with("ll") => (2, suffix.size == IntegerSize::Int),
            'l' => (1, suffix.size == IntegerSize::Int),
            'u' => (1, !suffix.unsigned),
            'i' | 'j' => (1, !suffix.imaginary),
            _ => return None,
        };
        match first {
            _ if !is_new => return None,
            'l' if length == 2 => suffix.size = IntegerSize::LongLong,
            'l' => suffix.size = IntegerSize::Long,
            'u' => suffix.unsigned = true,
            _ => suffix.imaginary = true,
        }
        text = &text[length..];
    }
    Some(suffix)
}

fn float(text: &str, hexadecimal: bool) -> Option<Constant> {
    let is_digit = |c: char| match hexadecimal {
        true => c.is_ascii_hexdigit(),
        false => c.is_ascii_digit(),
    };
    let whole = leading(text, is_digit);
    let mut end = whole;
    if text[end..].starts_with('.') {
        end += 1 + leading(&text[end + 1..], is_digit);
    }
    let has_digits = end > whole + 1 || whole > 0;
    let mark = if hexadecimal { 'p' } else { 'e' };
    let mut has_exponent = false;
    if let Some(exponent) = text[end..].strip_prefix(mark) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = leading(&exponent[sign..], |c| c.is_ascii_digit());
        has_exponent = digits > 0;
        if !has_exponent {
            return None;
        }
        end += 1 + sign + digits;
    }
    if !has_digits || (hexadecimal && !has_exponent) {
        return None;
    }
    let (format, imaginary) = float_suffix(&text[end..])?;
    Some(Constant::Float(Float {
        hexadecimal,
        number: text[..end].into(),
        format,
        imaginary,
    }))
}

fn float_suffix(text: &str) -> Option<(FloatFormat, bool)> {
    let (text, imaginary) = match text.strip_suffix(['i', 'j']) {
        Some(rest) => (rest, true),
        None => match text.strip_prefix(['i', 'j']) {
            Some(rest) => (rest, true),
            None => (text, false),
        },
    };
    let decimal = |width| {
        FloatFormat::Fixed(FixedFloat {
            width,
            extended: false,
            decimal: true,
        })
    };
    let format = match text {
        "" => FloatFormat::Double,
        "f" => FloatFormat::Float,
        "l" => FloatFormat::LongDouble,
        "df" => decimal(32),
        "dd" => decimal(64),
        "dl" => decimal(128),
        // gcc: `__float128` and `__float80`.
        "q" => FloatFormat::Fixed(FixedFloat {
            width: 128,
            extended: false,
            decimal: false,
        }),
        "w" => FloatFormat::LongDouble,
        _ => FloatFormat::Fixed(fixed(text)?),
    };
    Some((format, imaginary))
}

/// `f64`, `f64x`, `d64` and so on.
fn fixed(text: &str) -> Option<FixedFloat> {
    let (decimal, rest) = match text.strip_prefix('f') {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix('d')?),
    };
    let (digits, extended) = match rest.strip_suffix('x') {
        Some(digits) => (digits, true),
        None => (rest, false),
    };
    let width = digits.parse().ok()?;
    matches!(width, 16 | 32 | 64 | 128).then_some(FixedFloat {
        width,
        extended,
        decimal,
    })
}

/// The type that `_Float64x` and the like name.
pub(super) fn fixed_type(word: &str) -> Option<FixedFloat> {
    match word {
        "__float128" => fixed("f128"),
        _ => {
            let word = word.strip_prefix('_')?;
            let width = word.find(|c: char| c.is_ascii_digit())?;
            let (name, width) = word.split_at(width);
            let letter = if name == "Float" { 'f' } else { 'd' };
            fixed(&format!("{letter}{width}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind, the digits and what the suffix says.
    fn read(text: &str) -> String {
        match number(text) {
            Some(Constant::Integer(it)) => {
                let IntegerSuffix {
                    size,
                    unsigned,
                    imaginary,
                } = it.suffix;
                format!(
                    "{:?} {} {size:?} {unsigned} {imaginary}",
                    it.base, it.number
                )
            }
            Some(Constant::Float(it)) => {
                format!(
                    "{} {} {:?} {}",
                    it.hexadecimal, it.number, it.format, it.imaginary
                )
            }
            Some(Constant::Character(_)) | None => "none".to_owned(),
        }
    }

    #[test]
    fn numbers_are_read() {
        for (text, expected) in [
            ("0", "Decimal 0 Int false false"),
            ("007", "Octal 07 Int false false"),
            ("00", "Octal 0 Int false false"),
            ("0X1FuLL", "Hexadecimal 1f LongLong true false"),
            ("0b101l", "Binary 101 Long false false"),
            ("12i", "Decimal 12 Int false true"),
            ("1.5E3F", "false 1.5e3 Float false"),
            ("1.", "false 1. Double false"),
            (".5l", "false .5 LongDouble false"),
            ("1e-3", "false 1e-3 Double false"),
            ("09.5", "false 09.5 Double false"),
            ("0x.8p1", "true .8p1 Double false"),
            ("0x1p-3f", "true 1p-3 Float false"),
            ("1.0if", "false 1.0 Float true"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(
            read("1.0f64x"),
            "false 1.0 Fixed(FixedFloat { width: 64, extended: true, decimal: false }) false"
        );
        for text in [
            "08", "0x", "0b2", "1lul", "1x", "1e", "0x1.8", "1.2.3", "1.0f7", "0xg", "1_000", ".e1",
        ] {
            assert_eq!(read(text), "none", "{text}");
        }
    }
}
