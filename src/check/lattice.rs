//! How verdicts combine: the one place that says it.
//!
//! Three questions come up wherever verdicts meet, and each has one answer here.
//!
//! **Several attempts at one obligation** ([`Status::join`]). What is known about an obligation only
//! grows. It grows along this order:
//!
//! ```text
//!           contradicted
//!            /        \
//!         SAFE      UNSAFE
//!            \        /
//!      UNKNOWN(strongest reason)
//!               :
//!      UNKNOWN(weakest reason)
//! ```
//!
//! Two attempts together say the least that is not below either of them. So SAFE and UNSAFE stay,
//! whatever else is tried; and where one attempt says SAFE and another one UNSAFE, neither is
//! believed, now or later: the verdict is UNKNOWN because of an internal error. The order of the
//! attempts makes no difference.
//!
//! **Several obligations as one** ([`VerdictKind::and`]), for copies of one obligation, a unit, or a
//! file. UNSAFE if one is; else UNKNOWN if one is, with the strongest reason (the first in the
//! source, of several that are equally strong); else SAFE.
//!
//! **Why UNKNOWN** ([`rank`]). Of several reasons the one that says most about what to do wins,
//! from the strongest to the weakest:
//!
//! | reasons | they say |
//! |---|---|
//! | internal | there is a bug; whatever else was met may be its doing |
//! | cancelled | nobody waits for an answer any more |
//! | translation, not-confirmed | there is a violation, but a compiled program disagrees |
//! | run-rejected, proof-rejected | an engine had an answer, and the checker refused it |
//! | solver-failed | the solver is broken |
//! | unsupported | with a place: the program has something that cannot be decided |
//! | contract-too-weak, contract-unproved | a contract of the program says too little |
//! | not-proved | it does not follow from what the program says |
//! | memory, timeout | more of it might help |
//! | interpolation-failed, solver-unknown | the methods are too weak for it |
//! | unsupported | without a place: an engine does not understand something, others might |
//! | incomplete | an engine that cannot answer everything did not answer this |
//!
//! So the limit of one engine is told only if nobody says more: where others ran out of time, or were too weak, that is
//! the reason.
//!
//! Two more rules are about the end of the time and not about attempts: [`given_up`] and
//! [`unfinished`].
//!
//! [`Knowledge`] is all of this for one graph: what is known about each of its error locations.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use super::verdict::{Proof, Verdict, Violation};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// How strong a reason is: see the [module](self). A larger number wins.
pub fn rank(reason: &Reason) -> u8 {
    match reason {
        Reason::Internal(_) => 16,
        Reason::Cancelled => 15,
        Reason::Translation(_) => 14,
        Reason::NotConfirmed(_) => 13,
        Reason::RunRejected(_) => 12,
        Reason::ProofRejected(_) => 11,
        Reason::SolverFailed(_) => 10,
        Reason::Unsupported(_, Some(_)) => 9,
        Reason::ContractTooWeak(_) => 8,
        Reason::ContractUnproved(_) => 7,
        Reason::NotProved(_) => 6,
        Reason::Memory => 5,
        Reason::Timeout => 4,
        Reason::Interpolation(_) => 3,
        Reason::SolverUnknown(_) => 2,
        Reason::Unsupported(_, None) => 1,
        Reason::Incomplete(_) => 0,
    }
}

/// The total order of reasons: by [`rank`]; of equally strong ones that with the earlier place, then
/// that with the earlier text in the alphabet is the greater one. Only equal reasons are equal.
pub fn compare(a: &Reason, b: &Reason) -> Ordering {
    // A reason without a place comes after those that have one.
    let place = |reason: &Reason| match reason {
        Reason::Unsupported(_, Some(origin)) => Reverse((false, origin.0)),
        _ => Reverse((true, 0)),
    };
    rank(a)
        .cmp(&rank(b))
        .then_with(|| place(a).cmp(&place(b)))
        .then_with(|| b.to_string().cmp(&a.to_string()))
}

