//! Files that commands write: whole or not at all, and never over what is read.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Output, Stdio};

use super::SAFE;
use crate::session::Session;

/// A command under a limit of a few hundred bytes for files.
fn in_little_space(session: &Session, args: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -f 1 && exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_ult"))
        .args(args)
        .current_dir(session.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn names(session: &Session) -> Vec<String> {
    let entries = fs::read_dir(session.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_written_whole_stays_as_it_was() {
    let body = "x:=x+1;".repeat(1000);
    let messy = format!("procedure p(){{var x:int;x:=0;{body}assert x==1000;}}\n");
    let session = Session::new(&[("a.bpl", &messy), ("page.html", "old"), ("out.dot", "old")]);
    let files = names(&session);
    for (args, file, old) in [
        (&["fmt", "a.bpl"][..], "a.bpl", &*messy),
        (
            &["check", "a.bpl", "--html", "page.html"],
            "page.html",
            "old",
        ),
        (&["graph", "a.bpl", "-o", "out.dot"], "out.dot", "old"),
    ] {
        let output = in_little_space(&session, args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(&format!("cannot write `{file}`")), "{said}");
        assert_eq!(fs::read_to_string(session.path().join(file)).unwrap(), old);
    }
    assert_eq!(names(&session), files, "nothing is left behind");
}

#[test]
fn outputs_do_not_take_the_place_of_inputs() {
    let c = "int main(void) { return 0; }\n";
    let session = Session::new(&[("a.bpl", SAFE), ("l.bpl", SAFE), ("a.c", c)]);
    symlink("a.bpl", session.path().join("link.bpl")).unwrap();
    fs::hard_link(session.path().join("a.c"), session.path().join("other.c")).unwrap();
    let files = names(&session);
    for args in [
        &["check", "a.bpl", "--html", "a.bpl"][..],
        &["check", "a.bpl", "--html", "./a.bpl"],
        &["check", "a.bpl", "--html", "link.bpl"],
        &["check", "link.bpl", "--html", "a.bpl"],
        &["check", "a.bpl", "--library", "l.bpl", "--html", "l.bpl"],
        &["check", "a.c", "--witness", "other.c"],
        &["check", "a.c", "--harness", "a.c"],
        &["check", "a.c", "--witness", "w.yml", "--html", "w.yml"],
        &["translate", "a.c", "-o", "a.c"],
        &["graph", "a.bpl", "-o", "a.bpl"],
        &["export", "a.bpl", "-o", "a.bpl"],
    ] {
        let (code, said) = session.told(args);
        assert_eq!(code, 2, "{args:?}: {said}");
        assert!(said.contains("by the same command"), "{said}");
    }
    assert_eq!(names(&session), files);
    for (name, old) in [("a.bpl", SAFE), ("l.bpl", SAFE), ("a.c", c)] {
        assert_eq!(fs::read_to_string(session.path().join(name)).unwrap(), old);
    }
    // Devices are no files.
    let both = [
        "check",
        "a.c",
        "--witness",
        "/dev/null",
        "--html",
        "/dev/null",
    ];
    assert_eq!(session.told(&both).0, 0);
}

#[test]
fn links_stay_links_and_files_keep_their_permissions() {
    let messy = "procedure p(){assert true;}";
    let session = Session::new(&[("a.bpl", messy)]);
    let (file, link) = (
        session.path().join("a.bpl"),
        session.path().join("link.bpl"),
    );
    symlink("a.bpl", &link).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(session.told(&["fmt", "link.bpl"]).0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_ne!(fs::read_to_string(&file).unwrap(), messy);
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o640);
    // A new file is like any other that the user makes.
    assert_eq!(session.told(&["graph", "a.bpl", "-o", "new.dot"]).0, 0);
    fs::write(session.path().join("plain"), "").unwrap();
    assert_eq!(
        mode(&session.path().join("new.dot")),
        mode(&session.path().join("plain"))
    );
}
