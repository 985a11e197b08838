//! What a check has found out, in the text.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lsp::client::{Client, everything};

const URI: &str = "file:///t/a.bpl";

const TEXT: &str = "\
procedure up(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
procedure down() {
  var x: int;
  x := 2;
  while (x > 0) {
    x := x - 1;
  }
  assert x != 0;
}
procedure open();
";

/// Too hard to be decided: whether there is another circle of Collatz's steps is an open problem.
const HARD: &str = "\
procedure hard(n: int)
{
  var x: int;
  assume n > 4;
  x := n;
  while (x != 1) {
    if (x mod 2 == 0) { x := x div 2; } else { x := 3 * x + 1; }
    assert x != n;
  }
}
";

fn check(uri: &str) -> Value {
    json!({ "command": "ult.check", "arguments": [uri] })
}

fn everywhere() -> Value {
    json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
    })
}

/// The titles of the code lenses, with their lines.
fn lenses(client: &mut Client) -> Vec<String> {
    let lenses = client.request(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    let lenses = lenses.as_array().unwrap().iter();
    lenses
        .map(|lens| {
            let title = lens["command"]["title"].as_str().unwrap();
            format!("{}: {title}", lens["range"]["start"]["line"])
        })
        .collect()
}

/// The labels of the inlay hints, with their lines.
fn hints(client: &mut Client) -> Vec<String> {
    let hints = client.request("textDocument/inlayHint", everywhere());
    let hints = hints.as_array().unwrap().iter();
    hints
        .map(|hint| {
            format!(
                "{}: {}",
                hint["position"]["line"],
                hint["label"].as_str().unwrap()
            )
        })
        .collect()
}

/// Where the client shows pages, there is a lens, and the answer is the page.
#[test]
fn a_graph_is_shown_as_a_page() {
    let capabilities = json!({ "experimental": { "ultPages": true } });
    let mut client = Client::with_capabilities(&[], capabilities);
    client.open(URI, TEXT);
    assert_eq!(
        lenses(&mut client),
        ["0: check", "0: show graph", "9: check", "9: show graph"]
    );
    let show = |unit: &str| json!({ "command": "ult.showGraph", "arguments": [URI, unit] });
    let page = client.request("workspace/executeCommand", show("up"));
    let page = page.as_str().unwrap();
    assert!(page.starts_with("<!doctype html>"), "{page}");
    // It is about this procedure, and about how it was decided.
    assert!(page.contains("\"name\":\"up\"") && !page.contains("\"name\":\"down\""));
    assert!(page.contains("\"action\":\"start\""));
    // What was found out counts like any other check.
    assert!(lenses(&mut client).contains(&"0: SAFE, 1 obligation proved".to_owned()));
    client.end();
}

/// A file is checked when it is opened, unless that is switched off; an older state of it, shown to compare, is not.
#[test]
fn a_file_is_checked_when_it_is_opened() {
    let mut client = Client::as_it_is(&[], everything(), None);
    client.open("git:/t/a.bpl?HEAD", TEXT);
    client.open(URI, TEXT);
    let words = client.end_of_progress();
    assert!(words.starts_with("ult: UNSAFE /t/a.bpl:16:3"), "{words}");
    let diagnostics = client.diagnostics(URI, |diagnostics| !diagnostics.is_empty());
    assert_eq!(diagnostics[0]["range"]["start"]["line"], 15);
    assert!(lenses(&mut client).contains(&"0: SAFE, 1 obligation proved".to_owned()));
    client.end();

    let mut client = Client::as_it_is(&["--no-check-on-open"], everything(), None);
    client.open(URI, TEXT);
    assert_eq!(lenses(&mut client), ["0: check", "9: check"]);
    client.end();
}

/// Where the editor shows no places beside a message, they are in its text.
#[test]
fn places_are_told_in_the_message_where_the_editor_hides_them() {
    let mut client = Client::with_capabilities(&[], json!({}));
    client.open(URI, TEXT);
    client.save(URI);
    let diagnostics = client.diagnostics(URI, |diagnostics| !diagnostics.is_empty());
    let message = diagnostics[0]["message"].as_str().unwrap();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "assertion violated");
    assert!(lines.contains(&"line 12: x := 2;  --  x = 2"), "{message}");
    assert!(diagnostics[0].get("relatedInformation").is_none());
    // Elsewhere they are beside it.
    let mut other = Client::start(&[]);
    other.open(URI, TEXT);
    other.save(URI);
    let diagnostics = other.diagnostics(URI, |diagnostics| !diagnostics.is_empty());
    let message = diagnostics[0]["message"].as_str().unwrap();
    assert!(!message.contains("line 12"), "{message}");
    let related = diagnostics[0]["relatedInformation"].as_array().unwrap();
    assert!(
        related
            .iter()
            .any(|place| place["message"] == "x := 2;  --  x = 2")
    );
    other.end();
    client.end();
}

