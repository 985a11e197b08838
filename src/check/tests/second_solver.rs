//! Two solvers must agree. The second one is a shell script here.

use super::*;
use crate::{Checker, Claims, Verdict};

/// A script that answers every question with `answer`, and the command that runs it. With
/// `questions`, the questions are kept in a file of that name in the folder.
fn script(folder: &tempfile::TempDir, answer: &str) -> String {
    let path = folder.path().join("solver.sh");
    let log = folder.path().join("questions");
    let text = format!(
        "while read line; do\n\
         case \"$line\" in\n\
         *:name*) echo '(:name \"fake\")';;\n\
         *:version*) echo '(:version \"1.0\")';;\n\
         *:reason-unknown*) echo '(:reason-unknown incomplete)';;\n\
         *check-sat*) {answer};;\n\
         *echo*) line=\"${{line#*echo }}\"; echo \"${{line%)}}\";;\n\
         *) echo \"$line\" >>'{}';;\n\
         esac\n\
         done\n",
        log.display()
    );
    std::fs::write(&path, text).unwrap();
    format!("sh '{}'", path.display())
}

fn with(s: &Scene, claim: &Invariants, command: String) -> Result<Proof, Reason> {
    super::super::confirm_invariants(
        &s.terms,
        &s.graph,
        claim,
        &Control::unlimited(),
        &Options {
            second_solver: Some(command),
            ..Options::default()
        },
        &mut Statistics::default(),
    )
}

#[test]
fn both_must_say_unsat() {
    let s = program_p(0);
    let claim = s.claim(&[("head", sum(&s))]);
    let folder = tempfile::tempdir().unwrap();
    let proof = with(&s, &claim, script(&folder, "echo unsat")).unwrap();
    assert_eq!(proof.provers()[1..], ["fake 1.0"]);
    let refusals = [
        ("echo sat", "solver-failed"),
        ("echo unknown", "solver-unknown"),
        ("echo '(error \"no\")'", "solver-failed"),
        ("exit 1", "solver-failed"),
        ("echo unsatisfactory", "solver-failed"),
    ];
    for (answer, code) in refusals {
        let reason = with(&s, &claim, script(&folder, answer)).unwrap_err();
        assert_eq!(reason.code(), code, "{answer}: {reason}");
    }
    let reason = with(&s, &claim, "no-such-solver-anywhere".into()).unwrap_err();
    assert_eq!(reason.code(), "solver-failed", "{reason}");
    // The first one is still needed.
    let nothing = s.claim(&[("head", s.terms.tt())]);
    assert_proof_rejected(with(&s, &nothing, script(&folder, "echo unsat")), "");
}

#[test]
fn the_second_solver_gets_the_axioms() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let c = s.function("the_constant", &[], Sort::Int);
    let c = s.terms.apply(&c, &[]);
    s.graph.axioms.push(s.terms.gt(c, s.int(12345)));
    let below = s.terms.lt(c, s.int(0));
    s.assume("start", below, "err");
    let folder = tempfile::tempdir().unwrap();
    with(&s, &Invariants::default(), script(&folder, "echo unsat")).unwrap();
    let questions = std::fs::read_to_string(folder.path().join("questions")).unwrap();
    assert!(questions.contains("12345"), "{questions}");
}

#[test]
fn a_run_that_is_evaluated_needs_no_solver() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let positive = s.terms.gt(s.v("x"), s.int(0));
    let edge = s.assume("start", positive, "err");
    let x = ints(&[("x", 1)]);
    let error = s.find("err").unwrap();
    let claims = Claims {
        runs: [(error, run(x.clone(), vec![step(edge, x)]))].into(),
        ..Claims::default()
    };
    let mut stats = Statistics::default();
    let options = Options {
        second_solver: Some("no-such-solver-anywhere".into()),
        ..Options::default()
    };
    let verdicts = Checker::new(&s.terms, &s.graph, &Control::unlimited(), &options)
        .decide(&claims, &mut stats);
    assert!(matches!(verdicts[&error], Verdict::Unsafe(_)));
    assert_eq!(stats.solver_calls, 0);
}
