//! Which literals are the same.
//!
//! Sound: two terms get one literal only if they are true for the same values, and opposite literals only if one is true where the other
//! one is false. The rules of clauses rest on that alone.

use std::collections::HashMap;
use std::ops::Not;

use crate::linear::{Bound, Comparison, Form, Sum, at_most_zero, equation, is_integer};
use crate::term::{Graph, Id, Op, Sort};

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    fn new(atom: usize, is_positive: bool) -> Lit {
        let atom = u32::try_from(atom).expect("fewer than 2^31 atoms");
        Lit(2 * atom + u32::from(!is_positive))
    }

    /// The number of what it is about.
    pub(crate) fn atom(self) -> usize {
        self.0 as usize / 2
    }

    pub(crate) fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The literal, or its negation.
    pub(crate) fn signed(self, is_positive: bool) -> Lit {
        if is_positive { self } else { !self }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What literals are about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    True,
    /// A term that is no comparison.
    Term(Id),
    /// Two terms that are no numbers are equal; the smaller one comes first.
    Same(Id, Id),
    Bound(Bound),
}

/// The terms, and the literals that are about them.
#[derive(Debug)]
pub(crate) struct Literals {
    pub(crate) graph: Graph,
    atoms: Vec<Atom>,
    numbers: HashMap<Atom, usize>,
    /// By term.
    known: Vec<Option<Lit>>,
}

impl Literals {
    pub(crate) fn new() -> Literals {
        Literals {
            graph: Graph::default(),
            atoms: vec![Atom::True],
            numbers: HashMap::from([(Atom::True, 0)]),
            known: Vec::new(),
        }
    }

    /// How many atoms there are by now.
    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(crate) fn atom(&self, lit: Lit) -> &Atom {
        &self.atoms[lit.atom()]
    }

    pub(crate) fn atom_numbered(&self, number: usize) -> &Atom {
        &self.atoms[number]
    }

    fn intern(&mut self, atom: Atom) -> Lit {
        if let Some(&number) = self.numbers.get(&atom) {
            return Lit::new(number, true);
        }
        let number = self.atoms.len();
        self.atoms.push(atom.clone());
        self.numbers.insert(atom, number);
        Lit::new(number, true)
    }

    /// The literal that a term is; the term is a `Bool`.
    pub(crate) fn of(&mut self, id: Id) -> Lit {
        self.known.resize(self.graph.len(), None);
        if let Some(lit) = self.known[id] {
            return lit;
        }
        let (mut inner, mut is_positive) = (id, true);
        while let Op::Not = self.graph.node(inner).op {
            inner = self.graph.node(inner).args[0];
            is_positive = !is_positive;
        }
        let node = self.graph.node(inner);
        let lit = match (&node.op, &node.args[..]) {
            (Op::Bool(value), _) => Lit::TRUE.signed(*value),
            (Op::Le | Op::Lt, &[left, right]) => {
                let is_strict = node.op == Op::Lt;
                let sum = Sum::difference(&self.graph, left, right);
                self.at_most_zero(&sum, is_strict)
            }
            (Op::Eq, &[left, right]) if matches!(self.graph.sort(left), Sort::Other(_)) => {
                self.same(left, right)
            }
            _ => self.intern(Atom::Term(inner)),
        };
        let lit = lit.signed(is_positive);
        self.known[id] = Some(lit);
        lit
    }

    /// Two terms of one sort, which is not that of numbers or truth values, are equal.
    pub(crate) fn same(&mut self, left: Id, right: Id) -> Lit {
        if left == right {
            return Lit::TRUE;
        }
        self.intern(Atom::Same(left.min(right), left.max(right)))
    }

    /// `sum <= 0`, or `sum < 0`.
    pub(crate) fn at_most_zero(&mut self, sum: &Sum, is_strict: bool) -> Lit {
        match at_most_zero(&self.graph, sum, is_strict) {
            Comparison::Constant(value) => Lit::TRUE.signed(value),
            Comparison::Bound(bound, is_positive) => {
                self.intern(Atom::Bound(bound)).signed(is_positive)
            }
        }
    }

    /// The two literals whose conjunction is `sum == 0`.
    pub(crate) fn zero(&mut self, sum: &Sum) -> [Lit; 2] {
        let Some((form, value)) = equation(sum) else {
            let is_zero = sum.constant == num_traits::Zero::zero();
            return [Lit::TRUE.signed(is_zero); 2];
        };
        if is_integer(&self.graph, &form) && !value.is_integer() {
            return [Lit::FALSE; 2];
        }
        [self.at_most_zero(sum, false), !self.at_most_zero(sum, true)]
    }

    /// The term that a literal is, or its negation, if that is an equation of numbers.
    pub(crate) fn equation_term(&self, lit: Lit) -> Option<Id> {
        let &Atom::Term(id) = self.atom(lit) else {
            return None;
        };
        let node = self.graph.node(id);
        let is_equation = node.op == Op::Eq && self.graph.sort(node.args[0]).is_arithmetic();
        is_equation.then_some(id)
    }

    /// The form and the value of an equation of numbers, by the literal that is positive where it holds.
    pub(crate) fn equation(&self, lit: Lit) -> Option<(Form, num_rational::BigRational)> {
        let args = &self.graph.node(self.equation_term(lit)?).args;
        equation(&Sum::difference(&self.graph, args[0], args[1]))
    }
}
