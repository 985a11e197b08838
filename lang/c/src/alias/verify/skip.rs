//! Mistakes that tests make the analysis make, to see that they are found.

/// A kind of constraints that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Skip {
    AddressTaken,
    Allocation,
    Argument,
    Assignment,
    Behind,
    Call,
    Conditional,
    Conversion,
    Elements,
    First,
    FloatCopy,
    Initial,
    InitialAccess,
    IntegerCopy,
    ListAccess,
    MemoryCopy,
    More,
    Moved,
    Outside,
    Overlapping,
    ParameterAccess,
    Read,
    Result,
    Return,
    SecondRound,
    Spread,
    StructureCopy,
    Union,
    VariableArgument,
    Walk,
    Written,
}

#[cfg(test)]
thread_local! {
    /// What is left out now.
    pub static SKIPPED: std::cell::Cell<Option<Skip>> = const { std::cell::Cell::new(None) };
}

/// Whether it is left out; never, but in tests.
#[cfg(test)]
pub fn skips(what: Skip) -> bool {
    SKIPPED.get() == Some(what)
}

/// Whether it is left out; never, but in tests.
#[cfg(not(test))]
pub const fn skips(_: Skip) -> bool {
    false
}
