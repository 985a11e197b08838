//! Where evidence is kept, and `ult cache`

use std::path::{Path, PathBuf};

use clap::Args;
use ult_driver::Store;

use super::expert::EXPERT;

/// Bytes in a megabyte.
pub(crate) const MEGABYTE: u64 = 1 << 20;

/// What a folder holds at most, in megabytes, if nobody says more.
pub(crate) const SIZE: u64 = 1000;

/// What a language server holds at most in memory, in bytes.
const IN_MEMORY: u64 = 100 * MEGABYTE;

/// Where evidence is kept.
#[derive(Args, Clone, Debug)]
pub struct KeepArgs {
    /// Keep the evidence of verdicts (invariants, traces, inferred contracts) in this folder, and use what earlier runs kept there: it is checked again, exactly as what an engine has just found, so that no verdict depends on what is in the folder
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// How many megabytes the folder of `--cache` may hold; what was not used for the longest time goes first
    #[arg(help_heading = EXPERT, hide = true, long, value_name = "MB", default_value_t = SIZE, requires = "cache")]
    pub cache_size: u64,
}

/// `ult cache`
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// The folder
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Remove what was not used for the longest time, until this many megabytes are left; 0 removes all
    #[arg(long, value_name = "MB")]
    pub shrink: Option<u64>,
}

impl KeepArgs {
    /// The store that was asked for.
    pub(crate) fn store(&self) -> Option<Store> {
        let folder = self.cache.as_deref()?;
        Some(in_folder(folder, self.cache_size))
    }

    /// The store of a language server, which has one in memory where no folder was named.
    pub(crate) fn store_of_server(&self) -> Store {
        self.store().unwrap_or_else(|| Store::in_memory(IN_MEMORY))
    }
}

/// A store in a folder that holds at most so much.
pub(crate) fn in_folder(folder: &Path, megabytes: u64) -> Store {
    Store::in_folder(folder, megabytes.saturating_mul(MEGABYTE))
}
