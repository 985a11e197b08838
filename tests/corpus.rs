//! Small programs with the expected verdict in their first lines.
//!
//! ```text
//! //# expect: safe
//! //# expect: unsafe [LINE...]      the violated obligations are exactly on these lines
//! //# expect: nothing               there is nothing to check
//! //# expect: unknown(REASON)
//! //# expect: rejected(ID LINE) ... exactly these errors
//! //# flags: --modular              another run, with these flags
//! //# flags: --modular expect: ...  the same, with an expectation of its own
//! //# warns: ID                     a warning with this id must be there
//! //# assumes: WORDS                such an assumption must be told
//! //# assumes not: WORDS            no such assumption must be told
//! //# limit: SECONDS                nobody finds more in more time
//! ```
//!
//! Without lines, `unsafe` means the lines marked with `// FAILS`. The first run has no flags. In
//! SMT-LIB and BTOR2, and behind the `c` of AIGER, `;` takes the place of `//`; in DimSpec `c ` does.

#![allow(unreachable_pub, reason = "modules are shared with other tests")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod root;
mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

use root::root;
use schema::against_schema;

/// For one program, in seconds. Small programs need a small part of it, even on a busy machine.
const LIMIT: &str = "300";

/// Everybody's command checks one program out of this many; CI checks them all.
const SAMPLE: usize = 20;

/// A test for each program, named after its file.
fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A letter for each program, but for people who ask for some of them.
    arguments.quiet |= arguments.filter.is_none() && arguments.format.is_none();
    let files = programs();
    assert!(files.len() >= 600, "only {} files", files.len());
    // It takes longest, so it begins first.
    let overapprox = Trial::test("over_approximations_prove_only_what_holds", || {
        over_approximations_prove_only_what_holds();
        Ok(())
    });
    let mut trials = vec![overapprox.with_ignored_flag(true)];
    trials.extend(files.into_iter().enumerate().map(|(number, file)| {
        let name = file
            .strip_prefix(root())
            .unwrap_or(&file)
            .display()
            .to_string();
        let trial = Trial::test(name, move || has_its_verdict(&file));
        trial.with_ignored_flag(number % SAMPLE != 0)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[derive(Clone, Debug, PartialEq)]
enum Expect {
    Safe,
    Nothing,
    Unsafe(BTreeSet<u64>),
    Unknown(String),
    Rejected(BTreeSet<(String, u64)>),
}

struct Case {
    path: PathBuf,
    /// In seconds.
    limit: String,
    flags: Vec<String>,
    expect: Expect,
    warns: Vec<String>,
    /// Words in assumptions, and whether there must be such an assumption.
    assumes: Vec<(String, bool)>,
}

/// Checks what the head of a program says.
fn has_its_verdict(file: &Path) -> Result<(), Failed> {
    let cases = cases(file)?;
    let wrong = cases.iter().filter_map(|case| {
        let why = run(case).err()?;
        Some(format!("with flags [{}]: {why}", case.flags.join(" ")))
    });
    let wrong: Vec<String> = wrong.collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// An over-approximation has all runs that the program has, and none of them counts.
fn over_approximations_prove_only_what_holds() {
    let mut files = Vec::new();
    collect(&root().join("tests/corpus/c"), &mut files);
    let (mut proved, mut wrong) = (0, Vec::new());
    let all = files.iter().map(|file| cases(file).unwrap().remove(0));
    for mut case in all.filter(|case| !matches!(case.expect, Expect::Rejected(_))) {
        case.flags = ["--overapprox", "only", "--confirm", "never"]
            .map(str::to_owned)
            .into();
        case.limit = "5".to_owned();
        let report = report(&case).unwrap().0;
        match found(&report).unwrap() {
            Expect::Safe if case.expect == Expect::Safe => proved += 1,
            Expect::Unknown(_) | Expect::Nothing => {}
            other => wrong.push(format!("{}: {other:?}", case.path.display())),
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(proved >= 60, "only {proved}");
}

/// The programs of the corpus and the examples, in an order that stays.
fn programs() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("tests/corpus"), &mut files);
    collect(&root().join("examples"), &mut files);
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // Those are for `tests/grade.rs`.
            if !is_for_grading(&path) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|suffix| {
            [
                "aag", "aig", "bpl", "btor2", "c", "dimspec", "smt2", "svlib", "ult",
            ]
            .iter()
            .any(|known| suffix == *known)
        }) {
            files.push(path);
        }
    }
}

/// Whether a folder holds exercises and what belongs to them: programs without a head that says what is expected.
fn is_for_grading(folder: &Path) -> bool {
    let examples = root().join("examples");
    let is_lesson = folder.parent() == Some(examples.join("course").as_path());
    is_lesson
        || ["solutions", "grading"]
            .iter()
            .any(|name| folder == examples.join(name))
}

fn cases(path: &Path) -> Result<Vec<Case>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let marked: BTreeSet<u64> = (1u64..)
        .zip(text.lines())
        .filter(|(_, line)| {
            line.trim_end().ends_with("// FAILS") || line.trim_end().ends_with("; FAILS")
        })
        .map(|(number, _)| number)
        .collect();
    let heads: Vec<&str> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("//# ")
                .or_else(|| line.strip_prefix(";# "))
                .or_else(|| line.strip_prefix("c # "))
        })
        .collect();
    let first = heads
        .iter()
        .find_map(|head| head.strip_prefix("expect:"))
        .ok_or("no `//# expect:`")?;
    let expect = expectation(first.trim(), &marked)?;
    let warns: Vec<String> = heads
        .iter()
        .filter_map(|head| head.strip_prefix("warns:"))
        .map(|id| id.trim().to_owned())
        .collect();
    let assumes: Vec<(String, bool)> = heads
        .iter()
        .filter_map(|head| match head.strip_prefix("assumes not:") {
            Some(words) => Some((words.trim().to_owned(), false)),
            None => Some((head.strip_prefix("assumes:")?.trim().to_owned(), true)),
        })
        .collect();
    let limit = heads.iter().find_map(|head| head.strip_prefix("limit:"));
    let limit = limit.map_or(LIMIT, str::trim).to_owned();
    let mut cases = vec![Case {
        path: path.to_owned(),
        limit: limit.clone(),
        flags: Vec::new(),
        expect: expect.clone(),
        warns: warns.clone(),
        assumes,
    }];
    for head in heads {
        if let Some(flags) = head.strip_prefix("flags:") {
            let (flags, own) = match flags.split_once("expect:") {
                Some((flags, own)) => (flags, expectation(own.trim(), &marked)?),
                None => (flags, expect.clone()),
            };
            cases.push(Case {
                path: path.to_owned(),
                limit: limit.clone(),
                flags: flags.split_whitespace().map(str::to_owned).collect(),
                expect: own,
                warns: Vec::new(),
                assumes: Vec::new(),
            });
        } else if !["expect:", "warns:", "assumes", "limit:"]
            .iter()
            .any(|known| head.starts_with(known))
        {
            return Err(format!("an unknown head: {head}"));
        }
    }
    Ok(cases)
}

