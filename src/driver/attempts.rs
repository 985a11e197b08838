//! What all attempts together say.
//!
//! A proof in one unit may rely on contracts that other units have to confirm, so the findings of
//! all units are kept side by side, and verdicts are read off them. How findings combine is said in
//! [`ult_check::lattice`]; which procedures keep their contracts, in [`trust`](super::trust).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use ult_lang::diagnostic::Diagnostic;

use super::attempt::Attempt;
use super::finding::{Finding, Key, Open};
use super::result::{ContractReport, ObligationReport, Reuse, UnitReport};
use super::settings::Settings;
use super::trust::Trust;
use ult_check::lattice::{HasConditions, compare, unfinished};
use ult_check::{Proof, Status, Verdict, Violation};
use ult_core::reason::Reason;
use ult_engine::portfolio::Plan;
use ult_explain::invariants::InvariantReport;
use ult_explain::open::OpenObligation;
use ult_explain::search::Explanation;
use ult_explain::trace::RunStep;
use ult_lang::span::Span;
use ult_lower::unit::{ObligationKind, Role, UnitPlan};

/// The findings on all units of a file.
pub(crate) struct Attempts {
    units: Vec<Unit>,
    /// Whether deeper inlining is allowed at all, and how deep.
    depths: &'static [u32],
    /// Each unit is judged by what the contracts of others say, whether they keep them or not.
    modular: bool,
    /// A unit that violates something is not tried again.
    hastens: bool,
    /// The procedures that are proved to keep their contracts.
    verified: Trust,
    /// The procedures in which nothing is open any more, nor in those that they rely on: no attempt
    /// will look for anything there.
    settled: Trust,
    /// What some entry violates.
    violated: BTreeSet<Key>,
}

struct Unit {
    name: Arc<str>,
    /// `None` for a program graph.
    plan: Option<UnitPlan>,
    attempted: bool,
    /// Some attempt got as far as findings.
    lowered: bool,
    failure: Option<Reason>,
    findings: BTreeMap<Key, ObligationKnowledge>,
    /// Of the last attempt: procedures whose contracts stand for their bodies.
    contracts: BTreeSet<Arc<str>>,
    depth: u32,
    edges: usize,
    /// Deeper inlining changes nothing.
    exhausted: bool,
    /// The share of time that was not enough.
    too_little: Option<Duration>,
    invariants: Vec<InvariantReport>,
    contract: Option<ContractReport>,
    diagnostics: Vec<Diagnostic>,
    /// What there is to say about what is open.
    open_obligations: BTreeMap<Key, OpenObligation>,
    /// So many steps were unrolled without a violation.
    steps: u64,
    portfolio: Option<Arc<Plan>>,
    explanation: Option<Arc<Explanation>>,
    reuse: Reuse,
}

/// A proof that counts if these procedures keep their contracts.
#[derive(Clone)]
struct Proved {
    proof: Proof,
    contracts: BTreeSet<Arc<str>>,
}

impl HasConditions for Proved {
    fn conditions(&self) -> usize {
        self.contracts.len()
    }
}

type ObligationStatus = Status<Proved, (Violation, Arc<[RunStep]>), Open>;

/// A verdict as it is shown, with the place that its reason names, or the run.
type Displayed = (Verdict, Option<Span>, Arc<[RunStep]>);

/// Which graph of the unit an attempt was about, the smaller ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Graph {
    /// With inferred contracts.
    Inferred,
    /// With so many activations of recursive procedures inlined.
    Depth(u32),
}

/// What is known about one obligation of a unit.
#[derive(Clone)]
struct ObligationKnowledge {
    /// Attempts at the same graph together.
    by_graph: BTreeMap<Graph, ObligationStatus>,
    /// All of them together.
    knowledge: ObligationStatus,
}

