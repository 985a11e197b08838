//! Drawings: what GraphViz texts and SVG pictures show, independent of what it stands for.

use ult_core::formula::print::cut;
use ult_core::formula::{Term, Terms};
use ult_core::graph::{LocationId, ProgramGraph};

/// Labels are cut to this many lines.
const LINES: usize = 5;

/// Lines are cut to this many characters.
const LINE: usize = 44;

/// Descriptions of nodes are wrapped at this many characters.
const DESCRIPTION: usize = 30;

/// Full formulas, shown on demand, are cut to this many characters.
const DETAIL: usize = 4000;

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// What it shows.
    pub title: String,
    /// The nodes; the first one is where the reader begins.
    pub nodes: Vec<DrawnNode>,
    /// The edges.
    pub edges: Vec<DrawnEdge>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeKind {
    /// Nothing special.
    #[default]
    Plain,
    /// Where runs start.
    Initial,
    /// Where a loop starts.
    LoopHead,
    /// Where runs must not come.
    Error,
}

/// A node of a drawing.
#[derive(Clone, Debug, Default)]
pub struct DrawnNode {
    /// The text in it, line by line; the first line is its name.
    pub lines: Vec<String>,
    /// What it is.
    pub kind: NodeKind,
    /// The full text, shown on demand.
    pub detail: String,
}

/// An edge of a drawing.
#[derive(Clone, Debug, Default)]
pub struct DrawnEdge {
    /// Index of the node where it starts.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// The text at it, line by line.
    pub label: Vec<String>,
    /// The full text, shown on demand.
    pub detail: String,
}

impl Drawing {
    /// A program graph: locations with their names, edges with their transition formulas.
    pub fn of_graph(terms: &Terms, graph: &ProgramGraph) -> Drawing {
        Drawing::labelled(terms, graph, |_| None)
    }

    /// A program graph whose locations carry formulas, such as the labels of slicing abstraction
    /// or invariants.
    pub fn labelled(
        terms: &Terms,
        graph: &ProgramGraph,
        label: impl Fn(LocationId) -> Option<Term>,
    ) -> Drawing {
        let mut drawing = Drawing {
            title: graph.name.to_string(),
            ..Drawing::default()
        };
        // The initial location comes first.
        let mut index = vec![0; graph.graph.node_count()];
        let others = graph.graph.node_indices().filter(|&id| id != graph.initial);
        for id in std::iter::once(graph.initial).chain(others) {
            let Some(location) = graph.graph.node_weight(id) else {
                continue;
            };
            index[id.index()] = drawing.nodes.len();
            let mut node = DrawnNode {
                lines: vec![cut(&location.name, LINE)],
                detail: location.name.to_string(),
                kind: NodeKind::Plain,
            };
            if let Some(error) = &location.error {
                node.kind = NodeKind::Error;
                node.lines.extend(wrapped(error));
                node.detail += &format!(": {error}");
            } else if id == graph.initial {
                node.kind = NodeKind::Initial;
            } else if location.loop_head {
                node.kind = NodeKind::LoopHead;
            }
            if let Some(formula) = label(id) {
                node.lines.extend(conjunct_lines(terms, formula));
                node.detail += &format!(": {}", terms.display_at_most(formula, DETAIL));
            }
            drawing.nodes.push(node);
        }
        for edge in graph.graph.edge_indices() {
            let Some((from, to)) = graph.graph.edge_endpoints(edge) else {
                continue;
            };
            let transition = &graph.graph[edge].transition;
            let primed = terms.names_of(&[transition.formula], ult_core::formula::Version::Next);
            let havoc: Vec<&str> = transition
                .changed
                .iter()
                .filter(|name| !primed.contains_key(*name))
                .map(|name| &**name)
                .collect();
            let mut label = conjunct_lines(terms, transition.formula);
            let mut detail = terms.display_at_most(transition.formula, DETAIL);
            if !havoc.is_empty() {
                let havoc = format!("havoc {}", havoc.join(", "));
                label.insert(0, cut(&havoc, LINE));
                detail = match label.len() {
                    1 => cut(&havoc, DETAIL),
                    _ => format!("{}; {detail}", cut(&havoc, DETAIL)),
                };
            }
            for premise in &graph.graph[edge].premises {
                let premise = format!("and {}", graph.premise_text(terms, premise));
                detail = format!("{detail}; {}", cut(&premise, DETAIL));
                label.push(cut(&premise, LINE));
            }
            drawing.edges.push(DrawnEdge {
                from: index[from.index()],
                to: index[to.index()],
                label,
                detail,
            });
        }
        drawing
    }
}

/// A formula as a few lines, one for each conjunct. `true` has none.
pub fn conjunct_lines(terms: &Terms, formula: Term) -> Vec<String> {
    let conjuncts = terms.conjuncts(formula);
    let shown = match conjuncts.len() {
        count if count > LINES => LINES - 1,
        count => count,
    };
    let mut lines: Vec<String> = conjuncts[..shown]
        .iter()
        .map(|&conjunct| cut(&terms.display_at_most(conjunct, 4 * LINE), LINE))
        .collect();
    if shown < conjuncts.len() {
        lines.push(format!("… {} more", conjuncts.len() - shown));
    }
    lines
}

/// A text on up to three lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == 3;
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= DESCRIPTION => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) if full => {
                line.push_str(" …");
                break;
            }
            _ => lines.push(cut(word, LINE)),
        }
    }
    lines
}
