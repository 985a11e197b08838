//! `ult init`: a small project that works, to begin with.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use crate::args::{CiArg, InitArgs};
use crate::exit::Exit;
use crate::output::{self, complain};

/// The files of a new project.
const FILES: &[(&str, &str)] = &[
    (super::NAME, include_str!("../template/ult.toml")),
    ("README.md", include_str!("../template/README.md")),
    ("models/sum.bpl", include_str!("../template/sum.bpl")),
    (
        "models/broken/sum.bpl",
        include_str!("../template/broken.bpl"),
    ),
];

/// The workflow, which is an example, too.
const WORKFLOW: (&str, &str) = (
    ".github/workflows/verify.yml",
    include_str!("../template/verify.yml"),
);

/// Runs the command. Nothing is overwritten: if one of the files is there, nothing is written.
pub(crate) fn run(args: &InitArgs) -> Exit {
    let mut files = FILES.to_vec();
    match args.ci {
        None => {}
        Some(CiArg::Github) => files.push(WORKFLOW),
    }
    let there = files
        .iter()
        .map(|(name, _)| args.folder.join(name))
        .find(|path| path.symlink_metadata().is_ok());
    if let Some(path) = there {
        complain(&format!("`{}` is there already", path.display()));
        return Exit::Usage;
    }
    let mut told = String::new();
    for (name, text) in files {
        let path = args.folder.join(name);
        if let Err(error) = write(&path, text) {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            return Exit::Usage;
        }
        told += &format!("written: {}\n", path.display());
    }
    told += match args.folder == Path::new(".") {
        true => "try: ult check\n",
        false => "try: ult check in this folder\n",
    };
    output::stdout(&told).err().unwrap_or(Exit::Safe)
}

/// Writes a new file, and its folders.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
