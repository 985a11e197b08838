//! Which tactic has been winning.

use std::time::Duration;

use super::Tactic;
use crate::features::Profile;
use crate::limits;

/// So many wins in a row decide who starts.
const STREAK: i32 = 3;

/// Who answered the questions that the session did not answer soon, for each [`Profile`]: the
/// number of times in a row that a fresh solver did, or, negative, that the session did.
///
/// Each session has its own: an engine's questions are alike.
#[derive(Debug, Default)]
pub(crate) struct Adaptive {
    rows: [i32; Profile::ALL.len()],
    /// Tests say what is done.
    #[cfg(test)]
    pub(super) fixed: Option<Plan>,
}

/// How a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// How long it stays in the session alone; without any time the session is not asked first.
    pub(super) patience: Duration,
    /// How long a fresh solver is then alone.
    pub(super) head_start: Duration,
    /// Whether two tactics may be at work at the same time, if there is a core.
    pub(super) side_by_side: bool,
}

impl Plan {
    /// Leaves the session, if it is asked first, the time that it takes to read so many formulas.
    pub(super) fn read(&mut self, formulas: usize) {
        if !self.patience.is_zero() {
            let formulas = u32::try_from(formulas).unwrap_or(u32::MAX);
            self.patience += limits::READING.saturating_mul(formulas);
        }
    }
}

impl Adaptive {
    /// What has proved its worth.
    pub(super) fn plan(&self, profile: Profile) -> Plan {
        #[cfg(test)]
        if let Some(plan) = self.fixed {
            return plan;
        }
        let usual = match profile {
            Profile::Floats => limits::FLOATS,
            Profile::Bits | Profile::Linear | Profile::General | Profile::Triggers => limits::ALONE,
        };
        let (patience, head_start) = match self.rows[profile as usize] {
            STREAK.. => (usual / 4, limits::SLICE),
            row if row <= -STREAK => (usual.saturating_mul(4), Duration::ZERO),
            _ => (usual, limits::ALONE),
        };
        Plan {
            patience,
            head_start,
            side_by_side: true,
        }
    }

    /// Notes who answered a question that took long.
    pub(super) fn won(&mut self, profile: Profile, tactic: Tactic) {
        let row = &mut self.rows[profile as usize];
        match tactic {
            Tactic::Fresh => *row = (*row).max(0).saturating_add(1),
            Tactic::Session => *row = (*row).min(0).saturating_sub(1),
            Tactic::Prune => {}
        }
    }
}
