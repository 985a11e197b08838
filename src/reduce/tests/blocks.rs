//! Large-block encoding: expected graphs, and sizes.

use super::{Builder, show};
use crate::{Blocks, ReduceOptions, reduce};
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::ProgramGraph;

fn large(terms: &Terms, graph: &ProgramGraph) -> ProgramGraph {
    let blocks = Blocks::Large;
    reduce(
        terms,
        graph,
        &ReduceOptions {
            blocks,
            ..ReduceOptions::default()
        },
    )
    .graph
}

/// The program of Figure 1 of the paper, statement by statement.
fn figure_1(terms: &Terms) -> ProgramGraph {
    let mut b = Builder::ints(terms, &["x", "y", "z", "n"]);
    let (x, y, z, n) = (b.var("x"), b.var("y"), b.var("z"), b.var("n"));
    let zero = terms.int(0);
    b.assume(
        "start",
        "loop",
        terms.and([terms.eq(n, x), terms.eq(y, zero), terms.eq(z, zero)]),
    );
    let (more, less) = (
        |b: &Builder, v| b.plus(v, 1),
        |b: &Builder, v| b.plus(v, -1),
    );
    b.assume("loop", "4", terms.neq(x, zero));
    for (here, then, up, down) in [(4, 7, "x", "y"), (7, 10, "y", "z"), (10, 13, "z", "x")] {
        let names = [here, here + 1, here + 2, then].map(|i| i.to_string());
        b.skip(&names[0], &names[3]);
        b.skip(&names[0], &names[1]);
        b.assign(&names[1], &names[2], up, more(&b, up));
        b.assign(&names[2], &names[3], down, less(&b, down));
    }
    b.skip("13", "loop");
    b.assume("loop", "14", terms.eq(x, zero));
    b.assume("14", "error", terms.neq(n, terms.add(&[y, z])));
    b.assume("14", "end", terms.eq(n, terms.add(&[y, z])));
    b.graph
}

#[test]
fn figure_1_becomes_figure_3() {
    let terms = Terms::new();
    let graph = large(&terms, &figure_1(&terms));
    assert_eq!(graph.graph.node_count(), 3);
    let expected = "\
start -> loop: x == n && y == 0 && z == 0 changes {}
loop -> loop: x != 0 \
&& ((x == x~1 && y == y~2) || (x + 1 == x~1 && y - 1 == y~2)) \
&& ((y' == y~2 && z == z~3) || (y' == y~2 + 1 && z - 1 == z~3)) \
&& ((x' == x~1 && z' == z~3) || (x' == x~1 - 1 && z' == z~3 + 1)) changes {x, y, z}
loop -> error: x == 0 && n != y + z changes {}";
    assert_eq!(show(&terms, &graph), expected);
}

#[test]
fn irreducible_loops_are_cut() {
    // Two ways into a loop between 1 and 2.
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    b.skip("start", "1");
    b.skip("start", "2");
    b.assign("1", "2", "x", b.plus("x", 1));
    b.assign("2", "1", "x", b.plus("x", -1));
    b.assume("2", "error", terms.eq(b.var("x"), terms.int(5)));
    let graph = large(&terms, &b.graph);
    let expected = "\
start -> 1: true changes {}
start -> 2: true changes {}
2 -> 1: x' == x - 1 changes {x}
2 -> error: x == 5 changes {}
1 -> 2: x + 1 == x' changes {x}";
    assert_eq!(show(&terms, &graph), expected);
}

