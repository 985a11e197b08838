//! Stacks that Z3's functions run on, and the way off them when something dies there.
//!
//! A function that a fault has ended will never return. Whoever called it goes on behind the call all the same, as `longjmp`
//! does, but nothing that lay on the function's stack may be used for anything else: other threads may still know of it (Z3
//! keeps timers and what can be interrupted in variables of its functions). So these functions have stacks of their own,
//! one for each thread, and one on which something has died is left as it is for ever.
//!
//! A handler of signals knows what it was called for by the stack pointer: it is in one of these stacks, or it is not.

use std::arch::naked_asm;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use super::Fault;

/// Below each stack lies memory that nobody may touch. More than any function takes at once.
const FORBIDDEN: usize = 1 << 20;

/// At the top there are zeros: where somebody walks up the stack, this is the end.
const END: usize = 64;

/// The most, and the least.
const SIZES: [usize; 2] = [512 << 20, 8 << 20];

/// The most where the address space is limited.
const LIMITED: usize = 64 << 20;

/// A stack.
pub(super) struct AltStack {
    /// Where what is forbidden begins.
    low: usize,
    /// Where it ends, and the stack begins.
    base: usize,
    top: usize,
    /// The stack pointer of the thread that waits for the end of a call; 0 while there is none.
    waits: AtomicUsize,
    /// What has happened here.
    fault: Cell<Option<Fault>>,
    /// A thread has it.
    taken: AtomicBool,
    next: *mut AltStack,
}

// SAFETY: `fault` belongs to the thread that has the stack, what else changes is atomic, and `next` is written before others see it.
unsafe impl Sync for AltStack {}

/// All that there are. They are never given back, so the list only grows.
static ALL: AtomicPtr<AltStack> = AtomicPtr::new(null_mut());

thread_local! {
    static OWN: Own = const { Own(Cell::new(None)) };
}

/// The stack of a thread, which others may have when the thread ends.
struct Own(Cell<Option<&'static AltStack>>);

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(stack) = self.0.take() {
            stack.give_back();
        }
    }
}

/// Does the work on this thread's other stack; where there is none, on the one that it has.
///
/// # Errors
/// If the work has died.
///
/// # Safety
/// The work must bear to be left in the middle, and may not panic.
pub(super) unsafe fn run<T, W: FnOnce() -> T>(work: W) -> Result<T, Fault> {
    let own = OWN.try_with(|own| {
        own.0.set(own.0.get().or_else(AltStack::any));
        own.0.get()
    });
    let stack = own.ok().flatten();
    let Some(stack) = stack.filter(|stack| stack.waits.load(Ordering::Relaxed) == 0) else {
        return Ok(work());
    };
    let mut call = (Some(work), None);
    // SAFETY: `entry` gets what it is made for, and the stack is this thread's, and nobody is on it.
    let died = unsafe {
        call_on(
            entry::<T, W>,
            (&raw mut call).cast(),
            stack.top,
            &stack.waits,
        )
    };
    match (call.1, stack.fault.get()) {
        (Some(result), None) if !died => Ok(result),
        (_, fault) => {
            // It stays as it is, and the next call gets another one.
            OWN.with(|own| own.0.set(None));
            Err(fault.unwrap_or(Fault::UNKNOWN))
        }
    }
}

unsafe extern "C" fn entry<T, W: FnOnce() -> T>(call: *mut c_void) {
    // SAFETY: `run` waits until this returns, and does not touch it until then.
    let (work, result) = unsafe { &mut *call.cast::<(Option<W>, Option<T>)>() };
    *result = work.take().map(|work| work());
}

/// Calls the function on the stack that begins at `top`; true if it has died. While it works, the stack pointer to go back to is in
/// `waits`.
///
/// # Safety
/// The function can be called with the argument, and nobody else is on the stack.
#[unsafe(naked)]
unsafe extern "C" fn call_on(
    function: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
    top: usize,
    waits: &AtomicUsize,
) -> bool {
    naked_asm!(
        // What a function has to leave as it was.
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov rbx, rcx",
        "mov [rbx], rsp",
        "mov rsp, rdx",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "mov rsp, [rbx]",
        "mov qword ptr [rbx], 0",
        "xor eax, eax",
        "jmp {back}",
        back = sym back,
    )
}

/// The end of [`call_on`] for a function that will not return: jumped to with the stack pointer that waits.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn gone() {
    naked_asm!(
        "cld",
        "fninit",
        "mov eax, 1",
        "jmp {back}",
        back = sym back,
    )
}

