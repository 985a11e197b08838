//! The commands of a file.

use std::ops::Range;
use ult_lang::diagnostic::{Id, Reported};

use super::clauses::{Clause, clauses};
use super::datatypes;
use super::elaborate::Elaborator;
use super::names::{Global, Predicate, SortName};
use super::tree::Tree;
use ult_core::formula::Sort;
use ult_smtlib::sexpr::Expr;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// The clauses in the order of the text.
    pub clauses: Vec<Clause>,
    /// A question was asked; what follows would belong to another one.
    asked: Option<Expr>,
}

impl Script {
    /// Reads the commands one after the other. What is wrong is said in the elaborator's messages.
    /// Of commands in which something could not be read only the names count.
    pub(crate) fn read<'a>(
        e: &mut Elaborator<'a>,
        commands: &[Expr],
        unreadable: &[Range<usize>],
    ) -> Script {
        let mut script = Script::default();
        for &command in commands {
            let place = e.text.place(command);
            let inside =
                |wrong: &Range<usize>| place.start <= wrong.start && wrong.end <= place.end;
            if unreadable.iter().any(inside) {
                if let Some(name) = e.text.exprs.symbol(e.text.part(command, 0)) {
                    declare_broken(e, name, command);
                }
                continue;
            }
            // There is a message about what is wrong; the other commands are read nevertheless.
            let _: Result<(), Reported> = script.command(e, command);
        }
        script
    }

    fn command<'a>(&mut self, e: &mut Elaborator<'a>, at: Expr) -> Result<(), Reported> {
        let exprs = e.text.exprs;
        let Some((&head, args)) = exprs.list(at).and_then(|parts| parts.split_first()) else {
            return Err(e.text.unexpected(at, "a command", &mut e.messages));
        };
        let Some(name) = exprs.symbol(head) else {
            return Err(e
                .text
                .unexpected(head, "the name of a command", &mut e.messages));
        };
        if self.asked.is_some() && matches!(name, "assert" | "rule") {
            let place = e.text.place(at);
            return Err(e.messages.error(
                Id::HORN_NOT_SUPPORTED,
                "a file may ask one question only",
                place,
                "this comes after `(check-sat)`",
            ));
        }
        match (name, args) {
            ("set-logic", &[logic]) => self.logic(e, logic),
            ("set-info" | "set-option" | "get-info" | "get-option" | "echo" | "exit", _) => Ok(()),
            ("get-model" | "get-proof" | "get-unsat-core" | "get-assertions", _) => Ok(()),
            ("check-sat", []) => {
                self.asked.get_or_insert(at);
                Ok(())
            }
            ("declare-fun", &[name, params, result]) => declare(e, name, params, Some(result)),
            ("declare-rel", &[name, params]) => declare(e, name, params, None),
            ("declare-var", &[name, sort]) => variable(e, name, sort),
            ("define-fun", &[name, params, result, body]) => {
                define(e, name, Some(params), result, body)
            }
            ("define-const", &[name, result, body]) => define(e, name, None, result, body),
            ("define-sort", &[name, params, body]) => define_sort(e, name, params, body),
            ("declare-datatypes", &[names, bodies]) => datatypes::declare_all(e, names, bodies),
            ("declare-datatype", &[name, body]) => datatypes::declare(e, name, body),
            ("assert", &[formula]) => {
                let tree = e.text.term(formula, &mut e.messages)?;
                self.assert(e, tree, at)
            }
            // The dialect of Z3's fixed points.
            ("rule", &[formula] | &[formula, _]) => {
                let tree = e.text.term(formula, &mut e.messages)?;
                self.assert(e, tree, at)
            }
            ("query", [formula, ..]) => {
                let tree = e.text.term(*formula, &mut e.messages)?;
                self.query(e, tree, at)
            }
            _ => Err(unsupported(e, name, head, at)),
        }
    }

    fn logic(&mut self, e: &mut Elaborator<'_>, logic: Expr) -> Result<(), Reported> {
        match e.text.exprs.symbol(logic) {
            Some("HORN" | "ALL") => Ok(()),
            _ => {
                let place = e.text.place(logic);
                Err(e.messages.error_with_help(
                    Id::HORN_NOT_SUPPORTED,
                    "the logic is not HORN",
                    place,
                    "another logic",
                    Some("only Horn clauses can be checked: `(set-logic HORN)`"),
                ))
            }
        }
    }

    fn assert<'a>(
        &mut self,
        e: &mut Elaborator<'a>,
        tree: Tree<'a>,
        at: Expr,
    ) -> Result<(), Reported> {
        let value = e.value(tree)?;
        let id = e.formula(value, tree.at)?;
        let mut found = clauses(e.terms, &e.formulas, id, &mut e.messages)?;
        let place = e.text.place(at);
        for clause in &mut found {
            clause.place = place.clone();
            // Variables of `declare-var` are shared by all rules.
            clause.rename(e.terms);
        }
        self.clauses.extend(found);
        Ok(())
    }

    /// `(query P)`: whether P holds anywhere.
    fn query<'a>(
        &mut self,
        e: &mut Elaborator<'a>,
        tree: Tree<'a>,
        at: Expr,
    ) -> Result<(), Reported> {
        let exprs = e.text.exprs;
        let place = e.text.place(at);
        let mut clause = match exprs.symbol(tree.at).and_then(|name| e.names.global(name)) {
            Some(&Global::Predicate(predicate)) => {
                let params = e.names.predicates[predicate].params.clone();
                Clause {
                    body: vec![super::formula::Atom {
                        predicate,
                        args: params
                            .into_iter()
                            .map(|sort| e.terms.fresh_aux("v", sort))
                            .collect(),
                        place: e.text.place(tree.at),
                    }],
                    constraint: Vec::new(),
                    head: None,
                    place,
                }
            }
            _ => {
                let value = e.value(tree)?;
                let id = e.formula(value, tree.at)?;
                let place = e.text.place(tree.at);
                let not = e.formulas.add(super::formula::Formula::Not(id), place);
                let found = clauses(e.terms, &e.formulas, not, &mut e.messages)?;
                self.clauses.extend(found.into_iter().map(|mut clause| {
                    clause.place = e.text.place(at);
                    clause.rename(e.terms);
                    clause
                }));
                return Ok(());
            }
        };
        clause.rename(e.terms);
        self.clauses.push(clause);
        Ok(())
    }
}

