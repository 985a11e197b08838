//! Declarations, statements and graphs.

use super::{Builder, GraphItem, Item};
use crate::ast::*;
use crate::diagnostic::{Diagnostic, Id};
use crate::span::Span;

impl Builder<'_> {
    /// A type declaration. `finite` is a name today, but was a keyword before the first name.
    pub(in crate::parse) fn type_decl(
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
    pub(in crate::parse) fn function(
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
    pub(in crate::parse) fn parameter(
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

    pub(in crate::parse) fn stmt(
        &self,
        l: u32,
        attributes: Vec<Attribute>,
        kind: StmtKind,
        r: u32,
    ) -> Stmt {
        self.quiet.set(0);
        Stmt {
            kind,
            attributes,
            span: Span::new(l, r),
        }
    }

    /// The guard `(*)`.
    pub(in crate::parse) fn any(&self, l: u32, r: u32) -> Guard {
        self.quiet.set(0);
        Guard::Any(Span::new(l, r))
    }

    pub(in crate::parse) fn unsupported(&self, l: u32, what: Unsupported, r: u32) -> Stmt {
        self.stmt(l, vec![], StmtKind::Unsupported(what), r)
    }

    /// One call, or several at once.
    pub(in crate::parse) fn call_stmt(
        &self,
        l: u32,
        free: bool,
        mut calls: Vec<Call>,
        r: u32,
    ) -> Stmt {
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

    pub(in crate::parse) fn body(&self, l: u32, items: Vec<Item>, r: u32) -> Body {
        let span = Span::new(l, r);
        let (locals, stmts) = self.locals_and_stmts(items);
        Body {
            locals,
            block: Block { stmts, span },
            span,
        }
    }

    pub(in crate::parse) fn code(&self, l: u32, items: Vec<Item>, r: u32) -> Expr {
        let (locals, stmts) = self.locals_and_stmts(items);
        self.expr(l, ExprKind::Code(CodeExpr { locals, stmts }.into()), r)
    }

    /// A block inside a body: its local variables are reported and handed to the body.
    pub(in crate::parse) fn block(&self, l: u32, items: Vec<Item>, r: u32) -> Block {
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

    pub(in crate::parse) fn graph(
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
