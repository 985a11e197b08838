//! `==>` of assertions in comments: `a ==> b` was made the arguments or the comma expression `a, b`, for its precedence,
//! and becomes `!a || b` in the tree.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, CallExpression, Expression,
    ExternalDeclaration, Statement, TranslationUnit, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;

use crate::source::ASSERTION;

/// Expands the implications in all assertions.
pub(super) fn expand(unit: &mut TranslationUnit) {
    for declaration in &mut unit.0 {
        if let ExternalDeclaration::FunctionDefinition(function) = &mut declaration.node {
            statement(&mut function.node.statement.node);
        }
    }
}

fn statement(at: &mut Statement) {
    match at {
        Statement::Labeled(labeled) => statement(&mut labeled.node.statement.node),
        Statement::Compound(items) => {
            for item in items {
                if let BlockItem::Statement(inner) = &mut item.node {
                    statement(&mut inner.node);
                }
            }
        }
        Statement::If(branch) => {
            statement(&mut branch.node.then_statement.node);
            if let Some(other) = &mut branch.node.else_statement {
                statement(&mut other.node);
            }
        }
        Statement::Switch(switch) => statement(&mut switch.node.statement.node),
        Statement::While(repeat) => statement(&mut repeat.node.statement.node),
        Statement::DoWhile(repeat) => statement(&mut repeat.node.statement.node),
        Statement::For(repeat) => statement(&mut repeat.node.statement.node),
        Statement::Expression(Some(expression)) => {
            if let Expression::Call(call) = &mut expression.node
                && let Expression::Identifier(name) = &call.node.callee.node
                && name.node.name == ASSERTION
            {
                assertion(&mut call.node);
            }
        }
        _ => {}
    }
}

fn assertion(call: &mut CallExpression) {
    let mut parts = std::mem::take(&mut call.arguments);
    for part in &mut parts {
        inner(part);
    }
    call.arguments.extend(implied(parts));
}

/// `a, b, c` stands for `a ==> (b ==> c)`.
fn implied(mut parts: Vec<Node<Expression>>) -> Option<Node<Expression>> {
    let mut result = parts.pop()?;
    while let Some(premise) = parts.pop() {
        let span = premise.span;
        let whole = lang_c::span::Span::span(span.start, result.span.end);
        let denied = Expression::UnaryOperator(Box::new(Node::new(
            UnaryOperatorExpression {
                operator: Node::new(UnaryOperator::Negate, span),
                operand: Box::new(premise),
            },
            span,
        )));
        let either = BinaryOperatorExpression {
            operator: Node::new(BinaryOperator::LogicalOr, whole),
            lhs: Box::new(Node::new(denied, span)),
            rhs: Box::new(result),
        };
        result = Node::new(
            Expression::BinaryOperator(Box::new(Node::new(either, whole))),
            whole,
        );
    }
    Some(result)
}

/// The expressions that assertions may consist of.
fn inner(at: &mut Node<Expression>) {
    match &mut at.node {
        Expression::Comma(parts) => {
            let mut parts = std::mem::take(&mut **parts);
            for part in &mut parts {
                inner(part);
            }
            if let Some(implied) = implied(parts) {
                *at = implied;
            }
        }
        Expression::UnaryOperator(unary) => inner(&mut unary.node.operand),
        Expression::BinaryOperator(binary) => {
            inner(&mut binary.node.lhs);
            inner(&mut binary.node.rhs);
        }
        Expression::Conditional(choice) => {
            inner(&mut choice.node.condition);
            inner(&mut choice.node.then_expression);
            inner(&mut choice.node.else_expression);
        }
        Expression::Cast(cast) => inner(&mut cast.node.expression),
        Expression::Member(member) => inner(&mut member.node.expression),
        Expression::SizeOfVal(size) => inner(&mut size.node.0),
        _ => {}
    }
}
