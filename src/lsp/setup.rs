//! What the command line says about the server.

use std::sync::Arc;
use std::time::Duration;
use ult_lang::diagnostic::Diagnostic as SourceDiagnostic;

use ult_driver::{Settings, Source};
use ult_witness::confirm;

/// How C texts become sources: given a path and the text, what the preprocessor makes of it.
pub type Preprocess = Arc<dyn Fn(&str, &str) -> Result<Source, SourceDiagnostic> + Send + Sync>;

/// What project files say: given a path and what the command line says, how that file is read and checked.
///
/// # Errors
/// In words, why that is not known: the project file has errors.
pub type Project = Arc<dyn Fn(&str, &Setup) -> Result<Setup, String> + Send + Sync>;

/// How the server works.
#[derive(Clone)]
pub struct Setup {
    /// How programs are read and verified.
    pub settings: Settings,
    /// The longest time that a check may take.
    pub timeout: Duration,
    /// Whether the process uses more memory than it may.
    pub is_out_of_memory: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Whether texts are checked when they are saved.
    pub check_on_save: bool,
    /// Whether files are checked when they are opened.
    pub check_on_open: bool,
    /// How violations of C programs are tried with the compiled program.
    pub confirm: confirm::Settings,
    /// The way of C texts through the preprocessor.
    pub preprocess: Preprocess,
    /// The names and texts of libraries for programs in Boogie.
    pub libraries: Vec<(Arc<str>, Arc<str>)>,
    /// What project files say.
    pub project: Project,
}

impl Setup {
    /// As the project of a file says.
    ///
    /// # Errors
    /// In words, if the project file has errors.
    pub(crate) fn of_file(&self, path: &str) -> Result<Setup, String> {
        (self.project)(path, self)
    }
}
