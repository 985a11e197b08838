//! What is known about a file: plain data for whoever shows it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use ult_lang::diagnostic::{Diagnostic, Severity};
use ult_lang::span::Span;

use super::language::Language;
use ult_check::{Proof, Verdict, VerdictKind};
use ult_core::graph::evidence::Argument;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::portfolio::Plan;
use ult_explain::Source;
use ult_explain::cause::Cause;
use ult_explain::invariants::InvariantReport;
use ult_explain::open::CandidateReport;
use ult_explain::search::Explanation;
use ult_explain::trace::RunStep;
use ult_lower::unit::{ObligationKind, Role};

/// What a verdict on a translated program rests on besides the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// Sentences: "signed overflow does not happen".
    pub assumptions: Vec<String>,
    /// Functions without a body that return anything and change nothing else.
    pub unknown_functions: Vec<String>,
    /// The values that were found for constants with `{:existential true}`, by name, in the order of the source.
    pub inferred: Vec<(String, bool)>,
    /// The files that were linked, if the program has several.
    pub linked: Vec<Arc<str>>,
    /// What was checked, where the program does not say it: "memory safety ...".
    pub checked: Option<String>,
    /// Whether some proof is one of an over-approximation, in which memory contains anything.
    pub overapprox: bool,
}

/// What is known about one file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The text.
    pub source: Source,
    /// The language that it is in.
    pub language: Language,
    /// What was assumed.
    pub basis: Basis,
    /// Whether somebody asked for a property by name: what cannot violate it is SAFE, and not without anything to check.
    pub is_asked: bool,
    /// Messages: errors, for which a file is rejected, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The units, in the order in which they were looked at.
    pub units: Vec<Arc<UnitReport>>,
    /// Why there are no units, or not all of them, if so.
    pub stopped: Option<Reason>,
    /// For C: why the conditions that C leaves to the programmer were not all looked at, if they were to be.
    pub unchecked: Option<Reason>,
    /// Counters and times, added up.
    pub statistics: Statistics,
    /// If that was asked for: the verdict in a form that others can check, or in words why there is none. For circuits and SV-LIB this
    /// is a witness, and otherwise evidence with its proofs ([`certify`](super::certify)).
    pub certificate: Option<Result<String, String>>,
    /// How many questions about its invariants have proofs that a small program has checked, if that was asked for.
    pub certified: Option<Certified>,
    /// What became of the verdicts under other seeds, if that was asked for.
    pub stability: Option<Stability>,
    /// The time spent on the file.
    pub seconds: f64,
}

/// How many questions have a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// Those with a proof that was checked.
    pub proved: usize,
    /// All that were asked. Where a question has no proof, its parts are asked as well.
    pub asked: usize,
}

/// What is known about one unit of verification: a procedure, or a program graph.
#[derive(Clone, Debug)]
pub struct UnitReport {
    /// The name.
    pub name: Arc<str>,
    /// Why it is a unit; `None` for a program graph.
    pub role: Option<Role>,
    /// What has to be proved, in the order of the source.
    pub obligations: Vec<ObligationReport>,
    /// Whether it was not looked at yet.
    pub pending: bool,
    /// Why nothing, or not everything, is known about it, if so.
    pub stopped: Option<Reason>,
    /// The confirmed invariants at loop heads, in the order of the source.
    pub invariants: Vec<InvariantReport>,
    /// For a recursive procedure: the contract that was inferred and proved, if others rely on it.
    pub contract: Option<ContractReport>,
    /// So many steps of the unrolled program have no violation of what is open: from its start, or one loop head, to the
    /// next.
    pub steps: u64,
    /// Which engines worked on it and why, if a portfolio did: of the last attempt, where there were
    /// several.
    pub portfolio: Option<Arc<Plan>>,
    /// How much rests on evidence from earlier runs, in all attempts.
    pub reuse: Reuse,
    /// How it was decided, if that was to be recorded: of the last attempt, where there were several.
    pub explanation: Option<Arc<Explanation>>,
}

