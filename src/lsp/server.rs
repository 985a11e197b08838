//! The loop: one event after the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as Note, PublishDiagnostics,
    WorkDoneProgressCancel,
};
use lsp_types::request::{ExecuteCommand, Request as Call, Shutdown, WorkspaceSymbolRequest};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams,
    InitializeParams, NumberOrString, PublishDiagnosticsParams, WorkDoneProgressCancelParams,
};
use serde_json::Value;
use ult_lang::db::Database;

use super::checks::{self, Check, Wish};
use super::client::Client;
use super::document::Document;
use super::event::Event;
use super::setup::Setup;
use super::{capabilities, diagnostics, transport, workspace};
use ult_core::guard::guarded;
use ult_driver::{Language, worker};

/// How often the loop looks after the checks under way.
const TICK: Duration = Duration::from_millis(20);

/// Serves the client on the other end of stdin and stdout until it says goodbye or is gone.
///
/// # Errors
/// If what the client says is not the protocol, or it leaves without a word.
pub fn run(setup: Setup) -> io::Result<()> {
    let (connection, threads) = transport::stdio()?;
    let result = serve(connection, setup);
    // The writing thread ends when nobody can send any more, with everything written.
    let written = threads.join();
    result.map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
    written
}

fn serve(connection: Connection, setup: Setup) -> Result<(), String> {
    let (id, params) = connection
        .initialize_start()
        .map_err(|error| error.to_string())?;
    let params: InitializeParams =
        serde_json::from_value(params).map_err(|error| format!("initialize: {error}"))?;
    let Connection { sender, receiver } = connection;
    let out = {
        let sender = sender.clone();
        // If the client is gone, the loop hears of it from the reading thread.
        Box::new(move |message| drop(sender.send(message)))
    };
    let client = Client::new(&params.capabilities, out);
    let answer = serde_json::json!({
        "capabilities": capabilities::offered(client.encoding),
        "serverInfo": { "name": "ult", "version": ult_report::version() },
    });
    client.answer(id, answer);

    let (events, incoming) = mpsc::channel();
    let messages = events.clone();
    let forward = move || {
        for message in receiver {
            if messages.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = messages.send(Event::Closed);
    };
    worker::spawn("messages", forward).map_err(|error| error.to_string())?;
    let mut server = Server {
        setup,
        client,
        db: Database::default(),
        documents: BTreeMap::new(),
        folders: workspace::folders(&params),
        closed: BTreeMap::new(),
        checks: Vec::new(),
        waiting: VecDeque::new(),
        number: 0,
        readings: BTreeSet::new(),
        dirty: BTreeSet::new(),
        events,
        end: None,
        goodbye: false,
    };
    server.run(&incoming)
}

/// The server's state.
pub struct Server {
    pub(super) setup: Setup,
    pub(super) client: Client,
    pub(super) db: Database,
    /// The open documents by their addresses.
    pub(super) documents: BTreeMap<String, Document>,
    /// The folders that the editor works on.
    pub(super) folders: Vec<PathBuf>,
    /// Inputs of queries that belong to closed documents: inputs live as long as the database, so they are used again.
    closed: BTreeMap<String, ult_lang::db::SourceFile>,
    /// The check that is under way.
    pub(super) checks: Vec<Check>,
    /// The checks that come next.
    pub(super) waiting: VecDeque<Wish>,
    pub(super) number: u64,
    /// Documents that are being read by a thread.
    readings: BTreeSet<String>,
    /// Documents whose diagnostics the client does not know yet.
    pub(super) dirty: BTreeSet<String>,
    pub(super) events: Sender<Event>,
    end: Option<Result<(), String>>,
    /// Whether the client asked to shut down.
    goodbye: bool,
}

impl Server {
    fn run(&mut self, incoming: &Receiver<Event>) -> Result<(), String> {
        loop {
            let event = if self.checks.is_empty() {
                incoming.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                incoming.recv_timeout(TICK)
            };
            match event {
                Ok(event) => {
                    self.react(event);
                    // What has come in meanwhile may make messages about this state of the text superfluous.
                    while let Ok(event) = incoming.try_recv() {
                        self.react(event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.look_after_checks();
            if let Some(end) = self.end.take() {
                return end;
            }
            self.publish();
        }
    }

    fn react(&mut self, event: Event) {
        match event {
            Event::Message(Message::Request(request)) => {
                let id = request.id.clone();
                if let Err(bug) = guarded(|| {
                    self.request(request);
                    Ok(())
                }) {
                    self.client
                        .refuse(id, ErrorCode::InternalError, bug.to_string());
                }
            }
            Event::Message(Message::Notification(notification)) => {
                // There is nobody to tell about a bug; the next request may show it.
                let _ = guarded(|| {
                    self.notification(notification);
                    Ok(())
                });
            }
            // What the client says to our requests does not matter.
            Event::Message(Message::Response(_)) => {}
            Event::Closed => {
                self.end = self
                    .end
                    .take()
                    .or(Some(Err("the editor has gone away without `exit`".into())));
            }
            Event::Checked { id, result } => self.checked(id, result),
            Event::Found { id, symbols } => self.client.answer(id, symbols),
            Event::Read {
                uri,
                version,
                messages,
                source,
            } => {
                self.readings.remove(&uri);
                let Some(document) = self.documents.get_mut(&uri) else {
                    return;
                };
                if document.version == version {
                    document.reading = Some((source, messages));
                    self.dirty.insert(uri);
                } else {
                    self.read(&uri);
                }
            }
        }
    }

    // What the client says.

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => self.with(params, Self::opened),
            DidChangeTextDocument::METHOD => self.with(params, Self::changed),
            DidSaveTextDocument::METHOD => {
                self.with(
                    params,
                    |server, params: lsp_types::DidSaveTextDocumentParams| {
                        server.saved(params.text_document.uri.as_str());
                    },
                );
            }
            DidCloseTextDocument::METHOD => {
                self.with(
                    params,
                    |server, params: lsp_types::DidCloseTextDocumentParams| {
                        server.closed(params.text_document.uri.as_str());
                    },
                );
            }
            DidChangeWorkspaceFolders::METHOD => self.with(
                params,
                |server, params: lsp_types::DidChangeWorkspaceFoldersParams| {
                    workspace::change(&mut server.folders, &params.event);
                },
            ),
            WorkDoneProgressCancel::METHOD => {
                self.with(params, |server, params: WorkDoneProgressCancelParams| {
                    server.cancel(|wish| wish.token.as_ref() == Some(&params.token));
                });
            }
            Cancel::METHOD => self.with(params, |server, params: CancelParams| {
                let id = match params.id {
                    NumberOrString::Number(id) => RequestId::from(id),
                    NumberOrString::String(id) => RequestId::from(id),
                };
                server.cancel(|wish| wish.request.as_ref() == Some(&id));
            }),
            lsp_types::notification::Exit::METHOD => {
                self.end = Some(match self.goodbye {
                    true => Ok(()),
                    false => Err("`exit` came without `shutdown`".into()),
                });
            }
            // Notifications that are not known are to be ignored.
            _ => {}
        }
    }

    /// Calls the handler, unless the parameters are not what the protocol says.
    fn with<P: serde::de::DeserializeOwned>(
        &mut self,
        params: Value,
        handle: impl FnOnce(&mut Self, P),
    ) {
        if let Ok(params) = serde_json::from_value(params) {
            handle(self, params);
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.goodbye {
            let why = "the server is shutting down".into();
            self.client.refuse(id, ErrorCode::InvalidRequest, why);
            return;
        }
        match method.as_str() {
            Shutdown::METHOD => {
                self.goodbye = true;
                self.cancel(|_| true);
                self.client.answer(id, ());
            }
            WorkspaceSymbolRequest::METHOD => self.find(id, params),
            ExecuteCommand::METHOD => {
                match serde_json::from_value::<ExecuteCommandParams>(params) {
                    Ok(params) => self.command(id, params),
                    Err(error) => {
                        self.client
                            .refuse(id, ErrorCode::InvalidParams, error.to_string());
                    }
                }
            }
            _ => self.question(id, &method, params),
        }
    }

    // Documents.

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let uri = item.uri.as_str().to_owned();
        let mut document = Document::open(
            item.uri,
            &item.language_id,
            item.version,
            item.text,
            self.client.encoding,
        );
        let file = self.closed.remove(&uri);
        document.connect(&mut self.db, file);
        document.has_libraries = self.has_libraries(&document);
        if document.is_queried() {
            self.dirty.insert(uri.clone());
        }
        self.documents.insert(uri.clone(), document);
        self.read(&uri);
        // Editors also open texts that are no files: older states, to compare.
        if self.setup.check_on_open && uri.starts_with("file:") {
            self.check(&uri, None, None, None);
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        // First: what it has found out is about the text as it was.
        self.cancel(|wish| wish.uri == uri);
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        for change in &params.content_changes {
            document.edit(change.range, &change.text);
        }
        document.version = params.text_document.version;
        let verdicts = std::mem::take(&mut document.verdicts);
        document.connect(&mut self.db, None);
        let had_verdicts = !verdicts.is_empty();
        // Texts in other languages have new messages when they have been read.
        if document.is_queried() || had_verdicts {
            self.dirty.insert(uri.clone());
        }
        if had_verdicts {
            self.client.refresh();
        }
        self.read(&uri);
    }

    /// Whether a project, or the command line, puts libraries behind a text.
    fn has_libraries(&self, document: &Document) -> bool {
        let own = self.setup.of_file(&document.name);
        let libraries = &own.as_ref().unwrap_or(&self.setup).libraries;
        document.language == Language::Boogie && !libraries.is_empty()
    }

    fn saved(&mut self, uri: &str) {
        // The project file may have changed since.
        let now = self
            .documents
            .get(uri)
            .map(|document| self.has_libraries(document));
        if let Some(document) = self.documents.get_mut(uri)
            && let Some(now) = now
            && document.has_libraries != now
        {
            document.has_libraries = now;
            document.reading = None;
            self.dirty.insert(uri.to_owned());
        }
        self.read(uri);
        if self.setup.check_on_save {
            self.check(uri, None, None, None);
        }
    }

    fn closed(&mut self, uri: &str) {
        self.cancel(|wish| wish.uri == uri);
        if let Some(document) = self.documents.remove(uri) {
            if let Some(file) = document.file {
                file.edit(&mut self.db, String::new());
                self.closed.insert(uri.to_owned(), file);
            }
            self.client
                .notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                    uri: document.uri,
                    diagnostics: Vec::new(),
                    version: None,
                });
        }
        self.dirty.remove(uri);
    }

    /// Has a text that queries do not see as it is checked read by a thread.
    fn read(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        if document.is_queried() || !self.readings.insert(uri.to_owned()) {
            return;
        }
        let (version, task) = (document.version, document.task(None));
        let (setup, events, uri) = (self.setup.clone(), self.events.clone(), uri.to_owned());
        let started = worker::spawn("read", move || {
            let (source, messages) = checks::read(&task, &setup);
            let _ = events.send(Event::Read {
                uri,
                version,
                messages,
                source,
            });
        });
        // Without memory for a thread there are no messages; a check will say why.
        drop(started);
    }

    /// Sends the diagnostics of all documents that have changed.
    fn publish(&mut self) {
        for uri in std::mem::take(&mut self.dirty) {
            let Some(document) = self.documents.get(&uri) else {
                continue;
            };
            let db = &self.db;
            let diagnostics = guarded(|| {
                let mut all = Vec::new();
                let (source, found) = document.messages(db);
                for found in found {
                    all.push(diagnostics::message(document, source, found));
                }
                all.extend(diagnostics::verdicts(document, db));
                if self.client.hides_related {
                    all = all.into_iter().map(diagnostics::in_words).collect();
                }
                Ok(all)
            });
            if let Ok(diagnostics) = diagnostics {
                self.client
                    .notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                        uri: document.uri.clone(),
                        diagnostics,
                        version: Some(document.version),
                    });
            }
        }
    }
}
