//! What is assumed of a program, in words: it is told with every verdict.

use super::unknown::{NO_BODY, POINT_TO};
use super::{Encoder, address, unknown};
use crate::options::SignedOverflow;
use crate::types::Type;
use crate::undefined::Undefined;

/// What no property checks, without the names that follow: what the environment does, and what this translation never looks for.
pub const UNCHECKED: [&str; 15] = [
    EXHAUSTED,
    NO_BODY,
    POINT_TO,
    FOREIGN,
    CALLED,
    ONLY_CALLED,
    VOLATILE,
    PRIORITIES,
    UNKNOWN_LOCKS,
    MADE_FORMATS,
    LOST_AT_END,
    REENTERED,
    address::OTHERS,
    address::ASSUMPTION,
    address::APART,
];

const EXHAUSTED: &str = "memory is never exhausted";
const FOREIGN: &str = "variables of other files contain anything at first, but no pointers to objects of the program, and only the program changes them";
const CALLED: &str =
    "from outside, these functions are called, in any order and with any arguments";
const ONLY_CALLED: &str =
    "no other function is called from outside, and nothing else changes variables";
const VOLATILE: &str = "volatile objects change only by the program";
const PRIORITIES: &str = "constructors of one priority run in the order of their definitions";
const UNKNOWN_LOCKS: &str =
    "no lock is acquired or released by functions that the program does not know";
const MADE_FORMATS: &str = "formats that the program makes have no %n";
const LOST_AT_END: &str = "memory that is lost is looked for where the program ends only";
const REENTERED: &str =
    "pointers to variables of a block are not used when it was left and entered again";

impl Encoder<'_> {
    /// Whether something undefined was left out somewhere.
    fn is_assumed(&self, what: Undefined) -> bool {
        let properties = &self.options.properties;
        let was_excluded = self.assumed.contains(&what);
        match what {
            Undefined::Overflow => {
                was_excluded && self.options.signed_overflow == SignedOverflow::Undefined
            }
            Undefined::Dereference => {
                let has_memory = self.overapprox || !self.memory.regions().is_empty();
                has_memory && !properties.dereference
            }
            _ => was_excluded,
        }
    }

    /// One line for each assumption that was made.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut all = Vec::new();
        for what in Undefined::ALL {
            if self.is_assumed(what) {
                let words = what.assumption();
                let line = match what.property() {
                    Some(property) => format!("{words} (`--property {property}` checks that)"),
                    None => words.to_owned(),
                };
                if !all.contains(&line) {
                    all.push(line);
                }
            }
        }
        let constructors = self.program.constructors().into_iter();
        let priorities: Vec<Option<u32>> = constructors
            .map(|id| self.program.function(id).constructor)
            .collect();
        if priorities.windows(2).any(|pair| pair[0] == pair[1]) {
            all.push(PRIORITIES.to_owned());
        }
        if self.reborn {
            all.push(REENTERED.to_owned());
        }
        if self.volatile {
            all.push(VOLATILE.to_owned());
        }
        if !self.foreign.is_empty() {
            all.push(format!("{FOREIGN}: {}", self.foreign.join(", ")));
        }
        if self.memory.has_heap() && !self.options.malloc_may_fail {
            all.push(EXHAUSTED.to_owned());
        }
        if self.memory.has_heap() && self.options.properties.track {
            all.push(LOST_AT_END.to_owned());
        }
        if self.makes_pointers {
            all.push(address::OTHERS.to_owned());
        }
        if self.exposes {
            all.push(address::ASSUMPTION.to_owned());
        }
        if self.apart {
            all.push(address::APART.to_owned());
        }
        if !self.program.called.is_empty() {
            all.push(format!("{CALLED}: {}", self.program.called.join(", ")));
            all.push(ONLY_CALLED.to_owned());
            let from_outside =
                |function: &&crate::ir::Function| self.program.called.contains(&function.name);
            let mut called = self.program.functions.iter().filter(from_outside);
            let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_) | Type::Bool);
            if called.any(|function| !function.ty.params.iter().all(is_number)) {
                all.push(format!("pointers that they are called with {POINT_TO}"));
            }
        }
        if let Some(locks) = &self.options.properties.locks {
            let known = |name: &&String| self.program.functions.iter().any(|f| f.name == **name);
            let names = locks.acquire.iter().chain(&locks.release);
            let missing: Vec<String> = names.filter(|name| !known(name)).cloned().collect();
            if !missing.is_empty() {
                all.push(format!("{UNKNOWN_LOCKS}: {}", missing.join(", ")));
            }
        }
        if self.made_formats {
            all.push(MADE_FORMATS.to_owned());
        }
        all.extend(unknown::assumptions(
            &self.unknown,
            &self.outside,
            &self.outside_variables,
        ));
        all
    }
}
