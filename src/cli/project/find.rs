//! Which project file counts for a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::read::read;
use super::{NAME, Project};
use crate::exit::Exit;

/// The project files that were found, each read once.
pub(crate) struct Projects {
    /// The only one that counts, if somebody named it.
    named: Option<Rc<Project>>,
    /// Whether others are looked for.
    looks: bool,
    /// By folder.
    known: BTreeMap<PathBuf, Option<Rc<Project>>>,
}

impl Projects {
    /// The projects that a command line speaks of.
    ///
    /// # Errors
    /// [`Exit::Usage`], after messages, if the named file cannot be read, or has errors.
    pub(crate) fn new(named: Option<&Path>, none: bool) -> Result<Projects, Exit> {
        let named = named.map(|path| read(path).map(Rc::new)).transpose()?;
        Ok(Projects {
            looks: !none && named.is_none(),
            named,
            known: BTreeMap::new(),
        })
    }

    /// The project of a file: the first one in its folder or above.
    ///
    /// # Errors
    /// [`Exit::Usage`], after messages, if it has errors.
    pub(crate) fn of_file(&mut self, file: &Path) -> Result<Option<Rc<Project>>, Exit> {
        if file.as_os_str() == "-" {
            return Ok(None);
        }
        match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => self.of_folder(folder),
            _ => self.of_folder(Path::new(".")),
        }
    }

    /// The project of a folder: the first one in it or above.
    ///
    /// # Errors
    /// As [`Projects::of_file`].
    pub(crate) fn of_folder(&mut self, folder: &Path) -> Result<Option<Rc<Project>>, Exit> {
        if self.named.is_some() || !self.looks {
            return Ok(self.named.clone());
        }
        // What cannot be found will be told by whoever reads it.
        let Ok(folder) = folder.canonicalize() else {
            return Ok(None);
        };
        if let Some(known) = self.known.get(&folder) {
            return Ok(known.clone());
        }
        let file = folder.join(NAME);
        let project = match file.is_file() && is_trusted(&folder, &file) {
            true => Some(Rc::new(read(&as_named(&file))?)),
            false => match folder.parent() {
                Some(above) => self.of_folder(above)?,
                None => None,
            },
        };
        self.known.insert(folder, project.clone());
        Ok(project)
    }
}

/// As people name it, if it lies in the working folder.
fn as_named(file: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    match here.ok().and_then(|here| file.strip_prefix(here).ok()) {
        Some(inside) => inside.to_owned(),
        None => file.to_owned(),
    }
}

/// Whether the file was put there by the user, or by somebody who may decide about the folder. In a folder that everybody
/// can write to, such as that for temporary files, anybody could decide how the programs of others are checked.
fn is_trusted(folder: &Path, file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (Ok(folder), Ok(file)) = (std::fs::metadata(folder), std::fs::metadata(file)) else {
            return false;
        };
        let everybody = folder.mode() & 0o002 != 0;
        !everybody || file.uid() == user()
    }
    #[cfg(not(unix))]
    {
        let _ = (folder, file);
        true
    }
}

/// Who runs this process.
#[cfg(unix)]
#[allow(unsafe_code)]
fn user() -> u32 {
    // SAFETY: it has no preconditions and cannot fail.
    unsafe { libc::geteuid() }
}
