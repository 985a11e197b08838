//! What engines that work beside each other tell before they end: invariants for all of them, and traces to error locations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ult_core::formula::{Term, Terms};
use ult_core::graph::LocationId;
use ult_core::graph::evidence::Run;

/// Lemmas: state formulas that hold at locations.
pub type Lemmas = BTreeMap<LocationId, Vec<Term>>;

/// Adds formulas; tells whether there was a new one.
pub(crate) fn enter(all: &mut Lemmas, more: Lemmas) -> bool {
    let mut news = false;
    for (location, formulas) in more {
        let known = all.entry(location).or_default();
        for formula in formulas {
            if !known.contains(&formula) {
                known.push(formula);
                news = true;
            }
        }
    }
    news
}

/// State formulas that were proved to hold at locations of one graph, for all engines that work
/// in it, on whatever thread. Clones share one pool.
///
/// The formulas are inductive together with what was published before them. Nobody has to believe
/// that: they become part of a claim, and the checker proves them again.
#[derive(Clone, Default)]
pub struct Facts {
    pool: Arc<Mutex<Published>>,
    /// The number of who has this handle, if somebody waits for the traces that it finds.
    owner: Option<usize>,
}

/// A trace that an engine claims to have found while it goes on.
pub(crate) struct Found {
    /// Whose it is.
    pub(crate) owner: usize,
    pub(crate) error: LocationId,
    pub(crate) run: Run,
    /// It is one of the graph before the reductions.
    pub(crate) is_original: bool,
}

/// What was published, in a store of its own.
#[derive(Default)]
struct Published {
    terms: Terms,
    list: Vec<(LocationId, Term)>,
    /// Traces that have not been judged yet.
    found: Vec<Found>,
    /// Somebody looked for invariants at the start already, found or not.
    begun: bool,
    /// Somebody goes on looking for more.
    fed: bool,
}

/// While it lives, its owner is the one who goes on looking for more invariants for a pool.
pub(crate) struct Feeder(Facts);

impl Drop for Feeder {
    fn drop(&mut self) {
        self.0.pool().fed = false;
    }
}

/// How much of the pool somebody has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(usize);

impl Facts {
    /// The pool as an engine sees it whose traces somebody waits for, who knows it by a number.
    pub(crate) fn of(&self, owner: usize) -> Facts {
        Facts {
            pool: self.pool.clone(),
            owner: Some(owner),
        }
    }

    /// Hands over a trace to an error location of the graph, or of the graph before the reductions. The engine's outcome contains it
    /// again.
    pub(crate) fn found(&self, error: LocationId, run: &Run, is_original: bool) {
        let Some(owner) = self.owner else { return };
        let run = run.clone();
        self.pool().found.push(Found {
            owner,
            error,
            run,
            is_original,
        });
    }

    /// The traces that were handed over since this was asked last.
    pub(crate) fn take_found(&self) -> Vec<Found> {
        std::mem::take(&mut self.pool().found)
    }

    /// Adds formulas of the store `terms`. What is in the pool already is not added twice.
    pub fn publish(&self, terms: &Terms, known: &Lemmas) {
        let mut pool = self.pool();
        for (&location, formulas) in known {
            for formula in pool.terms.import_all(terms, formulas) {
                if !pool.list.contains(&(location, formula)) {
                    pool.list.push((location, formula));
                }
            }
        }
    }

    /// What was published since the cursor's last use, in the store `terms`.
    pub fn since(&self, terms: &Terms, cursor: &mut Cursor) -> Lemmas {
        let pool = self.pool();
        let new = &pool.list[cursor.0..];
        cursor.0 = pool.list.len();
        let formulas: Vec<Term> = new.iter().map(|&(_, formula)| formula).collect();
        let own = terms.import_all(&pool.terms, &formulas);
        let mut known: Lemmas = BTreeMap::new();
        for (&(location, _), formula) in new.iter().zip(own) {
            known.entry(location).or_default().push(formula);
        }
        known
    }

    /// Whether the search at the start was made by somebody; from now on it is.
    pub(crate) fn begin(&self) -> bool {
        std::mem::replace(&mut self.pool().begun, true)
    }

    /// The right to go on looking for more, unless somebody has it.
    pub(crate) fn feeder(&self) -> Option<Feeder> {
        let taken = std::mem::replace(&mut self.pool().fed, true);
        (!taken).then(|| Feeder(self.clone()))
    }

    /// Whether somebody goes on looking for more.
    pub fn is_fed(&self) -> bool {
        self.pool().fed
    }

    fn pool(&self) -> MutexGuard<'_, Published> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::formula::Sort;

    #[test]
    fn what_one_thread_publishes_another_one_reads_once() {
        let facts = Facts::default();
        let location = LocationId::new(1);
        let shared = facts.clone();
        std::thread::spawn(move || {
            let terms = Terms::new();
            // Handles differ between the stores.
            let _ = terms.int(7);
            let x = terms.current("x", Sort::Int);
            let known = BTreeMap::from([(location, vec![terms.le(terms.int(0), x)])]);
            shared.publish(&terms, &known);
            shared.publish(&terms, &known);
        })
        .join()
        .unwrap();
        let terms = Terms::new();
        let mut cursor = Cursor::default();
        let known = facts.since(&terms, &mut cursor);
        let texts: Vec<String> = known[&location]
            .iter()
            .map(|&formula| terms.display(formula).to_string())
            .collect();
        assert_eq!(texts, ["0 <= x"]);
        assert!(facts.since(&terms, &mut cursor).is_empty());
    }
}
