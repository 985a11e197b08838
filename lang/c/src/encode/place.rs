//! Reading and writing objects.

use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};
use ult_lang::span::Span;

use super::body::{Body, Pointer, Value, parts};
use super::bytes::Bytes;
use super::located::Located;
use super::number::{Number, range};
use crate::alias::{Content, Kind, Shape, Target};
use crate::ir::{Base, BinaryOp, CompareOp, Expr, ExprKind, Place, Step, VarId};
use crate::types::{Bits, IntType, Length, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;

/// Where an array is that is indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexed {
    /// In memory, where the access itself says that it stays in its array.
    Memory,
    /// All of a plain variable.
    Object,
    /// A part of something that is not in memory.
    Part,
}

impl Body<'_, '_> {
    /// A number as wide as a pointer.
    pub fn word_type(&self) -> IntType {
        self.enc.program.model.difference_type()
    }

    /// The value of a number, as wide as a pointer.
    pub fn word(&mut self, number: &Number) -> Term {
        match self.bits() {
            false => number.term.clone(),
            true => {
                let ty = self.word_type();
                self.converted(number, ty).term
            }
        }
    }

    /// A constant offset.
    pub fn offset(&self, bytes: u64) -> Term {
        let ty = self.word_type();
        self.constant(&BigInt::from(bytes), ty).term
    }

    /// Whether an offset is at most so many bytes.
    pub fn is_at_most(&mut self, offset: &Term, bytes: u64) -> Term {
        let most = self.offset(bytes);
        match self.bits() {
            false => offset.at_most(&most),
            true => {
                let bits = self.enc.program.model.word();
                self.bit_relation("bvule", bits, offset, &most)
            }
        }
    }

    /// An offset moved by a constant.
    pub fn moved(&self, offset: &Term, bytes: u64) -> Term {
        if bytes == 0 {
            return offset.clone();
        }
        match self.bits() {
            false => offset.add(&Term::int(bytes)),
            true => {
                let word = self.enc.program.model.word();
                let name = self.enc.builtin_name("bvadd", word);
                self.enc.out.apply(&name, &[offset, &self.offset(bytes)])
            }
        }
    }

    /// A pointer moved by a number of elements of `size` bytes.
    pub fn offset_pointer(
        &mut self,
        pointer: &Pointer,
        index: &Number,
        size: &Term,
        back: bool,
    ) -> Pointer {
        let index = self.word(index);
        let offset = if self.bits() {
            let bits = self.enc.program.model.word();
            let distance = self.bit_binary("bvmul", bits, &index, size);
            let operation = if back { "bvsub" } else { "bvadd" };
            self.bit_binary(operation, bits, &pointer.offset, &distance)
        } else {
            let distance = index.multiply(size);
            if back {
                pointer.offset.subtract(&distance)
            } else {
                pointer.offset.add(&distance)
            }
        };
        Pointer {
            base: pointer.base.clone(),
            offset,
        }
    }

    /// Where a place is. What is wrong with it was said if there is none.
    pub fn locate(&mut self, place: &Place) -> Option<Located> {
        self.find(place, false)
    }

    /// As [`Body::locate`], for an access: the elements of arrays on the way must exist.
    pub fn locate_within(&mut self, place: &Place) -> Option<Located> {
        self.find(place, true)
    }

