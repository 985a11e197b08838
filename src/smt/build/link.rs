//! The folder that the linker searches for `z3`, and what it finds there.

use std::fs;
use std::io;
use std::path::Path;

use super::{Machine, soname};

/// How programs name the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// By its absolute path on this machine, so that they find it wherever they are.
    Path,
    /// By the name that the library gives itself (`libz3.so.5.4`): for packages that bring it along. Programs then need
    /// a run path, which only the build script of their own package can give them.
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

/// Makes `dir` the folder that the linker searches. It has this library, and no other one that the linker could want.
///
/// A library without a name is called in a program as it was called for the linker. For one that was found by `-lz3` in a
/// search folder that is the file's name; hence a linker script, which names the file by its path. It is called
/// `libz3.a`, as the C library's scripts for `-lm` are: cargo adds the folder to `LD_LIBRARY_PATH` of what it runs, where
/// a text called `libz3.so` would be in the way of other programs that look for a `libz3.so` of their own.
///
/// # Errors
/// When the folder cannot be written, or when the library's path cannot be said to a linker.
pub(crate) fn make_link_dir(
    dir: &Path,
    library: &Path,
    how: Link,
    machine: &Machine,
) -> Result<(), String> {
    let failed = |e: io::Error| format!("cannot fill {}: {e}", dir.display());
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(failed)?;
    }
    fs::create_dir_all(dir).map_err(failed)?;
    if how == Link::Path && !machine.is_mac() {
        return fs::write(dir.join("libz3.a"), script(library)?).map_err(failed);
    }
    link(library, &dir.join(machine.file_name)).map_err(failed)?;
    if how == Link::Soname && !machine.is_mac() {
        let bytes = fs::read(library).map_err(failed)?;
        let name = soname(&bytes).map_err(|e| format!("{}: {e}", library.display()))?;
        if let Some(name) = name.filter(|name| name != machine.file_name) {
            link(library, &dir.join(name)).map_err(failed)?;
        }
    }
    Ok(())
}

/// A linker script that stands for the library.
fn script(library: &Path) -> Result<String, String> {
    // Neither linkers nor loaders know a way to write these: `$ORIGIN` and the like are replaced.
    let plain = |path: &&str| !path.contains(['"', '\\', '$', '\n', '\r']);
    library
        .to_str()
        .filter(plain)
        .map(|path| format!("INPUT(\"{path}\")\n"))
        .ok_or_else(|| {
            format!(
                "the linker cannot be told the path {}; name another folder with ULT_CACHE_DIR.",
                library.display()
            )
        })
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop)
}
