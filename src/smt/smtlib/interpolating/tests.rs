//! Conversations with fake solvers, in every dialect.

use super::*;
use crate::smtlib::tests::{Fake, fake};
use ult_core::formula::{Function, Version};

const LIMIT: Duration = Duration::from_secs(10);

/// A solver that writes down what it is told. It is called `name`, says that every problem is
/// unsatisfiable, and has one answer after the other for what `asked` matches.
fn recorder(name: &str, asked: &str, answers: &[&str]) -> Fake {
    // Of several processes, each goes on where the one before stopped.
    let cases: String = answers
        .iter()
        .enumerate()
        .map(|(i, answer)| format!("{i}) echo '{answer}';;\n"))
        .collect();
    fake(&format!(
        "cd \"$(dirname \"$0\")\"\n\
         echo '-- start' >> log\n\
         [ -e count ] || echo 0 > count\n\
         while IFS= read -r line; do\n\
         printf '%s\\n' \"$line\" >> log\n\
         case $line in\n\
         *get-info*:name*) echo '{name}';;\n\
         *check-sat*) echo unsat;;\n\
         *reset*) echo success;;\n\
         *echo*) set -- $line; echo \"${{2%?}}\";;\n\
         {asked}) read n < count; echo $((n + 1)) > count; case $n in\n{cases}esac;;\n\
         esac\n\
         done\n"
    ))
}

fn said(fake: &Fake) -> String {
    std::fs::read_to_string(fake.folder.path().join("log")).unwrap()
}

/// `x = 0 && f(x) = c`, `y = x + 1`, `y < 0`.
fn steps(t: &Terms) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| t.var(name, Version::At(1), Sort::Int));
    let f = std::sync::Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let c = std::sync::Arc::new(Function {
        name: "c".into(),
        params: vec![],
        result: Sort::Int,
    });
    vec![
        t.and([t.eq(x, t.int(0)), t.eq(t.apply(&f, &[x]), t.apply(&c, &[]))]),
        t.eq(y, t.add(&[x, t.int(1)])),
        t.lt(y, t.int(0)),
    ]
}

/// The sequence that the solver finds, as text.
fn found(t: &Terms, fake: &Fake) -> Result<Vec<String>, Failure> {
    let control = Control::unlimited();
    let mut solver = InterpolatingSolver::start(&fake.command, &control)?;
    match solver.interpolants(t, &steps(t), LIMIT, &control)? {
        Interpolation::Interpolants(all) => Ok(all.into_iter().map(|i| t.display(i)).collect()),
        Interpolation::Feasible => Ok(vec!["feasible".into()]),
    }
}

const NAMED: &str = "(get-interpolants IP_0 IP_1 IP_2)";

#[test]
fn all_cuts_at_once() {
    let t = Terms::new();
    let sequence = "((<= 0 s.1.x) (let ((.cse0 (<= 1 s.1.y))) (and .cse0 (<= 1 s.1.y))))";
    for (name, again) in [
        ("(:name \"SMTInterpol\")", true),
        // OpenSMT does not say its name.
        ("(error \"no value for info :name\")", false),
        ("(:name \"Another\")", false),
    ] {
        let fake = recorder(name, "*get-interpolants*", &[sequence, sequence]);
        let control = Control::unlimited();
        let mut solver = InterpolatingSolver::start(&fake.command, &control).unwrap();
        let steps = steps(&t);
        for _ in 0..2 {
            let Ok(Interpolation::Interpolants(all)) =
                solver.interpolants(&t, &steps, LIMIT, &control)
            else {
                panic!("{name}");
            };
            let all: Vec<String> = all.into_iter().map(|i| t.display(i)).collect();
            assert_eq!(all, ["0 <= x@1", "1 <= y@1"]);
        }
        let problem = |number: u32| {
            format!(
                "(set-option :produce-interpolants true)\n\
                 (set-logic QF_UFLIA)\n\
                 (declare-fun |f.f| (Int) Int)\n\
                 (declare-fun |f.c| () Int)\n\
                 (declare-fun |s.1.x| () Int)\n\
                 (declare-fun |s.1.y| () Int)\n\
                 (assert (! (and (= |s.1.x| 0) (= (|f.f| |s.1.x|) |f.c|)) :named IP_0))\n\
                 (assert (! (= |s.1.y| (+ |s.1.x| 1)) :named IP_1))\n\
                 (assert (! (< |s.1.y| 0) :named IP_2))\n\
                 (check-sat)\n\
                 (echo \"ult-{number}\")\n\
                 {NAMED}\n"
            )
        };
        let start = "-- start\n(set-option :print-success false)\n(get-info :name)\n";
        let expected = if again {
            format!(
                "{start}{}(echo \"ult-1-2\")\n\
                 (reset)\n(set-option :print-success false)\n(echo \"ult-2-1\")\n\
                 {}(echo \"ult-2-3\")\n",
                problem(1).replace("ult-1", "ult-1-1"),
                problem(2).replace("ult-2", "ult-2-2")
            )
        } else {
            format!(
                "{start}{}(echo \"ult-1-2\")\n{start}{}(echo \"ult-2-2\")\n",
                problem(1).replace("ult-1", "ult-1-1"),
                problem(2).replace("ult-2", "ult-2-1")
            )
        };
        assert_eq!(said(&fake), expected, "{name}");
    }
}

