//! An assignment whose right side changes the same object, without a sequence point between both changes (C11 6.5p2 and
//! 6.5.16p3).

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{Base, CompareOp, Expr, ExprKind, Place, Step, Stmt, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::Type;
use crate::undefined::Undefined;

use super::Elaborator;
use super::order::PERHAPS;
use super::scope::Binding;

/// What is undefined.
const TWICE: &str = "side effects on one object without an order";

/// Where two scalars are the same object.
enum Same {
    Nowhere,
    Always,
    /// Where this differs from zero.
    Where(Expr),
    Unknown,
}

impl Elaborator {
    /// An assignment to an object, whose statements are those from `start` on, the last `count` of them those of its right side
    /// if that has no sequence points. They change nothing that leads to the object.
    pub(super) fn assigned_twice(
        &mut self,
        (left, object): (&Node<c::Expression>, &Place),
        right: &Node<c::Expression>,
        (start, count): (usize, usize),
        place: Span,
    ) {
        if self.function.is_none() || self.unevaluated > 0 {
            return;
        }
        let c::Expression::Identifier(name) = &left.node else {
            return self.part_assigned_twice(object, right, (start, count), place);
        };
        let is_it = |node: &Node<c::Expression>| super::selection::is_name(node, &name.node.name);
        if changes(right, &is_it, true)
            && let Some(Binding::Variable(id)) = self.lookup(&name.node.name)
        {
            let id = *id;
            match changes(right, &is_it, false) {
                true => self.clash(id, place),
                false => self.unsequenced(PERHAPS, false, place),
            }
        }
    }

    /// The same for what is not just a variable.
    fn part_assigned_twice(
        &mut self,
        object: &Place,
        right: &Node<c::Expression>,
        (start, count): (usize, usize),
        place: Span,
    ) {
        let all = |_: &Node<c::Expression>| true;
        let is_plain = is_plain(right);
        let mark = match is_plain {
            true => self.out.len().saturating_sub(count),
            false => start,
        };
        if !object.ty.is_scalar()
            || !changes(right, &all, true)
            || !self.may_be_written(object, mark)
        {
            return;
        }
        let is_exact = is_plain && !self.is_order_assumed();
        let Some(writes) = self.plain_writes(mark).filter(|_| is_exact) else {
            return self.unsequenced(PERHAPS, false, place);
        };
        // From the last one on: what is inserted moves those after it.
        for (number, written) in writes.into_iter().rev() {
            let words = |words: &str, certain| StmtKind::Undefined {
                what: Undefined::Order,
                words: words.to_owned(),
                certain,
            };
            let kind = match self.same_object(object, &written) {
                Same::Nowhere => continue,
                Same::Always => words(TWICE, true),
                Same::Where(condition) => {
                    let span = place;
                    let kind = words(TWICE, true);
                    StmtKind::If(condition, vec![Stmt { kind, span }], Vec::new())
                }
                Same::Unknown => words(PERHAPS, false),
            };
            self.out.insert(number, Stmt { kind, span: place });
        }
    }

    /// The writes from `mark` on, except to temporaries: the number of each statement, and its place. Nothing if a statement is
    /// more than a write or an evaluation.
    fn plain_writes(&self, mark: usize) -> Option<Vec<(usize, Place)>> {
        let mut writes = Vec::new();
        for (number, statement) in self.out.iter().enumerate().skip(mark) {
            match &statement.kind {
                StmtKind::Assign(place, _) => match place.base {
                    Base::Variable(id) if self.is_temporary(id) => {}
                    _ => writes.push((number, place.clone())),
                },
                StmtKind::Evaluate(_) | StmtKind::Declare(_) | StmtKind::Undefined { .. } => {}
                _ => return None,
            }
        }
        Some(writes)
    }

    fn same_object(&mut self, a: &Place, b: &Place) -> Same {
        match (&a.base, &b.base) {
            (Base::Variable(x), Base::Variable(y)) if x != y => Same::Nowhere,
            (Base::Variable(_), Base::Variable(_)) => self.same_part(a, b),
            _ if [a, b].map(|place| self.program.bit_field(place)) != [None, None] => Same::Unknown,
            _ => {
                if self.layout().size(&a.ty) != self.layout().size(&b.ty) {
                    return Same::Unknown;
                }
                let [left, right] = [a, b].map(|place| self.address(place.clone()));
                Same::Where(self.compare_values(CompareOp::Equal, left, right, a.span))
            }
        }
    }

    /// Of parts of one variable.
    fn same_part(&mut self, a: &Place, b: &Place) -> Same {
        if a.path.len() != b.path.len() {
            return Same::Unknown;
        }
        let mut conditions = Vec::new();
        for steps in a.path.iter().zip(&b.path) {
            match steps {
                (Step::Field(record, _), _) if self.program.record(*record).union => {
                    return Same::Unknown;
                }
                (Step::Field(_, x), Step::Field(_, y)) if x == y => {}
                (Step::Field(..), Step::Field(..)) => return Same::Nowhere,
                (Step::Index(x), Step::Index(y)) => match (&x.kind, &y.kind) {
                    (ExprKind::Int(x), ExprKind::Int(y)) if x == y => {}
                    (ExprKind::Int(_), ExprKind::Int(_)) => return Same::Nowhere,
                    _ if x.ty == y.ty => {
                        let (x, y) = (x.clone(), y.clone());
                        conditions.push(self.compare_values(CompareOp::Equal, x, y, a.span));
                    }
                    _ => return Same::Unknown,
                },
                _ => return Same::Unknown,
            }
        }
        let both = |a: Expr, b: Expr| Expr {
            ty: Type::INT,
            span: a.span,
            kind: ExprKind::And(Box::new(a), Box::new(b)),
        };
        conditions
            .into_iter()
            .reduce(both)
            .map_or(Same::Always, Same::Where)
    }
}

/// Whether evaluating the expression changes an object without a sequence point between that and its value; also where it
/// depends on a condition, or for sure.
fn changes(
    node: &Node<c::Expression>,
    is_it: &dyn Fn(&Node<c::Expression>) -> bool,
    perhaps: bool,
) -> bool {
    let changes = |node| changes(node, is_it, perhaps);
    ensure_stack(|| match &node.node {
        c::Expression::UnaryOperator(operation) => {
            use c::UnaryOperator as Op;
            let step = matches!(
                operation.node.operator.node,
                Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement
            );
            (step && is_it(&operation.node.operand)) || changes(&operation.node.operand)
        }
        c::Expression::BinaryOperator(operation) => {
            use c::BinaryOperator as Op;
            let (left, right) = (&operation.node.lhs, &operation.node.rhs);
            match operation.node.operator.node {
                Op::LogicalAnd | Op::LogicalOr => perhaps && changes(right),
                Op::Assign
                | Op::AssignMultiply
                | Op::AssignDivide
                | Op::AssignModulo
                | Op::AssignPlus
                | Op::AssignMinus
                | Op::AssignShiftLeft
                | Op::AssignShiftRight
                | Op::AssignBitwiseAnd
                | Op::AssignBitwiseXor
                | Op::AssignBitwiseOr => is_it(left) || changes(left) || changes(right),
                _ => changes(left) || changes(right),
            }
        }
        c::Expression::Cast(cast) => changes(&cast.node.expression),
        c::Expression::Conditional(conditional) => {
            perhaps
                && (conditional
                    .node
                    .then_expression
                    .as_deref()
                    .is_some_and(changes)
                    || changes(&conditional.node.else_expression))
        }
        c::Expression::Comma(list) => list.last().is_some_and(changes),
        c::Expression::Member(member) => changes(&member.node.expression),
        _ => false,
    })
}

/// Whether the expression has no sequence point in it, so that all of its side effects may come last.
fn is_plain(node: &Node<c::Expression>) -> bool {
    ensure_stack(|| match &node.node {
        c::Expression::Identifier(_)
        | c::Expression::Constant(_)
        | c::Expression::StringLiteral(_)
        | c::Expression::SizeOfTy(_)
        | c::Expression::SizeOfVal(_) => true,
        c::Expression::Member(member) => is_plain(&member.node.expression),
        c::Expression::UnaryOperator(operation) => is_plain(&operation.node.operand),
        c::Expression::Cast(cast) => is_plain(&cast.node.expression),
        c::Expression::BinaryOperator(operation) => {
            use c::BinaryOperator::{LogicalAnd, LogicalOr};
            !matches!(operation.node.operator.node, LogicalAnd | LogicalOr)
                && is_plain(&operation.node.lhs)
                && is_plain(&operation.node.rhs)
        }
        _ => false,
    })
}
