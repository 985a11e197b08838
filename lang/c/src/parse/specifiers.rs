//! Declaration specifiers (C11 6.7.1 to 6.7.5), structures, unions and enumerations.

use super::number::fixed_type;
use super::parser::{Parse, Parser};
use super::token::{Kind, Token};
use super::wanted::What;
use crate::syntax::{
    AlignmentSpecifier, DeclarationSpecifier, EnumType, Enumerator, Extension, FunctionSpecifier,
    Node, SpecifierQualifier, StorageClassSpecifier, StructDeclaration, StructDeclarator,
    StructField, StructKind, StructType, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

fn storage_class(kind: Kind) -> Option<StorageClassSpecifier> {
    Some(match kind {
        Kind::Typedef => StorageClassSpecifier::Typedef,
        Kind::Extern => StorageClassSpecifier::Extern,
        Kind::Static => StorageClassSpecifier::Static,
        Kind::ThreadLocal => StorageClassSpecifier::ThreadLocal,
        Kind::Auto => StorageClassSpecifier::Auto,
        Kind::Register => StorageClassSpecifier::Register,
        _ => return None,
    })
}

pub(super) fn qualifier(kind: Kind) -> Option<TypeQualifier> {
    Some(match kind {
        Kind::Const => TypeQualifier::Const,
        Kind::Restrict => TypeQualifier::Restrict,
        Kind::Volatile => TypeQualifier::Volatile,
        Kind::AtomicWord => TypeQualifier::Atomic,
        _ => return None,
    })
}

/// Types that are one word.
fn basic_type(kind: Kind) -> Option<TypeSpecifier> {
    Some(match kind {
        Kind::Void => TypeSpecifier::Void,
        Kind::Char => TypeSpecifier::Char,
        Kind::Short => TypeSpecifier::Short,
        Kind::Int => TypeSpecifier::Int,
        Kind::Long => TypeSpecifier::Long,
        Kind::Float => TypeSpecifier::Float,
        Kind::Double => TypeSpecifier::Double,
        Kind::Signed => TypeSpecifier::Signed,
        Kind::Unsigned => TypeSpecifier::Unsigned,
        Kind::Bool => TypeSpecifier::Bool,
        Kind::Complex => TypeSpecifier::Complex,
        Kind::Int128 => TypeSpecifier::Int128,
        Kind::AutoType => TypeSpecifier::Auto,
        _ => return None,
    })
}

/// Whether a token other than a name begins a type.
fn begins_type(kind: Kind) -> bool {
    basic_type(kind).is_some()
        || qualifier(kind).is_some()
        || matches!(
            kind,
            Kind::Struct
                | Kind::Union
                | Kind::Enum
                | Kind::Typeof
                | Kind::FixedFloat
                | Kind::Uint128
        )
}

/// Words that may stand in declarations, in types or both.
enum Specifier {
    Class(StorageClassSpecifier),
    Function(FunctionSpecifier),
    Alignment(AlignmentSpecifier),
    Type(TypeSpecifier),
    Qualifier(TypeQualifier),
    Extension(Vec<Node<Extension>>),
}

impl Parser<'_> {
    /// Whether the token that stands so far on begins a type.
    pub(super) fn type_begins(&self, count: usize) -> bool {
        let mut at = self.position() + count;
        // `__extension__` and attributes may stand before.
        while self.token(at).kind == Kind::Extension {
            at += 1;
        }
        let token = self.token(at);
        token.kind == Kind::Attribute || begins_type(token.kind) || self.is_type_name(token)
    }

    /// Whether a declaration begins here, attributes aside.
    pub(super) fn declaration_begins(&self) -> bool {
        self.begins_declaration(self.token(self.position()))
    }

    pub(super) fn begins_declaration(&self, token: Token) -> bool {
        let kind = token.kind;
        storage_class(kind).is_some()
            || begins_type(kind)
            || matches!(kind, Kind::Inline | Kind::Noreturn | Kind::Alignas)
            || self.is_type_name(token)
    }

    /// The specifiers of a declaration, and whether there is a type among them.
    pub(super) fn declaration_specifiers(
        &mut self,
    ) -> Parse<(Vec<Node<DeclarationSpecifier>>, bool)> {
        let mut list = Vec::new();
        let mut has_type = false;
        while let Some((specifier, span)) = self.specifier(&mut has_type, true)? {
            list.push(Node::new(
                match specifier {
                    Specifier::Class(class) => {
                        DeclarationSpecifier::StorageClass(Node::new(class, span))
                    }
                    Specifier::Function(function) => {
                        DeclarationSpecifier::Function(Node::new(function, span))
                    }
                    Specifier::Alignment(alignment) => {
                        DeclarationSpecifier::Alignment(Node::new(alignment, span))
                    }
                    Specifier::Type(ty) => DeclarationSpecifier::TypeSpecifier(Node::new(ty, span)),
                    Specifier::Qualifier(qualifier) => {
                        DeclarationSpecifier::TypeQualifier(Node::new(qualifier, span))
                    }
                    Specifier::Extension(extensions) => DeclarationSpecifier::Extension(extensions),
                },
                span,
            ));
            if let Some(attributes) = self.attributes_before_tag.take() {
                let span = attributes.span;
                list.push(Node::new(
                    DeclarationSpecifier::Extension(attributes.node),
                    span,
                ));
            }
            // `__uint128_t` is a type of two words.
            self.add_unsigned(span, |ty| {
                list.push(Node::new(DeclarationSpecifier::TypeSpecifier(ty), span));
            });
        }
        Ok((list, has_type))
    }

    /// The specifiers of a member or of a type by itself.
    pub(super) fn qualified_specifiers(&mut self) -> Parse<Vec<Node<SpecifierQualifier>>> {
        let mut list = Vec::new();
        let mut has_type = false;
        while let Some((specifier, span)) = self.specifier(&mut has_type, false)? {
            let node = match specifier {
                Specifier::Type(ty) => SpecifierQualifier::TypeSpecifier(Node::new(ty, span)),
                Specifier::Qualifier(qualifier) => {
                    SpecifierQualifier::TypeQualifier(Node::new(qualifier, span))
                }
                Specifier::Alignment(alignment) => {
                    SpecifierQualifier::Alignment(Node::new(alignment, span))
                }
                Specifier::Extension(extensions) => SpecifierQualifier::Extension(extensions),
                // They are not read here.
                Specifier::Class(_) | Specifier::Function(_) => continue,
            };
            list.push(Node::new(node, span));
            if let Some(attributes) = self.attributes_before_tag.take() {
                let span = attributes.span;
                list.push(Node::new(
                    SpecifierQualifier::Extension(attributes.node),
                    span,
                ));
            }
            self.add_unsigned(span, |ty| {
                list.push(Node::new(SpecifierQualifier::TypeSpecifier(ty), span));
            });
        }
        // With a qualifier alone it is an `int` (C90).
        if list.is_empty() {
            return self.missing(What::Type);
        }
        Ok(list)
    }

    /// The second word of `__uint128_t`, if that was the last one.
    fn add_unsigned(&self, span: Span, add: impl FnOnce(Node<TypeSpecifier>)) {
        if self.text[span.range()] == *"__uint128_t" {
            add(Node::new(TypeSpecifier::Unsigned, span));
        }
    }

    /// The next specifier, if there is one. A name is one only where no type was read before.
    fn specifier(
        &mut self,
        has_type: &mut bool,
        of_declaration: bool,
    ) -> Parse<Option<(Specifier, Span)>> {
        while self.at(Kind::Extension) {
            self.next();
        }
        let token = self.token(self.position());
        let start = token.span.start;
        let kind = token.kind;
        let one = |this: &mut Self, specifier| {
            this.next();
            Ok(Some((specifier, token.span)))
        };
        if let Some(class) = storage_class(kind).filter(|_| of_declaration) {
            return one(self, Specifier::Class(class));
        }
        if kind == Kind::AtomicWord && self.ahead(1) == Kind::OpenParen {
            self.next();
            self.next();
            let name = self.type_name()?;
            self.expect(Kind::CloseParen)?;
            *has_type = true;
            return Ok(Some((
                Specifier::Type(TypeSpecifier::Atomic(name)),
                self.since(start),
            )));
        }
        if let Some(qualifier) = qualifier(kind) {
            return one(self, Specifier::Qualifier(qualifier));
        }
        if let Some(basic) = basic_type(kind) {
            // A complex type needs another word, and may have none.
            *has_type = true;
            return one(self, Specifier::Type(basic));
        }
        let specifier = match kind {
            Kind::Inline if of_declaration => {
                return one(self, Specifier::Function(FunctionSpecifier::Inline));
            }
            Kind::Noreturn if of_declaration => {
                return one(self, Specifier::Function(FunctionSpecifier::Noreturn));
            }
            Kind::Uint128 => {
                *has_type = true;
                return one(self, Specifier::Type(TypeSpecifier::Int128));
            }
            Kind::Alignas => Specifier::Alignment(self.alignment()?),
            Kind::Attribute => Specifier::Extension(self.attributes()?),
            Kind::OpenBracket if self.ahead(1) == Kind::OpenBracket => {
                return match self.standard_attributes(of_declaration)? {
                    true => Ok(Some((
                        Specifier::Function(FunctionSpecifier::Noreturn),
                        self.since(start),
                    ))),
                    false => self.specifier(has_type, of_declaration),
                };
            }
            Kind::FixedFloat => match fixed_type(&self.text[token.span.range()]) {
                Some(fixed) => {
                    self.next();
                    Specifier::Type(TypeSpecifier::Fixed(fixed))
                }
                None => return Ok(None),
            },
            Kind::Struct | Kind::Union => Specifier::Type(TypeSpecifier::Struct(self.structure()?)),
            Kind::Enum => Specifier::Type(TypeSpecifier::Enum(self.enumeration()?)),
            Kind::Typeof => Specifier::Type(TypeSpecifier::TypeOf(self.typeof_specifier()?)),
            Kind::Identifier if !*has_type && self.is_type_name(token) => {
                let name = self.identifier()?;
                Specifier::Type(TypeSpecifier::TypedefName(name))
            }
            _ => {
                if !*has_type {
                    self.wanted.add(What::Type);
                }
                return Ok(None);
            }
        };
        *has_type |= matches!(specifier, Specifier::Type(_));
        Ok(Some((specifier, self.since(start))))
    }

    fn alignment(&mut self) -> Parse<AlignmentSpecifier> {
        self.next();
        self.expect(Kind::OpenParen)?;
        let alignment = match self.type_begins(0) {
            true => AlignmentSpecifier::Type(self.type_name()?),
            false => AlignmentSpecifier::Constant(Box::new(self.conditional()?)),
        };
        self.expect(Kind::CloseParen)?;
        Ok(alignment)
    }

    fn typeof_specifier(&mut self) -> Parse<Node<TypeOf>> {
        let start = self.span().start;
        self.next();
        self.expect(Kind::OpenParen)?;
        let node = match self.type_begins(0) {
            true => TypeOf::Type(self.type_name()?),
            false => TypeOf::Expression(self.expression()?),
        };
        self.expect(Kind::CloseParen)?;
        Ok(self.node(start, node))
    }

    /// A type by itself (6.7.7).
    pub(super) fn type_name(&mut self) -> Parse<Node<TypeName>> {
        self.deeper(|this| {
            let start = this.span().start;
            let specifiers = this.qualified_specifiers()?;
            let declarator = this.abstract_declarator()?;
            Ok(this.node(
                start,
                TypeName {
                    specifiers,
                    declarator,
                },
            ))
        })
    }

    /// The attributes after `struct`, `union` and `enum`.
    fn attributes_of_tag(&mut self) -> Parse<Option<Node<Vec<Node<Extension>>>>> {
        let start = self.span().start;
        let mut attributes = Vec::new();
        loop {
            if self.at(Kind::Attribute) {
                attributes.append(&mut self.attributes()?);
            } else if self.at(Kind::OpenBracket) && self.ahead(1) == Kind::OpenBracket {
                self.standard_attributes(false)?;
            } else {
                break;
            }
        }
        Ok((!attributes.is_empty()).then(|| self.node(start, attributes)))
    }

    /// 6.7.2.1
    fn structure(&mut self) -> Parse<Node<StructType>> {
        self.deeper(|this| {
            let word = this.next();
            let kind = match word.kind {
                Kind::Union => StructKind::Union,
                _ => StructKind::Struct,
            };
            let attributes = this.attributes_of_tag()?;
            let identifier = match this.at(Kind::Identifier) {
                true => Some(this.identifier()?),
                false => None,
            };
            let declarations = if this.eat(Kind::OpenBrace) {
                let mut members = Vec::new();
                while !this.eat(Kind::CloseBrace) {
                    if this.at(Kind::Semicolon) {
                        this.next();
                        continue;
                    }
                    members.push(this.struct_declaration()?);
                }
                // Those before the tag are those of the type.
                this.attributes_before_tag = attributes;
                Some(members)
            } else if identifier.is_none() {
                return this.missing(What::Name);
            } else {
                None
            };
            let node = StructType {
                kind: Node::new(kind, word.span),
                identifier,
                declarations,
            };
            Ok(this.node(word.span.start, node))
        })
    }

    fn struct_declaration(&mut self) -> Parse<Node<StructDeclaration>> {
        let start = self.span().start;
        while self.at(Kind::Extension) {
            self.next();
        }
        if self.at(Kind::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(self.node(start, StructDeclaration::StaticAssert(assertion)));
        }
        let specifiers = self.qualified_specifiers()?;
        let mut declarators = Vec::new();
        if !self.at(Kind::Semicolon) {
            self.wanted.token(Kind::Semicolon);
            loop {
                declarators.push(self.struct_declarator()?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        // Before the end of the members it may be missing.
        if !self.at(Kind::CloseBrace) || declarators.is_empty() {
            self.expect(Kind::Semicolon)?;
        } else {
            self.wanted.token(Kind::Semicolon);
        }
        let field = self.node(
            start,
            StructField {
                specifiers,
                declarators,
            },
        );
        Ok(self.node(start, StructDeclaration::Field(field)))
    }

    fn struct_declarator(&mut self) -> Parse<Node<StructDeclarator>> {
        let start = self.span().start;
        let mut declarator = match self.at(Kind::Colon) {
            true => None,
            false => {
                self.wanted.token(Kind::Colon);
                Some(self.declarator()?)
            }
        };
        let bit_width = match self.eat(Kind::Colon) {
            true => Some(Box::new(self.conditional()?)),
            false => None,
        };
        let place = self.span();
        let mut extensions = self.extensions()?;
        match &mut declarator {
            Some(declarator) => declarator.node.extensions.append(&mut extensions),
            None => self.refuse_attributes(&extensions, place),
        }
        Ok(self.node(
            start,
            StructDeclarator {
                declarator,
                bit_width,
            },
        ))
    }

    /// 6.7.2.2
    fn enumeration(&mut self) -> Parse<Node<EnumType>> {
        let start = self.next().span.start;
        let attributes = self.attributes_of_tag()?;
        let identifier = match self.at(Kind::Identifier) {
            true => Some(self.identifier()?),
            false => None,
        };
        let mut enumerators = Vec::new();
        if self.eat(Kind::OpenBrace) {
            while !self.at(Kind::CloseBrace) {
                enumerators.push(self.enumerator()?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::CloseBrace)?;
            self.attributes_before_tag = attributes;
        } else if identifier.is_none() {
            return self.missing(What::Name);
        }
        Ok(self.node(
            start,
            EnumType {
                identifier,
                enumerators,
            },
        ))
    }

    fn enumerator(&mut self) -> Parse<Node<Enumerator>> {
        let start = self.span().start;
        let identifier = self.identifier()?;
        // They are hints, all of them.
        self.extensions()?;
        let expression = match self.eat(Kind::Assign) {
            true => Some(Box::new(self.conditional()?)),
            false => None,
        };
        self.names.declare(&identifier.node.name, false);
        Ok(self.node(
            start,
            Enumerator {
                identifier,
                expression,
            },
        ))
    }

    /// A function without a type returns an `int` (C90).
    pub(super) fn implicit_int(&mut self, place: Span) -> Node<DeclarationSpecifier> {
        self.diagnostics.push(Diagnostic::warning(
            Id::C_IMPLICIT_INT,
            "a function without a result type",
            place,
            "taken as `int`",
        ));
        let ty = Node::new(TypeSpecifier::Int, place);
        Node::new(DeclarationSpecifier::TypeSpecifier(ty), place)
    }
}
