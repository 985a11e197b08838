//! Operators on values (C11 6.5.3 to 6.5.14).

use ult_lang::span::Span;

use crate::ir::{BinaryOp, CompareOp, Expr, ExprKind, StmtKind, UnaryOp};
use crate::syntax as c;
use crate::types::Type;

use super::{Elaborator, Operand, fold, int, read, unsupported, void};

/// What is not covered of bit-fields.
const WIDE: &str = "arithmetic on a bit-field that is wider than `int`";

impl Elaborator {
    pub(super) fn binary_operation(
        &mut self,
        operation: &c::BinaryOperatorExpression,
        used: bool,
        place: Span,
    ) -> Operand {
        use c::BinaryOperator as Op;
        let (left, right) = (&operation.lhs, &operation.rhs);
        if let Some(op) = assigned(&operation.operator.node) {
            return self.compound_assignment(op, left, right, used, place);
        }
        if let Some(op) = compared(&operation.operator.node) {
            let (left, right) = self.operands(left, right);
            return Operand::Value(self.comparison(op, left, right, place));
        }
        match operation.operator.node {
            Op::Index => self.index(left, right, place),
            Op::Assign => self.assignment(left, right, used, place),
            Op::LogicalAnd => Operand::Value(self.logical(true, left, right, used, place)),
            Op::LogicalOr => Operand::Value(self.logical(false, left, right, used, place)),
            ref operator => {
                let (left, right) = self.operands(left, right);
                match calculated(operator) {
                    Some(op) => Operand::Value(self.calculate(op, left, right, place)),
                    None => Operand::Value(unsupported("an operator", Type::INT, place)),
                }
            }
        }
    }

    /// The values of two operands.
    pub(super) fn operands(
        &mut self,
        left: &c::Node<c::Expression>,
        right: &c::Node<c::Expression>,
    ) -> (Expr, Expr) {
        let place = right.span;
        let start = self.out.len();
        let left = self.value(left);
        let mark = self.out.len();
        let right = self.value(right);
        self.in_any_order(start, left, mark, right, place)
    }

    /// A binary operator on values of any types.
    pub(super) fn calculate(&mut self, op: BinaryOp, left: Expr, right: Expr, place: Span) -> Expr {
        match (op, &left.ty, &right.ty) {
            (BinaryOp::Add, Type::Pointer(_), ty) if ty.is_integer() => {
                return self.offset(left, right, false, place);
            }
            (BinaryOp::Add, ty, Type::Pointer(_)) if ty.is_integer() => {
                return self.offset(right, left, false, place);
            }
            (BinaryOp::Subtract, Type::Pointer(_), ty) if ty.is_integer() => {
                return self.offset(left, right, true, place);
            }
            (BinaryOp::Subtract, Type::Pointer(_), Type::Pointer(_)) => {
                return self.difference(left, right, place);
            }
            _ => {}
        }
        if self.is_narrow(op, &left, &right) {
            return unsupported(WIDE, left.ty, place);
        }
        let integers = !matches!(
            op,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
        );
        for operand in [&left, &right] {
            let fits = if integers {
                operand.ty.is_integer()
            } else {
                operand.ty.is_arithmetic()
            };
            if !fits {
                let needed = if integers { "integers" } else { "numbers" };
                self.mismatch(
                    operand,
                    format!("`{}` needs {needed}", crate::print::symbol(op)),
                );
                return unsupported("an operator on the wrong types", Type::INT, place);
            }
        }
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let left = self.promote(left);
            let right = self.promote(right);
            return self.arithmetic(op, left, right, place);
        }
        let (left, right) = self.balance(left, right);
        self.arithmetic(op, left, right, place)
    }

    /// Whether gcc computes this with the bits of a bit-field that is wider than `int`, so that the result would
    /// not be that of the declared type.
    fn is_narrow(&self, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
        let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let wide = |value: &Expr| self.is_wide_bit_field(value);
        let full = |value: &Expr| {
            !wide(value)
                && match &value.ty {
                    Type::Int(ty) => ty.bits >= 64,
                    _ => true,
                }
        };
        match op {
            BinaryOp::ShiftRight => false,
            _ if shift => wide(left),
            BinaryOp::And => false,
            _ => (wide(left) && !full(right)) || (wide(right) && !full(left)),
        }
    }

    /// An operation on numbers whose types fit already.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        place: Span,
    ) -> Expr {
        let ty = left.ty.clone();
        if let Some(value) = fold::binary(op, &left, &right) {
            return int(value, ty, place);
        }
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            span: place,
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: Expr, place: Span) -> Expr {
        if self.is_wide_bit_field(&operand) {
            return unsupported(WIDE, operand.ty, place);
        }
        let ty = operand.ty.clone();
        let kind =
            fold::unary(op, &operand).unwrap_or_else(|| ExprKind::Unary(op, Box::new(operand)));
        Expr {
            kind,
            ty,
            span: place,
        }
    }

    /// `!`
    pub(super) fn not(&mut self, operand: Expr, place: Span) -> Expr {
        let kind = match operand.kind {
            ExprKind::Int(value) => ExprKind::Int(i128::from(value == 0)),
            _ => ExprKind::Not(Box::new(operand)),
        };
        Expr {
            kind,
            ty: Type::INT,
            span: place,
        }
    }

    /// C11 6.5.8, 6.5.9.
    pub(super) fn comparison(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        place: Span,
    ) -> Expr {
        let (left, right) = match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Pointer(_)) => {
                let ty = left.ty.clone();
                let right = self.convert(right, &ty);
                (left, right)
            }
            // Null pointer constants; other integers with gcc's warning.
            (Type::Pointer(_), ty) if ty.is_integer() => {
                let ty = left.ty.clone();
                let right = self.assign_convert(right, &ty, "this comparison");
                (left, right)
            }
            (ty, Type::Pointer(_)) if ty.is_integer() => {
                let ty = right.ty.clone();
                let left = self.assign_convert(left, &ty, "this comparison");
                (left, right)
            }
            (a, b) if a.is_arithmetic() && b.is_arithmetic() => {
                // Comparisons of numbers that are not negative are the same at every width.
                let harmless = |value: &Expr| match &value.kind {
                    ExprKind::Int(constant) => *constant >= 0,
                    _ => self.is_wide_bit_field(value),
                };
                if self.is_narrow(BinaryOp::Subtract, &left, &right)
                    && !(harmless(&left) && harmless(&right))
                {
                    return unsupported(WIDE, Type::INT, place);
                }
                self.balance(left, right)
            }
            (a, _) => {
                let wrong = if a.is_scalar() { &right } else { &left };
                self.mismatch(
                    wrong,
                    "a comparison needs two numbers or two pointers".to_owned(),
                );
                return unsupported("a comparison of the wrong types", Type::INT, place);
            }
        };
        self.compare_values(op, left, right, place)
    }

    /// A comparison of values of the same type.
    pub(super) fn compare_values(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        place: Span,
    ) -> Expr {
        if let Some(value) = fold::compare(op, &left, &right) {
            return int(i128::from(value), Type::INT, place);
        }
        Expr {
            kind: ExprKind::Compare(op, Box::new(left), Box::new(right)),
            ty: Type::INT,
            span: place,
        }
    }

    /// `&&` and `||`: the right operand is evaluated only if the left one does not decide.
    fn logical(
        &mut self,
        and: bool,
        left: &c::Node<c::Expression>,
        right: &c::Node<c::Expression>,
        used: bool,
        place: Span,
    ) -> Expr {
        let left = self.condition(left);
        let (mut effects, right) = self.collect(|this| {
            if used {
                Some(this.condition(right))
            } else {
                this.effect(right);
                None
            }
        });
        let right = match right {
            Some(right) => right,
            None => {
                // Only the effects matter.
                if effects.is_empty() {
                    self.discard_value(left);
                } else {
                    let (then, otherwise) = branches(and, effects);
                    self.emit_if(left, then, otherwise, place);
                }
                return void(place);
            }
        };
        if let ExprKind::Int(constant) = left.kind {
            if (constant != 0) != and {
                return int(i128::from(!and), Type::INT, place);
            }
            self.out.append(&mut effects);
            let mut truth = self.truth(right);
            truth.span = place;
            return truth;
        }
        if effects.is_empty() {
            let kind = if and { ExprKind::And } else { ExprKind::Or };
            return Expr {
                kind: kind(Box::new(left), Box::new(right)),
                ty: Type::INT,
                span: place,
            };
        }
        let result = self.temporary(Type::INT, place);
        let truth = self.truth(right);
        effects.push(crate::ir::Stmt {
            kind: StmtKind::Assign(result.clone(), truth),
            span: place,
        });
        let decided = vec![crate::ir::Stmt {
            kind: StmtKind::Assign(result.clone(), int(i128::from(!and), Type::INT, place)),
            span: place,
        }];
        let (then, otherwise) = if and {
            (effects, decided)
        } else {
            (decided, effects)
        };
        let at = left.span;
        self.emit_if(left, then, otherwise, at);
        read(result)
    }
}

