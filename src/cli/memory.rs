//! How the process takes memory from the system.
//!
//! Each Z3 context fills two tables of 8 MB when it is made and gives them back when it is
//! dropped, and a question to a solver takes and frees a few MB. Left to its defaults, the C
//! library hands all that back to the system and asks for it anew, page by page: on short runs
//! half of the time went there.

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
