//! And-inverter graphs: circuits of conjunctions of two literals, each built once.
//!
//! After Kuehlmann, Paruthi, Krohm, Ganai: "Robust Boolean Reasoning for Equivalence Checking and
//! Functional Property Verification" (IEEE TCAD 2002): structural hashing, and the rules that look
//! two levels deep.

use std::fmt;
use std::ops::Not;

use rustc_hash::FxHashMap;

/// An edge of the graph: a node, inverted or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// Always false.
    pub const FALSE: Lit = Lit(0);
    /// Always true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of a node.
    fn of(node: usize) -> Lit {
        // A graph of 2^31 nodes does not fit into memory.
        Lit(u32::try_from(node).expect("fewer than 2^31 nodes") << 1)
    }

    /// A constant.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The number of the node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the node's value is inverted.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// This literal, inverted if `inverted` is set.
    pub fn invert_if(self, inverted: bool) -> Lit {
        Lit(self.0 ^ u32::from(inverted))
    }

    /// Its value, if it is constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.node() == 0).then_some(self.is_inverted())
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_inverted() { "!" } else { "" };
        write!(f, "{sign}n{}", self.node())
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant false: node 0, and no other.
    False,
    /// A value from outside: the leaf with this number.
    Leaf(u32),
    /// A conjunction.
    And(Lit, Lit),
}

/// The graph. Nodes are numbered so that arguments come before what is made of them.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    leaves: Vec<Lit>,
    known: FxHashMap<(Lit, Lit), Lit>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig {
            nodes: vec![Node::False],
            leaves: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl Aig {
    /// Without leaves.
    pub fn new() -> Aig {
        Aig::default()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The node with a number.
    pub fn node(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// All leaves, by number.
    pub fn leaves(&self) -> &[Lit] {
        &self.leaves
    }

    /// A new leaf.
    pub fn leaf(&mut self) -> Lit {
        let lit = Lit::of(self.nodes.len());
        // There are no more leaves than nodes.
        self.nodes.push(Node::Leaf(self.leaves.len() as u32));
        self.leaves.push(lit);
        lit
    }

    fn parts(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.nodes[lit.node()] {
            Node::And(a, b) => Some((a, b)),
            Node::False | Node::Leaf(_) => None,
        }
    }

    /// `a and b`
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(lit) = self.looked_into(a, b).or_else(|| self.looked_into(b, a)) {
            return lit;
        }
        if let Some(&lit) = self.known.get(&(a, b)) {
            return lit;
        }
        let lit = Lit::of(self.nodes.len());
        self.nodes.push(Node::And(a, b));
        self.known.insert((a, b), lit);
        lit
    }

    /// What `a and b` is, if the arguments of `a` tell.
    fn looked_into(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let (x, y) = self.parts(a)?;
        if !a.is_inverted() {
            // (x & y) & b
            if b == x || b == y {
                return Some(a);
            }
            if b == !x || b == !y {
                return Some(Lit::FALSE);
            }
            if let (Some((u, v)), false) = (self.parts(b), b.is_inverted())
                && (x == !u || x == !v || y == !u || y == !v)
            {
                return Some(Lit::FALSE);
            }
            return None;
        }
        // !(x & y) & b
        if b == !x || b == !y {
            return Some(b);
        }
        if b == x {
            return Some(self.and(b, !y));
        }
        if b == y {
            return Some(self.and(b, !x));
        }
        if let (Some((u, v)), false) = (self.parts(b), b.is_inverted()) {
            // !(x & y) & (u & v)
            if x == !u || x == !v || y == !u || y == !v {
                return Some(b);
            }
            if x == u || x == v {
                return Some(self.and(b, !y));
            }
            if y == u || y == v {
                return Some(self.and(b, !x));
            }
        }
        None
    }

    /// `a or b`
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a != b`
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.as_constant(), b.as_constant()) {
            (Some(value), _) => return b.invert_if(value),
            (_, Some(value)) => return a.invert_if(value),
            (None, None) => {}
        }
        // One form for a function and its complement.
        let inverted = a.is_inverted() != b.is_inverted();
        let (a, b) = (a.invert_if(a.is_inverted()), b.invert_if(b.is_inverted()));
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right).invert_if(inverted)
    }

    /// `a == b`
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if condition then a else b`
    pub fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        if a == !b {
            return self.iff(condition, a);
        }
        let (then, other) = (self.and(condition, a), self.and(!condition, b));
        self.or(then, other)
    }

    /// The conjunction of all, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [lit] => *lit,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// The disjunction of all, as a balanced tree.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let inverted: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&inverted)
    }

    /// The values of all nodes, given those of the leaves by number.
    pub fn values(&self, leaf: impl Fn(u32) -> bool) -> Values {
        let mut values = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |lit: Lit| values[lit.node()] != lit.is_inverted();
            let value = match *node {
                Node::False => false,
                Node::Leaf(number) => leaf(number),
                Node::And(a, b) => of(a) && of(b),
            };
            values.push(value);
        }
        Values(values)
    }

    /// The nodes that literals depend on, themselves included, in order.
    pub fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting: Vec<usize> = roots.into_iter().map(Lit::node).collect();
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            if let Node::And(a, b) = self.nodes[number] {
                waiting.extend([a.node(), b.node()]);
            }
        }
        (0..self.nodes.len()).filter(|&node| seen[node]).collect()
    }
}

/// The values of a graph's nodes.
#[derive(Clone, Debug)]
pub struct Values(Vec<bool>);

impl Values {
    /// The value of a literal.
    pub fn of(&self, lit: Lit) -> bool {
        self.0[lit.node()] != lit.is_inverted()
    }
}
