//! Datatypes: their declarations, constructors, selectors and testers.

use smtlib_lowlevel::ast::{Identifier, Index, QualIdentifier};
use std::collections::HashMap;
use std::sync::Arc;
use ult_lang::diagnostic::{Id, Reported};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::elaborate::Elaborator;
use super::names::{Global, SortName, Value};
use super::tree::plain;
use super::unspecified::wrong_field;
use ult_core::formula::{
    ConstructorSort, DatatypeDeclaration, DatatypeSort, FieldSort, Sort, Term,
};
use ult_smtlib::sexpr::Expr;

/// `(declare-datatypes ((T 0) ...) ((...) ...))`
pub(super) fn declare_all(
    e: &mut Elaborator<'_>,
    names: Expr,
    bodies: Expr,
) -> Result<(), Reported> {
    let exprs = e.text.exprs;
    let (Some(names), Some(all)) = (exprs.list(names), exprs.list(bodies)) else {
        return Err(e
            .text
            .unexpected(bodies, "a list of datatypes", &mut e.messages));
    };
    if names.len() != all.len() {
        return Err(e
            .text
            .unexpected(bodies, "one datatype for each name", &mut e.messages));
    }
    let mut symbols = Vec::with_capacity(names.len());
    for &name in names {
        match exprs.list(name) {
            Some(&[symbol, arity]) if e.text.text.get(e.text.place(arity)) == Some("0") => {
                symbols.push(symbol);
            }
            _ => return Err(e.not_supported("a datatype with parameters", name)),
        }
    }
    let mut failed = None;
    for family in families(e, &symbols, all) {
        let symbols: Vec<Expr> = family.iter().map(|&member| symbols[member]).collect();
        let bodies: Vec<Expr> = family.iter().map(|&member| all[member]).collect();
        failed = declare_family(e, &symbols, &bodies).err().or(failed);
    }
    failed.map_or(Ok(()), Err)
}

/// Which datatypes contain each other, by their numbers; each family comes after those that it uses.
fn families(e: &Elaborator<'_>, names: &[Expr], bodies: &[Expr]) -> Vec<Vec<usize>> {
    let exprs = e.text.exprs;
    let numbers: HashMap<&str, usize> = (names.iter().enumerate())
        .filter_map(|(number, &name)| Some((exprs.symbol(name)?, number)))
        .collect();
    let mut uses: DiGraph<(), (), usize> = DiGraph::default();
    for _ in names {
        uses.add_node(());
    }
    for (number, &body) in bodies.iter().enumerate() {
        let constructors = exprs.list(body).unwrap_or_default().iter();
        let fields = constructors.flat_map(|&one| exprs.list(one).unwrap_or_default());
        let mut open: Vec<Expr> = fields
            .filter_map(|&field| exprs.list(field)?.get(1).copied())
            .collect();
        while let Some(sort) = open.pop() {
            if let Some(&used) = exprs.symbol(sort).and_then(|name| numbers.get(name)) {
                uses.update_edge(number.into(), used.into(), ());
            }
            open.extend(exprs.list(sort).unwrap_or_default());
        }
    }
    let families = tarjan_scc(&uses).into_iter();
    let mut families: Vec<Vec<usize>> = families
        .map(|family| family.into_iter().map(|node| node.index()).collect())
        .collect();
    families
        .iter_mut()
        .for_each(|family| family.sort_unstable());
    families
}

/// `(declare-datatype T (...))`
pub(super) fn declare(e: &mut Elaborator<'_>, name: Expr, body: Expr) -> Result<(), Reported> {
    declare_family(e, &[name], &[body])
}

