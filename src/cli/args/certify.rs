//! `ult certify`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::read::ReadArgs;
use super::seconds::seconds;

/// What `ult certify --help` says.
pub(super) const CERTIFY: &str = "Check a certificate of `ult check --certificate`, without a solver

The program is read as `ult check` reads it, so the options that say how must be the same. What is to be asked about its invariants is \
made from the program again; the certificate has to hold a proof of each question, and a small program checks these. Z3 is not even \
loaded. What is left to trust is how the program is read, how the questions are made, and the checker of proofs";

/// `ult certify`
#[derive(Args, Debug)]
pub struct CertifyArgs {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,
    /// The program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}
