//! `--property`: what must not happen in a C program, by name or as a property file of SV-COMP.

use ult_c::Properties;

/// What one `--property` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted(Vec<Property>);

/// One thing that must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Property {
    /// One of [`NAMES`].
    Named(&'static Name),
    /// A label.
    Label(String),
    /// A function that acquires its first argument, and one that releases it.
    Locks(String, String),
}

/// A property that has a name.
#[derive(Debug)]
struct Name {
    name: &'static str,
    meaning: &'static str,
    ask: fn(&mut Properties),
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.name == other.name
    }
}

impl Eq for Name {}

/// Labels that stand for errors, where none is named.
const ERROR_LABELS: [&str; 2] = ["ERROR", "error"];

const NAMES: &[Name] = &[
    Name {
        name: "unreach-call",
        meaning: "no call of `reach_error` or `__VERIFIER_error`; without those functions, no failing `assert`",
        ask: |p| p.error_calls = true,
    },
    Name {
        name: "assertions",
        meaning: "no failing `assert`, no failing assertion in a comment",
        ask: |p| p.assertions = true,
    },
    Name {
        name: "unreach-label",
        meaning: "the labels `ERROR` and `error` are not reached; `unreach-label:NAME` for another one",
        ask: |p| p.labels.extend(ERROR_LABELS.map(String::from)),
    },
    Name {
        name: "no-overflow",
        meaning: "no overflow of signed integers",
        ask: |p| p.overflow = true,
    },
    Name {
        name: "valid-memsafety",
        meaning: "`valid-deref`, `valid-free` and `valid-memtrack`",
        ask: |p| (p.dereference, p.free, p.track) = (true, true, true),
    },
    Name {
        name: "valid-deref",
        meaning: "no access outside of a live object",
        ask: |p| p.dereference = true,
    },
    Name {
        name: "valid-free",
        meaning: "no `free` of what cannot be freed",
        ask: |p| p.free = true,
    },
    Name {
        name: "valid-memtrack",
        meaning: "what was allocated is freed at the end, or can still be reached",
        ask: |p| p.track = true,
    },
    Name {
        name: "valid-memcleanup",
        meaning: "what was allocated is freed at the end",
        ask: |p| p.cleanup = true,
    },
    Name {
        name: "division-by-zero",
        meaning: "no division by zero",
        ask: |p| p.division = true,
    },
    Name {
        name: "shift-range",
        meaning: "no shift by a negative number, or by the width or more",
        ask: |p| p.shift = true,
    },
    Name {
        name: "array-bounds",
        meaning: "no access outside of its array, also where the object goes on there, and `valid-deref`",
        ask: |p| (p.bounds, p.dereference) = (true, true),
    },
    Name {
        name: "null-dereference",
        meaning: "as `valid-deref`",
        ask: |p| p.dereference = true,
    },
    Name {
        name: "uninitialised",
        meaning: "no read of a variable that was not written",
        ask: |p| p.uninitialised = true,
    },
    Name {
        name: "evaluation-order",
        meaning: "no operand changes what another one uses, where C gives them no order",
        ask: |p| p.order = true,
    },
    Name {
        name: "valid-format",
        meaning: "the arguments of `printf` and `scanf` fit a format that is a literal",
        ask: |p| p.format = true,
    },
    Name {
        name: "float-conversion",
        meaning: "no floating-point number is too large for the integer type that it is converted to",
        ask: |p| p.conversion = true,
    },
    Name {
        name: "pointer-difference",
        meaning: "no difference of pointers into different objects",
        ask: |p| p.difference = true,
    },
    Name {
        name: "overlap",
        meaning: "no copy between objects that overlap, but for `memmove` and copies to the same place",
        ask: |p| p.overlap = true,
    },
    Name {
        name: "undefined",
        meaning: "all of these but `unreach-call`, `assertions`, `unreach-label`, `valid-memtrack`, `valid-memcleanup` and `locks`",
        ask: |p| *p = p.or(&Properties::undefined()),
    },
    Name {
        name: "locks",
        meaning: "functions that are annotated with `acquires` are only called with locks that are not held, those with `releases` with locks that are; `locks:NAME/NAME` for two functions without annotations",
        ask: |p| p.locks = Some(p.locks.take().unwrap_or_default()),
    },
];

