//! The grammars for editors: they read what `ult` reads, their trees are the expected ones, their queries fit, and the
//! parsers are what the grammars generate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use streaming_iterator::StreamingIterator as _;
use tree_sitter::{Language, Node, Parser, Query, QueryCursor, Tree};
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};
use ult_tree_sitter::{BOOGIE, BOOGIE_HIGHLIGHTS, ULT, ULT_HIGHLIGHTS};

#[allow(dead_code)] // for tests that look for programs themselves
#[path = "../../../tests/tools.rs"]
mod tools;

/// One of the two grammars.
struct Grammar {
    name: &'static str,
    language: Language,
    highlights: &'static str,
    /// How many syntax errors `ult` finds.
    errors: fn(&str) -> usize,
}

fn grammars() -> [Grammar; 2] {
    [
        Grammar {
            name: "boogie",
            language: BOOGIE.into(),
            highlights: BOOGIE_HIGHLIGHTS,
            errors: |text| errors(&ult_lang::parse::parse_boogie(text).1),
        },
        Grammar {
            name: "ult",
            language: ULT.into(),
            highlights: ULT_HIGHLIGHTS,
            errors: |text| errors(&ult_lang::parse::parse_graph(text).1),
        },
    ]
}

fn errors(diagnostics: &[ult_lang::diagnostic::Diagnostic]) -> usize {
    let is_error =
        |d: &&ult_lang::diagnostic::Diagnostic| d.severity == ult_lang::diagnostic::Severity::Error;
    diagnostics.iter().filter(is_error).count()
}

impl Grammar {
    fn folder(&self) -> PathBuf {
        root().join(format!("editors/tree-sitter-{}", self.name))
    }

    fn parse(&self, text: &str) -> Tree {
        let mut parser = Parser::new();
        parser.set_language(&self.language).unwrap();
        parser.parse(text, None).unwrap()
    }

