//! Scalars that are kept as bytes: in memory that is accessed in several sizes.

use num_bigint::BigInt;
use num_traits::One as _;

use super::body::{Body, Pointer, Value};
use super::number::Number;
use super::place::place_in;
use super::text::Text;
use crate::alias::Shape;
use crate::ir::BinaryOp;
use crate::types::{Bits, FloatType, IntType, Type};

/// The bytes that a bit-field has bits in (C11 6.7.2.1p11; the lowest bits come first).
struct Window {
    /// The bytes, the lowest first.
    places: Vec<Text>,
    /// The number of its lowest bit in the first of them.
    first: u32,
    /// All of them as one number, unsigned.
    whole: Text,
}

impl Window {
    /// How many bits the bytes have.
    fn width(&self) -> u32 {
        u32::try_from(self.places.len() * 8).unwrap_or(u32::MAX)
    }
}

impl Body<'_, '_> {
    /// The bytes of an object, the lowest first.
    fn bytes_at(&mut self, name: &str, shape: Shape, pointer: &Pointer, size: u64) -> Vec<Text> {
        (0..size)
            .map(|number| {
                let pointer = Pointer {
                    base: pointer.base.clone(),
                    offset: self.moved(&pointer.offset, number),
                };
                Text::select(name, &place_in(shape, &pointer))
            })
            .collect()
    }

    /// The value of a scalar that is kept as bytes; of a bit-field, if `bits` are given.
    pub fn read_bytes(
        &mut self,
        name: &str,
        shape: Shape,
        pointer: &Pointer,
        ty: &Type,
        bits: Option<Bits>,
    ) -> Value {
        let (Some(int), Some(size)) = (ty.integer(), self.size(ty)) else {
            return self.read_other_bytes(name, shape, pointer, ty);
        };
        if let Some(bits) = bits {
            return Value::Number(self.read_bits(name, shape, pointer, int, bits));
        }
        let bytes = self.bytes_at(name, shape, pointer, size);
        Value::Number(self.number_of_bytes(&bytes, int))
    }

    fn number_of_bytes(&mut self, bytes: &[Text], ty: IntType) -> Number {
        if self.bits() {
            let text = bytes
                .iter()
                .skip(1)
                .fold(bytes[0].clone(), |low, high| high.concat(&low));
            return Number::new(text, ty);
        }
        let mut sum = Text::int(0);
        for (number, byte) in bytes.iter().enumerate() {
            self.assume_range(byte, IntType::BYTE);
            let weight = BigInt::one() << (8 * number);
            sum = sum.add(&byte.multiply(&Text::int(weight)));
        }
        let unsigned = IntType {
            signed: false,
            ..ty
        };
        let number = Number::new(sum, unsigned);
        self.converted(&number, ty)
    }

    /// Floating numbers in bytes: as bit-vectors only.
    fn read_other_bytes(
        &mut self,
        name: &str,
        shape: Shape,
        pointer: &Pointer,
        ty: &Type,
    ) -> Value {
        if let (true, Type::Float(float @ (FloatType::Single | FloatType::Double))) =
            (self.bits(), ty)
        {
            let size = float.size(self.enc.program.model);
            let bytes = self.bytes_at(name, shape, pointer, size);
            let bits = u32::try_from(size * 8).unwrap_or(64);
            let unsigned = IntType {
                bits,
                signed: false,
            };
            let number = self.number_of_bytes(&bytes, unsigned);
            return Value::Float(*float, self.float_of_bits(*float, &number.text));
        }
        let what = match ty {
            Type::Float(_) => "a floating number that is also used as bytes",
            _ => "a pointer that is also used as bytes",
        };
        self.unsupported(what);
        self.arbitrary(ty)
    }

