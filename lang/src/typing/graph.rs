//! Program graphs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast;
use crate::diagnostic::{Diagnostic, Id};
use crate::hir::visit::mutable::VisitMut;
use crate::hir::{
    Edge, EdgeLet, EdgeLetId, EdgeLocal, EdgeLocalId, Expr, ExprKind, Graph, GraphProgram,
    GraphVariable, GraphVariableId, Location, LocationId, Type, VarRef,
};
use crate::resolve::environment::Environment;
use crate::resolve::message::{Message, Place};
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::declared_twice;

use super::assemble::{Offsets, add_background, diagnostics};
use super::item::{Checked, Contents};
use super::{Checker, Role, State};

/// The typed form of one graph; places and numbers of bound variables are relative to it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedGraph {
    /// The graph.
    pub graph: Graph,
    /// Errors and warnings, and how many variables were bound.
    pub checked: Checked,
}

/// Checks a graph; `item` is its number among all declarations and graphs of the text.
pub fn check_graph(env: &Environment, item: u32, graph: &ast::Graph) -> CheckedGraph {
    let mut checker = Checker::new(env, item);
    checker.in_graph = true;
    checker.state = State::Stateless;
    let graph = checker.graph(graph);
    CheckedGraph {
        graph,
        checked: checker.into_checked(Contents::default()),
    }
}

/// The typed graph program, given its declarations and graphs in order and where each of them starts.
pub fn assemble_graphs(
    env: &Environment,
    declared: &[Message],
    checked: &[&Checked],
    graphs: &[&CheckedGraph],
    starts: &[u32],
) -> (GraphProgram, Vec<Diagnostic>) {
    let mut program = GraphProgram::default();
    let mut messages: Vec<Message> = declared.to_vec();
    let mut offsets = Offsets::default();
    for (item, checked) in checked.iter().enumerate() {
        messages.extend(checked.messages.iter().cloned());
        let start = starts.get(item).copied().unwrap_or(0);
        let mut contents = checked.contents.clone();
        offsets
            .next(env, start, checked.bounds, checked.type_vars)
            .contents(&mut contents);
        add_background(&mut program.background, &mut contents);
    }
    let mut names: HashMap<&str, Place> = HashMap::new();
    for (
        index,
        CheckedGraph {
            graph,
            checked: own,
        },
    ) in graphs.iter().enumerate()
    {
        let item = checked.len() + index;
        let place = Place {
            item: u32::try_from(item).unwrap_or(u32::MAX),
            span: graph.span,
        };
        if let Some(first) = names.get(&*graph.name) {
            let name = ast::Ident::new(&*graph.name, graph.span);
            messages.push(declared_twice("graph", &name, place.item, Some(*first)));
        } else {
            names.insert(&graph.name, place);
        }
        messages.extend(own.messages.iter().cloned());
        let start = starts.get(item).copied().unwrap_or(0);
        let mut graph = graph.clone();
        offsets
            .next(env, start, own.bounds, own.type_vars)
            .visit_graph(&mut graph);
        program.graphs.push(graph);
    }
    let diagnostics = diagnostics(&messages, starts);
    (program, diagnostics)
}

