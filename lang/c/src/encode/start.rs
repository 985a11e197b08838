//! The start of the program, and the variables of procedures.

use std::collections::BTreeSet;

use super::body::{Body, Pointer, Value};
use super::math::ROUNDING;
use super::number::Number;
use super::place::Located;
use super::reach::Reach;
use super::safety::End;
use super::statement::RESULT;
use super::text::Text;
use super::written::Copied;
use super::{Encoder, Leaf, NEXT_OBJECT, Procedure, START};
use crate::alias::{Object, RegionId, Shape, Target};
use crate::ir::{CompareOp, ConstantStep, Expr, Initial, Place, Stmt, StmtKind, Storage, VarId};
use crate::types::{IntType, Length, Type};

/// Of how many arguments of the program it is said that they are strings.
const ARGUMENTS: u64 = 4;

/// How many zeroes are written one by one.
const FEW: u64 = 16;

/// The procedure that gives static variables their initial values and calls `main`.
pub fn start(enc: &mut Encoder<'_>, reach: &Reach) -> Procedure {
    let program = enc.program;
    let first = enc.first_free_object();
    let mut body = Body::new(enc, None);
    if let Some(main) = reach.main {
        body.at(program.function(main).span);
    }
    body.note_write(NEXT_OBJECT);
    body.out.line(format_args!("{NEXT_OBJECT} := {first};"));
    if body.enc.rounding {
        body.note_write(ROUNDING);
        body.out.line(format_args!("{ROUNDING} := RNE;"));
    }
    body.start_of_memory();
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
    if let Some(main) = reach.main {
        let function = program.function(main);
        body.at(function.span);
        let mut texts = Vec::new();
        for &param in &function.params {
            let value = body.arbitrary(&program.variable(param).ty);
            if let Value::Pointer(pointer) = &value {
                let target = body.enc.memory.object(param);
                body.assume_points_to_known(pointer, target);
                // The strings are somewhere (C11 5.1.2.2.1).
                let strings = body.enc.memory.pointee(target);
                let outside = body.points_outside(pointer, Some(strings));
                body.assume(&outside);
            }
            match value {
                Value::Number(number) => {
                    if texts.is_empty() {
                        // The number of arguments.
                        let zero = body.constant(&0.into(), number.ty);
                        let known = body.compare_numbers(CompareOp::LessEqual, &zero, &number);
                        body.assume(&known);
                    }
                    texts.push(number.text);
                }
                Value::Pointer(Pointer { base, offset }) => texts.extend([base, offset]),
                Value::Float(_, text) => texts.push(text),
                Value::Nothing => {}
            }
        }
        if function.ty.variadic {
            texts.push(body.pass_arguments(&[]));
        }
        body.end_of_arguments(&function.params, &texts);
        let mut results = Vec::new();
        body.enc
            .leaves(RESULT, &function.ty.result, 0, &mut results);
        let names: Vec<String> = results
            .iter()
            .map(|leaf| body.temporary(&leaf.sort))
            .collect();
        let left = match names.is_empty() {
            true => String::new(),
            false => format!("{} := ", names.join(", ")),
        };
        let texts: Vec<String> = texts.iter().map(Text::to_string).collect();
        let name = body.enc.function_name(main);
        body.calls.insert(main);
        body.out
            .line(format_args!("call {left}{name}({});", texts.join(", ")));
        if let Some(end) = program.at_end {
            // Returning from `main` is calling `exit` (C11 5.1.2.2.3).
            let name = body.enc.function_name(end);
            body.calls.insert(end);
            body.out.line(format_args!("call {name}();"));
        }
        body.end_of_memory(End::Return);
    } else {
        body.unsupported("a program without the function main");
    }
    let Body {
        out,
        temporaries,
        writes,
        calls,
        ..
    } = body;
    let span = reach
        .main
        .map(|main| program.function(main).span)
        .unwrap_or_default();
    Procedure {
        head: format!("procedure {{:entrypoint}} {START}()"),
        locals: temporaries,
        body: out,
        span,
        writes,
        calls,
    }
}

