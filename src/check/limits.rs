//! How long things may take here, in one table.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`TRIGGERS`] | a question with quantifiers, by their triggers; and half of the time there is | triggers may match for ever | it is asked again, and models are looked for |
//! | [`DEDUCTION`] | the proof of a graph without loops, before engines work on it; and half of the time there is | it is the way to prove large procedures | engines work on what is open |
//! | [`STATED`] | the same of one with loops, by the invariants that it states; and half of the time there is | most state none, or too little | engines work on what is open |
//! | [`MODEL`] | whether axioms about which a run says nothing have a model | with quantifiers a solver may search for ever | the run is refused |
//! | [`FAR`] | traces that are followed before engines work, by steps and choices | most programs have too many, and that is soon seen | engines work on what is open |
//! | [`WARNING`], [`WARNINGS`] | one question whose answer is only a warning; all of a graph | nobody waits long for a warning | nothing is warned about |
//! | [`PROOF`] | a proof that needs no solver | one that takes longer is rarely found | the question is open |
//! | [`MOMENT`] | the least time for a question | less is none | it is not asked |

use std::time::Duration;

/// How far traces are followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// So many steps, all traces together.
    pub(crate) steps: u64,
    /// So often several steps lead on.
    pub(crate) choices: u64,
}

impl Far {
    /// Somebody has followed them before.
    pub(crate) const TO_THE_END: Far = Far {
        steps: u64::MAX,
        choices: u64::MAX,
    };
}

/// For a question with quantifiers, by their triggers.
pub(crate) const TRIGGERS: Duration = Duration::from_secs(60);

/// For the proof of a graph without loops, before engines work on it.
pub(crate) const DEDUCTION: Duration = Duration::from_secs(120);

/// For the proof of a graph with loops by the invariants that it states.
pub(crate) const STATED: Duration = Duration::from_secs(2);

/// For a model of axioms about which a run says nothing.
pub(crate) const MODEL: Duration = Duration::from_secs(5);

/// How far traces are followed before an engine has followed them.
pub(crate) const FAR: Far = Far {
    steps: 300_000,
    choices: 1_000,
};

/// For one question whose answer is only a warning.
pub(crate) const WARNING: Duration = Duration::from_millis(500);

/// For all warnings about one graph.
pub(crate) const WARNINGS: Duration = Duration::from_secs(1);

/// For finding one proof that needs no solver.
pub(crate) const PROOF: Duration = Duration::from_secs(60);

/// So little time is no time for a question.
pub(crate) const MOMENT: Duration = Duration::from_millis(1);
