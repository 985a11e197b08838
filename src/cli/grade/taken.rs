//! Whether each step of a program graph is taken in some run, and whether each Horn clause applies to something. A graph whose
//! steps nobody takes is safe, and says nothing; so does a clause whose premises never hold.
//!
//! Each step and each clause is a question of its own: the text in which it leads to an error, and nothing else does. The
//! checker has to find a run.

use std::ops::Range;

use ult_driver::Language;

use super::clauses;
use super::shape::{Kind, Part, Shape};

/// One question: the text has to be unsafe.
pub(super) struct Taken {
    /// The text.
    pub text: String,
    /// What it is about in the submission.
    pub about: Range<usize>,
    /// What to tell where no run is there.
    pub words: String,
}

/// The questions about a submission.
pub(super) fn questions(shape: &Shape, language: Language) -> Vec<Taken> {
    match language {
        Language::Graph => graphs(shape),
        Language::Horn => horn(shape),
        _ => Vec::new(),
    }
}

fn graphs(shape: &Shape) -> Vec<Taken> {
    let removed: Vec<(Range<usize>, String)> = shape
        .all(Kind::ErrorEdge)
        .map(|edge| (edge.range.clone(), String::new()))
        .collect();
    let mut asked = Vec::new();
    for declaration in &shape.declarations {
        let owner = declaration.name.as_str();
        let is_graph = declaration.key.starts_with("graph ");
        let error = shape.parts_of(Kind::ErrorEdge, owner).next();
        let Some([_, error]) = error.filter(|_| is_graph).map(ends) else {
            continue;
        };
        let mut ask = |edge: &Part, formula: &str, words: String| {
            let [from, _] = ends(edge);
            let mut edits = removed.clone();
            let end = edge.range.end;
            edits.push((end..end, format!(" {from} -> {error}: {formula};")));
            asked.push(Taken {
                text: shape.with(edits),
                about: edge.range.clone(),
                words,
            });
        };
        for edge in shape.parts_of(Kind::Edge, owner) {
            let mut formulas = shape.parts_of(Kind::Formula, owner);
            let formula = formulas.find(|formula| {
                edge.range.start <= formula.range.start && formula.range.end <= edge.range.end
            });
            let formula = formula.map_or("true", |formula| &shape.text[formula.range.clone()]);
            let told = shape.excerpt(&edge.range);
            ask(
                edge,
                formula,
                format!("no execution takes the step `{told}`, so it says nothing"),
            );
        }
        for edge in shape.parts_of(Kind::ErrorEdge, owner) {
            let told = shape.excerpt(&edge.range);
            ask(
                edge,
                "true",
                format!("no execution reaches where `{told}` begins, so it says nothing"),
            );
        }
    }
    asked
}

/// Where an edge begins, and where it ends.
fn ends(edge: &Part) -> [&str; 2] {
    [0, 1].map(|at| edge.names.get(at).map_or("", String::as_str))
}

fn horn(shape: &Shape) -> Vec<Taken> {
    let clauses = clauses::implications(shape);
    let is_query = |head: &Range<usize>| &shape.text[head.clone()] == "false";
    let queries = clauses.iter().filter(|(_, head)| is_query(head));
    let queries: Vec<(Range<usize>, String)> = queries
        .map(|(clause, _)| (clause.clone(), String::new()))
        .collect();
    let rules = clauses.iter().filter(|(_, head)| !is_query(head));
    let ask = |(clause, head): &(Range<usize>, Range<usize>)| {
        let mut edits = queries.clone();
        edits.push((head.clone(), "false".to_owned()));
        Taken {
            text: shape.with(edits),
            about: clause.clone(),
            words: format!(
                "the premises of this clause never hold, so it says nothing: `{}`",
                shape.excerpt(clause)
            ),
        }
    };
    rules.map(ask).collect()
}
