//! Tests of lowering: programs and their graphs.

mod calls;
mod datatypes;
mod expressions;
mod graphs;
mod modular;
mod obligations;
mod printer;
mod round_trip;
mod scale;
mod statements;

use ult_lang::diagnostic::Severity;
use ult_lang::hir::Program;

use super::{LoweredUnit, Lowering, Options};
use ult_core::formula::Terms;

/// The typed program of a text without errors.
fn program(text: &str) -> Program {
    let (program, diagnostics) = ult_lang::analyze_boogie(text);
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    program
}

/// All units of a program, checked.
fn units(terms: &Terms, program: &Program, options: Options) -> Vec<LoweredUnit> {
    let lowering = Lowering::new(terms, program, options).unwrap();
    let mut queue = lowering.queue();
    let mut units = Vec::new();
    while let Some(plan) = queue.next() {
        let unit = lowering.lower(plan);
        check(terms, &unit);
        queue.add(&unit);
        units.push(unit);
    }
    units
}

/// What holds of every lowered unit.
fn check(terms: &Terms, unit: &LoweredUnit) {
    assert_eq!(unit.graph.check(terms), Ok(()));
    let errors: Vec<_> = unit.graph.errors().collect();
    let obligations: Vec<_> = unit.obligations.keys().copied().collect();
    assert_eq!(errors, obligations);
    for edge in unit.abstracted.keys() {
        assert!(unit.graph.graph.edge_weight(*edge).is_some());
    }
    let mut names: Vec<_> = unit.graph.graph.node_weights().map(|l| &l.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), unit.graph.graph.node_count());
    for variable in unit.graph.variables.keys() {
        assert!(unit.displayed.contains_key(variable), "{variable}");
    }
    for edge in unit.graph.graph.edge_weights() {
        assert!(unit.origins.get(edge.origin.unwrap()).is_some());
    }
}

/// The text with the graphs of its units, for snapshots.
fn show(text: &str, options: Options) -> String {
    let program = program(text);
    let terms = Terms::new();
    let mut output = format!("{}\n", text.trim());
    for unit in units(&terms, &program, options) {
        output += "\n";
        output += &printer::print(&terms, text, &unit);
    }
    output
}

/// `show` with the default options.
fn show_default(text: &str) -> String {
    show(text, Options::default())
}
