//! What is said about the command line: help, manual pages, completions, and complaints.

use std::fs;
use std::process::Command;

use super::{SAFE, neutral};
use crate::session::Session;

#[test]
fn version_and_help() {
    let session = Session::new(&[]);
    snapshot!("version", session.story(&["--version"]));
    snapshot!("help_check", session.story(&["check", "--help"]));
    snapshot!("help_boogie", session.story(&["boogie", "--help"]));
    snapshot!("help_export", session.story(&["export", "--help"]));
}

/// The numbers that tables in Markdown have in their first column, below a heading.
fn numbers(page: &str, heading: &str) -> Vec<u8> {
    let (_, rest) = page.split_once(heading).expect("the heading");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let cells = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    cells.filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn exit_codes_are_told_as_they_are() {
    let codes = ult_cli::Exit::ALL.map(|exit| exit as u8);
    for page in ["README.md", "book/src/howto/ci.md"] {
        let text = fs::read_to_string(crate::root().join(page)).unwrap();
        assert_eq!(numbers(&text, "## Exit codes"), codes, "{page}");
    }
    let help = Session::new(&[]).run(&["--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, told) = help.split_once("Exit codes: ").expect("they are told");
    let told = told.split("\n\n").next().unwrap_or_default();
    let told: Vec<u8> = (told.split_whitespace())
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(told, codes);
}

#[test]
fn wrong_command_lines() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    for args in [
        &["check"][..],
        &["check", "missing.bpl"],
        &["graph", "."],
        &["check", "safe.bpl", "missing.bpl"],
        &["check", "--timeout", "0", "safe.bpl"],
        &["check", "--entry", "mian", "safe.bpl"],
        &["graph", "--entry", "mian", "safe.bpl"],
        &["graph", "-o", "missing/folder", "safe.bpl"],
        &["export", "--entry", "mian", "safe.bpl"],
        &["export", "--modular", "safe.bpl"],
        &["export", "--obligation", "0", "safe.bpl"],
        &["export", "--obligation", "99", "safe.bpl"],
        &["explain", "E9999"],
        &["frobnicate"],
    ] {
        let output = session.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    snapshot!("missing_file", session.story(&["check", "missing.bpl"]));
    snapshot!(
        "unknown_entry",
        session.story(&["check", "--entry", "mian", "safe.bpl"])
    );
}

#[test]
fn everything_listed_can_be_explained() {
    let session = Session::new(&[]);
    let list = session.run(&["explain", "--list"]);
    let list = String::from_utf8(list.stdout).unwrap();
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(ids.contains(&"E0101") && ids.contains(&"timeout"));
    for id in [ids[0], "E0101", "timeout", "W0401"] {
        let output = session.run(&["explain", id]);
        assert_eq!(output.status.code(), Some(0), "{id}");
        assert!(output.stdout.len() > 100, "{id}");
        let text = String::from_utf8(output.stdout).unwrap();
        let title = text.lines().next().unwrap();
        assert_eq!(text.matches(title).count(), 1, "{id}");
    }
}

/// Where a mistake or a reason is there several times, its page is named once.
#[test]
fn a_page_is_named_once_for_each_id() {
    let rejected = "procedure p() returns (x: int, b: bool) { x := y; x := z; x := b; b := x; }\n";
    let open = "procedure p(x: int) { assert x * x != 3 * x + 1; }\nprocedure q(x: int) { assert x * x != 3 * x + 2; }\n";
    let session = Session::new(&[("rejected.bpl", rejected), ("open.bpl", open)]);
    for (args, ids, times) in [
        (&["check", "rejected.bpl"][..], &["E0201", "E0301"][..], 2),
        (
            &["check", "--engine", "intervals", "open.bpl"],
            &["incomplete"],
            2,
        ),
    ] {
        let (_, told) = session.told(args);
        for id in ids {
            let page = format!("`ult explain {id}` says more");
            assert_eq!(told.matches(&page).count(), 1, "{told}");
            let named = told.matches(&format!("[{id}]")).count();
            let reason = told.matches(&format!("unknown ({id})")).count();
            assert_eq!(named + reason, times, "{told}");
        }
        assert_eq!(told.matches("says more").count(), ids.len(), "{told}");
    }
}

/// From UNKNOWN a page leads on: it says what to do, with options that there are.
#[test]
fn pages_on_reasons_say_what_to_do() {
    let session = Session::new(&[]);
    let help = session.run(&["check", "--help"]).stdout;
    let known = String::from_utf8(help).unwrap() + "--version";
    let list = String::from_utf8(session.run(&["explain", "--list"]).stdout).unwrap();
    let is_reason = |id: &&str| id.starts_with(|c: char| c.is_ascii_lowercase());
    let reasons = list.lines().filter_map(|l| l.split_whitespace().next());
    let reasons: Vec<&str> = reasons.filter(is_reason).collect();
    assert!(reasons.contains(&"timeout") && reasons.contains(&"not-proved"));
    for reason in reasons {
        // As the report writes it.
        let (code, page) = session.told(&["explain", &format!("UNKNOWN({reason})")]);
        assert_eq!(code, 0, "{page}");
        assert!(page.contains("What to do:"), "{page}");
        for word in page.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            assert!(
                !word.starts_with("--") || known.contains(word),
                "{word}\n{page}"
            );
        }
    }
}

#[test]
fn manual_pages() {
    let session = Session::new(&[]);
    let output = session.run(&["man", "--output", "pages/man1"]);
    assert_eq!(output.status.code(), Some(0));
    let folder = session.path().join("pages/man1");
    let help = session.run(&["help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .map_while(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"check") && commands.contains(&"man"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), commands.len() + 1);
    for command in commands {
        let page = fs::read_to_string(folder.join(format!("ult-{command}.1"))).unwrap();
        let printed = session.run(&["man", command]);
        assert_eq!(page, String::from_utf8(printed.stdout).unwrap());
        assert!(page.contains(&format!(".TH ult-{command} 1")), "{page}");
    }
    snapshot!("man", session.story(&["man", "explain"]));
    assert_eq!(session.run(&["man", "nothing"]).status.code(), Some(2));
    let file = session.path().join("pages/file");
    fs::write(&file, "").unwrap();
    let output = session.run(&["man", "--output", "pages/file/man1"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn completions_for_shells() {
    let session = Session::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = session.run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains("--show-invariants") || script.contains("show-invariants"));
    }
    assert_eq!(
        session.run(&["completions", "abacus"]).status.code(),
        Some(2)
    );
    // A real shell completes with it.
    let script = "source <(\"$ULT\" completions bash) && COMP_WORDS=(ult check --show) && COMP_CWORD=2 \
                  && _ult ult --show check && echo \"${COMPREPLY[*]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", script])
        .env("ULT", env!("CARGO_BIN_EXE_ult"))
        .output();
    let Ok(output) = output else {
        crate::tools::missing("bash", "its completion");
        return;
    };
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "--show-invariants"
    );
}
