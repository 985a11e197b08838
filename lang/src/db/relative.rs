//! Makes the places in a declaration's tree relative to its start.

use crate::ast::{
    AssignTarget, Attribute, AxiomDecl, Block, Body, Call, CallArg, Decl, Edge, Expr, ExprKind,
    Graph, Guard, Ident, PathStep, Signature, Spec, SpecKind, Stmt, StmtKind, Type, TypeKind,
    TypedIdents, Unsupported, VarDecl,
};
use crate::span::Span;
use crate::stack::ensure_stack;

/// Where a declaration starts.
pub(super) fn start(decl: &Decl) -> u32 {
    match decl {
        Decl::Type(decl) => decl.span,
        Decl::Datatype(decl) => decl.span,
        Decl::Const(decl) => decl.span,
        Decl::Function(decl) => decl.span,
        Decl::Axiom(decl) => decl.span,
        Decl::Var(decl) => decl.span,
        Decl::Procedure(decl) => decl.span,
        Decl::Implementation(decl) => decl.span,
        Decl::Error(span) => *span,
    }
    .start
}

/// Makes all places in the declaration relative to its start.
pub(super) fn decl(decl: &mut Decl) {
    Relative { start: start(decl) }.decl(decl);
}

/// Makes all places in the graph relative to its start.
pub(super) fn graph(graph: &mut Graph) {
    Relative {
        start: graph.span.start,
    }
    .graph(graph);
}

struct Relative {
    start: u32,
}

impl Relative {
    fn span(&self, span: &mut Span) {
        span.start = span.start.saturating_sub(self.start);
        span.end = span.end.saturating_sub(self.start);
    }

    fn ident(&self, ident: &mut Ident) {
        self.span(&mut ident.span);
    }

    fn idents(&self, idents: &mut [Ident]) {
        for ident in idents {
            self.ident(ident);
        }
    }

    fn attributes(&self, attributes: &mut [Attribute]) {
        for Attribute { name, args, span } in attributes {
            self.ident(name);
            self.exprs(args);
            self.span(span);
        }
    }

    fn groups(&self, groups: &mut [TypedIdents]) {
        for group in groups {
            self.group(group);
        }
    }

    fn group(&self, group: &mut TypedIdents) {
        let TypedIdents {
            attributes,
            names,
            ty,
            where_clause,
            span,
        } = group;
        self.attributes(attributes);
        self.idents(names);
        self.ty(ty);
        if let Some(clause) = where_clause {
            self.expr(clause);
        }
        self.span(span);
    }

    fn var(&self, decl: &mut VarDecl) {
        let VarDecl {
            attributes,
            groups,
            span,
        } = decl;
        self.attributes(attributes);
        self.groups(groups);
        self.span(span);
    }

    fn ty(&self, ty: &mut Type) {
        self.span(&mut ty.span);
        ensure_stack(|| match &mut ty.kind {
            TypeKind::Named { name, args } => {
                self.ident(name);
                for arg in args {
                    self.ty(arg);
                }
            }
            TypeKind::Map {
                params,
                domain,
                range,
            } => {
                self.idents(params);
                for part in domain {
                    self.ty(part);
                }
                self.ty(range);
            }
            TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::BitVector(_)
            | TypeKind::Float(_)
            | TypeKind::Error => {}
        });
    }

