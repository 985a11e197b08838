//! What is kept about a program is checked again, and nothing that is kept makes a wrong verdict.

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_lang::diagnostic::Id;
use ult_lower::Lowering;
use ult_proof_cache::{Key, Store, digest};

use ult_driver::{Conclusion, Language, Progress, Report, Settings, Source, check, summaries};

fn settings(store: &Store, entries: &[&str]) -> Settings {
    let mut settings = Settings {
        kept: Some(store.clone()),
        ..Settings::default()
    };
    settings.reading.entries = entries.iter().map(ToString::to_string).collect();
    settings
}

fn checked_from(text: &str, store: &Store, entries: &[&str]) -> Report {
    let source = Source::new("test.bpl", text);
    let settings = settings(store, entries);
    let control = Control::unlimited();
    let report = check(
        &source,
        Language::Boogie,
        &settings,
        &control,
        &Progress::default(),
    );
    let report = report.expect("the entries are there");
    assert!(!report.is_rejected(), "{:?}", report.diagnostics);
    report
}

fn checked(text: &str, store: &Store) -> Report {
    checked_from(text, store, &[])
}

fn store() -> Store {
    Store::in_memory(1 << 20)
}

/// The keys of the procedures.
fn keys(text: &str) -> Vec<Key> {
    let (program, diagnostics) = ult_lang::analyze_boogie(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let lower = |plan| {
        let terms = Terms::new();
        let lowering = Lowering::new(&terms, &program, Default::default()).expect("entries");
        digest::of_graph(&terms, &lowering.lower(plan).graph)
    };
    let terms = Terms::new();
    let lowering = Lowering::new(&terms, &program, Default::default()).expect("entries");
    lowering.queue().map(lower).collect()
}

/// Of each unit: its name, whether it is decided, and what was reused and found.
fn reuse(report: &Report) -> Vec<(&str, bool, u64, u64)> {
    let units = report.units.iter();
    units
        .map(|unit| {
            let decided = !matches!(unit.conclusion(), Conclusion::Unknown(_));
            (&*unit.name, decided, unit.reuse.reused, unit.reuse.found)
        })
        .collect()
}

fn complaints(report: &Report) -> Vec<&str> {
    let all = report.diagnostics.iter();
    all.filter(|notice| notice.id == Id::EVIDENCE_DROPPED)
        .map(|notice| notice.message.as_str())
        .collect()
}

/// A loop that needs an invariant, a violated assertion behind an input, and something without loops.
const PROGRAM: &str = "
    procedure loop() {
      var x, y: int;
      x := 0; y := 0;
      while (x < 1000) { x := x + 1; y := y + 1; }
      assert x == y;
    }
    procedure wrong() {
      var x: int;
      havoc x;
      if (x > 17) { x := x * 2; assert x != 40; }
    }
    procedure straight(a: int) {
      var b: int;
      b := a + 1;
      assert b > a;
    }
";

#[test]
fn a_second_run_checks_what_the_first_one_kept() {
    let store = store();
    let first = checked(PROGRAM, &store);
    let units = [
        ("loop", true, 0, 1),
        ("wrong", true, 0, 1),
        ("straight", true, 0, 1),
    ];
    assert_eq!(reuse(&first), units);
    assert_eq!((first.statistics.reused, first.statistics.kept), (0, 3));
    let second = checked(PROGRAM, &store);
    let units = [
        ("loop", true, 1, 0),
        ("wrong", true, 1, 0),
        ("straight", true, 1, 0),
    ];
    assert_eq!(reuse(&second), units);
    assert_eq!((second.statistics.reused, second.statistics.kept), (3, 0));
    assert_eq!(
        second.statistics.decided_by.keys().collect::<Vec<_>>(),
        ["kept"]
    );
    // It was checked: nobody believes a file.
    assert!(second.statistics.solver_calls > 0);
    assert!(
        second.statistics.engines_time.is_empty(),
        "{:?}",
        second.statistics
    );
    assert_eq!(first.conclusion(), second.conclusion());
    for (before, after) in first.units.iter().zip(&second.units) {
        assert_eq!(before.conclusion(), after.conclusion());
        assert_eq!(
            format!("{:?}", before.invariants),
            format!("{:?}", after.invariants)
        );
        for (before, after) in before.obligations.iter().zip(&after.obligations) {
            assert_eq!(format!("{:?}", before.run), format!("{:?}", after.run));
        }
    }
    assert!(complaints(&second).is_empty());
}

#[test]
fn an_edit_costs_the_proof_of_what_was_edited() {
    let store = store();
    checked(PROGRAM, &store);
    let edited = PROGRAM.replace("assert b > a", "assert b > a - 1");
    let units = [
        ("loop", true, 1, 0),
        ("wrong", true, 1, 0),
        ("straight", true, 0, 1),
    ];
    assert_eq!(reuse(&checked(&edited, &store)), units);
    // Lines move, and things come that nobody needs, or that nobody knows anything about.
    let beside = format!(
        "// first\n\nconst early: int;\naxiom early == 3;\nvar global: [int]bool;\n\
         function g(int) returns (int); axiom g(1) > 1;\n\
         procedure another() modifies global; {{ global[early] := true; assert global[3] || g(1) < 1; }}\n{PROGRAM}"
    );
    let report = checked(&beside, &store);
    // A run has to make the new axioms true, and says nothing about their symbols.
    let units = [
        ("loop", true, 1, 0),
        ("wrong", true, 0, 1),
        ("straight", true, 1, 0),
    ];
    assert_eq!(reuse(&report)[1..], units);
    assert!(complaints(&report).is_empty());
    // And back.
    assert_eq!(reuse(&checked(PROGRAM, &store)), units);
}

/// A program whose loop keeps its promise, and one like it whose loop does not.
const RIGHT: &str = "procedure p() {
      var x, y: int;
      x := 0; y := 0;
      while (x < 6) { x := x + 1; y := y + 1; }
      assert x == y;
    }";
