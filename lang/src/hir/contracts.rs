//! What a clause of a contract means for those who come across it: the one place that decides it, for proofs and for
//! simulation.
//!
//! It follows Boogie. Where a procedure is verified on its own, its clauses before the body are all assumed. At a call whose
//! body is looked into, free clauses say nothing, since nobody checks them, and neither do the `where` clauses of
//! in-parameters. At a call through a contract, all that is said of the state after it is assumed.

use super::program::Condition;

/// How a program is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As a whole: traces go through calls and loops.
    Whole,
    /// As a whole, along traces that the modular reading has, too: they keep all that procedures state of each other.
    Stated,
    /// Procedure by procedure.
    Modular,
}

/// What is known about the procedure that a call leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// Its body is looked into.
    Body,
    /// It has a body, which is not looked into.
    Contract,
    /// It has no body.
    Declared,
}

/// What a clause is at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It has to hold.
    Owed,
    /// It is taken for granted.
    Assumed,
    /// It says nothing here.
    Nothing,
}

impl Reading {
    /// Whether attributes that say which obligations there are count.
    pub fn hears_attributes(self) -> bool {
        self != Reading::Whole
    }

    /// Whether the `where` clauses of a callee's in-parameters are assumed at a call.
    pub fn assumes_arguments(self, callee: Callee) -> bool {
        self == Reading::Stated && callee == Callee::Body
    }

    /// Whether the `where` clauses of results and of changed globals are assumed after a call.
    pub fn assumes_results(self, callee: Callee) -> bool {
        match callee {
            Callee::Body => self == Reading::Stated,
            Callee::Contract => self != Reading::Whole,
            Callee::Declared => true,
        }
    }
}

impl Condition {
    /// `{:always_assume}` at a free clause: whoever checks the clauses after it assumes it.
    fn is_always_assumed(&self) -> bool {
        let mut attributes = self.attributes.iter();
        self.free && attributes.any(|attribute| attribute.name == "always_assume")
    }

    /// A precondition at a call.
    pub fn before_call(&self, reading: Reading, callee: Callee, is_free_call: bool) -> Meaning {
        match (reading, callee) {
            // Boogie checks it where it inlines, even for `free call`.
            (Reading::Modular, Callee::Body) if !self.free => Meaning::Owed,
            (Reading::Modular, Callee::Body) => Meaning::Nothing,
            (Reading::Modular, _) if self.is_always_assumed() => Meaning::Assumed,
            (Reading::Stated, _) if self.free => Meaning::Assumed,
            _ if self.free || is_free_call => Meaning::Nothing,
            _ => Meaning::Owed,
        }
    }

    /// A postcondition after a call.
    pub fn after_call(&self, reading: Reading, callee: Callee) -> Meaning {
        match callee {
            Callee::Body if !self.free => Meaning::Owed,
            Callee::Body if reading == Reading::Stated => Meaning::Assumed,
            Callee::Body => Meaning::Nothing,
            // Nobody checks it, and the body may not keep it.
            Callee::Contract if self.free && reading == Reading::Whole => Meaning::Nothing,
            Callee::Contract | Callee::Declared => Meaning::Assumed,
        }
    }

    /// A postcondition where the body of a procedure that is verified on its own ends.
    pub fn at_end(&self, reading: Reading) -> Meaning {
        match self.free {
            false => Meaning::Owed,
            true if reading.hears_attributes() && self.is_always_assumed() => Meaning::Assumed,
            true => Meaning::Nothing,
        }
    }
}
