//! How fast the language server answers, measured over the real protocol: a long text is opened and edited, and a check
//! that takes long is cancelled.

use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};

/// `ult-bench lsp`
#[derive(clap::Args)]
pub(crate) struct LspArguments {
    /// How many lines the text has, at least.
    #[arg(long, default_value_t = 5000)]
    lines: usize,
    /// How many keystrokes.
    #[arg(long, default_value_t = 50)]
    keystrokes: u32,
    /// The binary of `ult`; the one beside the runner if not given.
    #[arg(long, value_name = "FILE")]
    ult: Option<PathBuf>,
    /// Write the text to this file, too.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// What is measured, with the time it may take.
const BARS: [(&str, Duration); 3] = [
    ("first diagnostics", Duration::from_millis(300)),
    ("diagnostics after a keystroke", Duration::from_millis(30)),
    ("cancellation", Duration::from_millis(100)),
];

/// Where the text is said to be.
const URI: &str = "file:///benchmark.bpl";

/// Measures; tells whether everything was as fast as it should be.
///
/// # Errors
/// In words, if the server does not start or does not answer.
pub(crate) fn measure(arguments: &LspArguments) -> Result<bool, String> {
    let ult = match &arguments.ult {
        Some(file) => file.clone(),
        None => std::env::current_exe()
            .ok()
            .and_then(|exe| Some(exe.parent()?.join("ult")))
            .ok_or("there is no `ult` beside this program")?,
    };
    let text = text(arguments.lines);
    if let Some(file) = &arguments.keep {
        std::fs::write(file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..5 {
        let mut session = Session::start(&ult)?;
        let start = Instant::now();
        session.open(URI, &text)?;
        session.diagnostics(1)?;
        times[0].push(start.elapsed());
    }
    let mut session = Session::start(&ult)?;
    session.open(URI, &text)?;
    session.diagnostics(1)?;
    // In the middle of the text, a name grows letter by letter and shrinks again: right and wrong programs in turn.
    let target = "  r := 0;\n";
    let middle = text[text.len() / 2..].find(target).ok_or("no such line")? + text.len() / 2;
    let line = text[..middle].matches('\n').count();
    for keystroke in 0..arguments.keystrokes {
        let version = keystroke + 2;
        let grows = keystroke % 2 == 0;
        let (end, new) = if grows { (7, "i") } else { (8, "") };
        let start = Instant::now();
        session.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": version },
                "contentChanges": [{
                    "range": {
                        "start": { "line": line, "character": 7 },
                        "end": { "line": line, "character": end },
                    },
                    "text": new,
                }],
            }),
        )?;
        let found = session.diagnostics(version)?;
        times[1].push(start.elapsed());
        if (found > 0) != grows {
            return Err(format!("{found} diagnostics after keystroke {keystroke}"));
        }
    }
    let hard = "file:///hard.bpl";
    session.open(hard, HARD)?;
    for _ in 0..5 {
        let id = session.request(
            "workspace/executeCommand",
            json!({ "command": "ult.check", "arguments": [hard] }),
        )?;
        session.wait(|message| is_progress(message, "report"))?;
        let start = Instant::now();
        session.notify("$/cancelRequest", json!({ "id": id }))?;
        session.wait(|message| is_progress(message, "end"))?;
        times[2].push(start.elapsed());
        session.wait(|message| matches!(message, Message::Response(r) if r.id == id.into()))?;
    }
    let lines = text.lines().count();
    println!("{lines} lines, {} kB", text.len() / 1000);
    println!("{:<32} {:>9} {:>9} {:>9}", "", "median", "longest", "bar");
    let mut is_fast = true;
    for ((what, bar), times) in BARS.iter().zip(&mut times) {
        times.sort();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let longest = times.last().copied().unwrap_or_default();
        let verdict = if median <= *bar { "" } else { "  too slow" };
        is_fast &= median <= *bar;
        println!(
            "{what:<32} {:>6.1} ms {:>6.1} ms {:>6} ms{verdict}",
            median.as_secs_f64() * 1000.0,
            longest.as_secs_f64() * 1000.0,
            bar.as_millis()
        );
    }
    Ok(is_fast)
}