impl Checker<'_> {
    fn graph(&mut self, written: &ast::Graph) -> Graph {
        let mut graph = Graph {
            name: written.name.name.to_string(),
            variables: Vec::new(),
            locations: Vec::new(),
            initial: Vec::new(),
            errors: Vec::new(),
            edges: Vec::new(),
            attributes: self.finished_attributes(&written.attributes),
            span: written.name.span,
        };
        let mark = self.mark();
        for group in &written.vars {
            let ty = self.resolve_type(&group.ty);
            for name in &group.names {
                if let Some(first) = self.bound_since(mark, &name.name) {
                    self.messages.push(declared_twice(
                        "state variable",
                        name,
                        self.item,
                        Some(first),
                    ));
                    continue;
                }
                let id = GraphVariableId::new(graph.variables.len());
                self.bind(name, VarRef::Unprimed(id), ty.clone(), Role::State);
                graph.variables.push(GraphVariable {
                    name: name.name.to_string(),
                    ty: ty.clone(),
                    attributes: self.finished_attributes(&group.attributes),
                    span: name.span,
                });
            }
        }
        let mut locations: HashMap<Arc<str>, LocationId> = HashMap::new();
        for decl in &written.locations {
            self.location(decl, &mut graph, &mut locations);
        }
        if graph.initial.is_empty() {
            let message = Message::warning(
                Id::NO_INITIAL_LOCATION,
                format!("the graph `{}` has no initial location", graph.name),
                self.place(written.name.span),
                "it has no traces",
            )
            .with_help("declare one: `init start;`");
            self.messages.push(message);
        }
        for edge in &written.edges {
            self.infer.clear();
            let edge = self.edge(edge, &mut graph, &mut locations);
            graph.edges.push(edge);
        }
        self.release(mark);
        graph
    }

    fn location(
        &mut self,
        decl: &ast::LocationDecl,
        graph: &mut Graph,
        locations: &mut HashMap<Arc<str>, LocationId>,
    ) {
        if let Some(first) = locations.get(&decl.name.name) {
            let first = graph
                .locations
                .get(first.index())
                .map(|location| self.place(location.span));
            self.messages
                .push(declared_twice("location", &decl.name, self.item, first));
            return;
        }
        let id = LocationId::new(graph.locations.len());
        locations.insert(decl.name.name.clone(), id);
        graph.locations.push(Location {
            name: decl.name.name.to_string(),
            description: decl.description.clone(),
            attributes: self.finished_attributes(&decl.attributes),
            span: decl.name.span,
        });
        match decl.kind {
            ast::LocationKind::Init => graph.initial.push(id),
            ast::LocationKind::Error => graph.errors.push(id),
            ast::LocationKind::Plain => {}
        }
    }

    /// The location of that name; locations come into being when edges mention them.
    fn end_of_edge(
        name: &ast::Ident,
        graph: &mut Graph,
        locations: &mut HashMap<Arc<str>, LocationId>,
    ) -> LocationId {
        if let Some(id) = locations.get(&name.name) {
            return *id;
        }
        let id = LocationId::new(graph.locations.len());
        locations.insert(name.name.clone(), id);
        graph.locations.push(Location {
            name: name.name.to_string(),
            description: None,
            attributes: Vec::new(),
            span: name.span,
        });
        id
    }

    fn edge(
        &mut self,
        written: &ast::Edge,
        graph: &mut Graph,
        locations: &mut HashMap<Arc<str>, LocationId>,
    ) -> Edge {
        let source = Self::end_of_edge(&written.from, graph, locations);
        let target = Self::end_of_edge(&written.to, graph, locations);
        let attributes = self.finished_attributes(&written.attributes);
        let mark = self.mark();
        let mut locals = Vec::new();
        for group in &written.locals {
            let ty = self.resolve_type(&group.ty);
            for name in &group.names {
                if let Some(first) = self.bound_since(mark, &name.name) {
                    self.messages.push(declared_twice(
                        "variable of the edge",
                        name,
                        self.item,
                        Some(first),
                    ));
                }
                let id = EdgeLocalId::new(locals.len());
                self.bind(name, VarRef::EdgeLocal(id), ty.clone(), Role::EdgeLocal);
                locals.push(EdgeLocal {
                    name: name.name.to_string(),
                    ty: ty.clone(),
                    span: name.span,
                });
            }
        }
        let havoc = written
            .havocs
            .iter()
            .filter_map(|name| self.havocked(name))
            .collect();
        let mut lets = Vec::new();
        for binding in &written.lets {
            let name = &binding.name;
            let mut value = self.expr(&binding.value);
            self.finish(&mut value);
            self.infer.clear();
            if let Some(first) = self.bound_since(mark, &name.name) {
                self.messages.push(declared_twice(
                    "name of a formula",
                    name,
                    self.item,
                    Some(first),
                ));
            }
            let id = EdgeLetId::new(lets.len());
            self.bind(name, VarRef::EdgeLet(id), value.ty.clone(), Role::EdgeLet);
            lets.push(EdgeLet {
                name: name.name.to_string(),
                value,
                span: name.span,
            });
        }
        let formula = match &written.formula {
            Some(formula) => self.condition(formula, "a transition formula"),
            None => Expr::new(ExprKind::Bool(true), Type::Bool, written.span),
        };
        self.release(mark);
        Edge {
            source,
            target,
            locals,
            lets,
            havoc,
            formula,
            attributes,
            span: written.span,
        }
    }

    fn havocked(&mut self, name: &ast::Ident) -> Option<GraphVariableId> {
        if let Some(entry) = self.entry(&name.name) {
            if let VarRef::Unprimed(id) = entry.var {
                return Some(id);
            }
            let words = entry.role.words();
            self.error(
                Id::NOT_ASSIGNABLE,
                format!("`{}` cannot be havocked: it is a {words}", name.name),
                name.span,
                "only state variables keep or change their values",
            );
            return None;
        }
        let mut known: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, entries)| entries.iter().any(|entry| entry.role == Role::State))
            .map(|(name, _)| &**name)
            .collect();
        known.sort_unstable();
        let help = did_you_mean(&name.name, known);
        let message = Message::error(
            Id::UNKNOWN_VARIABLE,
            format!("the graph has no variable `{}`", name.name),
            self.place(name.span),
            "unknown variable",
        )
        .with_optional_help(help);
        self.messages.push(message);
        None
    }
}
