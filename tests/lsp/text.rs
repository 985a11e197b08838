//! Questions about a text.

use serde_json::{Value, json};

use crate::lsp::client::Client;

const URI: &str = "file:///t/a.bpl";

const TEXT: &str = "\
/* What follows
   is a test. */
datatype Pair { Pair(left: int, right: int) }
const limit: int;
var total: int;
function twice(x: int) returns (int) { x + x }

// Adds.
// Nothing else.
procedure add(n: int) returns (r: int)
  requires n >= 0;
  ensures r >= 0;
  modifies total;
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  total := total + twice(i);
  r := total - total;
}
procedure main()
  modifies total;
{
  var pair: Pair;
  var i: int;
  call i := add(3);
  pair := Pair(i, limit);
  assert pair->left >= 0;
}
";

/// The position of a word, `skip` occurrences later, in the form of the protocol.
fn position(word: &str, skip: usize) -> Value {
    let (offset, _) = TEXT.match_indices(word).nth(skip).expect("the word");
    let before = &TEXT[..offset];
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": column })
}

fn at(word: &str, skip: usize) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": position(word, skip) })
}

fn document() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

/// `line:column` of the start.
fn start(range: &Value) -> String {
    format!("{}:{}", range["start"]["line"], range["start"]["character"])
}

fn starts(places: &Value) -> Vec<String> {
    let places = places.as_array().expect("an array").iter();
    places.map(|place| start(&place["range"])).collect()
}

fn opened() -> Client {
    let mut client = Client::start(&[]);
    client.open(URI, TEXT);
    assert_eq!(client.diagnostics(URI, |_| true), [Value::Null; 0]);
    client
}

#[test]
fn from_a_use_to_the_definition_and_back() {
    let mut client = opened();
    let definition = |client: &mut Client, word, skip| {
        starts(&client.request("textDocument/definition", at(word, skip)))
    };
    assert_eq!(definition(&mut client, "add(3)", 0), ["9:10"]);
    assert_eq!(definition(&mut client, "twice(i)", 0), ["5:9"]);
    assert_eq!(definition(&mut client, "i + 1", 0), ["14:6"]);
    assert_eq!(definition(&mut client, "i := add", 0), ["26:6"]);
    assert_eq!(definition(&mut client, "Pair(i", 0), ["2:16"]);
    assert_eq!(definition(&mut client, "Pair;", 0), ["2:9"]);
    assert_eq!(definition(&mut client, "left >=", 0), ["2:21"]);
    assert_eq!(definition(&mut client, "while", 0), [""; 0]);
    // Just behind a name is still on it.
    let behind =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 26, "character": 7 } });
    assert_eq!(
        starts(&client.request("textDocument/definition", behind)),
        ["26:6"]
    );

    let mut params = at("total", 0);
    params["context"] = json!({ "includeDeclaration": true });
    let all = starts(&client.request("textDocument/references", params.clone()));
    assert_eq!(
        all,
        ["4:4", "12:11", "19:2", "19:11", "20:7", "20:15", "23:11"]
    );
    params["context"] = json!({ "includeDeclaration": false });
    let uses = starts(&client.request("textDocument/references", params));
    assert_eq!(uses, all[1..]);
    let highlights = client.request("textDocument/documentHighlight", at("i := 0", 0));
    let kinds: Vec<&Value> = highlights
        .as_array()
        .unwrap()
        .iter()
        .map(|h| &h["kind"])
        .collect();
    assert_eq!(kinds, [1, 3, 2, 3, 2, 2]);
    client.end();
}

