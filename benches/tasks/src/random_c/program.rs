//! A generated program as pieces that can be left out one by one, and what is claimed of its results.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One statement or declaration, of one or several lines.
    Text(String),
    /// A block or function: what opens it, what is in it, what closes it.
    Block(String, Vec<Piece>, String),
    /// An integer that is looked at when it is here: its name and the expression.
    Result(String, String),
    /// The end of `main`: what is claimed of the results.
    Claim,
}

impl Piece {
    /// One statement or declaration.
    pub(super) fn text(text: impl Into<String>) -> Piece {
        Piece::Text(text.into())
    }
}

/// What stands at the end of `main`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ending<'a> {
    /// The results are printed.
    Print,
    /// The results have these values: an error is called where one has not.
    True(&'a [i64]),
    /// The results have not all these values: an error is called where they have.
    False(&'a [i64]),
}

/// A program that has no inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    /// Its parts, in order.
    pub pieces: Vec<Piece>,
    /// What it declares at file scope.
    pub names: BTreeSet<String>,
    /// `size_t` is `unsigned int`, not `unsigned long`.
    pub is_32_bit: bool,
    /// The results are three groups of so many, one for each order of evaluation.
    pub orders: Option<usize>,
}

impl Program {
    /// Whether an order of evaluation that the compiler does not take has other results.
    pub(super) fn depends_on_order(&self, values: &[i64]) -> bool {
        // Where a piece was left out, it is not known which values belong together.
        let size = self.orders.filter(|size| values.len() == 3 * size);
        size.is_some_and(|size| {
            let mut groups = values.chunks(size);
            let first = groups.next();
            groups.any(|group| Some(group) != first)
        })
    }

    /// The names of the results, in order.
    pub(super) fn results(&self) -> Vec<&str> {
        fn collect<'a>(pieces: &'a [Piece], into: &mut Vec<&'a str>) {
            for piece in pieces {
                match piece {
                    Piece::Result(name, _) => into.push(name),
                    Piece::Block(_, inner, _) => collect(inner, into),
                    Piece::Text(_) | Piece::Claim => {}
                }
            }
        }
        let mut names = Vec::new();
        collect(&self.pieces, &mut names);
        names
    }

    /// The text in C.
    pub(super) fn render(&self, ending: Ending<'_>) -> String {
        let mut body = String::new();
        let results = self.results();
        write_pieces(&self.pieces, 0, &results, ending, &mut body);
        let mut text = String::new();
        // Only what is used is declared: these programs are read by people, too.
        for (name, declaration) in HEADER {
            let is_used = match *name {
                "reach_error" => !matches!(ending, Ending::Print),
                name => mentions(&body, name),
            };
            if is_used && self.is_32_bit {
                let _ = writeln!(text, "{}", declaration.replace("long", "int"));
            } else if is_used {
                let _ = writeln!(text, "{declaration}");
            }
        }
        text + &body
    }
}

/// Declarations of the library, one by one: a preprocessor that reads headers takes longer than many a proof.
const HEADER: &[(&str, &str)] = &[
    ("reach_error", "void reach_error(void);"),
    ("size_t", "typedef unsigned long size_t;"),
    ("uintptr_t", "typedef unsigned long uintptr_t;"),
    ("ptrdiff_t", "typedef long ptrdiff_t;"),
    ("va_list", "typedef __builtin_va_list va_list;"),
    ("function", "typedef int (*function)(int);"),
    (
        "memcpy",
        "void *memcpy(void *restrict, const void *restrict, unsigned long);",
    ),
    (
        "memmove",
        "void *memmove(void *, const void *, unsigned long);",
    ),
    ("memset", "void *memset(void *, int, unsigned long);"),
    ("strcpy", "char *strcpy(char *, const char *);"),
    ("strlen", "unsigned long strlen(const char *);"),
    (
        "memcmp",
        "int memcmp(const void *, const void *, unsigned long);",
    ),
    ("malloc", "void *malloc(unsigned long);"),
    ("calloc", "void *calloc(unsigned long, unsigned long);"),
    ("realloc", "void *realloc(void *, unsigned long);"),
    ("free", "void free(void *);"),
];

/// Whether a text has a name as a word.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    tokens(text).any(|token| token == name)
}

/// The words of a text, and what is between them.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_end = |letter: char| is_word(letter) != is_word(first);
        let (token, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        rest = after;
        Some(token)
    })
}

fn write_pieces(
    pieces: &[Piece],
    depth: usize,
    results: &[&str],
    ending: Ending<'_>,
    out: &mut String,
) {
    let indent = "  ".repeat(depth);
    let lines = |text: &str, out: &mut String| {
        for line in text.lines() {
            let _ = writeln!(out, "{indent}{line}");
        }
    };
    for piece in pieces {
        match piece {
            Piece::Text(text) => lines(text, out),
            Piece::Block(open, inner, close) => {
                lines(open, out);
                write_pieces(inner, depth + 1, results, ending, out);
                lines(close, out);
            }
            Piece::Result(name, value) => lines(&format!("long long {name} = {value};"), out),
            Piece::Claim => lines(&claim(results, ending), out),
        }
    }
}

fn claim(results: &[&str], ending: Ending<'_>) -> String {
    let values = match ending {
        Ending::Print => {
            let mut text = String::new();
            for name in results {
                let _ = writeln!(text, "printf(\"%lld \", {name});");
            }
            return text;
        }
        Ending::True(values) | Ending::False(values) => values,
    };
    let all: Vec<String> = results
        .iter()
        .zip(values)
        .map(|(name, value)| format!("{name} == {}", literal(*value)))
        .collect();
    let all = match all.is_empty() {
        true => "1".to_owned(),
        false => all.join(" && "),
    };
    match ending {
        Ending::True(_) => format!("if (!({all})) reach_error();"),
        Ending::False(_) | Ending::Print => format!("if ({all}) reach_error();"),
    }
}

/// A number of type `long long`; the smallest one has no literal.
fn literal(value: i64) -> String {
    match value {
        i64::MIN => format!("(-{}LL - 1)", i64::MAX),
        value if i32::try_from(value).is_ok() => value.to_string(),
        value => format!("{value}LL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_are_opposites() {
        let program = Program {
            pieces: vec![Piece::Block(
                "int main(void) {".into(),
                vec![
                    Piece::Result("r0".into(), "1".into()),
                    Piece::Result("r1".into(), "-2".into()),
                    Piece::Claim,
                ],
                "}".into(),
            )],
            ..Program::default()
        };
        assert_eq!(program.results(), ["r0", "r1"]);
        let text = program.render(Ending::True(&[1, i64::MIN]));
        assert!(text.contains("if (!(r0 == 1 && r1 == (-9223372036854775807LL - 1)))"));
        assert!(text.starts_with("void reach_error(void);\nint main"));
        let text = program.render(Ending::False(&[1, -2]));
        assert!(text.contains("if (r0 == 1 && r1 == -2) reach_error();"));
    }

    #[test]
    fn words_are_whole() {
        assert!(mentions("a = memcpy(b)", "memcpy"));
        assert!(!mentions("a = my_memcpy(b)", "memcpy"));
        assert!(!mentions("a = memcpy2(b)", "memcpy"));
    }
}
