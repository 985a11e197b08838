//! Expressions (C11 6.5).

use super::number::number;
use super::parser::{Mistake, Parse, Parser};
use super::token::Kind;
use super::wanted::What;
use crate::source::ASSERTION;
use crate::syntax::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, CompoundLiteral,
    ConditionalExpression, Constant, Expression, GenericAssociation, GenericAssociationType,
    GenericSelection, MemberExpression, MemberOperator, Node, OffsetDesignator, OffsetMember,
    OffsetOfExpression, StringLiteral, UnaryOperator, UnaryOperatorExpression, VaArgExpression,
};
use ult_lang::diagnostic::{Diagnostic, Id};

type Expr = Node<Expression>;

/// How tight operators bind: the loosest level that is read by one call.
const LOOSEST: u8 = 1;

/// The operator and how tight it binds.
fn binary_operator(kind: Kind) -> Option<(BinaryOperator, u8)> {
    Some(match kind {
        Kind::OrOr => (BinaryOperator::LogicalOr, 1),
        Kind::AndAnd => (BinaryOperator::LogicalAnd, 2),
        Kind::Bar => (BinaryOperator::BitwiseOr, 3),
        Kind::Caret => (BinaryOperator::BitwiseXor, 4),
        Kind::And => (BinaryOperator::BitwiseAnd, 5),
        Kind::Equals => (BinaryOperator::Equals, 6),
        Kind::NotEquals => (BinaryOperator::NotEquals, 6),
        Kind::Less => (BinaryOperator::Less, 7),
        Kind::Greater => (BinaryOperator::Greater, 7),
        Kind::LessOrEqual => (BinaryOperator::LessOrEqual, 7),
        Kind::GreaterOrEqual => (BinaryOperator::GreaterOrEqual, 7),
        Kind::ShiftLeft => (BinaryOperator::ShiftLeft, 8),
        Kind::ShiftRight => (BinaryOperator::ShiftRight, 8),
        Kind::Plus => (BinaryOperator::Plus, 9),
        Kind::Minus => (BinaryOperator::Minus, 9),
        Kind::Star => (BinaryOperator::Multiply, 10),
        Kind::Slash => (BinaryOperator::Divide, 10),
        Kind::Percent => (BinaryOperator::Modulo, 10),
        _ => return None,
    })
}

fn assignment_operator(kind: Kind) -> Option<BinaryOperator> {
    Some(match kind {
        Kind::Assign => BinaryOperator::Assign,
        Kind::AssignMultiply => BinaryOperator::AssignMultiply,
        Kind::AssignDivide => BinaryOperator::AssignDivide,
        Kind::AssignModulo => BinaryOperator::AssignModulo,
        Kind::AssignPlus => BinaryOperator::AssignPlus,
        Kind::AssignMinus => BinaryOperator::AssignMinus,
        Kind::AssignShiftLeft => BinaryOperator::AssignShiftLeft,
        Kind::AssignShiftRight => BinaryOperator::AssignShiftRight,
        Kind::AssignAnd => BinaryOperator::AssignBitwiseAnd,
        Kind::AssignXor => BinaryOperator::AssignBitwiseXor,
        Kind::AssignOr => BinaryOperator::AssignBitwiseOr,
        _ => return None,
    })
}

fn prefix_operator(kind: Kind) -> Option<UnaryOperator> {
    Some(match kind {
        Kind::And => UnaryOperator::Address,
        Kind::Star => UnaryOperator::Indirection,
        Kind::Plus => UnaryOperator::Plus,
        Kind::Minus => UnaryOperator::Minus,
        Kind::Tilde => UnaryOperator::Complement,
        Kind::Not => UnaryOperator::Negate,
        Kind::Increment => UnaryOperator::PreIncrement,
        Kind::Decrement => UnaryOperator::PreDecrement,
        Kind::Real => UnaryOperator::Real,
        Kind::Imag => UnaryOperator::Imaginary,
        _ => return None,
    })
}