/// A finding as knowledge about the program, where these procedures have to keep their contracts.
fn knowledge(finding: Finding, contracts: &BTreeSet<Arc<str>>) -> ObligationStatus {
    match finding {
        Finding::Safe(proof) => Status::Safe(Proved {
            proof,
            contracts: contracts.clone(),
        }),
        Finding::Unsafe(found) => Status::Unsafe(found),
        Finding::Open(open) => Status::Open(open),
        Finding::Contradicted(words) => Status::Contradicted(words),
    }
}

impl ObligationKnowledge {
    fn new(graph: Graph, knowledge: ObligationStatus) -> ObligationKnowledge {
        ObligationKnowledge {
            by_graph: [(graph, knowledge.clone())].into(),
            knowledge,
        }
    }

    /// Another attempt.
    fn add(&mut self, graph: Graph, news: ObligationStatus) {
        let news = match self.by_graph.remove(&graph) {
            Some(before) => before.join(news),
            None => news,
        };
        self.by_graph.insert(graph, news);
        if let Some(knowledge) = self
            .by_graph
            .values()
            .cloned()
            .reduce(ObligationStatus::extended)
        {
            self.knowledge = knowledge;
        }
    }

    /// Whether it holds if the procedures keep their contracts for which `trusted` is true.
    fn holds(&self, trusted: &dyn Fn(&Arc<str>) -> bool) -> bool {
        matches!(&self.knowledge, Status::Safe(proved) if proved.contracts.iter().all(trusted))
    }
}

/// A unit as it is shown.
pub(crate) struct Entry {
    /// Its verdicts.
    pub unit: Arc<UnitReport>,
    /// Its warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Attempts {
    /// An empty attempts. Units with obligations that stay open because of a contract are tried
    /// again with these depths of inlining.
    ///
    /// In the modular reading, a verdict is about one procedure under the contracts of those that it calls.
    /// These have verdicts of their own beside it, so all is proved only if all are.
    pub(crate) fn new(depths: &'static [u32], settings: &Settings) -> Attempts {
        Attempts {
            units: Vec::new(),
            depths,
            modular: settings.reading.modular,
            hastens: settings.patience.is_some(),
            verified: Trust::default(),
            settled: Trust::default(),
            violated: BTreeSet::new(),
        }
    }

    /// Announces a procedure.
    pub(crate) fn expect(&mut self, name: Arc<str>, plan: UnitPlan) {
        self.verified.announce(&name, self.units.len());
        self.settled.announce(&name, self.units.len());
        self.units.push(Unit::new(name, Some(plan)));
    }

    /// Announces a program graph.
    pub(crate) fn expect_graph(&mut self, name: Arc<str>) {
        self.units.push(Unit::new(name, None));
    }

    /// How many units there are.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Enters the result of an attempt at inlining depth `depth`, which had a share of the time.
    /// Returns the units that may be shown otherwise now.
    pub(crate) fn enter(
        &mut self,
        index: usize,
        attempt: Attempt,
        depth: u32,
        share: Option<Duration>,
    ) -> BTreeSet<usize> {
        let Some(unit) = self.units.get_mut(index) else {
            return BTreeSet::new();
        };
        let ran_out = attempt.ran_out();
        let is_first = !unit.lowered;
        if !is_first && depth > unit.depth && attempt.edges == unit.edges {
            unit.exhausted = true;
        }
        unit.attempted = true;
        unit.reuse += attempt.reuse;
        unit.depth = depth;
        unit.failure = attempt.failure;
        if unit.failure.is_some() {
            // What was found out before is as true as it was.
            unit.too_little = None;
            return [index].into();
        }
        unit.too_little = share.filter(|_| ran_out);
        unit.edges = attempt.edges;
        for (key, finding) in attempt.findings {
            let news = knowledge(finding, &attempt.contracts);
            unit.learn(key, Graph::Depth(depth), news, is_first);
        }
        if !attempt.invariants.is_empty() {
            unit.invariants = attempt.invariants;
        }
        unit.open_obligations = attempt.open_obligations;
        // The last one may not have been asked about.
        let steps = attempt.statistics.depth.saturating_sub(1);
        unit.steps = unit.steps.max(steps);
        if let Some(plan) = attempt.plan {
            unit.portfolio = Some(Arc::new(plan));
        }
        if let Some(explanation) = attempt.explanation {
            unit.explanation = Some(Arc::new(explanation));
        }
        unit.diagnostics = attempt.diagnostics;
        unit.contracts = attempt.contracts;
        unit.lowered = true;
        self.reconsider(index)
    }

