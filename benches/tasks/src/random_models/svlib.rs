//! Random programs in SV-LIB over sorts with few values.
//!
//! The truth is an execution of all choices at once: a statement makes a set of states of a set of states, and a loop goes on
//! until no state is new. Integers are first assigned, or chosen between two bounds that are assumed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Model;
use super::chance::Chance;
use super::extended;
use super::terms::{Sort, Term, TermKind, Value, sort, term};

/// So many states are looked at.
const MOST_STATES: usize = 4000;

type State = Vec<Value>;
type States = BTreeSet<State>;

#[derive(Clone, Debug)]
enum Statement {
    /// In parallel.
    Assign(Vec<(usize, Term)>),
    /// Integers get a value between two bounds.
    Havoc(usize, i64, i64),
    Assume(Term),
    If(Term, Vec<Statement>, Option<Vec<Statement>>),
    While(Term, Vec<Statement>),
    Choice(Vec<Vec<Statement>>),
    Break,
    Continue,
    Return,
    Check(Term),
    /// The variable becomes what the helper makes of the argument.
    Call(Term, usize),
}

/// Variables are global ones first, then those of the procedure.
#[derive(Clone, Debug)]
struct Program {
    sorts: Vec<Sort>,
    globals: usize,
    body: Vec<Statement>,
    /// A procedure that computes a result from its parameter.
    helper: Option<(Sort, Term)>,
}

/// Where states go.
#[derive(Default)]
struct Flow {
    next: States,
    breaks: States,
    continues: States,
    returns: States,
}

/// Why an execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Violated,
    TooMuch,
}

impl Program {
    fn names(&self) -> Vec<String> {
        (0..self.sorts.len())
            .map(|index| match index < self.globals {
                true => format!("g{index}"),
                false => format!("x{index}"),
            })
            .collect()
    }

    fn sequence(&self, body: &[Statement], states: States) -> Result<Flow, Stop> {
        let mut flow = Flow {
            next: states,
            ..Flow::default()
        };
        for statement in body {
            let states = std::mem::take(&mut flow.next);
            let more = self.statement(statement, states)?;
            flow.next = more.next;
            flow.breaks.extend(more.breaks);
            flow.continues.extend(more.continues);
            flow.returns.extend(more.returns);
            if flow.next.len() > MOST_STATES {
                return Err(Stop::TooMuch);
            }
        }
        Ok(flow)
    }

    fn statement(&self, statement: &Statement, states: States) -> Result<Flow, Stop> {
        let mut flow = Flow::default();
        match statement {
            Statement::Assign(pairs) => {
                for state in states {
                    let mut next = state.clone();
                    for (variable, term) in pairs {
                        next[*variable] = term.value(&state);
                    }
                    flow.next.insert(next);
                }
            }
            Statement::Call(argument, result) => {
                if let Some((_, body)) = &self.helper {
                    let term = body.with(std::slice::from_ref(argument));
                    return self.statement(&Statement::Assign(vec![(*result, term)]), states);
                }
            }
            Statement::Havoc(variable, low, high) => {
                let values = self.sorts[*variable].values(*low, *high);
                for state in states {
                    for value in &values {
                        let mut next = state.clone();
                        next[*variable] = value.clone();
                        flow.next.insert(next);
                    }
                }
            }
            Statement::Assume(term) => {
                flow.next = states;
                flow.next.retain(|state| term.value(state).is_true());
            }
            Statement::Check(term) => {
                if !states.iter().all(|state| term.value(state).is_true()) {
                    return Err(Stop::Violated);
                }
                flow.next = states;
            }
            Statement::If(condition, then, otherwise) => {
                let (yes, no): (States, States) = states
                    .into_iter()
                    .partition(|state| condition.value(state).is_true());
                flow = self.sequence(then, yes)?;
                let other = self.sequence(otherwise.as_deref().unwrap_or_default(), no)?;
                flow.next.extend(other.next);
                flow.breaks.extend(other.breaks);
                flow.continues.extend(other.continues);
                flow.returns.extend(other.returns);
            }
            Statement::Choice(ways) => {
                for way in ways {
                    let other = self.sequence(way, states.clone())?;
                    flow.next.extend(other.next);
                    flow.breaks.extend(other.breaks);
                    flow.continues.extend(other.continues);
                    flow.returns.extend(other.returns);
                }
            }
            Statement::While(condition, body) => {
                let mut seen = States::new();
                let mut new = states;
                while !new.is_empty() {
                    seen.extend(new.iter().cloned());
                    if seen.len() > MOST_STATES {
                        return Err(Stop::TooMuch);
                    }
                    let (inside, out): (States, States) = new
                        .into_iter()
                        .partition(|state| condition.value(state).is_true());
                    flow.next.extend(out);
                    let round = self.sequence(body, inside)?;
                    flow.next.extend(round.breaks);
                    flow.returns.extend(round.returns);
                    new = round.next;
                    new.extend(round.continues);
                    new.retain(|state| !seen.contains(state));
                }
            }
            Statement::Break => flow.breaks = states,
            Statement::Continue => flow.continues = states,
            Statement::Return => flow.returns = states,
        }
        Ok(flow)
    }

