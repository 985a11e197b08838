//! The checker of one graph, with the solvers that it asks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::cut::Cuts;
use super::decide::{Claims, Tell, confirmed, confirmed_runs, known_by_runs};
use super::explored;
use super::lattice::{Knowledge, Status};
use super::proof::examine;
use super::prover::{Effort, Options, Provers};
use super::region::require_cut_cycles;
use super::run::Replay;
use super::vacuity::{self, Contradiction, Hints};
use super::verdict::{Proof, Verdict};
use super::wellformed::Examiner;
use crate::limits;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Relevance};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Judges claims about one unreduced graph.
///
/// It has solver sessions of its own, made when the first question is asked and kept for all that
/// follow; nobody else gets at them.
pub struct Checker<'p> {
    terms: &'p Terms,
    graph: &'p ProgramGraph,
    control: Control,
    options: Options,
    /// Which axioms matter.
    relevance: Relevance,
    /// Whether the others contradict each other, once somebody asked.
    is_vacuous: Option<bool>,
    /// Whether the graph is what it should be, once somebody asked.
    well_formed: Option<Result<(), Reason>>,
    /// Under the axioms that matter.
    provers: Provers<'p>,
    /// Under none: whether they are true of a run is one of the questions.
    plain: Provers<'p>,
    replay: Replay<'p>,
}

