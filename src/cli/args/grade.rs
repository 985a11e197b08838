//! `ult grade`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seconds::seconds;

/// `ult grade`
#[derive(Args, Debug)]
pub struct GradeArgs {
    /// The folder of the exercise, with `exercise.toml`
    #[arg(value_name = "EXERCISE")]
    pub exercise: PathBuf,
    /// Files that students handed in, or folders with one file of each student. Without any, the exercise itself is tried: its solution has to pass, and the mistakes and tricks that are kept with it have to fail as it says
    #[arg(value_name = "SUBMISSION")]
    pub submissions: Vec<PathBuf>,
    /// The form of the results
    #[arg(long, value_enum, default_value_t = GradeFormatArg::Text)]
    pub format: GradeFormatArg,
    /// Show so many of the exercise's own hints to whoever fails
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub hint: usize,
    /// Stop after this many seconds, for all submissions together
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// The longest time for one question to the verifier; a submission is a few of them
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "20")]
    pub limit: Duration,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The forms of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GradeFormatArg {
    /// For people
    Text,
    /// Everything, for programs
    Json,
    /// JUnit XML, a test for each submission
    Junit,
    /// `results.json` of Gradescope
    Gradescope,
    /// A table of points and comments for gradebooks
    Csv,
}

pub(super) const GRADE: &str = "Grade what students handed in for an exercise, or try the exercise itself

A submission passes if it is the program that was handed out up to what students may change, if `ult check` proves it with the \
options of the exercise, if executions reach its assertions, and if the checks hold that students do not see. Where it fails, the \
reason is named, with the line and the values of a counterexample.

What cannot be decided in time is reported as such, and gets no points. The exit code is that of the most urgent submission: 0 if \
all pass, 1 if one fails, 3 if one is not a program, 4 if one is not decided.";
