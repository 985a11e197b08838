//! Values as words, the operator first.

use std::sync::Arc;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero as _;

use ult_core::formula::{ConstructValue, Entries, Float, Format, MapValue, Mode, Sort, Value};

use super::Corrupt;
use super::read::{Reader, Words};
use super::write::{NotKept, Writer, integer, name};

/// Values are not nested deeper than this.
const MAX_DEPTH: usize = 100;

/// Floating-point numbers have no more bits than this.
const MAX_FLOAT: u32 = 1 << 16;

/// Adds the words for a value.
pub(super) fn write(
    writer: &mut Writer<'_>,
    value: &Value,
    words: &mut Vec<String>,
) -> Result<(), NotKept> {
    write_within(writer, value, words, MAX_DEPTH)
}

fn write_within(
    writer: &mut Writer<'_>,
    value: &Value,
    words: &mut Vec<String>,
    depth: usize,
) -> Result<(), NotKept> {
    let depth = depth.checked_sub(1).ok_or(NotKept)?;
    match value {
        Value::Bool(value) => words.push(value.to_string()),
        Value::Int(value) => words.extend(["int".into(), integer(value)]),
        Value::Real(value) => words.extend([
            "real".into(),
            integer(value.numer()),
            integer(value.denom()),
        ]),
        Value::BitVec(value, width) => {
            words.extend(["bits".into(), width.to_string(), format!("{value:x}")]);
        }
        Value::Float(value) => {
            let format = value.format();
            words.extend([
                "float".into(),
                format.exponent().to_string(),
                format.significand().to_string(),
                format!("{:x}", value.bits()),
            ]);
        }
        Value::Rounding(mode) => words.extend(["rounding".into(), name(mode.name())]),
        Value::Element(sort, number) => {
            words.extend(["element".into(), name(sort), number.to_string()]);
        }
        Value::Map(map) => {
            words.extend(["map".into(), map.domain.len().to_string()]);
            for sort in &map.domain {
                words.push(writer.sort(sort)?.to_string());
            }
            write_within(writer, &map.default, words, depth)?;
            words.push(map.entries.size().to_string());
            for (index, value) in &map.entries {
                for part in index {
                    write_within(writer, part, words, depth)?;
                }
                write_within(writer, value, words, depth)?;
            }
        }
        Value::Open => return Err(NotKept),
        Value::Construct(value) => {
            words.extend([
                "construct".into(),
                value.constructor.to_string(),
                name(&value.name),
                value.fields.len().to_string(),
            ]);
            for field in &value.fields {
                write_within(writer, field, words, depth)?;
            }
        }
    }
    Ok(())
}

/// Takes a value off the words. Whether it belongs to the sort that it should have is for the checker to see.
pub(super) fn read(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Value, Corrupt> {
    read_within(reader, words, MAX_DEPTH)
}

fn read_within(reader: &Reader<'_>, words: &mut Words<'_>, depth: usize) -> Result<Value, Corrupt> {
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| Corrupt::new("a value that is nested too deeply"))?;
    Ok(match words.next()? {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "int" => Value::Int(words.integer()?),
        "real" => Value::Real(words.rational()?),
        "bits" => {
            let width = words.number()?;
            Value::BitVec(words.natural()?, width)
        }
        "float" => {
            let (exponent, significand) = (words.number::<u32>()?, words.number::<u32>()?);
            let format = Format::new(exponent, significand)
                .filter(|_| significand <= MAX_FLOAT)
                .ok_or_else(|| Corrupt::new("a floating-point format without values"))?;
            let bits: BigUint = words.natural()?;
            if bits.bits() > u64::from(format.width()) {
                return Err(Corrupt::new("a floating-point number with too many bits"));
            }
            Value::Float(Float::from_bits(format, &bits))
        }
        "rounding" => {
            let name = words.name()?;
            let mode =
                Mode::named(&name).ok_or_else(|| Corrupt::new("an unknown rounding mode"))?;
            Value::Rounding(mode)
        }
        "element" => {
            let sort = words.name()?;
            Value::Element(sort, words.number()?)
        }
        "map" => {
            let count = words.count()?;
            let domain: Vec<Sort> = (0..count)
                .map(|_| reader.sort(words.number()?))
                .collect::<Result<_, Corrupt>>()?;
            if domain.is_empty() {
                return Err(Corrupt::new("a map without indices"));
            }
            let default = read_within(reader, words, depth)?;
            let mut entries = Entries::default();
            for _ in 0..words.count()? {
                let index: Vec<Value> = (0..count)
                    .map(|_| read_within(reader, words, depth))
                    .collect::<Result<_, Corrupt>>()?;
                entries.insert_mut(index, read_within(reader, words, depth)?);
            }
            Value::Map(Arc::new(MapValue {
                domain,
                default,
                entries,
            }))
        }
        "construct" => {
            let constructor = words.number()?;
            let name = words.name()?;
            let fields = (0..words.count()?)
                .map(|_| read_within(reader, words, depth))
                .collect::<Result<_, Corrupt>>()?;
            Value::Construct(Arc::new(ConstructValue {
                constructor,
                name,
                fields,
            }))
        }
        _ => return Err(Corrupt::new("an unknown kind of value")),
    })
}

/// A quotient; the denominator is not zero.
pub(super) fn quotient(words: &mut Words<'_>) -> Result<BigRational, Corrupt> {
    let (numerator, denominator) = (words.integer()?, words.integer()?);
    if denominator.is_zero() {
        return Err(Corrupt::new("a division by zero"));
    }
    Ok(BigRational::new(numerator, denominator))
}
