//! Which graphs are the same for somebody who has a proof.
//!
//! Two graphs have one key if they have the same edges between the same locations, up to the order of the operands of
//! commutative operators, the numbers of auxiliaries and bound variables, the names of locations, and axioms that speak
//! about symbols which the edges do not depend on. Other graphs may have that key, too, if they differ in nothing but
//! which of several auxiliaries or bound variables of one name and sort is meant where. That costs time and nothing else:
//! evidence is checked again, whatever it was kept for.
//!
//! A term's digest is made of those of its arguments, so the work is linear in the number of different terms.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash as Sha256;

use ult_core::formula::{FieldSort, Function, Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

use super::VERSION;

type Hash = [u8; 32];

/// What an entry is found by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(crate) Hash);

impl fmt::Display for Key {
    /// 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Key {
    type Err = ();

    fn from_str(text: &str) -> Result<Key, ()> {
        let mut hash = Hash::default();
        let is_key = text.len() == 2 * hash.len() && text.bytes().all(|b| b.is_ascii_hexdigit());
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| ())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| ())?;
        }
        is_key.then_some(Key(hash)).ok_or(())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The key for evidence about a graph.
pub fn of_graph(terms: &Terms, graph: &ProgramGraph) -> Key {
    let mut digester = Digester::new(terms);
    let mut hash = Hasher::new("graph");
    digester.graph(&mut hash, graph);
    Key(hash.finish())
}

/// The key for something about several graphs together, in their order, and formulas besides.
pub fn of_graphs<'g>(
    terms: &Terms,
    graphs: impl IntoIterator<Item = &'g ProgramGraph>,
    formulas: &[Term],
) -> Key {
    let mut digester = Digester::new(terms);
    let mut hash = Hasher::new("graphs");
    for graph in graphs {
        digester.graph(&mut hash, graph);
    }
    hash.number(formulas.len());
    for &formula in formulas {
        hash.hash(&digester.term(formula));
    }
    Key(hash.finish())
}

/// All axioms of a graph. A run is one only if all of them are true, also of symbols that it has nothing to do with.
pub(crate) fn of_axioms(terms: &Terms, graph: &ProgramGraph) -> Key {
    let mut digester = Digester::new(terms);
    let mut hash = Hasher::new("axioms");
    let axioms: BTreeSet<Hash> = graph.axioms.iter().map(|&a| digester.term(a)).collect();
    axioms.iter().for_each(|axiom| hash.hash(axiom));
    Key(hash.finish())
}

/// A hash in the making. All that goes in has a known length, or says how long it is.
struct Hasher(Sha256);

impl Hasher {
    fn new(what: &str) -> Hasher {
        let mut hasher = Hasher(Sha256::new());
        hasher.text(what);
        hasher
    }

    fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.update(text.as_bytes());
    }

    fn hash(&mut self, hash: &Hash) {
        self.0.update(hash);
    }

    fn finish(self) -> Hash {
        self.0.finalize()
    }
}

/// The digests of the terms of one store, each made once.
struct Digester<'a> {
    terms: &'a Terms,
    known: HashMap<Term, Hash>,
    sorts: HashMap<Sort, Hash>,
}

impl<'a> Digester<'a> {
    fn new(terms: &'a Terms) -> Digester<'a> {
        Digester {
            terms,
            known: HashMap::new(),
            sorts: HashMap::new(),
        }
    }

    fn graph(&mut self, hash: &mut Hasher, graph: &ProgramGraph) {
        hash.number(VERSION as usize);
        hash.number(graph.initial.index());
        hash.number(graph.graph.node_count());
        for error in graph.errors() {
            hash.number(error.index());
        }
        hash.number(graph.graph.edge_count());
        for edge in graph.graph.edge_indices() {
            let Some((source, target)) = graph.graph.edge_endpoints(edge) else {
                continue;
            };
            let transition = &graph.graph[edge].transition;
            hash.number(source.index());
            hash.number(target.index());
            hash.hash(&self.term(transition.formula));
            hash.number(transition.changed.len());
            for name in &transition.changed {
                hash.text(name);
                if let Some(sort) = graph.variables.get(name) {
                    hash.hash(&self.sort(sort));
                }
            }
        }
        let axioms = graph.relevance(self.terms).near.into_iter();
        let axioms: BTreeSet<Hash> = axioms.map(|axiom| self.term(axiom)).collect();
        hash.number(axioms.len());
        axioms.iter().for_each(|axiom| hash.hash(axiom));
    }

    fn term(&mut self, root: Term) -> Hash {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let node = self.terms.node(term);
            if !ready {
                stack.push((term, true));
                stack.extend(node.args.iter().map(|&arg| (arg, false)));
                if let Op::Bind(binder) = &node.op {
                    stack.extend(binder.vars.iter().map(|&var| (var, false)));
                }
                continue;
            }
            let made = self.node(term);
            self.known.insert(term, made);
        }
        self.known.get(&root).copied().unwrap_or_default()
    }

