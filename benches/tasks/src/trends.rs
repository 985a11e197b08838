//! What Ivančić and others (TCS 2008) and Kleine Büning and others (2018) say about their ways to search, looked at with
//! ours: which hints help bounded model checking and proofs, what one-hot locations cost, what larger steps save, which of
//! bounded model checking and IC3 suits what.
//!
//! Processor times are compared as ratios, of one build on one machine. What is counted (steps, latches, gates, conflicts)
//! does not depend on the machine.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;

use crate::process::{self, End, Limits};
use crate::{Failure, machine};

/// Compare the ways to search circuits.
#[derive(clap::Args)]
pub(crate) struct TrendsArguments {
    /// The time limit in seconds.
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// The root of the repository, where the programs lie.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    root: PathBuf,
    /// Store the table under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A program, with whether it is violated.
struct Case {
    name: &'static str,
    path: &'static str,
    is_unsafe: bool,
}

const fn case(name: &'static str, path: &'static str, is_unsafe: bool) -> Case {
    Case {
        name,
        path,
        is_unsafe,
    }
}

/// Where the straight-line program is written.
const STRAIGHT: &str = "";

/// Programs with a run to be found.
const WITNESSES: [Case; 5] = [
    case("ppp", "examples/ppp/lcp_terminate_ack.c", true),
    case("mutex", "benches/trends/mutex_false.c", true),
    case("straight", STRAIGHT, true),
    case("diamond", "benches/llumc/diamond_false.c", true),
    case(
        "overflow smaller",
        "benches/llumc/overflow_smaller_false.c",
        true,
    ),
];

/// Programs with a proof to be found.
const PROOFS: [Case; 5] = [
    case("ppp", "examples/ppp/lcp.c", false),
    case("mutex", "benches/trends/mutex_true.c", false),
    case("jain_1", "benches/llumc/jain_1_true.c", false),
    case("jain_7", "benches/llumc/jain_7_true.c", false),
    case("gcd_4", "benches/llumc/gcd_4_true.c", false),
];

/// The hints, and all combinations of them.
const HINTS: [(&str, &str); 8] = [
    ("std", "std"),
    ("sc", "sc"),
    ("1h", "1h"),
    ("tr", "tr"),
    ("sc 1h", "sc,1h"),
    ("sc tr", "sc,tr"),
    ("1h tr", "1h,tr"),
    ("all", "sc,1h,tr"),
];

/// What one run came to.
#[derive(Default)]
struct Point {
    is_right: bool,
    is_wrong: bool,
    cpu: f64,
    /// The most memory, in megabytes.
    memory: u64,
    depth: u64,
    latches: u64,
    gates: u64,
    conflicts: u64,
}

/// The part of a report that is looked at.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    statistics: Counted,
}

#[derive(Deserialize)]
struct Counted {
    depth: u64,
    latches: u64,
    gates: u64,
    unrolled: Vec<Unrolled>,
}

#[derive(Deserialize)]
struct Unrolled {
    conflicts: u64,
}

/// What all runs have in common.
struct Bench<'a> {
    arguments: &'a TrendsArguments,
    ult: &'a Path,
    stop: &'a AtomicBool,
    straight: PathBuf,
    wrong: bool,
    text: String,
}

