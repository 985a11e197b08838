//! Prints the typed program of preprocessed C files, or with `--check` only what is wrong with them.

use std::time::Instant;

use lang_c::driver::{Config, Flavor, parse_preprocessed};
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
    let text = blank_comments(&text);
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    let unit = match parse_preprocessed(&config, text.clone()) {
        Ok(parse) => parse.unit,
        Err(error) => return println!("{path}:{}: syntax {:?}", error.line, error.expected),
    };
    let start = Instant::now();
    let (program, diagnostics) = ult_c::elaborate(&unit, model);
    let time = start.elapsed();
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
    if check {
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        println!("{path}: {errors} errors, {} ms", time.as_millis());
    } else {
        print!("{}", ult_c::print::program(&program));
    }
}

/// Comments and directives as blanks, so that offsets stay.
fn blank_comments(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (length, blank) = if rest.starts_with(b"/*") {
            let end = text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4);
            (end, true)
        } else if rest.starts_with(b"//") || (line_start && rest[0] == b'#') {
            (text[at..].find('\n').unwrap_or(rest.len()), true)
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            let mut end = 1;
            while end < rest.len() && rest[end] != rest[0] && rest[end] != b'\n' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            ((end + 1).min(rest.len()), false)
        } else {
            (1, false)
        };
        for &byte in &rest[..length] {
            out.push(if blank && byte != b'\n' { b' ' } else { byte });
            line_start = byte == b'\n' || (line_start && byte.is_ascii_whitespace());
        }
        at += length;
    }
    String::from_utf8_lossy(&out).into_owned()
}
