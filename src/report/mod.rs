//! Reports: verdicts and messages as text, JSON, or a page.
//!
//! Everything here turns plain data ([`crate::program::result`]) into characters, and decides
//! nothing. The last line of a text report and the JSON object are stable; other programs may read
//! them. See [`text::last_line`] and [`json`].

pub mod diagnostic;
pub mod explain;
pub mod html;
pub mod json;
pub mod style;
pub mod text;
pub mod trace;
