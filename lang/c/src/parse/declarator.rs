//! Declarators (C11 6.7.6, 6.7.7).

use super::parser::{Parse, Parser};
use super::specifiers::qualifier;
use super::token::Kind;
use super::wanted::What;
use crate::syntax::{
    ArrayDeclarator, ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    FunctionDeclarator, Node, ParameterDeclaration, PointerQualifier,
};
use ult_lang::span::Span;

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Named,
    Abstract,
    /// Of a parameter.
    Either,
}

/// The name that a declarator declares.
pub(super) fn name_of(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => name_of(&inner.node),
    }
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parse<Node<Declarator>> {
        self.declarator_of(Form::Named)
    }

    /// A declarator without a name, if there is one.
    pub(super) fn abstract_declarator(&mut self) -> Parse<Option<Node<Declarator>>> {
        self.optional(Form::Abstract)
    }

    fn optional(&mut self, form: Form) -> Parse<Option<Node<Declarator>>> {
        let begins = match self.kind() {
            Kind::Star | Kind::OpenParen | Kind::Attribute => true,
            Kind::OpenBracket => self.ahead(1) != Kind::OpenBracket,
            Kind::Identifier => form == Form::Either,
            _ => false,
        };
        if !begins {
            if form == Form::Either {
                self.wanted.add(What::Name);
            }
            return Ok(None);
        }
        Ok(Some(self.declarator_of(form)?))
    }

    fn declarator_of(&mut self, form: Form) -> Parse<Node<Declarator>> {
        self.deeper(|this| {
            let start = this.span().start;
            // Attributes before a name are its own.
            let mut extensions = this.attributes()?;
            let mut derived = Vec::new();
            while this.at(Kind::Star) {
                derived.push(this.pointer()?);
            }
            let kind = this.direct(form)?;
            loop {
                match this.kind() {
                    Kind::OpenBracket if this.ahead(1) != Kind::OpenBracket => {
                        derived.push(this.array()?)
                    }
                    Kind::OpenParen => derived.push(this.function()?),
                    _ => break,
                }
            }
            let end = this.end();
            extensions.append(&mut this.extensions()?);
            let node = Declarator {
                kind,
                derived,
                extensions,
            };
            Ok(Node::new(node, Span::new(start, end.max(start))))
        })
    }

    /// What the declarator is about: a name, nothing, or another one in parentheses.
    fn direct(&mut self, form: Form) -> Parse<Node<DeclaratorKind>> {
        let start = self.span().start;
        if form != Form::Abstract && self.at(Kind::Identifier) {
            let name = self.identifier()?;
            let span = name.span;
            return Ok(Node::new(DeclaratorKind::Identifier(name), span));
        }
        // Where no name is needed, parentheses may be those of parameters (6.7.6.3p11).
        let is_nested = self.at(Kind::OpenParen)
            && (form == Form::Named
                || !(self.ahead(1) == Kind::CloseParen || self.begins_parameter(1)));
        if is_nested {
            self.next();
            let inner = self.declarator_of(form)?;
            self.expect(Kind::CloseParen)?;
            return Ok(self.node(start, DeclaratorKind::Declarator(Box::new(inner))));
        }
        if form == Form::Named {
            return self.missing(What::Name);
        }
        let end = self.end();
        Ok(Node::new(DeclaratorKind::Abstract, Span::new(end, end)))
    }

    /// Whether the token that stands so far on begins a parameter, attributes aside.
    fn begins_parameter(&self, count: usize) -> bool {
        let token = self.token(self.position() + count);
        token.kind == Kind::Extension || self.begins_declaration(token)
    }

    fn pointer(&mut self) -> Parse<Node<DerivedDeclarator>> {
        let start = self.next().span.start;
        let mut qualifiers = Vec::new();
        loop {
            let place = self.span();
            if let Some(qualifier) = qualifier(self.kind()) {
                self.next();
                let node = PointerQualifier::TypeQualifier(Node::new(qualifier, place));
                qualifiers.push(Node::new(node, place));
            } else if self.at(Kind::Attribute) {
                let attributes = self.attributes()?;
                qualifiers.push(self.node(place.start, PointerQualifier::Extension(attributes)));
            } else {
                break;
            }
        }
        Ok(self.node(start, DerivedDeclarator::Pointer(qualifiers)))
    }

    /// 6.7.6.2
    fn array(&mut self) -> Parse<Node<DerivedDeclarator>> {
        let start = self.next().span.start;
        let inside = self.span().start;
        let mut is_static = self.eat(Kind::Static);
        let mut qualifiers = Vec::new();
        while let Some(qualifier) = qualifier(self.kind()) {
            let place = self.next().span;
            qualifiers.push(Node::new(qualifier, place));
        }
        is_static |= self.eat(Kind::Static);
        let size = if self.at(Kind::CloseBracket) {
            ArraySize::Unknown
        } else if self.at(Kind::Star) && self.ahead(1) == Kind::CloseBracket {
            self.next();
            ArraySize::VariableUnknown
        } else {
            let length = Box::new(self.deeper(Parser::assignment)?);
            match is_static {
                true => ArraySize::StaticExpression(length),
                false => ArraySize::VariableExpression(length),
            }
        };
        self.expect(Kind::CloseBracket)?;
        let array = self.node(inside, ArrayDeclarator { qualifiers, size });
        Ok(self.node(start, DerivedDeclarator::Array(array)))
    }

    /// 6.7.6.3
    fn function(&mut self) -> Parse<Node<DerivedDeclarator>> {
        let start = self.next().span.start;
        let first = self.token(self.position());
        if first.kind == Kind::CloseParen {
            self.next();
            return Ok(self.node(start, DerivedDeclarator::KRFunction(Vec::new())));
        }
        if first.kind == Kind::Identifier && !self.is_type_name(first) {
            let mut names = vec![self.identifier()?];
            while self.eat(Kind::Comma) {
                names.push(self.identifier()?);
            }
            self.expect(Kind::CloseParen)?;
            return Ok(self.node(start, DerivedDeclarator::KRFunction(names)));
        }
        self.names.open();
        let parameters = self.parameters();
        self.names.close();
        let parameters = parameters?;
        Ok(self.node(start, DerivedDeclarator::Function(parameters)))
    }

    fn parameters(&mut self) -> Parse<Node<FunctionDeclarator>> {
        let start = self.span().start;
        let mut parameters = Vec::new();
        let mut ellipsis = Ellipsis::None;
        loop {
            if self.eat(Kind::Ellipsis) {
                ellipsis = Ellipsis::Some;
                break;
            }
            parameters.push(self.parameter()?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        let node = FunctionDeclarator {
            parameters,
            ellipsis,
        };
        let node = self.node(start, node);
        self.expect(Kind::CloseParen)?;
        Ok(node)
    }

    fn parameter(&mut self) -> Parse<Node<ParameterDeclaration>> {
        let start = self.span().start;
        let (specifiers, _) = self.declaration_specifiers()?;
        if specifiers.is_empty() {
            return self.missing(What::Type);
        }
        let declarator = self.optional(Form::Either)?;
        if let Some(name) = declarator.as_ref().and_then(|it| name_of(&it.node)) {
            let name = name.to_owned();
            self.names.declare(&name, false);
        }
        let extensions = self.extensions()?;
        Ok(self.node(
            start,
            ParameterDeclaration {
                specifiers,
                declarator,
                extensions,
            },
        ))
    }
}
