//! The options of a translation.

use std::collections::BTreeSet;

use crate::ir::{Function, LockRole};
use crate::types::DataModel;
use crate::undefined::Undefined;

/// How C is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The sizes of types.
    pub model: DataModel,
    /// How integers are expressed.
    pub integers: IntegerEncoding,
    /// What must not happen.
    pub properties: Properties,
    /// What is checked besides, as conditions that C leaves to the programmer: without them behavior is undefined. `None` where
    /// properties were asked for by name.
    pub conditions: Option<Properties>,
    /// What a signed overflow is, where it is not a violation.
    pub signed_overflow: SignedOverflow,
    /// Whether `malloc` and the like may return a null pointer.
    pub malloc_may_fail: bool,
    /// Whether the program asserts at each access through a pointer what the analysis of pointers says about it.
    pub check_pointers: bool,
    /// Whether the translation is an over-approximation.
    pub overapprox: Overapprox,
    /// In which order operands are evaluated where C leaves it open.
    pub evaluation: Evaluation,
    /// How the members of objects are kept.
    pub members: Members,
    /// The functions from which runs start, called from outside again and again; empty: `main`, or, in
    /// a program without it, all that the program does not call itself.
    pub entries: Vec<String>,
    /// The strings that `main` gets, the program's name first; `None`: any.
    pub arguments: Option<Vec<Vec<u8>>>,
}

/// Which translations are over-approximations: what is read from memory is any value there, and so is what cannot be expressed. A proof of
/// an over-approximation counts, a run does not. Where the properties are about memory itself, all translations are exact. Who verifies one asks
/// for an over-approximation if something is not covered ([`Translation::has_gaps`](crate::Translation::has_gaps)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Overapprox {
    /// Where the exact translation does not cover something in the program, and leaves something open
    #[default]
    Auto,
    /// Never
    Never,
    /// Only there: then nothing is UNSAFE
    Only,
}

/// In which order operands are evaluated where C leaves it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// In any: where operands conflict, each order is covered, or the program is not.
    #[default]
    AnyOrder,
    /// From left to right: that operands do not conflict is an assumption.
    LeftToRight,
}

/// How the members of objects are kept. C11 6.5.6p8 says that nothing walks out of an array, even if the object goes on there;
/// programs do it all the same, and reach what lies there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Members {
    /// Apart: that no access leaves the array that its pointer is in is a claim, to be proved at each such access
    /// ([`Translation::has_claims`]).
    #[default]
    Apart,
    /// An object whose arrays pointers walk through is one piece.
    Flat,
}

/// How integers are expressed in Boogie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum IntegerEncoding {
    /// Integers, or bit-vectors for programs with operations on bits that need them, or with floating-point numbers
    #[default]
    Auto,
    /// Integers, with wrap-around written out
    Math,
    /// Bit-vectors
    Bits,
}

/// What a signed overflow is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SignedOverflow {
    /// Undefined: executions with one do not count
    #[default]
    Undefined,
    /// The result is taken modulo 2^n, as with `gcc -fwrapv`
    Wrap,
}

/// What must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// No call of `reach_error` or `__VERIFIER_error`. In a program without those functions, no
    /// failing `assert`.
    pub error_calls: bool,
    /// No failing `assert`, no failing ACSL assertion.
    pub assertions: bool,
    /// These labels must not be reached.
    pub labels: Vec<String>,
    /// No signed overflow (and no division that overflows).
    pub overflow: bool,
    /// No access to what is no live object (null pointers, bounds, after `free`).
    pub dereference: bool,
    /// No `free` of what cannot be freed.
    pub free: bool,
    /// At the end, every allocated object is freed or still reachable.
    pub track: bool,
    /// At the end, every allocated object is freed.
    pub cleanup: bool,
    /// No division by zero.
    pub division: bool,
    /// No shift by a negative number or by the width or more.
    pub shift: bool,
    /// No access outside of the array that its pointer or index is in, also where the object goes on there.
    pub bounds: bool,
    /// No read of a variable that was not written.
    pub uninitialised: bool,
    /// No floating-point number that does not fit the integer type that it is converted to.
    pub conversion: bool,
    /// No difference of pointers into different objects.
    pub difference: bool,
    /// No copy between objects that overlap.
    pub overlap: bool,
    /// No operand changes what another one uses, where C gives them no order.
    pub order: bool,
    /// No call of `printf` or `scanf` whose arguments do not fit the format.
    pub format: bool,
    /// No lock is acquired that is held, and none released that is not; `None`: that does not matter.
    pub locks: Option<Locks>,
}

