//! A path is decided here, and nowhere else: a run along it, or interpolants that say why there is
//! none.
//!
//! | question | answer | who asks |
//! |---|---|---|
//! | [`Path::decide`] | a run or interpolants | slicing, IMPACT, predicate abstraction |
//! | [`Path::follow`] | a run or that there is none | bounded model checking, Horn clauses |
//! | [`Path::refute`] | interpolants or nothing | forced covering |
//!
//! Each is one question to a brief solver of the engine's session, and is not repeated. An engine
//! whose model is not one of a path formula makes the run of it by [`run_of_model`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ult_core::formula::{Sort, Term};
use ult_core::graph::evidence::{RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_interpolate::{Chain, Strategy, sequence};
use ult_smt::{Answer, Failure, Model, Session, Solver};

/// What there is to say about a path.
#[derive(Debug)]
pub enum Decision {
    /// A run takes it.
    Run(Run),
    /// None does: a state formula for each inner position, inductive along the path.
    Interpolants(Vec<Term>),
    /// Neither was found, for this reason. The whole run may have been stopped: that is for the
    /// engine to look at, by its session's control.
    Open(Reason),
}

/// Somebody who may say why a path is infeasible, in place of the engine's strategy.
pub trait Adviser: fmt::Debug + Send + Sync {
    /// Interpolants for an infeasible path: a state formula for each inner position. `own` are those of the strategy, or why it
    /// has none. The search waits meanwhile.
    ///
    /// # Errors
    /// If there are none. The error location is given up then.
    fn explain(
        &self,
        path: &Path<'_, '_>,
        own: Result<Vec<Term>, Reason>,
    ) -> Result<Vec<Term>, Reason>;
}

/// A path through a graph, with what is known to hold at its nodes.
pub struct Path<'p, 't> {
    session: &'p Session<'t>,
    graph: &'p ProgramGraph,
    edges: &'p [EdgeId],
    labels: Vec<Term>,
    chain: Chain,
}

impl<'p, 't> Path<'p, 't> {
    /// The path along `edges`; `labels` are state formulas for its nodes, one more than edges.
    pub fn new(
        session: &'p Session<'t>,
        graph: &'p ProgramGraph,
        edges: &'p [EdgeId],
        labels: &[Term],
    ) -> Path<'p, 't> {
        Path {
            session,
            graph,
            edges,
            labels: labels.to_vec(),
            chain: Chain::new(session.terms(), graph, edges, labels),
        }
    }

    /// As [`Path::new`], with nothing known at its nodes.
    pub fn bare(
        session: &'p Session<'t>,
        graph: &'p ProgramGraph,
        edges: &'p [EdgeId],
    ) -> Path<'p, 't> {
        let labels = vec![session.terms().tt(); edges.len() + 1];
        Path::new(session, graph, edges, &labels)
    }

    /// The session that questions about it are asked in.
    pub fn session(&self) -> &'p Session<'t> {
        self.session
    }

    /// The graph.
    pub fn graph(&self) -> &'p ProgramGraph {
        self.graph
    }

    /// The edges.
    pub fn edges(&self) -> &'p [EdgeId] {
        self.edges
    }

    /// What is known at its nodes.
    pub fn labels(&self) -> &[Term] {
        &self.labels
    }

    /// The program variables that an interpolant at an inner position (the first one is 1) may speak of: their values there
    /// matter both before and behind it.
    pub fn vocabulary(&self, position: usize) -> BTreeSet<Term> {
        let cut = position.checked_sub(1).and_then(|i| self.chain.cuts.get(i));
        cut.into_iter()
            .flat_map(|cut| cut.live.iter().map(|live| cut.state[live]))
            .collect()
    }

    /// A run along the path, or interpolants. The question for the run may take `limit`; the
    /// attempts of the strategy have limits of their own, and are counted in `stats`.
    pub fn decide(&self, limit: Duration, strategy: &Strategy, stats: &mut Statistics) -> Decision {
        match self.follow(Some(limit)) {
            Ok(Some(run)) => Decision::Run(run),
            Ok(None) => match sequence(strategy, self.session, &self.chain, stats) {
                Ok(interpolants) => Decision::Interpolants(interpolants),
                Err(reason) => Decision::Open(reason),
            },
            Err(failure) => Decision::Open(failure.into()),
        }
    }

    /// A run along the path; `None` if there is none. Fails if the solver does not find out within
    /// the limit, or if its model has values that cannot be written down exactly.
    pub fn follow(&self, limit: Option<Duration>) -> Result<Option<Run>, Failure> {
        let mut solver = self.solver();
        match solver.check(&[], limit) {
            Answer::Sat => self.run(&solver.model()?).map(Some),
            Answer::Unsat => Ok(None),
            Answer::Unknown(failure) => Err(failure),
        }
    }

    /// Interpolants, if it is found out within the limit that there is no run.
    pub fn refute(
        &self,
        limit: Duration,
        strategy: &Strategy,
        stats: &mut Statistics,
    ) -> Option<Vec<Term>> {
        // The solver goes back at once: interpolation may go on with it.
        let answer = self.solver().check(&[], Some(limit));
        match answer {
            Answer::Unsat => sequence(strategy, self.session, &self.chain, stats).ok(),
            Answer::Sat | Answer::Unknown(_) => None,
        }
    }

    /// A solver that knows the path formula.
    fn solver(&self) -> Solver<'p, 't> {
        let mut solver = self.session.brief_solver();
        for &step in &self.chain.steps {
            // What cannot be asserted answers the question.
            if solver.assert(step).is_err() {
                break;
            }
        }
        solver
    }

    /// The run that a model of the path formula describes.
    fn run(&self, model: &Model<'_, '_>) -> Result<Run, Failure> {
        let terms = self.session.terms();
        run_of_model(
            self.graph,
            self.edges,
            model,
            |position, name, sort| Some(self.chain.instance(terms, position, name, sort)),
            |step| self.chain.auxiliaries(terms, step),
        )
    }
}

/// The run along `edges` that a model of some formula about it describes. `variable` tells which
/// term stands for a program variable after so many steps, if one does; `auxiliaries`, which stand
/// for the auxiliaries of a step, by the numbers that they have in the edge's formula.
///
/// # Errors
/// If the model has values that cannot be written down exactly.
pub fn run_of_model(
    graph: &ProgramGraph,
    edges: &[EdgeId],
    model: &Model<'_, '_>,
    variable: impl Fn(usize, &Arc<str>, &Sort) -> Option<Term>,
    auxiliaries: impl Fn(usize) -> Vec<(u32, Term)>,
) -> Result<Run, Failure> {
    let state = |position: usize| -> Result<State, Failure> {
        let variables = graph.variables.iter();
        variables
            .filter_map(|(name, sort)| Some((name, variable(position, name, sort)?)))
            .map(|(name, term)| Ok((name.clone(), model.value(term)?)))
            .collect()
    };
    let mut rigid = RigidMeaning::default();
    for function in &graph.functions {
        let meaning = model.function(function)?;
        rigid.functions.insert(function.name.clone(), meaning);
    }
    let mut steps = Vec::with_capacity(edges.len());
    for (i, &edge) in edges.iter().enumerate() {
        let mut aux = BTreeMap::new();
        for (number, term) in auxiliaries(i) {
            aux.insert(number, model.value(term)?);
        }
        steps.push(Step::new(edge, aux, state(i + 1)?));
    }
    Ok(Run::new(state(0)?, steps, rigid))
}
