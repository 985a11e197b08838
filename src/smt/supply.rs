//! Where the build takes Z3 from.
//!
//! Either the folder that the variable `ULT_Z3_DIR` names, or the folder `.z3` in the project's root. The latter is
//! filled when it is absent: the Python package `z3-solver` carries a ready `libz3.so`, and Python's own package
//! clients fetch it, so that a mirror, a proxy or a folder of wheels set up for them is used here too. Nothing is
//! fetched when the folder is there or when the user names another one.
//!
//! A system's own `libz3.so` is never used by accident: Debian 12 has version 4.8 of 2021, the linker takes any
//! `libz3.so` it finds, and nothing would be said about it. So whatever goes wrong in here ends the build.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of the Python package `z3-solver`; its first three numbers are Z3's own version.
pub const PACKAGE_VERSION: &str = "5.4.0.0";

/// The oldest major version of Z3 that `ult` works with.
pub const LEAST_MAJOR: u32 = 5;

/// What there is to know about the machine.
pub struct Machine {
    /// `PATH`: where the programs are looked for.
    pub path: OsString,
    /// The library's file name, `libz3.so` on Linux.
    pub file_name: &'static str,
    /// May system packages be installed? Only for root on a machine with `apt-get`.
    pub may_install_packages: bool,
}

/// The folder with the library to link against. `root` is the project's root, `named` the value of `ULT_Z3_DIR`.
///
/// # Errors
/// A text for the user: what is missing, what was tried, and what to do.
pub fn library_dir(
    root: &Path,
    named: Option<&OsStr>,
    machine: &Machine,
) -> Result<PathBuf, String> {
    match named {
        Some(dir) => named_dir(Path::new(dir), machine),
        None => own_dir(root, machine),
    }
}

/// The user's own Z3. Its version is read from the name that the library gives itself, where there is one; the
/// program asks the library again when it starts.
fn named_dir(dir: &Path, machine: &Machine) -> Result<PathBuf, String> {
    let library = machine.file_name;
    let file = dir.join(library);
    let bytes = fs::read(&file).map_err(|e| {
        format!(
            "ULT_Z3_DIR is {}, but {} cannot be read: {e}\n\
             Set ULT_Z3_DIR to the folder that holds {library} itself, or unset it to let the build fetch Z3.",
            dir.display(),
            file.display()
        )
    })?;
    if let Some(major) = library_major(&bytes)
        && major < LEAST_MAJOR
    {
        return Err(format!(
            "ULT_Z3_DIR is {}, but the {library} there is version {major} of Z3; {LEAST_MAJOR}.0 or newer is needed.\n\
             Name a newer one, or unset ULT_Z3_DIR to let the build fetch Z3 {PACKAGE_VERSION}.",
            dir.display()
        ));
    }
    fs::canonicalize(dir).map_err(|e| format!("ULT_Z3_DIR is {}: {e}", dir.display()))
}

/// The folder `.z3/z3/lib`, filled if need be.
fn own_dir(root: &Path, machine: &Machine) -> Result<PathBuf, String> {
    let home = root.join(".z3");
    if !is_installed(&home, machine) {
        // Each installer works in a folder of its own and moves the result into place as a whole: a build that is
        // killed half-way leaves nothing that looks like a Z3, and of two builds at a time both may win.
        let nanos = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_nanos());
        let staging = home.join(format!("new-{}-{nanos}", std::process::id()));
        fs::create_dir_all(&staging)
            .map_err(|e| format!("cannot create {}: {e}", staging.display()))?;
        let result = fetch(&staging, machine)
            .map_err(|tried| missing(&home, &tried))
            .and_then(|()| {
                move_into_place(&staging, &home, machine).map_err(|e| {
                    format!(
                        "cannot move Z3 from {} to {}: {e}",
                        staging.display(),
                        home.display()
                    )
                })
            });
        let _ = fs::remove_dir_all(&staging); // at worst some space in an ignored folder is lost
        result?;
    }
    Ok(home.join("z3").join("lib"))
}

/// Is the whole package of the wanted version there? Its description is put into place before its library.
pub fn is_installed(home: &Path, machine: &Machine) -> bool {
    home.join(description()).is_dir() && library_in(home, machine).is_file()
}

