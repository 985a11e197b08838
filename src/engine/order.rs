//! The modules of this crate use each other in one direction only: what `lib.rs` says in its table
//! is read from there and held against the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The level of each module.
type Levels = BTreeMap<String, u32>;

/// The rows `| level | module | .. |` of the table.
fn levels(lib: &str) -> Levels {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("//! |")?.split('|').map(str::trim);
        let level = cells.next()?.parse().ok()?;
        let name = cells.next()?.trim_matches(['[', '`', ']']);
        Some((name.to_owned(), level))
    };
    lib.lines().filter_map(row).collect()
}

/// The modules declared in `lib.rs` that are more than tests.
fn declared(lib: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = lib.lines().collect();
    let of_line = |(i, line): (usize, &&str)| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let name = line.strip_prefix("mod ")?.strip_suffix(';')?;
        let is_test = i > 0 && lines[i - 1] == "#[cfg(test)]";
        (!is_test).then(|| name.to_owned())
    };
    lines.iter().enumerate().filter_map(of_line).collect()
}

/// The module that each name comes from which `lib.rs` exports: `pub use module::{Name, ..};`.
fn exported(lib: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for line in lib.lines().filter_map(|line| line.strip_prefix("pub use ")) {
        if let Some((module, names)) = line.split_once("::") {
            let names = names.trim_matches(['{', '}', ';']).split(',');
            all.extend(names.map(|name| (name.trim().to_owned(), module.to_owned())));
        }
    }
    all
}

/// A source without comments and without the tests at its end.
fn bare(source: &str) -> String {
    let end = source.find("#[cfg(test)]\nmod tests {");
    let source = &source[..end.unwrap_or(source.len())];
    let lines = source.lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<&str>>().join("\n")
}

/// The names that a source takes from the root of the crate. `depth` says how many modules its own
/// is below the root.
fn taken(source: &str, depth: usize) -> Vec<String> {
    let source = bare(source);
    let mut all = Vec::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (at, _) in source.match_indices(&root) {
            let before = &source[..at];
            if before.ends_with("super::") || before.ends_with(|c: char| c.is_alphanumeric()) {
                continue;
            }
            all.extend(heads(&source[at + root.len()..]));
        }
    }
    all
}

/// The first part of a path, or of each path between braces.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start().chars();
        text.take_while(|&c| c.is_alphanumeric() || c == '_')
            .collect()
    };
    let Some(inside) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let (mut nesting, mut all) = (0, vec![word(inside)]);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => nesting += 1,
            '}' if nesting == 0 => break,
            '}' => nesting -= 1,
            ',' if nesting == 0 => all.push(word(&inside[at + 1..])),
            _ => {}
        }
    }
    all.retain(|name| !name.is_empty());
    all
}

/// What a module takes from modules that are not below it.
fn wrong(module: &str, source: &str, depth: usize, lib: &str) -> Vec<String> {
    let (levels, exported) = (levels(lib), exported(lib));
    let names = taken(source, depth).into_iter();
    names
        .filter(|name| {
            let from = exported.get(name).unwrap_or(name);
            let is_below = levels
                .get(from)
                .is_some_and(|level| level < &levels[module]);
            from != module && !is_below
        })
        .collect()
}

/// All files of a module that are more than tests, with their depth.
fn files(root: &Path, module: &str) -> Vec<(PathBuf, usize)> {
    let mut found = Vec::new();
    let mut work = vec![
        (root.join(format!("{module}.rs")), 1),
        (root.join(module), 1),
    ];
    while let Some((path, depth)) = work.pop() {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if stem == Some("tests") {
            continue;
        }
        if path.is_file() {
            let is_head = stem == Some("mod");
            found.push((path, if is_head { depth - 1 } else { depth }));
        } else if let Ok(entries) = fs::read_dir(&path) {
            work.extend(entries.flatten().map(|entry| (entry.path(), depth + 1)));
        }
    }
    found
}

#[test]
fn modules_use_what_is_below_them_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = fs::read_to_string(root.join("lib.rs")).expect("the crate has a root");
    let levels = levels(&lib);
    let listed: BTreeSet<String> = levels.keys().cloned().collect();
    assert_eq!(listed, declared(&lib), "the table lists the modules");
    for module in levels.keys() {
        let files = files(root, module);
        assert!(!files.is_empty(), "{module} has no file");
        for (path, depth) in files {
            let source = fs::read_to_string(&path).expect("sources can be read");
            let wrong = wrong(module, &source, depth, &lib);
            assert!(wrong.is_empty(), "{} uses {wrong:?}", path.display());
        }
    }
}

#[test]
fn an_arrow_that_goes_up_is_seen() {
    let lib = "//! | 0 | [`low`] | x |\n//! | 1 | [`a`] | x |\n//! | 1 | [`b`] | x |\n\
        pub use b::{B, C};\npub use low::L;\n";
    let wrong = |source, depth| wrong("a", source, depth, lib);
    let nothing: [&str; 0] = [];
    assert_eq!(
        wrong("use crate::low::X;\nuse crate::{L, a::Y};", 1),
        nothing
    );
    assert_eq!(
        wrong("// crate::b\n#[cfg(test)]\nmod tests { use crate::b; }", 1),
        nothing
    );
    assert_eq!(wrong("use super::sibling::X;", 2), nothing);
    assert_eq!(wrong("use crate::b::X;", 1), ["b"]);
    assert_eq!(wrong("use crate::{L, C};", 1), ["C"]);
    assert_eq!(wrong("use crate::{low::{X, Y}, b};", 1), ["b"]);
    assert_eq!(wrong("let x = super::super::b::f();", 2), ["b"]);
    assert_eq!(wrong("use crate::unheard_of::X;", 1), ["unheard_of"]);
}
