//! Random Boogie programs with maps whose indices have few values.
//!
//! The truth is an execution with all values of all variables. The uninterpreted type has no elements but its constants: each
//! number of elements that they allow is looked at. Integers have no end, so variables with integers are defined first.

mod terms;
mod values;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Model;
use super::chance::Chance;
use terms::{Kind, Term, Terms};
use values::{Data, Sort, Value};

/// So many states are looked at.
const MOST_STATES: u64 = 1500;

/// So many claims are tried.
const CLAIMS: u32 = 14;

type State = Vec<Value>;
type States = BTreeSet<State>;

#[derive(Clone, Debug)]
enum Statement {
    /// A variable gets its first value, by an assignment or by what is assumed.
    Define(usize, Term, bool),
    Assume(Term),
    Assign(usize, Term),
    /// `m[i] := v`.
    Element(usize, Vec<Term>, Term),
    Havoc(usize),
    /// Without a condition it is left open which way is taken.
    If(Option<Term>, Vec<Statement>, Vec<Statement>),
    While(Option<Term>, Vec<Statement>),
}

/// Where the uninterpreted type has so many elements, and the constants these values.
#[derive(Clone, Debug)]
struct World {
    opaque: u64,
    constants: Vec<Value>,
}

#[derive(Clone, Debug)]
struct Program {
    /// Of the uninterpreted type; they are the first variables.
    constants: usize,
    are_unique: bool,
    /// Whether an axiom says that there are no other elements; else it is assumed.
    by_axiom: bool,
    sorts: Vec<Sort>,
    body: Vec<Statement>,
}

impl Program {
    /// Each number of elements with each way to name them all, up to names.
    fn worlds(&self) -> Vec<World> {
        let mut all = vec![World {
            opaque: 0,
            constants: Vec::new(),
        }];
        for _ in 0..self.constants {
            all = all
                .iter()
                .flat_map(|world| {
                    let known = if self.are_unique { world.opaque } else { 0 };
                    (known..=world.opaque).map(|element| {
                        let mut more = world.clone();
                        more.constants.push(Value::Number(element));
                        more.opaque = more.opaque.max(element + 1);
                        more
                    })
                })
                .collect();
        }
        all
    }

    fn is_defined(&self, variable: usize) -> bool {
        self.body
            .iter()
            .any(|statement| matches!(statement, Statement::Define(of, ..) if *of == variable))
    }

    /// All first states; nothing if they are too many.
    fn first(&self, world: &World) -> Option<States> {
        let mut all = vec![world.constants.clone()];
        for (index, sort) in self.sorts.iter().enumerate().skip(self.constants) {
            let values = match self.is_defined(index) {
                true => vec![sort.any(world.opaque)],
                false => {
                    let size = sort.size(world.opaque)?;
                    if size.checked_mul(all.len() as u64)? > MOST_STATES {
                        return None;
                    }
                    sort.values(world.opaque)
                }
            };
            all = all
                .iter()
                .flat_map(|state| {
                    values.iter().map(|value| {
                        let mut more = state.clone();
                        more.push(value.clone());
                        more
                    })
                })
                .collect();
        }
        Some(all.into_iter().collect())
    }

    /// The states behind statements; nothing if they are too many.
    fn run(&self, body: &[Statement], mut states: States, opaque: u64) -> Option<States> {
        for statement in body {
            states = self.step(statement, states, opaque)?;
            if states.len() as u64 > MOST_STATES {
                return None;
            }
        }
        Some(states)
    }

