//! Over-approximations: whatever is read from memory is any value of its type, and so is what cannot be expressed.
//!
//! A program whose memory is hard to follow (pointers that are put together from bytes, members of structures that are moved
//! over, operations on the bits of variables) may have a property that does not depend on any of that: a driver that calls
//! what it has to call, whatever is in its requests. Its over-approximation has every run that the program has, and more:
//! wherever a pointer leads, it is one of the arbitrary ones. So a proof of it counts. No run does: all go through a step
//! that is marked as approximated.
//!
//! Variables whose addresses nobody takes are no part of memory, and stay what they are. So do calls: where a pointer to a
//! function leads to none that is known, the translation says so, as the exact one does.

use super::body::{Body, Pointer, Value};
use super::located::Located;
use super::number::Number;
use crate::ir::Expr;
use crate::types::{Bits, IntType, Type};
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// What runs of such a program go through.
const MEMORY: &str = "what is in memory";

impl Body<'_, '_> {
    /// From here on, no run counts if the translation is an over-approximation.
    pub fn start_overapprox(&mut self) {
        if self.enc.overapprox {
            self.approximated(&Term::truth(true), MEMORY, |_| {});
        }
    }

    /// Whether nothing is kept of what is at a place.
    pub fn is_forgotten(&self, at: &Located) -> bool {
        self.enc.overapprox && !matches!(at, Located::Plain { .. })
    }

    /// Any value of a scalar; of a bit-field, if `bits` are given.
    pub fn forgotten(&mut self, ty: &Type, bits: Option<Bits>) -> Value {
        match (bits, ty.integer()) {
            (Some(bits), Some(whole)) => {
                let narrow = IntType {
                    bits: bits.width.max(1),
                    ..whole
                };
                let number = Number::new(self.anything(narrow), narrow);
                Value::Number(self.converted(&number, whole))
            }
            _ => self.arbitrary(ty),
        }
    }

    /// The operands of something whose effect is forgotten.
    pub fn evaluate_all(&mut self, operands: &[&Expr]) {
        for operand in operands {
            self.evaluate(operand);
        }
    }

    /// A pointer, but any one where a condition holds.
    pub fn any_pointer_if(&mut self, condition: &Term, else_pointer: Pointer) -> Pointer {
        let base = self.temporary(Sort::Int);
        let offset = self.temporary(self.enc.word_sort());
        let values = [else_pointer.base, else_pointer.offset];
        self.out
            .assign_all([base.clone(), offset.clone()].iter().zip(&values));
        self.approximated(condition, MEMORY, |body| {
            body.out.havoc_all(&[base.clone(), offset.clone()]);
        });
        Pointer { base, offset }
    }
}
