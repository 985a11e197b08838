//! One attempt at one unit.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::Direction;
use petgraph::visit::{Dfs, EdgeRef as _, Reversed};
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;

use super::finding::{Finding, Key, Open};
use super::proof_cache;
use super::result::{ContractReport, Reuse, is_abstract};
use super::settings::Settings;
use ult_check::lattice::given_up;
use ult_check::{Checker, Contradiction, Proof, Verdict, Violation};
use ult_core::control::Control;
use ult_core::formula::{Op, Terms};
use ult_core::graph::{EdgeId, LocationId, Origin};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::EngineKind;
use ult_engine::observers::Observers;
use ult_engine::portfolio::Plan;
use ult_engine::verify::{Listener, Method, VerificationLog};
use ult_explain::Source;
use ult_explain::displayed::Display;
use ult_explain::invariants::InvariantReport;
use ult_explain::open::{OpenObligation, Place};
use ult_explain::search::{self, Explanation};
use ult_explain::stepping::Relay;
use ult_explain::trace::{BackTranslation, RunStep};
use ult_lower::origin::{OriginInfo, Step};
use ult_lower::unit::{Abstraction, LoweredUnit, Obligation, ObligationKind};

/// What an attempt found out.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// One finding for each obligation.
    pub findings: BTreeMap<Key, Finding>,
    /// The verdicts on the error locations of its graph.
    pub verdicts: BTreeMap<LocationId, Verdict>,
    /// The names of the procedures whose contracts stand for their bodies in the graph.
    pub contracts: BTreeSet<Arc<str>>,
    /// How many edges the graph has: whether deeper inlining changed anything.
    pub edges: usize,
    /// Invariants of the confirmed proof.
    pub invariants: Vec<InvariantReport>,
    /// The inferred contract that the unit keeps, if there is one.
    pub contract: Option<ContractReport>,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// How much of it rests on kept evidence.
    pub reuse: Reuse,
    /// What is wrong with what is kept.
    pub notices: Vec<Diagnostic>,
    /// What there is to say about what is open.
    pub open_obligations: BTreeMap<Key, OpenObligation>,
    /// Counters and times.
    pub statistics: Statistics,
    /// Who worked on it, if a portfolio did.
    pub plan: Option<Plan>,
    /// How it was decided, if that is to be shown.
    pub explanation: Option<Explanation>,
    /// Why there are no findings, if the unit could not even be lowered.
    pub failure: Option<Reason>,
}

impl Attempt {
    /// Whether something is open.
    pub(super) fn is_open(&self) -> bool {
        let mut findings = self.findings.values();
        findings.any(|finding| matches!(finding, Finding::Open(_)))
    }

    /// Whether it came to its end, and decided all.
    pub(super) fn decides_all(&self) -> bool {
        self.failure.is_none() && !self.is_open()
    }

    /// Adds what another attempt at the unit found violated.
    pub(super) fn add_violations(&mut self, other: Attempt) {
        self.statistics.add(&other.statistics);
        for (key, finding) in other.findings {
            if !matches!(finding, Finding::Unsafe(_)) {
                continue;
            }
            self.open_obligations.remove(&key);
            let joined = match self.findings.remove(&key) {
                Some(known) => known.join(finding),
                None => finding,
            };
            self.findings.insert(key, joined);
        }
    }

    /// Whether something is open for lack of time. That can be so before the time is over: engines stop a little earlier.
    pub(super) fn ran_out(&self) -> bool {
        let mut findings = self.findings.values();
        findings
            .any(|finding| matches!(finding, Finding::Open(open) if open.reason == Reason::Timeout))
    }
}

