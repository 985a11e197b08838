//! What students may change, as an exercise says it: `invariants`, `body of max3`, `definition of I`.

use super::shape::{Kind, Part};

/// Parts of a program that students may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which kind of parts.
    pub(super) kind: Kind,
    /// Of which procedure, function or graph; of all without it.
    pub(super) owner: Option<String>,
}

/// The kinds by the words for them.
const KINDS: [(&str, Kind); 12] = [
    ("invariants", Kind::Invariant),
    ("requires", Kind::Requires),
    ("ensures", Kind::Ensures),
    ("modifies", Kind::Modifies),
    ("measures", Kind::Measure),
    ("assumptions", Kind::Assumption),
    ("body", Kind::Body),
    ("ghost code", Kind::Ghost),
    ("definition", Kind::Definition),
    ("formulas", Kind::Formula),
    ("edges", Kind::Edge),
    ("locations", Kind::Location),
];

impl Change {
    /// Reads `KIND` or `KIND of OWNER`.
    ///
    /// # Errors
    /// In words, if there is no such kind.
    pub(super) fn read(text: &str) -> Result<Change, String> {
        let (word, owner) = match text.split_once(" of ") {
            Some((word, owner)) => (word, Some(owner.trim().to_owned())),
            None => (text, None),
        };
        let known = KINDS.iter().find(|(known, _)| *known == word.trim());
        match known {
            Some(&(_, kind)) => Ok(Change { kind, owner }),
            None => {
                let words: Vec<&str> = KINDS.iter().map(|(word, _)| *word).collect();
                let words = words.join(", ");
                Err(format!(
                    "nothing is called `{text}` that students could change; there are: {words}"
                ))
            }
        }
    }

    /// Whether the part may be changed.
    pub(super) fn opens(&self, part: &Part) -> bool {
        self.kind == part.kind && self.is_about(&part.owner)
    }

    /// Whether it is about what is declared with this name.
    pub(super) fn is_about(&self, owner: &str) -> bool {
        self.owner.as_deref().is_none_or(|own| own == owner)
    }

    /// Whether what the program does is changed.
    pub(super) fn is_open_ended(&self) -> bool {
        matches!(self.kind, Kind::Body | Kind::Edge)
    }
}
