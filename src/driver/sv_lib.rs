//! Verdicts on programs in SV-LIB, as witnesses.
//!
//! A witness is put together of what the report says, and handed out only if the program with the witness in it, verified like any
//! other program, confirms it.

use ult_core::control::Control;
use ult_svlib::witness::write::{Event, Invariant};
use ult_svlib::witness::{self, Claim};

use super::language::Language;
use super::progress::Progress;
use super::result::{Conclusion, Report};
use super::settings::Settings;
use super::verify::verify;
use ult_explain::Source;

/// The witness for the verdict of a report.
pub(crate) fn witness(
    report: &Report,
    settings: &Settings,
    control: &Control,
) -> Result<String, String> {
    let program = &report.source.text;
    let violated = report.obligations().find(|o| o.verdict.is_unsafe());
    let text = match (violated, report.conclusion()) {
        (Some(obligation), _) => {
            let mut events = Vec::new();
            for step in obligation.run.iter() {
                if step.left_out > 0 {
                    return Err("the trace is too long".to_owned());
                }
                events.extend(step.chosen.clone().map(|choice| Event {
                    place: step.span,
                    choice,
                }));
            }
            witness::write::violation(program, &events, obligation.span)?
        }
        (None, Conclusion::Safe) => {
            let all = report.units.iter().flat_map(|unit| &unit.invariants);
            let found = all.filter_map(|invariant| {
                Some(Invariant {
                    place: invariant.span?,
                    conjuncts: invariant.terms.clone(),
                })
            });
            let found: Vec<Invariant> = found.collect();
            witness::write::correctness(program, &found)?
        }
        (None, conclusion) => return Err(format!("the verdict is {conclusion}")),
    };
    confirmed(report, &text, settings, control)?;
    Ok(text)
}

/// Whether the program with the witness says what the witness claims.
fn confirmed(
    report: &Report,
    text: &str,
    settings: &Settings,
    control: &Control,
) -> Result<(), String> {
    let (joined, claim) = witness::join(&report.source.text, text)?;
    let source = Source::new(report.source.name.clone(), joined);
    let settings = Settings {
        certificate: false,
        kept: None,
        ..settings.clone()
    };
    let progress = Progress::default();
    let told = verify(&source, Language::SvLib, &settings, control, &progress);
    let told = told.map_err(|error| error.to_string())?;
    let is_violated = told.obligations().any(|o| o.verdict.is_unsafe());
    match (claim, is_violated, told.conclusion()) {
        (Claim::Violated, true, _) | (Claim::Correct, false, Conclusion::Safe) => Ok(()),
        (Claim::Violated, false, _) => Err("what it says of the trace is not confirmed".to_owned()),
        (Claim::Correct, _, conclusion) => Err(format!(
            "what it says of the loops is not confirmed ({conclusion}): each invariant has to follow from itself, and to be \
             enough for what comes behind; another `--engine` may find such invariants"
        )),
    }
}
