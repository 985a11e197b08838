//! Sequences, strings and regular languages: what SMT-LIB says of them, written down once more, and the solver's answers
//! agree.

use std::sync::Arc;

use proptest::prelude::*;

use crate::{Answer, Session};
use ult_core::control::Control;
use ult_core::formula::{Builtin, Sort, Term, Terms};

fn call(t: &Terms, name: &str, indices: &[u32], result: &Sort, args: &[Term]) -> Term {
    let builtin = Builtin {
        name: name.into(),
        indices: indices.to_vec(),
        result: result.clone(),
    };
    t.builtin(&Arc::new(builtin), args)
}

/// A word over `a` and `b`.
type Word = Vec<u8>;

/// What a function gives.
#[derive(Debug, PartialEq)]
enum Outcome {
    Word(Word),
    Int(i64),
    Bool(bool),
}

/// Words as strings, or as sequences of integers.
struct Theory<'t> {
    t: &'t Terms,
    prefix: &'static str,
    sort: Sort,
}

impl Theory<'_> {
    fn word(&self, word: &[u8]) -> Term {
        let t = self.t;
        if self.sort == Sort::String {
            let text = format!("\"{}\"", String::from_utf8_lossy(word));
            return call(t, &text, &[], &Sort::String, &[]);
        }
        let unit = |&c: &u8| call(t, "seq.unit", &[], &self.sort, &[t.int(c)]);
        let units: Vec<Term> = word.iter().map(unit).collect();
        match &units[..] {
            [] => call(t, "seq.empty", &[], &self.sort, &[]),
            [one] => *one,
            _ => call(t, "seq.++", &[], &self.sort, &units),
        }
    }

    fn is(&self, term: Term, result: &Outcome) -> Term {
        let t = self.t;
        match result {
            Outcome::Word(word) => t.eq(term, self.word(word)),
            Outcome::Int(value) => t.eq(term, t.int(*value)),
            Outcome::Bool(value) => t.eq(term, t.bool(*value)),
        }
    }

    /// All functions on two or three words and two numbers, each with what it gives.
    fn all(
        &self,
        vars: ([Term; 3], [Term; 2]),
        words: [&Word; 3],
        numbers: [i64; 2],
    ) -> Vec<(Term, Outcome)> {
        use Outcome::{Bool, Int, Word};
        let ([a, b, c], [i, n]) = vars;
        let [u, v, w] = words;
        let [from, count] = numbers;
        let apply = |name: &str, result: &Sort, args: &[Term]| {
            call(
                self.t,
                &format!("{}.{name}", self.prefix),
                &[],
                result,
                args,
            )
        };
        let part = if self.prefix == "str" {
            "substr"
        } else {
            "extract"
        };
        let same = &self.sort;
        let found = index_of(u, v, from);
        vec![
            (apply("len", &Sort::Int, &[a]), Int(u.len() as i64)),
            (apply("++", same, &[a, b, c]), Word([&u[..], v, w].concat())),
            (apply("at", same, &[a, i]), Word(cut(u, from, 1))),
            (apply(part, same, &[a, i, n]), Word(cut(u, from, count))),
            (
                apply("contains", &Sort::Bool, &[a, b]),
                Bool(index_of(u, v, 0) >= 0),
            ),
            (
                apply("prefixof", &Sort::Bool, &[a, b]),
                Bool(v.starts_with(u)),
            ),
            (
                apply("suffixof", &Sort::Bool, &[a, b]),
                Bool(v.ends_with(u)),
            ),
            (apply("indexof", &Sort::Int, &[a, b, i]), Int(found)),
            (apply("replace", same, &[a, b, c]), Word(replaced(u, v, w))),
        ]
    }
}

fn cut(word: &[u8], from: i64, count: i64) -> Word {
    let length = word.len() as i64;
    if from < 0 || from >= length || count <= 0 {
        return Word::new();
    }
    word[from as usize..(from + count).min(length) as usize].to_vec()
}

fn index_of(word: &[u8], part: &[u8], from: i64) -> i64 {
    let mut starts = from..=word.len() as i64;
    let found = starts.find(|&start| start >= 0 && word[start as usize..].starts_with(part));
    found.filter(|_| from >= 0).unwrap_or(-1)
}

fn replaced(word: &[u8], old: &[u8], new: &[u8]) -> Word {
    match index_of(word, old, 0) {
        -1 => word.to_vec(),
        at => {
            let at = at as usize;
            [&word[..at], new, &word[at + old.len()..]].concat()
        }
    }
}

