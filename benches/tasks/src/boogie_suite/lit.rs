//! What a file of the suite asks for: its `RUN:` lines, in the syntax of LLVM's test driver.

use std::path::{Path, PathBuf};

/// One run of Boogie with what is expected of its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// The options and files, as words; `%s` is the file itself.
    pub words: Vec<String>,
    /// What is expected.
    pub expectation: Source,
}

/// Where an expectation is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The whole output is in this file.
    Output(PathBuf),
    /// This file names lines of the output behind `CHECK`.
    Checks(PathBuf),
    /// Nowhere: it is what another Boogie says.
    Other,
}

impl Case {
    /// The plain run of a file that says nothing itself.
    pub(super) fn plain() -> Case {
        Case {
            words: vec!["%s".to_owned()],
            expectation: Source::Other,
        }
    }
}

/// Words of options that ask for another output than verdicts, or for what `ult` has not, with what that is.
const OTHERWISE: &[(&str, &str)] = &[
    ("contractinfer", "Houdini"),
    ("stagedhoudini", "Houdini"),
    ("concurrenthoudini", "Houdini"),
    ("stratifiedinline", "stratified inlining"),
    ("extractloops", "extraction of loops"),
    ("soundloopunrolling", "unrolled loops"),
    ("kinductiondepth", "unrolled loops"),
    ("infer", "inferred invariants"),
    ("smoke", "smoke tests"),
    ("verifysnapshots", "snapshots"),
    ("trackverificationcoverage", "coverage"),
    ("warnvacuousproofs", "coverage"),
    ("print", "printed programs"),
    ("printinlined", "printed programs"),
    ("printinstrumented", "printed programs"),
    ("printdesugared", "printed programs"),
    ("printpassive", "printed programs"),
    ("printsplit", "printed splits"),
    ("printpruned", "printed splits"),
    ("printcfg", "printed programs"),
    ("printlean", "printed programs"),
    ("printmodeltofile", "models"),
    ("mv", "models"),
    ("proverlog", "logs of the solver"),
    ("prover", "other solvers"),
    ("lib", "Boogie's libraries"),
    ("inlinedepth", "other inlining"),
    ("civldesugaredfile", "CIVL"),
    ("trustmovertypes", "CIVL"),
    ("trustrefinement", "CIVL"),
    ("trustinvariants", "CIVL"),
    ("trustnoninterference", "CIVL"),
    ("trustlayersupto", "CIVL"),
    ("trustlayersdownto", "CIVL"),
];

/// Why there is no case in a file that says nothing of how it is run.
pub(super) const NO_RUN: &str = "no RUN line";

/// Attributes and words of Boogie's concurrent programs.
const CIVL: &[&str] = &[
    "{:yields}",
    "{:layer ",
    "yield procedure",
    "yield invariant",
    "{:yield_",
    "{:linear",
    " action ",
    "async call",
];

/// The cases of a file, or why there are none that can be compared.
pub(super) fn cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let lines: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once("RUN:")?.1.trim()))
        .collect();
    if lines.is_empty() {
        return Err(NO_RUN.into());
    }
    let is_civl = |line: &str| {
        let line = format!(" {}", line.trim());
        !line.starts_with(" //") && CIVL.iter().any(|word| line.contains(word))
    };
    if text.lines().any(is_civl) {
        return Err("CIVL".into());
    }
    let mut found = Vec::new();
    let mut waiting: Option<Vec<String>> = None;
    for line in lines {
        let mut piped = line.split('|');
        let words = split(piped.next().unwrap_or_default())?;
        let rest: Vec<&str> = piped.collect();
        let Some((program, words)) = words.split_first() else {
            return Err("an empty RUN line".into());
        };
        match program.as_str() {
            "%boogie" | "%parallel-boogie" => {
                if waiting.is_some() {
                    return Err("outputs that are compared with each other".into());
                }
                let words = without_redirection(words);
                if let Some(why) = otherwise(&words) {
                    return Err(why);
                }
                match &rest[..] {
                    [] => waiting = Some(words),
                    [check] => {
                        let check = split(check)?;
                        let expectation = expectation(&check, path, folder)?;
                        found.push(Case { words, expectation });
                    }
                    _ => return Err("other commands".into()),
                }
            }
            "%diff" | "%OutputCheck" => {
                let Some(ran) = waiting.take() else {
                    return Err("other commands".into());
                };
                let all: Vec<String> = std::iter::once(program.clone())
                    .chain(words.iter().cloned())
                    .collect();
                let expectation = expectation(&all, path, folder)?;
                found.push(Case {
                    words: ran,
                    expectation,
                });
            }
            _ => return Err("other commands".into()),
        }
    }
    match (found.is_empty(), waiting) {
        (_, Some(_)) | (true, None) => Err("nothing is expected".into()),
        (false, None) => Ok(found),
    }
}

