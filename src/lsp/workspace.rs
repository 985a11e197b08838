//! What is declared in all files of the folders that the editor works on.

use std::fs;
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{
    DocumentSymbol, InitializeParams, Location, SymbolInformation, Uri,
    WorkspaceFoldersChangeEvent, WorkspaceSymbolParams,
};
use serde_json::Value;
use ult_lang::db::Database;
use walkdir::{DirEntry, WalkDir};

use super::document::{self, Document};
use super::event::Event;
use super::position::Encoding;
use super::server::Server;
use super::symbols;
use ult_core::guard::guarded;
use ult_driver::worker;

/// So many files are looked at.
const MOST_FILES: usize = 2000;

/// Larger files are not: nobody wrote them.
const LARGEST: u64 = 1 << 20;

/// So many declarations are told.
const MOST_FOUND: usize = 500;

/// The folders that the client begins with.
pub fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        let paths = folders.iter().map(|folder| document::path(&folder.uri));
        return paths.flatten().collect();
    }
    // Older clients know of one.
    #[allow(deprecated, reason = "the field is what older clients send")]
    let root = params.root_uri.as_ref();
    root.and_then(document::path).into_iter().collect()
}

/// Folders come and go.
pub fn change(folders: &mut Vec<PathBuf>, event: &WorkspaceFoldersChangeEvent) {
    for gone in &event.removed {
        let gone = document::path(&gone.uri);
        folders.retain(|folder| Some(folder) != gone.as_ref());
    }
    let new = event.added.iter();
    folders.extend(new.filter_map(|folder| document::path(&folder.uri)));
}

impl Server {
    /// Looks for declarations whose names have a text in them: in open texts as they are now, and in the other files of the
    /// folders. That may take a while, so a thread does it.
    pub(super) fn find(&self, id: RequestId, params: Value) {
        let query = match serde_json::from_value::<WorkspaceSymbolParams>(params) {
            Ok(params) => params.query.to_lowercase(),
            Err(error) => {
                let why = error.to_string();
                self.client.refuse(id, ErrorCode::InvalidParams, why);
                return;
            }
        };
        let open = self.documents.values();
        let texts: Vec<Text> = open
            .map(|document| Text {
                uri: document.uri.clone(),
                language: document.language_id.clone(),
                text: document.text.as_str().to_owned(),
            })
            .collect();
        let (folders, encoding) = (self.folders.clone(), self.client.encoding);
        let (events, number) = (self.events.clone(), id.clone());
        let started = worker::spawn("symbols", move || {
            let symbols = guarded(|| Ok(search(texts, &folders, &query, encoding)));
            let symbols = symbols.unwrap_or_default();
            // If the server is gone, nobody waits.
            let _ = events.send(Event::Found { id, symbols });
        });
        if let Err(error) = started {
            let why = format!("cannot start a thread: {error}");
            self.client.refuse(number, ErrorCode::InternalError, why);
        }
    }
}

/// A text that may declare something.
struct Text {
    uri: Uri,
    language: String,
    text: String,
}

fn search(
    open: Vec<Text>,
    folders: &[PathBuf],
    query: &str,
    encoding: Encoding,
) -> Vec<SymbolInformation> {
    let known: Vec<Option<PathBuf>> = open.iter().map(|text| document::path(&text.uri)).collect();
    let files = folders.iter().flat_map(|folder| files(folder));
    let files = files
        .filter(|path| !known.iter().flatten().any(|known| known == path))
        .take(MOST_FILES);
    let closed = files.filter_map(|path| {
        Some(Text {
            uri: document::address(&path)?,
            language: String::new(),
            text: fs::read_to_string(&path).ok()?,
        })
    });
    let mut found = Vec::new();
    for text in open.into_iter().chain(closed) {
        // What has it in no name needs no reading.
        if !text.text.to_lowercase().contains(query) {
            continue;
        }
        let mut db = Database::default();
        let mut document = Document::open(text.uri, &text.language, 0, text.text, encoding);
        document.connect(&mut db, None);
        let outline = symbols::outline(&document, &db);
        add(outline, None, &document.uri, query, &mut found);
        if found.len() >= MOST_FOUND {
            break;
        }
    }
    found.truncate(MOST_FOUND);
    found
}

/// Adds what is in an outline, if its name has the text in it.
fn add(
    outline: Vec<DocumentSymbol>,
    container: Option<&str>,
    uri: &Uri,
    query: &str,
    found: &mut Vec<SymbolInformation>,
) {
    for symbol in outline {
        if symbol.name.to_lowercase().contains(query) {
            // The field is deprecated, and has no default.
            #[allow(deprecated)]
            found.push(SymbolInformation {
                name: symbol.name.clone(),
                kind: symbol.kind,
                tags: None,
                deprecated: None,
                location: Location {
                    uri: uri.clone(),
                    range: symbol.selection_range,
                },
                container_name: container.map(str::to_owned),
            });
        }
        let inside = symbol.children.unwrap_or_default();
        add(inside, Some(&symbol.name), uri, query, found);
    }
}

/// The files of a folder in languages with declarations, sorted by name, without what is hidden. Links are not followed.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let seen = |entry: &DirEntry| {
        entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    entries.filter_entry(seen).filter_map(|entry| {
        let entry = entry.ok()?;
        let suffix = entry.path().extension()?.to_str()?;
        let is_wanted = entry.file_type().is_file()
            && matches!(suffix, "bpl" | "ult")
            && entry.metadata().is_ok_and(|data| data.len() <= LARGEST);
        is_wanted.then(|| entry.into_path())
    })
}
