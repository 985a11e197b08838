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

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir;

use super::attempt::{Attempt, attempt};
use super::finding::Finding;

use super::proof_cache;
use super::result::ContractReport;
use super::settings::Settings;

use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms, Var};
use ult_core::graph::{LocationId, Origin, ProgramGraph};
use ult_core::stats::Statistics;
use ult_engine::horn::procedures::{Joined, Markers, call_ends, join};
use ult_engine::verify::Method;
use ult_explain::Source;
use ult_explain::invariants::printed;
use ult_interpolate::simplify::simplified;
use ult_lower::summaries::{InferredContract, Signature, Summaries, signatures};
use ult_lower::unit::ObligationKind;
use ult_lower::{LoweredUnit, Lowering, UnitPlan};
use ult_proof_cache::{Corrupt, Key, Scope, Store, digest, formulas};
use ult_reduce::{Compose, ReduceOptions, Reduced, reduce_around};
use ult_smt::Session;
use ult_smt::horn::{Predicate, Solved, Tuning};

/// The longest try of Spacer at the predicates for summaries.
const HORN_LIMIT: Duration = Duration::from_secs(60);

/// A short one.
const SHORT_TRY: Duration = Duration::from_secs(1);

/// The graphs of a program with symbols for summaries, and the predicates for them.
#[derive(Default)]
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
    /// The names of the procedures that have one.
    pub summarised: BTreeSet<Arc<str>>,
    obligations: Vec<Asserted>,
    /// For each graph, the location in which the procedure has returned, and those in which a
    /// call has failed: error locations in form only.
    pub formal: Vec<BTreeSet<LocationId>>,
}

/// An obligation.
pub struct Asserted {
    /// The number of its unit.
    pub unit: usize,
    /// Its location in the reduced graph; `None` if the reductions saw that it holds.
    pub location: Option<LocationId>,
    /// What it is.
    pub text: Arc<str>,
    /// Where.
    pub origin: Origin,
}

/// Lowers all units from the entries on, with symbols for summaries of the
/// recursive procedures (with `all`: of all that have a body).
pub fn ask<'a>(
    terms: &'a Terms,
    program: &'a hir::Program,
    reading: &ult_lower::Options,
    reduction: &ReduceOptions,
    all: bool,
) -> Result<Asked, ult_lower::EntryError> {
    let lowering = Lowering::new(terms, program, reading.clone())?;
    let signatures = signatures(terms, &lowering, all);
    let lowering = lowering.with_summaries(Summaries::Asked(signatures.clone()));
    let mut asked = Asked::default();
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
        asked.summarised.insert((&**name).into());
        asked.signatures.insert(id, (signature, summary, failure));
    }
    let mut queue = lowering.queue();
    while let Some(plan) = queue.next() {
        let unit = lowering.lower(plan);
        queue.add(&unit);
        asked.add(terms, unit, reduction);
    }
    Ok(asked)
}

impl Asked {
    /// Units that call nobody.
    pub fn plain(terms: &Terms, units: Vec<LoweredUnit>, reduction: &ReduceOptions) -> Asked {
        let mut asked = Asked::default();
        for unit in units {
            asked.add(terms, unit, reduction);
        }
        asked
    }

    fn add(&mut self, terms: &Terms, unit: LoweredUnit, reduction: &ReduceOptions) {
        let number = self.units.len();
        let ends = call_ends(terms, &unit.graph, &self.markers);
        let Reduced { graph, back } = match unit.graph.has_premises() {
            // Reductions leave premises out.
            true => Reduced {
                graph: unit.graph.clone(),
                back: Box::new(Compose { steps: Vec::new() }),
            },
            false => reduce_around(terms, &unit.graph, reduction, &ends),
        };
        let mut formal = BTreeSet::new();
        let mut left: BTreeMap<LocationId, LocationId> = BTreeMap::new();
        for error in graph.errors() {
            let location = back.location(error);
            if unit.obligations.contains_key(&location) {
                left.insert(location, error);
            } else {
                formal.insert(error);
            }
        }
        for (location, obligation) in &unit.obligations {
            self.obligations.push(Asserted {
                unit: number,
                location: left.get(location).copied(),
                text: obligation.text.clone(),
                origin: obligation.origin,
            });
        }
        self.graphs.push(graph);
        self.formal.push(formal);
        self.units.push(unit);
    }

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

