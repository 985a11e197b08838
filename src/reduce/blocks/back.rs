//! The way back from blocks to single edges.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::shared_prefixes::{SharedPrefixes, forced};
use super::symbolic::aux_number;
use crate::WayBack;
use crate::replay::{Replay, Stepped};
use ult_core::formula::{
    EvalError, Evaluator, Function, Interpretation, Sort, Term, Terms, Value, Var, Version,
};
use ult_core::graph::evidence::{Invariants, Run, State, Step, Valuation};
use ult_core::graph::{EdgeId, LocationId};

/// An edge into a location, and under which condition a run came over it.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    /// The edge.
    pub edge: EdgeId,
    /// The number of the edges into the location that it leaves; none at the cut point where the region begins.
    pub before: Option<usize>,
    /// The condition, beyond the one for reaching the immediate dominator of the location; none if it is taken in any state.
    pub condition: Option<Term>,
}

/// What an edge of the reduced graph was made of.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The cut point where it starts.
    pub source: LocationId,
    /// The edges by which it may enter the target.
    pub last: Vec<Incoming>,
    /// Auxiliaries, by number, that the formula does not mention because they equal the value of
    /// a variable, by number, after the block.
    pub finals: Vec<(u32, usize)>,
}

/// What became of the unknowns of an original edge.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeBack {
    /// An auxiliary of the original formula, and the one in the formulas of the blocks.
    pub aux: Vec<(Term, Term)>,
    /// A variable that the edge does not assign a value, and the auxiliary for its value.
    pub free: Vec<(usize, Term)>,
}

/// The way back.
pub(super) struct Back {
    pub locations: Vec<LocationId>,
    /// By index of the edge of the reduced graph.
    pub blocks: Vec<Block>,
    /// The edges into the eliminated locations of all regions.
    pub incoming: Vec<Vec<Incoming>>,
    /// Made for the first run: most graphs have none.
    pub shared_prefixes: OnceCell<SharedPrefixes>,
    /// By cut point and edge of its region in the original graph.
    pub edges: FxHashMap<(LocationId, EdgeId), EdgeBack>,
    pub replay: Replay,
}

impl WayBack for Back {
    fn location(&self, reduced: LocationId) -> LocationId {
        self.locations[reduced.index()]
    }

    /// Cut points keep their invariants. At error locations nothing but `false` is kept: blocks do
    /// not say what the variables are there. Each block is one segment between cut points.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants {
        let is_error = |location: LocationId| self.replay.is_error(location);
        let exempt = reduced.exempt.iter().map(|&l| self.location(l)).collect();
        let mut invariants = Invariants {
            at: BTreeMap::new(),
            exempt,
            arguments: self.arguments(reduced),
        };
        for (&location, &formula) in &reduced.at {
            let location = self.location(location);
            if !is_error(location) {
                invariants.at.insert(location, formula);
            } else if invariants.excludes_directly(location) {
                invariants.at.insert(location, terms.ff());
            }
        }
        invariants
    }

    /// Finds the path inside each block backward from its end, by the conditions that hold under
    /// the values of the step, and executes it forward.
    fn run(&self, terms: &Terms, reduced: Run) -> Result<Run, String> {
        let mut rigid = reduced.rigid;
        let mut steps = Vec::new();
        let mut state = reduced.start.clone();
        // What the smaller graph says of the states between blocks.
        let mut before = reduced.start.clone();
        for step in &reduced.steps {
            let block = self
                .blocks
                .get(step.edge.index())
                .ok_or("the trace uses an edge that does not exist")?;
            let mut aux = step.aux().clone();
            for &(number, var) in &block.finals {
                let kept = || before.get(&self.replay.var(var));
                if let Some(value) = self.replay.value(step, var).or_else(kept) {
                    aux.insert(number, value.clone());
                }
            }
            let valuation = Total(Stepped(Valuation {
                before: &before,
                after: Some(step.values()),
                aux: Some(&aux),
                rigid: &rigid,
            }));
            let path = self.path(terms, block, &valuation)?;
            steps.reserve(path.iter().map(|edges| edges.len()).sum());
            for &edge in path.into_iter().flatten() {
                if self.replay.is_idle(edge) {
                    steps.push(Step::determined(edge));
                    continue;
                }
                let (values, free) = self.unknowns(terms, block.source, edge, &aux)?;
                let free = Step::new(edge, values, free);
                steps.push(self.replay.step(terms, &mut state, &free, &mut rigid)?);
            }
            for (name, value) in step.values() {
                before.insert(name.clone(), value.clone());
            }
        }
        Ok(Run::new(reduced.start, steps, rigid))
    }
}

