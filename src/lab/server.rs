//! The server: who may ask, and what is answered.
//!
//! It listens on the loopback interface alone. Whoever knows the token in the address may ask; that a page of somebody else, open
//! in the same browser, cannot do so is ensured twice: it does not know the token, and what says that it comes from elsewhere
//! (`Host`, `Origin`, `Sec-Fetch-Site`) is refused.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_driver::{Language, Settings, Source, load, worker};
use ult_engine::EngineKind;

use crate::http::{Answer, Refusal, Request};
use crate::limits;
use crate::page;
use crate::work::{self, Desk, IsFull, NOTHING_WAITS, Task};

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// What the server knows.
struct Site {
    address: SocketAddr,
    token: String,
    /// The work, if there is any.
    desk: Mutex<Option<Arc<Desk>>>,
    /// How many connections there are.
    connections: AtomicUsize,
    /// Whether work has to end because of the memory that it takes.
    is_full: IsFull,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// Listens on a port of the loopback interface; on a free one, if it is 0. Work ends when `is_full` says so.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn new(port: u16, is_full: IsFull) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let site = Site {
            address: listener.local_addr()?,
            token: random()?,
            desk: Mutex::default(),
            connections: AtomicUsize::new(0),
            is_full,
        };
        Ok(Server {
            listener,
            site: Arc::new(site),
        })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.site.address, self.site.token)
    }

    /// Answers for ever.
    ///
    /// # Errors
    /// If no connection can be accepted any more.
    pub fn run(&self) -> io::Result<()> {
        for stream in self.listener.incoming() {
            // One that is gone before it is accepted says nothing about the next one.
            let Ok(stream) = stream else { continue };
            let site = self.site.clone();
            if site.connections.fetch_add(1, Ordering::SeqCst) >= limits::CONNECTIONS {
                let mut stream = stream;
                let busy = Answer::refusal((503, "too many connections at a time"));
                let _ = busy.send(&mut stream);
                site.connections.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let answering = site.clone();
            let started = worker::spawn("answer", move || {
                // A bug costs its request and nothing else.
                let _ = guarded(|| {
                    answering.talk(stream);
                    Ok(())
                });
                answering.connections.fetch_sub(1, Ordering::SeqCst);
            });
            if started.is_err() {
                site.connections.fetch_sub(1, Ordering::SeqCst);
            }
        }
        Ok(())
    }
}

impl Site {
    /// One request, one answer.
    fn talk(&self, mut stream: TcpStream) {
        let Ok(read) = Request::read(&mut stream) else {
            return;
        };
        let answer = match read {
            Ok(None) => return,
            Ok(Some(request)) => guarded(|| Ok(self.answer(&request)))
                .unwrap_or(Err((500, "there is a bug in this program"))),
            Err(refusal) => Err(refusal),
        };
        // Who does not take the answer does not want it.
        let _ = answer.unwrap_or_else(Answer::refusal).send(&mut stream);
    }

    fn answer(&self, request: &Request) -> Result<Answer, Refusal> {
        let own = [
            self.address.to_string(),
            format!("localhost:{}", self.address.port()),
        ];
        let host = request.header("host")?.unwrap_or_default();
        if !own.iter().any(|own| own == host) {
            return Err((421, "this server is not the one that was asked"));
        }
        let inside = request.path.strip_prefix('/').and_then(|path| {
            let (token, rest) = path.split_at_checked(self.token.len())?;
            same(token, &self.token).then_some(rest)?.strip_prefix('/')
        });
        let Some(place) = inside else {
            return Err((
                404,
                "there is nothing here: the address has a token, which the command printed",
            ));
        };
        match request.method.as_str() {
            "GET" => self.shown(place),
            "POST" => {
                let origin = request.header("origin")?;
                let is_own = |origin: &str| {
                    let host = origin.strip_prefix("http://");
                    host.is_some_and(|host| own.iter().any(|own| own == host))
                };
                let site = request.header("sec-fetch-site")?;
                if !origin.is_none_or(is_own) || site.is_some_and(|site| site != "same-origin") {
                    return Err((403, "another page may not ask"));
                }
                let kind = request.header("content-type")?.unwrap_or_default();
                if kind
                    .split(';')
                    .next()
                    .is_none_or(|kind| kind.trim() != "application/json")
                {
                    return Err((415, "requests are JSON"));
                }
                let body: Value = serde_json::from_slice(&request.body)
                    .map_err(|_| (400, "the body of the request is no JSON"))?;
                Ok(Answer::json(200, &self.asked(place, &body)?))
            }
            _ => Err((405, "this can be read (GET) or asked (POST)")),
        }
    }

