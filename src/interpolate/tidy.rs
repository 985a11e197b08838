//! Smaller formulas by looking at them only: no solver is asked.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use indexmap::{IndexMap, IndexSet};

use ult_core::formula::{Bound, Op, Range, Term, Terms};

#[cfg(test)]
mod tests;

/// Conjunctions within disjunctions within conjunctions... are looked into so deep.
const DEEPEST: u32 = 24;

/// So many operands are looked at, and once more as many as the formula has. What is left then stays
/// as it is. (With sharing, a formula can have many more occurrences of sub-formulas than
/// sub-formulas.)
const LOOKS: usize = 5_000;

/// Among so many conjunctions in one disjunction (or the other way round) each one is compared
/// with each other one.
const MOST_COMPARED: usize = 24;

/// An equivalent formula in normal form ([`Terms::normalised`]) that is not larger.
///
/// * What is said about one linear form is said once: of `x <= 3 && x <= 5` the first part stays,
///   of `x <= 3 || x <= 5` the second one; `x <= 3 && 3 <= x` is `x == 3`, and for an integer
///   `x <= 3 && x != 3` is `x <= 2`.
/// * Literals are known within the other operands (*unit propagation*, *absorption*):
///   `a && (!a || b)` is `a && b`, and `a || a && b` is `a`; also for bounds that imply each
///   other.
/// * Operands that differ in one literal are joined: `a && b || a && !b` is `a`.
/// * What all operands have in common is written once: `a && b || a && c` is `a && (b || c)`.
pub fn tidied(terms: &Terms, formula: Term) -> Term {
    let normal = terms.normalised(formula);
    if !matches!(terms.op(normal), Op::And | Op::Or | Op::Not) {
        return normal;
    }
    let mut tidy = Tidy {
        terms,
        facts: Facts::default(),
        literals: HashMap::new(),
        looks: weight(terms, normal) + LOOKS,
    };
    let result = tidy.formula(normal, true, 0);
    let result = terms.normalised(result);
    if weight(terms, result) <= weight(terms, normal) {
        result
    } else {
        normal
    }
}

/// The size of a formula: its nodes and their operands.
pub fn weight(terms: &Terms, formula: Term) -> usize {
    let order = terms.post_order(&[formula]);
    order.iter().map(|&t| 1 + terms.args(t).len()).sum()
}

/// A conjunction or a disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    And,
    Or,
}

impl Kind {
    fn other(self) -> Kind {
        match self {
            Kind::And => Kind::Or,
            Kind::Or => Kind::And,
        }
    }

    /// The operand that decides the whole; the other truth value changes nothing.
    fn absorbing(self) -> bool {
        self == Kind::Or
    }

    /// Of which kind a formula is.
    fn of(terms: &Terms, formula: Term) -> Option<Kind> {
        match terms.op(formula) {
            Op::And => Some(Kind::And),
            Op::Or => Some(Kind::Or),
            _ => None,
        }
    }

    fn build(self, terms: &Terms, parts: impl IntoIterator<Item = Term>) -> Term {
        match self {
            Kind::And => terms.and(parts),
            Kind::Or => terms.or(parts),
        }
    }

    fn parts(self, terms: &Terms, formula: Term) -> Vec<Term> {
        match self {
            Kind::And => terms.conjuncts(formula),
            Kind::Or => terms.disjuncts(formula),
        }
    }
}

/// What a literal says.
#[derive(Clone, Debug)]
enum Literal {
    Bound(Bound),
    /// A formula that is not looked into, and its truth value.
    Atom(Term, bool),
}

impl Literal {
    fn negated(&self) -> Literal {
        match self {
            Literal::Bound(bound) => Literal::Bound(Bound {
                relation: bound.relation.negated(),
                ..bound.clone()
            }),
            Literal::Atom(atom, value) => Literal::Atom(*atom, !value),
        }
    }
}

/// Literals that hold together.
#[derive(Clone, Debug, Default)]
struct Facts {
    ranges: HashMap<Term, Range>,
    atoms: HashMap<Term, bool>,
}

/// What was known before some facts were learned, for taking them back.
#[derive(Default)]
struct Before {
    ranges: HashMap<Term, Option<Range>>,
    atoms: Vec<Term>,
}

