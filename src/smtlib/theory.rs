//! The operators of SMT-LIB's theories, by their names.
//!
//! Every application is checked for its sorts, so nothing ill-formed is built. Integers where
//! reals are asked for are converted: several solvers write `(<= r 1)` for a real `r`.
//!
//! Errors say in words what does not fit, such as "`+` on these arguments".

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use ult_core::formula::print::bv_name;
use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// Wider bit-vectors nobody asks for.
pub const WIDEST: u32 = 1 << 16;

/// Numbers with more bits, and products of more factors, explain nothing. (With `let` a short text
/// can stand for very large ones.)
const LONGEST_NUMBER: u64 = 100_000;
const MOST_FACTORS: usize = 64;

/// The operators that divide. What they mean at zero is for the user of [`Theory`] to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivisionOperator {
    /// `div`
    Div,
    /// `mod`
    Mod,
    /// `/`
    Real,
}

/// How a division is expressed.
pub type Divide<'a> = dyn Fn(&Terms, DivisionOperator, Term, Term) -> Result<Term, String> + 'a;

/// Builds terms from the names of operators and their arguments.
pub struct Theory<'a> {
    /// The store.
    pub terms: &'a Terms,
    /// How a division is expressed; the operands have the right sort.
    pub divide: &'a Divide<'a>,
}

