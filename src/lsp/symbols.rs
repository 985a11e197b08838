//! The structure of a text: its outline, and what can be folded.

use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};
use ult_lang::db::Database;
use ult_lang::names::{Declaration, Kind};
use ult_lang::token::{Token, comments::comments, tokenize};

use super::document::Document;

/// The outline: what is declared at top level, with constructors, fields, state variables and locations inside.
pub fn outline(document: &Document, db: &Database) -> Vec<DocumentSymbol> {
    let Some(index) = document.index(db) else {
        return Vec::new();
    };
    let mut outline: Vec<DocumentSymbol> = Vec::new();
    for (_, declaration) in index.globals() {
        let symbol = symbol(document, &declaration);
        let parents = match declaration.kind {
            Kind::Constructor => 1,
            Kind::Field => 2,
            _ => 0,
        };
        inside(&mut outline, parents).push(symbol);
    }
    for local in index.locals() {
        if !matches!(local.kind, Kind::State | Kind::Location) {
            continue;
        }
        let child = symbol(document, &local);
        let graph = outline.iter_mut().find(|graph| {
            graph.range.start <= child.range.start && child.range.end <= graph.range.end
        });
        if let Some(graph) = graph {
            graph.children.get_or_insert_default().push(child);
        }
    }
    outline
}

/// The list of children so many levels inside of the last symbol.
fn inside(list: &mut Vec<DocumentSymbol>, levels: usize) -> &mut Vec<DocumentSymbol> {
    if levels == 0 || list.is_empty() {
        return list;
    }
    let last = list.len() - 1;
    inside(list[last].children.get_or_insert_default(), levels - 1)
}

fn symbol(document: &Document, declaration: &Declaration) -> DocumentSymbol {
    let kind = match declaration.kind {
        Kind::Type | Kind::TypeParameter => SymbolKind::CLASS,
        Kind::Datatype => SymbolKind::ENUM,
        Kind::Constructor | Kind::Location => SymbolKind::ENUM_MEMBER,
        Kind::Field => SymbolKind::FIELD,
        Kind::Constant => SymbolKind::CONSTANT,
        Kind::Function => SymbolKind::FUNCTION,
        Kind::Procedure => SymbolKind::METHOD,
        Kind::Graph => SymbolKind::MODULE,
        Kind::Label => SymbolKind::KEY,
        Kind::Global | Kind::Parameter | Kind::Result | Kind::Local | Kind::Bound | Kind::State => {
            SymbolKind::VARIABLE
        }
    };
    let head = declaration.detail.lines().next().unwrap_or_default();
    // The field is deprecated, and has no default.
    #[allow(deprecated)]
    DocumentSymbol {
        name: declaration.name.to_string(),
        detail: Some(head.to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: document
            .text
            .range(declaration.extent.join(declaration.span)),
        selection_range: document.text.range(declaration.span),
        children: None,
    }
}

/// What can be folded: everything in braces on several lines, comments on several lines.
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    if !document.has_queries() {
        return Vec::new();
    }
    let text = document.text.as_str();
    let (tokens, _) = tokenize(text, document.lexicon());
    let mut folds = Vec::new();
    let mut fold = |start: u32, end: u32, kind: Option<FoldingRangeKind>| {
        if start < end {
            folds.push(FoldingRange {
                start_line: start,
                end_line: end,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    let line = |offset: u32| document.text.position(offset).line;
    let mut open = Vec::new();
    for token in &tokens {
        match token.token {
            Token::LeftBrace | Token::AttributeBrace | Token::LeftCode => {
                open.push(line(token.span.start));
            }
            Token::RightBrace | Token::RightCode => {
                if let Some(start) = open.pop() {
                    // The brace itself stays visible.
                    fold(start, line(token.span.start).saturating_sub(1), None);
                }
            }
            _ => {}
        }
    }
    // Comments on lines that follow each other are one.
    let mut group: Option<(u32, u32)> = None;
    for comment in comments(text, &tokens) {
        let (start, end) = (line(comment.span.start), line(comment.span.end));
        let is_alone = document
            .text
            .line(start)
            .trim_start()
            .starts_with(['/', '*']);
        match &mut group {
            Some((_, last)) if is_alone && start == *last + 1 => *last = end,
            _ => {
                if let Some((start, end)) = group.replace((start, end)) {
                    fold(start, end, Some(FoldingRangeKind::Comment));
                }
            }
        }
    }
    if let Some((start, end)) = group {
        fold(start, end, Some(FoldingRangeKind::Comment));
    }
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds
}
