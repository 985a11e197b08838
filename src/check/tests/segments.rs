//! Error locations excluded by several segments in a row: right arguments, and tampered ones.

use std::num::NonZeroU32;

use super::*;
use crate::{Checker, Claims};
use ult_core::graph::evidence::Argument;

pub(super) fn inductive(k: u32) -> Argument {
    Argument::Inductive(NonZeroU32::new(k).expect("a positive number"))
}

pub(super) fn bounded(k: u32) -> Argument {
    Argument::Bounded(NonZeroU32::new(k).expect("a positive number"))
}

impl Scene {
    fn argued(&self, at: &[(&str, Term)], error: &str, argument: Argument) -> Invariants {
        let mut claim = self.claim(at);
        let error = self.find(error).expect("a location of the test");
        claim.arguments.insert(error, argument);
        claim
    }
}

/// `x := 1; y := second; loop { assert x == 1; x, y := y, z; havoc z with z == 1 }`, each
/// statement an edge; the assertion is 3-inductive (in segments), and 2-inductive under `y == 1`.
fn queue(second: i64) -> Scene {
    let mut s = Scene::new(&["x", "y", "z"].map(|name| (name, Sort::Int)));
    let (one, y, z) = (s.int(1), s.v("y"), s.v("z"));
    let (is_one, second) = (s.terms.eq(s.v("x"), one), s.int(second));
    s.assign("start", "x", one, "started");
    s.assign("started", "y", second, "head");
    s.assume("head", s.terms.not(is_one), "err");
    s.assume("head", is_one, "body");
    s.assign("body", "x", y, "body+");
    s.assign("body+", "z", one, "body++");
    s.assign("body++", "y", z, "head");
    s
}

/// `x := 0; while (x < 2 * rounds) x := x + 2; assert x == 2 * rounds`
fn rounds(rounds: i64) -> Scene {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (zero, end) = (s.int(0), s.int(2 * rounds));
    let (go, good) = (s.terms.lt(s.v("x"), end), s.terms.eq(s.v("x"), end));
    s.assign("start", "x", zero, "head");
    s.assume("head", go, "body");
    s.assign("body", "x", s.plus("x", 2), "head");
    s.assume("head", s.terms.not(go), "exit");
    s.assume("exit", s.terms.not(good), "err");
    s.assume("exit", good, "end");
    s
}

#[test]
fn enough_segments_in_a_row_exclude_an_error() {
    let s = queue(1);
    let head = [("head", s.terms.tt())];
    for k in [3, 4, 9] {
        let proof = s.confirm(&s.argued(&head, "err", inductive(k))).unwrap();
        assert!(proof.excluded().contains(&s.find("err").unwrap()));
    }
}

#[test]
fn too_few_segments_are_refused() {
    let s = queue(1);
    let head = [("head", s.terms.tt())];
    for k in [1, 2] {
        assert_proof_rejected(
            s.confirm(&s.argued(&head, "err", inductive(k))),
            "segments from some location",
        );
    }
    assert_proof_rejected(s.confirm(&s.claim(&head)), "from `head` to `err`");
}

#[test]
fn a_finer_cut_needs_more_segments() {
    let s = queue(1);
    let yes = s.terms.tt();
    let finer = [("head", yes), ("body", yes), ("body+", yes)];
    for k in [3, 4] {
        assert!(s.confirm(&s.argued(&finer, "err", inductive(k))).is_err());
    }
    s.confirm(&s.argued(&finer, "err", inductive(5))).unwrap();
}

#[test]
fn invariants_help_and_have_to_be_inductive_themselves() {
    let s = queue(1);
    let t = &s.terms;
    let y_is_one = t.eq(s.v("y"), s.int(1));
    let with = |formula, k| s.confirm(&s.argued(&[("head", formula)], "err", inductive(k)));
    with(y_is_one, 2).unwrap();
    // Weaker.
    assert_proof_rejected(with(t.le(s.v("y"), s.int(1)), 2), "segments from some");
    assert_proof_rejected(with(y_is_one, 1), "segments from some");
    // True of all runs, and not inductive alone, however many segments the error is given.
    let x_is_one = t.eq(s.v("x"), s.int(1));
    assert_proof_rejected(with(x_is_one, 3), "does not establish the invariant");
    // Wrong.
    assert_proof_rejected(with(t.ff(), 3), "does not establish the invariant");
    let wrong = t.eq(s.v("y"), s.int(2));
    assert_proof_rejected(with(wrong, 3), "does not establish the invariant");
}

