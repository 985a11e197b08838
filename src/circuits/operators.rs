//! BTOR2: what operators mean, after table 1 of the paper. As there, and in SMT-LIB, a quotient by
//! zero is all ones, and a remainder by zero the dividend.
//!
//! A word of one bit is a truth value in formulas, and a bit-vector where it is indexed with, is an
//! element of an array, or is computed with.

use num_bigint::BigUint;
use num_traits::One as _;

use ult_core::formula::{BvOp, Sort, Term, Terms};

/// The sort of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words of so many bits.
    Word(u32),
    /// Maps from words to words, of so many bits.
    Array(u32, u32),
}

/// The value of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// As a term: words of one bit are truth values.
    pub term: Term,
    /// The sort.
    pub kind: Kind,
}

impl Kind {
    /// The sort of its terms.
    pub(crate) fn sort(self) -> Sort {
        match self {
            Kind::Word(1) => Sort::Bool,
            Kind::Word(width) => Sort::BitVec(width),
            Kind::Array(index, element) => {
                Sort::map(vec![Sort::BitVec(index)], Sort::BitVec(element))
            }
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Word(1) => f.write_str("a word of 1 bit"),
            Kind::Word(width) => write!(f, "a word of {width} bits"),
            Kind::Array(index, element) => {
                write!(f, "an array of {element} bits, indexed with {index} bits")
            }
        }
    }
}

/// How many nodes and how many numbers behind them an operator has; `None` if it is none.
pub(super) fn arity(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "sext" | "uext" => (1, 1),
        "slice" => (1, 2),
        "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => (1, 0),
        "ite" | "write" => (3, 0),
        "iff" | "implies" | "eq" | "neq" | "sgt" | "ugt" | "sgte" | "ugte" | "slt" | "ult"
        | "slte" | "ulte" | "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "rol" | "ror"
        | "sll" | "sra" | "srl" | "add" | "mul" | "sdiv" | "udiv" | "smod" | "srem" | "urem"
        | "sub" | "saddo" | "uaddo" | "sdivo" | "udivo" | "smulo" | "umulo" | "ssubo" | "usubo"
        | "concat" | "read" => (2, 0),
        _ => return None,
    })
}

/// An operator applied to as many values and numbers as [`arity`] says.
///
/// # Errors
/// In words, if they are not of the sorts that it needs.
pub(super) fn apply(
    terms: &Terms,
    name: &str,
    values: &[Value],
    numbers: &[u64],
) -> Result<Value, String> {
    Operators { terms }.apply(name, values, numbers)
}

/// A value as a bit-vector.
pub(super) fn bits(terms: &Terms, value: Value) -> Term {
    Operators { terms }.bits(value)
}

struct Operators<'a> {
    terms: &'a Terms,
}

