//! Program graphs.

use super::Printer;
use crate::ast::*;

impl Printer {
    pub(super) fn graph(&mut self, graph: &Graph) {
        self.text("graph ");
        self.attributes(&graph.attributes);
        self.name(&graph.name);
        self.text(" {\n");
        self.indent += 1;
        for group in &graph.vars {
            self.begin();
            self.text("var ");
            self.typed_names(group);
            self.text(";\n");
        }
        for location in &graph.locations {
            self.location(location);
        }
        for edge in &graph.edges {
            self.edge(edge);
        }
        self.indent -= 1;
        self.text("}\n");
    }

    fn location(&mut self, location: &LocationDecl) {
        self.begin();
        self.text(match location.kind {
            LocationKind::Init => "init ",
            LocationKind::Plain => "location ",
            LocationKind::Error => "error ",
        });
        self.attributes(&location.attributes);
        self.name(&location.name);
        if let Some(description) = &location.description {
            self.text(" ");
            self.string(description);
        }
        self.text(";\n");
    }

    fn edge(&mut self, edge: &Edge) {
        self.begin();
        self.name(&edge.from);
        self.text(" -> ");
        self.name(&edge.to);
        for attribute in &edge.attributes {
            self.text(" ");
            self.attribute(attribute);
        }
        match &edge.formula {
            None if edge.locals.is_empty() && edge.havocs.is_empty() && edge.lets.is_empty() => {
                self.text(";\n")
            }
            Some(formula)
                if edge.locals.is_empty() && edge.havocs.is_empty() && edge.lets.is_empty() =>
            {
                self.text(": ");
                self.expr(formula);
                self.text(";\n");
            }
            _ => self.edge_body(edge),
        }
    }

    fn edge_body(&mut self, edge: &Edge) {
        self.text(" {\n");
        self.indent += 1;
        for group in &edge.locals {
            self.begin();
            self.text("local ");
            self.names(&group.names);
            self.text(": ");
            self.ty(&group.ty);
            self.text(";\n");
        }
        if !edge.havocs.is_empty() {
            self.begin();
            self.text("havoc ");
            self.names(&edge.havocs);
            self.text(";\n");
        }
        for binding in &edge.lets {
            self.begin();
            self.text("let ");
            self.name(&binding.name);
            self.text(" := ");
            self.expr(&binding.value);
            self.text(";\n");
        }
        if let Some(formula) = &edge.formula {
            self.begin();
            self.expr(formula);
            self.text("\n");
        }
        self.indent -= 1;
        self.begin();
        self.text("}\n");
    }
}
