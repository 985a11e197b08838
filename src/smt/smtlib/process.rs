//! A solver process: text in, responses out, and never a wait without an end.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::Failure;
use crate::limits;
use crate::processes::Group;
use ult_core::control::Control;

/// No response is longer than this; what is longer is no answer.
const LONGEST_RESPONSE: usize = 1 << 20;

/// How much of what the solver says on its error output is kept.
const LONGEST_COMPLAINT: usize = 2000;

/// A running solver process. Dropping it ends it, and whom it started.
pub(super) struct Process {
    group: Group,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Event>,
    /// For waking up the reader of responses.
    events: SyncSender<Event>,
    pending: Vec<u8>,
    complaint: Arc<Mutex<Complaint>>,
}

/// What the solver said on its error output.
#[derive(Default)]
struct Complaint {
    text: Vec<u8>,
    complete: bool,
}

enum Event {
    Bytes(Vec<u8>),
    End,
    /// The run was stopped.
    Wake,
}

impl Process {
    /// Starts a program with arguments.
    pub(super) fn start(command: &[String]) -> Result<Process, Failure> {
        let Some((program, args)) = command.split_first() else {
            return Err(Failure::Missing("an empty command".into()));
        };
        let failed = |error: io::Error| Failure::Missing(format!("`{program}`: {error}"));
        let mut command = Command::new(program);
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = Group::start(&mut command).map_err(failed)?;
        let (events, output) = sync_channel(16);
        let (input, texts) = channel::<Vec<u8>>();
        let complaint = Arc::new(Mutex::new(Complaint::default()));
        // The threads end when the process does, or when their channel is dropped.
        if let Some(stdin) = group.child().stdin.take() {
            spawn(move || feed(stdin, &texts)).map_err(failed)?;
        }
        if let Some(stdout) = group.child().stdout.take() {
            let events = events.clone();
            spawn(move || listen(stdout, &events)).map_err(failed)?;
        }
        if let Some(stderr) = group.child().stderr.take() {
            let complaint = complaint.clone();
            spawn(move || note(stderr, &complaint)).map_err(failed)?;
        }
        Ok(Process {
            group,
            input: Some(input),
            output,
            events,
            pending: Vec::new(),
            complaint,
        })
    }

    /// Sends text; does not wait until the solver has read it.
    pub(super) fn send(&mut self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text.into_bytes());
        }
    }

    /// The next complete response: an s-expression, a string, or a word. The solver may be silent until the deadline; but
    /// what it has begun it has to end within [`limits::REST`].
    pub(super) fn response(
        &mut self,
        deadline: Option<Instant>,
        control: &Control,
    ) -> Result<String, Failure> {
        self.receive(deadline, control, DEEPEST, None)
    }

    /// The same for a response that may be nested up to `deepest`, for those who can read that.
    pub(super) fn response_of_depth(
        &mut self,
        deadline: Option<Instant>,
        control: &Control,
        deepest: usize,
    ) -> Result<String, Failure> {
        self.receive(deadline, control, deepest, None)
    }

    /// The same for a response that needs no thought: it counts as begun.
    pub(super) fn prompt_response(
        &mut self,
        deadline: Option<Instant>,
        control: &Control,
    ) -> Result<String, Failure> {
        let end = Instant::now() + limits::REST;
        self.receive(deadline, control, DEEPEST, Some(end))
    }

    /// `end` is when a response that has begun must be complete.
    fn receive(
        &mut self,
        deadline: Option<Instant>,
        control: &Control,
        deepest: usize,
        mut end: Option<Instant>,
    ) -> Result<String, Failure> {
        let events = self.events.clone();
        // A full channel wakes up its reader anyway.
        let _guard = control.on_stop(move || {
            let _ = events.try_send(Event::Wake);
        });
        let mut scanner = Scanner::of_depth(deepest);
        let mut is_dead = false;
        loop {
            if let Some(length) = scanner.scan(&self.pending)? {
                let rest = self.pending.split_off(length);
                let response = std::mem::replace(&mut self.pending, rest);
                return match String::from_utf8(response) {
                    Ok(text) => Ok(text.trim().to_string()),
                    Err(_) => Err(Failure::UnexpectedOutput("text that is not UTF-8".into())),
                };
            }
            if self.pending.len() > LONGEST_RESPONSE {
                return Err(Failure::UnexpectedOutput(
                    "more text than any answer has".into(),
                ));
            }
            control.check()?;
            let now = Instant::now();
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Err(Failure::Timeout);
            }
            if end.is_none() && scanner.has_begun() {
                end = Some(now + limits::REST);
            }
            if end.is_some_and(|end| end <= now) {
                return Err(self.unfinished());
            }
            let next = [deadline, end].into_iter().flatten().min();
            let wait = next.map_or(limits::ALIVE, |next| (next - now).min(limits::ALIVE));
            match self.output.recv_timeout(wait) {
                Ok(Event::Bytes(bytes)) => self.pending.extend(bytes),
                Ok(Event::Wake) => {}
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Died(self.obituary()));
                }
                // Somebody whom it started may keep its output open. What it said before its death has arrived by
                // the second look.
                Err(RecvTimeoutError::Timeout) if is_dead => {
                    return Err(Failure::Died(self.obituary()));
                }
                Err(RecvTimeoutError::Timeout) => is_dead = self.group.has_ended(),
            }
        }
    }

    /// What became of an answer that has begun and does not end.
    fn unfinished(&self) -> Failure {
        let begun: String = String::from_utf8_lossy(&self.pending)
            .trim()
            .chars()
            .take(100)
            .collect();
        Failure::UnexpectedOutput(format!(
            "an answer that did not end within {} seconds: `{begun}`",
            limits::REST.as_secs()
        ))
    }

    /// How the process ended and what it complained about.
    fn obituary(&mut self) -> String {
        // Its output is closed; it has a moment to end by itself and to have its last words read.
        let mut status = None;
        let mut complaint = String::new();
        for _ in 0..200 {
            status = self.group.status();
            let said = self
                .complaint
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            complaint = String::from_utf8_lossy(&said.text).into_owned();
            if status.is_some() && said.complete {
                break;
            }
            drop(said);
            thread::sleep(limits::DYING);
        }
        let mut text = match status {
            Some(status) => status.to_string(),
            None => "it closed its output".into(),
        };
        if let Some(line) = complaint.lines().next() {
            text += ": ";
            text += line;
        }
        text
    }
}

