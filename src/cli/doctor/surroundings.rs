//! What of `ult` and around it is where on this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Check, Ill, Remark};
use ult_smt as solver;

/// Versions and places.
pub(super) fn installation() -> Vec<Check> {
    vec![
        Check {
            claim: format!("ult {}", env!("CARGO_PKG_VERSION")),
            attempt: Box::new(|| {
                Ok(std::env::current_exe()
                    .ok()
                    .map(|path| path.display().to_string()))
            }),
        },
        Check {
            // Which one, only who tries it is to ask: a library that hangs does so at its first call.
            claim: "Z3".into(),
            attempt: Box::new(|| {
                let ill = |what| {
                    let variable = solver::Z3_VARIABLE;
                    let remedy = format!(
                        "unset {variable} and LD_LIBRARY_PATH if they name another Z3; otherwise remove the library, and build again with ULT_Z3_DIR unset, so that Z3 is fetched"
                    );
                    Ill { what, remedy }
                };
                outlived().map_err(ill)?;
                solver::require_z3().map_err(ill)?;
                let name = ult_smt::solver_name();
                let version = name.trim_start_matches("Z3 ");
                Ok(Some(match loaded_library() {
                    Some(path) => format!("{version}, {}", path.display()),
                    None => version.to_owned(),
                }))
            }),
        },
    ]
}

/// Whether another process outlives the loading of the solver's library. One that is broken may end whoever loads it.
fn outlived() -> Result<(), String> {
    let mut probe = match std::env::current_exe() {
        Ok(program) => Command::new(program),
        Err(_) => return Ok(()),
    };
    // It gives up by itself where the library hangs.
    probe
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match probe.status() {
        Ok(status) if status.code().is_none() => Err(format!(
            "its library ends the process that loads it: {status}"
        )),
        _ => Ok(()),
    }
}

/// The file that the solver was loaded from, where the system tells.
fn loaded_library() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    library_in(&maps)
}

/// The file of the solver in a table of what is mapped into a process: address, rights, offset, device, inode, file.
fn library_in(maps: &str) -> Option<PathBuf> {
    maps.lines().find_map(|line| {
        let path = Path::new(line.get(line.find('/')?..)?);
        let name = path.file_name()?.to_str()?;
        name.starts_with("libz3.").then(|| path.to_path_buf())
    })
}

/// The editors that there are settings for: their names, and the programs that start them.
const EDITORS: &[(&str, &[&str])] = &[
    ("Visual Studio Code", &["code", "codium", "code-server"]),
    ("Neovim", &["nvim"]),
    ("Helix", &["hx", "helix"]),
    ("Emacs", &["emacs"]),
];

/// Which editors are there, and whether they find `ult`.
pub(super) fn editors() -> Vec<Remark> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut remarks: Vec<Remark> = EDITORS
        .iter()
        .map(
            |(name, programs)| match programs.iter().find_map(|program| find(program, &folders)) {
                Some(path) => Remark {
                    found: true,
                    text: format!("{name}: {}", path.display()),
                },
                None => Remark {
                    found: false,
                    text: format!("{name} is not in the PATH"),
                },
            },
        )
        .collect();
    remarks.push(match find("ult", &folders) {
        Some(path) => Remark {
            found: true,
            text: format!("they start {}", path.display()),
        },
        None => Remark {
            found: false,
            text: "`ult` is not in the PATH, where editors look for it: add its folder, or say in their settings where it is"
                .into(),
        },
    });
    remarks
}

fn find(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders
        .iter()
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_among_others() {
        let maps = "\
7f10-7f20 r--p 00000000 08:01 1 /lib/x86_64-linux-gnu/libc.so.6
7f20-7f30 rw-p 00000000 00:00 0
7f30-7f40 r-xp 00000000 08:01 2 /opt/my libraries/libz3.so.5.4
7f40-7f50 rw-p 00000000 00:00 0 [heap]
";
        let expected = Path::new("/opt/my libraries/libz3.so.5.4");
        assert_eq!(library_in(maps).as_deref(), Some(expected));
        assert_eq!(
            library_in("7f10-7f20 r--p 0 08:01 1 /lib/notlibz3.so"),
            None
        );
    }
}
