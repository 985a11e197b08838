//! Entries as files, one each: `ab/cdef...` for the key `abcdef...`.
//!
//! A file has three lines before the text: what it is and of which version, the key, and a digest of the text. A file is
//! written beside its place and then moved there, so that whoever reads it sees all of it or none, also when several
//! processes write at a time. Only files with such names are ever removed: the folder may be any folder.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use hmac_sha256::Hash as Sha256;

use super::store::{Content, Notice};
use super::{Corrupt, Key, MAX_ENTRY, VERSION};

/// What the first line begins with.
const MARK: &str = "ult evidence";

/// What the names of files begin with that are being written.
const UNFINISHED: &str = ".ult-";

/// Such a file of this age was left behind by a process that was ended.
const STALE: Duration = Duration::from_secs(3600);

/// See <https://bford.info/cachedir/>: programs that make backups leave such folders out.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # Evidence that ult found, to be checked again. May be removed at any time.\n";

/// A folder with entries.
pub(super) struct Folder {
    path: PathBuf,
    limit: u64,
    /// Something was written by us.
    written: AtomicBool,
    /// That nothing can be written was told.
    told: AtomicBool,
}

/// A file in the folder.
struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Folder {
    pub(super) fn new(path: &Path, limit: u64) -> Folder {
        Folder {
            path: path.to_owned(),
            limit,
            written: AtomicBool::new(false),
            told: AtomicBool::new(false),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn place(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        let (folder, file) = name.split_at(2);
        self.path.join(folder).join(file)
    }

    pub(super) fn load(&self, key: &Key) -> Result<Option<Arc<str>>, Corrupt> {
        let path = self.place(key);
        let unreadable = |error: io::Error| Corrupt::new(format!("it cannot be read ({error})"));
        // Not even opened, if it is no file: that could take forever.
        match fs::metadata(&path) {
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(unreadable(error)),
            Ok(found) if !found.is_file() => return Err(Corrupt::new("it is no file")),
            Ok(_) => {}
        }
        let file = match File::open(&path) {
            Err(error) if is_absent(&error) => return Ok(None),
            file => file.map_err(unreadable)?,
        };
        let longest = MAX_ENTRY as u64 + 1024;
        let mut bytes = Vec::new();
        let mut some = (&file).take(longest + 1);
        some.read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > longest {
            return Err(Corrupt::new("it is too long"));
        }
        let text = opened(&bytes, key)?;
        // Those that are used stay. If the time cannot be changed, it goes a little sooner.
        let _ = file.set_modified(SystemTime::now());
        Ok(Some(text.into()))
    }

    pub(super) fn save(&self, key: &Key, text: &str) -> Option<Notice> {
        match self.write(key, text) {
            Ok(()) => {
                self.written.store(true, Ordering::Relaxed);
                None
            }
            Err(_) if self.told.swap(true, Ordering::Relaxed) => None,
            Err(error) => Some(Notice::Unwritable {
                folder: self.path.clone(),
                why: error.to_string(),
            }),
        }
    }

    fn write(&self, key: &Key, text: &str) -> io::Result<()> {
        let path = self.place(key);
        let folder = path.parent().unwrap_or(&self.path);
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
            let tag = self.path.join("CACHEDIR.TAG");
            if !tag.exists() {
                fs::write(tag, TAG)?;
            }
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED).suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // Less what the user's mask takes away, as for any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut new = builder.tempfile_in(folder)?;
        new.write_all(closed(key, text).as_bytes())?;
        // It need not be on the disk at once: what a crash leaves of it is noticed.
        new.persist(&path)?;
        Ok(())
    }

    pub(super) fn forget(&self, key: &Key) {
        // If that fails it is found to be wrong once more.
        let _ = fs::remove_file(self.place(key));
    }

    pub(super) fn prune(&self) {
        if self.written.swap(false, Ordering::Relaxed) {
            self.shrink(self.limit);
        }
    }

    pub(super) fn content(&self) -> Content {
        let entries = self.entries();
        Content {
            entries: entries.len() as u64,
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
        }
    }

    pub(super) fn shrink(&self, limit: u64) {
        let mut entries = self.entries();
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        if bytes <= limit {
            return;
        }
        entries.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
        for entry in entries {
            if bytes <= limit {
                return;
            }
            let removed = fs::remove_file(&entry.path);
            if removed.is_ok() || removed.is_err_and(|error| is_absent(&error)) {
                bytes -= entry.bytes;
            }
        }
    }

    /// All entries. What was left unfinished long ago is removed on the way.
    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for folder in listed(&self.path) {
            if !is_hexadecimal(&folder, 2) {
                continue;
            }
            for file in listed(&folder) {
                let unfinished = name_of(&file).is_some_and(|name| name.starts_with(UNFINISHED));
                if !unfinished && !is_hexadecimal(&file, 62) {
                    continue;
                }
                let Ok(found) = fs::symlink_metadata(&file) else {
                    continue;
                };
                let used = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                if !found.is_file() {
                    continue;
                }
                if !unfinished {
                    let bytes = found.len();
                    entries.push(Entry {
                        path: file,
                        bytes,
                        used,
                    });
                } else if used.elapsed().is_ok_and(|age| age > STALE) {
                    let _ = fs::remove_file(&file);
                }
            }
        }
        entries
    }
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten();
    found.flatten().map(|entry| entry.path()).collect()
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn is_hexadecimal(path: &Path, length: usize) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name_of(path).is_some_and(|name| name.len() == length && name.bytes().all(is_digit))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn digest(text: &str) -> Key {
    Key(Sha256::hash(text.as_bytes()))
}

/// The whole content of a file.
fn closed(key: &Key, text: &str) -> String {
    format!("{MARK} {VERSION}\n{key}\n{}\n{text}", digest(text))
}

/// The text in a file, if it is what was written for this key.
fn opened<'b>(bytes: &'b [u8], key: &Key) -> Result<&'b str, Corrupt> {
    let text = std::str::from_utf8(bytes).map_err(|_| Corrupt::new("it is no text"))?;
    let broken = || Corrupt::new("its beginning is damaged");
    let mut parts = text.splitn(4, '\n');
    let mut part = || parts.next().ok_or_else(broken);
    let (mark, of, sum, text) = (part()?, part()?, part()?, part()?);
    let version = mark.strip_prefix(MARK).ok_or_else(broken)?;
    if version.trim() != VERSION.to_string() {
        return Err(Corrupt::new("another version of ult wrote it"));
    }
    if of != key.to_string() {
        return Err(Corrupt::new("it is about another program"));
    }
    if sum != digest(text).to_string() {
        return Err(Corrupt::new("it is not as it was written"));
    }
    Ok(text)
}
