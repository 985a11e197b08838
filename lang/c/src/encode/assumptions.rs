//! What is assumed of a program, in words: it is told with every verdict.

use super::body::Undefined;
use super::{Encoder, address, unknown};
use crate::options::SignedOverflow;
use crate::types::Type;

impl Encoder<'_> {
    /// One line for each assumption that was made.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut all = Vec::new();
        let excluded = |what: Undefined| self.assumed.contains(&(what as u8));
        if excluded(Undefined::Overflow)
            && self.options.signed_overflow == SignedOverflow::Undefined
        {
            let words = "signed integers do not overflow (`--property no-overflow` checks that)";
            all.push(words.to_owned());
        }
        if excluded(Undefined::Division) {
            all.push("nothing is divided by zero".to_owned());
        }
        if excluded(Undefined::Shift) || excluded(Undefined::SignedShiftLeft) {
            all.push("nothing is shifted by a negative number, or by its width or more".to_owned());
        }
        if excluded(Undefined::Conversion) {
            all.push("floating-point numbers fit where they become integers".to_owned());
        }
        if excluded(Undefined::Order) {
            let words = "no operand changes what another one uses, without an order (`--property evaluation-order` checks that)";
            all.push(words.to_owned());
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
        if excluded(Undefined::Free) {
            all.push("only what was allocated is freed, and nothing twice".to_owned());
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
        let has_memory = self.coarse || !self.memory.regions().is_empty();
        if has_memory && !self.options.properties.dereference {
            let words = "pointers are used within their objects only, and while these live (`--property \
                         valid-memsafety` checks that)";
            all.push(words.to_owned());
        }
        if excluded(Undefined::Bounds) {
            all.push("arrays are used within their bounds".to_owned());
        }
        if excluded(Undefined::Difference) {
            all.push("pointers are subtracted from those into the same object only".to_owned());
        }
        if excluded(Undefined::Representation) {
            all.push("objects of the type _Bool contain 0 or 1".to_owned());
        }
        if excluded(Undefined::Overlap) {
            all.push(
                "objects that are copied do not overlap, but for memmove and copies to themselves"
                    .to_owned(),
            );
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
