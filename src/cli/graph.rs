//! `ult graph`

use super::args::GraphArgs;
use super::exit::Exit;

/// Runs the command.
pub fn run(_args: &GraphArgs) -> Exit {
    super::complain("`ult graph` is not available yet");
    Exit::Usage
}
