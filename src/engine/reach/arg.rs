//! The abstract reachability graph: a tree of nodes with a covering relation, and the waitlist.
//!
//! A node is a location of the reduced graph and an abstract state; since blocks are made before
//! the engine starts, all nodes are abstraction states, nodes are never merged, and the graph is a
//! tree (thesis, section 4.1.4).
//!
//! *Covering* (thesis, section 3.4): an older node covers a newer one at its location that it is
//! implied by. The coverer is not covered, nor is any of its ancestors, so there are no chains.
//! What hangs from a covered node is *hidden*: neither expanded, nor a coverer, nor part of the
//! result, until the node is uncovered.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::precision::Precision;
use super::settings::Order;
use super::state::State;
use ult_core::graph::{EdgeId, LocationId};

/// A node. Newer nodes have larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// Its number: how many nodes of its tree are older.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

struct Node {
    location: LocationId,
    /// The parent, and the edge from it.
    parent: Option<(NodeId, EdgeId)>,
    depth: u32,
    state: State,
    /// The precision that the state was abstracted with.
    made_with: Rc<Precision>,
    /// The precision for successors.
    precision: Rc<Precision>,
    children: Vec<NodeId>,
    /// Whether all successors that there may be are among the children.
    expanded: bool,
    removed: bool,
    /// Some proper ancestor is covered.
    hidden: bool,
    covered_by: Option<NodeId>,
    covers: BTreeSet<NodeId>,
}

/// The tree, the coverings, and the waitlist.
pub(super) struct Arg {
    nodes: Vec<Node>,
    /// The nodes of each location, the oldest first.
    at: Vec<Vec<NodeId>>,
    order: Order,
    /// The position of each location in a topological order.
    ranks: Vec<u32>,
    /// Nodes to expand, with what they are sorted by.
    waitlist: BTreeSet<((u32, u32), NodeId)>,
}

/// A new node.
pub(super) struct NewNode {
    /// The location.
    pub location: LocationId,
    /// The parent, and the edge from it.
    pub parent: Option<(NodeId, EdgeId)>,
    /// The state.
    pub state: State,
    /// The precision it was abstracted with, and that its successors will be abstracted with.
    pub precision: Rc<Precision>,
}

