//! Reports for other programs: SARIF, JUnit XML; and folders of programs.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use super::{SAFE, UNSAFE, neutral};
use crate::schema::{against_schema, schema};
use crate::session::Session;

const OPEN: &str = "\
procedure more(x: int) returns (y: int)
  ensures y > x;
{
  y := x + 1;
}
procedure main() {
  var y: int;
  call y := more(1);
  assert y == 2;
}
";

const PARTS: &str = "\
procedure half(n: int) returns (r: int)
  requires n > 0;
{
  r := n div 2;
}
procedure main(n: int) {
  var h: int;
  call h := half(n);
}
";

/// The kind of machine that this is, as cargo calls it.
fn host() -> String {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    let host = lines.find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc says it").to_owned()
}

/// What is wrong with a log, for the schema of the standard. The package of `serde-sarif` has the schema in it, as its types are
/// made of that.
fn wrong(log: &Value) -> Result<(), String> {
    static SCHEMA: OnceLock<(Schemas, SchemaIndex)> = OnceLock::new();
    let (schemas, index) = SCHEMA.get_or_init(|| {
        // Packages for other systems may never have been downloaded.
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked", "--offline"])
            .args(["--filter-platform", &host()])
            .current_dir(crate::root())
            .output()
            .expect("cargo runs");
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut packages = metadata["packages"].as_array().unwrap().iter();
        let package = packages
            .find(|package| package["name"] == "serde-sarif")
            .unwrap();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let schema = fs::read(manifest.with_file_name("src/schema.json")).unwrap();
        let schema = serde_json::from_slice(&schema).unwrap();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.enable_format_assertions();
        compiler.add_resource("sarif.json", schema).unwrap();
        let index = compiler.compile("sarif.json", &mut schemas).unwrap();
        (schemas, index)
    });
    schemas.validate(log, *index).map_err(|why| why.to_string())
}

/// The log, which the standard's schema accepts.
fn sarif(session: &Session, args: &[&str]) -> Value {
    let output = session.run(&[&["check", "--format", "sarif"], args].concat());
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(wrong(&log), Ok(()));
    serde_json::from_value::<Sarif>(log.clone()).unwrap();
    log
}

#[test]
fn the_schema_of_sarif_is_the_standards() {
    let session = Session::new(&[("parts.bpl", PARTS)]);
    let log = sarif(&session, &["parts.bpl"]);
    for (place, value) in [
        ("/version", Value::from("2.0.0")),
        ("/runs/0/tool", Value::Null),
        ("/runs/0/results/0/level", Value::from("grave")),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            Value::from(0),
        ),
    ] {
        let mut log = log.clone();
        *log.pointer_mut(place).expect(place) = value;
        assert!(wrong(&log).is_err(), "{place}");
    }
}

/// Of each result: file, rule, kind and level.
fn told(run: &Value) -> Vec<[String; 4]> {
    let results = run["results"].as_array().unwrap().iter();
    let told = results.map(|result| {
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        [file, &result["ruleId"], &result["kind"], &result["level"]].map(text)
    });
    told.collect()
}

#[test]
fn violations_in_sarif() {
    let session = Session::new(&[("parts.bpl", PARTS)]);
    snapshot!(
        "sarif",
        session.story(&["check", "parts.bpl", "--format", "sarif"])
    );
}

#[test]
fn sarif_has_what_is_not_proved() {
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe file.bpl", UNSAFE),
        ("wrong.bpl", "procedure main() { x := 1; }\n"),
        ("open.bpl", OPEN),
    ]);
    let log = sarif(&session, &["safe.bpl", "unsafe file.bpl", "wrong.bpl"]);
    let run = &log["runs"][0];
    let expected = [
        ["unsafe%20file.bpl", "assert", "", "error"],
        ["wrong.bpl", "E0201", "", "error"],
    ];
    assert_eq!(told(run), expected);
    let results = &run["results"];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for [_, rule, ..] in told(run) {
        assert!(rules.iter().any(|known| known["id"] == *rule), "{rule}");
    }
    // The last step of the run is the violation.
    let steps = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let last = &steps.as_array().unwrap().last().unwrap()["location"];
    let text = last["message"]["text"].as_str().unwrap();
    assert!(text.ends_with("VIOLATED"), "{text}");
    let log = sarif(&session, &["open.bpl", "--calls", "contract"]);
    let expected = [["open.bpl", "assert", "open", "none"]];
    assert_eq!(told(&log["runs"][0]), expected);
}