/// Refutes that the term is something else, and does not refute that it is this.
fn agrees(t: &Terms, given: &[Term], holds: Term) {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut solver = session.solver();
    for &fact in given {
        solver.assert(fact).expect("it can be said");
    }
    let printed = t.display(holds);
    assert_eq!(
        solver.check(&[t.not(holds)], None),
        Answer::Unsat,
        "{printed}"
    );
    assert_ne!(solver.check(&[holds], None), Answer::Unsat, "{printed}");
}

fn words() -> impl Strategy<Value = Word> {
    prop::collection::vec(prop::sample::select(b"ab".to_vec()), 0..4)
}

/// A regular language.
#[derive(Clone, Debug)]
enum Language {
    Word(Word),
    None,
    All,
    AnyCharacter,
    Range(u8, u8),
    Concat(Box<Language>, Box<Language>),
    Union(Box<Language>, Box<Language>),
    Intersection(Box<Language>, Box<Language>),
    Difference(Box<Language>, Box<Language>),
    Star(Box<Language>),
    Plus(Box<Language>),
    Option(Box<Language>),
    Complement(Box<Language>),
    Loop(Box<Language>, u32, u32),
}

impl Language {
    fn has(&self, word: &[u8]) -> bool {
        use Language::*;
        let mut cuts = 0..=word.len();
        match self {
            Word(own) => own == word,
            None => false,
            All => true,
            AnyCharacter => word.len() == 1,
            Range(low, high) => matches!(word, [c] if (low..=high).contains(&c)),
            Concat(a, b) => cuts.any(|at| a.has(&word[..at]) && b.has(&word[at..])),
            Union(a, b) => a.has(word) || b.has(word),
            Intersection(a, b) => a.has(word) && b.has(word),
            Difference(a, b) => a.has(word) && !b.has(word),
            Star(a) => word.is_empty() || a.repeated(word),
            Plus(a) => a.has(word) || a.repeated(word),
            Option(a) => word.is_empty() || a.has(word),
            Complement(a) => !a.has(word),
            Loop(a, low, high) => (*low..=*high).any(|times| a.has_times(times, word)),
        }
    }

    /// Whether a word that is not empty consists of words of the language.
    fn repeated(&self, word: &[u8]) -> bool {
        let mut cuts = 1..=word.len();
        cuts.any(|at| self.has(&word[..at]) && (at == word.len() || self.repeated(&word[at..])))
    }

    fn has_times(&self, times: u32, word: &[u8]) -> bool {
        match times {
            0 => word.is_empty(),
            _ => (0..=word.len())
                .any(|at| self.has(&word[..at]) && self.has_times(times - 1, &word[at..])),
        }
    }

    fn term(&self, t: &Terms) -> Term {
        use Language::*;
        let text = |word: &[u8]| {
            let text = format!("\"{}\"", String::from_utf8_lossy(word));
            call(t, &text, &[], &Sort::String, &[])
        };
        let make =
            |name: &str, indices: &[u32], args: &[Term]| call(t, name, indices, &Sort::RegEx, args);
        match self {
            Word(word) => make("str.to_re", &[], &[text(word)]),
            None => make("re.none", &[], &[]),
            All => make("re.all", &[], &[]),
            AnyCharacter => make("re.allchar", &[], &[]),
            Range(low, high) => make("re.range", &[], &[text(&[*low]), text(&[*high])]),
            Concat(a, b) => make("re.++", &[], &[a.term(t), b.term(t)]),
            Union(a, b) => make("re.union", &[], &[a.term(t), b.term(t)]),
            Intersection(a, b) => make("re.inter", &[], &[a.term(t), b.term(t)]),
            Difference(a, b) => make("re.diff", &[], &[a.term(t), b.term(t)]),
            Star(a) => make("re.*", &[], &[a.term(t)]),
            Plus(a) => make("re.+", &[], &[a.term(t)]),
            Option(a) => make("re.opt", &[], &[a.term(t)]),
            Complement(a) => make("re.comp", &[], &[a.term(t)]),
            Loop(a, low, high) => make("re.loop", &[*low, *high], &[a.term(t)]),
        }
    }
}

