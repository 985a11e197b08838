//! Verdicts for other tools.
//!
//! A run is told in the way of its format: for AIGER as a stimulus (properties, first values of the
//! latches, inputs of each step), for BTOR2 as a witness of BtorMC, for DimSpec as the states of a
//! solution. An invariant of AIGER is told as a witness circuit (Yu, Biere, Heljanko: "Progress in
//! Certifying Hardware Model Checking Results", CAV 2021): the same circuit, whose bad states are all
//! that the invariant excludes as well. That no initial state is bad, and that no step leads from a
//! state that is not bad to a bad one, is all there is to check then. An invariant of DimSpec is told as
//! clauses about its variables, in DIMACS.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use ult_core::formula::{
    Function, Interpretation, Op, Sort, Term, Terms, Value, Var, Version, eval,
};
use ult_core::graph::evidence::{Plans, Run, Walk};
use ult_core::graph::{LocationId, ProgramGraph};

use super::Form;
use super::aiger::{Aiger, Gate};
use super::graph::Interface;

/// A run into an error location, as the format tells runs.
///
/// # Errors
/// In words, if the format has no way to tell it.
pub fn violation(
    terms: &Terms,
    graph: &ProgramGraph,
    interface: &Interface,
    error: LocationId,
    run: &Run,
) -> Result<String, String> {
    let bad = interface
        .bads
        .get(&error)
        .ok_or("there is no such property")?;
    let frames = frames(terms, graph, interface, run)?;
    match interface.form {
        Form::Aiger => aiger(interface, *bad, &frames),
        Form::Btor2 => btor2(interface, *bad, &frames),
        Form::DimSpec => dimspec(terms, interface, &frames),
    }
}

/// The values in one step.
struct Frame {
    states: HashMap<Arc<str>, Value>,
    /// By the numbers that inputs have in the model; those that do not matter are missing.
    inputs: HashMap<usize, Value>,
    numbers: Arc<HashMap<u32, usize>>,
}