    fn decl(&self, decl: &mut Decl) {
        match decl {
            Decl::Type(decl) => {
                self.attributes(&mut decl.attributes);
                for item in &mut decl.items {
                    self.ident(&mut item.name);
                    self.idents(&mut item.params);
                    if let Some(synonym) = &mut item.synonym {
                        self.ty(synonym);
                    }
                    self.span(&mut item.span);
                }
                self.span(&mut decl.span);
            }
            Decl::Datatype(decl) => {
                self.attributes(&mut decl.attributes);
                self.ident(&mut decl.name);
                self.idents(&mut decl.type_params);
                for constructor in &mut decl.constructors {
                    self.ident(&mut constructor.name);
                    self.groups(&mut constructor.fields);
                    self.span(&mut constructor.span);
                }
                self.span(&mut decl.span);
            }
            Decl::Const(decl) => {
                self.attributes(&mut decl.attributes);
                self.idents(&mut decl.names);
                self.ty(&mut decl.ty);
                for parent in decl.parents.iter_mut().flatten() {
                    self.ident(&mut parent.name);
                }
                self.axioms(&mut decl.uses);
                self.span(&mut decl.span);
            }
            Decl::Function(decl) => {
                self.attributes(&mut decl.attributes);
                self.ident(&mut decl.name);
                self.idents(&mut decl.type_params);
                self.groups(&mut decl.params);
                self.group(&mut decl.result);
                if let Some(body) = &mut decl.body {
                    self.expr(body);
                }
                self.axioms(&mut decl.uses);
                self.span(&mut decl.span);
            }
            Decl::Axiom(decl) => self.axiom(decl),
            Decl::Var(decl) => self.var(decl),
            Decl::Procedure(decl) => {
                self.signature(&mut decl.signature);
                for Spec {
                    free: _,
                    attributes,
                    kind,
                    span,
                } in &mut decl.specs
                {
                    self.attributes(attributes);
                    match kind {
                        SpecKind::Requires(expr) | SpecKind::Ensures(expr) => self.expr(expr),
                        SpecKind::Modifies(names) => self.idents(names),
                    }
                    self.span(span);
                }
                if let Some(body) = &mut decl.body {
                    self.body(body);
                }
                self.span(&mut decl.span);
            }
            Decl::Implementation(decl) => {
                self.signature(&mut decl.signature);
                self.body(&mut decl.body);
                self.span(&mut decl.span);
            }
            Decl::Error(span) => self.span(span),
        }
    }

    fn axioms(&self, axioms: &mut [AxiomDecl]) {
        for axiom in axioms {
            self.axiom(axiom);
        }
    }

    fn axiom(&self, axiom: &mut AxiomDecl) {
        self.attributes(&mut axiom.attributes);
        self.expr(&mut axiom.expr);
        self.span(&mut axiom.span);
    }

    fn signature(&self, signature: &mut Signature) {
        let Signature {
            attributes,
            name,
            type_params,
            params,
            results,
            span,
        } = signature;
        self.attributes(attributes);
        self.ident(name);
        self.idents(type_params);
        self.groups(params);
        self.groups(results);
        self.span(span);
    }

    fn body(&self, body: &mut Body) {
        for local in &mut body.locals {
            self.var(local);
        }
        self.block(&mut body.block);
        self.span(&mut body.span);
    }

    fn block(&self, block: &mut Block) {
        self.stmts(&mut block.stmts);
        self.span(&mut block.span);
    }

