//! A lock that any number of clients share, and a client that forgets to look. The graph is made by a loop.
//!
//! `cargo run --example lock_protocol`

#![allow(unreachable_pub, reason = "the example is a module of a test")]
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write as _;

use ult::control::Control;
use ult::engine::EngineKind;
use ult::formula::Terms;
use ult::model::{Answer, Bool, Model};
use ult::verify::{Method, Settings};

/// Nobody holds the lock.
const NOBODY: i64 = 0;

// ANCHOR: lock
/// Checks the lock with so many clients, one of which may be careless.
fn lock(clients: i64, careless: Option<i64>) -> Result<Answer, ult::model::Mistakes> {
    let terms = Terms::new();
    let mut model = Model::new(&terms, "lock");
    let owner = model.int("owner");
    let inside: Vec<Bool<'_>> = (1..=clients)
        .map(|client| model.bool(&format!("inside{client}")))
        .collect();
    let (start, run) = (model.start(), model.location("run"));
    let clash = model.error("clash", "two clients are inside");

    let nobody_inside = inside
        .iter()
        .fold(owner.next().is(NOBODY), |all, client| all & !client.next());
    model.edge(start, run).when(nobody_inside);

    for (client, &is_inside) in (1..).zip(&inside) {
        // A careless client does not look whether the lock is free.
        let may_enter = owner.is(NOBODY) | (careless == Some(client));
        model
            .edge(run, run)
            .when(may_enter)
            .set(is_inside, true)
            .set(owner, client);
        model
            .edge(run, run)
            .when(is_inside)
            .set(is_inside, false)
            .set(owner, NOBODY);
        for &other in &inside[..client as usize - 1] {
            model.edge(run, clash).when(is_inside & other);
        }
    }

    // Any engine would do; this one is good at finite protocols.
    let settings = Settings {
        method: Method::Engine(EngineKind::Predicate),
        ..Settings::default()
    };
    model.check(&settings, &Control::unlimited())
}
// ANCHOR_END: lock

/// What there is to tell.
pub fn story() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for clients in [2, 4] {
        let answer = lock(clients, None)?;
        writeln!(
            text,
            "{clients} careful clients: safe = {}",
            answer.is_safe()
        )?;
    }
    let answer = lock(3, Some(2))?;
    writeln!(text, "client 2 is careless: safe = {}", answer.is_safe())?;
    if let Some(error) = answer.error("clash") {
        writeln!(
            text,
            "{} after {} steps",
            error.meaning,
            error.run.len() - 1
        )?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", story()?);
    Ok(())
}