    fn find(&mut self, place: &Place, access: bool) -> Option<Located> {
        let program = self.enc.program;
        let (mut at, mut ty) = match &place.base {
            Base::Variable(id) => {
                let located = if self.enc.memory.is_in_memory(*id) {
                    let zero = self.offset(0);
                    Located::Memory {
                        target: self.enc.memory.object(*id),
                        pointer: Pointer {
                            base: self.object(*id),
                            offset: zero,
                        },
                    }
                } else {
                    Located::Plain {
                        name: self.enc.variable_name(*id),
                        indices: Vec::new(),
                    }
                };
                (located, program.variable(*id).ty.clone())
            }
            Base::Deref(pointer) => (self.pointee(pointer)?, crate::alias::pointed(&pointer.ty)),
        };
        for (position, step) in place.path.iter().enumerate() {
            match step {
                Step::Field(record, number) => {
                    at = at.field(self, *record, *number);
                    let field = self.enc.fields(*record).get(*number);
                    ty = field.map_or(Type::Void, |field| field.ty.clone());
                }
                Step::Index(index) => {
                    let index = self.number(index);
                    if let Type::Array(_, length) = &ty
                        && match &at {
                            Located::Plain { .. } | Located::Passed { .. } => true,
                            // All of an object is looked after by the check of the access.
                            Located::Memory { .. } => access && self.is_part(place, position),
                        }
                    {
                        let array = match &at {
                            Located::Memory { .. } => Indexed::Memory,
                            Located::Plain { .. } if position == 0 => Indexed::Object,
                            Located::Plain { .. } | Located::Passed { .. } => Indexed::Part,
                        };
                        self.check_index(&index, *length, array);
                    }
                    let element = match ty {
                        Type::Array(element, _) => (*element).clone(),
                        other => other,
                    };
                    let Some(size) = self.size_in_bytes(&element) else {
                        self.unsupported("an array of objects whose size is not known");
                        return None;
                    };
                    at = at.sized_element(self, &index, &size);
                    ty = element;
                }
            }
        }
        if let (Located::Memory { target, .. }, Some(known)) =
            (&mut at, self.enc.memory.place(place))
        {
            *target = known;
        }
        Some(at)
    }

    /// Whether the array that a step of a place goes into is a part of an object. The last member of a structure behind a
    /// pointer may have more elements than its type says, as older programs have it.
    pub(super) fn is_part(&self, place: &Place, position: usize) -> bool {
        match (&place.base, &place.path[..position]) {
            (Base::Variable(_), []) => false,
            (Base::Deref(_), [Step::Field(record, number)]) => {
                number + 1 < self.enc.fields(*record).len()
            }
            _ => true,
        }
    }

    /// An element of an array must exist.
    fn check_index(&mut self, index: &Number, length: Length, array: Indexed) {
        let zero = BigInt::zero();
        let properties = &self.enc.options.properties;
        let is_checked = properties.dereference || properties.bounds;
        let length = match length {
            Length::Known(length) if index.low >= zero && index.high < BigInt::from(length) => {
                return;
            }
            _ if array == Indexed::Object && !is_checked => {
                self.trust(Undefined::Bounds);
                return;
            }
            _ if array == Indexed::Memory && !is_checked => return,
            Length::Known(length) => self.constant(&length.into(), IntType::WIDEST),
            Length::Variable(variable) => {
                let length = self.content(variable);
                self.number(&length)
            }
            Length::Unknown => {
                self.unsupported("memory safety of an array of unknown length");
                return;
            }
        };
        // In a type that has both the index and the length.
        let wide = IntType::WIDEST;
        let (index, end) = (self.converted(index, wide), self.converted(&length, wide));
        let zero = self.constant(&zero, wide);
        let condition = self
            .compare_numbers(CompareOp::LessEqual, &zero, &index)
            .and(&self.compare_numbers(CompareOp::Less, &index, &end));
        match self.enc.options.properties.dereference && !self.enc.options.properties.bounds {
            true => self.require(Undefined::Dereference, condition),
            false => self.claim_bounds(&condition),
        }
    }

    /// What a pointer points to.
    fn pointee(&mut self, pointer: &Expr) -> Option<Located> {
        let value = self.pointer(pointer);
        match self.enc.memory.target(pointer) {
            Some(target) => Some(Located::Memory {
                target,
                pointer: value,
            }),
            None => {
                if matches!(pointer.kind, ExprKind::Int(0)) || self.enc.overapprox {
                    // `&((struct s *)0)->member` computes an offset; an access is another matter.
                    return Some(Located::Memory {
                        target: self.enc.nothing(),
                        pointer: value,
                    });
                }
                self.unsupported("a pointer made of an integer");
                None
            }
        }
    }

