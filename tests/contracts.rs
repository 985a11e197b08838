//! Random programs whose procedures have contracts: what `ult check` says of them is what `ult run` does.
//!
//! The programs have no input, so each has one run, and the run is the truth. Contracts, `where` clauses and attributes are
//! random, and many do not hold. Where Boogie is installed and `ULT_CONTRACT_BOOGIE` is set, it is asked about the modular reading.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::random::Random;

/// So many programs are tried, unless `ULT_CONTRACT_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 12;

/// So many seconds has each proof, unless `ULT_CONTRACT_SECONDS` says otherwise.
const SECONDS: u64 = 3;

#[test]
fn contracts_mean_the_same_to_proofs_and_runs() {
    let number = |name: &str, default| {
        let given = std::env::var(name).ok();
        given.map_or(default, |text| text.parse::<u64>().expect("a number"))
    };
    let (count, seed) = (
        number("ULT_CONTRACT_PROGRAMS", PROGRAMS),
        number("ULT_CONTRACT_SEED", 0),
    );
    let seconds = number("ULT_CONTRACT_SECONDS", SECONDS).to_string();
    let asks_boogie = std::env::var_os("ULT_CONTRACT_BOOGIE").is_some();
    let folder = tempfile::tempdir().expect("a folder");
    let (mut violated, mut passed, mut wrong) = (0, 0, Vec::new());
    for seed in seed..seed + count {
        let text = Writer::new(seed).program();
        let path = folder.path().join(format!("contracts_{seed}.bpl"));
        std::fs::write(&path, &text).expect("a file");
        let run = exit_code(&["run", "--entry", "main"], &path);
        match run {
            1 => violated += 1,
            0 | 4 => passed += 1,
            other => wrong.push(format!("{seed}: the run ends with {other}\n{text}")),
        }
        for calls in ["auto", "once", "contract"] {
            let flags = [
                "check",
                "--entry",
                "main",
                "--calls",
                calls,
                "--timeout",
                &seconds,
            ];
            let check = exit_code(&flags, &path);
            // SAFE, UNSAFE, UNKNOWN and NOTHING.
            let fits = match check {
                0 | 6 => run != 1,
                1 => run == 1,
                code => code == 4,
            };
            if !fits {
                let what = format!("check --calls {calls} ends with {check}, run with {run}");
                wrong.push(format!("{seed}: {what}\n{text}"));
            }
        }
        if asks_boogie {
            let check = exit_code(&["check", "--modular", "--timeout", &seconds], &path);
            let boogie = errors_of_boogie(&path);
            let fits = match check {
                0 | 6 => boogie == Some(0),
                1 => boogie.is_some_and(|errors| errors > 0),
                code => code == 4,
            };
            if !fits {
                let what = format!("check --modular ends with {check}, Boogie has {boogie:?}");
                wrong.push(format!("{seed}: {what}\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    let few = count / 5;
    assert!(
        violated >= few && passed >= few,
        "{violated} violated, {passed} passed"
    );
}

fn exit_code(arguments: &[&str], path: &Path) -> i32 {
    let program = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(arguments)
        .arg(path)
        .output()
        .expect("ult starts");
    program.status.code().expect("no signal")
}

fn errors_of_boogie(path: &Path) -> Option<u32> {
    let output = Command::new("boogie").arg(path).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.contains(" verified, "))?;
    let errors = line.split(" verified, ").nth(1)?.split(' ').next()?;
    errors.parse().ok()
}

/// Who writes such programs.
struct Writer {
    random: Random,
    /// Whether each procedure written so far has a body.
    procedures: usize,
    text: String,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            random: Random::new(seed),
            procedures: 0,
            text: String::new(),
        }
    }

    fn program(mut self) -> String {
        let clause = self.maybe(30, |w| format!(" where {}", w.condition(&["g"])));
        let _ = writeln!(self.text, "var g: int{clause};");
        for _ in 0..self.random.between(1, 3) {
            self.procedure();
        }
        self.text += "procedure main()\n  modifies g;\n{\n  var a, b, i: int;\n";
        let start = format!(
            "  a, b, g, i := {}, {}, {}, 0;\n",
            self.small(),
            self.small(),
            self.small()
        );
        self.text += &start;
        for _ in 0..self.random.between(2, 4) {
            self.statement(&["a", "b", "g"], &["a", "b"], 1);
        }
        self.text += "}\n";
        self.text
    }

    /// The procedures before this one, and itself, may be called by it.
    fn procedure(&mut self) {
        let name = self.procedures;
        let has_body = !self.random.one_in(4);
        let attribute = match has_body && self.random.one_in(8) {
            true => "{:inline 1} ",
            false => "",
        };
        let before = self.maybe(30, |w| format!(" where {}", w.condition(&["x", "g"])));
        let value = self.small();
        // One value, so that there is one run.
        let result = self.maybe(30, |_| format!(" where r == {value}"));
        let _ = writeln!(
            self.text,
            "procedure {attribute}p{name}(x: int{before}, y: int) returns (r: int{result}){}\n  modifies g;",
            if has_body { "" } else { ";" }
        );
        for _ in 0..self.random.between(0, 2) {
            let (free, condition) = (self.free(), self.condition(&["x", "y", "g"]));
            let _ = writeln!(self.text, "  {free}requires {condition};");
        }
        if !has_body {
            let (value, change) = (self.value(&["x", "y"]), self.small());
            let value = if result.is_empty() {
                value
            } else {
                self.small().to_string()
            };
            let _ = writeln!(
                self.text,
                "  ensures r == {value} && g == old(g) + {change};"
            );
        }
        for _ in 0..self.random.between(0, 2) {
            let (free, condition) = (self.free(), self.condition(&["x", "r", "g", "old(g)"]));
            let _ = writeln!(self.text, "  {free}ensures {condition};");
        }
        self.procedures += 1;
        if !has_body {
            return;
        }
        self.text += "{\n";
        let local = self.small();
        let _ = writeln!(
            self.text,
            "  var v: int where v == {local};\n  var i: int;\n  i := 0;"
        );
        if result.is_empty() {
            let first = self.value(&["x", "y", "v"]);
            let _ = writeln!(self.text, "  r := {first};");
        }
        for _ in 0..self.random.between(1, 3) {
            self.statement(&["x", "y", "r", "g", "v"], &["r", "v"], 1);
        }
        self.text += "}\n";
    }

    fn statement(&mut self, seen: &[&str], changed: &[&str], depth: u32) {
        let indent = "  ".repeat(depth as usize);
        let choice = self.random.below(if depth > 2 { 6 } else { 9 });
        match choice {
            0 | 1 => {
                let (target, value) = (
                    *self.random.pick(&[changed, &["g"]].concat()),
                    self.value(seen),
                );
                let _ = writeln!(self.text, "{indent}{target} := {value};");
            }
            2 => {
                let condition = self.condition(seen);
                let _ = writeln!(self.text, "{indent}assert {condition};");
            }
            3 if self.random.one_in(3) => {
                let condition = self.condition(seen);
                let _ = writeln!(self.text, "{indent}assume {condition};");
            }
            4 if seen.contains(&"v") => {
                let _ = writeln!(self.text, "{indent}havoc v;");
            }
            6 => {
                let condition = self.condition(seen);
                let _ = writeln!(self.text, "{indent}if ({condition}) {{");
                self.statement(seen, changed, depth + 1);
                let _ = writeln!(self.text, "{indent}}} else {{");
                self.statement(seen, changed, depth + 1);
                let _ = writeln!(self.text, "{indent}}}");
            }
            7 => {
                let rounds = self.random.between(1, 3);
                let invariant = self.maybe(50, |w| {
                    let (free, condition) = (w.free(), w.condition(seen));
                    format!(" {free}invariant {condition};")
                });
                let _ = writeln!(
                    self.text,
                    "{indent}i := 0;\n{indent}while (i < {rounds}){invariant} {{"
                );
                let _ = writeln!(self.text, "{indent}  i := i + 1;");
                self.statement(seen, changed, 3);
                let _ = writeln!(self.text, "{indent}}}");
            }
            _ if self.procedures > 0 => self.call(seen, changed, &indent),
            _ => {}
        }
    }

    fn call(&mut self, seen: &[&str], changed: &[&str], indent: &str) {
        let callee = self.random.below(self.procedures);
        let is_recursive = callee + 1 == self.procedures && seen.contains(&"x");
        let free = self.free();
        let attribute = self.maybe(10, |_| "{:verified_under true} ".to_owned());
        let (target, first) = (*self.random.pick(changed), self.value(seen));
        let second = self.value(seen);
        match is_recursive {
            // It ends, since the first argument gets smaller.
            true => {
                let _ = writeln!(
                    self.text,
                    "{indent}if (x > 0 && x < 5) {{ {free}call {attribute}{target} := p{callee}(x - 1, {second}); }}"
                );
            }
            false => {
                let _ = writeln!(
                    self.text,
                    "{indent}{free}call {attribute}{target} := p{callee}({first}, {second});"
                );
            }
        }
    }

    fn free(&mut self) -> &'static str {
        match self.random.one_in(3) {
            true => "free ",
            false => "",
        }
    }

    fn maybe(&mut self, percent: usize, text: impl FnOnce(&mut Writer) -> String) -> String {
        match self.random.chance(percent) {
            true => text(self),
            false => String::new(),
        }
    }

    fn small(&mut self) -> i64 {
        self.random.between(0, 4)
    }

    fn value(&mut self, seen: &[&str]) -> String {
        let (name, number) = (*self.random.pick(seen), self.small());
        match self.random.below(4) {
            0 => number.to_string(),
            1 => name.to_owned(),
            2 => format!("{name} + {number}"),
            _ => format!("{name} - {number}"),
        }
    }

    /// Most conditions hold.
    fn condition(&mut self, seen: &[&str]) -> String {
        let (name, number) = (*self.random.pick(seen), self.small());
        match self.random.below(5) {
            0 => format!("{name} > {number}"),
            1 => format!("{name} < {}", self.value(seen)),
            2 => format!("{name} != {number}"),
            3 => format!("{name} < {}", number + 6),
            _ => format!("{name} >= {}", self.value(seen)),
        }
    }
}