#[test]
fn a_violation_at_the_start_is_not_forgotten() {
    let s = queue(2);
    let head = [("head", s.terms.tt())];
    for k in [3, 4, 9] {
        let refused = s.confirm(&s.argued(&head, "err", inductive(k)));
        assert_proof_rejected(
            refused,
            if k == 3 {
                "from some"
            } else {
                "from the start"
            },
        );
    }
}

#[test]
fn cycles_without_a_formula_are_refused_as_ever() {
    let s = queue(1);
    for argument in [inductive(3), bounded(3)] {
        let refused = s.confirm(&s.argued(&[], "err", argument));
        assert_proof_rejected(refused, "has no invariant");
    }
}

#[test]
fn a_bounded_loop_is_walked_to_its_end() {
    let s = rounds(3);
    let head = [("head", s.terms.tt())];
    let with = |k| s.confirm(&s.argued(&head, "err", bounded(k)));
    for k in [5, 6, 20] {
        with(k).unwrap();
    }
    for k in [1, 2, 3, 4] {
        assert_proof_rejected(with(k), "segments from the start");
    }
    // Nothing is reached in fewer segments, but that alone is no proof.
    for k in [1, 2, 5, 9] {
        let refused = s.confirm(&s.argued(&head, "err", inductive(k)));
        assert_proof_rejected(refused, "from some");
    }
}

#[test]
fn where_the_loop_goes_on_no_bound_is_enough() {
    let s = queue(1);
    let head = [("head", s.terms.tt())];
    for k in [1, 5, 12] {
        let refused = s.confirm(&s.argued(&head, "err", bounded(k)));
        assert_proof_rejected(refused, "segments from the start");
    }
}

#[test]
fn a_loop_without_a_way_to_the_error_does_not_matter() {
    let mut s = rounds(2);
    let yes = s.terms.tt();
    s.assume("end", yes, "idle");
    s.assume("idle", yes, "idle");
    let at = [("head", yes), ("idle", yes)];
    s.confirm(&s.argued(&at, "err", bounded(4))).unwrap();
    assert!(s.confirm(&s.argued(&at, "err", bounded(3))).is_err());
}

#[test]
fn a_way_through_a_dead_location_is_none() {
    let mut s = rounds(2);
    let (yes, no) = (s.terms.tt(), s.terms.ff());
    let never = s.terms.lt(s.v("x"), s.int(0));
    s.assume("end", yes, "idle");
    s.assume("idle", yes, "idle");
    s.assume("idle", never, "dead");
    s.assume("dead", yes, "err");
    let fine = s.terms.le(s.int(0), s.v("x"));
    let at = [("head", fine), ("idle", fine), ("dead", no)];
    s.confirm(&s.argued(&at, "err", bounded(4))).unwrap();
    // That it is dead has to be proved, and has to be said.
    let at = [("head", yes), ("idle", yes), ("dead", no)];
    assert!(s.confirm(&s.argued(&at, "err", bounded(4))).is_err());
    let at = [("head", fine), ("idle", fine), ("dead", yes)];
    assert!(s.confirm(&s.argued(&at, "err", bounded(4))).is_err());
}

#[test]
fn a_violation_within_the_bound_is_found() {
    let mut s = rounds(2);
    let two = s.terms.eq(s.v("x"), s.int(4));
    s.assume("exit", two, "err");
    for k in [1, 3, 4, 9] {
        let refused = s.confirm(&s.argued(&[("head", s.terms.tt())], "err", bounded(k)));
        assert_proof_rejected(refused, "segments from the start");
    }
}

