//! Whatever an external solver says is checked before it is used.

use super::*;
use crate::{Strategy, samples, sequence};
use ult_core::formula::{Function, Sort, Terms};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// `x := c`, `x := x + 1`, `y := x`, and then `y < 0`.
fn chain(t: &Terms, c: Term) -> Chain {
    let (x, y) = (t.current("x", Sort::Int), t.current("y", Sort::Int));
    let (x1, y1) = (t.next("x", Sort::Int), t.next("y", Sort::Int));
    samples::chain(
        t,
        &[
            t.eq(x1, c),
            t.eq(x1, t.add(&[x, t.int(1)])),
            t.eq(y1, x),
            t.lt(y, t.int(0)),
        ],
    )
}

/// A strategy with a solver that finds the chain infeasible and has this answer; each run starts
/// a new one.
fn answering(folder: &tempfile::TempDir, answer: &str) -> Strategy {
    let path = folder.path().join("solver.sh");
    let script = format!(
        "while IFS= read -r line; do case $line in\n\
         *get-info*) echo '(:name \"fake\")';;\n\
         *check-sat*) echo unsat;;\n\
         *get-interpolants*) echo '{answer}';;\n\
         *echo*) set -- $line; echo \"${{2%?}}\";;\n\
         esac; done"
    );
    std::fs::write(&path, script).unwrap();
    format!("external:sh '{}'", path.display()).parse().unwrap()
}

fn interpolants(answer: &str) -> (Result<Vec<String>, Reason>, Statistics) {
    let folder = tempfile::tempdir().unwrap();
    let strategy = answering(&folder, answer);
    let t = Terms::new();
    let c = Function {
        name: "c".into(),
        params: vec![],
        result: Sort::Int,
    };
    let c = t.apply(&c.into(), &[]);
    // What is known of `c` is a fact of the session.
    let session = Session::new(&t, &[t.lt(t.int(0), c)], &Control::unlimited());
    let mut stats = Statistics::default();
    let result = sequence(&strategy, &session, &chain(&t, c), &mut stats);
    let shown = result.map(|all| all.into_iter().map(|i| t.display(i)).collect());
    (shown, stats)
}

#[test]
fn an_honest_answer() {
    let (result, stats) = interpolants("((<= 1 s.1.x) (<= 2 s.2.x) (<= 2 s.3.y))");
    // Of the claim stays what is needed.
    assert_eq!(result.unwrap(), ["1 <= x", "2 <= x", "2 <= y"]);
    assert_eq!(stats.interpolations["external"], 1);
    // Rigid symbols belong to every cut.
    let (result, _) = interpolants("((= s.1.x f.c) (= s.2.x (+ f.c 1)) (<= 0 s.3.y))");
    assert_eq!(result.unwrap(), ["c == x", "x == c + 1", "0 <= y"]);
}

#[test]
fn lies() {
    for (answer, why) in [
        // Not implied, not contradicting, not inductive.
        (
            "((<= 2 s.1.x) (<= 2 s.2.x) (<= 2 s.3.y))",
            "step 0 is not inductive",
        ),
        (
            "((<= 1 s.1.x) (<= 2 s.2.x) true)",
            "step 3 is not inductive",
        ),
        (
            "((<= 0 s.1.x) (<= 2 s.2.x) (<= 0 s.3.y))",
            "step 1 is not inductive",
        ),
        // A variable of another cut, of no cut, of nobody.
        (
            "((<= 1 s.1.x) (<= 1 s.1.x) (<= 0 s.3.y))",
            "`x@1` does not belong to the cut",
        ),
        (
            "((<= 1 s.1.x) (<= 2 s.2.x) (<= 0 s.2.x))",
            "`x@2` does not belong to the cut",
        ),
        (
            "((<= 1 s.1.x) (<= 2 s.4.x) (<= 0 s.3.y))",
            "own symbol `s.4.x`",
        ),
        ("((<= 1 s.1.x) (<= 2 s.2.x))", "2 interpolants instead of 3"),
        ("(error \"too hard\")", "too hard"),
    ] {
        let (result, stats) = interpolants(answer);
        match result {
            Err(Reason::Interpolation(text)) => assert!(text.contains(why), "{answer}: {text}"),
            other => panic!("{answer}: {other:?}"),
        }
        assert_eq!(stats.interpolation_failures["external"], 1);
    }
}

#[test]
fn the_strategy_as_text() {
    let strategy: Strategy = "external:cvc5 --flag".parse().unwrap();
    assert_eq!(strategy.to_string(), "external:cvc5 --flag");
    assert_eq!(strategy, strategy.to_string().parse().unwrap());
    assert_ne!(strategy, "external:cvc5".parse().unwrap());
    assert!("external:".parse::<Strategy>().is_err());
    assert!("external".parse::<Strategy>().is_err());
}
