//! Finds the names of a declaration.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Declaration, Kind, Names, Occurrence, Space, Target, Usage};
use crate::ast::visit::*;
use crate::ast::*;
use crate::print;
use crate::span::Span;
use crate::token::Language;
use crate::visit::{each, maybe};

/// The names of a declaration.
pub fn of_declaration(decl: &Decl, language: Language) -> Names {
    let mut walk = Walk::new(language);
    walk.visit_decl(decl);
    walk.end()
}

/// The names of a program graph.
pub fn of_graph(graph: &Graph) -> Names {
    let mut walk = Walk::new(Language::Graph);
    walk.visit_graph(graph);
    walk.end()
}

/// What local names are looked up as.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Type,
    Value,
    Label,
    Location,
}

struct Walk {
    language: Language,
    names: Names,
    /// The locals in scope, innermost last.
    scope: HashMap<(Class, Arc<str>), Vec<usize>>,
    /// The names that were brought into scope, in order.
    bound: Vec<(Class, Arc<str>)>,
    /// Where the names that are declared now can be used.
    extent: Span,
}

impl Walk {
    fn new(language: Language) -> Walk {
        Walk {
            language,
            names: Names::default(),
            scope: HashMap::new(),
            bound: Vec::new(),
            extent: Span::default(),
        }
    }

    fn end(mut self) -> Names {
        self.names
            .occurrences
            .sort_by_key(|o| (o.span.start, o.span.end));
        self.names
    }

    // Names.

    fn note(&mut self, ident: &Ident, target: Target, usage: Usage) {
        self.names.occurrences.push(Occurrence {
            span: ident.span,
            name: ident.name.clone(),
            target,
            usage,
        });
    }

    fn global(&mut self, space: Space, ident: &Ident, kind: Kind, extent: Span, detail: String) {
        self.note(ident, Target::Global(space), Usage::Declared);
        let declaration = Declaration {
            name: ident.name.clone(),
            kind,
            span: ident.span,
            extent,
            scope: None,
            detail,
        };
        self.names.globals.push((space, declaration));
    }

    fn local(&mut self, class: Class, ident: &Ident, kind: Kind, extent: Span, detail: String) {
        let index = self.names.locals.len();
        self.note(ident, Target::Local(index), Usage::Declared);
        self.names.locals.push(Declaration {
            name: ident.name.clone(),
            kind,
            span: ident.span,
            extent,
            scope: Some(self.extent),
            detail,
        });
        let key = (class, ident.name.clone());
        self.scope.entry(key.clone()).or_default().push(index);
        self.bound.push(key);
    }

    /// Does something with names in scope that are forgotten behind it.
    fn scoped(&mut self, extent: Span, inside: impl FnOnce(&mut Self)) {
        let mark = self.bound.len();
        let outer = std::mem::replace(&mut self.extent, extent);
        inside(self);
        self.extent = outer;
        for key in self.bound.drain(mark..) {
            if let Some(indices) = self.scope.get_mut(&key) {
                indices.pop();
            }
        }
    }

    fn lookup(&self, class: Class, name: &Arc<str>) -> Option<Target> {
        let indices = self.scope.get(&(class, name.clone()))?;
        indices.last().copied().map(Target::Local)
    }

    fn value(&mut self, ident: &Ident, usage: Usage) {
        let target = self.lookup(Class::Value, &ident.name);
        self.note(ident, target.unwrap_or(Target::Global(Space::Value)), usage);
    }

    fn refer(&mut self, space: Space, ident: &Ident) {
        self.note(ident, Target::Global(space), Usage::Read);
    }

    fn label(&mut self, ident: &Ident) {
        if let Some(target) = self.lookup(Class::Label, &ident.name) {
            self.note(ident, target, Usage::Read);
        }
    }

    /// Declares local names; what their types and conditions mention comes first.
    fn groups(&mut self, groups: &[TypedIdents], kind: Kind) {
        for group in groups {
            each!(self.visit_attribute(&group.attributes));
            self.visit_type(&group.ty);
            for name in &group.names {
                let detail = self.typed(kind, name, &group.ty);
                self.local(Class::Value, name, kind, group.span, detail);
            }
        }
        for group in groups {
            maybe!(self.visit_expr(&group.where_clause));
        }
    }

    /// `var x: int`
    fn typed(&self, kind: Kind, name: &Ident, ty: &Type) -> String {
        let word = match kind {
            Kind::Constant => "const ",
            Kind::Global | Kind::Local | Kind::State => "var ",
            _ => "",
        };
        let name = print::name(&name.name, self.language);
        format!("{word}{name}: {}", print::ty(ty, self.language))
    }

