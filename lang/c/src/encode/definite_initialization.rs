//! Definite initialization: reads of what was not written (C11 6.2.4p6, 6.3.2.1p2): for each scalar, whether it was.
//!
//! Only programs for which that is asked have the variables for it: one beside each scalar of a local variable, a map
//! beside each region. Copying a structure is no read of its members: what was not written there, is not here either.

use super::body::Body;
use super::located::{Located, member_name};
use crate::alias::{RegionId, Shape, Target};
use crate::types::{Bits, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// How the name of the variable that says whether a scalar was written ends.
const WRITTEN: &str = "~written";

/// The variable beside that of a scalar.
pub(super) fn beside(name: &str) -> String {
    format!("{name}{WRITTEN}")
}

impl Body<'_, '_> {
    fn tracks_writes(&self) -> bool {
        self.enc.options.properties.uninitialised
    }

    /// Makes the variables beside those of a local variable; nothing is written yet.
    pub fn declare_written(&mut self, name: &str, ty: &Type) {
        if !self.tracks_writes() {
            return;
        }
        for (scalar, dimensions) in self.scalars(name, ty) {
            let sort = self.enc.array_sort(dimensions, Sort::Bool);
            self.out.local(beside(&scalar), sort);
            self.set_written(&scalar, false);
            self.shadowed.insert(scalar);
        }
    }

    /// The life of a plain variable begins.
    pub fn forget_written(&mut self, name: &str, ty: &Type) {
        for (scalar, _) in self.scalars(name, ty) {
            if self.shadowed.contains(&scalar) {
                self.set_written(&scalar, false);
            }
        }
    }

    /// All of a plain object is written.
    pub fn note_plain_written(&mut self, name: &str, ty: &Type) {
        for (scalar, _) in self.scalars(name, ty) {
            self.note_all_written(&scalar);
        }
    }

    /// All of a plain scalar, or all elements of a plain array, are written.
    pub fn note_all_written(&mut self, scalar: &str) {
        if self.shadowed.contains(scalar) {
            self.set_written(scalar, true);
        }
    }

    /// The names of the scalars of a plain variable, and how many indices they have.
    fn scalars(&self, name: &str, ty: &Type) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        let mut work = vec![(name.to_owned(), ty.clone(), 0)];
        while let Some((name, ty, dimensions)) = work.pop() {
            match ty {
                Type::Void => {}
                Type::Record(id) => {
                    for (number, field) in self.enc.fields(id).iter().enumerate() {
                        let member = member_name(&field.name, number);
                        work.push((format!("{name}.{member}"), field.ty.clone(), dimensions));
                    }
                }
                Type::Array(element, _) => work.push((name, (*element).clone(), dimensions + 1)),
                _ => found.push((name, dimensions)),
            }
        }
        found
    }

    fn set_written(&mut self, scalar: &str, value: bool) {
        let variable = self.var(&beside(scalar));
        let value = self.enc.constant_map(variable.ty(), &Term::truth(value));
        self.out.assign(&variable, &value);
    }

    /// At the start nothing was written, but what will be allocated with zeroes.
    pub fn start_of_writes(&mut self) {
        if !self.tracks_writes() {
            return;
        }
        let ids: Vec<RegionId> = self.enc.region_ids().collect();
        for id in ids {
            let region = &self.enc.memory.regions()[id.0 as usize];
            let value = self.enc.memory.is_zeroed(region.target);
            let map = self.var(&beside(&self.enc.region_name(id)));
            let value = self.enc.constant_map(map.ty(), &Term::truth(value));
            self.out.assign(&map, &value);
        }
    }

    /// All of an object was written, or nothing; `from` another object: what was written there.
    pub fn set_object_written(&mut self, target: Target, object: &Term, what: &Copied<'_>) {
        if !self.tracks_writes() {
            return;
        }
        for id in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[id.0 as usize].shape;
            let map = beside(&self.enc.region_name(id));
            let part = self.part_of_object(&map, shape, object);
            let value = match (shape, what) {
                (Shape::One | Shape::ByOffset, Copied::From(_)) => continue,
                (_, Copied::From(from)) => self.part_of_object(&map, shape, from),
                (_, Copied::All(value)) => self.enc.constant_map(part.ty(), &Term::truth(*value)),
            };
            self.out.assign(&part, &value);
        }
    }

    /// What says whether a scalar was written: its bytes, if it is kept as bytes. Nothing if it surely was.
    fn entries_written(&mut self, at: &Located, ty: &Type) -> Vec<Term> {
        if !self.tracks_writes() {
            return Vec::new();
        }
        match at {
            Located::Plain { name, indices } if self.shadowed.contains(name) => {
                vec![self.var(&beside(name)).select(indices)]
            }
            Located::Memory { target, pointer } => {
                let Some(id) = self.enc.memory.region(*target) else {
                    return Vec::new();
                };
                let shape = self.enc.memory.regions()[id.0 as usize].shape;
                let name = beside(&self.enc.region_name(id));
                match (self.bytes_of(at), self.size(ty)) {
                    (Some(_), Some(size)) => self.entries_at(&name, shape, pointer, size),
                    _ => vec![self.entry(&name, shape, pointer)],
                }
            }
            Located::Plain { .. } | Located::Passed { .. } => Vec::new(),
        }
    }

    /// Whether the parts of a scalar were written; what is not the program's is not its to write.
    fn parts_written(&mut self, at: &Located, ty: &Type) -> Vec<Term> {
        let outside = match at {
            Located::Memory { target, pointer } => self.points_outside(pointer, Some(*target)),
            _ => Term::truth(false),
        };
        let entries = self.entries_written(at, ty).into_iter();
        entries.map(|entry| outside.or(&entry)).collect()
    }

    /// A scalar is read.
    pub fn check_written(&mut self, at: &Located, ty: &Type, bits: Option<Bits>) {
        if !self.tracks_writes() {
            return;
        }
        if self.bytes_of(at).is_some() {
            if bits.is_some() {
                self.unsupported("reads of bit-fields among bytes that may not be written");
            }
            // A byte of an object, padding included, may be read as a character whatever it is (C11 6.2.6.1p4).
            if self.size(ty) == Some(1) && *ty != Type::Bool {
                return;
            }
        }
        for part in self.parts_written(at, ty) {
            self.require(Undefined::Read, part);
        }
    }

    /// A scalar leaves for where nobody keeps in mind whether it was written.
    pub fn leave_written(&mut self, at: &Located, ty: &Type) {
        for part in self.parts_written(at, ty) {
            self.unsupported_unless(&part, WHOLE);
        }
    }

    /// An array within a plain variable does.
    pub fn leave_plain(&mut self, at: &Located, ty: &Type) {
        let Located::Plain { name, .. } = at else {
            return;
        };
        let scalars = self.scalars(name, ty);
        let is_shadowed = |(scalar, _): &(String, usize)| self.shadowed.contains(scalar);
        if !scalars.iter().any(is_shadowed) {
            return;
        }
        let Some((element, size, length)) = self.small_array(ty) else {
            self.unsupported(WHOLE);
            return;
        };
        let mut all = Term::truth(true);
        for number in 0..length {
            let index = self.index(number);
            let one = at.element(self, &index, size);
            for part in self.parts_written(&one, element) {
                all = all.and(&part);
            }
        }
        self.unsupported_unless(&all, WHOLE);
    }

    /// A scalar is written.
    pub fn note_written(&mut self, at: &Located, ty: &Type) {
        for entry in self.entries_written(at, ty) {
            self.out.assign(&entry, &Term::truth(true));
        }
    }

    /// What a scalar's parts are before it is copied, for [`Body::copy_written`].
    pub fn written_before(&mut self, at: &Located, ty: &Type) -> Vec<Term> {
        let parts = self.parts_written(at, ty).into_iter();
        parts.map(|part| self.copied(part)).collect()
    }

    /// A scalar was copied: one that was not written made another such.
    pub fn copy_written(&mut self, to: &Located, ty: &Type, parts: &[Term]) {
        let entries = self.entries_written(to, ty);
        let all = parts
            .iter()
            .fold(Term::truth(true), |all, part| all.and(part));
        if entries.is_empty() && self.tracks_writes() {
            self.unsupported_unless(&all, WHOLE);
        }
        for (number, entry) in entries.iter().enumerate() {
            let part = match parts.len() == entries.len() {
                true => &parts[number],
                false => &all,
            };
            self.out.assign(entry, part);
        }
    }

    /// A plain array was copied.
    pub fn copy_plain_written(&mut self, to: &str, from: &str) {
        match (self.shadowed.contains(to), self.shadowed.contains(from)) {
            (true, true) => {
                let (to, from) = (self.var(&beside(to)), self.var(&beside(from)));
                self.out.assign(&to, &from);
            }
            (true, false) => self.set_written(to, true),
            (false, true) => self.unsupported(WHOLE),
            (false, false) => {}
        }
    }
}

const WHOLE: &str = "a structure that is passed before all of it was written";

/// What an object's parts are.
pub enum Copied<'t> {
    /// All written, or none.
    All(bool),
    /// What the parts of another one are.
    From(&'t Term),
}
