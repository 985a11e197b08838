//! Processes together with those that they start, so that none of them is left behind.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A process and those that it started, unless they left its group. Dropping it ends them.
pub(super) struct Group {
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
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
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
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the first process has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.status().is_some()
    }

    /// How the first process ended. With it the others end.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
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
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.forget();
            // Both fail only if it has ended already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Ends all of them, for a process that is about to end without dropping anything.
pub(super) fn end_all() {
    for &id in &*running() {
        kill(id);
    }
}

/// Ends a process and those that it started.
fn kill(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = i32::try_from(leader) {
        use nix::sys::signal::{Signal, killpg};
        // If all of them are gone, this fails.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}