/// Verifies a unit. Never panics. Whatever is decided on the way is told at once, as the attempt that it would be if
/// nothing more came: a later question may take for ever.
pub(crate) fn attempt(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    settings: &Settings,
    control: &Control,
    tell: &mut dyn FnMut(Attempt),
) -> Attempt {
    let mut attempt = Attempt {
        contracts: contracts(unit),
        edges: unit.graph.graph.edge_count(),
        ..Attempt::default()
    };
    let is_exact = settings.certificate && !source.is_translated;
    let judge = Judge {
        terms,
        unit,
        source,
        teller: BackTranslation::new(terms, unit, source, is_exact),
        told: RefCell::default(),
        tells_induction: settings.tells_induction && settings.reading.modular,
    };
    let mut copies: BTreeMap<Key, Vec<LocationId>> = BTreeMap::new();
    for (&location, obligation) in &unit.obligations {
        copies
            .entry(judge.key(obligation))
            .or_default()
            .push(location);
    }
    let mut checker = Checker::new(terms, &unit.graph, control, &settings.verify.check);
    let so_far = attempt.clone();
    // So that everybody sees what there is to decide, even if nothing is decided.
    tell(Attempt {
        findings: judge.findings(&copies, &BTreeMap::new(), &BTreeMap::new()),
        ..so_far.clone()
    });
    let hear = |verdicts: &BTreeMap<LocationId, Verdict>| {
        let findings = judge.findings(&copies, verdicts, &BTreeMap::new());
        tell(Attempt {
            findings,
            ..so_far.clone()
        });
    };
    let mut log = VerificationLog {
        listener: Some(Listener::new(hear)),
        ..VerificationLog::default()
    };
    let followed = followed(unit, source, settings);
    let found = proof_cache::verified(
        &mut checker,
        terms,
        &unit.graph,
        followed.as_ref().unwrap_or(settings),
        control,
        &mut attempt.statistics,
        &mut log,
    );
    let verdicts = found.verdicts;
    attempt.reuse = found.reuse;
    attempt.notices = found.notices;
    // Its words are for what is not over yet.
    log.listener = None;
    attempt.plan = log.plan.take();
    // A run through an abstraction says little. There may be another one that avoids them all.
    let objected = verdicts.values().any(|verdict| match verdict {
        Verdict::Unsafe(violation) => judge.abstraction(violation).is_some(),
        Verdict::Safe(_) | Verdict::Unknown(_) => false,
    });
    let concrete = match objected {
        true => {
            let graph = unit.without_abstractions(terms);
            let found = proof_cache::verified(
                &mut Checker::new(terms, &graph, control, &settings.verify.check),
                terms,
                &graph,
                settings,
                control,
                &mut attempt.statistics,
                &mut VerificationLog::default(),
            );
            attempt.reuse += found.reuse;
            attempt.notices.extend(found.notices);
            found.verdicts
        }
        false => BTreeMap::new(),
    };
    attempt.findings = judge.findings(&copies, &verdicts, &concrete);
    for finding in attempt.findings.values_mut() {
        if let Finding::Open(open) = finding {
            let stop = control.check().err().map(Reason::from);
            open.reason = given_up(open.reason.clone(), stop.as_ref());
        }
    }
    let open: Vec<(&Key, &Vec<LocationId>)> = copies
        .iter()
        .filter(|(key, _)| matches!(attempt.findings.get(*key), Some(Finding::Open(_))))
        .collect();
    if !open.is_empty() {
        let place = Place {
            terms,
            unit,
            source,
        };
        let is_about_search = |key: &Key| match attempt.findings.get(key) {
            Some(Finding::Open(open)) => open.reason.is_about_search(),
            _ => false,
        };
        attempt.open_obligations =
            place.describe(&open, is_about_search, log.reduced.as_ref(), control);
    }
    let show = move || guarded(|| Ok(search::tell(terms, unit, source, log))).ok();
    attempt.explanation = settings.verify.common.record.then(show).flatten();
    tell(Attempt {
        findings: attempt.findings.clone(),
        ..so_far
    });
    let proof = verdicts.values().find_map(|verdict| match verdict {
        Verdict::Safe(proof) => Some(proof),
        Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    });
    if let Some(proof) = proof {
        let statistics = &mut attempt.statistics;
        let display = Display {
            terms,
            unit,
            source,
            options: &settings.verify.check,
            minimize: settings.minimize,
            is_exact,
        };
        attempt.invariants = display.invariants(proof, control, statistics);
        attempt.diagnostics =
            guarded(|| Ok(judge.warnings(proof, &copies, &mut checker, statistics)))
                .unwrap_or_default();
    }
    attempt.verdicts = verdicts;
    attempt
}

/// The settings with which an observer follows the search; `None` if there is no observer.
fn followed(unit: &LoweredUnit, source: &Source, settings: &Settings) -> Option<Settings> {
    let observer = settings.observer.clone()?;
    let is_tree = settings.verify.method != Method::Engine(EngineKind::Slicing);
    let relay = Arc::new(Relay::new(unit, source, is_tree, observer));
    let mut settings = settings.clone();
    settings.verify.common.observers = Observers {
        watcher: Some(relay.clone()),
        adviser: Some(relay),
    };
    Some(settings)
}

fn contracts(unit: &LoweredUnit) -> BTreeSet<Arc<str>> {
    unit.graph
        .graph
        .edge_weights()
        .filter_map(|edge| match &unit.origins.get(edge.origin?)?.step {
            Step::Contract(callee) => Some(callee.clone()),
            _ => None,
        })
        .collect()
}

