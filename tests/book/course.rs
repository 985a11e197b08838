//! The exercises of the course are complete. Whether their verdicts are as stated is for `tests/corpus.rs` to find out.

use std::collections::BTreeSet;
use std::fs;

use crate::listings::root;

/// What is expected of a file without flags and with them.
fn expectations(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("//# "));
    heads
        .filter_map(|head| head.split_once("expect:"))
        .map(|(_, verdict)| verdict.trim())
        .collect()
}

/// What is wrong with the exercises.
pub fn complaints() -> Vec<String> {
    let mut wrong = Vec::new();
    let folder = root().join("examples/course");
    let names: BTreeSet<String> = fs::read_dir(&folder)
        .expect("the exercises are there")
        .map(|entry| entry.expect("an entry").file_name().into_string())
        .map(|name| name.expect("a name in Unicode"))
        .collect();
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("an exercise");
    let is_exercise = |name: &&String| {
        name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains(".solution.")
    };
    let exercises: Vec<&String> = names.iter().filter(is_exercise).collect();
    let lessons: BTreeSet<char> = exercises
        .iter()
        .filter_map(|name| name.chars().next())
        .collect();
    if lessons.len() != 9 {
        wrong.push(format!("exercises for the lessons {lessons:?} only"));
    }
    for name in exercises {
        let (stem, suffix) = name.rsplit_once('.').expect("a suffix");
        let solution = format!("{stem}.solution.{suffix}");
        if !names.contains(&solution) {
            wrong.push(format!("{name} has no solution"));
            continue;
        }
        if !expectations(&text(name)).contains(&"unsafe") {
            wrong.push(format!("{name}: nothing is to be mended"));
        }
        if expectations(&text(&solution))
            .iter()
            .any(|verdict| *verdict != "safe")
        {
            wrong.push(format!("{solution} is no solution"));
        }
    }
    wrong
}