/// A thread for one of the solver's streams.
fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name("solver".into());
    thread.spawn(work).map(drop)
}

/// Writes what is sent.
fn feed(mut stdin: impl Write, texts: &Receiver<Vec<u8>>) {
    for text in texts {
        // A solver that is gone is noticed where its answer is read.
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads what is said.
fn listen(mut stdout: impl Read, events: &SyncSender<Event>) {
    let mut chunk = [0; 8192];
    while let Ok(length @ 1..) = stdout.read(&mut chunk) {
        if events.send(Event::Bytes(chunk[..length].to_vec())).is_err() {
            break;
        }
    }
    let _ = events.send(Event::End);
}

/// Reads the error output.
fn note(mut stderr: impl Read, complaint: &Mutex<Complaint>) {
    let complaint = || complaint.lock().unwrap_or_else(PoisonError::into_inner);
    let mut chunk = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut chunk) {
        let mut kept = complaint();
        let room = LONGEST_COMPLAINT.saturating_sub(kept.text.len());
        kept.text.extend(&chunk[..length.min(room)]);
    }
    complaint().complete = true;
}

/// Finds the end of the first response, looking at each byte once.
struct Scanner {
    at: usize,
    depth: usize,
    deepest: usize,
    state: State,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before anything, or between things inside parentheses.
    #[default]
    Between,
    Word,
    Text,
    Quoted,
    Comment,
}

/// Responses nest a few levels; a parser that recurses shall not see more.
const DEEPEST: usize = 200;

impl Scanner {
    fn of_depth(deepest: usize) -> Scanner {
        Scanner {
            at: 0,
            depth: 0,
            deepest,
            state: State::default(),
        }
    }

    /// Whether there is a part of a response.
    fn has_begun(&self) -> bool {
        self.depth > 0 || matches!(self.state, State::Word | State::Text | State::Quoted)
    }

    /// The length of the first response in `bytes`, if it is complete.
    fn scan(&mut self, bytes: &[u8]) -> Result<Option<usize>, Failure> {
        while let Some(&byte) = bytes.get(self.at) {
            match self.state {
                State::Word if byte.is_ascii_whitespace() || b"()\";|".contains(&byte) => {
                    self.state = State::Between;
                    if self.depth == 0 {
                        return Ok(Some(self.at));
                    }
                    // The byte is looked at again.
                    continue;
                }
                State::Word => {}
                State::Text | State::Quoted => {
                    let end = if self.state == State::Text {
                        b'"'
                    } else {
                        b'|'
                    };
                    if byte == end {
                        self.state = State::Between;
                        if self.depth == 0 {
                            return Ok(Some(self.at + 1));
                        }
                    }
                }
                State::Comment => {
                    if matches!(byte, b'\n' | b'\r') {
                        self.state = State::Between;
                    }
                }
                State::Between => match byte {
                    b'(' => {
                        self.depth += 1;
                        if self.depth > self.deepest {
                            return Err(Failure::UnexpectedOutput(
                                "more parentheses than any answer has".into(),
                            ));
                        }
                    }
                    b')' if self.depth == 0 => {
                        return Err(Failure::UnexpectedOutput("`)`".into()));
                    }
                    b')' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Ok(Some(self.at + 1));
                        }
                    }
                    b'"' => self.state = State::Text,
                    b'|' => self.state = State::Quoted,
                    b';' => self.state = State::Comment,
                    byte if byte.is_ascii_whitespace() => {}
                    _ => self.state = State::Word,
                },
            }
            self.at += 1;
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All complete responses in a text.
    fn split(text: &str) -> Result<Vec<&str>, Failure> {
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(end) = Scanner::of_depth(DEEPEST).scan(rest.as_bytes())? {
            found.push(rest[..end].trim());
            rest = &rest[end..];
        }
        Ok(found)
    }

    #[test]
    fn responses_are_told_apart() {
        assert_eq!(split("sat\nunsat\n").unwrap(), ["sat", "unsat"]);
        assert_eq!(split("sat").unwrap(), [""; 0]);
        assert_eq!(
            split("(error \"a ) b\") (:name |(|) \"x\"\n").unwrap(),
            ["(error \"a ) b\")", "(:name |(|)", "\"x\""]
        );
        assert_eq!(
            split("; a comment (\n ok ").unwrap(),
            ["; a comment (\n ok"]
        );
        assert!(split(") sat\n").is_err());
        assert!(split(&"(".repeat(100_000)).is_err());
    }
}