impl Bench<'_> {
    fn run(&mut self, case: &Case, engine: &str, choices: &str) -> Result<Point, Failure> {
        let arguments = self.arguments;
        let path = self.path(case);
        let timeout = arguments.timeout.to_string();
        let memory = arguments.memory.to_string();
        let command: Vec<String> = [
            &self.ult.display().to_string(),
            "check",
            &path.display().to_string(),
            "--property",
            "unreach-call",
            "--int-encoding",
            "bits",
            "--engine",
            engine,
            "--circuit",
            choices,
            "--timeout",
            &timeout,
            "--memory",
            &memory,
            "--format",
            "json",
            "--stats",
        ]
        .map(String::from)
        .to_vec();
        let at = |error| Failure::Io(path.clone(), error);
        let finished = process::run(&command, None, self.limits(), self.stop).map_err(at)?;
        let mut point = Point {
            cpu: finished.cpu.as_secs_f64(),
            memory: finished.memory >> 20,
            ..Point::default()
        };
        if let Ok(report) = serde_json::from_str::<Report>(&finished.stdout) {
            let wanted = if case.is_unsafe { "UNSAFE" } else { "SAFE" };
            point.is_right = report.verdict == wanted;
            point.is_wrong = !point.is_right && ["SAFE", "UNSAFE"].contains(&&*report.verdict);
            point.depth = report.statistics.depth;
            point.latches = report.statistics.latches;
            point.gates = report.statistics.gates;
            let last = report.statistics.unrolled.last();
            point.conflicts = last.map_or(0, |last| last.conflicts);
        } else {
            eprintln!("{}: {}", case.name, finished.stderr.trim());
        }
        self.wrong |= point.is_wrong;
        Ok(point)
    }

    /// A table: programs by settings.
    fn table(
        &mut self,
        title: &str,
        cases: &[Case],
        settings: &[(&str, &str, &str)],
        cell: impl Fn(&Point) -> String,
    ) -> Result<Vec<Vec<Point>>, Failure> {
        let mut text = format!("\n## {title}\n\n| program |");
        for (name, ..) in settings {
            let _ = write!(text, " {name} |");
        }
        let _ = writeln!(text, "\n|---|{}", "---:|".repeat(settings.len()));
        let mut rows = Vec::new();
        for case in cases {
            let _ = write!(text, "| {} |", case.name);
            let mut row = Vec::new();
            for (_, engine, choices) in settings {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let point = self.run(case, engine, choices)?;
                let mark = match (point.is_right, point.is_wrong) {
                    (true, _) => "",
                    (_, true) => "WRONG ",
                    _ => "- ",
                };
                let _ = write!(text, " {mark}{} |", cell(&point));
                row.push(point);
            }
            text.push('\n');
            rows.push(row);
        }
        print!("{text}");
        self.text += &text;
        Ok(rows)
    }

    /// ABC on the same circuits, if it is installed.
    fn beside(
        &mut self,
        title: &str,
        cases: &[Case],
        engine: &str,
        command: &str,
        folder: &Path,
    ) -> Result<(), Failure> {
        let works = process::run(&abc("quit"), None, self.limits(), self.stop);
        if !works.is_ok_and(|finished| finished.end == End::Code(0)) {
            return Ok(());
        }
        let mut text = format!(
            "\n## {title}\n\n| program | {engine} | {command} | ratio |\n|---|---:|---:|---:|\n"
        );
        let mut ratios = Vec::new();
        for case in cases {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let own = self.run(case, engine, "loop-steps")?;
            let file = folder.join("circuit.aig");
            let export: Vec<String> = [
                &self.ult.display().to_string(),
                "export",
                &self.path(case).display().to_string(),
                "--property",
                "unreach-call",
                "--int-encoding",
                "bits",
                "--format",
                "aiger",
                "--output",
                &file.display().to_string(),
            ]
            .map(String::from)
            .to_vec();
            let limits = self.limits();
            let at = |error| Failure::Io(file.clone(), error);
            let exported = process::run(&export, None, limits, self.stop).map_err(at)?;
            if exported.end != End::Code(0) {
                let _ = writeln!(text, "| {} | {:.2} s | no circuit | |", case.name, own.cpu);
                continue;
            }
            // Other ways to read take latches with any value at first for ones with 0.
            let seconds = self.arguments.timeout;
            let script = format!("&r circuit.aig; &put; orpos; {command} -T {seconds}");
            let other = process::run(&abc(&script), Some(folder), limits, self.stop).map_err(at)?;
            let answer = match &other.stdout {
                said if said.contains("was asserted in frame") => Some(true),
                said if said.contains("Property proved") => Some(false),
                _ => None,
            };
            self.wrong |= answer.is_some_and(|answer| answer != case.is_unsafe);
            let (ours, theirs) = (own.cpu, other.cpu.as_secs_f64());
            let ratio = ours / theirs;
            let mark = |decided| if decided { "" } else { "- " };
            let _ = writeln!(
                text,
                "| {} | {}{ours:.2} s | {}{theirs:.2} s | {ratio:.1} |",
                case.name,
                mark(own.is_right),
                mark(answer.is_some()),
            );
            if own.is_right && answer.is_some() {
                ratios.push(ratio);
            }
        }
        print!("{text}");
        self.text += &text;
        ratios.sort_by(f64::total_cmp);
        if let Some(median) = ratios.get(ratios.len() / 2) {
            self.say(&format!(
                "Median of the ratios where both decide: {median:.1}. The time of `ult` is that from the C text to the checked verdict, ABC's that from the circuit."
            ));
        }
        Ok(())
    }

    fn path(&self, case: &Case) -> PathBuf {
        match case.path {
            STRAIGHT => self.straight.clone(),
            path => self.arguments.root.join(path),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.arguments.timeout + 10),
            memory: (self.arguments.memory + 500) << 20,
        }
    }

    /// A sentence below a table.
    fn say(&mut self, sentence: &str) {
        println!("\n{sentence}");
        let _ = writeln!(self.text, "\n{sentence}");
    }
}

fn abc(script: &str) -> Vec<String> {
    ["berkeley-abc", "-q", script].map(String::from).to_vec()
}

/// How often a setting decides rightly, and the processor time of all its runs.
fn sum(rows: &[Vec<Point>], setting: usize) -> (usize, f64) {
    let points = || rows.iter().filter_map(|row| row.get(setting));
    let right = points().filter(|point| point.is_right).count();
    (right, points().map(|point| point.cpu).sum())
}

