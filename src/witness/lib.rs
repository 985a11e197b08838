//! Witnesses for verdicts on C programs, in version 2 of the YAML format of SV-COMP
//! (<https://sosy-lab.gitlab.io/benchmarking/sv-witnesses/>): written for other tools, and read from them.
//!
//! A *violation sequence* says where a run passes, up to the violation; an *invariant set* says what holds at loops and
//! statements. A foreign witness is checked by writing it into the program: see `instrument`.
//!
//! | file | idea |
//! |---|---|
//! | `harness` | a C file that feeds a run's inputs to the program |
//! | `gdb` | breakpoints along a run |
//! | `write` | from a report to a witness |
//! | `read` | from a file to a witness |
//! | [`place`] | lines and columns of the user's file, and offsets in the text |
//! | [`confirm`] | compiled programs as a second opinion on violations |
//! | `instrument` | the program that has an error exactly if the witness is right (or wrong) |

pub mod confirm;
mod gdb;
mod harness;
mod instrument;
pub mod place;
mod read;
mod write;

pub use gdb::gdb;
pub use harness::{Fed, Inputs, Role, harness, inputs};
pub use instrument::{Instrumented, instrument};
pub use read::read;
pub use write::{Metadata, write};

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The hashes of the input files that it is about, in hexadecimal digits.
    pub hashes: Vec<String>,
    /// Its claim.
    pub claim: Claim,
}

impl Witness {
    /// Whether it is about the file with this content.
    pub fn is_about(&self, content: &[u8]) -> bool {
        self.hashes.contains(&write::hash(content))
    }
}

/// The claim of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There is a run with a violation that passes these segments, one after the other.
    Violation(Vec<Segment>),
    /// The program is right, and these invariants hold.
    Correctness(Vec<Invariant>),
}

/// A part of a run: it ends where the waypoint to be followed is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What must not be passed in this segment.
    pub avoid: Vec<Waypoint>,
    /// What is passed at its end.
    pub follow: Waypoint,
}

/// Something that a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Where.
    pub location: Location,
}

/// What a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// A statement, with this condition true before it.
    Assumption(String),
    /// A branch, this way.
    Branching(bool),
    /// The end of a call, with this condition on `\result`.
    FunctionReturn(String),
    /// The beginning of a function.
    FunctionEnter,
    /// The violation.
    Target,
}

/// A place in the user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; without one, the first place of the right kind on the line.
    pub column: Option<u32>,
}

/// Something that holds whenever a run is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Whether the place is a loop, so that it holds whenever its condition is evaluated; else it holds before the statement.
    pub is_loop: bool,
    /// Where.
    pub location: Location,
    /// An expression of C.
    pub value: String,
}