const WRONG: &str = "procedure p() {
      var x, y: int;
      x := 0; y := 0;
      while (x < 6) { x := x + 1; y := y + 2; }
      assert x == y;
    }";

/// What is kept about a program.
fn evidence(text: &str) -> String {
    let store = store();
    checked(text, &store);
    let found = store.load(&keys(text)[0]).expect("it is as it was written");
    found.expect("something is kept").to_string()
}

/// With this kept about both programs, both have their verdicts.
fn is_harmless(kept: &str) {
    for (text, expected) in [(RIGHT, Conclusion::Safe), (WRONG, Conclusion::Unsafe)] {
        let store = store();
        let key = keys(text)[0];
        store.save(&key, kept);
        let report = checked(text, &store);
        assert_eq!(report.conclusion(), expected, "{kept}\n{text}");
        let reused = report.units[0].reuse.reused > 0;
        let claims = kept
            .lines()
            .any(|line| line == "proof" || line.starts_with("run "));
        assert!(
            reused || !claims || !complaints(&report).is_empty(),
            "{kept}\n{text}"
        );
        // What is kept now is right.
        let again = checked(text, &store);
        assert_eq!(
            (again.conclusion(), again.units[0].reuse.found),
            (expected, 0)
        );
        assert!(complaints(&again).is_empty());
    }
}

#[test]
fn evidence_for_a_program_says_nothing_about_another_one() {
    is_harmless(&evidence(RIGHT));
    is_harmless(&evidence(WRONG));
}

#[test]
fn invariants_that_do_not_hold_are_refused() {
    let kept = evidence(RIGHT);
    let (terms, proof) = kept.split_at(kept.find("proof\n").expect("a proof"));
    let at = proof
        .lines()
        .find(|line| line.starts_with("at "))
        .expect("an invariant");
    let location = at.split(' ').nth(1).expect("a location");
    let number = terms
        .lines()
        .filter(|line| line.starts_with("term "))
        .count();
    let sort = terms
        .lines()
        .filter(|line| line.starts_with("sort "))
        .count();
    for operator in ["false", "true"] {
        is_harmless(&format!(
            "{terms}sort bool\nterm {sort} {operator}\nproof\nat {location} {number}\n"
        ));
    }
    // At every location at once, and with every kind of argument.
    let graph = 12;
    let mut everywhere = format!("{terms}sort bool\nterm {sort} false\nproof\n");
    for location in 0..graph {
        everywhere += &format!("at {location} {number}\n");
    }
    is_harmless(&everywhere);
    for location in 0..graph {
        for argument in ["inductive", "bounded"] {
            for segments in [1, 2, 5] {
                let kept = format!("proof\n{argument} {location} {segments}\n");
                let store = store();
                store.save(&keys(WRONG)[0], &kept);
                assert_eq!(
                    checked(WRONG, &store).conclusion(),
                    Conclusion::Unsafe,
                    "{kept}"
                );
            }
        }
    }
    is_harmless("proof\n");
    is_harmless("");
}

