//! The table of undefined behaviour in C: the programs that it names are there, and what is expected of them, which
//! `tests/corpus.rs` looks at, is what the table says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ult_c::undefined::Undefined;

/// How many items the annex has, as the page counts them.
const ITEMS: usize = 203;

/// What stands in a row of the table.
struct Row<'p> {
    number: usize,
    verdict: &'p str,
    programs: Vec<&'p str>,
}

/// The rows of the table, which begin with a number.
fn rows(page: &str) -> Vec<Row<'_>> {
    let cells = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells[..] {
            ["", number, _section, _words, verdict, programs, _note, ""] => Some(Row {
                number: number.parse().ok()?,
                verdict,
                programs: programs.split_whitespace().collect(),
            }),
            _ => None,
        }
    });
    cells.collect()
}

/// The heads of a program: what is expected of it with which flags, and which assumptions are told.
struct Heads(String);

impl Heads {
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.lines().filter_map(|line| line.strip_prefix("//# "))
    }

    /// Whether a verdict (the start of an expectation) is expected without flags.
    fn plain(&self, verdict: &str) -> bool {
        let mut expected = self
            .lines()
            .filter_map(|line| line.strip_prefix("expect: "));
        expected
            .next()
            .is_some_and(|told| told.starts_with(verdict))
    }

    /// Whether a verdict is expected for a property.
    fn of_property(&self, property: &str, verdict: &str) -> bool {
        let start = format!("flags: --property {property}");
        self.lines()
            .filter_map(|line| line.strip_prefix(&start))
            .any(|rest| match rest.strip_prefix(" expect: ") {
                Some(told) => told.starts_with(verdict),
                None => rest.is_empty() && self.plain(verdict),
            })
    }

    /// Whether it is expected with some flags or without.
    fn anywhere(&self, verdict: &str) -> bool {
        let mut told = self.lines().filter_map(|line| line.split_once("expect: "));
        told.any(|(_, told)| told.starts_with(verdict))
    }

    fn assumes(&self) -> bool {
        self.lines().any(|line| line.starts_with("assumes: "))
    }
}

/// What is wrong with the table.
pub fn complaints(page: &str, programs: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let rows = rows(page);
    let numbers: Vec<usize> = rows.iter().map(|row| row.number).collect();
    if numbers != (1..=ITEMS).collect::<Vec<usize>>() {
        wrong.push(format!("the rows are not 1 to {ITEMS}"));
    }
    let mut named = BTreeSet::new();
    for row in &rows {
        let mut heads = Vec::new();
        for program in &row.programs {
            let name = program.trim_matches('`');
            named.insert(name);
            match fs::read_to_string(programs.join(name).with_extension("c")) {
                Ok(text) => heads.push(Heads(text)),
                Err(error) => wrong.push(format!("{}: {name}: {error}", row.number)),
            }
        }
        let fits = match (row.verdict, &heads[..]) {
            ("not detected", _) => true,
            ("assumed", [first, ..]) => first.assumes(),
            ("unknown", [first, ..]) => first.anywhere("unknown("),
            ("rejected", [first, ..]) => first.plain("rejected("),
            (property, [violating, other, ..]) if property.starts_with('`') => {
                let property = property.trim_matches('`');
                violating.of_property(property, "unsafe") && other.of_property(property, "safe")
            }
            _ => false,
        };
        if !fits {
            let (number, verdict) = (row.number, row.verdict);
            wrong.push(format!("{number}: its programs do not show `{verdict}`"));
        }
    }
    wrong.extend(counts(page, &rows));
    wrong
}

/// Assumptions that neither have a property, of which the table shows a program that violates it and one that does not, nor are
/// listed above it.
pub fn unlisted(page: &str) -> Vec<String> {
    let rows = rows(page);
    let text = page.split_whitespace().collect::<Vec<&str>>().join(" ");
    let is_shown = |property: &str| {
        let mut verdicts = rows.iter().map(|row| row.verdict.trim_matches('`'));
        verdicts.any(|verdict| verdict == property)
    };
    let mut wrong = Vec::new();
    let mut without = ult_c::UNCHECKED.to_vec();
    for what in Undefined::ALL {
        match what.property() {
            Some(property) if is_shown(property) => {}
            Some(property) => wrong.push(format!("no program shows `{property}`")),
            None => without.push(what.assumption()),
        }
    }
    let is_listed = |words: &&str| text.contains(*words);
    wrong.extend(
        without
            .iter()
            .filter(|words| !is_listed(words))
            .map(|words| format!("not listed: {words}")),
    );
    wrong
}

/// What the text above the table says about how many rows there are of each kind.
fn counts(page: &str, rows: &[Row<'_>]) -> Option<String> {
    let of = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let properties = rows
        .iter()
        .filter(|row| row.verdict.starts_with('`'))
        .count();
    let told = format!(
        "Of {} items, {properties} are properties, {} are assumed, {} are unknown, {} are rejected, and {} are not detected.",
        rows.len(),
        of("assumed"),
        of("unknown"),
        of("rejected"),
        of("not detected"),
    );
    let text = page.split_whitespace().collect::<Vec<&str>>().join(" ");
    (!text.contains(&told)).then(|| format!("it should say: {told}"))
}

#[test]
fn a_wrong_table_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "a.c",
        "//# expect: safe\n//# flags: --property p expect: unsafe\n",
    );
    write("b.c", "//# expect: safe\n//# flags: --property p\n");
    let about = |row: &str| complaints(row, folder.path());
    let mentions = |row: &str, words: &str| about(row).iter().any(|what| what.contains(words));
    assert!(!mentions("| 1 | 6 | x | `p` | `a` `b` | |", "do not show"));
    assert!(mentions("| 1 | 6 | x | `p` | `b` `a` | |", "do not show"));
    assert!(mentions("| 1 | 6 | x | `q` | `a` `b` | |", "do not show"));
    assert!(mentions("| 1 | 6 | x | unknown | `a` | |", "do not show"));
    assert!(mentions("| 1 | 6 | x | rejected | | |", "do not show"));
    assert!(mentions("| 1 | 6 | x | not detected | `c` | |", "1: c: "));
    assert!(mentions(
        "| 2 | 6 | x | not detected | | |",
        "the rows are not"
    ));
    assert!(mentions("", "it should say"));
}
