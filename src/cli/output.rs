//! Writing to the standard streams without panics.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use ult_lang::diagnostic::Diagnostic;

use super::args::ColorArg;
use super::exit::Exit;
use ult_driver::Source;
use ult_report::diagnostic;

/// Whether it was seen that nobody reads stdout any more.
static UNREAD: AtomicBool = AtomicBool::new(false);

/// Writes to stdout and flushes.
///
/// # Errors
/// The exit code for a stream that cannot be written to. If the reader has gone away, that is its good right, and nothing
/// is said about it. Else, such as on a full disk, there is a complaint.
pub(crate) fn stdout(text: &str) -> Result<(), Exit> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => Ok(()),
        Err(error) => Err(unwritten(&error)),
    }
}

/// Writes messages about a source to stderr.
pub(crate) fn messages(diagnostics: &[Diagnostic], source: &Source) {
    for words in diagnostic::render(diagnostics, source, false) {
        stderr(&words);
    }
}

/// Says why an input is rejected.
pub(crate) fn rejected(diagnostics: &[Diagnostic], source: &Source) -> Exit {
    messages(diagnostics, source);
    Exit::Rejected
}

/// The exit code for an error on stdout, see [`stdout`].
pub(crate) fn unwritten(error: &std::io::Error) -> Exit {
    if error.kind() == ErrorKind::BrokenPipe {
        UNREAD.store(true, Ordering::SeqCst);
        return Exit::BrokenPipe;
    }
    complain(&format!("cannot write to stdout: {error}"));
    Exit::Usage
}

/// Whether it was seen that nobody reads stdout any more.
pub(crate) fn was_unread() -> bool {
    UNREAD.load(Ordering::SeqCst)
}

/// Whether nobody reads stdout any more. For those who work for long before they write.
pub(crate) fn is_unread() -> bool {
    if !was_unread() && has_hung_up() {
        UNREAD.store(true, Ordering::SeqCst);
    }
    was_unread()
}

/// Whether stdout is a pipe or a socket without another end.
fn has_hung_up() -> bool {
    #[cfg(unix)]
    {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        use std::os::fd::AsFd as _;
        let stdout = std::io::stdout();
        // A terminal that is gone is told by a signal.
        if stdout.is_terminal() {
            return false;
        }
        let mut fds = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
        poll(&mut fds, PollTimeout::ZERO).is_ok()
            && fds[0]
                .revents()
                .is_some_and(|events| events.intersects(gone))
    }
    #[cfg(not(unix))]
    false
}

/// The process's stderr, where it is kept for this program alone.
static OWN_STDERR: OnceLock<File> = OnceLock::new();

/// Keeps stderr for this program: what libraries print there goes nowhere. Z3 tells of its own
/// failed assertions in this way, behind the back of those who get them as errors. With `RUST_BACKTRACE` set, panics are
/// told all the same; with `RUST_BACKTRACE=full` everything is to be seen, also what a library or the runtime says before it
/// ends the process, and nothing is done.
pub(crate) fn keep_stderr() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        let backtrace = std::env::var_os("RUST_BACKTRACE");
        if backtrace.as_ref().is_some_and(|value| value == "full") {
            return;
        }
        let own = std::io::stderr().as_fd().try_clone_to_owned();
        let nowhere = File::options().write(true).open("/dev/null");
        if let (Ok(own), Ok(nowhere)) = (own, nowhere)
            && OWN_STDERR.set(File::from(own)).is_ok()
        {
            // If it fails, libraries are heard, no more.
            let is_kept = nix::unistd::dup2_stderr(&nowhere).is_ok();
            if is_kept && backtrace.is_some() {
                tell_panics();
            }
        }
    }
}

/// From now on panics are told where this program writes, with the way to them; those who told them before would be heard by
/// nobody.
#[cfg(unix)]
fn tell_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        let way = std::backtrace::Backtrace::force_capture();
        stderr(&format!("{info}\nstack backtrace:\n{way}"));
    }));
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

/// A complaint about the command, on stderr. Who does not want to read the output does not want to read that either.
pub(crate) fn complain(text: &str) {
    if was_unread() {
        return;
    }
    stderr(&format!("ult: error: {text}\n"));
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
