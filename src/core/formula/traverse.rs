//! Walks over terms, none of them recursive.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::term::{Binder, Function, Op, Term, Terms, Var, Version};

impl Terms {
    /// All different sub-terms of the roots, arguments before their users. Bound variables and
    /// patterns are included where they occur as arguments.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((term, done)) = stack.pop() {
            if done {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(self.args(term).iter().rev().map(|&t| (t, false)));
            }
        }
        order
    }

    /// How many different nodes the term has.
    pub fn size(&self, term: Term) -> usize {
        self.post_order(&[term]).len()
    }

    /// Replaces every sub-term for which `replace` has an answer, and rebuilds what is above.
    /// Replaced terms are not looked into.
    pub fn rewrite(&self, root: Term, mut replace: impl FnMut(Term) -> Option<Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        let mut args = Vec::new();
        while let Some((term, ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let result = if ready {
                let node = self.node(term);
                args.clear();
                args.extend(node.args.iter().map(|t| done[t]));
                if *args == *node.args {
                    term
                } else {
                    self.rebuild(node, &args)
                }
            } else if let Some(result) = replace(term) {
                result
            } else if self.args(term).is_empty() {
                term
            } else {
                stack.push((term, true));
                stack.extend(self.args(term).iter().map(|&t| (t, false)));
                continue;
            };
            done.insert(term, result);
        }
        done[&root]
    }

    /// A term of another store, in this one. Terms that both stores have under the same handle
    /// (from before one was cloned) stay as they are.
    pub fn import(&self, from: &Terms, root: Term) -> Term {
        self.import_all(from, &[root])[0]
    }

    /// As [`Terms::import`], for several terms, which may share much.
    pub fn import_all(&self, from: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in from.post_order(roots) {
            let mut node = from.node(term).clone();
            for arg in &mut node.args {
                *arg = done[arg];
            }
            match &mut node.op {
                // What is bound or existential there must not be mixed up with what is made here.
                Op::Var(Var {
                    version: Version::Bound(number) | Version::Aux(number),
                    ..
                }) => self.skip_fresh(*number),
                Op::Bind(binder) => {
                    let mut own = Binder::clone(binder);
                    for var in &mut own.vars {
                        *var = self.import_leaf(from, *var);
                    }
                    *binder = Arc::new(own);
                }
                _ => {}
            }
            let own = match self.get(term) {
                Some(same) if *same == node => term,
                _ => self.rebuild(&node, &node.args),
            };
            done.insert(term, own);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    /// A variable of another store, in this one.
    fn import_leaf(&self, from: &Terms, var: Term) -> Term {
        let node = from.node(var);
        self.rebuild(node, &[])
    }

    /// Replaces terms by terms, all at once.
    pub fn substitute(&self, root: Term, map: &HashMap<Term, Term>) -> Term {
        if map.is_empty() {
            return root;
        }
        self.rewrite(root, |term| map.get(&term).copied())
    }

    /// Gives every free variable another version.
    pub fn with_versions(&self, root: Term, version: impl Fn(&Var) -> Version) -> Term {
        self.rewrite(root, |term| {
            let var = self.as_var(term)?;
            let new = version(var);
            Some(if new == var.version {
                term
            } else {
                self.var(var.name.clone(), new, self.sort(term).clone())
            })
        })
    }

    /// A state formula over the variables after a transition: `x` becomes `x'`.
    pub fn primed(&self, formula: Term) -> Term {
        self.with_versions(formula, |var| match var.version {
            Version::Current => Version::Next,
            other => other,
        })
    }

    /// A transition formula placed on a path: from position `step` to `step + 1`.
    pub fn at_step(&self, formula: Term, step: u32) -> Term {
        self.with_versions(formula, |var| match var.version {
            Version::Current => Version::At(step),
            Version::Next => Version::At(step + 1),
            Version::Aux(number) => Version::AuxAt(step, number),
            other => other,
        })
    }

    /// The variables that occur in the roots, bound ones excluded, in the order of creation.
    pub fn free_vars(&self, roots: &[Term]) -> Vec<Term> {
        let mut vars: Vec<Term> = self
            .post_order(roots)
            .into_iter()
            .filter(|&t| {
                self.as_var(t)
                    .is_some_and(|v| !matches!(v.version, Version::Bound(_)))
            })
            .collect();
        vars.sort_unstable();
        vars
    }

    /// The names of the program variables of a version that occur in the roots, with a term each.
    pub fn names_of(&self, roots: &[Term], version: Version) -> BTreeMap<Arc<str>, Term> {
        self.free_vars(roots)
            .into_iter()
            .filter_map(|t| {
                let var = self.as_var(t)?;
                (var.version == version).then(|| (var.name.clone(), t))
            })
            .collect()
    }

    /// The rigid symbols that occur in the roots, in the order in which a walk through them finds them.
    pub fn functions(&self, roots: &[Term]) -> IndexSet<Arc<Function>> {
        let all = self.post_order(roots).into_iter();
        all.filter_map(|term| match self.op(term) {
            Op::Apply(function) => Some(function.clone()),
            _ => None,
        })
        .collect()
    }

    /// Whether a quantifier or lambda occurs, or a variable that one binds: a part of a quantified formula says nothing by itself.
    pub fn has_binder(&self, root: Term) -> bool {
        let is_bound = |var: &Var| matches!(var.version, Version::Bound(_));
        self.post_order(&[root])
            .into_iter()
            .any(|t| matches!(self.op(t), Op::Bind(_)) || self.as_var(t).is_some_and(is_bound))
    }

    /// The conjuncts of a formula, nested conjunctions opened.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        self.operands(formula, &Op::And, &Op::Bool(true))
    }

    /// The disjuncts of a formula, nested disjunctions opened.
    pub fn disjuncts(&self, formula: Term) -> Vec<Term> {
        self.operands(formula, &Op::Or, &Op::Bool(false))
    }

    fn operands(&self, formula: Term, op: &Op, neutral: &Op) -> Vec<Term> {
        let mut found = indexmap::IndexSet::new();
        let mut opened = FxHashSet::default();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if self.op(term) == op {
                if opened.insert(term) {
                    stack.extend(self.args(term).iter().rev());
                }
            } else if self.op(term) != neutral {
                found.insert(term);
            }
        }
        found.into_iter().collect()
    }
}
