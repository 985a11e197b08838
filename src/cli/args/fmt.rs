//! `ult fmt`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `ult fmt`
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Boogie programs (.bpl) and program graphs (.ult), which are rewritten; `-` or nothing formats stdin to stdout
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, and list the files that would change; then the exit code is 1
    #[arg(long)]
    pub check: bool,
    /// The language; without it, files that end in `.ult` are program graphs, all others Boogie
    #[arg(long, value_enum)]
    pub language: Option<FmtLanguageArg>,
}

/// `--language` of `ult fmt`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmtLanguageArg {
    /// Boogie programs
    Boogie,
    /// Program graphs
    Graph,
}
