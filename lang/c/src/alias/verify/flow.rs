//! What statements store where.

use ult_lang::stack::ensure_stack;

use super::Checker;
use super::value::Value;
use crate::alias::{Object, Target};
use crate::functions::{self, Meaning};
use crate::ir::{
    Callee, ConstantStep, Expr, ExprKind, Function, FunctionId, Initial, Place, Stmt, StmtKind,
    Storage,
};
use crate::types::{Length, Type};

impl Checker<'_, '_> {
    /// A function that may be called.
    pub(super) fn function_body(&mut self, id: FunctionId) {
        let program = self.program;
        let function = program.function(id);
        let Some(body) = &function.body else { return };
        self.function = Some(id);
        self.span = function.span;
        for &param in &function.params {
            // Whoever calls writes all of it.
            if self.memory.is_in_memory(param) {
                self.scalars(self.object(param), &program.variable(param).ty, None);
            }
        }
        self.statements(body);
        self.function = None;
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            ensure_stack(|| self.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.span = statement.span;
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let values = self.value(value);
                let at = self.written(place);
                for to in &at {
                    self.gets(*to, &place.ty, value, &values);
                    self.gets_bytes(*to, place, value);
                }
            }
            StmtKind::Zero(place) => {
                self.written(place);
            }
            StmtKind::Call {
                callee,
                args,
                result,
            } => self.call(callee, args, result.as_ref()),
            StmtKind::If(condition, yes, no) => {
                self.value(condition);
                self.statements(yes);
                self.statements(no);
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => self.statements(body),
            StmtKind::Return(Some(value)) => {
                let values = self.value(value);
                if let Some(function) = self.function {
                    let ty = self.program.function(function).ty.result.clone();
                    self.gets(self.result(function), &ty, value, &values);
                }
            }
            StmtKind::Assert(value) | StmtKind::Evaluate(value) => {
                self.value(value);
            }
            StmtKind::Declare(variable) => {
                self.mentioned.insert(*variable);
            }
            StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::Leave(_)
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Return(None)
            | StmtKind::Undefined { .. }
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn written(&mut self, place: &Place) -> Vec<Target> {
        let at = self.place(place);
        self.access(place, &at);
        at
    }

    /// An object gets a value, which may point where `values` say if it is a pointer.
    fn gets(&mut self, to: Target, ty: &Type, value: &Expr, values: &[Value]) {
        match (ty, &value.kind) {
            (Type::Pointer(_), _) => {
                for value in values {
                    self.gets_pointer(to, *value);
                }
            }
            (Type::Record(_), ExprKind::Read(from)) => {
                for from in self.place(from) {
                    self.copied(to, from, ty);
                }
            }
            (Type::Record(_), ExprKind::Conditional(_, yes, no)) => {
                self.gets(to, ty, yes, &[]);
                self.gets(to, ty, no, &[]);
            }
            _ => {}
        }
    }

    fn gets_pointer(&mut self, to: Target, value: Value) {
        let known = self.pointee(to);
        let is_known = known.is_some_and(|known| match value {
            Value::At(target) => self.is_one(known, target),
            Value::Function(id) => self.memory.nodes.functions(known.node).contains(&id),
        });
        if !is_known {
            self.miss("a pointer that is stored");
        }
    }

    /// An integer is assigned as it was read: as bytes, which may be those of a pointer (C11 6.2.6.1p4).
    fn gets_bytes(&mut self, to: Target, place: &Place, value: &Expr) {
        let Some(from) = value.copied() else { return };
        let fields = self
            .program
            .bit_field(place)
            .or(self.program.bit_field(from));
        if fields.is_some() {
            return;
        }
        for from in self.place(from) {
            self.copied(to, from, &place.ty);
        }
    }

    /// What is in an object of type `ty` gets to another one.
    fn copied(&mut self, to: Target, from: Target, ty: &Type) {
        match ty {
            Type::Void | Type::Function(_) => {}
            Type::Record(id) => {
                let fields = self.program.record(*id).fields.as_deref();
                for (number, _) in fields.unwrap_or_default().iter().enumerate() {
                    let Some((distance, ty)) = self.member(*id, number) else {
                        continue;
                    };
                    let [to, from] = [to, from].map(|target| Target {
                        offset: target.offset.saturating_add(distance),
                        ..target
                    });
                    self.copied(to, from, &ty);
                }
            }
            // A flexible array is no part of the value (C11 6.7.2.1p18).
            Type::Array(_, Length::Known(0) | Length::Unknown) => {}
            Type::Array(element, length) => {
                self.elements(to, element, *length);
                self.elements(from, element, *length);
                self.copied(to, from, element);
            }
            scalar => {
                let Some(points) = self.pointee(from) else {
                    return;
                };
                let known = self
                    .pointee(to)
                    .is_some_and(|known| self.is_one(known, points));
                // Other scalars take pointers along only from bytes to bytes, and only those that are there.
                let takes = match scalar {
                    Type::Pointer(_) => true,
                    Type::Int(_) => self.leads_somewhere(points),
                    _ => {
                        let bytes = self.has_pointer_bytes(to) && self.has_pointer_bytes(from);
                        bytes && self.leads_somewhere(points)
                    }
                };
                if takes && !known {
                    self.miss("a pointer that is copied");
                }
            }
        }
    }

    pub(super) fn leads_somewhere(&self, target: Target) -> bool {
        let nodes = &self.memory.nodes;
        !nodes.objects(target.node).is_empty() || !nodes.functions(target.node).is_empty()
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], result: Option<&Place>) {
        let values: Vec<Vec<Value>> = args.iter().map(|arg| self.value(arg)).collect();
        let result = result.map(|place| (place, self.written(place)));
        let result = result.as_ref().map(|(place, at)| (*place, &at[..]));
        match callee {
            Callee::Function(id) => self.call_of(*id, args, &values, result),
            Callee::Pointer(pointer, _) => {
                for id in self.callees(pointer) {
                    self.call_of(id, args, &values, result);
                }
            }
        }
    }

    fn callees(&mut self, pointer: &Expr) -> Vec<FunctionId> {
        let mut all = Vec::new();
        for value in self.value(pointer) {
            match value {
                Value::At(target) => all.extend(self.memory.nodes.functions(target.node)),
                Value::Function(id) => all.push(id),
            }
        }
        all.sort();
        all.dedup();
        all
    }

    fn call_of(
        &mut self,
        id: FunctionId,
        args: &[Expr],
        values: &[Vec<Value>],
        result: Option<(&Place, &[Target])>,
    ) {
        let program = self.program;
        let function = program.function(id);
        if let Some(caller) = self.function {
            self.calls.entry(caller).or_default().insert(id);
        }
        if function.body.is_none() {
            self.call_known(function, args, values);
        } else {
            if !self.reachable.contains(&id) {
                self.miss("a function that is called");
            }
            for ((&param, arg), values) in function.params.iter().zip(args).zip(values) {
                // Nobody follows what nobody uses.
                if self.used.contains(&param) {
                    self.gets(self.object(param), &program.variable(param).ty, arg, values);
                }
            }
            if function.ty.variadic {
                let more = args.iter().zip(values).skip(function.params.len());
                for (arg, values) in more {
                    self.gets(self.arguments(), &arg.ty, arg, values);
                }
            }
        }
        if let Some((place, at)) = result {
            for to in at {
                self.returned(id, function, values, *to, &place.ty);
            }
        }
    }

    /// A function without a body does what its name says with what its arguments point to.
    fn call_known(&mut self, function: &Function, args: &[Expr], values: &[Vec<Value>]) {
        let meaning = functions::of(function);
        if meaning == Some(Meaning::Arguments) {
            for (list, values) in args.iter().zip(values) {
                let Type::Pointer(ty) = &list.ty else {
                    continue;
                };
                for value in values {
                    if let Value::At(target) = value {
                        self.scalars(*target, ty, None);
                    }
                }
            }
        } else if meaning.is_some_and(Meaning::copies)
            && let ([to, from, ..], [there, here, count @ ..]) = (values, args)
        {
            let bits = count
                .first()
                .and_then(Expr::count)
                .and_then(|count| count.checked_mul(8));
            let starts = (self.begins(there), self.begins(here));
            for to in to {
                for from in from {
                    if let (Value::At(to), Value::At(from)) = (to, from)
                        && !self.is_one(*to, *from)
                        && !bits.is_some_and(|bits| self.is_copied(*to, *from, bits, starts))
                    {
                        self.miss("a copy of memory");
                    }
                }
            }
        }
    }

    /// The result of a call gets to a target.
    fn returned(
        &mut self,
        id: FunctionId,
        function: &Function,
        values: &[Vec<Value>],
        to: Target,
        ty: &Type,
    ) {
        let meaning = functions::of(function);
        if function.body.is_some() {
            self.copied(to, self.result(id), ty);
            return;
        }
        if meaning == Some(Meaning::Arguments) {
            if ty.is_pointer() {
                self.copied(to, self.arguments(), ty);
            }
            return;
        }
        let first = meaning.is_some_and(Meaning::returns_first);
        if first && ty.is_pointer() {
            for value in values.first().into_iter().flatten() {
                self.gets_pointer(to, *value);
            }
        }
        if let Some(allocation) = meaning.and_then(Meaning::allocates)
            && ty.is_pointer()
        {
            let new = match allocation.zeroed {
                true => Object::Zeroed,
                false => Object::Heap,
            };
            // It starts where the pointer leads: such a place is known as the start of objects.
            let nodes = &self.memory.nodes;
            let is_known = self.pointee(to).is_some_and(|at| {
                let mut starts = nodes.starts(at.node).iter();
                let starts_there = |&offset: &u64| self.is_one(at, Target { offset, ..at });
                nodes.objects(at.node).contains(&new) && starts.any(starts_there)
            });
            if !is_known {
                self.miss("an object that is allocated");
            }
        } else if !first {
            self.outside(to, ty);
        }
    }

    /// What static variables that occur contain at the start.
    pub(super) fn static_variables(&mut self) {
        while let Some(id) = self.waiting.pop() {
            let variable = self.program.variable(id);
            let Storage::Static { initial, .. } = &variable.storage else {
                continue;
            };
            self.span = variable.span;
            if self.memory.is_in_memory(id) && !matches!(initial, Initial::Unknown) {
                self.scalars(self.object(id), &variable.ty, None);
            }
            let Initial::Values(values) = initial else {
                continue;
            };
            for (path, value) in values {
                let values = self.value(value);
                let (target, ty) = self.initialised(self.object(id), &variable.ty, path);
                self.gets(target, &ty, value, &values);
            }
        }
    }

    /// The part of a static variable that a path leads to, and its type.
    fn initialised(&mut self, object: Target, ty: &Type, path: &[ConstantStep]) -> (Target, Type) {
        let (mut target, mut ty) = (object, ty.clone());
        for step in path {
            match (step, &ty) {
                (ConstantStep::Field(number), Type::Record(id)) => {
                    if let Some((distance, field)) = self.member(*id, *number) {
                        target.offset = target.offset.saturating_add(distance);
                        ty = field;
                    }
                }
                (ConstantStep::Index(index), Type::Array(element, length)) => {
                    if *index > 0 {
                        self.elements(target, element, *length);
                    }
                    ty = (**element).clone();
                }
                _ => {}
            }
        }
        (target, ty)
    }
}
