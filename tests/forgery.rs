//! Nobody but the checker makes a SAFE or UNSAFE verdict: the compiler refuses each way to try, for the reason that is meant.
//! (Error codes in documentation tests are only looked at by nightly compilers.)

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The compiled checker, which cargo has put beside this test: the newest one, if other settings have left others there.
fn library() -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let libraries = fs::read_dir(this.parent().unwrap())
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let file = path.file_name()?.to_str()?;
            (file.starts_with("libult_check-") && file.ends_with(".rlib")).then_some(path)
        });
    libraries
        .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
        .expect("the checker as a library")
}

/// The codes of the compiler's errors about a function with this body.
fn errors(body: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("forger.rs");
    let text = format!("pub fn forge(verdict: &ult_check::Verdict) {{ {body} }}\n");
    fs::write(&file, text).unwrap();
    let library = library();
    let output = Command::new("rustc")
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
        ])
        .args(["--error-format", "json", "--out-dir"])
        .arg(folder.path())
        .arg("-L")
        .arg(format!(
            "dependency={}",
            library.parent().unwrap().display()
        ))
        .arg("--extern")
        .arg(format!("ult_check={}", library.display()))
        .arg(&file)
        .output()
        .expect("rustc runs");
    let said = String::from_utf8(output.stderr).unwrap();
    said.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|message| message["level"] == "error" && !message["code"].is_null())
        .map(|message| message["code"]["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn verdicts_can_be_read() {
    let body = "let _ = (verdict.is_safe(), verdict.is_unsafe(), verdict.reason());";
    assert_eq!(errors(body), [""; 0]);
}

#[test]
fn verdicts_cannot_be_forged() {
    const PRIVATE_FIELD: &str = "E0451";
    const PRIVATE_FUNCTION: &str = "E0624";
    const NO_SUCH_FUNCTION: &str = "E0599";
    for (body, code) in [
        (
            "let _ = ult_check::Proof { content: panic!() };",
            PRIVATE_FIELD,
        ),
        (
            "let _ = ult_check::Violation { location: panic!(), run: panic!() };",
            PRIVATE_FIELD,
        ),
        (
            "let _ = ult_check::Proof::new(panic!(), panic!(), panic!(), panic!());",
            PRIVATE_FUNCTION,
        ),
        (
            "let _ = ult_check::Violation::new(panic!(), panic!());",
            PRIVATE_FUNCTION,
        ),
        ("let _ = ult_check::Proof::default();", NO_SUCH_FUNCTION),
        ("let _ = ult_check::Violation::default();", NO_SUCH_FUNCTION),
    ] {
        let found = errors(body);
        assert!(
            !found.is_empty() && found.iter().all(|found| found == code),
            "{body}: {found:?}"
        );
    }
}
