//! Where the parser is, and what it knows: the tokens, the names of types, and what might have come next.

use std::collections::HashMap;

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::identifiers::Spelling;
use super::names::Names;
use super::token::{Kind, Token};
use super::wanted::{Wanted, What};
use crate::syntax::{Extension, Identifier, Node};

/// Deeper texts are refused.
pub(super) const LIMIT: usize = 10_000;

/// How many operators between operands cost as much as one level: the parser reads them one after the other, but the tree is
/// as deep as they are many.
const OPERATORS: usize = 8;

/// Something does not follow the grammar: at the token where the parser is, for what was [`Parser::wanted`] there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mistake;

/// What is read, unless there is a mistake.
pub(super) type Parse<T> = Result<T, Mistake>;

/// A recursive-descent parser. It never goes back: what something is, the next tokens say, or the names that are known.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    at: usize,
    pub(super) names: Names,
    /// Names that are not written in ASCII as they are, by their places.
    spelled: HashMap<u32, String>,
    pub(super) wanted: Wanted,
    depth: usize,
    /// The depth of the trees, at most.
    pub(super) deepest: usize,
    /// Where the text is nested too deep.
    pub(super) too_deep: Option<Span>,
    /// Whether `==>` is an operator.
    pub(super) implies: bool,
    /// The labels of the function whose address is taken.
    pub(super) label_addresses: Vec<Node<Identifier>>,
    /// The attributes between `struct` and the tag of the structure that was read last.
    pub(super) attributes_before_tag: Option<Node<Vec<Node<Extension>>>>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    /// A parser at the beginning of the tokens of a text.
    pub(super) fn new(text: &'t str, tokens: Vec<Token>) -> Parser<'t> {
        let mut parser = Parser {
            text,
            tokens,
            at: 0,
            names: Names::new(),
            spelled: HashMap::new(),
            wanted: Wanted::default(),
            depth: 0,
            deepest: 0,
            too_deep: None,
            implies: false,
            label_addresses: Vec::new(),
            attributes_before_tag: None,
            diagnostics: Vec::new(),
        };
        parser.spell();
        parser
    }

    /// Spells names in ASCII.
    fn spell(&mut self) {
        let mut spelling = Spelling::default();
        for token in &self.tokens {
            if token.kind != Kind::Identifier {
                continue;
            }
            match spelling.ascii(&self.text[token.span.range()]) {
                Ok(None) => {}
                Ok(Some(ascii)) => {
                    self.spelled.insert(token.span.start, ascii);
                }
                Err(()) => self.diagnostics.push(Diagnostic::error(
                    Id::C_SYNTAX,
                    "another name is spelt like this one here, where letters beyond ASCII are spelt out",
                    token.span,
                    "use another name",
                )),
            }
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// The kind of a token further on.
    pub(super) fn ahead(&self, count: usize) -> Kind {
        self.token(self.at + count).kind
    }

    /// The token of a number; the last one beyond it.
    pub(super) fn token(&self, number: usize) -> Token {
        self.tokens[number.min(self.tokens.len() - 1)]
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes on at another token.
    pub(super) fn go_to(&mut self, number: usize) {
        self.at = number.min(self.tokens.len() - 1);
        self.wanted = Wanted::default();
    }

    /// The place of the token here.
    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the last token ends.
    pub(super) fn end(&self) -> u32 {
        match self.at.checked_sub(1) {
            Some(last) => self.tokens[last].span.end,
            None => self.span().start,
        }
    }

    /// Everything from an offset to the last token.
    pub(super) fn since(&self, start: u32) -> Span {
        Span::new(start, self.end().max(start))
    }

    /// A node from an offset to the last token.
    pub(super) fn node<T>(&self, start: u32, node: T) -> Node<T> {
        Node::new(node, self.since(start))
    }

    pub(super) fn text_of(&self, token: Token) -> &str {
        match self.spelled.get(&token.span.start) {
            Some(ascii) => ascii,
            None => &self.text[token.span.range()],
        }
    }

    /// Goes to the next token.
    pub(super) fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        self.wanted = Wanted::default();
        token
    }

    pub(super) fn at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    /// Passes a token, if it is here.
    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        if self.at(kind) {
            self.next();
            return true;
        }
        self.wanted.token(kind);
        false
    }

    /// Passes a token.
    pub(super) fn expect(&mut self, kind: Kind) -> Parse<Token> {
        if self.at(kind) {
            return Ok(self.next());
        }
        self.wanted.token(kind);
        Err(Mistake)
    }

    /// Something else is needed here.
    pub(super) fn missing<T>(&mut self, what: What) -> Parse<T> {
        self.wanted.add(what);
        Err(Mistake)
    }

    /// A name.
    pub(super) fn identifier(&mut self) -> Parse<Node<Identifier>> {
        if !self.at(Kind::Identifier) {
            return self.missing(What::Name);
        }
        let token = self.next();
        let name = self.text_of(token).to_owned();
        Ok(Node::new(Identifier { name }, token.span))
    }

    /// Whether a token is a name of a type here.
    pub(super) fn is_type_name(&self, token: Token) -> bool {
        token.kind == Kind::Identifier && self.names.is_type(self.text_of(token))
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Parser<'t>) -> Parse<T>) -> Parse<T> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.depth > LIMIT {
            self.too_deep.get_or_insert(self.span());
            return Err(Mistake);
        }
        let result = ensure_stack(|| read(self));
        self.depth -= 1;
        result
    }

    /// Begins at the outermost level again.
    pub(super) fn surface(&mut self) {
        self.depth = 0;
    }

    /// Notes that one operator after the other makes a tree deep.
    pub(super) fn chain(&mut self, operators: usize) -> Parse<()> {
        let depth = self.depth + operators / OPERATORS;
        self.deepest = self.deepest.max(depth);
        if depth > LIMIT {
            self.too_deep.get_or_insert(self.span());
            return Err(Mistake);
        }
        Ok(())
    }
}
