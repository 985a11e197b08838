//! Sequences, strings and regular languages: SMT-LIB's functions, to the solver.
//!
//! The solver's theory answers questions about them. Its values are not read back, so runs with them are not told, and
//! nothing that the solver makes up about them becomes a term.

use super::answer::Failure;
use super::encode::Maps;
use super::raw::{Ast, Context};
use super::session::Session;
use ult_core::formula::Builtin;
use ult_smtlib::sequences::{is_known, literal};

impl Session<'_> {
    /// The application of a function on sequences; `None` if it is none.
    pub(super) fn encode_sequence(
        &self,
        maps: Maps,
        builtin: &Builtin,
        args: &[Ast],
    ) -> Result<Option<Ast>, Failure> {
        if !is_known(&builtin.name) {
            return Ok(None);
        }
        let unsupported = || Failure::Unsupported(format!("the function `{}`", builtin.name));
        let context = self.context()?;
        let result = self.encode_sort(maps, &builtin.result)?;
        let name = &*builtin.name;
        let ast = match (name, args, &builtin.indices[..]) {
            ("seq.empty", [], []) => context.seq_empty(&result)?,
            ("re.none", [], []) => context.re_empty(&result)?,
            ("re.all", [], []) => context.re_full(&result)?,
            ("re.allchar", [], []) => context.re_allchar(&result)?,
            ("re.loop", [x], &[low, high]) if low <= high && high > 0 => {
                context.re_loop(x, low, high)?
            }
            (_, [], []) => context.string(literal(name).ok_or_else(unsupported)?)?,
            (_, _, []) => applied(context, name, args)
                .unwrap_or_else(|| Err(crate::raw::Error::Refused(name.to_owned())))
                .map_err(|_| unsupported())?,
            _ => return Err(unsupported()),
        };
        // A wrong claim about the result sort must not go further.
        if ast.sort()?.id() != result.id() {
            return Err(unsupported());
        }
        Ok(Some(ast))
    }
}

/// The functions that are no more than their arguments.
fn applied(context: &Context, name: &str, args: &[Ast]) -> Option<crate::raw::Result<Ast>> {
    Some(match (name, args) {
        ("seq.unit", [x]) => context.seq_unit(x),
        ("seq.len" | "str.len", [s]) => context.seq_length(s),
        ("seq.++" | "str.++", [_, _, ..]) => context.seq_concat(args),
        ("seq.at" | "str.at", [s, i]) => context.seq_at(s, i),
        ("seq.nth", [s, i]) => context.seq_nth(s, i),
        ("seq.extract" | "str.substr", [s, from, length]) => context.seq_extract(s, from, length),
        ("seq.contains" | "str.contains", [s, part]) => context.seq_contains(s, part),
        ("seq.prefixof" | "str.prefixof", [part, s]) => context.seq_prefix(part, s),
        ("seq.suffixof" | "str.suffixof", [part, s]) => context.seq_suffix(part, s),
        ("seq.indexof" | "str.indexof", [s, part, from]) => context.seq_index(s, part, from),
        ("seq.replace" | "str.replace", [s, old, new]) => context.seq_replace(s, old, new),
        ("str.<", [a, b]) => context.str_lt(a, b),
        ("str.<=", [a, b]) => context.str_le(a, b),
        ("str.to_int", [s]) => context.str_to_int(s),
        ("str.from_int", [i]) => context.int_to_str(i),
        ("str.to_re", [s]) => context.seq_to_re(s),
        ("str.in_re", [s, r]) => context.seq_in_re(s, r),
        ("re.range", [low, high]) => context.re_range(low, high),
        ("re.++", [_, _, ..]) => context.re_concat(args),
        ("re.union", [_, _, ..]) => context.re_union(args),
        ("re.inter", [_, _, ..]) => context.re_intersect(args),
        ("re.diff", [a, b]) => context.re_diff(a, b),
        ("re.*", [r]) => context.re_star(r),
        ("re.+", [r]) => context.re_plus(r),
        ("re.opt", [r]) => context.re_option(r),
        ("re.comp", [r]) => context.re_complement(r),
        _ => return None,
    })
}