/// Which functions are about locks, besides those with annotations that say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Functions that acquire the lock that is their first argument.
    pub acquire: BTreeSet<String>,
    /// Functions that release it.
    pub release: BTreeSet<String>,
}

impl Locks {
    /// What a function does with the lock that is its first argument, if anything.
    pub(crate) fn role(&self, function: &Function) -> Option<LockRole> {
        if self.acquire.contains(&function.name) {
            Some(LockRole::Acquire)
        } else if self.release.contains(&function.name) {
            Some(LockRole::Release)
        } else {
            function.lock
        }
    }
}

impl Default for Properties {
    /// The assertions.
    fn default() -> Properties {
        Properties {
            error_calls: true,
            assertions: true,
            ..Properties::none()
        }
    }
}

impl Properties {
    /// Memory safety: no access outside of a live object, no wrong `free`, no leak.
    pub fn memory_safety() -> Properties {
        Properties {
            dereference: true,
            free: true,
            track: true,
            ..Properties::none()
        }
    }

    /// Whether something must not happen that depends on what memory contains, or which memory there is.
    pub(crate) fn are_about_memory(&self) -> bool {
        self.dereference
            || self.free
            || self.track
            || self.cleanup
            || self.uninitialised
            || self.locks.is_some()
    }

    /// Whether something undefined is a violation.
    pub fn checks(&self, what: Undefined) -> bool {
        match what {
            Undefined::Overflow => self.overflow,
            Undefined::Division => self.division,
            Undefined::Shift => self.shift,
            Undefined::SignedShiftLeft => self.shift || self.overflow,
            Undefined::Conversion => self.conversion,
            Undefined::Dereference => self.dereference,
            Undefined::Read => self.uninitialised,
            Undefined::Difference => self.difference,
            Undefined::Overlap => self.overlap,
            Undefined::Free => self.free,
            Undefined::Bounds => self.bounds,
            Undefined::Representation => false,
            Undefined::Order => self.order,
            Undefined::Format => self.format,
        }
    }

    /// Everything may happen.
    pub fn none() -> Properties {
        Properties {
            error_calls: false,
            assertions: false,
            labels: Vec::new(),
            overflow: false,
            dereference: false,
            free: false,
            track: false,
            cleanup: false,
            division: false,
            shift: false,
            bounds: false,
            uninitialised: false,
            conversion: false,
            difference: false,
            overlap: false,
            order: false,
            format: false,
            locks: None,
        }
    }

    /// All that C leaves undefined, as far as there are properties for it.
    pub fn undefined() -> Properties {
        Properties {
            overflow: true,
            dereference: true,
            free: true,
            division: true,
            shift: true,
            bounds: true,
            uninitialised: true,
            conversion: true,
            difference: true,
            overlap: true,
            order: true,
            format: true,
            ..Properties::none()
        }
    }

    /// What this asks for and another one does not; only of what C leaves undefined.
    pub fn without(&self, other: &Properties) -> Properties {
        self.undefined_by(other, |own, other| own && !other)
    }

    /// What one of both asks for.
    pub fn or(&self, other: &Properties) -> Properties {
        let (mut labels, mut locks) = (self.labels.clone(), self.locks.clone());
        labels.extend(other.labels.iter().cloned());
        labels.sort();
        labels.dedup();
        if let Some(more) = &other.locks {
            let known = locks.get_or_insert_default();
            known.acquire.extend(more.acquire.iter().cloned());
            known.release.extend(more.release.iter().cloned());
        }
        Properties {
            error_calls: self.error_calls || other.error_calls,
            assertions: self.assertions || other.assertions,
            labels,
            track: self.track || other.track,
            cleanup: self.cleanup || other.cleanup,
            locks,
            ..self.undefined_by(other, |own, other| own || other)
        }
    }

    /// The same, but what C leaves undefined is asked for where a function of both says so.
    fn undefined_by(&self, other: &Properties, is_asked: fn(bool, bool) -> bool) -> Properties {
        Properties {
            overflow: is_asked(self.overflow, other.overflow),
            dereference: is_asked(self.dereference, other.dereference),
            free: is_asked(self.free, other.free),
            division: is_asked(self.division, other.division),
            shift: is_asked(self.shift, other.shift),
            bounds: is_asked(self.bounds, other.bounds),
            uninitialised: is_asked(self.uninitialised, other.uninitialised),
            conversion: is_asked(self.conversion, other.conversion),
            difference: is_asked(self.difference, other.difference),
            overlap: is_asked(self.overlap, other.overlap),
            order: is_asked(self.order, other.order),
            format: is_asked(self.format, other.format),
            ..self.clone()
        }
    }
}
