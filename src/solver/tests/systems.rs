//! Sets of Horn clauses.

use std::sync::Arc;
use std::time::Duration;

use crate::control::Control;
use crate::formula::{BinderKind, Function, Sort, Term, Terms};
use crate::solver::horn::{Atom, Clause, Clauses, Predicate, Solved, Tuning};
use crate::solver::{Answer, Session};

const LIMIT: Option<Duration> = Some(Duration::from_secs(20));

fn int(t: &Terms, name: &str) -> Term {
    t.current(name, Sort::Int)
}

fn atom(predicate: usize, args: &[Term]) -> Atom {
    Atom {
        predicate,
        args: args.to_vec(),
    }
}

/// `x := 0; while (x < 10) x := x + by; assert x <= bound`
fn counter(t: &Terms, by: i64, bound: i64) -> Clauses {
    let x = int(t, "x");
    Clauses {
        predicates: vec![Predicate {
            name: "head".into(),
            params: vec![x],
        }],
        clauses: vec![
            Clause {
                body: vec![],
                condition: t.eq(x, t.int(0)),
                head: Some(atom(0, &[x])),
            },
            Clause {
                body: vec![atom(0, &[x])],
                condition: t.lt(x, t.int(10)),
                head: Some(atom(0, &[t.add(&[x, t.int(by)])])),
            },
            Clause {
                body: vec![atom(0, &[x])],
                condition: t.and2(t.le(t.int(10), x), t.lt(t.int(bound), x)),
                head: None,
            },
        ],
    }
}

/// Every solution is a claim: here it is checked.
fn assert_solution(session: &Session<'_>, clauses: &Clauses, found: Vec<Option<Term>>) {
    let t = session.terms();
    let solution = clauses.complete(session, found, LIMIT).expect("complete");
    let mut solver = session.solver();
    let instance = |atom: &Atom| {
        let params = &clauses.predicates[atom.predicate].params;
        let map = params.iter().copied().zip(atom.args.iter().copied());
        t.substitute(solution[atom.predicate], &map.collect())
    };
    for clause in &clauses.clauses {
        let mut parts: Vec<Term> = clause.body.iter().map(instance).collect();
        parts.push(clause.condition);
        parts.extend(clause.head.as_ref().map(|head| t.not(instance(head))));
        assert_eq!(solver.check(&parts, LIMIT), Answer::Unsat, "{clause:?}");
    }
}

#[test]
fn a_loop_has_an_invariant_or_a_derivation() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    for tuning in [Tuning::Plain, Tuning::Inlined] {
        let safe = counter(&t, 3, 12);
        match safe.solve(&session, tuning, LIMIT) {
            Solved::Solution(solution) => assert_solution(&session, &safe, solution),
            other => panic!("{tuning:?}: {other:?}"),
        }
    }
    let answer = counter(&t, 3, 11).solve(&session, Tuning::Plain, LIMIT);
    assert_eq!(
        answer,
        Solved::Derivable {
            trace: Some(vec![2, 1, 1, 1, 1, 0]),
            abstracted: false
        }
    );
}

/// `mc(n) = n > 100 ? n - 10 : mc(mc(n + 11))`
#[test]
fn summaries_of_recursive_procedures() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let [n, r, s] = ["n", "r", "s"].map(|name| int(&t, name));
    let mut clauses = Clauses {
        predicates: vec![Predicate {
            name: "mc".into(),
            params: vec![n, r],
        }],
        clauses: vec![
            Clause {
                body: vec![],
                condition: t.and2(t.lt(t.int(100), n), t.eq(r, t.sub(n, t.int(10)))),
                head: Some(atom(0, &[n, r])),
            },
            Clause {
                body: vec![atom(0, &[t.add(&[n, t.int(11)]), s]), atom(0, &[s, r])],
                condition: t.le(n, t.int(100)),
                head: Some(atom(0, &[n, r])),
            },
            Clause {
                body: vec![atom(0, &[n, r])],
                condition: t.and2(t.le(n, t.int(101)), t.neq(r, t.int(91))),
                head: None,
            },
        ],
    };
    match clauses.solve(&session, Tuning::Plain, LIMIT) {
        Solved::Solution(solution) => assert_solution(&session, &clauses, solution),
        other => panic!("{other:?}"),
    }
    clauses.clauses[2].condition = t.and2(t.le(n, t.int(102)), t.neq(r, t.int(91)));
    match clauses.solve(&session, Tuning::Plain, LIMIT) {
        Solved::Derivable {
            trace: Some(trace), ..
        } => assert_eq!(trace[0], 2),
        other => panic!("{other:?}"),
    }
}

/// Symbols and facts about them are the same in all clauses.
#[test]
fn rigid_symbols_are_passed_on() {
    let t = Terms::new();
    let function = |name: &str, params: Vec<Sort>| {
        Arc::new(Function {
            name: name.into(),
            params,
            result: Sort::Int,
        })
    };
    let c = t.apply(&function("c", vec![]), &[]);
    let f = function("f", vec![Sort::Int]);
    let x = int(&t, "x");
    let five = t.eq(t.apply(&f, &[c]), t.int(5));
    let clauses = Clauses {
        predicates: vec![Predicate {
            name: "p".into(),
            params: vec![x],
        }],
        clauses: vec![
            Clause {
                body: vec![],
                condition: t.eq(x, c),
                head: Some(atom(0, &[x])),
            },
            Clause {
                body: vec![atom(0, &[x])],
                condition: t.neq(t.apply(&f, &[x]), t.int(5)),
                head: None,
            },
        ],
    };
    let session = Session::new(&t, &[five], &Control::unlimited());
    match clauses.solve(&session, Tuning::Plain, LIMIT) {
        Solved::Solution(solution) => {
            assert_solution(&session, &clauses, solution);
        }
        other => panic!("{other:?}"),
    }
    // Without the fact falsity follows, and with a quantified one nobody knows.
    let session = Session::new(&t, &[], &Control::unlimited());
    assert!(matches!(
        clauses.solve(&session, Tuning::Plain, LIMIT),
        Solved::Derivable {
            abstracted: false,
            ..
        }
    ));
    let y = t.fresh_bound("y", Sort::Int);
    let all = t.bind(
        BinderKind::Forall,
        &[y],
        t.eq(t.apply(&f, &[y]), t.int(5)),
        &[],
    );
    let session = Session::new(&t, &[all], &Control::unlimited());
    assert!(matches!(
        clauses.solve(&session, Tuning::Plain, LIMIT),
        Solved::Derivable {
            abstracted: true,
            ..
        }
    ));
}
