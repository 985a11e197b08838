//! Invariants: right ones, and tampered ones.

use std::collections::BTreeSet;

use super::*;
use crate::proof::examine;
use crate::prover::{Prover, Provers, Reply, Tries};
use ult_core::formula::BinderKind;

#[test]
fn the_sum_proves_program_p() {
    let s = program_p(0);
    let proof = s.confirm(&s.claim(&[("head", sum(&s))])).unwrap();
    assert_eq!(proof.invariants().len(), 1);
    assert_eq!(
        proof.excluded().iter().copied().collect::<Vec<_>>(),
        [s.find("err").unwrap()]
    );
    assert_eq!(proof.provers().len(), 1);
}

#[test]
fn more_cut_points_than_needed_are_fine() {
    let s = program_p(0);
    let no = s.terms.ff();
    let claim = s.claim(&[
        ("start", s.terms.tt()),
        ("head", sum(&s)),
        ("if2", sum(&s)),
        ("err", no),
    ]);
    s.confirm(&claim).unwrap();
}

#[test]
fn a_weakened_formula_is_refused() {
    let s = program_p(0);
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", s.terms.tt())])),
        "do not exclude a segment from `head` to `err`",
    );
    let weaker = s
        .terms
        .le(s.v("n"), s.terms.add(&[s.v("x"), s.v("y"), s.v("z")]));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", weaker)])),
        "from `head` to `err`",
    );
}

#[test]
fn a_strengthened_formula_is_refused() {
    let s = program_p(0);
    let stronger = s.terms.and2(sum(&s), s.terms.ge(s.v("x"), s.int(0)));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", stronger)])),
        "from `start` to `head` does not establish",
    );
    // Initially true, not inductive.
    let stronger = s.terms.and2(sum(&s), s.terms.eq(s.v("y"), s.int(0)));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", stronger)])),
        "from `head` to `head`",
    );
}

#[test]
fn a_negated_formula_is_refused() {
    let s = program_p(0);
    let negated = s.terms.not(sum(&s));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", negated)])),
        "from `start` to `head`",
    );
    let nothing = s.terms.ff();
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", nothing)])),
        "from `start` to `head`",
    );
}

#[test]
fn a_wrong_program_has_no_proof() {
    let s = program_p(1);
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", sum(&s))])),
        "from `head` to `err`",
    );
}

#[test]
fn an_uncut_cycle_is_refused() {
    let s = program_p(0);
    assert_proof_rejected(s.confirm(&Invariants::default()), "has no invariant");
    assert_proof_rejected(
        s.confirm(&s.claim(&[("exit", sum(&s))])),
        "has no invariant",
    );
    // Two of the three ways through the loop are cut.
    assert_proof_rejected(
        s.confirm(&s.claim(&[("if1+", sum(&s))])),
        "has no invariant",
    );
}

#[test]
fn a_self_loop_has_to_be_cut() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (zero, two) = (s.int(0), s.int(2));
    s.assign("start", "x", zero, "loop");
    s.assign("loop", "x", s.plus("x", 1), "loop");
    let reached = s.terms.eq(s.v("x"), two);
    s.assume("loop", reached, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "has no invariant");
    let at_most_one = s.terms.le(s.v("x"), s.int(1));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("loop", at_most_one)])),
        "from `loop` to `loop`",
    );
}

#[test]
fn a_cycle_that_no_run_reaches_need_not_be_cut() {
    let mut s = program_p(0);
    let (yes, no) = (s.terms.tt(), s.terms.ff());
    s.assume("island", yes, "island");
    s.assume("island", yes, "err");
    s.assume("end", no, "behind false");
    s.assume("behind false", yes, "behind false");
    let fine = s.claim(&[("head", sum(&s)), ("island", no)]);
    s.confirm(&fine).unwrap();
    let exact = s.claim(&[("head", sum(&s))]);
    s.confirm(&exact).unwrap();
}

