//! What a memory program looks at: integers by their own names and through pointers, comparisons of pointers.

use super::model::{Target, Value};
use super::program::Piece;
use super::types::Type;
use super::writer::{Access, Writer};

/// So many results at most.
const MOST_RESULTS: usize = 6;

impl Writer {
    /// What a comparison says, in an integer.
    pub(super) fn compare(&mut self) -> Vec<Piece> {
        let Some(to) = self.integer() else {
            return Vec::new();
        };
        let Some(text) = self.comparison() else {
            return Vec::new();
        };
        let operator = self.word(&["=", "+=", "^="]);
        vec![Piece::text(format!("{} {operator} {text};", to.text))]
    }

    /// A comparison of pointers or bytes.
    pub(super) fn comparison(&mut self) -> Option<String> {
        let first = self.access(|writer, access| {
            matches!(access.of, Type::Pointer(_))
                && matches!(
                    writer.value(&access.place),
                    Value::Pointer(Target::Place(_))
                )
                && writer.is_complete(&access.place)
        })?;
        if self.chance(15) {
            return Some(format!("({} != 0)", first.text));
        }
        let (text, target) = self.pointer_value(&first.of)?;
        let Value::Pointer(Target::Place(one)) = self.value(&first.place) else {
            return None;
        };
        let is_same_array = matches!(&target, Target::Place(other)
            if other.object == one.object && other.path.len() == one.path.len()
                && other.path.split_last().map(|(_, rest)| rest) == one.path.split_last().map(|(_, rest)| rest)
                && !one.path.is_empty());
        let outer = one.path.split_last().map(|(_, rest)| super::model::Place {
            object: one.object,
            path: rest.to_vec(),
        });
        let is_array = outer.is_some_and(|outer| {
            matches!(
                self.memory.type_of(&self.types, &outer),
                Some(Type::Array(..))
            )
        });
        if is_same_array && is_array && first.of != Type::Void.pointer() && self.chance(60) {
            return Some(match self.chance(50) {
                true => format!("({} < {text})", first.text),
                false => format!("({} - ({text}))", first.text),
            });
        }
        Some(format!("({} == {text})", first.text))
    }

    /// The results: integers by their own names, integers through pointers, comparisons.
    pub(super) fn look(&mut self, body: &mut Vec<Piece>) {
        let mut plain: Vec<Access> = self
            .accesses()
            .into_iter()
            .filter(|access| {
                matches!(access.of, Type::Int(_)) && self.value(&access.place) == Value::Integer
            })
            .collect();
        let far: Vec<Access> = plain
            .iter()
            .filter(|access| !access.through.is_empty())
            .cloned()
            .collect();
        plain.retain(|access| access.through.is_empty());
        let mut values = Vec::new();
        let most = if self.has.only_one {
            2
        } else {
            MOST_RESULTS - 3
        };
        while !plain.is_empty() && values.len() < most {
            let index = self.below(plain.len());
            values.push(plain.swap_remove(index).text);
        }
        for _ in 0..MOST_RESULTS - 3 - usize::from(self.has.only_one) * 2 {
            if self.chance(30) {
                values.extend(self.comparison());
            } else if let Some(access) = self.pick(&far) {
                values.push(access.text);
            }
        }
        for (index, value) in values.into_iter().enumerate() {
            body.push(Piece::Result(format!("r{index}"), value));
        }
    }
}
