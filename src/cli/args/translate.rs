//! `ult translate`

use std::path::PathBuf;

use clap::Args;

use super::c::CArgs;

/// `ult translate`
#[derive(Args, Debug)]
pub struct TranslateArgs {
    /// A C program (.c, .i; several files are linked); `-` reads from stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
