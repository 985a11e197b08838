//! `ult init`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `ult init`
#[derive(Args, Debug)]
pub struct InitArgs {
    /// The folder, which is made if it is not there; without it, the one that you are in
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Also write what this service needs to check the project after each change
    #[arg(long, value_enum)]
    pub ci: Option<CiArg>,
}

/// `--ci`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiArg {
    /// A workflow of GitHub
    Github,
}