#[test]
fn behind_a_location_claimed_dead_nothing_is_proved_and_the_claim_is() {
    // `dead` is left only into the error, and reached or not as `guard` says.
    let scene = |guard: fn(&Scene) -> Term| {
        let mut s = Scene::new(&[("x", Sort::Int)]);
        let yes = s.terms.tt();
        s.assign("start", "x", s.int(1), "a");
        let guard = guard(&s);
        s.assume("a", guard, "dead");
        s.assume("dead", yes, "dead loop");
        s.assume("dead loop", yes, "dead loop");
        s.assume("dead loop", yes, "err");
        s
    };
    let s = scene(|s| s.terms.lt(s.v("x"), s.int(0)));
    s.confirm(&s.claim(&[("dead", s.terms.ff())])).unwrap();
    assert_proof_rejected(s.confirm(&Invariants::default()), "has no invariant");
    let s = scene(|s| s.terms.gt(s.v("x"), s.int(0)));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("dead", s.terms.ff())])),
        "from `start` to `dead`",
    );
}

#[test]
fn swapped_locations_are_refused() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (zero, ten) = (s.int(0), s.int(10));
    let yes = s.terms.tt();
    s.assign("start", "x", zero, "first");
    s.assume("first", yes, "first");
    s.assign("first", "x", ten, "second");
    s.assume("second", yes, "second");
    let wrong = s.terms.neq(s.v("x"), ten);
    s.assume("second", wrong, "err");
    let (is_zero, is_ten) = (s.terms.eq(s.v("x"), zero), s.terms.eq(s.v("x"), ten));
    s.confirm(&s.claim(&[("first", is_zero), ("second", is_ten)]))
        .unwrap();
    assert_proof_rejected(
        s.confirm(&s.claim(&[("second", is_zero), ("first", is_ten)])),
        "",
    );
}

#[test]
fn the_initial_location_starts_in_any_state() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let positive = s.terms.gt(s.v("x"), s.int(0));
    let not_positive = s.terms.not(positive);
    s.assume("start", not_positive, "err");
    assert_proof_rejected(
        s.confirm(&s.claim(&[("start", positive)])),
        "does not hold in every state",
    );
    assert_proof_rejected(s.confirm(&Invariants::default()), "from `start` to `err`");
}

#[test]
fn the_initial_location_in_a_loop_is_not_forgotten() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (zero, five) = (s.int(0), s.int(5));
    s.assign("start", "x", zero, "a");
    s.assign("a", "x", s.plus("x", 1), "start");
    let bad = s.terms.eq(s.v("x"), five);
    s.assume("a", bad, "err");
    s.confirm(&Invariants::default()).unwrap();
    let at_a = s.terms.eq(s.v("x"), zero);
    s.confirm(&s.claim(&[("a", at_a)])).unwrap();
    // True at first, but not when the run comes back.
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let axiom_like = s.terms.or2(
        s.terms.le(s.v("x"), s.int(3)),
        s.terms.gt(s.v("x"), s.int(3)),
    );
    s.assign("start", "x", s.plus("x", 1), "start");
    s.confirm(&s.claim(&[("start", axiom_like)])).unwrap();
}

#[test]
fn an_initial_error_location_is_not_excluded() {
    let mut s = Scene::new(&[]);
    let initial = s.graph.initial;
    s.graph.graph[initial].error = Some("at once".into());
    assert_proof_rejected(s.confirm(&Invariants::default()), "initial location");
    let claim = Invariants {
        exempt: BTreeSet::from([initial]),
        ..Invariants::default()
    };
    assert!(s.confirm(&claim).unwrap().excluded().is_empty());
    s.function("c", &[], Sort::Int);
    s.graph.axioms.push(s.terms.ff());
    assert_proof_rejected(s.confirm(&Invariants::default()), "initial location");
}

#[test]
fn formulas_with_foreign_symbols_are_refused() {
    let mut s = program_p(0);
    let t = &s.terms;
    let good = sum(&s);
    let next = s.next("x");
    let unknown = t.current("w", Sort::Int);
    let ill_sorted = t.current("x", Sort::Bool);
    let aux = t.fresh_aux("x", Sort::Int);
    let at = t.var("x", Version::At(0), Sort::Int);
    let bound = t.fresh_bound("i", Sort::Int);
    let foreign = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let applied = t.apply(&foreign, &[s.v("x")]);
    for stray in [next, unknown, aux, at, bound, applied] {
        let formula = t.and2(good, t.eq(stray, s.v("x")));
        assert_proof_rejected(s.confirm(&s.claim(&[("head", formula)])), "at `head`");
        // Even where it means nothing.
        let formula = t.or2(good, t.eq(stray, s.v("x")));
        assert_proof_rejected(s.confirm(&s.claim(&[("head", formula)])), "at `head`");
    }
    let formula = t.and2(good, t.or2(ill_sorted, t.not(t.eq(s.v("x"), s.int(0)))));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", formula)])),
        "declared with sort int",
    );
    assert_proof_rejected(s.confirm(&s.claim(&[("head", s.v("x"))])), "sort int");
    // The same name with another signature is another symbol.
    s.function("f", &[Sort::Bool], Sort::Int);
    let formula = s.terms.and2(good, s.terms.eq(applied, s.v("x")));
    assert_proof_rejected(s.confirm(&s.claim(&[("head", formula)])), "ill-sorted");
}

