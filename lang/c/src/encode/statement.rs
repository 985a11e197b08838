//! Statements.

use ult_lang::stack::ensure_stack;

use super::body::{Body, parts};
use super::definite_initialization::Copied;
use super::library;
use super::located::Located;
use crate::alias::{Object, Shape};
use crate::ir::{
    BlockId, Callee, Expr, ExprKind, FunctionId, LabelId, Place, Stmt, StmtKind, VarId,
};
use crate::types::{Bits, FunctionType, Length, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;

/// How many scalars of one object are written one by one.
pub const SCALARS: u64 = 1024;

/// Whether a type is an array with too many scalars to write them one by one.
pub(super) fn is_long(ty: &Type) -> bool {
    let (mut scalar, mut all) = (ty, 1_u64);
    while let Type::Array(element, length) = scalar {
        let Length::Known(length) = length else {
            return false;
        };
        all = all.saturating_mul(*length);
        scalar = element;
    }
    all > SCALARS && !matches!(scalar, Type::Record(_))
}

impl Body<'_, '_> {
    /// Statements, in order.
    pub fn statements(&mut self, statements: &[Stmt]) {
        for (number, statement) in statements.iter().enumerate() {
            // What is written at once need not be arbitrary before.
            if let (StmtKind::Declare(variable), Some(next)) =
                (&statement.kind, statements.get(number + 1))
                && !self.enc.memory.is_in_memory(*variable)
                && writes_all_of(next, *variable)
            {
                continue;
            }
            ensure_stack(|| self.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.at(statement.span);
        match &statement.kind {
            StmtKind::Declare(variable) => self.declare(*variable),
            StmtKind::Begin(variable) => self.pass_declaration(*variable),
            StmtKind::End(variable) => self.end_life(*variable),
            StmtKind::Evaluate(value) => self.evaluate(value),
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Zero(place) => {
                if let Some(at) = self.access(place) {
                    match place.whole() {
                        Some(id)
                            if self.enc.memory.is_in_memory(id)
                                && is_long(&place.ty)
                                && !self.is_forgotten(&at) =>
                        {
                            self.zero_variable(id);
                        }
                        _ => self.zero(&at, &place.ty, None),
                    }
                }
            }
            StmtKind::Call {
                callee,
                args,
                result,
            } => self.call(callee, args, result.as_ref()),
            StmtKind::If(condition, yes, no) => self.branch(condition, yes, no),
            StmtKind::Loop(id, body) => {
                self.out.begin_loop();
                self.loops.push(*id);
                self.statements(body);
                self.loops.pop();
                self.out.end();
                self.end_of(*id);
            }
            StmtKind::Block(id, body) => {
                self.statements(body);
                self.end_of(*id);
            }
            StmtKind::Leave(id) if self.loops.last() == Some(id) => self.out.leave_loop(),
            StmtKind::Leave(id) => {
                self.left.insert(*id);
                self.out.goto(&end_label(*id));
            }
            StmtKind::Label(label) => {
                let name = self.label(*label);
                self.out.label(&name);
                self.at_label(*label);
            }
            StmtKind::Goto(label) => {
                let name = self.label(*label);
                self.out.goto(&name);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.give_back(value);
                }
                self.check_return();
                self.end_lives();
                self.out.give_back();
            }
            StmtKind::Assert(condition) => {
                if self.enc.options.properties.assertions {
                    self.in_annotation = true;
                    let condition = self.truth(condition);
                    self.in_annotation = false;
                    self.assert(&condition, "ACSL assertion");
                }
            }
            StmtKind::Undefined {
                what,
                words,
                certain,
            } => self.undefined_here(*what, words, *certain),
            StmtKind::Unsupported(what) => self.unsupported(what),
        }
    }

    /// Behavior is undefined, or may be.
    fn undefined_here(&mut self, what: Undefined, words: &str, certain: bool) {
        match (self.enc.options.properties.checks(what), certain) {
            (true, true) => self.assert_defined(what, &Term::truth(false), words),
            (false, false) => self.trust(what),
            // All implementations print something, and go on.
            (false, true) if what == Undefined::Format => self.trust(what),
            _ => self.unsupported(words),
        }
    }

    fn end_of(&mut self, id: BlockId) {
        if self.left.contains(&id) {
            self.out.label(&end_label(id));
        }
    }

    /// The name of a label.
    pub fn label(&mut self, label: LabelId) -> String {
        let name = self
            .function
            .and_then(|id| {
                let function = self.enc.program.function(id);
                function.labels.get(label.0 as usize).cloned()
            })
            .unwrap_or_default();
        self.labels
            .entry(label)
            // The number keeps them apart from Boogie's words and from each other.
            .or_insert_with(|| {
                // `case 3`
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name = name.replace(|c| !is_word(c), "_");
                format!("{name}~{}", label.0)
            })
            .clone()
    }

    fn at_label(&mut self, label: LabelId) {
        let Some(id) = self.function else { return };
        let function = self.enc.program.function(id);
        let name = function.labels.get(label.0 as usize);
        let labels = &self.enc.options.properties.labels;
        if let Some(name) = name.filter(|name| labels.contains(name)) {
            let message = format!("label {name} reached");
            self.assert(&Term::truth(false), &message);
        }
    }

    fn branch(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt]) {
        self.at(condition.span);
        let truth = self.truth(condition);
        self.at(condition.span);
        // Even constant conditions stay: labels may lie within.
        // It is never turned around: runs tell which way the user's condition went.
        self.out.begin_if(&truth);
        self.statements(yes);
        if !no.is_empty() {
            self.out.begin_else();
            self.statements(no);
        }
        self.out.end();
    }

    /// The life of a variable begins: its value is arbitrary.
    fn declare(&mut self, variable: VarId) {
        let ty = self.enc.program.variable(variable).ty.clone();
        self.check_length(&ty);
        if !self.enc.memory.is_in_memory(variable) {
            let name = self.enc.variable_name(variable);
            self.forget_plain(&name, &ty, 0);
            self.forget_written(&name, &ty);
            return;
        }
        let target = self.enc.memory.object(variable);
        let objects = self.enc.memory.objects(target);
        if objects.contains(&Object::Many(variable)) {
            self.allocate_local(variable);
            self.begin_life(variable);
            return;
        }
        let single = objects.len() == 1;
        self.begin_life(variable);
        let object = self.object(variable);
        self.set_object_written(target, &object, &Copied::All(false));
        for id in self.enc.regions_of(target) {
            let region = &self.enc.memory.regions()[id.0 as usize];
            let shape = region.shape;
            let name = self.enc.region_name(id);
            let parts = self.enc.region_parts(id);
            if single {
                for (suffix, _) in &parts {
                    self.havoc(&format!("{name}{suffix}"));
                }
                if shape == Shape::One {
                    self.assume_region_range(id);
                }
            } else {
                for (suffix, _) in &parts {
                    self.forget_object(&format!("{name}{suffix}"), &object);
                }
            }
        }
    }

    /// What a region says about one object becomes arbitrary.
    fn forget_object(&mut self, map: &str, object: &Term) {
        let element = self.var(map).select(std::slice::from_ref(object));
        let fresh = self.fresh(element.ty().clone());
        self.out.assign(&element, &fresh);
    }

    /// Any value.
    pub fn havoc(&mut self, name: &str) {
        self.out.havoc(&self.var(name));
    }

    /// A region with one place has a value of its type.
    pub fn assume_region_range(&mut self, id: crate::alias::RegionId) {
        if self.bits() {
            return;
        }
        if let crate::alias::Content::Scalar {
            kind: crate::alias::Kind::Int,
            ty,
            bits,
        } = self.enc.memory.regions()[id.0 as usize].content
        {
            let name = self.enc.region_name(id);
            let bits = u32::try_from(bits).unwrap_or(ty.bits).min(ty.bits);
            self.assume_range(&self.var(&name), crate::types::IntType { bits, ..ty });
        }
    }

    /// A plain variable becomes arbitrary.
    pub fn forget_plain(&mut self, name: &str, ty: &Type, depth: usize) {
        match ty {
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let name = format!(
                        "{name}.{}",
                        super::located::member_name(&field.name, number)
                    );
                    self.forget_plain(&name, &field.ty, depth);
                    if let (Some(bits), 0, Some(ty), false) =
                        (field.bits, depth, field.ty.integer(), self.bits())
                    {
                        let ty = crate::types::IntType {
                            bits: bits.width.max(1),
                            ..ty
                        };
                        self.assume_range(&self.var(&name), ty);
                    }
                }
            }
            Type::Array(element, _) => self.forget_plain(name, element, depth + 1),
            Type::Void => {}
            scalar => {
                for (suffix, _) in parts(self.enc, scalar) {
                    self.havoc(&format!("{name}{suffix}"));
                }
                if let (Some(int), 0) = (scalar.integer(), depth) {
                    let term = self.var(name);
                    if *scalar == Type::Bool {
                        self.assume_truth_value(&term);
                    } else {
                        self.assume_range(&term, int);
                    }
                }
            }
        }
    }

    fn assume_truth_value(&mut self, term: &Term) {
        let byte = crate::types::IntType::BYTE;
        let zero = self.constant(&0.into(), byte).term;
        let one = self.constant(&1.into(), byte).term;
        let condition = term.equals(&zero).or(&term.equals(&one));
        self.assume(&condition);
    }

    fn assign(&mut self, place: &Place, value: &Expr) {
        if let Type::Record(_) = place.ty {
            self.assign_record(place, value);
            return;
        }
        if self.assign_bytes(place, value) {
            return;
        }
        let bits = self.enc.program.bit_field(place);
        let opaque = self.opaque_pointer_value(place, value);
        let value = opaque.unwrap_or_else(|| self.value(value));
        if let Some(at) = self.access(place) {
            self.assume_writable(place, &at);
            self.write(&at, &place.ty, bits, value);
        }
    }

    fn give_back(&mut self, value: &Expr) {
        match &value.ty {
            Type::Void => {}
            Type::Record(_) => {
                let ExprKind::Read(from) = &value.kind else {
                    self.unsupported("this value of a structure");
                    return;
                };
                if let Some(from) = self.access(from) {
                    let to = Located::Plain {
                        name: RESULT.into(),
                        indices: Vec::new(),
                    };
                    self.copy(&to, &from, &value.ty);
                }
            }
            ty => {
                let ty = ty.clone();
                let value = self.value(value);
                let to = Located::Plain {
                    name: RESULT.into(),
                    indices: Vec::new(),
                };
                self.write(&to, &ty, None, value);
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], result: Option<&Place>) {
        match callee {
            Callee::Function(id) => self.call_of(*id, args, result),
            Callee::Pointer(pointer, ty) => self.call_through(pointer, ty, args, result),
        }
    }

    fn call_through(
        &mut self,
        pointer: &Expr,
        ty: &FunctionType,
        args: &[Expr],
        result: Option<&Place>,
    ) {
        let span = self.out.span();
        let candidates: Vec<FunctionId> = self
            .enc
            .memory
            .functions(pointer)
            .into_iter()
            .filter(|&id| {
                let known = &self.enc.program.function(id).ty;
                !ty.prototyped
                    || known.params.len() == ty.params.len()
                    || known.variadic
                    || !known.prototyped
            })
            .collect();
        let value = self.pointer(pointer);
        let base = self.named(value.base);
        for &id in &candidates {
            let object = self.enc.function_object(id);
            self.at(span);
            self.out.begin_if(&base.equals(&object));
            self.call_of(id, args, result);
            self.at(span);
            self.out.begin_else();
        }
        self.unsupported("a call through a pointer to no known function");
        for _ in &candidates {
            self.out.end();
        }
    }

    fn call_of(&mut self, id: FunctionId, args: &[Expr], result: Option<&Place>) {
        let program = self.enc.program;
        let function = program.function(id);
        self.note_lock(function, args);
        if library::call(self, function, args, result) {
            return;
        }
        if function.body.is_none() {
            self.call_unknown(function, args, result);
            return;
        }
        let mut terms = Vec::new();
        for (number, &param) in function.params.iter().enumerate() {
            let ty = program.variable(param).ty.clone();
            match args.get(number) {
                Some(arg) if fits(&arg.ty, &ty) => self.argument(arg, &ty, &mut terms),
                Some(_) => {
                    self.unsupported("an argument of another type than its parameter");
                    return;
                }
                None => {
                    self.unsupported("a call with too few arguments");
                    return;
                }
            }
        }
        let more = args.get(function.params.len()..).unwrap_or_default();
        if function.ty.variadic {
            terms.push(self.pass_arguments(more));
        } else {
            // Without a prototype there may be more of them than parameters.
            for unused in more {
                self.evaluate(unused);
            }
        }
        let mut results = Vec::new();
        self.enc
            .leaves(RESULT, &function.ty.result, 0, &mut results);
        let results: Vec<Term> = results
            .into_iter()
            .map(|leaf| self.temporary(leaf.ty))
            .collect();
        let Some(procedure) = self.enc.procedure_of(id) else {
            self.unsupported("a call of a function that is not translated");
            return;
        };
        self.out.call(procedure, &terms, &results);
        if let Some(place) = result {
            let mut results = results.into_iter();
            if let Some(at) = self.access(place) {
                let at = self.held(at);
                let bits = self.enc.program.bit_field(place);
                self.receive(&at, &place.ty, bits, &mut results);
                self.forget_padding(&at, &place.ty);
            }
        }
    }

    /// An object gets an arbitrary value.
    pub fn havoc_place(&mut self, place: &Place) {
        let bits = self.enc.program.bit_field(place);
        let Some(at) = self.access(place) else { return };
        let at = self.held(at);
        self.havoc_at(&at, &place.ty, bits);
        if let Some(target) = self.enc.memory.place(place) {
            self.assume_known(&at, target, &place.ty);
        }
    }

    fn havoc_at(&mut self, at: &Located, ty: &Type, bits: Option<Bits>) {
        if self.is_forgotten(at) {
            return;
        }
        match ty {
            // One of its members has a value, and nobody knows which.
            Type::Record(id) if self.enc.is_mixed(*id) => {
                self.unsupported("a union with pointers and numbers from outside");
            }
            Type::Record(id) => {
                for (number, field) in self.enc.fields(*id).iter().enumerate() {
                    let at = at.field(self, *id, number);
                    let bits = field.bits;
                    self.havoc_at(&at, &field.ty, bits);
                }
            }
            Type::Array(..) => self.unsupported("an unknown function that returns an array"),
            Type::Void => {}
            scalar => {
                let value = self.arbitrary(scalar);
                self.write(at, scalar, bits, value);
            }
        }
    }
}

/// Whether a statement gives a scalar variable a value that does not depend on its old one.
fn writes_all_of(statement: &Stmt, variable: VarId) -> bool {
    let whole = |place: &Place| place.whole() == Some(variable) && place.ty.is_scalar();
    match &statement.kind {
        StmtKind::Assign(place, value) => whole(place) && !super::reach::mentions(value, variable),
        StmtKind::Zero(place) => whole(place),
        _ => false,
    }
}

/// The Boogie variable of the result of a function.
pub const RESULT: &str = "result~";

/// Where a block ends. Labels of the program have only one `~`, see [`Body::label`].
fn end_label(id: BlockId) -> String {
    format!("end~of~{}", id.0)
}

/// Whether a value of one type can be passed as another without a conversion.
fn fits(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (a, b) => a == b,
    }
}
