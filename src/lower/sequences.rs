//! Functions on sequences, strings and regular languages that the source declares as the solver's own.

use num_traits::ToPrimitive as _;

use super::builtin::plain;
use ult_core::formula::{Op, Sort, Term, Terms};

/// The name that SMT-LIB has today for one that Boogie programs use.
fn current(name: &str) -> &str {
    match name {
        "str.to.int" => "str.to_int",
        "int.to.str" => "str.from_int",
        "str.to.re" => "str.to_re",
        "str.in.re" => "str.in_re",
        "re.nostr" => "re.none",
        "re.complement" => "re.comp",
        other => other,
    }
}

/// A string, if each of its characters stands for itself in SMT-LIB.
pub(crate) fn literal(terms: &Terms, characters: &str) -> Option<Term> {
    let stands_for_itself = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
    let name = format!("\"{characters}\"");
    characters
        .chars()
        .all(stands_for_itself)
        .then(|| plain(terms, &name, &[], &[], Sort::String))
}

/// SMT-LIB's function on arguments; `None` if it is none of these, or not with these sorts.
pub(super) fn apply(
    terms: &Terms,
    name: &str,
    indices: &[u32],
    args: &[Term],
    result: &Sort,
) -> Option<Term> {
    let name = current(name);
    if name == "re.loop" {
        return repeated(terms, indices, args, result);
    }
    let mut args = args.to_vec();
    if matches!(name, "seq.indexof" | "str.indexof") && args.len() == 2 {
        args.push(terms.int(0));
    }
    let sorts: Vec<&Sort> = args.iter().map(|&arg| terms.sort(arg)).collect();
    let expected = match name.split_once('.')? {
        ("seq", function) => of_sequences(function, &sorts, result),
        ("str", function) => of_strings(function, &sorts),
        ("re", function) => of_languages(function, &sorts),
        _ => None,
    };
    (indices.is_empty() && expected.as_ref() == Some(result))
        .then(|| plain(terms, name, &[], &args, result.clone()))
}

/// The result's sort, for sequences of any elements.
fn of_sequences(function: &str, sorts: &[&Sort], result: &Sort) -> Option<Sort> {
    match (function, sorts, result) {
        ("empty", [], Sort::Seq(_)) => return Some(result.clone()),
        ("unit", [element], _) => return Some(Sort::Seq((*element).clone().into())),
        _ => {}
    }
    let (&sequence, rest) = sorts.split_first()?;
    let Sort::Seq(element) = sequence else {
        return None;
    };
    match (function, rest) {
        ("nth", [Sort::Int]) => Some((**element).clone()),
        _ => shared(function, "extract", sequence, rest),
    }
}

/// What there is of sequences and of strings, with `part` for what cuts one out.
fn shared(function: &str, part: &str, sequence: &Sort, rest: &[&Sort]) -> Option<Sort> {
    let like = |sort: &&Sort| *sort == sequence;
    match (function, rest) {
        ("++", [_, ..]) if rest.iter().all(like) => Some(sequence.clone()),
        ("len", []) => Some(Sort::Int),
        ("at", [Sort::Int]) => Some(sequence.clone()),
        ("contains" | "prefixof" | "suffixof", [other]) if like(other) => Some(Sort::Bool),
        ("indexof", [other, Sort::Int]) if like(other) => Some(Sort::Int),
        ("replace", [old, new]) if like(old) && like(new) => Some(sequence.clone()),
        (_, [Sort::Int, Sort::Int]) if function == part => Some(sequence.clone()),
        _ => None,
    }
}

/// The result's sort, for strings.
fn of_strings(function: &str, sorts: &[&Sort]) -> Option<Sort> {
    match (function, sorts) {
        ("from_int", [Sort::Int]) => Some(Sort::String),
        ("to_int", [Sort::String]) => Some(Sort::Int),
        ("to_re", [Sort::String]) => Some(Sort::RegEx),
        ("in_re", [Sort::String, Sort::RegEx]) | ("<" | "<=", [Sort::String, Sort::String]) => {
            Some(Sort::Bool)
        }
        (_, [Sort::String, rest @ ..]) => shared(function, "substr", &Sort::String, rest),
        _ => None,
    }
}

