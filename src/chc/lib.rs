//! Constrained Horn clauses in SMT-LIB (`set-logic HORN`) as program graphs.
//!
//! The clauses are satisfiable exactly if no error location of the graph is reachable: each
//! predicate is a location, each clause with one predicate among its premises an edge. (Gurfinkel,
//! Bjørner: "The Science, Art, and Magic of Constrained Horn Clauses"; the format is that of
//! CHC-COMP.)
//!
//! A clause with several predicates among its premises becomes an edge with premises: traces are trees then.
//!
//! Where the divisor may be zero, SMT-LIB leaves the quotient to the interpretation, as it does the predicates: a proof holds
//! for all quotients, and a derivation counts only if it divides by nothing but numbers other than zero.
//!
//! | file | idea |
//! |---|---|
//! | [`tree`] | terms with their places |
//! | [`names`] | what names mean |
//! | [`datatypes`] | datatypes |
//! | [`unspecified`] | values that SMT-LIB leaves open |
//! | [`elaborate`] | terms to formulas, with all sorts checked |
//! | [`formula`] | formulas with predicates |
//! | [`script`] | commands |
//! | [`clauses`] | formulas to clauses |
//! | [`solve`] | clauses without what equations define |
//! | [`slots`] | which variable holds which argument |
//! | [`graph`] | clauses to a graph |
//! | [`interpretation`] | what a proof says about every predicate |
//!
//! The trees of the parser have no places. The s-expressions of [`ult_smtlib`] do, and both are walked side by side.

mod clauses;
mod datatypes;
mod elaborate;
mod formula;
mod graph;
mod interpretation;
mod names;
mod script;
mod slots;
mod solve;
mod tree;
mod unspecified;

#[cfg(test)]
mod tests;

pub use self::graph::predicates;
pub use self::interpretation::{Arguments, interpretations};

use smtlib_lowlevel::Storage;
use ult_lang::diagnostic::{Diagnostic, Id};

use self::elaborate::Elaborator;
use self::script::Script;
use self::tree::Text;
use ult_core::formula::Terms;
use ult_lower::LoweredUnit;
use ult_lower::division::TotalDivision;
use ult_lower::names::Names;
use ult_smtlib::sexpr::Exprs;

/// The graph of the clauses in a text, and messages about the text. Nobody may draw a verdict from
/// a text with errors.
pub fn lower(terms: &Terms, text: &str) -> (LoweredUnit, Vec<Diagnostic>) {
    let (exprs, commands, wrong) = Exprs::read_all(text);
    let storage = Storage::new();
    let mut names = Names::default();
    let division = TotalDivision::new(&mut names);
    let zero_division = division.functions().map(Clone::clone);
    let text = Text::new(text, &exprs, &storage);
    let mut elaborator = Elaborator::new(terms, text, division);
    for unreadable in &wrong {
        elaborator.messages.error(
            Id::HORN_SYNTAX,
            "this is not SMT-LIB",
            unreadable.place.clone(),
            unreadable.what,
        );
    }
    let unreadable: Vec<_> = wrong
        .into_iter()
        .map(|unreadable| unreadable.place)
        .collect();
    let script = Script::read(&mut elaborator, &commands, &unreadable);
    let predicates = std::mem::take(&mut elaborator.names.predicates);
    let diagnostics = elaborator.messages.finish();
    let clauses = match diagnostics.is_empty() {
        true => script.clauses,
        false => Vec::new(),
    };
    let unit = graph::graph(terms, &predicates, clauses, &zero_division, names);
    (unit, diagnostics)
}
