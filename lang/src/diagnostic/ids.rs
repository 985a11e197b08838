//! The one table of all diagnostic ids, their titles and their pages.
//!
//! E00xx lexical, E01xx syntax, E02xx names, E03xx types, E04xx files and what verification says of them, E05xx Horn
//! clauses, E06xx C; warnings alike. Every message of the house has an id of this table, whoever says it. An id, once
//! released, keeps its meaning.

use std::fmt;

/// The stable id of a diagnostic, such as `E0101`. Only ids in [`TABLE`] exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(&'static str);

impl Id {
    /// The id as text, such as `"E0101"`.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The id with this text, if there is one; letter case does not matter.
    pub fn lookup(text: &str) -> Option<Id> {
        TABLE
            .iter()
            .map(|info| info.id)
            .find(|id| id.0.eq_ignore_ascii_case(text))
    }

    /// Whether the message may be wrong where something could not be read: a name seems to be unknown only because its
    /// declaration was lost, or the like.
    pub fn may_follow_from_syntax_error(self) -> bool {
        [
            Id::UNKNOWN_VARIABLE,
            Id::UNKNOWN_FUNCTION,
            Id::UNKNOWN_PROCEDURE,
            Id::UNKNOWN_TYPE,
            Id::UNKNOWN_LABEL,
            Id::UNKNOWN_FIELD,
            Id::UNKNOWN_CONSTRUCTOR,
            Id::IMPLEMENTATION_WITHOUT_PROCEDURE,
            Id::NOT_IN_MODIFIES,
            Id::MODIFIES_MISSING,
            Id::ARGUMENT_COUNT,
            Id::NO_INITIAL_LOCATION,
        ]
        .contains(&self)
    }

    /// Whether it is about a name that is not declared, and stands at that name.
    pub fn is_unknown_name(self) -> bool {
        [
            Id::UNKNOWN_VARIABLE,
            Id::UNKNOWN_FUNCTION,
            Id::UNKNOWN_PROCEDURE,
            Id::UNKNOWN_TYPE,
        ]
        .contains(&self)
    }

    /// Whether it is about types that do not fit.
    pub fn is_about_types(self) -> bool {
        self.0.starts_with("E03")
    }

    /// Whether only C programs get the message.
    pub fn is_about_c(self) -> bool {
        self.0[1..].starts_with("06")
    }

