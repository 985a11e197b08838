//! What C leaves undefined: for each of its kinds the property that checks it, and the words for it.

/// What C leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undefined {
    /// A signed operation whose result is not in the range of its type (C11 6.5).
    Overflow,
    /// A division by zero (C11 6.5.5).
    Division,
    /// A shift by a negative number or by the width or more (C11 6.5.7).
    Shift,
    /// The same for a signed number to the left, which an overflow is as well.
    SignedShiftLeft,
    /// A floating-point number too large for an integer type (C11 6.3.1.4).
    Conversion,
    /// An access to no live object (C11 6.5.3.2).
    Dereference,
    /// A read of what was not written (C11 6.3.2.1p2).
    Read,
    /// An index outside of its array, also where the object goes on there (C11 6.5.6p8).
    Bounds,
    /// A difference of pointers into different objects (C11 6.5.6p9).
    Difference,
    /// A copy of an object to one that overlaps it (C11 6.5.16.1p3, 7.24.2.1p2).
    Overlap,
    /// `free` of what was not allocated, or was freed before (C11 7.22.3.3p2).
    Free,
    /// A read of what is no value of its type (C11 6.2.6.1p5): a `_Bool` that is neither 0 nor 1.
    Representation,
    /// Operands without an order of which one changes what the other one uses (C11 6.5p2).
    Order,
    /// A format of `printf` or `scanf` that is none, or that its arguments do not fit (C11 7.21.6.1p9).
    Format,
}

impl Undefined {
    /// All of it, in the order in which assumptions are printed.
    pub const ALL: [Undefined; 14] = [
        Undefined::Overflow,
        Undefined::Division,
        Undefined::Shift,
        Undefined::SignedShiftLeft,
        Undefined::Conversion,
        Undefined::Free,
        Undefined::Dereference,
        Undefined::Read,
        Undefined::Bounds,
        Undefined::Difference,
        Undefined::Representation,
        Undefined::Overlap,
        Undefined::Order,
        Undefined::Format,
    ];

    /// The name of the property that checks it, if there is one.
    pub fn property(self) -> Option<&'static str> {
        Some(match self {
            Undefined::Overflow => "no-overflow",
            Undefined::Division => "division-by-zero",
            Undefined::Shift | Undefined::SignedShiftLeft => "shift-range",
            Undefined::Conversion => "float-conversion",
            Undefined::Dereference => "valid-deref",
            Undefined::Read => "uninitialised",
            Undefined::Bounds => "array-bounds",
            Undefined::Difference => "pointer-difference",
            Undefined::Overlap => "overlap",
            Undefined::Free => "valid-free",
            Undefined::Representation => return None,
            Undefined::Order => "evaluation-order",
            Undefined::Format => "valid-format",
        })
    }

    /// What happens in a trace that violates it.
    pub fn violation(self) -> &'static str {
        match self {
            Undefined::Overflow => "signed overflow",
            Undefined::Division => "division by zero",
            Undefined::Shift | Undefined::SignedShiftLeft => {
                "shift by a negative or too large number"
            }
            Undefined::Conversion => "floating-point number too large for the integer type",
            Undefined::Dereference => "invalid dereference",
            Undefined::Read => "read of what was not written",
            Undefined::Bounds => "index outside of its array",
            Undefined::Difference => "difference of pointers into different objects",
            Undefined::Overlap => "copy between objects that overlap",
            Undefined::Free => "invalid free",
            Undefined::Representation => "value that its type does not have",
            Undefined::Order => {
                "operands without an order of which one changes what another one uses"
            }
            Undefined::Format => "format that does not fit",
        }
    }

    /// What is assumed where it is not checked, in words.
    pub fn assumption(self) -> &'static str {
        match self {
            Undefined::Overflow => "signed integers do not overflow",
            Undefined::Division => "nothing is divided by zero",
            Undefined::Shift | Undefined::SignedShiftLeft => {
                "nothing is shifted by a negative number, or by its width or more"
            }
            Undefined::Conversion => "floating-point numbers fit where they become integers",
            Undefined::Dereference => {
                "pointers are used within their objects only, and while these live"
            }
            Undefined::Read => "what is read was written before",
            Undefined::Bounds => "arrays are used within their bounds",
            Undefined::Difference => "pointers are subtracted from those into the same object only",
            Undefined::Overlap => {
                "objects that are copied do not overlap, but for memmove and copies to themselves"
            }
            Undefined::Free => "only what was allocated is freed, and nothing twice",
            Undefined::Representation => "objects of the type _Bool contain 0 or 1",
            Undefined::Order => "no operand changes what another one uses, without an order",
            Undefined::Format => "the arguments of printf and scanf fit the format",
        }
    }
}
