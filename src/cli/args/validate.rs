//! `ult validate`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ult_engine::verify::Method;

use super::check::engines;
use super::read::ReadArgs;
use super::seconds::seconds;

/// `ult validate`
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// The witness: for C a violation sequence or an invariant set in version 2 of the YAML format of SV-COMP, for SV-LIB a witness in SV-LIB
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    /// The program in C (.c, .i) or SV-LIB (.svlib)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}
