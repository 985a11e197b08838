//! The page that `ult check --html` writes: what is in it, and how it behaves in a real browser.

#![cfg(unix)]

mod browser;
pub mod chromium;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A program that needs a loop invariant.
const COUNT: &str = "procedure main(n: int)
  requires n >= 0;
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
";

/// A program with a run of several steps.
const WRONG: &str = "procedure main(n: int) {
  var i, s: int;
  i := 0;
  s := 0;
  while (i < 3) {
    s := s + i;
    i := i + 1;
  }
  assert s < 3;
}
";

/// A page about a program.
struct Page {
    folder: TempDir,
    text: String,
}

impl Page {
    fn of(program: &str, args: &[&str]) -> Page {
        Page::about("a.bpl", program, args)
    }

    fn about(name: &str, program: &str, args: &[&str]) -> Page {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), program).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ult"))
            .args(["check", "--html", "page.html", name])
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = fs::read_to_string(folder.path().join("page.html"));
        let text = text.unwrap_or_else(|error| panic!("no page: {error}, {output:?}"));
        Page { folder, text }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("page.html")
    }

    /// The page without its data, and the data.
    fn parts(&self) -> (String, Value) {
        let start = "<script type=\"application/json\" id=\"data\">";
        let (before, rest) = self.text.split_once(start).unwrap();
        let (data, behind) = rest.split_once("</script>").unwrap();
        let data = serde_json::from_str(data).unwrap();
        (format!("{before}{behind}"), data)
    }
}

#[test]
fn the_page_asks_for_nothing_else() {
    let page = Page::of(COUNT, &[]);
    let (rest, _) = page.parts();
    let rest = rest.replace("'http://www.w3.org/2000/svg'", "");
    for word in [
        "http:",
        "https:",
        "src=",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "<link",
    ] {
        assert!(!rest.contains(word), "{word}");
    }
    for address in rest
        .split("href=\"")
        .skip(1)
        .chain(rest.split("url(").skip(1))
    {
        assert!(address.starts_with('#'), "{}", &address[..20]);
    }
    // And it could not if it wanted to.
    assert!(rest.contains("default-src 'none'"));
}

#[test]
fn a_program_cannot_break_out_of_the_data() {
    let evil =
        "// </script><script>alert(1)</script> <!-- <script> ]]> \u{2028} & é {{script}} {{data}}";
    let page = Page::of(&format!("{evil}\n{COUNT}"), &[]);
    assert_eq!(page.text.matches("</script>").count(), 2);
    assert_eq!(page.text.matches("<script").count(), 2);
    assert!(!page.text.contains("alert(1)</"));
    let (_, data) = page.parts();
    assert_eq!(data["files"][0]["lines"][0][2], evil);
    // Nor by its name.
    let page = Page::about("<b>&.bpl", COUNT, &[]);
    assert!(
        page.text
            .contains("<title>&lt;b&gt;&amp;.bpl - ult</title>")
    );
}

#[test]
fn the_same_input_gives_the_same_page() {
    let timeless = |page: &Page| {
        let (rest, mut data) = page.parts();
        data["files"][0]["seconds"] = Value::Null;
        (rest, data)
    };
    let args = ["--engine", "slicing", "--auxiliary", "none"];
    assert_eq!(
        timeless(&Page::of(COUNT, &args)),
        timeless(&Page::of(COUNT, &args))
    );
}

/// A loop with two phases: after some refinements it gets a second look.
const PHASES: &str = "procedure main()
{
  var x, y: int;
  x := 0;
  y := 50;
  while (x < 100) {
    x := x + 1;
    if (x > 50) { y := y + 1; }
  }
  assert y == 100;
}
";

