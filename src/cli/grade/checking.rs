//! One question to the verifier about a text.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use ult_core::control::Control;
use ult_driver::{Language, Progress, Report, Settings, Source, check};

use crate::args::c::CArgs;
use crate::args::{CheckArgs, Cli, Command};
use crate::input::Input;
use crate::{library, preprocess};

/// What the preprocessor calls a text that it reads from stdin.
const STDIN: &str = "<stdin>";

/// How texts are checked: options of `ult check`.
#[derive(Debug)]
pub(super) struct Checking {
    args: Box<CheckArgs>,
}

impl Checking {
    /// With these options.
    ///
    /// # Errors
    /// In words, if there are no such options.
    pub(super) fn with(options: &[String]) -> Result<Checking, String> {
        let words = ["ult", "check"]
            .into_iter()
            .chain(options.iter().map(String::as_str))
            .map(OsString::from);
        match Cli::read(words).map(|cli| cli.command) {
            Ok(Command::Check(args)) if args.files.is_empty() => Ok(Checking { args }),
            Ok(_) => Err(format!("`options` names files: {}", options.join(" "))),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What is known about a text after at most this time. With `entries`, only these are looked at. Without `as_asked`, calls are
    /// inlined and loops unrolled whatever the options say, and only assertions count: so runs are runs.
    ///
    /// # Errors
    /// In words, what is wrong with the surroundings.
    pub(super) fn check(
        &self,
        name: &Path,
        text: &str,
        language: Language,
        question: &Question<'_>,
    ) -> Result<Report, String> {
        let mut settings: Settings =
            crate::check::settings(&self.args).map_err(|_| "a solver cannot be started")?;
        if !question.entries.is_empty() {
            settings.reading.entries = question.entries.to_vec();
        }
        settings.patience = None;
        // An exercise is about what it names, and not about all that is undefined.
        settings.c.conditions = None;
        if !question.as_asked {
            settings.reading.modular = false;
            settings.c.properties = CArgs::default().options().properties;
        }
        let source = match self.source(name, text, language)? {
            Ok(source) => source,
            Err(rejected) => return Ok(rejected),
        };
        let control = question.control.within(Some(question.limit));
        let report = check(&source, language, &settings, &control, &Progress::default());
        report.map_err(|error| error.to_string())
    }

    fn source(
        &self,
        name: &Path,
        text: &str,
        language: Language,
    ) -> Result<Result<Source, Report>, String> {
        let told = name.display().to_string();
        if language != Language::C {
            let input = Input {
                source: Source::new(told, text),
                language,
                is_preprocessed: false,
                own: None,
                rejected: None,
            };
            let input = library::added(input, &self.args.read.library);
            return Ok(Ok(input.map_err(|_| "a library cannot be read")?.source));
        }
        // The text, and not the file: it may have been changed for the question.
        let told = STDIN;
        let made = preprocess::preprocessed(None, text.to_owned(), &self.args.read.c)
            .map_err(|_| "the preprocessor cannot be run")?;
        Ok(match made {
            Ok((made, true)) => Ok(preprocess::with_files(
                Source::c(told, &made),
                text.to_owned(),
            )),
            Ok((made, false)) => Ok(Source::c(told, &made)),
            Err(failure) => {
                let mut report = Report::new(Source::new(told, failure.text), language);
                report.diagnostics.push(failure.diagnostic);
                Err(report)
            }
        })
    }
}

/// What is asked about a text.
pub(super) struct Question<'q> {
    /// Procedures to begin with; all without any.
    pub entries: &'q [String],
    /// Whether the options of the exercise say how loops and calls are read, and what must not happen.
    pub as_asked: bool,
    /// The time for it.
    pub limit: Duration,
    /// When to stop before.
    pub control: &'q Control,
}
