//! How the costs of programs grow with their size: families of programs, and the exponents of their growth.
//!
//! A family is run from small sizes to large ones until one is not decided in time. The exponent is the slope of the
//! line through the points in a picture whose both axes are logarithmic; a second one leaves points below
//! [`SETTLED`] out, since what every run costs hides the growth there.

mod families;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plotters::prelude::*;
use serde::Deserialize;

use self::families::{FAMILIES, Family};
use crate::answer::Judgement;
use crate::process::{self, Limits};
use crate::tasks::Task;
use crate::tool::Tool;
use crate::{Failure, machine};

/// Below so many seconds of processor time a point says little about growth.
const SETTLED: f64 = 0.25;

/// Less is written as nothing, and has no logarithm worth anything.
const SMALLEST: f64 = 0.005;

/// The parts of the work whose growth is shown by itself, with their names in the report.
const PHASES: [(&str, &str); 5] = [
    ("read", "read_time"),
    ("lower", "lower_time"),
    ("reduce", "reduce_time"),
    ("engines", "engine_time"),
    ("checker", "check_time"),
];

/// Measure how costs grow with the size of programs.
#[derive(clap::Args)]
pub(crate) struct GrowthArguments {
    /// Only families whose name contains this; may be repeated.
    #[arg(long, value_name = "SUBSTRING")]
    family: Vec<String>,
    /// The smallest size.
    #[arg(long, default_value_t = 100)]
    from: u64,
    /// The largest size; families of loops go up to a million if this is not given.
    #[arg(long)]
    to: Option<u64>,
    /// The time limit in seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// A tool, as for `run`; may be repeated. `ult` if none is given. Tools get Boogie programs only, unless they are `ult`.
    #[arg(long, value_name = "COMMAND|FILE.toml")]
    tool: Vec<String>,
    /// Store the table and the picture under this name, as .md and .svg.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What a run of one program took.
struct Point {
    size: u64,
    judgement: Judgement,
    /// Why it is not decided, in one or two words.
    reason: String,
    cpu: f64,
    phases: BTreeMap<&'static str, f64>,
}

/// The runs of one tool on one family.
struct Line {
    family: &'static Family,
    tool: String,
    points: Vec<Point>,
}

/// Runs the families and prints how they grow. The result says whether no verdict was wrong.
pub(crate) fn measure(
    arguments: &GrowthArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let mut tools = Vec::new();
    for tool in &arguments.tool {
        tools.push(Tool::from_argument(Some(tool), ult)?);
    }
    if tools.is_empty() {
        tools.push(Tool::from_argument(None, ult)?);
    }
    let wanted = |family: &&Family| {
        arguments.family.is_empty()
            || arguments
                .family
                .iter()
                .any(|part| family.name.contains(part))
    };
    let folder = tempfile::tempdir().map_err(|error| Failure::Io("a folder".into(), error))?;
    let mut lines: Vec<Line> = Vec::new();
    for family in FAMILIES.iter().filter(wanted) {
        for tool in tools
            .iter()
            .filter(|tool| family.language == "bpl" || tool.name == "ult")
        {
            let line = run(family, tool, arguments, folder.path(), stop)?;
            println!("{}", line.text());
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return Err(Failure::NoTasks);
    }
    let is_right = lines
        .iter()
        .flat_map(|line| &line.points)
        .all(|point| point.judgement != Judgement::Wrong);
    if let Some(out) = &arguments.out {
        let path = out.with_extension("md");
        std::fs::write(&path, table(&lines, arguments)).map_err(|e| Failure::Io(path, e))?;
        let path = out.with_extension("svg");
        picture(&lines, &path)
            .map_err(|error| Failure::Io(path, std::io::Error::other(error.to_string())))?;
    }
    Ok(is_right)
}

/// The sizes from `from` to `to`: powers of ten and three times them.
fn sizes(from: u64, to: u64) -> impl Iterator<Item = u64> {
    let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
    powers
        .flat_map(|power| [power, power.saturating_mul(3)])
        .skip_while(move |&size| size < from)
        .take_while(move |&size| size <= to)
}

fn run(
    family: &'static Family,
    tool: &Tool,
    arguments: &GrowthArguments,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Line, Failure> {
    let limits = Limits {
        time: Duration::from_secs(arguments.timeout + 10),
        memory: arguments.memory << 20,
    };
    let mut points = Vec::new();
    for size in sizes(
        arguments.from,
        arguments.to.unwrap_or(family.most).min(family.most),
    ) {
        let name = format!("{}-{size}.{}", family.name, family.language);
        let path = folder.join(&name);
        let at = |error| Failure::Io(path.clone(), error);
        std::fs::write(&path, (family.program)(size)).map_err(at)?;
        let task = Task {
            name,
            path: path.clone(),
            expected: family.expected,
            columns: [
                ("semantics".to_owned(), "whole-program".to_owned()),
                ("property".to_owned(), "unreach-call".to_owned()),
            ]
            .into(),
        };
        let timeout = Duration::from_secs(arguments.timeout);
        let command = tool.command(&task, timeout, arguments.memory)?;
        let finished = process::run(&command, None, limits, stop).map_err(at)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let reading = tool.read(&finished);
        let point = Point {
            size,
            judgement: reading.answer.map_or(Judgement::Crashed, |answer| {
                Judgement::of(family.expected, answer)
            }),
            reason: reading.reason,
            cpu: finished.cpu.as_secs_f64(),
            phases: phases(&finished.stdout),
        };
        let is_decided = point.judgement == Judgement::Right;
        points.push(point);
        if !is_decided {
            break;
        }
    }
    Ok(Line {
        family,
        tool: tool.name.clone(),
        points,
    })
}

/// What the phases of `ult` took, as it says itself; nothing for other tools.
fn phases(stdout: &str) -> BTreeMap<&'static str, f64> {
    #[derive(Deserialize)]
    struct Report {
        statistics: serde_json::Map<String, serde_json::Value>,
    }
    let Ok(report) = serde_json::from_str::<Report>(stdout) else {
        return BTreeMap::new();
    };
    let seconds =
        |(name, field): (&'static str, &str)| Some((name, report.statistics.get(field)?.as_f64()?));
    PHASES.into_iter().filter_map(seconds).collect()
}

/// The exponent of growth: by least squares, over the points that took so many seconds. `None` if there are fewer than two.
fn exponent(points: impl Iterator<Item = (u64, f64)>, least: f64) -> Option<f64> {
    let points: Vec<(f64, f64)> = points
        .filter(|&(_, seconds)| seconds >= least)
        .map(|(size, seconds)| ((size as f64).ln(), seconds.ln()))
        .collect();
    let count = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / count, y / count);
    let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
        let distance = point.0 - x;
        (
            above + distance * (point.1 - y),
            below + distance * distance,
        )
    });
    (points.len() >= 2).then(|| above / below)
}

