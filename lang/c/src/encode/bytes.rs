//! Scalars that are kept as bytes: in memory that is accessed in several sizes.
//!
//! Where pointers are among them, each byte has a *part* number: 0 if it is a byte of a number, and `i + 1` if it is the
//! `i`th byte of a pointer, which is then written beside it. So a pointer is read as what it was written as, as in
//! "Exploring C semantics and pointer provenance" (Memarian et al., POPL 2019, section 2.3), and bytes of pointers are
//! told from numbers.

use num_bigint::BigInt;
use num_traits::One as _;

use super::Encoder;
use super::body::{Body, Pointer, Value};
use super::number::Number;
use crate::alias::Shape;
use crate::ir::BinaryOp;
use crate::types::{Bits, FloatType, IntType, Type};
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// How the name of the map that says which byte of a pointer a byte is ends.
const PART: &str = "~part";
/// How the name of the map with the objects of these pointers ends.
const BASE: &str = "~base";
/// How the name of the map with their offsets ends.
const OFFSET: &str = "~offset";

/// A region of bytes.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The start of the names of its maps.
    pub name: String,
    /// How a place in it is found.
    pub shape: Shape,
    /// Whether there may be pointers in it.
    pub pointers: bool,
}

impl Bytes {
    /// Those of a union that is passed by value.
    pub fn passed(name: &str) -> Bytes {
        Bytes {
            name: name.to_owned(),
            shape: Shape::ByOffset,
            pointers: true,
        }
    }

    /// The maps.
    fn maps(&self) -> impl Iterator<Item = String> + '_ {
        let suffixes = suffixes(self.pointers).iter();
        suffixes.map(|suffix| format!("{}{suffix}", self.name))
    }
}

/// How the names of the maps of a region of bytes end.
fn suffixes(pointers: bool) -> &'static [&'static str] {
    match pointers {
        true => &["", PART, BASE, OFFSET],
        false => &[""],
    }
}

/// The maps of a region of bytes: how their names end, and what they map to.
pub(super) fn parts(enc: &Encoder<'_>, pointers: bool) -> Vec<(&'static str, Sort)> {
    let sort = |suffix: &str| match suffix {
        "" => enc.int_sort(8),
        OFFSET => enc.word_sort(),
        _ => Sort::Int,
    };
    let suffixes = suffixes(pointers).iter();
    suffixes.map(|suffix| (*suffix, sort(suffix))).collect()
}

/// What the bytes of a scalar in a region with pointers are.
struct Provenance {
    /// Whether all are bytes of numbers.
    numbers: Term,
    /// Whether they are all bytes of one pointer, in order.
    whole: Term,
    /// That pointer.
    pointer: Pointer,
}

/// The bytes that a bit-field has bits in (C11 6.7.2.1p11; the lowest bits come first).
struct Window {
    /// The bytes, the lowest first.
    places: Vec<Term>,
    /// Where the first of them is.
    start: Pointer,
    /// The number of its lowest bit in the first of them.
    first: u32,
    /// All of them as one number, unsigned.
    whole: Term,
}

impl Window {
    /// How many bits the bytes have.
    fn width(&self) -> u32 {
        u32::try_from(self.places.len() * 8).unwrap_or(u32::MAX)
    }
}

impl Body<'_, '_> {
    /// The bytes of an object, the lowest first.
    fn bytes_at(&self, region: &Bytes, pointer: &Pointer, size: u64) -> Vec<Term> {
        self.entries_at(&region.name, region.shape, pointer, size)
    }

    /// What a map says about the bytes of an object.
    pub fn entries_at(&self, map: &str, shape: Shape, pointer: &Pointer, size: u64) -> Vec<Term> {
        (0..size)
            .map(|number| {
                let pointer = Pointer {
                    base: pointer.base.clone(),
                    offset: self.moved(&pointer.offset, number),
                };
                self.entry(map, shape, &pointer)
            })
            .collect()
    }

