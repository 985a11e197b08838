//! Quantified formulas, by instances and witnesses.
//!
//! What holds for all values is stated for terms that occur: where a variable is an argument of a function, or an index of a map, its values are
//! the arguments of the same function, or the indices of such maps, in the formulas that hold now. (Bradley, Manna, Sipma, "What's
//! decidable about arrays?", VMCAI 2006, where these are enough; de Moura, Bjørner, "Efficient E-matching for SMT solvers", CADE
//! 2007.) What holds for some value gets a witness.

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};

use super::atoms::Atom;
use super::clause::Lit;
use super::instances::Round;
use ult_core::formula::{BinderKind, BvOp, Op, Sort, Term};

/// One question has no more instances than this.
const MOST: usize = 600;

/// One formula has no more instances in one round.
const MOST_AT_ONCE: usize = 40;

/// Terms that a variable without arguments is tried with.
const MOST_GUESSES: usize = 6;

/// Why a formula is valid that follows from no operator alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Derivation {
    /// A quantified formula, and terms for its variables: it implies its instance if it holds for all, and the other way round.
    Instance(Term, Vec<Term>),
    /// The same the other way round, with witnesses.
    Witness(Term, Vec<Term>),
    /// It is an equation of the same polynomial.
    Polynomial,
    /// The equation of two maps holds if they are equal at these witnesses.
    Maps(Term, Vec<Term>),
}

/// Values of some of the variables.
type Match = IndexMap<Term, Term>;

impl Round<'_, '_> {
    /// Instances of the quantified formulas that have a value.
    pub(super) fn quantifiers(&mut self, asserted: &[Lit]) {
        let terms = self.atoms.terms;
        for &lit in asserted {
            let &Atom::Opaque(whole) = self.atoms.atom(lit.var()) else {
                continue;
            };
            let Op::Bind(binder) = terms.op(whole) else {
                continue;
            };
            let is_forall = binder.kind == BinderKind::Forall;
            if binder.kind == BinderKind::Lambda {
                continue;
            }
            if is_forall == lit.is_positive() {
                for values in self.candidates(whole, &binder.vars) {
                    self.instance(whole, values, is_forall);
                }
            } else if self.instances.met.insert(whole) {
                let step = self.step(self.atoms.span(lit.var()), [whole, whole]);
                let sorts = binder.vars.iter().map(|&var| terms.sort(var).clone());
                let values: Vec<Term> = sorts
                    .map(|sort| self.atoms.local(step, "witness", sort))
                    .collect();
                let (formula, instance) = self.instance_of(whole, &values);
                let formula = match is_forall {
                    true => terms.or2(formula, terms.not(instance)),
                    false => terms.or2(terms.not(formula), instance),
                };
                self.derived(step, formula, Derivation::Witness(whole, values));
            }
        }
    }

    fn instance_of(&self, whole: Term, values: &[Term]) -> (Term, Term) {
        let terms = self.atoms.terms;
        let Op::Bind(binder) = terms.op(whole) else {
            unreachable!("{whole:?} is not quantified");
        };
        let map = binder.vars.iter().copied().zip(values.iter().copied());
        (
            whole,
            terms.substitute(terms.args(whole)[0], &map.collect()),
        )
    }

    fn instance(&mut self, whole: Term, values: Vec<Term>, is_forall: bool) {
        let terms = self.atoms.terms;
        let (formula, instance) = self.instance_of(whole, &values);
        let formula = match is_forall {
            true => terms.or2(terms.not(formula), instance),
            false => terms.or2(formula, terms.not(instance)),
        };
        let Some(scope) = self.atoms.common_scope([whole, formula]) else {
            return;
        };
        let step = self.step(scope, [whole, whole]);
        self.derived(step, formula, Derivation::Instance(whole, values));
    }

    /// Adds a valid formula that something special says.
    pub(super) fn derived(&mut self, step: usize, formula: Term, derivation: Derivation) {
        let derivations = &mut self.instances.derivations;
        derivations.entry(formula).or_insert(derivation);
        self.add(step, formula);
    }

