//! DimSpec (Suda: "DIMSPEC, a format for specifying symbolic transition systems", 2016): clauses for
//! the initial states, for all states, for goals, and for steps.
//!
//! A variable that neither the initial states nor what follows a step depends on is no part of the
//! state: it has any value that the clauses allow, as an input. Of these, such that the clauses for
//! all states define as conjunctions of variables with smaller numbers are gates. A next value that
//! two clauses equate with a literal is a function.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use ult_core::formula::{Sort, Term, Terms};
use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::span::Span;

use super::model::{Bad, Input, Model, State};
use super::words::{Word, lines, shown};

/// The largest number of variables.
const MOST: u64 = (1 << 30) - 1;

/// A disjunction of literals: numbers of variables, negative if negated.
type Clause = Vec<i64>;

/// The clauses behind a header.
struct Section {
    header: Span,
    variables: u64,
    clauses: Vec<Clause>,
}

/// The sections by their letters, in the order of the format.
const SECTIONS: [(char, &str); 4] = [
    ('i', "initial states"),
    ('u', "all states"),
    ('g', "goals"),
    ('t', "steps"),
];

/// Reads a file.
pub(super) fn read(terms: &Terms, text: &str, messages: &mut Messages) -> Result<Model, Reported> {
    let mut sections = sections(text, messages)?;
    let end = lines(text).last().map_or(Span::default(), |line| line.span);
    for (letter, what) in SECTIONS {
        if !sections.contains_key(&letter) {
            let message = format!("the clauses for {what} are missing");
            let label = format!("a header `{letter} cnf` has to come");
            messages.error(Id::CIRCUIT_SYNTAX, message, end, label);
        }
    }
    if !messages.is_empty() {
        return Err(Reported);
    }
    let count = sections[&'i'].variables;
    for (letter, _) in SECTIONS {
        let section = &sections[&letter];
        let expected = if letter == 't' { 2 * count } else { count };
        if section.variables != expected {
            let message = format!(
                "{expected} variables are needed here, and there are {}",
                section.variables
            );
            let label = "all sections have the same number of variables, and steps twice as many";
            messages.error(Id::CIRCUIT_SORTS, message, section.header, label);
        }
    }
    if !messages.is_empty() {
        return Err(Reported);
    }
    let (span, goal) = (sections[&'t'].header, sections[&'g'].header);
    let mut clauses = |letter| {
        let section = sections.remove(&letter);
        section.map(|section: Section| section.clauses)
    };
    let files = Clauses {
        initial: clauses('i').unwrap_or_default(),
        always: clauses('u').unwrap_or_default(),
        goal: clauses('g').unwrap_or_default(),
        step: clauses('t').unwrap_or_default(),
    };
    Ok(model(terms, count, files, (span, goal)))
}

