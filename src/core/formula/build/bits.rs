//! Bit-vectors.

use num_bigint::BigUint;

use super::super::eval::{bv_compare, bv_function, sign_extend};
use super::super::sort::Sort;
use super::super::term::{BvOp, Op, Term, Terms};

impl Terms {
    /// A bit-vector operator on arguments of the sorts SMT-LIB asks for.
    pub fn bv(&self, op: BvOp, args: &[Term]) -> Term {
        let width = |t: Term| match self.sort(t) {
            Sort::BitVec(width) => *width,
            _ => 0,
        };
        let literals: Option<Vec<BigUint>> = args
            .iter()
            .map(|&t| match self.op(t) {
                Op::BitVec(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        let sort = match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Sort::Bool,
            BvOp::Concat => Sort::BitVec(args.iter().map(|&t| width(t)).sum()),
            _ => self.sort(args[0]).clone(),
        };
        if let Some(literals) = literals {
            let first = width(args[0]);
            let last = args.last().map_or(first, |&t| width(t));
            match (&sort, &literals[..]) {
                (Sort::Bool, [x, y]) => return self.bool(bv_compare(op, x, y, first)),
                (Sort::BitVec(result), [x]) => {
                    return self.bitvec(bv_function(op, x, x, first, first), *result);
                }
                (Sort::BitVec(result), [x, y]) => {
                    return self.bitvec(bv_function(op, x, y, first, last), *result);
                }
                _ => {}
            }
        }
        if let (BvOp::Concat, &[high, low]) = (op, args)
            && let Some(whole) = self.neighbours(high, low)
        {
            return whole;
        }
        if matches!(op, BvOp::Ule | BvOp::Sle) && args[0] == args[1] {
            return self.tt();
        }
        if matches!(op, BvOp::Ult | BvOp::Slt) && args[0] == args[1] {
            return self.ff();
        }
        self.intern(Op::Bv(op), args, sort)
    }

    /// Bits above others, if they are neighbours in one number: these bits of it.
    fn neighbours(&self, high: Term, low: Term) -> Option<Term> {
        let (above, below) = (self.node(high), self.node(low));
        match (&above.op, &*above.args, &below.op, &*below.args) {
            (
                Op::Extract { high: end, low: at },
                &[a],
                Op::Extract {
                    high: under,
                    low: start,
                },
                &[b],
            ) if a == b && at == under => Some(self.extract(a, *end, *start)),
            _ => None,
        }
    }

    /// The bits `high-1 .. low`, for `low < high <= width`.
    pub fn extract(&self, a: Term, high: u32, low: u32) -> Term {
        let node = self.node(a);
        match (&node.op, &*node.args) {
            (Op::BitVec(value), _) => return self.bitvec(value >> low, high - low),
            _ if low == 0 && node.sort == Sort::BitVec(high) => return a,
            (Op::Extract { low: start, .. }, &[inner]) => {
                return self.extract(inner, start + high, start + low);
            }
            (Op::Bv(BvOp::Concat), &[above, below]) => match *self.sort(below) {
                Sort::BitVec(width) if high <= width => return self.extract(below, high, low),
                Sort::BitVec(width) if width <= low => {
                    return self.extract(above, high - width, low - width);
                }
                _ => {}
            },
            _ => {}
        }
        self.intern(Op::Extract { high, low }, [a], Sort::BitVec(high - low))
    }

    /// Adds `by` zero bits at the top.
    pub fn zero_extend(&self, a: Term, by: u32) -> Term {
        match (self.op(a), self.sort(a)) {
            (_, _) if by == 0 => a,
            (Op::BitVec(value), Sort::BitVec(width)) => self.bitvec(value.clone(), width + by),
            (_, Sort::BitVec(width)) => {
                self.intern(Op::ZeroExtend(by), [a], Sort::BitVec(width + by))
            }
            _ => a,
        }
    }

    /// Repeats the sign bit `by` times at the top.
    pub fn sign_extend(&self, a: Term, by: u32) -> Term {
        match (self.op(a), self.sort(a)) {
            (_, _) if by == 0 => a,
            (Op::BitVec(value), Sort::BitVec(width)) => {
                self.bitvec(sign_extend(value, *width, width + by), width + by)
            }
            (_, Sort::BitVec(width)) => {
                self.intern(Op::SignExtend(by), [a], Sort::BitVec(width + by))
            }
            _ => a,
        }
    }
}
