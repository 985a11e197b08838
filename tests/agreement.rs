//! Random programs: all settings agree with each other, and with executing the program.
//!
//! Programs are made as small trees, printed as Boogie, and executed here at random. A violation
//! that execution finds must never be called SAFE, and no two settings may contradict each other.
//! Programs that are not decided in time do not count, but most have to be.
//!
//! `ULT_AGREEMENT_PROGRAMS=N` sets how many programs are tried.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_driver::{self as program, Conclusion, Language, Progress, Settings, Source};
use ult_engine::EngineKind;
use ult_engine::invariants::Auxiliary;
use ult_engine::verify::Method;
use ult_interpolate::Strategy;
use ult_lower::CallPolicy;
use ult_reduce::{Blocks, ReduceOptions};

use crate::random::Random;

const VARIABLES: [&str; 3] = ["x", "y", "g"];

enum Expr {
    Number(i64),
    Variable(usize),
    Plus(Box<Expr>, Box<Expr>),
    Minus(Box<Expr>, Box<Expr>),
}

enum Condition {
    Compare(&'static str, Expr, Expr),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

enum Stmt {
    Assign(usize, Expr),
    Havoc(usize),
    Assume(Condition),
    Assert(Condition),
    /// `None` is `*`.
    If(Option<Condition>, Vec<Stmt>, Vec<Stmt>),
    While(Option<Condition>, Vec<Stmt>),
    /// `x := clamp(e)`: see [`HEADER`].
    Call(usize, Expr),
}

const HEADER: &str = "var g: int;
procedure clamp(a: int) returns (b: int)
  modifies g;
{
  if (a < g) { call b := plus(a, 1); g := a; } else { call b := plus(g, 0); }
}
procedure plus(a: int, b: int) returns (c: int) { c := a + b; }
";

fn expr(r: &mut Random, depth: u32) -> Expr {
    match r.below(if depth == 0 { 6 } else { 10 }) {
        0..3 => Expr::Number(r.between(0, 3)),
        3..6 => Expr::Variable(r.below(3)),
        6..8 => Expr::Plus(expr(r, depth - 1).into(), expr(r, depth - 1).into()),
        _ => Expr::Minus(expr(r, depth - 1).into(), expr(r, depth - 1).into()),
    }
}

fn condition(r: &mut Random) -> Condition {
    const RELATIONS: [&str; 6] = ["<", "<=", "==", "!=", ">", ">="];
    match r.below(10) {
        0 => Condition::Both(condition(r).into(), condition(r).into()),
        1 => Condition::Either(condition(r).into(), condition(r).into()),
        _ => {
            let relation = *r.pick(&RELATIONS);
            Condition::Compare(relation, expr(r, 1), expr(r, 1))
        }
    }
}

fn block(r: &mut Random, depth: u32) -> Vec<Stmt> {
    (0..r.between(1, 4)).map(|_| stmt(r, depth)).collect()
}

fn stmt(r: &mut Random, depth: u32) -> Stmt {
    let variable = r.below(3);
    let guard = |r: &mut Random| r.chance(65).then(|| condition(r));
    match r.below(if depth == 0 { 68 } else { 100 }) {
        0..46 => Stmt::Assign(variable, expr(r, 2)),
        46..52 => Stmt::Havoc(variable),
        52..57 => Stmt::Assume(condition(r)),
        57..63 => Stmt::Assert(condition(r)),
        63..68 => Stmt::Call(variable, expr(r, 1)),
        68..84 => Stmt::If(guard(r), block(r, depth - 1), block(r, depth - 1)),
        _ => Stmt::While(guard(r), block(r, depth - 1)),
    }
}

fn print_expr(e: &Expr) -> String {
    match e {
        Expr::Number(n) => n.to_string(),
        Expr::Variable(v) => VARIABLES[*v].into(),
        Expr::Plus(a, b) => format!("({} + {})", print_expr(a), print_expr(b)),
        Expr::Minus(a, b) => format!("({} - {})", print_expr(a), print_expr(b)),
    }
}

fn print_condition(c: &Condition) -> String {
    match c {
        Condition::Compare(op, a, b) => format!("{} {op} {}", print_expr(a), print_expr(b)),
        Condition::Both(a, b) => format!("({}) && ({})", print_condition(a), print_condition(b)),
        Condition::Either(a, b) => format!("({}) || ({})", print_condition(a), print_condition(b)),
    }
}

fn print_block(out: &mut String, block: &[Stmt]) {
    let guard = |g: &Option<Condition>| g.as_ref().map_or("*".into(), print_condition);
    for stmt in block {
        let _ = match stmt {
            Stmt::Assign(v, e) => writeln!(out, "{} := {};", VARIABLES[*v], print_expr(e)),
            Stmt::Havoc(v) => writeln!(out, "havoc {};", VARIABLES[*v]),
            Stmt::Assume(c) => writeln!(out, "assume {};", print_condition(c)),
            Stmt::Assert(c) => writeln!(out, "assert {};", print_condition(c)),
            Stmt::Call(v, e) => {
                writeln!(out, "call {} := clamp({});", VARIABLES[*v], print_expr(e))
            }
            Stmt::If(g, yes, no) => {
                let _ = writeln!(out, "if ({}) {{", guard(g));
                print_block(out, yes);
                out.push_str("} else {\n");
                print_block(out, no);
                writeln!(out, "}}")
            }
            Stmt::While(g, body) => {
                let _ = writeln!(out, "while ({}) {{", guard(g));
                print_block(out, body);
                writeln!(out, "}}")
            }
        };
    }
}

/// Why an execution ended early.
enum End {
    Violation,
    /// An assumption failed, or it took too long.
    Nothing,
}

struct Execution<'r> {
    random: &'r mut Random,
    values: [i64; 3],
    steps: u32,
}

impl Execution<'_> {
    fn value(&self, e: &Expr) -> i64 {
        match e {
            Expr::Number(n) => *n,
            Expr::Variable(v) => self.values[*v],
            Expr::Plus(a, b) => self.value(a) + self.value(b),
            Expr::Minus(a, b) => self.value(a) - self.value(b),
        }
    }

