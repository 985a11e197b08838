//! Runs Boogie programs on concrete values.
//!
//! What is run is the typed program, not the program graph that lowering makes of it: calls, recursion and loops are
//! there as the user wrote them, a run has a call stack, and the interpreter shares neither code nor mistakes with
//! lowering, formulas and the solver. Where both read the same program, the one is a test of the other.
//!
//! ```
//! use ult_interpret::{Choices, End, Program, run};
//!
//! let text = "procedure p(n: int) requires n >= 3; { var i: int; while (i < n) { i := i + 1; } assert i == 3; }";
//! let (hir, problems) = ult_lang::analyze_boogie(text);
//! assert!(problems.is_empty());
//! let program = Program::new(&hir, hir.procedures.first().map(|_| ult_lang::hir::ProcedureId(0)).unwrap(), &|_| true);
//! let outcome = run(&program, &Choices::default(), &Default::default(), &|| true);
//! assert_eq!(outcome.end, End::Finished);
//! ```
//!
//! | module | idea |
//! |---|---|
//! | `code` | the program in the form in which it is run |
//! | `compile` | how it gets into that form |
//! | `value`, `map` | values |
//! | `ops`, `float` | operators on them |
//! | `eval` | expressions on a state |
//! | `choice` | what programs leave open: inputs, `havoc`, ways to go |
//! | `machine` | statements, one after the other |
//! | `outcome` | what became of a run |

mod choice;
mod code;
mod compile;
mod eval;
mod float;
mod machine;
mod map;
mod ops;
mod outcome;
mod trouble;
mod value;

pub use choice::Choices;
pub use code::Obligation;
pub use machine::End;
pub use outcome::{Activation, Limits, Outcome, Program, Returned, Shown, run};
