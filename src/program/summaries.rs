//! Contracts that nobody wrote: summaries of recursive procedures, inferred by Horn clauses.
//!
//! Where the user's contracts say too little about recursive procedures, the whole program becomes
//! Horn clauses with a predicate for each procedure, and Spacer is asked for predicates that
//! exclude every violation. What it finds becomes contracts: postconditions, and preconditions for
//! procedures at which no run starts. With them every unit is lowered again; at calls they are
//! used, and in the procedures' own units they are obligations, proved by the ordinary engine and
//! checker. So nothing has to be believed.
//!
//! By induction on the length of a run, as for the user's contracts: the first inferred contract
//! to be broken would be broken by a body all of whose calls kept theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ult_lang::hir;

use super::Settings;
use super::attempt::{Attempt, Finding, KindKey, attempt};
use super::source::Source;
use crate::control::Control;
use crate::engine::horn::procedures::{Joined, Markers, call_ends, join};
use crate::formula::{Op, Term, Terms};
use crate::graph::{LocationId, ProgramGraph};
use crate::interpolate::simplify::simplified;
use crate::lower::summaries::{InferredContract, Signature, Summaries, signatures};
use crate::lower::{LoweredUnit, Lowering, UnitPlan};
use crate::reduce::{ReduceOptions, reduce_around};
use crate::solver::Session;
use crate::solver::horn::{Predicate, Solved, Tuning};
use crate::stats::Statistics;

/// The predicates for summaries may take this long.
const HORN_LIMIT: Duration = Duration::from_secs(60);

/// The first attempt of Spacer at them.
const FIRST_SHARE: Duration = Duration::from_secs(1);

/// The graphs of a program with symbols for summaries, and the predicates for them.
pub struct Asked {
    /// The units, in the order given.
    pub units: Vec<LoweredUnit>,
    /// Their graphs, reduced.
    pub graphs: Vec<ProgramGraph>,
    /// The predicates behind the symbols: for each signature its summary and, unless it is an
    /// entry, for which states it fails.
    pub predicates: Vec<Predicate>,
    /// The symbols.
    pub markers: Markers,
    /// What the summaries speak about, with the numbers of the predicates.
    pub signatures: BTreeMap<hir::ProcedureId, (Signature, usize, Option<usize>)>,
    /// For each graph, the location in which the procedure has returned, and those in which a
    /// call has failed: error locations in form only.
    pub formal: Vec<BTreeSet<LocationId>>,
}

/// Lowers the units in `plans`, or all from the entries on, with symbols for summaries of the
/// recursive procedures (with `all`: of all that have a body).
pub fn ask<'a>(
    terms: &'a Terms,
    program: &'a hir::Program,
    reading: &crate::lower::Options,
    reduction: &ReduceOptions,
    all: bool,
) -> Result<Asked, crate::lower::EntryError> {
    let lowering = Lowering::new(terms, program, reading.clone())?;
    let signatures = signatures(terms, &lowering, all);
    let lowering = lowering.with_summaries(Summaries::Asked(signatures.clone()));
    let mut asked = Asked {
        units: Vec::new(),
        graphs: Vec::new(),
        predicates: Vec::new(),
        markers: Markers::default(),
        signatures: BTreeMap::new(),
        formal: Vec::new(),
    };
    for (id, signature) in signatures {
        let name = &program.procedures[id.index()].name;
        let summary = asked.predicates.len();
        asked.predicates.push(Predicate {
            name: format!("{name} returns").into(),
            params: signature.all(),
        });
        asked
            .markers
            .bodies
            .insert(signature.called.clone(), summary);
        asked
            .markers
            .heads
            .insert(signature.returned.clone(), summary);
        let failure = (!signature.entry).then(|| {
            let failure = asked.predicates.len();
            asked.predicates.push(Predicate {
                name: format!("{name} fails").into(),
                params: signature.inputs(),
            });
            let (body, head) = (signature.failing.clone(), signature.failed.clone());
            asked.markers.bodies.insert(body, failure);
            asked.markers.heads.insert(head, failure);
            failure
        });
        asked.signatures.insert(id, (signature, summary, failure));
    }
    let mut queue = lowering.queue();
    while let Some(plan) = queue.next() {
        let unit = lowering.lower(plan);
        queue.add(&unit);
        let ends = call_ends(terms, &unit.graph, &asked.markers);
        let reduced = reduce_around(terms, &unit.graph, reduction, &ends);
        let formal = reduced
            .graph
            .errors()
            .filter(|&error| !unit.obligations.contains_key(&reduced.back.location(error)))
            .collect();
        asked.graphs.push(reduced.graph);
        asked.formal.push(formal);
        asked.units.push(unit);
    }
    Ok(asked)
}

