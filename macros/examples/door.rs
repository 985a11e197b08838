//! A door with a lock, as a program graph inside of Rust.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use ult::control::Control;
use ult::program::{Conclusion, Settings};

fn main() {
    // ANCHOR: door
    let door = ult::graph! {
        graph door {
            var open, locked: bool;

            init start;
            error broken "the door is open and locked";

            start -> idle: !next(open) && next(locked);
            idle -> idle: !locked && next(open) == !open;         // somebody opens or closes it
            idle -> idle: !open && next(locked) == !locked;       // somebody turns the key
            idle -> broken: open && locked;
        }
    };
    let report = door.check(&Settings::default(), &Control::unlimited());
    println!(
        "the lock works: {}",
        report.conclusion() == Conclusion::Safe
    );
    // ANCHOR_END: door
}
