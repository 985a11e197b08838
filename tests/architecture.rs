//! The invariants of ARCHITECTURE.md that can be read off the source text and the dependencies.
//!
//! The rules are about code: comments and string literals are blanked before a rule looks. A rule about a folder
//! that does not exist holds; it starts to bite when the folder appears.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// In the files under `within`, but not under `except`, none of `words` is mentioned.
struct Rule {
    /// The invariant, as ARCHITECTURE.md says it.
    invariant: &'static str,
    words: &'static [&'static str],
    /// Folders (or modules: `src/smt` is also `src/smt.rs`) relative to the project's root; "" is all of it.
    within: &'static [&'static str],
    except: &'static [&'static str],
}

/// The only ways to the contents of a SAFE or UNSAFE verdict.
const VERDICT_CONSTRUCTORS: &[&str] = &["Proof::new", "Violation::new"];

const RULES: &[Rule] = &[
    Rule {
        invariant: "formulas know no program graph",
        words: &["crate::graph"],
        within: &["src/core/formula"],
        except: &[],
    },
    Rule {
        invariant: "the front end knows no files, processes, networks or terminals",
        words: &[
            "std::fs",
            "std::process",
            "std::net",
            "print!",
            "println!",
            "eprint!",
            "eprintln!",
        ],
        within: &["lang/src", "lang/c/src", "interpret/src"],
        except: &[],
    },
    Rule {
        invariant: "only src/check makes verdicts",
        words: VERDICT_CONSTRUCTORS,
        within: &[""],
        except: &["src/check"],
    },
    Rule {
        invariant: "only src/check makes verdicts: it keeps the way to make one to itself",
        words: &["pub fn new", "derive(Default"],
        within: &["src/check/verdict"],
        except: &[],
    },
    Rule {
        invariant: "there is one type of verdicts, and the checker owns it",
        words: &["enum Verdict"],
        within: &["src", "lang"],
        except: &["src/check"],
    },
    Rule {
        invariant: "only src/lab listens on a network",
        words: &["TcpListener", "UdpSocket", "UnixListener"],
        within: &["src", "lang", "interpret"],
        except: &["src/lab"],
    },
    Rule {
        invariant: "no test is switched off and no code is left to be written",
        words: &["#[ignore", "todo!", "unimplemented!"],
        within: &[""],
        except: &[],
    },
];

#[test]
fn the_source_keeps_the_rules() {
    let files = rust_files(crate::root());
    for known in [
        "src/lib.rs",
        "src/smt/build.rs",
        "lang/src/lib.rs",
        "tests/architecture.rs",
    ] {
        assert!(
            files.iter().any(|(path, _)| path == known),
            "{known} was not read"
        );
    }
    let found: Vec<String> = RULES
        .iter()
        .flat_map(|rule| violations(rule, &files))
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Keeps the rules about verdicts from becoming empty: what they name must be what the checker has.
#[test]
fn the_checker_has_the_constructors_that_the_rules_name() {
    let files = rust_files(crate::root());
    let checker: Vec<&(String, String)> = files
        .iter()
        .filter(|(path, _)| lies_in(path, "src/check"))
        .collect();
    let has = |word: &str| {
        checker
            .iter()
            .any(|(_, text)| !mentions(&code(text), word).is_empty())
    };
    if !checker.is_empty() {
        for word in VERDICT_CONSTRUCTORS
            .iter()
            .chain(&["enum Verdict", "pub(crate) fn new"])
        {
            assert!(
                has(word),
                "src/check does not mention `{word}`: adapt the rules in this file to it"
            );
        }
    }
}

/// What only one crate of the house, and nobody else, may depend on directly.
const KNOWN_TO_ONE: &[(&str, &str)] = &[
    ("z3-sys", "ult-smt"),
    ("biodivine-lib-bdd", "ult-engine"),
    ("lsp-types", "ult-lsp"),
    ("yaml-rust2", "ult-witness"),
    ("clap_mangen", "ult-cli"),
];

/// Crates that the front end does without, directly and through others.
const FOREIGN_TO_THE_FRONT_END: &[&str] =
    &["z3-sys", "smtlib-lowlevel", "clap", "miette", "petgraph"];

/// Crates that a program which builds graphs does without.
const FOREIGN_TO_EMBEDDING: &[&str] = &[
    "clap",
    "ctrlc",
    "lsp-server",
    "lsp-types",
    "serde_json",
    "ult-c",
    "ult-chc",
    "ult-circuits",
    "ult-cli",
    "ult-lsp",
    "ult-report",
    "ult-svlib",
    "ult-witness",
    "yaml-rust2",
];

/// Cargo itself keeps the arrows between crates; the picture that people read must be the one that cargo keeps.
#[test]
fn the_table_of_crates_is_what_the_manifests_say() {
    let text = fs::read_to_string(crate::root().join("ARCHITECTURE.md")).unwrap();
    let mut drawn: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", name, _, below, _, ""] = cells[..]
            && let Some(name) = name.strip_prefix('`').and_then(|n| n.strip_suffix('`'))
            && (name == "ult" || name.starts_with("ult-"))
        {
            let below = below.split(", ").filter(|word| !word.is_empty());
            drawn.push((
                name.into(),
                below.map(|word| format!("ult-{word}")).collect(),
            ));
        }
    }
    drawn.sort();
    let mut real: Vec<(String, Vec<String>)> = manifests()
        .into_iter()
        .filter(|(_, package)| package["publish"].is_null())
        .map(|(name, package)| {
            let below = dependencies(&package).into_iter();
            (name, below.filter(|d| d.starts_with("ult-")).collect())
        })
        .collect();
    real.sort();
    assert!(real.len() > 15, "{real:?}");
    assert_eq!(drawn, real);
}

