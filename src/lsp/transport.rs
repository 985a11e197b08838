//! The way to the client: messages over stdin and stdout.
//!
//! What cannot be read gets an error answer (JSON-RPC 2.0, section 5.1), and the next message is read.
//! Editors have been seen to send halves of surrogate pairs; that must not be the end of the session.

use std::io::{self, BufRead, Read as _, Stdout, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// Longer messages are not read.
const LONGEST: u64 = 256 << 20;

/// Longer lines before a message are read in pieces.
const LONGEST_LINE: u64 = 1 << 16;

/// The threads that read and write.
pub(super) struct Threads {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until all is written and nothing more is read.
    ///
    /// # Errors
    /// If something could not be written.
    pub(super) fn join(self) -> io::Result<()> {
        let lost = |_| io::Error::other("a thread of the connection has panicked");
        self.reader.join().map_err(lost)?;
        self.writer.join().map_err(lost)?
    }
}

/// The connection over stdin and stdout.
///
/// # Errors
/// If a thread cannot be started.
pub(super) fn stdio() -> io::Result<(Connection, Threads)> {
    let output = Arc::new(Mutex::new(io::stdout()));
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded::<Message>(0);
    let complaints = output.clone();
    let read = move || {
        forward(&mut io::stdin().lock(), &incoming, &mut |answer| {
            say(&complaints, &answer)
        });
    };
    let named = |name: &str| thread::Builder::new().name(name.into());
    let reader = named("reader").spawn(read)?;
    let writer = named("writer").spawn(move || write(&outgoing, &output))?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

fn write(messages: &Receiver<Message>, output: &Mutex<Stdout>) -> io::Result<()> {
    for message in messages {
        message.write(&mut *output.lock().unwrap_or_else(PoisonError::into_inner))?;
    }
    Ok(())
}

/// Writes an answer that is no [`Message`]: it may have no id.
fn say(output: &Mutex<Stdout>, answer: &Value) {
    let text = answer.to_string();
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    // If the client is gone, the reader hears of it.
    let _ = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len());
    let _ = output.flush();
}

/// Hands over one message after the other, until the last one or the end of the input.
fn forward(input: &mut impl BufRead, messages: &Sender<Message>, complain: &mut dyn FnMut(Value)) {
    while let Ok(Some(read)) = next(input) {
        match read {
            Ok(message) => {
                let is_last = matches!(&message, Message::Notification(n) if n.method == "exit");
                if messages.send(message).is_err() || is_last {
                    return;
                }
            }
            Err(Unreadable { id, code, why }) => complain(json!({
                "jsonrpc": "2.0",
                "id": id,
                "error": { "code": code as i32, "message": why },
            })),
        }
    }
}

/// What came is no message.
struct Unreadable {
    /// What it called itself, if that can be told.
    id: Value,
    code: ErrorCode,
    why: String,
}

impl Unreadable {
    fn new(code: ErrorCode, why: impl Into<String>) -> Unreadable {
        Unreadable {
            id: Value::Null,
            code,
            why: why.into(),
        }
    }
}

/// The next message; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Unreadable>>> {
    let length = match length(input)? {
        Some(Ok(length)) => length,
        Some(Err(error)) => return Ok(Some(Err(error))),
        None => return Ok(None),
    };
    let mut body = Vec::new();
    input.by_ref().take(length).read_to_end(&mut body)?;
    match u64::try_from(body.len()).is_ok_and(|read| read == length) {
        true => Ok(Some(message(body))),
        false => Ok(None),
    }
}

/// How many bytes the next message has. Whatever stands before its header is left over from something
/// that was no message.
fn length(input: &mut impl BufRead) -> io::Result<Option<Result<u64, Unreadable>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if text.trim().is_empty() {
            break;
        }
        if let Some((_, number)) = text.rsplit_once("content-length:") {
            length = Some(
                number
                    .trim()
                    .parse()
                    .ok()
                    .filter(|&length| length <= LONGEST),
            );
        }
    }
    let error = |why: &str| Err(Unreadable::new(ErrorCode::ParseError, why));
    Ok(Some(match length {
        Some(Some(length)) => Ok(length),
        Some(None) => error("this Content-Length is no number of bytes, or more than 256 MB"),
        None => error("a header without Content-Length"),
    }))
}

