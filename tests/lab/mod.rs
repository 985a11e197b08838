//! The laboratory as it is used: over HTTP, and in a real browser.

#![cfg(unix)]

mod browser;
mod folder;
mod hostile;
mod session;
mod untrusted;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Program P.
const P: &str = include_str!("../../examples/seed.bpl");

/// A laboratory that is served.
struct Lab {
    child: Child,
    /// `127.0.0.1:PORT`
    host: String,
    /// `/TOKEN/`
    root: String,
}

impl Lab {
    fn start() -> Lab {
        Lab::with(&[])
    }

    fn with(args: &[&str]) -> Lab {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ult"))
            .arg("lab")
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        told.read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap();
        let rest = address.strip_prefix("http://").unwrap();
        let (host, root) = rest.split_at(rest.find('/').unwrap());
        Lab {
            child,
            host: host.to_owned(),
            root: root.to_owned(),
        }
    }

    /// The address of the page.
    fn address(&self) -> String {
        format!("http://{}{}", self.host, self.root)
    }

    /// Sends these bytes and gets what comes back.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(40)))
            .unwrap();
        stream.write_all(bytes).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    /// A request with these fields in its head; the status and the body of the answer.
    fn request(&self, method: &str, path: &str, fields: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let text = self.send(
            format!("{method} {path} HTTP/1.1\r\n{fields}Content-Length: {length}\r\n\r\n{body}")
                .as_bytes(),
        );
        let status = text.get(9..12).and_then(|status| status.parse().ok());
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.unwrap_or(0), body.to_owned())
    }

    /// Asks as the page does.
    fn post(&self, place: &str, body: &Value) -> (u16, Value) {
        let host = &self.host;
        let fields = format!(
            "Host: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
        );
        let path = format!("{}{place}", self.root);
        let (status, text) = self.request("POST", &path, &fields, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    fn get(&self, place: &str) -> (u16, String) {
        let fields = format!("Host: {}\r\n", self.host);
        self.request("GET", &format!("{}{place}", self.root), &fields, "")
    }

    /// Asks, and waits until the engine waits or has ended.
    fn ask(&self, place: &str, mut body: Value, from: usize) -> Value {
        body["from"] = from.into();
        let (status, mut told) = self.post(place, &body);
        assert_eq!(status, 200, "{place}: {told}");
        for _ in 0..20 {
            if told["status"] != "thinking" {
                return told;
            }
            let news = json!({ "from": from, "version": told["version"] });
            told = self.post("news", &news).1;
        }
        panic!("it thinks for ever: {told}");
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