/// How much rests on evidence that was kept from earlier runs, and was checked again: counts of error locations, of which
/// one obligation may have several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Decided by evidence from an earlier run.
    pub reused: u64,
    /// Decided by what was found in this one.
    pub found: u64,
}

impl std::ops::AddAssign for Reuse {
    fn add_assign(&mut self, other: Reuse) {
        self.reused += other.reused;
        self.found += other.found;
    }
}

/// What is known about one obligation.
#[derive(Clone, Debug)]
pub struct ObligationReport {
    /// What kind of thing.
    pub kind: ObligationKind,
    /// The place that is to blame.
    pub span: Span,
    /// The clause that is violated, where it stands elsewhere.
    pub clause: Option<Span>,
    /// In words: "assertion", or a text that the program gives.
    pub description: Arc<str>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is a condition that C leaves to the programmer, looked at besides what was asked: what is proved holds if it does.
    pub is_condition: bool,
    /// Whether the verdict is UNKNOWN only because the work is not over.
    pub pending: bool,
    /// The place that the reason for UNKNOWN names.
    pub reason_span: Option<Span>,
    /// For UNSAFE: the run that violates it. Also for what would be UNSAFE if a compiled program had not contradicted the
    /// run, or had confirmed it where that was asked for, and for what is not implied by what the program states: there the
    /// run goes through what that allows.
    pub run: Arc<[RunStep]>,
    /// For UNKNOWN: the loops that runs to it may go through, in the order of the source.
    pub loops: Vec<Span>,
    /// For UNKNOWN: what would prove it if it were inductive, if one loop is right before it.
    pub candidate: Option<CandidateReport>,
    /// For what is not implied by the stated invariants and contracts: clauses that prove it, each with the place of its loop or
    /// procedure.
    pub missing: Vec<(Span, String)>,
    /// For C: what the compiled program did with the inputs of the run, if it was asked.
    pub confirmation: Option<Confirmation>,
}

/// What became of a run of a C program when the program was compiled and given the inputs of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// What happened.
    pub outcome: Outcome,
    /// In words: what the compiled program did, or why there is none.
    pub words: String,
    /// Why it may have done something else than the run.
    pub reasons: Vec<String>,
}

/// How a compiled program relates to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It reaches the violation.
    Confirmed,
    /// It does not, and there is no reason known why it should differ from the run.
    Contradicted,
    /// It does not, and this says nothing about the run.
    Missed,
    /// It was not compiled or not run.
    Untried,
}

impl Outcome {
    /// The stable name, for machines.
    pub fn code(self) -> &'static str {
        match self {
            Outcome::Confirmed => "confirmed",
            Outcome::Contradicted => "contradicted",
            Outcome::Missed => "not-confirmed",
            Outcome::Untried => "not-tried",
        }
    }
}

impl Confirmation {
    /// One sentence, without the reasons.
    pub fn sentence(&self) -> String {
        let start = match self.outcome {
            Outcome::Confirmed => "confirmed",
            Outcome::Contradicted => "contradicted",
            Outcome::Missed => "not confirmed",
            Outcome::Untried => "not tried with a compiler",
        };
        format!("{start}: {}", self.words)
    }
}

/// What became of verdicts in other runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stability {
    /// How many runs there were beside the first.
    pub runs: u32,
    /// How many there were to be.
    pub wanted: u32,
    /// What did not get the same verdict in all of them, in the order of the report.
    pub unstable: Vec<Unstable>,
}

/// An obligation whose verdict depends on what should make no difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unstable {
    /// The unit that it belongs to.
    pub unit: Arc<str>,
    /// Where it is.
    pub span: Span,
    /// In words.
    pub description: Arc<str>,
    /// In how many runs it was decided, the first one included.
    pub decided: u32,
    /// The runs in which it was not decided, by their seeds, with the reason. 0 is the first run.
    pub open: Vec<(u32, Reason)>,
}

