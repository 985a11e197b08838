//! Formulas prepared for Spacer, and back.
//!
//! Spacer knows no free symbols, so rigid constants become variables that are arguments of the
//! predicates, and rigid functions become maps that are such arguments. Quantified parts are left
//! out: replaced by unknown values, which allows more.

use std::collections::HashMap;
use std::sync::Arc;

use crate::answer::Failure;
use crate::session::Session;
use indexmap::IndexSet;
use ult_core::formula::{Function, Op, Sort, Term};

/// Formulas prepared for Spacer: rigid symbols turned into variables, binders left out.
pub(super) struct Opened<'a, 't> {
    session: &'a Session<'t>,
    /// The variable for each rigid symbol met, and back.
    pub(super) symbols: indexmap::IndexMap<Arc<Function>, Term>,
    pub(super) back: HashMap<Term, Arc<Function>>,
    /// Something was left out.
    pub(super) abstracted: bool,
    /// What variables that stand for quotients and remainders mean; part of the next formula.
    definitions: Vec<Term>,
}

impl<'a, 't> Opened<'a, 't> {
    pub(super) fn new(session: &'a Session<'t>) -> Self {
        Opened {
            session,
            symbols: indexmap::IndexMap::new(),
            back: HashMap::new(),
            abstracted: false,
            definitions: Vec::new(),
        }
    }

    /// A formula, with what belongs to the terms prepared before it.
    pub(super) fn formula(&mut self, formula: Term) -> Term {
        let formula = self.term(formula);
        let definitions = std::mem::take(&mut self.definitions);
        self.session
            .terms()
            .and(definitions.into_iter().chain([formula]))
    }

    /// A term. The next formula says what its new variables mean.
    pub(super) fn term(&mut self, formula: Term) -> Term {
        let terms = self.session.terms();
        // Binders first: what is inside them is gone with them.
        let mut abstracted = false;
        let plain = terms.rewrite(formula, |t| {
            matches!(terms.op(t), Op::Bind(_)).then(|| {
                abstracted = true;
                self.session.placeholder(t)
            })
        });
        self.abstracted |= abstracted;
        let order = terms.post_order(&[plain]);
        let mut new: HashMap<Term, Term> = HashMap::with_capacity(order.len());
        for t in order {
            let node = terms.node(t);
            let args: Vec<Term> = node.args.iter().map(|a| new[a]).collect();
            let result = match &node.op {
                Op::Apply(function) => {
                    let symbol = self.symbol(function);
                    if args.is_empty() {
                        symbol
                    } else {
                        terms.select(symbol, &args)
                    }
                }
                _ if args.is_empty() => t,
                Op::Div | Op::Mod | Op::RealDiv if terms.as_number(args[1]).is_none() => {
                    let quotient = terms.rebuild(node, &args);
                    self.quotient(quotient)
                }
                _ => terms.rebuild(node, &args),
            };
            new.insert(t, result);
        }
        new[&plain]
    }

    /// The variable for a quotient or remainder by a divisor that is no number: Spacer takes such
    /// operators for free symbols. What they are for zero does not matter.
    fn quotient(&mut self, term: Term) -> Term {
        let terms = self.session.terms();
        let (left, right) = match (terms.op(term), terms.args(term)) {
            (Op::Div | Op::Mod | Op::RealDiv, &[left, right]) => (left, right),
            _ => return term,
        };
        let zero = terms.sub(right, right);
        let variable = |t: Term| self.session.placeholder(t);
        let (result, meaning) = if *terms.op(term) == Op::RealDiv {
            let quotient = variable(term);
            (quotient, terms.eq(left, terms.mul(&[right, quotient])))
        } else {
            let (div, rest) = (terms.div(left, right), terms.modulo(left, right));
            let (q, r) = (variable(div), variable(rest));
            let sum = terms.add(&[terms.mul(&[right, q]), r]);
            let size = terms.ite(terms.lt(right, zero), terms.neg(right), right);
            let meaning = terms.and([terms.eq(left, sum), terms.le(zero, r), terms.lt(r, size)]);
            (if term == div { q } else { r }, meaning)
        };
        self.definitions
            .push(terms.or2(terms.eq(right, zero), meaning));
        result
    }

    fn symbol(&mut self, function: &Arc<Function>) -> Term {
        if let Some(&symbol) = self.symbols.get(function) {
            return symbol;
        }
        let symbol = self.session.rigid_variable(function);
        self.symbols.insert(function.clone(), symbol);
        self.back.insert(symbol, function.clone());
        symbol
    }

    /// The background facts that share symbols, directly or through others, with the formulas
    /// opened so far.
    pub(super) fn relevant_axioms(&mut self) -> Term {
        let terms = self.session.terms();
        let mut rest: Vec<(Term, IndexSet<Arc<Function>>)> = self
            .session
            .axioms()
            .iter()
            .map(|&axiom| (axiom, terms.functions(&[axiom])))
            .collect();
        let mut chosen = Vec::new();
        loop {
            let (near, far): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, used)| used.iter().any(|f| self.symbols.contains_key(f)));
            if near.is_empty() {
                return terms.and(chosen);
            }
            for (axiom, _) in near {
                if terms.has_binder(axiom) {
                    self.abstracted = true;
                } else {
                    chosen.push(self.formula(axiom));
                }
            }
            rest = far;
        }
    }

    /// The variables that stand for rigid symbols turned back.
    pub(super) fn close(&self, formula: Term) -> Result<Term, Failure> {
        let terms = self.session.terms();
        let order = terms.post_order(&[formula]);
        let mut new: HashMap<Term, Term> = HashMap::with_capacity(order.len());
        let lost = || Failure::Unsupported("a rigid function as a value in an interpolant".into());
        for t in order {
            let node = terms.node(t);
            let result = match (&node.op, self.back.get(&t)) {
                (_, Some(function)) if function.params.is_empty() => {
                    Some(terms.apply(function, &[]))
                }
                // The map of a function means something only where it is read.
                (_, Some(_)) => None,
                (Op::Select, _) if self.back.contains_key(&node.args[0]) => {
                    let function = &self.back[&node.args[0]];
                    let args: Option<Vec<Term>> =
                        node.args[1..].iter().map(|a| new.get(a).copied()).collect();
                    Some(terms.apply(function, &args.ok_or_else(lost)?))
                }
                _ if node.args.is_empty() => Some(t),
                _ => {
                    let args: Option<Vec<Term>> =
                        node.args.iter().map(|a| new.get(a).copied()).collect();
                    Some(terms.rebuild(node, &args.ok_or_else(lost)?))
                }
            };
            if let Some(result) = result {
                new.insert(t, result);
            }
        }
        new.get(&formula).copied().ok_or_else(lost)
    }
}

impl Session<'_> {
    /// The variable that stands for a rigid symbol in Horn clauses: of the result sort for a
    /// constant, a map for a function.
    fn rigid_variable(&self, function: &Arc<Function>) -> Term {
        let terms = self.terms();
        *self
            .rigid_variables
            .borrow_mut()
            .entry(function.clone())
            .or_insert_with(|| {
                let sort = if function.params.is_empty() {
                    function.result.clone()
                } else {
                    Sort::map(function.params.clone(), function.result.clone())
                };
                terms.fresh_aux(function.name.clone(), sort)
            })
    }

    /// The variable that stands for a quantified formula or lambda that is left out, or for a
    /// quotient.
    fn placeholder(&self, binder: Term) -> Term {
        let terms = self.terms();
        *self
            .placeholders
            .borrow_mut()
            .entry(binder)
            .or_insert_with(|| terms.fresh_aux("left out", terms.sort(binder).clone()))
    }
}