    /// Enters the proofs of an attempt that relies on no contract. Returns the units that may be
    /// shown otherwise now.
    pub(crate) fn confirm(&mut self, plan: UnitPlan, attempt: Attempt) -> BTreeSet<usize> {
        let Some(index) = self.units.iter().position(|unit| unit.plan == Some(plan)) else {
            return BTreeSet::new();
        };
        let unit = &mut self.units[index];
        if let Some(explanation) = attempt.explanation {
            unit.explanation = Some(Arc::new(explanation));
        }
        unit.reuse += attempt.reuse;
        let is_entry = unit.is_entry();
        for (key, finding) in attempt.findings {
            if let (Finding::Safe(proof), Some(status)) = (finding, unit.findings.get_mut(&key)) {
                let contracts = BTreeSet::new();
                let news = Status::Safe(Proved { proof, contracts });
                if is_entry {
                    status.add(Graph::Inferred, news);
                } else {
                    // A violation of a dependency was one from states in which no call starts it.
                    *status = ObligationKnowledge::new(Graph::Inferred, news);
                }
            }
        }
        if !attempt.invariants.is_empty() {
            unit.invariants = attempt.invariants;
        }
        unit.contract = attempt.contract;
        self.reconsider(index)
    }

    /// What follows from news about a unit for others: the units that may be shown otherwise now.
    fn reconsider(&mut self, index: usize) -> BTreeSet<usize> {
        let units = &self.units;
        let Some(unit) = units.get(index) else {
            return BTreeSet::new();
        };
        let mut changed = BTreeSet::from([index]);
        if unit.plan.is_some() {
            let relied = unit.findings.values().filter_map(|s| match &s.knowledge {
                Status::Safe(proved) => Some(&proved.contracts),
                Status::Unsafe(_) | Status::Open(_) | Status::Contradicted(_) => None,
            });
            for name in relied.chain([&unit.contracts]).flatten() {
                self.verified.relies(index, name);
                self.settled.relies(index, name);
            }
            let names = |i: usize| units.get(i).map(|unit| &unit.name);
            let keeps = |i: usize, trusted: &dyn Fn(&Arc<str>) -> bool| {
                units.get(i).is_some_and(|unit| unit.keeps(trusted))
            };
            changed.append(&mut self.verified.reconsider(index, &names, &keeps));
            let rests = |i: usize, trusted: &dyn Fn(&Arc<str>) -> bool| {
                units.get(i).is_some_and(|unit| unit.rests(trusted))
            };
            changed.append(&mut self.settled.reconsider(index, &names, &rests));
        }
        if unit.is_entry() {
            let violated = unit.violated();
            let news: Vec<Key> = violated
                .filter(|key| !self.violated.contains(key))
                .cloned()
                .collect();
            if !news.is_empty() {
                let is_told = |unit: &Unit| {
                    !unit.is_entry() && news.iter().any(|key| unit.findings.contains_key(key))
                };
                let others = units.iter().enumerate();
                changed.extend(others.filter(|(_, unit)| is_told(unit)).map(|(i, _)| i));
                self.violated.extend(news);
            }
        }
        changed
    }

    /// Whether something in some unit is open because of a contract.
    pub(crate) fn has_weak_units(&self) -> bool {
        self.units
            .iter()
            .any(|unit| unit.plan.is_some() && self.is_weak(unit) && !self.is_enough(unit))
    }

