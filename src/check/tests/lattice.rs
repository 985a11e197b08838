//! The laws of combining verdicts, and the order of reasons.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::lattice::{
    HasConditions, HasReason, Knowledge, Status, VerdictKind, compare, given_up, rank, unfinished,
};
use crate::{Proof, Verdict, Violation};
use ult_core::graph::evidence::Run;
use ult_core::graph::{Location, LocationId, Origin, ProgramGraph};
use ult_core::reason::Reason;

/// All reasons, from the strongest to the weakest, with this text. A new reason does not compile
/// before it has a place here.
fn ordered(text: &str) -> Vec<Reason> {
    let text = || text.to_owned();
    let all = vec![
        Reason::Internal(text()),
        Reason::Cancelled,
        Reason::Translation(text()),
        Reason::NotConfirmed(text()),
        Reason::RunRejected(text()),
        Reason::ProofRejected(text()),
        Reason::SolverFailed(text()),
        Reason::Unsupported(text(), Some(Origin(0))),
        Reason::ContractTooWeak(text()),
        Reason::ContractUnproved(text()),
        Reason::NotProved(text()),
        Reason::Memory,
        Reason::Timeout,
        Reason::Interpolation(text()),
        Reason::SolverUnknown(text()),
        Reason::Unsupported(text(), None),
        Reason::Incomplete(text()),
    ];
    let places: BTreeSet<usize> = all
        .iter()
        .map(|reason| match reason {
            Reason::Internal(_) => 0,
            Reason::Cancelled => 1,
            Reason::Translation(_) => 2,
            Reason::NotConfirmed(_) => 3,
            Reason::RunRejected(_) => 4,
            Reason::ProofRejected(_) => 5,
            Reason::SolverFailed(_) => 6,
            Reason::Unsupported(_, Some(_)) => 7,
            Reason::ContractTooWeak(_) => 8,
            Reason::ContractUnproved(_) => 9,
            Reason::NotProved(_) => 10,
            Reason::Memory => 11,
            Reason::Timeout => 12,
            Reason::Interpolation(_) => 13,
            Reason::SolverUnknown(_) => 14,
            Reason::Unsupported(_, None) => 15,
            Reason::Incomplete(_) => 16,
        })
        .collect();
    assert!(places.into_iter().eq(0..all.len()), "each reason once");
    all
}

#[test]
fn the_table_is_the_order() {
    let all = ordered("text");
    for (i, stronger) in all.iter().enumerate() {
        assert_eq!(usize::from(rank(stronger)), all.len() - 1 - i, "{stronger}");
        for weaker in &all[i + 1..] {
            assert_eq!(compare(stronger, weaker), Ordering::Greater);
            assert_eq!(compare(weaker, stronger), Ordering::Less);
        }
    }
}

/// The page of the module says the same as the code.
#[test]
fn the_documentation_lists_the_reasons_in_this_order() {
    let text = include_str!("../lattice.rs");
    let rows: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | "))
        .filter_map(|row| row.split(" | ").next())
        .skip(1)
        .flat_map(|cell| cell.split(", "))
        .collect();
    let codes: Vec<&str> = ordered("").iter().map(Reason::code).collect();
    assert_eq!(rows, codes);
}

#[test]
fn of_equal_reasons_the_earlier_place_wins_and_then_the_earlier_text() {
    let at = |text: &str, place: Option<u32>| Reason::Unsupported(text.into(), place.map(Origin));
    let ascending = [
        at("a", None),
        at("b", Some(7)),
        at("a", Some(7)),
        at("z", Some(3)),
    ];
    for pair in ascending.windows(2) {
        assert_eq!(compare(&pair[0], &pair[1]), Ordering::Less, "{pair:?}");
    }
    let told = |text: &str| Reason::SolverUnknown(text.into());
    assert_eq!(compare(&told("a"), &told("b")), Ordering::Greater);
}

/// Quantifiers in Horn clauses are no reason of a program where others ran out of time.
#[test]
fn the_limit_of_one_engine_is_told_only_if_nobody_says_more() {
    let horn = || Reason::Unsupported("quantifiers in Horn clauses".into(), None);
    let program = || Reason::Unsupported("an axiom with reals".into(), Some(Origin(3)));
    let cases = [
        (Reason::Timeout, Reason::Timeout),
        (Reason::Memory, Reason::Memory),
        (
            Reason::SolverUnknown("nonlinear".into()),
            Reason::SolverUnknown("nonlinear".into()),
        ),
        (
            Reason::NotProved("it".into()),
            Reason::NotProved("it".into()),
        ),
        (Reason::Incomplete("no run".into()), horn()),
        (program(), program()),
    ];
    for (other, expected) in cases {
        for (a, b) in [(horn(), other.clone()), (other.clone(), horn())] {
            let together = Any::Open(a).join(Status::Open(b));
            assert_eq!(together.kind(), VerdictKind::Open(&expected), "{other}");
        }
    }
    assert_eq!(given_up(program(), Some(&Reason::Timeout)), program());
}

