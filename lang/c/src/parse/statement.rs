//! Statements (C11 6.8) and gcc's inline assembly.

use super::parser::{Parse, Parser};
use super::token::Kind;
use super::wanted::What;
use crate::syntax::{
    AsmOperand, AsmStatement, BlockItem, CaseRange, DoWhileStatement, Expression,
    ExternalDeclaration, ForInitializer, ForStatement, IfStatement, Label, LabeledStatement, Node,
    Statement, SwitchStatement, WhileStatement,
};
use ult_lang::span::Span;

impl Parser<'_> {
    /// 6.8.2
    pub(super) fn compound_statement(&mut self) -> Parse<Node<Statement>> {
        let start = self.span().start;
        self.expect(Kind::OpenBrace)?;
        self.names.open();
        let mut items = Vec::new();
        while !self.eat(Kind::CloseBrace) {
            let item = self.block_item()?;
            items.push(item);
        }
        self.names.close();
        Ok(self.node(start, Statement::Compound(items)))
    }

    fn local_labels(&mut self) -> Parse<BlockItem> {
        self.next();
        let mut labels = vec![self.identifier()?];
        while self.eat(Kind::Comma) {
            labels.push(self.identifier()?);
        }
        self.expect(Kind::Semicolon)?;
        Ok(BlockItem::LocalLabels(labels))
    }

    fn block_item(&mut self) -> Parse<Node<BlockItem>> {
        let start = self.span().start;
        if self.at(Kind::LocalLabel) {
            let labels = self.local_labels()?;
            return Ok(self.node(start, labels));
        }
        if self.at(Kind::StaticAssert) || self.item_is_declaration() {
            let item = match self.deeper(Parser::external_declaration)?.node {
                ExternalDeclaration::Declaration(node) => BlockItem::Declaration(node),
                ExternalDeclaration::StaticAssert(node) => BlockItem::StaticAssert(node),
                ExternalDeclaration::FunctionDefinition(node) => BlockItem::Function(node),
            };
            return Ok(self.node(start, item));
        }
        self.wanted.add(What::Type);
        let statement = self.statement()?;
        Ok(self.node(start, BlockItem::Statement(statement)))
    }

    /// Whether a declaration begins here. A name before a colon is a label.
    fn item_is_declaration(&self) -> bool {
        let mut at = self.position();
        // `__extension__` and attributes may stand before, of declarations and of statements.
        loop {
            match self.token(at).kind {
                Kind::Extension => at += 1,
                Kind::Attribute => at = self.behind_brackets(at + 1),
                Kind::OpenBracket if self.token(at + 1).kind == Kind::OpenBracket => {
                    at = self.behind_brackets(at);
                }
                _ => break,
            }
        }
        let token = self.token(at);
        let is_label = token.kind == Kind::Identifier && self.token(at + 1).kind == Kind::Colon;
        !is_label && self.begins_declaration(token)
    }

    /// The number of the token after the bracket that closes the one here.
    fn behind_brackets(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = open;
        loop {
            match self.token(at).kind {
                Kind::OpenParen | Kind::OpenBracket => depth += 1,
                Kind::CloseParen | Kind::CloseBracket => depth = depth.saturating_sub(1),
                Kind::End => return at,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return at;
            }
        }
    }

    pub(super) fn statement(&mut self) -> Parse<Node<Statement>> {
        self.deeper(Parser::read_statement)
    }

    fn read_statement(&mut self) -> Parse<Node<Statement>> {
        let start = self.span().start;
        let statement = match self.kind() {
            Kind::OpenBrace => return self.compound_statement(),
            Kind::Attribute | Kind::OpenBracket
                if self.at(Kind::Attribute) || self.ahead(1) == Kind::OpenBracket =>
            {
                let place = self.span();
                let extensions = self.extensions()?;
                self.refuse_attributes(&extensions, place);
                return self.read_statement();
            }
            Kind::Identifier if self.ahead(1) == Kind::Colon => {
                let name = self.identifier()?;
                let label = Node::new(Label::Identifier(name), self.since(start));
                return self.labeled(label);
            }
            Kind::Case => {
                self.next();
                let begin = self.span().start;
                let low = Box::new(self.conditional()?);
                let label = match self.eat(Kind::Ellipsis) {
                    true => {
                        let high = Box::new(self.conditional()?);
                        Label::CaseRange(self.node(begin, CaseRange { low, high }))
                    }
                    false => Label::Case(low),
                };
                let label = self.node(start, label);
                return self.labeled(label);
            }
            Kind::Default => {
                self.next();
                let label = self.node(start, Label::Default);
                return self.labeled(label);
            }
            Kind::Semicolon => {
                self.next();
                Statement::Expression(None)
            }
            Kind::If => self.if_statement()?,
            Kind::Switch => {
                self.next();
                let expression = Box::new(self.head()?);
                let statement = Box::new(self.body()?);
                let node = SwitchStatement {
                    expression,
                    statement,
                };
                Statement::Switch(self.node(start, node))
            }
            Kind::While => {
                self.next();
                let expression = Box::new(self.head()?);
                let statement = Box::new(self.body()?);
                let node = WhileStatement {
                    expression,
                    statement,
                };
                Statement::While(self.node(start, node))
            }
            Kind::Do => {
                self.next();
                let statement = Box::new(self.body()?);
                self.expect(Kind::While)?;
                let expression = Box::new(self.head()?);
                self.expect(Kind::Semicolon)?;
                let node = DoWhileStatement {
                    statement,
                    expression,
                };
                Statement::DoWhile(self.node(start, node))
            }
            Kind::For => {
                self.names.open();
                let statement = self.for_statement()?;
                self.names.close();
                statement
            }
            Kind::Goto => {
                self.next();
                let statement = match self.eat(Kind::Star) {
                    true => Statement::ComputedGoto(Box::new(self.expression()?)),
                    false => Statement::Goto(self.identifier()?),
                };
                self.expect(Kind::Semicolon)?;
                statement
            }
            Kind::Continue | Kind::Break => {
                let word = self.next().kind;
                self.expect(Kind::Semicolon)?;
                match word {
                    Kind::Break => Statement::Break,
                    _ => Statement::Continue,
                }
            }
            Kind::Return => {
                self.next();
                let value = match self.at(Kind::Semicolon) {
                    true => None,
                    false => Some(Box::new(self.expression()?)),
                };
                self.expect(Kind::Semicolon)?;
                Statement::Return(value)
            }
            Kind::Asm => self.asm_statement()?,
            _ => {
                self.wanted.token(Kind::Semicolon);
                self.wanted.token(Kind::CloseBrace);
                self.wanted.token(Kind::OpenBrace);
                let value: Node<Expression> = self.expression()?;
                if let Expression::Identifier(_) = value.node {
                    self.wanted.token(Kind::Colon);
                }
                self.expect(Kind::Semicolon)?;
                Statement::Expression(Some(Box::new(value)))
            }
        };
        Ok(self.node(start, statement))
    }

    /// What is tested or chosen by.
    fn head(&mut self) -> Parse<Node<Expression>> {
        self.expect(Kind::OpenParen)?;
        let expression = self.expression()?;
        self.expect(Kind::CloseParen)?;
        Ok(expression)
    }

    /// A statement in a scope of its own (6.8.4p3, 6.8.5p5).
    fn body(&mut self) -> Parse<Node<Statement>> {
        self.names.open();
        let statement = self.statement();
        self.names.close();
        statement
    }

    /// The colon and the statement of a label. At the end of a block and before a declaration there may be none (C23).
    fn labeled(&mut self, label: Node<Label>) -> Parse<Node<Statement>> {
        self.expect(Kind::Colon)?;
        let start = label.span.start;
        // Attributes of the label.
        if self.at(Kind::Attribute) && !self.item_is_declaration() {
            let place = self.span();
            let attributes = self.attributes()?;
            self.refuse_attributes(&attributes, place);
        }
        let statement = if self.at(Kind::CloseBrace) || self.item_is_declaration() {
            let end = self.end();
            Node::new(Statement::Expression(None), Span::new(end, end))
        } else {
            self.statement()?
        };
        let statement = Box::new(statement);
        let node = self.node(start, LabeledStatement { label, statement });
        Ok(self.node(start, Statement::Labeled(node)))
    }

    fn if_statement(&mut self) -> Parse<Statement> {
        let start = self.next().span.start;
        let condition = Box::new(self.head()?);
        let then_statement = Box::new(self.body()?);
        let else_statement = match self.eat(Kind::Else) {
            true => Some(Box::new(self.body()?)),
            false => None,
        };
        let node = IfStatement {
            condition,
            then_statement,
            else_statement,
        };
        Ok(Statement::If(self.node(start, node)))
    }

    fn for_statement(&mut self) -> Parse<Statement> {
        let start = self.next().span.start;
        self.expect(Kind::OpenParen)?;
        let begin = self.span().start;
        let initializer = if self.eat(Kind::Semicolon) {
            ForInitializer::Empty
        } else if self.at(Kind::StaticAssert) {
            ForInitializer::StaticAssert(self.static_assert()?)
        } else if self.item_is_declaration() {
            ForInitializer::Declaration(self.declaration()?)
        } else {
            self.wanted.add(What::Type);
            let expression = Box::new(self.expression()?);
            self.expect(Kind::Semicolon)?;
            ForInitializer::Expression(expression)
        };
        let initializer = self.node(begin, initializer);
        let condition = match self.at(Kind::Semicolon) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Kind::Semicolon)?;
        let step = match self.at(Kind::CloseParen) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Kind::CloseParen)?;
        let statement = Box::new(self.body()?);
        let node = ForStatement {
            initializer,
            condition,
            step,
            statement,
        };
        Ok(Statement::For(self.node(start, node)))
    }

    /// gcc, "How to Use Inline Assembly Language in C Code".
    fn asm_statement(&mut self) -> Parse<Statement> {
        let start = self.next().span.start;
        while matches!(
            self.kind(),
            Kind::Volatile | Kind::Inline | Kind::Goto | Kind::Const
        ) {
            self.next();
        }
        self.expect(Kind::OpenParen)?;
        let mut node = AsmStatement {
            template: self.strings()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        // `::` is one token, and two colons.
        let mut part = 0;
        while matches!(self.kind(), Kind::Colon | Kind::ColonColon) {
            part += match self.next().kind {
                Kind::ColonColon => 2,
                _ => 1,
            };
            while !matches!(
                self.kind(),
                Kind::Colon | Kind::ColonColon | Kind::CloseParen
            ) {
                match part {
                    1 => node.outputs.push(self.asm_operand()?),
                    2 => node.inputs.push(self.asm_operand()?),
                    3 => node.clobbers.push(self.strings()?),
                    _ => node.labels.push(self.identifier()?),
                }
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        self.expect(Kind::CloseParen)?;
        self.expect(Kind::Semicolon)?;
        Ok(Statement::Asm(self.node(start, node)))
    }

    fn asm_operand(&mut self) -> Parse<Node<AsmOperand>> {
        let start = self.span().start;
        if self.eat(Kind::OpenBracket) {
            self.identifier()?;
            self.expect(Kind::CloseBracket)?;
        }
        let constraints = self.strings()?;
        self.expect(Kind::OpenParen)?;
        let variable_name = self.expression()?;
        self.expect(Kind::CloseParen)?;
        let node = AsmOperand {
            constraints,
            variable_name,
        };
        Ok(self.node(start, node))
    }
}
