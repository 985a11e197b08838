//! `ult merge`

use std::path::PathBuf;

use clap::Args;

use super::check::FormatArg;

/// `ult merge`
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Files that `ult check --shard K/N --records FILE` has written, of all shards of one command
    #[arg(value_name = "RECORDS", required = true)]
    pub files: Vec<PathBuf>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
    /// Print the table and the last line only
    #[arg(long, short)]
    pub quiet: bool,
}
