//! Sessions on the command line.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::schema::against_schema;

/// A folder with files, in which commands run.
pub(crate) struct Session {
    folder: TempDir,
    files: Vec<(String, String)>,
}

impl Session {
    pub(crate) fn new(files: &[(&str, &str)]) -> Session {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Session {
            folder,
            files: files
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A command, without what the user's own surroundings say.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ult"));
        command
            .args(args)
            .current_dir(self.path())
            .env_remove("CC")
            .env_remove("NO_COLOR")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    /// A command with a terminal, which `script` gives it; that is a part of every Linux.
    #[cfg(target_os = "linux")]
    pub(crate) fn on_terminal(&self, args: &[&str], no_color: Option<&str>) -> String {
        let words = [&[env!("CARGO_BIN_EXE_ult")], args].concat().join(" ");
        let mut command = Command::new("script");
        command
            .args(["-qec", &words, "/dev/null"])
            .current_dir(self.path())
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .envs(no_color.map(|value| ("NO_COLOR", value)))
            .stdin(Stdio::null());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Exit code, and stdout and stderr together.
    pub(crate) fn told(&self, args: &[&str]) -> (i32, String) {
        let output = self.run(args);
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code().unwrap(),
            String::from_utf8(text).unwrap(),
        )
    }

    /// The report as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--format", "json"]].concat());
        let report = serde_json::from_slice(&output.stdout);
        let report =
            report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        if args.first() == Some(&"check") {
            assert_eq!(against_schema(&report), Ok(()), "{report:#}");
        }
        report
    }

    /// Files, command and result as one text.
    pub(crate) fn story(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let mut text = String::new();
        for (name, content) in &self.files {
            if content.len() < 2000 {
                let _ = writeln!(text, "--- {name}\n{}", content.trim_end());
            }
        }
        let _ = writeln!(text, "\n$ ult {}", args.join(" "));
        text += &String::from_utf8(output.stdout).unwrap();
        let complaints = String::from_utf8(output.stderr).unwrap();
        if !complaints.is_empty() {
            let _ = writeln!(text, "[stderr]\n{}", complaints.trim_end());
        }
        let _ = writeln!(text, "[exit code {}]", output.status.code().unwrap());
        text
    }
}
