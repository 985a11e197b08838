//! The engine on small graphs, by way of the checker.

use petgraph::graph::NodeIndex;

use super::clauses::carried;
use super::*;
use crate::EngineKind;
use crate::samples::Build;
use crate::verify::{Method, Settings, verify_unit};
use ult_check::Verdict;
use ult_core::control::{Control, Stop};
use ult_core::formula::{BinderKind, Sort, Terms};
use ult_core::graph::Premise;

/// `x := 0; while (x < n) x := x + 2;` with an error for each bound that `x` may exceed then.
fn counter<'t>(t: &'t Terms, bounds: &[i64]) -> (Build<'t>, Vec<NodeIndex>) {
    let mut b = Build::new(t, &["x", "n"]);
    let (start, head) = (b.graph.initial, b.location("head"));
    let (x, n) = (b.x("x"), b.x("n"));
    let zero = t.int(0);
    b.step(
        start,
        head,
        t.and2(t.eq(b.next("x"), zero), t.eq(n, t.int(5))),
        &[],
    );
    let up = t.eq(b.next("x"), t.add(&[x, t.int(2)]));
    b.step(head, head, t.and2(t.lt(x, n), up), &[]);
    let errors = bounds.iter().map(|&bound| {
        let bad = b.error(&format!("above {bound}"));
        let formula = t.and2(t.le(n, x), t.lt(t.int(bound), x));
        b.step(head, bad, formula, &[]);
        bad
    });
    let errors = errors.collect();
    b.graph.check(t).expect("well formed");
    (b, errors)
}

fn verdicts(
    t: &Terms,
    graph: &ProgramGraph,
    auxiliary: Auxiliary,
    control: &Control,
) -> BTreeMap<LocationId, Verdict> {
    let mut settings = Settings {
        method: Method::Engine(EngineKind::Horn),
        ..Settings::default()
    };
    settings.common.auxiliary = auxiliary;
    verify_unit(t, graph, &settings, control, &mut Statistics::default())
}

#[test]
fn some_errors_are_reached_and_others_are_not() {
    let t = Terms::new();
    let (b, errors) = counter(&t, &[6, 5, 7, 4]);
    for auxiliary in [Auxiliary::Auto, Auxiliary::None] {
        let verdicts = verdicts(&t, &b.graph, auxiliary, &Control::unlimited());
        for (i, is_safe) in [true, false, true, false].into_iter().enumerate() {
            match &verdicts[&errors[i]] {
                Verdict::Safe(_) => assert!(is_safe, "{i}"),
                Verdict::Unsafe(violation) => {
                    assert!(!is_safe, "{i}");
                    assert_eq!(violation.run().steps.len(), 5);
                }
                Verdict::Unknown(reason) => panic!("{i}: {reason}"),
            }
        }
    }
}

/// What the clauses leave out may make a path look feasible; that is no violation.
#[test]
fn a_derivation_with_something_left_out_proves_nothing() {
    let t = Terms::new();
    let mut b = Build::new(&t, &["x"]);
    let bad = b.error("bad");
    let y = t.fresh_bound("y", Sort::Int);
    let double = t.eq(t.add(&[y, y]), b.x("x"));
    let even = t.bind(BinderKind::Exists, &[y], double, &[]);
    let formula = t.and2(t.eq(b.x("x"), t.int(7)), even);
    b.step(b.graph.initial, bad, formula, &[]);
    let verdicts = verdicts(&t, &b.graph, Auxiliary::None, &Control::unlimited());
    assert!(
        matches!(
            verdicts[&bad],
            Verdict::Unknown(Reason::Unsupported(..)) | Verdict::Safe(_)
        ),
        "{:?}",
        verdicts[&bad]
    );
}

#[test]
fn a_stopped_run_decides_nothing() {
    let t = Terms::new();
    let (b, errors) = counter(&t, &[6]);
    let control = Control::unlimited();
    control.stop(Stop::Memory);
    let verdicts = verdicts(&t, &b.graph, Auxiliary::Auto, &control);
    assert!(matches!(
        verdicts[&errors[0]],
        Verdict::Unknown(Reason::Memory)
    ));
}

#[test]
fn a_bounded_search_finds_a_shortest_run() {
    let t = Terms::new();
    let (b, errors) = counter(&t, &[6, 5]);
    let session = Session::new(&t, &[], &Control::unlimited());
    let all = errors.iter().copied().collect();
    let (error, run) = shortest_run(&session, &b.graph, &all)
        .expect("no failure")
        .expect("a run");
    assert_eq!((error, run.steps.len()), (errors[1], 5));
    let one = BTreeSet::from([errors[0]]);
    assert!(matches!(shortest_run(&session, &b.graph, &one), Ok(None)));
}