/// Why something is open when the run was stopped for the reason `stop` while it was tried: what an engine was too weak
/// for says little where the others had no more time, and the last question that the solver gave up on may have been given
/// up because the time was over.
pub fn given_up(reason: Reason, stop: Option<&Reason>) -> Reason {
    match stop {
        Some(stop) if rank(&reason) < rank(&Reason::Timeout) => stop.clone(),
        _ => reason,
    }
}

/// Why something is open when the run was stopped for the reason `stop` before another attempt that
/// was due: the stop, since that attempt might have had an answer. A bug stays a bug, and what a proof by deduction that came to its end
/// leaves open is known to be no matter of time.
pub fn unfinished(reason: Reason, stop: Option<&Reason>) -> Reason {
    match (reason, stop) {
        (reason @ (Reason::Internal(_) | Reason::NotProved(_)), _) => reason,
        (_, Some(stop)) => stop.clone(),
        (reason, None) => reason,
    }
}

/// What has a reason: something about an open obligation.
pub trait HasReason {
    /// The reason.
    fn reason(&self) -> &Reason;
}

impl HasReason for Reason {
    fn reason(&self) -> &Reason {
        self
    }
}

/// A proof that may rest on conditions.
pub trait HasConditions {
    /// How many other things have to be proved for that. The fewer the better.
    fn conditions(&self) -> usize {
        0
    }
}

impl HasConditions for Proof {}

/// What is known about one obligation: a verdict or a contradiction of verdicts, with what whoever
/// keeps it has to say about each. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status<S, U, O = Reason> {
    /// Nothing, and why.
    Open(O),
    /// It holds.
    Safe(S),
    /// It is violated.
    Unsafe(U),
    /// It was found to hold and to be violated; in words.
    Contradicted(String),
}

/// What is known about one obligation, without the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind<'r> {
    /// Nothing, and why.
    Open(&'r Reason),
    /// It holds.
    Safe,
    /// It is violated.
    Unsafe,
    /// It was found to hold and to be violated.
    Contradicted,
}

/// How much is known: the order in the picture of the [module](self). SAFE and UNSAFE cannot be
/// compared.
impl PartialOrd for VerdictKind<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        use VerdictKind::{Contradicted, Open, Safe, Unsafe};
        match (self, other) {
            (Open(a), Open(b)) => Some(compare(a, b)),
            (Safe, Safe) | (Unsafe, Unsafe) | (Contradicted, Contradicted) => Some(Ordering::Equal),
            (Safe, Unsafe) | (Unsafe, Safe) => None,
            (Open(_), _) | (_, Contradicted) => Some(Ordering::Less),
            (_, Open(_)) | (Contradicted, _) => Some(Ordering::Greater),
        }
    }
}

impl<'r> VerdictKind<'r> {
    /// What two obligations are as one. If both say equally much, `self` remains.
    #[must_use]
    pub fn and(self, other: VerdictKind<'r>) -> VerdictKind<'r> {
        if other.burden() > self.burden() {
            other
        } else {
            self
        }
    }

    /// How far this is from "all hold".
    fn burden(self) -> (u8, u8) {
        match self {
            VerdictKind::Safe => (0, 0),
            VerdictKind::Open(reason) => (1, rank(reason)),
            VerdictKind::Contradicted => (2, 0),
            VerdictKind::Unsafe => (3, 0),
        }
    }
}

impl Verdict {
    /// The verdict without the evidence.
    pub fn kind(&self) -> VerdictKind<'_> {
        match self {
            Verdict::Safe(_) => VerdictKind::Safe,
            Verdict::Unsafe(_) => VerdictKind::Unsafe,
            Verdict::Unknown(reason) => VerdictKind::Open(reason),
        }
    }
}

