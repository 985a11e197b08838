//! Tests with fake solvers, and with Z3's own program where it is there.

mod hostile;

use std::time::{Duration, Instant};

use super::*;
use crate::Session;
use ult_core::control::Stop;
use ult_core::formula::{BinderKind, BvOp, Sort, Version};

/// A solver that is a shell script.
pub(crate) struct Fake {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) command: String,
}

/// What a well-behaved beginning of a fake looks like, with the beginning of its first answer.
pub(crate) const HELLO: &str = "read a; read b; read c\n\
    echo '(:name \"fake\")'; echo '(:version \"1.0\")'; read d; echo ult-begin-1\n";

pub(crate) fn fake(script: &str) -> Fake {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solver.sh");
    std::fs::write(&path, script).unwrap();
    // Through the shell: a file that was just written cannot always be executed at once.
    let command = format!("sh '{}'", path.display());
    Fake { folder, command }
}

const LIMIT: Option<Duration> = Some(Duration::from_secs(5));

fn ask(script: &str) -> Result<Answer, Failure> {
    ask_within(script, LIMIT)
}

fn ask_within(script: &str, limit: Option<Duration>) -> Result<Answer, Failure> {
    let fake = fake(script);
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let mut solver = ExternalSolver::start(&fake.command, &Control::unlimited())?;
    Ok(solver.check_unsat(&t, &[t.lt(x, x), t.lt(x, t.int(0))], limit))
}

