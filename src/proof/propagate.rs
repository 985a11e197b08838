//! Step `prop`: what follows by looking at one term at a time.
//!
//! Sound: the negated clause and the premises are assumed, and every rule follows from the meaning of one operator: `and`, `or`,
//! `ite`, `=`, the gates of [`crate::bits`], the sign of a product, the floor, and Euclidean division by a number that is not zero. An equation of numbers is exactly
//! the conjunction of its two bounds. A table has a row for each way in which values fit together, so what is the same in all rows that fit what
//! is known holds. So a contradiction means that the clause holds wherever the premises do.

use std::collections::{BTreeSet, HashMap};

use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::bits::{Bit, Kind, gate};
use crate::linear::Sum;
use crate::literal::{Atom, Lit, Literals};
use crate::term::{Id, Op};

/// The literals that are known, and what follows from them.
pub(crate) struct Propagation<'a> {
    literals: &'a mut Literals,
    values: HashMap<usize, bool>,
    /// What was not looked at yet.
    news: Vec<Lit>,
    /// By atom: who has to be looked at again.
    watching: HashMap<usize, Vec<Watcher>>,
    /// Disjunctions that hold.
    facts: Vec<Vec<Lit>>,
    explained: BTreeSet<Id>,
}

#[derive(Clone, Copy)]
enum Watcher {
    /// A literal with parts.
    Whole(Lit),
    /// The number of a fact.
    Fact(usize),
}

/// What a literal is, by others.
enum Meaning {
    /// The conjunction of these, or its negation if the flag is not set.
    All(Vec<Lit>, bool),
    /// The values of the literal and of these fit together.
    Table(Vec<Lit>, fn(&[bool]) -> bool),
    /// Nothing that one can look into.
    Open,
}

impl Meaning {
    fn parts(&self) -> &[Lit] {
        match self {
            Meaning::All(parts, _) | Meaning::Table(parts, _) => parts,
            Meaning::Open => &[],
        }
    }
}

/// The known literals contradict each other.
pub(crate) struct Contradiction;

type Result<T = ()> = std::result::Result<T, Contradiction>;

