//! What is assumed of a program, in words: it is told with every verdict.

use super::{Encoder, address, unknown};
use crate::options::SignedOverflow;
use crate::types::Type;
use crate::undefined::Undefined;

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
                let has_memory = self.coarse || !self.memory.regions().is_empty();
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
            let words = "constructors of one priority run in the order of their definitions";
            all.push(words.to_owned());
        }
        if self.reborn {
            all.push(
                "pointers to variables of a block are not used when it was left and entered again"
                    .to_owned(),
            );
        }
        if self.volatile {
            all.push("volatile objects change only by the program".to_owned());
        }
        if !self.foreign.is_empty() {
            all.push(format!(
                "variables of other files contain anything at first, but no pointers to objects of the program, and only the program changes them: {}",
                self.foreign.join(", ")
            ));
        }
        if self.memory.has_heap() && !self.options.malloc_may_fail {
            all.push("memory is never exhausted".to_owned());
        }
        if self.memory.has_heap() && self.options.properties.track {
            all.push("memory that is lost is looked for where the program ends only".to_owned());
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
            all.push(format!(
                "from outside, these functions are called, in any order and with any arguments: {}",
                self.program.called.join(", ")
            ));
            all.push(
                "no other function is called from outside, and nobody else changes variables"
                    .to_owned(),
            );
            let from_outside =
                |function: &&crate::ir::Function| self.program.called.contains(&function.name);
            let mut called = self.program.functions.iter().filter(from_outside);
            let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_) | Type::Bool);
            if called.any(|function| !function.ty.params.iter().all(is_number)) {
                all.push(format!(
                    "pointers that they are called with {}",
                    unknown::POINT_TO
                ));
            }
        }
        if let Some(locks) = &self.options.properties.locks {
            let known = |name: &&String| self.program.functions.iter().any(|f| f.name == **name);
            let names = locks.acquire.iter().chain(&locks.release);
            let missing: Vec<String> = names.filter(|name| !known(name)).cloned().collect();
            if !missing.is_empty() {
                all.push(format!(
                    "no lock is acquired or released by functions that the program does not know: {}",
                    missing.join(", ")
                ));
            }
        }
        if self.made_formats {
            all.push("formats that the program makes have no %n".to_owned());
        }
        all.extend(unknown::assumptions(
            &self.unknown,
            &self.outside,
            &self.outside_variables,
        ));
        all
    }
}
