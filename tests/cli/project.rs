//! Project files: options and expected verdicts by pattern, messages about what is wrong in them, `ult init`.

use std::fs;

use super::{SAFE, UNSAFE, neutral};
use crate::session::Session;

fn session(project: &str) -> Session {
    let session = Session::new(&[("ult.toml", project)]);
    for (name, text) in [
        ("a.bpl", SAFE),
        ("old/b.bpl", UNSAFE),
        ("old/deep/c.bpl", SAFE),
    ] {
        let path = session.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    session
}

#[test]
fn verdicts_are_expected_by_pattern() {
    let session =
        session("expect = \"safe\"\n[[rule]]\nfiles = \"old/*.bpl\"\nexpect = \"unsafe\"\n");
    let (code, said) = session.told(&["check"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.ends_with("3 files: 2 SAFE, 1 UNSAFE; all that was expected\n"),
        "{said}"
    );
    // From below, and with one file.
    let below = ["check", "-q", "old/b.bpl"];
    assert_eq!(session.told(&below).0, 0);
    assert_eq!(
        session
            .told(&["check", "-q", "--no-project", "old/b.bpl"])
            .0,
        1
    );
    let mut inside = session.command(&["check", "-q", "b.bpl"]);
    inside.current_dir(session.path().join("old"));
    assert_eq!(inside.output().unwrap().status.code(), Some(0));
    // Another verdict fails the run.
    fs::write(session.path().join("old/b.bpl"), SAFE).unwrap();
    let (code, said) = session.told(&["check", "--jobs", "2"]);
    assert_eq!(code, 1, "{said}");
    let line = "ult: error: old/b.bpl: expected UNSAFE, but the verdict is SAFE\n";
    assert!(said.ends_with(line), "{said}");
    assert!(
        said.contains("3 files: 3 SAFE; 1 NOT AS EXPECTED\n"),
        "{said}"
    );
    let json = session.json(&["check"]);
    assert_eq!(json[1]["expected"], "UNSAFE");
    let junit = session.run(&["check", "--format", "junit"]).stdout;
    let junit = String::from_utf8(junit).unwrap();
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
}

#[test]
fn options_are_those_of_the_command_line_which_wins() {
    let project = "engine = \"kinduction\"\ntimeout = 50\nlibrary = [\"math\", \"old/mine.bpl\"]\n\
                   [[rule]]\nfiles = [\"old\"]\nengine = \"slicing\"\nmodular = true\nmemory = 3000\n\
                   [[rule]]\nfiles = \"old/deep/*\"\nmodular = false\n";
    let session = session(project);
    fs::write(session.path().join("old/mine.bpl"), "").unwrap();
    let options = |args: &[&str]| {
        let json = session.json(args);
        let told = json["project"]["options"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let told: Vec<&str> = told.iter().map(|word| word.as_str().unwrap()).collect();
        told.join(" ")
    };
    let libraries = "--library=math --library=old/mine.bpl";
    assert_eq!(
        options(&["check", "a.bpl"]),
        format!("--engine=kinduction {libraries} --timeout=50")
    );
    assert_eq!(
        options(&["check", "old/b.bpl"]),
        format!("--engine=slicing {libraries} --modular --timeout=50 --memory=3000")
    );
    assert_eq!(
        options(&[
            "check",
            "old/deep/c.bpl",
            "--timeout",
            "70",
            "--engine=impact"
        ]),
        format!("{libraries} --memory=3000")
    );
}

#[test]
fn what_is_wrong_has_a_place() {
    let project = "timeout = -1\nengin = \"bmc\"\nformat = \"json\"\ncpp = \"touch owned\"\n\
                   interpolation = \"external:touch owned\"\nexpect = \"maybe\"\nmodular = 1\n\
                   [[rule]]\nfiles = \"a{\"\nengine = \"none\"\n";
    let session = session(project);
    snapshot!("project-errors", session.story(&["check"]));
    assert!(!session.path().join("owned").exists());
    fs::write(session.path().join("ult.toml"), "files = [\n").unwrap();
    snapshot!("project-syntax", session.told(&["check", "a.bpl"]).1);
    assert_eq!(session.told(&["check", "-q", "--no-project", "a.bpl"]).0, 0);
}

#[test]
fn a_new_project_works_and_nothing_is_overwritten() {
    let session = Session::new(&[("mine.bpl", SAFE)]);
    let (code, said) = session.told(&["init", "new", "--ci", "github"]);
    assert_eq!(code, 0, "{said}");
    let folder = session.path().join("new");
    let mut check = session.command(&["check"]);
    let output = check.current_dir(&folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.ends_with("2 files: 1 SAFE, 1 UNSAFE; all that was expected\n"),
        "{text}"
    );
    assert!(folder.join(".github/workflows/verify.yml").is_file());
    for name in ["ult.toml", "README.md", "models/sum.bpl"] {
        fs::write(folder.join(name), "mine").unwrap();
    }
    fs::remove_file(folder.join("models/broken/sum.bpl")).unwrap();
    let (code, said) = session.told(&["init", "new"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("`new/ult.toml` is there already"), "{said}");
    assert_eq!(
        fs::read_to_string(folder.join("README.md")).unwrap(),
        "mine"
    );
    assert!(!folder.join("models/broken/sum.bpl").exists());
    let (code, said) = session.told(&["check"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("`ult init` makes one"), "{said}");
}