#[test]
fn each_error_has_an_argument_of_its_own() {
    let mut s = queue(1);
    let no = s.terms.ff();
    let y_is_two = s.terms.eq(s.v("y"), s.int(2));
    let z_is_two = s.terms.eq(s.v("z"), s.int(2));
    s.assume("head", y_is_two, "err y");
    s.assume("head", z_is_two, "err z");
    s.assume("head", no, "err never");
    let mut claim = s.argued(&[("head", s.terms.tt())], "err", inductive(3));
    let at = |name: &str| s.find(name).unwrap();
    claim.arguments.insert(at("err y"), inductive(2));
    claim.exempt.insert(at("err z"));
    let excluded = s.confirm(&claim).unwrap().excluded().clone();
    assert_eq!(excluded.len(), 3);
    assert!(!excluded.contains(&at("err z")));
    // In the first round `z` is anything.
    claim.exempt.clear();
    claim.arguments.insert(at("err z"), inductive(4));
    assert_proof_rejected(s.confirm(&claim), "from the start");
    claim.exempt.insert(at("err z"));
    claim.arguments.remove(&at("err y"));
    assert_proof_rejected(s.confirm(&claim), "from `head` to `err y`");
}

#[test]
fn arguments_about_something_else_are_refused() {
    let s = queue(1);
    let mut claim = s.argued(&[("head", s.terms.tt())], "err", inductive(3));
    claim
        .arguments
        .insert(s.find("body").unwrap(), inductive(3));
    assert_proof_rejected(s.confirm(&claim), "no error location");
    let mut claim = s.argued(&[("head", s.terms.tt())], "err", inductive(3));
    claim.arguments.insert(LocationId::new(77), inductive(3));
    assert_proof_rejected(s.confirm(&claim), "no location 77");
}

#[test]
fn the_initial_error_location_needs_no_segment() {
    let mut s = Scene::new(&[]);
    let initial = s.graph.initial;
    s.graph.graph[initial].error = Some("at once".into());
    for argument in [inductive(1), inductive(5), bounded(2)] {
        let mut claim = Invariants::default();
        claim.arguments.insert(initial, argument);
        assert_proof_rejected(s.confirm(&claim), "initial location");
    }
}

#[test]
fn a_loop_at_the_initial_location_counts_too() {
    // `loop { assert x >= 0; x := x + 1 }` from any state.
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let fine = s.terms.le(s.int(0), s.v("x"));
    s.assume("start", s.terms.not(fine), "err");
    s.assume("start", fine, "body");
    s.assign("body", "x", s.plus("x", 1), "start");
    // From the second round on it holds, but not in the first.
    for argument in [inductive(1), inductive(2), inductive(3), bounded(1)] {
        assert!(s.confirm(&s.argued(&[], "err", argument)).is_err());
    }
}

#[test]
fn an_absurd_number_of_segments_is_refused_and_not_tried() {
    let s = queue(1);
    for argument in [inductive(u32::MAX), bounded(u32::MAX)] {
        let refused = s.confirm(&s.argued(&[("head", s.terms.tt())], "err", argument));
        assert_proof_rejected(refused, "too many segments");
    }
}

/// Of a program that only computes, following the one run is enough; what it does not depend on may be open.
#[test]
fn all_runs_are_followed() {
    let s = rounds(2_000);
    let head = [("head", s.terms.tt())];
    let proof = s
        .confirm(&s.argued(&head, "err", Argument::Explored))
        .unwrap();
    assert!(proof.excluded().contains(&s.find("err").unwrap()));
    // The loop has to be cut all the same.
    assert_proof_rejected(
        s.confirm(&s.argued(&[], "err", Argument::Explored)),
        "has no invariant",
    );
}

#[test]
fn an_error_that_runs_come_to_is_not_explored_away() {
    let mut s = rounds(3);
    let odd = s.terms.eq(s.v("x"), s.int(4));
    s.assume("head", odd, "err 4");
    let mut claim = s.argued(&[("head", s.terms.tt())], "err", Argument::Explored);
    let other = s.find("err 4").unwrap();
    claim.arguments.insert(other, Argument::Explored);
    let refused = s.confirm(&claim);
    assert_proof_rejected(refused, "reaches the error location");
    // What is not claimed spoils nothing.
    claim.arguments.remove(&other);
    claim.exempt.insert(other);
    let proof = s.confirm(&claim).unwrap();
    assert_eq!(proof.excluded().len(), 1);
}

