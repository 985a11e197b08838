//! How values are passed to procedures and come back: an argument of C is one of Boogie for each of its scalars, an array
//! within a structure one map.

use super::body::{Body, Value};
use super::located::Located;
use super::number::Number;
use super::statement::SCALARS;
use crate::ir::{Expr, ExprKind};
use crate::types::{Bits, Length, Type};
use ult_lang::build::Term;

impl Body<'_, '_> {
    /// The Boogie arguments for one of C.
    pub fn argument(&mut self, arg: &Expr, ty: &Type, terms: &mut Vec<Term>) {
        if let Type::Record(_) = ty {
            if let ExprKind::Read(place) = &arg.kind
                && let Some(at) = self.access(place)
            {
                self.values_of(&at, ty, None, terms);
            } else {
                self.unsupported("this value of a structure");
            }
            return;
        }
        let value = self.value(arg);
        terms.extend(value.into_terms());
    }

    /// The values of all scalars of an object that is no array.
    fn values_of(&mut self, at: &Located, ty: &Type, bits: Option<Bits>, terms: &mut Vec<Term>) {
        match ty {
            Type::Record(id) if self.enc.is_mixed(*id) => {
                let (passed, maps) = self.passed_union(ty);
                self.copy(&passed, at, ty);
                terms.extend(maps);
            }
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let at = at.field(self, *id, number);
                    let bits = field.bits;
                    self.values_of(&at, &field.ty, bits, terms);
                }
            }
            Type::Array(element, _) => match at {
                Located::Plain { name, indices } if indices.is_empty() => {
                    self.leave_plain(at, ty);
                    let mut leaves = Vec::new();
                    self.enc.leaves(name, element, 1, &mut leaves);
                    terms.extend(leaves.into_iter().map(|leaf| self.var(&leaf.name)));
                }
                _ => self.elements_of(at, ty, terms),
            },
            scalar => {
                self.leave_written(at, scalar);
                let value = self.read(at, scalar, bits);
                terms.extend(value.into_terms());
            }
        }
    }

    /// A place for a union on its way, and its maps.
    fn passed_union(&mut self, ty: &Type) -> (Located, Vec<Term>) {
        let name = format!("u~{}", self.out.variables());
        let mut leaves = Vec::new();
        self.enc.leaves(&name, ty, 0, &mut leaves);
        let leaves = leaves.into_iter();
        let maps = leaves
            .map(|leaf| self.out.local(leaf.name, leaf.ty))
            .collect();
        let indices = Vec::new();
        (Located::Plain { name, indices }, maps)
    }

    /// The elements of an array in memory, as maps.
    fn elements_of(&mut self, at: &Located, ty: &Type, terms: &mut Vec<Term>) {
        let mut leaves = Vec::new();
        self.enc.leaves("", ty, 0, &mut leaves);
        let maps: Vec<Term> = leaves
            .into_iter()
            .map(|leaf| self.temporary(leaf.ty))
            .collect();
        terms.extend(maps.iter().cloned());
        let Some((element, size, length)) = self.small_array(ty) else {
            self.unsupported("an array in a structure that is passed by value");
            return;
        };
        for map in &maps {
            self.out.havoc(map);
        }
        for number in 0..length {
            let index = self.index(number);
            let from = at.element(self, &index, size);
            let index = self.word(&index);
            self.leave_written(&from, element);
            let value = self.read(&from, element, None);
            for (map, part) in maps.iter().zip(value.into_terms()) {
                let element = map.select(std::slice::from_ref(&index));
                self.out.assign(&element, &part);
            }
        }
    }

    /// The elements' type and size, and the length, of an array of not too many scalars.
    pub(super) fn small_array<'t>(&self, ty: &'t Type) -> Option<(&'t Type, u64, u64)> {
        let Type::Array(element, Length::Known(length)) = ty else {
            return None;
        };
        let size = self.size(element)?;
        (element.is_scalar() && *length <= SCALARS).then_some((&**element, size, *length))
    }

    /// The elements of an array in memory get the values that maps have.
    fn receive_elements(&mut self, at: &Located, ty: &Type, names: &mut dyn Iterator<Item = Term>) {
        let mut leaves = Vec::new();
        self.enc.leaves("", ty, 0, &mut leaves);
        let maps: Vec<Term> = names.take(leaves.len()).collect();
        let Some((element, size, length)) = self.small_array(ty) else {
            self.unsupported("an array in a structure that is returned");
            return;
        };
        for number in 0..length {
            let index = self.index(number);
            let to = at.element(self, &index, size);
            let index = self.word(&index);
            let parts: Vec<Term> = maps
                .iter()
                .map(|map| map.select(std::slice::from_ref(&index)))
                .collect();
            self.receive(&to, element, None, &mut parts.into_iter());
        }
    }

    /// Writes the results of a call.
    pub fn receive(
        &mut self,
        at: &Located,
        ty: &Type,
        bits: Option<Bits>,
        names: &mut dyn Iterator<Item = Term>,
    ) {
        match ty {
            Type::Void => {}
            Type::Record(id) if self.enc.is_mixed(*id) => {
                let (passed, maps) = self.passed_union(ty);
                for (map, value) in maps.iter().zip(names) {
                    self.out.assign(map, &value);
                }
                self.copy(at, &passed, ty);
            }
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let at = at.field(self, *id, number);
                    self.receive(&at, &field.ty, field.bits, names);
                }
            }
            Type::Array(element, _) => match at {
                Located::Plain { name, indices } if indices.is_empty() => {
                    let mut leaves = Vec::new();
                    self.enc.leaves(name, element, 1, &mut leaves);
                    self.note_plain_written(name, element);
                    for leaf in leaves {
                        if let Some(term) = names.next() {
                            self.out.assign(&self.var(&leaf.name), &term);
                        }
                    }
                }
                _ => self.receive_elements(at, ty, names),
            },
            scalar => {
                let value = match scalar {
                    Type::Pointer(_) | Type::Function(_) => {
                        let zero = self.offset(0);
                        Value::Pointer(super::body::Pointer {
                            base: names.next().unwrap_or_else(|| Term::int(0)),
                            offset: names.next().unwrap_or(zero),
                        })
                    }
                    Type::Float(float) => {
                        Value::Float(*float, names.next().unwrap_or_else(|| Term::int(0)))
                    }
                    other => {
                        let ty = other.integer().unwrap_or(crate::types::IntType::INT);
                        let term = names.next().unwrap_or_else(|| Term::int(0));
                        // Procedures give back values of their type.
                        self.assume_range(&term, ty);
                        Value::Number(Number::new(term, ty))
                    }
                };
                self.write(at, scalar, bits, value);
            }
        }
    }
}