    /// The digest of a term whose parts have theirs.
    fn node(&mut self, term: Term) -> Hash {
        let node = self.terms.node(term);
        let mut hash = Hasher::new("term");
        let sort = self.sort(&node.sort);
        hash.hash(&sort);
        let mut commutes = false;
        match &node.op {
            Op::Var(var) => {
                hash.text(match var.version {
                    Version::Current => "now",
                    Version::Next => "next",
                    Version::Aux(_) => "auxiliary",
                    Version::Bound(_) => "bound",
                    Version::At(_) | Version::AuxAt(..) => "elsewhere",
                });
                hash.text(&var.name);
            }
            Op::Apply(function) => {
                let function = self.function(function);
                hash.text("apply");
                hash.hash(&function);
            }
            Op::Builtin(builtin) => {
                hash.text("builtin");
                hash.text(&builtin.name);
                hash.number(builtin.indices.len());
                builtin
                    .indices
                    .iter()
                    .for_each(|&index| hash.number(index as usize));
            }
            Op::Bind(binder) => {
                hash.text(&format!("bind {:?} {:?}", binder.kind, binder.patterns));
                hash.number(binder.vars.len());
                for var in &binder.vars {
                    hash.hash(&self.known.get(var).copied().unwrap_or_default());
                }
            }
            op => {
                commutes = matches!(
                    op,
                    Op::And | Op::Or | Op::Eq | Op::Distinct | Op::Add | Op::Mul
                );
                // Names and numbers only.
                hash.text(&format!("{op:?}"));
            }
        }
        let args = node.args.iter();
        let mut args: Vec<Hash> = args
            .map(|arg| self.known.get(arg).copied().unwrap_or_default())
            .collect();
        if commutes {
            args.sort_unstable();
        }
        hash.number(args.len());
        args.iter().for_each(|arg| hash.hash(arg));
        hash.finish()
    }

    fn function(&mut self, function: &Function) -> Hash {
        let mut hash = Hasher::new("function");
        hash.text(&function.name);
        hash.number(function.params.len());
        for param in &function.params {
            let sort = self.sort(param);
            hash.hash(&sort);
        }
        let result = self.sort(&function.result);
        hash.hash(&result);
        hash.finish()
    }

    fn sort(&mut self, sort: &Sort) -> Hash {
        if let Some(known) = self.sorts.get(sort) {
            return *known;
        }
        let mut hash = Hasher::new("sort");
        match sort {
            Sort::Map(map) => {
                hash.text("map");
                hash.number(map.domain.len());
                for index in &map.domain {
                    let index = self.sort(index);
                    hash.hash(&index);
                }
                let range = self.sort(&map.range);
                hash.hash(&range);
            }
            Sort::Datatype(datatype) => {
                hash.text("datatype");
                let (members, number) = datatype.members();
                hash.number(number as usize);
                hash.number(members.len());
                for member in members {
                    hash.text(&member.name);
                    hash.number(member.constructors.len());
                    for constructor in &member.constructors {
                        hash.text(&constructor.name);
                        hash.number(constructor.fields.len());
                        for (name, sort) in &constructor.fields {
                            hash.text(name);
                            match sort {
                                FieldSort::Sort(sort) => {
                                    let sort = self.sort(sort);
                                    hash.hash(&sort);
                                }
                                FieldSort::Member(number) => {
                                    hash.text("member");
                                    hash.number(*number as usize);
                                }
                            }
                        }
                    }
                }
            }
            Sort::Seq(element) => {
                hash.text("sequence");
                let element = self.sort(element);
                hash.hash(&element);
            }
            Sort::Uninterpreted(name) => {
                hash.text("type");
                hash.text(name);
            }
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegEx => hash.text(&format!("{sort:?}")),
        }
        let made = hash.finish();
        self.sorts.insert(sort.clone(), made);
        made
    }
}
