//! A text in all its readings: what is asked first, and then what that leaves.

use std::time::Instant;

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_explain::Source;
use ult_lower::plan::EntryError;

#[cfg(feature = "c")]
use super::conditions;
use super::context::Context;
#[cfg(not(feature = "c"))]
use super::decide::decided_once as decided;
#[cfg(feature = "c")]
use super::flat::decided;
use super::language::Language;
use super::load::{Loaded, load};
use super::progress::Progress;
use super::result::Report;
use super::settings::Settings;

/// As [`check`](super::check::check), without what is looked at afterwards: what is only not implied, and certificates.
pub(crate) fn verify(
    source: &Source,
    language: Language,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<Report, EntryError> {
    let report = Report::new(source.clone(), language);
    supervise(report, control, progress, |report, control| {
        verified(
            report,
            Context {
                settings,
                control,
                progress,
            },
        )
    })
}

/// Does the work on a report. A bug ends it with what is known by then.
pub(crate) fn supervise(
    mut report: Report,
    control: &Control,
    progress: &Progress,
    work: impl FnOnce(&mut Report, &Control) -> Result<(), EntryError>,
) -> Result<Report, EntryError> {
    let start = Instant::now();
    let mut result = Ok(());
    let control = &control.clone().with_meter(progress.metered(start));
    let outcome = guarded(|| {
        result = work(&mut report, control);
        Ok(())
    });
    if let Err(reason) = outcome {
        report.stopped = Some(reason);
    }
    progress.pause();
    result?;
    report.seconds = start.elapsed().as_secs_f64();
    progress.finish(report.clone());
    Ok(report)
}

/// Reads a text and verifies it.
pub(crate) fn verified(report: &mut Report, context: Context<'_>) -> Result<(), EntryError> {
    if let Err(stop) = context.control.check() {
        report.stopped = Some(stop.into());
        return Ok(());
    }
    let start = Instant::now();
    let terms = Terms::new();
    let first = for_assertions(report.language, context);
    let loaded = load(&terms, &report.source, report.language, context.settings);
    report.statistics.read_time += start.elapsed();
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(reason) => {
            report.stopped = Some(reason);
            return Ok(());
        }
    };
    *report = Report {
        statistics: std::mem::take(&mut report.statistics),
        is_asked: is_asked(report.language),
        ..loaded.report()
    };
    decided(report, &terms, loaded, context.under(&first))?;
    complete(report, start, context)
}

/// Verifies a text that was read before.
pub(crate) fn verified_loaded(
    report: &mut Report,
    loaded: Loaded,
    context: Context<'_>,
) -> Result<(), EntryError> {
    let start = Instant::now();
    report.is_asked = is_asked(report.language);
    let first = for_assertions(report.language, context);
    decided(report, &Terms::new(), loaded, context.under(&first))?;
    complete(report, start, context)
}

/// Whether there is a property, whatever the text says: for C the settings have some, and of Horn clauses it is asked whether
/// they have a model.
fn is_asked(language: Language) -> bool {
    matches!(language, Language::C | Language::Horn)
}

/// The time for the first look: for the assertions, where conditions come after them.
fn for_assertions(language: Language, context: Context<'_>) -> Control {
    #[cfg(feature = "c")]
    return conditions::for_assertions(language, context);
    #[cfg(not(feature = "c"))]
    {
        let _ = language;
        context.control.clone()
    }
}

/// Verifies what C leaves to the programmer, where that is asked. After a violation there is not much time for it.
fn complete(report: &mut Report, start: Instant, context: Context<'_>) -> Result<(), EntryError> {
    #[cfg(feature = "c")]
    if let Some(next) = conditions::next(report, context) {
        let patience = context.settings.patience_with(report, start);
        let control = &context.control.within(patience);
        let mut all = next.report;
        let progress = if next.is_instead {
            context.progress
        } else {
            &Progress::default()
        };
        let context = Context {
            settings: &next.settings,
            control,
            progress,
        };
        verified(&mut all, context)?;
        conditions::add(report, all, next.is_instead);
    }
    #[cfg(not(feature = "c"))]
    let _ = (report, start, context);
    Ok(())
}
