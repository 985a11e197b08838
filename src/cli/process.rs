//! The way out of the process.

use super::exit::Exit;
use super::output;

/// Ends the process, and the processes that it started, without waiting for its other threads and without the clean-up of
/// shared libraries: the solver's library would take its memory down while a thread still works in it,
/// and where none does, taking it down piece by piece only takes time. Whatever has to be written
/// must have been flushed. If nobody read it, that is how the process ends.
#[allow(unsafe_code)]
pub fn end_at_once(exit: Exit) -> ! {
    ult_smt::processes::end_all();
    let exit = match output::was_unread() {
        true => Exit::BrokenPipe,
        false => exit,
    };
    #[cfg(unix)]
    // SAFETY: `_exit` ends the process and has no preconditions.
    unsafe {
        libc::_exit(i32::from(exit as u8))
    }
    #[cfg(not(unix))]
    std::process::exit(i32::from(exit as u8))
}
