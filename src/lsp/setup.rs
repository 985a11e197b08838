//! What the command line says about the server.

use std::sync::Arc;
use std::time::Duration;
use ult_lang::diagnostic::Diagnostic as SourceDiagnostic;

use ult_driver::{Settings, Source};
use ult_witness::confirm;

/// How C texts become sources: given a path and the text, what the preprocessor makes of it.
pub type Preprocess = Arc<dyn Fn(&str, &str) -> Result<Source, SourceDiagnostic> + Send + Sync>;

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
    /// How violations of C programs are tried with the compiled program.
    pub confirm: confirm::Settings,
    /// The way of C texts through the preprocessor.
    pub preprocess: Preprocess,
}
