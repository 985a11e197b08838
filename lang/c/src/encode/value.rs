//! Expressions.

use num_bigint::BigInt;
use num_traits::Zero as _;

use ult_lang::stack::ensure_stack;

use super::body::{Body, Pointer, Value};
use super::located::Located;
use super::number::Number;
use crate::alias::{Object, Target, pointed};
use crate::ir::{CompareOp, Expr, ExprKind, LABEL_VALUE, UnaryOp};
use crate::types::{IntType, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;

impl Body<'_, '_> {
    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &Expr) -> Value {
        ensure_stack(|| self.value_of(expr))
    }

    fn value_of(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Int(value) => match (&expr.ty, expr.ty.integer()) {
                (Type::Pointer(_), _) => {
                    let ty = self.word_type();
                    let value = super::number::wrapped_value(&BigInt::from(*value), ty);
                    let number = self.constant(&value, ty);
                    Value::Pointer(self.as_pointer(&number))
                }
                (_, Some(ty)) => Value::Number(self.constant(&BigInt::from(*value), ty)),
                _ => Value::Nothing,
            },
            ExprKind::Float(value) => match &expr.ty {
                Type::Float(float) => match super::float::literal(*float, value.as_ref()) {
                    Some(term) => Value::Float(*float, term),
                    None => {
                        self.unsupported("a floating constant that is infinite");
                        self.arbitrary(&expr.ty)
                    }
                },
                _ => Value::Nothing,
            },
            ExprKind::Read(place) => {
                let bits = self.enc.program.bit_field(place);
                match self.access(place) {
                    Some(at) => {
                        self.check_written(&at, &expr.ty, bits);
                        self.read(&at, &expr.ty, bits)
                    }
                    None => self.arbitrary(&expr.ty),
                }
            }
            ExprKind::Address(place) => match self.locate(place) {
                Some(Located::Memory { pointer, .. }) => Value::Pointer(pointer),
                Some(Located::Plain { .. } | Located::Passed { .. }) => {
                    self.unsupported("the address of a variable that has none");
                    self.arbitrary(&expr.ty)
                }
                None => self.arbitrary(&expr.ty),
            },
            ExprKind::Function(function) => Value::Pointer(Pointer {
                base: self.enc.function_object(*function),
                offset: self.offset(0),
            }),
            ExprKind::Unary(op, operand) => match (op, self.value(operand)) {
                (UnaryOp::Negate, Value::Number(number)) => Value::Number(self.negated(&number)),
                (UnaryOp::Complement, Value::Number(number)) => {
                    Value::Number(self.complement(&number))
                }
                (UnaryOp::Negate, Value::Float(float, term)) => {
                    Value::Float(float, self.float_negated(float, &term))
                }
                _ => self.misfit(expr),
            },
            ExprKind::Binary(op, left, right) => match (self.value(left), self.value(right)) {
                (Value::Number(a), Value::Number(b)) => Value::Number(self.binary(*op, &a, &b)),
                (Value::Float(float, a), Value::Float(_, b)) => {
                    match self.float_binary(float, *op, &a, &b) {
                        Some(term) => Value::Float(float, term),
                        None => self.misfit(expr),
                    }
                }
                _ => self.misfit(expr),
            },
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let truth = self.truth(expr);
                Value::Number(self.number_of_truth(truth))
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Convert(operand) => self.convert(operand, &expr.ty),
            ExprKind::Offset {
                pointer,
                index,
                back,
            } => {
                let to = pointed(&pointer.ty);
                let base = self.pointer(pointer);
                let index = self.number(index);
                match self.size_in_bytes(&to) {
                    Some(size) => Value::Pointer(self.offset_pointer(&base, &index, &size, *back)),
                    None => {
                        self.unsupported(
                            "arithmetic with pointers to objects whose size is not known",
                        );
                        Value::Pointer(base)
                    }
                }
            }
            ExprKind::Difference(left, right) => {
                let size = self.size(&pointed(&left.ty)).unwrap_or_else(|| {
                    self.unsupported("a difference of pointers to objects without a constant size");
                    1
                });
                let size = size.max(1);
                let (a, b) = (self.pointer(left), self.pointer(right));
                self.same_object((left, &a), (right, &b));
                let ty = self.word_type();
                let term = if self.bits() {
                    let bits = ty.bits;
                    self.bit_binary("bvsub", bits, &a.offset, &b.offset)
                } else {
                    a.offset.subtract(&b.offset)
                };
                let distance = Number::new(term, ty);
                let size = self.constant(&BigInt::from(size), ty);
                if size.constant().is_some_and(|size| *size == BigInt::from(1)) {
                    return Value::Number(distance);
                }
                if self.bits() {
                    return Value::Number(self.binary(
                        crate::ir::BinaryOp::Divide,
                        &distance,
                        &size,
                    ));
                }
                // The quotient is exact: rounding does not matter.
                Value::Number(Number::new(distance.term.div(&size.term), ty))
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what);
                self.arbitrary(&expr.ty)
            }
        }
    }

    /// An expression whose operands are not what the types promise.
    fn misfit(&mut self, expr: &Expr) -> Value {
        self.unsupported("an operation on operands of other types");
        self.arbitrary(&expr.ty)
    }

    /// The value of an expression of integer type.
    pub fn number(&mut self, expr: &Expr) -> Number {
        match self.value(expr) {
            Value::Number(number) => number,
            _ => {
                self.unsupported("a number that is none");
                let ty = expr.ty.integer().unwrap_or(IntType::INT);
                Number::new(self.anything(ty), ty)
            }
        }
    }

    /// The value of an expression of pointer type.
    pub fn pointer(&mut self, expr: &Expr) -> Pointer {
        match self.value(expr) {
            Value::Pointer(pointer) => pointer,
            _ => {
                self.unsupported("a pointer that is none");
                Pointer {
                    base: Term::int(0),
                    offset: self.offset(0),
                }
            }
        }
    }

    /// Whether a scalar expression differs from zero.
    pub fn truth(&mut self, expr: &Expr) -> Term {
        ensure_stack(|| match &expr.kind {
            ExprKind::Not(operand) => self.truth(operand).not(),
            ExprKind::And(left, right) => {
                let left = self.truth(left);
                let right = self.under(left.clone(), |body| body.truth(right));
                left.and(&right)
            }
            ExprKind::Or(left, right) => {
                let left = self.truth(left);
                let right = self.under(left.not(), |body| body.truth(right));
                left.or(&right)
            }
            ExprKind::Compare(op, left, right) => self.comparison(*op, left, right),
            _ => {
                // As for the comparison with zero: an address is zero if the pointer is null.
                let word = self.word_type().bits;
                let value = self.value(expr.as_address(word).unwrap_or(expr));
                self.truth_of(&value)
            }
        })
    }

    /// Whether a value differs from zero.
    pub fn truth_of(&mut self, value: &Value) -> Term {
        match value {
            Value::Number(number) => self.truth_of_number(number),
            Value::Pointer(pointer) => self.is_null(pointer).not(),
            Value::Float(float, term) => {
                let zero = BigInt::zero();
                match super::float::literal(*float, Some(&zero.into())) {
                    Some(zero) => self.float_compare(*float, CompareOp::NotEqual, term, &zero),
                    None => Term::truth(true),
                }
            }
            Value::Nothing => Term::truth(false),
        }
    }

    /// Whether a pointer is null.
    pub fn is_null(&mut self, pointer: &Pointer) -> Term {
        let none = pointer.base.equals(&Term::int(0));
        if !self.enc.numeric_pointers {
            return none;
        }
        let zero = self.offset(0);
        none.and(&pointer.offset.equals(&zero))
    }

    fn comparison(&mut self, op: CompareOp, left: &Expr, right: &Expr) -> Term {
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let word = self.word_type().bits;
        // Two addresses are equal if the pointers are, whatever the addresses.
        let (left, right) = match (left.as_address(word), right.as_address(word)) {
            (Some(a), Some(b)) if equality => (a, b),
            (Some(a), None) if equality && is_zero(right) => (a, right),
            (None, Some(b)) if equality && is_zero(left) => (left, b),
            _ => (left, right),
        };
        match (self.value(left), self.value(right)) {
            (Value::Number(a), Value::Number(b)) => self.compare_numbers(op, &a, &b),
            (Value::Pointer(a), Value::Pointer(b)) => {
                let told = self.compare_pointers(op, &a, &b);
                match equality {
                    true => self.unless_coinciding((left, &a), (right, &b), told),
                    false => told,
                }
            }
            (Value::Float(float, a), Value::Float(_, b)) => self.float_compare(float, op, &a, &b),
            (Value::Pointer(a), Value::Number(_)) | (Value::Number(_), Value::Pointer(a))
                if is_zero(left) || is_zero(right) =>
            {
                let null = self.is_null(&a);
                match op {
                    CompareOp::Equal => null,
                    _ => null.not(),
                }
            }
            _ => {
                self.unsupported("a comparison of different types");
                Term::truth(false)
            }
        }
    }

    fn compare_pointers(&mut self, op: CompareOp, a: &Pointer, b: &Pointer) -> Term {
        let null = |pointer: &Pointer, zero: &Term| {
            pointer.base == Term::int(0) && pointer.offset == *zero
        };
        let zero = self.offset(0);
        let same = if null(b, &zero) {
            self.is_null(a)
        } else if null(a, &zero) {
            self.is_null(b)
        } else {
            a.base.equals(&b.base).and(&a.offset.equals(&b.offset))
        };
        match op {
            CompareOp::Equal => same,
            CompareOp::NotEqual => same.not(),
            op => {
                // Pointers into different objects are in no order (C11 6.5.8).
                const ORDER: &str = "an order of pointers into different objects";
                let differ = a.base != b.base;
                let same = a.base.equals(&b.base);
                if differ && !self.enc.overapprox {
                    self.unsupported_unless(&same, ORDER);
                }
                let ty = self.word_type();
                let a = Number::new(a.offset.clone(), ty);
                let b = Number::new(b.offset.clone(), ty);
                let order = self.compare_numbers(op, &a, &b);
                match differ && self.enc.overapprox {
                    true => self.any_if(&same.not(), ORDER, order),
                    false => order,
                }
            }
        }
    }

    /// Pointers that are subtracted point into one object (C11 6.5.6p9): runs where they do not are none.
    fn same_object(&mut self, left: (&Expr, &Pointer), right: (&Expr, &Pointer)) {
        let ((left, a), (right, b)) = (left, right);
        let (from, to) = (self.enc.memory.target(left), self.enc.memory.target(right));
        if a.base == b.base || self.is_only_object(from) && from == to {
            return;
        }
        let same = a.base.equals(&b.base);
        if [from, to]
            .into_iter()
            .flatten()
            .any(|target| self.may_be_label(target))
        {
            // gcc defines it.
            self.unsupported_unless(&same, "how far labels lie apart");
        }
        self.require(Undefined::Difference, same);
    }

    /// Whether pointers to a target may be values of labels.
    fn may_be_label(&self, target: Target) -> bool {
        let objects = self.enc.memory.objects(target);
        objects.iter().any(|object| match object {
            Object::Single(id) | Object::Many(id) => {
                self.enc.program.variable(*id).name.starts_with(LABEL_VALUE)
            }
            Object::Heap | Object::Zeroed | Object::External => false,
        })
    }

    /// Whether pointers to a target point into one object, if into any.
    fn is_only_object(&self, target: Option<Target>) -> bool {
        let objects = target.map(|target| self.enc.memory.objects(target));
        objects.is_some_and(|objects| {
            objects.len() == 1 && matches!(objects.first(), Some(Object::Single(_)))
        })
    }

    /// Not covered, unless a condition holds.
    pub fn unsupported_unless(&mut self, condition: &Term, what: &str) {
        self.under(condition.not(), |body| body.unsupported(what));
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let condition = self.truth(condition);
        let yes = self.under(condition.clone(), |body| body.value(yes));
        let no = self.under(condition.not(), |body| body.value(no));
        match (yes, no) {
            (Value::Number(a), Value::Number(b)) => {
                let term = condition.choose(&a.term, &b.term);
                let truth = match (&a.truth, &b.truth, a.constant(), b.constant()) {
                    (None, None, Some(a), Some(b)) if a.is_zero() != b.is_zero() => {
                        Some(match a.is_zero() {
                            true => condition.not(),
                            false => condition.clone(),
                        })
                    }
                    _ => None,
                };
                let truth = truth.filter(|_| {
                    a.low.clone().min(b.low.clone()).is_zero()
                        && a.high.clone().max(b.high.clone()) == BigInt::from(1)
                });
                Value::Number(Number {
                    term,
                    ty: a.ty,
                    low: a.low.min(b.low),
                    high: a.high.max(b.high),
                    truth,
                })
            }
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(Pointer {
                base: condition.choose(&a.base, &b.base),
                offset: condition.choose(&a.offset, &b.offset),
            }),
            (Value::Float(float, a), Value::Float(_, b)) => {
                Value::Float(float, condition.choose(&a, &b))
            }
            _ => Value::Nothing,
        }
    }

    /// A scalar in another type (C11 6.3).
    fn convert(&mut self, operand: &Expr, to: &Type) -> Value {
        if *to == Type::Bool {
            let truth = self.truth(operand);
            let number = self.number_of_truth(truth);
            let byte = IntType::BYTE;
            return Value::Number(self.converted(&number, byte));
        }
        if let (Type::Pointer(_), Some(pointer)) = (to, operand.as_address(self.word_type().bits)) {
            // There and back again (C11 7.20.1.4).
            return self.convert(pointer, to);
        }
        let value = self.value(operand);
        match (value, to) {
            (_, Type::Void) => Value::Nothing,
            (Value::Number(number), Type::Int(int)) => Value::Number(self.converted(&number, *int)),
            (Value::Number(number), Type::Float(float)) => {
                Value::Float(*float, self.float_of_number(*float, &number))
            }
            (Value::Number(number), Type::Pointer(_)) => Value::Pointer(self.as_pointer(&number)),
            (pointer @ Value::Pointer(_), Type::Pointer(_)) => pointer,
            (Value::Pointer(pointer), Type::Int(int)) => {
                let number = self.address(&pointer);
                Value::Number(self.converted(&number, *int))
            }
            (Value::Float(from, term), Type::Int(int)) => {
                Value::Number(self.number_of_float(from, &term, *int))
            }
            (Value::Float(from, term), Type::Float(float)) => {
                Value::Float(*float, self.float_of_float(*float, from, &term))
            }
            (_, other) => {
                self.unsupported("a conversion between these types");
                self.arbitrary(other)
            }
        }
    }
}

/// Whether it is the constant 0, of whatever type.
fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Convert(operand) => is_zero(operand),
        _ => false,
    }
}
