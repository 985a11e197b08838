//! Drawings as texts for GraphViz.

use std::fmt::Write as _;

use crate::drawing::{Drawing, DrawnNode, NodeKind};

/// The drawings as one GraphViz graph, each in a cluster of its own if there are several.
pub fn print(drawings: &[Drawing]) -> String {
    let mut text = String::from("digraph {\n");
    text += "  node [shape=box, style=\"rounded\", fontname=\"monospace\", fontsize=11];\n";
    text += "  edge [fontname=\"monospace\", fontsize=9];\n";
    for (number, drawing) in drawings.iter().enumerate() {
        let title = quoted(&drawing.title);
        if drawings.len() > 1 {
            let _ = writeln!(text, "  subgraph cluster_{number} {{");
            let _ = writeln!(text, "  label={title};");
        } else {
            let _ = writeln!(text, "  label={title}; labelloc=t;");
        }
        for (i, node) in drawing.nodes.iter().enumerate() {
            let label = lines(&node.lines, "\\n");
            let tooltip = quoted(&node.detail);
            let look = look(node);
            let _ = writeln!(
                text,
                "  n{number}_{i} [label={label}, tooltip={tooltip}{look}];"
            );
            if node.kind == NodeKind::Initial {
                let _ = writeln!(text, "  i{number}_{i} [shape=point, width=0.08];");
                let _ = writeln!(text, "  i{number}_{i} -> n{number}_{i};");
            }
        }
        for edge in &drawing.edges {
            // Left-justified, with a blank so that the line does not touch the text.
            let padded: Vec<String> = edge.label.iter().map(|line| format!(" {line}")).collect();
            let label = lines(&padded, "\\l");
            let tooltip = quoted(&edge.detail);
            let (from, to) = (edge.from, edge.to);
            let _ = writeln!(
                text,
                "  n{number}_{from} -> n{number}_{to} [label={label}, tooltip={tooltip}];"
            );
        }
        if drawings.len() > 1 {
            text += "  }\n";
        }
    }
    text += "}\n";
    text
}

/// What distinguishes the kinds of nodes.
fn look(node: &DrawnNode) -> &'static str {
    match node.kind {
        NodeKind::Plain => "",
        NodeKind::Initial => ", style=\"rounded,bold\"",
        NodeKind::LoopHead => ", peripheries=2",
        NodeKind::Error => {
            ", shape=octagon, style=\"filled\", fillcolor=\"#fde0dd\", color=\"#b2182b\""
        }
    }
}

fn lines(lines: &[String], end: &str) -> String {
    let mut text = String::from("\"");
    for (i, line) in lines.iter().enumerate() {
        escape(&mut text, line);
        if end == "\\l" || i + 1 < lines.len() {
            text += end;
        }
    }
    text.push('"');
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    escape(&mut quoted, text);
    quoted.push('"');
    quoted
}

/// Within quotes a backslash begins an escape sequence of GraphViz.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
}
