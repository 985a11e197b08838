//! The classes against a naive closure, with withdrawals.

use proptest::prelude::*;

use super::super::clause::Lit;
use super::*;
use ult_core::formula::{Sort, Terms};

/// Whether equalities connect two terms, by brute force.
fn connected(equalities: &[(usize, usize)], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        next += 1;
        for &(a, b) in equalities {
            for (x, y) in [(a, b), (b, a)] {
                if x == node && !reached.contains(&y) {
                    reached.push(y);
                }
            }
        }
    }
    reached.contains(&to)
}

proptest! {
    #[test]
    fn classes_follow_what_is_asserted_and_withdrawn(
        actions in prop::collection::vec((0usize..7, 0usize..7, 0u8..4), 1..30),
    ) {
        let t = Terms::new();
        let sort = Sort::Uninterpreted("T".into());
        let nodes: Vec<Term> = (0..7).map(|i| t.current(format!("x{i}"), sort.clone())).collect();
        let mut equality = Equality::default();
        let mut asserted: Vec<(usize, usize)> = Vec::new();
        for (number, (a, b, action)) in actions.into_iter().enumerate() {
            if action == 0 {
                let keep = asserted.len().saturating_sub(1 + a);
                asserted.truncate(keep);
                equality.undo_to(keep);
            } else if a != b {
                asserted.push((a, b));
                let merged = equality.merge(&t, nodes[a], nodes[b], Lit::from_index(2 * number));
                prop_assert!(merged.is_ok());
            }
            prop_assert_eq!(equality.mark(), asserted.len());
            for (i, &from) in nodes.iter().enumerate() {
                for (j, &to) in nodes.iter().enumerate() {
                    prop_assert_eq!(equality.same(from, to), connected(&asserted, i, j));
                    let Some(path) = equality.path(from, to) else { continue };
                    let mut end = from;
                    for link in path {
                        prop_assert_eq!(link.from, end);
                        prop_assert!(equality.links(end).contains(&link));
                        end = link.to;
                    }
                    prop_assert_eq!(end, to);
                }
            }
        }
    }
}

#[test]
fn two_literals_are_never_equal() {
    let t = Terms::new();
    let (one, two) = (t.bitvec(1u32.into(), 8), t.bitvec(2u32.into(), 8));
    let x = t.current("x", Sort::BitVec(8));
    let mut equality = Equality::default();
    let (first, second) = (Lit::from_index(0), Lit::from_index(2));
    assert!(equality.merge(&t, x, one, first).is_ok());
    let chain = equality.merge(&t, two, x, second).unwrap_err();
    let lits: Vec<Lit> = chain.iter().map(|link| link.lit).collect();
    assert_eq!(lits, [first, second]);
    equality.undo_to(1);
    assert!(!equality.same(x, two) && equality.same(x, one));
    // The literal of the class is forgotten with the equality.
    equality.undo_to(0);
    assert!(equality.merge(&t, x, two, second).is_ok());
}
