//! From a file to a witness.

use yaml_rust2::parser::{Event, MarkedEventReceiver, Parser};
use yaml_rust2::scanner::Marker;
use yaml_rust2::{Yaml, YamlLoader};

use super::{Claim, Invariant, Location, Segment, Waypoint, WaypointKind, Witness};

/// Files with more entries or waypoints are no witnesses for people or tools.
const MOST: usize = 100_000;

/// Reads a witness.
///
/// # Errors
/// In words: what is no witness, or not covered.
pub fn read(text: &str) -> Result<Witness, String> {
    no_aliases(text)?;
    let documents = YamlLoader::load_from_str(text).map_err(|error| format!("no YAML: {error}"))?;
    let [document] = &documents[..] else {
        return Err("a witness is one YAML document".into());
    };
    let entries = document.as_vec().ok_or("a witness is a list of entries")?;
    let mut found = None;
    for entry in entries {
        let kind = text_of(entry, "entry_type")?;
        let claim = match kind {
            "violation_sequence" => Claim::Violation(segments(&entry["content"])?),
            "invariant_set" => Claim::Correctness(invariants(&entry["content"])?),
            other => return Err(format!("entries of the type `{other}` are not covered")),
        };
        if found.is_some() {
            return Err("more than one entry".into());
        }
        let hashes = &entry["metadata"]["task"]["input_file_hashes"];
        let hashes = hashes.as_hash().ok_or("no hashes of input files")?;
        let hashes = hashes.values().filter_map(Yaml::as_str);
        found = Some(Witness {
            hashes: hashes.map(str::to_ascii_lowercase).collect(),
            claim,
        });
    }
    found.ok_or_else(|| "no entry".into())
}

/// Aliases of aliases make a tree of gigabytes out of a few lines, and no witness needs them.
fn no_aliases(text: &str) -> Result<(), String> {
    #[derive(Default)]
    struct Seen {
        alias: bool,
        events: usize,
    }
    impl MarkedEventReceiver for Seen {
        fn on_event(&mut self, event: Event, _: Marker) {
            self.alias |= matches!(event, Event::Alias(_));
            self.events += 1;
        }
    }
    let mut seen = Seen::default();
    Parser::new_from_str(text)
        .load(&mut seen, true)
        .map_err(|error| format!("no YAML: {error}"))?;
    if seen.alias {
        return Err("aliases are not covered".into());
    }
    if seen.events > 100 * MOST {
        return Err("a file with that many parts is not a witness".into());
    }
    Ok(())
}

fn text_of<'y>(yaml: &'y Yaml, key: &str) -> Result<&'y str, String> {
    yaml[key].as_str().ok_or_else(|| format!("no `{key}`"))
}

fn list<'y>(yaml: &'y Yaml, what: &str) -> Result<&'y [Yaml], String> {
    match yaml {
        Yaml::Array(list) if list.len() <= MOST => Ok(list),
        Yaml::Null => Ok(&[]),
        _ => Err(format!("{what} is no list")),
    }
}

fn location(yaml: &Yaml) -> Result<Location, String> {
    let number = |key: &str| {
        let number = yaml["location"][key].as_i64();
        number.and_then(|number| u32::try_from(number).ok())
    };
    Ok(Location {
        line: number("line").ok_or("a location without a line")?,
        column: number("column"),
    })
}

fn segments(content: &Yaml) -> Result<Vec<Segment>, String> {
    let mut segments = Vec::new();
    let entries = list(content, "the content")?;
    for (i, entry) in entries.iter().enumerate() {
        let mut avoid = Vec::new();
        let mut follow = None;
        for waypoint in list(&entry["segment"], "a segment")? {
            let waypoint = &waypoint["waypoint"];
            let read = self::waypoint(waypoint)?;
            match text_of(waypoint, "action")? {
                "avoid" => avoid.push(read),
                "follow" if follow.is_none() => follow = Some(read),
                "follow" => return Err("a segment with two waypoints to follow".into()),
                other => return Err(format!("the action `{other}` is not covered")),
            }
        }
        let follow = follow.ok_or("a segment without a waypoint to follow")?;
        if (follow.kind == WaypointKind::Target) != (i + 1 == entries.len()) {
            return Err("the last segment, and no other one, ends in the target".into());
        }
        segments.push(Segment { avoid, follow });
    }
    if segments.is_empty() {
        return Err("a violation without a target".into());
    }
    Ok(segments)
}

