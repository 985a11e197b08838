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
    let story = session.story(&["check", "--timeout", "3", "hard.bpl"]);
    // Whether there is time for a hint depends on the machine.
    let is_hint =
        |line: &&str| line.starts_with("  candidate: ") || line.contains("one more round");
    let lines = story.lines().filter(|line| !is_hint(line));
    let story: String = lines.flat_map(|line| [line, "\n"]).collect();
    snapshot!("timeout", story);
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

/// The most memory that a command had at a time, in megabytes, and how it ended.
#[cfg(target_os = "linux")]
fn most_memory(mut command: Command) -> (u64, std::process::Output) {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let path = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut most = 0;
        while let Ok(status) = fs::read_to_string(&path) {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            // It has none any more when it has ended.
            let Some(line) = line else { break };
            let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
            most = most.max(kilobytes / 1024);
            std::thread::sleep(Duration::from_millis(2));
        }
        most
    });
    let output = child.wait_with_output().unwrap();
    (watch.join().unwrap(), output)
}

#[test]
#[cfg(target_os = "linux")]
fn hardly_more_memory_is_used_than_allowed() {
    // A run that takes memory as fast as it can.
    let endless = "procedure main() { var a: [int]int; call main(); a[1] := 2; }\n";
    let session = Session::new(&[("endless.bpl", endless)]);
    let command = session.command(&["run", "--steps", "0", "--memory", "300", "endless.bpl"]);
    let (most, output) = most_memory(command);
    assert_eq!(output.status.code(), Some(4));
    assert!((200..400).contains(&most), "{most} MB");
}

/// Other solvers and preprocessors are processes that may start others.
#[test]
#[cfg(target_os = "linux")]
fn what_other_programs_do_counts_and_ends() {
    let gone = |session: &Session| {
        let pids = fs::read_to_string(session.path().join("pids")).unwrap();
        fs::remove_file(session.path().join("pids")).unwrap();
        let mut left = Vec::new();
        for pid in pids.split_whitespace() {
            // It may still be on its way.
            for wait in 0..100 {
                let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                let zombie = status.contains(") Z ");
                if status.is_empty() || zombie {
                    break;
                }
                if wait == 99 {
                    left.push(pid.to_owned());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        left
    };
    let greet = "echo '(:name \"S\")'; echo '(:version \"1\")'";
    let session = Session::new(&[
        (
            "f.bpl",
            "procedure p(x: int) { var y: int; y := x; while (y > 0) { y := y - 1; } assert y <= 0; }\n",
        ),
        ("f.c", "#define A 1\nint main(void) { return 0; }\n"),
        // Whoever starts them is waited for, and they hold its output.
        (
            "hang.sh",
            &format!(
                "{greet}\nsleep 1000 &\necho $$ $! >> pids\nwhile read line; do :; done\nsleep 1000\n"
            ),
        ),
        ("cpp.sh", "sleep 1000 &\necho $$ $! >> pids\nsleep 1000\n"),
        (
            "large.sh",
            &format!(
                "{greet}\n(head -c 400000000 /dev/zero | tail) &\necho $$ $! >> pids\nsleep 1000\n"
            ),
        ),
    ]);
    for (args, reason) in [
        (
            &[
                "check",
                "--timeout",
                "3",
                "--check-with",
                "sh hang.sh",
                "f.bpl",
            ][..],
            "timeout",
        ),
        (
            &["check", "--timeout", "2", "--cpp", "sh cpp.sh", "f.c"],
            "timeout",
        ),
        (
            &[
                "check",
                "--timeout",
                "30",
                "--memory",
                "300",
                "--check-with",
                "sh large.sh",
                "f.bpl",
            ],
            "memory",
        ),
    ] {
        let start = Instant::now();
        let (code, said) = session.told(args);
        assert_eq!(code, 4, "{said}");
        assert!(
            said.contains(reason) || said.contains("time limit"),
            "{args:?}: {said}"
        );
        assert!(start.elapsed() < Duration::from_secs(15), "{args:?}");
        assert_eq!(gone(&session), Vec::<String>::new(), "{args:?}");
    }
}

/// Where the system gives no more memory, what is known is reported all the same.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes long"]
fn too_little_memory_ends_with_a_report() {
    let session = Session::new(&[
        ("hard.bpl", HARD),
        ("easy.bpl", "procedure easy(x: int) { assert x * x >= 0; }"),
    ]);
    let check = |file: &str, kilobytes: u32| {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" check --timeout 2 {file}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_ult")])
            .current_dir(session.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status, text, said)
    };
    // How many addresses the program and the solver's library take depends on how they were built.
    let loaded = (100_000..1_000_000)
        .step_by(50_000)
        .find(|&kilobytes| check("easy.bpl", kilobytes).0.success())
        .expect("an easy program is decided with 1 GB of addresses");
    for more in [100_000, 200_000, 350_000, 600_000, 1_200_000] {
        let kilobytes = loaded + more;
        let mut said = String::new();
        // Now and then the system refuses what nobody can do without: a stack, or what the solver aborts for.
        let reports = (0..8).any(|_| {
            let (status, text, errors) = check("hard.bpl", kilobytes);
            said += &format!("{status}: {text}{errors}");
            // Whatever it is, it is no verdict.
            let no_verdict = !matches!(status.code(), Some(0 | 1 | 6));
            assert!(no_verdict, "{kilobytes}: {said}");
            let last = text.lines().last().unwrap_or_default();
            status.code() == Some(4) && last.starts_with("ult: UNKNOWN(")
        });
        assert!(reports, "{kilobytes}: {said}");
    }
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

/// Programs are as deep as generators make them: no command overflows its stack.
#[test]
#[ignore = "takes long"]
fn deep_programs_do_not_overflow_the_stack() {
    let chain = |number: usize, one: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..number).map(one).collect();
        all.concat()
    };
    let if_c = chain(3000, &|i| format!("if (x == {i}) y = {i}; else "));
    let sum_c = ["x"; 20_000].join(" + ");
    let if_boogie = chain(3000, &|i| format!("if (x == {i}) {{ y := {i}; }} else "));
    let sum_boogie = ["x"; 20_000].join(" + ");
    let c = |body: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nint main(void) {{ int x = __VERIFIER_nondet_int() != 0, y = 0; {body} if (y < 0) __VERIFIER_error(); return 0; }}\n"
        )
    };
    let boogie = |body: &str| {
        format!("procedure main(x: int) {{ var y: int; {body} assert x < 0 || y >= 0; }}\n")
    };
    let session = Session::new(&[
        ("if.c", &c(&format!("{if_c} y = 1;"))),
        ("sum.c", &c(&format!("y = {sum_c};"))),
        ("if.bpl", &boogie(&format!("{if_boogie} {{ y := 1; }}"))),
        ("sum.bpl", &boogie(&format!("y := {sum_boogie};"))),
    ]);
    for file in ["if.c", "sum.c", "if.bpl", "sum.bpl"] {
        // Whatever the verdict is, if it comes in time.
        let (code, said) = session.told(&["check", "--timeout", "5", file]);
        assert!(matches!(code, 0 | 4), "{file}: {code}, {said:.1000}");
        let (code, said) = session.told(&["run", file]);
        assert_eq!(code, 0, "{file}: {said:.1000}");
        let (code, _) = session.told(&["graph", "-o", "out.ult", file]);
        assert_eq!(code, 0, "{file}");
        if file.ends_with(".c") {
            let (code, _) = session.told(&["translate", "-o", "out.bpl", file]);
            assert_eq!(code, 0, "{file}");
            assert_eq!(session.told(&["fmt", "out.bpl"]).0, 0, "{file}");
        } else {
            assert_eq!(session.told(&["fmt", file]).0, 0, "{file}");
        }
    }
}

