//! Engines: a program graph in, evidence out.
//!
//! A module uses only modules of a lower level; `order.rs` keeps it so.
//!
//! | level | module | what it is |
//! |---|---|---|
//! | 0 | `limits` | how long things may take |
//! | 0 | `budget` | processor time of a thread, as a limit |
//! | 0 | `interval` | intervals of integers |
//! | 0 | `thread` | which threads go first |
//! | 0 | [`facts`] | the pool of invariants that engines share |
//! | 0 | [`record`] | what an engine that refines did, step by step |
//! | 0 | [`path`] | a path decided: a run, or interpolants |
//! | 1 | [`blocks`] | long-lived solvers for the edges of a graph |
//! | 1 | [`observers`] | who observes an engine's steps and may explain infeasible paths |
//! | 1 | `live` | variables whose values still matter |
//! | 1 | [`task`] | what an engine is asked, and what it answers |
//! | 2 | [`invariants`] | auxiliary invariants, before and beside an engine |
//! | 2 | `abstract_interpretation` | abstract interpretation, for any domain |
//! | 3 | [`candidate`] | what nearly was an invariant, for people |
//! | 3 | `inductive` | what engines share that find invariants and no runs |
//! | 3 | [`refining`] | engines that refine: their search can pause |
//! | 4 | [`phases`] | an engine around an engine: loops split into phases |
//! | 4 | [`intervals`] | abstract interpretation with intervals |
//! | 5 | [`slicing`] | slicing abstraction |
//! | 5 | [`reach`] | IMPACT, predicate abstraction and what lies between them |
//! | 5 | [`bounded`] | bounded model checking, k-induction |
//! | 5 | [`horn`] | the whole graph as Horn clauses |
//! | 5 | [`execute`] | execution on concrete values |
//! | 5 | [`polyhedra`] | abstract interpretation with convex polyhedra |
//! | 5 | [`explicit`] | explicit values |
//! | 5 | [`deductive`] | one verification condition, by what the graph says of its loops |
//! | 5 | [`circuit`] | choices about circuits, by name |
//! | 6 | [`arrays`] | invariants over all cells of arrays |
//! | 6 | [`heap`] | invariants over all objects of a heap |
//! | 6 | [`bits`] | bounded model checking and IC3 by SAT solvers, on circuits |
//! | 6 | [`polynomials`] | polynomial equalities guessed from runs |
//! | 7 | [`choice`] | which engines there are, by name |
//! | 7 | [`minimize`] | a proof in few words, for people |
//! | 8 | [`portfolio`] | several engines on one graph |
//! | 9 | [`verify`] | one graph from reduction to verdicts |
//!
//! In the portfolio, [`verify`] tries cheap methods before it reduces the graph: the checker's own deduction where there are
//! quantifiers, the one execution that depends on no choice, and intervals and polyhedra where the graph is large. What they
//! decide is taken out of the graph.
//!
//! Most engines work on the reduced graph. Execution, explicit values, intervals, polyhedra and the engines in [`bits`] take the
//! graph before the reductions, in small steps.

mod abstract_interpretation;
pub mod arrays;
pub mod bits;
pub mod blocks;
pub mod bounded;
pub mod budget;
pub mod candidate;
pub mod choice;
pub mod circuit;
pub mod deductive;
pub mod execute;
pub mod explicit;
pub mod facts;
pub mod heap;
pub mod horn;
mod inductive;
mod interval;
pub mod intervals;
pub mod invariants;
mod limits;
mod live;
pub mod minimize;
pub mod observers;
#[cfg(test)]
mod order;
pub mod path;
pub mod phases;
pub mod polyhedra;
pub mod polynomials;
pub mod portfolio;
pub mod reach;
pub mod record;
pub mod refining;
#[cfg(test)]
mod samples;
pub mod slicing;
pub mod task;
mod thread;
pub mod verify;

pub use choice::{Common, EngineKind};
pub use task::{Engine, Outcome, Task};
