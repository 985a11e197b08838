//! Attributes: gcc's and those of C23.

use super::parser::{Parse, Parser};
use super::token::Kind;
use super::wanted::What;
use crate::syntax::{Attribute, Extension, Node};
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

/// Attributes that change neither layouts nor what a program does. Only these may be passed over.
const HINTS: [&str; 13] = [
    "unused",
    "maybe_unused",
    "used",
    "fallthrough",
    "hot",
    "cold",
    "deprecated",
    "nodiscard",
    "warn_unused_result",
    "musttail",
    "likely",
    "unlikely",
    "nomerge",
];

fn is_hint(name: &str) -> bool {
    HINTS.contains(&name.trim_matches('_'))
}

impl Parser<'_> {
    /// Attributes and labels for the assembler, in any order.
    pub(super) fn extensions(&mut self) -> Parse<Vec<Node<Extension>>> {
        let mut extensions = Vec::new();
        loop {
            match self.kind() {
                Kind::Attribute => extensions.append(&mut self.attributes()?),
                Kind::Asm => extensions.push(self.asm_label()?),
                Kind::OpenBracket if self.ahead(1) == Kind::OpenBracket => {
                    let place = self.span();
                    if self.standard_attributes(false)? {
                        self.refuse_attribute("noreturn", place);
                    }
                }
                _ => return Ok(extensions),
            }
        }
    }

    fn asm_label(&mut self) -> Parse<Node<Extension>> {
        let start = self.next().span.start;
        self.expect(Kind::OpenParen)?;
        let label = self.strings()?;
        self.expect(Kind::CloseParen)?;
        Ok(self.node(start, Extension::AsmLabel(label)))
    }

    /// `__attribute__((…))`, once or more often.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Node<Extension>>> {
        let mut attributes = Vec::new();
        while self.at(Kind::Attribute) {
            self.next();
            self.expect(Kind::OpenParen)?;
            self.expect(Kind::OpenParen)?;
            loop {
                if !matches!(self.kind(), Kind::Comma | Kind::CloseParen) {
                    attributes.push(self.attribute()?);
                }
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::CloseParen)?;
            self.expect(Kind::CloseParen)?;
        }
        Ok(attributes)
    }

    /// An attribute's name may be a keyword.
    fn attribute_name(&mut self) -> Parse<Node<String>> {
        let token = self.token(self.position());
        let text = self.text_of(token);
        if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return self.missing(What::Name);
        }
        let name = text.to_owned();
        self.next();
        Ok(Node::new(name, token.span))
    }

    fn attribute(&mut self) -> Parse<Node<Extension>> {
        let name = self.attribute_name()?;
        let start = name.span.start;
        let mut arguments = Vec::new();
        if self.eat(Kind::OpenParen) {
            while !self.at(Kind::CloseParen) {
                // What is a type says nothing that is used.
                if self.type_begins(0) {
                    self.type_name()?;
                } else {
                    arguments.push(self.deeper(Parser::assignment)?);
                }
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::CloseParen)?;
        }
        Ok(self.node(start, Extension::Attribute(Attribute { name, arguments })))
    }

    /// `[[…]]`: hints are passed over, and what changes more is refused. Whether `noreturn` is among them, where it may be.
    pub(super) fn standard_attributes(&mut self, may_return: bool) -> Parse<bool> {
        let start = self.span().start;
        let mut names = Vec::new();
        self.expect(Kind::OpenBracket)?;
        self.expect(Kind::OpenBracket)?;
        while !self.at(Kind::CloseBracket) {
            if !self.at(Kind::Comma) {
                let mut name = self.attribute_name()?;
                if self.eat(Kind::ColonColon) {
                    name = self.attribute_name()?;
                }
                if self.at(Kind::OpenParen) {
                    self.balanced()?;
                }
                names.push(name.node);
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseBracket)?;
        self.expect(Kind::CloseBracket)?;
        let place = self.since(start);
        let mut no_return = false;
        for name in names {
            if may_return && matches!(name.trim_matches('_'), "noreturn" | "Noreturn") {
                no_return = true;
            } else if !is_hint(&name) {
                self.refuse_attribute(&name, place);
            }
        }
        Ok(no_return)
    }

    /// Passes everything up to the bracket that closes the one here.
    fn balanced(&mut self) -> Parse<()> {
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => depth += 1,
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => depth -= 1,
                Kind::End => {
                    self.expect(Kind::CloseParen)?;
                }
                _ => {}
            }
            self.next();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Attributes where only hints are passed over.
    pub(super) fn refuse_attributes(&mut self, extensions: &[Node<Extension>], place: Span) {
        for extension in extensions {
            match &extension.node {
                Extension::Attribute(attribute) if is_hint(&attribute.name.node) => {}
                Extension::Attribute(attribute) => {
                    let name = attribute.name.node.clone();
                    self.refuse_attribute(&name, place.join(extension.span));
                }
                Extension::AsmLabel(_) => self.refuse_attribute("asm", place),
            }
        }
    }

    fn refuse_attribute(&mut self, name: &str, place: Span) {
        self.diagnostics.push(Diagnostic::error(
            Id::C_SYNTAX,
            format!("the attribute `{name}` is not covered here"),
            place,
            "it may change layouts or what the program does",
        ));
    }
}
