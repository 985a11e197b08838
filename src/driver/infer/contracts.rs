//! Postconditions that would do, by Horn clauses.

use ult_lang::hir::Program;
use ult_lang::span::Span;

use super::super::result::ContractReport;
use super::super::settings::Settings;
use super::super::summaries::{ask, contract_report};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::stats::Statistics;
use ult_lower::{CallPolicy, Options as Reading};

/// Contracts of all procedures with bodies that would exclude as many violations as possible, by the places of the
/// procedures' names. Nothing was proved of them.
pub(super) fn contracts(
    program: &Program,
    settings: &Settings,
    control: &Control,
) -> Vec<(Span, ContractReport)> {
    let reading = Reading {
        calls: CallPolicy::Contract,
        modular: false,
        recursion_depth: 0,
        ..settings.reading.clone()
    };
    let terms = Terms::new();
    let Ok(asked) = ask(&terms, program, &reading, &settings.verify.reduce, true) else {
        return Vec::new();
    };
    let solved = asked.solve(&terms, control, &mut Statistics::default());
    let contracts = solved.unwrap_or_default();
    let told = contracts.iter().filter_map(|(id, contract)| {
        let procedure = program.procedures.get(id.index())?;
        Some((procedure.span, contract_report(&terms, contract)))
    });
    told.collect()
}