impl Facts {
    /// Adds a literal. Tells whether it can hold together with what is known; if not, what is
    /// known afterwards is of no use.
    fn learn(&mut self, terms: &Terms, literal: &Literal, before: &mut Before) -> bool {
        match literal {
            Literal::Bound(bound) => {
                before
                    .ranges
                    .entry(bound.form)
                    .or_insert_with(|| self.ranges.get(&bound.form).cloned());
                let range = self
                    .ranges
                    .entry(bound.form)
                    .or_insert_with(|| Range::all(terms.sort(bound.form)));
                range.meet(bound.relation, &bound.value);
                !range.is_empty()
            }
            Literal::Atom(atom, value) => match self.atoms.entry(*atom) {
                Entry::Occupied(known) => known.get() == value,
                Entry::Vacant(place) => {
                    place.insert(*value);
                    before.atoms.push(*atom);
                    true
                }
            },
        }
    }

    fn forget(&mut self, before: Before) {
        #[allow(clippy::iter_over_hash_type, reason = "each restores one entry")]
        for (form, old) in before.ranges {
            match old {
                Some(old) => self.ranges.insert(form, old),
                None => self.ranges.remove(&form),
            };
        }
        for atom in before.atoms {
            self.atoms.remove(&atom);
        }
    }

    /// The truth value of a literal, if it is known.
    fn value(&self, literal: &Literal) -> Option<bool> {
        match literal {
            Literal::Bound(bound) => {
                let range = self.ranges.get(&bound.form)?;
                if range.implies(bound.relation, &bound.value) {
                    Some(true)
                } else if range.implies(bound.relation.negated(), &bound.value) {
                    Some(false)
                } else {
                    None
                }
            }
            Literal::Atom(atom, value) => self.atoms.get(atom).map(|known| known == value),
        }
    }

    /// Whether everything known there is known here.
    fn imply(&self, other: &Facts) -> bool {
        other
            .atoms
            .iter()
            .all(|(atom, value)| self.atoms.get(atom) == Some(value))
            && other.ranges.iter().all(|(form, range)| {
                self.ranges
                    .get(form)
                    .is_some_and(|known| known.within(range))
            })
    }
}

struct Tidy<'t> {
    terms: &'t Terms,
    /// What can be taken for granted at the place looked at.
    facts: Facts,
    literals: HashMap<Term, Literal>,
    /// How many operands may still be looked at.
    looks: usize,
}

