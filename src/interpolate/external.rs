//! Solvers of the user's that interpolate, over SMT-LIB text.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Chain, Interpolator, NoInterpolants};
use ult_core::control::Control;
use ult_core::formula::Term;
use ult_smt::smtlib::{InterpolatingSolver, Interpolation};
use ult_smt::{Failure, Session};

#[cfg(test)]
mod tests;

/// Strategy `external:CMD`: one query for the whole chain to a solver in a process of its own;
/// see [`InterpolatingSolver::start`] for what `CMD` can be.
///
/// The background facts are part of the first step. What interpolants have to know of them passes
/// through all cuts, which is allowed: facts speak of rigid symbols, and those belong to every
/// cut.
///
/// Clones share a solver that waits for the next chain, since some take long to start.
#[derive(Clone)]
pub struct External {
    command: Arc<str>,
    waiting: Arc<Mutex<Option<InterpolatingSolver>>>,
}

impl External {
    /// The solver behind a command; it is started when it is first needed.
    pub fn new(command: &str) -> External {
        External {
            command: command.into(),
            waiting: Arc::default(),
        }
    }

    /// Starts the solver now. [`Failure::Missing`] if there is none.
    pub fn start(&self, control: &Control) -> Result<(), Failure> {
        let solver = InterpolatingSolver::start(&self.command, control)?;
        self.keep(solver);
        Ok(())
    }

    fn take(&self) -> Option<InterpolatingSolver> {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn keep(&self, solver: InterpolatingSolver) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(solver);
    }
}

impl PartialEq for External {
    fn eq(&self, other: &External) -> bool {
        self.command == other.command
    }
}

impl Eq for External {}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "External({:?})", self.command)
    }
}

impl fmt::Display for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)
    }
}

impl Interpolator for External {
    fn name(&self) -> &'static str {
        "external"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let terms = session.terms();
        let mut steps = chain.steps.clone();
        if let Some(first) = steps.first_mut() {
            let facts = session.axioms().iter().copied();
            *first = terms.and(facts.chain([*first]));
        }
        let mut solver = match self.take() {
            Some(solver) => solver,
            None => InterpolatingSolver::start(&self.command, session.control())?,
        };
        let result = solver.interpolants(terms, &steps, limit, session.control());
        // After a failure it has no process any more, and starts one for the next chain.
        self.keep(solver);
        match result? {
            Interpolation::Interpolants(interpolants) => Ok(interpolants),
            Interpolation::Feasible => Err(NoInterpolants::Feasible),
        }
    }
}
