//! Commands for the debugger `gdb`, which stop a program that is compiled with its harness near the violation.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use ult_driver::Report;

/// So many places before the violation get a breakpoint.
const NEAR: usize = 4;

/// Breakpoints at the entry of the program and at the last places before the first violation of a report; `None` if there
/// is none (Ivančić, Yang, Ganai, Gupta, Ashar: "Efficient SAT-based bounded model checking for software verification",
/// section 6.3).
pub fn gdb(report: &Report) -> Option<String> {
    let mut obligations = report.obligations();
    let violated = obligations.find(|obligation| obligation.verdict.is_unsafe())?;
    let last = report.source.start(violated.span).line;
    let mut lines = BTreeSet::from([last]);
    for step in violated.run.iter().rev().filter(|step| !step.minor) {
        if lines.len() > NEAR {
            break;
        }
        lines.insert(report.source.start(step.span).line);
    }
    let path = Path::new(&*report.source.name);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let mut script = format!(
        "# For gdb: a counterexample that violates {file}:{last}. Compile the program with its harness and with -g; then\n\
         #   gdb -x THIS_FILE PROGRAM\n\
         # `continue` goes from one place to the next; the program ends by a signal at the violation.\n\
         set breakpoint pending on\n\
         break main\n"
    );
    for line in lines {
        let quoted = file.replace(['\n', '\r', '"', '\\'], "?");
        let _ = writeln!(script, "break \"{quoted}\":{line}");
    }
    script += "run\n";
    Some(script)
}
