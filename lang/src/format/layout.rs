//! Lines and indentation.

use super::elements::{Element, Role, elements};
use super::spacing::has_blank;
use crate::token::{Language, Token};

/// One level of indentation.
const INDENT: &str = "  ";

/// Deeper levels are not shown: the text would grow with the square of its depth.
const DEEPEST: usize = 60;

/// The text in its usual layout.
pub(super) fn layout(text: &str, language: Language) -> String {
    let elements = elements(text, language);
    let mut layout = Layout {
        language,
        elements: &elements,
        out: String::with_capacity(text.len()),
        lines: 0,
        open: Vec::new(),
        level: 0,
        begins: true,
        in_clause: false,
        must_break: false,
        was_label: false,
    };
    for i in 0..elements.len() {
        layout.put(i);
    }
    let mut out = layout.out;
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// An open bracket.
struct Open {
    role: Role,
    /// The number of the line it stands in.
    line: usize,
}

struct Layout<'e> {
    language: Language,
    elements: &'e [Element<'e>],
    out: String,
    /// How many lines are complete.
    lines: usize,
    open: Vec<Open>,
    /// How many blocks with lines of their own are open.
    level: usize,
    /// Whether the next token begins a statement or declaration.
    begins: bool,
    /// Whether a clause of a contract or loop is not over.
    in_clause: bool,
    /// Whether the next token has to stand on a new line.
    must_break: bool,
    /// Whether the token before is the name of a label.
    was_label: bool,
}