    /// The size of a type in bytes, computed if it is not constant; `None` if it is not known.
    pub fn size_in_bytes(&mut self, ty: &Type) -> Option<Term> {
        if let Some(size) = self.size(ty) {
            return Some(self.offset(size));
        }
        let size = self.size_of(ty)?;
        let size = self.number(&size);
        Some(self.word(&size))
    }

    /// What `sizeof` a type is, as C computes it.
    fn size_of(&self, ty: &Type) -> Option<Expr> {
        let size_type = Type::Int(self.enc.program.model.size_type());
        let constant = |value: u64| Expr {
            kind: ExprKind::Int(value.into()),
            ty: size_type.clone(),
            span: Span::default(),
        };
        match (self.size(ty), ty) {
            (Some(size), _) => Some(constant(size)),
            (None, Type::Array(element, length)) => {
                let length = match length {
                    Length::Known(length) => constant(*length),
                    Length::Variable(variable) => self.content(*variable),
                    Length::Unknown => return None,
                };
                let factors = (Box::new(length), Box::new(self.size_of(element)?));
                Some(Expr {
                    kind: ExprKind::Binary(BinaryOp::Multiply, factors.0, factors.1),
                    ty: size_type,
                    span: Span::default(),
                })
            }
            _ => None,
        }
    }

    /// What a variable contains: the length of an array, or an argument.
    pub fn content(&self, variable: VarId) -> Expr {
        let ty = self.enc.program.variable(variable).ty.clone();
        let span = Span::default();
        Expr {
            kind: ExprKind::Read(Place::variable(variable, ty.clone(), span)),
            ty,
            span,
        }
    }