/// What is marked in the program graph exists there, also when the search was over another graph.
#[test]
fn steps_are_about_the_program_graph() {
    let page = Page::of(PHASES, &["--engine", "slicing"]);
    let (_, data) = page.parts();
    let explanation = &data["files"][0]["units"][0]["explanation"];
    let searches = explanation["engines"][0]["searches"].as_array().unwrap();
    let in_phases: Vec<_> = searches.iter().map(|search| &search["phases"]).collect();
    assert_eq!(in_phases, [false, true]);
    let mut marked = 0;
    for step in searches.iter().flat_map(|s| s["steps"].as_array().unwrap()) {
        for (kind, among) in [("places", "nodes"), ("edges", "edges")] {
            let among = explanation["reduced"][among].as_array().unwrap();
            for number in step[kind].as_array().unwrap() {
                assert!(
                    among.iter().any(|element| element["id"] == *number),
                    "{step}"
                );
                marked += 1;
            }
        }
    }
    assert!(marked > 20, "{marked}");
    // And in the source: the block of the loop consists of its lines.
    let edges = explanation["reduced"]["edges"].as_array().unwrap();
    let round = edges
        .iter()
        .find(|edge| edge["from"] == edge["to"])
        .unwrap();
    assert_eq!(round["src"], serde_json::json!([6, 7, 8]));
}

/// Each step shows the abstraction as it is then: what goes is marked, and gone in the next one.
#[test]
fn pictures_follow_the_steps() {
    for engine in ["slicing", "impact", "predicate"] {
        let page = Page::of(COUNT, &["--engine", engine, "--auxiliary", "none"]);
        let (_, data) = page.parts();
        let search = &data["files"][0]["units"][0]["explanation"]["engines"][0]["searches"][0];
        let steps = search["steps"].as_array().unwrap();
        let ids = |step: &Value, kind: &str| -> Vec<String> {
            let frame = &search["frames"][step["frame"].as_u64().unwrap() as usize];
            let elements = frame[kind].as_array().unwrap().iter();
            let elements = elements.filter(|element| element["cover"] != true);
            let sign = &kind[..1];
            let numbers = elements.flat_map(|element| match element["ids"].as_array() {
                Some(ids) => ids.clone(),
                None => vec![element["id"].clone()],
            });
            numbers.map(|number| format!("{sign}{number}")).collect()
        };
        let mut marked = 0;
        for pair in steps.windows(2) {
            for mark in pair[0]["marks"].as_array().unwrap() {
                let element = mark[0].as_str().unwrap();
                let kind = if element.starts_with('n') {
                    "nodes"
                } else {
                    "edges"
                };
                let there = ids(&pair[0], kind).iter().any(|id| id == element);
                assert!(there, "{engine}: {element} is not there in {}", pair[0]);
                if mark[1] == "gone" {
                    marked += 1;
                    let still = ids(&pair[1], kind).iter().any(|id| id == element);
                    assert!(!still, "{engine}: {element} is still there in {}", pair[1]);
                }
            }
        }
        assert!(marked > 0, "{engine} removes nothing");
    }
}

/// Whatever happens, there is a page.
#[test]
fn every_end_has_a_page() {
    let rejected = Page::of("procedure p() { x := 1; }\n", &[]);
    let (_, data) = rejected.parts();
    assert_eq!(data["files"][0]["verdict"], "REJECTED");
    let unknown = Page::of(COUNT, &["--engine", "bmc", "--timeout", "1"]);
    let (_, data) = unknown.parts();
    assert_eq!(data["files"][0]["verdict"], "UNKNOWN");
    // What is left and what to do next stands there as in the terminal, and the reason once.
    let unit = &data["files"][0]["units"][0];
    let left: Vec<&str> = unit["left"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(left.contains(&"still open: the loop at line 6"), "{left:?}");
    assert!(
        left.iter().any(|line| line.starts_with("next: ")),
        "{left:?}"
    );
    assert_eq!(unit["obligations"][0]["reason"], Value::Null, "{unit}");
    let engine = &unit["explanation"]["engines"][0];
    assert_eq!(engine["name"], "bmc");
    assert_eq!(engine["searches"], Value::Array(Vec::new()));
}

/// The page shows the file as it was written, and not what the preprocessor made of it.
#[test]
fn lines_of_c_are_those_of_the_file() {
    let text = "#include <assert.h>
int main(void) {
  int x = 0;
  assert(x == 0);
  return 0;
}
";
    let (_, data) = Page::about("a.c", text, &["--confirm", "never"]).parts();
    let lines = data["files"][0]["lines"].as_array().unwrap();
    let shown = lines.iter().find(|line| line[1] == 4);
    assert_eq!(shown.unwrap()[2], "  assert(x == 0);");
}