impl Arg {
    /// An empty tree. `ranks` gives each location its position in a topological order.
    pub(super) fn new(order: Order, ranks: Vec<u32>) -> Arg {
        Arg {
            nodes: Vec::new(),
            at: vec![Vec::new(); ranks.len()],
            order,
            ranks,
            waitlist: BTreeSet::new(),
        }
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.index()]
    }

    /// How many nodes were made.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a node. It is not in the waitlist.
    pub(super) fn add(&mut self, new: NewNode) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        let depth = new
            .parent
            .map_or(0, |(parent, _)| self.node(parent).depth + 1);
        let hidden = new
            .parent
            .is_some_and(|(parent, _)| !self.is_active(parent));
        self.at[new.location.index()].push(id);
        self.nodes.push(Node {
            location: new.location,
            parent: new.parent,
            depth,
            state: new.state,
            made_with: new.precision.clone(),
            precision: new.precision,
            children: Vec::new(),
            expanded: false,
            removed: false,
            hidden,
            covered_by: None,
            covers: BTreeSet::new(),
        });
        if let Some((parent, _)) = new.parent {
            self.node_mut(parent).children.push(id);
        }
        id
    }

    /// The location of a node.
    pub(super) fn location(&self, node: NodeId) -> LocationId {
        self.node(node).location
    }

    /// The state of a node.
    pub(super) fn state(&self, node: NodeId) -> &State {
        &self.node(node).state
    }

    /// The precision of a node: its successors are abstracted with it.
    pub(super) fn precision(&self, node: NodeId) -> &Rc<Precision> {
        &self.node(node).precision
    }

    /// The precision that the state of a node was abstracted with.
    pub(super) fn made_with(&self, node: NodeId) -> &Precision {
        &self.node(node).made_with
    }

    /// The parent of a node and the edge from it; `None` of the root.
    pub(super) fn parent(&self, node: NodeId) -> Option<(NodeId, EdgeId)> {
        self.node(node).parent
    }

    /// Whether the node was removed.
    pub(super) fn is_removed(&self, node: NodeId) -> bool {
        self.node(node).removed
    }

    /// Whether neither the node nor an ancestor of it is covered or removed.
    pub(super) fn is_active(&self, node: NodeId) -> bool {
        let node = self.node(node);
        !node.removed && !node.hidden && node.covered_by.is_none()
    }

    /// Whether the node was expanded.
    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.node(node).expanded
    }

    /// Whether the node has a child along an edge.
    pub(super) fn has_child(&self, node: NodeId, edge: EdgeId) -> bool {
        let mut children = self.node(node).children.iter();
        children.any(|&child| self.node(child).parent.is_some_and(|(_, by)| by == edge))
    }

    /// The nodes that the node covers.
    pub(super) fn covered_by(&self, node: NodeId) -> Vec<NodeId> {
        self.node(node).covers.iter().copied().collect()
    }

    /// The nodes at the same location that may cover the node, the oldest first.
    pub(super) fn candidates(&self, node: NodeId) -> Vec<NodeId> {
        let at = &self.at[self.location(node).index()];
        let older = at.partition_point(|&other| other < node);
        let older = at[..older].iter().copied();
        older.filter(|&other| self.is_active(other)).collect()
    }

    /// All nodes at a location that were not removed.
    pub(super) fn nodes_at(&self, location: LocationId) -> Vec<NodeId> {
        self.at[location.index()].clone()
    }

    /// All active nodes.
    pub(super) fn active(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len())
            .map(|i| NodeId(i as u32))
            .filter(|&node| self.is_active(node))
    }

    /// The nodes from the root to `node`, and the edges between them.
    pub(super) fn path_to(&self, node: NodeId) -> (Vec<NodeId>, Vec<EdgeId>) {
        self.path_from(None, node)
    }

    /// The nodes from `ancestor` (or from the root) to `node`, and the edges between them.
    pub(super) fn path_from(
        &self,
        ancestor: Option<NodeId>,
        node: NodeId,
    ) -> (Vec<NodeId>, Vec<EdgeId>) {
        let (mut nodes, mut edges) = (vec![node], Vec::new());
        let mut at = node;
        while Some(at) != ancestor
            && let Some((parent, edge)) = self.node(at).parent
        {
            nodes.push(parent);
            edges.push(edge);
            at = parent;
        }
        nodes.reverse();
        edges.reverse();
        (nodes, edges)
    }

    /// The deepest node that both nodes hang from; a node hangs from itself.
    pub(super) fn nearest_common_ancestor(&self, a: NodeId, b: NodeId) -> NodeId {
        let (mut a, mut b) = (a, b);
        while a != b {
            let deeper = if self.node(a).depth >= self.node(b).depth {
                &mut a
            } else {
                &mut b
            };
            match self.node(*deeper).parent {
                Some((parent, _)) => *deeper = parent,
                None => break,
            }
        }
        a
    }

    /// How many edges there are between a node and its ancestor.
    pub(super) fn distance(&self, ancestor: NodeId, node: NodeId) -> u32 {
        self.node(node).depth - self.node(ancestor).depth
    }

    /// Gives a node another state.
    pub(super) fn set_state(&mut self, node: NodeId, state: State) {
        self.node_mut(node).state = state;
    }

    /// Gives the successors that a node will have another precision.
    pub(super) fn set_precision(&mut self, node: NodeId, precision: &Rc<Precision>) {
        self.node_mut(node).precision = precision.clone();
    }

    /// As [`Arg::set_precision`], for the node and all that hangs from it.
    pub(super) fn set_precision_below(&mut self, node: NodeId, precision: &Rc<Precision>) {
        for node in self.subtree(node) {
            self.set_precision(node, precision);
        }
    }

    /// The node and everything that hangs from it, parents first.
    fn subtree(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = vec![node];
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            found.extend(&self.node(node).children);
            next += 1;
        }
        found
    }

    fn key(&self, node: NodeId) -> ((u32, u32), NodeId) {
        let Node {
            depth, location, ..
        } = self.node(node);
        let key = match self.order {
            Order::BreadthFirst => (*depth, 0),
            Order::DepthFirst => (u32::MAX - depth, 0),
            Order::Topological => (self.ranks[location.index()], *depth),
        };
        (key, node)
    }

    /// The node is to be expanded (again).
    pub(super) fn reopen(&mut self, node: NodeId) {
        self.node_mut(node).expanded = false;
        if self.is_active(node) {
            self.waitlist.insert(self.key(node));
        }
    }

    /// All successors of the node are there.
    pub(super) fn set_expanded(&mut self, node: NodeId) {
        self.waitlist.remove(&self.key(node));
        self.node_mut(node).expanded = true;
    }

    /// Takes the next node from the waitlist. It is active and not expanded.
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        self.waitlist.pop_first().map(|(_, node)| node)
    }

    /// `by` covers `node`. What `node` or something hanging from it covers is uncovered, and returned.
    pub(super) fn cover(&mut self, node: NodeId, by: NodeId) -> Vec<NodeId> {
        debug_assert!(by < node && self.is_active(by) && self.is_active(node));
        debug_assert_eq!(self.location(by), self.location(node));
        let subtree = self.subtree(node);
        for &each in &subtree {
            self.waitlist.remove(&self.key(each));
            self.leave_coverer(each);
            self.node_mut(each).hidden = each != node;
        }
        self.node_mut(node).covered_by = Some(by);
        self.node_mut(by).covers.insert(node);
        let mut uncovered = Vec::new();
        for each in subtree {
            for covered in std::mem::take(&mut self.node_mut(each).covers) {
                self.uncover(covered);
                uncovered.push(covered);
            }
        }
        uncovered
    }

    fn leave_coverer(&mut self, node: NodeId) {
        if let Some(by) = self.node_mut(node).covered_by.take() {
            self.node_mut(by).covers.remove(&node);
        }
    }

    /// The node is covered no longer: the leaves that hang from it go to the waitlist.
    pub(super) fn uncover(&mut self, node: NodeId) {
        self.leave_coverer(node);
        if self.node(node).removed || self.node(node).hidden {
            return;
        }
        for each in self.subtree(node) {
            self.node_mut(each).hidden = false;
            if !self.node(each).expanded {
                self.waitlist.insert(self.key(each));
            }
        }
    }

    /// Removes the node and what hangs from it. The nodes that were covered by removed ones are
    /// returned: the caller uncovers or removes them, too.
    pub(super) fn remove(&mut self, node: NodeId) -> Vec<NodeId> {
        if let Some((parent, _)) = self.node(node).parent {
            self.node_mut(parent)
                .children
                .retain(|&child| child != node);
        }
        let subtree = self.subtree(node);
        for &each in &subtree {
            self.waitlist.remove(&self.key(each));
            self.leave_coverer(each);
            self.node_mut(each).removed = true;
        }
        let mut orphans = BTreeSet::new();
        for each in subtree {
            let location = self.location(each).index();
            if let Ok(position) = self.at[location].binary_search(&each) {
                self.at[location].remove(position);
            }
            let node = self.node_mut(each);
            node.children = Vec::new();
            orphans.append(&mut node.covers);
        }
        for &orphan in &orphans {
            self.node_mut(orphan).covered_by = None;
        }
        orphans.into_iter().collect()
    }
}
