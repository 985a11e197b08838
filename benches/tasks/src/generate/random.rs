//! Random programs as in section 6 of Ermis, Hoenicke, Podelski, Schäf, "Slicing Abstraction using
//! Path Formulas" (VMCAI 2012): one procedure with five local variables, a sequence of up to 15
//! control-flow statements, each of them an `if-then-else` or a `while` with up to 5 statements in
//! each body, nested up to 5 deep, and a sequence of random assertions at the end.
//!
//! The paper does not say how conditions and assignments look. Here they are linear, with small
//! constants, and a condition may be left open (`*`).

use std::fmt::Write as _;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Program;

const VARIABLES: [&str; 5] = ["a", "b", "c", "d", "e"];
const MOST_STATEMENTS: u32 = 15;
const MOST_SUB_STATEMENTS: u32 = 5;
const DEEPEST: u32 = 5;
const MOST_ASSERTIONS: u32 = 5;
const LARGEST_CONSTANT: i32 = 10;

/// So many different programs; the same ones for the same seed.
pub(crate) fn programs(seed: u64, count: u32) -> Vec<Program> {
    (0..count)
        .map(|number| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            // Each program is a stream of its own, so that more of them change none.
            generator.set_stream(u64::from(number));
            Program {
                name: format!("random-{seed}-{number:03}"),
                text: Writer::new(generator).program(),
                expected: "open",
            }
        })
        .collect()
}

struct Writer {
    random: ChaCha8Rng,
    text: String,
}

impl Writer {
    fn new(random: ChaCha8Rng) -> Writer {
        Writer {
            random,
            text: String::new(),
        }
    }

    fn program(mut self) -> String {
        let _ = writeln!(
            self.text,
            "procedure main()\n{{\n  var {}: int;",
            VARIABLES.join(", ")
        );
        for _ in 0..self.random.random_range(1..=MOST_STATEMENTS) {
            self.control(1);
        }
        for _ in 0..self.random.random_range(1..=MOST_ASSERTIONS) {
            let condition = self.comparison();
            let _ = writeln!(self.text, "  assert {condition};");
        }
        self.text += "}\n";
        self.text
    }

    /// A control-flow statement at a depth of nesting, from 1 on.
    fn control(&mut self, depth: u32) {
        let indent = "  ".repeat(depth as usize);
        let condition = self.condition();
        if self.random.random_bool(0.5) {
            let _ = writeln!(self.text, "{indent}if ({condition}) {{");
            self.body(depth);
            let _ = writeln!(self.text, "{indent}}} else {{");
            self.body(depth);
        } else {
            let _ = writeln!(self.text, "{indent}while ({condition}) {{");
            self.body(depth);
        }
        let _ = writeln!(self.text, "{indent}}}");
    }

    fn body(&mut self, depth: u32) {
        for _ in 0..self.random.random_range(1..=MOST_SUB_STATEMENTS) {
            // Deeper nesting gets rarer, else programs would explode.
            if depth < DEEPEST && self.random.random_ratio(1, 2 * depth + 2) {
                self.control(depth + 1);
            } else {
                let indent = "  ".repeat(depth as usize + 1);
                let (target, value) = (self.variable(), self.value());
                let _ = writeln!(self.text, "{indent}{target} := {value};");
            }
        }
    }

    fn condition(&mut self) -> String {
        match self.random.random_range(0..4) {
            0 => "*".to_owned(),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let operators = ["<", "<=", "==", "!=", ">", ">="];
        let operator = operators[self.random.random_range(0..operators.len())];
        let left = self.random.random_range(0..VARIABLES.len());
        let right = match self.random.random_bool(0.5) {
            // Another one: `a < a` says nothing.
            true => {
                let step = self.random.random_range(1..VARIABLES.len());
                VARIABLES[(left + step) % VARIABLES.len()].to_owned()
            }
            false => self.constant(),
        };
        let left = VARIABLES[left];
        format!("{left} {operator} {right}")
    }

    fn value(&mut self) -> String {
        let variable = self.variable();
        match self.random.random_range(0..5) {
            0 => self.constant(),
            1 => variable.to_owned(),
            2 => format!("{variable} + {}", self.variable()),
            3 => format!("{variable} - {}", self.variable()),
            _ => format!("{variable} + {}", self.constant()),
        }
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.random.random_range(0..VARIABLES.len())]
    }

    fn constant(&mut self) -> String {
        self.random
            .random_range(-LARGEST_CONSTANT..=LARGEST_CONSTANT)
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_programs() {
        let texts = |seed, count| -> Vec<String> {
            let programs = programs(seed, count);
            programs.into_iter().map(|program| program.text).collect()
        };
        let all = texts(1, 8);
        assert_eq!(all[..4], texts(1, 4));
        assert_ne!(all, texts(2, 8));
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn programs_keep_the_limits() {
        for program in programs(3, 50) {
            let deepest = program
                .text
                .lines()
                .filter(|line| line.contains("while") || line.contains("if ("))
                .map(|line| line.len() - line.trim_start().len())
                .max();
            assert!(deepest.unwrap() <= 2 * DEEPEST as usize);
            let assertions = program.text.matches("assert ").count();
            assert!((1..=MOST_ASSERTIONS as usize).contains(&assertions));
        }
    }
}
