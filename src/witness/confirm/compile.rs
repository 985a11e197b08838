//! The compiler, and the program that it makes.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use ult_c::types::DataModel;

use super::feed::Event;
use super::found;
use super::process::{self, End, Ended};
use super::settings::{COMPILATION, EXECUTION, Mode, NO_TIME, Settings};
use ult_core::control::Control;

/// A folder for everything that is made.
pub(super) struct Folder(TempDir);

/// The compiler.
pub(super) struct Compiler<'a> {
    /// The command and its first arguments.
    pub words: &'a [String],
    /// What it is told about headers and macros.
    pub headers: &'a [String],
    /// The sizes of types.
    pub model: DataModel,
    /// Whether signed overflow wraps around.
    pub wraps: bool,
    /// When to stop.
    pub control: &'a Control,
}

/// How a program was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Build {
    /// What sees undefined behaviour.
    pub sanitizers: Sanitizers,
    /// What local variables hold before they are set, if that could be chosen.
    pub fill: Option<Fill>,
}

/// Sanitizers, more first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sanitizers {
    /// Of memory and of operations.
    All,
    /// Of operations.
    Undefined,
    /// None.
    None,
}

/// What is in variables and memory that nobody has set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// Bytes unlike anything that a program expects.
    Pattern,
    /// Zeroes.
    Zero,
}

/// What is tried, in this order: not every compiler can do all of it.
const BUILDS: [Build; 4] = [
    Build {
        sanitizers: Sanitizers::All,
        fill: Some(Fill::Pattern),
    },
    Build {
        sanitizers: Sanitizers::All,
        fill: None,
    },
    Build {
        sanitizers: Sanitizers::Undefined,
        fill: None,
    },
    Build {
        sanitizers: Sanitizers::None,
        fill: None,
    },
];

impl Sanitizers {
    fn argument(self) -> Option<&'static str> {
        match self {
            Sanitizers::All => Some("-fsanitize=address,undefined"),
            Sanitizers::Undefined => Some("-fsanitize=undefined"),
            Sanitizers::None => None,
        }
    }
}

/// The file with a translation unit.
fn source_name(unit: usize) -> String {
    match unit {
        0 => "program.c".into(),
        unit => format!("program-{unit}.c"),
    }
}

