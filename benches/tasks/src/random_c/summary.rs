//! The table of what became of the programs, and why some have no answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::Failure;
use super::verdict::{Answer, QUESTIONS};
use crate::context::context;

/// So many reasons are shown of each question.
const MOST_REASONS: usize = 25;

/// What became of a program.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// The C compiler refuses it.
    NotCompiled(String),
    /// It is not defined, or its results are not.
    Undefined(String),
    /// The answers to the questions.
    Answers(Vec<Answer>),
}

impl Outcome {
    /// Whether an answer is wrong.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Outcome::Answers(answers) if answers
            .iter()
            .any(|answer| matches!(answer, Answer::Wrong(_) | Answer::Failed(_))))
    }
}

/// By seed.
pub(super) type Results = BTreeMap<u64, Outcome>;

/// What is said of a program at once: only what is wrong.
pub(super) fn lines(seed: u64, outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::NotCompiled(why) => vec![format!("{seed}: not compiled: {why}")],
        Outcome::Undefined(_) => Vec::new(),
        Outcome::Answers(answers) => QUESTIONS
            .iter()
            .zip(answers)
            .filter_map(|(question, answer)| match answer {
                Answer::Right | Answer::Open(_) => None,
                Answer::Wrong(what) => Some(format!("{seed}: {question}: WRONG {what}")),
                Answer::Failed(what) => Some(format!("{seed}: {question}: FAILED {what}")),
            })
            .collect(),
    }
}

/// The tables: how many programs, and for each question how many answers, and the reasons why there are none.
pub(super) fn table(results: &Results) -> String {
    let mut defined = Vec::new();
    let mut others: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (seed, outcome) in results {
        match outcome {
            Outcome::Answers(answers) => defined.push((*seed, answers)),
            Outcome::NotCompiled(_) => others.entry("not compiled".into()).or_default().push(*seed),
            Outcome::Undefined(why) => others
                .entry(format!("not defined: {why}"))
                .or_default()
                .push(*seed),
        }
    }
    let mut text = format!(
        "| programs | |\n|---|---:|\n| all | {} |\n| with known results | {} |\n",
        results.len(),
        defined.len()
    );
    for (why, seeds) in &others {
        let _ = writeln!(
            text,
            "| {}, such as {} | {} |",
            why.replace('|', "\\|"),
            seeds.first().unwrap_or(&0),
            seeds.len()
        );
    }
    let decided = defined
        .iter()
        .filter(|(_, answers)| answers.len() >= 2 && answers.iter().take(2).all(is_right))
        .count();
    let _ = writeln!(
        text,
        "| both claims decided | {decided} ({:.1} %) |",
        100.0 * decided as f64 / defined.len().max(1) as f64
    );
    text += "\n| question | right | wrong | failed | open |\n|---|---:|---:|---:|---:|\n";
    let mut reasons: BTreeMap<(usize, &str), Vec<u64>> = BTreeMap::new();
    for (index, question) in QUESTIONS.iter().enumerate() {
        let [mut right, mut wrong, mut failed, mut open] = [0, 0, 0, 0];
        for (seed, answers) in &defined {
            match answers.get(index) {
                None => {}
                Some(Answer::Right) => right += 1,
                Some(Answer::Wrong(_)) => wrong += 1,
                Some(Answer::Failed(_)) => failed += 1,
                Some(Answer::Open(why)) => {
                    open += 1;
                    reasons.entry((index, why)).or_default().push(*seed);
                }
            }
        }
        let _ = writeln!(
            text,
            "| {question} | {right} | {wrong} | {failed} | {open} |"
        );
    }
    text += "\n| no answer | because | programs | such as |\n|---|---|---:|---:|\n";
    let mut sorted: Vec<_> = reasons.iter().collect();
    sorted.sort_by_key(|((question, _), seeds)| (*question, std::cmp::Reverse(seeds.len())));
    for (index, question) in QUESTIONS.iter().enumerate() {
        let of_this = sorted.iter().filter(|((of, _), _)| *of == index);
        for ((_, why), seeds) in of_this.take(MOST_REASONS) {
            let _ = writeln!(
                text,
                "| {question} | {} | {} | {} |",
                why.replace('|', "\\|"),
                seeds.len(),
                seeds.first().unwrap_or(&0)
            );
        }
    }
    let wrong: Vec<String> = results
        .iter()
        .filter(|(_, outcome)| outcome.is_bad())
        .flat_map(|(seed, outcome)| lines(*seed, outcome))
        .collect();
    if !wrong.is_empty() {
        let _ = writeln!(text, "\nWrong or failed:\n");
        for line in wrong {
            let _ = writeln!(text, "* {line}");
        }
    }
    text
}

fn is_right(answer: &Answer) -> bool {
    *answer == Answer::Right
}

/// Stores the tables, as .csv and .md.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn store(out: &Path, results: &Results, table: &str) -> Result<(), Failure> {
    let mut csv = String::new();
    let mut markdown = String::from("# Random C programs, compiled and checked\n\n");
    for (name, value) in context() {
        let _ = writeln!(csv, "# {name}: {value}");
        let _ = writeln!(markdown, "* {name}: {value}");
    }
    let _ = writeln!(markdown, "\n{table}");
    csv += "seed,question,answer,what\n";
    for (seed, outcome) in results {
        let quoted = |text: &str| text.replace('"', "'").replace('\n', " ");
        match outcome {
            Outcome::NotCompiled(why) => {
                let _ = writeln!(csv, "{seed},,not compiled,\"{}\"", quoted(why));
            }
            Outcome::Undefined(why) => {
                let _ = writeln!(csv, "{seed},,not defined,\"{}\"", quoted(why));
            }
            Outcome::Answers(answers) => {
                for (question, answer) in QUESTIONS.iter().zip(answers) {
                    let (word, what) = match answer {
                        Answer::Right => ("right", ""),
                        Answer::Wrong(what) => ("wrong", &**what),
                        Answer::Open(what) => ("open", &**what),
                        Answer::Failed(what) => ("failed", &**what),
                    };
                    let _ = writeln!(csv, "{seed},{question},{word},\"{}\"", quoted(what));
                }
            }
        }
    }
    for (extension, text) in [("csv", csv), ("md", markdown)] {
        let file = out.with_extension(extension);
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(())
}