#[test]
fn what_one_crate_knows_no_other_names() {
    let manifests = manifests();
    for (foreign, only) in KNOWN_TO_ONE {
        let who: Vec<&String> = manifests
            .iter()
            .filter(|(_, package)| dependencies(package).contains(*foreign))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(who, [only], "{foreign}");
    }
}

/// The names of the packages that a package depends on directly, not only in its tests.
fn dependencies(package: &serde_json::Value) -> BTreeSet<String> {
    let all = package["dependencies"].as_array().unwrap();
    all.iter()
        .filter(|dependency| dependency["kind"].is_null())
        .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
        .collect()
}

/// The packages of the workspace, as cargo reads their manifests.
fn manifests() -> Vec<(String, serde_json::Value)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked"])
        .current_dir(crate::root())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let mut metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array_mut().unwrap();
    packages
        .drain(..)
        .map(|package| (package["name"].as_str().unwrap().to_owned(), package))
        .collect()
}

/// The crates that keep their limits in one table: `limits.rs`.
const WITH_LIMITS: &[&str] = &["src/check", "src/engine", "src/interpolate", "src/smt"];

#[test]
fn limits_are_in_one_table() {
    let files = rust_files(crate::root());
    for folder in WITH_LIMITS {
        let table = format!("{folder}/limits.rs");
        let within = files
            .iter()
            .filter(|(path, _)| lies_in(path, folder) && !is_test_or_build(path));
        let elsewhere: Vec<&str> = within
            .filter(|(path, text)| *path != table && has_limit(text))
            .map(|(path, _)| path.as_str())
            .collect();
        assert!(elsewhere.is_empty(), "limits of their own: {elsewhere:?}");
        let (_, text) = files
            .iter()
            .find(|(path, _)| *path == table)
            .expect("there is a table");
        let names = limits(text);
        assert!(names.len() >= 5, "{table}: the constants are found");
        let missing: Vec<&str> = names
            .into_iter()
            .filter(|name| !is_in_table(text, name))
            .collect();
        assert!(missing.is_empty(), "{table}: not in the table: {missing:?}");
    }
}

fn is_test_or_build(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.starts_with("src/smt/build")
}

/// Whether a duration is written down, other than in the tests at the end.
fn has_limit(text: &str) -> bool {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    code(&text[..end]).contains("Duration::from_")
}

/// The constants of a table of limits.
fn limits(text: &str) -> Vec<&str> {
    let names = text.lines().filter_map(|line| {
        let name = line.strip_prefix("pub(crate) const ")?;
        name.split_once(':').map(|(name, _)| name)
    });
    names.collect()
}

fn is_in_table(text: &str, name: &str) -> bool {
    let cell = format!("[`{name}`]");
    text.lines()
        .any(|line| line.starts_with("//! |") && line.contains(&cell))
}

#[test]
fn a_limit_outside_of_the_table_is_seen() {
    assert!(has_limit("fn f() { g(Duration::from_secs(1)); }"));
    assert!(has_limit(
        "const A: Duration = std::time::Duration::from_millis(1);"
    ));
    assert!(!has_limit("// Duration::from_secs(1)\nfn f() {}"));
    assert!(!has_limit(
        "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { Duration::from_secs(1); } }"
    ));
    let table =
        "//! | [`A`] | x |\npub(crate) const A: Duration = X;\npub(crate) const B: u64 = 1;\n";
    assert_eq!(limits(table), ["A", "B"]);
    assert!(is_in_table(table, "A") && !is_in_table(table, "B"));
}

#[test]
fn the_front_end_depends_on_no_solver_and_no_terminal() {
    let tree = tree_of("ult-lang");
    assert_eq!(foreign(&tree, &["logos"]), ["logos"], "no list:\n{tree}");
    assert_eq!(foreign(&tree, FOREIGN_TO_THE_FRONT_END), [""; 0]);
}