impl Compiler<'_> {
    /// What the compiler's own preprocessor makes of a file's text, with the system's headers.
    ///
    /// # Errors
    /// In words.
    pub(super) fn preprocessed(
        &self,
        folder: &Folder,
        file: &str,
        text: &str,
    ) -> Result<String, String> {
        let name = file.replace('\\', "\\\\").replace('"', "\\\"");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        folder.write("program-own.c", &format!("# 1 \"{name}\"\n{text}"))?;
        let parent = std::path::Path::new(file).parent();
        let parent = parent.map_or_else(String::new, |parent| parent.display().to_string());
        let parent = match parent.starts_with('/') {
            true => parent,
            false => format!("./{parent}"),
        };
        let mut arguments: Vec<&str> = self.headers.iter().map(String::as_str).collect();
        arguments.extend(["-E", "-iquote", &parent]);
        arguments.extend(["program-own.c", "-o", "program-own.i"]);
        self.call(folder, None, &arguments)
            .map_err(|why| format!("the program by itself is not compiled: {why}"))?;
        let bytes = std::fs::read(folder.0.path().join("program-own.i"));
        let bytes =
            bytes.map_err(|error| format!("the temporary folder cannot be read: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Compiles and links the program with its second file, with as much as the compiler can do.
    ///
    /// # Errors
    /// In words.
    pub(super) fn build(
        &self,
        folder: &Folder,
        units: &[String],
        feed: &str,
    ) -> Result<Build, String> {
        for (number, unit) in units.iter().enumerate() {
            folder.write(&source_name(number), unit)?;
        }
        folder.write("feed.c", feed)?;
        folder.write("events", "")?;
        // If it cannot even do this, nothing else has to be tried.
        self.call(folder, None, &["-c", "feed.c", "-o", "feed.o"])
            .map_err(|why| match why.contains("other data model") {
                true => "the compiler makes programs for another data model".to_owned(),
                false => why,
            })?;
        let mut failure = None;
        for build in BUILDS {
            match self.program(folder, units.len(), &build) {
                Ok(()) => return Ok(build),
                Err(why) => failure = Some(why),
            }
            if let Err(stop) = self.control.check() {
                return Err(ult_core::reason::Reason::from(stop).to_string());
            }
        }
        Err(failure.unwrap_or_default())
    }

    /// The same program with something else in what nobody has set.
    ///
    /// # Errors
    /// In words.
    pub(super) fn build_with(
        &self,
        folder: &Folder,
        units: usize,
        like: &Build,
        fill: Fill,
    ) -> Result<Build, String> {
        let build = Build {
            fill: Some(fill),
            ..*like
        };
        self.program(folder, units, &build).map(|()| build)
    }

    /// Compiles the translation units, makes one object file of them, and links that.
    fn program(&self, folder: &Folder, units: usize, build: &Build) -> Result<(), String> {
        let fill = match build.fill {
            Some(Fill::Pattern) => Some("-ftrivial-auto-var-init=pattern"),
            Some(Fill::Zero) => Some("-ftrivial-auto-var-init=zero"),
            None => None,
        };
        let mut arguments = vec!["-g", "-O0"];
        arguments.extend(fill);
        if self.wraps {
            arguments.push("-fwrapv");
        }
        let objects: Vec<String> = match units {
            1 => vec!["program.o".into()],
            _ => (0..units).map(|unit| format!("program-{unit}.o")).collect(),
        };
        for (number, object) in objects.iter().enumerate() {
            let source = source_name(number);
            let arguments = [&arguments[..], &["-c", &source, "-o", object]].concat();
            self.call(folder, Some(build.sanitizers), &arguments)?;
        }
        if units != 1 {
            let mut arguments = vec!["-r", "-nostdlib", "-o", "program.o"];
            arguments.extend(objects.iter().map(String::as_str));
            self.call(folder, None, &arguments)?;
        }
        let arguments = ["program.o", "feed.o", "-o", "program", "-lm", "-pthread"];
        self.call(folder, Some(build.sanitizers), &arguments)
    }

    /// Calls it. The names of files are those of the folder.
    fn call(
        &self,
        folder: &Folder,
        sanitizers: Option<Sanitizers>,
        arguments: &[&str],
    ) -> Result<(), String> {
        let (program, first) = self.words.split_first().ok_or("no compiler is named")?;
        let mut command = Command::new(program);
        command
            .args(first)
            .args(["-std=gnu11", "-w", "-fsigned-char", "-ffp-contract=off"]);
        if self.model == DataModel::Ilp32 {
            // The old unit for floating-point numbers has more digits than types say.
            command.args(["-m32", "-msse2", "-mfpmath=sse"]);
        }
        command.args(sanitizers.and_then(Sanitizers::argument));
        for argument in arguments {
            let is_file = argument.starts_with("program") || argument.starts_with("feed");
            match is_file {
                true => command.arg(folder.0.path().join(argument)),
                false => command.arg(argument),
            };
        }
        command.env("LC_ALL", "C").env("TMPDIR", folder.0.path());
        let ended = process::run(&mut command, COMPILATION, self.control, |_| true);
        let ended = ended.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!(
                    "there is no C compiler: `{program}` is not found; `--cc` names another one"
                )
            }
            _ => format!("the compiler `{program}` does not start: {error}"),
        })?;
        match ended.how {
            End::Code(0) => Ok(()),
            End::Code(_) => Err(format!(
                "the compiler does not accept it: {}",
                complaint(&ended.stderr)
            )),
            End::Signal(signal) => Err(format!("the compiler ends by signal {signal}")),
            End::Time => Err(match self.control.check() {
                Ok(()) => "the compiler takes too long".into(),
                Err(_) => NO_TIME.into(),
            }),
        }
    }

    /// The names that the program takes from outside of its text.
    ///
    /// # Errors
    /// In words, if that cannot be told.
    pub(super) fn symbols(&self, folder: &Folder) -> Result<Vec<String>, String> {
        let (program, first) = self.words.split_first().ok_or("no compiler is named")?;
        // A compiler for another machine has tools of its own.
        let named = process::output(Command::new(program).args(first).arg("-print-prog-name=nm"));
        let named = named.map(|text| text.trim().to_owned());
        let tool = named
            .ok()
            .filter(|name| !name.is_empty())
            .unwrap_or("nm".into());
        let mut command = Command::new(&tool);
        command
            .args(["-u", "-P"])
            .arg(folder.0.path().join("program.o"));
        let listed = process::output(&mut command).map_err(|error| {
            format!("what the program takes from outside cannot be determined: `{tool}`: {error}")
        })?;
        let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
        Ok(listed.lines().filter_map(first_word).collect())
    }
}

