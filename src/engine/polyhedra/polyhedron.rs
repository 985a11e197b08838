//! Convex polyhedra over some variables (Cousot, Halbwachs: "Automatic discovery of linear restraints among variables of a
//! program", POPL 1978), by constraints and by generators at once.
//!
//! A polyhedron is the cone over it at height 1: the first coordinate of a row is the constant of a constraint, and the height of
//! a generator, which is that of a point if it is positive, and that of a direction if it is 0.

use std::collections::BTreeMap;

use super::cone::{self, Cone, Row, combined, dot, dual};
use crate::interval::Interval;

/// A linear form over variables, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Linear {
    pub(super) factors: BTreeMap<u32, i128>,
    pub(super) constant: i128,
}

/// Not empty; over at least one variable.
#[derive(Clone, Debug)]
pub(super) struct Polyhedron {
    /// The variables, in order.
    pub(super) variables: Vec<u32>,
    /// What is 0: each has a variable of its own that occurs nowhere else.
    pub(super) equations: Vec<Row>,
    /// What is at least 0.
    pub(super) inequalities: Vec<Row>,
    generators: Cone,
}

/// It would have too many parts, or too large numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// A polyhedron, or nothing if it is empty.
pub(super) type Result = std::result::Result<Option<Polyhedron>, TooLarge>;

impl Linear {
    /// A variable.
    pub(super) fn variable(number: u32) -> Linear {
        Linear {
            factors: BTreeMap::from([(number, 1)]),
            constant: 0,
        }
    }

    /// A number.
    pub(super) fn constant(constant: i128) -> Linear {
        Linear {
            factors: BTreeMap::new(),
            constant,
        }
    }

    /// `self + factor * other`, if the numbers fit.
    pub(super) fn plus(mut self, factor: i128, other: &Linear) -> Option<Linear> {
        for (variable, more) in &other.factors {
            let sum = self.factors.entry(*variable).or_default();
            *sum = sum.checked_add(more.checked_mul(factor)?)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        Some(self)
    }

    /// As a row over variables, if there are no others.
    fn row(&self, variables: &[u32]) -> Option<Row> {
        let mut row = vec![0; variables.len() + 1];
        row[0] = self.constant;
        for (variable, factor) in &self.factors {
            row[1 + variables.binary_search(variable).ok()?] = *factor;
        }
        Some(row)
    }
}

impl Polyhedron {
    /// What satisfies constraints over variables, in order.
    fn of_constraints(variables: Vec<u32>, equations: &[Row], inequalities: &[Row]) -> Result {
        let dimensions = variables.len() + 1;
        let mut height = vec![0; dimensions];
        height[0] = 1;
        let mut all = vec![height];
        all.extend_from_slice(inequalities);
        let generators = dual(dimensions, equations, &all).ok_or(TooLarge)?;
        Polyhedron::of_generators(variables, generators)
    }

    /// What generators span. They need not be the fewest.
    fn of_generators(variables: Vec<u32>, generators: Cone) -> Result {
        if generators.rays.iter().all(|ray| ray[0] <= 0) {
            return Ok(None);
        }
        let dimensions = variables.len() + 1;
        let constraints = dual(dimensions, &generators.lines, &generators.rays).ok_or(TooLarge)?;
        let mut equations = constraints.lines;
        let mut inequalities = constraints.rays;
        eliminate(&mut equations, &mut inequalities).ok_or(TooLarge)?;
        // That the height is positive says nothing about the variables.
        inequalities.retain(|row| row[1..].iter().any(|factor| *factor != 0));
        Ok(Some(Polyhedron {
            variables,
            equations,
            inequalities,
            generators,
        }))
    }

    /// The constraints: what is 0, and what is at least 0.
    pub(super) fn forms(&self) -> (Vec<Linear>, Vec<Linear>) {
        let form = |row: &Row| Linear {
            factors: (self.variables.iter().copied().zip(row[1..].iter().copied()))
                .filter(|(_, factor)| *factor != 0)
                .collect(),
            constant: row[0],
        };
        let forms = |rows: &[Row]| rows.iter().map(form).collect();
        (forms(&self.equations), forms(&self.inequalities))
    }

    /// What satisfies other constraints over the same variables.
    pub(super) fn with_forms(&self, equations: &[Linear], inequalities: &[Linear]) -> Result {
        let rows = |forms: &[Linear]| -> Vec<Row> {
            forms
                .iter()
                .filter_map(|form| form.row(&self.variables))
                .collect()
        };
        Polyhedron::of_constraints(
            self.variables.clone(),
            &rows(equations),
            &rows(inequalities),
        )
    }

