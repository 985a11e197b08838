//! Units that owe nothing by their text have no obligations, and hardly another one is without.

use std::path::{Path, PathBuf};

use super::*;
use crate::Overview;

/// Whether each unit owes something, by its text and by its graph.
fn with_obligations(text: &str) -> Vec<(String, bool, bool)> {
    let (program, _) = ult_lang::analyze_boogie(text);
    let terms = Terms::new();
    let lowering = Lowering::new(&terms, &program, Options::default()).unwrap();
    let overview = Overview::new(&program, &Options::default()).unwrap();
    let mut found = Vec::new();
    for plan in lowering.queue() {
        let name = program.procedures[plan.procedure.index()].name.clone();
        let unit = lowering.lower(plan);
        found.push((
            name,
            !overview.owes_nothing(plan),
            !unit.obligations.is_empty(),
        ));
    }
    found
}

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|end| end == "bpl") {
            found.push(path);
        }
    }
}

#[test]
fn no_obligation_is_overlooked() {
    let mut files = Vec::new();
    programs(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus"),
        &mut files,
    );
    assert!(files.len() > 100, "{}", files.len());
    let mut free = 0;
    for file in files {
        // Some are no UTF-8, on purpose.
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let (program, diagnostics) = ult_lang::analyze_boogie(&text);
        let is_wrong = diagnostics.iter().any(|d| d.severity == Severity::Error);
        if is_wrong || program.procedures.len() > 200 {
            continue;
        }
        for (name, by_text, by_graph) in with_obligations(&text) {
            assert!(by_text || !by_graph, "{}: {name}", file.display());
            free += u32::from(!by_text);
        }
    }
    assert!(free > 10, "{free}");
}

#[test]
fn what_owes_something_by_its_text() {
    let text = "
        var g: int;
        procedure quiet(x: int) returns (y: int) { y := x; while (*) { havoc y; } L: goto L; }
        procedure calls_quiet() { var y: int; call y := quiet(1); assume y > 0; }
        procedure asserts() { assert g > 0; }
        procedure calls_asserts() { call asserts(); }
        procedure demands(x: int); requires x > 0;
        procedure calls_demands() { call demands(0); }
        procedure grants(x: int); free requires x > 0; free ensures x > 0;
        procedure calls_grants() { call grants(0); }
        procedure promises() returns (y: int); ensures y > 0;
        procedure calls_promises() { var y: int; call y := promises(); }
        procedure invariant_inside() { while (*) invariant g > 0; { } }
        procedure recursive() { if (*) { call recursive(); } }
        procedure even() { if (*) { call odd(); } }
        procedure odd() { if (*) { call even(); } assert true; }
    ";
    let owe: Vec<String> = (with_obligations(text).into_iter())
        .filter(|(_, by_text, _)| *by_text)
        .map(|(name, ..)| name)
        .collect();
    assert_eq!(
        owe,
        [
            "asserts",
            "calls_asserts",
            "calls_demands",
            "calls_promises",
            "invariant_inside",
            "even",
            "odd"
        ]
    );
}
