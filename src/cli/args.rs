//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::c::CArgs;
use super::cache::{CacheArgs, KeepArgs};
pub use super::grade::GradeArgs;
pub use super::many::args::{ManyArgs, MergeArgs, WatchArgs};
pub use super::project::init::InitArgs;
use ult_engine::EngineKind;
use ult_engine::verify::Method;
use ult_engine::{circuit, reach};
use ult_interpolate::Strategy;
use ult_reduce::Blocks;

/// A program verifier: for each assertion of a program, whether it holds in every run.
#[derive(Parser, Debug)]
#[command(
    name = "ult",
    // `--version` says more: see `crate::command`.
    version,
    disable_help_subcommand = false,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 safe, 1 unsafe, 2 usage, 3 input rejected, 4 unknown, 5 solver missing or \
                  unsuitable, 6 nothing to check, 101 internal error, 130 interrupted, 141 the output is not read.\n\nTry: ult check examples/seed.bpl"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove or refute the assertions of programs
    Check(Box<CheckArgs>),
    /// Check programs again whenever they change, until Ctrl-C
    Watch(Box<WatchArgs>),
    /// Put the results of `ult check --shard` together
    Merge(MergeArgs),
    /// Make a small project with a project file `ult.toml`
    Init(InitArgs),
    /// Prove or refute as `boogie` does: with its options, in its words
    #[command(long_about = BOOGIE)]
    Boogie(BoogieArgs),
    /// Add the loop invariants and postconditions to a Boogie program that its proof needs
    #[command(long_about = INFER)]
    Infer(InferArgs),
    /// Show the program graphs of a program, as text or as pictures
    Graph(GraphArgs),
    /// Write a program in a form for other verifiers
    Export(ExportArgs),
    /// List the engines, and what can be chosen independently of them
    Engines,
    /// Run a program on concrete values
    Run(RunArgs),
    /// Show a C program as the Boogie program that is verified
    Translate(TranslateArgs),
    /// Write programs in their usual layout; comments and empty lines stay
    Fmt(FmtArgs),
    /// Serve an editor: messages, verdicts and navigation in the language server protocol, over stdin and stdout
    Lsp(LspArgs),
    /// Open the laboratory: a page in the browser to step through the refinement, predict it, and take part in it
    #[command(long_about = LAB)]
    Lab(LabArgs),
    /// Grade what students handed in for an exercise, or try the exercise itself
    #[command(long_about = GRADE)]
    Grade(GradeArgs),
    /// Check a witness for a verdict on a C program
    Validate(ValidateArgs),
    /// Say how much evidence a folder of `--cache` holds, and make it smaller
    Cache(CacheArgs),
    /// Explain a message (E0101) or a reason for UNKNOWN (timeout)
    Explain(ExplainArgs),
    /// Try on this machine what verdicts depend on, and say what to do where something is wrong
    #[command(long_about = DOCTOR)]
    Doctor,
    /// Write a script that completes the command line in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

/// How programs are read; for every subcommand that reads one.
#[derive(Args, Debug)]
pub struct ReadArgs {
    /// The language of the input; without it, files that end in `.ult` are program graphs, those that end in `.smt2` Horn clauses, those that end in `.c` or `.i` C, those that end in `.aag`, `.aig`, `.btor`, `.btor2` or `.dimspec` circuits, those that end in `.svlib` SV-LIB, all others Boogie
    #[arg(long, value_enum)]
    pub language: Option<LanguageArg>,
    /// Start from this procedure only; may be repeated. Without it: from `ULTIMATE.start` if there is one, else
    /// from every procedure with a body. In C: a function that is called from outside, again and again, with any
    /// arguments; without it, runs start from `main`, or in a program without it, from all functions that it does not
    /// call itself
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated. Its procedures are only checked where proofs rely on them
    #[arg(long, value_name = "NAME|FILE.bpl")]
    pub library: Vec<String>,
    /// Boogie's own reading: calls through contracts, loops through the given invariants only
    #[arg(long)]
    pub modular: bool,
    /// What happens at calls
    #[arg(long, value_enum, default_value_t = CallsArg::Auto)]
    pub calls: CallsArg,
    /// Which edges are merged before the engine starts
    #[arg(long, value_name = "BLOCKS", default_value_t = Blocks::default(), long_help = blocks())]
    pub blocks: Blocks,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
}

