//! The table of what became of the inputs, and why some have no answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::Failure;
use super::verdict::Answer;
use crate::context::context;

/// By seed: whether it is safe, and the answer.
pub(super) type Results = BTreeMap<u64, (bool, Answer)>;

/// What is said of an input at once: only what is wrong.
pub(super) fn line(seed: u64, answer: &Answer) -> Option<String> {
    match answer {
        Answer::Right | Answer::Open(_) => None,
        Answer::Wrong(what) => Some(format!("{seed}: WRONG {what}")),
        Answer::Failed(what) => Some(format!("{seed}: FAILED {what}")),
    }
}

/// The tables: how many answers of each sort, and the reasons why there are none.
pub(super) fn table(results: &Results) -> String {
    let mut text = String::from(
        "| inputs | all | right | wrong | failed | open |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut reasons: BTreeMap<(bool, String), Vec<u64>> = BTreeMap::new();
    for is_safe in [true, false] {
        let [mut right, mut wrong, mut failed, mut open] = [0, 0, 0, 0];
        for (seed, (_, answer)) in results.iter().filter(|(_, (safe, _))| *safe == is_safe) {
            match answer {
                Answer::Right => right += 1,
                Answer::Wrong(_) => wrong += 1,
                Answer::Failed(_) => failed += 1,
                Answer::Open(why) => {
                    open += 1;
                    reasons
                        .entry((is_safe, short(why)))
                        .or_default()
                        .push(*seed);
                }
            }
        }
        let _ = writeln!(
            text,
            "| {} | {} | {right} | {wrong} | {failed} | {open} |",
            word(is_safe),
            right + wrong + failed + open
        );
    }
    if !reasons.is_empty() {
        text += "\n| no answer | because | inputs | such as |\n|---|---|---:|---:|\n";
    }
    let mut sorted: Vec<_> = reasons.iter().collect();
    sorted.sort_by_key(|((is_safe, _), seeds)| (!is_safe, std::cmp::Reverse(seeds.len())));
    for ((is_safe, why), seeds) in sorted {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            word(*is_safe),
            why.replace('|', "\\|").replace('\n', " "),
            seeds.len(),
            seeds.first().unwrap_or(&0)
        );
    }
    let bad: Vec<String> = results
        .iter()
        .filter_map(|(seed, (_, answer))| line(*seed, answer))
        .collect();
    if !bad.is_empty() {
        text += "\nWrong or failed:\n\n";
        for line in bad {
            let _ = writeln!(text, "* {line}");
        }
    }
    text
}

/// A reason without what only one input has: formulas, values, and the numbers of steps.
fn short(why: &str) -> String {
    let ends = [" in ", " has the value "];
    let end = ends.iter().filter_map(|end| why.find(end)).min();
    let why = why.get(..end.unwrap_or(why.len())).unwrap_or(why);
    let mut text = String::new();
    let mut is_step = false;
    for word in why.split_whitespace() {
        let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
        if !(is_step && is_number) {
            text += if text.is_empty() { "" } else { " " };
            text += if word.starts_with('`') { "`...`" } else { word };
        }
        is_step = word == "step";
    }
    text
}

fn word(is_safe: bool) -> &'static str {
    if is_safe { "safe" } else { "unsafe" }
}

/// Stores the tables, as .csv and .md.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn store(out: &Path, results: &Results, table: &str) -> Result<(), Failure> {
    let mut csv = String::new();
    let mut markdown = String::from("# Random inputs, enumerated and checked\n\n");
    for (name, value) in context() {
        let _ = writeln!(csv, "# {name}: {value}");
        let _ = writeln!(markdown, "* {name}: {value}");
    }
    let _ = writeln!(markdown, "\n{table}");
    csv += "seed,truth,answer,what\n";
    for (seed, (is_safe, answer)) in results {
        let (answer, what) = match answer {
            Answer::Right => ("right", ""),
            Answer::Wrong(what) => ("wrong", &**what),
            Answer::Open(what) => ("open", &**what),
            Answer::Failed(what) => ("failed", &**what),
        };
        let what = what.replace('"', "'").replace('\n', " ");
        let _ = writeln!(csv, "{seed},{},{answer},\"{what}\"", word(*is_safe));
    }
    for (extension, text) in [("csv", csv), ("md", markdown)] {
        let file = out.with_extension(extension);
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_put_together() {
        assert_eq!(
            short("the trace was not confirmed: the formula of step 12: timeout in x == y"),
            "the trace was not confirmed: the formula of step timeout"
        );
        assert_eq!(
            short("after step 2, `x0` has the value [else true]"),
            "after step `...`"
        );
        assert_eq!(short("timeout"), "timeout");
    }

    #[test]
    fn answers_are_counted() {
        let results = Results::from([
            (1, (true, Answer::Right)),
            (2, (true, Answer::Open("timeout".into()))),
            (3, (false, Answer::Wrong("SAFE".into()))),
        ]);
        let text = table(&results);
        assert!(text.contains("| safe | 2 | 1 | 0 | 0 | 1 |"), "{text}");
        assert!(text.contains("| unsafe | 1 | 0 | 1 | 0 | 0 |"), "{text}");
        assert!(text.contains("* 3: WRONG SAFE"), "{text}");
    }
}