#[test]
fn a_missing_solver() {
    for command in [
        "no-such-solver-anywhere --flag",
        "",
        "/",
        "cvc5-that-is-not-there",
    ] {
        let start = Instant::now();
        let result = ExternalSolver::start(command, &Control::unlimited());
        assert!(matches!(result, Err(Failure::Missing(_))), "{command}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn solvers_that_die() {
    let died = |result: Result<Answer, Failure>, text: &str| match result {
        Err(Failure::Died(why)) | Ok(Answer::Unknown(Failure::Died(why))) => {
            assert!(why.contains(text), "{why}");
        }
        other => panic!("{other:?}"),
    };
    died(ask("exit 3"), "3");
    died(ask("echo 'cannot do this' >&2; exit 1"), "cannot do this");
    died(ask(&format!("{HELLO} exit 0")), "0");
    // An answer, but no sign that it belongs to a complete run.
    died(ask(&format!("{HELLO} echo sat; exit 0")), "0");
    died(ask(&format!("{HELLO} echo unsat; exit 139")), "139");
    died(ask(&format!("{HELLO} printf unsat; exit 0")), "0");
}

#[test]
fn solvers_that_say_something_else() {
    let garbage = |answer: &str| {
        let script = format!("{HELLO} {answer}\n exec sleep 20");
        match ask(&script) {
            Ok(Answer::Unknown(Failure::UnexpectedOutput(_))) => {}
            other => panic!("{answer}: {other:?}"),
        }
    };
    garbage("echo 'hello world'");
    garbage("echo '(error \"line 1: no\")'");
    garbage("echo unsupported");
    garbage("echo success; echo unsat");
    garbage("echo unsat; echo unsat; echo ult-1");
    garbage("echo unsat; echo ult-7");
    garbage("echo UNSAT; echo ult-1");
    garbage("echo '(unsat)'; echo ult-1");
    garbage("echo ')'");
    garbage("printf '\\377\\376\\n'");
    garbage("echo unknown; echo ult-1; echo '(:reason-unknown'; echo ')'");
    assert!(matches!(
        ask("echo garbage; exec sleep 20"),
        Err(Failure::UnexpectedOutput(_))
    ));
    assert!(matches!(
        ask("echo '(:name \"fake\")'; echo '(:authors \"x\")'; exec sleep 20"),
        Err(Failure::UnexpectedOutput(_))
    ));
}

#[test]
fn huge_outputs_are_cut_off() {
    let start = Instant::now();
    for flood in [
        "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n'",
        "yes '(' ",
        "yes | tr -d '\\n' >&2",
    ] {
        let answer = ask_within(&format!("{HELLO} {flood}"), Some(Duration::from_secs(2)));
        assert!(
            matches!(
                answer,
                Ok(Answer::Unknown(
                    Failure::UnexpectedOutput(_) | Failure::Timeout
                ))
            ),
            "{flood}: {answer:?}"
        );
    }
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn silent_and_hanging_solvers() {
    let limit = Some(Duration::from_millis(300));
    let start = Instant::now();
    let hangs = format!("{HELLO} exec sleep 60");
    assert_eq!(
        ask_within(&hangs, limit),
        Ok(Answer::Unknown(Failure::Timeout))
    );
    // Answers, and is silent from then on.
    let hangs = format!("{HELLO} echo unsat; exec sleep 60");
    assert_eq!(
        ask_within(&hangs, limit),
        Ok(Answer::Unknown(Failure::Timeout))
    );
    // Does not even say its name; the run's deadline cuts the waiting short.
    let silent = fake("exec sleep 60");
    let control = Control::with_deadline(Some(Instant::now() + Duration::from_millis(300)));
    assert!(matches!(
        ExternalSolver::start(&silent.command, &control),
        Err(Failure::Stopped(Stop::Timeout))
    ));
    // Does not read either.
    let fake = fake(&format!("{HELLO} exec sleep 60"));
    let t = Terms::new();
    let wide = t.or((0..100_000).map(|i| t.eq(t.current("x", Sort::Int), t.int(i))));
    let mut solver = ExternalSolver::start(&fake.command, &Control::unlimited()).unwrap();
    assert_eq!(
        solver.check_unsat(&t, &[wide], limit),
        Answer::Unknown(Failure::Timeout)
    );
    drop(solver);
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_stop_wakes_up_who_waits() {
    let fake = fake(&format!("{HELLO} exec sleep 60"));
    let t = Terms::new();
    let control = Control::unlimited();
    let mut solver = ExternalSolver::start(&fake.command, &control).unwrap();
    let stopper = std::thread::spawn({
        let control = control.clone();
        move || {
            std::thread::sleep(Duration::from_millis(200));
            control.stop(Stop::Cancelled);
        }
    });
    let start = Instant::now();
    assert_eq!(
        solver.check_unsat(&t, &[t.tt()], None),
        Answer::Unknown(Failure::Stopped(Stop::Cancelled))
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    stopper.join().unwrap();
}

#[test]
fn versions_of_presets() {
    // A preset is recognised by its name alone, so this goes through the parts.
    let try_version = |name: &str, version: &str| {
        let fake = fake(&format!(
            "read a; read b; read c\necho '(:name \"{name}\")'; echo '(:version \"{version}\")'\n\
             exec sleep 20"
        ));
        let mut solver = ExternalSolver {
            command: words(&fake.command),
            preset: Some(&PRESETS[0]),
            control: Control::unlimited(),
            process: None,
            identity: String::new(),
            questions: 0,
        };
        solver.launch(limits::STARTING).err()
    };
    assert_eq!(try_version("cvc5", "1.2.0"), None);
    assert!(matches!(
        try_version("cvc5", "0.9"),
        Some(Failure::Missing(_))
    ));
    assert!(matches!(
        try_version("cvc5", "new"),
        Some(Failure::Missing(_))
    ));
    assert!(matches!(
        try_version("CVC4", "1.8"),
        Some(Failure::Missing(_))
    ));
}

#[test]
fn command_lines() {
    assert_eq!(
        words("a  b 'c d' e\"f g\"h ''"),
        ["a", "b", "c d", "ef gh", ""]
    );
    assert_eq!(words("  "), [""; 0]);
}

#[test]
fn honest_answers() {
    let reply = |answer: &str| {
        format!("{HELLO} while read l; do case $l in *check-sat*) {answer};; esac; done")
    };
    assert_eq!(ask(&reply("echo unsat; echo ult-1")), Ok(Answer::Unsat));
    assert_eq!(ask(&reply("echo sat; echo '\"ult-1\"'")), Ok(Answer::Sat));
    for (reason, failure) in [
        ("incomplete", Failure::Incomplete("incomplete".into())),
        ("memout", Failure::Memory),
        ("timeout", Failure::Timeout),
        (
            "\"(incomplete quantifiers)\"",
            Failure::Incomplete("(incomplete quantifiers)".into()),
        ),
    ] {
        let answer = format!("echo unknown; echo ult-1; echo '(:reason-unknown {reason})'");
        assert_eq!(ask(&reply(&answer)), Ok(Answer::Unknown(failure)));
    }
}

/// Z3's own program, if there is one that is not too old. `.ci/run` fetches it.
fn z3_program() -> Option<&'static str> {
    let output = std::process::Command::new("z3").arg("--version").output();
    let said = String::from_utf8(output.ok()?.stdout).ok()?;
    let version = said.strip_prefix("Z3 version ")?;
    (crate::raw::major_version(version)? >= 5).then_some("z3 -in")
}

/// Native Z3 and Z3 over text agree. Without the program only the printing is tested.
pub(crate) struct Both {
    external: Option<ExternalSolver>,
    limit: Option<Duration>,
}

impl Both {
    pub(crate) fn new(limit: Duration) -> Both {
        let external = z3_program()
            .map(|command| ExternalSolver::start(command, &Control::unlimited()).unwrap());
        Both {
            external,
            limit: Some(limit),
        }
    }

    pub(crate) fn check(&mut self, t: &Terms, formula: Term) -> Answer {
        let session = Session::new(t, &[], &Control::unlimited());
        let native = session.solver().check(&[formula], self.limit);
        print::script(t, &[formula]).unwrap();
        if let Some(external) = &mut self.external {
            let other = external.check_unsat(t, &[formula], self.limit);
            let failed = |answer: &Answer| {
                let Answer::Unknown(failure) = answer else {
                    return false;
                };
                !matches!(failure, Failure::Timeout | Failure::Incomplete(_))
            };
            let agree = native == other
                || matches!(native, Answer::Unknown(_))
                || matches!(other, Answer::Unknown(_));
            assert!(
                agree && !failed(&native) && !failed(&other),
                "natively {native:?}, by text {other:?}:\n{}",
                print::script(t, &[formula]).unwrap()
            );
        }
        native
    }
}

#[test]
fn text_and_native_agree() {
    let t = Terms::new();
    let mut both = Both::new(Duration::from_secs(60));
    let x = t.current("x|y\\z%", Sort::Int);
    let y = t.var("weird name\n", Version::AuxAt(3, 4), Sort::Int);
    assert_eq!(both.check(&t, t.lt(x, y)), Answer::Sat);
    let even = t.eq(t.modulo(x, t.int(2)), t.int(0));
    let odd = t.eq(t.modulo(t.add(&[x, t.int(-3)]), t.int(2)), t.int(0));
    assert_eq!(both.check(&t, t.and2(even, odd)), Answer::Unsat);
    // Maps with two indices, constant maps, uninterpreted sorts, functions.
    let element = Sort::Uninterpreted("a sort".into());
    let map = Sort::map(vec![element.clone(), Sort::Int], Sort::Int);
    let m = t.current("m", map.clone());
    let e = t.current("e", element.clone());
    let stored = t.store(m, &[e, x], t.int(5));
    let stored = t.store(stored, &[e, t.int(4)], t.int(6));
    assert_eq!(
        both.check(
            &t,
            t.and([
                t.neq(x, t.int(4)),
                t.neq(t.select(stored, &[e, x]), t.int(5))
            ])
        ),
        Answer::Unsat
    );
    let constant = t.const_map(map, t.int(0));
    assert_eq!(
        both.check(
            &t,
            t.and([t.eq(m, constant), t.lt(t.int(0), t.select(m, &[e, x]))])
        ),
        Answer::Unsat
    );
    let f = std::sync::Arc::new(ult_core::formula::Function {
        name: "f".into(),
        params: vec![element.clone()],
        result: Sort::Real,
    });
    let d = t.current("d", element.clone());
    let fd = t.apply(&f, &[d]);
    assert_eq!(
        both.check(&t, t.and([t.eq(d, e), t.lt(t.apply(&f, &[e]), fd)])),
        Answer::Unsat
    );
    // Binders: sharing and depth inside.
    let (i, j) = (t.fresh_bound("i", element), t.fresh_bound("j", Sort::Int));
    let read = t.select(m, &[i, j]);
    let mut deep = t.lt(read, j);
    for k in 0..200 {
        let k = t.int(k);
        deep = t.and2(t.or2(deep, t.lt(j, k)), t.or2(deep, t.lt(k, j)));
    }
    let impossible = t.and2(deep, t.lt(j, x));
    let all = t.bind(BinderKind::Forall, &[i, j], impossible, &[vec![read]]);
    assert_eq!(both.check(&t, all), Answer::Unsat);
    let some = t.bind(
        BinderKind::Exists,
        &[j],
        t.and2(t.lt(j, x), t.lt(x, j)),
        &[],
    );
    assert_eq!(both.check(&t, some), Answer::Unsat);
    let double = t.bind(BinderKind::Lambda, &[j], t.add(&[j, j]), &[]);
    assert_eq!(
        both.check(&t, t.neq(t.select(double, &[x]), t.mul(&[t.int(2), x]))),
        Answer::Unsat
    );
}

#[test]
fn floating_point() {
    let t = Terms::new();
    let mut both = Both::new(Duration::from_secs(60));
    let float = Sort::Float(8, 24);
    let call = |name: &str, indices: &[u32], result: Sort, args: &[Term]| {
        t.builtin(
            &std::sync::Arc::new(ult_core::formula::Builtin {
                name: name.into(),
                indices: indices.to_vec(),
                result,
            }),
            args,
        )
    };
    let [a, b] = ["a", "b"].map(|n| t.current(n, float.clone()));
    let rm = t.current("rm", Sort::RoundingMode);
    let sum = call("fp.add", &[], float.clone(), &[rm, a, b]);
    let nan = |x| call("fp.isNaN", &[], Sort::Bool, &[x]);
    let infinity = call("+oo", &[8, 24], float.clone(), &[]);
    let minus = call("-oo", &[], float.clone(), &[]);
    // Infinity minus infinity is no number.
    assert_eq!(
        both.check(
            &t,
            t.and([t.eq(a, infinity), t.eq(b, minus), t.not(nan(sum))])
        ),
        Answer::Unsat
    );
    // No number equals itself, except by identity.
    let itself = call("fp.eq", &[], Sort::Bool, &[a, a]);
    assert_eq!(both.check(&t, t.and2(nan(a), itself)), Answer::Unsat);
    let bits = t.current("bits", Sort::BitVec(32));
    let from = call("to_fp", &[8, 24], float.clone(), &[bits]);
    let one = call(
        "to_fp",
        &[],
        float.clone(),
        &[t.bitvec(0x3f80_0000u32.into(), 32)],
    );
    assert_eq!(
        both.check(
            &t,
            t.and([
                t.eq(from, one),
                t.neq(bits, t.bitvec(0x3f80_0000u32.into(), 32))
            ])
        ),
        Answer::Unsat
    );
    let rne = call("RNE", &[], Sort::RoundingMode, &[]);
    let back = call("fp.to_sbv", &[8], Sort::BitVec(8), &[rne, one]);
    assert_eq!(
        both.check(&t, t.neq(back, t.bitvec(1u32.into(), 8))),
        Answer::Unsat
    );
    // A wrong claim about the sort is refused.
    let wrong = call("to_fp", &[5, 11], float, &[bits]);
    assert!(matches!(
        Session::new(&t, &[], &Control::unlimited())
            .solver()
            .check(&[t.eq(wrong, a)], None),
        Answer::Unknown(Failure::Unsupported(_))
    ));
    assert!(print::script(&t, &[t.eq(wrong, a)]).is_err());
}

#[test]
fn the_text_is_linear() {
    let t = Terms::new();
    let mut x = t.current("x", Sort::BitVec(32));
    let mut formula = t.tt();
    for i in 0..2000u32 {
        // Shared twice at each level.
        x = t.bv(BvOp::Add, &[x, t.bv(BvOp::Mul, &[x, x])]);
        formula = t.and([formula, t.neq(x, t.bitvec(i.into(), 32))]);
    }
    let text = print::script(&t, &[formula]).unwrap();
    assert!(text.len() < 200 * t.size(formula), "{}", text.len());
    // A deep chain without sharing.
    let mut deep = t.current("b", Sort::Bool);
    for i in 0..50_000 {
        deep = t.eq(deep, t.current(format!("b{}", i % 5), Sort::Bool));
    }
    let text = print::script(&t, &[deep]).unwrap();
    assert!(text.len() < 200 * t.size(deep), "{}", text.len());
    assert_eq!(
        Both::new(Duration::from_secs(60)).check(&t, deep),
        Answer::Sat
    );
}
