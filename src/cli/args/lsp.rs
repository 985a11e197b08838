//! `ult lsp`

use std::time::Duration;

use clap::Args;
use ult_engine::verify::Method;
use ult_lower::CallPolicy;
use ult_witness::confirm;

use super::c::CArgs;
use super::cache::KeepArgs;
use super::check::engines;
use super::seconds::seconds;

/// `ult lsp`
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Do not check a file whenever it is saved
    #[arg(long)]
    pub no_check_on_save: bool,
    /// Do not check a file when it is opened
    #[arg(long)]
    pub no_check_on_open: bool,
    /// Stop a check after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: Duration,
    /// Stop a check when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Boogie's own reading: calls through contracts, loops through the given invariants only
    #[arg(long)]
    pub modular: bool,
    /// What happens at calls
    #[arg(long, value_enum, default_value_t = CallPolicy::Auto)]
    pub calls: CallPolicy,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated
    #[arg(long, value_name = "NAME|FILE.bpl")]
    pub library: Vec<String>,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
    /// Whether the counterexamples of violated C programs are tried with the compiled program, as by `ult check --confirm`: it is not, unless this is given
    #[arg(long, value_enum, default_value_t = confirm::Mode::Never)]
    pub confirm: confirm::Mode,
    /// The C compiler for `--confirm`; without it `$CC`, or `cc`
    #[arg(long, value_name = "CMD")]
    pub cc: Option<String>,
    /// Where evidence is kept: in memory, unless a folder is named.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Does nothing: stdin and stdout are used anyway. Some editors pass it
    #[arg(long, hide = true)]
    pub stdio: bool,
}
