//! What the server offers.

use lsp_types::{
    ExecuteCommandOptions, SaveOptions, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkDoneProgressOptions,
};

use super::position::Encoding;

/// The command that checks a document, or one of its entries: its arguments are an address and a name.
pub const CHECK: &str = "ult.check";

/// The command that shows a run that violates an obligation: its arguments are an address and the name of a unit.
pub const SHOW_RUN: &str = "ult.showCounterexample";

/// What the server can do.
pub fn offered(encoding: Encoding) -> ServerCapabilities {
    let progress = WorkDoneProgressOptions {
        work_done_progress: Some(true),
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![CHECK.into(), SHOW_RUN.into()],
            work_done_progress_options: progress,
        }),
        ..ServerCapabilities::default()
    }
}
