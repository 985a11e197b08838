//! Somebody else's model checker about the circuits, where it is installed: ABC (Berkeley Logic
//! Synthesis and Verification Group), Debian's `berkeley-abc`.

use std::fmt::Write as _;
use std::process::Command;

use crate::formats::write_binary_aiger;
use crate::system::System;
use ult_core::graph::ProgramGraph;

/// Circuits with what is expected of them.
pub(super) struct Abc {
    folder: tempfile::TempDir,
    expected: Vec<(u64, bool)>,
}

impl Abc {
    /// `None` if it is not installed.
    pub(super) fn installed() -> Option<Abc> {
        let works = Command::new("berkeley-abc").args(["-q", "quit"]).output();
        works.ok().filter(|output| output.status.success())?;
        Some(Abc {
            folder: tempfile::tempdir().expect("a folder"),
            expected: Vec::new(),
        })
    }

    /// A circuit, and whether something bad is reached.
    pub(super) fn add(&mut self, seed: u64, system: &System, graph: &ProgramGraph, is_bad: bool) {
        if system.bads.is_empty() {
            assert!(!is_bad);
            return;
        }
        let bytes = write_binary_aiger(system, graph).expect("a file");
        let file = self.folder.path().join(format!("{seed}.aig"));
        std::fs::write(file, bytes).expect("the file is written");
        self.expected.push((seed, is_bad));
    }

    /// Asks about all of them.
    pub(super) fn check(&self) {
        let mut script = String::new();
        for (seed, _) in &self.expected {
            // Other ways to read take latches with any value at first for ones with 0.
            let _ = writeln!(
                script,
                "echo circuit {seed}\n&r {seed}.aig\n&put\norpos\npdr"
            );
        }
        std::fs::write(self.folder.path().join("script"), script).expect("the script is written");
        let output = Command::new("berkeley-abc")
            .args(["-q", "source script"])
            .current_dir(self.folder.path())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut answers = said.split("circuit ").skip(1);
        for (seed, is_bad) in &self.expected {
            let answer = answers.next().expect("an answer");
            let (number, answer) = answer.split_once('\n').expect("several lines");
            assert_eq!(number.trim(), seed.to_string());
            let reached = answer.contains("was asserted in frame");
            assert!(reached || answer.contains("Property proved"), "{answer}");
            assert_eq!(reached, *is_bad, "seed {seed}: {answer}");
        }
    }
}
