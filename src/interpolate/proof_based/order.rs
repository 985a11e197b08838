//! Which variable is decided next: the one that was in most conflicts lately.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::clause::Var;

/// Activities of variables, and those variables that may be open, by activity.
///
/// (The heuristic of Chaff: Moskewicz and others, DAC 2001, in the form of MiniSat.)
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    /// Variables with an activity that they had once; stale entries are passed over.
    heap: BinaryHeap<Entry>,
}

#[derive(Clone, Copy, PartialEq)]
struct Entry {
    activity: f64,
    var: Var,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        // Among equals the variable made first, which is the one of the earlier step.
        self.activity
            .total_cmp(&other.activity)
            .then(other.var.cmp(&self.var))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Order {
    fn default() -> Order {
        Order {
            activity: Vec::new(),
            increment: 1.0,
            heap: BinaryHeap::new(),
        }
    }
}

impl Order {
    /// Makes room for so many variables; new ones are open.
    pub(super) fn grow(&mut self, variables: usize) {
        for index in self.activity.len()..variables {
            self.activity.push(0.0);
            self.reopen(Var::new(index));
        }
    }

    /// A variable took part in a conflict.
    pub(super) fn bump(&mut self, var: Var) {
        self.activity[var.index()] += self.increment;
        self.reopen(var);
    }

    /// A variable has no value any more.
    pub(super) fn reopen(&mut self, var: Var) {
        let activity = self.activity[var.index()];
        self.heap.push(Entry { activity, var });
    }

    /// Conflicts from now on count more than those before.
    pub(super) fn decay(&mut self) {
        self.increment /= 0.95;
        if self.increment > 1e100 {
            self.increment *= 1e-100;
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            let vars: Vec<Var> = self.heap.drain().map(|entry| entry.var).collect();
            vars.into_iter().for_each(|var| self.reopen(var));
        }
    }

    /// The most active variable that is open.
    pub(super) fn pick(&mut self, is_open: impl Fn(Var) -> bool) -> Option<Var> {
        loop {
            let Entry { activity, var } = self.heap.pop()?;
            if is_open(var) && activity == self.activity[var.index()] {
                return Some(var);
            }
        }
    }
}
