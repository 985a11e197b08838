//! The folder that the linker searches for `z3`, what it finds there, and what programs call the library.

use std::fs;
use std::io;
use std::path::Path;

use super::{Machine, soname};

/// How programs name the library that they load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// By its absolute path on this machine, so that they find it wherever they are.
    Path,
    /// By the name that the library gives itself (`libz3.so.5.4`): for packages that bring it along.
    Soname,
}

impl Link {
    /// By the value of `ULT_Z3_LINK`.
    ///
    /// # Errors
    /// When there is no such way.
    pub(crate) fn named(name: Option<&str>) -> Result<Link, String> {
        match name {
            None | Some("" | "path") => Ok(Link::Path),
            Some("soname") => Ok(Link::Soname),
            Some(other) => Err(format!(
                "ULT_Z3_LINK is {other}; it can be `path` (as if it were not set) or `soname`."
            )),
        }
    }
}

/// What programs call this library.
///
/// # Errors
/// When it has no name that can be written into a program.
pub(crate) fn name_in_programs(
    library: &Path,
    how: Link,
    machine: &Machine,
) -> Result<String, String> {
    if how == Link::Soname {
        if machine.is_mac() {
            return Ok(machine.file_name.to_owned());
        }
        let read = |e: io::Error| format!("{}: {e}", library.display());
        let bytes = fs::read(library).map_err(read)?;
        let name = soname(&bytes).map_err(|e| format!("{}: {e}", library.display()))?;
        return Ok(name.unwrap_or_else(|| machine.file_name.to_owned()));
    }
    let path = library
        .to_str()
        .filter(|path| !path.contains(['\n', '\r', '\0']));
    path.map(str::to_owned).ok_or_else(|| {
        format!(
            "a program cannot be given the path {}; name another folder with ULT_CACHE_DIR.",
            library.display()
        )
    })
}

/// Makes `dir` the folder that the linker searches, with what `z3-sys` makes it look for.
///
/// That is an archive with nothing in it: programs load the library themselves. Were the folder empty, the linker would
/// find another library, or none. For programs that cargo starts, the folder is among those where loaders look; so the
/// library is there by the name that such programs call it, and by no other, which might be in the way of programs that
/// look for a `libz3.so` of their own.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn make_link_dir(
    dir: &Path,
    library: &Path,
    name: &str,
    machine: &Machine,
) -> Result<(), String> {
    let failed = |e: io::Error| format!("cannot fill {}: {e}", dir.display());
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(failed)?;
    }
    fs::create_dir_all(dir).map_err(failed)?;
    if machine.is_mac() {
        // Its linker knows no empty archives.
        return link(library, &dir.join(machine.file_name)).map_err(failed);
    }
    if !name.contains('/') {
        link(library, &dir.join(name)).map_err(failed)?;
    }
    fs::write(dir.join("libz3.a"), "!<arch>\n").map_err(failed)
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop)
}
