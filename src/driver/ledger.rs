//! What all attempts together say.
//!
//! A proof in one unit may rely on contracts that other units have to confirm, so the findings of
//! all units are kept side by side, and verdicts are read off them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use ult_lang::diagnostic::Diagnostic;

use ult_lang::span::Span;

use super::attempt::{Attempt, Finding, Key, KindKey};
use super::result::{InvariantReport, ObligationReport, RunStep, UnitReport};
use super::story::Story;
use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_lower::unit::{Role, UnitPlan};

/// The findings on all units of a file.
#[derive(Default)]
pub struct Ledger {
    units: Vec<Unit>,
    /// Whether deeper inlining is allowed at all, and how deep.
    depths: &'static [u32],
}

struct Unit {
    name: Arc<str>,
    /// `None` for a program graph.
    plan: Option<UnitPlan>,
    attempted: bool,
    failure: Option<Reason>,
    findings: BTreeMap<Key, Status>,
    /// Of the last attempt: procedures whose contracts stand for their bodies.
    contracts: BTreeSet<Arc<str>>,
    depth: u32,
    edges: usize,
    /// Deeper inlining changes nothing.
    exhausted: bool,
    /// The share of time that was not enough.
    too_little: Option<Duration>,
    invariants: Vec<InvariantReport>,
    diagnostics: Vec<Diagnostic>,
    story: Option<Arc<Story>>,
}

#[derive(Clone)]
enum Status {
    /// Proved, if these procedures keep their contracts.
    Safe(Verdict, BTreeSet<Arc<str>>),
    Unsafe(Verdict, Vec<RunStep>),
    Open(Reason, Option<Span>),
}

/// A unit as it is shown.
pub struct Entry {
    /// Its verdicts.
    pub unit: Arc<UnitReport>,
    /// Its warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Ledger {
    /// An empty ledger. Units with obligations that stay open because of a contract are tried
    /// again with these depths of inlining.
    pub fn new(depths: &'static [u32]) -> Ledger {
        Ledger {
            units: Vec::new(),
            depths,
        }
    }

    /// Announces a procedure.
    pub fn expect(&mut self, name: Arc<str>, plan: UnitPlan) {
        self.units.push(Unit::new(name, Some(plan)));
    }