/// Formulas of property files, without blanks, and the names they stand for.
const FORMULAS: [(&str, &str); 12] = [
    ("G!call(reach_error())", "unreach-call"),
    ("G!call(__VERIFIER_error())", "unreach-call"),
    ("G!call(__assert_fail())", "assertions"),
    ("Gassert", "assertions"),
    ("G!label(ERROR)", "unreach-label"),
    ("G!label(error)", "unreach-label"),
    ("G!overflow", "no-overflow"),
    ("Gvalid-deref", "valid-deref"),
    ("Gvalid-free", "valid-free"),
    ("Gvalid-memtrack", "valid-memtrack"),
    ("Gvalid-memcleanup", "valid-memcleanup"),
    ("Gno-overflow", "no-overflow"),
];

/// Reads the value of `--property`: a name, or a file that ends in `.prp`.
///
/// # Errors
/// In words, for clap.
pub(crate) fn read(value: &str) -> Result<Wanted, String> {
    if value.ends_with(".prp") {
        let text =
            std::fs::read_to_string(value).map_err(|error| format!("cannot read it: {error}"))?;
        return file(&text);
    }
    if let Some(label) = value.strip_prefix("unreach-label:") {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if label.is_empty() || !label.chars().all(is_name) {
            return Err(format!("`{label}` is no label"));
        }
        return Ok(Wanted(vec![Property::Label(label.to_owned())]));
    }
    if let Some(names) = value.strip_prefix("locks:") {
        let is_name = |name: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            !name.is_empty() && name.chars().all(is_part)
        };
        return match names.split_once('/') {
            Some((acquire, release))
                if is_name(acquire) && is_name(release) && acquire != release =>
            {
                let property = Property::Locks(acquire.to_owned(), release.to_owned());
                Ok(Wanted(vec![property]))
            }
            _ => Err(format!(
                "`{names}` is not the names of two functions, with / between them"
            )),
        };
    }
    named(value)
        .map(|property| Wanted(vec![property]))
        .ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|name| name.name).collect();
            format!(
                "unknown property; there are {}, and files that end in .prp",
                names.join(", ")
            )
        })
}

fn named(name: &str) -> Option<Property> {
    // What the benchmark lists call it.
    let name = if name == "acsl-assert" {
        "assertions"
    } else {
        name
    };
    NAMES
        .iter()
        .find(|known| known.name == name)
        .map(Property::Named)
}

/// A property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, each on its line.
fn file(text: &str) -> Result<Wanted, String> {
    let mut wanted = Vec::new();
    for line in text.lines() {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
            continue;
        }
        let formula = line
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| format!("not a property that is known: `{line}`"))?;
        let known = FORMULAS.iter().find(|(known, _)| *known == formula);
        let property = known.and_then(|(_, name)| named(name));
        let label = formula
            .strip_prefix("G!label(")
            .and_then(|rest| rest.strip_suffix(')'));
        wanted.push(match (property, label) {
            (Some(property), _) => property,
            (None, Some(label)) => Property::Label(label.to_owned()),
            (None, None) => return Err(format!("not a property that is covered: `{formula}`")),
        });
    }
    if wanted.is_empty() {
        return Err("it asks for nothing".into());
    }
    Ok(Wanted(wanted))
}

