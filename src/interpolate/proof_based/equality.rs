//! Equality of values that are no numbers: classes of the equalities that hold now, and why two
//! values are in the same class.

use std::collections::{HashMap, VecDeque};

use super::clause::Lit;
use ult_core::formula::{Op, Term, Terms};

/// An equality that holds, read in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The left side.
    pub from: Term,
    /// The right side.
    pub to: Term,
    /// The literal that says so.
    pub lit: Lit,
}

/// The equalities that hold now. Those asserted last are withdrawn first.
#[derive(Debug, Default)]
pub(super) struct Equality {
    nodes: HashMap<Term, usize>,
    terms: Vec<Term>,
    /// Union by size without path compression, so that a union is undone in one step.
    parent: Vec<usize>,
    size: Vec<usize>,
    /// By root: a literal of its sort (a bit-vector) in the class.
    literal: Vec<Option<Term>>,
    /// By node: its equalities.
    links: Vec<Vec<Link>>,
    trail: Vec<(Link, Option<Union>)>,
}

#[derive(Debug)]
struct Union {
    child: usize,
    root: usize,
    literal: Option<Term>,
}

impl Equality {
    /// How many equalities hold; to return to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Withdraws the equalities asserted since the mark was taken.
    pub(super) fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((link, union)) = self.trail.pop() else {
                return;
            };
            for end in [link.from, link.to] {
                self.links[self.nodes[&end]].pop();
            }
            if let Some(Union {
                child,
                root,
                literal,
            }) = union
            {
                self.parent[child] = child;
                self.size[root] -= self.size[child];
                self.literal[root] = literal;
            }
        }
    }

    /// Asserts an equality. If it makes different literals of a sort equal: the chain between them.
    pub(super) fn merge(
        &mut self,
        terms: &Terms,
        a: Term,
        b: Term,
        lit: Lit,
    ) -> Result<(), Vec<Link>> {
        let (x, y) = (self.node(terms, a), self.node(terms, b));
        let link = Link {
            from: a,
            to: b,
            lit,
        };
        self.links[x].push(link);
        self.links[y].push(link.reversed());
        let (x, y) = (self.find(x), self.find(y));
        if x == y {
            self.trail.push((link, None));
            return Ok(());
        }
        let (child, root) = if self.size[x] <= self.size[y] {
            (x, y)
        } else {
            (y, x)
        };
        let literal = self.literal[root];
        let other = self.literal[child];
        self.parent[child] = root;
        self.size[root] += self.size[child];
        self.literal[root] = literal.or(other);
        self.trail.push((
            link,
            Some(Union {
                child,
                root,
                literal,
            }),
        ));
        match (literal, other) {
            (Some(one), Some(two)) => Err(self.path(one, two).unwrap_or_default()),
            _ => Ok(()),
        }
    }

    fn node(&mut self, terms: &Terms, term: Term) -> usize {
        if let Some(&node) = self.nodes.get(&term) {
            return node;
        }
        let node = self.terms.len();
        self.nodes.insert(term, node);
        self.terms.push(term);
        self.parent.push(node);
        self.size.push(1);
        self.links.push(Vec::new());
        let is_literal = matches!(terms.op(term), Op::BitVec(_));
        self.literal.push(is_literal.then_some(term));
        node
    }

    fn find(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    /// The term that stands for the class of a term.
    pub(super) fn class(&self, term: Term) -> Term {
        self.nodes
            .get(&term)
            .map_or(term, |&node| self.terms[self.find(node)])
    }

    /// Whether two terms are equal by what holds now.
    pub(super) fn same(&self, a: Term, b: Term) -> bool {
        self.class(a) == self.class(b)
    }

    /// The equalities that speak about a term directly, with the term on the left.
    pub(super) fn links(&self, term: Term) -> &[Link] {
        self.nodes
            .get(&term)
            .map_or(&[], |&node| &self.links[node][..])
    }

    /// A shortest chain of equalities from one term to another.
    pub(super) fn path(&self, from: Term, to: Term) -> Option<Vec<Link>> {
        if !self.same(from, to) {
            return None;
        }
        let mut reached: HashMap<Term, Link> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(term) = queue.pop_front() {
            if term == to {
                let mut path = Vec::new();
                let mut end = to;
                while end != from {
                    let link = reached[&end];
                    path.push(link);
                    end = link.from;
                }
                path.reverse();
                return Some(path);
            }
            for &link in self.links(term) {
                if link.to != from && !reached.contains_key(&link.to) {
                    reached.insert(link.to, link);
                    queue.push_back(link.to);
                }
            }
        }
        None
    }
}

impl Link {
    /// The same equality in the other direction.
    pub(super) fn reversed(self) -> Link {
        Link {
            from: self.to,
            to: self.from,
            lit: self.lit,
        }
    }
}

#[cfg(test)]
mod tests;