#[test]
fn renaming_changes_all_occurrences_or_nothing() {
    let mut client = opened();
    let mut rename = |word, skip, new: &str| {
        let mut params = at(word, skip);
        params["newName"] = json!(new);
        let id = client.send("textDocument/rename", params);
        client.answer(id)
    };
    let edits = rename("i := 0", 0, "counter").result.unwrap();
    let edits = &edits["changes"][URI];
    assert_eq!(
        starts(&json!(edits)),
        ["14:6", "15:2", "16:9", "17:4", "17:9", "19:25"]
    );
    assert_eq!(edits[0]["newText"], "counter");
    // The other `i` is another variable.
    let edits = rename("i := add", 0, "counter").result;
    assert_eq!(edits.unwrap()["changes"][URI].as_array().unwrap().len(), 3);
    // What would change the program is refused, in words.
    for (new, why) in [
        ("n", "other things"),
        ("total", "other things"),
        ("while", "not a name"),
        ("1x", "not a name"),
    ] {
        let error = rename("i := 0", 0, new).error.unwrap();
        assert!(error.message.contains(why), "{new}: {}", error.message);
    }
    // Unused so far, so no name changes its meaning; but then there are two.
    let error = rename("limit", 0, "total").error.unwrap();
    assert!(!error.message.is_empty());
    let nothing = client.request("textDocument/prepareRename", at("while", 0));
    assert_eq!(nothing, Value::Null);
    let range = client.request("textDocument/prepareRename", at("add(3)", 0));
    assert_eq!(start(&range), "27:12");
    client.end();
}

#[test]
fn hovering_shows_declarations_and_contracts() {
    let mut client = opened();
    let mut hover = |word, skip| {
        let hover = client.request("textDocument/hover", at(word, skip));
        hover["contents"]["value"].as_str().map(str::to_owned)
    };
    assert_eq!(hover("i + 1", 0).unwrap(), "```boogie\nvar i: int\n```");
    assert_eq!(
        hover("add(3)", 0).unwrap(),
        "```boogie\nprocedure add(n: int) returns (r: int)\n  requires n >= 0;\n  ensures r >= 0;\n  modifies total;\n```"
    );
    assert_eq!(
        hover("limit)", 0).unwrap(),
        "```boogie\nconst limit: int\n```"
    );
    assert_eq!(hover("while", 0), None);
    client.end();
}

#[test]
fn outline_folding_and_colours() {
    let mut client = opened();
    let outline = client.request("textDocument/documentSymbol", document());
    let mut lines = Vec::new();
    list(&outline, 0, &mut lines);
    assert_eq!(
        lines,
        [
            "Pair datatype Pair",
            "  Pair Pair(left: int, right: int)",
            "    left left: int",
            "    right right: int",
            "limit const limit: int",
            "total var total: int",
            "twice function twice(x: int) returns (int)",
            "add procedure add(n: int) returns (r: int)",
            "main procedure main()",
        ]
    );
    let folds = client.request("textDocument/foldingRange", document());
    let folds: Vec<String> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| format!("{}-{} {}", fold["startLine"], fold["endLine"], fold["kind"]))
        .collect();
    assert_eq!(
        folds,
        [
            "0-1 \"comment\"",
            "7-8 \"comment\"",
            "13-20 null",
            "16-17 null",
            "24-29 null"
        ]
    );

    let tokens = client.request("textDocument/semanticTokens/full", document());
    let legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let colors = colors(&tokens["data"], &legend);
    for expected in [
        "0:0 15 comment",
        "1:0 16 comment",
        "2:0 8 keyword",
        "2:9 4 type",
        "2:16 4 enumMember",
        "2:21 4 property",
        "2:27 3 type",
        "9:14 1 parameter",
        "19:19 5 function",
        "27:12 3 method",
        "10:13 2 operator",
        "10:16 1 number",
    ] {
        assert!(
            colors.contains(&expected.to_owned()),
            "{expected}: {colors:#?}"
        );
    }
    let mut range = document();
    range["range"] =
        json!({ "start": { "line": 19, "character": 0 }, "end": { "line": 20, "character": 0 } });
    let part = client.request("textDocument/semanticTokens/range", range);
    let part = self::colors(&part["data"], &legend);
    assert!(
        part.iter().all(|color| color.starts_with("19:")),
        "{part:?}"
    );
    assert_eq!(part.len(), 6);
    client.end();
}

