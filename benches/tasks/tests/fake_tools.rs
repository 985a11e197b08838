//! The runner with tools that are shell scripts: right and wrong answers, crashes, garbage, endless runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A folder with a tool and a task list.
struct Lab {
    folder: tempfile::TempDir,
}

/// The end of a JSON report after the verdict.
const REST: &str = r#""reason":null,"units":[],"statistics":{"splits":3,"refinements":2,"solver_calls":17,"solver_time":{"secs":0,"nanos":1}},"seconds":0.1}"#;

impl Lab {
    /// `tool` is a shell script; `tasks` are rows `file,expected,semantics`.
    fn new(tool: &str, tasks: &[&str]) -> Lab {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let lab = Lab { folder };
        lab.script("ult", tool);
        let rows = tasks.join("\n");
        fs::write(
            lab.path("tasks.csv"),
            format!("file,expected,semantics\n{rows}\n"),
        )
        .expect("writable");
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn run(&self, more: &[&str]) -> Output {
        runner()
            .arg("run")
            .arg(self.path("tasks.csv"))
            .arg("--ult")
            .arg(self.path("ult"))
            .arg("--out")
            .arg(self.path("table.csv"))
            .args(more)
            .current_dir(self.folder.path())
            .output()
            .expect("the runner starts")
    }

    /// The stored rows as `file got judgement reason`.
    fn rows(&self) -> Vec<String> {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_path(self.path("table.csv"))
            .expect("a table");
        let headers = reader.headers().expect("headers").clone();
        let column = |name: &str| headers.iter().position(|h| h == name).expect("the column");
        let wanted = ["file", "got", "judgement", "reason"].map(column);
        reader
            .records()
            .map(|record| {
                let record = record.expect("a row");
                let cells: Vec<&str> = wanted.iter().map(|&i| &record[i]).collect();
                cells.join(" ").trim_end().to_owned()
            })
            .collect()
    }
}

fn runner() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ult-bench"))
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn answers_are_read_and_judged() {
    let lab = Lab::new(
        &format!(
            r#"case "$2" in
                *safe.bpl) echo '{{"tool":"ult","verdict":"SAFE",{REST}'; exit 0;;
                *bug.bpl) echo '{{"verdict":"UNSAFE",{REST}'; exit 1;;
                *refused.bpl) echo '{{"verdict":"REJECTED",{REST}'; exit 3;;
                *hard.bpl) echo '{{"verdict":"UNKNOWN","reason":{{"code":"timeout","text":"out of time"}}}}'; exit 4;;
            esac"#
        ),
        &[
            "a/safe.bpl,true,",
            "bug.bpl,false,",
            "refused.bpl,reject,",
            "hard.bpl,true,",
            "b/safe.bpl,open,",
        ],
    );
    let output = lab.run(&[]);
    assert_eq!(code(&output), 0, "{output:?}");
    assert_eq!(
        lab.rows(),
        [
            "a/safe.bpl true right",
            "bug.bpl false right",
            "refused.bpl reject right",
            "hard.bpl unknown unknown timeout",
            "b/safe.bpl true open",
        ]
    );
    let text = stdout(&output);
    assert!(
        text.contains("5 tasks: 3 right (60.0 %), 0 wrong, 1 unknown, 0 crashed, 1 open"),
        "{text}"
    );
    assert!(text.contains("- unknown, timeout: 1"), "{text}");
    let markdown = fs::read_to_string(lab.path("table.md")).expect("the Markdown table");
    assert!(markdown.contains("- machine: "), "{markdown}");
    assert!(
        markdown.contains("| bug.bpl | false | false | right |"),
        "{markdown}"
    );
    let csv = fs::read_to_string(lab.path("table.csv")).expect("the table");
    assert!(csv.starts_with("# date: "), "{csv}");
    assert!(csv.contains(",3,2,17,"), "{csv}");
}

