//! What is to be done: a file, or a procedure of one, with the options that count for it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::words::assigned;
use ult_report::record::{Record, Word};

/// One piece of work for one process.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The file.
    pub file: PathBuf,
    /// The procedure, if it is not the whole file.
    pub entry: Option<String>,
    /// The options of the project, as words.
    pub project: Vec<String>,
    /// The file that they stand in, if there are any.
    pub project_file: Option<PathBuf>,
    /// The longest time for it.
    pub timeout: Option<Duration>,
    /// The most megabytes of memory for it.
    pub memory: Option<u64>,
    /// What its verdict is expected to be.
    pub expected: Option<Word>,
}

/// What a task is, as records tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    /// The file.
    pub file: String,
    /// The procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The options of the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What its verdict is expected to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Word>,
}

impl Task {
    /// A file without a project.
    pub(crate) fn plain(file: PathBuf) -> Task {
        Task {
            file,
            entry: None,
            project: Vec::new(),
            project_file: None,
            timeout: None,
            memory: None,
            expected: None,
        }
    }

    /// Whether nothing is said about it.
    pub(crate) fn is_plain(&self) -> bool {
        self.project.is_empty()
            && self.timeout.is_none()
            && self.memory.is_none()
            && self.expected.is_none()
    }

    /// What it is called.
    pub(crate) fn name(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{}: {entry}", self.file.display()),
            None => self.file.display().to_string(),
        }
    }

    /// The options of the project with its limits.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options = self.project.clone();
        options.extend((self.timeout).map(|time| format!("--timeout={}", time.as_secs_f64())));
        options.extend((self.memory).map(|memory| format!("--memory={memory}")));
        options
    }

    /// What is told before its text: the options that somebody may not know of.
    pub(crate) fn heading(&self) -> Option<String> {
        let file = self.project_file.as_ref()?;
        let options = self.options();
        (!options.is_empty()).then(|| format!("{}: {}\n", file.display(), options.join(" ")))
    }

    /// Adds to a new record what the project says.
    pub(crate) fn complete(&self, record: &mut Record) {
        if let Some(expected) = self.expected {
            record.expect(expected);
        }
        if let Some(project) = &self.project_file {
            record.json["project"] = serde_json::json!({
                "file": project.display().to_string(),
                "options": self.options(),
            });
        }
    }

    /// What records say about it.
    pub(crate) fn named(&self) -> Named {
        Named {
            file: self.file.display().to_string(),
            entry: self.entry.clone(),
            options: self.options(),
            expected: self.expected,
        }
    }

    /// The words of the project and of the task.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.project.iter().map(OsString::from).collect();
        words.extend(self.entry.iter().map(|entry| assigned("entry", entry)));
        words
    }
}
