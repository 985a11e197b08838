//! From formulas over the integers back to bit-vectors.
//!
//! A comparison of sums becomes a comparison of bit-vectors wide enough that nothing overflows;
//! the frequent cases become what people would write. Where an index of a map or an argument of a
//! function is no plain bit-vector, its value modulo `2^width` is taken, which is right unless it
//! wraps: whether the result is an interpolant is checked by the caller anyway.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::linear::{Range, power};
use super::to_integers::ToIntegers;
use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// Wider bit-vectors than this are not made.
const MOST_BITS: u32 = 4_096;

/// A bit-vector with the way in which it is read.
type Leaf = (Term, bool);

/// A number as a sum of multiples of bit-vectors.
#[derive(Clone, Debug)]
struct Sum {
    parts: BTreeMap<Leaf, BigInt>,
    constant: BigInt,
}

/// A term translated back.
#[derive(Clone, Debug)]
enum Back {
    /// A term of the original sort.
    Plain(Term),
    /// A number; of integers that were no bit-vectors only constants.
    Number(Sum),
}

/// The way back for one chain.
pub(super) struct ToBits<'a, 't> {
    terms: &'t Terms,
    way: &'a ToIntegers<'t>,
    done: HashMap<Term, Back>,
}

/// Why a formula has no translation.
pub(super) type Untranslated = String;

impl<'a, 't> ToBits<'a, 't> {
    pub(super) fn new(way: &'a ToIntegers<'t>) -> ToBits<'a, 't> {
        ToBits {
            terms: way.terms,
            way,
            done: HashMap::new(),
        }
    }

    /// The formula over the terms of the original chain.
    pub(super) fn formula(&mut self, formula: Term) -> Result<Term, Untranslated> {
        let terms = self.terms;
        let formula = terms.normalised(formula);
        for term in terms.post_order(&[formula]) {
            if !self.done.contains_key(&term) {
                let back = self.node(term)?;
                self.done.insert(term, back);
            }
        }
        self.plain(formula, None)
    }

