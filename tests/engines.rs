//! Every engine, with every block operator and every interpolation strategy, on the small programs
//! of `tests/corpus` and `examples`: what they say agrees with the first line of the file, or is
//! UNKNOWN.
//!
//! Each program meets three of the engines; which ones, and which block operator and strategy they
//! work with, goes round from program to program. With `ULT_COMBINATIONS=all` each program meets all
//! combinations, which takes more than half an hour; `ULT_COMBINATIONS=3/8` is this for the third eighth of the programs:
//!
//! ```console
//! $ ULT_COMBINATIONS=all cargo test --release -p ult-cli --test verifier engines:: -- --include-ignored --nocapture
//! ```
//!
//! The test prints how many programs each combination decided, and which it left UNKNOWN.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ult_core::control::Control;
use ult_driver::{self as program, Conclusion, Language, Progress, Settings, Source};
use ult_engine::EngineKind;
use ult_engine::verify::Method;
use ult_interpolate::Strategy;
use ult_reduce::Blocks;

/// One combination has so long for one program at first, so that the test ends soon. What takes longer is UNKNOWN, which says
/// nothing: how much is decided in it depends on the machine.
const GLANCE: Duration = Duration::from_millis(1000);

/// Where a method decided fewer than [`enough`] programs, the others are tried again with so much time, one time after the other;
/// with the last it has to. The easy programs take a hundredth of that.
const PATIENCE: [Duration; 3] = [
    Duration::from_secs(4),
    Duration::from_secs(16),
    Duration::from_secs(64),
];

/// Nor does it count as decided if it took more questions than this, on however fast a machine.
const QUESTIONS: u64 = 2000;

/// So many programs have to be decided: a test in which nothing is decided would say nothing.
fn enough(method: Method) -> usize {
    match method {
        // They say of programs only that they are violated, or that simple ones are not.
        Method::Engine(EngineKind::Execution) => 8,
        Method::Engine(EngineKind::Intervals) => 2,
        // It looks at programs without loops.
        Method::Engine(EngineKind::Deductive) => 6,
        // They look at programs with lists, and at programs that multiply, and at no others.
        Method::Engine(EngineKind::Heap | EngineKind::Polynomials) => 0,
        _ => 16,
    }
}

/// A method, blocks, and a strategy.
#[derive(Clone)]
struct Combination {
    method: Method,
    blocks: Blocks,
    strategy: Strategy,
}

impl Combination {
    fn name(&self) -> String {
        format!("{} / {} / {}", self.method, self.blocks, self.strategy)
    }
}

fn methods() -> Vec<Method> {
    let engines = EngineKind::ALL
        .iter()
        .map(|&(kind, _)| Method::Engine(kind));
    [Method::Portfolio].into_iter().chain(engines).collect()
}

fn operators() -> Vec<Blocks> {
    let named = Blocks::ALL.iter().map(|&(blocks, _)| blocks);
    named.chain([Blocks::AtMost(3)]).collect()
}

fn strategies(method: Method) -> Vec<Strategy> {
    // Without Spacer: on the chains of some programs (`recursion/far_down.bpl`) assertions of its own
    // fail, with long messages. The strategy is compared with the others in `agreement.rs` and
    // `interpolants.rs`.
    let safe = |strategy: &Strategy| *strategy != Strategy::Horn;
    let all = || {
        let all = Strategy::ALL.iter().map(|(strategy, _)| strategy.clone());
        all.filter(safe)
    };
    match method {
        Method::Engine(
            EngineKind::Bmc
            | EngineKind::KInduction
            | EngineKind::Horn
            | EngineKind::Arrays
            | EngineKind::Execution
            | EngineKind::Intervals
            | EngineKind::Explicit
            | EngineKind::BitsBmc
            | EngineKind::Ic3
            | EngineKind::Deductive
            | EngineKind::Heap
            | EngineKind::Polynomials,
        ) => {
            // They ask for no interpolants.
            vec![Strategy::Auto]
        }
        _ => all().collect(),
    }
}

