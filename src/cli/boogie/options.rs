//! Boogie's options: which there are, and what they say here.
//!
//! An option is a word that begins with `/` or `-` (or `--`), with its argument behind a colon or as the next word. A
//! word that begins with `/` and is no option is a file.

use std::path::{Path, PathBuf};

/// What the command line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// The programs.
    pub files: Vec<PathBuf>,
    /// Seconds for each body; 0 for no limit.
    pub time_limit: u64,
    /// Seconds for all; 0 for no limit.
    pub process_time_limit: u64,
    /// How many errors are told of each body; 0 for all.
    pub error_limit: usize,
    /// How much is told of runs into errors.
    pub error_trace: u64,
    /// For how many rounds loops are followed; without that, they are cut at their invariants.
    pub loop_unroll: Option<u32>,
    /// Loops are not to be followed unless it is known that they have no more rounds.
    sound_loop_unrolling: bool,
    /// Patterns of procedures that are verified; without any, all.
    pub procedures: Vec<String>,
    /// Patterns of procedures that are not.
    pub not_procedures: Vec<String>,
    /// Where the program is printed to.
    pub print: Option<String>,
    /// Where outcomes are written to.
    pub xml: Option<String>,
    /// Boogie's libraries that are asked for.
    pub libraries: Vec<String>,
    /// Each body is announced.
    pub trace: bool,
    /// There is no last line.
    pub quiet: bool,
    /// There is no output.
    pub silent: bool,
    /// Nothing is verified.
    pub no_verify: bool,
    /// Names and types are not looked at either.
    pub no_resolve: bool,
    /// Files are called by the last part of their paths.
    pub base_names: bool,
    /// Procedures may change what they do not say that they change.
    pub infer_modifies: bool,
    /// Constants with `{:existential true}` are found values for.
    pub contract_infer: bool,
    /// These values are printed.
    pub print_assignment: bool,
    /// Each file is a program of its own.
    pub separately: bool,
    /// Only the version is wanted.
    pub version: bool,
    /// What there is to say about words that say nothing here.
    pub warnings: Vec<String>,
    /// What is wrong.
    pub mistakes: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            files: Vec::new(),
            time_limit: 0,
            process_time_limit: 0,
            error_limit: 5,
            error_trace: 1,
            loop_unroll: None,
            sound_loop_unrolling: false,
            procedures: Vec::new(),
            not_procedures: Vec::new(),
            print: None,
            xml: None,
            libraries: Vec::new(),
            trace: false,
            quiet: false,
            silent: false,
            no_verify: false,
            no_resolve: false,
            base_names: false,
            infer_modifies: false,
            contract_infer: false,
            print_assignment: false,
            separately: false,
            version: false,
            warnings: Vec::new(),
            mistakes: Vec::new(),
        }
    }
}

/// Options with an argument that say how Boogie does its work, and nothing about what is asked.
const MANNERS_WITH_ARGUMENT: &[&str] = &[
    "bv",
    "coalesceBlocks",
    "emitDebugInformation",
    "enhancedErrorMessages",
    "env",
    "infer",
    "instrumentInfer",
    "liveVariableAnalysis",
    "logPrefix",
    "modelviewerFile",
    "mv",
    "normalizeDeclarationOrder",
    "normalizeNames",
    "p",
    "pretty",
    "printModel",
    "printModelToFile",
    "printVerifiedProceduresCount",
    "prover",
    "proverDll",
    "proverLog",
    "proverOpt",
    "proverPreamble",
    "proverWarnings",
    "prune",
    "randomSeed",
    "randomSeedIterations",
    "randomizeVcIterations",
    "removeEmptyBlocks",
    "rlimit",
    "simplifyMatchDepth",
    "smokeTimeout",
    "subsumption",
    "timeLimitPerAssertionInPercent",
    "traceCaching",
    "typeEncoding",
    "vc",
    "vcBrackets",
    "vcsAssumeMult",
    "vcsCores",
    "vcsFinalAssertTimeout",
    "vcsKeepGoingTimeout",
    "vcsLoad",
    "vcsMaxCost",
    "vcsMaxKeepGoingSplits",
    "vcsMaxSplits",
    "vcsPathCostMult",
    "vcsPathJoinMult",
    "vcsPathSplitMult",
    "z3exe",
    "z3opt",
];