    /// The size of a type in bytes, if it is constant.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        self.enc.layout().size(ty)
    }

    /// The value of a scalar object; of a bit-field, if `bits` are given.
    pub fn read(&mut self, at: &Located, ty: &Type, bits: Option<Bits>) -> Value {
        if self.is_forgotten(at) {
            return self.forgotten(ty, bits);
        }
        match at {
            Located::Plain { name, indices } => {
                let terms = self.selected(name, indices, ty);
                self.loaded(terms, ty, bits, !indices.is_empty())
            }
            Located::Memory { target, pointer } => self.read_memory(*target, pointer, ty, bits),
            Located::Passed { bytes, pointer } => self.read_bytes(bytes, pointer, ty, bits),
        }
    }

    fn selected(&self, name: &str, indices: &[Term], ty: &Type) -> Vec<Term> {
        parts(self.enc, ty)
            .iter()
            .map(|(suffix, _)| self.var(&format!("{name}{suffix}")).select(indices))
            .collect()
    }

    /// The number of the object of a variable in memory.
    pub fn object(&self, id: VarId) -> Term {
        let known = self.enc.object(id);
        known.unwrap_or_else(|| self.var(&object_variable(&self.enc.variable_name(id))))
    }

    /// What a map of a region says about a place.
    pub fn entry(&self, map: &str, shape: Shape, pointer: &Pointer) -> Term {
        let map = self.var(map);
        let (object, offset) = (
            std::slice::from_ref(&pointer.base),
            std::slice::from_ref(&pointer.offset),
        );
        match shape {
            Shape::One => map,
            Shape::ByOffset => map.select(offset),
            Shape::ByObject => map.select(object),
            Shape::Both => map.select(object).select(offset),
        }
    }

    /// A value from the Boogie expressions of its parts. Elements of maps may never have been
    /// written: then they are arbitrary, but within their type.
    fn loaded(&mut self, terms: Vec<Term>, ty: &Type, bits: Option<Bits>, element: bool) -> Value {
        let mut terms = terms.into_iter();
        let first = terms.next().unwrap_or_else(|| Term::int(0));
        match ty {
            Type::Pointer(_) | Type::Function(_) => Value::Pointer(Pointer {
                base: first,
                offset: terms.next().unwrap_or_else(|| self.offset(0)),
            }),
            Type::Float(float) => Value::Float(*float, first),
            other => {
                let ty = other.integer().unwrap_or(IntType::INT);
                let mut number = Number::new(first, ty);
                if let Some(bits) = bits {
                    (number.low, number.high) = range(IntType {
                        bits: bits.width,
                        signed: ty.signed,
                    });
                }
                if *other == Type::Bool {
                    (number.low, number.high) = (BigInt::zero(), BigInt::one());
                }
                if element && !self.bits() {
                    let (low, high) = (number.low.clone(), number.high.clone());
                    self.assume_between(&number.term.clone(), &low, &high);
                }
                Value::Number(number)
            }
        }
    }

    fn read_memory(
        &mut self,
        target: Target,
        pointer: &Pointer,
        ty: &Type,
        bits: Option<Bits>,
    ) -> Value {
        let Some((name, shape, content)) = self.region(target) else {
            return self.arbitrary(ty);
        };
        self.expect(target, pointer);
        self.stay_in_its_array(target, pointer, ty, bits);
        if *ty == Type::Bool {
            self.trust(Undefined::Representation);
        }
        match content {
            Content::Bytes { pointers } => {
                let region = Bytes {
                    name,
                    shape,
                    pointers,
                };
                let value = self.read_bytes(&region, pointer, ty, bits);
                if let Value::Pointer(pointer) = &value {
                    self.assume_points_to_known(pointer, target);
                }
                value
            }
            Content::Scalar {
                kind,
                ty: as_int,
                bits: size,
            } => {
                if !self.fits(kind, size, ty, bits) {
                    return self.arbitrary(ty);
                }
                let stored = stored_type(kind, as_int, ty);
                let terms = self.entries(&name, shape, pointer, &stored);
                let value = self.loaded(terms, &stored, bits, shape != Shape::One);
                if let Value::Pointer(pointer) = &value {
                    self.assume_points_to_known(pointer, target);
                }
                match (value, ty.integer()) {
                    (Value::Number(number), Some(wanted)) => {
                        Value::Number(self.converted(&number, wanted))
                    }
                    (value, _) => value,
                }
            }
        }
    }

    /// An access to a scalar, or to a bit-field, does not leave its array.
    fn stay_in_its_array(
        &mut self,
        target: Target,
        pointer: &Pointer,
        ty: &Type,
        bits: Option<Bits>,
    ) {
        let size = bits.map(|bits| bits.bytes());
        if let Some(size) = size.or_else(|| self.size(ty)) {
            self.stay_in_array(target, pointer, size);
        }
    }

    /// The region of bytes that a scalar is kept in, if it is.
    pub fn bytes_of(&self, at: &Located) -> Option<(Bytes, Pointer)> {
        let (target, pointer) = match at {
            Located::Memory { target, pointer } => (target, pointer),
            Located::Passed { bytes, pointer } => return Some((bytes.clone(), pointer.clone())),
            Located::Plain { .. } => return None,
        };
        let id = self.enc.memory.region(*target)?;
        let region = &self.enc.memory.regions()[id.0 as usize];
        let Content::Bytes { pointers } = region.content else {
            return None;
        };
        let bytes = Bytes {
            name: self.enc.region_name(id),
            shape: region.shape,
            pointers,
        };
        Some((bytes, pointer.clone()))
    }

    /// The region of a cell: the start of its variables' names.
    fn region(&mut self, target: Target) -> Option<(String, Shape, Content)> {
        let Some(id) = self.enc.memory.region(target) else {
            self.unsupported("an access to memory that is not known");
            return None;
        };
        let region = &self.enc.memory.regions()[id.0 as usize];
        Some((self.enc.region_name(id), region.shape, region.content))
    }

    /// Whether scalars of a type (bit-fields of these bits) are kept in a region of this kind and size. The members of a
    /// union are copied one by one, also those that nobody else uses, and `memcpy` may be about parts of what others use,
    /// so that the region may not know of them: then it is said that this is not covered.
    fn fits(&mut self, kind: Kind, size: u64, ty: &Type, bits: Option<Bits>) -> bool {
        let fits = match (kind, ty) {
            (Kind::Int, ty) => ty.integer().is_some_and(|int| {
                let width = bits.map_or(int.bits, |bits| bits.width);
                width == 0 || u64::from(width) == size
            }),
            (Kind::Pointer, ty) => matches!(ty, Type::Pointer(_) | Type::Function(_)),
            (Kind::Float(_), Type::Float(float)) => Kind::float(*float) == kind,
            (Kind::Float(_), _) => false,
        };
        if !fits {
            self.unsupported("a scalar of another type or size than what is there");
        }
        fits
    }

    /// An arbitrary value.
    pub fn arbitrary(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Void | Type::Record(_) | Type::Array(..) => Value::Nothing,
            Type::Pointer(_) | Type::Function(_) | Type::Float(_) => {
                let parts = parts(self.enc, ty).into_iter();
                let terms: Vec<Term> = parts.map(|(_, sort)| self.temporary(sort)).collect();
                // One step, for those who read the run.
                self.out.havoc_all(&terms);
                self.loaded(terms, ty, None, false)
            }
            Type::Bool => {
                let ty = IntType::BYTE;
                let term = self.anything(ty);
                let number = Number::new(term, ty);
                let truth = self.truth_of_number(&number);
                let mut number = self.number_of_truth(truth);
                number = self.converted(&number, ty);
                Value::Number(number)
            }
            Type::Int(int) => {
                let term = self.anything(*int);
                Value::Number(Number::new(term, *int))
            }
        }
    }

    /// Writes a scalar. The value has the type of the object.
    pub fn write(&mut self, at: &Located, ty: &Type, bits: Option<Bits>, value: Value) {
        if self.is_forgotten(at) {
            return;
        }
        let value = match (value, bits) {
            (Value::Number(number), Some(bits)) => {
                let narrow = IntType {
                    bits: bits.width,
                    signed: number.ty.signed,
                };
                let whole = number.ty;
                let number = self.converted(&number, narrow);
                Value::Number(self.converted(&number, whole))
            }
            (value, _) => value,
        };
        self.note_written(at, ty);
        match at {
            Located::Plain { name, indices } => {
                let places = self.selected(name, indices, ty);
                self.store(&places, value);
            }
            Located::Passed { bytes, pointer } => self.write_bytes(bytes, pointer, bits, value),
            Located::Memory { target, pointer } => {
                let Some((name, shape, content)) = self.region(*target) else {
                    return;
                };
                self.expect(*target, pointer);
                self.stay_in_its_array(*target, pointer, ty, bits);
                match content {
                    Content::Bytes { pointers } => {
                        let region = Bytes {
                            name,
                            shape,
                            pointers,
                        };
                        self.write_bytes(&region, pointer, bits, value);
                    }
                    Content::Scalar {
                        kind,
                        ty: as_int,
                        bits: size,
                    } => {
                        if !self.fits(kind, size, ty, bits) {
                            return;
                        }
                        let stored = stored_type(kind, as_int, ty);
                        let value = match (value, stored.integer()) {
                            (Value::Number(number), Some(wanted)) => {
                                Value::Number(self.converted(&number, wanted))
                            }
                            (value, _) => value,
                        };
                        let places = self.entries(&name, shape, pointer, &stored);
                        self.store(&places, value);
                    }
                }
            }
        }
    }

    /// The parts of a scalar in a region.
    fn entries(&self, name: &str, shape: Shape, pointer: &Pointer, ty: &Type) -> Vec<Term> {
        parts(self.enc, ty)
            .iter()
            .map(|(suffix, _)| self.entry(&format!("{name}{suffix}"), shape, pointer))
            .collect()
    }

    /// Writes the parts of a value.
    pub fn store(&mut self, places: &[Term], value: Value) {
        let values = value.into_terms();
        self.out.assign_all(places.iter().zip(&values));
    }
}

/// The variable with the object's number of a local variable that may exist several times.
pub fn object_variable(name: &str) -> String {
    format!("{name}~object")
}

/// The type with which a region keeps its scalars.
pub fn stored_type(kind: Kind, as_int: IntType, ty: &Type) -> Type {
    match kind {
        Kind::Int => Type::Int(as_int),
        Kind::Pointer | Kind::Float(_) => ty.clone(),
    }
}
