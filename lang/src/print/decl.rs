//! Declarations and contracts.

use super::Printer;
use crate::ast::*;
use std::mem::Discriminant;

impl Printer {
    pub(super) fn decls(&mut self, decls: &[Decl]) {
        let mut before = None;
        for decl in decls {
            self.next_decl(before, decl);
            before = Some(std::mem::discriminant(decl));
        }
    }

    /// A declaration behind one of the kind `before`. Bodies and changes of the kind get an empty line.
    pub(super) fn next_decl(&mut self, before: Option<Discriminant<Decl>>, decl: &Decl) {
        if before.is_some_and(|before| {
            before != std::mem::discriminant(decl)
                || matches!(decl, Decl::Procedure(_) | Decl::Implementation(_))
        }) {
            self.text("\n");
        }
        self.decl(decl);
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type(decl) => self.type_decl(decl),
            Decl::Datatype(decl) => self.datatype_decl(decl),
            Decl::Const(decl) => self.const_decl(decl),
            Decl::Function(decl) => self.function_decl(decl),
            Decl::Axiom(decl) => self.axiom_decl(decl),
            Decl::Var(decl) => self.var_decl(decl),
            Decl::Procedure(decl) => self.procedure_decl(decl),
            Decl::Implementation(decl) => {
                self.text("implementation ");
                self.signature(&decl.signature);
                self.text("\n");
                self.body(&decl.body);
            }
            Decl::Error(_) => self.text("/* unreadable declaration */\n"),
        }
    }

    fn type_decl(&mut self, decl: &TypeDecl) {
        self.text("type ");
        self.attributes(&decl.attributes);
        if decl.finite {
            self.text("finite ");
        }
        self.comma(&decl.items, Self::type_item);
        self.text(";\n");
    }

    pub(super) fn type_item(&mut self, item: &TypeDeclItem) {
        self.name(&item.name);
        for param in &item.params {
            self.text(" ");
            self.name(param);
        }
        if let Some(synonym) = &item.synonym {
            self.text(" = ");
            self.ty(synonym);
        }
    }

    fn datatype_decl(&mut self, decl: &DatatypeDecl) {
        self.text("datatype ");
        self.attributes(&decl.attributes);
        self.name(&decl.name);
        self.type_params(&decl.type_params);
        self.text(" { ");
        self.comma(&decl.constructors, Self::constructor);
        self.text(" }\n");
    }

    pub(super) fn constructor(&mut self, constructor: &Constructor) {
        self.name(&constructor.name);
        self.text("(");
        self.groups(&constructor.fields);
        self.text(")");
    }

    fn const_decl(&mut self, decl: &ConstDecl) {
        self.text("const ");
        self.attributes(&decl.attributes);
        if decl.unique {
            self.text("unique ");
        }
        self.names(&decl.names);
        self.text(": ");
        self.ty(&decl.ty);
        if let Some(parents) = &decl.parents {
            self.text(if parents.is_empty() {
                " extends"
            } else {
                " extends "
            });
            self.comma(parents, |printer, parent| {
                if parent.unique {
                    printer.text("unique ");
                }
                printer.hard_name(&parent.name);
            });
        }
        if decl.complete {
            self.text(" complete");
        }
        match decl.uses.is_empty() {
            true => self.text(";\n"),
            false => self.uses(&decl.uses),
        }
    }

    /// ` uses { ... }`
    fn uses(&mut self, axioms: &[AxiomDecl]) {
        self.text(" uses {\n");
        self.indent += 1;
        for axiom in axioms {
            self.begin();
            self.axiom_decl(axiom);
        }
        self.indent -= 1;
        self.text("}\n");
    }

    pub(super) fn function_signature(&mut self, decl: &FunctionDecl) {
        self.text("function ");
        self.attributes(&decl.attributes);
        self.name(&decl.name);
        self.type_params(&decl.type_params);
        self.text("(");
        self.groups(&decl.params);
        self.text(") returns (");
        self.typed_names(&decl.result);
        self.text(")");
    }

    fn function_decl(&mut self, decl: &FunctionDecl) {
        self.function_signature(decl);
        if let Some(body) = &decl.body {
            self.text(" { ");
            self.expr(body);
            self.text(" }");
        }
        match (decl.uses.is_empty(), decl.body.is_some()) {
            (false, _) => self.uses(&decl.uses),
            (true, true) => self.text("\n"),
            (true, false) => self.text(";\n"),
        }
    }

    fn axiom_decl(&mut self, decl: &AxiomDecl) {
        self.text("axiom ");
        self.attributes(&decl.attributes);
        self.expr(&decl.expr);
        self.text(";\n");
    }

    pub(super) fn var_decl(&mut self, decl: &VarDecl) {
        self.begin();
        self.text("var ");
        self.attributes(&decl.attributes);
        self.groups(&decl.groups);
        self.text(";\n");
    }

    fn signature(&mut self, signature: &Signature) {
        self.attributes(&signature.attributes);
        self.name(&signature.name);
        self.type_params(&signature.type_params);
        self.text("(");
        self.groups(&signature.params);
        self.text(")");
        if !signature.results.is_empty() {
            self.text(" returns (");
            self.groups(&signature.results);
            self.text(")");
        }
    }

    pub(super) fn procedure_signature(&mut self, decl: &ProcedureDecl) {
        if decl.pure_ {
            self.text("pure ");
        }
        self.text("procedure ");
        self.signature(&decl.signature);
    }

    pub(super) fn specs(&mut self, specs: &[Spec]) {
        self.indent += 1;
        for spec in specs {
            self.spec(spec);
        }
        self.indent -= 1;
    }

    fn procedure_decl(&mut self, decl: &ProcedureDecl) {
        self.procedure_signature(decl);
        self.text(if decl.body.is_some() { "\n" } else { ";\n" });
        self.specs(&decl.specs);
        if let Some(body) = &decl.body {
            self.body(body);
        }
    }

    fn spec(&mut self, spec: &Spec) {
        self.begin();
        if spec.free {
            self.text("free ");
        }
        self.text(match spec.kind {
            SpecKind::Requires(_) => "requires",
            SpecKind::Ensures(_) => "ensures",
            SpecKind::Modifies(_) => "modifies",
            SpecKind::Measure(_) => "measure",
        });
        for attribute in &spec.attributes {
            self.text(" ");
            self.attribute(attribute);
        }
        match &spec.kind {
            SpecKind::Requires(expr) | SpecKind::Ensures(expr) => {
                self.text(" ");
                self.expr(expr);
            }
            SpecKind::Measure(exprs) => {
                self.text(" ");
                self.exprs(exprs);
            }
            SpecKind::Modifies(names) if names.is_empty() => {}
            SpecKind::Modifies(names) => {
                self.text(" ");
                self.names(names);
            }
        }
        self.text(";\n");
    }

    fn body(&mut self, body: &Body) {
        self.begin();
        self.text("{\n");
        self.indent += 1;
        for local in &body.locals {
            self.var_decl(local);
        }
        self.stmts(&body.block.stmts);
        self.indent -= 1;
        self.begin();
        self.text("}\n");
    }
}
