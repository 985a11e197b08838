//! Where entries are, and for how long.
//!
//! A store is in memory or in a folder. It knows texts only; what they say is for others to read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::Folder;
use super::{Corrupt, Key, MAX_ENTRY};

/// Entries by their keys. Clones are the same store, and threads may share it.
#[derive(Clone)]
pub struct Store(Arc<Place>);

enum Place {
    Memory(Mutex<Memory>),
    Folder(Folder),
}

/// Something about the store that somebody should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Nothing can be kept in the folder. It is told once.
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        why: String,
    },
}

/// How much a store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// Entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Entries in memory, with when they were used last.
#[derive(Default)]
struct Memory {
    entries: BTreeMap<Key, (u64, Arc<str>)>,
    bytes: u64,
    limit: u64,
    clock: u64,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Place::Memory(_) => f.write_str("Store in memory"),
            Place::Folder(folder) => write!(f, "Store in {}", folder.path().display()),
        }
    }
}

impl Store {
    /// A store in memory, of at most so many bytes; what was not used for the longest time goes first.
    pub fn in_memory(limit: u64) -> Store {
        Store(Arc::new(Place::Memory(Mutex::new(Memory {
            limit,
            ..Memory::default()
        }))))
    }

    /// A store in a folder, which is made when there is something to keep. [`Store::prune`] keeps it below so many bytes.
    pub fn in_folder(path: &Path, limit: u64) -> Store {
        Store(Arc::new(Place::Folder(Folder::new(path, limit))))
    }

    /// The text under a key, if there is one.
    ///
    /// # Errors
    /// If there is one that is not as it was written, or was written for another key or by another version.
    pub fn load(&self, key: &Key) -> Result<Option<Arc<str>>, Corrupt> {
        match &*self.0 {
            Place::Memory(memory) => Ok(locked(memory).load(key)),
            Place::Folder(folder) => folder.load(key),
        }
    }

    /// Keeps a text under a key, instead of what was there. Tells what went wrong, if something did.
    pub fn save(&self, key: &Key, text: &str) -> Option<Notice> {
        if text.len() > MAX_ENTRY {
            return None;
        }
        match &*self.0 {
            Place::Memory(memory) => {
                locked(memory).save(key, text);
                None
            }
            Place::Folder(folder) => folder.save(key, text),
        }
    }

    /// All entries, if the store is in memory.
    pub fn entries(&self) -> Vec<(Key, Arc<str>)> {
        match &*self.0 {
            Place::Memory(memory) => {
                let memory = locked(memory);
                let entries = memory.entries.iter();
                entries
                    .map(|(key, (_, text))| (*key, text.clone()))
                    .collect()
            }
            Place::Folder(_) => Vec::new(),
        }
    }

    /// Removes what is under a key.
    pub fn forget(&self, key: &Key) {
        match &*self.0 {
            Place::Memory(memory) => locked(memory).forget(key),
            Place::Folder(folder) => folder.forget(key),
        }
    }

    /// Removes what was not used for the longest time, until the limit is kept. A folder is only looked through if
    /// something was kept in it by this process.
    pub fn prune(&self) {
        if let Place::Folder(folder) = &*self.0 {
            folder.prune();
        }
    }

    /// How much there is.
    pub fn content(&self) -> Content {
        match &*self.0 {
            Place::Memory(memory) => {
                let memory = locked(memory);
                Content {
                    entries: memory.entries.len() as u64,
                    bytes: memory.bytes,
                }
            }
            Place::Folder(folder) => folder.content(),
        }
    }

    /// Removes entries until there are no more bytes than this, those first that were not used for the longest time.
    pub fn shrink(&self, limit: u64) {
        match &*self.0 {
            Place::Memory(memory) => locked(memory).shrink(limit),
            Place::Folder(folder) => folder.shrink(limit),
        }
    }
}

fn locked(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    fn load(&mut self, key: &Key) -> Option<Arc<str>> {
        self.clock += 1;
        let (used, text) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(text.clone())
    }

    fn save(&mut self, key: &Key, text: &str) {
        self.forget(key);
        self.clock += 1;
        self.bytes += text.len() as u64;
        self.entries.insert(*key, (self.clock, text.into()));
        self.shrink(self.limit);
    }

    fn forget(&mut self, key: &Key) {
        if let Some((_, text)) = self.entries.remove(key) {
            self.bytes -= text.len() as u64;
        }
    }

    fn shrink(&mut self, limit: u64) {
        while self.bytes > limit {
            let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used);
            let Some((&oldest, _)) = oldest else { return };
            self.forget(&oldest);
        }
    }
}
