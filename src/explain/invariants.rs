//! Confirmed invariants in the terms of the source.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ult_check::Proof;
use ult_core::control::Control;
use ult_core::formula::print::Printer;
use ult_core::formula::{Op, Term, Terms, Var, Version};
use ult_core::graph::{Location, LocationId};
use ult_lang::span::Span;
use ult_lower::origin::Step;
use ult_lower::unit::LoweredUnit;
use ult_smt::Session;

use super::c_expression;
use super::names::qualified;
use super::pretty::{bound_names, pretty};
use super::source::Source;
use super::values::applied;

/// The longest time for making the invariants of a unit shorter.
const TIDYING: Duration = Duration::from_millis(300);

/// The largest formula that is shown, in nodes and in characters of its text.
pub(crate) const FORMULA_LIMIT: usize = 4000;

/// A confirmed invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantReport {
    /// The name of the location.
    pub location: Arc<str>,
    /// For Horn clauses: the predicate that it interprets, applied to variables.
    pub predicate: Option<String>,
    /// The place of the loop, or the declaration of the predicate, if known.
    pub span: Option<Span>,
    /// The formula as a Boogie expression, or a remark that it is too large to be shown.
    pub formula: String,
    /// For C: the formula in expressions of C, as far as that is possible.
    pub c: Option<c_expression::Conjunction>,
    /// For SV-LIB, where a witness is wanted: the conjuncts about the procedure that the place is in, as it says them.
    #[cfg(feature = "svlib")]
    pub terms: Vec<String>,
}

impl InvariantReport {
    /// Whether it says nothing: every state has it.
    pub fn is_trivial(&self) -> bool {
        self.formula == "true"
    }
}

/// The invariants to show: of Horn clauses the meaning of every predicate.
#[cfg(feature = "horn")]
fn formulas(terms: &Terms, unit: &LoweredUnit, proof: &Proof) -> BTreeMap<LocationId, Term> {
    let arguments = ult_chc::predicates(unit);
    match arguments.is_empty() {
        true => proof.invariants().clone(),
        false => ult_chc::interpretations(terms, &unit.graph, &arguments, proof.invariants()),
    }
}

#[cfg(not(feature = "horn"))]
fn formulas(_: &Terms, _: &LoweredUnit, proof: &Proof) -> BTreeMap<LocationId, Term> {
    proof.invariants().clone()
}

/// The confirmed invariants at the loop heads of a unit.
pub fn invariants(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    proof: &Proof,
    control: &Control,
    #[cfg_attr(
        not(feature = "svlib"),
        expect(unused_variables, reason = "only the witnesses of SV-LIB ask")
    )]
    is_exact: bool,
) -> Vec<InvariantReport> {
    // It is about what people see, and worth no more.
    let session = Session::new(terms, &[], &control.within(Some(TIDYING)));
    let back = |var: &Var| match unit.displayed.get(&var.name) {
        Some(displayed) => qualified(displayed, &unit.graph.name),
        None => ult_core::formula::print::plain_name(var),
    };
    let info = |location: &Location| unit.origins.get(location.origin?);
    let formulas = formulas(terms, unit, proof);
    let mut found: Vec<InvariantReport> = formulas
        .iter()
        .filter_map(|(&location, &formula)| {
            let place = unit.graph.graph.node_weight(location)?;
            if !place.loop_head {
                return None;
            }
            let predicate = info(place).and_then(|info| match &info.step {
                Step::Derive {
                    predicate,
                    arguments,
                } => Some(applied(
                    predicate,
                    arguments.iter().map(|name| name.to_string()),
                )),
                _ => None,
            });
            let c = match source.is_translated {
                true => c_expression::print(terms, unit, formula),
                false => None,
            };
            #[cfg(feature = "svlib")]
            let conjuncts = match is_exact {
                true => {
                    let pretty = pretty(terms, formula, Some(&session));
                    super::sv_lib::conjuncts(terms, unit, location, pretty)
                }
                false => Vec::new(),
            };
            let formula = printed(terms, formula, Some(&session), &back);
            Some(InvariantReport {
                location: place.name.clone(),
                predicate,
                span: info(place).map(|info| info.span),
                formula,
                c,
                #[cfg(feature = "svlib")]
                terms: conjuncts,
            })
        })
        .collect();
    found.sort_by_key(|invariant| invariant.span);
    found
}

/// What is said instead of a formula that is too large.
const TOO_LARGE: &str = "too large to be shown";

/// Whether a formula was too large to be shown.
pub(crate) fn is_too_large(shown: &str) -> bool {
    shown.starts_with(TOO_LARGE)
}

/// A formula as a person would write it, if it is not too large, with the names that `back` gives to its free variables.
pub fn printed(
    terms: &Terms,
    formula: Term,
    session: Option<&Session<'_>>,
    back: &dyn Fn(&Var) -> String,
) -> String {
    let formula = pretty(terms, formula, session);
    let size = terms.size(formula);
    if size > FORMULA_LIMIT {
        return format!("{TOO_LARGE} ({size} nodes)");
    }
    let free = terms.free_vars(&[formula]);
    let free = free.iter().filter_map(|&var| terms.as_var(var));
    let order = terms.post_order(&[formula]);
    let functions = order.iter().filter_map(|&term| match terms.op(term) {
        Op::Apply(function) => Some(function.name.to_string()),
        _ => None,
    });
    let taken = free.map(back).chain(functions).collect();
    let bound = bound_names(terms, formula, &taken);
    let own = |var: &Var| match var.version {
        Version::Bound(number) => bound.get(&number).cloned(),
        _ => None,
    };
    let name = |var: &Var| own(var).unwrap_or_else(|| back(var));
    let text = Printer::new(terms, &name).print(formula);
    match text.chars().count() {
        length if length > FORMULA_LIMIT => {
            format!("{TOO_LARGE} ({length} characters)")
        }
        _ => text,
    }
}
