//! Records, in the order of their tasks, as one report in any of the forms.

use std::collections::BTreeMap;

use serde_json::Value;

use super::table::{Row, table};
use crate::args::FormatArg;
use crate::exit::Exit;
use crate::output::{self, complain};
use ult_report::record::{Record, Word};
use ult_report::{junit, sarif};

/// What somebody wants to see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// The form.
    pub format: FormatArg,
    /// Whether only one line for each task is printed.
    pub quiet: bool,
    /// Whether there were several files, or a folder, even if it has only one.
    pub several: bool,
}

/// Prints records as they come, but each behind those of the tasks before it.
pub(crate) struct Printer {
    style: Style,
    /// What came before its turn.
    waiting: BTreeMap<usize, Shown>,
    /// The index of the task whose turn it is.
    next: usize,
    printed: bool,
    /// Nothing is known at first.
    exit: Option<Exit>,
    records: Vec<Record>,
}

/// What is shown of a task.
struct Shown {
    said: String,
    /// What is told before the record.
    heading: Option<String>,
    record: Option<Record>,
}

impl Printer {
    pub(crate) fn new(style: Style) -> Printer {
        Printer {
            style,
            waiting: BTreeMap::new(),
            next: 0,
            printed: false,
            exit: None,
            records: Vec::new(),
        }
    }

    /// How the process is to end by what it knows, besides what records say.
    pub(crate) fn worst(&mut self, exit: Exit) {
        self.exit = Some(self.exit.map_or(exit, |known| known.worst(exit)));
    }

    /// What became of the task with this index; indices that are left out are to be passed to [`Printer::skip`].
    pub(crate) fn add(
        &mut self,
        index: usize,
        record: Option<Record>,
        heading: Option<String>,
        said: String,
    ) {
        if let Some(record) = &record {
            self.worst(Exit::of_record(record));
        }
        let shown = Shown {
            said,
            heading,
            record,
        };
        self.waiting.insert(index, shown);
        while let Some(shown) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.show(shown);
        }
    }

    fn show(&mut self, shown: Shown) {
        if !shown.said.is_empty() {
            output::stderr(&shown.said);
        }
        let Some(record) = shown.record else {
            return;
        };
        if self.style.format == FormatArg::Text {
            let mut text = String::new();
            if self.printed && !self.style.quiet {
                text.push('\n');
            }
            if !self.style.quiet {
                text += &shown.heading.unwrap_or_default();
            }
            text += &record.text;
            self.printed = true;
            if let Err(exit) = output::stdout(&text) {
                self.worst(exit);
            }
        }
        self.records.push(record);
    }

    /// What was told, in order.
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Prints what is about all tasks together, and says how to end.
    pub(crate) fn end(mut self) -> Exit {
        // What has no predecessor, because that was never told.
        for (_, shown) in std::mem::take(&mut self.waiting) {
            self.show(shown);
        }
        let text = match self.style.format {
            FormatArg::Text => Ok(self.summary()),
            FormatArg::Json => Ok(self.json()),
            FormatArg::Sarif => {
                let parts: Vec<_> = self.records.iter().map(|r| r.sarif.clone()).collect();
                Ok(format!("{:#}\n", sarif::log_of(&parts)))
            }
            FormatArg::Junit => {
                let suites: Vec<_> = self.records.iter().map(Record::suite).collect();
                junit::document_of(&suites).map_err(|error| {
                    complain(&format!("cannot write JUnit XML: {error}"));
                    Exit::Internal
                })
            }
        };
        if let Err(exit) = text.and_then(|text| output::stdout(&text)) {
            self.worst(exit);
        }
        self.exit.unwrap_or(Exit::Safe)
    }

    fn summary(&self) -> String {
        if !self.style.several || self.style.quiet {
            return String::new();
        }
        let rows: Vec<Row> = self.records.iter().map(Row::of).collect();
        table(&rows)
    }

    fn json(&mut self) -> String {
        let mut objects = self.records.iter().map(|record| record.json.clone());
        let value = match (self.style.several, self.records.len()) {
            (false, 0) => return String::new(),
            (false, 1) => objects.next().unwrap_or_default(),
            _ => Value::Array(objects.collect()),
        };
        format!("{value:#}\n")
    }
}

impl Row {
    /// What the table says about a record.
    pub(crate) fn of(record: &Record) -> Row {
        Row {
            name: record.name(),
            is_procedure: record.entry.is_some(),
            word: record.verdict,
            told: record.verdict_text(),
            expected: record.expected,
            seconds: record.seconds,
        }
    }
}

/// The word of a verdict by its name.
pub(crate) fn word(name: &str) -> Option<Word> {
    let names = [
        ("safe", Word::Safe),
        ("unsafe", Word::Unsafe),
        ("conditional", Word::Conditional),
        ("unknown", Word::Unknown),
        ("reject", Word::Rejected),
    ];
    names
        .into_iter()
        .find(|(own, _)| *own == name)
        .map(|(_, word)| word)
}