#[test]
fn groups_of_assertions() {
    let t = Terms::new();
    let fake = recorder(
        "(:name \"MathSAT5\")",
        "*get-interpolant*",
        &["(<= 0 s.1.x)", "(let ((.def_1 (<= 1 s.1.y))) .def_1)"],
    );
    assert_eq!(found(&t, &fake).unwrap(), ["0 <= x@1", "1 <= y@1"]);
    assert_eq!(
        said(&fake),
        "-- start\n\
         (set-option :print-success false)\n\
         (get-info :name)\n\
         (set-option :produce-interpolants true)\n\
         (declare-fun |f.f| (Int) Int)\n\
         (declare-fun |f.c| () Int)\n\
         (declare-fun |s.1.x| () Int)\n\
         (declare-fun |s.1.y| () Int)\n\
         (assert (! (and (= |s.1.x| 0) (= (|f.f| |s.1.x|) |f.c|)) :interpolation-group IP_0))\n\
         (assert (! (= |s.1.y| (+ |s.1.x| 1)) :interpolation-group IP_1))\n\
         (assert (! (< |s.1.y| 0) :interpolation-group IP_2))\n\
         (check-sat)\n\
         (echo \"ult-1-1\")\n\
         (get-interpolant (IP_0))\n\
         (get-interpolant (IP_0 IP_1))\n\
         (echo \"ult-1-2\")\n"
    );
}

#[test]
fn one_conjecture_after_the_other() {
    let t = Terms::new();
    let fake = recorder(
        "(:name \"cvc5\")",
        "*get-interpolant*",
        &[
            "(define-fun I () Bool (<= 0 |s.1.x|))",
            "(define-fun I () Bool (<= 1 |s.1.y|))",
        ],
    );
    assert_eq!(found(&t, &fake).unwrap(), ["0 <= x@1", "1 <= y@1"]);
    let said = said(&fake);
    let questions: Vec<&str> = said.split("-- start\n").skip(2).collect();
    let beginning = "(set-option :print-success false)\n\
         (get-info :name)\n\
         (set-option :produce-interpolants true)\n\
         (set-logic QF_UFLIA)\n";
    assert_eq!(
        questions,
        [
            format!(
                "{beginning}\
                 (declare-fun |f.f| (Int) Int)\n\
                 (declare-fun |f.c| () Int)\n\
                 (declare-fun |s.1.x| () Int)\n\
                 (declare-fun |s.1.y| () Int)\n\
                 (assert true)\n\
                 (assert (and (= |s.1.x| 0) (= (|f.f| |s.1.x|) |f.c|)))\n\
                 (get-interpolant I (not (and (= |s.1.y| (+ |s.1.x| 1)) (< |s.1.y| 0))))\n\
                 (echo \"ult-2-1\")\n"
            ),
            // The second from the first.
            format!(
                "{beginning}\
                 (declare-fun |s.1.x| () Int)\n\
                 (declare-fun |s.1.y| () Int)\n\
                 (assert (<= 0 |s.1.x|))\n\
                 (assert (= |s.1.y| (+ |s.1.x| 1)))\n\
                 (get-interpolant I (<= 0 |s.1.y|))\n\
                 (echo \"ult-3-1\")\n"
            ),
        ]
    );
}

