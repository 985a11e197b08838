//! One request and its answer over a connection, and no more: HTTP/1.1 as far as a page on the same machine needs it.
//!
//! `httparse` reads the head. Everything that comes in has a limit in size and time, whoever sends it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use crate::limits;

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// `GET`, `POST`.
    pub(crate) method: String,
    /// The path, with what stands behind it.
    pub(crate) path: String,
    /// The fields of the head, names in small letters.
    headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The number that says how it went.
    pub(crate) status: u16,
    /// The media type.
    pub(crate) kind: &'static str,
    /// More fields of the head.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// Why a request is refused before it is understood: the number and words.
pub(crate) type Refusal = (u16, &'static str);

impl Request {
    /// A field of the head; an error if it is there twice, since then nobody knows which one counts.
    pub(crate) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err((400, "a field of the head is there twice")),
            (found, _) => Ok(found.map(|(_, value)| value.as_str())),
        }
    }

    /// Reads a request; `None` if nobody sends one.
    pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Result<Option<Request>, Refusal>> {
        let start = Instant::now();
        let mut text = Vec::new();
        let (mut request, length) = loop {
            match Request::head(&text) {
                Ok(Some((request, length))) => break (request, length),
                Ok(None) if text.len() >= limits::HEAD => {
                    return Ok(Err((431, "the head of the request is too long")));
                }
                Ok(None) => {}
                Err(refusal) => return Ok(Err(refusal)),
            }
            if !more(stream, &mut text, limits::HEAD, start)? {
                return Ok(match text.is_empty() {
                    true => Ok(None),
                    false => Err((400, "the request ends too early")),
                });
            }
        };
        if request
            .header("transfer-encoding")
            .is_ok_and(|found| found.is_none())
        {
            let said = match request.header("content-length") {
                Ok(Some(said)) => said,
                Ok(None) => "0",
                Err(refusal) => return Ok(Err(refusal)),
            };
            let is_number = !said.is_empty() && said.bytes().all(|digit| digit.is_ascii_digit());
            // A number that is too large for this is too large in any case.
            let size = said.parse::<usize>().unwrap_or(usize::MAX);
            match (is_number, size) {
                (false, _) => return Ok(Err((400, "the length of the body is no number"))),
                (true, size) if size > limits::BODY => {
                    return Ok(Err((413, "the body of the request is too long")));
                }
                (true, size) => {
                    let mut body = text.split_off(length);
                    while body.len() < size {
                        if !more(stream, &mut body, size, start)? {
                            return Ok(Err((400, "the request ends too early")));
                        }
                    }
                    body.truncate(size);
                    request.body = body;
                }
            }
            return Ok(Ok(Some(request)));
        }
        Ok(Err((501, "bodies come in one piece, with their length")))
    }

    /// The head of a request and how long it is; `None` if it is not there yet.
    fn head(text: &[u8]) -> Result<Option<(Request, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; limits::HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(text) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                return Err((431, "the head of the request has too many fields"));
            }
            Err(_) => return Err((400, "this is no request")),
        };
        let headers = parsed.headers.iter().map(|header| {
            let value = std::str::from_utf8(header.value);
            let value = value.map_err(|_| (400, "the head of the request is no text"))?;
            Ok((header.name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        let headers = headers.collect::<Result<_, Refusal>>()?;
        let request = Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: parsed.path.unwrap_or_default().to_owned(),
            headers,
            body: Vec::new(),
        };
        Ok(Some((request, length)))
    }
}

/// Reads some more, up to a length; whether there was something. Fails if it takes too long in all.
fn more(
    stream: &mut TcpStream,
    text: &mut Vec<u8>,
    length: usize,
    start: Instant,
) -> io::Result<bool> {
    let left = limits::PATIENCE.saturating_sub(start.elapsed());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut part = [0; 4096];
    let most = part.len().min(length.saturating_sub(text.len()).max(1));
    let count = stream.read(&mut part[..most])?;
    text.extend_from_slice(&part[..count]);
    Ok(count > 0)
}

impl Answer {
    /// Words about what went wrong.
    pub(crate) fn refusal((status, words): Refusal) -> Answer {
        Answer::json(status, &serde_json::json!({ "error": words }))
    }

    /// Data.
    pub(crate) fn json(status: u16, value: &serde_json::Value) -> Answer {
        Answer {
            status,
            kind: "application/json",
            headers: Vec::new(),
            body: value.to_string().into_bytes(),
        }
    }

    /// A page.
    pub(crate) fn page(body: String) -> Answer {
        Answer {
            status: 200,
            kind: "text/html; charset=utf-8",
            headers: Vec::new(),
            body: body.into_bytes(),
        }
    }

    /// Sends it, and ends the connection.
    pub(crate) fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(limits::PATIENCE))?;
        let mut head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n",
            self.status,
            phrase(self.status),
            self.kind,
            self.body.len()
        );
        // The address holds the token: it is told to nobody. No other page may show or read any of it.
        for (name, value) in [
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("X-Frame-Options", "SAMEORIGIN"),
        ] {
            head += &format!("{name}: {value}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)?;
        stream.flush()?;
        stream.shutdown(Shutdown::Write)?;
        // What is still on its way would reset the connection, and the answer with it.
        stream.set_read_timeout(Some(limits::LINGER))?;
        let mut rest = [0; 4096];
        let start = Instant::now();
        while start.elapsed() < limits::LINGER && stream.read(&mut rest)? > 0 {}
        Ok(())
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Error",
    }
}
