//! The general simplex of Dutertre and de Moura (A Fast Linear-Arithmetic Solver for DPLL(T),
//! CAV 2006): bounds on variables and on linear forms are asserted and withdrawn, feasibility over
//! the rationals is decided, and an infeasible set of bounds comes with a Farkas certificate.
//!
//! Everything is exact. The result of a sequence of calls depends on nothing but the calls.

mod certificate;

use std::collections::HashMap;

pub(super) use certificate::{Certificate, Part};

use super::number::{Delta, Rational};
use certificate::collect;

/// A column of the tableau: an original variable or a linear form over original variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Column(u32);

impl Column {
    /// The number of the column; columns are numbered from 0 in the order in which they were made.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a bound holds: whatever the caller wants to get back.
pub(super) type Reason = u32;

/// Which bound of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    /// `column <= bound`
    Upper,
    /// `column >= bound`
    Lower,
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Upper => Side::Lower,
            Side::Lower => Side::Upper,
        }
    }

    /// Whether `value` lies outside the bound of this side.
    fn excludes(self, bound: &Delta, value: &Delta) -> bool {
        match self {
            Side::Upper => value > bound,
            Side::Lower => value < bound,
        }
    }
}

/// What [`Simplex::check`] found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The current assignment satisfies all bounds.
    Feasible,
    /// No rational assignment satisfies all bounds.
    Infeasible(Certificate),
    /// The budget was used up first; a later check goes on from there.
    OutOfBudget,
}

/// A state of the asserted bounds, to return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark(usize);

/// A bound with its reason, if there is one.
pub(super) type Asserted<'a> = Option<(&'a Delta, Reason)>;

#[derive(Clone, Debug)]
struct Bound {
    value: Delta,
    reason: Reason,
}

#[derive(Debug)]
struct Variable {
    integer: bool,
    /// Over original variables, sorted, without zeros; an original variable is itself.
    combination: Vec<(Column, Rational)>,
    /// The current assignment.
    value: Delta,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// The row that defines the variable, if it is basic.
    row: Option<u32>,
    /// The rows whose sums mention the variable, in no order, if it is not basic.
    occurrences: Vec<u32>,
}

impl Variable {
    fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Upper => self.upper.as_ref(),
            Side::Lower => self.lower.as_ref(),
        }
    }

    /// The side whose bound the current value violates.
    fn violated(&self) -> Option<Side> {
        [Side::Lower, Side::Upper].into_iter().find(|side| {
            self.bound(*side)
                .is_some_and(|bound| side.excludes(&bound.value, &self.value))
        })
    }

    /// Whether the value of a nonbasic variable has room to move towards a side.
    fn can_move(&self, side: Side) -> bool {
        self.bound(side)
            .is_none_or(|bound| bound.value != self.value)
    }
}

/// `basic = sum of entries`; the entries are nonbasic, sorted by column, with factors other than 0.
#[derive(Debug)]
struct Row {
    basic: Column,
    entries: Vec<(Column, Rational)>,
}

impl Row {
    fn position(&self, column: Column) -> Option<usize> {
        self.entries.binary_search_by_key(&column, |(c, _)| *c).ok()
    }
}

/// The tableau, the bounds and the current assignment.
///
/// Between calls every nonbasic variable is within its bounds and every row's equation holds for
/// the current values. Both survive the withdrawal of bounds, which is why
/// [`Simplex::undo_to`] does not touch the assignment.
#[derive(Debug, Default)]
pub(super) struct Simplex {
    variables: Vec<Variable>,
    rows: Vec<Row>,
    forms: HashMap<Vec<(Column, Rational)>, Column>,
    /// The bounds that were replaced, for undoing.
    trail: Vec<(Column, Side, Option<Bound>)>,
    /// The room in which sums are computed.
    scratch: Vec<(Column, Rational)>,
}

impl Simplex {
    /// Without variables.
    pub(super) fn new() -> Simplex {
        Simplex::default()
    }

    /// A new original variable. That it is an integer has no influence on [`Simplex::check`].
    pub(super) fn variable(&mut self, integer: bool) -> Column {
        let column = Column(self.variables.len() as u32);
        self.push(integer, vec![(column, Rational::ONE)], Delta::ZERO, None)
    }

    fn push(
        &mut self,
        integer: bool,
        combination: Vec<(Column, Rational)>,
        value: Delta,
        row: Option<u32>,
    ) -> Column {
        let column = Column(self.variables.len() as u32);
        self.variables.push(Variable {
            integer,
            combination,
            value,
            lower: None,
            upper: None,
            row,
            occurrences: Vec::new(),
        });
        column
    }

