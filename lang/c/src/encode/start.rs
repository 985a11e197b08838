//! The start of the program, and the variables of procedures.

use std::collections::BTreeSet;

use super::body::{Body, Pointer, Value};
use super::definite_initialization::Copied;
use super::located::Located;
use super::math::ROUNDING;
use super::place::object_variable;
use super::reach::Reach;
use super::safety::End;
use super::statement::{RESULT, SCALARS};
use super::{Encoder, NEXT_OBJECT, START};
use crate::alias::verify::Missed;
use crate::alias::{Object, RegionId, Shape, Target};
use crate::ir::{CompareOp, ConstantStep, Expr, Initial, Place, Stmt, StmtKind, Storage, VarId};
use crate::types::{IntType, Length, Type};
use ult_lang::build::{BodyBuilder, Term, Variable};
use ult_lang::hir::{Attribute, RoundingMode, Type as Sort};
use ult_lang::span::Span;

/// The longest string whose characters are written one by one: the time for that grows with the square of their number, here to
/// about twenty seconds. What is in longer ones is not said.
const LONGEST: u64 = 1 << 14;

/// How many zeroes are written one by one.
const FEW: u64 = 16;

/// How the parameter of a procedure is called that brings the value of a parameter of C.
pub fn incoming(name: &str) -> String {
    format!("{name}~in")
}

/// Builds the procedure that gives static variables their initial values and calls `main`.
pub fn start(enc: &mut Encoder<'_>, reach: &Reach) {
    let program = enc.program;
    let first = enc.first_free_object();
    let mut body = Body::new(enc, None, BodyBuilder::new([]));
    if let Some(main) = reach.main {
        body.at(program.function(main).span);
    }
    body.start_overapprox();
    body.out.assign(&body.var(NEXT_OBJECT), &Term::int(first));
    if body.enc.rounding {
        let nearest = Term::rounding_mode(RoundingMode::NearestTiesToEven);
        body.out.assign(&body.var(ROUNDING), &nearest);
    }
    body.start_of_memory();
    body.start_of_locks();
    body.start_of_addresses();
    body.start_of_writes();
    body.zero_regions();
    for &id in &reach.variables {
        if let Storage::Static { initial, .. } = &program.variable(id).storage {
            body.at(program.variable(id).span);
            body.begin_life(id);
            body.initialise(id, initial);
        }
    }
    body.start_of_streams(reach);
    body.call_constructors();
    if let Some(main) = reach.main {
        let function = program.function(main);
        body.at(function.span);
        let mut terms = Vec::new();
        for &param in &function.params {
            let value = body.arbitrary(&program.variable(param).ty);
            if let Value::Pointer(pointer) = &value {
                let target = body.enc.memory.object(param);
                body.assume_points_to_known(pointer, target);
                // The strings are somewhere (C11 5.1.2.2.1).
                let strings = body.enc.memory.pointee(target);
                let outside = body.comes_from_outside(pointer, Some(strings));
                let start = pointer.offset.equals(&body.offset(0));
                body.assume(&outside.and(&start));
            }
            match value {
                Value::Number(number) => {
                    if terms.is_empty() {
                        // The number of arguments.
                        let zero = body.constant(&0.into(), number.ty);
                        let known = body.compare_numbers(CompareOp::LessEqual, &zero, &number);
                        body.assume(&known);
                    }
                    terms.push(number.term);
                }
                Value::Pointer(Pointer { base, .. }) => terms.extend([base, body.offset(0)]),
                Value::Float(_, term) => terms.push(term),
                Value::Nothing => {}
            }
        }
        if function.ty.variadic {
            terms.push(body.pass_arguments(&[]));
        }
        body.begin_arguments(&function.params, &terms);
        let mut results = Vec::new();
        body.enc
            .leaves(RESULT, &function.ty.result, 0, &mut results);
        let results: Vec<Term> = results
            .into_iter()
            .map(|leaf| body.temporary(leaf.ty))
            .collect();
        match body.enc.procedure_of(main) {
            Some(procedure) => body.out.call(procedure, &terms, &results),
            None => body.unsupported("a program without the function main"),
        }
        // Returning from `main` is calling `exit` (C11 5.1.2.2.3).
        if let Some(end) = program.at_end.and_then(|end| body.enc.procedure_of(end)) {
            body.out.call(end, &[], &[]);
        }
        body.end_of_memory(End::Return);
    } else {
        body.unsupported("a program without the function main");
    }
    let out = body.out;
    let span = reach
        .main
        .map(|main| program.function(main).span)
        .unwrap_or_default();
    define(enc, out, span);
}

