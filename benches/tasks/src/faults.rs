//! Injected faults: full disks, files that change, closed streams, signals, limits, broken solvers, and editors that talk
//! nonsense.
//!
//! Each fault is a small shell script around `ult` and a program whose verdict is known, in a folder of its own. What comes of
//! it is judged: an exit code that README lists, no panic, no signal that nobody sent, files either as they were or whole,
//! an end in time, and no verdict against the one without the fault.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::process::{End, Finished, Limits, run};
use crate::{Failure, machine};

/// The time limit that `ult` is told.
const TIMEOUT: u64 = 2;

/// What a run may take besides: to start, to notice and to end. Processor time, so that a busy machine is no fault.
const EXCESS: Duration = Duration::from_secs(2);

/// Inject faults, and see that nothing is lost.
#[derive(clap::Args)]
pub(crate) struct FaultArguments {
    /// A folder of programs that say in their first line what is expected of them, searched through.
    #[arg(default_value = "tests/corpus")]
    corpus: PathBuf,
    /// How many faults.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The number of the first one; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Only faults whose name contains this.
    #[arg(long, value_name = "SUBSTRING")]
    only: Option<String>,
    /// Store the counts under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A kind of fault. In the scripts `$ULT` is the program, `$F` the file, `$T` the time limit, `$N` a number below 1000, `$D`
/// a time between 0 and 0.5 s.
struct Fault {
    name: &'static str,
    script: &'static str,
    /// Exit codes that are right, besides those of a run without the fault.
    codes: &'static [i32],
}

const CHECK: &[i32] = &[0, 1, 2, 3, 4, 5, 6];

const FAULTS: &[Fault] = &[
    // Files.
    Fault {
        name: "file: output on a full device",
        script: "$ULT check --timeout $T $F > /dev/full",
        codes: CHECK,
    },
    Fault {
        name: "file: page under a size limit",
        script: "echo old > out.html; (ulimit -f $((N % 40)); exec $ULT check --timeout $T --html out.html $F)",
        codes: CHECK,
    },
    Fault {
        name: "file: formatted under a size limit",
        script: "(ulimit -f $((N % 3)); exec $ULT fmt copy.bpl)",
        codes: CHECK,
    },
    Fault {
        name: "file: output into a missing folder",
        script: "$ULT check --timeout $T --html no/such/out.html $F",
        codes: CHECK,
    },
    Fault {
        name: "file: output onto a folder",
        script: "mkdir out.html; $ULT check --timeout $T --html out.html $F",
        codes: CHECK,
    },
    Fault {
        name: "file: output onto the input",
        script: "$ULT check --timeout $T --html $F $F",
        codes: CHECK,
    },
    Fault {
        name: "file: output onto a link to the input",
        script: "ln -s $F out.html; $ULT check --timeout $T --html out.html $F",
        codes: CHECK,
    },
    Fault {
        name: "file: none",
        script: "$ULT check --timeout $T no-such-file.bpl",
        codes: CHECK,
    },
    Fault {
        name: "file: a folder",
        script: "mkdir x.bpl; $ULT check --timeout $T x.bpl",
        codes: CHECK,
    },
    Fault {
        name: "file: a pipe that nobody writes",
        script: "mkfifo x.bpl; $ULT check --timeout 1 x.bpl",
        codes: CHECK,
    },
    Fault {
        name: "file: a pipe",
        script: "mkfifo x.bpl; (cat $F > x.bpl &); $ULT check --timeout $T x.bpl",
        codes: CHECK,
    },
    Fault {
        name: "file: without an end",
        script: "$ULT check --timeout 1 --language boogie /dev/zero",
        codes: CHECK,
    },
    Fault {
        name: "file: a link to itself",
        script: "ln -s x.bpl x.bpl; $ULT check --timeout $T x.bpl",
        codes: CHECK,
    },
    Fault {
        name: "file: deleted meanwhile",
        script: "cp $F y; (sleep $D; rm -f $F) & $ULT check --timeout $T $F; c=$?; wait; cp y $F; exit $c",
        codes: CHECK,
    },
    Fault {
        name: "file: overwritten meanwhile",
        script: "cp $F y; (sleep $D; head -c $N y > $F) & $ULT check --timeout $T --html out.html $F; c=$?; wait; cp y $F; exit $c",
        codes: CHECK,
    },
    // Streams.
    Fault {
        name: "stream: no standard input",
        script: "$ULT check --timeout $T $F <&-",
        codes: CHECK,
    },
    Fault {
        name: "stream: no standard output",
        script: "$ULT check --timeout $T $F >&-",
        codes: CHECK,
    },
    Fault {
        name: "stream: no standard error",
        script: "$ULT check --timeout $T $F 2>&-",
        codes: CHECK,
    },
    Fault {
        name: "stream: none at all",
        script: "$ULT check --timeout $T $F <&- >&- 2>&-",
        codes: CHECK,
    },
    Fault {
        name: "stream: a reader that goes away",
        script: "{ $ULT check --timeout $T --format json $F; echo $? > code; } | head -c $((N % 100)) > /dev/null; exit $(cat code)",
        codes: &[0, 1, 2, 3, 4, 5, 141],
    },
    Fault {
        name: "stream: a slow reader",
        script: "{ $ULT check --timeout $T --format json $F; echo $? > code; } | (sleep $D; cat); exit $(cat code)",
        codes: CHECK,
    },
    Fault {
        name: "stream: an open standard input",
        script: "sleep 30 | $ULT check --timeout 1 --language boogie -",
        codes: CHECK,
    },
    Fault {
        name: "stream: complaints on a full device",
        script: "$ULT check --timeout $T $F no-such-file 2> /dev/full",
        codes: CHECK,
    },
    // Signals.
    Fault {
        name: "signal: interrupted",
        script: "timeout --preserve-status -s INT $D $ULT check --timeout $T --html out.html $F",
        codes: &[0, 1, 2, 3, 4, 5, 124, 130],
    },
    Fault {
        name: "signal: asked to end",
        script: "timeout --preserve-status -s TERM $D $ULT check --timeout $T $F",
        codes: &[0, 1, 2, 3, 4, 5, 124, 130, 143],
    },
    Fault {
        name: "signal: the terminal goes away",
        script: "timeout --preserve-status -s HUP $D $ULT check --timeout $T $F",
        codes: &[0, 1, 2, 3, 4, 5, 124, 129, 130],
    },
    Fault {
        name: "signal: formatting interrupted",
        script: "timeout --preserve-status -s INT 0.0$N $ULT fmt copy.bpl",
        codes: &[0, 1, 2, 3, 4, 5, 124, 130],
    },
    Fault {
        name: "signal: killed while it writes",
        script: "echo old > out.html; timeout -s KILL $D $ULT check --timeout $T --html out.html $F; exit 0",
        codes: CHECK,
    },
    // Limits.
    Fault {
        name: "limit: address space",
        script: "(ulimit -v $((100000 + N * 1500)); exec $ULT check --timeout $T $F)",
        codes: CHECK,
    },
    Fault {
        name: "limit: open files",
        script: "(ulimit -n $((3 + N % 20)); exec $ULT check --timeout $T --html out.html $F)",
        codes: CHECK,
    },
    Fault {
        name: "limit: processor time",
        script: "(ulimit -t 1; exec $ULT check --timeout $T $F)",
        codes: &[0, 1, 2, 3, 4, 5, 137, 152],
    },
    Fault {
        name: "limit: stack",
        script: "(ulimit -s $((128 + N)); exec $ULT check --timeout $T $F)",
        codes: CHECK,
    },
    Fault {
        name: "limit: --memory",
        script: "$ULT check --timeout $T --memory $((20 + N / 5)) $F",
        codes: CHECK,
    },
    Fault {
        name: "limit: --timeout",
        script: "$ULT check --timeout 0.$N $F",
        codes: CHECK,
    },
    // Solvers.
    Fault {
        name: "solver: says nonsense",
        script: "$ULT check --timeout $T --check-with 'sh -c \"yes maybe\"' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: says half an answer",
        script: "$ULT check --timeout $T --check-with 'sh -c \"printf uns\"' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: hangs",
        script: "$ULT check --timeout $T --check-with 'sleep 60' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: dies",
        script: "$ULT check --timeout $T --check-with 'sh -c \"kill -9 \\$\\$\"' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: reads nothing",
        script: "$ULT check --timeout $T --check-with 'sh -c \"exec <&-; sleep 60\"' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: is missing",
        script: "$ULT check --timeout $T --check-with no-such-solver $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: claims a model of everything",
        script: "$ULT check --timeout $T --check-with 'sh -c \"while read l; do case \\$l in *check-sat*) echo sat;; *echo*) echo \\$l;; esac; done\"' $F",
        codes: CHECK,
    },
    Fault {
        name: "solver: no Z3",
        script: "ULT_Z3_LIBRARY=/no/such/libz3.so $ULT check --timeout $T $F",
        codes: &[5],
    },
    Fault {
        name: "solver: Z3 is garbage",
        script: "head -c $N /dev/urandom > z.so; ULT_Z3_LIBRARY=$PWD/z.so $ULT check --timeout $T $F",
        codes: &[5],
    },
    Fault {
        name: "solver: Z3 is cut off",
        script: "head -c $((N * 20000 + 64)) \"$Z3\" > z.so; ULT_Z3_LIBRARY=$PWD/z.so $ULT check --timeout $T $F",
        codes: &[5],
    },
    Fault {
        name: "solver: Z3 is another library",
        script: "ULT_Z3_LIBRARY=libc.so.6 $ULT check --timeout $T $F",
        codes: &[5],
    },
    // Editors.
    Fault {
        name: "editor: says nothing",
        script: "$ULT lsp < /dev/null",
        codes: &[0, 1, 2],
    },
    Fault {
        name: "editor: random bytes",
        script: "head -c $N /dev/urandom | $ULT lsp",
        codes: &[0, 1, 2],
    },
    Fault {
        name: "editor: no JSON",
        script: "printf 'Content-Length: 5\\r\\n\\r\\n{\"a\":' | $ULT lsp",
        codes: &[0, 1, 2],
    },
    Fault {
        name: "editor: a length that is none",
        script: "printf 'Content-Length: %s\\r\\n\\r\\n{}' $N 99999999999 | $ULT lsp",
        codes: &[0, 1, 2],
    },
    Fault {
        name: "editor: goes away",
        script: "B='{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}'; printf 'Content-Length: %s\\r\\n\\r\\n%s' ${#B} \"$B\" | $ULT lsp > /dev/null",
        codes: &[0, 1, 2],
    },
    Fault {
        name: "editor: reads nothing",
        script: "B='{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}'; { printf 'Content-Length: %s\\r\\n\\r\\n%s' ${#B} \"$B\" | $ULT lsp; echo $? > code; } | true; exit $(cat code)",
        codes: &[0, 1, 2, 141],
    },
];

/// A program, and what is known about it without a fault.
struct Subject {
    path: PathBuf,
    content: Vec<u8>,
    expected: String,
}

/// Injects the faults. Whether all outcomes were right.
///
/// # Errors
/// If there are no programs, or no shell.
pub(crate) fn inject(
    arguments: &FaultArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let subjects = subjects(&arguments.corpus);
    let wanted = |fault: &&Fault| {
        arguments
            .only
            .as_ref()
            .is_none_or(|only| fault.name.contains(only))
    };
    let faults: Vec<&Fault> = FAULTS.iter().filter(wanted).collect();
    if subjects.is_empty() || faults.is_empty() {
        return Err(Failure::NoTasks);
    }
    let ult = ult
        .canonicalize()
        .map_err(|error| Failure::Io(ult.to_owned(), error))?;
    let z3 = z3_of(&ult, stop)?;
    let start = Instant::now();
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for number in arguments.seed..arguments.seed.saturating_add(arguments.count) {
        let over = arguments
            .seconds
            .is_some_and(|most| start.elapsed().as_secs() >= most);
        if over || stop.load(Ordering::Relaxed) {
            break;
        }
        let mut random = ChaCha8Rng::seed_from_u64(number);
        // All kinds in turn, each with programs of its own.
        let fault = faults[usize::try_from(number).unwrap_or_default() % faults.len()];
        let subject = &subjects[random.random_range(0..subjects.len())];
        let outcome = one(fault, subject, &ult, &z3, &mut random, stop)
            .map_err(|error| Failure::Io("sh".into(), error))?;
        let count = counts.entry(fault.name).or_default();
        count.0 += 1;
        if let Err(how) = outcome {
            count.1 += 1;
            let line = format!(
                "{number}: {}, {}: {how}",
                fault.name,
                subject.path.display()
            );
            eprintln!("{line}");
            wrong.push(line);
        }
    }
    let text = summary(&counts, &wrong, start.elapsed());
    print!("{text}");
    if let Some(out) = &arguments.out {
        let file = out.with_extension("md");
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(wrong.is_empty())
}

fn summary(counts: &BTreeMap<&str, (u64, u64)>, wrong: &[String], time: Duration) -> String {
    let all: u64 = counts.values().map(|(all, _)| all).sum();
    let mut text = String::from("# Injected faults\n\n");
    let _ = writeln!(
        text,
        "{all} faults in {} s, {}, {}, commit {}: {} outcomes wrong.\n",
        time.as_secs(),
        machine::date(),
        machine::machine(),
        machine::commit(),
        wrong.len()
    );
    text += "| fault | times | wrong |\n|---|---|---|\n";
    for (name, (all, wrong)) in counts {
        let _ = writeln!(text, "| {name} | {all} | {wrong} |");
    }
    for line in wrong {
        let _ = write!(text, "\n- {line}\n");
    }
    text
}

/// Programs with an expectation.
fn subjects(corpus: &Path) -> Vec<Subject> {
    let mut found = Vec::new();
    let mut waiting = vec![corpus.to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                std::fs::read_dir(&path)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.path()),
            );
            continue;
        }
        let Ok(content) = std::fs::read(&path) else {
            continue;
        };
        let first = String::from_utf8_lossy(
            content
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default(),
        )
        .into_owned();
        if let Some((_, expected)) = first.split_once("# expect: ") {
            let expected = expected
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned();
            found.push(Subject {
                path,
                content,
                expected,
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The Z3 library that the program says it has.
fn z3_of(ult: &Path, stop: &AtomicBool) -> Result<String, Failure> {
    let command = [ult.display().to_string(), "doctor".to_owned()];
    let limits = Limits {
        time: Duration::from_secs(600),
        memory: 4 << 30,
    };
    let finished =
        run(&command, None, limits, stop).map_err(|error| Failure::Io(ult.to_owned(), error))?;
    let line = finished
        .stdout
        .lines()
        .find(|line| line.contains("ok    Z3: "))
        .unwrap_or_default();
    Ok(line.split(", ").nth(1).unwrap_or_default().to_owned())
}

/// A well-formed program that is not formatted.
const UNFORMATTED: &str = "procedure p ( x : int ) {\nassert x+1>x ; }\n";

/// One fault. The error says what is wrong with the outcome.
fn one(
    fault: &Fault,
    subject: &Subject,
    ult: &Path,
    z3: &str,
    random: &mut ChaCha8Rng,
    stop: &AtomicBool,
) -> std::io::Result<Result<(), String>> {
    let folder = tempfile::tempdir()?;
    let suffix = subject
        .path
        .extension()
        .unwrap_or_default()
        .to_string_lossy();
    let file = folder.path().join(format!("subject.{suffix}"));
    let copy = folder.path().join("copy.bpl");
    std::fs::write(&file, &subject.content)?;
    std::fs::write(&copy, UNFORMATTED)?;
    let (number, delay) = (
        random.random_range(0..1000),
        f64::from(random.random_range(0..500u32)) / 1000.0,
    );
    // The corpus says of C programs what is expected of their own assertions, also where there are none.
    let script = match &*suffix {
        "c" | "i" => {
            let asked = "$ULT check --property unreach-call --property assertions";
            fault.script.replace("$ULT check", asked)
        }
        _ => fault.script.to_owned(),
    };
    let script = format!(
        "ULT={}; F=subject.{suffix}; T={TIMEOUT}; N={number}; D={delay}; Z3='{z3}'; {script}",
        ult.display(),
    );
    let command = ["sh".to_owned(), "-c".to_owned(), script];
    let limits = Limits {
        time: Duration::from_secs(60),
        memory: 4 << 30,
    };
    let finished = run(&command, Some(folder.path()), limits, stop)?;
    let is_whole =
        |file: &Path, old: &[u8], whole: &dyn Fn(&[u8]) -> bool| match std::fs::read(file) {
            Ok(content) => content == old || whole(&content),
            Err(_) => true,
        };
    let page = folder.path().join("out.html");
    Ok(judged(fault, subject, &finished).and_then(|()| {
        if !is_whole(&file, &subject.content, &|_| false) || !file.exists() {
            return Err("the input is not what it was".into());
        }
        if !is_whole(&copy, UNFORMATTED.as_bytes(), &|text| {
            text.ends_with(b"}\n") && text.len() > 20
        }) || !copy.exists()
        {
            return Err("half of a formatted file".into());
        }
        let ends = |text: &[u8]| text.trim_ascii_end().ends_with(b"</html>");
        if page.is_file() && !is_whole(&page, b"old\n", &ends) && !page.is_symlink() {
            return Err("half of a page".into());
        }
        Ok(())
    }))
}

fn judged(fault: &Fault, subject: &Subject, finished: &Finished) -> Result<(), String> {
    let said = format!("{}\n{}", finished.stdout, finished.stderr);
    let tail: String = said
        .trim()
        .chars()
        .rev()
        .take(300)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let code = match finished.end {
        End::Code(code) => code,
        End::Stopped => return Ok(()),
        end => return Err(format!("{end:?}: {tail}")),
    };
    if said.contains("panicked") || said.contains("internal error") {
        return Err(format!("a panic: {tail}"));
    }
    if !fault.codes.contains(&code) {
        return Err(format!("exit code {code}: {tail}"));
    }
    let is_about_subject = fault.script.contains("$F");
    let against = match &*subject.expected {
        "safe" => code == 1,
        "unsafe" => code == 0 && fault.script.contains("check") && !fault.script.contains("exit 0"),
        _ => false,
    };
    if is_about_subject && against {
        return Err(format!("a verdict against `{}`: {tail}", subject.expected));
    }
    let limit = Duration::from_secs(TIMEOUT) * 2 + EXCESS;
    if finished.cpu > limit {
        return Err(format!(
            "{:.1} s of processor time",
            finished.cpu.as_secs_f64()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_different_names() {
        let names: std::collections::BTreeSet<&str> =
            FAULTS.iter().map(|fault| fault.name).collect();
        assert_eq!(names.len(), FAULTS.len());
    }

    #[test]
    fn wrong_outcomes_are_seen() {
        let fault = &FAULTS[0];
        let subject = |expected: &str| Subject {
            path: "x.bpl".into(),
            content: Vec::new(),
            expected: expected.into(),
        };
        let finished = |end: End, stderr: &str| Finished {
            end,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            memory: 0,
            stdout: String::new(),
            stderr: stderr.into(),
        };
        for (expected, end, said, is_right) in [
            ("safe", End::Code(0), "", true),
            ("safe", End::Code(4), "", true),
            ("safe", End::Code(1), "", false),
            ("unsafe", End::Code(0), "", false),
            ("safe", End::Code(101), "", false),
            ("safe", End::Code(0), "thread 'x' panicked at", false),
            ("safe", End::Signal(11), "", false),
            ("safe", End::Time, "", false),
        ] {
            let judged = judged(fault, &subject(expected), &finished(end, said));
            assert_eq!(judged.is_ok(), is_right, "{expected} {end:?} {said}");
        }
    }
}