/// Which pairs of a program and a combination are run.
#[derive(Clone, Copy)]
enum Extent {
    /// One combination for each of three methods, for each program.
    Sample,
    /// All combinations, for the programs whose number leaves `part` when it is divided by `of`.
    Product { part: usize, of: usize },
}

impl Extent {
    /// What `ULT_COMBINATIONS` asks for: `all`, or `K/N`, where the parts are counted from 1.
    fn asked() -> Self {
        let Ok(asked) = std::env::var("ULT_COMBINATIONS") else {
            return Self::Sample;
        };
        let product = match asked.as_str() {
            "all" => Some((1, 1)),
            part => part
                .split_once('/')
                .and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?))),
        };
        match product {
            Some((part, of)) if (1..=of).contains(&part) => Self::Product { part: part - 1, of },
            _ => panic!("ULT_COMBINATIONS is `all` or `K/N` with K from 1 to N, not `{asked}`"),
        }
    }
}

/// The combinations for a program: all, or one for each of three methods.
fn combinations(number: usize, all: bool) -> Vec<Combination> {
    let mut list = Vec::new();
    for (m, &method) in methods().iter().enumerate() {
        let (operators, strategies) = (operators(), strategies(method));
        let mut every = Vec::new();
        for (s, strategy) in strategies.iter().enumerate() {
            for b in 0..operators.len() {
                every.push(Combination {
                    method,
                    // A step in one goes with a step in the other.
                    blocks: operators[(b + s) % operators.len()],
                    strategy: strategy.clone(),
                });
            }
        }
        match all {
            true => list.extend(every),
            false if (number + m).is_multiple_of(3) => {
                list.push(every[(number * 7 + m * 11) % every.len()].clone());
            }
            false => {}
        }
    }
    list
}

struct Program {
    path: PathBuf,
    language: Language,
    text: String,
    expected: Option<Conclusion>,
}

fn programs() -> Vec<Program> {
    let root = crate::root();
    let mut folders = vec![root.join("tests/corpus"), root.join("examples")];
    let mut programs = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                // Those are for the portfolio: see `tests/corpus.rs` and `tests/grade.rs`.
                let others = ["first", "course", "solutions", "grading"];
                let is_other = others
                    .iter()
                    .any(|name| path == root.join("examples").join(name));
                if !is_other {
                    folders.push(path);
                }
                continue;
            }
            let language = match path.extension().and_then(|end| end.to_str()) {
                Some("bpl") => Language::Boogie,
                Some("ult") => Language::Graph,
                Some("smt2") => Language::Horn,
                Some("aag") => Language::Aiger,
                Some("btor2") => Language::Btor2,
                Some("dimspec") => Language::DimSpec,
                Some("svlib") => Language::SvLib,
                _ => continue,
            };
            let text = fs::read_to_string(&path).unwrap();
            let head = text.lines().find_map(|line| line.split_once("# expect:"));
            let expected = head.map_or("", |(_, expected)| expected.trim());
            if expected.starts_with("rejected") {
                continue;
            }
            programs.push(Program {
                expected: match expected {
                    "safe" => Some(Conclusion::Safe),
                    _ if expected.starts_with("unsafe") => Some(Conclusion::Unsafe),
                    _ => None,
                },
                path: path.strip_prefix(root).unwrap().to_owned(),
                language,
                text,
            });
        }
    }
    programs
}

/// What a combination says about a program.
struct Said {
    conclusion: Conclusion,
    questions: u64,
}

impl Said {
    fn is_decided(&self) -> bool {
        let verdict = matches!(self.conclusion, Conclusion::Safe | Conclusion::Unsafe);
        verdict && self.questions <= QUESTIONS
    }
}

fn ask(program: &Program, combination: &Combination, limit: Duration) -> Said {
    let mut settings = Settings::default();
    settings.verify.method = combination.method;
    settings.verify.reduce.blocks = combination.blocks;
    settings.verify.common.interpolation = combination.strategy.clone();
    let control = Control::with_deadline(Some(Instant::now() + limit));
    let source = Source::new(program.path.display().to_string(), program.text.as_str());
    let progress = Progress::default();
    let report = program::check(&source, program.language, &settings, &control, &progress)
        .expect("no entries are named");
    Said {
        conclusion: report.conclusion(),
        questions: report.statistics.solver_calls,
    }
}

