//! Many files: several at a time, in parts, and put together again.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use serde_sarif::sarif::Sarif;

use super::{HARD, SAFE, UNSAFE, WRONG, neutral};
use crate::session::Session;

fn session() -> Session {
    let session = Session::new(&[]);
    fs::create_dir(session.path().join("models")).unwrap();
    for (name, text) in [
        ("a.bpl", SAFE),
        ("b.bpl", UNSAFE),
        ("c.bpl", WRONG),
        ("d.bpl", SAFE),
    ] {
        fs::write(session.path().join("models").join(name), text).unwrap();
    }
    session
}

/// JSON without what differs from run to run: times and counts.
fn steady(mut value: Value) -> Value {
    match &mut value {
        Value::Array(objects) => {
            *objects = std::mem::take(objects).into_iter().map(steady).collect();
        }
        Value::Object(fields) => {
            fields.remove("statistics");
            fields.remove("seconds");
            for unit in fields
                .get_mut("units")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                // Which proof was first may differ.
                unit["invariants"] = Value::Null;
            }
        }
        _ => {}
    }
    value
}

/// Of each file its name and verdict.
fn verdicts(report: &Value) -> Vec<String> {
    let objects = report.as_array().unwrap().iter();
    let told = objects.map(|object| {
        let entry = object["entry"].as_str().unwrap_or_default();
        let text = |name: &str| object[name].as_str().unwrap().to_owned();
        format!("{} {entry} {}", text("file"), text("verdict"))
    });
    told.collect()
}

#[test]
fn several_at_a_time_say_what_one_after_the_other_says() {
    let session = session();
    let plain = ["check", "models", "--engine", "slicing"];
    let jobs = [&plain[..], &["--jobs", "3"]].concat();
    for format in ["text", "sarif"] {
        let one = session.run(&[&plain[..], &["--format", format]].concat());
        let several = session.run(&[&jobs[..], &["--format", format]].concat());
        assert_eq!(one.status.code(), Some(3));
        assert_eq!(several.status.code(), one.status.code());
        let text = |bytes| neutral(&String::from_utf8(bytes).unwrap());
        assert_eq!(text(several.stdout), text(one.stdout));
    }
    assert_eq!(steady(session.json(&jobs)), steady(session.json(&plain)));
    let log = session
        .run(&[&jobs[..], &["--format", "sarif"]].concat())
        .stdout;
    serde_json::from_slice::<Sarif>(&log).unwrap();
    let junit = session
        .run(&[&jobs[..], &["--format", "junit"]].concat())
        .stdout;
    let junit = String::from_utf8(junit).unwrap();
    let document = roxmltree::Document::parse(&junit).unwrap();
    let suites = document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"));
    let names: Vec<&str> = suites
        .map(|suite| suite.attribute("name").unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "models/a.bpl",
            "models/b.bpl",
            "models/c.bpl",
            "models/d.bpl"
        ]
    );
}