/// Declares a predicate.
fn declare(
    e: &mut Elaborator<'_>,
    name: Expr,
    params: Expr,
    result: Option<Expr>,
) -> Result<(), Reported> {
    let symbol = e.text.name(name, &mut e.messages)?;
    let place = e.text.place(name);
    let declared = predicate(e, symbol, name, params, result);
    let meaning = match &declared {
        Ok(predicate) => {
            e.names.predicates.push(predicate.clone());
            Global::Predicate(e.names.predicates.len() - 1)
        }
        Err(_) => Global::Broken,
    };
    e.names.declare(symbol, meaning, place, &mut e.messages);
    declared.map(|_| ())
}

fn predicate(
    e: &mut Elaborator<'_>,
    symbol: &str,
    name: Expr,
    params: Expr,
    result: Option<Expr>,
) -> Result<Predicate, Reported> {
    let Some(list) = e.text.exprs.list(params) else {
        return Err(e
            .text
            .unexpected(params, "a list of sorts", &mut e.messages));
    };
    let mut sorts = Vec::with_capacity(list.len());
    for &param in list {
        sorts.push(sort(e, param)?);
    }
    if let Some(result) = result
        && sort(e, result)? != Sort::Bool
    {
        return Err(e.not_supported("a function that is no predicate", result));
    }
    Ok(Predicate {
        name: symbol.to_owned(),
        params: sorts,
        place: e.text.place(name),
    })
}

fn sort(e: &mut Elaborator<'_>, at: Expr) -> Result<Sort, Reported> {
    let sort = e.text.sort(at, &mut e.messages)?;
    e.sort(&sort, at)
}

fn variable(e: &mut Elaborator<'_>, name: Expr, at: Expr) -> Result<(), Reported> {
    let symbol = e.text.name(name, &mut e.messages)?;
    let place = e.text.place(name);
    let sort = sort(e, at);
    let meaning = match &sort {
        Ok(sort) => Global::Variable(e.terms.fresh_aux(symbol, sort.clone())),
        Err(_) => Global::Broken,
    };
    e.names.declare(symbol, meaning, place, &mut e.messages);
    sort.map(|_| ())
}