    /// Whether what is known of the unit is enough, since it violates something.
    fn is_enough(&self, unit: &Unit) -> bool {
        self.hastens && unit.is_entry() && unit.violated().next().is_some()
    }

    /// Units for which another attempt may decide more, each with the depth to try.
    pub(crate) fn improvable(&self) -> Vec<(usize, u32)> {
        (0..self.units.len())
            .filter_map(|index| {
                let unit = &self.units[index];
                if unit.plan.is_none() || self.is_enough(unit) {
                    return None;
                }
                if self.is_weak(unit)
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
    pub(crate) fn retry(
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
    fn is_weak(&self, unit: &Unit) -> bool {
        let by_contract = unit
            .findings
            .values()
            .any(|status| match &status.knowledge {
                Status::Open(open) => matches!(open.reason, Reason::ContractTooWeak(_)),
                Status::Safe(proved) => !proved.contracts.iter().all(|c| self.verified.has(c)),
                Status::Unsafe(_) | Status::Contradicted(_) => false,
            });
        // A procedure that is verified only for the sake of its contract may be fine in every run
        // that the entries have.
        let is_open = |index: usize| {
            self.units.get(index).is_some_and(|other| {
                !other.is_entry() && !other.findings.values().all(|s| s.knowledge.is_safe())
            })
        };
        let mut callees = unit.contracts.iter().flat_map(|c| self.verified.units(c));
        let by_dependency = unit.is_entry() && callees.any(is_open);
        by_contract || by_dependency
    }

    /// The reason if the contract of the procedure is open only because a limit was reached.
    fn limit(&self, name: &Arc<str>) -> Option<Reason> {
        let units = self.verified.units(name).filter_map(|i| self.units.get(i));
        let open = units.flat_map(|unit| &unit.findings);
        open.filter(|(key, _)| key.kind == ObligationKind::Ensures)
            .filter_map(|(_, status)| match &status.knowledge {
                Status::Open(open) => Some(&open.reason),
                Status::Safe(_) | Status::Unsafe(_) | Status::Contradicted(_) => None,
            })
            .filter(|reason| reason.is_limit())
            .max_by(|a, b| compare(a, b))
            .cloned()
    }

    /// A unit as it is to be shown while more may come. What is not final is pending, and what is
    /// SAFE or UNSAFE here stays so, unless there is a bug: as long as a deeper look into a callee
    /// may find a violation, nothing that calls it is SAFE.
    pub(crate) fn entry(&self, index: usize) -> Option<Arc<UnitReport>> {
        Some(self.entry_of(self.units.get(index)?))
    }

    /// A unit as it is to be shown while an attempt at it goes on that has decided something. What the attempt leaves
    /// open says nothing yet.
    pub(crate) fn entry_during(
        &self,
        index: usize,
        partial: Attempt,
        depth: u32,
    ) -> Option<Arc<UnitReport>> {
        let unit = self.units.get(index)?;
        let is_open = |finding: &Finding| matches!(finding, Finding::Open(_));
        let mut during = Unit {
            // What there is to decide is shown before anything is decided; the unit is pending until then.
            attempted: unit.attempted || !partial.findings.values().all(is_open),
            findings: unit.findings.clone(),
            contracts: &unit.contracts | &partial.contracts,
            ..unit.shell()
        };
        for (key, finding) in partial.findings {
            let news = knowledge(finding, &partial.contracts);
            let known = during.findings.contains_key(&key);
            if !(known && matches!(news, Status::Open(_))) {
                during.learn(key, Graph::Depth(depth), news, !unit.lowered);
            }
        }
        Some(self.entry_of(&during))
    }

    fn entry_of(&self, unit: &Unit) -> Arc<UnitReport> {
        let trust = match self.depths {
            [] => &self.verified,
            _ => &self.settled,
        };
        let is_final = self.depths.is_empty() || unit.contracts.iter().all(|name| trust.has(name));
        let verdict = |status: &ObligationKnowledge| {
            let shown = self.verdict(unit, status, trust, None);
            match (&status.knowledge, is_final) {
                (Status::Safe(_), false) => {
                    let open = unit.contracts.iter().find(|name| !trust.has(name));
                    let name = open.map(ToString::to_string).unwrap_or_default();
                    (
                        Verdict::Unknown(Reason::ContractUnproved(name)),
                        None,
                        Arc::default(),
                    )
                }
                _ => shown,
            }
        };
        let missing = unit.failure.clone();
        self.shown(unit, &self.violated, true, missing, &verdict)
    }

    /// All units as they are to be shown in the end: what is open is UNKNOWN with its own reason, or
    /// with the reason for the stop if a further attempt would have followed.
    pub(crate) fn entries(&self, stop: Option<&Reason>) -> Vec<Entry> {
        let unfinished: BTreeSet<usize> = match stop {
            Some(_) => self.improvable().into_iter().map(|(i, _)| i).collect(),
            None => BTreeSet::new(),
        };
        let entries = self.units.iter().filter(|unit| unit.is_entry());
        let violated: BTreeSet<Key> = entries.flat_map(Unit::violated).cloned().collect();
        let show = |(index, unit): (usize, &Unit)| {
            let own_stop = stop.filter(|_| unfinished.contains(&index));
            let missing = match unit.attempted {
                true => unit.failure.clone(),
                false => Some(
                    stop.cloned()
                        .unwrap_or_else(|| Reason::Internal("the unit was never verified".into())),
                ),
            };
            let verdict =
                |status: &ObligationKnowledge| self.verdict(unit, status, &self.verified, own_stop);
            Entry {
                unit: self.shown(unit, &violated, false, missing, &verdict),
                diagnostics: unit.diagnostics.clone(),
            }
        };
        self.units.iter().enumerate().map(show).collect()
    }

    fn shown(
        &self,
        unit: &Unit,
        violated: &BTreeSet<Key>,
        pending: bool,
        stopped: Option<Reason>,
        verdict: &dyn Fn(&ObligationKnowledge) -> Displayed,
    ) -> Arc<UnitReport> {
        let obligations = unit
            .findings
            .iter()
            .filter(|(key, _)| unit.is_entry() || !violated.contains(key))
            .filter_map(|(key, status)| {
                let (verdict, reason_span, run) = verdict(status);
                if matches!(key.kind, ObligationKind::Unsupported { .. }) && verdict.is_safe() {
                    return None;
                }
                let pending = pending && verdict.reason().is_some();
                let is_open = verdict.reason().is_some();
                let left = unit.open_obligations.get(key).filter(|_| is_open).cloned();
                let left = left.unwrap_or_default();
                Some(ObligationReport {
                    kind: key.kind.clone(),
                    span: key.span,
                    clause: key.clause,
                    description: key.text.clone(),
                    verdict,
                    is_condition: false,
                    pending,
                    reason_span,
                    run,
                    missing: Vec::new(),
                    loops: left.loops,
                    candidate: left.candidate,
                    confirmation: None,
                })
            })
            .collect();
        Arc::new(UnitReport {
            name: unit.name.clone(),
            role: unit.plan.map(|plan| plan.role),
            obligations,
            pending: pending && !unit.attempted,
            stopped,
            invariants: unit.invariants.clone(),
            contract: unit.contract.clone(),
            steps: unit.steps,
            portfolio: unit.portfolio.clone(),
            explanation: unit.explanation.clone(),
            reuse: unit.reuse,
        })
    }

    /// What the status means, given which contracts are kept. `own_stop` is the reason why this unit
    /// did not get another attempt.
    fn verdict(
        &self,
        unit: &Unit,
        status: &ObligationKnowledge,
        kept: &Trust,
        own_stop: Option<&Reason>,
    ) -> Displayed {
        let open = |reason: Reason, span| {
            let shown = unfinished(reason.clone(), own_stop);
            let span = Option::filter(span, |_| shown == reason);
            (Verdict::Unknown(shown), span, Arc::default())
        };
        // Without a verdict of its own beside it, a contract has to be kept.
        let has = |name: &Arc<str>| {
            kept.has(name) || self.modular && self.verified.units(name).next().is_some()
        };
        match &status.knowledge {
            Status::Safe(proved) => match proved.contracts.iter().find(|name| !has(name)) {
                None => (Verdict::Safe(proved.proof.clone()), None, Arc::default()),
                Some(name) => {
                    // Had the run gone on, the contract might have been proved.
                    let reason = self.limit(name);
                    open(
                        reason.unwrap_or_else(|| Reason::ContractUnproved(name.to_string())),
                        None,
                    )
                }
            },
            Status::Unsafe((violation, run)) if unit.is_entry() => {
                (Verdict::Unsafe(violation.clone()), None, run.clone())
            }
            Status::Unsafe(_) => open(Reason::ContractTooWeak(unit.name.to_string()), None),
            Status::Open(why) => {
                let (verdict, span, _) = open(why.reason.clone(), why.span);
                (verdict, span, why.run.clone())
            }
            Status::Contradicted(words) => open(Reason::Internal(words.clone()), None),
        }
    }
}

impl Unit {
    fn new(name: Arc<str>, plan: Option<UnitPlan>) -> Unit {
        Unit {
            name,
            plan,
            attempted: false,
            lowered: false,
            failure: None,
            findings: BTreeMap::new(),
            contracts: BTreeSet::new(),
            depth: 0,
            edges: 0,
            exhausted: false,
            too_little: None,
            invariants: Vec::new(),
            contract: None,
            diagnostics: Vec::new(),
            open_obligations: BTreeMap::new(),
            steps: 0,
            portfolio: None,
            explanation: None,
            reuse: Reuse::default(),
        }
    }

    /// Another unit that is shown as this one, with nothing decided.
    fn shell(&self) -> Unit {
        Unit {
            failure: self.failure.clone(),
            invariants: self.invariants.clone(),
            open_obligations: self.open_obligations.clone(),
            steps: self.steps,
            portfolio: self.portfolio.clone(),
            explanation: self.explanation.clone(),
            ..Unit::new(self.name.clone(), self.plan)
        }
    }

    /// Enters what an attempt says about an obligation. One that first appears behind an inlined call belongs to the callee's
    /// own unit; unless the attempt is the first, it counts only if it was violated.
    fn learn(&mut self, key: Key, graph: Graph, news: ObligationStatus, is_first: bool) {
        match self.findings.get_mut(&key) {
            Some(status) => status.add(graph, news),
            None if is_first || news.is_unsafe() => {
                self.findings
                    .insert(key, ObligationKnowledge::new(graph, news));
            }
            None => {}
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

    /// What is violated here.
    fn violated(&self) -> impl Iterator<Item = &Key> {
        let violated = self
            .findings
            .iter()
            .filter(|(_, s)| s.knowledge.is_unsafe());
        violated.map(|(key, _)| key)
    }

    /// Whether the procedure keeps its contract if those do for which `trusted` is true.
    fn keeps(&self, trusted: &dyn Fn(&Arc<str>) -> bool) -> bool {
        self.lowered
            && self.findings.iter().all(|(key, status)| {
                !matches!(
                    key.kind,
                    ObligationKind::Ensures | ObligationKind::Unsupported { .. }
                ) || status.holds(trusted)
            })
    }

    /// Whether all is proved here, if it is in the procedures for which `trusted` is true.
    fn rests(&self, trusted: &dyn Fn(&Arc<str>) -> bool) -> bool {
        self.lowered
            && self.findings.values().all(|status| status.holds(trusted))
            && self.contracts.iter().all(trusted)
    }
}
