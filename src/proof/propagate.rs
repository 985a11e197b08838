//! Step `prop`: what follows by looking at one term at a time.
//!
//! Sound: the negated clause and the premises are assumed, and every rule follows from the meaning of one operator: `and`, `or`,
//! `ite`, `=`, the floor, and Euclidean division by a number that is not zero. An equation of numbers is exactly the conjunction of
//! its two bounds. So a contradiction means that the clause holds wherever the premises do.

use std::collections::{BTreeSet, HashMap};

use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::linear::Sum;
use crate::literal::{Atom, Lit, Literals};
use crate::term::{Id, Op, Sort};

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
    /// A term that has a value.
    Term(Id),
    /// The number of a fact.
    Fact(usize),
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
            if let Atom::Term(id) = *self.literals.atom(lit) {
                self.look_at_new(id)?;
            }
            let watching = self.watching.get(&lit.atom()).cloned();
            for watcher in watching.unwrap_or_default() {
                match watcher {
                    Watcher::Term(id) => self.look_at(id)?,
                    Watcher::Fact(fact) => self.look_at_fact(fact)?,
                }
            }
        }
        Ok(())
    }

    /// The literals that are known.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&Atom, bool)> {
        let values = self.values.iter();
        values.map(|(&atom, &value)| (self.literals.atom_numbered(atom), value))
    }

    fn value(&self, lit: Lit) -> Option<bool> {
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

    /// The parts of a term that have to do with its value.
    fn parts(&mut self, id: Id) -> Vec<Lit> {
        let node = self.literals.graph.node(id);
        let args = node.args.clone();
        match node.op {
            Op::And | Op::Or | Op::Ite => {
                args.into_iter().map(|arg| self.literals.of(arg)).collect()
            }
            Op::Eq if *self.literals.graph.sort(args[0]) == Sort::Bool => {
                args.into_iter().map(|arg| self.literals.of(arg)).collect()
            }
            Op::Eq => {
                let sum = Sum::difference(&self.literals.graph, args[0], args[1]);
                self.literals.zero(&sum).into()
            }
            _ => Vec::new(),
        }
    }

    fn look_at_new(&mut self, id: Id) -> Result {
        self.look_at(id)?;
        let lit = self.literals.of(id);
        let all = match self.literals.graph.node(id).op {
            Op::And => Some(true),
            Op::Or => Some(false),
            _ => None,
        };
        // All parts of a conjunction that is true are known now.
        if all.is_some() && self.value(lit) == all {
            return Ok(());
        }
        for part in self.parts(id) {
            self.watch(part, Watcher::Term(id));
            self.look_at_equation(part)?;
        }
        // What became known meanwhile may say more.
        self.look_at(id)
    }

    /// If this is an equation of numbers that is not known, bounds may say whether it holds.
    fn look_at_equation(&mut self, lit: Lit) -> Result {
        if self.value(lit).is_none()
            && let Some(equation) = self.literals.equation_term(lit)
        {
            for bound in self.parts(equation) {
                self.watch(bound, Watcher::Term(equation));
            }
            self.look_at(equation)?;
        }
        Ok(())
    }

    /// Whether an equation of numbers holds, by its bounds.
    fn look_at_bounds(&mut self, lit: Lit, bounds: &[Lit]) -> Result {
        let mut values = bounds.iter().map(|&bound| self.value(bound));
        if values.clone().any(|value| value == Some(false)) {
            return self.learn(!lit);
        }
        match values.all(|value| value == Some(true)) {
            true => self.learn(lit),
            false => Ok(()),
        }
    }

    /// What follows from the value of a term and those of its parts.
    fn look_at(&mut self, id: Id) -> Result {
        let lit = self.literals.of(id);
        let parts = self.parts(id);
        let Some(value) = self.value(lit) else {
            return match self.literals.equation_term(lit) {
                Some(_) => self.look_at_bounds(lit, &parts),
                None => Ok(()),
            };
        };
        let node = self.literals.graph.node(id);
        match (&node.op, &parts[..]) {
            (Op::Or, parts) => self.conjunction(parts.iter().map(|&part| !part), !value),
            (Op::Ite, &[condition, yes, no]) => {
                match self.value(condition) {
                    Some(true) => self.learn(yes.signed(value))?,
                    Some(false) => self.learn(no.signed(value))?,
                    None => {}
                }
                if self.value(yes) == Some(!value) {
                    self.learn(!condition)?;
                }
                if self.value(no) == Some(!value) {
                    self.learn(condition)?;
                }
                Ok(())
            }
            (Op::Eq, &[left, right]) if *self.literals.graph.sort(node.args[0]) == Sort::Bool => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(known) = self.value(one) {
                        self.learn(other.signed(known == value))?;
                    }
                }
                Ok(())
            }
            // A conjunction, or an equation of numbers as one of two bounds.
            (Op::And | Op::Eq, parts) => self.conjunction(parts.iter().copied(), value),
            _ => Ok(()),
        }
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
            Atom::Same(left, right) => vec![*left, *right],
            Atom::Term(_) => match self.literals.equation(lit) {
                Some((form, _)) => form.into_iter().map(|(id, _)| id).collect(),
                None => Vec::new(),
            },
            Atom::True => Vec::new(),
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
                    for equal in self.equal(id, branch) {
                        self.facts.push(vec![guard, equal]);
                    }
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

    /// The literals whose conjunction says that two terms are equal that are no truth values.
    fn equal(&mut self, left: Id, right: Id) -> Vec<Lit> {
        let graph = &self.literals.graph;
        match graph.sort(left).is_arithmetic() {
            true => {
                let sum = Sum::difference(graph, left, right);
                self.literals.zero(&sum).into()
            }
            false => vec![self.literals.same(left, right)],
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
                for zero in self.literals.zero(&sum) {
                    self.facts.push(vec![zero]);
                }
            }
            let not_negative = self.literals.at_most_zero(&negated, false);
            let small = self.literals.at_most_zero(&excess, true);
            self.facts.extend([vec![not_negative], vec![small]]);
        }
    }
}
