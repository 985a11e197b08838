//! `ult check`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use ult_engine::invariants::Auxiliary;
use ult_engine::verify::Method;
use ult_engine::{EngineKind, circuit, reach};
use ult_interpolate::Strategy;
use ult_witness::confirm;

use super::c::CONFIRM;
use super::cache::KeepArgs;
use super::expert::EXPERT;
use super::many::ManyArgs;
use super::read::ReadArgs;
use super::seconds::seconds;

/// `ult check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Boogie programs (.bpl), C programs (.c, .i), program graphs (.ult), Horn clauses (.smt2), circuits (.aag, .aig, .btor2, .dimspec) and SV-LIB (.svlib), or folders with such files; `-` reads from stdin. Without any: the files of the project, see `--project`
    #[arg(value_name = "FILE|FOLDER")]
    pub files: Vec<PathBuf>,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Check each C file by itself. Without it, C files that are named here are one program if at most one of them defines `main`
    #[arg(help_heading = "C programs", long, hide_short_help = true)]
    pub separate: bool,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// Leave these engines out of the portfolio, with commas between them
    #[arg(
        long,
        value_name = "ENGINE",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub without: Vec<EngineKind>,
    /// How interpolants are computed
    #[arg(help_heading = EXPERT, hide = true, long, value_name = "STRATEGY", default_value_t = Strategy::Auto, long_help = strategies())]
    pub interpolation: Strategy,
    /// What is known about loops before the first path is looked at
    #[arg(help_heading = EXPERT, hide = true, long, value_enum, default_value_t = Auxiliary::Auto)]
    pub auxiliary: Auxiliary,
    /// Choices about the engines `impact` and `predicate`, with commas between them; `ult engines` lists them
    #[arg(help_heading = EXPERT, hide = true, long = "with", value_name = "CHOICE", value_delimiter = ',')]
    pub with: Vec<reach::Part>,
    /// Choices about the engines `bits-bmc` and `ic3`, with commas between them; `ult engines` lists them
    #[arg(help_heading = EXPERT, hide = true, long, value_name = "CHOICE", value_delimiter = ',')]
    pub circuit: Vec<circuit::Part>,
    /// Prove everything a second time with this solver (a command that reads SMT-LIB), such as cvc5
    #[arg(long, value_name = "CMD", hide_short_help = true)]
    pub check_with: Option<String>,
    /// Stop after this many seconds, for all files together; without it, after 600 for each file
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Go on after a violation until all is decided. Without it, the rest of the unit gets as long as the violation took, and at least 5 seconds
    #[arg(long, hide_short_help = true)]
    pub keep_going: bool,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
    /// For one C program: write a witness for the verdict to this file, in version 2 of the YAML format of SV-COMP. For one circuit: a trace in its own format, or for AIGER a circuit with an inductive invariant. For one program in SV-LIB: a witness in SV-LIB, which `ult validate` reads
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// For one file: write its invariants to this file, with proofs that `ult certify` checks without a solver
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with_all = ["witness", "cache"])]
    pub certificate: Option<PathBuf>,
    /// For one C program: if it is violated, write a C file to this file that feeds the inputs of the counterexample to the program; both compiled together reach the violation
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub harness: Option<PathBuf>,
    /// For one C program: if it is violated, write commands for the debugger gdb to this file that stop the program, compiled with its harness, near the violation
    #[arg(help_heading = EXPERT, hide = true, long, value_name = "FILE")]
    pub gdb: Option<PathBuf>,
    /// Whether the counterexample of a violated C program is tried with the compiled program
    #[arg(long, value_enum, default_value_t = confirm::Mode::Auto, long_help = CONFIRM)]
    pub confirm: confirm::Mode,
    /// The C compiler for `--confirm`; without it `$CC`, or `cc`
    #[arg(long, value_name = "CMD", hide_short_help = true)]
    pub cc: Option<String>,
    /// Write a page for the browser to this file: source, program graphs, each step of the refinement, and traces with their values. It needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show the loop invariants that the proofs use
    #[arg(long)]
    pub show_invariants: bool,
    /// Where evidence is kept.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Show how the engines slicing, impact and predicate refine the abstraction, step by step
    #[arg(help_heading = EXPERT, hide = true, long)]
    pub trace_refinement: bool,
    /// Show which engines of the portfolio work on each unit, in which order, and why
    #[arg(help_heading = EXPERT, hide = true, long)]
    pub explain_portfolio: bool,
    /// Verify this many times more, each time with another seed of the solver, and Boogie programs with their declarations in another order and their symbols renamed; report what does not get the same verdict. All runs share the time
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000), hide_short_help = true)]
    pub seeds: Option<u32>,
    /// Show counters, and the time of each phase
    #[arg(long)]
    pub stats: bool,
    /// Write every question to the solver into this folder as SMT-LIB, with its answer and time
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub log_queries: Option<PathBuf>,
    /// Colours
    #[arg(long, value_enum, default_value_t = ColorArg::Auto, hide_short_help = true)]
    pub color: ColorArg,
    /// Print only the last line for each file, and no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Many files, and many machines.
    #[command(flatten)]
    pub many: ManyArgs,
}

impl CheckArgs {
    /// The files that are to be written besides the report, with the names of their options.
    pub(crate) fn outputs(&self) -> [(&'static str, Option<&Path>); 5] {
        [
            ("witness", self.witness.as_deref()),
            ("certificate", self.certificate.as_deref()),
            ("harness", self.harness.as_deref()),
            ("gdb", self.gdb.as_deref()),
            ("html", self.html.as_deref()),
        ]
    }
}

/// `--format` of a report
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatArg {
    /// For people; the last line for each file has a fixed grammar
    Text,
    /// For programs: one JSON object, or an array of them for several files
    Json,
    /// For code scanning and editors: SARIF 2.1.0, one log for all files
    Sarif,
    /// For continuous integration: JUnit XML, a suite for each file and a case for each obligation
    Junit,
}

/// `--color`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The help of `--engine`.
pub(super) fn engines() -> String {
    let mut text = String::from("The algorithm\n\nEngines:\n");
    text += &format!("- {:<12} {}\n", "portfolio:", PORTFOLIO);
    for (kind, meaning) in EngineKind::ALL {
        text += &format!("- {:<12} {meaning}\n", format!("{kind}:"));
    }
    text.trim_end().to_owned()
}

/// The help of `-Z interpolation`.
fn strategies() -> String {
    let mut text = String::from("How interpolants are computed\n\nStrategies:\n");
    for (strategy, meaning) in Strategy::ALL {
        text += &format!("- {:<18} {meaning}\n", format!("{strategy}:"));
    }
    text += "- external:CMD:      a solver that reads SMT-LIB: smtinterpol, opensmt, mathsat, cvc5, or a command line";
    text
}

/// What the portfolio is, in one line.
pub(crate) const PORTFOLIO: &str = "those that suit the program, as many at a time as there are cores; the first checked verdict counts";
