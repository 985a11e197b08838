//! Which literals are the same.
//!
//! Sound: two terms get one literal only if they are true for the same values, and opposite literals only if one is true where the other
//! one is false: comparisons of numbers by [`crate::linear`], truth values about words by [`crate::bits::wire`], and words that agree in all
//! bits are equal. The rules of clauses rest on that alone.

use std::collections::HashMap;
use std::ops::Not;

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::bits::{Bit, Kind, Part, Words as _, wire};
use crate::linear::{Bound, Comparison, Form, Sum, at_most_zero, equation, is_integer};
use crate::term::{Graph, Id, Op, Sort};

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    pub(crate) fn new(atom: usize, is_positive: bool) -> Lit {
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

    /// Without the negation.
    pub(crate) fn positive(self) -> Lit {
        self.signed(self.is_positive())
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
    /// A form of numbers has this value.
    Equation(Form, BigRational),
    /// A truth value about words that is no wire.
    Bits(Bit<Id>),
}

/// The terms, and the literals that are about them.
#[derive(Debug)]
pub(crate) struct Literals {
    pub(crate) graph: Graph,
    atoms: Vec<Atom>,
    numbers: HashMap<Atom, usize>,
    /// By term.
    known: Vec<Option<Lit>>,
    /// By atom of an equation of numbers: all terms that it is, so far.
    written: HashMap<usize, Vec<Id>>,
}

impl Literals {
    pub(crate) fn new() -> Literals {
        Literals {
            graph: Graph::default(),
            atoms: vec![Atom::True],
            numbers: HashMap::from([(Atom::True, 0)]),
            known: Vec::new(),
            written: HashMap::new(),
        }
    }

    /// How many atoms there are by now.
    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(crate) fn atom(&self, lit: Lit) -> &Atom {
        &self.atoms[lit.atom()]
    }

    /// Adds the term of a line.
    pub(crate) fn add(&mut self, line: &str) -> Result<(), String> {
        self.graph.add(line)?;
        let id = self.graph.len() - 1;
        if let (Op::Eq, &[left, _]) = (&self.graph.node(id).op, &self.graph.node(id).args[..])
            && self.graph.sort(left).is_arithmetic()
        {
            let atom = self.of(id).atom();
            self.written.entry(atom).or_default().push(id);
        }
        Ok(())
    }

    /// The terms that say what an equation of numbers says.
    pub(crate) fn written(&self, lit: Lit) -> &[Id] {
        self.written.get(&lit.atom()).map_or(&[], |terms| terms)
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
            (Op::Eq, &[left, right]) if *self.graph.sort(left) != Sort::Bool => {
                self.equal(left, right)
            }
            (Op::Bit(kind, k, i), &[a, ..]) => {
                let (kind, k, i) = (*kind, *k, *i);
                let b = node.args.last().copied().unwrap_or(a);
                self.bit(Bit { kind, k, i, a, b })
            }
            (Op::Compare(kind, is_positive), &[left, right]) => {
                let (kind, is_positive) = (*kind, *is_positive);
                let (a, b) = if is_positive {
                    (left, right)
                } else {
                    (right, left)
                };
                let i = if kind == Kind::Less {
                    0
                } else {
                    self.graph.width(left)
                };
                let k = 0;
                self.bit(Bit { kind, k, i, a, b }).signed(is_positive)
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

    /// A truth value about words.
    pub(crate) fn bit(&mut self, bit: Bit<Id>) -> Lit {
        let part = wire(&self.graph, bit);
        self.part(part)
    }

    /// What a gate depends on.
    pub(crate) fn part(&mut self, part: Part<Id>) -> Lit {
        match part {
            Part::Constant(value) => Lit::TRUE.signed(value),
            Part::Truth(id) => self.of(id),
            Part::Bit(bit, is_positive) => {
                // Words that agree in all bits are equal.
                let is_whole = bit.kind == Kind::Agree && bit.i == self.graph.width(bit.a);
                let lit = match is_whole {
                    true => self.same(bit.a, bit.b),
                    false => self.intern(Atom::Bits(bit)),
                };
                lit.signed(is_positive)
            }
        }
    }

    /// Two terms of one sort, which is not that of truth values, are equal.
    pub(crate) fn equal(&mut self, left: Id, right: Id) -> Lit {
        match self.graph.sort(left).is_arithmetic() {
            true => self.zero(&Sum::difference(&self.graph, left, right)),
            false => self.same(left, right),
        }
    }

    /// `sum == 0`.
    pub(crate) fn zero(&mut self, sum: &Sum) -> Lit {
        match equation(sum) {
            None => Lit::TRUE.signed(sum.constant.is_zero()),
            Some((form, value)) if is_integer(&self.graph, &form) && !value.is_integer() => {
                Lit::FALSE
            }
            Some((form, value)) => self.intern(Atom::Equation(form, value)),
        }
    }

    /// The two literals whose conjunction an equation of numbers is.
    pub(crate) fn bounds(&mut self, form: &Form, value: &BigRational) -> [Lit; 2] {
        let bound = |is_strict| Bound {
            form: form.clone(),
            limit: value.clone(),
            is_strict,
        };
        let is_whole = is_integer(&self.graph, form);
        let mut less = bound(!is_whole);
        if is_whole {
            less.limit -= BigRational::from_integer(1.into());
        }
        let less = self.intern(Atom::Bound(less));
        [self.intern(Atom::Bound(bound(false))), !less]
    }
}
