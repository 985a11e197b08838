//! The lines of a question and of a proof, one by one.
//!
//! Sound: every clause that is added holds wherever the assertions hold, for some values of the witnesses (see [`crate::instance`]), and a step
//! may use only the clauses before it. To leave out a literal that is always false changes no clause, and one with a literal that is true, or with
//! a literal and its negation, holds without a reason. So the empty clause shows that the assertions contradict each other.

use std::collections::{BTreeSet, HashSet};

use num_rational::BigRational;

use crate::literal::{Lit, Literals};
use crate::propagate::Propagation;
use crate::rup::Values;
use crate::term::{Id, Op, Sort, natural, rational};
use crate::{Wrong, diophantine, equal, farkas, instance, polynomial};

/// See [`check`](crate::check).
pub(crate) fn check(question: &str, proof: &str) -> Result<(), Wrong> {
    let mut state = State {
        literals: Literals::new(),
        assertions: Vec::new(),
        clauses: Vec::new(),
        values: Values::default(),
        question: 0,
        witnesses: HashSet::new(),
    };
    let mut last = 0;
    for (number, line) in lines(question) {
        let wrong = |why| Wrong { line: number, why };
        state.question(line).map_err(wrong)?;
        last = number;
    }
    state.question = state.literals.graph.len();
    for (number, line) in lines(proof) {
        let wrong = |why| Wrong { line: number, why };
        state.proof(line).map_err(wrong)?;
        last = number;
    }
    match state.clauses.last() {
        Some(clause) if clause.is_empty() => Ok(()),
        _ => Err(Wrong {
            line: last,
            why: "the last clause is not the empty one".into(),
        }),
    }
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.split('\n').enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

struct State {
    literals: Literals,
    assertions: Vec<Id>,
    /// Without literals that are false.
    clauses: Vec<Vec<Lit>>,
    values: Values,
    /// How many terms the question has.
    question: usize,
    /// The variables of the proof that are witnesses.
    witnesses: HashSet<Id>,
}

impl State {
    fn question(&mut self, line: &str) -> Result<(), String> {
        match line.strip_prefix("assert ") {
            Some(word) => {
                let id = self.truth(word)?;
                self.assertions.push(id);
                Ok(())
            }
            None => self.literals.add(line),
        }
    }

    fn proof(&mut self, line: &str) -> Result<(), String> {
        if line.starts_with(|letter: char| letter.is_ascii_digit()) {
            return self.literals.add(line);
        }
        let mut words = line.split(' ');
        let step = words.next().unwrap_or_default();
        if step == "assert" {
            let number = natural(words.next().unwrap_or_default())?;
            let assertion = self.assertions.get(number);
            let &id = assertion.ok_or_else(|| format!("there is no assertion {number}"))?;
            let lit = self.literals.of(id);
            self.clauses.push(tidy(vec![lit]));
            return end(words);
        }
        if step == "poly" {
            let id = self.truth(words.next().unwrap_or_default())?;
            polynomial::check(&self.literals.graph, id)?;
            self.clauses.push(tidy(vec![self.literals.of(id)]));
            return end(words);
        }
        if let "inst" | "skolem" | "ext" = step {
            return self.instance(step, words);
        }
        let mut clause = Vec::new();
        let mut has_colon = false;
        for word in words.by_ref() {
            if word == ":" {
                has_colon = true;
                break;
            }
            clause.push(self.literal(word)?);
        }
        let clause = tidy(clause);
        let rest: Vec<&str> = words.collect();
        if has_colon != (step != "equal") {
            return Err("what the step needs begins with a colon".into());
        }
        match step {
            "prop" | "rup" | "farkas" | "dioph" | "equal" if holds_anyway(&clause) => {}
            "prop" => self.propagate(&clause, &rest)?,
            "rup" => {
                let others = self.numbers(&rest)?;
                let others = others.iter().map(|&number| &self.clauses[number][..]);
                self.values.check(self.literals.len(), &clause, others)?;
            }
            "farkas" => {
                let rows = self.rows(&clause, &rest)?;
                farkas::check(&self.literals, &rows)?;
            }
            "dioph" => {
                let rows = self.rows(&clause, &rest)?;
                diophantine::check(&self.literals, &rows)?;
            }
            "equal" => equal::check(&mut self.literals, &clause)?,
            other => return Err(format!("no step: {other}")),
        }
        self.clauses.push(clause);
        Ok(())
    }

    /// Steps `inst`, `skolem` and `ext`.
    fn instance<'w>(
        &mut self,
        step: &str,
        mut words: impl Iterator<Item = &'w str>,
    ) -> Result<(), String> {
        let mut word = || words.next().unwrap_or_default();
        let (first, second) = (self.truth(word())?, self.truth(word())?);
        if word() != ":" {
            return Err("what the step needs begins with a colon".into());
        }
        let terms: Vec<Id> = words
            .map(|word| self.term(word))
            .collect::<Result<_, _>>()?;
        let graph = &self.literals.graph;
        let mut implies = graph.node(first).op == Op::Forall;
        if step == "ext" {
            instance::differ(graph, first, second, &terms)?;
        } else {
            instance::check(graph, first, second, &terms)?;
        }
        if step != "inst" {
            // The same the other way round, for some terms.
            implies = step == "skolem" && !implies;
            for &term in &terms {
                let is_new = term >= self.question && term > first && self.witnesses.insert(term);
                if !is_new || self.literals.graph.node(term).op != Op::Free {
                    return Err(format!("term {term} is no new variable"));
                }
            }
        }
        let (first, second) = (self.literals.of(first), self.literals.of(second));
        let clause = vec![first.signed(!implies), second.signed(implies)];
        self.clauses.push(tidy(clause));
        Ok(())
    }

    /// Step `prop`.
    fn propagate(&mut self, clause: &[Lit], premises: &[&str]) -> Result<(), String> {
        let mut assumed: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        for number in self.numbers(premises)? {
            match self.clauses[number][..] {
                [lit] => assumed.push(lit),
                [] => assumed.push(Lit::FALSE),
                _ => return Err(format!("clause {number} has several literals")),
            }
        }
        match Propagation::new(&mut self.literals).assume(&assumed) {
            Err(_) => Ok(()),
            Ok(()) => Err("nothing contradicts it".into()),
        }
    }

    fn numbers(&self, words: &[&str]) -> Result<Vec<usize>, String> {
        let numbers = words.iter().map(|word| {
            let number = natural(word)?;
            match number < self.clauses.len() {
                true => Ok(number),
                false => Err(format!("there is no clause {number} before")),
            }
        });
        numbers.collect()
    }

    /// Rows of `N` premises, each row with a number.
    fn rows<const N: usize>(
        &mut self,
        clause: &[Lit],
        words: &[&str],
    ) -> Result<Vec<([Lit; N], BigRational)>, String> {
        let mut rows = Vec::new();
        for row in words.chunks(N + 1) {
            let mut lits = [Lit::TRUE; N];
            for (lit, word) in lits.iter_mut().zip(row) {
                *lit = self.premise(clause, word)?;
            }
            let times = row.get(N).ok_or("a number is missing")?;
            rows.push((lits, rational(times)?));
        }
        Ok(rows)
    }

    /// A literal that is true where the clause is false.
    fn premise(&mut self, clause: &[Lit], word: &str) -> Result<Lit, String> {
        let lit = self.literal(word)?;
        match clause.binary_search(&!lit).is_ok() {
            true => Ok(lit),
            false => Err(format!("the negation of {word} is not in the clause")),
        }
    }

    fn literal(&mut self, word: &str) -> Result<Lit, String> {
        let (is_positive, word) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
            (Some(word), _) => (true, word),
            (_, Some(word)) => (false, word),
            _ => return Err(format!("no literal: {word}")),
        };
        let id = self.truth(word)?;
        Ok(self.literals.of(id).signed(is_positive))
    }

    fn term(&self, word: &str) -> Result<Id, String> {
        let id = natural(word)?;
        match id < self.literals.graph.len() {
            true => Ok(id),
            false => Err(format!("there is no term {id} before")),
        }
    }

    /// The number of a term that is a truth value.
    fn truth(&self, word: &str) -> Result<Id, String> {
        let id = self.term(word)?;
        match self.literals.graph.sort(id) {
            Sort::Bool => Ok(id),
            _ => Err(format!("term {id} is no truth value")),
        }
    }
}

/// The clause in order, each literal once, without those that are false.
fn tidy(clause: Vec<Lit>) -> Vec<Lit> {
    let clause: BTreeSet<Lit> = clause.into_iter().collect();
    clause
        .into_iter()
        .filter(|&lit| lit != Lit::FALSE)
        .collect()
}

/// Whether a clause that is in order has a literal that is true, or a literal and its negation.
fn holds_anyway(clause: &[Lit]) -> bool {
    let mut pairs = clause.windows(2);
    clause.first() == Some(&Lit::TRUE) || pairs.any(|pair| pair[0] == !pair[1])
}

fn end<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<(), String> {
    match words.next() {
        None => Ok(()),
        Some(_) => Err("the line is too long".into()),
    }
}
