//! Graphs with many locations, variables and branches.

use std::time::Instant;

use super::*;

#[test]
fn a_straight_line_of_twenty_thousand_steps() {
    const STEPS: i64 = 20_000;
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let zero = s.terms.eq(s.v("x"), s.int(0));
    let mut edges = vec![s.assume("start", zero, "l0")];
    // By handle: looking locations up by name would take longer than the check.
    let mut here = s.find("l0").unwrap();
    for i in 1..=STEPS {
        let there = s.graph.graph.add_node(Location::named(format!("l{i}")));
        let transition = Transition::assign(&s.terms, &Arc::from("x"), s.plus("x", 1));
        edges.push(
            s.graph
                .graph
                .add_edge(here, there, Edge::new(transition, None)),
        );
        here = there;
    }
    let last = format!("l{STEPS}");
    let wrong = s.terms.neq(s.v("x"), s.int(STEPS));
    s.assume(&last, wrong, "err");
    let start = Instant::now();
    s.confirm(&Invariants::default()).unwrap();
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let reached = s.terms.eq(s.v("x"), s.int(STEPS));
    let into = s.assume(&last, reached, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "from `start` to `err`");
    let mut steps = vec![step(edges[0], ints(&[("x", 0), ("y", 5)]))];
    for i in 1..=STEPS {
        let edge = edges[usize::try_from(i).unwrap()];
        steps.push(step(edge, ints(&[("x", i), ("y", 5)])));
    }
    steps.push(step(into, ints(&[("x", STEPS), ("y", 5)])));
    let mut claim = run(ints(&[("x", 0), ("y", 5)]), steps);
    s.replay(&claim).unwrap();
    *claim.steps[12_345].values_mut() = ints(&[("x", 12_345), ("y", 6)]);
    assert_run_rejected(s.replay(&claim), "step 12345");
}

#[test]
fn many_branches_and_variables() {
    // A thousand times: either `a` and `b` grow by one or neither does. A hundred variables
    // have nothing to do with it.
    const BRANCHES: usize = 300;
    let mut s = Scene::new(&[("a", Sort::Int), ("b", Sort::Int)]);
    for i in 0..100 {
        s.graph.variables.insert(format!("v{i}").into(), Sort::Int);
    }
    let same = s.terms.eq(s.v("a"), s.v("b"));
    let yes = s.terms.tt();
    s.assume("start", same, "j0");
    for i in 0..BRANCHES {
        let (from, middle, to) = (format!("j{i}"), format!("m{i}"), format!("j{}", i + 1));
        s.assign(&from, "a", s.plus("a", 1), &middle);
        s.assign(&middle, "b", s.plus("b", 1), &to);
        s.assume(&from, yes, &to);
    }
    let differ = s.terms.not(same);
    s.assume(&format!("j{BRANCHES}"), differ, "err");
    // With the invariant at every tenth join each question is small.
    let names: Vec<String> = (0..BRANCHES).step_by(10).map(|i| format!("j{i}")).collect();
    let at: Vec<(&str, Term)> = names.iter().map(|name| (name.as_str(), same)).collect();
    let start = Instant::now();
    s.confirm(&s.claim(&at)).unwrap();
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn a_deep_formula() {
    let mut s = Scene::new(&[("p", Sort::Bool), ("x", Sort::Int)]);
    let mut condition = s.v("p");
    for i in 0..20_000 {
        condition = s
            .terms
            .not(s.terms.and2(condition, s.terms.le(s.v("x"), s.int(i))));
    }
    let both = s.terms.and2(condition, s.terms.not(s.v("p")));
    s.assume("start", s.terms.not(s.v("p")), "a");
    s.assume("a", s.v("p"), "b");
    s.assume("b", both, "err");
    s.confirm(&s.claim(&[("a", s.terms.not(s.v("p")))]))
        .unwrap();
}
