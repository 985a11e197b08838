//! Binary decision diagrams over atoms of formulas.

use std::collections::HashMap;

use biodivine_lib_bdd::{Bdd, BddPointer, BddVariable, BddVariableSet};
use indexmap::IndexSet;

use ult_core::formula::{Op, Sort, Term, Terms};

/// So many different atoms are told apart in one run.
const MOST_ATOMS: u16 = 8192;

/// A formula whose diagram would have more nodes than this is one atom as a whole.
const MOST_NODES: usize = 10_000;

/// The atoms of a run, and diagrams over them.
pub(super) struct Diagrams {
    variables: BddVariableSet,
    atoms: IndexSet<Term>,
    diagrams: HashMap<Term, Bdd>,
}

impl Diagrams {
    /// No atoms yet.
    pub(super) fn new() -> Diagrams {
        Diagrams {
            variables: BddVariableSet::new_anonymous(MOST_ATOMS),
            atoms: IndexSet::new(),
            diagrams: HashMap::new(),
        }
    }

    /// The diagram of *true*.
    pub(super) fn top(&self) -> Bdd {
        self.variables.mk_true()
    }

    /// The diagram of an atom or a negated one; `None` if there are too many atoms.
    fn literal(&mut self, terms: &Terms, formula: Term) -> Option<Bdd> {
        let (atom, positive) = atom(terms, formula);
        let (index, _) = self.atoms.insert_full(atom);
        let variable = (index < usize::from(MOST_ATOMS)).then(|| BddVariable::from_index(index))?;
        Some(self.variables.mk_literal(variable, positive))
    }

    /// The diagram of a formula; `None` if there are too many atoms.
    pub(super) fn of(&mut self, terms: &Terms, formula: Term) -> Option<Bdd> {
        for term in skeleton(terms, formula) {
            if self.diagrams.contains_key(&term) {
                continue;
            }
            let args = terms.args(term).to_vec();
            let whole = match terms.op(term) {
                _ if is_atom(terms, term) => None,
                Op::Bool(true) => Some(self.variables.mk_true()),
                Op::Bool(false) => Some(self.variables.mk_false()),
                Op::Not => self.diagrams.get(&args[0]).map(Bdd::not),
                Op::And => self.fold(&args, self.variables.mk_true(), Bdd::and),
                Op::Or => self.fold(&args, self.variables.mk_false(), Bdd::or),
                Op::Eq => match &args[..] {
                    [a, b] => self
                        .diagrams
                        .get(a)
                        .zip(self.diagrams.get(b))
                        .map(|(a, b)| a.iff(b)),
                    _ => None,
                },
                Op::Ite => match &args[..] {
                    [c, a, b] => self
                        .diagrams
                        .get(c)
                        .zip(self.diagrams.get(a))
                        .zip(self.diagrams.get(b))
                        .map(|((c, a), b)| Bdd::if_then_else(c, a, b)),
                    _ => None,
                },
                _ => None,
            };
            let diagram = match whole.filter(|bdd| bdd.size() <= MOST_NODES) {
                Some(diagram) => diagram,
                None => self.literal(terms, term)?,
            };
            self.diagrams.insert(term, diagram);
        }
        self.diagrams.get(&formula).cloned()
    }

    fn fold(&self, parts: &[Term], start: Bdd, join: impl Fn(&Bdd, &Bdd) -> Bdd) -> Option<Bdd> {
        let mut whole = start;
        for part in parts {
            whole = join(&whole, self.diagrams.get(part)?);
            if whole.size() > MOST_NODES {
                return None;
            }
        }
        Some(whole)
    }

    /// The formula of a diagram: the literals that it implies, and if-then-else for the rest, so
    /// that its size is linear in that of the diagram.
    pub(super) fn formula(&self, terms: &Terms, diagram: &Bdd) -> Term {
        if diagram.is_false() {
            return terms.ff();
        }
        let mut support: Vec<BddVariable> = diagram.support_set().into_iter().collect();
        support.sort_unstable();
        let mut implied = Vec::new();
        for variable in support {
            for value in [true, false] {
                let opposite = self.variables.mk_literal(variable, !value);
                if diagram.and(&opposite).is_false() {
                    implied.push((variable, value));
                }
            }
        }
        let rest = diagram.restrict(&implied);
        let literals = implied.iter().map(|&(variable, value)| {
            let atom = self.atoms[variable.to_index()];
            if value { atom } else { terms.not(atom) }
        });
        let literals: Vec<Term> = literals.collect();
        terms.and(literals.into_iter().chain([self.decisions(terms, &rest)]))
    }