#[test]
fn wrong_answers() {
    let t = Terms::new();
    let answered = |name: &str, answer: &str| {
        let fake = recorder(name, "*get-interpolant*", &[answer, answer]);
        found(&t, &fake)
    };
    let unexpected = |result: Result<Vec<String>, Failure>| {
        assert!(
            matches!(result, Err(Failure::UnexpectedOutput(_))),
            "{result:?}"
        );
    };
    let smtinterpol = "(:name \"SMTInterpol\")";
    // Too few, too many, none, something else.
    unexpected(answered(smtinterpol, "(true)"));
    unexpected(answered(smtinterpol, "(true true true)"));
    unexpected(answered(smtinterpol, "()"));
    unexpected(answered(smtinterpol, ""));
    unexpected(answered(smtinterpol, "unsat"));
    unexpected(answered(smtinterpol, "(true true) (true true)"));
    unexpected(answered(smtinterpol, ")"));
    unexpected(answered("(:name \"MathSAT5\")", "true true"));
    unexpected(answered("(:name \"cvc5\")", "true"));
    unexpected(answered("(:name \"cvc5\")", "(define-fun J () Bool true)"));
    unexpected(answered(
        "(:name \"cvc5\")",
        "(define-fun I ((x Int)) Bool true)",
    ));
    // The solver's own words for not answering.
    for (name, answer) in [
        (smtinterpol, "(error \"Interpolation not supported\")"),
        ("(:name \"MathSAT5\")", "(error \"no\")"),
        ("(:name \"cvc5\")", "(error \"no\")"),
        ("(:name \"cvc5\")", "fail"),
        ("(:name \"cvc5\")", "none"),
    ] {
        let result = answered(name, answer);
        assert!(matches!(result, Err(Failure::Incomplete(_))), "{result:?}");
    }
    // Symbols that nobody declared.
    for (name, answer) in [
        (smtinterpol, "(true (= s.1.x s.2.x))"),
        (smtinterpol, "(true (= s.1.x (@diff s.1.x s.1.x)))"),
        ("(:name \"MathSAT5\")", "(p)"),
        ("(:name \"cvc5\")", "(define-fun I () Bool I)"),
    ] {
        let result = answered(name, answer);
        assert!(matches!(result, Err(Failure::Unsupported(_))), "{result:?}");
    }
}

const HELLO: &str = "read a; read b; echo '(:name \"SMTInterpol\")'\n";

#[test]
fn solvers_that_fail() {
    let t = Terms::new();
    let told = |script: &str| found(&t, &fake(&format!("{HELLO}{script}")));
    assert!(matches!(told("exit 3"), Err(Failure::Died(_))));
    assert!(matches!(
        told("echo unsat; exec sleep 0"),
        Err(Failure::Died(_))
    ));
    assert!(matches!(
        told("echo garbage; exec sleep 20"),
        Err(Failure::UnexpectedOutput(_))
    ));
    assert!(matches!(
        told("echo '(error \"no such logic\")'; exec sleep 20"),
        Err(Failure::UnexpectedOutput(_))
    ));
    assert!(matches!(
        told("echo sat; echo sat; exec sleep 20"),
        Err(Failure::UnexpectedOutput(_))
    ));
    assert_eq!(
        told(
            "echo unknown; echo ult-1-1; echo '(:reason-unknown memout)'; echo ult-1-2; exec sleep 20"
        ),
        Err(Failure::Memory)
    );
    // Wrong, but of no consequence: the path was found to be infeasible before.
    assert_eq!(
        told("echo sat; echo ult-1-1; exec sleep 20").unwrap(),
        ["feasible"]
    );
    assert!(matches!(
        found(&t, &fake("echo hello; exec sleep 20")),
        Err(Failure::UnexpectedOutput(_))
    ));
    assert!(matches!(
        InterpolatingSolver::start("no-such-solver-anywhere", &Control::unlimited()),
        Err(Failure::Missing(_))
    ));
}