/// The library of an installed package.
pub fn library_in(home: &Path, machine: &Machine) -> PathBuf {
    home.join("z3").join("lib").join(machine.file_name)
}

/// The folder in which a Python package describes itself.
fn description() -> String {
    format!("z3_solver-{PACKAGE_VERSION}.dist-info")
}

/// The major version in the name that a shared library carries inside (`libz3.so.5.4`, `libz3.5.4.dylib`), if any.
pub fn library_major(bytes: &[u8]) -> Option<u32> {
    let mut rest = bytes;
    while let Some(at) = find(rest, b"libz3.") {
        rest = &rest[at + b"libz3.".len()..];
        let number = rest.strip_prefix(b"so.").unwrap_or(rest);
        let digits = number.iter().take_while(|b| b.is_ascii_digit()).count();
        // The number of a version ends at a dot or at the end of the string, never inside a word.
        if (1..=4).contains(&digits) && matches!(number.get(digits), None | Some(b'.' | 0)) {
            return std::str::from_utf8(&number[..digits]).ok()?.parse().ok();
        }
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

/// Installs the package into `staging` with the first package client that is there.
///
/// # Errors
/// One line for every client: absent, or how it failed.
fn fetch(staging: &Path, machine: &Machine) -> Result<(), Vec<String>> {
    let mut tried = Vec::new();
    if pip_or_uv(staging, machine, &mut tried) {
        return Ok(());
    }
    let all_absent = tried.iter().all(|line| line.ends_with(ABSENT));
    if all_absent && machine.may_install_packages {
        match apt_get(machine) {
            Ok(()) if pip_or_uv(staging, machine, &mut tried) => return Ok(()),
            Ok(()) => {}
            Err(e) => tried.push(format!("apt-get install python3-pip: {e}")),
        }
    }
    Err(tried)
}

const ABSENT: &str = "not there";

/// True when the package has been installed; else `tried` says why not.
fn pip_or_uv(staging: &Path, machine: &Machine, tried: &mut Vec<String>) -> bool {
    // They differ in name only: where one is there and fails, the next would fail for the same reason.
    let pips: [&[&str]; 4] = [
        &["python3", "-m", "pip"],
        &["python", "-m", "pip"],
        &["pip3"],
        &["pip"],
    ];
    let mut has_pip = false;
    for client in pips {
        if is_there(client, machine) {
            has_pip = true;
            match install(client, staging, machine) {
                Ok(()) => return true,
                Err(e) => tried.push(format!("{}: {e}", client.join(" "))),
            }
            break;
        }
    }
    if !has_pip {
        tried.push(format!("pip (python3 -m pip, pip3, pip): {ABSENT}"));
    }
    if is_there(&["uv"], machine) {
        match install(&["uv", "pip"], staging, machine) {
            Ok(()) => return true,
            Err(e) => tried.push(format!("uv pip: {e}")),
        }
    } else {
        tried.push(format!("uv: {ABSENT}"));
    }
    if !has_pip {
        // Python can carry pip in its library without offering it: a virtual environment has it, and leaves the
        // user's Python as it is.
        let venv = staging.join("venv");
        let mut make = program(&["python3", "-m", "venv"], staging, machine);
        if run(make.arg(&venv)).is_ok() {
            let python = venv.join("bin").join("python3");
            let python = python.to_string_lossy();
            match install(&[&*python, "-m", "pip"], staging, machine) {
                Ok(()) => return true,
                Err(e) => tried.push(format!("pip of python3 -m venv: {e}")),
            }
        } else {
            tried.push(format!("python3 -m venv with pip: {ABSENT}"));
        }
    }
    false
}

fn is_there(client: &[&str], machine: &Machine) -> bool {
    run(program(client, Path::new("."), machine).arg("--version")).is_ok()
}

/// `client install` into the folder, checked.
fn install(client: &[&str], staging: &Path, machine: &Machine) -> Result<(), String> {
    let mut command = program(client, staging, machine);
    command
        // Settings of the user that exclude --target.
        .env("PIP_USER", "0")
        .env("PIP_REQUIRE_VIRTUALENV", "0")
        .env_remove("PIP_PREFIX")
        .env_remove("PIP_TARGET")
        // Without a fitting wheel the client would compile Z3 for half an hour; better to say so at once.
        .args(["install", "--no-deps", "--only-binary", ":all:", "--target"])
        .arg(staging)
        .arg(format!("z3-solver=={PACKAGE_VERSION}"));
    run(&mut command)?;
    if is_installed(staging, machine) {
        Ok(())
    } else {
        Err(format!(
            "said it was done, but {} is not there",
            library_in(staging, machine).display()
        ))
    }
}

/// Debian's pip. The list of packages is often empty in a fresh container, hence the second try.
fn apt_get(machine: &Machine) -> Result<(), String> {
    let get = |args: &[&str]| {
        let mut command = program(&["apt-get"], Path::new("/"), machine);
        run(command.env("DEBIAN_FRONTEND", "noninteractive").args(args))
    };
    let pip = [
        "install",
        "-y",
        "--no-install-recommends",
        "python3",
        "python3-pip",
    ];
    get(&pip).or_else(|_| get(&["update"]).and_then(|()| get(&pip)))
}

fn program(words: &[&str], dir: &Path, machine: &Machine) -> Command {
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .env("PATH", &machine.path)
        .current_dir(dir)
        .stdin(Stdio::null());
    command
}

/// Runs a program to its end; the error is the end of what it said.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = if output.stderr.is_empty() {
        output.stdout
    } else {
        output.stderr
    };
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(6)..].join("\n      ");
    Err(format!("{}\n      {last}", output.status))
}

