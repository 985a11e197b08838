//! `ult run`

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ult_driver::Language;

use super::c::CArgs;
use super::seconds::seconds;

/// `ult run`
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A Boogie program (.bpl), C program (.c, .i; several files are linked) or program graph (.ult); `-` reads from stdin
    #[arg(value_name = "FILE", required_unless_present = "arguments")]
    pub files: Vec<PathBuf>,
    /// The arguments that the function `main` of a C program gets; if no file stands before `--`, the first is the file
    #[arg(value_name = "ARGUMENT", last = true)]
    pub arguments: Vec<OsString>,
    /// The language of the input; without it, the file's name decides, as in `ult check`
    #[arg(long, value_enum)]
    pub language: Option<Language>,
    /// Start with this procedure (or graph). Without it: `ULTIMATE.start` if there is one, else the only one, else `main`
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated
    #[arg(long, value_name = "NAME|FILE.bpl")]
    pub library: Vec<String>,
    /// The first values that the program leaves open, as integers with commas between them, or `@FILE` with such a list. In C: what `__VERIFIER_nondet_*` and functions without a body return. Else: the parameters of the entry, what `havoc` and procedures without a body give, and which way is taken where several are open
    #[arg(long, value_name = "LIST|@FILE", allow_hyphen_values = true)]
    pub inputs: Vec<String>,
    /// What the inputs do not say is random, and determined by this number. Without it: zero, where the assumptions that follow allow it. Both look at the assumptions that follow, and choose what they allow if they find it
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Stop after this many statements; 0 for no limit
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000_000)]
    pub steps: u64,
    /// Print the value that this variable has at the end; may be repeated
    #[arg(long, value_name = "NAME")]
    pub show: Vec<String>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
}
