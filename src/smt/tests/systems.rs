//! Sets of Horn clauses.

use std::sync::Arc;
use std::time::Duration;

use crate::horn::{Atom, Clause, Clauses, Predicate, Solved, Tuning};
use crate::raw::{self, Truth};
use crate::smtlib::horn_text;
use crate::{Answer, Failure, Session};
use ult_core::control::Control;
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms};

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
    for tuning in [Tuning::Plain, Tuning::Local] {
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
            facts: None,
            abstracted: false
        }
    );
}

/// What Z3 answers to the clauses as text.
pub(super) fn read_by_z3(text: &str) -> Truth {
    let context = raw::Context::new().expect("context");
    let solver = context.solver_for("HORN").expect("solver");
    solver.assert_text(text).expect(text);
    solver.check(&[]).expect("answer")
}

fn is_well_formed(text: &str) {
    let storage = smtlib_lowlevel::Storage::new();
    let script = smtlib_lowlevel::ast::Script::parse(&storage, text);
    assert!(script.is_ok(), "{text}");
}

#[test]
fn clauses_as_text_mean_the_same() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    for (bound, answer) in [(12, Truth::Sat), (11, Truth::Unsat)] {
        let text = horn_text(&session, &counter(&t, 3, bound)).expect("text");
        is_well_formed(&text);
        assert_eq!(text.matches("(assert").count(), 3, "{text}");
        assert!(text.starts_with("(set-logic HORN)\n"), "{text}");
        assert_eq!(read_by_z3(&text), answer, "{text}");
    }
    // Several ways to falsity are one query.
    let mut clauses = counter(&t, 3, 12);
    let x = int(&t, "x");
    clauses.clauses.push(Clause {
        body: vec![atom(0, &[x])],
        condition: t.lt(x, t.int(0)),
        head: None,
    });
    let text = horn_text(&session, &clauses).expect("text");
    is_well_formed(&text);
    assert_eq!(text.matches("false").count(), 1, "{text}");
    assert_eq!(read_by_z3(&text), Truth::Sat, "{text}");
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
    let text = horn_text(&session, &clauses).expect("text");
    is_well_formed(&text);
    assert_eq!(read_by_z3(&text), Truth::Sat, "{text}");
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
        Solved::Solution(solution) => assert_solution(&session, &clauses, solution),
        other => panic!("{other:?}"),
    }
    let text = horn_text(&session, &clauses).expect("text");
    is_well_formed(&text);
    assert_eq!(read_by_z3(&text), Truth::Sat, "{text}");
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
        horn_text(&session, &clauses),
        Err(Failure::Unsupported(_))
    ));
    assert!(matches!(
        clauses.solve(&session, Tuning::Plain, LIMIT),
        Solved::Derivable {
            abstracted: true,
            ..
        }
    ));
}

/// Quotients by anything but numbers are spelled out.
#[test]
fn division_by_a_variable() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let [x, y] = ["x", "y"].map(|name| int(&t, name));
    let clauses = |least: i64| Clauses {
        predicates: vec![Predicate {
            name: "p".into(),
            params: vec![x],
        }],
        clauses: vec![
            Clause {
                body: vec![],
                condition: t.and([t.lt(t.int(0), y), t.eq(t.modulo(x, y), t.int(3))]),
                head: Some(atom(0, &[y])),
            },
            Clause {
                body: vec![atom(0, &[x])],
                condition: t.lt(x, t.int(least)),
                head: None,
            },
        ],
    };
    match clauses(4).solve(&session, Tuning::Plain, LIMIT) {
        Solved::Solution(solution) => assert_solution(&session, &clauses(4), solution),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        clauses(5).solve(&session, Tuning::Plain, LIMIT),
        Solved::Derivable { .. }
    ));
}

/// `p(x)`: from 1 on, where a step adds two of them.
#[test]
fn derivations_with_several_atoms_have_facts() {
    let t = Terms::new();
    let (x, y) = (t.fresh_aux("x", Sort::Int), t.fresh_aux("y", Sort::Int));
    let p = |arg| Atom {
        predicate: 0,
        args: vec![arg],
    };
    let clauses = Clauses {
        predicates: vec![Predicate {
            name: "p".into(),
            params: vec![t.fresh_aux("param", Sort::Int)],
        }],
        clauses: vec![
            Clause {
                body: Vec::new(),
                condition: t.tt(),
                head: Some(p(t.int(1))),
            },
            Clause {
                body: vec![p(x), p(y)],
                condition: t.tt(),
                head: Some(p(t.add(&[x, y]))),
            },
            Clause {
                body: vec![p(x)],
                condition: t.eq(x, t.int(3)),
                head: None,
            },
        ],
    };
    let session = Session::new(&t, &[], &Control::unlimited());
    for tuning in [Tuning::Plain, Tuning::Direct, Tuning::Local, Tuning::Global] {
        let Solved::Derivable {
            facts: Some(facts), ..
        } = clauses.solve(&session, tuning, None)
        else {
            panic!("{tuning:?}");
        };
        let (last, before) = facts.split_last().expect("falsity");
        assert_eq!((last.predicate, &last.args[..]), (None, &[][..]));
        for (number, fact) in before.iter().enumerate() {
            assert_eq!(fact.predicate, Some(0));
            assert!(fact.premises.iter().all(|&premise| premise < number));
            let expected = match fact.premises[..] {
                [] => t.int(1),
                [a, b] => t.add(&[facts[a].args[0], facts[b].args[0]]),
                _ => panic!("{fact:?}"),
            };
            assert_eq!(fact.args, [expected]);
        }
        assert_eq!(
            before[*last.premises.first().expect("one")].args,
            [t.int(3)]
        );
    }
}
