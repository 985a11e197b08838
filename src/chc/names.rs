//! What names mean: declared ones, and bound ones inside a formula.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use ult_lang::diagnostic::{Id, Messages};

use smtlib_lowlevel::ast;

use super::formula::FormulaId;
use super::tree::Tree;
use ult_core::formula::{Sort, Term};

/// Index of a predicate in [`Names::predicates`].
pub(super) type PredicateId = usize;

/// A predicate to be found.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    /// The name.
    pub name: String,
    /// The sorts of its arguments.
    pub params: Vec<Sort>,
    /// Where it is declared.
    pub place: Range<usize>,
}

/// What an expression means: a term without predicates, or a formula with quantifiers or
/// predicates in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A term.
    Term(Term),
    /// A formula.
    Formula(FormulaId),
}

/// A definition.
pub(super) struct Macro<'a> {
    /// The parameters.
    pub params: Vec<(String, Sort)>,
    /// What it stands for.
    pub body: Tree<'a>,
    /// Without parameters: its value. Else, if the body mentions no predicates and quantifiers: the
    /// variables for the parameters and the term.
    pub value: Option<(Vec<Term>, Value)>,
}

/// A declared name.
#[derive(Clone)]
pub(super) enum Global<'a> {
    /// A predicate.
    Predicate(PredicateId),
    /// A definition.
    Macro(Rc<Macro<'a>>),
    /// A variable of all rules (`declare-var`).
    Variable(Term),
    /// A constructor of a datatype, by number.
    Constructor(Sort, u32),
    /// A field of what a constructor of a datatype makes, both by number.
    Selector(Sort, u32, u32),
    /// Something that there is a message about already.
    Broken,
}

/// The declared sorts.
#[derive(Clone)]
pub(super) enum SortName<'a> {
    /// A datatype.
    Datatype(Sort),
    /// An abbreviation with parameters.
    Synonym(Rc<(Vec<String>, ast::Sort<'a>)>),
    /// Something that there is a message about already.
    Broken,
}

/// All names.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The predicates in the order of their declarations.
    pub predicates: Vec<Predicate>,
    globals: HashMap<String, (Global<'a>, Range<usize>)>,
    sorts: HashMap<String, SortName<'a>>,
    /// The meanings of bound names, the innermost last.
    locals: HashMap<String, Vec<Value>>,
}

impl<'a> Names<'a> {
    /// Declares a name.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        meaning: Global<'a>,
        place: Range<usize>,
        messages: &mut Messages,
    ) {
        if let Some((_, before)) = self.globals.get(name) {
            let before = before.clone();
            messages.error(
                Id::HORN_DECLARED_TWICE,
                format!("`{name}` is declared twice"),
                place,
                "declared again",
            );
            messages.also(before, "first declared here");
            return;
        }
        self.globals.insert(name.to_owned(), (meaning, place));
    }

    /// Declares a sort.
    pub(crate) fn declare_sort(
        &mut self,
        name: &str,
        meaning: SortName<'a>,
        place: Range<usize>,
        messages: &mut Messages,
    ) {
        if self.sorts.contains_key(name) {
            messages.error(
                Id::HORN_DECLARED_TWICE,
                format!("the sort `{name}` is declared twice"),
                place,
                "declared again",
            );
            return;
        }
        self.sorts.insert(name.to_owned(), meaning);
    }

    /// A declared name.
    pub(crate) fn global(&self, name: &str) -> Option<&Global<'a>> {
        self.globals.get(name).map(|(meaning, _)| meaning)
    }

    /// A declared sort.
    pub(crate) fn sort(&self, name: &str) -> Option<&SortName<'a>> {
        self.sorts.get(name)
    }

    /// A bound name.
    pub(crate) fn local(&self, name: &str) -> Option<Value> {
        self.locals.get(name).and_then(|all| all.last()).copied()
    }

    /// Binds names; [`Names::unbind`] with the same names ends it.
    pub(crate) fn bind<'n>(&mut self, names: impl IntoIterator<Item = (&'n str, Value)>) {
        for (name, value) in names {
            match self.locals.get_mut(name) {
                Some(all) => all.push(value),
                None => {
                    self.locals.insert(name.to_owned(), vec![value]);
                }
            }
        }
    }

    /// Ends a binding.
    pub(crate) fn unbind<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            if let Some(all) = self.locals.get_mut(name) {
                all.pop();
            }
        }
    }

    /// Does something where nothing but the given names is bound.
    pub(crate) fn outside<T>(
        me: &mut T,
        names: impl Fn(&mut T) -> &mut Names<'a>,
        bound: &[(String, Value)],
        work: impl FnOnce(&mut T) -> Result<Value, ult_lang::diagnostic::Reported>,
    ) -> Result<Value, ult_lang::diagnostic::Reported> {
        let mut inner: HashMap<String, Vec<Value>> = HashMap::new();
        for (name, value) in bound {
            inner.entry(name.clone()).or_default().push(*value);
        }
        let outer = std::mem::replace(&mut names(me).locals, inner);
        let result = work(me);
        names(me).locals = outer;
        result
    }
}
