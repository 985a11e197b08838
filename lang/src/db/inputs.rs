//! What the queries are about.

// The attributes generate constructors and setters, which cannot be documented.
#![allow(missing_docs)]

use std::sync::Arc;

use crate::ast;
use crate::typing::Modifies;

/// A text to analyse.
#[salsa::input(debug)]
pub struct SourceFile {
    /// What the text is called in messages; usually a path.
    #[returns(deref)]
    pub name: String,
    /// The text.
    #[returns(deref)]
    pub text: String,
    /// How to treat `modifies` clauses.
    #[returns(copy)]
    pub modifies: Modifies,
}

impl SourceFile {
    /// Replaces the text. Whatever depends on what has changed will be computed again when somebody asks for it.
    pub fn edit(self, db: &mut dyn salsa::Database, text: String) {
        use salsa::Setter as _;
        self.set_text(db).to(text);
    }
}

/// A piece of a text with one declaration, or with what is in its place while somebody types.
#[salsa::tracked(debug)]
pub struct Piece<'db> {
    /// The number of the piece in the text.
    #[returns(copy)]
    pub number: u32,
    /// The piece.
    #[tracked]
    #[returns(deref)]
    pub text: String,
}

/// A declaration of a text.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    /// The text.
    #[returns(copy)]
    pub file: SourceFile,
    /// The number of the declaration in the text.
    #[returns(copy)]
    pub number: u32,
    /// The declaration, with places relative to its start.
    #[tracked]
    #[returns(deref)]
    pub decl: Arc<ast::Decl>,
}

/// A graph of a text.
#[salsa::tracked(debug)]
pub struct GraphItem<'db> {
    /// The text.
    #[returns(copy)]
    pub file: SourceFile,
    /// The number of the graph among all declarations and graphs of the text.
    #[returns(copy)]
    pub number: u32,
    /// The graph, with places relative to its start.
    #[tracked]
    pub graph: ast::Graph,
}
