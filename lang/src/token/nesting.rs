//! The limit on nesting, checked on tokens so that nothing behind the lexer meets deeper trees.

use super::{Spanned, Token};
use crate::diagnostic::{Diagnostic, Id};
use crate::parse::MAX_NESTING;

/// What is nested inside one pair of brackets without brackets of its own.
#[derive(Default)]
struct Level {
    /// Prefix operators (`!`, `-`, `if`) directly before the current token.
    prefixes: usize,
    /// Suffixes (`[i]`, `->f`) directly before the current token.
    suffixes: usize,
    /// `then` without its `else` so far.
    thens: usize,
}

impl Level {
    fn depth(&self) -> usize {
        1 + self.prefixes + self.suffixes + self.thens
    }
}

/// The first token that is nested more than [`MAX_NESTING`] deep, with a diagnostic.
pub(super) fn check(tokens: &[Spanned]) -> Option<(usize, Diagnostic)> {
    let mut levels = vec![Level::default()];
    let mut outer = 0;
    for (index, spanned) in tokens.iter().enumerate() {
        use Token::*;
        let innermost = levels.len() - 1;
        let level = &mut levels[innermost];
        let depth = outer + level.depth();
        if depth > MAX_NESTING {
            let diagnostic = Diagnostic::error(
                Id::LIMIT,
                format!("nested more than {MAX_NESTING} levels deep"),
                spanned.span,
                "too deep from here on; the rest of the text is not read",
            )
            .with_help("give names to parts of the expression");
            return Some((index, diagnostic));
        }
        match spanned.token {
            LeftParen | LeftBracket | LeftBrace | AttributeBrace | LeftCode => {
                outer += level.depth();
                levels.push(Level::default());
                continue;
            }
            RightParen | RightBracket | RightBrace | RightCode if innermost > 0 => {
                levels.pop();
                let level = &mut levels[innermost - 1];
                outer -= level.depth();
                level.prefixes = 0;
                level.suffixes += usize::from(spanned.token == RightBracket);
                continue;
            }
            Not | Minus | If => level.prefixes += 1,
            Arrow => level.suffixes += 1,
            Then => level.thens += 1,
            Else => level.thens = level.thens.saturating_sub(1),
            Semicolon => level.thens = 0,
            _ => {}
        }
        if !matches!(spanned.token, Not | Minus | If) {
            level.prefixes = 0;
        }
        // The field behind an arrow continues the chain of suffixes; every other token ends it.
        let is_field = index > 0 && tokens[index - 1].token == Arrow;
        if spanned.token != Arrow && !is_field {
            level.suffixes = 0;
        }
    }
    None
}

/// The brackets that are open behind the tokens, outermost first.
///
/// After an error brackets may not match: a closing bracket closes everything up to its partner if there is one, and a
/// semicolon ends all parentheses but those of a let expression.
pub(crate) fn open_brackets(tokens: &[Spanned]) -> Vec<Spanned> {
    use Token::*;
    let mut open: Vec<(Spanned, bool)> = Vec::new();
    for (index, spanned) in tokens.iter().enumerate() {
        let token = spanned.token;
        match token {
            LeftParen | LeftBracket | LeftBrace | AttributeBrace | LeftCode => {
                let is_let = tokens.get(index + 1).is_some_and(|next| next.token == Var);
                open.push((*spanned, is_let));
            }
            RightParen | RightBracket | RightBrace | RightCode => {
                if let Some(partner) = open
                    .iter()
                    .rposition(|(bracket, _)| closing(bracket.token) == token)
                {
                    open.truncate(partner);
                }
            }
            Semicolon => {
                while open
                    .pop_if(|(b, is_let)| matches!(b.token, LeftParen | LeftBracket) && !*is_let)
                    .is_some()
                {}
            }
            _ => {}
        }
    }
    open.into_iter().map(|(bracket, _)| bracket).collect()
}

/// The partner of an opening bracket.
pub(crate) fn closing(open: Token) -> Token {
    match open {
        Token::LeftParen => Token::RightParen,
        Token::LeftBracket => Token::RightBracket,
        Token::LeftCode => Token::RightCode,
        _ => Token::RightBrace,
    }
}
