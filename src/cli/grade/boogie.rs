//! The shapes of Boogie programs and of program graphs, from their syntax trees.

use std::ops::Range;

use ult_lang::ast::visit::{
    Role, Visit, walk_attribute, walk_body, walk_function_decl, walk_invariant,
    walk_procedure_decl, walk_stmt, walk_typed_idents, walk_var_decl,
};
use ult_lang::ast::{
    Attribute, AxiomDecl, Body, Decl, FunctionDecl, Graph, Ident, ImplementationDecl, Invariant,
    LocationKind, Measure, ProcedureDecl, Signature, Spec, SpecKind, Stmt, StmtKind, TypedIdents,
    VarDecl,
};
use ult_lang::parse::{parse_boogie, parse_graph};
use ult_lang::span::Span;
use ult_lang::token::{Language, tokenize};

use super::shape::{Declaration, Kind, Part, Shape};

/// The shape of a Boogie program.
pub(super) fn program(text: &str) -> Shape {
    let (tree, _) = parse_boogie(text);
    let mut parts = Parts::default();
    let mut declarations = Vec::new();
    for decl in &tree.decls {
        declarations.push(parts.declared(decl));
    }
    finished(text, Language::Boogie, declarations, parts)
}

/// The shape of a text with program graphs.
pub(super) fn graph(text: &str) -> Shape {
    let (tree, _) = parse_graph(text);
    let mut parts = Parts::default();
    let mut declarations = Vec::new();
    for decl in &tree.decls {
        declarations.push(parts.declared(decl));
    }
    for graph in &tree.graphs {
        parts.graph(graph);
        declarations.push(declaration(
            "graph",
            &graph.name,
            graph.span,
            graph.name.span,
        ));
    }
    finished(text, Language::Graph, declarations, parts)
}

fn finished(text: &str, language: Language, declarations: Vec<Declaration>, parts: Parts) -> Shape {
    let (tokens, _) = tokenize(text, language);
    let mut shape = Shape {
        text: text.to_owned(),
        is_c: false,
        tokens: tokens.iter().map(|token| token.span.range()).collect(),
        declarations,
        parts: parts.parts,
    };
    shape.parts.sort_by_key(|part| part.range.start);
    shape
}

fn declaration(what: &str, name: &Ident, span: Span, head: Span) -> Declaration {
    Declaration {
        key: format!("{what} `{}`", name.name),
        name: name.name.to_string(),
        range: span.range(),
        head: head.range(),
    }
}

/// Collects the parts of declarations.
#[derive(Default)]
struct Parts {
    owner: String,
    parts: Vec<Part>,
}

impl Parts {
    fn add(&mut self, kind: Kind, span: Span) {
        self.add_naming(kind, span.range(), Vec::new());
    }

    fn add_naming(&mut self, kind: Kind, range: Range<usize>, names: Vec<String>) {
        self.parts.push(Part {
            kind,
            owner: self.owner.clone(),
            range,
            names,
        });
    }

    fn declared(&mut self, decl: &Decl) -> Declaration {
        let made = match decl {
            Decl::Function(f) => {
                let head = match &f.body {
                    Some(body) => Span::new(f.span.start, body.span.start),
                    None => f.span,
                };
                declaration("function", &f.name, f.span, head)
            }
            Decl::Procedure(p) => {
                declaration("procedure", &p.signature.name, p.span, p.signature.span)
            }
            Decl::Implementation(p) => declaration(
                "implementation",
                &p.signature.name,
                p.span,
                p.signature.span,
            ),
            Decl::Datatype(d) => declaration("datatype", &d.name, d.span, d.span),
            Decl::Axiom(a) => unnamed("axiom", a.span),
            Decl::Type(t) => named("type", t.items.iter().map(|item| &item.name), t.span),
            Decl::Const(c) => named("constant", c.names.iter(), c.span),
            Decl::Var(v) => named("variable", v.groups.iter().flat_map(|g| &g.names), v.span),
            Decl::Error(span) => unnamed("nothing", *span),
        };
        self.owner = made.name.clone();
        self.visit_decl(decl);
        made
    }

    fn graph(&mut self, graph: &Graph) {
        self.owner = graph.name.name.to_string();
        let is_error = |name: &Ident| {
            let mut locations = graph.locations.iter();
            locations.any(|l| l.kind == LocationKind::Error && l.name.name == name.name)
        };
        for attribute in &graph.attributes {
            self.visit_attribute(attribute);
        }
        for group in &graph.vars {
            self.visit_typed_idents(group);
        }
        for location in &graph.locations {
            for attribute in &location.attributes {
                self.visit_attribute(attribute);
            }
            if location.kind == LocationKind::Plain {
                self.add(Kind::Location, location.span);
            }
        }
        for edge in &graph.edges {
            for attribute in &edge.attributes {
                self.visit_attribute(attribute);
            }
            let kind = match is_error(&edge.to) {
                true => Kind::ErrorEdge,
                false => Kind::Edge,
            };
            let ends = texts([&edge.from, &edge.to]);
            self.add_naming(kind, edge.span.range(), ends);
            if kind == Kind::ErrorEdge {
                continue;
            }
            if let Some(formula) = &edge.formula {
                self.add(Kind::Formula, formula.span);
            }
        }
    }
}

