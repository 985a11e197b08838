//! The terms, with their sorts.
//!
//! Sound: a term has only arguments that came before it, so there are no circles, and its sort fits its operator. Words of sorts can be
//! read in one way only, so a map has one list of index sorts and one range. Terms that a proof adds assume nothing: a variable is new,
//! and a function is the same as another one only if its name and its sorts are.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

use crate::bits::{BINARY, Kind, Word, Words};

/// The number of a term.
pub(crate) type Id = usize;

/// The bits of wider words are not looked into.
const WIDEST: u32 = 1 << 16;

/// The sort of a term: what a line says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Bool,
    Int,
    Real,
    /// Anything else. Sorts of maps are written `[D1,D2]R`.
    Other(Rc<str>),
}

impl Sort {
    fn read(word: &str) -> Result<Sort, String> {
        Ok(match word {
            "Bool" => Sort::Bool,
            "Int" => Sort::Int,
            "Real" => Sort::Real,
            other if is_sort(other) => Sort::Other(other.into()),
            other => return Err(format!("no sort: {other}")),
        })
    }

    fn word(&self) -> &str {
        match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
            Sort::Other(word) => word,
        }
    }

    /// The width of bit-vectors, if their bits can be spoken about.
    pub(crate) fn width(&self) -> Option<u32> {
        let width = self.word().strip_prefix("Bits.")?;
        let width = width.parse().ok().filter(|_| is_digits(width))?;
        (1..=WIDEST).contains(&width).then_some(width)
    }

    /// Whether its values are numbers.
    pub(crate) fn is_arithmetic(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// The operator of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// A variable, or a term that is not looked into.
    Free,
    Bool(bool),
    Number(BigRational),
    Not,
    And,
    Or,
    Ite,
    Eq,
    Add,
    Mul,
    Divide,
    Div,
    Mod,
    Le,
    Lt,
    ToReal,
    ToInt,
    Select,
    Store,
    Const,
    Apply(Rc<str>),
    /// The body, and the variables.
    Forall,
    Exists,
    BvNot,
    BvNeg,
    Binary(&'static str),
    Concat,
    /// The highest and the lowest bit.
    Extract(u32, u32),
    /// How many bits are added.
    ZeroExtend(u32),
    SignExtend(u32),
    /// A comparison of words, or the negation of the other way round.
    Compare(Kind, bool),
    /// A truth value about words, with `k` and `i`.
    Bit(Kind, u32, u32),
}

/// A term.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) sort: Sort,
    pub(crate) op: Op,
    pub(crate) args: Vec<Id>,
}

impl Node {
    /// Whether its arguments are a body and the variables in it.
    pub(crate) fn is_quantified(&self) -> bool {
        matches!(self.op, Op::Forall | Op::Exists)
    }
}

