//! Recursive datatypes up to a height, as plain ones: for runs.
//!
//! The solver finds no models of the axioms about recursive datatypes ([`super::recursive`]), since all of them are infinite, and
//! the checker would not know one from a model that no finite tree belongs to. So runs are looked for in another reading of the
//! program, in which values are trees of a limited height: for `List { Nil(), Cons(head: int, tail: List) }` and height 1 the sort
//! `List { Nil(), Cons(head: int, tail: List_1) }` with `List_1 { Nil_1() }`. These are plain sorts, without axioms, whose values are
//! constructor terms, and each such value is a value of the program's datatype.
//!
//! The reading has fewer runs than the program, and no other ones; a proof in it means nothing:
//!
//! * A value that would get too high ends the run: the constructor's term is marked, and [`Bounds::keep`] adds to
//!   each edge that its marked terms are not too high.
//! * A formula that depends on which values there are altogether (quantifiers over the datatype, maps that have it as an index)
//!   ends the run as well. All other operators say the same of the lower values alone as of all: equality, the questions which
//!   constructor made a value, fields, and functions about which nothing more is known.
//! * An axiom with such a formula cannot be kept by ending runs. Whoever has one refuses the reading.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ult_lang::hir::DatatypeId;

use ult_core::formula::{Function, Op, Sort, Term, Terms};
use ult_core::graph::{ProgramGraph, Transition};

/// The instance of a datatype: what its type parameters stand for.
pub type Instance = (DatatypeId, Vec<Sort>);

/// The values of an instance of a recursive datatype up to a height.
#[derive(Debug)]
pub struct Level {
    /// Of which instance.
    pub instance: Instance,
    /// The sort.
    pub sort: Sort,
    /// For each constructor of the datatype its number in the sort, if it makes values that are low enough.
    pub numbers: Vec<Option<u32>>,
    /// For each constructor and field the values that are allowed there, if these are bounded themselves.
    pub below: Vec<Vec<Option<Arc<Level>>>>,
    /// What marks values that are too high.
    pub mark: Arc<Function>,
}

/// All sorts of values up to a height.
#[derive(Debug, Default)]
pub struct Bounds {
    /// By instance and height; `None` if there are no values so low.
    pub levels: HashMap<(Instance, u32), Option<Arc<Level>>>,
    by_sort: HashMap<Sort, Arc<Level>>,
}

impl Bounds {
    /// Notes the values of an instance up to a height.
    pub fn insert(&mut self, instance: Instance, height: u32, level: Option<Arc<Level>>) {
        if let Some(level) = &level {
            self.by_sort.insert(level.sort.clone(), level.clone());
        }
        self.levels.insert((instance, height), level);
    }

    /// What a sort stands for, if it is one of these.
    pub fn level(&self, sort: &Sort) -> Option<&Arc<Level>> {
        self.by_sort.get(sort)
    }

    /// Keeps the runs of a graph within bounds: afterwards, each run is one of the program.
    ///
    /// Tells whether that is so; axioms that depend on the bounds cannot be kept.
    #[must_use]
    pub fn keep(&self, terms: &Terms, graph: &mut ProgramGraph) -> bool {
        let is_free = |&axiom: &Term| self.within(terms, axiom) == Some(terms.tt());
        if !graph.axioms.iter().all(is_free) {
            return false;
        }
        for edge in graph.graph.edge_weights_mut() {
            let formula = edge.transition.formula;
            match self.within(terms, formula) {
                None => edge.transition = Transition::assume(terms.ff()),
                Some(within) => edge.transition.formula = terms.and([within, formula]),
            }
        }
        true
    }

    /// Under which condition a formula means the same with all values as with the low ones; `None` if that cannot be said.
    fn within(&self, terms: &Terms, formula: Term) -> Option<Term> {
        let marks: HashSet<&Arc<Function>> = self.by_sort.values().map(|l| &l.mark).collect();
        let mut conditions = Vec::new();
        let mut binds = false;
        for term in terms.post_order(&[formula]) {
            if self.is_indexed(terms.sort(term)) {
                return None;
            }
            match terms.op(term) {
                Op::Apply(function) if marks.contains(function) => {
                    conditions.push(terms.not(terms.args(term)[0]));
                }
                Op::Bind(binder) => {
                    binds = true;
                    let mut sorts = binder.vars.iter().map(|&var| terms.sort(var));
                    if sorts.any(|sort| self.is_mentioned(sort)) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        // What is marked may speak of what is bound there.
        match binds && !conditions.is_empty() {
            true => None,
            false => Some(terms.and(conditions)),
        }
    }

    fn is_mentioned(&self, sort: &Sort) -> bool {
        sort.parts().any(|part| self.by_sort.contains_key(&part))
    }

    /// Whether a sort has maps over bounded values in it.
    fn is_indexed(&self, sort: &Sort) -> bool {
        sort.parts().any(|part| match part {
            Sort::Map(map) => map.domain.iter().any(|index| self.is_mentioned(index)),
            _ => false,
        })
    }
}

impl Level {
    /// The number in the sort of a constructor of the datatype.
    pub fn number(&self, constructor: usize) -> Option<u32> {
        *self.numbers.get(constructor)?
    }

    /// A value of another height of the same instance as one of this height, and when it is too high for that; the term is
    /// anything then.
    pub fn convert(&self, terms: &Terms, from: &Level, value: Term) -> (Term, Term) {
        let mut cases = Vec::new();
        let mut too_high = Vec::new();
        for (constructor, &known) in from.numbers.iter().enumerate() {
            let Some(number) = known else { continue };
            let is_one = terms.is(value, number);
            let Some(own) = self.number(constructor) else {
                too_high.push(is_one);
                continue;
            };
            let mut fields = Vec::new();
            let places = from.below[constructor].iter().zip(&self.below[constructor]);
            for (position, place) in (0u32..).zip(places) {
                let part = terms.field(value, number, position);
                fields.push(match place {
                    (Some(from), Some(to)) => {
                        let (part, high) = to.convert(terms, from, part);
                        too_high.push(terms.and([is_one, high]));
                        part
                    }
                    _ => part,
                });
            }
            cases.push((is_one, terms.construct(&self.sort, own, &fields)));
        }
        // There is one: of two heights of an instance, the lower one has values, and the higher one has these as well.
        let (_, mut result) = cases.pop().unwrap_or((terms.tt(), value));
        for (condition, case) in cases.into_iter().rev() {
            result = terms.ite(condition, case, result);
        }
        (result, terms.or(too_high))
    }

    /// A value, marked with when it is too high to be one.
    pub fn marked(&self, terms: &Terms, value: Term, too_high: Term) -> Term {
        let mark = terms.apply(&self.mark, &[too_high]);
        terms.ite(too_high, mark, value)
    }
}
