//! Bit-vectors, bit by bit: the clauses of the gates that `ult-proof` knows.

use std::collections::BTreeMap;

use super::atoms::{Atom, Atoms, Literal};
use super::clause::Lit;
use ult_core::formula::lines::{Lines, is_word};
use ult_core::formula::print::bv_name;
use ult_core::formula::{BvOp, Op, Sort, Term, Terms};
use ult_proof::bits::{BINARY, Bit, Kind, Part, Word, Words, gate, wire};

/// The terms as words.
struct Circuits<'t>(&'t Terms);

impl Words for Circuits<'_> {
    type Term = Term;

    fn width(&self, term: Term) -> u32 {
        width(self.0, term).unwrap_or(1)
    }

    fn word(&self, term: Term) -> Word<Term> {
        if !is_word(self.0, term) {
            return Word::Other;
        }
        match (self.0.op(term), self.0.args(term)) {
            (Op::BitVec(_), _) => Word::Number,
            (Op::Bv(BvOp::Not), &[a]) => Word::Not(a),
            (Op::Bv(BvOp::Neg), &[a]) => Word::Neg(a),
            (Op::Bv(BvOp::Concat), &[a, b]) => Word::Concat(a, b),
            (Op::Bv(op), &[a, b]) => match binary(*op) {
                Some(op) => Word::Binary(op, a, b),
                None => Word::Other,
            },
            (Op::Extract { low, .. }, &[a]) => Word::Extract(*low, a),
            (Op::ZeroExtend(_), &[a]) => Word::ZeroExtend(a),
            (Op::SignExtend(_), &[a]) => Word::SignExtend(a),
            (Op::Ite, &[condition, a, b]) => Word::Ite(condition, a, b),
            _ => Word::Other,
        }
    }

    fn bit_of_number(&self, term: Term, at: u32) -> bool {
        match self.0.op(term) {
            Op::BitVec(value) => value.bit(at.into()),
            _ => false,
        }
    }
}

/// An operator by its name.
fn binary(op: BvOp) -> Option<&'static str> {
    BINARY.into_iter().find(|name| *name == bv_name(op))
}

/// The width of a bit-vector.
pub(super) fn width(terms: &Terms, term: Term) -> Option<u32> {
    match terms.sort(term) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    }
}

/// The number of the line that says a truth value about bit-vectors.
pub(super) fn line(lines: &mut Lines<'_>, bit: &Bit<Term>) -> usize {
    let Bit { kind, k, i, a, b } = *bit;
    if kind == Kind::Less {
        return lines.truth("bvslt", &[a, b]);
    }
    let found = Kind::NAMES.iter().find(|(_, named)| *named == kind);
    let name = found.map_or("", |(name, _)| name);
    let words = match kind.has_rows() {
        true => format!("{name} {k} {i}"),
        false => format!("{name} {i}"),
    };
    let count = 2 - usize::from(kind.has_one_word());
    lines.truth(&words, &[a, b][..count])
}

/// A bit, or what it is the same as.
pub(super) fn literal(atoms: &mut Atoms<'_>, bit: Bit<Term>) -> Literal {
    let part = wire(&Circuits(atoms.terms), bit);
    part_literal(atoms, part).expect("a wire leads to a bit")
}

/// A part of a gate, if it is no formula.
fn part_literal(atoms: &mut Atoms<'_>, part: Part<Term>) -> Result<Literal, Term> {
    match part {
        Part::Constant(value) => Ok(Literal::Constant(value)),
        Part::Truth(term) => Err(term),
        Part::Bit(bit, is_positive) => {
            let is_whole = Some(bit.i) == width(atoms.terms, bit.a) && bit.kind == Kind::Agree;
            let literal = match is_whole {
                true => atoms.same(bit.a, bit.b),
                false => Literal::Lit(atoms.lit(Atom::Bit(bit))),
            };
            Ok(if is_positive { literal } else { !literal })
        }
    }
}