/// Builds a program of which nothing is known: regions do not divide memory as the program does.
pub fn refuse(enc: &mut Encoder<'_>, missed: &Missed) {
    let mut body = Body::new(enc, None, BodyBuilder::new([]));
    body.at(missed.span);
    body.unsupported(&format!("the analysis of pointers misses {}", missed.what));
    let out = body.out;
    define(enc, out, missed.span);
}

/// Defines the procedure where runs start.
fn define(enc: &mut Encoder<'_>, out: BodyBuilder, span: Span) {
    let entry = Attribute {
        name: "entrypoint".to_owned(),
        args: Vec::new(),
        span,
    };
    let procedure = enc.out.procedure(START, &[], &[], vec![entry], span);
    enc.out.define(procedure, out, span);
}

impl Body<'_, '_> {
    /// What runs before `main`.
    fn call_constructors(&mut self) {
        let program = self.enc.program;
        for id in program.constructors() {
            let function = program.function(id);
            self.at(function.span);
            let mut results = Vec::new();
            self.enc
                .leaves(RESULT, &function.ty.result, 0, &mut results);
            let results: Vec<Term> = results
                .into_iter()
                .map(|leaf| self.temporary(leaf.ty))
                .collect();
            match self.enc.procedure_of(id) {
                Some(procedure) => self.out.call(procedure, &[], &results),
                None => self.unsupported("a constructor that is not known"),
            }
        }
    }

    /// A static variable gets its initial value.
    fn initialise(&mut self, id: VarId, initial: &Initial) {
        let ty = self.enc.program.variable(id).ty.clone();
        let span = self.enc.program.variable(id).span;
        match initial {
            Initial::Unknown => {
                if self.has_followed_pointers(&ty) {
                    let name = self.enc.program.variable(id).name.clone();
                    self.enc.outside_variables.insert(name);
                }
                if self.enc.memory.is_in_memory(id) {
                    let (target, object) = (self.enc.memory.object(id), self.object(id));
                    self.set_object_written(target, &object, &Copied::All(true));
                } else {
                    let name = self.enc.variable_name(id);
                    self.forget_plain(&name, &ty, 0);
                    let at = Located::Plain {
                        name,
                        indices: Vec::new(),
                    };
                    let target = self.enc.memory.object(id);
                    self.assume_known(&at, target, &ty);
                }
            }
            Initial::Bytes(bytes) => {
                let Type::Array(element, length) = &ty else {
                    return;
                };
                let Some(int) = element.integer() else { return };
                let width = (int.bits / 8) as usize;
                if bytes.len() as u64 / width.max(1) as u64 > LONGEST {
                    let what = format!("what is in a string of more than {LONGEST} characters");
                    self.approximated(&Term::truth(true), &what, |body| body.forget(id, &ty));
                    return;
                }
                if let Length::Known(length) = length
                    && *length > bytes.len() as u64 / width.max(1) as u64
                {
                    self.zeroes(id, &ty);
                }
                for (number, chunk) in bytes.chunks(width.max(1)).enumerate() {
                    let value = chunk
                        .iter()
                        .rev()
                        .fold(0i128, |value, byte| value << 8 | i128::from(*byte));
                    let path = [ConstantStep::Index(number as u64)];
                    let unsigned = IntType {
                        signed: false,
                        ..int
                    };
                    let value = self.constant(&value.into(), unsigned);
                    let value = Value::Number(self.converted(&value, int));
                    self.put(id, &ty, &path, |_| value);
                }
            }
            Initial::Values(values) => {
                if !covers(&ty, values) {
                    self.zeroes(id, &ty);
                }
                for (path, value) in values {
                    self.at(span);
                    self.put_expr(id, &ty, path, value);
                }
            }
        }
    }

