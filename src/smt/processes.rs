//! Processes together with those that they start, so that none of them is left behind.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

/// A process and those that it started, unless they left its group. Dropping it ends them.
pub struct Group {
    child: Child,
    status: Option<ExitStatus>,
}

/// The leaders of all groups that are not ended.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Group {
    /// Starts a process in a group of its own.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn start(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        // Under the lock, so that nobody is started behind the back of `end_all`.
        let mut running = running();
        let child = command.spawn()?;
        running.insert(child.id());
        Ok(Group {
            child,
            status: None,
        })
    }

    /// The first process.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits until the first process has ended. With it the others end.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let status = self.child.wait()?;
        self.status = Some(status);
        self.forget();
        Ok(status)
    }

    /// Whether the first process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.status().is_some()
    }

    /// How the first process ended. With it the others end.
    pub fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                self.forget();
            }
        }
        self.status
    }

    /// Ends whoever is left. To be called once, when the first process is reaped or about to be: later its number may be that
    /// of others.
    fn forget(&self) {
        let id = self.child.id();
        if running().remove(&id) {
            kill(id);
        }
    }

    /// Ends it, and those that it started.
    pub fn end(&mut self) {
        if self.status.is_none() {
            self.forget();
            // Both fail only if it has ended already.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends all of them, for a process that is about to end without dropping anything.
pub fn end_all() {
    for &id in &*running() {
        kill(id);
    }
}

/// The memory that all of them use, in pages; 0 where the system does not tell.
pub fn resident_pages() -> u64 {
    // A copy: whoever starts or ends one does not have to wait.
    let mut waiting: Vec<u32> = running().iter().copied().collect();
    let mut seen = BTreeSet::new();
    let mut pages = 0;
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
        let numbers = read(format!("/proc/{id}/statm"));
        let resident = numbers.split(' ').nth(1);
        pages += resident.and_then(|word| word.parse().ok()).unwrap_or(0);
        // Those that its other threads started are few, and leave with it.
        let children = read(format!("/proc/{id}/task/{id}/children"));
        waiting.extend(
            children
                .split(' ')
                .filter_map(|word| word.parse::<u32>().ok()),
        );
    }
    pages
}

/// Ends a process and those that it started.
fn kill(leader: u32) {
    #[cfg(unix)]
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // If all of them are gone, this fails.
        let _ = kill_process_group(leader, Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}
