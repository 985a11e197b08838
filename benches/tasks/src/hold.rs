//! Holding a command: nothing that it starts gets away, and all that it starts is counted.
//!
//! One process of this program stands over each command. On Linux it is the *subreaper* of what it starts: a process whose
//! parent has ended becomes its child, whatever session or process group it has put itself into. So all descendants
//! can be found below the holder at any time, they can all be ended, and the time of those that nobody waited for, or that
//! were killed, is counted when the holder waits for them. When waiting says that there are no children, nothing is left.
//!
//! What this cannot do, and what control groups are for, says the book's page on measuring.

use std::collections::HashSet;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use serde::{Deserialize, Serialize};

use crate::process::End;

/// How often the limit on memory is looked at.
const POLL: Duration = Duration::from_millis(50);

/// How long it is tried to end what does not end, as a process in the middle of a failing disk's input.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is measured of a command, and what it may take.
#[derive(clap::Args)]
pub(crate) struct HoldArguments {
    /// Wall-clock seconds after which the command is ended.
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Bytes of memory, of the command and all that it starts, at which it is ended.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<u64>,
    /// Write the figures to this file as JSON, and not to stderr.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<String>,
}

/// What a command did and took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// How it ended.
    pub end: End,
    /// Wall-clock seconds until it ended, by a clock that nobody sets.
    pub wall: f64,
    /// Processor seconds of the command and all its descendants, but for those whose parent told the system not to keep
    /// them (`SIGCHLD` ignored).
    pub cpu: f64,
    /// Processor seconds that the measuring itself has taken.
    pub own: f64,
    /// The most memory in bytes: what the largest process took at its peak, or, if that is more, what all together were
    /// seen to take, pages that they share counted once.
    pub memory: u64,
    /// Descendants that were still there when the command ended, and had to be ended.
    pub ended: usize,
    /// Descendants that could not be ended.
    pub left: usize,
}

/// Runs a command and tells what it took. The exit code is its own, or 124 if it was ended from here.
pub(crate) fn hold(arguments: &HoldArguments, stop: &AtomicBool) -> u8 {
    let measured = measure(arguments, stop).map_err(|error| error.to_string());
    if let Some(file) = &arguments.report {
        let text = serde_json::to_string(&measured).unwrap_or_default();
        if std::fs::write(file, text).is_err() {
            return 2;
        }
    }
    let measured = match measured {
        Ok(measured) => measured,
        Err(error) => {
            let program = arguments.command.first().map_or("", String::as_str);
            eprintln!("error: cannot run {program}: {error}");
            return 127;
        }
    };
    if arguments.report.is_none() {
        let Measured {
            end,
            wall,
            cpu,
            own,
            memory,
            ended,
            left,
        } = &measured;
        let _ = writeln!(
            std::io::stderr(),
            "end={end}\nwalltime={wall:.3}s\ncputime={cpu:.3}s\nown={own:.3}s\nmemory={memory}B\nended={ended}\nleft={left}"
        );
    }
    match measured.end {
        End::Code(code) => u8::try_from(code).unwrap_or(2),
        End::Signal(signal) => u8::try_from(128 + signal).unwrap_or(2),
        End::Time | End::Memory | End::Stopped => 124,
    }
}

