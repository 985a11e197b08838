//! Terms that are evaluated many times, under values that are found by number instead of by name.

use rustc_hash::FxHashMap;

use super::eval::{EvalError, Interpretation, NoMeaning, Operands, eval_node};
use super::term::{Op, Term, Terms, Var};
use super::value::Value;

/// The value of something, or why it has none.
pub type Evaluated = Result<Value, EvalError>;

/// Terms whose variables are known by numbers. Evaluation means what it means in
/// [`eval`](super::eval()), for all of them at once; what they share is evaluated once.
pub struct Compiled<'t> {
    terms: &'t Terms,
    constants: Vec<Evaluated>,
    /// What has to be evaluated, arguments before their users; the result of each is in the
    /// register with its number.
    nodes: Vec<(Term, Box<[Place]>)>,
    roots: Vec<Place>,
    registers: Vec<Evaluated>,
}

/// Where the value of a term is found.
#[derive(Clone, Copy)]
enum Place {
    Constant(usize),
    Slot(usize),
    Register(usize),
}

impl<'t> Compiled<'t> {
    /// Compiles terms. `slot` says under which number the value of a free variable is found; a
    /// variable without one has no value.
    pub fn new(
        terms: &'t Terms,
        roots: &[Term],
        slot: impl Fn(&Var) -> Option<usize>,
    ) -> Compiled<'t> {
        let mut compiled = Compiled {
            terms,
            constants: Vec::new(),
            nodes: Vec::new(),
            roots: Vec::new(),
            registers: Vec::new(),
        };
        let mut places: FxHashMap<Term, Place> = FxHashMap::default();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if places.contains_key(&term) {
                continue;
            }
            let node = terms.node(term);
            let place = match &node.op {
                Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::BitVec(_) => {
                    let value = eval_node(node, term, &Registers::none(), &NoMeaning);
                    compiled.constant(value)
                }
                Op::Var(var) => match slot(var) {
                    Some(slot) => Place::Slot(slot),
                    None => compiled.constant(Err(EvalError::Unbound(var.name.to_string()))),
                },
                Op::Bind(_) => compiled.node(term, Box::new([])),
                _ if ready || node.args.is_empty() => {
                    let args = node.args.iter().map(|arg| places[arg]).collect();
                    compiled.node(term, args)
                }
                _ => {
                    stack.push((term, true));
                    stack.extend(node.args.iter().rev().map(|&t| (t, false)));
                    continue;
                }
            };
            places.insert(term, place);
        }
        compiled.roots = roots.iter().map(|root| places[root]).collect();
        compiled
    }

    fn constant(&mut self, value: Evaluated) -> Place {
        self.constants.push(value);
        Place::Constant(self.constants.len() - 1)
    }

    fn node(&mut self, term: Term, args: Box<[Place]>) -> Place {
        self.nodes.push((term, args));
        Place::Register(self.nodes.len() - 1)
    }

    /// Evaluates all roots; `slots` has the values of the variables by number. The interpretation
    /// is asked for the meaning of symbols, and for what there is no rule for.
    pub fn evaluate(&mut self, slots: &[Evaluated], interpretation: &dyn Interpretation) {
        self.registers.clear();
        for (term, args) in &self.nodes {
            let operands = Registers {
                args,
                constants: &self.constants,
                slots,
                registers: &self.registers,
            };
            let value = eval_node(self.terms.node(*term), *term, &operands, interpretation);
            self.registers.push(value);
        }
    }

    /// The value of a root, by its number, as it was evaluated last under these slots.
    pub fn root<'a>(&'a self, number: usize, slots: &'a [Evaluated]) -> &'a Evaluated {
        match self.roots[number] {
            Place::Constant(constant) => &self.constants[constant],
            Place::Slot(slot) => &slots[slot],
            Place::Register(register) => &self.registers[register],
        }
    }
}

/// The arguments of a node.
struct Registers<'a> {
    args: &'a [Place],
    constants: &'a [Evaluated],
    slots: &'a [Evaluated],
    registers: &'a [Evaluated],
}

impl Registers<'_> {
    fn none() -> Self {
        Registers {
            args: &[],
            constants: &[],
            slots: &[],
            registers: &[],
        }
    }
}

impl Operands for Registers<'_> {
    fn operand(&self, index: usize) -> &Evaluated {
        match self.args[index] {
            Place::Constant(constant) => &self.constants[constant],
            Place::Slot(slot) => &self.slots[slot],
            Place::Register(register) => &self.registers[register],
        }
    }
}
