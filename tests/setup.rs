//! The set-up: what the README promises about it, and which Z3 the program has. Where the build takes Z3 from is tried in
//! `tests/supply`.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::tools::shared_library;

/// The Python package that the build fetches.
const PACKAGE_VERSION: &str = "5.4.0.0";

fn root() -> &'static Path {
    crate::root()
}

/// Without a run path, and without the variables that cargo sets.
#[test]
fn the_program_starts_from_anywhere() {
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .arg("--version")
        .env_clear()
        .current_dir("/")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("Z3"), "{text}");
}

/// The command with another Z3, and what it says within two minutes.
fn with_library(library: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut ult = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(arguments)
        .current_dir(root())
        .env("ULT_Z3_LIBRARY", library)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = ult.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            ult.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let mut said = String::new();
    ult.stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    ult.stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    (status.code(), said)
}

const CHECK: [&str; 2] = ["check", "examples/seed.bpl"];

/// The library that the program has.
#[cfg(target_os = "linux")]
fn own_library() -> PathBuf {
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .arg("doctor")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let line = said
        .lines()
        .find(|line| line.starts_with("  ok    Z3: "))
        .expect(&said);
    line.split(", ").nth(1).expect(line).into()
}

/// Whatever is wrong with the library is said, with the exit code that README says. What needs no solver works.
#[test]
#[cfg(target_os = "linux")]
fn a_z3_that_cannot_be_used_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let file = dir.path().join(name);
        fs::write(&file, content).unwrap();
        file
    };
    let own = fs::read(own_library()).unwrap();
    let old = "const char *Z3_get_full_version(void) { return \"Z3 4.8.12.0\"; }\n";
    let poor = "const char *Z3_get_full_version(void) { return \"Z3 5.4.0.0\"; }\n";
    let [old, poor] = [("old", old), ("poor", poor)].map(|(name, text)| {
        let dir = dir.path().join(name);
        fs::create_dir(&dir).unwrap();
        shared_library(&dir, text)
    });
    for (library, why) in [
        (
            PathBuf::from("/nowhere/libz3.so"),
            "/nowhere/libz3.so cannot be read: ",
        ),
        (dir.path().to_owned(), " cannot be loaded: "),
        (file("empty", b""), " cannot be loaded: "),
        (
            file("garbage", b"\x7fELF, but no more"),
            " cannot be loaded: ",
        ),
        (file("half", &own[..own.len() / 2]), " is cut off: "),
        (old, "Z3 5.0 or newer is needed, found `Z3 4.8.12.0` in "),
        (poor, " (Z3 5.4.0.0) does not have the function Z3_"),
    ] {
        let (code, said) = with_library(&library, &CHECK);
        assert_eq!(code, Some(5), "{library:?}: {said}");
        assert!(
            said.contains(why) && !said.contains("SAFE"),
            "{library:?}: {said}"
        );
        let (code, said) = with_library(&library, &["doctor"]);
        assert_eq!(code, Some(5), "{library:?}: {said}");
        for part in [
            why,
            "        to do: ",
            "\nThe solver and the programs were not tried.\n",
            "\nEditors\n",
        ] {
            assert!(said.contains(part), "{library:?}: {said}");
        }
        let (code, said) = with_library(&library, &["--version"]);
        assert!(
            code == Some(0) && said.contains("(no Z3)") && said.contains(why),
            "{said}"
        );
        let (code, said) = with_library(&library, &["fmt", "--check", "examples/abs.bpl"]);
        assert_eq!(code, Some(0), "{said}");
    }
    let (code, said) = with_library(&own_library(), &CHECK);
    assert!(code == Some(0) && said.contains(": SAFE"), "{said}");
}

/// A library that does not come back: when it is loaded, or at its first call.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes long"]
fn a_z3_that_hangs_holds_nobody_up() {
    let version = "#include <unistd.h>\nconst char *Z3_get_full_version(void) {";
    let texts = [
        format!("{version} for (;;) pause(); }}\n"),
        format!(
            "{version} return \"Z3 5.4.0.0\"; }}\n__attribute__((constructor)) void hang(void) {{ for (;;) pause(); }}\n"
        ),
    ];
    let dirs = texts.map(|text| {
        let dir = tempfile::tempdir().unwrap();
        let library = shared_library(dir.path(), &text);
        (dir, library)
    });
    // Most of the time is waiting.
    std::thread::scope(|scope| {
        for (_, library) in &dirs {
            scope.spawn(|| {
                let (code, said) = with_library(library, &["doctor"]);
                assert_eq!(code, Some(5), "{said}");
                for part in [
                    "  FAIL  Z3: no answer within 10 seconds\n        to do: ",
                    "\nThe solver and the programs were not tried.\n",
                    "\n1 of the checks failed",
                ] {
                    assert!(said.contains(part), "{said}");
                }
            });
            scope.spawn(|| {
                let args = ["check", "--timeout", "1", "examples/seed.bpl"];
                let (code, said) = with_library(library, &args);
                assert!(
                    code == Some(5) && said.contains("the Z3 library hangs"),
                    "{said}"
                );
            });
        }
    });
}

