//! How programs are read: the options of all commands that read one.

use clap::Args;
use ult_driver::Language;
use ult_lower::CallPolicy;
use ult_reduce::Blocks;

use super::c::CArgs;
use super::expert::EXPERT;

/// How programs are read; for every subcommand that reads one.
#[derive(Args, Debug)]
pub struct ReadArgs {
    /// The language of the input; without it, files that end in `.ult` are program graphs, those that end in `.smt2` Horn clauses, those that end in `.c` or `.i` C, those that end in `.aag`, `.aig`, `.btor`, `.btor2` or `.dimspec` circuits, those that end in `.svlib` SV-LIB, all others Boogie
    #[arg(long, value_enum, hide_short_help = true)]
    pub language: Option<Language>,
    /// Start from this procedure only; may be repeated. Without it: from `ULTIMATE.start` if there is one, else
    /// from every procedure with a body. In C: a function that is called from outside, again and again, with any
    /// arguments; without it, executions start from `main`, or in a program without it, from all functions that it does not
    /// call itself
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated. Its procedures are only checked where proofs rely on them
    #[arg(long, value_name = "NAME|FILE.bpl", hide_short_help = true)]
    pub library: Vec<String>,
    /// Boogie's own reading: calls through contracts, loops through the given invariants only
    #[arg(long)]
    pub modular: bool,
    /// What happens at calls
    #[arg(long, value_enum, default_value_t = CallPolicy::Auto, hide_short_help = true)]
    pub calls: CallPolicy,
    /// Which edges are merged before the engine starts
    #[arg(help_heading = EXPERT, hide = true, long, value_name = "BLOCKS", default_value_t = Blocks::default(), long_help = blocks())]
    pub blocks: Blocks,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
}

/// The help of `-Z blocks`.
fn blocks() -> String {
    let mut text = String::from("Which edges are merged before the engine starts\n\nBlocks:\n");
    for (blocks, meaning) in Blocks::ALL {
        text += &format!("- {:<11} {meaning}\n", format!("{blocks}:"));
    }
    text + &format!("- {:<11} {}", "a number:", Blocks::NUMBER)
}
