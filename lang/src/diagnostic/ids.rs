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
}
