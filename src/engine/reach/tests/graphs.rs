//! Small graphs, built by hand.

use crate::samples::Build;
use ult_core::formula::Terms;
use ult_core::graph::ProgramGraph;

/// `x := 0; while (x < n) x := x + 1; assert x == n + slack`
pub(super) fn count(t: &Terms, n: i64, slack: i64) -> ProgramGraph {
    let mut b = Build::new(t, &["x"]);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let x = b.x("x");
    b.assign(start, head, "x", t.int(0));
    let up = t.eq(b.next("x"), t.add(&[x, t.int(1)]));
    b.edge(head, head, t.and2(t.lt(x, t.int(n)), up));
    let wrong = t.neq(x, t.int(n + slack));
    b.edge(head, bad, t.and2(t.ge(x, t.int(n)), wrong));
    b.done()
}

/// `y := x; while (*) { x := x + 1; y := y + 1; } assert x == y; assert x <= 3`: the first
/// assertion holds, the second one does not.
pub(super) fn twins(t: &Terms) -> ProgramGraph {
    let mut b = Build::new(t, &["x", "y"]);
    let (start, head) = (b.graph.initial, b.location("head"));
    let (differ, large) = (b.error("differ"), b.error("large"));
    let (x, y, one) = (b.x("x"), b.x("y"), t.int(1));
    b.edge(start, head, t.and2(t.le(x, t.int(1)), t.eq(b.next("y"), x)));
    let (x2, y2) = (b.next("x"), b.next("y"));
    let up = t.and2(t.eq(x2, t.add(&[x, one])), t.eq(y2, t.add(&[y, one])));
    b.edge(head, head, up);
    b.edge(head, differ, t.neq(x, y));
    b.edge(head, large, t.gt(x, t.int(3)));
    b.done()
}

/// Trap D2: of the two edges from one location the first leads to an error location that is not
/// reachable, as a later look at the path finds out, and the second to one that is.
pub(super) fn two_errors(t: &Terms, real_first: bool) -> ProgramGraph {
    let mut b = Build::new(t, &["x"]);
    let start = b.graph.initial;
    let (one, two) = (b.location("one"), b.location("two"));
    let (spurious, real) = (b.error("spurious"), b.error("real"));
    let x = b.x("x");
    b.assign(start, one, "x", t.int(1));
    let up = t.add(&[x, t.int(1)]);
    b.assign(one, two, "x", up);
    let mut edges = [(spurious, t.eq(x, t.int(0))), (real, t.eq(x, t.int(2)))];
    if real_first {
        edges.reverse();
    }
    for (error, condition) in edges {
        b.edge(two, error, condition);
    }
    b.done()
}

/// `i := 0; s := 0; while (i < n) { j := 0; while (j < i) { j := j + 1; s := s + 1; } i := i + 1; }`
/// with `assert s >= 0` at the end and `assert j <= i` within.
pub(super) fn nested(t: &Terms) -> ProgramGraph {
    let mut b = Build::new(t, &["i", "j", "s", "n"]);
    let start = b.graph.initial;
    let (outer, inner) = (b.location("outer"), b.location("inner"));
    let (negative, beyond) = (b.error("negative"), b.error("beyond"));
    let (i, j, s, n) = (b.x("i"), b.x("j"), b.x("s"), b.x("n"));
    let (i2, j2, s2) = (b.next("i"), b.next("j"), b.next("s"));
    let (zero, one) = (t.int(0), t.int(1));
    b.edge(start, outer, t.and2(t.eq(i2, zero), t.eq(s2, zero)));
    b.edge(outer, inner, t.and2(t.lt(i, n), t.eq(j2, zero)));
    let up = t.and([
        t.lt(j, i),
        t.eq(j2, t.add(&[j, one])),
        t.eq(s2, t.add(&[s, one])),
    ]);
    b.edge(inner, inner, up);
    let next = t.eq(i2, t.add(&[i, one]));
    b.edge(inner, outer, t.and2(t.ge(j, i), next));
    b.edge(inner, beyond, t.gt(j, i));
    b.edge(outer, negative, t.and2(t.ge(i, n), t.lt(s, zero)));
    b.done()
}

/// The family of the large-block paper (Beyer et al., "Software Model Checking via Large-Block
/// Encoding", FMCAD 2009, section IV): in a loop, some of `n` locks are taken, and those that were
/// taken are released. Each statement is an edge.
pub(super) fn locks(t: &Terms, n: usize) -> ProgramGraph {
    let names: Vec<(String, String)> = (1..=n)
        .map(|i| (format!("p{i}"), format!("lk{i}")))
        .collect();
    let all: Vec<&str> = names.iter().flat_map(|(p, lk)| [&**p, &**lk]).collect();
    let mut b = Build::new(t, &all);
    let (zero, one) = (t.int(0), t.int(1));
    let head = b.location("head");
    let start = b.graph.initial;
    b.edge(start, head, t.tt());
    let bad = b.error("bad");
    let mut at = head;
    for (p, lk) in &names {
        let (chosen, free) = (b.location("chosen"), b.location("free"));
        b.havoc(at, chosen, p);
        b.assign(chosen, free, lk, zero);
        at = free;
    }
    for (p, lk) in &names {
        let (taking, taken) = (b.location("taking"), b.location("taken"));
        let p = b.x(p);
        b.edge(at, taking, t.neq(p, zero));
        b.assign(taking, taken, lk, one);
        b.edge(at, taken, t.eq(p, zero));
        at = taken;
    }
    for (p, lk) in &names {
        let (releasing, held, released) = (
            b.location("releasing"),
            b.location("held"),
            b.location("released"),
        );
        let (p, lock) = (b.x(p), b.x(lk));
        b.edge(at, releasing, t.neq(p, zero));
        b.edge(releasing, bad, t.neq(lock, one));
        b.edge(releasing, held, t.eq(lock, one));
        b.assign(held, released, lk, zero);
        b.edge(at, released, t.eq(p, zero));
        at = released;
    }
    b.edge(at, head, t.tt());
    let mut graph = b.graph;
    for (number, location) in graph.graph.node_weights_mut().enumerate() {
        location.name = format!("{}{number}", location.name).into();
    }
    graph.check(t).expect("well formed");
    graph
}
