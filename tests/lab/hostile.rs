//! Requests that nobody's page would send: each gets an answer or is cut off, and the laboratory lives on.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Lab, P};

/// It still works.
fn lives(lab: &Lab) {
    let told = lab.ask("begin", json!({ "language": "boogie", "text": P }), 0);
    assert_eq!(told["result"]["verdict"], "SAFE");
}

#[test]
fn another_page_cannot_ask() {
    let lab = Lab::start();
    let (host, root) = (&lab.host, &lab.root);
    let task = json!({ "language": "boogie", "text": P }).to_string();
    let path = format!("{root}begin");
    let kind = "Content-Type: application/json\r\n";
    let port = host.rsplit(':').next().unwrap();
    for (status, fields) in [
        (
            403,
            format!("Host: {host}\r\nOrigin: https://evil.example\r\n{kind}"),
        ),
        (403, format!("Host: {host}\r\nOrigin: null\r\n{kind}")),
        (
            403,
            format!("Host: {host}\r\nOrigin: http://{host}.evil.example\r\n{kind}"),
        ),
        (
            403,
            format!("Host: {host}\r\nSec-Fetch-Site: cross-site\r\n{kind}"),
        ),
        (
            403,
            format!("Host: {host}\r\nOrigin: http://127.0.0.1:1\r\n{kind}"),
        ),
        // A name of somebody else that leads here.
        (421, format!("Host: evil.example:{port}\r\n{kind}")),
        (421, kind.to_owned()),
        (400, format!("Host: {host}\r\nHost: evil.example\r\n{kind}")),
        // What a form can send.
        (415, format!("Host: {host}\r\nContent-Type: text/plain\r\n")),
        (415, format!("Host: {host}\r\n")),
        (200, format!("Host: {host}\r\n{kind}")),
        (200, format!("Host: localhost:{port}\r\n{kind}")),
    ] {
        let (told, body) = lab.request("POST", &path, &fields, &task);
        assert_eq!(told, status, "{fields}{body}");
    }
    let own = format!("Host: {host}\r\n");
    for path in [
        "/",
        "//",
        "/begin",
        "/0123456789abcdef0123456789abcdef/",
        &root[..20],
        "*",
    ] {
        let (status, _) = lab.request("GET", path, &own, "");
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    for method in ["PUT", "DELETE", "OPTIONS", "BREW"] {
        assert_eq!(lab.request(method, root, &own, "").0, 405);
    }
    // Two laboratories have two tokens.
    assert_ne!(Lab::start().root, *root);
    let (status, page) = lab.get("");
    assert_eq!(status, 200);
    assert!(page.contains("The laboratory"));
    let answer = lab.send(format!("GET {root} HTTP/1.1\r\n{own}\r\n").as_bytes());
    for policy in [
        "Content-Security-Policy: default-src 'none'",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
        "X-Content-Type-Options: nosniff",
    ] {
        assert!(answer.contains(policy), "{answer}");
    }
    lives(&lab);
}

#[test]
fn what_is_no_request_is_answered_with_an_error() {
    let lab = Lab::start();
    let (host, root) = (&lab.host, &lab.root);
    let head =
        format!("POST {root}begin HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    let many = "A: b\r\n".repeat(100);
    let long = "a".repeat(20_000);
    let large = "x".repeat(2 << 20);
    for (status, bytes) in [
        (400, "\r\n\r\nnonsense\u{1}\r\n\r\n".to_owned()),
        (400, "GET\r\n\r\n".to_owned()),
        (431, format!("GET / HTTP/1.1\r\n{many}\r\n")),
        (431, format!("GET /{long} HTTP/1.1\r\n\r\n")),
        (
            413,
            format!("{head}Content-Length: 99999999999999999999999\r\n\r\n"),
        ),
        (
            413,
            format!("{head}Content-Length: 18446744073709551615\r\n\r\nx"),
        ),
        (
            413,
            format!("{head}Content-Length: {}\r\n\r\n{large}", large.len()),
        ),
        (400, format!("{head}Content-Length: -1\r\n\r\n")),
        (
            400,
            format!("{head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
        ),
        (
            501,
            format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
        ),
        (400, format!("{head}Content-Length: 3\r\n\r\n{{]}}")),
        (400, format!("{head}Content-Length: 2\r\n\r\n{{}}")),
        (400, format!("{head}Content-Length: 4\r\n\r\nnull")),
    ] {
        let answer = lab.send(bytes.as_bytes());
        let begin = format!("HTTP/1.1 {status} ");
        let shown = &bytes[..bytes.len().min(200)];
        assert!(answer.starts_with(&begin), "{shown}: {answer}");
    }
    for (place, body) in [
        ("begin", json!({ "language": "cobol", "text": "" })),
        ("begin", json!({ "language": "boogie", "text": 7 })),
        (
            "begin",
            json!({ "language": "boogie", "text": "", "engine": "rm" }),
        ),
        ("predict", json!({ "choices": [-1] })),
        ("predict", json!({})),
        ("propose", json!([])),
    ] {
        assert_eq!(lab.post(place, &body).0, 400, "{place} {body}");
    }
    assert_eq!(lab.post("nowhere", &json!({})).0, 404);
    assert_eq!(lab.post("news", &json!({})).0, 409);
    assert_eq!(lab.get("report").0, 404);
    assert_eq!(lab.get("../../etc/passwd").0, 404);
    // Deep nesting, in JSON and in the program.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let fields = format!("Host: {host}\r\nContent-Type: application/json\r\n");
    let (status, _) = lab.request("POST", &format!("{root}read"), &fields, &deep);
    assert_eq!(status, 400);
    let nested = format!(
        "procedure p() {{ assert {}true{}; }}",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    let (status, _) = lab.post("read", &json!({ "language": "boogie", "text": nested }));
    assert_eq!(status, 200);
    lives(&lab);
}

#[test]
fn who_sends_slowly_or_not_at_all_keeps_nobody_waiting() {
    let lab = Lab::start();
    let idle: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = TcpStream::connect(&lab.host).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    lives(&lab);
    assert!(start.elapsed() < Duration::from_secs(20));
    drop(idle);
    // More than there may be: the last ones are sent away, and when all are gone, there is room again.
    let many: Vec<TcpStream> = (0..40)
        .filter_map(|_| TcpStream::connect(&lab.host).ok())
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    drop(many);
    std::thread::sleep(Duration::from_millis(300));
    lives(&lab);
}

/// Work that takes too much memory ends with UNKNOWN, and the laboratory lives on; a session likewise.
#[cfg(target_os = "linux")]
#[test]
fn memory_has_a_limit() {
    let lab = Lab::with(&["--memory", "1"]);
    let mut task = json!({ "language": "boogie", "text": HARD });
    let told = lab.ask("begin", task.clone(), 0);
    assert_eq!(told["result"]["verdict"], "UNKNOWN", "{told}");
    // Where there is no room from the start, no unit is begun.
    let report = &told["result"]["report"];
    assert!(report.to_string().contains("\"memory\""), "{report}");
    task["engine"] = "impact".into();
    let told = lab.ask("begin", task, 0);
    // Where somebody thinks, nothing grows; when the engine goes on, it ends.
    let told = match told["status"] == "waiting" {
        true => lab.ask("next", json!({ "all": true }), 0),
        false => told,
    };
    assert_eq!(told["status"], "done", "{told}");
    assert_eq!(lab.get("").0, 200);
    // With as much as there is if nobody says anything, it is no limit for that.
    lives(&Lab::start());
}

/// Too hard to be decided: whether there is another circle of Collatz's steps is an open problem.
const HARD: &str = "procedure hard(n: int)
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