impl<'a> Propagation<'a> {
    pub(crate) fn new(literals: &'a mut Literals) -> Propagation<'a> {
        Propagation {
            literals,
            values: HashMap::from([(Lit::TRUE.atom(), true)]),
            news: Vec::new(),
            watching: HashMap::new(),
            facts: Vec::new(),
            explained: BTreeSet::new(),
        }
    }

    /// All that follows if these literals are true. The terms of numbers in them are explained.
    pub(crate) fn assume(&mut self, lits: &[Lit]) -> Result {
        for &lit in lits {
            for base in self.bases(lit) {
                self.explain(base);
            }
        }
        for &lit in lits {
            self.learn(lit)?;
        }
        for fact in 0..self.facts.len() {
            for position in 0..self.facts[fact].len() {
                let lit = self.facts[fact][position];
                self.watch(lit, Watcher::Fact(fact));
                self.look_at_equation(lit)?;
            }
            self.look_at_fact(fact)?;
        }
        while let Some(lit) = self.news.pop() {
            self.look_at_new(lit.positive())?;
            let watching = self.watching.get(&lit.atom()).cloned();
            for watcher in watching.unwrap_or_default() {
                match watcher {
                    Watcher::Whole(whole) => self.look_at(whole)?,
                    Watcher::Fact(fact) => self.look_at_fact(fact)?,
                }
            }
        }
        Ok(())
    }

    /// The literals that are known to be true.
    pub(crate) fn known(&self) -> impl Iterator<Item = Lit> {
        let values = self.values.iter();
        values.map(|(&atom, &value)| Lit::new(atom, value))
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.values.get(&lit.atom())?;
        Some(*value == lit.is_positive())
    }

    fn learn(&mut self, lit: Lit) -> Result {
        match self.value(lit) {
            Some(true) => Ok(()),
            Some(false) => Err(Contradiction),
            None => {
                self.values.insert(lit.atom(), lit.is_positive());
                self.news.push(lit);
                Ok(())
            }
        }
    }

    fn watch(&mut self, lit: Lit, watcher: Watcher) {
        self.watching.entry(lit.atom()).or_default().push(watcher);
    }

    /// What a literal is that is not negated.
    fn meaning(&mut self, lit: Lit) -> Meaning {
        let id = match self.literals.atom(lit) {
            Atom::Term(id) => *id,
            Atom::Equation(form, value) => {
                let (form, value) = (form.clone(), value.clone());
                return Meaning::All(self.literals.bounds(&form, &value).into(), true);
            }
            Atom::Bits(bit) => return self.gate(*bit),
            Atom::Same(left, right) => {
                let (left, right) = (*left, *right);
                return match self.literals.graph.sort(left).width() {
                    Some(width) => self.gate(Bit::about(Kind::Agree, width, left, right)),
                    None => Meaning::Open,
                };
            }
            Atom::True | Atom::Bound(_) => return Meaning::Open,
        };
        let node = self.literals.graph.node(id);
        let op = node.op.clone();
        if !matches!(op, Op::And | Op::Or | Op::Ite | Op::Eq) {
            return Meaning::Open;
        }
        let args = node.args.clone();
        let parts = args.into_iter().map(|arg| self.literals.of(arg)).collect();
        match op {
            Op::And => Meaning::All(parts, true),
            Op::Or => Meaning::All(parts.into_iter().map(|part: Lit| !part).collect(), false),
            Op::Ite => Meaning::Table(parts, |v| v[0] == if v[1] { v[2] } else { v[3] }),
            _ => Meaning::Table(parts, |v| v[0] == (v[1] == v[2])),
        }
    }

    fn gate(&mut self, bit: Bit<Id>) -> Meaning {
        match gate(&self.literals.graph, bit) {
            Some((parts, fits)) => {
                let parts = parts.into_iter().map(|part| self.literals.part(part));
                Meaning::Table(parts.collect(), fits)
            }
            None => Meaning::Open,
        }
    }

    fn look_at_new(&mut self, lit: Lit) -> Result {
        self.look_at(lit)?;
        let meaning = self.meaning(lit);
        // All parts of a conjunction that is true are known now.
        if matches!(meaning, Meaning::All(_, all) if self.value(lit) == Some(all)) {
            return Ok(());
        }
        for &part in meaning.parts() {
            self.watch(part, Watcher::Whole(lit));
            self.look_at_equation(part)?;
        }
        // What became known meanwhile may say more.
        self.look_at(lit)
    }

    /// If this is an equation of numbers that is not known, bounds may say whether it holds.
    fn look_at_equation(&mut self, lit: Lit) -> Result {
        if self.value(lit).is_none() && matches!(self.literals.atom(lit), Atom::Equation(..)) {
            let whole = lit.positive();
            for &bound in self.meaning(whole).parts() {
                self.watch(bound, Watcher::Whole(whole));
            }
            self.look_at(whole)?;
        }
        Ok(())
    }

    /// What follows from the value of a literal that is not negated, and from those of its parts.
    fn look_at(&mut self, lit: Lit) -> Result {
        let meaning = self.meaning(lit);
        let Some(value) = self.value(lit) else {
            debug_assert!(matches!(self.literals.atom(lit), Atom::Equation(..)));
            let mut values = meaning.parts().iter().map(|&bound| self.value(bound));
            if values.clone().any(|value| value == Some(false)) {
                return self.learn(!lit);
            }
            return match values.all(|value| value == Some(true)) {
                true => self.learn(lit),
                false => Ok(()),
            };
        };
        match meaning {
            Meaning::All(parts, all) => self.conjunction(parts.iter().copied(), value == all),
            Meaning::Table(mut parts, fits) => {
                parts.insert(0, lit);
                self.table(&parts, fits)
            }
            Meaning::Open => Ok(()),
        }
    }

    /// What is the same in all values that fit together.
    fn table(&mut self, lits: &[Lit], fits: fn(&[bool]) -> bool) -> Result {
        let mut open: Vec<usize> = lits.iter().map(|lit| lit.atom()).collect();
        open.sort_unstable();
        open.dedup();
        open.retain(|atom| !self.values.contains_key(atom));
        // By open atom: whether it is true, and whether it is false, in some row.
        let mut seen = vec![[false; 2]; open.len()];
        let mut is_possible = false;
        for row in 0..1_u32 << open.len() {
            let is_set = |at: usize| row >> at & 1 == 1;
            let value = |&lit: &Lit| match open.binary_search(&lit.atom()) {
                Ok(at) => is_set(at) == lit.is_positive(),
                Err(_) => self.value(lit) == Some(true),
            };
            let values: Vec<bool> = lits.iter().map(value).collect();
            if fits(&values) {
                is_possible = true;
                for (at, seen) in seen.iter_mut().enumerate() {
                    seen[usize::from(is_set(at))] = true;
                }
            }
        }
        if !is_possible {
            return Err(Contradiction);
        }
        for (&atom, seen) in open.iter().zip(&seen) {
            if seen[0] != seen[1] {
                self.learn(Lit::new(atom, seen[1]))?;
            }
        }
        Ok(())
    }

    /// What follows if a conjunction has a value.
    fn conjunction(&mut self, parts: impl Iterator<Item = Lit> + Clone, value: bool) -> Result {
        if value {
            for part in parts {
                self.learn(part)?;
            }
            return Ok(());
        }
        self.disjunction(parts.map(|part| !part))
    }

    /// What follows if a disjunction is true.
    fn disjunction(&mut self, parts: impl Iterator<Item = Lit>) -> Result {
        let mut open = None;
        for part in parts {
            match self.value(part) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None if open.is_none() || open == Some(part) => open = Some(part),
                None => return Ok(()),
            }
        }
        self.learn(open.ok_or(Contradiction)?)
    }

