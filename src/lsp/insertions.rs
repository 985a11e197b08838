//! Inferred invariants as edits of the text: what could be written to each loop.

use lsp_types::Range;
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use super::document::Document;
use ult_driver::Language;
use ult_driver::infer::places::{self, Edit};
use ult_driver::infer::{errors, head_of};

/// What a loop lacks of its inferred invariant.
#[derive(Clone, Debug)]
pub struct Insertion {
    /// Where the loop is: from its first word to its body.
    pub head: Range,
    /// The place, and what is written there.
    pub edit: Edit,
}

/// What the loops of a text lack of what the last check found out. Only what the front end accepts there is offered: a formula may
/// speak of what has no name in the program.
pub fn insertions(document: &Document) -> Vec<Insertion> {
    if document.language != Language::Boogie {
        return Vec::new();
    }
    let text = document.text.as_str();
    let (tree, _) = parse_boogie(text);
    let heads = places::heads(&tree, text);
    let mut found: Vec<Insertion> = Vec::new();
    for invariant in document.verdicts.units().flat_map(|unit| &unit.invariants) {
        let Some(head) = head_of(&heads, invariant).and_then(|number| heads.get(number)) else {
            continue;
        };
        let missing = head.missing(&invariant.formula);
        if missing.is_empty() {
            continue;
        }
        let insertion = Insertion {
            head: document.text.range(Span::new(head.start, head.gap.end)),
            edit: head.edit(missing.iter().map(String::as_str)),
        };
        // Of a loop that several units reach, the first one counts.
        if found.iter().all(|other| other.head != insertion.head) {
            found.push(insertion);
        }
    }
    let known = errors(text);
    let reads = |insertions: &[Insertion]| {
        let edits = insertions.iter().map(|insertion| insertion.edit.clone());
        errors(&places::edited(text, edits.collect()).0) <= known
    };
    // Mostly all of them do.
    if !found.is_empty() && !reads(&found) {
        found.retain(|insertion| reads(std::slice::from_ref(insertion)));
    }
    found
}
