//! A program as it is compared: its tokens, its declarations, and the parts of them that exercises speak of.
//!
//! Comments and layout play no part: two programs with the same tokens are the same program.

use std::ops::Range;

/// A kind of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// `{:name ...}`
    Attribute,
    /// An axiom, also of a `uses` clause.
    Axiom,
    /// What is believed without proof: `assume`, `free` clauses, `where`, `free call`.
    Assumption,
    /// `assert`; in C a call of `assert` and its kin.
    Assertion,
    /// A loop invariant that has to be proved.
    Invariant,
    /// `requires`
    Requires,
    /// `ensures`
    Ensures,
    /// `modifies`
    Modifies,
    /// `decreases`
    Measure,
    /// The body of a function or of `define-fun`.
    Definition,
    /// The body of a procedure, from brace to brace.
    Body,
    /// Only as a change: variables that were added, and assignments to them.
    Ghost,
    /// A declaration of local variables.
    Local,
    /// An assignment, or `havoc`.
    Assignment,
    /// Any other statement.
    Statement,
    /// `return`
    Return,
    /// The formula of an edge to a location that is no error.
    Formula,
    /// An edge to a location that is no error.
    Edge,
    /// An edge to an error location.
    ErrorEdge,
    /// A location that is no error.
    Location,
    /// In C: a line for the preprocessor, or a comment that is read as more.
    Directive,
}

/// A part of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its kind.
    pub kind: Kind,
    /// The declaration that it belongs to.
    pub owner: String,
    /// Where it is.
    pub range: Range<usize>,
    /// The variables that it declares or changes; of an edge, where it begins and ends.
    pub names: Vec<String>,
}

/// A declaration of top level.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    /// What it is, with its name: the same for two declarations that stand for the same.
    pub key: String,
    /// Its name, if it has one.
    pub name: String,
    /// The whole.
    pub range: Range<usize>,
    /// Its head: names and types of parameters.
    pub head: Range<usize>,
}

/// The longest text that is told, in characters.
const TOLD: usize = 60;

/// At most so much of a text as is told.
pub(super) fn short(text: &str) -> String {
    if text.chars().count() <= TOLD {
        return text.to_owned();
    }
    let start: String = text.chars().take(TOLD - 3).collect();
    format!("{start}...")
}

/// A program as it is compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// The text.
    pub text: String,
    /// Whether it is C, where more can be done by name.
    pub is_c: bool,
    /// The tokens, in order.
    pub tokens: Vec<Range<usize>>,
    /// The declarations of top level, in order.
    pub declarations: Vec<Declaration>,
    /// Their parts, in order; they lie inside of each other.
    pub parts: Vec<Part>,
}

impl Shape {
    /// What stands there, with one blank between tokens.
    pub(super) fn words(&self, range: &Range<usize>) -> String {
        let inside = self.tokens_in(range);
        let words: Vec<&str> = inside.map(|token| &self.text[token.clone()]).collect();
        words.join(" ")
    }

    /// What stands there in one line, as a student wrote it.
    pub(super) fn excerpt(&self, range: &Range<usize>) -> String {
        let words: Vec<&str> = self.text[range.clone()].split_whitespace().collect();
        short(words.join(" ").trim_end_matches(';'))
    }

    /// The tokens there.
    pub(super) fn tokens_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Range<usize>> {
        let first = self
            .tokens
            .partition_point(|token| token.start < range.start);
        let end = range.end;
        self.tokens[first..]
            .iter()
            .take_while(move |token| token.end <= end)
    }

    /// The parts of a kind of one declaration.
    pub(super) fn parts_of(&self, kind: Kind, owner: &str) -> impl Iterator<Item = &Part> {
        self.parts
            .iter()
            .filter(move |part| part.kind == kind && part.owner == owner)
    }

    /// All parts of a kind.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }

    /// The line of an offset.
    pub(super) fn line(&self, offset: usize) -> u32 {
        let ends = self.text.as_bytes()[..offset.min(self.text.len())].iter();
        let line = ends.filter(|byte| **byte == b'\n').count() + 1;
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// The text with other texts in place of some ranges, which do not overlap. Lines keep their numbers.
    pub(super) fn with(&self, mut parts: Vec<(Range<usize>, String)>) -> String {
        parts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, new) in parts {
            if range.start < at {
                // Inside of what is replaced already.
                continue;
            }
            text += &self.text[at..range.start];
            text += &new;
            let ends = self.text[range.clone()].matches('\n').count();
            text += &"\n".repeat(ends);
            at = range.end;
        }
        text + &self.text[at..]
    }
}