    fn look_at_fact(&mut self, fact: usize) -> Result {
        let lits = self.facts[fact].clone();
        self.disjunction(lits.into_iter())
    }

    /// The terms that a literal is about and that may need an explanation.
    fn bases(&self, lit: Lit) -> Vec<Id> {
        match self.literals.atom(lit) {
            Atom::Bound(bound) => bound.form.iter().map(|(id, _)| *id).collect(),
            Atom::Equation(form, _) => form.iter().map(|(id, _)| *id).collect(),
            Atom::Same(left, right) => vec![*left, *right],
            Atom::Term(_) | Atom::Bits(_) | Atom::True => Vec::new(),
        }
    }

    /// Adds the facts about a term: what if-then-else is, what division is, what rounding is.
    fn explain(&mut self, id: Id) {
        if !self.explained.insert(id) {
            return;
        }
        let node = self.literals.graph.node(id);
        let args = node.args.clone();
        match node.op {
            Op::Ite => {
                let condition = self.literals.of(args[0]);
                for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
                    let equal = self.literals.equal(id, branch);
                    self.facts.push(vec![guard, equal]);
                }
            }
            Op::Mul => {
                let is_number = |&arg: &Id| self.literals.graph.number(arg).is_some();
                if args.len() == 2 && !args.iter().any(is_number) {
                    self.explain_product(id, args[0], args[1]);
                }
            }
            Op::ToInt => {
                let graph = &self.literals.graph;
                let mut sum = Sum::difference(graph, id, args[0]);
                let below = self.literals.at_most_zero(&sum, false);
                // `argument < floor + 1` is not `floor - argument <= -1`.
                sum.constant += BigRational::one();
                let above = !self.literals.at_most_zero(&sum, false);
                self.facts.extend([vec![below], vec![above]]);
            }
            Op::Div | Op::Mod => {
                let divisor = self.literals.graph.number(args[1]).cloned();
                if let Some(divisor) = divisor.filter(|divisor| !divisor.is_zero()) {
                    self.explain_division(&args, &divisor);
                }
            }
            _ => {}
        }
    }

    /// The sign of a product by those of its factors.
    fn explain_product(&mut self, product: Id, a: Id, b: Id) {
        for is_strict in [false, true] {
            for (x, y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let mut positive = |sign: i32, term: Id| {
                    let mut sum = Sum::default();
                    let times = BigRational::from_integer((-sign).into());
                    sum.add_term(&self.literals.graph, &times, term);
                    self.literals.at_most_zero(&sum, is_strict)
                };
                let fact = vec![!positive(x, a), !positive(y, b), positive(x * y, product)];
                self.facts.push(fact);
            }
        }
    }

    /// `a == b * q + r`, where both are terms, and `0 <= r < |b|`, where that is one.
    fn explain_division(&mut self, args: &[Id], divisor: &BigRational) {
        let graph = &self.literals.graph;
        let (quotient, remainder) = (graph.division(true, args), graph.division(false, args));
        let one = BigRational::one();
        if let Some(remainder) = remainder {
            let mut negated = Sum::default();
            negated.add_term(graph, &-&one, remainder);
            let mut excess = Sum::default();
            excess.add_term(graph, &one, remainder);
            excess.constant -= divisor.abs();
            if let Some(quotient) = quotient {
                let mut sum = Sum::difference(graph, args[0], remainder);
                sum.add_term(graph, &-divisor, quotient);
                let zero = self.literals.zero(&sum);
                self.facts.push(vec![zero]);
            }
            let not_negative = self.literals.at_most_zero(&negated, false);
            let small = self.literals.at_most_zero(&excess, true);
            self.facts.extend([vec![not_negative], vec![small]]);
        }
    }
}
