//! Moves the typed form of a declaration to its place in the program, and a program to another text.

use crate::hir::{
    Attribute, AttributeArgument, Bound, BoundId, Condition, Expr, ExprKind, Implementation,
    MapType, Program, Stmt, StmtKind, Type, TypeParameter, TypeVarId, VarRef, Variable,
};
use crate::resolve::types::SKOLEM;
use crate::span::Span;
use crate::stack::ensure_stack;

use super::item::Contents;

/// Where spans go.
#[derive(Clone, Copy)]
pub(super) enum Move<'p> {
    /// So many bytes forward: to where the declaration starts in the text.
    By(u32),
    /// To the places of another text.
    To(&'p dyn Fn(Span) -> Span),
}

/// How far to move what a declaration contains.
#[derive(Clone, Copy)]
pub(super) struct Rebase<'p> {
    /// Where spans go.
    pub places: Move<'p>,
    /// How many bound variables come before.
    pub bounds: u32,
    /// Type variables from this number on were bound inside of the declaration.
    pub first_type_var: u32,
    /// How many of those come before.
    pub type_vars: u32,
}

/// Puts another span in the place of each span of the program: for a program that was made of a text in another language,
/// and whose places are to be those of that text.
pub fn relocate(program: &mut Program, place: &dyn Fn(Span) -> Span) {
    let rebase = Rebase {
        places: Move::To(place),
        bounds: 0,
        first_type_var: 0,
        type_vars: 0,
    };
    let background = &mut program.background;
    let mut contents = Contents {
        types: std::mem::take(&mut background.types),
        datatypes: std::mem::take(&mut background.datatypes),
        constants: std::mem::take(&mut background.constants),
        functions: std::mem::take(&mut background.functions),
        axioms: std::mem::take(&mut background.axioms),
        globals: std::mem::take(&mut program.globals),
        procedures: std::mem::take(&mut program.procedures),
        implementations: std::mem::take(&mut program.implementations),
    };
    rebase.contents(&mut contents);
    background.types = contents.types;
    background.datatypes = contents.datatypes;
    background.constants = contents.constants;
    background.functions = contents.functions;
    background.axioms = contents.axioms;
    program.globals = contents.globals;
    program.procedures = contents.procedures;
    program.implementations = contents.implementations;
}