    /// Its row in [`TABLE`].
    pub fn info(self) -> Option<&'static DiagnosticInfo> {
        TABLE.iter().find(|info| info.id == self)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What is known about an id.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticInfo {
    /// The id.
    pub id: Id,
    /// One line that names the kind of mistake.
    pub title: &'static str,
    /// The page that `ult explain` shows, in Markdown: what, why, an example that triggers it, the example mended.
    pub page: &'static str,
}

impl DiagnosticInfo {
    /// The examples of the page in their order: the language of the block (`bpl`, `ult` or `c`) and the text. The first one
    /// triggers the diagnostic, the others show how it is mended.
    pub fn examples(&self) -> Vec<(&'static str, &'static str)> {
        let mut examples = Vec::new();
        let mut rest = self.page;
        while let Some((_, block)) = rest.split_once("\n```") {
            let Some((language, text)) = block.split_once('\n') else {
                break;
            };
            let Some((text, behind)) = text.split_once("\n```") else {
                break;
            };
            if matches!(language, "bpl" | "ult" | "c") {
                examples.push((language, text));
            }
            rest = behind;
        }
        examples
    }
}

/// Declares the ids: a constant of type [`Id`] each, and their table with titles and pages.
macro_rules! ids {
    ($($constant:ident = $id:literal, $title:literal;)*) => {
        impl Id {
            $(#[doc = concat!("`", $id, "`: ", $title, ".")] pub const $constant: Id = Id($id);)*
        }

        /// All ids, in ascending order.
        pub const TABLE: &[DiagnosticInfo] = &[
            $(DiagnosticInfo { id: Id($id), title: $title, page: include_str!(concat!("pages/", $id, ".md")) },)*
        ];
    };
}

ids! {
    UNEXPECTED_CHARACTER = "E0001", "a character that no token begins with";
    UNCLOSED_COMMENT = "E0002", "a comment that is never closed";
    UNCLOSED_STRING = "E0003", "a string or quoted name that is not closed";
    BAD_LITERAL = "E0004", "a literal without a value";
    LIMIT = "E0005", "a text beyond the limits";
    SYNTAX = "E0101", "something else was expected here";
    UNCLOSED_BRACKET = "E0102", "a bracket that is never closed";
    MISMATCHED_BRACKET = "E0103", "a closing bracket that does not match";
    MIXED_OPERATORS = "E0104", "operators that do not mix without parentheses";
    CHAINED_COMPARISON = "E0105", "comparisons in a chain";
    LATE_LOCAL = "E0106", "a local variable declared among statements";
    BAD_BIT_RANGE = "E0107", "a bit range that is none";
    BAD_PARAMETER = "E0108", "a parameter without a proper name";
    DEFINE_AND_INLINE = "E0109", "a function both defined and inlined";
    MISPLACED_WHERE = "E0110", "a where clause where none is allowed";
    NO_SUCH_TYPE = "E0111", "a built-in type that does not exist";
    UNKNOWN_VARIABLE = "E0201", "a variable that is not declared";
    UNKNOWN_FUNCTION = "E0202", "a function that is not declared";
    UNKNOWN_PROCEDURE = "E0203", "a procedure that is not declared";
    UNKNOWN_TYPE = "E0204", "a type that is not declared";
    DECLARED_TWICE = "E0205", "a name declared twice";
    UNKNOWN_LABEL = "E0206", "a goto to a label that does not exist";
    BREAK_TARGET = "E0207", "a break without a statement to leave";
    OLD_NOT_ALLOWED = "E0208", "`old` where there is no earlier state";
    GLOBAL_NOT_ALLOWED = "E0209", "a global variable where there is no state";
    IMPLEMENTATION_WITHOUT_PROCEDURE = "E0210", "an implementation of nothing";
    UNKNOWN_FIELD = "E0211", "a field that the datatype does not have";
    UNKNOWN_CONSTRUCTOR = "E0212", "a constructor that the datatype does not have";
    NOT_ASSIGNABLE = "E0213", "something that cannot be assigned to";
    ASSIGNED_TWICE = "E0214", "a variable assigned twice at once";
    NOT_IN_MODIFIES = "E0215", "a global changed without leave";
    MODIFIES_CONSTANT = "E0216", "a constant in a modifies clause";
    PURE_PROCEDURE = "E0217", "a pure procedure that has effects";
    UNUSED_TYPE_VARIABLE = "E0218", "a type variable that nothing determines";
    CYCLIC_SYNONYM = "E0219", "a type synonym defined by itself";
    PRIMED = "E0220", "a primed name that is no state variable";
    STATEMENT_ID = "E0221", "two statements with one id";
    ASSUMPTION_VARIABLE = "E0222", "an assumption variable that is not used as one";
    MEASURE = "E0223", "a measure where it cannot be one";
    TYPE_MISMATCH = "E0301", "an expression of another type than is needed here";
    OPERAND_TYPES = "E0302", "an operator that does not apply to such operands";
    ARGUMENT_COUNT = "E0303", "the wrong number of arguments or results";
    TYPE_ARGUMENTS = "E0304", "the wrong number of type arguments";
    NOT_A_MAP = "E0305", "an index after something that is not a map";
    INDEX_COUNT = "E0306", "the wrong number of indices";
    NOT_A_DATATYPE = "E0307", "a field or tester of something that is not a datatype";
    BIT_RANGE = "E0308", "bits that the operand does not have";
    BITVECTOR_TOO_LARGE = "E0309", "a number that does not fit into its bits";
    RETURN_VALUE = "E0310", "a return with a value";
    VALUE_COUNT = "E0311", "as many values as names are needed";
    IMPLEMENTATION_MISMATCH = "E0312", "an implementation that does not fit its procedure";
    FIELD_TYPES = "E0313", "a field with two types";
    TRIGGER_TERM = "E0314", "something that may not occur in a trigger";
    TRIGGER_VARIABLES = "E0315", "a trigger that does not mention all variables";
    TYPE_NOT_KNOWN = "E0316", "a type that is not known where it is needed";
    TYPE_TOO_LARGE = "E0317", "a type beyond the limits";
    CALL_FORALL = "E0318", "`call forall` of a procedure that is no lemma";
    ATTRIBUTE_ARGUMENT = "E0319", "an attribute with other arguments than it takes";
    EMPTY_DATATYPE = "E0320", "a datatype without values";
    OLD_CONSTRUCTOR = "E0321", "a constructor that is one of some types of its datatype only";
    NOT_TEXT = "E0401", "the file is not UTF-8 text";
    HORN_SYNTAX = "E0501", "not SMT-LIB";
    HORN_UNKNOWN_NAME = "E0502", "a name or sort that is not declared";
    HORN_DECLARED_TWICE = "E0503", "a name declared twice";
    HORN_SORTS = "E0504", "arguments of other sorts or of another number";
    HORN_NOT_SUPPORTED = "E0505", "SMT-LIB that cannot be read here";
    NOT_HORN = "E0506", "no Horn clause";
    HORN_LIMIT = "E0507", "Horn clauses beyond the limits";
    C_SYNTAX = "E0601", "something that is no C here";
    C_PREPROCESSOR = "E0602", "C that is not or cannot be preprocessed";
    C_UNDECLARED = "E0603", "a name that the C program does not declare";
    C_TYPES = "E0604", "C types that do not fit";
    C_BAD_DECLARATION = "E0605", "C that is not valid or not covered";
    C_CONSTANT = "E0606", "a constant expression is needed";
    C_ANNOTATION = "E0607", "an annotation that is not covered";
    CIRCUIT_SYNTAX = "E0701", "not AIGER, BTOR2 or DimSpec";
    CIRCUIT_UNDEFINED = "E0702", "a number in a circuit that nothing defines";
    CIRCUIT_DEFINED_TWICE = "E0703", "a part of a circuit defined twice";
    CIRCUIT_SORTS = "E0704", "parts of a circuit that do not fit";
    CIRCUIT_CYCLE = "E0705", "a part of a circuit that depends on itself";
    CIRCUIT_NOT_SUPPORTED = "E0706", "a property of circuits that is not covered";
    SVLIB_SYNTAX = "E0801", "not SV-LIB";
    SVLIB_UNKNOWN_NAME = "E0802", "an SV-LIB name that is not declared";
    SVLIB_DECLARED_TWICE = "E0803", "an SV-LIB name declared twice";
    SVLIB_SORTS = "E0804", "SV-LIB terms of other sorts or of another number";
    SVLIB_NOT_SUPPORTED = "E0805", "SV-LIB that cannot be read here";
    SVLIB_NOT_ASSIGNABLE = "E0806", "something that an SV-LIB statement cannot change";
    SVLIB_JUMP = "E0807", "a jump in SV-LIB that leads nowhere";
    SVLIB_TRACE = "E0808", "a trace that does not fit its program";
    PROJECT_SYNTAX = "E0901", "not TOML";
    PROJECT_KEY = "E0902", "something that a project file does not have";
    PROJECT_VALUE = "E0903", "a value that an option does not take";
    INTEGER_DIVISION = "W0001", "a `/` that is read as the integer division";
    AMBIGUOUS_TYPE = "W0002", "a type parameter that nothing determines";
    MODIFIES_MISSING = "W0003", "a modifies clause that lacks something";
    UNSUPPORTED = "W0004", "something that is understood but not verified";
    NO_INITIAL_LOCATION = "W0005", "a graph without an initial location";
    CONTRADICTORY = "W0401", "assumptions that contradict each other";
    UNREACHABLE = "W0402", "an assertion that no execution reaches";
    NOTHING_TO_CHECK = "W0403", "nothing to check";
    EVIDENCE_DROPPED = "W0404", "kept evidence that is not used";
    CACHE_UNWRITABLE = "W0405", "a folder in which nothing can be kept";
    UNDEFINED = "W0406", "a place that no trace gets past without undefined behavior";
    C_IMPLICIT_FUNCTION = "W0601", "a C function called without a declaration";
    C_IMPLICIT_INT = "W0602", "a C declaration without a type";
    C_POINTER_AND_INTEGER = "W0603", "a C pointer made of an integer without a cast";
    C_IGNORED_ANNOTATION = "W0604", "an annotation that is ignored";
    C_UNDEFINED_MACRO = "W0605", "a reserved name in `#if` that is not defined";
    SVLIB_NO_TAG = "W0801", "an annotation of a tag that does not exist";
}