impl Theory<'_> {
    /// The number with a decimal point.
    pub fn decimal(&self, text: &str) -> Result<Term, String> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = u32::try_from(fraction.len()).map_err(|_| "a long number".to_string())?;
        let scaled = integer(&format!("{whole}{fraction}"))?;
        let value = BigRational::new(scaled, BigInt::from(10).pow(digits));
        Ok(self.terms.real(value))
    }

    /// The bit-vector with these digits, each of which stands for `each` bits.
    pub fn bits(&self, digits: &str, radix: u32, each: usize) -> Result<Term, String> {
        let value = BigUint::parse_bytes(digits.as_bytes(), radix);
        let width = u32::try_from(digits.len() * each).ok();
        match (value, width) {
            (Some(value), Some(width @ 1..=WIDEST)) => Ok(self.terms.bitvec(value, width)),
            _ => Err("a bit-vector literal".into()),
        }
    }

    /// `(_ bv5 8)`
    pub fn indexed_literal(&self, name: &str, width: Option<u32>) -> Result<Term, String> {
        let value = name.strip_prefix("bv");
        let value = value.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10));
        match (value, width) {
            (Some(value), Some(width @ 1..=WIDEST)) if value.bits() <= u64::from(width) => {
                Ok(self.terms.bitvec(value, width))
            }
            _ => Err("an indexed constant".into()),
        }
    }

    /// `((_ name numbers...) arg)`
    pub fn indexed(&self, name: &str, numbers: &[u32], arg: Term) -> Result<Term, String> {
        let terms = self.terms;
        let arithmetic = terms.sort(arg) == &Sort::Int;
        let width = match terms.sort(arg) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        };
        let fits = |by: u32, width: u32| by < WIDEST && width + by <= WIDEST;
        match (name, numbers, width) {
            ("divisible", &[by], _) if arithmetic && by > 0 => {
                Ok(terms.eq(terms.modulo(arg, terms.int(by)), terms.int(0)))
            }
            ("extract", &[high, low], Some(width)) if low <= high && high < width => {
                Ok(terms.extract(arg, high + 1, low))
            }
            ("zero_extend", &[by], Some(width)) if fits(by, width) => {
                Ok(terms.zero_extend(arg, by))
            }
            ("sign_extend", &[by], Some(width)) if fits(by, width) => {
                Ok(terms.sign_extend(arg, by))
            }
            ("repeat", &[times @ 1..=WIDEST], Some(width))
                if width.saturating_mul(times) <= WIDEST =>
            {
                Ok((1..times).fold(arg, |left, _| terms.bv(BvOp::Concat, &[left, arg])))
            }
            ("rotate_left", &[by], Some(width)) => Ok(self.rotated(arg, by % width, width)),
            ("rotate_right", &[by], Some(width)) => {
                Ok(self.rotated(arg, (width - by % width) % width, width))
            }
            _ => Err(format!("`(_ {name})` on this argument")),
        }
    }

    fn rotated(&self, arg: Term, by: u32, width: u32) -> Term {
        if by == 0 {
            return arg;
        }
        let low = self.terms.extract(arg, width - by, 0);
        let high = self.terms.extract(arg, width, width - by);
        self.terms.bv(BvOp::Concat, &[low, high])
    }

    /// `((as const sort) value)`
    pub fn constant_map(&self, sort: &Sort, value: Term) -> Result<Term, String> {
        match sort {
            Sort::Map(map) => {
                let value = self.of_sort(value, &map.range, "a constant map")?;
                Ok(self.terms.const_map(sort.clone(), value))
            }
            _ => Err("a constant map of another sort".into()),
        }
    }

    /// A term, converted to real where an integer stands for one.
    pub fn of_sort(&self, term: Term, sort: &Sort, what: &str) -> Result<Term, String> {
        match (self.terms.sort(term), sort) {
            (actual, expected) if actual == expected => Ok(term),
            (Sort::Int, Sort::Real) => Ok(self.terms.to_real(term)),
            _ => Err(format!("{what} of another sort")),
        }
    }

    /// Arguments of one sort; integers among reals are converted.
    fn of_one_sort(&self, args: &mut [Term], op: &str) -> Result<Sort, String> {
        let wrong = || format!("`{op}` on these arguments");
        let first = *args.first().ok_or_else(wrong)?;
        let real = args.iter().any(|&arg| self.terms.sort(arg) == &Sort::Real);
        let sort = if real {
            Sort::Real
        } else {
            self.terms.sort(first).clone()
        };
        for arg in args {
            *arg = self.of_sort(*arg, &sort, &format!("an argument of `{op}`"))?;
        }
        Ok(sort)
    }

    /// An operator applied to arguments.
    pub fn apply(&self, op: &str, mut args: Vec<Term>) -> Result<Term, String> {
        let terms = self.terms;
        let wrong = || format!("`{op}` on these arguments");
        match op {
            "not" | "and" | "or" | "xor" | "=>" => {
                for arg in &args {
                    self.of_sort(*arg, &Sort::Bool, "a truth value")?;
                }
                match (op, &args[..]) {
                    ("not", &[a]) => Ok(terms.not(a)),
                    ("and", _) => Ok(terms.and(args)),
                    ("or", _) => Ok(terms.or(args)),
                    ("xor", [first, rest @ ..]) => {
                        Ok(rest.iter().fold(*first, |odd, &next| terms.neq(odd, next)))
                    }
                    ("=>", [premises @ .., last]) => Ok(premises
                        .iter()
                        .rev()
                        .fold(*last, |result, &premise| terms.implies(premise, result))),
                    _ => Err(wrong()),
                }
            }
            "ite" => {
                let &[condition, a, b] = &args[..] else {
                    return Err(wrong());
                };
                self.of_sort(condition, &Sort::Bool, "a condition")?;
                let mut branches = [a, b];
                self.of_one_sort(&mut branches, op)?;
                Ok(terms.ite(condition, branches[0], branches[1]))
            }
            "=" | "distinct" => {
                self.of_one_sort(&mut args, op)?;
                match (op, &args[..]) {
                    (_, [] | [_]) => Err(wrong()),
                    ("distinct", _) => Ok(terms.distinct(&args)),
                    _ => Ok(terms.and(args.windows(2).map(|pair| terms.eq(pair[0], pair[1])))),
                }
            }
            "+" | "-" | "*" | "/" | "<=" | "<" | ">=" | ">" => self.arithmetic(op, args),
            "div" | "mod" | "abs" | "to_real" | "to_int" | "is_int" => self.integers(op, &args),
            "store" => {
                let &[map, index, value] = &args[..] else {
                    return Err(wrong());
                };
                match terms.sort(map) {
                    Sort::Map(sort) if sort.domain.len() == 1 => {
                        let index = self.of_sort(index, &sort.domain[0], "an index")?;
                        let value = self.of_sort(value, &sort.range, "an element")?;
                        Ok(terms.store(map, &[index], value))
                    }
                    _ => Err(wrong()),
                }
            }
            _ => self.bit_vectors(op, args),
        }
    }

    fn arithmetic(&self, op: &str, mut args: Vec<Term>) -> Result<Term, String> {
        let terms = self.terms;
        let wrong = || format!("`{op}` on these arguments");
        let mut sort = self.of_one_sort(&mut args, op)?;
        if !sort.is_arithmetic() {
            return Err(wrong());
        }
        if op == "/" && sort == Sort::Int {
            sort = Sort::Real;
            args.iter_mut().for_each(|arg| *arg = terms.to_real(*arg));
        }
        let chain = |compare: &dyn Fn(Term, Term) -> Term| match args.len() {
            0 | 1 => Err(wrong()),
            _ => Ok(terms.and(args.windows(2).map(|pair| compare(pair[0], pair[1])))),
        };
        match (op, &args[..]) {
            ("+", _) => Ok(terms.add(&args)),
            ("*", _) => {
                let mut bits = 0;
                let mut factors = 0;
                for &arg in &args {
                    match (terms.as_number(arg), terms.op(arg)) {
                        (Some(n), _) => bits += n.numer().bits() + n.denom().bits(),
                        (None, Op::Mul) => factors += terms.args(arg).len(),
                        (None, _) => factors += 1,
                    }
                }
                if bits > LONGEST_NUMBER || factors > MOST_FACTORS {
                    return Err("a large product".to_string());
                }
                Ok(terms.mul(&args))
            }
            ("-", &[a]) => Ok(terms.neg(a)),
            ("-", [first, rest @ ..]) => Ok(terms.sub(*first, terms.add(rest))),
            ("/", [first, divisors @ ..]) if !divisors.is_empty() && sort == Sort::Real => {
                divisors.iter().try_fold(*first, |result, &divisor| {
                    (self.divide)(terms, DivisionOperator::Real, result, divisor)
                })
            }
            ("<=", _) => chain(&|a, b| terms.le(a, b)),
            ("<", _) => chain(&|a, b| terms.lt(a, b)),
            (">=", _) => chain(&|a, b| terms.ge(a, b)),
            (">", _) => chain(&|a, b| terms.gt(a, b)),
            _ => Err(wrong()),
        }
    }

    fn integers(&self, op: &str, args: &[Term]) -> Result<Term, String> {
        let terms = self.terms;
        let sorts: Vec<&Sort> = args.iter().map(|&arg| terms.sort(arg)).collect();
        match (op, args, &sorts[..]) {
            ("div" | "mod", [first, divisors @ ..], sorts)
                if !divisors.is_empty() && sorts.iter().all(|&sort| *sort == Sort::Int) =>
            {
                let division = match op {
                    "div" => DivisionOperator::Div,
                    _ => DivisionOperator::Mod,
                };
                match (division, divisors) {
                    (DivisionOperator::Mod, &[divisor]) => {
                        (self.divide)(terms, division, *first, divisor)
                    }
                    (DivisionOperator::Mod, _) => Err("`mod` on these arguments".into()),
                    // This groups to the left.
                    _ => divisors.iter().try_fold(*first, |result, &divisor| {
                        (self.divide)(terms, division, result, divisor)
                    }),
                }
            }
            ("abs", &[a], [Sort::Int]) => Ok(terms.ite(terms.le(terms.int(0), a), a, terms.neg(a))),
            ("to_real", &[a], [Sort::Int]) => Ok(terms.to_real(a)),
            // Where numerals of a logic without integers are reals.
            ("to_real", &[a], [Sort::Real]) => Ok(a),
            ("to_int", &[a], [Sort::Real]) => Ok(terms.to_int(a)),
            ("is_int", &[a], [Sort::Real]) => Ok(terms.eq(terms.to_real(terms.to_int(a)), a)),
            _ => Err(format!("`{op}` on these arguments")),
        }
    }

    fn bit_vectors(&self, op: &str, args: Vec<Term>) -> Result<Term, String> {
        let terms = self.terms;
        let unknown = || unknown(op);
        let wrong = || format!("`{op}` on these arguments");
        let (name, swapped) = match op {
            "bvugt" => ("bvult", true),
            "bvuge" => ("bvule", true),
            "bvsgt" => ("bvslt", true),
            "bvsge" => ("bvsle", true),
            "bvcomp" => ("=", false),
            other => (other, false),
        };
        let operator = BvOp::FUNCTIONS
            .into_iter()
            .chain(BvOp::COMPARISONS)
            .chain([BvOp::Concat])
            .find(|&op| bv_name(op) == name);
        if operator.is_none() && op != "bvcomp" {
            return Err(unknown());
        }
        let mut width = 0u32;
        let all_bits = args.iter().all(|&arg| match terms.sort(arg) {
            Sort::BitVec(bits) => {
                width = width.saturating_add(*bits);
                true
            }
            _ => false,
        });
        let one_width = args
            .windows(2)
            .all(|pair| terms.sort(pair[0]) == terms.sort(pair[1]));
        let widths = match operator {
            Some(BvOp::Concat) => width <= WIDEST,
            _ => one_width,
        };
        if !all_bits || !widths {
            return Err(wrong());
        }
        match (operator, &args[..]) {
            (None, &[a, b]) => {
                let bit = |value: u32| terms.bitvec(value.into(), 1);
                Ok(terms.ite(terms.eq(a, b), bit(1), bit(0)))
            }
            (Some(op @ (BvOp::Not | BvOp::Neg)), &[a]) => Ok(terms.bv(op, &[a])),
            (Some(BvOp::Not | BvOp::Neg), _) | (None, _) => Err(wrong()),
            (Some(op), &[a, b]) if swapped => Ok(terms.bv(op, &[b, a])),
            (Some(op), &[a, b]) => Ok(terms.bv(op, &[a, b])),
            // These group to the left.
            (
                Some(
                    op @ (BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul | BvOp::Concat),
                ),
                [first, rest @ ..],
            ) if !rest.is_empty() => Ok(rest
                .iter()
                .fold(*first, |left, &right| terms.bv(op, &[left, right]))),
            _ => Err(wrong()),
        }
    }
}

/// What is said of a name that no theory has.
pub fn unknown(name: &str) -> String {
    format!("the unknown symbol `{name}`")
}

/// The integer with these decimal digits.
pub fn integer(digits: &str) -> Result<BigInt, String> {
    BigInt::parse_bytes(digits.as_bytes(), 10).ok_or_else(|| "a numeral".into())
}

/// Divides by numbers that are not zero, and by nothing else.
pub fn by_numbers(
    terms: &Terms,
    division: DivisionOperator,
    a: Term,
    b: Term,
) -> Result<Term, String> {
    match terms.as_number(b) {
        Some(number) if !number.is_zero() => Ok(match division {
            DivisionOperator::Div => terms.div(a, b),
            DivisionOperator::Mod => terms.modulo(a, b),
            DivisionOperator::Real => terms.real_div(a, b),
        }),
        _ => Err("a division by what is not a number".into()),
    }
}