impl Rebase<'_> {
    pub(super) fn contents(&self, contents: &mut Contents) {
        for ty in &mut contents.types {
            self.span(&mut ty.span);
            self.attributes(&mut ty.attributes);
        }
        for datatype in &mut contents.datatypes {
            self.span(&mut datatype.span);
            self.type_params(&mut datatype.type_params);
            for constructor in &mut datatype.constructors {
                self.span(&mut constructor.span);
            }
            for field in &mut datatype.fields {
                self.span(&mut field.span);
            }
            self.attributes(&mut datatype.attributes);
        }
        for constant in &mut contents.constants {
            self.span(&mut constant.span);
            self.attributes(&mut constant.attributes);
        }
        for function in &mut contents.functions {
            self.span(&mut function.span);
            self.type_params(&mut function.type_params);
            self.bound(&mut function.params);
            if let Some(body) = &mut function.body {
                self.expr(body);
            }
            self.attributes(&mut function.attributes);
        }
        for axiom in &mut contents.axioms {
            self.span(&mut axiom.span);
            self.expr(&mut axiom.formula);
            self.attributes(&mut axiom.attributes);
        }
        for global in &mut contents.globals {
            self.span(&mut global.span);
            if let Some(clause) = &mut global.where_clause {
                self.expr(clause);
            }
            self.attributes(&mut global.attributes);
        }
        for procedure in &mut contents.procedures {
            self.span(&mut procedure.span);
            self.type_params(&mut procedure.type_params);
            self.variables(&mut procedure.ins);
            self.variables(&mut procedure.outs);
            self.conditions(&mut procedure.requires);
            self.conditions(&mut procedure.ensures);
            self.attributes(&mut procedure.attributes);
        }
        for implementation in &mut contents.implementations {
            self.implementation(implementation);
        }
    }

    fn implementation(&self, implementation: &mut Implementation) {
        self.span(&mut implementation.span);
        self.span(&mut implementation.end);
        self.variables(&mut implementation.ins);
        self.variables(&mut implementation.outs);
        self.variables(&mut implementation.locals);
        for label in &mut implementation.labels {
            self.span(&mut label.span);
        }
        self.stmts(&mut implementation.body);
        self.attributes(&mut implementation.attributes);
    }

    pub(super) fn span(&self, span: &mut Span) {
        *span = match self.places {
            Move::By(start) => Span::new(
                span.start.saturating_add(start),
                span.end.saturating_add(start),
            ),
            Move::To(place) => place(*span),
        };
    }

    fn bound_id(&self, id: &mut BoundId) {
        id.0 = id.0.saturating_add(self.bounds);
    }

    fn type_var(&self, id: &mut TypeVarId) {
        if (self.first_type_var..SKOLEM).contains(&id.0) {
            id.0 = id.0.saturating_add(self.type_vars);
        }
    }

    /// Types are within the limits on their depth, so this may recurse.
    pub(super) fn ty(&self, ty: &mut Type) {
        match ty {
            Type::Var(var) => self.type_var(var),
            Type::Constructor(_, args) | Type::Datatype(_, args) => {
                for arg in args {
                    self.ty(arg);
                }
            }
            Type::Map(map) => {
                let MapType { domain, range, .. } = &mut **map;
                for part in domain {
                    self.ty(part);
                }
                self.ty(range);
            }
            _ => {}
        }
    }

    fn type_params(&self, params: &mut [TypeParameter]) {
        for param in params {
            self.type_var(&mut param.id);
            self.span(&mut param.span);
        }
    }

    fn bound(&self, bound: &mut [Bound]) {
        for variable in bound {
            self.bound_id(&mut variable.id);
            self.ty(&mut variable.ty);
            self.span(&mut variable.span);
        }
    }

    fn variables(&self, variables: &mut [Variable]) {
        for variable in variables {
            self.ty(&mut variable.ty);
            self.span(&mut variable.span);
            if let Some(clause) = &mut variable.where_clause {
                self.expr(clause);
            }
            self.attributes(&mut variable.attributes);
        }
    }

    fn conditions(&self, conditions: &mut [Condition]) {
        for condition in conditions {
            self.expr(&mut condition.expr);
            self.span(&mut condition.span);
            self.attributes(&mut condition.attributes);
        }
    }

    pub(super) fn attributes(&self, attributes: &mut [Attribute]) {
        for attribute in attributes {
            self.span(&mut attribute.span);
            for arg in &mut attribute.args {
                match arg {
                    AttributeArgument::String(_) => {}
                    AttributeArgument::Expr(expr) => self.expr(expr),
                    AttributeArgument::Opaque(span) => self.span(span),
                }
            }
        }
    }

    pub(super) fn expr(&self, expr: &mut Expr) {
        self.span(&mut expr.span);
        self.ty(&mut expr.ty);
        ensure_stack(|| {
            match &mut expr.kind {
                ExprKind::Var(VarRef::Bound(id)) => self.bound_id(id),
                ExprKind::Select { type_args, .. }
                | ExprKind::Store { type_args, .. }
                | ExprKind::Call { type_args, .. } => {
                    for ty in type_args {
                        self.ty(ty);
                    }
                }
                ExprKind::Quantifier {
                    type_params,
                    bound,
                    triggers,
                    attributes,
                    ..
                } => {
                    self.type_params(type_params);
                    self.bound(bound);
                    for trigger in triggers {
                        self.span(&mut trigger.span);
                    }
                    self.attributes(attributes);
                }
                ExprKind::Lambda {
                    type_params,
                    bound,
                    attributes,
                    ..
                } => {
                    self.type_params(type_params);
                    self.bound(bound);
                    self.attributes(attributes);
                }
                ExprKind::Let {
                    bound, attributes, ..
                } => {
                    self.bound(bound);
                    self.attributes(attributes);
                }
                _ => {}
            }
            expr.for_each_child_mut(&mut |child| self.expr(child));
        });
    }

    fn stmts(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            ensure_stack(|| self.stmt(stmt));
        }
    }

    fn stmt(&self, stmt: &mut Stmt) {
        self.span(&mut stmt.span);
        match &mut stmt.kind {
            StmtKind::Assert {
                condition,
                attributes,
            }
            | StmtKind::Assume {
                condition,
                attributes,
            } => {
                self.expr(condition);
                self.attributes(attributes);
            }
            StmtKind::Assign { pairs } => {
                for (_, value) in pairs {
                    self.expr(value);
                }
            }
            StmtKind::Call {
                type_args,
                args,
                attributes,
                ..
            } => {
                for ty in type_args {
                    self.ty(ty);
                }
                for arg in args {
                    self.expr(arg);
                }
                self.attributes(attributes);
            }
            StmtKind::CallForall {
                type_args,
                args,
                attributes,
                ..
            } => {
                for ty in type_args {
                    self.ty(ty);
                }
                for arg in args.iter_mut().flatten() {
                    self.expr(arg);
                }
                self.attributes(attributes);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::While {
                condition,
                invariants,
                body,
                ..
            } => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.conditions(invariants);
                self.stmts(body);
            }
            StmtKind::Havoc(_)
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return
            | StmtKind::Unsupported { .. } => {}
        }
    }
}