fn expectation(text: &str, marked: &BTreeSet<u64>) -> Result<Expect, String> {
    if text == "safe" {
        return Ok(Expect::Safe);
    }
    if text == "nothing" {
        return Ok(Expect::Nothing);
    }
    if let Some(lines) = text.strip_prefix("unsafe") {
        let own: BTreeSet<u64> = lines
            .split_whitespace()
            .map(|line| line.parse().map_err(|_| format!("no line: {line}")))
            .collect::<Result<_, _>>()?;
        let lines = if own.is_empty() { marked.clone() } else { own };
        return match lines.is_empty() {
            true => Err("`unsafe`, but no line is marked with `// FAILS`".into()),
            false => Ok(Expect::Unsafe(lines)),
        };
    }
    if let Some(reason) = text
        .strip_prefix("unknown(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return Ok(Expect::Unknown(reason.to_owned()));
    }
    let errors: Option<BTreeSet<(String, u64)>> = text
        .split("rejected(")
        .skip(1)
        .map(|error| {
            let (id, line) = error.trim().strip_suffix(')')?.split_once(' ')?;
            Some((id.to_owned(), line.parse().ok()?))
        })
        .collect();
    match errors {
        Some(errors) if !errors.is_empty() => Ok(Expect::Rejected(errors)),
        _ => Err(format!("no expectation: {text}")),
    }
}

