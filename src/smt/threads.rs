//! Threads that Z3 starts.
//!
//! Z3 starts one for each time limit that it keeps itself, if none is left of an earlier one: that of a query about Horn clauses,
//! and those that its own strategies for single questions have. Where that fails it throws an exception of C++, and its
//! interface lets that pass into our code, where it ends the process. There is no other way to limit a query: an interrupted
//! context is of no use any more.

use std::io;
use std::path::Path;
use std::thread;

use crate::answer::{Failure, no_thread};

/// As much stack as a thread of Z3 gets.
const STACK: usize = 8 << 20;

/// Fails if no thread can be started. Others of the same user may start the last one before Z3 does; but who may start no more
/// gets a failure.
pub(crate) fn try_thread() -> Result<(), Failure> {
    start_and_end().map_err(no_thread)
}

fn start_and_end() -> io::Result<()> {
    let thread = thread::Builder::new().stack_size(STACK);
    // Its number, where the system tells.
    let number = thread.spawn(|| std::fs::read_link("/proc/thread-self"))?;
    let number = number.join().map_err(|_| io::ErrorKind::Other)?;
    // The system goes on counting it for a moment.
    if let Ok(number) = number {
        let place = Path::new("/proc").join(number);
        for _ in 0..1000 {
            if !place.exists() {
                break;
            }
            thread::yield_now();
        }
    }
    Ok(())
}
