//! Two traffic lights at a crossing, built as a program graph with Rust expressions.
//!
//! `cargo run --example traffic_light`

#![allow(unreachable_pub, reason = "the example is a module of a test")]
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write as _;

use ult::control::Control;
use ult::formula::Terms;
use ult::model::{Answer, Model};
use ult::verify::Settings;

const RED: i64 = 0;
const YELLOW: i64 = 1;
const GREEN: i64 = 2;

// ANCHOR: crossing
/// Checks the crossing. A polite light turns green only if the other one is red.
fn crossing(polite: bool) -> Result<Answer, ult::model::Mistakes> {
    let terms = Terms::new();
    let mut model = Model::new(&terms, "crossing");
    let (north, east) = (model.int("north"), model.int("east"));
    let (start, run) = (model.start(), model.location("run"));
    let crash = model.error("crash", "both lights are green");

    model.edge(start, run).set(north, RED).set(east, RED);
    for (own, other) in [(north, east), (east, north)] {
        let may_go = if polite {
            other.is(RED)
        } else {
            other.is_not(YELLOW)
        };
        model
            .edge(run, run)
            .when(own.is(RED) & may_go)
            .set(own, GREEN);
        model.edge(run, run).when(own.is(GREEN)).set(own, YELLOW);
        model.edge(run, run).when(own.is(YELLOW)).set(own, RED);
    }
    model
        .edge(run, crash)
        .when(north.is(GREEN) & east.is(GREEN));

    model.check(&Settings::default(), &Control::unlimited())
}
// ANCHOR_END: crossing

/// What there is to tell.
pub fn story() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let polite = crossing(true)?;
    writeln!(text, "polite lights are safe: {}", polite.is_safe())?;

    // ANCHOR: run
    let rude = crossing(false)?;
    let crash = rude.error("crash").ok_or("there is a crash to speak of")?;
    writeln!(text, "rude ones: {}", crash.meaning)?;
    for moment in &crash.run {
        let values = moment
            .values
            .iter()
            .map(|(name, value)| format!(" {name} = {value}"));
        writeln!(
            text,
            "  {:<6}{}",
            moment.location,
            values.collect::<String>()
        )?;
    }
    // ANCHOR_END: run
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", story()?);
    Ok(())
}