struct Judge<'a> {
    terms: &'a Terms,
    unit: &'a LoweredUnit,
    source: &'a Source,
    teller: BackTranslation<'a>,
    told: RefCell<Runs>,
    /// Whether a run through what the program states is no violation.
    tells_induction: bool,
}

/// Runs that were told before, with their steps, by the error locations that they end in.
type Runs = BTreeMap<LocationId, (Violation, Arc<[RunStep]>)>;

impl Judge<'_> {
    /// One finding for each obligation, whatever the number of its copies. Runs that avoid abstractions go before those
    /// that do not.
    fn findings(
        &self,
        copies: &BTreeMap<Key, Vec<LocationId>>,
        verdicts: &BTreeMap<LocationId, Verdict>,
        concrete: &BTreeMap<LocationId, Verdict>,
    ) -> BTreeMap<Key, Finding> {
        let doubts = self.doubts(verdicts);
        let mut found = BTreeMap::new();
        for (key, locations) in copies {
            let findings = locations.iter().map(|location| {
                let verdict = match (verdicts.get(location), concrete.get(location)) {
                    (Some(Verdict::Unsafe(_)), Some(real @ Verdict::Unsafe(_))) => Some(real),
                    (verdict, _) => verdict,
                };
                self.finding(*location, verdict)
            });
            // One for all copies.
            let mut finding = findings.reduce(Finding::and).unwrap_or_else(|| {
                Finding::Open(Open::because(Reason::Internal(
                    "an obligation without a location".into(),
                )))
            });
            let mut doubts = locations.iter().filter_map(|location| doubts.get(location));
            if let (Finding::Safe(_), Some(doubt)) = (&finding, doubts.next()) {
                finding = Finding::Open(doubt.clone());
            }
            found.insert(key.clone(), finding);
        }
        found
    }

    fn key(&self, obligation: &Obligation) -> Key {
        let own = self.span(obligation.origin).unwrap_or_default();
        // What goes wrong inside of the C library is told where the user calls it.
        let call = match self.source.is_in_c_library(own) {
            true => {
                let calls = self.unit.origins.call_stack(obligation.origin);
                let mut places = calls.iter().rev().filter_map(|&call| self.span(call));
                places.find(|place| !self.source.is_in_c_library(*place))
            }
            false => None,
        };
        Key {
            span: call.unwrap_or(own),
            clause: match call {
                Some(_) => obligation.clause.or(Some(own)),
                None => obligation.clause,
            },
            kind: obligation.kind.clone(),
            text: obligation.text.clone(),
        }
    }

    fn span(&self, origin: Origin) -> Option<Span> {
        self.unit.origins.get(origin).map(|info| info.span)
    }

    fn open(&self, reason: &Reason) -> Finding {
        let span = match reason {
            Reason::Unsupported(_, Some(origin)) => self.span(*origin),
            _ => None,
        };
        Finding::Open(Open::at(span, reason.clone()))
    }

    fn finding(&self, location: LocationId, verdict: Option<&Verdict>) -> Finding {
        let obligation = &self.unit.obligations[&location];
        let Some(verdict) = verdict else {
            return Finding::Open(Open::because(Reason::Internal(
                "an obligation without a verdict".into(),
            )));
        };
        match (verdict, &obligation.kind) {
            // What was not proved is that the condition, which is not understood, need not be looked at.
            (
                Verdict::Unknown(Reason::NotProved(_) | Reason::RunRejected(_)),
                ObligationKind::Unsupported { what },
            ) => self.open(&Reason::Unsupported(
                what.to_string(),
                Some(obligation.origin),
            )),
            (Verdict::Unknown(reason @ Reason::NotProved(_)), _) => self.open(
                &self
                    .not_understood(location)
                    .unwrap_or_else(|| reason.clone()),
            ),
            (Verdict::Unknown(reason), _) => self.open(reason),
            (Verdict::Safe(proof), _) => Finding::Safe(proof.clone()),
            (Verdict::Unsafe(_), ObligationKind::Unsupported { what }) => self.open(
                &Reason::Unsupported(what.to_string(), Some(obligation.origin)),
            ),
            (Verdict::Unsafe(violation), _) => match self.objection(violation) {
                Some(reason) => self.open(&reason),
                None => {
                    let steps = self.steps_of(location, violation);
                    if self.tells_induction && is_abstract(&steps) {
                        let mut run = steps.to_vec();
                        if let Some(last) = run.last_mut() {
                            last.remark = Some("does not follow".into());
                        }
                        return Finding::Open(Open {
                            run: run.into(),
                            ..Open::because(not_implied())
                        });
                    }
                    Finding::Unsafe((violation.clone(), steps))
                }
            },
        }
    }

    /// The steps of a run into an error location, which are looked for once.
    fn steps_of(&self, location: LocationId, violation: &Violation) -> Arc<[RunStep]> {
        if let Some((told, steps)) = self.told.borrow().get(&location)
            && std::ptr::eq(told.run(), violation.run())
        {
            return steps.clone();
        }
        let steps = guarded(|| Ok(self.teller.trace(violation))).unwrap_or_default();
        let steps: Arc<[RunStep]> = steps.into();
        let told = (violation.clone(), steps.clone());
        self.told.borrow_mut().insert(location, told);
        steps
    }

    /// Why a confirmed run of the graph is no run of the program, if so: it goes through an edge
    /// that allows more than the program does, or an axiom that might exclude it was left out.
    fn objection(&self, violation: &Violation) -> Option<Reason> {
        let dropped = || {
            let dropped = self.unit.axioms_dropped.first()?;
            Some(Reason::Unsupported(
                format!("an axiom with {}", dropped.what),
                Some(dropped.origin),
            ))
        };
        let approximated = || {
            let approximated = self.unit.approximated.first()?;
            Some(less_is_known(&approximated.what))
        };
        self.abstraction(violation)
            .or_else(dropped)
            .or_else(approximated)
    }

    /// What the graph says less of than the program does, on some way to the location: it need not be the program that
    /// leaves open what is there.
    fn not_understood(&self, location: LocationId) -> Option<Reason> {
        let unit = self.unit;
        if let Some(dropped) = unit.axioms_dropped.first() {
            let what = format!("an axiom with {}", dropped.what);
            return Some(Reason::Unsupported(what, Some(dropped.origin)));
        }
        if unit.abstracted.is_empty() {
            return None;
        }
        let backwards = Reversed(&unit.graph.graph);
        let mut before = Dfs::new(backwards, location);
        while let Some(place) = before.next(backwards) {
            for edge in unit.graph.graph.edges_directed(place, Direction::Incoming) {
                if let Some(Abstraction::Unsupported { what }) = unit.abstracted.get(&edge.id()) {
                    return Some(Reason::Unsupported(what.to_string(), edge.weight().origin));
                }
            }
        }
        None
    }

    /// The first edge of the run that allows more than the program does, as a reason.
    fn abstraction(&self, violation: &Violation) -> Option<Reason> {
        if self.unit.abstracted.is_empty() {
            return None;
        }
        for edge in violation.run().edges() {
            match self.unit.abstracted.get(&edge) {
                None => {}
                Some(Abstraction::Contract { callee }) => {
                    return Some(Reason::ContractTooWeak(callee.to_string()));
                }
                Some(Abstraction::Unsupported { what }) => {
                    let origin = self
                        .unit
                        .graph
                        .graph
                        .edge_weight(edge)
                        .and_then(|edge| edge.origin);
                    return Some(Reason::Unsupported(what.to_string(), origin));
                }
                Some(Abstraction::Weakened { what }) => return Some(less_is_known(what)),
            }
        }
        None
    }

    /// Of which locations a proof does not count, and why. After a location that stands for something unsupported, the graph may go
    /// on with fewer states than the program: what can be reached from there is proved only if the location itself is proved to
    /// be unreachable.
    fn doubts(&self, verdicts: &BTreeMap<LocationId, Verdict>) -> BTreeMap<LocationId, Open> {
        let graph = &self.unit.graph.graph;
        let mut doubts = BTreeMap::new();
        // Each place is visited once, for the first reason.
        let mut after = Dfs::empty(graph);
        for (&location, obligation) in &self.unit.obligations {
            let ObligationKind::Unsupported { what } = &obligation.kind else {
                continue;
            };
            if verdicts.get(&location).is_some_and(Verdict::is_safe) {
                continue;
            }
            let narrowed = graph
                .edges_directed(location, Direction::Incoming)
                .flat_map(|edge| graph.edges_directed(edge.source(), Direction::Outgoing))
                .filter(|edge| {
                    edge.target() != location
                        && *self.terms.op(edge.weight().transition.formula) != Op::Bool(true)
                });
            for edge in narrowed {
                let reason = Reason::Unsupported(what.to_string(), Some(obligation.origin));
                after.move_to(edge.target());
                while let Some(place) = after.next(graph) {
                    if self.unit.obligations.contains_key(&place) {
                        doubts.entry(place).or_insert_with(|| {
                            Open::at(self.span(obligation.origin), reason.clone())
                        });
                    }
                }
            }
        }
        doubts
    }

    fn warnings(
        &self,
        proof: &Proof,
        copies: &BTreeMap<Key, Vec<LocationId>>,
        checker: &mut Checker<'_>,
        statistics: &mut Statistics,
    ) -> Vec<Diagnostic> {
        let contradiction = checker.contradictory_assumptions(statistics);
        if let Some(contradiction) = contradiction {
            return vec![self.contradiction(&contradiction)];
        }
        let unreachable: BTreeSet<LocationId> = checker
            .unreachable_assertions(proof, statistics)
            .into_iter()
            .collect();
        let mut warnings = self.stuck(proof, checker, statistics);
        let assertions = copies
            .iter()
            .filter(|(key, locations)| {
                matches!(
                    key.kind,
                    ObligationKind::Assert | ObligationKind::Requires { .. }
                ) && locations
                    .iter()
                    .all(|l| unreachable.contains(l) && !self.says_unreachable(*l))
            })
            .map(|(key, _)| Diagnostic {
                id: Id::UNREACHABLE,
                severity: Severity::Warning,
                message: format!("no execution reaches this {}", self.name(key)),
                labels: vec![(key.span, "never reached, so it holds trivially".into())],
                help: None,
            });
        warnings.extend(assertions);
        warnings
    }

    /// Places that traces get to, and that none gets past without undefined behavior: such traces do not count.
    fn stuck(
        &self,
        proof: &Proof,
        checker: &mut Checker<'_>,
        statistics: &mut Statistics,
    ) -> Vec<Diagnostic> {
        let graph = &self.unit.graph.graph;
        // A place may have several conditions: each is one by itself, and the same one in all activations of its procedure.
        let mut places: BTreeMap<(Span, &str, usize), Vec<EdgeId>> = BTreeMap::new();
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for edge in graph.edge_references() {
            let origin = edge.weight().origin;
            let info = origin.and_then(|origin| self.unit.origins.get(origin));
            if let Some(OriginInfo {
                span,
                step: Step::Defined(property),
                frame,
            }) = info
            {
                let count = counts.entry((*span, property, *frame)).or_default();
                let place = places.entry((*span, property, *count));
                place.or_default().push(edge.id());
                *count += 1;
            }
        }
        let (places, edges): (Vec<_>, Vec<_>) = places.into_iter().unzip();
        let stuck = checker.never_passed(proof, &edges, statistics);
        stuck
            .into_iter()
            .filter_map(|number| places.get(number))
            .map(|&(span, property, _)| Diagnostic {
                id: Id::UNDEFINED,
                severity: Severity::Warning,
                message: "no trace gets past this without undefined behavior".into(),
                labels: vec![(span, "what is after it is proved for no trace".into())],
                help: Some(format!("`--property {property}` shows what happens")),
            })
            .collect()
    }

    /// Whether the obligation is `false`: then never to be reached is what it says.
    fn says_unreachable(&self, location: LocationId) -> bool {
        self.unit
            .graph
            .graph
            .edges_directed(location, Direction::Incoming)
            .all(|edge| *self.terms.op(edge.weight().transition.formula) == Op::Bool(true))
    }

    fn name(&self, key: &Key) -> String {
        key.kind.to_string()
    }

    fn contradiction(&self, contradiction: &Contradiction) -> Diagnostic {
        let name = &self.unit.graph.name;
        match contradiction {
            Contradiction::Axioms => Diagnostic {
                id: Id::CONTRADICTORY,
                severity: Severity::Warning,
                message: "the axioms contradict each other".into(),
                labels: Vec::new(),
                help: Some("no program state satisfies them, so everything is proved".into()),
            },
            Contradiction::Assumptions(edges) => {
                let labels = edges
                    .iter()
                    .filter_map(|&edge| {
                        let graph = &self.unit.graph.graph;
                        let edge = graph.edge_weight(edge)?;
                        if *self.terms.op(edge.transition.formula) == Op::Bool(true) {
                            return None;
                        }
                        Some((self.span(edge.origin?)?, "assumed".to_owned()))
                    })
                    .collect();
                Diagnostic {
                    id: Id::CONTRADICTORY,
                    severity: Severity::Warning,
                    message: format!("what is assumed at the start of `{name}` is contradictory"),
                    labels,
                    help: Some(
                        "no execution gets past it, so everything after it is proved".into(),
                    ),
                }
            }
        }
    }
}

/// Why something is open if less is said of something than is meant.
fn less_is_known(what: &str) -> Reason {
    Reason::NotProved(format!("what is known of {what} leaves it open"))
}

/// Why nothing is known if a run goes through an abstraction.
fn not_implied() -> Reason {
    Reason::NotProved(
        "it does not follow from the invariants and contracts that the program states, which allow the trace that is shown"
            .into(),
    )
}
