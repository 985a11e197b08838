//! One program graph, from reduction to verdicts.
//!
//! [`verify_unit`] is the way through the house for a single graph: reduce it, let an engine find
//! evidence, take the evidence back to the graph as it was, and let the checker decide. Whoever
//! builds a program graph by hand calls it and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use petgraph::algo::is_cyclic_directed;

use crate::deductive;
use crate::execute::{self, DeterministicEnd};
use crate::invariants::Facts;
use crate::polyhedra;
use crate::portfolio::{Deterministic, Features, Judged, Plan};
use crate::record::Record;
use crate::task::{all_undecided, original_locations};
use crate::{Common, EngineKind, Outcome, Task, limits};
use ult_check::{self as check, Checker, Claims, Knowledge, Tell, Verdict};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_reduce::{Blocks, ReduceOptions, Reduced, reduce};

/// The independent choices: block encoding, engine, interpolation, and how the checker works.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which reductions come first.
    pub reduce: ReduceOptions,
    /// Who works on the graph.
    pub method: Method,
    /// Who takes no part in the portfolio.
    pub without: Vec<EngineKind>,
    /// What all engines have to be told.
    pub common: Common,
    /// How the checker works.
    pub check: check::Options,
    /// Where the checker has tried to prove all by itself, how long others may look for what it left open, if that took
    /// no longer; `None` leaves only the limit of the run.
    pub after_deduction: Option<Duration>,
}

/// Who works on a graph; as text, the value of `--engine`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Several engines, see [`Plan`].
    #[default]
    Portfolio,
    /// One engine alone.
    Engine(EngineKind),
    /// Traces are followed as long as they are few, and no engine searches.
    Traces,
    /// Nothing is looked for: what is known has to be enough, with what follows at once.
    Kept,
}

impl Settings {
    /// Sets who works on the graph, unless nothing is to be looked for.
    pub fn search_by(&mut self, method: Method) {
        if self.method != Method::Kept {
            self.method = method;
        }
    }

    /// Whether an engine may take part in a portfolio.
    fn is_welcome(&self, kind: EngineKind) -> bool {
        self.method == Method::Portfolio && !self.without.contains(&kind)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Portfolio => f.write_str("portfolio"),
            Method::Engine(kind) => kind.fmt(f),
            Method::Traces => f.write_str("traces"),
            Method::Kept => f.write_str("kept"),
        }
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Method, String> {
        match text {
            "portfolio" => Ok(Method::Portfolio),
            engine => engine.parse().map(Method::Engine),
        }
    }
}

/// What little is reduced for engines that do not look at the result.
const PRUNED: ReduceOptions = ReduceOptions {
    blocks: Blocks::None,
    constants: false,
    dead: false,
};

/// A verdict for every error location of the graph. A graph without any needs no engine, and gets
/// no verdict.
///
/// Never panics: a panic on the way is [`Reason::Internal`] for what it kept from being decided.
pub fn verify_unit(
    terms: &Terms,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> BTreeMap<LocationId, Verdict> {
    let mut checker = Checker::new(terms, graph, control, &settings.check);
    let mut log = VerificationLog::default();
    verify_by(
        &mut checker,
        Knowledge::new(graph),
        terms,
        graph,
        settings,
        control,
        stats,
        &mut log,
    )
}

/// Whether nothing has to be found for a proof about the graph, since the checker asks at once whether its error locations
/// are excluded.
pub fn follows_at_once(terms: &Terms, graph: &ProgramGraph, settings: &Settings) -> bool {
    settings.is_welcome(EngineKind::Deductive) && deductive::suits(terms, graph)
}

/// How a graph was decided, for those who want to see it.
#[derive(Default)]
pub struct VerificationLog<'l> {
    /// The graph as engines got it, with the way back.
    pub reduced: Option<Reduced>,
    /// Who worked on it, if that was not said by the settings.
    pub plan: Option<Plan>,
    /// The engines that were heard, in that order.
    pub results: Vec<EngineResult>,
    /// Who hears of verdicts while the work goes on.
    pub listener: Option<Listener<'l>>,
}

type Hear<'l> = dyn FnMut(&BTreeMap<LocationId, Verdict>) + 'l;

/// Hears what is known so far, whenever something more is decided: all verdicts that there are. That some are missing or
/// UNKNOWN says nothing yet; SAFE and UNSAFE stay, unless there is a bug.
pub struct Listener<'l> {
    hear: Box<Hear<'l>>,
    /// How many error locations were decided when it was told last.
    decided: usize,
    /// When it was told of something for the first time, and what time telling has taken since.
    since: Option<Instant>,
    spent: Duration,
}