/// `ult check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Boogie programs (.bpl), C programs (.c, .i), program graphs (.ult), Horn clauses (.smt2), circuits (.aag, .aig, .btor2, .dimspec) and SV-LIB (.svlib), or folders with such files; `-` reads from stdin. Without any: the files of the project, see `--project`
    #[arg(value_name = "FILE|FOLDER")]
    pub files: Vec<PathBuf>,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Check each C file by itself. Without it, C files that are named here are one program if at most one of them defines `main`
    #[arg(help_heading = "C programs", long)]
    pub separate: bool,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// Leave these engines out of the portfolio, with commas between them
    #[arg(long, value_name = "ENGINE", value_delimiter = ',')]
    pub without: Vec<EngineKind>,
    /// How interpolants are computed
    #[arg(long, value_name = "STRATEGY", default_value_t = Strategy::Auto, long_help = strategies())]
    pub interpolation: Strategy,
    /// What is known about loops before the first path is looked at
    #[arg(long, value_enum, default_value_t = AuxiliaryArg::Auto)]
    pub auxiliary: AuxiliaryArg,
    /// Choices about the engines `impact` and `predicate`, with commas between them; `ult engines` lists them
    #[arg(long = "with", value_name = "CHOICE", value_delimiter = ',')]
    pub with: Vec<reach::Part>,
    /// Choices about the engines `bits-bmc` and `ic3`, with commas between them; `ult engines` lists them
    #[arg(long, value_name = "CHOICE", value_delimiter = ',')]
    pub circuit: Vec<circuit::Part>,
    /// Prove everything a second time with this solver (a command that reads SMT-LIB), such as cvc5
    #[arg(long, value_name = "CMD")]
    pub check_with: Option<String>,
    /// Stop after this many seconds, for all files together; without it, after 600 for each file
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
    /// For one C program: write a witness for the verdict to this file, in version 2 of the YAML format of SV-COMP. For one circuit: a run in its own format, or for AIGER a circuit with an inductive invariant. For one program in SV-LIB: a witness in SV-LIB, which `ult validate` reads
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// For one C program: if it is violated, write a C file to this file that feeds the inputs of the run to the program; both compiled together reach the violation
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,
    /// For one C program: if it is violated, write commands for the debugger gdb to this file that stop the program, compiled with its harness, near the violation
    #[arg(long, value_name = "FILE")]
    pub gdb: Option<PathBuf>,
    /// Whether the run of a violated C program is tried with the compiled program
    #[arg(long, value_enum, default_value_t = ConfirmArg::Auto, long_help = CONFIRM)]
    pub confirm: ConfirmArg,
    /// The C compiler for `--confirm`; without it `$CC`, or `cc`
    #[arg(long, value_name = "CMD")]
    pub cc: Option<String>,
    /// Write a page for the browser to this file: source, program graphs, each step of the refinement, and runs with their values. It needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show the loop invariants that the proofs use
    #[arg(long)]
    pub show_invariants: bool,
    /// Where evidence is kept.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Show how the engines slicing, impact and predicate refine the abstraction, step by step
    #[arg(long)]
    pub trace_refinement: bool,
    /// Show which engines of the portfolio work on each unit, in which order, and why
    #[arg(long)]
    pub explain_portfolio: bool,
    /// Verify this many times more, each time with another seed of the solver, and Boogie programs with their declarations in another order and their symbols renamed; report what does not get the same verdict. All runs share the time
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: Option<u32>,
    /// Show counters, and the time of each phase
    #[arg(long)]
    pub stats: bool,
    /// Write every question to the solver into this folder as SMT-LIB, with its answer and time
    #[arg(long, value_name = "FOLDER")]
    pub log_queries: Option<PathBuf>,
    /// Colours
    #[arg(long, value_enum, default_value_t = ColorArg::Auto)]
    pub color: ColorArg,
    /// Print only the last line for each file, and no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Many files, and many machines.
    #[command(flatten)]
    pub many: ManyArgs,
}

/// `ult boogie`
#[derive(Args, Debug)]
pub struct BoogieArgs {
    /// Boogie's options, such as `/timeLimit:10`, and Boogie programs (.bpl), which are one program together; `-` reads from stdin
    #[arg(
        value_name = "OPTION|FILE",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<String>,
}