    /// Copies the bytes of a scalar as they are, whatever they stand for. Whether that was possible.
    pub fn copy_bytes(
        &mut self,
        to: (&Bytes, &Pointer),
        from: (&Bytes, &Pointer),
        size: u64,
    ) -> bool {
        let ((to, there), (from, here)) = (to, from);
        if from.pointers && !to.pointers {
            return false;
        }
        for target in to.maps() {
            let suffix = &target[to.name.len()..];
            let left = self.entries_at(&target, to.shape, there, size);
            let right = match suffix {
                PART if !from.pointers => vec![Term::int(0); left.len()],
                BASE | OFFSET if !from.pointers => continue,
                _ => self.entries_at(&format!("{}{suffix}", from.name), from.shape, here, size),
            };
            for (left, right) in left.iter().zip(right) {
                self.out.assign(left, &right);
            }
        }
        true
    }

    /// What the bytes of a scalar are, if pointers may be among them.
    fn provenance(&mut self, region: &Bytes, pointer: &Pointer, size: u64) -> Option<Provenance> {
        if !region.pointers {
            return None;
        }
        let entries = |suffix: &str| {
            let map = format!("{}{suffix}", region.name);
            self.entries_at(&map, region.shape, pointer, size)
        };
        let (parts, bases, offsets) = (entries(PART), entries(BASE), entries(OFFSET));
        let zero = Term::int(0);
        let numbers = all(parts.iter().map(|part| part.equals(&zero)));
        let word = u64::from(self.enc.program.model.word() / 8);
        let whole = match size == word {
            false => Term::truth(false),
            true => {
                let in_order = parts.iter().zip(1u64..);
                let in_order = in_order.map(|(part, number)| part.equals(&Term::int(number)));
                let same = [&bases, &offsets].into_iter().flat_map(|entries| {
                    let pairs = entries.iter().zip(entries.iter().skip(1));
                    pairs.map(|(one, next)| next.equals(one))
                });
                all(in_order.chain(same))
            }
        };
        let (none, nowhere) = (Term::int(0), self.offset(0));
        Some(Provenance {
            numbers: self.named(numbers),
            whole: self.named(whole),
            pointer: Pointer {
                base: bases.into_iter().next().unwrap_or(none),
                offset: offsets.into_iter().next().unwrap_or(nowhere),
            },
        })
    }

    /// The number that bytes stand for: `number` if they are a number's.
    fn unless_pointer(&mut self, number: Number, provenance: Option<Provenance>) -> Number {
        let Some(provenance) = provenance else {
            return number;
        };
        let ty = number.ty;
        let Provenance {
            numbers,
            whole,
            pointer,
        } = provenance;
        let address = match whole.as_truth() {
            Some(false) => None,
            _ => {
                let address = self.under(whole.clone(), |body| body.address(&pointer));
                Some(self.converted(&address, ty))
            }
        };
        let result = self.temporary(self.enc.int_sort(ty.bits));
        let term = match address {
            Some(address) => numbers.choose(&number.term, &address.term),
            None => number.term,
        };
        self.out.assign(&result, &term);
        let neither = numbers.not().and(&whole.not());
        self.approximated(&neither, "the bytes of a pointer as numbers", |body| {
            // Whoever puts the numbers together again has an address.
            body.expose(true);
            body.out.havoc(&result);
            body.assume_range(&result, ty);
        });
        Number::new(result, ty)
    }

    /// These bytes are a number's from now on.
    fn note_numbers(&mut self, region: &Bytes, pointer: &Pointer, size: u64) {
        if !region.pointers {
            return;
        }
        let map = format!("{}{PART}", region.name);
        for part in self.entries_at(&map, region.shape, pointer, size) {
            self.out.assign(&part, &Term::int(0));
        }
    }

    /// The value of a scalar that is kept as bytes; of a bit-field, if `bits` are given.
    pub fn read_bytes(
        &mut self,
        region: &Bytes,
        pointer: &Pointer,
        ty: &Type,
        bits: Option<Bits>,
    ) -> Value {
        let (Some(int), Some(size)) = (ty.integer(), self.size(ty)) else {
            return self.read_other_bytes(region, pointer, ty);
        };
        if let Some(bits) = bits {
            return Value::Number(self.read_bits(region, pointer, int, bits));
        }
        Value::Number(self.read_number(region, pointer, int, size))
    }

