//! What was found before an edit is checked again behind it.

use serde_json::{Value, json};

use crate::lsp::client::Client;

const URI: &str = "file:///t/two.bpl";

const TEXT: &str = "\
procedure up(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n) { i := i + 1; }
  assert i == n;
}
procedure down() {
  var x: int;
  x := 2;
  while (x > 0) { x := x - 1; }
  assert x != 7;
}
";

/// The verdict of each procedure, and how many error locations were decided by what was kept, and by what was found.
fn checked(client: &mut Client) -> Vec<Value> {
    let report = client.request(
        "workspace/executeCommand",
        json!({ "command": "ult.check", "arguments": [URI] }),
    );
    let units = report["units"].as_array().expect("units").iter();
    units
        .map(|unit| {
            let evidence = &unit["evidence"];
            json!([unit["verdict"], evidence["reused"], evidence["found"]])
        })
        .collect()
}

#[test]
fn an_edit_costs_the_proof_of_what_was_edited() {
    let mut client = Client::start(&["--no-check-on-save"]);
    client.open(URI, TEXT);
    assert_eq!(
        checked(&mut client),
        [json!(["SAFE", 0, 1]), json!(["SAFE", 0, 1])]
    );
    assert_eq!(
        checked(&mut client),
        [json!(["SAFE", 1, 0]), json!(["SAFE", 1, 0])]
    );
    client.change(URI, 2, [11, 14, 11, 15], "0");
    assert_eq!(
        checked(&mut client),
        [json!(["SAFE", 1, 0]), json!(["UNSAFE", 0, 1])]
    );
    // A line more above, and back to what it was.
    client.change(URI, 3, [11, 14, 11, 15], "7");
    client.change(URI, 4, [0, 0, 0, 0], "// a line more\n");
    assert_eq!(
        checked(&mut client),
        [json!(["SAFE", 1, 0]), json!(["SAFE", 1, 0])]
    );
    client.end();
}

#[test]
fn a_server_goes_on_with_what_another_one_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept").display().to_string();
    let arguments = ["--no-check-on-save", "--cache", &kept];
    for [reused, found] in [[0, 1], [1, 0]] {
        let mut client = Client::start(&arguments);
        client.open(URI, TEXT);
        let unit = json!(["SAFE", reused, found]);
        assert_eq!(checked(&mut client), [unit.clone(), unit]);
        client.end();
    }
}
