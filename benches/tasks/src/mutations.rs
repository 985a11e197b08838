//! Mutated inputs: programs of all languages and witnesses with bytes, words and lines changed, through the library.
//!
//! Each is read, lowered and checked within a moment. Nothing may panic, and no two engines may contradict each other about a
//! program that is still one. Mutations come in batches, each in a process of its own, so that the end of a process is found and
//! costs one batch.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_driver::{Conclusion, Language, Progress, Settings, Source, check, worker};
use ult_engine::verify::Method;

use crate::process::{End, Limits, run};
use crate::{Failure, machine};

/// So many mutations are one process.
const BATCH: u64 = 250;

/// A check of a mutated program takes so long at most, and so does each of two engines on it.
const MOMENT: Duration = Duration::from_millis(150);

/// One in so many mutated programs is given to two engines.
const COMPARED: u64 = 20;

/// Mutate inputs, and see that nothing breaks.
#[derive(clap::Args)]
pub(crate) struct MutationArguments {
    /// Folders of programs and witnesses (`.yml`), searched through.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// How many mutations.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The number of the first one; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Store the counts under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep inputs that break something in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Do the work in this process (used by itself).
    #[arg(long, hide = true)]
    batch: bool,
}

/// What an input is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Program(Language),
    Witness,
}

/// What became of a mutation: the kind of input, and a word.
type Counts = BTreeMap<(String, String), u64>;