/// What all `--property` together ask for.
pub(crate) fn together(wanted: &[Wanted]) -> Properties {
    if wanted.is_empty() {
        return Properties::default();
    }
    let mut properties = Properties::none();
    for property in wanted.iter().flat_map(|wanted| &wanted.0) {
        match property {
            Property::Named(name) => (name.ask)(&mut properties),
            Property::Label(label) => properties.labels.push(label.clone()),
            Property::Locks(acquire, release) => {
                let locks = properties.locks.get_or_insert_default();
                locks.acquire.insert(acquire.clone());
                locks.release.insert(release.clone());
            }
        }
    }
    properties.labels.sort();
    properties.labels.dedup();
    properties
}

/// What the properties are in a property file, in one line.
pub(crate) fn specification(properties: &Properties) -> String {
    let labels = properties
        .labels
        .iter()
        .map(|label| format!("G ! label({label})"));
    let formulas: Vec<String> = [
        (
            properties.error_calls || properties.assertions,
            "G ! call(reach_error())",
        ),
        (properties.overflow, "G ! overflow"),
        (properties.dereference, "G valid-deref"),
        (properties.free, "G valid-free"),
        (properties.track, "G valid-memtrack"),
        (properties.cleanup, "G valid-memcleanup"),
    ]
    .into_iter()
    .filter(|(wanted, _)| *wanted)
    .map(|(_, formula)| formula.to_owned())
    .chain(labels)
    .map(|formula| format!("CHECK( init(main()), LTL({formula}) )"))
    .collect();
    formulas.join(" ")
}

/// The help of `--property`.
pub(crate) fn help() -> String {
    let mut text = String::from(
        "What must not happen; may be repeated. Without it: no assertion fails, and no behavior is undefined (`unreach-call`, `assertions` and `undefined`)\n\nProperties:\n",
    );
    for Name { name, meaning, .. } in NAMES {
        text += &format!("- {:<17} {meaning}\n", format!("{name}:"));
    }
    text + "- FILE.prp:         a property file of SV-COMP"
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_c::undefined::Undefined;

    #[test]
    fn names_and_formulas_are_read() {
        let all = |values: &[&str]| {
            let wanted: Vec<Wanted> = values.iter().map(|value| read(value).unwrap()).collect();
            together(&wanted)
        };
        assert_eq!(all(&[]), Properties::default());
        let locks = all(&["locks", "locks:take/give", "locks:enter/leave"]).locks;
        let locks = locks.expect("locks are asked for");
        assert!(locks.acquire.iter().eq(["enter", "take"]));
        assert!(locks.release.iter().eq(["give", "leave"]));
        for wrong in [
            "locks:take",
            "locks:take/take",
            "locks:/give",
            "locks:a/b/c",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let labels = all(&["unreach-label", "unreach-label:BAD", "no-overflow"]);
        assert_eq!(labels.labels, ["BAD", "ERROR", "error"]);
        assert!(labels.overflow && !labels.assertions && !labels.error_calls);
        for wrong in [
            "termination",
            "",
            "unreach-label:",
            "unreach-label:a b",
            "no.prp",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn property_files_are_read() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\nCHECK( init(main()), LTL(G valid-deref) )\n// more\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )";
        let named = together(&[read("valid-memsafety").unwrap()]);
        assert_eq!(together(&[file(memory).unwrap()]), named);
        let label = file("CHECK( init(main()), LTL(G ! label(L3)) )").unwrap();
        assert_eq!(together(&[label]).labels, ["L3"]);
        for wrong in [
            "",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(start()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(G ! call(f())) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            assert!(file(wrong).is_err(), "{wrong}");
        }
    }

    /// What an assumption says about a property is true.
    #[test]
    fn what_is_undefined_is_checked_by_its_property() {
        for what in Undefined::ALL {
            if let Some(name) = what.property() {
                let asked = together(&[read(name).unwrap()]);
                assert!(asked.checks(what), "{name}");
            }
        }
    }

    #[test]
    fn every_formula_has_a_name() {
        for (formula, name) in FORMULAS {
            assert!(named(name).is_some(), "{formula}");
        }
    }
}