#[test]
fn cases_in_junit() {
    let session = Session::new(&[
        ("parts.bpl", PARTS),
        ("wrong.bpl", "procedure main() { x := 1; }\n"),
    ]);
    let story = session.story(&["check", "parts.bpl", "wrong.bpl", "--format", "junit"]);
    let mut pieces = story.split(" time=\"");
    let mut timeless = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (_, rest) = piece.split_once('"').unwrap();
        timeless += " time=\"TIME\"";
        timeless += rest;
    }
    snapshot!("junit", timeless);
    let output = session.run(&["check", "parts.bpl", "--format", "junit"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let failures = document
        .descendants()
        .filter(|node| node.has_tag_name("failure"));
    assert_eq!(failures.count(), 1, "{text}");
}

#[test]
fn folders_stand_for_the_programs_in_them() {
    let session = Session::new(&[("other.bpl", UNSAFE)]);
    let models = session.path().join("models");
    for (name, text) in [
        ("b/deep.bpl", SAFE),
        ("a.bpl", UNSAFE),
        ("notes.txt", "no program"),
        (".hidden.bpl", UNSAFE),
        (".git/c.bpl", UNSAFE),
    ] {
        let path = models.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // A folder that contains itself.
    std::os::unix::fs::symlink(&models, models.join("b/again")).unwrap();
    let output = session.run(&["check", "models"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("ult: "))
        .collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("ult: UNSAFE models/a.bpl:"), "{text}");
    assert!(
        lines[1].starts_with("ult: SAFE models/b/deep.bpl:"),
        "{text}"
    );
    assert!(text.ends_with("\n2 files: 1 SAFE, 1 UNSAFE\n"), "{text}");
    // One file of a folder is still a list.
    let json = session.json(&["check", "models/b"]);
    assert_eq!(json.as_array().unwrap().len(), 1);
    // Nothing is not a success.
    fs::create_dir(session.path().join("empty")).unwrap();
    let (code, said) = session.told(&["check", "other.bpl", "empty"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("there is no program in the folder `empty`"),
        "{said}"
    );
}

/// Every report as JSON that these tests and those of the corpus make is held against the schema; here are the forms that few
/// of them have, and that the schema refuses what is none.
#[test]
fn reports_as_json_have_a_schema() {
    let wrong = "procedure p() { assert 1 < y; }\n";
    let session = Session::new(&[
        ("parts.bpl", PARTS),
        ("open.bpl", OPEN),
        ("wrong.bpl", wrong),
        ("nothing.bpl", "var x: int;\n"),
        (
            "list.c",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (!p) return 0; *p = 3; return p[1]; }\n",
        ),
    ]);
    let all = session.json(&[
        "check",
        "parts.bpl",
        "open.bpl",
        "wrong.bpl",
        "nothing.bpl",
        "list.c",
    ]);
    assert_eq!(all.as_array().map(Vec::len), Some(5));
    session.json(&[
        "check",
        "--modular",
        "--trace-refinement",
        "--explain-portfolio",
        "open.bpl",
    ]);
    let report = session.json(&["check", "parts.bpl"]);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    let obligation = &report["units"][1]["obligations"][0];
    assert!(obligation["place"]["end_column"].as_u64() > obligation["place"]["column"].as_u64());
    assert!(obligation["id"].as_str().unwrap().ends_with("/1"));
    let refused = session.json(&["check", "wrong.bpl"]);
    assert!(refused["diagnostics"][0]["end_line"].is_u64());
    for (place, value) in [
        ("/verdict", Value::from("MAYBE")),
        ("/version", Value::Null),
        ("/units/1/obligations/0/id", Value::from("1")),
        ("/units/1/obligations/0/place/line", Value::from(0)),
        ("/units/1/obligations/0/reason", Value::from("timeout")),
        ("/units/1/name", Value::Null),
    ] {
        let mut report = report.clone();
        *report.pointer_mut(place).expect(place) = value;
        assert!(against_schema(&report).is_err(), "{place}");
    }
    let (schemas, index) = schema("src/cli/infer.schema.json");
    let inferred = session.json(&["infer", "parts.bpl"]);
    assert!(schemas.validate(&inferred, index).is_ok(), "{inferred:#}");
}

/// What helps is told to machines as it is to people: the same words, beside the same message.
#[test]
fn help_is_part_of_the_json() {
    let text = "procedure p(count: int, r: real) {\n  assert cuont == 0;\n  assert not (count == 1);\n  assert zzz == r;\n}\n";
    let session = Session::new(&[("p.bpl", text)]);
    let report = session.json(&["check", "p.bpl"]);
    let told = report["diagnostics"].as_array().unwrap().iter();
    let told: Vec<(&str, Option<&str>)> = told
        .map(|one| (one["id"].as_str().unwrap(), one["help"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("E0201", Some("did you mean `count`?")),
            ("E0202", Some("negation is written `!`: `!(x == 1)`")),
            ("E0201", None),
        ]
    );
    let (_, shown) = session.told(&["check", "p.bpl"]);
    for (_, help) in told {
        assert!(shown.contains(help.unwrap_or_default()), "{shown}");
    }
}

/// Colours are for terminals that want them, in messages as in reports.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_coloured_where_the_user_says_so() {
    let session = Session::new(&[
        ("wrong.bpl", "procedure p() { assert 1 < y; }\n"),
        ("unsafe.bpl", UNSAFE),
    ]);
    for file in ["wrong.bpl", "unsafe.bpl"] {
        let is_coloured = |args: &[&str], no_color| {
            let text = session.on_terminal(&[&["check", file], args].concat(), no_color);
            assert!(text.contains(file), "{text}");
            // What clears the line of the progress is no colour.
            text.replace("\u{1b}[K", "").contains('\u{1b}')
        };
        assert!(is_coloured(&[], None), "{file}");
        assert!(!is_coloured(&[], Some("1")), "{file}");
        assert!(!is_coloured(&["--color=never"], None), "{file}");
    }
}