    /// A body: its variables and labels are known in all of it.
    fn body(&mut self, locals: &[VarDecl], stmts: &[Stmt], extent: Span) {
        self.scoped(extent, |walk| {
            for decl in locals {
                each!(walk.visit_attribute(&decl.attributes));
                walk.groups(&decl.groups, Kind::Local);
            }
            for (name, span) in labels(stmts) {
                let detail = format!("label {}", name.name);
                walk.local(Class::Label, name, Kind::Label, span, detail);
            }
            each!(walk.visit_stmt(stmts));
        });
    }

    /// A location, which is declared where it is mentioned first.
    fn location(&mut self, name: &Ident, word: &str, extent: Span) {
        match self.lookup(Class::Location, &name.name) {
            Some(target) => self.note(name, target, Usage::Read),
            None => {
                let detail = format!("{word} {}", print::name(&name.name, Language::Graph));
                self.local(Class::Location, name, Kind::Location, extent, detail);
            }
        }
    }
}

/// Names that are declared are entered where the node around them is visited, which knows what they are; type parameters
/// and locations where they stand.
impl<'t> Visit<'t> for Walk {
    fn visit_ident(&mut self, ident: &'t Ident, role: Role) {
        match role {
            Role::Declared | Role::Attribute => {}
            Role::TypeParameter => {
                let detail = format!("type {}", ident.name);
                let kind = Kind::TypeParameter;
                self.local(Class::Type, ident, kind, ident.span, detail);
            }
            Role::Type => {
                let target = self.lookup(Class::Type, &ident.name);
                let target = target.unwrap_or(Target::Global(Space::Type));
                self.note(ident, target, Usage::Read);
            }
            Role::Read => self.value(ident, Usage::Read),
            Role::Written => self.value(ident, Usage::Written),
            // A parameter of the same name does not count here.
            Role::Global => self.refer(Space::Value, ident),
            Role::Callable => self.refer(Space::Callable, ident),
            Role::Field => self.refer(Space::Field, ident),
            Role::Procedure => self.refer(Space::Procedure, ident),
            Role::Label => self.label(ident),
            Role::Location => self.location(ident, "location", ident.span),
        }
    }

    // Declarations.

    fn visit_type_decl_item(&mut self, item: &'t TypeDeclItem) {
        let detail = print::type_item(item, self.language);
        self.global(Space::Type, &item.name, Kind::Type, item.span, detail);
        self.scoped(item.span, |walk| walk_type_decl_item(walk, item));
    }

    fn visit_datatype_decl(&mut self, decl: &'t DatatypeDecl) {
        let detail = format!("datatype {}", decl.name.name);
        self.global(Space::Type, &decl.name, Kind::Datatype, decl.span, detail);
        self.scoped(decl.span, |walk| walk_datatype_decl(walk, decl));
    }

    fn visit_constructor(&mut self, constructor: &'t Constructor) {
        let (name, span) = (&constructor.name, constructor.span);
        let detail = print::constructor(constructor, self.language);
        self.global(Space::Callable, name, Kind::Constructor, span, detail);
        for group in &constructor.fields {
            for name in &group.names {
                let detail = self.typed(Kind::Field, name, &group.ty);
                self.global(Space::Field, name, Kind::Field, group.span, detail);
            }
        }
        walk_constructor(self, constructor);
    }

    fn visit_const_decl(&mut self, decl: &'t ConstDecl) {
        for name in &decl.names {
            let detail = self.typed(Kind::Constant, name, &decl.ty);
            self.global(Space::Value, name, Kind::Constant, decl.span, detail);
        }
        walk_const_decl(self, decl);
    }

    fn visit_function_decl(&mut self, decl: &'t FunctionDecl) {
        each!(self.visit_attribute(&decl.attributes));
        let (name, span) = (&decl.name, decl.span);
        let detail = print::function_head(decl, self.language);
        self.global(Space::Callable, name, Kind::Function, span, detail);
        self.scoped(decl.span, |walk| {
            each!(walk.visit_ident(&decl.type_params, Role::TypeParameter));
            walk.groups(&decl.params, Kind::Parameter);
            walk.groups(std::slice::from_ref(&decl.result), Kind::Result);
            maybe!(walk.visit_expr(&decl.body));
        });
        each!(self.visit_axiom_decl(&decl.uses));
    }

    /// A global variable: bodies have their variables from [`Walk::groups`].
    fn visit_var_decl(&mut self, decl: &'t VarDecl) {
        for group in &decl.groups {
            for name in &group.names {
                let detail = self.typed(Kind::Global, name, &group.ty);
                self.global(Space::Value, name, Kind::Global, decl.span, detail);
            }
        }
        walk_var_decl(self, decl);
    }

