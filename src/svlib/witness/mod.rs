//! Witnesses: read, and written.
//!
//! | file | idea |
//! |---|---|
//! | [`join`] | a witness put into its program is a program |
//! | [`write`](mod@write) | what was found out, as a witness |
//! | [`text`] | terms and values in the names of the program |

mod join;
pub mod text;
pub mod write;

pub use join::{Claim, LEFT_OUT, join};