fn languages() -> impl Strategy<Value = Language> {
    let letter = || prop::sample::select(b"abc".to_vec());
    let simple = prop_oneof![
        4 => words().prop_map(Language::Word),
        1 => Just(Language::None),
        1 => Just(Language::All),
        1 => Just(Language::AnyCharacter),
        2 => (letter(), letter()).prop_map(|(low, high)| Language::Range(low, high)),
    ];
    simple.prop_recursive(3, 8, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (one(), one()).prop_map(|(a, b)| Language::Concat(a, b)),
            (one(), one()).prop_map(|(a, b)| Language::Union(a, b)),
            (one(), one()).prop_map(|(a, b)| Language::Intersection(a, b)),
            (one(), one()).prop_map(|(a, b)| Language::Difference(a, b)),
            one().prop_map(Language::Star),
            one().prop_map(Language::Plus),
            one().prop_map(Language::Option),
            one().prop_map(Language::Complement),
            (one(), 0..3u32, 0..3u32).prop_map(|(a, low, more)| Language::Loop(
                a,
                low,
                (low + more).max(1)
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn functions_give_what_smt_lib_says(
        words in [words(), words(), words()],
        from in -1..5i64,
        count in -1..5i64,
        are_strings: bool,
    ) {
        let t = Terms::new();
        let (prefix, sort) = match are_strings {
            true => ("str", Sort::String),
            false => ("seq", Sort::Seq(Sort::Int.into())),
        };
        let theory = Theory { t: &t, prefix, sort: sort.clone() };
        let vars = ["a", "b", "c"].map(|name| t.current(name, sort.clone()));
        let [i, n] = ["i", "n"].map(|name| t.current(name, Sort::Int));
        let mut given: Vec<Term> = vars.iter().zip(&words).map(|(&var, word)| t.eq(var, theory.word(word))).collect();
        given.extend([t.eq(i, t.int(from)), t.eq(n, t.int(count))]);
        let [u, v, w] = &words;
        for (term, result) in theory.all((vars, [i, n]), [u, v, w], [from, count]) {
            agrees(&t, &given, theory.is(term, &result));
        }
        if let (false, Some(&element)) = (are_strings, usize::try_from(from).ok().and_then(|at| u.get(at))) {
            let nth = call(&t, "seq.nth", &[], &Sort::Int, &[vars[0], i]);
            agrees(&t, &given, t.eq(nth, t.int(element)));
        }
    }

    #[test]
    fn words_are_in_the_languages_that_smt_lib_says(word in words(), language in languages()) {
        let t = Terms::new();
        let s = t.current("s", Sort::String);
        let theory = Theory { t: &t, prefix: "str", sort: Sort::String };
        let is_in = call(&t, "str.in_re", &[], &Sort::Bool, &[s, language.term(&t)]);
        agrees(&t, &[t.eq(s, theory.word(&word))], t.eq(is_in, t.bool(language.has(&word))));
    }

    #[test]
    fn numbers_and_orders_are_those_of_smt_lib(digits in "[0-9a]{0,3}", number in -20..200i64, words in [words(), words()]) {
        let t = Terms::new();
        let text = |characters: &str| call(&t, &format!("\"{characters}\""), &[], &Sort::String, &[]);
        let read = digits.parse().unwrap_or(-1i64);
        let to_int = call(&t, "str.to_int", &[], &Sort::Int, &[text(&digits)]);
        agrees(&t, &[], t.eq(to_int, t.int(read)));
        let n = t.current("n", Sort::Int);
        let written = if number < 0 { String::new() } else { number.to_string() };
        let from_int = call(&t, "str.from_int", &[], &Sort::String, &[n]);
        agrees(&t, &[t.eq(n, t.int(number))], t.eq(from_int, text(&written)));
        let [u, v] = words.map(|word| String::from_utf8_lossy(&word).into_owned());
        let order = |name: &str| call(&t, name, &[], &Sort::Bool, &[text(&u), text(&v)]);
        agrees(&t, &[], t.eq(order("str.<"), t.bool(u < v)));
        agrees(&t, &[], t.eq(order("str.<="), t.bool(u <= v)));
    }
}

#[test]
fn other_solvers_are_told_of_them_in_smt_lib() {
    let t = Terms::new();
    let ints = Sort::Seq(Sort::Int.into());
    let s = t.current("s", ints.clone());
    let empty = call(&t, "seq.empty", &[], &ints, &[]);
    let word = call(&t, "\"ab\"", &[], &Sort::String, &[]);
    let language = call(&t, "str.to_re", &[], &Sort::RegEx, &[word]);
    let repeated = call(&t, "re.loop", &[1, 2], &Sort::RegEx, &[language]);
    let is_in = call(&t, "str.in_re", &[], &Sort::Bool, &[word, repeated]);
    let text = ult_smtlib::print::question(&t, &[t.eq(s, empty), is_in]).expect("it has a text");
    for part in [
        "(Seq Int)",
        "(as seq.empty (Seq Int))",
        "((_ re.loop 1 2) (str.to_re \"ab\"))",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