fn binary(operator: Node<BinaryOperator>, lhs: Expr, rhs: Expr) -> Expr {
    let span = lhs.span.join(rhs.span);
    let node = BinaryOperatorExpression {
        operator,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    Node::new(
        Expression::BinaryOperator(Box::new(Node::new(node, span))),
        span,
    )
}

impl Parser<'_> {
    /// 6.5.17
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.deeper(|this| {
            let first = this.implication()?;
            if !this.at(Kind::Comma) {
                this.wanted.token(Kind::Comma);
                return Ok(first);
            }
            let start = first.span.start;
            let mut list = vec![first];
            while this.eat(Kind::Comma) {
                list.push(this.assignment()?);
            }
            Ok(this.node(start, Expression::Comma(Box::new(list))))
        })
    }

    /// `a ==> b` of assertions in comments (ACSL): `!a || b`.
    fn implication(&mut self) -> Parse<Expr> {
        let premise = self.assignment()?;
        if !self.implies || !self.at(Kind::Implies) {
            return Ok(premise);
        }
        let operator = self.next().span;
        let conclusion = self.deeper(Parser::implication)?;
        let span = premise.span;
        let denied = UnaryOperatorExpression {
            operator: Node::new(UnaryOperator::Negate, span),
            operand: Box::new(premise),
        };
        let denied = Expression::UnaryOperator(Box::new(Node::new(denied, span)));
        let operator = Node::new(BinaryOperator::LogicalOr, operator);
        Ok(binary(operator, Node::new(denied, span), conclusion))
    }

    /// 6.5.16. What may be assigned to is a question of types.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        let left = self.conditional()?;
        let Some(operator) = assignment_operator(self.kind()) else {
            self.wanted.add(What::Operator);
            return Ok(left);
        };
        let place = self.next().span;
        let right = self.deeper(Parser::assignment)?;
        Ok(binary(Node::new(operator, place), left, right))
    }

    /// 6.5.15
    pub(super) fn conditional(&mut self) -> Parse<Expr> {
        let condition = self.operators(LOOSEST)?;
        if !self.at(Kind::Question) {
            self.wanted.add(What::Operator);
            return Ok(condition);
        }
        self.next();
        let then_expression = match self.at(Kind::Colon) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Kind::Colon)?;
        let else_expression = Box::new(self.deeper(Parser::conditional)?);
        let start = condition.span.start;
        let node = ConditionalExpression {
            condition: Box::new(condition),
            then_expression,
            else_expression,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Expression::Conditional(Box::new(node))))
    }

    /// 6.5.5 to 6.5.14: operators that bind at least so tight.
    fn operators(&mut self, tightness: u8) -> Parse<Expr> {
        let mut left = self.cast()?;
        let mut count = 0;
        while let Some((operator, own)) =
            binary_operator(self.kind()).filter(|(_, own)| *own >= tightness)
        {
            let place = self.next().span;
            let right = self.operators(own + 1)?;
            left = binary(Node::new(operator, place), left, right);
            count += 1;
            self.chain(count)?;
        }
        self.wanted.add(What::Operator);
        Ok(left)
    }

    /// 6.5.4
    fn cast(&mut self) -> Parse<Expr> {
        if !self.at(Kind::OpenParen) || !self.type_begins(1) {
            return self.unary();
        }
        self.deeper(|this| {
            let start = this.span().start;
            this.next();
            let type_name = this.type_name()?;
            this.expect(Kind::CloseParen)?;
            if this.at(Kind::OpenBrace) {
                let literal = this.compound_literal(start, type_name)?;
                return this.postfix(literal);
            }
            let expression = Box::new(this.cast()?);
            let node = CastExpression {
                type_name,
                expression,
            };
            let node = this.node(start, node);
            Ok(this.node(start, Expression::Cast(Box::new(node))))
        })
    }

    /// 6.5.3
    fn unary(&mut self) -> Parse<Expr> {
        let start = self.span().start;
        if let Some(operator) = prefix_operator(self.kind()) {
            return self.deeper(|this| {
                let operator = Node::new(operator, this.next().span);
                let operand = match operator.node {
                    UnaryOperator::PreIncrement | UnaryOperator::PreDecrement => this.unary()?,
                    _ => this.cast()?,
                };
                Ok(this.unary_operation(start, operator, operand))
            });
        }
        match self.kind() {
            Kind::AndAnd => {
                self.next();
                let label = self.identifier()?;
                if !self
                    .label_addresses
                    .iter()
                    .any(|known| known.node == label.node)
                {
                    self.label_addresses.push(label.clone());
                }
                Ok(self.node(start, Expression::LabelAddress(Box::new(label))))
            }
            Kind::Extension => self.deeper(|this| {
                this.next();
                this.cast()
            }),
            Kind::Sizeof | Kind::Alignof | Kind::PreferredAlignof => {
                self.deeper(|this| this.question(start))
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    fn unary_operation(&self, start: u32, operator: Node<UnaryOperator>, operand: Expr) -> Expr {
        let node = UnaryOperatorExpression {
            operator,
            operand: Box::new(operand),
        };
        let node = self.node(start, node);
        self.node(start, Expression::UnaryOperator(Box::new(node)))
    }

    /// `sizeof` and the like, of a type or an expression.
    fn question(&mut self, start: u32) -> Parse<Expr> {
        let word = self.next().kind;
        if self.at(Kind::OpenParen) && self.type_begins(1) {
            let open = self.next().span.start;
            let type_name = self.type_name()?;
            self.expect(Kind::CloseParen)?;
            if !self.at(Kind::OpenBrace) {
                let type_name = Box::new(type_name);
                let node = match word {
                    Kind::Sizeof => Expression::SizeOfTy(type_name),
                    Kind::Alignof => Expression::AlignOf(type_name),
                    _ => Expression::PreferredAlignOf(type_name),
                };
                return Ok(self.node(start, node));
            }
            let literal = self.compound_literal(open, type_name)?;
            let value = Box::new(self.postfix(literal)?);
            return Ok(self.node(start, about(word, value)));
        }
        let value = Box::new(self.unary()?);
        Ok(self.node(start, about(word, value)))
    }

    fn compound_literal(
        &mut self,
        start: u32,
        type_name: Node<crate::syntax::TypeName>,
    ) -> Parse<Expr> {
        let initializer_list = self.initializer_list()?;
        let node = CompoundLiteral {
            type_name,
            initializer_list,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Expression::CompoundLiteral(Box::new(node))))
    }

    /// What follows an operand (6.5.2).
    fn postfix(&mut self, mut left: Expr) -> Parse<Expr> {
        let start = left.span.start;
        let mut count = 0;
        loop {
            let token = self.span();
            left = match self.kind() {
                Kind::OpenBracket => {
                    self.next();
                    let index = self.expression()?;
                    self.expect(Kind::CloseBracket)?;
                    let node = BinaryOperatorExpression {
                        operator: Node::new(BinaryOperator::Index, self.since(token.start)),
                        lhs: Box::new(left),
                        rhs: Box::new(index),
                    };
                    let node = self.node(start, node);
                    self.node(start, Expression::BinaryOperator(Box::new(node)))
                }
                Kind::OpenParen => self.call(start, left)?,
                Kind::Dot | Kind::Arrow => {
                    let operator = match self.next().kind {
                        Kind::Dot => MemberOperator::Direct,
                        _ => MemberOperator::Indirect,
                    };
                    let node = MemberExpression {
                        operator: Node::new(operator, token),
                        expression: Box::new(left),
                        identifier: self.identifier()?,
                    };
                    let node = self.node(start, node);
                    self.node(start, Expression::Member(Box::new(node)))
                }
                Kind::Increment | Kind::Decrement => {
                    let operator = match self.next().kind {
                        Kind::Increment => UnaryOperator::PostIncrement,
                        _ => UnaryOperator::PostDecrement,
                    };
                    self.unary_operation(start, Node::new(operator, token), left)
                }
                _ => {
                    self.wanted.add(What::Operator);
                    return Ok(left);
                }
            };
            count += 1;
            self.chain(count)?;
        }
    }

    fn call(&mut self, start: u32, callee: Expr) -> Parse<Expr> {
        let is_assertion =
            matches!(&callee.node, Expression::Identifier(name) if name.node.name == ASSERTION);
        self.next();
        let mut arguments = Vec::new();
        if !self.at(Kind::CloseParen) {
            loop {
                let outer = std::mem::replace(&mut self.implies, is_assertion);
                let argument = self.deeper(Parser::implication);
                self.implies = outer;
                arguments.push(argument?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        self.expect(Kind::CloseParen)?;
        let node = CallExpression {
            callee: Box::new(callee),
            arguments,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Expression::Call(Box::new(node))))
    }

    /// 6.5.1
    fn primary(&mut self) -> Parse<Expr> {
        let start = self.span().start;
        let token = self.token(self.position());
        Ok(match token.kind {
            Kind::Identifier if !self.is_type_name(token) => {
                let name = Box::new(self.identifier()?);
                self.node(start, Expression::Identifier(name))
            }
            Kind::Number => {
                let text = &self.text[token.span.range()];
                let constant = number(text).or_else(|| {
                    self.diagnostics.push(Diagnostic::error(
                        Id::C_SYNTAX,
                        format!("`{text}` is not a number"),
                        token.span,
                        "digits or a suffix that do not exist",
                    ));
                    number("0")
                });
                let constant = constant.ok_or(Mistake)?;
                self.next();
                let constant = self.node(start, constant);
                self.node(start, Expression::Constant(Box::new(constant)))
            }
            Kind::Character => {
                let text = self.text[token.span.range()].to_owned();
                self.next();
                let constant = self.node(start, Constant::Character(text));
                self.node(start, Expression::Constant(Box::new(constant)))
            }
            Kind::String => {
                let strings = self.strings()?;
                self.node(start, Expression::StringLiteral(Box::new(strings)))
            }
            Kind::OpenParen if self.ahead(1) == Kind::OpenBrace => {
                self.next();
                let statement = self.deeper(Parser::compound_statement)?;
                self.expect(Kind::CloseParen)?;
                self.node(start, Expression::Statement(Box::new(statement)))
            }
            Kind::OpenParen => {
                self.next();
                let inner = self.expression()?;
                self.expect(Kind::CloseParen)?;
                self.node(start, inner.node)
            }
            Kind::Generic => self.generic_selection(start)?,
            Kind::OffsetOf => self.offset_of(start)?,
            Kind::VaArg => {
                self.next();
                self.expect(Kind::OpenParen)?;
                let va_list = Box::new(self.deeper(Parser::assignment)?);
                self.expect(Kind::Comma)?;
                let type_name = self.type_name()?;
                self.expect(Kind::CloseParen)?;
                let node = self.node(start, VaArgExpression { va_list, type_name });
                self.node(start, Expression::VaArg(Box::new(node)))
            }
            Kind::TypesCompatible => {
                self.next();
                self.expect(Kind::OpenParen)?;
                let first = self.type_name()?;
                self.expect(Kind::Comma)?;
                let second = self.type_name()?;
                self.expect(Kind::CloseParen)?;
                self.node(
                    start,
                    Expression::TypesCompatible(Box::new((first, second))),
                )
            }
            _ => return self.missing(What::Expression),
        })
    }

    /// String literals side by side.
    pub(super) fn strings(&mut self) -> Parse<Node<StringLiteral>> {
        let start = self.span().start;
        if !self.at(Kind::String) {
            return Err(Mistake);
        }
        let mut parts = Vec::new();
        while self.at(Kind::String) {
            let token = self.next();
            parts.push(self.text[token.span.range()].to_owned());
        }
        self.wanted.add(What::Operator);
        Ok(self.node(start, parts))
    }

    fn generic_selection(&mut self, start: u32) -> Parse<Expr> {
        self.next();
        self.expect(Kind::OpenParen)?;
        let expression = Box::new(self.deeper(Parser::assignment)?);
        let mut associations = Vec::new();
        while self.eat(Kind::Comma) {
            let begin = self.span().start;
            let association = if self.eat(Kind::Default) {
                self.expect(Kind::Colon)?;
                GenericAssociation::Default(Box::new(self.deeper(Parser::assignment)?))
            } else {
                let type_name = self.type_name()?;
                self.expect(Kind::Colon)?;
                let expression = Box::new(self.deeper(Parser::assignment)?);
                let node = GenericAssociationType {
                    type_name,
                    expression,
                };
                GenericAssociation::Type(self.node(begin, node))
            };
            associations.push(self.node(begin, association));
        }
        self.expect(Kind::CloseParen)?;
        let node = GenericSelection {
            expression,
            associations,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Expression::GenericSelection(Box::new(node))))
    }

    fn offset_of(&mut self, start: u32) -> Parse<Expr> {
        self.next();
        self.expect(Kind::OpenParen)?;
        let type_name = self.type_name()?;
        self.expect(Kind::Comma)?;
        let first = self.span().start;
        let base = self.identifier()?;
        let mut members = Vec::new();
        loop {
            let begin = self.span().start;
            let member = if self.eat(Kind::Dot) {
                OffsetMember::Member(self.identifier()?)
            } else if self.eat(Kind::Arrow) {
                OffsetMember::IndirectMember(self.identifier()?)
            } else if self.eat(Kind::OpenBracket) {
                let index = self.expression()?;
                self.expect(Kind::CloseBracket)?;
                OffsetMember::Index(index)
            } else {
                break;
            };
            members.push(self.node(begin, member));
        }
        let designator = self.node(first, OffsetDesignator { base, members });
        self.expect(Kind::CloseParen)?;
        let node = OffsetOfExpression {
            type_name,
            designator,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Expression::OffsetOf(Box::new(node))))
    }
}

/// A question about an expression.
fn about(word: Kind, value: Box<Expr>) -> Expression {
    match word {
        Kind::Sizeof => Expression::SizeOfVal(value),
        // gcc takes an expression here, too (6.5.3 has only types).
        _ => Expression::PreferredAlignOfVal(value),
    }
}
