//! `ult merge`: files with records of all parts of a command as one report.

use std::collections::BTreeMap;
use std::path::Path;

use super::printer::{Printer, Style};
use super::store::{self, Header};
use super::task::Task;
use super::unchecked;
use crate::args::MergeArgs;
use crate::exit::Exit;
use crate::output::{self, complain};
use ult_core::reason::Reason;
use ult_report::record::{Record, Word};

/// How many names of tasks without a result are told.
const MOST_NAMES: usize = 5;

/// Runs the command.
pub(crate) fn run(args: &MergeArgs) -> Exit {
    let mut first: Option<(&Path, Header)> = None;
    let mut parts: BTreeMap<u32, &Path> = BTreeMap::new();
    let mut records: BTreeMap<usize, (&Path, Record)> = BTreeMap::new();
    let mut doubted = Vec::new();
    for path in &args.files {
        let content = match store::read(path) {
            Ok(content) => content,
            Err(why) => {
                complain(&why);
                return Exit::Usage;
            }
        };
        let name = path.display();
        match &first {
            None => first = Some((path, content.header.clone())),
            Some((other, header)) => {
                if let Some(difference) = header.difference(&content.header) {
                    let other = other.display();
                    complain(&format!(
                        "`{other}` and `{name}` are of different commands: {difference}"
                    ));
                    return Exit::Usage;
                }
            }
        }
        if content.damaged > 0 {
            let lines = match content.damaged {
                1 => "1 damaged line does not count".to_owned(),
                damaged => format!("{damaged} damaged lines do not count"),
            };
            note(&format!("`{name}`: {lines}"));
        }
        if let Some(other) = parts.insert(content.header.part, path) {
            note(&format!(
                "`{}` and `{name}` are both of shard {}/{}",
                other.display(),
                content.header.part,
                content.header.of
            ));
        }
        for (index, record) in content.records {
            match records.remove(&index) {
                None => {
                    records.insert(index, (path, record));
                }
                Some((other, old)) => {
                    if contradict(&old, &record) {
                        doubted.push(format!(
                            "{}: {} in `{}`, but {} in `{name}`",
                            record.name(),
                            old.verdict_text(),
                            other.display(),
                            record.verdict_text()
                        ));
                    }
                    let better = match old.verdict {
                        Word::Unknown | Word::Conditional => (path.as_path(), record),
                        Word::Safe | Word::Unsafe | Word::Rejected | Word::Nothing => (other, old),
                    };
                    records.insert(index, better);
                }
            }
        }
    }
    let Some((_, header)) = first else {
        return Exit::Usage;
    };
    let mut printer = Printer::new(Style {
        format: args.format,
        quiet: args.quiet,
        several: true,
    });
    let missing: Vec<u32> = (1..=header.of)
        .filter(|part| !parts.contains_key(part))
        .collect();
    if !missing.is_empty() {
        let missing: Vec<String> = missing
            .iter()
            .map(|part| format!("{part}/{}", header.of))
            .collect();
        complain(&format!(
            "there are no records of shard {}",
            missing.join(", ")
        ));
        printer.worst(Exit::Interrupted);
    }
    let mut absent = Vec::new();
    for (index, named) in header.tasks.iter().enumerate() {
        let record = match records.remove(&index) {
            Some((_, record)) => record,
            None => {
                let task = Task {
                    entry: named.entry.clone(),
                    ..Task::plain(named.file.clone().into())
                };
                absent.push(task.name());
                let mut record = unchecked(&task, args.quiet, Reason::Cancelled);
                if let Some(expected) = named.expected {
                    record.expect(expected);
                }
                record
            }
        };
        printer.add(index, Some(record), None, String::new());
    }
    if !absent.is_empty() {
        let told: Vec<&str> = absent.iter().take(MOST_NAMES).map(String::as_str).collect();
        let more = match absent.len() > told.len() {
            true => " ...",
            false => "",
        };
        complain(&format!(
            "not decided: {} of {}: {}{more}; the same commands with the same --records go on where they ended",
            absent.len(),
            header.tasks.len(),
            told.join(", ")
        ));
        printer.worst(Exit::Interrupted);
    }
    for line in &doubted {
        complain(&format!("results contradict each other: {line}"));
        printer.worst(Exit::Internal);
    }
    printer.end()
}

/// Whether two results on one task cannot both be right.
fn contradict(one: &Record, other: &Record) -> bool {
    let decided = |record: &Record| !matches!(record.verdict, Word::Unknown | Word::Conditional);
    decided(one) && decided(other) && one.verdict != other.verdict
}

fn note(text: &str) {
    output::stderr(&format!("ult: note: {text}\n"));
}