    fn node(&self, term: Term) -> Result<Back, Untranslated> {
        let terms = self.terms;
        let node = terms.node(term);
        if let Some(leaf) = self.way.leaves.get(&term) {
            return Ok(match terms.sort(leaf.original) {
                Sort::BitVec(width) if node.sort == Sort::Bool => {
                    let one = terms.bitvec(1u32.into(), *width);
                    Back::Plain(terms.eq(leaf.original, one))
                }
                Sort::BitVec(_) => Back::Number(Sum::leaf(leaf.original, self.way.reading(term))),
                _ => Back::Plain(leaf.original),
            });
        }
        let args = &*node.args;
        let numbers = || -> Option<Vec<&Sum>> {
            let of = |t: &Term| match self.done.get(t)? {
                Back::Number(sum) => Some(sum),
                Back::Plain(_) => None,
            };
            args.iter().map(of).collect()
        };
        Ok(match &node.op {
            Op::Int(value) => Back::Number(Sum::constant(value.clone())),
            Op::Add => match numbers() {
                Some(sums) => {
                    let mut total = Sum::constant(BigInt::zero());
                    sums.iter().for_each(|sum| total.add(sum, &BigInt::one()));
                    Back::Number(total)
                }
                None => self.same(term)?,
            },
            Op::Mul => match numbers().as_deref() {
                Some([factor, sum]) if factor.parts.is_empty() => {
                    let mut product = Sum::constant(BigInt::zero());
                    product.add(sum, &factor.constant);
                    Back::Number(product)
                }
                Some(_) => return Err("a product of bit-vectors".into()),
                None => self.same(term)?,
            },
            Op::Div | Op::Mod => match numbers().as_deref() {
                Some([sum, divisor])
                    if divisor.parts.is_empty() && divisor.constant.is_positive() =>
                {
                    Back::Number(self.divided(sum, &divisor.constant, node.op == Op::Div)?)
                }
                Some(_) => return Err("a division by something else than a number".into()),
                None => self.same(term)?,
            },
            Op::Ite if node.sort == Sort::Int => {
                match (self.done.get(&args[1]), self.done.get(&args[2])) {
                    (Some(Back::Number(a)), Some(Back::Number(b))) => {
                        let condition = self.plain(args[0], None)?;
                        Back::Number(self.choice(condition, a, b)?)
                    }
                    _ => self.same(term)?,
                }
            }
            Op::Le | Op::Lt | Op::Eq => match numbers().as_deref() {
                Some([a, b]) => {
                    let mut difference = (*a).clone();
                    difference.add(b, &BigInt::from(-1));
                    if node.op == Op::Lt {
                        difference.constant += BigInt::one();
                    }
                    Back::Plain(match node.op {
                        Op::Eq => self.is_zero(difference)?,
                        _ => self.at_most_zero(difference)?,
                    })
                }
                _ => self.same(term)?,
            },
            Op::Distinct if *terms.sort(args[0]) == Sort::Int => match numbers() {
                Some(sums) => {
                    let mut parts = Vec::new();
                    for (i, a) in sums.iter().enumerate() {
                        for b in &sums[i + 1..] {
                            let mut difference = (*a).clone();
                            difference.add(b, &BigInt::from(-1));
                            parts.push(terms.not(self.is_zero(difference)?));
                        }
                    }
                    Back::Plain(terms.and(parts))
                }
                None => self.same(term)?,
            },
            Op::Apply(function) => match self.way.function_back.get(function) {
                Some(original) => {
                    let args: Result<Vec<Term>, Untranslated> = args
                        .iter()
                        .zip(&original.params)
                        .map(|(&arg, sort)| self.plain(arg, Some(sort)))
                        .collect();
                    self.read(terms.apply(original, &args?), &node.sort)
                }
                None => self.same(term)?,
            },
            Op::Select => {
                let map = self.plain(args[0], None)?;
                let indices = self.indices(map, &args[1..])?;
                self.read(terms.select(map, &indices), &node.sort)
            }
            Op::Store => {
                let map = self.plain(args[0], None)?;
                let (value, indices) = args[1..].split_last().ok_or("a store without a value")?;
                let indices = self.indices(map, indices)?;
                let range = match terms.sort(map) {
                    Sort::Map(map) => map.range.clone(),
                    _ => return Err("a store into something else than a map".into()),
                };
                let value = self.plain(*value, Some(&range))?;
                Back::Plain(terms.store(map, &indices, value))
            }
            // Of which sort of bit-vectors it should be a map cannot be told.
            Op::ConstMap if self.way.is_new_sort(&node.sort) => {
                return Err("a constant map".into());
            }
            _ if args.is_empty() => Back::Plain(term),
            _ => self.same(term)?,
        })
    }

    /// A term that was translated, with a bit-vector read as a number where a number was meant.
    fn read(&self, term: Term, translated: &Sort) -> Back {
        match self.terms.sort(term) {
            Sort::BitVec(_) if *translated == Sort::Int => Back::Number(Sum::leaf(term, false)),
            _ => Back::Plain(term),
        }
    }

    fn indices(&self, map: Term, indices: &[Term]) -> Result<Vec<Term>, Untranslated> {
        let Sort::Map(sort) = self.terms.sort(map) else {
            return Err("an element of something else than a map".into());
        };
        indices
            .iter()
            .zip(&sort.domain)
            .map(|(&index, sort)| self.plain(index, Some(sort)))
            .collect()
    }

