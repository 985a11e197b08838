//! What NuSMV (FBK, CMU, Trento, Genova) says of circuits in SMV, where it is installed: that the files are
//! SMV, and mean what the circuit means.

use std::fmt::Write as _;
use std::process::Command;

use super::graphs::{random, reachable, reached};
use super::searches::settings;
use crate::formats::{Format, write};
use crate::system::{Counter, Stepping, System};
use ult_core::control::Control;
use ult_core::formula::Terms;

/// So many circuits are looked at. Most reach an error, and only so many of these are asked about: its decision diagrams take
/// half a second for some.
const CIRCUITS: u64 = 160;
const BAD: usize = 20;

fn is_installed() -> bool {
    Command::new("NuSMV").arg("-h").output().is_ok()
}

#[test]
fn nusmv_reads_what_is_written() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = String::new();
    let mut expected = Vec::new();
    for seed in 0..CIRCUITS {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let counter = [Counter::Binary, Counter::OneHot][seed as usize % 2];
        let control = Control::unlimited();
        let system = System::new(&terms, &graph, settings(Stepping::Loops, counter), &control);
        let system = system.expect("a circuit");
        if system.bads.is_empty() {
            continue;
        }
        let is_bad = !reached(&graph, &reachable(&terms, &graph)).is_empty();
        if is_bad && expected.iter().filter(|(_, is_bad)| *is_bad).count() >= BAD {
            continue;
        }
        let text = write(&system, &graph, Format::Smv).expect("a file");
        std::fs::write(folder.path().join(format!("{seed}.smv")), text).expect("it is written");
        let _ = writeln!(
            script,
            "echo circuit {seed}\nread_model -i {seed}.smv\ngo\ncheck_invar\nreset"
        );
        expected.push((seed, is_bad));
    }
    script.push_str("quit\n");
    std::fs::write(folder.path().join("script"), script).expect("the script is written");
    let output = Command::new("NuSMV")
        .args(["-source", "script"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let mut answers = said.split("circuit ").skip(1);
    for (seed, is_bad) in &expected {
        let answer = answers.next().expect("an answer");
        assert!(answer.starts_with(&seed.to_string()), "{answer}");
        let (holds, fails) = ("  is true", "  is false");
        assert!(answer.contains(holds) || answer.contains(fails), "{answer}");
        assert_eq!(answer.contains(fails), *is_bad, "seed {seed}: {answer}");
    }
    let bad = expected.iter().filter(|(_, is_bad)| *is_bad).count();
    assert!(
        bad == BAD && expected.len() > bad + 5,
        "{bad} of {}",
        expected.len()
    );
}