impl Line {
    /// The runs that were decided rightly.
    fn decided(&self) -> impl Iterator<Item = &Point> {
        self.points
            .iter()
            .filter(|point| point.judgement == Judgement::Right)
    }

    fn exponent(&self, least: f64) -> Option<f64> {
        exponent(self.decided().map(|point| (point.size, point.cpu)), least)
    }

    /// The phases that are settled at least twice, with their exponents.
    fn phases(&self) -> Vec<(&'static str, f64)> {
        let of = |name: &'static str| {
            let points = self.decided();
            let points = points.filter_map(|point| Some((point.size, *point.phases.get(name)?)));
            Some((name, exponent(points, SETTLED)?))
        };
        PHASES.iter().filter_map(|(name, _)| of(name)).collect()
    }

    fn cell(point: &Point) -> String {
        match point.judgement {
            Judgement::Right => format!("{:.2}", point.cpu),
            Judgement::Wrong => "**wrong**".to_owned(),
            _ => format!("open after {:.0} ({})", point.cpu, point.reason),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} ({}):", self.family.name, self.tool);
        for point in &self.points {
            let _ = write!(text, " {}: {}", point.size, Line::cell(point));
        }
        if let Some(exponent) = self.exponent(SETTLED) {
            let _ = write!(text, "; exponent {exponent:.2}");
        }
        for (name, exponent) in self.phases() {
            let _ = write!(text, ", {name} {exponent:.2}");
        }
        text
    }
}