impl Body<'_, '_> {
    /// The strings that `main` gets (C11 5.1.2.2.1): behind the last one, which `argc` counts, is a null pointer; they
    /// themselves are none. `texts` are the values of the parameters.
    fn end_of_arguments(&mut self, params: &[VarId], texts: &[Text]) {
        let ([count, strings, ..], [number, base, offset, ..]) = (params, texts) else {
            return;
        };
        let program = self.enc.program;
        let Some(ty) = program.variable(*count).ty.integer() else {
            return;
        };
        let string = crate::alias::pointed(&program.variable(*strings).ty);
        if !string.is_pointer() {
            return;
        }
        let target = self.enc.memory.object(*strings);
        let target = self.enc.memory.pointee(target);
        // Nobody looks at them.
        if self.enc.memory.region(target).is_none() {
            return;
        }
        let at = Located::Memory {
            target,
            pointer: Pointer {
                base: base.clone(),
                offset: offset.clone(),
            },
        };
        let size = u64::from(self.enc.program.model.word() / 8);
        let number = Number::new(number.clone(), ty);
        let is_null = |body: &mut Self, at: &Located| match body.read(at, &string, None) {
            Value::Pointer(pointer) => body.is_null(&pointer),
            _ => Text::truth(true),
        };
        let end = at.element(self, &number, size);
        let null = is_null(self, &end);
        self.assume(&null);
        for index in 0..ARGUMENTS {
            let index = self.constant(&index.into(), ty);
            let exists = self.compare_numbers(CompareOp::Less, &index, &number);
            let one = at.element(self, &index, size);
            let null = is_null(self, &one);
            self.assume(&exists.implies(&null.not()));
        }
        let few = self.constant(&ARGUMENTS.into(), ty);
        let more = self.compare_numbers(CompareOp::Greater, &number, &few);
        self.approximated(&more, "many arguments of the program", |_| {});
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
                    let (target, object) = (self.enc.memory.object(id), self.enc.object(id));
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
        let target = self.enc.memory.object(id);
        let object = self.enc.object(id);
        self.zero_object(target, &object, None);
    }

    fn has_growing_objects(&self) -> bool {
        crate::functions::some_grow(self.enc.program.functions.iter())
    }

    /// At the start, regions contain zeroes in all objects that are allocated later if those are to contain zeroes: then
    /// allocations need no quantifier.
    fn zero_regions(&mut self) {
        if self.has_growing_objects() {
            return;
        }
        let word = self.enc.int_sort(self.enc.program.model.word());
        let regions = self.enc.memory.regions().iter().zip(0..);
        let zeroed: Vec<_> = regions
            .filter(|(region, _)| self.enc.memory.is_zeroed(region.target))
            .map(|(region, number)| (region.shape, RegionId(number)))
            .collect();
        for (shape, id) in zeroed {
            let name = self.enc.region_name(id);
            let bound = match shape {
                Shape::ByObject => "b: int".to_owned(),
                Shape::Both => format!("b: int, o: {word}"),
                Shape::One | Shape::ByOffset => continue,
            };
            for (suffix, sort) in self.enc.region_parts(id) {
                let zero = self.zero_of(&sort);
                let name = format!("{name}{suffix}");
                self.note_write(&name);
                self.out
                    .line(format_args!("{name} := (lambda {bound} :: {zero});"));
            }
        }
    }