impl<'l> Listener<'l> {
    /// Where many verdicts come one by one it is told of several at once, so that telling takes little of the time.
    pub fn new(hear: impl FnMut(&BTreeMap<LocationId, Verdict>) + 'l) -> Listener<'l> {
        Listener {
            hear: Box::new(hear),
            decided: 0,
            since: None,
            spent: Duration::ZERO,
        }
    }

    /// Whether so far telling has taken less than a tenth of the time.
    fn is_due(&self) -> bool {
        self.since
            .is_none_or(|since| self.spent * 10 <= since.elapsed())
    }

    fn tell(&mut self, knowledge: &Knowledge<'_>) {
        let start = Instant::now();
        let decided = knowledge.decided().len();
        if decided == self.decided {
            return;
        }
        self.decided = decided;
        (self.hear)(&knowledge.verdicts());
        self.since.get_or_insert(start);
        self.spent += start.elapsed();
    }
}

/// An engine whose outcome was judged.
pub struct EngineResult {
    /// The engine.
    pub kind: EngineKind,
    /// How many error locations its claim decided.
    pub decided: u64,
    /// What it recorded.
    pub records: Vec<Record>,
}

/// As [`verify_unit`], with the checker to use: one of the same graph, made with the same settings
/// and the same control. What is known about the graph before is not looked for again. How the graph was decided is put
/// into `log`.
#[allow(clippy::too_many_arguments)]
pub fn verify_by<'g>(
    checker: &mut Checker<'g>,
    known: Knowledge<'g>,
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
    log: &mut VerificationLog<'_>,
) -> BTreeMap<LocationId, Verdict> {
    let count = |stats: &mut Statistics| {
        stats.locations += graph.graph.node_count() as u64;
        stats.edges += graph.graph.edge_count() as u64;
    };
    count(stats);
    control.meter().count(count);
    if graph.errors().next().is_none() {
        return BTreeMap::new();
    }
    let relevance = checker.relevance(stats);
    let pruned = (!relevance.far.is_empty()).then(|| ProgramGraph {
        axioms: relevance.near,
        ..graph.clone()
    });
    let mut verification = Verification {
        terms,
        graph,
        pruned: pruned.as_ref().unwrap_or(graph),
        irrelevant: (terms.functions(&relevance.far).iter())
            .map(|function| function.name.clone())
            .collect(),
        checker,
        violations: known.violations() as u64,
        knowledge: known,
        results: Vec::new(),
        listener: log.listener.take(),
    };
    if let Err(reason) = guarded(|| {
        verification.work(settings, control, stats, log);
        Ok(())
    }) {
        verification.judge(nothing_but(graph, &reason), stats);
    }
    log.results = verification.results;
    verification.knowledge.verdicts()
}

/// A graph on its way to verdicts.
struct Verification<'c, 'p, 'l> {
    terms: &'c Terms,
    graph: &'c ProgramGraph,
    /// With the axioms that matter.
    pruned: &'c ProgramGraph,
    /// The symbols of the others.
    irrelevant: BTreeSet<Arc<str>>,
    checker: &'c mut Checker<'p>,
    /// About each error location once something was judged.
    knowledge: Knowledge<'c>,
    /// The error locations that runs were known to reach when an engine was heard last.
    violations: u64,
    /// Engines with their records.
    results: Vec<EngineResult>,
    listener: Option<Listener<'l>>,
}

