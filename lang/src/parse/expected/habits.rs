//! What other languages write, and how it is written here.

use super::super::Tokens;
use super::{Context, Expected};
use crate::token::{Language, Spanned, Token};

impl Context<'_> {
    /// Advice where an error looks like a habit from another language.
    pub(super) fn habit(&self, found: Spanned, expected: &Expected) -> Option<String> {
        use Token::*;
        let text = |spanned: &Spanned| &self.text[spanned.span.range()];
        let word = text(&found);
        let last = self.before.last();
        let (last_token, last_word) = (last.map(|t| t.token), last.map_or("", text));
        let next = self.behind.get(1);
        let first = self.construct.tokens.first();
        let touches = last.is_some_and(|last| last.span.end == found.span.start);
        let starts_operand = matches!(found.token, Ident | Int | LeftParen | True | False);
        let advice = match found.token {
            Equals if next.is_some_and(|next| next.token == Less) => "at most is written `<=`",
            Greater if last_token == Some(Less) && touches => "unequal is written `!=`",
            _ if last_word == "not" && starts_operand => "negation is written `!`: `!(x == 1)`",
            Ident if word.starts_with(['x', 'X']) && last_word == "0" && touches => {
                "numbers are written in decimal digits"
            }
            Ident if word == "?" => "a choice is written `if b then x else y`",
            Ident if word == "and" => "conjunction is written `&&`",
            Ident if word == "or" => "disjunction is written `||`",
            Ident if word == "implies" => "implication is written `==>`",
            _ if first.is_some_and(|first| text(first) == "for")
                && self.language == Language::Boogie =>
            {
                "a loop is written `while (i < n) { ... }`; its counter is set before it and in it"
            }
            Colon
                if first.is_some_and(|first| first.token == Procedure)
                    && last_token == Some(RightParen) =>
            {
                "the results of a procedure have names: `returns (r: int)`"
            }
            IntType | BoolType | RealType if expected.name => {
                let name = next.filter(|next| next.token == Ident)?;
                return Some(format!(
                    "the name stands before the type: `{}: {word}`",
                    text(name)
                ));
            }
            Ident if expected.declaration => {
                let small = word.to_lowercase();
                let keyword = match &*small {
                    "proc" | "method" | "def" | "fn" | "func" | "fun" | "void" | "int" => {
                        "procedure"
                    }
                    "procedure" | "function" | "implementation" | "axiom" | "const" | "var"
                    | "type" | "datatype" => &small,
                    _ => return None,
                };
                return Some(match keyword == small {
                    true => format!("keywords are written in small letters: `{keyword}`"),
                    false => format!("this begins with `{keyword}`"),
                });
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }
}

/// Where the `for` stands if the tokens end in the head of a loop as in C, `for (i := 0; i < 10; ...`, behind its first `;`.
/// (For the brackets that are open, a semicolon ends it.)
pub(in crate::parse) fn counting_loop(text: &str, before: Tokens<'_>) -> Option<u32> {
    let (mut closed, mut semicolons) = (0_usize, 0_usize);
    for (index, spanned) in before.iter().enumerate().rev() {
        match spanned.token {
            Token::LeftBrace | Token::RightBrace => return None,
            Token::Semicolon if closed == 0 => semicolons += 1,
            Token::RightParen => closed += 1,
            Token::LeftParen if closed > 0 => closed -= 1,
            Token::LeftParen => {
                let word = before[..index].last()?.span;
                let is_head = semicolons > 0 && &text[word.range()] == "for";
                return is_head.then_some(word.start);
            }
            _ => {}
        }
    }
    None
}
