//! From text to syntax trees.
//!
//! The grammars are `grammar/boogie.lalrpop` and `grammar/graph.lalrpop`, completed by `grammar/common.lalrpop`; here
//! are the limits, the actions that need more than a constructor call, and the words for syntax errors.
//!
//! Parsing never fails and never panics: there is always a tree and a list of diagnostics. If that list contains an
//! error, the tree lacks what could not be read.

mod build;
mod expected;

use crate::ast::{GraphFile, Program};
use crate::diagnostic::Diagnostic;
use crate::token::{Language, Spanned, Token, tokenize};
use build::{Builder, Failure, Stop};

/// How deeply brackets, prefix operators and suffixes together may be nested.
pub const MAX_NESTING: usize = 10_000;

/// The largest exponent of a decimal or floating-point literal.
pub const MAX_EXPONENT: i32 = 10_000;

/// The largest number of digits of a literal.
pub const MAX_DIGITS: usize = 10_000;

/// The largest width of a bit-vector, and the largest bit position.
pub const MAX_WIDTH: u32 = 1 << 20;

/// All tokens of a text.
type Tokens<'t> = &'t [Spanned];

#[allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    unused,
    clippy::unwrap_used
)]
mod boogie {
    include!(concat!(env!("OUT_DIR"), "/boogie.rs"));
}

#[allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    unused,
    clippy::unwrap_used
)]
mod graph {
    include!(concat!(env!("OUT_DIR"), "/graph.rs"));
}

/// Reads a Boogie program.
pub fn parse_boogie(text: &str) -> (Program, Vec<Diagnostic>) {
    parse(text, Language::Boogie, |builder, tokens| {
        boogie::ProgramParser::new().parse(builder, tokens)
    })
}

/// Reads a file of the program-graph language.
pub fn parse_graph(text: &str) -> (GraphFile, Vec<Diagnostic>) {
    parse(text, Language::Graph, |builder, tokens| {
        graph::GraphFileParser::new().parse(builder, tokens)
    })
}

/// A token as lalrpop wants it.
type Triple = Result<(u32, Token, u32), Stop>;

fn parse<T: Default>(
    text: &str,
    language: Language,
    parser: impl FnOnce(&Builder<'_>, &mut dyn Iterator<Item = Triple>) -> Result<T, Failure>,
) -> (T, Vec<Diagnostic>) {
    let (tokens, diagnostics) = tokenize(text, language);
    let builder = Builder::new(text, language, &tokens, diagnostics);
    let mut rest = tokens.iter();
    let mut triples = std::iter::from_fn(|| builder.next(&mut rest));
    let tree = parser(&builder, &mut triples).unwrap_or_else(|failure| {
        builder.fail(failure);
        T::default()
    });
    let mut diagnostics = builder.into_diagnostics();
    diagnostics.sort_by_key(|diagnostic| diagnostic.span());
    (tree, diagnostics)
}
