//! The macro `ult::graph!`; see [`graph!`].
//!
//! The macro is a feature of `ult` that is off by default, since the front end is then built twice.

mod expand;
mod text;

use proc_macro::TokenStream;

/// See `ult::graph!`, which is this macro.
#[proc_macro]
pub fn graph(tokens: TokenStream) -> TokenStream {
    expand::graph(tokens)
}
