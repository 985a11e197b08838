//! What those who follow a run are told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::{Conclusion, Event, Language, Progress, Report, Settings, Source, UnitReport, check};
use ult_core::control::Control;

fn checked(text: &str, entry: &str, progress: &Progress) -> Report {
    let mut settings = Settings::default();
    settings.reading.entries = vec![entry.into()];
    let source = Source::new("test.bpl", text);
    check(
        &source,
        Language::Boogie,
        &settings,
        &Control::unlimited(),
        progress,
    )
    .expect("an entry")
}

/// `main` calls `once` with 5. `down`, which is recursive, calls it with 0 in the end, but its
/// contract does not tell.
const BEHIND_A_CONTRACT: &str = "
    procedure once(x: int) { assert x > 0; }
    procedure down(n: int) { if (n > 0) { call down(n - 1); } else { call once(n); } }
    procedure main() { call once(5); call down(2); }
";

/// Every obligation of the unit with whether it is SAFE or UNSAFE.
fn decided(unit: &UnitReport) -> impl Iterator<Item = (String, &'static str)> + '_ {
    let name = unit.name.clone();
    unit.obligations.iter().filter_map(move |o| {
        let word = match (o.verdict.is_safe(), o.verdict.is_unsafe()) {
            (true, _) => "SAFE",
            (_, true) => "UNSAFE",
            _ => return None,
        };
        assert!(!o.pending);
        Some((
            format!("{name} {} {:?} {:?}", o.span.start, o.clause, o.kind),
            word,
        ))
    })
}

#[test]
fn what_was_told_is_not_taken_back() {
    let progress = Progress::default();
    let events = progress.subscribe();
    let report = checked(BEHIND_A_CONTRACT, "main", &progress);
    assert_eq!(report.conclusion(), Conclusion::Unsafe);
    progress.close();
    let mut told: BTreeMap<String, &str> = BTreeMap::new();
    let mut last: BTreeMap<usize, Arc<UnitReport>> = BTreeMap::new();
    let mut done = None;
    for event in events {
        assert!(done.is_none(), "the last event is the end");
        let (index, unit) = match event {
            Event::Known { index, unit } => {
                assert!(!last.contains_key(&index));
                (index, unit)
            }
            Event::Changed { index, unit } => {
                assert!(last.contains_key(&index));
                (index, unit)
            }
            Event::Begins(activity) => {
                assert!(report.units.iter().any(|unit| unit.name == activity.unit));
                continue;
            }
            Event::Done(report) => {
                done = Some(report);
                continue;
            }
        };
        for (obligation, word) in decided(&unit) {
            assert_eq!(*told.entry(obligation).or_insert(word), word);
        }
        last.insert(index, unit);
    }
    assert!(told.values().any(|&word| word == "UNSAFE"));
    let done = done.expect("an end");
    assert_eq!(done.conclusion(), Conclusion::Unsafe);
    // Who heard all knows what the report says.
    assert_eq!(last.len(), report.units.len());
    for (index, unit) in last {
        let all = |unit: &UnitReport| decided(unit).collect::<Vec<_>>();
        assert_eq!(all(&unit), all(&report.units[index]));
        assert_eq!(all(&unit), all(&done.units[index]));
        assert!(unit.obligations.iter().all(|o| !o.pending));
    }
}

#[test]
fn a_listener_may_panic() {
    let (send, receive) = channel();
    let progress = Progress::with_listener(move |_| {
        send.send(()).expect("the test waits");
        panic!("a listener with a bug");
    })
    .expect("a thread");
    let text = "procedure p() { assert true; } procedure q(x: int) { assert x == x; }";
    assert_eq!(checked(text, "q", &progress).conclusion(), Conclusion::Safe);
    progress.close();
    assert_eq!(receive.iter().count(), 1, "it is not called again");
}

#[test]
fn nobody_waits_for_a_slow_listener() {
    let (go, wait) = channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    let (send, heard) = channel();
    let progress = Progress::with_listener(move |event| {
        // Until the run is over: if it waited for this, neither would end.
        let _ = wait
            .lock()
            .expect("no panic")
            .recv_timeout(Duration::from_secs(60));
        send.send(matches!(event, Event::Done(_)))
            .expect("the test waits");
    })
    .expect("a thread");
    let text = "procedure p(x: int) { assert x == x; }";
    assert_eq!(checked(text, "p", &progress).conclusion(), Conclusion::Safe);
    assert!(heard.try_recv().is_err(), "it has heard nothing yet");
    drop(go);
    progress.close();
    let ends: Vec<bool> = heard.iter().collect();
    assert_eq!(ends.iter().filter(|&&end| end).count(), 1);
    assert_eq!(ends.last(), Some(&true));
}

#[test]
fn clones_are_one_board() {
    let progress = Progress::default();
    let other = progress.clone();
    let events = other.subscribe();
    let text = "procedure p(x: int) { assert x == x; }";
    checked(text, "p", &progress);
    other.close();
    checked(text, "p", &progress);
    let ends = events
        .iter()
        .filter(|event| matches!(event, Event::Done(_)));
    assert_eq!(ends.count(), 1);
}
