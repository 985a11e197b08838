//! Edges with premises: traces that are trees, and proofs that may rely on invariants elsewhere.

use std::collections::BTreeMap;

use super::*;
use ult_core::graph::Premise;
use ult_core::graph::evidence::Branch;

/// `f(n, r)`: the Fibonacci numbers, from `f(0, 1)` and `f(1, 1)` on, where a step needs the two before it; `f(4, r)` with
/// `r == wrong` is an error. `m` is the auxiliary for the result of the other premise.
struct Fibonacci {
    scene: Scene,
    first: [EdgeId; 2],
    step: EdgeId,
    error: EdgeId,
}

/// The number of the auxiliary.
const OTHER: u32 = 7;

fn fibonacci(wrong: i64) -> Fibonacci {
    let mut s = Scene::new(&["n", "r"].map(|name| (name, Sort::Int)));
    let (n, r) = (s.v("n"), s.v("r"));
    let (n2, r2) = (s.next("n"), s.next("r"));
    let changed = || ["n", "r"].map(Arc::from).into_iter().collect();
    let first = [0, 1].map(|number| {
        let formula = s
            .terms
            .and2(s.terms.eq(n2, s.int(number)), s.terms.eq(r2, s.int(1)));
        let transition = Transition {
            formula,
            changed: changed(),
        };
        s.edge("start", transition, "f")
    });
    let other = s.terms.var("m", Version::Aux(OTHER), Sort::Int);
    let formula = s.terms.and2(
        s.terms.eq(n2, s.plus("n", 1)),
        s.terms.eq(r2, s.terms.add(&[r, other])),
    );
    let transition = Transition {
        formula,
        changed: changed(),
    };
    let step = s.edge("f", transition, "f");
    let premise = Premise {
        location: s.at("f"),
        state: BTreeMap::from([(Arc::from("n"), s.plus("n", -1)), (Arc::from("r"), other)]),
    };
    s.graph.graph[step].premises.push(premise);
    let bad = s
        .terms
        .and2(s.terms.eq(n, s.int(4)), s.terms.eq(r, s.int(wrong)));
    let error = s.assume("f", bad, "err");
    Fibonacci {
        scene: s,
        first,
        step,
        error,
    }
}

impl Fibonacci {
    fn begin(&self, number: usize) -> Step {
        let number = i64::try_from(number).expect("small");
        step(
            self.first[usize::try_from(number).expect("small")],
            ints(&[("n", number), ("r", 1)]),
        )
    }

    /// To `f(n, r)`, where the number two before it is shown by a branch.
    fn next(&self, n: i64, r: i64, other: i64, branch: usize) -> Step {
        let aux = BTreeMap::from([(OTHER, Value::int(other))]);
        Step::new(self.step, aux, ints(&[("n", n), ("r", r)])).after(vec![branch])
    }

    /// `f(4, 5)` from `f(3, 3)` and `f(2, 2)`, each with its own way.
    fn tree(&self) -> Run {
        let start = || ints(&[("n", 0), ("r", 0)]);
        let branch = |steps| Branch {
            start: start(),
            steps,
        };
        let two = || vec![self.begin(1), self.next(2, 2, 1, 0)];
        let mut steps = two();
        steps.extend([
            self.next(3, 3, 1, 1),
            self.next(4, 5, 2, 2),
            Step::determined(self.error),
        ]);
        Run {
            branches: vec![
                branch(vec![self.begin(0)]),
                branch(vec![self.begin(1)]),
                branch(two()),
            ],
            ..run(start(), steps)
        }
    }

    #[track_caller]
    fn refuses(&self, text: &str, change: impl FnOnce(&mut Run)) {
        let mut run = self.tree();
        change(&mut run);
        assert_run_rejected(self.scene.replay(&run), text);
    }
}

#[test]
fn a_tree_is_executed() {
    let f = fibonacci(5);
    assert!(f.scene.replay(&f.tree()).is_ok());
    // Nobody has to need a branch.
    let mut run = f.tree();
    run.branches.push(run.branches[0].clone());
    assert!(f.scene.replay(&run).is_ok());
}

#[test]
fn each_premise_must_be_shown() {
    let f = fibonacci(5);
    f.refuses("0 of 1 premises", |run| {
        run.steps[1] = run.steps[1].clone().after(Vec::new());
    });
    f.refuses("2 of 1 premises", |run| {
        run.steps[1] = run.steps[1].clone().after(vec![0, 0]);
    });
    f.refuses("no value", |run| {
        run.steps[1] = Step::determined(f.step);
    });
    f.refuses("only later", |run| run.branches.clear());
}