/// `line:column length type`
fn colors(data: &Value, legend: &Value) -> Vec<String> {
    let numbers: Vec<usize> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|number| usize::try_from(number.as_u64().unwrap()).unwrap())
        .collect();
    let (mut line, mut column) = (0, 0);
    let mut colors = Vec::new();
    for token in numbers.chunks(5) {
        line += token[0];
        column = if token[0] == 0 {
            column + token[1]
        } else {
            token[1]
        };
        let kind = legend[token[3]].as_str().unwrap();
        colors.push(format!("{line}:{column} {} {kind}", token[2]));
    }
    colors
}

fn list(symbols: &Value, depth: usize, lines: &mut Vec<String>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let (name, detail) = (symbol["name"].as_str(), symbol["detail"].as_str());
        lines.push(format!(
            "{}{} {}",
            "  ".repeat(depth),
            name.unwrap(),
            detail.unwrap()
        ));
        list(&symbol["children"], depth + 1, lines);
    }
}

#[test]
fn completion_knows_what_is_in_scope() {
    let mut client = opened();
    let mut labels = |word, skip| {
        let items = client.request("textDocument/completion", at(word, skip));
        let items = items.as_array().unwrap().iter();
        let labels = items.map(|item| item["label"].as_str().unwrap().to_owned());
        labels.collect::<Vec<String>>()
    };
    let inside = labels("i + 1", 0);
    for known in [
        "i",
        "n",
        "r",
        "total",
        "limit",
        "twice",
        "main",
        "while",
        "invariant",
    ] {
        assert!(inside.contains(&known.to_owned()), "{known}: {inside:?}");
    }
    assert!(!inside.contains(&"pair".to_owned()));
    assert!(
        !inside.contains(&"graph".to_owned()),
        "a word of the other language"
    );
    assert_eq!(labels("left >=", 0), ["left", "right"]);
    // While something is being written, what is around it is known still.
    client.change(URI, 2, [17, 9, 17, 14], "to");
    let here =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 17, "character": 11 } });
    let items = client.request("textDocument/completion", here);
    let items = items.as_array().unwrap();
    let total = items.iter().find(|item| item["label"] == "total").unwrap();
    assert_eq!(total["detail"], "var total: int");
    assert!(items.iter().any(|item| item["label"] == "n"));
    client.end();
}

#[test]
fn formatting_is_an_edit_of_the_part_that_changes() {
    let mut client = opened();
    let mut params = document();
    params["options"] = json!({ "tabSize": 8, "insertSpaces": false });
    assert_eq!(
        client.request("textDocument/formatting", params.clone()),
        json!([])
    );
    client.change(URI, 2, [15, 0, 16, 17], " i:=0;while(i<n){");
    let edits = client.request("textDocument/formatting", params.clone());
    assert_eq!(
        edits,
        json!([{
            "range": { "start": { "line": 15, "character": 0 }, "end": { "line": 16, "character": 0 } },
            "newText": "  i := 0;\n  while (i < n) {\n",
        }])
    );
    client.change(URI, 3, [15, 0, 15, 4], " i (");
    assert_eq!(client.request("textDocument/formatting", params), json!([]));
    client.end();
}

#[test]
fn program_graphs_have_names_too() {
    let mut client = Client::start(&[]);
    let uri = "file:///t/g.ult";
    client.open(
        uri,
        "graph g {\n  var x: int;\n  init a;\n  a -> b: x' == x + 1;\n}\n",
    );
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    let place = client.request("textDocument/definition", at(3, 10));
    assert_eq!(starts(&place), ["1:6"]);
    let place = client.request("textDocument/definition", at(3, 2));
    assert_eq!(starts(&place), ["2:7"]);
    let outline = client.request(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": uri } }),
    );
    let mut lines = Vec::new();
    list(&outline, 0, &mut lines);
    assert_eq!(
        lines,
        [
            "g graph g",
            "  x var x: int",
            "  a init a",
            "  b location b"
        ]
    );
    client.end();
}

