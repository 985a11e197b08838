//! Tokens and comments in one list, and what those mean that can mean several things.

use crate::token::{Language, Spanned, Token, comments::comments, tokenize};

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'t> {
    /// Its text.
    pub text: &'t str,
    /// Which token; `None` for a comment.
    pub token: Option<Token>,
    /// How many line breaks stand before it.
    pub breaks: usize,
    /// How many blanks stand before it, if it is on the line of the one before.
    pub blanks: usize,
    /// What it means.
    pub role: Role,
}

/// What a token means where its text does not say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// What its text says.
    Plain,
    /// A comment up to the end of the line.
    LineComment,
    /// A comment in signs of its own.
    BlockComment,
    /// A brace around statements or declarations, on lines of their own.
    Block,
    /// A brace around few statements, all on one line.
    InlineBlock,
    /// The brace around a datatype's constructors, on lines of their own.
    Constructors,
    /// `-` in front of an operand.
    Sign,
    /// `<` and `>` around type parameters.
    TypeParameters,
    /// `->` in front of a field.
    Field,
    /// `:` between bit positions.
    Bits,
}

impl Role {
    /// Whether it is a brace around things that begin lines.
    pub(super) fn is_block(self) -> bool {
        matches!(self, Role::Block | Role::InlineBlock | Role::Constructors)
    }
}

/// The elements of a text.
pub(super) fn elements(text: &str, language: Language) -> Vec<Element<'_>> {
    let (tokens, _) = tokenize(text, language);
    let mut places: Vec<(Spanned, Option<bool>)> =
        tokens.iter().map(|token| (*token, None)).collect();
    for comment in comments(text, &tokens) {
        let spanned = Spanned {
            token: Token::Error,
            span: comment.span,
        };
        places.push((spanned, Some(comment.is_block)));
    }
    places.sort_by_key(|(spanned, _)| spanned.span);
    let mut end = 0;
    let mut elements: Vec<Element<'_>> = Vec::with_capacity(places.len());
    for (Spanned { token, span }, comment) in places {
        let before = &text[end..span.range().start];
        end = span.range().end;
        elements.push(Element {
            text: match token {
                Token::AttributeBrace => "{:",
                _ => text[span.range()].trim_end(),
            },
            token: comment.is_none().then_some(token),
            breaks: before.matches('\n').count(),
            blanks: before.chars().count(),
            role: match comment {
                None => Role::Plain,
                Some(true) => Role::BlockComment,
                Some(false) => Role::LineComment,
            },
        });
    }
    find_roles(&mut elements, language);
    elements
}