#[test]
fn lenses_hints_and_hovers_show_what_was_found() {
    let mut client = Client::start(&[]);
    client.open(URI, TEXT);
    assert_eq!(lenses(&mut client), ["0: check", "9: check"]);
    assert_eq!(hints(&mut client), [""; 0]);
    client.request("workspace/executeCommand", check(URI));
    assert_eq!(
        lenses(&mut client),
        [
            "0: check",
            "0: SAFE, 1 obligation proved",
            "9: check",
            "9: UNSAFE, 1 of 1 obligation violated",
            "9: show counterexample",
            "4: insert invariant",
        ]
    );
    let hints_now = hints(&mut client);
    // An invariant of the loop, and the values along the run.
    assert!(hints_now[0].starts_with("4: invariant "), "{hints_now:?}");
    assert_eq!(
        hints_now[1..],
        [
            "11: x = 2",
            "12: true | true | false",
            "13: x = 1 | x = 0",
            "15: VIOLATED",
        ]
    );
    let hover = |line: u32, character: u32| json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let words = client.request("textDocument/hover", hover(0, 10));
    let words = words["contents"]["value"].as_str().unwrap().to_owned();
    assert!(words.ends_with("SAFE, 1 obligation proved"), "{words}");
    let words = client.request("textDocument/hover", hover(4, 3));
    let words = words["contents"]["value"].as_str().unwrap().to_owned();
    assert!(
        words.starts_with("inferred invariant of the loop:"),
        "{words}"
    );
    let formula = hints_now[0].strip_prefix("4: invariant ").unwrap();
    assert!(words.contains(formula), "{words}");

    let run = client.request(
        "workspace/executeCommand",
        json!({ "command": "ult.showCounterexample", "arguments": [URI, "down"] }),
    );
    assert!(run.as_str().unwrap().contains("12: x := 2;"), "{run}");
    for wanted in ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"] {
        assert!(client.asked.contains(&wanted.to_owned()), "{wanted}");
    }

    // After an edit none of it is known to hold.
    client.change(URI, 2, [11, 7, 11, 8], "3");
    assert_eq!(hints(&mut client), [""; 0]);
    assert_eq!(lenses(&mut client), ["0: check", "9: check"]);
    client.end();
}

#[test]
fn a_check_can_be_cancelled_and_never_blocks_typing() {
    let mut client = Client::start(&[]);
    client.open(URI, HARD);
    let id = client.send("workspace/executeCommand", check(URI));
    let begin = client.notification("$/progress", |params| params["value"]["kind"] == "begin");
    assert_eq!(begin["value"]["cancellable"], true);
    // While it works: what it does, and answers to everything else.
    let report = client.notification("$/progress", |params| params["value"]["kind"] == "report");
    let words = report["value"]["message"].as_str().unwrap();
    assert!(words.starts_with("hard (1 of 1), "), "{words}");
    assert_eq!(lenses(&mut client), ["0: checking ..."]);
    // By the request's number.
    let start = Instant::now();
    client.notify("$/cancelRequest", json!({ "id": id }));
    let error = client.answer(id).error.unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(error.code, -32800);
    assert_eq!(client.end_of_progress(), "cancelled");
    // That is no news for the user, but no verdict either.
    assert!(lenses(&mut client)[1].starts_with("0: UNKNOWN, "));

    // By the progress.
    client.save(URI);
    let begin = client.notification("$/progress", |params| params["value"]["kind"] == "begin");
    client.notify(
        "window/workDoneProgress/cancel",
        json!({ "token": begin["token"] }),
    );
    assert_eq!(client.end_of_progress(), "cancelled");

    // By typing: the text that is being checked is not there any more.
    client.save(URI);
    client.notification("$/progress", |params| params["value"]["kind"] == "begin");
    client.change(URI, 2, [0, 10, 0, 14], "harder");
    assert_eq!(client.end_of_progress(), "cancelled");
    let diagnostics = client.diagnostics(URI, <[Value]>::is_empty);
    assert_eq!(diagnostics, [Value::Null; 0]);
    let all = client.notifications("textDocument/publishDiagnostics");
    assert!(all.iter().all(|params| params["diagnostics"] == json!([])));
    client.end();
}