    /// An object that was never written contains zeroes. What is behind its `size` (in bytes) matters only to programs
    /// that make it larger.
    pub fn zero_object(&mut self, target: Target, object: &Text, size: Option<&Text>) {
        let grows = self.has_growing_objects();
        if !grows && size.is_some() && self.enc.memory.is_zeroed(target) {
            return;
        }
        self.set_object_written(target, object, &Copied::All(true));
        let size = size.filter(|_| grows);
        let word = self.enc.int_sort(self.enc.program.model.word());
        for id in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[id.0 as usize].shape;
            let name = self.enc.region_name(id);
            for (suffix, sort) in self.enc.region_parts(id) {
                let zero = self.zero_of(&sort);
                let name = format!("{name}{suffix}");
                self.note_write(&name);
                match shape {
                    Shape::One => self.out.line(format_args!("{name} := {zero};")),
                    Shape::ByObject => {
                        self.out.line(format_args!("{name}[{object}] := {zero};"));
                    }
                    Shape::ByOffset => self
                        .out
                        .line(format_args!("{name} := (lambda o: {word} :: {zero});")),
                    Shape::Both => {
                        let offset = Text::atom("o");
                        let within = match size {
                            None => Text::truth(true),
                            Some(size) if self.bits() => {
                                let bits = self.enc.program.model.word();
                                self.bit_relation("bvult", bits, &offset, size)
                            }
                            Some(size) => Text::int(0)
                                .compare("<=", &offset)
                                .and(&offset.compare("<", size)),
                        };
                        let at = Text::select(&name, &[object.clone(), offset]);
                        let zero = within.implies(&at.equals(&Text::atom(zero)));
                        self.out
                            .line(format_args!("assume (forall o: {word} :: {zero});"));
                    }
                }
            }
        }
    }

    /// An object that was never written contains what another one does.
    pub fn copy_object(&mut self, target: Target, from: &Text, to: &Text) {
        self.set_object_written(target, to, &Copied::From(from));
        let word = self.enc.int_sort(self.enc.program.model.word());
        for id in self.enc.regions_of(target) {
            let shape = self.enc.memory.regions()[id.0 as usize].shape;
            let name = self.enc.region_name(id);
            for (suffix, _) in self.enc.region_parts(id) {
                let name = format!("{name}{suffix}");
                self.note_write(&name);
                match shape {
                    // There is only one object.
                    Shape::One | Shape::ByOffset => {}
                    Shape::ByObject => {
                        self.out
                            .line(format_args!("{name}[{to}] := {name}[{from}];"));
                    }
                    Shape::Both => self.out.line(format_args!(
                        "assume (forall o: {word} :: {name}[{to}, o] == {name}[{from}, o]);"
                    )),
                }
            }
        }
    }

    fn zero_of(&self, sort: &str) -> String {
        if let Some(bits) = sort.strip_prefix("bv") {
            return format!("0bv{bits}");
        }
        if let Some(format) = sort.strip_prefix("float") {
            return format!("0x0.0e0f{format}");
        }
        "0".into()
    }

    /// The Boogie parameters of one of C, and the variable that holds its value.
    pub fn receive_parameter(
        &mut self,
        param: VarId,
        ins: &mut Vec<Leaf>,
        locals: &mut Vec<(String, String)>,
    ) {
        let ty = self.enc.program.variable(param).ty.clone();
        let name = self.enc.variable_name(param);
        let incoming = format!("{name}~in");
        self.enc.leaves(&incoming, &ty, 0, ins);
        let from = Located::Plain {
            name: incoming,
            indices: Vec::new(),
        };
        let to = if self.enc.memory.is_in_memory(param) {
            let target = self.enc.memory.object(param);
            let objects = self.enc.memory.objects(target);
            if objects.contains(&Object::Many(param)) {
                locals.push((format!("{name}~object"), "int".into()));
                self.allocate_local(param);
            }
            self.begin_life(param);
            Located::Memory {
                target,
                pointer: Pointer {
                    base: self.enc.object(param),
                    offset: self.offset(0),
                },
            }
        } else {
            let mut leaves = Vec::new();
            self.enc.leaves(&name, &ty, 0, &mut leaves);
            locals.extend(leaves.into_iter().map(|leaf| (leaf.name, leaf.sort)));
            Located::Plain {
                name,
                indices: Vec::new(),
            }
        };
        self.copy(&to, &from, &ty);
    }

    /// Declares the Boogie variables of all locals.
    pub fn declare_locals(&mut self, locals: &mut Vec<(String, String)>) {
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
                ..
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
                locals.extend(leaves.into_iter().map(|leaf| (leaf.name, leaf.sort)));
                self.declare_written(&name, &variable.ty, locals);
                continue;
            }
            if self.enc.memory.is_repeated(id) {
                locals.push((format!("{name}~object"), "int".into()));
                if !used.contains(&id) {
                    self.allocate_local(id);
                }
            } else {
                // A jump may pass its declaration.
                let (target, object) = (self.enc.memory.object(id), self.enc.object(id));
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
        self.note_write(NEXT_OBJECT);
        self.out
            .line(format_args!("{name}~object := {NEXT_OBJECT};"));
        self.out
            .line(format_args!("{NEXT_OBJECT} := {NEXT_OBJECT} + 1;"));
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
