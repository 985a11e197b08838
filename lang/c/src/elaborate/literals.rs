//! From the text of literals to values (C11 6.4.4, 6.4.5).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{ConstantStep, Expr, ExprKind, Initial, Place, Storage};
use crate::syntax as c;
use crate::types::{FloatType, IntType, Length, Type};

use super::rounding::{power_of_two, round};
use super::{Elaborator, int, unsupported};

/// Exponents beyond are as good as infinite: no floating type reaches 10 to the power of this.
const LARGEST_EXPONENT: i64 = 10_000;

/// A string literal: its elements without the final zero, and their type.
pub(super) struct Text {
    pub(super) elements: Vec<u32>,
    pub(super) element: IntType,
}

impl Text {
    /// The value of an element as an integer of the element type.
    pub(super) fn value(&self, index: usize) -> i128 {
        self.element
            .wrap(i128::from(self.elements.get(index).copied().unwrap_or(0)))
    }
}

impl Elaborator {
    pub(super) fn constant(&mut self, constant: &c::Constant, span: Span) -> Expr {
        match constant {
            c::Constant::Integer(integer) => self.integer_literal(integer, span),
            c::Constant::Float(float) => self.float_literal(float, span),
            c::Constant::Character(text) => self.character_literal(text, span),
        }
    }

    /// C11 6.4.4.1: the first type of a list that can represent the value.
    fn integer_literal(&mut self, integer: &c::Integer, span: Span) -> Expr {
        if integer.suffix.imaginary {
            return unsupported("a complex number", Type::INT, span);
        }
        let radix = match integer.base {
            c::IntegerBase::Decimal => 10,
            c::IntegerBase::Octal => 8,
            c::IntegerBase::Hexadecimal => 16,
            c::IntegerBase::Binary => 2,
        };
        let value = if integer.number.is_empty() {
            Some(0)
        } else {
            i128::from_str_radix(&integer.number, radix).ok()
        };
        let word = self.program.model.word();
        let smallest = match integer.suffix.size {
            c::IntegerSize::Int => 32,
            c::IntegerSize::Long => word,
            c::IntegerSize::LongLong => 64,
        };
        let decimal = matches!(integer.base, c::IntegerBase::Decimal);
        let ty = value.and_then(|value| {
            [32, 64, 128]
                .into_iter()
                .filter(|bits| *bits >= smallest)
                .flat_map(|bits| {
                    [
                        (!integer.suffix.unsigned).then_some(IntType { bits, signed: true }),
                        (integer.suffix.unsigned || !decimal).then_some(IntType {
                            bits,
                            signed: false,
                        }),
                    ]
                })
                .flatten()
                .find(|ty| ty.contains(value))
        });
        match (value, ty) {
            (Some(value), Some(ty)) => int(value, Type::Int(ty), span),
            _ => {
                self.error(
                    Id::C_BAD_DECLARATION,
                    "an integer that is too large for every type",
                    span,
                    "does not fit into 128 bits",
                );
                int(0, Type::INT, span)
            }
        }
    }

    fn float_literal(&mut self, float: &c::Float, span: Span) -> Expr {
        if float.imaginary {
            return unsupported("a complex number", Type::Float(FloatType::Double), span);
        }
        let ty = match float.format {
            c::FloatFormat::Float => FloatType::Single,
            c::FloatFormat::Double => FloatType::Double,
            c::FloatFormat::LongDouble => FloatType::Extended,
            c::FloatFormat::Fixed(fixed) => match super::specifiers::fixed_float(fixed) {
                Some(ty) => ty,
                None => {
                    return unsupported(
                        "a floating constant of this format",
                        Type::Float(FloatType::Double),
                        span,
                    );
                }
            },
        };
        let kind = match float_value(&float.number, float.hexadecimal) {
            Some(Size::Number(value)) => ExprKind::Float(round(&value, ty)),
            Some(Size::Huge) => ExprKind::Float(None),
            None => ExprKind::Unsupported(format!("the floating constant {}", float.number)),
        };
        Expr {
            kind,
            ty: Type::Float(ty),
            span,
        }
    }

    /// C11 6.4.4.4; several characters make a number in base 256, as gcc has it.
    fn character_literal(&mut self, text: &str, span: Span) -> Expr {
        let text = self.text(&[text.to_owned()], '\'', span);
        let value = if text.element == IntType::CHAR {
            match text.elements.as_slice() {
                [_] => text.value(0),
                several => several.iter().fold(0i128, |value, &next| {
                    IntType::INT.wrap((value << 8) | i128::from(next & 0xff))
                }),
            }
        } else {
            text.value(text.elements.len().saturating_sub(1))
        };
        let ty = if text.element == IntType::CHAR {
            IntType::INT
        } else {
            text.element
        };
        int(value, Type::Int(ty), span)
    }

    /// A string literal or several side by side.
    pub(super) fn string(&mut self, parts: &[String], span: Span) -> Text {
        self.text(parts, '"', span)
    }

    fn text(&mut self, parts: &[String], quote: char, span: Span) -> Text {
        let mut element = IntType::CHAR;
        let mut contents = Vec::new();
        for part in parts {
            let Some((prefix, rest)) = part.split_once(quote) else {
                continue;
            };
            element = match prefix {
                "L" => IntType::INT,
                "u" => IntType {
                    bits: 16,
                    signed: false,
                },
                "U" => IntType::UNSIGNED,
                _ => element,
            };
            contents.push(rest.strip_suffix(quote).unwrap_or(rest));
        }
        let mut elements = Vec::new();
        for content in contents {
            if unescape(content, element, &mut elements).is_none() {
                self.error(
                    Id::C_BAD_DECLARATION,
                    "an escape sequence that does not exist",
                    span,
                    "in this literal",
                );
            }
        }
        Text { elements, element }
    }

