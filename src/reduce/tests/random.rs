//! Random small graphs: reductions keep what can be reached, and evidence finds its way back.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::explore::{Explorer, check_run};
use super::{Builder, show};
use crate::{Blocks, ReduceOptions, Reduced, blocks, reduce};
use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::{ProgramGraph, Transition};

/// The labels that edges may have, over the integers `x` and `y` and the truth value `b`.
fn labels(b: &Builder) -> Vec<Transition> {
    let t = b.terms;
    let (x, y, p) = (b.var("x"), b.var("y"), b.var("b"));
    let next = |name: &str| t.next(name, b.graph.variables[name].clone());
    let (nx, ny, np) = (next("x"), next("y"), next("b"));
    // Two labels use the same auxiliary.
    let aux = t.var("a", Version::Aux(3), Sort::Int);
    let number = |value: i32| t.int(value);
    let wrap = |term: Term| t.modulo(term, number(3));
    let change = |formula: Term, names: &[&str]| Transition {
        formula,
        changed: names.iter().map(|&name| name.into()).collect(),
    };
    let assume = Transition::assume;
    vec![
        assume(t.tt()),
        assume(t.tt()),
        assume(t.ff()),
        assume(t.eq(x, number(0))),
        assume(t.neq(x, number(0))),
        assume(t.lt(x, y)),
        assume(t.eq(x, y)),
        assume(p),
        assume(t.not(p)),
        assume(t.and([t.eq(y, number(2)), p])),
        assume(t.eq(aux, wrap(t.add(&[x, y])))),
        change(t.eq(nx, number(0)), &["x"]),
        change(t.eq(nx, number(1)), &["x"]),
        change(t.eq(nx, y), &["x"]),
        change(t.eq(ny, x), &["y"]),
        change(t.eq(nx, wrap(t.add(&[x, number(1)]))), &["x"]),
        change(t.eq(ny, wrap(t.add(&[x, y]))), &["y"]),
        change(t.eq(ny, wrap(t.mul(&[y, y]))), &["y"]),
        change(t.eq(np, t.lt(x, y)), &["b"]),
        change(t.not(np), &["b"]),
        change(t.eq(np, t.not(p)), &["b"]),
        change(t.tt(), &["x"]),
        change(t.tt(), &["b"]),
        change(t.tt(), &["x", "y"]),
        change(t.lt(nx, x), &["x"]),
        change(t.and([t.eq(nx, y), t.eq(ny, x)]), &["x", "y"]),
        change(t.and([t.eq(nx, number(1)), t.eq(nx, y)]), &["x", "b"]),
        change(t.and([t.neq(nx, y), t.eq(ny, nx)]), &["x", "y"]),
        change(t.and([t.eq(nx, aux), t.neq(aux, x)]), &["x"]),
        change(t.and([t.eq(ny, aux), t.eq(np, t.eq(aux, x))]), &["y", "b"]),
        change(t.and([t.eq(x, number(1)), t.eq(ny, x)]), &["y"]),
        change(t.or([t.eq(nx, number(0)), t.eq(nx, y)]), &["x"]),
    ]
}

const LABELS: usize = 32;

/// Edges as source, target and label; the error locations.
type Shape = (Vec<(usize, usize, usize)>, BTreeSet<usize>);

fn shapes() -> impl Strategy<Value = Shape> {
    (2usize..=8).prop_flat_map(|locations| {
        let edge = (0..locations, 0..locations, 0..LABELS);
        // A chain, so that something can be reached, and edges anywhere.
        let chain = prop::collection::vec(0..LABELS, locations - 1);
        let others = prop::collection::vec(edge, 0..=8);
        let errors = prop::collection::btree_set(1..locations, 1..=2);
        (chain, others, errors).prop_map(|(chain, others, errors)| {
            let chain = chain.into_iter().enumerate();
            let mut edges: Vec<_> = chain.map(|(i, label)| (i, i + 1, label)).collect();
            edges.extend(others);
            (edges, errors)
        })
    })
}

fn build(terms: &Terms, (edges, errors): &Shape) -> ProgramGraph {
    let mut b = Builder::ints(terms, &["x", "y"]);
    b.graph.variables.insert("b".into(), Sort::Bool);
    let labels = labels(&b);
    assert_eq!(labels.len(), LABELS);
    let name = |location: usize| match location {
        0 => "start".to_string(),
        location if errors.contains(&location) => format!("error{location}"),
        location => location.to_string(),
    };
    for &(from, to, label) in edges {
        if !errors.contains(&from) {
            b.edge(&name(from), &name(to), labels[label].clone());
        }
    }
    b.graph
}

/// Judges a reduction of a graph.
fn check(terms: &Terms, original: &ProgramGraph, reduced: &Reduced) -> Result<(), String> {
    let mut judge = Explorer::new(terms, original);
    let mut explorer = Explorer::new(terms, &reduced.graph);
    let expected: BTreeSet<_> = judge.runs().into_keys().collect();
    let runs = explorer.runs();
    let reached: BTreeSet<_> = runs.keys().map(|&l| reduced.back.location(l)).collect();
    if reached != expected {
        return Err(format!("reaches {reached:?} instead of {expected:?}"));
    }
    for (end, run) in runs {
        let back = reduced.back.run(terms, run)?;
        check_run(terms, original, &back, reduced.back.location(end))?;
    }
    let invariants = reduced.back.invariants(terms, &explorer.invariants());
    if invariants.exempt != expected {
        return Err(format!("exempt are {:?}", invariants.exempt));
    }
    judge.check_invariants(&invariants)
}

fn check_all(shape: &Shape, constants: bool, dead: bool) {
    let terms = Terms::new();
    let original = build(&terms, shape);
    let nothing_kept = vec![false; original.graph.node_count()];
    let numbers = [1, 3].map(Blocks::AtMost);
    for blocks in Blocks::ALL.iter().map(|&(blocks, _)| blocks).chain(numbers) {
        let options = ReduceOptions {
            blocks,
            constants,
            dead,
        };
        let all = reduce(&terms, &original, &options);
        let alone = blocks::blocks(&terms, &original, blocks, &nothing_kept);
        for (name, reduced) in [("all", all), ("blocks alone", alone)] {
            if let Err(error) = check(&terms, &original, &reduced) {
                let (before, after) = (show(&terms, &original), show(&terms, &reduced.graph));
                panic!("{name}, {options:?}: {error}\n{before}\n\nreduced\n{after}");
            }
        }
    }
}

/// 24 cases, or as many as the environment variable `PROPTEST_CASES` says.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let chosen = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if chosen { default.cases } else { 24 },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn reductions_keep_what_can_be_reached(
        shape in shapes(),
        constants in any::<bool>(),
        dead in any::<bool>(),
    ) {
        check_all(&shape, constants, dead);
    }
}
