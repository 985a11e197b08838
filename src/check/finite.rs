//! Maps over sorts that may be finite.
//!
//! Solvers decide maps that are the same nearly everywhere (constant maps, lambdas) by their value
//! *elsewhere*, which exists if there are infinitely many indices, or as many as the solver can count.
//! How many elements an uninterpreted sort has, a quantifier may say, and that is not counted: Z3 says
//! that `k == (lambda y: T :: 0)` and `k[c := 1] == (lambda y: T :: 1)` contradict each other, also where
//! `forall x: T :: x == c`, and they do not. So, in a question with a quantifier over such a sort, and
//! in all axioms, such a map is said element by element: it becomes a new symbol, with `forall y :: symbol[y] ==
//! body`. Inside of a quantifier or another lambda the symbol is a function of what is bound there.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ult_core::formula::{BinderKind, Function, MapSort, Op, Sort, Term, Terms, Version};

/// What a formula mentions.
#[derive(Clone, Copy, Default)]
struct Mentions {
    /// A constant map or a lambda over a sort that may be finite.
    map: bool,
    /// A quantifier over a sort that may be finite.
    quantifier: bool,
}

impl Mentions {
    fn or(self, other: Mentions) -> Mentions {
        Mentions {
            map: self.map || other.map,
            quantifier: self.quantifier || other.quantifier,
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
        self.elementwise(axioms)
    }

    /// The formulas of a question under the axioms.
    pub(super) fn question(&mut self, formulas: &[Term]) -> Vec<Term> {
        let own = self.mentioned(formulas);
        match own.map && (own.quantifier || self.axioms.quantifier) {
            true => self.elementwise(formulas),
            false => formulas.to_vec(),
        }
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
            let own = Mentions {
                map: map_sort(self.terms, term).is_some(),
                quantifier: match self.terms.op(term) {
                    Op::Bind(binder) if binder.kind != BinderKind::Lambda => {
                        let mut sorts = binder.vars.iter().map(|&var| self.terms.sort(var));
                        sorts.any(may_be_finite)
                    }
                    _ => false,
                },
            };
            self.known.insert(term, below.or(own));
        }
        let all = roots.iter().map(|root| self.known[root]);
        all.fold(Mentions::default(), Mentions::or)
    }

    /// The formulas with symbols for such maps, and what defines the symbols.
    fn elementwise(&mut self, roots: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let mut done: HashMap<Term, Term> = HashMap::new();
        let mut definitions: BTreeSet<Term> = BTreeSet::new();
        for term in terms.post_order(roots) {
            let args: Vec<Term> = terms.args(term).iter().map(|arg| done[arg]).collect();
            let built = match args[..] == *terms.args(term) {
                true => term,
                false => terms.rebuild(terms.node(term), &args),
            };
            let result = match map_sort(terms, built) {
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

/// Whether a quantifier can say that there are finitely many values of a sort, and the solver would not
/// know: uninterpreted sorts, and all that is made of them.
fn may_be_finite(sort: &Sort) -> bool {
    match sort {
        Sort::Uninterpreted(_) => true,
        Sort::Map(map) => map.domain.iter().any(may_be_finite) || may_be_finite(&map.range),
        Sort::Datatype(datatype) => {
            let constructors = datatype.constructors.iter();
            let mut fields = constructors.flat_map(|constructor| &constructor.fields);
            fields.any(|(_, sort)| may_be_finite(sort))
        }
        Sort::Bool
        | Sort::Int
        | Sort::Real
        | Sort::BitVec(_)
        | Sort::Float(..)
        | Sort::RoundingMode
        | Sort::String
        | Sort::RegEx => false,
        // Of any elements there are as many as there are lengths, and more.
        Sort::Seq(_) => false,
    }
}

/// The sort of a constant map or a lambda over such sorts; `None` for anything else.
fn map_sort(terms: &Terms, term: Term) -> Option<Arc<MapSort>> {
    let is_one = match terms.op(term) {
        Op::ConstMap => true,
        Op::Bind(binder) => binder.kind == BinderKind::Lambda,
        _ => false,
    };
    match terms.sort(term) {
        Sort::Map(sort) if is_one && sort.domain.iter().any(may_be_finite) => Some(sort.clone()),
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
