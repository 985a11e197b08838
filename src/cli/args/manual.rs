//! `ult completions` and `ult man`

use std::path::PathBuf;

use clap::Args;

/// `ult completions`
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `ult man`
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The page of this command; without it, that of `ult` itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write all pages to files in this folder, such as `ult.1` and `ult-check.1`, instead of one to stdout
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}