#[test]
fn one_check_after_the_other() {
    let mut client = Client::start(&[]);
    let other = "file:///t/other.bpl";
    client.open(URI, HARD);
    client.open(other, TEXT);
    let first = client.send("workspace/executeCommand", check(URI));
    let second = client.send("workspace/executeCommand", check(other));
    let third = client.send("workspace/executeCommand", check(other));
    // One of the same file that waits gives way to the new one.
    assert_eq!(client.answer(second).error.unwrap().code, -32800);
    client.notification("$/progress", |params| params["value"]["kind"] == "report");
    let begun = client.notifications("$/progress");
    let titles = begun
        .iter()
        .filter_map(|params| params["value"]["title"].as_str());
    assert_eq!(titles.collect::<Vec<_>>(), ["ult: a.bpl"]);
    client.notify("$/cancelRequest", json!({ "id": first }));
    assert_eq!(client.answer(first).error.unwrap().code, -32800);
    let report = client.answer(third).result.unwrap();
    assert_eq!(report["verdict"], "UNSAFE");
    client.end();
}

#[test]
fn a_check_that_runs_out_of_time_says_so() {
    let mut client = Client::start(&["--timeout", "3"]);
    client.open(URI, HARD);
    client.save(URI);
    let words = client.end_of_progress();
    // How many assertions are left open depends on the machine.
    assert!(
        words.starts_with("ult: UNKNOWN(timeout) /t/a.bpl:"),
        "{words}"
    );
    let diagnostics = client.diagnostics(URI, |diagnostics| !diagnostics.is_empty());
    assert_eq!(diagnostics[0]["code"], "timeout");
    assert_eq!(diagnostics[0]["severity"], 2);
    client.end();
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_that_runs_out_of_memory_says_so() {
    let mut client = Client::start(&["--memory", "1"]);
    client.open(URI, HARD);
    client.save(URI);
    let words = client.end_of_progress();
    assert!(
        words.starts_with("ult: UNKNOWN(memory) /t/a.bpl"),
        "{words}"
    );
    let diagnostics = client.diagnostics(URI, |diagnostics| !diagnostics.is_empty());
    assert_eq!(diagnostics[0]["code"], "memory");
    client.end();
}

#[test]
fn c_programs_have_messages_and_verdicts() {
    let mut client = Client::start(&[]);
    let uri = "file:///t/a.c";
    let text = "extern int f(void);\nint main(void) {\n  int x = f();\n  //@ assert x != 3;\n  return y;\n}\n";
    client.open(uri, text);
    let diagnostics = client.diagnostics(uri, |diagnostics| !diagnostics.is_empty());
    assert_eq!(diagnostics[0]["code"], "E0603");
    assert_eq!(
        diagnostics[0]["range"]["start"],
        json!({ "line": 4, "character": 9 })
    );
    client.change(uri, 2, [4, 9, 4, 10], "0");
    client.diagnostics(uri, <[Value]>::is_empty);
    let report = client.request("workspace/executeCommand", check(uri));
    assert_eq!(report["verdict"], "UNSAFE");
    let diagnostics = client.diagnostics(uri, |diagnostics| !diagnostics.is_empty());
    assert_eq!(
        diagnostics[0]["message"],
        "assertion \"ACSL assertion\" violated"
    );
    assert_eq!(diagnostics[0]["range"]["start"]["line"], 3);
    client.end();
}