    /// Terms for the variables of a formula, those that were not tried yet.
    fn candidates(&mut self, whole: Term, vars: &[Term]) -> Vec<Vec<Term>> {
        if self.instances.quantified >= MOST {
            return Vec::new();
        }
        let terms = self.atoms.terms;
        let mut single: HashMap<Term, IndexSet<Term>> = HashMap::new();
        let mut all: IndexSet<Vec<Term>> = IndexSet::new();
        for pattern in terms.post_order(&[terms.args(whole)[0]]) {
            for ground in self.active.clone() {
                let Some(found) = self.matched(pattern, ground, vars) else {
                    continue;
                };
                if found.len() == vars.len() {
                    all.insert(vars.iter().map(|var| found[var]).collect());
                } else {
                    for (var, value) in found {
                        single.entry(var).or_default().insert(value);
                    }
                }
            }
        }
        // All ways to combine what was found for single variables.
        let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
        for &var in vars {
            let mut values = single.remove(&var).unwrap_or_default();
            if values.is_empty() && all.is_empty() {
                values.extend(self.guesses(terms.sort(var)));
            }
            let extended = |row: &Vec<Term>| {
                let values = values.iter().map(|&value| [&row[..], &[value]].concat());
                values.collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(extended).take(MOST_AT_ONCE).collect();
        }
        all.extend(rows);
        let tried = &mut self.instances.tried;
        all.retain(|values| tried.insert((whole, values.clone())));
        all.truncate(MOST_AT_ONCE);
        self.instances.quantified += all.len();
        all.into_iter().collect()
    }

    /// Terms of a sort.
    fn guesses(&self, sort: &Sort) -> Vec<Term> {
        let terms = self.atoms.terms;
        let columns = self.atoms.columns().map(|(term, _)| term);
        let args = self
            .active
            .iter()
            .flat_map(|&term| terms.args(term).to_vec());
        let of_sort = args.chain(columns).filter(|&term| terms.sort(term) == sort);
        let found: IndexSet<Term> = of_sort.filter(|&term| !terms.has_binder(term)).collect();
        found.into_iter().take(MOST_GUESSES).collect()
    }

    /// The variables in a part of a body, as arguments, by the same arguments of a term that occurs.
    fn matched(&self, pattern: Term, ground: Term, vars: &[Term]) -> Option<Match> {
        let terms = self.atoms.terms;
        let (args, values) = (terms.args(pattern), terms.args(ground));
        let is_like = match (terms.op(pattern), terms.op(ground)) {
            (Op::Select, Op::Select) => true,
            // What is stored at an index is read there.
            (Op::Select, Op::Store) => true,
            (Op::Apply(_) | Op::Builtin(_), op) => op == terms.op(pattern),
            _ => false,
        };
        let is_sorted = args
            .iter()
            .zip(values)
            .all(|(&a, &b)| terms.sort(a) == terms.sort(b));
        if !is_like || !is_sorted {
            return None;
        }
        let mut found = Match::new();
        for (&arg, &value) in args.iter().zip(values) {
            for &var in vars {
                if let Some(value) = self.solved(arg, var, value) {
                    found.entry(var).or_insert(value);
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The value of a variable for which an argument, the variable or a sum with it, is a term.
    fn solved(&self, arg: Term, var: Term, value: Term) -> Option<Term> {
        let terms = self.atoms.terms;
        if arg == var {
            return Some(value);
        }
        let rest = match (terms.op(arg), terms.args(arg)) {
            (Op::Add, args) | (Op::Bv(BvOp::Add), args) if args.contains(&var) => {
                let zero = match terms.sort(var) {
                    Sort::Int => terms.int(0),
                    Sort::BitVec(width) => terms.bitvec(0u32.into(), *width),
                    _ => return None,
                };
                terms.substitute(arg, &HashMap::from([(var, zero)]))
            }
            _ => return None,
        };
        if terms.has_binder(rest) {
            return None;
        }
        Some(match terms.sort(var) {
            Sort::Int => terms.sub(value, rest),
            _ => terms.bv(BvOp::Sub, &[value, rest]),
        })
    }
}
