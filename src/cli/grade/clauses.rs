//! The shapes of Horn clauses in SMT-LIB: a command is a declaration.

use std::ops::Range;

use logos::Logos;

use super::shape::{Declaration, Kind, Part, Shape};

/// A token of SMT-LIB.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r";[^\n]*", allow_greedy = true))]
enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r#""([^"]|"")*""#)]
    #[regex(r"\|[^|]*\|")]
    #[regex(r#"[^ \t\r\n();"|]+"#)]
    Atom,
}

/// The shape of a script.
pub(super) fn shape(text: &str) -> Shape {
    let mut shape = Shape {
        text: text.to_owned(),
        ..Shape::default()
    };
    let mut tokens: Vec<(bool, bool, Range<usize>)> = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        let is = |kind| token == Ok(kind);
        tokens.push((is(Token::Open), is(Token::Close), range));
    }
    shape.tokens = tokens.iter().map(|(_, _, range)| range.clone()).collect();
    let mut at = 0;
    while at < tokens.len() {
        let end = form_end(&tokens, at);
        command(&mut shape, &tokens, at, end);
        at = end + 1;
    }
    shape
}

/// The last token of the form that begins there.
fn form_end(tokens: &[(bool, bool, Range<usize>)], first: usize) -> usize {
    let mut depth = 0usize;
    for (at, (open, close, _)) in tokens.iter().enumerate().skip(first) {
        depth += usize::from(*open);
        depth = depth.saturating_sub(usize::from(*close));
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

fn command(shape: &mut Shape, tokens: &[(bool, bool, Range<usize>)], first: usize, end: usize) {
    let range = tokens[first].2.start..tokens[end].2.end;
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |(.., range)| &shape.text[range.clone()])
    };
    let (head, name) = (word(first + 1).to_owned(), word(first + 2).to_owned());
    if !head.starts_with("define-fun") {
        shape.declarations.push(Declaration {
            key: format!("command `{}`", shape.words(&range)),
            name: String::new(),
            head: range.clone(),
            range,
        });
        return;
    }
    // The last form is the definition.
    let mut at = first + 1;
    let mut last = at;
    while at < end {
        last = at;
        at = form_end(tokens, at) + 1;
    }
    let body = tokens[last].2.start..tokens[end.saturating_sub(1).max(last)].2.end;
    shape.declarations.push(Declaration {
        key: format!("{head} `{name}`"),
        name: name.clone(),
        head: range.start..body.start,
        range,
    });
    shape.parts.push(Part {
        kind: Kind::Definition,
        owner: name,
        range: body,
        names: Vec::new(),
    });
}

/// The clauses `(assert (forall (...) (=> PREMISES HEAD)))` of a script: each with its head.
pub(super) fn implications(shape: &Shape) -> Vec<(Range<usize>, Range<usize>)> {
    let commands = shape.declarations.iter();
    let clauses = commands.filter_map(|command| {
        let mut form = command.range.clone();
        loop {
            let parts = forms(shape, &form);
            match parts.iter().map(|part| &shape.text[part.clone()]).next()? {
                "assert" | "forall" => form = parts.last()?.clone(),
                "=>" => return Some((command.range.clone(), parts.last()?.clone())),
                _ => return None,
            }
        }
    });
    clauses.collect()
}

/// The forms inside of a form in parentheses; none of an atom.
fn forms(shape: &Shape, form: &Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut depth = 0usize;
    for token in shape.tokens_in(form) {
        let text = &shape.text[token.clone()];
        if text == ")" {
            depth = depth.saturating_sub(1);
        }
        match depth {
            1 if text == ")" => {
                if let Some(last) = found.last_mut() {
                    last.end = token.end;
                }
            }
            1 => found.push(token.clone()),
            _ => {}
        }
        if text == "(" {
            depth += 1;
        }
    }
    found
}
