//! Questions to solvers, for those who look why a run is slow: each can be told to a listener, with its answer and time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A question that was put to a solver.
#[derive(Clone, Debug)]
pub struct Question {
    /// SMT-LIB, complete with `(set-logic ...)` and `(check-sat)`; a comment where a question cannot be written down.
    pub script: String,
    /// `sat`, `unsat`, or `unknown` and why. For Horn clauses `sat` means that there is a solution.
    pub answer: String,
    /// The tactic that found the answer; empty if there is only one.
    pub tactic: &'static str,
    /// How long it took.
    pub time: Duration,
}

/// Who listens to questions, if anybody. Questions are asked on several threads.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<dyn Fn(Question) + Send + Sync>>);

impl Listener {
    /// Calls the function for each question, after its answer.
    pub fn new(listener: impl Fn(Question) + Send + Sync + 'static) -> Listener {
        Listener(Some(Arc::new(listener)))
    }

    /// Whether anybody listens. Writing a question down takes time.
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells the question.
    pub fn tell(&self, question: Question) {
        if let Some(listener) = &self.0 {
            listener(question);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Listener({})", self.listens())
    }
}
