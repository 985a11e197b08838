//! Writing to the standard streams without panics.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::sync::OnceLock;

use super::args::ColorArg;
use super::exit::Exit;

/// Writes to stdout and flushes. If the reader has gone away, that is its good right, and nothing
/// more is said.
///
/// # Errors
/// The exit code for a stream that cannot be written to for another reason, such as a full disk.
pub(crate) fn stdout(text: &str) -> Result<(), Exit> {
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

/// The process's stderr, where it is kept for this program alone.
static OWN_STDERR: OnceLock<File> = OnceLock::new();

/// Keeps stderr for this program: what libraries print there goes nowhere. Z3 tells of its own
/// failed assertions in this way, behind the back of those who get them as errors. With
/// `RUST_BACKTRACE` set everything is to be seen, and nothing is done.
pub(crate) fn keep_stderr() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            return;
        }
        let own = std::io::stderr().as_fd().try_clone_to_owned();
        let nowhere = File::options().write(true).open("/dev/null");
        if let (Ok(own), Ok(nowhere)) = (own, nowhere)
            && OWN_STDERR.set(File::from(own)).is_ok()
        {
            // If it fails, libraries are heard, no more.
            let _ = nix::unistd::dup2_stderr(&nowhere);
        }
    }
}

/// Writes to stderr; if that is impossible there is nobody left to tell.
pub(crate) fn stderr(text: &str) {
    match OWN_STDERR.get() {
        Some(mut own) => {
            let _ = own.write_all(text.as_bytes());
        }
        None => {
            let mut err = std::io::stderr().lock();
            let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
        }
    }
}

/// Whether a person reads stderr at once.
pub(crate) fn stderr_is_terminal() -> bool {
    match OWN_STDERR.get() {
        Some(own) => own.is_terminal(),
        None => std::io::stderr().is_terminal(),
    }
}

/// Whether reports are coloured.
pub(crate) fn colored(color: ColorArg) -> bool {
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
