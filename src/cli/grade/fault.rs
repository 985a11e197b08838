//! Why a submission fails.

/// The reasons, each with a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no file, no text, or too large.
    Unreadable,
    /// It has errors in syntax, names or types.
    Rejected,
    /// Something is believed that the exercise does not believe.
    AssumptionAdded,
    /// An axiom was added or changed.
    AxiomAdded,
    /// A function is defined by itself, which is as good as an axiom.
    Recursive,
    /// An attribute `{:...}` was added or changed.
    AttributeAdded,
    /// A line for the preprocessor was added or changed.
    DirectiveAdded,
    /// A function is called that ends the program or is known to the verifier.
    ForbiddenName,
    /// A local variable hides a global one.
    Hidden,
    /// An assertion is missing, or was changed.
    AssertionDropped,
    /// A contract was changed.
    ContractChanged,
    /// The head of a declaration was changed: names or types.
    SignatureChanged,
    /// A body is missing.
    BodyDeleted,
    /// A body does nothing any more.
    BodyEmptied,
    /// A declaration is missing.
    DeclarationDropped,
    /// There is a declaration that the exercise does not have.
    DeclarationAdded,
    /// Something else was changed that has to stay.
    ProgramChanged,
    /// No call fulfils the precondition.
    PreconditionUnsatisfiable,
    /// No run gets to an assertion, or to the end of a procedure with a contract.
    Unreachable,
    /// Something is violated, or not implied.
    Violated,
    /// Nothing is violated, and something should be.
    NotViolated,
    /// There is nothing to check.
    Nothing,
    /// A check that students do not see fails.
    HiddenCheck,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 23] = [
        Fault::Unreadable,
        Fault::Rejected,
        Fault::AssumptionAdded,
        Fault::AxiomAdded,
        Fault::Recursive,
        Fault::AttributeAdded,
        Fault::DirectiveAdded,
        Fault::ForbiddenName,
        Fault::Hidden,
        Fault::AssertionDropped,
        Fault::ContractChanged,
        Fault::SignatureChanged,
        Fault::BodyDeleted,
        Fault::BodyEmptied,
        Fault::DeclarationDropped,
        Fault::DeclarationAdded,
        Fault::ProgramChanged,
        Fault::PreconditionUnsatisfiable,
        Fault::Unreachable,
        Fault::Violated,
        Fault::NotViolated,
        Fault::Nothing,
        Fault::HiddenCheck,
    ];

    /// The stable name, for machines.
    pub fn code(self) -> &'static str {
        match self {
            Fault::Unreadable => "unreadable",
            Fault::Rejected => "rejected",
            Fault::AssumptionAdded => "assumption-added",
            Fault::AxiomAdded => "axiom-added",
            Fault::Recursive => "definition-recursive",
            Fault::AttributeAdded => "attribute-added",
            Fault::DirectiveAdded => "directive-added",
            Fault::ForbiddenName => "forbidden-name",
            Fault::Hidden => "variable-hidden",
            Fault::AssertionDropped => "assertion-dropped",
            Fault::ContractChanged => "contract-changed",
            Fault::SignatureChanged => "signature-changed",
            Fault::BodyDeleted => "body-deleted",
            Fault::BodyEmptied => "body-emptied",
            Fault::DeclarationDropped => "declaration-dropped",
            Fault::DeclarationAdded => "declaration-added",
            Fault::ProgramChanged => "program-changed",
            Fault::PreconditionUnsatisfiable => "precondition-unsatisfiable",
            Fault::Unreachable => "unreachable",
            Fault::Violated => "violated",
            Fault::NotViolated => "not-violated",
            Fault::Nothing => "nothing-to-check",
            Fault::HiddenCheck => "hidden-check",
        }
    }
}

/// What is wrong with a submission, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// Of which kind.
    pub fault: Fault,
    /// The line of the submission, where one is to blame.
    pub line: Option<u32>,
    /// In words, the first sentence says what, the others how it comes about.
    pub words: Vec<String>,
}

impl Objection {
    /// An objection in one sentence.
    pub(super) fn new(fault: Fault, line: Option<u32>, words: impl Into<String>) -> Objection {
        Objection {
            fault,
            line,
            words: vec![words.into()],
        }
    }
}