    fn visit_procedure_decl(&mut self, decl: &'t ProcedureDecl) {
        let name = &decl.signature.name;
        let detail = print::procedure_head(decl);
        self.global(Space::Procedure, name, Kind::Procedure, decl.span, detail);
        self.scoped(decl.span, |walk| walk_procedure_decl(walk, decl));
    }

    fn visit_implementation_decl(&mut self, decl: &'t ImplementationDecl) {
        self.scoped(decl.span, |walk| walk_implementation_decl(walk, decl));
    }

    fn visit_signature(&mut self, signature: &'t Signature, role: Role) {
        each!(self.visit_attribute(&signature.attributes));
        self.visit_ident(&signature.name, role);
        each!(self.visit_ident(&signature.type_params, Role::TypeParameter));
        self.groups(&signature.params, Kind::Parameter);
        self.groups(&signature.results, Kind::Result);
    }

    fn visit_body(&mut self, body: &'t Body) {
        self.body(&body.locals, &body.block.stmts, body.span);
    }

    // Expressions and types that bind names.

    fn visit_expr(&mut self, expr: &'t Expr) {
        match expr.kind {
            ExprKind::Quantifier(_) | ExprKind::Let(_) | ExprKind::Code(_) => {
                self.scoped(expr.span, |walk| walk_expr(walk, expr));
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_quantifier(&mut self, quantifier: &'t Quantifier) {
        each!(self.visit_ident(&quantifier.type_params, Role::TypeParameter));
        self.groups(&quantifier.vars, Kind::Bound);
        each!(self.visit_attribute(&quantifier.attributes));
        each!(self.visit_trigger(&quantifier.triggers));
        self.visit_expr(&quantifier.body);
    }

    fn visit_let(&mut self, binding: &'t Let) {
        each!(self.visit_expr(&binding.values));
        for (index, (attributes, name)) in binding.names.iter().enumerate() {
            each!(self.visit_attribute(attributes));
            let value = binding.values.get(index);
            let value = value.map(|value| print::short_expr(value, self.language));
            let detail = format!("{} := {}", name.name, value.unwrap_or_default());
            self.local(Class::Value, name, Kind::Bound, name.span, detail);
        }
        each!(self.visit_attribute(&binding.attributes));
        self.visit_expr(&binding.body);
    }

    fn visit_code(&mut self, code: &'t CodeExpr) {
        self.body(&code.locals, &code.stmts, self.extent);
    }

    fn visit_type(&mut self, ty: &'t Type) {
        match ty.kind {
            TypeKind::Map { .. } => self.scoped(ty.span, |walk| walk_type(walk, ty)),
            _ => walk_type(self, ty),
        }
    }

    // Program graphs.

    fn visit_graph(&mut self, graph: &'t Graph) {
        let detail = format!("graph {}", print::name(&graph.name.name, Language::Graph));
        self.global(Space::Graph, &graph.name, Kind::Graph, graph.span, detail);
        each!(self.visit_attribute(&graph.attributes));
        self.scoped(graph.span, |walk| {
            walk.groups(&graph.vars, Kind::State);
            each!(walk.visit_location_decl(&graph.locations));
            each!(walk.visit_edge(&graph.edges));
        });
    }

    fn visit_location_decl(&mut self, decl: &'t LocationDecl) {
        each!(self.visit_attribute(&decl.attributes));
        let word = match decl.kind {
            LocationKind::Init => "init",
            LocationKind::Plain => "location",
            LocationKind::Error => "error",
        };
        self.location(&decl.name, word, decl.span);
    }

    fn visit_edge(&mut self, edge: &'t Edge) {
        // Locations are known in all of the graph.
        self.visit_ident(&edge.from, Role::Location);
        self.visit_ident(&edge.to, Role::Location);
        each!(self.visit_attribute(&edge.attributes));
        self.scoped(edge.span, |walk| {
            each!(walk.visit_local_group(&edge.locals));
            each!(walk.visit_ident(&edge.havocs, Role::Written));
            each!(walk.visit_let_binding(&edge.lets));
            maybe!(walk.visit_expr(&edge.formula));
        });
    }

    fn visit_local_group(&mut self, group: &'t LocalGroup) {
        self.visit_type(&group.ty);
        for name in &group.names {
            let detail = self.typed(Kind::Local, name, &group.ty);
            self.local(Class::Value, name, Kind::Local, group.span, detail);
        }
    }

    fn visit_let_binding(&mut self, binding: &'t LetBinding) {
        self.visit_expr(&binding.value);
        let detail = format!(
            "let {} := {}",
            print::name(&binding.name.name, Language::Graph),
            print::short_expr(&binding.value, Language::Graph)
        );
        let (name, span) = (&binding.name, binding.span);
        self.local(Class::Value, name, Kind::Bound, span, detail);
    }
}
