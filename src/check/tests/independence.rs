//! The checker shares the data types and the solver room with those it checks, nothing else.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_checker_uses_no_room_that_it_checks() {
    let mut files = Vec::new();
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check");
    sources(&check, &mut files);
    assert!(files.len() > 10, "{files:?}");
    let allowed = [
        "check", "control", "formula", "graph", "reason", "solver", "stats",
    ];
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // Split, so that this file does not find itself.
        for used in text.split(concat!("crate", "::")).skip(1) {
            let room: String = used
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            assert!(
                allowed.contains(&room.as_str()),
                "{} uses `{room}`",
                file.display()
            );
        }
    }
}