fn measure(arguments: &HoldArguments, stop: &AtomicBool) -> std::io::Result<Measured> {
    let [program, words @ ..] = &arguments.command[..] else {
        return Err(std::io::Error::other("an empty command"));
    };
    become_subreaper()?;
    let mut command = Command::new(program);
    command.args(words).process_group(0);
    let start = Instant::now();
    let tool = Pid::from_child(&command.spawn()?);

    // The tool is waited for but kept until all is ended, so that its number stays its own.
    let (ended, end) = channel();
    std::thread::spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(
            waitid(WaitId::Pid(tool), options),
            Err(rustix::io::Errno::INTR)
        ) {}
        let _ = ended.send(Instant::now());
    });
    let deadline = arguments
        .time
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .and_then(|time| start.checked_add(time));
    let mut peak = 0;
    let mut forced = None;
    let wall = loop {
        let until = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        match end.recv_timeout(POLL.min(until.unwrap_or(POLL))) {
            Ok(instant) => break instant - start,
            Err(RecvTimeoutError::Disconnected) => break start.elapsed(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        peak = peak.max(memory(&descendants(own())));
        forced = if stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else if deadline.is_some_and(|at| Instant::now() >= at) {
            Some(End::Time)
        } else if arguments.memory.is_some_and(|limit| peak > limit) {
            Some(End::Memory)
        } else {
            continue;
        };
        break start.elapsed();
    };
    let cleared = clear(tool);
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let itself = getrusage(UsageWho::RUSAGE_SELF)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    // Linux counts in kilobytes, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let largest = u64::try_from(usage.max_rss()).unwrap_or_default() * unit;
    Ok(Measured {
        end: forced.or(cleared.end).unwrap_or(End::Signal(0)),
        wall: wall.as_secs_f64(),
        cpu: seconds(usage.user_time()) + seconds(usage.system_time()),
        own: seconds(itself.user_time()) + seconds(itself.system_time()),
        memory: peak.max(largest),
        ended: cleared.ended,
        left: cleared.left,
    })
}

/// What was there to end behind a tool.
struct Cleared {
    /// How the tool ended.
    end: Option<End>,
    ended: usize,
    left: usize,
}

/// Ends all that is left below this process, and waits for it.
///
/// First all are stopped, again and again until there is nobody new: what is stopped cannot make new processes. Then all
/// are killed.
fn clear(tool: Pid) -> Cleared {
    // Whoever stayed in the tool's group, at once: also those who start each other faster than one can look. Later the
    // group's number may be another one's.
    let _ = kill_process_group(tool, Signal::KILL);
    let mut end = None;
    let mut met = HashSet::new();
    let start = Instant::now();
    loop {
        let mut is_alone = false;
        // Whoever has ended is waited for, and so counted.
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if pid.as_raw() == raw(tool) => {
                    end = Some(End::Code(code));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid.as_raw() == raw(tool) => {
                    end = Some(End::Signal(signal as i32));
                }
                Ok(WaitStatus::StillAlive) => break,
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => {
                    is_alone = true;
                    break;
                }
            }
        }
        met.remove(&raw(tool));
        if is_alone || start.elapsed() > PATIENCE {
            let left = if is_alone {
                0
            } else {
                descendants(own()).len()
            };
            let ended = met.len().saturating_sub(left);
            return Cleared { end, ended, left };
        }
        let mut stopped = HashSet::new();
        loop {
            let all = descendants(own());
            let new: Vec<Pid> = all
                .iter()
                .copied()
                .filter(|&pid| stopped.insert(raw(pid)))
                .collect();
            if new.is_empty() {
                for pid in all {
                    let _ = kill_process(pid, Signal::KILL);
                }
                break;
            }
            for pid in new {
                let _ = kill_process(pid, Signal::STOP);
                met.insert(raw(pid));
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Orphans come here, and this process ends when the one that started it does.
#[cfg(target_os = "linux")]
fn become_subreaper() -> std::io::Result<()> {
    rustix::process::set_child_subreaper(Some(own()))?;
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    Ok(())
}

/// Elsewhere a process that leaves its group gets away.
#[cfg(not(target_os = "linux"))]
fn become_subreaper() -> std::io::Result<()> {
    Ok(())
}

fn own() -> Pid {
    rustix::process::getpid()
}

fn raw(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

/// The processes below one that have not ended, as far as the system tells.
fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut stack = vec![raw(root)];
    let mut seen = HashSet::new();
    while let Some(parent) = stack.pop() {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{parent}/task")) else {
            continue;
        };
        for thread in threads.flatten() {
            let children = std::fs::read_to_string(thread.path().join("children"));
            for child in children.unwrap_or_default().split_whitespace() {
                if let Ok(child) = child.parse()
                    && seen.insert(child)
                {
                    stack.push(child);
                    if !is_zombie(child) {
                        found.extend(Pid::from_raw(child));
                    }
                }
            }
        }
    }
    found
}

/// Whether a process has ended, and nobody has waited for it.
fn is_zombie(pid: i32) -> bool {
    // `PID (name) state ...`, where the name may have anything in it.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
    })
}

/// The memory that processes take together, in bytes. Of one that is its resident memory; of several it is their
/// proportional shares, so that what they share is counted once. Those cost the system more to find out.
fn memory(processes: &[Pid]) -> u64 {
    let field = |pid: &Pid, file: &str, name: &str| {
        let text =
            std::fs::read_to_string(Path::new("/proc").join(raw(*pid).to_string()).join(file))
                .ok()?;
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = rest.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kilobytes * 1024)
    };
    let resident = |pid: &Pid| field(pid, "status", "VmRSS:");
    let sizes = processes.iter().map(|pid| match processes.len() {
        1 => resident(pid),
        _ => field(pid, "smaps_rollup", "Pss:").or_else(|| resident(pid)),
    });
    sizes.flatten().sum()
}