#[test]
fn predicates_speak_about_what_was_said_and_is_asked() {
    let t = Terms::new();
    let mut b = Build::new(&t, &["asked", "free", "forgotten"]);
    let (start, middle, bad) = (b.graph.initial, b.location("middle"), b.error("bad"));
    let one = t.int(1);
    let said = t.and2(t.eq(b.next("asked"), one), t.eq(b.next("forgotten"), one));
    b.step(start, middle, said, &["free"]);
    let formula = t.lt(b.x("asked"), b.x("free"));
    b.step(middle, bad, formula, &[]);
    assert_eq!(carried(&t, &b.graph)[middle.index()], [b.x("asked")]);
}

/// `p(x)`: from 1 on, where a step adds the value of another `p`; `p(bad)` is an error. The third error needs a premise at the
/// initial location, where anything is possible.
fn sums(t: &Terms) -> (Build<'_>, [NodeIndex; 3]) {
    let mut b = Build::new(t, &["x"]);
    let (start, p) = (b.graph.initial, b.location("p"));
    let x = b.x("x");
    b.step(start, p, t.eq(b.next("x"), t.int(1)), &[]);
    let other = t.fresh_aux("other", Sort::Int);
    b.step(p, p, t.eq(b.next("x"), t.add(&[x, other])), &[]);
    let sum = EdgeId::new(1);
    b.graph.graph[sum].premises.push(Premise {
        location: p,
        state: BTreeMap::from([("x".into(), other)]),
    });
    let errors = ["eleven", "zero", "begun"].map(|name| b.error(name));
    b.step(p, errors[0], t.eq(x, t.int(11)), &[]);
    b.step(p, errors[1], t.eq(x, t.int(0)), &[]);
    b.step(p, errors[2], t.eq(x, t.int(2)), &[]);
    let begun = EdgeId::new(4);
    b.graph.graph[begun].premises.push(Premise {
        location: start,
        state: BTreeMap::from([("x".into(), t.add(&[x, t.int(40)]))]),
    });
    b.graph.check(t).expect("well formed");
    (b, errors)
}

#[test]
fn premises_make_trees() {
    let t = Terms::new();
    let (b, [eleven, zero, begun]) = sums(&t);
    let verdicts = verdicts(&t, &b.graph, Auxiliary::Auto, &Control::unlimited());
    assert!(
        matches!(verdicts[&zero], Verdict::Safe(_)),
        "{:?}",
        verdicts[&zero]
    );
    for error in [eleven, begun] {
        let Verdict::Unsafe(violation) = &verdicts[&error] else {
            panic!("{:?}", verdicts[&error]);
        };
        let run = violation.run();
        let premises = run.steps.iter().flat_map(|step| step.premises());
        assert!(premises.count() > 0 && !run.branches.is_empty());
    }
}

/// What engines without a notion of premises find is no violation.
#[test]
fn traces_without_branches_are_no_violations() {
    let t = Terms::new();
    let mut b = Build::new(&t, &["x"]);
    let (start, p, never) = (b.graph.initial, b.location("p"), b.location("never"));
    let (one, bad) = (t.int(1), b.error("bad"));
    b.step(start, p, t.eq(b.next("x"), one), &[]);
    b.step(p, bad, t.eq(b.x("x"), one), &[]);
    b.step(p, never, t.eq(b.x("x"), t.int(2)), &[]);
    b.graph.graph[EdgeId::new(1)].premises.push(Premise {
        location: never,
        state: BTreeMap::new(),
    });
    for method in [
        Method::Portfolio,
        Method::Engine(EngineKind::Horn),
        Method::Engine(EngineKind::Slicing),
        Method::Engine(EngineKind::Execution),
        Method::Engine(EngineKind::Bmc),
        Method::Engine(EngineKind::BitsBmc),
        Method::Engine(EngineKind::Explicit),
    ] {
        let settings = Settings {
            method,
            ..Settings::default()
        };
        let control = Control::unlimited();
        let verdicts = verify_unit(
            &t,
            &b.graph,
            &settings,
            &control,
            &mut Statistics::default(),
        );
        let is_proved = matches!(verdicts[&bad], Verdict::Safe(_));
        let knows_premises = matches!(method, Method::Portfolio | Method::Engine(EngineKind::Horn));
        assert_eq!(is_proved, knows_premises, "{method}: {:?}", verdicts[&bad]);
        assert!(!matches!(verdicts[&bad], Verdict::Unsafe(_)), "{method}");
    }
}