    fn read_number(&mut self, region: &Bytes, pointer: &Pointer, ty: IntType, size: u64) -> Number {
        let bytes = self.bytes_at(region, pointer, size);
        let number = self.number_of_bytes(&bytes, ty);
        let provenance = self.provenance(region, pointer, size);
        self.unless_pointer(number, provenance)
    }

    /// A pointer that is kept as bytes.
    fn read_pointer(&mut self, region: &Bytes, pointer: &Pointer) -> Pointer {
        let word = self.word_type();
        let size = u64::from(word.bits / 8);
        let bytes = self.bytes_at(region, pointer, size);
        let number = self.number_of_bytes(&bytes, word);
        match self.provenance(region, pointer, size) {
            None => self.as_pointer(&number),
            Some(Provenance {
                numbers,
                whole,
                pointer,
            }) => {
                let number = self.under(numbers.clone(), |body| body.as_pointer(&number));
                let known = numbers.or(&whole);
                self.unsupported_unless(&known, "a pointer put together from bytes");
                let base = numbers.choose(&number.base, &pointer.base);
                let offset = numbers.choose(&number.offset, &pointer.offset);
                Pointer {
                    base: self.named(base),
                    offset: self.named(offset),
                }
            }
        }
    }

    /// Whether it is the null pointer, whose bytes are those of zero.
    fn is_null_constant(&self, pointer: &Pointer) -> bool {
        pointer.base == Term::int(0) && pointer.offset == self.offset(0)
    }

    fn write_pointer(&mut self, region: &Bytes, at: &Pointer, value: &Pointer) {
        let size = u64::from(self.word_type().bits / 8);
        let base = self.named(value.base.clone());
        let offset = self.named(value.offset.clone());
        for suffix in [PART, BASE, OFFSET] {
            let map = format!("{}{suffix}", region.name);
            let entries = self.entries_at(&map, region.shape, at, size);
            for (entry, number) in entries.iter().zip(1u64..) {
                let value = match suffix {
                    BASE => &base,
                    OFFSET => &offset,
                    _ => &Term::int(number),
                };
                self.out.assign(entry, value);
            }
        }
    }

    fn number_of_bytes(&mut self, bytes: &[Term], ty: IntType) -> Number {
        if self.bits() {
            let term = bytes
                .iter()
                .skip(1)
                .fold(bytes[0].clone(), |low, high| high.concat(&low));
            return Number::new(term, ty);
        }
        let mut sum = Term::int(0);
        for (number, byte) in bytes.iter().enumerate() {
            self.assume_range(byte, IntType::BYTE);
            let weight = BigInt::one() << (8 * number);
            sum = sum.add(&byte.multiply(&Term::int(weight)));
        }
        let unsigned = IntType {
            signed: false,
            ..ty
        };
        let number = Number::new(sum, unsigned);
        self.converted(&number, ty)
    }

    /// Floating-point numbers in bytes: as bit-vectors only.
    fn read_other_bytes(&mut self, region: &Bytes, pointer: &Pointer, ty: &Type) -> Value {
        if let (true, Type::Pointer(_) | Type::Function(_)) = (region.pointers, ty) {
            return Value::Pointer(self.read_pointer(region, pointer));
        }
        if let (true, Type::Float(float @ (FloatType::Single | FloatType::Double))) =
            (self.bits(), ty)
        {
            let size = float.size(self.enc.program.model);
            let bits = u32::try_from(size * 8).unwrap_or(64);
            let unsigned = IntType {
                bits,
                signed: false,
            };
            let number = self.read_number(region, pointer, unsigned, size);
            return Value::Float(*float, self.float_of_bits(*float, &number.term));
        }
        let what = match ty {
            Type::Float(_) => "a floating-point number that is also used as bytes",
            _ => "a pointer that is also used as bytes",
        };
        self.unsupported(what);
        self.arbitrary(ty)
    }

