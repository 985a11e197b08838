//! Folders in place of files: the programs in them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::exit::Exit;
use super::output::complain;

/// How the files of programs end.
const SUFFIXES: [&str; 11] = [
    "aag", "aig", "bpl", "btor", "btor2", "c", "dimspec", "i", "smt2", "svlib", "ult",
];

/// The files, with those in folders instead of the folders: sorted by name, without what is hidden. Links
/// to folders are not followed.
///
/// # Errors
/// [`Exit::Usage`], after a message, if a folder cannot be read, or has no program in it.
pub(crate) fn programs(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Exit> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let entries = WalkDir::new(path).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
            let entry = entry.map_err(|error| {
                complain(&format!("cannot read `{}`: {error}", path.display()));
                Exit::Usage
            })?;
            if !entry.file_type().is_dir() && is_program(entry.path()) {
                files.push(entry.into_path());
            }
        }
        if files.len() == before {
            let path = path.display();
            complain(&format!("there is no program in the folder `{path}`"));
            return Err(Exit::Usage);
        }
    }
    Ok(files)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_program(path: &Path) -> bool {
    let suffix = path.extension().and_then(OsStr::to_str);
    suffix.is_some_and(|suffix| SUFFIXES.contains(&suffix)) && path.is_file()
}