    /// Whether nothing is violated; nothing if there is too much to look at.
    fn is_safe(&self) -> Option<bool> {
        let mut first = vec![Vec::new()];
        for sort in &self.sorts {
            // Integers are assigned before anything else.
            let values = sort.values(0, 0);
            if first.len() * values.len() > MOST_STATES {
                return None;
            }
            first = extended(&first, &values);
        }
        match self.sequence(&self.body, first.into_iter().collect()) {
            Ok(_) => Some(true),
            Err(Stop::Violated) => Some(false),
            Err(Stop::TooMuch) => None,
        }
    }

    fn text(&self) -> String {
        let names = self.names();
        let mut text = String::new();
        let variables = || names.iter().zip(&self.sorts);
        for (name, sort) in variables().take(self.globals) {
            let _ = writeln!(text, "(declare-var {name} {})", sort.text());
        }
        if let Some((sort, body)) = &self.helper {
            let of = sort.text();
            let _ = writeln!(
                text,
                "(define-proc helper ((p {of})) ((r {of})) ()\n  (assign (r {})))",
                body.text(&["p".into()])
            );
        }
        text += "(define-proc main () () (";
        for (name, sort) in variables().skip(self.globals) {
            let _ = write!(text, "({name} {})", sort.text());
        }
        text += ")\n";
        let mut writer = Writer {
            program: self,
            names: &names,
            checks: 0,
        };
        text += &writer.sequence(&self.body, 1);
        text += ")\n(verify-call main ())\n";
        text
    }
}

struct Writer<'a> {
    program: &'a Program,
    names: &'a [String],
    checks: u32,
}