impl Asked {
    /// The Horn clauses of all units, without the obligations in `except`; `None` if there are
    /// none.
    pub fn clauses(&self, terms: &Terms, except: &BTreeSet<(usize, LocationId)>) -> Option<Joined> {
        let graphs: Vec<&ProgramGraph> = self.graphs.iter().collect();
        join(
            terms,
            &graphs,
            self.predicates.clone(),
            &self.markers,
            except,
        )
        .ok()
    }

    /// The background facts of all units.
    pub fn axioms(&self) -> Vec<Term> {
        let all = self.graphs.iter().flat_map(|graph| &graph.axioms);
        let all: indexmap::IndexSet<Term> = all.copied().collect();
        all.into_iter().collect()
    }

    /// Contracts that exclude as many violations as possible; `None` if there is no answer.
    fn solve(
        &self,
        terms: &Terms,
        control: &Control,
        stats: &mut Statistics,
    ) -> Option<BTreeMap<hir::ProcedureId, InferredContract>> {
        let axioms = self.axioms();
        let mut except = BTreeSet::new();
        let start = Instant::now();
        // Neither way is always the better one, so they take turns, for longer and longer.
        let mut turns = (0..).map(|round| {
            let tuning = if round % 2 == 0 {
                Tuning::Plain
            } else {
                Tuning::Inlined
            };
            (tuning, FIRST_SHARE * 8u32.saturating_pow(round / 2))
        });
        let (mut tuning, mut share) = turns.next()?;
        loop {
            control.check().ok()?;
            let joined = self.clauses(terms, &except)?;
            let limit = HORN_LIMIT.checked_sub(start.elapsed())?.min(share);
            // What earlier turns left behind would make a difference.
            let session = Session::new(terms, &axioms, control);
            let solved = joined.clauses.solve(&session, tuning, Some(limit));
            session.take_calls(stats);
            match solved {
                Solved::Solution(formulas) => {
                    if let Some(contracts) = self.contracts(&session, &formulas) {
                        return Some(contracts);
                    }
                    (tuning, share) = turns.next()?;
                }
                Solved::GaveUp(_) => (tuning, share) = turns.next()?,
                Solved::Derivable { trace, .. } => {
                    stats.paths += 1;
                    // The violation is believed, so that the others can be excluded.
                    let violated = trace
                        .into_iter()
                        .flatten()
                        .find_map(|number| self.violated(joined.sources.get(number).copied()?));
                    match violated {
                        Some(violated) if except.insert(violated) => {}
                        Some(_) => return None,
                        // The trace is complete only where nothing was inlined.
                        None if tuning == Tuning::Plain => return None,
                        None => tuning = Tuning::Plain,
                    }
                }
            }
        }
    }

    /// The obligation whose violation an edge is.
    fn violated(
        &self,
        (number, edge): crate::engine::horn::procedures::Source,
    ) -> Option<(usize, LocationId)> {
        let graph = &self.graphs.get(number)?.graph;
        let (_, target) = graph.edge_endpoints(edge?)?;
        let real = graph[target].error.is_some() && !self.formal[number].contains(&target);
        real.then_some((number, target))
    }

    /// The contracts that a solution stands for; `None` if one of them could not be read.
    fn contracts(
        &self,
        session: &Session<'_>,
        formulas: &[Option<Term>],
    ) -> Option<BTreeMap<hir::ProcedureId, InferredContract>> {
        let terms = session.terms();
        let mut budget = 100;
        let mut tidy = |formula| simplified(session, formula, &mut budget);
        self.signatures
            .iter()
            .map(|(&id, (signature, summary, failure))| {
                let fails = match failure {
                    Some(failure) => formulas[*failure]?,
                    None => terms.ff(),
                };
                let contract = InferredContract {
                    signature: signature.clone(),
                    requires: tidy(terms.not(fails)),
                    ensures: tidy(formulas[*summary]?),
                };
                Some((id, contract))
            })
            .collect()
    }
}

