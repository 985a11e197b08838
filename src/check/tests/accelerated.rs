//! Runs that are not written step by step.

use proptest::prelude::*;

use super::*;
use std::collections::BTreeMap;
use ult_core::graph::evidence::{AcceleratedPath, DEEPEST, Iterations, Plans, Symbol, Walk};

/// `a`, `b`, `c` are bits of a counter, `n` counts rounds modulo `modulus` if there is one: from `head`, one edge for each bit
/// that may be the lowest that is not set, back to `head`; and `head` leads to `err` where all are set and `n` is `at`.
fn counter(modulus: Option<i64>, at: i64) -> (Scene, [EdgeId; 3], EdgeId, EdgeId) {
    let mut s = Scene::new(&["a", "b", "c", "n"].map(|name| (name, Sort::Int)));
    let t = &s.terms;
    let (zero, one) = (s.int(0), s.int(1));
    let names = ["a", "b", "c", "n"];
    let start = t.and(names.map(|name| t.eq(s.v(name), zero)));
    let rounds = [0, 1, 2].map(|bit| {
        let set = names[..bit].iter().map(|name| t.eq(s.v(name), one));
        let cleared = names[..bit].iter().map(|name| t.eq(s.next(name), zero));
        let own = [t.eq(s.v(names[bit]), zero), t.eq(s.next(names[bit]), one)];
        let counted = match modulus {
            Some(modulus) => {
                let next = t.modulo(s.plus("n", 1), s.int(modulus));
                vec![t.eq(s.next("n"), next)]
            }
            None => Vec::new(),
        };
        let changed = names[..=bit].iter().chain(counted.first().map(|_| &"n"));
        let changed = changed.map(|name| Arc::from(*name)).collect();
        let formula = t.and(set.chain(cleared).chain(own).chain(counted));
        Transition { formula, changed }
    });
    let full = names[..3].iter().map(|name| t.eq(s.v(name), one));
    let end = t.and(full.chain([t.eq(s.v("n"), s.int(at))]));
    let begin = s.assume("start", start, "head");
    let edges = rounds.map(|round| s.edge("head", round, "head"));
    let end = s.assume("head", end, "err");
    (s, edges, begin, end)
}

/// From 0 to 7: the ruler sequence.
fn ruler([a, b, c]: [EdgeId; 3]) -> Vec<Vec<Symbol>> {
    vec![
        vec![Symbol::Edge(a)],
        vec![Symbol::Rule(0), Symbol::Edge(b), Symbol::Rule(0)],
        vec![Symbol::Rule(1), Symbol::Edge(c), Symbol::Rule(1)],
    ]
}

fn with(rules: Vec<Vec<Symbol>>, begin: EdgeId, end: EdgeId) -> Run {
    let accelerated = AcceleratedPath::new(rules).expect("an accelerated path of the test");
    let steps = vec![
        Step::determined(begin),
        Step::determined(end).behind(Arc::new(accelerated)),
    ];
    run(ints(&[("a", 0), ("b", 0), ("c", 0), ("n", 0)]), steps)
}

#[test]
fn an_accelerated_path_is_what_its_rules_stand_for() {
    let (s, edges, begin, end) = counter(None, 0);
    let claim = with(ruler(edges), begin, end);
    let accelerated = claim.steps[1].accelerated().unwrap();
    assert_eq!(accelerated.length(), 7);
    assert_eq!(accelerated.edges(), edges.into());
    let violation = s.replay(&claim).unwrap();
    assert_eq!(Some(violation.location()), s.find("err"));
    // With a counter of its own, what repeats itself in the bits does not do so in all that is read.
    let (s, edges, begin, end) = counter(Some(100), 7);
    s.replay(&with(ruler(edges), begin, end)).unwrap();
    let (s, edges, begin, end) = counter(Some(2), 1);
    s.replay(&with(ruler(edges), begin, end)).unwrap();
    for (modulus, at) in [(100, 4), (100, 1), (2, 0), (4, 2)] {
        let (s, edges, begin, end) = counter(Some(modulus), at);
        assert_run_rejected(
            s.replay(&with(ruler(edges), begin, end)),
            "step 1: it is false",
        );
    }
}

