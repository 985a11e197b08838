//! Maps over sorts that may be finite.
//!
//! Solvers decide maps that are the same nearly everywhere (constant maps, lambdas) by their value
//! *elsewhere*, which exists if there are infinitely many indices, or as many as the solver can count.
//! What it cannot count is taken for infinite, and then it says that what is true contradicts itself:
//!
//! * Rounding modes and floating-point numbers, maps to a sort with one value, and what is made of these. So `k == (lambda m:
//!   rmode :: 0)` and, with a new element for each of the five modes, `k[...] == (lambda m: rmode :: 1)` contradict each
//!   other for Z3. Such a map is always said element by element: it becomes a new symbol, with `forall y :: symbol[y] ==
//!   body`. Inside of a quantifier or another lambda the symbol is a function of what is bound there.
//! * Uninterpreted sorts. How many elements they have, only the question can say: by a quantifier, as in `forall x: T :: x ==
//!   c`, or by an equation of two such maps, `k == (lambda y: T :: 0)` and `k[c := 1] == (lambda y: T :: 1)`. With neither, a
//!   model can be made larger, since each new element is like the others for all maps but one, and may be so for that one.
//! * Truth values, small bit-vectors, enumerations: these are counted, but what Z3 says then of lambdas is wrong: that `k ==
//!   (lambda y: bv2 :: y == 0bv2)` and `m == k[2bv2 := false][0bv2 := false]` contradict each other. A lambda over such a sort
//!   is said element by element, too; constant maps are not.
//! * Bit-vectors and the like with so many values that the solver does not count them, if the question has as many stores.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use num_bigint::BigUint;
use ult_core::formula::{BinderKind, FieldSort, Function, MapSort, Op, Sort, Term, Terms, Version};

/// What a formula mentions.
#[derive(Clone, Copy, Default)]
struct Mentions {
    /// A constant map or a lambda over a sort that is not counted.
    map: bool,
    /// The same over a sort of which it is known how many values it has.
    known: bool,
    /// A quantifier over a sort of which an uninterpreted one is a part.
    quantifier: bool,
    /// A constant map or a lambda over a finite sort with so many values that the solver takes it for infinite.
    large: bool,
}

impl Mentions {
    fn or(self, other: Mentions) -> Mentions {
        Mentions {
            map: self.map || other.map,
            known: self.known || other.known,
            quantifier: self.quantifier || other.quantifier,
            large: self.large || other.large,
        }
    }
}

/// Says maps element by element where that matters.
pub(super) struct FiniteMaps<'t> {
    terms: &'t Terms,
    known: HashMap<Term, Mentions>,
    /// The symbols, by the map that each stands for, with what defines it.
    symbols: HashMap<Term, (Term, Term)>,
    /// What the axioms mention.
    axioms: Mentions,
}

/// The number of indices has fewer bits than this if the solver counts them. Z3's own limit is a little higher.
const COUNTED: u64 = 12;

/// The number of indices has at least so many bits if the solver does not count them. Z3's own limit is a little lower.
const SMALL: u64 = 16;

/// The number of stores in a question has fewer bits than this.
const MOST_STORES: u64 = 26;