/// Says what tokens mean. Comments do not count.
fn find_roles(elements: &mut [Element<'_>], language: Language) {
    let indices: Vec<usize> = (0..elements.len())
        .filter(|&i| elements[i].token.is_some())
        .collect();
    let kinds: Vec<Token> = indices.iter().filter_map(|&i| elements[i].token).collect();
    let at = |i: usize| kinds.get(i).copied();
    // Open brackets: the index among the tokens, and whether it is a block.
    let mut open: Vec<(usize, bool)> = Vec::new();
    // Whether the declaration at hand is a datatype.
    let mut datatype = false;
    for (i, &token) in kinds.iter().enumerate() {
        let before = i.checked_sub(1).and_then(at);
        let in_block = open.last().is_none_or(|(_, is_block)| *is_block);
        let role = match token {
            Token::LeftParen | Token::LeftBracket | Token::AttributeBrace | Token::LeftCode => {
                open.push((i, false));
                Role::Plain
            }
            Token::LeftBrace => {
                open.push((i, in_block));
                match (in_block, std::mem::take(&mut datatype)) {
                    (false, _) => Role::Plain,
                    (true, true) => Role::Constructors,
                    (true, false) => Role::Block,
                }
            }
            Token::RightParen | Token::RightBracket | Token::RightCode | Token::RightBrace => {
                match open.pop() {
                    Some((start, true)) if token == Token::RightBrace => {
                        let (first, last) = (indices[start], indices[i]);
                        let inside = &kinds[start + 1..i];
                        if stays_on_its_line(&elements[first..=last], inside) {
                            elements[first].role = Role::InlineBlock;
                        }
                        elements[first].role
                    }
                    _ => Role::Plain,
                }
            }
            Token::Datatype => {
                datatype = true;
                Role::Plain
            }
            Token::Minus if !before.is_some_and(ends_operand) => Role::Sign,
            Token::Less | Token::Greater if elements[indices[i]].role == Role::TypeParameters => {
                Role::TypeParameters
            }
            Token::Less => {
                if let Some(close) = type_parameters(&kinds, i) {
                    elements[indices[close]].role = Role::TypeParameters;
                    Role::TypeParameters
                } else {
                    Role::Plain
                }
            }
            Token::Arrow => {
                let begins = i < 2
                    || matches!(
                        at(i - 2),
                        Some(Token::LeftBrace | Token::Semicolon | Token::RightBrace)
                    );
                let is_edge = language == Language::Graph && open.len() == 1 && in_block && begins;
                if is_edge { Role::Plain } else { Role::Field }
            }
            Token::Colon if before == Some(Token::Int) && at(i + 1) == Some(Token::Int) => {
                Role::Bits
            }
            _ => Role::Plain,
        };
        elements[indices[i]].role = role;
    }
}

/// The longest block on one line.
const LONGEST_INLINE: usize = 80;

/// So many statements may stand in a block on one line.
const MOST_INLINE: usize = 2;

/// Whether a block stays on its line: it is on one, with few statements and no block inside.
fn stays_on_its_line(block: &[Element<'_>], inside: &[Token]) -> bool {
    let mut depth = 0usize;
    let mut statements = 0;
    for token in inside {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::AttributeBrace | Token::LeftCode => {
                depth += 1;
            }
            Token::LeftBrace if depth == 0 => return false,
            // Clauses have lines of their own.
            Token::Requires | Token::Ensures | Token::Modifies | Token::Invariant => return false,
            Token::LeftBrace => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightCode => {
                depth = depth.saturating_sub(1);
            }
            Token::Semicolon if depth == 0 => statements += 1,
            _ => {}
        }
    }
    let is_one_line = block[1..]
        .iter()
        .all(|element| element.breaks == 0 && element.token.is_some());
    let length: usize = block.iter().map(|element| element.text.len()).sum();
    is_one_line && statements <= MOST_INLINE && length <= LONGEST_INLINE
}

/// Whether an operand may end with the token, so that `-` behind it is a difference.
fn ends_operand(token: Token) -> bool {
    use Token::*;
    token.is_soft() && token != Is
        || matches!(
            token,
            Ident
                | Int
                | BitVector
                | Real
                | Float
                | String
                | RoundingMode
                | True
                | False
                | RightParen
                | RightBracket
                | RightCode
                | Prime
                | BoolType
                | IntType
                | RealType
        )
}

/// The index of `>` if type parameters begin at the index: `<a, b>` in front of a bracket, or behind a quantifier.
fn type_parameters(kinds: &[Token], start: usize) -> Option<usize> {
    use Token::*;
    let at = |i: usize| kinds.get(i).copied();
    let is_name = |token: Token| token == Ident || token.is_soft();
    let mut i = start + 1;
    loop {
        if !at(i).is_some_and(is_name) {
            return None;
        }
        match at(i + 1)? {
            Comma => i += 2,
            Greater => break,
            _ => return None,
        }
    }
    let before = start.checked_sub(1).and_then(at);
    let is_bound = matches!(
        before,
        Some(Forall | Exists | Lambda | ForallSign | ExistsSign | LambdaSign)
    );
    let is_in_front = matches!(at(i + 2), Some(LeftParen | LeftBracket | LeftBrace));
    (is_bound || is_in_front).then_some(i + 1)
}
