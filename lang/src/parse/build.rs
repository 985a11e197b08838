//! The grammars' actions: everything between "seen" and "a node of the tree" that is more than a constructor call.

mod decl;
mod expr;

use super::expected;
use super::{MAX_NESTING, Tokens};
use crate::ast::*;
use crate::diagnostic::{Diagnostic, Id};
use crate::span::Span;
use crate::token::{self, Language, Reason, Spanned, Token};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Stops the parser: there were too many errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop;

/// What lalrpop says when it meets an error.
pub(super) type Recovery = lalrpop_util::ErrorRecovery<u32, Token, Stop>;

/// What lalrpop says when it gives up.
pub(super) type Failure = lalrpop_util::ParseError<u32, Token, Stop>;

/// After so many syntax errors the parser stops. A text with more of them is no program.
const MAX_ERRORS: usize = 100;

/// Makes nodes, with the source text at hand, and collects what is wrong with them.
pub(super) struct Builder<'b> {
    text: &'b str,
    language: Language,
    tokens: Tokens<'b>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    errors: Cell<usize>,
    /// The token at which reading was resumed after the last syntax error.
    resumed: Cell<Option<usize>>,
    /// How many tokens the parser took since it last built something.
    quiet: Cell<usize>,
    /// Local variables declared inside blocks, on their way to the body.
    late_locals: RefCell<Vec<VarDecl>>,
}

/// A statement or the declaration of local variables.
pub(super) enum Item {
    Stmt(Stmt),
    Local(VarDecl),
}

/// Operands of one level that await their last.
pub(super) struct Begun {
    first: Expr,
    op: (BinaryOp, Span),
    rest: Vec<ChainLink>,
}

impl Begun {
    pub(super) fn new(first: Expr, op: (BinaryOp, Span)) -> Begun {
        Begun {
            first,
            op,
            rest: Vec::new(),
        }
    }

    pub(super) fn and(mut self, next: Expr, op: (BinaryOp, Span)) -> Begun {
        let last = std::mem::replace(&mut self.op, op);
        self.rest.push(ChainLink {
            op: last.0,
            op_span: last.1,
            operand: next,
        });
        self
    }
}

/// What stands between the variables and the body of a quantifier.
pub(super) enum Hint {
    Attribute(Attribute),
    Trigger(Trigger),
}

/// An item of a graph.
pub(super) enum GraphItem {
    Vars(Vec<TypedIdents>),
    Location(LocationDecl),
    Edge(Edge),
}

/// An edge's ends and attributes.
pub(super) struct EdgeHead {
    pub(super) from: Ident,
    pub(super) to: Ident,
    pub(super) attributes: Vec<Attribute>,
}

/// What an edge does.
#[derive(Default)]
pub(super) struct EdgeBody {
    pub(super) locals: Vec<LocalGroup>,
    pub(super) havocs: Vec<Ident>,
    pub(super) lets: Vec<LetBinding>,
    pub(super) formula: Option<Expr>,
}

impl EdgeBody {
    pub(super) fn formula(formula: Expr) -> EdgeBody {
        EdgeBody {
            formula: Some(formula),
            ..EdgeBody::default()
        }
    }
}

impl EdgeHead {
    pub(super) fn edge(self, l: u32, body: EdgeBody, r: u32) -> Edge {
        let EdgeBody {
            locals,
            havocs,
            lets,
            formula,
        } = body;
        let EdgeHead {
            from,
            to,
            attributes,
        } = self;
        Edge {
            attributes,
            from,
            to,
            locals,
            havocs,
            lets,
            formula,
            span: Span::new(l, r),
        }
    }
}

impl AssignTarget {
    /// The part that one further step leads to.
    pub(super) fn step(mut self, step: PathStep, r: u32) -> AssignTarget {
        self.path.push(step);
        self.span.end = r;
        self
    }
}

pub(super) fn push<T>(mut list: Vec<T>, item: T) -> Vec<T> {
    list.push(item);
    list
}

/// What was skipped, as a statement.
pub(super) fn error_item(skipped: Span) -> Item {
    Item::Stmt(Stmt {
        kind: StmtKind::Error,
        attributes: vec![],
        span: skipped,
    })
}

