//! Whoever reads the output goes away: the work ends soon, quietly, with a code of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{HARD, SAFE, UNSAFE};
use crate::session::Session;

/// Runs a command whose reader goes away after so many lines, and says how it ended and what it complained about.
fn ended(session: &Session, args: &[&str], lines: usize) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    // For no lines it is gone from the beginning.
    let reader = (lines > 0).then(|| BufReader::new(reader));
    let mut child = session
        .command(args)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(mut reader) = reader {
        for _ in 0..lines {
            reader.read_line(&mut String::new()).unwrap();
        }
    }
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > Duration::from_secs(100) => {
                child.kill().unwrap();
                panic!("{args:?} goes on");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut complaints = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut complaints).unwrap();
    (status.code(), complaints)
}

const UNREAD: (Option<i32>, String) = (Some(141), String::new());

#[test]
fn work_ends_when_nobody_reads() {
    let endless = "procedure main() { while (true) { } assert true; }\n";
    let session = Session::new(&[("hard.bpl", HARD), ("endless.bpl", endless)]);
    for args in [
        // Before anything is written.
        &["check", "hard.bpl"][..],
        &["check", "--quiet", "hard.bpl"],
        // At the end alone.
        &["check", "--format", "json", "hard.bpl"],
        &["run", "--steps", "0", "endless.bpl"],
        &["graph", "--stage", "labelled", "hard.bpl"],
    ] {
        assert_eq!(ended(&session, args, 0), UNREAD, "{args:?}");
    }
}

#[test]
fn work_ends_between_files() {
    let session = Session::new(&[("unsafe.bpl", UNSAFE), ("hard.bpl", HARD)]);
    let args = ["check", "unsafe.bpl", "hard.bpl"];
    assert_eq!(ended(&session, &args, 1), UNREAD);
    // A violation was found, but nobody has read so.
    let files = ["check"].into_iter().chain(["unsafe.bpl"; 20]);
    assert_eq!(ended(&session, &files.collect::<Vec<_>>(), 1), UNREAD);
}

#[test]
fn what_is_written_at_once_ends_as_quietly() {
    let ugly = "procedure   main() { }\n";
    let session = Session::new(&[("safe.bpl", SAFE), ("ugly.bpl", ugly)]);
    for args in [
        &["--help"][..],
        &["--version"],
        &["check", "--help"],
        &["engines"],
        &["explain", "timeout"],
        &["man"],
        &["completions", "bash"],
        &["doctor"],
        &["fmt", "--check", "ugly.bpl", "ugly.bpl"],
        &["graph", "safe.bpl"],
        &["export", "safe.bpl"],
    ] {
        // Whoever reads is gone before anything is written.
        assert_eq!(ended(&session, args, 0), UNREAD, "{args:?}");
    }
}

/// What goes to a file is read by others.
#[test]
fn files_are_written_all_the_same() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    for command in ["graph", "export"] {
        let args = [command, "--output", "made", "safe.bpl"];
        let (code, complaints) = ended(&session, &args, 0);
        assert_eq!((code, complaints), (Some(0), String::new()));
        let made = session.path().join("made");
        assert!(fs::metadata(&made).unwrap().len() > 0);
        fs::remove_file(made).unwrap();
    }
}
