//! Terms as circuits.
//!
//! What has no circuit (maps, reals, symbols with arguments, quantifiers) is *opaque*: a part of a
//! formula that depends on it becomes a leaf of its own, which may have any value. A circuit with
//! such leaves allows more than the formula.

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use ult_core::formula::{BvOp, Op, Sort, Term, Terms, Var};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bits {
    /// One literal for a truth value, as many as the width for a bit-vector, two's complement of any
    /// width for an integer.
    Word(Rc<[Lit]>),
    /// There is no circuit for it; the text says what for.
    Opaque(Rc<str>),
}

impl Bits {
    /// A word.
    pub fn word(word: impl Into<Rc<[Lit]>>) -> Bits {
        Bits::Word(word.into())
    }
}

/// The values of variables and of symbols without arguments.
pub trait Environment {
    /// The value of a variable.
    fn variable(&mut self, aig: &mut Aig, var: &Var, sort: &Sort) -> Bits;

    /// The value of a symbol without arguments.
    fn symbol(&mut self, name: &str, sort: &Sort) -> Bits;

    /// A leaf for what is opaque.
    fn opaque(&mut self, aig: &mut Aig, why: &Rc<str>) -> Lit;
}

/// Makes circuits of terms, each term once.
pub struct Blaster<'a, E> {
    /// The store of the terms.
    pub terms: &'a Terms,
    /// Where the circuits are built.
    pub aig: &'a mut Aig,
    /// What variables are.
    pub environment: E,
    known: FxHashMap<Term, Bits>,
}

impl<'a, E: Environment> Blaster<'a, E> {
    /// Nothing built yet.
    pub fn new(terms: &'a Terms, aig: &'a mut Aig, environment: E) -> Blaster<'a, E> {
        Blaster {
            terms,
            aig,
            environment,
            known: FxHashMap::default(),
        }
    }

    /// The value of a term.
    pub fn bits(&mut self, root: Term) -> Bits {
        if let Some(bits) = self.known.get(&root) {
            return bits.clone();
        }
        for term in self.terms.post_order(&[root]) {
            if !self.known.contains_key(&term) {
                let bits = self.node(term);
                self.known.insert(term, bits);
            }
        }
        self.known[&root].clone()
    }

    /// The value of a truth value.
    pub fn lit(&mut self, formula: Term) -> Lit {
        match self.bits(formula) {
            Bits::Word(word) if word.len() == 1 => word[0],
            Bits::Word(_) => self.environment.opaque(self.aig, &"a formula".into()),
            Bits::Opaque(why) => self.environment.opaque(self.aig, &why),
        }
    }

    fn node(&mut self, term: Term) -> Bits {
        let node = self.terms.node(term);
        let mut words = Vec::with_capacity(node.args.len());
        let mut opaque = None;
        for arg in &node.args {
            match &self.known[arg] {
                Bits::Word(word) => words.push(word.clone()),
                Bits::Opaque(why) => opaque = opaque.or_else(|| Some(why.clone())),
            }
        }
        let found = match (&node.op, opaque) {
            (Op::Var(var), _) => return self.environment.variable(self.aig, var, &node.sort),
            (Op::Apply(symbol), _) if node.args.is_empty() => {
                return self.environment.symbol(&symbol.name, &node.sort);
            }
            (_, Some(why)) => Err(why),
            (op, None) => self.operator(op, &words, &node.sort, term),
        };
        let why = match found {
            Ok(word) => return Bits::word(word),
            Err(why) => why,
        };
        // What has a fixed width may be any such word.
        let width = match node.sort {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
            _ => return Bits::Opaque(why),
        };
        let word: Word = (0..width)
            .map(|_| self.environment.opaque(self.aig, &why))
            .collect();
        Bits::word(word)
    }

    fn operator(
        &mut self,
        op: &Op,
        args: &[Rc<[Lit]>],
        sort: &Sort,
        term: Term,
    ) -> Result<Word, Rc<str>> {
        let aig = &mut *self.aig;
        let argument_sort = |index: usize| self.terms.sort(self.terms.args(term)[index]);
        let is_integer = |index: usize| *argument_sort(index) == Sort::Int;
        let word = match (op, args) {
            (Op::Bool(value), _) => vec![Lit::constant(*value)],
            (Op::Int(value), _) => words::integer(value),
            (Op::BitVec(value), _) => match sort {
                Sort::BitVec(width) => words::constant(value, *width as usize),
                _ => return Err("a bit-vector without a width".into()),
            },
            (Op::Not, [a]) => vec![!a[0]],
            (Op::And | Op::Or, _) => {
                let lits: Word = args.iter().map(|arg| arg[0]).collect();
                vec![match op {
                    Op::And => aig.all(&lits),
                    _ => aig.any(&lits),
                }]
            }
            (Op::Ite, [condition, a, b]) if *sort == Sort::Int => {
                let (a, b) = Aig::aligned(a, b);
                aig.choose(condition[0], &a, &b)
            }
            (Op::Ite, [condition, a, b]) => aig.choose(condition[0], a, b),
            (Op::Eq, [a, b]) => vec![equal(aig, a, b, is_integer(0))],
            (Op::Distinct, _) => {
                let mut different = Vec::new();
                for (position, a) in args.iter().enumerate() {
                    for b in &args[position + 1..] {
                        different.push(!equal(aig, a, b, is_integer(0)));
                    }
                }
                vec![aig.all(&different)]
            }
            (Op::Add, [first, rest @ ..]) if *sort == Sort::Int => {
                let mut sum = first.to_vec();
                for next in rest {
                    sum = aig.integer_sum(&sum, next);
                    bounded(&sum)?;
                }
                sum
            }
            (Op::Mul, [first, rest @ ..]) if *sort == Sort::Int => {
                let mut product = first.to_vec();
                for next in rest {
                    product = aig.integer_product(&product, next);
                    bounded(&product)?;
                }
                product
            }
            (Op::Div, [a, b]) => aig.integer_division(a, b).0,
            (Op::Mod, [a, b]) => aig.integer_division(a, b).1,
            (Op::Le, [a, b]) if is_integer(0) => {
                let (a, b) = Aig::aligned(a, b);
                vec![!aig.signed_below(&b, &a)]
            }
            (Op::Lt, [a, b]) if is_integer(0) => {
                let (a, b) = Aig::aligned(a, b);
                vec![aig.signed_below(&a, &b)]
            }
            (Op::Bv(op), [a]) => match op {
                BvOp::Not => a.iter().map(|&bit| !bit).collect(),
                BvOp::Neg => aig.negated(a),
                _ => return Err("an operator without its operands".into()),
            },
            (Op::Bv(op), [a, b]) => vector(aig, *op, a, b)?,
            (Op::Extract { high, low }, [a]) => a[*low as usize..*high as usize].to_vec(),
            (Op::ZeroExtend(by), [a]) => {
                let mut word = a.to_vec();
                word.resize(a.len() + *by as usize, Lit::FALSE);
                word
            }
            (Op::SignExtend(by), [a]) => words::extended(a, a.len() + *by as usize),
            _ => return Err(name_of(op, sort).into()),
        };
        Ok(word)
    }
}

