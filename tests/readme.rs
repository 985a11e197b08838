//! What README.md shows is what the program prints.

use std::path::Path;
use std::process::Command;

/// The text of the fenced block between `<!-- output:NAME -->` and `<!-- /output:NAME -->`.
fn shown(readme: &str, name: &str) -> String {
    let (start, end) = (
        format!("<!-- output:{name} -->"),
        format!("<!-- /output:{name} -->"),
    );
    let from = readme.find(&start).expect("the marker is there") + start.len();
    let to = readme.find(&end).expect("the end marker is there");
    let block = readme[from..to].trim();
    let block = block.strip_prefix("```text\n").expect("a block of text");
    block.strip_suffix("```").expect("the block ends").into()
}

#[test]
fn the_outputs_are_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md can be read");
    for (name, arguments) in [
        ("seed", &["check", "examples/seed.bpl"][..]),
        (
            "seed-invariants",
            &["check", "--show-invariants", "examples/seed.bpl"],
        ),
        ("seed-unsafe", &["check", "examples/seed-unsafe.bpl"]),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_ult"))
            .current_dir(root)
            .args(arguments)
            .output()
            .expect("ult starts");
        let printed = String::from_utf8(output.stdout).expect("the output is UTF-8");
        assert_eq!(shown(&readme, name), printed, "README.md, output:{name}");
    }
}

/// The fenced blocks in a language.
fn blocks<'t>(readme: &'t str, language: &str) -> Vec<&'t str> {
    let start = format!("\n```{language}\n");
    let parts = readme.split(&*start).skip(1);
    parts
        .map(|part| part.split_once("\n```").expect("the block ends").0)
        .collect()
}

#[test]
fn the_programs_have_the_usual_layout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md can be read");
    let programs = blocks(&readme, "boogie");
    assert_eq!(programs.len(), 2);
    for program in programs {
        let program = format!("{program}\n");
        let formatted = ult_lang::format::format(&program, ult_lang::token::Language::Boogie);
        assert_eq!(formatted, Ok(program));
    }
}
