//! How C is read: the options of all commands that read programs.

use clap::Args;
use ult_c::types::DataModel;
use ult_c::{IntegerEncoding, Overapprox, SignedOverflow};

use super::expert::EXPERT;
use super::property::Wanted;
use ult_witness::confirm;

/// The heading above the options in help texts.
const C: &str = "C programs";

/// How C is read.
#[derive(Args, Debug, Clone, Default)]
pub struct CArgs {
    /// The sizes of types
    #[arg(help_heading = C, long, value_enum, default_value_t = DataModel::default())]
    pub data_model: DataModel,
    /// How integers are expressed
    #[arg(help_heading = C, long, value_enum, default_value_t = IntegerEncoding::default(), hide_short_help = true)]
    pub int_encoding: IntegerEncoding,
    /// What must not happen; may be repeated. Without it: no assertion fails, and no behavior is undefined
    #[arg(help_heading = C, long, value_name = "NAME|FILE.prp", value_parser = super::property::read, long_help = super::property::help())]
    pub property: Vec<Wanted>,
    /// A property that is not checked but assumed; may be repeated
    #[arg(help_heading = C, long, value_name = "NAME", value_parser = super::property::read, conflicts_with = "property")]
    pub assume: Vec<Wanted>,
    /// What a signed overflow is, where it is not the property
    #[arg(help_heading = C, long, value_enum, default_value_t = SignedOverflow::default(), hide_short_help = true)]
    pub signed_overflow: SignedOverflow,
    /// `malloc` and the like may return a null pointer
    #[arg(help_heading = C, long, hide_short_help = true)]
    pub malloc_may_fail: bool,
    /// Whether proofs are looked for in an over-approximation, too, where memory contains anything
    #[arg(help_heading = EXPERT, hide = true, long, alias = "coarse", value_enum, default_value_t = Overapprox::default())]
    pub overapprox: Overapprox,
    /// The preprocessor, for files with directives; without it `$CC -E`, or `cc -E`
    #[arg(help_heading = C, long, value_name = "CMD", hide_short_help = true)]
    pub cpp: Option<String>,
}

pub(super) const CONFIRM: &str = "Whether the counterexample of a violated C program is tried with the compiled program

The program is compiled with a second file that feeds it the inputs of the counterexample, with the sanitizers that the compiler \
has, and run: in a temporary folder, without input and without output, for a few seconds. The report says whether it \
reaches the violation, and if not, why that may be. If it does not although nothing explains it, the translation of the \
program may be wrong, and the verdict is UNKNOWN(translation).

- auto:   the program is run only if it takes nothing from outside but functions that cannot do anything there (of \
memory, strings, numbers, and output); it is not if it opens files or connections, starts processes, or contains \
assembler code. This keeps programs from doing what they say they do; it is no cage for one that was made to break out
- always: the program is run, whatever it does; where possible without network. A violation that the compiled program \
does not confirm is UNKNOWN(not-confirmed)
- never:  nothing is compiled and nothing is run";

/// How violations are confirmed by a compiler, as the command line says.
pub(crate) fn confirmation(
    args: &CArgs,
    mode: confirm::Mode,
    compiler: Option<&str>,
) -> confirm::Settings {
    let compiler = match compiler {
        Some(command) => command.to_owned(),
        None => std::env::var("CC").unwrap_or_default(),
    };
    let mut words: Vec<String> = compiler.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        words.push("cc".into());
    }
    confirm::Settings {
        mode,
        compiler: words,
        headers: headers(args.cpp.as_deref().unwrap_or_default()),
        model: args.data_model,
        wraps: args.signed_overflow == SignedOverflow::Wrap,
        malloc_may_fail: args.malloc_may_fail,
        properties: args.all_properties(),
    }
}

/// What a preprocessor is told about headers and macros, for a compiler to be told the same.
fn headers(cpp: &str) -> Vec<String> {
    const OPTIONS: [&str; 8] = [
        "-I",
        "-D",
        "-U",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-imacros",
    ];
    let mut words = cpp.split_whitespace();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if OPTIONS.contains(&word) {
            found.push(word.to_owned());
            found.extend(words.next().map(str::to_owned));
        } else if OPTIONS.iter().any(|option| word.starts_with(option)) {
            found.push(word.to_owned());
        }
    }
    found
}

impl CArgs {
    /// What the translator is told.
    pub fn options(&self) -> ult_c::Options {
        ult_c::Options {
            model: self.data_model,
            integers: self.int_encoding,
            properties: super::property::together(&self.property),
            conditions: self.conditions(),
            signed_overflow: self.signed_overflow,
            malloc_may_fail: self.malloc_may_fail,
            // They are an argument of other languages, too.
            check_pointers: false,
            overapprox: self.overapprox,
            evaluation: match super::property::together(&self.assume).order {
                true => ult_c::Evaluation::LeftToRight,
                false => ult_c::Evaluation::AnyOrder,
            },
            members: ult_c::Members::Apart,
            entries: Vec::new(),
            arguments: None,
        }
    }

    /// What is checked besides the assertions, if no property was asked for by name.
    fn conditions(&self) -> Option<ult_c::Properties> {
        let accepted = super::property::together(&self.assume);
        let all = ult_c::Properties::undefined();
        self.property
            .is_empty()
            .then(|| match self.assume.is_empty() {
                true => all,
                false => all.without(&accepted),
            })
    }

    /// All that is checked.
    fn all_properties(&self) -> ult_c::Properties {
        let options = self.options();
        match &options.conditions {
            Some(conditions) => options.properties.or(conditions),
            None => options.properties,
        }
    }
}
