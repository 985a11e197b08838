//! Pointers as numbers, and numbers as pointers.
//!
//! Where an object lies is not known, so its address is any number: a proof for all of them counts, a run with one of
//! them does not. From then on numbers may be addresses ("exposed" in the draft ISO/IEC TS 6010), and a pointer that
//! is made of a number may point to an object: that is not covered.

use num_bigint::BigInt;

use super::body::{Body, Pointer};
use super::number::{Number, range};
use crate::alias::{Object, Target};
use crate::ir::{CompareOp, Expr, Initial, Storage, VarId};
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// Where each object lies.
const ADDRESS: &str = "address~";
/// Whether some address has become a number.
const EXPOSED: &str = "exposed~";
/// No object lies in the last so many bytes: there is room for pointers that stand for errors, as in Linux.
const PAGE: i32 = 4096;

/// What addresses are assumed to be.
pub(super) const ASSUMPTION: &str = "no object lies in the last 4096 bytes of the address space";

/// What numbers that do not come from pointers are assumed to be.
pub(super) const OTHERS: &str =
    "numbers that become pointers but do not come from pointers are no addresses of objects";

/// What is assumed where pointers to objects on the heap are compared.
pub(super) const APART: &str = "pointers to different objects on the heap differ, also just past their ends and after their lives";

/// More objects, or pairs of literals, are not looked at one by one.
const FEW: usize = 16;

