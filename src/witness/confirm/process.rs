//! A process with limits.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use ult_core::control::Control;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With an exit code.
    Code(i32),
    /// By a signal that it did not get from here.
    Signal(i32),
    /// Ended from here, for its time.
    Time,
}

/// What a process did.
pub(super) struct Ended {
    /// How it ended.
    pub how: End,
    /// What it wrote to standard error, as far as it was kept.
    pub stderr: String,
}

/// So much of the standard error is kept, from its beginning.
const KEPT: usize = 1 << 20;

/// How often is looked whether it has ended.
const POLL: Duration = Duration::from_millis(5);

/// Runs a command to its end, or until its time or that of `control` is over. Of what it writes to standard error, `keep`
/// says which lines are kept; standard output is nobody's.
///
/// # Errors
/// If it does not start.
pub(super) fn run(
    command: &mut Command,
    time: Duration,
    control: &Control,
    keep: fn(&[u8]) -> bool,
) -> std::io::Result<Ended> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let stderr = child.stderr.take();
    let deadline = Instant::now() + time;
    let (how, stderr) = std::thread::scope(|scope| {
        let reader = stderr.map(|stderr| {
            let read = move || kept(stderr, keep);
            std::thread::Builder::new().spawn_scoped(scope, read)
        });
        let how = match &reader {
            // Nobody would see what it has found.
            Some(Err(_)) => {
                let _ = child.kill();
                child.wait().map(end)
            }
            _ => wait(&mut child, deadline, control),
        };
        // Who stays behind keeps the pipe open.
        kill_group(&child);
        match reader.transpose() {
            Ok(reader) => {
                let text = reader.and_then(|reader| reader.join().ok());
                (how, text.unwrap_or_default())
            }
            Err(error) => (Err(error), String::new()),
        }
    });
    Ok(Ended { how: how?, stderr })
}

fn wait(child: &mut Child, deadline: Instant, control: &Control) -> std::io::Result<End> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(end(status));
        }
        if Instant::now() >= deadline || control.check().is_err() {
            kill_group(child);
            let _ = child.kill();
            child.wait()?;
            return Ok(End::Time);
        }
        std::thread::sleep(POLL);
    }
}

fn end(status: ExitStatus) -> End {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return End::Signal(signal);
        }
    }
    End::Code(status.code().unwrap_or_default())
}

/// Ends a process and those that it started.
fn kill_group(child: &Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        // If all of them are gone, this fails.
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// Reads to the end, and keeps what is wanted.
fn kept(mut from: impl std::io::Read, keep: fn(&[u8]) -> bool) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut line: Vec<u8> = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        for &byte in &buffer[..read] {
            // No line of interest is longer.
            if line.len() < 4096 {
                line.push(byte);
            }
            if byte == b'\n' {
                if kept.len() < KEPT && keep(&line) {
                    kept.extend_from_slice(&line);
                }
                line.clear();
            }
        }
    }
    if keep(&line) {
        kept.extend_from_slice(&line);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The whole standard output of a short command that can be trusted.
pub(super) fn output(command: &mut Command) -> std::io::Result<String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut text = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut text)?;
    }
    match child.wait()?.success() {
        true => Ok(String::from_utf8_lossy(&text).into_owned()),
        false => Err(std::io::Error::other("it fails")),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, milliseconds: u64) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let time = Duration::from_millis(milliseconds);
        run(&mut command, time, &Control::unlimited(), |line| {
            line.starts_with(b"keep")
        })
        .expect("`sh` starts")
    }

    #[test]
    fn a_process_ends_by_itself_or_not() {
        assert_eq!(sh("exit 3", 10_000).how, End::Code(3));
        assert_eq!(sh("kill -9 $$", 10_000).how, End::Signal(9));
        let start = Instant::now();
        assert_eq!(sh("while :; do :; done", 200).how, End::Time);
        // One that stays behind and keeps the pipe open.
        assert_eq!(sh("sleep 60 & exit 0", 10_000).how, End::Code(0));
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn only_what_is_wanted_is_kept() {
        let ended = sh(
            "echo keep 1 >&2; yes no | head -c 3000000 >&2; printf 'keep 2' >&2",
            60_000,
        );
        assert_eq!(ended.stderr, "keep 1\nkeep 2");
    }
}
