//! A machine of its own for each test.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::supply::{self, Cache, Link, Machine, PACKAGE_VERSION, entry_name, soname};

/// A cache folder, and a `PATH` with some programs.
pub struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    /// With these programs: (its name, the script behind it).
    pub fn new(programs: &[(&str, &str)]) -> Self {
        let dir = TempDir::with_prefix("a folder ").unwrap();
        fs::create_dir(dir.path().join("bin")).unwrap();
        library_called("libz3.so.5.4", &dir.path().join("bin/libz3.so"));
        for (name, script) in programs {
            let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/supply");
            let script = scripts.join(script);
            assert!(script.is_file(), "{}", script.display());
            symlink(script, dir.path().join("bin").join(name)).unwrap();
        }
        Sandbox { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The cache folder.
    pub fn home(&self) -> PathBuf {
        self.path("cache")
    }

    /// The folder of the fetched library.
    pub fn entry(&self) -> PathBuf {
        self.home().join(entry_name(Link::Path, &self.machine()))
    }

    pub fn machine(&self) -> Machine {
        machine(OsString::from(self.path("bin")))
    }

    pub fn cache(&self) -> Cache {
        let variable = |name: &str| (name == "ULT_CACHE_DIR").then(|| OsString::from(self.home()));
        Cache::new(variable, &self.machine(), self.path("out")).unwrap()
    }

    pub fn build(&self) -> Result<PathBuf, String> {
        supply::library(None, Link::Path, &self.cache(), &self.machine())
    }

    /// The library and what says whose work it is are there, and nothing else.
    pub fn assert_filled(&self) {
        let description = format!("z3_solver-{PACKAGE_VERSION}.dist-info");
        assert_eq!(names(&self.entry()), ["libz3.so", &*description]);
        assert_eq!(
            names(&self.home()),
            [entry_name(Link::Path, &self.machine())]
        );
        assert!(!self.path("out").exists());
        let description = self.entry().join(description);
        assert!(description.join("METADATA").is_file());
        assert!(description.join("licenses/LICENSE.txt").is_file());
        let library = fs::read(self.entry().join("libz3.so")).unwrap();
        assert_eq!(soname(&library), Ok(None));
    }
}

/// A Linux machine with these programs.
pub fn machine(path: OsString) -> Machine {
    Machine {
        path,
        file_name: "libz3.so",
        target: "x86_64-unknown-linux-gnu".into(),
        may_install_packages: false,
    }
}

/// What is in a folder, sorted.
pub fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Makes a shared library of this name, with a function `stand_in` that returns the name.
pub fn library_called(name: &str, file: &Path) {
    let source = file.with_extension("c");
    fs::write(
        &source,
        format!("const char *stand_in(void) {{ return \"{name}\"; }}\n"),
    )
    .unwrap();
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", &format!("-Wl,-soname,{name}"), "-o"])
        .args([file, &source])
        .status();
    assert!(made.unwrap().success());
    fs::remove_file(source).unwrap();
}
