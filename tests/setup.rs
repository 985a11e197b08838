//! The set-up: what the README promises about it, and which Z3 the program has. Where the build takes Z3 from is tried in
//! `tests/supply`.

use std::fs;
use std::io::Read as _;
use std::path::Path;
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

/// On a machine with Debian's `libz3-dev` the linker could take version 4.8, and programs can be made to load another
/// library than the one they were built with. Then there are no answers.
#[test]
#[cfg(target_os = "linux")]
fn an_old_z3_answers_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let text = "const char *Z3_get_full_version(void) { return \"Z3 4.8.12.0\"; }\n";
    let library = shared_library(dir.path(), text);
    let check = |preload: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ult"));
        command
            .args(["check", "examples/seed.bpl"])
            .current_dir(root());
        let output = command
            .envs(preload.iter().map(|p| ("LD_PRELOAD", p)))
            .output();
        let output = output.unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let (code, said) = check(&[]);
    assert!(code == Some(0) && said.contains(": SAFE"), "{said}");
    let (code, said) = check(&[&library]);
    assert!(
        code != Some(0) && !said.contains("SAFE") && said.contains("Z3 5.0 or newer is needed"),
        "{code:?}: {said}"
    );
}

/// A library whose first call never comes back. (That the doctor ends when a later one does is tried beside it.)
#[test]
#[cfg(target_os = "linux")]
fn the_doctor_outlives_a_z3_that_hangs() {
    let dir = tempfile::tempdir().unwrap();
    let text = "#include <unistd.h>\n\
                const char *Z3_get_full_version(void) { for (;;) pause(); }\n";
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_ult"))
        .arg("doctor")
        .env("LD_PRELOAD", shared_library(dir.path(), text))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = doctor.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            doctor.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let mut said = String::new();
    let mut stdout = doctor.stdout.take().unwrap();
    stdout.read_to_string(&mut said).unwrap();
    assert_eq!(status.code(), Some(5), "{said}");
    for part in [
        "  FAIL  Z3: no answer within 10 seconds\n        to do: ",
        "\nThe solver and the programs were not tried.\n",
        "\n1 of the checks failed",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn the_version_is_the_same_everywhere() {
    for (file, text) in [
        (
            "src/smt/build/supply.rs",
            format!("PACKAGE_VERSION: &str = \"{PACKAGE_VERSION}\""),
        ),
        ("README.md", format!("z3-solver=={PACKAGE_VERSION}")),
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
