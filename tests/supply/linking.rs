//! What linkers make of the folder that they search.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::sandbox::{Sandbox, library_called, names};
use crate::supply::{Link, library, make_link_dir, soname, without_soname};

const PROGRAM: &str = r#"
#[link(name = "z3")]
unsafe extern "C" { fn stand_in() -> *const std::ffi::c_char; }
fn main() {
    println!("{}", unsafe { std::ffi::CStr::from_ptr(stand_in()) }.to_str().unwrap());
}
"#;

/// Fills the sandbox's cache and the folder `search` for the linker.
fn search_folder(sandbox: &Sandbox, link: Link) {
    let machine = sandbox.machine();
    let file = library(None, link, &sandbox.cache(), &machine).unwrap();
    make_link_dir(&sandbox.path("search"), &file, link, &machine).unwrap();
}

/// Compiles the program with the folder `search` before the folder `decoy`.
fn compile(sandbox: &Sandbox, flags: &[&str]) -> Output {
    fs::write(sandbox.path("program.rs"), PROGRAM).unwrap();
    Command::new("rustc")
        .args(["--edition", "2024", "program.rs", "-o", "program"])
        .args(["-L", "native=search", "-L", "native=decoy"])
        .args(flags)
        .current_dir(sandbox.path(""))
        .output()
        .unwrap()
}

/// Runs a program from another folder without any variables.
fn output_of(program: &Path) -> Output {
    let mut command = Command::new(program);
    command.env_clear().current_dir("/").output().unwrap()
}

/// A machine with an older library that the linker would find, too.
fn sandbox_with_decoy() -> Sandbox {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    fs::create_dir(sandbox.path("decoy")).unwrap();
    library_called("libz3.so.4", &sandbox.path("decoy/libz3.so"));
    sandbox
}

#[test]
fn programs_name_the_library_by_its_path_whatever_the_linker() {
    let sandbox = sandbox_with_decoy();
    search_folder(&sandbox, Link::Path);
    // Rust's own choice, which is LLD on some machines, and then those that the C compiler knows.
    for linker in ["", "bfd", "gold", "lld", "mold"] {
        let flag = format!("-Clink-arg=-fuse-ld={linker}");
        let compiled = match linker {
            "" => compile(&sandbox, &[]),
            _ if is_there(linker) => compile(&sandbox, &[&flag]),
            _ => continue,
        };
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{linker}: {said}");
        let output = output_of(&sandbox.path("program"));
        assert_eq!(output.stdout, b"libz3.so.5.4\n", "{linker}: {output:?}");
        let program = fs::read(sandbox.path("program")).unwrap();
        let path = sandbox.entry().join("libz3.so");
        let path = path.to_str().unwrap().as_bytes();
        assert!(program.windows(path.len()).any(|w| w == path), "{linker}");
    }
}

/// Whether the C compiler finds this linker.
fn is_there(linker: &str) -> bool {
    let output = Command::new("cc")
        .args([&format!("-fuse-ld={linker}"), "-Wl,--version"])
        .output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn with_its_soname_a_program_needs_a_run_path_and_can_be_moved() {
    let sandbox = sandbox_with_decoy();
    search_folder(&sandbox, Link::Soname);
    assert_eq!(names(&sandbox.path("search")), ["libz3.so", "libz3.so.5.4"]);
    let run_path = "-Clink-arg=-Wl,-rpath,$ORIGIN/../lib/ult";
    assert!(compile(&sandbox, &[run_path]).status.success());
    let (bin, lib) = (sandbox.path("package/bin"), sandbox.path("package/lib/ult"));
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&lib).unwrap();
    fs::rename(sandbox.path("program"), bin.join("program")).unwrap();
    assert!(!output_of(&bin.join("program")).status.success());
    fs::copy(sandbox.path("search/libz3.so"), lib.join("libz3.so.5.4")).unwrap();
    assert_eq!(output_of(&bin.join("program")).stdout, b"libz3.so.5.4\n");
}

