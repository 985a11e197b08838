//! Commands of the user, and the checks that they start.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{
    ApplyWorkspaceEditParams, ExecuteCommandParams, ProgressToken, ShowDocumentParams, request,
};
use serde_json::Value;

use super::capabilities;
use super::checks::{Check, Wish};
use super::fixes;
use super::insertions::insertions;
use super::server::Server;
use ult_core::control::Stop;
use ult_core::guard::guarded;
use ult_driver::Report;
use ult_report::{html, json, steps, text};

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
            (capabilities::SHOW_GRAPH, Some(uri)) => self.begin(Wish {
                uri: uri.to_owned(),
                entry: argument(1).map(str::to_owned),
                request: Some(id),
                wants_page: true,
                token,
            }),
            (capabilities::SHOW_RUN, Some(uri)) => self.show_run(id, uri, argument(1)),
            (capabilities::INSERT_INVARIANT, Some(uri)) => {
                let line = params.arguments.get(1).and_then(Value::as_u64);
                self.insert_invariant(id, uri, line);
            }
            _ => {
                let why = format!(
                    "there is no command `{}` with these arguments",
                    params.command
                );
                self.client.refuse(id, ErrorCode::InvalidParams, why);
            }
        }
    }

    /// Has a document checked, or one of its entries.
    pub(super) fn check(
        &mut self,
        uri: &str,
        entry: Option<String>,
        request: Option<RequestId>,
        token: Option<ProgressToken>,
    ) {
        self.begin(Wish {
            uri: uri.to_owned(),
            entry,
            request,
            wants_page: false,
            token,
        });
    }

    /// Has done what somebody wants. Another check of the same document is cancelled.
    fn begin(&mut self, wish: Wish) {
        if !self.documents.contains_key(&wish.uri) {
            if let Some(id) = wish.request {
                let why = format!("`{}` is not open", wish.uri);
                self.client.refuse(id, ErrorCode::InvalidParams, why);
            }
            return;
        }
        self.cancel(|other| other.uri == wish.uri);
        self.waiting.push_back(wish);
        self.client.refresh();
    }

    /// Starts the check that has waited longest, unless one is under way: several at once would take each other's time.
    fn start_waiting(&mut self) {
        while self.checks.is_empty()
            && let Some(mut wish) = self.waiting.pop_front()
        {
            let Some(document) = self.documents.get(&wish.uri) else {
                continue;
            };
            let task = document.task(wish.entry.clone());
            let title = match &wish.entry {
                Some(entry) => format!("ult: {entry}"),
                None => format!("ult: {}", document.short_name()),
            };
            self.number += 1;
            let given = wish.token.take();
            wish.token = self.client.begin_progress(given, self.number, title);
            let (request, token) = (wish.request.clone(), wish.token.clone());
            match Check::start(self.number, wish, task, &self.setup, &self.events) {
                Ok(check) => self.checks.push(check),
                Err(error) => {
                    let why = format!("cannot start a thread: {error}");
                    self.give_up(request, token, ErrorCode::InternalError, why);
                }
            }
        }
    }

    /// Cancels checks, also those that wait; what they have found out stays.
    pub(super) fn cancel(&mut self, which: impl Fn(&Wish) -> bool) {
        let waiting = std::mem::take(&mut self.waiting);
        let (cancelled, waiting): (VecDeque<Wish>, _) =
            waiting.into_iter().partition(|wish| which(wish));
        self.waiting = waiting;
        for wish in cancelled {
            self.cancelled(wish.request, None);
        }
        let under_way = self.checks.extract_if(.., |check| which(&check.wish));
        for check in under_way.collect::<Vec<_>>() {
            let report = check.abandon(Stop::Cancelled);
            self.keep(&check.wish, &report);
            self.cancelled(check.wish.request, check.wish.token);
        }
    }

    fn cancelled(&mut self, request: Option<RequestId>, token: Option<ProgressToken>) {
        if let Some(token) = &token {
            self.client.end_progress(token, "cancelled".into());
        }
        if let Some(id) = request {
            let why = "the check was cancelled".into();
            self.client.refuse(id, ErrorCode::RequestCanceled, why);
        }
    }

    /// Ends a check that has no result.
    fn give_up(
        &mut self,
        request: Option<RequestId>,
        token: Option<ProgressToken>,
        code: ErrorCode,
        why: String,
    ) {
        if let Some(token) = &token {
            self.client.end_progress(token, why.clone());
        }
        if let Some(id) = request {
            self.client.refuse(id, code, why);
        }
        self.client.refresh();
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
                let Wish { request, token, .. } = check.wish;
                self.give_up(request, token, ErrorCode::InvalidParams, why);
            }
        }
    }

    /// A check is over.
    fn finish(&mut self, check: Check, report: &Report) {
        self.keep(&check.wish, report);
        if let Some(token) = &check.wish.token {
            let words = text::last_line(report, false);
            self.client.end_progress(token, words);
        }
        if let Some(id) = check.wish.request {
            match check.wish.wants_page {
                true => {
                    let page = html::page(std::slice::from_ref(report));
                    self.client.answer(id, page);
                }
                false => self.client.answer(id, json::report(report)),
            }
        }
    }

    /// Takes over what a check found out. The text is the one that was checked: an edit would have cancelled the check.
    fn keep(&mut self, wish: &Wish, report: &Report) {
        let Some(document) = self.documents.get_mut(&wish.uri) else {
            return;
        };
        if !document.is_queried() && report.is_rejected() {
            document.reading = Some((report.source.clone(), report.diagnostics.clone()));
        }
        document.verdicts.add(report, wish.entry.is_none());
        let lacking = guarded(|| Ok(insertions(document)));
        document
            .verdicts
            .set_insertions(lacking.unwrap_or_default());
        self.dirty.insert(wish.uri.clone());
        self.client.refresh();
    }

    /// Ends checks whose time or memory is over, tells the client what the others do, and starts those that wait.
    pub(super) fn look_after_checks(&mut self) {
        let is_full = !self.checks.is_empty() && (self.setup.is_out_of_memory)();
        let over = self
            .checks
            .extract_if(.., |check| is_full || check.is_overdue());
        let stop = if is_full { Stop::Memory } else { Stop::Timeout };
        for check in over.collect::<Vec<_>>() {
            let report = check.abandon(stop);
            self.finish(check, &report);
        }
        for check in &mut self.checks {
            if check.told_at.elapsed() < PROGRESS {
                continue;
            }
            check.told_at = Instant::now();
            if let (Some(token), Some(activity)) = (&check.wish.token, check.activity()) {
                self.client.report_progress(token, activity);
            }
            if let Some(report) = check.news()
                && let Some(document) = self.documents.get_mut(&check.wish.uri)
            {
                document.verdicts.add(&report, false);
                self.dirty.insert(check.wish.uri.clone());
            }
        }
        self.start_waiting();
    }

    /// Has the client write the inferred invariant to the loop in a line, or the contract to the procedure there.
    fn insert_invariant(&mut self, id: RequestId, uri: &str, line: Option<u64>) {
        let edit = self.documents.get(uri).and_then(|document| {
            let mut insertions = document.verdicts.insertions().iter();
            let found = insertions.find(|found| Some(found.head.start.line.into()) == line)?;
            Some(fixes::change(
                document,
                found.edit.place,
                found.edit.text.clone(),
            ))
        });
        let Some(edit) = edit else {
            let why = "there is no inferred invariant to insert there".into();
            self.client.refuse(id, ErrorCode::RequestFailed, why);
            return;
        };
        self.client.answer(id, Value::Null);
        self.client
            .request::<request::ApplyWorkspaceEdit>(ApplyWorkspaceEditParams {
                label: Some("Insert the inferred invariant".into()),
                edit,
            });
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
        let words = steps::run(&obligation.run, source, false);
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
