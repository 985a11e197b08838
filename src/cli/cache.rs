//! `ult cache`: how much evidence a folder holds.

use super::args::CacheArgs;
use super::args::cache::{MEGABYTE, SIZE, in_folder};
use super::exit::Exit;
use super::output::{self, complain};

/// Runs `ult cache`.
pub(crate) fn run(args: &CacheArgs) -> Exit {
    if !args.folder.is_dir() {
        complain(&format!("`{}` is no folder", args.folder.display()));
        return Exit::Usage;
    }
    let store = in_folder(&args.folder, SIZE);
    if let Some(megabytes) = args.shrink {
        store.shrink(megabytes.saturating_mul(MEGABYTE));
    }
    let content = store.content();
    let entries = match content.entries {
        1 => "entry",
        _ => "entries",
    };
    let text = format!(
        "{}: {} {entries}, {:.1} MB\n",
        args.folder.display(),
        content.entries,
        content.bytes as f64 / MEGABYTE as f64
    );
    output::stdout(&text).err().unwrap_or(Exit::Safe)
}
