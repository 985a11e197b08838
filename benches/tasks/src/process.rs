//! One run of a tool as a process of its own, with limits that hold.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::Wait4 as _;

/// So much of a tool's output is read.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// How often the limits on memory and output are looked at.
const POLL: Duration = Duration::from_millis(50);

/// What a process may use before it is ended from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory of the process and its descendants, in bytes.
    pub memory: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What a process did.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How it ended.
    pub end: End,
    /// Wall-clock time.
    pub wall: Duration,
    /// Processor time of the process and the descendants it waited for.
    pub cpu: Duration,
    /// The largest resident memory of one of them, in bytes.
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
    let [program, arguments @ ..] = command else {
        return Err(std::io::Error::other("an empty command"));
    };
    // Files instead of pipes: nobody has to keep reading, and a descendant that keeps one open does no harm.
    let mut stdout = tempfile::tempfile()?;
    let mut stderr = tempfile::tempfile()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);

    // The process is waited for but kept until its whole group is ended, so that its number stays its own.
    let (ended, end) = channel();
    let waiter = std::thread::spawn(move || {
        let result = loop {
            match waitid(
                WaitId::Pid(pid),
                WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
            ) {
                Err(rustix::io::Errno::INTR) => {}
                result => break result,
            }
        };
        let _ = ended.send(Instant::now());
        result.map(drop)
    });
    let mut killed = None;
    let deadline = start + limits.time;
    let wall = loop {
        let now = Instant::now();
        match end.recv_timeout(POLL.min(deadline.saturating_duration_since(now))) {
            Ok(instant) => break instant - start,
            Err(RecvTimeoutError::Disconnected) => break start.elapsed(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let output = stdout.metadata()?.len() + stderr.metadata()?.len();
        killed = if stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else if Instant::now() >= deadline {
            Some(End::Time)
        } else if output > OUTPUT_LIMIT || resident(pid) > limits.memory {
            Some(End::Memory)
        } else {
            continue;
        };
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = end.recv();
        break start.elapsed();
    };
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = waiter.join();
    let usage = child.wait4()?;
    let end = killed.unwrap_or_else(|| match (usage.status.code(), usage.status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    });
    Ok(Finished {
        end,
        wall,
        cpu: usage.rusage.utime + usage.rusage.stime,
        memory: usage.rusage.maxrss,
        stdout: read(&mut stdout)?,
        stderr: read(&mut stderr)?,
    })
}

/// The text of a file from its beginning. What is no text is replaced.
fn read(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The resident memory of a process and its descendants in bytes, as far as the system tells.
fn resident(root: Pid) -> u64 {
    let mut total = 0;
    let mut stack = vec![root.as_raw_nonzero().get().to_string()];
    while let Some(pid) = stack.pop() {
        if let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) {
            let kilobytes = status
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))
                .and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
            total += kilobytes.unwrap_or(0) * 1024;
        }
        let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
            continue;
        };
        for thread in threads.flatten() {
            if let Ok(children) = std::fs::read_to_string(thread.path().join("children")) {
                stack.extend(children.split_whitespace().map(str::to_owned));
            }
        }
    }
    total
}
