//! Panics as reasons: a mistake in one part costs one answer, not the process.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;

use crate::reason::Reason;

thread_local! {
    /// Where the last caught panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// With this a thread unwinds that was left without an answer, since what it had asked does not exist any more. It is
/// no panic: nothing of ours is wrong.
pub struct Lost(
    /// What has happened to it.
    pub String,
);

/// Unwinds with [`Lost`].
pub fn lose(why: String) -> ! {
    resume_unwind(Box::new(Lost(why)))
}

/// Runs the work; a panic becomes [`Reason::Internal`] with its text and place, and what was [`Lost`]
/// [`Reason::SolverFailed`].
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Reason> {
    // What a panic leaves half-done stays behind: the caller drops it or asks the checker, which
    // believes nothing.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        if let Some(Lost(why)) = panic.downcast_ref() {
            return Err(Reason::SolverFailed(format!("the solver died: {why}")));
        }
        let place = PLACE.with(RefCell::take);
        let text = message(&*panic);
        Err(Reason::Internal(match place {
            Some(place) => format!("{text} ({place})"),
            None => text,
        }))
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// From now on panics print nothing: their text and place become part of the reason. For programs
/// whose output is read by other programs; call it once at the start.
pub fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info
                .location()
                .map(|l| format!("{}:{}", l.file(), l.line()));
            PLACE.with(|slot| *slot.borrow_mut() = place);
            if std::env::var_os("RUST_BACKTRACE").is_some() {
                loud(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        let result: Result<(), Reason> = guarded(|| panic!("oh {}", "no"));
        let Err(Reason::Internal(text)) = result else {
            panic!("no reason");
        };
        assert!(text.starts_with("oh no"), "{text}");
    }

    #[test]
    fn what_is_lost_is_no_panic() {
        let result: Result<(), Reason> = guarded(|| lose("gone".into()));
        let reason = Reason::SolverFailed("the solver died: gone".into());
        assert_eq!(result, Err(reason));
    }
}