impl Interpretation for Frame {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        match var.version {
            Version::Current => self.states.get(&var.name).cloned(),
            Version::Aux(number) => {
                let input = self.inputs.get(self.numbers.get(&number)?);
                // What does not matter is false.
                input
                    .cloned()
                    .or((*sort == Sort::Bool).then_some(Value::Bool(false)))
            }
            _ => None,
        }
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

/// What a run goes through: the state and the inputs of each step from the loop's location on.
fn frames(
    terms: &Terms,
    graph: &ProgramGraph,
    interface: &Interface,
    run: &Run,
) -> Result<Vec<Frame>, String> {
    let templates = interface.model.inputs.iter().enumerate();
    let numbers = templates.filter_map(|(number, input)| match terms.as_var(input.term)?.version {
        Version::Aux(aux) => Some((aux, number)),
        _ => None,
    });
    let numbers: Arc<HashMap<u32, usize>> = Arc::new(numbers.collect());
    if !run.is_plain() {
        return Err("the trace is too long to be written step by step".into());
    }
    let mut plans = Plans::new(terms, graph);
    let mut walk = Walk::new(&mut plans, run);
    let mut frames = Vec::new();
    for step in &run.steps {
        walk.step(step)?;
        let ends = graph.graph.edge_endpoints(step.edge);
        if ends.is_none_or(|(from, _)| from != interface.head) {
            continue;
        }
        let mut states = HashMap::new();
        for state in &interface.model.states {
            let value = walk.before(&state.name).ok_or("a state has no value")?;
            states.insert(state.name.clone(), value.clone());
        }
        let formula = graph.graph[step.edge].transition.formula;
        let of_edge = interface.inputs.get(&step.edge);
        let mut inputs = HashMap::new();
        for term in terms.free_vars(&[formula]) {
            if let Some(var) = terms.as_var(term)
                && let Version::Aux(aux) = var.version
                && let Some(&input) = of_edge.and_then(|of_edge| of_edge.get(&aux))
                && let Some(value) = walk.value(var)
            {
                inputs.insert(input, value.clone());
            }
        }
        frames.push(Frame {
            states,
            inputs,
            numbers: numbers.clone(),
        });
    }
    match frames.is_empty() {
        true => Err("the trace has no step".into()),
        false => Ok(frames),
    }
}

/// Bits, the highest first.
fn digits(value: Option<&Value>, sort: &Sort) -> Result<String, String> {
    Ok(match (value, sort) {
        (Some(Value::Bool(value)), _) => u8::from(*value).to_string(),
        (Some(Value::BitVec(value, width)), _) => {
            let digits = value.to_str_radix(2);
            format!("{digits:0>width$}", width = *width as usize)
        }
        (None, Sort::Bool) => "0".into(),
        (None, Sort::BitVec(width)) => "0".repeat(*width as usize),
        _ => return Err("the witness of a trace cannot contain arrays".into()),
    })
}

fn aiger(interface: &Interface, bad: usize, frames: &[Frame]) -> Result<String, String> {
    let mut text = format!("1\nb{bad}\n");
    for state in &interface.model.states {
        text += &digits(frames[0].states.get(&state.name), &Sort::Bool)?;
    }
    text.push('\n');
    for frame in frames {
        for number in 0..interface.model.inputs.len() {
            text += &digits(frame.inputs.get(&number), &Sort::Bool)?;
        }
        text.push('\n');
    }
    text += ".\n";
    Ok(text)
}

fn btor2(interface: &Interface, bad: usize, frames: &[Frame]) -> Result<String, String> {
    let mut text = format!("sat\nb{bad}\n");
    for (step, frame) in frames.iter().enumerate() {
        let mut lines = String::new();
        for (number, state) in interface.model.states.iter().enumerate() {
            let is_free = match step {
                0 => state.init.is_none(),
                _ => state.next.is_none(),
            };
            if is_free {
                let value = digits(frame.states.get(&state.name), &state.sort)?;
                let name = state.symbol.as_deref().unwrap_or(&state.name);
                let _ = writeln!(lines, "{number} {value} {name}#{step}");
            }
        }
        if step == 0 || !lines.is_empty() {
            let _ = write!(text, "#{step}\n{lines}");
        }
        let _ = writeln!(text, "@{step}");
        for (number, input) in interface.model.inputs.iter().enumerate() {
            let value = digits(frame.inputs.get(&number), &input.sort)?;
            let name = input.symbol.as_deref().unwrap_or("input");
            let _ = writeln!(text, "{number} {value} {name}@{step}");
        }
    }
    text += ".\n";
    Ok(text)
}

fn dimspec(terms: &Terms, interface: &Interface, frames: &[Frame]) -> Result<String, String> {
    let variables = &interface.model.variables;
    let mut text = format!("solution {} {}\n", variables.len(), frames.len());
    for frame in frames {
        for (number, &term) in variables.iter().enumerate() {
            let value = eval(terms, term, frame).map_err(|_| "a variable has no value")?;
            let sign = if value == Value::Bool(true) { "" } else { "-" };
            let _ = write!(text, "{sign}{} ", number + 1);
        }
        text += "0\n";
    }
    Ok(text)
}

/// An invariant of the states before each step, as a circuit of AIGER or as clauses for DimSpec. It must
/// exclude all that is bad, and be inductive.
///
/// # Errors
/// In words, if there is no such certificate for the format, or the invariant is no formula about single
/// bits.
pub fn invariant(terms: &Terms, interface: &Interface, invariant: Term) -> Result<String, String> {
    if interface.form == Form::DimSpec {
        return clauses(terms, interface, invariant);
    }
    let file = &interface.model.aiger;
    let file = (file.as_ref()).ok_or("proofs about BTOR2 have no certificate")?;
    let states = interface.model.states.iter().zip(&file.latches);
    let lits = states.map(|(state, latch)| (state.current(terms), latch.lit));
    let mut witness = Witness {
        file: file.clone(),
        lits: lits.collect(),
    };
    let holds = witness.translated(terms, invariant)?;
    let good: Vec<u64> = file.bads.iter().map(|bad| bad ^ 1).chain([holds]).collect();
    let good = witness.all(&good);
    let mut file = witness.file;
    file.bads = vec![good ^ 1];
    Ok(written(&file))
}

/// An invariant that is a conjunction of clauses.
fn clauses(terms: &Terms, interface: &Interface, invariant: Term) -> Result<String, String> {
    let variables = &interface.model.variables;
    let numbers: HashMap<Term, i64> = variables.iter().copied().zip(1..).collect();
    let is = |term: Term, op: &Op| terms.op(term) == op;
    let literal = |term: Term| match is(term, &Op::Not) {
        true => numbers.get(&terms.args(term)[0]).map(|number| -number),
        false => numbers.get(&term).copied(),
    };
    let conjuncts = match is(invariant, &Op::And) {
        true => terms.args(invariant).to_vec(),
        false => vec![invariant],
    };
    let mut clauses: Vec<Vec<i64>> = Vec::new();
    // Conjunctions may be nested: long ones are not flat.
    let mut waiting = conjuncts;
    while let Some(conjunct) = waiting.pop() {
        let inner = (terms.args(conjunct).first())
            .copied()
            .filter(|_| is(conjunct, &Op::Not));
        let lits: Option<Vec<i64>> = match (terms.op(conjunct), inner) {
            (Op::And, _) => {
                waiting.extend(terms.args(conjunct));
                continue;
            }
            (Op::Bool(true), _) => continue,
            (Op::Bool(false), _) => Some(Vec::new()),
            (Op::Or, _) => terms
                .args(conjunct)
                .iter()
                .map(|&lit| literal(lit))
                .collect(),
            (_, Some(inner)) if is(inner, &Op::And) => {
                let lits = terms.args(inner).iter().map(|&lit| literal(lit));
                lits.map(|lit| lit.map(|lit| -lit)).collect()
            }
            _ => literal(conjunct).map(|lit| vec![lit]),
        };
        clauses
            .push(lits.ok_or("the invariant is not made of clauses: `--engine ic3` finds some")?);
    }
    clauses.sort();
    let mut text = format!("p cnf {} {}\n", variables.len(), clauses.len());
    for clause in clauses {
        for lit in clause {
            let _ = write!(text, "{lit} ");
        }
        text += "0\n";
    }
    Ok(text)
}

struct Witness {
    file: Aiger,
    /// Literals of terms.
    lits: HashMap<Term, u64>,
}

impl Witness {
    /// A literal for a formula about the latches.
    fn translated(&mut self, terms: &Terms, formula: Term) -> Result<u64, String> {
        for term in terms.post_order(&[formula]) {
            if self.lits.contains_key(&term) {
                continue;
            }
            let args: Vec<u64> = (terms.args(term).iter())
                .map(|arg| self.lits.get(arg).copied())
                .collect::<Option<_>>()
                .ok_or("the invariant is no formula about single bits")?;
            let lit = match (terms.op(term), &args[..]) {
                (Op::Bool(value), _) => u64::from(*value),
                (Op::Not, [a]) => a ^ 1,
                (Op::And, args) => self.all(args),
                (Op::Or, args) => self.any(args),
                (Op::Eq, &[a, b]) => self.choice(a, b, b ^ 1),
                (Op::Ite, &[condition, a, b]) => self.choice(condition, a, b),
                _ => return Err("the invariant is no formula about single bits".into()),
            };
            self.lits.insert(term, lit);
        }
        Ok(self.lits[&formula])
    }

