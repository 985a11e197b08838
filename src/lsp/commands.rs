//! Commands of the user, and the checks that they start.

use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{ExecuteCommandParams, ProgressToken, ShowDocumentParams, request};
use serde_json::Value;

use super::capabilities;
use super::checks::Check;
use super::server::Server;
use crate::control::Stop;
use crate::program::Report;
use crate::report::{json, text};

/// How often the client is told what a check is doing.
const PROGRESS: Duration = Duration::from_millis(250);

impl Server {
    /// Does what a command says.
    pub(super) fn command(&mut self, id: RequestId, params: ExecuteCommandParams) {
        let argument = |i: usize| params.arguments.get(i).and_then(Value::as_str);
        let token = params.work_done_progress_params.work_done_token.clone();
        match (params.command.as_str(), argument(0)) {
            (capabilities::CHECK, Some(uri)) => {
                let entry = argument(1).map(str::to_owned);
                self.check(uri, entry, Some(id), token);
            }
            (capabilities::SHOW_RUN, Some(uri)) => self.show_run(id, uri, argument(1)),
            _ => {
                let why = format!(
                    "there is no command `{}` with these arguments",
                    params.command
                );
                self.client.refuse(id, ErrorCode::InvalidParams, why);
            }
        }
    }

    /// Starts a check of a document, or of one of its entries; another one of the same document is cancelled.
    pub(super) fn check(
        &mut self,
        uri: &str,
        entry: Option<String>,
        request: Option<RequestId>,
        token: Option<ProgressToken>,
    ) {
        let Some(document) = self.documents.get(uri) else {
            if let Some(id) = request {
                let why = format!("`{uri}` is not open");
                self.client.refuse(id, ErrorCode::InvalidParams, why);
            }
            return;
        };
        let task = document.task(entry.clone());
        let title = match &entry {
            Some(entry) => format!("ult: {entry}"),
            None => format!("ult: {}", document.short_name()),
        };
        self.cancel(|check| check.uri == uri);
        self.number += 1;
        match Check::start(self.number, task, &self.setup, &self.events) {
            Ok(mut check) => {
                check.request = request;
                check.token = self.client.begin_progress(token, self.number, title);
                self.checks.push(check);
                self.client.refresh();
            }
            Err(error) => {
                if let Some(id) = request {
                    let why = format!("cannot start a thread: {error}");
                    self.client.refuse(id, ErrorCode::InternalError, why);
                }
            }
        }
    }

    /// Cancels checks; what they have found out stays.
    pub(super) fn cancel(&mut self, which: impl Fn(&Check) -> bool) {
        for check in self
            .checks
            .extract_if(.., |check| which(check))
            .collect::<Vec<_>>()
        {
            let report = check.abandon(Stop::Cancelled);
            if let Some(token) = &check.token {
                self.client.end_progress(token, "cancelled".into());
            }
            if let Some(id) = check.request.clone() {
                let why = "the check was cancelled".into();
                self.client.refuse(id, ErrorCode::RequestCanceled, why);
            }
            self.keep(&check, &report);
        }
    }

    /// A check says what it has found out.
    pub(super) fn checked(&mut self, id: u64, result: Result<Box<Report>, String>) {
        // Others were cancelled, or given up.
        let Some(index) = self.checks.iter().position(|check| check.id == id) else {
            return;
        };
        let check = self.checks.remove(index);
        match result {
            Ok(report) => self.finish(check, &report),
            Err(why) => {
                if let Some(token) = &check.token {
                    self.client.end_progress(token, why.clone());
                }
                if let Some(id) = check.request {
                    self.client.refuse(id, ErrorCode::InvalidParams, why);
                }
                self.client.refresh();
            }
        }
    }

    /// A check is over.
    fn finish(&mut self, check: Check, report: &Report) {
        self.keep(&check, report);
        if let Some(token) = &check.token {
            let words = text::last_line(report, false);
            self.client.end_progress(token, words);
        }
        if let Some(id) = check.request {
            self.client.answer(id, json::report(report));
        }
    }

    /// Takes over what a check found out. The text is the one that was checked: an edit would have cancelled the check.
    fn keep(&mut self, check: &Check, report: &Report) {
        let Some(document) = self.documents.get_mut(&check.uri) else {
            return;
        };
        if !document.has_queries() && report.is_rejected() {
            document.reading = Some((report.source.clone(), report.notices.clone()));
        }
        document.verdicts.add(report, check.entry.is_none());
        self.dirty.insert(check.uri.clone());
        self.client.refresh();
    }

    /// Ends checks whose time is over, and tells the client what the others do.
    pub(super) fn look_after_checks(&mut self) {
        for check in self
            .checks
            .extract_if(.., |check| check.is_overdue())
            .collect::<Vec<_>>()
        {
            let report = check.abandon(Stop::Timeout);
            self.finish(check, &report);
        }
        for check in &mut self.checks {
            if check.told_at.elapsed() < PROGRESS {
                continue;
            }
            check.told_at = Instant::now();
            if let (Some(token), Some(activity)) = (&check.token, check.activity()) {
                self.client.report_progress(token, activity);
            }
            if let Some(report) = check.news()
                && let Some(document) = self.documents.get_mut(&check.uri)
            {
                document.verdicts.add(&report, false);
                self.dirty.insert(check.uri.clone());
            }
        }
    }

    /// Shows the run that violates an obligation of a unit.
    fn show_run(&mut self, id: RequestId, uri: &str, unit: Option<&str>) {
        let Some(document) = self.documents.get_mut(uri) else {
            let why = format!("`{uri}` is not open");
            self.client.refuse(id, ErrorCode::InvalidParams, why);
            return;
        };
        if let Some(unit) = unit {
            document.verdicts.show(unit);
        }
        let shown = document.verdicts.shown().zip(document.verdicts.source());
        let Some((obligation, source)) = shown else {
            self.client.answer(id, Value::Null);
            return;
        };
        let words = text::run(&obligation.run, source, false);
        let range = document.range(source, obligation.span);
        self.client.answer(id, words);
        if let Some(range) = range
            && self.client.shows_documents
        {
            let params = ShowDocumentParams {
                uri: document.uri.clone(),
                external: None,
                take_focus: Some(true),
                selection: Some(range),
            };
            self.client.request::<request::ShowDocument>(params);
        }
        self.client.refresh();
    }
}
