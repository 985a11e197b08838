//! Datatypes and polymorphic maps: graphs that can be read back.

use super::{program, units};
use crate::Options;
use crate::graph::lower_graphs;
use ult_core::formula::Terms;
use ult_core::graph::text;
use ult_lang::hir::Type;

/// The graphs as text, and what the text says when it is read again.
fn twice(source: &str) -> (String, String) {
    let program = program(source);
    let terms = Terms::new();
    let units = units(&terms, &program, Options::default());
    let graphs: Vec<_> = units.iter().map(|unit| &unit.graph).collect();
    let first = text::print(&terms, &graphs, text::Options::default());
    let (program, diagnostics) = ult_lang::analyze_graph(&first);
    assert_eq!(diagnostics, [], "{first}");
    let terms = Terms::new();
    let units = lower_graphs(&terms, &program);
    let graphs: Vec<_> = units.iter().map(|unit| &unit.graph).collect();
    let again = text::print(&terms, &graphs, text::Options::default());
    (first, again)
}

#[test]
fn the_text_of_a_graph_declares_its_datatypes() {
    let (first, again) = twice(
        "datatype Pair<T, U> { Pair(first: T, second: U) }
         datatype Shape { Circle(r: int), Point() }
         procedure p(x: Pair int bool, y: Pair int int, s: Shape) returns (z: Pair int int)
         {
           z := y->(first := x->first);
           assert s is Circle ==> z == Pair(s->r, 2);
         }",
    );
    assert!(
        first.contains("datatype Shape { Circle(r: int), Point() }"),
        "{first}"
    );
    assert_eq!(first, again);
}

#[test]
fn a_polymorphic_map_is_a_record() {
    let (first, again) = twice(
        "type Field a;
         var heap: <a>[Field a]a;
         procedure p(f: Field int, g: Field bool)
           modifies heap;
         {
           heap[f] := 1;
           heap[g] := true;
           assert heap[f] == 1;
         }",
    );
    assert!(first.contains("at_int"), "{first}");
    assert!(first.contains("at_bool"), "{first}");
    assert_eq!(first, again);
}

#[test]
fn instances_of_a_polymorphic_map_are_in_the_order_of_the_text() {
    let program = program(
        "type Field a;
         var heap: <a>[Field a]a;
         procedure p(f: Field int, g: Field bool, h: Field real, b: bool)
           modifies heap;
         {
           heap[f] := 1;
           if (b) { heap[g] := true; }
           heap[h] := 1.0;
         }",
    );
    let instances = crate::polymaps::instances(&program);
    let (_, types) = instances.maps.first().unwrap();
    let types: Vec<Vec<Type>> = types.iter().cloned().collect();
    assert_eq!(types, [[Type::Int], [Type::Bool], [Type::Real]]);
}

/// The unit of a procedure where values have limited heights: its formulas as text, and what was left out.
fn bounded(source: &str) -> (Vec<String>, usize) {
    let program = program(source);
    let terms = Terms::new();
    let options = Options {
        height: Some(2),
        ..Options::default()
    };
    let units = units(&terms, &program, options);
    let graph = &units[0].graph;
    let edges = graph.graph.edge_weights();
    let formulas = edges.map(|edge| terms.display(edge.transition.formula));
    (formulas.collect(), units[0].axioms_dropped.len())
}

const LIST: &str = "datatype List { Nil(), Cons(head: int, tail: List) }\n";

#[test]
fn values_up_to_a_height_are_plain_and_no_higher_ones_are_made() {
    let (formulas, dropped) = bounded(&format!(
        "{LIST} procedure p(l: List) returns (m: List) {{ m := Cons(1, l); }}"
    ));
    assert_eq!(dropped, 0);
    let made = formulas.iter().find(|f| f.contains("m'")).unwrap();
    // A list of two elements has no place.
    assert!(made.contains("too_high"), "{made}");
    assert!(made.contains("!("), "{made}");
}

#[test]
fn what_depends_on_all_values_ends_runs_or_the_reading() {
    for condition in [
        "(forall m: List :: m != l)",
        "(exists m: List :: m->tail == l)",
        "s == t",
        "s[l] == 0",
        "s == (lambda m: List :: 1)",
    ] {
        let (formulas, dropped) = bounded(&format!(
            "{LIST} procedure p(l: List, s: [List]int, t: [List]int) {{ assume l is Nil; assume {condition}; }}"
        ));
        assert_eq!(dropped, 0, "{condition}");
        assert!(formulas.iter().any(|f| f == "false"), "{condition}");
    }
    let (_, dropped) = bounded(&format!(
        "{LIST} function f(List): int; axiom (forall l: List :: f(l) > 0); procedure p(l: List) {{ assert f(l) > 1; }}"
    ));
    assert_eq!(dropped, 1);
}
