//! `ult lab`: the laboratory, served on this machine, or as a folder.

use std::fs;

use super::args::LabArgs;
use super::exit::Exit;
use super::output;
use super::save;
use super::watch;
use ult_driver::worker;
use ult_lab::page;
use ult_lab::server::Server;

/// Runs the command.
pub(crate) fn run(args: &LabArgs) -> Exit {
    if let Err(exit) = super::solver::require(None) {
        return exit;
    }
    match &args.output {
        Some(folder) => write(folder),
        None => serve(args.port),
    }
}

fn write(folder: &std::path::Path) -> Exit {
    let files = match page::folder() {
        Ok(files) => files,
        Err(error) => {
            super::complain(&format!("the laboratory cannot be made: {error}"));
            return Exit::Internal;
        }
    };
    if let Err(error) = fs::create_dir_all(folder) {
        super::complain(&format!("{}: {error}", folder.display()));
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
fn serve(port: u16) -> Exit {
    let server = match Server::new(port) {
        Ok(server) => server,
        Err(error) => {
            super::complain(&format!("port {port} of this machine: {error}"));
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
            super::complain(&error.to_string());
        }
    });
    if let Err(error) = serving {
        super::complain(&format!("cannot start a thread: {error}"));
        return Exit::Internal;
    }
    while !watch::interrupted() {
        std::thread::sleep(super::limits::TICK);
    }
    Exit::Safe
}
