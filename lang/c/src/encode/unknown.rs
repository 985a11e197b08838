//! Functions without a body, and memory that is not the program's.
//!
//! Such a function returns anything and changes nothing: both are told with the verdict. A pointer that it returns is
//! null, or points to *external* memory: objects with numbers below those of functions, different from all of the
//! program's. Where the program uses such pointers in the same places as pointers to its own objects, they may also
//! point to those. What external memory contains is arbitrary, but pointers in it point neither to what does not exist
//! yet nor to what the program never put there.

use std::collections::BTreeSet;

use super::body::{Body, Pointer, Value};
use super::located::Located;
use super::{Encoder, NEXT_OBJECT};
use crate::alias::{Object, Target};
use crate::ir::{Expr, Function, Place};
use crate::types::Type;
use ult_lang::build::Term;

/// More objects are not told apart.
const FEW: usize = 16;

impl Encoder<'_> {
    /// Whether there are pointers in an object of a type.
    pub(super) fn has_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(element),
            Type::Record(id) => {
                let mut fields = self.fields(*id).iter();
                fields.any(|field| self.has_pointers(&field.ty))
            }
            _ => false,
        }
    }
}

impl Body<'_, '_> {
    /// A call of a function without a body that is not known by its name.
    pub fn call_unknown(&mut self, function: &Function, args: &[Expr], result: Option<&Place>) {
        let has_pointers = self.enc.has_pointers(&function.ty.result);
        self.enc.unknown.insert(function.name.clone(), has_pointers);
        // The arguments may still be undefined.
        for arg in args {
            self.evaluate(arg);
            if self.enc.options.properties.track && !self.enc.gives_away {
                self.enc.gives_away = self.may_lead_to_heap(arg);
            }
        }
        if !function.returns {
            let properties = &self.enc.options.properties;
            if properties.track || properties.cleanup {
                self.unsupported("memory at the end by a function without a body");
            }
            self.out.assume(&Term::truth(false), Vec::new());
        } else if let Some(place) = result {
            self.havoc_place(place);
        }
    }

    fn may_lead_to_heap(&mut self, arg: &Expr) -> bool {
        match (&arg.ty, self.enc.memory.target(arg)) {
            (Type::Pointer(_), Some(target)) => self.enc.memory.leads_to_heap(target),
            (ty, _) => !ty.is_pointer() && self.enc.has_pointers(ty),
        }
    }

    /// A known function gives something of a type that may lead to what is not the program's.
    pub fn note_outside(&mut self, name: &str, ty: &Type) {
        if self.enc.has_pointers(ty) {
            self.enc.outside.insert(name.to_owned());
        }
    }

