//! Diagnostics and verdicts.

use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::client::Client;

const COUNT: &str = "\
procedure count(n: int) returns (i: int)
  requires n >= 0;
  ensures i == n;
{
  i := 0;
  while (i < n) {
    i := i + 1;
  }
}
procedure twice(x: int) {
  var y: int;
  y := x + x;
  assert y != 6;
}
";

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().map(|d| d["code"].as_str());
    codes.map(|code| code.expect("a code")).collect()
}

#[test]
fn diagnostics_follow_the_typing() {
    let mut client = Client::start(&[]);
    let uri = "file:///t/%C3%A4%20b.bpl";
    client.open(uri, "procedure p() {\n  var x: int;\n  x := yy;\n}\n");
    let diagnostics = client.diagnostics(uri, |_| true);
    assert_eq!(codes(&diagnostics), ["E0201"]);
    let range = &diagnostics[0]["range"];
    assert_eq!(range["start"], json!({ "line": 2, "character": 7 }));
    assert_eq!(range["end"], json!({ "line": 2, "character": 9 }));
    assert_eq!(diagnostics[0]["severity"], 1);
    assert_eq!(diagnostics[0]["source"], "ult");

    client.change(uri, 2, [2, 7, 2, 9], "x + 1");
    assert_eq!(client.diagnostics(uri, |_| true), [Value::Null; 0]);
    client.change(uri, 3, [2, 7, 2, 12], "(");
    assert_eq!(codes(&client.diagnostics(uri, |_| true)), ["E0101"]);
    // Closed documents have no messages.
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(client.diagnostics(uri, |_| true), [Value::Null; 0]);
    client.open(uri, "type T\n");
    assert_eq!(codes(&client.diagnostics(uri, |_| true)), ["E0101"]);
    client.end();
}

#[test]
fn saving_checks_and_the_words_are_those_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count.bpl");
    std::fs::write(&path, COUNT).unwrap();
    let uri = format!("file://{}", path.display());
    let mut client = Client::start(&[]);
    client.open(&uri, COUNT);
    assert_eq!(client.diagnostics(&uri, |_| true), [Value::Null; 0]);
    client.save(&uri);
    let words = client.end_of_progress();
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .current_dir(crate::root())
        .args(["check", "--quiet"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(words, String::from_utf8(output.stdout).unwrap().trim_end());
    let diagnostics = client.diagnostics(&uri, |diagnostics| !diagnostics.is_empty());
    assert_eq!(codes(&diagnostics), ["assert"]);
    assert_eq!(diagnostics[0]["message"], "assertion violated");
    assert_eq!(diagnostics[0]["range"]["start"]["line"], 12);
    // The run, with its values, in its order.
    let steps = diagnostics[0]["relatedInformation"].as_array().unwrap();
    let steps: Vec<&str> = steps
        .iter()
        .map(|s| s["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        steps,
        [
            "initially: x = 3",
            "y := x + x;  --  y = 6",
            "assert y != 6;  --  VIOLATED"
        ]
    );
    assert!(
        client
            .asked
            .contains(&"window/workDoneProgress/create".to_owned())
    );

    // An edit makes the verdict meaningless.
    client.change(&uri, 2, [12, 14, 12, 15], "7");
    let is_new = |params: &Value| params["uri"] == *uri && params["version"] == 2;
    let now = client.notification("textDocument/publishDiagnostics", is_new);
    assert_eq!(now["diagnostics"], json!([]));
    client.end();
}

#[test]
fn a_command_checks_one_procedure_and_answers_with_the_report() {
    let uri = "file:///t/count.bpl";
    let mut client = Client::start(&["--no-check-on-save"]);
    client.open(uri, COUNT);
    client.save(uri);
    let report = client.request(
        "workspace/executeCommand",
        json!({ "command": "ult.check", "arguments": [uri, "count"], "workDoneToken": "mine" }),
    );
    assert_eq!(report["verdict"], "SAFE");
    assert_eq!(report["units"].as_array().unwrap().len(), 1);
    let progress = client.notifications("$/progress");
    assert!(progress.iter().all(|params| params["token"] == "mine"));
    assert_eq!(
        client.end_of_progress(),
        "ult: SAFE /t/count.bpl: 1 obligation proved in 1 procedure"
    );

    let report = client.request(
        "workspace/executeCommand",
        json!({ "command": "ult.check", "arguments": [uri] }),
    );
    assert_eq!(report["verdict"], "UNSAFE");
    let wrong = json!({ "command": "ult.check", "arguments": [uri, "nobody"] });
    let id = client.send("workspace/executeCommand", wrong);
    let error = client.answer(id).error.unwrap();
    assert!(error.message.contains("nobody"), "{}", error.message);
    client.end();
}

#[test]
fn the_server_survives_what_is_not_the_protocol() {
    let mut client = Client::start(&[]);
    let id = client.send("textDocument/nothing", json!({}));
    assert_eq!(client.answer(id).error.unwrap().code, -32601);
    let id = client.send("workspace/executeCommand", json!(7));
    assert_eq!(client.answer(id).error.unwrap().code, -32602);
    client.notify("textDocument/didChange", json!("?"));
    client.change("file:///not/open.bpl", 3, [0, 0, 0, 0], "x");
    client.save("file:///not/open.bpl");
    client.open("file:///t/a.bpl", "");
    assert_eq!(
        client.diagnostics("file:///t/a.bpl", |_| true),
        [Value::Null; 0]
    );
    client.change("file:///t/a.bpl", 2, [9, 9, 3, 3], "type T;");
    assert_eq!(
        client.diagnostics("file:///t/a.bpl", |_| true),
        [Value::Null; 0]
    );
    assert_eq!(client.vanish(), Some(2));
}
