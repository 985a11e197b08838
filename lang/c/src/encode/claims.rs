//! What the analysis of pointers says, as assertions: at each access the object is one of those that the analysis expects
//! there, and the offset one of its class.
//!
//! They are there where a program is run (`ult run`): a run that meets an object that nobody expects has no meaning in this
//! translation, and says so. Where a program is proved, the solution of the analysis is looked at as a whole instead
//! ([`crate::alias`]): these conditions would have to be parts of every invariant.

use num_bigint::BigInt;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

use super::body::{Body, Pointer};
use super::located::Located;
use super::number::Number;
use crate::alias::{Bounds, Class, Object, Target};
use crate::ir::{Base, CompareOp, Expr, ExprKind, Place, Step};
use crate::translation::LEAVES;
use crate::types::Type;
use crate::undefined::Undefined;

/// Of each object that has no fixed number, which node of the analysis it was made for.
pub(super) const MADE_FOR: &str = "made~for";

const MISSED: &str = "an object that the analysis of pointers does not expect here";

/// The variable.
pub(super) fn global() -> (String, Sort) {
    (MADE_FOR.to_owned(), Sort::map(vec![Sort::Int], Sort::Int))
}

impl Body<'_, '_> {
    /// A new object is made for a target.
    pub fn note_made(&mut self, object: &Term, target: Target) {
        if self.enc.options.check_pointers {
            let entry = self.var(MADE_FOR).select(std::slice::from_ref(object));
            let node = Term::int(self.enc.memory.number(target));
            self.out.assign(&entry, &node);
        }
    }

    /// An access through a pointer.
    pub fn expect(&mut self, target: Target, pointer: &Pointer) {
        if self.enc.options.check_pointers {
            let expected = self.is_expected(target, pointer);
            self.unsupported_unless(&expected, MISSED);
        }
    }

    /// An access to so many bytes does not leave the array that it is in for other parts of the object. A property may ask for
    /// that; else it is a claim of the translation, which is proved with the rest.
    pub fn stay_in_array(&mut self, target: Target, pointer: &Pointer, size: u64) {
        if self.enc.overapprox || size == 0 {
            return;
        }
        let Some(all) = self.enc.memory.array_around(target) else {
            return;
        };
        let mut condition = Term::truth(true);
        for (variable, bounds) in all {
            let within = self.is_within(bounds, &pointer.offset, size);
            let number = variable.and_then(|id| self.enc.object(id));
            condition = condition.and(&match number {
                Some(number) => pointer.base.equals(&number).implies(&within),
                // There are no other parts where no object is.
                None => pointer.base.equals(&Term::int(0)).or(&within),
            });
        }
        self.claim_bounds(&condition);
    }

    /// An access stays in its array.
    pub fn claim_bounds(&mut self, condition: &Term) {
        if self.enc.options.properties.bounds {
            self.require(Undefined::Bounds, condition.clone());
            return;
        }
        self.under(condition.not(), |body| body.claim(LEAVES));
    }

    /// A library function that gets an array by name must stay in it (C11 7.1.4p1): `memcpy(s.name, from, count)`, where the
    /// array is a part of an object. All rows of an array count as one array. The address of anything else, as in
    /// `memcpy(&s.flag, from, count)`, may stand for the whole object.
    pub fn stay_in_named_array(&mut self, pointer: &Expr, count: u64) {
        if !self.enc.options.properties.bounds || count == 0 {
            return;
        }
        let Some((array, size)) = self.named_array(pointer) else {
            return;
        };
        let Some(Located::Memory { pointer: start, .. }) = self.locate(&array) else {
            return;
        };
        let at = self.pointer(pointer);
        let condition = match size.checked_sub(count) {
            None => Term::truth(false),
            Some(last) if self.bits() => {
                let bits = self.enc.program.model.word();
                let distance = self.bit_binary("bvsub", bits, &at.offset, &start.offset);
                let last = self.offset(last);
                self.bit_relation("bvule", bits, &distance, &last)
            }
            Some(last) => {
                let begins = start.offset.at_most(&at.offset);
                begins.and(&at.offset.at_most(&start.offset.add(&Term::int(last))))
            }
        };
        self.require(Undefined::Bounds, condition);
    }

