//! Inferred invariants and postconditions as edits of the text: what could be written to each loop, and to procedures whose
//! contracts are too weak for a caller.

use lsp_types::Range;
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use super::document::Document;
use ult_driver::Language;
use ult_driver::infer::places::{self, Edit, Head};
use ult_driver::infer::{errors, head_of};

/// What a loop lacks of its inferred invariant, or a procedure of its inferred contract.
#[derive(Clone, Debug)]
pub struct Insertion {
    /// Where the loop or the procedure is: from its first word to its body.
    pub head: Range,
    /// The obligations of callers that are proved with it.
    pub asked: Vec<Range>,
    /// In one word.
    pub what: &'static str,
    /// The place, and what is written there.
    pub edit: Edit,
}

/// What the loops and contracts of a text lack of what the last check found out. Only what the front end accepts there is offered: a formula may
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
            asked: Vec::new(),
            what: "invariant",
            edit: head.edit(missing.iter().map(String::as_str)),
        };
        // Of a loop that several units reach, the first one counts.
        if found.iter().all(|other| other.head != insertion.head) {
            found.push(insertion);
        }
    }
    found.extend(contracts(document, &heads));
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

/// What contracts lack for the obligations of callers: one edit for each procedure.
fn contracts(document: &Document, heads: &[Head]) -> Vec<Insertion> {
    let mut lacking: Vec<(&Head, Vec<String>, Vec<Range>)> = Vec::new();
    let obligations = document.verdicts.units().flat_map(|unit| &unit.obligations);
    for obligation in obligations {
        let asked = document.text.range(obligation.span);
        for (place, clause) in &obligation.missing {
            let formula = clause.strip_prefix("ensures ");
            let formula = formula.and_then(|formula| formula.strip_suffix(';'));
            let is_there = |head: &&Head| head.is_contract() && head.procedure == *place;
            let (Some(formula), Some(head)) = (formula, heads.iter().find(is_there)) else {
                continue;
            };
            let known = lacking.iter().position(|(other, ..)| *other == head);
            let number = known.unwrap_or_else(|| {
                lacking.push((head, Vec::new(), Vec::new()));
                lacking.len() - 1
            });
            let (_, formulas, callers) = &mut lacking[number];
            if !formulas.iter().any(|other| other == formula) {
                formulas.push(formula.to_owned());
            }
            if !callers.contains(&asked) {
                callers.push(asked);
            }
        }
    }
    let insertion = |(head, formulas, asked): (&Head, Vec<String>, Vec<Range>)| Insertion {
        head: document.text.range(Span::new(head.start, head.gap.end)),
        asked,
        what: "contract",
        edit: head.edit(formulas.iter().map(String::as_str)),
    };
    lacking.into_iter().map(insertion).collect()
}
