//! The graph of abstract states at each step of a search, drawn.
//!
//! A step tells what changes. Here the changes are replayed: what goes is still there in the picture
//! of the step in which it goes, marked, and not in the next one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::drawn::{self, Texts};
use ult_core::formula::print::cut;
use ult_draw::drawing::{Drawing, DrawnEdge, DrawnNode, NodeKind};
use ult_explain::search::{Change, Element, Formula, Place, PlaceKind, Search, Step};

/// A graph with more nodes than this is not drawn.
pub(super) const MOST_NODES: usize = 200;

/// Neither is one of abstract states with more edges than this.
const MOST_EDGES: usize = 300;

/// With more edges than this, those between the same two states are drawn as one.
const MOST_SINGLE: usize = 60;

/// When all pictures of a page together have more nodes and edges than this, no more are made.
const MOST_ELEMENTS: usize = 20_000;

/// Labels of edges have so many lines here: the program graph beside shows more.
const EDGE_LINES: usize = 2;

/// They are cut to so many characters.
const EDGE_LINE: usize = 28;

/// The pictures of a page so far, and how much room they have taken.
#[derive(Default)]
pub(super) struct Budget {
    elements: usize,
}

/// The pictures of a search, and for each step which one shows it.
pub(super) fn frames(
    search: &Search,
    texts: &mut Texts,
    budget: &mut Budget,
) -> (Vec<Value>, Vec<usize>) {
    let mut replay = Replay::default();
    let mut frames: Vec<Value> = Vec::new();
    let mut shown = Vec::new();
    for step in &search.steps {
        if replay.step(step) || frames.is_empty() {
            frames.push(replay.draw(texts, budget));
        }
        shown.push(frames.len() - 1);
    }
    (frames, shown)
}

/// The graph of abstract states as it is in the picture of the last step.
#[derive(Default)]
pub(super) struct Replay {
    graph: Abstraction,
    /// What goes in this step: it is still there.
    gone: Vec<Element>,
}

impl Replay {
    /// The next step. Tells whether it needs another picture.
    pub(super) fn step(&mut self, step: &Step) -> bool {
        let mut changed = !self.gone.is_empty();
        for element in std::mem::take(&mut self.gone) {
            self.graph.remove(element);
        }
        for change in &step.changes {
            match change {
                Change::Remove(element) => self.gone.push(*element),
                change => {
                    self.graph.apply(change);
                    changed = true;
                }
            }
        }
        changed
    }

    /// The picture.
    pub(super) fn draw(&self, texts: &mut Texts, budget: &mut Budget) -> Value {
        self.graph.draw(texts, budget)
    }
}

#[derive(Default)]
struct Abstraction {
    states: BTreeMap<u32, State>,
    edges: BTreeMap<u32, (u32, u32, Formula)>,
    first: Option<u32>,
}

struct State {
    place: Place,
    covered_by: Option<u32>,
}