    fn shown(&self, place: &str) -> Result<Answer, Refusal> {
        // What stands behind `?` tells one report from the next, so that none is taken for another.
        match place.split('?').next().unwrap_or_default() {
            "" => {
                let nonce = random().map_err(|_| (500, "there are no random numbers"))?;
                let (page, policy) = page::served(&nonce);
                let mut answer = Answer::page(page);
                answer.headers.push(("Content-Security-Policy", policy));
                Ok(answer)
            }
            "report" => {
                let page = self.desk().and_then(|desk| desk.page());
                page.map(Answer::page)
                    .ok_or((404, "there is no report yet"))
            }
            _ => Err((404, "there is nothing here")),
        }
    }

    fn asked(&self, place: &str, body: &Value) -> Result<Value, Refusal> {
        let from = number(body, "from").unwrap_or_default();
        match place {
            "read" => read(&program(body)?),
            "begin" => {
                let task = program(body)?;
                let mut place = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(old) = place.take() {
                    old.cancel();
                }
                let begun = Desk::begin(task, self.is_full.clone())
                    .map_err(|_| (503, "there is no memory for that"))?;
                *place = Some(begun.clone());
                drop(place);
                Ok(begun.state_since(0))
            }
            "cancel" => {
                let desk = self.desk().ok_or(NOTHING_WAITS)?;
                desk.cancel();
                Ok(desk.state_since(from))
            }
            "news" => {
                let version = body["version"].as_u64().unwrap_or_default();
                Ok(self.desk().ok_or(NOTHING_WAITS)?.news(from, version))
            }
            "predict" => {
                let choices = body["choices"].as_array();
                let choices = choices.ok_or((400, "there is no answer"))?;
                let choices = choices
                    .iter()
                    .map(|choice| choice.as_u64().and_then(|n| usize::try_from(n).ok()));
                let choices: Option<BTreeSet<usize>> = choices.collect();
                let choices = choices.ok_or((400, "an answer is a list of numbers"))?;
                self.desk().ok_or(NOTHING_WAITS)?.predict(&choices, from)
            }
            "next" => {
                let all = body["all"].as_bool().unwrap_or_default();
                let alone = body["alone"].as_bool().unwrap_or_default();
                self.desk().ok_or(NOTHING_WAITS)?.next(all, alone, from)
            }
            "reveal" => self.desk().ok_or(NOTHING_WAITS)?.reveal(from),
            "propose" => {
                let texts = body["formulas"].as_array();
                let texts = texts.ok_or((400, "there are no formulas"))?;
                let texts = texts.iter().map(|text| {
                    let text = text.as_str().map(str::trim).filter(|text| !text.is_empty());
                    text.map(str::to_owned)
                });
                self.desk()
                    .ok_or(NOTHING_WAITS)?
                    .propose(texts.collect(), from)
            }
            _ => Err((404, "there is nothing here")),
        }
    }

    fn desk(&self) -> Option<Arc<Desk>> {
        let place = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        place.clone()
    }
}

/// A text that nobody guesses.
fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two texts are the same, in a time that tells nothing.
fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn number(body: &Value, name: &str) -> Option<usize> {
    usize::try_from(body[name].as_u64()?).ok()
}

/// The program that a request is about.
fn program(body: &Value) -> Result<Task, Refusal> {
    let language = match body["language"].as_str() {
        Some("boogie") => Language::Boogie,
        Some("ult") => Language::Graph,
        _ => return Err((400, "the language is `boogie` or `ult`")),
    };
    let text = body["text"].as_str().ok_or((400, "there is no program"))?;
    let engine = match body["engine"].as_str() {
        None => None,
        Some("slicing") => Some(EngineKind::Slicing),
        Some("impact") => Some(EngineKind::Impact),
        Some("predicate") => Some(EngineKind::Predicate),
        Some(_) => {
            return Err((
                400,
                "the engines that can be stepped through are slicing, impact and predicate",
            ));
        }
    };
    let end = if language == Language::Boogie {
        "bpl"
    } else {
        "ult"
    };
    Ok(Task {
        name: format!("program.{end}"),
        language,
        text: text.to_owned(),
        engine,
    })
}

/// The messages about a text.
fn read(task: &Task) -> Result<Value, Refusal> {
    let source = Source::new(&*task.name, &*task.text);
    let loaded = load(&Terms::new(), &source, task.language, &Settings::default());
    let loaded = loaded.map_err(|_| (500, "there is a bug in the front end"))?;
    let report = work::result(&loaded.report());
    Ok(json!({ "diagnostics": report["report"]["diagnostics"] }))
}
