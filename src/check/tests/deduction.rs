//! What the checker proves by itself of graphs that say enough.

use super::*;
use crate::{Checker, Verdict};
use ult_core::formula::BinderKind;

/// The verdicts by the names of the error locations, as letters: proved or open.
fn deduced(s: &Scene) -> Option<String> {
    let (control, options) = (Control::unlimited(), Options::default());
    let mut checker = Checker::new(&s.terms, &s.graph, &control, &options);
    let knowledge = checker.deduce(&mut Statistics::default(), &mut |_| ())?;
    let letter = |verdict: &Verdict| match verdict {
        Verdict::Safe(_) => 'p',
        Verdict::Unsafe(_) => 'u',
        Verdict::Unknown(reason) => {
            // Of loops others may say more.
            let has_loops = petgraph::algo::is_cyclic_directed(&s.graph.graph);
            assert_eq!(
                reason.code(),
                if has_loops {
                    "incomplete"
                } else {
                    "not-proved"
                }
            );
            'o'
        }
    };
    Some(knowledge.verdicts().values().map(letter).collect())
}

/// `assert f(x) > bound` for each of the bounds, one after the other, where all `f(i)` are positive.
fn asserts(bounds: &[i64]) -> Scene {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let f = s.function("f", &[Sort::Int], Sort::Int);
    let t = &s.terms;
    let i = t.fresh_bound("i", Sort::Int);
    let at = t.apply(&f, &[i]);
    let positive = t.lt(t.int(0), at);
    let axiom = t.bind(BinderKind::Forall, &[i], positive, &[vec![at]]);
    s.graph.axioms.push(axiom);
    for (number, &bound) in bounds.iter().enumerate() {
        let here = if number == 0 {
            "start".into()
        } else {
            format!("l{number}")
        };
        let holds = s.terms.lt(s.int(bound), s.terms.apply(&f, &[s.v("x")]));
        let fails = s.terms.not(holds);
        s.assume(&here, fails, &format!("err{number}"));
        s.assume(&here, holds, &format!("l{}", number + 1));
    }
    s
}

#[test]
fn what_follows_is_proved_and_nothing_else() {
    assert_eq!(deduced(&asserts(&[0])).as_deref(), Some("p"));
    assert_eq!(deduced(&asserts(&[1])).as_deref(), Some("o"));
    // Behind an assertion that is not proved it holds.
    assert_eq!(
        deduced(&asserts(&[0, -1, 5, 0, 5, 4, 6])).as_deref(),
        Some("ppopppo")
    );
}

#[test]
fn a_loop_needs_an_invariant() {
    assert_eq!(deduced(&program_p(0)), None);
}

/// What is assumed behind the head of a loop is what it keeps: `loop: assume x > 0; assert x + bound > 0; x := x + 1`.
#[test]
fn what_a_loop_says_of_itself_may_suffice() {
    let looped = |bound: i64| {
        let mut s = Scene::new(&[("x", Sort::Int)]);
        let always = s.terms.tt();
        s.assume("start", always, "head");
        let positive = s.terms.lt(s.int(0), s.v("x"));
        s.assume("head", positive, "body");
        let sum = s.terms.add(&[s.v("x"), s.int(bound)]);
        let holds = s.terms.lt(s.int(0), sum);
        let fails = s.terms.not(holds);
        s.assume("body", fails, "err");
        s.assume("body", holds, "end");
        let next = s.plus("x", 1);
        s.assign("end", "x", next, "head");
        s
    };
    for (bound, expected) in [(0, 'p'), (-1, 'o')] {
        let mut s = looped(bound);
        assert_eq!(deduced(&s), None, "a head without its mark");
        let head = s.at("head");
        s.graph.graph[head].loop_head = true;
        assert_eq!(deduced(&s), Some(expected.to_string()));
    }
}

/// The modular reading cuts loops, and their heads keep their marks. What is known before such a head is known behind it.
#[test]
fn nothing_is_forgotten_at_a_head_that_is_passed_once() {
    for (bound, expected) in [(0, "p"), (1, "o")] {
        let mut s = asserts(&[bound]);
        let six = s.int(6);
        s.assign("before", "x", six, "start");
        let small = s.terms.lt(s.v("x"), s.int(5));
        s.assume("l1", small, "impossible");
        s.graph.initial = s.at("before");
        let head = s.at("start");
        s.graph.graph[head].loop_head = true;
        let error = s.at("impossible");
        s.graph.graph[error].error = Some("impossible".into());
        assert_eq!(deduced(&s), Some(format!("{expected}p")));
    }
}

/// As nothing is looked for, nothing is claimed about a graph that is none.
#[test]
fn a_malformed_graph_is_refused() {
    let mut s = asserts(&[0]);
    let stray = s.terms.next("y", Sort::Int);
    s.assume("start", s.terms.eq(stray, s.int(0)), "end");
    assert_eq!(deduced(&s), None);
}
