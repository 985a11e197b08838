//! How the process takes memory from the system, and what it does when there is no more.
//!
//! Engines and solvers on several threads take and free memory all the time, and some threads give way to others. Where all
//! share one heap, who goes first waits for the heap's lock, and who has it may have to wait for the machine: so a portfolio got a third of
//! its work done. On Linux the process, with the solver in it, therefore has mimalloc in place of the C library's `malloc`.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use mimalloc::MiMalloc as Allocator;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
use std::alloc::System as Allocator;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::exit::Exit;
use super::limits;

/// The allocator. Where it has nothing left (`ulimit -v`), a program would be aborted in the middle of its work, and
/// what it knows would be lost. Here whoever asks waits for the end, which the watching thread brings about: it looks whether
/// memory is [`exhausted`], and has what was kept in [`RESERVE`] for its report.
struct Careful;

#[global_allocator]
static ALLOCATOR: Careful = Careful;

/// What is given back for the report when there is no more.
static RESERVE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// How it is taken: it costs room for addresses only, since nobody writes to it.
const RESERVED: Layout = match Layout::from_size_align(16 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u8>(),
};

/// Whether somebody got no memory.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// Whether somebody got no memory. The work cannot be finished then: who asked for it waits.
pub(crate) fn exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

thread_local! {
    /// Whether this is the thread that reports.
    static REPORTS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Keeps memory for a report, which this thread writes. To be called once.
#[allow(unsafe_code)]
pub(crate) fn reserve() {
    REPORTS.set(true);
    // SAFETY: the layout has a size.
    let block = unsafe { Allocator.alloc(RESERVED) };
    RESERVE.store(block, Ordering::SeqCst);
}

/// Gives back what was reserved.
#[allow(unsafe_code)]
fn release() {
    let block = RESERVE.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !block.is_null() {
        // SAFETY: it is from `Allocator.alloc` with this layout, and whoever swaps it out is the only one who has it.
        unsafe { Allocator.dealloc(block, RESERVED) };
    }
}

/// Asks the system, and again where the reserve may help. Whoever gets nothing does not come back. Before something is reserved,
/// all is as everywhere.
#[allow(unsafe_code)]
fn obtained(ask: impl Fn() -> *mut u8) -> *mut u8 {
    let block = ask();
    if !block.is_null() || RESERVE.load(Ordering::SeqCst).is_null() && !exhausted() {
        return block;
    }
    EXHAUSTED.store(true, Ordering::SeqCst);
    release();
    // A thread that is about to end has no such marks any more, and does not report.
    if REPORTS.try_with(std::cell::Cell::get).unwrap_or(false) {
        return ask();
    }
    std::thread::sleep(limits::EXHAUSTED);
    // The report needed what this thread holds: locks, for which others wait. So nothing more is cleaned up.
    #[cfg(unix)]
    // SAFETY: `_exit` ends the process and has no preconditions.
    unsafe {
        libc::_exit(i32::from(Exit::Unknown as u8))
    }
    #[cfg(not(unix))]
    std::process::exit(i32::from(Exit::Unknown as u8))
}

// SAFETY: all of it is what the allocator does; that somebody waits breaks none of its promises.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Careful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the allocator asks for.
        obtained(|| unsafe { Allocator.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        obtained(|| unsafe { Allocator.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; where there is no room, the old block stays as it was.
        obtained(|| unsafe { Allocator.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { Allocator.dealloc(block, layout) }
    }
}
