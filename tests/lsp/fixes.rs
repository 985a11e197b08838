//! Quick fixes.

use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::client::Client;

/// The fixes that are offered for a line: their titles, and the text after the first of them.
fn fixes(
    client: &mut Client,
    uri: &str,
    text: &str,
    line: u32,
    shown: &[Value],
) -> (Vec<String>, String) {
    let answer = client.request(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": uri },
            "range": {
                "start": { "line": line, "character": 0 },
                "end": { "line": line, "character": 0 },
            },
            "context": { "diagnostics": shown },
        }),
    );
    let actions = answer.as_array().expect("actions");
    let titles = actions
        .iter()
        .map(|a| a["title"].as_str().unwrap().to_owned())
        .collect();
    let Some(action) = actions.first() else {
        return (titles, text.to_owned());
    };
    assert_eq!(action["kind"], "quickfix");
    (titles, changed(text, &action["edit"], uri))
}

/// A text after the first change that an edit makes to it.
fn changed(text: &str, edit: &Value, uri: &str) -> String {
    let edit = &edit["changes"][uri][0];
    let offset = |place: &Value| {
        let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(place["character"].as_u64().unwrap()).unwrap()
    };
    let (start, end) = (
        offset(&edit["range"]["start"]),
        offset(&edit["range"]["end"]),
    );
    let new = edit["newText"].as_str().unwrap();
    format!("{}{new}{}", &text[..start], &text[end..])
}

#[test]
fn the_name_that_was_meant() {
    let text = "procedure p(count: int) {\n  assert cuont == 0;\n}\n";
    let uri = "file:///t/a.bpl";
    let mut client = Client::start(&[]);
    client.open(uri, text);
    let shown = client.diagnostics(uri, |_| true);
    let (titles, new) = fixes(&mut client, uri, text, 1, &shown);
    assert_eq!(titles, ["Change to `count`"]);
    assert_eq!(new, text.replace("cuont", "count"));
    assert_eq!(fixes(&mut client, uri, text, 0, &[]).0, [""; 0]);
    client.end();
}

#[test]
fn what_a_procedure_modifies() {
    let uri = "file:///t/a.bpl";
    for (head, fixed) in [
        ("procedure p()\n", "procedure p()\n  modifies g;\n"),
        (
            "procedure p()\n  requires true;\n",
            "procedure p()\n  requires true;\n  modifies g;\n",
        ),
        (
            "procedure p()\n  modifies h;\n",
            "procedure p()\n  modifies h, g;\n",
        ),
    ] {
        let text = |head: &str| format!("var g, h: int;\n{head}{{\n  g := 1;\n}}\n");
        let mut client = Client::start(&[]);
        client.open(uri, &text(head));
        let shown = client.diagnostics(uri, |_| true);
        let (titles, new) = fixes(&mut client, uri, &text(head), 1, &shown);
        assert_eq!(titles, ["Add `modifies g;`"]);
        assert_eq!(new, text(fixed));
        client.end();
    }
}

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
";

