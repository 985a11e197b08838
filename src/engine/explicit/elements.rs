//! Maps of which some elements are known.

use super::symbols::Symbols;
use ult_core::formula::{Op, Term, Terms};

/// What is known of a map: values at some indices, all of them numbers and different from each
/// other. The rest of the map is unknown.
pub(super) struct Elements {
    /// What stands for the rest: a symbol, or an element of one.
    pub base: Term,
    /// In the order in which they were stored, the last one first.
    layers: Vec<(Vec<Term>, Element)>,
}

/// An element of a map.
enum Element {
    /// A value.
    Value(Term),
    /// A map, of which elements are known, and the rest is as in the map's rest.
    Map(Elements),
}

impl Elements {
    /// A map that is a symbol but for some elements.
    pub(super) fn of(terms: &Terms, map: Term) -> Option<Elements> {
        let found = Elements::over_rest(terms, map, &|base| Symbols::is_symbol(terms, base));
        found.filter(|elements| !elements.layers.is_empty())
    }

    /// Elements over a rest.
    fn over_rest(terms: &Terms, map: Term, is_rest: &dyn Fn(Term) -> bool) -> Option<Elements> {
        let mut layers: Vec<(Vec<Term>, Term)> = Vec::new();
        let mut base = map;
        while let (Op::Store, [inner, indices @ .., value]) = (terms.op(base), terms.args(base)) {
            if !indices.iter().all(|index| is_number(terms, *index)) {
                return None;
            }
            if layers.iter().all(|(other, _)| other != indices) {
                layers.push((indices.to_vec(), *value));
            }
            base = *inner;
        }
        if !is_rest(base) {
            return None;
        }
        let layers = layers.into_iter().map(|(indices, value)| {
            let here = terms.select(base, &indices);
            let inner = Elements::over_rest(terms, value, &|other| other == here);
            let element = inner.map_or(Element::Value(value), Element::Map);
            (indices, element)
        });
        let layers = layers.collect();
        Some(Elements { base, layers })
    }

    /// The same elements over another rest, without those whose values are not known.
    pub(super) fn over(&self, terms: &Terms, base: Term, known: &dyn Fn(Term) -> bool) -> Term {
        let mut map = base;
        for (indices, element) in self.layers.iter().rev() {
            match element {
                Element::Value(value) if known(*value) => map = terms.store(map, indices, *value),
                Element::Value(_) => {}
                Element::Map(inner) => {
                    let here = terms.select(base, indices);
                    let with = inner.over(terms, here, known);
                    if with != here {
                        map = terms.store(map, indices, with);
                    }
                }
            }
        }
        map
    }

    /// That a term is such a map: an equation for each element.
    pub(super) fn equations(&self, terms: &Terms, of: Term, into: &mut Vec<Term>) {
        for (indices, element) in &self.layers {
            let here = terms.select(of, indices);
            match element {
                Element::Value(value) => into.push(terms.eq(here, *value)),
                Element::Map(inner) => inner.equations(terms, here, into),
            }
        }
    }
}

/// Whether a term is a number, or another value that is written down.
pub(super) fn is_number(terms: &Terms, term: Term) -> bool {
    let is_unknown = matches!(terms.op(term), Op::Var(_) | Op::Apply(_));
    terms.args(term).is_empty() && !is_unknown
}