    /// Writes a scalar that is kept as bytes; a bit-field, if `bits` are given.
    pub fn write_bytes(
        &mut self,
        name: &str,
        shape: Shape,
        pointer: &Pointer,
        bits: Option<Bits>,
        value: Value,
    ) {
        let number = match value {
            Value::Number(number) if bits.is_some() => {
                if let Some(bits) = bits {
                    self.write_bits(name, shape, pointer, bits, &number);
                }
                return;
            }
            Value::Number(number) => number,
            Value::Float(float @ (FloatType::Single | FloatType::Double), text) if self.bits() => {
                self.bits_of_float(float, text)
            }
            Value::Nothing => return,
            Value::Pointer(_) | Value::Float(..) => {
                self.unsupported("a pointer or floating number that is also used as bytes");
                return;
            }
        };
        let unsigned = IntType {
            signed: false,
            ..number.ty
        };
        let number = self.converted(&number, unsigned);
        let sort = self.enc.int_sort(unsigned.bits);
        let whole = Number {
            text: self.named_as(number.text.clone(), &sort),
            ..number
        };
        let size = u64::from(unsigned.bits / 8);
        let places = self.bytes_at(name, shape, pointer, size);
        self.note_write(name);
        let mut values = Vec::new();
        for number in 0..unsigned.bits / 8 {
            values.push(if self.bits() {
                whole.text.extract(8 * number + 8, 8 * number)
            } else {
                let count = BigInt::from(8 * number);
                let count = self.constant(&count, IntType::INT);
                let rest = self.binary(BinaryOp::ShiftRight, &whole, &count);
                self.converted(&rest, IntType::BYTE).text
            });
        }
        for (place, value) in places.iter().zip(values) {
            self.out.line(format_args!("{place} := {value};"));
        }
    }

    /// The bytes around a bit-field.
    fn window(&mut self, name: &str, shape: Shape, pointer: &Pointer, bits: Bits) -> Window {
        let start = u64::from(bits.first / 8);
        let end = u64::from((bits.first + bits.width.max(1) - 1) / 8);
        let first = Pointer {
            base: pointer.base.clone(),
            offset: self.moved(&pointer.offset, start),
        };
        let places = self.bytes_at(name, shape, &first, end + 1 - start);
        let mut window = Window {
            places,
            first: bits.first % 8,
            whole: Text::int(0),
        };
        let ty = IntType {
            bits: window.width(),
            signed: false,
        };
        let whole = self.number_of_bytes(&window.places.clone(), ty).text;
        let sort = self.enc.int_sort(ty.bits);
        window.whole = self.named_as(whole, &sort);
        window
    }

    /// The value of a bit-field of type `ty`.
    fn read_bits(
        &mut self,
        name: &str,
        shape: Shape,
        pointer: &Pointer,
        ty: IntType,
        bits: Bits,
    ) -> Number {
        let window = self.window(name, shape, pointer, bits);
        let unsigned = IntType {
            bits: bits.width,
            signed: false,
        };
        let text = match self.bits() {
            true => window
                .whole
                .extract(window.first + bits.width, window.first),
            false => {
                let low = window.whole.div(&Text::int(power(window.first)));
                low.modulo(&Text::int(power(bits.width)))
            }
        };
        let number = Number::new(text, unsigned);
        let number = self.converted(
            &number,
            IntType {
                signed: ty.signed,
                ..unsigned
            },
        );
        self.converted(&number, ty)
    }

    /// Writes a bit-field: the other bits of its bytes stay as they are.
    fn write_bits(
        &mut self,
        name: &str,
        shape: Shape,
        pointer: &Pointer,
        bits: Bits,
        number: &Number,
    ) {
        if bits.width == 0 {
            return;
        }
        let value = self.converted(
            number,
            IntType {
                bits: bits.width,
                signed: false,
            },
        );
        let window = self.window(name, shape, pointer, bits);
        let (width, first) = (window.width(), window.first);
        let behind = first + bits.width;
        let whole = &window.whole;
        let new = if self.bits() {
            let mut new = value.text.clone();
            if first > 0 {
                new = new.concat(&whole.extract(first, 0));
            }
            if behind < width {
                new = whole.extract(width, behind).concat(&new);
            }
            new
        } else {
            let unit = Text::int(power(first));
            let old = whole.div(&unit).modulo(&Text::int(power(bits.width)));
            whole
                .subtract(&old.multiply(&unit))
                .add(&value.text.multiply(&unit))
        };
        let sort = self.enc.int_sort(width);
        let new = self.named_as(new, &sort);
        self.note_write(name);
        for (place, low) in window.places.iter().zip((0..width).step_by(8)) {
            let byte = match self.bits() {
                true => new.extract(low + 8, low),
                false => new.div(&Text::int(power(low))).modulo(&Text::int(power(8))),
            };
            self.out.line(format_args!("{place} := {byte};"));
        }
    }
}

/// 2^bits
fn power(bits: u32) -> BigInt {
    BigInt::one() << bits
}
