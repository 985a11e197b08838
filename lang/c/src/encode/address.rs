//! Pointers as numbers, and numbers as pointers.
//!
//! Where an object lies is not known, so its address is any number: a proof for all of them counts, a run with one of
//! them does not. From then on numbers may be addresses ("exposed" in the draft ISO/IEC TS 6010), and a pointer that
//! is made of a number may point to an object: that is not covered.

use num_bigint::BigInt;

use super::body::{Body, Pointer};
use super::number::{Number, range};
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;
use crate::ir::CompareOp;

/// Where each object lies.
const ADDRESS: &str = "address~";
/// Whether some address has become a number.
const EXPOSED: &str = "exposed~";
/// No object lies in the last so many bytes: there is room for pointers that stand for errors, as in Linux.
const PAGE: i32 = 4096;

/// What addresses are assumed to be.
pub const ASSUMPTION: &str = "no object lies in the last 4096 bytes of the address space";

/// What numbers that do not come from pointers are assumed to be.
pub const OTHERS: &str =
    "numbers that become pointers but do not come from pointers are no addresses of objects";

/// The variables.
pub fn globals(word: &Sort) -> [(String, Sort); 2] {
    [
        (
            ADDRESS.to_owned(),
            Sort::map(vec![Sort::Int], word.clone()),
        ),
        (EXPOSED.to_owned(), Sort::Bool),
    ]
}

impl Body<'_, '_> {
    /// At the start, no address has become a number.
    pub fn start_of_addresses(&mut self) {
        if self.enc.exposes {
            self.expose(false);
        }
    }

    /// From now on some address is (or is not) known as a number.
    pub fn expose(&mut self, value: bool) {
        self.out.assign(&self.var(EXPOSED), &Term::truth(value));
    }

    /// A pointer as a number.
    pub fn address(&mut self, pointer: &Pointer) -> Number {
        let ty = self.word_type();
        let Pointer { base, offset } = pointer;
        if *base == Term::int(0) {
            return Number::new(offset.clone(), ty);
        }
        let base = self.named(base.clone());
        let offset = self.named(offset.clone());
        let result = self.temporary(self.enc.word_sort());
        self.out.assign(&result, &offset);
        let result = Number::new(result, ty);
        let somewhere = base.equals(&Term::int(0)).not();
        let what = "the address of an object as a number";
        self.approximated(&somewhere, what, |body| {
            body.expose(true);
            let number = &result.term;
            body.out.havoc(number);
            body.assume_range(number, ty);
            // Beyond its object a pointer is undefined (C11 6.5.6p8): then it is any number.
            let inside = body.is_small_offset(&offset);
            let there = body.is_nowhere(&result).not();
            let start = body.var(ADDRESS).select(std::slice::from_ref(&base));
            let same = if body.bits() {
                let sum = body.bit_binary("bvadd", ty.bits, &start, &offset);
                number.equals(&sum)
            } else {
                let sum = start.add(&offset);
                let around = Term::int(BigInt::from(1) << ty.bits);
                number
                    .equals(&sum)
                    .or(&number.equals(&sum.subtract(&around)))
            };
            body.assume(&inside.implies(&there.and(&same)));
        });
        result
    }

    /// Whether an offset is one in an object of a size that there is.
    fn is_small_offset(&mut self, offset: &Term) -> Term {
        let ty = self.word_type();
        let (_, most) = range(ty);
        if !self.bits() {
            let low = Term::int(0).at_most(offset);
            return low.and(&offset.at_most(&Term::int(most)));
        }
        let zero = self.constant(&0.into(), ty);
        self.compare_numbers(
            CompareOp::LessEqual,
            &zero,
            &Number::new(offset.clone(), ty),
        )
    }

    /// Whether no object lies at a number.
    fn is_nowhere(&mut self, number: &Number) -> Term {
        let below = self.constant(&BigInt::from(-PAGE), number.ty);
        let zero = self.constant(&0.into(), number.ty);
        let below = self.compare_numbers(CompareOp::LessEqual, &below, number);
        below.and(&self.compare_numbers(CompareOp::LessEqual, number, &zero))
    }

    /// A number as a pointer: one to no object.
    pub fn as_pointer(&mut self, number: &Number) -> Pointer {
        let ty = self.word_type();
        let number = self.converted(number, ty);
        if self.enc.exposes {
            let nowhere = self.is_nowhere(&number);
            let fine = nowhere.or(&self.var(EXPOSED).not());
            self.unsupported_unless(&fine, "a pointer made of a number that may be an address");
        }
        Pointer {
            base: Term::int(0),
            offset: number.term,
        }
    }
}