/// What is open may be anything: a value at the start, one chosen anew, what a symbol means, a division by zero, an element of
/// an unknown map.
#[test]
fn what_is_open_is_not_explored_away() {
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let open: [fn(&mut Scene) -> Term; 5] = [
        |s| s.v("y"),
        |s| s.terms.div(s.int(7), s.v("x")),
        |s| s.terms.modulo(s.v("y"), s.v("x")),
        |s| s.terms.select(s.v("m"), &[s.v("x")]),
        |s| {
            let function = s.function("f", &[Sort::Int], Sort::Int);
            s.terms.apply(&function, &[s.v("x")])
        },
    ];
    for value in open {
        let mut s = Scene::new(&[("x", Sort::Int), ("y", Sort::Int), ("m", sort.clone())]);
        let zero = s.int(0);
        s.assign("start", "x", zero, "computes");
        let value = value(&mut s);
        s.assign("computes", "x", value, "asks");
        let is_five = s.terms.eq(s.v("x"), s.int(5));
        s.assume("asks", is_five, "err");
        assert_proof_rejected(
            s.confirm(&s.argued(&[], "err", Argument::Explored)),
            "reaches the error location",
        );
    }
}

/// Of a map of which some elements are known, these are, and nothing else: no other element, and not whether it is the same as
/// another map, or two of its elements the same.
#[test]
fn elements_that_are_known_are_and_others_are_open() {
    let row = Sort::map(vec![Sort::Int], Sort::Int);
    let rows = Sort::map(vec![Sort::Int], row.clone());
    let scene = |condition: fn(&Scene) -> Term| {
        let mut s = Scene::new(&[("m", row.clone()), ("n", row.clone()), ("r", rows.clone())]);
        let stored = s.terms.store(s.v("m"), &[s.int(0)], s.int(5));
        s.assign("start", "m", stored, "row");
        let inner = s.terms.select(s.v("r"), &[s.int(1)]);
        let inner = s.terms.store(inner, &[s.int(2)], s.int(7));
        let stored = s.terms.store(s.v("r"), &[s.int(1)], inner);
        s.assign("row", "r", stored, "asks");
        let condition = condition(&s);
        s.assume("asks", condition, "err");
        s.confirm(&s.argued(&[], "err", Argument::Explored)).is_ok()
    };
    let known: [fn(&Scene) -> Term; 2] = [
        |s| s.terms.neq(s.terms.select(s.v("m"), &[s.int(0)]), s.int(5)),
        |s| {
            let row = s.terms.select(s.v("r"), &[s.int(1)]);
            s.terms.neq(s.terms.select(row, &[s.int(2)]), s.int(7))
        },
    ];
    for condition in known {
        assert!(scene(condition));
    }
    let open: [fn(&Scene) -> Term; 7] = [
        |s| s.terms.neq(s.terms.select(s.v("m"), &[s.int(1)]), s.int(5)),
        |s| s.terms.eq(s.terms.select(s.v("m"), &[s.int(1)]), s.int(5)),
        |s| s.terms.eq(s.v("m"), s.v("n")),
        |s| s.terms.neq(s.v("m"), s.v("n")),
        |s| {
            let row = |number| s.terms.select(s.v("r"), &[s.int(number)]);
            s.terms.neq(row(3), row(4))
        },
        |s| {
            let row = |number| s.terms.select(s.v("r"), &[s.int(number)]);
            s.terms.eq(row(1), row(4))
        },
        |s| {
            let row = s.terms.select(s.v("r"), &[s.int(3)]);
            s.terms.eq(s.terms.select(row, &[s.int(2)]), s.int(7))
        },
    ];
    for (number, condition) in open.into_iter().enumerate() {
        assert!(!scene(condition), "{number}");
    }
}