    /// Writes a scalar that is kept as bytes; a bit-field, if `bits` are given.
    pub fn write_bytes(
        &mut self,
        region: &Bytes,
        pointer: &Pointer,
        bits: Option<Bits>,
        value: Value,
    ) {
        let number = match value {
            Value::Number(number) if bits.is_some() => {
                if let Some(bits) = bits {
                    self.write_bits(region, pointer, bits, &number);
                }
                return;
            }
            Value::Number(number) => number,
            Value::Float(float @ (FloatType::Single | FloatType::Double), term) if self.bits() => {
                self.bits_of_float(float, term)
            }
            Value::Nothing => return,
            Value::Pointer(value) if self.is_null_constant(&value) => {
                self.constant(&0.into(), self.word_type())
            }
            Value::Pointer(value) if region.pointers => {
                self.write_pointer(region, pointer, &value);
                return;
            }
            Value::Pointer(_) | Value::Float(..) => {
                self.unsupported("a pointer or floating-point number that is also used as bytes");
                return;
            }
        };
        let unsigned = IntType {
            signed: false,
            ..number.ty
        };
        let number = self.converted(&number, unsigned);
        let whole = Number {
            term: self.named(number.term.clone()),
            ..number
        };
        let size = u64::from(unsigned.bits / 8);
        let places = self.bytes_at(region, pointer, size);
        self.note_numbers(region, pointer, size);
        let mut values = Vec::new();
        for number in 0..unsigned.bits / 8 {
            values.push(if self.bits() {
                whole.term.extract(8 * number + 8, 8 * number)
            } else {
                let count = BigInt::from(8 * number);
                let count = self.constant(&count, IntType::INT);
                let rest = self.binary(BinaryOp::ShiftRight, &whole, &count);
                self.converted(&rest, IntType::BYTE).term
            });
        }
        for (place, value) in places.iter().zip(values) {
            self.out.assign(place, &value);
        }
    }

    /// The bytes around a bit-field.
    fn window(&mut self, region: &Bytes, pointer: &Pointer, bits: Bits) -> Window {
        // The pointer leads to the first of them, see `Located::field`.
        let first = bits.first % 8;
        let size = bits.bytes();
        let mut window = Window {
            places: self.bytes_at(region, pointer, size),
            start: pointer.clone(),
            first,
            whole: Term::int(0),
        };
        let ty = IntType {
            bits: window.width(),
            signed: false,
        };
        let whole = self
            .read_number(region, &window.start.clone(), ty, size)
            .term;
        window.whole = self.named(whole);
        window
    }

    /// The value of a bit-field of type `ty`.
    fn read_bits(&mut self, region: &Bytes, pointer: &Pointer, ty: IntType, bits: Bits) -> Number {
        let window = self.window(region, pointer, bits);
        let unsigned = IntType {
            bits: bits.width,
            signed: false,
        };
        let term = match self.bits() {
            true => window
                .whole
                .extract(window.first + bits.width, window.first),
            false => {
                let low = window.whole.div(&Term::int(power(window.first)));
                low.modulo(&Term::int(power(bits.width)))
            }
        };
        let number = Number::new(term, unsigned);
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
    fn write_bits(&mut self, region: &Bytes, pointer: &Pointer, bits: Bits, number: &Number) {
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
        let window = self.window(region, pointer, bits);
        let (width, first) = (window.width(), window.first);
        let behind = first + bits.width;
        let whole = &window.whole;
        let new = if self.bits() {
            let mut new = value.term.clone();
            if first > 0 {
                new = new.concat(&whole.extract(first, 0));
            }
            if behind < width {
                new = whole.extract(width, behind).concat(&new);
            }
            new
        } else {
            let unit = Term::int(power(first));
            let old = whole.div(&unit).modulo(&Term::int(power(bits.width)));
            whole
                .subtract(&old.multiply(&unit))
                .add(&value.term.multiply(&unit))
        };
        let new = self.named(new);
        let size = window.places.len() as u64;
        self.note_numbers(region, &window.start, size);
        for (place, low) in window.places.iter().zip((0..width).step_by(8)) {
            let byte = match self.bits() {
                true => new.extract(low + 8, low),
                false => new.div(&Term::int(power(low))).modulo(&Term::int(power(8))),
            };
            self.out.assign(place, &byte);
        }
    }
}

/// Whether all of these hold.
fn all(conditions: impl Iterator<Item = Term>) -> Term {
    let all = conditions.reduce(|all, next| all.and(&next));
    all.unwrap_or_else(|| Term::truth(true))
}

/// 2^bits
fn power(bits: u32) -> BigInt {
    BigInt::one() << bits
}
