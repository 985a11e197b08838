//! From syntax trees back to text.
//!
//! What is printed parses to the same tree (places apart), with as few parentheses as the grammar needs. Comments and
//! layout of the original text are lost. Nodes that stand for unreadable text become comments.

mod decl;
mod expr;
mod graph;
mod head;
mod stmt;
mod typed;

pub(crate) use head::{constructor, function_head, procedure_head, short_expr, type_item};
pub use typed::typed;

use crate::ast::{Attribute, Expr, GraphFile, Ident, Program, Type, TypedIdents};
use crate::token::{self, Language, Token};
use std::borrow::Cow;

/// A Boogie program as text.
pub fn program(program: &Program) -> String {
    let mut printer = Printer::new(Language::Boogie);
    printer.decls(&program.decls);
    printer.out
}

/// A file of the graph language as text.
pub fn graph_file(file: &GraphFile) -> String {
    let mut printer = Printer::new(Language::Graph);
    printer.decls(&file.decls);
    for (index, graph) in file.graphs.iter().enumerate() {
        if index > 0 || !file.decls.is_empty() {
            printer.out.push('\n');
        }
        printer.graph(graph);
    }
    printer.out
}

/// An expression as text.
pub fn expr(expr: &Expr, language: Language) -> String {
    let mut printer = Printer::new(language);
    printer.expr(expr);
    printer.out
}

/// A type as text.
pub fn ty(ty: &Type, language: Language) -> String {
    let mut printer = Printer::new(language);
    printer.ty(ty);
    printer.out
}

/// A name as it is written in the language: escaped if it is a keyword, and in the graph language in backticks if it has
/// unusual characters.
///
/// The Boogie language cannot express names with characters outside of its alphabet; such a name comes back unchanged.
pub fn name(name: &str, language: Language) -> Cow<'_, str> {
    let is_keyword = Token::keyword(name, language).is_some_and(|t| !t.is_soft())
        || token::rounding_mode(name).is_some();
    match language {
        Language::Boogie if is_keyword => Cow::Owned(format!("\\{name}")),
        Language::Boogie => Cow::Borrowed(name),
        Language::Graph if !is_keyword && token::is_word(name, language) => Cow::Borrowed(name),
        Language::Graph => Cow::Owned(format!("`{}`", name.replace('`', "``"))),
    }
}

struct Printer {
    out: String,
    language: Language,
    indent: usize,
}

impl Printer {
    fn new(language: Language) -> Printer {
        Printer {
            out: String::new(),
            language,
            indent: 0,
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, ident: &Ident) {
        let text = name(&ident.name, self.language);
        self.out.push_str(&text);
    }

    /// A name where words that are keywords of some dialect would be read as keywords.
    fn hard_name(&mut self, ident: &Ident) {
        match Token::keyword(&ident.name, self.language) {
            Some(token) if token.is_soft() && self.language == Language::Boogie => {
                self.text("\\");
                self.text(&ident.name);
            }
            Some(token) if token.is_soft() => {
                self.text("`");
                self.text(&ident.name);
                self.text("`");
            }
            _ => self.name(ident),
        }
    }

    /// Items with `, ` between them.
    fn comma<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn names(&mut self, names: &[Ident]) {
        self.comma(names, Self::name);
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.comma(exprs, Self::expr);
    }

    /// Begins a line. Very deep nesting is not shown in full: the text would grow with its square.
    fn begin(&mut self) {
        for _ in 0..self.indent.min(60) {
            self.text("  ");
        }
    }

    /// `<a, b>`, or nothing.
    fn type_params(&mut self, params: &[Ident]) {
        if !params.is_empty() {
            self.text("<");
            self.names(params);
            self.text(">");
        }
    }

    /// Attributes, each with a blank behind it.
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.attribute(attribute);
            self.text(" ");
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        self.text("{:");
        self.name(&attribute.name);
        if !attribute.args.is_empty() {
            self.text(" ");
            self.exprs(&attribute.args);
        }
        self.text("}");
    }

    fn typed_names(&mut self, group: &TypedIdents) {
        self.attributes(&group.attributes);
        self.names(&group.names);
        if !group.names.is_empty() {
            self.text(": ");
        }
        self.ty(&group.ty);
        if let Some(clause) = &group.where_clause {
            self.text(" where ");
            self.expr(clause);
        }
    }

    fn groups(&mut self, groups: &[TypedIdents]) {
        self.comma(groups, Self::typed_names);
    }

    fn string(&mut self, text: &str) {
        self.text("\"");
        self.text(&text.replace('\\', "\\\\").replace('"', "\\\""));
        self.text("\"");
    }
}
