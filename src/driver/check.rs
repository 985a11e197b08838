//! The way in: from a text to a report.

use ult_core::control::Control;
#[cfg(feature = "svlib")]
use ult_core::guard::guarded;
use ult_explain::Source;
use ult_lower::plan::EntryError;

use super::context::Context;
use super::induction;
use super::language::Language;
use super::load::Loaded;
use super::progress::Progress;
use super::result::Report;
use super::settings::Settings;
#[cfg(feature = "svlib")]
use super::sv_lib;
use super::verify::{supervise, verified, verified_loaded};

/// Checks a text. What is known meanwhile is in `progress`.
///
/// When `control` stops the run, everything that is open becomes UNKNOWN with the reason for the
/// stop. Bugs end as UNKNOWN too: this never panics.
///
/// # Errors
/// If the settings name an entry that the program does not have.
pub fn check(
    source: &Source,
    language: Language,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<Report, EntryError> {
    let report = Report::new(source.clone(), language);
    supervise(report, control, progress, |report, control| {
        let context = Context {
            settings,
            control,
            progress,
        };
        verified(report, context)?;
        induction::complete(report, settings, control)?;
        #[cfg(feature = "svlib")]
        if settings.certificate && report.language == Language::SvLib && !report.is_rejected() {
            let made = guarded(|| Ok(sv_lib::witness(report, settings, control)));
            report.certificate = Some(made.unwrap_or_else(|bug| Err(bug.to_string())));
        }
        Ok(())
    })
}

/// As [`check`], for a text that was read before: a Boogie program, or one in C, which needs no store of terms.
///
/// # Errors
/// If the settings name an entry that the program does not have.
pub fn check_loaded(
    loaded: Loaded,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<Report, EntryError> {
    supervise(loaded.report(), control, progress, |report, control| {
        let context = Context {
            settings,
            control,
            progress,
        };
        verified_loaded(report, loaded, context)
    })
}
