//! Where the build takes Z3 from.
//!
//! Either the folder that the variable `ULT_Z3_DIR` names, or a folder in the user's cache, which is filled when it is
//! absent: the Python package `z3-solver` carries a ready `libz3.so`, and Python's own package clients fetch it. Nothing
//! is fetched when the folder is there or when the user names another one, and nothing is written to the sources.
//!
//! A system's own `libz3.so` is never used by accident: Debian 12 has version 4.8 of 2021, the linker takes any
//! `libz3.so` it finds, and nothing would be said about it. So whatever goes wrong in here ends the build.

mod cache;
mod fetch;
mod library;
mod link;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

pub(crate) use cache::Cache;
pub(crate) use library::{major, soname, without_soname};
pub(crate) use link::{Link, make_link_dir, name_in_programs};

/// The version of the Python package `z3-solver`; its first three numbers are Z3's own version.
pub(crate) const PACKAGE_VERSION: &str = "5.4.0.0";

/// The oldest major version of Z3 that `ult` works with.
pub(crate) const LEAST_MAJOR: u32 = 5;

/// What there is to know about the machine.
pub(crate) struct Machine {
    /// `PATH`: where the programs are looked for.
    pub path: OsString,
    /// The library's file name, `libz3.so` on Linux.
    pub file_name: &'static str,
    /// The machine's kind, `x86_64-unknown-linux-gnu`. Machines of several kinds may share a home.
    pub target: String,
    /// May system packages be installed? Only for root on a machine with `apt-get`.
    pub may_install_packages: bool,
}

impl Machine {
    fn is_mac(&self) -> bool {
        self.file_name.ends_with(".dylib")
    }
}

/// The file that programs load: from the folder `named` (the value of `ULT_Z3_DIR`), or else from the cache.
///
/// With [`Link::Path`] it has no name of its own but its path, and it stays where it is.
///
/// # Errors
/// A text for the user: what is missing, what was tried, and what to do.
pub(crate) fn library(
    named: Option<&OsStr>,
    link: Link,
    cache: &Cache,
    machine: &Machine,
) -> Result<PathBuf, String> {
    match named {
        Some(dir) => named_library(Path::new(dir), link, cache, machine),
        None => fetched_library(link, cache, machine),
    }
}

/// The user's own Z3. Its version is read from the name that the library gives itself, where there is one; the
/// program asks the library again when it starts.
///
/// The file is not touched: what must be changed, is changed in a copy. The copy's folder is named after the contents,
/// so that a library that is replaced gets another one, and a program keeps the one that it was built with.
fn named_library(
    dir: &Path,
    link: Link,
    cache: &Cache,
    machine: &Machine,
) -> Result<PathBuf, String> {
    let file_name = machine.file_name;
    let file = dir.join(file_name);
    let bytes = fs::read(&file).map_err(|e| {
        format!(
            "ULT_Z3_DIR is {}, but {} cannot be read: {e}\n\
             Set ULT_Z3_DIR to the folder that holds {file_name} itself, or unset it to let the build fetch Z3.",
            dir.display(),
            file.display()
        )
    })?;
    if let Some(major) = major(&bytes)
        && major < LEAST_MAJOR
    {
        return Err(format!(
            "ULT_Z3_DIR is {}, but the {file_name} there is version {major} of Z3; {LEAST_MAJOR}.0 or newer is needed.\n\
             Name a newer one, or unset ULT_Z3_DIR to let the build fetch Z3 {PACKAGE_VERSION}.",
            dir.display()
        ));
    }
    let file =
        fs::canonicalize(&file).map_err(|e| format!("ULT_Z3_DIR is {}: {e}", dir.display()))?;
    if link == Link::Soname {
        return Ok(file);
    }
    let digest = hmac_sha256::Hash::hash(&bytes);
    let digest: String = digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let entry = format!("z3-own-{digest}");
    let whole = |dir: &Path| dir.join(file_name).is_file();
    let dir = cache.entry(&entry, whole, |_, new, place| {
        put(&file, &new.join(file_name), &place.join(file_name), machine)
    })?;
    Ok(dir.join(file_name))
}

/// The library of the Python package, in the cache.
fn fetched_library(link: Link, cache: &Cache, machine: &Machine) -> Result<PathBuf, String> {
    let file_name = machine.file_name;
    let whole = |dir: &Path| dir.join(file_name).is_file();
    let dir = cache.entry(&entry_name(link, machine), whole, |work, new, place| {
        let package = match cache.unpacked_by_hand(machine) {
            Some(dir) => dir,
            None => {
                fetch::fetch(work, machine)
                    .map_err(|tried| fetch::missing(cache, &tried, machine))?;
                work.to_owned()
            }
        };
        let library = fetch::library_in(&package, machine);
        let new_file = new.join(file_name);
        match link {
            Link::Path => put(&library, &new_file, &place.join(file_name), machine)?,
            Link::Soname => copy(&library, &new_file)?,
        }
        // The description of the package says whose work it is and under which licence.
        let description = fetch::description();
        copy_dir(&package.join(&description), &new.join(&description))
    })?;
    Ok(dir.join(file_name))
}

/// The folder in the cache that the Python package's library is kept in.
pub(crate) fn entry_name(link: Link, machine: &Machine) -> String {
    let suffix = match link {
        Link::Path => "",
        Link::Soname => "-soname",
    };
    format!("z3-{PACKAGE_VERSION}-{}{suffix}", machine.target)
}

/// Copies a library so that programs that are linked with it name it by the path `place`, to which `new` is moved later.
fn put(library: &Path, new: &Path, place: &Path, machine: &Machine) -> Result<(), String> {
    if machine.is_mac() {
        copy(library, new)?;
        library::rename_on_mac(new, place, machine)?;
        return make_old(new).map_err(|e| format!("cannot finish {}: {e}", new.display()));
    }
    let failed = |e: String| format!("{} as a shared library: {e}", library.display());
    let bytes = fs::read(library).map_err(|e| failed(e.to_string()))?;
    write(new, &without_soname(&bytes).map_err(failed)?)
}

/// Cargo runs a build script again when a file it names is newer than the script's last run. The file is newer than the
/// start of the build that made it, and than the last build of every other project that uses it.
fn make_old(file: &Path) -> std::io::Result<()> {
    let file = fs::File::options().append(true).open(file)?;
    file.set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000))?;
    file.sync_all()
}

/// Contents alone: a file that may not be written would be in the way later.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = fs::read(from).map_err(|e| format!("cannot read {}: {e}", from.display()))?;
    write(to, &bytes)
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes)
        .and_then(|()| make_old(file))
        .map_err(|e| format!("cannot write {}: {e}", file.display()))
}

fn copy_dir(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot copy {}: {e}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_dir(&entry.path(), &target)?;
        } else {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}