impl Writer<'_> {
    fn sequence(&mut self, body: &[Statement], depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let mut text = format!("{indent}(sequence");
        for statement in body {
            text.push('\n');
            text += &self.statement(statement, depth + 1);
        }
        text + ")"
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let names = self.names;
        match statement {
            Statement::Assign(pairs) => {
                let mut text = format!("{indent}(assign");
                for (variable, term) in pairs {
                    let _ = write!(text, " ({} {})", names[*variable], term.text(names));
                }
                text + ")"
            }
            Statement::Havoc(variable, low, high) => {
                let name = &names[*variable];
                let mut text = format!("{indent}(havoc {name})");
                if self.program.sorts[*variable] == Sort::Int {
                    let low = Term::number(Sort::Int, *low).text(names);
                    let _ = write!(text, "\n{indent}(assume (<= {low} {name} {high}))");
                }
                text
            }
            Statement::Assume(term) => format!("{indent}(assume {})", term.text(names)),
            Statement::If(condition, then, otherwise) => {
                let condition = condition.text(names);
                let mut text = format!("{indent}(if {condition}\n");
                text += &self.sequence(then, depth + 1);
                if let Some(otherwise) = otherwise {
                    text.push('\n');
                    text += &self.sequence(otherwise, depth + 1);
                }
                text + ")"
            }
            Statement::While(condition, body) => {
                let condition = condition.text(names);
                format!(
                    "{indent}(while {condition}\n{})",
                    self.sequence(body, depth + 1)
                )
            }
            Statement::Choice(ways) => {
                let ways: Vec<String> = ways
                    .iter()
                    .map(|way| self.sequence(way, depth + 1))
                    .collect();
                format!("{indent}(choice (\n{}))", ways.join("\n"))
            }
            Statement::Break => format!("{indent}(break)"),
            Statement::Continue => format!("{indent}(continue)"),
            Statement::Return => format!("{indent}(return)"),
            Statement::Check(term) => {
                self.checks += 1;
                let tag = self.checks;
                format!(
                    "{indent}(! (sequence) :tag t{tag} :check-true {})",
                    term.text(names)
                )
            }
            Statement::Call(argument, result) => {
                format!(
                    "{indent}(call helper ({}) ({}))",
                    argument.text(names),
                    names[*result]
                )
            }
        }
    }
}

struct Generator<'a> {
    chance: &'a mut Chance,
    sorts: Vec<Sort>,
    helper: Option<(Sort, Term)>,
}

impl Generator<'_> {
    fn variable(&mut self) -> usize {
        self.chance.below(self.sorts.len())
    }

    fn truth(&mut self, depth: u32) -> Term {
        term(self.chance, &Sort::Bool, depth, &self.sorts)
    }

    /// A term that keeps integers small.
    fn value(&mut self, sort: &Sort) -> Term {
        let depth = self.chance.between(1, 2);
        let value = term(self.chance, sort, depth, &self.sorts);
        match sort {
            Sort::Int => small(self.chance, value),
            Sort::Array(_, element) if **element == Sort::Int => {
                let Sort::Array(index, _) = sort else {
                    return value;
                };
                // One element, so that all of them stay small.
                let variables: Vec<usize> = (0..self.sorts.len())
                    .filter(|at| self.sorts[*at] == *sort)
                    .collect();
                let Some(array) = self.chance.maybe(&variables) else {
                    return value;
                };
                let at = term(self.chance, index, 1, &self.sorts);
                let element = self.value(&Sort::Int);
                let array = Term::variable(sort.clone(), array);
                Term::apply(sort.clone(), "store", vec![array, at, element])
            }
            _ => value,
        }
    }

    fn assign(&mut self) -> Statement {
        let mut variables: Vec<usize> = (0..self.sorts.len()).collect();
        self.chance.shuffle(&mut variables);
        variables.truncate(self.chance.pick(&[1, 1, 1, 2]));
        let pairs = variables
            .into_iter()
            .map(|variable| (variable, self.value(&self.sorts[variable].clone())))
            .collect();
        Statement::Assign(pairs)
    }

    fn body(&mut self, depth: u32, in_loop: bool) -> Vec<Statement> {
        (0..self.chance.between(1, 3))
            .map(|_| self.statement(depth, in_loop))
            .collect()
    }

    fn statement(&mut self, depth: u32, in_loop: bool) -> Statement {
        match self.chance.below(24) {
            0 | 1 => {
                let variable = self.variable();
                if matches!(&self.sorts[variable], Sort::Array(_, e) if **e == Sort::Int) {
                    return self.assign();
                }
                let low = i64::from(self.chance.between(0, 1)) - 1;
                Statement::Havoc(variable, low, i64::from(self.chance.between(1, 3)))
            }
            2 => Statement::Assume(self.truth(2)),
            3..6 if depth > 0 => {
                let then = self.body(depth - 1, in_loop);
                let otherwise = self
                    .chance
                    .percent(50)
                    .then(|| self.body(depth - 1, in_loop));
                Statement::If(self.truth(2), then, otherwise)
            }
            6..10 if depth > 0 => {
                let condition = match self.chance.percent(15) {
                    true => Term::number(Sort::Bool, 1),
                    false => self.truth(2),
                };
                Statement::While(condition, self.body(depth - 1, true))
            }
            10 | 11 if depth > 0 => {
                let ways = (0..self.chance.between(1, 3))
                    .map(|_| self.body(depth - 1, in_loop))
                    .collect();
                Statement::Choice(ways)
            }
            12 | 13 if in_loop => {
                let way =
                    self.chance
                        .pick(&[Statement::Break, Statement::Break, Statement::Continue]);
                Statement::If(self.truth(2), vec![way], None)
            }
            14 if depth < 2 => Statement::If(self.truth(1), vec![Statement::Return], None),
            15 | 16 => match self.helper.clone() {
                Some((sort, _)) => {
                    let results: Vec<usize> = (0..self.sorts.len())
                        .filter(|index| self.sorts[*index] == sort)
                        .collect();
                    match self.chance.maybe(&results) {
                        Some(result) => {
                            Statement::Call(term(self.chance, &sort, 1, &self.sorts), result)
                        }
                        None => self.assign(),
                    }
                }
                None => self.assign(),
            },
            _ => self.assign(),
        }
    }
}