#[test]
fn an_inferred_invariant_is_written_to_its_loop_and_proves_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count.bpl");
    std::fs::write(&path, COUNT).unwrap();
    let uri = format!("file://{}", path.display());
    let mut client = Client::start(&[]);
    client.open(&uri, COUNT);
    // Nothing is known before it was checked.
    assert_eq!(fixes(&mut client, &uri, COUNT, 5, &[]).0, [""; 0]);
    client.save(&uri);
    client.end_of_progress();
    let (titles, new) = fixes(&mut client, &uri, COUNT, 5, &[]);
    assert_eq!(titles, ["Insert the inferred invariant"]);
    assert!(new.contains("  while (i < n)\n    invariant "), "{new}");
    client.end();
    std::fs::write(&path, new).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(["check", "--quiet", "--modular"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Where a caller's obligation depends on a contract, what the contract lacks is offered there.
#[test]
fn an_inferred_contract_is_written_to_the_procedure_that_is_called() {
    let text = "procedure inc(x: int) returns (y: int)\n{\n  y := x + 1;\n}\nprocedure main()\n{\n  var z: int;\n  call z := inc(1);\n  assert z == 2;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.bpl");
    std::fs::write(&path, text).unwrap();
    let uri = format!("file://{}", path.display());
    let mut client = Client::start(&["--modular"]);
    client.open(&uri, text);
    client.save(&uri);
    client.end_of_progress();
    let (titles, new) = fixes(&mut client, &uri, text, 8, &[]);
    assert_eq!(titles, ["Insert the inferred contract"]);
    assert!(
        new.starts_with("procedure inc(x: int) returns (y: int)\n  ensures "),
        "{new}"
    );
    client.end();
    std::fs::write(&path, new).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(["check", "--quiet", "--modular"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The lens at the loop writes the invariant, too; where it is written already, nobody offers it.
#[test]
fn a_lens_inserts_the_invariant_once() {
    let uri = "file:///t/count.bpl";
    let mut client = Client::start(&[]);
    let insert = json!({ "command": "ult.insertInvariant", "arguments": [uri, 5] });
    let lens = |client: &mut Client| {
        let about = json!({ "textDocument": { "uri": uri } });
        let lenses = client.request("textDocument/codeLens", about);
        let lenses = lenses.as_array().unwrap().iter();
        let titles = lenses.map(|lens| (lens["command"]["title"].clone(), lens["command"].clone()));
        let mut found = titles.filter(|(title, _)| title == "insert invariant");
        found.next().map(|(_, command)| command)
    };
    client.open(uri, COUNT);
    assert_eq!(lens(&mut client), None);
    client.save(uri);
    client.end_of_progress();
    let command = lens(&mut client).expect("a lens");
    assert_eq!(command["arguments"], insert["arguments"]);
    client.request("workspace/executeCommand", insert.clone());
    // The answer to another question comes behind the edit.
    lens(&mut client);
    let new = changed(COUNT, &client.edits[0], uri);
    assert!(new.contains("  while (i < n)\n    invariant "), "{new}");
    client.change(uri, 2, [0, 0, 99, 0], &new);
    let id = client.send("workspace/executeCommand", insert);
    assert!(client.answer(id).error.is_some());
    client.save(uri);
    client.end_of_progress();
    assert_eq!(lens(&mut client), None);
    assert_eq!(fixes(&mut client, uri, &new, 5, &[]).0, [""; 0]);
    client.end();
}

/// What says nothing is neither shown nor offered.
#[test]
fn an_invariant_that_says_nothing_is_not_offered() {
    let uri = "file:///t/a.bpl";
    let text = "procedure p(n: int) {\n  var i: int;\n  i := n;\n  while (i < 9) {\n    i := i + 1;\n  }\n  assert i >= 9;\n}\n";
    let mut client = Client::start(&[]);
    client.open(uri, text);
    client.save(uri);
    assert!(client.end_of_progress().starts_with("ult: SAFE"));
    assert_eq!(fixes(&mut client, uri, text, 3, &[]).0, [""; 0]);
    let everywhere = json!({ "textDocument": { "uri": uri },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } });
    let hints = client.request("textDocument/inlayHint", everywhere);
    assert_eq!(hints, json!([]));
    let lenses = client.request(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert!(!lenses.to_string().contains("insert"), "{lenses}");
    client.end();
}

#[test]
fn where_there_is_nothing_to_check_an_assertion() {
    let folder = tempfile::tempdir().unwrap();
    for (quiet, fixed) in [
        (
            "procedure quiet(n: int)\n{\n  var i: int;\n  i := n; // the end\n}\n",
            "procedure quiet(n: int)\n{\n  var i: int;\n  i := n; // the end\n  assert false; /* say what holds here */\n}\n",
        ),
        (
            "procedure quiet(n: int) { }\n",
            "procedure quiet(n: int) { assert false; /* say what holds here */ }\n",
        ),
    ] {
        let text = format!("{quiet}procedure loud(n: int) {{ assert n == n; }}\n");
        let path = folder.path().join("quiet.bpl");
        std::fs::write(&path, &text).unwrap();
        let uri = format!("file://{}", path.display());
        let mut client = Client::start(&[]);
        client.open(&uri, &text);
        assert_eq!(fixes(&mut client, &uri, &text, 0, &[]).0, [""; 0]);
        client.save(&uri);
        client.end_of_progress();
        let (titles, new) = fixes(&mut client, &uri, &text, 0, &[]);
        assert_eq!(titles, ["Insert an assertion"]);
        assert!(new.starts_with(fixed), "{new}");
        let loud = u32::try_from(quiet.lines().count()).unwrap();
        assert_eq!(fixes(&mut client, &uri, &text, loud, &[]).0, [""; 0]);
        client.end();
        // It is no claim that holds by itself.
        std::fs::write(&path, new).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ult"))
            .args(["check", "--quiet"])
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}
