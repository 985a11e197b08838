//! Random C programs with pointers and with expressions: the C compiler says the values of their results, and `ult` must
//! not say otherwise.
//!
//! Each program is deterministic and has some named results. Their values, from a compiled program with sanitizers,
//! become two claims: one that holds and one that does not. A proof of the second one or a violation of the first one is
//! a wrong verdict, and so is a run that ends otherwise than the compiled program does. A program with a wrong verdict
//! is made smaller and kept.

mod blocks;
mod bytes;
mod expressions;
mod memory;
mod model;
mod orders;
mod program;
mod results;
mod shadows;
mod shapes;
mod shrink;
#[cfg(test)]
mod stored;
mod summary;
mod travel;
mod truth;
mod types;
mod verdict;
mod walks;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Failure;
use program::{Ending, Program};
use summary::{Outcome, Results};
use truth::{Compiler, Truth};
use verdict::{Answer, QUESTIONS, Verifier};

/// So many programs are compiled at once.
const BATCH: u64 = 25;

/// What programs are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Pointers that travel through memory.
    Memory,
    /// Integers, floating-point numbers, conversions, control.
    Expressions,
    /// Pointers that leave the member they began in, within one object.
    Walks,
    /// Operands that conflict, in each order.
    Orders,
}

/// Which programs, and with what.
#[derive(clap::Args)]
pub(crate) struct RandomArguments {
    /// What they are about.
    #[arg(long)]
    kind: Kind,
    /// How many programs.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first program; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs are looked at at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Seconds for each question to `ult`.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Megabytes for each question to `ult`.
    #[arg(long, default_value_t = 2000)]
    memory: u64,
    /// `lp64` or `ilp32`; the latter needs a compiler that knows `-m32`.
    #[arg(long, default_value = "lp64", value_parser = ["lp64", "ilp32"])]
    data_model: String,
    /// The C compiler.
    #[arg(long, default_value = "gcc")]
    cc: String,
    /// More arguments of `ult check`; without them it is asked about `reach_error` alone, but where orders are open.
    #[arg(long, allow_hyphen_values = true)]
    check: Option<String>,
    /// More arguments of `ult run`.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    run: String,
    /// Only proofs, no runs.
    #[arg(long)]
    no_runs: bool,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep programs with wrong answers in this folder, as they are and made smaller.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// So many wrong answers are made smaller.
    #[arg(long, default_value_t = 50)]
    shrink: u64,
    /// Write the programs with their claims to this folder, and ask nobody.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// Compares all programs; tells whether no answer is wrong.
///
/// # Errors
/// If there is no C compiler, or something cannot be stored.
pub(crate) fn compare(
    arguments: &RandomArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let compiler = Compiler {
        command: shlex::split(&arguments.cc).unwrap_or_default(),
        is_32_bit: arguments.data_model == "ilp32",
        is_flat: arguments.kind == Kind::Walks,
    };
    if !truth::works(&compiler, stop) {
        return Err(Failure::NoCompiler(arguments.cc.clone()));
    }
    let check = match (&arguments.check, arguments.kind) {
        (Some(check), _) => check,
        (None, Kind::Orders) => "",
        (None, _) => "--property unreach-call",
    };
    let verifier = Verifier {
        binary: ult.to_owned(),
        check: shlex::split(check).unwrap_or_default(),
        run: shlex::split(&arguments.run).unwrap_or_default(),
        timeout: arguments.timeout,
        memory: arguments.memory,
        with_runs: !arguments.no_runs,
    };
    let work = Work {
        arguments,
        compiler,
        verifier,
        shrunk: AtomicU64::new(0),
        results: Mutex::default(),
        stop,
    };
    let next = AtomicU64::new(arguments.seed);
    let end = arguments.seed.saturating_add(arguments.count);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= end || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    work.batch(first..end.min(first + BATCH));
                }
            });
        }
    });
    let results = work.results.into_inner().unwrap_or_default();
    let text = summary::table(&results);
    println!("{text}");
    if let Some(out) = &arguments.out {
        summary::store(out, &results, &text)?;
    }
    Ok(!results.values().any(Outcome::is_bad))
}

/// The program of a kind with this number.
fn generate(kind: Kind, seed: u64, is_32_bit: bool) -> Program {
    let program = match kind {
        Kind::Memory => memory::program(seed, is_32_bit),
        Kind::Expressions => expressions::program(seed, is_32_bit),
        Kind::Walks => walks::program(seed, is_32_bit),
        Kind::Orders => orders::program(seed, is_32_bit),
    };
    shadows::shadow(program, seed)
}