/// The sections of a text, each complete.
fn sections(text: &str, messages: &mut Messages) -> Result<BTreeMap<char, Section>, Reported> {
    let mut sections: BTreeMap<char, Section> = BTreeMap::new();
    // The letter of the section, how many clauses it should have, and the clause that is open.
    let mut open: Option<(char, u64, Clause)> = None;
    let mut last = Span::default();
    for line in lines(text) {
        let words: Vec<Word<'_>> = line.words().collect();
        let Some(first) = words.first() else {
            continue;
        };
        if first.text == "c" {
            continue;
        }
        last = line.span;
        if words.get(1).is_some_and(|word| word.text == "cnf") {
            ended(open.take(), &sections, line.span, messages)?;
            let known = SECTIONS
                .iter()
                .find(|(letter, _)| first.text == letter.to_string());
            let Some(&(letter, what)) = known else {
                let message = format!("there is no section `{}`", shown(first.text));
                let label = "`i`, `u`, `g` or `t` is needed";
                return Err(messages.error(Id::CIRCUIT_SYNTAX, message, first.span, label));
            };
            if words.len() != 4 {
                let message = "a header has two numbers: of variables and of clauses";
                let label = format!("there are {} words after `cnf`", words.len() - 2);
                return Err(messages.error(Id::CIRCUIT_SYNTAX, message, line.span, label));
            }
            let most = if letter == 't' { 2 * MOST } else { MOST };
            let variables = words[2].number(most, messages)?;
            let clauses = words[3].number(u64::from(u32::MAX), messages)?;
            let section = Section {
                header: line.span,
                variables,
                clauses: Vec::new(),
            };
            if let Some(first) = sections.insert(letter, section) {
                let message = format!("the clauses for {what} are there twice");
                let labels = vec![
                    (line.span, "here again".into()),
                    (first.header, "first here".into()),
                ];
                return Err(messages.errors(Id::CIRCUIT_DEFINED_TWICE, message, labels));
            }
            open = Some((letter, clauses, Clause::new()));
            continue;
        }
        let Some((letter, _, clause)) = &mut open else {
            let message = "this is not DimSpec";
            let label = "a header as `i cnf 3 2`, or a comment after `c`, is needed here";
            return Err(messages.error(Id::CIRCUIT_SYNTAX, message, line.span, label));
        };
        let Some(section) = sections.get_mut(letter) else {
            continue;
        };
        for word in words {
            let digits = word.text.strip_prefix('-');
            let start = word.span.start as usize + usize::from(digits.is_some());
            let number = Word::at(digits.unwrap_or(word.text), start);
            let number = number.number(section.variables, messages)?;
            // At most 2^31.
            let number = number as i64;
            match (number, digits) {
                (0, None) => section.clauses.push(std::mem::take(clause)),
                (0, Some(_)) => {
                    let message = "there is no literal -0";
                    let label = "a clause ends with 0";
                    return Err(messages.error(Id::CIRCUIT_SYNTAX, message, word.span, label));
                }
                (_, None) => clause.push(number),
                (_, Some(_)) => clause.push(-number),
            }
        }
    }
    ended(open, &sections, last, messages)?;
    Ok(sections)
}

/// Whether a section is complete.
fn ended(
    open: Option<(char, u64, Clause)>,
    sections: &BTreeMap<char, Section>,
    place: Span,
    messages: &mut Messages,
) -> Result<(), Reported> {
    let Some((letter, count, clause)) = open else {
        return Ok(());
    };
    if !clause.is_empty() {
        let message = "a clause does not end";
        let label = "0 is missing before the end of the section";
        return Err(messages.error(Id::CIRCUIT_SYNTAX, message, place, label));
    }
    match sections.get(&letter) {
        Some(section) if section.clauses.len() as u64 != count => {
            let found = section.clauses.len();
            let message = format!("there are {found} clauses where {count} were announced");
            let label = "this header tells of another number";
            Err(messages.error(Id::CIRCUIT_SYNTAX, message, section.header, label))
        }
        _ => Ok(()),
    }
}

struct Clauses {
    initial: Vec<Clause>,
    always: Vec<Clause>,
    goal: Vec<Clause>,
    step: Vec<Clause>,
}

fn model(
    terms: &Terms,
    count: u64,
    mut clauses: Clauses,
    (span, goal_span): (Span, Span),
) -> Model {
    // At most 2^30.
    let count = count as i64;
    let first = clauses.initial.iter().flatten().map(|lit| lit.abs());
    let after = clauses.step.iter().flatten().map(|lit| lit.abs() - count);
    let kept: BTreeSet<i64> = first
        .chain(after.filter(|&variable| variable > 0))
        .collect();
    let gates = gates(&kept, &mut clauses.always);
    let mut model = Model {
        span,
        ..Model::default()
    };
    let name = |variable: i64| -> Arc<str> { format!("x{variable}").into() };
    let mut values: Vec<Term> = Vec::new();
    let mut nexts: HashMap<i64, Term> = HashMap::new();
    let mut functions = functions(count, &mut clauses.step);
    for variable in 1..=count {
        let value = if kept.contains(&variable) {
            let state = State {
                name: name(variable),
                sort: Sort::Bool,
                init: None,
                next: None,
                symbol: None,
            };
            let value = state.current(terms);
            nexts.insert(variable, state.after(terms));
            model.states.push(state);
            value
        } else if let Some(arguments) = gates.get(&variable) {
            let arguments = arguments.iter().map(|&lit| of(terms, &values, lit));
            terms.and(arguments.collect::<Vec<_>>())
        } else {
            let term = terms.fresh_aux(name(variable), Sort::Bool);
            model.inputs.push(Input {
                term,
                sort: Sort::Bool,
                symbol: None,
            });
            term
        };
        values.push(value);
    }
    for (state, &variable) in model.states.iter_mut().zip(&kept) {
        let next = functions.remove(&variable);
        state.next = next.map(|lit| of(terms, &values, lit));
    }
    let any = |clause: &Clause, lit: &dyn Fn(i64) -> Term| {
        terms.or(clause.iter().map(|&code| lit(code)).collect::<Vec<_>>())
    };
    let now = |lit: i64| of(terms, &values, lit);
    let then = |lit: i64| {
        let variable = lit.abs();
        let term = match variable > count {
            true => nexts[&(variable - count)],
            false => values[variable as usize - 1],
        };
        if lit < 0 { terms.not(term) } else { term }
    };
    let first = |lit: i64| then(lit + count * lit.signum());
    model.start = clauses
        .initial
        .iter()
        .map(|clause| any(clause, &first))
        .collect();
    model.always = clauses
        .always
        .iter()
        .map(|clause| any(clause, &now))
        .collect();
    model.step = clauses
        .step
        .iter()
        .map(|clause| any(clause, &then))
        .collect();
    let goal: Vec<Term> = clauses
        .goal
        .iter()
        .map(|clause| any(clause, &now))
        .collect();
    model.bads.push(Bad {
        text: "goal".into(),
        condition: terms.and(goal),
        span: goal_span,
    });
    model.variables = values;
    model
}