    /// Whether there are pointers in an object of a type that lead to something that the program can look at.
    pub fn has_followed_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(to) => {
                !matches!(&**to, Type::Record(id) if self.enc.fields(*id).is_empty())
            }
            Type::Array(element, _) => self.has_followed_pointers(element),
            other => self.enc.has_pointers(other),
        }
    }

    /// The pointers in an object of type `ty` that came from outside point to what there is.
    pub fn assume_known(&mut self, at: &Located, target: Target, ty: &Type) {
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let at = at.field(self, *id, number);
                    let (target, _) = self.enc.memory.field(target, *id, number);
                    self.assume_known(&at, target, &field.ty);
                }
            }
            Type::Pointer(_) => {
                if let Value::Pointer(pointer) = self.read(at, ty, None)
                    && matches!(at, Located::Plain { .. })
                {
                    self.assume_points_to_known(&pointer, target);
                }
            }
            _ => {}
        }
    }

    /// A pointer that a function of the library gave is null, or points to what is the library's own: neither to an object of
    /// the program's nor to an address that is no object's.
    pub fn assume_of_library(&mut self, place: &Place) {
        let Some(at) = self.locate(place) else { return };
        if let Value::Pointer(pointer) = self.read(&at, &place.ty, None) {
            let start = pointer.offset.equals(&self.offset(0));
            let null = pointer.base.equals(&Term::int(0)).and(&start);
            let mut outside = is_external(&pointer.base, self.enc.program.functions.len());
            if let Some(arguments) = &self.enc.arguments {
                outside = outside.and(&arguments.contain(&pointer.base).not());
            }
            self.assume(&null.or(&outside));
        }
    }

    /// A pointer that is stored at a target, and may have come from outside, points to what there is.
    pub fn assume_points_to_known(&mut self, pointer: &Pointer, target: Target) {
        let target = self.enc.memory.pointee(target);
        if !self.enc.memory.is_external(target) {
            return;
        }
        let base = &pointer.base;
        let mut outside = is_external(base, self.enc.program.functions.len());
        if let Some(offset) = self.enc.memory.offset_outside(target) {
            outside = outside.and(&pointer.offset.equals(&self.offset(offset)));
        }
        let mut known = base.equals(&Term::int(0)).or(&outside);
        for &id in self.enc.memory.functions_at(target) {
            known = known.or(&base.equals(&self.enc.function_object(id)));
        }
        let objects = self.enc.memory.objects(target);
        let singles = objects.iter().filter_map(|object| match object {
            Object::Single(id) => self.enc.objects.get(id).copied(),
            _ => None,
        });
        let singles: Vec<u64> = singles.collect();
        let many = objects
            .iter()
            .any(|object| matches!(object, Object::Heap | Object::Zeroed | Object::Many(_)));
        let first = match singles.len() > FEW {
            true => Some(1),
            false => many.then(|| self.enc.first_free_object()),
        };
        if singles.len() <= FEW {
            for number in singles {
                known = known.or(&base.equals(&Term::int(number)));
            }
        }
        if let Some(first) = first {
            let exists = Term::int(first)
                .at_most(base)
                .and(&base.less(&self.var(NEXT_OBJECT)));
            known = known.or(&exists);
        }
        self.assume(&known);
    }

    /// Whether a pointer to a target points to external memory whose bounds are not known.
    pub fn points_outside(&self, pointer: &Pointer, target: Option<Target>) -> Term {
        let outside = self.comes_from_outside(pointer, target);
        match &self.enc.arguments {
            Some(arguments) => outside.and(&arguments.contain(&pointer.base).not()),
            None => outside,
        }
    }

    /// Whether a pointer to a target points to external memory.
    pub fn comes_from_outside(&self, pointer: &Pointer, target: Option<Target>) -> Term {
        match target {
            Some(target) if self.enc.memory.is_external(target) => {
                is_external(&pointer.base, self.enc.program.functions.len())
            }
            _ => Term::truth(false),
        }
    }
}

/// Whether the number of an object is below those of so many functions.
fn is_external(base: &Term, functions: usize) -> Term {
    base.less(&Term::int(-(functions as i64)))
}

/// What pointers from outside point to. Those that the program keeps in the same places are what the points-to analysis
/// cannot tell from them: the variables, the allocations, and what was given away.
pub(super) const POINT_TO: &str = "are null or point to memory that only such pointers of the same type share, or to what the program itself points to in the same places";

pub(super) const NO_BODY: &str =
    "functions without a body change no memory of the program and call none of its functions";

/// What is assumed about functions without a body, by their names and whether they return pointers.
pub(super) fn assumptions(
    unknown: &super::Unknown,
    outside: &BTreeSet<String>,
    variables: &BTreeSet<String>,
) -> Vec<String> {
    let list = |names: Vec<&str>| names.join(", ");
    let mut all = Vec::new();
    if !unknown.is_empty() {
        let names = unknown.keys().map(String::as_str).collect();
        all.push(format!("{NO_BODY}: {}", list(names)));
    }
    let pointers: Vec<&str> = unknown
        .iter()
        .filter(|(_, has_pointers)| **has_pointers)
        .map(|(name, _)| name.as_str())
        .chain(outside.iter().map(String::as_str))
        .collect();
    if !pointers.is_empty() {
        all.push(format!(
            "pointers that functions without a body return {POINT_TO}: {}",
            list(pointers)
        ));
    }
    if !variables.is_empty() {
        all.push(format!(
            "pointers in variables that are defined elsewhere {POINT_TO}: {}",
            list(variables.iter().map(String::as_str).collect())
        ));
    }
    all
}