#[test]
fn no_line_matters_so_much_that_a_verdict_depends_on_it() {
    for kept in [evidence(RIGHT), evidence(WRONG)] {
        let lines: Vec<&str> = kept.lines().collect();
        for place in (0..lines.len()).step_by(7) {
            let mut less = lines.clone();
            less.remove(place);
            let mut more = lines.clone();
            more.insert(place, lines[(place * 7 + 3) % lines.len()]);
            for changed in [less, more] {
                is_harmless(&(changed.join("\n") + "\n"));
            }
        }
        // Cut off, and with other numbers.
        is_harmless(&kept[..kept.len() / 2]);
        is_harmless(&kept.replace(" int 1\n", " int 2\n"));
        is_harmless(&kept.replace(" int 6\n", " int 7\n"));
        is_harmless(&kept.replace("'x", "'y"));
    }
}

/// Needs a contract that nobody wrote.
const RECURSIVE: &str = "
    procedure add(n: int, m: int) returns (r: int) {
      if (n <= 0) { r := m; } else { call r := add(n - 1, m + 1); }
    }
    procedure main() {
      var n, r: int;
      assume n >= 0;
      call r := add(n, 0);
      assert r == n;
    }
";

#[test]
fn inferred_contracts_are_kept() {
    let store = store();
    let first = checked_from(RECURSIVE, &store, &["main"]);
    assert_eq!(first.conclusion(), Conclusion::Safe);
    let second = checked_from(RECURSIVE, &store, &["main"]);
    assert_eq!(second.conclusion(), Conclusion::Safe);
    assert!(
        second.units.iter().all(|unit| unit.reuse.found == 0),
        "{:?}",
        reuse(&second)
    );
    assert_eq!(second.statistics.kept, 0);
    assert!(complaints(&second).is_empty());
    assert!(first.statistics.solver_calls > second.statistics.solver_calls);
    // In a program where it is false, they help nobody.
    let wrong = RECURSIVE.replace("m + 1", "m + 2");
    assert_eq!(
        checked_from(&wrong, &store, &["main"]).conclusion(),
        Conclusion::Unsafe
    );
}

#[test]
fn contracts_that_nobody_inferred_help_nobody() {
    let wrong = RECURSIVE.replace("m + 1", "m + 2");
    for (text, expected) in [
        (RECURSIVE, Conclusion::Safe),
        (wrong.as_str(), Conclusion::Unsafe),
    ] {
        let (program, _) = ult_lang::analyze_boogie(text);
        let terms = Terms::new();
        let store = store();
        let reading = settings(&store, &["main"]).reading;
        let asked = summaries::ask(&terms, &program, &reading, &Default::default(), false);
        let key = asked.expect("the entry is there").key(&terms);
        let start = "sort int\nsort bool\nterm 1 true\nterm 1 false\nterm 0 now '0.0\nterm 0 now '0.2\nterm 1 lt 2 3\n";
        for formulas in [
            "formula 0\nformula 0\n",
            "formula 0\nformula 1\n",
            "formula 1\nformula 0\n",
            "formula 1\nformula 1\n",
            "formula 4\nformula 4\n",
            "formula 0\nformula 4\n",
            "formula 0\n",
            "formula 0\nformula 2\n",
            "formula 0\nformula 0\nformula 0\nformula 0\n",
            "nonsense\n",
        ] {
            let store = self::store();
            store.save(&key, &format!("{start}{formulas}"));
            let report = checked_from(text, &store, &["main"]);
            assert_eq!(report.conclusion(), expected, "{formulas}");
            assert!(!complaints(&report).is_empty(), "{formulas}");
        }
    }
}

#[test]
fn a_stop_is_not_the_fault_of_what_is_kept() {
    let store = store();
    checked(RIGHT, &store);
    let source = Source::new("test.bpl", RIGHT);
    let control = Control::unlimited();
    control.stop(ult_core::control::Stop::Cancelled);
    let settings = settings(&store, &[]);
    let report = check(
        &source,
        Language::Boogie,
        &settings,
        &control,
        &Progress::default(),
    );
    let report = report.expect("the entries are there");
    assert!(matches!(report.conclusion(), Conclusion::Unknown(_)));
    assert!(complaints(&report).is_empty());
    assert_eq!(checked(RIGHT, &store).units[0].reuse.found, 0);
}
