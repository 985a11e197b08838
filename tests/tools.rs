//! Tests that need a program which README.md does not ask for. Where it is missing they say so, for whoever reads their
//! output, and in the file that `ULT_SKIPPED` names; where `ULT_REQUIRED` lists it, its absence is a failure.

use std::io::Write as _;
#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether there is a program of this name.
pub fn has(program: &str) -> bool {
    let mut version = Command::new(program);
    let version = version.arg("--version").stdin(Stdio::null());
    let version = version.stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Notes that a tool is missing and what is not tested for that reason.
///
/// # Panics
/// If the tool must not be missing here.
pub fn missing(tool: &str, untested: &str) {
    let required = std::env::var("ULT_REQUIRED").unwrap_or_default();
    assert!(
        !required.split_whitespace().any(|name| name == tool),
        "{tool} must not be missing here: {untested} is not tested"
    );
    let line = format!("{tool} is missing: {untested} is not tested\n");
    eprint!("{line}");
    if let Some(path) = std::env::var_os("ULT_SKIPPED") {
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the list of what is skipped can be written");
    }
}

/// A shared library with this text in C, made in a folder, to be put before others. Whoever builds `ult` has a C compiler: it
/// links.
#[cfg(target_os = "linux")]
pub(crate) fn shared_library(folder: &Path, text: &str) -> PathBuf {
    let (source, library) = (folder.join("other.c"), folder.join("other.so"));
    std::fs::write(&source, text).expect("the folder can be written");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl");
    assert!(cc.status().is_ok_and(|status| status.success()));
    library
}