fn table(lines: &[Line], arguments: &GrowthArguments) -> String {
    let mut sizes: Vec<u64> = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|point| point.size))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut text = format!(
        "# Growth\n\nProcessor seconds by size, and the exponent of their growth (a fit by least squares): over all sizes, and \
         over those that took {SETTLED} s or more; the latter for each phase, too. A family ends with the first size that is not decided.\n\n- date: {}\n- commit: {}\n\
         - machine: {}\n- limits: {} s, {} MB\n\n| family | tool | what grows |",
        machine::date(),
        machine::commit(),
        machine::machine(),
        arguments.timeout,
        arguments.memory,
    );
    for size in &sizes {
        let _ = write!(text, " {size} |");
    }
    let _ = write!(text, " all | from {SETTLED} s | phases |\n|---|---|---|");
    text += &"---|".repeat(sizes.len() + 3);
    text += "\n";
    for line in lines {
        let _ = write!(
            text,
            "| {} | {} | {} |",
            line.family.name, line.tool, line.family.grows
        );
        for size in &sizes {
            let point = line.points.iter().find(|point| point.size == *size);
            let _ = write!(text, " {} |", point.map_or(String::new(), Line::cell));
        }
        let [all, settled] = [SMALLEST, SETTLED].map(|least| {
            let exponent = line.exponent(least);
            exponent.map_or(String::new(), |e| format!("{e:.2}"))
        });
        let phases: Vec<String> = line
            .phases()
            .into_iter()
            .map(|(name, e)| format!("{name} {e:.2}"))
            .collect();
        let _ = writeln!(text, " {all} | {settled} | {} |", phases.join(", "));
    }
    text
}

/// All lines in one picture with logarithmic axes.
fn picture(lines: &[Line], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(Line::decided);
    let largest = points().map(|point| point.size).max().unwrap_or(1);
    let smallest = points().map(|point| point.size).min().unwrap_or(1);
    let slowest = points().map(|point| point.cpu).fold(1.0, f64::max);
    let root = SVGBackend::new(path, (1100, 800)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(20)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            (smallest as f64..largest as f64 * 8.0).log_scale(),
            (0.01..slowest * 1.5).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("size")
        .y_desc("processor seconds")
        .draw()?;
    for (number, line) in lines.iter().enumerate() {
        let colour = Palette99::pick(number);
        let all: Vec<(f64, f64)> = line
            .decided()
            .map(|point| (point.size as f64, point.cpu.max(0.01)))
            .collect();
        let Some(&end) = all.last() else { continue };
        chart.draw_series(LineSeries::new(all, colour.stroke_width(2)))?;
        let label = match line.tool.as_str() {
            "ult" => line.family.name.to_owned(),
            tool => format!("{} ({tool})", line.family.name),
        };
        let style = ("sans-serif", 12).into_font().color(&colour);
        chart.draw_series([Text::new(label, (end.0 * 1.05, end.1), style)])?;
    }
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_exponent_two() {
        let squares = [100u64, 300, 1000].map(|n| (n, (n * n) as f64 / 10_000.0));
        let two = exponent(squares.into_iter(), SETTLED).expect("three points");
        assert!((two - 2.0).abs() < 1e-9, "{two}");
        // Two of them are too small to say anything.
        assert_eq!(
            exponent(squares.into_iter().map(|(n, s)| (n, s / 50.0)), SETTLED),
            None
        );
    }

    #[test]
    fn sizes_are_between_their_bounds() {
        assert_eq!(sizes(30, 1000).collect::<Vec<_>>(), [30, 100, 300, 1000]);
    }
}
