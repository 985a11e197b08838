//! Conflict-driven clause learning modulo a theory, with a resolution proof.
//!
//! The core is small on purpose: two watched literals, first unique implication points, activity
//! by conflicts, no restarts and no forgetting, since the clauses of one path are few and what is
//! wanted is a proof. (Nieuwenhuis, Oliveras, Tinelli, "Solving SAT and SAT modulo theories",
//! JACM 2006.)

use super::clause::{ClauseId, Clauses, Lit, Origin, Source, Var};
use super::order::Order;
use ult_core::control::Control;

/// A clause that the theory found to be false under the assignment, with its justification.
#[derive(Debug)]
pub(super) struct Conflict<L> {
    /// Literals that are all false.
    pub clause: Vec<Lit>,
    /// Why the clause holds.
    pub lemma: L,
}

/// A literal that another one, which is true, implies in the theory.
#[derive(Debug)]
pub(super) struct Implied<L> {
    /// What follows.
    pub lit: Lit,
    /// From what.
    pub reason: Lit,
    /// Why `lit || !reason` holds.
    pub lemma: L,
}

/// What the theory says of an assignment that satisfies all clauses.
#[derive(Debug)]
pub(super) enum Completion<L> {
    /// It has a model as far as the theory can tell.
    Consistent,
    /// It has none.
    Conflict(Conflict<L>),
    /// A new atom is to be decided, this way first.
    Decide(Lit),
    /// These valid clauses were not looked at so far; each belongs to a step.
    Clauses(Vec<(usize, Source, Vec<Lit>)>),
    /// The theory does not know.
    Unknown(String),
}

/// A decision procedure for conjunctions of literals.
pub(super) trait Theory {
    /// Why a clause of the theory holds.
    type Lemma;
    /// How many variables there are now.
    fn variables(&self) -> usize;
    /// The value to try first.
    fn preferred(&self, var: Var) -> bool;
    /// Whether the last value of a variable is to be tried first.
    fn keeps_value(&self, var: Var) -> bool;
    /// A new decision level.
    fn push(&mut self);
    /// Back by so many levels.
    fn pop(&mut self, levels: usize);
    /// A literal is true now. On a conflict the rest of the assignment is not told.
    fn assign(&mut self, lit: Lit) -> Result<(), Conflict<Self::Lemma>>;
    /// Whether all literals that are true have a model, as far as this is cheap to see.
    fn check(&mut self) -> Result<(), Conflict<Self::Lemma>>;
    /// Open literals that follow from single literals assigned since the last call.
    fn implied(&mut self, open: &dyn Fn(Lit) -> bool) -> Vec<Implied<Self::Lemma>>;
    /// The same for an assignment that satisfies all clauses, with more effort.
    fn complete(&mut self) -> Completion<Self::Lemma>;
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The empty clause was derived.
    Refuted(ClauseId),
    /// There is an assignment with which the theory has nothing against.
    Satisfiable,
    /// So many conflicts were met.
    Paused,
    /// The time is over, or the run was stopped.
    Timeout,
    /// The theory gave up.
    Unknown(String),
}

#[derive(Clone, Copy)]
struct Assigned {
    level: u32,
    reason: Option<ClauseId>,
}

/// The state of a search.
pub(super) struct Search<T: Theory> {
    /// The clauses and how they were derived.
    pub clauses: Clauses<T::Lemma>,
    /// The decision procedure.
    pub theory: T,
    /// How many conflicts were met.
    pub conflicts: u64,
    /// By literal: true, false, or open.
    values: Vec<Option<bool>>,
    assigned: Vec<Assigned>,
    /// By literal: the clauses that watch it, to be looked at when it becomes false.
    watches: Vec<Vec<ClauseId>>,
    trail: Vec<Lit>,
    /// Where the levels begin in the trail; level 0 has no entry.
    levels: Vec<usize>,
    /// The first literal of the trail that was not propagated.
    propagated: usize,
    /// The first literal of the trail that the theory was not told.
    told: usize,
    order: Order,
    /// By variable: the unit clause derived for it at level 0.
    units: Vec<Option<ClauseId>>,
    /// The empty clause, once it was derived.
    empty: Option<ClauseId>,
    /// By variable: the last value.
    last: Vec<Option<bool>>,
    /// Whether the search begins anew now and then, and after how many conflicts it does so next.
    pub restarts: bool,
    next_restart: u64,
    restarted: u32,
    /// By variable: whether it was seen in the analysis of a conflict. All false between two.
    seen: Vec<bool>,
}

