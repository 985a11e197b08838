//! The gallery `examples/first`: that its list is whole, and how what is inferred there reads.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The longest invariant that is still read, in characters.
const READABLE: usize = 200;

#[test]
fn the_list_names_all_programs_and_their_twins() {
    let folder = crate::root().join("examples/first");
    let names = fs::read_dir(&folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().into_owned()
    });
    let programs: BTreeSet<String> = names.filter(|name| name.ends_with(".bpl")).collect();
    let list = fs::read_to_string(folder.join("tasks.csv")).unwrap();
    let listed: BTreeSet<String> = (list.lines().skip(1))
        .map(|line| {
            let (name, expected) = line.split_once(',').unwrap();
            let is_wrong = name.ends_with("-unsafe.bpl");
            assert_eq!(expected, if is_wrong { "false" } else { "true" }, "{name}");
            name.to_owned()
        })
        .collect();
    assert_eq!(programs, listed);
    assert!(programs.len() >= 20);
    for name in programs
        .iter()
        .filter(|name| !name.ends_with("-unsafe.bpl"))
    {
        let twin = name.replace(".bpl", "-unsafe.bpl");
        assert!(programs.contains(&twin), "{twin}");
    }
}

/// What the table of times says: each program of the list, decided as expected in less than ten seconds.
#[test]
fn the_table_says_that_each_is_decided_soon() {
    let root = crate::root();
    let list = fs::read_to_string(root.join("examples/first/tasks.csv")).unwrap();
    let table = fs::read_to_string(root.join("benches/results/first.md")).unwrap();
    let rows = table.lines().filter(|line| line.contains(".bpl |"));
    let rows: Vec<Vec<&str>> = rows
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let named: Vec<String> = (rows.iter())
        .map(|row| format!("{},{}", row[1], row[2]))
        .collect();
    assert!(named.iter().eq(list.lines().skip(1)), "{named:?}");
    for row in rows {
        assert_eq!((row[3], row[4]), (row[2], "right"), "{row:?}");
        let seconds: f64 = row[5].parse().unwrap();
        assert!(seconds < 10.0, "{row:?}");
    }
}

fn shown(name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(["check", "--engine", "slicing", "--show-invariants"])
        .arg(format!("examples/first/{name}.bpl"))
        .current_dir(crate::root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What a person would not write, if there is something: an `if`, limits of machine numbers, a name bound twice, a long line.
fn clumsy(text: &str, longest: usize) -> Option<&str> {
    let is_clumsy = |clause: &&str| {
        let numbers = clause.split(|c: char| !c.is_ascii_digit());
        let is_short = numbers.map(str::len).max() <= Some(4);
        let bound = clause.matches("forall k").count();
        let is_plain = !clause.contains("if ") && bound <= 1;
        !is_short || !is_plain || clause.len() > longest
    };
    let mut clauses = text.lines().filter(|line| line.starts_with("    "));
    clauses.find(is_clumsy)
}

#[test]
#[ignore = "takes long"]
fn what_is_inferred_reads_as_a_person_would_write_it() {
    let short = ["fibonacci", "gcd", "ghost", "maximum", "product"];
    let short = short.map(|name| (name, READABLE));
    // Five truth values and four numbers depend on each other: many conjuncts, each of which is short.
    for (name, longest) in short.into_iter().chain([("ticket", 2 * READABLE)]) {
        let text = shown(name);
        let says_something = text.lines().any(|line| line.starts_with("    "));
        assert!(says_something, "{name}:\n{text}");
        assert_eq!(clumsy(&text, longest), None, "{name}:\n{text}");
    }
}

/// What engines found is a list of a thousand states, and a quantifier over a map that is
/// written to inside of it.
#[test]
fn long_proofs_are_shown_in_few_words() {
    for (name, longest) in [("sum", 60), ("ghost", 130)] {
        let file = format!("examples/first/{name}.bpl");
        let args = ["check", "--show-invariants", &file];
        let output = Command::new(env!("CARGO_BIN_EXE_ult"))
            .args(args)
            .current_dir(crate::root())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let invariants = invariants(&text);
        assert_eq!(invariants.len(), 1, "{text}");
        let (line, formula) = &invariants[0];
        assert!(formula.len() <= longest, "{formula}");
        // One conjunct after the other, each short.
        let conjuncts = formula.split(" && (").flat_map(|part| part.split(") && "));
        let plainest = conjuncts.map(str::len).max();
        assert!(plainest <= Some(90), "{formula}");
        for clumsy in ["if ", "[i + 1 :="] {
            assert!(!formula.contains(clumsy), "{formula}");
        }
        // It is inductive: whoever writes it down has proved the program.
        let source = fs::read_to_string(crate::root().join(&file)).unwrap();
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let head = &mut lines[line - 1];
        *head = head.replace(" {", &format!("\n  invariant {formula};\n  {{"));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("with.bpl"), lines.join("\n")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ult"))
            .args(["check", "--modular", "with.bpl"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{formula}\n{text}");
    }
}

/// The lines of loops, and what is shown there.
fn invariants(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("  invariant of the loop at line ") {
            let number = rest.trim_end_matches(':').parse().unwrap();
            found.push((number, lines.next().unwrap().trim().to_owned()));
        }
    }
    found
}

/// A contract that says nothing is not shown.
#[test]
fn a_contract_that_is_always_true_is_not_shown() {
    let text = shown("fibonacci");
    assert!(text.contains("inferred contract:\n    ensures "), "{text}");
    let text = shown("fibonacci-unsafe");
    assert!(text.contains("UNSAFE"), "{text}");
    assert!(!text.contains("inferred contract"), "{text}");
}