/// Integers that are wider than this are given up: products of products.
const WIDEST: usize = 512;

fn bounded(word: &[Lit]) -> Result<(), Rc<str>> {
    match word.len() {
        0..=WIDEST => Ok(()),
        _ => Err("a very large number".into()),
    }
}

fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit], is_integer: bool) -> Lit {
    if is_integer {
        let (a, b) = Aig::aligned(a, b);
        return aig.equal(&a, &b);
    }
    aig.equal(a, b)
}

/// An operator on two bit-vectors.
fn vector(aig: &mut Aig, op: BvOp, a: &[Lit], b: &[Lit]) -> Result<Word, Rc<str>> {
    let word = match op {
        BvOp::And => aig.bitwise(a, b, Aig::and),
        BvOp::Or => aig.bitwise(a, b, Aig::or),
        BvOp::Xor => aig.bitwise(a, b, Aig::xor),
        BvOp::Nand => aig.bitwise(a, b, |aig, a, b| !aig.and(a, b)),
        BvOp::Nor => aig.bitwise(a, b, |aig, a, b| !aig.or(a, b)),
        BvOp::Xnor => aig.bitwise(a, b, Aig::iff),
        BvOp::Add => aig.plus(a, b),
        BvOp::Sub => aig.minus(a, b),
        BvOp::Mul => aig.times(a, b),
        BvOp::Udiv => aig.divided(a, b).0,
        BvOp::Urem => aig.divided(a, b).1,
        BvOp::Sdiv => aig.signed_quotient(a, b),
        BvOp::Srem => aig.signed_remainder(a, b),
        BvOp::Smod => aig.signed_modulus(a, b),
        BvOp::Shl => aig.shifted(a, b, true, Lit::FALSE),
        BvOp::Lshr => aig.shifted(a, b, false, Lit::FALSE),
        BvOp::Ashr => {
            let sign = a.last().copied().unwrap_or(Lit::FALSE);
            aig.shifted(a, b, false, sign)
        }
        BvOp::Ult => vec![aig.below(a, b)],
        BvOp::Ule => vec![!aig.below(b, a)],
        BvOp::Slt => vec![aig.signed_below(a, b)],
        BvOp::Sle => vec![!aig.signed_below(b, a)],
        // The first argument has the upper bits.
        BvOp::Concat => b.iter().chain(a).copied().collect(),
        BvOp::Not | BvOp::Neg => return Err("an operator without its operands".into()),
    };
    Ok(word)
}

/// What an operator without a circuit is, for people.
fn name_of(op: &Op, sort: &Sort) -> &'static str {
    match op {
        Op::Select | Op::Store | Op::ConstMap => "maps",
        Op::Bind(_) => "quantifiers",
        Op::Apply(_) => "uninterpreted functions",
        Op::Builtin(_) => "floating-point numbers",
        Op::Construct(_) | Op::Field { .. } | Op::Is(_) => "datatypes",
        Op::Real(_) | Op::RealDiv | Op::ToReal | Op::ToInt | Op::Le | Op::Lt => "reals",
        _ if *sort == Sort::Real => "reals",
        _ => "an operator without a circuit",
    }
}

/// The widest integer of a variable whose values lie between two numbers.
pub fn width_of_range(low: &BigInt, high: &BigInt) -> usize {
    words::integer(low).len().max(words::integer(high).len())
}