/// Datatypes that may contain each other.
fn declare_family<'a>(
    e: &mut Elaborator<'a>,
    names: &[Expr],
    bodies: &[Expr],
) -> Result<(), Reported> {
    let mut symbols = Vec::with_capacity(names.len());
    for &name in names {
        symbols.push(e.text.name(name, &mut e.messages)?.to_owned());
    }
    let family = family(e, &symbols, names, bodies);
    let sorts: Vec<SortName<'a>> = match &family {
        Ok((sorts, _)) => sorts.iter().cloned().map(SortName::Datatype).collect(),
        Err(_) => vec![SortName::Broken; names.len()],
    };
    for ((symbol, &name), meaning) in symbols.iter().zip(names).zip(sorts) {
        let place = e.text.place(name);
        e.names
            .declare_sort(symbol, meaning, place, &mut e.messages);
    }
    let (sorts, declared) = family?;
    let exprs = e.text.exprs;
    let mut declare = |name: Expr, meaning: Global<'a>| {
        let (symbol, place) = (exprs.symbol(name).unwrap_or_default(), e.text.place(name));
        e.names.declare(symbol, meaning, place, &mut e.messages);
    };
    for (sort, constructors) in sorts.into_iter().zip(declared) {
        for (number, (name, fields)) in (0..).zip(constructors) {
            declare(name, Global::Constructor(sort.clone(), number));
            for (field, name) in (0..).zip(fields) {
                declare(name, Global::Selector(sort.clone(), number, field));
            }
        }
    }
    Ok(())
}

/// The names of the constructors of a datatype, and of their fields.
type ConstructorNames = Vec<(Expr, Vec<Expr>)>;

fn family(
    e: &mut Elaborator<'_>,
    symbols: &[String],
    names: &[Expr],
    bodies: &[Expr],
) -> Result<(Vec<Sort>, Vec<ConstructorNames>), Reported> {
    let (mut declared, mut all_names) = (Vec::new(), Vec::new());
    let mut failed = None;
    for (symbol, &body) in symbols.iter().zip(bodies) {
        match constructors(e, symbols, body) {
            Ok((constructors, names)) => {
                declared.push(DatatypeDeclaration {
                    name: symbol.as_str().into(),
                    constructors,
                });
                all_names.push(names);
            }
            Err(reported) => failed = Some(reported),
        }
    }
    if let Some(reported) = failed {
        return Err(reported);
    }
    let Some(family) = DatatypeSort::family(declared) else {
        let place = names.first().map(|&name| e.text.place(name));
        return Err(e.messages.error(
            Id::HORN_SORTS,
            "a datatype without values",
            place.unwrap_or_default(),
            "each constructor needs a value that has to be there before",
        ));
    };
    Ok((family.into_iter().map(Sort::Datatype).collect(), all_names))
}

