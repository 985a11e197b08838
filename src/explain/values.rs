//! Values, and what changed about them, as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

#[cfg(feature = "c")]
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use ult_core::formula::{MapValue, Value};
use ult_core::graph::evidence::Walk;

use super::source::Source;

/// The longest statement and the longest value that are shown.
pub(crate) const LIMIT: usize = 100;

/// Maps with more elements are not compared element by element.
const COMPARED: usize = 1000;

/// Up to so many changed elements of a map are shown one by one.
const ELEMENTS: usize = 4;

/// A predicate applied to values of a state.
pub(crate) fn atom(predicate: &str, arguments: &[Arc<str>], walk: &Walk<'_, '_>) -> String {
    let value = |name: &Arc<str>| walk.now(name).map_or("?".into(), shown);
    applied(predicate, arguments.iter().map(value))
}

pub(crate) fn applied(predicate: &str, arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    match arguments.is_empty() {
        true => predicate.to_owned(),
        false => format!("{predicate}({})", arguments.join(", ")),
    }
}

/// `name = value`, or for a map that changed at a few places these places; nothing for a map that stays as it was. Where
/// elements were `stored`, it can have changed only there.
pub(crate) fn change(
    name: &str,
    old: Option<&Value>,
    new: &Value,
    stored: Option<BTreeSet<Vec<Value>>>,
    source: &Source,
) -> Vec<(String, String)> {
    if let (Some(Value::Map(old)), Value::Map(new)) = (old, new)
        && old.default == new.default
        && (stored.is_some() || old.entries.size().max(new.entries.size()) <= COMPARED)
    {
        let indices = stored.unwrap_or_else(|| {
            let all = old.entries.keys().chain(new.entries.keys());
            all.cloned().collect()
        });
        let different: Vec<_> = indices
            .iter()
            .filter(|index| differ(old.get(index), new.get(index)))
            .collect();
        if different.len() <= ELEMENTS {
            let mut numbers = BTreeSet::new();
            return different
                .into_iter()
                .flat_map(|index| {
                    if let Some((name, value)) = number(name, index, new, source) {
                        let plain = name.strip_suffix(GOES_ON).unwrap_or(&name);
                        let is_first = numbers.insert(plain.to_owned());
                        return is_first.then_some((name, value)).into_iter().collect();
                    }
                    let name = element(name, index, source);
                    match (old.get(index), new.get(index)) {
                        // The memory of an object.
                        (old @ Value::Map(_), new @ Value::Map(_)) if source.is_translated => {
                            change(&name, Some(old), new, None, source)
                        }
                        (_, new) => vec![(name, shown(new))],
                    }
                })
                .collect();
        }
    }
    vec![(name.to_owned(), shown(new))]
}

/// Whether two values are written differently; large maps are not looked into.
pub(crate) fn differ(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Map(old), Value::Map(new)) => {
            let sizes = (old.entries.size(), new.entries.size());
            !Arc::ptr_eq(old, new) && (sizes.0 != sizes.1 || sizes.0 > COMPARED || old != new)
        }
        _ => old != new,
    }
}

/// An element of a map.
pub(crate) fn element(map: &str, index: &[Value], source: &Source) -> String {
    let offset = match index {
        [Value::Int(offset)] => offset.to_u64(),
        [Value::BitVec(offset, _)] => offset.to_u64(),
        _ => None,
    };
    match offset.and_then(|offset| source.element(map, offset)) {
        Some(part) => part,
        None => {
            let parts: Vec<String> = index.iter().map(shown).collect();
            format!("{map}[{}]", parts.join(", "))
        }
    }
}

/// How a name ends where a byte is written that is not the first of its number: the bytes of a number are written one by one, and
/// told together.
pub(crate) const GOES_ON: &str = "#+";

/// The number that a byte in a map of the translation belongs to, as C names it, with its value.
#[cfg(feature = "c")]
fn number(
    map: &str,
    index: &[Value],
    bytes: &MapValue,
    source: &Source,
) -> Option<(String, String)> {
    let [place] = index else { return None };
    let offset = match place {
        Value::Int(offset) => offset.to_u64()?,
        Value::BitVec(offset, _) => offset.to_u64()?,
        _ => return None,
    };
    let (mut name, number) = source.number(map, offset)?;
    if offset > number.start {
        name += GOES_ON;
    }
    let mut whole = BigInt::ZERO;
    let mut is_bits = false;
    // The lowest byte comes first.
    for offset in (number.start..number.start + number.size).rev() {
        let at = match place {
            Value::BitVec(_, width) => Value::BitVec(offset.into(), *width),
            _ => Value::Int(offset.into()),
        };
        let byte = match bytes.get(&[at]) {
            Value::Int(byte) => byte.clone(),
            Value::BitVec(byte, 8) => {
                is_bits = true;
                byte.clone().into()
            }
            _ => return None,
        };
        // Bytes are unsigned numbers, but for those that C calls signed.
        whole = (whole << 8) + ((byte % 256 + 256) % 256);
    }
    let bits = u32::try_from(number.size * 8).ok()?;
    let value = match is_bits {
        true => Value::BitVec(whole.to_biguint()?, bits),
        false if number.signed && whole.bit(u64::from(bits) - 1) => {
            Value::Int(whole - (BigInt::from(1) << bits))
        }
        false => Value::Int(whole),
    };
    Some((name, shown(&value)))
}

/// Without C there is none.
#[cfg(not(feature = "c"))]
fn number(_: &str, _: &[Value], _: &MapValue, _: &Source) -> Option<(String, String)> {
    None
}

/// A text that is not written further than needed.
struct Start(String);

impl std::fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.push_str(text);
        // A character has at most four bytes.
        match self.0.len() > 4 * LIMIT {
            true => Err(std::fmt::Error),
            false => Ok(()),
        }
    }
}

/// A value, shortened.
pub(crate) fn shown(value: &Value) -> String {
    let mut text = Start(String::new());
    // It ends early where the text is long enough.
    let _ = write!(text, "{value}");
    let Start(text) = text;
    if text.chars().count() <= LIMIT {
        return text;
    }
    let start: String = text.chars().take(LIMIT - 3).collect();
    format!("{start}...")
}
