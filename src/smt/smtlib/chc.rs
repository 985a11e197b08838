//! Horn clauses as SMT-LIB text, in the format of CHC-COMP: `(set-logic HORN)`, one declaration
//! for each predicate, one universally quantified implication for each clause, predicates applied
//! to variables only, those of a head all different, and one query.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use crate::horn::{Atom, Clause, Clauses};
use crate::{Failure, Session};
use ult_core::formula::{Term, Terms};
use ult_smtlib::print::{expression, sort_names, sort_text, symbol, uninterpreted, variable};

/// The name of the predicate from which falsity follows, if several clauses lead there.
const QUERY: &str = "query";

/// The clauses as text. It is satisfiable exactly if falsity does not follow from them in some
/// model of the session's background facts.
///
/// [`Failure::Unsupported`] if there is something that Horn solvers do not have in common:
/// quantifiers inside of clauses, and floating-point numbers (with the logic `HORN`, Z3 drops assertions about them
/// in silence and calls what is left satisfiable).
pub fn horn_text(session: &Session<'_>, clauses: &Clauses) -> Result<String, Failure> {
    let terms = session.terms();
    let clauses = clauses.without_symbols(session)?;
    let mut out = String::from("(set-logic HORN)\n");
    declare_sorts(terms, &clauses, &mut out)?;
    let mut taken: HashSet<String> = HashSet::from([symbol("p", QUERY)]);
    let mut names = Vec::with_capacity(clauses.predicates.len());
    for predicate in &clauses.predicates {
        let plain = predicate.name.replace(' ', ".");
        let mut name = symbol("p", &plain);
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = symbol("p", &format!("{plain}.{number}"));
            number += 1;
        }
        let sorts: Vec<String> = predicate
            .params
            .iter()
            .map(|&param| sort_text(terms.sort(param)))
            .collect::<Result<_, _>>()?;
        let _ = writeln!(out, "(declare-fun {name} ({}) Bool)", sorts.join(" "));
        names.push(name);
    }
    let queries = clauses.clauses.iter().filter(|c| c.head.is_none()).count();
    let query = (queries != 1).then(|| symbol("p", QUERY));
    if let Some(query) = &query {
        let _ = writeln!(out, "(declare-fun {query} () Bool)");
    }
    for clause in &clauses.clauses {
        session.control().check()?;
        let mut conditions = vec![clause.condition];
        let mut vars: BTreeSet<Term> = BTreeSet::new();
        let mut atom = |atom: &Atom, distinct: bool| -> Result<String, Failure> {
            let mut used: HashSet<Term> = HashSet::new();
            let mut text = names[atom.predicate].clone();
            for &arg in &atom.args {
                let fits = terms.as_var(arg).is_some() && (used.insert(arg) || !distinct);
                let var = if fits {
                    arg
                } else {
                    let var = terms.fresh_aux("arg", terms.sort(arg).clone());
                    conditions.push(terms.eq(var, arg));
                    var
                };
                vars.insert(var);
                let name = variable(terms, var)
                    .ok_or_else(|| Failure::Unsupported("an ill-formed Horn clause".into()))?;
                let _ = write!(text, " {name}");
            }
            Ok(match atom.args[..] {
                [] => text,
                _ => format!("({text})"),
            })
        };
        let mut premises: Vec<String> = clause
            .body
            .iter()
            .map(|a| atom(a, false))
            .collect::<Result<_, _>>()?;
        let head = match (&clause.head, &query) {
            (Some(head), _) => atom(head, true)?,
            (None, Some(query)) => query.clone(),
            (None, None) => "false".to_owned(),
        };
        let condition = terms.and(conditions);
        vars.extend(terms.free_vars(&[condition]));
        if condition != terms.tt() {
            premises.push(expression(terms, condition)?);
        }
        let body = match &premises[..] {
            [] => "true".to_owned(),
            [only] => only.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        let bound: Vec<String> = vars
            .into_iter()
            .map(|var| {
                let name = variable(terms, var).unwrap_or_default();
                Ok(format!("({name} {})", sort_text(terms.sort(var))?))
            })
            .collect::<Result<_, Failure>>()?;
        let _ = match &bound[..] {
            [] => writeln!(out, "(assert (=> {body} {head}))"),
            bound => writeln!(
                out,
                "(assert (forall ({}) (=> {body} {head})))",
                bound.join(" ")
            ),
        };
    }
    if let Some(query) = query {
        let _ = writeln!(out, "(assert (=> {query} false))");
    }
    out.push_str("(check-sat)\n");
    Ok(out)
}

fn declare_sorts(terms: &Terms, clauses: &Clauses, out: &mut String) -> Result<(), Failure> {
    let mut roots: Vec<Term> = clauses.clauses.iter().flat_map(Clause::terms).collect();
    roots.extend(clauses.predicates.iter().flat_map(|p| &p.params));
    let mut sorts = BTreeMap::new();
    for term in terms.post_order(&roots) {
        let sort = terms.sort(term);
        if sort.has_floats() {
            return Err(Failure::Unsupported(
                "floating-point numbers in Horn clauses".into(),
            ));
        }
        sort_names(sort, &mut sorts);
    }
    for (name, sort) in &sorts {
        uninterpreted(sort)?;
        let _ = writeln!(out, "(declare-sort {name} 0)");
    }
    Ok(())
}
