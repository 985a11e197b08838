//! What the checks of one state of a text found out.

use std::sync::Arc;

use super::insertions::Insertion;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, Source, UnitReport};
use ult_report::text;

/// Verdicts on the units of a text. An edit makes all of them meaningless.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    source: Option<Source>,
    units: Vec<Arc<UnitReport>>,
    summary: Option<String>,
    /// Why nothing is known about the text as a whole, if so.
    stopped: Option<Reason>,
    /// What the loops lack of their inferred invariants.
    insertions: Vec<Insertion>,
    /// The unit whose run is shown in the text, if the user chose one.
    shown: Option<String>,
}

impl Verdicts {
    /// Takes over what a check says: of the whole text, or of one entry. What earlier checks said about other units
    /// stays then.
    pub fn add(&mut self, report: &Report, is_whole: bool) {
        self.source = Some(report.source.clone());
        self.summary = Some(text::last_line(report, false));
        self.stopped = report.stopped.clone();
        if is_whole {
            self.units.clear();
        }
        for unit in report.units.iter().filter(|unit| !unit.pending) {
            match self.units.iter_mut().find(|own| own.name == unit.name) {
                Some(own) => *own = unit.clone(),
                None => self.units.push(unit.clone()),
            }
        }
    }

    /// What the loops lack of their inferred invariants.
    pub fn insertions(&self) -> &[Insertion] {
        &self.insertions
    }

    /// From now on, loops lack this.
    pub fn set_insertions(&mut self, insertions: Vec<Insertion>) {
        self.insertions = insertions;
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.source.is_none()
    }

    /// The text that was checked, with its places.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// The last line of the report that came last.
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// Why nothing, or not everything, is known about the text as a whole, if so.
    pub fn stopped(&self) -> Option<&Reason> {
        self.stopped.as_ref()
    }

    /// The units that were looked at.
    pub fn units(&self) -> impl Iterator<Item = &UnitReport> {
        self.units.iter().map(|unit| &**unit)
    }

    /// The unit with this name.
    pub fn unit(&self, name: &str) -> Option<&UnitReport> {
        self.units().find(|unit| &*unit.name == name)
    }

    /// From now on, the run of this unit is the one that is shown.
    pub fn show(&mut self, unit: &str) {
        self.shown = Some(unit.to_owned());
    }

    /// The violated obligation whose run is shown: of the unit that the user chose, else the first one.
    pub fn shown(&self) -> Option<&ObligationReport> {
        let chosen = self.shown.as_deref().and_then(|name| self.unit(name));
        chosen
            .and_then(violated)
            .or_else(|| self.units().find_map(violated))
    }
}

/// The first obligation that is violated.
pub fn violated(unit: &UnitReport) -> Option<&ObligationReport> {
    unit.obligations
        .iter()
        .find(|obligation| obligation.verdict.is_unsafe())
}