#[test]
fn ill_sorted_formulas_are_refused() {
    let s = program_p(0);
    let t = &s.terms;
    let mixed = t.eq(
        s.v("x"),
        t.real(num_rational::BigRational::from_integer(0.into())),
    );
    let select = t.eq(t.select(s.v("x"), &[s.v("y")]), s.v("z"));
    let wide = t.eq(
        t.bv(
            ult_core::formula::BvOp::Add,
            &[t.bitvec(1u32.into(), 8), s.v("x")],
        ),
        t.bitvec(1u32.into(), 8),
    );
    let sum_of_truths = t.le(t.add(&[s.v("x"), t.current("n", Sort::Bool)]), s.v("z"));
    for wrong in [mixed, select, wide, sum_of_truths] {
        let formula = t.and2(sum(&s), wrong);
        assert_proof_rejected(s.confirm(&s.claim(&[("head", formula)])), "at `head`");
    }
}

#[test]
fn a_bound_variable_belongs_to_its_quantifier() {
    let s = program_p(0);
    let t = &s.terms;
    let i = t.fresh_bound("i", Sort::Int);
    let all = t.bind(
        BinderKind::Forall,
        &[i],
        t.or2(t.eq(i, s.v("x")), t.neq(i, s.v("x"))),
        &[],
    );
    s.confirm(&s.claim(&[("head", t.and2(sum(&s), all))]))
        .unwrap();
    let escaped = t.and([sum(&s), all, t.or2(t.eq(i, i), t.le(i, s.v("y")))]);
    s.confirm(&s.claim(&[("head", escaped)])).unwrap(); // `i == i` is simplified away
    let escaped = t.and([
        sum(&s),
        all,
        t.or2(t.lt(i, s.v("y")), t.le(s.v("y"), t.add(&[i, i]))),
    ]);
    assert_proof_rejected(
        s.confirm(&s.claim(&[("head", escaped)])),
        "outside its quantifier",
    );
}

#[test]
fn exemptions() {
    let mut s = program_p(1);
    let err = s.find("err").unwrap();
    let end = s.find("end").unwrap();
    let mut claim = s.claim(&[("head", sum(&s))]);
    assert_proof_rejected(s.confirm(&claim), "from `head` to `err`");
    claim.exempt.insert(err);
    assert!(s.confirm(&claim).unwrap().excluded().is_empty());
    // A second error location is not covered by the exemption of the first.
    let no = s.terms.neq(sum(&s), s.terms.tt());
    s.assume("exit", no, "err2");
    let err2 = s.find("err2").unwrap();
    assert_eq!(
        s.confirm(&claim).unwrap().excluded(),
        &BTreeSet::from([err2])
    );
    claim.exempt.insert(end);
    assert_proof_rejected(s.confirm(&claim), "no error location");
    claim.exempt = BTreeSet::from([LocationId::new(999)]);
    assert_proof_rejected(s.confirm(&claim), "no location 999");
    claim.exempt.clear();
    claim.at.insert(LocationId::new(999), s.terms.tt());
    assert_proof_rejected(s.confirm(&claim), "no location 999");
}

#[test]
fn an_exempt_location_still_has_to_satisfy_what_is_claimed_there() {
    let s = program_p(1);
    let err = s.find("err").unwrap();
    let mut claim = s.claim(&[("head", sum(&s)), ("err", s.terms.ff())]);
    claim.exempt.insert(err);
    assert_proof_rejected(s.confirm(&claim), "from `head` to `err` does not establish");
}

