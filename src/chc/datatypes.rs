//! Datatypes: their declarations, constructors, selectors and testers.
//!
//! A selector that is applied to what another constructor made has some value, the same each time (SMT-LIB 2.6, 4.2.3). Here it
//! is a variable of its own for each application: that allows more, so a proof counts. [`super::graph`] marks derivations in which
//! such a value matters.

use std::collections::HashMap;
use std::sync::Arc;
use ult_lang::diagnostic::Reported;

use super::elaborate::Elaborator;
use super::names::{Global, SortName, Value};
use ult_core::formula::{ConstructorSort, DatatypeSort, Sort, Term, Terms, Version};
use ult_smtlib::sexpr::Expr;

/// What selectors give that do not fit are variables with this name.
const WRONG_FIELD: &str = "wrong field";

/// Whether a term is such a variable.
pub(super) fn is_wrong_field(terms: &Terms, term: Term) -> bool {
    let var = terms.as_var(term);
    var.is_some_and(|var| &*var.name == WRONG_FIELD && matches!(var.version, Version::Aux(_)))
}

/// New variables for those of a definition: where it is applied to other arguments, other values may be there.
pub(super) fn renamed(terms: &Terms, definition: Term, map: &mut HashMap<Term, Term>) {
    for term in terms.free_vars(&[definition]) {
        if is_wrong_field(terms, term) {
            let fresh = terms.fresh_aux(WRONG_FIELD, terms.sort(term).clone());
            map.insert(term, fresh);
        }
    }
}

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
    let mut failed = None;
    for (&name, &body) in names.iter().zip(all) {
        let declared = match exprs.list(name) {
            Some(&[symbol, arity]) if e.text.text.get(e.text.place(arity)) == Some("0") => {
                declare(e, symbol, body)
            }
            _ => Err(e.not_supported("a datatype with parameters", name)),
        };
        failed = declared.err().or(failed);
    }
    failed.map_or(Ok(()), Err)
}

/// `(declare-datatype T (...))`
pub(super) fn declare<'a>(e: &mut Elaborator<'a>, name: Expr, body: Expr) -> Result<(), Reported> {
    let symbol = e.text.name(name, &mut e.messages)?.to_owned();
    let place = e.text.place(name);
    // While its fields are read, it has no meaning: they cannot be of the datatype itself.
    let read = constructors(e, &symbol, body);
    let meaning = match &read {
        Ok((sort, _)) => SortName::Datatype(sort.clone()),
        Err(_) => SortName::Broken,
    };
    e.names
        .declare_sort(&symbol, meaning, place, &mut e.messages);
    let (sort, declared) = read?;
    let exprs = e.text.exprs;
    let mut declare = |name: Expr, meaning: Global<'a>| {
        let (symbol, place) = (exprs.symbol(name).unwrap_or_default(), e.text.place(name));
        e.names.declare(symbol, meaning, place, &mut e.messages);
    };
    for (number, (name, fields)) in (0..).zip(declared) {
        declare(name, Global::Constructor(sort.clone(), number));
        for (field, name) in (0..).zip(fields) {
            declare(name, Global::Selector(sort.clone(), number, field));
        }
    }
    Ok(())
}

/// A datatype, with the names of its constructors and of their fields.
type Declared = (Sort, Vec<(Expr, Vec<Expr>)>);

fn constructors(e: &mut Elaborator<'_>, symbol: &str, body: Expr) -> Result<Declared, Reported> {
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
        match constructor(e, symbol, one) {
            Ok((sort, name, fields)) => {
                sorts.push(sort);
                names.push((name, fields));
            }
            Err(reported) => failed = Some(reported),
        }
    }
    if let Some(reported) = failed {
        return Err(reported);
    }
    let datatype = DatatypeSort {
        name: symbol.into(),
        constructors: sorts,
    };
    Ok((Sort::Datatype(Arc::new(datatype)), names))
}

/// `(C (f S) ...)` or, without fields, `C`.
fn constructor(
    e: &mut Elaborator<'_>,
    datatype: &str,
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
        if mentions(e, sort, datatype) {
            return Err(e.not_supported("a datatype that contains itself", sort));
        }
        let read = e.text.sort(sort, &mut e.messages)?;
        sorts.push((field, e.sort(&read, sort)?));
        names.push(selector);
    }
    let sort = ConstructorSort {
        name: symbol.into(),
        fields: sorts,
    };
    Ok((sort, name, names))
}

/// Whether a name stands in an expression.
fn mentions(e: &Elaborator<'_>, at: Expr, name: &str) -> bool {
    let exprs = e.text.exprs;
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if exprs.symbol(at) == Some(name) {
            return true;
        }
        open.extend(exprs.list(at).unwrap_or_default());
    }
    false
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
        let fields = match sort {
            Sort::Datatype(datatype) => &datatype.constructors[number as usize].fields[..],
            _ => &[],
        };
        if fields.len() != args.len() {
            return Err(self.arguments(name, fields.len(), args.len(), at));
        }
        let mut found = Vec::with_capacity(args.len());
        for ((value, at), (_, sort)) in args.into_iter().zip(fields) {
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
        let other = terms.fresh_aux(WRONG_FIELD, terms.sort(there).clone());
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
