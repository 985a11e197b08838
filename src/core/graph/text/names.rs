//! Names and sorts in the spelling of the program-graph language.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::formula::Sort;

/// A set of names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// For names that were wanted more than once, the last number given.
    numbers: RefCell<HashMap<String, u64>>,
}

impl Names {
    /// The name is taken from now on.
    pub(super) fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// A name that is not taken: the wanted one, or that with a number behind it.
    pub(super) fn fresh(&self, wanted: &str) -> String {
        self.fresh_beside_all(&[], wanted)
    }

    /// A name that is taken neither here nor there.
    pub(super) fn fresh_beside(&self, other: &Names, wanted: &str) -> String {
        self.fresh_beside_all(&[other], wanted)
    }

    /// A name that is taken neither here nor in any of the others.
    pub(super) fn fresh_beside_all(&self, others: &[&Names], wanted: &str) -> String {
        let taken = |name: &str| {
            self.taken.contains(name) || others.iter().any(|other| other.taken.contains(name))
        };
        let wanted = one_line(wanted);
        if !taken(&wanted) {
            return wanted;
        }
        // A name that was numbered when it was printed before gets a new number, not a second one.
        let base = match wanted.rsplit_once('#') {
            Some((base, number))
                if !base.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
            {
                base
            }
            _ => &*wanted,
        };
        let mut numbers = self.numbers.borrow_mut();
        let number = numbers.entry(base.to_owned()).or_default();
        loop {
            *number += 1;
            let name = format!("{base}#{number}");
            if !taken(&name) {
                return name;
            }
        }
    }

    /// Whether a name begins so.
    pub(super) fn any_begins_with(&self, prefix: &str) -> bool {
        self.taken
            .range(prefix.to_owned()..)
            .next()
            .is_some_and(|name| name.starts_with(prefix))
    }
}

/// A name stands on one line and is not empty.
fn one_line(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars()
        .map(|c| if c.is_control() { '_' } else { c })
        .collect()
}

/// A name as it is written, in backticks where necessary.
pub(super) fn quoted(name: &str) -> String {
    if is_plain(name) {
        name.to_owned()
    } else {
        format!("`{}`", one_line(name).replace('`', "``"))
    }
}

/// The name of a variable after the step.
pub(super) fn quoted_primed(name: &str) -> String {
    format!("{}'", quoted(name))
}

/// A text as a string literal.
pub(super) fn string_literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// Whether the name can be written without backticks. Letters beyond ASCII could be, too, but
/// which of them does not matter here.
fn is_plain(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || "~#$^_.?".contains(c);
    let mut chars = name.chars();
    chars.next().is_some_and(letter)
        && chars.all(|c| letter(c) || c.is_ascii_digit())
        && !is_word(name)
}

/// Whether the name has a meaning of its own somewhere in the language, or in Boogie.
fn is_word(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "and",
        "assert",
        "assume",
        "async",
        "atomic",
        "axiom",
        "bool",
        "break",
        "call",
        "cast",
        "complete",
        "const",
        "datatype",
        "div",
        "else",
        "ensures",
        "error",
        "exists",
        "extends",
        "false",
        "finite",
        "forall",
        "fork",
        "free",
        "function",
        "goto",
        "graph",
        "havoc",
        "hide",
        "hideable",
        "if",
        "implementation",
        "init",
        "int",
        "invariant",
        "is",
        "join",
        "lambda",
        "let",
        "local",
        "location",
        "mod",
        "modifies",
        "old",
        "or",
        "par",
        "pop",
        "procedure",
        "pure",
        "push",
        "real",
        "regex",
        "requires",
        "return",
        "returns",
        "reveal",
        "revealed",
        "rmode",
        "string",
        "then",
        "true",
        "type",
        "unique",
        "uses",
        "var",
        "where",
        "while",
        "yield",
        "RNE",
        "RNA",
        "RTP",
        "RTN",
        "RTZ",
        "roundNearestTiesToEven",
        "roundNearestTiesToAway",
        "roundTowardPositive",
        "roundTowardNegative",
        "roundTowardZero",
    ];
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    WORDS.contains(&name) || numbered("bv") || numbered("float")
}

/// A sort as a type of the language.
pub(super) fn sort_text(sort: &Sort) -> String {
    match sort {
        Sort::Uninterpreted(name) if matches!(&**name, "string" | "regex") => name.to_string(),
        Sort::Uninterpreted(name) => quoted(name),
        Sort::Map(map) => {
            let domain: Vec<String> = map.domain.iter().map(sort_text).collect();
            format!("[{}]{}", domain.join(", "), sort_text(&map.range))
        }
        sort => sort.to_string(),
    }
}
