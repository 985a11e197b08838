//! Where the project is.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The project's root.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        root.canonicalize().expect("the tests lie in the project")
    });
    &ROOT
}