/// A contract that nobody wrote, and that a procedure was proved to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractReport {
    /// What all calls fulfil, as a Boogie expression; `true` if nothing is required.
    pub requires: String,
    /// What holds when it returns.
    pub ensures: String,
}

/// The verdict on a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Every obligation holds.
    Safe,
    /// There is no obligation.
    Nothing,
    /// Some obligation is violated.
    Unsafe,
    /// What was asked holds, if behavior is defined; that it is, is not proved for this reason. Nothing is violated as far as found.
    Conditional(Reason),
    /// No obligation is violated as far as found, and some are open; the strongest of the reasons
    /// ([`rank`](ult_check::lattice::rank)).
    Unknown(Reason),
    /// The text has errors.
    Rejected,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conclusion::Safe => "SAFE",
            Conclusion::Nothing => "NOTHING",
            Conclusion::Unsafe => "UNSAFE",
            Conclusion::Conditional(_) => "CONDITIONAL",
            Conclusion::Unknown(_) => "UNKNOWN",
            Conclusion::Rejected => "REJECTED",
        })
    }
}

/// The verdict on several obligations together, when nothing is known about some for a reason, and conditions of C were not
/// looked at for another.
fn conclude<'a>(
    obligations: impl Iterator<Item = &'a ObligationReport>,
    stopped: impl Iterator<Item = &'a Reason>,
    unchecked: Option<&'a Reason>,
) -> Conclusion {
    let (conditions, asked): (Vec<_>, Vec<_>) = obligations.partition(|o| o.is_condition);
    let kind = |all: Vec<&'a ObligationReport>| {
        let standings = all.into_iter().map(|obligation| obligation.verdict.kind());
        standings.fold(VerdictKind::Safe, VerdictKind::and)
    };
    let asked = stopped
        .map(VerdictKind::Open)
        .fold(kind(asked), VerdictKind::and);
    let unchecked = unchecked.map_or(VerdictKind::Safe, VerdictKind::Open);
    let conditions = kind(conditions).and(unchecked);
    if let (VerdictKind::Safe, VerdictKind::Open(reason)) = (&asked, &conditions) {
        return Conclusion::Conditional((*reason).clone());
    }
    match asked.and(conditions) {
        VerdictKind::Safe => Conclusion::Safe,
        VerdictKind::Unsafe => Conclusion::Unsafe,
        VerdictKind::Open(reason) => Conclusion::Unknown(reason.clone()),
        VerdictKind::Contradicted => {
            Conclusion::Unknown(Reason::Internal("verdicts contradict each other".into()))
        }
    }
}

impl Report {
    /// A report that says nothing yet.
    pub fn new(source: Source, language: Language) -> Report {
        Report {
            source,
            language,
            basis: Basis::default(),
            is_asked: false,
            diagnostics: Vec::new(),
            units: Vec::new(),
            stopped: None,
            unchecked: None,
            statistics: Statistics::default(),
            certificate: None,
            certified: None,
            stability: None,
            seconds: 0.0,
        }
    }

    /// The verdict on the file: UNSAFE if some obligation is, else UNKNOWN if something is open,
    /// else SAFE; NOTHING if there is no obligation and nobody asked for one.
    pub fn conclusion(&self) -> Conclusion {
        if self.is_rejected() {
            return Conclusion::Rejected;
        }
        if self.is_trivial() && !self.is_asked {
            return Conclusion::Nothing;
        }
        conclude(self.obligations(), self.gaps(), self.unchecked.as_ref())
    }

    /// Whether the text has errors.
    pub fn is_rejected(&self) -> bool {
        self.errors() > 0
    }

    /// How many errors the text has.
    pub fn errors(&self) -> usize {
        let is_error = |n: &&Diagnostic| n.severity == Severity::Error;
        self.diagnostics.iter().filter(is_error).count()
    }