/// Runs the mutations. Whether nothing broke.
///
/// # Errors
/// If there are no inputs, or a process cannot be started.
pub(crate) fn mutate(arguments: &MutationArguments, stop: &AtomicBool) -> Result<bool, Failure> {
    if arguments.batch {
        return batch(arguments);
    }
    let start = Instant::now();
    let is_watched = stderr().is_terminal();
    let mut counts = Counts::new();
    let (mut done, mut broken) = (0, Vec::new());
    while done < arguments.count && !stop.load(Ordering::Relaxed) {
        if arguments
            .seconds
            .is_some_and(|most| start.elapsed().as_secs() >= most)
        {
            break;
        }
        let count = BATCH.min(arguments.count - done);
        let (first, mut command) = (arguments.seed + done, own_command());
        command.extend([
            "--seed".into(),
            first.to_string(),
            "--count".into(),
            count.to_string(),
        ]);
        let keep = arguments
            .keep
            .iter()
            .flat_map(|keep| ["--keep".into(), keep.display().to_string()]);
        command.extend(keep);
        command.extend(
            arguments
                .folders
                .iter()
                .map(|folder| folder.display().to_string()),
        );
        let limits = Limits {
            time: Duration::from_secs(1200),
            memory: 4 << 30,
        };
        let finished =
            run(&command, None, limits, stop).map_err(|e| Failure::Io("ult-bench".into(), e))?;
        let mut last = String::new();
        for line in finished.stdout.lines() {
            let mut words = line.splitn(3, '\t');
            match (words.next(), words.next(), words.next()) {
                (Some("broken"), Some(number), Some(how)) => {
                    broken.push(format!("{number}: {how}"))
                }
                (Some(kind), Some(word), None) => {
                    *counts.entry((kind.into(), word.into())).or_default() += 1;
                }
                (Some(number), None, None) => last = number.to_owned(),
                _ => {}
            }
        }
        if !matches!(finished.end, End::Code(0 | 1) | End::Stopped) {
            broken.push(format!("{last}: the process ended ({:?})", finished.end));
        }
        done += count;
        if is_watched {
            eprint!("\r{done} of {}, {} broken", arguments.count, broken.len());
        }
    }
    if is_watched {
        eprintln!();
    }
    let text = summary(&counts, &broken, start.elapsed());
    print!("{text}");
    if let Some(out) = &arguments.out {
        let file = out.with_extension("md");
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(broken.is_empty())
}

fn own_command() -> Vec<String> {
    let program = std::env::current_exe().unwrap_or_else(|_| "ult-bench".into());
    [&program.display().to_string(), "mutations", "--batch"]
        .map(str::to_owned)
        .to_vec()
}

fn summary(counts: &Counts, broken: &[String], time: Duration) -> String {
    let mut text = String::from("# Mutated inputs\n\n");
    let all: u64 = counts.values().sum();
    let _ = writeln!(
        text,
        "{all} mutations in {} s, {}, {}, commit {}: {} broken.\n",
        time.as_secs(),
        machine::date(),
        machine::machine(),
        machine::commit(),
        broken.len()
    );
    text += "| input | what became of it | how many |\n|---|---|---|\n";
    for ((kind, word), count) in counts {
        let _ = writeln!(text, "| {kind} | {word} | {count} |");
    }
    for line in broken {
        let _ = write!(text, "\n- {line}\n");
    }
    text
}

/// Does some mutations here: a line with the number before each, and one with what became of it behind.
fn batch(arguments: &MutationArguments) -> Result<bool, Failure> {
    ult_core::guard::keep_panics_quiet();
    let inputs = inputs(&arguments.folders);
    if inputs.is_empty() {
        return Err(Failure::NoTasks);
    }
    let (seed, count, keep) = (arguments.seed, arguments.count, arguments.keep.clone());
    let (send, receive) = std::sync::mpsc::channel();
    let work = move || {
        let mut is_fine = true;
        for number in seed..seed.saturating_add(count) {
            println!("{number}");
            let mut random = ChaCha8Rng::seed_from_u64(number);
            let (path, kind) = &inputs[random.random_range(0..inputs.len())];
            let Ok(content) = std::fs::read(path) else {
                continue;
            };
            let mutated = mutated(&content, &mut random);
            let tried = catch_unwind(AssertUnwindSafe(|| tried(&mutated, *kind, number)));
            let word = tried.unwrap_or_else(|_| Err("a panic".into()));
            match word {
                Ok(word) => println!("{}\t{word}", name(*kind)),
                Err(how) => {
                    is_fine = false;
                    println!("broken\t{number}\t{}, {how}", path.display());
                    if let Some(keep) = &keep {
                        let suffix = path.extension().unwrap_or_default().to_string_lossy();
                        let _ = std::fs::create_dir_all(keep);
                        let _ = std::fs::write(keep.join(format!("{number}.{suffix}")), &mutated);
                    }
                }
            }
        }
        let _ = send.send(is_fine);
    };
    worker::spawn("mutations", work).map_err(|error| Failure::Io("a thread".into(), error))?;
    receive
        .recv()
        .map_err(|_| Failure::Server("the thread ended early".into()))
}

fn name(kind: Kind) -> String {
    match kind {
        Kind::Program(language) => language.to_string(),
        Kind::Witness => "witnesses".into(),
    }
}

/// All files that are inputs, in the order of their names.
fn inputs(folders: &[PathBuf]) -> Vec<(PathBuf, Kind)> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = folders.to_vec();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| entry.path()));
            continue;
        }
        let suffix = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let kind = match &*suffix {
            "yml" | "yaml" => Some(Kind::Witness),
            suffix => Language::of_suffix(suffix).map(Kind::Program),
        };
        found.extend(kind.map(|kind| (path, kind)));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

