//! What Spacer found: definitions of the predicates.

use std::collections::HashMap;

use z3_sys::DeclKind;

use crate::answer::Failure;
use crate::decode::Decoder;
use crate::encode::Maps;
use crate::raw::{Ast, Shape};
use crate::session::Session;
use ult_core::formula::{Term, Terms};

/// What Spacer found for one predicate: a body over its arguments.
pub(super) struct Definition {
    body: Option<Ast>,
    /// Without a body: the truth value.
    truth: bool,
    /// For each parameter, the de Bruijn index of the argument.
    indices: Vec<u32>,
    bound: usize,
}

impl Definition {
    pub(super) fn read(&self, session: &Session<'_>, params: &[Term]) -> Result<Term, Failure> {
        let Some(body) = &self.body else {
            return Ok(session.terms().bool(self.truth));
        };
        let wrong = || Failure::UnexpectedOutput("an odd definition of a predicate".into());
        if self.indices.len() != params.len() {
            return Err(wrong());
        }
        let mut bound: Vec<Option<Term>> = vec![None; self.bound];
        for (&index, &param) in self.indices.iter().zip(params) {
            let place = bound.get_mut(index as usize).ok_or_else(wrong)?;
            if place.replace(param).is_some() {
                return Err(wrong());
            }
        }
        let bound: Vec<Term> = bound.into_iter().collect::<Option<_>>().ok_or_else(wrong)?;
        Decoder::new(session, Maps::Curried, &bound).decode(body)
    }
}

/// Spacer's answer, a conjunction of `forall args. P(args) = body`, by the predicates.
pub(super) fn solution(answer: &Ast) -> Result<HashMap<u32, Definition>, Failure> {
    let mut found = HashMap::new();
    let mut rest = vec![answer.clone()];
    while let Some(conjunct) = rest.pop() {
        let (bound, inner) = match conjunct.shape() {
            Shape::Forall => {
                let (sorts, body) = conjunct.binder()?;
                (sorts.len(), body)
            }
            Shape::App => (0, conjunct),
            _ => return Err(odd(&conjunct)),
        };
        let kind = inner.decl()?.kind();
        let args = inner.args()?;
        let is = |k: DeclKind| kind == k as u32;
        if is(DeclKind::True) {
            continue;
        }
        if is(DeclKind::And) && bound == 0 {
            rest.extend(args);
            continue;
        }
        let (atom, body, truth) = if is(DeclKind::Eq) || is(DeclKind::Iff) {
            match &args[..] {
                [left, right] if is_predicate(left) => (left.clone(), Some(right.clone()), true),
                [left, right] if is_predicate(right) => (right.clone(), Some(left.clone()), true),
                _ => return Err(odd(&inner)),
            }
        } else if is(DeclKind::Not) {
            match &args[..] {
                [atom] if is_predicate(atom) => (atom.clone(), None, false),
                _ => return Err(odd(&inner)),
            }
        } else if is_predicate(&inner) {
            (inner.clone(), None, true)
        } else {
            return Err(odd(&inner));
        };
        let indices: Vec<u32> = atom
            .args()?
            .iter()
            .map(|arg| match arg.shape() {
                Shape::Bound(index) => Ok(index),
                _ => Err(odd(&atom)),
            })
            .collect::<Result<_, _>>()?;
        let definition = Definition {
            body,
            truth,
            indices,
            bound,
        };
        if found.insert(atom.decl()?.id(), definition).is_some() {
            return Err(odd(&atom));
        }
    }
    Ok(found)
}

fn is_predicate(ast: &Ast) -> bool {
    ast.decl().is_ok_and(|decl| {
        decl.kind() == DeclKind::Uninterpreted as u32 && decl.name().starts_with("p|")
    })
}

fn odd(ast: &Ast) -> Failure {
    let text: String = ast.to_string().chars().take(200).collect();
    Failure::UnexpectedOutput(format!("a conjunct of Spacer's answer: {text}"))
}

/// The formula speaks about the parameters only.
pub(super) fn only_about(terms: &Terms, formula: Term, params: &[Term]) -> Result<(), Failure> {
    let foreign = terms
        .free_vars(&[formula])
        .into_iter()
        .find(|t| !params.contains(t));
    match foreign {
        None => Ok(()),
        Some(t) => Err(Failure::UnexpectedOutput(format!(
            "a predicate about `{}`",
            terms.display(t)
        ))),
    }
}
