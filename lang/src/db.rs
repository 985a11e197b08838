//! Incremental analysis: the stages of the front end as salsa queries.
//!
//! ```text
//! SourceFile ──cut──▶ Piece, Piece, ... ──parse──▶ Item, Item, ... ──declared──▶ environment
//!                                                    │                              │
//!                                                    └──────checked(item)◀──────────┘
//!                                                               │
//!                                              boogie_program ◀─┘
//! ```
//!
//! A Boogie text is cut at the keywords of its declarations, and each piece is parsed alone. Only if there is a syntax
//! error somewhere, the text is parsed as a whole: then it is not known where declarations end.
//!
//! An [`Item`] holds one declaration with places relative to its own start. An edit inside a body changes that item only:
//! the environment is rebuilt from the heads and found to be equal, so no other item is checked again, even though all
//! items behind the edit have moved. The last query puts the results together and makes the places absolute.
//!
//! [`crate::analyze_boogie`] does the same in one go without a database.

mod chunks;
mod inputs;
mod relative;

use std::sync::{Arc, Mutex};

pub use inputs::{GraphItem, Item, Piece, SourceFile};

use crate::analyze::merge;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::hir::{GraphProgram, Program};
use crate::names::{self, Index, Names};
use crate::parse::{parse_boogie, parse_graph};
use crate::resolve::{Environment, Message, declare};
use crate::token::{Language, tokenize};
use crate::typing::assemble::assemble;
use crate::typing::graph::{CheckedGraph, assemble_graphs, check_graph};
use crate::typing::{Checked, check_declaration};

/// A tree and what the parser said.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    /// The tree.
    pub tree: T,
    /// Syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// An environment and what was wrong with the heads of the declarations.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Names, ids and signatures.
    pub environment: Environment,
    /// Messages about them.
    pub messages: Vec<Message>,
}

/// A typed program and all diagnostics of its text, in the order of their places.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<T> {
    /// The typed program.
    pub program: T,
    /// Errors and warnings of all stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// The syntax tree of a Boogie text.
#[salsa::tracked]
pub fn parsed_boogie(db: &dyn salsa::Database, file: SourceFile) -> Parsed<ast::Program> {
    let (tree, diagnostics) = parse_boogie(file.text(db));
    Parsed { tree, diagnostics }
}

/// The declarations of a text, each with places relative to its start, and what the parser said.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarations {
    /// Where they start.
    pub starts: Vec<u32>,
    /// The declarations.
    pub decls: Vec<Arc<ast::Decl>>,
    /// Syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The declarations of a piece of a Boogie text, each with its start in the piece; nothing if there is a syntax error.
#[salsa::tracked]
pub fn boogie_piece<'db>(
    db: &'db dyn salsa::Database,
    piece: Piece<'db>,
) -> Option<Vec<(u32, Arc<ast::Decl>)>> {
    let (tree, diagnostics) = parse_boogie(piece.text(db));
    diagnostics.is_empty().then(|| {
        let decls = tree.decls.into_iter();
        decls.map(relative_decl).collect()
    })
}

fn relative_decl(mut decl: ast::Decl) -> (u32, Arc<ast::Decl>) {
    let start = relative::start(&decl);
    relative::decl(&mut decl);
    (start, Arc::new(decl))
}

/// The declarations of a Boogie text.
#[salsa::tracked]
pub fn boogie_declarations(db: &dyn salsa::Database, file: SourceFile) -> Declarations {
    let text = file.text(db);
    let (tokens, diagnostics) = tokenize(text, Language::Boogie);
    let mut starts = Vec::new();
    let mut decls = Vec::new();
    let mut is_complete = diagnostics.is_empty();
    let pieces = chunks::pieces(text, &tokens);
    is_complete &= !pieces.is_empty();
    for (span, number) in pieces.into_iter().zip(0..) {
        if !is_complete {
            break;
        }
        let piece = text.get(span.range()).unwrap_or_default().to_owned();
        match boogie_piece(db, Piece::new(db, number, piece)) {
            Some(own) => {
                starts.extend(own.iter().map(|(start, _)| span.start + start));
                decls.extend(own.iter().map(|(_, decl)| decl.clone()));
            }
            None => is_complete = false,
        }
    }
    if is_complete {
        return Declarations {
            starts,
            decls,
            diagnostics: Vec::new(),
        };
    }
    let parsed = parsed_boogie(db, file);
    let (starts, decls) = parsed.tree.decls.iter().cloned().map(relative_decl).unzip();
    Declarations {
        starts,
        decls,
        diagnostics: parsed.diagnostics.clone(),
    }
}