    /// The same operator on arguments that were no bit-vectors.
    fn same(&self, term: Term) -> Result<Back, Untranslated> {
        let node = self.terms.node(term);
        let args: Result<Vec<Term>, Untranslated> =
            node.args.iter().map(|&arg| self.plain(arg, None)).collect();
        let args = args?;
        let sorts =
            |args: &[Term]| -> Vec<&Sort> { args.iter().map(|&t| self.terms.sort(t)).collect() };
        if matches!(node.op, Op::Eq | Op::Distinct) && sorts(&args).windows(2).any(|w| w[0] != w[1])
        {
            return Err("a comparison of different sorts".into());
        }
        if node.op == Op::Ite && self.terms.sort(args[1]) != self.terms.sort(args[2]) {
            return Err("a choice between different sorts".into());
        }
        Ok(Back::Plain(self.terms.rebuild(node, &args)))
    }

    /// A translated argument as a term; a number as a bit-vector, if that is the wanted sort.
    fn plain(&self, term: Term, wanted: Option<&Sort>) -> Result<Term, Untranslated> {
        let terms = self.terms;
        match (self.done.get(&term), wanted) {
            (Some(Back::Number(sum)), Some(Sort::BitVec(width))) => self.bits(sum, *width),
            (Some(Back::Number(sum)), _) if sum.parts.is_empty() => {
                Ok(terms.int(sum.constant.clone()))
            }
            (Some(Back::Number(_)), _) => Err("bit-vectors among integers".into()),
            (Some(&Back::Plain(plain)), Some(sort)) if terms.sort(plain) != sort => {
                Err("a term of another sort".into())
            }
            (Some(&Back::Plain(plain)), _) => Ok(plain),
            (None, _) => Err("a part without a translation".into()),
        }
    }

    // --- numbers ------------------------------------------------------------------------------

    fn width(&self, bits: Term) -> u32 {
        match self.terms.sort(bits) {
            Sort::BitVec(width) => *width,
            _ => 0,
        }
    }

    fn range(&self, sum: &Sum) -> (BigInt, BigInt) {
        let mut low = sum.constant.clone();
        let mut high = sum.constant.clone();
        for ((bits, signed), factor) in &sum.parts {
            let range = Range::of_bits(self.width(*bits), *signed).times(factor);
            low += range.low.unwrap_or_default();
            high += range.high.unwrap_or_default();
        }
        (low, high)
    }

    /// How many bits the numbers from `low` to `high` need; two's complement if `signed`.
    fn bits_for(&self, low: &BigInt, high: &BigInt, signed: bool) -> Result<u32, Untranslated> {
        let above = high.bits();
        let bits = if signed {
            // -2^k needs as many bits as 2^k - 1, and both one for the sign.
            let below = if low.is_negative() {
                (low + 1u32).bits()
            } else {
                0
            };
            above.max(below) + 1
        } else {
            above.max(1)
        };
        match u32::try_from(bits) {
            Ok(bits) if bits <= MOST_BITS => Ok(bits),
            _ => Err("numbers that are too large".into()),
        }
    }

    fn literal(&self, value: &BigInt, width: u32) -> Term {
        let value = value.mod_floor(&power(width)).to_biguint();
        self.terms.bitvec(value.unwrap_or_default(), width)
    }

