//! Which terms have to be represented in the same way.

use std::collections::{HashMap, HashSet};

use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// Classes of terms (union-find), each with the marks of all its members.
#[derive(Default)]
pub(super) struct Classes {
    parent: HashMap<Term, Term>,
    marked: [HashSet<Term>; 2],
}

impl Classes {
    fn above(&self, term: Term) -> Term {
        let mut root = term;
        while let Some(&above) = self.parent.get(&root) {
            root = above;
        }
        root
    }

    fn root(&mut self, term: Term) -> Term {
        let root = self.above(term);
        let mut next = term;
        while let Some(&above) = self.parent.get(&next) {
            if above != root {
                self.parent.insert(next, root);
            }
            next = above;
        }
        root
    }

    /// Makes one class of two.
    pub(super) fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        self.parent.insert(a, b);
        for marked in &mut self.marked {
            if marked.remove(&a) {
                marked.insert(b);
            }
        }
    }

    /// Marks the class of a term with one of two marks.
    pub(super) fn mark(&mut self, term: Term, mark: usize) {
        let root = self.root(term);
        self.marked[mark].insert(root);
    }

    /// Whether the class of a term has the first mark and not the second.
    pub(super) fn only_first(&self, term: Term) -> bool {
        let root = self.above(term);
        self.marked[0].contains(&root) && !self.marked[1].contains(&root)
    }

    /// Joins the bit-vectors that are instances of one variable, that are compared with each
    /// other, or between which a choice is made.
    pub(super) fn join_equals(&mut self, terms: &Terms, order: &[Term]) {
        let mut variables: HashMap<(&str, &Sort), Term> = HashMap::new();
        for &term in order {
            let args = terms.args(term);
            match terms.op(term) {
                Op::Var(var) if is_bits(terms, term) => {
                    let key = (&*var.name, terms.sort(term));
                    let first = *variables.entry(key).or_insert(term);
                    self.join(term, first);
                }
                Op::Eq if is_bits(terms, args[0]) => self.join_all(terms, args),
                Op::Ite if is_bits(terms, term) => self.join_all(terms, &[term, args[1], args[2]]),
                _ => {}
            }
        }
    }

    /// Makes one class of all terms that are no constants.
    pub(super) fn join_all(&mut self, terms: &Terms, members: &[Term]) {
        let mut members = members.iter().filter(|&&t| !is_constant(terms, t));
        if let Some(&first) = members.next() {
            members.for_each(|&member| self.join(member, first));
        }
    }
}

/// Whether a term is a bit-vector.
pub(super) fn is_bits(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::BitVec(_))
}

/// Whether a term is a literal bit-vector.
pub(super) fn is_constant(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::BitVec(_))
}

const SIGNED: usize = 0;
const UNSIGNED: usize = 1;

/// Which bit-vectors are read as signed numbers.
#[derive(Default)]
pub(super) struct Signs {
    classes: Classes,
    everywhere: bool,
}

impl Signs {
    /// Looks at how the bit-vectors in the formulas are used: what is only compared and divided
    /// as a signed number is read as one.
    pub(super) fn find(terms: &Terms, formulas: &[Term]) -> Signs {
        let mut classes = Classes::default();
        let order = terms.post_order(formulas);
        classes.join_equals(terms, &order);
        for term in order {
            let args = terms.args(term);
            let mark = match terms.op(term) {
                Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Neg | BvOp::Mul) => {
                    classes.join_all(terms, args);
                    classes.join_all(terms, &[term, args[0]]);
                    classes.join_all(terms, &[term, args[args.len() - 1]]);
                    continue;
                }
                Op::Bv(BvOp::Slt | BvOp::Sle | BvOp::Sdiv | BvOp::Srem | BvOp::Smod) => SIGNED,
                Op::Bv(BvOp::Ashr) | Op::SignExtend(_) => SIGNED,
                Op::Bv(BvOp::Ult | BvOp::Ule | BvOp::Udiv | BvOp::Urem) => UNSIGNED,
                Op::Bv(BvOp::Lshr) | Op::ZeroExtend(_) => UNSIGNED,
                _ => continue,
            };
            for &arg in args.iter().filter(|&&arg| !is_constant(terms, arg)) {
                classes.mark(arg, mark);
            }
        }
        Signs {
            classes,
            everywhere: false,
        }
    }

    /// Everything is signed.
    #[cfg(test)]
    pub(super) fn everywhere() -> Signs {
        Signs {
            everywhere: true,
            ..Signs::default()
        }
    }

    /// Whether a bit-vector is read as a signed number.
    pub(super) fn is_signed(&self, term: Term) -> bool {
        self.everywhere || self.classes.only_first(term)
    }
}
