//! The external declarations of a text one after the other (C11 6.9), past mistakes.

use std::ops::Range;

use ult_lang::diagnostic::{Diagnostic, Id};

use super::parser::{LIMIT, Parser};
use super::token::{Kind, Token, tokens};
use super::wanted;
use crate::syntax::TranslationUnit;

/// More mistakes are not told in one run: most of them follow from others.
const MOST_ERRORS: usize = 20;

/// A translation unit, as far as it can be read.
pub(super) struct Unit {
    pub(super) trees: TranslationUnit,
    /// What is wrong or ignored.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// An upper bound for the depth of the trees.
    pub(super) depth: usize,
}

/// Reads a part of a text without comments and directives. Places are offsets in the whole.
pub(super) fn translation_unit(text: &str, part: Range<usize>) -> Unit {
    let mut parser = Parser::new(text, tokens(text, part));
    let mut declarations = Vec::new();
    let mut mistakes = Vec::new();
    while !parser.at(Kind::End) && mistakes.len() < MOST_ERRORS {
        if parser.at(Kind::Semicolon) {
            parser.next();
            continue;
        }
        let first = parser.position();
        let scopes = parser.names.depth();
        parser.surface();
        if let Ok(declaration) = parser.external_declaration() {
            declarations.push(declaration);
            continue;
        }
        if let Some(place) = parser.too_deep {
            let message = format!("nested more than {LIMIT} levels deep");
            let diagnostic = Diagnostic::error(Id::LIMIT, message, place, "too deep");
            return Unit {
                trees: TranslationUnit::default(),
                diagnostics: vec![diagnostic],
                depth: 0,
            };
        }
        let at = parser.position();
        mistakes.push(wanted::message(
            text,
            &parser.tokens[first..at],
            parser.tokens[at],
            parser.wanted,
        ));
        while parser.names.depth() > scopes {
            parser.names.close();
        }
        let end = end_of_declaration(&parser.tokens, first);
        // If it is a type's definition, its name stays a type.
        if parser.tokens[first].kind == Kind::Typedef
            && let Some(last) = end.checked_sub(2).map(|last| parser.tokens[last])
            && last.kind == Kind::Identifier
        {
            let name = parser.text_of(last).to_owned();
            parser.names.declare(&name, true);
        }
        parser.go_to(end);
    }
    let mut diagnostics = parser.diagnostics;
    diagnostics.append(&mut mistakes);
    Unit {
        trees: TranslationUnit(declarations),
        diagnostics,
        depth: parser.deepest,
    }
}

/// The number of the token after the external declaration that begins at a token, by its brackets.
fn end_of_declaration(tokens: &[Token], first: usize) -> usize {
    let mut braces = 0_usize;
    let mut is_body = false;
    let mut last = Kind::Semicolon;
    for (number, token) in tokens.iter().enumerate().skip(first) {
        let after = tokens.get(number + 1).map_or(Kind::End, |next| next.kind);
        let ends = match token.kind {
            Kind::OpenBrace => {
                if braces == 0 {
                    is_body = matches!(last, Kind::CloseParen | Kind::Semicolon);
                }
                braces += 1;
                false
            }
            Kind::CloseBrace => {
                let ends = braces == 0 || (braces == 1 && is_body);
                braces = braces.saturating_sub(1);
                ends
            }
            // Parameters declared in the old style stand between a function's head and its body.
            Kind::Semicolon => braces == 0 && after != Kind::OpenBrace,
            Kind::End => return number,
            _ => false,
        };
        if ends {
            return number + 1;
        }
        last = token.kind;
    }
    tokens.len().saturating_sub(1)
}

/// Where the external declarations of a text are, by its brackets. Together they contain everything but blanks.
pub fn declarations(code: &str) -> Vec<Range<usize>> {
    let tokens = tokens(code, 0..code.len());
    let place = |part: &[Token]| Some(part.first()?.span.join(part.last()?.span).range());
    parts(&tokens).filter_map(place).collect()
}

/// The tokens of each external declaration.
fn parts(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let start = first;
        first = end_of_declaration(tokens, start);
        (first > start).then(|| &tokens[start..first])
    })
}

/// Whether a text defines a function of this name, as far as its brackets tell; it need not be preprocessed.
pub fn defines(text: &str, name: &str) -> bool {
    let code = crate::source::clean(text).text;
    let tokens = tokens(&code, 0..code.len());
    let is_it =
        |pair: &[Token]| code[pair[0].span.range()] == *name && pair[1].kind == Kind::OpenParen;
    let names_it = |part: &[Token]| {
        let body = part.iter().position(|token| token.kind == Kind::OpenBrace);
        part[..body.unwrap_or(0)].windows(2).any(is_it)
    };
    parts(&tokens).any(names_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<&str> {
        declarations(code)
            .into_iter()
            .map(|place| &code[place])
            .collect()
    }

    #[test]
    fn declarations_are_told_apart() {
        let parts = [
            "int x = 1, y[] = { 1, 2 };",
            "struct S { int a; } s;",
            "int f(a) int a; { return '}'; }",
            "typedef int T;",
            "int g(void) { char *s = \"{\"; for (;;) { } }",
            ";",
            "}",
            "int h(void) { if (",
        ];
        assert_eq!(texts(&parts.join("\n")), parts);
        assert_eq!(texts(" \n"), [""; 0]);
        assert_eq!(texts("int x;\x0b\x0c"), ["int x;"]);
    }

    #[test]
    fn a_lost_type_stays_a_type() {
        let code = "typedef struct S { int +; } T; T x;";
        let unit = translation_unit(code, 0..code.len());
        assert_eq!((unit.trees.0.len(), unit.diagnostics.len()), (1, 1));
    }

    #[test]
    fn definitions_are_found_in_texts_as_they_are_written() {
        for (text, expected) in [
            ("#include <stdio.h>\nint main(void) { size_t x; }", true),
            ("main(a) int a; { }", true),
            ("int\nmain ( )\n{ }", true),
            ("int main(void);", false),
            ("int domain(void) { return main(); }", false),
            ("/* int main(void) { } */ char *s = \"main() {\";", false),
            ("struct s { int (*main)(void); };", false),
        ] {
            assert_eq!(defines(text, "main"), expected, "{text}");
        }
    }
}
