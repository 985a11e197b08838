//! Bit-vectors that are no numbers but collections of flags.
//!
//! Masks and single bits have no short explanation in terms of the number that they are part of.
//! Variables that are only tested and changed bit by bit are therefore translated to one truth
//! value for each bit.

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::classes::{Classes, is_bits, is_constant};
use super::context::Context;
use super::linear::{Linear, power};
use super::to_integers::{ToIntegers, Value};
use ult_core::formula::{BvOp, Op, Sort, Term, Terms};

/// Wider bit-vectors are never taken apart.
const MOST_FLAGS: u32 = 64;

const BITWISE: usize = 0;
const NUMERIC: usize = 1;

/// The classes of terms that are collections of flags: used bit by bit, and never as numbers.
pub(super) fn find_flags(terms: &Terms, formulas: &[Term]) -> Classes {
    let mut classes = Classes::default();
    let order = terms.post_order(formulas);
    classes.join_equals(terms, &order);
    for term in order {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Bv(BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Nand | BvOp::Nor | BvOp::Xnor) => {
                for &arg in args.iter().chain([&term]) {
                    if !is_constant(terms, arg) {
                        classes.mark(arg, BITWISE);
                    }
                }
                // With a mask there may be a number in some of the bits.
                if !args.iter().any(|&arg| is_constant(terms, arg)) {
                    classes.join_all(terms, args);
                    classes.join(term, args[0]);
                }
            }
            Op::Bv(BvOp::Not) => {
                classes.join_all(terms, &[term, args[0]]);
                classes.mark(term, BITWISE);
            }
            Op::Bv(BvOp::Shl | BvOp::Lshr | BvOp::Ashr) if is_constant(terms, args[1]) => {
                classes.join_all(terms, &[term, args[0]]);
            }
            Op::Extract { .. } => classes.mark(args[0], BITWISE),
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Bv(BvOp::Concat) => {}
            Op::Var(_) | Op::Ite | Op::Eq => {}
            _ => {
                for &number in args.iter().chain([&term]) {
                    if is_bits(terms, number) && !is_constant(terms, number) {
                        classes.mark(number, NUMERIC);
                    }
                }
            }
        }
    }
    classes
}

