//! The command line: arguments in, reports and an exit code out.
//!
//! The main thread watches, a worker thread works: see [`watch`]. Results go to stdout, progress
//! and complaints about the command to stderr.
//!
//! Most modules are one command or one group of options. The others:
//!
//! | module | idea |
//! |---|---|
//! | `input`, `preprocess`, `linked`, `library` | from files to one text |
//! | [`watch`], [`exit`], `memory` | limits, the ways out of the process, and what happens without memory |
//! | `save`, `output` | files, written whole or not at all; the standard streams, without panics |
//! | `many` | many files: each one is checked in a process of its own |
//! | `project` | `ult.toml`, read as words of the command line, so that there is one reader of options |
//! | [`grade`] | submissions to exercises; it makes no verdict, and what is not decided stays undecided |
//! | `boogie` | in the place of the program `boogie` |
//! | `doctor` | tries an installation |

pub mod args;
mod boogie;
mod cache;
mod certify;
mod check;
mod doctor;
mod document;
mod engines;
pub mod exit;
mod explain;
mod export;
mod fmt;
mod folder;
pub mod grade;
mod graph;
mod infer;
mod input;
mod lab;
mod library;
mod limits;
mod linked;
mod lsp;
mod manual;
mod many;
mod memory;
mod output;
mod preprocess;
pub mod process;
mod project;
mod queries;
mod run;
mod save;
mod solver;
mod translate;
mod validate;
mod watch;

use std::io::Write as _;

use clap::error::ErrorKind;

use self::args::{Cli, Command};
pub use self::exit::Exit;
use self::output::complain;
use self::process::end_at_once;
use ult_core::guard::guarded;

/// Runs the command that the process was started with, and ends the process. To be called before
/// there are other threads.
pub fn main() -> ! {
    memory::reserve();
    save::outlive_size_limits();
    ult_smt::outlive_faults();
    ult_core::guard::keep_panics_quiet();
    let mut exit = guarded(|| Ok(command())).unwrap_or_else(|reason| {
        complain(&reason.to_string());
        Exit::Internal
    });
    if let Err(error) = std::io::stdout().flush() {
        exit = output::unwritten(&error);
    }
    end_at_once(exit)
}

fn command() -> Exit {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        // The solver is asked for its version only by those who want to know it: it may hang, and the doctor has to be
        // able to say that.
        Err(error) if error.kind() == ErrorKind::DisplayVersion => {
            let version = match solver::loaded(limits::VERSION) {
                Ok(()) => ult_report::version().to_owned(),
                Err(why) => {
                    complain(&why);
                    format!("{} (no Z3)", env!("CARGO_PKG_VERSION"))
                }
            };
            return output::stdout(&format!("ult {version}\n"))
                .err()
                .unwrap_or(Exit::Safe);
        }
        Err(error) => {
            let help = error.kind() == ErrorKind::DisplayHelp;
            // If complaints cannot be printed, the exit code has to say it all.
            return match error.print() {
                Err(error) if help => output::unwritten(&error),
                _ if help => Exit::Safe,
                _ => Exit::Usage,
            };
        }
    };
    output::keep_stderr();
    match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Merge(args) => many::merge::run(&args),
        Command::Watch(args) => many::live::run(&args),
        Command::Init(args) => project::init::run(&args),
        Command::Boogie(args) => boogie::run(&args),
        Command::Infer(args) => infer::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Grade(args) => grade::run(&args),
        Command::Translate(args) => translate::run(&args),
        Command::Engines => engines::run(),
        Command::Fmt(args) => fmt::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Doctor => doctor::run(),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    }
}
