//! Inputs that lead where no run got to, by the solver.
//!
//! A run is followed up to a branch at which it could have taken another edge, which no run took
//! yet; whether there are values with which it does is a question about one path. The model is the
//! beginning of the next run. (Godefroid, Klarlund, Sen: "DART: Directed Automated Random Testing",
//! PLDI 2005.)

use std::collections::HashSet;

use ult_core::graph::evidence::Run;
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_core::stats::Statistics;
use ult_smt::{Failure, Session};

use super::machine::Experience;
use super::program::Program;
use crate::limits;
use crate::path::Path;

/// Paths longer than this are not asked about.
const LONGEST: usize = 400;

/// So many ways through known edges are tried at a time.
const OTHERS: u64 = 2;

/// Asks for the ways that runs did not take.
pub(super) struct Concolic<'s, 't> {
    session: &'s Session<'t>,
    graph: &'s ProgramGraph,
    /// The paths that were asked about, by hash.
    asked: HashSet<u64>,
    /// How many questions are left.
    left: u64,
}

impl<'s, 't> Concolic<'s, 't> {
    /// Nothing was asked yet.
    pub(super) fn new(session: &'s Session<'t>, graph: &'s ProgramGraph) -> Concolic<'s, 't> {
        Concolic {
            session,
            graph,
            asked: HashSet::new(),
            left: limits::QUESTIONS,
        }
    }

    /// A run along the beginning of this one and then elsewhere, if the solver finds one: to where no
    /// run was, or, of a run that got stuck, on.
    pub(super) fn other(
        &mut self,
        program: &Program<'_>,
        edges: &[u32],
        experience: &Experience,
        stats: &mut Statistics,
    ) -> Option<Run> {
        let mut path: Vec<EdgeId> = Vec::new();
        let mut hash = 0u64;
        let mut at = self.graph.initial;
        let mut candidates: Vec<(bool, usize, EdgeId, u64)> = Vec::new();
        for number in 0..=edges.len().min(LONGEST) {
            let taken = edges.get(number).map(|&edge| EdgeId::new(edge as usize));
            for &edge in program.ways(at) {
                let is_open = !experience.closed[program.target(edge).index()];
                if Some(edge) != taken && is_open {
                    let is_known = experience.covered[edge.index()] && taken.is_some();
                    candidates.push((is_known, number, edge, mixed(hash, edge)));
                }
            }
            let Some(edge) = taken else { break };
            path.push(edge);
            hash = mixed(hash, edge);
            at = program.target(edge);
        }
        // What is new first, and of that what comes first: its paths are short. Of what is known, a
        // few: other ways through the same edges.
        candidates.sort_by_key(|&(is_known, number, _, hash)| match is_known {
            true => (true, hash),
            false => (false, number as u64),
        });
        let mut others = 0;
        for (is_known, number, edge, hash) in candidates {
            if self.left == 0 {
                return None;
            }
            if !self.asked.insert(hash) {
                continue;
            }
            others += u64::from(is_known);
            if others > OTHERS {
                return None;
            }
            self.left -= 1;
            stats.paths += 1;
            let mut way = path[..number.min(path.len())].to_vec();
            way.push(edge);
            let path = Path::bare(self.session, self.graph, &way);
            match path.follow(Some(limits::INPUTS)) {
                Ok(Some(run)) => return Some(run),
                Ok(None) => {}
                // The whole run was stopped.
                Err(Failure::Stopped(_)) => self.left = 0,
                // What takes long counts for several.
                Err(_) => self.left = self.left.saturating_sub(9),
            }
        }
        None
    }
}

/// A hash of a path, from that of the path without its last edge.
fn mixed(hash: u64, edge: EdgeId) -> u64 {
    let mixed = hash.rotate_left(7) ^ (edge.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