impl ToIntegers<'_> {
    /// Whether a term is a collection of flags.
    pub(super) fn has_flags(&self, term: Term) -> bool {
        let width = self.width(term);
        0 < width && width <= MOST_FLAGS && self.flags.only_first(term)
    }

    /// The flags of a variable, lowest bit first.
    pub(super) fn flag_variable(&mut self, variable: Term) -> Value {
        let terms = self.terms;
        let Some(var) = terms.as_var(variable) else {
            return self.opaque(variable);
        };
        let flags = (0..self.width(variable)).map(|i| {
            let bit = terms.extract(variable, i + 1, i);
            self.new_leaf(bit, format!("{}[{i}]", var.name), var.version, Sort::Bool)
        });
        Value::Flags(flags.collect())
    }

    /// The number that flags are the digits of.
    pub(super) fn number_of(&self, flags: &[Term]) -> Linear {
        let terms = self.terms;
        let mut sum = Linear::constant(0);
        for (i, &flag) in (0..).zip(flags) {
            let digit = terms.ite(flag, terms.int(1), terms.int(0));
            sum.add(&Linear::of(terms, digit), &power(i));
        }
        sum
    }

    /// The digits of a number.
    fn digits(&self, bits: &Linear, width: u32, context: &mut Context) -> Vec<Term> {
        let terms = self.terms;
        if bits.parts.is_empty() {
            let value = bits.constant.clone() & (power(width) - BigInt::one());
            return (0..width)
                .map(|i| terms.bool(value.bit(u64::from(i))))
                .collect();
        }
        let value = self.exact(bits, width, false, context);
        (0..width)
            .map(|i| {
                let digit = self.slice(value, i + 1, i, context);
                terms.eq(digit, terms.int(1))
            })
            .collect()
    }

    /// The flags of a term that is already translated.
    pub(super) fn flags_of(&mut self, term: Term, context: &mut Context) -> Vec<Term> {
        match self.value(term, context) {
            Value::Flags(flags) => flags,
            Value::Bits(bits) => self.digits(&bits, self.width(term), context),
            Value::Plain(_) => Vec::new(),
        }
    }

    /// Whether a translated term is a list of flags, or a constant and so can be one at no cost.
    fn flaggy(&mut self, term: Term, context: &mut Context) -> (bool, bool) {
        match self.value(term, context) {
            Value::Flags(_) => (true, true),
            Value::Bits(bits) => (false, bits.parts.is_empty()),
            Value::Plain(_) => (false, false),
        }
    }

    /// The term flag by flag, if it or what it is made of are flags.
    pub(super) fn flag_operator(&mut self, term: Term, context: &mut Context) -> Option<Value> {
        let terms = self.terms;
        let node = terms.node(term);
        let args: Vec<Term> = node
            .args
            .iter()
            .copied()
            .filter(|&arg| self.width(arg) > 0)
            .collect();
        if args.is_empty() {
            return None;
        }
        let kinds: Vec<(bool, bool)> = args.iter().map(|&a| self.flaggy(a, context)).collect();
        let any = kinds.iter().any(|kind| kind.0);
        let all = any && kinds.iter().all(|kind| kind.1);
        let wanted = self.has_flags(term);
        let first = args[0];
        let width = self.width(first);
        Some(match &node.op {
            Op::Eq if all => {
                let (a, b) = (
                    self.flags_of(first, context),
                    self.flags_of(args[1], context),
                );
                let same = a.iter().zip(&b).map(|(&a, &b)| terms.eq(a, b));
                Value::Plain(terms.and(same.collect::<Vec<Term>>()))
            }
            Op::Ite if wanted || all => {
                let condition = self.exact_of(node.args[0], context);
                let (a, b) = (
                    self.flags_of(first, context),
                    self.flags_of(args[1], context),
                );
                let chosen = a.iter().zip(&b).map(|(&a, &b)| terms.ite(condition, a, b));
                Value::Flags(chosen.collect())
            }
            Op::Bv(
                op @ (BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Nand | BvOp::Nor | BvOp::Xnor),
            ) if wanted || all => {
                let (a, b) = (
                    self.flags_of(first, context),
                    self.flags_of(args[1], context),
                );
                let combined = a.iter().zip(&b).map(|(&a, &b)| match op {
                    BvOp::And => terms.and2(a, b),
                    BvOp::Nand => terms.not(terms.and2(a, b)),
                    BvOp::Or => terms.or2(a, b),
                    BvOp::Nor => terms.not(terms.or2(a, b)),
                    BvOp::Xor => terms.not(terms.eq(a, b)),
                    _ => terms.eq(a, b),
                });
                Value::Flags(combined.collect())
            }
            Op::Bv(BvOp::Not) if any => {
                let flags = self.flags_of(first, context);
                Value::Flags(flags.iter().map(|&flag| terms.not(flag)).collect())
            }
            Op::Bv(op @ (BvOp::Shl | BvOp::Lshr | BvOp::Ashr)) if kinds[0].0 => {
                let Op::BitVec(by) = terms.op(args[1]) else {
                    return None;
                };
                let by = if *by >= BigUint::from(width) {
                    width as usize
                } else {
                    by.iter_u32_digits().next().unwrap_or(0) as usize
                };
                let flags = self.flags_of(first, context);
                let last = flags.last().copied().unwrap_or_else(|| terms.ff());
                let shifted = (0..flags.len()).map(|i| match op {
                    BvOp::Shl => i.checked_sub(by).map_or(terms.ff(), |from| flags[from]),
                    BvOp::Lshr => flags.get(i + by).copied().unwrap_or_else(|| terms.ff()),
                    _ => flags.get(i + by).copied().unwrap_or(last),
                });
                Value::Flags(shifted.collect())
            }
            Op::Extract { high, low } if any => {
                let flags = self.flags_of(first, context);
                Value::Flags(flags.get(*low as usize..*high as usize)?.to_vec())
            }
            Op::ZeroExtend(by) if any => {
                let mut flags = self.flags_of(first, context);
                flags.extend((0..*by).map(|_| terms.ff()));
                Value::Flags(flags)
            }
            Op::SignExtend(by) if any => {
                let mut flags = self.flags_of(first, context);
                let last = *flags.last()?;
                flags.extend((0..*by).map(|_| last));
                Value::Flags(flags)
            }
            Op::Bv(BvOp::Concat) if all => {
                let mut flags = Vec::new();
                for &arg in args.iter().rev() {
                    flags.extend(self.flags_of(arg, context));
                }
                Value::Flags(flags)
            }
            _ => return None,
        })
    }
}