    /// The sum modulo `2^width`.
    fn bits(&self, sum: &Sum, width: u32) -> Result<Term, Untranslated> {
        let terms = self.terms;
        let modulus = power(width);
        let mut total: Option<Term> = None;
        let mut constant = sum.constant.mod_floor(&modulus);
        for (&(bits, signed), factor) in &sum.parts {
            let own = self.width(bits);
            if own == 0 {
                return Err("a bit-vector of width 0".into());
            }
            let fitting = match width.checked_sub(own) {
                Some(by) if signed => terms.sign_extend(bits, by),
                Some(by) => terms.zero_extend(bits, by),
                None => extract(terms, bits, width, 0),
            };
            let factor = factor.mod_floor(&modulus);
            let minus = &modulus - &factor;
            let (size, subtract) = if minus < factor {
                (minus, true)
            } else {
                (factor, false)
            };
            let multiple = if size.is_zero() {
                continue;
            } else if size.is_one() {
                fitting
            } else {
                terms.bv(BvOp::Mul, &[self.literal(&size, width), fitting])
            };
            total = Some(match (total, subtract) {
                (None, false) => multiple,
                (None, true) if !constant.is_zero() => {
                    let start = self.literal(&constant, width);
                    constant = BigInt::zero();
                    terms.bv(BvOp::Sub, &[start, multiple])
                }
                (None, true) => terms.bv(BvOp::Neg, &[multiple]),
                (Some(total), false) => terms.bv(BvOp::Add, &[total, multiple]),
                (Some(total), true) => terms.bv(BvOp::Sub, &[total, multiple]),
            });
        }
        Ok(match total {
            None => self.literal(&constant, width),
            Some(total) if constant.is_zero() => total,
            Some(total) if &constant * 2 > modulus => terms.bv(
                BvOp::Sub,
                &[total, self.literal(&(modulus - constant), width)],
            ),
            Some(total) => terms.bv(BvOp::Add, &[total, self.literal(&constant, width)]),
        })
    }

    /// The quotient or remainder by a positive number.
    fn divided(&self, sum: &Sum, divisor: &BigInt, quotient: bool) -> Result<Sum, Untranslated> {
        let terms = self.terms;
        let (low, high) = self.range(sum);
        if low.div_floor(divisor) == high.div_floor(divisor) {
            let by = low.div_floor(divisor);
            return Ok(if quotient {
                Sum::constant(by)
            } else {
                let mut rest = sum.clone();
                rest.constant -= by * divisor;
                rest
            });
        }
        // 2^exponent, if it is a power of two.
        let exponent = u32::try_from(divisor.bits() - 1).unwrap_or(MOST_BITS);
        let power_of_two = *divisor == power(exponent);
        if power_of_two && !quotient {
            return Ok(Sum::leaf(self.bits(sum, exponent)?, false));
        }
        // Make the number positive by a multiple of the divisor.
        let by = low.div_floor(divisor);
        let mut moved = sum.clone();
        moved.constant -= &by * divisor;
        let highest = high - &by * divisor;
        let width = self.bits_for(&BigInt::zero(), &highest, false)?;
        let width = width.max(self.bits_for(&BigInt::zero(), divisor, false)?);
        let wide = self.bits(&moved, width)?;
        if power_of_two {
            let mut result = Sum::leaf(extract(terms, wide, width, exponent), false);
            result.constant = by;
            return Ok(result);
        }
        let op = if quotient { BvOp::Udiv } else { BvOp::Urem };
        let result = terms.bv(op, &[wide, self.literal(divisor, width)]);
        let most = if quotient {
            highest / divisor
        } else {
            divisor - 1
        };
        // The upper bits are known to be zero.
        let needed = self.bits_for(&BigInt::zero(), &most, false)?.min(width);
        let mut result = Sum::leaf(extract(terms, result, needed, 0), false);
        if quotient {
            result.constant = by;
        }
        Ok(result)
    }

    fn choice(&self, condition: Term, a: &Sum, b: &Sum) -> Result<Sum, Untranslated> {
        let ((low_a, high_a), (low_b, high_b)) = (self.range(a), self.range(b));
        let (low, high) = (low_a.min(low_b), high_a.max(high_b));
        let signed = low.is_negative();
        let width = self.bits_for(&low, &high, signed)?;
        let (a, b) = (self.bits(a, width)?, self.bits(b, width)?);
        Ok(Sum::leaf(self.terms.ite(condition, a, b), signed))
    }

    /// Positive and negative parts as sums with positive factors.
    fn sides(&self, sum: &Sum) -> (Sum, Sum) {
        let mut sides = (Sum::constant(BigInt::zero()), Sum::constant(BigInt::zero()));
        for (&leaf, factor) in &sum.parts {
            if factor.is_positive() {
                sides.0.parts.insert(leaf, factor.clone());
            } else {
                sides.1.parts.insert(leaf, -factor);
            }
        }
        if sum.constant.is_positive() {
            sides.0.constant = sum.constant.clone();
        } else {
            sides.1.constant = -&sum.constant;
        }
        sides
    }