    /// Announces a program graph.
    pub fn expect_graph(&mut self, name: Arc<str>) {
        self.units.push(Unit::new(name, None));
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Enters the result of an attempt at inlining depth `depth`, which had a share of the time.
    pub fn enter(&mut self, index: usize, attempt: Attempt, depth: u32, share: Option<Duration>) {
        let Some(unit) = self.units.get_mut(index) else {
            return;
        };
        if unit.attempted && depth > unit.depth && attempt.edges == unit.edges {
            unit.exhausted = true;
        }
        let timed_out = attempt
            .findings
            .values()
            .any(|finding| matches!(finding, Finding::Open(Reason::Timeout, _)));
        unit.too_little = share.filter(|_| timed_out);
        unit.failure = attempt.failure;
        unit.depth = depth;
        unit.edges = attempt.edges;
        for (key, finding) in attempt.findings {
            let new = match finding {
                Finding::Safe(verdict) => Status::Safe(verdict, attempt.contracts.clone()),
                Finding::Unsafe(verdict, run) => Status::Unsafe(verdict, run),
                Finding::Open(reason, span) => Status::Open(reason, span),
            };
            // An obligation that first appears behind an inlined call belongs to the callee's own
            // unit; here it counts only if it was violated.
            let known = !unit.attempted || unit.findings.contains_key(&key);
            if known || matches!(new, Status::Unsafe(..)) {
                let old = unit.findings.remove(&key);
                unit.findings.insert(key, better(old, new));
            }
        }
        if !attempt.invariants.is_empty() {
            unit.invariants = attempt.invariants;
        }
        if let Some(story) = attempt.story {
            unit.story = Some(Arc::new(story));
        }
        unit.diagnostics = attempt.diagnostics;
        unit.contracts = attempt.contracts;
        unit.attempted = true;
    }

    /// Enters the proofs of an attempt that relies on no contract.
    pub fn confirm(&mut self, plan: UnitPlan, attempt: Attempt) {
        let Some(unit) = self.units.iter_mut().find(|unit| unit.plan == Some(plan)) else {
            return;
        };
        if let Some(story) = attempt.story {
            unit.story = Some(Arc::new(story));
        }
        let is_entry = unit.is_entry();
        for (key, finding) in attempt.findings {
            if let (Finding::Safe(verdict), Some(status)) = (finding, unit.findings.get_mut(&key)) {
                // A violation of a dependency was one from states in which no call starts it.
                let old = Some(status.clone()).filter(|_| is_entry);
                *status = better(old, Status::Safe(verdict, BTreeSet::new()));
            }
        }
        if !attempt.invariants.is_empty() {
            unit.invariants = attempt.invariants;
        }
    }

    /// Whether something in some unit is open because of a contract.
    pub fn has_weak_units(&self) -> bool {
        let verified = self.verified();
        self.units
            .iter()
            .any(|unit| unit.plan.is_some() && self.is_weak(unit, &verified))
    }

    /// Units for which another attempt may decide more, each with the depth to try.
    pub fn improvable(&self) -> Vec<(usize, u32)> {
        let verified = self.verified();
        (0..self.units.len())
            .filter_map(|index| {
                let unit = &self.units[index];
                unit.plan?;
                if self.is_weak(unit, &verified)
                    && let Some(depth) = unit.next_depth(self.depths)
                {
                    return Some((index, depth));
                }
                unit.too_little.map(|_| (index, unit.depth))
            })
            .collect()
    }

    /// What to do for another attempt; `None` if the share of time is no larger than the one that
    /// was not enough before.
    pub fn retry(
        &mut self,
        index: usize,
        depth: u32,
        share: Option<Duration>,
    ) -> Option<(Arc<str>, UnitPlan)> {
        let unit = self.units.get_mut(index)?;
        if let (Some(before), Some(now)) = (unit.too_little, share)
            && depth == unit.depth
            && now <= before + before / 4
        {
            return None;
        }
        Some((unit.name.clone(), unit.plan?))
    }

    /// Whether something in the unit is open because of a contract.
    fn is_weak(&self, unit: &Unit, verified: &BTreeSet<Arc<str>>) -> bool {
        let by_contract = unit.findings.values().any(|status| match status {
            Status::Open(reason, _) => matches!(reason, Reason::ContractTooWeak(_)),
            Status::Safe(_, contracts) => !contracts.is_subset(verified),
            Status::Unsafe(..) => false,
        });
        // A procedure that is verified only for the sake of its contract may be fine in every run
        // that the entries have.
        let by_dependency = unit.is_entry()
            && self.units.iter().any(|other| {
                !other.is_entry()
                    && unit.contracts.contains(&other.name)
                    && other
                        .findings
                        .values()
                        .any(|status| !matches!(status, Status::Safe(..)))
            });
        by_contract || by_dependency
    }

    /// The procedures that are proved to keep their contracts, together: the largest set in which
    /// each proof relies on members only. (By induction on the length of a run: the first contract
    /// to be broken is broken by a body all of whose calls kept theirs.)
    fn verified(&self) -> BTreeSet<Arc<str>> {
        let keeps = |unit: &Unit, verified: &BTreeSet<Arc<str>>| {
            unit.attempted && unit.failure.is_none() && unit.findings.iter().all(|(key, status)| {
                !matches!(key.kind, KindKey::Ensures | KindKey::Unsupported(_))
                    || matches!(status, Status::Safe(_, contracts) if contracts.is_subset(verified))
            })
        };
        let mut verified: BTreeSet<Arc<str>> = self
            .units
            .iter()
            .filter(|unit| unit.plan.is_some())
            .map(|unit| unit.name.clone())
            .collect();
        loop {
            let fallen: Vec<Arc<str>> = self
                .units
                .iter()
                .filter(|unit| verified.contains(&unit.name) && !keeps(unit, &verified))
                .map(|unit| unit.name.clone())
                .collect();
            if fallen.is_empty() {
                return verified;
            }
            for name in fallen {
                verified.remove(&name);
            }
        }
    }

    /// Procedures whose contracts are open only because a limit was reached, with that reason.
    fn limits(&self) -> BTreeMap<Arc<str>, Reason> {
        let limit = |unit: &Unit| {
            unit.findings.iter().find_map(|(key, status)| match status {
                Status::Open(
                    reason @ (Reason::Timeout | Reason::Memory | Reason::Cancelled),
                    _,
                ) if key.kind == KindKey::Ensures => Some(reason.clone()),
                _ => None,
            })
        };
        self.units
            .iter()
            .filter_map(|unit| Some((unit.name.clone(), limit(unit)?)))
            .collect()
    }

    /// All units as they are to be shown. As long as more may come (`last` is `None`), what is not
    /// final is pending. In the end it is UNKNOWN: with its own reason, or with the reason for the
    /// stop if a further attempt would have followed.
    pub fn entries(&self, last: Option<&Option<Reason>>) -> Vec<Entry> {
        let verified = self.verified();
        let unfinished: BTreeSet<usize> = self.improvable().into_iter().map(|(i, _)| i).collect();
        let limits = self.limits();
        let violated: BTreeSet<&Key> = self
            .units
            .iter()
            .filter(|unit| unit.is_entry())
            .flat_map(|unit| &unit.findings)
            .filter(|(_, status)| matches!(status, Status::Unsafe(..)))
            .map(|(key, _)| key)
            .collect();
        let show = |(index, unit): (usize, &Unit)| {
            let stop = last.and_then(Option::as_ref);
            let own_stop = stop.filter(|_| unfinished.contains(&index));
            let obligations = unit
                .findings
                .iter()
                .filter(|(key, _)| unit.is_entry() || !violated.contains(key))
                .filter_map(|(key, status)| {
                    let shown = unit.verdict(status, &verified, &limits, own_stop);
                    if matches!(key.kind, KindKey::Unsupported(_)) && shown.0.is_safe() {
                        return None;
                    }
                    let (verdict, reason_span, run) = shown;
                    let pending = last.is_none() && verdict.reason().is_some();
                    Some(ObligationReport {
                        kind: key.kind.kind(),
                        span: key.span,
                        clause: key.clause,
                        description: key.text.clone(),
                        verdict,
                        pending,
                        reason_span,
                        run,
                        confirmation: None,
                    })
                })
                .collect();
            let missing = match (unit.attempted, last) {
                (true, _) => unit.failure.clone(),
                (false, None) => None,
                (false, Some(stop)) => Some(
                    stop.clone()
                        .unwrap_or_else(|| Reason::Internal("the unit was never verified".into())),
                ),
            };
            Entry {
                unit: Arc::new(UnitReport {
                    name: unit.name.clone(),
                    role: unit.plan.map(|plan| plan.role),
                    obligations,
                    pending: !unit.attempted && last.is_none(),
                    stopped: missing,
                    invariants: unit.invariants.clone(),
                    story: unit.story.clone(),
                }),
                diagnostics: unit.diagnostics.clone(),
            }
        };
        self.units.iter().enumerate().map(show).collect()
    }
}

/// The better of two statuses of one obligation. A violation was executed and counts in any case;
/// a proof counts more than the lack of one, and the fewer contracts it relies on the better.
fn better(old: Option<Status>, new: Status) -> Status {
    match (old, new) {
        (Some(old @ Status::Unsafe(..)), _) => old,
        (_, new @ Status::Unsafe(..)) => new,
        (Some(Status::Safe(verdict, before)), Status::Safe(_, after))
            if before.len() <= after.len() =>
        {
            Status::Safe(verdict, before)
        }
        (Some(old @ Status::Safe(..)), Status::Open(..)) => old,
        (_, new) => new,
    }
}

impl Unit {
    fn new(name: Arc<str>, plan: Option<UnitPlan>) -> Unit {
        Unit {
            name,
            plan,
            attempted: false,
            failure: None,
            findings: BTreeMap::new(),
            contracts: BTreeSet::new(),
            depth: 0,
            edges: 0,
            exhausted: false,
            too_little: None,
            invariants: Vec::new(),
            diagnostics: Vec::new(),
            story: None,
        }
    }

