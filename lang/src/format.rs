//! The formatter: a text in its usual layout.
//!
//! It works on tokens and not on trees, so it can lose nothing: the tokens and comments of the result are those of the
//! text, in their order, which is looked at again in the end. What it decides is what stands between them:
//!
//! * a statement, declaration or clause begins a line of its own, indented by its depth;
//! * one blank or none between two tokens of a line;
//! * line breaks inside of statements stay where they are, and so do empty lines, one at most;
//! * a short block `{ ... }` that stands on one line and contains at most two statements stays on that line.
//!
//! | file | idea |
//! |---|---|
//! | `elements` | tokens and comments in one list, and what brackets and operators mean there |
//! | `spacing` | a blank between two tokens, or none |
//! | `layout` | lines and indentation |

mod elements;
mod layout;
mod spacing;

use crate::diagnostic::Diagnostic;
use crate::parse::{parse_boogie, parse_graph};
use crate::token::{Language, Token, comments::comments, tokenize};

/// The text in its usual layout. Formatting the result changes nothing.
///
/// # Errors
/// The syntax errors of a text that has some: its structure is not known well enough to move things around.
pub fn format(text: &str, language: Language) -> Result<String, Vec<Diagnostic>> {
    let (_, mut diagnostics) = match language {
        Language::Boogie => drop_tree(parse_boogie(text)),
        Language::Graph => drop_tree(parse_graph(text)),
    };
    diagnostics.retain(Diagnostic::is_error);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let formatted = layout(text, language);
    // Better no new layout than another program.
    let is_same = substance(&formatted, language) == substance(text, language);
    Ok(if is_same { formatted } else { text.to_owned() })
}

fn drop_tree<T>((_, diagnostics): (T, Vec<Diagnostic>)) -> ((), Vec<Diagnostic>) {
    ((), diagnostics)
}

/// The text in its usual layout, with the line ends that it has, whether or not it can be parsed. Nobody looks whether
/// it says the same: use [`format`].
pub fn layout(text: &str, language: Language) -> String {
    if !text.contains("\r\n") {
        return layout::layout(text, language);
    }
    let text = text.replace("\r\n", "\n");
    layout::layout(&text, language).replace('\n', "\r\n")
}

/// What a layout must not change: the tokens and the comments, in their order.
pub fn substance(text: &str, language: Language) -> Vec<String> {
    let (tokens, _) = tokenize(text, language);
    let own = |token: Token, text: &str| match token {
        Token::AttributeBrace => "{:".to_owned(),
        _ => text.to_owned(),
    };
    let mut all: Vec<(u32, String)> = tokens
        .iter()
        .map(|t| (t.span.start, own(t.token, &text[t.span.range()])))
        .collect();
    for comment in comments(text, &tokens) {
        let words = text[comment.span.range()].trim_end();
        all.push((comment.span.start, words.replace("\r\n", "\n")));
    }
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, text)| text).collect()
}
