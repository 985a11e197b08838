//! The languages that are read.

use std::fmt;

/// The languages that a text may be in: C after the preprocessor, AIGER in letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Language {
    /// Boogie programs
    Boogie,
    /// Program graphs
    Graph,
    /// Horn clauses in SMT-LIB
    Horn,
    /// C
    C,
    /// Circuits in AIGER
    Aiger,
    /// Circuits in BTOR2
    Btor2,
    /// Circuits in DimSpec
    #[cfg_attr(feature = "clap", value(name = "dimspec"))]
    DimSpec,
    /// Programs in SV-LIB
    SvLib,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Boogie => "Boogie",
            Language::Graph => "program graphs",
            Language::Horn => "Horn clauses",
            Language::C => "C",
            Language::Aiger => "AIGER",
            Language::Btor2 => "BTOR2",
            Language::DimSpec => "DimSpec",
            Language::SvLib => "SV-LIB",
        })
    }
}

impl Language {
    /// The language of a file by how its name ends, without the dot. The binary form of AIGER has to be turned into
    /// the one in letters before.
    pub fn of_suffix(suffix: &str) -> Option<Language> {
        Some(match suffix {
            "bpl" => Language::Boogie,
            "ult" => Language::Graph,
            "smt2" => Language::Horn,
            "c" | "i" => Language::C,
            "aag" | "aig" => Language::Aiger,
            "btor" | "btor2" => Language::Btor2,
            "dimspec" => Language::DimSpec,
            "svlib" => Language::SvLib,
            _ => return None,
        })
    }

    /// Whether texts in it are circuits.
    pub fn is_circuit(self) -> bool {
        matches!(self, Language::Aiger | Language::Btor2 | Language::DimSpec)
    }
}