#[test]
fn an_accelerated_path_of_other_edges_is_refused() {
    let (s, [a, b, c], begin, end) = counter(None, 0);
    let edge = Symbol::Edge;
    let rule = Symbol::Rule;
    for rules in [
        // Twice the same: the second time a bit is set already.
        vec![vec![edge(a)], vec![rule(0), rule(0)]],
        vec![vec![edge(a), edge(b)], vec![rule(0), rule(0)]],
        // All but the last round.
        vec![
            vec![edge(a)],
            vec![rule(0), edge(b), rule(0), edge(c), rule(0), edge(b)],
        ],
        // A round too many.
        {
            let mut rules = ruler([a, b, c]);
            rules.push(vec![rule(2), edge(a)]);
            rules
        },
        // Others in their place.
        ruler([b, a, c]),
        ruler([a, c, b]),
        ruler([a, b, b]),
        // The last rule is the whole.
        {
            let mut rules = ruler([a, b, c]);
            rules.push(vec![rule(1)]);
            rules
        },
    ] {
        assert_run_rejected(s.replay(&with(rules, begin, end)), "step 1");
    }
}

#[test]
fn an_accelerated_path_is_a_way_through_the_graph() {
    let (s, [a, b, c], begin, end) = counter(None, 0);
    let edge = Symbol::Edge;
    let mut rules = ruler([a, b, c]);
    rules[0].insert(0, edge(begin));
    assert_run_rejected(
        s.replay(&with(rules, begin, end)),
        "an edge leaves `start`, but the one before ends at `head`",
    );
    let mut rules = ruler([a, b, c]);
    rules[0].insert(0, edge(begin));
    rules.truncate(1);
    assert_run_rejected(
        s.replay(&with(rules, begin, end)),
        "the accelerated path before step 1 leaves `start`, but the trace is at `head`",
    );
    let rules = vec![vec![edge(EdgeId::new(999))]];
    assert_run_rejected(s.replay(&with(rules, begin, end)), "does not exist");
    // It leads into an error location, and the run goes on from there.
    let mut rules = ruler([a, b, c]);
    rules[2].push(edge(end));
    assert_run_rejected(
        s.replay(&with(rules, begin, end)),
        "leaves `head`, but the trace is at `err`",
    );
}

#[test]
fn an_accelerated_path_says_no_values() {
    // `x` becomes anything: no step of an accelerated path says what.
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let anything = Transition {
        formula: s.terms.tt(),
        changed: [Arc::from("x")].into(),
    };
    let havoc = s.edge("start", anything, "start");
    let end = s.assume("start", s.terms.eq(s.v("x"), s.int(1)), "err");
    let accelerated = |rules| Arc::new(AcceleratedPath::new(rules).unwrap());
    let once = accelerated(vec![vec![Symbol::Edge(havoc)]]);
    let claim = run(
        ints(&[("x", 1)]),
        vec![Step::determined(end).behind(once.clone())],
    );
    assert_run_rejected(s.replay(&claim), "`x` has no value");
    // What the step behind it says is about that step.
    let mut claim = run(ints(&[("x", 1)]), vec![Step::determined(end).behind(once)]);
    *claim.steps[0].values_mut() = ints(&[("x", 1)]);
    assert_run_rejected(s.replay(&claim), "`x` has no value");
    // An auxiliary that decides is not said either.
    let aux = s.terms.fresh_aux("k", Sort::Int);
    let some = s.terms.eq(aux, s.int(3));
    let guess = s.assume("start", some, "start");
    let claim = run(
        ints(&[("x", 1)]),
        vec![Step::determined(end).behind(accelerated(vec![vec![Symbol::Edge(guess)]]))],
    );
    assert_run_rejected(s.replay(&claim), "");
}

#[test]
fn a_rule_is_executed_again_where_what_it_reads_has_changed() {
    let mut s = Scene::new(&["x", "y"].map(|name| (name, Sort::Int)));
    let is_one = s.assume("start", s.terms.eq(s.v("x"), s.int(1)), "start");
    let other = s.assign("start", "x", s.int(2), "start");
    let end = s.assume("start", s.terms.tt(), "err");
    let rules = |between: Vec<Symbol>| {
        let whole = [vec![Symbol::Rule(0)], between, vec![Symbol::Rule(0)]].concat();
        vec![vec![Symbol::Edge(is_one)], whole]
    };
    let claim = |between| {
        let accelerated = AcceleratedPath::new(rules(between)).unwrap();
        let start = ints(&[("x", 1), ("y", 0)]);
        run(
            start,
            vec![Step::determined(end).behind(Arc::new(accelerated))],
        )
    };
    s.replay(&claim(Vec::new())).unwrap();
    assert_run_rejected(s.replay(&claim(vec![Symbol::Edge(other)])), "false");
}

