//! The benchmark of interpolation: all strategies on infeasible chains of large blocks.
//!
//! ```console
//! $ cargo run --release -p ult-bench-interpolation
//! $ cargo run --release -p ult-bench-interpolation -- --strategies auto,horn --families seed,mod --lengths 1,2,3
//! ```
//!
//! The chains are loops of `tests/chains`, unrolled; that each one is infeasible is proved before anything is measured.
//! For every strategy it prints how often it succeeds, how long it takes, how large the interpolants are, and whether
//! one of them is the invariant of the loop already.

#![allow(unreachable_pub, reason = "modules are shared with tests")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

#[path = "../../../tests/chains/mod.rs"]
mod chains;
#[path = "../../tasks/src/machine.rs"]
mod machine;
mod measure;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_interpolate::Strategy;
use ult_smt::Session;

use chains::{Family, families};
use report::Report;

/// Runs interpolation strategies on unrolled loops.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The strategies; all if none is given.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    strategies: Vec<Strategy>,
    /// The families of loops; all if none is given.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    families: Vec<String>,
    /// How often the loops are unrolled.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 5, 8], value_name = "NUMBER,...")]
    lengths: Vec<usize>,
    /// How many seconds one chain may take.
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    limit: f64,
    /// How often one chain is measured, unless that takes more than a second.
    #[arg(long, default_value_t = 3, value_name = "NUMBER")]
    repetitions: usize,
    /// Try long chains also when the two next shorter ones ran out of time.
    #[arg(long)]
    thorough: bool,
    /// Store the tables under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let limit = Duration::try_from_secs_f64(arguments.limit).map_err(|e| e.to_string())?;
    let chosen = chosen(&arguments.families)?;
    for family in &chosen {
        let terms = Terms::new();
        let program = (family.build)(&terms);
        let session = Session::new(&terms, &program.graph.axioms, &Control::unlimited());
        program
            .justify(&session)
            .map_err(|why| format!("`{}` may be feasible: {why}", family.name))?;
    }
    let mut strategies = arguments.strategies.clone();
    if strategies.is_empty() {
        strategies.extend(Strategy::ALL.iter().map(|(strategy, _)| strategy.clone()));
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut report = Report::default();
    for (name, value) in [
        ("date", machine::date()),
        ("commit", machine::commit()),
        ("machine", machine::machine()),
        ("Z3", ult_smt::z3_version()),
        ("limit", format!("{} s", arguments.limit)),
        ("repetitions", arguments.repetitions.to_string()),
        ("arguments", words.join(" ")),
    ] {
        report.context.insert(name.to_owned(), value);
    }
    for family in &chosen {
        for strategy in &strategies {
            let mut line = format!("{:12} {:14} {strategy:10}", family.group, family.name);
            let mut late = 0;
            for &length in &arguments.lengths {
                let cell = if late >= 2 && !arguments.thorough {
                    measure::skipped(family, length, strategy)
                } else {
                    measure::measure(family, length, strategy, limit, arguments.repetitions)
                };
                match cell.failure.as_str() {
                    measure::OUT_OF_TIME => late += 1,
                    measure::NOT_TRIED => {}
                    _ => late = 0,
                }
                line += &format!("  {length}: {}", report::short(&cell));
                report.cells.push(cell);
            }
            println!("{line}");
        }
    }
    println!("\n{}", report.summary());
    if let Some(out) = &arguments.out {
        let files = report.write(out)?;
        println!(
            "stored in {} and {}",
            files[0].display(),
            files[1].display()
        );
    }
    Ok(())
}

/// The families with these names.
fn chosen(names: &[String]) -> Result<Vec<Family>, String> {
    let known = families();
    if let Some(name) = names
        .iter()
        .find(|name| known.iter().all(|family| family.name != **name))
    {
        let known: Vec<&str> = known.iter().map(|family| family.name).collect();
        return Err(format!(
            "there is no family `{name}`; there are {}",
            known.join(", ")
        ));
    }
    Ok(known
        .into_iter()
        .filter(|family| names.is_empty() || names.iter().any(|name| name == family.name))
        .collect())
}
