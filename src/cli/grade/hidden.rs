//! Hidden checks: a submission together with a text that students do not see.
//!
//! * Boogie: the text stands behind the submission, and what is checked is its procedures. They call those of the submission.
//! * C: the text stands behind the submission, in place of its `main`.
//! * Program graphs: the edges of the hidden graph take the place of all edges of the submission into error locations.
//! * Horn clauses: the text stands in front of `(check-sat)`.

use ult_driver::Language;

use super::compare;
use super::shape::{Kind, Shape};

/// A submission with a hidden text.
pub(super) struct Composed {
    /// The whole.
    pub text: String,
    /// Where the hidden text begins.
    pub from: usize,
    /// For Boogie: its procedures, which are what is checked.
    pub entries: Vec<String>,
}

/// Puts them together.
pub(super) fn composed(made: &Shape, hidden: &str, language: Language) -> Composed {
    let hidden_shape = compare::shape(hidden, language);
    let behind = |text: String| {
        let text = format!("{}\n", text.trim_end_matches('\n'));
        (text.len(), text + hidden)
    };
    let (from, text) = match language {
        Language::C => {
            let main = made.declarations.iter().filter(|d| d.name == "main");
            behind(made.with(main.map(|d| (d.range.clone(), String::new())).collect()))
        }
        Language::Graph => graph(made, &hidden_shape),
        Language::Horn => {
            let ask = made
                .declarations
                .iter()
                .find(|d| d.key.contains("check-sat"));
            let at = ask.map_or(made.text.len(), |ask| ask.range.start);
            let (before, after) = made.text.split_at(at);
            (at, format!("{before}{hidden}\n{after}"))
        }
        _ => behind(made.text.clone()),
    };
    let bodies = hidden_shape.all(Kind::Body).map(|body| body.owner.clone());
    Composed {
        text,
        from,
        entries: match language {
            Language::Boogie => bodies.collect(),
            _ => Vec::new(),
        },
    }
}

fn graph(made: &Shape, hidden: &Shape) -> (usize, String) {
    let mut edits: Vec<_> = made
        .all(Kind::ErrorEdge)
        .map(|part| (part.range.clone(), String::new()))
        .collect();
    // In the hidden graph, all edges count, since it declares no locations.
    let graphs = made
        .declarations
        .iter()
        .filter(|d| d.key.starts_with("graph "));
    for graph in graphs {
        let edges = hidden.parts.iter().filter(|part| {
            part.owner == graph.name && matches!(part.kind, Kind::Edge | Kind::ErrorEdge)
        });
        let texts: Vec<&str> = edges.map(|part| &hidden.text[part.range.clone()]).collect();
        let close = graph.range.end.saturating_sub(1);
        edits.push((close..close, format!("{}\n", texts.join("\n"))));
    }
    (made.text.len(), made.with(edits))
}
