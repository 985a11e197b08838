//! Files with records: the first line says what the command was, each other one what is known about a task.
//!
//! A line is written at once when its task is decided, so that a process which is killed loses only what it is working on.
//! Who begins again with the same file goes on there.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::task::Named;
use crate::args::Shard;
use ult_report::record::{Record, sealed, unsealed};

/// The version of the form of these files.
const FORMAT: u32 = 1;

/// What the command was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// Always [`FORMAT`].
    pub records: u32,
    /// The version of the program and of its solver.
    pub version: String,
    /// Which part of the tasks.
    pub part: u32,
    /// Of how many parts.
    pub of: u32,
    /// The options that verdicts may depend on.
    pub options: Vec<String>,
    /// All tasks, those of other parts, too.
    pub tasks: Vec<Named>,
}

impl Header {
    pub(crate) fn new(shard: Shard, options: Vec<String>, tasks: Vec<Named>) -> Header {
        Header {
            records: FORMAT,
            version: ult_report::version().to_owned(),
            part: shard.part.get(),
            of: shard.of.get(),
            options,
            tasks,
        }
    }

    /// What two commands differ in, in words, apart from the part.
    pub(crate) fn difference(&self, other: &Header) -> Option<String> {
        if self.records != other.records || self.version != other.version {
            return Some(format!(
                "version {} and version {}",
                self.version, other.version
            ));
        }
        if self.of != other.of {
            return Some(format!("{} shards and {} shards", self.of, other.of));
        }
        if self.options != other.options {
            let told = |options: &[String]| match options {
                [] => "no options".to_owned(),
                options => format!("`{}`", options.join(" ")),
            };
            return Some(format!(
                "{} and {}",
                told(&self.options),
                told(&other.options)
            ));
        }
        if self.tasks == other.tasks {
            return None;
        }
        let pair = (self.tasks.iter().zip(&other.tasks)).find(|(own, other)| own != other);
        Some(match pair {
            None => format!("{} tasks and {} tasks", self.tasks.len(), other.tasks.len()),
            Some((own, other)) if own.file == other.file && own.entry == other.entry => {
                format!("other options or expectations for {}", own.file)
            }
            Some((own, other)) => {
                let name = |task: &Named| match &task.entry {
                    Some(entry) => format!("`{}: {entry}`", task.file),
                    None => format!("`{}`", task.file),
                };
                format!("{} and {} in the same place", name(own), name(other))
            }
        })
    }
}

/// The content of such a file.
pub(crate) struct Content {
    /// The first line.
    pub header: Header,
    /// The records; the last one about each task, by the index of the task.
    pub records: BTreeMap<usize, Record>,
    /// How many lines were no whole records, or about no task.
    pub damaged: usize,
}

/// Reads a file.
///
/// # Errors
/// In words: if it cannot be read, or its first line is not what it has to be.
pub(crate) fn read(path: &Path) -> Result<Content, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    // A letter that is none costs its line.
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    let header: Option<Header> = lines
        .next()
        .and_then(unsealed)
        .and_then(|object| serde_json::from_str(object).ok());
    let Some(header) = header else {
        return Err(format!(
            "`{name}` does not begin as a file that `ult check --records` has written"
        ));
    };
    let mut content = Content {
        records: BTreeMap::new(),
        damaged: 0,
        header,
    };
    let indices: BTreeMap<(&str, Option<&str>), usize> = (content.header.tasks.iter().enumerate())
        .map(|(index, task)| ((&*task.file, task.entry.as_deref()), index))
        .collect();
    for line in lines.filter(|line| !line.is_empty()) {
        let record = Record::of_line(line);
        let index = record
            .as_ref()
            .and_then(|record| indices.get(&(&*record.file, record.entry.as_deref())));
        match (record.as_ref(), index) {
            (Some(record), Some(index)) => {
                content.records.insert(*index, record.clone());
            }
            _ => content.damaged += 1,
        }
    }
    Ok(content)
}

/// A file that records are written to.
pub(crate) struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens or makes a file for the records of a command. What it has from the same command is returned.
    ///
    /// # Errors
    /// In words: if it cannot be read or written, or belongs to another command.
    pub(crate) fn open(
        path: &Path,
        header: &Header,
    ) -> Result<(Store, BTreeMap<usize, Record>), String> {
        let name = path.display();
        let failed = |error: io::Error| format!("cannot write `{name}`: {error}");
        let length = std::fs::metadata(path).map_or(0, |known| known.len());
        let mut known = BTreeMap::new();
        // A first line that was not written to its end is no loss.
        let has_line = length > 0
            && std::fs::read(path)
                .map_err(|error| format!("cannot read `{name}`: {error}"))?
                .contains(&b'\n');
        let is_torn = length > 0 && !has_line && is_beginning(path);
        if length > 0 && !is_torn {
            let content = read(path)?;
            if let Some(difference) = difference(&content.header, header) {
                return Err(format!(
                    "`{name}` has records of another command ({difference}): remove it, or name another file"
                ));
            }
            known = content.records;
        }
        let mut options = OpenOptions::new();
        let mut file = match known.is_empty() && !has_line {
            true => options.write(true).create(true).truncate(true).open(path),
            false => options.append(true).open(path),
        }
        .map_err(failed)?;
        let beginning = match has_line {
            // What was not written to its end is a line of its own, which says nothing.
            true => "\n".to_owned(),
            false => {
                let header = serde_json::to_string(header).map_err(|error| error.to_string())?;
                sealed(&header)
            }
        };
        file.write_all(beginning.as_bytes()).map_err(failed)?;
        let path = path.to_owned();
        Ok((Store { path, file }, known))
    }

    /// Writes a record. It is on the disk when this returns.
    ///
    /// # Errors
    /// In words, if it cannot be written.
    pub(crate) fn write(&mut self, record: &Record) -> Result<(), String> {
        let line = record.line().map_err(|error| error.to_string())?;
        let written = self.file.write_all(line.as_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))
    }
}

fn is_beginning(path: &Path) -> bool {
    let start = sealed("");
    let start = start.split_at(11).0;
    std::fs::read(path).is_ok_and(|bytes| {
        let length = bytes.len().min(start.len());
        bytes[..length] == start.as_bytes()[..length]
    })
}

/// What two commands differ in, with the part.
fn difference(old: &Header, new: &Header) -> Option<String> {
    if (old.part, old.of) != (new.part, new.of) {
        return Some(format!(
            "shard {}/{} and shard {}/{}",
            old.part, old.of, new.part, new.of
        ));
    }
    old.difference(new)
}