/// What is in very long strings is not known, which is said where it matters, and in time.
#[test]
fn long_strings_are_read() {
    let program = |length: usize, condition: &str| {
        format!(
            "extern void __VERIFIER_error(void);\nint main(void) {{ char *s = \"{}\"; if ({condition}) __VERIFIER_error(); return 0; }}\n",
            "a".repeat(length)
        )
    };
    let session = Session::new(&[
        ("short.c", &program(1000, "s[5] != 97")),
        ("long.c", &program(100_000, "s[5] != 97")),
        ("huge.c", &program(10_000_000, "s[5] != 97")),
        ("unread.c", &program(10_000_000, "s == 0")),
    ]);
    for file in ["short.c", "unread.c"] {
        let (code, said) = session.told(&["check", "--timeout", "60", file]);
        assert_eq!(code, 0, "{file}: {said:.2000}");
    }
    for file in ["long.c", "huge.c"] {
        let report = session.json(&["check", "--timeout", "60", file]);
        assert_eq!(report["reason"]["code"], "unsupported", "{file}");
        let reason = report["reason"].to_string();
        assert!(reason.contains("a string of more than"), "{reason}");
    }
}

/// A terminal is told who works, what is left and how far that is, and not only the seconds.
#[test]
#[cfg(target_os = "linux")]
fn progress_says_what_is_being_done() {
    let session = Session::new(&[("hard.bpl", HARD)]);
    let args = ["check", "--timeout", "6", "--engine", "bmc", "hard.bpl"];
    let text = session.on_terminal(&args, None);
    let told = |line: &str| {
        line.contains("hard (2 of 2): ")
            && line.contains("; bmc")
            && line.contains(" steps unrolled")
    };
    assert!(text.split("\r\u{1b}[K").any(told), "{text:?}");
}
