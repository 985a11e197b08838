//! Quantile plots and scatter plots.

use std::ops::Range;
use std::path::Path;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::Pair;
use crate::answer::{Answer, Judgement};
use crate::table::Table;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The least time that is shown: below it there is the start of a process, and noise.
const LEAST: f64 = 0.01;

/// Numbers in mono-spaced text take so much of an axis' area.
const LABELS: u32 = 60;

/// Up to one second as it is, above by its logarithm: there is much below one second, and much far above.
fn bent(seconds: f64) -> f64 {
    if seconds <= 1.0 {
        seconds.max(0.0)
    } else {
        1.0 + seconds.log10()
    }
}

/// An axis of [`bent`] seconds, from zero on.
struct Seconds {
    most: f64,
}

/// Where such an axis has marks.
const MARKS: [f64; 15] = [
    0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
];

impl Ranged for Seconds {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, seconds: &f64, (from, to): (i32, i32)) -> i32 {
        let share = bent(*seconds) / bent(self.most);
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        MARKS
            .into_iter()
            .filter(|&mark| mark <= self.most)
            .collect()
    }

    fn range(&self) -> Range<f64> {
        0.0..self.most
    }
}

impl ValueFormatter<f64> for Seconds {
    fn format(seconds: &f64) -> String {
        shown(*seconds)
    }
}

/// How many tasks each tool decides rightly within so much processor time each.
pub(super) fn quantile(table: &Table, tools: &[String], file: &Path) -> Drawn {
    let lines: Vec<(&String, Vec<f64>)> = tools
        .iter()
        .map(|tool| {
            let rows = table
                .rows
                .iter()
                .filter(|row| row.tool == *tool && row.judgement == Judgement::Right);
            let mut times: Vec<f64> = rows.map(|row| row.cpu_seconds).collect();
            times.sort_by(f64::total_cmp);
            (tool, times)
        })
        .collect();
    let most = lines
        .iter()
        .map(|(_, times)| times.len())
        .max()
        .unwrap_or(0)
        .max(1);
    let slowest = lines
        .iter()
        .filter_map(|(_, times)| times.last())
        .copied()
        .fold(1.0, f64::max);
    let axis = Seconds {
        most: slowest * 1.2,
    };
    let root = SVGBackend::new(file, (900, 600)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(20)
        .x_label_area_size(40)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0.0..most as f64 * 1.02, axis)?;
    chart
        .configure_mesh()
        .x_desc("tasks decided rightly")
        .y_desc("processor seconds of each")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()?;
    for (number, (tool, times)) in lines.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let points = times.iter().enumerate();
        let points: Vec<(f64, f64)> = points.map(|(n, &time)| (n as f64 + 1.0, time)).collect();
        chart
            .draw_series(LineSeries::new(
                points.iter().copied(),
                colour.stroke_width(2),
            ))?
            .label(tool.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        chart.draw_series(
            points
                .iter()
                .map(|&point| Circle::new(point, 2, colour.filled())),
        )?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.4))
        .draw()?;
    root.present()?;
    Ok(())
}

/// The processor times of two tools on each task that one of them decides rightly. What one does not decide is on its edge.
pub(super) fn scatter(pair: &Pair, file: &Path) -> Drawn {
    let right =
        |rows: &[&crate::table::Row; 2], side: usize| rows[side].judgement == Judgement::Right;
    let shown_tasks = || {
        pair.tasks
            .iter()
            .filter(|rows| right(rows, 0) || right(rows, 1))
    };
    let times = shown_tasks().flat_map(|rows| {
        (0..2)
            .filter(|&side| right(rows, side))
            .map(|side| rows[side].cpu_seconds)
    });
    let edge = times.fold(1.0, f64::max) * 2.5;
    let root = SVGBackend::new(file, (700, 700)).into_drawing_area();
    root.fill(&WHITE)?;
    let [first, second] = pair.names;
    let mut chart = ChartBuilder::on(&root)
        .margin(20)
        .x_label_area_size(40)
        .y_label_area_size(LABELS)
        .build_cartesian_2d((LEAST..edge).log_scale(), (LEAST..edge).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(format!("{first}, processor seconds"))
        .y_desc(format!("{second}, processor seconds"))
        .x_label_formatter(&|x| shown(*x))
        .y_label_formatter(&|y| shown(*y))
        .draw()?;
    let grey = RGBColor(160, 160, 160);
    for (factor, colour) in [(1.0, BLACK), (2.0, grey), (0.5, grey)] {
        let from = LEAST * f64::max(1.0, 1.0 / factor);
        let to = edge * f64::min(1.0, 1.0 / factor);
        let ends = [(from, from * factor), (to, to * factor)];
        chart.draw_series(LineSeries::new(ends, colour.stroke_width(1)))?;
    }
    for rows in shown_tasks() {
        let at = |side: usize| match right(rows, side) {
            true => rows[side].cpu_seconds.max(LEAST),
            false => edge,
        };
        let is_proof = rows
            .iter()
            .any(|row| row.judgement == Judgement::Right && row.got == Answer::True);
        let colour = if is_proof { BLUE } else { RED };
        let style = match right(rows, 0) && right(rows, 1) {
            true => colour.mix(0.7).filled(),
            false => colour.mix(0.7).stroke_width(1),
        };
        chart.draw_series([Circle::new((at(0), at(1)), 4, style)])?;
    }
    let legend = [
        (BLUE, "right answer: a proof"),
        (RED, "right answer: an alarm"),
    ];
    for (number, (colour, words)) in legend.into_iter().enumerate() {
        let y = 30 + 18 * i32::try_from(number)?;
        root.draw(&Circle::new((100, y), 4, colour.mix(0.7).filled()))?;
        root.draw(&Text::new(words, (110, y - 6), ("sans-serif", 13)))?;
    }
    root.present()?;
    Ok(())
}

/// A mark of an axis.
fn shown(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
