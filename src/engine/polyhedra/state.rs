//! What is known at a location: an interval for each variable, and polyhedra over groups of variables that have to do with each
//! other (Singh, Püschel, Vechev: "Fast polyhedra abstract domain", POPL 2017).
//!
//! Polyhedra over different groups have no variable in common. A group that would be too large, or whose polyhedron would, is
//! given up: the intervals stay.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::polyhedron::{self, Linear, Polyhedron, TooLarge};
use crate::abstract_interpretation::PATIENCE;
use crate::interval::Interval;
use crate::intervals;
use crate::limits;

/// A state that has grown so often relates no more variables than before.
const LAST: u32 = 4 * PATIENCE;

/// Not empty.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) intervals: intervals::State,
    blocks: Vec<Arc<Polyhedron>>,
}

/// There is no such state.
pub(super) struct Empty;

impl State {
    /// The polyhedra.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Polyhedron> {
        self.blocks.iter().map(|block| &**block)
    }

    /// The integers that a form can be.
    pub(super) fn bounds(&self, form: &Linear) -> Interval {
        let form = &self.without_constants(form);
        let mut sum = Interval::only(form.constant);
        for (&variable, &factor) in &form.factors {
            sum = sum.add(self.intervals.get(variable).mul(Interval::only(factor)));
        }
        let is_within = |block: &&Polyhedron| {
            let mut variables = form.factors.keys();
            variables.all(|variable| block.variables.binary_search(variable).is_ok())
        };
        if form.factors.len() > 1
            && let Some(block) = self.blocks().find(is_within)
        {
            let related = block.bounds(form);
            return sum.meet(related).unwrap_or(related);
        }
        sum
    }

    /// What is left of a form when it is divided, if that is the same for all values.
    pub(super) fn remainder(&self, form: &Linear, divisor: i128) -> Option<i128> {
        let mut form = self.without_constants(form);
        let odd = |form: &Linear| {
            let mut factors = form.factors.iter();
            let found = factors.find(|(_, factor)| *factor % divisor != 0)?;
            Some((*found.0, *found.1))
        };
        let equations = |variable: u32| {
            let blocks = self.block_of(variable).map(|number| &self.blocks[number]);
            blocks.into_iter().flat_map(|block| block.forms().0)
        };
        // Each equation puts others in the place of one variable.
        for _ in 0..form.factors.len() {
            let Some((variable, factor)) = odd(&form) else {
                break;
            };
            let equation = equations(variable).find_map(|equation| {
                let own = *equation.factors.get(&variable)?;
                let mut others = equation
                    .factors
                    .iter()
                    .filter(|(other, _)| **other != variable);
                let is_even = others.all(|(_, factor)| factor % divisor == 0);
                (is_even && own.abs() == 1).then_some((own, equation))
            });
            let (own, equation) = equation?;
            form = form.plus(-factor * own, &equation)?;
        }
        odd(&form)
            .is_none()
            .then(|| form.constant.rem_euclid(divisor))
    }

    /// The form with the values of variables that have only one.
    fn without_constants(&self, form: &Linear) -> Linear {
        let mut rest = Linear::constant(form.constant);
        for (&variable, &factor) in &form.factors {
            let value = self.intervals.get(variable).value();
            let product = value.and_then(|value| value.checked_mul(factor));
            match product.and_then(|product| rest.constant.checked_add(product)) {
                Some(constant) => rest.constant = constant,
                None => {
                    rest.factors.insert(variable, factor);
                }
            }
        }
        rest
    }

    /// Takes a form to be at least 0, or to be 0.
    pub(super) fn meet(&mut self, form: &Linear, is_equation: bool) -> Result<(), Empty> {
        let mut form = self.without_constants(form);
        let bounds = self.bounds(&form);
        let wanted = match is_equation {
            true => Interval::only(0),
            false => Interval::at_least(Some(0)),
        };
        match bounds.meet(wanted) {
            None => return Err(Empty),
            Some(same) if same == bounds => return Ok(()),
            Some(_) => {}
        }
        // Integers: what is between two multiples of the divisor is none.
        let divisor = form
            .factors
            .values()
            .fold(0, |divisor, factor| num_integer::gcd(divisor, *factor));
        if divisor > 1 {
            if is_equation && form.constant % divisor != 0 {
                return Err(Empty);
            }
            form.factors
                .values_mut()
                .for_each(|factor| *factor /= divisor);
            form.constant = form.constant.div_euclid(divisor);
        }
        let variables: BTreeSet<u32> = form.factors.keys().copied().collect();
        if let (1, Some(&variable)) = (variables.len(), variables.first())
            && self.block_of(variable).is_none()
        {
            return self.meet_interval(
                variable,
                form.factors[&variable],
                form.constant,
                is_equation,
            );
        }
        let Ok(Some(whole)) = self.taken(&variables) else {
            return Ok(());
        };
        match whole.meet(&form, is_equation) {
            Ok(Some(met)) => self.put(&met),
            Ok(None) => Err(Empty),
            // What is known without it.
            Err(TooLarge) => self.put(&whole),
        }
    }

    /// `factor * variable + constant` is at least 0, or is 0, where the factor is 1 or -1.
    fn meet_interval(
        &mut self,
        variable: u32,
        factor: i128,
        constant: i128,
        is_equation: bool,
    ) -> Result<(), Empty> {
        let value = constant.checked_mul(-factor);
        let within = match (is_equation, factor > 0) {
            (true, _) => value.map_or(Interval::ALL, Interval::only),
            (false, true) => Interval::at_least(value),
            (false, false) => Interval::at_most(value),
        };
        let met = self.intervals.get(variable).meet(within).ok_or(Empty)?;
        self.intervals.set(variable, met);
        Ok(())
    }

    fn block_of(&self, variable: u32) -> Option<usize> {
        self.blocks
            .iter()
            .position(|block| block.variables.binary_search(&variable).is_ok())
    }

    /// The polyhedron over all variables that have to do with some; it is no longer among the blocks. Nothing if it would be too
    /// large: then the blocks stay.
    fn taken(&mut self, variables: &BTreeSet<u32>) -> Result<Option<Polyhedron>, TooLarge> {
        let blocks: BTreeSet<usize> = variables.iter().filter_map(|&v| self.block_of(v)).collect();
        let parts = || blocks.iter().map(|&number| &*self.blocks[number]);
        let within: usize = parts().map(|part| part.variables.len()).sum();
        let loose: Vec<(u32, Interval)> = variables
            .iter()
            .filter(|&&v| self.block_of(v).is_none())
            .map(|&v| (v, self.intervals.get(v)))
            .collect();
        if within + loose.len() > limits::RELATED {
            return Err(TooLarge);
        }
        let product = Polyhedron::product(parts(), &loose)?;
        let whole = product.map_or(Ok(None), |whole| self.within_intervals(whole))?;
        if whole.is_some() {
            let mut number = 0;
            self.blocks.retain(|_| {
                number += 1;
                !blocks.contains(&(number - 1))
            });
        }
        Ok(whole)
    }

    /// A polyhedron with what intervals say besides: conditions that are not linear are known to them alone.
    fn within_intervals(&self, mut whole: Polyhedron) -> polyhedron::Result {
        for variable in whole.variables.clone() {
            let form = Linear::variable(variable);
            let (known, related) = (self.intervals.get(variable), whole.bounds(&form));
            if known.meet(related) == Some(related) {
                continue;
            }
            for (bound, sign) in [(known.low, 1), (known.high, -1)] {
                let Some(bound) = bound.and_then(|bound| bound.checked_mul(-sign)) else {
                    continue;
                };
                let form = Linear::constant(bound).plus(sign, &form).ok_or(TooLarge)?;
                match whole.meet(&form, false)? {
                    Some(met) => whole = met,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(whole))
    }

    /// Puts a polyhedron among the blocks, in as small parts as there are, and what it says of single variables into their
    /// intervals.
    fn put(&mut self, whole: &Polyhedron) -> Result<(), Empty> {
        self.refine(whole)?;
        self.put_parts(whole);
        Ok(())
    }

    /// What a polyhedron says of single variables is true of their intervals.
    fn refine(&mut self, whole: &Polyhedron) -> Result<(), Empty> {
        for &variable in &whole.variables {
            let bounds = whole.bounds(&Linear::variable(variable));
            let met = self.intervals.get(variable).meet(bounds).ok_or(Empty)?;
            self.intervals.set(variable, met);
        }
        Ok(())
    }

    fn put_parts(&mut self, whole: &Polyhedron) {
        let groups = whole.groups();
        if let [only] = &groups[..] {
            if only.len() > 1 {
                self.blocks.push(Arc::new(whole.clone()));
            }
            return;
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            if let Ok(Some(part)) = whole.project(|variable| group.binary_search(&variable).is_ok())
            {
                self.blocks.push(Arc::new(part));
            }
        }
    }

    /// Nothing is known of a variable any more.
    pub(super) fn forget(&mut self, variable: u32) {
        self.intervals.set(variable, Interval::ALL);
        self.unrelate(variable);
    }

    /// Nothing is known any more of how a variable relates to others.
    pub(super) fn unrelate(&mut self, variable: u32) {
        if let Some(number) = self.block_of(variable) {
            let block = self.blocks.swap_remove(number);
            if let Ok(Some(rest)) = block.project(|other| other != variable) {
                self.put_parts(&rest);
            }
        }
    }

    /// A variable gets the value of a form, which its interval knows already.
    pub(super) fn assign(
        &mut self,
        variable: u32,
        form: &Linear,
        interval: Interval,
    ) -> Result<(), Empty> {
        let form = self.without_constants(form);
        if form.factors.is_empty() {
            self.unrelate(variable);
            self.intervals.set(variable, interval);
            return Ok(());
        }
        let mut variables: BTreeSet<u32> = form.factors.keys().copied().collect();
        if !variables.contains(&variable) {
            self.forget(variable);
            variables.insert(variable);
        }
        let whole = match self.taken(&variables) {
            Ok(Some(whole)) => whole.assign(variable, &form),
            Ok(None) => return Err(Empty),
            Err(TooLarge) => Err(TooLarge),
        };
        self.intervals.set(variable, interval);
        match whole {
            Ok(Some(whole)) => self.put(&whole),
            Ok(None) => Err(Empty),
            Err(TooLarge) => {
                self.unrelate(variable);
                Ok(())
            }
        }
    }

    /// Takes in another state. Tells whether that says anything new. One that has grown often is widened, but not over a landmark
    /// that both have not passed.
    pub(super) fn include(
        &mut self,
        more: &State,
        landmarks: &[Linear],
        grown: u32,
        intervals: impl FnOnce(&mut intervals::State, &intervals::State) -> bool,
    ) -> bool {
        let before = State {
            intervals: self.intervals.clone(),
            blocks: std::mem::take(&mut self.blocks),
        };
        let mut is_new = intervals(&mut self.intervals, &more.intervals);
        for group in groups_of(&before, more, landmarks) {
            let inside = || {
                before
                    .blocks
                    .iter()
                    .filter(|block| group.contains(&block.variables[0]))
            };
            if inside().all(|block| more.is_within(block)) {
                let whole = inside().map(|block| block.variables.len()).sum::<usize>();
                // Nothing is new, and nothing can be found by another look.
                if whole == group.len() {
                    self.blocks.extend(inside().cloned());
                    continue;
                }
            } else {
                is_new = true;
            }
            let both = before.over(&group).zip(more.over(&group));
            let joined = both
                .filter(|_| grown < LAST)
                .map(|(own, other)| match grown < PATIENCE {
                    true => own.join(&other),
                    false => own.widen(&other, landmarks),
                });
            match joined {
                Some(Ok(Some(joined))) => self.put_parts(&joined),
                // What each block says by itself, as far as it stays true.
                _ => {
                    for kept in inside().filter_map(|block| more.kept(block)) {
                        self.put_parts(&kept);
                    }
                }
            }
        }
        is_new
    }

    /// Whether all constraints of a polyhedron hold.
    fn is_within(&self, block: &Polyhedron) -> bool {
        let (equations, inequalities) = block.forms();
        equations
            .iter()
            .all(|form| self.bounds(form).value() == Some(0))
            && inequalities.iter().all(|form| self.is_nonnegative(form))
    }

    fn is_nonnegative(&self, form: &Linear) -> bool {
        self.bounds(form).low.is_some_and(|low| low >= 0)
    }

    /// The constraints of a polyhedron that hold.
    fn kept(&self, block: &Polyhedron) -> Option<Polyhedron> {
        let (mut equations, mut inequalities) = block.forms();
        let both: Vec<Linear> = equations
            .iter()
            .filter_map(|form| Linear::default().plus(-1, form))
            .collect();
        inequalities.extend(both);
        inequalities.extend(equations.iter().cloned());
        equations.retain(|form| self.bounds(form).value() == Some(0));
        inequalities.retain(|form| self.is_nonnegative(form));
        block.with_forms(&equations, &inequalities).ok().flatten()
    }

    /// What is known of some variables, if it is not too large.
    fn over(&self, variables: &BTreeSet<u32>) -> Option<Polyhedron> {
        if variables.len() > limits::RELATED {
            return None;
        }
        self.clone().taken(variables).ok().flatten()
    }
}

/// The variables that have to do with each other in one of two states, in groups that have nothing to do with each other in
/// both. Variables that have one value in a state have to do with nothing there; those that have not the same one in both have to
/// do with each other, and with what landmarks compare them with.
fn groups_of(one: &State, other: &State, landmarks: &[Linear]) -> Vec<BTreeSet<u32>> {
    let blocks = one.blocks().chain(other.blocks());
    let mut all: Vec<BTreeSet<u32>> = blocks
        .map(|block| block.variables.iter().copied().collect())
        .collect();
    let moved = one.intervals.known().filter_map(|(number, interval)| {
        let (value, variable) = (interval.value()?, u32::try_from(number).ok()?);
        let next = other.intervals.get(variable).value()?;
        (value != next).then_some(variable)
    });
    let moved: BTreeSet<u32> = moved.take(limits::RELATED).collect();
    if moved.len() > 1 {
        all.push(moved);
    }
    for landmark in landmarks {
        let ends = |&variable: &u32| (one.intervals.get(variable), other.intervals.get(variable));
        let is_known = |variable| {
            let (one, other) = ends(variable);
            one != Interval::ALL && other != Interval::ALL
        };
        let is_moved = |variable| {
            let (one, other) = ends(variable);
            one != other && (one.value().is_some() || other.value().is_some())
        };
        let variables = || landmark.factors.keys();
        if variables().any(is_moved) && variables().all(is_known) {
            all.push(variables().copied().collect());
        }
    }
    let mut groups: Vec<BTreeSet<u32>> = Vec::new();
    for mut group in all {
        groups.retain_mut(|known| {
            let meets = !known.is_disjoint(&group);
            if meets {
                group.append(known);
            }
            !meets
        });
        groups.push(group);
    }
    groups
}