/// All terms, each after its arguments.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    /// Quotients and remainders by dividend and divisor, those that came first.
    divisions: HashMap<(bool, Id, Id), Id>,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn sort(&self, id: Id) -> &Sort {
        &self.nodes[id].sort
    }

    /// The number that a term is.
    pub(crate) fn number(&self, id: Id) -> Option<&BigRational> {
        match &self.nodes[id].op {
            Op::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The quotient, or the remainder, of the same two terms, if there is one.
    pub(crate) fn division(&self, is_quotient: bool, args: &[Id]) -> Option<Id> {
        self.divisions
            .get(&(is_quotient, args[0], args[1]))
            .copied()
    }

    /// Adds the term of a line.
    pub(crate) fn add<'l>(&mut self, line: &'l str) -> Result<(), String> {
        let mut words = line.split(' ');
        let mut word = || words.next().ok_or_else(|| "a word is missing".to_owned());
        if natural(word()?)? != self.len() {
            return Err("terms are not numbered in their order".into());
        }
        let sort = Sort::read(word()?)?;
        let op = word()?;
        let named = |words: &mut std::str::Split<'l, char>| {
            words
                .next()
                .filter(|name| !name.is_empty())
                .ok_or_else(|| "a name is missing".to_owned())
        };
        let op = match op {
            // The rest of the line is for people.
            "var" => {
                words = "".split(' ');
                words.next();
                Op::Free
            }
            "opaque" => Op::Free,
            "true" => Op::Bool(true),
            "false" => Op::Bool(false),
            "int" if sort == Sort::Int => Op::Number(integer(named(&mut words)?)?.into()),
            "bits" if !sort.is_arithmetic() => Op::Number(integer(named(&mut words)?)?.into()),
            "real" if sort == Sort::Real => match named(&mut words)? {
                word if word.contains('/') => Op::Number(rational(word)?),
                word => return Err(format!("no fraction: {word}")),
            },
            "not" => Op::Not,
            "and" => Op::And,
            "or" => Op::Or,
            "ite" => Op::Ite,
            "=" => Op::Eq,
            "+" => Op::Add,
            "*" => Op::Mul,
            "/" => Op::Divide,
            "div" => Op::Div,
            "mod" => Op::Mod,
            "<=" => Op::Le,
            "<" => Op::Lt,
            "to_real" => Op::ToReal,
            "to_int" => Op::ToInt,
            "select" => Op::Select,
            "store" => Op::Store,
            "const" => Op::Const,
            "forall" => Op::Forall,
            "exists" => Op::Exists,
            "apply" => Op::Apply(named(&mut words)?.into()),
            other => {
                let mut number = || position(words.next().unwrap_or_default());
                of_words(other, &mut number)?
            }
        };
        let mut args = Vec::new();
        for word in words {
            let arg = natural(word)?;
            if arg >= self.len() {
                return Err(format!("there is no term {arg} before"));
            }
            args.push(arg);
        }
        if !self.is_well_sorted(&sort, &op, &args) {
            return Err("the sorts do not fit".into());
        }
        if let Op::Div | Op::Mod = op {
            let key = (op == Op::Div, args[0], args[1]);
            self.divisions.entry(key).or_insert(self.nodes.len());
        }
        self.nodes.push(Node { sort, op, args });
        Ok(())
    }

    fn is_well_sorted(&self, sort: &Sort, op: &Op, args: &[Id]) -> bool {
        let all = |wanted: &Sort| args.iter().all(|&arg| self.sort(arg) == wanted);
        let is = |count: usize, wanted: &Sort| args.len() == count && all(wanted);
        let are_same = args.len() == 2 && self.sort(args[0]) == self.sort(args[1]);
        let is_truth = *sort == Sort::Bool;
        match op {
            Op::Free => args.is_empty(),
            Op::Bool(_) => is_truth && args.is_empty(),
            Op::Number(value) => {
                args.is_empty() && (sort.is_arithmetic() || is_pattern(value, sort.word()))
            }
            Op::Not => is_truth && is(1, sort),
            Op::And | Op::Or => is_truth && !args.is_empty() && all(sort),
            Op::Ite => {
                let is_branch = |&arg: &Id| self.sort(arg) == sort;
                let has_three = args.len() == 3 && args[1..].iter().all(is_branch);
                has_three && *self.sort(args[0]) == Sort::Bool
            }
            Op::Eq => is_truth && are_same,
            Op::Add | Op::Mul => sort.is_arithmetic() && args.len() >= 2 && all(sort),
            Op::Divide => *sort == Sort::Real && is(2, sort),
            Op::Div | Op::Mod => *sort == Sort::Int && is(2, sort),
            Op::Le | Op::Lt => is_truth && are_same && self.sort(args[0]).is_arithmetic(),
            Op::ToReal => *sort == Sort::Real && is(1, &Sort::Int),
            Op::ToInt => *sort == Sort::Int && is(1, &Sort::Real),
            Op::Select => args.len() >= 2 && self.is_map(self.sort(args[0]), &args[1..], sort),
            Op::Store => match args {
                [map, indices @ .., value] if !indices.is_empty() => {
                    self.sort(*map) == sort && self.is_map(sort, indices, self.sort(*value))
                }
                _ => false,
            },
            Op::Const => args.len() == 1 && range(sort) == Some(self.sort(args[0]).word()),
            Op::Forall | Op::Exists => {
                let is_var = |&var: &Id| self.node(var).op == Op::Free;
                let has_vars = args.len() >= 2 && args[1..].iter().all(is_var);
                is_truth && has_vars && self.sort(args[0]) == sort
            }
            Op::Apply(_) => true,
            _ => self.is_well_sorted_word(sort, op, args) == Some(true),
        }
    }

    /// The same for operators on words.
    fn is_well_sorted_word(&self, sort: &Sort, op: &Op, args: &[Id]) -> Option<bool> {
        let (&a, &b) = (args.first()?, args.get(1).or(args.first())?);
        let (x, y) = (self.sort(a).width()?, self.sort(b).width()?);
        let is = |count: usize, width: u32| args.len() == count && sort.width() == Some(width);
        let (is_truth, are_same) = (*sort == Sort::Bool, self.sort(a) == self.sort(b));
        Some(match *op {
            Op::BvNot | Op::BvNeg => is(1, x) && self.sort(a) == sort,
            Op::Binary(_) => is(2, x) && self.sort(a) == sort && are_same,
            Op::Concat => is(2, x.checked_add(y)?),
            Op::Extract(high, low) => low <= high && high < x && is(1, high - low + 1),
            Op::ZeroExtend(by) | Op::SignExtend(by) => is(1, x.checked_add(by)?),
            Op::Compare(..) => is_truth && args.len() == 2 && are_same,
            Op::Bit(kind, k, i) => {
                let count = 2 - usize::from(kind.has_one_word());
                let is_in_range = match kind {
                    Kind::Carry | Kind::Borrow | Kind::Agree => i <= x,
                    Kind::RestBorrow | Kind::AbsRestBorrow => k < x && i <= x + 1,
                    Kind::ProductCarry => 1 <= k && k <= x && i < x,
                    Kind::Shifted => {
                        let shifts = ["bvshl", "bvlshr", "bvashr"];
                        let op = &self.node(a).op;
                        k <= x && i < x && matches!(op, Op::Binary(op) if shifts.contains(op))
                    }
                    _ => k <= x && i < x,
                };
                is_truth && are_same && args.len() == count && is_in_range
            }
            _ => false,
        })
    }

    /// Whether a sort is that of maps from the sorts of these terms to a sort.
    fn is_map(&self, map: &Sort, indices: &[Id], range: &Sort) -> bool {
        let domain: Vec<&str> = indices.iter().map(|&i| self.sort(i).word()).collect();
        map.word() == format!("[{}]{}", domain.join(","), range.word())
    }
}

