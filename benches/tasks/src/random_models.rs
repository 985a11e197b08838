//! Random inputs of every format that `ult check` reads apart from C: an enumeration of our own says whether they are
//! safe, and `ult` must not say otherwise.
//!
//! Each kind has a generator, a printer and a simulation of what the format's definition says. They share nothing with
//! `ult`. The inputs are so small that all states, or all values of all variables, can be looked at one by one.

mod aiger;
mod btor2;
mod chance;
mod datatypes;
mod dimspec;
mod horn;
mod maps;
mod summary;
mod svlib;
mod terms;
mod verdict;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Failure;
use chance::Chance;
use summary::Results;
use verdict::{Answer, Verifier};

/// So often an input with the wanted verdict is looked for.
const TRIES: u32 = 200;

/// What the inputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Circuits in AIGER.
    Aiger,
    /// Circuits in BTOR2.
    Btor2,
    /// Circuits in DimSpec.
    Dimspec,
    /// Programs in SV-LIB.
    Svlib,
    /// Horn clauses in SMT-LIB.
    Horn,
    /// Horn clauses with several predicates among their premises.
    Trees,
    /// Boogie programs with maps whose indices have few values.
    Maps,
    /// Horn clauses over datatypes whose values have no parts of the same datatype.
    Datatypes,
    /// Horn clauses over datatypes such as lists and trees.
    RecursiveDatatypes,
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Kind::Aiger => "aag",
            Kind::Btor2 => "btor2",
            Kind::Dimspec => "dimspec",
            Kind::Svlib => "svlib",
            Kind::Horn | Kind::Trees | Kind::Datatypes | Kind::RecursiveDatatypes => "smt2",
            Kind::Maps => "bpl",
        }
    }

    fn comment(self, line: &str) -> String {
        match self {
            Kind::Aiger => String::new(),
            Kind::Dimspec => format!("c {line}\n"),
            Kind::Maps => format!("// {line}\n"),
            _ => format!("; {line}\n"),
        }
    }

    fn model(self, chance: &mut Chance) -> Option<Model> {
        match self {
            Kind::Aiger => aiger::model(chance),
            Kind::Btor2 => btor2::model(chance),
            Kind::Dimspec => dimspec::model(chance),
            Kind::Svlib => svlib::model(chance),
            Kind::Horn => horn::model(chance, 0, Vec::new()),
            Kind::Trees => horn::model(chance, 2, Vec::new()),
            Kind::Maps => maps::model(chance),
            Kind::Datatypes | Kind::RecursiveDatatypes => {
                let is_recursive = self == Kind::RecursiveDatatypes;
                let datatypes = datatypes::datatypes(chance, is_recursive);
                let others = chance.pick(&[0, 0, 0, 1]);
                horn::model(chance, others, datatypes)
            }
        }
    }
}

/// An input, and what is true of it.
#[derive(Clone, Debug)]
struct Model {
    /// The input.
    text: String,
    /// Whether nothing bad can happen.
    is_safe: bool,
    /// Whether that is so for a simple reason, such as a first state that is bad.
    is_dull: bool,
}

