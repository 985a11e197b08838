//! `errno` (C11 7.5): zero at the start; functions of the library may set it to a number that is not zero.
//!
//! The variable is one of the library's (`stdlib/errno.c`), which programs have that mention it.

use super::body::{Body, Value};
use super::number::Number;
use crate::ir::{Place, Storage, VarId};
use crate::types::Type;
use ult_lang::build::Term;

impl Body<'_, '_> {
    /// The variable, if the program uses it.
    fn errno(&self) -> Option<Place> {
        let variables = (0..).map(VarId).zip(&self.enc.program.variables);
        let is_static =
            |storage: &Storage| matches!(storage, Storage::Static { function: None, .. });
        let (id, variable) = variables
            .filter(|(_, variable)| variable.name == "errno" && is_static(&variable.storage))
            .find(|(id, _)| match self.enc.memory.is_in_memory(*id) {
                true => self.enc.objects.contains_key(id),
                false => self.enc.has_global(&self.enc.variable_name(*id)),
            })?;
        // A program may have something else of this name.
        if variable.ty != Type::INT {
            return None;
        }
        Some(Place::variable(id, variable.ty.clone(), self.out.span()))
    }

    /// It gets a value.
    pub fn set_errno(&mut self, value: &Number) {
        let Some(place) = self.errno() else { return };
        let Some(ty) = place.ty.integer() else { return };
        let value = self.converted(value, ty);
        if let Some(at) = self.locate(&place) {
            self.write(&at, &place.ty, None, Value::Number(value));
        }
    }

    /// It may be set to a number that is not zero (C11 7.5p3).
    pub fn forget_errno(&mut self) {
        self.forget_errno_if(&Term::truth(true));
    }

    /// As [`Body::forget_errno`], if a condition holds.
    pub fn forget_errno_if(&mut self, condition: &Term) {
        let Some(place) = self.errno() else { return };
        let Some(at) = self.locate(&place) else {
            return;
        };
        let (Value::Number(old), Some(ty)) = (self.read(&at, &place.ty, None), place.ty.integer())
        else {
            return;
        };
        let new = Number::new(self.anything(ty), ty);
        let zero = self.constant(&0.into(), ty);
        let same = self.compare_numbers(crate::ir::CompareOp::Equal, &new, &old);
        let error = self.compare_numbers(crate::ir::CompareOp::NotEqual, &new, &zero);
        self.assume(&same.or(&error.and(condition)));
        self.write(&at, &place.ty, None, Value::Number(new));
    }
}
