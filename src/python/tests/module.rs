//! Has Python load the module that was built, and run `test_ult.py`. Where there is no Python, a line says so.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn python_checks_programs() {
    let mut version = Command::new("python3");
    let version = version.args(["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
    if !version.status().is_ok_and(|status| status.success()) {
        missing("python3 (3.9 or newer) is missing: the Python module is not tested");
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let installed = folder.path().join("ult");
    fs::create_dir(&installed).expect("writable");
    for file in fs::read_dir(package.join("ult")).expect("the package is there") {
        let file = file.expect("an entry").path();
        if file.is_file() {
            let name = file.file_name().expect("a name");
            fs::copy(&file, installed.join(name)).expect("writable");
        }
    }
    let module = built("lib_ult.so").or_else(|| built("lib_ult.dylib"));
    let module = module.expect("cargo has built the library of this package");
    fs::copy(module, installed.join("_ult.abi3.so")).expect("writable");
    let mut python = Command::new("python3");
    // Cargo's folders for libraries are none of its business.
    python.env_remove("LD_LIBRARY_PATH");
    python.env("PYTHONPATH", folder.path());
    python.env("ULT_BOOK", package.join("../../book/src"));
    match built("ult") {
        Some(program) => {
            python.env("ULT_PROGRAM", program);
        }
        None => missing("the program `ult` is not built: C in Python is not tested"),
    }
    let output = python
        .arg(package.join("tests/test_ult.py"))
        .current_dir(package.join("../.."))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("OK"), "{said}");
}

/// A file beside this test's program, or in the folder above.
fn built(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().expect("it has a path");
    let mut folders = own.ancestors().skip(1).take(2);
    folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()))
}

/// For whoever reads the tests' output, and in the file that `ULT_SKIPPED` names.
fn missing(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
    if let Some(path) = std::env::var_os("ULT_SKIPPED") {
        let file = fs::File::options().append(true).create(true).open(path);
        let written = file.and_then(|mut file| writeln!(file, "{what}"));
        written.expect("the list of what is skipped can be written");
    }
}
