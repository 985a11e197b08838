//! Checks that are under way: each on a thread of its own, watched by the server's loop.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use ult_lang::diagnostic::Diagnostic as SourceDiagnostic;

use lsp_server::RequestId;
use lsp_types::ProgressToken;

use super::event::Event;
use super::setup::Setup;
use ult_core::control::{Control, Stop};
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_driver::worker;
use ult_driver::{self as program, Language, Progress, Report, Settings, Source};
use ult_witness::confirm;

/// How long a check may take to stop by itself when its time is over.
const GRACE: Duration = Duration::from_millis(1500);

/// A check that somebody wants.
pub struct Wish {
    /// The document.
    pub uri: String,
    /// The entry to check alone, if it is not the whole text.
    pub entry: Option<String>,
    /// The request that waits for the result.
    pub request: Option<RequestId>,
    /// Whether it waits for a page about the result, with pictures of how it was found.
    pub wants_page: bool,
    /// The name of its progress, if the client shows any.
    pub token: Option<ProgressToken>,
}

/// A check that is under way.
pub struct Check {
    /// Its number.
    pub id: u64,
    /// What is wanted.
    pub wish: Wish,
    /// When it began.
    pub since: Instant,
    /// How many units had been decided when the client was told about it last.
    pub told: usize,
    /// When the client was told last.
    pub told_at: Instant,
    control: Control,
    progress: Progress,
    empty: Report,
}

/// What a check is about.
pub struct Task {
    /// What the text is called.
    pub name: String,
    /// The text.
    pub text: String,
    /// The language it is in.
    pub language: Language,
    /// The entry to check alone.
    pub entry: Option<String>,
}

impl Check {
    /// Starts a check. Its result comes as [`Event::Checked`] with the number.
    ///
    /// # Errors
    /// If there is no memory for a thread.
    pub fn start(
        id: u64,
        wish: Wish,
        task: Task,
        setup: &Setup,
        events: &Sender<Event>,
    ) -> std::io::Result<Check> {
        let now = Instant::now();
        let adjusted = setup.of_file(&task.name);
        let setup = adjusted.as_ref().unwrap_or(setup).clone();
        let control = Control::with_deadline(now.checked_add(setup.timeout));
        let progress = Progress::default();
        let check = Check {
            id,
            wish,
            since: now,
            told: 0,
            told_at: now,
            control: control.clone(),
            progress: progress.clone(),
            empty: Report::new(Source::new(task.name.clone(), ""), task.language),
        };
        let mut settings = setup.settings.clone();
        settings.verify.common.record = check.wish.wants_page;
        if let Some(entry) = &task.entry
            && task.language != Language::Graph
        {
            settings.reading.entries = vec![entry.clone()];
        }
        let events = events.clone();
        worker::spawn("check", move || {
            // With other options than the project's there might be other verdicts.
            let result = match adjusted {
                Ok(_) => work(&task, &settings, &setup, &control, &progress),
                Err(why) => Err(why),
            };
            // If the server is gone, nobody waits.
            let _ = events.send(Event::Checked { id, result });
        })?;
        Ok(check)
    }

    /// What is known by now, if there is more than the last time.
    pub fn news(&mut self) -> Option<Report> {
        let report = self.progress.latest()?;
        let decided = report.units.iter().filter(|unit| !unit.pending).count();
        (decided > std::mem::replace(&mut self.told, decided)).then_some(report)
    }

    /// What is being done, in words.
    pub fn activity(&self) -> Option<String> {
        let activity = self.progress.activity()?;
        Some(format!(
            "{} ({} of {}), {:.0} s",
            activity.unit,
            activity.number,
            activity.units,
            self.since.elapsed().as_secs_f64()
        ))
    }

    /// Looks whether its time is over: first it is asked to stop, and if it does not, `true` says that it is not worth
    /// waiting for any longer.
    pub fn is_overdue(&self) -> bool {
        self.control.wake_overdue();
        let Some(deadline) = self.control.deadline() else {
            return false;
        };
        let late = Instant::now().checked_duration_since(deadline);
        if late.is_some() {
            self.control.stop(Stop::Timeout);
        }
        late.is_some_and(|late| late > GRACE)
    }

    /// Ends the check without waiting for its thread, which ends soon by itself: what is known, and the reason for the
    /// rest.
    pub fn abandon(&self, stop: Stop) -> Report {
        self.control.stop(stop);
        let reason = Reason::from(stop);
        let mut report = self.progress.latest().unwrap_or_else(|| {
            let mut report = self.empty.clone();
            report.stopped = Some(reason.clone());
            report
        });
        report.close(&reason);
        report
    }
}

fn work(
    task: &Task,
    settings: &Settings,
    setup: &Setup,
    control: &Control,
    progress: &Progress,
) -> Result<Box<Report>, String> {
    let source = match source(task, setup) {
        Ok(source) => source,
        Err(report) => return Ok(report),
    };
    let before = confirm::before(&setup.confirm, task.language, control);
    let mut report = program::check(&source, task.language, settings, &before, progress)
        .map_err(|error| error.to_string())?;
    confirm::confirm(&mut report, &setup.confirm, control);
    Ok(Box::new(report))
}

/// The text as it is to be checked: C behind the preprocessor, Boogie with libraries behind it.
///
/// # Errors
/// The report that says why there is none.
pub fn source(task: &Task, setup: &Setup) -> Result<Source, Box<Report>> {
    match task.language {
        Language::C => {}
        Language::Boogie if !setup.libraries.is_empty() => {
            let libraries = &setup.libraries;
            return Ok(Source::with_libraries(
                task.name.clone(),
                &task.text,
                libraries,
            ));
        }
        _ => return Ok(Source::new(task.name.clone(), task.text.clone())),
    }
    (setup.preprocess)(&task.name, &task.text).map_err(|notice| {
        let source = Source::new(task.name.clone(), task.text.clone());
        let mut report = Report::new(source, task.language);
        report.diagnostics.push(notice);
        Box::new(report)
    })
}

/// The messages about a text that queries do not see as it is checked, and the text that their places are in.
pub fn read(task: &Task, setup: &Setup) -> (Source, Vec<SourceDiagnostic>) {
    // Errors of the project file are told by a check.
    let adjusted = setup.of_file(&task.name);
    let setup = adjusted.as_ref().unwrap_or(setup);
    let source = match source(task, setup) {
        Ok(source) => source,
        Err(report) => return (report.source, report.diagnostics),
    };
    let messages = guarded(|| {
        let loaded = program::load(&Terms::new(), &source, task.language, &setup.settings)?;
        Ok(loaded.diagnostics)
    });
    // A bug of the translator is for the check to tell.
    (source, messages.unwrap_or_default())
}