/// The value of an integer within few others.
fn small(chance: &mut Chance, value: Term) -> Term {
    if matches!(value.kind, TermKind::Number(_) | TermKind::Variable(_)) {
        return value;
    }
    let size = Term::number(Sort::Int, i64::from(chance.between(3, 6)));
    Term::apply(Sort::Int, "mod", vec![value, size])
}

fn program(chance: &mut Chance) -> Program {
    let sorts: Vec<Sort> = (0..chance.between(2, 4))
        .map(|_| sort(chance, true))
        .collect();
    let helper = chance.percent(25).then(|| {
        let sort = chance.pick(&sorts);
        let value = term(chance, &sort, 2, std::slice::from_ref(&sort));
        let value = match sort {
            Sort::Int => small(chance, value),
            // Elements that are computed could grow.
            Sort::Array(_, ref element) if **element == Sort::Int => {
                Term::variable(sort.clone(), 0)
            }
            _ => value,
        };
        (sort, value)
    });
    let globals = chance.below(sorts.len());
    let first: Vec<(usize, Term)> = sorts
        .iter()
        .enumerate()
        .filter_map(|(index, sort)| match sort {
            Sort::Int => Some((index, Term::number(Sort::Int, 0))),
            Sort::Array(_, element) if **element == Sort::Int => {
                let zero = Box::new(Term::number(Sort::Int, 0));
                let value = Term {
                    sort: sort.clone(),
                    kind: TermKind::Constant(zero),
                };
                Some((index, value))
            }
            _ => None,
        })
        .collect();
    let mut body = match first.is_empty() {
        true => Vec::new(),
        false => vec![Statement::Assign(first)],
    };
    let mut generator = Generator {
        chance,
        sorts,
        helper,
    };
    for _ in 0..generator.chance.between(2, 5) {
        body.push(generator.statement(2, false));
    }
    body.push(Statement::Check(generator.truth(3)));
    Program {
        sorts: generator.sorts,
        globals,
        body,
        helper: generator.helper,
    }
}

/// A random program.
pub(super) fn model(chance: &mut Chance) -> Option<Model> {
    let program = program(chance);
    let is_safe = program.is_safe()?;
    let without = |with: Statement| {
        let mut other = program.clone();
        other.body.pop();
        other.body.push(with);
        other.is_safe()
    };
    // Dull: nothing reaches the end, or what is checked is true of all states.
    let never = Statement::Check(Term::number(Sort::Bool, 0));
    let is_dull = match (is_safe, program.body.last()) {
        (true, Some(Statement::Check(term))) => {
            without(never) == Some(true) || program.is_always(term)
        }
        (false, Some(Statement::Check(term))) => {
            program.body.len() < 3 || {
                let opposite = Term::apply(Sort::Bool, "not", vec![term.clone()]);
                without(Statement::Check(opposite)) == Some(true)
            }
        }
        _ => true,
    };
    Some(Model {
        text: program.text(),
        is_safe,
        is_dull,
    })
}