#[test]
fn a_wrong_verdict_makes_the_runner_fail() {
    let lab = Lab::new(
        &format!(r#"echo '{{"verdict":"SAFE",{REST}'"#),
        &["a.bpl,false,", "b.bpl,true,", "c.bpl,reject,"],
    );
    let output = lab.run(&[]);
    assert_eq!(code(&output), 1);
    assert_eq!(
        lab.rows(),
        ["a.bpl true wrong", "b.bpl true right", "c.bpl true wrong"]
    );
    assert!(stdout(&output).contains("- WRONG: a.bpl"));
}

#[test]
fn what_is_no_report_is_a_crash_and_never_an_answer() {
    let lab = Lab::new(
        &format!(
            r#"case "$2" in
                *garbage) echo 'SAFE'; exit 0;;
                *silent) exit 0;;
                *contradiction) echo '{{"verdict":"SAFE",{REST}'; exit 1;;
                *panic) echo 'thread main panicked' >&2; exit 101;;
                *signal) kill -SEGV $$;;
                *two) echo '{{"verdict":"SAFE",{REST}'; echo '{{"verdict":"UNSAFE",{REST}';;
                *word) echo '{{"verdict":"MAYBE",{REST}'; exit 4;;
                *reasonless) echo '{{"verdict":"UNKNOWN",{REST}'; exit 4;;
            esac"#
        ),
        &[
            "garbage,true,",
            "silent,true,",
            "contradiction,true,",
            "panic,true,",
            "signal,true,",
            "two,true,",
            "word,true,",
            "reasonless,true,",
        ],
    );
    let output = lab.run(&[]);
    assert_eq!(code(&output), 0);
    let rows = lab.rows();
    assert!(
        rows.iter().all(|row| row.contains(" crash crashed ")),
        "{rows:#?}"
    );
    assert!(
        rows[2].ends_with("verdict SAFE with exit code 1"),
        "{rows:#?}"
    );
    assert!(rows[3].ends_with("internal error"), "{rows:#?}");
    assert!(rows[4].ends_with("signal 11"), "{rows:#?}");
    assert!(stdout(&output).contains("(internal error: thread main panicked)"));
}