pub(super) fn append(mut items: Vec<Item>, block: Block) -> Vec<Item> {
    items.extend(block.stmts.into_iter().map(Item::Stmt));
    items
}

pub(super) fn map_type(l: u32, params: Vec<Ident>, domain: Vec<Type>, range: Type, r: u32) -> Type {
    Type::new(
        TypeKind::Map {
            params,
            domain,
            range: range.into(),
        },
        Span::new(l, r),
    )
}

pub(super) fn unnamed(attributes: Vec<Attribute>, ty: Type) -> TypedIdents {
    let span = attributes.first().map_or(ty.span, |a| a.span.join(ty.span));
    TypedIdents {
        attributes,
        names: vec![],
        ty,
        where_clause: None,
        span,
    }
}

impl<'b> Builder<'b> {
    pub(super) fn new(
        text: &'b str,
        language: Language,
        tokens: Tokens<'b>,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        Builder {
            text,
            language,
            tokens,
            diagnostics: RefCell::new(diagnostics),
            errors: Cell::new(0),
            resumed: Cell::new(None),
            quiet: Cell::new(0),
            late_locals: RefCell::default(),
        }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// The next token for the parser.
    ///
    /// While lalrpop looks for a place to go on after an error, it compares each token with all states on its stack. If
    /// that takes long, it gets only those tokens at which it can go on. Brackets within the limit hold a name, literal,
    /// type or guard before so many tokens have passed, so no token of a correct text is ever left out.
    pub(super) fn next(&self, tokens: &mut std::slice::Iter<'b, Spanned>) -> Option<super::Triple> {
        if self.errors.get() >= MAX_ERRORS {
            return Some(Err(Stop));
        }
        let quiet = self.quiet.get() + 1;
        self.quiet.set(quiet);
        let next = match quiet > 3 * MAX_NESTING {
            true => tokens
                .find(|t| t.token.is_word() && !t.token.is_soft() || t.token == Token::Semicolon),
            false => tokens.next(),
        };
        next.map(|spanned| Ok((spanned.span.start, spanned.token, spanned.span.end)))
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    fn slice(&self, l: u32, r: u32) -> &'b str {
        &self.text[l as usize..r as usize]
    }

    // Syntax errors

    /// Reports the error that reading recovered from; returns the place of what was skipped.
    pub(super) fn recover(&self, recovery: Recovery, l: u32, r: u32) -> Span {
        let mut span = Span::new(l, r);
        for (start, _, end) in &recovery.dropped_tokens {
            span = span.join(Span::new(*start, *end));
        }
        let index = self.fail(recovery.error);
        self.resumed
            .set(index.map(|index| index + recovery.dropped_tokens.len()));
        span
    }

    /// Reports an error, unless it probably follows from one that was reported before: then it comes at once where
    /// reading was resumed. Returns the index of the token that was not expected.
    pub(super) fn fail(&self, failure: Failure) -> Option<usize> {
        self.quiet.set(0);
        self.errors.set(self.errors.get() + 1);
        let (place, expected) = match failure {
            Failure::UnrecognizedToken {
                token: (l, _, _),
                expected,
            } => (l, expected),
            Failure::UnrecognizedEof { expected, .. } => (self.text.len() as u32, expected),
            Failure::ExtraToken { token: (l, _, _) } => (l, Vec::new()),
            Failure::InvalidToken { location } => (location, Vec::new()),
            Failure::User { error: Stop } => return None,
        };
        let index = self.tokens.partition_point(|t| t.span.start < place);
        let is_consequence = self
            .resumed
            .get()
            .is_some_and(|resumed| index < resumed + 2);
        // What is wrong with the head of a loop as in C was said at its beginning.
        let (before, reported) = (&self.tokens[..index], self.diagnostics.borrow());
        let since = |start| {
            reported
                .iter()
                .any(|d| d.is_error() && d.span().start >= start)
        };
        let is_told =
            !reported.is_empty() && expected::counting_loop(self.text, before).is_some_and(since);
        drop(reported);
        // What is no token has its own diagnostic.
        let is_reported = self
            .tokens
            .get(index)
            .is_some_and(|t| t.token == Token::Error);
        if !is_consequence && !is_told && !is_reported {
            let diagnostic =
                expected::diagnostic(self.text, self.language, self.tokens, index, &expected);
            self.diagnostics.borrow_mut().extend(diagnostic);
        }
        Some(index)
    }

