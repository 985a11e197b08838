//! Objects that are not the program's: a pointer from outside may point to any of them that has its type.

use ult_lang::stack::ensure_stack;

use super::Checker;
use super::value::Value;
use crate::alias::{Object, Target};
use crate::ir::{Initial, Storage};
use crate::types::Type;

impl Checker<'_, '_> {
    /// What `main` is given, and variables that are defined elsewhere.
    pub(super) fn outside_variables(&mut self) {
        let program = self.program;
        let ids = (0..).map(crate::ir::VarId);
        for (variable, id) in program.variables.iter().zip(ids) {
            let given = match &variable.storage {
                Storage::Static { initial, .. } => matches!(initial, Initial::Unknown),
                Storage::Automatic {
                    function,
                    parameter,
                    ..
                } => *parameter && program.main == Some(*function),
            };
            if given {
                self.span = variable.span;
                self.outside(self.object(id), &variable.ty);
            }
        }
    }

    /// The pointers in an object of type `ty` come from outside.
    pub(super) fn outside(&mut self, target: Target, ty: &Type) {
        match ty {
            // Nobody looks at it.
            Type::Pointer(_) if !self.is_accessed(target) => {}
            Type::Pointer(to) => match self.pointee(target) {
                Some(object) => {
                    self.is_outside(object);
                    self.outside_object(object, to);
                }
                None => self.miss("a pointer from outside"),
            },
            Type::Array(element, length) => {
                self.elements(target, element, *length);
                self.outside(target, element);
            }
            Type::Record(id) => {
                let fields = self.program.record(*id).fields.as_deref();
                for number in 0..fields.map_or(0, <[_]>::len) {
                    if let Some((distance, ty)) = self.member(*id, number) {
                        let offset = target.offset.saturating_add(distance);
                        self.outside(Target { offset, ..target }, &ty);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_accessed(&self, target: Target) -> bool {
        let range = self.range(target);
        let mut cells = range.into_iter().flat_map(|range| range.cells.values());
        cells.any(|cell| !cell.accesses.is_empty())
    }

    fn is_outside(&mut self, target: Target) {
        if !self
            .memory
            .nodes
            .objects(target.node)
            .contains(&Object::External)
        {
            self.miss("objects that are not the program's");
        }
    }

    /// At a target may be objects of type `ty` that are not the program's.
    fn outside_object(&mut self, target: Target, ty: &Type) {
        if matches!(ty, Type::Void | Type::Function(_)) {
            return;
        }
        match self.by_type.get(ty) {
            Some(known) if self.is_one(*known, target) => {}
            Some(_) => self.miss("two pointers of one type from outside"),
            None => {
                self.by_type.insert(ty.clone(), target);
                ensure_stack(|| self.outside(target, ty));
            }
        }
    }

    /// Pointers become pointers to `to`: what is not the program's may have been that all the time.
    pub(super) fn converted_outside(&mut self, values: &[Value], to: &Type) {
        for value in values {
            if let Value::At(target) = value
                && self
                    .memory
                    .nodes
                    .objects(target.node)
                    .contains(&Object::External)
            {
                self.outside_object(*target, to);
            }
        }
    }
}