#[test]
fn sequences_end_at_branchings() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let zero = terms.int(0);
    b.assign("start", "1", "x", b.plus("x", 1));
    b.assign("1", "2", "x", b.plus("x", 1));
    b.assume("2", "3", terms.gt(b.var("x"), zero));
    b.assume("2", "4", terms.le(b.var("x"), zero));
    b.assign("3", "5", "y", b.plus("y", 1));
    b.skip("4", "5");
    b.assume("5", "error", terms.lt(b.var("y"), zero));
    let blocks = Blocks::Sequence;
    let options = ReduceOptions {
        blocks,
        ..ReduceOptions::default()
    };
    let graph = reduce(&terms, &b.graph, &options).graph;
    let expected = "\
start -> 2: x' == x + 2 changes {x}
2 -> 5: 0 < x && y + 1 == y' changes {y}
2 -> 5: x <= 0 changes {}
5 -> error: y < 0 changes {}";
    assert_eq!(show(&terms, &graph), expected);
    let expected = "start -> error: \
((-2 < x && y + 1 == y~1) || (x <= -2 && y == y~1)) && y~1 < 0 changes {}";
    let graph = large(&terms, &b.graph);
    assert_eq!(
        show(&terms, &graph)
            .replace("0 < x + 2", "-2 < x")
            .replace("x + 2 <= 0", "x <= -2"),
        expected
    );
}

/// The number of different nodes in all formulas, and of all operands.
fn size(terms: &Terms, graph: &ProgramGraph) -> (usize, usize) {
    let edges = graph.graph.edge_weights();
    let formulas: Vec<Term> = edges.map(|edge| edge.transition.formula).collect();
    let nodes = terms.post_order(&formulas);
    let operands = nodes.iter().map(|&node| terms.args(node).len()).sum();
    (nodes.len(), operands)
}

/// Reduces and compares the size of the result to that of the program.
#[track_caller]
fn stays_linear(terms: &Terms, graph: &ProgramGraph, per_edge: usize) {
    let reduced = large(terms, graph);
    let (nodes, operands) = size(terms, &reduced);
    let edges = graph.graph.edge_count();
    assert!(
        nodes + operands <= per_edge * edges,
        "{nodes} + {operands} of {edges}"
    );
}