impl Layout<'_> {
    fn put(&mut self, i: usize) {
        let element = self.elements[i];
        let is_comment = element.token.is_none();
        let before = i.checked_sub(1).map(|before| self.elements[before]);
        let is_clause = self.is_clause(i);
        let closes_block = element.token == Some(Token::RightBrace) && element.role.is_block();
        if closes_block {
            self.open.pop();
            if element.role != Role::InlineBlock {
                self.level = self.level.saturating_sub(1);
            }
        }
        if let Some(before) = before {
            if self.breaks(i, &before, is_clause) {
                let is_edge_of_block =
                    before.role != Role::InlineBlock && opens_block(&before) || closes_block;
                self.lines += 1;
                self.out.push('\n');
                if element.breaks > 1 && !is_edge_of_block {
                    self.out.push('\n');
                }
                for _ in 0..self.indentation(i, is_clause).min(DEEPEST) {
                    self.out.push_str(INDENT);
                }
                self.must_break = false;
            } else if is_comment && element.role == Role::LineComment {
                // Comments that stand below each other stay so, as far as possible.
                for _ in 0..element.blanks.max(1) {
                    self.out.push(' ');
                }
            } else if has_blank(&before, &element) {
                self.out.push(' ');
            }
        }
        self.out.push_str(element.text);
        match element.role {
            Role::LineComment => {}
            Role::BlockComment => self.lines += element.text.matches('\n').count(),
            _ => {
                self.must_break = false;
                self.pass(&element, is_clause, i);
            }
        }
    }

    /// Whether the element begins a new line.
    fn breaks(&self, i: usize, before: &Element<'_>, is_clause: bool) -> bool {
        let element = &self.elements[i];
        if before.role == Role::LineComment {
            return true;
        }
        let is_comment = element.token.is_none();
        if is_comment {
            return element.breaks > 0;
        }
        let closes = before.token == Some(Token::RightBrace) && before.role.is_block();
        match element.token {
            Some(Token::Semicolon | Token::Comma) => return false,
            Some(Token::Else) if closes => return false,
            Some(Token::RightBrace) if element.role == Role::InlineBlock => return false,
            Some(Token::RightBrace) if element.role.is_block() => return true,
            _ => {}
        }
        self.must_break || is_clause || element.breaks > 0
    }

    /// The levels of indentation of a line that begins with the element.
    fn indentation(&self, i: usize, is_clause: bool) -> usize {
        let element = &self.elements[i];
        // A comment stands where the token that it is about stands.
        let about = self.elements[i..].iter().position(|e| e.token.is_some());
        let Some(about) = about.map(|offset| i + offset) else {
            return self.level;
        };
        let token = self.elements[about].token;
        let role = self.elements[about].role;
        if is_clause || self.is_clause(about) {
            return self.level + 1;
        }
        if role.is_block() || token == Some(Token::Else) {
            return self.level;
        }
        let inside = self
            .open
            .iter()
            .rev()
            .take_while(|open| !open.role.is_block());
        let mut lines: Vec<usize> = inside.map(|open| open.line).collect();
        if self.begins && lines.is_empty() {
            // A label on a line of its own stands out.
            let is_label = element.token.is_some() && self.is_label(about) && self.is_alone(about);
            return self.level.saturating_sub(usize::from(is_label));
        }
        let closes = matches!(
            element.token,
            Some(Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightCode)
        );
        if closes && !lines.is_empty() {
            lines.remove(0);
        }
        lines.dedup();
        let levels = if closes {
            lines.len()
        } else {
            lines.len().max(1)
        };
        self.level + usize::from(self.in_clause) + levels
    }

    /// Notes what a token means for what comes behind it.
    fn pass(&mut self, element: &Element<'_>, is_clause: bool, i: usize) {
        use Token::*;
        let begins = std::mem::replace(&mut self.begins, false);
        self.in_clause |= is_clause;
        let Some(token) = element.token else { return };
        match token {
            LeftParen | LeftBracket | AttributeBrace | LeftCode | LeftBrace => {
                self.open.push(Open {
                    role: element.role,
                    line: self.lines,
                });
                if opens_block(element) {
                    self.begins = true;
                    self.in_clause = false;
                    if element.role != Role::InlineBlock {
                        self.level += 1;
                        self.must_break = true;
                    }
                }
            }
            RightBrace if element.role.is_block() => {
                self.begins = true;
                self.must_break = true;
            }
            RightParen | RightBracket | RightCode | RightBrace
                if self.open.last().is_some_and(|open| !open.role.is_block()) =>
            {
                self.open.pop();
            }
            Semicolon => match self.open.last().map(|open| open.role) {
                Some(Role::InlineBlock) => self.begins = true,
                None | Some(Role::Block | Role::Constructors) => {
                    self.begins = true;
                    self.must_break = true;
                    self.in_clause = false;
                }
                Some(_) => {}
            },
            Comma
                if self
                    .open
                    .last()
                    .is_some_and(|o| o.role == Role::Constructors) =>
            {
                self.begins = true;
            }
            Colon if i > 0 && self.was_label => {
                self.begins = true;
            }
            _ => {}
        }
        self.was_label = begins && self.is_label(i);
    }

    /// Whether a clause of a contract or loop begins here.
    fn is_clause(&self, i: usize) -> bool {
        use Token::*;
        let is_clause =
            |token: Option<Token>| matches!(token, Some(Requires | Ensures | Modifies | Invariant));
        let mut tokens = self.elements[i..].iter().filter_map(|e| e.token);
        let before = self.elements[..i].iter().rev().find_map(|e| e.token);
        match self.elements[i].token {
            Some(Free) => is_clause(tokens.nth(1)),
            token => is_clause(token) && before != Some(Free),
        }
    }

    /// Whether nothing stands behind the label that begins here.
    fn is_alone(&self, i: usize) -> bool {
        let mut rest = self.elements[i..].iter();
        let Some(colon) = rest.position(|e| e.token == Some(Token::Colon)) else {
            return false;
        };
        let behind = i + colon + 1;
        self.elements.get(behind).is_none_or(|e| {
            let closes = e.token == Some(Token::RightBrace) && e.role.is_block();
            let joins = matches!(e.token, Some(Token::Semicolon | Token::Comma));
            e.breaks > 0 && !joins
                || closes
                || e.role == Role::LineComment
                || self.is_clause(behind)
        })
    }

    /// Whether a label begins here, given that a statement does.
    fn is_label(&self, i: usize) -> bool {
        let mut tokens = self.elements[i..].iter().filter_map(|e| e.token);
        let first = tokens.next();
        self.language == Language::Boogie
            && first.is_some_and(|token| token == Token::Ident || token.is_soft())
            && tokens.next() == Some(Token::Colon)
            && self.open.last().is_some_and(|open| open.role.is_block())
    }
}

fn opens_block(element: &Element<'_>) -> bool {
    element.token == Some(Token::LeftBrace) && element.role.is_block()
}