#[test]
fn a_stop_explains_what_it_cut_short_and_hides_no_bug() {
    let stop = Some(&Reason::Timeout);
    for reason in ordered("text") {
        let is_unclear = matches!(
            reason,
            Reason::Interpolation(_)
                | Reason::SolverUnknown(_)
                | Reason::Unsupported(_, None)
                | Reason::Incomplete(_)
        );
        let stays = matches!(reason, Reason::Internal(_) | Reason::NotProved(_));
        let expected = |is_replaced| {
            if is_replaced {
                Reason::Timeout
            } else {
                reason.clone()
            }
        };
        assert_eq!(given_up(reason.clone(), stop), expected(is_unclear));
        assert_eq!(unfinished(reason.clone(), stop), expected(!stays));
        assert_eq!(given_up(reason.clone(), None), reason);
        assert_eq!(unfinished(reason.clone(), None), reason);
    }
}

/// A proof with so many conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition(usize);

impl HasConditions for Condition {
    fn conditions(&self) -> usize {
        self.0
    }
}

type Any = Status<Condition, ()>;

fn reasons() -> impl Strategy<Value = Reason> {
    let origins = prop::option::of((0..3u32).prop_map(Origin));
    (0..17usize, "[ab]", origins).prop_map(|(which, text, origin)| {
        match ordered(&text).swap_remove(which) {
            Reason::Unsupported(text, _) => Reason::Unsupported(text, origin),
            reason => reason,
        }
    })
}

fn known() -> impl Strategy<Value = Any> {
    prop_oneof![
        4 => reasons().prop_map(Status::Open),
        2 => (0..3usize).prop_map(|n| Status::Safe(Condition(n))),
        2 => Just(Status::Unsafe(())),
        // All contradictions that `join` makes say the same.
        1 => Just(Status::Safe(Condition(0)).join(Status::Unsafe(()))),
    ]
}

