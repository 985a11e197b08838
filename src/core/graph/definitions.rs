//! New values that a transition formula spells out.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

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
        let mut determined = Determined {
            terms,
            known: FxHashMap::default(),
        };
        for conjunct in terms.conjuncts(self.formula) {
            // Of a variable that the step keeps it would be a condition.
            let found = definition(&mut determined, conjunct)
                .filter(|found| self.changed.contains(&found.variable));
            match found {
                Some(found) if defined.insert(found.variable.clone()) => definitions.push(found),
                _ => rest.push(conjunct),
            }
        }
        (definitions, rest)
    }
}

/// A conjunct `x' == e`, `e == x'`, `b'` or `!b'` as a definition.
fn definition(determined: &mut Determined<'_>, conjunct: Term) -> Option<Definition> {
    let terms = determined.terms;
    let sides = match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::Var(_), _) => vec![(conjunct, terms.tt())],
        (Op::Not, [inner]) => vec![(*inner, terms.ff())],
        (Op::Eq, [left, right]) => vec![(*left, *right), (*right, *left)],
        _ => return None,
    };
    sides.into_iter().find_map(|(variable, value)| {
        let variable = terms.as_var(variable)?;
        let is_next = variable.version == Version::Next;
        (is_next && determined.is(value)).then(|| Definition {
            variable: variable.name.clone(),
            value,
            conjunct,
        })
    })
}

/// For which terms the evaluator has a rule for everything in them, and they mention no value after the step.
///
/// Definitions of one step share most of what they are made of (the latches of a circuit its gates), so what was found of a
/// part is kept.
struct Determined<'t> {
    terms: &'t Terms,
    known: FxHashMap<Term, bool>,
}

impl Determined<'_> {
    fn is(&mut self, term: Term) -> bool {
        let mut stack = vec![(term, false)];
        while let Some((part, are_arguments_known)) = stack.pop() {
            if self.known.contains_key(&part) {
                continue;
            }
            let arguments = self.terms.args(part);
            if are_arguments_known {
                let is_determined =
                    self.has_rule(part) && arguments.iter().all(|argument| self.known[argument]);
                self.known.insert(part, is_determined);
            } else {
                stack.push((part, true));
                stack.extend(arguments.iter().map(|&argument| (argument, false)));
            }
        }
        self.known[&term]
    }

    /// Whether that is so of a term, if it is of its arguments.
    fn has_rule(&self, term: Term) -> bool {
        let is_map = |term: &Term| matches!(self.terms.sort(*term), Sort::Map(_));
        match self.terms.op(term) {
            Op::Bind(_) => false,
            Op::Apply(_) => !self.terms.args(term).iter().any(is_map),
            Op::Var(var) => matches!(var.version, Version::Current | Version::Aux(_)),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_a_new_value_is_no_definition_however_deep_and_whoever_shares_it() {
        let terms = Terms::new();
        let int = |name: &str, version| terms.var(name, version, Sort::Int);
        let [a, b, c, d] = ["a", "b", "c", "d"];
        let old = terms.add(&[int(a, Version::Current), terms.int(1)]);
        let new = terms.add(&[int(b, Version::Next), terms.int(1)]);
        let is = |name: &str, value| terms.eq(int(name, Version::Next), value);
        let conjuncts = [
            is(a, old),
            is(c, terms.mul(&[new, old])),
            is(d, terms.add(&[new, old])),
            is(b, terms.mul(&[old, old])),
        ];
        let transition = Transition {
            changed: [a, b, c, d].map(Arc::from).into_iter().collect(),
            formula: terms.and(conjuncts),
        };
        let (definitions, rest) = transition.definitions(&terms);
        let defined: Vec<&str> = definitions.iter().map(|d| &*d.variable).collect();
        assert_eq!(defined, [a, b]);
        assert_eq!(rest, conjuncts[1..3]);
    }
}