    /// The product of polyhedra over different variables and intervals of others.
    pub(super) fn product<'p>(
        parts: impl Iterator<Item = &'p Polyhedron>,
        intervals: &[(u32, Interval)],
    ) -> Result {
        let parts: Vec<&Polyhedron> = parts.collect();
        let mut variables: Vec<u32> = parts
            .iter()
            .flat_map(|part| &part.variables)
            .copied()
            .collect();
        variables.extend(intervals.iter().map(|(variable, _)| variable));
        variables.sort_unstable();
        if let ([only], []) = (&parts[..], intervals) {
            return Ok(Some((*only).clone()));
        }
        let (mut equations, mut inequalities) = (Vec::new(), Vec::new());
        for part in parts {
            let wide = |row: &Row| widened(row, &part.variables, &variables);
            equations.extend(part.equations.iter().map(wide));
            inequalities.extend(part.inequalities.iter().map(wide));
        }
        for (variable, interval) in intervals {
            let at = 1 + variables.partition_point(|other| other < variable);
            let mut bound = |bound: Option<i128>, sign: i128| {
                let Some(constant) = bound.and_then(|bound| bound.checked_mul(-sign)) else {
                    return;
                };
                let mut row = vec![0; variables.len() + 1];
                row[0] = constant;
                row[at] = sign;
                inequalities.push(row);
            };
            match interval.value() {
                Some(value) => {
                    let mut row = vec![0; variables.len() + 1];
                    row[0] = -value;
                    row[at] = 1;
                    equations.push(row);
                }
                None => {
                    bound(interval.low, 1);
                    bound(interval.high, -1);
                }
            }
        }
        Polyhedron::of_constraints(variables, &equations, &inequalities)
    }

    /// Where a form over the variables is at least 0, or is 0.
    pub(super) fn meet(&self, form: &Linear, is_equation: bool) -> Result {
        let row = form.row(&self.variables).ok_or(TooLarge)?;
        let (mut equations, mut inequalities) = (self.equations.clone(), self.inequalities.clone());
        match is_equation {
            true => equations.push(row),
            false => inequalities.push(row),
        }
        Polyhedron::of_constraints(self.variables.clone(), &equations, &inequalities)
    }

    /// A variable gets the value of a form over the variables.
    pub(super) fn assign(&self, variable: u32, form: &Linear) -> Result {
        let row = form.row(&self.variables).ok_or(TooLarge)?;
        let at = self
            .variables
            .binary_search(&variable)
            .map_err(|_| TooLarge)?;
        let moved = |generator: &Row| {
            let mut generator = generator.clone();
            generator[1 + at] = dot(&row, &generator)?;
            cone::reduce(&mut generator);
            Some(generator)
        };
        let moved = |rows: &[Row]| -> Option<Vec<Row>> { rows.iter().map(moved).collect() };
        let lines = moved(&self.generators.lines).ok_or(TooLarge)?;
        let rays = moved(&self.generators.rays).ok_or(TooLarge)?;
        Polyhedron::of_generators(self.variables.clone(), Cone { lines, rays })
    }

    /// The same over fewer variables: those that a condition keeps. Nothing is left without any.
    pub(super) fn project(&self, is_kept: impl Fn(u32) -> bool) -> Result {
        let places: Vec<usize> = (0..self.variables.len())
            .filter(|&place| is_kept(self.variables[place]))
            .collect();
        if places.is_empty() {
            return Ok(None);
        }
        let kept = |rows: &[Row]| -> Vec<Row> {
            let rows = rows.iter().map(|row| {
                let mut short: Row = vec![row[0]];
                short.extend(places.iter().map(|&place| row[1 + place]));
                cone::reduce(&mut short);
                short
            });
            rows.filter(|row| row.iter().any(|x| *x != 0)).collect()
        };
        let generators = Cone {
            lines: kept(&self.generators.lines),
            rays: kept(&self.generators.rays),
        };
        let variables = places.iter().map(|&place| self.variables[place]).collect();
        Polyhedron::of_generators(variables, generators)
    }

    /// The smallest polyhedron around both, which are over the same variables.
    pub(super) fn join(&self, other: &Polyhedron) -> Result {
        let all =
            |own: &[Row], other: &[Row]| -> Vec<Row> { own.iter().chain(other).cloned().collect() };
        let generators = Cone {
            lines: all(&self.generators.lines, &other.generators.lines),
            rays: all(&self.generators.rays, &other.generators.rays),
        };
        Polyhedron::of_generators(self.variables.clone(), generators)
    }