    fn stmts(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            ensure_stack(|| self.stmt(stmt));
        }
    }

    fn stmt(&self, stmt: &mut Stmt) {
        self.span(&mut stmt.span);
        self.attributes(&mut stmt.attributes);
        match &mut stmt.kind {
            StmtKind::Label(name) => self.ident(name),
            StmtKind::Assert(expr) | StmtKind::Assume(expr) => self.expr(expr),
            StmtKind::Havoc(names) | StmtKind::Goto(names) => self.idents(names),
            StmtKind::Assign { targets, values } => {
                for AssignTarget { name, path, span } in targets {
                    self.ident(name);
                    for step in path {
                        match step {
                            PathStep::Index(indices, span) => {
                                self.exprs(indices);
                                self.span(span);
                            }
                            PathStep::Field(name) => self.ident(name),
                        }
                    }
                    self.span(span);
                }
                self.exprs(values);
            }
            StmtKind::Unpack {
                constructor,
                targets,
                value,
            } => {
                self.ident(constructor);
                self.idents(targets);
                self.expr(value);
            }
            StmtKind::Call { free: _, call } => self.call(call),
            StmtKind::CallForall { name, args } => {
                self.ident(name);
                for arg in args {
                    match arg {
                        CallArg::Any(span) => self.span(span),
                        CallArg::Expr(expr) => self.expr(expr),
                    }
                }
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (guard, block) in branches {
                    self.guard(guard);
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            StmtKind::While {
                guard,
                invariants,
                body,
            } => {
                self.guard(guard);
                for invariant in invariants {
                    self.attributes(&mut invariant.attributes);
                    self.expr(&mut invariant.expr);
                    self.span(&mut invariant.span);
                }
                self.block(body);
            }
            StmtKind::Break(label) => {
                if let Some(label) = label {
                    self.ident(label);
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Unsupported(unsupported) => match unsupported {
                Unsupported::AsyncCall(call) => self.call(call),
                Unsupported::ParallelCall(calls) => {
                    for call in calls {
                        self.call(call);
                    }
                }
                Unsupported::Atomic(block) => self.block(block),
                Unsupported::Visibility { reveal: _, name } => {
                    if let Some(name) = name {
                        self.ident(name);
                    }
                }
                Unsupported::Yield | Unsupported::Push | Unsupported::Pop => {}
            },
            StmtKind::Error => {}
        }
    }

    fn guard(&self, guard: &mut Guard) {
        match guard {
            Guard::Any(span) => self.span(span),
            Guard::Expr(expr) => self.expr(expr),
        }
    }

    fn call(&self, call: &mut Call) {
        let Call {
            attributes,
            targets,
            name,
            args,
            span,
        } = call;
        self.attributes(attributes);
        self.idents(targets);
        self.ident(name);
        self.exprs(args);
        self.span(span);
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&self, expr: &mut Expr) {
        self.span(&mut expr.span);
        ensure_stack(|| self.expr_kind(&mut expr.kind));
    }

    fn expr_kind(&self, kind: &mut ExprKind) {
        match kind {
            ExprKind::Literal(_) | ExprKind::Error => {}
            ExprKind::Ident(name) | ExprKind::Primed(name) => self.ident(name),
            ExprKind::Call { name, args } => {
                self.ident(name);
                self.exprs(args);
            }
            ExprKind::Unary { op: _, operand }
            | ExprKind::Extract { operand, .. }
            | ExprKind::Old(operand)
            | ExprKind::ToInt(operand)
            | ExprKind::ToReal(operand) => self.expr(operand),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                for link in rest {
                    self.span(&mut link.op_span);
                    self.expr(&mut link.operand);
                }
            }
            ExprKind::Select { map, indices } => {
                self.expr(map);
                self.exprs(indices);
            }
            ExprKind::Store {
                map,
                indices,
                value,
            } => {
                self.expr(map);
                self.exprs(indices);
                self.expr(value);
            }
            ExprKind::Field {
                operand,
                field: name,
            }
            | ExprKind::Is {
                operand,
                constructor: name,
            } => {
                self.expr(operand);
                self.ident(name);
            }
            ExprKind::FieldUpdate {
                operand,
                field,
                value,
            } => {
                self.expr(operand);
                self.ident(field);
                self.expr(value);
            }
            ExprKind::IfThenElse {
                branches,
                otherwise,
            } => {
                for (condition, value) in branches {
                    self.expr(condition);
                    self.expr(value);
                }
                self.expr(otherwise);
            }
            ExprKind::Ascription { operand, ty } => {
                self.expr(operand);
                self.ty(ty);
            }
            ExprKind::Quantifier(quantifier) => {
                self.idents(&mut quantifier.type_params);
                self.groups(&mut quantifier.vars);
                self.attributes(&mut quantifier.attributes);
                for trigger in &mut quantifier.triggers {
                    self.exprs(&mut trigger.exprs);
                    self.span(&mut trigger.span);
                }
                self.expr(&mut quantifier.body);
            }
            ExprKind::Let(binding) => {
                for (attributes, name) in &mut binding.names {
                    self.attributes(attributes);
                    self.ident(name);
                }
                self.exprs(&mut binding.values);
                self.attributes(&mut binding.attributes);
                self.expr(&mut binding.body);
            }
            ExprKind::Code(code) => {
                for local in &mut code.locals {
                    self.var(local);
                }
                self.stmts(&mut code.stmts);
            }
        }
    }

    fn graph(&self, graph: &mut Graph) {
        let Graph {
            attributes,
            name,
            vars,
            locations,
            edges,
            span,
        } = graph;
        self.attributes(attributes);
        self.ident(name);
        self.groups(vars);
        for location in locations {
            self.attributes(&mut location.attributes);
            self.ident(&mut location.name);
            self.span(&mut location.span);
        }
        for edge in edges {
            self.edge(edge);
        }
        self.span(span);
    }

    fn edge(&self, edge: &mut Edge) {
        let Edge {
            attributes,
            from,
            to,
            locals,
            havocs,
            lets,
            formula,
            span,
        } = edge;
        self.attributes(attributes);
        self.ident(from);
        self.ident(to);
        for group in locals {
            self.idents(&mut group.names);
            self.ty(&mut group.ty);
            self.span(&mut group.span);
        }
        self.idents(havocs);
        for binding in lets {
            self.ident(&mut binding.name);
            self.expr(&mut binding.value);
            self.span(&mut binding.span);
        }
        if let Some(formula) = formula {
            self.expr(formula);
        }
        self.span(span);
    }
}