    /// The array that is a part of an object, and that an expression points into; and its size in bytes.
    fn named_array(&self, pointer: &Expr) -> Option<(Place, u64)> {
        let place = match &pointer.kind {
            ExprKind::Convert(inner) if inner.ty.is_pointer() => return self.named_array(inner),
            ExprKind::Offset { pointer, .. } => return self.named_array(pointer),
            ExprKind::Address(place) => place,
            _ => return None,
        };
        let mut ty = match &place.base {
            Base::Variable(id) => self.enc.program.variable(*id).ty.clone(),
            Base::Deref(pointer) => crate::alias::pointed(&pointer.ty),
        };
        let mut found = None;
        for (position, step) in (1..).zip(&place.path) {
            ty = match (ty, step) {
                (Type::Array(element, _), Step::Index(_)) => (*element).clone(),
                (_, Step::Field(record, number)) => {
                    let field = self.enc.fields(*record).get(*number)?.ty.clone();
                    if matches!(field, Type::Array(..)) {
                        let is_part = self.is_part(place, position);
                        found = is_part.then(|| (position, field.clone()));
                    }
                    field
                }
                _ => return None,
            };
        }
        let (length, ty) = found?;
        let size = self.size(&ty)?;
        let mut array = place.clone();
        array.path.truncate(length);
        Some((Place { ty, ..array }, size))
    }

    /// Whether so many bytes at an offset are within bounds.
    fn is_within(&mut self, bounds: Bounds, offset: &Term, size: u64) -> Term {
        if let Some(known) = offset
            .as_int()
            .cloned()
            .or_else(|| offset.as_bit_vector().map(|bits| bits.clone().into()))
        {
            let first = bounds
                .first
                .is_none_or(|first| BigInt::from(first) <= known);
            let end = bounds
                .end
                .is_none_or(|end| known + size <= BigInt::from(end));
            return Term::truth(first && end);
        }
        let ty = self.word_type();
        let (offset, mut within) = (Number::new(offset.clone(), ty), Term::truth(true));
        if let Some(first) = bounds.first {
            let first = Number::new(self.offset(first), ty);
            within = self.compare_numbers(CompareOp::LessEqual, &first, &offset);
        }
        if let Some(end) = bounds.end {
            let Some(last) = end.checked_sub(size) else {
                return Term::truth(false);
            };
            let last = Number::new(self.offset(last), ty);
            let before = self.compare_numbers(CompareOp::LessEqual, &offset, &last);
            within = within.and(&before);
        }
        within
    }

    fn is_expected(&mut self, target: Target, pointer: &Pointer) -> Term {
        let base = &pointer.base;
        let mut expected = Term::truth(false);
        for object in self.enc.memory.objects(target).clone() {
            let one = match &object {
                Object::Single(id) => match self.enc.object(*id) {
                    Some(number) => base.equals(&number),
                    None => continue,
                },
                Object::Many(_) | Object::Heap | Object::Zeroed => {
                    let made_for = self.var(MADE_FOR).select(std::slice::from_ref(base));
                    made_for.equals(&Term::int(self.enc.memory.number(target)))
                }
                Object::External => self.comes_from_outside(pointer, Some(target)),
            };
            let mut fits = Term::truth(false);
            for class in self.enc.memory.classes(target, object) {
                fits = fits.or(&self.is_in_class(class, &pointer.offset));
            }
            expected = expected.or(&one.and(&fits));
        }
        expected
    }

    /// Whether an offset in bytes is one of a class.
    pub(super) fn is_in_class(&mut self, class: Class, offset: &Term) -> Term {
        match class {
            Class::One(only) => offset.equals(&self.offset(only)),
            Class::Every { first, stride } if self.bits() => {
                let bits = self.enc.program.model.word();
                let (first, stride) = (self.offset(first), self.offset(stride));
                let distance = self.bit_binary("bvsub", bits, offset, &first);
                let rest = self.bit_binary("bvurem", bits, &distance, &stride);
                rest.equals(&self.offset(0))
            }
            Class::Every { first, stride } => {
                let distance = offset.subtract(&Term::int(first));
                distance.modulo(&Term::int(stride)).equals(&Term::int(0))
            }
        }
    }
}
