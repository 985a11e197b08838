//! Limits and interruptions: what is known is shown.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{HARD, neutral};
use crate::session::Session;

#[test]
fn the_time_limit_is_kept_and_what_is_known_is_shown() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let start = Instant::now();
    snapshot!(
        "timeout",
        session.story(&["check", "--timeout", "3", "hard.bpl"])
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    let output = session.run(&["check", "--timeout", "0.2", "--format", "json", "hard.bpl"]);
    assert_eq!(output.status.code(), Some(4));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["verdict"], "UNKNOWN");
    assert_eq!(value["reason"]["code"], "timeout");
}

#[test]
fn reading_has_an_end() {
    let session = Session::new(&[]);
    let made = Command::new("mkfifo")
        .arg(session.path().join("pipe.bpl"))
        .status();
    assert!(made.unwrap().success());
    for args in [
        // Nobody writes.
        &["check", "pipe.bpl", "--timeout", "1"][..],
        &["graph", "pipe.bpl", "--timeout", "1"],
        &["run", "pipe.bpl", "--timeout", "1"],
        // It has no end.
        &["check", "/dev/zero", "--timeout", "0.5"],
        &["check", "/dev/zero", "--memory", "200"],
    ] {
        let start = Instant::now();
        let (code, said) = session.told(args);
        assert_eq!(code, 4, "{args:?}: {said}");
        assert!(said.contains("stopped while reading"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(20), "{args:?}");
    }
}

#[test]
fn the_memory_limit_is_kept() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let output = session.run(&["check", "--memory", "1", "--timeout", "60", "hard.bpl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("ult: UNKNOWN(memory) hard.bpl"), "{text}");
}

/// Waits until the process has its handler for interrupts: before that, a signal might kill it, or
/// be lost where tests run with signals ignored.
fn wait_until_it_listens(child: &Child) {
    let path = format!("/proc/{}/status", child.id());
    for _ in 0..600 {
        let Ok(status) = fs::read_to_string(&path) else {
            break;
        };
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0);
        // Signal 2 is SIGINT; the mask counts from 1.
        if caught & 0b10 != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // Not Linux: some time should do.
    std::thread::sleep(Duration::from_secs(2));
}

fn interrupt(child: &Child, signal: &str) {
    let done = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

#[test]
fn an_interrupted_run_shows_what_it_knows() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    for signal in ["-INT", "-TERM"] {
        let child = session
            .command(&["check", "--timeout", "100", "hard.bpl"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_it_listens(&child);
        std::thread::sleep(Duration::from_secs(4));
        interrupt(&child, signal);
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(20));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("easy: SAFE, 1 obligation proved"), "{text}");
        let last = text.lines().last().unwrap();
        assert!(
            last.starts_with("ult: UNKNOWN(cancelled) hard.bpl:"),
            "{text}"
        );
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let mut child = session
        .command(&["check", "--timeout", "100", "hard.bpl"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_it_listens(&child);
    // The second one may come too late to be needed.
    interrupt(&child, "-INT");
    let _ = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
