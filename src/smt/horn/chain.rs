//! Interpolants for a whole path by one query to Spacer, Z3's solver for Horn clauses.
//!
//! A path `T0, T1, .., Tn-1` becomes the clauses
//! `T0 => P1(x1)`, `P1(x1) && T1 => P2(x2)`, .., `Pn-1(xn-1) && Tn-1 => error`.
//! If `error` cannot be derived, the predicates found are an inductive sequence of interpolants.
//! (Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", 2014.)
//!
//! Spacer knows no free symbols, so rigid constants become additional arguments of the
//! predicates, and rigid functions become maps that are such arguments.
//! Quantified parts are abstracted from; see [`horn_chain`].

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use super::answer::solution;
use super::open::Opened;
use super::system::{self, Atom, Clause, Clauses};
use super::{ask, tuned};
use crate::answer::{Answer, Failure};
use crate::encode::Maps;
use crate::log;
use crate::raw::{self, Ast, Truth};
use crate::session::Session;
use crate::smtlib::horn_text;
use ult_core::formula::{Sort, Term, Terms, Version};

/// The answer to [`horn_chain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// One formula per inner cut, over the variables at that position and rigid symbols.
    Interpolants(Vec<Term>),
    /// The path can be followed.
    Feasible,
    /// No answer.
    GaveUp(Failure),
}

/// Interpolants for the path `steps`.
///
/// `steps[i]` is a formula over [`Version::At`] `i` and `i + 1`, [`Version::AuxAt`] `i` and rigid
/// symbols. `live[i]` lists the variables at position `i` that the predicate at the cut between
/// `steps[i - 1]` and `steps[i]` may speak about; what stands for the first position and after
/// the last one is ignored, and may be missing after the last one. It should hold all variables
/// that occur on both sides of the cut.
///
/// The answer is a claim: the caller has to check each sequence. Quantified sub-formulas and
/// quantified background facts are left out (replaced by unknown values), which keeps a sequence
/// valid; if the path looks feasible then, the answer is `GaveUp`. So it is if a variable that
/// occurs on both sides of a cut is not live there.
pub fn horn_chain(
    session: &Session<'_>,
    steps: &[Term],
    live: &[Vec<Term>],
    limit: Duration,
) -> HornAnswer {
    let start = Instant::now();
    let answer = chain(session, steps, live, limit).unwrap_or_else(HornAnswer::GaveUp);
    let word = match &answer {
        HornAnswer::Interpolants(_) => "sat".to_owned(),
        HornAnswer::Feasible => "unsat".to_owned(),
        HornAnswer::GaveUp(failure) => log::word(&Answer::Unknown(failure.clone())),
    };
    log::tell(session, start, &word, Some("spacer"), || {
        // As clauses: what is asked, without the tuning for paths.
        horn_text(session, &clauses(steps, live))
    });
    answer
}

/// The path as a set of clauses.
fn clauses(steps: &[Term], live: &[Vec<Term>]) -> Clauses {
    let cuts = steps.len().saturating_sub(1);
    let params: Vec<Vec<Term>> = (1..=cuts)
        .map(|cut| {
            let live = live.get(cut).into_iter().flatten().copied();
            live.collect::<indexmap::IndexSet<Term>>()
                .into_iter()
                .collect()
        })
        .collect();
    // At the cut after so many steps.
    let at = |cut: usize| {
        let predicate = cut.checked_sub(1)?;
        let args = params.get(predicate)?.clone();
        Some(Atom { predicate, args })
    };
    let clauses = steps.iter().enumerate().map(|(i, &condition)| Clause {
        body: at(i).into_iter().collect(),
        condition,
        head: at(i + 1),
    });
    Clauses {
        clauses: clauses.collect(),
        predicates: params
            .iter()
            .zip(1..)
            .map(|(params, cut)| system::Predicate {
                name: format!("cut {cut}").into(),
                params: params.clone(),
            })
            .collect(),
    }
}

