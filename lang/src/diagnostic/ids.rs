//! The one table of all diagnostic ids, their titles and their pages.
//!
//! E00xx lexical, E01xx syntax, E02xx names, E03xx types. An id, once released, keeps its meaning.

use std::fmt;

/// The stable id of a diagnostic, such as `E0101`. Only ids in [`TABLE`] exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(&'static str);

impl Id {
    /// The id as text, such as `"E0101"`.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The id with this text, if there is one; letter case does not matter.
    pub fn lookup(text: &str) -> Option<Id> {
        TABLE
            .iter()
            .map(|info| info.id)
            .find(|id| id.0.eq_ignore_ascii_case(text))
    }

    /// Its row in [`TABLE`].
    pub fn info(self) -> Option<&'static DiagnosticInfo> {
        TABLE.iter().find(|info| info.id == self)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What is known about an id.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticInfo {
    /// The id.
    pub id: Id,
    /// One line that names the kind of mistake.
    pub title: &'static str,
    /// The page that `ult explain` shows, in Markdown: what, why, an example that triggers it, the example mended.
    pub page: &'static str,
}

impl DiagnosticInfo {
    /// The examples of the page in their order: the language of the block (`bpl` or `ult`) and the text. The first one
    /// triggers the diagnostic, the others show how it is mended.
    pub fn examples(&self) -> Vec<(&'static str, &'static str)> {
        let mut examples = Vec::new();
        let mut rest = self.page;
        while let Some((_, block)) = rest.split_once("\n```") {
            let Some((language, text)) = block.split_once('\n') else {
                break;
            };
            let Some((text, behind)) = text.split_once("\n```") else {
                break;
            };
            if matches!(language, "bpl" | "ult") {
                examples.push((language, text));
            }
            rest = behind;
        }
        examples
    }
}

/// Declares the ids: a constant of type [`Id`] each, and their table with titles and pages.
macro_rules! ids {
    ($($constant:ident = $id:literal, $title:literal;)*) => {
        impl Id {
            $(#[doc = concat!("`", $id, "`: ", $title, ".")] pub const $constant: Id = Id($id);)*
        }

        /// All ids, in ascending order.
        pub const TABLE: &[DiagnosticInfo] = &[
            $(DiagnosticInfo { id: Id($id), title: $title, page: include_str!(concat!("pages/", $id, ".md")) },)*
        ];
    };
}

ids! {
    UNEXPECTED_CHARACTER = "E0001", "a character that no token begins with";
    UNCLOSED_COMMENT = "E0002", "a comment that is never closed";
    UNCLOSED_STRING = "E0003", "a string or quoted name that is not closed";
    BAD_LITERAL = "E0004", "a literal without a value";
    LIMIT = "E0005", "a text beyond the limits";
    SYNTAX = "E0101", "something else was expected here";
    UNCLOSED_BRACKET = "E0102", "a bracket that is never closed";
    MISMATCHED_BRACKET = "E0103", "a closing bracket that does not match";
    MIXED_OPERATORS = "E0104", "operators that do not mix without parentheses";
    CHAINED_COMPARISON = "E0105", "comparisons in a chain";
    LATE_LOCAL = "E0106", "a local variable declared among statements";
    BAD_BIT_RANGE = "E0107", "a bit range that is none";
    BAD_PARAMETER = "E0108", "a parameter without a proper name";
    DEFINE_AND_INLINE = "E0109", "a function both defined and inlined";
    MISPLACED_WHERE = "E0110", "a where clause where none is allowed";
    NO_SUCH_TYPE = "E0111", "a built-in type that does not exist";
}