/// `ult infer`
#[derive(Args, Debug)]
pub struct InferArgs {
    /// A Boogie program; `-` reads from stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only for the loop on this line, or the last one before it
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub line: Option<u32>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = InferFormatArg::Text)]
    pub format: InferFormatArg,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// The forms of what was inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferFormatArg {
    /// The whole program
    Text,
    /// What was added, with the lines of the loops, and the whole program
    Json,
}

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

/// `ult run`
#[derive(Args, Debug)]
pub struct RunArgs {
    /// A Boogie program (.bpl), C program (.c, .i; several files are linked) or program graph (.ult); `-` reads from stdin
    #[arg(value_name = "FILE", required_unless_present = "arguments")]
    pub files: Vec<PathBuf>,
    /// The arguments that the function `main` of a C program gets; if no file stands before `--`, the first is the file
    #[arg(value_name = "ARGUMENT", last = true)]
    pub arguments: Vec<OsString>,
    /// The language of the input; without it, the file's name decides, as in `ult check`
    #[arg(long, value_enum)]
    pub language: Option<LanguageArg>,
    /// Start with this procedure (or graph). Without it: `ULTIMATE.start` if there is one, else the only one, else `main`
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated
    #[arg(long, value_name = "NAME|FILE.bpl")]
    pub library: Vec<String>,
    /// The first values that the program leaves open, as integers with commas between them, or `@FILE` with such a list. In C: what `__VERIFIER_nondet_*` and functions without a body return. Else: the parameters of the entry, what `havoc` and procedures without a body give, and which way is taken where several are open
    #[arg(long, value_name = "LIST|@FILE", allow_hyphen_values = true)]
    pub inputs: Vec<String>,
    /// What the inputs do not say is random, and determined by this number. Without it: zero, where the assumptions that follow allow it. Both look at the assumptions that follow, and choose what they allow if they find it
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Stop after this many statements; 0 for no limit
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000_000)]
    pub steps: u64,
    /// Print the value that this variable has at the end; may be repeated
    #[arg(long, value_name = "NAME")]
    pub show: Vec<String>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
}

/// `ult translate`
#[derive(Args, Debug)]
pub struct TranslateArgs {
    /// A C program (.c, .i; several files are linked); `-` reads from stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `ult fmt`
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Boogie programs (.bpl) and program graphs (.ult), which are rewritten; `-` or nothing formats stdin to stdout
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, and list the files that would change; then the exit code is 1
    #[arg(long)]
    pub check: bool,
    /// The language; without it, files that end in `.ult` are program graphs, all others Boogie
    #[arg(long, value_enum)]
    pub language: Option<FmtLanguageArg>,
}

/// `--language` of `ult fmt`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmtLanguageArg {
    /// Boogie programs
    Boogie,
    /// Program graphs
    Graph,
}

/// `ult lsp`
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Do not check a file whenever it is saved
    #[arg(long)]
    pub no_check_on_save: bool,
    /// Do not check a file when it is opened
    #[arg(long)]
    pub no_check_on_open: bool,
    /// Stop a check after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout: Duration,
    /// Stop a check when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Boogie's own reading: calls through contracts, loops through the given invariants only
    #[arg(long)]
    pub modular: bool,
    /// What happens at calls
    #[arg(long, value_enum, default_value_t = CallsArg::Auto)]
    pub calls: CallsArg,
    /// Add the declarations of a library to Boogie programs: a name that comes with `ult` (array, math, sequence), or a file; may be repeated
    #[arg(long, value_name = "NAME|FILE.bpl")]
    pub library: Vec<String>,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// How C is read.
    #[command(flatten)]
    pub c: CArgs,
    /// Whether the runs of violated C programs are tried with the compiled program, as by `ult check --confirm`: it is not, unless this is given
    #[arg(long, value_enum, default_value_t = ConfirmArg::Never)]
    pub confirm: ConfirmArg,
    /// The C compiler for `--confirm`; without it `$CC`, or `cc`
    #[arg(long, value_name = "CMD")]
    pub cc: Option<String>,
    /// Where evidence is kept: in memory, unless a folder is named.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Does nothing: stdin and stdout are used anyway. Some editors pass it
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `ult validate`
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// The witness: for C a violation sequence or an invariant set in version 2 of the YAML format of SV-COMP, for SV-LIB a witness in SV-LIB
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    /// The program in C (.c, .i) or SV-LIB (.svlib)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// The algorithm
    #[arg(long, value_name = "ENGINE", default_value_t = Method::default(), long_help = engines())]
    pub engine: Method,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop when the process uses this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}