#[test]
#[ignore = "takes long"]
fn all_engines_agree_on_the_corpus() {
    let extent = Extent::asked();
    let programs = programs();
    assert!(programs.len() >= 60, "only {} programs", programs.len());
    let work: Vec<(&Program, Combination)> = programs
        .iter()
        .enumerate()
        .flat_map(|(number, program)| {
            let list = match extent {
                Extent::Sample => combinations(number, false),
                Extent::Product { part, of } if number % of == part => combinations(number, true),
                Extent::Product { .. } => Vec::new(),
            };
            list.into_iter()
                .map(move |combination| (program, combination))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Said>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((program, combination)) = work.get(index) else {
                        break;
                    };
                    let said = ask(program, combination, GLANCE);
                    let mut results = results.lock().unwrap();
                    results.insert(index, said);
                    if results.len().is_multiple_of(1000) {
                        // For those who wait for all combinations.
                        eprintln!("{} of {} runs", results.len(), work.len());
                    }
                }
            });
        }
    });

    let mut results = results.into_inner().unwrap();
    assert_eq!(results.len(), work.len());
    // What is about arrays only is in tests/arrays.rs.
    let all_kinds = |method: &Method| *method != Method::Engine(EngineKind::Arrays);
    let methods: Vec<Method> = methods().into_iter().filter(all_kinds).collect();
    for &method in &methods {
        let of_method = |index: &usize| work[*index].1.method == method;
        let indices: Vec<usize> = (0..work.len()).filter(of_method).collect();
        for (limit, &index) in PATIENCE
            .iter()
            .flat_map(|l| indices.iter().map(move |i| (l, i)))
        {
            let decided = indices.iter().filter(|index| results[index].is_decided());
            if decided.count() >= enough(method) {
                break;
            }
            if matches!(results[&index].conclusion, Conclusion::Unknown(_)) {
                let (program, combination) = &work[index];
                results.insert(index, ask(program, combination, *limit));
            }
        }
    }
    let mut wrong = Vec::new();
    let mut said: BTreeMap<&Path, Conclusion> = BTreeMap::new();
    let mut decided: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for (index, answer) in &results {
        let (program, combination) = &work[*index];
        let entry = decided.entry(combination.name()).or_default();
        let conclusion = &answer.conclusion;
        match conclusion {
            Conclusion::Safe | Conclusion::Unsafe => {
                entry.0 += usize::from(answer.is_decided());
                let first = said
                    .entry(&program.path)
                    .or_insert_with(|| conclusion.clone());
                let expected = program.expected.as_ref().unwrap_or(first);
                if conclusion != expected {
                    wrong.push(format!(
                        "{}: {} says {conclusion:?}",
                        program.path.display(),
                        combination.name()
                    ));
                }
            }
            Conclusion::Nothing => {}
            Conclusion::Conditional(_) | Conclusion::Unknown(_) => {
                entry.1.push(program.path.display().to_string())
            }
            Conclusion::Rejected => {
                wrong.push(format!("{}: rejected", program.path.display()));
            }
        }
    }
    let mut table = String::new();
    for (name, (decided, open)) in &decided {
        let _ = write!(table, "{name}: {decided} decided");
        match open.is_empty() {
            true => table.push('\n'),
            false => {
                let _ = writeln!(table, ", UNKNOWN: {}", open.join(", "));
            }
        }
    }
    println!("{table}");
    assert!(wrong.is_empty(), "\n{}\n\n{table}", wrong.join("\n"));
    for method in methods {
        let count: usize = decided
            .iter()
            .filter(|(name, _)| name.starts_with(&format!("{method} /")))
            .map(|(_, (decided, _))| decided)
            .sum();
        assert!(
            count >= enough(method),
            "{method} decided only {count}\n\n{table}"
        );
    }
}
