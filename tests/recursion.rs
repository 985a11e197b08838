//! Random recursive programs without input: what they compute is what their execution computes.
//!
//! Programs are made as small trees, printed as Boogie, and executed here. The last assertion says what they compute, or something
//! else, so each has one verdict. Procedures call each other and themselves, with locals, results and `old` that outlive the calls.
//!
//! `ULT_RECURSIVE_PROGRAMS=N` sets how many programs are tried.

use std::fmt::Write as _;

use ult_core::control::Control;
use ult_driver::{self as program, Conclusion, Language, Progress, Settings, Source};
use ult_engine::verify::Method;

use crate::random::Random;

/// Of a procedure: what it is called with, its locals and its result; then the global variable, and what it was at the call.
const VARIABLES: [&str; 7] = ["n", "a", "x", "y", "r", "g", "old(g)"];
const N: usize = 0;
const A: usize = 1;
const X: usize = 2;
const R: usize = 4;
const G: usize = 5;
const OLD: usize = 6;

/// A sum of a variable, or two, and a number.
struct Sum(Vec<(bool, usize)>, i64);

enum Stmt {
    Assign(usize, Sum),
    If(Sum, Sum, Vec<Stmt>, Vec<Stmt>),
    /// The variable for the result, the procedure, and its second argument; the first is one less.
    Call(usize, usize, Sum),
}

struct Procedure {
    last: Sum,
    body: Vec<Stmt>,
}

fn sum(r: &mut Random) -> Sum {
    let variables = (0..=r.below(2)).map(|_| (r.chance(70), r.below(VARIABLES.len())));
    Sum(variables.collect(), r.between(-3, 3))
}

fn block(r: &mut Random, depth: usize, procedures: usize) -> Vec<Stmt> {
    (0..1 + r.below(4))
        .map(|_| match r.below(10) {
            0..4 => Stmt::Assign(X + r.below(4), sum(r)),
            4..6 if depth > 0 => Stmt::If(
                sum(r),
                sum(r),
                block(r, depth - 1, procedures),
                block(r, depth - 1, procedures),
            ),
            _ => Stmt::Call(X + r.below(4), r.below(procedures), sum(r)),
        })
        .collect()
}

impl Sum {
    /// Nothing where it gets too large.
    fn value(&self, state: &[i64; 7]) -> Option<i64> {
        self.0
            .iter()
            .try_fold(self.1, |sum, &(plus, variable)| match plus {
                true => sum.checked_add(state[variable]),
                false => sum.checked_sub(state[variable]),
            })
    }

    fn print(&self) -> String {
        let mut text = self.1.to_string();
        for (plus, variable) in &self.0 {
            let sign = if *plus { "+" } else { "-" };
            write!(text, " {sign} {}", VARIABLES[*variable]).unwrap();
        }
        text
    }
}

fn print(text: &mut String, block: &[Stmt]) {
    for stmt in block {
        match stmt {
            Stmt::Assign(to, sum) => writeln!(text, "{} := {};", VARIABLES[*to], sum.print()),
            Stmt::Call(to, callee, sum) => {
                let to = VARIABLES[*to];
                writeln!(text, "call {to} := p{callee}(n - 1, {});", sum.print())
            }
            Stmt::If(left, right, then, otherwise) => {
                writeln!(text, "if ({} < {}) {{", left.print(), right.print()).unwrap();
                print(text, then);
                text.push_str("} else {\n");
                print(text, otherwise);
                writeln!(text, "}}")
            }
        }
        .unwrap();
    }
}

/// A call: the result. Nothing where there are very many steps, or numbers get too large.
fn call(
    all: &[Procedure],
    callee: usize,
    n: i64,
    a: i64,
    g: &mut i64,
    fuel: &mut u32,
) -> Option<i64> {
    let mut state = [0; 7];
    (state[N], state[A], state[G], state[OLD]) = (n, a, *g, *g);
    if n > 0 {
        execute(all, &all[callee].body, &mut state, fuel)?;
    } else {
        state[R] = all[callee].last.value(&state)?;
    }
    *g = state[G];
    Some(state[R])
}

fn execute(all: &[Procedure], block: &[Stmt], state: &mut [i64; 7], fuel: &mut u32) -> Option<()> {
    for stmt in block {
        *fuel = fuel.checked_sub(1)?;
        match stmt {
            Stmt::Assign(to, sum) => state[*to] = sum.value(state)?,
            Stmt::Call(to, callee, sum) => {
                let mut g = state[G];
                let argument = sum.value(state)?;
                let result = call(all, *callee, state[N] - 1, argument, &mut g, fuel)?;
                state[G] = g;
                state[*to] = result;
            }
            Stmt::If(left, right, then, otherwise) => {
                let holds = left.value(state)? < right.value(state)?;
                execute(all, if holds { then } else { otherwise }, state, fuel)?;
            }
        }
    }
    Some(())
}

#[test]
fn recursive_programs_compute_what_their_execution_computes() {
    let programs: u64 = std::env::var("ULT_RECURSIVE_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60);
    let (mut tried, mut deepest) = (0, 0);
    for seed in 0..programs {
        let r = &mut Random::new(seed);
        let count = 1 + r.below(3);
        let all: Vec<Procedure> = (0..count)
            .map(|_| Procedure {
                last: sum(r),
                body: block(r, 2, count),
            })
            .collect();
        let mut text = String::from("var g: int;\n");
        for (number, procedure) in all.iter().enumerate() {
            writeln!(
                text,
                "procedure p{number}(n: int, a: int) returns (r: int) modifies g; {{\nvar x, y: int;\nif (n > 0) {{\n\
                 x := 0; y := 0; r := 0;"
            )
            .unwrap();
            print(&mut text, &procedure.body);
            // Where a call ends, its locals were never given a value.
            let last = procedure.last.print().replace(['x', 'y', 'r'], "0");
            writeln!(text, "}} else {{ r := {last}; }}\n}}").unwrap();
        }
        let (n, a, mut g) = (r.between(1, 4), r.between(-2, 2), r.between(-2, 2));
        let start = g;
        let mut fuel = 2_000;
        let Some(result) = call(&all, 0, n, a, &mut g, &mut fuel) else {
            continue;
        };
        let is_right = r.chance(50);
        let claimed = if is_right { result } else { result + 1 };
        writeln!(
            text,
            "procedure {{:entrypoint}} main() modifies g; {{\nvar m: int;\ng := {start};\ncall m := p0({n}, {a});\n\
             assert g == {g};\nassert m == {claimed};\n}}"
        )
        .unwrap();
        let mut settings = Settings::default();
        settings.verify.method = Method::Traces;
        let source = Source::new("random.bpl", text.as_str());
        let (control, progress) = (Control::unlimited(), Progress::default());
        let report = program::check(&source, Language::Boogie, &settings, &control, &progress)
            .expect("no entries are named");
        let wanted = match is_right {
            true => Conclusion::Safe,
            false => Conclusion::Unsafe,
        };
        assert_eq!(report.conclusion(), wanted, "seed {seed}:\n{text}");
        tried += 1;
        deepest = deepest.max(n);
    }
    println!("{tried} of {programs} programs, at most {deepest} activations deep");
    assert!(2 * tried > programs && deepest > 2, "{tried} of {programs}");
}