/// The same without an argument.
const MANNERS: &[&str] = &[
    "checkInfer",
    "dbgRefuted",
    "forceBplErrors",
    "freeVarLambdaLifting",
    "keepQuantifier",
    "monomorphize",
    "noinfer",
    "nologo",
    "printUnstructured",
    "printWithUniqueIds",
    "proverLogAppend",
    "reflectAdd",
    "relaxFocus",
    "restartProver",
    "runDiagnosticsOnTimeout",
    "traceDiagnosticsOnTimeout",
    "tracePOs",
    "traceTimes",
    "traceverify",
    "useArrayAxioms",
    "useArrayTheory",
    "vcsDumpSplits",
    "vcsSplitOnEveryAssert",
    "wait",
    "warnNotEliminatedVars",
    "z3multipleErrors",
];

/// Options with an argument that ask for something that there is not here.
const LACKING_WITH_ARGUMENT: &[&str] = &[
    "civlDesugaredFile",
    "concurrentHoudini",
    "inline",
    "inlineDepth",
    "kInductionDepth",
    "printCFG",
    "printLean",
    "printPassive",
    "printPruned",
    "printSplit",
    "recursionBound",
    "stagedHoudini",
    "stratifiedInline",
    "trustLayersDownto",
    "trustLayersUpto",
    "verifySnapshots",
];

/// The same without an argument.
const LACKING: &[&str] = &[
    "alwaysAssumeFreeLoopInvariants",
    "deterministicExtractLoops",
    "explainHoudini",
    "extractLoops",
    "overlookTypeErrors",
    "printDesugared",
    "printInlined",
    "printInstrumented",
    "printLambdaLifting",
    "printMeasureDesugaring",
    "printSplitDeclarations",
    "smoke",
    "trackVerificationCoverage",
    "trustInvariants",
    "trustMoverTypes",
    "trustNoninterference",
    "trustRefinement",
    "useUnsatCoreForContractInfer",
    "warnVacuousProofs",
];

/// The word and, behind its colon or as the next word, its argument.
struct Word<'w> {
    /// As it was written, without its argument.
    text: &'w str,
    /// Behind the colon.
    behind: Option<&'w str>,
}

/// Whether a word that is no option is meant as the name of a file.
fn is_path(word: &str) -> bool {
    let path = Path::new(word);
    word.starts_with('/')
        && (word[1..].contains('/') || path.extension().is_some() || path.exists())
}

