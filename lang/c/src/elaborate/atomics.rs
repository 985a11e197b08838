//! gcc's built-in functions on memory that threads share: `__sync_…` and `__atomic_…`. Without threads, they are ordinary
//! reads and writes.

use ult_lang::span::Span;

use crate::ir::{BinaryOp, Callee, CompareOp, Expr, ExprKind, Place, StmtKind, UnaryOp};
use crate::syntax::{self as c, Node};
use crate::types::{FunctionType, Type};

use super::{Elaborator, Operand, int, read, void};

impl Elaborator {
    /// A call of one of these functions; nothing if it is not covered.
    pub(super) fn atomic_call(
        &mut self,
        name: &str,
        arguments: &[Node<c::Expression>],
        place: Span,
    ) -> Option<Operand> {
        let operation = name
            .strip_prefix("__sync_")
            .or_else(|| name.strip_prefix("__atomic_"))?;
        if matches!(operation, "synchronize" | "thread_fence" | "signal_fence") {
            for argument in arguments {
                self.effect(argument);
            }
            return Some(Operand::Value(void(place)));
        }
        let known = updates(operation).is_some()
            || matches!(
                operation,
                "load_n"
                    | "store_n"
                    | "exchange_n"
                    | "lock_test_and_set"
                    | "lock_release"
                    | "bool_compare_and_swap"
                    | "val_compare_and_swap"
                    | "compare_exchange_n"
            );
        if !known || self.function.is_none() {
            return None;
        }
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.value(argument);
            values.push((value, self.out.len()));
        }
        let mut values = self.keep_all(values).into_iter();
        let pointer = values.next()?;
        let Type::Pointer(target) = pointer.ty.clone() else {
            self.mismatch(&pointer, format!("`{name}` needs a pointer"));
            return Some(Operand::Value(int(0, Type::INT, place)));
        };
        if !target.is_scalar() {
            return None;
        }
        let pointer = if self.is_stable(&pointer) {
            pointer
        } else {
            self.save(pointer)
        };
        let object = self.target(pointer, (*target).clone(), place);
        let rest: Vec<Expr> = values.collect();
        // The order that is asked for, and whether it is the weak form.
        let used = match operation {
            "load_n" | "lock_release" => 0,
            "bool_compare_and_swap" | "val_compare_and_swap" | "compare_exchange_n" => 2,
            _ => 1,
        };
        for unused in rest.iter().skip(used) {
            self.discard_value(unused.clone());
        }
        let result = match (operation, rest.as_slice()) {
            ("load_n", _) => self.save(read(object)),
            ("store_n", [value, ..]) => {
                let value = self.assign_convert(value.clone(), &target, "this argument");
                self.emit(StmtKind::Assign(object, value), place);
                void(place)
            }
            ("lock_release", _) => {
                let zero = int(0, (*target).clone(), place);
                self.emit(StmtKind::Assign(object, zero), place);
                void(place)
            }
            ("exchange_n" | "lock_test_and_set", [value, ..]) => {
                let value = self.assign_convert(value.clone(), &target, "this argument");
                let value = self.save(value);
                let old = self.save(read(object.clone()));
                self.emit(StmtKind::Assign(object, value), place);
                old
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [expected, value, ..]) => {
                let boolean = operation.starts_with("bool");
                self.compare_and_swap(object, expected.clone(), value.clone(), boolean, place)
            }
            ("compare_exchange_n", [expected, value, weak, ..]) => {
                self.compare_exchange(object, expected.clone(), value.clone(), weak, place)?
            }
            ("compare_exchange_n", _) => return None,
            (_, [value, ..]) => self.update(updates(operation)?, object, value.clone(), place)?,
            _ => return None,
        };
        Some(Operand::Value(result))
    }

    fn compare_and_swap(
        &mut self,
        object: Place,
        expected: Expr,
        value: Expr,
        boolean: bool,
        place: Span,
    ) -> Expr {
        let expected = self.assign_convert(expected, &object.ty, "this argument");
        let value = self.assign_convert(value, &object.ty, "this argument");
        let old = self.save(read(object.clone()));
        let same = self.compare_values(CompareOp::Equal, old.clone(), expected, place);
        let same = self.save(same);
        let (then, ()) = self.collect(|this| this.emit(StmtKind::Assign(object, value), place));
        self.emit_if(same.clone(), then, Vec::new(), place);
        if boolean {
            self.convert(same, &Type::Bool)
        } else {
            old
        }
    }

    /// `__atomic_compare_exchange_n` (C11 7.17.7.4): where the object has another value than expected, the expected one
    /// becomes that. A weak one may fail for no reason.
    fn compare_exchange(
        &mut self,
        object: Place,
        expected: Expr,
        value: Expr,
        weak: &Expr,
        place: Span,
    ) -> Option<Expr> {
        let Type::Pointer(target) = expected.ty.clone() else {
            return None;
        };
        if !target.is_scalar() {
            return None;
        }
        let expected = match self.is_stable(&expected) {
            true => expected,
            false => self.save(expected),
        };
        let expected = self.target(expected, (*target).clone(), place);
        let value = self.assign_convert(value, &object.ty, "this argument");
        let value = self.save(value);
        let old = self.save(read(object.clone()));
        let wanted = self.assign_convert(read(expected.clone()), &object.ty, "this argument");
        let mut same = self.compare_values(CompareOp::Equal, old.clone(), wanted, place);
        if !matches!(weak.kind, ExprKind::Int(0)) {
            let ty = FunctionType {
                result: Type::INT,
                params: Vec::new(),
                variadic: false,
                prototyped: true,
            };
            let any = self.declare_function("__ult_any_int", ty, place);
            same = self.save(same);
            let call = self.emit_call(Callee::Function(any), Vec::new(), Type::INT, true, place);
            let Operand::Value(succeeds) = call else {
                return None;
            };
            same = Expr {
                kind: ExprKind::And(Box::new(same), Box::new(succeeds)),
                ty: Type::INT,
                span: place,
            };
        }
        let same = self.save(same);
        let old = self.assign_convert(old, &target, "this argument");
        let (then, ()) = self.collect(|this| this.emit(StmtKind::Assign(object, value), place));
        let (otherwise, ()) =
            self.collect(|this| this.emit(StmtKind::Assign(expected, old), place));
        self.emit_if(same.clone(), then, otherwise, place);
        Some(self.convert(same, &Type::Bool))
    }

    fn update(
        &mut self,
        (op, nand, new): (BinaryOp, bool, bool),
        object: Place,
        value: Expr,
        place: Span,
    ) -> Option<Expr> {
        // Pointers are moved by bytes here, unlike everywhere else.
        if !object.ty.is_integer() {
            return None;
        }
        let value = self.assign_convert(value, &object.ty, "this argument");
        let old = self.save(read(object.clone()));
        // They wrap around: the operation is done without a sign.
        let ty = object.ty.clone();
        let unsigned = match ty.integer() {
            Some(ty) => Type::Int(crate::types::IntType {
                signed: false,
                bits: ty.bits.max(32),
            }),
            None => return None,
        };
        let left = self.convert(old.clone(), &unsigned);
        let right = self.convert(value, &unsigned);
        let mut result = self.arithmetic(op, left, right, place);
        if nand {
            result = self.unary(UnaryOp::Complement, result, place);
        }
        let result = self.convert(result, &ty);
        let result = self.save(result);
        self.emit(StmtKind::Assign(object, result.clone()), place);
        Some(if new { result } else { old })
    }
}

/// The operation of an update, whether its result is complemented, and whether the new value is the result.
fn updates(operation: &str) -> Option<(BinaryOp, bool, bool)> {
    let (name, new) = match operation
        .strip_prefix("fetch_and_")
        .or_else(|| operation.strip_prefix("fetch_"))
    {
        Some(name) => (name, false),
        None => (
            operation
                .strip_suffix("_and_fetch")
                .or_else(|| operation.strip_suffix("_fetch"))?,
            true,
        ),
    };
    Some(match name {
        "add" => (BinaryOp::Add, false, new),
        "sub" => (BinaryOp::Subtract, false, new),
        "or" => (BinaryOp::Or, false, new),
        "and" => (BinaryOp::And, false, new),
        "xor" => (BinaryOp::Xor, false, new),
        "nand" => (BinaryOp::And, true, new),
        _ => return None,
    })
}