/// Which inputs, and with what.
#[derive(clap::Args)]
pub(crate) struct ModelArguments {
    /// What they are.
    #[arg(long)]
    kind: Kind,
    /// How many inputs.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first input; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many inputs are looked at at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Seconds for each input.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Megabytes for each input.
    #[arg(long, default_value_t = 2000)]
    memory: u64,
    /// More arguments of `ult check`.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    check: String,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep inputs with wrong answers in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Write the inputs to this folder, and ask nobody.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// Compares all inputs; tells whether no answer is wrong.
///
/// # Errors
/// If something cannot be stored.
pub(crate) fn compare(
    arguments: &ModelArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let verifier = Verifier {
        binary: std::path::absolute(ult).unwrap_or_else(|_| ult.to_owned()),
        check: shlex::split(&arguments.check).unwrap_or_default(),
        timeout: arguments.timeout,
        memory: arguments.memory,
    };
    for folder in [&arguments.keep, &arguments.write].into_iter().flatten() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::Io(folder.clone(), error))?;
    }
    let results: Mutex<Results> = Mutex::default();
    let next = AtomicU64::new(arguments.seed);
    let end = arguments.seed.saturating_add(arguments.count);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let Some(model) = generate(arguments.kind, seed) else {
                        continue;
                    };
                    let answer = one(arguments, &verifier, seed, &model, stop);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if let Some(line) = summary::line(seed, &answer) {
                        println!("{line}");
                    }
                    if let Ok(mut results) = results.lock() {
                        results.insert(seed, (model.is_safe, answer));
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    let text = summary::table(&results);
    println!("{text}");
    if let Some(out) = &arguments.out {
        summary::store(out, &results, &text)?;
    }
    Ok(!results.values().any(|(_, answer)| answer.is_bad()))
}

/// The input of a kind with this number. Half of them are safe, as far as such a one is soon found.
fn generate(kind: Kind, seed: u64) -> Option<Model> {
    let mut chance = Chance::new(seed, kind as u64);
    let wanted = chance.percent(50);
    let takes_dull = chance.percent(10);
    let mut found: Option<Model> = None;
    for _ in 0..TRIES {
        let Some(model) = kind.model(&mut chance) else {
            continue;
        };
        if model.is_safe == wanted && (takes_dull || !model.is_dull) {
            return Some(model);
        }
        // The next best is one that is not dull, whatever its verdict.
        if found
            .as_ref()
            .is_none_or(|found| found.is_dull && !model.is_dull)
        {
            found = Some(model);
        }
    }
    found
}

/// Each of these with each of the values at its end; the values change fastest.
fn extended<T: Clone>(all: &[Vec<T>], values: &[T]) -> Vec<Vec<T>> {
    let longer = |first: &Vec<T>| {
        let first = first.clone();
        let ends = values.iter().cloned();
        ends.map(move |value| {
            let mut more = first.clone();
            more.push(value);
            more
        })
        .collect::<Vec<_>>()
    };
    all.iter().flat_map(longer).collect()
}

fn one(
    arguments: &ModelArguments,
    verifier: &Verifier,
    seed: u64,
    model: &Model,
    stop: &AtomicBool,
) -> Answer {
    let word = if model.is_safe { "safe" } else { "unsafe" };
    let name = format!("{seed}-{word}.{}", arguments.kind.extension());
    let store = |folder: &Path, text: &str| {
        std::fs::write(folder.join(&name), text).map_err(|error| error.to_string())
    };
    if let Some(folder) = &arguments.write {
        return match store(folder, &model.text) {
            Ok(()) => Answer::Open("not asked".into()),
            Err(why) => Answer::Failed(why),
        };
    }
    let answered = || -> Result<Answer, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        store(folder.path(), &model.text)?;
        let answer = verifier.ask(folder.path(), &name, model.is_safe, stop)?;
        if answer.is_bad()
            && let Some(keep) = &arguments.keep
        {
            let head = arguments.kind.comment(&format!("{word}; {answer:?}"));
            store(keep, &format!("{head}{}", model.text))?;
        }
        Ok(answer)
    };
    answered().unwrap_or_else(Answer::Failed)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn seeds_say_what_inputs_are() {
        for kind in Kind::value_variants() {
            for seed in 0..5 {
                let [first, second] = [(); 2].map(|()| generate(*kind, seed).unwrap());
                assert_eq!(first.text, second.text, "{kind:?} {seed}");
                assert_eq!(first.is_safe, second.is_safe);
            }
        }
    }

    #[test]
    fn both_verdicts_are_frequent() {
        for kind in Kind::value_variants() {
            let safe = (0..40)
                .filter_map(|seed| generate(*kind, seed))
                .filter(|model| model.is_safe)
                .count();
            assert!((8..=32).contains(&safe), "{kind:?}: {safe} of 40 are safe");
        }
    }
}
