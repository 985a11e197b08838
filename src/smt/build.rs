//! Gives `ult` its Z3: finds or fetches the library, and tells the crate where it is.
//!
//! Programs load it when they need it (`raw/library.rs`), by its absolute path, so they need no run path, no variables
//! and no build script of their own. Nothing is linked with it: `z3-sys` says "link `z3`", and what the linker finds is
//! decided here, by its first search folder. It is one below cargo's output folder of this script: cargo passes such
//! folders on to everything that depends on this package, whatever workspace it is in, and puts them before the folders
//! of the system (see `build/link.rs`).
//!
//! Variables: `ULT_Z3_DIR` (a folder with the user's own library), `ULT_CACHE_DIR` (where a fetched one is kept), and
//! `ULT_Z3_LINK=soname` (for packages that bring the library along, see `build/link.rs`).

#![allow(clippy::print_stderr, reason = "how a build script speaks")]

#[path = "build/supply.rs"]
mod supply;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use supply::{Cache, Link, Machine};

fn main() -> ExitCode {
    match prepare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // To stderr and not as `cargo::error`, which cargo would print twice, each line with a prefix.
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn prepare() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    for name in ["ULT_Z3_DIR", "ULT_CACHE_DIR", "ULT_Z3_LINK"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if env::var_os("DOCS_RS").is_some() {
        return Ok(()); // no network there, and nothing is linked
    }

    let out = PathBuf::from(variable("OUT_DIR")?);
    let named = env::var_os("ULT_Z3_DIR").filter(|dir| !dir.is_empty());
    let link = Link::named(env::var("ULT_Z3_LINK").ok().as_deref())?;
    let os = variable("CARGO_CFG_TARGET_OS")?;
    let target = variable("TARGET")?;
    if named.is_none() && variable("HOST")? != target {
        return Err(
            "the build fetches Z3 for this machine only; when building for another one, \
             set ULT_Z3_DIR to a folder with that machine's libz3.so."
                .to_owned(),
        );
    }
    let machine = Machine {
        path: env::var_os("PATH").unwrap_or_default(),
        file_name: match os.as_str() {
            "macos" => "libz3.dylib",
            "windows" => return Err("Windows is not supported yet; use WSL.".to_owned()),
            _ => "libz3.so",
        },
        target,
        may_install_packages: is_root(),
    };
    let cache = Cache::new(|name| env::var_os(name), &machine, out.join("cache"))?;

    let library = supply::library(named.as_deref(), link, &cache, &machine)?;
    println!("cargo::rerun-if-changed={}", library.display());
    if let Some(dir) = &named {
        let original = Path::new(dir).join(machine.file_name);
        println!("cargo::rerun-if-changed={}", original.display());
    }
    if named.is_none() && library.starts_with(&out) {
        println!(
            "cargo::warning=Z3 is kept in {}, since there is no cache folder that can be written; programs stop \
             working when it is removed. ULT_CACHE_DIR names another folder.",
            library.display()
        );
    }
    let search = out.join("z3");
    let name = supply::name_in_programs(&library, link, &machine)?;
    println!("cargo::rustc-env=ULT_Z3_BUILT={name}");
    supply::make_link_dir(&search, &library, &name, &machine)?;
    println!("cargo::rustc-link-search=native={}", search.display());

    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|e| format!("cargo's variable {name}: {e}"))
}

/// Only root can install system packages; everybody else is told which ones are needed.
fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
