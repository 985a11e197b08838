//! `ult lab`: the laboratory, served on this machine, or as a folder.

use std::fs;
use std::sync::Arc;

use super::args::LabArgs;
use super::exit::Exit;
use super::output::{self, complain};
use super::save;
use super::watch;
use ult_driver::worker;
use ult_lab::server::Server;
use ult_lab::{IsFull, page};

/// Megabytes, if the user says nothing: others on the same machine may want to work, too.
const MEMORY: u64 = 4096;

/// Runs the command.
pub(crate) fn run(args: &LabArgs) -> Exit {
    if let Err(exit) = super::solver::require(None) {
        return exit;
    }
    if args.memory.is_some() && watch::used_megabytes().is_none() {
        complain("--memory is not supported on this system");
        return Exit::Usage;
    }
    let most = args.memory.unwrap_or(MEMORY);
    let is_full: IsFull = Arc::new(move || watch::used_megabytes().is_some_and(|used| used > most));
    match &args.output {
        Some(folder) => write(folder, &is_full),
        None => serve(args.port, is_full),
    }
}

fn write(folder: &std::path::Path, is_full: &IsFull) -> Exit {
    let files = match page::folder(is_full) {
        Ok(files) => files,
        Err(error) => {
            complain(&format!("the laboratory cannot be made: {error}"));
            return Exit::Internal;
        }
    };
    if let Err(error) = fs::create_dir_all(folder) {
        complain(&format!("{}: {error}", folder.display()));
        return Exit::Usage;
    }
    for (name, text) in files {
        if let Err(exit) = save::save(&folder.join(name), text) {
            return exit;
        }
    }
    Exit::Safe
}

/// Serves until it is interrupted.
fn serve(port: u16, is_full: IsFull) -> Exit {
    let server = match Server::new(port, is_full) {
        Ok(server) => server,
        Err(error) => {
            complain(&format!("port {port} of this machine: {error}"));
            return Exit::Usage;
        }
    };
    watch::listen_to_interrupts();
    let words = format!(
        "The laboratory is at {}\nOnly this machine can reach it, and only who knows this address. Ctrl-C ends it.\n",
        server.address()
    );
    if let Err(exit) = output::stdout(&words) {
        return exit;
    }
    let serving = worker::spawn("serve", move || {
        if let Err(error) = server.run() {
            complain(&error.to_string());
        }
    });
    if let Err(error) = serving {
        complain(&format!("cannot start a thread: {error}"));
        return Exit::Internal;
    }
    while !watch::interrupted() {
        std::thread::sleep(super::limits::TICK);
    }
    Exit::Safe
}
