//! A headless Chromium, spoken to in the Chrome DevTools protocol.
//!
//! The protocol is spoken over pipes (`--remote-debugging-pipe`), so no port and no further library
//! is needed: Chromium reads from descriptor 3 and writes to descriptor 4, which a shell makes of
//! its own input and output.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tools;

/// Longer than this nothing takes.
const PATIENCE: Duration = Duration::from_secs(90);

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A browser with one page.
pub struct Chromium {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    number: u64,
    /// How many pages were loaded.
    loads: u32,
    /// What the page complained about, and what it asked the network for.
    pub complaints: Vec<String>,
    /// The addresses that the page asked for.
    pub requests: Vec<String>,
    _profile: TempDir,
}

/// The name of an installed Chromium. If there is none, that is said.
pub fn installed() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| tools::has(name));
    if found.is_none() {
        tools::missing("chromium", "the page in a browser");
    }
    found
}

impl Chromium {
    /// Starts the browser.
    pub fn start(name: &str) -> Chromium {
        let profile = TempDir::new().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(name)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, messages) = channel();
        std::thread::spawn(move || {
            for message in output.split(0) {
                let message = message.ok().and_then(|m| serde_json::from_slice(&m).ok());
                let Some(message) = message else { return };
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Chromium {
            child,
            input,
            messages,
            session: String::new(),
            number: 0,
            loads: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.size(1400, 1000, 1.0);
        browser.prefer("light");
        browser
    }

    /// What the page asked for whose address begins with none of these.
    pub fn foreign(&self, own: &[&str]) -> Vec<&str> {
        let asked = self.requests.iter().map(String::as_str);
        let is_own = |address: &&str| own.iter().any(|own| address.starts_with(own));
        asked
            .filter(|address| *address != "about:blank" && !is_own(address))
            .collect()
    }

    /// Calls a method and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).unwrap();
        self.input.flush().unwrap();
        loop {
            let answer = self.next();
            if answer["id"] == self.number {
                let error = &answer["error"];
                assert!(error.is_null(), "{method}: {error}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message. Complaints and requests are noted.
    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.expect("Chromium answers");
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"].to_string());
            }
            Some("Page.loadEventFired") => self.loads += 1,
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(address.to_owned());
            }
            _ => {}
        }
        message
    }

    /// Opens a file at an address behind `#`, and waits until it is shown.
    pub fn open(&mut self, file: &Path, place: &str) {
        self.visit(&format!("file://{}#{place}", file.display()));
    }

    /// Opens an address, and waits until it is shown.
    pub fn visit(&mut self, address: &str) {
        // A change of what is behind `#` alone would load nothing.
        for address in ["about:blank", address] {
            // It may be loaded before the answer comes.
            let before = self.loads;
            self.call("Page.navigate", json!({ "url": address }));
            while self.loads == before {
                self.next();
            }
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let result = self.call("Runtime.evaluate", params);
        let thrown = &result["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        result["result"]["value"].clone()
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let selector = Value::from(selector);
        let text = self.value(&format!("document.querySelector({selector}).innerText"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses a key, as a person does.
    pub fn press(&mut self, key: &str, shift: bool) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "Home" => 36,
            "End" => 35,
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            "ArrowDown" => 40,
            "ArrowUp" => 38,
            "+" => 187,
            "-" => 189,
            "0" => 48,
            other => panic!("the number of the key {other} is not known"),
        };
        let text = match key {
            "Enter" => "\r",
            " " | "+" | "-" | "0" => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let params = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "modifiers": if shift { 8 } else { 0 }, "text": if kind == "keyDown" { text } else { "" },
            });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Has the mouse do something: press or release its left button, or move with it pressed.
    pub fn mouse(&mut self, what: &str, x: f64, y: f64) {
        let params = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Turns the mouse's wheel while the key Ctrl is held down, and waits until the page has seen it.
    pub fn wheel(&mut self, x: f64, y: f64, by: f64) {
        let params = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by, "modifiers": 2 });
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Types a text, as a person does who has the focus in a field.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Sets the size of the window, and how many points of the screen a point of the page has.
    pub fn size(&mut self, width: u32, height: u32, scale: f64) {
        let params = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// Has the reader prefer light or dark.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            // So that no picture is taken half-way.
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        let params = json!({ "features": features });
        self.call("Emulation.setEmulatedMedia", params);
    }

    /// What a screen reader gets: pairs of role and name.
    pub fn spoken(&mut self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap().clone();
        let is_told = |node: &&Value| node["ignored"] != true;
        let word = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        nodes
            .iter()
            .filter(is_told)
            .map(|node| (word(&node["role"]), word(&node["name"])))
            .collect()
    }

    /// The page as a picture, in base 64.
    pub fn picture(&mut self) -> String {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        shot["data"].as_str().unwrap().to_owned()
    }

    /// Keeps a picture of the page for people to look at, in a folder of the target folder.
    pub fn keep_picture(&mut self, folder: &str, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&folder).unwrap();
        let picture = self.picture();
        // A picture of one colour is a few kilobytes long.
        assert!(picture.len() > 20_000, "{name} is empty");
        fs::write(folder.join(format!("{name}.png")), decoded(&picture)).unwrap();
    }
}

fn decoded(base64: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in base64.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group.iter().enumerate();
        let bits = bits.fold(0, |bits, (i, &c)| bits | digit(c) << (18 - 6 * i));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
