//! Small graphs with clumsy proofs.

use super::*;
use crate::samples::Build;

/// What is said at a location instead, sorted, and that the checker confirms it.
fn told(t: &Terms, graph: &ProgramGraph, head: LocationId, clumsy: Term) -> Vec<String> {
    let found = Invariants {
        at: BTreeMap::from([(head, clumsy)]),
        ..Invariants::default()
    };
    let control = Control::unlimited();
    let mut stats = Statistics::default();
    let claim = minimize(t, graph, &found, &control, &mut stats).expect("a claim");
    let options = ult_check::Options::default();
    ult_check::confirm_invariants(t, graph, &claim, &control, &options, &mut stats)
        .expect("it is one");
    let mut parts: Vec<String> = t
        .conjuncts(claim.at[&head])
        .into_iter()
        .map(|part| t.display(part))
        .collect();
    parts.sort();
    parts
}

#[test]
fn a_list_of_states_becomes_equalities_and_bounds() {
    // i, s := 0, 0; while (i < 50) { s := s + i; i := i + 1; } assert s == 1225;
    let t = Terms::new();
    let mut b = Build::new(&t, &["i", "s"]);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let behind = b.location("behind");
    let (i, s) = (b.x("i"), b.x("s"));
    let both = |i: Term, s: Term| t.and([t.eq(b.next("i"), i), t.eq(b.next("s"), s)]);
    let begin = both(t.int(0), t.int(0));
    let round = t.and([
        t.lt(i, t.int(50)),
        both(t.add(&[i, t.int(1)]), t.add(&[s, i])),
    ]);
    b.edge(start, head, begin);
    b.edge(head, head, round);
    b.edge(head, behind, t.le(t.int(50), i));
    b.edge(behind, bad, t.neq(s, t.int(1225)));
    let graph = b.done();
    let states = (0..=50).map(|n| t.and([t.eq(i, t.int(n)), t.eq(s, t.int(n * (n - 1) / 2))]));
    let found = told(&t, &graph, head, t.or(states));
    assert_eq!(found, ["i * i == i + 2 * s", "i <= 50"]);
}

#[test]
fn what_holds_in_phases_has_conditions() {
    // x, up := 0, true; while (*) { if (up) { x := x + 1; up := false; } else { x := x - 1; up := true; } }
    // assert x != 2;
    let t = Terms::new();
    let mut b = Build::new(&t, &["x"]);
    b.graph.variables.insert("up".into(), Sort::Bool);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let (x, next) = (b.x("x"), b.next("x"));
    let up = t.current("up", Sort::Bool);
    let becomes = t.next("up", Sort::Bool);
    let begin = t.and([t.eq(next, t.int(0)), becomes]);
    let step = t.ite(
        up,
        t.and([t.eq(next, t.add(&[x, t.int(1)])), t.not(becomes)]),
        t.and([t.eq(next, t.sub(x, t.int(1))), becomes]),
    );
    b.edge(start, head, begin);
    b.edge(head, head, step);
    b.edge(head, bad, t.eq(x, t.int(2)));
    let graph = b.done();
    let found = told(&t, &graph, head, t.tt());
    assert!(found.len() <= 2, "{found:?}");
    assert!(found.iter().any(|part| part.contains("up")), "{found:?}");
}

#[test]
fn what_needs_more_is_left_as_it_is() {
    // Nothing short excludes it: x := 1; while (*) { x := 3 * x; } assert x != 6;
    let t = Terms::new();
    let mut b = Build::new(&t, &["x"]);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let x = b.x("x");
    b.assign(start, head, "x", t.int(1));
    b.assign(head, head, "x", t.mul(&[t.int(3), x]));
    b.edge(head, bad, t.eq(x, t.int(6)));
    let graph = b.done();
    let found = Invariants {
        at: BTreeMap::from([(head, t.tt())]),
        ..Invariants::default()
    };
    let control = Control::unlimited();
    let claim = minimize(&t, &graph, &found, &control, &mut Statistics::default());
    assert!(claim.is_none());
}

#[test]
fn a_wrong_proof_leads_to_no_wrong_claim() {
    // x := 0; while (*) { x := x + 1; } assert x != 3, with x <= 2 for an invariant.
    let t = Terms::new();
    let mut b = Build::new(&t, &["x"]);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let x = b.x("x");
    b.assign(start, head, "x", t.int(0));
    b.assign(head, head, "x", t.add(&[x, t.int(1)]));
    b.edge(head, bad, t.eq(x, t.int(3)));
    let graph = b.done();
    let found = Invariants {
        at: BTreeMap::from([(head, t.le(x, t.int(2)))]),
        ..Invariants::default()
    };
    let control = Control::unlimited();
    let claim = minimize(&t, &graph, &found, &control, &mut Statistics::default());
    assert!(claim.is_none());
}
