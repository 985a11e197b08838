//! Objects that are not the program's: what functions without a body return, what `main` is given, and what variables
//! point to that are defined elsewhere.
//!
//! Nothing is known about their shape: a pointer in them may point to any of them that has its type. So all of one type
//! are one node. Pointers to `void` are of no type as long as they are not converted. Only pointers count that the program
//! looks at: a structure of the system's has many members, often in unions, and a program uses few of them.

use std::collections::HashMap;

use super::verify::skip::{Skip, skips};
use super::{Memory, Target, pointed};
use crate::ir::{Initial, Storage};
use crate::types::Type;

/// The external objects found so far.
#[derive(Default)]
pub(super) struct Outside {
    by_type: HashMap<Type, Target>,
    /// Pointers that are converted: what they point to, and as what.
    conversions: Vec<(Target, Type)>,
    /// Whether something new became known.
    changed: bool,
}

impl Outside {
    /// Variables whose values come from outside.
    pub(super) fn variables(&mut self, memory: &mut Memory<'_>) {
        let program = memory.program;
        for (number, variable) in program.variables.iter().enumerate() {
            let given = match &variable.storage {
                Storage::Static { initial, .. } => matches!(initial, Initial::Unknown),
                Storage::Automatic {
                    function,
                    parameter,
                    ..
                } => *parameter && program.main == Some(*function),
            };
            if given {
                let target = Target {
                    node: memory.variables[number],
                    offset: 0,
                };
                self.pointers(memory, target, &variable.ty);
            }
        }
    }

    /// The pointers in an object of type `ty` may point to external objects.
    pub(super) fn pointers(&mut self, memory: &mut Memory<'_>, target: Target, ty: &Type) {
        if skips(Skip::Outside) {
            return;
        }
        match ty {
            Type::Pointer(to) => {
                if !memory.nodes.is_accessed(target) {
                    return;
                }
                let object = memory.nodes.pointee(target);
                self.changed |= !memory.is_external(object);
                memory.nodes.add_external(object.node);
                self.objects(memory, object, to);
            }
            Type::Array(element, length) => {
                let target = memory.elements(target, element, *length);
                self.pointers(memory, target, element);
            }
            Type::Record(id) => {
                let fields = memory.program.record(*id).fields.as_deref();
                for number in 0..fields.map_or(0, <[_]>::len) {
                    let (target, ty) = memory.field(target, *id, number);
                    self.pointers(memory, target, &ty);
                }
            }
            _ => {}
        }
    }

    /// A target may be in external objects of type `ty`.
    fn objects(&mut self, memory: &mut Memory<'_>, target: Target, ty: &Type) {
        if matches!(ty, Type::Void | Type::Function(_)) {
            return;
        }
        if let Some(known) = self.by_type.get(ty) {
            let known = *known;
            self.changed |= !memory.nodes.is_one(known, target);
            memory.nodes.unify(known, target);
            return;
        }
        self.changed = true;
        self.by_type.insert(ty.clone(), target);
        ult_lang::stack::ensure_stack(|| self.pointers(memory, target, ty));
    }

    /// A pointer is converted.
    pub(super) fn conversion(&mut self, target: Target, ty: &Type) {
        let to = pointed(ty);
        if !matches!(to, Type::Void | Type::Function(_)) && !skips(Skip::Conversion) {
            self.conversions.push((target, to));
        }
    }

    /// What is converted may have been external objects all the time, and pointers in them may be looked at by now; tells
    /// whether something new is known.
    pub(super) fn spread(&mut self, memory: &mut Memory<'_>) -> bool {
        memory.nodes.spread_external();
        self.variables(memory);
        let mut known: Vec<(Type, Target)> = self
            .by_type
            .iter()
            .map(|(ty, target)| (ty.clone(), *target))
            .collect();
        known.sort_by_key(|(_, target)| (target.node, target.offset));
        for (ty, target) in known {
            self.pointers(memory, target, &ty);
        }
        let mut changed = std::mem::take(&mut self.changed);
        for (target, ty) in std::mem::take(&mut self.conversions) {
            if !memory.is_external(target) {
                continue;
            }
            let known = self.by_type.get(&ty);
            if known.is_none_or(|known| !memory.same_objects(*known, target)) {
                changed = true;
                self.objects(memory, target, &ty);
            }
        }
        changed
    }
}