impl Tidy<'_> {
    /// The formula, or its negation: equivalent where the facts hold.
    fn formula(&mut self, formula: Term, positive: bool, depth: u32) -> Term {
        let (mut inner, mut positive) = (formula, positive);
        while *self.terms.op(inner) == Op::Not {
            inner = self.terms.args(inner)[0];
            positive = !positive;
        }
        if let Some(kind) = Kind::of(self.terms, inner) {
            return self.junction(kind, inner, positive, depth);
        }
        let signed = self.signed(inner, positive);
        let literal = self.literal(signed);
        match self.facts.value(&literal) {
            Some(value) => self.terms.bool(value),
            None => signed,
        }
    }

    fn signed(&self, formula: Term, positive: bool) -> Term {
        if positive {
            formula
        } else {
            self.terms.not(formula)
        }
    }

    fn literal(&mut self, formula: Term) -> Literal {
        let terms = self.terms;
        self.literals
            .entry(formula)
            .or_insert_with(|| match terms.as_bound(formula) {
                Some(bound) => Literal::Bound(bound),
                None => match terms.op(formula) {
                    Op::Not => Literal::Atom(terms.args(formula)[0], false),
                    _ => Literal::Atom(formula, true),
                },
            })
            .clone()
    }

    /// What is known where an operand of a junction of this kind matters to the others: it holds
    /// in a conjunction, and does not hold in a disjunction.
    fn fact(&mut self, kind: Kind, operand: Term) -> Literal {
        let literal = self.literal(operand);
        match kind {
            Kind::And => literal,
            Kind::Or => literal.negated(),
        }
    }

    fn junction(&mut self, written: Kind, formula: Term, positive: bool, depth: u32) -> Term {
        let terms = self.terms;
        let kind = if positive { written } else { written.other() };
        let operands = written.parts(terms, formula);
        if depth == DEEPEST || self.looks < operands.len() {
            return self.signed(formula, positive);
        }
        self.looks -= operands.len();
        // Operands with their places, for keeping the order.
        let mut literals: Vec<(usize, Term)> = Vec::new();
        let mut junctions: Vec<(usize, Term)> = Vec::new();
        for (place, operand) in operands.into_iter().enumerate() {
            let mut inner = operand;
            while *terms.op(inner) == Op::Not {
                inner = terms.args(inner)[0];
            }
            if Kind::of(terms, inner).is_some() {
                junctions.push((place, self.signed(operand, positive)));
            } else {
                let literal = self.formula(operand, positive, depth);
                if *terms.op(literal) == Op::Bool(kind.absorbing()) {
                    return literal;
                }
                literals.push((place, literal));
            }
        }
        // Each round may turn an operand into literals, which are news for the others.
        loop {
            let Some(merged) = self.merged(kind, literals) else {
                return terms.bool(kind.absorbing());
            };
            literals = merged;
            let mut before = Before::default();
            let mut possible = true;
            for &(_, operand) in &literals {
                let fact = self.fact(kind, operand);
                possible &= self.facts.learn(terms, &fact, &mut before);
            }
            if !possible {
                self.facts.forget(before);
                return terms.bool(kind.absorbing());
            }
            let mut news = Vec::new();
            let mut kept = Vec::new();
            for (place, operand) in junctions {
                let result = self.formula(operand, true, depth + 1);
                for part in kind.parts(terms, result) {
                    match Kind::of(terms, part) {
                        Some(_) => kept.push((place, part)),
                        None => news.push((place, part)),
                    }
                }
            }
            self.facts.forget(before);
            junctions = kept;
            if news.is_empty() {
                news = self.combined(kind, &mut junctions);
            }
            if news.is_empty() {
                break;
            }
            literals.extend(news);
        }
        if literals.is_empty()
            && let Some(result) = self.factored(kind, &junctions)
        {
            return result;
        }
        literals.extend(junctions);
        literals.sort_by_key(|&(place, _)| place);
        kind.build(terms, literals.into_iter().map(|(_, part)| part))
    }

    /// The literals of a junction, what is said of one linear form said together. `None` if they
    /// decide the junction.
    fn merged(&mut self, kind: Kind, operands: Vec<(usize, Term)>) -> Option<Vec<(usize, Term)>> {
        let terms = self.terms;
        let mut atoms: IndexMap<Term, bool> = IndexMap::new();
        let mut forms: IndexMap<Term, (Range, Vec<(usize, Term)>)> = IndexMap::new();
        let mut result = Vec::new();
        for (place, operand) in operands {
            match terms.op(operand) {
                Op::Bool(value) if *value == kind.absorbing() => return None,
                Op::Bool(_) => continue,
                _ => {}
            }
            match self.fact(kind, operand) {
                Literal::Atom(atom, value) => match atoms.insert(atom, value) {
                    None => result.push((place, operand)),
                    Some(other) if other == value => {}
                    Some(_) => return None,
                },
                Literal::Bound(bound) => {
                    let (range, all) = forms
                        .entry(bound.form)
                        .or_insert_with(|| (Range::all(terms.sort(bound.form)), Vec::new()));
                    range.meet(bound.relation, &bound.value);
                    if range.is_empty() {
                        return None;
                    }
                    all.push((place, operand));
                }
            }
        }
        for (form, (range, all)) in forms {
            let bounds = range.bounds();
            if bounds.len() == all.len() {
                // Each literal says something of its own.
                result.extend(all);
                continue;
            }
            let places: HashMap<Term, usize> = all.iter().map(|&(i, part)| (part, i)).collect();
            for (i, (relation, value)) in bounds.into_iter().enumerate() {
                let relation = match kind {
                    Kind::And => relation,
                    Kind::Or => relation.negated(),
                };
                let said = terms.bound(form, relation, &value);
                // There are never more bounds than literals.
                let place = places.get(&said).copied().unwrap_or(all[i].0);
                result.push((place, said));
            }
        }
        result.sort_by_key(|&(place, _)| place);
        Some(result)
    }

    /// Removes operands that others make redundant, and joins those that differ in one literal.
    /// All are of the other kind than the junction. Returns the literals that operands became.
    fn combined(&mut self, kind: Kind, operands: &mut Vec<(usize, Term)>) -> Vec<(usize, Term)> {
        let mut seen = HashSet::new();
        operands.retain(|(_, operand)| seen.insert(*operand));
        let mut news = Vec::new();
        if operands.len() > MOST_COMPARED {
            return news;
        }
        let terms = self.terms;
        let inner = kind.other();
        let mut facts: Vec<Option<Facts>> = operands
            .iter()
            .map(|&(_, operand)| self.facts_of(inner, operand))
            .collect();
        let mut left = 0;
        while left < operands.len() {
            let mut right = left + 1;
            let mut again = false;
            while right < operands.len() {
                // In a disjunction the stronger one is redundant, in a conjunction the weaker
                // one: its negation is the stronger one.
                let implies = |x: &Option<Facts>, y: &Option<Facts>| match (x, y) {
                    (Some(x), Some(y)) => x.imply(y),
                    _ => false,
                };
                if implies(&facts[left], &facts[right]) {
                    operands.remove(left);
                    facts.remove(left);
                    again = true;
                    break;
                }
                if implies(&facts[right], &facts[left]) {
                    operands.remove(right);
                    facts.remove(right);
                    continue;
                }
                if let Some(joined) = self.joined(kind, operands[left].1, operands[right].1) {
                    let (place, _) = operands[left];
                    operands.remove(right);
                    facts.remove(right);
                    if Kind::of(terms, joined) == Some(inner) {
                        operands[left] = (place, joined);
                        facts[left] = self.facts_of(inner, joined);
                        // Compared anew with all others.
                        left = 0;
                    } else {
                        operands.remove(left);
                        facts.remove(left);
                        news.push((place, joined));
                    }
                    again = true;
                    break;
                }
                right += 1;
            }
            if !again {
                left += 1;
            }
        }
        news
    }

    /// The operands of a junction as facts: of a conjunction what holds in it, of a disjunction
    /// what holds where it does not. `None` if that cannot be.
    fn facts_of(&mut self, kind: Kind, junction: Term) -> Option<Facts> {
        let mut facts = Facts::default();
        let mut before = Before::default();
        for part in kind.parts(self.terms, junction) {
            let fact = self.fact(kind, part);
            if !facts.learn(self.terms, &fact, &mut before) {
                return None;
            }
        }
        Some(facts)
    }

    /// Two operands of the other kind in one, if they differ in one literal each and those two
    /// say together what one literal can say.
    fn joined(&mut self, kind: Kind, left: Term, right: Term) -> Option<Term> {
        let terms = self.terms;
        let inner = kind.other();
        let (left, right) = (inner.parts(terms, left), inner.parts(terms, right));
        if left.len() != right.len() {
            return None;
        }
        let others: HashSet<Term> = right.iter().copied().collect();
        let mut own = left.iter().copied().filter(|part| !others.contains(part));
        let (one, None) = (own.next()?, own.next()) else {
            return None;
        };
        let common: HashSet<Term> = left.iter().copied().collect();
        let two = right.into_iter().find(|part| !common.contains(part))?;
        if Kind::of(terms, one).is_some() || Kind::of(terms, two).is_some() {
            return None;
        }
        let said = match self.merged(kind, vec![(0, one), (1, two)]) {
            // Always true in a disjunction, never true in a conjunction: the rest decides.
            None => None,
            Some(merged) => match merged[..] {
                [(_, single)] => Some(single),
                _ => return None,
            },
        };
        let parts = left
            .iter()
            .filter_map(|&part| if part == one { said } else { Some(part) });
        Some(inner.build(terms, parts))
    }

    /// What all operands have in common, outside.
    fn factored(&mut self, kind: Kind, operands: &[(usize, Term)]) -> Option<Term> {
        let terms = self.terms;
        let inner = kind.other();
        let (&(_, first), others) = operands.split_first()?;
        if others.is_empty() {
            return None;
        }
        let mut common: IndexSet<Term> = inner.parts(terms, first).into_iter().collect();
        for &(_, operand) in others {
            let parts: HashSet<Term> = inner.parts(terms, operand).into_iter().collect();
            common.retain(|part| parts.contains(part));
            if common.is_empty() {
                return None;
            }
        }
        let rests: Vec<Vec<Term>> = operands
            .iter()
            .map(|&(_, operand)| {
                let mut parts = inner.parts(terms, operand);
                parts.retain(|part| !common.contains(part));
                parts
            })
            .collect();
        // One more node is needed; nodes of a single part and copies of common parts are saved.
        let singles = rests.iter().filter(|rest| rest.len() == 1).count();
        if common.len() * others.len() + 2 * singles < 2 {
            return None;
        }
        let rest = kind.build(
            terms,
            rests.into_iter().map(|rest| inner.build(terms, rest)),
        );
        Some(inner.build(terms, common.into_iter().chain([rest])))
    }
}