    fn query(&self, name: &str) -> Query {
        let path = self.folder().join("queries").join(name);
        let text = fs::read_to_string(&path).unwrap();
        Query::new(&self.language, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with this suffix, in order.
fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The first place that the grammar cannot read.
fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
        if node.has_error() {
            let children: Vec<_> = (0..node.child_count())
                .filter_map(|i| node.child(i as u32))
                .collect();
            stack.extend(children.into_iter().rev());
        }
    }
    None
}

#[test]
fn what_ult_reads_has_no_error_nodes() {
    for grammar in grammars() {
        let suffix = if grammar.name == "boogie" {
            "bpl"
        } else {
            "ult"
        };
        let (mut read, mut wrong) = (0, Vec::new());
        for folder in ["tests/corpus", "examples", "stdlib"] {
            for path in files(&root().join(folder), suffix) {
                // Some are in another encoding; others have mistakes.
                let Ok(text) = fs::read_to_string(&path) else {
                    continue;
                };
                if (grammar.errors)(&text) > 0 {
                    continue;
                }
                read += 1;
                let tree = grammar.parse(&text);
                if let Some(node) = first_error(tree.root_node()) {
                    let place = node.start_position();
                    let shown: String = text[node.byte_range()].chars().take(60).collect();
                    wrong.push(format!(
                        "{}:{}:{}: {shown}",
                        path.display(),
                        place.row + 1,
                        place.column + 1
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // So that nobody moves the files away unnoticed.
        assert!(read >= if suffix == "bpl" { 120 } else { 10 }, "{read}");
    }
}

/// Mistakes that a grammar for editors should see as well.
#[test]
fn mistakes_have_error_nodes() {
    let [boogie, ult] = grammars();
    for text in [
        "procedure p( { }",
        "procedure p() { x := ; }",
        "axiom forall x: int :: x == x;",
        "procedure p() { assert a == ; }",
        "const c: int",
        "/* /* */ const c: int;",
        "const c: λ;",
    ] {
        assert!((boogie.errors)(text) > 0, "{text}");
        assert!(boogie.parse(text).root_node().has_error(), "{text}");
    }
    for text in [
        "graph g { a -> ; }",
        "graph g { init a }",
        "graph { }",
        "graph g { a -> b: x'' == 1; }",
    ] {
        assert!((ult.errors)(text) > 0, "{text}");
        assert!(ult.parse(text).root_node().has_error(), "{text}");
    }
}

/// Files in the format of `tree-sitter test`: a heading between lines of `=`, the text, a line `---`, the tree.
/// `ULT_TREES=rewrite` writes the trees anew.
#[test]
fn trees_are_the_expected_ones() {
    for grammar in grammars() {
        let mut cases = 0;
        for path in files(&grammar.folder().join("test/corpus"), "txt") {
            let text = fs::read_to_string(&path).unwrap();
            let parts = text
                .split("\n====")
                .map(|part| part.trim_start_matches('='));
            let rewrite = std::env::var_os("ULT_TREES").is_some_and(|v| v == "rewrite");
            let mut heading = String::new();
            let mut rewritten = String::new();
            for part in parts {
                let Some((code, tree)) = part.split_once("\n---\n") else {
                    heading = part.trim().to_owned();
                    continue;
                };
                let (code, tree) = (code.trim_matches('\n'), tree.trim());
                let found = pretty(grammar.parse(code).root_node());
                let line = "=".repeat(20);
                rewritten += &format!("{line}\n{heading}\n{line}\n\n{code}\n\n---\n\n{found}\n\n");
                if !rewrite {
                    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                    assert_eq!(
                        words(&found),
                        words(tree),
                        "{}: {heading}\n{found}",
                        path.display()
                    );
                }
                cases += 1;
            }
            if rewrite {
                fs::write(&path, rewritten.trim_end().to_owned() + "\n").unwrap();
            }
        }
        assert!(cases >= 5, "{cases}");
    }
}

/// The tree as the command line program of tree-sitter prints it: named nodes with the names of their fields.
fn pretty(root: Node<'_>) -> String {
    fn add(node: Node<'_>, field: Option<&str>, depth: usize, text: &mut String) {
        if depth > 0 {
            text.push('\n');
        }
        *text += &"  ".repeat(depth);
        if let Some(field) = field {
            *text += &format!("{field}: ");
        }
        if node.is_missing() {
            *text += &format!("(MISSING {})", node.kind());
            return;
        }
        *text += &format!("({}", node.kind());
        for index in 0..node.child_count() as u32 {
            if let Some(child) = node.child(index).filter(|child| child.is_named()) {
                add(child, node.field_name_for_child(index), depth + 1, text);
            }
        }
        text.push(')');
    }
    let mut text = String::new();
    add(root, None, 0, &mut text);
    text
}

#[test]
fn queries_fit_the_grammars() {
    for grammar in grammars() {
        for path in files(&grammar.folder().join("queries"), "scm") {
            grammar.query(path.file_name().unwrap().to_str().unwrap());
        }
        Query::new(&grammar.language, grammar.highlights).unwrap();
    }
}

/// Files in the format of `tree-sitter test`: below a line, comments whose `^` (or, for the first columns, `<-`) point at
/// something in it and name its colour.
#[test]
fn colours_are_the_expected_ones() {
    for grammar in grammars() {
        let query = grammar.query("highlights.scm");
        let mut looked_at = 0;
        for path in files(
            &grammar.folder().join("test/highlight"),
            if grammar.name == "boogie" {
                "bpl"
            } else {
                "ult"
            },
        ) {
            let text = fs::read_to_string(&path).unwrap();
            let tree = grammar.parse(&text);
            assert!(!tree.root_node().has_error(), "{}", path.display());
            // What several patterns match has the colour of the last one.
            let mut colours = vec![None; text.len()];
            let mut cursor = QueryCursor::new();
            let mut found: Vec<(usize, std::ops::Range<usize>, u32)> = Vec::new();
            let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
            while let Some((matched, index)) = captures.next() {
                let capture = matched.captures[*index];
                found.push((
                    matched.pattern_index,
                    capture.node.byte_range(),
                    capture.index,
                ));
            }
            found.sort_by_key(|(pattern, range, _)| (std::cmp::Reverse(range.len()), *pattern));
            for (_, range, name) in found {
                colours[range].fill(Some(query.capture_names()[name as usize]));
            }
            let mut start_of_line = 0;
            let mut offset = 0;
            for line in text.split_inclusive('\n') {
                let claim = line.trim().strip_prefix("//").map(str::trim_start);
                let claim = claim.and_then(|claim| {
                    let column = if claim.starts_with('^') {
                        line.find('^')
                    } else {
                        claim.starts_with("<-").then(|| line.find("//"))?
                    };
                    Some((column?, claim.trim_start_matches(['^', '<', '-']).trim()))
                });
                match claim {
                    None => start_of_line = offset,
                    Some((column, expected)) => {
                        let colour = colours[start_of_line + column];
                        assert_eq!(colour, Some(expected), "{}: {line}", path.display());
                        looked_at += 1;
                    }
                }
                offset += line.len();
            }
        }
        assert!(looked_at >= 10, "{looked_at}");
    }
}

/// Generates the parsers anew. Where Node.js is installed, from `grammar.js`, else from the `grammar.json` that was made
/// of it. `ULT_PARSERS=rewrite` keeps what is generated.
#[test]
#[ignore = "takes long"]
fn the_parsers_are_what_the_grammars_generate() {
    let has_node = tools::has("node");
    let rewrite = std::env::var_os("ULT_PARSERS").is_some_and(|v| v == "rewrite");
    if !has_node {
        assert!(!rewrite, "Node.js is not installed");
        tools::missing(
            "node",
            "grammar.js (parsers are generated from grammar.json)",
        );
    }
    for grammar in grammars() {
        let folder = grammar.folder();
        let temporary = tempfile::tempdir().unwrap();
        let source = folder.join("src");
        let out = if rewrite {
            source.clone()
        } else {
            temporary.path().to_path_buf()
        };
        let from = if has_node {
            folder.join("grammar.js")
        } else {
            source.join("grammar.json")
        };
        // The version of the format that Neovim 0.7 and Emacs 29 read.
        const FORMAT: usize = 14;
        generate_parser_in_directory(
            &folder,
            Some(&out),
            Some(from),
            FORMAT,
            None,
            Some("node"),
            true,
            OptLevel::default(),
        )
        .unwrap();
        for name in [
            "grammar.json",
            "node-types.json",
            "parser.c",
            "tree_sitter/parser.h",
        ] {
            if name == "grammar.json" && !has_node {
                continue;
            }
            let [committed, generated] =
                [&source, &out].map(|folder| fs::read_to_string(folder.join(name)).unwrap());
            // Not `assert_eq!`, which would print megabytes.
            assert!(
                committed == generated,
                "editors/tree-sitter-{}/src/{name} is not what the grammar generates: see editors/tree-sitter/README.md",
                grammar.name
            );
        }
    }
}

/// What Neovim is asked: whether a text has errors, and how many of its parts have colours.
const QUESTION: &str = r#"
local name = vim.env.ULT_LANGUAGE
if vim.treesitter.language and vim.treesitter.language.add then
  vim.treesitter.language.add(name, { path = vim.env.ULT_PARSER })
else -- before 0.9
  vim.treesitter.require_language(name, vim.env.ULT_PARSER)
end
local text = table.concat(vim.fn.readfile(vim.env.ULT_TEXT), "\n")
local root = vim.treesitter.get_string_parser(text, name):parse()[1]:root()
local query = (vim.treesitter.query.parse or vim.treesitter.parse_query)(
  name, table.concat(vim.fn.readfile(vim.env.ULT_QUERY), "\n"))
local keywords = 0
for id, node in query:iter_captures(root, text, 0, -1) do
  if query.captures[id] == "keyword" then keywords = keywords + 1 end
end
vim.fn.writefile({ tostring(root:has_error()), tostring(keywords) }, vim.env.ULT_ANSWER)
vim.cmd("qall!")
"#;

/// Neovim loads the parser, where Neovim and a C compiler are installed.
#[test]
fn neovim_reads_the_grammars() {
    for program in ["nvim", "cc"] {
        if !tools::has(program) {
            tools::missing(program, "the grammars in Neovim");
            return;
        }
    }
    for (grammar, text, keywords) in [
        (
            &grammars()[0],
            "procedure p() { assert x > 1; /* /* */ */ }",
            "2",
        ),
        (&grammars()[1], "graph g { init a; a -> b: x' == 1; }", "2"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let source = grammar.folder().join("src");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-std=c11", "-I"])
            .arg(&source)
            .args([source.join("parser.c"), source.join("scanner.c")])
            .arg("-o")
            .arg(path("parser.so"))
            .status()
            .unwrap();
        assert!(built.success());
        fs::write(path("text"), text).unwrap();
        fs::write(path("question.lua"), QUESTION).unwrap();
        let output = Command::new("nvim")
            .args(["--headless", "-n", "-i", "NONE", "-u", "NONE", "-c"])
            .arg(format!("luafile {}", path("question.lua").display()))
            .args(["-c", "qall!"])
            .env("ULT_LANGUAGE", grammar.name)
            .env("ULT_PARSER", path("parser.so"))
            .env("ULT_TEXT", path("text"))
            .env("ULT_QUERY", grammar.folder().join("queries/highlights.scm"))
            .env("ULT_ANSWER", path("answer"))
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let answer = fs::read_to_string(path("answer"))
            .unwrap_or_else(|_| String::from_utf8_lossy(&output.stderr).into_owned());
        assert_eq!(answer.lines().collect::<Vec<_>>(), ["false", keywords]);
    }
}
