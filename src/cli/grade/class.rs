//! The submissions of a class, and what is said about them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ult_core::control::Control;

use super::exercise::Exercise;
use super::fault::Objection;
use super::judge::{Grade, Judge};

/// What is said about one submission.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The file.
    pub path: PathBuf,
    /// Whose it is: the file's name without its suffix.
    pub student: String,
    /// What came out.
    pub grade: Grade,
    /// How long that took.
    pub time: Duration,
}

impl Graded {
    /// The points, if that is decided.
    pub fn points(&self, exercise: &Exercise) -> Option<u32> {
        match self.grade {
            Grade::Passed => Some(exercise.points),
            Grade::Failed(_) => Some(0),
            Grade::Undecided(_) => None,
        }
    }

    /// The first objection.
    pub fn objection(&self) -> Option<&Objection> {
        match &self.grade {
            Grade::Failed(objections) => objections.first(),
            _ => None,
        }
    }
}

/// The files of a class: those that are named, and those in folders that are named, in the order of their names.
///
/// # Errors
/// If a folder cannot be read.
pub fn files(named: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            // Editors and course systems leave such files behind.
            if !entry.file_name().to_string_lossy().starts_with('.') {
                inside.push(entry.path());
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// Grades one file.
pub fn graded(judge: &Judge<'_>, path: &Path, control: &Control) -> Graded {
    let start = Instant::now();
    let grade = judge.grade(path, control);
    let student = path.file_stem().unwrap_or(path.as_os_str());
    Graded {
        path: path.to_owned(),
        student: student.to_string_lossy().into_owned(),
        grade,
        time: start.elapsed(),
    }
}
