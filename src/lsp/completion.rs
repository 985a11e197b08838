//! What could be written at a place.

use lsp_types::{CompletionItem, CompletionItemKind, Position};
use ult_lang::db::Database;
use ult_lang::names::{Declaration, Kind};
use ult_lang::token::Token;

use super::document::Document;

/// The names that are known at a position, innermost first, and the words of the language. Behind `->`: the fields.
///
/// The editor chooses those that begin with what is written already.
pub fn completion(document: &Document, db: &Database, position: Position) -> Vec<CompletionItem> {
    let Some(index) = document.index(db) else {
        return Vec::new();
    };
    let offset = document.text.offset(position);
    let before = document.text.as_str().get(..offset as usize);
    let before = before.unwrap_or_default();
    let word_start = before
        .trim_end_matches(|c: char| c.is_alphanumeric() || "~#$^_.?'`\\".contains(c))
        .len();
    let is_field = before[..word_start].trim_end().ends_with("->");
    let mut items = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    if !is_field {
        for local in index.visible(offset).iter().rev() {
            if known.insert(local.name.clone()) {
                items.push(item(local, '0'));
            }
        }
    }
    for (_, global) in index.globals() {
        if (global.kind == Kind::Field) == is_field && known.insert(global.name.clone()) {
            items.push(item(&global, '1'));
        }
    }
    if !is_field {
        let words = Token::WORDS.iter().map(|word| word.text());
        let own = words.filter(|word| Token::keyword(word, document.lexicon()).is_some());
        items.extend(own.map(|word| CompletionItem {
            label: word.to_owned(),
            kind: Some(CompletionItemKind::KEYWORD),
            sort_text: Some(format!("2{word}")),
            ..CompletionItem::default()
        }));
    }
    items
}

fn item(declaration: &Declaration, rank: char) -> CompletionItem {
    let kind = match declaration.kind {
        Kind::Type | Kind::Datatype => CompletionItemKind::CLASS,
        Kind::TypeParameter => CompletionItemKind::TYPE_PARAMETER,
        Kind::Constructor | Kind::Location => CompletionItemKind::ENUM_MEMBER,
        Kind::Field => CompletionItemKind::FIELD,
        Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Function => CompletionItemKind::FUNCTION,
        Kind::Procedure => CompletionItemKind::METHOD,
        Kind::Graph => CompletionItemKind::MODULE,
        Kind::Label => CompletionItemKind::REFERENCE,
        Kind::Global | Kind::Parameter | Kind::Result | Kind::Local | Kind::Bound | Kind::State => {
            CompletionItemKind::VARIABLE
        }
    };
    let head = declaration.detail.lines().next().unwrap_or_default();
    CompletionItem {
        label: declaration.name.to_string(),
        kind: Some(kind),
        detail: Some(head.to_owned()),
        sort_text: Some(format!("{rank}{}", declaration.name)),
        ..CompletionItem::default()
    }
}