#[test]
fn a_tool_that_does_not_end_is_ended_with_its_children() {
    let lab = Lab::new(
        r#"sh -c 'echo $$ > child; exec sleep 300' & wait"#,
        &["endless.bpl,true,"],
    );
    let start = Instant::now();
    let output = lab.run(&["--timeout", "0", "--grace", "1"]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(code(&output), 0);
    assert_eq!(lab.rows(), ["endless.bpl killed unknown killed: time"]);
    let child = fs::read_to_string(lab.path("child")).expect("the child's number");
    assert!(gone(child.trim()), "the child still runs");
}

/// Whether a process has ended, at most a few seconds from now.
fn gone(pid: &str) -> bool {
    let status = format!("/proc/{pid}/status");
    for _ in 0..50 {
        match fs::read_to_string(&status) {
            Err(_) => return true,
            Ok(text) if text.contains("State:\tZ") => return true,
            Ok(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    false
}

#[test]
fn a_child_that_stays_behind_does_not_keep_the_runner_waiting() {
    let lab = Lab::new(
        &format!(r#"sleep 300 & echo $! > child; echo '{{"verdict":"SAFE",{REST}'"#),
        &["a.bpl,true,"],
    );
    let start = Instant::now();
    lab.run(&[]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(lab.rows(), ["a.bpl true right"]);
    let child = fs::read_to_string(lab.path("child")).expect("the child's number");
    assert!(gone(child.trim()), "the child still runs");
}

#[test]
fn a_tool_that_takes_too_much_memory_is_ended() {
    // The shell keeps the whole output of the command in a variable.
    let lab = Lab::new(
        r#"x=$(head -c 400000000 /dev/zero | tr '\0' 'a'); sleep 300"#,
        &["big.bpl,true,"],
    );
    lab.run(&["--memory", "20", "--timeout", "100"]);
    assert_eq!(lab.rows(), ["big.bpl killed unknown killed: memory"]);
}

#[test]
fn filters_and_columns_choose_rows_and_arguments() {
    let lab = Lab::new(
        &format!(r#"echo "$@" >> calls; echo '{{"verdict":"SAFE",{REST}'"#),
        &[
            "a.bpl,true,modular",
            "b.bpl,true,whole-program",
            "c.bpl,true,modular",
        ],
    );
    lab.run(&[
        "--filter",
        "semantics=modular",
        "--only",
        "a.b",
        "--timeout",
        "7",
        "--memory",
        "300",
    ]);
    assert_eq!(lab.rows(), ["a.bpl true right"]);
    let calls = fs::read_to_string(lab.path("calls")).expect("the tool was called");
    let file = lab.path("a.bpl");
    let file = file.display();
    assert_eq!(
        calls,
        format!("check {file} --format json --stats --timeout 7 --memory 300 --modular\n")
    );
    lab.run(&["--filter", "semantics!=modular"]);
    assert_eq!(lab.rows(), ["b.bpl true right"]);
    let none = lab.run(&["--only", "nothing"]);
    assert_eq!(code(&none), 2);
    let wrong = lab.run(&["--filter", "color=red"]);
    assert_eq!(code(&wrong), 2);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no column `color`"));
}

#[test]
fn properties_become_arguments_and_the_engine_is_stored() {
    let report =
        r#"{"verdict":"SAFE","reason":null,"statistics":{"decided_by":{"impact":1,"horn":3}}}"#;
    let lab = Lab::new(&format!("echo \"$@\" >> calls; echo '{report}'"), &[]);
    fs::write(
        lab.path("tasks.csv"),
        "file,expected,property,data_model\na.c,true,acsl-assert,ilp32\nb.c,true,no-overflow,lp64\nc.c,true,,\n",
    )
    .expect("writable");
    lab.run(&["--timeout", "7", "--memory", "300"]);
    let calls = fs::read_to_string(lab.path("calls")).expect("the tool was called");
    let arguments: Vec<&str> = calls
        .lines()
        .filter_map(|line| line.split_once("--memory 300"))
        .map(|(_, rest)| rest.trim())
        .collect();
    assert_eq!(
        arguments,
        [
            "--property assertions --data-model ilp32",
            "--property no-overflow --data-model lp64",
            "",
        ]
    );
    let table = fs::read_to_string(lab.path("table.csv")).expect("a table");
    assert_eq!(table.matches(",horn impact,").count(), 3, "{table}");
}

#[test]
fn peers_are_described_by_patterns() {
    let lab = Lab::new(
        "exit 0",
        &[
            "good.bpl,true,modular",
            "bad one.bpl,false,modular",
            "odd.bpl,true,modular",
        ],
    );
    lab.script(
        "peer",
        r#"case "$2" in
            *good.bpl) echo 'finished with 2 verified, 0 errors';;
            *bad\ one.bpl) echo 'finished with 0 verified, 1 error'; exit 1;;
            *) echo 'gave up: 3 time outs';;
        esac"#,
    );
    let description = format!(
        "name = \"peer\"\ncommand = \"{} {{semantics}} {{file}}\"\nformat = \"patterns\"\n\
         [[rule]]\nanswer = \"true\"\noutput = '(?m)^finished with \\d+ verified, 0 errors'\nexit = 0\n\
         [[rule]]\nanswer = \"false\"\noutput = 'verified, [1-9]'\nexit = [1, 2]\n\
         [[rule]]\nanswer = \"unknown\"\noutput = 'gave up: (.*)'\n",
        lab.path("peer").display()
    );
    fs::write(lab.path("peer.toml"), description).expect("writable");
    let output = lab.run(&["--tool", "peer.toml", "--tool", "./ult", "--jobs", "2"]);
    assert_eq!(code(&output), 0, "{output:?}");
    assert_eq!(
        lab.rows(),
        [
            "good.bpl true right",
            "good.bpl crash crashed exit code 0, no output",
            "bad one.bpl false right",
            "bad one.bpl crash crashed exit code 0, no output",
            "odd.bpl unknown unknown 3 time outs",
            "odd.bpl crash crashed exit code 0, no output",
        ]
    );
    fs::write(
        lab.path("peer.toml"),
        "name = \"x\"\ncommand = \"x\"\nformat = \"telepathy\"\n",
    )
    .expect("writable");
    assert_eq!(code(&lab.run(&["--tool", "peer.toml"])), 2);
}

#[test]
fn strategies_are_compared_side_by_side() {
    // `auto` cannot do one task that `horn` can; both can do the other one.
    let lab = Lab::new(
        &format!(
            r#"case "$*" in
                *hard.bpl*"--interpolation auto"*) echo '{{"verdict":"UNKNOWN","reason":{{"code":"timeout","text":""}}}}'; exit 4;;
                *"--interpolation external:a b {{x}}"*) exit 7;;
                *"--interpolation auto" | *"--interpolation horn") echo '{{"verdict":"SAFE",{REST}'; exit 0;;
            esac
            exit 9"#
        ),
        &["hard.bpl,true,", "easy.bpl,true,"],
    );
    let output = lab.run(&["--compare-interpolation", "auto,horn,external:a b {x}"]);
    assert_eq!(code(&output), 0, "{output:?}");
    let text = stdout(&output);
    for line in [
        "| task | auto | horn | external:a b {x} |",
        "| right | 1 of 2 | 2 of 2 | 0 of 2 |",
        "0 tasks are right (or, if nobody knows, answered alike) in every column",
        "Right with horn, not with auto: hard.bpl",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.contains("| hard.bpl | unknown: timeout | "), "{text}");
    assert!(text.contains("exit code 7"), "{text}");
    let markdown = fs::read_to_string(lab.path("table.md")).expect("the Markdown table");
    assert!(markdown.contains("## Side by side"), "{markdown}");
    let output = lab.run(&["--compare-interpolation", "auto,horn", "--only", "easy"]);
    assert!(
        stdout(&output).contains(
            "1 tasks are right (or, if nobody knows, answered alike) in every column and not shown."
        ),
        "{output:?}"
    );
}

#[test]
fn a_missing_tool_is_a_crash_with_its_name() {
    let lab = Lab::new("", &["a.bpl,true,"]);
    lab.run(&["--tool", "/nonexistent/tool {file}"]);
    assert!(lab.rows()[0].starts_with("a.bpl crash crashed cannot run /nonexistent/tool"));
}

#[test]
fn outputs_are_kept() {
    let lab = Lab::new(
        &format!(r#"echo '{{"verdict":"SAFE",{REST}'; echo hello >&2"#),
        &["x/a.bpl,true,"],
    );
    lab.run(&["--keep", "kept"]);
    let errors = fs::read_to_string(lab.path("kept/ult/x_a.bpl.err")).expect("the kept output");
    assert!(
        errors.starts_with("$ ") && errors.ends_with("hello\n"),
        "{errors}"
    );
}

#[test]
fn tables_are_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let head = "file,tool,expected,got,judgement,seconds,cpu_seconds,memory_mb,splits,refinements,solver_calls,reason,detail";
    let table = |name: &str, rows: &[&str]| -> PathBuf {
        let path = folder.path().join(name);
        let text = format!(
            "# date: {name}\n# machine: m\n{head}\n{}\n",
            rows.join("\n")
        );
        fs::write(&path, text).expect("writable");
        path
    };
    let old = table(
        "old.csv",
        &[
            "a,ult,true,true,right,1.0,1.0,10.0,1,1,1,,",
            "b,ult,true,true,right,2.0,2.0,10.0,1,1,1,,",
            "c,ult,false,unknown,unknown,60.0,60.0,10.0,,,,timeout,",
            "d,ult,false,unknown,unknown,1.0,1.0,10.0,,,,timeout,",
            "e,ult,true,true,right,1.0,1.0,1.0,,,,,",
            "gone,ult,true,true,right,1.0,1.0,1.0,,,,,",
        ],
    );
    let new = table(
        "new.csv",
        &[
            "a,other,true,true,right,4.0,4.0,10.0,1,1,1,,",
            "b,other,true,true,right,2.0,2.0,10.0,1,1,1,,",
            "c,other,false,false,right,3.0,3.0,10.0,,,,,",
            "d,other,false,true,wrong,3.0,3.0,10.0,,,,,",
            "e,other,true,unknown,unknown,3.0,3.0,1.0,,,,memory,",
        ],
    );
    let compare = |old: &Path, new: &Path| {
        runner()
            .arg("compare")
            .arg(old)
            .arg(new)
            .output()
            .expect("runs")
    };
    let output = compare(&old, &new);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    for expected in [
        "date: old.csv -> new.csv",
        "5 tasks in both tables (1 only in the old one, 0 only in the new one); right: 4 -> 3",
        "now WRONG: 1\n  d: unknown (timeout) -> true, expected false",
        "lost: 1\n  e: true -> unknown (memory), expected true",
        "gained: 1\n  c: unknown (timeout) -> false, expected false",
        "median 2.00, geometric mean 2.00, total 3.0 s -> 6.0 s",
        "x4.00  1.00 s -> 4.00 s  a",
    ] {
        assert!(text.contains(expected), "{expected}\n---\n{text}");
    }
    let same = compare(&old, &old);
    assert_eq!(code(&same), 0);
    assert!(stdout(&same).contains("no verdict changed"));
    assert_eq!(code(&compare(&old, Path::new("/nonexistent.csv"))), 2);
}

#[test]
fn an_interrupt_keeps_the_results_so_far() {
    let lab = Lab::new(
        &format!(r#"case "$2" in *slow) sleep 300;; esac; echo '{{"verdict":"SAFE",{REST}'"#),
        &["quick,true,", "slow,true,", "never,true,"],
    );
    let child = runner()
        .args(["run", "tasks.csv", "--ult", "./ult", "--out", "table.csv"])
        .current_dir(lab.folder.path())
        .stdout(fs::File::create(lab.path("live")).expect("writable"))
        .spawn()
        .expect("the runner starts");
    for _ in 0..300 {
        if fs::read_to_string(lab.path("live")).is_ok_and(|text| text.contains("quick")) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the runner is there");
    let output = child.wait_with_output().expect("the runner ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(lab.rows(), ["quick true right"]);

    // What is left is run, and nothing twice.
    lab.script("ult", &format!(r#"echo "$2" >> calls; echo '{{"verdict":"SAFE",{REST}'"#));
    assert_eq!(code(&lab.run(&["--resume", "--timeout", "5"])), 2);
    assert_eq!(code(&lab.run(&["--resume"])), 0);
    assert_eq!(
        lab.rows(),
        ["quick true right", "slow true right", "never true right"]
    );
    let calls = fs::read_to_string(lab.path("calls")).expect("the tool was called");
    assert_eq!(calls.lines().count(), 2, "{calls}");
    let table = fs::read_to_string(lab.path("table.csv")).expect("a table");
    assert!(table.contains("# resumed: 2") && !table.contains("# interrupted"));
}
