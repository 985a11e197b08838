//! What contracts lack: postconditions of called procedures with which a caller's obligation would be proved.
//!
//! In the modular reading a call is what the contract of the callee allows. Where a violation depends on that, Horn clauses
//! are asked for contracts that would do ([`super::contracts`]). They are candidates: offered are those that the modular
//! reading proves of the procedures themselves, and only for obligations that it proves with them.

use ult_lang::ast::Decl;
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use super::super::language::Language;
use super::super::result::{ObligationReport, Report};
use super::super::settings::Settings;
use super::{CHECK, Clause, IndexSet, Search, Words, errors, heads, is_proved};
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_lower::plan::EntryError;

/// Enters what the contracts lack for obligations of a modular report that depend on them.
///
/// # Errors
/// As for every check.
pub(in super::super) fn complete(
    report: &mut Report,
    settings: &Settings,
    control: &Control,
) -> Result<(), EntryError> {
    let callees: Vec<String> = report.obligations().filter_map(too_weak).collect();
    if report.language != Language::Boogie || callees.is_empty() {
        return Ok(());
    }
    let source = report.source.clone();
    let (tree, _) = parse_boogie(&source.text);
    let mut search = Search {
        source: &source,
        heads: heads(&tree, &source.text),
        words: Words::of(&tree),
        known: errors(&source.text),
        settings,
        control,
        pool: IndexSet::new(),
        assumed: Vec::new(),
    };
    if !search.assume_contracts() {
        return Ok(());
    }
    let (kept, _) = search.inductive()?;
    let is_named = |(head, _): &&Clause| {
        let place = search.heads[*head].procedure;
        let named = tree.decls.iter().filter_map(|decl| match decl {
            Decl::Procedure(decl) if decl.span == place => Some(&decl.signature.name.name),
            _ => None,
        });
        named
            .into_iter()
            .any(|name| callees.iter().any(|callee| **callee == **name))
    };
    // Mostly the callees' own contracts suffice.
    let own: Vec<Clause> = kept.iter().filter(is_named).cloned().collect();
    for clauses in [own, kept] {
        if !clauses.is_empty() && enter(report, &search, &clauses)? {
            break;
        }
    }
    Ok(())
}

/// The procedure whose contract an obligation depends on.
fn too_weak(obligation: &ObligationReport) -> Option<String> {
    match &obligation.verdict {
        Verdict::Unknown(Reason::ContractTooWeak(callee)) => Some(callee.clone()),
        _ => None,
    }
}

/// Enters clauses for the obligations that are proved with them, if they are proved themselves. Tells whether there are any.
fn enter(report: &mut Report, search: &Search<'_>, clauses: &[Clause]) -> Result<bool, EntryError> {
    let mended = search.checked(clauses, CHECK)?;
    let (_, places) = search.written(clauses);
    if !places.iter().all(|&place| is_proved(&mended, place)) {
        return Ok(false);
    }
    let missing: Vec<(Span, String)> = clauses
        .iter()
        .map(|(head, formula)| {
            let head = &search.heads[*head];
            (head.procedure, head.clause(formula))
        })
        .collect();
    let is_new = |obligation: &&ObligationReport| {
        let clause = obligation.clause.unwrap_or(obligation.span);
        let mut places = places.iter();
        places.any(|place| place.start <= clause.start && clause.end <= place.end)
    };
    let mut any = false;
    for unit in &mut report.units {
        let Some(other) = mended.units.iter().find(|other| other.name == unit.name) else {
            continue;
        };
        // The same ones in the same order, but for those of the clauses.
        let others: Vec<&ObligationReport> =
            other.obligations.iter().filter(|o| !is_new(o)).collect();
        let fits = others.len() == unit.obligations.len();
        if !fits || !unit.obligations.iter().any(|o| too_weak(o).is_some()) {
            continue;
        }
        let unit = std::sync::Arc::make_mut(unit);
        for (obligation, other) in unit.obligations.iter_mut().zip(others) {
            let is_same = obligation.kind == other.kind;
            if is_same && too_weak(obligation).is_some() && other.verdict.is_safe() {
                obligation.missing.clone_from(&missing);
                any = true;
            }
        }
    }
    Ok(any)
}
