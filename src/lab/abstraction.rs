//! The graph of abstract states as somebody has seen it so far, and the error paths in it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ult_core::formula::print::cut;
use ult_explain::search::{Change, Element, PlaceKind, Step};

/// So many prefixes of paths are looked at.
const MOST_PREFIXES: usize = 4000;

/// What an edge does is cut to so many characters; the table beside the picture has all of it.
const EDGE: usize = 60;

/// The graph.
#[derive(Debug, Default)]
pub(crate) struct Abstraction {
    /// Names and kinds, by number.
    pub(crate) states: BTreeMap<u32, (String, PlaceKind)>,
    /// From, to, what it does; by number.
    pub(crate) edges: BTreeMap<u32, (u32, u32, String)>,
    first: Option<u32>,
}

impl Abstraction {
    /// What a step changes.
    pub(crate) fn apply(&mut self, step: &Step) {
        for change in &step.changes {
            match change {
                Change::Clear => *self = Abstraction::default(),
                Change::State(number, place) => {
                    self.first.get_or_insert(*number);
                    self.states
                        .insert(*number, (place.name.clone(), place.kind));
                }
                Change::Edge(number, from, to, formula) => {
                    let known = (*from, *to, formula.text.clone());
                    self.edges.insert(*number, known);
                }
                Change::Remove(Element::State(number)) => {
                    self.states.remove(number);
                }
                Change::Remove(Element::Edge(number)) => {
                    self.edges.remove(number);
                }
                Change::Formula(..) | Change::Cover(..) => {}
            }
        }
    }

    /// The name of a state.
    pub(crate) fn name(&self, state: u32) -> &str {
        self.states.get(&state).map_or("?", |(name, _)| name)
    }

    /// An edge in words.
    pub(crate) fn arrow(&self, edge: u32) -> String {
        let Some((from, to, formula)) = self.edges.get(&edge) else {
            return "?".into();
        };
        let formula = cut(formula, EDGE);
        format!("{} → {}: {formula}", self.name(*from), self.name(*to))
    }

    /// A path in words: its states, and what tells it apart from others along the same states.
    pub(crate) fn walk(&self, edges: &[u32]) -> String {
        let mut text = String::new();
        for &edge in edges {
            let Some((from, to, formula)) = self.edges.get(&edge) else {
                continue;
            };
            if text.is_empty() {
                text += self.name(*from);
            }
            let mut all = self.edges.values();
            let others = all.any(|(f, t, other)| (f, t) == (from, to) && other != formula);
            match others {
                true => text += &format!(" → [{}] {}", cut(formula, EDGE), self.name(*to)),
                false => text += &format!(" → {}", self.name(*to)),
            }
        }
        text
    }

    /// Some error paths, shortest first, as edges.
    pub(crate) fn error_paths(&self, most: usize) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut queue: VecDeque<(u32, Vec<u32>)> = VecDeque::new();
        queue.extend(self.first.map(|first| (first, Vec::new())));
        let mut looked = 0;
        while let Some((at, path)) = queue.pop_front() {
            looked += 1;
            if found.len() >= most || looked > MOST_PREFIXES {
                break;
            }
            let is_error = |(_, kind): &(String, PlaceKind)| *kind == PlaceKind::Error;
            if self.states.get(&at).is_some_and(is_error) {
                found.push(path);
                continue;
            }
            for (&edge, &(from, to, _)) in &self.edges {
                if from == at && queue.len() < MOST_PREFIXES {
                    let mut longer = path.clone();
                    longer.push(edge);
                    queue.push_back((to, longer));
                }
            }
        }
        found
    }

    /// The states that an element of a set of edges touches.
    pub(crate) fn touched(&self, edges: &BTreeSet<u32>) -> BTreeSet<u32> {
        let ends = edges.iter().filter_map(|edge| self.edges.get(edge));
        ends.flat_map(|(from, to, _)| [*from, *to]).collect()
    }
}