#[test]
fn a_solver_that_hangs_is_replaced() {
    let t = Terms::new();
    let control = Control::unlimited();
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("was-here");
    let flag = flag.display();
    // Hangs the first time, answers the second time.
    let fake = fake(&format!(
        "{HELLO}\
         if [ ! -e '{flag}' ]; then : > '{flag}'; exec sleep 60; fi\n\
         echo unsat; echo ult-2-1; echo '(true false)'; echo ult-2-2; exec sleep 60"
    ));
    let mut solver = InterpolatingSolver::start(&fake.command, &control).unwrap();
    let start = Instant::now();
    assert_eq!(
        solver.interpolants(&t, &steps(&t), Duration::from_millis(300), &control),
        Err(Failure::Timeout)
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(
        solver.interpolants(&t, &steps(&t), LIMIT, &control),
        Ok(Interpolation::Interpolants(vec![t.tt(), t.ff()]))
    );
}

#[test]
fn steps_that_say_nothing_new_are_left_out() {
    let t = Terms::new();
    let fake = recorder(
        "(:name \"SMTInterpol\")",
        "*get-interpolants*",
        &["((<= 1 s.1.x))"],
    );
    let control = Control::unlimited();
    let mut solver = InterpolatingSolver::start(&fake.command, &control).unwrap();
    let x = t.var("x", Version::At(1), Sort::Int);
    let (low, high) = (t.lt(t.int(0), x), t.lt(x, t.int(0)));
    let between = t.le(t.int(1), x);
    let mut ask = |steps: &[Term]| solver.interpolants(&t, steps, LIMIT, &control);
    assert_eq!(
        ask(&[t.tt(), low, t.tt(), low, high, low, t.tt()]),
        Ok(Interpolation::Interpolants(vec![
            t.tt(),
            between,
            between,
            between,
            t.ff(),
            t.ff()
        ]))
    );
    // One step that contradicts itself: there is nothing to ask for.
    assert_eq!(
        ask(&[t.tt(), high, t.tt()]),
        Ok(Interpolation::Interpolants(vec![t.tt(), t.ff()]))
    );
    let said = said(&fake);
    assert_eq!(said.matches("get-interpolants").count(), 1);
}

#[test]
fn presets_have_to_be_who_they_are() {
    // A preset is recognised by its name alone, so this goes through the table.
    for dialect in DIALECTS {
        let failure = wrong_solver(dialect, Some("Z3"));
        assert!(failure.to_string().contains("found `Z3`"), "{failure}");
        assert!(dialect.preset.is_some() && !dialect.command.is_empty());
    }
}

#[test]
fn logics() {
    let t = Terms::new();
    let var = |name: &str, sort: Sort| t.current(name, sort);
    let (x, r) = (var("x", Sort::Int), var("r", Sort::Real));
    let e = var("e", Sort::Uninterpreted("E".into()));
    let m = var("m", Sort::map(vec![Sort::Int], Sort::Int));
    let f = std::sync::Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let bits = var("b", Sort::BitVec(4));
    let zero = t.int(0);
    for (formula, expected) in [
        (var("p", Sort::Bool), "QF_UF"),
        (t.eq(e, var("d", Sort::Uninterpreted("E".into()))), "QF_UF"),
        (t.le(x, zero), "QF_LIA"),
        (t.eq(t.modulo(x, t.int(2)), zero), "QF_LIA"),
        (t.le(t.mul(&[t.int(3), x]), zero), "QF_LIA"),
        (t.le(r, t.to_real(x)), "QF_AUFLIRA"),
        (t.lt(r, t.add(&[r, r])), "QF_LRA"),
        (t.eq(t.apply(&f, &[x]), x), "QF_UFLIA"),
        (t.eq(t.select(m, &[x]), x), "QF_AUFLIA"),
        (t.eq(t.mul(&[x, x]), x), "ALL"),
        (t.eq(t.modulo(t.int(2), x), zero), "ALL"),
        (t.eq(bits, t.bitvec(1u32.into(), 4)), "ALL"),
    ] {
        assert_eq!(logic(&t, &[formula]), expected, "{}", t.display(formula));
    }
}
