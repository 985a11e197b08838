//! `ult graph`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::read::ReadArgs;
use super::seconds::seconds;

/// `ult graph`
#[derive(Args, Debug)]
pub struct GraphArgs {
    /// A Boogie program (.bpl), C program (.c, .i), program graphs (.ult), Horn clauses (.smt2), a circuit (.aag, .aig, .btor2, .dimspec) or SV-LIB (.svlib); `-` reads from stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Which graph: as the program was read, as the engine gets it, or as the engine leaves it
    #[arg(long, value_enum, default_value_t = StageArg::Source)]
    pub stage: StageArg,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = GraphFormatArg::Ult)]
    pub format: GraphFormatArg,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// `--stage`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageArg {
    /// As the program was read: an edge for each statement
    Source,
    /// After the reductions, as the engine gets it
    Reduced,
    /// As the engine leaves it: locations with formulas
    Labelled,
}

/// `--format` of a graph
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormatArg {
    /// The program-graph language, which `ult` reads as well
    Ult,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}