#[test]
fn rules_refer_to_rules_before_them() {
    let edge = || Symbol::Edge(EdgeId::new(0));
    let refused = |rules: Vec<Vec<Symbol>>, why: &str| {
        let found = AcceleratedPath::new(rules).expect_err("no accelerated path");
        assert!(found.contains(why), "{found}");
    };
    refused(Vec::new(), "no rule");
    refused(vec![vec![edge()], Vec::new()], "rule 1 is empty");
    refused(
        vec![vec![edge()], vec![edge(), Symbol::Rule(1)]],
        "not before it",
    );
    refused(vec![vec![Symbol::Rule(1)], vec![edge()]], "not before it");
    let mut rules = vec![vec![edge()]];
    rules.extend((0..=DEEPEST).map(|number| vec![Symbol::Rule(number), Symbol::Rule(number)]));
    refused(rules.clone(), "nested too deeply");
    rules.pop();
    // Longer than any number.
    assert_eq!(AcceleratedPath::new(rules).unwrap().length(), u64::MAX);
}

#[test]
fn an_accelerated_path_that_does_not_repeat_itself_can_be_stopped() {
    // `n := n + 1`, 2^100 times.
    let mut s = Scene::new(&[("n", Sort::Int)]);
    let count = s.assign("start", "n", s.plus("n", 1), "start");
    let end = s.assume("start", s.terms.tt(), "err");
    let mut rules = vec![vec![Symbol::Edge(count)]];
    rules.extend((0..100).map(|number| vec![Symbol::Rule(number), Symbol::Rule(number)]));
    let accelerated = Arc::new(AcceleratedPath::new(rules).unwrap());
    let claim = run(
        ints(&[("n", 0)]),
        vec![Step::determined(end).behind(accelerated)],
    );
    let control = Control::unlimited().within(Some(std::time::Duration::from_millis(300)));
    let found = super::super::confirm_run(
        &s.terms,
        &s.graph,
        &claim,
        &control,
        &Options::default(),
        &mut Statistics::default(),
    );
    assert!(matches!(found, Err(Reason::Timeout)), "{found:?}");
}

/// `while (x < most) x := next`, with `y` and `z` beside it, and an error where the loop ends.
struct Loop {
    scene: Scene,
    round: Vec<EdgeId>,
    end: EdgeId,
}

/// A variable, and what it becomes.
type Statement<'s> = (&'s str, &'s dyn Fn(&Scene) -> Term);