#[test]
fn an_embedding_program_compiles_only_what_it_needs() {
    let tree = tree_of("ult");
    assert_eq!(foreign(&tree, &["z3-sys"]), ["z3-sys"], "no list:\n{tree}");
    assert_eq!(foreign(&tree, FOREIGN_TO_EMBEDDING), [""; 0]);
}

/// What a package depends on with its default features, directly and through others: one package a line.
pub fn tree_of(package: &str) -> String {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "-p", package, "--locked", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(crate::root())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&tree.stderr);
    assert!(tree.status.success(), "{said}");
    String::from_utf8(tree.stdout).unwrap()
}

/// Those of `names` that `cargo tree` lists, one package a line, the name first.
fn foreign<'a>(tree: &str, names: &[&'a str]) -> Vec<&'a str> {
    let listed: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    names
        .iter()
        .copied()
        .filter(|name| listed.contains(name))
        .collect()
}

/// All Rust files of the project: (path relative to `root` with `/`, text).
pub fn rust_files(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules"
            {
                folders.push(entry.path());
            } else if kind.is_file() && name.ends_with(".rs") {
                let path = entry.path();
                let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
                files.push((
                    relative.replace('\\', "/"),
                    fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    files.sort();
    files
}

/// What a test says that only CI runs. `tests/budgets.rs` counts them.
pub const TAKES_LONG: &str = "#[ignore = \"takes long\"]";

/// One line for each place where a file breaks the rule.
fn violations(rule: &Rule, files: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        if !rule.within.iter().any(|place| lies_in(path, place))
            || rule.except.iter().any(|place| lies_in(path, place))
        {
            continue;
        }
        // As many lines, and nothing else of this kind.
        let code = code(&text.replace(TAKES_LONG, ""));
        for word in rule.words {
            for at in mentions(&code, word) {
                let line = code[..at].matches('\n').count() + 1;
                found.push(format!(
                    "{path}:{line}: mentions `{word}`, but {}",
                    rule.invariant
                ));
            }
        }
    }
    found
}

/// Is the file that module, or in that folder?
fn lies_in(path: &str, place: &str) -> bool {
    place.is_empty()
        || path
            .strip_prefix(place)
            .is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
}

/// Where the code mentions the word: not as a part of a longer name, and not as a part of a path of our own modules
/// (`solver::z3::…` is a module, `z3::…` and `::z3::…` are the crate).
fn mentions(code: &str, word: &str) -> Vec<usize> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(|&at| {
            let (before, after) = (&code[..at], &code[at + word.len()..]);
            let joined_before = word.starts_with(is_name)
                && (before.ends_with(is_name)
                    || before
                        .strip_suffix("::")
                        .is_some_and(|b| b.ends_with(is_name)));
            let joined_after = word.ends_with(is_name) && after.starts_with(is_name);
            !joined_before && !joined_after
        })
        .collect()
}

/// The text with comments and the insides of string and character literals replaced by spaces; lines stay.
fn code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut code = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let end = if at(i) == '/' && at(i + 1) == '/' {
            (i..chars.len())
                .find(|&j| at(j) == '\n')
                .unwrap_or(chars.len())
        } else if at(i) == '/' && at(i + 1) == '*' {
            block_comment_end(&at, i, chars.len())
        } else if at(i) == '"' {
            string_end(&at, i, chars.len(), raw_hashes(&chars[..i]))
        } else if at(i) == '\'' {
            character_end(&at, i, chars.len())
        } else {
            i
        };
        if end == i {
            code.push(at(i));
            i += 1;
        } else {
            code.extend(
                chars[i..end]
                    .iter()
                    .map(|&c| if c == '\n' { '\n' } else { ' ' }),
            );
            i = end;
        }
    }
    code
}