#[test]
fn a_premise_must_be_the_right_one() {
    let f = fibonacci(5);
    f.refuses("another value", |run| run.branches.swap(0, 1));
    f.refuses("another location", |run| {
        run.branches[0].steps.clear();
    });
    // The auxiliary says what the other number is.
    f.refuses("another value", |run| {
        run.steps[3] = f.next(4, 6, 3, 2);
    });
}

#[test]
fn branches_are_executed_too() {
    let f = fibonacci(5);
    f.refuses("false", |run| {
        run.branches[0].steps[0] = step(f.first[0], ints(&[("n", 0), ("r", 7)]));
    });
    f.refuses("no value", |run| {
        run.branches[1].start = State::new();
    });
    f.refuses("leaves", |run| {
        run.branches[2].steps.remove(0);
    });
}

#[test]
fn a_branch_may_not_show_itself() {
    let f = fibonacci(5);
    f.refuses("only later", |run| {
        run.branches[2].steps[1] = f.next(2, 2, 1, 2);
    });
    f.refuses("only later", |run| {
        run.branches[2].steps[1] = f.next(2, 2, 1, 9);
    });
}

#[test]
fn invariants_hold_at_premises_too() {
    let f = fibonacci(0);
    let s = &f.scene;
    let positive = s.terms.lt(s.int(0), s.v("r"));
    assert!(s.confirm(&s.claim(&[("f", positive)])).is_ok());
    // Without the premise, the sum could be anything.
    let mut without = fibonacci(0).scene;
    without.graph.graph[f.step].premises.clear();
    let claim = without.claim(&[("f", without.terms.lt(without.int(0), without.v("r")))]);
    assert_proof_rejected(without.confirm(&claim), "does not establish");
    // `true` of the premise is no help either.
    let mut vague = fibonacci(0).scene;
    vague.graph.graph[f.step].premises[0].state.clear();
    let claim = vague.claim(&[("f", vague.terms.lt(vague.int(0), vague.v("r")))]);
    assert_proof_rejected(vague.confirm(&claim), "does not establish");
}

#[test]
fn an_invariant_is_not_taken_for_granted() {
    let f = fibonacci(5);
    let s = &f.scene;
    for wrong in [
        s.terms.lt(s.v("r"), s.int(5)),
        s.terms.ff(),
        s.terms.eq(s.v("r"), s.int(1)),
    ] {
        assert_proof_rejected(s.confirm(&s.claim(&[("f", wrong)])), "");
    }
    let positive = s.terms.lt(s.int(0), s.v("r"));
    assert_proof_rejected(
        s.confirm(&s.claim(&[("f", positive)])),
        "do not exclude a segment",
    );
}

/// Several segments in a row are looked at without premises: that refutes less.
#[test]
fn inductive_arguments_leave_premises_out() {
    let f = fibonacci(0);
    let s = &f.scene;
    let error = s.find("err").expect("it is there");
    let argument = ult_core::graph::evidence::Argument::Bounded(3.try_into().expect("not 0"));
    let positive = s.terms.lt(s.int(0), s.v("r"));
    let claim = Invariants {
        arguments: BTreeMap::from([(error, argument)]),
        ..s.claim(&[("f", positive)])
    };
    assert_proof_rejected(s.confirm(&claim), "");
}

#[test]
fn ill_formed_premises_are_refused() {
    let confirm = |change: &dyn Fn(&mut Scene, EdgeId)| {
        let mut f = fibonacci(0);
        change(&mut f.scene, f.step);
        let claim = f.scene.claim(&[("f", f.scene.terms.tt())]);
        f.scene.confirm(&claim)
    };
    let premise_at = |s: &Scene, name: &str| s.find(name).expect("it is there");
    let error = confirm(&|s, step| {
        s.graph.graph[step].premises[0].location = premise_at(s, "err");
    });
    let sort = confirm(&|s, step| {
        let yes = s.terms.tt();
        s.graph.graph[step].premises[0]
            .state
            .insert("n".into(), yes);
    });
    let unknown = confirm(&|s, step| {
        let zero = s.int(0);
        s.graph.graph[step].premises[0]
            .state
            .insert("q".into(), zero);
    });
    let stray = confirm(&|s, step| {
        let stray = s.terms.var("n", Version::At(3), Sort::Int);
        s.graph.graph[step].premises[0]
            .state
            .insert("n".into(), stray);
    });
    for result in [error, sort, unknown, stray] {
        assert!(
            matches!(result, Err(Reason::Internal(_))),
            "accepted: {result:?}"
        );
    }
}
