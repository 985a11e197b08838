//! Error locations that are excluded by following all runs.
//!
//! All edges are followed from what is known at the start, which is nothing, by evaluation alone
//! ([`partial`](ult_core::graph::partial)): what is followed stands for all runs. A state that was at the same location before
//! is not followed again. So if no error location is come to, no run reaches one. The formulas of the claim play no part.
//! Which states were seen is remembered at the cut locations and where edges meet; every cycle has one of these.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use petgraph::Direction;

use super::cut::Cuts;
use super::prover::Provers;
use crate::limits::Far;
use ult_core::formula::{MapValue, Terms, Value};
use ult_core::graph::evidence::Plans;
use ult_core::graph::partial::Partial;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// The states that are remembered take no more bytes than this, as they are written, together.
const MOST_BYTES: usize = 1 << 29;

/// So many steps are followed of one trace before those of another one.
const TURN: u64 = 4096;

/// A number of more bytes is forgotten: squares of squares take for ever.
const MOST_DIGITS: u8 = 128;

/// The error locations among these that following all runs comes to, or does not come to the end of, and why.
pub(super) fn not_excluded(
    terms: &Terms,
    graph: &ProgramGraph,
    cuts: &Cuts,
    errors: &BTreeSet<LocationId>,
    mut far: Far,
    provers: &Provers,
) -> Result<BTreeMap<LocationId, Reason>, Reason> {
    let rejected = |text: &str| Reason::ProofRejected(text.into());
    let useful = with_a_way_to(cuts, graph, errors);
    let mut plans = Plans::new(terms, graph);
    let mut seen = Seen::default();
    let mut doubtful = BTreeMap::new();
    let mut waiting = VecDeque::from([(graph.initial, Partial::unknown(graph))]);
    let mut landmark = Landmark::default();
    while let Some((mut location, mut state)) = waiting.pop_front() {
        for turn in 1.. {
            if turn % 128 == 0 {
                provers.stopped()?;
            }
            if errors.contains(&location) {
                let text = "following all traces reaches the error location";
                doubtful.insert(location, rejected(text));
                break;
            }
            let mut into = graph.graph.edges_directed(location, Direction::Incoming);
            let is_met = into.nth(1).is_some();
            if cuts.is_cut(location) || is_met {
                // Who is alone need not remember all states: to come back to one is noticed, too.
                let is_new = match waiting.is_empty() {
                    true => {
                        forget_large(&mut state);
                        landmark.is_new(location, &state) && !seen.contains(location, &mut state)
                    }
                    false => seen.is_new(location, &mut state),
                };
                if !is_new {
                    break;
                }
            }
            let steps = cuts.steps_from(location);
            let mut steps: Vec<(EdgeId, LocationId)> = steps
                .filter(|(_, target)| useful.contains(target))
                .collect();
            let last = steps.pop();
            let mut others = Vec::new();
            for (edge, target) in steps {
                let mut after = state.clone();
                if plans.advance(edge, &mut after) {
                    others.push((target, after));
                }
            }
            match last {
                Some((edge, target)) if plans.advance(edge, &mut state) => location = target,
                _ => match others.pop() {
                    Some(other) => (location, state) = other,
                    None => break,
                },
            }
            far.steps = far.steps.saturating_sub(1);
            far.choices = far.choices.saturating_sub(others.len() as u64);
            waiting.extend(others);
            if far.steps == 0 || far.choices == 0 {
                waiting.push_back((location, state));
                break;
            }
            // In turns: where one of two ways is short, the other one is alone soon.
            if turn >= TURN && !waiting.is_empty() {
                waiting.push_back((location, state));
                break;
            }
        }
        if doubtful.len() == errors.len() {
            break;
        }
        if seen.bytes > MOST_BYTES || far.steps == 0 || far.choices == 0 {
            let text = "there are too many states to follow all traces";
            let open = errors.iter().filter(|error| !doubtful.contains_key(error));
            let open: Vec<LocationId> = open.copied().collect();
            doubtful.extend(open.into_iter().map(|error| (error, rejected(text))));
            break;
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

/// A state in which a trace was alone, farther and farther back from where it is (Brent, "An improved Monte Carlo factorization
/// algorithm", 1980): who is alone in it again goes in circles, since all others from there have been followed to their ends.
#[derive(Default)]
struct Landmark {
    visits: u64,
    state: Option<(LocationId, Partial)>,
}

impl Landmark {
    /// Whether the state is not the landmark.
    fn is_new(&mut self, location: LocationId, state: &Partial) -> bool {
        if let Some((at, known)) = &self.state
            && *at == location
            && are_equal(known, state)
        {
            return false;
        }
        self.visits += 1;
        if self.visits.is_power_of_two() {
            self.state = Some((location, state.clone()));
        }
        true
    }
}

/// Whether the same is known of two states. Maps are looked at last: that takes longest.
fn are_equal(one: &Partial, other: &Partial) -> bool {
    let is_map = |value: Option<&Value>| matches!(value, Some(Value::Map(_)));
    let pairs = || one.values().zip(other.values());
    let mut others = pairs().filter(|(value, _)| !is_map(*value));
    let mut maps = pairs().filter(|(value, _)| is_map(*value));
    others.all(|(one, other)| one == other) && maps.all(|(one, other)| one == other)
}

/// Forgets numbers with very many digits.
fn forget_large(state: &mut Partial) {
    let most = 8 * u64::from(MOST_DIGITS);
    let is_large = |value: &Value| match value {
        Value::Int(value) => value.bits() > most,
        Value::Real(value) => value.numer().bits() > most || value.denom().bits() > most,
        _ => false,
    };
    let large: Vec<usize> = (state.values().enumerate())
        .filter(|(_, value)| value.is_some_and(is_large))
        .map(|(variable, _)| variable)
        .collect();
    for variable in large {
        state.forget(variable);
    }
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
    /// Whether such a state was at the location before. What cannot be written is forgotten.
    fn contains(&mut self, location: LocationId, state: &mut Partial) -> bool {
        if self.states.is_empty() {
            return false;
        }
        let maps = self.write(location, state);
        let alike = self.states.get(&self.text[..]);
        alike.is_some_and(|alike| alike.iter().any(|known| known[..] == maps[..]))
    }

    /// Whether no such state was at the location before; from now on it was. What cannot be written is forgotten.
    fn is_new(&mut self, location: LocationId, state: &mut Partial) -> bool {
        let maps = self.write(location, state);
        // A map shares most of its elements with the one before.
        self.bytes += self.text.len() + 64 + 512 * maps.len();
        let alike = match self.states.get_mut(&self.text[..]) {
            Some(alike) => alike,
            None => self.states.entry(self.text.as_slice().into()).or_default(),
        };
        if alike.iter().any(|known| known[..] == maps[..]) {
            return false;
        }
        alike.push(maps.into());
        true
    }

    /// Writes a state at a location, and returns its maps, which are not written.
    fn write(&mut self, location: LocationId, state: &mut Partial) -> Vec<Arc<MapValue>> {
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
        maps
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
