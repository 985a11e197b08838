//! What of an output does not depend on how fast the machine is.

/// How the lines begin that show a state which invariants allow.
const STATE: &str = "They allow this state ";

/// What stands for invariants, however many.
const INVARIANTS: &str = "...\n";

/// The text of a block without what another machine may show just as well:
///
/// * where the command names no engine, invariants: the engine that is first shows its own;
/// * invariants of witnesses: they are the same in other words where there was no time for shorter ones;
/// * how far the search for what is open had come when the time was over;
/// * the values of a state that stands for many: a solver shows the one that it finds first.
///
/// The command is the one of `<!-- output: COMMAND -->`; sessions say theirs.
pub fn timeless(command: Option<&str>, text: &str) -> String {
    let names_engine = |command: &str| command.contains("--engine ");
    let mut exact = command.is_some_and(names_engine);
    let (mut inside, mut is_late) = (false, false);
    let mut kept = String::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            exact = names_engine(command);
        }
        is_late = line.ends_with(": unknown (timeout)") || is_late && is_about_search(line);
        if is_late && is_about_search(line) {
            continue;
        }
        inside = inside && line.starts_with("    ");
        if !exact && (inside || is_clause(line.trim_start())) {
            if !kept.ends_with(INVARIANTS) {
                kept += INVARIANTS;
            }
        } else {
            kept += &without_chance(line);
            kept.push('\n');
        }
        inside = inside || shows_invariant(line);
    }
    kept
}

/// Whether a line says how far the search for an open obligation has come.
fn is_about_search(line: &str) -> bool {
    let starts = ["explored: ", "still open: ", "next: "];
    starts
        .iter()
        .any(|start| line.trim_start().starts_with(start))
}

/// Whether a line is an invariant of a loop in a program.
fn is_clause(line: &str) -> bool {
    line.starts_with("invariant ") && line.ends_with(';')
}

/// Whether the lines after it are an invariant.
fn shows_invariant(line: &str) -> bool {
    line.ends_with(':')
        && (line.contains("invariant of the ") || line.contains(", declared at line "))
}

/// A line up to the invariant of a witness, and without numbers that depend on the machine.
fn without_chance(line: &str) -> String {
    for start in ["value: \"", ": ACSL assertion (__acsl__("] {
        if let Some((before, _)) = line.split_once(start) {
            return before.to_owned() + start;
        }
    }
    match line.split_once(STATE) {
        Some((before, state)) => before.to_owned() + STATE + &without_numbers(state, " = "),
        None => line.to_owned(),
    }
}

/// A text without the numbers that come after these words.
fn without_numbers(text: &str, words: &str) -> String {
    let mut parts = text.split(words);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let part = part.strip_prefix('-').unwrap_or(part);
        text + words + part.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}

#[test]
fn only_what_depends_on_the_machine_is_left_out() {
    let found = |engine: &str, invariant: &str| {
        format!(
            "$ ult check{engine} --show-invariants a.bpl\na: SAFE\n  invariant of the loop at line 3:\n    {invariant}\nult: SAFE\n"
        )
    };
    let same = |one: &str, other: &str| timeless(None, one) == timeless(None, other);
    assert!(same(
        &found("", "0 <= i"),
        &found("", "0 <= i &&\n    i <= n")
    ));
    assert!(!same(
        &found("", "0 <= i"),
        &found("", "0 <= i").replace("line 3", "line 4")
    ));
    assert!(!same(
        &found("", "0 <= i"),
        &found("", "0 <= i").replace("ult: SAFE", "ult: UNKNOWN")
    ));
    let pinned = |invariant| found(" --engine ic3", invariant);
    assert!(!same(&pinned("0 <= i"), &pinned("1 <= i")));
    let late = "a: 1 of 1 open\n  a.bpl:3:4: assertion: unknown (timeout)\n";
    let searched =
        format!("{late}  explored: no violation in the first 7 steps\n  next: more\nend");
    assert!(same(&searched, &format!("{late}end")));
    assert!(!same(
        &searched.replace("timeout", "incomplete"),
        &format!("{late}end")
    ));
    assert!(!same(&searched, late));
    assert!(same(
        "They allow this state at 3: x = -1, y = 2",
        "They allow this state at 3: x = 4, y = 0"
    ));
    assert!(!same(
        "They allow this state at 3: x = 1",
        "They allow this state at 4: x = 1"
    ));
    assert!(!same("x = 1", "x = 2"));
    let clauses = "while (c)\n  invariant a;\n  invariant b;\n{";
    assert!(same(clauses, "while (c)\n  invariant c;\n{") && !same(clauses, "while (c)\n{"));
    let refuted = "ult: REFUTED w.yml: line 7: ACSL assertion (__acsl__((s == 1)))";
    assert!(same(refuted, &refuted.replace("s == 1", "s == 2")));
    assert!(!same(refuted, &refuted.replace("REFUTED", "UNKNOWN")));
    assert!(same("  value: \"a\"", "  value: \"b\"") && !same("  value: \"a\"", ""));
    let session = "a: SAFE\n  invariant of the loop at line 3:\n    0 <= i\n";
    let with = |command| timeless(Some(command), session) == session;
    assert!(with("ult check --engine ic3 a.bpl") && !with("ult check a.bpl"));
}
