//! Mutated certificates: nothing false may be accepted, and two checkers have to agree.
//!
//! Questions and proofs come from certificates and from tables of examples. Lines are dropped, doubled, swapped and taken from other
//! proofs; numbers, signs, operators and steps are changed. Each result goes to `ult-proof` and to the second checker. If both accept a
//! question that was changed, a solver has to refute it, too.

mod question;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_smt::{Answer, Session};

use crate::Failure;
use crate::context::context;

/// So many mutations go to the second checker at once.
const BATCH: u64 = 500;

/// The time for a solver to refute a changed question.
const MOMENT: Duration = Duration::from_secs(5);

/// Words that stand in places where they mean something.
const OPERATORS: &[&str] = &[
    "and", "or", "not", "=", "<=", "<", "+", "*", "ite", "div", "mod", "true", "false", "bvadd",
    "bvsub", "bvand", "bvor", "bvult", "bvsle", "bvmul", "bvudiv", "bit", "carry", "borrow",
    "agree", "select", "store", "forall", "exists", "var", "opaque",
];
const STEPS: &[&str] = &[
    "assert", "prop", "rup", "farkas", "dioph", "equal", "inst", "skolem", "ext",
];

/// Change certificates, and see that nothing false is accepted.
#[derive(clap::Args)]
pub(crate) struct ProofsArguments {
    /// Certificates, and tables of examples.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many mutations.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The number of the first batch; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The second checker.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "src/proof/second_checker.py"
    )]
    second: PathBuf,
    /// Leave out pairs that are longer than this.
    #[arg(long, default_value_t = 20_000, value_name = "BYTES")]
    longest: usize,
    /// Store the counts under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A question and a proof.
#[derive(Clone, Default)]
struct Pair {
    question: Vec<String>,
    proof: Vec<String>,
}

/// What became of the mutations.
#[derive(Default)]
struct Counts {
    mutations: u64,
    accepted: u64,
    /// Of these, those whose question was changed, and those of them that the solver refuted, too.
    other_questions: u64,
    refuted: u64,
    faults: Vec<String>,
}

/// Runs the campaign. The result says whether nothing was wrong.
pub(crate) fn campaign(arguments: &ProofsArguments) -> Result<bool, Failure> {
    let mut pairs = Vec::new();
    for file in &arguments.files {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::Io(file.clone(), e))?;
        pairs.extend(read(&text, arguments.longest));
    }
    if pairs.is_empty() {
        return Err(Failure::NoTasks);
    }
    let mut counts = Counts::default();
    let batches = arguments.count.div_ceil(BATCH);
    for batch in 0..batches {
        let mut random = ChaCha8Rng::seed_from_u64(arguments.seed + batch);
        let mutated: Vec<(usize, Pair)> = (0..BATCH)
            .map(|_| {
                let number = random.random_range(0..pairs.len());
                (number, mutate(&pairs, number, &mut random))
            })
            .collect();
        judge(&pairs, &mutated, arguments, &mut counts)?;
    }
    println!("{}", counts.summary(pairs.len()));
    for fault in &counts.faults {
        println!("\n{fault}");
    }
    if let Some(out) = &arguments.out {
        let mut text = String::from("# Changed certificates\n\n");
        for (name, value) in context() {
            let _ = writeln!(text, "* {name}: {value}");
        }
        let _ = writeln!(text, "\n{}", counts.summary(pairs.len()));
        let path = out.with_extension("md");
        std::fs::write(&path, text).map_err(|error| Failure::Io(path, error))?;
    }
    Ok(counts.faults.is_empty())
}

impl Counts {
    fn summary(&self, pairs: usize) -> String {
        format!(
            "{} mutations of {pairs} questions with proofs: {} accepted by both checkers, {} of them with another question, of which a \
             solver refutes {}; the others have no formulas or took too long. {} faults: a false question that is accepted, or two \
             checkers that disagree.",
            self.mutations,
            self.accepted,
            self.other_questions,
            self.refuted,
            self.faults.len()
        )
    }
}

/// The pairs of a text.
fn read(text: &str, longest: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "question" {
            continue;
        }
        let mut up_to = |end: &str| -> Vec<String> {
            let lines = lines.by_ref().take_while(|line| *line != end);
            lines.map(str::to_owned).collect()
        };
        let (question, proof) = (up_to("proof"), up_to("end"));
        let bytes: usize = question.iter().chain(&proof).map(String::len).sum();
        if bytes <= longest {
            pairs.push(Pair { question, proof });
        }
    }
    pairs
}

