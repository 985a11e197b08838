//! Symbols that people read.
//!
//! Terms are printed with symbols whose spelling says what they are, so that no two things share one. Here each of these
//! symbols is spelled anew, as close to the user's name as may be: different ones differently, and none as a word that
//! SMT-LIB or SV-LIB knows.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::operators::is_known;

/// Words that mean something to readers of SMT-LIB and SV-LIB, besides the functions that [`is_known`] knows.
const WORDS: [&str; 70] = [
    "_",
    "as",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "true",
    "false",
    "old",
    "at",
    "final",
    "is",
    "const",
    "store",
    "update",
    "Bool",
    "Int",
    "Real",
    "Array",
    "BitVec",
    "FloatingPoint",
    "Float16",
    "Float32",
    "Float64",
    "Float128",
    "RoundingMode",
    "String",
    "RegLan",
    "Seq",
    "Set",
    "Bag",
    "Tuple",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "NaN",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "divisible",
    "ubv_to_int",
    "sbv_to_int",
    "int_to_bv",
    "nat2bv",
    "int2bv",
    "implies",
    "iff",
    "if",
    "assume",
    "assign",
    "sequence",
    "call",
    "return",
    "label",
    "goto",
    "while",
    "havoc",
    "choice",
    "continue",
];

/// How symbols are spelled.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// By the symbol in bars as it is printed.
    wishes: IndexMap<String, String>,
}

impl Symbols {
    /// The symbol should be spelled so, if it can be.
    pub(super) fn wish(&mut self, symbol: &str, name: &str) {
        let known = self.wishes.entry(symbol.to_owned());
        known.or_insert_with(|| name.to_owned());
    }

    /// The text with all symbols in bars spelled anew. Of several that wish for one name, the first to wish gets it.
    pub(super) fn spelled(&self, text: &str) -> String {
        let mut taken: HashSet<String> = HashSet::new();
        let wishes = self.wishes.iter();
        let wishes = wishes.map(|(symbol, wish)| {
            let spelling = unique(&sanitized(wish), &mut taken);
            (symbol.trim_matches('|').to_owned(), spelling)
        });
        let mut known: HashMap<String, String> = wishes.collect();
        respelled(text, |name| {
            let spelling = known.entry(name.to_owned());
            quoted(spelling.or_insert_with(|| unique(&sanitized(plain(name)), &mut taken)))
        })
    }
}

/// The text with each symbol in bars, outside of lines with comments, replaced.
pub(crate) fn respelled(text: &str, mut spelling: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(';') {
            out.push_str(line);
            continue;
        }
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once('|') {
            let Some((name, after)) = behind.split_once('|') else {
                break;
            };
            out.push_str(before);
            out.push_str(&spelling(name));
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// What is bound has its name behind a number; what is named for being long, or used twice, has none.
fn plain(name: &str) -> &str {
    let bound = name.strip_prefix("b.");
    bound
        .and_then(|rest| rest.split_once('.'))
        .map_or(name, |(_, name)| name)
}

/// A name of characters that every reader takes.
fn sanitized(wish: &str) -> String {
    let fits = |c: char| (c.is_ascii_graphic() || c == ' ') && !"|\\".contains(c);
    let name: String = wish
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => name,
        // Names that begin otherwise belong to solvers, or are numbers.
        false => format!("_{name}"),
    }
}

/// Whether a name means something to readers of SMT-LIB and SV-LIB.
pub(crate) fn is_word(name: &str) -> bool {
    WORDS.contains(&name) || is_known(name)
}

/// The name, or one like it that is not in use yet and means nothing else.
fn unique(wish: &str, taken: &mut HashSet<String>) -> String {
    let mut name = wish.to_owned();
    let mut number = 1;
    while is_word(&name) || taken.contains(&name) {
        number += 1;
        // What begins as a family of functions does gets another beginning.
        name = match is_known(wish) {
            true => format!("_{wish}!{number}"),
            false => format!("{wish}!{number}"),
        };
    }
    taken.insert(name.clone());
    name
}

/// A name as SMT-LIB writes it.
pub(crate) fn quoted(name: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.starts_with(|c: char| !c.is_ascii_digit());
    match starts_well && name.chars().all(is_simple) {
        true => name.to_owned(),
        false => format!("|{name}|"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_symbols_are_spelled_differently() {
        let mut symbols = Symbols::default();
        for (symbol, wish) in [
            ("|c.x|", "x"),
            ("|f.x|", "x"),
            ("|c.and|", "and"),
            ("|c.bvx|", "bvx"),
            ("|c.bad|", "a|b\\c"),
            ("|c.worse|", "a_b_c"),
            ("|c.five|", "5"),
            ("|c.dot|", ".5"),
            ("|c.blank|", "a b"),
            ("|c.taken|", "x!2"),
        ] {
            symbols.wish(symbol, wish);
        }
        let text = "; |c.x|\n|c.x| |f.x| |c.x| |c.and| |c.bvx|\n|c.bad| |c.worse| |c.five| |c.dot| |c.blank| |c.taken| |e.0| |b.7.i|";
        assert_eq!(
            symbols.spelled(text),
            "; |c.x|\nx x!2 x _and!2 _bvx!2\na_b_c a_b_c!2 _5 _.5 |a b| x!2!2 e.0 i"
        );
    }
}