struct Work<'a> {
    arguments: &'a RandomArguments,
    compiler: Compiler,
    verifier: Verifier,
    shrunk: AtomicU64,
    results: Mutex<Results>,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn batch(&self, seeds: std::ops::Range<u64>) {
        let programs: Vec<Program> = seeds
            .clone()
            .map(|seed| generate(self.arguments.kind, seed, self.compiler.is_32_bit))
            .collect();
        let all: Vec<&Program> = programs.iter().collect();
        let truths = truth::values(&self.compiler, &all, self.stop);
        for ((seed, program), truth) in seeds.zip(&programs).zip(truths) {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let outcome = match truth {
                Truth::NotCompiled(why) => Outcome::NotCompiled(why),
                Truth::Undefined(why) => Outcome::Undefined(why),
                Truth::Values(values) => match self.one(seed, program, &values) {
                    Ok(answers) => Outcome::Answers(answers),
                    Err(_) if self.stop.load(Ordering::Relaxed) => return,
                    Err(why) => Outcome::Answers(vec![Answer::Failed(why)]),
                },
            };
            for line in summary::lines(seed, &outcome) {
                println!("{line}");
            }
            if let Ok(mut results) = self.results.lock() {
                results.insert(seed, outcome);
            }
        }
    }

    fn one(&self, seed: u64, program: &Program, values: &[i64]) -> Result<Vec<Answer>, String> {
        if let Some(folder) = &self.arguments.write {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
            for (word, ending) in [
                ("true", Ending::True(values)),
                ("false", Ending::False(values)),
            ] {
                let file = folder.join(format!("{seed}-{word}.c"));
                std::fs::write(file, program.render(ending)).map_err(|error| error.to_string())?;
            }
            return Ok(Vec::new());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let answers = verdict::ask(&self.verifier, program, values, folder.path(), self.stop)?;
        let is_bad = |answer: &&Answer| matches!(answer, Answer::Wrong(_) | Answer::Failed(_));
        if answers.iter().any(|answer| is_bad(&answer))
            && let Some(keep) = &self.arguments.keep
        {
            std::fs::create_dir_all(keep).map_err(|error| error.to_string())?;
            self.keep(keep, seed, program, values, &answers)
                .map_err(|error| format!("{}: {error}", keep.display()))?;
        }
        Ok(answers)
    }

    /// Stores a program with wrong answers, and a smaller one for the first of them.
    fn keep(
        &self,
        keep: &Path,
        seed: u64,
        program: &Program,
        values: &[i64],
        answers: &[Answer],
    ) -> Result<(), String> {
        let Some(question) = answers
            .iter()
            .position(|answer| matches!(answer, Answer::Wrong(_)))
            .or_else(|| {
                answers
                    .iter()
                    .position(|answer| matches!(answer, Answer::Failed(_)))
            })
        else {
            return Ok(());
        };
        let word = QUESTIONS.get(question).copied().unwrap_or_default();
        let mut report = String::new();
        for (question, answer) in QUESTIONS.iter().zip(answers) {
            report += &format!("// {question}: {answer:?}\n");
        }
        let store = |name: String, program: &Program, values: &[i64]| {
            let ending = match question.is_multiple_of(2) {
                true => Ending::True(values),
                false => Ending::False(values),
            };
            let text = format!("{report}{}", program.render(ending));
            std::fs::write(keep.join(name), text).map_err(|error| error.to_string())
        };
        let name = format!("{seed}-{}", word.replace(' ', "-"));
        store(format!("{name}.c"), program, values)?;
        if self.shrunk.fetch_add(1, Ordering::Relaxed) >= self.arguments.shrink {
            return Ok(());
        }
        let wanted = answers.get(question).cloned();
        let mut last = values.to_vec();
        let small = shrink::shrink(program, |candidate| {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            match self.is_still(candidate, question, wanted.as_ref()) {
                Some(values) => {
                    last = values;
                    true
                }
                None => false,
            }
        });
        store(format!("{name}-small.c"), &small, &last)
    }

    /// Whether a smaller program still has the same kind of answer to a question; with the values of its results.
    fn is_still(
        &self,
        candidate: &Program,
        question: usize,
        wanted: Option<&Answer>,
    ) -> Option<Vec<i64>> {
        if candidate.results().is_empty() {
            return None;
        }
        let truths = truth::values(&self.compiler, &[candidate], self.stop);
        let Some(Truth::Values(values)) = truths.into_iter().next() else {
            return None;
        };
        let folder = tempfile::tempdir().ok()?;
        for (name, ending) in [
            ("true.c", Ending::True(&values)),
            ("false.c", Ending::False(&values)),
        ] {
            std::fs::write(folder.path().join(name), candidate.render(ending)).ok()?;
        }
        let answer = verdict::answer(
            &self.verifier,
            candidate,
            &values,
            question,
            folder.path(),
            self.stop,
        )
        .ok()?;
        let is_same = matches!(
            (wanted, &answer),
            (Some(Answer::Wrong(_)), Answer::Wrong(_))
                | (Some(Answer::Failed(_)), Answer::Failed(_))
        );
        is_same.then_some(values)
    }
}
