//! What might have come where a mistake is, in words.

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use super::token::{Kind, Token};

/// Kinds of things that might have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Expression,
    Type,
    Name,
    Operator,
}

/// The order in which they are listed.
const WHATS: [(What, &str); 4] = [
    (What::Expression, "an expression"),
    (What::Type, "a type"),
    (What::Name, "a name"),
    (What::Operator, "an operator"),
];

/// Tokens that are listed. Others stand for operators and the like.
const TOKENS: [(Kind, &str); 9] = [
    (Kind::Semicolon, "`;`"),
    (Kind::Comma, "`,`"),
    (Kind::CloseParen, "`)`"),
    (Kind::CloseBracket, "`]`"),
    (Kind::CloseBrace, "`}`"),
    (Kind::OpenBrace, "`{`"),
    (Kind::OpenParen, "`(`"),
    (Kind::Colon, "`:`"),
    (Kind::While, "`while`"),
];

/// What might have come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    whats: u8,
    tokens: u16,
}

impl Wanted {
    pub(super) fn add(&mut self, what: What) {
        self.whats |= 1 << what as u8;
    }

    pub(super) fn token(&mut self, kind: Kind) {
        if let Some(number) = TOKENS.iter().position(|(known, _)| *known == kind) {
            self.tokens |= 1 << number;
        }
    }

    fn has(self, what: What) -> bool {
        self.whats & 1 << what as u8 != 0
    }

    /// In words.
    fn words(self) -> Vec<&'static str> {
        let operand = self.has(What::Expression);
        let is_said = |what: What| match what {
            What::Expression => operand,
            What::Type => self.has(What::Type) && !operand,
            What::Name => self.has(What::Name) && !operand && !self.has(What::Type),
            What::Operator => self.has(What::Operator) && !operand,
        };
        let whats = WHATS
            .iter()
            .filter(|(what, _)| is_said(*what))
            .map(|(_, words)| *words);
        let is_wanted = |number: &usize| self.tokens & 1 << number != 0;
        let tokens = (0..TOKENS.len())
            .filter(is_wanted)
            .map(|number| TOKENS[number].1);
        whats.chain(tokens).collect()
    }
}

/// The message about a mistake at a token of a declaration, of which these are the tokens before it.
pub(super) fn message(text: &str, before: &[Token], token: Token, wanted: Wanted) -> Diagnostic {
    if token.kind == Kind::End {
        return unfinished(text, before);
    }
    let written = &text[token.span.range()];
    let message = match before.is_empty() && starts_word(written) {
        // All that is known is that no declaration begins like this.
        true => format!("no declaration begins with `{written}`"),
        false => format!("`{written}` is unexpected here"),
    };
    let label = match &wanted.words()[..] {
        [] => "not understood".to_owned(),
        words => format!("expected {}", listed(words)),
    };
    let diagnostic = Diagnostic::error(Id::C_SYNTAX, message, token.span, label);
    let last = before.last().map_or("", |last| &text[last.span.range()]);
    match help(written, last) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The text ends within a declaration.
fn unfinished(text: &str, tokens: &[Token]) -> Diagnostic {
    let mut open = Vec::new();
    for token in tokens {
        match token.kind {
            Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => open.push(token.span),
            Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                open.pop();
            }
            _ => {}
        }
    }
    let (message, place) = match open.pop() {
        Some(place) => (
            format!("this `{}` is never closed", &text[place.range()]),
            place,
        ),
        None => {
            let first = tokens.first().map_or(Span::default(), |token| token.span);
            ("the text ends within a declaration".to_owned(), first)
        }
    };
    Diagnostic::error(Id::C_SYNTAX, message, place, "begins here")
}

fn starts_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn listed(wanted: &[&str]) -> String {
    match wanted {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// What may help with a token after a word.
fn help(token: &str, before: &str) -> Option<String> {
    Some(match (token, before) {
        _ if token == before => return None,
        _ if starts_word(token) && starts_word(before) => {
            format!("if `{before}` is meant to be a type, its definition is missing")
        }
        _ => return None,
    })
}