fn constructors(
    e: &mut Elaborator<'_>,
    family: &[String],
    body: Expr,
) -> Result<(Vec<ConstructorSort>, ConstructorNames), Reported> {
    let exprs = e.text.exprs;
    let all = exprs.list(body).filter(|all| !all.is_empty());
    let Some(all) = all else {
        return Err(e
            .text
            .unexpected(body, "a list of constructors", &mut e.messages));
    };
    let (mut sorts, mut names) = (Vec::new(), Vec::new());
    let mut failed = None;
    for &one in all {
        match constructor(e, family, one) {
            Ok((sort, name, fields)) => {
                sorts.push(sort);
                names.push((name, fields));
            }
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok((sorts, names)), Err)
}

/// `(C (f S) ...)` or, without fields, `C`.
fn constructor(
    e: &mut Elaborator<'_>,
    family: &[String],
    at: Expr,
) -> Result<(ConstructorSort, Expr, Vec<Expr>), Reported> {
    let exprs = e.text.exprs;
    let (name, fields) = match exprs.list(at).and_then(|parts| parts.split_first()) {
        Some((&name, fields)) => (name, fields),
        None => (at, &[][..]),
    };
    let symbol = e.text.name(name, &mut e.messages)?;
    let mut sorts = Vec::new();
    let mut names = Vec::new();
    for &field in fields {
        let Some(&[selector, sort]) = exprs.list(field) else {
            return Err(e
                .text
                .unexpected(field, "a field with its sort", &mut e.messages));
        };
        let field: Arc<str> = e.text.name(selector, &mut e.messages)?.into();
        sorts.push((field, field_sort(e, family, sort)?));
        names.push(selector);
    }
    let sort = ConstructorSort {
        name: symbol.into(),
        fields: sorts,
    };
    Ok((sort, name, names))
}

fn field_sort(e: &mut Elaborator<'_>, family: &[String], at: Expr) -> Result<FieldSort, Reported> {
    let exprs = e.text.exprs;
    let member = |at: Expr| {
        let symbol = exprs.symbol(at)?;
        (0..).zip(family).find(|(_, name)| *name == symbol)
    };
    if let Some((number, _)) = member(at) {
        return Ok(FieldSort::Member(number));
    }
    let mut open = vec![at];
    while let Some(part) = open.pop() {
        if member(part).is_some() {
            return Err(e.not_supported("a datatype that contains itself in an array", at));
        }
        open.extend(exprs.list(part).unwrap_or_default());
    }
    let read = e.text.sort(at, &mut e.messages)?;
    Ok(FieldSort::Sort(e.sort(&read, at)?))
}

impl Elaborator<'_> {
    /// A constructor applied to its fields.
    pub(super) fn construct(
        &mut self,
        name: &str,
        sort: &Sort,
        number: u32,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let constructor = match sort {
            Sort::Datatype(datatype) => datatype.constructor(number),
            _ => None,
        };
        let sorts: Vec<Sort> = constructor.into_iter().flat_map(|c| c.sorts()).collect();
        if sorts.len() != args.len() {
            return Err(self.arguments(name, sorts.len(), args.len(), at));
        }
        let mut found = Vec::with_capacity(args.len());
        for ((value, at), sort) in args.into_iter().zip(&sorts) {
            found.push(self.of_sort(value, sort, at)?);
        }
        Ok(Value::Term(self.terms.construct(sort, number, &found)))
    }

    /// A selector applied to a value: what is there, or anything.
    pub(super) fn select_field(
        &mut self,
        name: &str,
        sort: &Sort,
        (constructor, field): (u32, u32),
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let value = self.only(name, sort, args, at)?;
        let terms = self.terms;
        let there = terms.field(value, constructor, field);
        let fits = terms.is(value, constructor);
        if fits == terms.tt() {
            return Ok(Value::Term(there));
        }
        let other = wrong_field(terms, terms.sort(there).clone());
        Ok(Value::Term(terms.ite(fits, there, other)))
    }

    /// Whether a value is made by a constructor.
    pub(super) fn test(
        &mut self,
        name: &str,
        sort: &Sort,
        number: u32,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let value = self.only(name, sort, args, at)?;
        Ok(Value::Term(self.terms.is(value, number)))
    }

    /// As [`Elaborator::test`], of the constructor with a name.
    pub(super) fn test_by_name(
        &mut self,
        name: &str,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Term, Reported> {
        match self.names.global(name).cloned() {
            Some(Global::Constructor(sort, number)) => {
                let value = self.test(name, &sort, number, args, at)?;
                self.plain_term(value)
            }
            Some(Global::Broken) => Err(Reported),
            _ => Err(self.unknown(name, self.text.part(at, 0))),
        }
    }

    /// The constructor that `is-C` asks for, as Z3 writes it.
    pub(super) fn tester(&self, name: &str) -> Option<(Sort, u32)> {
        match self.names.global(name.strip_prefix("is-")?) {
            Some(Global::Constructor(sort, number)) => Some((sort.clone(), *number)),
            _ => None,
        }
    }

    /// The one argument, of a datatype.
    fn only(
        &mut self,
        name: &str,
        sort: &Sort,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Term, Reported> {
        match args[..] {
            [(value, at)] => self.of_sort(value, sort, at),
            _ => Err(self.arguments(name, 1, args.len(), at)),
        }
    }
}

/// The constructor that `(_ is C)` asks for.
pub(super) fn tested<'s>(head: &QualIdentifier<'s>) -> Option<&'s str> {
    match head {
        QualIdentifier::Identifier(Identifier::Indexed(symbol, [Index::Symbol(constructor)]))
            if plain(symbol) == "is" =>
        {
            Some(plain(constructor))
        }
        _ => None,
    }
}
