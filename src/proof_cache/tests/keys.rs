//! Which graphs have the same key.

use super::*;
use crate::Key;
use crate::digest::of_graph;

fn key(change: impl FnOnce(&Terms, &mut ProgramGraph)) -> Key {
    let mut example = example();
    change(&example.terms, &mut example.graph);
    of_graph(&example.terms, &example.graph)
}

/// A closed formula about a constant.
fn about(terms: &Terms, name: &str, value: i64) -> Term {
    let constant = Arc::new(Function {
        name: name.into(),
        params: Vec::new(),
        result: Sort::Int,
    });
    terms.eq(terms.apply(&constant, &[]), terms.int(value))
}

#[test]
fn what_does_not_matter_does_not_change_it() {
    let plain = key(|_, _| {});
    assert_eq!(plain, key(|_, graph| graph.name = "q".into()));
    assert_eq!(
        plain,
        key(|_, graph| {
            let start = graph.initial;
            graph.graph[start].name = "elsewhere".into();
            graph.graph[start].origin = Some(ult_core::graph::Origin(77));
        })
    );
    assert_eq!(
        plain,
        key(|_, graph| {
            graph.variables.insert("another".into(), Sort::Int);
            graph.variables.move_index(graph.variables.len() - 1, 0);
        })
    );
    assert_eq!(
        plain,
        key(|terms, graph| graph.axioms.push(about(terms, "c", 1)))
    );
    // Other terms were made before, in another order.
    let other = Terms::new();
    let n = other.current("n", Sort::Int);
    for number in 0..20 {
        other.le(
            other.int(number),
            other.add(&[other.fresh_aux("z", Sort::Int), n]),
        );
    }
    let example = example();
    let mut graph = example.graph.clone();
    for edge in graph.graph.edge_weights_mut() {
        edge.transition.formula = other.import(&example.terms, edge.transition.formula);
    }
    for axiom in &mut graph.axioms {
        *axiom = other.import(&example.terms, *axiom);
    }
    assert_eq!(plain, of_graph(&other, &graph));
}

#[test]
fn what_matters_changes_it() {
    let keys = [
        key(|_, _| {}),
        key(|terms, graph| {
            let n = terms.current("n", Sort::Int);
            graph.graph[ult_core::graph::EdgeId::new(2)]
                .transition
                .formula = terms.lt(n, terms.int(1));
        }),
        key(|_, graph| graph.graph[LocationId::new(2)].error = None),
        key(|_, graph| graph.initial = LocationId::new(1)),
        key(|_, graph| {
            let edge = graph.graph[ult_core::graph::EdgeId::new(2)].clone();
            graph
                .graph
                .add_edge(LocationId::new(0), LocationId::new(2), edge);
        }),
        key(|_, graph| {
            graph.graph[ult_core::graph::EdgeId::new(2)]
                .transition
                .changed = [Arc::from("r")].into();
        }),
        key(|_, graph| graph.axioms.clear()),
        // About nothing in particular, and so about everything.
        key(|terms, graph| graph.axioms.push(terms.ff())),
        // About the function in the step, and by way of it about a constant.
        key(|terms, graph| {
            let applied = terms.apply(&function(), &[terms.int(0)]);
            graph
                .axioms
                .push(terms.implies(about(terms, "c", 1), terms.eq(applied, terms.int(0))));
        }),
        key(|terms, graph| {
            let applied = terms.apply(&function(), &[terms.int(0)]);
            graph
                .axioms
                .push(terms.implies(about(terms, "c", 1), terms.eq(applied, terms.int(0))));
            graph.axioms.push(about(terms, "c", 1));
        }),
    ];
    for (i, one) in keys.iter().enumerate() {
        assert!(keys[i + 1..].iter().all(|other| other != one), "{i}");
    }
}
