//! All files as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Row;
use super::judge::Class;
use crate::context::context;

/// What another Boogie decides in so many seconds is compared in time.
const SOON: f64 = 20.0;

/// The folder of a file of the suite.
fn folder_of(name: &str) -> &str {
    name.split_once('/').map_or(".", |(folder, _)| folder)
}

/// The table in Markdown; `beside` is the command of the other Boogie.
pub(super) fn text(
    rows: &[Row],
    left_out: &BTreeMap<String, String>,
    beside: Option<&str>,
) -> String {
    let mut text = "# Boogie's own suite\n\n".to_owned();
    for (name, value) in context() {
        let _ = writeln!(text, "* {name}: {value}");
    }
    let head: Vec<String> = Class::ALL.iter().map(ToString::to_string).collect();
    let _ = writeln!(
        text,
        "\n| folder | files | {} | left out |",
        head.join(" | ")
    );
    let _ = writeln!(text, "|---|---:|{}---:|", "---:|".repeat(head.len()));
    let names = rows.iter().map(|row| &*row.name);
    let names = names.chain(left_out.keys().map(String::as_str));
    let folders: BTreeSet<&str> = names.map(folder_of).collect();
    let count = |folder: Option<&str>, class: Class| {
        let is_in = |row: &&Row| folder.is_none_or(|folder| folder_of(&row.name) == folder);
        rows.iter()
            .filter(is_in)
            .filter(|row| row.class == class)
            .count()
    };
    let mut line = |title: &str, folder: Option<&str>| {
        let counts = Class::ALL.map(|class| count(folder, class));
        let others = left_out
            .keys()
            .filter(|name| folder.is_none_or(|f| folder_of(name) == f));
        let others = others.count();
        let all = counts.iter().sum::<usize>() + others;
        let cells = counts.map(|n| if n == 0 { String::new() } else { n.to_string() });
        let _ = writeln!(
            text,
            "| {title} | {all} | {} | {others} |",
            cells.join(" | ")
        );
    };
    for folder in folders {
        line(folder, Some(folder));
    }
    line("**all**", None);
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    if let Some(median) = seconds.get(seconds.len() / 2) {
        let all: f64 = seconds.iter().sum();
        let _ = writeln!(text, "\n{all:.0} s together, {median:.2} s in the median.");
    }
    if let Some(command) = beside {
        text += &times(rows, command);
    }
    text.push_str("\n| left out because of | files |\n|---|---:|\n");
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for why in left_out.values() {
        *reasons.entry(why).or_default() += 1;
    }
    for (why, count) in reasons {
        let _ = writeln!(text, "| {why} | {count} |");
    }
    text.push_str("\n| file | class | seconds | |\n|---|---|---:|---|\n");
    let different = |row: &&Row| row.class != Class::Agrees || !row.words.is_empty();
    for row in rows.iter().filter(different) {
        let words = row.words.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {words} |",
            row.name, row.class, row.seconds
        );
    }
    text
}

/// How long both take for what the other one decides soon.
fn times(rows: &[Row], command: &str) -> String {
    let decided = rows.iter().filter_map(|row| Some((row, row.other?)));
    let decided: Vec<(&Row, f64)> = decided.filter(|(_, other)| *other <= SOON).collect();
    let mut ratios: Vec<f64> = decided.iter().map(|(row, b)| row.seconds / b).collect();
    ratios.sort_by(f64::total_cmp);
    let Some(median) = ratios.get(ratios.len() / 2) else {
        return format!("\n`{command}` decides nothing within {SOON} s.\n");
    };
    let ours: f64 = decided.iter().map(|(row, _)| row.seconds).sum();
    let others: f64 = decided.iter().map(|(_, other)| other).sum();
    let slower: Vec<&(&Row, f64)> = decided
        .iter()
        .filter(|(row, other)| row.seconds > 2.0 * other)
        .collect();
    let mut text = format!(
        "\n`{command}` decides {} of these files within {SOON} s, in {others:.1} s together; `ult` takes {ours:.1} s for the \
         same, {median:.2} of its time in the median, and more than twice its time for {}.\n",
        decided.len(),
        slower.len(),
    );
    if !slower.is_empty() {
        text.push_str("\n| slower than twice | class | seconds | beside |\n|---|---|---:|---:|\n");
    }
    for (row, other) in slower {
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {other:.2} |",
            row.name, row.class, row.seconds
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_folders_and_reasons() {
        let row = |name: &str, class| Row {
            name: name.into(),
            class,
            words: "because".into(),
            seconds: 1.0,
            other: None,
        };
        let rows = [
            row("a/x.bpl", Class::Agrees),
            row("a/y.bpl", Class::Crash),
            row("b/z.bpl", Class::Agrees),
        ];
        let left_out = [("a/w.bpl".to_owned(), "CIVL".to_owned())].into();
        let text = text(&rows, &left_out, None);
        for line in [
            "| a | 3 | 1 |  |  |  |  |  |  | 1 | 1 |",
            "| b | 1 | 1 |  |  |  |  |  |  |  | 0 |",
            "| **all** | 4 | 2 |  |  |  |  |  |  | 1 | 1 |",
            "| CIVL | 1 |",
            "| a/y.bpl | crash | 1.00 | because |",
            "3 s together, 1.00 s in the median.",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn what_takes_twice_as_long_is_listed() {
        let row = |name: &str, seconds, other| Row {
            name: name.into(),
            class: Class::Agrees,
            words: String::new(),
            seconds,
            other,
        };
        let rows = [
            row("fast", 0.1, Some(1.0)),
            row("slow", 3.0, Some(1.0)),
            row("as slow", 2.0, Some(1.0)),
            row("late", 90.0, Some(30.0)),
            row("open", 9.0, None),
        ];
        let text = times(&rows, "b");
        for line in [
            "`b` decides 3 of these files within 20 s, in 3.0 s together; `ult` takes 5.1 s for the same, 2.00 of its time",
            "| slow | agrees | 3.00 | 1.00 |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("late") && !text.contains("open |"));
        assert!(times(&rows[4..], "b").contains("decides nothing"));
    }
}
