//! The libraries in Boogie: what their contracts say is proved, and programs can use them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

fn libraries() -> Vec<String> {
    let folder = crate::root().join("stdlib");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".bpl").map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

fn told(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let code = output.status.code();
    format!("{}exit code {code:?}", String::from_utf8(text).unwrap())
}

#[test]
fn every_contract_is_proved() {
    let root = crate::root();
    assert_eq!(libraries(), ["array", "math", "sequence"]);
    for name in libraries() {
        let file = format!("stdlib/{name}.bpl");
        // As Boogie reads it, every procedure is proved from contracts and invariants alone.
        for mode in ["--modular", "--calls=contract"] {
            let text = told(root, &["check", mode, "--timeout", "120", &file]);
            assert!(text.ends_with("exit code Some(0)"), "{name} {mode}: {text}");
            assert!(!text.contains("warning"), "{name} {mode}: {text}");
        }
    }
}

#[test]
fn every_function_occurs_in_a_contract() {
    let root = crate::root();
    for name in libraries() {
        let text = fs::read_to_string(root.join(format!("stdlib/{name}.bpl"))).unwrap();
        let words = |text: &str| -> Vec<String> {
            let name = |c: char| c.is_alphanumeric() || c == '_';
            text.split(|c| !name(c)).map(str::to_owned).collect()
        };
        let contracts: Vec<String> = text
            .lines()
            .filter(|line| {
                let line = line.trim_start();
                line.starts_with("ensures") || line.starts_with("requires")
            })
            .flat_map(words)
            .collect();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("function ") {
                let function = rest.split('(').next().unwrap().to_owned();
                let described = contracts.contains(&function);
                assert!(described || function == "same", "{name}: {function}");
            }
        }
    }
}

#[test]
fn programs_use_libraries_and_places_in_them_are_told() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "use.bpl",
        "procedure p(a: int, b: int)\n{\n  var q, r: int;\n  assert max(a, b) >= twice(1);\n  call q, r := divide(a, b);\n}\n",
    );
    write(
        "own.bpl",
        "// mine\nfunction twice(x: int): int { x + x }\nprocedure never() { assert false; }\n",
    );
    let text = told(
        folder.path(),
        &[
            "check",
            "use.bpl",
            "--library",
            "math",
            "--library",
            "own.bpl",
            "--library",
            "math",
        ],
    );
    assert!(
        text.contains("p: UNSAFE, 2 of 5 obligations violated"),
        "{text}"
    );
    assert!(text.contains("use.bpl:4:3: assertion violated"), "{text}");
    assert!(
        text.contains("use.bpl:5:3: precondition of `divide` violated"),
        "{text}"
    );
    assert!(
        text.contains("stdlib/math.bpl:62: requires b != 0;"),
        "{text}"
    );
    // Nothing but the program's own procedures is a unit.
    assert!(!text.contains("never") && !text.contains("gcd"), "{text}");
    let text = told(
        folder.path(),
        &[
            "check",
            "use.bpl",
            "--library",
            "own.bpl",
            "--entry",
            "never",
        ],
    );
    assert!(text.contains("REJECTED use.bpl:4:10"), "{text}");
    let text = told(
        folder.path(),
        &[
            "check",
            "use.bpl",
            "--library=math",
            "--library=own.bpl",
            "--entry=never",
        ],
    );
    assert!(text.contains("own.bpl:3:21: assertion violated"), "{text}");
    let text = told(
        folder.path(),
        &[
            "run",
            "use.bpl",
            "--library=math",
            "--library=own.bpl",
            "--inputs=5,-2",
        ],
    );
    assert!(text.ends_with("exit code Some(0)"), "{text}");
    let text = told(
        folder.path(),
        &["graph", "use.bpl", "--library=math", "--library=own.bpl"],
    );
    assert!(
        text.contains("graph p ") && !text.contains("graph never"),
        "{text}"
    );
}

#[test]
fn what_is_no_library_is_told() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("p.bpl", "procedure p() { assert true; }");
    write("g.ult", "graph g { init a; error b; a -> b: false; }");
    for (arguments, part) in [
        (
            ["check", "p.bpl", "--library=nothing"],
            "there is no library `nothing`; there is: array",
        ),
        (
            ["check", "p.bpl", "--library=gone.bpl"],
            "cannot read `gone.bpl`",
        ),
        (
            ["check", "g.ult", "--library=math"],
            "`g.ult` is no Boogie program",
        ),
    ] {
        let text = told(folder.path(), &arguments);
        assert!(
            text.contains(part) && text.ends_with("exit code Some(2)"),
            "{text}"
        );
    }
}

/// That procedures of a library are no entries must not mean that their contracts are believed.
#[test]
fn a_wrong_contract_in_a_library_proves_nothing() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "liar.bpl",
        "procedure liar(x: int) returns (y: int)\n  ensures y > x;\n{\n  y := x;\n}\n",
    );
    write(
        "p.bpl",
        "procedure p()\n{\n  var y: int;\n  call y := liar(1);\n  assert y > 1;\n}\n",
    );
    for (mode, code) in [
        ("--calls=auto", 1),
        ("--calls=contract", 4),
        ("--modular", 4),
    ] {
        let text = told(
            folder.path(),
            &["check", "p.bpl", "--library=liar.bpl", mode],
        );
        assert!(
            text.ends_with(&format!("exit code Some({code})")),
            "{mode}: {text}"
        );
    }
}
