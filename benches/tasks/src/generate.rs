//! Families of programs, written as task lists.

pub(crate) mod locks;
pub(crate) mod random;

use std::fs;
use std::path::Path;

use crate::Failure;

/// A program of a family.
pub(crate) struct Program {
    /// The name of the file, without its end.
    pub name: String,
    /// The text, in Boogie.
    pub text: String,
    /// `true`, `false`, or `open` if nobody knows.
    pub expected: &'static str,
}

/// Writes the programs and a list of them, `tasks.csv`, into a folder.
pub(crate) fn write(programs: &[Program], out: &Path) -> Result<(), Failure> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::Io(path, error)
    };
    fs::create_dir_all(out).map_err(at(out))?;
    let mut list = String::from("file,expected,semantics\n");
    for program in programs {
        let file = format!("{}.bpl", program.name);
        let path = out.join(&file);
        fs::write(&path, &program.text).map_err(at(&path))?;
        list += &format!("{file},{},whole-program\n", program.expected);
    }
    let path = out.join("tasks.csv");
    fs::write(&path, list).map_err(at(&path))
}
