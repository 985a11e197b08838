//! The shapes of C programs, from their tokens.

use std::ops::Range;

use logos::Logos;

use super::shape::{Declaration, Kind, Part, Shape};

/// A token of C, or what stands in its place.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
enum Token {
    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#""([^"\\\n]|\\.)*""#)]
    #[regex(r"'([^'\\\n]|\\.)*'")]
    Text,
    #[regex(r"#[^\n]*", allow_greedy = true)]
    #[regex(r"\\[ \t\r]*\n")]
    Directive,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(";")]
    Semicolon,
    #[regex(r"->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.")]
    Operator,
    #[regex(r"<%|%>|<:|:>|%:")]
    Digraph,
}

/// A token and its place; `None` for what is no token.
type Placed = (Option<Token>, Range<usize>);

/// What an assertion is in C.
const ASSERTIONS: [&str; 4] = ["assert", "__assert_fail", "reach_error", "__VERIFIER_error"];

/// The shape of a C program.
pub(super) fn shape(text: &str) -> Shape {
    let mut shape = Shape {
        text: text.to_owned(),
        is_c: true,
        ..Shape::default()
    };
    let mut tokens: Vec<Placed> = Vec::new();
    let mut directives = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        match token {
            // Annotations are read as assertions.
            Ok(Token::Comment) if text[range.clone()][2..].starts_with('@') => {
                directives.push(range);
            }
            // The compiler continues such a comment on the next line.
            Ok(Token::Comment) if text[range.clone()].trim_end().ends_with('\\') => {
                directives.push(range);
            }
            Ok(Token::Comment) => {}
            // `%:` is another way to write `#`, and `<%` one to write a brace.
            Ok(Token::Directive | Token::Digraph) => directives.push(range),
            token => tokens.push((token.ok(), range)),
        }
    }
    shape.parts.extend(directives.into_iter().map(|range| Part {
        kind: Kind::Directive,
        owner: String::new(),
        range,
        names: Vec::new(),
    }));
    shape.tokens = tokens.iter().map(|(_, range)| range.clone()).collect();
    let mut at = 0;
    while at < tokens.len() {
        at = declaration(&mut shape, &tokens, at);
    }
    shape.parts.sort_by_key(|part| part.range.start);
    shape
}

/// Adds the declaration that begins there. Returns where the next one does.
fn declaration(shape: &mut Shape, tokens: &[Placed], first: usize) -> usize {
    let mut depth = 0usize;
    let mut name = None;
    let mut end = first;
    while let Some((token, _)) = tokens.get(end) {
        end += 1;
        match token {
            Some(Token::Open) => {
                if depth == 0 && name.is_none() && end >= 2 {
                    name = tokens.get(end - 2).filter(|(t, _)| *t == Some(Token::Word));
                }
                depth += 1;
            }
            Some(Token::Close) => depth = depth.saturating_sub(1),
            Some(Token::OpenBrace) => {
                let is_body = depth == 0
                    && tokens
                        .get(end.wrapping_sub(2))
                        .is_some_and(|(t, _)| *t == Some(Token::Close));
                let close = closing(tokens, end - 1, BRACES);
                if let (true, Some((_, name))) = (is_body, name) {
                    function(shape, tokens, first, name.clone(), end - 1, close);
                    return close + 1;
                }
                end = close + 1;
            }
            Some(Token::Semicolon) if depth == 0 => break,
            _ => {}
        }
    }
    let end = end.min(tokens.len());
    let range = tokens[first].1.start..tokens[end - 1].1.end;
    shape.declarations.push(Declaration {
        key: format!("declaration `{}`", shape.words(&range)),
        name: String::new(),
        head: range.clone(),
        range,
    });
    end
}

const BRACES: [Token; 2] = [Token::OpenBrace, Token::CloseBrace];
const PARENTHESES: [Token; 2] = [Token::Open, Token::Close];

/// The token that closes the one there, which opens; or the last one.
fn closing(tokens: &[Placed], open: usize, [opens, closes]: [Token; 2]) -> usize {
    let mut depth = 0usize;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        if *token == Some(opens) {
            depth += 1;
        } else if *token == Some(closes) {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len() - 1
}

fn function(
    shape: &mut Shape,
    tokens: &[Placed],
    first: usize,
    name: Range<usize>,
    open: usize,
    close: usize,
) {
    let owner = shape.text[name].to_owned();
    let range = tokens[first].1.start..tokens[close].1.end;
    shape.declarations.push(Declaration {
        key: format!("function `{owner}`"),
        name: owner.clone(),
        head: range.start..tokens[open].1.start,
        range,
    });
    add_part(
        shape,
        &owner,
        Kind::Body,
        tokens[open].1.start..tokens[close].1.end,
    );
    let mut at = open + 1;
    while at < close {
        let (token, range) = &tokens[at];
        let text = &shape.text[range.clone()];
        let opens = tokens
            .get(at + 1)
            .is_some_and(|(t, _)| *t == Some(Token::Open));
        if *token == Some(Token::Word) && ASSERTIONS.contains(&text) && opens {
            let end = closing(tokens, at + 1, PARENTHESES).min(close);
            add_part(
                shape,
                &owner,
                Kind::Assertion,
                range.start..tokens[end].1.end,
            );
            at = end;
        } else if *token == Some(Token::Word) && text == "return" {
            let mut end = at;
            while end < close && tokens[end].0 != Some(Token::Semicolon) {
                end += 1;
            }
            add_part(shape, &owner, Kind::Return, range.start..tokens[end].1.end);
        } else if *token == Some(Token::Semicolon) {
            add_part(shape, &owner, Kind::Statement, range.clone());
        }
        at += 1;
    }
}

fn add_part(shape: &mut Shape, owner: &str, kind: Kind, range: Range<usize>) {
    shape.parts.push(Part {
        kind,
        owner: owner.to_owned(),
        range,
        names: Vec::new(),
    });
}

/// Words with which a function can end the program, or have `ult` believe something.
const FORBIDDEN: [&str; 17] = [
    "exit",
    "_Exit",
    "_exit",
    "quick_exit",
    "abort",
    "raise",
    "kill",
    "signal",
    "longjmp",
    "setjmp",
    "asm",
    "__asm__",
    "__asm",
    "main",
    "__attribute__",
    "__attribute",
    "_Noreturn",
];

/// Whether a word must not be used where the file that was handed out does not use it.
pub(super) fn is_forbidden(word: &str) -> bool {
    FORBIDDEN.contains(&word)
        || ["__VERIFIER_", "__builtin_", "__CPROVER", "__ult"]
            .iter()
            .any(|start| word.starts_with(start))
}
