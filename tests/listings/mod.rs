//! What Markdown texts show is what the program prints. For README.md and the book.
//!
//! Two kinds of blocks are run:
//!
//! * ` ```console `: a session. A line that begins with `$ ` is a command for the shell, the lines behind it are what it
//!   prints, on stdout and stderr.
//! * any block behind the line `<!-- output: COMMAND -->`: what that command prints.
//!
//! Commands run in a folder of their own that has the project's `examples` and `stdlib`, with `ult` in the search path. With
//! the environment variable `INSTA_UPDATE=always` the texts are changed to what is printed; read the difference.

mod timeless;

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use timeless::timeless;

/// The folder of the project.
pub fn root() -> &'static Path {
    crate::root()
}

/// A Markdown file.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The words behind the opening fence, without commas.
    pub info: Vec<String>,
    /// The lines between the fences.
    pub content: Range<usize>,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The command of `<!-- output: COMMAND -->` before the block.
    pub output_of: Option<String>,
}

impl Block {
    pub fn language(&self) -> &str {
        self.info.first().map_or("", String::as_str)
    }

    pub fn has(&self, word: &str) -> bool {
        self.info.iter().any(|own| own == word)
    }

    /// The value of `NAME=VALUE` behind the fence.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.info
            .iter()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }
}

impl Page {
    pub fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
        Page {
            path: path.to_owned(),
            text,
        }
    }

    /// The path from the project's folder on.
    pub fn name(&self) -> String {
        let path = self.path.strip_prefix(root()).unwrap_or(&self.path);
        path.display().to_string()
    }

    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut output_of = None;
        let mut open: Option<Block> = None;
        let mut offset = 0;
        for (line, text) in (1..).zip(self.text.split_inclusive('\n')) {
            let bare = text.trim_end();
            match &mut open {
                Some(block) if bare == "```" => {
                    block.content.end = offset;
                    blocks.extend(open.take());
                }
                Some(_) => {}
                None => {
                    if let Some(info) = bare.strip_prefix("```") {
                        let start = offset + text.len();
                        open = Some(Block {
                            info: info
                                .split([',', ' '])
                                .filter(|word| !word.is_empty())
                                .map(str::to_owned)
                                .collect(),
                            content: start..start,
                            line,
                            output_of: output_of.take(),
                        });
                    } else if let Some(command) = bare
                        .strip_prefix("<!-- output: ")
                        .and_then(|rest| rest.strip_suffix(" -->"))
                    {
                        output_of = Some(command.to_owned());
                    }
                }
            }
            offset += text.len();
        }
        assert!(
            open.is_none(),
            "{}: a block is not closed: {open:?}",
            self.name()
        );
        blocks
    }

    /// What a block shows, if what was printed differs only in what depends on the machine; else what was printed.
    pub fn or_same(&self, block: &Block, printed: String) -> String {
        let shown = &self.text[block.content.clone()];
        let command = block.output_of.as_deref();
        match timeless(command, shown) == timeless(command, &printed) {
            true => shown.to_owned(),
            false => printed,
        }
    }

    /// The text with some parts replaced; they come in the order of the text.
    pub fn with(&self, parts: &[(Range<usize>, String)]) -> String {
        let mut text = String::new();
        let mut from = 0;
        for (range, new) in parts {
            text += &self.text[from..range.start];
            text += new;
            from = range.end;
        }
        text + &self.text[from..]
    }

    /// What is wrong if the text differs from what it should be; nothing if it was allowed to be changed, and was.
    pub fn settle(&self, expected: &str) -> Option<String> {
        if self.text == expected {
            return None;
        }
        if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
            fs::write(&self.path, expected).expect("the page can be written");
            return None;
        }
        let mut told = format!("{} shows something else:\n", self.name());
        let (old, new): (Vec<&str>, Vec<&str>) =
            (self.text.lines().collect(), expected.lines().collect());
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        for (sign, lines) in [('-', &old), ('+', &new)] {
            for (number, line) in (same + 1..).zip(lines.iter().skip(same)).take(8) {
                let _ = writeln!(told, "{sign}{number:4}: {line}");
            }
        }
        Some(told + "(INSTA_UPDATE=always changes the page)")
    }
}

/// A folder in which the commands of one page run.
pub struct Shell {
    folder: TempDir,
}

impl Shell {
    pub fn new() -> Shell {
        let folder = TempDir::new().expect("a folder");
        for name in ["examples", "stdlib"] {
            #[cfg(unix)]
            std::os::unix::fs::symlink(root().join(name), folder.path().join(name))
                .expect("a link to a folder of the project");
        }
        Shell { folder }
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }

    /// What a command prints.
    pub fn run(&self, command: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_ult"));
        let mut path = vec![program.parent().expect("a folder").to_owned()];
        path.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1; {command}"))
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(path).expect("a search path"))
            .env("NO_COLOR", "1")
            .env_remove("RUST_BACKTRACE")
            .env_remove("CC")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// A session with what its commands print now.
    pub fn replay(&self, session: &str) -> String {
        let mut text = String::new();
        for line in session.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let _ = writeln!(text, "$ {command}");
                text += &self.run(command);
            }
        }
        text
    }
}

/// What the block should show, if it shows what commands print.
pub fn replayed(page: &Page, block: &Block, shell: &Shell) -> Option<String> {
    let output = if let Some(command) = &block.output_of {
        shell.run(command)
    } else if block.language() == "console" {
        shell.replay(&page.text[block.content.clone()])
    } else {
        return None;
    };
    let place = format!("{}:{}", page.name(), block.line);
    assert!(
        !output.contains("```"),
        "{place}: a fence in the output would end the block"
    );
    Some(output)
}