impl Operators<'_> {
    fn bits(&self, value: Value) -> Term {
        match value.kind {
            Kind::Word(1) => {
                let (one, zero) = (self.number(1u32, 1), self.number(0u32, 1));
                self.terms.ite(value.term, one, zero)
            }
            _ => value.term,
        }
    }

    /// A value of a bit-vector.
    fn word(&self, term: Term, width: u32) -> Value {
        let term = match width {
            1 => self.terms.eq(term, self.number(1u32, 1)),
            _ => term,
        };
        let kind = Kind::Word(width);
        Value { term, kind }
    }

    fn truth(&self, term: Term) -> Value {
        let kind = Kind::Word(1);
        Value { term, kind }
    }

    fn number(&self, value: impl Into<BigUint>, width: u32) -> Term {
        self.terms.bitvec(value.into(), width)
    }

    fn apply(&self, name: &str, values: &[Value], numbers: &[u64]) -> Result<Value, String> {
        let terms = self.terms;
        match (name, values, numbers) {
            ("eq" | "neq", [a, b], _) => {
                same(*a, *b)?;
                let equal = terms.eq(a.term, b.term);
                let is_equal = name == "eq";
                Ok(self.truth(if is_equal { equal } else { terms.not(equal) }))
            }
            ("ite", [condition, a, b], _) => {
                one_bit(*condition)?;
                same(*a, *b)?;
                let term = terms.ite(condition.term, a.term, b.term);
                Ok(Value { term, kind: a.kind })
            }
            ("read", [array, index], _) => {
                let element = self.indexed(*array, *index)?;
                let read = terms.select(array.term, &[self.bits(*index)]);
                Ok(self.word(read, element))
            }
            ("write", [array, index, value], _) => {
                let element = self.indexed(*array, *index)?;
                let width = word(*value)?;
                if width != element {
                    return Err(format!(
                        "the elements have {element} bits, and the value {width}"
                    ));
                }
                let (index, value) = (self.bits(*index), self.bits(*value));
                let term = terms.store(array.term, &[index], value);
                let kind = array.kind;
                Ok(Value { term, kind })
            }
            (_, [a], numbers) => self.unary(name, *a, numbers),
            (_, [a, b], _) => self.binary(name, *a, *b),
            _ => Err("the number of arguments is wrong".into()),
        }
    }

    /// The width of the elements of an array that is indexed.
    fn indexed(&self, array: Value, index: Value) -> Result<u32, String> {
        let Kind::Array(indices, elements) = array.kind else {
            return Err(format!("an array is needed, and this is {}", array.kind));
        };
        let width = word(index)?;
        if width != indices {
            return Err(format!(
                "the indices have {indices} bits, and this one {width}"
            ));
        }
        Ok(elements)
    }

    fn unary(&self, name: &str, a: Value, numbers: &[u64]) -> Result<Value, String> {
        let (terms, width) = (self.terms, word(a)?);
        let term = self.bits(a);
        let ones = || (BigUint::one() << width) - 1u32;
        Ok(match (name, numbers) {
            ("not", _) if width == 1 => self.truth(terms.not(a.term)),
            ("not", _) => self.word(terms.bv(BvOp::Not, &[term]), width),
            ("neg", _) => self.word(terms.bv(BvOp::Neg, &[term]), width),
            ("inc", _) => {
                let one = self.number(1u32, width);
                self.word(terms.bv(BvOp::Add, &[term, one]), width)
            }
            ("dec", _) => {
                let one = self.number(1u32, width);
                self.word(terms.bv(BvOp::Sub, &[term, one]), width)
            }
            ("redand", _) => self.truth(terms.eq(term, self.number(ones(), width))),
            ("redor", _) => self.truth(terms.neq(term, self.number(0u32, width))),
            ("redxor", _) => {
                let one = self.number(1u32, 1);
                let bits = (0..width).map(|bit| terms.extract(term, bit + 1, bit));
                let odd = bits.map(|bit| terms.eq(bit, one));
                let parity = odd.reduce(|a, b| terms.neq(a, b));
                self.truth(parity.unwrap_or_else(|| terms.ff()))
            }
            ("sext" | "uext", [by]) => {
                let (by, wider) = wider(width, *by)?;
                let extended = match name {
                    _ if by == 0 => term,
                    "sext" => terms.sign_extend(term, by),
                    _ => terms.zero_extend(term, by),
                };
                self.word(extended, wider)
            }
            ("slice", [upper, lower]) => {
                if upper < lower || *upper >= u64::from(width) {
                    return Err(format!(
                        "there are no bits {upper} to {lower} in a word of {width}"
                    ));
                }
                // Both are smaller than the width.
                let (upper, lower) = (*upper as u32, *lower as u32);
                self.word(terms.extract(term, upper + 1, lower), upper + 1 - lower)
            }
            _ => return Err("the number of arguments is wrong".into()),
        })
    }

    fn binary(&self, name: &str, a: Value, b: Value) -> Result<Value, String> {
        let terms = self.terms;
        if name == "concat" {
            let (high, low) = (word(a)?, word(b)?);
            let (_, width) = wider(high, u64::from(low))?;
            let joined = terms.bv(BvOp::Concat, &[self.bits(a), self.bits(b)]);
            return Ok(self.word(joined, width));
        }
        let width = word(a)?;
        word(b)?;
        same(a, b)?;
        if matches!(name, "iff" | "implies") {
            one_bit(a)?;
        }
        // Truth values.
        if width == 1 {
            let (a, b) = (a.term, b.term);
            let found = match name {
                "and" => Some(terms.and2(a, b)),
                "nand" => Some(terms.not(terms.and2(a, b))),
                "or" => Some(terms.or2(a, b)),
                "nor" => Some(terms.not(terms.or2(a, b))),
                "xor" => Some(terms.neq(a, b)),
                "xnor" | "iff" => Some(terms.eq(a, b)),
                "implies" => Some(terms.implies(a, b)),
                _ => None,
            };
            if let Some(found) = found {
                return Ok(self.truth(found));
            }
        }
        let (a, b) = (self.bits(a), self.bits(b));
        let of = |op: BvOp| self.word(terms.bv(op, &[a, b]), width);
        let compared = |op: BvOp, swapped: bool| {
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            self.truth(terms.bv(op, &[a, b]))
        };
        Ok(match name {
            "ult" => compared(BvOp::Ult, false),
            "ulte" => compared(BvOp::Ule, false),
            "slt" => compared(BvOp::Slt, false),
            "slte" => compared(BvOp::Sle, false),
            "ugt" => compared(BvOp::Ult, true),
            "ugte" => compared(BvOp::Ule, true),
            "sgt" => compared(BvOp::Slt, true),
            "sgte" => compared(BvOp::Sle, true),
            "and" => of(BvOp::And),
            "nand" => of(BvOp::Nand),
            "or" => of(BvOp::Or),
            "nor" => of(BvOp::Nor),
            "xor" => of(BvOp::Xor),
            "xnor" => of(BvOp::Xnor),
            "add" => of(BvOp::Add),
            "sub" => of(BvOp::Sub),
            "mul" => of(BvOp::Mul),
            "udiv" => of(BvOp::Udiv),
            "urem" => of(BvOp::Urem),
            "sdiv" => of(BvOp::Sdiv),
            "srem" => of(BvOp::Srem),
            "smod" => of(BvOp::Smod),
            "sll" => of(BvOp::Shl),
            "srl" => of(BvOp::Lshr),
            "sra" => of(BvOp::Ashr),
            "rol" | "ror" => {
                let whole = self.number(width, width);
                let by = terms.bv(BvOp::Urem, &[b, whole]);
                let rest = terms.bv(BvOp::Sub, &[whole, by]);
                let (left, right) = if name == "rol" {
                    (by, rest)
                } else {
                    (rest, by)
                };
                // Shifted by all of its bits a word is zero.
                let left = terms.bv(BvOp::Shl, &[a, left]);
                let right = terms.bv(BvOp::Lshr, &[a, right]);
                self.word(terms.bv(BvOp::Or, &[left, right]), width)
            }
            _ => self.truth(self.overflows(name, a, b, width)?),
        })
    }

    /// Whether the result of an operation needs more bits.
    fn overflows(&self, name: &str, a: Term, b: Term, width: u32) -> Result<Term, String> {
        let terms = self.terms;
        let exact = |op: BvOp, signed: bool, by: u32| {
            let extended = |term: Term| match signed {
                true => terms.sign_extend(term, by),
                false => terms.zero_extend(term, by),
            };
            let result = terms.bv(op, &[extended(a), extended(b)]);
            let kept = terms.extract(result, width, 0);
            terms.neq(extended(kept), result)
        };
        Ok(match name {
            "saddo" => exact(BvOp::Add, true, 1),
            "uaddo" => exact(BvOp::Add, false, 1),
            "ssubo" => exact(BvOp::Sub, true, 1),
            "usubo" => terms.bv(BvOp::Ult, &[a, b]),
            "smulo" => exact(BvOp::Mul, true, width),
            "umulo" => exact(BvOp::Mul, false, width),
            "sdivo" => {
                let least = self.number(BigUint::one() << (width - 1), width);
                let minus_one = self.number((BigUint::one() << width) - 1u32, width);
                terms.and2(terms.eq(a, least), terms.eq(b, minus_one))
            }
            "udivo" => terms.ff(),
            _ => return Err("there is no such operator".into()),
        })
    }
}

/// The widest word that is read: an operator on it is a formula of a few million bits at most.
pub(super) const WIDEST: u32 = 1 << 16;

fn wider(width: u32, by: u64) -> Result<(u32, u32), String> {
    let sum = u32::try_from(by)
        .ok()
        .and_then(|by| Some((by, width.checked_add(by)?)));
    sum.filter(|&(_, sum)| sum <= WIDEST)
        .ok_or_else(|| format!("the result has more than {WIDEST} bits"))
}

fn word(value: Value) -> Result<u32, String> {
    match value.kind {
        Kind::Word(width) => Ok(width),
        kind => Err(format!("a word is needed, and this is {kind}")),
    }
}

fn one_bit(value: Value) -> Result<(), String> {
    match value.kind {
        Kind::Word(1) => Ok(()),
        kind => Err(format!("a word of 1 bit is needed, and this is {kind}")),
    }
}

fn same(a: Value, b: Value) -> Result<(), String> {
    match a.kind == b.kind {
        true => Ok(()),
        false => Err(format!("one is {}, the other {}", a.kind, b.kind)),
    }
}
