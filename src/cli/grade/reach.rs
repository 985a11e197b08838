//! Whether runs get to what is asserted. A program in which none does is proved, and says nothing.
//!
//! Each assertion that has to stay becomes one that fails in some of the runs that get there. The checker has to find each of
//! them violated.

use std::ops::Range;

use ult_driver::Language;

use super::shape::{Kind, Shape};

/// What runs have to get to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The first statement of a procedure.
    Entry(String),
    /// An assertion.
    Assertion(Range<usize>),
    /// One of the ends of a procedure.
    End(String),
}

/// A text in which goals are assertions.
pub(super) struct Probed {
    /// The text.
    pub text: String,
    /// The goals, each with the marks that stand for it.
    pub goals: Vec<(Goal, Vec<Range<usize>>)>,
}

/// In Boogie.
const FAILS: &str = "if (*) { assert false; } ";
/// In C.
const FAILS_IN_C: &str = "if (__VERIFIER_nondet_int()) __VERIFIER_error(); ";

/// The program with probes in it, if there is something to get to. Only assertions that begin at `from` or behind it count.
pub(super) fn probed(
    shape: &Shape,
    language: Language,
    assertions: &[Range<usize>],
    entries: &[String],
    ends: &[String],
) -> Option<Probed> {
    let mut edits: Vec<(Range<usize>, String, Goal)> = Vec::new();
    match language {
        Language::Boogie => boogie(shape, assertions, entries, ends, &mut edits),
        Language::C => c(shape, assertions, ends, &mut edits),
        _ => return None,
    }
    if edits.is_empty() {
        return None;
    }
    let mut all: Vec<(Range<usize>, String)> = edits
        .iter()
        .map(|(range, text, _)| (range.clone(), text.clone()))
        .collect();
    if language == Language::Boogie {
        // Invariants cost time here, and nobody asks for them.
        let clauses = shape
            .parts
            .iter()
            .filter(|part| part.kind == Kind::Invariant);
        all.extend(clauses.map(|part| (part.range.clone(), String::new())));
        // Other assertions are known to hold.
        let others = shape
            .all(Kind::Assertion)
            .filter(|part| !assertions.contains(&part.range));
        all.extend(others.map(|part| (part.range.clone(), String::new())));
    }
    let text = shape.with(all.clone());
    let mut goals: Vec<(Goal, Vec<Range<usize>>)> = Vec::new();
    for (range, new, goal) in edits {
        let start = moved(shape, &all, range.start);
        let mark = start..start + new.len();
        match goals.iter_mut().find(|(known, _)| *known == goal) {
            Some((_, marks)) => marks.push(mark),
            None => goals.push((goal, vec![mark])),
        }
    }
    // Who does not get into a procedure gets nowhere in it.
    goals.sort_by_key(|(goal, _)| match goal {
        Goal::Entry(_) => 0,
        Goal::Assertion(_) => 1,
        Goal::End(_) => 2,
    });
    Some(Probed { text, goals })
}

/// Where an offset of the old text is in the new one.
fn moved(shape: &Shape, edits: &[(Range<usize>, String)], offset: usize) -> usize {
    let mut edits: Vec<&(Range<usize>, String)> = edits.iter().collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut at, mut end) = (offset, 0);
    for (range, new) in edits {
        if range.start >= offset {
            break;
        }
        if range.start < end {
            continue;
        }
        let ends = shape.text[range.clone()].matches('\n').count();
        at = at + new.len() + ends - range.len();
        end = range.end;
    }
    at
}

fn boogie(
    shape: &Shape,
    assertions: &[Range<usize>],
    entries: &[String],
    ends: &[String],
    edits: &mut Vec<(Range<usize>, String, Goal)>,
) {
    for range in assertions {
        edits.push((
            range.clone(),
            FAILS.to_owned(),
            Goal::Assertion(range.clone()),
        ));
    }
    let statements = [
        Kind::Statement,
        Kind::Assignment,
        Kind::Assumption,
        Kind::Assertion,
        Kind::Return,
    ];
    for body in shape.all(Kind::Body) {
        let close = body.range.end.saturating_sub(1);
        if entries.contains(&body.owner) {
            let inside = |kind: &Kind| {
                let mut parts = shape.parts_of(*kind, &body.owner);
                parts.find(|part| {
                    body.range.start < part.range.start && part.range.end <= body.range.end
                })
            };
            let first = statements
                .iter()
                .filter_map(inside)
                .map(|part| part.range.start)
                .min();
            // An assertion that is first is replaced: what leads there leads to the start.
            let is_probed = first.is_some_and(|first| assertions.iter().any(|a| a.start == first));
            let place = first.unwrap_or(close);
            if !is_probed {
                edits.push((
                    place..place,
                    FAILS.to_owned(),
                    Goal::Entry(body.owner.clone()),
                ));
            }
        }
        if ends.contains(&body.owner) {
            let goal = Goal::End(body.owner.clone());
            edits.push((close..close, FAILS.to_owned(), goal.clone()));
            for part in shape.parts_of(Kind::Return, &body.owner) {
                edits.push((
                    part.range.start..part.range.start,
                    FAILS.to_owned(),
                    goal.clone(),
                ));
            }
        }
    }
}

fn c(
    shape: &Shape,
    assertions: &[Range<usize>],
    ends: &[String],
    edits: &mut Vec<(Range<usize>, String, Goal)>,
) {
    for range in assertions {
        // Others fail whenever they are called: that they are not is what has to be proved.
        if !shape.text[range.clone()].starts_with("assert") {
            continue;
        }
        // What is asserted is still evaluated: a call in it may never come back.
        let words: Vec<&str> = (shape.tokens_in(range).skip(2))
            .map(|token| &shape.text[token.clone()])
            .collect();
        let Some((_, asserted)) = words.split_last() else {
            continue;
        };
        let fails = format!(
            "assert((({}), __VERIFIER_nondet_int()))",
            asserted.join(" ")
        );
        edits.push((range.clone(), fails, Goal::Assertion(range.clone())));
    }
    for body in shape
        .all(Kind::Body)
        .filter(|body| ends.contains(&body.owner))
    {
        let goal = Goal::End(body.owner.clone());
        let close = body.range.end.saturating_sub(1);
        edits.push((close..close, FAILS_IN_C.to_owned(), goal.clone()));
        for part in shape.parts_of(Kind::Return, &body.owner) {
            let (start, end) = (part.range.start, part.range.end);
            edits.push((start..start, format!("{{ {FAILS_IN_C}"), goal.clone()));
            edits.push((end..end, " }".to_owned(), goal.clone()));
        }
    }
}
