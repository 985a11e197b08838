//! Declarations, initializers and function definitions (C11 6.7, 6.7.9, 6.9).

use super::declarator::name_of;
use super::parser::{Parse, Parser};
use super::token::Kind;
use super::wanted::What;
use crate::syntax::{
    Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Designator,
    ExternalDeclaration, FunctionDefinition, InitDeclarator, Initializer, InitializerListItem,
    Node, RangeDesignator, StaticAssert, StorageClassSpecifier,
};

fn is_typedef(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if class.node == StorageClassSpecifier::Typedef)
    })
}

/// The parameters, if what stands next to the declared name makes a function of it.
fn function_of(declarator: &Declarator) -> Option<&DerivedDeclarator> {
    match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) if !inner.node.derived.is_empty() => {
            function_of(&inner.node)
        }
        // `(f)(void)`
        DeclaratorKind::Declarator(inner) => function_of(&inner.node).or_else(|| next(declarator)),
        DeclaratorKind::Abstract | DeclaratorKind::Identifier(_) => next(declarator),
    }
}

/// The array or function that stands next to the name.
fn next(declarator: &Declarator) -> Option<&DerivedDeclarator> {
    let is_pointer =
        |it: &&Node<DerivedDeclarator>| matches!(it.node, DerivedDeclarator::Pointer(_));
    let first = declarator.derived.iter().find(|it| !is_pointer(it))?;
    match &first.node {
        DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => Some(&first.node),
        DerivedDeclarator::Array(_) | DerivedDeclarator::Pointer(_) => None,
    }
}

