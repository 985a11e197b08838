//! Solvers that misbehave, asked without any limit: none of them is waited for without end, and none is believed.

use std::thread;

use super::*;

/// What becomes of a question without a limit.
fn ask(script: &str) -> Failure {
    let fake = fake(script);
    let t = Terms::new();
    let mut solver = ExternalSolver::start(&fake.command, &Control::unlimited()).unwrap();
    match solver.check_unsat(&t, &[t.tt()], None) {
        Answer::Unknown(failure) => failure,
        other => panic!("{script}: {other:?}"),
    }
}

fn unfinished(script: &str) {
    let failure = ask(&format!("{HELLO} {script}"));
    let expected = format!(
        "did not end within {} seconds",
        crate::limits::REST.as_secs()
    );
    assert!(
        matches!(&failure, Failure::UnexpectedOutput(what) if what.contains(&expected)),
        "{script}: {failure:?}"
    );
}

fn dead(script: &str) {
    let failure = ask(&format!("{HELLO} {script}"));
    assert!(matches!(failure, Failure::Died(_)), "{script}: {failure:?}");
}

/// All at once: each takes as long as the limit is.
#[test]
#[ignore = "takes long"]
fn answers_that_do_not_end() {
    let scripts = [
        // Half an answer.
        "printf '(error \"un'; exec sleep 600",
        "printf '('; exec sleep 600",
        // A word may go on.
        "printf unsat; exec sleep 600",
        // No sign that it is complete.
        "echo unsat; exec sleep 600",
        "echo unsat; printf ult-; exec sleep 600",
        "echo unknown; echo ult-1; printf '(:reason'; exec sleep 600",
        "echo unknown; echo ult-1; exec sleep 600",
        // There is always something to come.
        "printf '('; while :; do printf 'a '; sleep 1; done",
        // It does not want to be ended.
        "trap '' TERM HUP INT PIPE; printf '('; while :; do sleep 1; done",
        // It does not read, either.
        "echo unsat; exec <&-; exec sleep 600",
    ];
    thread::scope(|scope| {
        for script in scripts {
            scope.spawn(move || unfinished(script));
        }
    });
}

#[test]
fn whoever_dies_or_says_no_more_is_noticed() {
    thread::scope(|scope| {
        for script in [
            "printf '(err'; exit 0",
            "printf '(err'; kill -9 $$",
            "exec >&-; exec sleep 600",
            "printf '(err'; exec >&-; exec sleep 600",
            // Others keep its output open.
            "sleep 600 & exit 0",
            "sleep 600 & echo unsat; exit 0",
            "(trap '' TERM HUP; sleep 600) & exec 2>&-; exit 1",
        ] {
            scope.spawn(move || dead(script));
        }
    });
}

/// A question's answer is what stands between its two marks.
#[test]
fn no_answer_is_taken_for_another_one() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    for (first, second) in [
        // That of the question before.
        (
            "echo unsat; echo ult-1",
            "echo ult-1; echo unsat; echo ult-1",
        ),
        ("echo unsat; echo ult-1", "echo unsat; echo ult-1"),
        ("echo unsat; echo ult-1", "echo ult-begin-2; echo ult-2"),
        // Twice.
        (
            "echo unsat; echo ult-1; echo unsat; echo ult-1",
            "echo ult-begin-2; echo unsat; echo ult-2",
        ),
        // Before the question.
        (
            "echo unsat; echo ult-1; echo unsat",
            "echo ult-begin-2; echo ult-2",
        ),
        (
            "echo unsat; echo ult-1; echo unsat",
            "echo ult-begin-2; echo sat; echo ult-2",
        ),
    ] {
        // Waits for the question, whatever it is about.
        let wait = "while read line; do case $line in *check-sat*) break;; esac; done";
        let fake = fake(&format!(
            "{HELLO} {wait}\n{first}\n{wait}\n{second}\nexec sleep 600"
        ));
        let mut solver = ExternalSolver::start(&fake.command, &Control::unlimited()).unwrap();
        let mut ask = || solver.check_unsat(&t, &[t.lt(x, t.int(0))], None);
        assert_eq!(ask(), Answer::Unsat, "{second}");
        match ask() {
            Answer::Unknown(Failure::UnexpectedOutput(_)) => {}
            other => panic!("{second}: {other:?}"),
        }
    }
}

/// Processes whose command line has this word.
#[cfg(target_os = "linux")]
fn processes(word: &str) -> usize {
    let folders = std::fs::read_dir("/proc").unwrap().flatten();
    folders
        .filter_map(|folder| std::fs::read(folder.path().join("cmdline")).ok())
        .filter(|line| {
            String::from_utf8_lossy(line)
                .split('\0')
                .any(|part| part == word)
        })
        .count()
}

#[test]
#[cfg(target_os = "linux")]
fn nobody_is_left_behind() {
    // Such a number of seconds nobody else sleeps.
    let word = format!("{}.25", 100_000 + std::process::id());
    let script = format!("(trap '' TERM HUP; sleep {word}) & sleep {word} &");
    let failure = ask(&format!("{HELLO} {script} echo what; wait"));
    assert_eq!(failure, Failure::UnexpectedOutput("what".into()));
    ask(&format!("{HELLO} {script} exit 0"));
    // They are dead at once, and gone when somebody has reaped them.
    let start = Instant::now();
    while processes(&word) > 0 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(20));
    }
}

/// What is kept of it is bounded, see `LONGEST_RESPONSE`.
#[test]
fn endless_output_is_no_answer() {
    for flood in [
        "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n'",
        "cat /dev/zero",
        "yes ';'",
        "yes ''",
        "yes '(('",
        "printf '\"'; yes",
        "echo unsat; yes",
    ] {
        match ask(&format!("{HELLO} {flood}")) {
            Failure::UnexpectedOutput(_) => {}
            other => panic!("{flood}: {other:?}"),
        }
    }
}
