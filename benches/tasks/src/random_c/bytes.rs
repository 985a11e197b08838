//! What `memset`, `memcmp` and overlapping `memmove` do to objects.

use super::model::{Value, zero};
use super::program::Piece;
use super::types::{Integer, Type};
use super::writer::{Access, Writer};

impl Writer {
    /// Elements of an array move to the next places, one way or the other: source and target overlap.
    pub(super) fn shift(&mut self) -> Vec<Piece> {
        let Some(array) = self.access(|writer, access| {
            matches!(access.of, Type::Array(_, length) if length > 1)
                && writer.is_complete(&access.place)
                && access
                    .through
                    .iter()
                    .all(|pointer| !pointer.overlaps(&access.place))
        }) else {
            return Vec::new();
        };
        let (Type::Array(_, length), Value::All(mut values)) =
            (&array.of, self.value(&array.place))
        else {
            return Vec::new();
        };
        let count = 1 + self.below(length - 1);
        let by = 1 + self.below(length - count);
        let (to, from) = match self.chance(60) {
            true => (by, 0),
            false => (0, by),
        };
        let moved: Vec<Value> = values.iter().skip(from).take(count).cloned().collect();
        for (place, value) in values.iter_mut().skip(to).zip(moved) {
            *place = value;
        }
        self.set(&array.place, Value::All(values));
        let base = array.postfix();
        let at = |offset: usize| match offset {
            0 => base.clone(),
            offset => format!("{base} + {offset}"),
        };
        let size = match array.of {
            Type::Array(ref element, _) if **element == Type::Int(Integer::Char) => {
                count.to_string()
            }
            _ => format!("{count} * sizeof {base}[0]"),
        };
        vec![Piece::text(match self.below(3) {
            0 => format!("memmove(&{base}[{to}], &{base}[{from}], {size});"),
            1 => format!(
                "{{ void *to = {}; const void *from = {}; memmove(to, from, {size}); }}",
                at(to),
                at(from)
            ),
            _ => format!("memmove({}, {}, {size});", at(to), at(from)),
        })]
    }

    /// Bytes of an integer, or of integers in a row, are set to something.
    pub(super) fn fill(&mut self) -> Vec<Piece> {
        let is_plain = |of: &Type| matches!(of, Type::Int(int) if *int != Integer::Bool);
        let Some(to) = self.access(|_, access| {
            !access.is_bits
                && match &access.of {
                    Type::Array(element, _) => is_plain(element),
                    of => is_plain(of),
                }
        }) else {
            return Vec::new();
        };
        let byte = match self.below(3) {
            0 => 0,
            1 => 255,
            _ => self.below(128),
        };
        let text = match &to.of {
            Type::Array(_, length) if *length > 1 && self.is_complete(&to.place) => {
                let first = self.below(*length);
                let count = 1 + self.below(length - first);
                let base = to.postfix();
                format!("memset(&{base}[{first}], {byte}, {count} * sizeof {base}[0]);")
            }
            _ => {
                let value = zero(&self.types, &to.of);
                self.set(&to.place, value);
                format!("memset({}, {byte}, sizeof {});", to.address(), to.postfix())
            }
        };
        vec![Piece::Text(text)]
    }

    /// Two objects get the same bytes, also between their members, and are compared.
    pub(super) fn same_bytes(&mut self) -> Vec<Piece> {
        let fits = |writer: &Writer, access: &Access| {
            !access.is_bits
                && matches!(access.of, Type::Record(_) | Type::Array(..))
                && !writer.types.is_flexible(&access.of)
                && access.through.is_empty()
        };
        let (Some(first), Some(to)) = (
            self.access(fits),
            self.access(|writer, access| {
                matches!(access.of, Type::Int(int) if int != Integer::Bool)
                    && writer.value(&access.place) == Value::Integer
                    && access.through.is_empty()
            }),
        ) else {
            return Vec::new();
        };
        let mut pieces = vec![self.declare(&first.of, false, false)];
        let Some(second) = self.locals.last().cloned() else {
            return pieces;
        };
        let size = format!("sizeof {}", first.postfix());
        let address = match first.of {
            Type::Array(..) => second.name.clone(),
            _ => format!("&{}", second.name),
        };
        let is_complete = self.is_complete(&first.place);
        if is_complete && self.chance(50) {
            let value = self.value(&first.place);
            self.set(&second.place, value);
            pieces.push(Piece::text(format!(
                "memcpy({address}, {}, {size});",
                first.address()
            )));
        } else {
            let value = zero(&self.types, &first.of);
            self.set(&first.place, value.clone());
            self.set(&second.place, value);
            pieces.push(Piece::text(format!(
                "memset({}, 0, {size});\nmemset({address}, 0, {size});",
                first.address()
            )));
        }
        // The other object must not change before they are compared.
        if to.place.overlaps(&first.place) || self.value(&to.place) != Value::Integer {
            return pieces;
        }
        pieces.push(Piece::text(format!(
            "{} = memcmp({}, {address}, {size}) == 0;",
            to.text,
            first.address()
        )));
        pieces
    }
}
