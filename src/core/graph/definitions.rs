//! New values that a transition formula spells out.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Transition;
use crate::formula::{Op, Sort, Term, Terms, Version};

/// `x' == value`, where the value is determined by the state before the step, auxiliaries and
/// rigid symbols, and can be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The variable.
    pub variable: Arc<str>,
    /// Its value after the step.
    pub value: Term,
    /// The conjunct of the formula that says so.
    pub conjunct: Term,
}

impl Transition {
    /// The formula as definitions, one for each variable at most, and all other conjuncts. Their
    /// conjunction is the formula.
    pub fn definitions(&self, terms: &Terms) -> (Vec<Definition>, Vec<Term>) {
        let mut defined = BTreeSet::new();
        let mut definitions = Vec::new();
        let mut rest = Vec::new();
        for conjunct in terms.conjuncts(self.formula) {
            match definition(terms, conjunct) {
                Some(found) if defined.insert(found.variable.clone()) => definitions.push(found),
                _ => rest.push(conjunct),
            }
        }
        (definitions, rest)
    }
}

/// A conjunct `x' == e`, `e == x'`, `b'` or `!b'` as a definition.
fn definition(terms: &Terms, conjunct: Term) -> Option<Definition> {
    let sides = match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::Var(_), _) => vec![(conjunct, terms.tt())],
        (Op::Not, [inner]) => vec![(*inner, terms.ff())],
        (Op::Eq, [left, right]) => vec![(*left, *right), (*right, *left)],
        _ => return None,
    };
    sides.into_iter().find_map(|(variable, value)| {
        let variable = terms.as_var(variable)?;
        let is_next = variable.version == Version::Next;
        (is_next && is_determined(terms, value)).then(|| Definition {
            variable: variable.name.clone(),
            value,
            conjunct,
        })
    })
}

/// Whether the evaluator has a rule for everything in a term, and it mentions no value after the
/// step.
fn is_determined(terms: &Terms, term: Term) -> bool {
    let is_map = |term: &Term| matches!(terms.sort(*term), Sort::Map(_));
    let parts = terms.post_order(&[term]);
    parts.into_iter().all(|part| match terms.op(part) {
        Op::Bind(_) => false,
        Op::Apply(_) => !terms.args(part).iter().any(is_map),
        Op::Var(var) => matches!(var.version, Version::Current | Version::Aux(_)),
        _ => true,
    })
}