fn unnamed(what: &str, span: Span) -> Declaration {
    Declaration {
        key: what.to_owned(),
        name: String::new(),
        range: span.range(),
        head: span.range(),
    }
}

fn named<'a>(what: &str, names: impl Iterator<Item = &'a Ident>, span: Span) -> Declaration {
    let names: Vec<&str> = names.map(|name| &*name.name).collect();
    Declaration {
        key: format!("{what} `{}`", names.join(", ")),
        name: names.join(", "),
        range: span.range(),
        head: span.range(),
    }
}

fn texts<'a>(names: impl IntoIterator<Item = &'a Ident>) -> Vec<String> {
    names
        .into_iter()
        .map(|name| name.name.to_string())
        .collect()
}

impl<'t> Visit<'t> for Parts {
    fn visit_attribute(&mut self, attribute: &'t Attribute) {
        self.add(Kind::Attribute, attribute.span);
        walk_attribute(self, attribute);
    }

    fn visit_axiom_decl(&mut self, axiom: &'t AxiomDecl) {
        self.add(Kind::Axiom, axiom.span);
    }

    fn visit_typed_idents(&mut self, group: &'t TypedIdents) {
        if let Some(condition) = &group.where_clause {
            self.add(Kind::Assumption, condition.span);
        }
        walk_typed_idents(self, group);
    }

    fn visit_function_decl(&mut self, decl: &'t FunctionDecl) {
        if let Some(body) = &decl.body {
            self.add(Kind::Definition, body.span);
        }
        walk_function_decl(self, decl);
    }

    fn visit_procedure_decl(&mut self, decl: &'t ProcedureDecl) {
        walk_procedure_decl(self, decl);
    }

    fn visit_implementation_decl(&mut self, decl: &'t ImplementationDecl) {
        self.visit_signature(&decl.signature, Role::Procedure);
        self.visit_body(&decl.body);
    }

    fn visit_signature(&mut self, signature: &'t Signature, _: Role) {
        for attribute in &signature.attributes {
            self.visit_attribute(attribute);
        }
        for group in signature.params.iter().chain(&signature.results) {
            self.visit_typed_idents(group);
        }
    }

    fn visit_spec(&mut self, spec: &'t Spec) {
        for attribute in &spec.attributes {
            self.visit_attribute(attribute);
        }
        let kind = match spec.kind {
            SpecKind::Requires(_) | SpecKind::Ensures(_) if spec.free => Kind::Assumption,
            SpecKind::Requires(_) => Kind::Requires,
            SpecKind::Ensures(_) => Kind::Ensures,
            SpecKind::Modifies(_) => Kind::Modifies,
            SpecKind::Measure(_) => Kind::Measure,
        };
        self.add(kind, spec.span);
    }

    fn visit_body(&mut self, body: &'t Body) {
        self.add(Kind::Body, body.span);
        walk_body(self, body);
    }

    fn visit_var_decl(&mut self, decl: &'t VarDecl) {
        let names = texts(decl.groups.iter().flat_map(|group| &group.names));
        self.add_naming(Kind::Local, decl.span.range(), names);
        walk_var_decl(self, decl);
    }

    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        let (kind, names) = match &stmt.kind {
            StmtKind::Assert(_) => (Some(Kind::Assertion), Vec::new()),
            StmtKind::Assume(_) | StmtKind::Call { free: true, .. } => {
                (Some(Kind::Assumption), Vec::new())
            }
            StmtKind::Assign { targets, .. } => {
                let names = targets.iter().map(|target| &target.name);
                (Some(Kind::Assignment), texts(names))
            }
            StmtKind::Havoc(names) => (Some(Kind::Assignment), texts(names)),
            StmtKind::Return(_) => (Some(Kind::Return), Vec::new()),
            StmtKind::Label(_) => (None, Vec::new()),
            _ => (Some(Kind::Statement), Vec::new()),
        };
        if let Some(kind) = kind {
            self.add_naming(kind, stmt.span.range(), names);
        }
        walk_stmt(self, stmt);
    }

    fn visit_invariant(&mut self, invariant: &'t Invariant) {
        let kind = match invariant.free {
            true => Kind::Assumption,
            false => Kind::Invariant,
        };
        self.add(kind, invariant.span);
        walk_invariant(self, invariant);
    }

    fn visit_measure(&mut self, measure: &'t Measure) {
        self.add(Kind::Measure, measure.span);
    }
}
