//! The laboratory: a page in the browser where somebody edits a program, has it checked, and steps through the refinement of its
//! abstraction, predicts the next step, and puts interpolants of their own in place of the engine's.
//!
//! The engines and the solver work in this process, on the same machine; the page talks to it over the loopback interface. What
//! the page shows of the refinement are the engine's own steps, told while it waits ([`ult_explain::stepping`]). Verdicts are the
//! checker's, as ever.
//!
//! | file | idea |
//! |---|---|
//! | [`server`] | who may ask, and what is answered |
//! | `http` | one request and its answer |
//! | `work` | the one piece of work at a time, and where it waits |
//! | `quiz` | what can be predicted |
//! | `abstraction` | the graph of abstract states as it was seen so far |
//! | [`page`] | the page, served or as a folder |
//! | `limits` | how long things may take |

mod abstraction;
mod http;
mod limits;
pub mod page;
mod quiz;
pub mod server;
mod work;

pub use work::IsFull;