/// The branches of an `If` of which only one does something.
fn branches(
    then: bool,
    effects: Vec<crate::ir::Stmt>,
) -> (Vec<crate::ir::Stmt>, Vec<crate::ir::Stmt>) {
    if then {
        (effects, Vec::new())
    } else {
        (Vec::new(), effects)
    }
}

fn calculated(operator: &c::BinaryOperator) -> Option<BinaryOp> {
    use c::BinaryOperator as Op;
    Some(match operator {
        Op::Multiply => BinaryOp::Multiply,
        Op::Divide => BinaryOp::Divide,
        Op::Modulo => BinaryOp::Remainder,
        Op::Plus => BinaryOp::Add,
        Op::Minus => BinaryOp::Subtract,
        Op::ShiftLeft => BinaryOp::ShiftLeft,
        Op::ShiftRight => BinaryOp::ShiftRight,
        Op::BitwiseAnd => BinaryOp::And,
        Op::BitwiseXor => BinaryOp::Xor,
        Op::BitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

fn compared(operator: &c::BinaryOperator) -> Option<CompareOp> {
    use c::BinaryOperator as Op;
    Some(match operator {
        Op::Less => CompareOp::Less,
        Op::Greater => CompareOp::Greater,
        Op::LessOrEqual => CompareOp::LessEqual,
        Op::GreaterOrEqual => CompareOp::GreaterEqual,
        Op::Equals => CompareOp::Equal,
        Op::NotEquals => CompareOp::NotEqual,
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn assigned(operator: &c::BinaryOperator) -> Option<BinaryOp> {
    use c::BinaryOperator as Op;
    Some(match operator {
        Op::AssignMultiply => BinaryOp::Multiply,
        Op::AssignDivide => BinaryOp::Divide,
        Op::AssignModulo => BinaryOp::Remainder,
        Op::AssignPlus => BinaryOp::Add,
        Op::AssignMinus => BinaryOp::Subtract,
        Op::AssignShiftLeft => BinaryOp::ShiftLeft,
        Op::AssignShiftRight => BinaryOp::ShiftRight,
        Op::AssignBitwiseAnd => BinaryOp::And,
        Op::AssignBitwiseXor => BinaryOp::Xor,
        Op::AssignBitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}