    /// Whether runs of the program start here.
    fn is_entry(&self) -> bool {
        self.plan.is_none_or(|plan| plan.role == Role::Entry)
    }

    fn next_depth(&self, depths: &[u32]) -> Option<u32> {
        if self.exhausted {
            return None;
        }
        depths.iter().copied().find(|&depth| depth > self.depth)
    }

    /// What the status means, given which contracts are kept, and which are open because of a
    /// limit. `own_stop` is the reason why this unit did not get another attempt.
    fn verdict(
        &self,
        status: &Status,
        verified: &BTreeSet<Arc<str>>,
        limits: &BTreeMap<Arc<str>, Reason>,
        own_stop: Option<&Reason>,
    ) -> (Verdict, Option<Span>, Vec<RunStep>) {
        let open = |reason: Reason, span| {
            let (reason, span) = match own_stop {
                Some(stop) => (stop.clone(), None),
                None => (reason, span),
            };
            (Verdict::Unknown(reason), span, Vec::new())
        };
        match status {
            Status::Safe(verdict, contracts) => match contracts.difference(verified).next() {
                None => (verdict.clone(), None, Vec::new()),
                Some(name) => {
                    // Had the run gone on, the contract might have been proved.
                    let reason = limits.get(name).cloned();
                    open(
                        reason.unwrap_or_else(|| Reason::ContractUnproved(name.to_string())),
                        None,
                    )
                }
            },
            Status::Unsafe(verdict, run) if self.is_entry() => (verdict.clone(), None, run.clone()),
            Status::Unsafe(..) => open(Reason::ContractTooWeak(self.name.to_string()), None),
            Status::Open(reason, span) => open(reason.clone(), *span),
        }
    }
}
