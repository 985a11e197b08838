//! Operators, with the readings of `/`.

use crate::ast::{self, BinaryOp as Op, Precedence};
use crate::diagnostic::Id;
use crate::hir::{BinaryOp, Expr, ExprKind, NaryOp, Type};
use crate::resolve::message::Message;
use crate::span::Span;

use super::Checker;

/// The operands of a chain: the first one, and the others with their operators.
type Operands = (Expr, Vec<(Op, Span, Expr)>);

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expr(operand);
        match op {
            ast::UnaryOp::Not => {
                self.not_in_trigger("`!`", span);
                self.expect(&operand, &Type::Bool, "the operand of `!`");
                Expr::new(ExprKind::Not(Box::new(operand)), Type::Bool, span)
            }
            ast::UnaryOp::Neg => {
                let mut ty = self.infer.shallow(&operand.ty);
                if self.infer.is_unknown(&ty) && !self.infer.is_numeric_unknown(&ty) {
                    self.infer.unify(&ty, &Type::Int);
                    ty = Type::Int;
                }
                if ty == Type::Error {
                    return Expr::error(span);
                }
                if !ty.is_numeric() && !self.infer.is_unknown(&ty) {
                    let shown = self.show(&ty);
                    self.error(
                        Id::OPERAND_TYPES,
                        format!("`-` cannot be applied to `{shown}`"),
                        span,
                        "a number is needed: int, real or float",
                    );
                    return Expr::error(span);
                }
                Expr::new(ExprKind::Neg(Box::new(operand)), ty, span)
            }
        }
    }

    pub(super) fn chain(&mut self, first: &ast::Expr, rest: &[ast::ChainLink], span: Span) -> Expr {
        let Some(link) = rest.first() else {
            return self.expr(first);
        };
        let operands: Operands = (
            self.expr(first),
            rest.iter()
                .map(|link| (link.op, link.op_span, self.expr(&link.operand)))
                .collect(),
        );
        let mut result = match link.op.precedence() {
            Precedence::Logical => self.logical(link.op, operands, span),
            Precedence::Iff => self.iff(operands),
            Precedence::Implies => self.implies(operands),
            Precedence::Relation => self.relation(operands, span),
            Precedence::Concat => self.concat(operands),
            Precedence::Power => self.power(operands),
            _ => self.arithmetic(operands),
        };
        result.span = span;
        result
    }

    fn not_in_trigger(&mut self, what: &str, span: Span) {
        if self.in_trigger {
            self.error(
                Id::TRIGGER_TERM,
                format!("{what} may not occur in a trigger"),
                span,
                "solvers match triggers against terms, not against formulas",
            );
        }
    }

    fn expect_bool(&mut self, operand: &Expr, op: Op) {
        self.expect(
            operand,
            &Type::Bool,
            &format!("an operand of `{}`", op.text()),
        );
    }

    fn logical(&mut self, op: Op, (first, rest): Operands, span: Span) -> Expr {
        self.not_in_trigger(&format!("`{}`", op.text()), span);
        self.expect_bool(&first, op);
        let mut args = Vec::with_capacity(rest.len() + 1);
        args.push(first);
        for (op, _, operand) in rest {
            self.expect_bool(&operand, op);
            args.push(operand);
        }
        let op = if op == Op::And {
            NaryOp::And
        } else {
            NaryOp::Or
        };
        Expr::new(ExprKind::Nary(op, args), Type::Bool, span)
    }

    fn iff(&mut self, (first, rest): Operands) -> Expr {
        self.expect_bool(&first, Op::Iff);
        let mut result = first;
        for (op, op_span, operand) in rest {
            self.not_in_trigger("`<==>`", op_span);
            self.expect_bool(&operand, op);
            result = binary(BinaryOp::Iff, result, operand, Type::Bool);
        }
        result
    }

    /// `a ==> b ==> c` is `a ==> (b ==> c)`, and `a <== b <== c` is `(a <== b) <== c`.
    fn implies(&mut self, (first, rest): Operands) -> Expr {
        if let Some((op, op_span, _)) = rest.first() {
            self.not_in_trigger(&format!("`{}`", op.text()), *op_span);
            self.expect_bool(&first, *op);
        }
        for (op, _, operand) in &rest {
            self.expect_bool(operand, *op);
        }
        if rest.iter().any(|(op, ..)| *op == Op::Explies) {
            let mut result = first;
            for (_, _, operand) in rest {
                let span = result.span.join(operand.span);
                result = binary(BinaryOp::Implies, operand, result, Type::Bool);
                result.span = span;
            }
            return result;
        }
        let mut operands: Vec<Expr> = std::iter::once(first)
            .chain(rest.into_iter().map(|(.., operand)| operand))
            .collect();
        let Some(mut result) = operands.pop() else {
            return Expr::error(Span::default());
        };
        while let Some(operand) = operands.pop() {
            result = binary(BinaryOp::Implies, operand, result, Type::Bool);
        }
        result
    }

    fn relation(&mut self, (left, rest): Operands, span: Span) -> Expr {
        let mut error = Expr::error(span);
        error.ty = Type::Bool;
        // A chain of comparisons has been reported by the parser.
        let Ok([(op, op_span, right)]) = <[_; 1]>::try_from(rest) else {
            return error;
        };
        let (result, good) = match op {
            Op::Eq | Op::Neq | Op::Subtype => {
                if op == Op::Eq {
                    self.not_in_trigger("`==`", op_span);
                }
                let good = self.infer.unify(&left.ty, &right.ty)
                    || self.infer.may_be_equal(&left.ty, &right.ty);
                let result = match op {
                    Op::Eq => BinaryOp::Eq,
                    Op::Neq => BinaryOp::Neq,
                    _ => BinaryOp::PartialOrder,
                };
                (result, good)
            }
            _ => {
                self.not_in_trigger(&format!("`{}`", op.text()), op_span);
                let result = match op {
                    Op::Less => BinaryOp::Lt,
                    Op::LessEq => BinaryOp::Le,
                    Op::Greater => BinaryOp::Gt,
                    _ => BinaryOp::Ge,
                };
                (result, self.common_number(&left.ty, &right.ty).is_some())
            }
        };
        if !good {
            self.bad_operands(op, op_span, &left, &right);
            return error;
        }
        binary(result, left, right, Type::Bool)
    }

    fn bad_operands(&mut self, op: Op, op_span: Span, left: &Expr, right: &Expr) {
        let (left_text, right_text) = (self.show(&left.ty), self.show(&right.ty));
        let mut message = Message::error(
            Id::OPERAND_TYPES,
            format!(
                "`{}` cannot be applied to `{left_text}` and `{right_text}`",
                op.text()
            ),
            self.place(op_span),
            match op {
                Op::Eq | Op::Neq | Op::Subtype => "both sides must have the same type",
                Op::Concat => "bit-vectors are needed",
                Op::IntDiv | Op::Mod => "ints are needed",
                Op::Pow => "reals are needed",
                _ => "two ints, two reals or two floats are needed",
            },
        )
        .with_label(
            self.place(left.span),
            format!("this is of type `{left_text}`"),
        )
        .with_label(
            self.place(right.span),
            format!("this is of type `{right_text}`"),
        );
        let (left, right) = (self.infer.shallow(&left.ty), self.infer.shallow(&right.ty));
        message.help = match (&left, &right) {
            (Type::BitVec(_), Type::BitVec(_)) if !matches!(op, Op::Eq | Op::Neq) => Some(
                "arithmetic on bit-vectors is done by functions: `function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);`"
                    .into(),
            ),
            (Type::Int, Type::Real) | (Type::Real, Type::Int) => {
                Some("an int becomes a real by `real(e)`; a real literal has a point: `1.0`".into())
            }
            _ => None,
        };
        self.messages.push(message);
    }

    /// The common type of two numbers; `None` if they have none.
    fn common_number(&mut self, left: &Type, right: &Type) -> Option<Type> {
        let left = self.infer.shallow(left);
        let right = self.infer.shallow(right);
        if left == Type::Error {
            return Some(right);
        }
        if right == Type::Error {
            return Some(left);
        }
        let general = |checker: &Self, ty: &Type| {
            checker.infer.is_unknown(ty) && !checker.infer.is_numeric_unknown(ty)
        };
        match (general(self, &left), general(self, &right)) {
            // Boogie takes the int where nothing is known.
            (true, true) => (self.infer.unify(&left, &Type::Int)
                && self.infer.unify(&right, &Type::Int))
            .then_some(Type::Int),
            (true, false) | (false, true) => {
                let known = if general(self, &left) { &right } else { &left };
                let number = known.is_numeric() || self.infer.is_numeric_unknown(known);
                (number && self.infer.unify(&left, &right)).then(|| known.clone())
            }
            (false, false) => {
                let number = left.is_numeric() || self.infer.is_numeric_unknown(&left);
                (number && self.infer.unify(&left, &right)).then_some(left)
            }
        }
    }

    fn concat(&mut self, (first, rest): Operands) -> Expr {
        let mut result = first;
        for (op, op_span, operand) in rest {
            let span = result.span.join(operand.span);
            let widths = (
                self.infer.shallow(&result.ty),
                self.infer.shallow(&operand.ty),
            );
            result = match widths {
                (Type::BitVec(high), Type::BitVec(low)) if high.checked_add(low).is_some() => {
                    Expr::new(
                        ExprKind::Concat(Box::new(result), Box::new(operand)),
                        Type::BitVec(high.saturating_add(low)),
                        span,
                    )
                }
                (Type::Error, _) | (_, Type::Error) => Expr::error(span),
                (Type::BitVec(_), Type::BitVec(_)) => {
                    self.bad_operands(op, op_span, &result, &operand);
                    Expr::error(span)
                }
                (high, low) if self.may_be_bits(&high) && self.may_be_bits(&low) => {
                    let ty = self.concatenation(high, low, op_span);
                    Expr::new(
                        ExprKind::Concat(Box::new(result), Box::new(operand)),
                        ty,
                        span,
                    )
                }
                _ => {
                    self.bad_operands(op, op_span, &result, &operand);
                    Expr::error(span)
                }
            };
        }
        result
    }

    /// `a ** b ** c` is `a ** (b ** c)`.
    fn power(&mut self, (first, rest): Operands) -> Expr {
        let mut operands = vec![(Span::default(), first)];
        operands.extend(
            rest.into_iter()
                .map(|(_, op_span, operand)| (op_span, operand)),
        );
        let Some((mut op_span, mut result)) = operands.pop() else {
            return Expr::error(Span::default());
        };
        while let Some((next_span, operand)) = operands.pop() {
            let good = self.infer.unify(&operand.ty, &Type::Real)
                && self.infer.unify(&result.ty, &Type::Real);
            if !good {
                self.bad_operands(Op::Pow, op_span, &operand, &result);
                return Expr::error(operand.span.join(result.span));
            }
            result = binary(BinaryOp::Pow, operand, result, Type::Real);
            op_span = next_span;
        }
        result
    }

    /// Sums and products, from the left; runs of `+` and of `*` become one node.
    fn arithmetic(&mut self, (first, rest): Operands) -> Expr {
        let mut result = first;
        // Which operator the node in `result` is a growing run of.
        let mut run = None;
        for (op, op_span, operand) in rest {
            let span = result.span.join(operand.span);
            match op {
                Op::Add | Op::Mul => {
                    let Some(ty) = self.common_number(&result.ty, &operand.ty) else {
                        self.bad_operands(op, op_span, &result, &operand);
                        result = Expr::error(span);
                        run = None;
                        continue;
                    };
                    if run == Some(op)
                        && let ExprKind::Nary(_, args) = &mut result.kind
                    {
                        args.push(operand);
                        result.span = span;
                        result.ty = ty;
                    } else {
                        let nary = if op == Op::Add {
                            NaryOp::Add
                        } else {
                            NaryOp::Mul
                        };
                        result = Expr::new(ExprKind::Nary(nary, vec![result, operand]), ty, span);
                        run = Some(op);
                    }
                    continue;
                }
                Op::Sub => {
                    result = match self.common_number(&result.ty, &operand.ty) {
                        Some(ty) => binary(BinaryOp::Sub, result, operand, ty),
                        None => {
                            self.bad_operands(op, op_span, &result, &operand);
                            Expr::error(span)
                        }
                    };
                }
                Op::Div => result = self.divide(result, op_span, operand),
                _ => {
                    let good = self.infer.unify(&result.ty, &Type::Int)
                        && self.infer.unify(&operand.ty, &Type::Int);
                    if !good {
                        self.bad_operands(op, op_span, &result, &operand);
                    }
                    let node = if op == Op::IntDiv {
                        BinaryOp::IntDiv
                    } else {
                        BinaryOp::IntMod
                    };
                    result = if good {
                        binary(node, result, operand, Type::Int)
                    } else {
                        Expr::error(span)
                    };
                }
            }
            run = None;
        }
        result
    }

    /// `left / right`: of floats, of reals, or of ints with a result that the context decides. In the last case the
    /// node is a [`BinaryOp::RealDiv`] until [`Checker::finish`].
    fn divide(&mut self, left: Expr, op_span: Span, right: Expr) -> Expr {
        let mut types = [self.infer.shallow(&left.ty), self.infer.shallow(&right.ty)];
        for ty in &mut types {
            if self.infer.is_unknown(ty) && !self.infer.is_numeric_unknown(ty) {
                self.infer.unify(ty, &Type::Int);
                *ty = Type::Int;
            }
        }
        let [left_type, right_type] = &types;
        let intish =
            |checker: &Self, ty: &Type| *ty == Type::Int || checker.infer.is_numeric_unknown(ty);
        let span = left.span.join(right.span);
        if *left_type == Type::Error || *right_type == Type::Error {
            return Expr::error(span);
        }
        if matches!(left_type, Type::Float { .. }) && left_type == right_type {
            return binary(BinaryOp::FloatDiv, left, right, types[0].clone());
        }
        if intish(self, left_type) && intish(self, right_type) {
            let ty = self.infer.fresh_division([left_type, right_type], op_span);
            return binary(BinaryOp::RealDiv, left, right, ty);
        }
        let realish = |checker: &Self, ty: &Type| *ty == Type::Real || intish(checker, ty);
        if realish(self, left_type) && realish(self, right_type) {
            return binary(BinaryOp::RealDiv, left, right, Type::Real);
        }
        self.bad_operands(Op::Div, op_span, &left, &right);
        Expr::error(span)
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, ty: Type) -> Expr {
    let span = left.span.join(right.span);
    Expr::new(
        ExprKind::Binary(op, Box::new(left), Box::new(right)),
        ty,
        span,
    )
}
