//! `--log-queries`: every question to the solver as a file that any solver reads.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ult_core::questions::{Listener, Question};

use super::exit::Exit;
use super::output::complain;

/// The list of all questions in the folder: number, answer, milliseconds, bytes, and the tactic that answered it.
const INDEX: &str = "index.tsv";

/// The folder, and what was written into it.
struct Folder {
    path: PathBuf,
    index: File,
    number: u64,
    /// Nothing more can be written; it was said.
    failed: bool,
}

/// A listener that writes questions into a folder: `000001.smt2` and so on, in the order of their answers.
///
/// # Errors
/// [`Exit::Usage`], after a message, if the folder cannot be made, or holds something already.
pub(crate) fn listener(folder: &Path) -> Result<Listener, Exit> {
    let refuse = |why: String| {
        complain(&format!("--log-queries {}: {why}", folder.display()));
        Exit::Usage
    };
    fs::create_dir_all(folder).map_err(|error| refuse(error.to_string()))?;
    let mut inside = fs::read_dir(folder).map_err(|error| refuse(error.to_string()))?;
    if inside.next().is_some() {
        return Err(refuse("the folder is not empty".into()));
    }
    let mut index =
        File::create_new(folder.join(INDEX)).map_err(|error| refuse(error.to_string()))?;
    writeln!(index, "question\tanswer\tmilliseconds\tbytes\ttactic")
        .map_err(|error| refuse(error.to_string()))?;
    let folder = Mutex::new(Folder {
        path: folder.to_owned(),
        index,
        number: 0,
        failed: false,
    });
    Ok(Listener::new(move |question| {
        let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        if folder.failed {
            return;
        }
        if let Err(error) = folder.write(&question) {
            folder.failed = true;
            complain(&format!(
                "--log-queries {}: {error}; no more questions are written",
                folder.path.display()
            ));
        }
    }))
}

impl Folder {
    fn write(&mut self, question: &Question) -> std::io::Result<()> {
        self.number += 1;
        let name = format!("{:06}.smt2", self.number);
        let milliseconds = question.time.as_secs_f64() * 1000.0;
        let Question {
            script,
            answer,
            tactic,
            ..
        } = question;
        let text = format!(
            "; answer: {answer}\n; tactic: {tactic}\n; time: {milliseconds:.1} ms\n{script}"
        );
        fs::write(self.path.join(&name), &text)?;
        writeln!(
            self.index,
            "{name}\t{answer}\t{milliseconds:.1}\t{}\t{tactic}",
            text.len()
        )
    }
}