#[test]
fn frames_joins_and_havoc() {
    // One way changes x, the other y; z is never touched.
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int), ("z", Sort::Int)]);
    let t = &s.terms;
    let init = t.and(["x", "y", "z"].map(|v| t.eq(s.v(v), t.int(0))));
    let yes = t.tt();
    s.assume("start", init, "a");
    s.assign("a", "x", s.int(1), "join");
    s.assign("a", "y", s.int(1), "join");
    s.assume("a", yes, "join");
    let t = &s.terms;
    let both = t.and2(t.eq(s.v("x"), t.int(1)), t.eq(s.v("y"), t.int(1)));
    let touched = t.neq(s.v("z"), t.int(0));
    let beyond = t.gt(t.add(&[s.v("x"), s.v("y")]), t.int(1));
    s.assume("join", both, "err");
    s.assume("join", touched, "err");
    s.assume("join", beyond, "err");
    s.confirm(&Invariants::default()).unwrap();
    // After a havoc of z nothing is known about it, and everything else stays.
    let havoc = Transition::havoc(&s.terms, [Arc::from("z")]);
    s.edge("join", havoc, "later");
    let t = &s.terms;
    let beyond = t.gt(t.add(&[s.v("x"), s.v("y")]), t.int(1));
    s.assume("later", beyond, "err");
    s.confirm(&Invariants::default()).unwrap();
    let t = &s.terms;
    let touched = t.neq(s.v("z"), t.int(0));
    s.assume("later", touched, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "from `start` to `err`");
}

#[test]
fn parallel_edges_are_all_looked_at() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    s.assign("start", "x", s.int(0), "a");
    s.assign("start", "x", s.int(1), "a");
    let one = s.terms.eq(s.v("x"), s.int(1));
    let two = s.terms.eq(s.v("x"), s.int(2));
    s.assume("a", two, "err");
    s.confirm(&Invariants::default()).unwrap();
    s.assume("a", one, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "");
}

#[test]
fn auxiliaries_of_two_edges_are_not_the_same() {
    // Both edges use the same auxiliary; each has its own value of it.
    let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int)]);
    let aux = s.terms.fresh_aux("k", Sort::Int);
    let first = Transition {
        formula: s.terms.eq(s.next("x"), aux),
        changed: BTreeSet::from([Arc::from("x")]),
    };
    let second = Transition {
        formula: s.terms.eq(s.next("y"), aux),
        changed: BTreeSet::from([Arc::from("y")]),
    };
    s.edge("start", first, "a");
    s.edge("a", second, "b");
    let differ = s.terms.neq(s.v("x"), s.v("y"));
    s.assume("b", differ, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "from `start` to `err`");
}

#[test]
fn axioms_are_background_facts() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let c = s.function("c", &[], Sort::Int);
    let c = s.terms.apply(&c, &[]);
    s.assign("start", "x", c, "a");
    let negative = s.terms.lt(s.v("x"), s.int(0));
    s.assume("a", negative, "err");
    assert_proof_rejected(s.confirm(&Invariants::default()), "from `start` to `err`");
    s.graph.axioms.push(s.terms.ge(c, s.int(0)));
    s.confirm(&Invariants::default()).unwrap();
    // The initial location's invariant may rely on them, too.
    let about_c = s.terms.ge(c, s.int(-5));
    s.confirm(&s.claim(&[("start", about_c)])).unwrap();
}

#[test]
fn a_malformed_graph_is_an_internal_error() {
    let internal = |s: &Scene| {
        let result = s.confirm(&Invariants::default());
        assert!(matches!(result, Err(Reason::Internal(_))), "{result:?}");
        let result = s.replay(&run(State::new(), Vec::new()));
        assert!(matches!(result, Err(Reason::Internal(_))), "{result:?}");
    };
    let mut s = program_p(0);
    let yes = s.terms.tt();
    s.assume("err", yes, "end");
    internal(&s);
    let mut s = program_p(0);
    let stray = s.terms.var("x", Version::At(3), Sort::Int);
    s.assume("start", s.terms.eq(stray, s.v("x")), "end");
    internal(&s);
    let mut s = program_p(0);
    let axiom = s.terms.eq(s.v("x"), s.int(0));
    s.graph.axioms.push(axiom);
    internal(&s);
    let mut s = program_p(0);
    let frame_less = s.terms.eq(s.next("x"), s.int(0));
    s.assume("start", frame_less, "end");
    internal(&s);
    let mut s = program_p(0);
    s.function("f", &[], Sort::Int);
    s.function("f", &[], Sort::Bool);
    internal(&s);
}

/// A solver that always says the same.
struct Parrot(Reply);

impl Prover for Parrot {
    fn name(&self) -> String {
        "parrot".into()
    }

