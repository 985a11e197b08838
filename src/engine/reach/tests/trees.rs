//! The tree and its coverings, without a program.

use std::rc::Rc;

use super::super::arg::{Arg, NewNode, NodeId};
use super::super::precision::Precision;
use super::super::state::States;
use super::*;
use ult_core::graph::{EdgeId, LocationId};

/// A tree under construction; states do not matter.
struct Tree<'t> {
    arg: Arg,
    states: States<'t>,
    edges: usize,
}

impl Tree<'_> {
    fn new(terms: &Terms, order: Order) -> Tree<'_> {
        Tree {
            arg: Arg::new(order, vec![0, 1, 2]),
            states: States::new(terms, StateForm::Formula),
            edges: 0,
        }
    }

    fn add(&mut self, parent: Option<NodeId>, location: usize) -> NodeId {
        self.edges += 1;
        let state = self.states.top();
        let node = self.arg.add(NewNode {
            location: LocationId::new(location),
            parent: parent.map(|parent| (parent, EdgeId::new(self.edges))),
            state,
            precision: Rc::new(Precision::default()),
        });
        self.arg.reopen(node);
        if let Some(parent) = parent {
            self.arg.set_expanded(parent);
        }
        node
    }

    /// What the waitlist holds, the next one first.
    fn waiting(&mut self) -> Vec<NodeId> {
        let all: Vec<NodeId> = std::iter::from_fn(|| self.arg.pop()).collect();
        for &node in &all {
            self.arg.reopen(node);
        }
        all
    }
}

#[test]
fn what_hangs_from_a_covered_node_waits_for_its_uncovering() {
    let t = Terms::new();
    let mut tree = Tree::new(&t, Order::BreadthFirst);
    let root = tree.add(None, 0);
    let older = tree.add(Some(root), 1);
    let newer = tree.add(Some(root), 1);
    let below = tree.add(Some(newer), 1);
    let leaf = tree.add(Some(below), 2);
    let other = tree.add(Some(older), 1);
    assert_eq!(tree.arg.candidates(below), [older, newer]);
    // `other` is covered by `below`, until something above `below` is covered.
    tree.arg.cover(other, below);
    assert!(!tree.arg.is_active(other));
    tree.arg.cover(newer, older);
    assert!(tree.arg.is_active(other));
    assert!(!tree.arg.is_active(below) && !tree.arg.is_active(leaf));
    assert_eq!(tree.arg.candidates(other), [older]);
    assert_eq!(tree.waiting(), [other]);
    tree.arg.uncover(newer);
    assert!(tree.arg.is_active(leaf));
    assert_eq!(tree.waiting(), [other, leaf]);
}

#[test]
fn removal_gives_back_what_was_covered() {
    let t = Terms::new();
    let mut tree = Tree::new(&t, Order::BreadthFirst);
    let root = tree.add(None, 0);
    let older = tree.add(Some(root), 1);
    let deep = tree.add(Some(older), 1);
    let newer = tree.add(Some(root), 1);
    tree.arg.cover(newer, deep);
    assert_eq!(tree.arg.remove(older), [newer]);
    assert!(tree.arg.is_removed(older) && tree.arg.is_removed(deep));
    tree.arg.uncover(newer);
    assert_eq!(tree.waiting(), [newer]);
    assert_eq!(tree.arg.active().collect::<Vec<_>>(), [root, newer]);
}

#[test]
fn paths_and_common_ancestors() {
    let t = Terms::new();
    let mut tree = Tree::new(&t, Order::BreadthFirst);
    let root = tree.add(None, 0);
    let a = tree.add(Some(root), 1);
    let b = tree.add(Some(a), 1);
    let c = tree.add(Some(a), 2);
    let d = tree.add(Some(c), 2);
    assert_eq!(tree.arg.nearest_common_ancestor(b, d), a);
    assert_eq!(tree.arg.nearest_common_ancestor(d, c), c);
    assert_eq!(tree.arg.path_to(d).0, [root, a, c, d]);
    let (nodes, edges) = tree.arg.path_from(Some(a), d);
    assert_eq!((nodes, edges.len()), (vec![a, c, d], 2));
    assert_eq!(tree.arg.distance(a, d), 2);
}

#[test]
fn orders_of_the_waitlist() {
    let t = Terms::new();
    for (order, expected) in [
        (Order::BreadthFirst, [1, 2, 3]),
        (Order::DepthFirst, [3, 1, 2]),
        (Order::Topological, [2, 3, 1]),
    ] {
        let mut tree = Tree::new(&t, order);
        let root = tree.add(None, 0);
        let inner = tree.add(Some(root), 0);
        let leaves = [
            tree.add(Some(root), 2),
            tree.add(Some(root), 1),
            tree.add(Some(inner), 1),
        ];
        let waiting = tree.waiting();
        let numbers: Vec<usize> = waiting
            .iter()
            .map(|node| 1 + leaves.iter().position(|leaf| leaf == node).unwrap())
            .collect();
        assert_eq!(numbers, expected, "{order:?}");
    }
}