/// The declarations of a Boogie text, for the queries about them.
#[salsa::tracked]
pub fn boogie_items<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Item<'db>> {
    let decls = boogie_declarations(db, file).decls.iter();
    decls
        .zip(0..)
        .map(|(decl, number)| Item::new(db, file, number, decl.clone()))
        .collect()
}

/// What the declarations of a Boogie text announce.
#[salsa::tracked]
pub fn boogie_declared(db: &dyn salsa::Database, file: SourceFile) -> Declared {
    let items = boogie_items(db, file);
    let (environment, messages) = declare(items.iter().map(|item| item.decl(db)));
    Declared {
        environment,
        messages,
    }
}

/// The typed form of a declaration of a Boogie text.
#[salsa::tracked]
pub fn boogie_checked<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Checked {
    let declared = boogie_declared(db, item.file(db));
    check_declaration(&declared.environment, item.number(db), item.decl(db))
}

/// The typed program of a Boogie text, with all its diagnostics.
#[salsa::tracked]
pub fn boogie_program(db: &dyn salsa::Database, file: SourceFile) -> Analysis<Program> {
    let parsed = boogie_declarations(db, file);
    let declared = boogie_declared(db, file);
    let checked: Vec<&Checked> = boogie_items(db, file)
        .iter()
        .map(|item| boogie_checked(db, *item))
        .collect();
    let (program, diagnostics) = assemble(
        &declared.environment,
        &declared.messages,
        &checked,
        &parsed.starts,
        file.modifies(db),
    );
    Analysis {
        program,
        diagnostics: merge(
            file.text(db),
            Language::Boogie,
            &parsed.diagnostics,
            diagnostics,
        ),
    }
}

/// The syntax tree of a graph text.
#[salsa::tracked]
pub fn parsed_graph(db: &dyn salsa::Database, file: SourceFile) -> Parsed<ast::GraphFile> {
    let (tree, diagnostics) = parse_graph(file.text(db));
    Parsed { tree, diagnostics }
}

/// The declarations of a graph text.
#[salsa::tracked]
pub fn graph_items<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Item<'db>> {
    let decls = parsed_graph(db, file).tree.decls.iter();
    decls
        .zip(0..)
        .map(|(decl, number)| Item::new(db, file, number, relative_decl(decl.clone()).1))
        .collect()
}

/// The graphs of a graph text.
#[salsa::tracked]
pub fn graphs<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<GraphItem<'db>> {
    let tree = &parsed_graph(db, file).tree;
    let first = u32::try_from(tree.decls.len()).unwrap_or(u32::MAX);
    tree.graphs
        .iter()
        .zip(first..)
        .map(|(graph, number)| {
            let mut graph = graph.clone();
            relative::graph(&mut graph);
            GraphItem::new(db, file, number, graph)
        })
        .collect()
}

/// What the declarations of a graph text announce.
#[salsa::tracked]
pub fn graph_declared(db: &dyn salsa::Database, file: SourceFile) -> Declared {
    let items = graph_items(db, file);
    let (environment, messages) = declare(items.iter().map(|item| item.decl(db)));
    Declared {
        environment,
        messages,
    }
}

/// The typed form of a declaration of a graph text.
#[salsa::tracked]
pub fn graph_checked_item<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Checked {
    let declared = graph_declared(db, item.file(db));
    check_declaration(&declared.environment, item.number(db), item.decl(db))
}

/// The typed form of a graph.
#[salsa::tracked]
pub fn graph_checked<'db>(db: &'db dyn salsa::Database, graph: GraphItem<'db>) -> CheckedGraph {
    let declared = graph_declared(db, graph.file(db));
    check_graph(&declared.environment, graph.number(db), graph.graph(db))
}