/// The loader of every program that cargo starts searches the folder as well.
#[test]
fn other_programs_find_nothing_in_the_search_folder() {
    let sandbox = sandbox_with_decoy();
    for _ in 0..2 {
        search_folder(&sandbox, Link::Path);
        assert_eq!(names(&sandbox.path("search")), ["libz3.a"]);
    }
}

#[test]
fn paths_that_a_linker_cannot_be_told_are_refused() {
    let sandbox = Sandbox::new(&[]);
    for path in ["/a\"b/libz3.so", "/$LIB/libz3.so", "/a\nb/libz3.so"] {
        let (dir, machine) = (sandbox.path("search"), sandbox.machine());
        let error = make_link_dir(&dir, Path::new(path), Link::Path, &machine).unwrap_err();
        assert!(error.contains("ULT_CACHE_DIR"), "{error}");
    }
}

#[test]
fn ways_to_link_have_names() {
    assert_eq!(Link::named(None), Ok(Link::Path));
    assert_eq!(Link::named(Some("")), Ok(Link::Path));
    assert_eq!(Link::named(Some("soname")), Ok(Link::Soname));
    assert!(Link::named(Some("static")).is_err());
}

#[test]
fn only_the_name_is_taken_from_a_library() {
    let sandbox = Sandbox::new(&[]);
    let library = fs::read(sandbox.path("bin/libz3.so")).unwrap();
    let edited = without_soname(&library).unwrap();
    assert_eq!(edited.len(), library.len());
    assert_eq!(without_soname(&edited).unwrap(), edited);
    // The entries of the dynamic section are 16 bytes each, and there are some dozens at most.
    let differing = edited.iter().zip(&library).filter(|(a, b)| a != b).count();
    assert!((1..1000).contains(&differing), "{differing}");

    assert!(soname(b"").is_err());
    assert!(soname(b"!<arch>\n").is_err());
    assert!(without_soname(&library[..library.len() / 2]).is_err());
}

/// `z3-sys` asks `pkg-config`, and hands the folder of an old library of the system to the linker. Cargo puts the folders
/// below its own output folder first, whichever package they come from.
#[test]
fn our_folder_comes_before_the_one_that_pkg_config_says() {
    let sandbox = sandbox_with_decoy();
    search_folder(&sandbox, Link::Path);
    let package = |name: &str, dependency: &str, build: &str, main: &str, source: &str| {
        let dir = sandbox.path(name);
        fs::create_dir_all(dir.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[dependencies]\n{dependency}\n[workspace]\n"
        );
        fs::write(dir.join("Cargo.toml"), manifest).unwrap();
        fs::write(dir.join("build.rs"), build).unwrap();
        fs::write(dir.join("src").join(main), source).unwrap();
    };
    let decoy = sandbox.path("decoy");
    let search = sandbox.path("search/libz3.a");
    let sys_build = format!(
        "fn main() {{ println!(\"cargo::rustc-link-search=native={}\"); println!(\"cargo::rustc-link-lib=z3\"); }}",
        decoy.display()
    );
    let smt_build = format!(
        "fn main() {{ let out = std::env::var(\"OUT_DIR\").unwrap();
         std::fs::copy({search:?}, format!(\"{{out}}/libz3.a\")).unwrap();
         println!(\"cargo::rustc-link-search=native={{out}}\"); }}"
    );
    let declaration = PROGRAM
        .replace("#[link(name = \"z3\")]", "")
        .replace("fn main", "pub fn run");
    package("sys", "", &sys_build, "lib.rs", &declaration);
    package(
        "smt",
        "sys = { path = \"../sys\" }",
        &smt_build,
        "lib.rs",
        "pub use sys::run;",
    );
    package(
        "user",
        "smt = { path = \"../smt\" }",
        "fn main() {}",
        "main.rs",
        "fn main() { smt::run() }",
    );
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(sandbox.path("user"))
        .env("CARGO_TARGET_DIR", sandbox.path("target"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let output = output_of(&sandbox.path("target/debug/user"));
    assert_eq!(output.stdout, b"libz3.so.5.4\n", "{output:?}");
}