    fn all(&mut self, lits: &[u64]) -> u64 {
        let mut all = 1;
        for &lit in lits {
            self.file.most += 1;
            let gate = Gate {
                lit: 2 * self.file.most,
                arguments: [all, lit],
            };
            self.file.gates.push(gate);
            all = gate.lit;
        }
        all
    }

    fn any(&mut self, lits: &[u64]) -> u64 {
        let inverted: Vec<u64> = lits.iter().map(|lit| lit ^ 1).collect();
        self.all(&inverted) ^ 1
    }

    /// `if condition then a else b`
    fn choice(&mut self, condition: u64, a: u64, b: u64) -> u64 {
        let (then, other) = (self.all(&[condition, a]), self.all(&[condition ^ 1, b]));
        self.any(&[then, other])
    }
}

/// A file as a text.
fn written(file: &Aiger) -> String {
    let Aiger {
        most,
        inputs,
        latches,
        bads,
        constraints,
        gates,
        ..
    } = file;
    let mut text = format!(
        "aag {most} {} {} 0 {} {} {}\n",
        inputs.len(),
        latches.len(),
        gates.len(),
        bads.len(),
        constraints.len()
    );
    for input in inputs {
        let _ = writeln!(text, "{input}");
    }
    for latch in latches {
        let reset = latch.reset.map_or(latch.lit, u64::from);
        let _ = writeln!(text, "{} {} {reset}", latch.lit, latch.next);
    }
    for lit in bads.iter().chain(constraints) {
        let _ = writeln!(text, "{lit}");
    }
    for Gate { lit, arguments } in gates {
        let [a, b] = arguments;
        let _ = writeln!(text, "{lit} {a} {b}");
    }
    text
}
