//! Pointers in traces of translated programs, as C would say them.
//!
//! A pointer is an object and an offset: two variables, with numbers that mean nothing to people. Here they become `NULL`, the
//! object's name where the trace says it (`p = &tab[3]`, `malloc at line 12`), and `object 5` else.

use std::collections::BTreeMap;

use super::run_step::RunStep;
use super::source::Source;
use super::translated::{is_call, is_word, is_zero, number};

/// What makes an object.
const ALLOCATORS: [&str; 8] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "alloca",
    "strdup",
    "strndup",
    "fopen",
];

/// Tells the pointers among what steps change.
pub(crate) fn tell(steps: &mut [RunStep], source: &Source) {
    let mut objects = Objects::default();
    let mut before = String::new();
    for (number, step) in steps.iter_mut().enumerate() {
        let line = source.start(step.span).line;
        // Parameters have the values of arguments; what is read before it is written has its value from nowhere.
        let is_call = *step.statement == *step.procedure;
        let made_by: Vec<&str> = match is_call {
            true => arguments(&before, &step.procedure),
            false if number == 0 => Vec::new(),
            false => vec![&step.statement],
        };
        let mut told = Vec::new();
        let mut rest = std::mem::take(&mut step.changes).into_iter().peekable();
        while let Some((name, value)) = rest.next() {
            let stem = name.strip_suffix(".base");
            let offset = stem.and_then(|stem| {
                rest.next_if(|(other, _)| other.strip_suffix(".offset") == Some(stem))
            });
            match (stem, offset) {
                // What a declaration leaves there is no pointer.
                (Some(stem), Some(_)) if step.statement == stem && step.input.is_none() => {}
                (Some(stem), Some((_, offset))) => {
                    let made = made_by.get(if is_call { told.len() } else { 0 });
                    let made = made.map(|expression| (*expression, line));
                    told.push((stem.to_owned(), objects.pointer(made, &value, &offset)));
                }
                _ => told.push((name, value)),
            }
        }
        let had_some = !told.is_empty();
        step.changes = told;
        step.minor |= number > 0 && !had_some && is_declaration(step);
        if !step.minor {
            before.clone_from(&step.statement);
        }
    }
}

/// The arguments of a call in a statement; none if that is not the call, or it is not plain what they are.
fn arguments<'s>(statement: &'s str, function: &str) -> Vec<&'s str> {
    let call = statement.find(&format!("{function}("));
    let Some(inside) = call.map(|at| &statement[at + function.len() + 1..]) else {
        return Vec::new();
    };
    let (mut arguments, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (at, c) in inside.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => return Vec::new(),
            '(' | '[' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => {
                arguments.push(inside[start..at].trim());
                return arguments;
            }
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                arguments.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    Vec::new()
}

/// Whether all that is left of a step is the name of a variable.
fn is_declaration(step: &RunStep) -> bool {
    step.remark.is_none()
        && step.input.is_none()
        && step.statement.chars().all(is_word)
        && !step.violation
        && step.left_out == 0
}

/// What is known of objects, by their numbers.
#[derive(Default)]
struct Objects(BTreeMap<String, String>);

impl Objects {
    /// A pointer, and the statement or argument that makes it, if that is known, with its line.
    fn pointer(&mut self, made: Option<(&str, u32)>, base: &str, offset: &str) -> String {
        if is_zero(base) && is_zero(offset) {
            return "NULL".into();
        }
        if let Some((statement, line)) = made {
            let value = statement
                .split_once('=')
                .map_or(statement, |(_, value)| value);
            let value = value.trim();
            if !self.0.contains_key(base) {
                let name = allocator(value).map(|function| format!("{function} at line {line}"));
                let name = name.or_else(|| variable(value));
                self.0
                    .extend(name.map(|name| (base.to_owned(), self.unique(name))));
            }
            // The statement says it better.
            if value.starts_with('&') && !value.contains("->") && !value.contains('*') {
                return value.to_owned();
            }
        }
        let object = match self.0.get(base) {
            Some(name) => name.clone(),
            None => format!("object {}", number(base)),
        };
        match is_zero(offset) {
            true => object,
            false => format!("{object}, byte {}", number(offset)),
        }
    }
}

impl Objects {
    /// The name, with a number if another object has it already.
    fn unique(&self, name: String) -> String {
        let is_alike = |known: &&String| {
            let rest = known.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
        };
        match self.0.values().filter(is_alike).count() {
            0 => name,
            others => format!("{name} ({})", others + 1),
        }
    }
}

/// The function that makes an object, if that is what an expression calls.
fn allocator(value: &str) -> Option<&'static str> {
    // A cast is no call.
    let call = match value.starts_with('(') {
        true => value.split_once(')')?.1.trim_start(),
        false => value,
    };
    let function = call.split_once('(')?.0.trim_end();
    let found = ALLOCATORS
        .into_iter()
        .find(|&allocator| allocator == function);
    found.filter(|_| is_call(call))
}

/// The variable that an expression is, or whose address or part's address it takes; or the string.
fn variable(value: &str) -> Option<String> {
    // A cast.
    let value = match value.starts_with('(') {
        true => value.split_once(')')?.1.trim_start(),
        false => value,
    };
    if value.starts_with('"') {
        return Some(value.to_owned());
    }
    let value = value.strip_prefix('&').unwrap_or(value);
    let name: String = value.chars().take_while(|&c| is_word(c)).collect();
    let rest = &value[name.len()..];
    let is_part = rest.is_empty()
        || rest.starts_with(" + ")
        || rest.starts_with(['[', '.']) && !rest.contains("->");
    (is_part && name.starts_with(|c: char| !c.is_ascii_digit()) && !name.is_empty()).then_some(name)
}
