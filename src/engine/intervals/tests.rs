//! What intervals say of small graphs; that it is inductive is what the checker proves.

use super::*;
use crate::samples::excluded;
use ult_core::formula::Sort;
use ult_core::graph::{Edge, Location, Transition};

/// A graph that is written down step by step.
struct Scene {
    terms: Terms,
    graph: ProgramGraph,
}

impl Scene {
    fn new(variables: &[(&str, Sort)]) -> Scene {
        let mut graph = ProgramGraph::new("scene");
        for (name, sort) in variables {
            graph.variables.insert((*name).into(), sort.clone());
        }
        Scene {
            terms: Terms::new(),
            graph,
        }
    }

    fn location(&mut self, name: &str) -> LocationId {
        self.graph.graph.add_node(Location::named(name))
    }

    fn error(&mut self, name: &str) -> LocationId {
        self.graph.graph.add_node(Location {
            error: Some("violated".into()),
            ..Location::named(name)
        })
    }

    fn v(&self, name: &str) -> Term {
        self.terms.current(name, self.graph.variables[name].clone())
    }

    fn step(&mut self, from: LocationId, to: LocationId, transition: Transition) {
        let origin = None;
        self.graph
            .graph
            .add_edge(from, to, Edge::new(transition, origin));
    }

    fn assign(&mut self, from: LocationId, name: &str, value: Term, to: LocationId) {
        let transition = Transition::assign(&self.terms, &name.into(), value);
        self.step(from, to, transition);
    }

    fn assume(&mut self, from: LocationId, condition: Term, to: LocationId) {
        self.step(from, to, Transition::assume(condition));
    }

    /// The formula at a location, and the error locations that are excluded and confirmed.
    fn decide(&self, at: LocationId) -> (String, Vec<String>) {
        let claim = claim(&self.terms, &self.graph, &Control::unlimited()).expect("time enough");
        excluded(&self.terms, &self.graph, claim, at)
    }
}

#[test]
fn a_loop_is_widened_to_the_bound_that_the_program_mentions() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (start, head, body) = (s.graph.initial, s.location("head"), s.location("body"));
    let (exit, bad, worse) = (s.location("exit"), s.error("bad"), s.error("worse"));
    let t = &s.terms;
    let (x, zero, thousand) = (s.v("x"), t.int(0), t.int(1000));
    let next = t.add(&[x, t.int(3)]);
    let (stays, leaves) = (t.lt(x, thousand), t.ge(x, thousand));
    let (above, other) = (t.gt(x, t.int(1002)), t.neq(x, t.int(1002)));
    s.assign(start, "x", zero, head);
    s.assume(head, stays, body);
    s.assign(body, "x", next, head);
    s.assume(head, leaves, exit);
    s.assume(exit, above, bad);
    s.assume(exit, other, worse);
    let (formula, excluded) = s.decide(head);
    assert_eq!(formula, "0 <= x && x <= 1002");
    assert_eq!(excluded, ["bad"]);
}

#[test]
fn a_cycle_that_no_run_gets_to_is_false_everywhere() {
    let mut s = Scene::new(&[("x", Sort::Int), ("b", Sort::Bool)]);
    let (start, head, bad) = (s.graph.initial, s.location("head"), s.error("bad"));
    let (b, next) = (s.v("b"), s.terms.add(&[s.v("x"), s.terms.int(1)]));
    let both = s.terms.and2(b, s.terms.lt(s.v("x"), s.v("x")));
    s.assume(start, both, head);
    s.assign(head, "x", next, head);
    s.assume(head, b, bad);
    assert_eq!(s.decide(head), ("false".to_owned(), vec!["bad".to_owned()]));
}