fn chain(
    session: &Session<'_>,
    steps: &[Term],
    live: &[Vec<Term>],
    limit: Duration,
) -> Result<HornAnswer, Failure> {
    let terms = session.terms();
    if steps.is_empty() {
        return Ok(HornAnswer::Feasible);
    }
    if live.len() < steps.len() {
        return Err(Failure::Unsupported(
            "a path with fewer positions than steps".into(),
        ));
    }
    let mut open = Opened::new(session);
    let mut bodies: Vec<Term> = steps.iter().map(|&step| open.formula(step)).collect();
    let facts = open.relevant_axioms();
    for body in &mut bodies {
        *body = terms.and([*body, facts]);
    }
    let spans = spans(terms, &bodies, &open);
    let all_live = nothing_lost(terms, &bodies, live, &open);

    let context = session.context()?;
    let fixedpoint = tuned(
        context,
        session.allowance(Some(limit)),
        &[],
        false,
        session.control().seed(),
    )?;
    let bool_sort = session.encode_sort(Maps::Curried, &Sort::Bool)?;
    let mut predicates: Vec<Predicate> = Vec::new();
    for (cut, live) in live.iter().enumerate().take(steps.len()).skip(1) {
        let mut params: Vec<Term> = indexmap::IndexSet::<Term>::from_iter(live.iter().copied())
            .into_iter()
            .collect();
        params.extend(
            spans
                .iter()
                .filter(|(_, first, last)| *first < cut && cut <= *last)
                .map(|(symbol, _, _)| *symbol),
        );
        let sorts: Vec<raw::Sort> = params
            .iter()
            .map(|&t| session.encode_sort(Maps::Curried, terms.sort(t)))
            .collect::<Result<_, _>>()?;
        let args: Vec<Ast> = params
            .iter()
            .map(|&t| session.encode_with(Maps::Curried, t))
            .collect::<Result<_, _>>()?;
        let decl = context.declare(&format!("p|{cut}"), &sorts, &bool_sort)?;
        fixedpoint.register(&decl)?;
        predicates.push(Predicate {
            atom: context.apply(&decl, &args)?,
            decl,
            params,
        });
    }
    let error = context.declare("p|error", &[], &bool_sort)?;
    fixedpoint.register(&error)?;
    let error = context.apply(&error, &[])?;

    for (i, &body) in bodies.iter().enumerate() {
        let mut premises = Vec::new();
        let mut vars: BTreeSet<Term> = terms.free_vars(&[body]).into_iter().collect();
        if i > 0 {
            let before = &predicates[i - 1];
            premises.push(before.atom.clone());
            vars.extend(&before.params);
        }
        premises.push(session.encode_with(Maps::Curried, body)?);
        let head = match predicates.get(i) {
            Some(after) => {
                vars.extend(&after.params);
                &after.atom
            }
            None => &error,
        };
        let clause = context.implies(&context.and(&premises)?, head)?;
        let bound: Vec<Ast> = vars
            .into_iter()
            .map(|t| session.encode_with(Maps::Curried, t))
            .collect::<Result<_, _>>()?;
        let clause = if bound.is_empty() {
            clause
        } else {
            context.quantify(true, &bound, &[], &clause)?
        };
        fixedpoint.rule(&clause)?;
    }

    let answer = ask(session, &fixedpoint, &error, Some(limit))?;
    if answer == Truth::Sat {
        return if open.abstracted {
            Err(Failure::Unsupported("quantifiers in Horn clauses".into()))
        } else if !all_live {
            Err(Failure::Incomplete(
                "a variable that occurs on both sides of a cut is not live there".into(),
            ))
        } else {
            Ok(HornAnswer::Feasible)
        };
    }
    let solution = solution(&fixedpoint.answer()?)?;
    predicates
        .iter()
        .map(|predicate| {
            let definition = solution.get(&predicate.decl.id()).ok_or_else(|| {
                Failure::UnexpectedOutput("Spacer's answer lacks a predicate".into())
            })?;
            let formula = definition.read(session, &predicate.params)?;
            let formula = open.close(formula)?;
            only_live(terms, formula, &predicate.params)?;
            Ok(formula)
        })
        .collect::<Result<Vec<Term>, Failure>>()
        .map(HornAnswer::Interpolants)
}

/// A predicate to be found, at one cut.
struct Predicate {
    decl: raw::Decl,
    /// Applied to its parameters.
    atom: Ast,
    params: Vec<Term>,
}

/// For each variable that stands for a rigid symbol, the first and last step it occurs in. At the
/// cuts between them it is passed on.
fn spans(terms: &Terms, bodies: &[Term], open: &Opened<'_, '_>) -> Vec<(Term, usize, usize)> {
    let mut spans: Vec<(Term, usize, usize)> = open
        .symbols
        .values()
        .map(|&symbol| (symbol, usize::MAX, 0))
        .collect();
    for (i, &body) in bodies.iter().enumerate() {
        let used: BTreeSet<Term> = terms.free_vars(&[body]).into_iter().collect();
        for (symbol, first, last) in &mut spans {
            if used.contains(symbol) {
                *first = (*first).min(i);
                *last = i;
            }
        }
    }
    spans
}

/// Whether every variable is live at all cuts between the steps it occurs in.
fn nothing_lost(terms: &Terms, bodies: &[Term], live: &[Vec<Term>], open: &Opened<'_, '_>) -> bool {
    let mut last_seen: HashMap<Term, usize> = HashMap::new();
    for (i, &body) in bodies.iter().enumerate() {
        for var in terms.free_vars(&[body]) {
            if open.back.contains_key(&var) {
                continue;
            }
            if let Some(before) = last_seen.insert(var, i)
                && !(before + 1..=i).all(|cut| live[cut].contains(&var))
            {
                return false;
            }
        }
    }
    true
}

/// The formula speaks about its cut and rigid symbols only.
fn only_live(terms: &Terms, formula: Term, live: &[Term]) -> Result<(), Failure> {
    let foreign = terms.free_vars(&[formula]).into_iter().find(|t| {
        !live.contains(t)
            || terms
                .as_var(*t)
                .is_some_and(|v| !matches!(v.version, Version::At(_)))
    });
    match foreign {
        None => Ok(()),
        Some(t) => Err(Failure::UnexpectedOutput(format!(
            "an interpolant about `{}`",
            terms.display(t)
        ))),
    }
}
