//! Runs through recursive datatypes.
//!
//! Axioms say less of a recursive datatype than is true of it, and the solver finds no models of them. So a second reading of a
//! unit is asked for runs: values are trees of a limited height there ([`ult_lower::bounded_datatypes`]). Its graph has only runs that
//! the program has, and the checker confirms them as all others; proofs in it mean nothing.

use std::time::Duration;

use super::attempt::{Attempt, attempt};
use super::finding::Finding;
use super::settings::Settings;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_explain::Source;
use ult_lower::Options as Reading;
use ult_lower::unit::LoweredUnit;

/// How high values are. A field of a value may be as high as a row of so many constructors.
const HEIGHT: u32 = 4;

/// So long are proofs looked for first: with axioms, a violation is looked for in vain.
const FIRST: Duration = Duration::from_secs(2);

/// The longest look for runs.
const RUNS: Duration = Duration::from_secs(20);

/// How a unit is verified that can be read in more than one way.
pub(super) struct Readings<'a> {
    pub(super) terms: &'a Terms,
    pub(super) source: &'a Source,
    pub(super) settings: &'a Settings,
    pub(super) control: &'a Control,
}

impl Readings<'_> {
    /// An attempt at a unit. `again` reads it in another way.
    pub(super) fn attempt(
        &self,
        unit: &LoweredUnit,
        again: impl FnOnce(Reading) -> LoweredUnit,
        tell: &mut dyn FnMut(Attempt),
    ) -> Attempt {
        let mut whole = |control: &Control| {
            attempt(self.terms, unit, self.source, self.settings, control, tell)
        };
        if unit.approximated.is_empty() {
            return whole(self.control);
        }
        let reading = Reading {
            height: Some(HEIGHT),
            ..self.settings.reading.clone()
        };
        // Without recursive datatypes it is the same again.
        let low = guarded(|| Ok(again(reading))).ok();
        let low = low.filter(|low| low.approximated.len() < unit.approximated.len());
        let Some(low) = low else {
            return whole(self.control);
        };
        let first = self.control.within(Some(FIRST));
        let mut found = whole(&first);
        if !found.is_open() || self.control.check().is_err() {
            return found;
        }
        self.add_runs(&mut found, &low);
        let had_time = first.check().is_ok() && !found.ran_out();
        if !found.is_open() || had_time || self.control.check().is_err() {
            return found;
        }
        let mut second = whole(self.control);
        second.statistics.add(&found.statistics);
        for (key, known) in found.findings {
            let joined = match second.findings.remove(&key) {
                Some(other) => known.join(other),
                None => known,
            };
            if !matches!(joined, Finding::Open(_)) {
                second.open_obligations.remove(&key);
            }
            second.findings.insert(key, joined);
        }
        second
    }

    /// Looks for runs in the second reading where something is open.
    fn add_runs(&self, found: &mut Attempt, low: &LoweredUnit) {
        let settings = Settings {
            kept: None,
            certificate: false,
            observer: None,
            ..self.settings.clone()
        };
        let share = self
            .control
            .remaining()
            .map_or(RUNS, |left| RUNS.min(left / 3));
        let control = self.control.within(Some(share));
        let tell = &mut |_| {};
        let runs = attempt(self.terms, low, self.source, &settings, &control, tell);
        found.statistics.add(&runs.statistics);
        for (key, finding) in runs.findings {
            let Some(known) = found.findings.get_mut(&key) else {
                continue;
            };
            let is_better = match &finding {
                Finding::Unsafe(_) => true,
                // A deeper look into the callee may find more.
                Finding::Open(open) => {
                    matches!(open.reason, Reason::ContractTooWeak(_)) || !open.run.is_empty()
                }
                Finding::Safe(_) | Finding::Contradicted(_) => false,
            };
            if is_better && matches!(known, Finding::Open(_)) {
                *known = finding;
                found.open_obligations.remove(&key);
            }
        }
    }
}
