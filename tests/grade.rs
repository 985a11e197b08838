//! The exercises of the course, as `ult grade` sees them. All in this process: there are hundreds of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ult_cli::grade::exercise::{Exercise, FILE};
use ult_cli::grade::fault::Fault;
use ult_cli::grade::judge::Judge;
use ult_cli::grade::rehearsal::complaints;
use ult_core::control::Control;

/// For one question. Exercises are small; a machine may be busy.
const LIMIT: Duration = Duration::from_secs(30);

/// Programs in examples may be deep for a debug build.
const STACK: usize = 64 << 20;

/// The folders of all exercises, in order.
pub fn folders() -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let lessons = below(&crate::root().join("examples/grading"));
    let mut folders: Vec<PathBuf> = lessons.iter().flat_map(|lesson| below(lesson)).collect();
    folders.sort();
    folders
}

/// Every solution passes; what students get, three mistakes and the tricks fail, at the line and for the reason that is written
/// in the exercise.
#[test]
#[ignore = "takes long"]
fn every_exercise_is_as_its_author_says() {
    let folders = folders();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::SeqCst)) {
            let found = Exercise::read(folder).and_then(|exercise| {
                let judge = Judge::new(&exercise, LIMIT)?;
                Ok(complaints(&exercise, &judge, &Control::unlimited()))
            });
            wrong
                .lock()
                .unwrap()
                .extend(found.unwrap_or_else(|why| vec![why]));
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).unwrap();
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Horn clauses whose premises are made false say nothing, and so do steps of graphs that nobody takes.
#[test]
fn idle_clauses_and_steps_do_not_pass() {
    let horn = |step: &str| {
        format!(
            "(set-logic HORN)\n(declare-fun Inv (Int) Bool)\n\
             (define-fun Step ((x Int) (y Int)) Bool {step})\n(assert (Inv 0))\n\
             (assert (forall ((x Int) (y Int)) (=> (and (Inv x) (Step x y)) (Inv y))))\n\
             (assert (forall ((x Int)) (=> (and (Inv x) (< x 0)) false)))\n(check-sat)\n"
        )
    };
    let graph = |step: &str| {
        format!(
            "graph g {{\n  var x: int;\n  init s;\n  location l;\n  error e;\n\
             \x20 s -> l: x' == 0;\n  l -> l: {step};\n  l -> e: x < 0;\n}}\n"
        )
    };
    let idle = |suffix: &str, change: &str, [given, solution, cheat]: [String; 3], line: u32| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("given", given), ("solution", solution), ("cheat", cheat)] {
            fs::write(folder.path().join(format!("{name}.{suffix}")), text).unwrap();
        }
        let exercise = format!(
            "title = \"Idle\"\ntask = \"\"\ndifficulty = 1\nminutes = 1\ngiven = \"given.{suffix}\"\n\
             solution = \"solution.{suffix}\"\nchange = [\"{change}\"]\n\
             [[cheat]]\nfile = \"cheat.{suffix}\"\nreason = \"unreachable\"\nline = {line}\n"
        );
        fs::write(folder.path().join(FILE), exercise).unwrap();
        let exercise = Exercise::read(folder.path()).unwrap();
        let judge = Judge::new(&exercise, LIMIT).unwrap();
        assert_eq!(
            complaints(&exercise, &judge, &Control::unlimited()),
            Vec::<String>::new()
        );
    };
    let steps = ["true", "(= y (+ x 1))", "(< (+ x y) (+ x y))"];
    idle("smt2", "definition of Step", steps.map(horn), 5);
    let steps = ["true && x' == x'", "x' == x + 1", "x > x && x' == x + 1"];
    idle("ult", "formulas of g", steps.map(graph), 7);
}

/// Files that nobody names are mistakes; and the tricks are of many kinds.
#[test]
fn exercises_name_their_files_and_try_many_tricks() {
    let mut reasons = BTreeSet::new();
    for folder in folders() {
        let exercise = Exercise::read(&folder).unwrap();
        let name = folder.display();
        assert_eq!(exercise.wrong.len(), 3, "{name}");
        assert!(!exercise.cheat.is_empty(), "{name}");
        assert!(!exercise.hints.is_empty(), "{name}");
        let wrong = exercise.wrong.iter().map(|wrong| &wrong.file);
        let cheat = exercise.cheat.iter().map(|cheat| &cheat.file);
        let named: BTreeSet<PathBuf> = wrong.chain(cheat).map(|file| folder.join(file)).collect();
        let hidden = exercise.hidden.iter().map(|hidden| hidden.file.clone());
        let named: BTreeSet<PathBuf> = named
            .into_iter()
            .chain(hidden)
            .chain([folder.join(FILE)])
            .collect();
        let there = fs::read_dir(&folder).unwrap();
        let there: BTreeSet<PathBuf> = there.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(named, there, "{name}");
        reasons.extend(exercise.cheat.iter().map(|cheat| cheat.reason.clone()));
    }
    let known: BTreeSet<&str> = Fault::ALL.iter().map(|fault| fault.code()).collect();
    assert!(
        reasons.iter().all(|reason| known.contains(reason.as_str())),
        "{reasons:?}"
    );
    for kind in [
        "assertion-dropped",
        "assumption-added",
        "attribute-added",
        "axiom-added",
        "body-deleted",
        "body-emptied",
        "contract-changed",
        "declaration-added",
        "definition-recursive",
        "directive-added",
        "forbidden-name",
        "hidden-check",
        "precondition-unsatisfiable",
        "program-changed",
        "signature-changed",
        "unreachable",
    ] {
        assert!(reasons.contains(kind), "no exercise tries `{kind}`");
    }
}
