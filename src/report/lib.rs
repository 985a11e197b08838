//! Reports: verdicts and messages as text, in Boogie's words, as JSON, or a page.
//!
//! Everything here turns plain data ([`ult_driver::result`]) into characters, and decides
//! nothing. The last line of a text report and the JSON object are stable; other programs may read
//! them. See [`text::last_line`] and [`json`].
//!
//! | module | idea |
//! |---|---|
//! | [`text`], [`style`] | for people |
//! | [`json`], [`sarif`], [`junit`] | for other programs |
//! | [`html`] | one page that needs nothing else |
//! | [`boogie`] | in Boogie's words |
//! | [`record`] | a report in all forms at once, as data between processes |
//! | [`diagnostic`], [`explain`] | messages in the terminal, and the pages about them |
//! | [`trace`] | the steps of a refinement |
//! | `open` | what is open, and what to do next |

pub mod boogie;
pub mod diagnostic;
pub mod explain;
pub mod html;
pub mod json;
pub mod junit;
mod open;
pub mod record;
pub mod sarif;
pub mod steps;
pub mod style;
pub mod text;
pub mod trace;

/// The version of the program and of the solver it runs on.
pub fn version() -> &'static str {
    static VERSION: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    VERSION.get_or_init(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), ult_smt::solver_name()))
}
