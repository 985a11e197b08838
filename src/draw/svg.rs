//! Drawings as SVG pictures, without GraphViz.
//!
//! The pictures follow the reader's preference for light or dark, show the full formula of every
//! node and edge on demand (`<title>`), and name themselves to screen readers.

use std::fmt::Write as _;

use crate::drawing::{Drawing, NodeKind};
use crate::layout::{Layout, Link, Point, Route, Segment, Size, layout};

/// The width of a character of the node and label fonts (monospaced, 0.6 em and a bit).
const NODE_CHARACTER: f64 = 7.9;
const LABEL_CHARACTER: f64 = 6.7;
/// The height of a line in a node.
pub const NODE_LINE: f64 = 16.0;
/// The height of a line of a label.
pub const LABEL_LINE: f64 = 13.5;
/// The space around the drawing, and for the title above it.
const MARGIN: f64 = 20.0;
const TITLE: f64 = 34.0;
/// The length of the arrow into the initial node.
const ENTRY: f64 = 22.0;

/// Colours by class; the second block is for readers who prefer dark.
const STYLE: &str = "\
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px;fill:#1f2328}\
.title{font-size:15px;font-weight:bold}\
.label text{font-size:11px}\
.page{fill:#ffffff}\
.node rect{fill:#f3f5f8;stroke:#57606a;stroke-width:1.2}\
.node .inner{fill:none}\
.initial rect{fill:#dcebfd;stroke:#1f5fae}\
.loop-head rect{stroke:#7a4dc4}\
.error rect{fill:#fde3e1;stroke:#b42318;stroke-width:1.8}\
.edge path{fill:none;stroke:#57606a;stroke-width:1.3}\
.back path{stroke:#7a4dc4}\
.label rect{fill:#ffffff}\
.back text{fill:#5b34a0}\
.tip{fill:#57606a}\
.back-tip{fill:#7a4dc4}\
g:hover>path{stroke-width:2.6}\
@media (prefers-color-scheme:dark){\
text{fill:#e6e6e6}\
.page{fill:#16191d}\
.node rect{fill:#252a31;stroke:#9aa4af}\
.node .inner{fill:none}\
.initial rect{fill:#12304f;stroke:#6cb0f5}\
.loop-head rect{stroke:#b79bf0}\
.error rect{fill:#4a1714;stroke:#ff8a7a}\
.edge path{stroke:#9aa4af}\
.back path{stroke:#b79bf0}\
.label rect{fill:#16191d}\
.back text{fill:#cdbaf7}\
.tip{fill:#9aa4af}\
.back-tip{fill:#b79bf0}\
}";

/// The drawings as one picture, below each other.
pub fn print(drawings: &[Drawing]) -> String {
    let mut body = String::new();
    let (mut width, mut y) = (0.0_f64, MARGIN);
    for drawing in drawings {
        let laid = lay_out(drawing);
        let title_width = columns(&drawing.title) * NODE_CHARACTER * 1.2;
        width = width.max(laid.size.width).max(title_width);
        let _ = writeln!(body, "<g transform=\"translate({MARGIN} {})\">", short(y));
        let title = escaped(&drawing.title);
        let _ = writeln!(
            body,
            "<text class=\"title\" x=\"0\" y=\"14\">{title}</text>"
        );
        let _ = writeln!(
            body,
            "<g transform=\"translate(0 {})\">",
            short(TITLE + ENTRY)
        );
        draw(&mut body, drawing, &laid);
        body += "</g>\n</g>\n";
        y += TITLE + ENTRY + laid.size.height + MARGIN;
    }
    let (width, height) = (short(width + 2.0 * MARGIN), short(y.max(2.0 * MARGIN)));
    let names: Vec<String> = drawings.iter().map(summary).collect();
    let name = escaped(&names.join("; "));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{name}\">\n"
    );
    let _ = writeln!(text, "<title>{name}</title>\n<style>{STYLE}</style>");
    text += "<defs>\n";
    for (id, class) in [("tip", "tip"), ("back-tip", "back-tip")] {
        let _ = writeln!(
            text,
            "<marker id=\"{id}\" viewBox=\"0 0 10 8\" refX=\"9\" refY=\"4\" markerWidth=\"9\" \
             markerHeight=\"7.2\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path class=\"{class}\" d=\"M0 0 L10 4 L0 8 L2 4 Z\"/></marker>"
        );
    }
    let _ = writeln!(
        text,
        "</defs>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>"
    );
    text + &body + "</svg>\n"
}

/// What a drawing shows, in words.
fn summary(drawing: &Drawing) -> String {
    let errors = drawing
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Error)
        .count();
    format!(
        "Program graph {}: {} locations, {errors} of them errors, {} edges",
        drawing.title,
        drawing.nodes.len(),
        drawing.edges.len()
    )
}

/// The layout with the sizes that the texts need.
pub fn lay_out(drawing: &Drawing) -> Layout {
    let sizes: Vec<Size> = drawing
        .nodes
        .iter()
        .map(|node| node_size(&node.lines))
        .collect();
    let links: Vec<Link> = drawing
        .edges
        .iter()
        .map(|edge| Link {
            from: edge.from,
            to: edge.to,
            label: label_size(&edge.label),
        })
        .collect();
    layout(&sizes, &links)
}

