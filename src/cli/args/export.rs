//! `ult export`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::read::ReadArgs;
use super::seconds::seconds;

/// `ult export`
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A Boogie program (.bpl), C program (.c, .i), program graphs (.ult), Horn clauses (.smt2), a circuit (.aag, .aig, .btor2, .dimspec) or SV-LIB (.svlib); `-` reads from stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = ExportFormatArg::Chc, long_help = EXPORT_FORMATS)]
    pub format: ExportFormatArg,
    /// Ask about this obligation only; the head of the output numbers them. Without it: about all together
    #[arg(long, value_name = "NUMBER")]
    pub obligation: Option<usize>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// `--format` of an export
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormatArg {
    /// Constrained Horn clauses in SMT-LIB
    Chc,
    /// A circuit, as an and-inverter graph
    Aiger,
    /// A circuit, with words of one bit
    Btor2,
    /// A circuit, as four sets of clauses
    Dimspec,
    /// A circuit, as a module of SMV
    Smv,
    /// A program in SV-LIB
    SvLib,
}

const EXPORT_FORMATS: &str = "The form of the output

chc: constrained Horn clauses in SMT-LIB (`set-logic HORN`), in the format of CHC-COMP, with one query. \
They are satisfiable exactly if no obligation can be violated. Each location is a predicate over the variables \
that matter there. Each recursive procedure has a predicate for what it does (globals before, in-parameters, \
globals after, out-parameters), and one for when it fails, unless it is an entry; with `--calls contract` each \
procedure with a body has them. Constants are further arguments, functions are arrays. Quantifiers, and what \
the formulas cannot express, are refused.

aiger, btor2, dimspec, smv: the circuit that `--engine bits-bmc` and `--engine ic3` work on, of the one procedure (or \
program graph) with obligations. A step goes from one loop head to the next; a bad state, or a goal, is one whose \
step violates an obligation. Arrays, reals and integers without known bounds are refused; for C programs, \
`--int-encoding bits` makes numbers words. AIGER is written in its binary form to files whose names end in `.aig`, and \
in letters otherwise.

sv-lib: a program in SV-LIB 1.0 with the traces of the program graphs that `ult graph` shows. Each procedure (or program graph) \
with obligations is a procedure with a `verify-call`; locations are labels, edges the alternatives of a `choice`, error locations \
labels at which `false` is to be true. Calls are inlined; recursion, expressions for maps (`lambda`) and what the formulas cannot \
express are refused.";
