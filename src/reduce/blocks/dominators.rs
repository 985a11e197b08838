//! The dominator tree of one region, with the path conditions along its branches.
//!
//! A location carries the condition under which it is reached from its parent, its immediate
//! dominator. The condition of a longer piece of a branch is a conjunction; jump pointers (Myers:
//! "An applicative random-access stack") share those conjunctions, so that asking for the
//! condition between a location and any of its dominators costs a logarithmic number of terms.

use ult_core::formula::{Term, Terms};
use ult_core::graph::LocationId;

/// Dominator trees of all regions, their locations by index.
pub(super) struct Dominators<'t> {
    terms: &'t Terms,
    nodes: Vec<Option<Node>>,
}

#[derive(Clone, Copy)]
struct Node {
    depth: u32,
    parent: LocationId,
    /// Some dominator further up.
    jump: LocationId,
    /// Under which condition a run that is at the parent comes here.
    local: Term,
    /// The same for `jump`.
    segment: Term,
}

impl<'t> Dominators<'t> {
    /// Trees without locations; there may be `count` of them.
    pub(super) fn new(terms: &'t Terms, count: usize) -> Dominators<'t> {
        Dominators {
            terms,
            nodes: vec![None; count],
        }
    }

    /// Adds the root of a tree.
    pub(super) fn add_root(&mut self, root: LocationId) {
        self.nodes[root.index()] = Some(Node {
            depth: 0,
            parent: root,
            jump: root,
            local: self.terms.tt(),
            segment: self.terms.tt(),
        });
    }

    /// Adds a location below its immediate dominator.
    pub(super) fn add(&mut self, location: LocationId, parent: LocationId, local: Term) {
        let up = self.node(parent);
        let over = self.node(up.jump);
        // Two jumps of the same length are followed by one of twice the length.
        let even =
            parent != up.jump && up.depth - over.depth == over.depth - self.node(over.jump).depth;
        let (jump, segment) = if even {
            let parts = [over.segment, up.segment, local];
            (over.jump, self.terms.and(parts))
        } else {
            (parent, local)
        };
        self.nodes[location.index()] = Some(Node {
            depth: up.depth + 1,
            parent,
            jump,
            local,
            segment,
        });
    }

    /// The closest common dominator of two locations of one tree.
    pub(super) fn common(&self, left: LocationId, right: LocationId) -> LocationId {
        let (mut left, mut right) = (left, right);
        if self.node(left).depth < self.node(right).depth {
            std::mem::swap(&mut left, &mut right);
        }
        let depth = self.node(right).depth;
        while self.node(left).depth > depth {
            let node = self.node(left);
            left = if self.node(node.jump).depth >= depth {
                node.jump
            } else {
                node.parent
            };
        }
        while left != right {
            // Locations of one depth have jumps of one length.
            let (from_left, from_right) = (self.node(left), self.node(right));
            (left, right) = if from_left.jump == from_right.jump {
                (from_left.parent, from_right.parent)
            } else {
                (from_left.jump, from_right.jump)
            };
        }
        left
    }

    /// Under which conditions a run that is at `dominator` comes to `location`, from top to
    /// bottom.
    pub(super) fn between(&self, dominator: LocationId, location: LocationId) -> Vec<Term> {
        let depth = self.node(dominator).depth;
        let mut conditions = Vec::new();
        let mut at = location;
        while self.node(at).depth > depth {
            let node = self.node(at);
            if self.node(node.jump).depth >= depth {
                conditions.push(node.segment);
                at = node.jump;
            } else {
                conditions.push(node.local);
                at = node.parent;
            }
        }
        conditions.reverse();
        conditions
    }

    fn node(&self, location: LocationId) -> Node {
        // Only locations that were added are asked for.
        self.nodes[location.index()].expect("the location was added to the tree")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::formula::Sort;

    #[test]
    fn conditions_along_a_branch_are_complete_and_short() {
        let terms = Terms::new();
        let count = 1000;
        let mut tree = Dominators::new(&terms, 2 * count + 1);
        let id = LocationId::new;
        let condition = |i: usize| terms.current(format!("c{i}"), Sort::Bool);
        tree.add_root(id(0));
        // A trunk of even numbers, and an odd twig at each of them.
        for i in 1..=count {
            tree.add(id(2 * i), id(2 * i - 2), condition(2 * i));
        }
        for i in 1..count {
            tree.add(id(2 * i + 1), id(2 * i), condition(2 * i + 1));
        }
        for (top, bottom) in [(0, 1000), (1, 2), (17, 899), (500, 500), (3, 4)] {
            let conditions = tree.between(id(2 * top), id(2 * bottom));
            assert!(conditions.len() <= 24, "{}", conditions.len());
            let expected: Vec<Term> = (top + 1..=bottom).map(|i| condition(2 * i)).collect();
            assert_eq!(terms.conjuncts(terms.and(conditions)), expected);
            if top > 0 {
                assert_eq!(tree.common(id(2 * top + 1), id(2 * bottom)), id(2 * top));
            }
        }
        assert_eq!(tree.common(id(7), id(13)), id(6));
        assert_eq!(tree.common(id(9), id(9)), id(9));
    }
}
