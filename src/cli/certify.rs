//! `ult certify`: whether a certificate proves a program safe.

use super::args::CertifyArgs;
use super::check::reading_settings;
use super::exit::Exit;
use super::input::Reader;
use super::output::{self, complain};
use super::process::end_at_once;
use super::watch::{End, Limits, supervise};
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_driver::certify::certified;
use ult_driver::{Progress, Report};
use ult_report::text;

/// Runs the command.
pub(crate) fn run(args: &CertifyArgs) -> Exit {
    let name = args.certificate.display();
    let certificate = match std::fs::read_to_string(&args.certificate) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("cannot read `{name}`: {error}"));
            return Exit::Usage;
        }
    };
    let limits = Limits {
        timeout: args.timeout,
        memory: args.memory,
        for_stdout: true,
        ..Limits::default()
    };
    let reader = Reader::new(&args.read, limits.clone());
    let input = match reader.read_one(&args.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    if let Some(report) = input.rejection() {
        return output::rejected(&report.diagnostics, &report.source);
    }
    let settings = reading_settings(&args.read);
    let (source, language) = (input.source.clone(), input.language);
    let progress = Progress::default();
    let seen = progress.clone();
    let mut result = None;
    let end = supervise(
        limits,
        &seen,
        true,
        move |control: &Control, send| {
            send(certified(
                &certificate,
                &source,
                language,
                &settings,
                control,
                &progress,
            ));
        },
        |made| result = Some(made),
    );
    let report = match (end, result) {
        (Err(exit), _) => return exit,
        (_, Some(Ok(report))) => return show(&report),
        (_, Some(Err(why))) => {
            complain(&format!("{name}: {why}"));
            return Exit::Usage;
        }
        (Ok(End::Abandoned(stop)), None) => {
            let mut report = (seen.latest()).unwrap_or_else(|| Report::new(input.source, language));
            report.close(&Reason::from(stop));
            report
        }
        (Ok(End::Finished | End::Lost), None) => return Exit::Internal,
    };
    end_at_once(show(&report))
}

/// Prints what is proved without a solver, and gives the exit code for it.
fn show(report: &Report) -> Exit {
    let text = text::report(report, &text::Options::default());
    output::stdout(&text).err().unwrap_or(Exit::of(report))
}
