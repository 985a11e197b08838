//! Drawings with their layout, as data of the page: the page only puts boxes and lines where it is
//! told to.

use std::collections::HashMap;

use serde_json::{Value, json};

use ult_draw::drawing::Drawing;
use ult_draw::svg;

/// Texts of a page, each stored once: the same formulas occur in picture after picture.
#[derive(Default)]
pub(super) struct Texts {
    all: Vec<String>,
    index: HashMap<String, usize>,
}

impl Texts {
    /// The number of a text.
    pub(super) fn add(&mut self, text: &str) -> usize {
        if let Some(&number) = self.index.get(text) {
            return number;
        }
        let number = self.all.len();
        self.all.push(text.to_owned());
        self.index.insert(text.to_owned(), number);
        number
    }

    /// All texts, in the order of their numbers.
    pub(super) fn finish(self) -> Vec<String> {
        self.all
    }
}

/// Joins what there is to say about nodes and edges, in the order of the drawing, with their
/// places. Without these, if there are too many.
pub(super) fn merged(
    drawing: &Drawing,
    mut nodes: Vec<Value>,
    mut edges: Vec<Value>,
    is_drawn: bool,
    texts: &mut Texts,
) -> Value {
    if !is_drawn {
        return json!({ "nodes": nodes, "edges": edges, "drawn": false });
    }
    let laid = svg::lay_out(drawing);
    for ((value, node), centre) in nodes.iter_mut().zip(&drawing.nodes).zip(&laid.nodes) {
        let size = svg::node_size(&node.lines);
        value["at"] = json!([
            short(centre.x - size.width / 2.0),
            short(centre.y - size.height / 2.0),
            short(size.width),
            short(size.height)
        ]);
        value["lines"] = numbers(&node.lines, texts);
    }
    for ((value, edge), route) in edges.iter_mut().zip(&drawing.edges).zip(&laid.edges) {
        value["d"] = svg::path(route).into();
        if route.back {
            value["back"] = true.into();
        }
        if !edge.label.is_empty() {
            let size = svg::label_size(&edge.label);
            value["at"] = json!([
                short(route.label.x - size.width / 2.0),
                short(route.label.y - size.height / 2.0),
                short(size.width),
                short(size.height)
            ]);
            value["lines"] = numbers(&edge.label, texts);
        }
    }
    json!({
        "nodes": nodes, "edges": edges, "drawn": true,
        "size": [short(laid.size.width), short(laid.size.height)],
    })
}

fn numbers(lines: &[String], texts: &mut Texts) -> Value {
    let numbers = lines.iter().map(|line| Value::from(texts.add(line)));
    numbers.collect()
}

/// One digit behind the point is enough for a picture.
fn short(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