impl<S: HasConditions, U, O: HasReason> Status<S, U, O> {
    /// This without what goes with it.
    pub fn kind(&self) -> VerdictKind<'_> {
        match self {
            Status::Open(why) => VerdictKind::Open(why.reason()),
            Status::Safe(_) => VerdictKind::Safe,
            Status::Unsafe(_) => VerdictKind::Unsafe,
            Status::Contradicted(_) => VerdictKind::Contradicted,
        }
    }

    /// Whether it holds.
    pub fn is_safe(&self) -> bool {
        matches!(self, Status::Safe(_))
    }

    /// Whether it is violated.
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Status::Unsafe(_))
    }

    /// What two attempts at the same obligation say together. Of two proofs, the one with fewer
    /// conditions remains; if both say equally much, `self` does.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Status::Safe(a), Status::Safe(b)) if b.conditions() < a.conditions() => {
                Status::Safe(b)
            }
            (Status::Contradicted(a), Status::Contradicted(b)) => Status::Contradicted(a.min(b)),
            (a, b) => match a.kind().partial_cmp(&b.kind()) {
                Some(Ordering::Less) => b,
                Some(Ordering::Equal | Ordering::Greater) => a,
                None => {
                    Status::Contradicted("it was proved to hold and seen to be violated".into())
                }
            },
        }
    }

    /// What attempts at the same obligation in two graphs of one program say together, where the
    /// `larger` graph has every run that this one has, and maybe more places where the obligation
    /// can be violated. So a violation in either counts, also beside a proof for the smaller one:
    /// that is no contradiction. Why it was open in the smaller graph is of no interest any more.
    #[must_use]
    pub fn extended(self, larger: Self) -> Self {
        match (self, larger) {
            (Status::Contradicted(a), Status::Contradicted(b)) => Status::Contradicted(a.min(b)),
            (a @ Status::Contradicted(_), _) => a,
            (_, b @ Status::Contradicted(_)) => b,
            (a @ Status::Unsafe(_), _) => a,
            (_, b @ Status::Unsafe(_)) => b,
            (Status::Safe(a), Status::Safe(b)) if b.conditions() < a.conditions() => {
                Status::Safe(b)
            }
            (a @ Status::Safe(_), _) => a,
            (Status::Open(_), b) => b,
        }
    }

    /// What two obligations are as one: as [`VerdictKind::and`].
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if other.kind().burden() > self.kind().burden() {
            other
        } else {
            self
        }
    }
}

impl Status<Proof, Violation> {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self {
            Status::Open(reason) => Verdict::Unknown(reason.clone()),
            Status::Safe(proof) => Verdict::Safe(proof.clone()),
            Status::Unsafe(violation) => Verdict::Unsafe(violation.clone()),
            Status::Contradicted(words) => Verdict::Unknown(Reason::Internal(words.clone())),
        }
    }
}

/// What is known about the error locations of one graph.
///
/// Each location for itself is a [`Status`]. Besides, a proof that excludes a location which a run
/// reaches is wrong, or the run is: such a proof is believed for no location.
#[derive(Clone, Debug)]
pub struct Knowledge<'g> {
    graph: &'g ProgramGraph,
    known: BTreeMap<LocationId, Status<Proof, Violation>>,
    /// Where confirmed runs ended.
    reached: BTreeSet<LocationId>,
}

impl<'g> Knowledge<'g> {
    /// Nothing is known about the graph.
    pub fn new(graph: &'g ProgramGraph) -> Knowledge<'g> {
        Knowledge {
            graph,
            known: BTreeMap::new(),
            reached: BTreeSet::new(),
        }
    }

    /// This much about some error locations.
    pub fn of(
        graph: &'g ProgramGraph,
        known: impl IntoIterator<Item = (LocationId, Status<Proof, Violation>)>,
    ) -> Knowledge<'g> {
        let mut knowledge = Knowledge::new(graph);
        knowledge.add_all(known);
        knowledge
    }

