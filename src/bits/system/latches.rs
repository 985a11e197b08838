//! The state: latches for the location, for variables, for symbols, and their next-state functions.

use std::ops::Range;

use super::steps::merged;
use super::{Builder, Case, Content, Counter, Latch};
use crate::aig::Lit;
use crate::blast::Bits;
use crate::words::{self, Word};

impl Builder<'_> {
    fn latch(&mut self, content: Content) -> Lit {
        let lit = self.aig.leaf();
        self.latches.push(Latch {
            lit,
            next: lit,
            start: None,
            content,
        });
        lit
    }

    /// Makes latches for variables and symbols.
    pub(super) fn state(&mut self) {
        for (number, (name, sort)) in self.graph.variables.iter().enumerate() {
            let Some(width) = self.settings.latches(name, sort) else {
                self.variables.push(None);
                let why = format!("`{name}`, of sort {sort}");
                self.start.push(Bits::Opaque(why.into()));
                continue;
            };
            let from = self.latches.len();
            let word: Word = (0..width)
                .map(|bit| self.latch(Content::Variable(number, bit as u32)))
                .collect();
            self.variables.push(Some(from..self.latches.len()));
            self.start.push(Bits::word(word));
        }
        for function in &self.graph.functions {
            let constant = function.params.is_empty();
            let Some(width) = self.settings.width(&function.result).filter(|_| constant) else {
                continue;
            };
            let from = self.latches.len();
            let word: Word = (0..width)
                .map(|bit| self.latch(Content::Symbol(function.name.clone(), bit as u32)))
                .collect();
            let range = from..self.latches.len();
            (self.symbols).insert(function.name.clone(), (function.result.clone(), range));
            self.meanings
                .insert(function.name.clone(), Bits::word(word));
        }
    }

    /// The latches of the location, and what they say of each location. The initial location has
    /// number 0; the number behind the last one says that the run has halted.
    pub(super) fn counter(&mut self, locations: usize) -> (Range<usize>, Vec<Lit>) {
        let from = self.latches.len();
        let bits = match self.settings.counter {
            Counter::OneHot => locations,
            Counter::Binary => (usize::BITS - locations.leading_zeros()) as usize,
        };
        let word: Word = (0..bits).map(|_| self.latch(Content::Location)).collect();
        let counter = from..self.latches.len();
        let code = |number: usize, bit: usize| number >> bit & 1 == 1;
        for (bit, latch) in counter.clone().enumerate() {
            self.latches[latch].start = Some(match self.settings.counter {
                Counter::OneHot => bit == 0,
                Counter::Binary => false,
            });
        }
        let at = (0..locations).map(|number| match self.settings.counter {
            Counter::OneHot => word[number],
            Counter::Binary => {
                let bits: Word = (word.iter().enumerate())
                    .map(|(bit, &lit)| lit.invert_if(!code(number, bit)))
                    .collect();
                self.aig.all(&bits)
            }
        });
        let at = at.collect();
        (counter, at)
    }

    /// The next-state functions of the location.
    pub(super) fn count(&mut self, counter: &Range<usize>, next_at: &[Lit]) {
        let halted = !self.aig.any(next_at);
        for (bit, latch) in counter.clone().enumerate() {
            self.latches[latch].next = match self.settings.counter {
                Counter::OneHot => next_at[bit],
                Counter::Binary => {
                    let codes = next_at.iter().copied().chain([halted]).enumerate();
                    let ones: Vec<Lit> = codes
                        .filter(|(number, _)| number >> bit & 1 == 1)
                        .map(|(_, lit)| lit)
                        .collect();
                    self.aig.any(&ones)
                }
            };
        }
    }

    /// The next-state functions of variables. If the run halts they do not matter.
    pub(super) fn advance(&mut self, values: &[Case]) {
        for number in 0..self.variables.len() {
            let Some(latches) = self.variables[number].clone() else {
                continue;
            };
            let cases: Vec<(Lit, &Bits)> = values
                .iter()
                .map(|(condition, values)| (*condition, &values[number]))
                .collect();
            let word = match merged(&mut self.aig, &cases) {
                // What is cut off are signs: integers stay in their range, or it was looked whether
                // they fit.
                Bits::Word(word) => {
                    let mut word = words::extended(&word, latches.len());
                    word.truncate(latches.len());
                    word
                }
                Bits::Opaque(_) if cases.is_empty() => continue,
                Bits::Opaque(why) => latches
                    .clone()
                    .map(|_| {
                        let lit = self.aig.leaf();
                        self.opaque.insert(lit.node(), why.clone());
                        self.inputs.push(lit);
                        lit
                    })
                    .collect(),
            };
            for (latch, lit) in latches.zip(word) {
                self.latches[latch].next = lit;
            }
        }
    }

    /// Whether integers have values that their latches can hold.
    pub(super) fn fits(&mut self, values: &[Bits]) -> Lit {
        let mut fits = Vec::new();
        for (number, (name, sort)) in self.graph.variables.iter().enumerate() {
            let (Bits::Word(word), Some(latches)) = (&values[number], &self.variables[number])
            else {
                continue;
            };
            if self.settings.may_not_fit(name, sort) && word.len() > latches.len() {
                let (kept, above) = word.split_at(latches.len());
                let sign = kept.last().copied().unwrap_or(Lit::FALSE);
                fits.extend(above.iter().map(|&bit| self.aig.iff(bit, sign)));
            }
        }
        self.aig.all(&fits)
    }
}
