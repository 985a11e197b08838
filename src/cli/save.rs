//! Files that somebody asked for: written whole or not at all, and never over what was read.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::exit::Exit;
use super::output::complain;

/// Lets a write beyond the limit for the size of files fail, instead of ending the process. To be called before there are
/// other threads.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // Else the process ends at such a write, as it does without us.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// Refuses outputs that would take the place of an input, or of each other.
///
/// # Errors
/// [`Exit::Usage`], after a message.
pub(crate) fn refuse_conflicts<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Exit> {
    let mut taken: Vec<(&Path, &str)> = (inputs.into_iter())
        .map(|input| (input, "is read"))
        .collect();
    for output in outputs {
        if let Some((_, why)) = taken.iter().find(|(other, _)| is_same(output, other)) {
            complain(&format!(
                "cannot write `{}`: it {why} by the same command",
                output.display()
            ));
            return Err(Exit::Usage);
        }
        taken.push((output, "is written"));
    }
    Ok(())
}

/// Whether two paths lead to one file. Devices can be written twice.
fn is_same(one: &Path, other: &Path) -> bool {
    match fs::metadata(one) {
        Ok(found) if !found.is_file() => false,
        _ => same_file::is_same_file(one, other).unwrap_or(one == other),
    }
}

/// Writes a file. If that fails, what was there before is still there.
///
/// # Errors
/// [`Exit::Usage`], after a message.
pub(crate) fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Exit> {
    replace(path, content.as_ref()).map_err(|error| {
        complain(&format!("cannot write `{}`: {error}", path.display()));
        Exit::Usage
    })
}

/// The new content is complete, and on the disk, before it takes the place of the old one.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // Links stay links.
    let path = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        path => path?,
    };
    let old = match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        old => Some(old?),
    };
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe: there is nothing to be lost.
        return File::options().write(true).open(&path)?.write_all(content);
    }
    if old.is_some() {
        // What must not be written must not be replaced either.
        File::options().write(true).open(&path)?;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ult-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Less what the user's mask takes away, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(content)?;
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(&path)?;
    Ok(())
}
