//! Commands that make one text out of one file, such as a picture or an export.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::args::c::CArgs;
use super::exit::Exit;
use super::input::{Input, Reader};
use super::library;
use super::output::{self, complain};
use super::process::end_at_once;
use super::save;
use super::watch::{End, Limits, supervise};
use ult_core::control::Control;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_driver::{Language, Progress, Report};

/// What became of the file.
pub(crate) enum Made {
    /// The text.
    Text(String),
    /// The text, words about it for stderr, and how the command ends.
    Told(String, String, Exit),
    /// What is no text.
    Bytes(Vec<u8>),
    /// The file has errors.
    Rejected(Box<Report>),
    /// The command asks for something that there is not for this file.
    Refused(String),
    /// There is a bug.
    Bug(Reason),
}

/// Where a text comes from and goes to.
pub(crate) struct Document<'a> {
    /// The file to read, or the C files of one program.
    pub files: &'a [PathBuf],
    /// The language that it is said to be in.
    pub language: Option<Language>,
    /// How C is read.
    pub c: &'a CArgs,
    /// The libraries that the program uses.
    pub libraries: &'a [String],
    /// Stop after this time.
    pub timeout: Option<Duration>,
    /// The file to write instead of stdout.
    pub output: Option<&'a Path>,
}

/// Makes the text on a thread of its own, under the limit, and writes it.
pub(crate) fn run(
    document: &Document<'_>,
    make: impl FnOnce(&Input, &Control) -> Made + Send + 'static,
) -> Exit {
    if let Err(exit) = super::solver::require(document.timeout) {
        return exit;
    }
    let inputs =
        library::files(document.libraries).chain(document.files.iter().map(PathBuf::as_path));
    if let Err(exit) = save::refuse_conflicts(document.output, inputs) {
        return exit;
    }
    let start = Instant::now();
    let limits = Limits {
        timeout: document.timeout,
        for_stdout: document.output.is_none(),
        ..Limits::default()
    };
    let reader = Reader {
        language: document.language,
        c: document.c.clone(),
        libraries: document.libraries.to_vec(),
        limits: limits.clone(),
    };
    let input = match reader.read_program(document.files) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut exit = None;
    let end = supervise(
        limits.since(start),
        &Progress::default(),
        false,
        move |control, send| send(guarded(|| Ok(make(&input, control)))),
        |made| {
            exit = Some(match made {
                Ok(Made::Text(text)) => write(document.output, &text),
                Ok(Made::Told(text, words, end)) => {
                    output::stderr(&words);
                    match write(document.output, &text) {
                        Exit::Safe => end,
                        worse => worse,
                    }
                }
                Ok(Made::Bytes(bytes)) => match document.output {
                    Some(path) => save::save(path, bytes).err().unwrap_or(Exit::Safe),
                    // These are for files with certain names only.
                    None => Exit::Internal,
                },
                Ok(Made::Rejected(report)) => output::rejected(&report.diagnostics, &report.source),
                Ok(Made::Refused(text)) => {
                    complain(&text);
                    Exit::Usage
                }
                Ok(Made::Bug(bug)) | Err(bug) => {
                    complain(&bug.to_string());
                    Exit::Internal
                }
            });
        },
    );
    match (end, exit) {
        (Err(exit), _) | (Ok(End::Finished), Some(exit)) => exit,
        (Ok(End::Finished | End::Lost), None) | (Ok(End::Lost), Some(_)) => Exit::Internal,
        (Ok(End::Abandoned(stop)), _) => {
            complain(&format!("stopped: {}", Reason::from(stop)));
            end_at_once(match Reason::from(stop) {
                Reason::Cancelled => Exit::Interrupted,
                _ => Exit::Unknown,
            })
        }
    }
}

fn write(output: Option<&Path>, text: &str) -> Exit {
    let written = match output {
        None => output::stdout(text),
        Some(path) => save::save(path, text),
    };
    match written {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}
