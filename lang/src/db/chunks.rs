//! Cuts a Boogie text into pieces of one declaration each, so that an edit has one declaration parsed again.
//!
//! A text is a list of declarations. So if every piece can be parsed without a message, the declarations of the pieces
//! are those of the text, wherever the cuts are. If not, the text is parsed as a whole, and its messages count.

use crate::span::Span;
use crate::token::{Spanned, Token};

/// The pieces of a text: each from one declaration's keyword to the next one's, outside of all brackets.
pub(super) fn pieces(text: &str, tokens: &[Spanned]) -> Vec<Span> {
    use Token::*;
    let mut starts = Vec::new();
    let mut depth = 0usize;
    for (index, spanned) in tokens.iter().enumerate() {
        match spanned.token {
            LeftParen | LeftBracket | LeftBrace | AttributeBrace | LeftCode => depth += 1,
            RightParen | RightBracket | RightBrace | RightCode => depth = depth.saturating_sub(1),
            Type | Datatype | Const | Function | Axiom | Var | Procedure | Implementation
                if depth == 0 =>
            {
                // What may stand before the keyword belongs to it.
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let first = before
                    .filter(|before| matches!(before.token, Pure | Hideable | Revealed))
                    .unwrap_or(spanned);
                starts.push(first.span.start);
            }
            _ => {}
        }
    }
    // What stands before the first declaration is read with it.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let ends: Vec<u32> = starts.iter().skip(1).copied().chain([end]).collect();
    let spans = starts.into_iter().zip(ends);
    spans.map(|(start, end)| Span::new(start, end)).collect()
}