    /// The obligations of all units.
    pub fn obligations(&self) -> &[Asserted] {
        &self.obligations
    }

    /// The background facts of all units.
    pub fn axioms(&self) -> Vec<Term> {
        let all = self.graphs.iter().flat_map(|graph| &graph.axioms);
        let all: indexmap::IndexSet<Term> = all.copied().collect();
        all.into_iter().collect()
    }

    /// What contracts for these units are kept under.
    pub fn key(&self, terms: &Terms) -> Key {
        let signatures = self.signatures.values();
        let symbols: Vec<Term> = signatures
            .map(|(signature, _, _)| terms.apply(&signature.returned, &signature.all()))
            .collect();
        let graphs = self.units.iter().map(|unit| &unit.graph);
        digest::of_graphs(terms, graphs, &symbols)
    }

    /// Contracts that are kept; `None` if there are none. They are as good as anybody's: claims that are to be proved.
    fn recalled(
        &self,
        terms: &Terms,
        store: &Store,
        key: &Key,
        control: &Control,
    ) -> Result<Option<BTreeMap<hir::ProcedureId, InferredContract>>, Corrupt> {
        let Some(text) = store.load(key)? else {
            return Ok(None);
        };
        let signatures: Vec<(&hir::ProcedureId, &Signature)> = self
            .signatures
            .iter()
            .map(|(id, (signature, _, _))| (id, signature))
            .collect();
        // What a precondition may speak about is a part of what a postcondition may.
        let mut variables = Vec::new();
        let mut meaning = Vec::new();
        for (number, (_, signature)) in signatures.iter().enumerate() {
            let all = signature.all();
            let places = all.iter().enumerate();
            let places: HashMap<Term, Term> = places
                .map(|(i, &term)| (place(terms, number, i, term), term))
                .collect();
            for (i, &term) in all.iter().enumerate() {
                let name = Arc::from(format!("{number}.{i}"));
                variables.push((name, terms.sort(term).clone()));
            }
            meaning.push(places);
        }
        let graphs = self.units.iter().map(|unit| &unit.graph);
        let scope = Scope::of_graphs(terms, graphs).with_variables(variables);
        let read = formulas::read(terms, &scope, &text, control)?;
        let misfit = || Corrupt("the contracts are those of other procedures".into());
        if read.len() != 2 * signatures.len() {
            return Err(misfit());
        }
        let mut contracts = BTreeMap::new();
        for ((pair, places), (id, signature)) in read.chunks(2).zip(&meaning).zip(signatures) {
            let &[requires, ensures] = pair else {
                return Err(misfit());
            };
            let allowed = |formula, variables: &[Term]| {
                let free = terms.free_vars(&[formula]);
                free.iter().all(|variable| variables.contains(variable))
            };
            let contract = InferredContract {
                signature: signature.clone(),
                requires: terms.substitute(requires, places),
                ensures: terms.substitute(ensures, places),
            };
            // Nothing is asked of those who call an entry: a run may start there in any state.
            let fits = allowed(contract.requires, &signature.inputs())
                && allowed(contract.ensures, &signature.all())
                && (!signature.entry || contract.requires == terms.tt());
            if !fits {
                return Err(misfit());
            }
            contracts.insert(*id, contract);
        }
        Ok(Some(contracts))
    }