/// The value of a literal.
fn of(terms: &Terms, values: &[Term], lit: i64) -> Term {
    // Literals have numbers from 1 on.
    let term = values[lit.unsigned_abs() as usize - 1];
    if lit < 0 { terms.not(term) } else { term }
}

/// Variables outside of `kept` that clauses define as conjunctions of literals with smaller numbers; a
/// constant is one of nothing. These clauses are taken out.
fn gates(kept: &BTreeSet<i64>, clauses: &mut Vec<Clause>) -> BTreeMap<i64, Vec<i64>> {
    let mut gates: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let sorted = |clause: &Clause| {
        let mut clause = clause.clone();
        clause.sort_unstable();
        clause
    };
    let known: BTreeSet<Clause> = clauses.iter().map(sorted).collect();
    let mut used: BTreeSet<Clause> = BTreeSet::new();
    for clause in clauses.iter() {
        let (gate, arguments) = match clause[..] {
            [gate] if gate > 0 => (gate, Vec::new()),
            [x, y, z] => {
                let gate = [x, y, z]
                    .into_iter()
                    .max_by_key(|lit| lit.abs())
                    .unwrap_or(x);
                let rest = [x, y, z].into_iter().filter(|&lit| lit != gate);
                (gate, rest.map(|lit| -lit).collect())
            }
            _ => continue,
        };
        let is_smaller = |lit: &i64| lit.abs() < gate;
        if gate < 0
            || kept.contains(&gate)
            || gates.contains_key(&gate)
            || !arguments.is_empty() && arguments.len() != 2
            || !arguments.iter().all(is_smaller)
        {
            continue;
        }
        let halves: Vec<Clause> = (arguments.iter())
            .map(|&argument| sorted(&vec![-gate, argument]))
            .collect();
        if halves.iter().all(|half| known.contains(half)) {
            used.extend(halves);
            used.insert(sorted(clause));
            gates.insert(gate, arguments);
        }
    }
    clauses.retain(|clause| !used.contains(&sorted(clause)));
    gates
}

/// Next values that two clauses equate with a literal about the state before. These are taken out.
fn functions(count: i64, clauses: &mut Vec<Clause>) -> BTreeMap<i64, i64> {
    // A clause `a -> b`, with `a` or its negation the next value.
    let as_implication = |clause: &Clause| match clause[..] {
        [x, y] if x.abs() > count && y.abs() <= count => Some((-x, y)),
        [y, x] if x.abs() > count && y.abs() <= count => Some((-x, y)),
        _ => None,
    };
    let known: BTreeSet<(i64, i64)> = clauses.iter().filter_map(as_implication).collect();
    let mut functions: BTreeMap<i64, i64> = BTreeMap::new();
    for &(next, lit) in &known {
        if next > 0 && known.contains(&(-next, -lit)) {
            functions.entry(next - count).or_insert(lit);
        }
    }
    clauses.retain(|clause| match as_implication(clause) {
        Some((next, lit)) => functions.get(&(next.abs() - count)) != Some(&(lit * next.signum())),
        None => true,
    });
    functions
}