impl Loop {
    fn new(most: i64, statements: &[Statement<'_>]) -> Loop {
        let mut s = Scene::new(&["x", "y", "z"].map(|name| (name, Sort::Int)));
        let goes_on = s.terms.lt(s.v("x"), s.int(most));
        let mut round = vec![s.assume("start", goes_on, "body0")];
        for (number, (name, value)) in statements.iter().enumerate() {
            let [from, to] = [number, number + 1].map(|number| format!("body{number}"));
            let to = if number + 1 == statements.len() {
                "start"
            } else {
                &to
            };
            let value = value(&s);
            round.push(s.assign(&from, name, value, to));
        }
        let over = s.terms.le(s.int(most), s.v("x"));
        let end = s.assume("start", over, "err");
        Loop {
            scene: s,
            round,
            end,
        }
    }

    fn rounds(&self, count: u64, by: &[(&str, i64)]) -> Symbol {
        let by = by.iter().map(|(name, by)| (Arc::from(*name), (*by).into()));
        Symbol::Iterations(Arc::new(Iterations {
            iteration: self.round.clone(),
            count,
            by: by.collect(),
        }))
    }

    /// The run from all variables zero through what the rules stand for to the error.
    fn replay(&self, rules: Vec<Vec<Symbol>>) -> Result<Violation, Reason> {
        let accelerated =
            Arc::new(AcceleratedPath::new(rules).expect("an accelerated path of the test"));
        let start = ints(&[("x", 0), ("y", 0), ("z", 0)]);
        let step = Step::determined(self.end).behind(accelerated);
        self.scene.replay(&run(start, vec![step]))
    }

    fn all(&self, count: u64, by: &[(&str, i64)]) -> Result<Violation, Reason> {
        self.replay(vec![vec![self.rounds(count, by)]])
    }
}

const BILLION: u64 = 1_000_000_000;

#[test]
fn a_billion_rounds_are_one_question() {
    let count = Loop::new(BILLION as i64, &[("x", &|s| s.plus("x", 1))]);
    let violation = count.all(BILLION, &[("x", 1)]).unwrap();
    let accelerated = violation.run().steps[0].accelerated().unwrap();
    assert_eq!(
        (accelerated.length(), accelerated.edges().len()),
        (2 * BILLION, 2)
    );
    // One too few, one too many, none.
    assert_run_rejected(count.all(BILLION - 1, &[("x", 1)]), "step 0: it is false");
    assert_run_rejected(count.all(BILLION + 1, &[("x", 1)]), "step 0: it is false");
    assert_run_rejected(
        count.all(u64::MAX, &[("x", 1)]),
        "not all of them can be taken",
    );
    // A rule of no edges is empty.
    assert!(AcceleratedPath::new(vec![vec![count.rounds(0, &[("x", 1)])]]).is_err());
    let rules = vec![vec![
        count.rounds(0, &[("x", 1)]),
        count.rounds(BILLION, &[("x", 1)]),
    ]];
    assert_run_rejected(count.replay(rules), "there is none");
    // It grows otherwise.
    for by in [-1, 0, 2] {
        assert_run_rejected(
            count.all(BILLION, &[("x", by)]),
            "not all of them can be taken",
        );
    }
    assert_run_rejected(count.all(BILLION, &[]), "not all of them can be taken");
    // In parts, and with single rounds between them.
    let half = BILLION / 2 - 1;
    let edges: Vec<Symbol> = count.round.iter().copied().map(Symbol::Edge).collect();
    let part = vec![count.rounds(half, &[("x", 1)])];
    let one = vec![Symbol::Rule(0)];
    let whole = [one.clone(), edges.clone(), one, edges].concat();
    count.replay(vec![part, whole]).unwrap();
}

#[test]
fn rounds_grow_what_they_carry_on_and_nothing_else() {
    // y is written before it is read; z is read only.
    let count = Loop::new(
        1000,
        &[
            ("y", &|s| s.terms.add(&[s.v("x"), s.v("x"), s.v("z")])),
            ("x", &|s| {
                s.terms.add(&[s.v("y"), s.terms.neg(s.v("x")), s.int(2)])
            }),
        ],
    );
    count.all(500, &[("x", 2)]).unwrap();
    for name in ["y", "z", "w"] {
        let found = count.all(500, &[("x", 2), (name, 4)]);
        assert_run_rejected(found, "is not carried from iteration to iteration");
        assert_run_rejected(count.all(500, &[(name, 0)]), "is not carried");
    }
    // z goes to and fro: after an even number of rounds it is what it was.
    let turn = Loop::new(
        1000,
        &[
            ("z", &|s| s.terms.add(&[s.int(1), s.terms.neg(s.v("z"))])),
            ("x", &|s| s.plus("x", 1)),
        ],
    );
    for by in [-1, 0, 1] {
        let found = turn.all(1000, &[("x", 1), ("z", by)]);
        assert_run_rejected(found, "not all of them can be taken");
    }
    assert_run_rejected(turn.all(1000, &[("x", 1)]), "not all of them can be taken");
}

#[test]
fn a_round_among_many_that_is_another_one_is_noticed() {
    // The remainder starts anew at 256: the sum of 900 rounds is that of none.
    let wrap = |most| {
        Loop::new(
            most,
            &[("x", &|s| s.terms.modulo(s.plus("x", 1), s.int(256)))],
        )
    };
    wrap(255).all(255, &[("x", 1)]).unwrap();
    assert_run_rejected(
        wrap(300).all(300, &[("x", 1)]),
        "not all of them can be taken",
    );
    // One value among a million is left out, and the last rounds are as they should be.
    for hole in [0, 1, 500_000, 999_998] {
        let hit = move |s: &Scene| s.terms.eq(s.v("x"), s.int(hole));
        let next = move |s: &Scene| s.terms.ite(hit(s), s.plus("x", 2), s.plus("x", 1));
        let jump = Loop::new(1_000_000, &[("x", &next)]);
        let found = jump.all(1_000_000, &[("x", 1)]);
        assert!(matches!(found, Err(Reason::RunRejected(_))), "{hole}");
    }
    // The last round is executed: it may lead elsewhere.
    let next = |s: &Scene| {
        let is_last = s.terms.eq(s.v("x"), s.int(999_999));
        s.terms.ite(is_last, s.plus("x", 2), s.plus("x", 1))
    };
    let jump = Loop::new(1_000_000, &[("x", &next)]);
    let claim = jump.all(1_000_000, &[("x", 1)]).unwrap().run().clone();
    let mut plans = Plans::new(&jump.scene.terms, &jump.scene.graph);
    let mut walk = Walk::new(&mut plans, &claim);
    walk.step(&claim.steps[0]).unwrap();
    assert_eq!(walk.now("x"), Some(&Value::int(1_000_001)));
    // The condition of a round is a condition of every round.
    let mut two = Loop::new(10, &[("x", &|s| s.plus("x", 1))]);
    let s = &mut two.scene;
    let is_small = s.terms.neq(s.v("x"), s.int(7));
    let middle = s.assume("start", is_small, "start");
    two.round.insert(0, middle);
    assert_run_rejected(two.all(10, &[("x", 1)]), "not all of them can be taken");
}

#[test]
fn a_round_ends_where_it_begins() {
    let mut count = Loop::new(10, &[("x", &|s| s.plus("x", 1))]);
    count.all(10, &[("x", 1)]).unwrap();
    let last = count.round.pop().unwrap();
    assert_run_rejected(
        count.all(10, &[("x", 1)]),
        "an iteration does not end where it begins",
    );
    count.round.extend([last, last]);
    assert_run_rejected(
        count.all(10, &[("x", 1)]),
        "but the one before ends at `start`",
    );
    count.round = vec![EdgeId::new(99)];
    assert_run_rejected(count.all(10, &[("x", 1)]), "an edge does not exist");
    count.round.clear();
    assert!(AcceleratedPath::new(vec![vec![count.rounds(10, &[])]]).is_err());
}

#[test]
fn rounds_leave_nothing_open() {
    let mut count = Loop::new(10, &[("x", &|s| s.plus("x", 1))]);
    let anything = Transition {
        formula: count.scene.terms.tt(),
        changed: [Arc::from("y")].into(),
    };
    let havoc = count.scene.edge("start", anything, "start");
    count.round.push(havoc);
    assert_run_rejected(count.all(10, &[("x", 1)]), "`y` has no value");
    count.round.pop();
    let aux = count.scene.terms.fresh_aux("k", Sort::Int);
    let some = count.scene.terms.le(aux, count.scene.v("x"));
    let guess = count.scene.assume("start", some, "start");
    count.round.push(guess);
    assert_run_rejected(count.all(10, &[("x", 1)]), "leaves something open");
    // What is no integer does not grow by one.
    let mut s = Scene::new(&[("x", Sort::Real)]);
    let sum = s.terms.add(&[
        s.v("x"),
        s.terms
            .real(num_rational::BigRational::from_integer(1.into())),
    ]);
    let step = s.assign("start", "x", sum, "start");
    let end = s.assume("start", s.terms.tt(), "err");
    let rounds = Symbol::Iterations(Arc::new(Iterations {
        iteration: vec![step],
        count: 10,
        by: [(Arc::from("x"), 1.into())].into(),
    }));
    let accelerated = Arc::new(AcceleratedPath::new(vec![vec![rounds]]).unwrap());
    let zero = Value::Real(num_rational::BigRational::from_integer(0.into()));
    let claim = run(
        state(&[("x", zero)]),
        vec![Step::determined(end).behind(accelerated)],
    );
    assert_run_rejected(s.replay(&claim), "`x` is no integer");
}

#[test]
fn what_rounds_read_of_maps_may_be_anything() {
    // `while (x < 10 && a[0] == 0) x := x + 1`, where all elements are zero; the formula does not know, and is refused.
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let mut s = Scene::new(&[("x", Sort::Int), ("a", sort)]);
    let first = s.terms.select(s.v("a"), &[s.int(0)]);
    let unlike = s.terms.eq(first, s.int(0));
    let like = s.terms.or2(unlike, s.terms.neq(first, s.int(0)));
    let zeros = Value::Map(Arc::new(ult_core::formula::MapValue {
        domain: vec![Sort::Int],
        default: Value::int(0),
        entries: Default::default(),
    }));
    let count = s.assign("body", "x", s.plus("x", 1), "start");
    for (condition, is_confirmed) in [(unlike, false), (like, true)] {
        let goes_on = s.terms.and2(s.terms.lt(s.v("x"), s.int(10)), condition);
        let goes_on = s.assume("start", goes_on, "body");
        let over = s.terms.eq(s.v("x"), s.int(10));
        let end = s.assume("start", over, "err");
        let rounds = Symbol::Iterations(Arc::new(Iterations {
            iteration: vec![goes_on, count],
            count: 10,
            by: [(Arc::from("x"), 1.into())].into(),
        }));
        let accelerated = Arc::new(AcceleratedPath::new(vec![vec![rounds]]).unwrap());
        let start = state(&[("x", Value::int(0)), ("a", zeros.clone())]);
        let claim = run(start, vec![Step::determined(end).behind(accelerated)]);
        assert_eq!(s.replay(&claim).is_ok(), is_confirmed);
    }
}

/// What an edge of a random graph does to three variables, numbered.
#[derive(Clone, Debug)]
enum Action {
    Is(usize, i64),
    IsNot(usize, i64),
    Set(usize, i64),
    /// The first becomes the sum of both and a number, modulo three.
    Add(usize, usize, i64),
}

fn action() -> impl Strategy<Value = Action> {
    let (variable, number) = (|| 0..3_usize, || 0..3_i64);
    prop_oneof![
        1 => (variable(), number()).prop_map(|(x, k)| Action::Is(x, k)),
        1 => (variable(), number()).prop_map(|(x, k)| Action::IsNot(x, k)),
        1 => (variable(), number()).prop_map(|(x, k)| Action::Set(x, k)),
        4 => (variable(), variable(), number()).prop_map(|(x, y, k)| Action::Add(x, y, k)),
    ]
}

/// The edges that a rule stands for.
fn written_out(rules: &[Vec<Symbol>], rule: usize, edges: &mut Vec<EdgeId>) {
    for symbol in &rules[rule] {
        match symbol {
            Symbol::Edge(edge) => edges.push(*edge),
            Symbol::Rule(other) => written_out(rules, *other, edges),
            Symbol::Iterations(rounds) => {
                for _ in 0..rounds.count {
                    edges.extend(&rounds.iteration);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_accelerated_path_is_confirmed_if_its_steps_are(
        actions in prop::collection::vec(action(), 2..6),
        symbols in prop::collection::vec(prop::collection::vec(0..9_usize, 1..4), 2..7),
    ) {
        let names = ["x", "y", "z"];
        let mut s = Scene::new(&names.map(|name| (name, Sort::Int)));
        let mut edges = Vec::new();
        for action in &actions {
            edges.push(match *action {
                Action::Is(x, k) => s.assume("start", s.terms.eq(s.v(names[x]), s.int(k)), "start"),
                Action::IsNot(x, k) => {
                    s.assume("start", s.terms.neq(s.v(names[x]), s.int(k)), "start")
                }
                Action::Set(x, k) => s.assign("start", names[x], s.int(k), "start"),
                Action::Add(x, y, k) => {
                    let sum = s.terms.add(&[s.v(names[x]), s.v(names[y]), s.int(k)]);
                    s.assign("start", names[x], s.terms.modulo(sum, s.int(3)), "start")
                }
            });
        }
        // Numbers are of edges, or of rules before.
        let rules: Vec<Vec<Symbol>> = (symbols.iter().enumerate())
            .map(|(number, rule)| {
                let symbol = |&n: &usize| match n.checked_sub(3) {
                    Some(other) if number > 0 => Symbol::Rule(other % number),
                    _ => Symbol::Edge(edges[n % edges.len()]),
                };
                rule.iter().map(symbol).collect()
            })
            .collect();
        let ends: Vec<EdgeId> = (0..27)
            .map(|n| {
                let values = [n % 3, n / 3 % 3, n / 9];
                let is = (names.iter().zip(values)).map(|(name, k)| s.terms.eq(s.v(name), s.int(k)));
                let state = s.terms.and(is.collect::<Vec<_>>());
                s.assume("start", state, "err")
            })
            .collect();
        let mut taken = Vec::new();
        written_out(&rules, rules.len() - 1, &mut taken);
        let accelerated = Arc::new(AcceleratedPath::new(rules).unwrap());
        prop_assert_eq!(accelerated.length(), taken.len() as u64);
        let start = ints(&[("x", 0), ("y", 1), ("z", 2)]);
        let mut confirmed = 0;
        for &end in &ends {
            let plain = taken.iter().chain([&end]).map(|&edge| Step::determined(edge));
            let plain = s.replay(&run(start.clone(), plain.collect())).is_ok();
            let behind = vec![Step::determined(end).behind(accelerated.clone())];
            let short = s.replay(&run(start.clone(), behind)).is_ok();
            prop_assert_eq!(plain, short);
            confirmed += usize::from(plain);
        }
        prop_assert!(confirmed <= 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rounds_are_confirmed_only_if_their_steps_are(
        actions in prop::collection::vec(action(), 1..4),
        most in 0..12_i64,
        add in 0..4_i64,
        count in 1..12_u64,
        by in prop::collection::btree_map(prop::sample::select(vec!["x", "y", "z"]), -1..3_i64, 0..3),
    ) {
        let names = ["x", "y", "z"];
        let mut s = Scene::new(&names.map(|name| (name, Sort::Int)));
        let goes_on = s.terms.lt(s.v("x"), s.int(most));
        let mut round = vec![s.assume("start", goes_on, "start")];
        round.push(s.assign("start", "x", s.plus("x", add), "start"));
        for action in &actions {
            round.push(match *action {
                Action::Is(x, k) => s.assume("start", s.terms.le(s.v(names[x]), s.int(4 * k)), "start"),
                Action::IsNot(x, k) => {
                    s.assume("start", s.terms.neq(s.v(names[x]), s.int(3 * k + 2)), "start")
                }
                Action::Set(x, k) => s.assign("start", names[x], s.int(k), "start"),
                Action::Add(x, y, 0) if x != y => {
                    let sum = s.terms.add(&[s.v(names[x]), s.v(names[y])]);
                    s.assign("start", names[x], sum, "start")
                }
                Action::Add(x, _, k) => s.assign("start", names[x], s.plus(names[x], k - 1), "start"),
            });
        }
        let end = s.assume("start", s.terms.tt(), "err");
        let rounds = |by: BTreeMap<&str, i64>| Symbol::Iterations(Arc::new(Iterations {
            iteration: round.clone(),
            count,
            by: by.into_iter().map(|(name, by)| (Arc::from(name), by.into())).collect(),
        }));
        let plain: Vec<Step> = (0..count)
            .flat_map(|_| &round)
            .chain([&end])
            .map(|&edge| Step::determined(edge))
            .collect();
        let start = ints(&[("x", 0), ("y", 1), ("z", 2)]);
        let plain = run(start.clone(), plain);
        // As it was chosen, and as it is in the first round.
        let mut plans = Plans::new(&s.terms, &s.graph);
        let mut walk = Walk::new(&mut plans, &plain);
        let is_taken = round.iter().all(|&edge| walk.step(&Step::determined(edge)).is_ok());
        prop_assert!(is_taken);
        let of = |state: &State, name: &str| match &state[name] {
            Value::Int(value) => i64::try_from(value).unwrap(),
            _ => unreachable!(),
        };
        let after = walk.state();
        let grown = names.map(|name| (name, of(&after, name) - of(&start, name)));
        let grown: BTreeMap<&str, i64> = grown.into_iter().filter(|(_, by)| *by != 0).collect();
        let is_right = s.replay(&plain).is_ok();
        for by in [by, grown] {
            let accelerated = Arc::new(AcceleratedPath::new(vec![vec![rounds(by)]]).unwrap());
            let short = run(start.clone(), vec![Step::determined(end).behind(accelerated.clone())]);
            if s.replay(&short).is_err() {
                continue;
            }
            prop_assert!(is_right);
            // And they lead to the same state.
            let states = [&plain, &short].map(|run| {
                let mut plans = Plans::new(&s.terms, &s.graph);
                let mut walk = Walk::new(&mut plans, run);
                run.steps.iter().for_each(|step| walk.step(step).unwrap());
                walk.state()
            });
            prop_assert_eq!(&states[0], &states[1]);
        }
    }
}