impl<'p> Verification<'_, 'p, '_> {
    /// Reduces the graph, lets engines work on it, and judges what they claim.
    fn work(
        &mut self,
        settings: &Settings,
        control: &Control,
        stats: &mut Statistics,
        log: &mut VerificationLog<'_>,
    ) {
        let (terms, graph) = (self.terms, self.pruned);
        if self.open() == 0 {
            return;
        }
        if let Err(stop) = control.check() {
            self.judge(nothing_but(graph, &stop.into()), stats);
            return;
        }
        if settings.method == Method::Kept {
            self.by_deduction(stats);
            let reason = Reason::NotProved("no evidence that is kept proves it".into());
            self.judge(nothing_but(graph, &reason), stats);
            return;
        }
        let mut deterministic = Deterministic::Choice;
        let mut control = control.clone();
        if settings.method == Method::Traces {
            deterministic = self.by_execution(&control, stats);
            self.by_traces(deterministic, settings, &control, stats);
            return;
        }
        if settings.method == Method::Portfolio {
            let start = Instant::now();
            let deduced = settings.is_welcome(EngineKind::Deductive) && self.by_deduction(stats);
            if self.open() == 0 {
                return;
            }
            if let Some(time) = settings.after_deduction.filter(|_| deduced) {
                control = control.within(Some(time.max(start.elapsed())));
            }
            let control = &control;
            // Traces without branches lead nowhere in a graph whose traces are trees.
            let is_tree = graph.has_premises();
            let is_large = graph.graph.edge_count() >= limits::LARGE;
            if !is_tree && settings.is_welcome(EngineKind::Execution) {
                deterministic = self.by_execution(control, stats);
                // Nobody reads the invariants of a large graph. In a small one, somebody may find one.
                let is_long = deterministic == Deterministic::Long;
                if self.open() > 0 && is_large && !is_long {
                    self.by_traces(deterministic, settings, control, stats);
                }
            }
            if self.open() > 0 && is_large && settings.is_welcome(EngineKind::Intervals) {
                self.by_engine(EngineKind::Intervals, settings, control, stats);
            }
            let relates = is_large && polyhedra::suits(graph);
            if self.open() > 0 && relates && settings.is_welcome(EngineKind::Polyhedra) {
                let control = &control.within(Some(limits::POLYHEDRA));
                self.by_engine(EngineKind::Polyhedra, settings, control, stats);
            }
            if self.open() == 0 {
                return;
            }
        }
        let control = &control;
        let undecided = self.without_decided();
        let graph = undecided.as_ref().unwrap_or(graph);
        let start = Instant::now();
        let reduction = match settings.method {
            Method::Engine(kind) if !kind.reads_reduced() => &PRUNED,
            _ => &settings.reduce,
        };
        let reduced = &*log.reduced.insert(reduce(terms, graph, reduction));
        let count = |stats: &mut Statistics| {
            stats.reduce_time += start.elapsed();
            stats.reduced_locations += reduced.graph.graph.node_count() as u64;
            stats.reduced_edges += reduced.graph.graph.edge_count() as u64;
        };
        count(stats);
        control.meter().count(count);
        let places = original_locations(reduced);
        let task = Task {
            terms,
            graph: &reduced.graph,
            original: graph,
            places: &places,
            control: &control.with_reserve(),
            facts: &Facts::default(),
        };
        let start = Instant::now();
        let mut checking = Duration::ZERO;
        match settings.method {
            Method::Traces | Method::Kept => {}
            Method::Engine(kind) => {
                let _at_work = control.meter().begins(kind.name());
                let mut outcome = kind.engine(&settings.common).run(&task, stats);
                stats.engine_time += start.elapsed();
                stats.engine(kind.name(), start.elapsed());
                self.hear_reduced(kind, reduced, &mut outcome, stats);
            }
            Method::Portfolio => {
                let plan = Plan::new(Features {
                    trees: graph.has_premises(),
                    ..Features::of(terms, task.graph, deterministic)
                });
                let plan = &*log.plan.insert(plan.without(&settings.without));
                plan.run(
                    &task,
                    &settings.common,
                    stats,
                    &mut |kind, outcome, stats| {
                        let start = Instant::now();
                        let judged = self.hear_reduced(kind, reduced, outcome, stats);
                        checking += start.elapsed();
                        judged
                    },
                );
                if plan.members.is_empty() {
                    let reason = Reason::Incomplete("no engine takes part".into());
                    self.judge(nothing_but(graph, &reason), stats);
                }
                stats.engine_time += start.elapsed().saturating_sub(checking);
            }
        }
        // The engines' time is over before that of the run is.
        if let Err(stop) = task.control.check() {
            self.knowledge.stop(&stop.into());
        }
    }

    /// What the deterministic run decides. Tells what it is like.
    fn by_execution(&mut self, control: &Control, stats: &mut Statistics) -> Deterministic {
        let kind = EngineKind::Execution;
        let end = self.unreduced(kind, control, stats, execute::run_deterministic);
        if let DeterministicEnd::Violated(error, run) = end {
            let others = self.graph.errors().filter(|&other| other != error);
            let reason = Reason::Incomplete("execution ended elsewhere".into());
            let claims = Claims {
                runs: BTreeMap::from([(error, run)]),
                undecided: others.map(|other| (other, reason.clone())).collect(),
                ..Claims::default()
            };
            self.take_claims(kind, self.open(), claims, Vec::new(), stats);
            return Deterministic::Choice;
        }
        match end {
            DeterministicEnd::Long => Deterministic::Long,
            DeterministicEnd::Whole => Deterministic::Whole,
            DeterministicEnd::Over | DeterministicEnd::Violated(..) => Deterministic::Choice,
        }
    }

