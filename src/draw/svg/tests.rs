//! Tests of the pictures and the GraphViz texts.

use std::sync::Arc;

use super::*;
use crate::dot;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::{Edge, Location, ProgramGraph, Transition};

/// The running example of "Slicing Abstraction using Path Formulas", with difficult names.
fn example(terms: &Terms) -> ProgramGraph {
    let mut graph = ProgramGraph::new("P<x> & \"co\"");
    let var = |name: &str| terms.current(name, Sort::Int);
    let next = |name: &str| terms.next(name, Sort::Int);
    for name in ["x", "y", "n", "other"] {
        graph.variables.insert(name.into(), Sort::Int);
    }
    let head = graph.graph.add_node(Location {
        loop_head: true,
        ..Location::named("loop")
    });
    let bad = graph.graph.add_node(Location {
        error: Some("assertion \"n < 2\" & more\\may be violated".into()),
        ..Location::named("bad")
    });
    let mut edge = |from, to, formula: Term, changed: &[&str]| {
        let transition = Transition {
            formula,
            changed: changed.iter().map(|&name| Arc::from(name)).collect(),
        };
        graph.graph.add_edge(from, to, Edge::new(transition, None));
    };
    let zero = |name: &str| terms.eq(next(name), terms.int(0));
    edge(
        graph.initial,
        head,
        terms.and([zero("x"), zero("y"), zero("n")]),
        &["x", "y", "n"],
    );
    for name in ["x", "y"] {
        let step = |name: &str| terms.eq(next(name), terms.add(&[var(name), terms.int(1)]));
        edge(
            head,
            head,
            terms.and([step("n"), step(name)]),
            &["n", name, "other"],
        );
    }
    edge(head, graph.initial, terms.tt(), &["other"]);
    let many = terms.and((0..9).map(|i| terms.lt(terms.int(i), var("n"))));
    edge(
        head,
        bad,
        terms.and2(terms.lt(var("n"), var("x")), many),
        &[],
    );
    graph
}

#[test]
fn the_example_for_graphviz() {
    let terms = Terms::new();
    let drawing = Drawing::of_graph(&terms, &example(&terms));
    insta::assert_snapshot!(dot::print(&[drawing]), @r##"
    digraph {
      node [shape=box, style="rounded", fontname="monospace", fontsize=11];
      edge [fontname="monospace", fontsize=9];
      label="P<x> & \"co\""; labelloc=t;
      n0_0 [label="start", tooltip="start", style="rounded,bold"];
      i0_0 [shape=point, width=0.08];
      i0_0 -> n0_0;
      n0_1 [label="loop", tooltip="loop", peripheries=2];
      n0_2 [label="bad\nassertion \"n < 2\" & more\\may\nbe violated", tooltip="bad: assertion \"n < 2\" & more\\may be violated", shape=octagon, style="filled", fillcolor="#fde0dd", color="#b2182b"];
      n0_0 -> n0_1 [label=" x' == 0\l y' == 0\l n' == 0\l", tooltip="x' == 0 && y' == 0 && n' == 0"];
      n0_1 -> n0_1 [label=" havoc other\l n' == n + 1\l x' == x + 1\l", tooltip="havoc other; n' == n + 1 && x' == x + 1"];
      n0_1 -> n0_1 [label=" havoc other\l n' == n + 1\l y' == y + 1\l", tooltip="havoc other; n' == n + 1 && y' == y + 1"];
      n0_1 -> n0_0 [label=" havoc other\l", tooltip="havoc other"];
      n0_1 -> n0_2 [label=" n < x\l 0 < n\l 1 < n\l 2 < n\l … 6 more\l", tooltip="n < x && 0 < n && 1 < n && 2 < n && 3 < n && 4 < n && 5 < n && 6 < n && 7 < n && 8 < n"];
    }
    "##);
}

#[test]
fn pictures_are_well_formed_and_name_everything() {
    let terms = Terms::new();
    let graph = example(&terms);
    let label = terms.lt(terms.current("x", Sort::Int), terms.int(7));
    let labelled = Drawing::labelled(&terms, &graph, |location| {
        (location != graph.initial).then_some(label)
    });
    let text = print(&[Drawing::of_graph(&terms, &graph), labelled]);
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let name = root.attribute("aria-label").expect("a name");
    assert!(
        name.starts_with("Program graph P<x> & \"co\": 3 locations, 1 of them errors, 5 edges; "),
        "{name}"
    );
    let groups = |class: &str| {
        document
            .descendants()
            .filter(|node| {
                node.attribute("class")
                    .is_some_and(|c| c.split(' ').any(|c| c == class))
            })
            .collect::<Vec<_>>()
    };
    // Every node, edge and label says on demand what it is; arrows into the initial node do not.
    assert_eq!(groups("node").len(), 6);
    assert_eq!(groups("edge").len(), 10 + 2);
    assert_eq!(groups("label").len(), 10);
    let title = |group: &roxmltree::Node<'_, '_>| {
        group
            .children()
            .find(|child| child.has_tag_name("title"))
            .and_then(|t| t.text().map(str::to_owned))
    };
    assert!(
        groups("node")
            .iter()
            .chain(&groups("label"))
            .all(|group| title(group).is_some())
    );
    let error = title(&groups("error")[0]).expect("a title");
    assert_eq!(error, "bad: assertion \"n < 2\" & more\\may be violated");
    let full = title(&groups("edge")[4]).expect("a title");
    assert!(full.ends_with("8 < n"), "{full}");
    assert!(groups("label")[3].text_content().contains("havoc other"));
    assert!(groups("label")[4].text_content().contains("… 6 more"));
    assert!(groups("node")[4].text_content().contains("x < 7"));
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

trait TextContent {
    fn text_content(&self) -> String;
}

impl TextContent for roxmltree::Node<'_, '_> {
    fn text_content(&self) -> String {
        self.descendants()
            .filter_map(|node| node.text())
            .collect::<Vec<_>>()
            .join("|")
    }
}

#[test]
fn control_characters_do_not_break_the_picture() {
    let drawing = Drawing {
        title: "a\u{0}b\u{b}\u{ffff}c".to_owned(),
        ..Drawing::default()
    };
    let text = print(&[drawing]);
    assert!(roxmltree::Document::parse(&text).is_ok());
    assert!(roxmltree::Document::parse(&print(&[])).is_ok());
}

#[test]
fn numbers_are_short() {
    for (number, text) in [
        (1.0, "1"),
        (-0.01, "0"),
        (2.25, "2.2"),
        (100.0, "100"),
        (-3.5, "-3.5"),
    ] {
        assert_eq!(short(number), text);
    }
}