    /// The same reason for all error locations.
    pub fn open(graph: &'g ProgramGraph, reason: &Reason) -> Knowledge<'g> {
        let errors = graph.errors();
        Knowledge::of(graph, errors.map(|e| (e, Status::Open(reason.clone()))))
    }

    /// What another attempt says about an error location.
    pub fn add(&mut self, location: LocationId, known: Status<Proof, Violation>) {
        self.add_all([(location, known)]);
    }

    /// What another attempt says about several error locations, with one look at all that is known.
    pub fn add_all(
        &mut self,
        known: impl IntoIterator<Item = (LocationId, Status<Proof, Violation>)>,
    ) {
        for (location, known) in known {
            self.join(location, known);
        }
        self.discredit();
    }

    /// All attempts are over, and the run was stopped for this reason while they worked: see
    /// [`given_up`].
    pub fn stop(&mut self, stop: &Reason) {
        for known in self.known.values_mut() {
            if let Status::Open(reason) = known {
                *reason = given_up(reason.clone(), Some(stop));
            }
        }
    }

    /// What other attempts say.
    pub fn merge(&mut self, mut other: Knowledge<'g>) {
        self.reached.append(&mut other.reached);
        // A proof that is wrong must not be lost behind one that is not.
        other.reached.clone_from(&self.reached);
        other.discredit();
        self.add_all(other.known);
    }

    /// What is known about an error location, if anything was said.
    pub fn about(&self, location: LocationId) -> Option<&Status<Proof, Violation>> {
        self.known.get(&location)
    }

    /// The error locations that are SAFE or UNSAFE, or whose obligation another one violates.
    pub fn decided(&self) -> Vec<LocationId> {
        let violated = self.violated();
        let errors = self.graph.errors();
        errors
            .filter(|&error| self.is_decided(error, &violated))
            .collect()
    }

    /// How many error locations there are besides.
    pub fn undecided(&self) -> usize {
        self.graph.errors().count() - self.decided().len()
    }

    /// The error locations that a run reaches, or whose obligation one violates.
    pub fn violations(&self) -> usize {
        let violated = self.violated();
        let errors = self.graph.errors();
        errors
            .filter(|error| {
                let obligation = self.graph.graph[*error].obligation;
                obligation.is_some_and(|number| violated.contains(&number))
                    || self.known.get(error).is_some_and(Status::is_unsafe)
            })
            .count()
    }

    /// The numbers of obligations that some run violates.
    fn violated(&self) -> BTreeSet<u32> {
        let known = self.known.iter();
        known
            .filter(|(_, known)| matches!(known, Status::Unsafe(_)))
            .filter_map(|(&error, _)| self.graph.graph[error].obligation)
            .collect()
    }

    fn is_decided(&self, error: LocationId, violated: &BTreeSet<u32>) -> bool {
        let obligation = self.graph.graph[error].obligation;
        obligation.is_some_and(|number| violated.contains(&number))
            || matches!(
                self.known.get(&error),
                Some(Status::Safe(_) | Status::Unsafe(_))
            )
    }

    /// Whether something is proved.
    pub fn has_proof(&self) -> bool {
        self.known.values().any(Status::is_safe)
    }

    /// One verdict for each error location about which something was said.
    pub fn verdicts(&self) -> BTreeMap<LocationId, Verdict> {
        let verdicts = self.known.iter();
        verdicts.map(|(&l, known)| (l, known.verdict())).collect()
    }

    fn join(&mut self, location: LocationId, known: Status<Proof, Violation>) {
        if known.is_unsafe() {
            self.reached.insert(location);
        }
        let known = match self.known.remove(&location) {
            Some(before) => before.join(known),
            None => known,
        };
        self.known.insert(location, known);
    }

    /// Takes proofs back that exclude what was reached.
    fn discredit(&mut self) {
        if self.reached.is_empty() {
            return;
        }
        // One proof excludes many locations, and is looked at once for those that follow each other.
        let mut judged: Option<(Proof, Option<LocationId>)> = None;
        for (location, known) in &mut self.known {
            let wrong = match known {
                Status::Safe(proof) => match &judged {
                    Some((same, wrong)) if same.is_same(proof) => *wrong,
                    _ => {
                        let mut reached = self.reached.intersection(proof.excluded());
                        let wrong = reached.next().copied();
                        judged = Some((proof.clone(), wrong));
                        wrong
                    }
                },
                Status::Contradicted(_) => self.reached.get(location).copied(),
                Status::Open(_) | Status::Unsafe(_) => None,
            };
            if let Some(wrong) = wrong {
                *known = Status::Contradicted(format!(
                    "`{}` was proved unreachable and reached",
                    self.graph.graph[wrong].name
                ));
            }
        }
    }
}