/// The size of a node with this text.
pub fn node_size(lines: &[String]) -> Size {
    Size {
        width: (widest(lines) * NODE_CHARACTER + 22.0).max(44.0),
        height: lines.len().max(1) as f64 * NODE_LINE + 14.0,
    }
}

/// The size of a label with this text; none without one.
pub fn label_size(lines: &[String]) -> Size {
    match lines {
        [] => Size::default(),
        lines => Size {
            width: widest(lines) * LABEL_CHARACTER + 8.0,
            height: lines.len() as f64 * LABEL_LINE + 4.0,
        },
    }
}

fn widest(lines: &[String]) -> f64 {
    lines.iter().map(|line| columns(line)).fold(0.0, f64::max)
}

/// How many columns of a monospaced font a text takes; characters of East Asian scripts take two.
fn columns(text: &str) -> f64 {
    let wide = |c: char| {
        matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
            | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..)
    };
    text.chars().map(|c| if wide(c) { 2.0 } else { 1.0 }).sum()
}

fn draw(text: &mut String, drawing: &Drawing, laid: &Layout) {
    // Edges first, so that nothing is drawn over nodes and labels.
    for (edge, route) in drawing.edges.iter().zip(&laid.edges) {
        let (class, tip) = match route.back {
            true => ("edge back", "back-tip"),
            false => ("edge", "tip"),
        };
        let (from, to) = (name(drawing, edge.from), name(drawing, edge.to));
        let title = escaped(&format!("{from} -> {to}: {}", edge.detail));
        let _ = writeln!(
            text,
            "<g class=\"{class}\"><title>{title}</title><path d=\"{}\" marker-end=\"url(#{tip})\"/></g>",
            path(route)
        );
    }
    for (edge, route) in drawing.edges.iter().zip(&laid.edges) {
        if edge.label.is_empty() {
            continue;
        }
        let size = label_size(&edge.label);
        let class = if route.back { "label back" } else { "label" };
        let (from, to) = (name(drawing, edge.from), name(drawing, edge.to));
        let title = escaped(&format!("{from} -> {to}: {}", edge.detail));
        let _ = writeln!(text, "<g class=\"{class}\"><title>{title}</title>");
        rectangle(text, route.label, size, 2.0, "");
        lines(text, route.label, &edge.label, LABEL_LINE, 3.6);
        text.push_str("</g>\n");
    }
    for (node, &centre) in drawing.nodes.iter().zip(&laid.nodes) {
        let size = node_size(&node.lines);
        let class = match node.kind {
            NodeKind::Plain => "node",
            NodeKind::Initial => "node initial",
            NodeKind::LoopHead => "node loop-head",
            NodeKind::Error => "node error",
        };
        if node.kind == NodeKind::Initial {
            let top = centre.y - size.height / 2.0;
            let (x, from) = (short(centre.x), short(top - ENTRY + 4.0));
            let _ = writeln!(
                text,
                "<g class=\"edge\"><path d=\"M{x} {from} L{x} {}\" marker-end=\"url(#tip)\"/></g>",
                short(top)
            );
        }
        let _ = writeln!(
            text,
            "<g class=\"{class}\"><title>{}</title>",
            escaped(&node.detail)
        );
        let corner = if node.kind == NodeKind::Error {
            1.0
        } else {
            8.0
        };
        rectangle(text, centre, size, corner, "");
        if node.kind == NodeKind::LoopHead {
            let inner = Size {
                width: size.width - 6.0,
                height: size.height - 6.0,
            };
            rectangle(text, centre, inner, 5.5, " class=\"inner\"");
        }
        lines(text, centre, &node.lines, NODE_LINE, 4.4);
        text.push_str("</g>\n");
    }
}

fn name(drawing: &Drawing, node: usize) -> &str {
    drawing
        .nodes
        .get(node)
        .and_then(|node| node.lines.first())
        .map_or("?", String::as_str)
}

fn rectangle(text: &mut String, centre: Point, size: Size, corner: f64, class: &str) {
    let _ = writeln!(
        text,
        "<rect{class} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        short(centre.x - size.width / 2.0),
        short(centre.y - size.height / 2.0),
        short(size.width),
        short(size.height),
        short(corner),
    );
}

/// Lines of text around a place, each centred. `rise` is half the height of a letter.
fn lines(text: &mut String, centre: Point, lines: &[String], line: f64, rise: f64) {
    let first = centre.y - (lines.len() as f64 - 1.0) / 2.0 * line + rise;
    for (i, content) in lines.iter().enumerate() {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            short(centre.x),
            short(first + i as f64 * line),
            escaped(content)
        );
    }
}

/// The way of an edge as the data of a path.
pub fn path(route: &Route) -> String {
    let point = |point: Point| format!("{} {}", short(point.x), short(point.y));
    let mut path = format!("M{}", point(route.start));
    for segment in &route.segments {
        let _ = match *segment {
            Segment::Line(end) => write!(path, " L{}", point(end)),
            Segment::Curve(a, b, end) => {
                write!(path, " C{} {} {}", point(a), point(b), point(end))
            }
        };
    }
    path
}

/// A number with at most one decimal.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// A text as XML content or attribute value. Characters that XML does not allow become blanks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