fn define(
    e: &mut Elaborator<'_>,
    name: Expr,
    params: Option<Expr>,
    result: Expr,
    body: Expr,
) -> Result<(), Reported> {
    let symbol = e.text.name(name, &mut e.messages)?;
    let place = e.text.place(name);
    let definition = definition(e, params, result, body);
    let meaning = match definition {
        Ok(ref definition) => Global::Macro(definition.clone()),
        Err(_) => Global::Broken,
    };
    e.names.declare(symbol, meaning, place, &mut e.messages);
    definition.map(|_| ())
}

fn definition<'a>(
    e: &mut Elaborator<'a>,
    params: Option<Expr>,
    result: Expr,
    body: Expr,
) -> Result<std::rc::Rc<super::names::Macro<'a>>, Reported> {
    let variables = match params {
        Some(params) => e.text.variables(params, &mut e.messages)?,
        None => Vec::new(),
    };
    let mut sorted = Vec::with_capacity(variables.len());
    for (name, sort, at) in variables {
        sorted.push((name, e.sort(&sort, e.text.part(at, 1))?));
    }
    let result = sort(e, result)?;
    let body = e.text.term(body, &mut e.messages)?;
    e.define(sorted, result, body).map(std::rc::Rc::new)
}

fn define_sort(
    e: &mut Elaborator<'_>,
    name: Expr,
    params: Expr,
    body: Expr,
) -> Result<(), Reported> {
    let symbol = e.text.name(name, &mut e.messages)?;
    let place = e.text.place(name);
    let list = e.text.exprs.list(params).unwrap_or_default();
    let names: Option<Vec<String>> = list
        .iter()
        .map(|&param| e.text.exprs.symbol(param).map(str::to_owned))
        .collect();
    let body = e.text.sort(body, &mut e.messages);
    let meaning = match (names, &body) {
        (Some(names), Ok(body)) => SortName::Synonym(std::rc::Rc::new((names, *body))),
        _ => SortName::Broken,
    };
    e.names
        .declare_sort(symbol, meaning, place, &mut e.messages);
    body.map(|_| ())
}

/// Says why a command is not done, and sees to it that what it would have declared is not reported
/// again and again.
fn unsupported(e: &mut Elaborator<'_>, name: &str, head: Expr, at: Expr) -> Reported {
    match declare_broken(e, name, at) {
        true => e.not_supported(&format!("`{name}` in this form"), head),
        false => {
            let place = e.text.place(head);
            let message = format!("there is no command `{name}`");
            e.messages
                .error(Id::HORN_NOT_SUPPORTED, message, place, "not a command")
        }
    }
}

/// Declares what a command would have declared, without a meaning. Tells whether there is such a
/// command.
fn declare_broken(e: &mut Elaborator<'_>, name: &str, at: Expr) -> bool {
    let exprs = e.text.exprs;
    let declared = e.text.part(at, 1);
    let place = e.text.place(declared);
    match name {
        "declare-const" | "declare-fun" | "define-fun" | "define-fun-rec" | "declare-rel"
        | "declare-var" | "define-const" => {
            if let Some(symbol) = exprs.symbol(declared) {
                e.names
                    .declare(symbol, Global::Broken, place, &mut e.messages);
            }
            true
        }
        "declare-sort" | "declare-datatype" | "define-sort" => {
            if let Some(symbol) = exprs.symbol(declared) {
                e.names
                    .declare_sort(symbol, SortName::Broken, place, &mut e.messages);
            }
            true
        }
        "declare-datatypes" => {
            for &one in exprs.list(declared).unwrap_or_default() {
                if let Some(symbol) = exprs.list(one).and_then(|l| exprs.symbol(*l.first()?)) {
                    let place = e.text.place(one);
                    e.names
                        .declare_sort(symbol, SortName::Broken, place, &mut e.messages);
                }
            }
            true
        }
        "push" | "pop" | "reset" | "reset-assertions" | "define-funs-rec"
        | "check-sat-assuming" | "get-value" | "assert-soft" | "minimize" | "maximize" => true,
        _ => false,
    }
}
