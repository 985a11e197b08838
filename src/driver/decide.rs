//! One reading of a text, from what it says to verdicts.

use ult_core::formula::Terms;
use ult_lower::plan::EntryError;

use super::context::Context;
use super::houdini;
use super::load::{Content, Loaded};
use super::result::Report;
use super::schedule::{Run, programs};
use super::settings::{Existential, Settings};

/// Verifies what a text says, in one reading of it. The store is the one that it was read with.
pub(crate) fn decided_once(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    context: Context<'_>,
) -> Result<(), EntryError> {
    if report.is_rejected() {
        return Ok(());
    }
    let settings = &Settings {
        reading: loaded.reading,
        ..context.settings.clone()
    };
    let context = context.with(settings);
    match loaded.content {
        Content::Program(program) => {
            let program = match settings.existential {
                Existential::Inferred => houdini::valued(report, program, context)?,
                Existential::Arbitrary => program,
            };
            programs(report, &program, context)?;
        }
        Content::Graphs(program) => {
            let mut run = Run::new(report, context, &[]);
            run.graphs(terms, &program);
            run.finish();
        }
        Content::Unit(unit) => {
            let mut run = Run::new(report, context, &[]);
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
