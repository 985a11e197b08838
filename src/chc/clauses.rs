//! Formulas to clauses.

use std::collections::HashMap;
use std::ops::Range;
use ult_lang::diagnostic::{Id, Messages, Reported};

use super::formula::{Atom, Formula, FormulaId, Formulas};
use ult_core::formula::{Term, Terms, Version};

/// So many clauses may come from one formula.
const MOST_CLAUSES: usize = 10_000;

/// `body and constraint => head`, for all values of the auxiliaries. Without a head: the premises
/// must not hold.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The predicates among the premises.
    pub body: Vec<Atom>,
    /// The other premises.
    pub constraint: Vec<Term>,
    /// The conclusion.
    pub head: Option<Atom>,
    /// The formula that it comes from.
    pub place: Range<usize>,
}

/// A clause in the making: the disjunction of what is left to look at and of what was found.
#[derive(Clone)]
struct Open {
    /// What is left, each with whether it is meant or its negation.
    todo: Vec<(FormulaId, bool)>,
    body: Vec<Atom>,
    constraint: Vec<Term>,
    head: Option<Atom>,
}

/// The clauses that a formula is the conjunction of. No two clauses share auxiliaries.
///
/// # Errors
/// If it is no conjunction of Horn clauses; there are messages then.
pub(super) fn clauses(
    terms: &Terms,
    formulas: &Formulas,
    root: FormulaId,
    messages: &mut Messages,
) -> Result<Vec<Clause>, Reported> {
    let place = formulas.place(root);
    let mut found: Vec<Clause> = Vec::new();
    let mut open = vec![Open {
        todo: vec![(root, true)],
        body: Vec::new(),
        constraint: Vec::new(),
        head: None,
    }];
    let mut failed = None;
    while let Some(mut clause) = open.pop() {
        if found.len() + open.len() > MOST_CLAUSES {
            let message = format!("this formula stands for more than {MOST_CLAUSES} clauses");
            return Err(messages.error(Id::HORN_LIMIT, message, place, "too many"));
        }
        let Some((id, positive)) = clause.todo.pop() else {
            let mut clause = Clause {
                body: clause.body,
                constraint: clause.constraint,
                head: clause.head,
                place: place.clone(),
            };
            if !found.is_empty() {
                clause.rename(terms);
            }
            found.push(clause);
            continue;
        };
        match (formulas.get(id), positive) {
            (Formula::Term(term), true) => clause.constraint.push(terms.not(*term)),
            (Formula::Term(term), false) => clause.constraint.push(*term),
            (Formula::Atom(atom), false) => clause.body.push(atom.clone()),
            (Formula::Atom(atom), true) => {
                if let Some(other) = &clause.head {
                    failed = Some(messages.error_with_help(
                        Id::NOT_HORN,
                        "two conclusions in one clause",
                        atom.place.clone(),
                        "one conclusion",
                        Some("a Horn clause has one predicate, or `false`, as its conclusion"),
                    ));
                    messages.also(other.place.clone(), "and another one");
                    continue;
                }
                clause.head = Some(atom.clone());
            }
            (Formula::Not(inner), _) => clause.todo.push((*inner, !positive)),
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                // The first one is looked at first.
                clause
                    .todo
                    .extend(parts.iter().rev().map(|&part| (part, positive)));
            }
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                for &part in parts.iter().rev() {
                    let mut one = clause.clone();
                    one.todo.push((part, positive));
                    open.push(one);
                }
                continue;
            }
            (Formula::Ite(condition, a, b), _) => {
                for (condition, part) in [(terms.not(*condition), *b), (*condition, *a)] {
                    let mut one = clause.clone();
                    one.constraint.push(condition);
                    one.todo.push((part, positive));
                    open.push(one);
                }
                continue;
            }
            (
                Formula::Quantified {
                    universal, body, ..
                },
                _,
            ) => {
                if *universal == positive {
                    clause.todo.push((*body, positive));
                } else {
                    match formulas.term(terms, id, messages) {
                        Ok(term) if positive => clause.constraint.push(terms.not(term)),
                        Ok(term) => clause.constraint.push(term),
                        Err(reported) => {
                            failed = Some(reported);
                            continue;
                        }
                    }
                }
            }
        }
        open.push(clause);
    }
    failed.map_or(Ok(found), Err)
}

impl Clause {
    /// All terms of the clause.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.body
            .iter()
            .chain(&self.head)
            .flat_map(|atom| &atom.args)
            .chain(&self.constraint)
            .copied()
    }

    /// Replaces variables everywhere.
    pub(crate) fn substitute(&mut self, terms: &Terms, map: &HashMap<Term, Term>) {
        for atom in self.body.iter_mut().chain(&mut self.head) {
            for arg in &mut atom.args {
                *arg = terms.substitute(*arg, map);
            }
        }
        for constraint in &mut self.constraint {
            *constraint = terms.substitute(*constraint, map);
        }
    }

    /// Gives the clause auxiliaries that no other clause has.
    pub(crate) fn rename(&mut self, terms: &Terms) {
        let all: Vec<Term> = self.terms().collect();
        let mut map = HashMap::new();
        for term in terms.free_vars(&all) {
            if let Some(var) = terms.as_var(term)
                && matches!(var.version, Version::Aux(_))
            {
                let fresh = terms.fresh_aux(var.name.clone(), terms.sort(term).clone());
                map.insert(term, fresh);
            }
        }
        self.substitute(terms, &map);
    }
}