impl<'t> FiniteMaps<'t> {
    pub(super) fn new(terms: &'t Terms) -> FiniteMaps<'t> {
        FiniteMaps {
            terms,
            known: HashMap::new(),
            symbols: HashMap::new(),
            axioms: Mentions::default(),
        }
    }

    /// The axioms, with all such maps said element by element: any question may come later.
    pub(super) fn axioms(&mut self, axioms: &[Term]) -> Vec<Term> {
        self.axioms = self.mentioned(axioms);
        // What is said element by element is said by quantifiers.
        self.axioms.quantifier |= self.axioms.map;
        let terms = self.terms;
        self.elementwise(axioms, &|map, sort| {
            !is_right(terms, map, sort) || large(sort).is_some()
        })
    }

    /// The formulas of a question under the axioms.
    pub(super) fn question(&mut self, formulas: &[Term]) -> Vec<Term> {
        let own = self.mentioned(formulas);
        let stores = match own.large {
            true => BigUint::from(self.stores(formulas)),
            false => BigUint::default(),
        };
        let all = own.map
            && (own.known
                || own.quantifier
                || self.axioms.quantifier
                || self.has_several(formulas));
        let is_filled = |sort: &MapSort| large(sort).is_some_and(|size| size <= stores);
        let terms = self.terms;
        let chosen =
            |map: Term, sort: &MapSort| (all && !is_right(terms, map, sort)) || is_filled(sort);
        match all || own.large {
            true => self.elementwise(formulas, &chosen),
            false => formulas.to_vec(),
        }
    }

    /// How many stores there are.
    fn stores(&self, formulas: &[Term]) -> usize {
        let all = self.terms.post_order(formulas).into_iter();
        all.filter(|&term| matches!(self.terms.op(term), Op::Store))
            .count()
    }

    /// Whether there may be two different maps of one sort among the constant maps and lambdas.
    fn has_several(&self, formulas: &[Term]) -> bool {
        let terms = self.terms;
        let mut seen: HashSet<Arc<MapSort>> = HashSet::new();
        let all = terms.post_order(formulas).into_iter();
        all.filter_map(|term| Some((term, map_sort(terms, term)?)))
            .filter(|(map, sort)| !is_right(terms, *map, sort))
            .any(|(term, sort)| !seen.insert(sort) || !unbound(terms, term).is_empty())
    }

    fn mentioned(&mut self, roots: &[Term]) -> Mentions {
        let mut stack: Vec<(Term, bool)> = roots.iter().map(|&root| (root, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let args = self.terms.args(term);
            if !ready {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let below = args.iter().map(|arg| self.known[arg]);
            let below = below.fold(Mentions::default(), Mentions::or);
            self.known.insert(term, below.or(own(self.terms, term)));
        }
        let all = roots.iter().map(|root| self.known[root]);
        all.fold(Mentions::default(), Mentions::or)
    }

    /// The formulas with symbols for such maps, and what defines the symbols.
    fn elementwise(
        &mut self,
        roots: &[Term],
        chosen: &dyn Fn(Term, &MapSort) -> bool,
    ) -> Vec<Term> {
        let terms = self.terms;
        let mut done: HashMap<Term, Term> = HashMap::new();
        let mut definitions: BTreeSet<Term> = BTreeSet::new();
        for term in terms.post_order(roots) {
            let args: Vec<Term> = terms.args(term).iter().map(|arg| done[arg]).collect();
            let built = match args[..] == *terms.args(term) {
                true => term,
                false => terms.rebuild(terms.node(term), &args),
            };
            let result = match map_sort(terms, built).filter(|sort| chosen(built, sort)) {
                None => built,
                Some(sort) => {
                    let (symbol, definition) = self.symbol(built, &sort);
                    definitions.insert(definition);
                    symbol
                }
            };
            done.insert(term, result);
        }
        let formulas = roots.iter().map(|root| done[root]);
        formulas.chain(definitions).collect()
    }

    /// The symbol for a map, which contains no other such map, and what defines it.
    fn symbol(&mut self, map: Term, sort: &Arc<MapSort>) -> (Term, Term) {
        if let Some(&known) = self.symbols.get(&map) {
            return known;
        }
        let terms = self.terms;
        let (own, body) = match terms.op(map) {
            Op::Bind(binder) => (binder.vars.clone(), terms.args(map)[0]),
            _ => (Vec::new(), terms.args(map)[0]),
        };
        let around = unbound(terms, map);
        let function = Arc::new(Function {
            // No name of a program has a blank.
            name: format!("map {}", terms.fresh_number()).into(),
            params: around.iter().map(|&var| terms.sort(var).clone()).collect(),
            result: Sort::Map(sort.clone()),
        });
        // Each binder has its own variables.
        let fresh = |var: &Term| match terms.as_var(*var) {
            Some(known) => terms.fresh_bound(known.name.clone(), terms.sort(*var).clone()),
            None => *var,
        };
        let arguments: Vec<Term> = around.iter().map(fresh).collect();
        let indices: Vec<Term> = match own.is_empty() {
            true => (sort.domain.iter())
                .map(|sort| terms.fresh_bound("y", sort.clone()))
                .collect(),
            false => own.iter().map(fresh).collect(),
        };
        let renamed: HashMap<Term, Term> = (around.iter().zip(&arguments))
            .chain(own.iter().zip(&indices))
            .map(|(&old, &new)| (old, new))
            .collect();
        let element = terms.select(terms.apply(&function, &arguments), &indices);
        let equation = terms.eq(element, terms.substitute(body, &renamed));
        let bound: Vec<Term> = arguments.iter().chain(&indices).copied().collect();
        let definition = terms.bind(BinderKind::Forall, &bound, equation, &[vec![element]]);
        let symbol = terms.apply(&function, &around);
        self.symbols.insert(map, (symbol, definition));
        (symbol, definition)
    }
}

/// What a term mentions itself.
fn own(terms: &Terms, term: Term) -> Mentions {
    let mut own = Mentions::default();
    if let Some(sort) = map_sort(terms, term) {
        own.map = !is_right(terms, term, &sort);
        own.known = own.map && !sort.domain.iter().any(has_uninterpreted);
        own.large = large(&sort).is_some();
    }
    if let Op::Bind(binder) = terms.op(term)
        && binder.kind != BinderKind::Lambda
    {
        let mut sorts = binder.vars.iter().map(|&var| terms.sort(var));
        own.quantifier = sorts.any(has_uninterpreted);
    }
    own
}

/// How many indices there are, if the solver takes that for infinite, and a question may have as many stores.
fn large(sort: &MapSort) -> Option<BigUint> {
    size(sort).filter(|size| (COUNTED..MOST_STORES).contains(&size.bits()))
}

/// How many indices there are, where finite and known.
fn size(sort: &MapSort) -> Option<BigUint> {
    sort.domain.iter().map(Sort::cardinality).product()
}

/// Whether what the solver says of a constant map or a lambda is right.
fn is_right(terms: &Terms, map: Term, sort: &MapSort) -> bool {
    is_counted(sort) && (*terms.op(map) == Op::ConstMap || !is_small(sort))
}

/// Whether there are so few indices that the solver counts them.
fn is_small(sort: &MapSort) -> bool {
    size(sort).is_some_and(|size| size.bits() < SMALL)
}

/// Whether the solver knows how many indices there are, or that there are many.
fn is_counted(sort: &MapSort) -> bool {
    sort.domain.iter().all(has_counted_values)
}

/// Whether the solver knows how many values there are, or that there are many.
fn has_counted_values(sort: &Sort) -> bool {
    match sort {
        // Of any elements there are as many sequences as there are lengths, and more.
        Sort::Bool
        | Sort::Int
        | Sort::Real
        | Sort::BitVec(_)
        | Sort::String
        | Sort::RegEx
        | Sort::Seq(_) => true,
        Sort::Uninterpreted(_) | Sort::Float(..) | Sort::RoundingMode => false,
        // It takes maps from many indices for many, also where there is one value.
        Sort::Map(map) => {
            is_counted(map)
                && has_counted_values(&map.range)
                && map.range.cardinality() != Some(BigUint::from(1u32))
        }
        Sort::Datatype(datatype) => {
            // What contains itself has many values, which the solver knows.
            let (members, _) = datatype.members();
            let constructors = members.iter().flat_map(|member| &member.constructors);
            let mut fields = constructors.flat_map(|constructor| &constructor.fields);
            fields.all(|(_, sort)| match sort {
                FieldSort::Sort(sort) => has_counted_values(sort),
                FieldSort::Member(_) => true,
            })
        }
    }
}

/// Whether something can be said about the values of a sort that makes an uninterpreted one finite.
fn has_uninterpreted(sort: &Sort) -> bool {
    sort.parts()
        .any(|part| matches!(part, Sort::Uninterpreted(_)))
}

/// The sort of a constant map or a lambda; `None` for anything else.
fn map_sort(terms: &Terms, term: Term) -> Option<Arc<MapSort>> {
    let is_one = match terms.op(term) {
        Op::ConstMap => true,
        Op::Bind(binder) => binder.kind == BinderKind::Lambda,
        _ => false,
    };
    match terms.sort(term) {
        Sort::Map(sort) if is_one => Some(sort.clone()),
        _ => None,
    }
}

/// The bound variables that a term mentions and does not bind itself, in order.
fn unbound(terms: &Terms, root: Term) -> Vec<Term> {
    let mut open: HashMap<Term, BTreeSet<Term>> = HashMap::new();
    for term in terms.post_order(&[root]) {
        let mut all = BTreeSet::new();
        match terms.op(term) {
            Op::Var(var) if matches!(var.version, Version::Bound(_)) => {
                all.insert(term);
            }
            _ => {}
        }
        for arg in terms.args(term) {
            all.extend(&open[arg]);
        }
        if let Op::Bind(binder) = terms.op(term) {
            all.retain(|var| !binder.vars.contains(var));
        }
        open.insert(term, all);
    }
    let found = open.remove(&root).unwrap_or_default();
    found.into_iter().collect()
}
