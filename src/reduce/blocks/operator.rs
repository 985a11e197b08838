//! The block operators.

use std::fmt;
use std::str::FromStr;

/// How much of the program one edge of the reduced graph stands for; as text, the value of
/// `-Z blocks`.
///
/// This is the block operator of Beyer, Keremoglu, Wendler ("Predicate Abstraction with
/// Adjustable-Block Encoding", FMCAD 2010). It says at which locations blocks end; strongest
/// postconditions are made by syntax alone, so all blocks are made before an engine starts.
/// Whatever the operator, blocks end at loop heads and error locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blocks {
    /// One statement: single-block encoding.
    None,
    /// A chain of statements without branching.
    Sequence,
    /// What lies between loop heads and the borders of procedures.
    Functions,
    /// A loop-free part of the program with one entry: the fixed point of the rules of large-block
    /// encoding. No statement becomes a part of several blocks.
    #[default]
    Large,
    /// What lies between loop heads. A statement behind several loops becomes a part of several
    /// blocks.
    Loops,
    /// As [`Blocks::Loops`], but so many edges in a row at most.
    AtMost(u32),
}

impl Blocks {
    /// All operators without a number, each with a line for people.
    pub const ALL: &[(Blocks, &str)] = &[
        (
            Blocks::None,
            "one edge for each statement (single-block encoding)",
        ),
        (Blocks::Sequence, "edges in a row become one"),
        (
            Blocks::Functions,
            "everything between loop heads and the borders of procedures",
        ),
        (
            Blocks::Large,
            "everything between loop heads, as far as no statement gets into two edges",
        ),
        (
            Blocks::Loops,
            "everything between loop heads becomes one edge",
        ),
    ];

    /// What a number means as a block operator.
    pub const NUMBER: &str = "as loops, but at most this many statements in a row";
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Blocks::None => "none",
            Blocks::Sequence => "sequence",
            Blocks::Functions => "functions",
            Blocks::Large => "large",
            Blocks::Loops => "loops",
            Blocks::AtMost(edges) => return edges.fmt(f),
        })
    }
}

impl FromStr for Blocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Blocks, String> {
        let named = Blocks::ALL.iter().map(|&(blocks, _)| blocks);
        if let Some(blocks) = named.into_iter().find(|blocks| blocks.to_string() == text) {
            return Ok(blocks);
        }
        match text.parse() {
            Ok(edges) if edges > 0 => Ok(Blocks::AtMost(edges)),
            _ => Err("not a block operator or a positive number".into()),
        }
    }
}
