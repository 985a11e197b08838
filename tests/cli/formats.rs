//! Reports for other programs: SARIF, JUnit XML; and folders of programs.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use super::{SAFE, UNSAFE, neutral};
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

/// What is wrong with a log, for the schema of the standard. The package of `serde-sarif` has the schema in it, as its types are
/// made of that.
fn wrong(log: &Value) -> Result<(), String> {
    static SCHEMA: OnceLock<(Schemas, SchemaIndex)> = OnceLock::new();
    let (schemas, index) = SCHEMA.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked", "--offline"])
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