fn block_comment_end(at: &impl Fn(usize) -> char, start: usize, len: usize) -> usize {
    let mut depth = 0;
    let mut i = start;
    while i < len {
        match (at(i), at(i + 1)) {
            ('/', '*') => {
                depth += 1;
                i += 2;
            }
            ('*', '/') => {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    len
}

/// The number of `#` if a quotation mark after this text opens a raw string.
fn raw_hashes(before: &[char]) -> Option<usize> {
    let hashes = before.iter().rev().take_while(|&&c| c == '#').count();
    let prefix: String = before[..before.len() - hashes]
        .iter()
        .rev()
        .take_while(|c| c.is_alphanumeric() || **c == '_')
        .collect();
    matches!(prefix.as_str(), "r" | "rb" | "rc").then_some(hashes) // read backwards: r, br, cr
}

fn string_end(at: &impl Fn(usize) -> char, start: usize, len: usize, raw: Option<usize>) -> usize {
    let mut i = start + 1;
    while i < len {
        match (at(i), raw) {
            ('\\', None) => i += 2,
            ('"', None) => return i + 1,
            ('"', Some(hashes)) if (1..=hashes).all(|k| at(i + k) == '#') => return i + 1 + hashes,
            _ => i += 1,
        }
    }
    len
}

/// The end of a character literal, or `start` itself where the mark begins a lifetime.
fn character_end(at: &impl Fn(usize) -> char, start: usize, len: usize) -> usize {
    if at(start + 1) == '\\' {
        // The escaped character may itself be a quotation mark.
        (start + 3..len)
            .find(|&j| at(j) == '\'')
            .map_or(len, |j| j + 1)
    } else if at(start + 2) == '\'' {
        start + 3
    } else {
        start
    }
}

fn file(path: &str, text: &str) -> Vec<(String, String)> {
    vec![(path.to_owned(), text.to_owned())]
}

/// Every rule can be broken, and says where.
#[test]
fn the_rules_find_what_breaks_them() {
    for (path, text, line) in [
        ("src/core/formula/term.rs", "use crate::graph::Origin;", 1),
        ("lang/src/lib.rs", "let _ = std::fs::read(path);", 1),
        ("lang/src/parse.rs", "println!(\"{x}\");", 1),
        ("src/report/text.rs", "let v = Proof::new(proof);", 1),
        ("src/engine/a.rs", "Violation::new(run)", 1),
        ("src/check/verdict.rs", "impl Proof { pub fn new() {} }", 1),
        ("src/engine/b.rs", "pub enum Verdict { Safe }", 1),
        ("tests/a.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}", 2),
        ("lang/src/a.rs", "fn f() { todo!() }", 1),
    ] {
        let found: Vec<String> = RULES
            .iter()
            .flat_map(|rule| violations(rule, &file(path, text)))
            .collect();
        assert!(
            found
                .iter()
                .any(|f| f.starts_with(&format!("{path}:{line}: "))),
            "{path}: {text:?}: {found:?}"
        );
    }
}

#[test]
fn the_rules_let_pass_what_keeps_them() {
    for (path, text) in [
        (
            "src/core/formula/a.rs",
            "// like crate::graph does\n/* crate::graph /* nested */ crate::graph */ fn f<'a>() {}",
        ),
        (
            "src/core/formula/a.rs",
            "let s = \"crate::graph\\\" crate::graph\"; let c = '\"'; let r = r#\"use \" crate::graph;\"#;",
        ),
        (
            "src/core/formula/a.rs",
            "use crate::graphics::Version; let my_crate::graph = y;",
        ),
        ("src/core/graph/mod.rs", "use crate::graph::text;"),
        (
            "lang/build.rs",
            "println!(\"cargo::rerun-if-changed=x\"); std::fs::read(p);",
        ),
        (
            "src/check/mod.rs",
            "pub enum Verdict {} fn f() { Proof::new(x); } pub fn new() {}",
        ),
        (
            "src/report/text.rs",
            "match v { Verdict::Safe(_) => 0, Verdict::Unsafe(_) => 1 }",
        ),
        (
            "lang/src/a.rs",
            "let s = result::std::f(); writeln!(out, \"println!\");",
        ),
    ] {
        let found: Vec<String> = RULES
            .iter()
            .flat_map(|rule| violations(rule, &file(path, text)))
            .collect();
        assert!(found.is_empty(), "{path}: {text:?}: {found:?}");
    }
}

#[test]
fn a_dependency_counts_by_its_whole_name() {
    let tree = "ult-lang v0.1.0 (/x/lang)\nlogos v0.16.1\nz3-sys v0.14.1\nclap_lex v1.0.0\n";
    assert_eq!(foreign(tree, FOREIGN_TO_THE_FRONT_END), ["z3-sys"]);
}

#[test]
fn only_comments_and_literals_are_blanked() {
    for (text, expected) in [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d\n */ e", "a               \n    e"),
        ("f(\"b\\\"c\", d)", "f(      , d)"),
        ("r\"b\\\" c", "r     c"),
        ("br#\"b\"c\"# d", "br#       d"),
        ("r#type \"b\"", "r#type    "),
        (
            "'b' '\\'' '\\u{1F600}' 'x: 'y",
            "                     'x: 'y",
        ),
        ("\"// b\" c", "       c"),
        ("\"b\nc\" d", "  \n   d"),
        ("'/' // b", "        "),
    ] {
        let found = code(text);
        assert_eq!(found.trim_end(), expected.trim_end(), "{text:?}");
        assert_eq!(found.matches('\n').count(), text.matches('\n').count());
    }
}
