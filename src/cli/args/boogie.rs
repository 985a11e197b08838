//! `ult boogie`

use clap::Args;

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

pub(super) const BOOGIE: &str = "Prove or refute as `boogie` does: with its options, in its words

For programs that call Boogie. Each procedure is verified by itself: calls say what contracts say, loops what their \
invariants say, as by `ult check --modular`. Messages and the last line are those of Boogie 3. An assertion that does not \
follow is an error, whether or not a trace is known that violates it. What there was no time for has timed out; nothing that \
is open is verified. The exit code is 0 whatever was found, and 1 if the command line is wrong.

Options begin with `/`, `-` or `--`; arguments follow a colon, or are the next word. These have an effect:

- timeLimit:SECONDS         for each procedure; 0, as without it, is no limit
- processTimeLimit:SECONDS  for all
- errorLimit:NUMBER         report at most this many errors of each procedure: 5 without it, all with 0
- errorTrace:NUMBER         0: without traces into errors
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
