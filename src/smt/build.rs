//! Gives `ult` its Z3: finds or fetches the library, and tells cargo how to link against it and find it again.
//!
//! `z3-sys` only says "link `z3`". Which one that is, is decided here:
//! * The linker's first search folder is one below cargo's own output folder, which holds links to the chosen library
//!   and nothing else. Cargo passes it on to every package that depends on `ult`, puts such folders before all others,
//!   and adds it to `LD_LIBRARY_PATH` under `cargo run`, `test` and `bench`. So documentation tests and the programs
//!   of other packages of the workspace need nothing of their own.
//! * Programs started without cargo find it by their run path: beside an installed program
//!   (`bin/ult`, `lib/ult/libz3.so.5.4`), or else where it lay at build time.

#[path = "supply.rs"]
mod supply;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    println!("cargo::rerun-if-changed=supply.rs");
    println!("cargo::rerun-if-env-changed=ULT_Z3_DIR");

    settings_were_read()?;
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let named = env::var_os("ULT_Z3_DIR").filter(|dir| !dir.is_empty());
    let os = variable("CARGO_CFG_TARGET_OS")?;
    let machine = supply::Machine {
        path: env::var_os("PATH").unwrap_or_default(),
        file_name: match os.as_str() {
            "macos" => "libz3.dylib",
            "windows" => return Err("Windows is not supported yet; use WSL.".to_owned()),
            _ => "libz3.so",
        },
        may_install_packages: is_root(),
    };
    if named.is_none() && variable("HOST")? != variable("TARGET")? {
        return Err(
            "the build fetches Z3 for this machine only; when building for another one, \
             set ULT_Z3_DIR to a folder with that machine's libz3.so."
                .to_owned(),
        );
    }

    let library_dir = supply::library_dir(&root, named.as_deref(), &machine)?;
    println!(
        "cargo::rerun-if-changed={}",
        library_dir.join(machine.file_name).display()
    );
    let search = out.join("z3");
    supply::make_link_dir(&library_dir, &search)
        .map_err(|e| format!("cannot fill {}: {e}", search.display()))?;
    println!("cargo::rustc-link-search=native={}", search.display());
    // Read by build scripts of packages that depend on `ult` as DEP_ULT_Z3_DIR, for their own run path.
    println!("cargo::metadata=z3_dir={}", library_dir.display());
    for dir in [Path::new("$ORIGIN/../lib/ult"), &library_dir] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", dir.display());
    }
    Ok(())
}

/// `.cargo/config.toml` sets what `z3-sys` must know. Cargo reads that file only when it is run inside the project;
/// without it `z3-sys` asks the system, and takes the interface of whatever Z3 that has.
fn settings_were_read() -> Result<(), String> {
    let major = env::var("DEP_Z3_VERSION_MAJOR").ok();
    if env::var_os("Z3_NO_PKG_CONFIG").is_none()
        || major.and_then(|m| m.parse().ok()) < Some(supply::LEAST_MAJOR)
    {
        return Err(
            "the project's .cargo/config.toml was not read, or is overridden by variables Z3_*. \
             Run cargo inside the project's folder, without Z3_SYS_Z3_VERSION."
                .to_owned(),
        );
    }
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
