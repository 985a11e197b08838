//! Which procedures can be trusted, when each counts on others.
//!
//! The largest set of procedures in which each keeps its part if the others do. (By induction on the
//! length of a run, for contracts: the first one to be broken is broken by a body all of whose calls
//! kept theirs.) After news about one procedure only those are looked at that count on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether a unit keeps its part, if those procedures do for which the function is true.
pub(crate) type Keeps<'k> = dyn Fn(usize, &dyn Fn(&Arc<str>) -> bool) -> bool + 'k;

/// A set of procedures by their names, and the units that are about them.
#[derive(Default)]
pub(crate) struct Trust {
    trusted: BTreeSet<Arc<str>>,
    units: BTreeMap<Arc<str>, Vec<usize>>,
    /// Units that count on a procedure, or did once.
    users: BTreeMap<Arc<str>, BTreeSet<usize>>,
}

impl Trust {
    /// There is a unit about the procedure. To be said before there is news about the unit.
    pub(crate) fn announce(&mut self, name: &Arc<str>, unit: usize) {
        self.units.entry(name.clone()).or_default().push(unit);
    }

    /// The unit counts on the procedure.
    pub(crate) fn relies(&mut self, unit: usize, name: &Arc<str>) {
        self.users.entry(name.clone()).or_default().insert(unit);
    }

    /// Whether the procedure is trusted.
    pub(crate) fn has(&self, name: &Arc<str>) -> bool {
        self.trusted.contains(name)
    }

    /// The units about the procedure.
    pub(crate) fn units(&self, name: &Arc<str>) -> impl Iterator<Item = usize> + '_ {
        self.units.get(name).into_iter().flatten().copied()
    }

    /// There is news about a unit. Returns all units that count on what may have changed.
    pub(crate) fn reconsider<'n>(
        &mut self,
        unit: usize,
        name: &dyn Fn(usize) -> Option<&'n Arc<str>>,
        keeps: &Keeps<'_>,
    ) -> BTreeSet<usize> {
        let Some(own) = name(unit) else {
            return BTreeSet::new();
        };
        // Even if all goes well elsewhere?
        let hopeful = |other: &Arc<str>| self.units(other).all(|unit| keeps(unit, &|_| true));
        let hopeful = self.units(own).all(|unit| keeps(unit, &hopeful));
        let users = |name: &Arc<str>| self.users.get(name).into_iter().flatten().copied();
        if !hopeful && !self.has(own) {
            return users(own).collect();
        }
        let mut names = BTreeSet::from([own.clone()]);
        let mut found = BTreeSet::new();
        let mut waiting = vec![own.clone()];
        while let Some(next) = waiting.pop() {
            for user in users(&next) {
                found.insert(user);
                if let Some(name) = name(user)
                    && names.insert(name.clone())
                {
                    waiting.push(name.clone());
                }
            }
        }
        // All of them are trusted until one of them is found not to keep its part.
        let mut trusted = std::mem::take(&mut self.trusted);
        trusted.extend(names.iter().cloned());
        let mut waiting: Vec<Arc<str>> = names.into_iter().collect();
        while let Some(next) = waiting.pop() {
            let kept = self
                .units(&next)
                .all(|u| keeps(u, &|name| trusted.contains(name)));
            if !kept && trusted.remove(&next) {
                let affected = self.users.get(&next).into_iter().flatten();
                waiting.extend(affected.filter_map(|&user| name(user)).cloned());
            }
        }
        self.trusted = trusted;
        found
    }
}
