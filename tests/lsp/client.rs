//! An editor for tests: starts `ult lsp` and talks to it over its stdin and stdout.

use std::io::BufReader;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Everything that editors can do.
pub fn everything() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        "window": { "workDoneProgress": true, "showDocument": { "support": true } },
        "workspace": {
            "applyEdit": true,
            "inlayHint": { "refreshSupport": true },
            "codeLens": { "refreshSupport": true },
        },
    })
}

/// The editor's end of a session.
pub struct Client {
    process: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Message>,
    /// Notifications that nobody has asked for yet.
    notifications: Vec<Notification>,
    /// Methods of the server's requests, in order. All are answered with `null`.
    pub asked: Vec<String>,
    /// The edits that it asked for.
    pub edits: Vec<Value>,
    requests: i32,
    /// What the server offers.
    pub capabilities: Value,
}

impl Client {
    /// Starts a server with these arguments and says hello, with everything that editors can do. It checks nothing that is opened.
    pub fn start(arguments: &[&str]) -> Client {
        Client::with_capabilities(arguments, everything())
    }

    /// Starts a server that checks nothing that is opened, and says hello with these capabilities.
    pub fn with_capabilities(arguments: &[&str], capabilities: Value) -> Client {
        let arguments = [arguments, &["--no-check-on-open"]].concat();
        Client::as_it_is(&arguments, capabilities, None)
    }

    /// Starts a server and says hello with these capabilities, for this folder.
    pub fn as_it_is(arguments: &[&str], capabilities: Value, folder: Option<&str>) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ult"))
            .current_dir(crate::root())
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ult starts");
        let stdout = process.stdout.take().expect("a pipe");
        let (sender, incoming) = mpsc::channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Ok(Some(message)) = Message::read(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Client {
            stdin: process.stdin.take(),
            process,
            incoming,
            notifications: Vec::new(),
            asked: Vec::new(),
            edits: Vec::new(),
            requests: 0,
            capabilities: Value::Null,
        };
        let answer = client.request(
            "initialize",
            json!({ "processId": null, "rootUri": folder, "capabilities": capabilities }),
        );
        client.capabilities = answer["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    fn write(&mut self, message: Message) {
        let stdin = self.stdin.as_mut().expect("the session is open");
        message.write(stdin).expect("the server reads");
    }

    /// Tells the server something.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(Message::Notification(Notification::new(
            method.to_owned(),
            params,
        )));
    }

    /// Sends a request and returns its number.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.write(Message::Request(Request::new(
            id,
            method.to_owned(),
            params,
        )));
        self.requests
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: i32) -> Response {
        self.until(|message| match message {
            Message::Response(response) if response.id == RequestId::from(id) => Ok(response),
            other => Err(Box::new(other)),
        })
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let response = self.answer(id);
        assert!(response.error.is_none(), "{method}: {:?}", response.error);
        response.result.unwrap_or(Value::Null)
    }

    /// The next notification with this method that the test accepts.
    pub fn notification(&mut self, method: &str, accept: impl Fn(&Value) -> bool) -> Value {
        let fits = |n: &Notification| n.method == method && accept(&n.params);
        if let Some(index) = self.notifications.iter().position(fits) {
            return self.notifications.remove(index).params;
        }
        self.until(|message| match message {
            Message::Notification(n) if fits(&n) => Ok(n.params),
            other => Err(Box::new(other)),
        })
    }

    /// The notifications with this method that have come so far and that nobody has asked for.
    pub fn notifications(&self, method: &str) -> Vec<&Value> {
        let all = self.notifications.iter();
        all.filter(|n| n.method == method)
            .map(|n| &n.params)
            .collect()
    }

    fn until<T>(&mut self, mut take: impl FnMut(Message) -> Result<T, Box<Message>>) -> T {
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message = self
                .incoming
                .recv_timeout(left)
                .expect("the server answers");
            let other = match take(message) {
                Ok(found) => return found,
                Err(other) => *other,
            };
            match other {
                Message::Notification(notification) => self.notifications.push(notification),
                Message::Request(request) => {
                    if request.method == "workspace/applyEdit" {
                        self.edits.push(request.params["edit"].clone());
                    }
                    self.asked.push(request.method);
                    let response = Response::new_ok(request.id, Value::Null);
                    self.write(Message::Response(response));
                }
                Message::Response(response) => panic!("nobody asked: {response:?}"),
            }
        }
    }

    /// Opens a text.
    pub fn open(&mut self, uri: &str, text: &str) {
        let language = match uri.rsplit('.').next() {
            Some("ult") => "ult",
            Some("c") => "c",
            _ => "boogie",
        };
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": {
                "uri": uri, "languageId": language, "version": 1, "text": text } }),
        );
    }

    /// Replaces a range (start line, start column, end line, end column) of a text.
    pub fn change(&mut self, uri: &str, version: i32, range: [u32; 4], text: &str) {
        let [a, b, c, d] = range;
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{
                    "range": {
                        "start": { "line": a, "character": b },
                        "end": { "line": c, "character": d },
                    },
                    "text": text,
                }],
            }),
        );
    }

    /// Says that a text was saved.
    pub fn save(&mut self, uri: &str) {
        self.notify(
            "textDocument/didSave",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    /// The next diagnostics of a text in a version that the test accepts.
    pub fn diagnostics(&mut self, uri: &str, accept: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let params = self.notification("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri && accept(params["diagnostics"].as_array().expect("an array"))
        });
        params["diagnostics"].as_array().expect("an array").clone()
    }

    /// The message with which the next progress ends.
    pub fn end_of_progress(&mut self) -> String {
        let params = self.notification("$/progress", |params| params["value"]["kind"] == "end");
        params["value"]["message"]
            .as_str()
            .expect("a message")
            .to_owned()
    }

    /// Says goodbye; the server has to end well.
    pub fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.stdin = None;
        let status = self.process.wait().expect("the server ends");
        assert!(status.success(), "{status}");
    }

    /// Goes away without a word; returns the exit code.
    pub fn vanish(mut self) -> Option<i32> {
        self.stdin = None;
        self.process.wait().expect("the server ends").code()
    }
}

/// If the test fails, the server ends with it.
impl Drop for Client {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