    /// What following all traces shows.
    fn by_traces(
        &mut self,
        deterministic: Deterministic,
        settings: &Settings,
        control: &Control,
        stats: &mut Statistics,
    ) {
        if self.open() == 0 {
            return;
        }
        let kind = EngineKind::Execution;
        // Where many steps repeat themselves, they need not be taken one by one.
        if deterministic == Deterministic::Long {
            return self.by_engine(kind, settings, control, stats);
        }
        let before = self.open();
        let news = guarded(|| Ok(self.asked(|checker, _| checker.follow(stats))));
        if let Ok(Some(news)) = news {
            self.knowledge.merge(news);
            self.record(kind, before, Vec::new(), stats);
        }
    }

    /// What the checker proves by itself where there are quantifiers, and loops say what they keep. Tells whether that was tried
    /// of a graph without loops, of which it says nearly all that can be said.
    fn by_deduction(&mut self, stats: &mut Statistics) -> bool {
        if !deductive::suits(self.terms, self.pruned) {
            return false;
        }
        let kind = EngineKind::Deductive;
        let (start, before) = (Instant::now(), self.open());
        let news = guarded(|| Ok(self.asked(|checker, tell| checker.deduce(stats, tell))));
        stats.engine(kind.name(), start.elapsed());
        if let Ok(Some(news)) = news {
            self.knowledge.merge(news);
            self.record(kind, before, Vec::new(), stats);
        }
        !is_cyclic_directed(&self.pruned.graph)
    }

    /// What an engine decides without a look at the whole program as one formula.
    fn by_engine(
        &mut self,
        kind: EngineKind,
        settings: &Settings,
        control: &Control,
        stats: &mut Statistics,
    ) {
        let engine = kind.engine(&settings.common);
        let outcome = self.unreduced(kind, control, stats, |task, stats| engine.run(task, stats));
        if outcome.original.undecided.len() < self.graph.errors().count() {
            self.take_claims(kind, self.open(), outcome.original, Vec::new(), stats);
        }
    }

