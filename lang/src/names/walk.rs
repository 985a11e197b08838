//! Finds the names of a declaration.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Declaration, Kind, Names, Occurrence, Space, Target, Usage};
use crate::ast::*;
use crate::print;
use crate::span::Span;
use crate::stack::ensure_stack;
use crate::token::Language;

/// The names of a declaration.
pub fn of_declaration(decl: &Decl, language: Language) -> Names {
    let mut walk = Walk::new(language);
    walk.decl(decl);
    walk.end()
}

/// The names of a program graph.
pub fn of_graph(graph: &Graph) -> Names {
    let mut walk = Walk::new(Language::Graph);
    walk.graph(graph);
    walk.end()
}

/// What local names are looked up as.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Type,
    Value,
    Label,
    Location,
}

pub(super) struct Walk {
    pub(super) language: Language,
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

    pub(super) fn local(
        &mut self,
        class: Class,
        ident: &Ident,
        kind: Kind,
        extent: Span,
        detail: String,
    ) {
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
    pub(super) fn scoped(&mut self, extent: Span, inside: impl FnOnce(&mut Self)) {
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

    pub(super) fn value(&mut self, ident: &Ident, usage: Usage) {
        let target = self.lookup(Class::Value, &ident.name);
        self.note(ident, target.unwrap_or(Target::Global(Space::Value)), usage);
    }

    pub(super) fn refer(&mut self, space: Space, ident: &Ident) {
        self.note(ident, Target::Global(space), Usage::Read);
    }

    pub(super) fn label(&mut self, ident: &Ident) {
        if let Some(target) = self.lookup(Class::Label, &ident.name) {
            self.note(ident, target, Usage::Read);
        }
    }

    // Types and groups of names.

    pub(super) fn ty(&mut self, ty: &Type) {
        ensure_stack(|| match &ty.kind {
            TypeKind::Named { name, args } => {
                let target = self.lookup(Class::Type, &name.name);
                let target = target.unwrap_or(Target::Global(Space::Type));
                self.note(name, target, Usage::Read);
                for arg in args {
                    self.ty(arg);
                }
            }
            TypeKind::Map {
                params,
                domain,
                range,
            } => self.scoped(ty.span, |walk| {
                walk.type_params(params);
                for part in domain {
                    walk.ty(part);
                }
                walk.ty(range);
            }),
            TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::BitVector(_)
            | TypeKind::Float(_)
            | TypeKind::Error => {}
        });
    }

    pub(super) fn type_params(&mut self, params: &[Ident]) {
        for param in params {
            let detail = format!("type {}", param.name);
            self.local(Class::Type, param, Kind::TypeParameter, param.span, detail);
        }
    }

    /// Declares local names; what their types and conditions mention comes first.
    pub(super) fn groups(&mut self, groups: &[TypedIdents], kind: Kind) {
        for group in groups {
            self.attributes(&group.attributes);
            self.ty(&group.ty);
            for name in &group.names {
                let detail = self.typed(kind, name, &group.ty);
                self.local(Class::Value, name, kind, group.span, detail);
            }
        }
        for clause in groups
            .iter()
            .filter_map(|group| group.where_clause.as_ref())
        {
            self.expr(clause);
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

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for arg in attributes.iter().flat_map(|attribute| &attribute.args) {
            self.expr(arg);
        }
    }

    // Declarations.

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type(decl) => self.type_decl(decl),
            Decl::Datatype(decl) => self.datatype_decl(decl),
            Decl::Const(decl) => {
                self.attributes(&decl.attributes);
                self.ty(&decl.ty);
                for name in &decl.names {
                    let detail = self.typed(Kind::Constant, name, &decl.ty);
                    self.global(Space::Value, name, Kind::Constant, decl.span, detail);
                }
                for parent in decl.parents.iter().flatten() {
                    self.refer(Space::Value, &parent.name);
                }
                for axiom in &decl.uses {
                    self.axiom(axiom);
                }
            }
            Decl::Function(decl) => self.function_decl(decl),
            Decl::Axiom(decl) => self.axiom(decl),
            Decl::Var(decl) => {
                self.attributes(&decl.attributes);
                for group in &decl.groups {
                    self.attributes(&group.attributes);
                    self.ty(&group.ty);
                    for name in &group.names {
                        let detail = self.typed(Kind::Global, name, &group.ty);
                        self.global(Space::Value, name, Kind::Global, decl.span, detail);
                    }
                    if let Some(clause) = &group.where_clause {
                        self.expr(clause);
                    }
                }
            }
            Decl::Procedure(decl) => {
                let name = &decl.signature.name;
                let detail = print::procedure_head(decl);
                self.global(Space::Procedure, name, Kind::Procedure, decl.span, detail);
                self.scoped(decl.span, |walk| {
                    walk.signature(&decl.signature);
                    for spec in &decl.specs {
                        walk.spec(spec);
                    }
                    if let Some(body) = &decl.body {
                        walk.body(&body.locals, &body.block.stmts, body.span);
                    }
                });
            }
            Decl::Implementation(decl) => {
                self.refer(Space::Procedure, &decl.signature.name);
                self.scoped(decl.span, |walk| {
                    walk.signature(&decl.signature);
                    let body = &decl.body;
                    walk.body(&body.locals, &body.block.stmts, body.span);
                });
            }
            Decl::Error(_) => {}
        }
    }

    fn type_decl(&mut self, decl: &TypeDecl) {
        self.attributes(&decl.attributes);
        for item in &decl.items {
            let detail = print::type_item(item, self.language);
            self.global(Space::Type, &item.name, Kind::Type, item.span, detail);
            self.scoped(item.span, |walk| {
                walk.type_params(&item.params);
                if let Some(synonym) = &item.synonym {
                    walk.ty(synonym);
                }
            });
        }
    }

    fn datatype_decl(&mut self, decl: &DatatypeDecl) {
        self.attributes(&decl.attributes);
        let detail = format!("datatype {}", decl.name.name);
        self.global(Space::Type, &decl.name, Kind::Datatype, decl.span, detail);
        self.scoped(decl.span, |walk| {
            walk.type_params(&decl.type_params);
            for constructor in &decl.constructors {
                let (name, span) = (&constructor.name, constructor.span);
                let detail = print::constructor(constructor, walk.language);
                walk.global(Space::Callable, name, Kind::Constructor, span, detail);
                for group in &constructor.fields {
                    walk.attributes(&group.attributes);
                    walk.ty(&group.ty);
                    for name in &group.names {
                        let detail = walk.typed(Kind::Field, name, &group.ty);
                        walk.global(Space::Field, name, Kind::Field, group.span, detail);
                    }
                }
            }
        });
    }

    fn function_decl(&mut self, decl: &FunctionDecl) {
        self.attributes(&decl.attributes);
        let detail = print::function_head(decl, self.language);
        self.global(
            Space::Callable,
            &decl.name,
            Kind::Function,
            decl.span,
            detail,
        );
        self.scoped(decl.span, |walk| {
            walk.type_params(&decl.type_params);
            walk.groups(&decl.params, Kind::Parameter);
            walk.groups(std::slice::from_ref(&decl.result), Kind::Result);
            if let Some(body) = &decl.body {
                walk.expr(body);
            }
        });
        for axiom in &decl.uses {
            self.axiom(axiom);
        }
    }

    fn axiom(&mut self, axiom: &AxiomDecl) {
        self.attributes(&axiom.attributes);
        self.expr(&axiom.expr);
    }

    fn signature(&mut self, signature: &Signature) {
        self.attributes(&signature.attributes);
        self.type_params(&signature.type_params);
        self.groups(&signature.params, Kind::Parameter);
        self.groups(&signature.results, Kind::Result);
    }

    fn spec(&mut self, spec: &Spec) {
        self.attributes(&spec.attributes);
        match &spec.kind {
            SpecKind::Requires(expr) | SpecKind::Ensures(expr) => self.expr(expr),
            // A parameter of the same name does not count here.
            SpecKind::Modifies(names) => {
                for name in names {
                    self.refer(Space::Value, name);
                }
            }
        }
    }

    fn graph(&mut self, graph: &Graph) {
        let detail = format!("graph {}", print::name(&graph.name.name, Language::Graph));
        self.global(Space::Graph, &graph.name, Kind::Graph, graph.span, detail);
        self.attributes(&graph.attributes);
        self.scoped(graph.span, |walk| {
            walk.groups(&graph.vars, Kind::State);
            for location in &graph.locations {
                walk.attributes(&location.attributes);
                let word = match location.kind {
                    LocationKind::Init => "init",
                    LocationKind::Plain => "location",
                    LocationKind::Error => "error",
                };
                walk.location(&location.name, word, location.span);
            }
            for edge in &graph.edges {
                walk.edge(edge);
            }
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

    fn edge(&mut self, edge: &Edge) {
        self.location(&edge.from, "location", edge.from.span);
        self.location(&edge.to, "location", edge.to.span);
        self.attributes(&edge.attributes);
        self.scoped(edge.span, |walk| {
            for group in &edge.locals {
                walk.ty(&group.ty);
                for name in &group.names {
                    let detail = walk.typed(Kind::Local, name, &group.ty);
                    walk.local(Class::Value, name, Kind::Local, group.span, detail);
                }
            }
            for name in &edge.havocs {
                walk.value(name, Usage::Written);
            }
            for binding in &edge.lets {
                walk.expr(&binding.value);
                let detail = format!(
                    "let {} := {}",
                    print::name(&binding.name.name, Language::Graph),
                    print::short_expr(&binding.value, Language::Graph)
                );
                walk.local(
                    Class::Value,
                    &binding.name,
                    Kind::Bound,
                    binding.span,
                    detail,
                );
            }
            if let Some(formula) = &edge.formula {
                walk.expr(formula);
            }
        });
    }
}
