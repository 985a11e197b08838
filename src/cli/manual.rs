//! `ult completions` and `ult man`: both are made of the definition of the command line, so that they cannot say anything
//! else.

use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::args::{Cli, CompletionsArgs, ManArgs};
use super::exit::Exit;
use super::output::{self, complain};
use super::save::save;

/// Runs `ult completions`.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ult", &mut script);
    print(&script)
}

/// Runs `ult man`.
pub(crate) fn man(args: &ManArgs) -> Exit {
    let pages = pages();
    if let Some(folder) = &args.output {
        return write(folder, &pages);
    }
    let wanted = match &args.command {
        None => "ult".to_owned(),
        Some(command) => format!("ult-{command}"),
    };
    match pages.iter().find(|(name, _)| *name == wanted) {
        Some((_, page)) => print(page),
        None => {
            let command = args.command.as_deref().unwrap_or_default();
            complain(&format!(
                "there is no command `{command}`; `ult help` lists them"
            ));
            Exit::Usage
        }
    }
}

/// All pages: of `ult`, and of each of its commands, by name.
fn pages() -> Vec<(String, Vec<u8>)> {
    // The solver's version is not the page's.
    let mut ult = Cli::command()
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true);
    // Tells the commands what is above them.
    ult.build();
    let mut pages = vec![page("ult", &ult)];
    for command in ult
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        pages.push(page(&format!("ult-{}", command.get_name()), command));
    }
    pages
}

fn page(name: &str, command: &Command) -> (String, Vec<u8>) {
    let man = Man::new(command.clone())
        .title(name)
        .date("")
        .source(concat!("ult ", env!("CARGO_PKG_VERSION")))
        .manual("ult, a program verifier");
    let mut page = Vec::new();
    // Nothing can go wrong with a vector.
    let _ = man.render(&mut page);
    (name.to_owned(), page)
}

fn write(folder: &Path, pages: &[(String, Vec<u8>)]) -> Exit {
    if let Err(error) = std::fs::create_dir_all(folder) {
        complain(&format!("cannot write to `{}`: {error}", folder.display()));
        return Exit::Usage;
    }
    let mut pages = pages.iter();
    let written = pages.try_for_each(|(name, page)| save(&folder.join(format!("{name}.1")), page));
    written.err().unwrap_or(Exit::Safe)
}

fn print(text: &[u8]) -> Exit {
    match output::stdout(&String::from_utf8_lossy(text)) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}
