//! How Z3's functions are called: not at all for a context that something has died in.
//!
//! A call that does not come to its end ([`faults`](super::faults)) has no result, and none is made up. The thread unwinds up to
//! [`survive`], where it becomes a failure, with all that was half done dropped on the way. The context stays as it is: nothing is
//! called on it any more, and nothing is freed.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use z3_sys::{Z3_config, Z3_context};

use super::faults::{self, Extent, Fault};
use crate::answer::Failure;
use ult_core::guard::{Lost, lose};

/// Whether anything has died yet, for those who have no time to ask which.
static ANY: AtomicBool = AtomicBool::new(false);

static DEAD: Mutex<Dead> = Mutex::new(Dead {
    contexts: Vec::new(),
    everything: None,
});

/// What nothing may be called on.
struct Dead {
    /// By address, and of what. They are never freed, so no other context will be there.
    contexts: Vec<(usize, Fault)>,
    /// Of what all of Z3 has died.
    everything: Option<Fault>,
}

impl Dead {
    fn lock() -> MutexGuard<'static, Dead> {
        DEAD.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of what a context has died, if it has; without one, all of Z3.
pub(super) fn death(context: Option<Z3_context>) -> Option<Fault> {
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let address = context.map(address);
    let dead = Dead::lock();
    let own = dead
        .contexts
        .iter()
        .find(|(other, _)| Some(*other) == address);
    dead.everything.or(own.map(|(_, fault)| *fault))
}

fn address(context: Z3_context) -> usize {
    context.as_ptr() as usize
}

fn bury(context: Option<Z3_context>, fault: Fault) {
    let mut dead = Dead::lock();
    dead.contexts
        .extend(context.map(|context| (address(context), fault)));
    if fault.extent == Extent::Process {
        dead.everything.get_or_insert(fault);
    }
    ANY.store(true, Ordering::Release);
}

/// Calls one of Z3's functions.
///
/// # Safety
/// The function can be called with these arguments. It calls nothing of ours.
pub(super) unsafe fn call<F, A>(function: F, arguments: A) -> F::Result
where
    F: Function<A>,
    A: Arguments,
{
    let context = arguments.context();
    if let Some(fault) = death(context) {
        lose(fault.to_string());
    }
    // SAFETY: the caller says so; after a fault nothing is called on the context.
    match unsafe { faults::run(|| function.apply(arguments)) } {
        Ok(result) => result,
        Err(fault) => {
            bury(context, fault);
            lose(fault.to_string())
        }
    }
}

/// Does something with Z3; that it dies is a failure.
pub(crate) fn survive<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What is half done belongs to a context that is not used any more.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| match payload.downcast() {
        Ok(lost) => {
            let Lost(why) = *lost;
            Err(Failure::Died(why))
        }
        Err(other) => resume_unwind(other),
    })
}

/// What can be called with such arguments.
pub(super) trait Function<A> {
    /// What it returns.
    type Result;

    /// Calls it.
    ///
    /// # Safety
    /// As calling it.
    unsafe fn apply(self, arguments: A) -> Self::Result;
}

/// The arguments of a call.
pub(super) trait Arguments {
    /// What it is called on.
    fn context(&self) -> Option<Z3_context>;
}

/// What comes first among arguments.
pub(super) trait First {
    /// What they belong to.
    fn context(&self) -> Option<Z3_context>;
}

impl First for Z3_context {
    fn context(&self) -> Option<Z3_context> {
        Some(*self)
    }
}

impl First for Z3_config {
    fn context(&self) -> Option<Z3_context> {
        None
    }
}

impl First for *const c_char {
    fn context(&self) -> Option<Z3_context> {
        None
    }
}

impl Arguments for () {
    fn context(&self) -> Option<Z3_context> {
        None
    }
}

macro_rules! functions_of {
    () => {
        functions_of!(@function);
    };
    ($first:ident $($rest:ident)*) => {
        functions_of!(@function $first $($rest)*);

        impl<$first: First, $($rest),*> Arguments for ($first, $($rest,)*) {
            fn context(&self) -> Option<Z3_context> {
                self.0.context()
            }
        }

        functions_of!($($rest)*);
    };
    (@function $($argument:ident)*) => {
        impl<R, $($argument),*> Function<($($argument,)*)> for unsafe extern "C" fn($($argument),*) -> R {
            type Result = R;

            #[allow(non_snake_case)]
            unsafe fn apply(self, ($($argument,)*): ($($argument,)*)) -> R {
                // SAFETY: the caller says so.
                unsafe { self($($argument),*) }
            }
        }
    };
}

functions_of!(A B C D E F G H I);
