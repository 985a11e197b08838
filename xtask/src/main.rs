//! What contributors do again and again, under one name each: `cargo xtask`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

mod sheet;
mod slides;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const HELP: &str = "\
cargo xtask ci [--here]      what has to pass before a change is merged (.ci/run); --here installs nothing
cargo xtask release [FOLDER] what a release does, up to the upload (.ci/release): an archive and a wheel, built and tried
cargo xtask package          every crate as a package, without building it again
cargo xtask codegen          rewrites what is generated: the output in README and book, the parsers and trees of the editors'
                             grammars (needs Node.js); read the difference
cargo xtask bench ARGS...    ult-bench, as a release: see benches/tasks/README.md
cargo xtask tables           the stored tables, and the command that each was made with
cargo xtask slides [FOLDER]  the lessons of the course as slides, and the cheat sheet on one page (target/slides)
";

/// Not published: tools of this repository.
const UNPUBLISHED: [&str; 5] = [
    "ult-bench",
    "ult-bench-interpolation",
    "ult-python",
    "ult-tree-sitter",
    "xtask",
];

/// What no package holds: folders of tests, benchmarks and the book.
const UNWANTED: [&str; 4] = ["/tests/", "/benches/", "/book/", "/corpus/"];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("ci") => run(Command::new(root().join(".ci/run")).args(rest)),
        Some("release") => run(Command::new(root().join(".ci/release")).args(rest)),
        Some("package") => package(),
        Some("codegen") => codegen(),
        Some("bench") => run(cargo(&["run", "--release", "-p", "ult-bench", "--"]).args(rest)),
        Some("tables") => tables(),
        Some("slides") => write_slides(rest.first()),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{}", why.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

/// Every crate can be packaged, and no package holds tests, benchmarks or the book.
fn package() -> Result<(), String> {
    let mut command = cargo(&["package", "--workspace", "--allow-dirty"]);
    for name in UNPUBLISHED {
        command.args(["--exclude", name]);
    }
    let listed = Command::new(command.get_program())
        .args(command.get_args())
        .arg("--list")
        .current_dir(root())
        .output()
        .map_err(|error| error.to_string())?;
    let files = String::from_utf8_lossy(&listed.stdout);
    let unwanted: Vec<&str> = files
        .lines()
        .filter(|file| {
            UNWANTED
                .iter()
                .any(|folder| format!("/{file}").contains(folder))
        })
        .collect();
    if !listed.status.success() || files.lines().count() < 100 || !unwanted.is_empty() {
        return Err(format!(
            "packages: {}\n{}",
            unwanted.join("\n"),
            String::from_utf8_lossy(&listed.stderr)
        ));
    }
    run(command.arg("--no-verify"))
}

fn codegen() -> Result<(), String> {
    let mut shown = cargo(&["test", "-p", "ult-cli", "--test", "program"]);
    run(shown
        .args(["--", "--include-ignored", "book::", "readme::"])
        .env("INSTA_UPDATE", "always"))?;
    let mut parsers = cargo(&["test", "-p", "ult-tree-sitter", "--test", "grammars"]);
    run(parsers
        .env("ULT_PARSERS", "rewrite")
        .env("ULT_TREES", "rewrite"))
}

fn tables() -> Result<(), String> {
    let folder = root().join("benches/results");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "md"))
        .collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let of = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or("?").to_owned()
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let (date, arguments) = (of("- date: "), of("- arguments: "));
        println!(
            "{name}\n    {date}, commit {}\n    ult-bench {arguments}",
            of("- commit: ")
        );
    }
    Ok(())
}

fn write_slides(folder: Option<&String>) -> Result<(), String> {
    let folder = folder.map_or_else(|| root().join("target/slides"), PathBuf::from);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let book = root().join("book/src");
    let read = |name: &str| {
        let path = book.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        println!("{}", path.display());
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    for name in slides::lessons(&read("SUMMARY.md")?) {
        let page = book.join(name);
        let deck = slides::deck(&read(name)?, page.parent().unwrap_or(&book))?;
        let slug = page.file_stem().unwrap_or_default().to_string_lossy();
        write(&format!("{slug}.html"), &slides::page(&deck))?;
    }
    write(
        "cheatsheet.html",
        &sheet::page(&read("course/cheatsheet.md")?),
    )
}
