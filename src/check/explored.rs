//! Error locations that are excluded by following all runs.
//!
//! All edges are followed from what is known at the start, which is nothing, by evaluation alone
//! ([`partial`](ult_core::graph::partial)): what is followed stands for all runs. A state that was at the same location before
//! is not followed again. So if no error location is come to, no run reaches one. The formulas of the claim play no part.
//! Which states were seen is remembered at the cut locations and where edges meet; every cycle has one of these.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use petgraph::Direction;

use super::cut::Cuts;
use super::prover::Provers;
use ult_core::formula::{MapValue, Terms, Value};
use ult_core::graph::evidence::Plans;
use ult_core::graph::partial::Partial;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// The states that are remembered take no more bytes than this, as they are written, together.
const MOST_BYTES: usize = 1 << 29;

/// A number of more bytes is forgotten: squares of squares take for ever.
const MOST_DIGITS: u8 = 128;

/// The error locations among these that following all runs comes to, or does not come to the end of, and why.
pub(super) fn not_excluded(
    terms: &Terms,
    graph: &ProgramGraph,
    cuts: &Cuts,
    errors: &BTreeSet<LocationId>,
    provers: &Provers,
) -> Result<BTreeMap<LocationId, Reason>, Reason> {
    let rejected = |text: &str| Reason::ProofRejected(text.into());
    let useful = with_a_way_to(cuts, graph, errors);
    let mut plans = Plans::new(terms, graph);
    let mut seen = Seen::default();
    let mut doubtful = BTreeMap::new();
    let mut steps: u64 = 0;
    let start = Partial::unknown(graph);
    let mut waiting = vec![(graph.initial, start)];
    while let Some((location, mut state)) = waiting.pop() {
        if errors.contains(&location) {
            let text = "following all traces reaches the error location";
            doubtful.insert(location, rejected(text));
            if doubtful.len() == errors.len() {
                break;
            }
            continue;
        }
        let mut into = graph.graph.edges_directed(location, Direction::Incoming);
        let is_met = into.nth(1).is_some();
        if (cuts.is_cut(location) || is_met) && !seen.is_new(location, &mut state) {
            continue;
        }
        if seen.bytes > MOST_BYTES {
            let text = "there are too many states to follow all traces";
            let open = errors.iter().filter(|error| !doubtful.contains_key(error));
            let open: Vec<LocationId> = open.copied().collect();
            doubtful.extend(open.into_iter().map(|error| (error, rejected(text))));
            break;
        }
        let edges: Vec<(EdgeId, LocationId)> = cuts
            .steps_from(location)
            .filter(|(_, target)| useful.contains(target))
            .collect();
        for (edge, target) in edges {
            steps += 1;
            if steps.is_multiple_of(128) {
                provers.stopped()?;
            }
            if let Some(after) = plans.after(edge, &state) {
                waiting.push((target, after));
            }
        }
    }
    Ok(doubtful)
}

/// From where steps lead to some error location, without passing another one.
fn with_a_way_to(
    cuts: &Cuts,
    graph: &ProgramGraph,
    errors: &BTreeSet<LocationId>,
) -> BTreeSet<LocationId> {
    let mut useful = errors.clone();
    let mut work: Vec<LocationId> = errors.iter().copied().collect();
    while let Some(location) = work.pop() {
        for source in graph
            .graph
            .neighbors_directed(location, Direction::Incoming)
        {
            if !cuts.is_error(source) && useful.insert(source) {
                work.push(source);
            }
        }
    }
    useful
}

/// The values of a state that are maps, in order.
type Maps = Box<[Arc<MapValue>]>;

/// The states that were seen.
#[derive(Default)]
struct Seen {
    /// The maps of those that are otherwise the same: by what is written of location and values.
    states: HashMap<Box<[u8]>, Vec<Maps>>,
    bytes: usize,
    /// What is written of the state of the moment.
    text: Vec<u8>,
}

impl Seen {
    /// Whether no such state was at the location before. What cannot be written is forgotten.
    fn is_new(&mut self, location: LocationId, state: &mut Partial) -> bool {
        let text = &mut self.text;
        text.clear();
        text.extend_from_slice(&(location.index() as u64).to_le_bytes());
        let mut maps = Vec::new();
        let mut forgotten = Vec::new();
        for (variable, value) in state.values().enumerate() {
            let length = text.len();
            match value {
                None => text.push(0),
                Some(Value::Map(map)) => {
                    text.push(1);
                    maps.push(map.clone());
                }
                Some(value) => {
                    text.push(2);
                    if !write(value, text) {
                        text.truncate(length);
                        text.push(0);
                        forgotten.push(variable);
                    }
                }
            }
        }
        for variable in forgotten {
            state.forget(variable);
        }
        // A map shares most of its elements with the one before.
        self.bytes += text.len() + 64 + 512 * maps.len();
        let alike = match self.states.get_mut(&text[..]) {
            Some(alike) => alike,
            None => self.states.entry(text.as_slice().into()).or_default(),
        };
        let same = |known: &[Arc<MapValue>]| {
            let mut pairs = known.iter().zip(&maps);
            pairs.all(|(known, map)| Arc::ptr_eq(known, map) || known == map)
        };
        if alike.iter().any(|known| same(known)) {
            return false;
        }
        alike.push(maps.into());
        true
    }
}

/// Writes a value that is no map such that different values of one sort are written differently, and none as the beginning of
/// another one. Tells whether it could.
fn write(value: &Value, text: &mut Vec<u8>) -> bool {
    match value {
        Value::Bool(value) => {
            text.push(u8::from(*value));
            true
        }
        Value::Int(value) => digits(&value.to_signed_bytes_le(), text),
        Value::BitVec(value, _) => digits(&value.to_bytes_le(), text),
        Value::Float(value) => digits(&value.bits().to_bytes_le(), text),
        Value::Real(value) => {
            digits(&value.numer().to_signed_bytes_le(), text)
                && digits(&value.denom().to_signed_bytes_le(), text)
        }
        Value::Rounding(_)
        | Value::Element(..)
        | Value::Construct(_)
        | Value::Map(_)
        | Value::Open => false,
    }
}

/// Writes digits behind their number. Tells whether they are few enough.
fn digits(digits: &[u8], text: &mut Vec<u8>) -> bool {
    let Some(length) = u8::try_from(digits.len())
        .ok()
        .filter(|&n| n <= MOST_DIGITS)
    else {
        return false;
    };
    text.push(length);
    text.extend_from_slice(digits);
    true
}
