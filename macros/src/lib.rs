//! The macro `ult::graph!`; see [`graph!`].
//!
//! The macro is a feature of `ult` that is off by default, since the front end is then built twice.

mod expand;
mod text;

use proc_macro::TokenStream;

/// Program graphs inside of Rust, in the language of `.ult` files. What is wrong with them is said by the compiler, at the
/// word that is wrong.
///
/// ```
/// use ult::control::Control;
/// use ult::program::{Conclusion, Settings};
///
/// let count = ult::graph! {
///     graph count {
///         var x: int;
///         init start;
///         error negative "x is negative";
///
///         start -> counting: next(x) == 0;
///         counting -> counting: x < 100 && next(x) == x + 1;
///         counting -> negative: x < 0;
///     }
/// };
/// let report = count.check(&Settings::default(), &Control::unlimited());
/// assert_eq!(report.conclusion(), Conclusion::Safe);
/// ```
///
/// The value is a `ult::model::Graphs`: the text, which the library reads as it reads a file, so that a graph means the same
/// in both. Places in its reports are those of the Rust file.
///
/// # What is written otherwise than in a file
///
/// Rust cuts the text into words before the macro sees it, and an apostrophe is something else there. So the value behind a
/// step is written `next(x)` instead of `x'`; names in backticks and signs such as `∀` are not possible. A raw string can
/// have all of it; then the message says the line, but the compiler points at the whole string:
///
/// ```
/// let count = ult::graph!(r#"
///     graph count { var x: int; init start; start -> `end of it`: x' == 0; }
/// "#);
/// ```
///
/// # Errors
///
/// A variable that there is not, a type that does not fit, a missing semicolon: such a program does not compile.
///
/// ```compile_fail
/// ult::graph! {
///     graph count { var x: int; init start; start -> end: next(x) == true; }
/// };
/// ```
#[proc_macro]
pub fn graph(tokens: TokenStream) -> TokenStream {
    expand::graph(tokens)
}