/// A library that ends whoever loads it: the doctor outlives it.
#[test]
#[cfg(target_os = "linux")]
fn the_doctor_outlives_a_z3_that_kills() {
    let dir = tempfile::tempdir().unwrap();
    let text = "#include <stdlib.h>\nconst char *Z3_get_full_version(void) { abort(); }\n";
    let (code, said) = with_library(&shared_library(dir.path(), text), &["doctor"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(
        said.contains("ends the process that loads it: signal: 6"),
        "{said}"
    );
}

/// A library that is the program's own, but for the functions in the text.
#[cfg(target_os = "linux")]
fn in_front_of_z3(dir: &Path, text: &str) -> PathBuf {
    let (source, library) = (dir.join("shim.c"), dir.join("shim.so"));
    fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-Wl,--no-as-needed")
        .arg(own_library());
    assert!(cc.status().unwrap().success());
    library
}

/// A question that Z3 dies of is open, and no other. After a pointer into nowhere nothing that Z3 says counts any more.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn a_question_that_kills_z3_costs_that_question() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("three.bpl");
    let text = "function {:bvbuiltin \"bvudiv\"} quot(a: bv8, b: bv8): bv8;\n\
                procedure first(n: int) { assert n * n >= n; }\n\
                procedure kills(a: bv8) { assert quot(a, 1bv8) == a; }\n\
                procedure last(n: int) { assert n > 0 ==> n * n > 0; }\n\
                procedure fails(n: int) { assert n < 5; }\n";
    fs::write(&program, text).unwrap();
    let path = program.to_str().unwrap();
    // What counts as Z3's code is where this function is.
    let own = "#define _GNU_SOURCE\n#include <dlfcn.h>\n\
               int Z3_solver_check(void *c, void *s) {\n\
               int (*real)(void *, void *) = dlsym(RTLD_NEXT, \"Z3_solver_check\");\n\
               return real(c, s);\n}\n";
    let null = "void *volatile *volatile p = 0; return *p;";
    let nowhere = "void *volatile *volatile p = (void *)0x100012340000; return *p;";
    let exception = "_ZSt9terminatev(); return 0;";
    let recursion = "return endless(1);";
    for (dies, others) in [
        (null, true),
        (recursion, true),
        (exception, true),
        (nowhere, false),
    ] {
        let shim = format!(
            "{own}void _ZSt9terminatev(void);\n\
             static void *endless(volatile long n) {{ return (char *)endless(n + 1) + n; }}\n\
             void *Z3_mk_bvudiv(void *c, void *a, void *b) {{ {dies} }}\n"
        );
        let library = in_front_of_z3(dir.path(), &shim);
        let (code, said) = with_library(&library, &["check", "--timeout", "60", path]);
        assert!(
            said.contains("three.bpl:3:27: assertion: unknown (solver-failed)"),
            "{dies}: {code:?} {said}"
        );
        let are_decided = [
            "first: SAFE",
            "last: SAFE",
            "three.bpl:5:27: assertion violated",
        ];
        assert!(
            !others || are_decided.iter().all(|words| said.contains(words)),
            "{dies}: {said}"
        );
        // Nothing counts that was said after it.
        assert!(others || !said.contains("last: SAFE"), "{dies}: {said}");
        assert!(matches!(code, Some(1 | 4)), "{dies}: {code:?} {said}");
    }
}

/// A question that Z3 neither answers nor gives up costs what is open, and nothing that was decided before.
#[test]
#[cfg(target_os = "linux")]
fn what_is_decided_before_z3_hangs_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("two.bpl");
    let text = "procedure p(n: int) {\n  assert n * n != 2;\n  if (n > 5) { assert n < 3; }\n}\n";
    fs::write(&program, text).unwrap();
    let shim = "#include <unistd.h>\n\
                int Z3_solver_check(void *c, void *s) { for (;;) pause(); }\n\
                int Z3_solver_check_assumptions(void *c, void *s, unsigned n, void *a) { for (;;) pause(); }\n";
    let library = in_front_of_z3(dir.path(), shim);
    let path = program.to_str().unwrap();
    let (code, said) = with_library(&library, &["check", "--timeout", "4", path]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("two.bpl:2:3: assertion: unknown (timeout)"),
        "{said}"
    );
    assert!(said.contains("two.bpl:3:16: assertion violated"), "{said}");
}

#[test]
fn the_version_is_the_same_everywhere() {
    for (file, text) in [
        (
            "src/smt/build/supply.rs",
            format!("PACKAGE_VERSION: &str = \"{PACKAGE_VERSION}\""),
        ),
        (
            "book/src/howto/install.md",
            format!("z3-solver=={PACKAGE_VERSION}"),
        ),
        (".ci/run", format!("z3-solver=={PACKAGE_VERSION}")),
        (
            "src/python/pyproject.toml",
            format!("z3-solver=={PACKAGE_VERSION}"),
        ),
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
    assert!(ci.contains("phase test $test_command -- --include-ignored"));
}