/// Runs all. The result says whether no verdict was wrong.
pub(crate) fn measure(
    arguments: &TrendsArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::Io("a folder".into(), error))?;
    let straight = folder.path().join("straight.c");
    let at = |error| Failure::Io(straight.clone(), error);
    std::fs::write(&straight, straight_line(100)).map_err(at)?;
    let mut bench = Bench {
        arguments,
        ult,
        stop,
        straight: straight.clone(),
        wrong: false,
        text: format!(
            "# Trends of the two papers\n\n{}, {}, {}; {} s for each run. `-`: not decided.\n",
            machine::date(),
            machine::commit(),
            machine::machine(),
            arguments.timeout
        ),
    };
    let time = |point: &Point| format!("{:.2} s, {}", point.cpu, point.conflicts);
    for (title, cases, engine, steps) in [
        (
            "T1: runs, bounded model checking by blocks (processor time, conflicts)",
            &WITNESSES,
            "bits-bmc",
            "block-steps",
        ),
        (
            "T2, T3: proofs, IC3 by blocks (processor time)",
            &PROOFS,
            "ic3",
            "block-steps",
        ),
        (
            "T2, T3: proofs, IC3 from loop head to loop head (processor time)",
            &PROOFS,
            "ic3",
            "loop-steps",
        ),
    ] {
        let choices: Vec<String> = (HINTS.iter())
            .map(|(_, hint)| format!("{steps},cadical,{hint}"))
            .collect();
        let settings: Vec<(&str, &str, &str)> = (HINTS.iter().zip(&choices))
            .map(|((name, _), choices)| (*name, engine, choices.as_str()))
            .collect();
        let rows = bench.table(title, cases, &settings, time)?;
        let sums: Vec<String> = (HINTS.iter().enumerate())
            .map(|(number, (name, _))| {
                let (right, cpu) = sum(&rows, number);
                format!("{name}: {right} decided, {cpu:.1} s")
            })
            .collect();
        bench.say(&format!("Together: {}.", sums.join("; ")));
    }
    let size = |point: &Point| format!("{} latches, {} gates", point.latches, point.gates);
    let counters = [
        ("binary", "ic3", "block-steps,binary"),
        ("one-hot", "ic3", "block-steps,one-hot"),
    ];
    let rows = bench.table(
        "T4: what one bit for each location costs",
        &PROOFS,
        &counters,
        size,
    )?;
    let ratios = |of: fn(&Point) -> u64| {
        let (mut one, mut other) = (0, 0);
        for row in &rows {
            if let [binary, hot] = row.as_slice() {
                one += of(binary);
                other += of(hot);
            }
        }
        other as f64 / one as f64
    };
    let (latches, gates) = (ratios(|point| point.latches), ratios(|point| point.gates));
    bench.say(&format!(
        "One-hot has {latches:.2} times the latches and {gates:.2} times the gates."
    ));
    let steps = |point: &Point| {
        format!(
            "{} steps, {:.2} s, {} gates",
            point.depth, point.cpu, point.gates
        )
    };
    let steppings = [
        ("edges", "bits-bmc", "edge-steps"),
        ("blocks", "bits-bmc", "block-steps"),
        ("loops", "bits-bmc", "loop-steps"),
    ];
    bench.table("T5, T6: larger steps", &WITNESSES, &steppings, steps)?;
    let orders = [
        ("each depth", "bits-bmc", "block-steps,each-depth"),
        ("exponential", "bits-bmc", "block-steps,exponential"),
        ("both ends", "bits-bmc", "block-steps,both-ends"),
        ("unpruned", "bits-bmc", "block-steps,unpruned"),
    ];
    bench.table(
        "In which order lengths are tried, and without pruning",
        &WITNESSES,
        &orders,
        steps,
    )?;
    let engines = [
        ("bits-bmc", "bits-bmc", "loop-steps"),
        ("ic3", "ic3", "loop-steps"),
    ];
    let with_memory = |point: &Point| format!("{}, {} MB", steps(point), point.memory);
    bench.table("T7, T10: proofs", &PROOFS, &engines, with_memory)?;
    bench.table("T8, T10: runs", &WITNESSES, &engines, with_memory)?;
    let folder = folder.path();
    bench.beside(
        "ABC's bmc3 beside bits-bmc",
        &WITNESSES,
        "bits-bmc",
        "bmc3",
        folder,
    )?;
    bench.beside("ABC's pdr beside ic3", &PROOFS, "ic3", "pdr", folder)?;
    if stop.load(Ordering::Relaxed) {
        println!("interrupted: nothing is stored");
        return Ok(false);
    }
    if let Some(out) = &arguments.out {
        let path = out.with_extension("md");
        std::fs::write(&path, &bench.text).map_err(|error| Failure::Io(path, error))?;
    }
    Ok(!bench.wrong)
}

/// So many choices one after the other, of which some lead to a number.
fn straight_line(choices: u32) -> String {
    let mut text = String::from(
        "extern void reach_error(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\nint main(void) {\n  unsigned short sum = 1;\n",
    );
    let mut sum: u16 = 1;
    for number in 0..choices {
        let odd = ((number * 7919 + 12347) % 65536) | 1;
        let odd = odd as u16;
        let _ = writeln!(
            text,
            "  if (__VERIFIER_nondet_uchar() & 1)\n    sum = sum * 3 + {odd};\n  else\n    sum = sum ^ {number};"
        );
        sum = match number % 3 {
            0 => sum.wrapping_mul(3).wrapping_add(odd),
            _ => sum ^ number as u16,
        };
    }
    let _ = writeln!(
        text,
        "  if (sum == {sum})\n    reach_error();\n  return 0;\n}}"
    );
    text
}
