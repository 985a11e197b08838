//! One reading of a text, from what it says to verdicts.

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_lower::plan::EntryError;

use super::houdini;
use super::load::{Content, Loaded};
use super::progress::Progress;
use super::result::Report;
use super::schedule::{Run, programs};
use super::settings::{Existential, Settings};

/// Verifies what a text says, in one reading of it. The store is the one that it was read with.
pub(crate) fn decided_once(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<(), EntryError> {
    if report.is_rejected() {
        return Ok(());
    }
    let settings = &Settings {
        reading: loaded.reading,
        ..settings.clone()
    };
    match loaded.content {
        Content::Program(program) => {
            let program = match settings.existential {
                Existential::Inferred => houdini::valued(report, program, settings, control)?,
                Existential::Arbitrary => program,
            };
            programs(report, &program, settings, control, progress)?;
        }
        Content::Graphs(program) => {
            let mut run = Run::new(report, settings, control, progress, &[]);
            run.graphs(terms, &program);
            run.finish();
        }
        Content::Unit(unit) => {
            let mut run = Run::new(report, settings, control, progress, &[]);
            #[cfg(feature = "circuits")]
            {
                run.interface = loaded.interface.filter(|_| settings.certificate);
            }
            run.units(terms, &[*unit]);
            run.finish();
        }
    }
    Ok(())
}