impl<'p> Checker<'p> {
    /// A checker that works as the options say, until `control` stops it.
    pub fn new(
        terms: &'p Terms,
        graph: &'p ProgramGraph,
        control: &Control,
        options: &Options,
    ) -> Checker<'p> {
        let relevance = graph.relevance(terms);
        Checker {
            terms,
            graph,
            control: control.clone(),
            options: options.clone(),
            provers: Provers::of_solvers(terms, &relevance.near, control, options),
            plain: Provers::of_solvers(terms, &[], control, options),
            replay: Replay::new(terms, graph),
            well_formed: None,
            relevance,
            is_vacuous: None,
        }
    }

    /// Which axioms proofs need: those that matter to the edges. All do if the others contradict each other,
    /// since anything follows from these.
    ///
    /// That proofs assume fewer axioms makes none of them wrong. A run has to be one under all of them.
    pub fn relevance(&mut self, stats: &mut Statistics) -> Relevance {
        if self.is_vacuous.is_none() && !self.relevance.far.is_empty() {
            let start = Instant::now();
            self.provers.set_effort(for_warnings());
            let is_vacuous = self.provers.refute(&self.relevance.far).is_ok();
            self.is_vacuous = Some(is_vacuous);
            if is_vacuous {
                self.relevance = Relevance {
                    near: self.graph.axioms.clone(),
                    far: Vec::new(),
                };
                self.provers.take_calls(stats);
                let near = &self.relevance.near;
                self.provers = Provers::of_solvers(self.terms, near, &self.control, &self.options);
            }
            self.count(start, stats);
        }
        self.relevance.clone()
    }

    /// A verdict for every error location of the graph, and for nothing else.
    ///
    /// A claim that is not confirmed costs nobody else's verdict. When the run is stopped, what is
    /// not yet confirmed becomes UNKNOWN. If a location turns out both reachable and excluded,
    /// then the checker, the solver or the graph is wrong, and nothing that depends on either
    /// claim is said.
    pub fn decide(
        &mut self,
        claims: &Claims,
        stats: &mut Statistics,
    ) -> BTreeMap<LocationId, Verdict> {
        self.learn(claims, stats, &mut |_| ()).verdicts()
    }

    /// As [`Checker::decide`], in a form that can be merged with what other claims lead to.
    ///
    /// What is confirmed is told at once, since a question about another claim may take for ever. All of it is in the
    /// result as well.
    pub fn learn(
        &mut self,
        claims: &Claims,
        stats: &mut Statistics,
        tell: &mut Tell<'_>,
    ) -> Knowledge<'p> {
        let graph = self.graph;
        if let Err(reason) = self.well_formed() {
            return Knowledge::open(graph, &reason);
        }
        let start = Instant::now();
        self.provers.set_effort(Effort {
            limit: self.options.query_limit,
            ..Effort::default()
        });
        let knowledge = confirmed(
            self.terms,
            graph,
            claims,
            (&mut self.replay, &mut self.plain),
            &mut self.provers,
            tell,
        );
        self.count(start, stats);
        knowledge
    }

    /// As [`Checker::learn`] of runs, and why others were not found, but without a word about error locations that neither is
    /// about: for those who have more to claim about these, and many runs.
    pub fn learn_runs(
        &mut self,
        runs: BTreeMap<LocationId, Run>,
        undecided: &BTreeMap<LocationId, Reason>,
        stats: &mut Statistics,
        tell: &mut Tell<'_>,
    ) -> Knowledge<'p> {
        if let Err(reason) = self.well_formed() {
            return Knowledge::open(self.graph, &reason);
        }
        let start = Instant::now();
        let runs = confirmed_runs(runs, &mut self.replay, &mut self.plain, tell);
        self.count(start, stats);
        known_by_runs(self.graph, runs, undecided)
    }

    /// Whether the graph is what it should be; else nothing is said about it.
    fn well_formed(&mut self) -> Result<(), Reason> {
        let (terms, graph) = (self.terms, self.graph);
        let examined = || {
            guarded(|| {
                Examiner::new(terms, graph)
                    .graph()
                    .map_err(Reason::Internal)
            })
        };
        self.well_formed.get_or_insert_with(examined).clone()
    }

    /// What follows at once from what the graph says itself: which error locations no run gets to, with
    /// nothing claimed but that. `None` if there is a loop without a marked head.
    ///
    /// This is the question of deductive verifiers, where loops were replaced by what their invariants say, or that is assumed
    /// behind their heads.
    /// Quantified formulas are instantiated by their triggers alone, and half of the time is left to others. What
    /// has no answer in time is open for the weakest of reasons. What is excluded is told at once.
    pub fn deduce(&mut self, stats: &mut Statistics, tell: &mut Tell<'_>) -> Option<Knowledge<'p>> {
        let (terms, graph) = (self.terms, self.graph);
        self.well_formed().ok()?;
        let start = Instant::now();
        let time = self.control.remaining().map(|left| left / 2);
        let claim = Invariants::stated(terms, graph);
        let has_loops = !claim.at.is_empty();
        let most = if has_loops {
            limits::STATED
        } else {
            limits::DEDUCTION
        };
        self.provers.set_effort(Effort {
            limit: self.options.query_limit,
            until: start.checked_add(most.min(time.unwrap_or(Duration::MAX))),
            by_triggers: true,
        });
        let examined = examine(terms, graph, &claim, &mut self.provers, tell);
        self.count(start, stats);
        let examined = examined.ok()?;
        let mut knowledge = Knowledge::new(graph);
        for error in graph.errors() {
            let known = match examined.doubtful.get(&error) {
                None if examined.proof.excluded().contains(&error) => {
                    Status::Safe(examined.proof.clone())
                }
                Some(Reason::SolverUnknown(why)) if !is_over(why) && !has_loops => {
                    let why = "all instances of quantifiers that triggers ask for leave it open";
                    Status::Open(Reason::NotProved(why.into()))
                }
                // There is a run, and nobody can tell it.
                Some(Reason::ProofRejected(_)) if !has_loops && graph.has_sequences(terms) => {
                    let why = "runs with sequences, strings or regular languages are not reported";
                    Status::Open(Reason::NotProved(why.into()))
                }
                _ => Status::Open(Reason::Incomplete("there was no time for a proof".into())),
            };
            knowledge.add(error, known);
        }
        Some(knowledge)
    }

    /// What following all traces shows, without a solver, for as long as they are few: of programs that need little input. `None`
    /// if it shows nothing.
    pub fn follow(&mut self, stats: &mut Statistics) -> Option<Knowledge<'p>> {
        let (terms, graph) = (self.terms, self.graph);
        self.well_formed().ok()?;
        let start = Instant::now();
        self.provers.set_effort(Effort::default());
        let claim = Invariants::explored(terms, graph);
        let errors = claim.arguments.keys().copied().collect();
        let doubtful = Cuts::new(terms, graph, &claim).ok().and_then(|cuts| {
            require_cut_cycles(graph, &cuts).ok()?;
            explored::not_excluded(terms, graph, &cuts, &errors, limits::FAR, &self.provers).ok()
        });
        self.count(start, stats);
        let doubtful = doubtful?;
        let excluded: BTreeSet<LocationId> = errors
            .into_iter()
            .filter(|error| !doubtful.contains_key(error))
            .collect();
        if excluded.is_empty() {
            return None;
        }
        let proof = Proof::new(claim.at, excluded, claim.arguments, Vec::new());
        let why = Reason::Incomplete("traces were not followed to their ends".into());
        let safe = proof.excluded().iter();
        let safe = safe.map(|&error| (error, Status::Safe(proof.clone())));
        let open = doubtful.into_keys();
        let open = open.map(|error| (error, Status::Open(why.clone())));
        Some(Knowledge::of(graph, safe.chain(open)))
    }

    /// Whether the axioms, or the axioms and the assumptions that every run starts with,
    /// contradict each other. `None` means that no contradiction was found.
    ///
    /// The assumptions at the start are the formulas of the edges from the initial location on,
    /// as long as there is one way to go and no variable changes.
    pub fn contradictory_assumptions(&mut self, stats: &mut Statistics) -> Option<Contradiction> {
        let (terms, graph) = (self.terms, self.graph);
        if self.options.no_warnings {
            return None;
        }
        self.well_formed().ok()?;
        let start = Instant::now();
        self.provers.set_effort(for_warnings());
        let found = vacuity::contradiction(terms, graph, &mut self.provers);
        self.count(start, stats);
        found
    }

    /// Error locations whose assertions no run gets to: with the confirmed invariants, none of
    /// the locations with an edge into them is reachable. The search stops soon, and when the run does;
    /// what was found is returned.
    pub fn unreachable_assertions(
        &mut self,
        proof: &Proof,
        stats: &mut Statistics,
    ) -> Vec<LocationId> {
        let (terms, graph) = (self.terms, self.graph);
        if self.options.no_warnings || self.well_formed().is_err() {
            return Vec::new();
        }
        let start = Instant::now();
        self.provers.set_effort(for_warnings());
        let hints = Hints::new(terms, &graph.axioms, &self.control);
        let found = vacuity::unreachable(terms, graph, proof, &hints, &mut self.provers);
        hints.take_calls(stats);
        self.count(start, stats);
        found
    }

    /// The numbers of the places, each with its edges, that no trace passes although some may get there, with the confirmed
    /// invariants. The search stops soon, and when the run does; what was found is returned.
    pub fn never_passed(
        &mut self,
        proof: &Proof,
        places: &[Vec<EdgeId>],
        stats: &mut Statistics,
    ) -> Vec<usize> {
        let (terms, graph) = (self.terms, self.graph);
        if places.is_empty() || self.options.no_warnings || self.well_formed().is_err() {
            return Vec::new();
        }
        let start = Instant::now();
        self.provers.set_effort(for_warnings());
        let hints = Hints::new(terms, &graph.axioms, &self.control);
        let found = vacuity::never_passed(terms, graph, proof, places, &hints, &mut self.provers);
        hints.take_calls(stats);
        self.count(start, stats);
        found
    }

    /// Counts what was done since `start`.
    fn count(&mut self, start: Instant, stats: &mut Statistics) {
        self.provers.take_calls(stats);
        self.plain.take_calls(stats);
        stats.check_time += start.elapsed();
    }
}

/// Whether a question was given up for lack of time.
fn is_over(why: &str) -> bool {
    why.starts_with(ult_smt::OVER)
}

/// Nobody waits long for a warning, and models of axioms are not looked for.
fn for_warnings() -> Effort {
    Effort {
        limit: Some(limits::WARNING),
        until: Instant::now().checked_add(limits::WARNINGS),
        by_triggers: true,
    }
}