fn split(command: &str) -> Result<Vec<String>, String> {
    shlex::split(command).ok_or_else(|| "a RUN line that cannot be read".to_owned())
}

/// The words without `> file` and its kin.
fn without_redirection(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == ">" || word == ">>" || word == "2>" {
            words.next();
        } else if !word.starts_with('>') {
            kept.push(word.clone());
        }
    }
    kept
}

/// Why the run is about something else than verdicts, if so.
fn otherwise(words: &[String]) -> Option<String> {
    for word in words.iter().filter(|word| word.starts_with(['-', '/'])) {
        let name = word.trim_start_matches(['-', '/']).to_lowercase();
        let (name, argument) = name.split_once(':').unwrap_or((&name, ""));
        if let Some((_, why)) = OTHERWISE.iter().find(|(other, _)| *other == name) {
            return Some((*why).into());
        }
        let solver = ["solver=", "prover_path", "batch_mode", "bogus", "c:"];
        if name == "proveropt" && solver.iter().any(|part| argument.starts_with(part)) {
            return Some("other solvers".into());
        }
        if name == "inline" && argument != "assume" {
            return Some("other inlining".into());
        }
    }
    let files = words.iter().filter(|word| !word.starts_with(['-', '/']));
    match files.count() {
        0 => Some("no file".into()),
        _ => None,
    }
}

/// Where the expectation of a `%diff` or `%OutputCheck` is.
fn expectation(words: &[String], path: &Path, folder: &Path) -> Result<Source, String> {
    let file = |word: &str| match word.strip_prefix("%s") {
        Some(suffix) => PathBuf::from(format!("{}{suffix}", path.display())),
        None => folder.join(word),
    };
    let mut plain = Vec::new();
    let mut words_behind = words.iter().skip(1);
    while let Some(word) = words_behind.next() {
        if word == "--file-to-check" {
            words_behind.next();
        } else if !word.starts_with('-') && !word.starts_with("%t") {
            plain.push(word.as_str());
        }
    }
    let [written] = plain[..] else {
        return Err("other commands".into());
    };
    let written = file(written);
    if !written.is_file() {
        return Err("the expectation is missing".into());
    }
    let is_diff = words.first().is_some_and(|word| word == "%diff");
    let is_about_output = words
        .iter()
        .all(|word| !word.contains("%t.") && !word.contains("%t-"));
    match (is_diff, is_about_output) {
        (true, true) => Ok(Source::Output(written)),
        (false, true) => Ok(Source::Checks(written)),
        (_, false) => Err("other outputs".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases_of(run: &str, files: &[&str]) -> Result<Vec<Case>, String> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        cases(&folder.path().join("a.bpl"), run)
    }

    #[test]
    fn a_plain_run_is_compared_with_its_output() {
        let run = "// RUN: %parallel-boogie -errorTrace:0 \"%s\" > \"%t\"\n// RUN: %diff \"%s.expect\" \"%t\"\n";
        let cases = cases_of(run, &["a.bpl.expect"]).unwrap();
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].words, ["-errorTrace:0", "%s"]);
        assert!(
            matches!(&cases[0].expectation, Source::Output(path) if path.ends_with("a.bpl.expect"))
        );
        assert_eq!(
            cases_of(run, &[]).unwrap_err(),
            "the expectation is missing"
        );
    }

    #[test]
    fn checks_stand_behind_a_pipe_or_on_a_line_of_their_own() {
        let piped = "// RUN: %boogie \"%s\" | %OutputCheck \"%s\"";
        let apart =
            "// RUN: %boogie \"%s\" > \"%t\"\n// RUN: %OutputCheck --file-to-check \"%t\" \"%s\"";
        for run in [piped, apart] {
            let cases = cases_of(run, &["a.bpl"]).unwrap();
            assert!(matches!(cases[0].expectation, Source::Checks(_)), "{run}");
        }
    }

    #[test]
    fn what_is_about_something_else_is_left_out() {
        for (run, why) in [
            ("procedure p();", "no RUN line"),
            (
                "// RUN: %boogie /contractInfer %s > %t\n// RUN: %diff %s.expect %t",
                "Houdini",
            ),
            (
                "// RUN: %boogie %s > %t\n// RUN: grep x %t",
                "other commands",
            ),
            ("// RUN: %boogie %s > %t", "nothing is expected"),
            (
                "// RUN: %boogie /proverOpt:SOLVER=noop %s > %t",
                "other solvers",
            ),
            ("// RUN: %boogie %s > %t\nyield procedure p();", "CIVL"),
        ] {
            assert_eq!(cases_of(run, &["a.bpl.expect"]).unwrap_err(), why, "{run}");
        }
    }
}
