//! What `ult-bench measure`, and so every run, keeps of the six requirements for reliable benchmarking; the book's page
//! "Measure reliably" names these tests. Each has a tool that does what makes simpler measuring fail.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A folder where a tool leaves traces.
struct Lab(tempfile::TempDir);

/// What was measured.
#[derive(Debug)]
struct Figures {
    end: String,
    cpu: f64,
    wall: f64,
    memory: f64,
    ended: u64,
    left: u64,
}

impl Lab {
    fn new() -> Lab {
        Lab(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a shell script under `ult-bench measure`.
    fn measure(&self, arguments: &[&str], script: &str) -> Figures {
        let output = self.output(arguments, script);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let field = |name: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.unwrap_or_else(|| panic!("no {name}: {text}"))
                .to_owned()
        };
        let number = |name: &str| -> f64 {
            let text = field(name);
            text.trim_end_matches(['s', 'B']).parse().expect("a number")
        };
        Figures {
            end: field("end"),
            cpu: number("cputime"),
            wall: number("walltime"),
            memory: number("memory"),
            ended: number("ended") as u64,
            left: number("left") as u64,
        }
    }

    fn output(&self, arguments: &[&str], script: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_ult-bench"))
            .arg("measure")
            .args(arguments)
            .args(["--", "/bin/sh", "-c", script])
            .current_dir(self.0.path())
            .output()
            .expect("the runner starts")
    }

    /// The number of a process that wrote it down has ended.
    fn is_gone(&self, name: &str) -> bool {
        let pid = fs::read_to_string(self.path(name)).expect("the process wrote its number");
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    }

    /// The processor seconds that a process counted for itself.
    fn own_seconds(&self, name: &str) -> f64 {
        let stat = fs::read_to_string(self.path(name)).expect("the process wrote its time");
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        let ticks = |at: usize| -> f64 { fields[at].parse().expect("a number") };
        (ticks(11) + ticks(12)) / 100.0
    }
}

/// Works for a while, writes down how long that took the processor, and waits.
const WORK: &str = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; read -r stat < /proc/$$/stat; echo \"$stat\" > time.new; mv time.new time";

/// Waits for a file, with little work.
fn wait_for(name: &str) -> String {
    format!("while [ ! -e {name} ]; do sleep 0.05; done")
}

#[test]
fn exit_codes_and_output_pass() {
    let lab = Lab::new();
    let output = lab.output(&[], "echo out; echo err >&2; exit 7");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"out\n");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("err\nend=code 7\nwalltime="), "{text}");
    let figures = lab.measure(&[], "kill -SEGV $$");
    assert_eq!(
        (&*figures.end, figures.ended, figures.left),
        ("signal 11", 0, 0)
    );
    let none = Command::new(env!("CARGO_BIN_EXE_ult-bench"))
        .args(["measure", "--", "/nonexistent/tool"])
        .output()
        .expect("the runner starts");
    assert_eq!(none.status.code(), Some(127));
}

#[test]
fn a_child_that_forks_away_is_ended() {
    let lab = Lab::new();
    let start = Instant::now();
    let figures = lab.measure(
        &[],
        "(sh -c 'echo $$ > child; exec sleep 300' &) ; while [ ! -s child ]; do sleep 0.05; done",
    );
    assert!(start.elapsed() < Duration::from_secs(120), "{figures:?}");
    assert_eq!((&*figures.end, figures.left), ("code 0", 0));
    assert!(lab.is_gone("child"));
}

/// A daemon: another session, another group, and its parents have ended.
#[test]
fn a_child_that_escapes_its_session_is_ended() {
    let lab = Lab::new();
    let daemon = "(setsid sh -c '(setsid sh -c \"trap : HUP TERM INT; echo \\$\\$ > child; while :; do sleep 300; done\" &)' &)";
    let script = format!("{daemon}; while [ ! -s child ]; do sleep 0.05; done");
    let figures = lab.measure(&[], &script);
    assert_eq!((&*figures.end, figures.left), ("code 0", 0));
    assert!(figures.ended >= 1, "{figures:?}");
    assert!(lab.is_gone("child"));
    // At the time limit, too.
    fs::remove_file(lab.path("child")).expect("it is there");
    let figures = lab.measure(&["--time", "2"], &format!("{script}; sleep 300"));
    assert_eq!((&*figures.end, figures.left), ("time", 0));
    assert!(figures.wall < 60.0 && figures.ended >= 1, "{figures:?}");
    assert!(lab.is_gone("child"));
}