#[test]
fn what_cannot_be_read_costs_no_other_file() {
    let session = session();
    let (code, said) = session.told(&[
        "check",
        "-q",
        "--jobs",
        "2",
        "models/a.bpl",
        "no.bpl",
        "models/d.bpl",
    ]);
    assert_eq!(code, 2, "{said}");
    assert_eq!(said.matches("ult: SAFE ").count(), 2, "{said}");
    assert!(said.contains("cannot read `no.bpl`"), "{said}");
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<u32> {
    let path = format!("/proc/{id}/task/{id}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_process_costs_its_own_file_and_ctrl_c_none_that_is_decided() {
    use nix::sys::signal::{Signal, kill};
    let pid = |id: u32| nix::unistd::Pid::from_raw(i32::try_from(id).unwrap());
    for (signal, to_worker, code) in [(Signal::SIGKILL, true, 101), (Signal::SIGINT, false, 130)] {
        let session = session();
        fs::write(session.path().join("hard.bpl"), HARD).unwrap();
        let mut command = session.command(&[
            "check",
            "--jobs",
            "1",
            "models/a.bpl",
            "hard.bpl",
            "models/d.bpl",
        ]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Until the second one is under way. A process that has just begun still has the name of the one that began it.
        let is_hard = |id: &u32| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            line.contains("hard.bpl") && !line.contains("a.bpl")
        };
        let worker = (0..3000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            children(child.id()).into_iter().find(is_hard)
        });
        let worker = worker.expect("there is a process for the file");
        std::thread::sleep(Duration::from_millis(300));
        kill(pid(if to_worker { worker } else { child.id() }), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains("ult: SAFE models/a.bpl"), "{text}");
        let (hard, last) = match to_worker {
            true => ("UNKNOWN(internal) hard.bpl", "ult: SAFE models/d.bpl"),
            false => (
                "UNKNOWN(cancelled) hard.bpl",
                "UNKNOWN(cancelled) models/d.bpl",
            ),
        };
        assert!(text.contains(hard) && text.contains(last), "{text}");
        assert!(!is_hard(&worker), "nobody is left behind");
    }
}

#[test]
fn parts_together_are_the_whole() {
    let session = session();
    let whole = session.json(&["check", "models", "--engine", "slicing"]);
    for part in ["1/3", "2/3", "3/3"] {
        let records = format!("{}.jsonl", &part[..1]);
        let args = [
            "check",
            "-q",
            "models",
            "--engine",
            "slicing",
            "--shard",
            part,
            "--records",
            &records,
        ];
        session.run(&args);
    }
    let files = ["3.jsonl", "1.jsonl", "2.jsonl"];
    let merge = [&["merge"][..], &files].concat();
    assert_eq!(steady(session.json(&merge)), steady(whole));
    let (code, said) = session.told(&merge);
    assert_eq!(code, 3, "{said}");
    assert!(
        said.ends_with("\n4 files: 2 SAFE, 1 UNSAFE, 1 REJECTED\n"),
        "{said}"
    );
    for format in ["sarif", "junit"] {
        assert_eq!(
            session
                .run(&[&merge[..], &["--format", format]].concat())
                .status
                .code(),
            Some(3)
        );
    }
    // A shard is missing.
    let (code, said) = session.told(&["merge", "1.jsonl", "3.jsonl"]);
    assert_eq!(code, 130, "{said}");
    assert!(
        said.contains("no records of shard 2/3")
            && said.contains("not decided: 1 of 4: models/b.bpl"),
        "{said}"
    );
    assert!(said.contains("UNKNOWN(cancelled) models/b.bpl"), "{said}");
    // One is there twice.
    let (code, said) = session.told(&["merge", "1.jsonl", "2.jsonl", "3.jsonl", "2.jsonl"]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("both of shard 2/3"), "{said}");
    // One is of another command.
    let other = [
        "check",
        "-q",
        "models",
        "--engine",
        "impact",
        "--shard",
        "2/3",
        "--records",
        "other.jsonl",
    ];
    session.run(&other);
    let (code, said) = session.told(&["merge", "1.jsonl", "other.jsonl"]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("different commands: `--engine=slicing` and `--engine=impact`"),
        "{said}"
    );
    // What was changed does not count.
    let path = session.path().join("2.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("UNSAFE", "SAFE")).unwrap();
    let (code, said) = session.told(&merge);
    assert_eq!(code, 130, "{said}");
    assert!(said.contains("1 damaged line does not count"), "{said}");
}

#[test]
fn a_killed_run_goes_on_where_it_ended() {
    let session = session();
    let args = ["check", "models", "--records", "r.jsonl"];
    let first = session.told(&args);
    let path = session.path().join("r.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 5);
    // As if it had been killed while the third record was written.
    let third: usize = text.lines().take(3).map(|line| line.len() + 1).sum();
    fs::write(&path, &text[..third + 100]).unwrap();
    assert_eq!(neutral(&session.told(&args).1), neutral(&first.1));
    let again = fs::read_to_string(&path).unwrap();
    // Two new ones behind the torn one.
    assert_eq!(again.lines().count(), 3 + 1 + 2, "{again}");
    assert!(again.starts_with(&text[..third + 100]));
    // What has changed is checked again, and nothing else.
    fs::write(session.path().join("models/a.bpl"), UNSAFE).unwrap();
    let (code, said) = session.told(&args);
    assert_eq!(code, 3);
    assert!(said.contains("ult: UNSAFE models/a.bpl"), "{said}");
    let more = fs::read_to_string(&path).unwrap();
    let new = more.strip_prefix(&again).unwrap();
    assert_eq!(
        new.lines().filter(|line| !line.is_empty()).count(),
        1,
        "{new}"
    );
    let (code, said) = session.told(&[
        "check",
        "models",
        "--records",
        "r.jsonl",
        "--engine",
        "impact",
    ]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("records of another command"), "{said}");
    // Nothing else is overwritten.
    fs::write(session.path().join("mine.txt"), "mine\n").unwrap();
    let (code, said) = session.told(&["check", "models", "--records", "mine.txt"]);
    assert_eq!(code, 2, "{said}");
    assert_eq!(
        fs::read_to_string(session.path().join("mine.txt")).unwrap(),
        "mine\n"
    );
}

const BIG: &str = "\
procedure one(x: int) { assert x + x == 2 * x; }
procedure two(x: int) returns (y: int) ensures y > x; { y := x + 1; }
procedure three(x: int) { var y: int; call y := two(x); assert y > x; }
procedure four(x: int) { assert x > 0; }
procedure five() { var i: int; i := 0; while (i < 5) { i := i + 1; } assert i == 5; }
";

#[test]
fn the_procedures_of_one_program_are_divided() {
    let session = Session::new(&[("big.bpl", BIG)]);
    for part in ["1/2", "2/2"] {
        let records = format!("{}.jsonl", &part[..1]);
        session.run(&[
            "check",
            "-q",
            "big.bpl",
            "--shard",
            part,
            "--records",
            &records,
        ]);
    }
    let merged = session.json(&["merge", "1.jsonl", "2.jsonl"]);
    let expected = [
        "one SAFE",
        "two SAFE",
        "three SAFE",
        "four UNSAFE",
        "five SAFE",
    ]
    .map(|told| format!("big.bpl {told}"));
    assert_eq!(verdicts(&merged), expected);
    let whole = session.json(&["check", "big.bpl"]);
    let units: Vec<String> = (whole["units"].as_array().unwrap().iter())
        .map(|unit| {
            let text = |name: &str| unit[name].as_str().unwrap();
            format!("big.bpl {} {}", text("name"), text("verdict"))
        })
        .collect();
    assert_eq!(units, expected);
    let (code, said) = session.told(&["merge", "1.jsonl", "2.jsonl"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.ends_with("\n5 procedures: 4 SAFE, 1 UNSAFE\n"),
        "{said}"
    );
}

#[test]
fn with_gnu_parallel_the_verdicts_are_those_of_one_run() {
    if !crate::tools::has("parallel") {
        crate::tools::missing("parallel", "dividing a folder with GNU parallel");
        return;
    }
    let session = session();
    let whole = session.json(&["check", "models"]);
    let script = "parallel -j 2 \"$ULT\" check -q models --shard {}/3 --records {}.jsonl ::: 1 2 3 > /dev/null";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script])
        .env("ULT", env!("CARGO_BIN_EXE_ult"));
    command.current_dir(session.path()).stdin(Stdio::null());
    // Its exit code counts the commands that found something.
    command.output().unwrap();
    let merged = session.json(&["merge", "1.jsonl", "2.jsonl", "3.jsonl"]);
    assert_eq!(verdicts(&merged), verdicts(&whole));
}

#[test]
#[cfg(target_os = "linux")]
fn what_changes_is_checked_again_until_ctrl_c() {
    use nix::sys::signal::{Signal, kill};
    use std::io::{BufRead as _, BufReader};
    let session = session();
    let mut command = session.command(&["watch", "-q", "models"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Ended(child);
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let mut next = || loop {
        let line = lines.next().expect("there is more").unwrap();
        if !line.is_empty() {
            return line;
        }
    };
    for (verdict, name) in [
        ("SAFE", "a"),
        ("UNSAFE", "b"),
        ("REJECTED", "c"),
        ("SAFE", "d"),
    ] {
        let line = next();
        assert!(
            line.starts_with(&format!("ult: {verdict} models/{name}.bpl")),
            "{line}"
        );
    }
    let models = session.path().join("models");
    fs::write(models.join("d.bpl"), UNSAFE).unwrap();
    let line = next();
    assert!(line.starts_with("ult: UNSAFE models/d.bpl"), "{line}");
    fs::write(models.join("e.bpl"), SAFE).unwrap();
    let line = next();
    assert!(line.starts_with("ult: SAFE models/e.bpl"), "{line}");
    // Options of a project count from when they are there.
    fs::write(
        session.path().join("ult.toml"),
        "[[rule]]\nfiles = \"**/e.bpl\"\nexpect = \"unsafe\"\n",
    )
    .unwrap();
    let line = next();
    assert!(line.starts_with("UNEXPECTED: expected UNSAFE"), "{line}");
    let id = i32::try_from(child.0.id()).unwrap();
    kill(nix::unistd::Pid::from_raw(id), Signal::SIGINT).unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

/// A process that does not outlive its test.
#[cfg(target_os = "linux")]
struct Ended(std::process::Child);

#[cfg(target_os = "linux")]
impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