    /// Contracts that exclude as many violations as possible; `None` if there is no answer.
    pub(super) fn solve(
        &self,
        terms: &Terms,
        control: &Control,
        stats: &mut Statistics,
    ) -> Option<BTreeMap<hir::ProcedureId, InferredContract>> {
        let axioms = self.axioms();
        let mut except = BTreeSet::new();
        // Neither way is always the better one. Both have a short try first; then the one with
        // the better chances has most of the time.
        let mut turns = [
            (Tuning::Plain, Some(SHORT_TRY)),
            (Tuning::Local, Some(SHORT_TRY)),
            (Tuning::Plain, None),
            (Tuning::Local, None),
        ]
        .into_iter();
        let time = |limit: Option<Duration>| {
            let left = control.remaining().map_or(HORN_LIMIT, |left| left * 3 / 4);
            limit.unwrap_or(left.min(HORN_LIMIT))
        };
        let mut turn = turns.next()?;
        let mut deadline = Instant::now() + time(turn.1);
        loop {
            control.check().ok()?;
            let joined = self.clauses(terms, &except)?;
            let limit = deadline.saturating_duration_since(Instant::now());
            // What earlier turns left behind would make a difference.
            let session = Session::new(terms, &axioms, control);
            let solved = joined.clauses.solve(&session, turn.0, Some(limit));
            session.take_calls(stats);
            match solved {
                Solved::Solution(formulas) => {
                    if let Some(contracts) = self.contracts(&session, &formulas) {
                        return Some(contracts);
                    }
                }
                Solved::GaveUp(_) => {}
                Solved::Derivable { trace, .. } => {
                    stats.paths += 1;
                    // The violation is believed, so that the others can be excluded.
                    let violated = trace
                        .into_iter()
                        .flatten()
                        .find_map(|number| self.violated(joined.sources.get(number).copied()?));
                    match violated {
                        Some(violated) if except.insert(violated) => continue,
                        Some(_) => return None,
                        // The trace is complete only where nothing was inlined.
                        None if turn.0 == Tuning::Plain => return None,
                        None => {}
                    }
                }
            }
            turn = turns.next()?;
            deadline = Instant::now() + time(turn.1);
        }
    }

