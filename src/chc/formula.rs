//! Formulas with predicates, before they become clauses.

use std::collections::HashMap;
use std::ops::Range;
use ult_lang::diagnostic::{Id, Messages, Reported};

use super::names::{PredicateId, Value};
use super::unspecified::is_wrong_field;
use ult_core::formula::{BinderKind, Term, Terms};

/// A reference to a formula of one [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FormulaId(usize);

/// A predicate applied to arguments.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where it stands.
    pub place: Range<usize>,
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// One without predicates.
    Term(Term),
    /// A predicate applied to arguments.
    Atom(Atom),
    /// Negation.
    Not(FormulaId),
    /// Conjunction.
    And(Vec<FormulaId>),
    /// Disjunction.
    Or(Vec<FormulaId>),
    /// A case distinction by a condition without predicates.
    Ite(Term, FormulaId, FormulaId),
    /// A quantifier over auxiliaries.
    Quantified {
        /// Whether it is universal.
        universal: bool,
        /// The variables; no two quantifiers share any.
        variables: Vec<Term>,
        /// What it is about.
        body: FormulaId,
    },
}

/// Formulas, which may share parts.
#[derive(Default)]
pub(super) struct Formulas {
    nodes: Vec<(Formula, Range<usize>)>,
}

impl Formulas {
    /// Adds a formula.
    pub(crate) fn add(&mut self, formula: Formula, place: Range<usize>) -> FormulaId {
        self.nodes.push((formula, place));
        FormulaId(self.nodes.len() - 1)
    }

    /// The formula that a value of sort `Bool` stands for.
    pub(crate) fn of(&mut self, value: Value, place: Range<usize>) -> FormulaId {
        match value {
            Value::Formula(id) => id,
            Value::Term(term) => self.add(Formula::Term(term), place),
        }
    }

    /// A formula.
    pub(crate) fn get(&self, id: FormulaId) -> &Formula {
        &self.nodes[id.0].0
    }

    /// Where a formula stands.
    pub(crate) fn place(&self, id: FormulaId) -> Range<usize> {
        self.nodes[id.0].1.clone()
    }

    /// The formula as a term, with its quantifiers.
    ///
    /// # Errors
    /// If it mentions a predicate.
    pub(crate) fn term(
        &self,
        terms: &Terms,
        root: FormulaId,
        messages: &mut Messages,
    ) -> Result<Term, Reported> {
        let mut done: HashMap<FormulaId, Term> = HashMap::new();
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let parts: Vec<FormulaId> = match self.get(id) {
                Formula::Term(_) => Vec::new(),
                Formula::Atom(atom) => {
                    return Err(messages.error_with_help(
                        Id::NOT_HORN,
                        "a predicate where a clause can have none",
                        atom.place.clone(),
                        "this would not be a Horn clause",
                        Some("predicates stand in the premises or as the conclusion, not under other operators or inner quantifiers"),
                    ));
                }
                Formula::Not(part) => vec![*part],
                Formula::And(parts) | Formula::Or(parts) => parts.clone(),
                Formula::Ite(_, a, b) => vec![*a, *b],
                Formula::Quantified { body, .. } => vec![*body],
            };
            let missing: Vec<FormulaId> = parts
                .iter()
                .copied()
                .filter(|part| !done.contains_key(part))
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            stack.pop();
            let part = |id: &FormulaId| done[id];
            let term = match self.get(id) {
                Formula::Term(term) => *term,
                // Left above.
                Formula::Atom(_) => terms.tt(),
                Formula::Not(inner) => terms.not(part(inner)),
                Formula::And(parts) => terms.and(parts.iter().map(part)),
                Formula::Or(parts) => terms.or(parts.iter().map(part)),
                Formula::Ite(condition, a, b) => terms.ite(*condition, part(a), part(b)),
                Formula::Quantified { body, .. } if has_wrong_field(terms, part(body)) => {
                    return Err(messages.error(
                        Id::HORN_NOT_SUPPORTED,
                        "a selector under an inner quantifier is not supported",
                        self.place(id),
                        "the value may be made by another constructor",
                    ));
                }
                Formula::Quantified {
                    universal,
                    variables,
                    body,
                } => quantified(terms, *universal, variables, part(body)),
            };
            done.insert(id, term);
        }
        Ok(done[&root])
    }
}

/// Whether a formula has a variable for what a selector gives that does not fit: it would have one value for all values of the
/// quantified variables.
fn has_wrong_field(terms: &Terms, formula: Term) -> bool {
    let free = terms.free_vars(&[formula]);
    free.into_iter().any(|term| is_wrong_field(terms, term))
}

/// A quantifier over the auxiliaries that occur.
fn quantified(terms: &Terms, universal: bool, variables: &[Term], body: Term) -> Term {
    let free = terms.free_vars(&[body]);
    let mut bound = Vec::new();
    let mut map = HashMap::new();
    for &variable in variables {
        if free.contains(&variable)
            && let Some(var) = terms.as_var(variable)
        {
            let new = terms.fresh_bound(var.name.clone(), terms.sort(variable).clone());
            bound.push(new);
            map.insert(variable, new);
        }
    }
    let kind = match universal {
        true => BinderKind::Forall,
        false => BinderKind::Exists,
    };
    terms.bind(kind, &bound, terms.substitute(body, &map), &[])
}