impl Options {
    /// Reads the words of a command line.
    pub(super) fn of(words: &[String]) -> Options {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let word = word.trim();
            let is_option = word.len() > 1 && word.starts_with(['/', '-']);
            let (text, behind) = match word.split_once(':') {
                Some((text, argument)) if is_option => (text, Some(argument)),
                _ => (word, None),
            };
            if !is_option {
                options.files.push(word.into());
                continue;
            }
            let name = text.strip_prefix("--").unwrap_or(&text[1..]);
            let found = Word { text, behind };
            if !options.flag(name, &found) && !options.valued(name, &found, &mut words) {
                if is_path(word) {
                    options.files.push(word.into());
                } else {
                    options.warn(&found, "is not known");
                }
            }
        }
        options.settle_loops();
        options
    }

    /// Whether loops are followed or cut, and what there is to say about that.
    fn settle_loops(&mut self) {
        if self.loop_unroll.is_none() {
            return;
        }
        let what = match self.sound_loop_unrolling {
            true => {
                self.loop_unroll = None;
                "has no effect beside `/soundLoopUnrolling`: loops are cut at their invariants"
            }
            false => "leaves out what happens in later rounds of loops",
        };
        let word = Word {
            text: "/loopUnroll",
            behind: None,
        };
        self.warn(&word, what);
    }

    fn warn(&mut self, word: &Word<'_>, what: &str) {
        self.warnings
            .push(format!("Boogie's option `{}` {what}", word.text));
    }

    /// An option without an argument. Tells whether it is one.
    fn flag(&mut self, name: &str, word: &Word<'_>) -> bool {
        let place = match name {
            "trace" => &mut self.trace,
            "quiet" => &mut self.quiet,
            "silent" => &mut self.silent,
            "noVerify" => &mut self.no_verify,
            "noResolve" | "noTypecheck" => &mut self.no_resolve,
            "useBaseNameForFileName" => &mut self.base_names,
            // The second one is the older name.
            "inferModifies" | "doModSetAnalysis" => &mut self.infer_modifies,
            "contractInfer" => &mut self.contract_infer,
            "printAssignment" => &mut self.print_assignment,
            "verifySeparately" => &mut self.separately,
            "version" => &mut self.version,
            "soundLoopUnrolling" => &mut self.sound_loop_unrolling,
            name if MANNERS.contains(&name) => return true,
            name if LACKING.contains(&name) => {
                self.warn(word, "has no effect here");
                return true;
            }
            _ => return false,
        };
        *place = true;
        if word.behind.is_some() {
            let mistake = format!("the option `{}` takes no argument", word.text);
            self.mistakes.push(mistake);
        }
        true
    }

    /// An option with an argument. Tells whether it is one.
    fn valued<'w>(
        &mut self,
        name: &str,
        word: &Word<'w>,
        words: &mut impl Iterator<Item = &'w String>,
    ) -> bool {
        const EFFECTIVE: &[&str] = &[
            "timeLimit",
            "processTimeLimit",
            "errorLimit",
            "errorTrace",
            "loopUnroll",
            "proc",
            "noProc",
            "print",
            "xml",
            "lib",
        ];
        let tables = [EFFECTIVE, MANNERS_WITH_ARGUMENT, LACKING_WITH_ARGUMENT];
        if !tables.iter().any(|table| table.contains(&name)) {
            return false;
        }
        let argument = word.behind.or_else(|| words.next().map(String::as_str));
        let Some(argument) = argument else {
            let mistake = format!("the option `{}` lacks its argument", word.text);
            self.mistakes.push(mistake);
            return true;
        };
        let mut number = |place: &mut u64| match argument.parse() {
            Ok(value) => *place = value,
            Err(_) => self.mistakes.push(format!(
                "the argument `{argument}` of the option `{}` is no number",
                word.text
            )),
        };
        match name {
            "timeLimit" => number(&mut self.time_limit),
            "processTimeLimit" => number(&mut self.process_time_limit),
            "errorTrace" => number(&mut self.error_trace),
            "errorLimit" => {
                let mut limit = 0;
                number(&mut limit);
                self.error_limit = usize::try_from(limit).unwrap_or(usize::MAX);
            }
            "loopUnroll" => {
                let mut rounds = 0;
                number(&mut rounds);
                self.loop_unroll = Some(u32::try_from(rounds).unwrap_or(u32::MAX));
            }
            "proc" => self.procedures.push(argument.into()),
            "noProc" => self.not_procedures.push(argument.into()),
            "print" => self.print = Some(argument.into()),
            "xml" => self.xml = Some(argument.into()),
            "lib" => self.libraries.push(argument.into()),
            name if LACKING_WITH_ARGUMENT.contains(&name) => {
                self.warn(word, "has no effect here");
            }
            _ => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Options {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        Options::of(&words)
    }

    #[test]
    fn options_have_three_spellings() {
        for words in [
            "/timeLimit:10 f.bpl",
            "-timeLimit 10 f.bpl",
            "f.bpl --timeLimit:10",
        ] {
            let options = read(words);
            assert_eq!(options.time_limit, 10, "{words}");
            assert_eq!(options.files, [PathBuf::from("f.bpl")], "{words}");
            assert!(options.warnings.is_empty() && options.mistakes.is_empty());
        }
    }

    #[test]
    fn loops_are_followed_or_cut() {
        let options = read("/loopUnroll:3 f.bpl");
        assert_eq!(options.loop_unroll, Some(3));
        assert!(options.warnings[0].contains("later rounds"));
        for words in [
            "/soundLoopUnrolling /loopUnroll:3 f.bpl",
            "/loopUnroll:3 /soundLoopUnrolling f.bpl",
        ] {
            let options = read(words);
            assert_eq!(options.loop_unroll, None);
            assert!(options.warnings[0].contains("at their invariants"));
        }
        assert!(!read("/loopUnroll:many f.bpl").mistakes.is_empty());
    }

    #[test]
    fn a_path_is_no_option() {
        let options = read("/nologo /no/such/file.bpl - /proverOpt:O:smt.x=true");
        let files: Vec<_> = options
            .files
            .iter()
            .map(|f| f.display().to_string())
            .collect();
        assert_eq!(files, ["/no/such/file.bpl", "-"]);
        assert!(options.warnings.is_empty());
    }

    #[test]
    fn what_says_nothing_here_is_named() {
        let options = read("/recursionBound:3 -wrongThing:1 /otherThing f.bpl");
        let words = options.warnings.join("\n");
        for name in [
            "`/recursionBound` has no effect",
            "`-wrongThing` is not",
            "`/otherThing` is not",
        ] {
            assert!(words.contains(name), "{name}: {words}");
        }
        assert_eq!(options.files.len(), 1);
    }

    #[test]
    fn mistakes_are_told() {
        for words in ["/timeLimit:soon", "/trace:1", "/proc"] {
            assert_eq!(read(words).mistakes.len(), 1, "{words}");
        }
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let tables = [
            MANNERS,
            MANNERS_WITH_ARGUMENT,
            LACKING,
            LACKING_WITH_ARGUMENT,
        ];
        let mut all = tables.concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
