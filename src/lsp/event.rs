//! What the server's loop reacts to.

use lsp_server::{Message, RequestId};
use lsp_types::SymbolInformation;
use ult_lang::diagnostic::Diagnostic as SourceDiagnostic;

use ult_driver::{Report, Source};

/// Something happened. All changes of the server's state begin with one of these.
pub enum Event {
    /// The client says something.
    Message(Message),
    /// The client is gone.
    Closed,
    /// A check has ended: with a report, or because its entry does not exist.
    Checked {
        /// The check's number.
        id: u64,
        /// What it found out.
        result: Result<Box<Report>, String>,
    },
    /// A question about all files of the folders has its answer.
    Found {
        /// The request.
        id: RequestId,
        /// What is declared there.
        symbols: Vec<SymbolInformation>,
    },
    /// A text in a language without queries was read.
    Read {
        /// The document.
        uri: String,
        /// The state of the text that was read.
        version: i32,
        /// The messages about it.
        messages: Vec<SourceDiagnostic>,
        /// The text that their places are in.
        source: Source,
    },
}