#[test]
fn conditions_are_read_in_both_directions() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int), ("b", Sort::Bool)]);
    let (start, next) = (s.graph.initial, s.location("next"));
    let (join, bad, open) = (s.location("join"), s.error("bad"), s.error("open"));
    let t = &s.terms;
    let (x, y, b) = (s.v("x"), s.v("y"), s.v("b"));
    // 2x + 1 in 5..9, and y in one of two ranges.
    let twice = t.add(&[t.mul(&[t.int(2), x]), t.int(1)]);
    let about_x = t.and2(t.le(t.int(5), twice), t.le(twice, t.int(9)));
    let about_y = t.or2(t.eq(y, t.int(3)), t.and2(t.gt(y, t.int(4)), t.lt(y, x)));
    let value = t.ite(b, t.modulo(x, t.int(10)), t.int(7));
    let (wrong, maybe) = (t.lt(x, t.int(2)), t.eq(x, t.int(7)));
    let both = t.and2(about_x, about_y);
    s.assume(start, both, next);
    s.assign(next, "x", value, join);
    s.assume(start, s.terms.ff(), join);
    s.assume(join, wrong, bad);
    s.assume(join, maybe, open);
    let (formula, excluded) = s.decide(join);
    assert_eq!(formula, "2 <= x && x <= 7");
    assert_eq!(excluded, ["bad"]);
}

#[test]
fn a_choice_knows_its_condition() {
    let mut s = Scene::new(&[("x", Sort::Int), ("b", Sort::Bool)]);
    let (start, next) = (s.graph.initial, s.location("next"));
    let (bad, open) = (s.error("bad"), s.error("open"));
    let t = &s.terms;
    let (x, b, zero, ten) = (s.v("x"), s.v("b"), t.int(0), t.int(10));
    // The condition of the outer choice bounds the inner one; what it supposes is forgotten outside of it.
    let inner = t.ite(t.lt(x, zero), zero, x);
    let either = t.or2(t.gt(x, ten), t.and2(b, t.gt(x, t.int(20))));
    let value = t.ite(either, ten, inner);
    let (wrong, maybe) = (t.gt(x, ten), t.eq(x, ten));
    s.assign(start, "x", value, next);
    s.assume(start, s.terms.ff(), next);
    s.assume(next, wrong, bad);
    s.assume(next, maybe, open);
    let (formula, excluded) = s.decide(next);
    assert_eq!(formula, "0 <= x && x <= 10");
    assert_eq!(excluded, ["bad"]);
}

#[test]
fn formulas_that_are_huge_when_written_out_end_soon() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (start, bad) = (s.graph.initial, s.error("bad"));
    let mut term = s.v("x");
    for _ in 0..200 {
        let t = &s.terms;
        term = t.ite(
            t.lt(term, t.int(5)),
            t.add(&[term, term]),
            t.mul(&[term, term]),
        );
    }
    let condition = s.terms.lt(term, s.terms.int(0));
    s.assume(start, condition, bad);
    assert_eq!(s.decide(start).1, Vec::<String>::new());
}

#[test]
fn a_thousand_choices_are_decided() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let mut here = s.location("l0");
    let zero = s.terms.int(0);
    s.assign(s.graph.initial, "x", zero, here);
    for i in 1..=1000 {
        let next = s.location(&format!("l{i}"));
        for by in [1, 2] {
            let value = s.terms.add(&[s.v("x"), s.terms.int(by)]);
            s.assign(here, "x", value, next);
        }
        here = next;
    }
    let bad = s.error("bad");
    let wrong = s.terms.lt(s.v("x"), s.terms.int(1000));
    s.assume(here, wrong, bad);
    let (formula, excluded) = s.decide(here);
    assert_eq!(formula, "1000 <= x && x <= 2000");
    assert_eq!(excluded, ["bad"]);
}

#[test]
fn a_run_that_is_stopped_says_why() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.location("head"));
    let bad = s.error("bad");
    let (x, zero) = (s.v("x"), s.terms.int(0));
    let next = s.terms.add(&[x, s.terms.int(1)]);
    s.assign(start, "x", zero, head);
    s.assign(head, "x", next, head);
    let negative = s.terms.lt(x, s.terms.int(0));
    s.assume(head, negative, bad);
    let control = Control::unlimited();
    let domain = Steps::new(&s.terms, &s.graph);
    let analysis = Analysis::of(domain, &s.terms, &s.graph, &control, 2);
    assert!(matches!(analysis, Err(Reason::Incomplete(_))));
    assert_eq!(s.decide(head).1, ["bad"]);
}