#[test]
fn straight_lines_stay_linear() {
    let count = 6000;
    let terms = Terms::new();
    let names: Vec<String> = (0..300).map(|i| format!("v{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let var = |b: &Builder, i: usize| b.var(names[i % names.len()]);
    // Sums that grow, products that double, stores on stores.
    let mut b = Builder::ints(&terms, &names);
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    b.graph.variables.insert("m".into(), map);
    for i in 0..count {
        let (here, there) = (i.to_string(), (i + 1).to_string());
        let here = if i == 0 { "start" } else { &here };
        let (x, y) = (var(&b, i), var(&b, i * 7 + 1));
        match i % 4 {
            0 => b.assign(here, &there, names[i % 300], terms.add(&[x, y])),
            1 => b.assign(here, &there, names[i % 5], terms.mul(&[x, x])),
            2 => b.assign(here, &there, "m", terms.store(b.var("m"), &[x], y)),
            _ => {
                let value = terms.select(b.var("m"), &[terms.int(i)]);
                b.assign(here, &there, names[i * 13 % 300], value);
            }
        }
    }
    let all = names.iter().map(|name| terms.eq(b.var(name), terms.int(3)));
    let all = terms.or(all.collect::<Vec<_>>());
    b.assume(&count.to_string(), "error", all);
    stays_linear(&terms, &b.graph, 20);
}

#[test]
fn diamonds_and_early_exits_stay_linear() {
    let count = 1500;
    let terms = Terms::new();
    for exits in [false, true] {
        let names: Vec<String> = (0..50).map(|i| format!("v{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut b = Builder::ints(&terms, &names);
        for i in 0..count {
            let at = |part: &str| format!("{i}{part}");
            let here = if i == 0 { "start".into() } else { at("") };
            let (name, other) = (names[i % 50], names[i * 3 % 50]);
            let condition = terms.lt(b.var(other), terms.int(i));
            b.assume(&here, &at("then"), condition);
            b.assume(&here, &at("else"), terms.not(condition));
            b.assign(&at("then"), &at("end"), name, b.plus(name, 1));
            b.assign(&at("else"), &at("end"), name, b.var(other));
            let next = format!("{}", i + 1);
            if exits {
                // Each statement may leave to the same place, or fail.
                let special = terms.eq(b.var(name), terms.int(-7));
                b.assume(&at("end"), "exit", special);
                b.assume(
                    &at("end"),
                    &format!("error{i}"),
                    terms.lt(b.var(other), b.var(name)),
                );
            }
            b.skip(&at("end"), &next);
        }
        b.assume(&count.to_string(), "exit", terms.tt());
        b.assume("exit", "error", terms.eq(b.var("v7"), b.var("v8")));
        stays_linear(&terms, &b.graph, 40);
    }
}

#[test]
fn nested_branches_stay_linear() {
    // if c0 { if c1 { if c2 { ... } } }, all ends at different depths of one chain of joins.
    let count = 1500;
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x", "y"]);
    let at = |i: usize| {
        if i == 0 {
            "start".into()
        } else {
            format!("open{i}")
        }
    };
    for i in 0..count {
        let condition = terms.lt(b.var("x"), terms.int(i));
        b.assume(&at(i), &at(i + 1), condition);
        b.assume(&at(i), &format!("close{i}"), terms.not(condition));
    }
    b.assign(&at(count), &format!("close{count}"), "y", terms.int(0));
    for i in (0..count).rev() {
        b.assign(
            &format!("close{}", i + 1),
            &format!("close{i}"),
            "y",
            b.plus("y", 1),
        );
    }
    b.assume("close0", "error", terms.eq(b.var("y"), terms.int(17)));
    stays_linear(&terms, &b.graph, 60);
}

/// The names of the locations that an operator leaves.
fn cut_points(terms: &Terms, graph: &ProgramGraph, blocks: Blocks) -> Vec<String> {
    let nothing_kept = vec![false; graph.graph.node_count()];
    let reduced = crate::blocks::blocks(terms, graph, blocks, &nothing_kept).graph;
    let names = reduced.graph.node_weights().map(|l| l.name.to_string());
    names.collect()
}

#[test]
fn what_lies_behind_two_loops_gets_into_two_blocks_or_is_cut() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let at_zero = terms.eq(b.var("x"), terms.int(0));
    for head in ["one", "two"] {
        b.skip("start", head);
        b.assign(head, head, "x", b.plus("x", 1));
        b.assume(head, "behind", at_zero);
    }
    b.skip("behind", "last");
    b.assume("last", "error", terms.not(at_zero));
    let large = ["start", "one", "behind", "two", "error"];
    assert_eq!(cut_points(&terms, &b.graph, Blocks::Large), large);
    let loops = ["start", "one", "two", "error"];
    assert_eq!(cut_points(&terms, &b.graph, Blocks::Loops), loops);
    let all = ["start", "one", "behind", "two", "last", "error"];
    assert_eq!(cut_points(&terms, &b.graph, Blocks::AtMost(1)), all);
    // Two edges in a row are a block, three are not.
    let two = ["start", "one", "two", "last", "error"];
    assert_eq!(cut_points(&terms, &b.graph, Blocks::AtMost(2)), two);
}

#[test]
fn blocks_end_where_procedures_do() {
    let terms = Terms::new();
    let mut b = Builder::ints(&terms, &["x"]);
    let ways = [
        ("start", "a"),
        ("a", "b"),
        ("b", "c"),
        ("c", "d"),
        ("d", "error"),
    ];
    for (from, to) in ways {
        b.assign(from, to, "x", b.plus("x", 1));
    }
    for (location, procedure) in [
        ("start", "p"),
        ("a", "p"),
        ("b", "q"),
        ("c", "q"),
        ("d", "p"),
    ] {
        let location = b.at(location);
        b.graph.graph[location].procedure = Some(procedure.into());
    }
    let expected = ["start", "b", "d", "error"];
    assert_eq!(cut_points(&terms, &b.graph, Blocks::Functions), expected);
}
