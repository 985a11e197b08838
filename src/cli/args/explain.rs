//! `ult explain`

use clap::Args;

/// `ult explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The id of a message, such as E0101, or a reason for UNKNOWN, such as timeout
    #[arg(value_name = "ID", required_unless_present = "list")]
    pub id: Option<String>,
    /// List everything that can be explained
    #[arg(long, conflicts_with = "id")]
    pub list: bool,
}