fn waypoint(yaml: &Yaml) -> Result<Waypoint, String> {
    let constraint = || {
        let constraint = &yaml["constraint"];
        let format = constraint["format"].as_str().unwrap_or("c_expression");
        if !matches!(
            format,
            "c_expression" | "acsl_expression" | "ext_c_expression"
        ) {
            return Err(format!("the format `{format}` is not covered"));
        }
        match &constraint["value"] {
            Yaml::Boolean(value) => Ok(value.to_string()),
            Yaml::Integer(value) => Ok(value.to_string()),
            Yaml::String(value) => Ok(value.clone()),
            _ => Err("a constraint without a value".to_owned()),
        }
    };
    let kind = match text_of(yaml, "type")? {
        "assumption" => WaypointKind::Assumption(constraint()?),
        "branching" => WaypointKind::Branching(match &*constraint()? {
            "true" => true,
            "false" => false,
            other => return Err(format!("the branch `{other}` is not covered")),
        }),
        "function_return" => WaypointKind::FunctionReturn(constraint()?),
        "function_enter" => WaypointKind::FunctionEnter,
        "target" => WaypointKind::Target,
        other => return Err(format!("waypoints of the type `{other}` are not covered")),
    };
    Ok(Waypoint {
        kind,
        location: location(yaml)?,
    })
}

fn invariants(content: &Yaml) -> Result<Vec<Invariant>, String> {
    let mut invariants = Vec::new();
    for entry in list(content, "the content")? {
        let invariant = &entry["invariant"];
        let is_loop = match text_of(invariant, "type")? {
            "loop_invariant" => true,
            "location_invariant" => false,
            other => return Err(format!("entries of the type `{other}` are not covered")),
        };
        invariants.push(Invariant {
            is_loop,
            location: location(invariant)?,
            value: match &invariant["value"] {
                Yaml::Integer(value) => value.to_string(),
                Yaml::String(value) => value.clone(),
                _ => return Err("an invariant without a value".into()),
            },
        });
    }
    Ok(invariants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_witness_is_refused() {
        for text in [
            "",
            "x: [",
            "- entry_type: invariant_set",
            "- entry_type: loop_invariant\n  metadata: {task: {input_file_hashes: {f: aa}}}",
            "- entry_type: invariant_set\n  metadata: &m {task: {input_file_hashes: {f: aa}}}\n  again: *m\n  content: []",
            "- entry_type: violation_sequence\n  metadata: {task: {input_file_hashes: {f: aa}}}\n  content: []",
            "- entry_type: violation_sequence\n  metadata: {task: {input_file_hashes: {f: aa}}}\n  content:\n  \
             - segment:\n    - waypoint: {type: assumption, action: follow, constraint: {value: x}, location: {line: 1}}",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn invariants_are_read() {
        let text = "- entry_type: invariant_set\n  metadata: {task: {input_file_hashes: {\"f.c\": \"AB\"}}}\n  content:\n  \
                    - invariant:\n      type: loop_invariant\n      location: {line: 3, column: 5}\n      value: x >= 0\n";
        let witness = read(text).unwrap();
        assert_eq!(witness.hashes, ["ab"]);
        let invariant = Invariant {
            is_loop: true,
            location: Location {
                line: 3,
                column: Some(5),
            },
            value: "x >= 0".into(),
        };
        assert_eq!(witness.claim, Claim::Correctness(vec![invariant]));
    }
}
