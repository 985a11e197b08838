//! The labelled program graph: the abstraction that slicing refines.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::Direction;
use petgraph::stable_graph::{EdgeIndex, EdgeReference, NodeIndex, StableDiGraph};
use petgraph::visit::{EdgeRef as _, IntoEdgeReferences as _};

use crate::invariants::Lemmas;
use crate::record::{AbstractEdge, AbstractState, Step};
use ult_core::formula::{Term, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// A node of the labelled graph.
pub type NodeId = NodeIndex<u32>;

/// An edge of the labelled graph.
pub type LabelledEdgeId = EdgeIndex<u32>;

/// The number of a node in a record.
pub fn number(node: NodeId) -> u32 {
    u32::try_from(node.index()).unwrap_or(u32::MAX)
}

/// The number of an edge in a record.
pub fn edge_number(edge: LabelledEdgeId) -> u32 {
    u32::try_from(edge.index()).unwrap_or(u32::MAX)
}

fn abstract_edge(edge: EdgeReference<'_, LabelledEdge>) -> AbstractEdge {
    AbstractEdge {
        number: edge_number(edge.id()),
        from: number(edge.source()),
        to: number(edge.target()),
        block: edge.weight().block,
    }
}

/// An abstract state: a location and a formula.
#[derive(Clone, Debug)]
struct Node {
    location: LocationId,
    /// `Inv`: the conjunction of these state formulas (interpolants and negated interpolants).
    literals: Vec<Term>,
    /// The node of the split tree that this node is a leaf of.
    leaf: usize,
}

/// How the states of a location were divided: the split tree. Its leaves are nodes.
#[derive(Clone, Debug)]
enum SplitTree {
    /// Not divided.
    Leaf(NodeId),
    /// Divided by an interpolant into where it holds (first) and where not (second).
    By(Term, usize, usize),
}

/// A copy of an edge of the program graph.
#[derive(Clone, Debug)]
struct LabelledEdge {
    block: EdgeId,
    /// Whether a solver said that some step along this edge exists between the two labels.
    feasible: bool,
    /// The other copy of an edge that was feasible before a split: if one of the two is
    /// infeasible, the other is feasible.
    twin: Option<LabelledEdgeId>,
}

impl LabelledEdge {
    fn unchecked(block: EdgeId) -> LabelledEdge {
        LabelledEdge {
            block,
            feasible: false,
            twin: None,
        }
    }
}

/// A program graph whose locations were split into nodes with labels. The labels of the nodes of
/// one location cover all states; an edge that is missing between two nodes is infeasible.
#[derive(Clone, Debug)]
pub struct Labelled {
    graph: StableDiGraph<Node, LabelledEdge>,
    initial: NodeId,
    errors: BTreeSet<NodeId>,
    trees: Vec<SplitTree>,
    /// The root of each location's split tree.
    roots: BTreeMap<LocationId, usize>,
    /// How far the search for an error path is, as long as no edge has changed since it began.
    search: Option<Search>,
}

/// A breadth-first search. Where many error locations are reached one after the other, each search would begin with all that
/// the last one has seen: it goes on instead.
#[derive(Clone, Debug)]
struct Search {
    /// By which edge it came to each node; by none to the first.
    arrived_by: BTreeMap<NodeId, Option<LabelledEdgeId>>,
    /// Where it has been, and has not looked further.
    queue: VecDeque<NodeId>,
}

impl Labelled {
    /// One node per location, labelled by what is known to hold there.
    pub fn new(program: &ProgramGraph, known: &Lemmas) -> Labelled {
        let mut graph = StableDiGraph::new();
        let mut nodes = BTreeMap::new();
        let mut trees = Vec::new();
        let mut roots = BTreeMap::new();
        for location in program.graph.node_indices() {
            let node = graph.add_node(Node {
                location,
                literals: known.get(&location).cloned().unwrap_or_default(),
                leaf: trees.len(),
            });
            roots.insert(location, trees.len());
            trees.push(SplitTree::Leaf(node));
            nodes.insert(location, node);
        }
        for edge in program.graph.edge_references() {
            graph.add_edge(
                nodes[&edge.source()],
                nodes[&edge.target()],
                LabelledEdge::unchecked(edge.id()),
            );
        }
        Labelled {
            initial: nodes[&program.initial],
            errors: program.errors().map(|l| nodes[&l]).collect(),
            graph,
            trees,
            roots,
            search: None,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.graph.node_count() == 0
    }

    /// The location of a node.
    pub fn location(&self, node: NodeId) -> LocationId {
        self.graph[node].location
    }

    /// The conjuncts of a node's label.
    pub fn literals(&self, node: NodeId) -> &[Term] {
        &self.graph[node].literals
    }

    /// The label of a node.
    pub fn label(&self, terms: &Terms, node: NodeId) -> Term {
        terms.and(self.graph[node].literals.iter().copied())
    }

    /// The edge of the program graph that a labelled edge copies.
    pub fn block(&self, edge: LabelledEdgeId) -> EdgeId {
        self.graph[edge].block
    }

    /// Source and target.
    pub fn endpoints(&self, edge: LabelledEdgeId) -> (NodeId, NodeId) {
        self.graph
            .edge_endpoints(edge)
            .expect("edges of a path exist until they are sliced")
    }

    /// Whether a solver said that the edge is feasible.
    pub fn is_feasible(&self, edge: LabelledEdgeId) -> bool {
        self.graph[edge].feasible
    }

    /// Notes that the edge is feasible.
    pub fn mark_feasible(&mut self, edge: LabelledEdgeId) {
        self.graph[edge].feasible = true;
    }

    /// Removes an infeasible edge.
    pub fn slice(&mut self, edge: LabelledEdgeId) {
        let Some(removed) = self.graph.remove_edge(edge) else {
            return;
        };
        self.search = None;
        if let Some(twin) = removed.twin
            && let Some(other) = self.graph.edge_weight_mut(twin)
            && other.twin == Some(edge)
        {
            other.feasible = true;
            other.twin = None;
        }
    }

    /// Removes the copy of `block` between two nodes, known to be infeasible. Tells which one it
    /// was, if there was one.
    pub fn slice_between(
        &mut self,
        from: NodeId,
        to: NodeId,
        block: EdgeId,
    ) -> Option<LabelledEdgeId> {
        let found = self
            .graph
            .edges_connecting(from, to)
            .find(|edge| edge.weight().block == block)
            .map(|edge| edge.id());
        if let Some(edge) = found {
            self.slice(edge);
        }
        found
    }

    /// `Split(node, I)`: the node keeps the half where `interpolant` holds; the new node, which is
    /// returned, has the other half. All edges are copied; a self-loop becomes four edges.
    pub fn split(&mut self, node: NodeId, interpolant: Term, negation: Term) -> NodeId {
        self.search = None;
        let Node {
            location,
            mut literals,
            leaf,
        } = self.graph[node].clone();
        literals.push(negation);
        let other = self.graph.add_node(Node {
            location,
            literals,
            leaf: self.trees.len() + 1,
        });
        self.graph[node].literals.push(interpolant);
        self.graph[node].leaf = self.trees.len();
        self.trees[leaf] = SplitTree::By(interpolant, self.trees.len(), self.trees.len() + 1);
        self.trees
            .extend([SplitTree::Leaf(node), SplitTree::Leaf(other)]);

        let edges: Vec<_> = self
            .graph
            .edges_directed(node, Direction::Incoming)
            .chain(
                self.graph
                    .edges_directed(node, Direction::Outgoing)
                    .filter(|edge| edge.target() != node),
            )
            .map(|edge| {
                (
                    edge.id(),
                    edge.source(),
                    edge.target(),
                    edge.weight().clone(),
                )
            })
            .collect();
        for (edge, source, target, old) in edges {
            let mut copy = |source, target| {
                self.graph
                    .add_edge(source, target, LabelledEdge::unchecked(old.block))
            };
            let twin = match (source == node, target == node) {
                (true, true) => {
                    copy(node, other);
                    copy(other, node);
                    copy(other, other);
                    None
                }
                (true, false) => Some(copy(other, target)),
                _ => Some(copy(source, other)),
            };
            let twin = twin.filter(|_| old.feasible);
            self.graph[edge] = LabelledEdge {
                twin,
                ..LabelledEdge::unchecked(old.block)
            };
            if let Some(twin) = twin {
                self.graph[twin].twin = Some(edge);
            }
        }
        other
    }

    /// The invariants that the graph stands for: at each location, the disjunction of the labels
    /// of its reachable nodes, written along the split tree, so that its size is linear in the
    /// number of splits.
    pub fn invariants(&self, terms: &Terms) -> BTreeMap<LocationId, Term> {
        let reachable = self.reachable();
        // Children have larger numbers than their parents.
        let mut formulas = vec![terms.ff(); self.trees.len()];
        for (i, division) in self.trees.iter().enumerate().rev() {
            formulas[i] = match division {
                SplitTree::Leaf(node) => terms.bool(reachable.contains(node)),
                SplitTree::By(interpolant, yes, no) => {
                    terms.ite(*interpolant, formulas[*yes], formulas[*no])
                }
            };
        }
        self.roots
            .iter()
            .map(|(&location, &root)| (location, formulas[root]))
            .collect()
    }

    /// A shortest path from the initial node to an error node: breadth first, edges in the order
    /// of their targets' numbers.
    pub fn shortest_error_path(&mut self) -> Option<Vec<LabelledEdgeId>> {
        let mut search = self.search.take().unwrap_or_else(|| Search {
            arrived_by: BTreeMap::from([(self.initial, None)]),
            queue: VecDeque::from([self.initial]),
        });
        let found = self.go_on(&mut search);
        self.search = Some(search);
        found
    }

    /// Goes on with a search up to an error node. That stays in the queue: it may be forgotten, and others may lie behind it.
    fn go_on(&self, search: &mut Search) -> Option<Vec<LabelledEdgeId>> {
        let Search { arrived_by, queue } = search;
        while let Some(&node) = queue.front() {
            if self.errors.contains(&node) {
                let mut path = Vec::new();
                let mut at = node;
                while let Some(Some(edge)) = arrived_by.get(&at) {
                    path.push(*edge);
                    at = self.endpoints(*edge).0;
                }
                path.reverse();
                return Some(path);
            }
            queue.pop_front();
            for (target, edge) in self.successors(node) {
                arrived_by.entry(target).or_insert_with(|| {
                    queue.push_back(target);
                    Some(edge)
                });
            }
        }
        None
    }

    /// Targets and edges, in the order of their numbers.
    fn successors(&self, node: NodeId) -> BTreeSet<(NodeId, LabelledEdgeId)> {
        self.graph
            .edges(node)
            .map(|edge| (edge.target(), edge.id()))
            .collect()
    }

    /// The nodes along a path, first and last included.
    pub fn nodes_of(&self, path: &[LabelledEdgeId]) -> Vec<NodeId> {
        let mut nodes = vec![self.initial];
        nodes.extend(path.iter().map(|&edge| self.endpoints(edge).1));
        nodes
    }

    /// No error path may end in this node any more. No other has its location: error paths end in it, so none of them splits it.
    pub fn forget_error(&mut self, node: NodeId) {
        self.errors.remove(&node);
    }

    /// The nodes that can be reached from the initial one.
    pub fn reachable(&self) -> BTreeSet<NodeId> {
        let mut reached = BTreeSet::from([self.initial]);
        let mut queue = VecDeque::from([self.initial]);
        while let Some(node) = queue.pop_front() {
            for target in self.graph.neighbors(node) {
                if reached.insert(target) {
                    queue.push_back(target);
                }
            }
        }
        reached
    }

    /// The error locations that still have a path.
    pub fn reachable_errors(&self) -> BTreeSet<LocationId> {
        self.reachable()
            .intersection(&self.errors)
            .map(|&node| self.graph[node].location)
            .collect()
    }

    /// How it looks at the beginning, for a record.
    pub fn beginning(&self, terms: &Terms) -> Step {
        let others = self.graph.node_indices().filter(|&n| n != self.initial);
        Step::Begin {
            states: std::iter::once(self.initial)
                .chain(others)
                .map(|node| self.abstract_state(terms, node))
                .collect(),
            edges: self.graph.edge_references().map(abstract_edge).collect(),
        }
    }

    /// A node, for a record.
    pub fn abstract_state(&self, terms: &Terms, node: NodeId) -> AbstractState {
        AbstractState {
            number: number(node),
            location: self.location(node),
            formula: self.label(terms, node),
        }
    }

    /// All edges from and to a node, for a record.
    pub fn edges_at(&self, node: NodeId) -> Vec<AbstractEdge> {
        let outgoing = self.graph.edges(node);
        self.graph
            .edges_directed(node, Direction::Incoming)
            .chain(outgoing.filter(|edge| edge.target() != node))
            .map(abstract_edge)
            .collect()
    }

    /// What it looks like: a program graph with a location for each node that can be reached by
    /// edges, and the nodes' labels. Copies of a location are numbered.
    pub fn picture(
        &self,
        terms: &Terms,
        program: &ProgramGraph,
    ) -> (ProgramGraph, BTreeMap<LocationId, Term>) {
        let mut picture = program.without_locations();
        let mut labels = BTreeMap::new();
        let mut shown = BTreeMap::new();
        let mut copies: BTreeMap<LocationId, u32> = BTreeMap::new();
        let used: BTreeSet<&str> = program.graph.node_weights().map(|l| &*l.name).collect();
        for node in self.reachable() {
            let mut location = program.graph[self.location(node)].clone();
            let copy = copies.entry(self.location(node)).or_default();
            while *copy > 0 && used.contains(&*format!("{}_{}", location.name, *copy + 1)) {
                *copy += 1;
            }
            *copy += 1;
            if *copy > 1 {
                location.name = format!("{}_{copy}", location.name).into();
            }
            let id = picture.graph.add_node(location);
            labels.insert(id, self.label(terms, node));
            shown.insert(node, id);
        }
        picture.initial = shown[&self.initial];
        for (source, target, block) in self.edges() {
            if let (Some(&from), Some(&to)) = (shown.get(&source), shown.get(&target)) {
                picture
                    .graph
                    .add_edge(from, to, program.graph[block].clone());
            }
        }
        (picture, labels)
    }

    /// All edges: source, target, block.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, EdgeId)> + '_ {
        self.graph
            .edge_references()
            .map(|edge| (edge.source(), edge.target(), edge.weight().block))
    }
}
