//! How the process takes memory from the system, and what it does when there is no more.
//!
//! Each Z3 context fills two tables of 8 MB when it is made and gives them back when it is
//! dropped, and a question to a solver takes and frees a few MB. Left to its defaults, the C
//! library hands all that back to the system and asks for it anew, page by page: on short runs
//! half of the time went there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::exit::Exit;
use super::limits;

/// The system's allocator. Where it has nothing left (`ulimit -v`), a program would be aborted in the middle of its work, and
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
    let block = unsafe { System.alloc(RESERVED) };
    RESERVE.store(block, Ordering::SeqCst);
}

/// Gives back what was reserved.
#[allow(unsafe_code)]
fn release() {
    let block = RESERVE.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !block.is_null() {
        // SAFETY: it is from `System.alloc` with this layout, and whoever swaps it out is the only one who has it.
        unsafe { System.dealloc(block, RESERVED) };
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

// SAFETY: all of it is what the system's allocator does; that somebody waits breaks none of its promises.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Careful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator asks for.
        obtained(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        obtained(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; where there is no room, the old block stays as it was.
        obtained(|| unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Has freed memory kept for the next request, and asks the system for large pages. To be called
/// once, before there are other threads. Whatever the system refuses stays as it was: nothing but
/// speed depends on it.
pub(crate) fn keep() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    linux::keep();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
mod linux {
    use libc::{c_int, c_void};

    /// Taken at once in the beginning: room for a Z3 context with small questions. Memory that is
    /// not used costs nothing.
    const FIRST: c_int = 64 << 20;

    /// What is taken more than asked for, later.
    const MORE: c_int = 4 << 20;

    /// Larger blocks are mapped and unmapped one by one, as tables that double while they grow.
    /// (It is the largest value that all versions of the library accept.)
    const MAPPED: c_int = 32 << 20;

    /// So much free memory at the end of the heap is kept.
    const KEPT: c_int = 1 << 30;

    /// Any block that the library takes from the heap, larger than what it has in the beginning.
    const PROBE: usize = 1 << 20;

    pub(super) fn keep() {
        // SAFETY: `mallopt` may be called at any time and only changes how `malloc` works.
        // `malloc`, `sbrk(0)` and `free` have no preconditions here; the pointer that is freed is
        // the one from `malloc` (or null, which `free` ignores). `madvise` gets a range within
        // the heap, checked below, and MADV_HUGEPAGE does not change what the memory holds.
        unsafe {
            // The working thread would get a heap of its own else, which grows in small steps.
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
            libc::mallopt(libc::M_TOP_PAD, FIRST);
            let block = libc::malloc(PROBE);
            libc::mallopt(libc::M_TOP_PAD, MORE);
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(0);
            let start = (block as usize).next_multiple_of(page.max(1));
            let end = libc::sbrk(0) as usize;
            // Where the system has no heap of this kind, the block lies elsewhere.
            let room = end.wrapping_sub(start);
            if !block.is_null() && start < end && room <= PROBE + FIRST as usize + (1 << 20) {
                libc::madvise(start as *mut c_void, room, libc::MADV_HUGEPAGE);
            }
            libc::free(block);
        }
    }
}