impl Back {
    /// The original edges of a block that a step took, in parts.
    fn path<'b>(
        &'b self,
        terms: &Terms,
        block: &'b Block,
        valuation: &Total<'_>,
    ) -> Result<Vec<&'b [EdgeId]>, String> {
        let shared_prefixes =
            (self.shared_prefixes).get_or_init(|| SharedPrefixes::of(&self.incoming, &self.replay));
        let mut evaluator = Evaluator::new(terms, valuation);
        let mut path = Vec::new();
        let mut edges = &block.last;
        loop {
            let chosen = self.choose(&mut evaluator, edges)?;
            path.push(std::slice::from_ref(&chosen.edge));
            let mut before = chosen.before;
            while let Some((prefix, end)) = before.and_then(|before| shared_prefixes.before(before))
            {
                path.push(prefix);
                before = end;
            }
            let Some(before) = before else {
                break;
            };
            edges = &self.incoming[before];
        }
        path.reverse();
        Ok(path)
    }

    /// The edge into a location whose condition holds. One whose condition cannot be evaluated is taken only if
    /// all others are excluded.
    fn choose<'i>(
        &self,
        evaluator: &mut Evaluator<'_>,
        edges: &'i [Incoming],
    ) -> Result<&'i Incoming, String> {
        if let Some(only) = forced(edges) {
            return Ok(only);
        }
        let mut open: Vec<(&Incoming, EvalError)> = Vec::new();
        for incoming in edges {
            let holds = match incoming.condition {
                Some(condition) => evaluator.value(condition),
                None => Ok(Value::Bool(true)),
            };
            match holds {
                Ok(Value::Bool(true)) => return Ok(incoming),
                Ok(_) => {}
                Err(error) => open.push((incoming, error)),
            }
        }
        let name = || {
            let last = edges.first();
            last.map_or("?", |last| self.replay.name(self.replay.target(last.edge)))
        };
        match &open[..] {
            [] => Err(format!("the trace does not fit any path into `{}`", name())),
            [(incoming, _)] => Ok(incoming),
            [(_, error), ..] => Err(format!(
                "the path of the trace into `{}` is not known: {error}",
                name()
            )),
        }
    }

    /// The values for the unknowns of an edge in the region of a cut point: auxiliaries of its formula, and variables.
    fn unknowns(
        &self,
        terms: &Terms,
        cut: LocationId,
        edge: EdgeId,
        aux: &BTreeMap<u32, Value>,
    ) -> Result<(BTreeMap<u32, Value>, State), String> {
        let back = self
            .edges
            .get(&(cut, edge))
            .ok_or("the trace leaves the block")?;
        let value = |term: Term| {
            let given = aux_number(terms, term).and_then(|number| aux.get(&number).cloned());
            given.or_else(|| Value::any_of(terms.sort(term)))
        };
        let values = back
            .aux
            .iter()
            .filter_map(|&(old, new)| Some((aux_number(terms, old)?, value(new)?)));
        let free = back
            .free
            .iter()
            .filter_map(|&(var, aux)| Some((self.replay.var(var), value(aux)?)));
        Ok((values.collect(), free.collect()))
    }
}

/// A valuation that gives any value to auxiliaries without one: if a formula that holds does not
/// mention them, because the parts that did were simplified, it holds with any.
struct Total<'a>(Stepped<'a>);

impl Interpretation for Total<'_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        self.0.variable(var, sort).or_else(|| match var.version {
            Version::Aux(_) => Value::any_of(sort),
            _ => None,
        })
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.0.function(function, args)
    }

    fn other(&self, term: Term) -> Option<Value> {
        self.0.other(term)
    }
}