    fn put_expr(&mut self, id: VarId, ty: &Type, path: &[ConstantStep], value: &Expr) {
        self.put(id, ty, path, |body| body.value(value));
    }

    fn put(
        &mut self,
        id: VarId,
        ty: &Type,
        path: &[ConstantStep],
        value: impl FnOnce(&mut Self) -> Value,
    ) {
        let place = Place {
            base: crate::ir::Base::Variable(id),
            path: Vec::new(),
            ty: ty.clone(),
            span: self.out.span(),
        };
        let Some(mut at) = self.locate(&place) else {
            return;
        };
        let mut ty = ty.clone();
        let mut bits = None;
        for step in path {
            match (step, &ty) {
                (ConstantStep::Field(number), Type::Record(record)) => {
                    let Some(field) = self.enc.fields(*record).get(*number).cloned() else {
                        return;
                    };
                    at = at.field(self, *record, *number);
                    bits = field.bits;
                    ty = field.ty;
                }
                (ConstantStep::Index(index), Type::Array(element, _)) => {
                    let Some(size) = self.size(element) else {
                        return;
                    };
                    let index = self.index(*index);
                    at = at.element(self, &index, size);
                    ty = (**element).clone();
                }
                _ => return,
            }
        }
        let value = value(self);
        self.write(&at, &ty, bits, value);
    }

