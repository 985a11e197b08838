//! The grammars' actions: everything between "seen" and "a node of the tree" that is more than a constructor call.

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
        // What is no token has its own diagnostic.
        let is_reported = self
            .tokens
            .get(index)
            .is_some_and(|t| t.token == Token::Error);
        if !is_consequence && !is_reported {
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

    // Expressions

    pub(super) fn expr(&self, l: u32, kind: ExprKind, r: u32) -> Expr {
        self.quiet.set(0);
        Expr::new(kind, Span::new(l, r))
    }

    /// A chain of operators of one level, checked for mixtures that the language does not read.
    pub(super) fn chain(&self, l: u32, begun: Begun, last: Expr, r: u32) -> Expr {
        let Begun {
            first,
            op,
            mut rest,
        } = begun;
        rest.push(ChainLink {
            op: op.0,
            op_span: op.1,
            operand: last,
        });
        let op = rest[0].op;
        match op.precedence() {
            Precedence::Relation if rest.len() > 1 => self.chained_comparison(&rest),
            Precedence::Logical => {
                if let Some(other) = rest.iter().find(|link| link.op != op) {
                    self.mixed_operators(&rest[0], other);
                }
            }
            Precedence::Implies => return self.implications(l, first, rest, r),
            _ => {}
        }
        self.expr(
            l,
            ExprKind::Chain {
                first: first.into(),
                rest,
            },
            r,
        )
    }

    /// `a ==> b ==> c` is read from the right, `a <== b <== c` from the left; `a ==> b <== c` is `a ==> (b <== c)`,
    /// and `a <== b ==> c` is nothing.
    fn implications(&self, l: u32, first: Expr, mut rest: Vec<ChainLink>, r: u32) -> Expr {
        let implies = rest
            .iter()
            .take_while(|link| link.op == BinaryOp::Implies)
            .count();
        if let Some(other) = rest[implies..]
            .iter()
            .find(|link| link.op == BinaryOp::Implies)
        {
            self.mixed_operators(&rest[implies], other);
        } else if implies > 0 && implies < rest.len() {
            let explies = rest.split_off(implies);
            if let Some(mut last) = rest.pop() {
                let start = last.operand.span.start;
                last.operand = self.expr(
                    start,
                    ExprKind::Chain {
                        first: last.operand.into(),
                        rest: explies,
                    },
                    r,
                );
                rest.push(last);
            }
        }
        self.expr(
            l,
            ExprKind::Chain {
                first: first.into(),
                rest,
            },
            r,
        )
    }

    fn mixed_operators(&self, one: &ChainLink, other: &ChainLink) {
        let (a, b) = (one.op.text(), other.op.text());
        self.report(
            Diagnostic::error(
                Id::MIXED_OPERATORS,
                format!("`{a}` and `{b}` do not mix without parentheses"),
                other.op_span,
                format!("`{b}` behind `{a}`"),
            )
            .with_label(one.op_span, format!("the first `{a}`"))
            .with_help(format!("write `(p {a} q) {b} r` or `p {a} (q {b} r)`")),
        );
    }

    fn chained_comparison(&self, rest: &[ChainLink]) {
        let (a, b) = (rest[0].op.text(), rest[1].op.text());
        self.report(
            Diagnostic::error(
                Id::CHAINED_COMPARISON,
                "comparisons do not form chains",
                rest[1].op_span,
                "the second comparison",
            )
            .with_label(rest[0].op_span, "the first comparison")
            .with_help(format!("write `x {a} y && y {b} z`")),
        );
    }

    /// `e[hi:lo]`. The bounds are numerals; `hi` was read as an expression because it could have become an ascription.
    pub(super) fn extract(&self, l: u32, operand: Expr, high: Expr, low: Span, r: u32) -> Expr {
        let span = Span::new(l, r);
        let high_span = high.span;
        let is_numeral = matches!(high.kind, ExprKind::Literal(Literal::Int(_)))
            && self
                .slice(high_span.start, high_span.end)
                .bytes()
                .all(|b| b.is_ascii_digit());
        let help = "bits are taken out by `e[high:low]` with two numerals, from bit `low` up to but without bit `high`";
        if !is_numeral {
            self.report(
                Diagnostic::error(
                    Id::BAD_BIT_RANGE,
                    "the bounds of a bit range are numerals",
                    high_span,
                    "not a numeral",
                )
                .with_help(help),
            );
            return Expr::new(ExprKind::Error, span);
        }
        let bounds = token::parse_size(self.slice(high_span.start, high_span.end))
            .and_then(|high| Ok((high, token::parse_size(self.slice(low.start, low.end))?)));
        match bounds {
            Ok((high, low)) if high >= low => Expr::new(
                ExprKind::Extract {
                    operand: operand.into(),
                    high,
                    low,
                },
                span,
            ),
            Ok(_) => {
                self.report(
                    Diagnostic::error(
                        Id::BAD_BIT_RANGE,
                        "this bit range ends before it begins",
                        high_span.join(low),
                        "high bound first",
                    )
                    .with_help(help),
                );
                Expr::new(ExprKind::Error, span)
            }
            Err(reason) => {
                self.bad_literal(high_span.join(low), reason);
                Expr::new(ExprKind::Error, span)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn quantifier(
        &self,
        l: u32,
        binder: Binder,
        type_params: Vec<Ident>,
        vars: Vec<TypedIdents>,
        hints: Vec<Hint>,
        body: Expr,
        r: u32,
    ) -> Expr {
        let (mut attributes, mut triggers) = (vec![], vec![]);
        for hint in hints {
            match hint {
                Hint::Attribute(attribute) => attributes.push(attribute),
                Hint::Trigger(trigger) => triggers.push(trigger),
            }
        }
        let vars = self.without_where(vars);
        self.expr(
            l,
            ExprKind::Quantifier(
                Quantifier {
                    binder,
                    type_params,
                    vars,
                    attributes,
                    triggers,
                    body,
                }
                .into(),
            ),
            r,
        )
    }

    /// Reports where clauses at names that cannot have one.
    pub(super) fn without_where(&self, mut groups: Vec<TypedIdents>) -> Vec<TypedIdents> {
        for group in &mut groups {
            if let Some(clause) = group.where_clause.take() {
                self.report(
                    Diagnostic::error(
                        Id::MISPLACED_WHERE,
                        "no where clause is allowed here",
                        clause.span,
                        "this condition",
                    )
                    .with_help(
                        "only variables, parameters and results of procedures have where clauses",
                    ),
                );
            }
        }
        groups
    }

    // Declarations

    /// A type declaration. `finite` is a name today, but was a keyword before the first name.
    pub(super) fn type_decl(
        &self,
        l: u32,
        attributes: Vec<Attribute>,
        mut items: Vec<TypeDeclItem>,
        r: u32,
    ) -> TypeDecl {
        let mut finite = false;
        if let Some(first) = items.first_mut()
            && &*first.name.name == "finite"
            && !first.params.is_empty()
        {
            finite = true;
            first.name = first.params.remove(0);
            first.span.start = first.name.span.start;
        }
        TypeDecl {
            attributes,
            finite,
            items,
            span: Span::new(l, r),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn function(
        &self,
        l: u32,
        attributes: Vec<Attribute>,
        name: Ident,
        type_params: Vec<Ident>,
        params: Vec<TypedIdents>,
        result: TypedIdents,
        (body, uses): (Option<Expr>, Vec<AxiomDecl>),
        r: u32,
    ) -> FunctionDecl {
        let find = |name: &str| attributes.iter().find(|a| &*a.name.name == name);
        if let (Some(define), Some(inline)) = (find("define"), find("inline")) {
            self.report(
                Diagnostic::error(
                    Id::DEFINE_AND_INLINE,
                    format!(
                        "the function `{}` is both `:define` and `:inline`",
                        name.name
                    ),
                    name.span,
                    "has both attributes",
                )
                .with_label(define.span, "defined in the solver")
                .with_label(inline.span, "replaced by its body")
                .with_help("keep one of the two attributes"),
            );
        }
        FunctionDecl {
            attributes,
            name,
            type_params,
            params,
            result: result.into(),
            body,
            uses,
            span: Span::new(l, r),
        }
    }

    /// `x: T`, where `x` was read as a type.
    pub(super) fn parameter(
        &self,
        l: u32,
        attributes: Vec<Attribute>,
        name: Type,
        ty: Type,
        r: u32,
    ) -> TypedIdents {
        let span = Span::new(l, r);
        let names = match &name.kind {
            TypeKind::Named { name: ident, args } if args.is_empty() && ident.span == name.span => {
                vec![ident.clone()]
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        Id::BAD_PARAMETER,
                        "this parameter has no proper name",
                        name.span,
                        "a name is expected here",
                    )
                    .with_help("a parameter is written `x: int`, or without a name as `int`"),
                );
                vec![]
            }
        };
        TypedIdents {
            attributes,
            names,
            ty,
            where_clause: None,
            span,
        }
    }

    // Statements

    pub(super) fn stmt(&self, l: u32, attributes: Vec<Attribute>, kind: StmtKind, r: u32) -> Stmt {
        self.quiet.set(0);
        Stmt {
            kind,
            attributes,
            span: Span::new(l, r),
        }
    }

    /// The guard `(*)`.
    pub(super) fn any(&self, l: u32, r: u32) -> Guard {
        self.quiet.set(0);
        Guard::Any(Span::new(l, r))
    }

    pub(super) fn unsupported(&self, l: u32, what: Unsupported, r: u32) -> Stmt {
        self.stmt(l, vec![], StmtKind::Unsupported(what), r)
    }

    /// One call, or several at once.
    pub(super) fn call_stmt(&self, l: u32, free: bool, mut calls: Vec<Call>, r: u32) -> Stmt {
        match calls.pop() {
            Some(call) if calls.is_empty() => {
                self.stmt(l, vec![], StmtKind::Call { free, call }, r)
            }
            last => {
                calls.extend(last);
                self.unsupported(l, Unsupported::ParallelCall(calls), r)
            }
        }
    }

    pub(super) fn body(&self, l: u32, items: Vec<Item>, r: u32) -> Body {
        let span = Span::new(l, r);
        let (locals, stmts) = self.locals_and_stmts(items);
        Body {
            locals,
            block: Block { stmts, span },
            span,
        }
    }

    pub(super) fn code(&self, l: u32, items: Vec<Item>, r: u32) -> Expr {
        let (locals, stmts) = self.locals_and_stmts(items);
        self.expr(l, ExprKind::Code(CodeExpr { locals, stmts }.into()), r)
    }

    /// A block inside a body: its local variables are reported and handed to the body.
    pub(super) fn block(&self, l: u32, items: Vec<Item>, r: u32) -> Block {
        let mut stmts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Stmt(stmt) => stmts.push(stmt),
                Item::Local(local) => self.late_local(local),
            }
        }
        Block {
            stmts,
            span: Span::new(l, r),
        }
    }

    fn late_local(&self, local: VarDecl) {
        self.report(
            Diagnostic::error(
                Id::LATE_LOCAL,
                "local variables are declared at the beginning of the body",
                local.span,
                "declared among statements",
            )
            .with_help("move the declaration to the beginning of the procedure's body"),
        );
        self.late_locals.borrow_mut().push(local);
    }

    fn locals_and_stmts(&self, items: Vec<Item>) -> (Vec<VarDecl>, Vec<Stmt>) {
        let mut locals = vec![];
        let mut stmts = Vec::with_capacity(items.len());
        let mut begun = false;
        for item in items {
            match item {
                Item::Stmt(stmt) => {
                    begun |= !matches!(stmt.kind, StmtKind::Error);
                    stmts.push(stmt);
                }
                Item::Local(local) if !begun => locals.push(local),
                Item::Local(local) => self.late_local(local),
            }
        }
        locals.append(&mut self.late_locals.borrow_mut());
        (locals, stmts)
    }

    // Graphs

    pub(super) fn graph(
        &self,
        l: u32,
        attributes: Vec<Attribute>,
        name: Ident,
        items: Vec<GraphItem>,
        r: u32,
    ) -> Graph {
        let mut graph = Graph {
            attributes,
            name,
            vars: vec![],
            locations: vec![],
            edges: vec![],
            span: Span::new(l, r),
        };
        for item in items {
            match item {
                GraphItem::Vars(vars) => graph.vars.extend(vars),
                GraphItem::Location(location) => graph.locations.push(location),
                GraphItem::Edge(edge) => graph.edges.push(edge),
            }
        }
        graph
    }
}
