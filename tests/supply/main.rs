//! Where the build takes Z3 from, tried with fake package clients.
//!
//! The clients are the scripts in this folder. Each test gives them the names that the build looks for, in a folder that
//! is the whole `PATH`, so that nothing of the machine's own Python plays a part. What they bring is a shared library
//! of one function, made by the machine's C compiler, which Rust needs as well.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test, with modules of the build script"
)]

#[path = "../../src/smt/build/supply.rs"]
mod supply;

mod linking;
mod sandbox;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use sandbox::{Sandbox, library_called, machine};
use supply::{Cache, Link, Machine, PACKAGE_VERSION, entry_name, major, soname};

#[test]
fn pip_fills_the_cache_once() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    assert_eq!(sandbox.build().unwrap(), sandbox.entry().join("libz3.so"));
    sandbox.assert_filled();

    fs::remove_file(sandbox.path("bin/python3")).unwrap();
    sandbox
        .build()
        .expect("what is there needs no package client");
}

#[test]
fn the_library_does_not_look_newer_than_the_build() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let before = std::time::SystemTime::now();
    let library = sandbox.build().unwrap();
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
    assert!(!sandbox.path("bin/python3").exists());

    let machine = Machine {
        may_install_packages: true,
        ..sandbox.machine()
    };
    supply::library(None, Link::Path, &sandbox.cache(), &machine).unwrap();
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
    supply::library(None, Link::Path, &sandbox.cache(), &machine).unwrap_err();
    assert!(!sandbox.path("bin/updated").exists());
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
fn a_folder_without_its_library_is_filled_anew() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    fs::create_dir_all(sandbox.entry()).unwrap();
    fs::write(sandbox.entry().join("rest"), "of something else").unwrap();
    sandbox.build().unwrap();
    sandbox.assert_filled();
}

#[test]
fn each_kind_of_machine_has_its_own_folder() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let other = Machine {
        target: "riscv64gc-unknown-linux-gnu".into(),
        ..sandbox.machine()
    };
    let first = sandbox.build().unwrap();
    let second = supply::library(None, Link::Path, &sandbox.cache(), &other).unwrap();
    assert_ne!(first, second);
    for file in [first, second] {
        assert!(file.display().to_string().contains(PACKAGE_VERSION));
    }
}

#[test]
fn a_package_that_was_unpacked_by_hand_needs_no_client() {
    let sandbox = Sandbox::new(&[]);
    let error = sandbox.build().unwrap_err();
    let unpacked = sandbox.cache().by_hand();
    assert!(
        error.contains(&format!("-*.whl {} ", unpacked.display())),
        "{error}"
    );

    let description = format!("z3_solver-{PACKAGE_VERSION}.dist-info");
    fs::create_dir_all(unpacked.join("z3/lib")).unwrap();
    fs::create_dir_all(unpacked.join(&description)).unwrap();
    let library = unpacked.join("z3/lib/libz3.so");
    fs::copy(sandbox.path("bin/libz3.so"), &library).unwrap();
    let found = sandbox.build().unwrap();
    assert_eq!(found, sandbox.entry().join("libz3.so"));
    assert!(library.is_file(), "what the user put there stays");
    fs::remove_dir_all(unpacked).unwrap();
    assert_eq!(sandbox.build().unwrap(), found);
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
        let home = sandbox.home().display().to_string();
        for text in [
            cause,
            &home,
            "apt-get install python3-pip",
            "pip install --no-deps --target",
            "pip download --no-deps",
            "ULT_Z3_DIR=",
            "ULT_CACHE_DIR",
        ] {
            assert!(error.contains(text), "{text:?} is not in:\n{error}");
        }
        assert_eq!(fs::read_dir(sandbox.home()).unwrap().count(), 0);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_replaced_by_cargos_folder() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    // A file where a folder should be: root cannot write there either.
    fs::write(sandbox.path("file"), "").unwrap();
    let cache = |home: PathBuf| {
        let variable = |name: &str| (name == "ULT_CACHE_DIR").then(|| OsString::from(&home));
        Cache::new(variable, &sandbox.machine(), sandbox.path("out")).unwrap()
    };
    let build = |home| supply::library(None, Link::Path, &cache(home), &sandbox.machine());
    let spare = build(sandbox.path("file/cache")).unwrap();
    assert!(
        spare.starts_with(sandbox.path("out")) && spare.is_file(),
        "{}",
        spare.display()
    );
    assert_eq!(build(sandbox.path("file/cache")).unwrap(), spare);
    let path = build(sandbox.path("cache")).unwrap();
    assert!(path.starts_with(sandbox.home()), "{}", path.display());
}

