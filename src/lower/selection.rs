//! Which procedures are entries, by patterns of their names.

/// A choice of procedures by their names.
///
/// A pattern is a name in which `*` stands for any text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Some pattern has to fit; none is needed if there are none.
    pub only: Vec<String>,
    /// No pattern may fit.
    pub except: Vec<String>,
}

impl Selection {
    /// Whether the name is chosen.
    pub fn has(&self, name: &str) -> bool {
        let fits = |pattern: &String| fits(pattern, name);
        (self.only.is_empty() || self.only.iter().any(fits)) && !self.except.iter().any(fits)
    }
}

/// Whether a name fits a pattern.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    // The earliest place for each part leaves the most for the others.
    for part in parts {
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name, expected) in [
            ("", "", true),
            ("f", "f", true),
            ("f", "ff", false),
            ("*", "anything", true),
            ("f*", "f", true),
            ("f*", "gf", false),
            ("*f", "gf", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("ab*ba", "aba", false),
            ("**", "x", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn exceptions_win() {
        let selection = Selection {
            only: vec!["f*".into(), "g".into()],
            except: vec!["*x".into()],
        };
        let chosen = ["f", "fx", "g", "h"].map(|name| selection.has(name));
        assert_eq!(chosen, [true, false, true, false]);
        assert!(Selection::default().has("anything"));
    }
}
