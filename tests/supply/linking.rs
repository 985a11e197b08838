//! What linkers make of the folder that they search, and what programs call the library.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::sandbox::{Sandbox, library_called, names};
use crate::supply::{Link, library, make_link_dir, name_in_programs, soname, without_soname};

/// As `z3-sys` has the linker look for the library, whose functions are then called at addresses that it says itself.
const PROGRAM: &str = r#"
#[link(name = "z3")]
unsafe extern "C" { fn stand_in() -> *const std::ffi::c_char; }
fn typed<F>(_: impl FnOnce() -> F) {}
fn main() { typed(|| stand_in as unsafe extern "C" fn() -> _); println!("it runs"); }
"#;

/// Fills the sandbox's cache and the folder `search` for the linker. What programs call the library.
fn search_folder(sandbox: &Sandbox, link: Link) -> String {
    let machine = sandbox.machine();
    let file = library(None, link, &sandbox.cache(), &machine).unwrap();
    let name = name_in_programs(&file, link, &machine).unwrap();
    make_link_dir(&sandbox.path("search"), &file, &name, &machine).unwrap();
    name
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

/// Whether the program says what it says when it runs, and loads no library called `libz3` on its way.
fn runs_alone(program: &Path) -> bool {
    let content = fs::read(program).unwrap();
    let needs = content.windows(6).any(|word| word == b"libz3.");
    output_of(program).stdout == b"it runs\n" && !needs
}

/// A machine with an older library that the linker would find, too.
fn sandbox_with_decoy() -> Sandbox {
    let sandbox = Sandbox::new(&[("python3", "python-with-pip")]);
    fs::create_dir(sandbox.path("decoy")).unwrap();
    library_called("libz3.so.4", &sandbox.path("decoy/libz3.so"));
    sandbox
}

#[test]
fn programs_are_linked_with_nothing_whatever_the_linker() {
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
        assert!(runs_alone(&sandbox.path("program")), "{linker}");
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
fn programs_call_the_library_by_its_path_or_its_own_name() {
    let sandbox = sandbox_with_decoy();
    let path = sandbox.entry().join("libz3.so");
    assert_eq!(search_folder(&sandbox, Link::Path), path.to_str().unwrap());
    // The loader of every program that cargo starts searches the folder as well: others find nothing there.
    assert_eq!(names(&sandbox.path("search")), ["libz3.a"]);
    assert_eq!(search_folder(&sandbox, Link::Soname), "libz3.so.5.4");
    assert_eq!(names(&sandbox.path("search")), ["libz3.a", "libz3.so.5.4"]);
    assert!(compile(&sandbox, &[]).status.success());
    assert!(runs_alone(&sandbox.path("program")));
}

#[test]
fn paths_that_a_program_cannot_be_told_are_refused() {
    let sandbox = Sandbox::new(&[]);
    let machine = sandbox.machine();
    let name = |path: &str| name_in_programs(Path::new(path), Link::Path, &machine);
    assert!(
        name("/a\nb/libz3.so")
            .unwrap_err()
            .contains("ULT_CACHE_DIR")
    );
    let odd = "/$LIB/a\"b c/libz3.so";
    assert_eq!(name(odd).as_deref(), Ok(odd));
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
    assert!(runs_alone(&sandbox.path("target/debug/user")));
}
