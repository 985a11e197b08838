//! Evidence from earlier runs: checked again before anybody looks for new one.
//!
//! What a [`Store`](ult_proof_cache::Store) has about a graph goes to the checker as an engine's claim does, and what it confirms
//! is known; the rest is looked for. Then the evidence behind all that is known takes the place of what was there.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ult_check::{Checker, Claims, Knowledge, Status, Verdict};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::verify::{VerificationLog, follows_at_once, verify_by};
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_proof_cache::{Evidence, Notice, Store, digest};

use super::result::Reuse;
use super::settings::Settings;

/// The longest time for checking what is kept about one graph. It is no more than half of what is left, either.
const LONGEST: Duration = Duration::from_secs(300);

/// What is known about a graph, and how.
#[derive(Default)]
pub(super) struct Found {
    /// One verdict for each error location.
    pub(super) verdicts: BTreeMap<LocationId, Verdict>,
    /// How much of it rests on kept evidence.
    pub(super) reuse: Reuse,
    /// What is wrong with the store.
    pub(super) notices: Vec<Diagnostic>,
}

/// Verifies a graph with the help of what is kept about it, and keeps what was found.
pub(super) fn verified<'g>(
    checker: &mut Checker<'g>,
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
    log: &mut VerificationLog,
) -> Found {
    let mut found = Found::default();
    let mut known = Knowledge::new(graph);
    let key = match &settings.kept {
        Some(_) if graph.errors().next().is_some() => {
            guarded(|| Ok(digest::of_graph(terms, graph))).ok()
        }
        _ => None,
    };
    let kept = settings.kept.as_ref().zip(key);
    let mut refused = None;
    // Who wants to see how something is found wants it to be looked for.
    if let Some((store, key)) = kept.as_ref().filter(|_| !settings.verify.common.record) {
        let recalled = guarded(|| {
            Ok(recalled(
                terms, graph, settings, control, store, key, &mut known, stats,
            ))
        });
        refused = recalled.unwrap_or_else(|bug| Some(bug.to_string()));
    }
    let reused = known.decided().len() as u64;
    found.verdicts = verify_by(
        checker,
        known,
        terms,
        graph,
        &settings.verify,
        control,
        stats,
        log,
    );
    let Some((store, key)) = kept else {
        return found;
    };
    let decided = found.verdicts.values().filter(|v| v.reason().is_none());
    found.reuse = Reuse {
        reused,
        found: (decided.count() as u64).saturating_sub(reused),
    };
    stats.reused += reused;
    if reused > 0 {
        *stats.decided_by.entry("kept".to_owned()).or_default() += reused;
    }
    if let Some(why) = &refused {
        found.notices.push(dropped(&graph.name, why));
    }
    if found.reuse.found > 0 || refused.is_some() {
        let evidence = evidence(terms, graph, settings, &found.verdicts);
        let text = guarded(|| Ok(evidence.write(terms, graph)));
        match text.ok().flatten().filter(|_| !evidence.is_empty()) {
            Some(text) => match store.save(&key, &text) {
                Some(notice) => found.notices.push(unwritable(&notice)),
                None => stats.kept += 1,
            },
            None if refused.is_some() => store.forget(&key),
            None => {}
        }
    }
    found
}

/// Adds to what is known what the checker confirms of what is kept. Tells what is wrong with the rest.
#[allow(clippy::too_many_arguments)]
fn recalled<'g>(
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    settings: &Settings,
    control: &Control,
    store: &Store,
    key: &ult_proof_cache::Key,
    known: &mut Knowledge<'g>,
    stats: &mut Statistics,
) -> Option<String> {
    let text = match store.load(key) {
        Ok(text) => text?,
        Err(damage) => return Some(damage.to_string()),
    };
    let limit = control
        .remaining()
        .map_or(LONGEST, |left| LONGEST.min(left / 2));
    let limited = &control.within(Some(limit));
    let evidence = match Evidence::read(terms, graph, &text, limited) {
        Ok(evidence) => evidence,
        Err(damage) => return Some(damage.to_string()),
    };
    let mut checker = Checker::new(terms, graph, limited, &settings.verify.check);
    let mut refused = None;
    let runs = Claims {
        runs: evidence.runs,
        ..Claims::default()
    };
    let proofs = evidence.proofs.into_iter().map(|proof| Claims {
        invariants: Some(proof),
        ..Claims::default()
    });
    for claims in [runs].into_iter().chain(proofs) {
        let news = checker.learn(&claims, stats, &mut |_| ());
        for error in graph.errors() {
            match news.about(error) {
                Some(Status::Open(reason)) if is_claimed(&claims, error) => {
                    // That the run is over says nothing about the evidence.
                    if control.check().is_ok() {
                        refused.get_or_insert_with(|| refusal(reason));
                    }
                }
                None | Some(Status::Open(_)) => {}
                Some(confirmed) => known.add(error, confirmed.clone()),
            }
        }
    }
    for error in known.decided() {
        if known.about(error).is_none() {
            let reason = Reason::Incomplete("its obligation is violated elsewhere".into());
            known.add(error, Status::Open(reason));
        }
    }
    refused
}

/// Whether the claims are about an error location.
fn is_claimed(claims: &Claims, error: LocationId) -> bool {
    claims.runs.contains_key(&error)
        || (claims.invariants.as_ref()).is_some_and(|proof| !proof.exempt.contains(&error))
}

/// Why evidence was refused, in words.
fn refusal(reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "there was no time to check it".into(),
        reason => reason.to_string(),
    }
}

/// The evidence behind verdicts, in as few proofs as there have to be.
fn evidence(
    terms: &Terms,
    graph: &ProgramGraph,
    settings: &Settings,
    verdicts: &BTreeMap<LocationId, Verdict>,
) -> Evidence {
    let mut evidence = Evidence::default();
    let at_once = follows_at_once(terms, graph, &settings.verify);
    let mut excluded: BTreeSet<LocationId> = BTreeSet::new();
    for (&location, verdict) in verdicts {
        match verdict {
            Verdict::Safe(proof) if !excluded.contains(&location) => {
                excluded.extend(proof.excluded());
                let claim = proof.claim(graph);
                // To look for nothing takes no longer than to look it up.
                if !(at_once && says_nothing(&claim)) {
                    evidence.proofs.push(claim);
                }
            }
            // There is no text for a run that is not written step by step.
            Verdict::Unsafe(violation) if !violation.run().is_plain() => {}
            Verdict::Unsafe(violation) => {
                evidence.runs.insert(location, violation.run().clone());
            }
            Verdict::Safe(_) | Verdict::Unknown(_) => {}
        }
    }
    evidence
}

fn says_nothing(claim: &Invariants) -> bool {
    claim.at.is_empty() && claim.arguments.is_empty()
}

/// What is kept about something is not as it should be.
pub(super) fn dropped(about: &str, why: &str) -> Diagnostic {
    Diagnostic {
        id: Id::EVIDENCE_DROPPED,
        severity: Severity::Warning,
        message: format!("what was kept about `{about}` is dropped: {why}"),
        labels: Vec::new(),
        help: Some("the verdict does not depend on it: its evidence was looked for anew".into()),
    }
}

/// Nothing can be kept.
pub(super) fn unwritable(notice: &Notice) -> Diagnostic {
    let Notice::Unwritable { folder, why } = notice;
    Diagnostic {
        id: Id::CACHE_UNWRITABLE,
        severity: Severity::Warning,
        message: format!("nothing can be kept in `{}`: {why}", folder.display()),
        labels: Vec::new(),
        help: Some(
            "verdicts are as without it, and the next run looks for their evidence again".into(),
        ),
    }
}
