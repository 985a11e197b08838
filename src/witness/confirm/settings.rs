//! How violations are compiled and run.

use std::time::Duration;

use ult_c::Properties;
use ult_c::types::DataModel;

/// When violations are compiled and run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Mode {
    /// Compile it, and run it if it can do nothing outside of itself
    Auto,
    /// Compile and run it, whatever it does; what is not confirmed is UNKNOWN
    Always,
    /// Compile and run nothing
    #[default]
    Never,
}

/// How it is done.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// When.
    pub mode: Mode,
    /// The compiler: a program and its first arguments.
    pub compiler: Vec<String>,
    /// What the compiler is told about headers and macros: `-I`, `-D` and the like.
    pub headers: Vec<String>,
    /// The sizes of types.
    pub model: DataModel,
    /// Whether signed overflow wraps around.
    pub wraps: bool,
    /// Whether allocations may fail, which nobody can make them do here.
    pub malloc_may_fail: bool,
    /// What must not happen.
    pub properties: Properties,
}

/// The longest time for one compilation.
pub(super) const COMPILATION: Duration = Duration::from_secs(60);

/// The longest time for one run.
pub(super) const EXECUTION: Duration = Duration::from_secs(5);

/// What is said where the time was over before.
pub(super) const NO_TIME: &str = "there is no time left";