    /// The column of a linear combination: the same for equal combinations, so the caller
    /// normalises the scale. A single variable with factor 1 is its own column. Columns may repeat
    /// and may be forms themselves. Bounds may have been asserted before.
    ///
    /// The form is an integer if all its variables are and its factors are integers.
    pub(super) fn form(&mut self, combination: &[(Column, Rational)]) -> Column {
        let mut sum = Vec::with_capacity(combination.len());
        for (column, factor) in combination {
            let definition = &self.variables[column.index()].combination;
            sum.extend(definition.iter().map(|(c, k)| (*c, k * factor)));
        }
        collect(&mut sum);
        if let [(column, factor)] = &sum[..]
            && factor.is_one()
        {
            return *column;
        }
        if let Some(column) = self.forms.get(&sum) {
            return *column;
        }
        let integer = sum
            .iter()
            .all(|(column, factor)| self.variables[column.index()].integer && factor.is_integer());
        let mut value = Delta::ZERO;
        for (column, factor) in &sum {
            value.add_scaled(factor, &self.variables[column.index()].value);
        }
        let entries = self.over_nonbasic(&sum);
        let row = self.rows.len() as u32;
        for (column, _) in &entries {
            self.variables[column.index()].occurrences.push(row);
        }
        let column = self.push(integer, sum.clone(), value, Some(row));
        self.rows.push(Row {
            basic: column,
            entries,
        });
        self.forms.insert(sum, column);
        column
    }

    /// Replaces the basic variables of a sum by their rows.
    fn over_nonbasic(&self, sum: &[(Column, Rational)]) -> Vec<(Column, Rational)> {
        let mut entries = Vec::with_capacity(sum.len());
        for (column, factor) in sum {
            match self.variables[column.index()].row {
                None => entries.push((*column, factor.clone())),
                Some(row) => {
                    let row = &self.rows[row as usize];
                    entries.extend(row.entries.iter().map(|(c, k)| (*c, k * factor)));
                }
            }
        }
        collect(&mut entries);
        entries
    }

    /// The column as a sum over original variables, sorted by column, without zeros.
    pub(super) fn combination(&self, column: Column) -> &[(Column, Rational)] {
        &self.variables[column.index()].combination
    }

    /// All columns, in the order in which they were made.
    pub(super) fn columns(&self) -> impl Iterator<Item = Column> + use<> {
        (0..self.variables.len()).map(|index| Column(index as u32))
    }

    /// Whether the column only takes integer values.
    pub(super) fn is_integer(&self, column: Column) -> bool {
        self.variables[column.index()].integer
    }

    /// The current assignment, which satisfies all bounds after a feasible check.
    pub(super) fn value(&self, column: Column) -> &Delta {
        &self.variables[column.index()].value
    }

    /// The lower and the upper bound, each with its reason.
    pub(super) fn bounds(&self, column: Column) -> (Asserted<'_>, Asserted<'_>) {
        let variable = &self.variables[column.index()];
        let asserted = |side| {
            let bound: Option<&Bound> = variable.bound(side);
            bound.map(|bound| (&bound.value, bound.reason))
        };
        (asserted(Side::Lower), asserted(Side::Upper))
    }

    /// The first original integer variable whose current value is no integer. The value may differ
    /// from an integer by an infinitesimal only: split on its [`Delta::floor`].
    pub(super) fn fractional(&self) -> Option<Column> {
        let original = |(index, variable): (usize, &Variable)| {
            let column = Column(index as u32);
            let itself = matches!(&variable.combination[..], [(c, _)] if *c == column);
            (itself && variable.integer && !variable.value.is_integer()).then_some(column)
        };
        self.variables.iter().enumerate().find_map(original)
    }