/// `ult explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The id of a message, such as E0101, or a reason for UNKNOWN, such as timeout
    #[arg(value_name = "ID", required_unless_present = "list")]
    pub id: Option<String>,
    /// List everything that can be explained
    #[arg(long, conflicts_with = "id")]
    pub list: bool,
}

/// `ult completions`
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `ult man`
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The page of this command; without it, that of `ult` itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write all pages to files in this folder, such as `ult.1` and `ult-check.1`, instead of one to stdout
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// `--language`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageArg {
    /// Boogie programs
    Boogie,
    /// Program graphs
    Graph,
    /// Horn clauses in SMT-LIB
    Horn,
    /// C
    C,
    /// Circuits in AIGER
    Aiger,
    /// Circuits in BTOR2
    Btor2,
    /// Circuits in DimSpec
    Dimspec,
    /// Programs in SV-LIB
    SvLib,
}

/// `--calls`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallsArg {
    /// Inline callees that have a body and are not recursive, unless the graph gets too large
    Auto,
    /// Inline every callee that has a body and is not recursive
    Inline,
    /// The same, with each body once in the graph: a variable holds the place to return to
    Once,
    /// Use contracts
    Contract,
}

/// `--confirm`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmArg {
    /// Compile it, and run it if it can do nothing outside of itself
    Auto,
    /// Compile and run it, whatever it does; what is not confirmed is UNKNOWN
    Always,
    /// Compile and run nothing
    Never,
}

/// `--auxiliary`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuxiliaryArg {
    /// Linear equations, remainders, and comparisons from the program that hold in every run
    Auto,
    /// Nothing: the algorithm of the paper alone
    None,
}

/// `--format` of a report
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatArg {
    /// For people; the last line for each file has a fixed grammar
    Text,
    /// For programs: one JSON object, or an array of them for several files
    Json,
    /// For code scanning and editors: SARIF 2.1.0, one log for all files
    Sarif,
    /// For continuous integration: JUnit XML, a suite for each file and a case for each obligation
    Junit,
}

/// `--color`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
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

const CONFIRM: &str = "Whether the run of a violated C program is tried with the compiled program

The program is compiled with a second file that feeds it the inputs of the run, with the sanitizers that the compiler \
has, and run: in a temporary folder, without input and without output, for a few seconds. The report says whether it \
reaches the violation, and if not, why that may be. If it does not although nothing explains it, the translation of the \
program may be wrong, and the verdict is UNKNOWN(translation).

- auto:   the program is run only if it takes nothing from outside but functions that cannot do anything there (of \
memory, strings, numbers, and output); it is not if it opens files or connections, starts processes, or contains \
assembler code. This keeps programs from doing what they say they do; it is no cage for one that was made to break out
- always: the program is run, whatever it does; where possible without network. A violation that the compiled program \
does not confirm is UNKNOWN(not-confirmed)
- never:  nothing is compiled and nothing is run";

const BOOGIE: &str = "Prove or refute as `boogie` does: with its options, in its words

For programs that call Boogie. Each procedure is verified by itself: calls say what contracts say, loops what their \
invariants say, as by `ult check --modular`. Messages and the last line are those of Boogie 3. An assertion that does not \
follow is an error, whether or not a run is known that violates it. What there was no time for has timed out; nothing that \
is open is verified. The exit code is 0 whatever was found, and 1 if the command line is wrong.

Options begin with `/`, `-` or `--`; arguments follow a colon, or are the next word. These have an effect:

- timeLimit:SECONDS         for each procedure; 0, as without it, is no limit
- processTimeLimit:SECONDS  for all
- errorLimit:NUMBER         report at most this many errors of each procedure: 5 without it, all with 0
- errorTrace:NUMBER         0: without runs into errors
- loopUnroll:NUMBER         follow loops for this many rounds instead of cutting them at their invariants; later rounds are left out
- proc:NAME, noProc:NAME    verify these procedures only, or all but these; `*` stands for any text
- noVerify                  names and types only
- inferModifies             procedures may change what their `modifies` clauses leave out
- contractInfer             find out which candidates hold: annotations `b ==> e` with `const {:existential true} b: bool`
- printAssignment           print the values of these constants
- useBaseNameForFileName    files without their folders
- verifySeparately          each file is a program of its own
- print:FILE                print the program; `-` is stdout
- xml:FILE                  write what was found as XML
- trace, quiet, silent      more or less output
- version                   the version, and nothing else