/// The content with one to four mutations.
fn mutated(content: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let words = words(&bytes);
        let word = |random: &mut ChaCha8Rng| match words.is_empty() {
            true => 0..0,
            false => words[random.random_range(0..words.len())].clone(),
        };
        let (one, other) = (word(random), word(random));
        match random.random_range(0..9) {
            // A byte: another one, one more, one less.
            0 if !bytes.is_empty() => {
                let at = random.random_range(0..bytes.len());
                bytes[at] = random.random();
            }
            1 => bytes.insert(random.random_range(0..=bytes.len()), random.random()),
            2 if !bytes.is_empty() => drop(bytes.remove(random.random_range(0..bytes.len()))),
            // A word: none, twice, another one of the text.
            3 => drop(bytes.splice(one, [])),
            4 => {
                let copy = bytes[one.clone()].to_vec();
                drop(bytes.splice(one.end..one.end, copy));
            }
            5 | 6 => {
                let copy = bytes[other].to_vec();
                drop(bytes.splice(one, copy));
            }
            // A number or sign that nobody expects.
            7 => {
                let odd: [&[u8]; 12] = [
                    b"0",
                    b"-1",
                    b"99999999999999999999",
                    b"4294967296",
                    b"1.5e300",
                    b"(",
                    b"}",
                    b"&&",
                    b"old",
                    b"\"",
                    b"\r",
                    b"\xff",
                ];
                drop(bytes.splice(one, odd[random.random_range(0..odd.len())].to_vec()));
            }
            // Cut off.
            _ => bytes.truncate(random.random_range(0..=bytes.len())),
        }
    }
    bytes
}

/// Where the words and signs are.
fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => 0,
        _ if byte.is_ascii_whitespace() => 1,
        _ => 2,
    };
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        match words.last_mut() {
            Some(last) if last.end == at && class(byte) == 0 && class(bytes[at - 1]) == 0 => {
                last.end += 1
            }
            _ if class(byte) == 1 => {}
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// What becomes of an input, or what breaks.
fn tried(bytes: &[u8], kind: Kind, number: u64) -> Result<String, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok("no text".into());
    };
    let language = match kind {
        Kind::Witness => {
            let read = ult_witness::read(text);
            return Ok(if read.is_ok() { "read" } else { "rejected" }.into());
        }
        Kind::Program(language) => language,
    };
    let source = match language {
        Language::C => Source::c("mutated.c", text),
        _ => Source::new("mutated", text),
    };
    let first = conclusion(&source, language, Method::Portfolio)?;
    if number.is_multiple_of(COMPARED) && first != "rejected" {
        for name in ["bmc", "predicate"] {
            let second = conclusion(&source, language, name.parse()?)?;
            if [&*first, &*second] == ["SAFE", "UNSAFE"]
                || [&*first, &*second] == ["UNSAFE", "SAFE"]
            {
                return Err(format!("the portfolio says {first}, {name} says {second}"));
            }
        }
    }
    Ok(first)
}

fn conclusion(source: &Source, language: Language, method: Method) -> Result<String, String> {
    let control = Control::with_deadline(Instant::now().checked_add(MOMENT));
    let mut settings = Settings::default();
    settings.verify.method = method;
    let report = check(source, language, &settings, &control, &Progress::default())
        .map_err(|error| error.to_string())?;
    if let Some(Reason::Internal(bug)) = report.reason() {
        return Err(bug.clone());
    }
    Ok(match report.conclusion() {
        Conclusion::Safe => "SAFE".into(),
        Conclusion::Unsafe => "UNSAFE".into(),
        Conclusion::Conditional(_) | Conclusion::Unknown(_) => "UNKNOWN".into(),
        Conclusion::Rejected => "rejected".into(),
        Conclusion::Nothing => "NOTHING".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_are_reproducible_and_differ() {
        let content = b"procedure p(x: int) { assert x + 1 > x; }";
        let of = |seed| mutated(content, &mut ChaCha8Rng::seed_from_u64(seed));
        assert_eq!(of(7), of(7));
        let different: std::collections::BTreeSet<Vec<u8>> = (0..200).map(of).collect();
        assert!(different.len() > 150);
        assert!(mutated(b"", &mut ChaCha8Rng::seed_from_u64(1)).len() < 100);
    }

    #[test]
    fn words_are_names_numbers_and_signs() {
        let text = b"x1 := y+22;";
        let found: Vec<&[u8]> = words(text).into_iter().map(|word| &text[word]).collect();
        let expected: [&[u8]; 7] = [b"x1", b":", b"=", b"y", b"+", b"22", b";"];
        assert_eq!(found, expected);
    }
}
