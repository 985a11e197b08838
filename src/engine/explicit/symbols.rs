//! Symbols: what stands for an unknown value.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ult_core::formula::{Sort, Term, Terms, Version};

/// The symbols in terms, remembered.
#[derive(Default)]
pub(super) struct Symbols {
    of: RefCell<HashMap<Term, Rc<[Term]>>>,
}

impl Symbols {
    /// The symbol with a number. No formula of a graph mentions the version.
    pub(super) fn symbol(terms: &Terms, number: u32, sort: &Sort) -> Term {
        terms.var("symbol", Version::At(number), sort.clone())
    }

    /// The symbol for the rest of a map, by number. No other symbol is one of these.
    pub(super) fn map_of(terms: &Terms, number: u32, sort: &Sort) -> Term {
        terms.var("rest", Version::At(number), sort.clone())
    }

    /// Whether a term is a symbol.
    pub(super) fn is_symbol(terms: &Terms, term: Term) -> bool {
        let var = terms.as_var(term);
        var.is_some_and(|var| matches!(var.version, Version::At(_)))
    }

    /// The symbols in a term, in order.
    pub(super) fn of(&self, terms: &Terms, term: Term) -> Rc<[Term]> {
        if Self::is_symbol(terms, term) {
            return Rc::new([term]);
        }
        if terms.args(term).is_empty() {
            return Rc::new([]);
        }
        if let Some(known) = self.of.borrow().get(&term) {
            return known.clone();
        }
        let mut found: Vec<Term> = (terms.post_order(&[term]).into_iter())
            .filter(|&part| Self::is_symbol(terms, part))
            .collect();
        found.sort_unstable();
        let found: Rc<[Term]> = found.into();
        self.of.borrow_mut().insert(term, found.clone());
        found
    }

    /// Whether a term contains a symbol.
    pub(super) fn has(&self, terms: &Terms, term: Term, symbol: Term) -> bool {
        self.of(terms, term).contains(&symbol)
    }

    /// Whether a term contains no symbol.
    pub(super) fn none(&self, terms: &Terms, term: Term) -> bool {
        self.of(terms, term).is_empty()
    }
}
