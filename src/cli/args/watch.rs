//! `ult watch`

use clap::Args;

use super::check::CheckArgs;

/// `ult watch`
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// As of `ult check`.
    #[command(flatten)]
    pub check: CheckArgs,
}
