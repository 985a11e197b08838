//! Program graphs as programs in SV-LIB and back: what holds of one holds of the others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::text;
use ult_driver::{Conclusion, Language, Progress, Report, Settings, Source, check, export, load};

use crate::random::Random;

/// Makes parts of graphs.
struct Maker(Random);

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn int(&mut self, budget: usize) -> String {
        if budget == 0 {
            return match self.below(2) {
                0 => self.below(4).to_string(),
                _ => self.pick(&["x", "and", "k#1"]).to_owned(),
            };
        }
        let (a, b) = (self.int(budget - 1), self.int(budget - 1));
        match self.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {})", self.below(3)),
            // Also by zero.
            3 => format!("({a} div {b})"),
            4 => format!("({a} mod {})", 1 + self.below(4)),
            5 => format!("m[{a}]"),
            6 => format!("f({a})"),
            7 => format!("(if {} then {a} else {b})", self.truth(budget - 1)),
            _ => self.int(0),
        }
    }

    fn word(&mut self, budget: usize) -> String {
        if budget == 0 {
            return match self.below(2) {
                0 => format!("{}bv3", self.below(8)),
                _ => "w".to_owned(),
            };
        }
        let (a, b) = (self.word(budget - 1), self.word(budget - 1));
        match self.below(5) {
            0 => format!("plus({a}, {b})"),
            1 => format!("over({a}, {b})"),
            2 => format!("({a}[1:0] ++ {b}[3:1])"),
            3 => format!("shifted({a}, {b})"),
            _ => a,
        }
    }

    fn truth(&mut self, budget: usize) -> String {
        if budget == 0 {
            return self.pick(&["b", "true", "!b"]).to_owned();
        }
        let next = budget - 1;
        match self.below(9) {
            0 => format!("({} && {})", self.truth(next), self.truth(next)),
            1 => format!("({} || {})", self.truth(next), self.truth(next)),
            2 => format!("!{}", self.truth(next)),
            3 => format!("({} == {})", self.word(next), self.word(next)),
            4 => format!("below({}, {})", self.word(next), self.word(next)),
            5 => format!("({} == {})", self.int(next), self.int(next)),
            6 => format!("(s is Full ==> {} <= s->size)", self.int(next)),
            _ => format!("({} < {})", self.int(next), self.int(next)),
        }
    }

    fn edge(&mut self) -> String {
        let mut parts = vec![self.truth(2)];
        let mut body = String::new();
        for _ in 0..1 + self.below(2) {
            let (word, small) = (self.word(1), self.below(3));
            match self.below(9) {
                0 => parts.push(format!("x' == {} mod 5", self.int(1))),
                1 => parts.push(format!("and' == {} mod 3", self.int(1))),
                2 => parts.push("x' > x && x' <= x + 2 && x' < 6".to_owned()),
                3 => parts.push(format!("w' == {word}")),
                4 => parts.push(format!("m' == m[{small} := {}]", self.int(1))),
                5 => parts.push(format!("(b' <==> {})", self.truth(1))),
                6 => body += self.pick(&["havoc x; ", "havoc b, w; ", "havoc s; "]),
                7 => {
                    body += "local d: int; ";
                    parts.push("0 <= d && d < 3 && k#1' == d".to_owned());
                }
                _ => parts.push(format!("s' == {}", self.pick(&["Empty()", "Full(x)"]))),
            }
        }
        // Each once: a second value of a variable would be a condition.
        let mut once = BTreeMap::new();
        for part in parts {
            let changed = part.split_once('\'').map(|(before, _)| {
                before
                    .rsplit([' ', '('])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
            once.entry(changed).or_insert(part);
        }
        let all: Vec<String> = once.into_values().collect();
        let mut seen: Vec<&str> = Vec::new();
        let body: String = body
            .split_inclusive("; ")
            .filter(|one| {
                let new = !seen.contains(one);
                seen.push(one);
                new
            })
            .collect();
        format!("{{ {body}{} }}", all.join(" && "))
    }
}

/// A graph of a few locations, with names that other languages know as words.
fn random(seed: u64) -> String {
    let mut random = Maker(Random::new(seed));
    let mut text = String::from(
        "datatype Shape { Empty(), Full(size: int) }\n\
         function f(i: int): int;\n\
         function {:bvbuiltin \"bvadd\"} plus(a: bv3, b: bv3): bv3;\n\
         function {:bvbuiltin \"bvudiv\"} over(a: bv3, b: bv3): bv3;\n\
         function {:bvbuiltin \"bvlshr\"} shifted(a: bv3, b: bv3): bv3;\n\
         function {:bvbuiltin \"bvult\"} below(a: bv3, b: bv3): bool;\n\
         graph while {\n  var x, and, k#1: int, b: bool, w: bv3, m: [int]int, s: Shape;\n\
         \x20 init choice;\n  error `old` \"first\";\n  error label \"second\";\n\
         \x20 choice -> `let`: x' == 0 && and' == 1 && k#1' == 0 && !b' && w' == 0bv3 && s' == Empty();\n",
    );
    if random.below(8) == 0 {
        text.insert_str(
            0,
            "axiom (forall i: int :: {f(i)} f(i) == i || f(i) == 0 - i);\n",
        );
    }
    let places = ["`let`", "loop", "goto"];
    for from in places {
        for _ in 0..1 + random.below(2) {
            let to = random.pick(&places);
            let _ = writeln!(text, "  {from} -> {to} {}", random.edge());
        }
    }
    for error in ["`old`", "label"] {
        let (from, condition) = (random.pick(&places), random.truth(2));
        let _ = writeln!(text, "  {from} -> {error}: {condition};");
    }
    text + "}\n"
}

fn checked(text: &str, language: Language) -> Report {
    let mut settings = Settings::default();
    settings.verify.method = "slicing".parse().expect("an engine");
    let control = Control::with_deadline(Instant::now().checked_add(Duration::from_secs(2)));
    let source = Source::new("graph", text);
    check(&source, language, &settings, &control, &Progress::default()).expect("no entry")
}

fn exported(text: &str, language: Language) -> String {
    let terms = Terms::new();
    let source = Source::new("graph", text);
    let loaded = load(&terms, &source, language, &Settings::default()).expect("no bug");
    assert!(!loaded.is_rejected(), "{:?}\n{text}", loaded.diagnostics);
    export::sv_lib(&terms, loaded, None).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// As program graphs again.
fn graphs(text: &str) -> String {
    let terms = Terms::new();
    let source = Source::new("graph", text);
    let loaded = load(&terms, &source, Language::SvLib, &Settings::default()).expect("no bug");
    assert!(!loaded.is_rejected(), "{:?}\n{text}", loaded.diagnostics);
    let units = loaded.units(&terms).expect("no entry");
    let graphs: Vec<_> = units.iter().map(|unit| &unit.graph).collect();
    text::print(&terms, &graphs, text::Options::default())
}

/// The verdicts on the two obligations, in their order; `None` for what is not decided.
fn verdicts(report: &Report, text: &str) -> Vec<Option<bool>> {
    let rejected = report.conclusion() == Conclusion::Rejected;
    assert!(!rejected, "{:?}\n{text}", report.diagnostics);
    let verdicts = report.obligations().map(|obligation| {
        let verdict = &obligation.verdict;
        verdict.reason().is_none().then(|| verdict.is_unsafe())
    });
    verdicts.collect()
}

/// The obligations of an exported program in the order of its text, by their places among those of the graph: a comment before
/// each says its number. Labels stand where control goes on, and not where the graph has them.
fn order(program: &str) -> Vec<usize> {
    let numbers = program.lines().filter_map(|line| {
        let (number, _) = line.trim_start().strip_prefix("; ")?.split_once(": ")?;
        number.parse::<usize>().ok()
    });
    numbers.map(|number| number - 1).collect()
}

#[test]
fn two_hundred_random_graphs_and_back() {
    let mut decided = [0, 0];
    for seed in 0..200 {
        let graph = random(seed);
        let program = exported(&graph, Language::Graph);
        let again = graphs(&program);
        // Once more: what is read can be written.
        exported(&program, Language::SvLib);
        let written = order(&program);
        let all = [
            (&graph, Language::Graph, &vec![0, 1]),
            (&program, Language::SvLib, &written),
            (&again, Language::Graph, &written),
        ];
        let mut known: Vec<Option<bool>> = vec![None, None];
        for (text, language, order) in all {
            let found = verdicts(&checked(text, language), text);
            assert_eq!(found.len(), 2, "seed {seed}\n{text}");
            for (&place, found) in order.iter().zip(found) {
                let known = &mut known[place];
                match (*known, found) {
                    (Some(one), Some(other)) => {
                        decided[usize::from(one)] += 1;
                        assert_eq!(one, other, "seed {seed}\n{graph}\n{program}\n{again}");
                    }
                    (None, Some(_)) => *known = found,
                    _ => {}
                }
            }
        }
    }
    // Of 800 comparisons.
    let [safe, violated] = decided;
    assert!(safe > 200 && violated > 200, "{safe} {violated}");
}