/// What attempts with inferred contracts found out, for those units for which it counts. Their
/// proofs rely on no contract that is not proved.
pub type Inferred = Vec<(UnitPlan, Attempt)>;

/// Infers contracts of recursive procedures and verifies all units with them.
pub fn infer(
    program: &hir::Program,
    settings: &Settings,
    source: &Source,
    control: &Control,
    stats: &mut Statistics,
) -> Inferred {
    let reading = crate::lower::Options {
        recursion_depth: 0,
        ..settings.reading.clone()
    };
    let terms = Terms::new();
    let Ok(asked) = ask(&terms, program, &reading, &settings.verify.reduce, false) else {
        return Vec::new();
    };
    if asked.signatures.is_empty() {
        return Vec::new();
    }
    // The rest is for the proofs.
    let share = control.remaining().map(|left| left * 2 / 3);
    let Some(contracts) = asked.solve(&terms, &control.within(share), stats) else {
        return Vec::new();
    };
    let plain = contracts
        .values()
        .all(|contract| *terms.op(contract.requires) == Op::Bool(true));
    let Ok(lowering) = Lowering::new(&terms, program, reading) else {
        return Vec::new();
    };
    let lowering = lowering.with_summaries(Summaries::Inferred(contracts));
    let mut attempts: Vec<(UnitPlan, Arc<str>, Attempt)> = Vec::new();
    let mut queue = lowering.queue();
    let mut waiting: Vec<UnitPlan> = queue.by_ref().collect();
    while let Some(plan) = waiting.pop() {
        if control.check().is_err() {
            return Vec::new();
        }
        let left = u32::try_from(waiting.len() + 1).unwrap_or(u32::MAX);
        let share = control.remaining().map(|time| time / left);
        let unit = lowering.lower(plan);
        queue.add(&unit);
        waiting.extend(queue.by_ref());
        let mut found = attempt(
            &terms,
            &unit,
            source,
            &settings.verify,
            &control.within(share),
        );
        stats.add(&std::mem::take(&mut found.statistics));
        let with_body = |name: &Arc<str>| {
            unit.relies_on
                .iter()
                .filter_map(|id| program.procedures.get(id.index()))
                .any(|procedure| *procedure.name == **name)
        };
        found.contracts.retain(with_body);
        attempts.push((plan, unit.graph.name.clone(), found));
    }
    accepted(attempts, plain)
}

/// The attempts that count. With preconditions (`plain` is false) none does unless all do: a
/// procedure's unit says something only if every call of it keeps its precondition.
fn accepted(attempts: Vec<(UnitPlan, Arc<str>, Attempt)>, plain: bool) -> Inferred {
    let is_safe = |finding: &Finding| matches!(finding, Finding::Safe(_));
    // The largest set of procedures that keep their contracts if all in the set do.
    let mut kept: BTreeSet<Arc<str>> = attempts.iter().map(|(_, name, _)| name.clone()).collect();
    loop {
        let keeps = |name: &Arc<str>, attempt: &Attempt| {
            attempt.failure.is_none()
                && attempt.contracts.is_subset(&kept)
                && kept.contains(name)
                && attempt.findings.iter().all(|(key, finding)| {
                    !matches!(
                        key.kind,
                        KindKey::Ensures | KindKey::Unsupported(_) | KindKey::Inferred(_)
                    ) || is_safe(finding)
                })
        };
        let next: BTreeSet<Arc<str>> = attempts
            .iter()
            .filter(|(_, name, attempt)| keeps(name, attempt))
            .map(|(_, name, _)| name.clone())
            .collect();
        if next == kept {
            break;
        }
        kept = next;
    }
    let counts = |(_, _, attempt): &(UnitPlan, Arc<str>, Attempt)| {
        attempt.failure.is_none()
            && attempt.contracts.is_subset(&kept)
            && attempt
                .findings
                .iter()
                .all(|(key, finding)| !matches!(key.kind, KindKey::Inferred(_)) || is_safe(finding))
    };
    if !plain && !attempts.iter().all(counts) {
        return Vec::new();
    }
    attempts
        .into_iter()
        .filter(counts)
        .map(|(plan, _, mut attempt)| {
            // Nobody wrote these obligations, and everything the proofs rely on is proved.
            attempt
                .findings
                .retain(|key, _| !matches!(key.kind, KindKey::Inferred(_)));
            attempt.contracts.clear();
            (plan, attempt)
        })
        .collect()
}