    /// Both sums as bit-vectors in which neither overflows, and whether they are signed.
    fn widened(&self, left: &Sum, right: &Sum) -> Result<(Term, Term, bool), Untranslated> {
        let ((low_l, high_l), (low_r, high_r)) = (self.range(left), self.range(right));
        let (low, high) = (low_l.min(low_r), high_l.max(high_r));
        let signed = low.is_negative();
        let width = self.bits_for(&low, &high, signed)?;
        Ok((self.bits(left, width)?, self.bits(right, width)?, signed))
    }

    /// A plain difference `x - y` of bit-vectors of one width that are read in one way.
    fn difference(&self, sum: &Sum) -> Option<(Term, Term, bool, u32)> {
        let mut parts = sum.parts.iter();
        let (first, second) = (parts.next()?, parts.next()?);
        if parts.next().is_some() || first.0.1 != second.0.1 {
            return None;
        }
        let width = self.width(first.0.0);
        let (one, minus_one) = (BigInt::one(), BigInt::from(-1));
        if width != self.width(second.0.0) {
            return None;
        }
        if *first.1 == one && *second.1 == minus_one {
            Some((first.0.0, second.0.0, first.0.1, width))
        } else if *first.1 == minus_one && *second.1 == one {
            Some((second.0.0, first.0.0, first.0.1, width))
        } else {
            None
        }
    }

    fn less(&self, strict: bool, signed: bool, a: Term, b: Term) -> Term {
        let op = match (strict, signed) {
            (true, true) => BvOp::Slt,
            (true, false) => BvOp::Ult,
            (false, true) => BvOp::Sle,
            (false, false) => BvOp::Ule,
        };
        self.terms.bv(op, &[a, b])
    }

    /// `sum <= 0`
    fn at_most_zero(&self, mut sum: Sum) -> Result<Term, Untranslated> {
        let terms = self.terms;
        if let Some(divisor) = sum.divisor() {
            // c <= -rest means c / d <= floor(-rest / d).
            sum.parts
                .values_mut()
                .for_each(|factor| *factor /= &divisor);
            sum.constant = sum.constant.div_ceil(&divisor);
        }
        let (low, high) = self.range(&sum);
        if !high.is_positive() {
            return Ok(terms.tt());
        }
        if low.is_positive() {
            return Ok(terms.ff());
        }
        if let Some((bits, signed, factor)) = sum.single() {
            let width = self.width(bits);
            let bound = self.literal(&(-&sum.constant * factor), width);
            let lowest = Range::of_bits(width, signed).low.unwrap_or_default();
            return Ok(if factor.is_negative() {
                self.less(false, signed, bound, bits)
            } else if -&sum.constant == lowest {
                terms.eq(bits, bound)
            } else {
                self.less(false, signed, bits, bound)
            });
        }
        if let Some((x, y, signed, _)) = self.difference(&sum) {
            if sum.constant.is_zero() {
                return Ok(self.less(false, signed, x, y));
            }
            if sum.constant.is_one() {
                return Ok(self.less(true, signed, x, y));
            }
        }
        let (left, right) = self.sides(&sum);
        let (left, right, signed) = self.widened(&left, &right)?;
        Ok(self.less(false, signed, left, right))
    }

