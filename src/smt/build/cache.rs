//! The folder in which Z3 is kept, for all programs of a user.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Machine, PACKAGE_VERSION, fetch};

/// Where folders with libraries are kept: in the user's cache, or, where that cannot be written, in a folder of cargo's.
pub(crate) struct Cache {
    /// Tried in this order; the last one can be written.
    homes: Vec<PathBuf>,
}

impl Cache {
    /// The cache that the environment says: `ULT_CACHE_DIR`, or the system's custom. `spare` can be written.
    ///
    /// # Errors
    /// When `ULT_CACHE_DIR` is a relative path: it would be one within the sources of this package.
    pub(crate) fn new(
        variable: impl Fn(&str) -> Option<OsString>,
        machine: &Machine,
        spare: PathBuf,
    ) -> Result<Cache, String> {
        let path = |name| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        if let Some(dir) = path("ULT_CACHE_DIR") {
            if dir.is_relative() {
                return Err(format!(
                    "ULT_CACHE_DIR is {}; it must be an absolute path.",
                    dir.display()
                ));
            }
            return Ok(Cache {
                homes: vec![dir, spare],
            });
        }
        let custom = if machine.is_mac() {
            "Library/Caches"
        } else {
            ".cache"
        };
        // The convention has it that relative paths are ignored.
        let parent = path("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| Some(path("HOME")?.join(custom)).filter(|dir| dir.is_absolute()));
        let homes = parent.map(|dir| dir.join("ult")).into_iter().chain([spare]);
        Ok(Cache {
            homes: homes.collect(),
        })
    }

    /// The folder to name in messages.
    pub(crate) fn home(&self) -> &Path {
        &self.homes[0]
    }

    /// Where a user can put the unpacked Python package.
    pub(crate) fn by_hand(&self) -> PathBuf {
        by_hand(self.home())
    }

    /// The Python package, if the user put it there.
    pub(crate) fn unpacked_by_hand(&self, machine: &Machine) -> Option<PathBuf> {
        let mut dirs = self.homes.iter().map(|home| by_hand(home));
        dirs.find(|dir| fetch::is_package(dir, machine))
    }

    /// The folder called `name` in the first home where it is `whole` or can be made. `fill(work, new, place)` fills the
    /// folder `new`, which becomes `place`, and may use the folder `work`.
    ///
    /// # Errors
    /// What `fill` says, or where nothing could be written.
    pub(crate) fn entry(
        &self,
        name: &str,
        whole: impl Fn(&Path) -> bool,
        fill: impl FnOnce(&Path, &Path, &Path) -> Result<(), String>,
    ) -> Result<PathBuf, String> {
        let mut failures = Vec::new();
        for home in &self.homes {
            let place = home.join(name);
            if whole(&place) {
                return Ok(place);
            }
            match Staging::new(home) {
                Ok(staging) => {
                    fill(&staging.work, &staging.new, &place)?;
                    move_into_place(&staging, &place, &whole)
                        .map_err(|e| format!("cannot move Z3 to {}: {e}", place.display()))?;
                    return Ok(place);
                }
                Err(e) => failures.push(format!("cannot write in {}: {e}", home.display())),
            }
        }
        Err(failures.join("\n"))
    }
}

/// A folder of one build, gone with this value.
///
/// Each build works in a folder of its own and moves the result into place as a whole: a build that is killed half-way
/// leaves nothing that looks like a Z3, and of two builds at a time both may win.
struct Staging {
    root: PathBuf,
    work: PathBuf,
    new: PathBuf,
}

/// Makes names unique within the process.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Staging {
    fn new(home: &Path) -> io::Result<Staging> {
        let nanos = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_nanos());
        // A home may be shared by machines, on which processes have the same numbers.
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = home.join(format!("new-{process}-{number}-{nanos}"));
        fs::create_dir_all(home)?;
        fs::create_dir(&root)?;
        let (work, new) = (root.join("work"), root.join("new"));
        let staging = Staging { root, work, new };
        fs::create_dir(&staging.work)?;
        fs::create_dir(&staging.new)?;
        Ok(staging)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root); // at worst some space in a cache is lost
    }
}

fn by_hand(home: &Path) -> PathBuf {
    home.join(format!("z3_solver-{PACKAGE_VERSION}"))
}

fn move_into_place(
    staging: &Staging,
    place: &Path,
    whole: impl Fn(&Path) -> bool,
) -> io::Result<()> {
    let Err(error) = fs::rename(&staging.new, place) else {
        return Ok(());
    };
    // Something is there already: another build was quicker, or it is the rest of something else.
    if whole(place) {
        return Ok(());
    }
    if !place.exists() {
        return Err(error);
    }
    match fs::rename(place, staging.root.join("old")).and_then(|()| fs::rename(&staging.new, place))
    {
        Err(e) if !whole(place) => Err(e),
        _ => Ok(()),
    }
}
