//! Values that SMT-LIB leaves open: quotients by zero, and fields that another constructor has.
//!
//! They are the same each time. Here they may be anything each time, which allows more, so that a proof counts. A derivation counts
//! where they do not matter: that is what [`Unspecified::settled`] says.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ult_core::formula::{Function, Op, Sort, Term, Terms, Version};

/// What selectors give that do not fit are variables with this name.
const WRONG_FIELD: &str = "wrong field";

/// What a selector gives that does not fit (SMT-LIB 2.6, 4.2.3): a variable of its own for each application.
pub(super) fn wrong_field(terms: &Terms, sort: Sort) -> Term {
    terms.fresh_aux(WRONG_FIELD, sort)
}

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

/// Which values are left open.
pub(super) struct Unspecified {
    zero_division: HashSet<Arc<Function>>,
}

impl Unspecified {
    /// These functions stand for quotients by zero.
    pub(super) fn new(zero_division: &[Arc<Function>]) -> Unspecified {
        Unspecified {
            zero_division: zero_division.iter().cloned().collect(),
        }
    }

    fn is_one(&self, terms: &Terms, term: Term) -> bool {
        match terms.op(term) {
            Op::Apply(function) => self.zero_division.contains(function),
            _ => is_wrong_field(terms, term),
        }
    }

    /// A formula that implies this one. Where it is true, both are, whatever the open values are, and so are these terms the same.
    /// If it is this formula, then that is so wherever it is true.
    pub(super) fn settled(&self, terms: &Terms, formula: Term, others: &[Term]) -> Term {
        let roots: Vec<Term> = [formula]
            .into_iter()
            .chain(others.iter().copied())
            .collect();
        let mut open = HashSet::new();
        for term in terms.post_order(&roots) {
            if self.is_one(terms, term) || terms.args(term).iter().any(|arg| open.contains(arg)) {
                open.insert(term);
            }
        }
        if open.is_empty() {
            return formula;
        }
        // What the formula says anyway. Conditions are about parts of terms, so no two of them depend on each other.
        let known = terms.conjuncts(formula).into_iter().collect();
        let mut settling = Settling {
            unspecified: self,
            terms,
            known,
            open,
            done: HashMap::new(),
        };
        let mut parts = vec![settling.formula(formula, true)];
        parts.extend(others.iter().map(|&term| settling.condition(term)));
        terms.and(parts)
    }

    /// Conditions under which no open value in the term matters; false if there are none that are known.
    fn conditions(&self, terms: &Terms, root: Term) -> Vec<Term> {
        if self.is_one(terms, root) {
            return vec![terms.ff()];
        }
        let mut conditions = Vec::new();
        for term in terms.post_order(&[root]) {
            for (i, &arg) in terms.args(term).iter().enumerate() {
                if !self.is_one(terms, arg) {
                    continue;
                }
                // Quotients and fields are written as cases.
                match (terms.op(term), i) {
                    (Op::Ite, 1) => conditions.push(terms.not(terms.args(term)[0])),
                    (Op::Ite, 2) => conditions.push(terms.args(term)[0]),
                    _ => return vec![terms.ff()],
                }
            }
        }
        let is_bound = |term: Term| {
            let var = terms.as_var(term);
            var.is_some_and(|var| matches!(var.version, Version::Bound(_)))
        };
        match terms.free_vars(&conditions).into_iter().any(is_bound) {
            true => vec![terms.ff()],
            false => conditions,
        }
    }
}

struct Settling<'a> {
    unspecified: &'a Unspecified,
    terms: &'a Terms,
    known: HashSet<Term>,
    /// The terms with open values in them.
    open: HashSet<Term>,
    done: HashMap<(Term, bool), Term>,
}

impl Settling<'_> {
    /// A condition, beside what is known, under which no open value in the term matters.
    fn condition(&self, term: Term) -> Term {
        let conditions = self.unspecified.conditions(self.terms, term).into_iter();
        let conditions = conditions.flat_map(|condition| self.terms.conjuncts(condition));
        let is_new = |condition: &Term| !self.known.contains(condition);
        self.terms.and(conditions.filter(is_new))
    }

    /// A formula without open values that implies this one; or, if not `stronger`, that it implies.
    fn formula(&mut self, formula: Term, stronger: bool) -> Term {
        if let Some(&done) = self.done.get(&(formula, stronger)) {
            return done;
        }
        let settled = match self.open.contains(&formula) {
            true => stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
                self.settle(formula, stronger)
            }),
            false => formula,
        };
        self.done.insert((formula, stronger), settled);
        settled
    }

    fn settle(&mut self, formula: Term, stronger: bool) -> Term {
        let terms = self.terms;
        let args = terms.args(formula);
        match terms.op(formula) {
            op @ (Op::And | Op::Or) => {
                let parts: Vec<Term> = args.iter().map(|&a| self.formula(a, stronger)).collect();
                match op {
                    _ if parts == args => formula,
                    Op::And => terms.and(parts),
                    _ => terms.or(parts),
                }
            }
            Op::Not => terms.not(self.formula(args[0], !stronger)),
            Op::Ite if !self.open.contains(&args[0]) => {
                let [yes, no] = [args[1], args[2]].map(|part| self.formula(part, stronger));
                terms.ite(args[0], yes, no)
            }
            _ => {
                debug_assert_eq!(*terms.sort(formula), Sort::Bool);
                let condition = self.condition(formula);
                match stronger {
                    true => terms.and2(condition, formula),
                    false => terms.or2(terms.not(condition), formula),
                }
            }
        }
    }
}
