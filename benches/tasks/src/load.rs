//! Verdicts on an idle and on a busy machine: whether they are the same.
//!
//! Each program is checked several times as things are, and several times with other processes that do nothing but
//! take processor time. The limit of time is generous, so that it is no reason for a difference.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::process::{End, Limits, run};
use crate::{Failure, machine};

/// See whether verdicts depend on what else the machine does.
#[derive(clap::Args)]
pub(crate) struct LoadArguments {
    /// The programs.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How often each is checked, idle and busy.
    #[arg(long, default_value_t = 5)]
    times: u32,
    /// How many processes take processor time.
    #[arg(long, default_value_t = 4)]
    busy: u32,
    /// The engines; `portfolio` if none is given.
    #[arg(long, value_delimiter = ',', default_value = "portfolio")]
    engine: Vec<String>,
    /// The time limit in seconds.
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    timeout: u64,
    /// Store the table under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Processes that take processor time as long as this lives.
struct Busy(Vec<Child>);

impl Busy {
    fn start(count: u32) -> std::io::Result<Busy> {
        let mut busy = Busy(Vec::new());
        for _ in 0..count {
            let mut command = Command::new("sh");
            command
                .args(["-c", "while :; do :; done"])
                .stdin(Stdio::null());
            busy.0.push(command.spawn()?);
        }
        Ok(busy)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended by itself is no loss.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The verdicts on one program with one engine.
struct Line {
    file: String,
    engine: String,
    idle: BTreeSet<&'static str>,
    busy: BTreeSet<&'static str>,
}

impl Line {
    fn is_same(&self) -> bool {
        self.idle.len() == 1 && self.idle == self.busy
    }
}

/// Checks the programs. Whether all verdicts are the same.
///
/// # Errors
/// If a process cannot be started.
pub(crate) fn compare(
    arguments: &LoadArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let failed = |error| Failure::Io(ult.to_owned(), error);
    let mut lines = Vec::new();
    'all: for file in &arguments.files {
        for engine in &arguments.engine {
            let mut line = Line {
                file: file.display().to_string(),
                engine: engine.clone(),
                idle: BTreeSet::new(),
                busy: BTreeSet::new(),
            };
            for is_busy in [false, true] {
                let _busy =
                    Busy::start(if is_busy { arguments.busy } else { 0 }).map_err(failed)?;
                for _ in 0..arguments.times {
                    let said =
                        verdict(ult, file, engine, arguments.timeout, stop).map_err(failed)?;
                    if stop.load(Ordering::Relaxed) {
                        break 'all;
                    }
                    match is_busy {
                        false => line.idle.insert(said),
                        true => line.busy.insert(said),
                    };
                }
            }
            if !line.is_same() {
                eprintln!(
                    "{} with {}: {:?}, {:?}",
                    line.file, engine, line.idle, line.busy
                );
            }
            lines.push(line);
        }
    }
    let text = table(arguments, &lines);
    print!("{text}");
    if let Some(out) = &arguments.out {
        let file = out.with_extension("md");
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(lines.iter().all(Line::is_same))
}

fn verdict(
    ult: &Path,
    file: &Path,
    engine: &str,
    timeout: u64,
    stop: &AtomicBool,
) -> std::io::Result<&'static str> {
    let mut command: Vec<String> = ["check", "--quiet", "--engine", engine, "--timeout"]
        .map(str::to_owned)
        .to_vec();
    command.insert(0, ult.display().to_string());
    command.extend([timeout.to_string(), file.display().to_string()]);
    let limits = Limits {
        time: Duration::from_secs(timeout + 60),
        memory: 8 << 30,
    };
    Ok(match run(&command, None, limits, stop)?.end {
        End::Code(0) => "SAFE",
        End::Code(1) => "UNSAFE",
        End::Code(4) => "UNKNOWN",
        _ => "failed",
    })
}

fn table(arguments: &LoadArguments, lines: &[Line]) -> String {
    let mut text = String::from("# Verdicts on an idle and on a busy machine\n\n");
    let same = lines.iter().filter(|line| line.is_same()).count();
    let _ = writeln!(
        text,
        "{same} of {} the same. Each {} times idle, and {} times with {} busy processes; {}, {}, commit {}.\n",
        lines.len(),
        arguments.times,
        arguments.times,
        arguments.busy,
        machine::date(),
        machine::machine(),
        machine::commit()
    );
    text += "| file | engine | idle | busy |\n|---|---|---|---|\n";
    for line in lines {
        let words =
            |verdicts: &BTreeSet<&str>| verdicts.iter().copied().collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            line.file,
            line.engine,
            words(&line.idle),
            words(&line.busy)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_other_verdict_is_a_difference() {
        let line = |idle: &[&'static str], busy: &[&'static str]| Line {
            file: "x.bpl".into(),
            engine: "portfolio".into(),
            idle: idle.iter().copied().collect(),
            busy: busy.iter().copied().collect(),
        };
        assert!(line(&["SAFE"], &["SAFE"]).is_same());
        assert!(!line(&["SAFE"], &["SAFE", "UNKNOWN"]).is_same());
        assert!(!line(&["SAFE", "UNKNOWN"], &["SAFE", "UNKNOWN"]).is_same());
        assert!(!line(&["SAFE"], &["UNSAFE"]).is_same());
    }
}
