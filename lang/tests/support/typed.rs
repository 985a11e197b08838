//! Comparison of typed programs.
#![allow(dead_code, missing_docs)]

use std::collections::HashMap;
use ult_lang::analyze_boogie;
use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir::Program;
use ult_lang::print;
use ult_lang::span::Span;
use ult_lang::typing::relocate;

/// Variables bound by map types are numbered canonically from here on.
const MAP_BOUND: u32 = 1 << 31;

/// The debug form of a program without places, and with ids that mean nothing outside numbered as they come.
pub fn shape(program: &Program) -> String {
    let mut program = program.clone();
    relocate(&mut program, &|_| Span::default());
    let text = format!("{program:#?}").replace(' ', "");
    let mut numbers: HashMap<(&str, u32), usize> = HashMap::new();
    let mut out = String::new();
    let mut rest = text.lines();
    while let Some(line) = rest.next() {
        out += line;
        out.push('\n');
        let kind = ["BoundId(", "TypeVarId(", "BlockId("]
            .into_iter()
            .find(|kind| line.ends_with(kind));
        if let Some(kind) = kind {
            let id: u32 = rest.next().unwrap().trim_end_matches(',').parse().unwrap();
            if id < MAP_BOUND {
                let next = numbers.len();
                out += &format!("{}\n", numbers.entry((kind, id)).or_insert(next));
            } else {
                out += &format!("{id}\n");
            }
        }
    }
    out
}

/// The first lines in which two texts differ.
fn difference(left: &str, right: &str) -> Option<String> {
    let same = left
        .lines()
        .zip(right.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let around = |text: &str| {
        let lines: Vec<&str> = text
            .lines()
            .skip(same.saturating_sub(12))
            .take(24)
            .collect();
        lines.join("\n")
    };
    (left != right).then(|| format!("---- {}\n---- {}", around(left), around(right)))
}

/// Prints the program, reads the text, and says what is different then.
pub fn round_trip(program: &Program) -> Result<String, String> {
    let text = print::typed(program);
    let (again, diagnostics) = analyze_boogie(&text);
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|d| d.is_error()).collect();
    if !errors.is_empty() {
        return Err(format!("{text}\n{errors:#?}"));
    }
    if let Some(difference) = difference(&shape(program), &shape(&again)) {
        return Err(format!("{text}\n{difference}"));
    }
    match difference(&text, &print::typed(&again)) {
        Some(difference) => Err(format!("the second text\n{difference}")),
        None => Ok(text),
    }
}
