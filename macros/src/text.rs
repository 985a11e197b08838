//! Tokens of Rust as a text of the program-graph language, and the way back from places in it.

use std::ops::Range;

use proc_macro::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// A text, and which part of it came from which token.
pub(crate) struct Text {
    /// The text. What stands in a line and column of the Rust file stands there in the text, too, as far as the compiler
    /// tells places.
    pub text: String,
    /// The file that it came from.
    pub file: String,
    pieces: Vec<(Range<usize>, Span)>,
}

impl Text {
    /// The text that the tokens were.
    ///
    /// # Errors
    /// What the language cannot say: where, and why.
    pub(crate) fn of_tokens(tokens: TokenStream) -> Result<Text, (Span, String)> {
        let mut writer = Writer {
            text: Text {
                text: String::new(),
                file: file(&tokens),
                pieces: Vec::new(),
            },
            place: (1, 1),
            joint: false,
        };
        writer.stream(tokens)?;
        writer.text.text.push('\n');
        Ok(writer.text)
    }

    /// The text of a raw string.
    pub(crate) fn of_raw_string(content: &str, span: Span) -> Text {
        // The text begins where the string does.
        let text = "\n".repeat(span.start().line().saturating_sub(1)) + content + "\n";
        Text {
            pieces: vec![(0..text.len(), span)],
            text,
            file: span.file(),
        }
    }

    /// The first and the last token of a part of the text; where there is none, the one before.
    pub(crate) fn tokens(&self, part: Range<usize>) -> (Span, Span) {
        let begins = |(range, _): &&(Range<usize>, Span)| range.end > part.start;
        let first = self.pieces.iter().find(begins);
        let first = first.filter(|(range, _)| range.start < part.end.max(part.start + 1));
        let last = self
            .pieces
            .iter()
            .rev()
            .find(|(range, _)| range.start < part.end);
        match (first, last) {
            (Some((_, first)), Some((_, last))) => (*first, *last),
            (Some((_, only)), None) => (*only, *only),
            (None, _) => {
                let before = self
                    .pieces
                    .iter()
                    .rev()
                    .find(|(range, _)| range.end <= part.start);
                let only = before.or(self.pieces.first());
                let only = only.map_or_else(Span::call_site, |(_, span)| *span);
                (only, only)
            }
        }
    }
}

/// The file that tokens are in.
fn file(tokens: &TokenStream) -> String {
    let first = tokens.clone().into_iter().next();
    first
        .map_or_else(Span::call_site, |token| token.span())
        .file()
}

struct Writer {
    text: Text,
    /// Where in the Rust file the end of the text is: line and column, from 1.
    place: (usize, usize),
    /// Whether what comes next belongs to the sign before.
    joint: bool,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) -> Result<(), (Span, String)> {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.group(&group)?,
                TokenTree::Ident(ident) if ident.to_string() == "next" => match tokens.peek() {
                    Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Parenthesis =>
                    {
                        self.next(group)?;
                        tokens.next();
                    }
                    _ => self.write("next", ident.span()),
                },
                TokenTree::Ident(ident) => self.write(&ident.to_string(), ident.span()),
                TokenTree::Punct(punct) if punct.as_char() == '#' && is_doc(tokens.peek()) => {
                    // A comment `/// ...`.
                    tokens.next();
                }
                TokenTree::Punct(punct) => {
                    self.write(&punct.as_char().to_string(), punct.span());
                    self.joint = punct.spacing() == Spacing::Joint;
                }
                TokenTree::Literal(literal) => self.write(&literal.to_string(), literal.span()),
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<(), (Span, String)> {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => return self.stream(group.stream()),
        };
        self.write(open, group.span_open());
        self.stream(group.stream())?;
        self.write(close, group.span_close());
        Ok(())
    }

    /// `next(x)`: `x'`, with the name where it is, and the apostrophe where the bracket closes.
    fn next(&mut self, group: &Group) -> Result<(), (Span, String)> {
        if group.stream().is_empty() {
            let why = "`next(x)` is the value of the variable `x` behind the step";
            return Err((group.span_close(), why.to_owned()));
        }
        self.stream(group.stream())?;
        self.write("'", group.span_close());
        Ok(())
    }

    fn write(&mut self, word: &str, span: Span) {
        let [start, end] = [span.start(), span.end()].map(|at| (at.line(), at.column()));
        let text = &mut self.text.text;
        let ahead = start >= self.place;
        if ahead {
            while self.place.0 < start.0 {
                text.push('\n');
                self.place = (self.place.0 + 1, 1);
            }
            let blanks = start.1 - self.place.1;
            text.extend(std::iter::repeat_n(' ', blanks));
        } else if !self.joint {
            // Words of a macro have the places that they had in its definition.
            text.push(' ');
        }
        let begin = text.len();
        text.push_str(word);
        self.text.pieces.push((begin..text.len(), span));
        if ahead {
            self.place = end;
        }
        self.joint = false;
    }
}

/// Whether this is what follows the `#` of a comment `/// ...`.
fn is_doc(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(ident)) if ident.to_string() == "doc")
}
