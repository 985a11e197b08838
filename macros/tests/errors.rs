//! The compiler points at what is wrong in `ult::graph!`, and says why.
//!
//! Each file in `errors` is given to the compiler. Below what it should point at stand comments with `^^^`, and a part of
//! the message behind them. (The crate trybuild would build the front end once more for this.)

#![allow(clippy::unwrap_used, reason = "a test")]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The compiled macro, which cargo has put beside this test: the newest one, if other settings have left others there.
fn library() -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let name = format!("{DLL_PREFIX}ult_macros-");
    let libraries = fs::read_dir(this.parent().unwrap())
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let file = path.file_name()?.to_str()?;
            (file.starts_with(&name) && file.ends_with(DLL_SUFFIX)).then_some(path)
        });
    libraries
        .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
        .expect("a library")
}

/// Line, first and last column (all from 1, the last one excluded), message.
type Complaint = (usize, usize, usize, String);

fn complaints(library: &Path, file: &Path) -> Vec<Complaint> {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("rustc")
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
        ])
        .args(["--error-format", "json", "--out-dir"])
        .arg(folder.path())
        .arg("--extern")
        .arg(format!("ult_macros={}", library.display()))
        .arg(file)
        .output()
        .expect("rustc runs");
    assert!(!output.status.success(), "{} compiles", file.display());
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    String::from_utf8(output.stderr)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|message| message["level"] == "error" && message["spans"] != Value::Array(vec![]))
        .map(|message| {
            let span = message["spans"]
                .as_array()
                .unwrap()
                .iter()
                .find(|s| s["is_primary"] == true);
            let span = span.unwrap();
            let end = match span["line_end"] == span["line_start"] {
                true => number(&span["column_end"]),
                false => usize::MAX,
            };
            let text = message["message"].as_str().unwrap().to_owned();
            (
                number(&span["line_start"]),
                number(&span["column_start"]),
                end,
                text,
            )
        })
        .collect()
}

/// What the comments expect; the message is a part of the real one.
fn expected(text: &str) -> Vec<Complaint> {
    let mut expected = Vec::new();
    let mut last = 0;
    for (line, content) in (1..).zip(text.lines()) {
        let claim = content.trim_start().strip_prefix("//").map(str::trim_start);
        match claim.filter(|claim| claim.starts_with('^')) {
            None => last = line,
            Some(claim) => {
                let start = content.find('^').unwrap() + 1;
                let message = claim.trim_start_matches('^');
                let length = claim.len() - message.len();
                expected.push((last, start, start + length, message.trim().to_owned()));
            }
        }
    }
    expected
}

#[test]
fn the_compiler_points_at_what_is_wrong() {
    let library = library();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    let mut wrong = String::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (mut found, expected) = (complaints(&library, &file), expected(&text));
        found.sort();
        let fits = found.len() == expected.len()
            && found.iter().zip(&expected).all(|(found, expected)| {
                (found.0, found.1, found.2) == (expected.0, expected.1, expected.2)
                    && found.3.contains(&expected.3)
            });
        if !fits {
            wrong += &format!(
                "{}:\n{found:#?}\nexpected:\n{expected:#?}\n",
                file.display()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