    /// The obligation whose violation an edge is.
    fn violated(
        &self,
        (number, edge): ult_engine::horn::procedures::Source,
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

/// Infers contracts of recursive procedures and verifies all units with them. What is wrong with those that are kept is
/// added to the notices.
pub fn infer(
    program: &hir::Program,
    settings: &Settings,
    source: &Source,
    control: &Control,
    stats: &mut Statistics,
    notices: &mut Vec<Diagnostic>,
) -> Inferred {
    let reading = ult_lower::Options {
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
    let settings = &Settings {
        reading,
        ..settings.clone()
    };
    let kept = settings
        .kept
        .as_ref()
        .map(|store| (store, asked.key(&terms)));
    let is_kept_only = settings.verify.method == Method::Kept;
    let mut refused = None;
    if let Some((store, key)) = kept.filter(|_| !settings.verify.common.record) {
        match asked.recalled(&terms, store, &key, control) {
            Ok(None) => {}
            Ok(Some(contracts)) => {
                // The rest is for looking for others, if these are worth nothing.
                let share = control.remaining().map(|left| left / 2);
                let limited = control.within(share);
                let found = verified(
                    &terms, program, contracts, settings, source, &limited, stats,
                );
                if found.complete {
                    stats.reused += 1;
                }
                if found.complete || is_kept_only {
                    return found.inferred;
                }
                refused = Some("the contracts do not prove everything".to_owned());
            }
            Err(damage) => refused = Some(damage.to_string()),
        }
    }
    if is_kept_only {
        return Vec::new();
    }
    // The rest is for the proofs.
    let share = control.remaining().map(|left| left * 3 / 4);
    let contracts = asked.solve(&terms, &control.within(share), stats);
    let found = match &contracts {
        Some(contracts) => verified(
            &terms,
            program,
            contracts.clone(),
            settings,
            source,
            control,
            stats,
        ),
        None => Verified::default(),
    };
    if let Some((store, key)) = kept {
        if let Some(why) = &refused {
            store.forget(&key);
            notices.push(proof_cache::dropped("inferred contracts", why));
        }
        if let Some(contracts) = contracts.filter(|_| found.complete)
            && let Some(text) = written(&terms, &contracts)
        {
            match store.save(&key, &text) {
                Some(notice) => notices.push(proof_cache::unwritable(&notice)),
                None => stats.kept += 1,
            }
        }
    }
    found.inferred
}

/// The contracts as a text, over numbered variables; `None` if they have none.
fn written(
    terms: &Terms,
    contracts: &BTreeMap<hir::ProcedureId, InferredContract>,
) -> Option<String> {
    let mut formulas = Vec::new();
    for (number, contract) in contracts.values().enumerate() {
        let all = contract.signature.all();
        let places: HashMap<Term, Term> = all
            .iter()
            .enumerate()
            .map(|(i, &term)| (term, place(terms, number, i, term)))
            .collect();
        formulas.push(terms.substitute(contract.requires, &places));
        formulas.push(terms.substitute(contract.ensures, &places));
    }
    formulas::write(terms, &formulas)
}

/// What a variable of a signature is called in a text.
fn place(terms: &Terms, signature: usize, position: usize, variable: Term) -> Term {
    let name = format!("{signature}.{position}");
    terms.current(name, terms.sort(variable).clone())
}

/// What came out with contracts.
#[derive(Default)]
struct Verified {
    /// The attempts that count.
    inferred: Inferred,
    /// Whether they are about all units, and all is proved: no other contracts could do better.
    complete: bool,
}

/// A contract with the names of the program.
pub(super) fn contract_report(terms: &Terms, contract: &InferredContract) -> ContractReport {
    let is_old = |var: &Var| {
        let name = var.name.strip_prefix("old.")?.to_owned();
        let before = contract.signature.before.iter();
        let mut before = before.filter_map(|(_, term)| terms.as_var(*term));
        before.any(|old| old == var).then_some(name)
    };
    let name = |var: &Var| match is_old(var) {
        Some(global) => format!("old({global})"),
        None => var.name.to_string(),
    };
    // In a precondition there is no other state.
    let plain = |var: &Var| is_old(var).unwrap_or_else(|| var.name.to_string());
    ContractReport {
        requires: printed(terms, contract.requires, None, &plain),
        ensures: printed(terms, contract.ensures, None, &name),
    }
}

/// Verifies all units with contracts that somebody claims.
fn verified(
    terms: &Terms,
    program: &hir::Program,
    contracts: BTreeMap<hir::ProcedureId, InferredContract>,
    settings: &Settings,
    source: &Source,
    control: &Control,
    stats: &mut Statistics,
) -> Verified {
    let plain = contracts
        .values()
        .all(|contract| *terms.op(contract.requires) == Op::Bool(true));
    let Ok(lowering) = Lowering::new(terms, program, settings.reading.clone()) else {
        return Verified::default();
    };
    let mut told: BTreeMap<hir::ProcedureId, ContractReport> = contracts
        .iter()
        .map(|(&id, contract)| (id, contract_report(terms, contract)))
        .collect();
    let lowering = lowering.with_summaries(Summaries::Inferred(contracts));
    let mut attempts: Vec<(UnitPlan, Arc<str>, Attempt)> = Vec::new();
    let mut queue = lowering.queue();
    let mut waiting: Vec<UnitPlan> = queue.by_ref().collect();
    while let Some(plan) = waiting.pop() {
        if control.check().is_err() {
            return Verified::default();
        }
        let left = u32::try_from(waiting.len() + 1).unwrap_or(u32::MAX);
        let share = control.remaining().map(|time| time / left);
        let unit = lowering.lower(plan);
        queue.add(&unit);
        waiting.extend(queue.by_ref());
        let mut found = attempt(
            terms,
            &unit,
            source,
            settings,
            &control.within(share),
            // These verdicts count only together.
            &mut |_| (),
        );
        stats.add(&std::mem::take(&mut found.statistics));
        let with_body = |name: &Arc<str>| {
            unit.relies_on
                .iter()
                .filter_map(|id| program.procedures.get(id.index()))
                .any(|procedure| *procedure.name == **name)
        };
        found.contracts.retain(with_body);
        found.contract = told.remove(&plan.procedure);
        attempts.push((plan, unit.graph.name.clone(), found));
    }
    let units = attempts.len();
    let inferred = accepted(attempts, plain);
    let proved = |(_, attempt): &(UnitPlan, Attempt)| {
        let mut findings = attempt.findings.values();
        findings.all(|finding| matches!(finding, Finding::Safe(_)))
    };
    Verified {
        complete: inferred.len() == units && inferred.iter().all(proved),
        inferred,
    }
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
                        ObligationKind::Ensures
                            | ObligationKind::Unsupported { .. }
                            | ObligationKind::Inferred { .. }
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
            && attempt.findings.iter().all(|(key, finding)| {
                !matches!(key.kind, ObligationKind::Inferred { .. }) || is_safe(finding)
            })
    };
    if !plain && !attempts.iter().all(counts) {
        return Vec::new();
    }
    attempts
        .into_iter()
        .filter(counts)
        .map(|(plan, name, mut attempt)| {
            if !kept.contains(&name) {
                attempt.contract = None;
            }
            // Nobody wrote these obligations, and everything the proofs rely on is proved.
            attempt
                .findings
                .retain(|key, _| !matches!(key.kind, ObligationKind::Inferred { .. }));
            attempt.contracts.clear();
            (plan, attempt)
        })
        .collect()
}

#[cfg(test)]
mod tests;