/// The result's sort, for regular languages.
fn of_languages(function: &str, sorts: &[&Sort]) -> Option<Sort> {
    let all = sorts.iter().all(|sort| **sort == Sort::RegEx);
    let fits = match (function, sorts) {
        ("none" | "all" | "allchar", []) => true,
        ("range", [Sort::String, Sort::String]) => true,
        ("*" | "+" | "opt" | "comp", [_]) => all,
        ("++" | "union" | "inter", [_, _, ..]) | ("diff", [_, _]) => all,
        _ => false,
    };
    fits.then_some(Sort::RegEx)
}

/// `re.loop`, whose numbers are indices in SMT-LIB and arguments in Boogie programs.
fn repeated(terms: &Terms, indices: &[u32], args: &[Term], result: &Sort) -> Option<Term> {
    let number = |term: &Term| match terms.op(*term) {
        Op::Int(value) => value.to_u32(),
        _ => None,
    };
    let (&language, numbers) = args.split_first()?;
    let (low, high) = match (indices, numbers) {
        (&[low, high], []) => (low, high),
        ([], [low, high]) => (number(low)?, number(high)?),
        _ => return None,
    };
    // Z3 takes no words at all for no limit.
    let fits = low <= high && high > 0 && *terms.sort(language) == Sort::RegEx;
    (fits && *result == Sort::RegEx)
        .then(|| plain(terms, "re.loop", &[low, high], &[language], Sort::RegEx))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_applied_to_what_they_are_for() {
        let t = Terms::new();
        let ints = Sort::Seq(Sort::Int.into());
        let (s, i) = (t.current("s", ints.clone()), t.current("i", Sort::Int));
        let (w, r) = (t.current("w", Sort::String), t.current("r", Sort::RegEx));
        let (two, none) = (t.int(2), t.int(0));
        let fits = |name: &str, args: &[Term], result: &Sort| {
            apply(&t, name, &[], args, result).map(|made| t.sort(made) == result)
        };
        let right: [(&str, &[Term], &Sort); 12] = [
            ("seq.empty", &[], &ints),
            ("seq.unit", &[i], &ints),
            ("seq.++", &[s, s, s], &ints),
            ("seq.nth", &[s, i], &Sort::Int),
            ("seq.extract", &[s, i, i], &ints),
            ("seq.indexof", &[s, s], &Sort::Int),
            ("str.substr", &[w, i, i], &Sort::String),
            ("int.to.str", &[i], &Sort::String),
            ("str.in.re", &[w, r], &Sort::Bool),
            ("re.nostr", &[], &Sort::RegEx),
            ("re.union", &[r, r], &Sort::RegEx),
            ("re.loop", &[r, two, two], &Sort::RegEx),
        ];
        for (name, args, result) in right {
            assert_eq!(fits(name, args, result), Some(true), "{name}");
        }
        let wrong: [(&str, &[Term], &Sort); 12] = [
            ("seq.empty", &[], &Sort::String),
            ("seq.unit", &[w], &ints),
            ("seq.++", &[s, w], &ints),
            ("seq.++", &[s], &ints),
            ("seq.nth", &[s, i], &Sort::Bool),
            ("seq.extract", &[w, i, i], &Sort::String),
            ("str.len", &[s], &Sort::Int),
            ("str.in.re", &[w, w], &Sort::Bool),
            ("re.union", &[r, w], &Sort::RegEx),
            ("re.loop", &[r, none, none], &Sort::RegEx),
            ("re.loop", &[r, i, two], &Sort::RegEx),
            ("re.loop", &[r, two, none], &Sort::RegEx),
        ];
        for (name, args, result) in wrong {
            assert_eq!(fits(name, args, result), None, "{name}");
        }
        assert!(literal(&t, "a b!").is_some());
        for odd in ["\"", "\\u{41}", "\n", "é"] {
            assert!(literal(&t, odd).is_none(), "{odd}");
        }
    }
}