Options that only say how Boogie works (`/proverOpt`, `/vcsCores`, `/typeEncoding`, `/prune` ...) are accepted. All others \
are named in a warning.";

const LAB: &str = "Open the laboratory: a page in the browser to step through the refinement, predict it, and take part in it

The address of the page is printed; the page is there until the command is interrupted. It listens on the loopback interface \
alone, and the address holds a token that is another one each time.

On the page a program is edited and checked. Slicing abstraction, IMPACT or predicate abstraction can be stepped through: each step \
can be predicted, and where a path is infeasible, interpolants can be given in place of the engine's. They are checked, and a \
model shows what is wrong with them. The verdict is the checker's.

With `--output`, a page is written that needs no server: the examples' steps are recorded in it, and can be predicted.";

const INFER: &str = "Add the loop invariants and postconditions to a Boogie program that its proof needs

Loops are searched for proofs, procedure by procedure, and what the proofs say about loops is written to them: as `invariant` \
clauses, or after labels as assertions, as Boogie reads them. Where calls need more than contracts say, postconditions are \
written, too. Of all that, only what the proof needs is kept. The program \
that is printed is one that `ult check --modular` proves, and so does every tool that knows of loops what their invariants say.

Where that does not succeed, the exit code is 4, and the program is printed with those invariants that were proved; where an \
assertion is violated, it is 1, and the program is printed as it was.";

const GRADE: &str = "Grade what students handed in for an exercise, or try the exercise itself

A submission passes if it is the program that was handed out up to what students may change, if `ult check` proves it with the \
options of the exercise, if runs get to its assertions, and if the checks hold that students do not see. Where it fails, the \
reason is named, with the line and the values of a counterexample.

What cannot be decided in time is reported as such, and gets no points. The exit code is that of the most urgent submission: 0 if \
all pass, 1 if one fails, 3 if one is not a program, 4 if one is not decided.";

const DOCTOR: &str = "Try on this machine what verdicts depend on, and say what to do where something is wrong

Shown and tried are: the versions of ult and of its solver Z3, and the file that Z3 was loaded from; that the solver \
answers questions whose answers are known, interpolates, eliminates quantifiers, keeps time limits and can be cancelled; \
a program of each language, from its text to SAFE and to UNSAFE, for C with the preprocessor and both data models; and \
which editors there are.

What does not answer in time has failed, and nothing is tried after it.

The exit code is 0 only if all is well, 5 if the solver is at fault, and 1 if something else is.";

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

sv-lib: a program in SV-LIB 1.0 with the runs of the program graphs that `ult graph` shows. Each procedure (or program graph) \
with obligations is a procedure with a `verify-call`; locations are labels, edges the alternatives of a `choice`, error locations \
labels at which `false` is to be true. Calls are inlined; recursion, expressions for maps (`lambda`) and what the formulas cannot \
express are refused.";

/// A positive number of seconds, possibly fractional.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("not a positive number of seconds".into()),
    }
}

/// The help of `--blocks`.
fn blocks() -> String {
    let mut text = String::from("Which edges are merged before the engine starts\n\nBlocks:\n");
    for (blocks, meaning) in Blocks::ALL {
        text += &format!("- {:<11} {meaning}\n", format!("{blocks}:"));
    }
    text + &format!("- {:<11} {}", "a number:", Blocks::NUMBER)
}

/// The help of `--engine`.
fn engines() -> String {
    let mut text = String::from("The algorithm\n\nEngines:\n");
    text += &format!("- {:<12} {}\n", "portfolio:", super::engines::PORTFOLIO);
    for (kind, meaning) in EngineKind::ALL {
        text += &format!("- {:<12} {meaning}\n", format!("{kind}:"));
    }
    text.trim_end().to_owned()
}

/// The help of `--interpolation`.
fn strategies() -> String {
    let mut text = String::from("How interpolants are computed\n\nStrategies:\n");
    for (strategy, meaning) in Strategy::ALL {
        text += &format!("- {:<18} {meaning}\n", format!("{strategy}:"));
    }
    text += "- external:CMD:      a solver that reads SMT-LIB: smtinterpol, opensmt, mathsat, cvc5, or a command line";
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(super::seconds("0.2").unwrap().as_millis(), 200);
        for wrong in ["0", "-1", "nan", "inf", "1s", "", "1e300"] {
            assert!(super::seconds(wrong).is_err(), "{wrong}");
        }
    }
}