    /// `sum == 0`
    fn is_zero(&self, mut sum: Sum) -> Result<Term, Untranslated> {
        let terms = self.terms;
        if let Some(divisor) = sum.divisor() {
            if !sum.constant.is_multiple_of(&divisor) {
                return Ok(terms.ff());
            }
            sum.parts
                .values_mut()
                .for_each(|factor| *factor /= &divisor);
            sum.constant /= &divisor;
        }
        let (low, high) = self.range(&sum);
        if low.is_positive() || high.is_negative() {
            return Ok(terms.ff());
        }
        if let Some((bits, _, factor)) = sum.single() {
            let width = self.width(bits);
            return Ok(terms.eq(bits, self.literal(&(-&sum.constant * factor), width)));
        }
        if let Some((mut x, mut y, signed, width)) = self.difference(&sum) {
            // x + by == y
            let mut by = sum.constant.clone();
            if by.is_negative() {
                (x, y, by) = (y, x, -by);
            }
            let literal = self.literal(&by, width);
            if by.is_zero() {
                return Ok(terms.eq(x, y));
            }
            let lowest = Range::of_bits(width, signed).low.unwrap_or_default();
            let least = self.literal(&(lowest + &by), width);
            return Ok(terms.and([
                terms.eq(terms.bv(BvOp::Add, &[x, literal]), y),
                self.less(false, signed, least, y),
            ]));
        }
        // The wide equation is the meaning; the narrow one follows from it, and where it is
        // enough, whoever minimises keeps it alone.
        let (left, right) = self.sides(&sum);
        let (wide_left, wide_right, _) = self.widened(&left, &right)?;
        let wide = terms.eq(wide_left, wide_right);
        let mut widths = sum.parts.keys().map(|leaf| self.width(leaf.0));
        match widths.next() {
            Some(width) if widths.all(|other| other == width) && width < self.width(wide_left) => {
                let narrow = terms.eq(self.bits(&left, width)?, self.bits(&right, width)?);
                Ok(terms.and([wide, narrow]))
            }
            _ => Ok(wide),
        }
    }
}

impl Sum {
    fn constant(value: BigInt) -> Sum {
        Sum {
            parts: BTreeMap::new(),
            constant: value,
        }
    }

    fn leaf(bits: Term, signed: bool) -> Sum {
        Sum {
            parts: BTreeMap::from([((bits, signed), BigInt::one())]),
            constant: BigInt::zero(),
        }
    }

    fn add(&mut self, other: &Sum, factor: &BigInt) {
        for (&leaf, by) in &other.parts {
            let entry = self.parts.entry(leaf).or_default();
            *entry += by * factor;
            if entry.is_zero() {
                self.parts.remove(&leaf);
            }
        }
        self.constant += &other.constant * factor;
    }

    /// The greatest common divisor of the factors, if there are any.
    fn divisor(&self) -> Option<BigInt> {
        let divisor = self
            .parts
            .values()
            .fold(BigInt::zero(), |divisor, factor| divisor.gcd(factor));
        (!divisor.is_zero()).then_some(divisor)
    }

    /// The only part, with a factor of 1 or -1.
    fn single(&self) -> Option<(Term, bool, &BigInt)> {
        let mut parts = self.parts.iter();
        let (&(bits, signed), factor) = parts.next()?;
        (parts.next().is_none() && factor.abs().is_one()).then_some((bits, signed, factor))
    }
}

/// The bits `high-1 .. low`, looked for inside of other extractions and extensions.
fn extract(terms: &Terms, bits: Term, high: u32, low: u32) -> Term {
    match (terms.op(bits), terms.args(bits)) {
        (Op::Extract { low: below, .. }, &[inner]) => {
            extract_once(terms, inner, high + below, low + below)
        }
        _ => extract_once(terms, bits, high, low),
    }
}

fn extract_once(terms: &Terms, bits: Term, high: u32, low: u32) -> Term {
    if let (Op::ZeroExtend(by) | Op::SignExtend(by), &[inner]) = (terms.op(bits), terms.args(bits))
        && let Sort::BitVec(width) = terms.sort(bits)
        && high <= width - by
    {
        return terms.extract(inner, high, low);
    }
    terms.extract(bits, high, low)
}
