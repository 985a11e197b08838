//! A language of one's own, verified: a translator into a program graph in a hundred lines.
//!
//! The language has counters, which are zero at first, and one command in each line:
//!
//! ```text
//! up x            x goes up by one
//! down x          x goes down by one; not possible at zero
//! loop ... end    any number of times
//! never x y       it must not be that x > y here
//! ```
//!
//! `cargo run --example mini_language`

#![allow(unreachable_pub, reason = "the example is a module of a test")]
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write as _;

use ult::control::Control;
use ult::formula::Terms;
use ult::graph::LocationId;
use ult::model::{Answer, Int, Model};
use ult::verify::Settings;

/// A program on its way to a graph.
struct Translation<'t> {
    model: Model<'t>,
    counters: Vec<(String, Int<'t>)>,
    /// Where the next command starts.
    here: LocationId,
    /// The heads of the loops that are open.
    loops: Vec<LocationId>,
}

impl<'t> Translation<'t> {
    fn new(terms: &'t Terms) -> Translation<'t> {
        let model = Model::new(terms, "counters");
        let here = model.start();
        Translation {
            model,
            counters: Vec::new(),
            here,
            loops: Vec::new(),
        }
    }

    /// The counter of this name. It must be among those declared at the beginning.
    fn counter(&self, name: &str) -> Result<Int<'t>, String> {
        let found = self.counters.iter().find(|(own, _)| own == name);
        found
            .map(|(_, counter)| *counter)
            .ok_or(format!("no counter `{name}`"))
    }

    /// Declares counters and sets them to zero.
    fn declare(&mut self, names: &[&str]) {
        for name in names {
            let counter = self.model.int(name);
            self.counters.push(((*name).to_owned(), counter));
        }
        let next = self.model.location("begin");
        let mut edge = self.model.edge(self.here, next);
        for (_, counter) in &self.counters {
            edge = edge.set(*counter, 0);
        }
        self.here = next;
    }

    /// Translates one command, which stands on this line.
    fn command(&mut self, line: usize, words: &[&str]) -> Result<(), String> {
        let next = self.model.location(&format!("line{line}"));
        match *words {
            ["up", name] => {
                let x = self.counter(name)?;
                self.model.edge(self.here, next).set(x, x + 1);
            }
            // ANCHOR: command
            ["down", name] => {
                let x = self.counter(name)?;
                self.model
                    .edge(self.here, next)
                    .when(x.above(0))
                    .set(x, x - 1);
            }
            // ANCHOR_END: command
            ["loop"] => {
                self.model.edge(self.here, next);
                self.loops.push(next);
            }
            ["end"] => {
                let head = self.loops.pop().ok_or("an `end` without a `loop`")?;
                self.model.edge(self.here, head);
                self.model.edge(head, next);
            }
            ["never", x, y] => {
                let (x, y) = (self.counter(x)?, self.counter(y)?);
                let meaning = format!("line {line}: {}", words.join(" "));
                let error = self.model.error(&format!("error{line}"), &meaning);
                self.model.edge(self.here, error).when(x.above(y));
                self.model.edge(self.here, next);
            }
            _ => {
                return Err(format!(
                    "line {line}: unknown command `{}`",
                    words.join(" ")
                ));
            }
        }
        self.here = next;
        Ok(())
    }
}

/// Translates and checks a program.
fn check(program: &str) -> Result<Answer, Box<dyn Error>> {
    let terms = Terms::new();
    let mut translation = Translation::new(&terms);
    for (line, text) in (1..).zip(program.lines()) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match *words {
            [] => {}
            ["counters", ref names @ ..] => translation.declare(names),
            _ => translation.command(line, &words)?,
        }
    }
    Ok(translation
        .model
        .check(&Settings::default(), &Control::unlimited())?)
}

/// What there is to tell.
pub fn story() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for (name, program) in [
        (
            "good",
            "counters sent got\nloop\n  up sent\n  up got\nend\nnever got sent",
        ),
        (
            "bad",
            "counters sent got\nloop\n  up got\n  never got sent\n  up sent\nend",
        ),
    ] {
        for error in check(program)?.errors {
            let verdict = if error.verdict.is_safe() {
                "never"
            } else {
                "possible"
            };
            writeln!(text, "{name}: {} -- {verdict}", error.meaning)?;
            for (place, invariant) in &error.invariants {
                writeln!(text, "  at {place}: {invariant}")?;
            }
        }
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", story()?);
    Ok(())
}
