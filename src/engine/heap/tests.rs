use fixedbitset::FixedBitSet;

use super::clauses::smallest;
use super::literals::{Together, together};
use super::shape::Shape;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::{Edge, Location, ProgramGraph, Transition};

/// A graph that takes the given assignments one after the other.
fn straight(terms: &Terms, variables: &[(&str, Sort)], steps: &[(&str, Term)]) -> ProgramGraph {
    let mut graph = ProgramGraph::new("test");
    for (name, sort) in variables {
        graph.variables.insert((*name).into(), sort.clone());
    }
    let mut at = graph.initial;
    for (number, (name, value)) in steps.iter().enumerate() {
        let next = graph.graph.add_node(Location::named(format!("l{number}")));
        let transition = Transition::assign(terms, &(*name).into(), *value);
        let origin = None;
        graph
            .graph
            .add_edge(at, next, Edge::new(transition, origin));
        at = next;
    }
    graph
}

#[test]
fn what_is_what_is_told_from_its_use() {
    let t = Terms::new();
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let int = |name: &str| t.current(name, Sort::Int);
    let (link, val) = (
        t.current("link", map.clone()),
        t.current("val", map.clone()),
    );
    let variables = [
        ("next", Sort::Int),
        ("list", Sort::Int),
        ("old", Sort::Int),
        ("v", Sort::Int),
        ("i", Sort::Int),
        ("link", map.clone()),
        ("val", map),
    ];
    let steps = [
        ("next", t.int(3)),
        ("i", t.int(0)),
        ("old", int("next")),
        ("next", t.add(&[int("next"), t.int(1)])),
        ("i", t.add(&[int("i"), t.int(1)])),
        ("v", t.int(7)),
        ("val", t.store(val, &[int("old")], int("v"))),
        ("link", t.store(link, &[int("old")], int("list"))),
        ("list", t.select(link, &[int("old")])),
        ("v", t.select(val, &[int("list")])),
    ];
    let graph = straight(&t, &variables, &steps);
    let shape = Shape::of(&t, &graph).expect("there is a heap");
    assert_eq!((&*shape.counter, shape.first.clone()), ("next", 3.into()));
    let names = |set: &std::collections::BTreeSet<std::sync::Arc<str>>| {
        set.iter()
            .map(|name| name.to_string())
            .collect::<Vec<String>>()
    };
    assert_eq!(names(&shape.pointers), ["list", "next", "old"]);
    assert_eq!(names(&shape.links), ["link"]);
    assert_eq!(names(&shape.cells), ["val"]);
    assert_eq!(shape.numbers("val"), (vec![7.into()], false));
    assert!(shape.are_compared("val", "v"));
    assert!(!shape.are_compared("val", "i"));
}

#[test]
fn what_is_chosen_anew_counts_nothing() {
    let t = Terms::new();
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let next = t.current("next", Sort::Int);
    let link = t.current("link", map.clone());
    let steps = [
        ("next", t.int(1)),
        ("link", t.store(link, &[next], t.int(0))),
        ("next", t.select(link, &[next])),
        ("next", t.add(&[next, t.int(1)])),
    ];
    let graph = straight(&t, &[("next", Sort::Int), ("link", map)], &steps);
    assert!(Shape::of(&t, &graph).is_none());
}

#[test]
fn comparisons_of_one_number() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let (one, two) = (t.int(1), t.int(2));
    let is = |a: Term, b: Term| together(&t, a, b);
    assert_eq!(is(t.eq(x, one), t.neq(x, one)), Together::Certain);
    assert_eq!(is(t.neq(x, one), t.neq(x, two)), Together::Certain);
    assert_eq!(is(t.le(x, one), t.le(two, x)), Together::Certain);
    assert_eq!(is(t.eq(x, one), t.le(x, two)), Together::Nested);
    assert_eq!(is(t.eq(x, one), t.eq(x, two)), Together::Apart);
    let y = t.current("y", Sort::Int);
    assert_eq!(is(t.eq(x, one), t.eq(y, one)), Together::Apart);
}

#[test]
fn the_smallest_disjunctions_that_hold() {
    let t = Terms::new();
    let fails = |rows: &[usize]| {
        let mut set = FixedBitSet::with_capacity(4);
        set.extend(rows.iter().copied());
        set
    };
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| t.current(name, Sort::Bool));
    let literals = [
        (a, fails(&[])),
        (b, fails(&[0, 1])),
        (c, fails(&[2, 1])),
        (d, fails(&[0, 2])),
    ];
    assert_eq!(smallest(&t, &literals, 2, 9), [vec![a]]);
    assert_eq!(smallest(&t, &literals, 3, 9), [vec![a], vec![b, c, d]]);
    assert_eq!(smallest(&t, &literals, 3, 1), [vec![a]]);
}
