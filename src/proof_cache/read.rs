//! Lines back to sorts and terms.
//!
//! The reader believes nothing: each symbol must be one of the scope, each node well-sorted, each number one of a line
//! before. Nothing is read by recursion, and no line makes more than a bounded amount of what it says.

use std::str::FromStr;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::Num as _;

use ult_core::control::Control;
use ult_core::formula::print::bv_name;
use ult_core::formula::{
    Binder, BinderKind, Builtin, BvOp, Node, Op, Sort, Term, Terms, Var, Version,
};

use super::scope::Scope;
use super::{Corrupt, values};

/// Bit-vectors of more bits are not read.
const MAX_WIDTH: u32 = 1 << 16;

/// Literals that simplification makes have no more bits than this.
const MAX_LITERAL: u64 = 1 << 20;

/// How many arguments simplification may make of each byte.
const MAX_GROWTH: usize = 2;

/// After so many lines, a look at whether to stop.
const PATIENCE: usize = 1 << 10;

/// A line, word by word.
pub(super) struct Words<'t> {
    rest: std::str::Split<'t, char>,
}

impl<'t> Words<'t> {
    pub(super) fn of(line: &'t str) -> Words<'t> {
        Words {
            rest: line.split(' '),
        }
    }

    pub(super) fn next(&mut self) -> Result<&'t str, Corrupt> {
        self.more()
            .ok_or_else(|| Corrupt::new("a line that ends too early"))
    }

    pub(super) fn more(&mut self) -> Option<&'t str> {
        self.rest.next()
    }

    /// The end of the line.
    pub(super) fn end(&mut self) -> Result<(), Corrupt> {
        match self.more() {
            None => Ok(()),
            Some(_) => Err(Corrupt::new("a line that is too long")),
        }
    }

    pub(super) fn number<T: FromStr>(&mut self) -> Result<T, Corrupt> {
        parse(self.next()?)
    }

    /// How many there are of something that follows, each at least one word.
    pub(super) fn count(&mut self) -> Result<usize, Corrupt> {
        self.number()
    }

    pub(super) fn integer(&mut self) -> Result<BigInt, Corrupt> {
        let word = self.next()?;
        let (sign, digits) = match word.strip_prefix('-') {
            Some(digits) => (Sign::Minus, digits),
            None => (Sign::Plus, word),
        };
        Ok(BigInt::from_biguint(sign, hexadecimal(digits)?))
    }

    pub(super) fn natural(&mut self) -> Result<BigUint, Corrupt> {
        hexadecimal(self.next()?)
    }

    pub(super) fn rational(&mut self) -> Result<BigRational, Corrupt> {
        values::quotient(self)
    }

    pub(super) fn name(&mut self) -> Result<Arc<str>, Corrupt> {
        let bad = || Corrupt::new("a word that is no name");
        let word = self.next()?.strip_prefix('\'').ok_or_else(bad)?;
        let mut bytes = Vec::with_capacity(word.len());
        let mut rest = word.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                bytes.push(byte);
                continue;
            }
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next()), digit(rest.next()));
            let value = high.zip(low).map(|(high, low)| high * 16 + low);
            bytes.push(value.and_then(|v| u8::try_from(v).ok()).ok_or_else(bad)?);
        }
        String::from_utf8(bytes).map(Arc::from).map_err(|_| bad())
    }
}

fn parse<T: FromStr>(word: &str) -> Result<T, Corrupt> {
    // No signs and no leading zeros: there is one way to write a number.
    let plain = word.bytes().all(|b| b.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    word.parse()
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| Corrupt::new("a word that is no number"))
}

fn hexadecimal(digits: &str) -> Result<BigUint, Corrupt> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Corrupt::new("a word that is no number"));
    }
    BigUint::from_str_radix(digits, 16).map_err(|_| Corrupt::new("a word that is no number"))
}

/// What was read by now.
pub(super) struct Reader<'a> {
    terms: &'a Terms,
    scope: &'a Scope,
    control: &'a Control,
    sorts: Vec<Sort>,
    nodes: Vec<Term>,
    lines: usize,
    /// How many arguments may still be made.
    budget: usize,
}

