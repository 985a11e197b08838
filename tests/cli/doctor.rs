//! `ult doctor`; `tests/setup.rs` has another one.

use super::neutral;
use crate::session::Session;

#[test]
fn the_doctor_tries_everything() {
    let session = Session::new(&[]);
    let output = session.run(&["doctor"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("\nAll is well.\n"), "{text}");
    // The rest depends on the machine.
    let (installation, rest) = text.split_once("\nSolver\n").unwrap();
    let (tried, editors) = rest.split_once("\nEditors\n").unwrap();
    snapshot!("doctor", tried);
    assert!(installation.contains("libz3."), "{installation}");
    for editor in ["Visual Studio Code", "Neovim", "Helix", "Emacs"] {
        assert!(editors.contains(editor), "{editors}");
    }
}

#[test]
fn the_doctor_says_what_to_do() {
    let session = Session::new(&[]);
    let mut command = session.command(&["doctor"]);
    let output = command.env("CC", "no-such-compiler").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("  FAIL  C with #include").count(), 2, "{text}");
    assert_eq!(text.matches("to do: install a C compiler").count(), 2);
    assert!(text.contains("  ok    C (.c): SAFE and UNSAFE"), "{text}");
    assert!(text.contains("\n2 of the checks failed"), "{text}");
}