    // Names and literals

    pub(super) fn name(&self, l: u32, r: u32) -> Ident {
        self.quiet.set(0);
        let text = self.slice(l, r);
        let name: Arc<str> = match text.as_bytes().first() {
            Some(b'\\') if text.len() > 1 => text[1..].into(),
            Some(b'`') if self.language == Language::Graph => {
                token::unescape_backticks(&text[1..text.len() - 1]).into()
            }
            _ => text.into(),
        };
        Ident {
            name,
            span: Span::new(l, r),
        }
    }

    pub(super) fn string(&self, l: u32, r: u32) -> String {
        token::unescape(self.slice(l + 1, r - 1))
    }

    pub(super) fn literal(&self, l: u32, literal: Literal, r: u32) -> Expr {
        self.expr(l, ExprKind::Literal(literal), r)
    }

    /// A literal, if its text has a value.
    fn valued(&self, l: u32, literal: Result<Literal, Reason>, r: u32) -> Expr {
        match literal {
            Ok(literal) => self.literal(l, literal, r),
            Err(reason) => {
                self.bad_literal(Span::new(l, r), reason);
                self.expr(l, ExprKind::Error, r)
            }
        }
    }

    fn bad_literal(&self, span: Span, reason: Reason) {
        self.report(match reason {
            Reason::Invalid(reason) => {
                Diagnostic::error(Id::BAD_LITERAL, "this literal has no value", span, reason)
            }
            Reason::Limit(reason) => {
                Diagnostic::error(Id::LIMIT, "this number is beyond the limits", span, reason)
            }
        });
    }

    pub(super) fn int(&self, l: u32, r: u32) -> Expr {
        self.valued(l, token::parse_int(self.slice(l, r)).map(Literal::Int), r)
    }

    pub(super) fn real(&self, l: u32, r: u32) -> Expr {
        self.valued(l, token::parse_real(self.slice(l, r)).map(Literal::Real), r)
    }

    pub(super) fn bit_vector(&self, l: u32, r: u32) -> Expr {
        let value = token::parse_bit_vector(self.slice(l, r));
        self.valued(
            l,
            value.map(|(value, width)| Literal::BitVector { value, width }),
            r,
        )
    }

    pub(super) fn float(&self, l: u32, r: u32) -> Expr {
        self.valued(
            l,
            token::parse_float(self.slice(l, r)).map(Literal::Float),
            r,
        )
    }

    pub(super) fn rounding_mode(&self, l: u32, r: u32) -> Expr {
        match token::rounding_mode(self.slice(l, r)) {
            Some(mode) => self.literal(l, Literal::RoundingMode(mode), r),
            None => self.expr(l, ExprKind::Error, r),
        }
    }

    // Types

    pub(super) fn ty(&self, l: u32, kind: TypeKind, r: u32) -> Type {
        self.quiet.set(0);
        Type::new(kind, Span::new(l, r))
    }

    /// A name with arguments, which is a built-in type if the name is one.
    pub(super) fn named_type(&self, l: u32, name: Ident, args: Vec<Type>, r: u32) -> Type {
        let span = Span::new(l, r);
        let is_number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let kind = if let Some(width) = name.name.strip_prefix("bv").filter(|s| is_number(s)) {
            token::parse_size(width).map(TypeKind::BitVector)
        } else if let Some(format) = name.name.strip_prefix("float").filter(|s| {
            s.split_once('e')
                .is_some_and(|(a, b)| is_number(a) && is_number(b))
        }) {
            token::parse_format(format).map(TypeKind::Float)
        } else {
            return Type::new(TypeKind::Named { name, args }, span);
        };
        match kind {
            Ok(kind) if args.is_empty() => Type::new(kind, span),
            Ok(_) => Type::new(TypeKind::Named { name, args }, span),
            Err(Reason::Invalid(reason)) => {
                self.report(Diagnostic::error(
                    Id::NO_SUCH_TYPE,
                    "there is no such type",
                    span,
                    reason,
                ));
                Type::new(TypeKind::Error, span)
            }
            Err(reason) => {
                self.bad_literal(span, reason);
                Type::new(TypeKind::Error, span)
            }
        }
    }
}
