//! Auxiliary invariants from a thread of their own, while an engine works.
//!
//! As in Beyer, Dangl, Wendler: "Boosting k-Induction with Continuously-Refined Invariants" (CAV
//! 2015): cheap ones first, then more and more precise ones, each published as soon as it is known
//! to be inductive together with what was published before.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use super::refine::refine;
use super::{Auxiliary, known};
use crate::blocks::Blocks;
use crate::facts::{Facts, Feeder};
use crate::limits;
use crate::task::Task;
use crate::thread::{Rank, STACK, go};
use ult_core::control::{Control, Stop};
use ult_core::formula::Terms;
use ult_core::graph::ProgramGraph;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// A generator at work, or somebody else's.
pub struct Generator {
    /// Stops the generator alone; dropping the handle does, too.
    control: Control,
    facts: Facts,
    /// Where its statistics come from, if it is one's own.
    counted: Option<Receiver<Statistics>>,
}

impl Generator {
    /// Starts a generator for the graph of the task, if none feeds the task's pool already. It goes
    /// first if somebody waits for it.
    pub(crate) fn start(task: &Task<'_>, rank: Rank) -> Generator {
        let control = task.control.branch();
        let feeder = task.facts.feeder();
        let counted = feeder.and_then(|feeder| {
            let (send, receive) = channel();
            let worker = Worker {
                terms: task.terms.clone(),
                graph: task.graph.clone(),
                control: control.clone(),
                facts: task.facts.clone(),
                feeder,
            };
            let work = move || {
                go(rank);
                // Nobody may be listening any more.
                let _ = send.send(worker.work());
            };
            let thread = thread::Builder::new()
                .name("invariants".into())
                .stack_size(STACK);
            thread.spawn(work).is_ok().then_some(receive)
        });
        Generator {
            control,
            facts: task.facts.clone(),
            counted,
        }
    }

    /// Whether nothing more will be published.
    pub fn is_over(&self) -> bool {
        !self.facts.is_fed()
    }

    /// Stops it, if it is one's own, and counts what it did.
    pub fn end(self, stats: &mut Statistics) {
        self.control.stop(Stop::Cancelled);
        if let Some(counted) = &self.counted {
            // Else it ends by itself, when the solver hears of the stop.
            if let Ok(counted) = counted.recv_timeout(limits::COUNTED) {
                stats.add(&counted);
            }
        }
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        self.control.stop(Stop::Cancelled);
    }
}

/// What the generator's thread owns.
struct Worker {
    terms: Terms,
    graph: ProgramGraph,
    control: Control,
    facts: Facts,
    /// As long as it lives, the pool is fed.
    feeder: Feeder,
}

impl Worker {
    fn work(self) -> Statistics {
        let mut stats = Statistics::default();
        let session = Session::new(&self.terms, &self.graph.axioms, &self.control).without_nlsat();
        let mut blocks = Blocks::new(&session, &self.graph);
        let task = Task::of_graph(&self.terms, &self.graph, &self.control, &self.facts);
        let start = Instant::now();
        let found = known(
            &task,
            &mut blocks,
            Auxiliary::Auto,
            &mut Statistics::default(),
        );
        refine(&mut blocks, found, &mut |news| {
            self.facts.publish(&self.terms, news);
        });
        stats.auxiliary_time += start.elapsed();
        session.take_calls(&mut stats);
        drop(self.feeder);
        stats
    }
}
