//! Lines that Boogie's preprocessor has a say in: `#if NAME`, `#elsif`, `#else`, `#endif`, with `!` before a name for its
//! absence.
//!
//! What is not chosen becomes spaces, as do the directives, so that all places stay what they are.

use std::borrow::Cow;

/// One `#if` that is open.
struct Open {
    /// What is around it is chosen.
    outer: bool,
    /// The part that the walk is in is chosen.
    here: bool,
    /// One of its parts was chosen.
    done: bool,
    /// There was an `#else`.
    last: bool,
}

/// The text with what is chosen where these names are defined. A text whose directives do not fit together stays as it is.
pub fn chosen<'t>(text: &'t str, is_defined: &dyn Fn(&str) -> bool) -> Cow<'t, str> {
    if !text
        .lines()
        .any(|line| line.trim_start().starts_with("#if"))
    {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_chosen = open.last().is_none_or(|open| open.here);
        let holds = |condition: &str| {
            let name = condition.trim_start_matches(|c: char| c == '!' || c.is_whitespace());
            let negations = condition.len() - condition.trim_start_matches('!').len();
            is_defined(name) != (negations % 2 == 1)
        };
        let words = line.trim();
        let is_directive = if let Some(condition) = words.strip_prefix("#if") {
            let here = is_chosen && holds(condition.trim());
            open.push(Open {
                outer: is_chosen,
                here,
                done: here,
                last: false,
            });
            true
        } else if let Some(condition) = words.strip_prefix("#elsif") {
            let Some(open) = open.last_mut().filter(|open| !open.last) else {
                return Cow::Borrowed(text);
            };
            open.here = open.outer && !open.done && holds(condition.trim());
            open.done |= open.here;
            true
        } else if words == "#else" {
            let Some(open) = open.last_mut().filter(|open| !open.last) else {
                return Cow::Borrowed(text);
            };
            open.here = open.outer && !open.done;
            open.last = true;
            true
        } else if words == "#endif" {
            if open.pop().is_none() {
                return Cow::Borrowed(text);
            }
            true
        } else {
            false
        };
        if is_chosen && !is_directive {
            result.push_str(line);
        } else {
            // As many bytes, and the same lines.
            result.extend(line.chars().flat_map(|c| match c {
                '\n' | '\r' => vec![c],
                _ => vec![' '; c.len_utf8()],
            }));
        }
    }
    match open.is_empty() {
        true => Cow::Owned(result),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let chosen = chosen(text, &|name| name == "A" || name == "B");
        assert_eq!(chosen.len(), text.len());
        assert_eq!(chosen.lines().count(), text.lines().count());
        chosen.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn parts_are_chosen_by_names() {
        let text = "x\n#if A\n1 ü\n#elsif B\n2\n#else\n3\n#endif\n  #if C\r\n4\n#elsif !!B\n5\n#else\n6\n#endif\ny";
        assert_eq!(words(text), ["x", "1", "ü", "5", "y"]);
        assert_eq!(words("#if !A\n1\n#else\n2\n#endif"), ["2"]);
        // Inside of what is not chosen nothing is.
        let nested = "#if C\n#if A\n1\n#else\n2\n#endif\n3\n#else\n#if A\n4\n#endif\n5\n#endif\n";
        assert_eq!(words(nested), ["4", "5"]);
    }

    #[test]
    fn the_places_of_what_is_chosen_stay() {
        let text = "#if C\nproß\n#endif\nhere";
        let chosen = chosen(text, &|_| false);
        assert_eq!(chosen.find("here"), text.find("here"));
    }

    #[test]
    fn directives_that_do_not_fit_are_left_to_the_parser() {
        for text in [
            "#if A\nx",
            "x\n#if A\n#else\n#else\n#endif",
            "#if A\n#endif\n#endif",
            "#if A\n#else\n#elsif B\n#endif",
        ] {
            assert_eq!(chosen(text, &|_| true), text);
        }
    }
}
