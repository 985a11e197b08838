//! `ult lab`

use std::path::PathBuf;

use clap::Args;

/// `ult lab`
#[derive(Args, Debug)]
pub struct LabArgs {
    /// Listen on this port; on a free one, if it is 0
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        conflicts_with = "output"
    )]
    pub port: u16,
    /// End a check or session when the process uses this many megabytes of memory; without it, 4096
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Serve nothing, but write a page with recorded examples into this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

pub(super) const LAB: &str = "Open the laboratory: a page in the browser to step through the refinement, predict it, and take part in it

The address of the page is printed; the page is there until the command is interrupted. It listens on the loopback interface \
alone, and the address holds a token that is another one each time.

On the page a program is edited and checked. Slicing abstraction, IMPACT or predicate abstraction can be stepped through: each step \
can be predicted, and where a path is infeasible, interpolants can be given in place of the engine's. They are checked, and a \
model shows what is wrong with them. The verdict is the checker's.

With `--output`, a page is written that needs no server: the examples' steps are recorded in it, and can be predicted.";
