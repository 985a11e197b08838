//! What the generators find on small loops, and that it is inductive.

use std::collections::BTreeMap;

use super::*;
use crate::thread::Rank;
use ult_check::{Options, confirm_invariants};
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};
use ult_smt::Session;

/// A graph with `start`, `loop` and one edge for each formula; `'` is written as `next`. An edge to
/// `end` reads all variables: of those that nobody reads nothing is said.
struct Scene {
    terms: Terms,
    graph: ProgramGraph,
    head: LocationId,
}

impl Scene {
    fn new(variables: &[(&str, Sort)]) -> Scene {
        let mut graph = ProgramGraph::new("test");
        for (name, sort) in variables {
            graph.variables.insert((*name).into(), sort.clone());
        }
        let head = graph.graph.add_node(Location::named("loop"));
        let end = graph.graph.add_node(Location::named("end"));
        let terms = Terms::new();
        let read = variables.iter().map(|(name, sort)| {
            let read = terms.fresh_aux(*name, sort.clone());
            terms.eq(terms.current(*name, sort.clone()), read)
        });
        let transition = Transition::assume(terms.and(read));
        let origin = None;
        graph
            .graph
            .add_edge(head, end, Edge::new(transition, origin));
        Scene { terms, graph, head }
    }

    fn x(&self, name: &str) -> Term {
        let var = self.graph.variable(&self.terms, name, Version::Current);
        var.expect("a variable of the test")
    }

    fn edge(&mut self, from: LocationId, formula: Term) {
        let changed = self.terms.names_of(&[formula], Version::Next);
        let transition = Transition {
            formula,
            changed: changed.into_keys().collect(),
        };
        let origin = None;
        let edge = Edge::new(transition, origin);
        self.graph.graph.add_edge(from, self.head, edge);
    }

    /// `name' == value` for all pairs, and the condition.
    fn step(&mut self, from: LocationId, condition: Term, values: &[(&str, Term)]) {
        let t = &self.terms;
        let assigned = values.iter().map(|&(name, value)| {
            let next = t.primed(self.x(name));
            t.eq(next, value)
        });
        let formula = t.and([condition].into_iter().chain(assigned));
        self.edge(from, formula);
    }

    /// Everything that is published about the loop, which the checker confirms as a whole.
    fn published(&self) -> Vec<Term> {
        let control = Control::unlimited();
        let session = Session::new(&self.terms, &[], &control);
        let mut blocks = Blocks::new(&session, &self.graph);
        let mut all = generate(&mut blocks, limits::AT_START);
        let mut rounds = Vec::new();
        refine::refine(&mut blocks, all.clone(), &mut |news| {
            rounds.push(news.clone())
        });
        for round in rounds {
            for (location, formulas) in round {
                all.entry(location).or_default().extend(formulas);
            }
            let at: BTreeMap<LocationId, Term> = all
                .iter()
                .map(|(&l, formulas)| (l, self.terms.and(formulas.iter().copied())))
                .collect();
            let claim = Invariants {
                at,
                ..Invariants::default()
            };
            confirm_invariants(
                &self.terms,
                &self.graph,
                &claim,
                &control,
                &Options::default(),
                &mut Statistics::default(),
            )
            .expect("what is published is inductive together with what was published before");
        }
        all.remove(&self.head).unwrap_or_default()
    }

    #[track_caller]
    fn assert_implied(&self, formula: Term) {
        let control = Control::unlimited();
        let session = Session::new(&self.terms, &[], &control);
        let mut solver = session.solver();
        let published = self.published();
        let mut question = published.clone();
        question.push(self.terms.not(formula));
        let texts: Vec<String> = published.iter().map(|&f| self.terms.display(f)).collect();
        assert_eq!(
            solver.check(&question, None),
            ult_smt::Answer::Unsat,
            "{} does not follow from {texts:#?}",
            self.terms.display(formula)
        );
    }
}