/// The end of [`call_on`], with its result.
#[unsafe(naked)]
unsafe extern "C" fn back() {
    naked_asm!(
        "ldmxcsr [rsp]",
        "fldcw [rsp + 4]",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Goes to [`gone`].
///
/// # Safety
/// `waits` was in [`AltStack::waits`] of the stack that this is called on, and nothing of what lies on the stack needs an end.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn leave(waits: usize) -> ! {
    naked_asm!(
        "mov rsp, rdi",
        "jmp {gone}",
        gone = sym gone,
    )
}

impl AltStack {
    /// The stack that an address lies in, or below it where nobody may be. It touches nothing that needs a lock.
    pub(super) fn of(address: usize) -> Option<&'static AltStack> {
        let mut next = ALL.load(Ordering::Acquire);
        // SAFETY: what is in the list stays there, as it is.
        while let Some(stack) = unsafe { next.as_ref() } {
            if (stack.low..stack.top).contains(&address) {
                return Some(stack);
            }
            next = stack.next;
        }
        None
    }

    /// Whether an address is one that the stack must not grow to.
    pub(super) fn forbids(&self, address: usize) -> bool {
        (self.low..self.base).contains(&address)
    }

    /// The stack pointer of the thread that waits, which is told what has happened. None if nobody waits any more.
    pub(super) fn give_up(&self, fault: Fault) -> Option<usize> {
        let waits = Some(self.waits.swap(0, Ordering::Relaxed)).filter(|&waits| waits != 0);
        self.fault.set(Some(fault));
        waits
    }

    /// One that nobody has. None if there is no memory for it.
    fn any() -> Option<&'static AltStack> {
        let most = match is_limited() {
            true => LIMITED,
            false => SIZES[0],
        };
        // As much as the thread has itself.
        let size = stacker::remaining_stack().unwrap_or(SIZES[1]);
        let size = size.clamp(SIZES[1], most).next_multiple_of(FORBIDDEN);
        let mut next = ALL.load(Ordering::Acquire);
        // SAFETY: as above.
        while let Some(stack) = unsafe { next.as_ref() } {
            if stack.top - stack.base >= size - END && !stack.taken.swap(true, Ordering::Acquire) {
                return Some(stack);
            }
            next = stack.next;
        }
        AltStack::map(size)
    }

    /// A new one.
    fn map(size: usize) -> Option<&'static AltStack> {
        // SAFETY: new memory, of which the lowest part is made unusable.
        let low = unsafe {
            let low = libc::mmap(
                null_mut(),
                FORBIDDEN + size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK,
                -1,
                0,
            );
            if low == libc::MAP_FAILED {
                return None;
            }
            if libc::mprotect(low, FORBIDDEN, libc::PROT_NONE) != 0 {
                libc::munmap(low, FORBIDDEN + size);
                return None;
            }
            low as usize
        };
        let stack = Box::leak(Box::new(AltStack {
            low,
            base: low + FORBIDDEN,
            top: low + FORBIDDEN + size - END,
            waits: AtomicUsize::new(0),
            fault: Cell::new(None),
            taken: AtomicBool::new(true),
            next: null_mut(),
        }));
        let mut first = ALL.load(Ordering::Relaxed);
        loop {
            stack.next = first;
            match ALL.compare_exchange_weak(first, stack, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return Some(stack),
                Err(other) => first = other,
            }
        }
    }

    /// Others may have it. The memory that it took is free.
    fn give_back(&self) {
        // SAFETY: nobody is on it.
        unsafe {
            libc::madvise(
                self.base as *mut c_void,
                self.top - self.base,
                libc::MADV_DONTNEED,
            );
        }
        self.taken.store(false, Ordering::Release);
    }
}

/// Whether this process may use only so much of its address space.
fn is_limited() -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: it writes the limit.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    limit.rlim_cur != libc::RLIM_INFINITY
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::super::{Cause, Extent};
    use super::*;

    const FAULT: Fault = Fault {
        cause: Cause::Exception,
        extent: Extent::Question,
    };

    /// Leaves the stack that it is called on.
    fn die() {
        let here = black_box(0u8);
        let stack = AltStack::of(&raw const here as usize).expect("a stack of its own");
        let waits = stack.give_up(FAULT).expect("somebody waits");
        // SAFETY: nothing here needs an end.
        unsafe { leave(waits) }
    }

    fn ran<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
        // SAFETY: what is tried here leaves nothing behind.
        unsafe { run(work) }
    }

    /// An address on the stack that it is called on.
    fn here() -> usize {
        let here = black_box(0u8);
        black_box(&raw const here as usize)
    }

    #[test]
    fn who_waits_goes_on_with_what_it_had() {
        let kept: Vec<u64> = black_box((1..=6).collect());
        let sum = |more: u64| kept.iter().map(|n| n * more).sum::<u64>();
        assert_eq!(ran(|| sum(2)), Ok(42));
        for round in 0..5 {
            assert_eq!(ran(die), Err(FAULT), "{round}");
            // Numbers that registers had all the time.
            assert_eq!(sum(round), 21 * round);
            assert_eq!(ran(|| sum(round)), Ok(21 * round));
            assert_eq!(black_box(1.5) * black_box(3.0), 4.5);
        }
    }

    #[test]
    fn nobody_gets_the_stack_of_the_dead() {
        let alive = ran(here).unwrap();
        assert!(AltStack::of(here()).is_none(), "the thread's own");
        let used = AltStack::of(alive).expect("one of these");
        assert!(
            std::ptr::eq(used, AltStack::of(ran(here).unwrap()).unwrap()),
            "the same again"
        );
        assert_eq!(ran(die), Err(FAULT));
        let others = (0..8).map(|_| std::thread::spawn(|| ran(here).unwrap()));
        let others: Vec<usize> = others.map(|thread| thread.join().unwrap()).collect();
        for place in others.into_iter().chain([ran(here).unwrap()]) {
            assert!(!std::ptr::eq(used, AltStack::of(place).unwrap()));
        }
    }

    #[test]
    fn threads_that_end_leave_their_stack_to_others() {
        let used: std::collections::BTreeSet<usize> = (0..20)
            .map(|_| std::thread::spawn(|| AltStack::of(ran(here).unwrap()).unwrap().low))
            .map(|thread| thread.join().unwrap())
            .collect();
        // Tests beside this one take some, too.
        assert!(used.len() < 20, "{used:?}");
    }
}