impl Abstraction {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Clear => *self = Abstraction::default(),
            Change::State(number, place) => {
                self.first.get_or_insert(*number);
                let place = place.clone();
                let covered_by = None;
                self.states.insert(*number, State { place, covered_by });
            }
            Change::Edge(number, from, to, formula) => {
                self.edges.insert(*number, (*from, *to, formula.clone()));
            }
            Change::Formula(number, formula) => {
                if let Some(state) = self.states.get_mut(number) {
                    state.place.formula = formula.clone();
                }
            }
            Change::Cover(number, by) => {
                if let Some(state) = self.states.get_mut(number) {
                    state.covered_by = *by;
                }
            }
            Change::Remove(element) => self.remove(*element),
        }
    }

    fn remove(&mut self, element: Element) {
        match element {
            Element::State(number) => {
                self.states.remove(&number);
            }
            Element::Edge(number) => {
                self.edges.remove(&number);
            }
        }
    }

    /// What can be reached from the first state; the rest stands for nothing.
    fn reachable(&self) -> BTreeSet<u32> {
        let mut successors: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (from, to, _) in self.edges.values() {
            successors.entry(*from).or_default().push(*to);
        }
        let mut found: BTreeSet<u32> = self.first.into_iter().collect();
        let mut stack: Vec<u32> = found.iter().copied().collect();
        while let Some(state) = stack.pop() {
            for &next in successors.get(&state).into_iter().flatten() {
                if self.states.contains_key(&next) && found.insert(next) {
                    stack.push(next);
                }
            }
        }
        found
    }

    fn draw(&self, texts: &mut Texts, budget: &mut Budget) -> Value {
        let reachable = self.reachable();
        let (mut drawing, mut index) = (Drawing::default(), BTreeMap::new());
        let mut nodes = Vec::new();
        for (&number, state) in &self.states {
            if !reachable.contains(&number) {
                continue;
            }
            index.insert(number, drawing.nodes.len());
            drawing
                .nodes
                .push(drawn_node(&state.place, self.cover(state)));
            nodes.push(json!({
                "id": number,
                "name": texts.add(&state.place.name),
                "construct": state.place.construct.as_ref().map(|construct| texts.add(construct)),
                "text": texts.add(words(&state.place)),
                "kind": kind_name(state.place.kind),
                "cover": self.cover(state).map(|name| texts.add(name)),
            }));
        }
        let mut edges = Vec::new();
        for bundle in self.bundles(&index) {
            drawing.edges.push(DrawnEdge {
                from: bundle.from,
                to: bundle.to,
                label: bundle.label(),
                detail: String::new(),
            });
            let said = bundle
                .edges
                .iter()
                .map(|(_, formula)| texts.add(&formula.text));
            edges.push(json!({
                "from": bundle.from,
                "to": bundle.to,
                "texts": said.collect::<Vec<usize>>(),
                "ids": bundle.edges.iter().map(|(number, _)| *number).collect::<Vec<u32>>(),
            }));
        }
        // Coverings are drawn like edges, after them.
        for (number, state) in &self.states {
            if let (Some(&from), Some(by)) = (index.get(number), state.covered_by)
                && let Some(&to) = index.get(&by)
            {
                drawing.edges.push(DrawnEdge {
                    from,
                    to,
                    label: vec!["covered by".into()],
                    detail: String::new(),
                });
                edges.push(json!({ "cover": true, "from": from, "to": to }));
            }
        }
        let count = json!([drawing.nodes.len(), self.edges.len()]);
        if budget.elements > MOST_ELEMENTS {
            return json!({ "nodes": [], "edges": [], "drawn": false, "full": true, "count": count });
        }
        budget.elements += drawing.nodes.len() + drawing.edges.len() + self.edges.len() / 8;
        let is_drawn = drawing.nodes.len() <= MOST_NODES && drawing.edges.len() <= MOST_EDGES;
        drawn::merged(&drawing, nodes, edges, is_drawn, texts)
    }

    /// The edges between states that are shown. Where there are many, those between the same two
    /// states are drawn as one.
    fn bundles(&self, index: &BTreeMap<u32, usize>) -> Vec<Bundle<'_>> {
        let mut bundles: Vec<Bundle<'_>> = Vec::new();
        let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (&number, (from, to, formula)) in &self.edges {
            let (Some(&from), Some(&to)) = (index.get(from), index.get(to)) else {
                continue;
            };
            let edge = (number, formula);
            match known.get(&(from, to)) {
                Some(&bundle) if self.edges.len() > MOST_SINGLE => bundles[bundle].edges.push(edge),
                _ => {
                    known.insert((from, to), bundles.len());
                    let edges = vec![edge];
                    bundles.push(Bundle { from, to, edges });
                }
            }
        }
        bundles
    }

    fn cover(&self, state: &State) -> Option<&str> {
        let by = self.states.get(&state.covered_by?)?;
        Some(&by.place.name)
    }
}

/// Edges between the same two states, by number and formula.
struct Bundle<'a> {
    from: usize,
    to: usize,
    edges: Vec<(u32, &'a Formula)>,
}

impl Bundle<'_> {
    fn label(&self) -> Vec<String> {
        let [(_, formula)] = &self.edges[..] else {
            return vec![format!("{} edges", self.edges.len())];
        };
        let lines = formula.lines.iter().take(EDGE_LINES);
        let mut label: Vec<String> = lines.map(|line| cut(line, EDGE_LINE)).collect();
        if formula.lines.len() > EDGE_LINES
            && let Some(last) = label.last_mut()
        {
            *last = format!("{} …", last.trim_end_matches('…'));
        }
        label
    }
}

/// What a state says, in full.
fn words(place: &Place) -> &str {
    match (&place.error, place.formula.text.as_str()) {
        (Some(error), "" | "true") => error,
        (_, "") => "true",
        (_, text) => text,
    }
}

/// A location or state as a node of a drawing.
pub(super) fn drawn_node(place: &Place, covered_by: Option<&str>) -> DrawnNode {
    let mut lines = vec![cut(&place.name, 44)];
    lines.extend(place.construct.iter().map(|construct| cut(construct, 44)));
    lines.extend(place.error.iter().map(|error| cut(error, 44)));
    lines.extend(place.formula.lines.iter().cloned());
    lines.extend(covered_by.map(|by| format!("covered by {by}")));
    DrawnNode {
        lines,
        kind: match place.kind {
            PlaceKind::Plain => NodeKind::Plain,
            PlaceKind::Initial => NodeKind::Initial,
            PlaceKind::LoopHead => NodeKind::LoopHead,
            PlaceKind::Error => NodeKind::Error,
        },
        detail: String::new(),
    }
}

/// The word for the kind of a node.
pub(super) fn kind_name(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Plain => "plain",
        PlaceKind::Initial => "initial",
        PlaceKind::LoopHead => "loop",
        PlaceKind::Error => "error",
    }
}
