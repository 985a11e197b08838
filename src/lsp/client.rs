//! What the client can do, and the way to it.

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{Notification as Note, Progress};
use lsp_types::request::{
    CodeLensRefresh, InlayHintRefreshRequest, Request as Call, WorkDoneProgressCreate,
};
use lsp_types::{
    ClientCapabilities, ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde::Serialize;

use super::position::Encoding;

/// The editor on the other end.
pub struct Client {
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether it shows progress that the server begins.
    pub shows_progress: bool,
    /// Whether it shows a document when it is asked to.
    pub shows_documents: bool,
    /// Whether it shows a page that a command answers with.
    pub shows_pages: bool,
    /// Whether it changes texts when it is asked to.
    pub applies_edits: bool,
    /// Whether it shows no places beside a message: then they are told in its text.
    pub hides_related: bool,
    refreshes_hints: bool,
    refreshes_lenses: bool,
    out: Box<dyn Fn(Message)>,
    requests: i32,
}

impl Client {
    /// The client with these capabilities, reached by `out`.
    pub fn new(capabilities: &ClientCapabilities, out: Box<dyn Fn(Message)>) -> Client {
        let general = capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let window = capabilities.window.as_ref();
        let workspace = capabilities.workspace.as_ref();
        Client {
            encoding: Encoding::negotiated(encodings),
            shows_progress: window
                .and_then(|window| window.work_done_progress)
                .unwrap_or(false),
            shows_documents: window
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            shows_pages: capabilities
                .experimental
                .as_ref()
                .is_some_and(|more| more["ultPages"] == true),
            applies_edits: workspace
                .and_then(|workspace| workspace.apply_edit)
                .unwrap_or(false),
            hides_related: !capabilities
                .text_document
                .as_ref()
                .and_then(|text| text.publish_diagnostics.as_ref())
                .and_then(|messages| messages.related_information)
                .unwrap_or(false),
            refreshes_hints: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref())
                .and_then(|hints| hints.refresh_support)
                .unwrap_or(false),
            refreshes_lenses: workspace
                .and_then(|workspace| workspace.code_lens.as_ref())
                .and_then(|lenses| lenses.refresh_support)
                .unwrap_or(false),
            out,
            requests: 0,
        }
    }

    /// Answers a request.
    pub fn answer(&self, id: RequestId, result: impl Serialize) {
        (self.out)(Message::Response(Response::new_ok(id, result)));
    }

    /// Refuses a request.
    pub fn refuse(&self, id: RequestId, code: ErrorCode, why: String) {
        (self.out)(Message::Response(Response::new_err(id, code as i32, why)));
    }

    /// Tells the client something.
    pub fn notify<N: Note>(&self, params: N::Params) {
        let notification = Notification::new(N::METHOD.to_owned(), params);
        (self.out)(Message::Notification(notification));
    }

    /// Asks the client for something. What it answers to the requests that there are does not matter.
    pub fn request<R: Call>(&mut self, params: R::Params) {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request::new(id, R::METHOD.to_owned(), params);
        (self.out)(Message::Request(request));
    }

    /// Invariants, values and verdicts have changed.
    pub fn refresh(&mut self) {
        if self.refreshes_hints {
            self.request::<InlayHintRefreshRequest>(());
        }
        if self.refreshes_lenses {
            self.request::<CodeLensRefresh>(());
        }
    }

    /// Begins progress under the name that the client gave, or under a new one if it shows such.
    pub fn begin_progress(
        &mut self,
        given: Option<ProgressToken>,
        number: u64,
        title: String,
    ) -> Option<ProgressToken> {
        let token = match given {
            Some(token) => token,
            None if self.shows_progress => {
                let token = ProgressToken::String(format!("ult/check/{number}"));
                let params = WorkDoneProgressCreateParams {
                    token: token.clone(),
                };
                self.request::<WorkDoneProgressCreate>(params);
                token
            }
            None => return None,
        };
        self.progress(
            &token,
            WorkDoneProgress::Begin(WorkDoneProgressBegin {
                title,
                cancellable: Some(true),
                message: None,
                percentage: None,
            }),
        );
        Some(token)
    }

    /// Says what is being done.
    pub fn report_progress(&self, token: &ProgressToken, message: String) {
        self.progress(
            token,
            WorkDoneProgress::Report(WorkDoneProgressReport {
                cancellable: Some(true),
                message: Some(message),
                percentage: None,
            }),
        );
    }

    /// Ends progress, with the result in words.
    pub fn end_progress(&self, token: &ProgressToken, message: String) {
        let message = Some(message);
        self.progress(
            token,
            WorkDoneProgress::End(WorkDoneProgressEnd { message }),
        );
    }

    fn progress(&self, token: &ProgressToken, progress: WorkDoneProgress) {
        self.notify::<Progress>(ProgressParams {
            token: token.clone(),
            value: ProgressParamsValue::WorkDone(progress),
        });
    }
}
