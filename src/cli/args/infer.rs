//! `ult infer`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seconds::seconds;

/// `ult infer`
#[derive(Args, Debug)]
pub struct InferArgs {
    /// A Boogie program; `-` reads from stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only for the loop on this line, or the last one before it
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub line: Option<u32>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = InferFormatArg::Text)]
    pub format: InferFormatArg,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// The forms of what was inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferFormatArg {
    /// The whole program
    Text,
    /// What was added, with the lines of the loops, and the whole program
    Json,
}

pub(super) const INFER: &str = "Add the loop invariants and postconditions to a Boogie program that its proof needs

Loops are searched for proofs, procedure by procedure, and what the proofs say about loops is written to them: as `invariant` \
clauses, or after labels as assertions, as Boogie reads them. Where calls need more than contracts say, postconditions are \
written, too. Of all that, only what the proof needs is kept. The program \
that is printed is one that `ult check --modular` proves, and so does every tool that knows of loops what their invariants say.

Where that does not succeed, the exit code is 4, and the program is printed with those invariants that were proved; where an \
assertion is violated, it is 1, and the program is printed as it was.";
