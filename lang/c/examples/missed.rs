//! What the analysis of pointers misses in preprocessed C programs.
//!
//! `cargo run -p ult-c --example missed -- [--32] [--flat] FILE...`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a program"
)]

use std::time::Instant;

use ult_c::types::DataModel;
use ult_c::{Members, Options, elaborate, encode, library, parse};

fn main() {
    let mut options = Options::default();
    for argument in std::env::args().skip(1) {
        if argument == "--32" {
            options.model = DataModel::Ilp32;
            continue;
        }
        if argument == "--flat" {
            options.members = Members::Flat;
            continue;
        }
        let text = match std::fs::read_to_string(&argument) {
            Ok(text) => text,
            Err(error) => {
                println!("{argument}: {error}");
                continue;
            }
        };
        let parsed = parse::parse(&library::completed(&text));
        parsed.with_stack(|| {
            let (mut program, _) = elaborate(&parsed, options.model);
            // What is wrong with it is told by others.
            let _ = ult_c::caller::add(&mut program, &options);
            let start = Instant::now();
            let missed = encode::missed(&program, &options);
            println!("{argument}: {} ({:?})", missed.len(), start.elapsed());
            for one in missed {
                let line = text.get(..one.span.start as usize);
                let line = line.map_or(0, |before| before.matches('\n').count() + 1);
                println!("  {line}: {}", one.what);
            }
        });
    }
}
