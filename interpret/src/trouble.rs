//! Why an expression has no value here.

use std::rc::Rc;

/// What is not covered, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// What it is.
    pub what: Rc<str>,
}

impl Trouble {
    /// Something that is not covered.
    pub(crate) fn new(what: impl Into<Rc<str>>) -> Trouble {
        Trouble { what: what.into() }
    }

    /// Operands that do not fit: the compiler let something through.
    pub(crate) fn operands() -> Trouble {
        Trouble::new("an operator on operands that do not fit it")
    }
}

/// A value, or why there is none.
pub(crate) type Result<T> = std::result::Result<T, Trouble>;