/// A text with so many lines: procedures with contracts, loops, maps, functions and calls.
fn text(lines: usize) -> String {
    let mut text = String::from(
        "const N: int;\naxiom N > 0;\nvar total: int;\nfunction f(x: int) returns (int) { x + 1 }\n",
    );
    let mut number = 0;
    while text.matches('\n').count() < lines {
        let callee = match number {
            0 => "total := total + 1;".to_owned(),
            _ => format!("call k := work{}(i, k);", number - 1),
        };
        text += &format!(
            "\n// The worker with number {number}.\n\
             procedure work{number}(n: int, start: int) returns (r: int)\n\
             \x20 requires 0 <= n && n <= N;\n\
             \x20 modifies total;\n\
             \x20 ensures r == n + n;\n\
             {{\n\
             \x20 var i, k: int;\n\
             \x20 var m: [int]int where (forall j: int :: 0 <= j ==> m[j] >= f(j));\n\
             \x20 i := 0;\n\
             \x20 k := start;\n\
             \x20 r := 0;\n\
             \x20 while (i < n)\n\
             \x20   invariant 0 <= i && i <= n && r == i + i;\n\
             \x20 {{\n\
             \x20   m[i] := f(i) + {number};\n\
             \x20   r := r + 2;\n\
             \x20   if (m[i] > total) {{\n\
             \x20     total := total + (if k > 0 then k else -k);\n\
             \x20   }} else {{\n\
             \x20     {callee}\n\
             \x20   }}\n\
             \x20   i := i + 1;\n\
             \x20 }}\n\
             \x20 assert r == 2 * n;\n\
             }}\n"
        );
        number += 1;
    }
    text
}

/// Whether its assertion holds is an open problem: is there another circle of Collatz's steps?
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

/// A session with a server.
struct Session {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    requests: i32,
}

impl Session {
    fn start(ult: &std::path::Path) -> Result<Session, String> {
        let mut process = Command::new(ult)
            .args(["lsp", "--no-check-on-open"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", ult.display()))?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (stdin, stdout) = pipes.ok_or("no pipes")?;
        let mut session = Session {
            process,
            stdin,
            stdout: BufReader::new(stdout),
            requests: 0,
        };
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let hello = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        let id = session.request("initialize", hello)?;
        session.wait(|message| matches!(message, Message::Response(r) if r.id == id.into()))?;
        session.notify("initialized", json!({}))?;
        Ok(session)
    }

    fn write(&mut self, message: &Message) -> Result<(), String> {
        message
            .write(&mut self.stdin)
            .map_err(|error| format!("the server does not read: {error}"))
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.write(&Notification::new(method.to_owned(), params).into())
    }

    fn request(&mut self, method: &str, params: Value) -> Result<i32, String> {
        self.requests += 1;
        let request = Request::new(self.requests.into(), method.to_owned(), params);
        self.write(&request.into())?;
        Ok(self.requests)
    }

    fn open(&mut self, uri: &str, text: &str) -> Result<(), String> {
        let document = json!({ "uri": uri, "languageId": "boogie", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))
    }

    /// Waits for a message.
    fn wait(&mut self, wanted: impl Fn(&Message) -> bool) -> Result<Message, String> {
        loop {
            let message = Message::read(&mut self.stdout)
                .map_err(|error| format!("the server says nonsense: {error}"))?
                .ok_or("the server has ended")?;
            if wanted(&message) {
                return Ok(message);
            }
            if let Message::Request(request) = message {
                self.write(&Response::new_ok(request.id, Value::Null).into())?;
            }
        }
    }

    /// Waits for the diagnostics of a version of the text, and says how many there are.
    fn diagnostics(&mut self, version: u32) -> Result<usize, String> {
        let message = self.wait(|message| match message {
            Message::Notification(n) => {
                n.method == "textDocument/publishDiagnostics"
                    && n.params["uri"] == URI
                    && n.params["version"] == version
            }
            _ => false,
        })?;
        let Message::Notification(notification) = message else {
            return Err("no notification".into());
        };
        let diagnostics = notification.params["diagnostics"].as_array();
        Ok(diagnostics.map_or(0, Vec::len))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn is_progress(message: &Message, kind: &str) -> bool {
    match message {
        Message::Notification(n) => n.method == "$/progress" && n.params["value"]["kind"] == kind,
        _ => false,
    }
}
