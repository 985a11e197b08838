//! Clauses become graphs that mean the same.

use super::lower;
use crate::formula::Terms;
use crate::graph::text;

/// The graph of a text without errors, as text.
fn graph(source: &str) -> String {
    let terms = Terms::new();
    let (unit, notices) = lower(&terms, source);
    assert_eq!(notices, [], "{source}");
    assert_eq!(unit.graph.check(&terms), Ok(()));
    text::print(&terms, &[&unit.graph], text::Options::default())
}

#[test]
fn a_loop_becomes_a_loop() {
    let text = graph(
        "(set-logic HORN)
         (declare-fun inv (Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
         (assert (forall ((x Int) (y Int) (x1 Int))
           (=> (and (inv x y) (= x1 (+ x 1)) (< x 10)) (inv x1 (+ y 2)))))
         (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (= y (* 2 x)))) false)))
         (check-sat)",
    );
    let edges: Vec<&str> = text.lines().filter(|line| line.contains("->")).collect();
    assert_eq!(
        edges,
        [
            "  start -> inv: x' == 0 && y' == 0;",
            "  inv -> inv: x' == x + 1 && y' == y + 2 && x < 10;",
            "  inv -> query1: y != 2 * x;",
        ]
    );
}