    /// A static variable may contain anything.
    fn forget(&mut self, id: VarId, ty: &Type) {
        if !self.enc.memory.is_in_memory(id) {
            let name = self.enc.variable_name(id);
            self.forget_plain(&name, ty, 0);
            return;
        }
        let (target, object) = (self.enc.memory.object(id), self.object(id));
        self.set_object_written(target, &object, &Copied::All(true));
        for region in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[region.0 as usize].shape;
            let name = self.enc.region_name(region);
            for (suffix, _) in self.enc.region_parts(region) {
                let part = self.part_of_object(&format!("{name}{suffix}"), shape, &object);
                let anything = self.fresh(part.ty().clone());
                self.out.assign(&part, &anything);
            }
        }
    }

    /// A static variable contains zeroes.
    fn zeroes(&mut self, id: VarId, ty: &Type) {
        if !self.enc.memory.is_in_memory(id) {
            let at = Located::Plain {
                name: self.enc.variable_name(id),
                indices: Vec::new(),
            };
            self.zero(&at, ty, None);
            return;
        }
        self.zero_variable(id);
    }

    /// A variable in memory contains zeroes.
    pub fn zero_variable(&mut self, id: VarId) {
        let target = self.enc.memory.object(id);
        let object = self.object(id);
        self.zero_object(target, &object);
    }

    /// At the start, regions contain zeroes in all objects that are allocated later if those are to contain zeroes: then
    /// allocations need no quantifier.
    fn zero_regions(&mut self) {
        if self.enc.grows {
            return;
        }
        let regions = self.enc.memory.regions().iter().zip(0..);
        let zeroed: Vec<_> = regions
            .filter(|(region, _)| self.enc.memory.is_zeroed(region.target))
            .filter(|(region, _)| matches!(region.shape, Shape::ByObject | Shape::Both))
            .map(|(_, number)| RegionId(number))
            .collect();
        for id in zeroed {
            let name = self.enc.region_name(id);
            for (suffix, sort) in self.enc.region_parts(id) {
                let map = self.var(&format!("{name}{suffix}"));
                let zero = self.enc.zero(&sort);
                let zeroes = self.enc.constant_map(map.ty(), &zero);
                self.out.assign(&map, &zeroes);
            }
        }
    }

    /// What a region says about an object: one of its values, or a map of them by offset.
    pub fn part_of_object(&self, map: &str, shape: Shape, object: &Term) -> Term {
        let map = self.var(map);
        match shape {
            Shape::One | Shape::ByOffset => map,
            Shape::ByObject | Shape::Both => map.select(std::slice::from_ref(object)),
        }
    }

    /// An object contains zeroes.
    pub fn zero_object(&mut self, target: Target, object: &Term) {
        self.set_object_written(target, object, &Copied::All(true));
        for id in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[id.0 as usize].shape;
            let name = self.enc.region_name(id);
            for (suffix, sort) in self.enc.region_parts(id) {
                let part = self.part_of_object(&format!("{name}{suffix}"), shape, object);
                let zero = self.enc.zero(&sort);
                let zeroes = self.enc.constant_map(part.ty(), &zero);
                self.out.assign(&part, &zeroes);
            }
        }
    }

    /// A new object on the heap, which starts at a target, contains zeroes, up to its size in bytes (`None` if that is not
    /// constant). What is behind that matters only to programs that make it larger, where it is arbitrary.
    pub fn zero_allocated(&mut self, target: Target, object: &Term, size: Option<u64>) {
        if !self.enc.grows {
            if !self.enc.memory.is_zeroed(target) {
                self.zero_object(target, object);
            }
            return;
        }
        self.set_object_written(target, object, &Copied::All(true));
        for id in self.enc.regions_of(target) {
            let region = &self.enc.memory.regions()[id.0 as usize];
            let (shape, start) = (region.shape, region.target);
            let memory = &self.enc.memory;
            let places = size.and_then(|size| memory.offsets(start, target, size, SCALARS));
            let name = self.enc.region_name(id);
            for (suffix, sort) in self.enc.region_parts(id) {
                let part = self.part_of_object(&format!("{name}{suffix}"), shape, object);
                let zero = self.enc.zero(&sort);
                if !matches!(shape, Shape::Both | Shape::ByOffset) {
                    self.out.assign(&part, &zero);
                    continue;
                }
                let anything = self.fresh(part.ty().clone());
                let Some(places) = &places else {
                    let what = "zeroes in memory of a size that is not constant, which may grow";
                    self.approximated(&Term::truth(true), what, |body| {
                        body.out.assign(&part, &anything);
                    });
                    continue;
                };
                self.out.assign(&part, &anything);
                for place in places {
                    let place = part.select(&[self.offset(*place)]);
                    self.out.assign(&place, &zero);
                }
            }
        }
    }

    /// An object that was never written contains what another one does.
    pub fn copy_object(&mut self, target: Target, from: &Term, to: &Term) {
        self.set_object_written(target, to, &Copied::From(from));
        for id in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[id.0 as usize].shape;
            if matches!(shape, Shape::One | Shape::ByOffset) {
                // There is only one object.
                continue;
            }
            let name = self.enc.region_name(id);
            for (suffix, _) in self.enc.region_parts(id) {
                let map = format!("{name}{suffix}");
                let to = self.part_of_object(&map, shape, to);
                let from = self.part_of_object(&map, shape, from);
                self.out.assign(&to, &from);
            }
        }
    }

    /// The Boogie parameters of one of C, and the variable that holds its value.
    pub fn receive_parameter(&mut self, param: VarId) {
        let ty = self.enc.program.variable(param).ty.clone();
        let name = self.enc.variable_name(param);
        let from = Located::Plain {
            name: incoming(&name),
            indices: Vec::new(),
        };
        let to = if self.enc.memory.is_in_memory(param) {
            let target = self.enc.memory.object(param);
            let objects = self.enc.memory.objects(target);
            if objects.contains(&Object::Many(param)) {
                self.out.local(object_variable(&name), Sort::Int);
                self.allocate_local(param);
            }
            self.begin_life(param);
            Located::Memory {
                target,
                pointer: Pointer {
                    base: self.object(param),
                    offset: self.offset(0),
                },
            }
        } else {
            let mut leaves = Vec::new();
            self.enc.leaves(&name, &ty, 0, &mut leaves);
            self.declare_leaves(leaves);
            Located::Plain {
                name,
                indices: Vec::new(),
            }
        };
        self.copy(&to, &from, &ty);
        self.forget_padding(&to, &ty);
    }

    /// Declares the Boogie variables of all locals.
    pub fn declare_locals(&mut self) {
        let Some(function) = self.function else {
            return;
        };
        let program = self.enc.program;
        let mut used = BTreeSet::new();
        declared(
            program
                .function(function)
                .body
                .as_deref()
                .unwrap_or_default(),
            &mut used,
        );
        let variables = program.variables.iter().zip(0..);
        for (variable, number) in variables {
            let id = VarId(number);
            let Storage::Automatic {
                function: owner,
                parameter: false,
                temporary,
            } = variable.storage
            else {
                continue;
            };
            if owner != function {
                continue;
            }
            let name = self.enc.variable_name(id);
            if !self.enc.memory.is_in_memory(id) {
                let mut leaves = Vec::new();
                self.enc.leaves(&name, &variable.ty, 0, &mut leaves);
                self.declare_leaves(leaves);
                // A choice between orders of evaluation has a value of its own accord.
                if !(temporary && variable.ty == Type::Bool) {
                    self.declare_written(&name, &variable.ty);
                }
                continue;
            }
            if !self.enc.is_object(id) {
                continue;
            }
            if self.enc.memory.is_repeated(id) {
                self.out.local(object_variable(&name), Sort::Int);
                if !used.contains(&id) {
                    self.allocate_local(id);
                }
            } else {
                // A jump may pass its declaration.
                let (target, object) = (self.enc.memory.object(id), self.object(id));
                self.set_object_written(target, &object, &Copied::All(false));
            }
            if !used.contains(&id) {
                self.begin_life(id);
            }
        }
    }

    /// A local variable of a recursive function gets an object of its own.
    pub fn allocate_local(&mut self, id: VarId) {
        let name = self.enc.variable_name(id);
        let object = self.var(&object_variable(&name));
        self.take_object_number(&object);
        let target = self.enc.memory.object(id);
        self.note_made(&object, target);
    }

    /// A variable gets the number of a new object.
    pub fn take_object_number(&mut self, variable: &Term) {
        let next = self.var(NEXT_OBJECT);
        self.out.assign(variable, &next);
        self.out.assign(&next, &next.add(&Term::int(1)));
    }

    fn declare_leaves(&mut self, leaves: Vec<Variable>) {
        for leaf in leaves {
            self.out.local(leaf.name, leaf.ty);
        }
    }
}

/// The variables whose life begins by a statement.
fn declared(statements: &[Stmt], found: &mut BTreeSet<VarId>) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Declare(id) => {
                found.insert(*id);
            }
            StmtKind::If(_, yes, no) => {
                declared(yes, found);
                declared(no, found);
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => declared(body, found),
            _ => {}
        }
    }
}

/// Whether the values leave no part of the object out: then no zeroes are needed.
fn covers(ty: &Type, values: &[(Vec<ConstantStep>, Expr)]) -> bool {
    match ty {
        Type::Record(_) => false,
        Type::Array(element, Length::Known(length)) => {
            element.is_scalar() && values.len() as u64 == *length && *length <= FEW
        }
        Type::Array(..) => false,
        _ => values.len() == 1,
    }
}
