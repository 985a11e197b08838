//! How two tools compare in each folder of tasks: folders are the categories of task sets.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter::Sum;

use super::Pair;
use crate::answer::Judgement;
use crate::table::{Row, escaped};

/// How many tasks of a folder were decided how.
#[derive(Clone, Copy, Default)]
struct Counts {
    tasks: usize,
    right: [usize; 2],
    wrong: [usize; 2],
    both: usize,
}

impl Counts {
    fn of(rows: &[&Row; 2]) -> Counts {
        let is = |judgement: Judgement| rows.map(|row| row.judgement == judgement);
        let right = is(Judgement::Right);
        Counts {
            tasks: 1,
            right: right.map(usize::from),
            wrong: is(Judgement::Wrong).map(usize::from),
            both: usize::from(right == [true; 2]),
        }
    }

    fn line(&self, name: &str) -> String {
        let [first, second] = self.right;
        let [wrong_first, wrong_second] = self.wrong;
        let Counts { tasks, both, .. } = self;
        format!(
            "| {name} | {tasks} | {first} | {second} | {both} | {wrong_first} | {wrong_second} |\n"
        )
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        let add = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
        all.fold(Counts::default(), |sum, next| Counts {
            tasks: sum.tasks + next.tasks,
            right: add(sum.right, next.right),
            wrong: add(sum.wrong, next.wrong),
            both: sum.both + next.both,
        })
    }
}

/// A table with a line for each folder, and how much of what one tool decides the other one decides as well.
pub(super) fn text(pair: &Pair) -> String {
    let mut folders: BTreeMap<&str, Vec<Counts>> = BTreeMap::new();
    for rows in &pair.tasks {
        let folder = rows[0].file.rsplit_once('/');
        let folder = folder.map_or("", |(folder, _)| folder);
        folders.entry(folder).or_default().push(Counts::of(rows));
    }
    let [first, second] = pair.names.map(escaped);
    let mut text = format!(
        "\n| folder | tasks | right: {first} | right: {second} | right: both | wrong: {first} | wrong: {second} |\n\
         |---|--:|--:|--:|--:|--:|--:|\n"
    );
    for (folder, counts) in &folders {
        let sum: Counts = counts.iter().copied().sum();
        text += &sum.line(&escaped(folder));
    }
    let all: Counts = folders.into_values().flatten().sum();
    text += &all.line("all");
    for (side, name, other) in [(0, &first, &second), (1, &second, &first)] {
        if all.right[side] > 0 {
            let share = 100.0 * all.both as f64 / all.right[side] as f64;
            let _ = write!(
                text,
                "\nOf the {} that {name} decides rightly, {other} decides {} ({share:.1} %).\n",
                all.right[side], all.both,
            );
        }
    }
    text
}