/// What is written without being known is an element that may be anything; the others stay as they were.
#[test]
fn elements_that_are_written_may_be_open() {
    let row = Sort::map(vec![Sort::Int], Sort::Int);
    let rows = Sort::map(vec![Sort::Int], row.clone());
    let scene = |condition: fn(&Scene) -> Term| {
        let mut s = Scene::new(&[
            ("m", row.clone()),
            ("n", row.clone()),
            ("r", rows.clone()),
            ("x", Sort::Int),
            ("y", Sort::Int),
        ]);
        let zero = s.terms.const_map(row.clone(), s.int(0));
        let five = s.terms.store(zero, &[s.int(0)], s.int(5));
        // An element of each of the two is not known, and neither is which elements of the rows are.
        let stored = s.terms.store(five, &[s.int(1)], s.v("x"));
        s.assign("start", "m", stored, "n");
        let stored = s.terms.store(five, &[s.int(1)], s.v("y"));
        s.assign("n", "n", stored, "r");
        let inner = s.terms.store(five, &[s.v("x")], s.int(7));
        let known = s.terms.const_map(rows.clone(), zero);
        let stored = s.terms.store(known, &[s.int(1)], inner);
        let stored = s.terms.store(stored, &[s.int(2)], s.v("m"));
        s.assign("r", "r", stored, "asks");
        let condition = condition(&s);
        s.assume("asks", condition, "err");
        s.confirm(&s.argued(&[], "err", Argument::Explored)).is_ok()
    };
    let known: [fn(&Scene) -> Term; 3] = [
        |s| s.terms.neq(s.terms.select(s.v("m"), &[s.int(0)]), s.int(5)),
        |s| s.terms.neq(s.terms.select(s.v("n"), &[s.int(2)]), s.int(0)),
        |s| {
            let row = s.terms.select(s.v("r"), &[s.int(2)]);
            s.terms.neq(s.terms.select(row, &[s.int(0)]), s.int(5))
        },
    ];
    for (number, condition) in known.into_iter().enumerate() {
        assert!(scene(condition), "{number}");
    }
    let open: [fn(&Scene) -> Term; 10] = [
        |s| s.terms.eq(s.terms.select(s.v("m"), &[s.int(1)]), s.int(0)),
        |s| s.terms.neq(s.terms.select(s.v("m"), &[s.int(1)]), s.int(0)),
        |s| s.terms.eq(s.v("m"), s.v("n")),
        |s| s.terms.neq(s.v("m"), s.v("n")),
        |s| {
            let element = |map| s.terms.select(s.v(map), &[s.int(1)]);
            s.terms.eq(element("m"), element("n"))
        },
        |s| {
            let element = |map| s.terms.select(s.v(map), &[s.int(1)]);
            s.terms.neq(element("m"), element("n"))
        },
        |s| s.terms.neq(s.terms.select(s.v("r"), &[s.int(1)]), s.v("m")),
        |s| s.terms.eq(s.terms.select(s.v("r"), &[s.int(1)]), s.v("m")),
        |s| {
            let row = s.terms.select(s.v("r"), &[s.int(1)]);
            s.terms.eq(s.terms.select(row, &[s.int(0)]), s.int(7))
        },
        |s| {
            let row = s.terms.select(s.v("r"), &[s.int(2)]);
            s.terms.eq(s.terms.select(row, &[s.int(1)]), s.int(9))
        },
    ];
    for (number, condition) in open.into_iter().enumerate() {
        assert!(!scene(condition), "{number}");
    }
}

/// What has no end is given up, and does not take for ever.
#[test]
fn exploring_can_be_stopped() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let zero = s.int(0);
    s.assign("start", "x", zero, "head");
    let more = s.plus("x", 1);
    s.assign("head", "x", more, "head");
    let negative = s.terms.lt(s.v("x"), s.int(0));
    s.assume("head", negative, "err");
    let claim = s.argued(&[("head", s.terms.tt())], "err", Argument::Explored);
    let control = Control::unlimited().within(Some(std::time::Duration::from_millis(50)));
    let mut checker = Checker::new(&s.terms, &s.graph, &control, &Options::default());
    let claims = Claims {
        invariants: Some(claim),
        ..Claims::default()
    };
    let verdicts = checker.decide(&claims, &mut Statistics::default());
    let open = verdicts.values().filter(|verdict| !verdict.is_safe());
    assert_eq!(open.count(), 1);
}
