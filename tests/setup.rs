//! The set-up: where the build takes Z3 from, tried with fake package clients, and what the README promises about it.
//!
//! The clients are the scripts in `tests/setup`. Each test gives them the names that the build looks for, in a folder
//! that is the whole `PATH`, so that nothing of the machine's own Python plays a part.

#![cfg(unix)]

#[path = "../src/smt/supply.rs"]
mod supply;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use supply::{Machine, PACKAGE_VERSION, is_installed, library_dir, library_major, make_link_dir};
use tempfile::TempDir;

/// A project's root and a `PATH` with these programs: (its name, the script behind it).
struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    fn new(programs: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        fs::create_dir(dir.path().join("bin")).unwrap();
        for (name, script) in programs {
            let script = root().join("tests/setup").join(script);
            assert!(script.is_file(), "{}", script.display());
            symlink(script, dir.path().join("bin").join(name)).unwrap();
        }
        Sandbox { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn home(&self) -> PathBuf {
        self.root().join(".z3")
    }

    fn machine(&self) -> Machine {
        Machine {
            path: OsString::from(self.dir.path().join("bin")),
            file_name: "libz3.so",
            may_install_packages: false,
        }
    }

    fn build(&self) -> Result<PathBuf, String> {
        library_dir(&self.root(), None, &self.machine())
    }

    /// The installed package is whole, and nothing else is left in its folder.
    fn assert_filled(&self) {
        assert!(is_installed(&self.home(), &self.machine()));
        let mut names: Vec<String> = fs::read_dir(self.home())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let description = format!("z3_solver-{PACKAGE_VERSION}.dist-info");
        assert_eq!(names, ["bin", "z3", description.as_str()]);
        assert_eq!(
            fs::read_to_string(self.home().join("bin/z3"))
                .unwrap()
                .trim(),
            PACKAGE_VERSION
        );
    }
}

fn root() -> &'static Path {
    crate::root()
}

#[test]
fn pip_fills_the_folder_once() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    assert_eq!(sandbox.build().unwrap(), sandbox.home().join("z3/lib"));
    sandbox.assert_filled();

    fs::remove_file(sandbox.dir.path().join("bin/python3")).unwrap();
    sandbox
        .build()
        .expect("what is there needs no package client");
}

#[test]
fn the_installed_library_does_not_look_newer_than_the_build() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let before = std::time::SystemTime::now();
    let library = sandbox.build().unwrap().join("libz3.so");
    assert!(fs::metadata(library).unwrap().modified().unwrap() < before);
}

#[test]
fn other_names_of_pip_and_uv_are_found() {
    for name in ["python", "pip3", "pip", "uv"] {
        let sandbox = Sandbox::new(&[(name, "python-with-pip")]);
        sandbox.build().unwrap_or_else(|e| panic!("{name}: {e}"));
        sandbox.assert_filled();
    }
}

#[test]
fn where_pip_fails_uv_is_tried() {
    let sandbox = Sandbox::new(&[
        ("python3", "python-without-network"),
        ("uv", "python-with-pip"),
    ]);
    sandbox.build().unwrap();
    sandbox.assert_filled();
}

#[test]
fn a_python_without_pip_makes_itself_one() {
    let sandbox = Sandbox::new(&[("python3", "python-with-venv-only")]);
    sandbox.build().unwrap();
    sandbox.assert_filled();
}

#[test]
fn system_packages_are_installed_for_root_alone() {
    let sandbox = Sandbox::new(&[("apt-get", "apt-get")]);
    let error = sandbox.build().unwrap_err();
    assert!(error.contains("apt-get install python3-pip"), "{error}");
    assert!(!sandbox.dir.path().join("bin/python3").exists());

    let machine = Machine {
        may_install_packages: true,
        ..sandbox.machine()
    };
    library_dir(&sandbox.root(), None, &machine).unwrap();
    sandbox.assert_filled();
}

#[test]
fn system_packages_are_left_alone_where_pip_is_there_but_fails() {
    let sandbox = Sandbox::new(&[
        ("apt-get", "apt-get"),
        ("python3", "python-without-network"),
    ]);
    let machine = Machine {
        may_install_packages: true,
        ..sandbox.machine()
    };
    library_dir(&sandbox.root(), None, &machine).unwrap_err();
    assert!(!sandbox.dir.path().join("bin/updated").exists());
}

#[test]
fn builds_at_the_same_time_do_not_disturb_each_other() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..6).map(|_| scope.spawn(|| sandbox.build())).collect();
        for build in builds {
            build.join().unwrap().unwrap();
        }
    });
    sandbox.assert_filled();
}

#[test]
fn a_half_filled_folder_is_filled_anew() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    fs::create_dir_all(sandbox.home().join("z3/lib")).unwrap();
    fs::create_dir_all(sandbox.home().join("bin")).unwrap();
    fs::write(sandbox.home().join("bin/z3"), "old").unwrap();
    sandbox.build().unwrap();
    sandbox.assert_filled();
}

#[test]
fn another_version_does_not_count() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    sandbox.build().unwrap();
    let description = format!("z3_solver-{PACKAGE_VERSION}.dist-info");
    fs::rename(
        sandbox.home().join(description),
        sandbox.home().join("z3_solver-4.8.12.0.dist-info"),
    )
    .unwrap();
    assert!(!is_installed(&sandbox.home(), &sandbox.machine()));
    sandbox.build().unwrap();
    assert!(is_installed(&sandbox.home(), &sandbox.machine()));
}

