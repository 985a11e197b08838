//! `ult infer` on programs without their invariants, and whether another verifier proves what comes back.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ult_lang::ast::visit::{Visit, walk_stmt};
use ult_lang::ast::{Stmt, StmtKind};
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use crate::Failure;
use crate::process::{self, Limits};

/// What `infer` is told.
#[derive(clap::Args)]
pub(crate) struct InferArguments {
    /// Boogie programs that are right, with their invariants or without any.
    #[arg(required = true, value_name = "FILE.bpl")]
    files: Vec<PathBuf>,
    /// Who proves what comes back: a command with Boogie's last line.
    #[arg(long, default_value = "boogie /timeLimit:20", value_name = "CMD")]
    verifier: String,
    /// The time limit in seconds for the invariants of each file.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit for each process in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
}

/// The loops of a program.
#[derive(Default)]
struct Loops {
    any: bool,
    invariants: Vec<Span>,
}

impl Visit<'_> for Loops {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::While { invariants, .. } => {
                self.any = true;
                self.invariants
                    .extend(invariants.iter().map(|invariant| invariant.span));
            }
            StmtKind::Goto(_) => self.any = true,
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

/// The program without its invariants; `None` if it has no loops.
fn bare(text: &str) -> Option<String> {
    let (tree, _) = parse_boogie(text);
    let mut loops = Loops::default();
    loops.visit_program(&tree);
    let mut bare = text.to_owned();
    loops.invariants.sort_unstable_by_key(|span| span.start);
    for span in loops.invariants.iter().rev() {
        bare.replace_range(span.range(), "");
    }
    loops.any.then_some(bare)
}

/// Runs all files, and prints a line for each. Tells whether whatever was called proved is verified.
pub(crate) fn run(
    arguments: &InferArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::Io(path, error)
    };
    let folder = tempfile::tempdir().map_err(at(Path::new("a temporary folder")))?;
    let verifier = shlex::split(&arguments.verifier)
        .ok_or_else(|| Failure::Tool(arguments.verifier.clone(), "is no command".into()))?;
    let limits = |seconds| Limits {
        time: Duration::from_secs(seconds),
        memory: arguments.memory * 1_000_000,
    };
    let verified = |path: &Path| -> Result<bool, Failure> {
        let command = [&verifier[..], &[path.display().to_string()]].concat();
        let finished = process::run(&command, None, limits(60), stop).map_err(at(path))?;
        let last = finished.stdout.trim_end().lines().next_back();
        let last = last.unwrap_or_default();
        let is_right = last.contains(" verified, 0 errors");
        Ok(is_right
            && !["time out", "inconclusive", "out of"]
                .iter()
                .any(|word| last.contains(word)))
    };
    let (mut all, mut before, mut after, mut refuted) = (0, 0, 0, 0);
    for file in &arguments.files {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let text = std::fs::read_to_string(file).map_err(at(file))?;
        let Some(bare) = bare(&text) else {
            continue;
        };
        let (given, made) = (
            folder.path().join("given.bpl"),
            folder.path().join("made.bpl"),
        );
        std::fs::write(&given, bare).map_err(at(&given))?;
        std::fs::write(&made, "").map_err(at(&made))?;
        let command = [
            ult.display().to_string(),
            "infer".into(),
            given.display().to_string(),
            format!("--timeout={}", arguments.timeout),
            format!("--output={}", made.display()),
        ];
        let time = arguments.timeout + 10;
        let finished = process::run(&command, None, limits(time), stop).map_err(at(file))?;
        let is_proved = finished.end == process::End::Code(0);
        let (without, with) = (verified(&given)?, is_proved && verified(&made)?);
        all += 1;
        before += usize::from(without);
        after += usize::from(with);
        refuted += usize::from(is_proved && !with);
        println!(
            "{:<7} {:<9} {:>6.1} s  {}",
            if without { "before" } else { "" },
            match (is_proved, with) {
                (true, true) => "verified",
                (true, false) => "not there",
                (false, _) => "open",
            },
            finished.cpu.as_secs_f64(),
            file.display()
        );
    }
    if all == 0 {
        return Err(Failure::NoTasks);
    }
    println!("{after} of {all} are verified with what was added, {before} without");
    Ok(refuted == 0)
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn invariants_are_taken_out() {
        let text =
            "procedure p() { while (*) invariant a; /* invariant b; */ free invariant c; { } }";
        let expected = "procedure p() { while (*)  /* invariant b; */  { } }";
        assert_eq!(bare(text).as_deref(), Some(expected));
        assert_eq!(bare("procedure p() { }"), None);
    }
}