/// The unit of the intervals between restarts, in conflicts.
const RESTART: u64 = 64;

/// Luby's sequence: 1, 1, 2, 1, 1, 2, 4, and so on.
fn luby(number: u32) -> u64 {
    let mut number = number + 1;
    while !(number + 1).is_power_of_two() {
        // Without the highest bit: the same again as before.
        number -= (1 << number.ilog2()) - 1;
    }
    u64::from(number.div_ceil(2))
}

impl<T: Theory> Search<T> {
    /// A search without clauses.
    pub(super) fn new(theory: T) -> Search<T> {
        Search {
            clauses: Clauses::default(),
            theory,
            conflicts: 0,
            values: Vec::new(),
            assigned: Vec::new(),
            watches: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            told: 0,
            order: Order::default(),
            units: Vec::new(),
            empty: None,
            last: Vec::new(),
            restarts: false,
            next_restart: RESTART,
            restarted: 0,
            seen: Vec::new(),
        }
    }

    /// Adds a clause of a step. Only at level 0, before the search or between two parts of it.
    pub(super) fn add(&mut self, step: usize, source: Source, mut lits: Vec<Lit>) {
        self.grow();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let id = self.clauses.add(lits, Origin::Step(step, source));
        self.attach(id);
    }

    /// Goes on until the end, until so many more conflicts were met, or until it is stopped.
    pub(super) fn run(&mut self, conflicts: u64, control: &Control) -> End {
        let pause = self.conflicts + conflicts;
        let mut decisions = 0u32;
        loop {
            if let Some(empty) = self.empty {
                return End::Refuted(empty);
            }
            match self.propagate() {
                Some(conflict) => {
                    self.conflicts += 1;
                    self.resolve(conflict);
                    if self.restarts && self.conflicts >= self.next_restart && self.empty.is_none()
                    {
                        self.restarted += 1;
                        self.next_restart = self.conflicts + RESTART * luby(self.restarted);
                        self.back_to(0);
                    }
                    if self.conflicts >= pause && self.empty.is_none() {
                        return End::Paused;
                    }
                    if control.check().is_err() {
                        return End::Timeout;
                    }
                }
                None => {
                    decisions += 1;
                    if decisions.is_multiple_of(64) && control.check().is_err() {
                        return End::Timeout;
                    }
                    if let Some(lit) = self.pick() {
                        self.decide(lit);
                        continue;
                    }
                    if control.check().is_err() {
                        return End::Timeout;
                    }
                    match self.theory.complete() {
                        Completion::Consistent => return End::Satisfiable,
                        Completion::Unknown(why) => return End::Unknown(why),
                        Completion::Decide(lit) => {
                            self.grow();
                            self.decide(lit);
                        }
                        Completion::Conflict(conflict) => {
                            self.conflicts += 1;
                            let id = self.lemma(conflict);
                            self.resolve(id);
                        }
                        Completion::Clauses(clauses) => {
                            self.back_to(0);
                            for (step, source, clause) in clauses {
                                self.add(step, source, clause);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Makes room for the variables that the theory has now.
    fn grow(&mut self) {
        let variables = self.theory.variables();
        self.values.resize(2 * variables, None);
        self.watches.resize_with(2 * variables, Vec::new);
        self.order.grow(variables);
        self.units.resize(variables, None);
        self.last.resize(variables, None);
        self.seen.resize(variables, false);
        let open = Assigned {
            level: 0,
            reason: None,
        };
        self.assigned.resize(variables, open);
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.index()]
    }

    fn level(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }

    fn current(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Watches a clause at level 0, or puts its consequence there.
    fn attach(&mut self, id: ClauseId) {
        debug_assert_eq!(self.current(), 0);
        // Literals that are not false come first.
        let mut lits = self.clauses.lits(id).to_vec();
        lits.sort_by_key(|&lit| self.value(lit) == Some(false));
        self.clauses.reorder(id, lits.clone());
        let open = lits
            .iter()
            .filter(|&&lit| self.value(lit) != Some(false))
            .count();
        if open == 0 {
            let empty = self.without_level_zero(id);
            self.empty.get_or_insert(empty);
            return;
        }
        if lits.len() >= 2 {
            self.watch(id);
        }
        if open == 1 && self.value(lits[0]).is_none() {
            self.enqueue(lits[0], Some(id));
        }
    }

    fn watch(&mut self, id: ClauseId) {
        for i in 0..2 {
            let lit = self.clauses.lits(id)[i];
            self.watches[lit.index()].push(id);
        }
    }

    /// The clause without its literals that are false at level 0.
    fn without_level_zero(&mut self, id: ClauseId) -> ClauseId {
        let (dead, rest): (Vec<Lit>, Vec<Lit>) = self
            .clauses
            .lits(id)
            .iter()
            .partition(|&&lit| self.value(lit) == Some(false) && self.level(lit.var()) == 0);
        let chain: Vec<(Var, ClauseId)> = dead.iter().map(|lit| self.unit(lit.var())).collect();
        self.clauses.resolved(rest, id, chain)
    }

    fn unit(&self, var: Var) -> (Var, ClauseId) {
        (
            var,
            self.units[var.index()].expect("derived when it was assigned"),
        )
    }

    fn enqueue(&mut self, lit: Lit, reason: Option<ClauseId>) {
        let var = lit.var();
        self.values[lit.index()] = Some(true);
        self.values[(!lit).index()] = Some(false);
        self.assigned[var.index()] = Assigned {
            level: self.current(),
            reason,
        };
        self.trail.push(lit);
        if let (0, Some(reason)) = (self.current(), reason) {
            // The other literals of the reason were false at level 0 before.
            let chain: Vec<(Var, ClauseId)> = self
                .clauses
                .lits(reason)
                .iter()
                .filter(|&&other| other != lit)
                .map(|other| self.unit(other.var()))
                .collect();
            self.units[var.index()] = Some(self.clauses.resolved(vec![lit], reason, chain));
        }
    }

    fn decide(&mut self, lit: Lit) {
        debug_assert!(self.values[lit.index()].is_none(), "decided already");
        self.levels.push(self.trail.len());
        self.theory.push();
        self.enqueue(lit, None);
    }

    fn back_to(&mut self, level: u32) {
        let levels = self.levels.len() - level as usize;
        if levels == 0 {
            return;
        }
        let start = self.levels[level as usize];
        for &lit in &self.trail[start..] {
            self.values[lit.index()] = None;
            self.values[(!lit).index()] = None;
            self.order.reopen(lit.var());
            self.last[lit.var().index()] = Some(lit.is_positive());
        }
        self.trail.truncate(start);
        self.levels.truncate(level as usize);
        self.propagated = start;
        self.told = self.told.min(start);
        self.theory.pop(levels);
    }

    /// The variable to decide next, with its preferred value.
    fn pick(&mut self) -> Option<Lit> {
        let values = &self.values;
        let is_open = |var| values[Lit::new(var, true).index()].is_none();
        let var = self.order.pick(is_open)?;
        let last = self.last[var.index()].filter(|_| self.theory.keeps_value(var));
        Some(Lit::new(
            var,
            last.unwrap_or_else(|| self.theory.preferred(var)),
        ))
    }

    /// Propagates to a fixpoint of clauses and theory; returns a false clause.
    fn propagate(&mut self) -> Option<ClauseId> {
        loop {
            if let Some(conflict) = self.propagate_clauses() {
                return Some(conflict);
            }
            if self.told == self.trail.len() {
                return None;
            }
            while self.told < self.trail.len() {
                let lit = self.trail[self.told];
                self.told += 1;
                if let Err(conflict) = self.theory.assign(lit) {
                    return Some(self.lemma(conflict));
                }
            }
            if let Err(conflict) = self.theory.check() {
                return Some(self.lemma(conflict));
            }
            if let Some(conflict) = self.take_implied() {
                return Some(conflict);
            }
        }
    }

    /// Adds what the theory propagates, as clauses of two literals; returns one that is false.
    fn take_implied(&mut self) -> Option<ClauseId> {
        let values = &self.values;
        let implied = self.theory.implied(&|lit| values[lit.index()].is_none());
        let mut conflict = None;
        for Implied { lit, reason, lemma } in implied {
            let clause = vec![lit, !reason];
            let id = self.clauses.add(clause, Origin::Lemma(lemma));
            self.watch(id);
            match self.value(lit) {
                None => self.enqueue(lit, Some(id)),
                Some(true) => {}
                Some(false) => conflict = conflict.or(Some(id)),
            }
        }
        conflict
    }

    fn lemma(&mut self, conflict: Conflict<T::Lemma>) -> ClauseId {
        self.clauses
            .add(conflict.clause, Origin::Lemma(conflict.lemma))
    }

    fn propagate_clauses(&mut self) -> Option<ClauseId> {
        while self.propagated < self.trail.len() {
            let dead = !self.trail[self.propagated];
            self.propagated += 1;
            let watching = std::mem::take(&mut self.watches[dead.index()]);
            let mut kept = Vec::with_capacity(watching.len());
            let mut conflict = None;
            for (i, &id) in watching.iter().enumerate() {
                let lits = self.clauses.lits_mut(id);
                if lits[0] == dead {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                if self.values[first.index()] == Some(true) {
                    kept.push(id);
                    continue;
                }
                let other = (2..lits.len()).find(|&j| self.values[lits[j].index()] != Some(false));
                if let Some(j) = other {
                    lits.swap(1, j);
                    let lit = lits[1];
                    self.watches[lit.index()].push(id);
                    continue;
                }
                kept.push(id);
                if self.values[first.index()] == Some(false) {
                    kept.extend(&watching[i + 1..]);
                    conflict = Some(id);
                    break;
                }
                self.enqueue(first, Some(id));
            }
            // New watches of the same literal cannot have been added meanwhile: it is false.
            self.watches[dead.index()] = kept;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Learns from a false clause, and goes back to where what was learned says something new.
    fn resolve(&mut self, conflict: ClauseId) {
        let level = self
            .clauses
            .lits(conflict)
            .iter()
            .map(|lit| self.level(lit.var()))
            .max()
            .unwrap_or(0);
        // A theory may notice late.
        self.back_to(level);
        if level == 0 {
            let empty = self.without_level_zero(conflict);
            self.empty.get_or_insert(empty);
            return;
        }
        let (learned, level) = self.analyse(conflict);
        self.back_to(level);
        let lits = self.clauses.lits(learned);
        let first = lits[0];
        // What the theory implied is watched already; so short, its order does not matter.
        if lits.len() >= 2 && !self.watches[first.index()].contains(&learned) {
            self.watch(learned);
        }
        self.enqueue(first, Some(learned));
        self.order.decay();
    }

    /// The first unique implication point: the learned clause, with the literal that will be
    /// asserted first and one of the highest other level second, and that level.
    fn analyse(&mut self, conflict: ClauseId) -> (ClauseId, u32) {
        let mut seen = std::mem::take(&mut self.seen);
        let mut touched = Vec::new();
        let mut dead: Vec<Var> = Vec::new();
        let mut rest: Vec<Lit> = Vec::new();
        let mut chain: Vec<(Var, ClauseId)> = Vec::new();
        let mut open = 0;
        let mut position = self.trail.len();
        let mut clause = conflict;
        let mut pivot: Option<Lit> = None;
        let asserting = loop {
            for i in 0..self.clauses.lits(clause).len() {
                let lit = self.clauses.lits(clause)[i];
                let var = lit.var();
                if Some(lit) == pivot || seen[var.index()] {
                    continue;
                }
                seen[var.index()] = true;
                touched.push(var);
                self.order.bump(var);
                match self.level(var) {
                    0 => dead.push(var),
                    level if level == self.current() => open += 1,
                    _ => rest.push(lit),
                }
            }
            let lit = loop {
                position -= 1;
                let lit = self.trail[position];
                if seen[lit.var().index()] && self.level(lit.var()) == self.current() {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break !lit;
            }
            clause = self.assigned[lit.var().index()]
                .reason
                .expect("only the last open literal can be a decision");
            chain.push((lit.var(), clause));
            pivot = Some(lit);
        };
        for var in touched {
            seen[var.index()] = false;
        }
        self.seen = seen;
        chain.extend(dead.into_iter().map(|var| self.unit(var)));
        let mut level = 0;
        if let Some((i, highest)) = rest
            .iter()
            .map(|lit| self.level(lit.var()))
            .enumerate()
            .max_by_key(|&(i, level)| (level, std::cmp::Reverse(i)))
        {
            rest.swap(0, i);
            level = highest;
        }
        let mut lits = vec![asserting];
        lits.extend(rest);
        let learned = self.clauses.resolved(lits.clone(), conflict, chain);
        if learned == conflict {
            self.clauses.reorder(learned, lits);
        }
        (learned, level)
    }
}