/// Locks that are taken where a flag is set and given back where it is, in a loop; each is free at first.
fn locks(count: usize) -> (Scene, LocationId) {
    let names: Vec<[String; 2]> = (0..count)
        .map(|i| [format!("p{i}"), format!("lk{i}")])
        .collect();
    let variables: Vec<(&str, Sort)> = (names.iter().flatten())
        .map(|name| (&**name, Sort::Int))
        .collect();
    let mut s = Scene::new(&variables);
    let head = s.location("head");
    s.assume(s.graph.initial, s.terms.tt(), head);
    let (zero, one) = (s.terms.int(0), s.terms.int(1));
    let mut here = head;
    for [_, lock] in &names {
        let next = s.location("free");
        s.assign(here, lock, zero, next);
        here = next;
    }
    for gives in [false, true] {
        for [flag, lock] in &names {
            let (set, clear) = (s.terms.neq(s.v(flag), zero), s.terms.eq(s.v(flag), zero));
            let (mut yes, next) = (s.location("yes"), s.location("next"));
            s.assume(here, set, yes);
            s.assume(here, clear, next);
            if gives {
                let (bad, held) = (s.error("bad"), s.location("held"));
                s.assume(yes, s.terms.neq(s.v(lock), one), bad);
                s.assume(yes, s.terms.eq(s.v(lock), one), held);
                yes = held;
            }
            s.assign(yes, lock, if gives { zero } else { one }, next);
            here = next;
        }
    }
    s.assume(here, s.terms.tt(), head);
    (s, head)
}

#[test]
fn a_lock_is_held_wherever_its_flag_is_set() {
    let (s, head) = locks(3);
    assert_eq!(
        s.decide(head),
        ("true".to_owned(), vec!["bad".to_owned(); 3])
    );
}

#[test]
fn claims_about_many_variables_are_as_long_as_the_graph() {
    for count in [50, 200] {
        let (s, head) = locks(count);
        assert_eq!(s.decide(head).1.len(), count);
        let claim = claim(&s.terms, &s.graph, &Control::unlimited()).expect("time enough");
        let length = |formula: &Term| s.terms.conjuncts(*formula).len();
        let total: usize = claim.at.values().map(length).sum();
        // Two branches at each step.
        assert!(
            total <= 2 * limits::CLAIMED * s.graph.graph.edge_count(),
            "{total}"
        );
    }
}

#[test]
fn what_an_assertion_demands_is_not_carried_over_the_head_of_a_loop() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let (start, head, exit) = (s.graph.initial, s.location("head"), s.location("exit"));
    let (bad, other) = (s.error("bad"), s.error("other"));
    let (x, y) = (s.v("x"), s.v("y"));
    let (same, next) = (s.terms.eq(x, y), s.terms.add(&[x, s.terms.int(1)]));
    let differ = s.terms.not(same);
    s.assume(start, same, head);
    s.assign(head, "x", next, head);
    s.assume(head, s.terms.tt(), exit);
    s.assume(exit, differ, bad);
    // What was asked right before needs no loop.
    s.assume(exit, s.terms.lt(x, y), other);
    assert_eq!(s.decide(head).1, Vec::<String>::new());
    let here = s.location("here");
    let worse = s.error("worse");
    s.assume(exit, same, here);
    s.assume(here, differ, worse);
    assert_eq!(s.decide(head).1, ["worse"]);
}

#[test]
fn a_demand_that_every_step_changes_is_given_up() {
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let mut here = s.graph.initial;
    let (x, y, zero) = (s.v("x"), s.v("y"), s.terms.int(0));
    for steps in 0..100 {
        let next = s.location(&format!("l{steps}"));
        for value in [s.terms.add(&[x, y]), s.terms.add(&[x, y, y])] {
            s.assign(here, "x", value, next);
        }
        here = next;
    }
    let bad = s.error("bad");
    s.assume(here, s.terms.lt(x, zero), bad);
    assert_eq!(s.decide(s.graph.initial).1, Vec::<String>::new());
}