/// Without flags a C program is asked about its own assertions, also if it has none.
fn asked(case: &Case) -> &'static [&'static str] {
    let is_c = case.path.extension().is_some_and(|suffix| suffix == "c");
    let says_what = |flag: &String| ["--property", "--assume"].contains(&flag.as_str());
    match is_c && !case.flags.iter().any(says_what) {
        true => &["--property", "unreach-call", "--property", "assertions"],
        false => &[],
    }
}

/// What is reported, and the exit code.
fn report(case: &Case) -> Result<(Value, Option<i32>), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .current_dir(root())
        .args(["check", "--format", "json", "--keep-going"])
        .args(["--timeout", &case.limit])
        .args(asked(case))
        .args(&case.flags)
        .arg(&case.path)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).map_err(|error| {
        let complaints = String::from_utf8_lossy(&output.stderr);
        format!("no JSON: {error}\n{text}\n{complaints}")
    })?;
    Ok((report, output.status.code()))
}

fn run(case: &Case) -> Result<(), String> {
    let (report, exit) = report(case)?;
    against_schema(&report).map_err(|why| format!("not as the schema says: {why}"))?;
    let found = found(&report)?;
    if found != case.expect {
        return Err(format!("expected {:?}, found {found:?}", case.expect));
    }
    let code = match found {
        Expect::Safe => 0,
        Expect::Nothing => 6,
        Expect::Unsafe(_) => 1,
        Expect::Rejected(_) => 3,
        Expect::Unknown(_) => 4,
    };
    if exit != Some(code) {
        return Err(format!("exit code {exit:?}"));
    }
    for id in &case.warns {
        let there = list(&report["diagnostics"])
            .iter()
            .any(|d| d["id"] == id.as_str());
        if !there {
            return Err(format!("no warning {id}"));
        }
    }
    for (words, wanted) in &case.assumes {
        let told = list(&report["assumptions"])
            .iter()
            .any(|told| told.as_str().is_some_and(|told| told.contains(words)));
        if told != *wanted {
            return Err(format!("assumed: {words}: {told}"));
        }
    }
    Ok(())
}

/// The verdict of a report, if the report is consistent.
fn found(report: &Value) -> Result<Expect, String> {
    let obligations: Vec<&Value> = list(&report["units"])
        .iter()
        .flat_map(|unit| list(&unit["obligations"]))
        .collect();
    let of = |verdict: &str| -> Vec<&Value> {
        let wanted = |o: &&Value| o["verdict"] == verdict;
        obligations.iter().copied().filter(wanted).collect()
    };
    match report["verdict"].as_str() {
        Some("SAFE") => match of("SAFE").len() == obligations.len() {
            true => Ok(Expect::Safe),
            false => Err("SAFE, but not every obligation is".into()),
        },
        Some("NOTHING") => match obligations.is_empty() {
            true => Ok(Expect::Nothing),
            false => Err("NOTHING, but there are obligations".into()),
        },
        Some("UNSAFE") => {
            let mut lines = BTreeSet::new();
            for obligation in of("UNSAFE") {
                let line = obligation["place"]["line"].as_u64().ok_or("no line")?;
                lines.insert(line);
                let last = list(&obligation["run"]).last().ok_or("no run")?;
                // What goes wrong in the C library is told at the call.
                let is_elsewhere = last["file"].is_null() && last["line"].as_u64() != Some(line);
                if obligation["kind"] != "location" && is_elsewhere {
                    return Err(format!("the run to line {line} ends elsewhere"));
                }
            }
            Ok(Expect::Unsafe(lines))
        }
        Some("UNKNOWN") => {
            let code = report["reason"]["code"].as_str().ok_or("no reason")?;
            match of("UNSAFE").is_empty() {
                true => Ok(Expect::Unknown(code.to_owned())),
                false => Err("UNKNOWN, but an obligation is UNSAFE".into()),
            }
        }
        Some("REJECTED") => {
            let errors = list(&report["diagnostics"])
                .iter()
                .filter(|d| d["severity"] == "error")
                .filter_map(|d| Some((d["id"].as_str()?.to_owned(), d["line"].as_u64()?)))
                .collect();
            Ok(Expect::Rejected(errors))
        }
        other => Err(format!("no verdict: {other:?}")),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