fn below(a: &Any, b: &Any) -> bool {
    a.kind() <= b.kind()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn attempts_in_any_order_say_the_same(a in known(), b in known(), c in known()) {
        prop_assert_eq!(a.clone().join(b.clone()), b.clone().join(a.clone()));
        prop_assert_eq!(
            a.clone().join(b.clone()).join(c.clone()),
            a.clone().join(b.join(c))
        );
        prop_assert_eq!(a.clone().join(a.clone()), a);
    }

    #[test]
    fn more_attempts_never_say_less(a in known(), b in known(), c in known()) {
        let both = a.clone().join(b.clone());
        prop_assert!(below(&a, &both) && below(&b, &both));
        if below(&a, &b) {
            prop_assert!(below(&a.clone().join(c.clone()), &b.clone().join(c.clone())));
        }
        // The least that is not below either.
        if below(&a, &c) && below(&b, &c) {
            prop_assert!(below(&both, &c));
        }
    }

    #[test]
    fn safe_and_unsafe_stay_unless_they_meet(all in prop::collection::vec(known(), 1..8)) {
        let has = |kind| all.iter().any(|known| known.kind() == kind);
        let (proved, violated) = (has(VerdictKind::Safe), has(VerdictKind::Unsafe));
        let contradicted = has(VerdictKind::Contradicted) || proved && violated;
        let together = all.iter().cloned().reduce(Status::join).unwrap();
        let kind = together.kind();
        prop_assert_eq!(kind == VerdictKind::Contradicted, contradicted);
        prop_assert_eq!(kind == VerdictKind::Safe, proved && !contradicted);
        prop_assert_eq!(kind == VerdictKind::Unsafe, violated && !contradicted);
    }

    #[test]
    fn a_larger_graph_adds_violations_and_loses_no_proof(a in known(), b in known(), c in known()) {
        prop_assert_eq!(a.clone().extended(a.clone()), a.clone());
        prop_assert_eq!(
            a.clone().extended(b.clone()).extended(c.clone()),
            a.clone().extended(b.clone().extended(c))
        );
        let both = a.clone().extended(b.clone());
        for one in [&a, &b] {
            let kind = both.kind();
            match one.kind() {
                VerdictKind::Contradicted => prop_assert_eq!(kind, VerdictKind::Contradicted),
                VerdictKind::Unsafe => prop_assert!(kind >= VerdictKind::Unsafe),
                VerdictKind::Safe => prop_assert!(!matches!(kind, VerdictKind::Open(_))),
                VerdictKind::Open(_) => {}
            }
        }
    }

    #[test]
    fn obligations_together_are_as_bad_as_the_worst(a in known(), b in known(), c in known()) {
        let code = |known: &Any| match known.kind() {
            VerdictKind::Open(reason) => reason.code().to_owned(),
            other => format!("{other:?}"),
        };
        let and = |a: &Any, b: &Any| a.clone().and(b.clone());
        prop_assert_eq!(code(&and(&a, &b)), code(&and(&b, &a)));
        prop_assert_eq!(and(&and(&a, &b), &c), and(&a, &and(&b, &c)));
        prop_assert_eq!(and(&a, &a), a.clone());
        let both = and(&a, &b);
        prop_assert_eq!(both.kind(), a.kind().and(b.kind()));
        prop_assert_eq!(both.is_safe(), a.is_safe() && b.is_safe());
        prop_assert_eq!(both.is_unsafe(), a.is_unsafe() || b.is_unsafe());
        // Monotone in how bad they are.
        if and(&a, &b) == b {
            let (with_a, with_b) = (and(&a, &c), and(&b, &c));
            prop_assert_eq!(code(&and(&with_a, &with_b)), code(&with_b));
        }
    }

    /// The order of standings is one, and that of reasons is total.
    #[test]
    fn the_orders_are_orders(a in known(), b in known(), c in known()) {
        if below(&a, &b) && below(&b, &c) {
            prop_assert!(below(&a, &c));
        }
        if below(&a, &b) && below(&b, &a) {
            prop_assert_eq!(a.kind(), b.kind());
        }
        if let (Status::Open(x), Status::Open(y)) = (&a, &b) {
            prop_assert_eq!(compare(x, y) == Ordering::Equal, x.reason() == y.reason());
            prop_assert_eq!(compare(x, y), compare(y, x).reverse());
        }
    }
}

/// A graph with so many error locations.
fn errors(count: usize) -> (ProgramGraph, Vec<LocationId>) {
    let mut graph = ProgramGraph::new("errors");
    let add = |i: usize| Location {
        error: Some("violated".into()),
        ..Location::named(format!("err {i}"))
    };
    let all = (0..count).map(|i| graph.graph.add_node(add(i))).collect();
    (graph, all)
}

fn proof(excluded: &[LocationId]) -> Status<Proof, Violation> {
    let excluded = excluded.iter().copied().collect();
    Status::Safe(Proof::new(
        Default::default(),
        excluded,
        Default::default(),
        Vec::new(),
    ))
}

fn run_to(location: LocationId) -> Status<Proof, Violation> {
    let run = Run::new(Default::default(), Vec::new(), Default::default());
    Status::Unsafe(Violation::new(location, run))
}

#[test]
fn a_proof_that_a_run_contradicts_is_believed_nowhere() {
    let (graph, all) = errors(4);
    let [a, b, c, d] = all[..] else {
        panic!("four error locations")
    };
    let mut wrong = Knowledge::new(&graph);
    wrong.add(a, proof(&[a, b]));
    wrong.add(b, proof(&[a, b]));
    let mut other = Knowledge::new(&graph);
    other.add(a, run_to(a));
    other.add(c, proof(&[c]));
    for (first, second) in [(&wrong, &other), (&other, &wrong)] {
        let mut both = first.clone();
        both.merge(second.clone());
        both.merge(first.clone());
        let verdicts = both.verdicts();
        for location in [a, b] {
            let reason = verdicts[&location].reason();
            let text = "internal error: `err 0` was proved unreachable and reached";
            assert_eq!(reason.map(ToString::to_string).as_deref(), Some(text));
        }
        assert!(verdicts[&c].is_safe());
        assert!(!verdicts.contains_key(&d));
        assert_eq!(both.undecided(), 3);
        // Nothing makes it good again.
        both.add(b, proof(&[b]));
        assert!(matches!(
            both.verdicts()[&b],
            Verdict::Unknown(Reason::Internal(_))
        ));
    }
}