    /// Lets an engine work on the graph as it is.
    fn unreduced<T>(
        &self,
        kind: EngineKind,
        control: &Control,
        stats: &mut Statistics,
        work: impl FnOnce(&Task<'_>, &mut Statistics) -> T,
    ) -> T {
        let (control, facts) = (control.with_reserve(), Facts::default());
        let _at_work = control.meter().begins(kind.name());
        let start = Instant::now();
        let result = work(
            &Task::of_graph(self.terms, self.pruned, &control, &facts),
            stats,
        );
        stats.engine_time += start.elapsed();
        stats.engine(kind.name(), start.elapsed());
        result
    }

    /// The graph with those error locations only that are not decided; `None` if that are all.
    fn without_decided(&self) -> Option<ProgramGraph> {
        let decided = self.knowledge.decided();
        if decided.is_empty() {
            return None;
        }
        let mut graph = self.pruned.clone();
        for location in decided {
            graph.graph[location].error = None;
        }
        Some(graph)
    }

    /// Judges the outcome of an engine on the reduced graph.
    fn hear_reduced(
        &mut self,
        kind: EngineKind,
        reduced: &Reduced,
        outcome: &mut Outcome,
        stats: &mut Statistics,
    ) -> Judged {
        if self.graph.has_premises() {
            // Its traces leave premises out.
            let why = "only the engine `horn` takes all premises of a step in";
            for (error, _) in std::mem::take(&mut outcome.runs) {
                let reason = Reason::Incomplete(why.into());
                outcome.undecided.insert(error, reason);
            }
        }
        let before = self.open();
        let judged = self.hear_runs(reduced, outcome, stats);
        let mut claims = taken_back(self.terms, reduced, outcome);
        // Nobody was asked about them any more.
        for decided in self.knowledge.decided().into_iter().chain(judged) {
            if let Some(invariants) = &mut claims.invariants {
                invariants.exempt.insert(decided);
            }
            let reason = || Reason::Incomplete("its obligation was decided before".into());
            claims.undecided.entry(decided).or_insert_with(reason);
        }
        let records = std::mem::take(&mut outcome.records);
        self.take_claims(kind, before, claims, records, stats)
    }

    /// Judges the runs of an outcome, a few at a time while there are many: on the graph each has all its steps again, so that many
    /// together take much memory, and nothing would be known before all are there. A few are left. Tells of which error locations
    /// the others were.
    fn hear_runs(
        &mut self,
        reduced: &Reduced,
        outcome: &mut Outcome,
        stats: &mut Statistics,
    ) -> Vec<LocationId> {
        let mut judged = Vec::new();
        while let Some(&behind) = outcome.runs.keys().nth(limits::RUNS_TOGETHER) {
            let rest = outcome.runs.split_off(&behind);
            let mut few = Outcome {
                runs: std::mem::replace(&mut outcome.runs, rest),
                ..Outcome::default()
            };
            judged.extend(few.runs.keys().map(|&error| reduced.back.location(error)));
            let claims = taken_back(self.terms, reduced, &mut few);
            let Claims {
                runs, undecided, ..
            } = self.without_unseen(claims);
            self.take_in(|checker, tell| checker.learn_runs(runs, &undecided, stats, tell));
        }
        judged
    }

    /// Judges claims about the graph, when so many error locations were open `before` the engine was heard.
    fn take_claims(
        &mut self,
        kind: EngineKind,
        before: u64,
        claims: Claims,
        records: Vec<Record>,
        stats: &mut Statistics,
    ) -> Judged {
        let proved = self.judge(self.without_unseen(claims), stats);
        let open = self.record(kind, before, records, stats);
        Judged { open, proved }
    }

    /// The claims without what runs say of symbols that nobody has seen.
    fn without_unseen(&self, mut claims: Claims) -> Claims {
        for run in claims.runs.values_mut() {
            let symbols = &mut run.rigid.functions;
            symbols.retain(|name, _| !self.irrelevant.contains(name));
        }
        claims
    }

    /// Notes who was heard when so many were open. Tells how many still are.
    fn record(
        &mut self,
        kind: EngineKind,
        before: u64,
        records: Vec<Record>,
        stats: &mut Statistics,
    ) -> u64 {
        let open = self.open();
        if before > open {
            let decided = before - open;
            *stats.decided_by.entry(kind.name().to_owned()).or_default() += decided;
            let violations = self.knowledge.violations() as u64;
            let violated = violations.saturating_sub(self.violations).min(decided);
            stats.stages.violated += violated;
            match kind.is_analysis() {
                true => stats.stages.proved_by_analysis += decided - violated,
                false => stats.stages.proved_by_search += decided - violated,
            }
            self.violations = violations;
        }
        self.results.push(EngineResult {
            kind,
            decided: before.saturating_sub(open),
            records,
        });
        open
    }

    /// How many error locations are not decided.
    fn open(&self) -> u64 {
        self.knowledge.undecided() as u64
    }

    /// Lets the checker decide. Tells whether the claimed invariants were confirmed and exclude
    /// something.
    fn judge(&mut self, claims: Claims, stats: &mut Statistics) -> bool {
        self.take_in(|checker, tell| checker.learn(&claims, stats, tell))
    }

    /// Takes in what the checker says when it is asked. Tells whether there is a proof in it that excludes something.
    fn take_in(
        &mut self,
        ask: impl FnOnce(&mut Checker<'p>, &mut Tell<'_>) -> Knowledge<'p>,
    ) -> bool {
        let graph = self.graph;
        let news = guarded(|| Ok(self.asked(ask)))
            .unwrap_or_else(|reason| Knowledge::open(graph, &reason));
        let proved = news.has_proof();
        self.knowledge.merge(news);
        if let Some(listener) = &mut self.listener {
            listener.tell(&self.knowledge);
        }
        proved
    }

    /// Asks the checker, and takes in what it tells meanwhile.
    fn asked<T>(&mut self, ask: impl FnOnce(&mut Checker<'p>, &mut Tell<'_>) -> T) -> T {
        let Verification {
            graph,
            checker,
            knowledge,
            listener,
            ..
        } = self;
        let mut waiting = Vec::new();
        ask(checker, &mut |news| {
            waiting.extend(news);
            if let Some(listener) = listener.as_mut().filter(|listener| listener.is_due()) {
                knowledge.merge(Knowledge::of(graph, waiting.drain(..)));
                listener.tell(knowledge);
            }
        })
    }
}

fn taken_back(terms: &Terms, reduced: &Reduced, outcome: &mut Outcome) -> Claims {
    let mut claims = outcome.taken_back(terms, &*reduced.back);
    let original = std::mem::take(&mut outcome.original);
    claims.runs.extend(original.runs);
    claims.undecided.extend(original.undecided);
    claims.invariants = claims.invariants.or(original.invariants);
    claims
}

fn nothing_but(graph: &ProgramGraph, reason: &Reason) -> Claims {
    Claims {
        undecided: all_undecided(graph, reason),
        ..Claims::default()
    }
}

#[cfg(test)]
mod tests;
