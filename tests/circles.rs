//! Files that use each other in circles, by their `use` lines.
//!
//! A file is understood after those that it uses. In a circle there is no first one, so a circle of many files has to be
//! understood all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Circles of so many files are small enough.
const MOST: usize = 3;

/// Expressions contain expressions of all kinds, values contain functions, and in C expressions contain statements: there the
/// circle is in the matter. Each by one of its files.
const NATURAL: [&str; 3] = [
    "interpret/src/value.rs",
    "src/lower/expr.rs",
    "lang/c/src/syntax.rs",
];

/// A path within a crate, from its root: `["engine", "reach"]`.
type Module = Vec<String>;

#[test]
fn files_use_each_other_in_no_large_circle() {
    let mut found = Vec::new();
    for (folder, lib) in crates() {
        let uses = uses(&folder, &lib);
        for circle in circles(&uses) {
            let is_natural = NATURAL.iter().any(|file| circle.contains(*file));
            if circle.len() > MOST && !is_natural {
                found.push(circle);
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn circles_are_found() {
    let uses = |pairs: &[(&str, &str)]| {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in pairs {
            all.entry((*from).into()).or_default().insert((*to).into());
            all.entry((*to).into()).or_default();
        }
        all
    };
    assert!(circles(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let found = circles(&uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]));
    assert_eq!(found, [BTreeSet::from(["a", "b", "c"].map(String::from))]);
    let paths = paths("use crate::{a::{self, B}, c};\nuse super::super::d::E as F;\n");
    assert_eq!(
        paths,
        [
            "crate::a::self",
            "crate::a::B",
            "crate::c",
            "super::super::d::E"
        ]
    );
}

/// The folders of the crates' sources, with their first file.
fn crates() -> Vec<(PathBuf, PathBuf)> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.extend(["lang/src", "lang/c/src", "interpret/src"].map(|folder| root().join(folder)));
    folders.sort();
    let libs = folders
        .into_iter()
        .map(|folder| (folder.clone(), folder.join("lib.rs")));
    libs.filter(|(_, lib)| lib.exists()).collect()
}

/// What each file of a crate uses of the others.
fn uses(folder: &Path, lib: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<Module, PathBuf> = BTreeMap::new();
    let mut waiting = vec![(Module::new(), lib.to_owned())];
    while let Some((module, file)) = waiting.pop() {
        for name in declared(&code(&file)) {
            let mut path = module.clone();
            path.push(name);
            let place = folder.join(path.iter().collect::<PathBuf>());
            let files = [place.with_extension("rs"), place.join("mod.rs")];
            waiting.extend(
                files
                    .into_iter()
                    .find(|file| file.exists())
                    .map(|file| (path, file)),
            );
        }
        modules.insert(module, file);
    }
    let name = |file: &Path| file.strip_prefix(root()).unwrap().display().to_string();
    let mut all = BTreeMap::new();
    for (module, file) in &modules {
        let used = paths(&code(file)).into_iter().filter_map(|path| {
            let target = modules.get(&target(module, &path, &modules)?)?;
            (target != file).then(|| name(target))
        });
        all.insert(name(file), used.collect());
    }
    all
}

/// A source without its comments and the tests at its end.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let end = text.find("mod tests {").unwrap_or(text.len());
    let lines = text[..end].lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<&str>>().join("\n")
}

/// The modules that a source declares in files of their own, but for tests.
fn declared(code: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut is_test = false;
    for line in code.lines().map(str::trim) {
        let name = line.rsplit_once("mod ").and_then(|(before, name)| {
            let is_declaration = before.is_empty() || before.starts_with("pub");
            name.strip_suffix(';').filter(|_| is_declaration)
        });
        if let Some(name) = name.filter(|_| !is_test) {
            all.push(name.to_owned());
        }
        is_test = line.starts_with("#[cfg(") && line.contains("test");
    }
    all
}

/// The paths that a source uses, one for each name.
fn paths(code: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let is_word = code[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        let Some((path, _)) = code[at + 4..].split_once(';').filter(|_| !is_word) else {
            continue;
        };
        let path = path.split_whitespace().collect::<Vec<&str>>().join(" ");
        if ["crate", "self", "super"]
            .iter()
            .any(|root| path.starts_with(root))
        {
            expand("", &path, &mut all);
        }
    }
    all
}

/// `a::{b, c}` as `a::b` and `a::c`.
fn expand(before: &str, path: &str, all: &mut Vec<String>) {
    let Some((start, inside)) = path.split_once('{') else {
        let name = path.split(" as ").next().unwrap_or_default();
        all.push(format!("{before}{}", name.trim()));
        return;
    };
    let before = format!("{before}{}", start.trim());
    let inside = inside.trim_end().strip_suffix('}').unwrap_or(inside);
    let (mut depth, mut from) = (0, 0);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inside[from..at].trim();
                if !part.is_empty() {
                    expand(&before, part, all);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// The innermost module that a path leads through.
fn target(from: &Module, path: &str, modules: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let mut parts = path.split("::").peekable();
    let mut at = match parts.next()? {
        "crate" => Module::new(),
        "self" => from.clone(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        _ => return None,
    };
    while parts.next_if_eq(&"super").is_some() {
        at.pop();
    }
    for part in parts {
        at.push(part.to_owned());
        if !modules.contains_key(&at) {
            at.pop();
            break;
        }
    }
    Some(at)
}

/// The sets of files that all reach each other.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = (uses.keys())
        .map(|file| {
            let mut found = BTreeSet::new();
            let mut waiting: Vec<&String> = uses[file].iter().collect();
            while let Some(next) = waiting.pop() {
                if found.insert(next) {
                    waiting.extend(&uses[next]);
                }
            }
            (file, found)
        })
        .collect();
    let circle = |file: &String| -> BTreeSet<String> {
        let mutual = reached[file]
            .iter()
            .filter(|other| reached[*other].contains(file));
        mutual.map(|other| (*other).clone()).collect()
    };
    let all: BTreeSet<BTreeSet<String>> = uses.keys().map(circle).collect();
    all.into_iter().filter(|circle| circle.len() > 1).collect()
}
