//! Writing to the standard streams without panics.

use std::io::{ErrorKind, IsTerminal as _, Write as _};

use super::args::ColorArg;
use super::exit::Exit;

/// Writes to stdout and flushes. If the reader has gone away, that is its good right, and nothing
/// more is said.
///
/// # Errors
/// The exit code for a stream that cannot be written to for another reason, such as a full disk.
pub fn stdout(text: &str) -> Result<(), Exit> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            super::complain(&format!("cannot write to stdout: {error}"));
            Err(Exit::Usage)
        }
    }
}

/// Writes to stderr; if that is impossible there is nobody left to tell.
pub fn stderr(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Whether reports are coloured.
pub fn colored(color: ColorArg) -> bool {
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => {
            let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
        }
    }
}