    /// Whether something is violated.
    pub fn has_violation(&self) -> bool {
        self.units.iter().any(|unit| unit.has_violation())
    }

    /// All obligations of all units.
    pub fn obligations(&self) -> impl Iterator<Item = &ObligationReport> {
        self.units.iter().flat_map(|unit| &unit.obligations)
    }

    /// The reasons of everything that is UNKNOWN.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.obligations()
            .filter_map(|obligation| obligation.verdict.reason())
            .chain(self.gaps())
    }

    /// The strongest of these reasons, also if something is violated besides.
    pub fn reason(&self) -> Option<&Reason> {
        let reasons = self.reasons().map(VerdictKind::Open);
        match reasons.fold(VerdictKind::Safe, VerdictKind::and) {
            VerdictKind::Open(reason) => Some(reason),
            VerdictKind::Safe | VerdictKind::Unsafe | VerdictKind::Contradicted => None,
        }
    }

    /// Why nothing is known about some units, or about the whole file.
    fn gaps(&self) -> impl Iterator<Item = &Reason> {
        let units = self.units.iter();
        units
            .filter_map(|unit| unit.stopped.as_ref())
            .chain(&self.stopped)
    }

    /// Whether the file was looked at and contains nothing that could be proved.
    pub fn is_trivial(&self) -> bool {
        !self.is_rejected()
            && self.obligations().next().is_none()
            && self.gaps().next().is_none()
            && self.units.iter().all(|unit| !unit.pending)
    }

    /// Nothing more comes, for this reason: what is pending becomes UNKNOWN.
    pub fn close(&mut self, reason: &Reason) {
        if let Some(unchecked) = &mut self.unchecked {
            *unchecked = reason.clone();
        }
        for unit in &mut self.units {
            let is_open = unit.pending || unit.obligations.iter().any(|o| o.pending);
            if !is_open {
                continue;
            }
            let unit = Arc::make_mut(unit);
            // Its obligations say why they are open.
            if std::mem::take(&mut unit.pending) && unit.obligations.is_empty() {
                unit.stopped = Some(reason.clone());
            }
            for obligation in &mut unit.obligations {
                if std::mem::take(&mut obligation.pending) {
                    obligation.verdict = Verdict::Unknown(reason.clone());
                    obligation.reason_span = None;
                }
            }
        }
    }
}

impl UnitReport {
    /// The verdict on the unit.
    pub fn conclusion(&self) -> Conclusion {
        conclude(self.obligations.iter(), self.stopped.iter(), None)
    }

    /// Whether something is violated.
    pub fn has_violation(&self) -> bool {
        self.obligations.iter().any(|o| o.verdict.is_unsafe())
    }

    /// How violations are excluded where the invariants alone do not do it.
    pub fn arguments(&self) -> BTreeSet<Argument> {
        let proofs = (self.obligations.iter()).filter_map(|obligation| match &obligation.verdict {
            Verdict::Safe(proof) => Some(proof),
            Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
        });
        Proof::all_arguments(proofs)
    }
}

impl ObligationReport {
    /// Why it is violated, if that is known.
    pub fn cause(&self) -> Option<&Cause> {
        self.run.last()?.cause.as_ref()
    }

    /// The kind in one word, for machines.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ObligationKind::Assert => "assert",
            ObligationKind::Requires { .. } => "requires",
            ObligationKind::Ensures => "ensures",
            ObligationKind::Inferred { .. } => "inferred",
            ObligationKind::InvariantInitiation => "invariant-initiation",
            ObligationKind::InvariantConsecution => "invariant-consecution",
            ObligationKind::Location => "location",
            ObligationKind::Query => "query",
            ObligationKind::Condition { .. } => "condition",
            ObligationKind::Unsupported { .. } => "unsupported",
        }
    }
}

/// Whether a run takes a loop or a call for all that its invariants or its contract allow.
pub(crate) fn is_abstract(steps: &[RunStep]) -> bool {
    steps.iter().any(|step| step.abstracted)
}