    /// The current bounds, to return to.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Withdraws all bounds asserted since the mark was taken. Variables and forms stay, and so
    /// does the assignment: it is where the next check starts from.
    pub(super) fn undo_to(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let Some((column, side, bound)) = self.trail.pop() else {
                return;
            };
            let variable = &mut self.variables[column.index()];
            match side {
                Side::Upper => variable.upper = bound,
                Side::Lower => variable.lower = bound,
            }
        }
    }

    /// Asserts `column <= bound` or `column >= bound`. A bound that is not stronger than the present
    /// one is ignored. One that contradicts the opposite bound is not asserted and gives the
    /// certificate of that conflict; all else is found by [`Simplex::check`].
    ///
    /// `column = c` is asserted as two bounds with the same reason.
    pub(super) fn assert_bound(
        &mut self,
        column: Column,
        side: Side,
        bound: Delta,
        reason: Reason,
    ) -> Result<(), Certificate> {
        let variable = &mut self.variables[column.index()];
        if let Some(present) = variable.bound(side)
            && !side.excludes(&bound, &present.value)
        {
            return Ok(());
        }
        if let Some(opposite) = variable.bound(side.opposite())
            && side.excludes(&bound, &opposite.value)
        {
            let part = |side, bound: &Delta, reason| Part {
                reason,
                column,
                side,
                bound: bound.clone(),
                factor: Rational::ONE,
            };
            return Err(Certificate {
                parts: vec![
                    part(side, &bound, reason),
                    part(side.opposite(), &opposite.value, opposite.reason),
                ],
            });
        }
        let outside = side.excludes(&bound, &variable.value);
        let slot = match side {
            Side::Upper => &mut variable.upper,
            Side::Lower => &mut variable.lower,
        };
        let move_to = (outside && variable.row.is_none()).then(|| bound.clone());
        let replaced = slot.replace(Bound {
            value: bound,
            reason,
        });
        self.trail.push((column, side, replaced));
        if let Some(value) = move_to {
            self.set_nonbasic(column, value);
        }
        Ok(())
    }

    /// Gives a nonbasic variable a value, and the basic ones that depend on it theirs.
    fn set_nonbasic(&mut self, column: Column, value: Delta) {
        let variable = &mut self.variables[column.index()];
        let change = &value - &variable.value;
        variable.value = value;
        let occurrences = std::mem::take(&mut variable.occurrences);
        for row in &occurrences {
            let row = &self.rows[*row as usize];
            if let Some(position) = row.position(column) {
                let factor = &row.entries[position].1;
                let basic = &mut self.variables[row.basic.index()];
                basic.value.add_scaled(factor, &change);
            }
        }
        self.variables[column.index()].occurrences = occurrences;
    }

    /// Decides whether the asserted bounds are feasible over the rationals. Every pivot takes one
    /// from the budget.
    ///
    /// Terminates for every budget: after some pivots by a greedy choice, Bland's rule takes over,
    /// which does not cycle.
    pub(super) fn check(&mut self, budget: &mut u64) -> Outcome {
        self.check_from(self.variables.len() + 8, budget)
    }

    /// [`Simplex::check`] with Bland's rule after so many pivots.
    fn check_from(&mut self, mut greedy: usize, budget: &mut u64) -> Outcome {
        loop {
            let step = match self.select(greedy > 0) {
                Selection::Satisfied => {
                    debug_assert!(self.is_consistent());
                    return Outcome::Feasible;
                }
                Selection::Conflict(row, side) => {
                    let certificate = self.explain(row, side);
                    debug_assert!(certificate.holds(self));
                    return Outcome::Infeasible(certificate);
                }
                Selection::Pivot(step) => step,
            };
            if *budget == 0 {
                return Outcome::OutOfBudget;
            }
            *budget -= 1;
            greedy = greedy.saturating_sub(1);
            self.pivot(&step);
        }
    }

    /// Looks for a conflict in all violated rows, the shortest first, since short certificates make
    /// good lemmas; else for a pivot. Bland's rule takes the first violated variable; the greedy
    /// choice takes the shortest row, which makes the cheapest pivots (and needed fewer of them, on
    /// random systems, than Bland's rule or the row that is easiest to mend).
    fn select(&self, greedy: bool) -> Selection {
        let mut conflict: Option<(usize, u32, Side)> = None;
        let mut pivot: Option<(Rank, Pivot)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let basic = &self.variables[row.basic.index()];
            let Some(side) = basic.violated() else {
                continue;
            };
            let length = row.entries.len();
            let Some(entering) = self.entering(row, side, greedy) else {
                if conflict.is_none_or(|(least, ..)| length < least) {
                    conflict = Some((length, index as u32, side));
                }
                continue;
            };
            let rank = (if greedy { length } else { 0 }, row.basic);
            if pivot.as_ref().is_none_or(|(least, _)| rank < *least) {
                let step = Pivot {
                    row: index as u32,
                    side,
                    entering,
                };
                pivot = Some((rank, step));
            }
        }
        match (conflict, pivot) {
            (Some((_, row, side)), _) => Selection::Conflict(row, side),
            (None, Some((_, step))) => Selection::Pivot(step),
            (None, None) => Selection::Satisfied,
        }
    }

    /// The nonbasic variable of a row that can move so that the basic one, which violates its bound
    /// on `side`, comes back, as its position. Bland's rule takes the first; the greedy choice
    /// prefers variables with few bounds, which will not be violated in turn, and with few
    /// occurrences, which make cheap pivots.
    fn entering(&self, row: &Row, side: Side, greedy: bool) -> Option<usize> {
        let mut best = None;
        for (position, (column, factor)) in row.entries.iter().enumerate() {
            let variable = &self.variables[column.index()];
            // A basic variable below its lower bound has to grow.
            let towards = if factor.is_positive() {
                side.opposite()
            } else {
                side
            };
            if !variable.can_move(towards) {
                continue;
            }
            if !greedy {
                return Some(position);
            }
            let bounds = variable.lower.iter().count() + variable.upper.iter().count();
            let cost = (bounds, variable.occurrences.len());
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, position));
            }
        }
        best.map(|(_, position)| position)
    }

    /// The certificate of a row whose basic variable violates its bound on `side` while no variable
    /// of the row can move: all are at the bounds that keep it there.
    fn explain(&self, row: u32, side: Side) -> Certificate {
        let row = &self.rows[row as usize];
        let mut parts = Vec::with_capacity(row.entries.len() + 1);
        let mut add = |column: Column, side: Side, factor: Rational| {
            if let Some(bound) = self.variables[column.index()].bound(side) {
                parts.push(Part {
                    reason: bound.reason,
                    column,
                    side,
                    bound: bound.value.clone(),
                    factor,
                });
            }
        };
        add(row.basic, side, Rational::ONE);
        for (column, factor) in &row.entries {
            let at = if factor.is_positive() {
                side.opposite()
            } else {
                side
            };
            add(*column, at, factor.abs());
        }
        Certificate { parts }
    }

    /// Moves the basic variable of a row to the bound that it violates, makes it nonbasic and the
    /// entering variable basic.
    fn pivot(&mut self, step: &Pivot) {
        let index = step.row;
        let row = &mut self.rows[index as usize];
        let (leaving, mut entries) = (row.basic, std::mem::take(&mut row.entries));
        let (entering, factor) = entries.remove(step.entering);
        row.basic = entering;

        // leaving = factor * entering + rest, so entering = leaving / factor - rest / factor.
        let inverse = factor.recip();
        let minus_inverse = -&inverse;
        for (_, entry) in &mut entries {
            *entry *= &minus_inverse;
        }
        let place = entries.partition_point(|(column, _)| *column < leaving);
        entries.insert(place, (leaving, inverse));

        let variable = &mut self.variables[leaving.index()];
        variable.row = None;
        variable.occurrences.push(index);
        let mut change = Delta::ZERO;
        if let Some(bound) = variable.bound(step.side) {
            change = &bound.value - &variable.value;
            variable.value = bound.value.clone();
        }
        let change = change.scaled(&entries[place].1);
        let variable = &mut self.variables[entering.index()];
        variable.row = Some(index);
        variable.value += &change;
        let occurrences = std::mem::take(&mut variable.occurrences);
        for other in occurrences {
            if other != index {
                self.substitute(other, entering, &entries, &change);
            }
        }
        self.rows[index as usize].entries = entries;
    }

    /// Replaces `column`, whose value has changed, by a sum in one row.
    fn substitute(
        &mut self,
        index: u32,
        column: Column,
        sum: &[(Column, Rational)],
        change: &Delta,
    ) {
        let row = &mut self.rows[index as usize];
        let Some(position) = row.position(column) else {
            return;
        };
        let (_, factor) = row.entries.remove(position);
        let value = &mut self.variables[row.basic.index()].value;
        value.add_scaled(&factor, change);

        let mut result = std::mem::take(&mut self.scratch);
        let mut rest = row.entries.drain(..).peekable();
        for (added, by) in sum {
            while let Some(entry) = rest.next_if(|(present, _)| present < added) {
                result.push(entry);
            }
            let occurrences = &mut self.variables[added.index()].occurrences;
            match rest.next_if(|(present, _)| present == added) {
                None => {
                    result.push((*added, &factor * by));
                    occurrences.push(index);
                }
                Some((_, mut total)) => {
                    total.add_product(&factor, by);
                    if !total.is_zero() {
                        result.push((*added, total));
                    } else if let Some(place) = occurrences.iter().position(|row| *row == index) {
                        occurrences.swap_remove(place);
                    }
                }
            }
        }
        result.extend(rest);
        self.scratch = std::mem::replace(&mut row.entries, result);
    }

    /// The invariants of the type: for tests and debug builds.
    fn is_consistent(&self) -> bool {
        let rows = self.rows.iter().enumerate().all(|(index, row)| {
            let mut value = Delta::ZERO;
            for (column, factor) in &row.entries {
                value.add_scaled(factor, &self.variables[column.index()].value);
            }
            let basic = &self.variables[row.basic.index()];
            basic.row == Some(index as u32) && value == basic.value
        });
        let nonbasic =
            |variable: &Variable| variable.row.is_some() || variable.violated().is_none();
        rows && self.variables.iter().all(nonbasic)
    }
}

/// The order of possible pivots, of which the least is taken: the length of the row, if that
/// counts, and its basic variable.
type Rank = (usize, Column);

enum Selection {
    Satisfied,
    Conflict(u32, Side),
    Pivot(Pivot),
}

struct Pivot {
    row: u32,
    /// The bound that the row's basic variable violates.
    side: Side,
    /// The position of the entering variable in the row.
    entering: usize,
}

#[cfg(test)]
mod tests;