/// Moves the parts of a package that are wanted; the library comes last, as a whole, and makes it count as installed.
fn move_into_place(staging: &Path, home: &Path, machine: &Machine) -> io::Result<()> {
    // Cargo compares times to see whether the build script has to run again. The library did not change *after* this
    // run, so it must not look as if it did, else the second build would do everything anew.
    fs::File::options()
        .append(true)
        .open(library_in(staging, machine))?
        .set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000))?;
    for (number, part) in ["bin", &description(), "z3"].into_iter().enumerate() {
        let (from, to) = (staging.join(part), home.join(part));
        if !from.exists() || fs::rename(&from, &to).is_ok() {
            continue;
        }
        // Something is there already: another build was quicker, or it is the rest of something else.
        if is_installed(home, machine) {
            return Ok(());
        }
        fs::rename(&to, staging.join(format!("old-{number}")))?;
        if let Err(e) = fs::rename(&from, &to)
            && !to.exists()
        {
            return Err(e);
        }
    }
    Ok(())
}

/// The message for a user whose machine cannot fetch Z3 by itself.
fn missing(home: &Path, tried: &[String]) -> String {
    let home = home.display();
    let tried = tried.join("\n    ");
    format!(
        "Z3 {PACKAGE_VERSION} is not in {home}, and it could not be installed there.\n\
         \x20 Tried:\n    {tried}\n\
         \x20 Do one of these, then run the same cargo command again:\n\
         \x20 - Debian, Ubuntu: apt-get install python3-pip        (as root)\n\
         \x20 - install the package yourself:\n\
         \x20     pip install --no-deps --target {home} z3-solver=={PACKAGE_VERSION}\n\
         \x20 - without a network: on another machine of this kind run\n\
         \x20     pip download --no-deps z3-solver=={PACKAGE_VERSION}\n\
         \x20   bring the .whl file here, and unpack it:\n\
         \x20     python3 -m zipfile -e z3_solver-{PACKAGE_VERSION}-*.whl {home}      (or: unzip -d {home} ...)\n\
         \x20 - use a Z3 of your own, version {LEAST_MAJOR}.0 or newer:\n\
         \x20     ULT_Z3_DIR=/folder/with/libz3.so cargo ..."
    )
}

/// Makes `dir` a folder that holds Z3's shared library and nothing else, under all its names.
///
/// It is what the linker searches. A folder such as `/usr/lib` would offer every other library of the system as well,
/// and a static `libz3.a` beside the shared one is not wanted either.
pub fn make_link_dir(library_dir: &Path, dir: &Path) -> io::Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(library_dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with("libz3.") && (text.contains(".so") || text.ends_with(".dylib")) {
            link(&entry.path(), &dir.join(&name))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop)
}
