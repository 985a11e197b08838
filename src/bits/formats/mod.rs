//! Circuits as files for other model checkers.
//!
//! Each file asks whether one of the error locations is reached. A step of the file is a step of the
//! circuit; a step into an error location is bad.

mod aiger;
mod btor2;
mod dimspec;
mod smv;

use std::collections::HashMap;

use crate::aig::{Lit, Node};
use crate::system::{Content, System};
use ult_core::graph::{LocationId, ProgramGraph};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// AIGER 1.9 in letters (Biere, Heljanko, Wieringa: "AIGER 1.9 and Beyond", 2011).
    Aiger,
    /// BTOR2 (Niemetz, Preiner, Wolf, Biere: "BTOR2, BtorMC and Boolector 3.0", CAV 2018), with words
    /// of one bit.
    Btor2,
    /// DimSpec: four sets of clauses (Suda: "DIMSPEC, a format for specifying symbolic transition
    /// systems", 2016; used by LLUMC).
    DimSpec,
    /// SMV (Cavada et al.: "NuSMV 2.6 User Manual", 2015).
    Smv,
}

impl Format {
    /// All there are.
    pub const ALL: [Format; 4] = [Format::Aiger, Format::Btor2, Format::DimSpec, Format::Smv];
}

/// A circuit as a text.
///
/// # Errors
/// In words, if the circuit is not exactly what the graph says.
pub fn write(system: &System, graph: &ProgramGraph, format: Format) -> Result<String, String> {
    let part = Part::new(system, graph)?;
    Ok(match format {
        Format::Aiger => aiger::write(&part),
        Format::Btor2 => btor2::write(&part),
        Format::DimSpec => dimspec::write(&part),
        Format::Smv => smv::write(&part),
    })
}

/// A circuit in the binary form of AIGER.
///
/// # Errors
/// As [`write()`].
pub fn write_binary_aiger(system: &System, graph: &ProgramGraph) -> Result<Vec<u8>, String> {
    Ok(aiger::write_binary(&Part::new(system, graph)?))
}

/// The part of a circuit that the error locations depend on.
struct Part<'s> {
    system: &'s System,
    /// The latches, by number.
    latches: Vec<usize>,
    inputs: Vec<Lit>,
    /// The conjunctions, arguments first.
    gates: Vec<usize>,
    /// The names of latches.
    names: HashMap<usize, String>,
    /// What is bad, in the order of the circuit's bads: where it is no obligation of a program, the name of the location.
    bads: Vec<String>,
}

impl<'s> Part<'s> {
    fn new(system: &'s System, graph: &ProgramGraph) -> Result<Part<'s>, String> {
        let bads = || system.bads.iter().map(|bad| bad.lit);
        let needed = system.needed(bads());
        let latches: Vec<usize> = (0..needed.len()).filter(|&latch| needed[latch]).collect();
        let next = latches.iter().map(|&latch| system.latches[latch].next);
        let cone = system.aig.cone(bads().chain(next));
        if let Some(why) = system.why_inexact(graph, &latches, &cone) {
            return Err(why);
        }
        let is_in_cone = |node: usize| cone.binary_search(&node).is_ok();
        let inputs = system.inputs.iter().copied();
        let name = |latch: usize| match &system.latches[latch].content {
            Content::Location => format!("location[{latch}]"),
            Content::Variable(number, bit) => {
                let name = graph.variables.get_index(*number);
                format!("{}[{bit}]", name.map_or("", |(name, _)| name))
            }
            Content::Symbol(name, bit) => format!("{name}[{bit}]"),
        };
        let bad = |(number, error): (usize, LocationId)| {
            let location = &graph.graph[error];
            match location.obligation {
                Some(_) => format!("error{}", number + 1),
                // Formats end names at different signs.
                None => (location.name.chars())
                    .map(|sign| {
                        if sign.is_ascii_alphanumeric() {
                            sign
                        } else {
                            '_'
                        }
                    })
                    .collect(),
            }
        };
        let errors = system.bads.iter().map(|bad| bad.error);
        Ok(Part {
            bads: errors.enumerate().map(bad).collect(),
            system,
            inputs: inputs.filter(|lit| is_in_cone(lit.node())).collect(),
            gates: (cone.iter().copied())
                .filter(|&node| matches!(system.aig.node(node), Node::And(..)))
                .collect(),
            names: latches.iter().map(|&latch| (latch, name(latch))).collect(),
            latches,
        })
    }

    /// The arguments of a gate.
    fn arguments(&self, gate: usize) -> (Lit, Lit) {
        match self.system.aig.node(gate) {
            Node::And(a, b) => (a, b),
            Node::False | Node::Leaf(_) => (Lit::FALSE, Lit::FALSE),
        }
    }
}