/// The typed graphs of a graph text, with all its diagnostics.
#[salsa::tracked]
pub fn graph_program(db: &dyn salsa::Database, file: SourceFile) -> Analysis<GraphProgram> {
    let parsed = parsed_graph(db, file);
    let declared = graph_declared(db, file);
    let starts: Vec<u32> = parsed
        .tree
        .decls
        .iter()
        .map(relative::start)
        .chain(parsed.tree.graphs.iter().map(|graph| graph.span.start))
        .collect();
    let checked: Vec<&Checked> = graph_items(db, file)
        .iter()
        .map(|item| graph_checked_item(db, *item))
        .collect();
    let own: Vec<&CheckedGraph> = graphs(db, file)
        .iter()
        .map(|graph| graph_checked(db, *graph))
        .collect();
    let (program, diagnostics) = assemble_graphs(
        &declared.environment,
        &declared.messages,
        &checked,
        &own,
        &starts,
    );
    Analysis {
        program,
        diagnostics: merge(
            file.text(db),
            Language::Graph,
            &parsed.diagnostics,
            diagnostics,
        ),
    }
}

/// The names in a declaration of a Boogie text.
#[salsa::tracked]
pub fn boogie_item_names<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Names {
    names::of_declaration(item.decl(db), Language::Boogie)
}

/// The names in a declaration of a graph text.
#[salsa::tracked]
pub fn graph_item_names<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Names {
    names::of_declaration(item.decl(db), Language::Graph)
}

/// The names in a graph.
#[salsa::tracked]
pub fn graph_names<'db>(db: &'db dyn salsa::Database, graph: GraphItem<'db>) -> Names {
    names::of_graph(graph.graph(db))
}

/// The names of a Boogie text.
pub fn boogie_names(db: &dyn salsa::Database, file: SourceFile) -> Index<'_> {
    let starts = boogie_declarations(db, file).starts.iter().copied();
    let items = boogie_items(db, file).iter();
    Index::new(
        starts
            .zip(items.map(|item| boogie_item_names(db, *item)))
            .collect(),
    )
}

/// The names of a graph text.
pub fn graph_text_names(db: &dyn salsa::Database, file: SourceFile) -> Index<'_> {
    let tree = &parsed_graph(db, file).tree;
    let starts = tree.decls.iter().map(relative::start);
    let items = graph_items(db, file).iter();
    let graph_starts = tree.graphs.iter().map(|graph| graph.span.start);
    let own = graphs(db, file).iter();
    let mut parts: Vec<_> = starts
        .zip(items.map(|item| graph_item_names(db, *item)))
        .chain(graph_starts.zip(own.map(|graph| graph_names(db, *graph))))
        .collect();
    parts.sort_by_key(|(start, _)| *start);
    Index::new(parts)
}

/// The database: the memory of what has been computed.
///
/// A clone shares the memory. Setting an input (`file.set_text(&mut db).to(...)`) waits for all clones to be dropped.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    log: Option<Arc<Mutex<Vec<String>>>>,
}

#[salsa::db]
impl salsa::Database for Database {}

impl Default for Database {
    fn default() -> Self {
        Self {
            storage: salsa::Storage::new(None),
            log: None,
        }
    }
}

impl Database {
    /// A database that notes which queries run; see [`Database::take_log`].
    pub fn with_log() -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let events = Arc::clone(&log);
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind
                && let Ok(mut log) = events.lock()
            {
                log.push(format!("{database_key:?}"));
            }
        })));
        Self {
            storage,
            log: Some(log),
        }
    }

    /// The queries that ran since the last call, in order, such as `boogie_checked(Id(801))`; those whose results were
    /// reused are not among them. Empty without [`Database::with_log`].
    pub fn take_log(&self) -> Vec<String> {
        let Some(log) = &self.log else {
            return Vec::new();
        };
        log.lock()
            .map(|mut log| std::mem::take(&mut *log))
            .unwrap_or_default()
    }
}