    fn ask(&mut self, _: &[Term], _: Option<std::time::Duration>, _: Tries) -> Reply {
        self.0.clone()
    }

    fn take_calls(&mut self, _: &mut Statistics) {}
}

/// A solver that says one thing after the other. At each question it notes how many error locations were told by then.
struct Script {
    replies: std::vec::IntoIter<Reply>,
    told: std::rc::Rc<std::cell::RefCell<Vec<LocationId>>>,
    notes: std::rc::Rc<std::cell::RefCell<Vec<usize>>>,
}

impl Prover for Script {
    fn name(&self) -> String {
        "script".into()
    }

    fn ask(&mut self, _: &[Term], _: Option<std::time::Duration>, _: Tries) -> Reply {
        self.notes.borrow_mut().push(self.told.borrow().len());
        self.replies.next().expect("no question more")
    }

    fn take_calls(&mut self, _: &mut Statistics) {}
}

/// Examines a claim with a solver that replies so. The names of the error locations that are told, what was told before
/// each question, and whether the claim was accepted.
fn told_with(
    s: &Scene,
    claim: &Invariants,
    replies: Vec<Reply>,
) -> (Vec<String>, Vec<usize>, bool) {
    let (told, notes) = Default::default();
    let script = Script {
        replies: replies.into_iter(),
        told: std::rc::Rc::clone(&told),
        notes: std::rc::Rc::clone(&notes),
    };
    let mut provers = Provers::new(
        vec![Box::new(script)],
        &Control::unlimited(),
        &Options::default(),
    );
    let examined = examine(&s.terms, &s.graph, claim, &mut provers, &mut |news| {
        assert!(news.iter().all(|(_, known)| known.is_safe()));
        told.borrow_mut()
            .extend(news.iter().map(|(error, _)| *error));
    });
    let names = told
        .borrow()
        .iter()
        .map(|&error| s.graph.graph[error].name.to_string())
        .collect();
    let notes = notes.borrow().clone();
    (names, notes, examined.is_ok())
}

/// `assert x > 0`, `assert x > 1`: the second question may take for ever.
#[test]
fn what_is_excluded_is_told_before_the_next_question() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let x = s.v("x");
    for (bound, error) in [(0, "err 1"), (1, "err 2")] {
        s.assume("start", s.terms.le(x, s.int(bound)), error);
    }
    let unclear = || Reply::Unknown(Reason::Timeout);
    let claim = Invariants::default();
    let replies = vec![unclear(), Reply::Unsat, unclear()];
    let (told, notes, _) = told_with(&s, &claim, replies);
    assert_eq!((told, notes), (vec!["err 1".to_owned()], vec![0, 0, 1]));
    // What is refuted at once is told by the result.
    assert_eq!(
        told_with(&s, &claim, vec![Reply::Unsat]),
        (vec![], vec![0], true)
    );
}

/// Behind a loop nothing is told before its invariant is confirmed.
#[test]
fn nothing_is_told_that_relies_on_what_is_open() {
    let mut s = program_p(0);
    s.assume("exit", s.terms.le(s.v("x"), s.int(-1)), "err 2");
    let claim = s.claim(&[("head", sum(&s))]);
    let unclear = || Reply::Unknown(Reason::Timeout);
    // The region of `start`, then that of `head` as a whole, and all it leads to.
    for replies in [
        vec![unclear()],
        vec![
            Reply::Unsat,
            unclear(),
            Reply::Unsat,
            unclear(),
            unclear(),
            unclear(),
        ],
        vec![
            Reply::Unsat,
            unclear(),
            unclear(),
            Reply::Unsat,
            unclear(),
            unclear(),
        ],
    ] {
        let (told, _, _) = told_with(&s, &claim, replies);
        assert!(told.is_empty(), "{told:?}");
    }
    // One error location needs several segments in a row; the other one does not, and is told before they are looked at.
    let mut claim = claim;
    let (error, more) = (
        s.find("err").unwrap(),
        std::num::NonZeroU32::new(2).unwrap(),
    );
    claim
        .arguments
        .insert(error, ult_core::graph::evidence::Argument::Inductive(more));
    let replies = vec![
        Reply::Unsat,
        Reply::Unsat,
        unclear(),
        unclear(),
        unclear(),
        unclear(),
    ];
    let (told, notes, _) = told_with(&s, &claim, replies);
    assert_eq!(told, ["err 2"]);
    assert_eq!(notes[..3], [0, 0, 1]);
}

