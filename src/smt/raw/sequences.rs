//! Building sequences, strings and regular languages.

use super::{Ast, Context, Result, Sort, c_string};

impl Context {
    /// Sequences of elements of a sort.
    pub(crate) fn seq_sort(&self, element: &Sort) -> Result<Sort> {
        // SAFETY: rules 1 to 3.
        self.sort(unsafe { z3!(Z3_mk_seq_sort(self.raw(), element.raw)) })
    }

    /// Languages of sequences of a sort.
    pub(crate) fn re_sort(&self, sequences: &Sort) -> Result<Sort> {
        // SAFETY: rules 1 to 3.
        self.sort(unsafe { z3!(Z3_mk_re_sort(self.raw(), sequences.raw)) })
    }

    /// A string, of characters that stand for themselves in SMT-LIB.
    pub(crate) fn string(&self, characters: &str) -> Result<Ast> {
        let characters = c_string(characters)?;
        // SAFETY: rules 1 and 3; Z3 copies the string.
        self.ast(unsafe { z3!(Z3_mk_string(self.raw(), characters.as_ptr())) })
    }

    /// The empty sequence of a sort of sequences.
    pub(crate) fn seq_empty(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_seq_empty(self.raw(), sort.raw)) })
    }

    /// The language without words.
    pub(crate) fn re_empty(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_re_empty(self.raw(), sort.raw)) })
    }

    /// The language of all words.
    pub(crate) fn re_full(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_re_full(self.raw(), sort.raw)) })
    }

    /// The language of all words with one character.
    pub(crate) fn re_allchar(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_re_allchar(self.raw(), sort.raw)) })
    }

    /// `low` to `high` words of a language. Z3 takes a `high` of 0 for no limit.
    pub(crate) fn re_loop(&self, language: &Ast, low: u32, high: u32) -> Result<Ast> {
        self.own(&[language]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_re_loop(self.raw(), language.raw, low, high)) })
    }

    builders! { sorts:
        string_sort = Z3_mk_string_sort;
    }

    builders! { unary:
        seq_unit = Z3_mk_seq_unit;
        seq_length = Z3_mk_seq_length;
        str_to_int = Z3_mk_str_to_int;
        int_to_str = Z3_mk_int_to_str;
        seq_to_re = Z3_mk_seq_to_re;
        re_plus = Z3_mk_re_plus;
        re_star = Z3_mk_re_star;
        re_option = Z3_mk_re_option;
        re_complement = Z3_mk_re_complement;
    }

    builders! { binary:
        seq_prefix = Z3_mk_seq_prefix;
        seq_suffix = Z3_mk_seq_suffix;
        seq_contains = Z3_mk_seq_contains;
        seq_at = Z3_mk_seq_at;
        seq_nth = Z3_mk_seq_nth;
        str_lt = Z3_mk_str_lt;
        str_le = Z3_mk_str_le;
        seq_in_re = Z3_mk_seq_in_re;
        re_range = Z3_mk_re_range;
        re_diff = Z3_mk_re_diff;
    }

    builders! { ternary:
        seq_extract = Z3_mk_seq_extract;
        seq_replace = Z3_mk_seq_replace;
        seq_index = Z3_mk_seq_index;
    }

    builders! { many:
        seq_concat = Z3_mk_seq_concat;
        re_concat = Z3_mk_re_concat;
        re_union = Z3_mk_re_union;
        re_intersect = Z3_mk_re_intersect;
    }
}