#[test]
fn a_bound_that_the_program_does_not_mention_is_found_by_narrowing() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.head);
    let (zero, x) = (s.terms.int(0), s.x("x"));
    s.step(start, s.terms.tt(), &[("x", zero)]);
    let (below, next) = (
        s.terms.lt(x, s.terms.int(1000)),
        s.terms.add(&[x, s.terms.int(7)]),
    );
    s.step(head, below, &[("x", next)]);
    s.assert_implied(s.terms.le(x, s.terms.int(1006)));
    s.assert_implied(s.terms.le(zero, x));
}

#[test]
fn what_a_loop_leaves_as_it_is_stays_between_its_bounds() {
    // No equation: `y` starts anywhere above 0. No difference and no sum of two variables either.
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int), ("z", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.head);
    let (zero, x, y, z) = (s.terms.int(0), s.x("x"), s.x("y"), s.x("z"));
    let begin = s.terms.fresh_aux("begin", Sort::Int);
    let above = s.terms.lt(zero, begin);
    s.step(start, above, &[("x", zero), ("y", begin), ("z", zero)]);
    let more = |s: &Scene, of: Term, by: i64| s.terms.add(&[of, s.terms.int(by)]);
    let (one, two, three) = (more(&s, x, 1), more(&s, y, 2), more(&s, z, 3));
    s.step(head, s.terms.tt(), &[("x", one), ("y", two), ("z", three)]);
    // Another loop at the same place, which leaves less as it is.
    let four = more(&s, z, 4);
    s.step(head, s.terms.tt(), &[("x", x), ("y", y), ("z", four)]);
    let twice = s.terms.mul(&[s.terms.int(2), x]);
    s.assert_implied(s.terms.lt(twice, y));
}

