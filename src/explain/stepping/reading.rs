//! A formula that somebody typed, read by the front end: in the expressions of both languages, with the variables that the
//! program shows and the symbols that the graph knows.
//!
//! The text becomes the formula of the only edge of a small program graph. So it means what it would mean in a file, and what is
//! wrong with it is said in the same words.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use ult_core::formula::{Term, Terms, Var, Version};
use ult_core::graph::{ProgramGraph, text};
use ult_lang::diagnostic::Diagnostic;
use ult_lower::graph::lower_graphs;

/// Longer texts are not read.
const LONGEST: usize = 10_000;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// What.
    pub message: String,
    /// The column in the text, from 1 on, if it is in one place.
    pub column: Option<usize>,
}

impl Unreadable {
    fn because(message: impl Into<String>) -> Unreadable {
        Unreadable {
            message: message.into(),
            column: None,
        }
    }
}

/// A state formula over the variables of a graph, as they are called by `name`.
pub(super) fn formula(
    terms: &Terms,
    graph: &ProgramGraph,
    name: &dyn Fn(&Var) -> String,
    typed: &str,
) -> Result<Term, Unreadable> {
    if typed.trim().is_empty() {
        return Err(Unreadable::because("there is nothing"));
    }
    if typed.len() > LONGEST {
        return Err(Unreadable::because("it is too long"));
    }
    // What ends the edge, or begins a comment that may not end, would lead out of the formula.
    if let Some(at) = typed.find([';', '{', '}']).or_else(|| typed.find("/*")) {
        return Err(Unreadable {
            message: "a formula is one expression without `;`, braces or comments".into(),
            column: Some(column(typed, at)),
        });
    }
    let mut frame = ProgramGraph::new("formula");
    frame.functions.clone_from(&graph.functions);
    // By the name that is shown; of several with one name the first one.
    let mut shown: IndexMap<Arc<str>, (Arc<str>, _)> = IndexMap::new();
    for (internal, sort) in &graph.variables {
        let var = Var {
            name: internal.clone(),
            version: Version::Current,
        };
        let own = (internal.clone(), sort.clone());
        shown.entry(name(&var).into()).or_insert(own);
    }
    for (name, (_, sort)) in &shown {
        frame.variables.insert(name.clone(), sort.clone());
    }
    let printed = text::print(terms, &[&frame], text::Options::default());
    let Some(body) = printed.trim_end().strip_suffix('}') else {
        return Err(Unreadable::because("the program cannot be written down"));
    };
    let before = format!("{body}  start -> start: (\n");
    let whole = format!("{before}{typed}\n);\n}}\n");
    let (program, diagnostics) = ult_lang::analyze_graph(&whole);
    if let Some(error) = diagnostics.iter().find(|d| d.is_error()) {
        return Err(unreadable(error, before.len(), typed));
    }
    let mut units = lower_graphs(terms, &program);
    let (Some(unit), true) = (units.pop(), units.is_empty()) else {
        return Err(Unreadable::because("it is no expression"));
    };
    let mut edges = unit.graph.graph.edge_weights();
    let (Some(edge), None) = (edges.next(), edges.next()) else {
        return Err(Unreadable::because("it is no expression"));
    };
    if !unit.unsupported.is_empty() || !unit.abstracted.is_empty() {
        return Err(Unreadable::because("it cannot be expressed"));
    }
    let read = edge.transition.formula;
    let mut own = HashMap::new();
    for variable in terms.free_vars(&[read]) {
        let var = terms.as_var(variable);
        let known = var.and_then(|var| Some((var, shown.get(&var.name)?)));
        let Some((var, (internal, sort))) = known else {
            return Err(Unreadable::because("it names what there is not"));
        };
        if var.version != Version::Current {
            return Err(Unreadable::because(format!(
                "it speaks of one state, so there is no `{}'`",
                var.name
            )));
        }
        own.insert(variable, terms.current(internal.clone(), sort.clone()));
    }
    Ok(terms.substitute(read, &own))
}

fn unreadable(error: &Diagnostic, start: usize, typed: &str) -> Unreadable {
    let place = error.place().map(|span| span.start as usize);
    let inside = place.and_then(|place| place.checked_sub(start));
    // The frame around it is nobody's business.
    if inside.is_some_and(|offset| offset >= typed.trim_end().len()) {
        return Unreadable {
            message: "it ends too early".into(),
            column: Some(column(typed, typed.trim_end().len())),
        };
    }
    let inside = inside.map(|offset| column(typed, offset));
    Unreadable {
        message: match &error.help {
            Some(help) => format!("{} ({help})", error.message),
            None => error.message.clone(),
        },
        column: inside,
    }
}

/// The column of a place in the text, or the one behind its end.
fn column(typed: &str, offset: usize) -> usize {
    let before = typed.get(..offset).unwrap_or(typed);
    before.chars().count() + 1
}