#[test]
fn failures_name_their_cause_and_the_ways_out() {
    let nothing = Sandbox::new(&[]);
    let no_network = Sandbox::new(&[("python3", "python-without-network")]);
    let liar = Sandbox::new(&[("python3", "python-that-lies")]);
    for (sandbox, cause) in [
        (nothing, "pip (python3 -m pip, pip3, pip): not there"),
        (
            no_network,
            "ERROR: No matching distribution found for z3-solver",
        ),
        (liar, "said it was done, but"),
    ] {
        let error = sandbox.build().unwrap_err();
        for text in [
            cause,
            "apt-get install python3-pip",
            "pip install --no-deps --target",
            "pip download --no-deps",
            "ULT_Z3_DIR=",
        ] {
            assert!(error.contains(text), "{text:?} is not in:\n{error}");
        }
        assert!(!is_installed(&sandbox.home(), &sandbox.machine()));
    }
}

#[test]
fn the_users_own_z3_is_taken_and_nothing_is_fetched() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let own = sandbox.dir.path().join("own");
    fs::create_dir(&own).unwrap();
    let locate = || library_dir(&sandbox.root(), Some(OsStr::new(&own)), &sandbox.machine());

    let error = locate().unwrap_err();
    assert!(
        error.contains("ULT_Z3_DIR") && error.contains("cannot be read"),
        "{error}"
    );

    fs::write(own.join("libz3.so"), b"\x7fELF\0libz3.so.4\0").unwrap();
    let error = locate().unwrap_err();
    assert!(error.contains("version 4 of Z3"), "{error}");

    fs::write(own.join("libz3.so"), b"\x7fELF\0libz3.so.5.0\0").unwrap();
    assert_eq!(locate().unwrap(), own.canonicalize().unwrap());
    assert!(!sandbox.home().exists());
}

#[test]
fn the_major_version_is_the_one_in_the_librarys_own_name() {
    for (bytes, major) in [
        (&b"\0libz3.so.5.4\0"[..], Some(5)),
        (b"\0libz3.so.4\0", Some(4)),
        (b"\0libz3.5.4.dylib\0", Some(5)),
        (b"libz3.so.12", Some(12)),
        (b"libz3.so\0libz3.so.6.0\0", Some(6)),
        (b"libz3.so\0", None),
        (b"libz3.so.x\0", None),
        (b"libz3.so.5th\0", None),
        (b"", None),
    ] {
        assert_eq!(
            library_major(bytes),
            major,
            "{:?}",
            bytes.escape_ascii().to_string()
        );
    }
}

#[test]
fn the_linker_is_shown_z3_and_nothing_else() {
    let dir = TempDir::new().unwrap();
    let (from, to) = (dir.path().join("from"), dir.path().join("to"));
    fs::create_dir(&from).unwrap();
    for name in [
        "libz3.so",
        "libz3.so.5.4",
        "libz3.a",
        "libc.so",
        "libz3fake.so",
        "z3",
    ] {
        fs::write(from.join(name), name).unwrap();
    }
    for _ in 0..2 {
        make_link_dir(&from, &to).unwrap();
        let mut names: Vec<OsString> = fs::read_dir(&to)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["libz3.so", "libz3.so.5.4"]);
        assert_eq!(fs::read_to_string(to.join("libz3.so")).unwrap(), "libz3.so");
    }
}

/// The trap of this set-up: on a machine with Debian's `libz3-dev` the linker would take version 4.8.
#[test]
fn the_program_is_linked_against_a_new_z3() {
    let program = fs::read(env!("CARGO_BIN_EXE_ult")).unwrap();
    let contains = |text: &[u8]| program.windows(text.len()).any(|w| w == text);
    assert!(contains(b"libz3."), "Z3 is not linked dynamically");
    // A library built without a version in its name says nothing here; the program asks it when it starts.
    let major = library_major(&program).unwrap_or(supply::LEAST_MAJOR);
    assert!(
        major >= supply::LEAST_MAJOR,
        "linked against version {major}"
    );
    assert!(
        contains(b"$ORIGIN/../lib/ult"),
        "an installed program needs its own run path"
    );
}

#[test]
fn the_version_is_the_same_everywhere() {
    let version = PACKAGE_VERSION.rsplit_once('.').unwrap().0;
    for (file, text) in [
        (
            ".cargo/config.toml",
            format!("Z3_SYS_Z3_VERSION = \"{version}\""),
        ),
        ("README.md", format!("z3-solver=={PACKAGE_VERSION}")),
    ] {
        let content = fs::read_to_string(root().join(file)).unwrap();
        assert!(content.contains(&text), "{file} does not say {text}");
    }
}

/// The two commands of the README; `.ci/run` takes the second one from there.
#[test]
fn the_readme_has_the_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let commands: Vec<&str> = readme
        .lines()
        .filter(|line| line.starts_with("cargo "))
        .take(2)
        .collect();
    assert_eq!(
        commands,
        [
            "cargo run --release -- check examples/seed.bpl",
            "cargo test --workspace",
        ]
    );
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(ci.contains("grep -m 1 '^cargo test' README.md"));
    for program in ["examples/seed.bpl", "examples/seed-unsafe.bpl"] {
        assert!(
            readme.contains(program) && root().join(program).is_file(),
            "{program}"
        );
    }
}

/// The README's programs are files, and files are checked by other tests.
#[test]
fn the_readmes_programs_are_examples() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for file in ["examples/abs.bpl", "examples/count.ult"] {
        let program = fs::read_to_string(root().join(file)).unwrap();
        let (expectation, text) = program.split_once('\n').unwrap();
        assert!(expectation.starts_with("//# expect: "), "{file}");
        assert!(readme.contains(text), "README.md does not show {file}");
    }
}
