//! One run of a tool as a process of its own, with limits that hold: see [`crate::hold`].

use std::fmt;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use crate::hold::Measured;

/// So much of a tool's output is read.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// How often it is looked whether a process has ended. (It measures itself.)
const POLL: Duration = Duration::from_millis(5);

/// What a process may use before it is ended from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Memory of the process and its descendants, in bytes.
    pub memory: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    /// With an exit code.
    Code(i32),
    /// By a signal that it did not get from here.
    Signal(i32),
    /// Ended from here, for its time.
    Time,
    /// Ended from here, for its memory or the size of its output.
    Memory,
    /// Ended from here, because the user wants to stop.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Code(code) => write!(f, "code {code}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
            End::Time => f.write_str("time"),
            End::Memory => f.write_str("memory"),
            End::Stopped => f.write_str("stopped"),
        }
    }
}

/// What a process did.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How it ended.
    pub end: End,
    /// Wall-clock time.
    pub wall: Duration,
    /// Processor time of the process and its descendants.
    pub cpu: Duration,
    /// The most memory that they took, in bytes.
    pub memory: u64,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// Runs a command (program, then arguments) to its end or to a limit. Descendants that stay behind are ended.
///
/// # Errors
/// If the process cannot be started or waited for.
pub(crate) fn run(
    command: &[String],
    folder: Option<&Path>,
    limits: Limits,
    stop: &AtomicBool,
) -> std::io::Result<Finished> {
    // Files instead of pipes: nobody has to keep reading, and a descendant that keeps one open does no harm.
    let mut stdout = tempfile::tempfile()?;
    let mut stderr = tempfile::tempfile()?;
    let report = tempfile::NamedTempFile::new()?;
    let mut holder = Command::new(runner()?);
    holder
        .args(["measure", "--time", &limits.time.as_secs_f64().to_string()])
        .args(["--memory", &limits.memory.to_string(), "--report"])
        .arg(report.path())
        .arg("--")
        .args(command)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    // Not in the way of Ctrl-C: the holder is told from here.
    std::os::unix::process::CommandExt::process_group(&mut holder, 0);
    if let Some(folder) = folder {
        holder.current_dir(folder);
    }
    let mut child = holder.spawn()?;
    let pid = Pid::from_child(&child);
    // It ends the command at the limit; this is for a holder that does not.
    let deadline = Instant::now() + limits.time + Duration::from_secs(30);
    let mut forced = None;
    while child.try_wait()?.is_none() {
        let output = stdout.metadata()?.len() + stderr.metadata()?.len();
        let stopped = if stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else if output > OUTPUT_LIMIT {
            Some(End::Memory)
        } else {
            None
        };
        if forced.is_none() && stopped.is_some() {
            forced = stopped;
            let _ = kill_process(pid, Signal::TERM);
        }
        if Instant::now() > deadline {
            forced = Some(End::Time);
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(POLL);
    }
    let text = std::fs::read_to_string(report.path())?;
    let measured: Result<Measured, String> = serde_json::from_str(&text)?;
    let measured = measured.map_err(std::io::Error::other)?;
    if measured.left > 0 {
        eprintln!("warning: {} processes could not be ended", measured.left);
    }
    Ok(Finished {
        end: forced.unwrap_or(measured.end),
        wall: Duration::from_secs_f64(measured.wall),
        cpu: Duration::from_secs_f64(measured.cpu),
        memory: measured.memory,
        stdout: read(&mut stdout)?,
        stderr: read(&mut stderr)?,
    })
}

/// This program. Unit tests run in one of their own, which lies below it.
fn runner() -> std::io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    if !cfg!(test) {
        return Ok(own);
    }
    let folder = own.ancestors().nth(2).unwrap_or(Path::new(""));
    Ok(folder.join("ult-bench"))
}

/// The text of a file from its beginning. What is no text is replaced.
fn read(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