fn message(body: Vec<u8>) -> Result<Message, Unreadable> {
    let parse_error = |why: String| Unreadable::new(ErrorCode::ParseError, why);
    let text = String::from_utf8(body).map_err(|error| parse_error(error.to_string()))?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| parse_error(error.to_string()))?;
    let invalid = |why: String| Unreadable::new(ErrorCode::InvalidRequest, why);
    if value.is_array() {
        return Err(invalid("the protocol has no batches".into()));
    }
    let id = value.get("id").cloned().unwrap_or_default();
    // Else it would be taken for an answer.
    if value
        .get("method")
        .is_some_and(|method| !method.is_string())
    {
        let why = invalid("the method is no string".into());
        return Err(Unreadable { id, ..why });
    }
    serde_json::from_value(value).map_err(|error| Unreadable {
        id,
        ..invalid(error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &[u8]) -> Vec<u8> {
        let head = format!("Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    }

    /// The methods that arrive, and codes of the answers, each with its id.
    fn told(input: &[u8]) -> (Vec<String>, Vec<(Value, i64)>) {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let mut answers = Vec::new();
        forward(&mut &*input, &sender, &mut |answer| {
            let code = answer["error"]["code"].as_i64().unwrap_or_default();
            answers.push((answer["id"].clone(), code));
        });
        let methods = receiver.try_iter().filter_map(|message| match message {
            Message::Request(request) => Some(request.method),
            Message::Notification(note) => Some(note.method),
            Message::Response(_) => None,
        });
        (methods.collect(), answers)
    }

    #[test]
    fn what_cannot_be_read_is_answered_and_the_next_message_is_read() {
        let good = framed(br#"{"jsonrpc":"2.0","id":1,"method":"good"}"#);
        let no_id = Value::Null;
        for (bad, id, code) in [
            (
                framed(br#"{"jsonrpc": "2.0", "id": 5, "method": "#),
                &no_id,
                -32700,
            ),
            (
                framed(br#"[{"jsonrpc":"2.0","id":7,"method":"m"}]"#),
                &no_id,
                -32600,
            ),
            (
                framed(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"\xff\xfe\"}"),
                &no_id,
                -32700,
            ),
            (
                framed(br#"{"jsonrpc":"2.0","method":"m","params":"\ud800"}"#),
                &no_id,
                -32700,
            ),
            (
                framed(br#"{"jsonrpc":"2.0","id":9,"method":17}"#),
                &json!(9),
                -32600,
            ),
            (framed(b"17"), &no_id, -32600),
            (framed(b""), &no_id, -32700),
            (
                b"Content-Length: 99999999999999999999\r\n\r\n{}".to_vec(),
                &no_id,
                -32700,
            ),
            (b"Content-Length: -1\r\n\r\n{}".to_vec(), &no_id, -32700),
            (
                b"Content-Length: 9999999999\r\n\r\n{}".to_vec(),
                &no_id,
                -32700,
            ),
            (b"Colour: blue\r\n\r\n{}".to_vec(), &no_id, -32700),
        ] {
            let (methods, answers) = told(&[bad.clone(), good.clone()].concat());
            let bad = String::from_utf8_lossy(&bad);
            assert_eq!(methods, ["good"], "{bad}");
            assert_eq!(answers, [(id.clone(), code)], "{bad}");
        }
    }

    #[test]
    fn headers_are_read_as_editors_write_them() {
        let body = r#"{"jsonrpc":"2.0","method":"m"}"#;
        for header in [
            "content-length: 30\r\n",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 30\r\n",
            "Content-Length:30\n",
        ] {
            let end = if header.ends_with("\r\n") {
                "\r\n"
            } else {
                "\n"
            };
            let (methods, answers) = told(format!("{header}{end}{body}").as_bytes());
            assert_eq!(
                (methods, answers),
                (vec!["m".to_owned()], vec![]),
                "{header}"
            );
        }
    }

    #[test]
    fn the_end_is_the_end() {
        let exit = framed(br#"{"jsonrpc":"2.0","method":"exit"}"#);
        let (methods, _) = told(&[exit.clone(), exit.clone()].concat());
        assert_eq!(methods, ["exit"]);
        // A message that is not complete.
        assert_eq!(told(&exit[..exit.len() - 1]), (vec![], vec![]));
    }
}
