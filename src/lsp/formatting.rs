//! The usual layout, as an edit.

use lsp_types::{Position, Range, TextEdit};
use ult_lang::format::format;

use super::document::Document;

/// The edit that gives the text its usual layout: none if it has it, or if it has syntax errors. What is in order at
/// the beginning and at the end of the text is not touched, so that marks there stay where they are.
pub fn edits(document: &Document) -> Vec<TextEdit> {
    if !document.has_queries() {
        return Vec::new();
    }
    let old = document.text.as_str();
    let Ok(new) = format(old, document.lexicon()) else {
        return Vec::new();
    };
    if new == old {
        return Vec::new();
    }
    let olds: Vec<&str> = old.split_inclusive('\n').collect();
    let news: Vec<&str> = new.split_inclusive('\n').collect();
    let same = |a: &(&&str, &&str)| a.0 == a.1;
    let first = olds.iter().zip(&news).take_while(same).count();
    let rest = olds.len().min(news.len()) - first;
    let last = olds
        .iter()
        .rev()
        .zip(news.iter().rev())
        .take(rest)
        .take_while(same)
        .count();
    let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let end = match last {
        0 => document.text.whole().end,
        _ => Position::new(line(olds.len() - last), 0),
    };
    vec![TextEdit {
        range: Range::new(Position::new(line(first), 0), end),
        new_text: news[first..news.len() - last].concat(),
    }]
}
