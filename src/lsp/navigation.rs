//! From a name to its declaration and its other occurrences, and to another name.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Range, TextEdit};
use ult_lang::db::Database;
use ult_lang::names::{Found, Index, Symbol, Usage};
use ult_lang::token::{Language as Lexicon, Token, is_word};

use super::document::Document;
use ult_driver::Language;

/// Where the name at a position is declared.
pub fn definition(document: &Document, db: &Database, position: Position) -> Vec<Location> {
    let Some((index, found)) = at(document, db, position) else {
        return Vec::new();
    };
    let declarations = index.declarations(&found.symbol);
    declarations
        .iter()
        .map(|declaration| location(document, document.text.range(declaration.span)))
        .collect()
}

/// Where the name at a position occurs.
pub fn references(
    document: &Document,
    db: &Database,
    position: Position,
    with_declaration: bool,
) -> Vec<Location> {
    let Some((index, found)) = at(document, db, position) else {
        return Vec::new();
    };
    index
        .occurrences(&found.symbol)
        .iter()
        .filter(|found| with_declaration || found.usage != Usage::Declared)
        .map(|found| location(document, document.text.range(found.span)))
        .collect()
}

/// The occurrences of the name at a position, and what happens to it there.
pub fn highlights(
    document: &Document,
    db: &Database,
    position: Position,
) -> Vec<DocumentHighlight> {
    let Some((index, found)) = at(document, db, position) else {
        return Vec::new();
    };
    index
        .occurrences(&found.symbol)
        .iter()
        .map(|found| DocumentHighlight {
            range: document.text.range(found.span),
            kind: Some(match found.usage {
                Usage::Written => DocumentHighlightKind::WRITE,
                Usage::Read => DocumentHighlightKind::READ,
                Usage::Declared => DocumentHighlightKind::TEXT,
            }),
        })
        .collect()
}

/// The place of the name at a position, if it can be renamed.
pub fn renameable(document: &Document, db: &Database, position: Position) -> Option<Range> {
    let (index, found) = at(document, db, position)?;
    let is_declared = !index.declarations(&found.symbol).is_empty();
    is_declared.then(|| document.text.range(found.span))
}

/// The edits that give the thing named at a position another name.
///
/// # Errors
/// In words, if there is no such thing, or if the program would mean something else: this is found out by looking at
/// the program as it would be.
pub fn rename(
    document: &Document,
    db: &Database,
    position: Position,
    new: &str,
) -> Result<Vec<TextEdit>, String> {
    let (index, found) = at(document, db, position).ok_or("there is no name here")?;
    let declarations = index.declarations(&found.symbol);
    if declarations.is_empty() {
        return Err("what is called so is not declared in this file".into());
    }
    if declarations.len() > 1 {
        return Err("several things are declared with this name".into());
    }
    let language = document.lexicon();
    if !is_name(new, language) {
        return Err(format!("`{new}` is not a name"));
    }
    let places = index.occurrences(&found.symbol);
    let mut renamed = String::new();
    let mut end = 0;
    let text = document.text.as_str();
    for place in &places {
        let range = place.span.range();
        renamed += text.get(end..range.start).unwrap_or_default();
        renamed += new;
        end = range.end;
    }
    renamed += text.get(end..).unwrap_or_default();

    let mut other = Database::default();
    let copy = document.copy(&mut other, renamed);
    let same = copy
        .index(&other)
        .is_some_and(|other| shape(&index) == shape(&other));
    if !same {
        return Err(format!(
            "with the name `{new}`, names would refer to other things"
        ));
    }
    let errors = |document: &Document, db: &Database| {
        let diagnostics = document.diagnostics(db).iter();
        diagnostics
            .filter(|diagnostic| diagnostic.is_error())
            .count()
    };
    if errors(&copy, &other) > errors(document, db) {
        return Err(format!(
            "with the name `{new}`, the program would have more errors"
        ));
    }
    Ok(places
        .iter()
        .map(|place| TextEdit {
            range: document.text.range(place.span),
            new_text: new.to_owned(),
        })
        .collect())
}

/// Whether a text is a name and no keyword.
fn is_name(text: &str, language: Lexicon) -> bool {
    let is_keyword = Token::keyword(text, language).is_some();
    is_word(text, language) && !is_keyword && text != "_"
}

/// For each name the number of the name that its declaration is, so that texts with other names can be compared.
fn shape(index: &Index<'_>) -> Vec<Option<usize>> {
    let all: Vec<Found> = index.all().collect();
    let mut declared = std::collections::HashMap::new();
    for (number, found) in all.iter().enumerate() {
        if found.usage == Usage::Declared {
            declared.entry(found.symbol.clone()).or_insert(number);
        }
    }
    all.iter()
        .map(|found| declared.get(&found.symbol).copied())
        .collect()
}

/// The names of the text, and the one at a position.
fn at<'d>(document: &Document, db: &'d Database, position: Position) -> Option<(Index<'d>, Found)> {
    let index = document.index(db)?;
    let found = index.at(document.text.offset(position))?;
    Some((index, found))
}

fn location(document: &Document, range: Range) -> Location {
    Location {
        uri: document.uri.clone(),
        range,
    }
}

/// The symbol at a position with its place.
pub fn symbol(document: &Document, db: &Database, position: Position) -> Option<(Symbol, Range)> {
    let (_, found) = at(document, db, position)?;
    Some((found.symbol, document.text.range(found.span)))
}

impl Document {
    /// The language of its tokens.
    pub fn lexicon(&self) -> Lexicon {
        match self.language {
            Language::Graph => Lexicon::Graph,
            _ => Lexicon::Boogie,
        }
    }
}
