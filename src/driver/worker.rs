//! Threads for work that may need a deep stack.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

/// Stack sizes of a worker, tried in this order. Memory that is not used is not taken.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Does the work on a thread of its own, with the largest stack that is to be had.
///
/// # Errors
/// If there is no memory for a thread.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // The work survives a failed attempt to start a thread for it.
    let work = Arc::new(Mutex::new(Some(work)));
    let mut failure = io::Error::from(io::ErrorKind::OutOfMemory);
    for stack in STACKS {
        let work = work.clone();
        let body = move || {
            let work = work.lock().ok().and_then(|mut work| work.take());
            if let Some(work) = work {
                work();
            }
        };
        let thread = thread::Builder::new().name(name.into()).stack_size(stack);
        match thread.spawn(body) {
            Ok(_) => return Ok(()),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
