//! SMV, as NuSMV and nuXmv read it.
//!
//! A variable all of whose bits are needed is a word, others are single bits. Inputs are variables
//! without a next value: what is bad depends on them, and an invariant must not speak of `IVAR`s.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use super::Part;
use crate::aig::Lit;
use crate::system::Content;

/// Latches that are one variable of the file.
struct Word {
    name: String,
    /// What it is, for a comment.
    what: String,
    /// The latches, the lowest bit first.
    latches: Vec<usize>,
    is_word: bool,
}

pub(super) fn write(part: &Part<'_>) -> String {
    let system = part.system;
    let words = words(part);
    let mut names: HashMap<usize, String> = HashMap::from([(Lit::FALSE.node(), "FALSE".into())]);
    let mut text = String::from("MODULE main\nVAR\n");
    for word in &words {
        let sort = match word.is_word {
            true => format!("unsigned word[{}]", word.latches.len()),
            false => "boolean".into(),
        };
        let _ = writeln!(text, "  {} : {sort}; -- {}", word.name, word.what);
        for (bit, &latch) in word.latches.iter().enumerate() {
            let name = match word.is_word {
                true => format!("bool({}[{bit}:{bit}])", word.name),
                false => word.name.clone(),
            };
            names.insert(system.latches[latch].lit.node(), name);
        }
    }
    for (number, input) in part.inputs.iter().enumerate() {
        let _ = writeln!(text, "  input{number} : boolean;");
        names.insert(input.node(), format!("input{number}"));
    }
    for (number, &gate) in part.gates.iter().enumerate() {
        names.insert(gate, format!("g{number}"));
    }
    let of = |lit: Lit| {
        let name = &names[&lit.node()];
        match lit.is_inverted() {
            false => name.clone(),
            true if lit == Lit::TRUE => "TRUE".into(),
            true => format!("!{name}"),
        }
    };
    text.push_str("DEFINE\n");
    for &gate in &part.gates {
        let (a, b) = part.arguments(gate);
        let _ = writeln!(text, "  {} := {} & {};", names[&gate], of(a), of(b));
    }
    for (number, bad) in system.bads.iter().enumerate() {
        let _ = writeln!(text, "  bad{} := {};", number + 1, of(bad.lit));
    }
    text.push_str("INIT TRUE");
    for word in &words {
        for &latch in &word.latches {
            let latch = &system.latches[latch];
            if let Some(start) = latch.start {
                let _ = write!(text, " & {}", of(latch.lit.invert_if(!start)));
            }
        }
    }
    text.push_str(";\nASSIGN\n");
    for word in &words {
        let bits = word.latches.iter().rev();
        let bits = bits.map(|&latch| of(system.latches[latch].next));
        let next = match word.is_word {
            true => {
                let bits: Vec<String> = bits.map(|bit| format!("word1({bit})")).collect();
                bits.join(" :: ")
            }
            false => bits.collect(),
        };
        let _ = writeln!(text, "  next({}) := {next};", word.name);
    }
    for (number, name) in part.bads.iter().enumerate() {
        let _ = writeln!(text, "INVARSPEC !bad{}; -- {name}", number + 1);
    }
    text
}

/// The variables, in the order of the latches.
fn words(part: &Part<'_>) -> Vec<Word> {
    let system = part.system;
    let needed: BTreeSet<usize> = part.latches.iter().copied().collect();
    // What latches hold a bit of, with the latches: all of them, and in the order of the bits.
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let thing = |latch: usize| match &system.latches[latch].content {
        Content::Location => "location".to_owned(),
        Content::Variable(number, _) => format!("variable {number}"),
        Content::Symbol(name, _) => format!("symbol {name}"),
    };
    for latch in 0..system.latches.len() {
        all.entry(thing(latch)).or_default().push(latch);
    }
    let mut words = Vec::new();
    let mut done = BTreeSet::new();
    for &latch in &part.latches {
        let together = &all[&thing(latch)];
        let is_word = together.len() > 1 && together.iter().all(|latch| needed.contains(latch));
        if !is_word {
            words.push(Word {
                name: format!("v{}", words.len()),
                what: part.names[&latch].clone(),
                latches: vec![latch],
                is_word,
            });
        } else if done.insert(together[0]) {
            let name = part.names[&together[0]].clone();
            words.push(Word {
                name: format!("v{}", words.len()),
                what: name.split('[').next().unwrap_or_default().to_owned(),
                latches: together.clone(),
                is_word,
            });
        }
    }
    words
}