    /// The static variable of a string literal.
    pub(super) fn string_object(&mut self, text: &Text, span: Span) -> Place {
        let length = text.elements.len() as u64 + 1;
        let initial = if text.element == IntType::CHAR {
            let mut bytes: Vec<u8> = text.elements.iter().map(|&byte| byte as u8).collect();
            bytes.push(0);
            Initial::Bytes(bytes)
        } else {
            Initial::Values(
                (0..text.elements.len())
                    .filter(|&index| text.elements[index] != 0)
                    .map(|index| {
                        let value = int(text.value(index), Type::Int(text.element), span);
                        (vec![ConstantStep::Index(index as u64)], value)
                    })
                    .collect(),
            )
        };
        self.names += 1;
        let name = format!("s{}", self.names);
        let ty = Type::Array(Type::Int(text.element).into(), Length::Known(length));
        let storage = Storage::Static {
            function: None,
            initial,
        };
        let id = self.new_variable(name, ty, storage, span);
        self.program.literals.insert(id);
        self.variable_place(id, span)
    }
}

/// A number, or one beyond every floating type.
enum Size {
    Number(BigRational),
    Huge,
}

fn float_value(number: &str, hexadecimal: bool) -> Option<Size> {
    let number = number.to_ascii_lowercase();
    let number = number.strip_prefix("0x").unwrap_or(&number);
    let (mantissa, exponent) = match number.split_once(if hexadecimal { 'p' } else { 'e' }) {
        Some((mantissa, exponent)) => {
            // An exponent beyond 64 bits is no different from the largest ones.
            let digits = exponent.trim_start_matches(['+', '-']);
            let size = digits
                .parse::<i64>()
                .unwrap_or(i64::MAX / 4)
                .min(i64::MAX / 4);
            let exponent = if exponent.starts_with('-') {
                -size
            } else {
                size
            };
            (mantissa, exponent)
        }
        None => (number, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let radix = if hexadecimal { 16 } else { 10 };
    let value = if digits.is_empty() {
        return None;
    } else {
        BigInt::parse_bytes(digits.as_bytes(), radix)?
    };
    if value.is_zero() {
        return Some(Size::Number(BigRational::zero()));
    }
    let value_digits = digits.trim_start_matches('0').len() as i64;
    let shift = fraction.len() as i64;
    let (base_exponent, magnitude) = if hexadecimal {
        let exponent = exponent - 4 * shift;
        (exponent, exponent + 4 * value_digits)
    } else {
        let exponent = exponent - shift;
        (exponent, exponent + value_digits)
    };
    let limit = if hexadecimal {
        4 * LARGEST_EXPONENT
    } else {
        LARGEST_EXPONENT
    };
    if magnitude > limit {
        return Some(Size::Huge);
    }
    if magnitude < -limit {
        // Rounds to zero in every type.
        return Some(Size::Number(BigRational::zero()));
    }
    let value = BigRational::from_integer(value);
    let factor = if hexadecimal {
        power_of_two(base_exponent)
    } else {
        let power = num_traits::pow(BigInt::from(10), base_exponent.unsigned_abs().to_usize()?);
        if base_exponent >= 0 {
            BigRational::from_integer(power)
        } else {
            BigRational::new(BigInt::one(), power)
        }
    };
    Some(Size::Number(value * factor))
}

/// Appends the elements of a literal's text; `None` if it has an unknown escape sequence.
fn unescape(text: &str, element: IntType, elements: &mut Vec<u32>) -> Option<()> {
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '\\' {
            push_character(next as u32, element, elements);
            continue;
        }
        let escape = rest.next()?;
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            // A line spliced inside of a literal.
            '\n' => continue,
            '0'..='7' => {
                let mut value = escape.to_digit(8)?;
                for _ in 0..2 {
                    match rest.peek().and_then(|next| next.to_digit(8)) {
                        Some(digit) => {
                            value = value * 8 + digit;
                            rest.next();
                        }
                        None => break,
                    }
                }
                value
            }
            'x' => {
                let mut value: u32 = 0;
                while let Some(digit) = rest.peek().and_then(|next| next.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    rest.next();
                }
                value
            }
            'u' | 'U' => {
                let mut value: u32 = 0;
                for _ in 0..if escape == 'u' { 4 } else { 8 } {
                    let digit = rest.next()?.to_digit(16)?;
                    value = value.wrapping_mul(16).wrapping_add(digit);
                }
                push_character(value, element, elements);
                continue;
            }
            _ => return None,
        };
        elements.push(value);
    }
    Some(())
}

/// A character in the encoding that belongs to the element type: UTF-8, UTF-16 or UTF-32.
fn push_character(character: u32, element: IntType, elements: &mut Vec<u32>) {
    let known = char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER);
    match element.bits {
        8 => {
            let mut buffer = [0; 4];
            let bytes = known.encode_utf8(&mut buffer).bytes();
            elements.extend(bytes.map(u32::from));
        }
        16 => {
            let mut buffer = [0; 2];
            elements.extend(
                known
                    .encode_utf16(&mut buffer)
                    .iter()
                    .map(|&unit| u32::from(unit)),
            );
        }
        _ => elements.push(character),
    }
}