    fn holds(&self, c: &Condition) -> bool {
        match c {
            Condition::Compare(op, a, b) => {
                let order = self.value(a).cmp(&self.value(b));
                match *op {
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    "==" => order.is_eq(),
                    "!=" => order.is_ne(),
                    ">" => order.is_gt(),
                    _ => order.is_ge(),
                }
            }
            Condition::Both(a, b) => self.holds(a) && self.holds(b),
            Condition::Either(a, b) => self.holds(a) || self.holds(b),
        }
    }

    fn guard(&mut self, g: &Option<Condition>) -> bool {
        match g {
            Some(c) => self.holds(c),
            None => self.random.chance(55),
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Result<(), End> {
        for stmt in block {
            self.steps += 1;
            // Numbers at most double in a step, so they stay far from overflowing.
            if self.steps > 300 || self.values.iter().any(|v| v.abs() > 1 << 40) {
                return Err(End::Nothing);
            }
            match stmt {
                Stmt::Assign(v, e) => self.values[*v] = self.value(e),
                Stmt::Havoc(v) => self.values[*v] = self.random.between(-4, 4),
                Stmt::Assume(c) if !self.holds(c) => return Err(End::Nothing),
                Stmt::Assert(c) if !self.holds(c) => return Err(End::Violation),
                Stmt::Assume(_) | Stmt::Assert(_) => {}
                Stmt::Call(v, e) => {
                    let a = self.value(e);
                    let g = self.values[2];
                    if a < g {
                        self.values[2] = a;
                    }
                    self.values[*v] = if a < g { a + 1 } else { g };
                }
                Stmt::If(g, yes, no) => {
                    let branch = if self.guard(g) { yes } else { no };
                    self.block(branch)?;
                }
                Stmt::While(g, body) => {
                    while self.guard(g) {
                        self.steps += 1;
                        self.block(body)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn violated_by_execution(body: &[Stmt], random: &mut Random) -> bool {
    (0..200).any(|_| {
        let values = [0, 0, 0].map(|_: i64| random.between(-4, 4));
        let steps = 0;
        let mut execution = Execution {
            random,
            values,
            steps,
        };
        matches!(execution.block(body), Err(End::Violation))
    })
}

fn all_settings() -> Vec<(&'static str, Settings)> {
    let settings = |blocks, interpolation, auxiliary| {
        let mut settings = Settings::default();
        settings.verify.reduce = ReduceOptions {
            blocks,
            ..ReduceOptions::default()
        };
        settings.verify.common.interpolation = interpolation;
        settings.verify.common.auxiliary = auxiliary;
        settings.verify.method = Method::Engine(EngineKind::Slicing);
        settings
    };
    let horn = |auxiliary| {
        let mut settings = settings(Blocks::Large, Strategy::Auto, auxiliary);
        settings.verify.method = Method::Engine(EngineKind::Horn);
        settings
    };
    let mut all = vec![
        ("horn", horn(Auxiliary::Auto)),
        ("horn alone", horn(Auxiliary::None)),
        ("default", Settings::default()),
        (
            "slicing",
            settings(Blocks::Large, Strategy::Auto, Auxiliary::Auto),
        ),
        (
            "paper",
            settings(Blocks::Large, Strategy::Horn, Auxiliary::None),
        ),
        (
            "cubes",
            settings(Blocks::Large, Strategy::Cubes, Auxiliary::None),
        ),
        (
            "sequences",
            settings(Blocks::Sequence, Strategy::Auto, Auxiliary::Auto),
        ),
        (
            "single blocks",
            settings(Blocks::None, Strategy::Auto, Auxiliary::Auto),
        ),
    ];
    for (name, engine, blocks) in [
        ("bounded", EngineKind::Bmc, Blocks::Large),
        ("k-induction", EngineKind::KInduction, Blocks::Large),
        (
            "k-induction, single blocks",
            EngineKind::KInduction,
            Blocks::None,
        ),
        ("execution", EngineKind::Execution, Blocks::Large),
    ] {
        let mut settings = settings(blocks, Strategy::Auto, Auxiliary::Auto);
        settings.verify.method = Method::Engine(engine);
        all.push((name, settings));
    }
    for (name, mut settings) in [
        ("bodies once", Settings::default()),
        (
            "bodies once, slicing",
            settings(Blocks::Large, Strategy::Auto, Auxiliary::Auto),
        ),
    ] {
        settings.reading.calls = CallPolicy::Once;
        all.push((name, settings));
    }
    all
}

#[test]
fn settings_agree_with_each_other_and_with_execution() {
    let programs: u64 = std::env::var("ULT_AGREEMENT_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12);
    let (mut safe, mut unsafe_, mut open) = (0, 0, 0);
    for seed in 0..programs {
        let mut random = Random::new(seed);
        let mut body = block(&mut random, 2);
        body.push(Stmt::Assert(condition(&mut random)));
        let mut text = format!("{HEADER}procedure main() modifies g; {{\nvar x, y: int;\n");
        print_block(&mut text, &body);
        text.push_str("}\n");

        let violated = violated_by_execution(&body, &mut random);
        let mut verdicts = Vec::new();
        for (name, settings) in all_settings() {
            let deadline = Instant::now() + Duration::from_millis(1500);
            let control = Control::with_deadline(Some(deadline));
            let source = Source::new("random.bpl", text.as_str());
            let report = program::check(
                &source,
                Language::Boogie,
                &settings,
                &control,
                &Progress::default(),
            )
            .expect("no entries are named");
            verdicts.push((name, report.conclusion()));
        }
        let some = |wanted: &Conclusion| verdicts.iter().any(|(_, verdict)| verdict == wanted);
        let context = || format!("seed {seed}: executed {violated}, {verdicts:?}\n{text}");
        assert!(!some(&Conclusion::Rejected), "{}", context());
        assert!(
            !(some(&Conclusion::Safe) && some(&Conclusion::Unsafe)),
            "{}",
            context()
        );
        assert!(!(violated && some(&Conclusion::Safe)), "{}", context());
        for (_, verdict) in &verdicts {
            match verdict {
                Conclusion::Safe => safe += 1,
                Conclusion::Unsafe => unsafe_ += 1,
                Conclusion::Conditional(_)
                | Conclusion::Unknown(_)
                | Conclusion::Nothing
                | Conclusion::Rejected => open += 1,
            }
        }
    }
    println!("{safe} safe, {unsafe_} unsafe, {open} open");
    assert!(
        safe + unsafe_ > open,
        "{safe} safe, {unsafe_} unsafe, {open} open"
    );
}