/// What a compiler complains about: its first error.
fn complaint(text: &str) -> String {
    let wanted = ["undefined reference", "cannot find", "error:", "error"];
    let line = wanted
        .iter()
        .find_map(|word| text.lines().find(|line| line.contains(word)))
        .or(text.lines().last())
        .unwrap_or("without a word");
    // The temporary folder has another name each time.
    let line = match line.find("undefined reference") {
        Some(at) => &line[at..],
        None => line.trim(),
    };
    let line = line
        .rsplit_once("/program.c:")
        .map_or(line, |(_, rest)| rest);
    line.chars().take(200).collect()
}

impl Folder {
    /// A new one, that is gone when this is dropped.
    ///
    /// # Errors
    /// In words.
    pub(super) fn new() -> Result<Folder, String> {
        let folder = tempfile::Builder::new().prefix("ult-confirm-").tempdir();
        let folder = folder.map_err(|error| format!("there is no temporary folder: {error}"))?;
        std::fs::create_dir(folder.path().join("run"))
            .map_err(|error| format!("the temporary folder cannot be written: {error}"))?;
        Ok(Folder(folder))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.0.path().join(name), text)
            .map_err(|error| format!("the temporary folder cannot be written: {error}"))
    }

    /// The file for what the program tells about itself.
    pub(super) fn events(&self) -> PathBuf {
        self.0.path().join("events")
    }

    /// What the program told, in order.
    pub(super) fn take_events(&self) -> Vec<Event> {
        let bytes = std::fs::read(self.events()).unwrap_or_default();
        let _ = std::fs::write(self.events(), "");
        bytes.into_iter().filter_map(Event::read).collect()
    }

    /// Runs the program: in an empty folder and with an empty environment, without input, its output going nowhere; with
    /// limits on time, memory and the size of files; without network if the system lets.
    ///
    /// # Errors
    /// In words.
    pub(super) fn run(
        &self,
        build: &Build,
        settings: &Settings,
        wants_leaks: bool,
        control: &Control,
    ) -> Result<Ended, String> {
        // The limits of a shell hold for what it becomes. Sanitizers reserve more addresses than there is memory.
        let memory = match build.sanitizers {
            Sanitizers::All => "",
            Sanitizers::Undefined | Sanitizers::None => "ulimit -v 2000000; ",
        };
        let alone = match settings.mode {
            Mode::Always if has_unshare() => "unshare --map-root-user --net -- ",
            _ => "",
        };
        let script = format!(
            "{{ ulimit -c 0; ulimit -f 20000; ulimit -t {}; ulimit -S -s 100000; {memory}}} 2>/dev/null; exec {alone}\"$0\"",
            EXECUTION.as_secs() + 1
        );
        let fill = match build.fill {
            Some(Fill::Pattern) => "malloc_fill_byte=190",
            Some(Fill::Zero) | None => "malloc_fill_byte=0",
        };
        let leaks = match wants_leaks {
            true => "detect_leaks=1",
            false => "detect_leaks=0",
        };
        // What static variables lead to counts as lost where everything has to be freed.
        let roots = match settings.properties.cleanup && !settings.properties.track {
            true => "use_globals=0:use_stacks=0:use_registers=0:use_tls=0",
            false => "",
        };
        let mut command = Command::new("sh");
        command
            .args(["-c", &script])
            .arg(self.0.path().join("program"))
            .current_dir(self.0.path().join("run"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env(
                "ASAN_OPTIONS",
                format!(
                    "{leaks}:{fill}:max_malloc_fill_size=1000000000:hard_rss_limit_mb=1500:\
                     allocator_may_return_null=1:detect_stack_use_after_return=1:color=never"
                ),
            )
            .env("LSAN_OPTIONS", roots)
            .env("UBSAN_OPTIONS", "print_stacktrace=1:color=never");
        process::run(&mut command, EXECUTION, control, found::is_wanted)
            .map_err(|error| format!("the compiled program does not start: {error}"))
    }
}

/// Whether processes can be cut off from the network.
fn has_unshare() -> bool {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--net", "--", "true"]);
    process::output(&mut command).is_ok()
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_complaint_is_one_line() {
        let text = "/usr/bin/ld: /tmp/x/program.o: in function `main':\n/tmp/f.c:3: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n";
        assert_eq!(complaint(text), "undefined reference to `f'");
        assert_eq!(
            complaint("f.c: In function 'main':\nf.c:3:1: error: no\n"),
            "f.c:3:1: error: no"
        );
        assert_eq!(complaint(""), "without a word");
    }
}