#[test]
fn every_question_has_an_answer_wherever_it_is_asked() {
    let mut client = Client::start(&[]);
    let texts = [
        TEXT.to_owned(),
        TEXT[..TEXT.len() / 2].to_owned(),
        TEXT.replace(';', ""),
        TEXT.replace('}', "{"),
        "\u{feff}procedure ä() { assert 𝄞; } /* never closed".to_owned(),
        "\r\n\r\n}{)(;;->->\0".to_owned(),
        String::new(),
    ];
    for (i, text) in texts.iter().enumerate() {
        let uri = format!("file:///t/{i}.{}", if i % 2 == 0 { "bpl" } else { "ult" });
        client.open(&uri, text);
        for (line, character) in [
            (0, 0),
            (0, 15),
            (2, 21),
            (10, 3),
            (17, 10),
            (30, 1),
            (99, 99),
        ] {
            for method in [
                "definition",
                "references",
                "documentHighlight",
                "prepareRename",
                "rename",
                "hover",
                "completion",
                "documentSymbol",
                "foldingRange",
                "formatting",
                "inlayHint",
                "codeLens",
                "semanticTokens/full",
                "semanticTokens/range",
            ] {
                let position = json!({ "line": line, "character": character });
                let params = json!({
                    "textDocument": { "uri": uri },
                    "position": position,
                    "range": { "start": position, "end": { "line": 20, "character": 2 } },
                    "newName": "other",
                    "context": { "includeDeclaration": true, "triggerKind": 1 },
                    "options": { "tabSize": 2, "insertSpaces": true },
                });
                let id = client.send(&format!("textDocument/{method}"), params);
                if let Some(error) = client.answer(id).error {
                    assert_eq!(
                        (method, error.code),
                        ("rename", -32803),
                        "{}",
                        error.message
                    );
                }
            }
        }
    }
    client.end();
}

/// What is declared in any file of the folder is found by a part of its name: in open files as they are now.
#[test]
fn declarations_of_all_files_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, text) in [
        (
            "a.bpl",
            "procedure Sum_up();\nprocedure other() { var sum: int; sum := 1; }\n",
        ),
        (
            "deep down/b.bpl",
            "type T;\nfunction checksum(t: T): int;\n",
        ),
        (
            "c.ult",
            "graph adder {\n  var sum: int;\n  init start;\n  start -> start: sum' == sum;\n}\n",
        ),
        (".hidden/d.bpl", "procedure sum_hidden();\n"),
        ("e.txt", "procedure sum_text();\n"),
    ] {
        std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
        std::fs::write(path(name), text).unwrap();
    }
    let address = format!("file://{}", folder.path().display());
    let mut client = Client::as_it_is(&[], crate::lsp::client::everything(), Some(&address));
    let search = |client: &mut Client, query: &str| {
        let found = client.request("workspace/symbol", json!({ "query": query }));
        let found = found.as_array().unwrap().iter();
        let words = found.map(|symbol| {
            let uri = symbol["location"]["uri"].as_str().unwrap();
            let file = uri.strip_prefix(&address).unwrap();
            let line = &symbol["location"]["range"]["start"]["line"];
            let inside = symbol["containerName"].as_str().unwrap_or_default();
            format!("{} {inside}{file}:{line}", symbol["name"].as_str().unwrap())
        });
        words.collect::<Vec<_>>()
    };
    assert_eq!(
        search(&mut client, "SUM"),
        [
            "Sum_up /a.bpl:0",
            "sum adder/c.ult:1",
            "checksum /deep%20down/b.bpl:1"
        ]
    );
    client.open(
        &format!("{address}/deep%20down/b.bpl"),
        "type T;\n\nfunction sum_of(t: T): int;\n",
    );
    assert_eq!(
        search(&mut client, "sum"),
        [
            "sum_of /deep%20down/b.bpl:2",
            "Sum_up /a.bpl:0",
            "sum adder/c.ult:1"
        ]
    );
    assert_eq!(search(&mut client, "nothing of that name"), [""; 0]);
    let gone = json!({ "event": { "added": [], "removed": [{ "uri": address, "name": "it" }] } });
    client.notify("workspace/didChangeWorkspaceFolders", gone);
    assert_eq!(search(&mut client, "sum"), ["sum_of /deep%20down/b.bpl:2"]);
    client.end();
}
