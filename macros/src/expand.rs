//! What the macro becomes: a value of the library with the text, or errors at the tokens that are wrong.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use ult_lang::diagnostic::{Diagnostic, Severity};
use ult_lang::hir::GraphProgram;

use crate::text::Text;

/// The expansion.
pub(crate) fn graph(tokens: TokenStream) -> TokenStream {
    let (text, is_string) = match raw_string(&tokens) {
        Some(Ok((content, span))) => (Ok(Text::of_raw_string(&content, span)), true),
        Some(Err(error)) => (Err(error), true),
        None => (Text::of_tokens(tokens), false),
    };
    let text = match text {
        Ok(text) => text,
        Err((span, why)) => return errors(vec![(span, span, why)]),
    };
    // The library's own way to read a file.
    let (program, diagnostics) = ult_lang::analyze_graph(&text.text);
    let wrong = mistakes(&text, &program, &diagnostics, is_string);
    if !wrong.is_empty() {
        return errors(wrong);
    }
    let (file, text) = (text.file, text.text);
    let [file, text] = [file, text].map(|text| Literal::string(&text));
    let call = format!("::ult::model::Graphs::of_checked_text({file}, {text})");
    // It is a Rust expression.
    call.parse().unwrap_or_default()
}

/// If the tokens are one raw string: its content, or why it is no good.
fn raw_string(tokens: &TokenStream) -> Option<Result<(String, Span), (Span, String)>> {
    let mut tokens = tokens.clone().into_iter();
    let (Some(TokenTree::Literal(literal)), None) = (tokens.next(), tokens.next()) else {
        return None;
    };
    let text = literal.to_string();
    let content = text.strip_prefix('r').and_then(|rest| {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        rest.get(hashes + 1..rest.len().checked_sub(hashes + 1)?)
    });
    Some(match content {
        Some(content) => Ok((content.to_owned(), literal.span())),
        None => Err((
            literal.span(),
            "graphs, or a raw string with graphs: r#\"...\"#".to_owned(),
        )),
    })
}

/// Errors with the tokens that they are about, first and last.
fn mistakes(
    text: &Text,
    program: &GraphProgram,
    diagnostics: &[Diagnostic],
    is_string: bool,
) -> Vec<(Span, Span, String)> {
    let mut found: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let part = diagnostic.span().range();
            let mut message = diagnostic.message.clone();
            if is_string {
                let line = text.text[..part.start].matches('\n').count() + 1;
                message = format!("line {line}: {message}");
            }
            let label = diagnostic.labels.first().map_or("", |(_, label)| label);
            if !label.is_empty() {
                message += &format!("\n{label}");
            }
            if let Some(help) = &diagnostic.help {
                message += &format!("\nhelp: {help}");
            }
            let (first, last) = text.tokens(part);
            (first, last, message)
        })
        .collect();
    if found.is_empty() && program.graphs.is_empty() {
        let here = Span::call_site();
        found.push((
            here,
            here,
            "there is no graph: `graph NAME { ... }`".to_owned(),
        ));
    }
    found
}

/// A block that does not compile.
fn errors(errors: Vec<(Span, Span, String)>) -> TokenStream {
    let mut block = TokenStream::new();
    let last = errors.len().saturating_sub(1);
    for (i, (first, end, message)) in errors.into_iter().enumerate() {
        block.extend(error(first, end, &message));
        // The last one is the block's value, and has any type.
        if i != last {
            block.extend([TokenTree::Punct(Punct::new(';', Spacing::Alone))]);
        }
    }
    TokenTree::Group(Group::new(Delimiter::Brace, block)).into()
}

/// `::core::compile_error! { "..." }`. The compiler points at what lies between the places of its first and last token.
fn error(first: Span, last: Span, message: &str) -> TokenStream {
    let punct = |sign, spacing| {
        let mut punct = Punct::new(sign, spacing);
        punct.set_span(first);
        TokenTree::Punct(punct)
    };
    let mut text = Literal::string(message);
    text.set_span(last);
    let mut group = Group::new(
        Delimiter::Brace,
        TokenStream::from(TokenTree::Literal(text)),
    );
    group.set_span(last);
    [
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("core", first)),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("compile_error", first)),
        punct('!', Spacing::Alone),
        TokenTree::Group(group),
    ]
    .into_iter()
    .collect()
}
