//! Fetches the Python package `z3-solver` with Python's own package clients, so that a mirror, a proxy or a folder of
//! wheels that is set up for them is used here too.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cache::Cache;
use super::{LEAST_MAJOR, Machine, PACKAGE_VERSION};

/// Is the package of the wanted version there?
pub(super) fn is_package(home: &Path, machine: &Machine) -> bool {
    home.join(description()).is_dir() && library_in(home, machine).is_file()
}

/// The library of an installed package.
pub(super) fn library_in(home: &Path, machine: &Machine) -> PathBuf {
    home.join("z3").join("lib").join(machine.file_name)
}

/// The folder in which a Python package describes itself.
pub(super) fn description() -> String {
    format!("z3_solver-{PACKAGE_VERSION}.dist-info")
}

/// Installs the package into `staging` with the first package client that is there.
///
/// # Errors
/// One line for every client: absent, or how it failed.
pub(super) fn fetch(staging: &Path, machine: &Machine) -> Result<(), Vec<String>> {
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
    if is_package(staging, machine) {
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

/// Runs a program of the system on a file.
pub(super) fn run_tool(name: &str, arguments: &[&OsStr], machine: &Machine) -> Result<(), String> {
    run(program(&[name], Path::new("/"), machine).args(arguments))
        .map_err(|e| format!("{name}: {e}"))
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

/// The message for a user whose machine cannot fetch Z3 by itself.
pub(super) fn missing(cache: &Cache, tried: &[String], machine: &Machine) -> String {
    let home = cache.home().display();
    let unpacked = cache.by_hand();
    let unpacked = unpacked.display();
    let file_name = machine.file_name;
    let tried = tried.join("\n    ");
    format!(
        "Z3 {PACKAGE_VERSION} is not in the cache folder {home}, and it could not be fetched.\n\
         \x20 Tried:\n    {tried}\n\
         \x20 Do one of these, then run the same cargo command again:\n\
         \x20 - Debian, Ubuntu: apt-get install python3-pip        (as root)\n\
         \x20 - install the package yourself:\n\
         \x20     pip install --no-deps --target {unpacked} z3-solver=={PACKAGE_VERSION}\n\
         \x20 - without a network: on another machine of this kind run\n\
         \x20     pip download --no-deps z3-solver=={PACKAGE_VERSION}\n\
         \x20   bring the .whl file here, and unpack it:\n\
         \x20     python3 -m zipfile -e z3_solver-{PACKAGE_VERSION}-*.whl {unpacked}      (or: unzip -d {unpacked} ...)\n\
         \x20 - use a Z3 of your own, version {LEAST_MAJOR}.0 or newer:\n\
         \x20     ULT_Z3_DIR=/folder/with/{file_name} cargo ...\n\
         \x20 Another cache folder is named with ULT_CACHE_DIR."
    )
}
