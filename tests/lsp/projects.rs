//! Several folders, each with its own project file, and libraries.

use std::path::Path;

use serde_json::{Value, json};

use crate::lsp::client::Client;

/// It uses a library that comes with `ult`, and one of the project's own.
const WITH_LIBRARIES: &str = "\
procedure main(x: int) {
  assert min(x, 3) <= 3;
  assert twice(x) == 2 * x;
  assert abs(x) > 0;
  assert thrice(x) == 3 * x;
}
";

/// Its claims are proved if the call is what the body does, and not if it is what the contract says.
const WITH_A_CALL: &str = "\
procedure one() returns (r: int) { r := 1; }
procedure main() {
  var r: int;
  call r := one();
  assert r == 1;
}
";

fn written(folder: &Path, files: &[(&str, &str)]) -> Vec<String> {
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        format!("file://{}", path.display())
    };
    files.iter().map(write).collect()
}

/// Line and code of each diagnostic.
fn told(diagnostics: &[Value]) -> Vec<(u64, &str)> {
    let line = |found: &Value| found["range"]["start"]["line"].as_u64().unwrap();
    let all = diagnostics.iter();
    all.map(|found| (line(found), found["code"].as_str().unwrap()))
        .collect()
}

#[test]
fn each_folder_has_its_project() {
    let folder = tempfile::tempdir().unwrap();
    let known = WITH_LIBRARIES.replace("  assert thrice(x) == 3 * x;\n", "");
    let uris = written(
        folder.path(),
        &[
            ("a/ult.toml", "library = [\"math\", \"own.bpl\"]\n"),
            ("a/own.bpl", "function twice(x: int): int { x + x }\n"),
            ("a/deep/main.bpl", &known),
            ("b/ult.toml", "modular = true\n"),
            ("b/main.bpl", WITH_A_CALL),
            ("c/main.bpl", WITH_A_CALL),
        ],
    );
    let (with_libraries, modular, plain) = (&uris[2], &uris[4], &uris[5]);
    let mut client = Client::start(&[]);
    client.open(with_libraries, WITH_LIBRARIES);
    // One name is in no library.
    let diagnostics = client.diagnostics(with_libraries, |_| true);
    assert_eq!(told(&diagnostics), [(4, "E0202")], "{diagnostics:?}");
    client.change(with_libraries, 2, [4, 0, 5, 0], "");
    assert_eq!(
        client.diagnostics(with_libraries, |_| true),
        [Value::Null; 0]
    );
    client.save(with_libraries);
    let diagnostics = client.diagnostics(with_libraries, |found| !found.is_empty());
    assert_eq!(told(&diagnostics), [(3, "assert")], "{diagnostics:?}");

    for (uri, expected) in [(modular, "UNSAFE|UNKNOWN"), (plain, "SAFE")] {
        client.open(uri, WITH_A_CALL);
        client.save(uri);
        let words = loop {
            let words = client.end_of_progress();
            if words.contains(uri.trim_start_matches("file://")) {
                break words;
            }
        };
        let verdict = words.split([' ', '(']).nth(1).unwrap();
        assert!(expected.split('|').any(|one| one == verdict), "{words}");
    }
    client.end();
}

#[test]
fn the_server_has_libraries_of_its_own() {
    let uri = "file:///t/a.bpl";
    let mut client = Client::start(&["--library", "math"]);
    client.open(
        uri,
        "procedure p(x: int) {\n  assert max(x, 1) >= 1 && mx(x);\n}\n",
    );
    let diagnostics = client.diagnostics(uri, |_| true);
    assert_eq!(told(&diagnostics), [(1, "E0202")], "{diagnostics:?}");
    client.end();
}

#[test]
fn why_unknown_is_told_with_what_can_help() {
    let uri = "file:///t/a.bpl";
    let mut client = Client::start(&["--modular"]);
    client.open(uri, WITH_A_CALL);
    client.save(uri);
    let diagnostics = client.diagnostics(uri, |found| !found.is_empty());
    assert_eq!(
        told(&diagnostics),
        [(4, "contract-too-weak")],
        "{diagnostics:?}"
    );
    let hover = |client: &mut Client, line: u32| {
        let answer = client.request(
            "textDocument/hover",
            json!({
                "textDocument": { "uri": uri },
                "position": { "line": line, "character": 3 },
            }),
        );
        answer["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let words = hover(&mut client, 4);
    assert!(words.contains("UNKNOWN(contract-too-weak): "), "{words}");
    assert!(
        words.contains("Say in the contract what the procedure does"),
        "{words}"
    );
    assert!(!hover(&mut client, 0).contains("UNKNOWN"));
    client.end();
}
