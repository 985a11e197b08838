//! Which queries run again after an edit.

#![allow(clippy::unwrap_used, reason = "a test")]

use salsa::Setter;
use ult_lang::db::{Database, SourceFile, boogie_names, boogie_program, graph_program};
use ult_lang::{Modifies, analyze_boogie, analyze_graph};

const TEXT: &str = "\
type Node;
var g: int;
function f(x: int) returns (int) { x + 1 }
axiom (forall x: int :: f(x) > x);
procedure first(n: int) returns (r: int)
  ensures r > n;
{
  r := f(n);
}
procedure second()
  modifies g;
{
  var x: int;
  call x := first(g);
  g := x;
}
procedure third();
  requires (forall y: int :: y < f(y));
implementation third() {
  assert g == g;
}
";

/// How often each query is in the log.
fn count(log: &[String], query: &str) -> usize {
    log.iter()
        .filter(|entry| entry.starts_with(&format!("{query}(")))
        .count()
}

/// The result of the queries is that of the analysis in one go.
fn agrees(db: &Database, file: SourceFile) {
    let analysis = boogie_program(db, file);
    let (program, diagnostics) = analyze_boogie(file.text(db));
    assert_eq!(analysis.program, program);
    assert_eq!(analysis.diagnostics, diagnostics);
}

fn edited(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from));
    text.replacen(from, to, 1)
}

#[test]
fn queries_run_again_only_where_something_changed() {
    let mut db = Database::with_log();
    let file = SourceFile::new(&db, "test.bpl".into(), TEXT.into(), Modifies::Infer);
    agrees(&db, file);
    let log = db.take_log();
    assert_eq!(count(&log, "boogie_checked"), 8, "{log:?}");
    assert_eq!(count(&log, "boogie_piece"), 8);
    assert_eq!(count(&log, "parsed_boogie"), 0);
    assert_eq!(count(&log, "boogie_declared"), 1);

    // Nothing changed.
    agrees(&db, file);
    assert_eq!(db.take_log(), [""; 0]);

    // An edit inside of a body: that body alone, although all that follows has moved.
    let text = edited(TEXT, "r := f(n);", "r := f(n) + f(n + 1);");
    file.set_text(&mut db).to(text.clone());
    agrees(&db, file);
    let log = db.take_log();
    assert_eq!(count(&log, "boogie_checked"), 1, "{log:?}");
    assert_eq!(count(&log, "boogie_piece"), 1, "{log:?}");
    assert_eq!(count(&log, "parsed_boogie"), 0);

    // A comment in front of everything: the declarations are what they were.
    file.set_text(&mut db).to(format!("// moved\n{text}"));
    agrees(&db, file);
    let log = db.take_log();
    assert_eq!(count(&log, "boogie_checked"), 0, "{log:?}");
    assert_eq!(count(&log, "boogie_declared"), 0, "{log:?}");
    assert_eq!(count(&log, "boogie_program"), 1, "{log:?}");

    // A signature: whoever might depend on it.
    let text = edited(&text, "first(n: int)", "first(n: bool)");
    file.set_text(&mut db).to(text);
    agrees(&db, file);
    let log = db.take_log();
    assert_eq!(count(&log, "boogie_checked"), 8, "{log:?}");
    let errors = boogie_program(&db, file)
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .count();
    assert!(errors > 0);
}

#[test]
fn an_error_comes_and_goes_with_an_edit() {
    let mut db = Database::default();
    let file = SourceFile::new(&db, "test.bpl".into(), TEXT.into(), Modifies::Check);
    assert_eq!(boogie_program(&db, file).diagnostics, []);
    file.set_text(&mut db)
        .to(edited(TEXT, "assert g == g;", "assert g == true;"));
    let diagnostics = &boogie_program(&db, file).diagnostics;
    assert_eq!(diagnostics.len(), 1);
    // The place is where the operator stands in the edited text.
    let text = file.text(&db);
    assert_eq!(&text[diagnostics[0].span().range()], "==");
    assert!(text[..diagnostics[0].span().start as usize].ends_with("assert g "));
    file.set_text(&mut db).to(TEXT.into());
    assert_eq!(boogie_program(&db, file).diagnostics, []);
}

#[test]
fn graphs_are_checked_one_by_one() {
    let text = "\
const n: int;
graph one { var x: int; init a; a -> a: x' == x + n; }
graph two { var x: int; init a; a -> a { local t: int; let d := t + n; x' == d } }
";
    let mut db = Database::with_log();
    let file = SourceFile::new(&db, "test.ult".into(), text.into(), Modifies::Infer);
    assert_eq!(graph_program(&db, file).diagnostics, []);
    assert_eq!(count(&db.take_log(), "graph_checked"), 2);
    let text = edited(text, "x + n", "x + n + n");
    file.set_text(&mut db).to(text.clone());
    let analysis = graph_program(&db, file);
    assert_eq!(count(&db.take_log(), "graph_checked"), 1);
    let (program, diagnostics) = analyze_graph(&text);
    assert_eq!(analysis.program, program);
    assert_eq!(analysis.diagnostics, diagnostics);
}

#[test]
fn names_are_looked_for_again_in_the_edited_declaration_alone() {
    let mut db = Database::with_log();
    let file = SourceFile::new(&db, "test.bpl".into(), TEXT.into(), Modifies::Infer);
    let before = boogie_names(&db, file).all().count();
    assert_eq!(count(&db.take_log(), "boogie_item_names"), 8);
    let text = edited(TEXT, "r := f(n);", "r := f(n) + f(n + 1);");
    file.edit(&mut db, text.clone());
    assert_eq!(boogie_names(&db, file).all().count(), before + 2);
    assert_eq!(count(&db.take_log(), "boogie_item_names"), 1);
    // What has moved is found where it is now.
    let offset = u32::try_from(text.find("g == g").unwrap()).unwrap();
    let found = boogie_names(&db, file).at(offset).unwrap();
    let declarations = boogie_names(&db, file).declarations(&found.symbol);
    assert_eq!(declarations[0].detail, "var g: int");
    assert_eq!(&text[declarations[0].extent.range()], "var g: int;");
}

#[test]
fn pieces_are_parsed_as_the_whole_is() {
    let mut db = Database::default();
    let file = SourceFile::new(&db, "test.bpl".into(), String::new(), Modifies::Infer);
    let odd = [
        "",
        "// nothing",
        "pure procedure p(); type pure; var hideable, revealed: pure; procedure q(); ensures true;",
        "const c: int uses { axiom c > 0; } axiom (var x := c; x > 0); var g: int",
        "procedure p() { var x: int; } } procedure q() { var y: int; }",
        "type T = ; procedure p(); x := 1; procedure q() returns (x: int) { x := 1; }",
        "function f(x: int): int { x } implementation p() { } procedure p(); requires 1 == 1;",
        "/* procedure */ procedure p() { assert {:a \"procedure\"} true; } // var",
    ];
    let mut texts: Vec<String> = odd.iter().map(|text| (*text).to_owned()).collect();
    let mut folders =
        vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "bpl")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                texts.push(text);
            }
        }
    }
    assert!(texts.len() > 60, "only {} texts", texts.len());
    for text in texts {
        file.edit(&mut db, text.clone());
        agrees(&db, file);
        // While somebody types: the text up to somewhere.
        let cut = text.floor_char_boundary(text.len() * 2 / 3);
        file.edit(&mut db, text[..cut].to_owned());
        agrees(&db, file);
    }
}
