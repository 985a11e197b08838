//! Random programs whose results are known without a C compiler: they are stored, each with the claim that holds.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ult_interpret::{Choices, End, Limits, Program as Interpreted};
use ult_lang::hir::ProcedureId;

use super::program::Program;
use super::verdict::{self, Answer, Verifier};
use super::{Kind, generate, truth};

#[path = "../../../../tests/tools.rs"]
#[allow(dead_code, unreachable_pub)] // for tests that look for programs themselves
mod tools;

const KINDS: [Kind; 4] = [Kind::Memory, Kind::Expressions, Kind::Walks, Kind::Orders];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/random_c");

fn stored() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    assert!(all.len() >= 40, "only {} programs", all.len());
    all
}

/// The claim that does not hold.
fn opposite(text: &str) -> String {
    let (before, after) = text.rsplit_once("if (!(").expect("a claim");
    format!("{before}if (({after}")
}

/// How a run of the translation ends; nothing if it is not covered.
fn end(text: &str) -> Option<End> {
    let options = ult_c::Options {
        check_pointers: true,
        ..ult_c::Options::default()
    };
    let program = ult_c::translate(text, &options).ok()?.program;
    let start = program
        .procedures
        .iter()
        .position(|procedure| procedure.name == "ULTIMATE.start")?;
    let compiled = Interpreted::new(&program, ProcedureId::new(start), &|_| false);
    let limits = Limits {
        steps: Some(1_000_000),
        show: Vec::new(),
        results_of: None,
    };
    Some(ult_interpret::run(&compiled, &Choices::default(), &limits, &|| true).end)
}

#[test]
fn runs_agree_with_the_compiler() {
    let mut wrong = Vec::new();
    let mut finished = 0;
    for (name, text) in stored() {
        match end(&text) {
            Some(End::Violated { .. }) => wrong.push(format!("{name}: the claim holds")),
            Some(End::Finished) => finished += 1,
            _ => {}
        }
        if let Some(End::Finished) = end(&opposite(&text)) {
            wrong.push(format!("{name}: the opposite does not hold"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(finished >= 20, "only {finished} programs are covered");
}

#[test]
fn proofs_agree_with_the_compiler() {
    let exe = std::env::current_exe().unwrap();
    let binary: PathBuf = exe.parent().and_then(Path::parent).unwrap().join("ult");
    if !binary.exists() {
        tools::missing("ult", "proofs of stored random programs");
        return;
    }
    let verifier = Verifier {
        binary,
        check: Vec::new(),
        run: Vec::new(),
        timeout: 5,
        memory: 2000,
        with_runs: false,
    };
    let stop = AtomicBool::new(false);
    let folder = tempfile::tempdir().unwrap();
    // Some of each kind: all of them take too long for a test.
    for (name, text) in stored().into_iter().step_by(8) {
        std::fs::write(folder.path().join("true.c"), &text).unwrap();
        std::fs::write(folder.path().join("false.c"), opposite(&text)).unwrap();
        for question in 0..2 {
            let answer = verdict::answer(
                &verifier,
                &Program::default(),
                &[],
                question,
                folder.path(),
                &stop,
            )
            .unwrap();
            assert!(
                !matches!(answer, Answer::Wrong(_)),
                "{name}, question {question}: {answer:?}"
            );
        }
    }
}

#[test]
fn new_programs_are_defined() {
    let stop = AtomicBool::new(false);
    let mut compiler = truth::Compiler {
        command: vec!["gcc".into()],
        is_32_bit: false,
        is_flat: false,
    };
    if !truth::works(&compiler, &stop) {
        tools::missing("gcc", "that random C programs are defined");
        return;
    }
    for kind in KINDS {
        compiler.is_flat = kind == Kind::Walks;
        let programs: Vec<_> = (1000..1020)
            .map(|seed| generate(kind, seed, false))
            .collect();
        let all: Vec<_> = programs.iter().collect();
        let truths = truth::values(&compiler, &all, &stop);
        assert_eq!(truths.len(), all.len());
        for (program, truth) in all.iter().zip(&truths) {
            let text = program.render(super::program::Ending::Print);
            match truth {
                truth::Truth::Values(values) => assert_eq!(values.len(), program.results().len()),
                truth::Truth::NotCompiled(why) => panic!("{why}:\n{text}"),
                // A few are thrown away.
                truth::Truth::Undefined(_) => {}
            }
        }
        let defined = truths
            .iter()
            .filter(|truth| matches!(truth, truth::Truth::Values(_)))
            .count();
        assert!(defined >= 18, "only {defined} of 20 are defined");
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for kind in KINDS {
        assert_eq!(generate(kind, 5, false), generate(kind, 5, false));
        assert_ne!(generate(kind, 5, false), generate(kind, 6, false));
    }
}

#[test]
fn the_opposite_is_one() {
    assert_eq!(
        opposite("x\n  if (!(r0 == 1)) reach_error();\n"),
        "x\n  if ((r0 == 1)) reach_error();\n"
    );
}