/// The variables.
pub(super) fn globals(word: &Sort) -> [(String, Sort); 2] {
    [
        (ADDRESS.to_owned(), Sort::map(vec![Sort::Int], word.clone())),
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

    /// A local variable lies anywhere in each of its lives: where it was in the last one, or not (C11 6.2.4p2).
    pub fn forget_address(&mut self, variable: VarId) {
        let storage = &self.enc.program.variable(variable).storage;
        let memory = &self.enc.memory;
        let is_known = matches!(storage, Storage::Automatic { .. })
            && memory.is_in_memory(variable)
            && !memory.is_repeated(variable);
        if !self.enc.exposes || !is_known {
            return;
        }
        let object = self.object(variable);
        let start = self.var(ADDRESS).select(std::slice::from_ref(&object));
        let anywhere = self.fresh(self.enc.word_sort());
        self.out.assign(&start, &anywhere);
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
        let to_none = Pointer {
            base: Term::int(0),
            offset: number.term.clone(),
        };
        if self.enc.exposes {
            let nowhere = self.is_nowhere(&number);
            if self.enc.overapprox {
                return self.any_pointer_if(&nowhere.not(), to_none);
            }
            let fine = nowhere.or(&self.var(EXPOSED).not());
            self.unsupported_unless(&fine, "a pointer made of a number that may be an address");
        }
        to_none
    }

    /// Whether two pointers are equal (`told`, or the opposite) where they may be so although their objects differ.
    pub fn unless_coinciding(
        &mut self,
        left: (&Expr, &Pointer),
        right: (&Expr, &Pointer),
        told: Term,
    ) -> Term {
        let condition = self.may_coincide(left, right);
        if condition.as_truth() == Some(false) {
            return told;
        }
        let what = "whether different objects have the same address";
        self.any_if(&condition, what, told)
    }

    /// A value, but any one where a condition holds.
    pub fn any_if(&mut self, condition: &Term, what: &str, value: Term) -> Term {
        let result = self.temporary(value.ty().clone());
        self.out.assign(&result, &value);
        self.approximated(condition, what, |body| body.out.havoc(&result));
        result
    }

    /// Whether pointers to different objects may be equal: one just past the end of its object and the other at the
    /// start of its own (C11 6.5.9p6), or both into string literals (6.4.5p7) or compound literals of constants (6.5.2.5p7).
    fn may_coincide(&mut self, left: (&Expr, &Pointer), right: (&Expr, &Pointer)) -> Term {
        let no = Term::truth(false);
        let ((left, a), (right, b)) = (left, right);
        let zero = Term::int(0);
        if a.base == b.base || a.base == zero || b.base == zero {
            return no;
        }
        if self.enc.overapprox && self.enc.exposes {
            // They may lead to objects that the analysis does not know of.
            let somewhere = |base: &Term| base.equals(&zero).not();
            let apart = a.base.equals(&b.base).not();
            return apart.and(&somewhere(&a.base)).and(&somewhere(&b.base));
        }
        let targets = (self.enc.memory.target(left), self.enc.memory.target(right));
        let (Some(ta), Some(tb)) = targets else {
            return no;
        };
        if !self.enc.memory.same_objects(ta, tb) && !self.are_known(ta, tb) {
            return no;
        }
        let ends = self.at_end(ta, a, b).or(&self.at_end(tb, b, a));
        ends.or(&self.in_literals((ta, a), (tb, b)))
    }

    /// Whether both targets are in objects that are known.
    fn are_known(&self, a: Target, b: Target) -> bool {
        let memory = &self.enc.memory;
        !memory.objects(a).is_empty() && !memory.objects(b).is_empty()
    }

    /// Whether one pointer is just past the end of its object, and the other at the start of another one.
    fn at_end(&mut self, target: Target, pointer: &Pointer, other: &Pointer) -> Term {
        let objects: Vec<Object> = self.enc.memory.objects(target).iter().copied().collect();
        let moved = self.enc.memory.is_moved(target);
        let mut past = Term::truth(false);
        let mut looked_at = 0;
        for object in objects {
            match object {
                Object::Single(id) if moved && looked_at < FEW => {
                    let size = self.size(&self.enc.program.variable(id).ty);
                    let (Some(&number), Some(size)) = (self.enc.objects.get(&id), size) else {
                        self.enc.apart = true;
                        continue;
                    };
                    looked_at += 1;
                    let here = pointer.base.equals(&Term::int(number));
                    let end = pointer.offset.equals(&self.offset(size));
                    past = past.or(&here.and(&end));
                }
                Object::Heap | Object::Zeroed | Object::Many(_) => {
                    self.enc.apart |= moved || self.enc.frees;
                }
                Object::External => self.enc.apart |= moved,
                Object::Single(_) => self.enc.apart |= moved,
            }
        }
        let start = other.offset.equals(&self.offset(0));
        let apart = pointer.base.equals(&other.base).not();
        let somewhere = other.base.equals(&Term::int(0)).not();
        past.and(&start).and(&apart).and(&somewhere)
    }

    /// Whether both pointers lead into string literals that may be one object.
    fn in_literals(&mut self, a: (Target, &Pointer), b: (Target, &Pointer)) -> Term {
        if self.has_many_literals(a.0) && self.has_many_literals(b.0) {
            return a.1.base.equals(&b.1.base).not();
        }
        let (first, second) = (self.literals(a.0), self.literals(b.0));
        let mut both = Term::truth(false);
        let mut pairs = 0;
        for (id, bytes) in &first {
            for (other, others) in &second {
                let shared = bytes.ends_with(others) || others.ends_with(bytes);
                if id == other || !shared {
                    continue;
                }
                pairs += 1;
                if pairs > FEW {
                    // Any two of them.
                    return a.1.base.equals(&b.1.base).not();
                }
                let here = a.1.base.equals(&Term::int(*id));
                both = both.or(&here.and(&b.1.base.equals(&Term::int(*other))));
            }
        }
        both
    }

    /// Whether a target may be in literals of which there are several at a time: those of recursive functions.
    fn has_many_literals(&self, target: Target) -> bool {
        let mut objects = self.enc.memory.objects(target).iter();
        objects.any(
            |object| matches!(object, Object::Many(id) if self.enc.program.literals.contains(id)),
        )
    }

    /// The literals that a target may be in: their numbers and bytes.
    fn literals(&self, target: Target) -> Vec<(u64, Vec<u8>)> {
        let objects = self.enc.memory.objects(target).iter();
        let found = objects.filter_map(|object| {
            let Object::Single(id) = object else {
                return None;
            };
            let number = *self.enc.objects.get(id)?;
            let literal = self.enc.program.literals.contains(id);
            match &self.enc.program.variable(*id).storage {
                Storage::Static {
                    initial: Initial::Bytes(bytes),
                    ..
                } if literal => Some((number, bytes.clone())),
                // Of wide characters, or a compound literal: equal to every other one, for all that is known here.
                _ if literal => Some((number, Vec::new())),
                _ => None,
            }
        });
        found.collect()
    }
}
