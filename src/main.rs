//! The command `ult`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ult::cli::main().into()
}
