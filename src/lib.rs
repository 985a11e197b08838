//! `ult`: a program verifier, for programs in Rust that verify others.
//!
//! # A tour
//!
//! **Check a text**: a Boogie program, program graphs, with the features `horn` and `c` also Horn clauses and C. What comes
//! back is a [`program::Report`]: a verdict for each obligation, invariants, runs.
//!
//! ```
//! use ult::control::Control;
//! use ult::program::{Progress, Conclusion, Language, Settings, Source, check};
//!
//! let text = "procedure p() { var i: int; i := 0; while (i < 10) { i := i + 1; } assert i == 10; }";
//! let source = Source::new("p.bpl", text);
//! let (settings, control) = (Settings::default(), Control::unlimited());
//! let report = check(&source, Language::Boogie, &settings, &control, &Progress::default())?;
//! assert_eq!(report.conclusion(), Conclusion::Safe);
//! # Ok::<(), ult::lower::EntryError>(())
//! ```
//!
//! **Build a graph** with Rust expressions: [`model::Model`]. With the feature `macros`, `ult::graph!` has graphs in their
//! own language inside of Rust. Graphs that were built otherwise go to [`verify::verify_unit`].
//!
//! **Read a verdict**: [`check::Verdict`] is SAFE with a proof that the checker has made anew, UNSAFE with a run that it
//! has executed, or UNKNOWN with a [`reason::Reason`]. Nobody but the checker can make the first two.
//!
//! **Cancel**: a [`control::Control`] has a time limit, and a handle that other threads stop the work with.
//!
//! ```
//! use std::time::Duration;
//! use ult::control::{Control, Stop};
//!
//! let control = Control::unlimited().within(Some(Duration::from_secs(10)));
//! control.stop(Stop::Cancelled);
//! assert!(control.check().is_err());
//! ```
//!
//! **Follow progress**: a [`program::Progress`] shows at any time what is known so far, and tells of each
//! [`program::Event`] whoever wants to hear. What was told as SAFE or UNSAFE is not taken back.
//!
//! ```
//! use ult::control::Control;
//! use ult::program::{Progress, Event, Language, Settings, Source, check};
//!
//! let progress = Progress::with_listener(|event| match event {
//!     Event::Known { unit, .. } | Event::Changed { unit, .. } => {
//!         println!("{}: {}", unit.name, unit.conclusion());
//!     }
//!     _ => {}
//! })?;
//! let source = Source::new("p.bpl", "procedure p(x: int) { assert x * x >= 0; }");
//! check(&source, Language::Boogie, &Settings::default(), &Control::unlimited(), &progress)?;
//! progress.close();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here prints, reads files or keeps global state. The program `ult`, its language server and its reports are
//! crates of their own (`ult-cli`, `ult-lsp`, `ult-report`), and so are the parts behind this one: ARCHITECTURE.md lists
//! them.

pub mod model;

pub use ult_core::{control, formula, graph, reason, stats};

/// What the checker says, and what it rests on.
pub mod check {
    pub use ult_check::{Proof, Verdict, Violation};
}

/// Who works on a graph.
pub mod engine {
    pub use ult_engine::{Common, EngineKind};
}

/// One graph, from reduction to verdicts.
pub mod verify {
    pub use ult_engine::verify::{Method, Settings, verify_unit};
}

/// How programs are lowered to graphs.
pub mod lower {
    pub use ult_lower::{CallPolicy, EntryError, Options};
}

/// Whole files: from a text to a verdict for each obligation.
pub mod program {
    pub use ult_driver::{
        Activity, Basis, Conclusion, Confirmation, Content, Event, InvariantReport, Language,
        Loaded, ObligationReport, Outcome, Place, Progress, Report, RunStep, Settings, Source,
        UnitReport, check, load,
    };
}

/// Messages about texts, and places in them.
pub mod text {
    pub use ult_lang::diagnostic::{Diagnostic, Id, Severity};
    pub use ult_lang::span::{Marker, Span};
}

/// How C is translated.
#[cfg(feature = "c")]
pub mod c {
    pub use ult_c::Options;
}

/// Program graphs inside of Rust, in the language of `.ult` files. What is wrong with them is said by the compiler, at the
/// word that is wrong.
///
/// ```
/// use ult::control::Control;
/// use ult::program::{Conclusion, Settings};
///
/// let count = ult::graph! {
///     graph count {
///         var x: int;
///         init start;
///         error negative "x is negative";
///
///         start -> counting: next(x) == 0;
///         counting -> counting: x < 100 && next(x) == x + 1;
///         counting -> negative: x < 0;
///     }
/// };
/// let report = count.check(&Settings::default(), &Control::unlimited());
/// assert_eq!(report.conclusion(), Conclusion::Safe);
/// ```
///
/// The value is a [`model::Graphs`]: the text, which the library reads as it reads a file, so that a graph means the same
/// in both. Places in its reports are those of the Rust file.
///
/// # What is written otherwise than in a file
///
/// Rust cuts the text into words before the macro sees it, and an apostrophe is something else there. So the value behind a
/// step is written `next(x)` instead of `x'`; names in backticks and signs such as `∀` are not possible. A raw string can
/// have all of it; then the message says the line, but the compiler points at the whole string:
///
/// ```
/// let count = ult::graph!(r#"
///     graph count { var x: int; init start; start -> `end of it`: x' == 0; }
/// "#);
/// ```
///
/// # Errors
///
/// A variable that there is not, a type that does not fit, a missing semicolon: such a program does not compile.
///
/// ```compile_fail
/// ult::graph! {
///     graph count { var x: int; init start; start -> end: next(x) == true; }
/// };
/// ```
#[cfg(feature = "macros")]
pub use ult_macros::graph;