impl Program {
    /// Whether a term is true of all values of the variables.
    fn is_always(&self, term: &Term) -> bool {
        let mut all = vec![Vec::new()];
        for sort in &self.sorts {
            let values = match sort {
                Sort::Array(_, element) if **element == Sort::Int => sort.values(0, 1),
                sort => sort.values(-1, 5),
            };
            if all.len() * values.len() > 20_000 {
                return false;
            }
            all = extended(&all, &values);
        }
        all.iter().all(|state| term.value(state).is_true())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(number: i64) -> Term {
        Term::number(Sort::Int, number)
    }

    fn of(name: &'static str, a: Term, b: Term) -> Term {
        Term::apply(Sort::Bool, name, vec![a, b])
    }

    fn program(sorts: Vec<Sort>, body: Vec<Statement>) -> Program {
        Program {
            sorts,
            globals: 0,
            body,
            helper: None,
        }
    }

    #[test]
    fn loops_end_where_their_condition_does() {
        let x = || Term::variable(Sort::Int, 0);
        let body = |checked| {
            vec![
                Statement::Assign(vec![(0, int(0))]),
                Statement::While(
                    of("<", x(), int(4)),
                    vec![Statement::Assign(vec![(
                        0,
                        Term::apply(Sort::Int, "+", vec![x(), int(1)]),
                    )])],
                ),
                Statement::Check(checked),
            ]
        };
        let safe = program(vec![Sort::Int], body(of("=", x(), int(4))));
        assert_eq!(safe.is_safe(), Some(true));
        let not = program(vec![Sort::Int], body(of("=", x(), int(3))));
        assert_eq!(not.is_safe(), Some(false));
        assert!(not.text().contains("(while (< x0 4)"));
    }

    #[test]
    fn a_loop_without_end_reaches_nothing() {
        let yes = Term::number(Sort::Bool, 1);
        let no = Term::number(Sort::Bool, 0);
        let body = vec![
            Statement::While(yes.clone(), vec![Statement::Havoc(0, 0, 0)]),
            Statement::Check(no.clone()),
        ];
        assert_eq!(program(vec![Sort::Bool], body).is_safe(), Some(true));
        let leaves = Statement::If(Term::variable(Sort::Bool, 0), vec![Statement::Break], None);
        let body = vec![
            Statement::While(yes, vec![Statement::Havoc(0, 0, 0), leaves]),
            Statement::Check(no),
        ];
        assert_eq!(program(vec![Sort::Bool], body).is_safe(), Some(false));
    }

    #[test]
    fn assignments_are_parallel_and_first_values_any() {
        let [a, b] = [0, 1].map(|index| Term::variable(Sort::Bool, index));
        let swap = Statement::Assign(vec![(0, b.clone()), (1, a.clone())]);
        let checked = |left: Term| {
            vec![
                Statement::Assume(a.clone()),
                swap.clone(),
                Statement::Check(left),
            ]
        };
        let two = || vec![Sort::Bool, Sort::Bool];
        assert_eq!(program(two(), checked(b.clone())).is_safe(), Some(true));
        assert_eq!(program(two(), checked(a.clone())).is_safe(), Some(false));
    }

    #[test]
    fn who_returns_is_not_checked() {
        let a = Term::variable(Sort::Bool, 0);
        let body = vec![
            Statement::If(a.clone(), vec![Statement::Return], None),
            Statement::Check(of("=", a, Term::number(Sort::Bool, 0))),
        ];
        assert_eq!(program(vec![Sort::Bool], body).is_safe(), Some(true));
    }
}