    /// What constraints of this one another one, over the same variables, satisfies; and which of the landmarks (each is at least
    /// 0 on its one side) both satisfy (Halbwachs, Proy, Roumanoff: "Verification of real-time systems using linear relation
    /// analysis", 1997).
    pub(super) fn widen(&self, other: &Polyhedron, landmarks: &[Linear]) -> Result {
        let negated = |row: &Row| -> Row { row.iter().map(|x| -x).collect() };
        let (mut equations, mut inequalities) = (Vec::new(), Vec::new());
        for row in &self.equations {
            match (other.satisfies(row), other.satisfies(&negated(row))) {
                (true, true) => equations.push(row.clone()),
                (true, false) => inequalities.push(row.clone()),
                (false, true) => inequalities.push(negated(row)),
                (false, false) => {}
            }
        }
        let kept = self.inequalities.iter().filter(|row| other.satisfies(row));
        inequalities.extend(kept.cloned());
        for landmark in landmarks {
            let row = landmark.row(&self.variables);
            inequalities.extend(row.filter(|row| self.satisfies(row) && other.satisfies(row)));
        }
        Polyhedron::of_constraints(self.variables.clone(), &equations, &inequalities)
    }

    /// Whether a row is at least 0 everywhere.
    fn satisfies(&self, row: &[i128]) -> bool {
        let zero = |line: &Row| dot(row, line) == Some(0);
        let positive = |ray: &Row| dot(row, ray).is_some_and(|side| side >= 0);
        self.generators.lines.iter().all(zero) && self.generators.rays.iter().all(positive)
    }

    /// The integers that a form over the variables can be.
    pub(super) fn bounds(&self, form: &Linear) -> Interval {
        let Some(row) = form.row(&self.variables) else {
            return Interval::ALL;
        };
        let (mut low, mut high): (Option<Option<i128>>, Option<Option<i128>>) = (None, None);
        if self
            .generators
            .lines
            .iter()
            .any(|line| dot(&row, line) != Some(0))
        {
            return Interval::ALL;
        }
        for ray in &self.generators.rays {
            let Some(value) = dot(&row, ray) else {
                return Interval::ALL;
            };
            if ray[0] == 0 {
                match value {
                    0 => {}
                    1.. => high = Some(None),
                    _ => low = Some(None),
                }
                continue;
            }
            let (down, up) = (
                num_integer::Integer::div_ceil(&value, &ray[0]),
                num_integer::Integer::div_floor(&value, &ray[0]),
            );
            low = match low {
                Some(known) => Some(known.map(|known| known.min(down))),
                None => Some(Some(down)),
            };
            high = match high {
                Some(known) => Some(known.map(|known| known.max(up))),
                None => Some(Some(up)),
            };
        }
        Interval {
            low: low.flatten(),
            high: high.flatten(),
        }
    }

    /// The variables in groups that no constraint connects.
    pub(super) fn groups(&self) -> Vec<Vec<u32>> {
        let count = self.variables.len();
        let mut group: Vec<usize> = (0..count).collect();
        for row in self.equations.iter().chain(&self.inequalities) {
            let mut met = (0..count).filter(|&place| row[1 + place] != 0);
            let Some(first) = met.next() else { continue };
            for place in met {
                let (from, to) = (group[place], group[first]);
                group
                    .iter_mut()
                    .filter(|one| **one == from)
                    .for_each(|one| *one = to);
            }
        }
        let mut groups: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (place, one) in group.into_iter().enumerate() {
            groups.entry(one).or_default().push(self.variables[place]);
        }
        groups.into_values().collect()
    }
}

/// A row over variables as one over more of them.
fn widened(row: &Row, variables: &[u32], more: &[u32]) -> Row {
    let mut wide = vec![0; more.len() + 1];
    wide[0] = row[0];
    for (place, variable) in variables.iter().enumerate() {
        wide[1 + more.partition_point(|other| other < variable)] = row[1 + place];
    }
    wide
}

/// Gives each equation a variable that occurs nowhere else, so that constraints have as few variables as they need.
fn eliminate(equations: &mut [Row], inequalities: &mut [Row]) -> Option<()> {
    for number in 0..equations.len() {
        let Some(pivot) = (1..equations[number].len())
            .rev()
            .find(|&at| equations[number][at] != 0)
        else {
            continue;
        };
        let mut row = equations[number].clone();
        if row[pivot] < 0 {
            row.iter_mut().for_each(|x| *x = -*x);
        }
        let others = equations.iter_mut().enumerate();
        let others = others
            .filter(|(other, _)| *other != number)
            .map(|(_, row)| row);
        for other in others.chain(inequalities.iter_mut()) {
            if other[pivot] != 0 {
                *other = combined(row[pivot], other, -other[pivot], &row)?;
            }
        }
        equations[number] = row;
    }
    Some(())
}
