//! Prints the typed program of preprocessed C files, or with `--check` only what is wrong with them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a program"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use ult_c::types::DataModel;

fn main() {
    let mut check = false;
    let mut model = DataModel::Lp64;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--check" => check = true,
            "--32" => model = DataModel::Ilp32,
            path => one(path, check, model),
        }
    }
}

fn one(path: &str, check: bool, model: DataModel) {
    let text = match std::fs::read(path) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => return println!("{path}: {error}"),
    };
    let parsed = ult_c::parse::parse(&text);
    let start = Instant::now();
    let (program, elaborated) = ult_c::elaborate(&parsed, model);
    let time = start.elapsed();
    let diagnostics = [parsed.diagnostics, elaborated].concat();
    for diagnostic in &diagnostics {
        let span = diagnostic.span();
        let line = text[..span.start as usize].matches('\n').count() + 1;
        println!(
            "{path}:{line}: {} {} ({}) `{}`",
            diagnostic.id,
            diagnostic.message,
            diagnostic.labels[0].1,
            &text[span.range()].lines().next().unwrap_or_default()
        );
    }
    if !diagnostics.iter().any(|d| d.is_error()) {
        for flaw in support::flaws(&program) {
            println!("{path}: FLAW {flaw}");
        }
    }
    if check {
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        println!("{path}: {errors} errors, {} ms", time.as_millis());
    } else {
        print!("{}", ult_c::print::program(&program));
    }
}
