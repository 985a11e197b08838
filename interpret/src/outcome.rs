//! A whole run, and what became of it.

use num_bigint::BigInt;
use ult_lang::hir;
use ult_lang::hir::ProcedureId;
use ult_lang::span::Span;

use crate::choice::{Choices, Chooser};
use crate::code::Code;
use crate::compile::{compile, graph};
use crate::eval::State;
use crate::machine::{End, Machine};
use crate::value::Value;

/// A program that can be run.
pub struct Program<'p> {
    code: Code,
    datatypes: &'p [hir::Datatype],
    entry: &'p str,
}

impl<'p> Program<'p> {
    /// Compiles a program that begins with a procedure. `is_input` says of places whether values chosen there are
    /// inputs.
    pub fn new(
        program: &'p hir::Program,
        entry: ProcedureId,
        is_input: &dyn Fn(Span) -> bool,
    ) -> Self {
        Program {
            code: compile(program, entry, is_input),
            datatypes: &program.background.datatypes,
            entry: &program.procedures[entry.index()].name,
        }
    }

    /// Compiles a graph of a program.
    pub fn graph(program: &'p hir::GraphProgram, graph_to_run: &'p hir::Graph) -> Self {
        Program {
            code: graph(program, graph_to_run),
            datatypes: &program.background.datatypes,
            entry: &graph_to_run.name,
        }
    }
}

/// What to run, and what to tell.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many statements at most.
    pub steps: Option<u64>,
    /// Variables whose values at the end are wanted.
    pub show: Vec<String>,
    /// The procedure whose results are wanted; the entry, if this is not given.
    pub results_of: Option<String>,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// How many statements were carried out.
    pub steps: u64,
    /// Where it ended, innermost first; empty if it finished.
    pub stack: Vec<Activation>,
    /// The results of the procedure that was asked for, if it returned.
    pub results: Vec<Returned>,
    /// The variables that were asked for; for a name that is not known there is nothing.
    pub shown: Vec<Shown>,
    /// Axioms that could not be evaluated: the run may be one that they exclude.
    pub skipped_axioms: Vec<Span>,
    /// Whether functions without a definition returned values of our choice, which axioms may exclude.
    pub has_chosen_functions: bool,
}

/// A procedure that has been called and did not return.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The name of the procedure; empty for what comes before the entry.
    pub procedure: String,
    /// Where it is.
    pub span: Span,
}

/// The value of a variable at the end of a run.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The name.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

/// What a procedure returned.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The value as text.
    pub text: String,
    /// The value, if it is an integer or a bit-vector.
    pub number: Option<BigInt>,
}

impl Returned {
    fn of(value: &Value) -> Returned {
        Returned {
            text: value.to_string(),
            number: match value {
                Value::Bits(bits) => Some(BigInt::from(*bits)),
                value => value.as_big(),
            },
        }
    }
}

/// Runs a program as long as `go_on` says so.
pub fn run(
    program: &Program<'_>,
    choices: &Choices,
    limits: &Limits,
    go_on: &dyn Fn() -> bool,
) -> Outcome {
    let chooser = Chooser::new(choices, program.datatypes);
    let state = State::new(&program.code, chooser);
    let mut machine = match Machine::new(state) {
        Ok(machine) => machine,
        Err(trouble) => {
            return Outcome {
                end: End::Unsupported(trouble.what.to_string()),
                steps: 0,
                stack: Vec::new(),
                results: Vec::new(),
                shown: Vec::new(),
                skipped_axioms: Vec::new(),
                has_chosen_functions: false,
            };
        }
    };
    machine.watch(limits.results_of.as_deref().unwrap_or(program.entry));
    let end = machine.run(limits.steps, go_on);
    let shown = limits.show.iter().flat_map(|name| {
        machine
            .named(name)
            .into_iter()
            .map(|(name, value, ty)| Shown {
                name: name.to_string(),
                value: value.shown(&ty),
            })
    });
    Outcome {
        steps: machine.steps(),
        stack: machine
            .activations()
            .map(|(body, span, _)| Activation {
                procedure: body.name.to_string(),
                span,
            })
            .collect(),
        results: machine
            .results()
            .unwrap_or_default()
            .iter()
            .map(Returned::of)
            .collect(),
        shown: shown.collect(),
        skipped_axioms: machine.skipped().to_vec(),
        has_chosen_functions: machine.state().has_chosen_functions(),
        end,
    }
}