#[test]
fn control_variables_tell_values_apart() {
    // A machine with three modes; `x` depends on the mode.
    let mut s = Scene::new(&[("mode", Sort::Int), ("x", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.head);
    let (mode, x) = (s.x("mode"), s.x("x"));
    let int = |s: &Scene, n: i64| s.terms.int(n);
    let is = |s: &Scene, n: i64| s.terms.eq(mode, s.terms.int(n));
    let (one, ten) = (int(&s, 1), int(&s, 10));
    s.step(start, s.terms.tt(), &[("mode", one), ("x", ten)]);
    let (condition, three, far) = (is(&s, 1), int(&s, 3), int(&s, 500));
    s.step(head, condition, &[("mode", three), ("x", far)]);
    let (condition, seven, near) = (is(&s, 3), int(&s, 7), int(&s, -20));
    s.step(head, condition, &[("mode", seven), ("x", near)]);
    let condition = is(&s, 7);
    s.step(head, condition, &[("mode", one), ("x", ten)]);
    for (m, value) in [(1, 10), (3, 500), (7, -20)] {
        let holds = s.terms.eq(x, int(&s, value));
        s.assert_implied(s.terms.implies(is(&s, m), holds));
    }
}

#[test]
fn phases_of_a_loop_are_told_apart() {
    // `x := 0; y := 50; loop { x := x + 1; if (x > 50) y := y + 1 }`
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.head);
    let (x, y) = (s.x("x"), s.x("y"));
    let (zero, one, fifty) = (s.terms.int(0), s.terms.int(1), s.terms.int(50));
    s.step(start, s.terms.tt(), &[("x", zero), ("y", fifty)]);
    let (more_x, more_y) = (s.terms.add(&[x, one]), s.terms.add(&[y, one]));
    let early = s.terms.lt(x, fifty);
    s.step(head, early, &[("x", more_x)]);
    s.step(head, s.terms.not(early), &[("x", more_x), ("y", more_y)]);
    let late = s.terms.le(fifty, x);
    s.assert_implied(s.terms.implies(late, s.terms.eq(x, y)));
    s.assert_implied(s.terms.implies(early, s.terms.eq(y, fifty)));
}

#[test]
fn differences_of_variables_are_bounded() {
    // `x := n; y := n; loop { either x := x + 1, or if (y < x) y := y + 1 }`
    let mut s = Scene::new(&["x", "y", "n"].map(|name| (name, Sort::Int)));
    let (start, head) = (s.graph.initial, s.head);
    let (x, y, n, one) = (s.x("x"), s.x("y"), s.x("n"), s.terms.int(1));
    s.step(start, s.terms.tt(), &[("x", n), ("y", n)]);
    let (more_x, more_y) = (s.terms.add(&[x, one]), s.terms.add(&[y, one]));
    s.step(head, s.terms.tt(), &[("x", more_x)]);
    let behind = s.terms.lt(y, x);
    s.step(head, behind, &[("y", more_y)]);
    s.assert_implied(s.terms.le(y, x));
    s.assert_implied(s.terms.le(n, y));
}

#[test]
fn bit_vectors_and_booleans_have_bounds() {
    let mut s = Scene::new(&[("b", Sort::Bool), ("v", Sort::BitVec(8))]);
    let (start, head) = (s.graph.initial, s.head);
    let (b, v) = (s.x("b"), s.x("v"));
    let bits = |s: &Scene, n: u32| s.terms.bitvec(n.into(), 8);
    let (zero, yes) = (bits(&s, 0), s.terms.tt());
    s.step(start, yes, &[("v", zero), ("b", yes)]);
    let below = s.terms.bv(ult_core::formula::BvOp::Ult, &[v, bits(&s, 20)]);
    let next = s.terms.bv(ult_core::formula::BvOp::Add, &[v, bits(&s, 1)]);
    s.step(head, below, &[("v", next)]);
    s.assert_implied(s.terms.bv(ult_core::formula::BvOp::Ule, &[v, bits(&s, 20)]));
    s.assert_implied(b);
}

#[test]
fn a_generator_is_alone_for_its_pool_and_ends() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (start, head) = (s.graph.initial, s.head);
    let (zero, x) = (s.terms.int(0), s.x("x"));
    s.step(start, s.terms.tt(), &[("x", zero)]);
    let next = s.terms.add(&[x, s.terms.int(1)]);
    s.step(head, s.terms.tt(), &[("x", next)]);
    let facts = Facts::default();
    let control = Control::unlimited();
    let task = Task::of_graph(&s.terms, &s.graph, &control, &facts);
    let generator = generator::Generator::start(&task, Rank::Second);
    let other = generator::Generator::start(&task, Rank::Second);
    let mut stats = Statistics::default();
    let begun = Instant::now();
    while !other.is_over() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(generator.is_over());
    other.end(&mut stats);
    assert_eq!(stats.solver_calls, 0);
    generator.end(&mut stats);
    assert!(stats.solver_calls > 0);
    let known = facts.since(&s.terms, &mut Cursor::default());
    assert!(known[&s.head].contains(&s.terms.le(zero, x)));
}

#[test]
fn a_generator_that_is_ended_stops_soon() {
    // Each domain has much to do here.
    let names: Vec<String> = (0..12).map(|i| format!("x{i}")).collect();
    let variables: Vec<(&str, Sort)> = names.iter().map(|n| (n.as_str(), Sort::Int)).collect();
    let mut s = Scene::new(&variables);
    let (start, head) = (s.graph.initial, s.head);
    let zero = s.terms.int(0);
    let zeros: Vec<(&str, Term)> = names.iter().map(|n| (n.as_str(), zero)).collect();
    s.step(start, s.terms.tt(), &zeros);
    for pair in names.windows(2) {
        let (x, y) = (s.x(&pair[0]), s.x(&pair[1]));
        let condition = s.terms.lt(y, s.terms.add(&[x, s.terms.int(17)]));
        let sum = s.terms.add(&[x, y, s.terms.int(1)]);
        s.step(head, condition, &[(&pair[0], sum)]);
    }
    let facts = Facts::default();
    let control = Control::unlimited();
    let task = Task::of_graph(&s.terms, &s.graph, &control, &facts);
    let generator = generator::Generator::start(&task, Rank::Second);
    std::thread::sleep(Duration::from_millis(30));
    let begun = Instant::now();
    generator.end(&mut Statistics::default());
    assert!(begun.elapsed() < Duration::from_secs(1));
    while facts.is_fed() {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1));
    }
}