impl Words for Graph {
    type Term = Id;

    fn width(&self, id: Id) -> u32 {
        self.sort(id).width().unwrap_or(1)
    }

    fn word(&self, id: Id) -> Word<Id> {
        let node = self.node(id);
        match (&node.op, &node.args[..]) {
            (Op::Number(_), _) => Word::Number,
            (Op::BvNot, &[a]) => Word::Not(a),
            (Op::BvNeg, &[a]) => Word::Neg(a),
            (Op::Binary(op), &[a, b]) => Word::Binary(op, a, b),
            (Op::Concat, &[a, b]) => Word::Concat(a, b),
            (Op::Extract(_, low), &[a]) => Word::Extract(*low, a),
            (Op::ZeroExtend(_), &[a]) => Word::ZeroExtend(a),
            (Op::SignExtend(_), &[a]) => Word::SignExtend(a),
            (Op::Ite, &[condition, a, b]) => Word::Ite(condition, a, b),
            _ => Word::Other,
        }
    }

    fn bit_of_number(&self, id: Id, at: u32) -> bool {
        let number = self.number(id);
        number.is_some_and(|number| number.numer().bit(at.into()))
    }
}

/// An operator on words. Its numbers come before the arguments.
fn of_words(word: &str, number: &mut impl FnMut() -> Result<u32, String>) -> Result<Op, String> {
    if let Some(op) = BINARY.iter().find(|op| **op == word) {
        return Ok(Op::Binary(op));
    }
    let kind = match word {
        "bvnot" => return Ok(Op::BvNot),
        "bvneg" => return Ok(Op::BvNeg),
        "concat" => return Ok(Op::Concat),
        "extract" => return Ok(Op::Extract(number()?, number()?)),
        "zero_extend" => return Ok(Op::ZeroExtend(number()?)),
        "sign_extend" => return Ok(Op::SignExtend(number()?)),
        "bvult" => return Ok(Op::Compare(Kind::Borrow, true)),
        "bvule" => return Ok(Op::Compare(Kind::Borrow, false)),
        "bvslt" => return Ok(Op::Compare(Kind::Less, true)),
        "bvsle" => return Ok(Op::Compare(Kind::Less, false)),
        other => Kind::named(other).ok_or_else(|| format!("no operator: {other}"))?,
    };
    let k = if kind.has_rows() { number()? } else { 0 };
    Ok(Op::Bit(kind, k, number()?))
}

