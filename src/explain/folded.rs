//! Calls of the C library in traces: people know what `strcpy` does, and see what it changes where they call it.

use super::names;
use super::run_step::RunStep;
use super::source::Source;
use super::translated::{is_call, is_word};

/// Functions that write text, by the ends of their names.
const WRITERS: [&str; 8] = [
    "strcpy", "strncpy", "strcat", "strncat", "gets", "scanf", "printf", "getline",
];

/// Makes what happens inside of functions of the library a part of the user's step that calls them. What is violated there stays.
pub(crate) fn fold(steps: &mut [RunStep], source: &Source) {
    let mut call: Option<usize> = None;
    for number in 0..steps.len() {
        let (before, rest) = steps.split_at_mut(number);
        let Some(step) = rest.first_mut() else {
            return;
        };
        let caller = call.and_then(|call| before.get_mut(call));
        let is_inside = source.is_in_c_library(step.span);
        step.changes.retain(|(name, _)| !names::is_inside(name));
        match caller {
            Some(caller) if !step.violation && (is_inside || is_same_call(caller, step)) => {
                let is_news = !step.changes.is_empty() || !is_inside && !step.minor;
                step.minor = true;
                caller.minor &= !is_news;
                for (name, value) in &step.changes {
                    caller.changes.retain(|(known, _)| known != name);
                    caller.changes.push((name.clone(), value.clone()));
                }
                if is_call(&caller.statement) {
                    summarize(caller);
                }
            }
            _ if is_inside => step.minor |= !step.violation,
            _ => call = Some(number),
        }
    }
    for step in steps {
        step.changes = texts(&step.statement, std::mem::take(&mut step.changes));
    }
}

/// Whether a step is another part of the same call.
fn is_same_call(caller: &RunStep, step: &RunStep) -> bool {
    is_call(&caller.statement)
        && (caller.span, caller.depth) == (step.span, step.depth)
        && caller.procedure == step.procedure
}

/// What is to be said of a call besides what it changes: that the model of the library chooses something there is no news.
fn summarize(call: &mut RunStep) {
    let reads_nothing = called(&call.statement).is_some_and(|name| name.ends_with("scanf"));
    call.remark = (reads_nothing && call.changes.is_empty()).then(|| "reads nothing".to_owned());
}

/// The function that a statement calls, if it is a call.
fn called(statement: &str) -> Option<&str> {
    let name = statement.split(|c| !is_word(c)).next()?;
    is_call(statement).then_some(name)
}

/// The changes, with the characters of a text as one: `name = "hello"`.
fn texts(statement: &str, changes: Vec<(String, String)>) -> Vec<(String, String)> {
    let writes = called(statement).is_some_and(|name| WRITERS.iter().any(|w| name.ends_with(w)));
    if !writes {
        return changes;
    }
    let mut told: Vec<(String, String)> = Vec::new();
    let mut changes = changes.into_iter().peekable();
    while let Some((name, value)) = changes.next() {
        let Some((array, 0)) = part(&name) else {
            told.push((name, value));
            continue;
        };
        let mut values = vec![value];
        while let Some((_, value)) =
            changes.next_if(|(next, _)| part(next) == Some((array, values.len())))
        {
            values.push(value);
        }
        match text(&values) {
            Some(text) => told.push((array.to_owned(), text)),
            None => {
                let elements = values.into_iter().enumerate();
                told.extend(elements.map(|(at, value)| (format!("{array}[{at}]"), value)));
            }
        }
    }
    told
}

/// The array and the index that `name[3]` means.
fn part(name: &str) -> Option<(&str, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

/// A string with its quotes, if these are the codes of its characters. Its end may be there already.
fn text(codes: &[String]) -> Option<String> {
    let codes = match codes {
        [text @ .., end] if end == "0" => text,
        text => text,
    };
    let mut text = String::from("\"");
    for code in codes {
        let byte: u8 = code.parse().ok()?;
        let is_plain = matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        is_plain.then(|| text.extend(std::ascii::escape_default(byte).map(char::from)))?;
    }
    text.push('"');
    (!codes.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(statement: &str, changes: &[(&str, &str)]) -> String {
        let owned = changes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let told = texts(statement, owned.collect());
        let told: Vec<String> = told.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        told.join(", ")
    }

    #[test]
    fn characters_become_a_text() {
        let hi = [("s[0]", "104"), ("s[1]", "34"), ("s[2]", "0")];
        assert_eq!(told("strcpy(s, t)", &hi), r#"s = "h\"""#);
        assert_eq!(told("strcpy(s, t)", &hi[..2]), r#"s = "h\"""#);
        assert_eq!(told("strcat(s, t)", &hi[1..]), "s[1] = 34, s[2] = 0");
        assert_eq!(told("fill(s)", &hi[..1]), "s[0] = 104");
        assert_eq!(
            told("gets(s)", &[("s[0]", "7"), ("n", "1")]),
            "s[0] = 7, n = 1"
        );
    }
}
