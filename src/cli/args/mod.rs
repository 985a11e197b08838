//! The command line: one file for each command, and one for each group of options that several commands share.

mod boogie;
pub(crate) mod c;
pub(crate) mod cache;
mod certify;
pub(crate) mod check;
mod expert;
mod explain;
mod export;
mod fmt;
mod grade;
mod graph;
mod infer;
mod init;
mod lab;
mod lsp;
mod manual;
mod many;
mod merge;
pub(crate) mod property;
mod read;
mod run;
mod seconds;
mod translate;
mod validate;
mod watch;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser, Subcommand};

use self::boogie::BOOGIE;
use self::grade::GRADE;
use self::infer::INFER;
use self::lab::LAB;

pub use self::boogie::BoogieArgs;
pub use self::c::CArgs;
pub use self::cache::{CacheArgs, KeepArgs};
pub use self::certify::CertifyArgs;
pub use self::check::{CheckArgs, ColorArg, FormatArg};
pub use self::explain::ExplainArgs;
pub use self::export::{ExportArgs, ExportFormatArg};
pub use self::fmt::{FmtArgs, FmtLanguageArg};
pub use self::grade::{GradeArgs, GradeFormatArg};
pub use self::graph::{GraphArgs, GraphFormatArg, StageArg};
pub use self::infer::{InferArgs, InferFormatArg};
pub use self::init::{CiArg, InitArgs};
pub use self::lab::LabArgs;
pub use self::lsp::LspArgs;
pub use self::manual::{CompletionsArgs, ManArgs};
pub use self::many::{ManyArgs, Shard, WorkerArg};
pub use self::merge::MergeArgs;
pub use self::read::ReadArgs;
pub use self::run::RunArgs;
pub use self::translate::TranslateArgs;
pub use self::validate::ValidateArgs;
pub use self::watch::WatchArgs;

/// A program verifier: for each assertion of a program, whether it holds in every execution.
#[derive(Parser, Debug)]
#[command(
    name = "ult",
    // `--version` says more: see `crate::command`.
    version,
    disable_help_subcommand = false,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 safe, 1 unsafe, 2 usage, 3 input rejected, 4 unknown, 5 solver missing or \
                  unsuitable, 6 nothing to check, 101 internal error, 130 interrupted, 141 the output is not read.\n\nTry: ult check examples/seed.bpl"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// What is wrong with it; help and version, where they are asked for.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(expert::expanded(&Cli::command(), words)?)
    }

    /// The words of this process as [`Cli::read`] takes them, with the options that `-Z` stands for.
    pub(crate) fn words() -> Vec<OsString> {
        let words = || std::env::args_os();
        expert::expanded(&Cli::command(), words()).unwrap_or_else(|_| words().collect())
    }
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove or refute the assertions of programs
    #[command(after_help = expert::HINT)]
    Check(Box<CheckArgs>),
    /// Check programs again whenever they change, until Ctrl-C
    Watch(Box<WatchArgs>),
    /// Put the results of `ult check --shard` together
    Merge(MergeArgs),
    /// Make a small project with a project file `ult.toml`
    Init(InitArgs),
    /// Prove or refute as `boogie` does: with its options, in its words
    #[command(long_about = BOOGIE)]
    Boogie(BoogieArgs),
    /// Add the loop invariants and postconditions to a Boogie program that its proof needs
    #[command(long_about = INFER)]
    Infer(InferArgs),
    /// Show the program graphs of a program, as text or as pictures
    Graph(GraphArgs),
    /// Write a program in a form for other verifiers
    Export(ExportArgs),
    /// List the engines, and what can be chosen independently of them
    Engines,
    /// Run a program on concrete values
    Run(RunArgs),
    /// Show a C program as the Boogie program that is verified
    Translate(TranslateArgs),
    /// Write programs in their usual layout; comments and empty lines stay
    Fmt(FmtArgs),
    /// Serve an editor: messages, verdicts and navigation in the language server protocol, over stdin and stdout
    Lsp(LspArgs),
    /// Open the laboratory: a page in the browser to step through the refinement, predict it, and take part in it
    #[command(long_about = LAB)]
    Lab(LabArgs),
    /// Grade what students handed in for an exercise, or try the exercise itself
    #[command(long_about = GRADE)]
    Grade(GradeArgs),
    /// Check a witness for a verdict on a C program
    Validate(ValidateArgs),
    /// Check a certificate of `ult check --certificate`, without a solver
    #[command(long_about = certify::CERTIFY)]
    Certify(CertifyArgs),
    /// Say how much evidence a folder of `--cache` holds, and make it smaller
    Cache(CacheArgs),
    /// Explain a message (E0101) or a reason for UNKNOWN (timeout)
    Explain(ExplainArgs),
    /// Try on this machine what verdicts depend on, and say what to do where something is wrong
    #[command(long_about = DOCTOR)]
    Doctor,
    /// Write a script that completes the command line in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

const DOCTOR: &str = "Try on this machine what verdicts depend on, and say what to do where something is wrong

Shown and tried are: the versions of ult and of its solver Z3, and the file that Z3 was loaded from; that the solver \
answers questions whose answers are known, interpolates, eliminates quantifiers, keeps time limits and can be cancelled; \
a program of each language, from its text to SAFE and to UNSAFE, for C with the preprocessor and both data models; and \
which editors there are.

What does not answer in time has failed, and nothing is tried after it.

The exit code is 0 only if all is well, 5 if the solver is at fault, and 1 if something else is.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