/// Whether a number is a pattern of bits of a sort.
fn is_pattern(value: &BigRational, sort: &str) -> bool {
    let width = sort.strip_prefix("Bits.").filter(|word| is_digits(word));
    let width = width.and_then(|word| word.parse::<BigInt>().ok());
    !value.is_negative() && width.is_some_and(|width| BigInt::from(value.numer().bits()) <= width)
}

/// Whether brackets and commas are those of maps, with a sort wherever there has to be one.
fn is_sort(word: &str) -> bool {
    let (mut depth, mut is_due) = (0_usize, true);
    for letter in word.chars() {
        match letter {
            '[' if is_due => depth += 1,
            ',' | ']' if depth > 0 && !is_due => {
                depth -= usize::from(letter == ']');
                is_due = true;
            }
            '[' | ',' | ']' => return false,
            _ => is_due = false,
        }
    }
    depth == 0 && !is_due
}

/// The sort of the elements, by a sort of maps: what comes after the bracket that closes the first one.
fn range(map: &Sort) -> Option<&str> {
    let word = map.word();
    let mut depth = 0_usize;
    for (at, letter) in word.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let has_indices = at >= 2 && word.starts_with('[');
            return word
                .get(at + 1..)
                .filter(|rest| has_indices && !rest.is_empty());
        }
    }
    None
}

/// A number of a term or of a clause.
pub(crate) fn natural(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|_| is_digits(word));
    number.ok_or_else(|| format!("no number: {word}"))
}

/// A number of a bit or of a row.
fn position(word: &str) -> Result<u32, String> {
    let number = natural(word)?;
    u32::try_from(number).map_err(|_| format!("too large: {word}"))
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(word: &str) -> Result<BigInt, String> {
    let is_plain = is_digits(word.strip_prefix('-').unwrap_or(word));
    let number = word.parse().ok().filter(|_| is_plain);
    number.ok_or_else(|| format!("no integer: {word}"))
}

/// An integer, or one divided by another one that is positive.
pub(crate) fn rational(word: &str) -> Result<BigRational, String> {
    let (numerator, denominator) = word.split_once('/').unwrap_or((word, "1"));
    let is_signed = denominator.starts_with('-');
    let (numerator, denominator) = (integer(numerator)?, integer(denominator)?);
    if is_signed || denominator.is_zero() {
        return Err(format!("no fraction: {word}"));
    }
    Ok(BigRational::new(numerator, denominator))
}