impl Parser<'_> {
    /// A declaration that is no function definition.
    pub(super) fn declaration(&mut self) -> Parse<Node<Declaration>> {
        let start = self.span().start;
        let (specifiers, has_type) = self.declaration_specifiers()?;
        if specifiers.is_empty() {
            return self.missing(What::Type);
        }
        let mut declarators = Vec::new();
        if !self.at(Kind::Semicolon) {
            if !has_type && !self.at(Kind::Identifier) {
                return self.missing(What::Type);
            }
            let first = self.declarator()?;
            self.declarators(first, &specifiers, &mut declarators)?;
        }
        self.expect(Kind::Semicolon)?;
        Ok(self.node(
            start,
            Declaration {
                specifiers,
                declarators,
            },
        ))
    }

    /// All that is declared, where the first declarator is read.
    fn declarators(
        &mut self,
        first: Node<Declarator>,
        specifiers: &[Node<DeclarationSpecifier>],
        declarators: &mut Vec<Node<InitDeclarator>>,
    ) -> Parse<()> {
        let is_type = is_typedef(specifiers);
        let mut declarator = first;
        loop {
            if let Some(name) = name_of(&declarator.node) {
                let name = name.to_owned();
                self.names.declare(&name, is_type);
            }
            let start = declarator.span.start;
            let initializer = match self.eat(Kind::Assign) {
                true => Some(self.initializer()?),
                false => None,
            };
            declarators.push(self.node(
                start,
                InitDeclarator {
                    declarator,
                    initializer,
                },
            ));
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
            declarator = self.declarator()?;
        }
    }

    /// 6.7.9
    fn initializer(&mut self) -> Parse<Node<Initializer>> {
        let start = self.span().start;
        if self.at(Kind::OpenBrace) {
            let list = self.deeper(Parser::initializer_list)?;
            return Ok(self.node(start, Initializer::List(list)));
        }
        let value = Box::new(self.deeper(Parser::assignment)?);
        Ok(self.node(start, Initializer::Expression(value)))
    }

    /// `{ … }`
    pub(super) fn initializer_list(&mut self) -> Parse<Vec<Node<InitializerListItem>>> {
        self.expect(Kind::OpenBrace)?;
        let mut list = Vec::new();
        while !self.at(Kind::CloseBrace) {
            let start = self.span().start;
            let designation = self.designation()?;
            let initializer = Box::new(self.initializer()?);
            list.push(self.node(
                start,
                InitializerListItem {
                    designation,
                    initializer,
                },
            ));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseBrace)?;
        Ok(list)
    }

    fn designation(&mut self) -> Parse<Vec<Node<Designator>>> {
        let start = self.span().start;
        if self.at(Kind::Identifier) && self.ahead(1) == Kind::Colon {
            let member = self.identifier()?;
            self.next();
            return Ok(vec![self.node(start, Designator::Member(member))]);
        }
        let mut designation = Vec::new();
        loop {
            let start = self.span().start;
            let designator = if self.eat(Kind::Dot) {
                Designator::Member(self.identifier()?)
            } else if self.eat(Kind::OpenBracket) {
                let inside = self.span().start;
                let from = self.deeper(Parser::conditional)?;
                let designator = match self.eat(Kind::Ellipsis) {
                    true => {
                        let to = self.deeper(Parser::conditional)?;
                        Designator::Range(self.node(inside, RangeDesignator { from, to }))
                    }
                    false => Designator::Index(from),
                };
                self.expect(Kind::CloseBracket)?;
                designator
            } else {
                break;
            };
            designation.push(self.node(start, designator));
        }
        // After an index gcc needs no `=`.
        let may_lack =
            matches!(designation.last(), Some(last) if !matches!(last.node, Designator::Member(_)));
        if !designation.is_empty() && !self.eat(Kind::Assign) && !may_lack {
            self.expect(Kind::Assign)?;
        }
        Ok(designation)
    }

    /// 6.7.10
    pub(super) fn static_assert(&mut self) -> Parse<Node<StaticAssert>> {
        let start = self.span().start;
        self.expect(Kind::StaticAssert)?;
        self.expect(Kind::OpenParen)?;
        let expression = Box::new(self.deeper(Parser::conditional)?);
        let message = match self.eat(Kind::Comma) {
            true => Some(self.strings()?),
            false => None,
        };
        self.expect(Kind::CloseParen)?;
        self.expect(Kind::Semicolon)?;
        Ok(self.node(
            start,
            StaticAssert {
                expression,
                message,
            },
        ))
    }

    /// 6.9, and what is declared in blocks.
    pub(super) fn external_declaration(&mut self) -> Parse<Node<ExternalDeclaration>> {
        let start = self.span().start;
        while self.at(Kind::Extension) {
            self.next();
        }
        if self.at(Kind::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(self.node(start, ExternalDeclaration::StaticAssert(assertion)));
        }
        if !self.at(Kind::Identifier) {
            self.wanted.token(Kind::Semicolon);
        }
        let (mut specifiers, has_type) = self.declaration_specifiers()?;
        if !has_type {
            // `main() { }`, `static x;`
            let token = self.token(self.position());
            let is_function = token.kind == Kind::Identifier && self.ahead(1) == Kind::OpenParen;
            if is_function {
                let int = self.implicit_int(token.span);
                specifiers.push(int);
            } else if specifiers.is_empty() || token.kind != Kind::Identifier {
                return self.missing(What::Type);
            }
        }
        let mut declarators = Vec::new();
        if !self.at(Kind::Semicolon) {
            let first = self.declarator()?;
            if let Some(function) = function_of(&first.node) {
                let is_old =
                    matches!(function, DerivedDeclarator::KRFunction(names) if !names.is_empty());
                self.wanted.token(Kind::OpenBrace);
                if self.at(Kind::OpenBrace) || (is_old && self.declaration_begins()) {
                    return self.function_definition(start, specifiers, first);
                }
            }
            self.declarators(first, &specifiers, &mut declarators)?;
        }
        self.expect(Kind::Semicolon)?;
        let declaration = self.node(
            start,
            Declaration {
                specifiers,
                declarators,
            },
        );
        Ok(self.node(start, ExternalDeclaration::Declaration(declaration)))
    }

    /// 6.9.1
    fn function_definition(
        &mut self,
        start: u32,
        specifiers: Vec<Node<DeclarationSpecifier>>,
        declarator: Node<Declarator>,
    ) -> Parse<Node<ExternalDeclaration>> {
        if let Some(name) = name_of(&declarator.node) {
            let name = name.to_owned();
            self.names.declare(&name, false);
        }
        self.names.open();
        let outer = std::mem::take(&mut self.label_addresses);
        let mut names = Vec::new();
        match function_of(&declarator.node) {
            Some(DerivedDeclarator::Function(function)) => {
                for parameter in &function.node.parameters {
                    let declarator = parameter.node.declarator.as_ref();
                    names.extend(
                        declarator
                            .and_then(|it| name_of(&it.node))
                            .map(str::to_owned),
                    );
                }
            }
            Some(DerivedDeclarator::KRFunction(parameters)) => {
                names.extend(parameters.iter().map(|name| name.node.name.clone()));
            }
            _ => {}
        }
        let mut declarations = Vec::new();
        while !self.at(Kind::OpenBrace) {
            declarations.push(self.declaration()?);
        }
        for name in names {
            self.names.declare(&name, false);
        }
        let statement = self.compound_statement()?;
        self.names.close();
        let definition = FunctionDefinition {
            specifiers,
            declarator,
            declarations,
            statement,
            label_addresses: std::mem::replace(&mut self.label_addresses, outer),
        };
        let definition = self.node(start, definition);
        Ok(self.node(
            start,
            ExternalDeclaration::FunctionDefinition(Box::new(definition)),
        ))
    }
}
