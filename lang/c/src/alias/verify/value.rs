//! Where the value of an expression may point to, and where places are.

use std::collections::BTreeSet;

use ult_lang::stack::ensure_stack;

use super::{Checker, View};
use crate::alias::{END, NodeId, Target};
use crate::ir::{Base, Expr, ExprKind, FunctionId, Place, Step, VarId};
use crate::types::{Length, RecordId, Type};

/// Where a pointer may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// To objects (and to the functions of their node).
    At(Target),
    /// To a function.
    Function(FunctionId),
}

/// What a pointer type points to.
fn pointed(ty: &Type) -> &Type {
    match ty {
        Type::Pointer(to) => to,
        _ => &Type::Void,
    }
}

impl Checker<'_, '_> {
    /// Looks at an expression: where its value may point to, if it is a pointer or the whole address of one.
    pub(super) fn value(&mut self, expr: &Expr) -> Vec<Value> {
        ensure_stack(|| self.value_of(expr))
    }

    fn value_of(&mut self, expr: &Expr) -> Vec<Value> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unsupported(_) => Vec::new(),
            ExprKind::Function(function) => {
                let in_one = |node: &NodeId| self.memory.nodes.functions(*node).contains(function);
                if self.memory.nodes.roots().filter(in_one).count() > 1 {
                    self.miss("a function whose address is taken");
                }
                vec![Value::Function(*function)]
            }
            ExprKind::Read(place) => {
                let at = self.place(place);
                self.access(place, &at);
                match expr.ty {
                    Type::Pointer(_) => self.stored(&at),
                    _ => Vec::new(),
                }
            }
            ExprKind::Address(place) => {
                if let Base::Variable(variable) = place.base
                    && !self.memory.is_in_memory(variable)
                {
                    self.miss("a variable whose address is taken");
                }
                match &place.base {
                    // `&*p`, also for functions (C11 6.5.3.2p3).
                    Base::Deref(pointer) if place.path.is_empty() => self.value(pointer),
                    _ => self.place(place).into_iter().map(Value::At).collect(),
                }
            }
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) => {
                self.value(operand);
                Vec::new()
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => {
                self.value(left);
                self.value(right);
                Vec::new()
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.value(condition);
                let (mut all, more) = (self.value(yes), self.value(no));
                if let (true, Some(a), Some(b)) = (expr.ty.is_pointer(), all.first(), more.first())
                    && !self.are_one(*a, *b)
                {
                    self.miss("a choice between pointers");
                }
                all.extend(more);
                match expr.ty {
                    Type::Pointer(_) => self.distinct(all),
                    _ => Vec::new(),
                }
            }
            ExprKind::Convert(operand) => self.converted(expr, operand),
            ExprKind::Offset { pointer, index, .. } => {
                let values = self.value(pointer);
                self.value(index);
                if !matches!(index.kind, ExprKind::Int(0)) {
                    self.moved(&values, pointed(&pointer.ty));
                }
                values
            }
        }
    }

    /// Whether one target stands for both values.
    fn are_one(&self, a: Value, b: Value) -> bool {
        let nodes = &self.memory.nodes;
        match (a, b) {
            (Value::At(a), Value::At(b)) => self.is_one(a, b),
            (Value::At(at), Value::Function(id)) | (Value::Function(id), Value::At(at)) => {
                nodes.functions(at.node).contains(&id)
            }
            (Value::Function(a), Value::Function(b)) => nodes.roots().any(|node| {
                let known = nodes.functions(node);
                known.contains(&a) && known.contains(&b)
            }),
        }
    }

    /// Each of them once.
    fn distinct(&self, values: Vec<Value>) -> Vec<Value> {
        if values.len() < 2 {
            return values;
        }
        let mut seen = BTreeSet::new();
        let is_new = |value: &Value| match value {
            Value::At(target) => seen.insert((Some(self.class(*target)), None)),
            Value::Function(id) => seen.insert((None, Some(*id))),
        };
        values.into_iter().filter(is_new).collect()
    }

    /// What the pointers in places lead to: nowhere, if nobody stores one there that leads somewhere.
    fn stored(&self, at: &[Target]) -> Vec<Value> {
        let values = at.iter().filter_map(|target| self.pointee(*target));
        self.distinct(values.map(Value::At).collect())
    }

    fn converted(&mut self, expr: &Expr, operand: &Expr) -> Vec<Value> {
        let values = self.value(operand);
        let word = self.program.model.word();
        match (&expr.ty, &operand.ty) {
            (Type::Pointer(to), Type::Pointer(from)) => {
                self.viewed(&values, from, to);
                self.seen_as(&values, to, operand.is_moved());
                if !to.shows_bytes_of(from) {
                    self.converted_outside(&values, to);
                }
                values
            }
            // There and back again; any other number is no pointer to an object (C11 7.20.1.4).
            (Type::Pointer(to), Type::Int(_)) => {
                let from = operand.as_address(word).map(|pointer| pointed(&pointer.ty));
                if let Some(from) = from {
                    self.viewed(&values, from, to);
                }
                if from.is_none_or(|from| !to.shows_bytes_of(from)) {
                    self.converted_outside(&values, to);
                }
                values
            }
            (Type::Int(int), Type::Pointer(_)) if int.bits >= word => values,
            (Type::Int(int), Type::Int(inner)) if int.bits == inner.bits => values,
            _ => Vec::new(),
        }
    }

    /// A pointer to objects of one type becomes one to another type: both are about the same object, and who moves the new
    /// one may walk over all of it.
    fn viewed(&mut self, values: &[Value], from: &Type, to: &Type) {
        let (Some(size), Some(step), true) = (self.bits(from), self.bits(to), from != to) else {
            return;
        };
        for value in values {
            if let Value::At(target) = value {
                let class = self.class(*target);
                let view = View {
                    start: target.offset,
                    bits: size.max(step),
                    span: self.span,
                };
                self.views.entry(class).or_default().push(view);
                let step = (step, *to == Type::Void);
                self.narrowed.entry(class).or_default().insert(step);
            }
        }
    }

    /// A pointer is moved by a number of objects of a type.
    fn moved(&mut self, values: &[Value], ty: &Type) {
        let step = self.bits(ty).unwrap_or(8);
        for value in values {
            let Value::At(target) = value else { continue };
            if step > 0 && !self.is_closed(*target, step) {
                self.miss("a pointer that is moved");
            }
            let moves = self.moves.entry(self.class(*target)).or_default();
            moves.insert((step, *ty == Type::Void));
        }
    }

    /// A pointer that was moved, or is known to be at an element of an array that is not the first one, becomes one to a type:
    /// what it points to is still in that array.
    fn seen_as(&mut self, values: &[Value], ty: &Type, moved: bool) {
        let size = self.bits(ty).unwrap_or_default();
        for value in values {
            let Value::At(target) = value else { continue };
            let leaves = self.range(*target).is_some_and(|range| {
                let within = range.stride > 0 && target.offset - range.lo >= range.stride;
                (moved || within) && range.is_smaller_array(size)
            });
            if leaves {
                self.miss("a pointer that leaves its array");
            }
        }
    }

    /// Objects over which converted pointers walk in smaller steps are one range.
    pub(super) fn whole_views(&mut self) {
        let mut missed = Vec::new();
        #[allow(clippy::iter_over_hash_type, reason = "what is missed is sorted below")]
        for (class, views) in &self.views {
            let (Some(narrowed), Some(moves)) = (self.narrowed.get(class), self.moves.get(class))
            else {
                continue;
            };
            let Some((step, _)) = narrowed.intersection(moves).next() else {
                continue;
            };
            for view in views.iter().filter(|view| *step < view.bits) {
                let target = Target {
                    node: class.node,
                    offset: view.start,
                };
                let end = view.start.saturating_add(view.bits);
                if self.range(target).is_none_or(|range| range.hi < end) {
                    missed.push(view.span);
                }
            }
        }
        missed.sort_by_key(|span| span.start);
        for span in missed {
            self.span = span;
            self.miss("a pointer that walks over an object in smaller steps");
        }
    }

    /// Whether steps of so many bits lead to the same class. Larger steps than an array leave it.
    fn is_closed(&self, target: Target, step: u64) -> bool {
        let range = self.range(target);
        range.is_some_and(|range| {
            let is_array = range.stride > 0 && !range.is_smaller_array(step);
            is_array && step.is_multiple_of(range.stride)
        })
    }

    /// Where a place is.
    pub(super) fn place(&mut self, place: &Place) -> Vec<Target> {
        let (mut at, mut ty) = match &place.base {
            Base::Variable(variable) => {
                self.mention(*variable);
                let ty = self.program.variable(*variable).ty.clone();
                (vec![self.object(*variable)], ty)
            }
            Base::Deref(pointer) => {
                let values = self.value(pointer).into_iter();
                let at = values.filter_map(|value| match value {
                    Value::At(target) => Some(target),
                    Value::Function(_) => None,
                });
                (at.collect(), pointed(&pointer.ty).clone())
            }
        };
        for step in &place.path {
            match step {
                Step::Field(record, number) => {
                    let Some((distance, field)) = self.member(*record, *number) else {
                        continue;
                    };
                    for target in &mut at {
                        target.offset = target.offset.saturating_add(distance);
                    }
                    ty = field;
                }
                Step::Index(index) => {
                    self.value(index);
                    let Type::Array(element, length) = &ty else {
                        continue;
                    };
                    if !matches!(index.kind, ExprKind::Int(0)) {
                        for target in &at {
                            self.elements(*target, element, *length);
                            // Who indexes it treats it as an array, also if it has one element.
                            if *length == Length::Known(1) {
                                self.indexed(*target, element);
                            }
                        }
                    }
                    ty = (**element).clone();
                }
            }
        }
        at
    }

    fn mention(&mut self, variable: VarId) {
        if self.mentioned.insert(variable) {
            self.waiting.push(variable);
        }
    }

    /// How many bits behind the start of the structure or union a member starts, and its type.
    pub(super) fn member(&self, record: RecordId, number: usize) -> Option<(u64, Type)> {
        let field = self.program.record(record).fields.as_ref()?.get(number)?;
        let first = field.bits.map_or(0, |bits| u64::from(bits.first));
        Some((field.offset * 8 + first, field.ty.clone()))
    }

    /// The elements of an array at a target are one class.
    pub(super) fn elements(&mut self, target: Target, element: &Type, length: Length) {
        let step = self.step(element);
        let end = match length {
            Length::Known(1) => return,
            Length::Known(length) if length > 0 => {
                target.offset.saturating_add(step.saturating_mul(length))
            }
            _ => END,
        };
        let reaches = self.range(target).is_some_and(|range| end <= range.hi);
        if step > 0 && !(reaches && self.is_closed(target, step)) {
            self.miss("the elements of an array");
        }
    }

    fn indexed(&mut self, target: Target, element: &Type) {
        let step = self.step(element);
        if step > 0 && !self.is_closed(target, step) {
            self.miss("the elements of an array");
        }
    }

    /// How far elements lie apart in bits; if that is not constant, what it is a multiple of.
    fn step(&self, element: &Type) -> u64 {
        match (self.bits(element), element) {
            (Some(bits), _) => bits,
            (None, Type::Array(part, _)) => self.step(part),
            (None, _) => 8,
        }
    }
}
