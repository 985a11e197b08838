//! How many calls are around a step of a trace.
//!
//! The place of a step says it where each call has a body of its own in the graph. Of a body that is there once, the trace has to be
//! asked which call it came by.

use std::collections::HashMap;

use ult_core::graph::Origin;
use ult_lower::origin::{Origins, Step};

/// How many more calls are around a step than its place says: more than none in bodies that are in the graph once.
#[derive(Default)]
pub(crate) struct CallDepth {
    now: isize,
    /// Of the callers.
    around: Vec<isize>,
    /// How many a call adds.
    added: HashMap<Origin, isize>,
}

impl CallDepth {
    /// Takes a step, and tells how many more there are around it.
    pub(crate) fn pass(&mut self, origins: &Origins, origin: Origin) -> isize {
        let here = |origin| isize::try_from(origins.call_stack(origin).len()).unwrap_or(0);
        match origins.get(origin).map(|info| &info.step) {
            Some(Step::Call(_)) => {
                let added = self.added.entry(origin).or_insert_with(|| {
                    let inside = origins.depth_inside(origin);
                    let inside = inside.and_then(|depth| isize::try_from(depth).ok());
                    inside.map_or(0, |inside| here(origin) + 1 - inside)
                });
                let before = self.now;
                self.around.push(before);
                self.now += *added;
                before
            }
            Some(Step::Return(_)) => {
                self.now = self.around.pop().unwrap_or(0);
                self.now
            }
            _ => self.now,
        }
    }

    /// After steps that are not told one by one, nothing is known.
    pub(crate) fn forget(&mut self) {
        (self.now, self.around) = (0, Vec::new());
    }
}