    fn step(&self, statement: &Statement, states: States, opaque: u64) -> Option<States> {
        let set = |states: States, variable: usize, term: &Term| {
            states
                .into_iter()
                .map(|mut state| {
                    let value = term.value(&mut state, opaque);
                    state[variable] = value;
                    state
                })
                .collect()
        };
        Some(match statement {
            Statement::Define(variable, term, _) | Statement::Assign(variable, term) => {
                set(states, *variable, term)
            }
            Statement::Element(variable, at, term) => {
                let sort = self.sorts[*variable].clone();
                let stored = Term {
                    kind: Kind::Store(
                        Box::new(Term::variable(sort.clone(), *variable)),
                        at.clone(),
                        Box::new(term.clone()),
                    ),
                    sort,
                };
                set(states, *variable, &stored)
            }
            Statement::Assume(term) => states
                .into_iter()
                .filter(|state| holds(term, state, opaque))
                .collect(),
            Statement::Havoc(variable) => {
                let size = self.sorts[*variable].size(opaque)?;
                if size.checked_mul(states.len() as u64)? > MOST_STATES {
                    return None;
                }
                let values = self.sorts[*variable].values(opaque);
                states
                    .iter()
                    .flat_map(|state| {
                        values.iter().map(|value| {
                            let mut next = state.clone();
                            next[*variable] = value.clone();
                            next
                        })
                    })
                    .collect()
            }
            Statement::If(condition, then, otherwise) => {
                let (yes, no) = split(condition.as_ref(), states, opaque);
                let mut next = self.run(then, yes, opaque)?;
                next.extend(self.run(otherwise, no, opaque)?);
                next
            }
            Statement::While(condition, body) => {
                let mut seen = States::new();
                let mut out = States::new();
                let mut new = states;
                while !new.is_empty() {
                    seen.extend(new.iter().cloned());
                    if seen.len() as u64 > MOST_STATES {
                        return None;
                    }
                    let (inside, outside) = split(condition.as_ref(), new, opaque);
                    out.extend(outside);
                    new = self.run(body, inside, opaque)?;
                    new.retain(|state| !seen.contains(state));
                }
                out
            }
        })
    }

    /// The states behind all statements, in each world.
    fn ends(&self) -> Option<Vec<(u64, States)>> {
        self.worlds()
            .iter()
            .map(|world| {
                let states = self.run(&self.body, self.first(world)?, world.opaque)?;
                Some((world.opaque, states))
            })
            .collect()
    }

    fn names(&self) -> Vec<String> {
        (0..self.sorts.len())
            .map(|index| match index < self.constants {
                true => format!("c{index}"),
                false => format!("x{index}"),
            })
            .collect()
    }

    fn text(&self, claim: &Term) -> String {
        let mut names = self.names();
        let mut body = String::new();
        for (name, sort) in names.iter().zip(&self.sorts).skip(self.constants) {
            let _ = writeln!(body, "  var {name}: {};", sort.text());
        }
        let mut limit = String::new();
        if self.constants > 0 {
            let all: Vec<String> = (0..self.constants)
                .map(|index| format!("x == {}", names[index]))
                .collect();
            limit = format!("(forall x: T :: {})", all.join(" || "));
            if !self.by_axiom {
                let _ = writeln!(body, "  assume {limit};");
            }
        }
        for statement in &self.body {
            write(&mut body, statement, 1, &mut names);
        }
        let _ = writeln!(body, "  assert {};", claim.text(&mut names));
        let mut text = String::new();
        for (word, declaration) in [
            ("Unit", "datatype Unit { unit() }"),
            ("Color", "datatype Color { red(), green(), blue() }"),
            ("Way", "datatype Way { exact(), rounded(how: rmode) }"),
            ("Pair", "datatype Pair { pair(first: bool, second: bv1) }"),
            ("Option", "datatype Option<E> { None(), Some(value: E) }"),
            (
                "number(",
                "function {:builtin \"(_ to_fp 2 3)\"} number(bv5): float3e2;",
            ),
        ] {
            if body.contains(word) {
                let _ = writeln!(text, "{declaration}");
            }
        }
        if self.constants > 0 {
            let _ = writeln!(text, "type T;");
            let unique = if self.are_unique { "unique " } else { "" };
            for name in names.iter().take(self.constants) {
                let _ = writeln!(text, "const {unique}{name}: T;");
            }
            if self.by_axiom {
                let _ = writeln!(text, "axiom {limit};");
            }
        }
        let _ = write!(text, "procedure p()\n{{\n{body}}}\n");
        text
    }
}

