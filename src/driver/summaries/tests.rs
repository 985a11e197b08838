//! Contracts that are inferred.

use super::*;

/// The units that count, with contracts `ensures r >= least` and `requires n >= start`.
fn confirmed(text: &str, entry: &str, start: Option<i64>, least: i64) -> Vec<String> {
    let (program, diagnostics) = ult_lang::analyze_boogie(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut settings = Settings::default();
    settings.reading.entries = vec![entry.into()];
    let terms = Terms::new();
    let lowering = Lowering::new(&terms, &program, settings.reading.clone()).expect("entries");
    let contracts = signatures(&terms, &lowering, false)
        .into_iter()
        .map(|(id, signature)| {
            let (n, r) = (signature.ins[0], signature.outs[0]);
            let contract = InferredContract {
                requires: start.map_or(terms.tt(), |start| terms.le(terms.int(start), n)),
                ensures: terms.le(terms.int(least), r),
                signature,
            };
            (id, contract)
        })
        .collect();
    let source = Source::new("test.bpl", text);
    let found = verified(
        &terms,
        &program,
        contracts,
        &settings,
        &source,
        &Control::unlimited(),
        &mut Statistics::default(),
    )
    .inferred;
    let mut names: Vec<String> = found
        .into_iter()
        .filter(|(_, attempt)| {
            let safe = |finding| matches!(finding, &Finding::Safe(_));
            attempt.contracts.is_empty() && attempt.findings.values().all(safe)
        })
        .map(|(plan, _)| program.procedures[plan.procedure.index()].name.to_string())
        .collect();
    names.sort();
    names
}

const COUNT: &str = "
    procedure count(n: int) returns (r: int) {
      if (n <= 0) { r := n; } else { call r := count(n - 1); r := r + 1; }
    }
    procedure main() {
      var r: int;
      call r := count(7);
      assert r >= 0;
    }";

#[test]
fn a_contract_counts_only_if_it_is_kept() {
    // count(-5) returns -5.
    assert!(confirmed(COUNT, "main", None, 0).is_empty());
    // With a precondition that all calls keep, it is kept.
    assert_eq!(confirmed(COUNT, "main", Some(0), 0), ["count", "main"]);
    // The calls do not keep this one.
    assert!(confirmed(COUNT, "main", Some(1), 0).is_empty());
    assert!(confirmed(COUNT, "main", Some(8), 8).is_empty());
    // Kept, but of no use to main.
    assert_eq!(confirmed(COUNT, "main", Some(0), -1), ["count"]);
}

#[test]
fn an_entry_has_no_precondition() {
    let unused = "procedure main() { }";
    let text = format!("{} {unused}", COUNT.replace("main", "other"));
    assert!(confirmed(&text, "count", Some(0), 0).is_empty());
}