/// A comparison of bit-vectors.
pub(super) fn compare(atoms: &mut Atoms<'_>, op: BvOp, a: Term, b: Term) -> Option<Literal> {
    let width = width(atoms.terms, a)?;
    Some(match op {
        BvOp::Ult => literal(atoms, Bit::about(Kind::Borrow, width, a, b)),
        BvOp::Ule => !literal(atoms, Bit::about(Kind::Borrow, width, b, a)),
        BvOp::Slt => literal(atoms, Bit::about(Kind::Less, 0, a, b)),
        BvOp::Sle => !literal(atoms, Bit::about(Kind::Less, 0, b, a)),
        _ => return None,
    })
}

/// A bit of a word, by the values of those bits that have one. The others may have any.
pub(super) fn value(atoms: &Atoms<'_>, term: Term, i: u32, is_true: impl Fn(Lit) -> bool) -> bool {
    match wire(&Circuits(atoms.terms), Bit::of(term, i)) {
        Part::Constant(value) => value,
        Part::Bit(bit, is_positive) => {
            let lit = atoms.known(&Atom::Bit(bit));
            lit.is_some_and(&is_true) == is_positive
        }
        Part::Truth(_) => false,
    }
}

/// What an atom depends on, and which values fit together, the one of the atom first.
pub(super) type Table = (Vec<Result<Literal, Term>>, fn(&[bool]) -> bool);

/// The table of an atom, if it is about bit-vectors.
pub(super) fn table(atoms: &mut Atoms<'_>, atom: &Atom) -> Option<Table> {
    let bit = match atom {
        Atom::Bit(bit) => *bit,
        Atom::Same(a, b) => Bit::about(Kind::Agree, width(atoms.terms, *a)?, *a, *b),
        _ => return None,
    };
    let (parts, fits) = gate(&Circuits(atoms.terms), bit)?;
    let parts = parts.into_iter().map(|part| part_literal(atoms, part));
    Some((parts.collect(), fits))
}

/// The shortest clauses that a table implies: each value that a clause leaves out is implied by another one.
pub(super) fn implicates(parts: &[Literal], fits: fn(&[bool]) -> bool) -> Vec<Vec<Lit>> {
    let mut places = BTreeMap::new();
    for part in parts {
        if let Literal::Lit(lit) = part {
            let next = places.len();
            places.entry(lit.var()).or_insert(next);
        }
    }
    let rows: Vec<u32> = (0..1_u32 << places.len())
        .filter(|row| {
            let values = parts.iter().map(|part| match part {
                Literal::Constant(value) => *value,
                Literal::Lit(lit) => (row >> places[&lit.var()] & 1 == 1) == lit.is_positive(),
            });
            fits(&values.collect::<Vec<bool>>())
        })
        .collect();
    // A clause: the places in it, and those of them that are positive.
    let mut clauses: Vec<(u32, u32)> = Vec::new();
    let all = (1_u32 << places.len()) - 1;
    let mut sets: Vec<u32> = (0..=all).collect();
    sets.sort_by_key(|set| set.count_ones());
    for set in sets {
        for signs in (0..=set).filter(|signs| signs & !set == 0) {
            let is_longer =
                |&(places, positive): &(u32, u32)| places & !set == 0 && signs & places == positive;
            // Where all literals are false, each place has the other value.
            let is_false = |row: &u32| (row ^ signs) & set == set;
            if !clauses.iter().any(is_longer) && !rows.iter().any(is_false) {
                clauses.push((set, signs));
            }
        }
    }
    let vars: Vec<_> = places.into_iter().collect();
    let clause = |(set, signs): (u32, u32)| {
        let in_set = vars.iter().filter(|(_, place)| set >> place & 1 == 1);
        in_set
            .map(|(var, place)| Lit::new(*var, signs >> place & 1 == 1))
            .collect()
    };
    clauses.into_iter().map(clause).collect()
}