#[test]
fn the_cache_is_where_the_user_or_the_system_says() {
    let linux = machine(OsString::new());
    let mac = Machine {
        file_name: "libz3.dylib",
        ..machine(OsString::new())
    };
    let all = [
        ("ULT_CACHE_DIR", "/own"),
        ("XDG_CACHE_HOME", "/xdg"),
        ("HOME", "/home/u"),
    ];
    let unusable = [("ULT_CACHE_DIR", ""), ("XDG_CACHE_HOME", "relative")];
    let relative_home = [("HOME", "relative")];
    for (variables, machine, expected) in [
        (&all[..], &linux, "/own"),
        (&all[1..], &linux, "/xdg/ult"),
        (&all[1..], &mac, "/xdg/ult"),
        (&all[2..], &linux, "/home/u/.cache/ult"),
        (&all[2..], &mac, "/home/u/Library/Caches/ult"),
        (&unusable[..], &linux, "/spare"),
        (&relative_home[..], &linux, "/spare"),
        (&[], &linux, "/spare"),
    ] {
        let variable = |name: &str| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let cache = Cache::new(variable, machine, "/spare".into()).unwrap();
        assert_eq!(cache.home(), Path::new(expected), "{variables:?}");
    }
    // It would be a folder within the sources.
    let relative = |name: &str| (name == "ULT_CACHE_DIR").then(|| OsString::from("cache"));
    assert!(Cache::new(relative, &linux, "/spare".into()).is_err());
}

#[test]
fn the_users_own_z3_is_copied_and_nothing_is_fetched() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let own = sandbox.path("own");
    fs::create_dir(&own).unwrap();
    let own_file = own.join("libz3.so");
    let locate = |link| {
        let named = Some(OsStr::new(&own));
        supply::library(named, link, &sandbox.cache(), &sandbox.machine())
    };
    let refusal = |text: &str| {
        let error = locate(Link::Path).unwrap_err();
        assert!(error.contains(text), "{error}");
    };

    refusal("cannot be read");
    library_called("libz3.so.4", &own_file);
    refusal("version 4 of Z3");
    fs::write(&own_file, "INPUT(elsewhere)").unwrap();
    refusal("as a shared library");

    library_called("libz3.so.5.0", &own_file);
    let original = fs::read(&own_file).unwrap();
    let copy = locate(Link::Path).unwrap();
    assert!(copy.starts_with(sandbox.home()));
    assert_eq!(soname(&fs::read(&copy).unwrap()), Ok(None));
    assert_eq!(locate(Link::Path).unwrap(), copy);
    assert_eq!(
        locate(Link::Soname).unwrap(),
        own_file.canonicalize().unwrap()
    );

    library_called("libz3.so.6.0", &own_file);
    let newer = locate(Link::Path).unwrap();
    assert_ne!(newer, copy, "a program keeps the one it was built with");
    library_called("libz3.so.5.0", &own_file);
    assert_eq!(fs::read(&own_file).unwrap(), original);
    assert!(!sandbox.entry().exists());
}

#[test]
fn with_its_soname_the_library_is_kept_apart() {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    let path = sandbox.build().unwrap();
    let named = supply::library(None, Link::Soname, &sandbox.cache(), &sandbox.machine()).unwrap();
    let name = |file: &Path| soname(&fs::read(file).unwrap()).unwrap();
    assert_eq!(name(&path), None);
    assert_eq!(name(&named).as_deref(), Some("libz3.so.5.4"));
    let folder = sandbox
        .home()
        .join(entry_name(Link::Soname, &sandbox.machine()));
    assert_eq!(named, folder.join("libz3.so"));
}

#[test]
fn the_major_version_is_the_one_in_the_librarys_own_name() {
    for (bytes, expected) in [
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
        assert_eq!(major(bytes), expected, "{}", bytes.escape_ascii());
    }
}
