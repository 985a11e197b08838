//! The benchmark runner: tools on lists of tasks with known verdicts.
//!
//! ```console
//! $ cargo run --release -p ult-bench -- run TASKS.csv --filter semantics=whole-program --out results/today.csv
//! $ cargo run --release -p ult-bench -- compare results/yesterday.csv results/today.csv
//! ```
//!
//! Every task is a process of its own, measured by the operating system and ended from outside if it keeps no limit
//! itself. The runner ends with 1 if a verdict is wrong, with 2 if it cannot do what it was asked, with 130 if it was
//! interrupted (then with the results so far), and with 0 otherwise.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

mod answer;
mod benchexec;
mod beside;
mod boogie_suite;
mod cache;
mod certificates;
mod circuits;
mod compare;
mod context;
mod csmith;
mod faults;
mod generate;
mod growth;
mod harness;
mod hold;
mod infer;
mod load;
mod lsp;
mod machine;
mod mutations;
mod process;
mod proofs;
mod random_c;
mod random_models;
mod report;
mod run;
mod sizes;
mod table;
mod tasks;
mod tool;
mod trends;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Parser, Subcommand};
use thiserror::Error;

use table::Table;
use tasks::Selection;
use tool::Tool;

/// Why the runner cannot do what it was asked.
#[derive(Debug, Error)]
pub enum Failure {
    /// A CSV file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Csv(PathBuf, csv::Error),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// A task list lacks a column.
    #[error("the task list has no column `{0}`")]
    NoColumn(String),
    /// A tool's description is wrong.
    #[error("tool {0}: {1}")]
    Tool(String, String),
    /// A property of a task list is not known.
    #[error("the property `{0}` of {1} is not known")]
    NoProperty(String, String),
    /// This is no result of BenchExec.
    #[error("{}: {}", .0.display(), .1)]
    Results(PathBuf, String),
    /// A picture cannot be drawn.
    #[error("{}: {}", .0.display(), .1)]
    Picture(PathBuf, String),
    /// The language server does not answer.
    #[error("{0}")]
    Server(String),
    /// The table to go on with was made under other circumstances.
    #[error("{}: `{}` was {} there, and is {} now", .0.display(), .1, .2, .3)]
    Otherwise(PathBuf, &'static str, String, String),
    /// There is no C compiler with sanitizers.
    #[error("`{0}` compiles no program with sanitizers here")]
    NoCompiler(String),
    /// No task is left to run.
    #[error("no task fits the filters")]
    NoTasks,
}

/// Runs verifiers on lists of tasks with known verdicts, and compares the results.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Run tools on the tasks of a list.
    Run(RunArguments),
    /// Write the tasks of a list in another program's format.
    Tasks(benchexec::definitions::TasksArguments),
    /// Make one table of several: of `run`, or BenchExec's results (`.xml`, `.xml.bz2`).
    Import {
        /// The tables.
        #[arg(required = true)]
        tables: Vec<PathBuf>,
        /// Store the table under this name, as .csv and .md.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Draw quantile and scatter plots of tables, and sum them up.
    Report {
        /// The tables: of `run`, or BenchExec's results.
        #[arg(required = true)]
        tables: Vec<PathBuf>,
        /// The folder to write to.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Run one command, measure it, and end all that it leaves behind.
    Measure(hold::HoldArguments),
    /// Write a family of programs and a list of them.
    Generate {
        #[command(subcommand)]
        family: Family,
    },
    /// Compare random C programs of csmith: compiled, and translated and interpreted.
    Csmith(csmith::CsmithArguments),
    /// Compare random C programs: what their results are when compiled, and what `ult` says of claims about them.
    RandomC {
        #[command(flatten)]
        arguments: random_c::RandomArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Compare random inputs in other formats: what an enumeration says of them, and what `ult` says.
    RandomModels {
        #[command(flatten)]
        arguments: random_models::ModelArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Compile and execute the violations that were found in C programs.
    Harness {
        #[command(flatten)]
        arguments: harness::HarnessArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Measure how costs grow with the size of programs.
    Growth {
        #[command(flatten)]
        arguments: growth::GrowthArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Measure how large translated C programs are.
    Sizes {
        #[command(flatten)]
        arguments: sizes::SizesArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Compare the ways to search circuits: hints, steps, orders, engines.
    Trends {
        #[command(flatten)]
        arguments: trends::TrendsArguments,
        /// The binary of `ult`, with the feature `cadical`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Write the tasks of a list as circuits in AIGER, and a list of those.
    Circuits {
        #[command(flatten)]
        arguments: circuits::CircuitsArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Measure what kept evidence saves: every task twice.
    Cache {
        #[command(flatten)]
        arguments: cache::CacheArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Measure what of SAFE needs no solver: every task with a certificate.
    Certificates {
        #[command(flatten)]
        arguments: certificates::CertificatesArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Change certificates, and see that nothing false is accepted, by two checkers.
    Proofs {
        #[command(flatten)]
        arguments: proofs::ProofsArguments,
    },
    /// Run Boogie's own test suite with `ult boogie` in the place of Boogie.
    BoogieSuite {
        #[command(flatten)]
        arguments: boogie_suite::SuiteArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Take the invariants out of Boogie programs, have `ult infer` write others, and ask another verifier.
    Infer {
        #[command(flatten)]
        arguments: infer::InferArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Inject faults: full disks, closed streams, signals, limits, broken solvers.
    Faults {
        #[command(flatten)]
        arguments: faults::FaultArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Check programs on an idle and on a busy machine, and see whether the verdicts are the same.
    Load {
        #[command(flatten)]
        arguments: load::LoadArguments,
        /// The binary of `ult`; the one beside the runner if not given.
        #[arg(long, value_name = "FILE")]
        ult: Option<PathBuf>,
    },
    /// Change bytes, words and lines of inputs, and see what breaks.
    Mutations(mutations::MutationArguments),
    /// Measure how fast the language server answers.
    Lsp(lsp::LspArguments),
    /// Interpret one program of csmith (used by `csmith`).
    #[command(hide = true)]
    Interpret {
        /// The preprocessed program.
        file: PathBuf,
        /// How integers are expressed.
        int_encoding: String,
        /// How long it may take.
        seconds: u64,
    },
    /// Show results beside published numbers, as Markdown.
    Beside {
        /// A table that `run` stored.
        results: PathBuf,
        /// A CSV file with the column `file` and others.
        published: PathBuf,
    },
    /// Show how the verdicts and times of two result tables differ.
    Compare {
        /// The older table.
        old: PathBuf,
        /// The newer table.
        new: PathBuf,
    },
}

#[derive(Subcommand)]
enum Family {
    /// Random programs, as in "Slicing Abstraction using Path Formulas", section 6.
    Random {
        /// Another number, other programs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many programs.
        #[arg(long, default_value_t = 100)]
        count: u32,
        /// The folder to write to.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Locks that are taken and given back, as in "Software Model Checking via Large-Block Encoding", Table III.
    Locks {
        /// The fewest locks.
        #[arg(long, default_value_t = 5)]
        from: u32,
        /// The most locks.
        #[arg(long, default_value_t = 15)]
        to: u32,
        /// The folder to write to.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
}

#[derive(clap::Args)]
struct RunArguments {
    /// Which tasks.
    #[command(flatten)]
    selection: Selection,
    /// The time limit in seconds that each tool is told to keep.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// How many seconds later a tool is ended.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    grace: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// How many tasks run at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A tool: a TOML file that describes it, or a command like `path/to/ult check {file} --format json`; may be
    /// repeated. `ult` if none is given.
    #[arg(long, value_name = "COMMAND|FILE.toml")]
    tool: Vec<String>,
    /// Run `ult` once with each of these interpolation strategies, and show them side by side.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "STRATEGY,...",
        conflicts_with = "tool"
    )]
    compare_interpolation: Vec<String>,
    /// Run `ult` once with these arguments, and show all variants side by side; may be repeated.
    #[arg(
        long,
        value_name = "NAME=ARGUMENTS",
        conflicts_with_all = ["tool", "compare_interpolation"]
    )]
    variant: Vec<String>,
    /// The binary that `{ult}` stands for; the one beside the runner if not given.
    #[arg(long, value_name = "FILE")]
    ult: Option<PathBuf>,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on where a run was interrupted: what the table under `--out` has already, if there is one, is not run again.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Keep what the tools print in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Action::Run(arguments) => run_all(&arguments),
        Action::Tasks(arguments) => benchexec::definitions::write(&arguments).map(|told| {
            println!("{told}");
            ExitCode::SUCCESS
        }),
        Action::Import { tables, out } => import(&tables, &out),
        Action::Report { tables, out } => draw(&tables, &out),
        Action::Measure(arguments) => {
            let stop = stop_on_interrupt();
            Ok(ExitCode::from(hold::hold(&arguments, &stop)))
        }
        Action::Generate { family } => generate_family(&family),
        Action::Csmith(arguments) => compare_random(&arguments),
        Action::RandomC { arguments, ult } => {
            let stop = stop_on_interrupt();
            random_c::compare(&arguments, &binary(ult.as_deref()), &stop).map(|is_right| {
                ExitCode::from(match (is_right, stop.load(Ordering::Relaxed)) {
                    (false, _) => 1,
                    (true, true) => 130,
                    (true, false) => 0,
                })
            })
        }
        Action::RandomModels { arguments, ult } => {
            let stop = stop_on_interrupt();
            random_models::compare(&arguments, &binary(ult.as_deref()), &stop).map(|is_right| {
                ExitCode::from(match (is_right, stop.load(Ordering::Relaxed)) {
                    (false, _) => 1,
                    (true, true) => 130,
                    (true, false) => 0,
                })
            })
        }
        Action::Harness { arguments, ult } => {
            let stop = stop_on_interrupt();
            harness::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|all| ExitCode::from(u8::from(!all)))
        }
        Action::Growth { arguments, ult } => {
            let stop = stop_on_interrupt();
            growth::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Sizes { arguments, ult } => {
            let stop = stop_on_interrupt();
            sizes::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Trends { arguments, ult } => {
            let stop = stop_on_interrupt();
            trends::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Circuits { arguments, ult } => {
            let stop = stop_on_interrupt();
            let told = circuits::write(&arguments, &binary(ult.as_deref()), &stop);
            told.map(|(written, without)| {
                println!("{written} circuits written, {without} tasks without one");
                ExitCode::SUCCESS
            })
        }
        Action::Cache { arguments, ult } => {
            let stop = stop_on_interrupt();
            cache::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Certificates { arguments, ult } => {
            let stop = stop_on_interrupt();
            certificates::measure(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Proofs { arguments } => {
            proofs::campaign(&arguments).map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::BoogieSuite { arguments, ult } => {
            let stop = stop_on_interrupt();
            boogie_suite::run(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Infer { arguments, ult } => {
            let stop = stop_on_interrupt();
            infer::run(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Faults { arguments, ult } => {
            let stop = stop_on_interrupt();
            faults::inject(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Load { arguments, ult } => {
            let stop = stop_on_interrupt();
            load::compare(&arguments, &binary(ult.as_deref()), &stop)
                .map(|is_same| ExitCode::from(u8::from(!is_same)))
        }
        Action::Mutations(arguments) => {
            let stop = stop_on_interrupt();
            mutations::mutate(&arguments, &stop).map(|is_right| ExitCode::from(u8::from(!is_right)))
        }
        Action::Lsp(arguments) => match lsp::measure(&arguments) {
            Ok(is_fast) => Ok(ExitCode::from(u8::from(!is_fast))),
            Err(why) => Err(Failure::Server(why)),
        },
        Action::Interpret {
            file,
            int_encoding,
            seconds,
        } => Ok(ExitCode::from(csmith::interpret(
            &file,
            &int_encoding,
            seconds,
        ))),
        Action::Compare { old, new } => compare_tables(&old, &new),
        Action::Beside { results, published } => show_beside(&results, &published),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::from(2)
    })
}

/// The binary of `ult`: the one that is named, or the one beside the runner.
fn binary(named: Option<&std::path::Path>) -> PathBuf {
    named.map(PathBuf::from).unwrap_or_else(|| {
        std::env::current_exe()
            .ok()
            .and_then(|exe| Some(exe.parent()?.join("ult")))
            .unwrap_or_else(|| PathBuf::from("ult"))
    })
}

fn run_all(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let ult = binary(arguments.ult.as_deref());
    let tools: Vec<Tool> = match (&arguments.tool[..], &arguments.compare_interpolation[..]) {
        ([], []) if !arguments.variant.is_empty() => arguments
            .variant
            .iter()
            .map(|variant| Tool::variant(variant, &ult))
            .collect::<Result<_, _>>()?,
        ([], []) => vec![Tool::from_argument(None, &ult)?],
        ([], strategies) => strategies
            .iter()
            .map(|strategy| Tool::with_interpolation(strategy, &ult))
            .collect::<Result<_, _>>()?,
        (named, _) => named
            .iter()
            .map(|tool| Tool::from_argument(Some(tool), &ult))
            .collect::<Result<_, _>>()?,
    };
    let tasks = arguments.selection.read()?;
    if tasks.is_empty() {
        return Err(Failure::NoTasks);
    }

    let stop = stop_on_interrupt();
    let settings = run::Settings {
        timeout: Duration::from_secs(arguments.timeout),
        grace: Duration::from_secs(arguments.grace),
        memory: arguments.memory,
        jobs: arguments.jobs,
        keep: arguments.keep.clone(),
    };
    let mut table = Table::default();
    let words: Vec<String> = std::env::args().skip(1).collect();
    for (name, value) in [
        ("date", machine::date()),
        ("commit", machine::commit()),
        ("machine", machine::machine()),
        ("timeout", format!("{} s", arguments.timeout)),
        ("memory", format!("{} MB", arguments.memory)),
        ("jobs", arguments.jobs.to_string()),
        ("arguments", words.join(" ")),
    ] {
        table.context.insert(name.to_owned(), value);
    }
    let known = match &arguments.out {
        // The first time there is nothing to go on with.
        Some(out) if arguments.resume && out.with_extension("csv").exists() => {
            table.resume(&out.with_extension("csv"))?
        }
        _ => Vec::new(),
    };
    table.rows = run::run(&tools, &tasks, known, &settings, &stop)?;
    let stopped = stop.load(Ordering::Relaxed);
    if stopped {
        table
            .context
            .insert("interrupted".to_owned(), "yes".to_owned());
    }
    let mut wrong = table.contradictions().len();
    for tool in table.tools() {
        let summary = table.summary(&tool);
        wrong += summary.wrong.len();
        println!("\n{tool}: {}", summary.text().trim_end());
    }
    if table.tools().len() > 1 {
        println!("\n{}", table.side_by_side());
    }
    if let Some(out) = &arguments.out {
        let [csv, markdown] = table.write(out)?;
        println!("\nstored in {} and {}", csv.display(), markdown.display());
    }
    Ok(ExitCode::from(match (wrong, stopped) {
        (1.., _) => 1,
        (0, true) => 130,
        (0, false) => 0,
    }))
}

/// Set when the user wants to stop. Without the handler an interrupt loses the results so far, no more.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let handler = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed)) {
        eprintln!("warning: {error}");
    }
    stop
}

fn compare_random(arguments: &csmith::CsmithArguments) -> Result<ExitCode, Failure> {
    let stop = stop_on_interrupt();
    let equal = csmith::compare(arguments, &stop)?;
    Ok(ExitCode::from(
        match (equal, stop.load(Ordering::Relaxed)) {
            (false, _) => 1,
            (true, true) => 130,
            (true, false) => 0,
        },
    ))
}

fn generate_family(family: &Family) -> Result<ExitCode, Failure> {
    let (programs, out) = match family {
        Family::Random { seed, count, out } => (generate::random::programs(*seed, *count), out),
        Family::Locks { from, to, out } => {
            ((*from..=*to).map(generate::locks::program).collect(), out)
        }
    };
    generate::write(&programs, out)?;
    Ok(ExitCode::SUCCESS)
}

fn import(tables: &[PathBuf], out: &std::path::Path) -> Result<ExitCode, Failure> {
    let [csv, markdown] = Table::read_all(tables)?.write(out)?;
    println!("stored in {} and {}", csv.display(), markdown.display());
    Ok(ExitCode::SUCCESS)
}

fn draw(tables: &[PathBuf], out: &std::path::Path) -> Result<ExitCode, Failure> {
    for file in report::write(&Table::read_all(tables)?, out)? {
        println!("{}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn compare_tables(old: &std::path::Path, new: &std::path::Path) -> Result<ExitCode, Failure> {
    let comparison = compare::compare(&Table::read(old)?, &Table::read(new)?);
    print!("{}", comparison.text);
    Ok(ExitCode::from(u8::from(comparison.newly_wrong > 0)))
}

fn show_beside(
    results: &std::path::Path,
    published: &std::path::Path,
) -> Result<ExitCode, Failure> {
    print!("{}", beside::beside(&Table::read(results)?, published)?);
    Ok(ExitCode::SUCCESS)
}