fn mutate(pairs: &[Pair], number: usize, random: &mut ChaCha8Rng) -> Pair {
    let mut pair = pairs[number].clone();
    if random.random_ratio(1, 20) {
        // Another program.
        pair.question = pairs[random.random_range(0..pairs.len())].question.clone();
        return pair;
    }
    for _ in 0..random.random_range(1..=2) {
        let lines = match random.random_ratio(1, 3) {
            true => &mut pair.question,
            false => &mut pair.proof,
        };
        if lines.is_empty() {
            continue;
        }
        let at = random.random_range(0..lines.len());
        match random.random_range(0..12) {
            0 => _ = lines.remove(at),
            1 => {
                let other = random.random_range(0..lines.len());
                lines.swap(at, other);
            }
            2 => lines.insert(at, lines[at].clone()),
            3 => {
                let other = &pairs[random.random_range(0..pairs.len())].proof;
                if !other.is_empty() {
                    lines[at] = other[random.random_range(0..other.len())].clone();
                }
            }
            _ => lines[at] = changed(&lines[at], random),
        }
    }
    pair
}

/// A line with one word changed.
fn changed(line: &str, random: &mut ChaCha8Rng) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let at = random.random_range(0..words.len());
    let of = |list: &[&str], random: &mut ChaCha8Rng| {
        list[random.random_range(0..list.len())].to_owned()
    };
    let word = &words[at];
    let sign = word.chars().next().filter(|sign| matches!(sign, '+' | '-'));
    let number: Option<i64> = word.trim_start_matches(['+', '-']).parse().ok();
    match (random.random_range(0..8), number) {
        (0, _) => _ = words.remove(at),
        (1, _) => words.insert(at, word.clone()),
        (2, _) => {
            let other = random.random_range(0..words.len());
            words.swap(at, other);
        }
        (3, Some(number)) if sign.is_some() => {
            let other = if sign == Some('+') { '-' } else { '+' };
            words[at] = format!("{other}{number}");
        }
        (_, Some(number)) => {
            let near = number + random.random_range(-2..=2);
            let new = match random.random_ratio(2, 3) {
                true => near.max(0),
                false => random.random_range(0..=number.max(3)),
            };
            words[at] = sign.map_or(new.to_string(), |sign| format!("{sign}{new}"));
        }
        _ if word.contains('/') => words[at] = format!("{}/3", random.random_range(-4..=4)),
        _ if STEPS.contains(&word.as_str()) => words[at] = of(STEPS, random),
        _ => words[at] = of(OPERATORS, random),
    }
    words.join(" ")
}

/// Asks both checkers about mutated pairs.
fn judge(
    pairs: &[Pair],
    mutated: &[(usize, Pair)],
    arguments: &ProofsArguments,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let second = second_answers(mutated, &arguments.second)?;
    for (at, (number, pair)) in mutated.iter().enumerate() {
        counts.mutations += 1;
        let (question, proof) = (joined(&pair.question), joined(&pair.proof));
        let answer = ult_proof::check(&question, &proof);
        let shown = |why: &str| format!("{why}\nquestion\n{question}proof\n{proof}end");
        if second.get(at) != Some(&answer.is_ok()) {
            let first = answer.map_or_else(|wrong| wrong.to_string(), |()| "it holds".into());
            counts
                .faults
                .push(shown(&format!("the checkers disagree: {first}")));
            continue;
        }
        if answer.is_err() {
            continue;
        }
        counts.accepted += 1;
        if pair.question == pairs[*number].question {
            continue;
        }
        counts.other_questions += 1;
        let terms = Terms::new();
        let Some(assertions) = question::assertions(&terms, &question) else {
            continue;
        };
        let session = Session::new(&terms, &[], &Control::unlimited());
        match session.solver().check(&assertions, Some(MOMENT)) {
            Answer::Unsat => counts.refuted += 1,
            Answer::Unknown(_) => {}
            Answer::Sat => counts.faults.push(shown("a false question is accepted")),
        }
    }
    Ok(())
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// For each pair whether the second checker accepts it.
fn second_answers(mutated: &[(usize, Pair)], second: &Path) -> Result<Vec<bool>, Failure> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::Io(path, error)
    };
    let folder = tempfile::tempdir().map_err(io(Path::new("a folder")))?;
    let path = folder.path().join("pairs");
    let mut text = String::new();
    for (_, pair) in mutated {
        let (question, proof) = (joined(&pair.question), joined(&pair.proof));
        let _ = write!(text, "question\n{question}proof\n{proof}end\n");
    }
    std::fs::write(&path, text).map_err(io(&path))?;
    let mut python = Command::new("python3");
    let output = python.arg(second).arg("--answers").arg(&path).output();
    let output = output.map_err(io(Path::new("python3")))?;
    let answers = String::from_utf8_lossy(&output.stdout);
    Ok(answers.lines().map(|line| line == "holds").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_examples_is_changed_without_a_fault() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/proof");
        let arguments = ProofsArguments {
            files: vec![root.join("examples.txt")],
            count: 1000,
            seed: 7,
            second: root.join("second_checker.py"),
            longest: 20_000,
            out: None,
        };
        assert!(campaign(&arguments).expect("it runs"));
    }
}