/// Those of which a condition holds, and those of which it does not; all on both sides without one.
fn split(condition: Option<&Term>, states: States, opaque: u64) -> (States, States) {
    match condition {
        None => (states.clone(), states),
        Some(term) => states
            .into_iter()
            .partition(|state| holds(term, state, opaque)),
    }
}

fn holds(term: &Term, state: &State, opaque: u64) -> bool {
    term.value(&mut state.clone(), opaque).is_true()
}

fn write(text: &mut String, statement: &Statement, depth: usize, names: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let condition = |term: &Option<Term>, names: &mut Vec<String>| match term {
        Some(term) => term.text(names),
        None => "*".into(),
    };
    match statement {
        Statement::Define(variable, term, true) => {
            let value = term.text(names);
            let _ = writeln!(text, "{indent}assume {} == {value};", names[*variable]);
        }
        Statement::Define(variable, term, false) | Statement::Assign(variable, term) => {
            let value = term.text(names);
            let _ = writeln!(text, "{indent}{} := {value};", names[*variable]);
        }
        Statement::Assume(term) => {
            let _ = writeln!(text, "{indent}assume {};", term.text(names));
        }
        Statement::Element(variable, at, term) => {
            let at: Vec<String> = at.iter().map(|at| at.text(names)).collect();
            let value = term.text(names);
            let name = &names[*variable];
            let _ = writeln!(text, "{indent}{name}[{}] := {value};", at.join(", "));
        }
        Statement::Havoc(variable) => {
            let _ = writeln!(text, "{indent}havoc {};", names[*variable]);
        }
        Statement::If(term, then, otherwise) => {
            let _ = writeln!(text, "{indent}if ({}) {{", condition(term, names));
            for statement in then {
                write(text, statement, depth + 1, names);
            }
            if !otherwise.is_empty() {
                let _ = writeln!(text, "{indent}}} else {{");
                for statement in otherwise {
                    write(text, statement, depth + 1, names);
                }
            }
            let _ = writeln!(text, "{indent}}}");
        }
        Statement::While(term, body) => {
            let _ = writeln!(text, "{indent}while ({}) {{", condition(term, names));
            for statement in body {
                write(text, statement, depth + 1, names);
            }
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

/// A type with few values.
fn index(chance: &mut Chance, with_opaque: bool) -> Sort {
    let option = |of| Sort::Option(Box::new(of));
    match chance.below(24) {
        0 | 1 => Sort::Bool,
        2..5 => Sort::Bits(1),
        5..7 => Sort::Bits(2),
        7..10 => Sort::Mode,
        10 => Sort::Float,
        11 => Sort::Data(Data::Unit),
        12 | 13 => Sort::Data(Data::Color),
        14 | 15 => Sort::Data(Data::Way),
        16 => Sort::Data(Data::Pair),
        17 => option(Sort::Bool),
        18 => option(Sort::Mode),
        19 => option(option(Sort::Bool)),
        20 => Sort::map(Sort::Bool, Sort::Bool),
        21 => Sort::map(Sort::Bits(1), Sort::Bits(1)),
        _ if with_opaque => Sort::Opaque,
        _ => Sort::Mode,
    }
}

struct Generator<'a> {
    terms: Terms<'a>,
    constants: usize,
}

impl Generator<'_> {
    /// A map, or a value that is an index or an element of one.
    fn sort(&mut self) -> Sort {
        let with_opaque = self.constants > 0;
        let known: Vec<Sort> = self.terms.sorts.clone();
        // Often one that is there already.
        if self.terms.chance.percent(30)
            && let Some(sort) = self.terms.chance.maybe(&known)
        {
            return match sort {
                Sort::Map(indices, element) if self.terms.chance.percent(50) => {
                    match self.terms.chance.percent(70) {
                        true => self.terms.chance.pick(&indices),
                        false => *element,
                    }
                }
                sort => sort,
            };
        }
        if self.terms.chance.percent(20) {
            return index(self.terms.chance, with_opaque);
        }
        let mut indices = vec![index(self.terms.chance, with_opaque)];
        if self.terms.chance.percent(12) {
            indices.push(index(self.terms.chance, with_opaque));
        }
        let element = match self.terms.chance.below(20) {
            0..9 => Sort::Bool,
            9..12 => Sort::Bits(1),
            12 | 13 => Sort::map(index(self.terms.chance, with_opaque), Sort::Bool),
            14 => index(self.terms.chance, with_opaque),
            _ => Sort::Int,
        };
        Sort::Map(indices, Box::new(element))
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let variables = self.constants..self.terms.sorts.len();
        let variable = variables.start + self.terms.chance.below(variables.end - variables.start);
        let sort = self.terms.sorts[variable].clone();
        match self.terms.chance.below(20) {
            0 if sort.size(3).is_some_and(|size| size < 40) => Statement::Havoc(variable),
            1 | 2 if depth > 0 => {
                let condition = self.condition();
                Statement::While(condition, self.body(depth - 1))
            }
            3 | 4 if depth > 0 => {
                let condition = self.condition();
                let then = self.body(depth - 1);
                let otherwise = match self.terms.chance.percent(50) {
                    true => self.body(depth - 1),
                    false => Vec::new(),
                };
                Statement::If(condition, then, otherwise)
            }
            5..9 => match &sort {
                Sort::Map(indices, element) => {
                    let at = indices
                        .iter()
                        .map(|index| self.terms.term(index, 1))
                        .collect();
                    Statement::Element(variable, at, self.terms.term(element, 2))
                }
                _ => Statement::Assign(variable, self.terms.term(&sort, 2)),
            },
            9 | 10 => Statement::Assign(variable, self.terms.term(&sort, 2)),
            11..15 => Statement::Assume(self.terms.truth(3)),
            _ => {
                // The heart of it: maps that are equal to others with stores, several at once.
                let mut all: Option<Term> = None;
                for _ in 0..self.terms.chance.between(1, 3) {
                    let next = self.terms.equation(2);
                    all = Some(match all {
                        Some(before) => Term::both("&&", before, next),
                        None => next,
                    });
                }
                Statement::Assume(all.unwrap_or(Term::truth(true)))
            }
        }
    }

    fn condition(&mut self) -> Option<Term> {
        match self.terms.chance.percent(40) {
            true => None,
            false => Some(self.terms.truth(2)),
        }
    }

    fn body(&mut self, depth: u32) -> Vec<Statement> {
        (0..self.terms.chance.between(1, 2))
            .map(|_| self.statement(depth))
            .collect()
    }
}

/// Whether all lambdas and quantifiers over a type stay small.
fn is_small(sort: &Sort) -> bool {
    match sort {
        Sort::Map(indices, element) => {
            values::count(indices, 3).is_some_and(|count| count <= 36) && is_small(element)
        }
        _ => true,
    }
}

/// A random program.
pub(super) fn model(chance: &mut Chance) -> Option<Model> {
    let constants = chance.pick(&[0, 0, 0, 1, 2, 2, 3]);
    let are_unique = chance.percent(25);
    let by_axiom = chance.percent(70);
    let mut generator = Generator {
        terms: Terms {
            chance,
            sorts: vec![Sort::Opaque; constants],
            indices: Vec::new(),
        },
        constants,
    };
    let mut body = Vec::new();
    let mut size = 1u64;
    for _ in 0..generator.terms.chance.between(1, 4) {
        let sort = generator.sort();
        if !is_small(&sort) {
            continue;
        }
        let count = sort.size(3).and_then(|count| count.checked_mul(size));
        // A term for it is made of what is there before.
        generator.terms.indices = vec![Sort::Bool];
        match count {
            Some(count) if count <= MOST_STATES && generator.terms.chance.percent(85) => {
                size = count;
            }
            _ => {
                let term = generator.terms.term(&sort, 2);
                let is_assumed = generator.terms.chance.percent(60);
                let variable = generator.terms.sorts.len();
                body.push(Statement::Define(variable, term, is_assumed));
            }
        }
        generator.terms.sorts.push(sort);
    }
    if generator.terms.sorts.len() == constants {
        return None;
    }
    // What is bound in a definition stands behind all variables.
    let all = generator.terms.sorts.len();
    for statement in &mut body {
        if let Statement::Define(variable, term, _) = statement {
            *term = term.shifted(*variable, all - *variable);
        }
    }
    let mut indices: Vec<Sort> = generator
        .terms
        .sorts
        .iter()
        .flat_map(|sort| match sort {
            Sort::Map(indices, _) => indices.clone(),
            sort => vec![sort.clone()],
        })
        .filter(|sort| Terms::is_small(sort, 3))
        .collect();
    if indices.is_empty() {
        indices.push(Sort::Bool);
    }
    generator.terms.indices = indices;
    let depth = generator.terms.chance.pick(&[0, 0, 0, 1]);
    for _ in 0..generator.terms.chance.between(1, 3) {
        let statement = generator.statement(depth);
        body.push(statement);
    }
    let program = Program {
        constants,
        are_unique,
        by_axiom,
        sorts: generator.terms.sorts.clone(),
        body,
    };
    let ends = program.ends()?;
    let claims: Vec<Term> = (0..CLAIMS)
        .map(|number| match number {
            0 => Term::truth(false),
            _ if generator.terms.chance.percent(50) => generator.terms.equation(2),
            _ => generator.terms.truth(3),
        })
        .collect();
    // What holds of all states but of few others, or is violated in few.
    let wants_safe = generator.terms.chance.percent(50);
    let takes_false = generator.terms.chance.percent(20);
    let mut best: Option<(usize, bool, Term)> = None;
    let all: usize = ends.iter().map(|(_, states)| states.len()).sum();
    for (number, claim) in claims.into_iter().enumerate() {
        let violated: usize = ends
            .iter()
            .map(|(opaque, states)| {
                states
                    .iter()
                    .filter(|state| !holds(&claim, state, *opaque))
                    .count()
            })
            .sum();
        let is_safe = violated == 0;
        if number == 0 {
            if takes_false || all == 0 {
                // That nothing gets there is worth to be asked sometimes only.
                let is_often = 4 * all
                    > program
                        .worlds()
                        .iter()
                        .filter_map(|world| program.first(world).map(|states| states.len()))
                        .sum();
                let score = if is_often || all == 0 && !takes_false {
                    1000
                } else {
                    0
                };
                best = Some((score, is_safe, claim));
                break;
            }
            continue;
        }
        let score = match (is_safe, wants_safe) {
            (true, true) => usize::from(!program.is_about_states(&claim)) * 1000,
            (false, false) => 1 + violated * 500 / all.max(1),
            _ => 5000,
        };
        if best.as_ref().is_none_or(|(other, ..)| score < *other) {
            best = Some((score, is_safe, claim));
        }
    }
    let (score, is_safe, claim) = best?;
    Some(Model {
        text: program.text(&claim),
        is_safe,
        is_dull: score >= 1000,
    })
}

impl Program {
    /// Whether a claim is not simply true of all first values.
    fn is_about_states(&self, claim: &Term) -> bool {
        self.worlds().iter().any(|world| {
            self.first(world).is_some_and(|states| {
                states
                    .iter()
                    .any(|state| !holds(claim, state, world.opaque))
            })
        })
    }
}

#[cfg(test)]
mod tests;