/// Processes that start each other and end at once: whoever looks for them comes too late.
#[test]
fn a_chain_of_processes_is_ended() {
    let lab = Lab::new();
    fs::write(lab.path("chain"), "echo >> links; sh chain &\n").expect("writable");
    let figures = lab.measure(
        &[],
        "sh chain; while [ ! -s links ]; do sleep 0.05; done; sleep 0.2",
    );
    assert_eq!((&*figures.end, figures.left), ("code 0", 0));
    let links = || fs::metadata(lab.path("links")).expect("it is there").len();
    let before = links();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(before, links(), "the chain goes on");
}

/// The parent kills its child and does not wait for it: `time` and `wait4` lose the child's time.
#[test]
fn the_time_of_killed_children_counts() {
    let lab = Lab::new();
    let script = format!(
        "sh -c '{WORK}; exec sleep 300' & child=$!; {}; kill -9 $child; exec true",
        wait_for("time")
    );
    let figures = lab.measure(&[], &script);
    let own = lab.own_seconds("time");
    assert!(own > 0.0 && figures.cpu >= own, "{own}: {figures:?}");
}

/// A daemon works, and its time is that of the tool.
#[test]
fn the_time_of_daemons_counts() {
    let lab = Lab::new();
    let script = format!(
        "(setsid sh -c '{WORK}; exec sleep 300' &) ; {}",
        wait_for("time")
    );
    let figures = lab.measure(&[], &script);
    let own = lab.own_seconds("time");
    assert!(own > 0.0 && figures.cpu >= own, "{own}: {figures:?}");
    assert!(figures.ended >= 1);
}

/// What is not kept: a parent that ignores the end of its children has the system forget their time. With a control group
/// it would count.
#[test]
fn the_time_of_disowned_children_is_lost() {
    let lab = Lab::new();
    // Shells look after their children; Perl does what it is told.
    if Command::new("perl").arg("-v").output().is_err() {
        return;
    }
    fs::write(lab.path("work"), WORK).expect("writable");
    let script = "perl -e '$SIG{CHLD} = \"IGNORE\"; if (!fork) { exec \"sh\", \"work\" } \
                  while (!-e \"time\") { select undef, undef, undef, 0.05 } sleep 1'";
    let figures = lab.measure(&[], script);
    let own = lab.own_seconds("time");
    assert!(own > 0.1 && figures.cpu < own, "{own}: {figures:?}");
}

/// Processes that keep the limit each, and not together: limits of the system are for single processes.
#[test]
fn the_memory_of_a_process_tree_is_limited() {
    let lab = Lab::new();
    let hoard = |name: &str| {
        format!("sh -c 'x=$(head -c 30000000 /dev/zero | tr \"\\0\" a); : > {name}; sleep 300' &")
    };
    let one = lab.measure(
        &["--time", "200"],
        &format!("{} {}; sleep 0.5", hoard("a"), wait_for("a")),
    );
    assert!(one.memory > 30e6 && one.memory < 150e6, "{one:?}");
    // A shell has a text twice for a moment, while it grows: what several keep for good is more than that.
    let limit = format!("{:.0}", one.memory + 10e6);
    let hoards: String = ["b", "c", "d", "e"].map(hoard).concat();
    let script = format!("{hoards} sleep 100");
    let both = lab.measure(&["--memory", &limit, "--time", "90"], &script);
    assert_eq!(both.end, "memory", "{one:?} {both:?}");
    assert!(both.memory > one.memory + 10e6, "{one:?} {both:?}");
}

/// Pages that processes share are counted once.
#[test]
fn shared_memory_counts_once() {
    let lab = Lab::new();
    // The children are forks of the shell, and do not touch what it has.
    let script = "x=$(head -c 30000000 /dev/zero | tr '\\0' a); for i in 1 2 3 4; do (sleep 1; :) & done; wait";
    let figures = lab.measure(&[], script);
    assert!(
        figures.memory > 30e6 && figures.memory < 120e6,
        "{figures:?}"
    );
}

/// Who ends the runner ends the run with all that belongs to it.
#[test]
fn a_runner_that_is_ended_leaves_nothing() {
    let lab = Lab::new();
    let mut runner = Command::new(env!("CARGO_BIN_EXE_ult-bench"))
        .args(["measure", "--", "/bin/sh", "-c"])
        .arg("(setsid sh -c 'echo $$ > child; exec sleep 300' &); sleep 300")
        .current_dir(lab.0.path())
        .spawn()
        .expect("the runner starts");
    wait_until(&lab.path("child"));
    let ended = Command::new("kill").arg(runner.id().to_string()).status();
    assert!(ended.is_ok_and(|status| status.success()));
    let status = runner.wait().expect("it can be waited for");
    assert_eq!(status.code(), Some(124));
    assert!(lab.is_gone("child"));
}

fn wait_until(file: &Path) {
    let start = Instant::now();
    while !fs::read(file).is_ok_and(|bytes| !bytes.is_empty()) {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{} does not appear",
            file.display()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
