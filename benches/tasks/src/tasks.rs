//! Task lists: CSV files whose rows are programs with their expected verdicts.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::Failure;
use crate::answer::Expected;

/// A program with its expected verdict.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The file as the list names it.
    pub name: String,
    /// The file, to be opened.
    pub path: PathBuf,
    /// What a right answer is.
    pub expected: Expected,
    /// All columns of the row.
    pub columns: IndexMap<String, String>,
}

impl Task {
    /// Whether loops are what their invariants say, and calls what contracts say.
    pub(crate) fn is_modular(&self) -> bool {
        let semantics = self.columns.get("semantics");
        semantics.is_some_and(|semantics| semantics == "modular")
    }
}

/// A condition `column=value` or `column!=value` on the rows of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    column: String,
    value: String,
    equal: bool,
}

impl std::str::FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Filter, String> {
        let (column, value) = text
            .split_once('=')
            .ok_or("a filter is written column=value or column!=value")?;
        let (column, equal) = match column.strip_suffix('!') {
            Some(column) => (column, false),
            None => (column, true),
        };
        Ok(Filter {
            column: column.trim().to_owned(),
            value: value.trim().to_owned(),
            equal,
        })
    }
}

impl Filter {
    fn admits(&self, columns: &IndexMap<String, String>) -> Result<bool, Failure> {
        match columns.get(&self.column) {
            Some(value) => Ok((*value == self.value) == self.equal),
            None => Err(Failure::NoColumn(self.column.clone())),
        }
    }
}

/// A task list, and which of its tasks are wanted.
#[derive(clap::Args)]
pub(crate) struct Selection {
    /// The task list: a CSV file with the columns `file` (relative to the list) and `expected` (true, false, reject).
    tasks: PathBuf,
    /// Only rows with this value, or (`!=`) another, in a column; may be repeated.
    #[arg(long, value_name = "COLUMN=VALUE")]
    filter: Vec<Filter>,
    /// Only files whose name contains this.
    #[arg(long, value_name = "SUBSTRING")]
    only: Option<String>,
}

impl Selection {
    /// Reads the tasks that are wanted.
    pub(crate) fn read(&self) -> Result<Vec<Task>, Failure> {
        read(&self.tasks, &self.filter, self.only.as_deref())
    }
}

/// A row of a list that is made of another one.
pub(crate) struct Written {
    /// The file, relative to the list.
    pub file: String,
    /// What is right.
    pub expected: Expected,
    /// The file as the first list names it.
    pub source: String,
}

/// Writes a task list.
pub(crate) fn write(list: &Path, rows: &[Written]) -> Result<(), Failure> {
    let context = |error: csv::Error| Failure::Csv(list.to_owned(), error);
    let mut writer = csv::Writer::from_path(list).map_err(context)?;
    let head = ["file", "expected", "source"];
    writer.write_record(head).map_err(context)?;
    for row in rows {
        let expected = row.expected.to_string();
        writer
            .write_record([&row.file, &expected, &row.source])
            .map_err(context)?;
    }
    writer.flush().map_err(|error| context(error.into()))
}

/// Reads a task list. Files are named relative to it. Columns `file` and `expected` must be there.
pub(crate) fn read(
    list: &Path,
    filters: &[Filter],
    only: Option<&str>,
) -> Result<Vec<Task>, Failure> {
    let context = |error: csv::Error| Failure::Csv(list.to_owned(), error);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(list)
        .map_err(context)?;
    let headers = reader.headers().map_err(context)?.clone();
    for needed in ["file", "expected"] {
        if !headers.iter().any(|header| header == needed) {
            return Err(Failure::NoColumn(needed.to_owned()));
        }
    }
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for record in reader.records() {
        let record = record.map_err(context)?;
        let columns: IndexMap<String, String> = headers
            .iter()
            .zip(record.iter())
            .map(|(header, value)| (header.to_owned(), value.to_owned()))
            .collect();
        let mut admitted = true;
        for filter in filters {
            admitted &= filter.admits(&columns)?;
        }
        let name = columns["file"].clone();
        if admitted && only.is_none_or(|part| name.contains(part)) {
            tasks.push(Task {
                path: folder.join(&name),
                expected: Expected::from_column(&columns["expected"]),
                name,
                columns,
            });
        }
    }
    Ok(tasks)
}
