//! The tasks of a list as circuits, so that model checkers of circuits can be run beside `ult`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::answer::Expected;
use crate::process::{self, End, Limits};
use crate::tasks::{self, Selection, Task, Written};
use crate::tool::Tool;

/// Write the tasks of a list as circuits in AIGER, and a list of those.
#[derive(clap::Args)]
pub(crate) struct CircuitsArguments {
    /// Which tasks.
    #[command(flatten)]
    selection: Selection,
    /// The time limit for one task in seconds.
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// The folder to write to.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Writes a circuit for each task that has one. The others are named on stderr, each with the last line that `ult` says.
/// The result says how many there are of both.
pub(crate) fn write(
    arguments: &CircuitsArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<(usize, usize), Failure> {
    let tasks = arguments.selection.read()?;
    fs::create_dir_all(&arguments.out)
        .map_err(|error| Failure::Io(arguments.out.clone(), error))?;
    let exporter = Tool::exporter(ult)?;
    let limits = Limits {
        time: Duration::from_secs(arguments.timeout),
        memory: arguments.memory << 20,
    };
    let mut written = Vec::new();
    let mut without = 0;
    for (number, task) in tasks.iter().enumerate() {
        let file = format!("{number:03}-{}.aig", stem(task));
        let path = arguments.out.join(&file);
        let mut command = exporter.command(task, limits.time, arguments.memory)?;
        command.extend(["--output".to_owned(), path.to_string_lossy().into_owned()]);
        let at = |error| Failure::Io(path.clone(), error);
        let finished = process::run(&command, None, limits, stop).map_err(at)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match finished.end {
            End::Code(0) => {
                let text = fs::read(&path).map_err(at)?;
                written.push(Written {
                    file,
                    expected: match task.expected {
                        // It may be reached in the file where nothing is violated in the program.
                        Expected::True if has_elsewhere(&text) => Expected::Open,
                        expected => expected,
                    },
                    source: task.name.clone(),
                });
            }
            end => {
                without += 1;
                let why = finished.stderr.trim().lines().last().unwrap_or_default();
                eprintln!("{}: no circuit ({end}) {why}", task.name);
            }
        }
    }
    tasks::write(&arguments.out.join("tasks.csv"), &written)?;
    Ok((written.len(), without))
}

/// Whether the file has a bad state for steps of which it does not know what they read.
fn has_elsewhere(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| line.first() == Some(&b'b') && line.ends_with(b" elsewhere"))
}

/// The name of a task's file as part of another file's name.
fn stem(task: &Task) -> String {
    let stem = task.path.file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    stem.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}