impl<'a> Reader<'a> {
    /// For a text of this length.
    pub(super) fn new(
        terms: &'a Terms,
        scope: &'a Scope,
        control: &'a Control,
        length: usize,
    ) -> Reader<'a> {
        Reader {
            terms,
            scope,
            control,
            sorts: Vec::new(),
            nodes: Vec::new(),
            lines: 0,
            budget: length.saturating_mul(MAX_GROWTH),
        }
    }

    /// A sort by its number.
    pub(super) fn sort(&self, number: usize) -> Result<Sort, Corrupt> {
        let sort = self.sorts.get(number);
        sort.cloned()
            .ok_or_else(|| Corrupt::new("the number of a sort that is none"))
    }

    /// A term by its number.
    pub(super) fn term(&self, number: usize) -> Result<Term, Corrupt> {
        let term = self.nodes.get(number);
        term.copied()
            .ok_or_else(|| Corrupt::new("the number of a term that is none"))
    }

    /// Reads a line about a sort or a term; gives back one about something else, with its first word.
    pub(super) fn line<'t>(
        &mut self,
        line: &'t str,
    ) -> Result<Option<(&'t str, Words<'t>)>, Corrupt> {
        self.lines += 1;
        if self.lines.is_multiple_of(PATIENCE) {
            self.control
                .check()
                .map_err(|_| Corrupt::new("there was no time to read it"))?;
        }
        let mut words = Words::of(line);
        match words.next()? {
            "sort" => {
                let sort = self.read_sort(&mut words)?;
                self.sorts.push(sort);
            }
            "term" => {
                let term = self.read_term(&mut words)?;
                self.nodes.push(term);
            }
            other => return Ok(Some((other, words))),
        }
        words.end()?;
        Ok(None)
    }

    fn read_sort(&self, words: &mut Words<'_>) -> Result<Sort, Corrupt> {
        Ok(match words.next()? {
            "bool" => Sort::Bool,
            "int" => Sort::Int,
            "real" => Sort::Real,
            "bits" => match words.number()? {
                width if width <= MAX_WIDTH => Sort::BitVec(width),
                _ => return Err(Corrupt::new("a bit-vector that is too wide")),
            },
            "float" => match (words.number()?, words.number()?) {
                (exponent, significand) if exponent <= MAX_WIDTH && significand <= MAX_WIDTH => {
                    Sort::Float(exponent, significand)
                }
                _ => return Err(Corrupt::new("a floating-point format that is too wide")),
            },
            "rounding" => Sort::RoundingMode,
            "seq" => Sort::Seq(self.sort(words.number()?)?.into()),
            "string" => Sort::String,
            "regex" => Sort::RegEx,
            "map" => {
                let range = self.sort(words.number()?)?;
                let mut domain = Vec::new();
                while let Some(word) = words.more() {
                    domain.push(self.sort(parse(word)?)?);
                }
                if domain.is_empty() {
                    return Err(Corrupt::new("a map without indices"));
                }
                Sort::map(domain, range)
            }
            "datatype" => {
                let datatype = self.scope.datatypes.get(&words.name()?);
                Sort::Datatype(datatype.cloned().ok_or_else(|| unknown("datatype"))?)
            }
            "type" => {
                let name = self.scope.types.get(&words.name()?);
                Sort::Uninterpreted(name.cloned().ok_or_else(|| unknown("type"))?)
            }
            _ => return Err(Corrupt::new("an unknown kind of sort")),
        })
    }

    fn read_term(&mut self, words: &mut Words<'_>) -> Result<Term, Corrupt> {
        let terms = self.terms;
        let sort = self.sort(words.number()?)?;
        let op = self.operator(words, &sort)?;
        if let Some(term) = op.leaf {
            return Ok(term);
        }
        let mut args = Vec::new();
        while let Some(word) = words.more() {
            args.push(self.term(parse(word)?)?);
        }
        let node = Node {
            op: op.op,
            args: args.into(),
            sort,
        };
        if !terms.is_well_sorted(&node) {
            return Err(Corrupt::new("an ill-sorted term"));
        }
        let term = terms.rebuild(&node, &node.args);
        // Simplification must not make much of little.
        let made = terms.node(term);
        let bits = match &made.op {
            Op::Int(value) => value.bits(),
            Op::Real(value) => value.numer().bits() + value.denom().bits(),
            _ => 0,
        };
        self.budget = self
            .budget
            .checked_sub(made.args.len())
            .filter(|_| bits <= MAX_LITERAL)
            .ok_or_else(|| Corrupt::new("a term that is too large"))?;
        Ok(term)
    }

    fn operator(&self, words: &mut Words<'_>, sort: &Sort) -> Result<Operator, Corrupt> {
        Ok(Operator::from(match words.next()? {
            "true" => Op::Bool(true),
            "false" => Op::Bool(false),
            "int" => Op::Int(words.integer()?),
            "real" => Op::Real(words.rational()?),
            "bits" => Op::BitVec(words.natural()?),
            "now" => {
                let name = words.name()?;
                match self.scope.variables.get_key_value(&name) {
                    Some((name, declared)) if declared == sort => Op::Var(Var {
                        name: name.clone(),
                        version: Version::Current,
                    }),
                    _ => return Err(unknown("variable")),
                }
            }
            "bound" => {
                // A variable of its own, so that no two of them are mixed up.
                let leaf = self.terms.fresh_bound(words.name()?, sort.clone());
                return Ok(Operator {
                    op: Op::Bool(true),
                    leaf: Some(leaf),
                });
            }
            "apply" => {
                let function = self.scope.functions.get(&words.name()?);
                Op::Apply(function.cloned().ok_or_else(|| unknown("function"))?)
            }
            "builtin" => {
                let name = words.name()?;
                if !self.scope.knows_builtin(&name) {
                    return Err(unknown("function of the solver"));
                }
                let indices = (0..words.count()?)
                    .map(|_| words.number())
                    .collect::<Result<_, Corrupt>>()?;
                Op::Builtin(Arc::new(Builtin {
                    name,
                    indices,
                    result: sort.clone(),
                }))
            }
            "forall" => self.binder(BinderKind::Forall, words)?,
            "exists" => self.binder(BinderKind::Exists, words)?,
            "lambda" => self.binder(BinderKind::Lambda, words)?,
            "bv" => {
                let name = words.next()?;
                let all = BvOp::FUNCTIONS.iter().chain(&BvOp::COMPARISONS);
                let op = all
                    .chain([&BvOp::Concat])
                    .find(|&&op| bv_name(op) == name)
                    .ok_or_else(|| Corrupt::new("an unknown operator on bit-vectors"))?;
                Op::Bv(*op)
            }
            "extract" => Op::Extract {
                high: words.number()?,
                low: words.number()?,
            },
            "zero-extend" => Op::ZeroExtend(words.number()?),
            "sign-extend" => Op::SignExtend(words.number()?),
            "construct" => Op::Construct(words.number()?),
            "field" => Op::Field {
                constructor: words.number()?,
                field: words.number()?,
            },
            "is" => Op::Is(words.number()?),
            "not" => Op::Not,
            "and" => Op::And,
            "or" => Op::Or,
            "ite" => Op::Ite,
            "eq" => Op::Eq,
            "distinct" => Op::Distinct,
            "add" => Op::Add,
            "mul" => Op::Mul,
            "div" => Op::Div,
            "mod" => Op::Mod,
            "real-div" => Op::RealDiv,
            "le" => Op::Le,
            "lt" => Op::Lt,
            "to-real" => Op::ToReal,
            "to-int" => Op::ToInt,
            "select" => Op::Select,
            "store" => Op::Store,
            "const-map" => Op::ConstMap,
            _ => return Err(Corrupt::new("an unknown operator")),
        }))
    }

    fn binder(&self, kind: BinderKind, words: &mut Words<'_>) -> Result<Op, Corrupt> {
        let vars: Vec<Term> = (0..words.count()?)
            .map(|_| self.term(words.number()?))
            .collect::<Result<_, Corrupt>>()?;
        let patterns: Vec<usize> = (0..words.count()?)
            .map(|_| words.number::<u32>().map(|length| length as usize))
            .collect::<Result<_, Corrupt>>()?;
        Ok(Op::Bind(Arc::new(Binder {
            kind,
            vars,
            patterns,
        })))
    }
}

/// An operator whose arguments follow, or a term that is complete.
struct Operator {
    op: Op,
    leaf: Option<Term>,
}

impl From<Op> for Operator {
    fn from(op: Op) -> Operator {
        Operator { op, leaf: None }
    }
}

fn unknown(what: &str) -> Corrupt {
    Corrupt::new(format!("a {what} that the program does not have"))
}