fn with_solvers(replies: &[Reply]) -> Result<(), Reason> {
    let s = program_p(0);
    let provers = replies
        .iter()
        .map(|reply| Box::new(Parrot(reply.clone())) as Box<dyn Prover>)
        .collect();
    let mut provers = Provers::new(provers, &Control::unlimited(), &Options::default());
    let examined = examine(
        &s.terms,
        &s.graph,
        &s.claim(&[("head", sum(&s))]),
        &mut provers,
        &mut |_| (),
    )?;
    match examined.doubtful.into_values().next() {
        Some(reason) => Err(reason),
        None => Ok(()),
    }
}

#[test]
fn only_unsat_of_every_solver_counts() {
    let gave_up = Reason::SolverUnknown("incomplete".into());
    let unknown = Reply::Unknown(gave_up.clone());
    with_solvers(&[Reply::Unsat]).unwrap();
    with_solvers(&[Reply::Unsat, Reply::Unsat]).unwrap();
    assert_proof_rejected(with_solvers(&[Reply::Sat]), "");
    for replies in [
        vec![unknown.clone()],
        vec![Reply::Unsat, unknown.clone()],
        vec![unknown.clone(), Reply::Unsat],
    ] {
        match with_solvers(&replies) {
            Err(Reason::SolverUnknown(text)) => assert!(text.starts_with("incomplete"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
    // Solvers that contradict each other are never believed.
    let disagree = with_solvers(&[Reply::Unsat, Reply::Sat]);
    assert!(
        matches!(disagree, Err(Reason::SolverFailed(_))),
        "{disagree:?}"
    );
    let nobody = with_solvers(&[]);
    assert!(matches!(nobody, Err(Reason::Internal(_))), "{nobody:?}");
}

#[test]
fn a_stopped_run_confirms_nothing() {
    let s = program_p(0);
    let control = Control::unlimited();
    control.stop(ult_core::control::Stop::Cancelled);
    let result = super::super::confirm_invariants(
        &s.terms,
        &s.graph,
        &s.claim(&[("head", sum(&s))]),
        &control,
        &Options::default(),
        &mut Statistics::default(),
    );
    assert_eq!(result.unwrap_err(), Reason::Cancelled);
}

/// A scene with twelve numbers at `mid`, each at least its index, and a step from there that adds to one of them.
fn many_at_mid(by: i64) -> (Scene, Invariants) {
    let names: Vec<String> = (0..12).map(|i| format!("y{i}")).collect();
    let variables: Vec<(&str, Sort)> = names.iter().map(|name| (&**name, Sort::Int)).collect();
    let mut s = Scene::new(&variables);
    let known = (0i64..).zip(&names);
    let known = s
        .terms
        .and(known.map(|(i, name)| s.terms.le(s.int(i), s.v(name))));
    let low = s.terms.lt(s.v("y3"), s.int(3));
    s.assume("start", known, "mid");
    s.assign("mid", "y3", s.plus("y3", by), "end");
    s.assume("end", low, "err");
    let claim = s.claim(&[("mid", known), ("end", known)]);
    (s, claim)
}

#[test]
fn what_a_step_changes_is_asked_for_among_much_that_it_keeps() {
    let (s, claim) = many_at_mid(1);
    s.confirm(&claim).unwrap();
    let (s, claim) = many_at_mid(-1);
    assert_proof_rejected(s.confirm(&claim), "from `mid` to `end` does not establish");
}

#[test]
fn assumptions_that_contradict_each_other_count_wherever_they_are_about() {
    let names: Vec<String> = (0..12).map(|i| format!("y{i}")).collect();
    let mut variables: Vec<(&str, Sort)> = names.iter().map(|name| (&**name, Sort::Int)).collect();
    variables.push(("x", Sort::Int));
    let mut s = Scene::new(&variables);
    // In a circle.
    let pairs = names.iter().zip(names.iter().cycle().skip(1));
    let circle = s.terms.and(pairs.map(|(a, b)| s.terms.lt(s.v(a), s.v(b))));
    let zero = s.terms.eq(s.v("x"), s.int(0));
    s.assume("start", circle, "mid");
    s.assume("mid", zero, "err");
    s.confirm(&s.claim(&[("mid", circle)])).unwrap();
}