    /// If-then-else all the way.
    fn decisions(&self, terms: &Terms, diagram: &Bdd) -> Term {
        let mut done: HashMap<BddPointer, Term> = HashMap::from([
            (BddPointer::zero(), terms.ff()),
            (BddPointer::one(), terms.tt()),
        ]);
        let root = diagram.root_pointer();
        let mut stack = vec![root];
        while let Some(&at) = stack.last() {
            if done.contains_key(&at) {
                stack.pop();
                continue;
            }
            let (low, high) = (diagram.low_link_of(at), diagram.high_link_of(at));
            match (done.get(&low), done.get(&high)) {
                (Some(&low), Some(&high)) => {
                    let atom = self.atoms[diagram.var_of(at).to_index()];
                    done.insert(at, terms.ite(atom, high, low));
                }
                (low_done, _) => stack.push(if low_done.is_none() { low } else { high }),
            }
        }
        done[&root]
    }
}

/// Whether a Boolean term is no combination of smaller ones.
fn is_atom(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Bool(_) | Op::Not | Op::And | Op::Or | Op::Ite => false,
        Op::Eq => *terms.sort(terms.args(term)[0]) != Sort::Bool,
        _ => true,
    }
}

/// The atom of a literal in normal form, and whether it stands there without a negation. Two
/// literals with opposite meanings whose normal forms show it have the same atom.
pub(super) fn atom(terms: &Terms, literal: Term) -> (Term, bool) {
    let positive = terms.normalised(literal);
    let negative = terms.normalised(terms.not(positive));
    match terms.op(positive) {
        Op::Not => (negative, false),
        _ if matches!(terms.op(negative), Op::Not) || positive <= negative => (positive, true),
        _ => (negative, false),
    }
}

/// The atoms of a formula.
pub(super) fn atoms(terms: &Terms, formula: Term) -> IndexSet<Term> {
    skeleton(terms, formula)
        .into_iter()
        .filter(|&term| is_atom(terms, term))
        .map(|term| atom(terms, term).0)
        .collect()
}

/// The sub-formulas down to the atoms, arguments before their users.
fn skeleton(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut order = IndexSet::new();
    let mut stack = vec![(formula, false)];
    while let Some((term, done)) = stack.pop() {
        if done || is_atom(terms, term) {
            order.insert(term);
        } else if !order.contains(&term) {
            stack.push((term, true));
            stack.extend(terms.args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    order.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_literals_have_one_atom() {
        let t = Terms::new();
        let x = t.current("x", Sort::Int);
        let low = t.le(x, t.int(3));
        let (a, positive) = atom(&t, low);
        let (b, negative) = atom(&t, t.not(low));
        assert_eq!(a, b);
        assert_ne!(positive, negative);
        let (c, _) = atom(&t, t.gt(x, t.int(3)));
        assert_eq!(a, c);
    }

    #[test]
    fn a_formula_and_the_formula_of_its_diagram_have_one_diagram() {
        let t = Terms::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| t.current(name, Sort::Bool));
        let x = t.current("x", Sort::Int);
        let low = t.le(x, t.int(0));
        let mut diagrams = Diagrams::new();
        for formula in [
            t.and2(p, t.or2(q, low)),
            t.eq(p, t.not(q)),
            t.ite(p, low, t.and2(q, t.not(r))),
            t.and([p, t.not(p)]),
            t.tt(),
        ] {
            let diagram = diagrams.of(&t, formula).unwrap();
            let back = diagrams.formula(&t, &diagram);
            assert_eq!(
                diagrams.of(&t, back).unwrap(),
                diagram,
                "{}",
                t.display(formula)
            );
        }
    }

    #[test]
    fn what_a_diagram_implies_stands_alone() {
        let t = Terms::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| t.current(name, Sort::Bool));
        let mut diagrams = Diagrams::new();
        let formula = t.or([t.and([p, q, r]), t.and([t.not(p), q, t.not(r)])]);
        let diagram = diagrams.of(&t, formula).unwrap();
        assert!(t.conjuncts(diagrams.formula(&t, &diagram)).contains(&q));
    }
}
